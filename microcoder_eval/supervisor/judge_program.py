"""Runs judges' own programs: testlib checkers, Kattis/ICPC output validators, interactors, in C++ or Python.

This file runs in the supervisor. The programs that it starts are untrusted and see expected outputs, so they run in
boxes that no submission enters. A judges' program is compiled once, and reads input, answer and output as files.

    program = JudgeProgram(boxes, checker.kind, checker, toolchain, scoring=False)
    program.ask(input, answer, output, limits).opinion

or, when it is an interactor,

    program.get_ready()
    program.lay_out(input=b"1 2", answer=b"3", output=b"3")
    run = program.box.run(output, LIMITS)
    program.opinion(run)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from microcoder_eval.protocol.messages import Toolchain
from microcoder_eval.supervisor.boxes import Boxes, NotCompiled
from microcoder_eval.supervisor.executables import executable, loaded
from microcoder_eval.supervisor.left_files import NotReadable, read_file
from microcoder_eval.supervisor.opinion import MOST_POINTS, Asked, Opinion, read_points
from microcoder_eval.supervisor.program_box import Command, ProgramBox
from microcoder_eval.supervisor.run import BoxLost, Run
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits
from microcoder_eval.verdict import Verdict

INPUT, OUTPUT, ANSWER, FEEDBACK = "input.txt", "output.txt", "answer.txt", "feedback"
ARGUMENTS = {"testlib": (INPUT, OUTPUT, ANSWER), "kattis": (INPUT, ANSWER, f"{FEEDBACK}/")}
MEMORY_BYTES = 1024 * MEBIBYTE
WORKING_BYTES = 1024 * MEBIBYTE
SHOWN = 1000
KATTIS_ACCEPTS, KATTIS_REJECTS = 42, 43
TESTLIB_ACCEPTS, TESTLIB_REJECTS, TESTLIB_PARTIAL = 0, (1, 2, 4, 8), 7
"""Wrong answer, presentation error, extra text after the answer, unexpected end of the answer."""
CPP_SOURCES = (".cpp", ".cc", ".cxx", ".c++")
_INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
MESSAGE, SCORE = f"{FEEDBACK}/judgemessage.txt", f"{FEEDBACK}/score.txt"
LONGEST_MESSAGE, LONGEST_SCORE = 1 << 16, 100
_POINTS = re.compile(r"points\s+(\S+)\s*")
_PARTIALLY = re.compile(r"partially correct \(([^()\s]*)\)\s*")
"""testlib's other way to give points: a text, with points out of 200, whatever the exit status."""
PARTIALLY_MOST = 200


class Source(Protocol):
    """A checker or an interactor."""

    @property
    def code(self) -> str: ...
    @property
    def files(self) -> Mapping[str, str]: ...
    @property
    def style(self) -> str: ...
    @property
    def flags(self) -> tuple[str, ...]: ...


