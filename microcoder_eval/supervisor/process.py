"""A supervisor: the trusted process that holds expected outputs, runs tests in its boxes and compares the outputs.

The grader starts it with a socket as stdin; the messages are in `protocol/messages.py`. It keeps problems by key, runs
one `RunTests` after the other, and answers each with a `Done`. It ends when the grader closes the socket or dies.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.box_protocol import STACK_BYTES
from microcoder_eval.boundary.wipe import remove
from microcoder_eval.protocol import wire
from microcoder_eval.protocol.messages import (
    EXIT_BOX_KILLED,
    Cancel,
    Done,
    ForgetProblem,
    KnowProblem,
    Message,
    Ready,
    RunOptions,
    RunTests,
    Start,
    TestOutcome,
    Working,
    pack,
    unpack,
)
from microcoder_eval.protocol.sealed_text import SealedText
from microcoder_eval.scoring import unneeded
from microcoder_eval.supervisor import judge
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.boxes import Boxes, NotCompiled
from microcoder_eval.supervisor.cpu_pinning import CpuPin
from microcoder_eval.supervisor.loaded_problem import LoadedProblem, SealedTexts
from microcoder_eval.supervisor.run import BoxLost
from microcoder_eval.supervisor.trial import Trial
from microcoder_eval.verdict import Verdict

if TYPE_CHECKING:
    from microcoder_eval.supervisor.asserts_trial import AssertsTrial

    AnyTrial = Trial | AssertsTrial

ATTEMPTS = 3
"""How often a test is tried when its sandbox is lost, before it counts as a judge error."""
STARTS, PAUSE_S = 5, 0.2
"""How often the first sandbox is started when something outside kills it, with longer and longer pauses."""
LOOK_FOR_PARENT_S = 2.0
WORKING_PERIOD_S = 0.5
"""How often `Working` is sent during long work, so that supervisors without work can take over some of its tests."""


class Supervisor:
    """Serves one grader until it goes away."""

    def __init__(self, connection: socket.socket, start: Start) -> None:
        self._connection = connection
        self._grader = start.grader
        self._incoming = wire.Incoming()
        self._waiting: deque[Message] = deque()
        self._kept: dict[int, int] = {}
        """By the number of a `RunTests` that was cancelled: how many of its tests are still needed."""
        self._files: deque[int] = deque()
        """Descriptors that have arrived before the messages of their problems."""
        self._problems: dict[str, LoadedProblem | tuple[dict[str, Any], SealedTexts]] = {}
        self._directory = start.directory
        os.mkdir(start.directory)
        os.chmod(start.directory, 0o711)  # the sandbox's user must be able to reach its box
        self._boxes = Boxes(start.layers, start.directory, start.programs or None)
        self._pin = CpuPin()
        self._sent_at = time.monotonic()

    def serve(self) -> None:
        self._send(Ready(list(self._first_box().layers)))
        for message in self._messages():
            if isinstance(message, KnowProblem):
                self._learn(message)
            elif isinstance(message, ForgetProblem):
                self._problems.pop(message.key, None)
            elif isinstance(message, RunTests):
                self._send(self._run_safely(message))
                self._kept.pop(message.number, None)

    def _first_box(self) -> Box:
        """The box for most programs. Tried again when something outside kills it or the machine is too busy."""
        for attempt in range(1, STARTS + 1):
            try:
                return self._boxes.first()
            except BoxLost as lost:
                if not lost.from_outside or attempt == STARTS:
                    raise
                time.sleep(PAUSE_S * attempt)
        raise AssertionError("unreachable")

    def close(self) -> None:
        """End the sandboxes and remove their directory."""
        try:
            self._boxes.close()
        finally:
            remove(self._directory)

    def _messages(self) -> Iterator[Message]:
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if not self._receive(LOOK_FOR_PARENT_S):
                return

    def _receive(self, timeout_s: float) -> bool:
        """Queue the messages that have arrived; False when the grader is gone."""
        if not select.select([self._connection], [], [], timeout_s)[0]:
            return os.getppid() == self._grader  # a forked copy of the grader may keep the socket open
        data, files = wire.receive_with_files(self._connection)
        self._files += files
        for message in map(unpack, self._incoming.feed(data)):
            if isinstance(message, Cancel):
                self._kept[message.number] = message.kept
            else:
                self._waiting.append(message)
        return bool(data)

    def _run_safely(self, request: RunTests) -> Done:
        """Run tests. If the supervisor's own code raises, they are judge errors, and the boxes are closed."""
        try:
            return self._run(request)
        except Exception as error:
            sys.excepthook(type(error), error, error.__traceback__)
            self._boxes.close()
            why = f"the supervisor failed: {error!r:.200}"
            return Done(request.number, [judge.judge_error(index, why) for index in request.indices])

    def _learn(self, message: KnowProblem) -> None:
        """Keep a problem, with the long texts that its record leaves out."""
        sealed = {
            (place.test, place.field): SealedText.received(self._files.popleft(), place.size)
            for place in message.sealed
        }
        self._problems[message.key] = message.record, sealed

    def _problem(self, key: str) -> LoadedProblem:
        known = self._problems[key]
        if not isinstance(known, LoadedProblem):
            known = self._problems[key] = LoadedProblem(*known)
        return known

    def _run(self, request: RunTests) -> Done:
        """Run the requested tests, up to the first failure unless all are wanted."""
        options = request.options
        outcomes: list[TestOutcome] = []
        waiting = self._wanted(request, deque(request.indices))
        if not waiting:
            return Done(request.number, [])
        self._pin.review(self._boxes.zygotes())
        self._sent_at = time.monotonic()
        listening = request.shared
        try:
            trial = open_trial(self._boxes, self._problem(request.problem_key), request.code, options)
            while waiting:
                if options.isolation == "submission":
                    outcomes += self._run_in_one_process(trial, waiting)
                if waiting and not _decided(outcomes, options):
                    outcomes.append(self._attempt(trial, waiting.popleft()))
                if _decided(outcomes, options):
                    break
                if options.skip_unneeded:
                    waiting = self._needed(request.problem_key, waiting, outcomes)
                if waiting and time.monotonic() - self._sent_at > WORKING_PERIOD_S:
                    self._send(Working(request.number, request.indices.index(waiting[0])))
                    listening = True
                if listening:
                    waiting = self._wanted(request, waiting)
        except NotCompiled as error:
            return Done(request.number, [], str(error), error.raised)
        return Done(request.number, outcomes)

    def _needed(self, key: str, waiting: deque[int], outcomes: list[TestOutcome]) -> deque[int]:
        """The waiting tests of a scoring problem that can still change the points."""
        groups = self._problem(key).groups
        assert groups is not None
        skipped = unneeded(groups, {outcome.result.index: outcome.result.verdict for outcome in outcomes})
        return deque(index for index in waiting if index not in skipped)

    def _run_in_one_process(self, trial: AnyTrial, waiting: deque[int]) -> list[TestOutcome]:
        """Run tests in a shared process; returns the outcomes it decides, and removes their tests from `waiting`."""
        try:
            outcomes = trial.run_in_one_process(list(waiting))
        except BoxLost:
            trial.start_over()
            return []
        for _ in outcomes:
            waiting.popleft()
        return outcomes

    def _attempt(self, trial: AnyTrial, index: int) -> TestOutcome:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return trial.test(index)
            except BoxLost as lost:
                trial.start_over()
                if attempt == ATTEMPTS:
                    return judge.judge_error(index, str(lost))
        raise AssertionError("unreachable")

    def _wanted(self, request: RunTests, waiting: deque[int]) -> deque[int]:
        """The waiting tests without those that were cancelled meanwhile."""
        while select.select([self._connection], [], [], 0)[0] and self._receive(0):
            pass
        kept = self._kept.get(request.number)
        if kept is None:
            return waiting
        return deque(index for index in waiting if index in request.indices[:kept])

    def _send(self, message: Message) -> None:
        self._sent_at = time.monotonic()
        self._connection.sendall(pack(message))


