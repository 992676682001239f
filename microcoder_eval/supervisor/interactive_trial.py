"""Tests a program on an interactive problem.

The program and the problem's interactor run in two boxes; the supervisor carries the bytes between them. The program
never sees input or answer, unless the interactor sends them. The verdict depends on which process ended first:

- If the interactor rejects before the program has ended, it is WRONG_ANSWER, whatever the program does afterwards.
- If the program crashes or exceeds a limit first, or after the interactor accepted, that is the verdict.
- Otherwise the interactor's opinion is the verdict.
- If the interactor fails, it is WRONG_ANSWER when a silent program does not make it fail, otherwise JUDGE_ERROR.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Protocol

from microcoder_eval.boundary.box_protocol import INTERACTOR_FUNCTION
from microcoder_eval.problem import Interactor
from microcoder_eval.protocol.messages import RunOptions, TestOutcome, Toolchain
from microcoder_eval.supervisor import judge
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.boxes import Boxes
from microcoder_eval.supervisor.conversation import Talk, converse, say_nothing
from microcoder_eval.supervisor.failure import failure_of
from microcoder_eval.supervisor.fair_judging import blame_the_program
from microcoder_eval.supervisor.judge import Judgement
from microcoder_eval.supervisor.loaded_problem import LEAST_OUTPUT_BYTES, LoadedProblem
from microcoder_eval.supervisor.opinion import LONGEST_ANSWER, MOST_POINTS, Opinion, new_secret
from microcoder_eval.supervisor.run import BoxLost, Run
from microcoder_eval.supervisor.said import Excerpts, stderr_end
from microcoder_eval.supervisor.trial import Trial
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits
from microcoder_eval.verdict import Excerpt, Verdict

LEAST_INTERACTOR_CPU_S = 5.0
INTERACTOR_MEMORY_BYTES = 1024 * MEBIBYTE
TOO_MUCH_TO_READ = MEBIBYTE
"""An interactor that runs out of time or memory after more bytes than this was flooded by the program."""
SILENCE_S = 0.5
"""The CPU time that most interactors need at most before they wait for the program."""
ATTEMPTS = 2
"""How often a conversation is tried when something outside the sandbox killed one side."""


class InteractiveTrial(Trial):
    """The tests of one program; each test is a conversation with the interactor."""

    def __init__(self, boxes: Boxes, loaded: LoadedProblem, code: str, options: RunOptions) -> None:
        super().__init__(boxes, loaded, code, options)
        self._interactor = interactor_of(boxes, loaded, options.judges_toolchain)

    def test(self, index: int) -> TestOutcome:
        """Run and judge one conversation; raises `BoxLost` when a sandbox failed rather than the program."""
        program, limits = self._ready(), self._limits(index)
        error = self._interactor.get_ready(index)
        if error:
            return judge.judge_error(index, error)
        interactor = self._interactor
        interactor_limits = Limits(
            max(LEAST_INTERACTOR_CPU_S, 2 * limits.cpu_s), INTERACTOR_MEMORY_BYTES, LEAST_OUTPUT_BYTES
        )
        try:
            for _ in range(ATTEMPTS):
                stdin = interactor.lay_out(index)
                talk = converse(program, interactor.box, stdin, (limits, interactor_limits), _rejects(interactor))
                if not (talk.program.killed or talk.interactor.killed):
                    break
        except BoxLost:
            interactor.start_over()
            raise
        opinion = interactor.opinion(talk.interactor)
        early = judge.judge_run(talk.program, limits, 0, failure_of(program, talk.program, self._code))
        judgement = judge_talk(talk, opinion, early, limits)
        if judgement.verdict is Verdict.JUDGE_ERROR and not opinion.own_fault and self._waits_for_program(index):
            blamed = blame_the_program(opinion, "it does not fail while the program says nothing")
            judgement = Judgement(blamed.verdict, detail=blamed.message, judge_failed=True)
        if judgement.verdict is not Verdict.ACCEPTED:
            talked = last_lines(talk)
            judgement = judgement._replace(detail=talked + judgement.detail)
            excerpts = Excerpts(Excerpt(talked, 0, len(talked)) if talked else None, stderr_end(program.stderr))
            return judge.outcome(index, talk.program, judgement, excerpts=excerpts)
        return judge.outcome(index, talk.program, judgement)

    def _waits_for_program(self, index: int) -> bool:
        """Whether the interactor waits, or gives an opinion, when a program neither ends nor writes anything.

        If so, what this program wrote made the interactor fail. A right program to try the interactor with is not
        known. Tried once for each test, and only after the interactor has failed.
        """
        known = self._loaded.waits_for_program
        if index not in known:
            known[index] = self._try_silence(index)
        return known[index]

    def _try_silence(self, index: int) -> bool:
        interactor = self._interactor
        try:
            for cpu_s in (SILENCE_S, LEAST_INTERACTOR_CPU_S):
                error = interactor.get_ready(index)
                if error:
                    return False
                limits = Limits(cpu_s, INTERACTOR_MEMORY_BYTES, LEAST_OUTPUT_BYTES)
                run = say_nothing(interactor.box, interactor.lay_out(index), limits)
                if run.stopped != "time":
                    break
        except BoxLost:
            interactor.start_over()
            raise
        return run.stopped == "idle" or interactor.opinion(run).verdict is not Verdict.JUDGE_ERROR

    def run_in_one_process(self, indices: list[int]) -> list[TestOutcome]:
        """Nothing: conversations never share a process."""
        return []


def interactor_of(boxes: Boxes, loaded: LoadedProblem, toolchain: Toolchain | None) -> AnyInteractor:
    """The interactor of a problem, not yet loaded."""
    source = loaded.problem.interactor
    assert source is not None
    if source.style == "function":
        return FunctionInteractor(boxes, loaded)
    return ProgramInteractor(boxes, loaded, source, toolchain)


class AnyInteractor(Protocol):
    """The methods of an interactor, whether it is a function or a whole program."""

    @property
    def box(self) -> Box: ...

    def get_ready(self, index: int) -> str:
        """Load it into its box for a test; returns why that fails, or ""."""

    def lay_out(self, index: int) -> bytes:
        """Prepare a test; returns the interactor's stdin, which is empty for a whole program: it reads files."""

    def opinion(self, run: Run) -> Opinion:
        """The interactor's opinion on the program, from its last run."""

    def start_over(self) -> None:
        """Give up the box; the next test gets a new one."""


