"""Find out what one line holds, from the words that describe it and from the known lines.

    line, described = line_of("two towns `a` and `b` and the toll", [(["1", "2", "70"], {"n": 4})], statement, {})

The words give names and counts; the lines of the known inputs decide between readings. `Unclear` is raised if no
reading fits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microcoder_data.make_tests.grammar.expression import Expression, base_name, expression, plain
from microcoder_data.make_tests.grammar.items import NAME, NOT_NOUNS, SPAN, Item, items_of, nouns_of
from microcoder_data.make_tests.grammar.layout import Line, Listed, Part, Scalar, Word, Words
from microcoder_data.make_tests.grammar.sentences import NUMBERS, without_brackets

Context = tuple[list[str], Mapping[str, Any]]
"""The words of a known line, and the values on the lines before it."""

_SEQUENCE = re.compile(r"\b([A-Za-z]+?)_?(\d+)\b([^.;]*?)\.\.\.([\s,<=>]*)\1_?([A-Za-z]\w*|\d+)\b")
_LETTER_NOUNS = [
    "characters",
    "letters",
    "digits",
    "symbols",
    "chars",
    "cells",
    "notes",
    "signs",
    "planks",
    "chairs",
    "tiles",
    "bits",
    "ones",
    "zeros",
    "zeroes",
]
_FORMS_FOLLOW = re.compile(
    r"\b(?:operation|command|query|event|instruction|request|update|as (?:above|described|below))\b"
)
_ORDER_FREE = re.compile(r",? in (?:no particular|any|arbitrary) order")
_FORM = re.compile(r"(?:[A-Za-z]+|[+?-])(?: [A-Za-z]\w*)*")
"""What a line with a keyword looks like: `ADD x`. A formula is none."""
_COUNT_AND_LIST = re.compile(
    r"\b(?:(?:followed by|and|then)(?: an?| the)?(?: list of| sequence of)?|lists? of) (\w+) (?:\w+[ -]){0,3}"
    r"(?:integers|numbers|words|names|strings|values|indices|elements|ids)\b"
)
"""`an integer k, followed by k integers`."""
_COUNT_WITH_SIGN = re.compile(r"(?<![\w*^] )\b([A-Za-z]\w*) ?([-+*]) ?(\d+) (?:[a-z]+[ -]){0,3}?([a-z]+s)\b")
"""`n - 1 integers`."""
_OF_LENGTH = re.compile(
    r"(?:^(?:of )?|\b(?:strings?|words?|names?|texts?|lines?|rows?)\b[^.;]{0,40}\bof )length ([A-Za-z]\w*|\d+)\b"
)
"""`a string s of length n`."""
_SIZE = re.compile(r"(?:of )?length [`$]*\w+[`$]*")
_RANGE_OF_LETTERS = re.compile(r"[‘'“\"`]*`(\w)`[’'”\"`]*\s*(?:-|–|to|through)\s*[‘'“\"`]*`(\w)`[’'”\"`]*")
"""Letters from one to another; the two are no names."""
_LETTER = r"[‘'“\"`]*`[^`]`[’'”\"`]*"
_LETTERS_OF_A_WORD = re.compile(
    r"\b((?:string|word|sequence|line) (?:consisting )?of (?:only |the )*(?:(?:upper|lower)[- ]?case )?"
    rf"(?:letters|characters|symbols)) {_LETTER}(?:(?:,|,? and|,? or) {_LETTER})*"
)
"""`a string of the letters A and B`: the letters are no names of values."""
_MEANING = re.compile(r",? (?:denoting|indicating|representing|telling|meaning)\b[^`$,;]*$")
"""What the last value means, at the end of a line's description. A value that is named after it is not cut off."""
MOST_FORMS = 8


class Unclear(Exception):
    """The input's format cannot be understood; the message says what."""


@dataclass(frozen=True)
class Described:
    """What the statement's words say about a value."""

    nouns: tuple[str, ...] = ()
    """The nouns for the value in the singular, the head noun first."""
    text: str = ""
    """The words that describe the line."""
    length: Expression | None = None
    """The length of a word of letters; None when it is not known or the value is no word."""
    listed: bool = False
    """Whether the name stands for a list of values."""
    counts: tuple[str, ...] = ()
    """For a number that is a count: the nouns of what it counts. They do not describe the number itself."""


