"""Find the files of a source, and the format of a file by its name."""

from __future__ import annotations

import glob
from pathlib import Path

from microcoder_data.packages.files import MARKS, MARKS_OF, ZIPS, package_paths
from microcoder_data.reading.specification import SourceSpec
from microcoder_eval import InputError
from microcoder_eval.reading.compressed import bare_name
from microcoder_eval.reading.other_forms import refuse_other_forms

FORMATS = ("jsonl", "ndjson", "json", "yaml", "yml", "parquet", "arrow", "csv", "tsv")
PACKAGE_SOURCES = ("kattis", "polygon", *MARKS_OF)


def find_files(spec: SourceSpec, where: str) -> list[str]:
    """The files of a source, sorted; a pattern that matches nothing is an error."""
    found: list[str] = []
    for pattern in spec.path:
        expanded = str(Path(pattern).expanduser())
        matches = sorted(glob.glob(expanded, recursive=True))
        files = [name for name in matches if Path(name).is_file()]
        if spec.source in PACKAGE_SOURCES:
            roots = [Path(name) for name in matches if Path(name).is_dir() or name.lower().endswith(ZIPS)]
            marks = MARKS_OF.get(spec.source, MARKS)
            packages = [str(path) for root in roots for path in package_paths(root, marks)]
            if roots and not packages:
                what = " or ".join(marks) or "tests"
                raise InputError(f"{where}: {pattern!r} holds no problem package (a directory with {what}, or a zip)")
            files = packages or files
        if not files:
            raise InputError(f"{where}: no file matches {pattern!r}")
        found += files
    for name in found:
        if not is_package(name):
            format_of(name)
    return list(dict.fromkeys(found))


def is_package(path: str) -> bool:
    """Whether a path is a problem package: a directory or a zip."""
    return path.lower().endswith(ZIPS) or Path(path).is_dir()


def format_of(path: str) -> str:
    """A file's format, by its name without the ending of its compression.

    >>> format_of("raw/train.jsonl.zst")
    'jsonl'
    """
    name = bare_name(Path(path))
    format_name = name.rpartition(".")[2]
    if format_name not in FORMATS or (name != Path(path).name.lower() and format_name in ("parquet", "arrow")):
        refuse_other_forms(Path(path))
        known = ", ".join(FORMATS)
        raise InputError(f"{path}: unknown format; known: {known} (text formats also .gz, .bz2, .xz, .zst)")
    return format_name
