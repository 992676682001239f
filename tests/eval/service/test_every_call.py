"""Every call of the service with malformed requests: each gets an error that says so, and the service goes on."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra serve")

from microcoder_eval.service.app import CALLS
from tests.eval.service.running import RIGHT, SUM, Running

POSTED = sorted(call.path for call in CALLS if call.method == "POST")
UNUSABLE = [
    b"",
    b"null",
    b"[]",
    b'"x"',
    b"{",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"a": 1, "a": 2}',
    b'{"a": "\xff"}',
    b'{"a": ' + b"9" * 200_000 + b"}",
    b'{"a": ' + b"9" * 5000 + b" 1}",
    b"9" * 5000 + b" x",
]
NAMES = [
    *("code", "stdin", "language", "files", "fetch_files", "compile_timeout", "run_timeout", "memory_limit_MB"),
    *("config", "completion", "id", "dataset", "provided_data", "test", "test_cases", "input", "output"),
    *("fn_name", "type", "extra", "special_judge_program", "version", "args", "content", "name", "encoding"),
    *("response", "verifier_metadata", "unit_tests", "inputs", "outputs", "packed", "problem_id", "problem"),
    *("label", "query", "prompts", "labels", "program", "tests", "max_execution_time", "options", "items"),
    *("problems", "problem_key", "all_tests", "timeout_s", "policy", "kind", "checker", "entry_point"),
]
"""Fields that some call reads."""
SIMPLE: list[Any] = [
    None,
    True,
    -1,
    0,
    1e308,
    10**40,
    "",
    "\0",
    "\ud800",
    "x\r\nX-Injected: 1",
    "../../etc/passwd",
    "python",
]
SIMPLE += ["hidden", "{}", "[", "stdin_stdout", "asserts", "call", [], {}, RIGHT, float("nan"), "aGk="]


def made_up(draw: random.Random, depth: int = 0) -> Any:
    """A JSON value made of the names and words that the calls know."""
    kind = draw.random()
    if depth > 4 or kind < 0.5:
        return draw.choice(SIMPLE)
    if kind < 0.65:
        return [made_up(draw, depth + 1) for _ in range(draw.randrange(3))]
    return {draw.choice(NAMES): made_up(draw, depth + 1) for _ in range(draw.randrange(1, 6))}


def check(service: Running, path: str, body: Any) -> None:
    answer = service.post(path, body)
    assert answer.status < 500, (path, body, answer.body)
    assert "x-injected" not in answer.headers
    assert b"root:" not in answer.body
    json.loads(answer.body.splitlines()[0] if answer.body else b"null", parse_constant=no_json)


def no_json(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


@pytest.mark.parametrize("path", POSTED)
def test_bodies_that_cannot_be_used(service: Running, path: str) -> None:
    for body in UNUSABLE:
        answer = service.post(path, body)
        assert (answer.status, answer.kind) == (400, "bad_request"), (body[:40], answer.body)
    assert service.post(path, b'{"a": "' + b"x" * (5 << 20) + b'"}').kind == "too_large"


@pytest.mark.parametrize("path", POSTED)
def test_made_up_bodies(service: Running, path: str) -> None:
    draw = random.Random(path)
    for _ in range(60):
        body = {draw.choice(NAMES): made_up(draw) for _ in range(draw.randrange(1, 12))}
        check(service, path, body)
    assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]


GOOD: dict[str, dict[str, Any]] = {
    "/run_code": {"code": RIGHT, "language": "python", "stdin": "1 2", "files": {"a": "aGk="}, "fetch_files": []},
    "/submit": {
        "dataset": "d",
        "id": 1,
        "completion": RIGHT,
        "config": {
            "language": "python",
            "provided_data": {"test": [{"input": {"stdin": "1 2"}, "output": {"stdout": "3"}}]},
            "extra": {"run_all_cases": True},
        },
    },
    "/common_evaluate_batch": {
        "completion": RIGHT,
        "config": {
            "language": "python",
            "provided_data": {"test_cases": {"type": "stdin_stdout", "input": ["1 2"], "output": ["3"]}},
            "extra": {"total_timeout": 5},
        },
    },
    "/api/v2/execute": {"language": "python", "version": "3", "files": [{"name": "a", "content": RIGHT}], "args": []},
    "/verify": {
        "response": {"output": [{"type": "message", "content": [{"type": "output_text", "text": RIGHT}]}]},
        "verifier_metadata": {"unit_tests": {"inputs": ["1 2"], "outputs": ["3"], "fn_name": None}},
    },
    "/openrlhf": {"query": ["pa"], "prompts": ["p"], "labels": [json.dumps(SUM)]},
    "/slime": {"prompt": "p", "response": RIGHT, "label": json.dumps(SUM)},
    "/test_program": {"program": "x = 1", "tests": ["assert x == 1"], "max_execution_time": 1.0},
    "/test_program_stdio": {"program": RIGHT, "tests": [{"input": "1 2", "output": "3"}]},
    "/v1/grade": {"problem": SUM, "code": RIGHT, "options": {"all_tests": True}},
    "/v1/grade_batch": {"problems": [SUM], "items": [{"problem_id": "sum", "code": RIGHT}], "options": {}},
    "/seed_session": {},
    "/aggregate_metrics": {"verify_responses": [{"_ng_task_index": 0, "reward": 1.0, "result": [True]}]},
    "/v1/run": {"code": "print(1)", "language": "python", "stdin": "", "files": {"a": "b"}, "time_limit_s": 1.0},
    "/v1/outputs": {"problem": SUM, "code": RIGHT, "language": "python", "options": {}},
    "/v1/problems": {"problem": SUM},
}


def test_every_call_has_a_good_body() -> None:
    assert sorted(GOOD) == POSTED


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths in a value where another value can be put."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def replaced(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other
    return copy


@pytest.mark.parametrize("path", POSTED)
def test_every_field_a_long_integer(service: Running, path: str) -> None:
    for place in places(GOOD[path]):
        body = json.dumps(replaced(GOOD[path], place, "@")).encode().replace(b'"@"', b"9" * 5000)
        answer = service.post(path, body)
        assert answer.status < 500, (path, place, answer.body[:300])


@pytest.mark.parametrize("path", POSTED)
def test_every_field_of_another_kind(service: Running, path: str) -> None:
    assert service.post(path, GOOD[path]).status == 200
    for place in places(GOOD[path]):
        for other in (None, 5, -1, [], {}, [[]], "x\r\nX-Injected: 1", "../../etc/passwd", "\ud800", True):
            check(service, path, replaced(GOOD[path], place, other))
        for other in (float("nan"), float("-inf"), [float("inf")]):  # Python reads 1e400 as the last
            check(service, path, replaced(GOOD[path], place, other))
    check(service, path, {**GOOD[path], "more": {"values": [float("nan"), 1.5]}})


@pytest.mark.parametrize("path", POSTED)
def test_every_field_deeply_nested(service: Running, path: str) -> None:
    for place in places(GOOD[path]):
        for levels in (150, 320, 480, 900):
            for opened, closed in ((b"[", b"]"), (b'{"a":', b"}")):
                nested = opened * levels + b"1" + closed * levels
                answer = service.post(
                    path, json.dumps(replaced(GOOD[path], place, "@")).encode().replace(b'"@"', nested)
                )
                assert answer.status < 500, (path, place, levels, answer.body[:300])
