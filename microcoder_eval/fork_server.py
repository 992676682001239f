"""Python's fork server for worker processes, deaf to Ctrl-C from its first instruction.

    context = fork_server(["my.package"])
    context.Process(target=work).start()      # `work` calls ignore_ctrl_c first

Python's own ignores Ctrl-C only after it has imported what is preloaded: until then it ends with a traceback.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Sequence
from multiprocessing import forkserver, resource_tracker
from multiprocessing.context import ForkServerContext


def fork_server(preloaded: Sequence[str]) -> ForkServerContext:
    """A context whose processes come from a running fork server that has imported `preloaded`."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(preloaded))
    resource_tracker.ensure_running()  # its start lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return context


def ignore_ctrl_c() -> None:
    """In a worker: its parent handles Ctrl-C. Programs that the worker starts are not deaf."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
