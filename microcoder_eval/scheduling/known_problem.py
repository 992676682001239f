"""A problem that the grader has seen: packed for the supervisors, with its test order and its mean cost."""

from __future__ import annotations

import contextlib
import hashlib
import io
import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import chain, filterfalse
from typing import Any

from microcoder_eval.boundary.huge_file import huge_file
from microcoder_eval.languages.testlib import supplied
from microcoder_eval.problem import Problem
from microcoder_eval.protocol.messages import KnowProblem, SealedPlace, pack
from microcoder_eval.protocol.sealed_text import SEALED_FROM, SealedText, pieces
from microcoder_eval.record_schema import all_values, count_values
from microcoder_eval.scheduling.job import ProgramGrade
from microcoder_eval.scheduling.test_order import TestOrder, expected_ms

KEPT_PROBLEM_BYTES = 512 << 20
KEPT_FILES = 256
"""How many files of long texts are kept open, for all problems."""
MOST_SEALED = 48
"""How many of one problem's texts are sent as files."""
TEST_BYTES, VALUE_BYTES = 400, 64
"""About how much memory a test takes besides its texts, and a value of a call: far more than packed."""
OrderOf = Callable[[str, Sequence[float]], TestOrder]
LongText = tuple[int, str, str]
"""The number of a test, "input" or "output", and the text."""


class PackedProblem:
    """A problem's message, and the files that are sent with it.

    The longest texts are in the files. A text for which no file can be made is in the message.
    """

    def __init__(self, record: dict[str, Any], long: list[LongText]) -> None:
        self._record = record
        self._places: list[SealedPlace] = []
        files: list[SealedText] = []
        without_file: list[LongText] = []
        digests: dict[tuple[int, str], bytes] = {}
        for number, (test, field, text) in enumerate(sorted(long, key=lambda found: -len(found[2]))):
            try:
                if number >= MOST_SEALED:
                    raise OSError("too many files")
                file = _in_file(text, is_input=field == "input")
            except OSError:  # memory, descriptors or seals are refused
                without_file.append((test, field, text))
                digests[test, field] = _digest(text)
                continue
            files.append(file)
            self._places.append(SealedPlace(test, field, len(file)))
            digests[test, field] = file.digest
        by_test = [(test, field, digests[test, field]) for test, field, _ in long]
        self.key = hashlib.sha256(plain_bytes([record, by_test])).hexdigest()
        for test, field, text in without_file:
            record["tests"][test][field] = text
        self.message = pack(KnowProblem(self.key, record, self._places))
        self.files = tuple(files)
        self.size = len(self.message) + sum(map(len, files))

    def as_text(self) -> bytes:
        """The message with all texts in it, for a supervisor that cannot take more files now."""
        tests = [dict(test) for test in self._record["tests"]]
        for (test, field, _), file in zip(self._places, self.files, strict=True):
            tests[test][field] = bytes(file).decode("utf-8", "surrogatepass")
        return pack(KnowProblem(self.key, {**self._record, "tests": tests}))


