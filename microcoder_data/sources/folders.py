"""A user's own problems, each in a folder with its statement, tests and programs, as `problem_folder` reads them.

A folder that cannot be read is rejected. Tests' files without a partner are named in `provenance`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from microcoder_data.packages.files import Package
from microcoder_data.packages.gradable import refuse_ungradable
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject, marked, step
from microcoder_data.schema import Row
from microcoder_data.sources import generic
from microcoder_eval import InputError
from microcoder_eval.reading.problem_folder import folder_record


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    package = record.get("package")
    if not isinstance(package, Package):
        raise Reject("not_a_package", "the record is no folder")
    try:
        found = folder_record(package.name, package.sizes, package.read)
    except InputError as error:
        raise Reject("broken_folder", str(error)) from None
    row = generic.to_row(found, replace(spec, fields={}))
    row["source"] = "folders"
    row["title"] = row["title"] or package.name.rpartition("/")[2]
    if unpaired := found.get("unpaired"):
        row["provenance"] = [
            step("collect", "folder_v1", marked(f"tests without a partner: {', '.join(unpaired)[:200]}"))
        ]
    refuse_ungradable(row)
    return row
