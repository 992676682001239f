"""The rule that writes `answer_format`: what a model must return, one text for each kind of problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome
from microcoder_data.schema import Row


@dataclass(frozen=True)
class AnswerFormat:
    """Say how the answer must look; `{entry_point}` stands for the function's name."""

    name: ClassVar[str] = "answer_format_v1"
    stdin: str = (
        "Write a complete Python program that reads the input from standard input and prints the answer to standard "
        "output. Put the program in one ```python block."
    )
    call: str = (
        "Complete the starter code: implement `{entry_point}` so that it returns the answer. Do not read input or "
        "print. Put the complete code in one ```python block."
    )
    asserts: str = "Write the Python function `{entry_point}`. Put the complete code in one ```python block."
    interactive: str = (
        "Write a complete Python program that talks to the judge through standard input and output, and flush after "
        "every line you print. Put the program in one ```python block."
    )

    def __call__(self, row: Row) -> Outcome | None:
        instruction: str = getattr(self, row["kind"])
        row["answer_format"] = instruction.format(entry_point=row["entry_point"] or "the function")
        return None
