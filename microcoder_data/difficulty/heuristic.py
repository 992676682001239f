"""Difficulty without a model: a linear estimate of a problem's contest rating from its solutions, constraints and tags.

The weights were fitted once, on public rated problems, by `bench/difficulty_weights.py`. That script says on which, and
how well the weights do on others. Features that a row lacks (no solution, no tags) are left out of the sum. Native
ratings are never read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from microcoder_data.difficulty.code_metrics import Measures, measure
from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row

NAME = "heuristic_v2"
EASIEST, HARDEST = 800.0, 3200.0
"""The ratings that are 1 and 5 on the scale of predicted difficulty."""
MOST_SOLUTIONS = 5
WORDS_READ = 20_000

# Each feature counts by its distance from the average over problems of the same kind (programs or functions). The
# average program and the average function are taken as equally hard: a program also has to read and print, and sources
# rate on different scales.
BASE = 1800.0
CENTRES: Mapping[str, Mapping[str, float]] = {
    "stdin": {"volume": 7.44, "cyclomatic": 2.57, "words": 5.7, "bound": 6.6, "modulo": 0.17}
    | {"tags": 0.09, "hardest_tag": 0.31},
    "call": {"volume": 6.33, "cyclomatic": 1.71, "words": 5.11, "bound": 6.21, "modulo": 0.07}
    | {"tags": -0.03, "hardest_tag": 0.21},
}
WEIGHTS: Mapping[str, float] = {
    "volume": 224.2,
    "cyclomatic": 97.4,
    "words": 37.2,
    "bound": 2.9,
    "modulo": 231.4,
    "tags": 343.5,
    "hardest_tag": 102.0,
}
VOLUME_OF_LANGUAGE = {"python": 0.5}
"""Added to the volume: Python's syntax tree has fewer operators than the tokens of other languages."""

# How hard the problems of a topic tend to be. A tag has the value of the first line with a word that is part of it.
_TOPICS = (
    (
        0.8,
        "segment tree, indexed, fenwick, monotonic, topological, suffix, hashing, rolling, hash function, fft, flow, "
        "matching, meet-in, convex, ordered set, 2-sat, strongly, euler, spanning, line sweep, interactive, trie",
    ),
    (
        -0.4,
        "implementation, simulation, brute force, enumeration, complete search, counting, linked list, string, basic, "
        "input, output, conditional, loop",
    ),
    (-0.2, "math, sort, greedy, array, hash table, constructive, two pointer, ad-hoc, number theory"),
    (
        0.4,
        "binary search, bit, backtrack, recursion, combinatoric, dynamic, dp, memo, game, search, geometry, heap, "
        "matri, priority queue, graph, tree, union, dsu, disjoint, stack, prefix, sliding, shortest path, divide, "
        "probabilit, quer, data structure",
    ),
)
_BOUND = re.compile(r"10\s*(?:\^|\*\*)\s*\{?\s*(\d{1,2})|(?<![\d.])(\d{1,3}(?:(?:,|\\,|\s)000)+|[1-9]\d*000+)(?![\d.])")
_WORD = re.compile(r"[^\W\d_]+")
_MODULO = re.compile(r"\bmodulo\b|998\s?244\s?353|10\s*\^\s*\{?9\}?\s*\+\s*7|1\s?000\s?000\s?007|10\*\*9\s*\+\s*7")


def features(row: Row) -> dict[str, float]:
    """The features of a row; a feature that cannot be measured is left out."""
    text = whole_text(row)[:WORDS_READ]
    found = {
        "words": math.log1p(len(_WORD.findall(text))),
        "modulo": float(bool(_MODULO.search(text))),
    }
    if bounds := list(_bounds(text)):
        found["bound"] = max(bounds)
    if topics := [_topic(tag) for tag in row["tags"] or ()]:
        found["tags"] = sum(topics) / len(topics)
        found["hardest_tag"] = max(topics)
    if program := _simplest(row):
        figures, language = program
        found["volume"] = math.log1p(figures.volume) + VOLUME_OF_LANGUAGE.get(language, 0.0)
        found["cyclomatic"] = math.log1p(figures.cyclomatic)
    return found


def rating(row: Row, measured: Mapping[str, float] | None = None) -> float:
    """The estimated contest rating, on the scale of Codeforces."""
    measured = features(row) if measured is None else measured
    kind = "stdin" if row["kind"] in ("stdin", "interactive") else "call"
    return BASE + sum(WEIGHTS[name] * (value - CENTRES[kind][name]) for name, value in sorted(measured.items()))


def score(row: Row) -> tuple[float, str]:
    """The difficulty from 1 to 5, and a text of the features that it was computed from."""
    measured = features(row)
    estimate = rating(row, measured)
    shown = ", ".join(f"{name} {value:.2f}" for name, value in sorted(measured.items()))
    on_scale = 1 + 4 * (estimate - EASIEST) / (HARDEST - EASIEST)
    return round(min(5.0, max(1.0, on_scale)), 4), f"rating {estimate:.0f}; {shown}"


def _simplest(row: Row) -> tuple[Measures, str] | None:
    """Measure the shortest right solution: a longer one reflects its author more than the problem."""
    right = [program for program in row["solutions"] or () if program["correct"] is not False]
    measured: list[tuple[Measures, str]] = []
    for program in sorted(right, key=lambda program: len(program["code"]))[:MOST_SOLUTIONS]:
        language = (program["language"] or "python").lower()
        language = "python" if language.startswith("py") else language
        if figures := measure(program["code"], language):
            measured.append((figures, language))
    return min(measured, key=lambda pair: (pair[0].volume, pair[1])) if measured else None


def _bounds(text: str) -> Iterator[float]:
    """The sizes in a statement's constraints, as powers of ten."""
    for found in _BOUND.finditer(text):
        power = float(found[1]) if found[1] else math.log10(max(1, int(re.sub(r"\D", "", found[2]))))
        if power <= 18.5:
            yield power


@lru_cache(maxsize=4096)
def _topic(tag: str) -> float:
    name = tag.lower()
    return next((value for value, words in _TOPICS if any(word in name for word in words.split(", "))), 0.0)
