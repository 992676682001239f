"""Counts the grades of a run and computes its figures: scores with intervals, in all and by platform and difficulty.

It keeps two numbers for each problem, some slow tests and no grade, so that a run of any length can be counted.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_eval.difficulty_levels import by_difficulty
from microcoder_eval.metrics import Estimate, mean_over_problems, pass_at_k
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.verdict import Grade, Verdict

_SLOWEST = 20
UNKNOWN = "unknown"
ALL = "all"
_RUNG_NAMES = (
    *("exact", "equal", "asserts", "checker", "interactor", "lines", "tokens", "types", "numbers", "decimals", "case"),
    *("approximate", "literals", "unordered", "sets"),
)
"""All rungs, the strictest first."""
LOOSENESS = {rung: level for level, rung in enumerate(_RUNG_NAMES)}


@dataclass(frozen=True)
class SlowTest:
    """The slowest test of a submission."""

    cpu_ms: float
    problem_id: str
    submission_id: str
    test: int
    wall_ms: float
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "cpu_ms": round(self.cpu_ms, 3), "wall_ms": round(self.wall_ms, 3)}


@dataclass(frozen=True)
class Scores:
    """The scores of a run, as means over problems."""

    samples: int
    """The median number of judged samples of a problem: the n of mean@n."""
    mean: Estimate
    pass_at_k: Mapping[int, Estimate]
    table: Mapping[str, Mapping[str, Estimate]]
    """mean@n by platform, then by difficulty; "all" last in both."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "samples_per_problem": self.samples,
            "mean_at_n": self.mean.to_dict(),
            "pass_at_k": {str(k): estimate.to_dict() for k, estimate in self.pass_at_k.items()},
            "table": {
                platform: {difficulty: estimate.to_dict() for difficulty, estimate in row.items()}
                for platform, row in self.table.items()
            },
        }


@dataclass(frozen=True)
class Points:
    """The sum of the points of all submissions to problems with scoring."""

    submissions: int = 0
    points: float = 0.0
    max_points: float | None = 0.0
    """None when some problem has no largest number of points."""

    def plus(self, grade: Grade) -> Points:
        """The sum with one more grade."""
        known = self.max_points is not None and grade.max_points is not None
        most = (self.max_points or 0.0) + (grade.max_points or 0.0) if known else None
        return Points(self.submissions + 1, self.points + (grade.points or 0.0), most)

    def __str__(self) -> str:
        return f"{self.points:,g}" + ("" if self.max_points is None else f" of {self.max_points:,g}")


class Tally:
    """Counts grades as they come. The submissions to one problem are its samples.

    >>> Tally().scores({}) is None
    True
    """

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.rungs: Counter[str] = Counter()
        self.judge_failed = 0
        """Submissions with a test on whose output the judge failed, which counts as a wrong answer."""
        self.tests = 0
        self.timed_out = 0
        """Programs that ran out of time on some test."""
        self.timed_out_cpu_s = 0.0
        """The CPU time of those tests."""
        self.points = Points()
        self._samples: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self._slow: list[SlowTest] = []

    def add(self, grade: Grade) -> None:
        self.verdicts[grade.verdict.value] += 1
        self.judge_failed += grade.judge_failed
        self.tests += len(grade.tests)
        timed_out_ms = [test.cpu_ms for test in grade.tests if test.verdict is Verdict.TIME_LIMIT]
        self.timed_out += bool(timed_out_ms)
        self.timed_out_cpu_s += sum(timed_out_ms) / 1000
        if grade.accepted:
            self.rungs[weakest_rung(grade)] += 1
        if grade.points is not None:
            self.points = self.points.plus(grade)
        if grade.verdict is not Verdict.JUDGE_ERROR:
            sample = self._samples[grade.problem_id]
            sample[0] += 1
            sample[1] += grade.accepted
        if grade.tests:
            test = max(grade.tests, key=lambda test: test.cpu_ms)
            key = (test.cpu_ms, grade.problem_id, grade.submission_id)
            self._slow.append(SlowTest(*key, test.index, test.wall_ms, test.verdict.value))
            if len(self._slow) > 50 * _SLOWEST:
                self._slow = self.slowest()

    @property
    def submissions(self) -> int:
        return self.verdicts.total()

    @property
    def judge_errors(self) -> int:
        return self.verdicts[Verdict.JUDGE_ERROR.value]

    @property
    def accepted(self) -> int:
        return self.verdicts[Verdict.ACCEPTED.value]

    def slowest(self) -> list[SlowTest]:
        """The submissions with the slowest tests, each with that test."""
        order = sorted(self._slow, key=lambda slow: (-slow.cpu_ms, slow.problem_id, slow.submission_id))
        return order[:_SLOWEST]

    def shares(self) -> dict[str, float]:
        """The accepted share of each problem's judged samples."""
        return {problem: accepted / judged for problem, (judged, accepted) in sorted(self._samples.items())}

    def scores(self, attributes: Mapping[str, ProblemAttributes]) -> Scores | None:
        """The run's scores; None when nothing was judged."""
        if not self._samples:
            return None
        shares = self.shares()
        samples = statistics.median_low(judged for judged, _ in self._samples.values())
        return Scores(
            samples,
            mean_over_problems(list(shares.values())),
            {k: self._pass_at(k) for k in _powers_of_two(samples)},
            _table(shares, attributes),
        )

    def _pass_at(self, k: int) -> Estimate:
        """pass@k over the problems with at least k judged samples. The estimate says how many these are."""
        enough = (sample for sample in self._samples.values() if sample[0] >= k)
        return mean_over_problems([pass_at_k(judged, accepted, k) for judged, accepted in enough])


def weakest_rung(grade: Grade) -> str:
    """The rung that an acceptance rests on: the least strict rung that any of its tests needed.

    >>> from microcoder_eval import Grade, TestResult, Verdict
    >>> tests = tuple(TestResult(n, Verdict.ACCEPTED, 1, 1, 1, rung) for n, rung in enumerate(("exact", "tokens")))
    >>> weakest_rung(Grade("s", "p", Verdict.ACCEPTED, 2, 2, tests))
    'tokens'
    """
    rungs = [test.rung or "" for test in grade.tests]
    return max(rungs, key=lambda rung: LOOSENESS.get(rung, len(LOOSENESS)), default="")


def _table(shares: Mapping[str, float], attributes: Mapping[str, ProblemAttributes]) -> dict[str, dict[str, Estimate]]:
    """mean@n by platform and difficulty. Where no problem has a platform, "all" is the only row; so with columns."""
    cells: dict[tuple[str, str], list[float]] = defaultdict(list)
    for problem, share in shares.items():
        known = attributes.get(problem, ProblemAttributes())
        for platform in {known.platform or UNKNOWN, ALL}:
            for difficulty in {known.difficulty or UNKNOWN, ALL}:
                cells[platform, difficulty].append(share)
    platforms, difficulties = ({name for name in names if name != ALL} for names in zip(*cells, strict=True))
    rows = [*(sorted(platforms) if platforms != {UNKNOWN} else ()), ALL]
    columns = [*(sorted(difficulties, key=by_difficulty) if difficulties != {UNKNOWN} else ()), ALL]
    return {
        row: {column: mean_over_problems(cells[row, column]) for column in columns if (row, column) in cells}
        for row in rows
    }


def _powers_of_two(most: int) -> list[int]:
    """1, 2, 4, ... and `most` itself."""
    return sorted({1 << i for i in range(most.bit_length())} | {most})
