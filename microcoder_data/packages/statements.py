"""The statement of a package: the English one if there is one, Markdown or TeX as it is. PDF cannot be read."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple

from microcoder_data.packages.description import Description, fill_constants
from microcoder_data.packages.files import Package
from microcoder_data.rules import Reject

_NAME = re.compile(
    r"(?:(?:problem_)?statement/)?problem(?:\.(?P<language>[A-Za-z-]{2,8}))?\.(?P<format>md|tex|html|txt|pdf)"
)
_FORMATS = ("md", "tex", "html", "txt", "pdf")
_INCLUDED = re.compile(r"\\(?:input|include)\s*\{([^{}]+)\}")
_PROBLEM_NAME = re.compile(r"\\problemname\s*\{((?:[^{}]|\{[^{}]*\})*)\}")


class Statement(NamedTuple):
    """A package's statement."""

    text: str
    language: str
    title: str | None
    others: tuple[str, ...]
    """The languages of the statements that were not taken."""


def statement_of(package: Package, description: Description) -> Statement:
    """The statement to use; raises a Reject when the package has none that can be read."""
    found: dict[str, str] = {}
    for name in package.sizes:
        match = _NAME.fullmatch(name)
        if match and package.sizes[name]:
            language = match["language"] or "en"  # the legacy format: a name without a language is English
            other = found.get(language)
            if other is None or _rank(name) < _rank(other):
                found[language] = name
    language = choose(found)
    if language is None:
        raise Reject("no_statement", "no problem.<language>.tex or .md")
    name = found[language]
    if name.endswith(".pdf"):
        raise Reject("statement_is_pdf", name)
    text = fill_constants(_with_includes(package, name), description.constants)
    if not text.strip():
        raise Reject("no_statement", f"{name} is empty")
    given = description.names.get(language) or description.names.get("") or next(iter(description.names.values()), None)
    return Statement(text, language, given or title_in(text), tuple(sorted(set(found) - {language})))


def title_in(text: str) -> str | None:
    """The name that the statement itself gives to the problem.

    >>> title_in("\\\\problemname{Typo Squatting}\\n..."), title_in("\\\\problemname{\\\\problemyamlname}")
    ('Typo Squatting', None)
    """
    named = _PROBLEM_NAME.search(text)
    return named[1].strip() or None if named and "\\" not in named[1] else None


def choose(found: Mapping[str, str]) -> str | None:
    """The language to take: English first, then by name; a language that has only a PDF comes last.

    found: the statement's file by language.

    >>> choose({"sv": "problem.sv.tex", "en-GB": "problem.en-GB.md"}), choose({"sv": "a.md", "en": "a.pdf"})
    ('en-GB', 'sv')
    """

    def rank(language: str) -> tuple[bool, bool, str]:
        return found[language].endswith(".pdf"), language.split("-")[0] != "en", language

    return min(found, key=rank, default=None)


def _rank(name: str) -> tuple[int, int]:
    return _FORMATS.index(name.rsplit(".", 1)[1]), len(name)


def _with_includes(package: Package, name: str) -> str:
    """The text of a statement; a TeX one with the files that it includes."""
    text = package.text(name)
    if not name.endswith(".tex"):
        return text
    folder = posixpath.dirname(name)

    def included(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, match[1].strip()))
        path = next((known for known in (path, f"{path}.tex") if known in package.sizes), "")
        return package.text(path) if path else match[0]

    return _INCLUDED.sub(included, text)
