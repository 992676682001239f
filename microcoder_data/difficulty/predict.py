"""The rule that predicts how hard a row is, from 1 to 5, by a model or by the heuristic, and sets its level."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from microcoder_data.difficulty import heuristic
from microcoder_data.difficulty.levels import EMPTY, level_of
from microcoder_data.difficulty.rating_prompt import DEFAULT, RatingPrompt, load_prompt
from microcoder_data.llm.question import NoAnswer, Question
from microcoder_data.process.render import render
from microcoder_data.rules import Outcome, kept, marked
from microcoder_data.schema import Row
from microcoder_eval import InputError
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

STATEMENT_CHARACTERS = 12_000


@dataclass(frozen=True)
class Difficulty:
    """Predict the difficulty. `boundaries` turn it into a level where the source gives none, or everywhere
    (`override`)."""

    name: ClassVar[str] = "difficulty_v1"
    boundaries: tuple[float, ...] = (2.5, 2.75)
    """The predicted difficulties at which medium and hard begin. The default is the paper's; `microcoder data
    difficulty` finds boundaries that fit a predictor."""
    override: bool = False
    """Replace the level that the source gives."""
    predictions: int = 3
    """How many independent predictions of a model are averaged."""
    temperature: float = 0.7
    prompt: str = DEFAULT
    """The name of the package's prompt, or a file in the same form."""

    def __post_init__(self) -> None:
        if len(self.boundaries) != len(DIFFICULTY_LEVELS) - 1 or list(self.boundaries) != sorted(self.boundaries):
            raise InputError("boundaries: two rising numbers are needed, where medium begins and where hard begins")
        if self.predictions < 1:
            raise InputError("predictions must be at least 1")
        load_prompt(self.prompt)

    def __call__(self, row: Row) -> Outcome | None:
        predicted, grounds = heuristic.score(row)
        return self._written(row, predicted, heuristic.NAME, grounds)

    def ask(self, row: Row, client: Client) -> Outcome | None:
        prompt = load_prompt(self.prompt)
        version = f"{prompt.version} {hashlib.sha256(prompt.text.encode()).hexdigest()[:8]}"
        answers = []
        failure = ""
        for draw in range(self.predictions):
            try:
                answers.append(client.ask(self._question(row, prompt, version, draw)))
            except NoAnswer as error:
                failure = str(error)
        if not answers:
            return marked(f"not predicted: {failure}")
        scores = [prompt.score(answer) for answer in answers]
        means = {name: sum(answer[name] for answer in answers) / len(answers) for name in prompt.weights}
        grounds = ", ".join(f"{name} {value:.2f}" for name, value in means.items())
        shown = " ".join(f"{score:.2f}" for score in scores)
        predictor = f"{client.settings.model} {version}"
        return self._written(row, sum(scores) / len(scores), predictor, f"mean of {shown}; {grounds}")

    def _question(self, row: Row, prompt: RatingPrompt, version: str, draw: int) -> Question:
        text = render(row, samples=2)[:STATEMENT_CHARACTERS]
        return Question(f"{self.name} {version}", prompt.text, text, prompt.schema, 200, self.temperature, draw)

    def _written(self, row: Row, predicted: float, predictor: str, grounds: str) -> Outcome:
        """Write a prediction into the row."""
        level = level_of(predicted, self.boundaries)
        known = row["difficulty"] or EMPTY
        row["difficulty"] = {**EMPTY, **known, "predicted": predicted, "predictor": predictor}
        if self.override or not known["level"]:
            row["difficulty"]["level"] = level
        return kept(predicted, None, f"{level} by {predictor}: {grounds}")
