"""Function tasks for a small language model: 48 families of five, from those it always solves to those it never solves.

    train, test = make_tasks()              # 180 and 60 problems in the interchange form, kind `call`

Training and test tasks have no family in common, so a model that memorises the training tasks gains nothing in the test.
"""
# ruff: noqa: E501 (a table)

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

TESTS, DRAWN = 8, 200
HELD_OUT = frozenset(
    {
        "minus", "at_most", "is_multiple", "count_multiples",
        "last_chars", "count_letter", "starts_with", "longer_than",
        "last_items", "larger_than", "each_times", "count_equal",
    }
)  # fmt: skip
"""The families of the test tasks: of each kind of argument four, easy and hard ones."""

NUMBERS, TEXTS, LISTS, WORDS = "number", "text", "list of numbers", "list of words"
_PARAMETER = {NUMBERS: "n", TEXTS: "text", LISTS: "numbers", WORDS: "words"}
_SMALLEST: dict[str, list[Any]] = {NUMBERS: [0, 1], TEXTS: ["", "a"], LISTS: [[], [3]], WORDS: [[], ["fig"]]}
_VOCABULARY = [
    "apple", "banana", "basil", "cherry", "date", "elder", "fig", "grape", "hazel", "iris", "jade", "kiwi", "leek",
    "lemon", "mango", "nut", "olive", "pear", "pineapple", "raspberry",
]  # fmt: skip


@dataclass(frozen=True)
class Family:
    """Five tasks that differ in one value."""

    name: str
    argument: str
    """What the function gets."""
    asked: str
    """What it returns, with {k} for the value."""
    values: tuple[Any, ...]
    answer: Callable[[Any, Any], Any]


