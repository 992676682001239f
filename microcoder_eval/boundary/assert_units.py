"""The units of a test program: the parts that count as one test each and run with a fresh program.

A unit is HumanEval's `check`, a `test_*` function or method (or one of its parameter sets), or else a top-level
statement that asserts: by `assert`, by `raise`, by `assert_allclose` and its like, or by a call of a function that
does. Units are found in the source; nothing is run.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from microcoder_eval.errors import InputError

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SKIPPED = ("mark.skip", "mark.xfail", "skip", "expectedFailure")
"""Decorators of tests that must not run, or that are known to fail."""
_EVALUATES = re.compile(
    r"(?:(?<![\w.])|builtins\.)(?:eval|exec|compile)\b"
    r"|\b(?:exec_module|run_path|pickle|marshal|dill)\b"
    r"|\b(?:__import__|import_module)\b(?!\s*\(\s*[\"'][\w.]+[\"']\s*\))"
)
HELPERS_DEEP = 3
"""How far functions of the tests that call each other are followed."""
_ENDS = re.compile(r"_exit|abort|kill|killpg|raise_signal|exec[lv]p?e?")


@dataclass(frozen=True)
class Unit:
    """One test of a test program."""

    kind: str
    """"check": call the function `name`. "test": call the test function `name` (of class `owner`). "statement": run
    the top-level statement itself."""
    position: int
    """The position of its top-level statement in the program."""
    name: str = ""
    owner: str = ""
    case: int | None = None
    """The position of its parameter set; None: all of them."""

    def __str__(self) -> str:
        case = "" if self.case is None else f"[{self.case}]"
        return f"{self.owner}.{self.name}{case}" if self.owner else f"{self.name}{case}"


def units(test_code: str) -> list[Unit]:
    """The units of a test program, in the order of the source.

    >>> [str(unit) for unit in units("def test_a():\\n    assert f(1) == 2\\n\\ndef test_b():\\n    assert f(2)")]
    ['test_a', 'test_b']
    >>> len(units("assert f(1) == 2\\nif f(2) != 3: raise ValueError\\nnp.testing.assert_equal(f(3), 4)"))
    3
    """
    return units_of(parse(test_code))


def parse(test_code: str) -> ast.Module:
    """The syntax tree of a test program; raises `InputError` when it does not parse."""
    try:
        return ast.parse(test_code)
    except SyntaxError as error:
        raise InputError(f"the test code does not parse: line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"the test code does not parse: {error}") from None


def units_of(module: ast.Module) -> list[Unit]:
    """The units of a parsed test program; raises `InputError` when it tests nothing."""
    found = list(_tests(module)) or list(_check(module)) or list(_statements(module))
    if not found:
        raise InputError("the test code has no check function, no test function and no assert: nothing could be graded")
    return found


def source_of(test_code: str, index: int) -> str:
    """The source of the unit with this index; empty when there is no such unit.

    >>> source_of("assert f(1) == 2\\nassert f(2) == 3", 1)
    'assert f(2) == 3'
    """
    module = parse(test_code)
    found = units_of(module)
    if index >= len(found):
        return ""
    unit = found[index]
    part: ast.AST | None
    if unit.kind == "check" or unit.name == "check":
        part = next((s for s in module.body if isinstance(s, FUNCTIONS) and s.name == "check"), None)
    else:
        part = module.body[unit.position]
    if unit.owner:
        inner = [node for node in ast.walk(module) if isinstance(node, FUNCTIONS) and node.name == unit.name]
        part = next((node for node in inner if node in getattr(part, "body", ())), inner[0] if inner else part)
    return "" if part is None else ast.get_source_segment(test_code, part) or ""


def evaluates(test_code: str) -> bool:
    """Whether a test program executes text or data that it reads, which may come from the program under test.

    >>> evaluates("assert eval(f(1)) == 2"), evaluates("import re\\nassert re.compile('a').match(f(1))")
    (True, False)
    """
    return _EVALUATES.search(test_code) is not None


def ends_itself(test_code: str) -> bool:
    """Whether a test program ends its own process whatever the program under test returns.

    >>> ends_itself("def test_f():\\n    f(1)\\n    os._exit(0)"), ends_itself("if f(1) != 2: os._exit(0)")
    (True, False)
    """
    return any(
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and _ENDS.fullmatch(last_name(statement.value.func))
        for statement in _surely_run(parse(test_code))
    )


def is_surely_run(module: ast.Module, line: int) -> bool:
    """Whether the statement at a line runs whatever the program returns: it is in no branch, loop or `try`.

    >>> is_surely_run(parse("f(1)\\nsys.exit(0)"), 2), is_surely_run(parse("if f(1) != 2:\\n    sys.exit(0)"), 2)
    (True, False)
    """
    return any(
        isinstance(statement, (ast.Expr, ast.Raise))
        and statement.lineno <= line <= (statement.end_lineno or statement.lineno)
        and not any(isinstance(part, (ast.BoolOp, ast.IfExp)) for part in ast.walk(statement))
        for statement in _surely_run(module)
    )


def is_in_branch(module: ast.Module, line: int) -> bool:
    """Whether a line runs only if a condition holds or an exception was raised; the program can cause either.

    >>> is_in_branch(parse("for x in X:\\n    f(x)"), 2), is_in_branch(parse("if f(1):\\n    g(2)"), 2)
    (False, True)
    """
    return any(
        part.lineno <= line <= (part.end_lineno or part.lineno)
        for node in ast.walk(module)
        for part in _conditional(node)
    )


def _conditional(node: ast.AST) -> list[ast.stmt | ast.expr]:
    """The parts of a statement or an expression that do not always run."""
    if isinstance(node, (ast.If, ast.While)):
        return [*node.body, *node.orelse]
    if isinstance(node, ast.ExceptHandler):
        return [*node.body]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    return [*node.values[1:]] if isinstance(node, ast.BoolOp) else []


def _surely_run(module: ast.Module) -> Iterator[ast.stmt]:
    """The statements of the module and of its functions that are in no branch."""
    for node in ast.walk(module):
        if isinstance(node, (ast.Module, *FUNCTIONS)):
            yield from node.body


def last_name(node: ast.AST) -> str:
    """The name, or the last part of a dotted name; "" for any other expression."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def left_out(module: ast.Module, found: list[Unit]) -> dict[Unit, set[int]]:
    """For each unit, the positions of the statements that do not run before it: other units.

    Another unit does run before it if it may change what a later statement reads: if it assigns a variable of the
    tests, calls a method of one, passes one to a function, or imports or defines something.

    >>> module = ast.parse("assert f(1)\\ns = g()\\nassert s.pop() == 2\\nassert s.pop() == 1")
    >>> list(left_out(module, units_of(module)).values())
    [{2, 3}, {0, 3}, {0}]
    """
    positions = {u.position for u in found if u.kind == "statement" and not _defines(module.body[u.position])}
    variables = {name for statement in module.body for name in _stored(statement)}
    if not variables:
        return {unit: positions - {unit.position} for unit in found}
    read = [_loaded(statement) & variables for statement in module.body]
    changed = [_changed(statement, variables) for statement in module.body]
    return {unit: positions - {unit.position} - _needed(unit, positions, read, changed) for unit in found}


