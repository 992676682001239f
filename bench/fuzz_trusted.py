"""Fuzzes every trusted parser of untrusted bytes: none may raise anything but the errors that it declares.

    python bench/fuzz_trusted.py [--cases 100000] [--first 0] [--seed 0] [--only NAME] [--json FILE]

Cases are made by mutating seeds: bytes flipped, parts cut, doubled, nested, swapped for awkward values. Each failure
is shown once for each place that raised it, with the case number: `--first NUMBER --cases 1` repeats it. The exit
status is 1 when there was one. `--json` adds the counts to those in the file, so that a release's million cases can be
run in slices. Whether verdicts are right is not checked here; see `tests/eval/attacks`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import sys
import time
import traceback
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from measure import machine

from microcoder_eval import Checker, InputError, Policy, Problem, Submission
from microcoder_eval.boundary.box_protocol import LAUNCHER, ZYGOTE
from microcoder_eval.boundary.decode_values import NotAValue, build
from microcoder_eval.compare import compare_output, compare_value
from microcoder_eval.extract import extract
from microcoder_eval.ground_truth import problem_from
from microcoder_eval.languages.java import archive
from microcoder_eval.printable import printable
from microcoder_eval.sandbox.asserts.channel import Broken, parsed
from microcoder_eval.sandbox.asserts.data_codec import Untransferable
from microcoder_eval.sandbox.asserts.tests_side import Tests
from microcoder_eval.service.read_body import parse_object
from microcoder_eval.service.refusal import Refusal
from microcoder_eval.supervisor.failure import failure_of
from microcoder_eval.supervisor.judge import checker_opinion, judge_answer, judge_run, read_answer
from microcoder_eval.supervisor.opinion import read_opinion
from microcoder_eval.supervisor.run import Run
from microcoder_eval.supervisor.tests_report import read_report
from microcoder_eval.supervisor.watch import Limits

ENDED, LIMITS = Run(0, 0.0, 0.0, 0), Limits(1.0, 1 << 28, 1 << 26)
FAILED = Run(1 << 8, 0.0, 0.0, 0)
EXPECTED = b"1.5 [2, 3]\n{'a': 4, \"b\": None}\n"


@dataclass(frozen=True)
class Parser:
    """A function of bytes, the errors that it declares, and inputs to mutate."""

    read: Callable[[bytes], object]
    declared: tuple[type[BaseException], ...]
    seeds: tuple[bytes, ...]


def _compared(checker: Checker) -> Callable[[bytes], object]:
    return lambda data: compare_output(EXPECTED, data, checker, Policy.LENIENT)


def _failure(data: bytes) -> object:
    """The verdict on a program that left these bytes on stderr and in its result file."""
    left = SimpleNamespace(get=lambda most: data[:most])
    boxes = [SimpleNamespace(module=module, stderr=left, result=left) for module in (LAUNCHER, ZYGOTE)]
    return [judge_run(FAILED, LIMITS, 0, failure_of(box, FAILED, "a\nb")) for box in boxes]


def _answered(data: bytes) -> object:
    """The answer of a program to its tests (kind `asserts`). An error that the program raised there is returned."""
    messages = [lambda: ["ready", {"f": ""}], lambda: parsed(data)]

    def receive() -> list[Any]:
        if not messages:
            raise Broken("the other end is gone")
        return messages.pop(0)()

    tests = Tests(SimpleNamespace(receive=receive, send=lambda message: None), "tests")  # type: ignore[arg-type]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return tests.ask("call", [1, [2]], {"a": {3}})
    except BaseException as error:
        if tests.error_number(error) is None:
            raise
        return error


def _record(read: Callable[[object], object]) -> Callable[[bytes], object]:
    def parse(data: bytes) -> object:
        try:
            record = json.loads(data)
        except (ValueError, RecursionError):
            return None
        return read(record)

    return parse


VALUES = (
    b'{"r": [1, {"t": [2.5, "x"]}, {"d": [["a", {"s": [1, 2]}]]}]}',
    b'{"r": null, "a": [{"i": "0xffffffffffffffffff"}, {"f": "nan"}, {"c": [1, 2]}, {"b": "00ff"}]}',
    b'{"r": {"q": ["range", [1, 2, 3]]}}',
    b'{"r": {"o": "Name"}}',
)
OUTPUTS = (EXPECTED, b"1e400 (2, 3)\n{a: 4}", b"true NaN inf -0.0 1_000 0x1f", b"[[[1]]] 'x\\'y' \xff\xfe\n\n")
PROBLEM = {
    "id": "p", "kind": "stdin", "tests": [{"input": "1", "output": "2", "flags": ["x"]}], "time_limit_s": 2.0,
    "checker": {"kind": "float", "abs": 1e-6, "rel": 1e-6}, "memory_limit_mb": 256,
    "groups": [{"name": "a", "max_score": 5, "tests": [0], "score_aggregation": "sum", "require_pass": []}],
}  # fmt: skip
TALK = {**PROBLEM, "kind": "interactive", "interactor": {"code": "x", "language": "cpp", "files": {}, "flags": []}}
PARSERS: dict[str, Parser] = {
    "value": Parser(_record(build), (NotAValue,), VALUES),
    "answer": Parser(lambda data: read_answer(data, True), (NotAValue,), VALUES),
    "judged answer": Parser(
        lambda data: judge_answer([1, (2.5, "x"), {"a": {1, 2}}], data, Checker(), Policy.CONTEST), (), VALUES
    ),
    "compared value": Parser(
        lambda data: compare_value(EXPECTED.decode(), data.decode("utf-8", "replace"), Checker(), Policy.LENIENT),
        *((), OUTPUTS),
    ),
    "checker's answer": Parser(
        lambda data: read_opinion(data, b"", "checker", 100.0),
        *((), (b'[true, "fine", null]', b'[false, "no", 0.5]', b'[true, "", 1e308]')),
    ),
    "checker's errors": Parser(
        lambda data: checker_opinion(FAILED, b"", data, b"", 100.0), (), (b"Traceback\nKeyError: 'x'",)
    ),
    "program's errors": Parser(
        _failure, (), (b"Traceback\nMemoryError\n", b"std::bad_alloc", b"out of memory\n1\nMemoryError")
    ),
    "message": Parser(parsed, (Broken,), (b'["ok", [[0, [1]]], {"t": [1]}, ""]', b'["raise", [], {"own": 1}, ""]')),
    "answer to tests": Parser(
        _answered,
        (Broken, Untransferable),
        (
            b'["ok", [[0, [1, {"r": 1}]]], {"x": ["fractions.Fraction", [1, 2]]}, ""]',
            b'["ok", [], {"h": [7, {"k": [8, "function", "builtins", [{"n": "int"}]]}, "int", 4]}, "printed"]',
            b'["ok", [], {"a": ["<f8", [2], [1.0, 2.0]]}, ""]',
            b'["ok", [], {"t": [{"a": ["|O", [2], [1, [2]]]}, {"m": ["<M8[D]", [], [5]]}]}, ""]',
            b'["ok", [], {"T": ["Series", ["Int64", [1, null], null], ["RangeIndex", 0, 2, 1, "n"], null]}, ""]',
            b'["raise", [], {"number": 1, "class": {"n": "ValueError"}, "text": "x", "line": 1, "arguments": [5], '
            b'"attributes": ["a", 1], "message": "", "members": [], "cause": null}, ""]',
        ),
    ),
    "tests' report": Parser(
        lambda data: read_report(data, b"s"),
        (),
        (b's{"ended": "raised", "detail": "", "where": "x", "line": "1", "exception": "E"}',),
    ),
    "request": Parser(parse_object, (Refusal,), (json.dumps({"problem": PROBLEM, "code": "x"}).encode(),)),
    "ground truth": Parser(
        _record(problem_from),
        (InputError,),
        (
            b'{"inputs": ["1"], "outputs": ["2"], "fn_name": null}',
            b'["assert f(1) == 2"]',
            json.dumps(PROBLEM).encode(),
        ),
    ),
    "printed text": Parser(
        lambda data: printable(data.decode("utf-8", "surrogateescape")).encode(),
        (),
        (b"\x1b]0;x\x07 text \xe2\x80\xae",),
    ),
    "output": Parser(_compared(Checker()), (), OUTPUTS),
    "output within a tolerance": Parser(_compared(Checker("float", abs=1e-6, rel=1e-6)), (), OUTPUTS),
    "output in any order": Parser(_compared(Checker("unordered", of="tokens")), (), OUTPUTS),
    "output for Kattis": Parser(_compared(Checker("kattis_default", flags=("float_tolerance", "1e-6"))), (), OUTPUTS),
    "class files": Parser(
        lambda data: archive({data[:40].decode("utf-8", "surrogateescape"): data}, "Main.java"),
        *((ValueError,), (b"\xca\xfe\xba\xbe\x01\x00\x04main\x01\x00\x16([Ljava/lang/String;)V",)),
    ),
    "reply": Parser(
        lambda data: extract(data.decode("utf-8", "replace")),
        *((InputError,), (b"Text\n```python\nprint(1)\n```\n", b"<think>\n~~~\n</think>\n````py\nx\n````")),
    ),
    "problem": Parser(
        _record(Problem.from_dict),  # type: ignore[arg-type]
        *((InputError,), (json.dumps(PROBLEM).encode(), json.dumps(TALK).encode())),
    ),
    "submission": Parser(
        _record(Submission.from_dict),  # type: ignore[arg-type]
        *((InputError,), (b'{"id": "s", "problem_id": "p", "language": "python", "code": "x"}',)),
    ),
}
AWKWARD = (
    *(b"null", b"true", b"-1", b"0", b"1e999", b"NaN", b"-Infinity", b'""', b"[]", b"{}", b'"\\ud800"', b"\\u0000"),
    *(b"9" * 5000, b"1" + b"0" * 400, b"[" * 1200, b'{"t": [' * 600, b"(" * 1200, b"\x00", b"\xff", b"\x1b[2J"),
    *(b'{"i": ', b'{"o": ', b"e", b".", b"-", b"'", b'"', b"\\", b"\n", b" ", "٣".encode(), "\u202e".encode()),
)


def mutated(seed: bytes, source: random.Random) -> bytes:
    data = bytearray(seed)
    for _ in range(source.choice((1, 1, 2, 3, 8))):
        start = source.randrange(len(data) + 1)
        end = min(len(data), start + source.choice((0, 1, 2, 5, 20)))
        kind = source.randrange(6)
        if kind == 0:
            data[start:end] = source.choice(AWKWARD)
        elif kind == 1:
            data[start:start] = data[start:end] * source.choice((1, 3, 300))
        elif kind == 2:
            del data[start:end]
        elif kind == 3 and data:
            data[start % len(data)] = source.randrange(256)
        elif kind == 4:
            data[start:end] = source.choice(AWKWARD) + data[start:end] + source.choice(AWKWARD)
        else:
            values = [place for place, byte in enumerate(data) if byte in b":,["]
            if values:
                place = source.choice(values) + 1
                data[place : place + source.choice((1, 2, 6))] = source.choice(AWKWARD)
    return bytes(data)


def fuzz(name: str, parser: Parser, cases: range, seed: int) -> dict[str, str]:
    """Failures by the place that raised them."""
    found: dict[str, str] = {}
    source = random.Random()
    start = hash_of(name, seed)
    for number in cases:
        source.seed(start + number)
        data = mutated(source.choice(parser.seeds), source)
        try:
            with contextlib.suppress(*parser.declared):
                parser.read(data)
        except Exception as error:  # a failure that the fuzzing looks for
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{type(error).__name__} at {frame.filename.rpartition('/')[2]}:{frame.lineno}"
            found.setdefault(place, f"case {number}: {data[:200]!r}: {str(error)[:120]}")
    return found


def hash_of(name: str, seed: int) -> int:
    """The first seed of a parser's cases, far from the seeds of other parsers."""
    return (seed << 96) + (zlib.crc32(name.encode()) << 48)


