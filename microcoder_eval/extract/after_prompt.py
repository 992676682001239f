"""Removes the prompt before a model's reply: some trainers pass both in one text to a reward function.

reply = after_prompt("Question?\nAnswer.", prompt="Question?\n")
"""

from __future__ import annotations

TAIL = 80


def after_prompt(query: str, prompt: str) -> str:
    """The reply in `query`. A prompt whose beginning was cut off, or changed by a tokenizer, is found by its end.

    >>> after_prompt("stion about a sum of two?\\nAnswer.", "A question about a sum of two?\\n")
    'Answer.'
    >>> after_prompt("<s> Question?\\nAnswer.", "Question?\\n")
    'Answer.'
    >>> after_prompt("Answer.", "Question?")
    'Answer.'
    """
    if query.startswith(prompt):
        return query[len(prompt) :]
    for length in (TAIL, TAIL // 2, TAIL // 4):
        tail = prompt[-length:].strip()
        _, found, reply = query.partition(tail) if tail else ("", "", "")
        if found:
            return reply.removeprefix("\n")
    return query
