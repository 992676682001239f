"""The values that the words of a statement name: `two towns a and b and the toll` names a, b and the toll.

items_of("two towns `a` and `b` and the toll", known=set(), tokens=frozenset())
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from microcoder_data.make_tests.grammar.expression import base_name, plain
from microcoder_data.make_tests.grammar.sentences import without_brackets

SPAN = re.compile(r"`([^`]+)`|\$([^$]+)\$")
NAME = re.compile(r"[A-Za-z]\w{0,2}(?:_\{?\w+\}?)?|[a-z]+[A-Z]?")
_BARE = re.compile(r"(?<![\w'-])(?!(?:a|A|I)\s+[a-z]{2})([A-Za-z](?:_\{?\w+\}?|\d)?)(?![\w'-])")
_NUMBERED = re.compile(r"[$`]([ijk])(?:[$`]-?|-|\^\{?(?:\\\w+\{)?)th\b")
"""The `i` of `the i-th`."""
NOT_NOUNS = frozenset(
    [
        "the",
        "a",
        "an",
        "its",
        "their",
        "his",
        "of",
        "and",
        "in",
        "on",
        "at",
        "to",
        "for",
        "with",
        "from",
        "by",
        "each",
        "every",
        "all",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "integers",
        "integer",
        "numbers",
        "different",
        "distinct",
        "other",
        "first",
        "second",
        "third",
        "present",
        "secret",
        "number",
        "word",
        "words",
        "positive",
        "non-negative",
        "space-separated",
        "separated",
        "single",
    ]
)


@dataclass(frozen=True)
class Item:
    """One value that the words name."""

    name: str
    nouns: tuple[str, ...]
    counts: tuple[str, ...] = ()


def items_of(content: str, known: set[str], tokens: frozenset[str]) -> list[Item]:
    """The values that the words name: `two towns a and b and the toll` gives a, b and the toll.

    known: the names of earlier numbers. tokens: the words of the known lines; a letter in code that is one of them is
    a value, not a name.
    """
    found: list[Item] = []
    before: tuple[str, ...] = ()
    counting = False
    running = {name for name in "ij" if re.search(rf"_\{{?{name}\b", content)} | set(_NUMBERED.findall(content))
    signs = any(len(code or math) == 1 and not (code or math).isalnum() for code, math in SPAN.findall(content))
    for part in _parts(content):
        spans = [plain(code or math).strip() for code, math in SPAN.findall(part)]
        names = [base_name(name) for span in spans for name in _named(span)]
        if "`" not in content and "$" not in content:
            names = [base_name(name) for name in _BARE.findall(part)]
        if signs:  # in "a string of `V` and `.`", `V` is a letter and no name
            names = [name for name in names if len(name) > 1 or not any(name in word for word in tokens)]
        names = [name for name in names if name not in running]  # the `i` of "`c_i`, the cash of the `i`-th"
        new = [name for name in names if name not in known and name not in tokens
               and name not in [item.name for item in found]]  # fmt: skip
        nouns = nouns_of(part)
        counting = bool(re.search(r"\b(?:number|count)s? of\b", part)) or (counting and part.startswith("of "))
        counts = nouns if counting else ()
        before = () if counting else nouns or before
        if new:
            found += [Item(name, before, counts) for name in new]
        elif counting or (nouns and not names):
            found.append(Item("", before, counts))
    return found


def _named(span: str) -> list[str]:
    """The names that a formula names: itself, a list of names, or the names that it bounds by numbers.

    >>> _named("n"), _named("x, y"), _named("1 <= n <= 800"), _named("1 <= a < b <= n"), _named("n - 1")
    (['n'], ['x', 'y'], ['n'], ['a', 'b', 'n'], [])
    """
    names = [part.strip() for part in re.split(r"<=|>=|<|>|,", span)]
    if len(names) > 1 and not re.search(r"[<>]", span) and not all(map(NAME.fullmatch, names)):
        return []
    return [name for name in names if NAME.fullmatch(name)]


def _parts(content: str) -> Iterator[str]:
    text, _ = without_brackets(content.partition(":")[0] or content)
    text = SPAN.sub(lambda span: span[0].replace(", ", ","), text)
    for part in re.split(r",\s+(?:and\s+)?|\s+and\s+|;\s+", text):
        if part.strip():
            yield part


def nouns_of(text: str) -> tuple[str, ...]:
    """The words of a text that may be nouns, in the singular, in their order.

    >>> nouns_of("the length of a road between them"), nouns_of("the `n` temperatures")
    (('length', 'road', 'between', 'them'), ('temperature',))
    """
    words = re.findall(r"[a-z]+(?:-[a-z]+)*", re.sub(r"`[^`]*`|\$[^$]*\$", " ", text.lower()))
    return tuple(dict.fromkeys(singular(word) for word in words if word not in NOT_NOUNS and len(word) > 2))


def singular(word: str) -> str:
    """The singular of an English noun, by its ending.

    >>> singular("heights"), singular("cities"), singular("thicknesses"), singular("mass")
    ('height', 'city', 'thickness', 'mass')
    """
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
