"""Ask a language model questions whose answers are JSON of a schema, with a cache, retries and a budget.

    with Client(Llm(backend="openai", model="qwen"), cache_folder) as client:
        client.ask(Question("greet_v1", "You greet.", "Greet Ada.", GREETING))

A question without an answer raises `NoAnswer`, and the rule that asked continues without it. `chat_client.py` is the
public HTTP client alone, for whoever needs neither cache nor schema.

`Client` is imported on first use: it loads asyncio, and most builds ask no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microcoder_data.llm.question import NoAnswer, Question
from microcoder_data.llm.settings import Llm

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

__all__ = ["Client", "Llm", "NoAnswer", "Question"]


def __getattr__(name: str) -> Any:
    if name != "Client":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from microcoder_data.llm.client import Client

    return Client
