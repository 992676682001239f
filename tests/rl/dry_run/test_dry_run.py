"""`microcoder train run RECIPE --dry-run`: every shipped recipe takes a real step with a tiny model."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("torch")

from microcoder_eval import InputError
from microcoder_rl.commands import train
from microcoder_rl.dry_run import dry_run
from microcoder_rl.recipe import build_config, load_recipe
from microcoder_rl.recipe.config import Config
from tests.rl.toys import write_toy

# the model of smollm2.yaml is made first: `microcoder model smollm2`
SHIPPED = sorted(path for path in Path("pipelines/train").rglob("*.yaml") if path.stem != "smollm2")


def silent(_: str) -> None:
    pass


def kind(config: Config) -> str:
    """What a recipe does: its keys without model and data, of numbers only whether they are 0 or 1."""
    defaults = build_config({})
    same = {name: getattr(defaults, name) for name in ("run", "model", "data", "vllm", "evaluate")}
    updates = config.batch.prompts > config.batch.minibatch
    keys = str(dataclasses.replace(config, **same))
    return re.sub(r"\b(?![01](?:\.0)?\b)\d[\d.e+-]*\b", "n", keys) + str(updates)


def takes_a_step(path):
    metrics = dry_run(load_recipe(path, ["run.threads=1"]), silent)
    assert math.isfinite(metrics["loss"]) and metrics["loss"] != 0, path
    assert 0 < metrics["reward"] < 1 and metrics["prompts_with_signal"] > 0 and metrics["judge_errors"] == 0, path


def test_a_recipe_of_every_kind_takes_a_step():
    """Those of `related/` train the toy in test_related.py."""
    kinds = {kind(load_recipe(path)): path for path in SHIPPED if path.parent.name != "related"}
    for path in kinds.values():
        takes_a_step(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_recipe_takes_a_step(path):
    takes_a_step(path)


def test_masks_differ_as_their_recipes_say():
    shares = {
        name: dry_run(load_recipe(f"pipelines/train/mask/{name}.yaml", ["run.threads=1"]), silent)["mask_share"]
        for name in ("no_mask", "conditional-all", "every_truncated")
    }
    assert shares["no_mask"] == 0 < shares["conditional-all"] < shares["every_truncated"]


def test_it_writes_nothing_and_says_what_is_missing(tmp_path, monkeypatch):
    recipe = Path("pipelines/train/base.yaml").resolve()
    monkeypatch.chdir(tmp_path)
    keys = ["run.threads=1", "model.path=a/b", "rollout.replay=runs/none"]
    result = CliRunner().invoke(train, ["run", str(recipe), "--dry-run", *keys])
    assert result.exit_code == 0, result.output
    assert "model.path: there is no folder a/b; the run itself gets this model from the hub" in result.output
    assert "datasets/microcoder: no such dataset" in result.output and "succeeded" in result.output
    assert "rollout.engine: torch is used instead of vllm" in result.output
    assert "rollout.replay: no such folder: runs/none/batches" in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_dataset_that_is_there_is_read(tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(InputError, match=r"empty\.jsonl"):
        dry_run(load_recipe("pipelines/train/base.yaml", [f"data.train={tmp_path / 'empty.jsonl'}"]), silent)
    problem = {"id": "p", "statement": "Print 7.", "tests": [{"input": "", "output": "7"}]}
    (tmp_path / "one.jsonl").write_text(json.dumps(problem) + "\n")
    said: list[str] = []
    dry_run(load_recipe("pipelines/train/base.yaml", [f"data.train={tmp_path / 'one.jsonl'}"]), said.append)
    assert any("1 usable problem" in line for line in said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("data.max_prompt_tokens=3", "exceeds 3 (data.max_prompt_tokens)"),
        ("rollout.max_tokens=60", "(the model's context)"),
    ],
)
def test_prompts_that_the_run_would_refuse_are_refused_by_the_dry_run_and_the_plan(tmp_path, change, said):
    """The model's folder is here, with its tokenizer and a context of 64."""
    write_toy(tmp_path)
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    (tmp_path / "model" / "config.json").write_text(json.dumps({**config, "max_position_embeddings": 64}))
    problem = {"id": "p", "statement": "7 " * 10, "tests": [{"input": "", "output": "7"}]}
    (tmp_path / "one.jsonl").write_text(json.dumps(problem) + "\n")
    recipe = tmp_path / "recipe.yaml"
    paths = f"model: {{path: {tmp_path / 'model'}}}\ndata: {{train: {tmp_path / 'one.jsonl'}}}\n"
    recipe.write_text(f"{paths}rollout: {{engine: torch, max_tokens: 8}}\n")
    for command in (["plan"], ["run", "--dry-run"]):
        refused = CliRunner().invoke(train, [command[0], str(recipe), *command[1:], change])
        assert refused.exit_code == 2 and said in refused.output + str(refused.exception), refused.output
