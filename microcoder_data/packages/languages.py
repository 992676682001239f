"""The language of a package's program, and its main file."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Mapping

LANGUAGES = {
    **dict.fromkeys(("py", "py3"), "python"), "py2": "python2",
    **dict.fromkeys(("cpp", "cc", "cxx", "c++", "C"), "cpp"),
    "c": "c", "java": "java", "kt": "kotlin", "js": "javascript", "mjs": "javascript", "ts": "typescript",
    "go": "go", "rs": "rust", "hs": "haskell", "cs": "csharp", "rb": "ruby", "pl": "perl", "php": "php",
    "pas": "pascal", "ml": "ocaml", "scala": "scala", "lisp": "lisp", "jl": "julia", "sh": "bash", "d": "d",
    "swift": "swift", "lua": "lua", "m": "objectivec", "f90": "fortran", "adb": "ada", "nim": "nim",
}  # fmt: skip
_MAIN = {"cpp": re.compile(r"\bmain\s*\("), "c": re.compile(r"\bmain\s*\("), "python": re.compile(r"__main__")}


def language_of(name: str) -> str | None:
    """The language of a file by its suffix; None for other files."""
    return LANGUAGES.get(name.rsplit(".", 1)[1]) if "." in posixpath.basename(name) else None


def main_of(texts: Mapping[str, str]) -> tuple[str, str]:
    """The file where a program starts, and its language. `texts`: its files, at least one a source. C counts as C++."""
    sources = {name: language for name in texts if (language := language_of(name))}
    for name in ("__main__.py", *sources):
        language = sources.get(name)
        if language and (len(sources) == 1 or name == "__main__.py"):
            return name, "cpp" if language == "c" else language
    for name, language in sources.items():
        if language in _MAIN and _MAIN[language].search(texts[name]):
            return name, "cpp" if language == "c" else language
    name = next(iter(sources))
    return name, sources[name]


def is_python2(code: str) -> bool:
    """Whether a program runs under Python 2 only.

    >>> is_python2("print raw_input()"), is_python2("print(input())")
    (True, False)
    """
    if re.match(r"#!.*python2", code):
        return True
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return (
            re.search(r"^\s*print\s+[^\s(=]|^\s*except\s+[\w.]+\s*,\s*\w+\s*:|^\s*print\s*$", code, re.MULTILINE)
            is not None
        )
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    handled = any(isinstance(node, ast.Try) for node in ast.walk(tree))
    return bool(used & {"raw_input", "xrange"} - stored) and not handled
