"""The rule for test programs: a row is dropped if its test program cannot judge a submission by the statement.

Test programs (`asserts`) are read, never run. A row is dropped if its test program defines the function itself, asserts
nothing, expects a value that depends on the machine or the time, accepts two answers where the statement allows one,
contradicts the examples in the starter code, or compares with one of several right answers; if it asks for what the
statement does not say; and if the statement holds the program that is asked for. A program that cannot be parsed is
left to the rule `gradable`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.process.render import whole_text
from microcoder_data.process.several_answers import several_answers
from microcoder_data.process.written_out import written_out
from microcoder_data.rules import Outcome, drop
from microcoder_data.schema import Row
from microcoder_data.syntax import last_word, nodes_of, parsed
from microcoder_data.verify.examples import contradicted_by
from microcoder_data.verify.unsaid import unsaid

_MACHINE_DEPENDENT = frozenset(
    ["sys.getsizeof", "getsizeof", "time.time", "time.perf_counter", "time.ctime", "os.getpid", "os.getcwd",
     "datetime.now", "datetime.today", "datetime.utcnow", "datetime.datetime.now", "datetime.datetime.today",
     "datetime.date.today", "date.today", "uuid.uuid4", "socket.gethostname", "platform.node"]
)  # fmt: skip
_MACHINE_DEPENDENT_NAMES = frozenset(name.rpartition(".")[2] for name in _MACHINE_DEPENDENT)
_CHECKS = ("assert", "raises", "fail", "check", "verify", "expect", "exit")
_REARRANGES = re.compile(
    r"\bre-?arrang\w*\b[^.]{0,120}\b(?:so|such) that\b(?![^.]*\b(?:order|lexicographically|sorted)\b)"
)
_ALL_OF_A_KIND = re.compile(
    r"\b(?:generate|find|print|return|get|list|create|produce|give|compute)s? (?:all|every)(?: of)?(?: the)?"
    r"(?: (?:possible|distinct|unique|different|valid))* (?:permutations?|combinations?|subsets?|sub-?lists?|"
    r"subsequences?|power ?sets?|arrangements?)\b(?! of (?:operations|moves))"
)
_ORDERED = re.compile(
    r"\border|\bsort|ascending|descending|lexicograph|smallest|largest|first occurrence", re.IGNORECASE
)
_SETS = ("set", "frozenset")
_SET_METHODS = frozenset(["intersection", "union", "difference", "symmetric_difference"])
_SAME_SHAPE = frozenset(["is_same_list", "is_same_tree"])
"""Functions of LeetCodeDataset's test programs that compare linked lists and trees node by node."""
_READERS = frozenset(["list_values", "tree_values"])
"""Functions of the LeetCode prelude that turn a linked list or a tree into a list."""
_SHORT_WORDS = 60
"""A longer statement may say elsewhere which arrangement it wants."""


@dataclass(frozen=True)
class TestPrograms:
    """Drop rows whose test program cannot judge a submission."""

    __test__ = False

    name: ClassVar[str] = "test_programs_v12"
    need_checker: bool = True
    """Drop a row with several right answers whose assertions accept only one."""

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] != "asserts":
            return None
        program = parsed(row["test_code"] or "")
        function = (row["entry_point"] or "").rpartition(".")[2]
        owner = (row["entry_point"] or "").partition(".")[0]
        if program is None or not function:
            return None
        if owner in _defined(program):
            return drop("tests_ignore_the_answer", f"the test program defines {owner} itself")
        if not _checks_something(program):
            return drop("tests_ignore_the_answer", "the test program asserts nothing")
        compared = list(_comparisons(program))
        if _may_depend_on_the_machine(row["test_code"]):
            for _, expected in compared:
                if named := _machine_dependent_call(expected):
                    return drop("not_deterministic", f"the tests compare with {named}")
        answers = {ast.dump(call): expected for call, expected in compared if isinstance(call, ast.Call)}
        if detail := contradicted_by(row, answers):
            return drop("sample_contradicts_test", detail)
        if detail := unsaid(row, program, function, [expected for _, expected in compared]):
            return drop("incomplete", detail)
        if name := written_out(row["statement"], program):
            return drop("answer_in_statement", f"the statement has the whole of {name}")
        two = _two_answers(program)
        one_order = self.need_checker and any(_expects_one_order(*sides, function) for sides in compared)
        one_shape = self.need_checker and any(_expects_one_order(*sides, function) for sides in _same_shapes(program))
        words = several_answers(row) if two or one_order or one_shape else None
        if two and not words:
            return drop("contradictory_statement", f"the tests accept two answers, the statement one: {two}")
        if one_order:
            words = words or _rearranges(row) or _all_in_one_order(row) or _order_of_a_set(row, function)
        return drop("needs_a_checker", words) if words and (one_order or one_shape) else None


