"""The version of a piece of the program: a hash of its source files and of all that they import.

    code_version("microcoder_data.conversion", "microcoder_data.sources.taco")

Imports are followed by name: `from microcoder_eval import InputError` leads to the file that defines `InputError`, not
to everything that the package's `__init__` loads. Imports under TYPE_CHECKING are left out; in an `__init__` they say
where a name is defined that is loaded on first use. Modules that are loaded by a name in a string must be passed as
arguments.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

FOLDERS = {name: Path(str(find_spec(name).origin)).parent for name in ("microcoder_eval", "microcoder_data")}  # type: ignore[union-attr]
"""Where each package lies."""
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Where statements are below a statement: expressions, which are most of a file, hold no import."""

_OURS = rb"(?:from|import)[ \t]+(?:" + "|".join(FOLDERS).encode() + rb")\b"
_INDENTED = re.compile(rb"\n[ \t]+" + _OURS)
_DOCSTRING = re.compile(rb'\A[^"]*"""(?:[^"]|"(?!""))*"""')
_AT_THE_MARGIN = re.compile(rb"\n(" + _OURS + rb"[^(\n]*(?:\([^)]*\))?)")
"""These begin with a line end, which makes the search fast."""


def code_version(*modules: str, folders: Mapping[str, Path] = FOLDERS) -> str:
    """The hash of these modules and of every module of this project that they import, directly or not.

    >>> code_version("microcoder_data.schema") == code_version("microcoder_data.schema")
    True
    """
    sources = Sources(folders)
    digest = hashlib.sha256()
    for name, path in sorted(_imported(sources, modules).items()):
        digest.update(f"{name}\0".encode() + sources.read(path) + b"\0")
    return digest.hexdigest()


def imported_files(*modules: str, folders: Mapping[str, Path] = FOLDERS) -> dict[str, Path]:
    """The source file of each of these modules; raises ModuleNotFoundError for one that is not there.

    >>> sorted(imported_files("microcoder_eval.metrics"))
    ['microcoder_eval.metrics']
    """
    return _imported(Sources(folders), modules)


def _imported(sources: Sources, modules: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    to_visit = list(modules)
    while to_visit:
        name = to_visit.pop()
        if name in found:
            continue
        path = sources.file(name)
        if path is None:
            raise ModuleNotFoundError(f"no source file for module {name}", name=name)
        found[name] = path
        for statement in _imports(sources.read(path)):
            to_visit += _targets(statement, sources)
    return found


class Sources:
    """The packages' files. Each is looked up and read once: most modules are imported by many others."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders
        self.file = cache(self._file)
        self.read = cache(Path.read_bytes)

    def _file(self, module: str) -> Path | None:
        """The source file of a module, if there is one."""
        package, *parts = module.split(".")
        place = os.path.join(self._folders[package], *parts)
        found = next((path for path in (f"{place}.py", f"{place}/__init__.py") if os.path.isfile(path)), None)
        return Path(found) if found else None


def _targets(statement: ast.Import | ast.ImportFrom, sources: Sources) -> list[str]:
    """The project's modules that define what a statement imports."""
    if isinstance(statement, ast.Import):
        return [alias.name for alias in statement.names if _is_ours(alias.name)]
    assert statement.module is not None and statement.level == 0  # these packages have no relative imports
    if not _is_ours(statement.module):
        return []
    return [_defining_module(statement.module, alias.name, sources) for alias in statement.names]


def _defining_module(module: str, name: str, sources: Sources) -> str:
    """The module that defines `name` for `from module import name`: a submodule, or what the package imports it
    from."""
    path = sources.file(module)
    if path is not None and path.name != "__init__.py":
        return module
    if sources.file(f"{module}.{name}") is not None:
        return f"{module}.{name}"
    for statement in _imports(sources.read(path), for_types=True) if path is not None else ():
        names = [alias.asname or alias.name for alias in statement.names]
        if isinstance(statement, ast.ImportFrom) and name in names:
            return _defining_module(str(statement.module), name, sources)
    return module


@lru_cache(maxsize=1024)
def _imports(source: bytes, for_types: bool = False) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The statements of a file that import this project's modules, also those inside functions.

    for_types: also those under `if TYPE_CHECKING`."""
    if not _INDENTED.search(source):  # to parse all of a file is slow
        source = b"\n".join(_AT_THE_MARGIN.findall(b"\n" + _DOCSTRING.sub(b"", source)))
    return tuple(_imports_below(ast.parse(source), for_types))


def _imports_below(tree: ast.AST, for_types: bool = False) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements below a node; those under `if TYPE_CHECKING` only for types."""
    for node in (node for block in _BLOCKS for node in getattr(tree, block, ())):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif for_types or not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from _imports_below(node, for_types)


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in FOLDERS
