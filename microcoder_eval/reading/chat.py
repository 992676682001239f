"""The texts that a model replied, in the objects that chat services and inference engines write.

    replies_in({"choices": [{"message": {"role": "assistant", "content": "print(1)"}}]})    # ["print(1)"]

Known are the bodies of OpenAI's, Anthropic's and Gemini's services, of batches, vLLM's outputs, and turns of a chat:
`role` and `content`, or `from` and `value`. Of a chat only the model's last turn counts; reasoning apart does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TEXTS = ("content", "text", "value", "completion", "generated_text", "parts", "output_text")
"""Fields of a turn or a choice that hold its text, or its text in parts."""
_SEVERAL = ("choices", "candidates", "outputs", "generations")
_INSIDE = ("message", "body", "response", "result", "output")
_WITHOUT_TEXT = ("tool_calls", "function_call", "reasoning_content", "reasoning", "refusal")
"""Fields of a turn that may come without a text."""
_SPEAKER = ("role", "from")
_USER = frozenset({"user", "human"})
_MODEL = frozenset({"assistant", "gpt", "model", "ai", "bot", "chatgpt"})
_NO_MODEL = _USER | {"system", "developer", "tool", "function"}
SPEAKERS = {"user": _USER, "assistant": _MODEL}
_DEEPEST = 8


def replies_in(value: Any, depth: int = 0) -> list[str] | None:
    """The replies in a value; None when it has none of these forms. A message without a text is an empty reply.

    >>> replies_in([{"from": "human", "value": "Add."}, {"from": "gpt", "value": "a + b"}])
    ['a + b']
    """
    if isinstance(value, str):
        return [value]
    if depth > _DEEPEST or not value:
        return None
    if isinstance(value, list):
        return _of_list(value, depth)
    if not isinstance(value, Mapping):
        return None
    for name in _SEVERAL:
        if isinstance(value.get(name), list):
            return replies_in(value[name], depth + 1)
    for name in _INSIDE:
        if isinstance(value.get(name), (Mapping, list)) and (found := replies_in(value[name], depth + 1)):
            return found
    for name in _TEXTS:
        if name in value:
            text = _text(value[name], depth)
            return None if text is None else [text]
    return [""] if any(value.get(name) for name in _WITHOUT_TEXT) else None


def turn_of(turns: list[Any], speaker: str) -> str | None:
    """The text of the user's first turn or of the assistant's last one; None when the list is no chat or has none.

    >>> turn_of([{"from": "human", "value": "Add."}, {"from": "gpt", "value": "a + b"}], "user")
    'Add.'
    """
    objects = [each for each in turns if isinstance(each, Mapping)]
    found = [each for each in objects if _speaker(each) in SPEAKERS.get(speaker, ())]
    if not found or len(objects) < len(turns):
        return None
    return next(iter(replies_in(found[0 if speaker == "user" else -1]) or []), None)


def _of_list(values: list[Any], depth: int) -> list[str] | None:
    """The last turn of the model, a text from its parts, or several replies."""
    objects = [each for each in values if isinstance(each, Mapping)]
    if len(objects) == len(values) and any(map(_speaker, objects)):
        turns = [each for each in objects if _speaker(each) in _MODEL]
        turns = turns or [each for each in objects if _speaker(each) not in _NO_MODEL]
        return replies_in(turns[-1], depth + 1) if turns else None
    if len(objects) == len(values) and all(isinstance(each.get("type"), str) for each in objects):
        text = _text(values, depth)
        return None if text is None else [text]
    found = [replies_in(each, depth + 1) for each in values]
    if any(each is None for each in found):
        return None
    return [text for each in found if each is not None for text in each]


def _speaker(turn: Mapping[str, Any]) -> str | None:
    return next((str(turn[name]).lower() for name in _SPEAKER if isinstance(turn.get(name), str)), None)


def _is_thought(part: Mapping[str, Any]) -> bool:
    """Whether a part of a message is reasoning: so Gemini marks it, and others name its type."""
    return part.get("thought") is True or str(part.get("type")).startswith(("reasoning", "thinking"))


def _text(value: Any, depth: int) -> str | None:
    """A text, or the texts of its parts as one: Anthropic's and Gemini's messages hold a list of parts."""
    if isinstance(value, str) or value is None:
        return value or ""
    if isinstance(value, Mapping):
        inner = replies_in(value, depth + 1)
        return inner[0] if inner else None
    if isinstance(value, list):
        parts = [each for each in value if not (isinstance(each, Mapping) and _is_thought(each))]
        texts = [each.get("text") if isinstance(each, Mapping) else each for each in parts]
        return "".join(text for text in texts if isinstance(text, str))
    return None
