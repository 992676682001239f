"""The tests that a Polygon package leaves out, made as Polygon makes them: generators, validators, the main solution.

    with Grader(workers=1) as grader:
        found = generated_tests(package, problem, grader)
    found.tests[17]          # the input and the answer of the 17th test
    found.missing            # Counter({"the generator gen is no program in C++ or Python": 3})

All programs run in the sandbox. `problem.xml` names each test's command with all its arguments, such as `gen 10 5`. An
input is used only if every validator of the package takes it. Its answer is the main solution's; Verify runs the other
solutions on it as on any test.
"""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, field

from microcoder_data.packages.files import Package
from microcoder_data.packages.languages import language_of
from microcoder_data.packages.polygon_xml import PolygonProblem, PolygonTest
from microcoder_data.packages.sources_of_programs import in_one_file, with_arguments
from microcoder_data.rules import Reject
from microcoder_eval import ProgramRun, Verdict
from microcoder_eval.connection import AnyGrader
from microcoder_eval.errors import GraderError, UnsupportedError

RUN_S, MEMORY_MB = 15.0, 1024
"""For one run of a generator or a validator."""
PACKAGE_S = 600.0
"""CPU time for one package. A test that is not made by then is missing."""
TEST_BYTES, PACKAGE_BYTES = 16 << 20, 256 << 20
"""The most bytes of one input or answer, and of all of them."""


@dataclass
class Generated:
    """What a package's programs have made."""

    tests: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Input and answer by the test's number, from 0."""
    missing: Counter[str] = field(default_factory=Counter)
    """How many tests are not made, by reason."""
    validated: bool = False
    """Whether the package has a validator; it has then taken every input."""


class _Fault(Exception):
    """Why a test cannot be made."""


def generated_tests(package: Package, problem: PolygonProblem, grader: AnyGrader) -> Generated:
    """Make the tests of which the package lacks the input or the answer."""
    found = Generated(validated=bool(problem.validators))
    programs = _Programs(package, problem, grader)
    for number, test in enumerate(problem.tests):
        if test.input in package.sizes and test.answer in package.sizes:
            continue
        try:
            text = _own_input(package, test) if test.input in package.sizes else programs.generated(test)
            programs.validate(text)
            found.tests[number] = text, programs.answer(text)
        except _Fault as fault:
            found.missing[str(fault)] += 1
    return found


def _own_input(package: Package, test: PolygonTest) -> str:
    """An input that is in the package; packages that were built on Windows have its line ends."""
    try:
        return package.text(test.input).replace("\r\n", "\n")
    except Reject as reject:
        raise _Fault(f"an input cannot be read: {reject.reason}") from None


class _Programs:
    """Runs the programs of one package. One that has failed once is not run again."""

    def __init__(self, package: Package, problem: PolygonProblem, grader: AnyGrader) -> None:
        self._package, self._problem, self._grader = package, problem, grader
        self._left_s, self._left_bytes = PACKAGE_S, PACKAGE_BYTES
        self._refused: dict[str, str] = {}
        self._reproducible: set[str] = set()
        self._codes: dict[str, str] = {}

    def generated(self, test: PolygonTest) -> str:
        """The input that a test's command prints."""
        if test.writes_files:
            raise _Fault("a generator that writes several files")
        name, arguments = _command(test.command)
        path = self._problem.executables.get(name)
        if path is None:
            raise _Fault(f"no generator {name[:40]!r} is named" if name else "no command is given for a test")
        run = self._run("generator", path, arguments=arguments)
        if path not in self._reproducible:  # a package gives the same rows whenever it is read
            if self._run("generator", path, arguments=arguments).stdout != run.stdout:
                self._refuse(path, f"the generator {name} gives another input for the same arguments")
            self._reproducible.add(path)
        return self._text(f"the generator {name}", run)

    def validate(self, text: str) -> None:
        """Raise a `_Fault` unless every validator of the package takes the input."""
        for path in self._problem.validators:
            if not self._run("validator", path, text, may_fail=True).ended_well:
                raise _Fault("the validator refuses an input")

    def answer(self, text: str) -> str:
        """The main solution's answer to an input."""
        main = next((one for one in self._problem.solutions if one.tag == "main"), None)
        if main is None:
            raise _Fault("no main solution is named")
        try:
            limit_s = max(1.0, 2 * int(self._problem.time_limit_ms) / 1000)
        except ValueError:
            limit_s = RUN_S
        run = self._run("main solution", main.path, text, time_limit_s=min(limit_s, RUN_S))
        return self._text("the main solution", run)

    def _run(
        self,
        role: str,
        path: str,
        stdin: str = "",
        *,
        arguments: tuple[str, ...] = (),
        may_fail: bool = False,
        time_limit_s: float | None = None,
    ) -> ProgramRun:
        """Run a program; raises a `_Fault` where it cannot be run or fails. A validator may fail: it refuses."""
        if path in self._refused:
            raise _Fault(self._refused[path])
        if self._left_s <= 0:
            raise _Fault("no time is left for this package")
        named = f"the {role} {path}"
        language = language_of(path)
        if role != "main solution" and language not in ("cpp", "python"):
            self._refuse(path, f"{named} is no program in C++ or Python")
        code, files = self._code(named, path), with_arguments(arguments)
        try:
            run = self._grader.run(
                code, language or "", stdin, files=files, time_limit_s=time_limit_s or RUN_S, memory_limit_mb=MEMORY_MB,
                kept_bytes=TEST_BYTES,
            )  # fmt: skip
        except UnsupportedError as error:
            self._refuse(path, f"{named} cannot be run here: {error}")
        if run.verdict is Verdict.JUDGE_ERROR:
            raise GraderError(run.detail)
        self._left_s -= run.cpu_s
        refuses = may_fail and run.exit_status is not None and run.exit_status > 0
        if not run.ended_well and not refuses:
            why = f"{named} fails: {run.verdict.value}"
            if role != "main solution":  # that one may be too slow for one test only
                self._refused[path] = why
            raise _Fault(why)
        return run

    def _code(self, named: str, path: str) -> str:
        if path not in self._codes:
            try:
                self._codes[path] = in_one_file(self._package, path)
            except Reject as reject:
                self._refuse(path, f"{named} cannot be read: {reject}")
        return self._codes[path]

    def _refuse(self, path: str, why: str) -> None:
        self._refused[path] = why
        raise _Fault(why)

    def _text(self, named: str, run: ProgramRun) -> str:
        """What a run printed, as a test holds it."""
        try:
            size = len(run.stdout.encode())
        except UnicodeEncodeError:
            raise _Fault(f"{named} prints bytes that are no text") from None
        if run.stdout_cut or size > self._left_bytes:
            raise _Fault(f"{named} prints too much")
        if not run.stdout.strip():
            raise _Fault(f"{named} prints nothing")
        self._left_bytes -= size
        return run.stdout


def _command(command: str) -> tuple[str, tuple[str, ...]]:
    """The generator and the arguments of a command; `> $`, where the test goes, is no argument.

    >>> _command('gen 10 -type "two words" > $')
    ('gen', ('10', '-type', 'two words'))
    """
    try:
        words = shlex.split(command)
    except ValueError:
        raise _Fault("a command that cannot be split into words") from None
    if len(words) > 2 and words[-2] == ">":
        words = words[:-2]
    return (words[0], tuple(words[1:])) if words else ("", ())