def line_of(
    content: str, contexts: Sequence[Context], statement: str, taken: Mapping[str, Described]
) -> tuple[Line, dict[str, Described]]:
    """The line with this content, and the description of its values; raises `Unclear`.

    If the whole content fits no known line, it is read without what it says of letters and meanings. The descriptions
    keep all words, since these may restrict a value.

    taken: the values of earlier lines, by name.
    """
    try:
        return _line_of(content, contexts, statement, taken)
    except Unclear:
        shorter = _MEANING.sub("", _LETTERS_OF_A_WORD.sub(r"\1", content))
        if shorter == content:
            raise
        line, described = _line_of(shorter, contexts, statement, taken)
        return line, {name: replace(one, text=content) for name, one in described.items()}


def _line_of(
    content: str, contexts: Sequence[Context], statement: str, taken: Mapping[str, Described]
) -> tuple[Line, dict[str, Described]]:
    content = _RANGE_OF_LETTERS.sub(r"letters \1-\2", _ORDER_FREE.sub("", content))
    forms = _forms(content, contexts, statement)
    if forms:
        named = {part.name: Described(text=content) for form in forms for part in form if not isinstance(part, Word)}
        return Line(forms), named
    known = _numbers_known(contexts)
    widths = {len(words) for words, _ in contexts}
    tokens = frozenset(word for words, _ in contexts for word in words)
    items = items_of(content, known, tokens)
    named_items = [item for item in items if item.name]
    words_only = {len(words) for words, _ in contexts} <= {1} and any(
        not re.fullmatch(r"-?\d+", words[0]) or len(words[0]) > 18 for words, _ in contexts if words
    )
    repeated = _COUNT_AND_LIST.search(plain(content))
    counts = repeated is not None and [item.name for item in named_items[:1]] == [repeated[1]]
    if counts and contexts and all(_counts_the_rest(words) for words, _ in contexts):
        return _count_and_list(content, named_items, taken)
    sequence = _sequence(content)
    if sequence is not None:
        name, count = sequence
        name = _free_name(name, taken)
        _must_fit(contexts, lambda words, values: len(words) == count.value(values), content)
        return Line(((Listed(name, count),),)), {name: Described(nouns_of(content), content, listed=True)}
    length = _stated_length(content, contexts, known)
    unsized = _SIZE.sub("", content)
    if length is not None and (chosen := _scalars(unsized, items, named_items, widths, known)) is not None:
        return _line_of_scalars(chosen, content, taken, length)
    counted = _counted(content, known)
    if counted is not None:
        count, noun = counted
        if noun in _LETTER_NOUNS or (words_only and contexts):
            name = _free_name(named_items[0].name if named_items else _head_noun(items, "text"), taken)
            if contexts and all(
                len(words) == 1 and len(words[0]) == _value_or_none(count, values) for words, values in contexts
            ):
                return Line(((Scalar(name),),)), {name: Described(nouns_of(content), content, count)}
        if all(len(words) == _value_or_none(count, values) for words, values in contexts) and not (
            named_items and widths == {len(named_items)} and len(named_items) > 1
        ):
            name = _free_name(named_items[0].name if named_items else _head_noun(items, "item"), taken)
            return Line(((Listed(name, count),),)), {name: Described(nouns_of(content), content, listed=True)}
    chosen = _scalars(content, items, named_items, widths, known)
    if chosen is not None:
        return _line_of_scalars(chosen, content, taken)
    if "words" in content and "separated by" in content:
        name = _free_name(_head_noun(items, "words"), taken)
        return Line(((Words(name),),)), {name: Described(nouns_of(content), content, listed=True)}
    return _listed_by_evidence(content, contexts, items, taken)


def _counts_the_rest(words: Sequence[str]) -> bool:
    """Whether the first word of a line says how many others it has."""
    return bool(words) and words[0].isdecimal() and int(words[0]) == len(words) - 1


def _count_and_list(
    content: str, named: Sequence[Item], taken: Mapping[str, Described]
) -> tuple[Line, dict[str, Described]]:
    """The line of `an integer k, followed by k integers`: a count and so many values."""
    first = named[0]
    count = _free_name(first.name, taken)
    listed = _free_name(named[1].name if len(named) > 1 else "item", {**taken, count: 0})
    number = expression(count)
    assert number is not None
    described = {count: Described(first.nouns, content), listed: Described(nouns_of(content), content, listed=True)}
    return Line(((Scalar(count), Listed(listed, number)),)), described


