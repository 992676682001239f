"""The service of `connect("node")`, on a socket that its starter has opened, and detached from the starter.

Arguments: the directory of the package, the descriptor of the socket, the options as JSON, and a file for the number of
the service's process. The process forks: the child is the service, and the parent ends with status 0 when the service
is ready, slow or was killed, with status 1 when it has failed.
"""

from __future__ import annotations

import json
import logging
import os
import select
import sys
from contextlib import suppress
from pathlib import Path

from microcoder_eval.connection.node import IDLE_S, READY_S
from microcoder_eval.errors import GraderError, InputError


def main() -> None:
    read, write = os.pipe()
    if service := os.fork():
        os.close(write)
        with suppress(OSError):  # without it, the service cannot be replaced while it hangs
            Path(sys.argv[4]).write_text(str(service))
        os._exit(1 if _has_failed(read, service) else 0)  # init adopts the service and reaps it
    os.close(read)
    descriptor, options = int(sys.argv[2]), json.loads(sys.argv[3])
    with suppress(OSError):  # the starter may be bound to a few CPUs, and other processes use the service too
        os.sched_setaffinity(0, range(os.cpu_count() or 1))

    from microcoder_eval.service.app import logger as call_log
    from microcoder_eval.service.limits import RequestLimits
    from microcoder_eval.service.run_server import ServerOptions, serve

    def ready(address: str) -> None:
        with suppress(BrokenPipeError):  # the parent has stopped waiting
            os.write(write, b"1")
        os.close(write)

    call_log.setLevel(logging.WARNING)  # a line a call would fill the directory, which is memory
    idle_s = float(options.pop("idle_s", IDLE_S))
    allowed = RequestLimits(  # what a `Grader` takes
        tests=10**6, values=10**9, time_limit_s=1e6, memory_limit_mb=10**7, body_mb=512
    )
    try:
        serve(
            ServerOptions(listening=descriptor, limits=allowed, idle_s=idle_s, json_logs=True),
            options,
            on_ready=ready,
        )
    except (GraderError, InputError, OSError) as error:
        sys.exit(f"{error}")


def _has_failed(ready_pipe: int, service: int) -> bool:
    """Whether the service ended by itself before it was ready. A slow one listens already, and has not failed. One
    that was killed is started again by the next process that needs it.
    """
    found, _, _ = select.select([ready_pipe], [], [], READY_S)
    if not found or os.read(ready_pipe, 1) == b"1":
        return False
    return not os.WIFSIGNALED(os.waitpid(service, 0)[1])
