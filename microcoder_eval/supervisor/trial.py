"""Loads one submission's program into a box, runs its tests and judges them.

Each test runs in a fresh process. With isolation `submission` all run in one process, and those that fail there run
again in a fresh one. `AssertsTrial`, `InteractiveTrial`, `OutputTrial` and `RunTrial` do the same for other work.
"""

from __future__ import annotations

import json
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from microcoder_eval.boundary.box_protocol import CHECKER
from microcoder_eval.boundary.decode_values import NotAValue, Opaque, read_answer
from microcoder_eval.boundary.encode_values import encode
from microcoder_eval.checker import STYLES
from microcoder_eval.problem import Policy
from microcoder_eval.protocol.messages import RunOptions, TestOutcome
from microcoder_eval.protocol.sealed_text import SealedText
from microcoder_eval.supervisor import judge, long_output, said
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.boxes import Boxes, ProgramLoader
from microcoder_eval.supervisor.failure import failure_of
from microcoder_eval.supervisor.fair_judging import ask_fairly, other_outputs
from microcoder_eval.supervisor.judge import Judgement
from microcoder_eval.supervisor.loaded_problem import LoadedProblem
from microcoder_eval.supervisor.opinion import LONGEST_ANSWER, Asked, Opinion, new_secret
from microcoder_eval.supervisor.run import BoxLost, Run
from microcoder_eval.supervisor.said import Excerpts
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits
from microcoder_eval.verdict import Verdict

if TYPE_CHECKING:
    from microcoder_eval.supervisor.judge_program import JudgeProgram

MOST_IN_GROUP, GROUP_MS = 16, 10
"""A group is the tests whose inputs a shared process gets together: at most so many, and so few that they should end in
this time, as long as each takes no more than the slowest of the group before."""
LONGEST_GROUP_S = 0.05
"""The CPU time after which a group is given up. Its tests are then run one by one."""


