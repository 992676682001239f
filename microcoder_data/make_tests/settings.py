"""The settings of test making: the ways, how many inputs are tried, what a proof needs. Nothing is run here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from microcoder_eval import InputError

Way = Literal["rules", "differences", "model"]
WAYS: tuple[Way, ...] = ("rules", "differences", "model")


@dataclass(frozen=True)
class MakeTests:
    """Make tests from the statement, the samples and the solutions. Off unless a recipe asks for it; needs Linux."""

    name: ClassVar[str] = "make_tests_v7"
    ways: tuple[Way, ...] = WAYS
    """`rules`: inputs from the grammar of the input. `differences`: small inputs on which a wrong program differs from
    the right ones. `model`: generators, validators and checkers by the language model, if the recipe has one. Each
    test's `origin` says which way made it."""
    enough: int = 20
    """Rows with at least this many tests beyond the samples get no more."""
    most: int = 30
    """At most this many tests are added."""
    small: int = 60
    """This many small inputs are sampled from the grammar, and a few of medium size."""
    limits: int = 6
    """This many inputs at the limits are sampled: they show which programs are slow."""
    solutions: int = 5
    """At most this many right solutions are run. An input on which one of them gives another answer is not used."""
    agreeing: int = 2
    """A made test needs this many independent right solutions that agree; the model's brute force may be one."""
    wrong: int = 20
    """At most this many known-wrong solutions are run on the made tests."""
    mutants: int = 8
    """At most this many mutants of a right solution are run too."""
    rounds: int = 12
    """The rounds of the search for differences: each runs the surviving programs on a batch of changed inputs. With a
    model, so many more batches are drawn from its generators while wrong programs survive."""
    candidates: int = 3
    """The model writes this many validators, generators of random inputs, brute-force solutions and checkers; each must
    pass its proof."""
    generator_seconds: float = 5.0
    """A generator that needs longer for one input is refused."""
    max_bytes: int = 2 << 20
    """Inputs with more bytes are not used."""
    row_seconds: float = 300.0
    """CPU time for one row."""

    def __post_init__(self) -> None:
        if not self.ways or len(set(self.ways)) != len(self.ways):
            raise InputError(f"ways: name each way once, out of {', '.join(WAYS)}")
        if min(self.most, self.solutions, self.agreeing, self.candidates, self.max_bytes) < 1:
            raise InputError("most, solutions, agreeing, candidates and max_bytes must be at least 1")
        if min(self.enough, self.small, self.limits, self.wrong, self.mutants, self.rounds) < 0:
            raise InputError("enough, small, limits, wrong, mutants and rounds must not be negative")
        if min(self.row_seconds, self.generator_seconds) <= 0:
            raise InputError("row_seconds and generator_seconds must be positive")
