"""What a test program of KodCode takes from the solution beside it.

The generator ran both in one namespace. A test program may thus use a class, a helper or a module of the solution, with
or without `from solution import ...`; another submission does not have it unless the problem gives it.
"""

from __future__ import annotations

import ast
import builtins
import re
from textwrap import indent

from microcoder_data.syntax import nodes, nodes_of, parsed, walk

_IMPORTED = re.compile(r"^[ \t]*from solution import \(?\s*((?:\w+\s*,?\s*)+)\)?", re.MULTILINE)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def function_under_test(test_code: str, solution: str) -> str:
    """The function under test: the first one that the tests import, else the solution's first one that they name.

    If there are functions, an imported class is a structure that they take, such as `TreeNode`.
    """
    imported = _imported(test_code)
    program = parsed(solution)
    if program is None:
        return imported[0] if imported else ""
    functions = [node.name for node in program.body if isinstance(node, ast.FunctionDef)]
    classes = [node.name for node in program.body if isinstance(node, ast.ClassDef)]
    if imported:
        return next((name for name in imported if name in functions), imported[0])
    tests = parsed(test_code)
    named = _loaded(tests) if tests else set(re.findall(r"\w+", test_code))  # `pytest.main()` names no `main`
    return next((name for name in [*functions, *classes] if name in named), "")


def definitions_of_the_problem(test_code: str, solution: str, statement: str) -> list[str]:
    """The solution's definitions that the tests use and the statement leaves unsaid.

    Classes are left out when the statement defines them, functions when it names them: those are asked for.
    """
    program = parsed(solution)
    if program is None:
        return []
    defined = {node.name: node for node in program.body if isinstance(node, _Definition)}
    needed = _taken(test_code) & defined.keys() - {function_under_test(test_code, solution)}
    given: set[str] = set()
    while needed:
        name = needed.pop()
        if isinstance(defined[name], ast.ClassDef):
            said = f"class {name}" in statement
        else:
            said = re.search(rf"\b{name}\b", statement) is not None
        if not said:
            given.add(name)
            needed |= (_loaded(defined[name]) & defined.keys()) - given - {name}
    return [ast.get_source_segment(solution, node) or "" for name, node in defined.items() if name in given]


def names_what_is_called(text: str, name: str, test_code: str, solution: str) -> bool:
    """Whether a text names the function under test; of a class also the methods that the tests call."""
    tests, program = parsed(test_code), parsed(solution)
    called = {node.attr for node in nodes_of(tests, ast.Attribute)} if tests else set()
    methods = {
        method.name
        for node in (program.body if program else ())
        if isinstance(node, ast.ClassDef) and node.name == name
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name in called
    }
    return all(re.search(rf"\b{re.escape(one)}\b", text) for one in [name, *methods])


def skeleton(name: str, solution: str) -> str:
    """The head of a function, or of a class and its public methods, without bodies; empty when it is not defined."""
    program = parsed(solution)
    for node in program.body if program else ():
        if isinstance(node, _Definition) and node.name == name:
            return _emptied(node)
    return ""


def _emptied(node: _Definition) -> str:
    if not isinstance(node, ast.ClassDef):
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        return f"{keyword} {node.name}({ast.unparse(node.args)}){returns}:\n    pass"
    public = [
        method
        for method in node.body
        if isinstance(method, ast.FunctionDef) and (not method.name.startswith("_") or method.name.endswith("__"))
    ]
    decorated = [
        "".join(f"@{ast.unparse(one)}\n" for one in method.decorator_list) + _emptied(method) for method in public
    ]
    return f"class {node.name}:\n" + indent("\n\n".join(decorated) or "pass", "    ")


def with_imports(test_code: str, solution: str) -> str:
    """The test program with the imports of the solution that it uses without importing them, such as `math`."""
    program, free = parsed(solution), _free(test_code)
    lines = []
    for node in program.body if program else ():
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in free]
            if names and getattr(node, "module", "") != "solution":
                made = (
                    ast.Import(names)
                    if isinstance(node, ast.Import)
                    else ast.ImportFrom(node.module, names, node.level)
                )
                lines.append(ast.unparse(made))
    return "\n".join([*lines, test_code])


def _taken(test_code: str) -> set[str]:
    return _free(test_code) | set(_imported(test_code))


def _imported(test_code: str) -> list[str]:
    return [name for found in _IMPORTED.finditer(test_code) for name in re.findall(r"\w+", found[1])]


def _free(test_code: str) -> set[str]:
    """The names that a program uses and binds nowhere."""
    program = parsed(test_code)
    return _loaded(program) - _bound(program) - set(dir(builtins)) if program else set()


def _loaded(tree: ast.AST) -> set[str]:
    return {node.id for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _bound(program: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in nodes(program):
        if isinstance(node, _Definition):
            found.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found
