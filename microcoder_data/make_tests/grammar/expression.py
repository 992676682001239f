"""Read arithmetic and relations as statements write them, over names of values: `n - 1`, `2n`, `n · k`, `10^5`, `|s|`.

    relations("1 ≤ l ≤ r ≤ n, 0 ≤ m ≤ 2 · 10^5", {"l", "r", "n", "m"})

Nothing is evaluated as Python: an expression is a small tree of numbers, names and five operators.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

LARGEST_POWER = 64
LARGEST_VALUE = 1 << 200

_SPELLINGS = (
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\leq?(?:slant)?(?![A-Za-z])|≤|⩽|&le;"), "<="),
    (re.compile(r"\\geq?(?:slant)?(?![A-Za-z])|≥|⩾|&ge;"), ">="),
    (re.compile(r"\\neq?(?![A-Za-z])|≠|!=|&ne;"), "!="),
    (re.compile(r"\\not\s*="), "!="),
    (re.compile(r"\\lt(?![A-Za-z])|&lt;"), "<"),
    (re.compile(r"\\gt(?![A-Za-z])|&gt;"), ">"),
    (re.compile(r"\\c?times(?![A-Za-z])|\\cdot(?![A-Za-z])|×|⋅|·"), "*"),
    (re.compile(r"\\(?:[lc]?dots|ldotp)\b|…"), "..."),
    (re.compile(r",\s*(?=<=|>=|!=|[<>])"), " "),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"−|–"), "-"),
    (re.compile(r"\\ell\b"), "ell"),
    (re.compile(r"(?<=\d)(?:,|\\,|\{,\}|_)(?=\d{3}\b)"), ""),
    (re.compile(r"\\(?:text|mathrm|mathit|left|right)\b|\\[,;! ]|[${}`]"), ""),
    (re.compile(r"(?<=\d)\s*<sup>\s*(\d+)\s*</sup>"), r"^\1"),
)
_TOKEN = re.compile(r"(\d+(?:\.\d+)?)|(\|[A-Za-z]\w*\||[A-Za-z]\w*(?:\[\w\])?)|([-+*/^()])|(\S)")
_SUBSCRIPT = re.compile(r"(?:_\{?(?:[i-rt-vxyz]|[a-z]{2})\}?|\[[a-z]\])(?=\|?\Z)")
"""A running index. In `d_s` and `d_m`, `s` and `m` are no numbers but say which `d` is meant."""
_OPERATOR = re.compile(r"(<=|>=|!=|<|>|=)")


def plain(text: str) -> str:
    """The text with one spelling for every sign (`<=`, `*`, `^`, `...`), without dollar signs, braces and back-ticks.

    >>> plain("$1 \\\\le n \\\\le 2 \\\\cdot 10^{5}$"), plain("`a` ≠ `b`")
    ('1 <= n <= 2 * 10^5', 'a != b')
    """
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return text


def base_name(name: str) -> str:
    """The name without a running index: the name of all items.

    >>> base_name("a_i"), base_name("h_ij"), base_name("x1"), base_name("b[i]")
    ('a', 'h', 'x1', 'b')
    """
    return _SUBSCRIPT.sub("", name)


@dataclass(frozen=True)
class Expression:
    """A number, a name, or two expressions with an operator between them."""

    tree: Any

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(_names(self.tree))

    @cached_property
    def divisors(self) -> frozenset[str]:
        """The names in what it divides by.

        >>> sorted(Expression(("/", "a", ("*", "b", 2))).divisors)
        ['b']
        """

        def within(tree: Any) -> set[str]:
            if not isinstance(tree, tuple):
                return set()
            found = {name for part in tree[1:] for name in within(part)}
            return found | set(_names(tree[2])) if tree[0] == "/" else found

        return frozenset(within(self.tree))

    def value(self, known: Mapping[str, Any]) -> int:
        """Its whole value; raises `KeyError` for a name that is not known, `ValueError` if it is no whole number."""
        found = self.number(known)
        if not isinstance(found, int):
            raise ValueError("no whole number")
        return found

    def number(self, known: Mapping[str, Any]) -> int | Fraction:
        """Its value; raises `KeyError` for a name that is not known, `ValueError` for one that is not a number."""
        return _value(self.tree, known) if self.names else self._constant

    @cached_property
    def _constant(self) -> int | Fraction:
        return _value(self.tree, {})

    @property
    def name(self) -> str:
        """The name, if the expression is only a name; else empty."""
        return self.tree if isinstance(self.tree, str) else ""

    def renamed(self, old: str, new: str) -> Expression:
        """The expression with another name in place of one of its names."""

        def of(tree: Any) -> Any:
            return (tree[0], *map(of, tree[1:])) if isinstance(tree, tuple) else new if tree == old else tree

        return Expression(of(self.tree))

    def __str__(self) -> str:
        """
        >>> str(expression("n(n - 1) / 2"))
        'n * (n - 1) / 2'
        """
        return _shown(self.tree)


@dataclass(frozen=True)
class Relation:
    """`left op right`, where op is <=, <, != or % (left is a multiple of right)."""

    left: Expression
    op: str
    right: Expression

    @cached_property
    def names(self) -> frozenset[str]:
        return self.left.names | self.right.names

    @cached_property
    def solved(self) -> Relation:
        """The relation with a name alone on a side, where that is a name and a number and the other side is a number.

        >>> one = Relation(Expression(2), "<=", Expression(("+", "n", 1))).solved
        >>> str(one.left), str(one.right)
        ('2 - 1', 'n')
        """
        if not self.bounds:
            return self
        (left, more), (right, other) = _with_number_apart(self.left.tree), _with_number_apart(self.right.tree)
        if isinstance(right, str) and other and not self.left.names:
            return Relation(Expression(_plus(self.left.tree, -other)), self.op, Expression(right))
        if isinstance(left, str) and more and not self.right.names:
            return Relation(Expression(left), self.op, Expression(_plus(self.right.tree, -more)))
        return self

    @property
    def bounds(self) -> bool:
        """Whether it says how large a value may be."""
        return self.op in ("<=", "<")

    def holds(self, known: Mapping[str, Any]) -> bool:
        if self.op == "!=" and self.left.name and self.right.name:
            return bool(known[self.left.name] != known[self.right.name])  # words too
        try:
            left, right = self.left.number(known), self.right.number(known)
        except ValueError:  # a side has no value: a division by zero, or a number that is far too large
            return False
        match self.op:
            case "<=":
                return left <= right
            case "<":
                return left < right
            case "%":
                return right != 0 and left % right == 0
        return left != right

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


def expression(text: str) -> Expression | None:
    """The expression that a text writes; None for any other text.

    >>> expression("2n - 1").value({"n": 4}), expression("10^9 + 7").value({}), expression("the end") is None
    (7, 1000000007, True)
    """
    tokens = _TOKEN.findall(plain(text))
    if not tokens or any(other for *_, other in tokens):
        return None
    flat = [number or base_name(name) or sign for number, name, sign, _ in tokens]
    try:
        tree, rest = _sum(flat)
        found = Expression(tree)
        if rest:
            return None
        if not found.names:
            found.number({})
        return found
    except (ValueError, IndexError, RecursionError):
        return None


def relations(text: str, names: Collection[str]) -> tuple[list[Relation], str]:
    """The relations that a clause states between `names` and numbers, and what is left of the clause.

    >>> found, rest = relations("1 ≤ n, q ≤ 80, n ≤ D and nothing else", {"n", "q", "D"})
    >>> [str(relation) for relation in found], rest.strip()
    (['1 <= n', '1 <= q', 'n <= 80', 'q <= 80', 'n <= D'], 'and nothing else')
    """
    parts = _OPERATOR.split(plain(text))
    if len(parts) < 3:
        return [], plain(text)
    segments, operators = parts[::2], parts[1::2]
    before, segments[0] = _tail(segments[0], names)
    segments[-1], after = _head(segments[-1], names)
    left: list[str] = [before]
    found: list[Relation] = []
    position = 0  # the segment's number in its chain of relations
    current = _listed(segments[0])
    for index, operator in enumerate(operators):
        following = segments[index + 1]
        position += 1
        starts_next = None
        first_is_number = position == 1 and all(item and not item.names for item in current)
        items = _listed(following)
        if len(items) > 1 and not (first_is_number and all(item and item.names for item in items)):
            if index + 1 < len(operators):
                starts_next, items = items[-1:], items[:-1]
        elif None in items:
            head, rest = _head(following, names)
            rest, tail = _tail(rest, names)
            left.append(rest)
            items, starts_next = _listed(head), _listed(tail)
        for one in current:
            for other in items:
                if one is not None and other is not None:
                    found += _related(one, operator, other)
                else:
                    left.append(f"{operator} ?")
        current = items if starts_next is None else starts_next
        position = position if starts_next is None else 0
    return found, " ".join([*left, after])


def _related(one: Expression, operator: str, other: Expression) -> list[Relation]:
    if operator == "=":
        return [Relation(one, "<=", other), Relation(other, "<=", one)]
    if operator.startswith(">"):
        return [Relation(other, operator.replace(">", "<"), one)]
    return [Relation(one, operator, other)]


def _listed(text: str) -> list[Expression | None]:
    return [expression(item) for item in text.split(",")]


def _words(text: str) -> list[str]:
    return re.findall(r"\d+\.\d+|\|\w+\||\w+(?:\[\w\])?|\s+|.", text)


def _fits(word: str, names: Collection[str]) -> bool:
    """Whether a word can be part of an expression over these names."""
    if word.isspace() or re.fullmatch(r"\d+(?:\.\d+)?", word) or word in "+-*/^(),":
        return True
    inner = word.strip("|")
    multiplied = re.fullmatch(r"\d+([A-Za-z]\w*)", inner)
    return base_name(multiplied[1] if multiplied else inner) in names


def _tail(text: str, names: Collection[str]) -> tuple[str, str]:
    """A text cut before its longest end that can be an expression."""
    words = _words(text)
    at = len(words)
    while at and _fits(words[at - 1], names):
        at -= 1
    while at < len(words) and words[at] in (",", ")", " "):
        at += 1
    return "".join(words[:at]), "".join(words[at:])


def _head(text: str, names: Collection[str]) -> tuple[str, str]:
    """A text cut after its longest beginning that can be an expression."""
    words = _words(text)
    at = 0
    while at < len(words) and _fits(words[at], names):
        at += 1
    while at and (words[at - 1] in (",", "(") or words[at - 1].isspace()):
        at -= 1
    head = "".join(words[:at])
    while head and head.count(")") > head.count("("):
        head = head[: head.rindex(")")]
    return head, "".join(words)[len(head) :]


def _sum(tokens: list[str]) -> tuple[Any, list[str]]:
    if tokens[0] == "-":
        value, rest = _product(tokens[1:])
        value = ("-", 0, value)
    else:
        value, rest = _product(tokens)
    while rest and rest[0] in "+-":
        other, more = _product(rest[1:])
        value, rest = (rest[0], value, other), more
    return value, rest


def _product(tokens: list[str]) -> tuple[Any, list[str]]:
    value, rest = _power(tokens)
    while rest and rest[0] not in "+-)":
        sign = rest[0] if rest[0] in "*/" else "*"
        if rest[0] in "*/":
            rest = rest[1:]
        elif rest[0] == "(":
            pass
        elif not isinstance(value, (int, Fraction)) or rest[0][0].isdigit():
            raise ValueError("two in a row, and only 2n and n(n-1) are products")
        other, more = _power(rest)
        value, rest = (sign, value, other), more
    return value, rest


def _power(tokens: list[str]) -> tuple[Any, list[str]]:
    value, rest = _item(tokens)
    if rest and rest[0] == "^":
        power, rest = _item(rest[1:])
        value = ("^", value, power)
    return value, rest


def _item(tokens: list[str]) -> tuple[Any, list[str]]:
    first = tokens[0]
    if first == "(":
        value, rest = _sum(tokens[1:])
        if not rest or rest[0] != ")":
            raise ValueError("no closing bracket")
        return value, rest[1:]
    if first[0].isdigit():
        return int(first) if first.isdigit() else _whole(Fraction(first)), tokens[1:]
    if first[0].isalpha() or first[0] == "|":
        return first, tokens[1:]
    raise ValueError("no number and no name")


def _names(tree: Any) -> list[str]:
    if isinstance(tree, tuple):
        return [name for part in tree[1:] for name in _names(part)]
    return [tree] if isinstance(tree, str) else []


def _value(tree: Any, known: Mapping[str, Any]) -> int | Fraction:
    if isinstance(tree, (int, Fraction)):
        return tree
    if isinstance(tree, str):
        return _number(tree, known[tree])
    return _whole(_combined(tree[0], _value(tree[1], known), _value(tree[2], known)))


def _number(name: str, value: Any) -> int | Fraction:
    if isinstance(value, (Decimal, Fraction)):
        return Fraction(value)
    if type(value) is not int:
        raise ValueError(f"{name} is not a number")
    return value


def _combined(sign: str, left: Any, right: Any) -> Any:
    match sign:
        case "+":
            found = left + right
        case "-":
            found = left - right
        case "*":
            found = left * right
        case "/":
            if not right:
                raise ValueError("division by zero")
            found = Fraction(left) / Fraction(right)
        case _:
            if isinstance(right, Fraction) or not 0 <= right <= LARGEST_POWER or abs(left) >= 1 << 64:
                raise ValueError("too large a power")
            found = left**right
    if abs(found) > LARGEST_VALUE:
        raise ValueError("too large a number")
    return found


def _whole(value: int | Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _shown(tree: Any) -> str:
    if not isinstance(tree, tuple):
        return str(tree)
    sides = [
        f"({_shown(side)})" if tree[0] in "*/^" and isinstance(side, tuple) and side[0] in "+-" else _shown(side)
        for side in tree[1:]
    ]
    return f"{sides[0]} {tree[0]} {sides[1]}"


def _with_number_apart(tree: Any) -> tuple[Any, int]:
    """A tree without the whole numbers that are added to it at its end, and their sum."""
    number = 0
    while isinstance(tree, tuple) and tree[0] in ("+", "-") and type(tree[2]) is int and tree[1] != 0:
        number += tree[2] if tree[0] == "+" else -tree[2]
        tree = tree[1]
    return tree, number


def _plus(tree: Any, number: int) -> Any:
    rest, already = _with_number_apart(tree)
    number += already
    return rest if not number else ("+", rest, number) if number > 0 else ("-", rest, -number)
