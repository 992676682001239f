"""The cause of a failure: left by a Python program's own process, said on stderr by other runtimes."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import Any

import pytest

from microcoder_eval.boundary.box_protocol import LAUNCHER, OUT_OF_MEMORY, REFUSED, ZYGOTE
from microcoder_eval.supervisor.failure import Failure, failure_of
from microcoder_eval.supervisor.run import Run
from microcoder_eval.verdict import Raised

pytestmark = pytest.mark.fast

CODE = "a = 1\nb = 2\n"
FAILED, ABORTED = 1 << 8, int(signal.SIGABRT)


def failure(module: str, status: int, errors: str, left: str = "") -> Failure:
    def content(text: str) -> Any:
        return SimpleNamespace(get=lambda at_most: text.encode()[:at_most])

    box: Any = SimpleNamespace(module=module, stderr=content(errors), result=content(left))
    return failure_of(box, Run(status, 0.1, 0.1, 100), CODE)


@pytest.mark.parametrize(
    ("left", "raised"),
    [
        ("\n2\nValueError", Raised(2, "ValueError")),
        (OUT_OF_MEMORY + "\n0\nMemoryError", Raised(None, "MemoryError")),
        ("\n3\nE", Raised(3, "E")),
        *(
            (f"\n{line}\nE", Raised(None, "E"))
            for line in ("4", "-1", "1.0", "1_0", "\u0661", " 1", "9" * 400, "0x1", "", "None", "inf")
        ),
        *(
            (f"\n1\n{name}", Raised(1, ""))
            for name in (
                "",
                "a b",
                "x" * 101,
                "<b>",
                "\x1b[2J",
                "\u202e",
                "a.b",
                "1a",
                "\ud800".encode(errors="replace").decode(),
            )
        ),
        *((text, None) for text in ("", "\n", "2", "\n2", "\n2\nE\n", "\n2\nE\nmore", '{"r": 1}', "\n" * 900)),
    ],
)
def test_the_line_is_read_as_an_enemy_writes_it(left: str, raised: Raised | None) -> None:
    assert failure(ZYGOTE, FAILED, "", left).raised == raised
    assert failure(LAUNCHER, FAILED, "", left).raised is None
    assert failure(ZYGOTE, ABORTED, "", left).raised is None


def test_a_run_that_ended_well_has_no_failure() -> None:
    assert failure(ZYGOTE, 0, "MemoryError", OUT_OF_MEMORY) == Failure()


@pytest.mark.parametrize("left", [OUT_OF_MEMORY, REFUSED])
def test_a_python_program_leaves_the_cause(left: str) -> None:
    assert failure(ZYGOTE, FAILED, "Traceback\nE", left) == Failure("Traceback\nE", left)


@pytest.mark.parametrize("left", ["", "x" * 1000, OUT_OF_MEMORY + "!", '{"r": 1}'])
def test_what_it_says_on_stderr_and_other_answers_decide_nothing(left: str) -> None:
    assert failure(ZYGOTE, FAILED, "MemoryError", left).cause == ""
    assert failure(ZYGOTE, FAILED, "PermissionError: [Errno 1] x", left).cause == ""


@pytest.mark.parametrize(
    ("errors", "cause"),
    [
        ("terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc", OUT_OF_MEMORY),
        ("Exception in thread main java.lang.OutOfMemoryError: Java heap space", OUT_OF_MEMORY),
        ("Traceback ...\nMemoryError", OUT_OF_MEMORY),
        ("MemoryError\nValueError: and then this", ""),
        ("PermissionError: [Errno 13] Permission denied: '/etc/shadow'", REFUSED),
        ("PermissionError: [Errno 17] x", ""),
        ("", ""),
    ],
)
def test_other_runtimes_say_it_on_stderr(errors: str, cause: str) -> None:
    assert failure(LAUNCHER, FAILED, errors).cause == cause


def test_a_library_that_aborts_says_it_on_stderr() -> None:
    assert failure(ZYGOTE, ABORTED, "what():  std::bad_alloc").cause == OUT_OF_MEMORY
    assert failure(ZYGOTE, ABORTED, "MemoryError", OUT_OF_MEMORY).cause == ""
