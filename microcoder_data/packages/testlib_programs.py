"""A checker or interactor of a package that follows testlib's conventions, with the files that it includes."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from microcoder_data.packages.files import Package
from microcoder_data.packages.languages import language_of
from microcoder_data.rules import Reject
from microcoder_data.schema import new_checker

QUOTED_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PROVIDED_HEADERS = {"testlib.h", "bits/stdc++.h"}
"""Headers that the judge provides, so packages need not hold them."""


def testlib_program(package: Package, path: str) -> dict[str, Any]:
    """The column `checker` or `interactor` for the program at `path`; raises a Reject when it cannot be used.

    Its arguments are the files of input, output and answer; exit status 0 accepts.
    """
    if path not in package.sizes:
        raise Reject("no_checker", f"{path} is not in the package")
    if language_of(path) != "cpp":
        raise Reject("unknown_checker", f"{path} is no program in C++")
    code, files = package.text(path), []
    for included in sorted(set(QUOTED_INCLUDE.findall(code)) - PROVIDED_HEADERS):
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), included))
        if name not in package.sizes:
            raise Reject("validator_incomplete", f"{path} includes {included}, which is not in the package")
        files.append({"name": posixpath.basename(included), "text": package.text(name)})
    return new_checker("cpp", style="testlib", code=code, files=files)
