"""The reference of a recipe's keys, read from the dataclasses that define them: name, default, meaning.

    print(key_reference(Recipe, "Keys of a dataset's recipe"))

The meaning of a key is the docstring below its field; the meaning of a section is the first paragraph of its class.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import textwrap
import types
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from microcoder_data.number_range import Range


def key_reference(recipe: type, title: str) -> str:
    """The whole reference as Markdown, a table for each section.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Words:
    ...     '''What counts as a text.'''
    ...     least: int = 20
    >>> "`least` | `20`" in key_reference(Words, "Keys")
    True
    """
    return f"# {title}\n\n" + "\n".join(_section(recipe, "")).rstrip() + "\n"


def _section(kind: type, path: str) -> Iterator[str]:
    """The Markdown of a dataclass: its keys as a table, then its sections."""
    meanings = _meanings(kind)
    hints = typing.get_type_hints(kind)
    with_ranges = typing.get_type_hints(kind, include_extras=True)
    keys, below = [], []
    for field in dataclasses.fields(kind):
        part, optional = _part(hints[field.name])
        name = f"{path}.{field.name}" if path else field.name
        if part is None:
            allowed = "; ".join(dict.fromkeys(_ranges(with_ranges[field.name])))
            words = [meanings.get(field.name, ""), f"Range: {allowed}." if allowed else ""]
            keys.append(f"| `{field.name}` | {_default(field)} | {' '.join(filter(None, words))} |")
        else:
            below.append((name, part, meanings.get(field.name, ""), optional and _default(field)))
    if path:
        yield f"## {path}\n"
    about = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
    if about and not about.startswith(kind.__name__ + "("):
        yield about + "\n"
    if keys:
        yield "| key | default | meaning |\n| --- | --- | --- |\n" + "\n".join(keys) + "\n"
    for name, part, meaning, default in below:
        introduction = " ".join(filter(None, [meaning, f"Default: {default}." if default else ""]))
        lines = list(_section(part, name))
        yield from (lines[0], introduction + "\n", *lines[1:]) if introduction else lines


def _ranges(hint: Any) -> Iterator[str]:
    """The ranges of the numbers that a key holds, at any depth of its type."""
    yield from (str(each) for each in getattr(hint, "__metadata__", ()) if isinstance(each, Range))
    for option in typing.get_args(hint):
        yield from _ranges(option)


def _part(hint: Any) -> tuple[type | None, bool]:
    """The dataclass that a key holds, if it is a section, and whether it may be absent."""
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return hint, False
    origin, options = typing.get_origin(hint), typing.get_args(hint)
    if origin in (tuple, Mapping, dict) or getattr(origin, "__name__", "") == "Mapping":
        found = next((option for option in options if dataclasses.is_dataclass(option)), None)
        return typing.cast("type | None", found), False
    if origin in (typing.Union, types.UnionType):
        parts = [_part(option)[0] for option in options]
        return next((part for part in parts if part), None), type(None) in options
    return None, False


def _default(field: dataclasses.Field[Any]) -> str:
    """The default as the table shows it."""
    if field.default is not dataclasses.MISSING:
        value = field.default
    elif field.default_factory is not dataclasses.MISSING:
        value = field.default_factory()
    else:
        return "required"
    if dataclasses.is_dataclass(value):
        return "on"
    if value is None:
        return "off"
    if isinstance(value, (tuple, list)):
        value = list(value)
    shown = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
    text = (str(shown) if shown != "" else '""').replace("|", "\\|").replace("\n", " ")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _meanings(kind: type) -> dict[str, str]:
    """The docstring below each field, by the field's name."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError):
        return {}
    body = typing.cast(ast.ClassDef, tree.body[0]).body
    found = {}
    for field, below in itertools.pairwise(body):
        named = isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if named and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            text = " ".join(str(below.value.value).split()).replace("|", "\\|")
            found[typing.cast(ast.Name, typing.cast(ast.AnnAssign, field).target).id] = text
    return found
