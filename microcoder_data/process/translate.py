"""The rule that translates rows to English. It keeps the original, and does not use a translation that fails a
check."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from microcoder_data.llm.question import NoAnswer, Question
from microcoder_data.process.language import detect
from microcoder_data.process.render import whole_text
from microcoder_data.process.text import TEXT_COLUMNS, repaired
from microcoder_data.process.translation_markers import MarkedText, Segment
from microcoder_data.rules import ONE_AT_A_TIME, Outcome, changed, marked
from microcoder_data.schema import Row

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

CHUNK_CHARACTERS = 3000
MOST_ANSWER_WORDS = 12
SYSTEM = """You translate statements of programming problems to English, exactly and in plain words.
You get a JSON object whose "segments" are pieces of one statement, in order.
Reply with a JSON object whose "segments" are their translations: as many, in the same order, and nothing else.
Markers such as ⟦1⟧ stand for formulas, code, numbers and names; "markers" shows which, to help you understand.
Each marker appears in the translation as often as in its segment, unchanged, where the sentence needs it.
Write no digits, formulas or code yourself: spell out numbers that are words in the original.
Keep Markdown such as # and *. Add nothing, explain nothing, leave nothing out."""


@dataclass(frozen=True)
class Translate:
    """Translate to English the rows that `language` marked. It needs a model: without one, rows stay marked."""

    name: ClassVar[str] = "translate_v1"
    languages: tuple[str, ...] = ()
    """Translate only from these; empty for all."""

    def __call__(self, row: Row) -> Outcome | None:
        return None

    def ask(self, row: Row, client: Client) -> Outcome | None:
        language = row["language"]
        if language in ("en", "unknown", None) or (self.languages and language not in self.languages):
            return None
        texts = _texts(row)
        answers = _printed_words(row)
        marked_texts = [MarkedText(text, answers) for text, _ in texts]
        segments = [segment for text in marked_texts for segment in text.segments]
        try:
            translations = iter([text for chunk in _chunks(segments) for text in _translated(client, chunk, self.name)])
        except NoAnswer as why:
            return marked(f"not translated from {language}: {why}")
        english = [text.translated([next(translations) for _ in text.segments]) for text in marked_texts]
        with ONE_AT_A_TIME:
            found = detect("\n\n".join(english))
        if found not in ("en", "unknown"):
            return marked(f"not translated from {language}: the translation is in {found}")
        row["statement_original"] = "\n\n".join(filter(None, [row["title"], whole_text(row)]))
        row["translator"] = f"{client.settings.model} {self.name}"
        row["language"] = "en"
        for (_, put), text in zip(texts, english, strict=True):
            put(repaired(text))
        return changed(f"{language} to en by {client.settings.model}", len(segments))


Put = Callable[[str], None]


def _texts(row: Row) -> list[tuple[str, Put]]:
    """The texts of a row to translate, each with a function that puts the translation in its place."""

    def column(of: dict[str, Any], name: str) -> tuple[str, Put]:
        return of[name], lambda text: of.__setitem__(name, text)

    found = [column(row, name) for name in TEXT_COLUMNS if row[name]]
    return found + [column(sample, "explanation") for sample in row["samples"] if sample["explanation"]]


def _printed_words(row: Row) -> set[str]:
    """The words that right answers consist of, such as SIM and NÃO, if they are few: they must not be translated."""
    words: set[str] = set()
    for item in [*row["samples"], *row["tests"]]:
        words.update(word for word in item["output"][:2000].split() if len(word) > 1 and word.isalpha())
        if len(words) > MOST_ANSWER_WORDS:
            return set()
    return words


def _chunks(segments: list[Segment]) -> list[list[Segment]]:
    """The segments in groups, one for each question."""
    chunks: list[list[Segment]] = []
    size = CHUNK_CHARACTERS + 1
    for segment in segments:
        if size + len(segment.text) > CHUNK_CHARACTERS:
            chunks.append([])
            size = 0
        chunks[-1].append(segment)
        size += len(segment.text)
    return chunks


def _translated(client: Client, chunk: list[Segment], step: str) -> list[str]:
    """The translations of one group, asked of the model."""
    texts = [segment.text.strip() for segment in chunk]
    items = {"type": "array", "items": {"type": "string"}, "minItems": len(texts), "maxItems": len(texts)}
    schema = {"type": "object", "properties": {"segments": items}, "required": ["segments"]}
    user = json.dumps({"segments": texts, "markers": [segment.kept for segment in chunk]}, ensure_ascii=False)
    question = Question(step, SYSTEM, user, schema, answer_tokens=200 + len(user.encode()) // 2)

    def check(answer: dict[str, Any]) -> str:
        pairs = enumerate(zip(chunk, answer["segments"], strict=True))
        return next((f"segment {n}: {fault}" for n, (one, text) in pairs if (fault := one.fault(text))), "")

    return list(client.ask(question, check)["segments"])
