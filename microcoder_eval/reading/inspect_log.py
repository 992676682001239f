"""The samples of a log that Inspect has written: a zip archive with a file for each sample, or one JSON file.

    for place, sample in inspect_samples(Path("log.eval")): ...

Inspect compresses the files of its archives with Zstandard. The package `zstandard` reads them within bounds, which
Python's zipfile does not. What a sample means is read in `harness_files`.
"""

from __future__ import annotations

import json
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.install_line import install_line
from microcoder_eval.plain_files import check_is_file, read_plain
from microcoder_eval.record_schema import shown

ZSTANDARD = 93
"""The number of the compression method in a zip archive."""
LOCAL_HEADER_BYTES = 30
LONGEST_SAMPLE = 1 << 28
"""The most bytes of a sample. The sizes that an archive states are not trusted."""
_IS_SAMPLE = re.compile(r"samples/.*\.json", re.DOTALL)
_DAMAGED = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(NotImplementedError, RuntimeError, EOFError, OSError, ValueError, IndexError),
)
"""What `zipfile` raises for an archive that is damaged, encrypted, or packed in a way that it does not know."""


def inspect_samples(path: Path) -> Iterator[tuple[str, Mapping[str, Any] | str]]:
    """Each sample with its place; in place of one that cannot be read there is the reason.

    Raises `InputError` for a file that is no log.
    """
    check_is_file(path)
    if not zipfile.is_zipfile(path):
        log = parsed(read_plain(path), path.name)
        samples = log.get("samples") if isinstance(log, Mapping) else None
        if not isinstance(samples, list):
            raise InputError(f"{path}: is not a log of Inspect")
        yield from ((f"{path.name}: sample {number}", _sample(sample)) for number, sample in enumerate(samples))
        return
    try:
        with zipfile.ZipFile(path) as archive:
            for name in sorted(each for each in archive.namelist() if _IS_SAMPLE.fullmatch(each)):
                yield f"{path.name}: {name}", _zipped_sample(archive, name, path)
    except _DAMAGED as error:
        raise InputError(f"{path}: {error}") from None


def _zipped_sample(archive: zipfile.ZipFile, name: str, path: Path) -> Mapping[str, Any] | str:
    try:
        content = _content(archive, archive.getinfo(name), path)
    except _DAMAGED as error:
        return f"damaged: {error}"
    if len(content) > LONGEST_SAMPLE:
        return f"larger than {LONGEST_SAMPLE >> 20} MiB"
    try:
        return _sample(json.loads(content))
    except (ValueError, RecursionError) as error:
        return f"not JSON: {str(error)[:200]}"


def _sample(value: Any) -> Mapping[str, Any] | str:
    return value if isinstance(value, Mapping) else f"a sample is an object, found {shown(value)}"


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    """The file's content, or its beginning when it is longer than a sample may be."""
    if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with archive.open(info) as member:
            return member.read(LONGEST_SAMPLE + 1)
    if info.compress_type != ZSTANDARD:  # `zipfile` would take the memory that the content needs
        raise zipfile.BadZipFile(f"it is packed with method {info.compress_type}; Inspect uses Zstandard or Deflate")
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
        packed = file.read(min(info.compress_size, LONGEST_SAMPLE))
    reader = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    try:
        content = reader.read(min(info.file_size, LONGEST_SAMPLE) + 1)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from None
    if len(content) > LONGEST_SAMPLE:
        return bytes(content)
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile("its content is damaged")
    return bytes(content)


def parsed(content: bytes, name: str) -> Any:
    """The JSON of a file; raises `InputError` when it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not JSON: {str(error)[:200]}") from None
