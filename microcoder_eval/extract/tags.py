"""The names of programming languages in code fences. It never looks at code."""

from __future__ import annotations

import re
from functools import lru_cache

_SPELLINGS = {
    "python": "python python2 py py2 py3 ipython cpython pypy pycon sage",
    "cpp": "cpp c++ cxx cc g++ hpp",
    "c": "c ansi-c gcc",
    "java": "java",
    "javascript": "javascript js node nodejs mjs ecmascript",
    "typescript": "typescript ts",
    "go": "go golang",
    "rust": "rust rs",
    "csharp": "csharp c# cs dotnet",
    "kotlin": "kotlin kt",
    "ruby": "ruby rb",
    "scala": "scala sc",
    "php": "php php8",
    "haskell": "haskell hs",
    "shell": "shell sh bash zsh console terminal cmd powershell shellsession",
    "json": "json jsonc json5",
    "markdown": "markdown md",
    "text": "text txt plaintext plain none raw code pseudocode pseudo",
    "output": "output stdout stdin input log result",
    "diff": "diff patch",
    "html": "html xml svg",
    "sql": "sql",
    "latex": "latex tex math",
    "yaml": "yaml yml toml ini",
}
GRADED = _SPELLINGS.keys() - {
    *("typescript", "shell", "json", "markdown", "text", "output", "diff", "html", "sql", "latex", "yaml")
}
"""The languages among them that the grader knows. `languages/` cannot be asked: it uses parts of this folder."""
_LANGUAGE = {spelling: language for language, spellings in _SPELLINGS.items() for spelling in spellings.split()}
_WORD = re.compile(r"[\s{.]{0,8}(?:lang(?:uage)?[-=:])?([A-Za-z][\w+#.-]{0,60})", re.IGNORECASE)


def language_of(info: str) -> str | None:
    """The language that a fence's info string names, or None when it names no known language.

    >>> language_of("Python3.11 title=a"), language_of("{.cpp}"), language_of("main.py"), language_of("C++17")
    ('python', 'cpp', 'python', 'cpp')
    """
    return _language_of(info[:100])


@lru_cache(maxsize=1024)
def _language_of(info: str) -> str | None:
    match = _WORD.match(info)
    if match is None:
        return None
    word = match.group(1).lower().rstrip(".:-")
    spellings = (word, word.rstrip("0123456789."), word.rpartition(".")[2])
    return next((_LANGUAGE[spelling] for spelling in spellings if spelling in _LANGUAGE), None)


def without_leading_tag(text: str, language: str) -> str:
    """The text without a first line that holds only the language's name, left over from a fence."""
    first, newline, rest = text.partition("\n")
    alone = newline and len(first.split()) == 1 and "." not in first and language_of(first) == language
    return rest if alone else text
