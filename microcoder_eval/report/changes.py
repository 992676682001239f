"""What changed from one grading run to another: verdicts of submissions, accepted shares of problems, the score.

Runs with submissions in common are compared on these submissions. Runs without (other samples, another model) are
compared problem by problem. A JUDGE_ERROR in either run is counted and left out of the scores.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.metrics import Estimate, mean_over_problems
from microcoder_eval.report.cells import natural_order
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.verdict import Verdict

Key = tuple[str, str]
"""The ids of a problem and a submission, which together identify a grade."""


@dataclass(frozen=True)
class VerdictChange:
    """A submission whose verdict differs between the two runs."""

    problem_id: str
    submission_id: str
    before: Verdict
    after: Verdict

    @property
    def kind(self) -> str:
        """`gained` or `lost` when the score changes, `other` when it does not."""
        if Verdict.JUDGE_ERROR in (self.before, self.after) or Verdict.ACCEPTED not in (self.before, self.after):
            return "other"
        return "gained" if self.after is Verdict.ACCEPTED else "lost"


@dataclass(frozen=True)
class ProblemChange:
    """A problem whose accepted share differs between the two runs."""

    problem_id: str
    before: float
    """The accepted share of its judged samples."""
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Changes:
    """The comparison of two runs."""

    before_name: str
    after_name: str
    paired_by: str
    """`submission` or `problem`."""
    compared: int
    only_before: int
    only_after: int
    before: Estimate
    after: Estimate
    change: Estimate
    """Mean change over problems, with the interval of a paired bootstrap."""
    verdicts: tuple[VerdictChange, ...]
    problems: tuple[ProblemChange, ...]
    """The problems whose share changed, the largest decrease first."""
    judge_errors: int
    """Submissions that were JUDGE_ERROR in either run."""
    settings: Mapping[str, tuple[Any, Any]]
    """The settings that differ, before and after: a verdict may have changed with them."""

    @property
    def kinds(self) -> Counter[str]:
        return Counter(change.kind for change in self.verdicts)

    @property
    def moves(self) -> list[tuple[Verdict, Verdict, int]]:
        """How often each verdict became another, the most frequent first."""
        counts = Counter((change.before, change.after) for change in self.verdicts)
        return [(before, after, count) for (before, after), count in sorted(counts.items(), key=lambda m: (-m[1], m))]

    def to_dict(self) -> dict[str, Any]:
        return {
            "before": self.before_name,
            "after": self.after_name,
            "paired_by": self.paired_by,
            "compared": self.compared,
            "only_before": self.only_before,
            "only_after": self.only_after,
            "judge_errors": self.judge_errors,
            "settings": {name: list(values) for name, values in self.settings.items()},
            "score": {name: getattr(self, name).to_dict() for name in ("before", "after", "change")},
            "gained": self.kinds["gained"],
            "lost": self.kinds["lost"],
            "other": self.kinds["other"],
            "moves": [{"before": str(b), "after": str(a), "submissions": count} for b, a, count in self.moves],
            "submissions": [
                {"submission_id": c.submission_id, "problem_id": c.problem_id, "before": str(c.before)}
                | {"after": str(c.after), "kind": c.kind}
                for c in self.verdicts
            ],
            "problems": [
                {"problem_id": c.problem_id, "before": round(c.before, 6), "after": round(c.after, 6)}
                | {"change": round(c.change, 6)}
                for c in self.problems
            ],
        }


def compare_runs(before: GradingRun, after: GradingRun) -> Changes:
    """Compare two runs.

    >>> changes = compare_runs(GradingRun(Path("runs/a")), GradingRun(Path("runs/b")))         # doctest: +SKIP
    >>> changes.change.value, changes.kinds["lost"]                              # doctest: +SKIP
    (0.0125, 3)
    """
    old, new = _verdicts(before), _verdicts(after)
    shared = sorted(old.keys() & new.keys(), key=lambda key: list(map(natural_order, key)))
    paired_by = "submission" if shared else "problem"
    judged = [key for key in shared if Verdict.JUDGE_ERROR not in (old[key], new[key])]
    old_shares = _shares({key: old[key] for key in judged} if shared else old)
    new_shares = _shares({key: new[key] for key in judged} if shared else new)
    problems = [
        ProblemChange(problem, old_shares[problem], new_shares[problem])
        for problem in sorted(old_shares.keys() & new_shares.keys())
    ]
    if not problems:
        raise InputError(f"{before.path} and {after.path} have no judged problem in common: nothing to compare")
    changed = (problem for problem in problems if problem.change)
    return Changes(
        before_name=before.name if before.name != after.name else str(before.path),
        after_name=after.name if before.name != after.name else str(after.path),
        paired_by=paired_by,
        compared=len(shared) or len(problems),
        only_before=len(old) - len(shared) if shared else len(old_shares) - len(problems),
        only_after=len(new) - len(shared) if shared else len(new_shares) - len(problems),
        before=mean_over_problems([problem.before for problem in problems]),
        after=mean_over_problems([problem.after for problem in problems]),
        change=mean_over_problems([problem.change for problem in problems]),
        verdicts=tuple(VerdictChange(*key, old[key], new[key]) for key in shared if old[key] is not new[key]),
        problems=tuple(sorted(changed, key=lambda problem: (problem.change, problem.problem_id))),
        judge_errors=len(shared) - len(judged) if shared else _judge_errors(old) + _judge_errors(new),
        settings={
            name: (before.settings[name], after.settings[name])
            for name in sorted(before.settings.keys() & after.settings.keys())
            if before.settings[name] != after.settings[name]
        },
    )


def _verdicts(run: GradingRun) -> dict[Key, Verdict]:
    return {(grade.problem_id, grade.submission_id): grade.verdict for grade in run.grades()}


def _shares(verdicts: Mapping[Key, Verdict]) -> dict[str, float]:
    """The accepted share of each problem's judged samples."""
    samples: dict[str, list[bool]] = defaultdict(list)
    for (problem, _), verdict in verdicts.items():
        if verdict is not Verdict.JUDGE_ERROR:
            samples[problem].append(verdict is Verdict.ACCEPTED)
    return {problem: sum(accepted) / len(accepted) for problem, accepted in samples.items()}


def _judge_errors(verdicts: Mapping[Key, Verdict]) -> int:
    return sum(verdict is Verdict.JUDGE_ERROR for verdict in verdicts.values())
