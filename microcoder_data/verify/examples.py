"""Examples in docstrings, `>>> f([1, 2])` and the value below, beside the tests and a right solution.

contradicted_by(row, {dump of a call: expected value})     # an example that the tests contradict
examples_program(row)                                      # a test program that asserts the examples
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row
from microcoder_data.syntax import expression

_EXAMPLE = re.compile(
    r"(?m)^[ \t]*>>>[ \t]*(?P<call>\S.*)\n[ \t]*(?P<value>(?!>>>)\S.*)$"
    r"(?P<more>\n[ \t]*(?!>>>|\"\"\"|''')\S)?"
)
_CONTAINERS = frozenset(["set", "frozenset", "list", "tuple", "dict"])


class Example(NamedTuple):
    """A call with literal arguments, and its value."""

    call: ast.Call
    text: str
    value: Any
    last: bool
    """Whether no text follows the value at once: else it may be the first line of what the function prints."""


def contradicted_by(row: Row, answers: Mapping[str, ast.expr]) -> str:
    """An example that the tests contradict, in words; empty when there is none."""
    for example in examples(row) if answers else ():
        expected = answers.get(ast.dump(example.call))
        other = _literal(ast.unparse(expected)) if expected is not None else None
        if other is None:
            continue
        if example.value != other[0] and not (isinstance(example.value, float) or isinstance(other[0], float)):
            return f"{example.text[:80]} is {example.value!r:.60} in the examples, {other[0]!r:.60} in the tests"
    return ""


def examples_program(row: Row) -> str:
    """A test program that asserts each example on its line, except those with rounded numbers; empty without any.

    None is accepted, because a function may print what its example shows; so is the value as a text.

    >>> from microcoder_data.schema import new_row
    >>> examples_program(new_row(statement="Double.\\n>>> twice(2)\\n4\\n>>> twice(0.1)\\n0.2\\n>>> twice(x)\\n4"))
    "assert twice(2) in [4, None, '4']"
    >>> examples_program(new_row(statement=">>> inverse(4, 7)\\nNone\\n\\n>>> cost([3])\\n300 .")).splitlines()
    ["assert inverse(4, 7) in [None, None, 'None']", "assert cost([3]) in [300, None, '300']"]
    """
    exact = (one for one in examples(row) if one.last and "." not in repr(one.value))
    lines = (f"assert {ast.unparse(one.call)} in [{one.value!r}, None, {str(one.value)!r}]" for one in exact)
    return "\n".join(dict.fromkeys(lines))


def examples(row: Row) -> Iterator[Example]:
    """The examples of the starter code and the statement whose calls and values are literals."""
    text = f"{row['starter_code'] or ''}\n{whole_text(row)}"
    if ">>>" not in text:
        return
    for example in _EXAMPLE.finditer(text):
        call, value = expression(example["call"].strip()), _literal(example["value"])
        if value is not None and isinstance(call, ast.Call) and _on_literals(call):
            yield Example(call, example["call"], value[0], example["more"] is None)


def _on_literals(call: ast.Call) -> bool:
    """Whether a call means the same wherever it stands: `f([1, 2])`, `f(set())`, not `stack.top()`, `depth(tree)`."""
    if not isinstance(call.func, ast.Name) or not (call.args or call.keywords):
        return False
    names = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)} - {call.func.id}
    return names <= _CONTAINERS


def _literal(text: str) -> tuple[Any] | None:
    """The value of a literal without dots, behind which a sentence may end; None for other text.

    >>> _literal("300 ."), _literal("[1, ...]"), _literal("1.")
    ((300,), None, (1.0,))
    """
    for literal in () if "..." in text else (text.strip(), text.strip().removesuffix(".").rstrip()):
        with suppress(SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            return (ast.literal_eval(literal),)
    return None
