"""The grader's background thread: starts supervisors, gives them work, replaces those that die.

It never blocks on one supervisor, and it knows tests only by their numbers. Supervisors are new processes with a clean
environment; the user's process is never forked without exec.

Longer than most files: it is one thread with one state.
"""

from __future__ import annotations

import heapq
import logging
import os
import secrets
import selectors
import tempfile
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import NamedTuple

from microcoder_eval.errors import GraderError
from microcoder_eval.protocol.messages import Cancel, Done, Message, Ready, RunTests, Working
from microcoder_eval.protocol.wire import Malformed
from microcoder_eval.scheduling.delivery import deliver
from microcoder_eval.scheduling.job import Job, Part, ProgramGrade, conclude
from microcoder_eval.scheduling.known_problem import PackedProblem
from microcoder_eval.scheduling.supervisor_handle import SupervisorHandle
from microcoder_eval.scheduling.test_order import TestOrder
from microcoder_eval.verdict import Verdict

logger = logging.getLogger(__name__)

IN_FLIGHT = 2
"""How many parts a supervisor has at a time, so that it need not wait for the next one. A long part is alone: what came
behind it would wait for its end."""
ATTEMPTS = 3
"""How often a job is tried when its supervisor dies each time."""
SPLIT_FROM = 4
"""Jobs with fewer tests than this go to one supervisor."""
FAILED_STARTS, KILLED_STARTS = 3, 30
"""How many supervisors in a row may fail to start before the grader gives up: by themselves, or killed from outside."""
MOST_FILES_ON_THE_WAY = 256
"""How many files may be in flight to supervisors: the kernel limits, for each user, those not yet received."""
FIRST = 2
"""This many supervisors start at once, and the others when work waits: a short program needs none for each core."""
OTHERS_AFTER_S = 0.5
"""The others start after this time too: a grader that stays open is ready for many programs."""
LOOK_S = 5.0
"""How often the pool checks whether a supervisor that has work is stuck."""
FAILURES, FAILURES_WITHIN_S, PAUSE_S = 5, 60.0, 0.2
"""The grader ends after so many failures of its own thread within so long. After fewer, it pauses and starts again."""


class PoolState(NamedTuple):
    """What a pool is doing, for display and for metrics."""

    workers: int
    ready: int
    """Supervisors that have started."""
    busy: int
    """Supervisors that have work."""
    restarts: int
    """Supervisors that were started to replace one that died."""
    layers: tuple[str, ...]
    """The layers that hold in the sandbox of the last supervisor that started."""
    broken: str
    """Why nothing can be graded any more, or ""."""


