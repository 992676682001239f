"""Compare a finished dataset with the publishers' files: what each row lost, by rule and source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from microcoder_data.config import from_mapping
from microcoder_data.fidelity.loss import Loss, loses_any
from microcoder_data.fidelity.measure import blamed, replayed
from microcoder_data.process import Process
from microcoder_data.reading.records import read_part
from microcoder_data.reading.scanning import scan_whole
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.report.dataset import dropped, load_manifest, rows
from microcoder_data.rules import Reject, rules_of
from microcoder_data.schema import Row
from microcoder_data.sources import adapter
from microcoder_eval import InputError


class Lost(NamedTuple):
    """What one row lost."""

    source: str
    rules: tuple[str, ...]
    """The rules that lost it; empty for a later stage."""
    problem_id: str
    outcome: str
    """marked or dropped."""
    share: float
    detail: str


def compared_with(raw: Sequence[Path], directory: Path) -> tuple[int, list[Lost]]:
    """How many rows of the dataset were found in the raw files, and what they lost, the largest loss first."""
    manifest = load_manifest(directory)
    process = rules_of(from_mapping(Process, _as_in_recipe(manifest["config"]["process"]), "process"))
    published = {row["location"]: row for row in rows(directory)}
    dropped_rows = {row["location"]: row for row in dropped(directory) if row["reason"] == "text_lost"}
    count, lost = 0, []
    for location, before in _collected(raw, manifest):
        if entry := dropped_rows.get(location):
            rules, share = tuple(entry["names"]), entry["statistic"] or 0.0
            detail = (entry["detail"] or "").removeprefix(f"{', '.join(rules)}: ")
            lost.append(Lost(entry["source"], rules, entry["problem_id"], "dropped", share, detail))
        row = published.get(location)
        count += row is not None or entry is not None
        if row is None or row["translator"]:
            continue
        if loses_any(before, row):
            loss, rules = blamed(before, row, replayed(before, process))
            if loss.findings:
                lost.append(_lost(row, rules, loss))
    if not count:
        raise InputError(f"no row of {directory} comes from these files: are they the files that it was built from?")
    return count, sorted(lost, key=lambda one: -one.share)


def _lost(row: Row, rules: tuple[str, ...], loss: Loss) -> Lost:
    return Lost(row["source"], rules, row["problem_id"], "marked", loss.share, str(loss))


def _collected(raw: Sequence[Path], manifest: dict[str, Any]) -> Iterator[tuple[str, Row]]:
    """The location of each record, and the row that its adapter makes of it."""
    specs = [from_mapping(SourceSpec, mapping, "sources") for mapping in manifest["config"]["sources"]]
    named = {spec.name or spec.source: spec for spec in specs}
    source_of = {item["file"]: item["source"] for item in manifest["inputs"]}
    for path in raw:
        spec = named.get(source_of.get(path.name) or "")
        if spec is None:
            raise InputError(f"{path}: the dataset was built from no file of this name")
        to_row = adapter(spec.source)
        for part in scan_whole(str(path)).parts:
            for location, record in read_part(part, spec):
                if isinstance(record, Reject):
                    continue
                try:
                    yield location, to_row(record, spec)
                except Reject:
                    continue


def _as_in_recipe(settings: dict[str, Any]) -> dict[str, Any]:
    """The manifest's settings as a recipe writes them: `false` for a rule that was switched off."""
    return {name: False if value is None else value for name, value in settings.items()}
