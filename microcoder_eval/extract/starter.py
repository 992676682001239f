"""Completes a reply with the parts of the problem's starter code that the reply leaves out.

A reply may hold the whole program, only the method, a bare function instead of `class Solution` (or the reverse), only
the function's body, or a body whose first line lost its indentation. Python only. It never raises and never guesses a
name.
"""

from __future__ import annotations

import ast
import re

from microcoder_eval.extract.choice import join_sources
from microcoder_eval.extract.lexing import PYTHON, strip_line, strip_lines
from microcoder_eval.extract.reader import LONGEST_SOURCE, PythonReader, dedented
from microcoder_eval.extract.syntax_summary import FUNCTIONS, bound_by

_PLACEHOLDER = re.compile(r"\s*(?:pass|\.\.\.|raise NotImplementedError\b.*|#.*)?\s*$")


def complete_with_starter(code: str, starter: str, entry_point: str | None, reader: PythonReader) -> tuple[str, bool]:
    """The code with the parts of the starter code that it needs, and whether anything was added.

    >>> complete_with_starter("return a + b", "def add(a, b):\\n", "add", PythonReader())
    ('def add(a, b):\\n    return a + b', True)
    """
    entry_point = entry_point or _last_function(starter, reader)
    if entry_point is None or len(code) > LONGEST_SOURCE:
        return code, False
    if not reader.defines(code, entry_point):
        whole = _with_body(code, starter, entry_point, reader)
        if whole is None:
            return code, False
    else:
        whole = code if reader.summary(code) else dedented(code)
    whole = join_sources([*_needed(whole, starter, entry_point, reader), whole, *_adapter(whole, entry_point, reader)])
    return whole, whole != code


def _with_body(code: str, starter: str, entry_point: str, reader: PythonReader) -> str | None:
    """The starter code with the reply as the body of its last function, or None when the reply is not a body."""
    tree, _ = reader.parse(dedented(code))
    if tree is not None and not code[:1].isspace() and _only_defines(tree):
        return None  # it defines other names, so it is not the body of this function
    head = starter.split("\n")
    while head and _PLACEHOLDER.match(head[-1]):
        head.pop()
    if not head:
        return None
    first, _, rest = code.strip("\n").partition("\n")
    for indent in _body_indents(head[-1]):
        for body in (code, _indented(dedented(code), indent), _indented(f"{first.lstrip()}\n{dedented(rest)}", indent)):
            whole = "\n".join([*head, body.strip("\n")])
            tree, _ = reader.parse(whole)
            if tree is not None and _has_body(tree, entry_point.rpartition(".")[2]):
                return whole
    return None


def _body_indents(line: str) -> tuple[str, ...]:
    own = line[: len(line) - len(line.lstrip(" \t"))]
    return own + ("\t" if "\t" in own else "    "), own


def _indented(code: str, indent: str) -> str:
    """The code indented, except lines that begin inside a string."""
    lines, inside = [], None
    for line in code.split("\n"):
        lines.append(indent + line if line.strip() and inside is None else line)
        _, inside = strip_line(line, inside, PYTHON)
    return "\n".join(lines)


def _has_body(tree: ast.Module, name: str) -> bool:
    """Whether the last function of that name has a body that does something."""
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name == name]
    return bool(bodies) and not all(map(_is_idle, bodies[-1]))


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a statement does nothing: `pass`, a docstring, or a word of prose that parses."""
    if isinstance(statement, ast.Expr):
        return not any(isinstance(node, (ast.Call, ast.Yield, ast.Await)) for node in ast.walk(statement))
    return isinstance(statement, (ast.Pass, ast.AnnAssign)) and getattr(statement, "value", None) is None


def _only_defines(tree: ast.Module) -> bool:
    defines = any(isinstance(node, (*FUNCTIONS, ast.ClassDef)) for node in tree.body)
    return defines and not any(isinstance(node, ast.Return) for node in _own_statements(tree))


def _own_statements(tree: ast.Module) -> list[ast.stmt]:
    """The statements of a module, including its branches and loops, without those of its functions."""
    found: list[ast.stmt] = []
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        if isinstance(node, ast.stmt):
            found.append(node)
        if not isinstance(node, ast.expr):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def _needed(code: str, starter: str, entry_point: str, reader: PythonReader) -> list[str]:
    """The starter's helpers, and the imports that are used, except what the code defines itself."""
    summary = reader.summary(code)
    source = _parsable(starter, reader)
    given = reader.summary(source) if source is not None else None
    if summary is None or source is None or given is None:
        return []
    own = {*entry_point.split("."), *summary.bound}
    needed, kept = set(summary.missing | given.names) - own, []  # a test may use a helper that the code does not use
    if not needed:
        return []
    tree, _ = reader.parse(source)
    lines = source.split("\n")
    for node in reversed(tree.body if tree is not None else []):
        bound = bound_by(node)
        if not (bound & needed or "*" in bound) or bound & own:
            continue
        needed |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        start = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))])
        kept.append("\n".join(lines[start - 1 : node.end_lineno]))
    return ["\n".join(kept[::-1])] if kept else []


def _adapter(code: str, entry_point: str, reader: PythonReader) -> list[str]:
    """The lines that make a bare function callable as a method, or a method as a function."""
    summary = reader.summary(code)
    tree, _ = reader.parse(code)
    owner, _, name = entry_point.rpartition(".")
    if summary is None or tree is None:
        return []
    if owner and owner not in summary.methods and name in summary.functions:
        bound = [node.name for node in tree.body if isinstance(node, FUNCTIONS) and _takes_self(node)]
        names = bound if name in bound else [*bound, name]
        lines = [f"    {each} = {each}" if each in bound else f"    {each} = staticmethod({each})" for each in names]
        return ["\n".join([f"class {owner}:", *lines])]
    if not owner and name not in summary.bound:
        cls = next((cls for cls, methods in summary.methods.items() if name in methods), None)
        if cls is not None:
            return [f"def {name}(*args, **kwargs):\n    return {cls}().{name}(*args, **kwargs)"]
    return []


def _takes_self(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    first = [*node.args.posonlyargs, *node.args.args][:1]
    return bool(first) and first[0].arg == "self"


def _last_function(starter: str, reader: PythonReader) -> str | None:
    source = _parsable(starter, reader)
    tree, _ = reader.parse(source) if source is not None else (None, 0)
    for node in reversed(tree.body if tree is not None else []):
        if isinstance(node, FUNCTIONS):
            return node.name
        if isinstance(node, ast.ClassDef):
            methods = [item.name for item in node.body if isinstance(item, FUNCTIONS)]
            return f"{node.name}.{methods[-1]}" if methods else None
    return None


def _parsable(starter: str, reader: PythonReader) -> str | None:
    """The starter code with `pass` where a body is missing, or None when it still does not parse."""
    if not starter.strip():
        return None
    if reader.parse(starter)[0] is not None:
        return starter
    lines = starter.split("\n")
    rest, _ = strip_lines(lines, PYTHON)
    filled: list[str] = []
    for index, line in enumerate(lines):
        filled.append(line)
        own = len(line) - len(line.lstrip())
        following = next((later for later in rest[index + 1 :] if later.strip()), "")
        if rest[index].rstrip().endswith(":") and len(following) - len(following.lstrip()) <= own:
            filled.append(_body_indents(line)[0] + "pass")
    source = "\n".join(filled)
    return source if reader.parse(source)[0] is not None else None
