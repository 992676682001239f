"""Rewrites a program as LiveCodeBench runs it, as source text for the sandbox. Nothing is run here.

A program of kind stdin becomes the body of a function. Its imports move before the function, and the body of a main
guard at its end replaces the guard. LiveCodeBench puts star imports before every program. Here only the names that the
program uses are imported: the others would cost time in every test and make no difference.
"""

from __future__ import annotations

import ast
import functools
import importlib
import json
from dataclasses import replace
from importlib import resources

from microcoder_eval.problem import Checker, Problem

_FUNCTION = "livecodebench_call"
_STAR_MODULES = (
    *("string", "re", "datetime", "collections", "heapq", "bisect", "copy", "math", "random", "statistics"),
    *("itertools", "functools", "operator", "io", "sys", "json", "builtins", "typing"),
)
"""The modules that LiveCodeBench imports with a star, in this order. It then imports all but the last two by name."""
_IMPORTS = (ast.Import, ast.ImportFrom)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_CACHES = {"cache", "lru_cache", "cached_property"}
_CHANGING_THE_PROCESS = {"fileinput", "open", "close", "dup2", "getcontext", "setcontext"}
"""Names whose use changes the process. LiveCodeBench runs all tests of a program in one process."""
_REPLAYED_TESTS = 3
"""How many earlier tests are replayed before a test of a program that may keep state."""
_DYNAMIC_LOOKUPS = {"exec", "eval", "globals", "locals", "vars", "dir"}


def livecodebench_program(problem: Problem, code: str, with_earlier: bool = False) -> str:
    """The program's source as LiveCodeBench runs it.

    `with_earlier`: each test's input holds the inputs of earlier tests too, as `livecodebench_problem` writes them.
    """
    runner = _runner_source()
    if problem.kind == "stdin":
        return f"{runner}\n\nrun_stdin({_literal(_as_function(code))}, {with_earlier})\n"
    function = (problem.entry_point or "").rpartition(".")[2]
    module = _literal(_used_imports(_parsed(code)) + code)
    return f"{runner}\n\n{_FUNCTION} = target({module}, {function!r}, {with_earlier})\n"


def livecodebench_problem(problem: Problem, with_earlier: bool = False) -> Problem:
    """The problem for programs made by `livecodebench_program`.

    LiveCodeBench runs all tests in one process, and a program may keep state from one test to the next. Here every test
    has a process of its own. `with_earlier` makes every test run the few tests before it first.
    """
    is_call = problem.kind == "call"
    tests = list(problem.tests)
    if with_earlier:
        inputs = [test.input for test in problem.tests]
        for index, test in enumerate(problem.tests):
            several = inputs[max(0, index - _REPLAYED_TESTS) : index + 1]
            limit = (test.time_limit_s or problem.time_limit_s) * len(several)
            tests[index] = replace(test, input=several if is_call else json.dumps(several), time_limit_s=limit)
    entry_point = _FUNCTION if is_call else None
    return replace(problem, tests=tuple(tests), entry_point=entry_point, starter_code="", checker=Checker())


def may_keep_state(problem: Problem, code: str) -> bool:
    """Whether a program could keep state from one test to the next. When in doubt, yes."""
    tree = _parsed(code)
    if tree is None:
        return False
    nodes = list(ast.walk(tree))
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    named |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    named |= {node.name for node in nodes if isinstance(node, ast.alias)}
    changes_process = bool(named & _CHANGING_THE_PROCESS)
    if problem.kind == "stdin" or changes_process:  # a program of kind stdin creates all else anew in each run
        return changes_process
    bodies = [tree.body, *(statement.body for statement in tree.body if isinstance(statement, ast.ClassDef))]
    return (
        bool(named & _CACHES)
        or any(isinstance(statement, _ASSIGNMENTS) for body in bodies for statement in body)
        or any(isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) for node in nodes)
        or any(_may_be_mutable(d) for node in nodes if isinstance(node, ast.arguments) for d in node.defaults)
    )


@functools.cache
def _runner_source() -> str:
    return resources.files(__package__).joinpath("sandbox_runner.py").read_text(encoding="utf-8")


def _may_be_mutable(default: ast.expr) -> bool:
    return not isinstance(default, (ast.Constant, ast.UnaryOp, ast.Name, ast.Attribute))


def _as_function(code: str) -> str:
    """A program of kind stdin as the function `wrapped_function`, after its imports."""
    tree = _parsed(code)
    if tree is None:
        return code  # LiveCodeBench cannot compile it either
    try:
        body = list(tree.body)
        if body and isinstance(body[-1], ast.If) and ast.unparse(body[-1].test) == "__name__ == '__main__'":
            body[-1:] = body[-1].body
        imports = [statement for statement in body if isinstance(statement, _IMPORTS)]
        function = ast.parse("def wrapped_function(): pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        function.body = [statement for statement in body if not isinstance(statement, _IMPORTS)]
        return "\n".join((_used_imports(tree), *map(ast.unparse, imports), ast.unparse(function)))
    except (RecursionError, ValueError):
        return code


@functools.lru_cache(1)
def _parsed(code: str) -> ast.Module | None:
    """The syntax tree, cached because it is needed more than once for each program. Callers must not change it."""
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _used_imports(tree: ast.Module | None) -> str:
    """The import statements for those of LiveCodeBench's names that the program uses.

    The text is never empty: a program's own `from __future__ import` then comes too late, as it does in LiveCodeBench.
    """
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} if tree else set()
    if used & _DYNAMIC_LOOKUPS:
        stars = [f"from {module} import *" for module in _STAR_MODULES]
        return "\n".join(stars + [f"import {module}" for module in _STAR_MODULES[:-2]]) + "\n"
    statements = _import_statements()
    return "\n".join(["import sys", *(statements[name] for name in sorted(used & statements.keys()))]) + "\n"


@functools.cache
def _import_statements() -> dict[str, str]:
    """The import statement for each name that LiveCodeBench imports. Of several modules with a name the last counts."""
    imports: dict[str, str] = {}
    for name in _STAR_MODULES:
        module = importlib.import_module(name)
        for exported in getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]:
            imports[exported] = f"from {name} import {exported}"
    imports |= {name: f"import {name}" for name in _STAR_MODULES[:-2]}
    return {name: statement for name, statement in imports.items() if not statement.startswith("from builtins ")}


def _literal(source: str) -> str:
    """A text as a literal of several lines: the search for modules to preload reads the import lines in it."""
    escaped = source.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\0", "\\0")
    return f'"""\n{escaped}"""'
