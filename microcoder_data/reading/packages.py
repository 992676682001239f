"""Read problem packages, directories and zips, as records `{"package": Package}`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

from microcoder_data.packages.files import MARKS, MARKS_OF, ZIPS, Package, packages_at, whole
from microcoder_data.reading.parts import MAX_RECORD_BYTES, Record
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.shards import file_sha256


def package_records(path: str, spec: SourceSpec) -> Iterator[Record]:
    """The package at a path, or the packages in the zip there; one that cannot be read is a `Reject`."""
    for package in packages_at(Path(path), package_name(path, spec), MARKS_OF.get(spec.source, MARKS)):
        yield (package.name, {"package": package}) if isinstance(package, Package) else package


def package_name(path: str, spec: SourceSpec) -> str:
    """The name of a package: its path below the fixed part of the pattern that found it.

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


def package_digest(path: str) -> tuple[int, str]:
    """Size and checksum of a package; of a directory, those over the names, sizes and contents of its files."""
    if Path(path).is_file():
        return Path(path).stat().st_size, file_sha256(Path(path))
    digest, size = hashlib.sha256(), 0
    try:
        package = whole(Path(path))
        for name in sorted(package.sizes):
            digest.update(f"{name}\0{package.sizes[name]}\0".encode("utf-8", "surrogateescape"))
            digest.update(package.read(name) if package.sizes[name] <= MAX_RECORD_BYTES else b"")
            size += package.sizes[name]
    except Reject as reject:
        digest.update(str(reject).encode())
    return size, digest.hexdigest()
