"""The rule that detects a statement's language: by script, common words and spelling, else by langdetect (seeded).

Code, formulas and samples mislead a detector, so they are removed first (`prose.py`). Plain English is recognised
without that. A row in a language that is not in `keep` is marked for translation or dropped, as the recipe says.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

from microcoder_data.process import letters
from microcoder_data.process.function_words import ENGLISH_PROSE, FOREIGN, LANGUAGES, WORD_WEIGHTS, evidence
from microcoder_data.process.prose import prose_of, without_blocks
from microcoder_data.rules import Outcome, drop_named, marked
from microcoder_data.schema import Row

_WORD = re.compile(r"[^\W\d_]+")
_FORMULA = re.compile(r"\$+[^$]*\$+")
# Characters between words. A backslash belongs to its word: `\le` is not French.
_BETWEEN_WORDS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) in "\\_")}
_SCRIPTS = {
    "ja": re.compile(r"[\u3041-\u3096\u30a1-\u30fa]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "zh": re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
}
_LATIN = re.compile(r"[\u00c0-\u024f]")
_ASCII = re.compile(r"[\x00-\x7f]+")
_ASCII_LETTERS = string.ascii_letters.encode()
# Letters that only one of the languages in Cyrillic script uses.
_CYRILLIC = (
    ("uk", re.compile(r"[іїєґ]", re.I)),
    ("sr", re.compile(r"[ђћџљњј]", re.I)),
    ("ru", re.compile(r"[ыэё]", re.I)),
    ("bg", re.compile(r"ъ(?![еёюя])", re.I)),  # a vowel only in Bulgarian
)
# Letters of Arabic script that Arabic does not use.
_ARABIC = (("ur", re.compile(r"[ٹڈڑںے]")), ("fa", re.compile(r"[پچژگکی]")))
_MALAY = (
    "dan yang untuk dari daripada dengan dalam atau jika setiap tidak "
    "sebuah ini itu kepada pada oleh fungsi jumlah tulis diberikan dua"
)
_RARE = {
    name: frozenset(words.split())
    for name, words in (
        ("id", f"{_MALAY} bilangan daftar periksa apakah angka larik kembalikan buatlah bisa adalah kata"),
        ("ms", f"{_MALAY} nombor senarai semak sama ada perkataan pulangkan rentetan tatasusunan boleh ialah"),
        ("tl", "ng mga ang ay kung isang dalawang ito nito ibalik sumulat suriin bawat pinakamalaking"),
    )
}
"""Common words of languages that the table lacks and whose short texts look like English to it."""
_LEAST_RARE, _LEAST_SHARE = 2, 0.2
PROSE_CHARACTERS = 700
HEAD_CHARACTERS = 1200
LEAST_OF_ENGLISH = 12
READ_CHARACTERS = 2500
FEW_WORDS = 6
LEAST_WORDS = 3
SPELLING, FOREIGN_WORD, LETTER, MOST_OF_A_WORD = 0.33, 3.0, 1.0, 3
"""Weights of the evidence against a language: for each unit of misspelling (`letters.misfit`), for a common word of
other languages only, and for such a word of one letter, which may be a variable. A word counts at most `MOST_OF_A_WORD`
times."""
LESS_LIKELY = {"no": 2.0, "es": 1.0}
"""Added to the doubts about Norwegian and Spanish: they are spelt almost like Danish and Portuguese, which are far more
frequent among statements."""
ENGLISH_MARGIN, STRANGE = 1.0, 1.9
"""A language must fit better than English by this margin. With more doubt for each word than `STRANGE`, the text is in
a language that the table lacks."""


@dataclass(frozen=True)
class Language:
    """Detect the statement's language."""

    name: ClassVar[str] = "language_v4"
    keep: tuple[str, ...] = ("en",)
    """Languages that need no translation."""
    others: Literal["mark", "drop"] = "mark"
    """What becomes of rows in other languages: marked for translation, or dropped."""

    def __call__(self, row: Row) -> Outcome | None:
        if not row["language"]:
            row["language"] = detect(row["statement"])
        language = row["language"]
        if language in self.keep or language == "unknown":
            return None
        if self.others == "drop":
            return drop_named("language", language)
        return marked(f"{language}: to be translated")


def detect(text: str) -> str:
    """The language of a text as a BCP-47 code; `unknown` when the text has too few words.

    >>> detect("Print the number of ways to reach the last stone."), detect("求数组的和。"), detect("123")
    ('en', 'zh', 'unknown')
    """
    if _plainly_english(text):
        return "en"
    text = text[:READ_CHARACTERS]
    for reading in (
        prose_of,
        without_blocks,
        str,
    ):  # some publishers put everything in a fence, or in lines that look like code
        prose = reading(text)
        words = [word.lower() for word in _WORD.findall(prose)]
        if len(words) >= LEAST_WORDS or not prose.isascii():
            break
    if not words:
        return "unknown"
    counts = Counter(words)
    english = sum(counts[word] for word in counts.keys() & ENGLISH_PROSE)
    return _by_script(prose, english) or _by_words(prose, counts)


