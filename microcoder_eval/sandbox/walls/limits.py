"""Resource limits (setrlimit).

The zygote or launcher sets them and its children inherit them, so they cost a child nothing. They are the fallback:
the supervisor's clock (`supervisor/watch.py`) is more exact and usually ends a run first.
"""

from __future__ import annotations

import resource

THREAD_STACK_BYTES = 8 << 20
"""The stack of a thread that asks for no size. By default Linux takes the stack limit, which is a gibibyte here."""
ADDRESS_HEADROOM_BYTES = 2 << 30
"""How much more address space than memory a program may have: threads and libraries reserve far more than they use."""
OPEN_FILES = 256
CPU_S = 4 * 3600
FILE_BYTES = 4 << 30


def limit_zygote() -> None:
    """Set the limits that are the same for every run: no core dumps, no locked memory, no queues.

    The limit of open files follows in `limit_files`.
    """
    fixed = {"CORE": 0, "MEMLOCK": 0, "MSGQUEUE": 0, "RTPRIO": 0, "NICE": 0, "CPU": CPU_S}
    for name, value in {**fixed, "FSIZE": FILE_BYTES}.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            resource.setrlimit(kind, (value, value))


def limit_files() -> None:
    """Limit the open files, once this process has sent its last descriptor.

    The same limit bounds the descriptors that all processes of a user have sent and nobody has received, and a program
    in another sandbox may hold so many.
    """
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


def limit_cpu(seconds: int) -> None:
    """Limit the CPU time of this process, and of each that it starts."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def limit_runs(memory_bytes: int | None, output_bytes: int) -> None:
    """Set the limits of later runs, from the problem's. Without `memory_bytes`, address space is not limited."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    space = hard if memory_bytes is None else memory_bytes + ADDRESS_HEADROOM_BYTES
    for kind, value in (
        (resource.RLIMIT_AS, space),
        (resource.RLIMIT_FSIZE, min(output_bytes, FILE_BYTES)),
    ):
        resource.setrlimit(kind, (value, resource.getrlimit(kind)[1]))