FAMILIES = (
    Family("plus", NUMBERS, "n plus {k}", (1, 3, 10, 25, 100), lambda n, k: n + k),
    Family("minus", NUMBERS, "n minus {k}", (1, 4, 10, 30, 100), lambda n, k: n - k),
    Family("times", NUMBERS, "n times {k}", (2, 3, 5, 10, 12), lambda n, k: n * k),
    Family("from", NUMBERS, "{k} minus n", (1, 5, 10, 50, 100), lambda n, k: k - n),
    Family("square_plus", NUMBERS, "the square of n, plus {k}", (1, 2, 5, 7, 10), lambda n, k: n * n + k),
    Family("to_the_power", NUMBERS, "n to the power of {k}", (2, 3, 4, 5, 6), lambda n, k: n**k),
    Family("remainder", NUMBERS, "the remainder of n divided by {k}", (2, 3, 5, 7, 10), lambda n, k: n % k),
    Family("is_multiple", NUMBERS, "True if n is divisible by {k}, else False", (2, 3, 4, 5, 7), lambda n, k: n % k == 0),
    Family("at_least", NUMBERS, "n, but never less than {k}", (0, 1, 5, 10, 20), lambda n, k: max(n, k)),
    Family("at_most", NUMBERS, "n, but never more than {k}", (3, 5, 9, 10, 30), lambda n, k: min(n, k)),
    Family("distance", NUMBERS, "how far n is from {k}, as a number that is never negative", (1, 5, 7, 10, 20), lambda n, k: abs(n - k)),
    Family("round_down", NUMBERS, "the largest multiple of {k} that is not larger than n", (2, 5, 7, 10, 25), lambda n, k: n // k * k),
    Family("count_multiples", NUMBERS, "how many of the numbers from 1 to n are divisible by {k}", (2, 3, 4, 6, 10), lambda n, k: max(0, n) // k),
    Family("sum_multiples", NUMBERS, "the sum of all multiples of {k} from 1 to n", (2, 3, 4, 5, 9), lambda n, k: sum(range(k, n + 1, k))),
    Family("has_digit", NUMBERS, "True if the decimal digits of n contain the digit {k}, else False", (0, 1, 3, 5, 9), lambda n, k: str(k) in str(abs(n))),
    Family("down_to", NUMBERS, "the list of the whole numbers from n down to {k}, and an empty list if n is less than {k}", (0, 1, 2, 5, 10), lambda n, k: list(range(n, k - 1, -1))),
    Family("repeated", TEXTS, "the text repeated {k} times", (2, 3, 4, 5, 10), lambda s, k: s * k),
    Family("first_chars", TEXTS, "the first {k} characters of the text", (1, 2, 3, 4, 5), lambda s, k: s[:k]),
    Family("last_chars", TEXTS, "the last {k} characters of the text", (1, 2, 3, 4, 5), lambda s, k: s[-k:]),
    Family("without_first", TEXTS, "the text without its first {k} characters", (1, 2, 3, 4, 5), lambda s, k: s[k:]),
    Family("every_kth", TEXTS, "every {k}th character of the text, beginning with the first", (2, 3, 4, 5, 6), lambda s, k: s[::k]),
    Family("count_letter", TEXTS, "how often the letter {k!r} occurs in the text", ("a", "e", "i", "n", "r"), lambda s, k: s.count(k)),
    Family("without_letter", TEXTS, "the text without the letter {k!r}", ("a", "e", "i", "l", "r"), lambda s, k: s.replace(k, "")),
    Family("letter_to_dash", TEXTS, "the text with each letter {k!r} replaced by '-'", ("a", "e", "i", "n", "p"), lambda s, k: s.replace(k, "-")),
    Family("starts_with", TEXTS, "True if the text begins with {k!r}, else False", ("a", "ba", "c", "le", "p"), lambda s, k: s.startswith(k)),
    Family("with_prefix", TEXTS, "the text with {k!r} put before it", ("a ", "no ", "re", "the ", "un"), lambda s, k: k + s),
    Family("with_suffix", TEXTS, "the text with {k!r} put behind it", ("!", "?", "ed", "ing", "s"), lambda s, k: s + k),
    Family("longer_than", TEXTS, "True if the text has more than {k} characters, else False", (3, 4, 5, 8, 10), lambda s, k: len(s) > k),
    Family("padded", TEXTS, "the text with zeros put before it until it has at least {k} characters", (4, 6, 8, 10, 12), lambda s, k: "0" * (k - len(s)) + s),
    Family("words_with", TEXTS, "how many words of the text, separated by spaces, contain the letter {k!r}", ("a", "e", "i", "g", "n"), lambda s, k: sum(k in word for word in s.split())),
    Family("joined", WORDS, "the words joined by {k!r}", (", ", "-", " and ", "/", ""), lambda w, k: k.join(w)),
    Family("words_longer", WORDS, "the list of the words that have more than {k} letters", (2, 3, 4, 5, 6), lambda w, k: [each for each in w if len(each) > k]),
    Family("first_items", LISTS, "the first {k} numbers of the list", (1, 2, 3, 4, 5), lambda x, k: x[:k]),
    Family("last_items", LISTS, "the last {k} numbers of the list", (1, 2, 3, 4, 5), lambda x, k: x[-k:]),
    Family("without_last", LISTS, "the list without its last {k} numbers", (1, 2, 3, 4, 5), lambda x, k: x[:-k]),
    Family("larger_than", LISTS, "the list of the numbers that are larger than {k}", (0, 3, 5, 8, 10), lambda x, k: [n for n in x if n > k]),
    Family("all_but", LISTS, "the list without the numbers that are equal to {k}", (0, 1, 2, 3, 5), lambda x, k: [n for n in x if n != k]),
    Family("count_equal", LISTS, "how many numbers of the list are equal to {k}", (0, 1, 2, 3, 5), lambda x, k: x.count(k)),
    Family("sum_larger", LISTS, "the sum of the numbers that are larger than {k}", (0, 2, 4, 5, 10), lambda x, k: sum(n for n in x if n > k)),
    Family("each_plus", LISTS, "the list with {k} added to each number", (1, 2, 5, 10, 50), lambda x, k: [n + k for n in x]),
    Family("each_times", LISTS, "the list with each number multiplied by {k}", (2, 3, 4, 5, 10), lambda x, k: [n * k for n in x]),
    Family("with_item", LISTS, "the list with the number {k} added at its end", (0, 1, 7, 9, 100), lambda x, k: [*x, k]),
    Family("has_item", LISTS, "True if the number {k} is in the list, else False", (0, 1, 2, 3, 7), lambda x, k: k in x),
    Family("index_larger", LISTS, "the index of the first number that is larger than {k}, or -1 if there is none", (1, 3, 5, 8, 10), lambda x, k: next((i for i, n in enumerate(x) if n > k), -1)),
    Family("sorted_top", LISTS, "the {k} largest numbers of the list, the largest first", (1, 2, 3, 4, 5), lambda x, k: sorted(x, reverse=True)[:k]),
    Family("rotated", LISTS, "the list turned left by {k} places: the first {k} numbers move to its end", (1, 2, 3, 4, 5), lambda x, k: x[k:] + x[:k]),
    Family("in_pieces", LISTS, "the list cut into lists of {k} numbers; the last one may be shorter", (2, 3, 4, 5, 6), lambda x, k: [x[i : i + k] for i in range(0, len(x), k)]),
    Family("window_sums", LISTS, "the list of the sums of each {k} neighbouring numbers", (2, 3, 4, 5, 6), lambda x, k: [sum(x[i : i + k]) for i in range(len(x) - k + 1)]),
)  # fmt: skip


def make_tasks() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The training and the test tasks. Each asks for its function in a chat model's words.

    >>> train, test = make_tasks()
    >>> len(train), len(test), train[0]["entry_point"], train[0]["tests"][0]
    (180, 60, 'plus_1', {'input': [0], 'output': 1})
    """
    train: list[dict[str, Any]] = []
    test: list[dict[str, Any]] = []
    for family in FAMILIES:
        tasks = [_task(family, number, value) for number, value in enumerate(family.values, 1)]
        (test if family.name in HELD_OUT else train).extend(tasks)
    return train, test


def _task(family: Family, number: int, value: Any) -> dict[str, Any]:
    plain = isinstance(value, int) or (isinstance(value, str) and value.isalpha())
    name = f"{family.name}_{value if plain else number}"
    parameter = _PARAMETER[family.argument]
    asked = family.asked.format(k=value)
    return {
        "id": name.replace("_", "-"),
        "kind": "call",
        "entry_point": name,
        "prompt": f"Write a Python function `{name}({parameter})` that gets a {family.argument} and returns {asked}. "
        "Reply with only the code.",
        "platform": family.argument,
        "tests": [{"input": [each], "output": family.answer(each, value)} for each in _arguments(family, value, name)],
    }


def _arguments(family: Family, value: Any, name: str) -> list[Any]:
    """Arguments for the tests, with as many different answers as possible. The same in every call."""
    drawn = random.Random(name)
    candidates = [*_SMALLEST[family.argument], *(_draw(family.argument, drawn) for _ in range(DRAWN))]
    by_answer: dict[str, list[Any]] = {}
    for each in candidates:
        by_answer.setdefault(repr(family.answer(each, value)), []).append(each)
    in_turn = [each for row in zip_longest(*by_answer.values()) for each in row if each is not None]
    return in_turn[:TESTS]


def _draw(kind: str, drawn: random.Random) -> Any:
    if kind == NUMBERS:
        return drawn.randint(2, 120)
    if kind == LISTS:
        return [drawn.randint(0, 12) for _ in range(drawn.randint(4, 9))]
    words = drawn.choices(_VOCABULARY, k=drawn.randint(1, 5))
    return words if kind == WORDS else " ".join(words)
