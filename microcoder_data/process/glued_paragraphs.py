"""Put paragraphs apart in texts that a dump has written on one line: `a list of digits.Let's call it pretty.`

Only texts without any line break are read: elsewhere a missing space is the author's.
"""

from __future__ import annotations

import re

SHORTEST = 120
"""Characters. A shorter text is one paragraph."""
_SENTENCE_END = re.compile(r"(?:(?<![\w.])[a-z]{2,}|[^\s.]{0,60}[)$\"'»\]0-9])[.!?](?=([A-Z][a-z']*) [a-z(\"$0-9])")
"""A lower-case word, a formula or a bracket, a full stop, and a word that begins a sentence. `Math.Max` has none."""
_BEGINS = re.compile(
    r"A|After|All|Also|An|As|Assume|At|Besides|Both|But|By|Calculate|Can|Count|Determine|During|Each|Every|Find|First|For|From|Given|Help|Here|However|If|In|Initially|It|Let|"
    r"Next|Note|Now|On|One|Output|Please|Print|So|Some|Such|The|Their|Then|There|These|They|This|Thus|To|We|What|When|Write|You|Your"
)
"""At least one of the sentences must begin with such a word, or with one that the text has elsewhere too:
`string.Format is` is code."""


def paragraphs_apart(text: str) -> str:
    """The text with an empty line where a sentence begins right behind the full stop of another one.

    >>> paragraphs_apart("You get digits.Let us call them nice. " + "A digit is nice. " * 12).split("\\n\\n")[0]
    'You get digits.'
    >>> paragraphs_apart("You get digits.Let us call them nice.")
    'You get digits.Let us call them nice.'
    """
    if len(text) < SHORTEST or "\n" in text.strip():
        return text
    words = {found[1] for found in _SENTENCE_END.finditer(text)}
    if not any(_BEGINS.fullmatch(word) or f" {word.lower()} " in text.lower() for word in words):
        return text
    return _SENTENCE_END.sub(r"\g<0>\n\n", text)


def without_label(notes: str) -> str:
    """Notes without the heading that a dump has glued to them.

    >>> without_label("NoteIn the first sample 3 is right."), without_label("Notes are words.")
    ('In the first sample 3 is right.', 'Notes are words.')
    """
    return notes[4:] if notes.startswith("Note") and notes[4:5].isupper() else notes
