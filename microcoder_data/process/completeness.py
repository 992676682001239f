"""The rule that no part of a problem is missing: sections, samples, pictures, tests.

Sections and samples are checked in English rows only: others are translated first. Pictures and tests are always
checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Literal

from microcoder_data.process.figures import missing_figure, remove_dead_figures
from microcoder_data.process.render import whole_text
from microcoder_data.rules import Outcome, changed, drop, kept
from microcoder_data.schema import Row

_WORDS_OF_INPUT = re.compile(r"\b(?:inputs?|given|stdin|reads?|enters?|contains?|lines?)\b", re.IGNORECASE)
_WORDS_OF_OUTPUT = re.compile(
    r"\b(?:(?:output|print|return|display|write|find|compute|determine|calculate|answer|count)s?|how many)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"(?:\.\.\.|…|\[truncated\])\s*$")
_MARKS_OF_A_CUT = ("...", "…", "[truncated]")
_MORE_LINES = re.compile(
    r"\[(?:and )?\d+ more (?:lines|numbers|rows|elements|values)\b[^\]\n]{0,20}\]\s*\Z", re.IGNORECASE
)
_DOT_OF_A_GRID = re.compile(r"\.[^\s\d]|[.#*@]\.")
_PLACEHOLDER = re.compile(
    r"(?:todo|tbd|to be written|coming soon|lorem ipsum\b.*|(?:the |an )?(?:\w+ )?(?:description|statement|translation)"
    r" (?:is|was) (?:not (?:yet )?available|missing|unavailable)\b[^.]*\.?(?:\s*please [^.]*\.?)?|"
    r"暂无(?:题目)?描述)\W*",
    re.IGNORECASE | re.DOTALL,
)
_TEMPLATE = re.compile(
    r"\bthis is an example statement in markdown\b|"
    r"\bplease make sure to remove this paragraph from your statement\b|"
    r"^\W*(?:(?:write|put|insert|enter) (?:the |your )?(?:problem )?statement here|"
    r"(?:problem )?statement goes here)\W*$",
    re.IGNORECASE | re.MULTILINE,
)
"""What a site offers to authors as a beginning; the problem itself is somewhere else."""
_IN_A_TEMPLATE = ("statement in markdown", "from your statement", "statement here", "statement goes here")
"""Every match of that pattern contains one of these, in some case."""
_GENERATED_PART = re.compile(r"<\|(\w[\w ]*) Begin\|>")
"""Generators such as KodCode's ask a model for an analysis and a question between such marks."""
_NO_INPUT = re.compile(
    r"(?:there is no|(?:this |the )?\w+ has no|no) input\b(?! (?:file|error|valid))[^.]{0,40}(?:\.|$)", re.IGNORECASE
)
_EMPTY_QUOTES = ("''", '""', "\u2018\u2019", "\u201c\u201d")
_EMPTIED = re.compile(
    r"\b(?:characters?|letters?|symbols?|signs?|tags?|between|(?:start|begin|end)(?:s|ing)? with)[ \n]\(?"
    rf"(?:{'|'.join(_EMPTY_QUOTES)})(?![\w'\"])",
    re.IGNORECASE,
)
_HEADING_LINES = re.compile(r"(?m)^#.*$")
SHORTEST_CUT = 40
"""Characters. Shorter texts are not truncated."""


