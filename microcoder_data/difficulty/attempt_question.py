"""The question to a model that attempts a problem. `data attempt` and `verify.attempts` share it."""

from __future__ import annotations

from microcoder_data.llm.question import Question
from microcoder_data.process.render import render
from microcoder_data.schema import Row

SYSTEM = "You solve programming problems in Python. End with the whole program in one ```python block."


def attempt_question(row: Row, draw: int, answer_tokens: int, temperature: float) -> Question:
    """The question of attempt number `draw`. The answer is free text, in the field `text`.

    >>> from microcoder_data.schema import new_row
    >>> attempt_question(new_row(statement="Add two numbers."), 0, 1024, 0.7).user
    'Add two numbers.'
    """
    return Question("attempt_v1", SYSTEM, render(row), {}, answer_tokens, temperature, draw)
