"""Replies in the forms that services, engines and chats have: the first command grades them or names the field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval.reading.chat import replies_in
from microcoder_eval.reading.input_files import BadRecord, NamesNeeded, read_submissions

pytestmark = pytest.mark.fast

TURN = {"role": "assistant", "content": "REPLY"}
ASKED = {"role": "user", "content": "QUESTION"}
THOUGHTS = [{"type": "thinking", "thinking": "HM"}, {"type": "reasoning", "text": "HM"}]
PARTS = [*THOUGHTS, {"type": "text", "text": "REP"}, {"type": "text", "text": "LY"}]
RECORDS: dict[str, dict[str, Any]] = {
    "batch": {"custom_id": "p", "response": {"status_code": 200, "body": {"id": "c", "choices": [{"message": TURN}]}}},
    "completion": {"id": "c-9", "metadata": {"task": "p"}, "choices": [{"index": 0, "message": TURN}]},
    "old completion": {"problem_id": "p", "choices": [{"text": "REPLY", "finish_reason": "stop"}]},
    "responses": {
        "custom_id": "p",
        "response": {
            "body": {"output": [{"type": "reasoning", "summary": []}, {**TURN, "type": "message", "content": PARTS}]}
        },
    },
    "anthropic": {"custom_id": "p", "result": {"type": "succeeded", "message": {**TURN, "content": PARTS}}},
    "gemini": {
        "key": "p",
        "response": {"candidates": [{"content": {"parts": [{"text": "REP"}, {"text": "LY"}], "role": "model"}}]},
    },
    "gemini with thoughts": {
        "key": "p",
        "response": {"candidates": [{"content": {"parts": [{"text": "HM", "thought": True}, {"text": "REPLY"}]}}]},
    },
    "vllm": {"request_id": "p", "prompt": "QUESTION", "outputs": [{"index": 0, "text": "REPLY", "token_ids": [1]}]},
    "messages": {"problem": "p", "messages": [ASKED, TURN]},
    "turns of a reply": {"task": "p", "reply": [ASKED, TURN, {"role": "user", "content": "Thanks"}]},
    "ShareGPT": {"id": "p", "conversations": [{"from": "human", "value": "Q"}, {"from": "gpt", "value": "REPLY"}]},
    "parts": {"problem": "p", "messages": [ASKED, {**TURN, "content": PARTS}]},
    "message": {"problem_id": "p", "response": {**TURN, "reasoning_content": "HM"}},
    "pipeline": {"name": "p", "generated_text": [ASKED, TURN]},
}


def read(folder: Path, content: Any) -> list[Any]:
    """The submissions, with the names of the first call's suggestion in a second one."""
    file = folder / "replies.json"
    file.write_text(json.dumps(content))
    try:
        found = list(read_submissions(file, problems=["p", "other"]))
    except NamesNeeded as needed:
        found = list(read_submissions(file, needed.likely, ["p", "other"]))
    return found


@pytest.mark.parametrize("form", RECORDS)
def test_every_form_gives_the_reply_and_its_problem(tmp_path: Path, form: str) -> None:
    (found,) = read(tmp_path, [RECORDS[form]])
    assert not isinstance(found, BadRecord), found
    assert (found.submission.problem_id, found.submission.response) == ("p", "REPLY")


def test_chats_by_problem(tmp_path: Path) -> None:
    found = read(tmp_path, {"p": [ASKED, TURN], "other": [ASKED, {**TURN, "content": "OTHER"}]})
    assert [(each.submission.problem_id, each.submission.response) for each in found] == [
        ("p", "REPLY"),
        ("other", "OTHER"),
    ]


def test_several_choices_are_several_submissions(tmp_path: Path) -> None:
    choices = [{"message": {**TURN, "content": text}} for text in ("a", "b")]
    found = read(tmp_path, [{"id": "r", "problem_id": "p", "response": {"choices": choices}}])
    assert [(each.submission.id, each.submission.response) for each in found] == [("r/0", "a"), ("r/1", "b")]


def test_a_reply_without_text_is_empty_and_no_reply_is_none(tmp_path: Path) -> None:
    assert replies_in({"role": "assistant", "content": None, "refusal": "no"}) == [""]
    assert [replies_in(value) for value in (None, [], {}, 3, [3], {"error": "x"}, [{"a": 1}])] == [None] * 7
    assert replies_in([{"role": "system", "content": "Be brief."}, ASKED]) is None, "nobody has replied"
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    assert replies_in(deep) is None
