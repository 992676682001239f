"""The input files of a build: scanned once, remembered in `work/inputs.json`, and divided among tasks."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

from microcoder_data.pipeline.running import Running, read_json
from microcoder_data.reading.files import find_files
from microcoder_data.reading.hub import hub_parts
from microcoder_data.reading.parts import Part, Scanned
from microcoder_data.reading.scanning import WHOLE, ToScan, scan
from microcoder_data.shards import file_sha256
from microcoder_eval.atomic import write_json


def scan_inputs(running: Running) -> list[Scanned]:
    """All input files with their parts, in the order of the recipe. Files that have not changed are not read again."""
    known = {**(running.base.inputs() if running.base else {}), **read_json(running.work / "inputs.json", {})}
    found: list[Scanned] = []
    remembered: dict[str, Any] = {}
    files: list[ToScan] = []
    for position, spec in enumerate(running.recipe.sources):
        if spec.dataset:
            found.append(hub_parts(position, spec))
            continue
        paths = find_files(spec, f"sources[{position}]")
        part_bytes = WHOLE if spec.one_test_a_record else running.recipe.part_bytes
        files += [ToScan(position, path, part_bytes) for path in paths]
    fresh = []
    for file in files:
        stamp = [*_stamp(file.path), *file]
        name = _remembered_as(file.source, file.path)
        remembered[name] = {"stamp": stamp}
        if known.get(name, {}).get("stamp") == stamp:
            fields = known[name]["scanned"]
            found.append(Scanned(**{**fields, "parts": tuple(Part(**part) for part in fields["parts"])}))
        else:
            fresh.append(file)
    for _, scanned in running.engine.map(scan, fresh):
        found.append(scanned)
    for scanned in found:
        for position in {part.source for part in scanned.parts}:
            if (name := _remembered_as(position, scanned.path)) in remembered:
                remembered[name]["scanned"] = dataclasses.asdict(scanned)
    write_json(running.work / "inputs.json", {name: one for name, one in remembered.items() if "scanned" in one})
    order = {(file.source, file.path): number for number, file in enumerate(files)}
    return sorted(found, key=lambda item: order.get((item.parts[0].source if item.parts else 0, item.path), -1))


def _remembered_as(source: int, path: str) -> str:
    return f"{source}:{path}"


def cut_into_tasks(parts: list[tuple[Part, Scanned]], part_bytes: int, whole: bool) -> list[list[tuple[Part, Scanned]]]:
    """What each task reads: one part, several small packages, or (`whole`) all parts of a source."""
    groups: list[list[tuple[Part, Scanned]]] = []
    size = 0
    for part, item in parts:
        fits = whole or (part.layout == "package" and size + item.bytes <= part_bytes)
        if groups and fits:
            groups[-1].append((part, item))
        else:
            groups.append([(part, item)])
            size = 0
        size += item.bytes
    return groups


def size_and_checksum(path: str) -> tuple[int, str]:
    return os.stat(path).st_size, file_sha256(Path(path))


def _stamp(path: str) -> list[int]:
    """Size and modification time of a file, or of all files in a directory: another stamp means another content."""
    status = os.stat(path)
    if not os.path.isdir(path):
        return [status.st_size, status.st_mtime_ns]
    stamps = [os.lstat(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names]
    return [len(stamps), sum(one.st_size for one in stamps), max((one.st_mtime_ns for one in stamps), default=0)]