def _needed(unit: Unit, positions: set[int], read: list[set[str]], changed: list[set[str]]) -> set[int]:
    """The positions of the statements that run before a unit."""
    if unit.kind != "statement":
        return set()
    needed, names = set(), set(read[unit.position])
    for position in range(unit.position - 1, -1, -1):
        if position not in positions or changed[position] & names:
            needed.add(position)
            names |= read[position]
    return needed


def _defines(statement: ast.stmt) -> bool:
    kinds = (ast.Import, ast.ImportFrom, *FUNCTIONS, ast.ClassDef)
    return any(isinstance(node, kinds) for node in ast.walk(statement))


def _stored(statement: ast.stmt) -> set[str]:
    """The variables that a top-level statement assigns; functions and classes do not count."""
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return set()
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def _loaded(statement: ast.AST) -> set[str]:
    """The variables that a statement reads and does not assign first."""
    found = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return found - _names(statement.target) | _loaded(statement.iter)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        given = {name for item in statement.items if item.optional_vars for name in _names(item.optional_vars)}
        return found - given | {name for item in statement.items for name in _loaded(item.context_expr)}
    return found


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _changed(statement: ast.stmt, variables: set[str]) -> set[str]:
    """The variables that a statement may change."""
    found = _stored(statement)
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            found |= {name for part in (owner, *given) if part is not None for name in _loaded(part)}
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            found |= _loaded(node.value)
    return found & variables


