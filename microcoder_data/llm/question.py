"""A question to a model, and the reader of its answer: the first JSON object that follows the question's schema."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_ANSWER_CHARACTERS = 1 << 20
BYTES_A_TOKEN = 3
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)|^.*?</think>", re.DOTALL)
_TYPES: Mapping[str, Any] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
}  # fmt: skip


class NoAnswer(Exception):
    """There is no answer to a question. `final`: the model did reply, and asking again would not help."""

    def __init__(self, reason: str, final: bool = False) -> None:
        super().__init__(reason)
        self.final = final


class BadAnswer(Exception):
    """The model's text holds no JSON object that follows the schema."""


@dataclass(frozen=True)
class Question:
    """One question. Every field is part of the cache's key."""

    step: str
    """The rule that asks, with its version."""
    system: str
    user: str
    schema: Mapping[str, Any]
    """JSON schema of the answer: type, properties, required, items, enum and bounds. Empty: any text, as `text`."""
    answer_tokens: int = 512
    temperature: float = 0.0
    draw: int = 0
    """Tells apart the samples of a question that is asked several times."""

    def key(self, identity: list[Any]) -> str:
        """The cache's key. `identity`: the settings that answers depend on."""
        parts = [identity, self.step, self.system, self.user, self.schema, self.answer_tokens, self.temperature]
        text = json.dumps([*parts, self.draw], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def prompt_tokens(self) -> int:
        """An estimate of the prompt's tokens, rather too high than too low."""
        return estimated_tokens(self.system + self.user) + 16


def estimated_tokens(text: str) -> int:
    """An estimate of a text's tokens from its UTF-8 bytes.

    >>> estimated_tokens("twelve bytes")
    4
    """
    return len(text.encode("utf-8", "replace")) // BYTES_A_TOKEN


def read_answer(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The first JSON object in `text` that has the shape of `schema`; thoughts and fences around it do not matter.

    >>> read_answer('Sure: ```json {"score": 3} ```', {"type": "object", "properties": {"score": {"type": "number"}}})
    {'score': 3}
    """
    if not schema:
        return {"text": text.encode("utf-8", "replace").decode()}
    text = _THOUGHTS.sub("", text[:MAX_ANSWER_CHARACTERS])
    decoder = json.JSONDecoder()
    fault = "it holds no JSON object"
    place = text.find("{")
    for _ in range(20):
        if place < 0:
            break
        try:
            value, end = decoder.raw_decode(text, place)
            fault = fault_in(value, schema)
            if not fault:
                return dict(value)
        except (ValueError, RecursionError):
            end = place + 1
        place = text.find("{", end)
    raise BadAnswer(fault)


def fault_in(value: Any, schema: Mapping[str, Any], name: str = "the answer") -> str:
    """What is wrong with `value` under `schema`, in words; empty when nothing is.

    >>> fault_in({"score": 7}, {"type": "object", "properties": {"score": {"type": "number", "maximum": 5}}})
    'score is above 5'
    """
    kind = schema.get("type", "object")
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "boolean"):
        return f"{name} is not of type {kind}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{name} is not one of {', '.join(map(str, schema['enum']))}"
    if kind in ("integer", "number"):
        if isinstance(value, float) and not math.isfinite(value):
            return f"{name} is not a number"
        if value < schema.get("minimum", -math.inf):
            return f"{name} is below {schema['minimum']}"
        if value > schema.get("maximum", math.inf):
            return f"{name} is above {schema['maximum']}"
    elif kind == "string":
        if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
            return f"{name} is not valid text"
    elif kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", math.inf):
            return f"{name} has {len(value)} items, not {schema.get('minItems', 0)} to {schema.get('maxItems', 'any')}"
        items = schema.get("items", {})
        return next((fault for n, item in enumerate(value) if (fault := fault_in(item, items, f"{name}[{n}]"))), "")
    elif kind == "object":
        properties = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                return f"{key} is missing"
        known = [key for key in properties if key in value]
        return next((fault for key in known if (fault := fault_in(value[key], properties[key], key))), "")
    return ""
