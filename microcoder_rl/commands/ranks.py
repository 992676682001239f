"""How several ranks appear in one terminal: the first of them speaks, and of a failure the first to fail."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


def leads() -> bool:
    """Whether this process is the first rank, or alone."""
    return not several() or os.environ.get("RANK", "0") == "0"


@contextmanager
def one_voice() -> Iterator[None]:
    """When ranks fail, the first one says why; the others, who fail because of it or just as it did, end silently."""
    try:
        yield
    except BaseException as error:
        if several() and not _first_to_fail():
            sys.stderr.flush()
            os._exit(1)  # nothing that is left here may wait for the others
        _tell_torchrun(str(error) or type(error).__name__)
        raise


def _tell_torchrun(reason: str) -> None:
    """Have it give the reason as the root cause at the end of its own report."""
    path = os.environ.get("TORCHELASTIC_ERROR_FILE")
    if path:
        before = int(time.time()) - 1  # it counts whole seconds, and others may end within this one
        found = {"message": {"message": reason, "extraInfo": {"timestamp": before}}}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file)


def several() -> bool:
    """Whether torchrun started this process as one of several."""
    return os.environ.get("WORLD_SIZE", "1") != "1"


def _first_to_fail() -> bool:
    """Asked at the address where torchrun has the ranks meet; it outlives them. Without it, everyone speaks."""
    from datetime import timedelta

    import torch.distributed as dist

    try:
        host, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
        store = dist.TCPStore(host, port, is_master=False, wait_for_workers=False, timeout=timedelta(seconds=5))
        return bool(store.add(f"microcoder/failed/{os.environ.get('TORCHELASTIC_RESTART_COUNT', 0)}", 1) == 1)
    except (KeyError, ValueError, RuntimeError):
        return True
