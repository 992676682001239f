"""A problem as text for a model: the statement put together from a row's columns, and the default prompt. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from microcoder_eval import Problem
from microcoder_rl.chat.foreign_text import without_special_tokens

PROMPT = """{statement}

{starter_code}Write a complete Python program that solves the problem. Put it in one ```python code block."""
STDIN = "Read from standard input and write to standard output. "


def with_statement(row: Mapping[str, Any], problem: Problem) -> Problem:
    """The problem with a statement assembled from the row's columns."""
    parts = [row.get("title") and f"# {row['title']}", problem.statement]
    for heading, name in (("Input", "input_format"), ("Output", "output_format"), ("Constraints", "constraints")):
        parts.append(row.get(name) and f"## {heading}\n{row[name]}")
    for number, sample in enumerate(row.get("samples") or [], 1):
        parts.append(f"## Example {number}\nInput:\n{sample['input']}\nOutput:\n{sample['output']}")
    parts.append(row.get("notes") and f"## Notes\n{row['notes']}")
    return replace(problem, statement="\n\n".join(part for part in parts if part))


def prompt_of(problem: Problem, template: str, tokenizer: Any = None) -> str:
    """The prompt that asks for a solution, by a template with `{statement}` and `{starter_code}`; "": the default.

    What the problem puts into it holds no special token of the tokenizer. The template may.
    """
    starter = problem.starter_code and f"Begin with this code:\n```python\n{problem.starter_code}\n```\n\n"
    if not template:
        template = PROMPT.replace("Write a complete", STDIN + "Write a complete") if problem.kind == "stdin" else PROMPT
    values = {"{statement}": problem.statement, "{starter_code}": starter}
    values = {name: without_special_tokens(tokenizer, text) for name, text in values.items()}
    return "".join(values.get(part, part) for part in re.split(r"({statement}|{starter_code})", template))
