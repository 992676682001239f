"""The rule that converts HTML, TeX and the judges' MathJax variants to Markdown with `$...$` mathematics.

Plain text is not changed: only tags and commands that statements really use count as markup, so `a<b` stays.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.process.bent_scripts import scripts_in_place, without_escapes
from microcoder_data.process.glued_paragraphs import paragraphs_apart
from microcoder_data.process.html_in_markdown import (
    is_markdown,
    items_without_paragraphs,
    literals_of_samples,
    tags_to_markdown,
    unescaped,
    with_its_tags,
    with_readable_tags,
    with_scripts,
)
from microcoder_data.process.html_text import html_to_markdown, looks_like_html
from microcoder_data.process.nesting import DEEPEST, nested_too_deeply
from microcoder_data.process.pairs import Closings, Pair, pairs_replaced
from microcoder_data.process.rendered_formulas import with_tex
from microcoder_data.process.tex_text import fonts_to_markdown, looks_like_tex, tex_to_markdown
from microcoder_data.process.text import text_parts
from microcoder_data.rules import Outcome, changed, drop
from microcoder_data.schema import Row
from microcoder_data.syntax import BEGINS_A_PROGRAM, parsed

_NAMES_A_TAG = re.compile(
    r"\btags?:? [\"'`]?<(?:b|i|u|s|em|strong|p|div|br|a|li|span)>|\b(?:opening|closing|start|end) tags?\b|"
    r"</\w+>[\"'`]? tags?\b",
    re.IGNORECASE,
)
_ABOUT_ENTITIES = re.compile(r"\bentity\b[^.\n]{0,20}[\"'`]&\w+;[\"'`]", re.IGNORECASE)
_FENCE = re.compile(r"(```.*?```)", re.DOTALL)
_FENCE_OF_LINES = re.compile(r"^(```[^`\n]*\n.*?^```[ \t]*)$", re.DOTALL | re.MULTILINE)
_DELIMITERS: tuple[tuple[re.Pattern[str], Closings], ...] = (
    (re.compile(r"\\\((?<!\\..)(.)", re.DOTALL), lambda _: [re.compile(r"\\\)")]),
    (
        re.compile(r"\\\[(?<!\\..)(?!(?:(?<=\w\\\[)|(?<=\\\]\\\[))[\w.+*-]{1,40}\\\])(.)", re.DOTALL),
        lambda _: [re.compile(r"\\\]")],
    ),
    (re.compile(r"\[tex\](.)", re.DOTALL), lambda _: [re.compile(r"\[/tex\]")]),
)
"""What begins a formula, with its first character, and what ends it. In `FF\\[4\\]\\[i\\]`, Markdown escapes
brackets; in a regular expression such as `[()\\\\[]` the backslash itself is escaped."""
_WORDS = re.compile(r"(?=[^A-Za-z]*[A-Za-z]{3})[\w,.]+(?: [\w,.]+)+")
"""Between escaped brackets: Markdown, and no formula."""
_BRACKETS = {"\\(": ")", "\\[": "]"}
_LINE_AS_FORMULA = re.compile(r"^([ \t]*(?:[-*] )?)\$([^$\n\\]*)\$$", re.MULTILINE)
_TWO_WORDS = re.compile("[A-Za-z]{3} +[A-Za-z]{3}")


@dataclass(frozen=True)
class Markup:
    """Convert every source's markup to the same Markdown."""

    name: ClassVar[str] = "markup_v34"

    def __call__(self, row: Row) -> Outcome | None:
        found: set[str] = set()
        for part, column in text_parts(row):
            if part[column]:
                if nested_too_deeply(with_its_tags(part[column])):
                    return drop("nested_too_deeply", f"more than {DEEPEST} tags are open at once in {column}")
                apart = paragraphs_apart(part[column])
                if apart != part[column]:
                    found.add("glued paragraphs")
                part[column] = to_markdown(apart, found)
        return changed(", ".join(sorted(found))) if found else None


def _is_a_program(text: str) -> bool:
    """Whether a text is Python, whose tags are values, and no page that a docstring holds.

    >>> _is_a_program('def f(s):\\n    "Put <br> for each line end."'), _is_a_program("Put <br> there.")
    (True, False)
    """
    return (
        BEGINS_A_PROGRAM.match(text) is not None
        and "</p>" not in text
        and "</li>" not in text
        and parsed(text) is not None
    )


