"""A problem that the grader has seen: packed for the supervisors, with what was learnt from its programs."""

from __future__ import annotations

import hashlib
import io
import pickle
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from microcoder_eval.boundary.assert_units import units
from microcoder_eval.errors import InputError
from microcoder_eval.languages.testlib import supplied
from microcoder_eval.problem import Problem
from microcoder_eval.protocol.messages import KnowProblem, SealedPlace, pack
from microcoder_eval.protocol.sealed_text import SEALED_FROM, SealedText, pieces
from microcoder_eval.scheduling.job import ProgramGrade
from microcoder_eval.scheduling.test_order import TestOrder

KEPT_PROBLEM_BYTES = 512 << 20
KEPT_FILES = 256
"""How many files of long texts are kept open, for all problems."""
MOST_SEALED = 48
"""How many there are of one problem."""
OrderOf = Callable[[str, int], TestOrder]
LongText = tuple[int, str, str]
"""The number of a test, "input" or "output", and the text."""


class PackedProblem:
    """A problem's message, and the files that go with it.

    The longest texts are in the files. One that no file is to be had for is in the message.
    """

    def __init__(self, key: str, record: dict[str, Any], long: list[LongText]) -> None:
        self._key, self._record = key, record
        self._places: list[SealedPlace] = []
        files: list[SealedText] = []
        for number, (test, field, text) in enumerate(sorted(long, key=lambda found: -len(found[2]))):
            try:
                if number >= MOST_SEALED:
                    raise OSError("too many files")
                files.append(SealedText.holding(pieces(text)))
                self._places.append(SealedPlace(test, field, len(files[-1])))
            except OSError:  # memory, descriptors or seals are refused
                record["tests"][test][field] = text
        self.message = pack(KnowProblem(key, record, self._places))
        self.files = tuple(files)
        self.size = len(self.message) + sum(map(len, files))

    def as_text(self) -> bytes:
        """The message with all texts in it, for a supervisor that cannot take more files now."""
        tests = [dict(test) for test in self._record["tests"]]
        for (test, field, _), file in zip(self._places, self.files, strict=True):
            tests[test][field] = bytes(file).decode("utf-8", "surrogatepass")
        return pack(KnowProblem(self._key, {**self._record, "tests": tests}))


class KnownProblem:
    """One problem."""

    def __init__(self, problem: Problem, order: OrderOf | None = None) -> None:
        """`order`: makes the order of its tests, from the problem's key and their number."""
        self.problem = problem  # while it is referred to, no other object gets its id()
        record = supplied({**problem.to_dict(), "statement": ""})
        long = _take_long_texts(record) if _may_be_sealed(problem) else []
        digests = [(test, field, _digest(text)) for test, field, text in long]
        self.key = hashlib.sha256(_plain_bytes([record, digests])).hexdigest()
        self.packed = PackedProblem(self.key, record, long)
        self.tests = _count_tests(problem)
        self.order = TestOrder(self.tests) if order is None else order(self.key, self.tests)
        self.groups = problem.scored()
        self._cost_s = 0.0
        self._seen = 0

    def cost_s(self) -> float:
        """What a program for this problem has cost on average; the most expensive programs are started first."""
        return self._cost_s / self._seen if self._seen else self.problem.time_limit_s * self.tests

    def learn(self, future: Future[ProgramGrade]) -> None:
        """Note what a program has cost that has ended."""
        if not future.exception():
            self._cost_s += sum(test.wall_ms for test in future.result().tests) / 1000
            self._seen += 1


class KnownProblems:
    """The problems used last, in bounded memory. Not safe to use from several threads at a time."""

    def __init__(self, order: OrderOf | None = None) -> None:
        self._order = order
        self._by_id: OrderedDict[int, KnownProblem] = OrderedDict()
        self._bytes = self._files = 0

    def get(self, problem: Problem) -> KnownProblem:
        """The problem packed, now or earlier."""
        known = self._by_id.get(id(problem))
        if known is not None:
            self._by_id.move_to_end(id(problem))
            return known
        known = self._by_id[id(problem)] = KnownProblem(problem, self._order)
        self._bytes, self._files = self._bytes + known.packed.size, self._files + len(known.packed.files)
        while (self._bytes > KEPT_PROBLEM_BYTES or self._files > KEPT_FILES) and len(self._by_id) > 1:
            old = self._by_id.popitem(last=False)[1].packed
            self._bytes, self._files = self._bytes - old.size, self._files - len(old.files)
        return known


def _may_be_sealed(problem: Problem) -> bool:
    """Whether supervisors use its texts as bytes. A checker in Python gets them as values."""
    return problem.kind == "stdin" and problem.checker.kind != "python"


def _take_long_texts(record: dict[str, Any]) -> list[LongText]:
    """The long texts of a record's tests; empty ones stay in their places."""
    found = []
    for index, test in enumerate(record["tests"]):
        for field in ("input", "output"):
            if len(test[field]) >= SEALED_FROM:
                found.append((index, field, test[field]))
                test[field] = ""
    return found


def _digest(text: str) -> bytes:
    digest = hashlib.sha256()
    for piece in pieces(text):
        digest.update(piece)
    return digest.digest()


def _plain_bytes(value: Any) -> bytes:
    """Plain data as bytes that depend on its value only, not on which of its parts are the same object."""
    written = io.BytesIO()
    pickler = pickle.Pickler(written, protocol=4)
    pickler.fast = True
    pickler.dump(value)
    return written.getvalue()


def _count_tests(problem: Problem) -> int:
    if problem.kind != "asserts":
        return len(problem.tests)
    try:
        found = units(problem.test_code)
    except InputError as error:
        raise InputError(f"problem {problem.id!r}: {error}") from None
    if found[0].kind == "check" and not problem.entry_point:
        raise InputError(f'problem {problem.id!r}: its check function needs an "entry_point" to check')
    return len(found)
