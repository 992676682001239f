"""Functions on linked lists and binary trees: their test program as calls on plain values, and made tests put back.

    program = read_program(row)                # None unless every case builds its arguments in one way that is known
    plain = program.as_calls(row)              # the same problem of kind `call`: lists for nodes, wrapped solutions
    program.with_tests(plain["tests"][3:])     # the row's test program with more cases, written as its own are

A row on nodes has kind `asserts`. Its grammar, proof and search for differences need calls on plain values; the grader
builds lists and trees for a call by the annotations of the starter code. Where an argument or the answer is a single
node, each solution is wrapped in a method that finds the node. The test program that the row keeps is its own: a made
case is its first case with other literals.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.make_tests.grammar.signature import annotated_parameters
from microcoder_data.schema import Row, new_test
from microcoder_data.sources.columns import encode_arguments, encode_value
from microcoder_eval.arguments import parse_arguments

WRAPPER = "CallOnPlainValues"
_HEAD = f"class {WRAPPER}:"
_NODE_OF = "node of "
_FIND_NODE = """\
    @staticmethod
    def _node_with_value(root, value):
        waiting = [root]
        for node in waiting:
            if node is not None:
                if node.val == value:
                    return node
                waiting += [node.left, node.right]
        return None
"""
"""A method of the wrapper: a solution may have functions of any name."""
_READERS = {"list_values": "list", "tree_values": "tree"}
_SAME = {"is_same_list": "list", "is_same_tree": "tree"}
_BUILDERS = {"list_node": "list", "tree_node": "tree"}


class _Unknown(Exception):
    """A case has a form that no reader knows."""


@dataclass(frozen=True)
class _Case:
    """One case of a test program: its statements, and the paths of literals in them."""

    statements: list[ast.stmt]
    given: dict[str, ast.expr]
    """The literal of each argument, by the parameter's name."""
    forms: dict[str, str]
    """How each argument is built: plain, list, tree, lists, or `node of PARAMETER`."""
    wanted: ast.expr
    answer: str
    """How the answer is read: plain, list, tree, value (of one node), each list, each tree; or `PARAMETER list` and
    `PARAMETER tree` for an argument that is changed in place."""


@dataclass(frozen=True)
class NodeProgram:
    """A test program on linked lists or trees."""

    text: str
    end: int
    """The last line of its function `check`."""
    indent: str
    first: _Case
    cases: tuple[tuple[dict[str, Any], Any], ...]
    """The arguments and the answer of every case, as plain values."""

    def as_calls(self, row: Row) -> Row:
        """The row as a problem of kind `call` on plain values, with a test for each case."""
        function = row["entry_point"].rpartition(".")[2]
        tests = [new_test(encode_arguments(given), encode_value(wanted), origin="official")
                 for given, wanted in self.cases]  # fmt: skip
        solutions = [
            {**one, "code": self.plain_solution(one["code"], row["entry_point"])}
            for one in row["solutions"] if one["language"] == "python" and not one.get("files")
        ]  # fmt: skip
        plain: Row = {"kind": "call", "test_code": None, "tests": tests, "solutions": solutions, "groups": None}
        return {**row, **plain, "entry_point": f"{WRAPPER}.{function}" if self.has_single_nodes else row["entry_point"]}

    @property
    def has_single_nodes(self) -> bool:
        """Whether an argument or the answer is one node of a tree, which a plain call cannot give."""
        return self.first.answer == "value" or any(form.startswith(_NODE_OF) for form in self.first.forms.values())

    def plain_solution(self, code: str, entry_point: str) -> str:
        """A solution as the problem on plain values takes it."""
        return self._wrapped(code, entry_point) if self.has_single_nodes else code

    def _wrapped(self, code: str, entry_point: str) -> str:
        """A solution with a class behind it whose method takes and gives plain values in place of single nodes."""
        owner, _, function = entry_point.replace("()", "").rpartition(".")
        names = ", ".join(self.first.forms)
        found = [f"        {name} = self._node_with_value({form.removeprefix(_NODE_OF)}, {name})"
                 for name, form in self.first.forms.items() if form.startswith(_NODE_OF)]  # fmt: skip
        called = f"{f'{owner}().' if owner else ''}{function}({names})"
        answer = f"        return {called}{'.val' if self.first.answer == 'value' else ''}"
        return "\n".join([code, "", _HEAD, f"    def {function}(self, {names}):", *found, answer, "", _FIND_NODE])

    def with_tests(self, tests: Sequence[dict[str, Any]]) -> str:
        """The test program with more cases behind its own."""
        lines = self.text.split("\n")
        more = [line for test in tests for line in self._case_lines(test)]
        return "\n".join([*lines[: self.end], *more, *lines[self.end :]])

    def _case_lines(self, test: dict[str, Any]) -> list[str]:
        given = parse_arguments(test["input"])
        values = given if isinstance(given, dict) else dict(zip(self.first.given, given, strict=True))
        (wanted,) = parse_arguments(test["output"])
        by_literal = {id(literal): values[name] for name, literal in self.first.given.items()}
        by_literal[id(self.first.wanted)] = wanted
        memo = {key: ast.parse(repr(value), mode="eval").body for key, value in by_literal.items()}
        statements = copy.deepcopy(self.first.statements, memo)
        return [f"{self.indent}{line}" for one in statements for line in ast.unparse(one).split("\n")]


