"""Calls that run programs without grading them, for making tests and expected outputs.

    POST /v1/run       {"code", "language", "stdin", "files": {name: text}, "time_limit_s", "memory_limit_mb",
                        "kept_bytes", "options": {"timeout_s": 60}}
    POST /v1/outputs   {"problem": {...} | "problem_key", "code" | "response", "language", "options": {...}}:
                       {"outputs": [...]}, the program's output for the input of each test; `value` is in the form of
                       `encode_values`

Bytes that are not UTF-8 are sent as lone surrogates, as in Python's `surrogateescape`. A loaded problem cannot be named
here, because the outputs would show its tests.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from microcoder_eval.boundary.encode_values import encode
from microcoder_eval.errors import InputError
from microcoder_eval.problem import DEFAULT_MEMORY_LIMIT_MB, DEFAULT_TIME_LIMIT_S
from microcoder_eval.program_run import DEFAULT_KEPT_BYTES
from microcoder_eval.record_schema import MEMORY, OBJECT, TEXT, TIME, WHOLE
from microcoder_eval.service.call import Call, CallRequest, Service
from microcoder_eval.service.own_calls import read_options, read_submission, sent_problem


async def run(service: Service, request: CallRequest) -> dict[str, Any]:
    options = read_options(service, request.body)
    time_limit_s = request.field("time_limit_s", TIME, DEFAULT_TIME_LIMIT_S)
    memory_limit_mb = int(request.field("memory_limit_mb", MEMORY, DEFAULT_MEMORY_LIMIT_MB))
    service.check_limits(time_limit_s, memory_limit_mb, "the run")
    found = await service.desk.run(
        request.within(options.get("timeout_s") or service.limits.request_s),
        request.field("code", TEXT),
        request.field("language", TEXT, "python"),
        request.field("stdin", TEXT, ""),
        files=request.field("files", OBJECT, {}),
        time_limit_s=time_limit_s,
        memory_limit_mb=memory_limit_mb,
        kept_bytes=request.field("kept_bytes", WHOLE, DEFAULT_KEPT_BYTES),
    )
    return {**asdict(found), "verdict": found.verdict.value}


async def outputs(service: Service, request: CallRequest) -> dict[str, Any]:
    if ("problem" in request.body) == ("problem_key" in request.body):
        raise InputError(
            'give one of "problem" and "problem_key"; a loaded problem cannot be named here by "problem_id"'
        )
    options = read_options(service, request.body)
    problem = sent_problem(service, request.body)
    submission = read_submission(request.body, problem)
    caller = request.within(options.get("timeout_s") or service.limits.request_s)
    caller.large = "problem_key" in request.body
    found = await service.desk.outputs(problem, submission, caller)
    return {
        "outputs": [
            {**asdict(output), "verdict": output.verdict.value, "value": encode(output.value)} for output in found
        ]
    }


CALLS = [
    Call("POST", "/v1/run", run),
    Call("POST", "/v1/outputs", outputs),
]
