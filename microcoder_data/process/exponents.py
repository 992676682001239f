"""The rule of lost exponents: `1 <= n <= 105` where the judge wrote 10^5, because a publisher removed `<sup>`.

A number is repaired when it cannot have been meant: its form is of a closed list (`109 + 7`, `231 - 1`, `2 * 105`,
`-109 <= x <= 109`), the tests exceed it, or the text has lost other exponents for certain. On LeetCode no honest bound
has the form of ten and a digit: of 4,000 statements with their exponents none has. A bound that the tests come near to
is honest. What stays doubtful is left as it is and marked: `has_doubtful_bounds` says so, and nothing reads the bounds
of such a row.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from microcoder_data.process.lost_exponents import LostPower, keeps_exponents, lost_powers, with_powers_in_equations
from microcoder_data.process.test_extent import Extent
from microcoder_data.rules import Outcome, changed, marked
from microcoder_data.schema import Row

COLUMNS = ("statement", "input_format", "output_format", "constraints", "notes")
_NAMES_BEFORE = re.compile(
    r"((?:\|?[A-Za-z]\w*\|?(?:\[\w+\])*(?:\.\w+(?:\(\))?)?)(?:\s*(?:,|==?)\s*\|?[A-Za-z]\w*\|?(?:\[\w+\])*(?:\.\w+(?:\(\))?)?)*)"
    r"[\s$]*(?:<=?|≤|⩽|\\leq?(?:slant)?|\\lt)[\s$]*-?(?:\d+\s*(?:\*|×|·|\\times|\\cdot)\s*)?$"
)
_POWERS_OF_TWO = ("30", "31", "32", "53", "62", "63", "64")
"""Exponents k for which no honest bound is written 2k (`231`); 210, 216 or 250 may be meant."""
_BOUNDS = ("bound", "range", "limit")
_LEETCODE = "no bound of LeetCode has this form"
_SHOWN = 6


@dataclass(frozen=True)
class Exponents:
    """Repair exponents that a publisher has lost where that is certain; mark the others."""

    name: ClassVar[str] = "exponents_v3"

    def __call__(self, row: Row) -> Outcome | None:
        found = {column: list(lost_powers(row[column])) for column in COLUMNS if row[column]}
        if not any(found.values()):
            return _equations(row) if row["platform"] == "leetcode" and not _keeps_others(row) else None
        extent = _Extent(row)
        text = "\n".join(row[column] for column in COLUMNS if row[column])
        places = [(place, row[column]) for column in found for place in found[column]]
        why = _why_flattened(row, text, places, extent)
        proven = {place.written for place, _ in places if place.proves and place.kind != "tolerance"}
        bounded = any(place.kind in _BOUNDS and place.base == "10" for place, _ in places)
        kept_others = _keeps_others(row)
        repaired: Counter[str] = Counter()
        doubtful: list[str] = []
        for column, listed in found.items():
            certain = []
            for place in listed:
                verdict = _verdict(place, row[column], why, proven, bounded, extent)
                if verdict == "repair":
                    certain.append(place)
                    repaired[f"{place.base}{place.power} is {place.base}^{place.power}"] += 1
                elif verdict == "doubt":
                    doubtful.append(row[column][place.start : place.end])
            row[column] = _rewritten(row[column], certain)
        mended = _equations(row, flattened=True) if why and not kept_others else None
        said = [f"{what}" + (f" ({count} times)" if count > 1 else "") for what, count in repaired.items()][:_SHOWN]
        detail = f"lost exponents repaired, {why or 'the tests exceed what is written'}: {', '.join(said)}"
        if doubtful:
            doubt = f"exponents may be lost, bounds are not read: {', '.join(doubtful[:_SHOWN])}"
            done = [detail] if repaired else [mended.detail or ""] if mended else []
            return marked("; ".join([doubt, *done]), len(doubtful), took_out=bool(done))
        return changed(detail, sum(repaired.values()), took_out=True) if repaired else mended


def has_doubtful_bounds(row: Row) -> bool:
    """Whether a bound of the row may have lost its exponent, so that none of them should be read.

    >>> from microcoder_data.rules import marked, step
    >>> has_doubtful_bounds({"provenance": [step("process", Exponents.name, marked("105"))]})
    True
    """
    rule = Exponents.name.rpartition("_")[0]
    return any(step["outcome"] == "marked" and step["rule"].startswith(rule) for step in row["provenance"] or ())


class _Extent:
    """The extent of the tests, which are read when a bound is compared with them: most rows never need that."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def of(self, name: str) -> int | None:
        return self._read.of(name)

    @cached_property
    def _read(self) -> Extent:
        return Extent(self._row)