class Pool:
    """N supervisors and the work for them. `submit` may be called from any thread."""

    def __init__(self, workers: int, layers: Sequence[str], required: Sequence[str], programs: str = "") -> None:
        """`programs`: the directory where supervisors keep compiled programs; "" keeps none."""
        self._workers = workers
        self._layers = list(layers)
        self._required = list(required)
        self._programs = programs
        self._owner = os.getpid()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._lock = threading.Lock()
        self._arrived: deque[tuple[Job, PackedProblem]] = deque()
        self._withdrawn: deque[Job] = deque()
        self._sleeping = False  # whether the thread sleeps and was not woken yet
        self._has_room = True  # whether a supervisor could take another part when the thread fell asleep
        self._found_layers: tuple[str, ...] = ()
        self._waiting: list[tuple[float, float, int, Job]] = []  # a heap, most urgent first, then by `due_at`
        # jobs whose order of tests is not known yet, by the order and the round that they wait for
        self._held: defaultdict[tuple[TestOrder, int], list[Job]] = defaultdict(list)
        self._open: dict[int, Job] = {}  # all jobs without a grade, by number
        self._graded: list[tuple[Future[ProgramGrade], Callable[[], ProgramGrade]]] = []  # to be delivered
        self._problems: dict[str, PackedProblem] = {}
        self._users: dict[str, int] = {}
        self._supervisors: list[SupervisorHandle] = []
        self._next_part = 0
        self._failed_starts: Counter[bool] = Counter()  # by whether they were killed
        self._closing = False
        self._broken: GraderError | None = None
        # each supervisor makes a directory whose name begins with this, and removes it
        self._directory = os.path.join(tempfile.gettempdir(), f"microcoder-{secrets.token_hex(8)}")
        self._started = self._restarts = 0
        self._thread = threading.Thread(target=self._serve, name="microcoder-grader", daemon=True)
        self._thread.start()

    def submit(self, job: Job, problem: PackedProblem) -> None:
        """Queue a job. Its future gets the grade."""
        with self._lock:
            if self._closing or self._broken is not None:
                raise self._broken or GraderError("the grader is closed")
            if not self._thread.is_alive():
                raise GraderError("the grader's thread has ended: make a new Grader")
            self._arrived.append((job, problem))
            wake = self._sleeping and (self._has_room or job.known is not None)
            self._sleeping = self._sleeping and not wake
        if wake:  # otherwise the thread takes the job before it sleeps, or when a supervisor has room for it
            self._wake()

    def withdraw(self, job: Job) -> None:
        """Withdraw a job that nobody waits for: no further test of it runs, and its future gets a `GraderError`."""
        self._withdrawn.append(job)
        self._wake()

    def state(self) -> PoolState:
        """The pool's present state; may be called from any thread."""
        supervisors = list(self._supervisors)
        ready = sum(supervisor.ready for supervisor in supervisors)
        busy = sum(bool(supervisor.parts) for supervisor in supervisors)
        broken = str(self._broken or "") or ("" if self._thread.is_alive() else "the grader is closed")
        return PoolState(self._workers, ready, busy, self._restarts, self._found_layers, broken)

    def refuse_own_thread(self, what: str) -> None:
        """Raise when the caller runs in the pool's thread, which would wait for itself."""
        if threading.current_thread() is self._thread:
            raise GraderError(
                f"{what} cannot be called in a callback of a grade: it would wait for itself; use submit()"
            )

    def close(self) -> None:
        """End all supervisors and everything they started; unfinished jobs get a `GraderError`."""
        if os.getpid() != self._owner:
            return  # a forked copy of the user's process does not own the supervisors
        with self._lock:
            self._closing = True
        self._wake()
        if threading.current_thread() is not self._thread:  # a callback may close the grader
            self._thread.join()

    def _wake(self) -> None:
        with self._lock:
            if self._wake_write >= 0:
                try:
                    os.write(self._wake_write, b"x")
                except BlockingIOError:
                    return  # the pipe is full, so the thread is woken anyway

    def _serve(self) -> None:
        """The thread: work until the grader is closed, and start again after a failure."""
        failed_at: deque[float] = deque(maxlen=FAILURES)
        try:
            while self._broken is None:
                try:
                    self._work()
                    return
                except GraderError as error:
                    self._broken = error
                except BaseException as error:  # also KeyboardInterrupt: the waiting futures must get it
                    logger.exception("the grader failed")
                    failed_at.append(time.monotonic())
                    if len(failed_at) == FAILURES and failed_at[-1] - failed_at[0] < FAILURES_WITHIN_S:
                        often = f"the grader failed {FAILURES} times within {FAILURES_WITHIN_S:g} s"
                        self._broken = GraderError(f"{often}, the last time by {error!r}")
                    else:
                        self._drop_all(GraderError(f"the grader failed, and starts again: {error!r}"))
                        time.sleep(PAUSE_S * len(failed_at))
        finally:
            self._end()

    def _work(self) -> None:
        """Serve with a new set of supervisors."""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._wake_read, selectors.EVENT_READ, None)
        for _ in range(min(FIRST, self._workers)):
            self._start_supervisor()
        started_at = looked_at = time.monotonic()
        while not self._closing:
            with self._lock:
                self._sleeping = not self._arrived
                self._has_room = len(self._supervisors) < self._workers or any(map(_has_room, self._supervisors))
            longest = OTHERS_AFTER_S if len(self._supervisors) < self._workers else LOOK_S if self._open else None
            for key, events in self._selector.select(longest if self._sleeping else 0):
                if key.data is None:
                    os.read(self._wake_read, 65536)
                else:
                    self._attend(key.data, events)
            if time.monotonic() - started_at >= OTHERS_AFTER_S:
                self._start_others()
            if time.monotonic() - looked_at >= LOOK_S:
                looked_at = time.monotonic()
                self._replace_stuck()
            self._take_arrivals()
            self._take_withdrawals()
            self._hand_out()
            self._move_queued()
            self._deliver()  # last: it wakes threads, which would hold up the supervisors' next work

    def _replace_stuck(self) -> None:
        for supervisor in [*self._supervisors]:
            stuck = supervisor.is_stuck() if supervisor.parts else ""
            if stuck:
                self._replace(supervisor, stuck)

    def _attend(self, supervisor: SupervisorHandle, events: int) -> None:
        alive, fault = True, ""
        try:
            if events & selectors.EVENT_READ:
                messages, alive = supervisor.read()
                for message in messages:
                    self._handle(supervisor, message)
            if alive and events & selectors.EVENT_WRITE:
                alive = supervisor.write()
        except Malformed as error:
            alive, fault = False, f"it sent what cannot be read: {error}"
        if alive:
            self._update_interest(supervisor)
        else:
            self._replace(supervisor, fault)

    def _handle(self, supervisor: SupervisorHandle, message: Message) -> None:
        if isinstance(message, Ready):
            self._failed_starts.clear()
            supervisor.ready = True
            self._found_layers = tuple(message.layers)
            missing = [layer for layer in self._required if layer not in message.layers]
            if missing:
                raise GraderError(
                    f"the sandbox lacks {', '.join(missing)} on this machine (it has {', '.join(message.layers)}); "
                    "see `microcoder doctor`"
                )
            return
        if isinstance(message, Working):
            self._share(supervisor, message)
            return
        if not isinstance(message, Done):
            raise Malformed(f"a {type(message).__name__}, which a supervisor does not send")
        part = supervisor.parts.get(message.number)
        if part is None:
            return  # the part is not needed any more
        part.take(message)
        if part.needed:
            self._settle(part.job, part)
        supervisor.forget_part(message.number)

    def _settle(self, job: Job, ended: Part) -> None:
        """A part has ended: cancel the parts after a failure, and conclude the job when none is running."""
        if ended.failed() and not job.options.all_tests:
            for later in job.parts[job.parts.index(ended) + 1 :]:
                later.needed = False
                self._cancel(later)
        if all(part.outcomes is not None or not part.needed for part in job.parts):
            if job.remaining and not any(part.failed() for part in job.parts):
                self._queue(job)
                return
            try:
                grade = conclude(job)
            except Exception as error:  # contradicting outcomes: the supervisor that sent the last is replaced
                raise Malformed(f"outcomes that make no grade: {error!r}") from error
            self._conclude(job, grade)

    def _conclude(self, job: Job, grade: ProgramGrade) -> None:
        self._release(job, grade.failed_test)
        del self._open[job.number]
        self._graded.append((job.future, lambda: grade))

    def _deliver(self) -> None:
        graded, self._graded = self._graded, []
        for future, make in graded:
            deliver(future, make)

    def _release(self, job: Job, failed_test: int | None) -> None:
        """Release what an ended job holds: jobs that wait for its result, and its problem."""
        round_ended = job.order.ended(job.place, failed_test)
        job.parts = []  # parts and job refer to each other: without this the problem's files would stay open
        self._users[job.problem_key] -= 1
        if not self._users[job.problem_key]:
            del self._users[job.problem_key], self._problems[job.problem_key]
        if round_ended is not None:
            for held in self._held.pop((job.order, round_ended), ()):
                self._queue(held)

    def _take_withdrawals(self) -> None:
        while self._withdrawn:
            job = self._withdrawn.popleft()
            if self._open.pop(job.number, None) is None:
                continue  # the job has ended meanwhile
            for part in job.parts:
                part.needed = False
                self._cancel(part)
            self._release(job, None)
            deliver(job.future, lambda: _raised(GraderError("withdrawn: nobody waited for this grade any more")))

    def _cancel(self, part: Part) -> None:
        for supervisor in self._supervisors:
            if part.number in supervisor.parts:
                supervisor.send(Cancel(part.number))
                self._update_interest(supervisor)

    def _take_arrivals(self) -> None:
        with self._lock:
            arrived, self._arrived = self._arrived, deque()
            self._open.update({job.number: job for job, _ in arrived})
        for job, problem in arrived:
            self._problems.setdefault(job.problem_key, problem)
            self._users[job.problem_key] = self._users.get(job.problem_key, 0) + 1
            self._queue(job) if job.known is None else self._conclude(job, job.known)

    def _queue(self, job: Job) -> None:
        heapq.heappush(self._waiting, (-job.urgency, job.due_at(), job.number, job))

    def _hand_out(self) -> None:
        if self._waiting and (
            len(self._waiting) > 1
            or self._waiting[0][-1].tests >= SPLIT_FROM
            or any(supervisor.parts for supervisor in self._supervisors)
        ):
            self._start_others()
        while self._waiting:
            free = [s for s in self._supervisors if _has_room(s)]
            if not free:
                return
            job = heapq.heappop(self._waiting)[-1]
            if job.number not in self._open:
                continue  # the job was withdrawn
            if not job.options.all_tests and (awaited := job.order.awaited(job.place)) is not None:
                self._held[job.order, awaited].append(job)
                continue
            tests = job.take_tests(others_wait=bool(self._waiting))
            if not tests and job.remaining:
                self._queue(job)
                continue
            idle = [s for s in free if not s.parts]
            # while enough programs wait, each supervisor gets a whole one; otherwise one program's tests are split
            shares = len(idle) if len(idle) > len(self._waiting) + 1 and len(tests) >= SPLIT_FROM else 1
            parts = [self._part(job, indices) for indices in _split(tests, shares)]
            job.parts += parts
            for part, supervisor in zip(parts, sorted(free, key=lambda s: len(s.parts)), strict=False):
                self._give(supervisor, part)

    def _idle(self) -> list[SupervisorHandle]:
        """The supervisors without work; none while a job waits to be handed out."""
        return [] if self._waiting else [s for s in self._supervisors if s.ready and not s.parts]

    def _move_queued(self) -> None:
        """Give supervisors without work the parts that wait behind another one, which may run for long."""
        for supervisor in self._idle():
            behind = (part for other in self._supervisors for part in [*other.parts.values()][1:] if part.needed)
            part = next(behind, None)
            if part is None:
                return
            part.needed = False
            self._cancel(part)
            moved = self._part(part.job, [*part.indices])
            part.job.parts[part.job.parts.index(part)] = moved
            self._give(supervisor, moved)

    def _share(self, supervisor: SupervisorHandle, working: Working) -> None:
        """Give supervisors without work some of the tests that a long part has not begun."""
        part = supervisor.parts.get(working.number)
        if part is None or not part.needed or len(part.indices) < working.begun + 2:
            return
        self._start_others()
        own, *others = _split(part.indices[working.begun :], len(idle := self._idle()) + 1)
        if not others:
            return
        kept = working.begun + len(own)
        part.keep(kept)
        supervisor.send(Cancel(part.number, kept))
        self._update_interest(supervisor)
        added = [self._part(part.job, indices) for indices in others]
        place = part.job.parts.index(part) + 1
        part.job.parts[place:place] = added
        for other, new in zip(idle, added, strict=False):
            self._give(other, new)

    def _part(self, job: Job, indices: list[int]) -> Part:
        self._next_part += 1
        return Part(self._next_part, job, indices, is_short=job.order.before_long(indices) == len(indices))

    def _give(self, supervisor: SupervisorHandle, part: Part) -> None:
        job = part.job
        shared = len(job.parts) > 1 or job.may_be_withdrawn
        if not supervisor.parts:
            supervisor.heard_at = time.monotonic()
        supervisor.parts[part.number] = part
        problem = self._problems[job.problem_key]
        on_the_way = sum(other.files_on_the_way for other in self._supervisors) if problem.files else 0
        supervisor.send_problem(job.problem_key, problem, part.number, MOST_FILES_ON_THE_WAY - on_the_way)
        supervisor.send(RunTests(part.number, job.problem_key, job.code, part.indices, job.options, shared))
        self._update_interest(supervisor)  # a dead supervisor is noticed when it is read

    def _update_interest(self, supervisor: SupervisorHandle) -> None:
        interest = supervisor.interest()
        if interest != supervisor.registered:
            supervisor.registered = interest
            self._selector.modify(supervisor.socket, interest, supervisor)

    def _start_others(self) -> None:
        """Start the supervisors that are not there yet."""
        for _ in range(self._workers - len(self._supervisors)):
            self._start_supervisor()

    def _start_supervisor(self) -> None:
        self._started += 1
        supervisor = SupervisorHandle(self._layers, f"{self._directory}-{self._started}", self._programs)
        self._supervisors.append(supervisor)
        supervisor.registered = supervisor.interest()
        self._selector.register(supervisor.socket, supervisor.registered, supervisor)

    def _replace(self, supervisor: SupervisorHandle, fault: str = "") -> None:
        """End a supervisor, start another one, and queue its jobs again. `fault`: why; "" when it has died."""
        self._selector.unregister(supervisor.socket)
        self._supervisors.remove(supervisor)
        if not fault:
            supervisor.wait()
        last_line = supervisor.end()
        why = fault or last_line
        if not supervisor.ready:
            self._failed_starts[supervisor.killed] += 1
            if self._failed_starts[False] >= FAILED_STARTS or self._failed_starts[True] >= KILLED_STARTS:
                raise GraderError(f"the grader's processes do not start: {why}")
        if not self._closing:
            self._restarts += 1
            self._start_supervisor()
        for job in {part.job.number: part.job for part in supervisor.parts.values() if part.needed}.values():
            self._retry(job, why)

    def _retry(self, job: Job, why: str) -> None:
        if job.number not in self._open:
            return  # the job has its grade, or was withdrawn: only parts that are not needed were running
        for part in job.parts:
            part.needed = False
            self._cancel(part)
            for supervisor in self._supervisors:
                if part.number in supervisor.parts:
                    supervisor.forget_part(part.number)
        job.parts, job.remaining = [], None
        job.attempts += 1
        if job.attempts < ATTEMPTS:
            self._queue(job)
            return
        detail = f"the supervisor died {ATTEMPTS} times: {why}"
        self._conclude(job, ProgramGrade(Verdict.JUDGE_ERROR, total=job.tests, detail=detail))

    def _drop_all(self, error: GraderError) -> None:
        """End all supervisors; the futures of all open jobs get the error."""
        self._deliver()
        jobs, self._open = [*self._open.values()], {}
        supervisors, self._supervisors = self._supervisors, []
        self._waiting, self._problems, self._users = [], {}, {}
        self._held.clear()
        for step in (SupervisorHandle.kill, SupervisorHandle.end):  # all die at once: waiting for each takes time
            for supervisor in supervisors:
                try:
                    step(supervisor)
                except Exception:  # the other supervisors must still be ended, and the futures must get the error
                    logger.exception("a supervisor could not be ended")
        self._selector.close()
        for job in jobs:
            job.order.ended(job.place, None)
            deliver(job.future, lambda: _raised(error))

    def _end(self) -> None:
        with self._lock:
            self._closing = True
            self._open.update({job.number: job for job, _ in self._arrived})
            self._arrived.clear()
        self._drop_all(self._broken or GraderError("the grader was closed before this was graded"))
        with self._lock:
            os.close(self._wake_read)
            os.close(self._wake_write)
            self._wake_write = -1


def _raised(error: GraderError) -> ProgramGrade:
    raise error


def _has_room(supervisor: SupervisorHandle) -> bool:
    parts = supervisor.parts
    return len(parts) < IN_FLIGHT and all(part.is_short for part in parts.values())


def _split(order: list[int], shares: int) -> list[list[int]]:
    size = -(-len(order) // shares)
    return [order[start : start + size] for start in range(0, len(order), size)]
