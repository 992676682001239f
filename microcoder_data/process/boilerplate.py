"""The rule that removes text around a problem: prompts for models, contest headers, watermarks, comments, notes
for other languages, the second copy of each formula, a function's arguments beside a sample."""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.process.doubled_formulas import without_shown_copies
from microcoder_data.process.glued_paragraphs import without_label
from microcoder_data.process.html_text import without_comments
from microcoder_data.process.language_blocks import without_other_languages
from microcoder_data.process.two_columns import tables_to_inputs
from microcoder_data.process.watermarks import without_watermarks
from microcoder_data.rules import Outcome, changed
from microcoder_data.schema import Row
from microcoder_data.units import megabytes, milliseconds

# name and pattern of what is removed from the beginning
_AT_START = (
    ("front matter", re.compile(r"\A---\n(?:[^\n]*\n){1,60}?---[ \t]*\n")),
    ("prompt", re.compile(r"\A\s*You are an expert (?:\w+ )?programmer\.[^\n]*\n+(?:#+ *Question:?\s*\n)?", re.I)),
    ("prompt", re.compile(r"\A\s*Solve the following (?:coding )?problem(?: using the programming language \w+)?[^\n]*:\s*\n+", re.I)),
    ("prompt", re.compile(r"\A\s*(?:Please )?(?:solve|implement|complete) (?:this|the following) (?:\w+ )?(?:problem|task|exercise)(?: (?:in|using) Python(?: ?3)?)?\s*[:.][ \t]*\n+", re.I)),
)  # fmt: skip
# name, pattern of what is removed, and texts of which every match contains one: searching for them first is faster
_PATTERNS: list[tuple[str, re.Pattern[str], tuple[str, ...]]] = [
    (name, re.compile(pattern, flags), tuple(required.split("|")))
    for name, pattern, flags, required in (
        ("prompt", r"\n+(?:Please )?complete the following (?:template|(?:starter |Python )?code|function|class)\s*:\s*```.*?```(?:\s*(?:Only )?(?:provide|return|output|write) (?:only )?(?:the|your) code(?: only)?[^\n`]{0,40})?\s*\Z", re.S | re.I, "omplete the following"),
        ("prompt", r"\n+(?:#+ *Format: *)?You will use the following starter code[^\n]*\n+```\w*\n.*?```[ \t]*(?:\n+#+ *Answer:.*)?\s*\Z", re.S, "starter code"),
        ("prompt", r"\n+(?:#+ *Format: *)?Read the inputs from stdin solve the problem and write.*\Z", re.S, "Read the inputs from stdin"),
        ("prompt", r"\n+Please complete the following python code precisely:\s*```python\n.*?```\s*\Z", re.S, "complete the following"),
        ("prompt", r"\n+Now solve the problem and return the code\.?\s*\Z", re.I, "return the code"),
        ("prompt", r"\n*The input will be stdin and you should print your solution to stdout\.?\s*", re.I, "stdin and you should"),
        ("prompt", r"\n+(?:#+ *Answer:|Answer:)[^\n]*\(use the provided format with backticks\)\s*\Z", re.I, "backticks"),
        ("announcement", r"(?<=[.!?\n])[ \t]*Here(?:['’]s| is| are)\b[^.\n:]*:\s*\Z", 0, "Here"),
        ("score", r"^[ \t]*(?:Score|配点)\s*[:：][^\n]*(?:points?|点)[ \t]*$\n*", re.M, "Score|配点"),
        ("score", r"^[ \t]*配点[^\n]*$\n*", re.M, "配点"),
        ("limits", r"^[ \t]*(?:time limit per test|memory limit per test|time limit|memory limit)\s*[:：]?\s*[\d.]+ ?(?:s|ms|sec\w*|mb|megabytes?|mib|kb|gb|gib|gigabytes?|seconds?)\b[^\n]{0,40}$\n*", re.M | re.I, "imit"),
        ("limits", r"^[ \t]*(?:input|output)\s*[:：]?\s*standard (?:input|output)[ \t]*$\n*", re.M | re.I, "tandard"),
        ("site", r"^[ \t]*(?:#{1,6}[ \t]+)?(?:All submissions for this problem are available\.|\**This problem was part of the [^\n]*submissions for this contest problem are publicly available[^\n]{0,150}$)[ \t]*\n*", re.M, "submissions for this"),
        ("translations", r"^[^\n]{0,40}Read problem(?:s)? statements? (?:in|\[)[^\n]*(?:Chinese|Russian|Vietnamese|Hindi|Bengali)[^\n]*$(?:\n[ \t]*(?:,|and |\[(?:Hindi|Bengali|Mandarin|Russian|Vietnamese))[^\n]*\b(?:as well|too)\b[^\n]*$)?\n*", re.M | re.I, "statement"),
        ("translations", r"^[ \t]*(?:View )?(?:Chinese|Russian|Vietnamese|Japanese|Spanish) (?:Version|Translation)[ \t]*$\n*", re.M, "Version|Translation"),
        ("translations", r"^[ \t]*\[(?:English Version|中文文档|Chinese version)\]\([^)]*\)[ \t]*$\n*", re.M, "]("),
        ("watermark", r"^[ \t]*(?:\*\*)?(?:Copyright|©|\(c\))[^\n]*(?:\d{4}|reserved)[^\n]*$\n*", re.M | re.I, "opyright"),
        ("watermark", r"^[ \t]*©[^\n]*$\n*", re.M, "©"),
        ("watermark", r"^[^\n]{0,80}\ball rights reserved\b[^\n]{0,40}$\n*", re.M | re.I, "eserved"),
        ("watermark", r"^[ \t]*(?:Source|来源)\s*[:：]\s*(?:LeetCode|力扣|Codeforces|AtCoder)[^\n]*$\n*", re.M | re.I, "ource"),
        ("watermark", r"^[ \t]*(?:著作权归|版权)[^\n]*$\n*", re.M, "权"),
        ("script", r"^[ \t]*MathJax\.Hub\.Config\(\{.{0,800}?^[ \t]*\}\);[ \t]*$\n*", re.M | re.S, "MathJax.Hub"),
        ("rules", r"^[ \t]*(?:(?:=====|-----)[ \t]*)?Problem Statement[ \t]*(?:=====|-----)?[ \t]*$\n*", re.M | re.I, "tatement"),
        ("rules", r"^[ \t]*(?:#{1,4}[ \t]*)?(?:問題文|题目描述|題目描述|Problem Description|Description|Task)[ \t]*$\n*", re.M, "問題文|题目描述|題目描述|Description|Task"),
    )
]  # fmt: skip