class KnownProblem:
    """One problem, with what its programs have shown so far."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem  # this reference keeps its id(), a key of `KnownProblems`, from being reused
        record = supplied({**problem.to_dict(), "statement": ""})
        long = _take_long_texts(record) if _may_be_sealed(problem) else []
        self.packed = PackedProblem(record, long)
        self.key = self.packed.key
        self.size = held_bytes(problem, self.packed.size)
        self.expected_ms = _expected_ms(problem)
        self.tests = len(self.expected_ms)
        self.order = TestOrder(self.expected_ms)
        self.groups = problem.scored()
        self._cost_s = 0.0
        self._seen = 0

    def cost_s(self) -> float:
        """The mean wall time of a program for this problem; before the first one, what its tests let expect."""
        return self._cost_s / self._seen if self._seen else sum(self.expected_ms) / 1000

    def learn(self, grade: ProgramGrade) -> None:
        """Note what a program that has ended has cost."""
        self._cost_s += sum(test.wall_ms for test in grade.tests) / 1000
        self._seen += 1


class KnownProblems:
    """The problems used last, in bounded memory. Not safe to use from several threads at a time."""

    def __init__(self, order: OrderOf) -> None:
        """order: makes the order of a problem's tests, from the problem's key and what each test will cost."""
        self._order = order
        self._by_id: OrderedDict[int, KnownProblem] = OrderedDict()
        self._bytes = self._files = 0

    def find(self, problem: Problem) -> KnownProblem | None:
        """The problem as it was packed earlier."""
        known = self._by_id.get(id(problem))
        if known is not None:
            self._by_id.move_to_end(id(problem))
        return known

    def keep(self, known: KnownProblem) -> KnownProblem:
        """Keep a problem that was packed now; returns it, or the one that another thread has kept meanwhile."""
        if (kept := self.find(known.problem)) is not None:
            return kept
        known.order = self._order(known.key, known.expected_ms)
        self._by_id[id(known.problem)] = known
        self._bytes, self._files = self._bytes + known.size, self._files + len(known.packed.files)
        while (self._bytes > KEPT_PROBLEM_BYTES or self._files > KEPT_FILES) and len(self._by_id) > 1:
            old = self._by_id.popitem(last=False)[1]
            self._bytes, self._files = self._bytes - old.size, self._files - len(old.packed.files)
        return known


def held_bytes(problem: Problem, packed: int) -> int:
    """About how many bytes of memory a problem takes whose packed form has `packed` bytes."""
    values = [value for test in problem.tests for value in (test.input, test.output)]
    texts, counted = values, 0
    if problem.kind == "call":
        texts = [value for value in all_values(values, names=True) if type(value) is str]
        counted = count_values(values)
    sources = [problem.statement, problem.starter_code, problem.test_code]
    for judge in (problem.checker, problem.interactor):
        sources += [] if judge is None else [judge.code, *judge.files.values()]
    wide = sum(map(sys.getsizeof, filterfalse(str.isascii, chain(texts, sources))))
    return packed + wide + TEST_BYTES * len(problem.tests) + VALUE_BYTES * counted


def _expected_ms(problem: Problem) -> list[float]:
    """What each test is expected to cost in ms, by the size of its input and output."""
    if problem.kind == "asserts":
        return [expected_ms(0)] * problem.units
    return [expected_ms(_size(test.input) + _size(test.output)) for test in problem.tests]


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str) else len(plain_bytes(value))


def _may_be_sealed(problem: Problem) -> bool:
    """Whether supervisors use the texts only as bytes. A Python checker gets them as values."""
    return problem.kind == "stdin" and problem.checker.kind != "python"


def _take_long_texts(record: dict[str, Any]) -> list[LongText]:
    """Take the long texts out of a record's tests, and leave empty ones in their place."""
    found = []
    for index, test in enumerate(record["tests"]):
        for field in ("input", "output"):
            if len(test[field]) >= SEALED_FROM:
                found.append((index, field, test[field]))
                test[field] = ""
    return found


def _in_file(text: str, is_input: bool) -> SealedText:
    """Write a long text into a file; raises `OSError` when none can be had. Programs get the files of inputs only."""
    if not is_input:
        with contextlib.suppress(OSError):
            return SealedText.in_file(huge_file(), pieces(text))
    return SealedText.holding(pieces(text))


def _digest(text: str) -> bytes:
    digest = hashlib.sha256()
    for piece in pieces(text):
        digest.update(piece)
    return digest.digest()


def plain_bytes(value: Any) -> bytes:
    """Plain data as bytes that depend only on its value, not on which parts of it are the same object."""
    written = io.BytesIO()
    pickler = pickle.Pickler(written, protocol=4)
    pickler.fast = True
    pickler.dump(value)
    return written.getvalue()
