"""What a test program asks for and the statement does not say.

A name to import, a parameter that every test sets to the same constant, a rounded pi, a limit of 32 bits, an error and
its message: these are read off the publisher's own solution and the tests. Programs are read, never run.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row
from microcoder_data.syntax import last_word, nodes, nodes_of, parsed, walk
from microcoder_data.verify.open_errors import EXPECT, OF_ERRORS, raised

_SHORT_PI = re.compile(r"3\.14(?:1|15|2|159|16|1593?)?|22(?:\.0)?/7(?:\.0)?")
_LIMITS = {2**31 - 1, -(2**31)}
_MEMBERS_OF_VALUES = frozenset(name for kind in (str, bytes, int, float, list, dict, set) for name in dir(kind))
_DEEPEST = 3
"""As `-(2**31)` is nested, with one to spare."""
_TELLS_32_BITS = re.compile(r"\b32\b|2147483|2 ?(?:\^|\*\*) ?\{?31|overflow|_MAX\b|_MIN\b", re.IGNORECASE)
_SAYS_EQUAL = frozenset(["assertEqual", "assertIn"])


def unsaid(row: Row, program: ast.Module, function: str, expected: list[ast.expr]) -> str:
    """In words, what nobody can know who has only the statement; empty when there is nothing."""
    if named := _unnamed(row, program, function):
        return f"the tests use {named}, and neither the statement nor the starter code names it"
    if named := _unnamed_member(row, program):
        return f"the tests use the member {named}, and neither the statement nor the starter code names it"
    if named := _unexplained_parameter(row, program, function):
        return f"the statement does not say what {named} is: the tests always pass the same"
    if number := _rounded_pi(row, expected):
        return f"the answers take {number} for pi, and the statement does not say so"
    if limit := _unsaid_limit(row, program):
        return f"the answers are cut at {limit}, and the statement does not say so"
    if error := _unsaid_error(row, program):
        return f"the tests want {error}, and the statement does not say so"
    return ""


def _unnamed(row: Row, program: ast.Module, function: str) -> str:
    """A name that the tests take from the submission and that no reader meets; empty when there is none."""
    text = f"{row['starter_code'] or ''}\n{whole_text(row)}"
    names = (name for name in [*_imported(program), *_free_classes(program)] if name not in ("*", function))
    return next((name for name in names if not re.search(rf"\b{name}\b", text)), "")


def _imported(program: ast.Module) -> Iterator[str]:
    """The names that the tests import from the submission."""
    for node in nodes_of(program, ast.ImportFrom):
        if node.module == "solution":
            yield from (alias.name for alias in node.names)


def _free_classes(program: ast.Module) -> list[str]:
    """The classes that a program makes objects of and does not define; none where a star import may define them.

    >>> _free_classes(ast.parse("from a import Point; root = Node(Point(1)); raise ValueError(root)"))
    ['Node']
    """
    called = dict.fromkeys(node.func.id for node in nodes_of(program, ast.Call) if isinstance(node.func, ast.Name))
    made = [name for name in called if name[0].isupper() and not hasattr(builtins, name)]
    if not made:
        return []
    known = {node.name for node in nodes_of(program, ast.ClassDef)}
    known |= {node.name for node in nodes_of(program, ast.FunctionDef)}
    known |= {node.id for node in nodes_of(program, ast.Name) if not isinstance(node.ctx, ast.Load)}
    known |= {node.arg for node in nodes_of(program, ast.arg)}
    imports: list[ast.Import | ast.ImportFrom] = [*nodes_of(program, ast.Import), *nodes_of(program, ast.ImportFrom)]
    known |= {alias.asname or alias.name for node in imports for alias in node.names}
    return [] if "*" in known else [name for name in made if name not in known]


def _unnamed_member(row: Row, program: ast.Module) -> str:
    """A member of a class that the tests import from the submission, if they use it and no reader meets it; or empty.

    Of other classes, such as a site's tree nodes, the tests have their own.
    """
    used = {node.attr for node in nodes_of(program, ast.Attribute) if isinstance(node.ctx, ast.Load)}
    used -= _MEMBERS_OF_VALUES | {node.name for node in nodes_of(program, ast.FunctionDef)}
    if not used:
        return ""
    imported = set(_imported(program))
    members = {name for solution in row["solutions"] for name in _members(parsed(solution["code"]), imported)}
    text = f"{row['starter_code'] or ''}\n{whole_text(row)}"
    return next((name for name in sorted(used & members) if not re.search(rf"\b{name}\b", text)), "")


def _members(program: ast.Module | None, classes: set[str]) -> Iterator[str]:
    """The methods of a program's classes with these names, and the attributes that they set on objects."""
    for owner in nodes_of(program, ast.ClassDef) if program else ():
        for node in walk(owner) if owner.name in classes else ():
            if isinstance(node, ast.FunctionDef):
                yield node.name
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield node.attr


