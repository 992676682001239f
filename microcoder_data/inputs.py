"""Records from local files and from `datasets`: jsonl, json, parquet, arrow, csv; gzip or zstd around the text ones.

For the source `kattis` also directories and zips of problem packages: each package is a record {"package": Package}.

A record that cannot be read is yielded as a `Reject` with its place; a file that cannot be read is an `InputError`.
Pickles are never opened.
"""

from __future__ import annotations

import csv
import glob
import gzip
import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from microcoder_data.packages.files import ZIPS, Package, package_paths, packages_at
from microcoder_data.rules import Reject
from microcoder_eval import InputError

FORMATS = ("jsonl", "ndjson", "json", "parquet", "arrow", "csv", "tsv")
COMPRESSIONS = ("gz", "zst", "zstd")
PACKAGE_SOURCES = ("kattis",)
MAX_RECORD_BYTES = 256 << 20
HUB_ROWS = 5_000
BLOCK = 1 << 16
_SEPARATORS = re.compile(r"[\s,]*")

Record = tuple[str, "dict[str, Any] | Reject"]
"""Where it is (`file:line`), and what it is."""


@dataclass(frozen=True)
class SourceSpec:
    """One source of a recipe: which adapter reads what."""

    source: str
    """The adapter's name: taco, apps, code_contests, ... or generic."""
    name: str | None = None
    """What ids and statistics call it; the adapter's name when absent. Two generic sources need two names."""
    path: tuple[str, ...] = ()
    """Files or glob patterns, relative to the working directory; for packages also directories."""
    dataset: str | None = None
    """Instead of `path`: a dataset for `datasets.load_dataset`."""
    config: str | None = None
    """`dataset`: the configuration's name."""
    split: str | None = None
    """The split to load from `dataset`; with `path`, the split that these files are."""
    revision: str | None = None
    """The commit or version of the data; it goes into every row."""
    license: str | None = None
    """Replaces the license that the adapter knows."""
    fields: dict[str, Any] = field(default_factory=dict)
    """`generic`: from column to the place in the record, see docs/datasets.md."""
    join: dict[str, Any] = field(default_factory=dict)
    """Files that the records refer to, by the name that the adapter gives them, see docs/datasets.md."""
    constants: dict[str, Any] = field(default_factory=dict)
    """Columns with the same value in every row, such as `platform: codeforces`."""

    def __post_init__(self) -> None:
        if bool(self.path) == bool(self.dataset):
            raise InputError(f"source {self.source!r}: give either path or dataset")


@dataclass(frozen=True)
class Part:
    """A piece of a source that one worker reads."""

    source: int
    """The position of the source in the recipe."""
    path: str
    layout: str
    """lines, whole, groups, package or hub."""
    start: int = 0
    end: int = 0
    first_line: int = 1


@dataclass(frozen=True)
class Scanned:
    """An input file as the manifest records it, and the parts it is read in."""

    path: str
    bytes: int
    sha256: str
    parts: tuple[Part, ...]


def find_files(spec: SourceSpec, where: str) -> list[str]:
    """The files of a source, sorted; a pattern that matches nothing is an error."""
    found: list[str] = []
    for pattern in spec.path:
        expanded = str(Path(pattern).expanduser())
        matches = sorted(glob.glob(expanded, recursive=True))
        files = [name for name in matches if Path(name).is_file()]
        if spec.source in PACKAGE_SOURCES:
            roots = [Path(name) for name in matches if Path(name).is_dir() or name.lower().endswith(ZIPS)]
            packages = [str(path) for root in roots for path in package_paths(root)]
            if roots and not packages:
                raise InputError(
                    f"{where}: {pattern!r} holds no problem package (a directory with a problem.yaml, or a zip)"
                )
            files = packages or files
        if not files:
            raise InputError(f"{where}: no file matches {pattern!r}")
        found += files
    for name in found:
        if not _is_package(name):
            format_of(name)
    return list(dict.fromkeys(found))


def _is_package(path: str) -> bool:
    return path.lower().endswith(ZIPS) or Path(path).is_dir()


