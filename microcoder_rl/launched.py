"""Reads from torchrun's environment variables which rank this process is. Needs neither torch nor joined ranks."""

from __future__ import annotations

import os


def has_several_ranks() -> bool:
    """Whether torchrun started this process as one of several."""
    return os.environ.get("WORLD_SIZE", "1") != "1"


def is_first_rank() -> bool:
    """Whether this process is the first rank, or the only one."""
    return not has_several_ranks() or os.environ.get("RANK", "0") == "0"
