"""What changed between two builds: rows added, removed or changed (and in which columns), settings, inputs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from microcoder_data.reasons import Reason
from microcoder_data.report.dataset import dropped, load_manifest, rows


def diff(first: Path, second: Path) -> dict[str, Any]:
    """The differences from the dataset in `first` to the one in `second`."""
    before = {row["problem_id"]: row["row_sha256"] for row in rows(first, ["problem_id", "row_sha256"])}
    after = {row["problem_id"]: row["row_sha256"] for row in rows(second, ["problem_id", "row_sha256"])}
    changed = {name for name in before.keys() & after.keys() if before[name] != after[name]}
    old, new = load_manifest(first), load_manifest(second)
    return {
        "same": old["logical_sha256"] == new["logical_sha256"],
        "rows": [len(before), len(after)],
        "added": sorted(after.keys() - before.keys()),
        "removed": _with_reasons(second, sorted(before.keys() - after.keys())),
        "changed": sorted(changed),
        "changed_columns": dict(_changed_columns(first, second, changed).most_common()),
        "settings": setting_changes("", old["config"], new["config"]),
        "inputs": old["inputs"] != new["inputs"],
    }


def _with_reasons(directory: Path, names: list[str]) -> dict[str, str]:
    """Why the new build does not have them."""
    wanted = set(names)
    found = {
        entry["problem_id"]: str(Reason(entry["outcome"], entry["rule"], entry["reason"]))
        for entry in dropped(directory, ["problem_id", "outcome", "rule", "reason"])
        if entry["problem_id"] in wanted
    }
    return {name: found.get(name, "not collected") for name in names}


def _changed_columns(first: Path, second: Path, names: set[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    if not names:
        return counts
    before = {row["problem_id"]: row for row in rows(first) if row["problem_id"] in names}
    for row in rows(second):
        old = before.get(row["problem_id"])
        if old is not None:
            counts.update(name for name in row.keys() | old.keys() if row.get(name) != old.get(name))
    counts.pop("row_sha256", None)
    return counts


def setting_changes(path: str, old: Any, new: Any) -> dict[str, list[Any]]:
    """The settings that differ, by their place: `filter.tests.limit`, `sources.0.path`."""
    if isinstance(old, dict) and isinstance(new, dict):
        found: dict[str, list[Any]] = {}
        for name in sorted(old.keys() | new.keys()):
            found.update(setting_changes(f"{path}.{name}".lstrip("."), old.get(name), new.get(name)))
        return found
    if isinstance(old, list) and isinstance(new, list) and all(isinstance(each, dict) for each in [*old, *new]):
        return setting_changes(path, dict(enumerate(old)), dict(enumerate(new)))
    return {} if old == new else {path: [old, new]}
