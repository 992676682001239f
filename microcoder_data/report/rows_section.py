"""The part of a dataset's page in which rows can be opened: statement, tests, solutions, the path through the stages.

Kept and removed (rejected, dropped or merged) rows are in one table, with a filter by outcome. A page holds a limited
number of each; `data inspect` and `data why` show the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from microcoder_data.process.render import render
from microcoder_data.remedies import remedy_of
from microcoder_data.report.dataset import dropped, load_manifest, rows, work_files
from microcoder_data.schema import fields_of
from microcoder_data.shards import read_shard, rows_at
from microcoder_eval.plural import counted
from microcoder_eval.report.page import Html, element, join, section
from microcoder_eval.report.searchable_table import Column, DetailPart, SearchableTable

MOST_KEPT = MOST_REMOVED = 1500
"""How many rows of each kind are on the page."""
_CHARACTERS, _FIRST_WORDS = 6000, 100
_TESTS, _TEST_CHARACTERS = 4, 300
_PROGRAMS, _PROGRAM_CHARACTERS = 2, 3000
_TEST_COLUMNS = [*fields_of("tests", "input", "output"), "test_code"]
_NEEDED = [
    "problem_id", "kind", "language", "title", "statement", "input_format", "output_format", "constraints", "notes",
    "samples", *_TEST_COLUMNS, "verification.tests_kept", "provenance", "starter_code", "answer_format",
]  # fmt: skip


def rows_section(directory: Path) -> Html:
    """The table of rows, kept ones first."""
    listed = SearchableTable(
        "rows",
        "rows",
        [
            Column("Row", "id"),
            Column("Outcome", filter=True),
            Column("Reason", filter=True, minor=True, under=" "),
            Column("Stage", filter=True, minor=True),
            Column("Kind", filter=True, minor=True),
            Column("Language", filter=True, minor=True),
            Column("Tests", "number", minor=True),
            Column("Statement", "text", minor=True, under=" "),
        ],
    )
    programs = _programs(directory)
    manifest = load_manifest(directory)
    for row in islice(rows(directory, _NEEDED), MOST_KEPT):
        about = [
            row["kind"],
            row["language"] or "",
            (row["verification"] or {}).get("tests_kept") or 0,
            _short(row["statement"]),
        ]
        parts = _kept_parts(row, programs.get(row["problem_id"], []))
        listed.add_document([row["problem_id"], "kept", "", "", *about], parts)
    entries = list(islice(dropped(directory), MOST_REMOVED))
    collected = _collected_parts(directory, {entry["problem_id"] for entry in entries} - {None})
    for entry in entries:
        name, statement = entry["problem_id"] or entry["location"], entry["statement"] or ""
        about = [entry["outcome"], entry["reason"], entry["stage"], "", entry["language"] or "", None]
        listed.add_document([name, *about, _short(statement)], _removed_parts(entry, *collected.get(name, ([], []))))
    removed = sum(stage["dropped"] + stage["merged"] for stage in manifest["stages"])
    left_out = [
        f"not on this page: {counted(count - most, f'{which} row')}"
        for which, count, most in (("kept", manifest["rows"], MOST_KEPT), ("removed", removed, MOST_REMOVED))
        if count > most
    ]
    note = join(
        "Each opens with its statement, its tests and its path through the stages. ",
        f"{'; '.join(left_out)}: " if left_out else "In the terminal: ",
        element("code", "microcoder data why ID --in DATASET"),
    )
    return section("Rows", listed.html(), note=note)


def _kept_parts(row: Mapping[str, Any], programs: list[Mapping[str, Any]]) -> list[DetailPart]:
    return [
        DetailPart("Statement", "prose", _cut(render(dict(row)), _CHARACTERS)),
        *_test_parts(row),
        DetailPart("Path through the stages", "path", _path(row["provenance"])),
        *_program_parts(programs),
    ]


def _test_parts(row: Mapping[str, Any]) -> list[DetailPart]:
    shown = (row["tests"] or [])[:_TESTS]
    tests = [["Input", "Expected output"]]
    tests += [[_cut(test[side], _TEST_CHARACTERS) for side in ("input", "output")] for test in shown]
    more = f", the first {_TESTS} of {len(row['tests'])}" if len(row["tests"] or []) > _TESTS else ""
    parts = [DetailPart(f"Tests{more}", "table", tests)] if shown else []
    if row["test_code"]:
        parts.append(DetailPart("Test program", "code", _cut(row["test_code"], _PROGRAM_CHARACTERS)))
    return parts


def _program_parts(programs: Iterable[Mapping[str, Any]]) -> list[DetailPart]:
    parts = []
    for program in programs:
        right = {True: "right", False: "wrong"}.get(program.get("correct"), "unknown")  # type: ignore[arg-type]
        heading = f"Solution, {program.get('language') or 'program'}, {right}"
        parts.append(DetailPart(heading, "code", _cut(program["code"], _PROGRAM_CHARACTERS), folded=True))
    return parts


def _collected_parts(directory: Path, wanted: set[str]) -> dict[str, tuple[list[DetailPart], list[DetailPart]]]:
    """Tests and solutions of removed rows as they were collected, while the build's `work/` is there."""
    found: dict[str, tuple[list[DetailPart], list[DetailPart]]] = {}
    for path, _ in work_files(directory, "collect"):
        if len(found) == len(wanted) or not path.exists():
            break
        names = [row["problem_id"] for row in read_shard(path, ["problem_id"])]
        places = [place for place, name in enumerate(names) if name in wanted]
        for row in rows_at(path, places, ["problem_id", "solutions", *_TEST_COLUMNS]):
            found[row["problem_id"]] = _test_parts(row), _program_parts((row["solutions"] or [])[:_PROGRAMS])
    return found


