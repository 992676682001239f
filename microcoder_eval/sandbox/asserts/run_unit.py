"""Runs one unit of a test program against a program in another sandbox.

`prepare` parses and compiles the tests. `run` runs one unit and writes a report to descriptor 6, where the supervisor
reads it: the secret that came with the unit's number, then {"ended": one of `ENDINGS`, "detail": text, "where": text},
with "got" and "wanted" when a comparison was false, with "line" and "exception" when the program raised. "passed" is
written in one place only, after the unit has run to its end.

A unit is "unfit" when it would fail with a right program too. A failure that depends on the program's answers is never
"unfit": otherwise a wrong program could avoid its verdict by making the tests fail in a strange way.
"""

from __future__ import annotations

import __future__ as future_features  # isort: skip

import ast
import json
import reprlib
import sys
from _thread import stack_size
from collections.abc import Mapping
from types import CodeType
from typing import Any, NamedTuple, NoReturn

from microcoder_eval.boundary.assert_units import (
    Unit,
    calls,
    evaluates,
    is_in_branch,
    is_surely_run,
    left_out,
    parse,
    units_of,
)
from microcoder_eval.boundary.box_protocol import OUT_OF_MEMORY, REFUSED
from microcoder_eval.sandbox.asserts.channel import Broken, Channel, Flooded, TooLarge
from microcoder_eval.sandbox.asserts.class_names import class_names, methods, unlike_builtins
from microcoder_eval.sandbox.asserts.data_codec import NESTING, Untransferable
from microcoder_eval.sandbox.asserts.derived import own_super
from microcoder_eval.sandbox.asserts.emitted import listened_to
from microcoder_eval.sandbox.asserts.expected_errors import Expected, expected_errors
from microcoder_eval.sandbox.asserts.names_read import reads_the_program
from microcoder_eval.sandbox.asserts.noted_calls import NEXT, SEEDS, NotedCalls, next_of
from microcoder_eval.sandbox.asserts.program_names import FreeNames, MissingName, ProgramModule, imports
from microcoder_eval.sandbox.asserts.program_side import THREAD_STACK_BYTES
from microcoder_eval.sandbox.asserts.proxies import RemoteClass, is_handle, same
from microcoder_eval.sandbox.asserts.pytest_subset import Skipped, Unsupported
from microcoder_eval.sandbox.asserts.run_test import refuse_unless_it_runs, run_test
from microcoder_eval.sandbox.asserts.settings import Shared, settings_changed_by
from microcoder_eval.sandbox.asserts.suppressed import blocks_with_asserts, checking_lines
from microcoder_eval.sandbox.asserts.tests_side import Tests
from microcoder_eval.sandbox.asserts.trust import AnswerRefused
from microcoder_eval.sandbox.harness import answer_and_leave, cause_of, fresh_main, take_question

ENDINGS = {
    "passed": "the unit ran to its end",
    "failed": "an assertion was false, or the tests could not use what the program returned",
    "raised": "the program raised an exception, or does not define what the tests need",
    OUT_OF_MEMORY: "the program ran out of memory",
    REFUSED: "the sandbox refused the program a system call",
    "unfit": "the tests cannot be run here",
    "broken": "the program breaks the protocol of the channel",
    "flooded": "the program sends more than the tests accept",
}
FILE = "tests.py"
LEFT, RIGHT, SAME, GOT = "@left", "@right", "@same", "@got"
SHOWN, LINE_SHOWN, SIDE_SHOWN = 120, 160, 2000
IDENTITY = {
    "assertIs": ("assertTrue", 2),
    "assertIsNot": ("assertFalse", 2),
    "assertIsNone": ("assertTrue", 1),
    "assertIsNotNone": ("assertFalse", 1),
}
"""Methods of `unittest` that compare identity: the method to call on the answer, and how many values are compared."""


class Prepared(NamedTuple):
    """A test program, compiled statement by statement."""

    tree: ast.Module
    units: list[Unit]
    unneeded: dict[Unit, set[int]]
    """For each unit, the positions of statements that do not run before it."""
    code: list[CodeType]
    lines: list[str]
    entry_point: str | None
    class_names: frozenset[str]
    unlike_builtins: frozenset[str]
    tested_methods: frozenset[str]
    blocks_with_asserts: list[range]
    checking_lines: set[int]
    expected_errors: Expected
    settings: list[str]
    """The settings of the process that the tests may change (`settings.py`)."""
    listened_to: list[str]
    """What the tests may listen to (`emitted.py`)."""
    evaluates: bool
    """Whether the tests execute text that they read, which may come from the program."""