class JudgeProgram:
    """One program of a problem's judges, in its box."""

    def __init__(self, boxes: Boxes, language: str, source: Source, toolchain: Toolchain | None, scoring: bool) -> None:
        """`scoring`: whether an answer may be worth a part of the points; otherwise only all points are accepted."""
        self._boxes = boxes
        self._scoring = scoring
        self._source = source
        assert language == "python" or toolchain is not None
        self._toolchain = None if language == "python" else toolchain
        self._files = {name: text.encode("utf-8", "surrogatepass") for name, text in source.files.items()}
        self._main = ""
        if source.code:
            self._main = "judge.py" if self._toolchain is None else "judge.cpp"
            self._files[self._main] = source.code.encode("utf-8", "surrogatepass")
        self.flags = source.flags
        """Further arguments. A test may have its own: set them before `get_ready`."""
        self.most_points = MOST_POINTS
        """The most points that it may give on the next test."""
        self._feedback: dict[str, bytes | NotReadable | None] = {}
        self._made: Command | None = None
        self._commands: dict[tuple[str, ...], Command] = {}
        self._box: ProgramBox | None = None

    @property
    def box(self) -> ProgramBox:
        assert self._box is not None, "get_ready() comes first"
        return self._box

    def ask(self, test_input: bytes, answer: bytes, output: bytes, limits: Limits) -> Asked:
        """Run the program as a checker on one test; raises `BoxLost`."""
        try:
            error = self.get_ready()
            if error:
                return Asked(Opinion(Verdict.JUDGE_ERROR, error, own_fault=True), None)
            self.lay_out(input=test_input, answer=answer, output=output)
            self.box.start(output if self._source.style == "kattis" else b"", limits)
            run = self.box.wait()
        except BoxLost:
            self.start_over()
            raise
        return Asked(self.opinion(run), run)

    def get_ready(self) -> str:
        """Compile and load the program; returns why it does not compile, or "". Raises `BoxLost`."""
        try:
            command = self._command()
        except NotCompiled as error:
            return f"the judges' program does not compile: {error}"
        self._box = loaded(self._boxes, "judges' programs", (), command, WORKING_BYTES)
        self._box.at_end = self._read_feedback if self._source.style == "kattis" else None
        return ""

    def lay_out(self, **files: bytes) -> None:
        """Write the files that the program reads in its next run: `input`, `answer`, `output`."""
        if self._toolchain is None:
            files = {**self._files, **{f"{name}.txt": content for name, content in files.items()}}
        else:
            files = {f"{name}.txt": content for name, content in files.items()}
        for name, content in files.items():
            self.box.put_file(name, content)
        if self._source.style == "kattis":
            self.box.put_directory(FEEDBACK)

    def opinion(self, run: Run) -> Opinion:
        """The program's opinion on the submission, from the run that has just ended."""
        if run.stopped:
            message = f"the judges' program was ended: {run.stopped} limit"
            return Opinion(Verdict.JUDGE_ERROR, message, exhausted=True)
        written = self.box.stderr.get(1 << 16) or self.box.stdout.get(1 << 16)  # old testlibs write to stdout
        text = written.decode("utf-8", "replace").strip()
        read = self._testlib_opinion if self._source.style == "testlib" else self._kattis_opinion
        status = run.exit_status
        opinion = read(status, text)
        message = opinion.message
        if opinion.verdict is Verdict.JUDGE_ERROR:
            how = f"signal {-status}" if status < 0 else f"exit status {status}"
            message = f"the judges' program failed ({how}): {message}"
        # a Python interpreter that runs out of memory reports it on stderr only
        return opinion._replace(message=message[:SHOWN], exhausted="MemoryError" in text)

    def start_over(self) -> None:
        """Give up the box; the next test gets a new one."""
        if self._box is not None:
            self._boxes.replace(self._box)
            self._box = None

    def _testlib_opinion(self, status: int, text: str) -> Opinion:
        part = _PARTIALLY.match(text) if status >= 0 else None
        if part:
            share = read_points(part.group(1), PARTIALLY_MOST)
            message = text[part.end() :]
            return _no_points(part.group(1)) if share is None else self._worth(share / PARTIALLY_MOST, message)
        if status == TESTLIB_ACCEPTS:
            return Opinion(Verdict.ACCEPTED, text)
        if status in TESTLIB_REJECTS:
            return Opinion(Verdict.WRONG_ANSWER, text or "the checker says no")
        points = _POINTS.match(text) if status == TESTLIB_PARTIAL else None
        if points:
            worth = read_points(points.group(1), self.most_points)
            message = text[points.end() :]
            return _no_points(points.group(1)) if worth is None else self._worth(worth, message)
        return Opinion(Verdict.JUDGE_ERROR, text)

    def _worth(self, points: float, message: str) -> Opinion:
        """The opinion on an answer that is worth a part of the points."""
        if self._scoring:
            return Opinion(Verdict.ACCEPTED, message, points)
        return Opinion(Verdict.WRONG_ANSWER, f"worth {points:g} points, and nothing less than all counts: {message}")

    def _kattis_opinion(self, status: int, text: str) -> Opinion:
        written, score = self._feedback.get(MESSAGE), self._feedback.get(SCORE)
        message = written.decode("utf-8", "replace").strip() if isinstance(written, bytes) else ""
        message = message or text
        if status == KATTIS_REJECTS:
            return Opinion(Verdict.WRONG_ANSWER, message or "the validator says no")
        if status != KATTIS_ACCEPTS:
            return Opinion(Verdict.JUDGE_ERROR, message)
        if score is None:
            return Opinion(Verdict.ACCEPTED, message)
        if isinstance(score, NotReadable):
            return Opinion(Verdict.JUDGE_ERROR, f"its score cannot be read: {score}")
        given = score.decode("ascii", "replace").strip()
        points = read_points(given, self.most_points)
        return _no_points(given) if points is None else Opinion(Verdict.ACCEPTED, message, points)

    def _read_feedback(self, directory: int) -> None:
        """Keep the two files that a validator may leave, before the directory is emptied."""
        self._feedback = {}
        for path, most in ((MESSAGE, LONGEST_MESSAGE), (SCORE, LONGEST_SCORE)):
            try:
                self._feedback[path] = read_file(path, directory, most)
            except NotReadable as why:
                self._feedback[path] = why

    def _command(self) -> Command:
        """The command that runs the program with its flags. The same flags give the same object, as a box expects."""
        if self.flags not in self._commands:
            self._made = self._made or self._make()
            arguments = (*ARGUMENTS[self._source.style], *self.flags)
            self._commands[self.flags] = replace(self._made, argv=(*self._made.argv, *arguments))
        return self._commands[self.flags]

    def _make(self) -> Command:
        """The program compiled, as a command without arguments."""
        if self._toolchain is None:
            main = self._main or _first_of(
                self._files, ("__main__.py", "main.py", "validator.py", "validate.py"), ".py"
            )
            return Command((sys.executable, "-s", "-E", "-B", "-X", "utf8", main), file=sys.executable)
        included = {
            name for text in self._files.values() for name in _INCLUDED.findall(text.decode("utf-8", "replace"))
        }
        sources = [name for name in sorted(self._files) if name.endswith(CPP_SOURCES) and name not in included]
        if not sources:
            raise NotCompiled("there is no C++ source among its files")
        command = executable(self._boxes, self._toolchain, self._files, sources, MEMORY_BYTES // MEBIBYTE)
        return replace(command, argv=("./judge",))


def _no_points(score: str) -> Opinion:
    return Opinion(Verdict.JUDGE_ERROR, f"its score is {score[:LONGEST_SCORE]!a}, which is not a number it may give")


def _first_of(files: Mapping[str, bytes], wanted: tuple[str, ...], suffix: str) -> str:
    fitting = [name for name in (*wanted, *sorted(files)) if name in files and name.endswith(suffix)]
    if not fitting:
        raise NotCompiled(f"there is no {suffix} file among its files")
    return fitting[0]