def format_of(path: str) -> tuple[str, str]:
    """The format and the compression that a file's name says.

    >>> format_of("raw/train.jsonl.zst")
    ('jsonl', 'zst')
    """
    suffixes = [suffix[1:].lower() for suffix in Path(path).suffixes]
    compression = suffixes.pop() if suffixes and suffixes[-1] in COMPRESSIONS else ""
    format_name = suffixes[-1] if suffixes else ""
    if format_name in ("pkl", "pickle", "pt", "joblib"):
        raise InputError(f"{path}: pickles are not read, they can run any program; convert it to JSON lines or Parquet")
    if format_name not in FORMATS or (compression and format_name in ("parquet", "arrow")):
        raise InputError(f"{path}: unknown format; known: {', '.join(FORMATS)} (text formats also .gz, .zst)")
    return format_name, compression


def scan(task: tuple[int, str, int]) -> Scanned:
    """Read a file once: its checksum, and where it may be cut into parts of about `part_bytes`."""
    source, path, part_bytes = task
    if _is_package(path):
        size, digest = _package_digest(path)
        return Scanned(path, size, digest, (Part(source, path, "package"),))
    format_name, compression = format_of(path)
    size = Path(path).stat().st_size
    if format_name in ("jsonl", "ndjson") and not compression:
        digest, parts = _scan_lines(source, path, part_bytes)
        return Scanned(path, size, digest, parts)
    digest = _sha256(path)
    if format_name == "parquet":
        return Scanned(path, size, digest, _scan_groups(source, path, part_bytes))
    return Scanned(path, size, digest, (Part(source, path, "whole"),))


def read_part(part: Part, spec: SourceSpec) -> Iterator[Record]:
    """The records of a part, in order."""
    if part.layout == "hub":
        yield from _hub_records(part, spec)
        return
    if part.layout == "package":
        for package in packages_at(Path(part.path), package_name(part.path, spec)):
            yield (package.name, {"package": package}) if isinstance(package, Package) else package
        return
    format_name, compression = format_of(part.path)
    try:
        if part.layout == "lines":
            yield from _lines(part)
        elif part.layout == "groups":
            yield from _parquet_records(part)
        elif format_name == "arrow":
            yield from _arrow_records(part.path)
        else:
            with _open(part.path, compression) as file:
                if format_name in ("csv", "tsv"):
                    yield from _csv_records(part.path, file, "," if format_name == "csv" else "\t")
                elif format_name == "json":
                    yield from _json_records(part.path, file)
                else:
                    yield from _json_lines(part.path, file, 1)
    except (EOFError, gzip.BadGzipFile) as error:
        raise InputError(f"{part.path}: the file is cut short or broken: {error}") from None


def package_name(path: str, spec: SourceSpec) -> str:
    """A package by its place below the fixed part of the pattern that found it, wherever that lies.

    >>> package_name("raw/gcpc/sum.zip", SourceSpec("kattis", path=("raw/*/*.zip",)))
    'gcpc/sum'
    """
    place = Path(path).with_suffix("") if path.lower().endswith(ZIPS) else Path(path)
    for pattern in spec.path:
        fixed = Path(re.split(r"[*?\[]", str(Path(pattern).expanduser()))[0] + "x").parent
        for root in (Path(pattern).expanduser(), fixed):
            if root in place.parents:
                return place.relative_to(root).as_posix()
    return place.name


def _package_digest(path: str) -> tuple[int, str]:
    """Size and checksum of a package; for a directory over the names and contents of its files."""
    if Path(path).is_file():
        return Path(path).stat().st_size, _sha256(path)
    digest, size = hashlib.sha256(), 0
    for package in packages_at(Path(path), ""):
        if isinstance(package, Package):
            for name in sorted(package.sizes):
                digest.update(f"{name}\0{package.sizes[name]}\0".encode("utf-8", "surrogateescape"))
                digest.update(package.read(name) if package.sizes[name] <= MAX_RECORD_BYTES else b"")
                size += package.sizes[name]
        else:
            digest.update(str(package[1]).encode())
    return size, digest.hexdigest()


def hub_parts(source: int, spec: SourceSpec) -> Scanned:
    """A dataset of the hub (or any that `datasets.load_dataset` can load) as parts."""
    dataset = _load_dataset(spec)
    cuts = range(0, len(dataset), HUB_ROWS)
    name = str(spec.dataset)
    parts = tuple(Part(source, name, "hub", cut, min(cut + HUB_ROWS, len(dataset)), cut + 1) for cut in cuts)
    return Scanned(name, 0, str(spec.revision or dataset._fingerprint), parts)