def prepare(test_code: str, entry_point: str | None, starter_code: str = "") -> Prepared:
    """Parse and compile a test program; raises `InputError` or `SyntaxError` when it cannot be used."""
    tree = parse(test_code)
    units = units_of(tree)
    flags = _flags_of_future_imports(tree)
    code = []
    noted_calls = NotedCalls(tree)
    for statement in parse(test_code).body:
        noted = noted_calls.visit(ast.Module([statement], []))
        shown = _Identity().visit(_Explaining().visit(noted)).body
        body = ast.Module(shown, [])
        code.append(compile(ast.fix_missing_locations(body), FILE, "exec", flags, dont_inherit=True))
    entry = (entry_point or "").replace("()", "").partition(".")[0]
    trusted = class_names(tree, entry, starter_code)
    return Prepared(
        *(tree, units, left_out(tree, units), code, test_code.splitlines(), entry_point),
        *(trusted, unlike_builtins(tree, entry), methods(tree, trusted, starter_code)),
        *(blocks_with_asserts(tree), checking_lines(tree), expected_errors(tree)),
        settings=settings_changed_by(test_code),
        listened_to=listened_to(test_code),
        evaluates=evaluates(test_code),
    )


def run(tests: Prepared, session: int) -> NoReturn:
    """Run the unit whose number is on stdin, write its report, and exit."""
    secret, number = take_question()
    unit = tests.units[int(number)]
    sys.setrecursionlimit(NESTING)
    stack_size(THREAD_STACK_BYTES)
    peer = None
    try:
        peer = Tests(Channel(session, trusting=False), _module_name(unit))
        _run_unit(tests, unit, peer)
        if peer.fatal_error is not None:
            raise peer.fatal_error
        report = {"ended": "passed", "detail": "", "where": ""}
    except BaseException as error:
        try:
            report = _report(error, peer, tests)
        except Broken as lost:  # the report asks the program for the text of its objects
            report = _report(lost, peer, tests)
    answer_and_leave(secret, json.dumps(report).encode())


def _module_name(unit: Unit) -> str:
    return "__main__" if unit.kind == "statement" else "tests"


def _run_unit(tests: Prepared, unit: Unit, peer: Tests) -> None:
    main = fresh_main()
    main.update({"__name__": _module_name(unit), "__file__": FILE, SAME: same, "super": own_super})
    shared = Shared(tests.settings)
    main.update({SEEDS: shared.note_seeding, NEXT: next_of(peer, main)})
    peer.listen(shared, tests.listened_to)
    sys.modules["tests"] = sys.modules["__main__"]
    peer.blocks_with_asserts, peer.checking_lines = tests.blocks_with_asserts, tests.checking_lines
    peer.tests_file = FILE
    peer.expected_errors = tests.expected_errors
    peer.tested_methods = tests.tested_methods
    names = FreeNames(tests.tree, tests.entry_point, peer, tests.unlike_builtins)
    names.put_into(main, tests.class_names)
    peer.used = False
    test_names = {other.name for other in tests.units if other.kind == "test"}
    for position, (statement, code) in enumerate(zip(tests.tree.body, tests.code, strict=True)):
        if unit.kind == "statement" and position > unit.position:
            break
        if position not in tests.unneeded[unit] and not calls(statement, test_names):
            exec(code, main)
    if unit.name == "check" and unit.kind != "test":
        refuse_unless_it_runs(main.get("check"), may_be_async=False)
    if unit.kind == "check":
        main["check"](peer.named("entry point", tests.entry_point or ""))
    elif unit.kind == "test":
        run_test(unit, main)
    if unit.kind != "statement":
        _refuse_replaced(unit, tests.code, main, peer)
    if not peer.used and (lacks := names.not_defined()):
        raise MissingName(f"the tests use nothing of the program, which does not define {lacks}")