def _why_flattened(row: Row, text: str, places: list[tuple[LostPower, str]], extent: _Extent) -> str:
    """What shows that the whole text has lost its exponents; empty when nothing does."""
    if keeps_exponents(text):
        return ""
    proof = next((place for place, _ in places if place.proves), None)
    if proof:
        return f"{proof.base}{proof.power} ({proof.kind}) cannot be meant"
    exceeded = next((place for place, whole in places if _exceeded(place, whole, extent)), None)
    if exceeded:
        return f"the tests exceed {exceeded.written}"
    if row["platform"] == "leetcode":
        return _LEETCODE
    tens = {place.power for place, _ in places if place.base == "10" and place.kind in _BOUNDS}
    return "two bounds have this form" if len(tens) > 1 else ""


def _verdict(place: LostPower, text: str, why: str, proven: set[int], bounded: bool, extent: _Extent) -> str:
    """repair, doubt or keep."""
    if place.proves:
        return "repair"
    if place.kind == "name":
        return "doubt" if why else "keep"
    if place.kind == "number" and why == _LEETCODE and not bounded:
        return "doubt"
    if place.kind not in _BOUNDS:
        return "repair" if why else "keep"
    if place.written in proven:
        return "repair"
    reached, exceeded = _reached(place, text, extent), _exceeded(place, text, extent)
    if place.base == "2" and place.power not in _POWERS_OF_TWO:
        return "doubt" if exceeded or (why and place.written > 99 and reached != place.written) else "keep"
    if exceeded:
        return "repair" if why or (reached or 0) <= place.meant else "doubt"
    if reached is not None and place.written - 1 <= reached <= place.written and why in ("", _LEETCODE):
        return "doubt" if why else "keep"
    if why:
        return "repair"
    return "keep" if keeps_exponents(text) or place.base == "2" else "doubt"


def _reached(place: LostPower, text: str, extent: _Extent) -> int | None:
    """The largest value in the tests of what the number bounds; None when it is not known what that is."""
    found = _NAMES_BEFORE.search(text[max(0, place.start - 120) : place.start])
    if not found:
        return None
    known = [extent.of(name.strip()) for name in re.split(r",|==?", found[1])]
    return max((value for value in known if value is not None), default=None)


def _exceeded(place: LostPower, text: str, extent: _Extent) -> bool:
    if place.kind not in _BOUNDS or re.match(r"\s*\d*\s*[*×·]", text[place.end :]):
        return False
    reached = _reached(place, text, extent)
    return reached is not None and reached > place.written


def _rewritten(text: str, places: list[LostPower]) -> str:
    for place in reversed(places):
        text = f"{text[: place.start]}{place.base}^{_braced(place.power, text, place)}{text[place.end :]}"
    return text


def _braced(power: str, text: str, place: LostPower) -> str:
    """TeX needs braces around more than one digit."""
    line = text[text.rfind("\n", 0, place.start) + 1 : place.start]
    return f"{{{power}}}" if len(power) > 1 and line.count("$") % 2 else power


def _keeps_others(row: Row) -> bool:
    """Whether the statement keeps exponents other than those of bounds."""
    return keeps_exponents(re.sub(r"10\^\d+|2\^\d+", "", row["statement"]))


def _equations(row: Row, flattened: bool = False) -> Outcome | None:
    """Equations of a text that keeps no exponent, in the statement alone: there the examples are explained."""
    row["statement"], mended = with_powers_in_equations(row["statement"], flattened)
    return changed("lost exponents repaired in equations", mended, took_out=True) if mended else None
