"""Counts accepted submissions by the values of their other fields, such as `model` and `temperature`.

by_field = FieldTally()
by_field.add(grade, evidence)
by_field.tables()["model"]["small"]          # (3, 4): 3 of 4 accepted
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from microcoder_eval.runs.evidence import Evidence
from microcoder_eval.verdict import Grade, Verdict

_MOST_VALUES = 200
_FEW_VALUES = 12
_LONGEST_VALUE = 60


class FieldTally:
    """Counts accepted submissions by every value of every field that the submissions have besides their program."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
        self._too_many_values: set[str] = set()

    def add(self, grade: Grade, evidence: Evidence) -> None:
        if grade.verdict is Verdict.JUDGE_ERROR:
            return
        for name, value in evidence.fields.items():
            counts = self._counts[name]
            if name in self._too_many_values or (str(value) not in counts and len(counts) >= _MOST_VALUES):
                self._too_many_values.add(name)  # such as an id or a date, by which nothing can be compared
                continue
            accepted, judged = counts.get(str(value), (0, 0))
            counts[str(value)] = accepted + grade.accepted, judged + 1

    def names(self) -> list[str]:
        """The fields that are worth a column and a filter: short values, of which several submissions have the same."""
        return [name for name in self._counts if name not in self._too_many_values and _divides(self._counts[name])]

    def tables(self) -> dict[str, dict[str, tuple[int, int]]]:
        """For each field with two to twelve values: the accepted and the judged submissions of each, the best first."""
        return {
            name: dict(sorted(counts.items(), key=_largest_share_first))
            for name, counts in sorted(self._counts.items())
            if name not in self._too_many_values and 2 <= len(counts) <= _FEW_VALUES
        }

    def to_dict(self) -> dict[str, dict[str, dict[str, int]]]:
        """The tables as `summary.json` holds them."""
        return {
            name: {value: {"accepted": accepted, "judged": judged} for value, (accepted, judged) in counts.items()}
            for name, counts in self.tables().items()
        }


def _largest_share_first(item: tuple[str, tuple[int, int]]) -> tuple[float, str]:
    value, (accepted, judged) = item
    return -accepted / judged, value


def _divides(counts: Mapping[str, tuple[int, int]]) -> bool:
    """Whether the values of a field divide the submissions into groups; texts and ids do not."""
    submissions = sum(judged for _, judged in counts.values())
    several = len(counts) <= _FEW_VALUES or len(counts) * 4 <= submissions
    return len(counts) > 1 and several and max(map(len, counts)) <= _LONGEST_VALUE
