"""A sandbox starts whatever descriptor numbers the process that starts it has free."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.watch import Limits


@contextmanager
def lowest_free_descriptor(number: int) -> Iterator[None]:
    """Occupy every descriptor below `number`."""
    taken: list[int] = []
    try:
        while (fd := os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)) < number:
            taken.append(fd)
        os.close(fd)
        yield
    finally:
        for fd in taken:
            os.close(fd)


@pytest.mark.parametrize("lowest", [3, *range(80, 106, 2), 300])
def test_a_box_starts_with_any_free_descriptors(lowest: int) -> None:
    with lowest_free_descriptor(lowest), closing(Box([*LAYERS])) as box:
        assert box.load("stdin", "print(input())") == ""
        box.run(b"hello", Limits(cpu_s=5.0, memory_bytes=256 << 20, output_bytes=1 << 20))
        assert box.stdout.get() == b"hello\n"


SENDS_ALL = """
import os, socket, struct
kept = []
try:
    while True:
        kept.append(socket.socketpair())
        kept[-1][0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("253i", *[0] * 253))])
except OSError:
    os.write(1, b"no more")
while True: pass
"""
"""As many descriptors on the way as a program may have: the kernel counts those of all processes of a user together."""


def test_a_box_starts_while_a_program_has_many_descriptors_on_the_way() -> None:
    with closing(Box([*LAYERS])) as box:
        assert box.load("stdin", SENDS_ALL) == ""
        box.start(b"", Limits(cpu_s=60.0, memory_bytes=256 << 20, output_bytes=1 << 20))
        while box.stdout.get() != b"no more":
            assert not box.has_ended()
        with closing(Box([*LAYERS])) as other:
            assert other.load("stdin", "print(input())") == ""
        box.stop()
