"""Bounds in the descriptions of lines: in formulas, in words, and those of a name that an earlier line has too.

formulas("two integers $a$ and $b$ ($1 \\\\le a, b \\\\le 9$)")         # ["$1 \\\\le a, b \\\\le 9$"]
in_words({"a": Described(text="a positive integer not exceeding 20")}, frozenset())      # 1 <= a, a <= 20
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from microcoder_data.make_tests.grammar.contents import Described
from microcoder_data.make_tests.grammar.expression import Expression, Relation, expression, plain
from microcoder_data.make_tests.grammar.sentences import BOUND, without_brackets

_NUMBER = r"(\d[\d ^*]*|[A-Za-z]\b)"
_POSITIVE = re.compile(r"(?<!non-)\bpositive integers?\b")
_NOT_NEGATIVE = re.compile(r"\bnon-?negative integers?\b")
_AT_MOST = re.compile(
    rf"\b(?:less than or equal to|not exceeding|at most|(?:no|not) (?:more|greater|larger) than) {_NUMBER}"
)
_BETWEEN = re.compile(rf"\b(?:between|from|in the range) {_NUMBER}(?:and|to) {_NUMBER}")
_MOST_LETTERS = re.compile(r"\b(?:at most|(?:no|not) more than|up to) (\d+) (?:letters|characters|symbols)\b")


def formulas(description: str) -> list[str]:
    """The bounds in the description of a line: in its brackets, and in the formulas outside of them."""
    outside, inside = without_brackets(description)
    shown = [code or math for code, math in re.findall(r"`([^`]+)`|\$([^$]+)\$", outside)]
    return [text for text in [*inside, *shown] if BOUND.search(text)]


def in_words(described: Mapping[str, Described], words: frozenset[str]) -> list[Relation]:
    """The bounds that a line's description gives in words to its only value; `positive` also to all its integers."""
    found = []
    for text in dict.fromkeys(one.text for one in described.values()):
        names = [name for name, one in described.items() if one.text == text]
        shown, numbers = plain(text), [name for name in names if name not in words]
        for sign, least in ((_POSITIVE, 1), (_NOT_NEGATIVE, 0)):
            if len(sign.findall(shown)) == len(re.findall(r"\bintegers?\b", shown)) > 0:
                found += [Relation(Expression(least), "<=", Expression(name)) for name in numbers]
        if len(names) > 1:
            continue
        own = Expression(names[0] if numbers else f"|{names[0]}|")
        if not numbers:
            found += [Relation(own, "<=", Expression(int(match[1]))) for match in _MOST_LETTERS.finditer(shown)]
            found += [Relation(Expression(1), "<=", own)] if re.search(r"\bnon-?empty\b", shown) else []
            continue
        if (match := _BETWEEN.search(shown)) and (low := expression(match[1])) and (high := expression(match[2])):
            found += [Relation(low, "<=", own), Relation(own, "<=", high)]
        elif (match := _AT_MOST.search(shown)) and (high := expression(match[1])):
            found.append(Relation(own, "<=", high))
    return [one for one in found if one.names <= described.keys() | {f"|{name}|" for name in words}]


def without_absolute_value(relation: Relation, numbers: Collection[str]) -> list[Relation]:
    """Two relations for `|x| <= 10^6`, where `x` is a number; any other relation as it is."""
    name = relation.left.name.strip("|")
    if relation.left.name != f"|{name}|" or name not in numbers:
        return [relation]
    least = Expression(("-", 0, relation.right.tree))
    return [
        Relation(least, relation.op, Expression(name)),
        Relation(Expression(name), relation.op, relation.right),
    ]


def of_repeated_names(
    described: Mapping[str, Described], relations: Sequence[Relation], words: frozenset[str]
) -> list[Relation]:
    """The relations for `x2` as for `x`: the value that two lines call `x` has the same bounds on both."""
    found = []
    bounded = {name for relation in relations for name in relation.names}
    for text in dict.fromkeys(one.text for one in described.values()):
        again = {}
        for name, one in described.items():
            match = re.fullmatch(r"([A-Za-z]+)\d+", name)
            if one.text == text and match and match[1] in described and name not in bounded | words:
                again[match[1]] = name
        found += [
            Relation(_renamed(relation.left, again), relation.op, _renamed(relation.right, again))
            for relation in relations
            if relation.names & again.keys()
        ]
    return found


def _renamed(original: Expression, names: Mapping[str, str]) -> Expression:
    def of(tree: Any) -> Any:
        if isinstance(tree, tuple):
            return (tree[0], *map(of, tree[1:]))
        return names.get(tree, tree) if isinstance(tree, str) else tree

    return Expression(of(original.tree))
