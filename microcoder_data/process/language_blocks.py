"""Codewars' notes for one language (```` ```if:haskell ````): those for Python become text, the others are removed."""

from __future__ import annotations

import re

_BLOCK = re.compile(
    r"^(?P<fence>```|~~~)[ \t]*(?P<word>if|if-not)(?::| (?=[^\s:]+:[ \t]*$))[ \t]*(?P<names>[^\n:`]+):?[ \t]*\n"
    r"(?P<text>.*?)^(?P=fence)[ \t]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


def without_other_languages(text: str) -> str:
    """The text as a reader sees it who chose Python.

    >>> without_other_languages("Sum.\\n```if:ruby\\nUse `inject`.\\n```\\n~~~if-not:ruby\\nUp to 9.\\n~~~")
    'Sum.\\nUp to 9.\\n'
    """
    return _BLOCK.sub(_for_python, text) if "```if" in text or "~~~if" in text else text


def _for_python(block: re.Match[str]) -> str:
    named = any(name.strip() in ("python", "python3") for name in block["names"].lower().split(","))
    return block["text"] if named == (block["word"] == "if") else ""
