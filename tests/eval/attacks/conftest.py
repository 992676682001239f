"""Attacks that succeed today are expected failures: each line of `known_failures.txt` is the id of such a test.

The list is strict: an attack that no longer succeeds fails the suite until its line is removed. A line that starts with
"~ " names an attack that succeeds only sometimes, or on some machines.
"""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def known_failures() -> dict[str, str]:
    """The reason of each known failure, by "file::test[id]", or "~ file::test[id]"."""
    reasons, reason = {}, ""
    for line in (HERE / "known_failures.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line.strip():
            reasons[line.strip()] = reason
    return reasons


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reasons = known_failures()
    for item in items:
        if item.path.parent == HERE:
            name = f"{item.path.name}::{item.name}"
            if name in reasons:
                item.add_marker(pytest.mark.xfail(strict=True, reason=reasons[name]))
            elif f"~ {name}" in reasons:
                item.add_marker(pytest.mark.xfail(strict=False, reason=reasons[f"~ {name}"]))
