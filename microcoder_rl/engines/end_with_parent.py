"""Runs a command that ends with its parent: `python -m microcoder_rl.engines.end_with_parent COMMAND...`.

Standard input is a pipe that the parent never writes to. When the pipe closes, even because the parent was killed
with kill -9, the command and every process it started are killed. Shared memory files that killed processes leave
behind are removed. A signal to the process group, as `timeout` or a closed terminal sends it, is left to the parent.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

GRACE_S = 5.0
"""Time that the command gets to exit before it is killed."""
LOOK_S = 2.0
"""Seconds between looks at which shared memory the command has mapped."""
SHARED = re.compile(r" (/dev/shm/[^\n]+)$", re.MULTILINE)


def main() -> int:
    """Returns the command's exit status; 128 plus the signal's number when a signal ended it, as in a shell."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # not SIG_IGN, which the command would inherit
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, start_new_session=True)
    shared: set[str] = set()
    looked = time.monotonic()
    try:
        while child.poll() is None:
            readable, _, _ = select.select([sys.stdin], [], [], 0.1)
            if readable:
                break
            if time.monotonic() - looked > LOOK_S:
                shared |= _mapped(_session(child.pid))
                looked = time.monotonic()
        shared |= _mapped(_session(child.pid))
        child.terminate()
        child.wait(timeout=GRACE_S)
    except subprocess.TimeoutExpired:
        pass
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    status = child.wait()
    _remove(shared, child.pid)
    return status if status >= 0 else 128 - status


def _remove(shared: set[str], session: int) -> None:
    """Unlink shared memory after the session has ended, unless another process has it mapped."""
    deadline = time.monotonic() + GRACE_S
    while any(_session(session)) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = {path for path in shared if os.path.exists(path)}
    for path in left - _mapped(_processes()) if left else ():
        try:
            os.unlink(path)
        except OSError:  # already gone, or of another user
            pass


def _processes() -> Iterator[int]:
    return (int(entry) for entry in os.listdir("/proc") if entry.isdigit()) if os.path.isdir("/proc") else iter(())


def _session(leader: int) -> Iterator[int]:
    """The living processes of a session."""
    for pid in _processes():
        try:
            state, _, _, session = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(session) == leader and state not in "ZX":
            yield pid


def _mapped(processes: Iterator[int]) -> set[str]:
    """The files of shared memory that processes have mapped."""
    found: set[str] = set()
    for pid in processes:
        try:
            found.update(SHARED.findall(Path(f"/proc/{pid}/maps").read_text()))
        except OSError:  # already gone, or of another user
            pass
    return found


if __name__ == "__main__":
    sys.exit(main())
