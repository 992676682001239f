"""Inspect's own runner: an evaluation with our scorer, and a log that is scored afterwards."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs inspect-ai: make test-integrations")

from inspect_ai import Task, eval, score
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, TaskState, solver

from microcoder_eval.integrations.inspect import code_scorer
from tests.integrations.conftest import BROKEN, PROBLEM, REPLIES


@solver
def says() -> Any:
    """The model's reply is the sample's input: no model has to be asked."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("mockllm/model", REPLIES[state.input_text])
        return state

    return solve


def run(tmp_path: Path, scorer: Any) -> Any:
    samples = [
        Sample("right", target=json.dumps(PROBLEM)),
        Sample("half", metadata={"problem": PROBLEM}),
        Sample("no code", target=json.dumps(PROBLEM)),
        Sample("right", target=json.dumps(BROKEN)),
    ]
    task = Task(dataset=MemoryDataset(samples), solver=says(), scorer=scorer)
    (log,) = eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    return log


def values(log: Any) -> list[Any]:
    return [next(iter(sample.scores.values())).value for sample in log.samples]


def test_an_evaluation(tmp_path: Path) -> None:
    log = run(tmp_path, code_scorer())
    found = values(log)
    assert found[:3] == ["C", "I", "I"]
    assert math.isnan(found[3])  # unscored, and not counted
    (scored,) = log.results.scores
    assert scored.metrics["mean"].value == pytest.approx(1 / 3)


def test_a_log_is_read_as_submissions(tmp_path: Path) -> None:
    """`microcoder eval grade --from inspect`, on a log that Inspect has just written."""
    from microcoder_eval.reading.harness_files import read_harness
    from microcoder_eval.reading.input_files import ProblemFile, ReadSubmission

    run(tmp_path / "logs", code_scorer())
    (log,) = (tmp_path / "logs").glob("*.eval")
    (tmp_path / "p.jsonl").write_text(json.dumps({**PROBLEM, "id": "sum"}) + "\n")
    found = list(read_harness("inspect", log, ProblemFile(tmp_path / "p.jsonl")))
    taken = [one.submission for one in found if isinstance(one, ReadSubmission)]
    assert sorted(one.response or "" for one in taken) == sorted(REPLIES[name] for name in ("right", "half", "no code"))
    assert {one.problem_id for one in taken} == {"sum"}
    assert len(found) == 4  # the last one names a problem that the file does not have


def test_a_log_is_scored_again(tmp_path: Path) -> None:
    log = run(tmp_path, code_scorer())
    again = score(log, code_scorer(shape="fraction"), action="overwrite", display="none")
    assert values(again)[:3] == [1.0, 0.5, 0.0]


def test_the_name_for_its_command_line() -> None:
    """`inspect score --scorer PACKAGE/NAME` loads the entry point called PACKAGE; a scorer is in its top package."""
    package = code_scorer.__module__.partition(".")[0]
    root = Path(__file__).parents[2]
    entry = f'[project.entry-points.inspect_ai]\n{package} = "{code_scorer.__module__}"'
    assert entry in (root / "pyproject.toml").read_text()
    assert f"--scorer {package}/code_scorer\n" in (root / "docs/integrations/inspect.md").read_text()