def _unsaid_error(row: Row, program: ast.Module) -> str:
    """An error, or a message, that the publisher's solution chooses to raise; empty when there is none.

    Errors that Python raises by itself, such as an IndexError, come from any solution and are not counted.
    """
    if "raise" not in row["test_code"].lower() and "except" not in row["test_code"]:
        return ""
    chosen = set(raised(row))
    text = f"{row['starter_code'] or ''}\n{whole_text(row)}"
    passed = "\n".join(_passed(program))
    for error, message in _errors(program):
        if error in chosen and error not in text and not OF_ERRORS.search(text):
            return error
        if chosen and message and not _says(f"{text}\n{passed}", message):
            return f"the message {message[:80]!r}"
    return ""


def _errors(program: ast.Module) -> Iterator[tuple[str, str]]:
    """Each error that the tests expect, and each message, of which the other one is empty."""
    for node in nodes(program):
        if isinstance(node, ast.Call) and node.args and last_word(node.func) in EXPECT:
            yield ast.unparse(node.args[0]), ""
            wanted = [keyword.value for keyword in node.keywords if keyword.arg == "match"]
            if "Regex" in ast.unparse(node.func):
                wanted += node.args[1:2]
            for value in wanted:
                yield "", _text(value)
        for side, other in _compared(node):
            if _is_a_message(side):
                yield "", _text(other)


def _compared(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """The two sides of `a == b`, `a in b` or `self.assertEqual(a, b)`, both ways; nothing for anything else."""
    if isinstance(node, ast.Compare) and len(node.comparators) == 1 and isinstance(node.ops[0], ast.Eq | ast.In):
        left, right = node.left, node.comparators[0]
    elif isinstance(node, ast.Call) and len(node.args) > 1 and last_word(node.func) in _SAYS_EQUAL:
        left, right = node.args[:2]
    else:
        return []
    return [(left, right), (right, left)]


def _passed(program: ast.Module) -> Iterator[str]:
    """The texts that the tests pass to functions: a message may repeat them."""
    for call in nodes_of(program, ast.Call):
        if not last_word(call.func).startswith("assert"):
            yield from (_text(value) for value in call.args)


def _is_a_message(value: ast.expr) -> bool:
    """`str(e)`, `str(info.value)` or `err.exception.args[0]`."""
    if not isinstance(value, ast.Call | ast.Subscript):
        return False
    written = ast.unparse(value)
    return (
        re.fullmatch(
            r"str\((?:e|ex|exc|err|error|\w+\.(?:value|exception))\)|\w+\.(?:value|exception)\.args\[0\]", written
        )
        is not None
    )


def _text(value: ast.expr) -> str:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def _says(text: str, pattern: str) -> bool:
    """Whether all words of a message are in the text. The pattern is not run: it is a stranger's."""
    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"\\\w", " ", pattern.lower()))
    return all(word in text.lower() for word in words)


