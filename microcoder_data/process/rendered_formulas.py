"""Put back the TeX of formulas that a page had already drawn: MathJax and KaTeX leave it inside the tags they make."""

from __future__ import annotations

import re

_DRAWN = re.compile(
    r"<(?P<tag>mjx-container|span)\b(?P<attributes>[^<>]*)>|"
    r"<script\b[^<>]*\btype=[\"']math/tex(?P<display>[^\"']*)[\"'][^<>]*>(?P<tex>.{0,2000}?)</script>",
    re.DOTALL | re.IGNORECASE,
)
_CLASS = re.compile(r"\bclass=[\"'](?:katex(?:-display)?|MathJax(?:_Preview|_Display)?)\b", re.IGNORECASE)
_TEX = re.compile(
    r"<annotation\b[^<>]*application/x-tex[^<>]*>(?P<katex>.*?)</annotation>|"
    r"<span\b[^<>]*\bmjx-copytext\b[^<>]*>\s*(?P<mathjax>\$.*?\$|\\[(\[].*?\\[)\]])\s*</span>",
    re.DOTALL | re.IGNORECASE,
)
MOST_CHARACTERS = 50_000
"""Of what a page made of one formula; what does not end before stays."""
_MARKS = ("mjx-container", "katex", "math/tex")


def with_tex(text: str) -> str:
    """The text with formulas in place of what a page shows for them. What holds no TeX stays.

    >>> with_tex('Let <span class="katex"><math><annotation encoding="application/x-tex">n</annotation></math>'
    ... '<span class="katex-html"><span>n</span></span></span> be.')
    'Let $n$ be.'
    """
    if not any(mark in text for mark in _MARKS):
        return text
    pieces, end = [], 0
    while found := _DRAWN.search(text, end):
        pieces.append(text[end : found.start()])
        end = found.end()
        formula = None
        if found["tex"] is not None:
            sign = "$$" if "display" in found["display"] else "$"
            formula = f"{sign}{found['tex'].strip()}{sign}"
        elif found["tag"].lower() != "span" or _CLASS.search(found["attributes"]):
            close = _end(text, found["tag"], end)
            formula = _formula(text[end:close], found["attributes"]) if close > end else None
            end = end if formula is None else close
        pieces.append(found[0] if formula is None else formula)
    return "".join([*pieces, text[end:]])


def _formula(inside: str, attributes: str) -> str | None:
    """The TeX inside an element; empty for what only MathJax's script beside it explains."""
    tex = _TEX.search(inside)
    if tex is None:
        return "" if "MathJax" in attributes and "mjx" not in inside else None
    if tex["mathjax"]:
        return tex["mathjax"]
    sign = "$$" if "katex-display" in attributes else "$"
    return f"{sign}{tex['katex'].strip()}{sign}"


def _end(text: str, name: str, start: int) -> int:
    """Where the element whose inside begins at `start` ends; `start` if it does not."""
    depth = 1
    for tag in re.compile(rf"<(/?){re.escape(name)}\b[^<>]*>", re.IGNORECASE).finditer(
        text, start, start + MOST_CHARACTERS
    ):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return start
