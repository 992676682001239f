"""What a child does under isolation `submission`: it runs the program again for each input.

The first input is on stdin when it starts. Each further request is a datagram on descriptor 5: `ONE_RUN` if the
supervisor has put the input on stdin, otherwise a marshalled list of short inputs. The answer is one datagram with a
line for each run: the exit status, the CPU time in microseconds, and the lengths of stdout and of the result file after
the run. Inputs behind a failure are left out. The answer `DONE` says that inputs from a list cannot be taken.
"""

from __future__ import annotations

import marshal
import os
import time

from microcoder_eval.boundary.box_protocol import DONE, LONGEST_SESSION_REQUEST, ONE_RUN, RESULT, SESSION
from microcoder_eval.sandbox.harness import STDIN, STDOUT, open_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn


def serve(run: Callable[[], int], directory: str) -> NoReturn:
    """Call `run` once for each input, until the supervisor closes the session.

    `directory`: inputs from a list are written into a nameless file there. No file can be made in memory: the filter
    refuses that call.
    """
    # these copies get the numbers of CONTROL and REQUEST, which have just been closed
    stdin, stdout = os.dup(STDIN), os.dup(STDOUT)
    has_own_stdin = False
    used_ns = _cpu_ns()
    request = ONE_RUN
    while request:
        lines = []
        for given in [None] if request == ONE_RUN else marshal.loads(request):
            if given is not None:
                try:
                    _become_stdin(given, directory, has_own_stdin)
                except OSError:
                    break
            elif has_own_stdin:
                os.dup2(stdin, STDIN)
            has_own_stdin = given is not None
            try:
                open_streams()
            except OSError:  # an earlier run has closed one, as `open(0).read()` does
                if not has_own_stdin:
                    os.dup2(stdin, STDIN)
                os.dup2(stdout, STDOUT)
                open_streams()
            status = run()
            now_ns = _cpu_ns()
            used_us = (now_ns - used_ns) // 1000
            lines.append(b"%d %d %d %d" % (status, used_us, _length(stdout), _length(RESULT)))
            used_ns = now_ns
            if status:
                break
        os.write(SESSION, b"\n".join(lines) or DONE)
        request = os.read(SESSION, LONGEST_SESSION_REQUEST)
    os._exit(0)


def _become_stdin(given: bytes, directory: str, has_own: bool) -> None:
    """Write an input into a file of this process alone, and make the file stdin. `has_own`: stdin is such a file
    already."""
    if has_own:
        try:
            _put(given)
            return
        except OSError:  # an earlier run has closed or replaced it
            pass
    file = os.open(directory, os.O_TMPFILE | os.O_RDWR, 0o400)
    if file != STDIN:
        os.dup2(file, STDIN)
        os.close(file)
    _put(given)


def _put(given: bytes) -> None:
    os.pwrite(STDIN, given, 0)
    os.ftruncate(STDIN, len(given))
    os.lseek(STDIN, 0, os.SEEK_SET)


def _length(descriptor: int) -> int:
    try:
        return os.lseek(descriptor, 0, os.SEEK_END)
    except OSError:  # the program has closed it
        return 0


def _cpu_ns() -> int:
    """The CPU time of this process. Its clock stands still between two ticks while a limit of CPU time is set; reading
    the thread's clock brings it up to date."""
    time.thread_time_ns()
    return time.process_time_ns()
