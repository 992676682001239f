"""The thread of a cluster grader: it decides which work goes to which node.

    Dispatcher(settings, options, waiting, events).run()

The thread sleeps until an event: new work, a batch that is done, a future that was cancelled, an actor that has
started, the end. Work whose actor
or node has died goes back to the front of the queue. Other threads use only `waiting` (they append to this deque) and
`events` (a queue).
"""

from __future__ import annotations

import logging
import queue
import time
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.connection.cluster.join import import_ray
from microcoder_eval.connection.cluster.node_grader import CallAnswer, GraderCall
from microcoder_eval.connection.cluster.nodes import Node, Nodes, reason_of
from microcoder_eval.errors import GraderError, InputError, UnsupportedError
from microcoder_eval.gradable import refuse_unsupported
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.verdict import Grade, Verdict

logger = logging.getLogger(__name__)

LOOK_S = 5.0
"""How often the thread looks for new nodes while work waits."""
MOST_IN_A_BATCH = 16
MOST_LOSSES = 5
"""A grading is given up when this many actors have died while they had it."""
INLINE_BYTES = 64 << 10
"""Smaller problems travel in every batch; larger ones once to each node, through Ray's object store."""


@dataclass
class Packed:
    """A problem as it is sent to nodes."""

    key: str
    content: bytes
    size: int
    reference: Any = None
    """The object in Ray's store that holds a large problem, once it was sent."""

    def to_send(self, ray: Any) -> Any:
        """The bytes of a small problem, the reference of a large one."""
        if self.size <= INLINE_BYTES:
            return self.content
        if self.reference is None:
            self.reference, self.content = ray.put(self.content), b""
        return self.reference


@dataclass(eq=False)
class Work:
    """One call of a grader's method that waits for its answer."""

    call: GraderCall
    packed: Packed | None
    problem: Problem | None = None
    answer: Future[Any] = field(default_factory=Future)
    losses: int = 0
    withdrawn: bool = False
    """Whether its node was told that nobody waits for it any more."""

    def is_unwanted(self) -> bool:
        """Whether its future was cancelled. Who waits for the future is told."""
        return self.answer.cancelled() and not self.answer.set_running_or_notify_cancel()

    def succeed(self, result: Any) -> None:
        if self.answer.set_running_or_notify_cancel():  # False: nobody waits any more
            self.answer.set_result(result)

    def fail(self, error: Exception) -> None:
        if self.answer.set_running_or_notify_cancel():
            self.answer.set_exception(error)

    def unsupported(self, why: str) -> None:
        """A node cannot run the program. If this machine cannot either, that is the caller's mistake."""
        try:
            if self.problem is not None:
                refuse_unsupported(self.problem, self.call.arguments[0])
        except UnsupportedError as error:
            self.fail(InputError(str(error)))
        else:
            self.give_up(why)

    def give_up(self, why: str) -> None:
        """The grader has failed: a grading gets a JUDGE_ERROR, another call raises."""
        if self.call.method == "submit":
            submission: Submission = self.call.arguments[0]
            self.succeed(Grade(submission.id, submission.problem_id, Verdict.JUDGE_ERROR, detail=why))
        else:
            self.fail(GraderError(why))


