"""Which checkpoint a run goes on from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_rl.recipe import build_config, plain
from microcoder_rl.saved_checkpoints import find_checkpoint


def saved(folder: Path, recipe: dict[str, Any]) -> Path:
    step = folder / "step-000003"
    step.mkdir()
    (step / "recipe.json").write_text(json.dumps(recipe))
    return step


def test_a_key_that_is_newer_than_the_checkpoint_had_its_default(tmp_path: Path) -> None:
    older = plain(build_config({}))
    del older["curriculum"]["rate"], older["truncation"]
    step = saved(tmp_path, older)
    assert find_checkpoint(tmp_path, plain(build_config({}))) == step
    changed = plain(build_config({}))
    changed["curriculum"]["rate"] = "mean"
    with pytest.raises(InputError, match=r"belongs to another recipe \(curriculum\.rate: 'last' -> 'mean'\)"):
        find_checkpoint(tmp_path, changed)