def _load_dataset(spec: SourceSpec) -> Any:
    import datasets

    try:
        return datasets.load_dataset(
            str(spec.dataset), spec.config, split=spec.split or "train", revision=spec.revision
        )
    except (ValueError, OSError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        first_line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"dataset {spec.dataset!r} cannot be loaded: {first_line}") from None


def _hub_records(part: Part, spec: SourceSpec) -> Iterator[Record]:
    dataset = _load_dataset(spec)
    for index in range(part.start, part.end):
        yield f"{part.path}:{index + 1}", dataset[index]


def _scan_lines(source: int, path: str, part_bytes: int) -> tuple[str, tuple[Part, ...]]:
    """Cut at the first line end after each `part_bytes`; count lines on the way, so that every part knows its own."""
    digest = hashlib.sha256()
    parts: list[Part] = []
    start = position = 0
    first_line = line = 1
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            cut = -1
            if position + len(block) - start >= part_bytes:
                cut = block.find(b"\n", max(0, start + part_bytes - position - 1))
            if cut >= 0:
                line_at_cut = line + block.count(b"\n", 0, cut + 1)
                parts.append(Part(source, path, "lines", start, position + cut + 1, first_line))
                start, first_line = position + cut + 1, line_at_cut
            line += block.count(b"\n")
            position += len(block)
    if position > start:
        parts.append(Part(source, path, "lines", start, position, first_line))
    return digest.hexdigest(), tuple(parts)


def _scan_groups(source: int, path: str, part_bytes: int) -> tuple[Part, ...]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a readable Parquet file: {str(error).splitlines()[0]}") from None
    parts: list[Part] = []
    start = rows = part_rows = size = 0
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        size += group.total_byte_size
        part_rows += group.num_rows
        if size >= part_bytes or index == metadata.num_row_groups - 1:
            parts.append(Part(source, path, "groups", start, index + 1, rows + 1))
            rows += part_rows
            start, size, part_rows = index + 1, 0, 0
    return tuple(parts)


def _parquet_records(part: Part) -> Iterator[Record]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    line = part.first_line
    name = Path(part.path).name
    try:
        with pq.ParquetFile(part.path) as file:
            for batch in file.iter_batches(batch_size=64, row_groups=range(part.start, part.end)):
                for record in batch.to_pylist():
                    yield f"{name}:{line}", record
                    line += 1
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{part.path}: broken Parquet file near row {line}: {str(error).splitlines()[0]}") from None


def _arrow_records(path: str) -> Iterator[Record]:
    import pyarrow as pa

    line = 1
    name = Path(path).name
    try:
        with pa.memory_map(path) as file:
            try:
                reader = pa.ipc.open_file(file)
                batches = (reader.get_batch(index) for index in range(reader.num_record_batches))
            except pa.ArrowInvalid:
                file.seek(0)
                batches = iter(pa.ipc.open_stream(file))
            for batch in batches:
                for start in range(0, batch.num_rows, 64):
                    for record in batch.slice(start, 64).to_pylist():
                        yield f"{name}:{line}", record
                        line += 1
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: broken Arrow file near row {line}: {str(error).splitlines()[0]}") from None


def _lines(part: Part) -> Iterator[Record]:
    with open(part.path, "rb") as file:
        file.seek(part.start)
        yield from _json_lines(part.path, file, part.first_line, part.end - part.start)


def _json_lines(path: str, file: IO[bytes], first_line: int, limit: int | None = None) -> Iterator[Record]:
    name = Path(path).name
    line, consumed = first_line, 0
    while limit is None or consumed < limit:
        text = file.readline(MAX_RECORD_BYTES + 1)
        if not text:
            return
        consumed += len(text)
        if len(text) > MAX_RECORD_BYTES:
            while text and not text.endswith(b"\n"):
                text = file.readline(MAX_RECORD_BYTES)
                consumed += len(text)
            yield f"{name}:{line}", Reject("record_too_large", f"over {MAX_RECORD_BYTES >> 20} MB")
        elif text.strip(b" \t\r\n\xef\xbb\xbf"):
            yield f"{name}:{line}", _parse(text)
        line += 1


