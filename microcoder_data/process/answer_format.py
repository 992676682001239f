"""The rule that writes `answer_format`: what a model must return, one text for each kind of problem."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome
from microcoder_data.schema import Row
from microcoder_data.syntax import nodes_of, parsed


@dataclass(frozen=True)
class AnswerFormat:
    """Say how the answer must look; `{entry_point}` stands for the function's name, `{names}` for all that is to be
    written."""

    name: ClassVar[str] = "answer_format_v3"
    stdin: str = (
        "Write a complete Python program that reads the input from standard input and prints the answer to standard "
        "output. Put the program in one ```python block."
    )
    call: str = (
        "Complete the starter code: implement `{entry_point}` so that it returns the answer. Do not read input or "
        "print. Put the complete code in one ```python block."
    )
    asserts: str = "Write the Python function `{entry_point}`. Put the complete code in one ```python block."
    definitions: str = "Complete the starter code: write {names}. Put the complete code in one ```python block."
    """Kind `asserts`, where the starter code leaves a class or several functions to be written."""
    named: str = "Write {names} in Python. Put the complete code in one ```python block."
    """Kind `asserts` without an entry point or starter code: what a right solution defines and the tests use."""
    interactive: str = (
        "Write a complete Python program that talks to the judge through standard input and output, and flush after "
        "every line you print. Put the program in one ```python block."
    )

    def __call__(self, row: Row) -> Outcome | None:
        instruction: str = getattr(self, row["kind"])
        classes, functions = to_be_written(row["starter_code"] or "") if row["kind"] == "asserts" else ([], [])
        if classes or len(functions) > 1:
            instruction = self.definitions
        elif row["kind"] == "asserts" and not row["entry_point"] and (functions := functions or _used_by_tests(row)):
            instruction = self.named
        row["answer_format"] = instruction.format(
            entry_point=row["entry_point"] or "the function", names=_listed([*classes, *functions])
        )
        return None


def to_be_written(starter_code: str) -> tuple[list[str], list[str]]:
    """The classes and the functions that the starter code leaves empty.

    >>> to_be_written("class Node: pass\\ndef f(): return 1\\ndef g(): ...")
    (['Node'], ['g'])
    """
    tree = parsed(starter_code)
    body = tree.body if tree else []
    classes = [one.name for one in body if isinstance(one, ast.ClassDef) and _is_empty(one)]
    return classes, [one.name for one in body if isinstance(one, ast.FunctionDef) and _is_empty(one)]


def _used_by_tests(row: Row) -> list[str]:
    """The names that the test program uses and a right solution defines at its top; the program's own do not count."""
    tests = parsed(row["test_code"] or "")
    right = (one["code"] for one in row["solutions"] if one["language"] == "python" and one["correct"] is not False)
    program = parsed(next(right, ""))
    if tests is None or program is None:
        return []
    made = {one.name for one in tests.body if isinstance(one, (ast.FunctionDef, ast.ClassDef))}
    used = {node.id for node in nodes_of(tests, ast.Name)} | {
        alias.name for node in nodes_of(tests, ast.ImportFrom) for alias in node.names
    }
    defined = [
        one.name for one in program.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    return [name for name in dict.fromkeys(defined) if name in used - made and not hasattr(builtins, name)]


def _is_empty(definition: ast.ClassDef | ast.FunctionDef) -> bool:
    """Whether a definition has no statements but a docstring and `pass`; of a class with methods, whether one has
    none."""
    methods = [one for one in definition.body if isinstance(one, ast.FunctionDef)]
    if isinstance(definition, ast.ClassDef) and methods:
        return any(map(_is_empty, methods))
    return all(isinstance(one, ast.Pass) or _is_constant(one) for one in definition.body)


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _listed(names: list[str]) -> str:
    """Names in one phrase.

    >>> _listed(["a", "b", "c"])
    '`a`, `b` and `c`'
    """
    quoted = [f"`{name}`" for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), *quoted[-1:]]))
