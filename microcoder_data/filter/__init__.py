"""The rules of the stage Filter, which look at one row at a time: one file for each, in the order of the fields below.

Rules that ask a language model run later, in the stage Rate, when Compare has removed the duplicates.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from microcoder_data.difficulty.predict import Difficulty
from microcoder_data.filter.cap_tests import TestCap
from microcoder_data.filter.pass_band import PassBand
from microcoder_data.filter.quality import Quality
from microcoder_data.filter.readability import Readability
from microcoder_data.filter.relevance import Relevance
from microcoder_data.filter.strength import MinStrength
from microcoder_data.filter.test_bounds import TestBounds
from microcoder_data.filter.window import Window
from microcoder_data.fitness import CountTests, Fit, Use
from microcoder_data.rules import Rule


@dataclass(frozen=True)
class Filter:
    """Settings of Filter; `false` switches a rule off."""

    window: Window | None = field(default_factory=Window)
    relevance: Relevance | None = field(default_factory=Relevance)
    quality: Quality | None = field(default_factory=Quality)
    readability: Readability | None = field(default_factory=Readability)
    bounds: TestBounds | None = field(default_factory=TestBounds)
    """It runs before `tests`, which might choose the tests that this rule removes."""
    tests: TestCap | None = field(default_factory=TestCap)
    difficulty: Difficulty | None = None
    strength: MinStrength | None = None
    """Keep only rows whose tests are strong enough. Like `fit`, it is applied at the end of Verify."""
    fit: Use | Fit | None = None
    """Keep only rows that are fit for a use: reading, sft or rl. It is applied at the end of Verify, because fitness
    may depend on execution."""
    pass_rate: PassBand | None = None
    """Keep only rows that a model solves neither too rarely nor too often. It is applied after `verify.attempts`."""

    def __post_init__(self) -> None:
        if isinstance(self.fit, str):
            object.__setattr__(self, "fit", Fit(self.fit))

    def last(self) -> list[Rule]:
        """The rules that are applied at the end of Verify."""
        strength = [self.strength] if self.strength is not None else []
        return [CountTests(), *strength, *([self.fit] if isinstance(self.fit, Fit) else [])]

    def at_once(self) -> Filter:
        """These settings without the rules that are applied in Verify."""
        return replace(self, strength=None, fit=None, pass_rate=None)
