"""The loop that every grading run shares: grade what is not graded yet, write each grade as it comes, then the summary.

It reads no files: the caller yields problems and submissions one by one, so that a run of any size fits in memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.grader import Grader
from microcoder_eval.grading.options import GradingOptions
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.progress_bar import progress_bar
from microcoder_eval.report.run_report import write_run_report
from microcoder_eval.runs.evidence import evidence_of
from microcoder_eval.runs.run_directory import RunDirectory

SubmissionKey = tuple[str, str]
"""The ids of a submission and of its problem: together they name a grade."""


@dataclass(frozen=True)
class GradingItem:
    """One submission to grade."""

    problem: Problem
    submission: Submission
    shown_code: str | None = None
    """The program as its author wrote it, where the submission runs it in another form."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The other fields of the submission's record."""


@dataclass(frozen=True)
class RunFigures:
    """What the loop has counted and measured, for the summary."""

    from_cache: int
    """Programs whose verdicts were in the cache."""
    graded_before: int
    """Grades that the directory already held when the run was resumed."""
    wall_s: float
    left_by_budget: int = 0
    """Submissions that were not graded, because the budget of time was spent."""


def grade_into(
    out: Path,
    options: GradingOptions,
    items: Callable[[set[SubmissionKey]], Iterable[GradingItem]],
    *,
    total: int,
    attributes: Mapping[str, ProblemAttributes],
    summarize: Callable[[RunFigures], Mapping[str, Any]],
    settings: Mapping[str, Any] | None = None,
    sources: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Grade into a run directory and return the summary that is written there.

    `items` gets the keys that are graded already and yields the rest. `total` is the length of the progress bar.
    `settings` describe what is graded: a run is resumed only under the same settings and options. `summarize` is called
    at the end, when all grades are in the directory, and returns the summary's fields besides the counts. `sources`
    records where the problems are, for `eval show`.
    """
    open_items: dict[SubmissionKey, GradingItem] = {}
    started = time.monotonic()
    left_by_budget = 0

    def is_spent() -> bool:
        return options.budget_s is not None and time.monotonic() - started > options.budget_s

    def pairs(done: set[SubmissionKey]) -> Generator[tuple[Problem, Submission], None, None]:
        nonlocal left_by_budget
        for item in items(done):
            if is_spent():
                left_by_budget += 1
                continue
            open_items[item.submission.id, item.submission.problem_id] = item
            yield item.problem, item.submission

    with (
        RunDirectory(out, {**options.settings, **(settings or {})}, options.resume) as directory,
        _open_grader(options) as grader,
        progress_bar(total, directory.tally.verdicts, options.quiet) as advance,
    ):
        directory.write_attributes(attributes)
        directory.write_sources(sources or {})
        graded_before = len(directory.done)
        advance(graded_before)
        with closing(pairs(set(directory.done))) as work:
            for grade in grader.grade_many(work):
                item = open_items.pop((grade.submission_id, grade.problem_id), None)
                if item is None:  # a benchmark's file may hold a submission twice
                    directory.write(grade)
                else:
                    shown = grade if item.shown_code is None else replace(grade, code=item.shown_code)
                    directory.write(shown, evidence_of(item.problem, item.submission, item.fields, grade))
                    directory.write_statement(item.problem)
                advance(1)
                if is_spent():  # work that the grader has begun is dropped; a resumed run grades it
                    left_by_budget += len(open_items)
                    for _ in work:  # counts the rest
                        pass
                    break
        from_cache = grader.from_cache if isinstance(grader, Grader) else 0
        figures = RunFigures(from_cache, graded_before, round(time.monotonic() - started, 3), left_by_budget)
        summary = directory.write_summary(
            attributes, **summarize(figures), **({"left_by_budget": left_by_budget} if left_by_budget else {})
        )
    write_run_report(out)
    return summary


def _open_grader(options: GradingOptions) -> AnyGrader:
    """The grader of a run: this machine's, or a cluster's."""
    settings = {**options.settings, "workers": options.workers, "require_sandbox": options.required_layers}
    if options.cluster is not None:
        return options.cluster(**settings)
    return Grader(cache=options.cache, cache_mb=options.cache_mb, **settings)
