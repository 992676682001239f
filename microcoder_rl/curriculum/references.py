"""StepCoder's curriculum: the prompt begins the solution, and leaves more of it to the model as the model succeeds.

A reference solution is cut before one of its branches or loops. A problem with n of them has ceil(sqrt(n)) stages with
a part of the solution, from the last cut to the first, and then the stage without any.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microcoder_eval import InputError
from microcoder_eval.reading.input_files import read_records
from microcoder_rl.chat.training_rows import Message

HINT = "\n\nThe program begins like this; write the whole program:\n```python\n{begin}\n```\n"


def cuts(code: str) -> list[int]:
    """For each stage the number of lines of the reference that the prompt shows. Empty when the reference is not a
    Python program, or has no branch and no loop.

    >>> cuts("a = 1\\nif a:\\n    b = 2\\nfor c in d:\\n    e\\n")
    [3, 1]
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = {node.lineno - 1 for node in ast.walk(tree) if isinstance(node, (ast.If, ast.For, ast.While))}
    found = sorted(lines - {0})
    stages = math.ceil(math.sqrt(len(found)))
    return [found[math.ceil(len(found) * (stages - stage) / stages) - 1] for stage in range(stages)]


def with_beginning(messages: Sequence[Message], code: str, stage: int) -> list[Message]:
    """The chat of a stage: the last message shows the beginning. In the last stage it is the original chat.

    >>> with_beginning([{"content": "Sum."}], "a = 1\\nif a:\\n    b = 2\\n", 0)[0]["content"].splitlines()[3:5]
    ['```python', 'a = 1']
    """
    places = cuts(code)
    if stage >= len(places):
        return list(messages)
    *before, last = messages
    begin = "\n".join(code.split("\n")[: places[stage]])
    return [*before, {**last, "content": last["content"] + HINT.replace("{begin}", begin)}]


def read_references(path: str) -> dict[str, str]:
    """The first right Python solution of each problem, from records with `problem_id` or `id`, and `solution` (text)
    or `solutions` (as in the dataset)."""
    if not Path(path).exists():
        raise InputError(f"curriculum.solutions: {path} does not exist")
    found: dict[str, str] = {}
    for place, record in read_records(Path(path)):
        if isinstance(record, str):
            raise InputError(f"curriculum.solutions: {place}: {record}")
        name, code = str(record.get("problem_id") or record.get("id") or ""), _solution(record)
        if name and code:
            found.setdefault(name, code)
    if not found:
        raise InputError(f"curriculum.solutions: {path} has no Python solution")
    return found


def _solution(record: Mapping[str, Any]) -> str | None:
    given = record.get("solution") or record.get("solutions")
    for each in given if isinstance(given, list) else [given]:
        if not isinstance(each, Mapping):
            each = {"code": each}
        code, language = each.get("code"), str(each.get("language") or "python").lower()
        if isinstance(code, str) and code.strip() and language.startswith("py") and each.get("correct") is not False:
            return code.replace("\r\n", "\n").replace("\r", "\n")  # the lines that `ast` counts
    return None
