"""Grading LiveCodeBench generations under its own rules (`strict`), under a judge's rules (`contest`), or both.

The two verdicts need two runs of a program, because LiveCodeBench does not run it as a judge does: see
`sandbox_runner`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcoder_eval.benchmarks.livecodebench.differences import write_differences
from microcoder_eval.benchmarks.livecodebench.generations import Generations, last_fence, read_generations
from microcoder_eval.benchmarks.livecodebench.questions import Questions, QuestionWindow
from microcoder_eval.benchmarks.livecodebench.rewritten_program import (
    livecodebench_problem,
    livecodebench_program,
    may_keep_state,
)
from microcoder_eval.benchmarks.scores import Scores, score
from microcoder_eval.benchmarks.summary import NoSamples, benchmark_summary, fingerprint
from microcoder_eval.difficulty_levels import by_difficulty
from microcoder_eval.errors import InputError
from microcoder_eval.grading.grade_into import GradingItem, RunFigures, SubmissionKey, grade_into
from microcoder_eval.grading.options import GradingOptions
from microcoder_eval.problem import Policy, Submission
from microcoder_eval.reading.input_files import BadRecord
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.verdict import Grade

KS = (1, 5, 10, 20, 25, 40, 50, 75, 100, 125, 150, 200, 500, 1000)
"""LiveCodeBench's own values of k. Those up to the number of samples that every question has are reported."""


def grade_livecodebench(
    data: Sequence[Path],
    generation_file: Path,
    out: Path,
    window: QuestionWindow,
    timeout_s: float,
    options: GradingOptions,
    *,
    differences: bool,
) -> tuple[dict[str, Any], list[BadRecord]]:
    """Grade a file of generations into `out`; return the summary and the records that could not be used.

    With `differences` the generations are graded under the other policy too, in a directory below `out`, and the
    cases where the two policies disagree are written.
    """
    questions = Questions(data, window.release, window.start, window.end, window.platform)
    if not questions:
        first_bad = f": {questions.bad[0]}" if questions.bad else ""
        raise InputError(
            "no question lies inside the window" if questions.outside else f"no question can be read{first_bad}"
        )
    generations = read_generations(generation_file, questions)
    if not generations.questions:
        why = f"{generation_file}: no generations for any of the {len(questions)} questions"
        raise NoSamples(why, generations.bad)
    settings = {"generations": fingerprint(generation_file), "window": str(window)}
    benchmark = LiveCodeBench(questions, generations, timeout_s, settings)
    summary, bad = benchmark.grade(out, options)
    if differences and summary["submissions"]:
        policy = Policy(options.policy)
        other = Policy.CONTEST if policy is Policy.STRICT else Policy.STRICT
        other_out = out / other.value
        other_summary, _ = benchmark.grade(other_out, replace(options, policy=other.value))
        runs = {policy: (out, summary), other: (other_out, other_summary)}
        scores = {name: runs[name][1]["benchmark_scores"].get("all", {}) for name in (Policy.STRICT, Policy.CONTEST)}
        summary["differences"] = write_differences(out, runs[Policy.STRICT][0], runs[Policy.CONTEST][0], scores)
    return summary, bad


class LiveCodeBench:
    """Questions and a model's generations for them, to be graded under a policy.

    >>> benchmark = LiveCodeBench(questions, generations, 6, {})                 # doctest: +SKIP
    >>> summary, bad = benchmark.grade(Path("runs/model"), GradingOptions(policy="strict"))  # doctest: +SKIP
    >>> summary["benchmark_scores"]["all"]["pass@1"]                             # doctest: +SKIP
    0.4125
    """

    def __init__(
        self, questions: Questions, generations: Generations, timeout_s: float, settings: dict[str, Any]
    ) -> None:
        self._questions = questions
        self._generations = generations
        self._timeout_s = timeout_s
        self._settings = {"benchmark": "livecodebench", "timeout_s": timeout_s, **settings}

    def grade(self, out: Path, options: GradingOptions) -> tuple[dict[str, Any], list[BadRecord]]:
        """Grade into a run directory; return the summary and the records that could not be used."""
        bad = [*self._questions.bad, *self._generations.bad]
        strict = options.policy == Policy.STRICT.value
        if strict:
            options = replace(options, isolation="test")  # a rewritten program can run one test only
        missing = len(self._questions) - len(self._generations.questions)

        def items(done: set[SubmissionKey]) -> Iterator[GradingItem]:
            return self._items(strict, done, bad)

        def summarize(figures: RunFigures) -> dict[str, Any]:
            return benchmark_summary(self._score(GradingRun(out).grades()), figures, bad, len(self._questions), missing)

        summary = grade_into(
            out,
            options,
            items,
            total=self._generations.count,
            attributes=self._questions.attributes,
            summarize=summarize,
            settings=self._settings,
        )
        return summary, bad

    def _items(self, strict: bool, done: set[SubmissionKey], bad: list[BadRecord]) -> Iterator[GradingItem]:
        """The generations that are not done; questions that cannot be graded are added to `bad`."""
        for name in self._questions:
            programs, replies = self._generations.programs.get(name), self._generations.replies.get(name)
            texts = programs or replies or []
            waiting = [number for number in range(len(texts)) if (str(number), name) not in done]
            if not waiting:
                continue
            try:
                problem = self._questions.problem(name, self._timeout_s)
                rewritten = functools.cache(functools.partial(livecodebench_problem, problem))
            except InputError as error:
                bad.append(BadRecord(self._questions[name].file.name, str(error)))
                continue
            for number in waiting:
                if strict:
                    code = texts[number] if programs else last_fence(texts[number])
                    earlier = may_keep_state(problem, code)
                    program = livecodebench_program(problem, code, earlier)
                    yield GradingItem(rewritten(earlier), Submission(str(number), name, program), code)
                elif programs:
                    yield GradingItem(problem, Submission(str(number), name, code=texts[number]))
                else:
                    yield GradingItem(problem, Submission(str(number), name, response=texts[number]))

    def _score(self, grades: Iterable[Grade]) -> Scores:
        def groups(grade: Grade) -> dict[str, bool]:
            return dict.fromkeys(("all", self._questions[grade.problem_id].difficulty or "unknown"), grade.accepted)

        scores = score((grade for grade in grades if grade.problem_id in self._questions), groups, KS)
        return {
            group: scores[group] for group in sorted(scores, key=lambda group: (group == "all", by_difficulty(group)))
        }
