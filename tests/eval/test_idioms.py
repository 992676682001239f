"""Correct programs, each reading, computing, writing or leaving in another honest way: all must be accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microcoder_eval import Grade, Grader, Problem, Submission
from microcoder_eval.boundary.layers import LAYERS

IDIOMS = [json.loads(line) for line in (Path(__file__).parent / "cases" / "idioms.jsonl").open(encoding="utf-8")]
WITHOUT_NAMESPACES = tuple(name for name in LAYERS if name not in ("user", "pid", "mount", "net", "ipc"))
WAYS = {
    "fresh process": {"isolation": "test"},
    "shared process, without name spaces": {"isolation": "submission", "layers": WITHOUT_NAMESPACES},
}


@pytest.fixture(scope="module", params=WAYS)
def grades(request: pytest.FixtureRequest) -> dict[str, Grade]:
    pairs = []
    for idiom in IDIOMS:
        tests = [{"input": given, "output": wanted} for given, wanted in idiom["tests"]]
        problem = Problem.from_dict({"id": idiom["name"], "time_limit_s": 4, "tests": tests})
        pairs.append((problem, Submission(idiom["name"], problem.id, idiom["code"])))
    with Grader(workers=2, **WAYS[request.param]) as grader:
        return {grade.submission_id: grade for grade in grader.grade_many(pairs)}


@pytest.mark.parametrize("name", [idiom["name"] for idiom in IDIOMS])
def test_idiom_is_accepted(grades: dict[str, Grade], name: str) -> None:
    if "import numpy" in next(idiom["code"] for idiom in IDIOMS if idiom["name"] == name):
        pytest.importorskip("numpy")
    assert grades[name].accepted, grades[name].detail


def test_names_differ() -> None:
    assert len({idiom["name"] for idiom in IDIOMS}) == len(IDIOMS)
