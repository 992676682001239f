"""Which names in a test program mean names of the program under test.

A name that the tests neither define nor import is the program's, and so is the module that they call `solution`.
Names of builtins and of a few modules keep their usual meaning even if the program defines them: otherwise the program
could put its own `abs` or `isclose` into `assert abs(f(x) - 3.14) < 1e-6`. Such a name is the program's only where the
program has to define it: it is the `entry_point`, or the tests neither use nor import any other name of a program.
"""

from __future__ import annotations

import ast
import builtins
import collections
import importlib
import importlib.util
import math
import sys
import typing
from typing import Any

from microcoder_eval.sandbox.asserts import pytest_subset
from microcoder_eval.sandbox.asserts.evaluated import are_harmless, refuse_doctests
from microcoder_eval.sandbox.asserts.replaced import ProgramNames, refuse_what_does_not_reach
from microcoder_eval.sandbox.asserts.tests_side import Tests

PROGRAM_MODULES = ("solution", "main", "program", "submission")
KNOWN = (builtins, math, typing, collections)
ALIASES = {"np": "numpy", "numpy": "numpy", "pd": "pandas", "pandas": "pandas", "pytest": "pytest"}
INSTRUMENTS = {"Mock": "unittest.mock", "MagicMock": "unittest.mock", "AsyncMock": "unittest.mock", "StringIO": "io"}
"""Classes by which tests observe a program: they are never the program's."""
DISTINCT = {"Decimal": "decimal", "deepcopy": "copy", "timedelta": "datetime", "approx": "pytest",
            "reduce": "functools", "cmp_to_key": "functools", "permutations": "itertools", "combinations": "itertools",
            "combinations_with_replacement": "itertools", "zip_longest": "itertools", "islice": "itertools",
            "itemgetter": "operator", "attrgetter": "operator",
            "assert_allclose": "numpy.testing", "assert_array_equal": "numpy.testing",
            "assert_array_almost_equal": "numpy.testing", "assert_frame_equal": "pandas.testing",
            "assert_series_equal": "pandas.testing", **INSTRUMENTS}  # fmt: skip
"""Names of other modules that tests use without importing them, and that a problem hardly asks to define."""


class MissingName(AttributeError):
    """The program does not define a name that the tests use."""


class ProgramModule(ProgramNames):
    """The program as a module that the tests import."""

    def __init__(self, name: str, peer: Tests, exported: list[str]) -> None:
        """`exported`: the names that `from NAME import *` gives."""
        super().__init__(name)
        self.__dict__.update(__all__=exported, __getattr__=lambda name: _from_program(self.__name__, peer, name))
        self.__dict__["@peer"] = peer

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["@peer"].ask("replace", name, value)

    def __delattr__(self, name: str) -> None:
        """Give a name the value again that it had before the tests replaced it, as `unittest.mock.patch` expects."""
        self.__dict__["@peer"].ask("replace", name)


