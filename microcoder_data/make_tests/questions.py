"""The questions by which a model writes validators, generators, checkers and brute-force solutions.

The prompts are files of this package, each with its version. The answer is an untrusted program: it is run only in the
sandbox, and used only after its proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from microcoder_data.llm.question import NoAnswer, Question
from microcoder_data.process.render import render
from microcoder_data.schema import Row

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

STATEMENT_CHARACTERS = 12_000
WRONG_CHARACTERS = 4000
SHOWN_CHARACTERS = 1000
PROGRAM_CHARACTERS = 40_000
ANSWER_TOKENS = 3000
TEMPERATURE = 0.6
KINDS = {
    "random": "small random inputs: few values, small values, many coincidences",
    "edge": "edge cases: least and largest counts, values at their bounds, all equal, sorted, empty where allowed",
    "largest": "the largest inputs that the constraints allow, in the shapes that make slow programs slowest",
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"program": {"type": "string"}},
    "required": ["program"],
}


@dataclass(frozen=True)
class Written:
    """A program that the model has written."""

    name: str
    """Its kind and number: `validator 0`."""
    code: str


@lru_cache(maxsize=8)
def prompt(name: str) -> tuple[str, str]:
    """The prompt's version (its name and a hash of its text), and its text.

    >>> prompt("validator_v1")[0].startswith("validator_v1 ")
    True
    """
    text = (resources.files(__package__) / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    body = text.split("---\n", 2)[2].strip()
    return f"{name} {hashlib.sha256(body.encode()).hexdigest()[:8]}", body


def ask_for_programs(client: Client, row: Row, name: str, wanted: str, count: int, label: str) -> Iterator[Written]:
    """At most `count` different programs of one kind; fewer if the model gives no useful answer or the same one twice.

    The model is asked for each when it is taken. name: the prompt's name. wanted: what the question adds to it. label:
    the programs' name, before a number.
    """
    version, system = prompt(name)
    user = f"{render(row, samples=3)[:STATEMENT_CHARACTERS]}\n\n{_as_files(row)}{wanted}".rstrip()
    found: set[str] = set()
    for draw in range(count):
        question = Question(f"make_tests {version}", system, user, SCHEMA, ANSWER_TOKENS, TEMPERATURE, draw)
        try:
            code = client.ask(question)["program"]
        except NoAnswer:
            continue
        if code.strip() and len(code) <= PROGRAM_CHARACTERS and code not in found:
            found.add(code)
            yield Written(f"{label} {draw}", code)


def _as_files(row: Row) -> str:
    """Known inputs exactly as tests hold them; for a function, the arguments as JSON, one a line."""
    texts = [test["input"] for test in row["tests"] if not test["ref"] and len(test["input"]) <= SHOWN_CHARACTERS]
    shown = "\n".join(f"```\n{text.rstrip()}\n```" for text in texts[:2])
    return f"Test inputs look exactly like these:\n{shown}\n\n" if shown else ""


def adversarial(code: str) -> str:
    """The request for a generator against a wrong solution."""
    shown = code[:WRONG_CHARACTERS]
    return f"Inputs on which this wrong solution fails (find its mistake first):\n```\n{shown}\n```"
