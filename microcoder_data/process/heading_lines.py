"""Put headings on lines of their own: judges' dumps glue them to sentences, to figures, or to what follows."""

from __future__ import annotations

import re

from microcoder_data.process.headings import SAMPLE, SAMPLE_INPUT, SAMPLE_OUTPUT, heading_of

_BESIDE_A_FIGURE = re.compile(r"(?m)^([^\n!]{1,64}?)[ \t]*(!\[[^\]\n]*\]\([^)\n]*\))$")
_GLUED = re.compile(
    r"(?m)(?<=[.!?)\]$`])[ \t]*((?:Sample|Example) (?:Input|Output)s?(?: \d{1,2})?[ \t]*:?)[ \t]*$|"
    r"(?<=[^\s\W])(SAMPLE OUTPUT)[ \t]*$|"
    r"(?<=[a-z0-9])(Explanations?):?[ \t]*$|"
    r"(?<=[.!?)\]$`])((?:Explanation of (?:the )?Sample|(?:First|Second|Third) sample)[A-Za-z0-9 ]{0,24})$"
)
_MAY_BE_GLUED = re.compile(
    r"[SEFT](?<=[\w.!?)\]$` \t].)(?:x?ample (?:In|Out)put|AMPLE OUTPUT|xplanation|(?:irst|econd|hird) sample)"
)
"""Every match of the pattern above contains this. It begins with a capital letter, which makes the search fast."""
_BETWEEN_DASHES = re.compile(r"(?m)-(?<![^\n]-)(?:-{3,}[ \t]*\n-)?(-{3,}[ \t]*[A-Za-z][^\n-]{1,40}-{4,})[ \t]*(.*)$")
"""The first dash of the heading is not in its group: the pattern begins with a dash, which makes the search fast."""


_OF_OMEGAUP = re.compile(r"(?m)^[ \t]*\|\|(?:(input|output|description|end)|examplefile[ \t]*\n[^\n]*)[ \t]*$")
_HEADING_OF_OMEGAUP = {
    "input": "Sample Input", "output": "Sample Output", "description": "Explanation", "end": "Notes",
    "examplefile": "Example",
}  # fmt: skip
"""omegaUp's samples stand between lines such as `||input`; `||examplefile` names one that is in files."""


_UNNAMED_SAMPLE = re.compile(
    r"(?mi)^```[ \t]*\n[ \t*]*input[ \t]*:?[ \t*]*\n(?:(?!```).*\n)*?[ \t*]*output[ \t]*:?[ \t*]*\n(?!```)"
)
"""A block with both sides of a sample, under no heading."""


def with_heading_lines(text: str) -> str:
    """The text with each heading on a line of its own.

    >>> with_heading_lines("-----Example:-----Input:")
    '-----Example:-----\\nInput:'
    >>> with_heading_lines("------\\n------ Constraints ------")
    '------ Constraints ------'
    """
    if "||end" in text:
        text = _OF_OMEGAUP.sub(lambda line: f"\n## {_HEADING_OF_OMEGAUP[line[1] or 'examplefile']}\n", text)
    if "-----" in text:
        text = _BETWEEN_DASHES.sub(_alone, text)
    if "```" in text and _UNNAMED_SAMPLE.search(text) and not any(map(_names_a_sample, text.split("\n"))):
        text = _UNNAMED_SAMPLE.sub(r"\n## Example\n\n\g<0>", text, count=1)
    if "![" in text:
        text = _BESIDE_A_FIGURE.sub(_above_its_figure, text)
    if _MAY_BE_GLUED.search(text):
        text = _GLUED.sub(_below_its_sentence, text)
    return text


def _names_a_sample(line: str) -> bool:
    return heading_of(line) in (SAMPLE, SAMPLE_INPUT, SAMPLE_OUTPUT)


def _alone(line: re.Match[str]) -> str:
    heading = f"-{line[1]}"
    if not heading_of(heading):
        return line[0]
    return f"{heading}\n{line[2]}" if line[2] else heading


def _above_its_figure(line: re.Match[str]) -> str:
    return f"{line[1]}\n{line[2]}" if heading_of(line[1]) else line[0]


def _below_its_sentence(heading: re.Match[str]) -> str:
    words = heading[1] or heading[4]
    if words is None:
        return f"\n{heading[2] or heading[3]}"
    return f"\n\n{words}" if heading_of(words) else heading[0]