class Dispatcher:
    """The state of the thread: which node has which batch."""

    def __init__(
        self,
        settings: dict[str, Any],
        options: dict[str, Any],
        waiting: deque[Work],
        events: queue.SimpleQueue[tuple[Any, ...]],
    ) -> None:
        self._ray = import_ray()
        self._patience_s: float = settings["patience_s"]
        self._waiting, self._events = waiting, events
        self._nodes = Nodes(
            self._ray, settings["cpus"], options, lambda node, actor, done: events.put(("started", node, actor, done))
        )
        self._open: dict[Future[list[CallAnswer]], tuple[Node, Any, list[Work]]] = {}
        self._next_look = 0.0
        self._stuck_since: float | None = None

    def open_work(self) -> list[Work]:
        """The work that nodes have and have not answered."""
        return [work for _, _, batch in self._open.values() for work in batch if not work.answer.done()]

    def run(self) -> None:
        """Send work and take answers until the event "close"."""
        while True:
            self._look()
            self._hand_out()
            try:
                event = self._events.get(timeout=self._nodes.pause_s(LOOK_S) if self._waiting or self._open else None)
            except queue.Empty:
                continue
            while True:
                if event[0] == "close":
                    return
                if event[0] == "started":
                    self._started(*event[1:])
                elif event[0] == "done":
                    self._done(event[1])
                elif event[0] == "cancelled":
                    self._withdraw(event[1])
                try:
                    event = self._events.get_nowait()
                except queue.Empty:
                    break

    def _look(self) -> None:
        """Look for nodes every LOOK_S seconds. Give up the waiting work when no node can take it for too long."""
        now = time.monotonic()
        if not self._waiting:
            self._stuck_since = None
            return
        if now >= self._next_look or not self._nodes.ready:
            self._nodes.look()
            self._next_look = now + LOOK_S
        if self._nodes.ready:
            self._stuck_since = None
            return
        self._stuck_since = self._stuck_since or now
        if self._nodes.hopeless or now - self._stuck_since > self._patience_s:
            failure = f"no node of the cluster can grade: {self._nodes.reasons()}"
            while self._waiting:
                self._waiting.popleft().fail(GraderError(failure))
            self._stuck_since = None

    def _hand_out(self) -> None:
        while self._waiting:
            node = max(self._nodes.ready, key=lambda node: node.room / node.workers, default=None)
            if node is None or node.room <= 0:
                return
            share = len(self._waiting) // (2 * max(1, self._nodes.workers))
            size = max(1, min(MOST_IN_A_BATCH, share, node.room))
            taken = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
            wanted = [work for work in taken if not work.is_unwanted()]
            if wanted:
                self._send(node, wanted)

    def _send(self, node: Node, batch: list[Work]) -> None:
        problems = {work.packed.key: work.packed.to_send(self._ray) for work in batch if work.packed}
        try:
            done: Future[list[CallAnswer]] = node.actor.work.remote([work.call for work in batch], problems).future()
        except self._ray.exceptions.RayError as error:
            self._waiting.extendleft(reversed(batch))
            self._lost(node, node.actor, error)
            return
        node.outstanding += len(batch)
        self._open[done] = node, node.actor, batch
        done.add_done_callback(lambda future: self._events.put(("done", future)))

    def _done(self, future: Future[list[CallAnswer]]) -> None:
        node, actor, batch = self._open.pop(future)
        node.outstanding -= sum(not work.withdrawn for work in batch)
        error = future.exception()
        if error is None:
            node.failures = 0
            for work, answer in zip(batch, future.result(), strict=True):
                _deliver(work, answer, node.address)
        elif isinstance(error, self._ray.exceptions.RayTaskError) or not _is_loss(self._ray, error):
            for work in batch:
                work.fail(GraderError(f"{node.address}: {reason_of(error)}"))
        else:
            self._lost(node, actor, error)
            for work in reversed(batch):
                work.losses += 1
                if work.losses < MOST_LOSSES:
                    self._waiting.appendleft(work)
                else:
                    work.give_up(f"{MOST_LOSSES} graders died while they had this program: {reason_of(error)}")

    def _withdraw(self, work: Work) -> None:
        """Tell the node that has this work, if one has it, that nobody waits for it any more."""
        for node, actor, batch in self._open.values():
            if work in batch:
                work.withdrawn = True
                node.outstanding -= 1
                with suppress(self._ray.exceptions.RayError):  # a lost actor has withdrawn everything
                    actor.withdraw.remote(work.call.name)
                return

    def _lost(self, node: Node, actor: Any, error: BaseException) -> None:
        if node.actor is actor:  # otherwise the loss was noticed by another batch already
            self._nodes.lost(node, reason_of(error))
            self._next_look = 0.0

    def _started(self, node: Node, actor: Any, future: Future[str]) -> None:
        if node.actor is not actor:
            return
        error = future.exception()
        if error is not None:
            self._nodes.lost(node, reason_of(error))
        elif future.result():
            self._nodes.refuse(node, future.result())
        else:
            node.is_ready = True
            logger.info("the grader on node %s is ready", node.address)


def _deliver(work: Work, answer: CallAnswer, address: str) -> None:
    if answer.unsupported:
        work.unsupported(f"node {address}: {answer.unsupported}")
    elif answer.refused:
        work.fail(InputError(answer.refused))
    elif answer.failed:
        work.fail(GraderError(answer.failed))
    else:
        work.succeed(answer.result)


def _is_loss(ray: Any, error: BaseException) -> bool:
    """Whether an actor, a node or an answer on its way was lost, and asking again can help."""
    return isinstance(error, ray.exceptions.RayError)