def read_program(row: Row) -> NodeProgram | None:
    """The test program of a row, if all its cases build linked lists or trees in one way that is known."""
    text = (row["test_code"] or "").replace("\r\n", "\n").replace("\r", "\n")
    function = (row["entry_point"] or "").rpartition(".")[2]
    if row["kind"] != "asserts" or not function or not any(name in text for name in _BUILDERS):
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    check = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "check"]
    if len(check) != 1 or len(check[0].args.args) != 1 or check[0].end_lineno is None:
        return None
    names = list(annotated_parameters(row))
    try:
        cases = [_case(statements, check[0].args.args[0].arg, names) for statements in _groups(check[0].body)]
        values = tuple((_values(case), ast.literal_eval(case.wanted)) for case in cases)
    except (_Unknown, ValueError, RecursionError):
        return None
    kinds = [{**case.forms, "": case.answer} for case in cases]
    changed = kinds[0][""].rpartition(" ")[0] if kinds else ""
    if changed not in ("", "each", *names[:1]):  # a call gives only its first argument back
        return None
    if not cases or any(one != kinds[0] for one in kinds) or not set(kinds[0].values()) - {"plain"}:
        return None
    if check[0].body[0].lineno == check[0].lineno:  # the whole function is on one line
        return None
    first_line = text.split("\n")[check[0].body[0].lineno - 1]
    indent = first_line[: check[0].body[0].col_offset]  # spaces or tabs
    return NodeProgram(text, check[0].end_lineno, indent, cases[0], values)


def lines_before_wrapper(code: str, lines: set[int]) -> set[int]:
    """Those of the lines that belong to the solution itself.

    >>> lines_before_wrapper("x = 1\\nclass CallOnPlainValues:\\n    y = 2", {1, 3})
    {1}
    """
    listed = code.split("\n")
    return {line for line in lines if line <= listed.index(_HEAD)} if _HEAD in listed else lines


def _values(case: _Case) -> dict[str, Any]:
    found = {name: ast.literal_eval(literal) for name, literal in case.given.items()}
    return {name: [] if value is None and case.forms[name] in ("list", "tree") else value
            for name, value in found.items()}  # fmt: skip


def _groups(body: list[ast.stmt]) -> list[list[ast.stmt]]:
    """The statements of each case: what stands before an assertion belongs to it."""
    groups: list[list[ast.stmt]] = [[]]
    for statement in body:
        groups[-1].append(statement)
        if isinstance(statement, ast.Assert):
            groups.append([])
    if groups.pop():
        raise _Unknown("statements behind the last assertion")
    return groups