class ProgramInteractor:
    """An interactor that is a whole program by testlib's or Kattis' conventions, in C++ or Python."""

    def __init__(self, boxes: Boxes, loaded: LoadedProblem, source: Interactor, toolchain: Toolchain | None) -> None:
        from microcoder_eval.supervisor.judge_program import JudgeProgram  # imports compilers, see `Trial`

        self._loaded = loaded
        self._source = source
        self._program = JudgeProgram(boxes, source.language, source, toolchain, loaded.groups is not None)

    @property
    def box(self) -> Box:
        return self._program.box

    def get_ready(self, index: int) -> str:
        own = self._loaded.problem.tests[index].flags
        self._program.flags = self._source.flags if own is None else own
        return self._program.get_ready()

    def lay_out(self, index: int) -> bytes:
        self._program.most_points = self._loaded.most_points(index)
        self._program.lay_out(input=bytes(self._loaded.inputs[index]), answer=self._loaded.expected[index])
        return b""

    def opinion(self, run: Run) -> Opinion:
        return self._program.opinion(run)

    def start_over(self) -> None:
        self._program.start_over()


class FunctionInteractor:
    """An interactor written as a Python function (see `sandbox/interactor_function.py`), in a judges' box."""

    def __init__(self, boxes: Boxes, loaded: LoadedProblem) -> None:
        self._boxes = boxes
        self._loaded = loaded
        self._secret = b""
        self._most_points = MOST_POINTS

    @property
    def box(self) -> Box:
        return self._boxes.for_judges()

    def get_ready(self, index: int) -> str:
        interactor = self._loaded.problem.interactor
        assert interactor is not None
        error = self.box.load(INTERACTOR_FUNCTION, interactor.code)
        return f"the interactor does not compile: {error}" if error else ""

    def lay_out(self, index: int) -> bytes:
        test = self._loaded.problem.tests[index]
        self._most_points, self._secret = self._loaded.most_points(index), new_secret()
        return self._secret + b"\n" + json.dumps([test.input, test.output]).encode()

    def opinion(self, run: Run) -> Opinion:
        written, errors = self.box.result.get(LONGEST_ANSWER + 1), self.box.stderr.get(1 << 16)
        return judge.interactor_opinion(run, written, errors, self._secret, self._most_points)

    def start_over(self) -> None:
        self._boxes.replace(self.box)


def _rejects(interactor: AnyInteractor) -> Callable[[Run], bool]:
    """A function that tells whether an interactor's run decides the verdict. After an acceptance it does not: the
    program must still end well."""
    return lambda run: interactor.opinion(run).verdict is not Verdict.ACCEPTED


def judge_talk(talk: Talk, opinion: Opinion, early: Judgement | None, limits: Limits) -> Judgement:
    """The verdict on a conversation. `early`: the verdict that the program's run alone decides, if it does."""
    verdict, message, points, exhausted = opinion[:4]
    if talk.program.stopped == "flood":
        return Judgement(Verdict.OUTPUT_LIMIT, detail=f"wrote more than {limits.output_bytes >> 20} MiB")
    by_itself = talk.program.stopped != "stopped"  # not killed because the interactor had ended
    if early is not None and by_itself and (talk.program_first or talk.program.stopped or verdict is Verdict.ACCEPTED):
        return early
    if verdict is Verdict.JUDGE_ERROR and exhausted and talk.from_program > TOO_MUCH_TO_READ:
        detail = f"wrote {talk.from_program >> 20} MiB, more than the interactor can take"
        return Judgement(Verdict.OUTPUT_LIMIT, detail=detail)
    if verdict is Verdict.ACCEPTED:
        return Judgement(verdict, "interactor", message, points)
    return Judgement(verdict, detail=message or "the interactor says no")


def last_lines(talk: Talk) -> str:
    """The end of the conversation, to show with the verdict: "<" marks the program's lines, ">" the interactor's."""
    lines = []
    for speaker, data in talk.last:
        text = " / ".join(data.decode("utf-8", "backslashreplace").split("\n")).removesuffix(" / ")
        lines.append(f"{'<' if speaker == 'program' else '>'} {text}\n")
    return "".join(lines)
