"""The groups of a scoring package as the grader reads them: a tree (legacy format), or a list (format 2025-09)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Any

from microcoder_data.packages.files import Package, read_yaml

LEGACY_KEYS = ("on_reject", "grader_flags", "accept_score", "reject_score", "range")
FLAGS = (
    *("worst_error", "first_error", "always_accept", "accept_if_any_accepted"),
    *("ignore_sample", "sum", "avg", "min", "max"),
)
Groups = dict[str, Any] | list[dict[str, Any]] | None


def groups_of(package: Package, names: Iterable[str]) -> Groups:
    """The groups with these names (`sample`, `secret/easy`), or None when the package has its own way to score."""
    names = sorted(set(names) | {""})
    if any("max_score" in _settings(package, name, "test_group.yaml") for name in names):
        return _group_list(package, names)
    settings = {name: _settings(package, name, "testdata.yaml") for name in names}
    for own in settings.values():
        flags = own.get("grader_flags")
        if own.get("grading") == "custom" or any(word not in FLAGS for word in str(flags or "").split()):
            return None
    if not any(key in own for own in settings.values() for key in LEGACY_KEYS):
        return None
    tree: dict[str, dict[str, Any]] = {}
    for name in names:  # sorted: a group comes after its parent
        own = {key: value for key, value in settings[name].items() if key in LEGACY_KEYS and value is not None}
        tree[name] = {**({"name": posixpath.basename(name)} if name else {}), **own}
        if name:
            tree[posixpath.dirname(name)].setdefault("groups", []).append(tree[name])
    return tree[""]


def _group_list(package: Package, names: list[str]) -> Groups:
    """The groups in the format 2025-09; None when one of them has no points."""
    found: list[dict[str, Any]] = []
    for name in names:
        own = _settings(package, name, "test_group.yaml")
        if name == "sample":
            found.append({"name": "sample"})
        elif name.startswith("secret/") and "max_score" in own:
            needed = own.get("require_pass") or []
            needed = [needed] if isinstance(needed, str) else list(needed)
            found.append(
                {
                    "name": name.removeprefix("secret/"),
                    "max_score": own["max_score"],
                    "score_aggregation": own.get("score_aggregation", "pass-fail"),
                    "require_pass": [str(one).removeprefix("secret/") for one in needed],
                }
            )
        elif name not in ("", "secret"):
            return None
    return found


def _settings(package: Package, group: str, file: str) -> dict[str, Any]:
    return read_yaml(package, posixpath.normpath(posixpath.join("data", group, file)))