def _plainly_english(text: str) -> bool:
    """Whether a text is mostly ASCII and has many English function words and hardly any common words of other
    languages."""
    head = text[:HEAD_CHARACTERS]
    if "```" in head or (not head.isascii() and len(head.encode("utf-8", "replace")) > 1.02 * len(head)):
        return False
    if "$" in head:
        head = _FORMULA.sub(" ", head)
    words = head.lower().translate(_BETWEEN_WORDS).split()
    english = sum(map(ENGLISH_PROSE.__contains__, words))

    def enough(words: list[str]) -> bool:
        most = english >= 0.09 * len(words) and 6 * sum(map(FOREIGN.__contains__, words)) <= english
        return len(words) >= LEAST_OF_ENGLISH and most

    if english >= LEAST_OF_ENGLISH and enough(words):  # also without signs and single letters, which are no words
        return True
    return enough([word for word in words if word.isalpha() and len(word) > 1])


def _by_script(prose: str, english: int) -> str | None:
    """The language of a script that only one language uses, unless the text has more English; else None."""
    if prose.isascii():
        return None
    ascii_only = prose.encode("ascii", "ignore")
    others = _ASCII.sub("", prose)
    counts = _Letters(others)
    latin = len(ascii_only) - len(ascii_only.translate(None, _ASCII_LETTERS)) + len(_LATIN.findall(others))

    def settles(letters: int, word_length: float) -> bool:
        """Whether the script outweighs the English. In English about every fifth word is a function word."""
        return letters >= 2 * word_length and (
            letters * 6 >= latin * word_length or letters >= 5 * word_length * english
        )

    if counts["ja"] * 12 >= counts["zh"] and counts["ja"] and settles(counts["ja"] + counts["zh"], 1.5):
        return "ja"
    for name in ("ko", "zh"):
        if settles(counts[name], 1.5):
            return name
    for name in ("ar", "he", "th", "hi", "el"):
        if settles(counts[name], 5):
            return next((one for one, letters in _ARABIC if letters.search(prose)), "ar") if name == "ar" else name
    if settles(counts["cyrillic"], 5):
        return next((name for name, letters in _CYRILLIC if letters.search(prose)), "ru")
    return None


class _Letters(dict[str, int]):
    """How many letters of a script a text has, counted when they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __missing__(self, script: str) -> int:
        count = self[script] = len(_SCRIPTS[script].findall(self._text))
        return count


def _by_words(prose: str, counts: Counter[str]) -> str:
    """The language by common words and spelling; by langdetect where no language of the table fits."""
    if rare := _rare(counts):
        return rare
    total, scores = counts.total(), evidence(counts)
    words = sum(count for word, count in counts.items() if len(word) > 1)
    second, first = sorted(LANGUAGES, key=lambda name: scores[name])[-2:]
    dense = scores[first] >= 0.12 * total
    if dense and scores[first] >= max(3, 2 * scores[second]):
        return first
    if words < LEAST_WORDS and not dense:
        return "unknown"
    doubts = _doubts(counts)
    best = min(doubts, key=lambda name: doubts[name])
    if dense and first not in doubts:
        return first
    strange = words >= FEW_WORDS and doubts[best] > STRANGE * total
    if strange and not (best == "en" and prose.isascii()) and (found := _detector(prose)) not in doubts:
        return found
    foreign = doubts["en"] - doubts[best]
    if foreign < ENGLISH_MARGIN:
        return "en"
    return best if words >= FEW_WORDS or foreign >= 2 * ENGLISH_MARGIN else "unknown"


def _rare(counts: Counter[str]) -> str | None:
    """Indonesian, Malay or Tagalog, by their common words; else None."""
    found = {name: sum(counts[word] for word in counts.keys() & words) for name, words in _RARE.items()}
    best = max(found, key=lambda name: found[name])
    words = sum(count for word, count in counts.items() if len(word) > 1)
    return best if found[best] >= max(_LEAST_RARE, _LEAST_SHARE * words) else None


def _doubts(counts: Counter[str]) -> dict[str, float]:
    """How badly a text's words fit each language of the table: 0 if all are common words of it."""
    known = {word: count for word, count in counts.items() if word in WORD_WEIGHTS}
    misfit = letters.misfit({word: count for word, count in counts.items() if len(word) > 1 and word not in known})
    found = dict(zip(letters.languages(), (SPELLING * misfit).tolist(), strict=True))
    for word, count in known.items():
        weight = FOREIGN_WORD if len(word) > 1 or not word.isascii() else LETTER
        for name in found:
            if name not in WORD_WEIGHTS[word]:
                found[name] += weight * min(count, MOST_OF_A_WORD)
    for name, doubt in LESS_LIKELY.items():
        found[name] += doubt
    return found


def _detector(prose: str) -> str:
    """The language by langdetect."""
    langdetect = _langdetect()
    try:
        best: str = langdetect.detect_langs(" ".join(prose.split())[:PROSE_CHARACTERS])[0].lang
    except langdetect.LangDetectException:
        return "unknown"
    return "zh" if best in ("zh-cn", "zh-tw") else best


@lru_cache(maxsize=1)
def _langdetect() -> Any:
    import langdetect

    langdetect.DetectorFactory.seed = 0  # unseeded, it gives different answers to the same text
    return langdetect