class FreeNames:
    """The free names of a test program."""

    def __init__(
        self, tree: ast.Module, entry_point: str | None, peer: Tests, unlike_builtins: frozenset[str] = frozenset()
    ) -> None:
        """`unlike_builtins`: classes that no builtin can be (`class_names.py`)."""
        self._tree, self._peer = tree, peer
        self._entry = (entry_point or "").replace("()", "").partition(".")[0]
        self._read, stored, self._with_attributes = names_of(tree)
        self._free = [name for name in self._read if name not in stored]
        self._stored = stored
        self._unlike_builtins = unlike_builtins
        self._imports_names = False
        """Whether the tests import a name of the program, or its module."""
        self._defined = {name for statement in tree.body for name in _defined_by(statement)}

    def put_into(self, main: dict[str, Any], class_names: frozenset[str] = frozenset()) -> None:
        """Define the free names in `main`, and make the program importable. Classes in `class_names` are trusted."""
        sys.modules["pytest"] = pytest_subset.module()
        self._make_importable()
        self._peer.trust(class_names - self._names_from_elsewhere())
        refuse_what_does_not_reach(self._tree)
        if any(module == "doctest" for module, _ in imports(self._tree)):
            refuse_doctests()
        for name in self._read:
            if name in self._defined:
                continue
            if self._is_of_program(name):
                main[name] = _from_program("solution", self._peer, name)
            elif name not in vars(builtins):
                usual = _usual_meaning(name)
                if usual is not None:
                    main[name] = _with_the_attributes(name, usual, self._tree)
        if self._entry and "candidate" in self._free and "candidate" not in self._peer.names:
            main["candidate"] = self._peer.named("entry point", self._entry)

    def _names_from_elsewhere(self) -> set[str]:
        """FreeNames that the tests define, or import from another module than the program."""
        found = {node.name for node in ast.walk(self._tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        for module, wanted in imports(self._tree):
            if not isinstance(sys.modules.get(module), ProgramModule):
                found |= wanted
        return found | (INSTRUMENTS.keys() - {self._entry})

    def _is_of_program(self, name: str) -> bool:
        if name not in self._peer.names or name.startswith("__"):
            return False
        if name == self._entry:
            return True
        if not self._has_usual_meaning(name) or name in self._unlike_builtins - INSTRUMENTS.keys():
            return True
        return self._names_no_others()

    def _names_no_others(self) -> bool:
        """Whether the tests name nothing of a program but, perhaps, what has a usual meaning."""
        names_others = self._entry or self._imports_names or {"eval", "exec"} & set(self._free)
        return not names_others and all(map(self._has_usual_meaning, self._free))

    def not_defined(self) -> str:
        """The names that the tests have tested Python itself by, because the program defines none of them; or empty."""
        if self._names_no_others() and not any(name in self._peer.names for name in self._free):
            return ", ".join(self._free)
        return ""

    def _has_usual_meaning(self, name: str) -> bool:
        if name in self._with_attributes and (name in ALIASES or name in sys.stdlib_module_names):
            return True
        return name in DISTINCT or any(name in vars(module) for module in KNOWN)

    def _exported(self) -> list[str]:
        """The program's own names for `import *`: not those that the tests define, import, or use as Python's own."""
        own = [name for name, origin in self._peer.names.items() if not origin and not name.startswith("_")]
        return [name for name in own if name not in self._stored and self._is_of_program(name)]

    def _make_importable(self) -> None:
        """Import the program under the names of missing modules that can only mean the program."""
        missing = [(name, wanted) for name, wanted in imports(self._tree) if _is_missing_here(name)]
        of_program = {name for name, wanted in missing if name in PROGRAM_MODULES or self._entry in wanted}
        if not of_program and not self._uses_a_global_name() and _may_be_one_module(missing):
            of_program = {name for name, _ in missing}
        self._imports_names = any(name in of_program and wanted != {"*"} for name, wanted in imports(self._tree))
        exported = self._exported()
        # under no other name: otherwise a program could define what the tests use of a library that is missing here
        for name in of_program:
            sys.modules[name] = ProgramModule(name, self._peer, exported)

    def _uses_a_global_name(self) -> bool:
        """Whether the tests use a name of the program without importing it, whatever this program defines."""
        if self._entry and {"candidate", self._entry} & set(self._read):
            return True
        return not all(map(self._has_usual_meaning, self._free))


def _may_be_one_module(missing: list[tuple[str, set[str]]]) -> bool:
    """Whether missing modules may be one: there is only one name, or the same names are imported from each."""
    names, wanted = {name for name, _ in missing}, {frozenset(found) for _, found in missing}
    return len(names) == 1 or len(wanted) == 1


def _is_missing_here(module: str) -> bool:
    return not (
        module in sys.modules or module in sys.stdlib_module_names or importlib.util.find_spec(module) is not None
    )


def _from_program(module: str, peer: Tests, name: str) -> Any:
    if name not in peer.names:
        raise MissingName(f"module {module!r} has no attribute {name!r}")
    origin = peer.names[name]
    is_imported = origin in ("math", "typing", "collections") or (origin and origin == _module_of(name))
    found = _usual_meaning(name) if is_imported else None
    if found is not None:
        return found
    value = peer.named("global", name)
    if name == "__annotations__" and not are_harmless(value, peer.names):
        raise MissingName(f"{name} of module {module!r}")
    return value


def _usual_meaning(name: str) -> Any:
    """What a name of a known module means without the program; None for any other name."""
    module = _module_of(name) or DISTINCT.get(name)
    if module:
        found = importlib.import_module(module)
        return getattr(found, name) if name in DISTINCT else found
    return next((vars(module)[name] for module in KNOWN[1:] if name in vars(module)), None)


def _with_the_attributes(name: str, usual: Any, tests: ast.Module) -> Any:
    """A module, or its member of the same name where only that has what the tests read: `datetime.now()`."""
    read = {node.attr for node in ast.walk(tests) if isinstance(node, ast.Attribute) and _is_name(node.value, name)}
    member = getattr(usual, name) if name in dir(usual) else None  # a module may refuse names that it does not have
    if member is None or all(hasattr(usual, attribute) for attribute in read):
        return usual
    return member if all(hasattr(member, attribute) for attribute in read) else usual


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _module_of(name: str) -> str:
    return ALIASES.get(name, name if name in sys.stdlib_module_names else "")


def names_of(tree: ast.Module) -> tuple[list[str], set[str], set[str]]:
    """Names that are read, in order; names that are assigned or defined; names of which only attributes are read."""
    read: dict[str, None] = {}
    stored: set[str] = set()
    bases: set[int] = set()
    plain: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            bases.add(id(node.value))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read[node.id] = None
            if id(node) not in bases:
                plain.add(node.id)
        elif isinstance(node, ast.Name):
            stored.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            stored.add(node.name)
        elif isinstance(node, ast.alias):
            stored.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.arg):
            stored.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            stored.add(node.name)
    return list(read), stored, set(read) - plain


def _defined_by(statement: ast.stmt) -> list[str]:
    """The names that a top-level statement defines in the module."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    inner = [node for node in ast.iter_child_nodes(statement) if isinstance(node, ast.stmt)]
    return sorted(names_of(ast.Module([statement], []))[1]) if not inner else [n for s in inner for n in _defined_by(s)]


def imports(tree: ast.Module) -> list[tuple[str, set[str]]]:
    """The modules that are imported, each with the names that are imported from it."""
    found: list[tuple[str, set[str]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name.partition(".")[0], set()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node.module.partition(".")[0], {alias.name for alias in node.names}))
    return found
