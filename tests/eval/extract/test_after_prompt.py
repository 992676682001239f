"""A reply is found behind its prompt, also behind one that is not quite the same."""

from __future__ import annotations

import pytest

from microcoder_eval.extract.after_prompt import after_prompt

pytestmark = pytest.mark.fast

PROMPT = (
    "<|im_start|>user\nWrite a program that adds two numbers. Begin with:\n```python\nprint(0)\n```<|im_end|>\n"
    "<|im_start|>assistant\n"
)


@pytest.mark.parametrize("reply", ["I do not know.", "```python\nprint(1)\n```<|im_end|>", "", " x"])
@pytest.mark.parametrize("before", [PROMPT, "<s>" + PROMPT, PROMPT[40:], PROMPT.replace("two  ", "two "), ""])
def test_the_prompt_is_cut_off(before: str, reply: str) -> None:
    assert after_prompt(before + reply, PROMPT) == reply


def test_without_a_prompt_all_is_the_reply() -> None:
    assert after_prompt("print(1)", "") == "print(1)"
    assert after_prompt("", PROMPT) == ""
