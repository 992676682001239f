"""Relays bytes between a program and an interactor, each in a box of its own.

Each process has a pipe to read from and a pipe to write to; the supervisor holds the other ends. So neither process can
reach or block the other, and a flood is noticed. The supervisor sees the end of a process before the other process can,
so it knows which of them ended first.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.run import Run
from microcoder_eval.supervisor.watch import FIRST_LOOK_S, Limits

CHUNK_BYTES = 1 << 16
MOST_FROM_INTERACTOR = 1 << 30
KEPT_CHUNKS, KEPT_BYTES = 6, 100
CLOSED_FOR_S = 0.2
"""A process that still runs this long after it closed its output has stopped sending. Before that it may be ending."""


@dataclass(frozen=True)
class Talk:
    """How a conversation went."""

    program: Run
    interactor: Run
    program_first: bool
    """Whether the program ended before the interactor did."""
    from_program: int
    """How many bytes the program sent."""
    last: tuple[tuple[str, bytes], ...]
    """The first bytes of each of the last messages, with the sender: "program" or "interactor"."""


class Relay:
    """One direction of a conversation: the bytes from a sender to a receiver."""

    def __init__(self, most_bytes: int, note: Callable[[bytes], None]) -> None:
        self._most = most_bytes
        self._note = note
        self.source, self.sender_end = os.pipe2(os.O_CLOEXEC)
        self.receiver_end, self.sink = os.pipe2(os.O_CLOEXEC)
        self.carried = 0
        self.unsent = b""
        self.sender_ended = False
        self._closed_at = math.inf
        for end in (self.source, self.sink):
            os.set_blocking(end, False)
        for end in (self.sender_end, self.receiver_end):
            os.fchmod(end, 0o666)  # the sandbox's user may open it again by name, as /dev/stdin

    @property
    def flooded(self) -> bool:
        return self.carried > self._most

    @property
    def readable(self) -> list[int]:
        """The descriptor to wait for until there is something to read; empty when nothing must be read now."""
        return [self.source] if self.source >= 0 and not self.unsent else []

    @property
    def writable(self) -> list[int]:
        """The descriptor to wait for until there is room; empty when there is nothing to deliver."""
        return [self.sink] if self.unsent else []

    def carry(self) -> None:
        """Read from the sender if everything before is delivered, and deliver as much as there is room for."""
        with contextlib.suppress(BlockingIOError):
            if self.readable:
                self._take(os.read(self.source, CHUNK_BYTES))
        if self.unsent and self.sink >= 0:
            self._deliver()
        if self.sender_ended and self.source < 0 and not self.unsent:
            self.sink = _closed(self.sink)

    def end(self) -> None:
        """Note that the sender has ended. The receiver gets the rest, and then the end of its input."""
        self.sender_ended = True
        self.carry()

    @property
    def has_stopped_sending(self) -> bool:
        """Whether the sender closed its output more than `CLOSED_FOR_S` ago and still runs."""
        return not self.sender_ended and time.monotonic() - self._closed_at > CLOSED_FOR_S

    def hand_over(self) -> None:
        """Close this process's copies of the ends that the two processes have received."""
        self.sender_end, self.receiver_end = _closed(self.sender_end), _closed(self.receiver_end)

    def close(self) -> None:
        self.hand_over()
        self.source, self.sink = _closed(self.source), _closed(self.sink)

    def _take(self, data: bytes) -> None:
        if not data:
            self.source = _closed(self.source)
            self._closed_at = time.monotonic()
            return
        self.carried += len(data)
        self._note(data)
        self.unsent = data if self.sink >= 0 else b""

    def _deliver(self) -> None:
        try:
            self.unsent = self.unsent[os.write(self.sink, self.unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # the receiver has closed its input: what follows is counted and discarded
            self.unsent = b""
            self.sink = _closed(self.sink)


class _CarrierTime:
    """How long this thread has computed, or waited for a CPU, since the object was made."""

    def __init__(self) -> None:
        self._began = 0.0
        self._began = self.seconds()

    def seconds(self) -> float:
        try:
            with open("/proc/thread-self/schedstat") as file:
                worked, waited, _ = file.read().split()
        except OSError:  # a kernel that does not count waiting
            return time.thread_time() - self._began
        return (int(worked) + int(waited)) / 1e9 - self._began


class _Side:
    """The program or the interactor, in its box."""

    def __init__(self, box: Box, output: Relay, carrier: _CarrierTime) -> None:
        self.box = box
        self.output = output
        """The relay that carries its output to the other side."""
        self.run: Run | None = None
        self._carrier = carrier
        self._worked_s = 0.0

    def worked_s(self) -> float:
        """How long this side and the supervisor have worked, while the other side had to wait."""
        if self.run is None:
            self._worked_s = max(self._worked_s, self.box.watch.worked_s())
        return self._worked_s + self._carrier.seconds()

    def end(self, why: str = "") -> None:
        """Collect its run, which has ended by itself or was ended by its watch."""
        self.run = self.box.collect_run(why)
        self._worked_s = max(self._worked_s, self.run.cpu_s)
        self.output.end()

    def stop(self, why: str) -> None:
        """Kill its process, if it still runs."""
        if self.run is None:
            self.run = self.box.stop()._replace(stopped=why)
            self.output.end()


def converse(
    program: Box, interactor: Box, stdin: bytes, limits: tuple[Limits, Limits], decides: Callable[[Run], bool]
) -> Talk:
    """Let a program and an interactor talk until both have ended; only the interactor gets `stdin`.

    `decides` tells whether the interactor's run decides the verdict. If so, the program is killed and its run is
    "stopped". If one side exceeds a limit, the other one is killed and "stopped" too.
    """
    last: deque[tuple[str, bytes]] = deque(maxlen=KEPT_CHUNKS)
    to_interactor = Relay(limits[0].output_bytes, lambda data: last.append(("program", data[:KEPT_BYTES])))
    to_program = Relay(MOST_FROM_INTERACTOR, lambda data: last.append(("interactor", data[:KEPT_BYTES])))
    with contextlib.closing(to_interactor), contextlib.closing(to_program):
        program.start(b"", limits[0], (to_program.receiver_end, to_interactor.sender_end))
        interactor.start(stdin, limits[1], (to_interactor.receiver_end, to_program.sender_end))
        to_interactor.hand_over()
        to_program.hand_over()
        carrier = _CarrierTime()
        program_side, interactor_side = _Side(program, to_interactor, carrier), _Side(interactor, to_program, carrier)
        program.watch.partner, interactor.watch.partner = interactor_side, program_side
        program_first = _carry(program_side, interactor_side, decides)
    assert program_side.run is not None and interactor_side.run is not None
    return Talk(program_side.run, interactor_side.run, program_first, to_interactor.carried, tuple(last))


def say_nothing(interactor: Box, stdin: bytes, limits: Limits) -> Run:
    """Run an interactor with a program that reads, writes nothing and does not end."""
    to_interactor, from_interactor = Relay(0, lambda _: None), Relay(MOST_FROM_INTERACTOR, lambda _: None)
    with contextlib.closing(to_interactor), contextlib.closing(from_interactor):
        interactor.start(stdin, limits, (to_interactor.receiver_end, from_interactor.sender_end))
        os.close(from_interactor.sink)
        from_interactor.sink = -1  # what the interactor writes is counted and discarded
        from_interactor.hand_over()
        pause = FIRST_LOOK_S
        while not interactor.has_ended():
            awaited: list[Box | int] = [interactor, *from_interactor.readable]
            if from_interactor.source in select.select(awaited, [], [], pause)[0]:
                from_interactor.carry()
            if from_interactor.flooded:
                return interactor.stop()._replace(stopped="flood")
            why, pause = interactor.watch.look()
            if why:
                return interactor.collect_run(why)
        return interactor.collect_run()


def _carry(program: _Side, interactor: _Side, decides: Callable[[Run], bool]) -> bool:
    """Carry bytes until both sides have ended; returns whether the program ended first."""
    relays = (program.output, interactor.output)
    first: _Side | None = None
    decided: bool | None = None
    looked, pause = time.monotonic(), FIRST_LOOK_S
    while open_ones := [side for side in (interactor, program) if side.run is None]:
        readable: list[Box | int] = [one.box for one in open_ones]
        for relay in relays:
            readable += relay.readable
        ready, room, _ = select.select(readable, [end for relay in relays for end in relay.writable], [], pause)
        for relay in relays:
            if relay.source in ready or relay.sink in room:
                relay.carry()
        for one in open_ones:
            if one.box in ready:
                one.end()
        if time.monotonic() - looked >= pause:
            pause = min([FIRST_LOOK_S, *(_look(one) for one in open_ones if one.run is None)])
            looked = time.monotonic()
        for relay in relays:
            if relay.has_stopped_sending:
                relay.end()
        for one in open_ones:
            if one.output.flooded:
                one.stop("flood")
        first = first or next((one for one in open_ones if one.run is not None), None)
        if program.run is not None and program.run.stopped:
            interactor.stop("stopped")
        if interactor.run is not None and decided is None:
            decided = bool(interactor.run.stopped) or decides(interactor.run)
            if decided:
                program.stop("stopped")
    return first is program


def _look(one: _Side) -> float:
    """Look at one side, and collect it if its watch has ended it; returns the pause before the next look."""
    why, pause_s = one.box.watch.look()
    if why:
        one.end(why)
    return pause_s


def _closed(end: int) -> int:
    if end >= 0:
        os.close(end)
    return -1
