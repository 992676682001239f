"""One page that lists what a folder holds: grading runs, datasets, training runs, pages. It reads only small files.

write_home(Path("."))        # index.html, with links to the pages of everything below the folder
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote as percent_encoded

from microcoder_eval.errors import InputError
from microcoder_eval.plural import counted
from microcoder_eval.report.cells import percent
from microcoder_eval.report.page import Html, element, page, section, table, write_page
from microcoder_eval.suggest import pasted, why_absent

MARK = "microcoder-home"
"""A text in every page of this kind: only such a page is replaced."""
_DEEPEST = 5
_MOST_FOLDERS = 20_000
_MOST_BYTES = 16 << 20
"""Of a larger file only the beginning is read."""
_OF_A_SITE = {"index.html", "404.html"}
_TITLE = re.compile(r"<title[^>]*>([^<]*)<", re.IGNORECASE)
_TITLE_WITHIN = 1 << 14
_LONGEST_TITLE = 120
_SKIPPED = {
    *("work", "data", "dropped", "solutions", "tests", "checkpoints"),
    *("node_modules", "__pycache__", "site-packages"),
}
_HEADINGS = {
    "training": "Training runs",
    "grading": "Grading runs",
    "dataset": "Datasets",
    "page": "Other pages",
}


@dataclass(frozen=True)
class FolderItem:
    """A run, a dataset or a page below the folder."""

    kind: str
    """grading, dataset, training or page."""
    path: Path
    page: Path | None
    says: str
    """Its result in a few words."""
    changed: float
    hint: str = ""
    """The command that makes its page."""


def write_home(folder: Path) -> tuple[Path, list[FolderItem]]:
    """Write `index.html` into a folder; returns its path and what was found. Another page there is not replaced."""
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder" if folder.exists() else f"{folder}: {why_absent(folder, 'folder')}")
    out = folder / "index.html"
    if out.exists() and not (out.is_file() and MARK in _beginning(out)):
        raise InputError(f"{out} is another page: it is not replaced; name a folder without an index.html")
    found = sorted(_search(folder), key=lambda each: -each.changed)
    write_page(out, home_page(folder, found))
    return out, found


_COLUMNS = ["Name", "Holds", "Changed"]


def home_page(folder: Path, found: list[FolderItem]) -> str:
    """The page as HTML."""
    parts = []
    for kind, heading in _HEADINGS.items():
        rows = [_row(folder, each) for each in found if each.kind == kind]
        if rows:
            parts.append(section(heading, element("div", table(_COLUMNS, rows, wide=True), class_="aligned")))
    if not parts:
        empty = "Nothing here yet: microcoder quickstart makes one of everything."
        parts.append(section("Nothing found", element("p", empty, class_="note")))
    note = element("span", "What lies below this folder, the newest first.", data_is=MARK)
    return page(f"Runs in {folder.resolve().name}", *parts, lead=note)


def _row(folder: Path, found: FolderItem) -> list[Any]:
    name = found.path.relative_to(folder).as_posix()
    link = name if found.page is None else element("a", name, href=_address(found.page.relative_to(folder)))
    says: Any = found.says or ""
    if found.page is None and found.hint:
        says = Html(element("span", says, " · ") + element("code", found.hint))
    return [link, says, _time(found.changed)]


def _time(changed: float) -> str:
    try:
        return datetime.fromtimestamp(changed).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):  # a time stamp outside the calendar
        return ""


def _address(path: Path) -> str:
    return percent_encoded(os.fsencode(path))


def _search(folder: Path) -> Iterator[FolderItem]:
    """What is in a folder and below it, down to _DEEPEST levels; at most _MOST_FOLDERS folders are searched."""
    for seen, (here, folders, files) in enumerate(os.walk(folder)):
        path, names = Path(here), set(files)
        depth = len(path.relative_to(folder).parts)
        known = _recognized(path, names)
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in _SKIPPED and depth < _DEEPEST
        )
        if seen > _MOST_FOLDERS:
            return
        if known is not None:
            yield known
        if depth and names >= _OF_A_SITE:  # its first page leads to all others
            folders.clear()
            names = {"index.html"}
        for name in sorted(names):
            own = known is not None and known.page == path / name
            page_path = path / name
            index = depth == 0 and name == "index.html"
            if name.endswith(".html") and not own and not index and page_path.is_file():
                yield FolderItem("page", page_path, page_path, _title(page_path), _changed(page_path))


def _recognized(path: Path, names: set[str]) -> FolderItem | None:
    """The run or dataset that a folder is, by the names of its files; None for any other folder."""
    report = path / "report.html" if "report.html" in names else None
    if "grades.jsonl" in names:
        hint, changed = f"microcoder eval report {pasted(path)}", _changed(path / "grades.jsonl")
        return FolderItem("grading", path, report, _grading_result(path), changed, hint)
    if "manifest.json" in names and "README.md" in names:
        hint, changed = f"microcoder data report {pasted(path)}", _changed(path / "manifest.json")
        return FolderItem("dataset", path, report, _dataset_size(path), changed, hint)
    if "metrics.jsonl" in names:
        page_path = path / "curves.html" if "curves.html" in names else None
        hint = f"microcoder train plot {pasted(path)} --out {pasted(path / 'curves.html')}"
        return FolderItem("training", path, page_path, _training_state(path), _changed(path / "metrics.jsonl"), hint)
    return None


def _grading_result(path: Path) -> str:
    summary = _record(path / "summary.json")
    accepted, submissions = summary.get("accepted"), summary.get("submissions")
    if not isinstance(accepted, int) or not isinstance(submissions, int):
        return "not finished"
    return f"{accepted:,} of {submissions:,} accepted"


def _dataset_size(path: Path) -> str:
    manifest = _record(path / "manifest.json")
    rows = manifest.get("rows")
    if not isinstance(rows, int):
        return "its manifest cannot be read"
    return f"{manifest.get('name', '')}: {counted(rows, 'row')}"


def _training_state(path: Path) -> str:
    steps = _last_records(path / "metrics.jsonl")
    scores = _last_records(path / "evals.jsonl")
    step = steps[-1].get("step") if steps else None
    state = counted(step if type(step) is int else len(steps), "step") if steps else "no step yet"
    if scores and isinstance(scores[-1].get("accuracy"), float):
        state += f", {scores[-1].get('set', '')} {percent(scores[-1]['accuracy'])}"
    return state


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it was removed while the page was made
        return 0.0


def _beginning(path: Path) -> str:
    """The beginning of a file."""
    with open(path, "rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "replace")


def _title(path: Path) -> str:
    """The title of a page; empty when it has none at its beginning."""
    try:
        with open(path, "rb") as file:
            found = _TITLE.search(file.read(_TITLE_WITHIN).decode("utf-8", "replace"))
    except OSError:
        return ""
    return " ".join(unescape(found[1]).split())[:_LONGEST_TITLE] if found else ""


def _record(path: Path) -> dict[str, Any]:
    """The JSON object in a file; empty when there is none or the file is too large."""
    try:
        readable = path.is_file() and path.stat().st_size < _MOST_BYTES
        found = json.loads(path.read_text(encoding="utf-8")) if readable else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _last_records(path: Path) -> list[dict[str, Any]]:
    """The last records of a JSON lines file, without lines that cannot be read."""
    if not path.is_file():  # reading a pipe would never end
        return []
    try:
        with open(path, "rb") as file:
            file.seek(max(0, path.stat().st_size - (1 << 16)))
            lines = file.read().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):  # the first line may lack its beginning, the last one its end
            continue
        if isinstance(record, dict):
            found.append(record)
    return found