_LIMIT = re.compile(
    r"^[ \t]*(?P<what>time|memory) limit(?: per test)?\s*[:：]?\s*"
    r"(?P<value>\d{1,6}(?:\.\d{1,3})? ?(?:ms|s(?:ec(?:onds?)?)?|[kmg]i?b|(?:mega|giga)bytes?)\b)",
    re.MULTILINE | re.IGNORECASE,
)
_FENCE = re.compile(r"(^```[^`\n]*\n.*?^```)", re.DOTALL | re.MULTILINE)
_STYLE = re.compile(
    r"^[ \t]*[#.]?[A-Za-z][\w .,#-]*\{[ \t]*\n(?:[ \t]*[a-z-]+[ \t]*:[^;\n{}]*;[ \t]*\n)+[ \t]*\}[ \t]*$\n*",
    re.MULTILINE,
)
_HEADING_AT_START = re.compile(r"\s*#{1,6}[ \t]+([^\n]+?)[ \t#]*(?:\n+|\Z)")
_QUOTES = ('"""', "'''")
_PROPERTIES = ("width:", "margin:", "padding:", "color:")


@dataclass(frozen=True)
class Boilerplate:
    """Remove text around the problem, such as prompts, headers of contests and watermarks."""

    name: ClassVar[str] = "boilerplate_v18"

    def __call__(self, row: Row) -> Outcome | None:
        text = without_other_languages(row["statement"])
        removed = ["other languages"] if text != row["statement"] else []
        if (shown := without_comments(text)) != text:
            text = shown
            removed.append("comment")
        if (inside := _without_quotes(text)) != text:
            text = inside
            removed.append("quotes of a docstring")
        for name, pattern in _AT_START:
            if found := pattern.match(text):
                text = text[found.end() :]
                removed.append(name)
        for name, pattern, required in _PATTERNS:
            if any(map(text.__contains__, required)):
                shorter = pattern.sub("", text)
                if shorter != text:
                    if name == "limits":
                        _read_limits(row, text)
                    text = shorter
                    removed.append(name)
        if "midway" in text or "变量" in text:
            text, hidden = without_watermarks(text)
            removed += ["watermark"] * bool(hidden)
        if any(map(text.__contains__, _PROPERTIES)) and (plain := _without_styles(text)) != text:
            text = plain
            removed.append("style")
        if (once := without_shown_copies(text)) != text:
            text = once
            removed.append("formulas twice")
        if (inputs := tables_to_inputs(text)) != text:
            text = inputs
            removed.append("arguments beside a sample")
        if (own := _without_own_headings(text, row)) != text:
            text = own
            removed.append("title")
        notes = without_label(row["notes"] or "")
        if notes != (row["notes"] or ""):
            row["notes"] = notes
            removed.append("label")
        if not removed or not text.strip():
            return None
        before = len(row["statement"])
        row["statement"] = text.strip()
        return changed(", ".join(sorted(set(removed))), before - len(row["statement"]), took_out=True)


