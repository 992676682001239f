"""Settings of Compare: which duplicates are merged, and which benchmarks' problems are dropped."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field

from microcoder_data.compare.select import Select
from microcoder_data.reading.specification import SourceSpec
from microcoder_eval import InputError

DUPLICATES_RULE, CONTAMINATION_RULE = "duplicates_v12", "contamination_v4"


@dataclass(frozen=True)
class Duplicates:
    """Which rows are compared. Rows that are one problem are merged."""

    near: float | None = 0.7
    """Compare statements whose word 5-grams have at least this Jaccard. `false`: do not compare them."""
    tests: bool = True
    """Compare rows with the same tests: they may be one task with different stories."""
    addresses: bool = True
    """Compare rows that were published at the same place (URL, contest and index, slug)."""
    samples: bool = True
    """Compare rows that share a sample or a name: they may be one task in other words or in another language."""
    pool: bool = True
    """The row that stays takes over what the merged rows have better: statement, tests, solutions, checker, limits,
    date, tags. `false`: it stays as it was."""

    def __post_init__(self) -> None:
        if self.near is not None and not 0.1 <= self.near <= 1:
            raise InputError("near must be between 0.1 and 1")


@dataclass(frozen=True)
class Benchmark:
    """Problems that models are tested on."""

    name: str
    source: SourceSpec
    """Read by its adapter, like any source."""
    since: datetime.date | None = None
    """Rows of contests on or after this date belong to the benchmark's window and are dropped."""


@dataclass(frozen=True)
class Contamination:
    """At which score something happens: from `review` up the row is marked, from `drop` up it is dropped."""

    gram: int = 13
    """Words in an n-gram."""
    common: int = 3
    """An n-gram in more problems than this is a stock phrase, not evidence."""
    review: float = 0.25
    drop: float = 0.5
    min_grams: int = 8
    """Fewer shared n-grams than this are a coincidence."""
    min_example_weight: int = 14
    """Equal samples of fewer characters are a coincidence (of a long number or word only the first characters count). A
    single equal sample needs twice as many."""
    paper_grams: float | None = None
    """The paper's rule: drop at this share of common 16-grams (the paper has 0.22). It also drops rows for stock
    phrases."""


@dataclass(frozen=True)
class Compare:
    """Rules that compare a row with other rows."""

    duplicates: Duplicates | None = field(default_factory=Duplicates)
    benchmarks: tuple[Benchmark, ...] = ()
    contamination: Contamination = field(default_factory=Contamination)
    select: Select | None = None
