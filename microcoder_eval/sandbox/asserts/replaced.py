"""What tests may replace for the program: names of the program, streams, arguments, and a few builtin functions.

`settings.py` hands over what is replaced in `builtins` and `sys`; a name of the program is replaced in its process.
Anything else that is replaced in the tests' process would not reach the program, so it raises `Unsupported`.
"""

from __future__ import annotations

import ast
import importlib
import os
from types import ModuleType
from typing import Any

from microcoder_eval.sandbox.asserts.proxies import is_handle, is_remote
from microcoder_eval.sandbox.asserts.pytest_subset import Unsupported

REACHING = {"builtins": ("input", "print", "open"), "sys": ("stdin", "stdout", "stderr", "argv"), "os": ("environ",)}

TESTS = ("tests", "__main__")


class ProgramNames(ModuleType):
    """A module that stands for the program."""


def refuse_unless_it_reaches(target: Any, name: str) -> None:
    """Raise `Unsupported` where a replaced attribute of `target` would not be seen by the program."""
    if isinstance(target, ProgramNames):
        getattr(target, name)  # a right program defines it
        return
    if is_handle(target) or _is_unchangeable(target):
        return
    owner = target if isinstance(target, (type, ModuleType)) else type(target)
    module = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    if module in TESTS and not isinstance(owner, ModuleType):
        return
    if not (isinstance(target, ModuleType) and name in REACHING.get(module, ())):
        raise Unsupported(f"replacing {getattr(target, '__name__', type(target).__name__)}.{name} for the program")


def _is_unchangeable(target: Any) -> bool:
    """Whether Python itself, or the program, lets no attribute be replaced: a program may give data for an object."""
    if isinstance(target, type):
        return target.__module__ == "builtins"
    return is_remote(target) or not hasattr(target, "__dict__")


def found(path: str) -> tuple[Any, str]:
    """The object and the attribute that a dotted name means: `"sys.stdin"`."""
    module, _, name = path.rpartition(".")
    if not module:
        raise TypeError(f"{path!r} names no attribute of a module")
    try:
        return importlib.import_module(module), name
    except ImportError:
        owner, inner = found(module)
        return getattr(owner, inner), name


def refuse_what_does_not_reach(tree: ast.Module) -> None:
    """Raise `Unsupported` for tests that assign such a builtin; `unittest.mock.patch` raises it from now on."""
    for node in ast.walk(tree):
        is_stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        module, _, name = ast.unparse(node).rpartition(".") if is_stored else ("", "", "")
        if module == "builtins" and name not in REACHING[module]:
            raise Unsupported(f"replacing {module}.{name} for the program")
    if "mock" not in ast.unparse(tree):
        return
    from unittest import mock  # it loads threads, which a process that is forked must not have

    patches: Any = vars(mock)["_patch"]
    dictionaries: Any = vars(mock)["_patch_dict"]
    enter, change = patches.__enter__, dictionaries._patch_dict

    def entering(patch: Any) -> Any:
        refuse_unless_it_reaches(patch.getter(), patch.attribute)
        return enter(patch)

    def changing(patch: Any) -> Any:
        changed = getattr(*found(patch.in_dict)) if isinstance(patch.in_dict, str) else patch.in_dict
        if changed is not os.environ:
            raise Unsupported("patching a dict for the program")
        return change(patch)

    patches.__enter__, dictionaries._patch_dict = entering, changing