def _line_of_scalars(
    chosen: Sequence[Item], content: str, taken: Mapping[str, Described], length: Expression | None = None
) -> tuple[Line, dict[str, Described]]:
    parts: list[Part] = []
    described: dict[str, Described] = {}
    for item in chosen:
        name = _free_name(item.name or (*item.nouns, *item.counts, "x")[0], {**taken, **described})
        parts.append(Scalar(name))
        described[name] = Described(item.nouns, content, length or _same_length(content, taken), counts=item.counts)
    return Line((tuple(parts),)), described


def _stated_length(content: str, contexts: Sequence[Context], known: set[str]) -> Expression | None:
    """The length of a line's words that its words give: `a string s of length n`. All known lines must show it."""
    match = _OF_LENGTH.search(plain(content))
    length = expression(match[1]) if match else None
    if length is None or not length.names <= known or not contexts:
        return None
    lengths = [(_value_or_none(length, values), words) for words, values in contexts]
    return length if all(words and all(len(word) == wanted for word in words) for wanted, words in lengths) else None


def _same_length(content: str, taken: Mapping[str, Described]) -> Expression | None:
    """The length of the word described last, if this one is said to have the same form."""
    if not re.search(r"\bin the same (?:form|format|way)\b", content):
        return None
    return next(
        (described.length for described in reversed(list(taken.values())) if described.length is not None), None
    )


def _scalars(
    content: str, items: list[Item], named: list[Item], widths: set[int], known: set[str]
) -> list[Item] | None:
    """The items in the order of the line's words, if the known lines have as many words."""
    if not widths:
        return named or None
    if len(widths) > 1:
        return None
    (width,) = widths
    if len(named) == width:
        return named
    if len(named) > width and _stated_count(content) == width:
        return named[:width]
    if width == 1 and not named:
        bounds = items_of(" ".join(without_brackets(content)[1]), known, frozenset())
        named = [item for item in bounds if item.name] if len({item.name for item in bounds} - {""}) == 1 else []
    if width == len(named) == 1:
        return named
    if len(items) == width:
        return items
    before, _, after = content.partition(":")
    for part, more in ((after, nouns_of(before)), (before, ())):
        listed = [item for item in items_of(part, set(), frozenset()) if item.name or item.nouns] if part else []
        if len(listed) == width:
            return [Item(item.name, (*item.nouns, *more), item.counts) for item in listed]
    first = plain(content).split()
    if width > 1 and any(NUMBERS.get(word) == width for word in first[:4]):
        nouns = nouns_of(content)
        return [Item("", nouns)] * width
    if width == 1 and len(named) <= 1:
        return [Item(named[0].name if named else "", nouns_of(content), items[0].counts if items else ())]
    return None


def _stated_count(content: str) -> int | None:
    """How many numbers the words say that a line holds: `two integers`, `a single integer`."""
    match = re.match(
        r"(?:the )?(an?|\w+)(?: [a-z]+(?:-[a-z]+)*)?(?: [a-z]+(?:-[a-z]+)*)? (?:integers?|numbers?)\b", content.lower()
    )
    if match is None:
        return None
    return 1 if match[1] in ("a", "an") else NUMBERS.get(match[1]) or (int(match[1]) if match[1].isdecimal() else None)


def _listed_by_evidence(
    content: str, contexts: Sequence[Context], items: list[Item], taken: Mapping[str, Described]
) -> tuple[Line, dict[str, Described]]:
    """A list whose count is the only earlier number that fits all known lines."""
    names = set.intersection(*({n for n, v in values.items() if v == len(words)} for words, values in contexts)) if (
        contexts) else set()  # fmt: skip
    mentioned = [name for name in names if re.search(rf"\b{re.escape(name)}\b", plain(content))]
    if len(mentioned) != 1 and len(names) != 1:
        raise Unclear(f"it is not clear how many values a line holds: {content!r}")
    count = expression((mentioned or sorted(names))[0])
    assert count is not None
    name = _free_name(_head_noun(items, "item"), taken)
    return Line(((Listed(name, count),),)), {name: Described(nouns_of(content), content, listed=True)}