def _case(statements: list[ast.stmt], candidate: str, names: list[str]) -> _Case:
    assigned: dict[str, ast.expr] = {}
    call: ast.Call | None = None
    for statement in statements[:-1]:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(
                statement.targets[0], ast.Name):  # fmt: skip
            if statement.targets[0].id in (*assigned, *_BUILDERS, candidate):
                raise _Unknown("a name with two meanings")
            assigned[statement.targets[0].id] = statement.value
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and call is None:
            call = statement.value
        else:
            raise _Unknown("a statement that builds nothing")
    assertion = statements[-1]
    if not isinstance(assertion, ast.Assert) or assertion.msg is not None:
        raise _Unknown("no assertion")
    answered, answer, wanted = _assertion(assertion.test)
    if call is not None:  # changed in place: what is read is an argument
        if not isinstance(answered, ast.Name) or answered.id not in assigned:
            raise _Unknown("what is read is no argument")
        answer = f"{answered.id} {answer}"
    elif isinstance(answered, ast.Call):
        call = answered
    if call is None or not (isinstance(call.func, ast.Name) and call.func.id == candidate):
        raise _Unknown("the function is not called")
    passed = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if len(passed) != len(call.keywords) or (passed and call.args) or (call.args and len(call.args) != len(names)):
        raise _Unknown("arguments in several ways")
    passed = passed or dict(zip(names, call.args, strict=True))
    if list(passed) != names:
        raise _Unknown("other arguments than the signature's")
    variables = {name for name, value in passed.items() if isinstance(value, ast.Name) and value.id == name}
    given, forms = {}, {}
    for name, value in passed.items():
        expression = assigned.get(value.id, value) if isinstance(value, ast.Name) else value
        given[name], forms[name] = _built(expression)
    trees = {form.removeprefix(_NODE_OF) for form in forms.values() if form.startswith(_NODE_OF)}
    if not trees | ({answered.id} if isinstance(answered, ast.Name) else set()) <= variables:
        raise _Unknown("a tree that is no argument")
    if len({id(literal) for literal in given.values()}) < len(given):
        raise _Unknown("one literal for two arguments")
    return _Case(statements, given, forms, wanted, answer)


def _one_argument(value: ast.expr, functions: dict[str, str]) -> tuple[str, ast.expr] | None:
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in functions):
        return None
    return (functions[value.func.id], value.args[0]) if len(value.args) == 1 and not value.keywords else None


def _each(value: ast.expr, functions: dict[str, str]) -> tuple[str, ast.expr] | None:
    """For `[list_node(values) for values in LISTS]`: the kind of the nodes, and what is gone through."""
    if isinstance(value, ast.ListComp) and len(value.generators) == 1 and not value.generators[0].ifs:
        one = _one_argument(value.elt, functions)
        target = value.generators[0].target
        if one and isinstance(one[1], ast.Name) and isinstance(target, ast.Name) and one[1].id == target.id:
            return one[0], value.generators[0].iter
    return None


def _built(value: ast.expr) -> tuple[ast.expr, str]:
    """The literal in an argument's expression, and how the argument is built from it."""
    if one := _one_argument(value, _BUILDERS):
        return one[1], one[0]
    if (several := _each(value, _BUILDERS)) and several[0] == "list":
        return several[1], "lists"
    match value:
        case ast.Call(func=ast.Name(id="tree_find"), args=[ast.Name(id=tree), literal], keywords=[]):
            return literal, f"{_NODE_OF}{tree}"
    return value, "plain"


def _assertion(test: ast.expr) -> tuple[ast.expr, str, ast.expr]:
    """What is read, how, and the literal that it must equal."""
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in _SAME and len(test.args) == 2:
        built = _one_argument(test.args[1], _BUILDERS)
        if built and built[0] == _SAME[test.func.id]:
            return test.args[0], built[0], built[1]
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        left, wanted = test.left, test.comparators[0]
        if one := _one_argument(left, _READERS):
            return one[1], one[0], wanted
        if several := _each(left, _READERS):
            return several[1], f"each {several[0]}", wanted
        if isinstance(left, ast.Attribute) and left.attr == "val":
            return left.value, "value", wanted
        return left, "plain", wanted
    raise _Unknown("an assertion that compares nothing")
