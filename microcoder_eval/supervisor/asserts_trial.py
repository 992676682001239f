"""Tests a program with a test program (problem kind `asserts`).

The program and its tests run in two boxes that exchange messages. The report that the tests' process writes to its own
result file decides; the program can reach neither that process nor that file.
"""

from __future__ import annotations

from microcoder_eval.boundary.assert_units import ends_itself, evaluates
from microcoder_eval.boundary.box_protocol import (
    ASSERTS_PROGRAM,
    ASSERTS_TESTS,
    EXIT_CHANNEL_BROKEN,
    EXIT_TRACEBACK,
    OUT_OF_MEMORY,
    REFUSED,
)
from microcoder_eval.protocol.messages import RunOptions, TestOutcome
from microcoder_eval.supervisor import judge
from microcoder_eval.supervisor.boxes import SLOW_IMPORTS, Boxes, BoxPair, ProgramLoader
from microcoder_eval.supervisor.failure import Failure, failure_of, read_raised
from microcoder_eval.supervisor.judge import Judgement
from microcoder_eval.supervisor.loaded_problem import LEAST_OUTPUT_BYTES, LoadedProblem
from microcoder_eval.supervisor.opinion import new_secret
from microcoder_eval.supervisor.pair_run import PairRun, run_pair
from microcoder_eval.supervisor.run import BoxLost, Run
from microcoder_eval.supervisor.said import Excerpts, compared, stderr_end
from microcoder_eval.supervisor.tests_report import LONGEST, Report, read_report
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits
from microcoder_eval.verdict import Verdict

LEAST_TEST_CPU_S = 5.0
TEST_MEMORY_BYTES = 1024 * MEBIBYTE


