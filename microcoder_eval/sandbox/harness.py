"""What a child does with a program: run it as a script, call its entry point, or serve another process.

The program can change everything in this process, so the supervisor trusts nothing that runs here. It reads only the
bytes that the child wrote to its descriptors, and the exit status of the process.
"""

from __future__ import annotations

import builtins
import gc
import io
import os
import sys

from microcoder_eval.boundary.box_protocol import (
    EXIT_NOT_DEFINED,
    EXIT_OUT_OF_MEMORY,
    EXIT_TRACEBACK,
    EXIT_UNUSABLE,
    LONGEST_CLASS_NAME,
    OUT_OF_MEMORY,
    REFUSED,
    RESULT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any, NoReturn

STDIN, STDOUT, STDERR = 0, 1, 2
SCRIPT = "solution.py"
SHOWN_FRAMES = 50
BUFFER_BYTES = 4096
"""The block size of pipes and memory files, which `open` uses too."""
EPERM, EACCES = 1, 13


def fresh_main(names: dict[str, Any] | None = None) -> dict[str, Any]:
    """The namespace of a new `__main__` module, registered so that pickle and dataclasses find it."""
    module = type(sys)("__main__")
    module.__dict__.update(names or {}, __file__=SCRIPT, __builtins__=builtins)
    sys.modules["__main__"] = module
    return module.__dict__


def run_script(code: CodeType, main: dict[str, Any]) -> int:
    """Run a program to its end as the interpreter would; returns its exit status."""
    try:
        exec(code, main)
    except SystemExit as leaving:
        return _exit_status(leaving)
    except BaseException as error:
        _leave_failure(error)
        _show_traceback()
        return EXIT_TRACEBACK
    return 0


def run_call(code: CodeType, main: dict[str, Any], entry_point: str, hints: dict[str, str]) -> int:
    """Import a program, call its entry point with the arguments on stdin, and write what it returned."""
    from microcoder_eval.sandbox import calling

    arguments = _read_all(STDIN)  # before the program runs, which finds its standard input at its end
    try:
        given = calling.execute(code, main, entry_point)
        _write_all(RESULT, calling.call(main, entry_point, arguments, hints, given))
    except SystemExit as leaving:
        return _exit_status(leaving) or EXIT_TRACEBACK  # a call must return: exit status 0 is no answer
    except BaseException as error:
        _leave_failure(error)
        _show_traceback()
        return EXIT_TRACEBACK
    return 0


def run_peer(serve: Callable[[], int]) -> int:
    """Call `serve`, which answers a process in another sandbox; returns the exit status."""
    try:
        return serve()
    except SystemExit as leaving:
        return _exit_status(leaving)
    except BaseException as error:
        _leave_failure(error)
        _show_traceback()
        return EXIT_TRACEBACK


def run_check(code: CodeType, main: dict[str, Any]) -> int:
    """Run a checker's `check(input, expected, actual)` on the values on stdin; write [accepted, message, points]."""
    from microcoder_eval.sandbox import calling

    status = EXIT_UNUSABLE
    secret, question = take_question()
    try:
        exec(code, main)
        if "check" not in main:
            return EXIT_NOT_DEFINED
        status = EXIT_TRACEBACK
        returned = calling.check(main, question)
        status = EXIT_UNUSABLE
        answer_and_leave(secret, calling.encode_opinion(returned))
    except MemoryError:
        _show_traceback()
        return EXIT_OUT_OF_MEMORY
    except BaseException:
        _show_traceback()
        return status


def run_interactor(code: CodeType, main: dict[str, Any], reads: int, writes: int) -> int:
    """Run an interactor's `interact` on the test that is on stdin; write [accepted, message, points]."""
    from microcoder_eval.sandbox import interactor_function

    secret, question = take_question()
    try:
        exec(code, main)
        if "interact" not in main:
            return EXIT_NOT_DEFINED
        answer_and_leave(secret, interactor_function.interact(main, question, reads, writes))
    except MemoryError:
        _show_traceback()
        return EXIT_OUT_OF_MEMORY
    except BaseException:
        _show_traceback()
        return EXIT_UNUSABLE


def take_question() -> tuple[bytes, bytes]:
    """Read the secret and the question for a judge's function from stdin, then replace stdin with an empty pipe.

    A judge that calls `eval` on a program's output runs the program's code in this process. That code cannot read the
    secret from stdin, and without the secret it cannot write the judge's answer. It can still search this process for
    the secret, or change what the judge's function sees.
    """
    secret, _, question = _read_all(STDIN).partition(b"\n")
    reads, writes = os.pipe()
    os.dup2(reads, STDIN)
    os.close(reads)
    os.close(writes)
    return secret, question


def answer_and_leave(secret: bytes, answer: bytes) -> NoReturn:
    """Write a judge's answer and exit at once, before any thread, destructor or `atexit` function of its can run."""
    _write_all(RESULT, secret + answer)
    os._exit(0)


def use_pipes(reads: int, writes: int) -> None:
    """Make two pipes this process's stdin and stdout."""
    for pipe, place in ((reads, STDIN), (writes, STDOUT)):
        os.dup2(pipe, place)
        os.close(pipe)
    open_streams()


def wind_up(status: int) -> int:
    """Do what the interpreter does at exit: join threads, run `atexit`, flush streams; returns the exit status."""
    try:
        if "threading" in sys.modules:
            sys.modules["threading"]._shutdown()
        if "atexit" in sys.modules:
            sys.modules["atexit"]._run_exitfuncs()
    except BaseException:
        _show_traceback()
    return flush_streams(status)


def flush_streams(status: int) -> int:
    """Flush what the program has printed; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # the program may have put nothing in its place
                stream.flush()
        except ValueError:
            pass  # the program closed the stream: it has been flushed
        except BaseException:
            status = status or 120  # the interpreter's own exit status when it cannot flush
    if sys.stdout is not sys.__stdout__:
        _flush(sys.__stdout__)  # the program may have written to it before it replaced it
    return status


def destruct() -> None:
    """Free a program's objects as the interpreter does at its end: open files are flushed, destructors run.

    The caller must have dropped its reference to the namespace. Files are flushed first, because the garbage collector
    may close the buffer under a text stream before it flushes the text stream.
    """
    for layer in (io.TextIOWrapper, io.BufferedWriter):
        for tracked in gc.get_objects():
            if issubclass(type(tracked), layer):
                _flush(tracked)
    sys.modules.pop("__main__", None)
    sys.stdout = sys.__stdout__
    gc.collect()
    _flush(sys.__stdout__)


def _flush(stream: Any) -> None:
    try:
        stream.flush()
    except Exception:  # closed, or an object of the program's: the interpreter ignores its errors at its end too
        return


def open_streams() -> None:
    """New text streams over descriptors 0, 1 and 2, as a fresh interpreter in UTF-8 mode opens them."""
    sys.stdin = sys.__stdin__ = _text(STDIN, "r", "surrogateescape")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _text(STDOUT, "w", "surrogateescape")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _text(STDERR, "w", "backslashreplace")  # type: ignore[misc]


def _text(descriptor: int, mode: str, errors: str) -> io.TextIOWrapper:
    """What `open` makes of a descriptor that is no terminal, in half the time."""
    raw = io.FileIO(descriptor, mode, closefd=False)
    buffer = io.BufferedReader(raw, BUFFER_BYTES) if mode == "r" else io.BufferedWriter(raw, BUFFER_BYTES)
    text = io.TextIOWrapper(buffer, "utf-8", errors)
    text.mode = mode  # type: ignore[misc]
    return text


def _exit_status(leaving: SystemExit) -> int:
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code & 0xFF
    _write_error(str(leaving.code) + "\n")
    return 1


def cause_of(error: BaseException) -> str:
    """Why an exception was raised, if memory was full or the sandbox refused a system call; otherwise ""."""
    try:
        if isinstance(error, MemoryError):
            return OUT_OF_MEMORY
        return REFUSED if isinstance(error, PermissionError) and error.errno in (EPERM, EACCES) else ""
    except BaseException:  # the program's own class of exception
        return ""


def line_of(error: BaseException) -> int:
    """The line of the program that raised, or that called what raised; 0 when no line of it did."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == SCRIPT:
            line = trace.tb_lineno or line  # a code object that the program has assembled may have no lines
        trace = trace.tb_next
    return line


def _leave_failure(error: BaseException) -> None:
    """Write why and where a program failed to the result file (see `box_protocol`)."""
    try:
        _write_all(RESULT, cause_of(error).encode())  # first: memory may be full
        name = type(error).__name__[:LONGEST_CLASS_NAME]
        _write_all(RESULT, f"\n{line_of(error)}\n{name}".encode())
    except BaseException:  # the program has closed the file, or changed `os`
        return


def _show_traceback() -> None:
    """Write the traceback without the harness's frames; only the error's name when the program's `__str__` fails."""
    try:
        kind, error, trace = sys.exc_info()
        while trace is not None and trace.tb_frame.f_code.co_filename != SCRIPT:
            trace = trace.tb_next
        if error is not None:
            error.__traceback__ = trace
        sys.tracebacklimit = SHOWN_FRAMES
        sys.__excepthook__(kind, error, trace)  # type: ignore[arg-type]
    except BaseException:
        _write_error(f"{type(sys.exc_info()[1]).__name__}\n")


def _write_error(text: str) -> None:
    try:
        sys.stderr.write(text)
    except BaseException:
        _write_all(STDERR, text.encode("utf-8", "backslashreplace"))


def _read_all(descriptor: int) -> bytes:
    chunks = []
    while chunk := os.read(descriptor, 1 << 20):
        chunks.append(chunk)
    return b"".join(chunks)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