def add_to(file: Path, name: str, counted: dict[str, Any]) -> None:
    """Add what a slice has found to the counts of the slices before it."""
    record = json.loads(file.read_text()) if file.exists() else {"parsers": {}}
    before = record["parsers"].get(name, {"cases": 0, "ways_to_fail": 0, "cpu_s": 0.0})
    record["parsers"][name] = {key: round(before[key] + value, 1) for key, value in counted.items()}
    record["machine"] = machine()
    file.write_text(json.dumps(record, indent=2) + "\n")


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--cases", type=int, default=100_000, help="cases for each parser")
    arguments.add_argument("--first", type=int, default=0, help="number of the first case")
    arguments.add_argument("--json", type=Path, help="add the counts to this file")
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--only", choices=PARSERS, help="one parser")
    chosen = arguments.parse_args()
    failures = 0
    for name, parser in PARSERS.items():
        if chosen.only in (None, name):
            began_s = time.process_time()
            found = fuzz(name, parser, range(chosen.first, chosen.first + chosen.cases), chosen.seed)
            cpu_s = time.process_time() - began_s
            failures += len(found)
            print(f"{name}: {chosen.cases} cases, {len(found)} ways to fail, {cpu_s:.0f} s of CPU", flush=True)
            for place, shown in found.items():
                print(f"    {place}, {shown}", flush=True)
            if chosen.json:
                add_to(chosen.json, name, {"cases": chosen.cases, "ways_to_fail": len(found), "cpu_s": cpu_s})
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
