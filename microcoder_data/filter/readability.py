"""The rule that drops statements that cannot be understood or are incomplete. A model judges; without one, checks do.

The checks count what a complete, readable statement has; they cannot recognise a bad explanation. The provenance says
who judged.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from microcoder_data.filter.quality import leftovers
from microcoder_data.llm.question import NoAnswer, Question
from microcoder_data.process.prose import prose_of
from microcoder_data.process.render import render, whole_text
from microcoder_data.rules import Outcome, drop, kept, marked
from microcoder_data.schema import Row

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

LONGEST_SENTENCE = 60
STATEMENT_CHARACTERS = 12_000
_END = re.compile(r"[.!?。！？]")
_TASK = re.compile(
    r"\b(?:print|output|return|find|determine|compute|calculate|count|write|implement|display|decide|check|report|tell|"
    r"answer|complete|create|design|sort|how many|what is|your task|you (?:must|need|have|are|should))\b"
)
_FREQUENT_TASKS = (" print ", " find ", " output ", " return ", "\nprint ", "\noutput ")
"""What most texts have of the pattern above."""
_INPUT = re.compile(r"\b(?:input|given?|reads?|contains?|consists?|first line|takes?|parameter|argument|integers?)\b")
_OUTPUT = re.compile(r"\b(?:output|print|return|display|write|answer|report|tell)")
_SIGNS_OF_BOUNDS = ("≤", "≥", "<", ">", "\\le", "\\ge", "10^")
_WORDS_OF_BOUNDS = ("at most", "at least", "between", "up to", "positive", "exceed")
_BOUNDS = re.compile(r"\b(?:(?:at (?:most|least)|between|up to|positive)\b|exceed)")
_LOWER, _UPPER = string.ascii_lowercase.encode(), string.ascii_uppercase.encode()
SYSTEM = """You check statements of programming problems before students get them. Judge the text alone, not the task.
readability, 1 to 5: 5 clear and correct language, 3 understood with effort, 1 cannot be understood.
completeness, 1 to 5: 5 task, input, output and limits are all there, 3 something must be guessed from the samples,
1 the task cannot be solved as given: a part, a figure or a definition is missing.
missing: what is missing, in a few words; empty if nothing is.
Reply with one JSON object with the keys readability, completeness and missing, and nothing else."""
_SCORE = {"type": "number", "minimum": 1, "maximum": 5}
SCHEMA = {
    "type": "object",
    "properties": {"readability": _SCORE, "completeness": _SCORE, "missing": {"type": "string"}},
    "required": ["readability", "completeness", "missing"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Readability:
    """Drop rows that cannot be understood, or cannot be solved as given. Both scores are from 1 to 5."""

    name: ClassVar[str] = "readability_v1"
    min_readability: float = 2.5
    min_completeness: float = 2.5
    judge: Literal["model", "rules"] = "model"
    """Who judges if the recipe has a model: `model` costs a call for every row. Without a model, `rules` judges."""

    @property
    def asks(self) -> bool:
        """Whether the rule asks a model when the recipe has one."""
        return self.judge == "model"

    def __call__(self, row: Row) -> Outcome | None:
        if row["language"] not in ("en", "unknown", None):
            return marked(f"not judged: rules read English, not {row['language']}")
        return self._by_rules(row, "by rules")

    def ask(self, row: Row, client: Client) -> Outcome | None:
        text = render(row, samples=2)[:STATEMENT_CHARACTERS]
        try:
            answer = client.ask(Question(self.name, SYSTEM, text, SCHEMA, answer_tokens=200))
        except NoAnswer as why:
            return self._by_rules(row, f"by rules, for want of an answer ({why})")
        return self._judged(answer, f"by {client.settings.model}", answer["missing"])

    def _by_rules(self, row: Row, judge: str) -> Outcome:
        found = checks(row)
        scores = {name: 1 + 4 * sum(parts.values()) / len(parts) for name, parts in found.items()}
        failed = [check for parts in found.values() for check, passed in parts.items() if not passed]
        return self._judged(scores, judge, ", ".join(failed))

    def _judged(self, scores: dict[str, Any], judge: str, missing: str) -> Outcome:
        """The outcome for a row with these scores."""
        readability, completeness = float(scores["readability"]), float(scores["completeness"])
        detail = f"{judge}: readability {readability:.2f}, completeness {completeness:.2f}"
        detail += f"; missing: {missing}" if missing.strip() else ""
        if readability < self.min_readability:
            return drop("unreadable", detail, readability, self.min_readability)
        if completeness < self.min_completeness:
            return drop("incomplete", detail, completeness, self.min_completeness)
        return kept(min(readability, completeness), None, detail)


def checks(row: Row) -> dict[str, dict[str, bool]]:
    """The checks for each score, and whether the statement passes them.

    >>> from microcoder_data.schema import new_row
    >>> checks(new_row(statement="Print the sum of two given integers.", kind="stdin"))["completeness"]["task"]
    True
    """
    text = whole_text(row)
    lower = text.lower()
    prose = prose_of(text)
    letters = prose.encode("ascii", "ignore")
    lengths = (len(sentence.split()) for sentence in _sentences(prose))
    sentences = [length for length in lengths if length]
    function = row["kind"] not in ("stdin", "interactive")
    return {
        "readability": {
            "sentences": bool(_END.search(prose)),
            "short sentences": bool(sentences) and sum(sentences) / len(sentences) <= LONGEST_SENTENCE,
            "clean markup": leftovers(text) == 0,
            "closed formulas": text.replace("\\$", "").count("$") % 2 == 0 and text.count("```") % 2 == 0,
            "lower case": len(letters.translate(None, _LOWER)) <= len(letters.translate(None, _UPPER)),
        },
        "completeness": {
            "task": any(map(lower.__contains__, _FREQUENT_TASKS)) or bool(_TASK.search(lower)),
            "input": bool(row["input_format"] or function or _INPUT.search(lower)),
            "output": bool(row["output_format"] or function or _OUTPUT.search(lower)),
            "limits": bool(row["constraints"]) or _states_bounds(lower),
            "example": bool(row["samples"] or row["starter_code"] or row["test_code"] or ">>>" in text),
        },
    }


def _sentences(prose: str) -> list[str]:
    """The prose split at every `_END`, which takes longer with the pattern."""
    for end in "!?" if prose.isascii() else "!?。！？":
        prose = prose.replace(end, ".")
    return prose.split(".")


def _states_bounds(text: str) -> bool:
    """Whether a text in lower case has a sign or a word of a bound. Signs and words are faster to find than a
    pattern."""
    if any(map(text.__contains__, _SIGNS_OF_BOUNDS)):
        return True
    return any(map(text.__contains__, _WORDS_OF_BOUNDS)) and _BOUNDS.search(text) is not None
