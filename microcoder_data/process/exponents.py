"""The rule of lost exponents: `1 <= n <= 105` where the judge wrote 10^5, because a publisher removed `<sup>`.

A number is repaired when it cannot be meant as written: it has a form that only a lost exponent explains (`109 + 7`,
`231 - 1`, `2 * 105`, `-109 <= x <= 109`), the tests exceed it, or the text has certainly lost other exponents. On
LeetCode no real bound is ten followed by a digit: none of 4,000 statements that kept their exponents has one. A bound
that the tests nearly reach is taken as written. Of 918 other statements that kept their exponents (Codeforces,
CodeChef, AtCoder, Kattis and others) none has such a bound from 104 on either. A doubtful number is left as it is and
the row is marked. Then `has_doubtful_bounds` is true, and no rule reads the row's bounds. Lost subscripts
(`hi < hi + 1`, binary numbers as `0112`) and signs of products (`n ≤ 2  10^5`) are repaired too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

from microcoder_data.process.doubtful_powers import false_powers, may_be_powers, names_to_names
from microcoder_data.process.lost_exponents import (
    POWERS_OF_TWO,
    LostPower,
    is_given,
    keeps_exponents,
    lost_powers,
)
from microcoder_data.process.lost_products import doubtful_products, with_products
from microcoder_data.process.lost_subscripts import with_subscripts
from microcoder_data.process.power_equations import false_equations, with_powers_in_equations
from microcoder_data.process.test_extent import MOST_CHARACTERS, Extent
from microcoder_data.rules import Outcome, changed, marked, rule_name
from microcoder_data.schema import Row

COLUMNS = ("statement", "input_format", "output_format", "constraints", "notes")
_NAMES_BEFORE = re.compile(
    r"((?:\|?[A-Za-z]\w*\|?(?:\[\w+\])*(?:\.\w+(?:\(\))?)?)(?:\s*(?:,|==?)\s*\|?[A-Za-z]\w*\|?(?:\[\w+\])*(?:\.\w+(?:\(\))?)?)*)"
    r"[\s$]*(?:<=?|≤|⩽|\\leq?(?:slant)?|\\lt)[\s$]*-?(?:\d+\s*(?:\*|×|·|\\times|\\cdot)\s*)?$"
)
_IS_POWER_OF_TWO = re.compile(
    r"\b(?:is|are|be) (?:an? |the |always |exact )*powers? of (?:the )?(?:number )?(?:2|two)\b", re.IGNORECASE
)
"""What is bounded may be a power of two, and no number of the form 2k is one: 28 may be 2^8."""
_BOUNDS = ("bound", "range", "limit")
_SURE_POWER = 3
"""102 may be meant, but of 7,900 statements that kept their exponents none has a bound from 103 to 109 in prose."""
_FACTOR_BEHIND = re.compile(r"\s*\d*\s*[*×·]")
_WHOLE_NUMBER = re.compile(r"(?<![\w.])\d{1,30}(?![\w.])")
_FORMULA = re.compile(r"\$[^$\n]+\$")
_EXCEED = re.compile(r"exceed(?:s|ing)?\s+[-$({]*$|\bmin\([^()]*,\s*$", re.IGNORECASE)
_OF_TEXT = re.compile(
    r"\s+(?:[\w-]+\s+){0,3}?(?:characters|letters|digits|symbols)\b|\s+(?:by|in) (?:its |their )?absolute value"
)
_POWER_OF_A_BOUND = re.compile(r"10\^\d+|2\^\d+")
_SHOWN = 6


@dataclass(frozen=True)
class Exponents:
    """Repair exponents that a publisher has lost where that is certain; mark the others."""

    name: ClassVar[str] = "exponents_v17"

    def __call__(self, row: Row) -> Outcome | None:
        columns = [column for column in COLUMNS if row[column]]
        texts, subscripts = with_subscripts(row[column] for column in columns)
        products = 0
        for place, text in enumerate(texts):
            texts[place], count = with_products(text)
            products += count
        row.update(zip(columns, texts, strict=True))
        doubtful = [found for text in texts for found in doubtful_products(text)]
        outcome = self._exponents(row)
        if doubtful and (outcome is None or outcome.outcome != "marked"):
            outcome = _doubted(doubtful, [outcome.detail or ""] if outcome else [], "a sign and an exponent")
        for what, count in (("subscripts", subscripts), ("signs of products", products)):
            if count:
                detail = f"lost {what} repaired: {count}"
                outcome = (
                    outcome._replace(detail=f"{outcome.detail}; {detail}", took_out=True)
                    if outcome
                    else changed(detail, count, took_out=True)
                )
        return outcome

    def _exponents(self, row: Row) -> Outcome | None:
        found = {column: list(lost_powers(row[column])) for column in COLUMNS if row[column]}
        places = [(place, row[column]) for column in found for place in found[column] if place.kind != "again"]
        if not places:
            return None if _keeps_others(row) else _equations_alone(row)
        extent = _Extent(row)
        text = "\n".join(row[column] for column in COLUMNS if row[column])
        flattened = _flattened(row, text, places, extent)
        proven = {place.written for place, _ in places if place.proves and place.shown.isdecimal()}
        has_power_of_ten = any(place.kind in _BOUNDS and place.base == "10" for place, _ in places)

        def verdict_on(place: LostPower, whole: str) -> Literal["repair", "doubt", "keep"]:
            if place.kind == "again":
                return "repair" if place.shown in bounds else "keep"
            return _verdict(place, whole, flattened, proven, has_power_of_ten, extent)

        bounds: set[str] = set()
        if len(places) < sum(map(len, found.values())):
            bounds = {place.shown for place, whole in places if verdict_on(place, whole) == "repair"}
        kept_others = _keeps_others(row)
        repaired: Counter[str] = Counter()
        doubtful: list[str] = []
        mended_bounds: set[str] = set()
        for column, listed in found.items():
            certain = []
            for place in listed:
                verdict = verdict_on(place, row[column])
                if verdict == "repair":
                    certain.append(place)
                    mended_bounds |= {place.shown} if place.base == "10" and place.kind != "tolerance" else set()
                    repaired[f"{place.base}{place.power} is {place.base}^{place.power}"] += 1
                elif verdict == "doubt":
                    doubtful.append(row[column][place.start : place.end])
            row[column] = _rewritten(row[column], certain)
        mended = _equations(row, flattened=True) if flattened and not kept_others else None
        if flattened:
            doubtful += _other_doubts(row)
            doubtful += _left_as_written(row, mended_bounds)
        shown = [f"{what}" + (f" ({count} times)" if count > 1 else "") for what, count in repaired.items()][:_SHOWN]
        detail = f"lost exponents repaired, {flattened.why or 'the tests exceed what is written'}: {', '.join(shown)}"
        if doubtful:
            done = [detail] if repaired else [mended.detail or ""] if mended else []
            return _doubted(doubtful, done)
        return changed(detail, sum(repaired.values()), took_out=True) if repaired else mended


def _doubted(doubtful: list[str], done: list[str], what: str = "exponents") -> Outcome:
    """The mark of a row whose bounds are not read. `done`: what was repaired."""
    detail = f"{what} may be lost, bounds are not read: {', '.join(doubtful[:_SHOWN])}"
    return marked("; ".join([detail, *done]), len(doubtful), took_out=bool(done))


def has_doubtful_bounds(row: Row) -> bool:
    """Whether a bound of the row may have lost its exponent, so that no bound should be read.

    >>> from microcoder_data.rules import marked, step
    >>> has_doubtful_bounds({"provenance": [step("process", Exponents.name, marked("105"))]})
    True
    """
    name = rule_name(Exponents.name)
    return any(step["outcome"] == "marked" and rule_name(step["rule"]) == name for step in row["provenance"] or ())


class _Flattened(NamedTuple):
    """What shows that the whole text has lost its exponents; falsy when nothing does."""

    why: str = ""
    platform_only: bool = False
    """Only the platform shows it: no real bound of LeetCode has this form."""
    partly: bool = False
    """Other exponents are kept: those that somebody typed (`O(n^2)`) where others were marked up."""

    def __bool__(self) -> bool:
        return bool(self.why)


class _Extent:
    """The extent of the tests, read when first needed: for most rows no bound is compared with the tests."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def of(self, name: str) -> int | None:
        return self._read.of(name)

    @cached_property
    def largest(self) -> int:
        """The largest whole number in any input."""
        largest, read = 0, 0
        for test in self._row["tests"]:
            read += len(test["input"])
            if read > MOST_CHARACTERS:
                break
            largest = max([largest, *map(int, _WHOLE_NUMBER.findall(test["input"]))])
        return largest

    @cached_property
    def _read(self) -> Extent:
        return Extent(self._row)


