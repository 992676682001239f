"""Stands before each recorded program: reading an input exactly, and drawing values for one.

A program is the frame, the file of a problem and one last line, `write(KIND)` or `judge()`. A file of a problem of kind
stdin has `make(r)`, which gives the lines of an input, and `valid(t)`, which reads one and fails on any fault. A file of
a function has `arguments(r)` and `allowed(...)` instead.
"""

import json
import random
import re
import sys

INTEGER = "0|-?[1-9][0-9]*"


class Text:
    """An input read line by line."""

    def __init__(self, text):
        assert text.endswith("\n")
        self.lines = text[:-1].split("\n")

    def line(self, pattern=".*"):
        line = self.lines.pop(0)
        assert re.fullmatch(pattern, line, re.ASCII), line
        return line

    def row(self, count, low, high):
        """A line of `count` integers."""
        words = self.line().split(" ") if count else [*self.line("")]
        assert len(words) == count and all(re.fullmatch(INTEGER, word) for word in words)
        numbers = list(map(int, words))
        assert all(low <= number <= high for number in numbers)
        return numbers

    def fields(self, *kinds):
        """A line whose fields are integers with bounds (low, high) or texts that fit a pattern."""
        words = self.line().split(" ")
        assert len(words) == len(kinds)
        found = []
        for word, kind in zip(words, kinds):
            assert re.fullmatch(kind if isinstance(kind, str) else INTEGER, word, re.ASCII)
            found.append(word if isinstance(kind, str) else int(word))
            assert isinstance(kind, str) or kind[0] <= int(word) <= kind[1]
        return found


class Chance(random.Random):
    """Draws values by the kind of input: small, edge, largest, or against a wrong program."""

    def __init__(self, seed, number, kind):
        super().__init__(f"{seed} {number}")
        self.kind, self.number = kind, number

    def n(self, low, high, small=8):
        """A count."""
        if self.kind == "largest":
            return high
        if self.kind == "edge":
            return min(high, [low, low + 1, low + 2, low + small, low + 5 * small, low + 30 * small][self.number % 6])
        return self.randint(low, min(high, low + (small if self.kind == "random" else 3 * small)))

    def span(self, low, high):
        """The bounds of the values of this input."""
        if self.kind == "largest":
            return [(low, high), (max(low, high - 5), high), (low, min(high, low + 9)), (low, high)][self.number % 4]
        if self.kind == "edge":
            edges = [(low, high), (high, high), (low, low), (max(low, high - 3), high), (low, min(high, low + 2))]
            return edges[self.randrange(5)]
        width = self.choice([1, 2, 4, 10, 30])
        start = max(low, -(width // 2)) if low < 0 else low
        return start, min(high, start + width)

    def values(self, count, low, high):
        """Values in a shape: any order, sorted, reversed, two of them taking turns."""
        first, last = self.span(low, high)
        found = [self.randint(first, last) for _ in range(count)]
        if self.kind in ("edge", "largest"):
            shape = self.randrange(4)
            if shape in (1, 2):
                found.sort(reverse=shape == 2)
            if shape == 3:
                found = [found[index % 2] for index in range(count)]
        return found

    def one(self, low, high):
        return self.randint(*self.span(low, high))

    def word(self, low, high, letters="abcdefghijklmnopqrstuvwxyz"):
        letters = letters[: self.choice([1, 2, 2, 3, 26])]
        count = self.n(low, high)
        if self.number % 3 == 2:  # a period
            piece = "".join(self.choice(letters) for _ in range(self.randint(1, max(1, min(count, 7)))))
            return (piece * count)[:count]
        return "".join(self.choice(letters) for _ in range(count))

    def pairs(self, n, m):
        """`m` pairs of different numbers from 1 to n: any, along a path, or around one."""
        shape = self.randrange(3)
        found = []
        for index in range(m if n > 1 else 0):
            a, b = self.sample(range(1, n + 1), 2)
            if shape == 1:
                a = index % (n - 1) + 1
                b = a + 1
            if shape == 2 and b != 1:
                a = 1
            found.append([a, b])
        return found

    def tree(self, n):
        """The parents of 2 to n: any, a path, a star, or a broom."""
        shape = self.randrange(4)
        return [
            (self.randint(1, i - 1), i - 1, 1, i - 1 if i < n // 2 else max(1, n // 2 - 1))[shape]
            for i in range(2, n + 1)
        ]


def whole(value, low, high):
    return type(value) is int and low <= value <= high


def wholes(values, count_low, count_high, low, high):
    return type(values) is list and count_low <= len(values) <= count_high and all(whole(v, low, high) for v in values)


def is_word(value, low, high, letters="a-z"):
    return type(value) is str and re.fullmatch(f"[{letters}]{{{low},{high}}}", value) is not None


def write(kind):
    seed, number = map(int, input().split())
    chance = Chance(seed, number, kind)
    if "arguments" in globals():
        for value in arguments(chance):
            print(json.dumps(value))
        return
    for line in make(chance):
        print(line if isinstance(line, str) else " ".join(map(str, line)))


def judge():
    try:
        given = sys.stdin.buffer.read().decode("ascii")
        if "arguments" in globals():
            values = [json.loads(line) for line in given.removesuffix("\n").split("\n")]
            assert given == "".join(json.dumps(value) + "\n" for value in values)
            assert allowed(*values)
        else:
            text = Text(given)
            valid(text)
            assert not text.lines
    except Exception as fault:
        print(f"INVALID: {type(fault).__name__}")
    else:
        print("VALID")