def _refuse_replaced(unit: Unit, statements: list[CodeType], main: dict[str, Any], peer: Tests) -> None:
    """Raise if the program has decorated the test and not run it to its end: then the unit has tested nothing."""
    owner = main.get(unit.owner) if unit.owner else None
    if is_handle(owner):
        raise AssertionError(f"{unit.owner} is decorated by the program, which did not give it back")
    found = getattr(owner, unit.name, None) if owner is not None else main.get(unit.name or "check")
    for code in (code for statement in statements for code in _codes_called(unit.name or "check", statement)):
        if getattr(found, "__code__", None) is code:
            return
        if peer.was_handed_over(code) and code not in peer.ran_to_end:
            raise AssertionError(f"{code.co_name} is decorated by the program and did not run to its end")


def _codes_called(name: str, outer: CodeType) -> list[CodeType]:
    inner = [code for code in outer.co_consts if isinstance(code, CodeType)]
    return [found for code in inner for found in ([code] if code.co_name == name else _codes_called(name, code))]


def _report(error: BaseException, peer: Tests | None, tests: Prepared) -> dict[str, str]:
    """The report of a unit that did not pass. A fatal error counts even if the tests have caught it."""
    if peer is not None and peer.fatal_error is not None:
        error = peer.fatal_error
    line = _line_in_tests(error)
    source = tests.lines[line - 1].strip()[:LINE_SHOWN] if 0 < line <= len(tests.lines) else ""
    where = f"line {line} of the tests: {source}" if source else ""
    name = type(error).__name__
    if isinstance(error, Flooded) or isinstance(error.__cause__, TooLarge):
        return {"ended": "flooded", "detail": str(error), "where": where}
    if isinstance(error, AnswerRefused):
        return {"ended": "failed", "detail": str(error), "where": where}
    if isinstance(error, Broken):
        return {"ended": "broken", "detail": str(error), "where": where}
    if peer is None:  # the program's first message could not be read
        return {"ended": "broken", "detail": f"{name}: {error}", "where": where}
    if _is_unfit(error, peer, tests):
        return {"ended": "unfit", "detail": _unfit_because(error), "where": where}
    if peer.error_number(error) is not None:
        line = peer.program_line(error)
        raised = {
            "ended": cause_of(error) or "raised",
            "detail": f"{name}: {peer.text_of(error)}",
            "where": f"line {line}" if line else where,
        }
        return {**raised, "line": str(line), "exception": name}
    if _is_missing(error):
        return {"ended": "raised", "detail": f"{name}: {error}", "where": where}
    if isinstance(error, AssertionError):
        return {"ended": "failed", "detail": _explanation(error), "where": where, **_sides(error)}
    return {"ended": "failed", "detail": f"the tests could not go on: {name}: {_short(str(error))}", "where": where}


def _is_unfit(error: BaseException, peer: Tests, tests: Prepared) -> bool:
    """Whether the tests would fail in this way with a right program too."""
    if isinstance(error, (Unsupported, Untransferable)):
        return not (peer.used and (tests.evaluates or is_in_branch(tests.tree, _line_in_tests(error))))
    if peer.error_number(error) is not None or _is_missing(error):
        return False
    if not peer.used:
        return not reads_the_program(error, peer, tests.tree, FILE)
    if tests.evaluates or isinstance(error, Skipped) or type(error).__name__ == "SkipTest":
        return False  # the program's answers may be the reason
    if isinstance(error, ImportError):
        imported = {module for module, _ in imports(tests.tree)}
        in_branch = is_in_branch(tests.tree, _line_in_tests(error))
        return str(error.name).partition(".")[0] in imported and not in_branch
    return isinstance(error, SystemExit) and not error.code and is_surely_run(tests.tree, _line_in_tests(error))


def _unfit_because(error: BaseException) -> str:
    is_ours = isinstance(error, (Unsupported, Skipped, Untransferable))
    return f"{error}" if is_ours else f"{type(error).__name__}: {error}"


def _is_missing(error: BaseException) -> bool:
    """Whether the tests looked for a name that the program should define."""
    if isinstance(error, ImportError):
        return isinstance(sys.modules.get(str(error.name)), ProgramModule)
    return isinstance(error, MissingName) or type(error) is NameError


def _line_in_tests(error: BaseException) -> int:
    line, trace = 0, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == FILE else line
        trace = trace.tb_next
    return line


