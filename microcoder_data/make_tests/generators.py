"""Prove and use generators that a model has written: programs in the sandbox that print one input each time.

A generator is refused when it fails, is slow, prints too much, gives another input for the same seed, or gives an input
that the validator refuses. One bad input is enough, because it shows that the model has not understood the bounds. The
second run for a seed takes place on a later date, as far as the program can tell: an input must not depend on the day.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from microcoder_data.make_tests.grammar import canonical
from microcoder_data.make_tests.questions import Written
from microcoder_data.make_tests.settings import MakeTests
from microcoder_eval import ProgramRun, Verdict
from microcoder_eval.connection import AnyGrader

MEMORY_MB = 1024
SEED = 1
INPUTS = 12
LARGEST_INPUTS = 4
LATER = """
import datetime, time

AHEAD = 34_567_890


def later(function):
    return lambda *given: function(*(given or [time.time()]))


now, now_ns, written = time.time, time.time_ns, time.strftime
time.time, time.time_ns = lambda: now() + AHEAD, lambda: now_ns() + AHEAD * 10**9
time.localtime, time.gmtime, time.ctime = map(later, (time.localtime, time.gmtime, time.ctime))
time.strftime = lambda form, *given: written(form, *(given or [time.localtime()]))


class LaterDate(datetime.date):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())


class LaterTime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

    today = utcnow = now


datetime.date, datetime.datetime = LaterDate, LaterTime
exec(compile({code!r}, "generator.py", "exec"), {{"__name__": "__main__"}})
"""
"""Runs a program with a clock that is 400 days ahead."""

Valid = Callable[[str], str]
"""From a text to why it is not an allowed input; empty when it is."""


@dataclass
class GeneratorProof:
    """The inputs of a generator, or why it is refused."""

    program: Written
    texts: list[str] = field(default_factory=list)
    fault: str = ""
    """Why it is refused: slow, too large, not reproducible, out of bounds, or how it failed; else empty."""


def run_generator(
    program: Written, count: int, grader: AnyGrader, settings: MakeTests, valid: Valid, first: int = 0
) -> GeneratorProof:
    """`count` inputs of a generator from number `first` on, or why it is refused."""
    made = GeneratorProof(program)
    later = Written(program.name, LATER.format(code=program.code))
    for number in range(first, first + count):
        run = _run(program, number, grader, settings)
        if fault := _fault(run):
            return GeneratorProof(program, fault=fault)
        if _run(later, number, grader, settings).stdout != run.stdout:
            return GeneratorProof(program, fault="not reproducible: the same seed gives another input")
        if why := valid(run.stdout):
            return GeneratorProof(program, fault=f"out of bounds: {why}")
        made.texts.append(canonical(run.stdout))
    made.texts = list(dict.fromkeys(made.texts))
    return made


def _run(program: Written, number: int, grader: AnyGrader, settings: MakeTests) -> ProgramRun:
    return grader.run(
        program.code,
        stdin=f"{SEED} {number}\n",
        time_limit_s=settings.generator_seconds,
        memory_limit_mb=MEMORY_MB,
        kept_bytes=settings.max_bytes,
    )


def _fault(run: ProgramRun) -> str:
    """What is wrong with one run of a generator; empty when nothing is."""
    if run.verdict is Verdict.TIME_LIMIT:
        return "slow"
    if run.stdout_cut or run.verdict is Verdict.OUTPUT_LIMIT:
        return "too large"
    if not run.ended_well:
        return f"fails: {run.verdict.value}"
    try:
        run.stdout.encode()
    except UnicodeEncodeError:
        return "prints bytes that are no text"
    return "" if run.stdout.strip() else "prints nothing"