def _forms(content: str, contexts: Sequence[Context], statement: str) -> tuple[tuple[Part, ...], ...]:
    """The forms of a line that begins with a keyword, such as `IN b` or `OUT b`; none for any other line."""
    keywords = {words[0] for words, _ in contexts if words and re.fullmatch(r"[A-Za-z?+-][A-Za-z_]*|[+?-]", words[0])}
    spans = [" ".join((code or math).split()) for code, math in SPAN.findall(content)]
    shown = any(" " in span and _FORM.fullmatch(span) for span in spans)
    if not keywords or not (shown or _FORMS_FOLLOW.search(content)):
        return ()
    everywhere = [" ".join((code or math).split()) for code, math in SPAN.findall(statement)]
    found: dict[str, tuple[Part, ...]] = {}
    for span in spans if shown else everywhere:
        first, *rest = span.split(" ")
        if not re.fullmatch(r"[A-Za-z]+|[+?-]", first) or not all(NAME.fullmatch(word) for word in rest):
            continue
        if len(first) == 1 and first not in keywords:
            continue
        if first in found or (first not in keywords and not (shown or rest)):
            continue
        found[first] = (Word(first), *(Scalar(base_name(word)) for word in rest))
    if not keywords <= found.keys() or len(found) > MOST_FORMS:
        raise Unclear(f"the forms of a line are not described: {content!r}")
    lines = [(words, found[words[0]]) for words, _ in contexts]
    if any(len(words) != len(form) for words, form in lines):
        raise Unclear(f"a line has another form than described: {content!r}")
    return tuple(found.values())


def _sequence(content: str) -> tuple[str, Expression] | None:
    """The name and the count of `a_1 ... a_n`; None for other content."""
    match = _SEQUENCE.search(plain(content))
    if match is None:
        return None
    name, first, _, _, last = match.groups()
    count = (
        str(int(last) - int(first) + 1) if last.isdecimal() else last if first == "1" else f"{last} - {int(first) - 1}"
    )
    count = f"{last} + 1" if first == "0" and not last.isdecimal() else count
    found = expression(count)
    return (name, found) if found is not None else None


def _counted(content: str, known: set[str]) -> tuple[Expression, str] | None:
    """The count and the noun of `the n temperatures` or `the days 1 to n`; None for other content."""
    text = plain(content)
    for name, sign, other, noun in _COUNT_WITH_SIGN.findall(text):
        if name in known and (computed := expression(f"{name} {sign} {other}")) is not None:
            return computed, noun
    for name in re.findall(r"\b[A-Za-z]\w*\b", text):
        if name not in known:
            continue
        count = expression(name)
        assert count is not None
        found = re.search(rf"\b{re.escape(name)}((?: [a-z-]+)+)", text)
        words = found[1].split() if found else []
        nouns = [word for word in words[:4] if word.endswith("s") and word not in NOT_NOUNS] or words[:1]
        if nouns and not re.match(r"(?:and|is|of|are|or|in)\b", " ".join(words)):
            return count, nouns[0] if nouns[0] not in NOT_NOUNS else "integers"
        if re.search(rf"\b1 to {re.escape(name)}\b", text):
            return count, "integers"
    return None


def _head_noun(items: list[Item], otherwise: str) -> str:
    return next((item.nouns[0] for item in items if item.nouns), otherwise)


def _free_name(name: str, taken: Mapping[str, Any]) -> str:
    """The name, with a number after it if it is taken."""
    if name not in taken:
        return name
    return next(f"{name}{number}" for number in range(2, 1000) if f"{name}{number}" not in taken)


def _numbers_known(contexts: Sequence[Context]) -> set[str]:
    """The names that are numbers before every known line."""
    sets = [{name for name, value in values.items() if type(value) is int} for _, values in contexts]
    return set.intersection(*sets) if sets else set()


def _value_or_none(count: Expression, values: Mapping[str, Any]) -> int | None:
    try:
        return count.value(values)
    except (KeyError, ValueError):
        return None


def _must_fit(contexts: Sequence[Context], fits: Any, content: str) -> None:
    for words, values in contexts:
        try:
            good = fits(words, values)
        except (KeyError, ValueError):
            good = False
        if not good:
            raise Unclear(f"a known line with {len(words)} words does not fit {content!r}")
