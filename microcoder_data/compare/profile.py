"""The part of a row that Compare needs to judge whether two rows are one problem: text, names, samples, first tests.

Every shard writes the profiles of its rows into one file, `NAME.profiles.bin`. The reduction reads only the rows that
share something with another row, and maps them from disk, so memory does not grow with the corpus.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

import numpy as np

from microcoder_data.compare.calls import asserted, called
from microcoder_data.compare.corpus import Array, Corpus
from microcoder_data.compare.examples import TESTS_LOOKED_AT, canonical, digest_of, weight_of
from microcoder_data.identity import identities
from microcoder_data.process.render import PROSE, whole_text
from microcoder_data.process.several_answers import TESTS_LOOKED_AT as ANSWERS_LOOKED_AT
from microcoder_data.process.several_answers import several_answers
from microcoder_data.schema import Row
from microcoder_data.shards import test_bytes

TEXT_CHARACTERS = 20_000
ROWS_KEPT, DIGESTS_KEPT = 512, 8192
LONGEST_EXAMPLE = 600
ASSERTIONS_LOOKED_AT = 8
LONGEST_ANSWERS = 4_000
"""In characters: the answers that are searched for signs of several right ones later, when they are needed."""
_AS_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
EITHER = "either"
"""The kind of a row that is read as a program, and whose samples show arguments: its page may ask for a function."""
_ARGUMENTS = re.compile(r"\s*(?:[A-Za-z_]\w*\s*=(?!=)|\[.*\]|\".*\")")
"""A sample's input that is written as for a function."""
_BEFORE_PROSE = re.compile(
    r"(-?\d+(?:\.\d+)?|true|false|\[[^\[\]]*\]|\"[^\"]*\")[.,;:]?[ \t]+(?=\W*[A-Za-z]+(?:[ ,]+[^\s,]+){2})",
    re.IGNORECASE,
)
"""An answer before a sentence of three words or more."""
_DOCTEST = re.compile(r"^[ \t]*>>>.*(?:\n[ \t]*\S.*)*", re.MULTILINE)
"""Calls in a docstring, with their answers: samples of a function."""
_NOTHING = "null"
"""What some dumps show for a function that changes its argument, in place of the changed argument."""
_DECIMAL = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?:e[-+]?\d+)?(?![\w.])")


@dataclass(frozen=True)
class Profile:
    """What duplicates are judged by, of one row."""

    problem_id: str
    title: str
    language: str
    kind: str
    entry_point: str
    names: tuple[str, ...]
    """Its addresses: see `identity.py`."""
    samples: dict[str, str]
    """The canonical answer by canonical input, for samples."""
    tests: dict[str, str]
    """The same for its first short tests, or for the calls that its test program asserts."""
    weights: dict[str, int]
    """How much evidence an equal pair in another row is, by input."""
    known_several: bool | None
    said_line: bytes
    """`said` as JSON: most rows are judged without it."""

    @classmethod
    def read(cls, line: bytes) -> Profile:
        """A profile from its line: see `profile_line`."""
        brief, said = line.split(b"\n")
        values = json.loads(brief)
        return cls(**{**values, "names": tuple(values["names"])}, said_line=said)

    @cached_property
    def said(self) -> Row:
        """The columns with the statement and its parts; and those by which `several` is found, where it is not
        known."""
        said: Row = json.loads(self.said_line)
        return said

    @cached_property
    def text(self) -> str:
        """The statement with its parts, without samples."""
        text = whole_text(self.said)
        return text if self.kind == "stdin" or ">>>" not in text else _DOCTEST.sub("", text)

    @cached_property
    def several(self) -> bool:
        """Whether more than one answer is right, so that different answers say nothing."""
        return self.known_several if self.known_several is not None else several_answers(self.said) is not None

    @cached_property
    def pairs(self) -> dict[str, str]:
        """The answers of samples and tests by input."""
        return {**self.tests, **self.samples}


def profile_of(row: Row) -> dict[str, Any]:
    """The profile of a row as plain values."""
    weights: dict[str, int] = {}
    function = None if row["kind"] == "stdin" else (row["entry_point"] or "").rpartition(".")[2]
    samples = _answers(row["samples"], weights, function)
    tests = [one for one in row["tests"][:TESTS_LOOKED_AT] if not one["ref"] and len(one["input"]) <= LONGEST_EXAMPLE]
    if function and row["test_code"]:
        calls = islice(asserted(row["test_code"], function, LONGEST_EXAMPLE), ASSERTIONS_LOOKED_AT)
        tests = [{"input": given, "output": wanted} for given, wanted in calls]
    said, several = _said(row)
    return {
        "problem_id": row["problem_id"],
        "title": row["title"] or "",
        "said": said,
        "language": row["language"] or "",
        "kind": EITHER if row["kind"] == "stdin" and _shows_arguments(row) else row["kind"],
        "entry_point": row["entry_point"] or "",
        "names": identities(row),
        "samples": samples,
        "tests": _answers(tests, weights, function),
        "weights": weights,
        "known_several": several,
    }


def _shows_arguments(row: Row) -> bool:
    """Whether a sample's input is written as for a function: `nums = [1], k = 2`, `[[1], [2]]` or `"ab"`."""
    return any(_ARGUMENTS.match(one["input"] or "") for one in [*row["samples"], *row["tests"][:1]])