@dataclass(frozen=True)
class Completeness:
    """Drop rows that lack a part."""

    name: ClassVar[str] = "completeness_v26"
    sections: bool = True
    """A program's statement must say what it reads and what it prints."""
    samples: bool = True
    """A program's statement must show a sample."""
    images: Literal["needed", "any", "ignore"] = "needed"
    """`needed`: drop a row whose text needs a figure that is missing. `any`: drop a row that has or had any figure.
    `ignore`: check no figures."""
    min_tests: int = 1
    """Drop the row if fewer tests than this are left without the truncated ones."""

    def __call__(self, row: Row) -> Outcome | None:
        text = whole_text(row)
        if not text.strip():
            return drop("no_statement")
        statement = row["statement"]
        if _PLACEHOLDER.fullmatch((_HEADING_LINES.sub("", statement) if "#" in statement else statement).strip()):
            return drop("incomplete", "the statement is a placeholder")
        lower = statement.lower()
        if any(map(lower.__contains__, _IN_A_TEMPLATE)) and (template := _TEMPLATE.search(statement)):
            return drop("incomplete", f"the statement is its site's template: {template[0]}")
        if unended := _unended(row["statement"]):
            return drop("incomplete", f"{unended[0]} has no end: the model that wrote the statement was cut short")
        if emptied := _emptied(text):
            return drop("incomplete", f"nothing is left between the quotes: {emptied[0]}")
        if self.images != "ignore" and (reason := missing_figure(row, any_figure=self.images == "any")):
            return drop("missing_image", reason)
        dead_links = remove_dead_figures(row) if self.images != "ignore" else 0
        cut = _remove_truncated_tests(row)
        if row["kind"] in ("stdin", "call") and len(row["tests"]) < self.min_tests:
            return drop("truncated_tests" if cut else "too_few_tests", None, len(row["tests"]), self.min_tests)
        if (
            row["kind"] == "stdin"
            and _NO_INPUT.match((row["input_format"] or "").lstrip())
            and _every_test_has_input(row)
        ):
            return drop("incomplete", "the statement says that there is no input, and every test has some")
        if row["kind"] == "stdin" and row["language"] == "en":
            if self.sections and not (row["input_format"] or _WORDS_OF_INPUT.search(text)):
                return drop("no_input_section")
            if self.sections and not (row["output_format"] or _WORDS_OF_OUTPUT.search(text)):
                return drop("no_output_section")
            if self.samples and not row["samples"]:
                return drop("no_samples")
        done = [f"{cut} truncated tests taken out"] if cut else []
        done += [f"{dead_links} links to figures that are not there removed"] if dead_links else []
        if dead_links:
            return changed("; ".join(done), len(row["tests"]), took_out=True)
        return kept(len(row["tests"]), self.min_tests, "; ".join(done) or None)


def _unended(statement: str) -> re.Match[str] | None:
    """The first mark of a generated part whose end is missing."""
    if "<|" not in statement:
        return None
    last_ends = {name: statement.rfind(f"<|{name} End|>") for name in set(_GENERATED_PART.findall(statement))}
    return next((mark for mark in _GENERATED_PART.finditer(statement) if last_ends[mark[1]] < mark.end()), None)


def _emptied(text: str) -> re.Match[str] | None:
    """Quotes around a sign that a dump has taken for markup, such as `</`, with the word before them.

    >>> _emptied('A tag must start with "".')[0], _emptied('If there is none, return "".')
    ('start with ""', None)
    """
    return _EMPTIED.search(text) if any(quotes in text for quotes in _EMPTY_QUOTES) else None


def _every_test_has_input(row: Row) -> bool:
    return bool(row["tests"]) and all(test["ref"] or test["input"].strip() for test in row["tests"])


def _remove_truncated_tests(row: Row) -> int:
    """Remove tests that a publisher has cut short with dots: they have no right answer. Returns how many."""
    whole = [test for test in row["tests"] if test["ref"] or not _is_truncated(test["input"], test["output"])]
    cut = len(row["tests"]) - len(whole)
    if cut:
        row["tests"] = whole
    return cut


def _is_truncated(input_text: str, expected: str) -> bool:
    return _ends_in_dots(input_text) or _ends_in_dots(expected)


def _ends_in_dots(text: str) -> bool:
    """Whether a long text ends in the dots of a truncation, not in the dots of a grid.

    >>> _ends_in_dots("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16..."), _ends_in_dots("S#........\\n" * 4 + "..#....E...")
    (True, False)
    >>> _ends_in_dots("31\\n3 5\\n4 6\\n7 3\\n5 1\\n1 5\\n2 4\\n[26 more lines follow]")
    True
    """
    if len(text) <= SHORTEST_CUT:
        return False
    if text.rstrip().endswith("]") and _MORE_LINES.search(text[-60:]):
        return True
    end = text[-20:]
    if not any(mark in end for mark in _MARKS_OF_A_CUT) or _CUT.search(end) is None:
        return False
    kept = text.rstrip()
    if not kept.endswith("..."):
        return True
    last = kept.rpartition("\n")[2]
    return any(map(str.isalnum, last)) and _DOT_OF_A_GRID.search(kept.removesuffix("...")) is None