def _explanation(error: AssertionError) -> str:
    """The two sides of the comparison that was false, with the assertion's message; or the message alone."""
    message = _short(str(error)) if error.args else ""
    compared = _compared(error)
    if not compared:
        return message
    sides = f"{_shown(compared[LEFT])} against {_shown(compared[RIGHT])}"
    return f"{sides} ({message})" if message else sides


def _sides(error: AssertionError) -> dict[str, str]:
    """The program's side and the expected side of the false comparison, at more length."""
    compared = _compared(error)
    if not compared:
        return {}
    got = compared[GOT]
    wanted = RIGHT if got == LEFT else LEFT
    return {"got": _shown(compared[got], _long_repr), "wanted": _shown(compared[wanted], _long_repr)}


def _compared(error: AssertionError) -> Mapping[str, Any]:
    """The variables in which `_Explaining` kept the false comparison; empty when the assertion was no comparison."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_filename != FILE or LEFT not in trace.tb_frame.f_locals:
        return {}
    return trace.tb_frame.f_locals


def _shown(value: Any, shape: reprlib.Repr | None = None) -> str:
    if is_handle(value):
        named = value if type(value) is RemoteClass else type(value)
        return f"an object of the program's class {_short(named.__name__)}"
    try:
        return _short(_repr.repr(value)) if shape is None else shape.repr(value)[:SIDE_SHOWN]
    except Exception as error:
        return f"a value whose repr raises {type(error).__name__}"


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 20]}... {text[-16:]}"


_repr = reprlib.Repr()
_repr.maxlist = _repr.maxtuple = _repr.maxset = _repr.maxdict = 12
_repr.maxstring = _repr.maxother = _repr.maxlong = SHOWN
_long_repr = reprlib.Repr()
_long_repr.maxlist = _long_repr.maxtuple = _long_repr.maxset = _long_repr.maxdict = 200
_long_repr.maxstring = _long_repr.maxother = _long_repr.maxlong = SIDE_SHOWN


class _Explaining(ast.NodeTransformer):
    """Rewrites an asserted comparison to keep both sides in variables, so that a failure can show them."""

    def visit_Assert(self, node: ast.Assert) -> Any:
        if not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
            return node
        test = node.test
        left, right = test.left, test.comparators[0]
        got = ast.Constant(RIGHT if _calls(right) and not _calls(left) else LEFT)
        sides = [
            ast.Assign([ast.Name(name, ast.Store())], value)
            for name, value in ((LEFT, left), (RIGHT, right), (GOT, got))
        ]
        kept = ast.Compare(ast.Name(LEFT, ast.Load()), test.ops, [ast.Name(RIGHT, ast.Load())])
        statements = [*sides, ast.Assert(kept, node.msg)]
        return [ast.copy_location(statement, node) for statement in statements]


def _calls(side: ast.expr) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(side))


class _Identity(ast.NodeTransformer):
    """Rewrites `is`, and `assertIs` and its like, to compare the objects that proxies stand for."""

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        wanted = IDENTITY.get(node.func.attr) if isinstance(node.func, ast.Attribute) else None
        if wanted is None or not isinstance(node.func, ast.Attribute):
            return node
        method, count = wanted
        if len(node.args) < count or any(isinstance(argument, ast.Starred) for argument in node.args):
            return node
        compared = [*node.args[:count], *([ast.Constant(None)] if count == 1 else [])]
        node.func.attr = method
        node.args = [ast.Call(ast.Name(SAME, ast.Load()), compared, []), *node.args[count:]]
        return node

    def visit_Compare(self, node: ast.Compare) -> Any:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return node
        called: ast.expr = ast.Call(ast.Name(SAME, ast.Load()), [node.left, node.comparators[0]], [])
        if isinstance(node.ops[0], ast.IsNot):
            called = ast.UnaryOp(ast.Not(), called)
        return ast.copy_location(called, node)


def _flags_of_future_imports(tree: ast.Module) -> int:
    """The compiler flags of the `from __future__` imports, for the statements that are compiled one by one."""
    flags = 0
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for alias in statement.names:
                flags |= getattr(getattr(future_features, alias.name, None), "compiler_flag", 0)
    return flags