def _flattened(row: Row, text: str, places: list[tuple[LostPower, str]], extent: _Extent) -> _Flattened:
    """Whether the text has lost its exponents, by the first evidence that is found."""
    if not any(_in_formula(whole, place) for place, whole in places):
        text = _FORMULA.sub("", text)  # formulas that came as pictures or TeX keep what the words around them lost
    proof = next((place for place, _ in places if place.proves), None)
    if keeps_exponents(text):
        return _partly_flattened(row, places, proof, extent)
    if proof:
        return _Flattened(f"{proof.shown} ({proof.kind}) cannot be meant")
    exceeded = next((place for place, whole in places if _exceeded(place, whole, extent)), None)
    if exceeded:
        return _Flattened(f"the tests exceed {exceeded.written}")
    if row["platform"] == "leetcode":
        return _Flattened("no bound of LeetCode has this form", platform_only=True)
    squares = [(place, whole) for place, whole in places if place.kind == "letter" and not _is_defined(place, whole)]
    square = next((one for one, whole in squares if one.base.islower() and not _in_code(whole, one)), None)
    if square and row["kind"] == "stdin":
        return _Flattened(f"no other name than {square.base} has a figure")
    tens = {place.power for place, _ in places if place.base == "10" and place.kind in _BOUNDS}
    if len(tens) > 1:
        return _Flattened("two bounds have this form")
    return _Flattened("no judge writes such a bound" if any(_is_no_number(*place, extent) for place in places) else "")


