"""The keys of a recipe's section `curriculum`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from microcoder_eval import InputError
from microcoder_rl.recipe.numbers import Share, Whole

ONLY_OF = {**dict.fromkeys(("low", "high", "outside", "from_step", "rate"), "bands"), "threshold": "reference"}
"""Keys that do nothing with another kind."""


@dataclass(frozen=True)
class CurriculumConfig:
    """Which problems an epoch has, by the pass rates of their replies."""

    kind: Literal["none", "bands", "history", "reference"] = "none"
    """"none": all problems. "bands": those not visited yet, and those with a pass rate from `low` to `high` (Polaris,
    DRIVE). "history" (SRPO): an epoch leaves out problems whose replies were all right in their last visit; problems
    that were never solved stay. "reference" (StepCoder): the prompt shows the beginning of a reference solution, and
    less of it as the pass rate rises."""
    low: Share = 0.0
    """Lowest pass rate of kind bands."""
    high: Share = 0.9
    """Highest pass rate of kind bands."""
    outside: Share = 0.0
    """Kind bands: the share of the problems outside the band that an epoch has too, drawn anew for each epoch
    (prime-rl)."""
    from_step: Whole = 0
    """Kind bands: an epoch begins in this step, the first that is selected. Before it, pass rates are only recorded."""
    rate: Literal["last", "mean"] = "last"
    """Kind bands: the pass rate of a problem's last visit, or the mean of its visits (Polaris). With 8 replies a last
    rate above 0.9 is 1, so that `high: 0.9` then leaves out what kind history does."""
    threshold: Share = 0.5
    """Kind reference: after a pass rate above this, the problem's next visit shows less of the solution."""
    solutions: str = ""
    """Kind reference: solutions by problem, a dataset folder, a Parquet file or JSONL with `problem_id` and `solution`
    or `solutions`."""

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise InputError(f"curriculum.low ({self.low:g}) is above curriculum.high ({self.high:g})")
        for field in fields(self):
            kind = ONLY_OF.get(field.name, self.kind)
            if self.kind != kind and getattr(self, field.name) != field.default:
                raise InputError(f"curriculum.{field.name} goes with kind {kind} only")
        if (self.kind == "reference") != bool(self.solutions):
            raise InputError("curriculum: kind reference goes with curriculum.solutions, and no other kind does")
