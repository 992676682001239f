"""The messages between the grader and a supervisor: typed records, packed as plain data.

    connection.sendall(pack(Cancel(7)))
    for message in map(unpack, incoming.feed(data)): ...

The grader sends `KnowProblem`, `ForgetProblem`, `RunTests` and `Cancel`; a supervisor sends `Ready`, `Working`, `Done`.
"""

from __future__ import annotations

import marshal
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from microcoder_eval.protocol import wire
from microcoder_eval.verdict import Excerpt, Raised, TestResult, Verdict

EXIT_BOX_KILLED = 75
"""The exit status of a supervisor whose first sandbox was killed from outside at every attempt to start it."""


class Start(NamedTuple):
    """What a supervisor is started with: the argument of its process."""

    layers: list[str]
    directory: str
    """Which the supervisor makes for its boxes."""
    grader: int
    """The grader's process."""
    programs: str
    """Where compiled programs are kept, or ""."""

    def to_argument(self) -> str:
        return marshal.dumps(tuple(self)).hex()

    @classmethod
    def from_argument(cls, text: str) -> Start:
        return cls(*marshal.loads(bytes.fromhex(text)))


class Toolchain(NamedTuple):
    """A language's tools on this machine. `languages/toolchain.py` finds them."""

    language: str
    tools: Mapping[str, str]
    """The path of each needed tool, by the tool's first name."""
    version: str
    readable: tuple[str, ...] = ()
    """Directories that the tools need and that the sandbox does not show by default."""
    runtime_memory_mb: int = 0
    """As in `Language`."""
    static: bool = False
    """C and C++: whether programs can be linked statically, which makes them start in a third of the time."""


class PlainRun(NamedTuple):
    """What a plain run is given, and how much of its stdout and of its stderr is kept."""

    stdin: bytes
    files: Mapping[str, bytes]
    kept_bytes: int


class RunOptions(NamedTuple):
    """How a program's tests are run and judged. The same for all parts of a job."""

    policy: str
    isolation: str
    all_tests: bool
    """Whether to go on after a failed test."""
    skip_unneeded: bool = False
    """Scoring problems: whether to skip tests that cannot change the points any more."""
    judged: bool = True
    """False: run the program for its outputs, and compare nothing."""
    toolchain: Toolchain | None = None
    """What compiles and runs the program; None for Python."""
    judges_toolchain: Toolchain | None = None
    """What compiles the problem's own checker or interactor."""
    plain_run: PlainRun | None = None
    """None when a problem's tests are run."""


class Streams(NamedTuple):
    """What the program of a plain run has written, and how it ended."""

    exit_status: int
    """Below 0: minus the signal that ended it."""
    stdout: bytes
    stderr: bytes
    stdout_bytes: int
    """How much it wrote; `stdout` is the beginning of that."""
    stderr_bytes: int


@dataclass(frozen=True)
class TestOutcome:
    """The result of one test, with the program's output where the grader wants it."""

    __test__ = False  # pytest: this is not a test class

    result: TestResult
    output: bytes | Streams | None = None
    """What the program printed or returned, if it was run for its outputs and ended well; a plain run's streams."""


class SealedPlace(NamedTuple):
    """A text of a problem that is sent as a sealed file: the test's index, the field, the number of bytes."""

    test: int
    field: str
    size: int


class KnowProblem(NamedTuple):
    """Keep a problem; later `RunTests` name it by its key."""

    key: str
    record: dict[str, Any]
    sealed: Sequence[SealedPlace] = ()
    """The texts that the record leaves out. Their files are sent with the message, in this order."""


class ForgetProblem(NamedTuple):
    """Forget a problem that is not needed any more."""

    key: str


class RunTests(NamedTuple):
    """Run tests of a program, in the order given."""

    number: int
    problem_key: str
    code: str
    indices: list[int]
    options: RunOptions
    shared: bool
    """Whether a `Cancel` may follow at once: other supervisors run tests of this program, or it may be withdrawn."""


class Cancel(NamedTuple):
    """The outcomes of these tests are not needed any more, apart from the first `kept` ones."""

    number: int
    kept: int = 0


class Ready(NamedTuple):
    """The supervisor has started, and these layers of its sandbox hold."""

    layers: list[str]


class Working(NamedTuple):
    """The supervisor is still at work on a `RunTests`; so many of its tests have begun or are not needed."""

    number: int
    begun: int


class Done(NamedTuple):
    """The outcomes of a `RunTests`. Tests that early stop or a `Cancel` skipped are missing."""

    number: int
    outcomes: list[TestOutcome]
    compile_error: str | None = None
    compile_raised: Raised | None = None
    """The SyntaxError of a Python program."""


Message = KnowProblem | ForgetProblem | RunTests | Cancel | Ready | Working | Done
KINDS: dict[str, Any] = {
    kind.__name__: kind for kind in (KnowProblem, ForgetProblem, RunTests, Cancel, Ready, Working, Done)
}

VERDICTS = {verdict.value: verdict for verdict in Verdict}
"""Looked up for every test: `Verdict(...)` takes four times as long."""


