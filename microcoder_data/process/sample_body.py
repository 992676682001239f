"""Divide what stands under a sample's heading into the sample's text and the words behind it."""

from __future__ import annotations

import re
from textwrap import dedent

FENCE = re.compile(r"^\s*```+[^`]*$")
SOME_WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")
SENTENCE = re.compile(r"\b[A-Za-z]{2,} [^.\n]{20,}[.:](?=\s|$)")
_PROSE = re.compile(r"[^\x00-@\[-`{-\x7f]{2,}(?:[\s,]+\S+){4,}")
"""At least two letters, which are all characters but the others of ASCII: as a range, this takes long to compile."""
_LEADS_ON = re.compile(r"\s*(?:e\.?g|i\.e|for (?:example|instance)|note|hint)\W*", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,20} ?= ?\S[^\n]{0,60}(?=\n[ \t]*\n|\Z)")
_FIGURES_AT_THE_END = re.compile(r"(?<=\S)(?:\n\s*!\[[^\]\n]*\]\([^)\n]*\)[ \t]*)+\Z")
_BOLD_WORDS = re.compile(r"\*\*[A-Za-z][^*\n]*\*\*")
_INDENTED = re.compile(r"^(?:\t| {4})")
"""A line of code in Markdown; the text goes on where it ends."""
_EMPTY_LINE = re.compile(r"\n[ \t]*\n")
_REMARK = re.compile(
    r"\n\s*(?:[*-]\s*)?(?:(?:Note|Warning|N\.?B\.?|Explain|Explanation (?:for|of) [^\n:]{1,40})"
    r"(?:\s*\([^()\n]{1,20}\))?\s*:|Warning!)\s+\S+\s+\S+\s+\S+",
    re.IGNORECASE,
)


def without_code_marks(text: str) -> str:
    """A value without the code marks around it."""
    inside = text[1:-1]
    return inside if text[:1] == text[-1:] == "`" and inside and "`" not in inside else text


def sample_body(body: str, printed: bool = False, spaced: bool = False) -> tuple[str, str]:
    """A sample's text (a fence, or all of it), and the text after it.

    `printed`: it is an output, which the first paragraph of prose ends. `spaced`: outputs have blank lines, behind
    which only a sentence is prose.

    >>> sample_body("3\\n\\nSince the sum of 1 and 2 is 3.", printed=True)
    ('3', 'Since the sum of 1 and 2 is 3.')
    """
    prose = SENTENCE if spaced else _PROSE
    lines = body.split("\n")
    fences = [index for index, line in enumerate(lines) if "```" in line and FENCE.match(line)]
    if fences and fences[0] == 0:
        end = fences[1] if len(fences) > 1 else len(lines)
        text, after = "\n".join(lines[1:end]).rstrip(), "\n".join(lines[end + 1 :]).strip()
        if not printed and (value := _ASSIGNMENT.match(after)):
            return f"{text}\n\n{value[0].strip()}", after[value.end() :].strip()
        return text, after
    if printed and fences:
        above = "\n".join(lines[: fences[0]])
        gaps = list(_EMPTY_LINE.finditer(above))
        for place, gap in enumerate(gaps):
            end = gaps[place + 1].start() if place + 1 < len(gaps) else len(above)
            if _PROSE.search(above, gap.end(), end) or _LEADS_ON.fullmatch(above, gap.end(), end):
                return above[: gap.start()].strip("\n").rstrip(), body[gap.end() :].strip()
    for index in reversed(fences[: 2 - len(fences) % 2]):  # one closes a block that held the whole sample
        del lines[index]
    filled = [line for line in lines if line.strip()]
    if all(line.startswith(">") for line in filled) and any(line.strip("> \t") for line in filled):
        lines = [line.removeprefix(">").removeprefix(" ") for line in lines]
    before, code = _before_the_code(lines)
    if any(line.strip() for line in code) and _INDENTED.match(next(filter(str.strip, code))):
        behind = next((index for index, line in enumerate(code) if line.strip() and not _INDENTED.match(line)), None)
        if behind is None or _PROSE.match(code[behind]) or _goes_on_in_words(code, behind):
            block = "\n".join(_INDENTED.sub("", line) for line in code[:behind])
            after = "" if behind is None else "\n".join(code[behind:]).strip()
            return dedent(block).strip("\n").rstrip(), "\n\n".join(filter(None, [before, after]))
    text = without_code_marks(dedent("\n".join(lines)).strip("\n").rstrip())
    if not printed:
        shown = _FIGURES_AT_THE_END.search(text)
        return (text[: shown.start()], shown[0].strip()) if shown else (text, "")
    remark = _REMARK.search(text)
    if remark and not SOME_WORDS.search(text, 0, remark.start()):  # what is printed has no words
        return text[: remark.start()].rstrip(), text[remark.start() :].strip()
    paragraphs = _EMPTY_LINE.split(text)
    for index in range(1, len(paragraphs)):
        if prose.search(paragraphs[index]) or _LEADS_ON.fullmatch(paragraphs[index]):
            return "\n\n".join(paragraphs[:index]).rstrip(), "\n\n".join(paragraphs[index:]).strip()
    return text, ""


def _before_the_code(lines: list[str]) -> tuple[str, list[str]]:
    """The sentences before an indented block, and the lines from there on; no sentences where a block does not follow.

    >>> _before_the_code(["This is only a part of a real input.", "", "    3", "    4"])
    ('This is only a part of a real input.', ['    3', '    4'])
    >>> _before_the_code(["hat = 3", "", "    4"])
    ('', ['hat = 3', '', '    4'])
    """
    start = next((index for index, line in enumerate(lines) if line.strip() and _INDENTED.match(line)), 0)
    words = [line for line in lines[:start] if line.strip()]
    if words and not lines[start - 1].strip() and all(map(SENTENCE.search, words)):
        return "\n".join(lines[:start]).strip(), lines[start:]
    return "", lines


def _goes_on_in_words(lines: list[str], place: int) -> bool:
    """Whether a bold line behind a blank one begins the text behind a block."""
    return place > 0 and not lines[place - 1].strip() and _BOLD_WORDS.match(lines[place]) is not None
