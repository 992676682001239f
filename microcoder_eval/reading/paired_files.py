"""Tests that are pairs of files: which file is the input and which one the output, by their names.

    pairs, rest = paired_files(["tests/1.in", "tests/1.ans", "tests/2.in"])
    pairs                                                       # [Pair("tests/1.in", "tests/1.ans")]
    rest                                                        # ["tests/2.in"]

It only compares names. It opens no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_INPUT = frozenset({"in", "inp", "input", "inputs", "stdin", "dat"})
_OUTPUT = frozenset(
    {"out", "output", "outputs", "stdout", "ans", "answer", "answers", "expected", "expect", "result", "results"}
)
_SAMPLE = frozenset({"sample", "samples", "example", "examples", "public"})
_WORD = re.compile(r"[a-z]+|\d+|[^a-z\d]")
_TEXT_ENDING = re.compile(r"\.(txt|text|json)$")


class Pair(NamedTuple):
    """The two files of a test."""

    input: str
    output: str

    @property
    def is_sample(self) -> bool:
        return bool(_SAMPLE & set(_words(self.input)))


def paired_files(names: Iterable[str]) -> tuple[list[Pair], list[str]]:
    """The tests among files, samples first and then by number; and the inputs and outputs that have no partner.

    >>> paired_files(["input/input00.txt", "output/output00.txt", "01", "01.a", "notes.txt"])[0]
    [Pair(input='input/input00.txt', output='output/output00.txt'), Pair(input='01', output='01.a')]
    """
    inputs: dict[str, list[str]] = {}
    outputs: dict[str, list[str]] = {}
    others: dict[str, str] = {}
    for name in sorted(names):
        side, key = _side_and_key(name)
        if side is None:
            others[name.lower()] = name
        else:
            (inputs if side == "in" else outputs).setdefault(key, []).append(name)
    pairs, alone = [], [name for key in inputs.keys() - outputs.keys() for name in inputs[key]]
    for key, answers in outputs.items():
        questions = inputs.get(key, [])
        bare = others.get(answers[0].lower().rpartition(".")[0])  # `01` beside `01.a`
        if len(answers) == 1 and not questions and bare:
            questions = [bare]
        if len(answers) == len(questions) == 1:
            pairs.append(Pair(questions[0], answers[0]))
        else:
            alone += [*questions, *answers]
    return sorted(pairs, key=lambda pair: (not pair.is_sample, _by_number(pair.input))), sorted(alone, key=_by_number)


def _side_and_key(name: str) -> tuple[str | None, str]:
    """The side of a file, which the last word for a side says, and its name without words for sides."""
    stem = _TEXT_ENDING.sub("", name.lower())
    if stem.endswith(".a"):  # Polygon's name of an answer
        return "out", stem[:-1] + "?"
    words = _words(stem)
    sides = ["in" if word in _INPUT else "out" for word in words if word in _INPUT | _OUTPUT]
    if not sides:
        return None, stem
    key = "".join("?" if word in _INPUT | _OUTPUT else word for word in words)
    return sides[-1], re.sub(r"\?(?:[_-]\?)+", "?", key)  # `expected_output` is one word


def _words(name: str) -> list[str]:
    return _WORD.findall(name.lower())


def _by_number(name: str) -> list[tuple[int, str]]:
    """A key that puts `2.in` before `10.in`."""
    return [(int(word), "") if word.isdecimal() else (-1, word) for word in _words(name)]
