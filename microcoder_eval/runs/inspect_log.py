"""The samples of a log that Inspect has written: a zip archive with a file each, or one JSON file.

    for place, sample in inspect_samples(Path("log.eval")): ...

Inspect compresses the files of its archives with Zstandard. Python's zipfile reads that from 3.14 on; before, it takes
the package `zstandard`. Nothing here says what a sample means.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.install_line import install_line

ZSTANDARD = 93
"""The number of the compression method in a zip archive."""
LOCAL_HEADER_BYTES = 30


def inspect_samples(path: Path) -> Iterator[tuple[str, Any]]:
    """Where each sample stands, and the sample; raises `InputError` for a file that is no log."""
    if not zipfile.is_zipfile(path):
        log = parsed(path.read_bytes(), path.name)
        samples = log.get("samples") if isinstance(log, Mapping) else None
        if not isinstance(samples, list):
            raise InputError(f"{path}: is not a log of Inspect")
        yield from ((f"{path.name}: sample {number}", sample) for number, sample in enumerate(samples))
        return
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(
                name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")
            )
            for name in names:
                content = _content(archive, archive.getinfo(name), path)
                yield f"{path.name}: {name}", parsed(content, f"{path.name}: {name}")
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is damaged, or is no log of Inspect: {error}") from None


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    if info.compress_type != ZSTANDARD or hasattr(zipfile, "ZIP_ZSTANDARD"):
        return archive.read(info)
    try:
        import zstandard
    except ImportError:
        raise InputError(f"{path}: is compressed with Zstandard: {install_line('data')}") from None
    with path.open("rb") as file:
        file.seek(info.header_offset)
        header = file.read(LOCAL_HEADER_BYTES)
        if len(header) < LOCAL_HEADER_BYTES or header[:4] != b"PK\3\4":
            raise zipfile.BadZipFile("its header is damaged")
        lengths = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        file.seek(lengths, 1)
        packed = file.read(info.compress_size)
    reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    try:
        content = reader.read(info.file_size + 1)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from None
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile("its content is damaged")
    return bytes(content)


def parsed(content: bytes, name: str) -> Any:
    """The JSON of a file; raises `InputError` when it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not JSON: {str(error)[:200]}") from None