def to_markdown(text: str, found: set[str] | None = None) -> str:
    """The text as Markdown; the kinds of markup that were converted are added to `found`.

    >>> to_markdown("<p>Let <var>n</var> be 10<sup>5</sup></p>")
    'Let $n$ be 10^5'
    >>> to_markdown("Print $$$n \\\\le 5$$$ if a<b")
    'Print $n \\\\le 5$ if a<b'
    """
    found = set() if found is None else found
    text = items_without_paragraphs(with_its_tags(with_tex(text)))
    if looks_like_tex(text):
        found.add("tex")
        text = tex_to_markdown(text)
    elif looks_like_html(text) and not (_about_tags(text) or _only_in_samples(text) or _is_a_program(text)):
        found.add("html")
        text = with_scripts(with_readable_tags(text))
        text = unescaped(tags_to_markdown(text)) if is_markdown(text) else _html_between_fences(text)
    elif "&" in text and not _ABOUT_ENTITIES.search(text) and (plain := unescaped(text)) != text:
        found.add("entities")
        text = plain
    if "\\text" in text or "\\emph" in text or "\\verb" in text:
        plain = fonts_to_markdown(text)
        if plain != text:
            found.add("tex")
            text = plain
    if any(map(text.__contains__, ("$$$", "\\(", "\\[", "[tex]"))) and not BEGINS_A_PROGRAM.match(text):
        plain = _dollar_formulas(text)
        if plain != text:
            found.add("mathjax")
            text = plain
    if "$\n" in text or text.endswith("$"):
        plain = _LINE_AS_FORMULA.sub(_sentence, text)
        if plain != text:
            found.add("sentences as formulas")
            text = plain
    if "\\_" in text and "$" in text:
        plain = without_escapes(text)
        if plain != text:
            found.add("escaped subscripts")
            text = plain
    if "}_" in text or "} + " in text or "} - " in text:
        plain = scripts_in_place(text)
        if plain != text:
            found.add("bent subscripts")
            text = plain
    return text


def _html_between_fences(text: str) -> str:
    """HTML as Markdown. What stands in fences between its blocks keeps its lines and spaces."""
    if "```" not in text:
        return html_to_markdown(text)
    pieces = _FENCE_OF_LINES.split(text)
    done = [html.unescape(piece) if place % 2 else html_to_markdown(piece) for place, piece in enumerate(pieces)]
    return "\n\n".join(piece for piece in done if piece.strip())


def _about_tags(text: str) -> bool:
    """Whether a plain text is about tags: `the bold tags <b> and </b>`."""
    if "tag" not in text.lower() or not _NAMES_A_TAG.search(text):
        return False
    return ("\n\n" in text and not text.lstrip().startswith("<")) or is_markdown(text)


def _only_in_samples(text: str) -> bool:
    """Whether all tags stand in quoted values behind `Input:` and `Output:`, where they are data."""
    bare, end = "", 0
    for start, stop in literals_of_samples(text):
        bare, end = bare + text[end:start], stop
    return end > 0 and not looks_like_html(bare + text[end:])


def _sentence(line: re.Match[str]) -> str:
    """A whole line such as `$Cells (x_{1}, y_{1}) and (x_{2}, y_{2}) are different.$` without the dollar signs."""
    return line[1] + line[2].strip(" \t") if _TWO_WORDS.search(line[2]) else line[0]


def _dollar_formulas(text: str) -> str:
    pieces = _FENCE.split(text)
    return "".join(piece if piece.startswith("```") else _dollar_formulas_outside_code(piece) for piece in pieces)


def _dollar_formulas_outside_code(text: str) -> str:
    text = re.sub(r"\${6}(.+?)\${6}", r"$$\1$$", text, flags=re.DOTALL)
    text = re.sub(r"\${3}(.+?)\${3}", r"$\1$", text, flags=re.DOTALL)
    for opening, closings in _DELIMITERS:
        text = pairs_replaced(text, opening, closings, _between_dollars)
    return text


def _between_dollars(found: Pair) -> str:
    inside = (found.opened[1] + found.inside).strip()
    opening = found.opened[0][:2]
    if opening in _BRACKETS and _WORDS.fullmatch(inside):
        return f"{opening[1]}{inside}{_BRACKETS[opening]}"
    sign = "$$" if opening == "\\[" else "$"
    return f"{sign}{inside}{sign}"
