"""How strong a row's tests are: how many known-wrong solutions and mutants they reject.

The numbers of the row, in `verification`: of `wrong_run` known-wrong solutions the tests reject `wrong_rejected`, of
`mutants_run` mutants `mutants_rejected`. `mutants_equivalent` surviving mutants also gave the right answer on every
made input (at least `MIN_INPUTS`), so they are likely to be right and do not count against the tests.
`mutants_unreached` changes were left out because no test reaches their line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from microcoder_data.verify.program_runner import Results

MIN_INPUTS = 10
"""With fewer made inputs than this, no surviving mutant is counted as likely right."""


@dataclass
class Strength:
    """The wrong programs of a row that were run far enough to be accepted or rejected."""

    wrong: list[Results] = field(default_factory=list)
    mutants: list[Results] = field(default_factory=list)
    unreached: int | None = None
    """None: the lines that the tests reach are not known."""
    equivalent: int = 0

    @property
    def programs(self) -> list[Results]:
        return self.wrong + self.mutants

    def survivors(self) -> list[Results]:
        """The programs that all tests accept."""
        return [result for result in self.programs if not result.rejected()]

    def count_equivalent(self, survivors: Sequence[Results], rejecting: Sequence[set[int]], inputs: int) -> None:
        """Count the surviving mutants that no made input rejects.

        rejecting: for each survivor the made inputs that reject it. inputs: how many inputs were made.
        """
        if inputs < MIN_INPUTS:
            return
        mutants = {id(result) for result in self.mutants}
        pairs = zip(survivors, rejecting, strict=True)
        self.equivalent = sum(id(result) in mutants and not tests for result, tests in pairs)

    def write_to(self, verification: dict[str, Any]) -> None:
        """Write the numbers into the column `verification`."""
        for name, results in (("wrong", self.wrong), ("mutants", self.mutants)):
            verification[f"{name}_run"] = len(results)
            verification[f"{name}_rejected"] = sum(result.rejected() for result in results)
        verification["mutants_equivalent"] = self.equivalent
        verification["mutants_unreached"] = self.unreached


def strength_in_words(verification: Mapping[str, Any]) -> str:
    """The numbers and how they were obtained, for the row's provenance.

    >>> strength_in_words({"wrong_run": 2, "wrong_rejected": 1, "mutants_run": 8, "mutants_rejected": 6,
    ...     "mutants_equivalent": 1, "mutants_unreached": 3})
    'rejected: 1 of 2 wrong solutions, 6 of 8 mutants on reached lines (1 likely right, 3 on unreached lines left out)'
    """
    parts = []
    if verification["wrong_run"]:
        parts.append(f"{verification['wrong_rejected']} of {verification['wrong_run']} wrong solutions")
    if verification["mutants_run"]:
        unreached, equivalent = verification["mutants_unreached"], verification["mutants_equivalent"]
        where = " (lines that tests reach are not known" if unreached is None else " on reached lines ("
        notes = [f"{equivalent} likely right"] if equivalent else []
        notes += [f"{unreached} on unreached lines left out"] if unreached else []
        said = f"{where}{'; ' if unreached is None and notes else ''}{', '.join(notes)})".removesuffix(" ()")
        parts.append(f"{verification['mutants_rejected']} of {verification['mutants_run']} mutants{said}")
    return f"rejected: {', '.join(parts)}"
