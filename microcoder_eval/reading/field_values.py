"""Whether the values of a field of somebody's file can be those of one of ours: an id, tests, a reply, a program.

    fits("tests", [[{"input": "1", "output": "2"}]], unique=False)      # True

It decides nothing by names; `missing_fields.py` does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.languages.table import language_named
from microcoder_eval.reading.chat import replies_in

_LONGEST_ID = 200
_NO_NAME = re.compile(r"[\n(){}=;]")
"""What programs have, and names of models do not."""


def fits(name: str, values: Sequence[Any], unique: bool) -> bool:
    """Whether values can be those of the field `name`. unique: an id must differ in every record."""
    value = values[0]
    if name in ("id", "problem_id"):
        short = all(isinstance(each, (str, int)) and len(str(each)) <= _LONGEST_ID for each in values)
        return short and (not unique or len({str(each) for each in values}) == len(values))
    if name == "tests":
        if isinstance(value, list):
            return bool(value) and isinstance(value[0], (list, tuple, Mapping))
        return isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip()[:1] in ("[", "{"))
    if name == "test_code":
        texts = value if isinstance(value, list) else [value]
        return bool(texts) and all(isinstance(text, str) and "assert" in text for text in texts)
    if name == "response":
        return any(map(is_reply, values))
    if name == "entry_point":
        return all(isinstance(each, str) and each.replace(".", "_").isidentifier() for each in values)
    if name == "starter_code":
        return 2 * sum(isinstance(each, str) and _is_head(each) for each in values) > len(values)
    if name == "language":
        return all(isinstance(each, str) and language_named(each) for each in values)
    if name == "code":
        texts = [each for one in values for each in (one if isinstance(one, list) else [one])]
        return any(isinstance(text, str) and _NO_NAME.search(text) for text in texts)
    if name == "statement":
        return any(isinstance(each, str) for each in values)
    return value is not None


def _is_head(text: str) -> bool:
    """Whether a text is Python that ends with the head of a function, with its docstring or without, so that a reply
    may be the body alone.

    >>> _is_head("import math\\n\\ndef f(n):\\n    'Double n.'\\n"), _is_head("Write a function.")
    (True, False)
    """
    for whole in (text, f"{text.rstrip()}\n    pass\n"):
        try:
            last = ast.parse(whole).body[-1:]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return bool(last) and isinstance(last[0], ast.FunctionDef) and all(map(_is_idle, last[0].body))
    return False


def _is_idle(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def is_reply(value: Any) -> bool:
    return replies_in(value) is not None
