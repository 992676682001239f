"""Measure a program: McCabe's cyclomatic complexity, Halstead's volume and effort.

Python is measured on its syntax tree. Other languages, and Python that does not parse, are measured on their tokens.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections import Counter
from typing import NamedTuple

MAX_CHARACTERS = 60_000
_DECISIONS = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.Assert, ast.comprehension, ast.match_case)
_OPERATORS = (ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
_ACTIONS = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Call, ast.Subscript, ast.Attribute, ast.Return, ast.If, ast.For,
    ast.While, ast.IfExp, ast.comprehension, ast.FunctionDef, ast.Lambda, ast.Break, ast.Continue, ast.Yield,
)  # fmt: skip
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<number>\d[\w.]*)|(?P<word>[^\W\d]\w*)|"""
    r"""(?P<sign><<=|>>=|->|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^<>=!:]=|::|[-+*/%&|^~<>=!?.\[({])"""
)
_WORD_OPERATORS = frozenset(
    """if else for while do switch case return break continue new delete throw try catch and or not in elif except def
    lambda yield func range defer go match loop""".split()  # noqa: SIM905 - a word list is one line
)
_TOKEN_DECISIONS = frozenset({"if", "elif", "for", "while", "case", "catch", "except", "&&", "||", "?", "and", "or"})


class Measures(NamedTuple):
    """The metrics of one program."""

    cyclomatic: int
    """McCabe: independent paths through the program."""
    length: int
    """Halstead: operators and operands."""
    volume: float
    """Halstead: length times the bits of the vocabulary."""
    effort: float
    """Halstead: volume times difficulty."""
    loops: int


def measure(code: str, language: str = "python") -> Measures | None:
    """Measure a program; None when it has neither operators nor operands.

    >>> measure("print(int(input()) + 1)").cyclomatic
    1
    >>> measure("int main() { for (;;) if (a && b) return 1; }", "cpp").cyclomatic
    4
    """
    code = code[:MAX_CHARACTERS]
    if language == "python":
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return _of_tree(ast.parse(code))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    return _of_tokens(code)


def _of_tree(tree: ast.AST) -> Measures | None:
    operators: Counter[str] = Counter()
    operands: Counter[str] = Counter()
    decisions = loops = 0
    for node in ast.walk(tree):
        if isinstance(node, _DECISIONS):
            decisions += 1
            loops += isinstance(node, (ast.For, ast.While, ast.comprehension))
            decisions += len(node.ifs) if isinstance(node, ast.comprehension) else 0
        elif isinstance(node, ast.BoolOp):
            decisions += len(node.values) - 1
        if isinstance(node, (*_OPERATORS, *_ACTIONS)):
            operators[type(node).__name__] += 1
        if isinstance(node, ast.Name):
            operands[node.id] += 1
        elif isinstance(node, ast.Constant):
            operands[repr(node.value)] += 1
        elif isinstance(node, ast.Attribute):
            operands[f".{node.attr}"] += 1
        elif isinstance(node, ast.arg):
            operands[node.arg] += 1
    return _figures(operators, operands, decisions, loops)


def _of_tokens(code: str) -> Measures | None:
    operators: Counter[str] = Counter()
    operands: Counter[str] = Counter()
    for found in _TOKEN.finditer(_COMMENT.sub(" ", code)):
        token = found[0]
        known = found.lastgroup == "sign" or token in _WORD_OPERATORS
        (operators if known else operands)[token] += 1
    decisions = sum(operators[token] for token in _TOKEN_DECISIONS)
    return _figures(operators, operands, decisions, operators["for"] + operators["while"])


def _figures(operators: Counter[str], operands: Counter[str], decisions: int, loops: int) -> Measures | None:
    length = operators.total() + operands.total()
    if length == 0:
        return None
    volume = length * math.log2(len(operators) + len(operands) + 1)
    difficulty = len(operators) / 2 * operands.total() / max(1, len(operands))
    return Measures(decisions + 1, length, volume, volume * max(1.0, difficulty), loops)
