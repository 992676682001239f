"""The tokens between two replies of a conversation: the end of the model's turn, the feedback, the next turn's start.

With a chat template they are what the template puts between an assistant's message and the generation prompt after the
next user's message. The replies themselves are never encoded again: the context keeps exactly the sampled tokens.
"""

from __future__ import annotations

from typing import Any

from jinja2 import TemplateError

from microcoder_eval import InputError
from microcoder_rl.chat.foreign_text import without_special_tokens
from microcoder_rl.recipe.config import ChatConfig

_REPLY = "a7e41reply"
"""A placeholder for the reply in the rendered conversation. No template contains it."""


def bridge_ids(tokenizer: Any, feedback: str, chat: ChatConfig, *, last: int, most: int) -> list[int]:
    """The tokens that follow a reply whose last token is `last`. Feedback is cut in its middle until they are at most
    `most`."""
    feedback = without_special_tokens(tokenizer, feedback)
    while True:
        ids = list(tokenizer(_bridge(tokenizer, feedback, chat, last), add_special_tokens=False)["input_ids"])
        if len(ids) <= most:
            return ids
        half = min(len(feedback) - 4, int(len(feedback) * 0.8)) // 2
        if half < 1:
            raise InputError(f"rollout.feedback_tokens: what the chat template adds has more than {most} tokens")
        feedback = f"{feedback[:half]}...{feedback[-half:]}"


def refuse_turns(tokenizer: Any, chat: ChatConfig, most: int) -> None:
    """Raise `InputError` when the tokenizer's chat template cannot hold a conversation."""
    bridge_ids(tokenizer, "feedback", chat, last=-1, most=most)


def _bridge(tokenizer: Any, feedback: str, chat: ChatConfig, last: int) -> str:
    if not getattr(tokenizer, "chat_template", None):
        return f"\n{feedback}\n"
    messages = [
        {"role": "user", "content": "question"},
        {"role": "assistant", "content": _REPLY},
        {"role": "user", "content": feedback},
    ]
    try:
        text = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False, **chat.arguments)
    except TemplateError as error:
        raise InputError(f"rollout.turns: the model's chat template fails on a conversation: {error}") from None
    parts = text.split(_REPLY)
    if len(parts) != 2 or feedback not in parts[1]:
        raise InputError("rollout.turns: the model's chat template does not show an earlier reply as it was written")
    between: str = parts[1]
    end = tokenizer.convert_ids_to_tokens(last) if last >= 0 else None
    return between.removeprefix(end) if end else between  # the reply has its own end token
