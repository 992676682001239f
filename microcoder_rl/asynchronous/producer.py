"""Samples and grades groups in a thread of its own, while the trainer updates the weights.

    producer = Producer(sampler, order, version=0)
    batch = producer.take(1, temperature, max_tokens, notify)    # waits until enough groups are complete
    with producer.paused():                                      # no reply is being sampled inside
        engine.sync()
        producer.version = 1

Replies are sampled in segments of at most `rollout.segment` tokens. New weights are loaded between two segments, so
each token has one version: the number of steps that made the weights that sampled it. Groups are admitted in training
order, never more than the trainer can consume within `rollout.staleness` steps, and consumed as they become complete.
A group with a token that is too old is dropped and counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from threading import Condition, Lock, Thread

from microcoder_rl.advantages import has_signal
from microcoder_rl.collect import Batch, Group
from microcoder_rl.curriculum.order import Choice, TaskOrder
from microcoder_rl.rollout import Rollout
from microcoder_rl.sampler import GradingTimes, Sampler, Submitted
from microcoder_rl.seeds import derive_seed
from microcoder_rl.turns.conversation import add_feedback

POLL_S = 0.5
"""How often a waiting thread looks for an error or a stop."""


@cache
def even_segment(reply: int, most: int) -> int:
    """The segment's length that divides a reply of `reply` tokens evenly: the longest one of at most `most` tokens.

    A shorter last segment would be sampled apart from the others. `most` where only half of it or less would do.

    >>> even_segment(8192, 512), even_segment(4000, 512), even_segment(24, 512), even_segment(4001, 512)
    (512, 500, 24, 512)
    """
    even = (length for length in range(min(reply, most), most // 2, -1) if reply % length == 0)
    return next(even, min(reply, most))


@dataclass(eq=False)
class _Running:
    """A group that is being sampled or graded."""

    choice: Choice
    group: Group
    max_tokens: int
    open: list[Rollout]
    """Replies whose current turn is not finished."""
    grading: list[Submitted] = field(default_factory=list)

    @property
    def oldest(self) -> int | None:
        """The lowest version that sampled one of its tokens."""
        return min((rollout.versions[0][0] for rollout in self.group.rollouts if rollout.versions), default=None)


class Producer:
    """Samples ahead of the trainer. Its thread starts at the first `take`. `version`: that of the engine's weights."""

    def __init__(
        self, sampler: Sampler, order: TaskOrder, *, version: int, pending: Sequence[Sequence[int]] = ()
    ) -> None:
        self.sampler, self.order, self.config, self.version = sampler, order, sampler.config, version
        self.temperature, self.max_tokens = 1.0, 1
        """The temperature and length of the groups that are admitted from now on. `take` sets them."""
        self._again = [order.again(*each) for each in sorted(map(list, pending))]  # begun by an earlier process
        self._step = version + 1
        self._first_version = version
        self._admitted = 0  # without the groups that were then dropped or discarded
        self._running: list[_Running] = []
        self._ready: list[_Running] = []
        self._discarded: list[_Running] = []
        self._dropped = 0
        self._graded_at = 0.0  # when the last grade came
        self._error: BaseException | None = None
        self._stopped = False
        self._changed = Condition()
        self._engine_lock, self._turnstile = Lock(), Lock()
        self._thread = Thread(target=self._run, name="producer", daemon=True)

    def take(self, step: int, temperature: float, max_tokens: int, notify: Callable[[str], None]) -> Batch:
        """The batch of a step: the groups that became complete first."""
        begin, prompts = time.perf_counter(), self.config.batch.prompts
        most_discarded = prompts * self.config.batch.dynamic_rounds
        with self._changed:
            self.temperature, self.max_tokens, self._step = temperature, max_tokens, step
            if not self._thread.is_alive() and not self._error:
                self._thread.start()
            while len(self._ready) < prompts and len(self._discarded) < most_discarded:
                if self._error:
                    raise self._error
                self._changed.wait(POLL_S)
            chosen, self._ready = self._ready[:prompts], self._ready[prompts:]
            discarded, self._discarded = self._discarded, []
            for each in (*chosen, *discarded):  # as the checkpoint's state, which must not know of groups still to come
                self.order.observe(each.choice.index, [rollout.accuracy for rollout in each.group.rollouts])
            dropped, self._dropped = self._dropped, 0
            rest = [*(each.choice for each in (*self._ready, *self._running)), *self._again]
            cursor, curriculum = self.order.cursor, self.order.snapshot()
        if len(chosen) < prompts:
            notify(f"step {step}: dynamic sampling found {len(chosen)} of {prompts} prompts with signal")
        chosen.sort(key=lambda each: each.choice.position)
        batch = Batch(cursor, temperature, max_tokens, [each.group for each in chosen])
        batch.discarded = [each.group for each in discarded]
        batch.pending = sorted([each.position, each.index] for each in rest)
        batch.dropped, batch.version, batch.curriculum = dropped, step - 1, curriculum
        batch.times = GradingTimes(sampling_s=time.perf_counter() - begin)
        return batch

    @contextmanager
    def paused(self) -> Iterator[None]:
        """A block in which nothing is sampled. It begins when the current segment ends."""
        with self._turnstile, self._engine_lock:
            yield
        with self._changed:
            self._drop_stale()
            self._changed.notify_all()

    def close(self, seconds: float = 30.0) -> None:
        """Stop after the current segment."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        try:
            while not self._stopped:
                with self._turnstile:  # lets a waiting `paused` take the engine before the next segment
                    pass
                with self._engine_lock:
                    with self._changed:
                        self._admit()
                        chosen = self._rows()
                    sampled = self._segment(chosen) if chosen else False
                graded = self._grade()
                if not sampled and not graded:
                    self._wait()
        except BaseException as error:  # `take` raises it in the trainer's thread
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _admit(self) -> None:
        """Begin new groups, as long as the trainer will consume them in time and rows are free."""
        config = self.config
        bound = (self.version - self._first_version + config.rollout.staleness + 1) * config.batch.prompts
        free = config.rollout.rows - sum(len(each.open) for each in self._running)
        while self._admitted < bound and free > 0:
            choice = self._again.pop(0) if self._again else self.order.next(self._step)
            task = choice.task
            parts = ("sample", config.run.seed, "asynchronous", choice.position, task.problem.id)
            replies = [
                Rollout(0, n, derive_seed(*parts, n), task.prompt_ids, [], [], "length", self.temperature)
                for n in range(config.rollout.group)
            ]
            self._running.append(_Running(choice, Group(task, replies, why=choice.why), self.max_tokens, list(replies)))
            self._admitted += 1
            free -= len(replies)

    def _rows(self) -> list[tuple[_Running, Rollout]]:
        rows = [(each, rollout) for each in self._running for rollout in each.open]
        return rows[: self.config.rollout.rows]

    def _segment(self, rows: Sequence[tuple[_Running, Rollout]]) -> bool:
        """Sample the next tokens of some replies. A turn that ends is sent to the grader at once."""

        def settings(row: tuple[_Running, Rollout]) -> tuple[float, int]:
            each, rollout = row
            segment = even_segment(each.max_tokens, self.config.rollout.segment)
            return rollout.temperature, min(segment, each.max_tokens - len(rollout.last_reply))

        for (temperature, limit), same in groupby(sorted(rows, key=settings), settings):
            alike = list(same)
            requests = [rollout.continuation for _, rollout in alike]
            for piece in self.sampler.engine.generate(requests, temperature=temperature, max_tokens=limit):
                each, rollout = alike[piece.group]
                rollout.append(piece)
                rollout.versions.append((self.version, len(piece.response_ids)))
                if rollout.finish == "stop" or len(rollout.last_reply) >= each.max_tokens:
                    each.open = [other for other in each.open if other is not rollout]
                    each.grading.append(self.sampler.submit(rollout, each.group.task))
        return True

    def _grade(self) -> bool:
        """Take the grades that have come. Failed replies get feedback and are sampled further; complete groups become
        ready. Returns whether any grade was taken."""
        running, now = list(self._running), time.perf_counter()
        if any(entry.future.done() for each in running for entry in each.grading):
            self._graded_at = now
        late = now - self.config.grader.deadline_s
        found = False
        for each in running:
            done = [entry for entry in each.grading if entry.future.done() or max(entry.began, self._graded_at) < late]
            for entry in done:
                each.grading.remove(entry)
                self.sampler.conclude(entry)
            replies = [(entry.rollout, entry.task) for entry in done]
            each.open += add_feedback(replies, self.sampler.grader, self.sampler.tokenizer, self.config)
            found = found or bool(done)
            if not each.open and not each.grading:
                with self._changed:
                    if each in self._running:  # it was not dropped in the meantime
                        self._running.remove(each)
                        self._complete(each)
                        self._changed.notify_all()
        return found

    def _complete(self, each: _Running) -> None:
        if has_signal(each.group.rewards) or not self.config.batch.dynamic_sampling:
            self._ready.append(each)
        else:
            self._discarded.append(each)
            self._admitted -= 1

    def _drop_stale(self) -> None:
        """Drop the groups that would be older than `rollout.staleness` in the next step."""
        least = self.version - self.config.rollout.staleness
        for groups in (self._ready, self._running):
            for each in [each for each in groups if each.oldest is not None and each.oldest < least]:
                groups.remove(each)
                self._dropped += 1
                self._admitted -= 1

    def _wait(self) -> None:
        """Wait for a grade, or for the trainer."""
        futures = [entry.future for each in self._running for entry in each.grading]
        if futures:
            wait(futures, timeout=POLL_S, return_when=FIRST_COMPLETED)
            return
        with self._changed:
            if not self._stopped:
                self._changed.wait(POLL_S)
