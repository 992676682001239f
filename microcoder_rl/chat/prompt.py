"""Encodes a prompt as token ids, through the tokenizer's chat template where it has one.

A template ignores variables and roles that it does not know. So `refuse_chat` first looks for the recipe's variables in
its text, and for the recipe's system message in what it writes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from jinja2 import TemplateError

from microcoder_eval import InputError
from microcoder_rl.chat.training_rows import Message, messages_of, text_of
from microcoder_rl.recipe.config import ChatConfig

OURS = ("messages", "add_generation_prompt")
"""Variables that every prompt sets."""
_COMMENT = re.compile("{#.*?#}", re.DOTALL)


def refuse_chat(tokenizer: Any, chat: ChatConfig) -> None:
    """Raise `InputError` when the tokenizer's chat template cannot do what the recipe asks for."""
    template = getattr(tokenizer, "chat_template", None)
    if (chat.system or chat.arguments) and not template:
        raise InputError("data.chat: the model's tokenizer has no chat template")
    for name in chat.arguments:
        if name in OURS:
            raise InputError(f"data.chat.arguments: {name!r} is set by the prompt itself")
        if not re.search(rf"\b{re.escape(name)}\b", _COMMENT.sub("", str(template))):
            raise InputError(f"data.chat.arguments: the model's chat template does not use {name!r}")
    if chat.system and chat.system.strip() not in _rendered(tokenizer, "question", chat):
        raise InputError("data.chat.system: the model's chat template does not show a system message as it is written")


def encode_prompt(tokenizer: Any, prompt: str | Sequence[Message], chat: ChatConfig) -> Sequence[int]:
    """The token ids of a prompt, a text or messages; none without a tokenizer, because then a server encodes it.

    The recipe's system message takes the place of the prompt's own.

    >>> encode_prompt(None, "Add two numbers.", ChatConfig())
    ()
    """
    if tokenizer is None:
        return ()
    if not getattr(tokenizer, "chat_template", None):
        return list(tokenizer(text_of(prompt))["input_ids"])
    return list(tokenizer(_rendered(tokenizer, prompt, chat), add_special_tokens=False)["input_ids"])


def _rendered(tokenizer: Any, prompt: str | Sequence[Message], chat: ChatConfig) -> str:
    messages = messages_of(prompt)
    if chat.system:
        own = [message for message in messages if message.get("role") != "system"]
        messages = [{"role": "system", "content": chat.system}, *own]
    try:
        text: str = tokenizer.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=False, **chat.arguments
        )
    except TemplateError as error:
        raise InputError(f"data.chat: the model's chat template fails: {error}") from None
    return text