def _parse(text: bytes) -> dict[str, Any] | Reject:
    try:
        record = json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Reject("invalid_utf8", f"byte {error.start}: {error.reason}")
    except (ValueError, RecursionError) as error:
        return Reject("broken_json", str(error))
    return record if isinstance(record, dict) else Reject("not_an_object", f"a {type(record).__name__}")


def _json_records(path: str, file: IO[bytes]) -> Iterator[Record]:
    """A JSON file is an array of objects (read piece by piece), or JSON lines, or one object that holds the array."""
    head = file.read(1 << 16)
    opening = head.lstrip(b" \t\r\n\xef\xbb\xbf")[:1]
    stream = io.BufferedReader(_Rejoined(head, file))
    if opening == b"[":
        yield from _array_records(path, stream)
        return
    first_line = head.lstrip().split(b"\n", 1)[0]
    if not isinstance(_parse(first_line), Reject):
        yield from _json_lines(path, stream, 1)
        return
    record = _parse(stream.read())
    if isinstance(record, Reject):
        raise InputError(f"{path}: not JSON: {record.detail}")
    lists = [value for value in record.values() if isinstance(value, list)]
    records = lists[0] if len(lists) == 1 and all(isinstance(item, dict) for item in lists[0]) else [record]
    for index, item in enumerate(records, 1):
        yield f"{Path(path).name}:{index}", item


def _array_records(path: str, stream: IO[bytes]) -> Iterator[Record]:
    """The objects of a JSON array without holding the array: each is decoded as soon as it is complete."""
    name, decoder, index = Path(path).name, json.JSONDecoder(), 1
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape")
    buffer, block = text.read(BLOCK), BLOCK
    position = buffer.index("[") + 1
    problem = ""
    while True:
        position = _SEPARATORS.match(buffer, position).end()  # type: ignore[union-attr]
        if buffer.startswith("]", position):
            return
        try:
            record, end = decoder.raw_decode(buffer, position)
            complete = end < len(buffer)  # a number that ends the buffer may go on in the next block
        except ValueError as error:
            complete, problem = False, str(error)
        if complete:
            kind = type(record).__name__
            yield f"{name}:{index}", record if isinstance(record, dict) else Reject("not_an_object", f"a {kind}")
            position, block, index = end, BLOCK, index + 1
            continue
        more = text.read(block)
        if not more:
            raise InputError(f"{path}: broken JSON in element {index}: {problem or 'the array does not end'}")
        buffer, position = buffer[position:] + more, 0
        block = min(2 * block, 64 << 20)  # doubling keeps a long element linear


class _Rejoined(io.RawIOBase):
    """A stream whose beginning was already read."""

    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(block) :]
        buffer[: len(block)] = block
        return len(block)


def _csv_records(path: str, file: IO[bytes], delimiter: str) -> Iterator[Record]:
    csv.field_size_limit(MAX_RECORD_BYTES)
    name = Path(path).name
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.DictReader((line.replace("\0", "\ufffd") for line in text), delimiter=delimiter)
    try:
        for record in reader:
            place = f"{name}:{reader.line_num}"
            if None in record or None in record.values():
                yield place, Reject("broken_csv", f"{len(reader.fieldnames or [])} columns expected")
            else:
                yield place, dict(record)
    except csv.Error as error:
        raise InputError(f"{path}: broken CSV near line {reader.line_num}: {error}") from None


def _open(path: str, compression: str) -> IO[bytes]:
    if compression == "gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    if compression in ("zst", "zstd"):
        import zstandard

        compressed = open(path, "rb")  # noqa: SIM115 - the reader closes it
        raw = zstandard.ZstdDecompressor().stream_reader(compressed, closefd=True, read_across_frames=True)
        return io.BufferedReader(_Zstd(raw, path))
    return open(path, "rb")


class _Zstd(io.RawIOBase):
    """A zstd stream that says so when it is broken."""

    def __init__(self, raw: Any, path: str) -> None:
        self._raw, self._path = raw, path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        import zstandard

        try:
            count: int = self._raw.readinto(buffer)
        except zstandard.ZstdError as error:
            raise InputError(f"{self._path}: the file is cut short or broken: {error}") from None
        return count


def _sha256(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
