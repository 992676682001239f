"""A process that ends between two requests of its session: the next program gets what was meant for it alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.processes import children_of
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits

LIMITS = Limits(5.0, 512 * MEBIBYTE, MEBIBYTE)
DOUBLES = "print(2 * int(input()))"
TOLD_TOO_LATE: dict[str, Callable[[Box], object]] = {
    "to end": Box.close_session,
    "one more input": lambda box: box.run_in_session([b"7"], LIMITS),
    "two more inputs": lambda box: box.run_in_session([b"7", b"8"], LIMITS),
}


@pytest.fixture(params=["all layers", "no name spaces"])
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    spaces = ("user", "pid", "mount", "net", "ipc") if request.param == "no name spaces" else ()
    with closing(Box([name for name in LAYERS if name not in spaces])) as opened:
        yield opened


@pytest.mark.parametrize("told", TOLD_TOO_LATE)
def test_what_an_ended_process_was_told_is_not_told_to_the_next_program(box: Box, told: str) -> None:
    assert not box.load("stdin", DOUBLES)
    runs, is_open = box.open_session(b"3", LIMITS)
    assert (runs[0].run.status, box.stdout.get(), is_open) == (0, b"6\n", True)
    os.kill(children_of(box.zygote)[0], signal.SIGKILL)
    while not box.has_ended():
        continue
    TOLD_TOO_LATE[told](box)

    assert not box.load("stdin", f"{DOUBLES}  # another program")
    runs, is_open = box.open_session(b"21", LIMITS)
    assert (runs[0].run.status, box.stdout.get(), is_open) == (0, b"42\n", True)
    runs, is_open = box.run_in_session([b"4", b"5"], LIMITS)
    shown = []
    for run in runs:
        box.show(run)
        shown.append(box.stdout.get())
    assert (shown, is_open) == ([b"8\n", b"10\n"], True)
    assert box.close_session().status == 0
