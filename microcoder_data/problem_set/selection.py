"""Find problems by name, kind, difficulty and tag, for the commands. A wrong name raises `InputError`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microcoder_data.problem_set.reader import Entry, find_problems, problem_folders, read_all
from microcoder_eval import InputError
from microcoder_eval.suggest import did_you_mean


def all_problems(root: Path | None) -> list[Entry]:
    """The problems under `root`, or the embedded ones."""
    entries = read_all(root or find_problems())
    if not entries:
        raise InputError(f"{root}: no problems here")
    return entries


def select(root: Path | None, kind: str | None, difficulty: str | None, tag: str | None) -> list[Entry]:
    """The problems of this kind, difficulty and tag; None stands for any."""
    entries = all_problems(root)
    tags = sorted({each for entry in entries for each in entry.tags})
    if tag is not None and tag not in tags:
        raise InputError(f"no problem has the tag {tag!r}{did_you_mean(tag, tags)}")
    return [
        entry
        for entry in entries
        if kind in (None, entry.kind) and difficulty in (None, entry.difficulty) and (tag is None or tag in entry.tags)
    ]


def folder_of(root: Path | None, name: str) -> Path:
    """The folder of the problem called `name`."""
    folders = {folder.name: folder for folder in problem_folders(root or find_problems())}
    if name not in folders:
        way_out = did_you_mean(name, folders) or "; `microcoder problems list` names all"
        raise InputError(f"no problem {name!r}{way_out}")
    return folders[name]


def folders_of(root: Path | None, names: Sequence[str]) -> list[Path]:
    """The folders of the problems with these names; without names, of all problems."""
    folders = [folder_of(root, name) for name in names] or problem_folders(root or find_problems())
    if not folders:
        raise InputError(f"{root}: no problems here")
    return folders


def solution_code(entry: Entry, name: str) -> str:
    """The code of the solution called `name`, such as "right/sets.py"."""
    codes = {solution.name: solution.code for solution in entry.solutions}
    if name not in codes:
        raise InputError(f"{entry.slug} has no solution {name!r}; it has: {', '.join(codes)}")
    return codes[name]


def with_solutions_in(entry: Entry, language: str | None) -> Entry:
    """The problem with only its solutions in this language; None keeps all."""
    if language is None:
        return entry
    return replace(entry, solutions=tuple(s for s in entry.solutions if s.language == language))


def summary(entry: Entry) -> dict[str, Any]:
    """The record of a problem that `--json` prints."""
    return {
        "name": entry.slug,
        "title": entry.title,
        "kind": entry.kind,
        "difficulty": entry.difficulty,
        "tags": list(entry.tags),
        "entry_point": entry.entry_point,
        "time_limit_s": entry.time_limit_s,
        "memory_limit_mb": entry.memory_limit_mb,
        "checker": entry.checker.to_dict(),
        "solutions": {s.name: s.reason for s in entry.solutions},
    }