def _removed_parts(entry: Mapping[str, Any], tests: list[DetailPart], programs: list[DetailPart]) -> list[DetailPart]:
    why = f"{entry['outcome']} at {entry['stage']} by {entry['rule']}: {entry['reason']}"
    if entry["statistic"] is not None and entry["threshold"] is not None:
        why += f" ({entry['statistic']:g}, threshold {entry['threshold']:g})"
    if entry["detail"]:
        why += f"\n{entry['detail']}"
    if entry["duplicate_of"]:
        why += f"\n{entry['duplicate_of']} stands for it."
    parts = [DetailPart("Why it was removed", "prose", why), DetailPart("To keep it", "code", str(remedy_of(entry)))]
    if entry["provenance"]:
        parts.append(DetailPart("Path through the stages", "path", _path(entry["provenance"])))
    if entry["statement"]:
        parts.append(DetailPart("Statement", "prose", _cut(entry["statement"], _CHARACTERS)))
    return [*parts, *tests, *programs]


def _path(provenance: Any) -> list[list[str]]:
    steps = []
    for step in provenance or []:
        number = "" if step["statistic"] is None else f"{step['statistic']:.4g}"
        if number and step["threshold"] is not None:
            number += f" (threshold {step['threshold']:.4g})"
        steps.append([step["stage"], step["rule"], step["outcome"], " ".join(filter(None, (number, step["detail"])))])
    return steps


def _programs(directory: Path) -> dict[str, list[Mapping[str, Any]]]:
    """The first solutions of the rows that the page shows."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in _solutions(directory):
        if len(found) >= MOST_KEPT:
            break
        found[row["problem_id"]] = list(row["solutions"][:_PROGRAMS])
    return found


def _solutions(directory: Path) -> Iterator[Mapping[str, Any]]:
    for path in sorted((directory / "solutions").glob("*.parquet")):
        yield from read_shard(path, ["problem_id", "solutions"])


def _cut(text: str | None, most: int) -> str:
    text = text or ""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} characters more)"


def _short(text: str) -> str:
    words = " ".join(text.split(maxsplit=_FIRST_WORDS))
    return words if len(words) <= _FIRST_WORDS else f"{words[:_FIRST_WORDS].rsplit(' ', 1)[0]} …"