def pack(message: Message) -> bytes:
    """A message as bytes for the socket."""
    fields: tuple[Any, ...] = tuple(message)
    if isinstance(message, RunTests):
        fields = (*fields[:4], _plain_options(message.options), message.shared)
    elif isinstance(message, KnowProblem):
        fields = (message.key, message.record, [tuple(place) for place in message.sealed])
    elif isinstance(message, Done):
        outcomes, raised = [_plain(outcome) for outcome in message.outcomes], _plain_raised(message.compile_raised)
        fields = (message.number, outcomes, message.compile_error, raised)
    return wire.pack((type(message).__name__, *fields))


def unpack(data: Any) -> Message:
    """The message that arrived as `data` (see `wire.Incoming`); raises `Malformed`."""
    try:
        return _message(*data)
    except (TypeError, ValueError, KeyError) as error:
        raise wire.Malformed(f"{type(error).__name__}: {error}") from None


def _message(name: str, *fields: Any) -> Message:
    if name == "RunTests":
        number, key, code, indices, options, shared = fields
        return RunTests(number, key, code, indices, _options(options), shared)
    if name == "Done":
        number, outcomes, compile_error, raised = fields
        _check(type(number) is int and type(outcomes) is list and _is_text(compile_error), "a Done")
        return Done(number, [_outcome(*outcome) for outcome in outcomes], compile_error, _raised(raised))
    if name == "KnowProblem":
        key, record, sealed = fields
        return KnowProblem(key, record, tuple(SealedPlace(*place) for place in sealed))
    if name == "Ready":
        (layers,) = fields
        _check(type(layers) is list and all(type(layer) is str for layer in layers), "a Ready")
    if name == "Working":
        number, begun = fields
        _check(type(number) is int and type(begun) is int and begun >= 0, "a Working")
    message: Message = KINDS[name](*fields)
    return message


def _plain_options(options: RunOptions) -> dict[str, Any]:
    run, tools, judges_tools = options.plain_run, options.toolchain, options.judges_toolchain
    return {
        **options._asdict(),
        "plain_run": run and tuple(run),
        "toolchain": tools and tools._asdict(),
        "judges_toolchain": judges_tools and judges_tools._asdict(),
    }


def _options(fields: Mapping[str, Any]) -> RunOptions:
    run, tools, judges_tools = fields["plain_run"], fields["toolchain"], fields["judges_toolchain"]
    records = {
        "plain_run": run and PlainRun(*run),
        "toolchain": tools and Toolchain(**tools),
        "judges_toolchain": judges_tools and Toolchain(**judges_tools),
    }
    return RunOptions(**{**fields, **records})


def _plain(outcome: TestOutcome) -> tuple[Any, ...]:
    result, output = outcome.result, outcome.output
    return (
        tuple(output) if isinstance(output, Streams) else output,
        *(result.index, result.verdict._value_, result.cpu_ms, result.wall_ms, result.memory_kb),
        *(result.rung, result.detail, result.points, result.judge_failed, result.endless, _plain_raised(result.raised)),
        *map(_plain_excerpt, (result.output, result.stderr, result.expected)),
    )


def _outcome(
    output: Any,
    index: Any,
    verdict: Any,
    cpu_ms: Any,
    wall_ms: Any,
    memory_kb: Any,
    rung: Any,
    detail: Any,
    *judge: Any,
) -> TestOutcome:
    points, judge_failed, endless, raised, *excerpt_fields = judge
    _check(
        (output is None or type(output) is bytes or type(output) is tuple)
        and (type(index) is int and type(memory_kb) is int)
        and (_is_number(cpu_ms) and _is_number(wall_ms) and (points is None or _is_number(points)))
        and (_is_text(rung) and type(detail) is str and type(judge_failed) is bool and type(endless) is bool),
        "an outcome",
    )
    used = cpu_ms, wall_ms, memory_kb
    written = _streams(*output) if type(output) is tuple else output
    printed, stderr, expected = map(_excerpt, excerpt_fields)
    excerpts = printed, stderr, expected
    named = VERDICTS[verdict]
    failure = _raised(raised)
    result = TestResult(index, named, *used, rung, detail, points, judge_failed, endless, failure, *excerpts)
    return TestOutcome(result, written)


def _plain_raised(raised: Raised | None) -> tuple[int | None, str] | None:
    return None if raised is None else (raised.line, raised.exception)


def _raised(fields: Any) -> Raised | None:
    if fields is None:
        return None
    line, exception = fields
    _check((line is None or type(line) is int) and type(exception) is str, "what a program raised")
    return Raised(line, exception)


def _plain_excerpt(excerpt: Excerpt | None) -> tuple[str, int, int] | None:
    return None if excerpt is None else (excerpt.text, excerpt.start, excerpt.size)


def _excerpt(fields: Any) -> Excerpt | None:
    if fields is None:
        return None
    _check(type(fields) is tuple and list(map(type, fields)) == [str, int, int], "an excerpt")
    return Excerpt(*fields)


def _streams(exit_status: Any, stdout: Any, stderr: Any, stdout_bytes: Any, stderr_bytes: Any) -> Streams:
    _check(
        all(type(count) is int for count in (exit_status, stdout_bytes, stderr_bytes))
        and (type(stdout) is bytes and type(stderr) is bytes),
        "a plain run",
    )
    return Streams(exit_status, stdout, stderr, stdout_bytes, stderr_bytes)


def _check(well_formed: bool, what: str) -> None:
    if not well_formed:
        raise TypeError(f"{what} with a field of another type")


def _is_text(value: Any) -> bool:
    return value is None or type(value) is str


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)
