"""The layout of microcoder_rl: the size of the trainer's core, the size of files, and what may import commands/."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.fast

PACKAGE = Path(__file__).parents[2] / "microcoder_rl"
CORE_LINES = 2900
FILE_LINES = 400


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_the_trainers_core_stays_small() -> None:
    """The core: the files directly in microcoder_rl/. Folders (engines/, recipe/, plan/ ...) are not counted."""
    assert sum(map(lines_of, PACKAGE.glob("*.py"))) <= CORE_LINES


def test_no_file_is_long() -> None:
    long = {str(path.relative_to(PACKAGE)): lines_of(path) for path in PACKAGE.rglob("*.py")}
    assert {name: count for name, count in long.items() if count > FILE_LINES} == {}


def test_nothing_but_commands_imports_commands() -> None:
    importing = re.compile(r"^\s*(?:from|import) microcoder_rl\.commands", re.MULTILINE)
    others = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "commands"]
    assert [path.name for path in others if importing.search(path.read_text(encoding="utf-8"))] == []


def test_the_pure_parts_import_no_engine_and_no_trainer() -> None:
    pure = ("advantages", "loss", "truncation", "diversity", "temperature", "seeds", "logprobs", "rollout", "errors")
    found = {}
    for name in pure:
        text = (PACKAGE / f"{name}.py").read_text(encoding="utf-8")
        found[name] = re.findall(r"^from (microcoder_rl[.\w]*)", text, re.MULTILINE)
    assert found == {name: [] for name in pure}


def test_what_reads_plans_and_shows_runs_needs_no_torch() -> None:
    names = ("lab.page", "lab.runner", "report.before_after", "report.training_page", "saved_checkpoints")
    code = f"""
import importlib, sys
sys.modules["torch"] = None
for name in {names}:
    importlib.import_module(f"microcoder_rl.{{name}}")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