def _said(row: Row) -> tuple[Row, bool | None]:
    """`Profile.said` and `known_several`. The search for several right answers takes long, and few rows need it."""
    checker = (row["checker"] or {}).get("kind")
    several = True if checker not in (None, "tokens", "exact", "float", "case_insensitive") else None
    said: Row = {name: row[name] for name in PROSE}
    if len(text := whole_text(row)) > TEXT_CHARACTERS:
        return {**dict.fromkeys(said), "statement": text[:TEXT_CHARACTERS]}, several or several_answers(row) is not None
    if several:
        return said, several
    tests = [one for one in row["tests"][:ANSWERS_LOOKED_AT] if not one["ref"]]
    if sum(map(test_bytes, tests)) > LONGEST_ANSWERS:
        return said, several_answers(row) is not None
    said["tests"] = [{"input": one["input"], "output": one["output"], "ref": None} for one in tests]
    said["samples"] = [{"explanation": one["explanation"], "output": one["output"]} for one in row["samples"]]
    return {**said, "kind": row["kind"]}, None


def _answers(examples: Sequence[dict[str, Any]], weights: dict[str, int], function: str | None) -> dict[str, str]:
    """The canonical answers by canonical input; their weights are added to `weights`. function: None for a program."""
    answers: dict[str, str] = {}
    for one in examples:
        input_text, expected = one["input"] or "", (one["output"] or "").strip()
        if function is not None:
            input_text, expected = called(function, input_text, _first_value(expected))
        elif _ARGUMENTS.match(input_text):
            expected = _first_value(expected)
        question, answer = canonical(input_text), canonical(_numbers_alike(expected))
        if question and answer and answer != _NOTHING:
            key = _short(question)
            answers.setdefault(key, _short(answer))
            weights[key] = weight_of(question) + weight_of(answer)
    return answers


def _first_value(text: str) -> str:
    """The first line, or as many lines as its list takes; an explanation may follow, also in that line.

    >>> _first_value("[1]\\nas 1 < 2"), _first_value("[[1],\\n [2]]\\nas shown"), _first_value("6. The whole list is")
    ('[1]', '[[1],\\n [2]]', '6')
    """
    if answer := _BEFORE_PROSE.match(text):
        return answer[1]
    lines = text.split("\n")
    depth = 0
    for number, line in enumerate(lines, 1):
        depth += line.count("[") - line.count("]")
        if depth <= 0:
            return "\n".join(lines[:number])
    return lines[0]


def _short(text: str) -> str:
    return text if len(text) <= 16 else digest_of(text)


def _numbers_alike(text: str) -> str:
    """The text with decimals in one form: `2.50000` and `2.5` are one answer."""
    return _DECIMAL.sub(lambda number: f"{float(number[0]):.6g}", text) if "." in text else text


def profile_line(profile: dict[str, Any]) -> bytes:
    """A profile as JSON, in two lines: what is read of every profile, and what the row says."""
    brief = {name: value for name, value in profile.items() if name != "said"}
    return "\n".join(map(_AS_JSON, (brief, profile["said"]))).encode("utf-8", "replace")


class ProfileFile:
    """Collects the profiles of a shard, and where each begins."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def add(self, line: bytes) -> None:
        self._lines.append(line)

    def body(self) -> bytes:
        return b"\n".join(self._lines)

    def starts(self) -> np.ndarray:
        return np.cumsum([0, *(len(line) + 1 for line in self._lines)]).astype(np.uint64)


class Profiles:
    """The profiles of some rows, copied out of the shards' files: every shard is opened once, in whatever order the
    rows are compared. The copy is in a file without a name, which the system removes."""

    def __init__(self, corpus: Corpus, rows: Array) -> None:
        """rows: sorted, each once."""
        self._rows, ends = rows, [0]
        with tempfile.TemporaryFile(dir=corpus.scratch) as file:
            shards, first = np.unique(corpus.shard_of(rows), return_index=True)
            for shard, chosen in zip(shards.tolist(), np.split(rows, first[1:]), strict=True):
                starts = np.load(corpus.feature(shard, "profiles.npy"), allow_pickle=False)
                with open(corpus.feature(shard, "profiles.bin"), "rb", buffering=0) as lines:
                    for index in (chosen - corpus.bases[shard]).tolist():
                        lines.seek(int(starts[index]))
                        ends.append(ends[-1] + file.write(lines.read(int(starts[index + 1]) - int(starts[index]) - 1)))
            file.flush()
            self._lines = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._ends = np.array(ends)
        self.of = lru_cache(maxsize=ROWS_KEPT)(self._read)
        self.digest = lru_cache(maxsize=DIGESTS_KEPT)(self._digest)

    def close(self) -> None:
        """Give the disk space back: this object and its caches refer to each other, so Python frees them late."""
        self._lines.close()

    def line(self, row: int) -> bytes:
        """The profile of a row as it is in its shard's file."""
        at = int(np.searchsorted(self._rows, row))
        return self._lines[int(self._ends[at]) : int(self._ends[at + 1])]

    def _digest(self, row: int) -> bytes:
        """The hash of a row's profile."""
        return hashlib.sha256(self.line(row)).digest()

    def _read(self, row: int) -> Profile:
        return Profile.read(self.line(row))
