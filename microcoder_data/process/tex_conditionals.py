r"""Choose the branch of TeX's conditionals that a web page shows: of `\ifplastex A \else B \fi`, A."""

from __future__ import annotations

import re

_DECLARED = re.compile(r"\\newif[ \t]*\\if([A-Za-z]+)[ \t]*")
_SET = r"\\(?:{names})(?:true|false)(?![A-Za-z])[ \t]*"
_BRANCHES = (
    r"\\if({names})(?![A-Za-z])(?:\{{\}}|[ \t]*)((?:(?!\\if(?:{names})(?![A-Za-z])|\\fi(?![A-Za-z])).)*)"
    r"\\fi(?![A-Za-z])(?:\{{\}})?"
)
_ELSE = re.compile(r"\\else(?![A-Za-z])(?:\{\}|[ \t]*)")
_ASKED_MACRO = re.compile(r"\s*\\[A-Za-z@]+")
DEEPEST = 20
"""How many levels of conditionals inside each other are read, because each costs a pass over the text."""


def without_conditionals(text: str) -> str:
    r"""The text with one branch of each conditional whose value is known.

    >>> without_conditionals(r"\newif\ifhard\hardtrue\ifhard Long.\else Short.\fi $a \iff b$ \iffalse Old.\fi")
    'Long. $a \\iff b$ '
    """
    if "\\if" not in text or "\\fi" not in text:
        return text
    declared = _DECLARED.findall(text)
    true = {"true", "plastex", *(name for name in declared if f"\\{name}true" in text)}
    text = _DECLARED.sub("", text)
    if declared:
        text = re.sub(_SET.format(names="|".join(declared)), "", text)

    def chosen(found: re.Match[str]) -> str:
        body = _ASKED_MACRO.sub("", found[2], count=1) if found[1] == "defined" else found[2]
        first, *other = _ELSE.split(body, maxsplit=1)
        return first if found[1] in true else "".join(other)

    branches = re.compile(
        _BRANCHES.format(names="|".join(["true", "false", "plastex", "defined", *declared])), re.DOTALL
    )
    for _ in range(DEEPEST):
        text, found = branches.subn(chosen, text)
        if not found:
            break
    return text