def calls(statement: ast.stmt, names: set[str]) -> bool:
    """Whether a statement is nothing but a call of one of these functions."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Name)
        and statement.value.func.id in names
    )


def _tests(module: ast.Module) -> Iterator[Unit]:
    last = {s.name: i for i, s in enumerate(module.body) if isinstance(s, (*FUNCTIONS, ast.ClassDef))}
    for position, statement in enumerate(module.body):
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)) and last[statement.name] != position:
            continue  # a later definition replaces it
        if isinstance(statement, FUNCTIONS) and statement.name.startswith("test"):
            yield from _cases(statement, position, "", ())
        elif isinstance(statement, ast.ClassDef) and _is_test_class(statement, module):
            for member in {m.name: m for m in _methods(statement, module)}.values():
                if member.name.startswith("test"):
                    yield from _cases(member, position, statement.name, statement.decorator_list)


def _is_test_class(statement: ast.ClassDef, module: ast.Module) -> bool:
    lineage = [statement, *_bases(statement, module)]
    return statement.name.startswith("Test") or any(
        ast.unparse(base).endswith("TestCase") for kind in lineage for base in kind.bases
    )


def _bases(statement: ast.ClassDef, module: ast.Module) -> Iterator[ast.ClassDef]:
    """A class's bases in the same module."""
    names = {base.id for base in statement.bases if isinstance(base, ast.Name)} - {statement.name}
    for other in module.body:
        if isinstance(other, ast.ClassDef) and other.name in names and other.lineno < statement.lineno:
            yield from (*_bases(other, module), other)


def _methods(statement: ast.ClassDef, module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """A class's methods after those of its bases."""
    for kind in (*_bases(statement, module), statement):
        yield from (member for member in kind.body if isinstance(member, FUNCTIONS))


def _cases(
    function: ast.FunctionDef | ast.AsyncFunctionDef, position: int, owner: str, decorators: object
) -> Iterator[Unit]:
    marks = [*function.decorator_list, *(decorators if isinstance(decorators, list) else [])]
    if any(_name(mark).endswith(SKIPPED) for mark in marks) or any("fixture" in _name(mark) for mark in marks):
        return
    # as they are applied: the last one first, and the class's after the function's
    applied = [*reversed(function.decorator_list), *reversed(marks[len(function.decorator_list) :])]
    sets = [_sets_that_run(mark) for mark in applied if _name(mark).endswith("mark.parametrize")]
    known = [runs for runs in sets if runs is not None]
    if not sets or len(known) < len(sets):
        yield Unit("test", position, function.name, owner)
        return
    for case, runs in enumerate(itertools.product(*known)):
        if all(runs):
            yield Unit("test", position, function.name, owner, case)


def _sets_that_run(mark: ast.expr) -> list[bool] | None:
    """For each parameter set of a decorator, whether it has no mark that it must not run; None: no literal list."""
    if not isinstance(mark, ast.Call):
        return None
    values = [*mark.args[1:2], *(keyword.value for keyword in mark.keywords if keyword.arg == "argvalues")]
    if len(values) != 1 or not isinstance(values[0], (ast.List, ast.Tuple)):
        return None
    if any(isinstance(item, ast.Starred) for item in values[0].elts):
        return None
    return [not any(_name(part).endswith(SKIPPED) for part in _marks_of_set(item)) for item in values[0].elts]


def _marks_of_set(item: ast.expr) -> list[ast.expr]:
    """The marks of a parameter set: those of `pytest.param(..., marks=...)`."""
    given = [keyword.value for keyword in item.keywords if keyword.arg == "marks"] if isinstance(item, ast.Call) else []
    return [part for mark in given for part in (mark.elts if isinstance(mark, (ast.List, ast.Tuple)) else [mark])]


def _name(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _check(module: ast.Module) -> Iterator[Unit]:
    end = len(module.body)
    for statement in module.body:
        if isinstance(statement, FUNCTIONS) and statement.name == "check" and _takes_one(statement.args):
            called = [position for position, other in enumerate(module.body) if calls(other, {"check"})]
            yield Unit("statement", called[-1], "check") if called else Unit("check", end, "check")
            return


def _takes_one(arguments: ast.arguments) -> bool:
    return len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults) == 1


def _statements(module: ast.Module) -> Iterator[Unit]:
    """Statements that assert, or that call a function of the test program that does."""
    functions: set[str] = set()
    for _ in range(HELPERS_DEEP):
        functions |= {s.name for s in module.body if isinstance(s, FUNCTIONS) and _asserts(s, functions)}
    for position, statement in enumerate(module.body):
        if not isinstance(statement, (*FUNCTIONS, ast.ClassDef)) and _asserts(statement, functions):
            yield Unit("statement", position, f"line {statement.lineno}")


def _asserts(statement: ast.stmt, functions: set[str]) -> bool:
    """Whether a statement fails when something does not hold."""
    return any(
        isinstance(node, (ast.Assert, ast.Raise))
        or (isinstance(node, ast.Call) and (_is_assertion(last_name(node.func)) or _is_one_of(node.func, functions)))
        for node in ast.walk(statement)
    )


def _is_assertion(name: str) -> bool:
    """Whether a function of a library is called so that fails when something does not hold."""
    return name.startswith("assert") or name == "raises"


def _is_one_of(function: ast.expr, names: set[str]) -> bool:
    return isinstance(function, ast.Name) and function.id in names
