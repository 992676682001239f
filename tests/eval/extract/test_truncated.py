"""A reply that a length limit ended: it is complete only when it ends with its program, in a closed block."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from microcoder_eval.extract import extract
from tests.eval.extract.replies import CPP, PROGRAMS, SUM, fenced

pytestmark = pytest.mark.fast

BLOCK = fenced(SUM)

COMPLETE = {
    "closed": f"Here:\n{BLOCK}",
    "closed, with a byte order mark": f"```python\n\ufeff{SUM}\n```",
    "closed, then a rule": f"{BLOCK}\n\n---\n",
    "closed, then white space": f"{BLOCK}\n\n  \n",
    "closed, in a wrapper": f"<answer>\n{BLOCK}\n</answer>",
    "closed, after reasoning": f"<think>a draft: {BLOCK} no</think>\n{BLOCK}\n",
    "closed, second block": f"First try:\n{BLOCK}\nBetter:\n{BLOCK}\n",
    "closed on the line of its fence": f"```python\n{SUM}```\n",
    "the prompt opened the block": f"{SUM}\n```\n",
    "a wrapper that was closed, then words": f"<answer>\n{BLOCK}\n</answer>\nThis adds the",
}


@pytest.mark.parametrize("name", COMPLETE)
def test_a_reply_that_ends_with_its_program_is_complete(name: str) -> None:
    found = extract(COMPLETE[name], truncated=True)
    assert (found.code, found.complete) == (SUM, True), found


INCOMPLETE = {
    "open block whose code could end": f"```python\n{SUM}",
    "open block, after a line": f"```python\n{SUM}\n",
    "open block with words after its code": f"```python\n{SUM}\n\nThis adds the numbers.",
    "no fences": SUM,
    "prose that ends as a sentence": "The sum is needed.",
    "prose that ends in a bracket": "We need the sum (of both)",
    "prose that ends in a star": "The sum is **needed**",
    "prose that ends in a quote": 'It prints "sum"',
    "a draft, then words": f"{BLOCK}\nWait, that is wrong for",
    "a draft, then a whole sentence": f"{BLOCK}\nWait, that is wrong for 0.",
    "a draft, then an open block": f"{BLOCK}\nBetter:\n```python\n{SUM}\n",
    "a draft, then an example": f"{BLOCK}\nFor example:\n```\n3\n```\n",
    "a draft, then words and its call": f"```python\ndef f():\n    {SUM}\n\nf()\n```\nSo:\n```python\nf()\n```",
    "a draft, then an output that ends it": "```python\nprint(13)\nx = 13\n```\nThis gives\n```\n13\n```",
    "a draft, then words and an empty block": f"{BLOCK}\nWait, that is wrong:\n```python\n```",
    "a draft, then reasoning": f"{BLOCK}\n<think>Wait, that is wrong for",
    "reasoning, a draft, reasoning": f"<think>a loop?</think>\n{BLOCK}\n<think>No",
    "reasoning that never ended": f"<think>{BLOCK}\n",
    "an open wrapper, then words": f"<answer>\n{BLOCK}\nThis adds",
    "an open block, with a closed one in a string of its code": f"```python\nx = '''\n{BLOCK}\n",
    "the same in a list": "- ````python\n  x = '''\n  ```python\n  print(1)\n  ```",
    "nothing": "",
}


@pytest.mark.parametrize("name", INCOMPLETE)
def test_any_other_reply_is_incomplete(name: str) -> None:
    assert extract(INCOMPLETE[name], truncated=True).complete is False


def test_a_program_of_two_blocks_is_complete_when_the_second_ends_the_reply() -> None:
    reply = "```python\ndef f(a):\n    return a\n```\nand\n```python\nprint(f(input()))\n```"
    assert extract(reply, truncated=True).complete
    assert not extract(f"{reply}\nWait", truncated=True).complete


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_another_language(fence: str) -> None:
    reply = f"Here:\n{fence}cpp\n{CPP}\n{fence}"
    assert extract(reply, language="cpp", truncated=True).complete
    assert not extract(reply[:-4], language="cpp", truncated=True).complete


def test_the_starter_code_that_is_added_does_not_matter() -> None:
    found = extract(
        "```python\n    return a + b\n```", starter_code="def add(a, b):\n", entry_point="add", truncated=True
    )
    assert found.complete


@settings(max_examples=300, deadline=None)
@given(PROGRAMS, st.sampled_from(["", "python"]), st.sampled_from(["```", "~~~"]), st.data())
@example('"""A note.\n\n```\nx\n```\n"""\nprint(input())', "python", "```", None)
def test_no_cut_inside_an_open_block_is_complete(
    program: str, tag: str, fence: str, data: st.DataObject | None
) -> None:
    cuts = range(len(program) + 1) if data is None else [data.draw(st.integers(0, len(program)))]
    for cut in cuts:
        reply = f"Here it is.\n{fence}{tag}\n{program[:cut]}"
        assert extract(reply, truncated=True).complete is False, reply


@settings(max_examples=200, deadline=None)
@given(PROGRAMS, st.sampled_from(["```", "~~~"]))
def test_the_program_does_not_depend_on_the_cut(program: str, fence: str) -> None:
    reply = f"Here it is.\n{fence}python\n{program}\n{fence}"
    found = extract(reply, truncated=True)
    assert (found.code, found.complete) == (program, True)
    assert extract(reply).code == found.code