def open_trial(boxes: Boxes, loaded: LoadedProblem, code: str, options: RunOptions) -> AnyTrial:
    """The trial for a problem of this kind and these options."""
    kind: type[Trial] | type[AssertsTrial] = Trial
    if options.plain_run is not None:  # imported when needed: a supervisor starts faster without
        from microcoder_eval.supervisor.run_trial import RunTrial as kind
    elif not options.judged:
        from microcoder_eval.supervisor.output_trial import OutputTrial as kind
    elif loaded.problem.kind == "asserts":
        from microcoder_eval.supervisor.asserts_trial import AssertsTrial as kind
    elif loaded.problem.kind == "interactive":
        from microcoder_eval.supervisor.interactive_trial import InteractiveTrial as kind
    return kind(boxes, loaded, code, options)


def _decided(outcomes: list[TestOutcome], options: RunOptions) -> bool:
    """Whether a failure makes the remaining tests unnecessary."""
    return bool(outcomes) and outcomes[-1].result.verdict is not Verdict.ACCEPTED and not options.all_tests


def main() -> None:
    """Run until the grader closes the socket."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    wanted = STACK_BYTES if hard == resource.RLIM_INFINITY else min(STACK_BYTES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    start = Start.from_argument(sys.argv[1])
    status = 0
    supervisor = Supervisor(socket.socket(fileno=0), start)
    try:
        try:
            signal.signal(signal.SIGTERM, _exit_on_signal)
            libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGTERM)
            supervisor.serve()
        except (BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
            pass
        except BoxLost as lost:
            sys.stderr.write(f"{lost}\n")
            status = EXIT_BOX_KILLED if lost.from_outside else 1
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a dying grader closes its socket first, then signals
    finally:
        supervisor.close()
    sys.exit(status)


def _exit_on_signal(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit()