class Trial:
    """The tests of one program."""

    def __init__(self, boxes: Boxes, loaded: LoadedProblem, code: str, options: RunOptions) -> None:
        self._boxes = boxes
        self._loaded = loaded
        self._code = code
        self._policy = Policy(options.policy)
        self._toolchain = options.toolchain
        """The program's toolchain; None for Python."""
        self._judges_toolchain = options.judges_toolchain
        self._judge_program: JudgeProgram | None = None
        self._box: Box | None = None
        self._loader = ProgramLoader(self.start_over)
        self._most_in_group = MOST_IN_GROUP

    def test(self, index: int) -> TestOutcome:
        """Run and judge one test; raises `BoxLost` when the sandbox failed rather than the program."""
        box, limits = self._ready(), self._limits(index)
        return self._outcome(box, index, box.run(self._loaded.inputs[index], limits), limits)

    def run_in_one_process(self, indices: list[int]) -> list[TestOutcome]:
        """Run tests one after the other in a shared process, up to the first that is not accepted there.

        A failure is returned only if it is the first test's: earlier tests may have disturbed a later one, so `test`
        decides that one in a fresh process.
        """
        if self._toolchain:
            return []  # every run of an executable is a process of its own
        inputs = self._loaded.inputs
        # a long input becomes the stdin of a new process; for a shared process it would have to be copied
        indices = list(takewhile(lambda index: isinstance(inputs[index], bytes), indices))
        if not indices:
            return []
        box = self._ready()
        outcomes: list[TestOutcome] = []
        is_open, accepted, most = True, True, 1
        while is_open and accepted and len(outcomes) < len(indices):
            group = self._next_group(indices[len(outcomes) :], most)
            limits = self._loaded.limits(group[0])
            allowed = limits if len(group) == 1 else limits._replace(cpu_s=min(limits.cpu_s, LONGEST_GROUP_S))
            given = [bytes(inputs[index]) for index in group]
            runs, is_open = box.run_in_session(given, allowed) if outcomes else box.open_session(given[0], limits)
            slowest_ms, decided = 0.1, len(outcomes) + len(group)
            for index, run in zip(group, runs, strict=False):
                if len(group) > 1:
                    box.show(run)
                if run.run.killed:
                    raise BoxLost("the process was killed", crashed=False)
                outcome = self._outcome(box, index, run.run, limits)
                accepted = outcome.result.verdict is Verdict.ACCEPTED
                if accepted or not outcomes:
                    outcomes.append(outcome)
                if not accepted:
                    break
                used_ms, took_ms = outcome.result.cpu_ms, outcome.result.wall_ms
                slowest_ms = max(slowest_ms, took_ms if took_ms > GROUP_MS else used_ms)  # on a busy machine all wait
            if len(outcomes) < decided:
                self._most_in_group = 1  # one bad test must not cost a second group
                break  # a process that has seen inputs of later tests must not get time for them
            most = min(self._most_in_group, int(GROUP_MS / slowest_ms))
        if is_open and box.close_session().memory_kb * 1024 > limits.memory_bytes:
            return []
        return outcomes

    def _next_group(self, indices: list[int], most: int) -> list[int]:
        """The next group: short tests with equal limits, or the next test alone."""
        loaded = self._loaded
        limits = loaded.limits(indices[0])
        short = takewhile(lambda index: loaded.is_short(index) and loaded.limits(index) == limits, indices[:most])
        return list(short) or indices[:1]

    def start_over(self) -> None:
        """Give up the sandbox; the next test gets a new one."""
        if self._box is not None:
            self._boxes.replace(self._box)
            self._box = None

    def _limits(self, index: int) -> Limits:
        """What one run may use: the test's limits plus the memory of the language's runtime."""
        limits = self._loaded.limits(index)
        if self._toolchain:
            own = self._toolchain.runtime_memory_mb * MEBIBYTE
            limits = limits._replace(memory_bytes=limits.memory_bytes + own)
        return limits

    def _ready(self) -> Box:
        """A box with the program loaded."""
        if self._box is None and self._toolchain:
            self._box = self._with_executable()
        return self._box or self._with_program()

    def _with_executable(self) -> Box:
        # the modules for compilers double a supervisor's imports, and most supervisors only run Python
        from microcoder_eval.supervisor.executables import box_for

        assert self._toolchain is not None
        most = max(self._loaded.limits(index).memory_bytes for index in range(len(self._loaded.inputs)))
        return box_for(self._boxes, self._toolchain, self._code, most // MEBIBYTE)

    def _with_program(self) -> Box:
        problem = self._loaded.problem
        self._box = box = self._boxes.for_program(problem.kind, self._code)
        box.set_limits(self._loaded.limits(0))
        self._loader.load(box, problem.kind, self._code, entry_point=problem.entry_point, hints=self._loaded.hints)
        return box

    def _outcome(self, box: Box, index: int, run: Run, limits: Limits) -> TestOutcome:
        judgement = self._judge_run(box, run, limits) or self._judge_output(box, index)
        excerpts = None if judgement.verdict is Verdict.ACCEPTED else self._excerpts(box, index)
        return judge.outcome(index, run, judgement, excerpts=excerpts)

    def _excerpts(self, box: Box, index: int) -> Excerpts:
        """Excerpts of the program's answer and stderr, to show why it failed."""
        if self._loaded.problem.kind == "call":
            wanted = self._loaded.problem.tests[index].output
            return said.returned(wanted, wanted is not None, box.result, box.stderr)
        expected = self._loaded.expected[index]
        beginning = expected.part(0, said.READ_BYTES) if isinstance(expected, SealedText) else expected
        return said.printed(beginning, box.stdout, box.stderr)

    def _judge_run(self, box: Box, run: Run, limits: Limits) -> Judgement | None:
        return judge.judge_run(run, limits, box.stdout.size(), failure_of(box, run, self._code))

    def _judge_output(self, box: Box, index: int) -> Judgement:
        loaded = self._loaded
        checker = loaded.checkers[index]
        if checker.kind in STYLES:
            if checker.is_program:
                return self._ask_judge_program(box.stdout.get(), index)
            return self._ask_checker(box, index)
        if loaded.problem.kind == "call":
            if box.result.size() > loaded.answer_bytes[index]:
                return Judgement(Verdict.WRONG_ANSWER, detail="the returned value is far larger than the expected one")
            return judge.judge_answer(loaded.expected[index], box.result.get(), checker, self._policy)
        expected = loaded.expected[index]
        if isinstance(expected, SealedText):
            rung = long_output.rung_of(expected, box.stdout, checker, self._policy)
            if rung is not None:
                return Judgement(Verdict.ACCEPTED, rung)
        return judge.judge_output(bytes(expected), box.stdout.get(), checker, self._policy)

    def _ask_judge_program(self, output: bytes, index: int) -> Judgement:
        """Ask a checker that is a whole program, in a box that no submission enters."""
        loaded, checker = self._loaded, self._loaded.problem.checker
        if self._judge_program is None:
            from microcoder_eval.supervisor.judge_program import JudgeProgram  # imports compilers, see above

            self._judge_program = JudgeProgram(
                self._boxes, checker.kind, checker, self._judges_toolchain, scoring=loaded.groups is not None
            )
        program = self._judge_program
        program.flags, program.most_points = loaded.checkers[index].flags, loaded.most_points(index)
        given, expected = bytes(loaded.inputs[index]), bytes(loaded.expected[index])

        def ask(output: bytes, limits: Limits) -> Asked:
            return program.ask(given, expected, output, limits)

        return judge.judge_opinion(ask_fairly(ask, output, other_outputs(expected, given), loaded.judge_limits, index))

    def _ask_checker(self, program: Box, index: int) -> Judgement:
        """Ask a checker that is a Python function about the program's output."""
        loaded, test = self._loaded, self._loaded.problem.tests[index]
        try:
            actual = (
                read_answer(program.result.get(), test.output is not None)
                if loaded.problem.kind == "call"
                else program.stdout.get().decode("utf-8", "surrogateescape")
            )
        except NotAValue as error:
            return Judgement(Verdict.WRONG_ANSWER, detail=str(error))
        if isinstance(actual, Opaque):
            return Judgement(Verdict.WRONG_ANSWER, detail=f"returned {actual!r}, which is not data")

        def ask(output: Any, limits: Limits) -> Asked:
            return ask_checker(self._boxes, loaded, index, output, limits)

        others = other_outputs(test.output, test.input)
        return judge.judge_opinion(ask_fairly(ask, actual, others, loaded.judge_limits, index))


def ask_checker(boxes: Boxes, loaded: LoadedProblem, index: int, output: Any, limits: Limits) -> Asked:
    """Ask a checker that is a Python function about one output, in a box that no submission enters."""
    test = loaded.problem.tests[index]
    box = boxes.for_judges()
    try:
        error = box.load(CHECKER, loaded.problem.checker.code)
        if error:
            message = f"the checker does not compile: {error}"
            return Asked(Opinion(Verdict.JUDGE_ERROR, message, own_fault=True), None)
        secret = new_secret()
        question = json.dumps([encode(test.input), encode(test.output), encode(output)]).encode()
        run = box.run(secret + b"\n" + question, limits)
    except BoxLost:
        boxes.replace(box)
        raise
    written = box.result.get(LONGEST_ANSWER + 1)
    errors = box.stderr.get(1 << 16)
    return Asked(judge.checker_opinion(run, written, errors, secret, loaded.most_points(index)), run)
