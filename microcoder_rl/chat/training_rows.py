"""Rows of other trainers' datasets as problems: a `prompt` for the model, and tests for the reward function.

    problem_of({"prompt": [...], "reward_model": {"ground_truth": '{"inputs": ["1 2"], "outputs": ["3"]}'}}, "a:1")

verl, SkyRL, rLLM, open-r1 and the columns that users of TRL have. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from microcoder_eval import InputError, Problem
from microcoder_eval.ground_truth import problem_from

Message = Mapping[str, Any]
TRUTHS = (
    "reward_model.ground_truth", "reward_spec.ground_truth", "ground_truth", "problem", "verification_info.test_cases",
    "tests", "test_cases", "test_list",
)  # fmt: skip
"""Where such rows hold the tests, in any form that `ground_truth` reads."""
OWN = ("checker", "interactor", "groups", "kind")
"""Fields of this project's form that decide verdicts. A row with one of them is read in no other form."""
IDS = ("id", "problem_id", "task_id", "extra_info.problem_id")


def problem_of(record: Mapping[str, Any], place: str) -> Problem:
    """The problem of a record: this project's form, or else a row for another trainer. `place` names it if nothing
    else does.

    >>> problem_of({"prompt": "Add two numbers.", "tests": ["assert add(1, 2) == 3"]}, "train.jsonl:1").kind
    'asserts'
    """
    try:
        return Problem.from_dict(record)
    except InputError:
        prompt = record.get("prompt")
        truth = next(filter(None, (_at(record, name) for name in TRUTHS)), None)
        if not prompt or truth is None or any(record.get(name) is not None for name in OWN):
            raise
        name = next(filter(None, (_at(record, name) for name in IDS)), place)
        problem = problem_from(_without_nulls(truth), str(name))
        return problem if problem.statement else replace(problem, statement=text_of(prompt))


def messages_of(prompt: Any) -> list[Message]:
    """A prompt as chat messages: a text is what the user says. Raises InputError when it is neither text nor messages.

    >>> messages_of("Add.")
    [{'role': 'user', 'content': 'Add.'}]
    """
    messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
    if not isinstance(messages, Sequence):
        raise InputError(f"its prompt is neither a text nor a list of messages, but a {type(prompt).__name__}")
    for message in messages:
        content = message.get("content") if isinstance(message, Mapping) else None
        if not isinstance(content, str):
            raise InputError("its prompt has a message without a text")
        if any("\ud800" <= character <= "\udfff" for character in content):
            raise InputError("its prompt has a lone surrogate, which no tokenizer takes")
    return list(messages)


def text_of(prompt: Any) -> str:
    """A prompt as one text. Raises InputError as `messages_of`.

    >>> text_of([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Add."}])
    'Be brief.\\n\\nAdd.'
    """
    return "\n\n".join(message["content"] for message in messages_of(prompt))


def _at(record: Any, place: str) -> Any:
    for name in place.split("."):
        record = record.get(name) if isinstance(record, Mapping) else None
    return record


def _without_nulls(value: Any) -> Any:
    """A value without the keys that are null: Parquet gives all objects of a column the same keys."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value
