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
            _lower(kind, value)


def limit_files() -> None:
    """Limit the open files, once this process has sent its last descriptor.

    The same limit bounds the descriptors that all processes of a user have sent and nobody has received, and a program
    in another sandbox may hold so many.
    """
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES)


def limit_cpu(seconds: int) -> None:
    """Limit the CPU time of this process, and of each that it starts."""
    _lower(resource.RLIMIT_CPU, seconds)


def limit_runs(memory_bytes: int | None, output_bytes: int, reserved_bytes: int = 0) -> None:
    """Set the limits of later runs, from the problem's. Without `memory_bytes`, address space is not limited.
    `reserved_bytes`: what this process has reserved for its children, to be added to the limit.

    Raises `ValueError` when this process was started with less than a run may use: the verdict would be wrong.
    """
    output_bytes = min(output_bytes, FILE_BYTES)
    memory = memory_bytes or 0
    address_space = memory + reserved_bytes + ADDRESS_HEADROOM_BYTES if memory else resource.RLIM_INFINITY
    for kind, needed, value in (
        (resource.RLIMIT_AS, memory, address_space),
        (resource.RLIMIT_FSIZE, output_bytes, output_bytes),
    ):
        most = resource.getrlimit(kind)[1]
        if most < needed and most != resource.RLIM_INFINITY:
            what = "ulimit -v" if kind == resource.RLIMIT_AS else "ulimit -f"
            raise ValueError(f"a test may use {needed} bytes, and this system allows {most} ({what})")
        resource.setrlimit(kind, (_least(value, most), most))


def _lower(kind: int, value: int) -> None:
    """Set a limit for good, or leave the lower one that this process was started with."""
    value = _least(value, resource.getrlimit(kind)[1])
    resource.setrlimit(kind, (value, value))


def _least(first: int, second: int) -> int:
    return min((limit for limit in (first, second) if limit != resource.RLIM_INFINITY), default=resource.RLIM_INFINITY)
