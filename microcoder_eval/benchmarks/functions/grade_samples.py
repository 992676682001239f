"""Grading samples of HumanEval, HumanEval+, MBPP and MBPP+: `{"task_id", "completion"}` or `"solution"` a line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microcoder_eval.benchmarks.functions.tasks import FunctionTask, read_json_records, read_tasks, task_number
from microcoder_eval.benchmarks.scores import score
from microcoder_eval.benchmarks.summary import NoSamples, benchmark_summary, fingerprint
from microcoder_eval.grading.grade_into import GradingItem, RunFigures, SubmissionKey, grade_into
from microcoder_eval.grading.options import GradingOptions
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.reading.input_files import BadRecord
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.verdict import Grade, Verdict

KS = (1, 10, 100)
_FENCE = re.compile(r"^\s*```", re.MULTILINE)


@dataclass(frozen=True)
class Sample:
    """One program for a task, numbered among the programs for that task."""

    task: str
    number: int
    text: str
    is_whole: bool
    """A whole program, rather than the continuation of the task's prompt."""


def grade_functions(
    benchmark: str,
    data: Path,
    sample_file: Path,
    out: Path,
    timeout_s: float,
    options: GradingOptions,
    from_replies: bool = False,
) -> tuple[dict[str, Any], list[BadRecord]]:
    """Grade a file of samples into `out`; return the summary and the records that could not be used.

    from_replies: a sample is a model's whole reply, and the program is extracted from it; otherwise it is run as it is.
    Where the data has EvalPlus's extra tests, grading does not stop at the first failed test: the base score and the
    score with the extra tests are counted apart.
    """
    tasks, bad = read_tasks(data, timeout_s)
    samples, bad_samples = read_samples(sample_file, tasks)
    bad += bad_samples
    if not samples:
        raise NoSamples(f"{sample_file}: no sample for any of the {len(tasks)} tasks in {data}", bad)
    has_extra = any(task.has_extra_tests for task in tasks.values())
    missing = len(tasks) - len({sample.task for sample in samples})

    def items(done: set[SubmissionKey]) -> Iterator[GradingItem]:
        for sample in samples:
            task = tasks[sample.task]
            if (str(sample.number), task.problem.id) not in done:
                problem, submission = _to_grade(sample, task, from_replies)
                yield GradingItem(problem, submission)

    def summarize(figures: RunFigures) -> dict[str, Any]:
        scores = score(GradingRun(out).grades(), _base_and_extra if has_extra else _all_tests, KS)
        fenced = 0 if from_replies else sum(_FENCE.search(sample.text) is not None for sample in samples)
        return {**benchmark_summary(scores, figures, bad, len(tasks), missing), "samples_with_fences": fenced}

    summary = grade_into(
        out,
        replace(options, policy="contest", all_tests=has_extra),
        items,
        total=len(samples),
        attributes={},
        summarize=summarize,
        settings={"benchmark": benchmark, "timeout_s": timeout_s, "samples": fingerprint(sample_file)}
        | ({"extract": True} if from_replies else {}),
    )
    return summary, bad


def _to_grade(sample: Sample, task: FunctionTask, from_replies: bool) -> tuple[Problem, Submission]:
    name, problem = str(sample.number), task.problem
    if from_replies:
        if task.prompt:
            problem = replace(problem, starter_code=task.prompt)
        return problem, Submission(name, problem.id, response=sample.text)
    return problem, Submission(name, problem.id, sample.text if sample.is_whole else task.prompt + sample.text)


def read_samples(path: Path, tasks: Mapping[str, FunctionTask]) -> tuple[list[Sample], list[BadRecord]]:
    """The samples of a file, and the records that cannot be used."""
    samples: list[Sample] = []
    bad: list[BadRecord] = []
    numbers: Counter[str] = Counter()
    for place, record in read_json_records(path):
        why = record if isinstance(record, str) else _fault(record, tasks)
        if why or isinstance(record, str):
            bad.append(BadRecord(place, why))
            continue
        task, is_whole = task_number(record["task_id"]), "solution" in record
        samples.append(Sample(task, numbers[task], record["solution" if is_whole else "completion"], is_whole))
        numbers[task] += 1
    return samples, bad


def _fault(record: Mapping[str, Any], tasks: Mapping[str, FunctionTask]) -> str:
    """Why a sample cannot be used; empty when it can."""
    if "task_id" not in record:
        return 'a sample is an object with "task_id" and "completion" or "solution"'
    if task_number(record["task_id"]) not in tasks:
        return f"task {record['task_id']!r} is not in the data"
    if not isinstance(record.get("solution", record.get("completion")), str):
        return f'task {record["task_id"]!r}: "completion" or "solution" must be text'
    return ""


def _all_tests(grade: Grade) -> dict[str, bool]:
    return {"all": grade.accepted}


def _base_and_extra(grade: Grade) -> dict[str, bool]:
    """The scores that a grade counts in. Test 0 is the benchmark's own, test 1 holds EvalPlus's extra inputs."""
    base = any(test.index == 0 and test.verdict is Verdict.ACCEPTED for test in grade.tests)
    return {"base tests": base, "base + extra tests": grade.accepted}
