"""A package's program as one source text that the grader runs: its headers inside, its arguments in a file.

The grader runs a program on standard input and files, without arguments. So a program in C++ is started again by a few
lines in front of it that read them from a file; one in Python finds them in `sys.argv`.
"""

from __future__ import annotations

import posixpath
import re

from microcoder_data.packages.files import Package
from microcoder_data.packages.languages import language_of
from microcoder_data.packages.testlib_programs import QUOTED_INCLUDE
from microcoder_data.rules import Reject
from microcoder_eval.languages import testlib

MOST_BYTES, MOST_HEADERS = 4 << 20, 50
ARGUMENTS = "arguments"
"""The file with the arguments, a zero byte after each."""
_RESTARTED = f"""#include <cstdio>
#include <cstring>
#include <unistd.h>
__attribute__((constructor)) static void start_with_arguments(int count, char** words) {{
    static char text[1 << 16], *given[1 << 12];
    FILE* file = count == 1 ? fopen("{ARGUMENTS}", "r") : nullptr;
    if (!file) return;
    size_t size = fread(text, 1, sizeof text - 1, file), number = 0;
    fclose(file);
    given[number++] = words[0];
    for (char* at = text; at < text + size && number < (1 << 12) - 1; at += strlen(at) + 1) given[number++] = at;
    execv("/proc/self/exe", given);
    _exit(127);
}}
"""
_IN_PYTHON = f"""import sys
try:
    with open("{ARGUMENTS}", encoding="utf-8") as given:
        sys.argv[1:] = given.read().split("\\0")[:-1]
except FileNotFoundError:
    pass
exec(compile({{source!r}}, {{path!r}}, "exec"))
"""


def with_arguments(arguments: tuple[str, ...]) -> dict[str, str | bytes]:
    """The files for a run with these arguments; none without arguments."""
    return {ARGUMENTS: "".join(f"{one}\0" for one in arguments)} if arguments else {}


def in_one_file(package: Package, path: str) -> str:
    """The source of the program at `path`, which takes its arguments from a file; one in C++ with the package's headers
    inside. Raises a `Reject`."""
    if path not in package.sizes:
        raise Reject("no_program", f"{path or 'it'} is not in the package")
    if package.sizes[path] > MOST_BYTES:
        raise Reject("file_too_large", f"{path}: over {MOST_BYTES >> 20} MB")
    language = language_of(path)
    if language == "python":
        return _IN_PYTHON.format(source=package.text(path), path=posixpath.basename(path))
    if language != "cpp":
        return package.text(path)
    return _RESTARTED + _joined(package, path, set(), [])


def _joined(package: Package, path: str, included: set[str], size: list[int]) -> str:
    text = package.text(path)
    size.append(len(text))
    if len(size) > MOST_HEADERS or sum(size) > MOST_BYTES:
        raise Reject("file_too_large", "a program with its headers")

    def header(match: re.Match[str]) -> str:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1]))
        if name in included or match[1] == "bits/stdc++.h":
            return "#include <bits/stdc++.h>" if match[1] == "bits/stdc++.h" else ""
        included.add(name)
        place = next((one for one in (name, f"files/{posixpath.basename(name)}") if one in package.sizes), None)
        if place is not None:
            return _joined(package, place, included, size)
        if posixpath.basename(name) == testlib.NAME and (text := testlib.on_this_machine()):
            return text
        raise Reject("validator_incomplete", f"{path} includes {match[1]}, which is not in the package")

    return QUOTED_INCLUDE.sub(header, text)
