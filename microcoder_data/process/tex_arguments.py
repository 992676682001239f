"""Read TeX's arguments: groups in balanced braces, commands with their groups, and macros that a statement defines."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|DeclareMathOperator)\*?\s*(?:\{\s*\\(?P<braced>[A-Za-z]+)\s*\}|\\(?P<bare>[A-Za-z]+))"
    r"\s*(?:\[(?P<count>\d)\])?(?:\[[^\]]{0,300}\])?|\\def\s*\\(?P<plain>[A-Za-z]+)(?P<parameters>(?:#\d)*)"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
"""A brace, or an escaped character, which may be one."""
_SPACES = re.compile(r"[ \t]*\n?[ \t]*")
_OPTION = re.compile(r"\[(?:[^\[\]{}]|\{[^{}]*\}|\[[^\[\]]*\])*\]")
MOST_MACROS = 200
LONGEST = 1 << 20
"""In characters: macros that use each other could make the text grow without end."""


def group_at(text: str, start: int) -> tuple[str, int] | None:
    """The group that begins at `start` or after spaces there: the text inside its braces, and the end of the group.

    >>> group_at("{a{b}}c", 0)
    ('a{b}', 6)
    """
    start = _SPACES.match(text, start).end()  # type: ignore[union-attr]
    if text[start : start + 1] != "{":
        return None
    end = _ends_of_groups(text).get(start)
    return None if end is None else (text[start + 1 : end - 1], end)


@lru_cache(maxsize=4)
def _ends_of_groups(text: str) -> dict[int, int]:
    """Where each group ends, by where it begins. Read once, or a text of unclosed groups would be read for each."""
    ends: dict[int, int] = {}
    open_groups: list[int] = []
    for sign in _BRACE.finditer(text):
        if sign[0] == "{":
            open_groups.append(sign.start())
        elif sign[0] == "}" and open_groups:
            ends[open_groups.pop()] = sign.end()
    return ends


def replace_commands(text: str, names: str, count: int, replace: Callable[[str, list[str]], str]) -> str:
    r"""The text with every command of `names` (`emph|textit`) and its `count` groups replaced by `replace(name,
    groups)`.

    Options in brackets are skipped. A command with fewer groups gets empty ones.

    >>> replace_commands(r"\emph{a \emph{b}} \emph", "emph", 1, lambda name, groups: f"*{groups[0]}*")
    '*a *b** **'
    """
    command = re.compile(rf"\\({names})\*?(?![A-Za-z])")
    pieces, end = [], 0
    for found in command.finditer(text):
        if found.start() < end:
            continue
        at = found.end()
        groups: list[str] = []
        while len(groups) < count:
            if option := _OPTION.match(text, _SPACES.match(text, at).end()):  # type: ignore[union-attr]
                at = option.end()
            group = group_at(text, at)
            if group is None:
                break
            groups.append(replace_commands(group[0], names, count, replace))
            at = group[1]
        groups += [""] * (count - len(groups))
        pieces += [text[end : found.start()], replace(found[1], groups)]
        end = at
    return "".join([*pieces, text[end:]])


def without_macros(text: str) -> str:
    r"""The text with the macros that it defines replaced by their bodies.

    >>> without_macros("\\newcommand{\\most}{500}\\def\\pair#1{(#1)}At \\most{} of \\pair{a}.")
    'At 500 of (a).'
    """
    macros: dict[str, tuple[int, str]] = {}
    pieces, end = [], 0
    for found in _DEFINITION.finditer(text):
        body = group_at(text, found.end())
        if found.start() < end or body is None or len(macros) >= MOST_MACROS:
            continue
        name = found["braced"] or found["bare"] or found["plain"]
        macros[name] = (int(found["count"] or 0) or len(found["parameters"] or "") // 2, body[0])
        pieces.append(text[end : found.start()])
        end = body[1]
    text = "".join([*pieces, text[end:]])
    for name, (count, meaning) in macros.items():
        if count:
            text = replace_commands(text, name, count, lambda _, groups, by=meaning: _filled(by, groups))  # type: ignore[misc]
        else:
            text = re.sub(rf"\\{name}(?:\{{\}}|(?![A-Za-z]))", lambda _, by=meaning: by, text)  # type: ignore[misc]
        if len(text) > LONGEST:
            break
    return text


def _filled(body: str, groups: list[str]) -> str:
    """A macro's body with its parameters replaced."""
    for number, group in enumerate(groups, 1):
        body = body.replace(f"#{number}", group)
    return body
