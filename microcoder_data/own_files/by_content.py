"""Which field is the id, the statement or the tests, by what the fields hold: for names that say nothing.

statement_place(records, ["a1", "b2"])          # "a1": the longest prose
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_data.sources.columns import decoded_or_same
from microcoder_data.sources.generic import at
from microcoder_eval.reading.field_map import grouped_tests
from microcoder_eval.reading.tests_in_html import tests_in_html

TRIED = 20
"""How many records are looked at."""
_FEWEST_WORDS = 5
_LONGEST_ID, _LONGEST_SLUG = 60, 120
"""Characters; a slug or a hash has no spaces."""
_NO_STATEMENT = re.compile(r"editorial|tutorial|explan|hint|note|comment|repl|respon|answer|review|log", re.IGNORECASE)
"""Names of prose that is not the statement."""
_OF_A_TURN = frozenset({"role", "from"})
"""Fields of the turns of a chat, which are no tests."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_CODE = re.compile(r"^\s*(def |class |import |from \w+ import|#include|public )|[;{}]\s*$|\w\(.*\)\s*$", re.MULTILINE)


def values_at(records: Sequence[Mapping[str, Any]], place: str) -> list[Any]:
    """What the first records have at a place, without empty values; texts that are JSON or Python are read."""
    found = (at(record, place) for record in records[:TRIED])
    return [decoded_or_same(value) for value in found if value not in (None, "", [])]


def statement_place(records: Sequence[Mapping[str, Any]], places: Sequence[str]) -> str | None:
    """The place with the longest prose in most records; None when no place has prose."""
    lengths = {}
    for place in places:
        texts = [text for text in values_at(records, place) if isinstance(text, str)]
        prose = [text for text in texts if _is_prose(text)]
        if not _NO_STATEMENT.search(place) and 2 * len(prose) > min(len(records), TRIED):
            lengths[place] = sum(map(len, prose)) / len(prose)
    return max(lengths, key=lambda place: lengths[place], default=None)


def turn_place(records: Sequence[Mapping[str, Any]], places: Sequence[str], speaker: str) -> str | None:
    """The first place with a turn of a speaker in most records, which are chats: `messages.user`."""
    turns = (f"{place}.{speaker}" for place in places if _most(records, place, lambda value: isinstance(value, list)))
    return next((turn for turn in turns if _most(records, turn, bool)), None)


def tests_place(records: Sequence[Mapping[str, Any]], places: Sequence[str]) -> str | None:
    """The only place with lists of pairs, or of objects with two or more fields, in most records."""
    found = [place for place in places if _most(records, place, _is_tests)]
    return found[0] if len(found) == 1 else None


def parallel_places(records: Sequence[Mapping[str, Any]], places: Sequence[str]) -> tuple[str, str] | None:
    """The only two places with lists that are as long as each other in nearly all records: inputs and outputs."""
    lists = [place for place in places if _most(records, place, lambda value: isinstance(value, list))]
    if len(lists) != 2:
        return None
    pairs = [[decoded_or_same(at(record, place)) for place in lists] for record in records[:TRIED]]
    same = [isinstance(a, list) and isinstance(b, list) and len(a) == len(b) for a, b in pairs]
    return (lists[0], lists[1]) if 4 * sum(same) > 3 * len(same) else None


def id_place(records: Sequence[Mapping[str, Any]], places: Sequence[str]) -> str | None:
    """The first place with a short text or a number that differs in every record."""
    return next((place for place in places if is_id(records, place)), None)


def group_place(records: Sequence[Mapping[str, Any]], places: Sequence[str], statement: str) -> str | None:
    """The first place with a short text or a number for each statement, which differs where the statements do."""

    def names(place: str) -> bool:
        pairs = {(str(at(record, place)), str(at(record, statement))) for record in records}
        named, statements = {value for value, _ in pairs}, {text for _, text in pairs}
        return _are_short([*named]) and len(pairs) == len(named) == len(statements)

    return next(filter(names, places), None)


def is_id(records: Sequence[Mapping[str, Any]], place: str, least_share: float = 1.0) -> bool:
    """Whether the values at a place are short, and at least this share of the records has one of its own."""
    values = [at(record, place) for record in records]
    texts = [str(value) for value in values]
    differ = len({*texts}) >= least_share * len(texts)
    return differ and _are_short(texts) and all(type(value) in (str, int) for value in values)


def _are_short(texts: Sequence[str]) -> bool:
    return all(len(text) < (_LONGEST_ID if " " in text else _LONGEST_SLUG) and "\n" not in text for text in texts)


def _most(records: Sequence[Mapping[str, Any]], place: str, fits: Any) -> bool:
    return 2 * sum(map(bool, map(fits, values_at(records, place)))) > min(len(records), TRIED)


def _is_tests(value: Any) -> bool:
    if isinstance(value, str):
        return tests_in_html(value) is not None
    value = grouped_tests(value) or value
    if not isinstance(value, list) or not value:
        return False
    pairs = all(isinstance(each, (list, tuple)) and len(each) == 2 for each in value)
    return pairs or all(isinstance(each, Mapping) and len(each) > 1 and not _OF_A_TURN & each.keys() for each in value)


def _is_prose(text: str) -> bool:
    text = _TAG.sub(" ", text)
    letters = sum(letter.isalpha() or letter.isspace() for letter in text)
    return len(text.split()) >= _FEWEST_WORDS and 4 * letters > 3 * len(text) and not _CODE.search(text)