class AssertsTrial:
    """The units of a test program, each run with one program."""

    def __init__(self, boxes: Boxes, loaded: LoadedProblem, code: str, options: RunOptions) -> None:
        problem = loaded.problem
        self._boxes = boxes
        self._problem = problem
        self._code = code
        self._scientific = bool(SLOW_IMPORTS.search(code) or SLOW_IMPORTS.search(problem.test_code))
        self._limits = Limits(problem.time_limit_s, problem.memory_limit_mb * MEBIBYTE, LEAST_OUTPUT_BYTES)
        self._test_limits = Limits(
            max(LEAST_TEST_CPU_S, 2 * problem.time_limit_s), TEST_MEMORY_BYTES, LEAST_OUTPUT_BYTES
        )
        self._pair: BoxPair | None = None
        self._loader = ProgramLoader(self.start_over)
        self._tests_error = ""
        self._retried = False

    def test(self, index: int) -> TestOutcome:
        """Run one unit; raises `BoxLost` when a sandbox failed rather than the program."""
        pair = self._ready()
        if self._tests_error:
            return judge.judge_error(index, self._tests_error)
        secret = new_secret()
        runs = run_pair(pair.program, pair.tests, b"%s\n%d" % (secret, index), (self._limits, self._test_limits))
        report = read_report(pair.tests.result.get(LONGEST + 1), secret)
        judgement = self._judge(pair, runs, report)
        excerpts = None
        if judgement.verdict is Verdict.WRONG_ANSWER and report is not None and report.got:
            excerpts = compared(report.got, report.wanted, pair.program.stderr)
        elif judgement.verdict is not Verdict.ACCEPTED:
            excerpts = Excerpts(stderr=stderr_end(pair.program.stderr))
        return judge.outcome(index, runs.program, judgement, excerpts=excerpts)

    def run_in_one_process(self, indices: list[int]) -> list[TestOutcome]:
        """Nothing: units never share a process."""
        return []

    def start_over(self) -> None:
        """Give up the sandboxes; the next test gets new ones."""
        if self._pair is not None:
            self._boxes.replace(*self._pair)
            self._pair = None

    def _ready(self) -> BoxPair:
        if self._pair is None:
            self._pair = pair = self._boxes.pair(self._scientific)
            entry = self._problem.entry_point
            pair.program.set_limits(self._limits)
            self._loader.load(pair.program, ASSERTS_PROGRAM, self._code, entry_point=entry)
            starter = self._problem.starter_code
            error = pair.tests.load(ASSERTS_TESTS, self._problem.test_code, entry_point=entry, starter_code=starter)
            self._tests_error = f"the tests cannot be loaded: {error}" if error else ""
        return self._pair

    def _judge(self, pair: BoxPair, runs: PairRun, report: Report | None) -> Judgement:
        program, tests = runs
        output_bytes = pair.program.stdout.size()
        if tests.stopped == "stopped":  # the program ended first
            if program.status == EXIT_CHANNEL_BROKEN << 8:
                return self._broken("its channel to the tests is broken")
            failure = failure_of(pair.program, program, self._code)
            early = judge.judge_run(program, self._limits, output_bytes, failure)
            return early or Judgement(Verdict.RUNTIME_ERROR, detail="left with status 0 before answering")
        early = judge.judge_run(program._replace(status=0), self._limits, output_bytes, Failure())
        if early is not None:
            return early
        if tests.stopped == "memory":
            detail = "the tests do not fit into memory with what the program gives them"
            return Judgement(Verdict.MEMORY_LIMIT, detail=detail)
        if tests.stopped:
            return Judgement(Verdict.TIME_LIMIT, detail="the tests do not end on what the program gives them")
        if tests.status != 0 or report is None:
            return self._judge_missing_report(tests, judge.last_line(pair.tests.stderr.get(1 << 16)))
        judgement = self._judge_report(report.ended, report.detail, report.where)
        if judgement.verdict is Verdict.ACCEPTED or not report.exception:
            return judgement
        return judgement._replace(raised=read_raised(report.line, report.exception, self._code))

    def _judge_missing_report(self, tests: Run, last_line: str) -> Judgement:
        """The judgement when the tests' process ended without a report. That is the program's fault, unless the tests
        end themselves or something outside the sandbox killed them."""
        if tests.killed and not self._retried:
            self._retried = True
            raise BoxLost("the tests were killed", crashed=False)
        detail = f"the tests ended with status {tests.status} and no result: {last_line}"
        runs_program_text = evaluates(self._problem.test_code)
        if not runs_program_text and (tests.killed or ends_itself(self._problem.test_code)):
            return Judgement(Verdict.JUDGE_ERROR, detail=detail)
        return Judgement(Verdict.WRONG_ANSWER, detail=detail, judge_failed=True)

    def _judge_report(self, ended: str, detail: str, where: str) -> Judgement:
        """What the tests' own report means (see `ENDINGS` in `sandbox/asserts/run_unit.py`)."""
        explained = f"{where}: {detail}" if where and detail else where or detail
        if ended == "passed":
            return Judgement(Verdict.ACCEPTED, "asserts")
        if ended == "failed":
            return Judgement(Verdict.WRONG_ANSWER, detail=explained)
        if ended in ("raised", OUT_OF_MEMORY, REFUSED):
            return judge.judge_failure(EXIT_TRACEBACK << 8, Failure(detail, ended))._replace(detail=explained)
        if ended == "flooded":
            return Judgement(Verdict.OUTPUT_LIMIT, detail=explained)
        if ended == "broken":
            return self._broken(detail)
        return Judgement(Verdict.JUDGE_ERROR, detail=f"the tests cannot be run: {explained}")

    def _broken(self, why: str) -> Judgement:
        """Raise `BoxLost` the first time, for a second try in new boxes: an earlier program may have broken the
        channel. Then the judgement on this program."""
        if not self._retried:
            self._retried = True
            raise BoxLost(f"the program breaks the protocol of its tests: {why}", crashed=False)
        return Judgement(Verdict.RUNTIME_ERROR, detail=f"breaks the protocol of its tests: {why}")