def _unexplained_parameter(row: Row, program: ast.Module, function: str) -> str:
    """A parameter that counts in the publisher's recursive solution, and that every test sets to the same constant.

    Nobody can guess it when the statement does not name it. Empty when there is none.
    """
    calls = [node for node in nodes_of(program, ast.Call) if _calls(node, function)]
    if len(calls) < 2 or row["starter_code"]:
        return ""
    text = whole_text(row)
    for solution in row["solutions"]:
        own = parsed(solution["code"]) if solution["language"] == "python" else None
        for node in nodes_of(own, ast.FunctionDef) if own else ():
            if node.name != function:
                continue
            inner = [call for call in walk(node) if isinstance(call, ast.Call) and _calls(call, function)]
            for position, argument in enumerate(node.args.args):
                if not any(
                    len(call.args) > position and _adds_a_constant(call.args[position], argument.arg) for call in inner
                ):
                    continue
                passed = {
                    ast.dump(call.args[position])
                    for call in calls
                    if isinstance(call, ast.Call) and len(call.args) > position
                }
                if len(passed) == 1 and not re.search(rf"\b{argument.arg}\b", text):
                    return argument.arg
    return ""


def _rounded_pi(row: Row, expected: list[ast.expr]) -> str:
    """A rounded pi in the publisher's solution, such as 3.1415, which exact answers miss; empty when there is none."""
    numbers = [node.value for wanted in expected for node in walk(wanted) if isinstance(node, ast.Constant)]
    exact = row["test_code"] or ""
    if not any(isinstance(number, float) for number in numbers) and "isclose" not in exact:
        return ""
    text = whole_text(row)
    for solution in row["solutions"]:
        program = parsed(solution["code"]) if solution["language"] == "python" else None
        for node in nodes(program) if program else ():
            written = ast.unparse(node).replace(" ", "") if isinstance(node, (ast.Constant, ast.BinOp)) else ""
            if _SHORT_PI.fullmatch(written) and written not in text:
                return written
    return ""


def _unsaid_limit(row: Row, program: ast.Module) -> str:
    """A limit of 32 bits that the tests and the publisher's solution have and the statement does not; empty without.

    Only both together show that answers are cut there: a test alone may have such a number by chance.
    """
    solutions = [parsed(solution["code"]) for solution in row["solutions"] if solution["language"] == "python"]
    named = {limit for own in solutions if own for limit in _limits(own)}  # solutions are shorter than tests
    if not named or _TELLS_32_BITS.search(whole_text(row)):
        return ""
    return str(min(named & _limits(program), default=""))


def _limits(program: ast.Module) -> set[int]:
    """The limits of signed 32-bit numbers that a program names: as numbers, or computed as `2**31 - 1`."""
    kinds = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Call)  # others have no value
    return _LIMITS & {_number(node) for kind in kinds for node in nodes_of(program, kind)}


def _number(node: ast.AST, depth: int = _DEEPEST) -> int | None:
    """The value of a number, or of a short computation with small powers; None of anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int) else None
    if depth == 0:
        return None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        negated = _number(node.operand, depth - 1)
        return None if negated is None else -negated
    if isinstance(node, ast.Call) and len(node.args) == 2 and isinstance(node.func, ast.Name) and node.func.id == "pow":
        node = ast.BinOp(node.args[0], ast.Pow(), node.args[1])
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _number(node.left, depth - 1), _number(node.right, depth - 1)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Sub):
        return left - right
    if left in (1, 2) and 0 <= right < 64 and isinstance(node.op, (ast.Pow, ast.LShift)):
        return left**right if isinstance(node.op, ast.Pow) else left << right
    return None


def _calls(node: ast.AST, function: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function


def _adds_a_constant(argument: ast.expr, name: str) -> bool:
    """Whether an argument is `name + 1`, or plus another constant."""
    return (
        isinstance(argument, ast.BinOp)
        and isinstance(argument.op, ast.Add)
        and isinstance(argument.left, ast.Name)
        and argument.left.id == name
        and isinstance(argument.right, ast.Constant)
    )
