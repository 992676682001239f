"""How a command of several ranks (processes started by torchrun) appears in one terminal.

Only the first rank prints. When ranks fail, only the rank that failed first prints its error.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from microcoder_rl.launched import has_several_ranks


@contextmanager
def only_first_error() -> Iterator[None]:
    """When several ranks fail, let the error of the first one through and end the others without a message."""
    try:
        yield
    except BaseException as error:
        if has_several_ranks() and not _failed_first():
            sys.stderr.flush()
            os._exit(1)  # a normal exit could wait for the other ranks
        _report_to_torchrun(str(error) or type(error).__name__)
        raise


def _report_to_torchrun(reason: str) -> None:
    """Write the error file that torchrun reads, so that its report gives the reason as the root cause."""
    path = os.environ.get("TORCHELASTIC_ERROR_FILE")
    if path:
        earlier = int(time.time()) - 1  # torchrun takes the earliest whole second; other ranks may end in this one
        found = {"message": {"message": reason, "extraInfo": {"timestamp": earlier}}}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file)


def _failed_first() -> bool:
    """Ask torchrun's key-value store, which outlives the ranks. When it cannot be reached, every rank prints."""
    import torch.distributed as dist

    try:
        host, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
        store = dist.TCPStore(host, port, is_master=False, wait_for_workers=False, timeout=timedelta(seconds=5))
        return bool(store.add(f"microcoder/failed/{os.environ.get('TORCHELASTIC_RESTART_COUNT', 0)}", 1) == 1)
    except (KeyError, ValueError, RuntimeError):
        return True
