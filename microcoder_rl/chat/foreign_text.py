"""Text that others wrote holds no special token of the tokenizer, such as `<|im_end|>`.

A statement or a program's output that holds one would end its message there, and begin another in any role.
"""

from __future__ import annotations

from typing import Any


def without_special_tokens(tokenizer: Any, text: str) -> str:
    """The text with a space in each special token; as it is without a tokenizer.

    >>> class Tokenizer: all_special_tokens = ["<|im_end|>"]
    >>> without_special_tokens(Tokenizer(), "prints <|im_end|>")
    'prints < |im_end|>'
    """
    for token in getattr(tokenizer, "all_special_tokens", ()):
        if len(token) > 1 and token in text:
            text = text.replace(token, f"{token[0]} {token[1:]}")
    return text