def _defined(program: ast.Module) -> set[str]:
    """The functions and classes that a program defines for itself."""
    return {node.name for node in program.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def _checks_something(program: ast.Module) -> bool:
    """Whether a program asserts, raises, or calls something like `assertEqual`, `raises`, `fail` or `check`."""
    return (
        any(not isinstance(node.test, ast.Constant) for node in nodes_of(program, ast.Assert))
        or bool(nodes_of(program, ast.Raise))
        or any(last_word(node.func).lower().startswith(_CHECKS) for node in nodes_of(program, ast.Call))
    )


def _comparisons(program: ast.Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The two sides of each `assert ... == ...`."""
    return filter(None, (_equal(node.test) for node in nodes_of(program, ast.Assert)))


def _same_shapes(program: ast.Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    """For each `assert is_same_tree(f(...), tree_node([1, 2]))`: the call, and the list of the nodes."""
    for test in (node.test for node in nodes_of(program, ast.Assert)):
        if isinstance(test, ast.Call) and len(test.args) == 2 and last_word(test.func) in _SAME_SHAPE:
            call, made = test.args
            if isinstance(made, ast.Call) and len(made.args) == 1:
                yield call, made.args[0]


def _equal(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        return test.left, test.comparators[0]
    return None


def _machine_dependent_call(expected: ast.expr) -> str:
    """The first call in an expected value that depends on the machine or the time; empty when there is none."""
    calls = (ast.unparse(node.func) for node in ast.walk(expected) if isinstance(node, ast.Call))
    return next((name for name in calls if name in _MACHINE_DEPENDENT), "")


def _may_depend_on_the_machine(program: str) -> bool:
    """A fast check of the text. Python reads some non-ASCII characters in names as ASCII, so such programs pass it."""
    return not program.isascii() or any(word in program for word in _MACHINE_DEPENDENT_NAMES)


def _two_answers(program: ast.Module) -> str:
    """An assertion such as `f(1) == 2 or f(1) == 3`, whose author did not know the answer; empty when there is none."""
    for test in (node.test for node in nodes_of(program, ast.Assert)):
        if not (isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or)):
            continue
        sides = [_equal(value) for value in test.values]
        calls = {ast.dump(side[0]) for side in sides if side and isinstance(side[0], ast.Call)}
        answers = {ast.dump(side[1]) for side in sides if side and isinstance(side[1], ast.Constant)}
        if all(sides) and len(calls) == 1 and len(answers) > 1:
            return ast.unparse(test)[:120]
    return ""


def _expects_one_order(call: ast.expr, expected: ast.expr, function: str) -> bool:
    """Whether an assertion compares what the function returns with one list, tuple or text of several items."""
    call = _without_reader(call)
    if not isinstance(call, ast.Call) or last_word(call.func) not in (function, "candidate"):
        return False
    if isinstance(expected, (ast.List, ast.Tuple)):
        return len(expected.elts) > 1
    return isinstance(expected, ast.Constant) and isinstance(expected.value, str) and len(expected.value) > 1


def _without_reader(side: ast.expr) -> ast.expr:
    """What is turned into a list: `f(x)` of `tree_values(f(x))` and of `[tree_values(node) for node in f(x)]`."""
    read = side.elt if isinstance(side, ast.ListComp) else side
    if not isinstance(read, ast.Call) or last_word(read.func) not in _READERS or len(read.args) != 1:
        return side
    return side.generators[0].iter if isinstance(side, ast.ListComp) else read.args[0]


def _rearranges(row: Row) -> str | None:
    """The words of a short statement that asks for some arrangement and names no order."""
    text = " ".join(whole_text(row).lower().split())
    found = _REARRANGES.search(text) if len(text.split()) <= _SHORT_WORDS else None
    return found[0] if found else None


def _all_in_one_order(row: Row) -> str | None:
    """The words of a short statement that asks for all permutations, subsets and so on, and names no order."""
    text = " ".join(whole_text(row).lower().split())
    if _ORDERED.search(text) or len(text.split()) > _SHORT_WORDS:
        return None
    found = _ALL_OF_A_KIND.search(text)
    return found[0] if found else None


def _order_of_a_set(row: Row, function: str) -> str | None:
    """`return tuple(set(...))` in the publisher's own solution: the order of its answer is arbitrary."""
    if _ORDERED.search(whole_text(row)):
        return None
    for solution in row["solutions"]:
        program = parsed(solution["code"]) if solution["language"] == "python" else None
        for node in nodes_of(program, ast.FunctionDef) if program else ():
            if node.name == function and (found := _returns_a_set(node)):
                return f"the solution returns the order of a set: {found[:80]}"
    return None


def _returns_a_set(function: ast.FunctionDef) -> str:
    given = {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        value = node.value if isinstance(node, ast.Return) else None
        value = given.get(value.id) if isinstance(value, ast.Name) else value
        if not (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("tuple", "list")
        ):
            continue
        if len(value.args) == 1 and _is_a_set(value.args[0], given):
            return ast.unparse(value)
    return ""


def _is_a_set(value: ast.expr, given: Mapping[str, ast.expr], depth: int = 3) -> bool:
    """Whether a value is a set or a list of one: `set(a)`, `{1, 2}`, `set(a) ^ set(b)`, `list(set(a))`, a name of one.

    `given`: the values of names; of a name that has several, the last.
    """
    if isinstance(value, ast.Name):
        return depth > 0 and value.id in given and _is_a_set(given[value.id], given, depth - 1)
    if isinstance(value, ast.BinOp):
        return _is_a_set(value.left, given, depth) and _is_a_set(value.right, given, depth)
    called = value.func if isinstance(value, ast.Call) else None
    if isinstance(called, ast.Attribute):
        of_sets = isinstance(called.value, ast.Name) and called.value.id in _SETS
        return called.attr in _SET_METHODS and (of_sets or _is_a_set(called.value, given, depth))
    if isinstance(value, ast.Call) and isinstance(called, ast.Name) and called.id in ("list", "tuple"):
        return len(value.args) == 1 and _is_a_set(value.args[0], given, depth)
    return isinstance(value, ast.Set | ast.SetComp) or (isinstance(called, ast.Name) and called.id in _SETS)