def _read_limits(row: Row, text: str) -> None:
    """Take the limits that a statement names, where the record gave none: of several, for parts of the tests, the
    largest."""
    read: dict[str, list[int]] = {"memory": [], "time": []}
    for found in _LIMIT.finditer(text):
        what = found["what"].lower()
        value = megabytes(found["value"]) if what == "memory" else milliseconds(found["value"].lower())
        if value:
            read[what].append(value)
    row["memory_limit_mb"] = row["memory_limit_mb"] or max(read["memory"], default=None)
    row["time_limit_ms"] = row["time_limit_ms"] or max(read["time"], default=None)


def without_site_lines(text: str) -> str:
    """The text without the lines of a site's page.

    >>> without_site_lines("1 2\\n\\nAll submissions for this problem are available.")
    '1 2\\n\\n'
    """
    for name, pattern, required in _PATTERNS:
        if name == "site" and any(map(text.__contains__, required)):
            text = pattern.sub("", text)
    return text


def _without_own_headings(text: str, row: Row) -> str:
    """The text without the headings at its start that say the row's title, or its contest's name."""
    names = {_bare(row[column]) for column in ("title", "contest_id") if row[column]}
    while (heading := _HEADING_AT_START.match(text)) and _bare(heading[1]) in names:
        text = text[heading.end() :]
    return text


def _bare(heading: str) -> str:
    return " ".join(heading.replace("*", "").casefold().split())


def _without_quotes(text: str) -> str:
    """The text of a docstring that stands with its quotes and its indentation."""
    whole = text.strip()
    quotes, inside = whole[:3], whole[3:-3]
    is_docstring = quotes in _QUOTES and whole.endswith(quotes) and inside.strip() and quotes not in inside
    return inspect.cleandoc(inside) if is_docstring else text


def _without_styles(text: str) -> str:
    """The text without the style sheets that a page has beside it; those in code fences are what it is about."""
    return "".join(part if part.startswith("```") else _STYLE.sub("", part) for part in _FENCE.split(text))
