"""Keep pyarrow from importing pandas, which takes longer than to read and write a shard.

When pyarrow makes its first array, it imports pandas if that is installed, to recognize pandas' own types. Nothing here
has such values. Only `to_pandas` needs pandas, and imports it then.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import Any


class _NotInstalled(MetaPathFinder):
    def find_spec(self, name: str, *_: Any) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def do_without_pandas() -> None:
    """Make this process's first array while pandas cannot be found; pyarrow looks for it only once."""
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    finder = _NotInstalled()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([None])
    finally:
        sys.meta_path.remove(finder)