def _partly_flattened(
    row: Row, places: list[tuple[LostPower, str]], proof: LostPower | None, extent: _Extent
) -> _Flattened:
    """Whether a text that keeps some exponents has certainly lost others."""
    if proof:
        return _Flattened(f"{proof.shown} ({proof.kind}) cannot be meant", partly=True)
    if row["platform"] == "leetcode" and any(_is_no_number(*place, extent) for place in places):
        return _Flattened("no bound of LeetCode has this form", platform_only=True, partly=True)
    return _Flattened()


def _other_doubts(row: Row) -> list[str]:
    """What else may have lost exponents in a text that has lost some."""
    texts = [row[column] for column in COLUMNS if row[column]]
    return [found for text in texts for found in (*may_be_powers(text), *false_equations(text))]


def _left_as_written(row: Row, bounds: set[str]) -> Iterator[str]:
    """Bounds that were repaired and stand elsewhere as they were written, in no test: `replace -2 with 105`."""
    for bound in sorted(bounds):
        number = re.compile(rf"(?<![\w.^,]){bound}(?![\w.]\w|[\w^,]| ?[<>=])")
        texts = [row[column] for column in COLUMNS if row[column] and bound in row[column]]
        lines = [line for text in texts for line in text.split("\n") if bound in line and number.search(line)]
        shown = any(is_given(line) for line in lines)
        if lines and not (shown or any(_holds(test, bound) for test in row["tests"])):
            yield bound


def _holds(test: dict[str, Any], number: str) -> bool:
    return any(number in test[side][:MOST_CHARACTERS] for side in ("input", "output"))


def _equations_alone(row: Row) -> Outcome | None:
    """Repair equations, and mark a row of LeetCode, where no bound has lost anything, for those that stay false."""
    mended = _equations(row)
    text = "\n".join(row[column] for column in COLUMNS if row[column])
    doubtful = []
    if row["platform"] == "leetcode":
        doubtful = [*false_powers(text), *names_to_names(text, beside=True)]
    if not doubtful:
        return mended
    return _doubted(doubtful, [mended.detail or ""] if mended else [])


def _is_defined(place: LostPower, text: str) -> bool:
    """Whether a name with a figure gets a value: `k2 = k + 1`."""
    return text[place.end :].lstrip(" ").startswith("=")


def _is_no_number(place: LostPower, text: str, extent: _Extent) -> bool:
    """Whether a bound such as `n <= 105` alone shows a lost exponent: judges write 100 or 1000, and 10^5.

    Tests that come nearer than the round number below it (100 for 105) speak against it.
    """
    if place.kind not in _BOUNDS or _in_formula(text, place):  # TeX keeps its exponents
        return False
    if place.base == "2":
        return place.kind == "bound" and place.power in POWERS_OF_TWO
    if int(place.power) < _SURE_POWER:
        return False
    if place.kind == "limit" and not (
        _EXCEED.search(text[max(0, place.start - 40) : place.start]) or _OF_TEXT.match(text, place.end)
    ):
        return False
    return not 10 ** (len(place.power) + 1) < extent.largest <= place.written


