"""NeMo Gym's `/verify` and `/seed_session`, as its server for competitive coding (`code_gen`) answers them.

The answer is the request with `reward`, the extracted program and each test's result. Tests are those of
`verifier_metadata.unit_tests` (also packed), or of a loaded problem, whose name is `verifier_metadata.problem_id`.
Where it differs: a reply with `<think>` in its answer is graded like any other; NeMo Gym penalises it.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any

from microcoder_eval.errors import InputError, refuse
from microcoder_eval.problem import Problem
from microcoder_eval.record_schema import LIST, NAME, OBJECT, TEXT, object_fault
from microcoder_eval.service.call import Call, CallRequest, Large, Service, field_of
from microcoder_eval.service.dialects.rewarding import grade_reply, problem_of
from microcoder_eval.service.read_body import parse_object, parsed_bytes
from microcoder_eval.verdict import Verdict

SMALL_BYTES = 32 << 10
"""Tests that unpack to more are a large request."""


async def verify(service: Service, request: CallRequest) -> dict[str, Any]:
    reply = output_text(request.field("response", OBJECT))
    metadata = request.field("verifier_metadata", OBJECT, {})
    answer = {
        **request.body,
        "reward": 0.0,
        "extracted_model_output": reply,
        "extracted_model_code": None,
        "difficulty": metadata.get("difficulty"),
    }
    if not reply.strip():
        return answer
    grade = await grade_reply(service, request, _problem(service, request, metadata), reply, all_tests=False)
    return {
        **answer,
        "reward": float(grade.accepted),
        "extracted_model_code": grade.code,
        "result": [test.verdict is Verdict.ACCEPTED for test in grade.tests],
        "metadata": {"verdict": grade.verdict.value, "passed": grade.passed, "total": grade.total},
        "unit_tests_time_taken": sum(test.wall_ms for test in grade.tests) / 1000,
    }


def _problem(service: Service, request: CallRequest, metadata: dict[str, Any]) -> Problem:
    """The problem that the metadata name or hold."""
    if metadata.get("problem_id") is not None:
        return service.problems.loaded(str(field_of(metadata, "problem_id", NAME)))
    tests = field_of(metadata, "unit_tests", OBJECT)
    if "packed" in tests:
        unpacked = _unpacked(request, tests["packed"], int(service.limits.body_mb * 2**20))
        tests = {**unpacked, "fn_name": tests.get("fn_name")}
    return problem_of(service, tests)


def output_text(response: dict[str, Any]) -> str:
    """The text of a response in the form of OpenAI's Responses API, without reasoning. Raises `InputError` for another
    form: an empty text would get the reward 0."""
    if response.get("output_text") is not None:
        return str(field_of(response, "output_text", TEXT))
    items = _objects(field_of(response, "output", LIST), "response.output")
    return "".join(_spoken(item) for item in items if item.get("type") == "message")


def _spoken(message: dict[str, Any]) -> str:
    """The text of a message: its content, or the parts that are texts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = _objects(field_of(message, "content", LIST, []), "response.output: content")
    return "".join(field_of(part, "text", TEXT) for part in parts if part.get("type") == "output_text")


def _objects(values: list[Any], what: str) -> list[dict[str, Any]]:
    for value in values:
        refuse(object_fault(value, "a list of objects", what))
    return values


def _unpacked(request: CallRequest, packed: Any, most_bytes: int) -> dict[str, Any]:
    """Tests that are compressed. They may unpack to as much as a body may have, and count as memory of the request."""
    if not isinstance(packed, str):
        raise InputError("verifier_metadata.unit_tests.packed: a text expected")
    try:
        stream = zlib.decompressobj()
        most = most_bytes if request.hold else SMALL_BYTES
        text = stream.decompress(base64.b64decode(packed, validate=True), most + 1)
    except (binascii.Error, ValueError, zlib.error):
        raise InputError("verifier_metadata.unit_tests.packed: not zlib in base64") from None
    if request.hold is None and len(text) > SMALL_BYTES:
        raise Large
    if len(text) > most_bytes or not stream.eof:
        raise InputError("verifier_metadata.unit_tests.packed: unpacks to too much, or is cut off")
    if request.hold:
        request.hold(len(text) + parsed_bytes(text))
    found = parse_object(text)
    return {"inputs": found.get("inputs"), "outputs": found.get("outputs")}


async def seed_session(service: Service, request: CallRequest) -> dict[str, Any]:
    return {}


CALLS = [Call("POST", "/verify", verify), Call("POST", "/seed_session", seed_session)]
