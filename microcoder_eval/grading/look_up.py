"""Finds a submission in a run, and restores what was cut from its evidence: the work of `microcoder eval show`."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.grader import Grader
from microcoder_eval.plain_files import read_plain
from microcoder_eval.plural import counted
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.reading.field_map import FieldMap
from microcoder_eval.reading.input_files import ProblemFile
from microcoder_eval.runs.evidence import LONGEST_PROGRAM, Evidence, expected_text, has_input, input_text
from microcoder_eval.runs.grading_run import GradingRun, names_of
from microcoder_eval.suggest import did_you_mean, pasted
from microcoder_eval.verdict import Excerpt, Grade, TestResult, Verdict

Graded = tuple[Grade, Evidence]
_MOST_COMPARED = 5_000
"""The suggestion for an unknown name is looked for among the names of this many submissions."""


def find_submissions(run: GradingRun, name: str) -> list[Graded]:
    """The submissions that `name` names: as `problem/submission`, or as a problem, or as a submission's id."""
    matches = [(pair, names_of(pair[0].submission_id, pair[0].problem_id).index(name)) for pair in run.explained(name)]
    if not matches:
        known = {each for ids in itertools.islice(run.names(), _MOST_COMPARED) for each in names_of(*ids)}
        advice = did_you_mean(name, sorted(known)) or f"; `microcoder eval show {pasted(run.path)}` lists them"
        raise InputError(f"{run.path} has no submission or problem {name!r}{advice}")
    most_exact = min(rank for _, rank in matches)
    return [pair for pair, rank in matches if rank == most_exact]


def completed(run: GradingRun, grade: Grade, evidence: Evidence) -> Graded:
    """A grade with whole inputs and expected outputs, read again from the problem file, and outputs of a second run.

    Raises `InputError` when the problems are not where they were, or have changed.
    """
    problem = _problem(run.path, grade.problem_id)
    failed = [test for test in grade.tests if test.verdict is not Verdict.ACCEPTED]
    if not all(has_input(problem, test.index) for test in failed):
        raise InputError(
            f"problem {grade.problem_id!r} has changed since the run: it has {counted(len(problem.tests), 'test')}"
        )
    tests = {}
    for test in failed:
        wanted = expected_text(problem, test.index)
        tests[test.index] = _whole(input_text(problem, test.index)), None if wanted is None else _whole(wanted)
    outputs = _outputs(problem, grade, failed)
    results = tuple(replace(test, output=outputs.get(test.index, test.output)) for test in grade.tests)
    return replace(grade, tests=results), replace(evidence, tests=tests)


def _problem(run: Path, name: str) -> Problem:
    file = run / "sources.json"
    try:
        sources: dict[str, Any] = json.loads(read_plain(file))
        path, names = Path(sources["problems"]), _names(sources["names"])
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{run}: does not say where its problems are, so only what was kept can be shown") from None
    problems = ProblemFile(path, names)
    if name not in problems:
        raise InputError(f"{path} has no problem {name!r} any more")
    return problems[name]


def _names(record: Any) -> FieldMap:
    """The field names that a run was graded with; raises TypeError when the record has another form."""
    maps = [record.get(whose, {}) if isinstance(record, dict) else None for whose in ("problems", "submissions")]
    if not all(isinstance(names, dict) and all(isinstance(name, str) for name in names.values()) for names in maps):
        raise TypeError("a name is a text")
    return FieldMap(maps[0] or {}, maps[1] or {})


def _outputs(problem: Problem, grade: Grade, failed: Sequence[TestResult]) -> dict[int, Excerpt]:
    """The whole outputs on failed tests whose kept output was cut. The program runs once more."""
    cut = [test.index for test in failed if test.output is not None and not test.output.is_whole]
    if not cut or grade.code is None or len(grade.code) >= LONGEST_PROGRAM or problem.kind not in ("stdin", "call"):
        return {}
    cut_tests = replace(problem, tests=tuple(problem.tests[index] for index in cut), groups=None)
    submission = Submission(grade.submission_id, problem.id, code=grade.code, language=grade.language)
    with Grader(workers=1) as grader:
        outputs = grader.outputs(cut_tests, submission).result()
    return {index: _whole(str(each.value)) for index, each in zip(cut, outputs, strict=False) if each.ended_well}


def _whole(text: str) -> Excerpt:
    return Excerpt(text, 0, len(text))