def _verdict(
    place: LostPower, text: str, flattened: _Flattened, proven: set[int], has_power_of_ten: bool, extent: _Extent
) -> Literal["repair", "doubt", "keep"]:
    """What to do with one number. `proven`: numbers that occur in a form that only a lost exponent explains."""
    if place.proves:
        return "repair"
    if place.kind == "name":
        return "doubt" if flattened else "keep"
    if place.kind == "complexity":
        return "repair"
    if flattened.partly and not (place.kind in _BOUNDS and _is_no_number(place, text, extent)):
        return (
            "doubt"
            if place.kind in ("letter", "closed", "equals")
            else _verdict(place, text, _Flattened(), proven, has_power_of_ten, extent)
        )
    if place.kind == "equals":
        return "keep" if keeps_exponents(text) else "doubt"
    if place.kind == "number" and flattened.platform_only and not has_power_of_ten:
        return "doubt"
    if place.kind not in _BOUNDS:
        return "repair" if flattened else "keep"
    if place.written in proven:
        return "repair"
    reached, exceeded = _reached(place, text, extent), _exceeded(place, text, extent)
    if place.base == "2" and place.power not in POWERS_OF_TWO:
        if _IS_POWER_OF_TWO.search(text):
            return "doubt"
        return "doubt" if exceeded or (flattened and place.written > 99 and reached != place.written) else "keep"
    if exceeded:
        return "repair" if flattened or (reached or 0) <= place.meant else "doubt"
    nearly_reached = reached is not None and place.written - 1 <= reached <= place.written
    if nearly_reached and (not flattened or flattened.platform_only):
        return "doubt" if flattened else "keep"
    if flattened:
        return "repair"
    return "keep" if keeps_exponents(text) and not _is_no_number(place, text, extent) else "doubt"


def _reached(place: LostPower, text: str, extent: _Extent) -> int | None:
    """The largest value in the tests of what the number bounds; None when that is not known."""
    known = map(extent.of, _names_at_end(text[max(0, place.start - 120) : place.start]))
    return max((value for value in known if value is not None), default=None)


@lru_cache(maxsize=256)
def _names_at_end(text: str) -> tuple[str, ...]:
    """What a text that ends before a number says is bounded by it. A row's numbers are asked for more than once."""
    one_sign = "<".join(text.rsplit("<", 2)[-2:])  # a match has no other sign, and its search takes long
    found = _NAMES_BEFORE.search(one_sign)
    return tuple(map(str.strip, re.split(r",|==?", found[1]))) if found else ()


def _exceeded(place: LostPower, text: str, extent: _Extent) -> bool:
    """Whether a test has a larger value than the bound as written."""
    if place.kind not in _BOUNDS or _FACTOR_BEHIND.match(text, place.end):
        return False
    reached = _reached(place, text, extent)
    return reached is not None and reached > place.written


def _rewritten(text: str, places: list[LostPower]) -> str:
    """The text with `^` at these places."""
    pieces, end = [], 0
    for place in places:
        pieces += [text[end : place.start], f"{place.base}^{_braced(place.power, text, place)}"]
        end = place.end
    return "".join([*pieces, text[end:]])


def _braced(power: str, text: str, place: LostPower) -> str:
    """The exponent, in braces where it has several digits inside a formula; `2t` always stands in some."""
    if power[-1].isalpha() and not _in_formula(text, place):
        return f"({power})"
    return f"{{{power}}}" if len(power) > 1 and _in_formula(text, place) else power


def _in_code(text: str, place: LostPower) -> bool:
    return text.count("`", text.rfind("\n", 0, place.start) + 1, place.start) % 2 == 1


def _in_formula(text: str, place: LostPower) -> bool:
    return text.count("$", text.rfind("\n", 0, place.start) + 1, place.start) % 2 == 1


def _keeps_others(row: Row) -> bool:
    """Whether the statement keeps exponents other than those of bounds."""
    statement = row["statement"]
    return keeps_exponents(_POWER_OF_A_BOUND.sub("", statement) if "^" in statement else statement)


def _equations(row: Row, flattened: bool = False) -> Outcome | None:
    """Repair equations where examples are explained, for a text that keeps no exponent."""
    mended = 0
    for column in ("statement", "notes"):
        if row[column]:
            row[column], count = with_powers_in_equations(row[column], flattened)
            mended += count
    return changed("lost exponents repaired in equations", mended, took_out=True) if mended else None
