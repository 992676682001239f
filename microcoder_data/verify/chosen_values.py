"""Values that the publisher's solution chose for arguments of which the statement does not speak.

    chosen = Chosen.of(row, text)
    chosen.decides(assertion)   # whether the assertion wants such a value

The largest of an empty list: `if not numbers: return 0` before `best = numbers[0]`. An answer for a negative number:
`if n <= 0: return []`. Another right solution raises an error, or returns something else. The sum of nothing, the
number of its items, its sorted order and False are no choice. An answer for 0 where the statement says `1 <= n` is one.
Programs are read, never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from microcoder_data.process.bounds import stated_bounds
from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row
from microcoder_data.syntax import last_word, nodes_of, parsed, walk

_EXTREME = re.compile(r"\b(?:max|min|largest|smallest|highest|lowest|greatest|second)\w*\b")
_SAYS_EMPTY = re.compile(
    r"\b(?:empty|no (?:elements?|items?|numbers?)|zero (?:elements?|items?)|length (?:is )?(?:0|zero))\b"
)
_SAYS_NEGATIVE = re.compile(r"negative|positive|natural|\bless than\b|\bbelow\b|invalid|\bedge cases?\b|-\d")
_SIGNS = ("<", "≤", "\\le")
_CALL = re.compile(r"\b[A-Za-z_]\w*\([^()\n]{1,80}\)")
_NOTHING = ("[]", "()", "{}", "''", "set()")
_CALLS_WITH_NOTHING = ("([])", "(())", "({})", "('')", '("")', "(set())")


@dataclass(frozen=True)
class Chosen:
    """The functions with such values."""

    for_nothing: frozenset[str] = frozenset()
    for_negative: frozenset[tuple[str, str]] = frozenset()
    """Each with the value, as Python writes it."""
    beyond: frozenset[tuple[str, int, int, int]] = frozenset()
    """Each with the place of an argument and the least and largest number that the statement allows there."""

    @classmethod
    def of(cls, row: Row, text: str) -> Chosen:
        """What the row's solutions choose; `text` is what a reader sees, in lower case."""
        tests = row["test_code"] or ""
        nothing = any(call in tests for call in _CALLS_WITH_NOTHING) and _leaves_extremes_open(text)
        negative = "(-" in tests and not _SAYS_NEGATIVE.search(text)
        beyond = _bounded(row) if any(sign in text for sign in _SIGNS) else frozenset()
        if not nothing and not negative:
            return cls(beyond=beyond)
        programs = [parsed(solution["code"]) for solution in row["solutions"] if solution["language"] == "python"]
        functions = [node for program in programs if program for node in nodes_of(program, ast.FunctionDef)]
        shown = text.replace('"', "'")
        return cls(
            frozenset(
                one.name
                for one in functions
                if nothing
                and any(_chooses_for_nothing(one, argument.arg) for argument in one.args.args)
                and not any(f"{one.name}({empty})".lower() in shown for empty in _NOTHING)
            ),
            frozenset((one.name, value) for one in functions if negative for value in _for_negative(one)),
            beyond,
        )

    def __bool__(self) -> bool:
        return bool(self.for_nothing or self.for_negative or self.beyond)

    def decides(self, test: ast.expr) -> bool:
        """Whether an assertion compares a call with a value that was chosen."""
        if not self or not isinstance(test, ast.Compare) or not isinstance(call := test.left, ast.Call):
            return False
        name = last_word(call.func)
        if any(name == function and _is_beyond(call, *limits) for function, *limits in self.beyond):
            return True
        if len(call.args) != 1 or call.keywords:
            return False
        given, wanted = ast.unparse(call.args[0]), test.comparators[0]
        if given in _NOTHING:
            return name in self.for_nothing and isinstance(wanted, ast.Constant | ast.UnaryOp)
        return re.fullmatch(r"-\d+", given) is not None and (name, ast.unparse(wanted)) in self.for_negative


def _bounded(row: Row) -> frozenset[tuple[str, int, int, int]]:
    """The arguments of the starter code's functions that the statement bounds, unless it shows a call beyond it."""
    starter = parsed(row["starter_code"] or "")
    if starter is None:
        return frozenset()
    text = whole_text(row)
    bounds = {bound.name: bound for bound in stated_bounds(text)}
    limits = {
        (function.name, place, bound.low, bound.high)
        for function in nodes_of(starter, ast.FunctionDef)
        for place, argument in enumerate(function.args.args)
        if (bound := bounds.get(argument.arg))
    }
    calls = [call for found in _CALL.findall(text) if (call := _as_call(found))]
    return frozenset(
        one
        for one in limits
        if not any(last_word(call.func) == one[0] and _is_beyond(call, *one[1:]) for call in calls)
    )


def _as_call(text: str) -> ast.Call | None:
    program = parsed(text)
    value = program.body[0] if program else None
    return value.value if isinstance(value, ast.Expr) and isinstance(value.value, ast.Call) else None


def _is_beyond(call: ast.Call, place: int, low: int, high: int) -> bool:
    """Whether a call passes a whole number below or above what is allowed at a place."""
    if call.keywords or len(call.args) <= place:
        return False
    written = ast.unparse(call.args[place])
    return re.fullmatch(r"-?\d{1,30}", written) is not None and not low <= int(written) <= high


def _leaves_extremes_open(text: str) -> bool:
    return _EXTREME.search(text) is not None and not _SAYS_EMPTY.search(text)


def _chooses_for_nothing(function: ast.FunctionDef, name: str) -> bool:
    """Whether a function returns a constant if the argument is empty, and reads an item of it otherwise."""
    empty = (f"not {name}", f"len({name}) == 0", f"{name} == []", f"not len({name})")
    constant = any(isinstance(value, ast.Constant | ast.UnaryOp) for value in _returned_if(function, empty))
    return constant and any(_reads_an_item(function, name))


def _reads_an_item(function: ast.FunctionDef, name: str) -> Iterator[bool]:
    for node in walk(function):
        if isinstance(node, ast.Subscript):
            yield ast.unparse(node.value) == name and isinstance(node.slice, ast.Constant | ast.UnaryOp)
        elif isinstance(node, ast.Call) and len(node.args) == 1 and last_word(node.func) in ("max", "min"):
            yield ast.unparse(node.args[0]) == name


def _for_negative(function: ast.FunctionDef) -> Iterator[str]:
    """The constants that a function of one argument returns if that is below 0 or 1."""
    if len(function.args.args) != 1:
        return
    name = function.args.args[0].arg
    for value in _returned_if(function, [f"{name} {sign} {limit}" for sign in ("<", "<=") for limit in (0, 1)]):
        written = ast.unparse(value)
        if written in _NOTHING or (isinstance(value, ast.Constant | ast.UnaryOp) and written not in ("True", "False")):
            yield written


def _returned_if(function: ast.FunctionDef, conditions: list[str] | tuple[str, ...]) -> Iterator[ast.expr]:
    """What a function returns at once under one of these conditions."""
    for node in walk(function):
        first = node.body[0] if isinstance(node, ast.If) else None
        if isinstance(first, ast.Return) and first.value is not None and ast.unparse(node.test) in conditions:  # type: ignore[attr-defined]
            yield first.value
