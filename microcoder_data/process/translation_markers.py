"""Put markers in place of what a translation must not change: formulas, code, addresses, quoted answers, numbers.

    text = MarkedText(statement)
    [segment.text for segment in text.segments]      # such as "Given ⟦1⟧ stones, print ⟦2⟧."
    text.translated(translations)                    # the statement with translated prose

A translation is used only if it has exactly the markers of its segment. Blocks of code and displayed formulas are in
no segment, so they are never sent to a model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from microcoder_data.process.pairs import pairs

LONGEST_QUOTE = 40
_BLOCK = re.compile(r"```|~~~|\$\$\$?|\\\[|\\begin\{\w+\*?\}")
# A line ends a segment if the next one begins a heading, an item of a list or a row of a table. Else it is wrapped.
_BREAK = re.compile(r"(\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*+#|>•]|\d+[.)])))")
_HEADING = re.compile(r"^([ \t]*#[^\n]*\n)", re.MULTILINE)
_ADDRESS = r"\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"
_INLINE = (
    r"\$[^$\n]+\$|\\\((?:(?!\\[()]).)+\\\)|``[^\n]+?``|`[^`\n]+`|"
    rf"!\[[^\[\]\n]*\]{_ADDRESS}|\]{_ADDRESS}|https?://[^\s)>\]]+|</?[A-Za-z][^<>\n]{0, 80}>|"
    rf"\"[A-Za-z][^\"\n]{{0,{LONGEST_QUOTE}}}\"|“[A-Za-z][^”\n]{{0,{LONGEST_QUOTE}}}”"
)
_ASCII_WORDS = r"[A-Za-z][A-Za-z0-9_]*(?: [A-Za-z][A-Za-z0-9_]*)*"
_NOT_LATIN = re.compile(r"[\u0370-\u1fff\u3040-\ud7af]")
_LATIN = re.compile(r"[A-Za-z]")
_NUMBER = r"(?:(?<![\w)\]}])[-−+])?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+|\^\{?[-−]?\d+\}?)?"
_MARKER = re.compile(r"⟦(\d+)⟧")
_STRAY = re.compile(r"[⟦⟧]")
_CODE_OR_FORMULA = re.compile(r"[$`]|\\[a-z]+\{|https?://")
_PROSE = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=64)
def _end_of_block(opened: str) -> re.Pattern[str]:
    """What closes a block. The end of the text closes code."""
    if opened in ("```", "~~~"):
        return re.compile(rf"{opened}|\Z")
    return re.compile(re.escape(opened.replace("\\[", "\\]").replace("\\begin", "\\end")))


@dataclass(frozen=True)
class Segment:
    """A piece of prose with markers, and the texts that the markers stand for."""

    text: str
    kept: tuple[str, ...]

    def fault(self, translation: str) -> str:
        """What is wrong with a translation of this segment; empty when nothing is."""
        wanted = Counter(_MARKER.findall(self.text))
        found = Counter(_MARKER.findall(translation))
        if lost := wanted - found:
            return f"it lost ⟦{min(lost, key=int)}⟧"
        if invented := found - wanted:
            return f"it invented ⟦{min(invented, key=int)}⟧"
        prose = _MARKER.sub(" ", translation)
        if _STRAY.search(prose):
            return "it altered a marker"
        if _DIGIT.search(prose):
            return "it has a number that is no marker"
        if len(_CODE_OR_FORMULA.findall(prose)) > len(_CODE_OR_FORMULA.findall(_MARKER.sub(" ", self.text))):
            return "it has code or a formula that is no marker"
        if not prose.strip() or len(translation) > 8 * len(self.text) + 200:
            return "its length cannot be right"
        return ""

    def restored(self, translation: str) -> str:
        """The translation with the markers replaced by their texts."""
        return _MARKER.sub(lambda found: self.kept[int(found[1]) - 1], translation)


class MarkedText:
    """A text cut into segments of prose and pieces that stay as they are."""

    def __init__(self, text: str, answers: Iterable[str] = ()) -> None:
        """`answers`: words that programs print. They are not translated."""
        kept = [_INLINE]
        if 4 * len(_NOT_LATIN.findall(text)) >= len(_LATIN.findall(text)):
            kept.append(_ASCII_WORDS)  # in another script, Latin words are names, variables and words to print
        kept += [rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(answers, key=lambda word: (-len(word), word))]
        self._inline = re.compile("|".join([*kept, _NUMBER]))
        self._pieces: list[str | Segment] = []
        end = 0
        for block in pairs(text, _BLOCK, lambda opened: [_end_of_block(opened[0])]):
            self._add(text[end : block.opened.start()])
            self._pieces.append(block.whole)
            end = block.end
        self._add(text[end:])

    def _add(self, text: str) -> None:
        for piece in (part for line in _HEADING.split(text) for part in _BREAK.split(line)):
            kept: dict[str, int] = {}

            def marker(found: re.Match[str], kept: dict[str, int] = kept) -> str:
                return f"⟦{kept.setdefault(found[0], len(kept) + 1)}⟧"

            marked = self._inline.sub(marker, _STRAY.sub("", piece))
            is_prose = _PROSE.search(_MARKER.sub(" ", marked))
            self._pieces.append(Segment(marked, tuple(kept)) if is_prose else piece)

    @property
    def segments(self) -> list[Segment]:
        return [piece for piece in self._pieces if isinstance(piece, Segment)]

    def translated(self, translations: Sequence[str]) -> str:
        """The text with a translation for each segment, in order.

        >>> MarkedText("Выведите `x` и 7.").translated(["Print ⟦1⟧ and ⟦2⟧."])
        'Print `x` and 7.'
        """
        left = iter(translations)
        return "".join(
            _around(piece.text, piece.restored(next(left))) if isinstance(piece, Segment) else piece
            for piece in self._pieces
        )


def _around(original: str, translation: str) -> str:
    """The translation with the white space around the original."""
    body = original.strip()
    start = original.index(body)
    return original[:start] + translation.strip() + original[start + len(body) :]
