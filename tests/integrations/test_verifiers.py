"""verifiers v1: our taskset is loaded, and its tasks are scored, by its own classes."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="needs verifiers: make test-integrations")

import verifiers.v1 as vf

from microcoder_eval.integrations import verifiers as ours
from microcoder_eval.integrations.grading import JudgeError
from tests.integrations.conftest import BROKEN, PROBLEM, REPLIES


def taskset(tmp_path: Path) -> Any:
    file = tmp_path / "problems.jsonl"
    records = [{**PROBLEM, "statement": "Add two numbers."}, BROKEN]
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return ours.CodeTaskset(ours.CodeTasksetConfig(problems=file))


class Spoken:
    """What a reward reads of a trace."""

    def __init__(self, reply: str) -> None:
        self.last_reply = reply
        self.info: dict[str, Any] = {}


def test_tasks_are_loaded(tmp_path: Path) -> None:
    tasks = list(taskset(tmp_path))
    assert [task.data.idx for task in tasks] == [0, 1]
    assert tasks[0].data.prompt_text.startswith("Add two numbers.")
    assert "3" in json.dumps(tasks[0].data.problem["tests"])
    assert ours.__all__ == ["CodeTask", "CodeTaskset"]
    assert issubclass(ours.CodeTask, vf.Task)


def test_replies_are_scored_and_failures_raise(tmp_path: Path) -> None:
    first, broken = list(taskset(tmp_path))
    for what, reward in (("right", 1.0), ("half", 0.0), ("no code", 0.0)):
        trace = Spoken(REPLIES[what])
        assert asyncio.run(first.solved(trace)) == reward
        assert trace.info["verdict"]
    with pytest.raises(JudgeError):
        asyncio.run(broken.solved(Spoken(REPLIES["right"])))


def test_its_command_line_finds_the_guides_module(tmp_path: Path, problem: str) -> None:
    """The module and the command of docs/integrations/verifiers.md, as far as no model is asked."""
    root = Path(__file__).parents[2]
    guide = (root / "docs/integrations/verifiers.md").read_text()
    module = guide.partition("```python\n")[2].partition("```")[0]
    command = next(line for line in guide.splitlines() if "vf-eval" in line).split("vf-eval ")[1].split()
    (tmp_path / f"{command[0]}.py").write_text(module)
    (tmp_path / "problems.jsonl").write_text(problem + "\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(root)])}
    tool = Path(sys.executable).with_name("vf-eval")
    for more, status in ([], 0), (["--env.taskset.nonsense", "3"], 1):
        line = [tool, *command, "--dry-run", "--no-push", *more]
        done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert (done.returncode != 0) == bool(status), done.stdout + done.stderr
