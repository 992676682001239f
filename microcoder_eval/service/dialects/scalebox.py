"""ScaleBox's `/common_evaluate_batch`: all tests of a program in one request.

Where it differs: this grader compares the answers, a special judge must be in Python and runs in the sandbox, and
tests written as a program (`type: assert`) are accepted for Python only.
"""

from __future__ import annotations

from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem
from microcoder_eval.record_schema import LIST, NAME, OBJECT, TEXT, TIME
from microcoder_eval.service.call import Call, CallRequest, Service, field_of
from microcoder_eval.service.dialects.plain_runs import language_of
from microcoder_eval.service.dialects.sandbox_fusion import evaluation, grade_completion, refusal

TIMEOUT_S = 10.0
TOTAL_TIMEOUT_S = 300.0
SPECIAL_JUDGE = """\
import os, shutil, sys
os.mkdir("case")
for given, name in zip(sys.argv[1:4], ("stdin.txt", "answer.txt", "stdout.txt")):
    shutil.copyfile(given, "case/" + name)
os.chdir("case")
exec(compile({program!r}, "special_judge.py", "exec"), {{"__name__": "__main__"}})
"""
"""A judge of ScaleBox reads the input, the program's output and the expected output from these files, in this order."""


async def common_evaluate_batch(service: Service, request: CallRequest) -> dict[str, Any]:
    config = request.field("config", OBJECT)
    if config.get("custom_extract_logic"):
        raise InputError("config.custom_extract_logic: code of a caller is not run outside of the sandbox")
    if config.get("language") is None:
        raise InputError("config.language: is missing")
    language = language_of(config["language"])
    extra = field_of(config, "extra", OBJECT, {})
    cases = field_of(field_of(config, "provided_data", OBJECT), "test_cases", OBJECT)
    seconds = min(field_of(config, "run_timeout", TIME, TIMEOUT_S), service.limits.time_limit_s)
    record = _record(cases, extra, language, seconds)
    problem = service.checked(service.problems.sent(record))
    total_s = field_of(extra, "total_timeout", TIME, TOTAL_TIMEOUT_S)
    grade = await grade_completion(service, request, problem, language, bool(extra.get("run_all_cases")), total_s)
    return evaluation(grade, field_of(request.body, "id", NAME, 0), problem if _shown(problem) else None)


def _shown(problem: Problem) -> bool:
    return problem.kind == "stdin"


def _record(cases: dict[str, Any], extra: dict[str, Any], language: str, seconds: float) -> dict[str, Any]:
    kind = field_of(cases, "type", TEXT, "function_call" if cases.get("fn_name") else "stdin_stdout")
    shared = {"id": "submitted", "time_limit_s": seconds, "memory_limit_mb": 1024, "checker": _checker(extra)}
    if kind == "assert":
        if language != "python":
            raise InputError("test_cases.type: assert is offered for Python only")
        entry = field_of(cases, "entry_point", TEXT, "") or None
        return {**shared, "kind": "asserts", "entry_point": entry, "test_code": field_of(cases, "test", TEXT)}
    inputs, outputs = field_of(cases, "input", LIST), field_of(cases, "output", LIST)
    if len(inputs) != len(outputs):
        raise InputError(f"test_cases: {len(inputs)} inputs and {len(outputs)} outputs")
    tests = [{"input": given, "output": wanted} for given, wanted in zip(inputs, outputs, strict=True)]
    if kind == "stdin_stdout":
        return {**shared, "tests": tests}
    if kind == "function_call":
        for test in tests:  # ScaleBox writes the value that is returned as a list of one
            if isinstance(test["output"], list) and len(test["output"]) == 1:
                test["output"] = test["output"][0]
        return {**shared, "kind": "call", "entry_point": field_of(cases, "fn_name", TEXT), "tests": tests}
    raise InputError(f"test_cases.type: {kind[:60]!r} is not offered; known: stdin_stdout, function_call, assert")


def _checker(extra: dict[str, Any]) -> dict[str, Any] | None:
    program = field_of(extra, "special_judge_program", TEXT, "")
    if not program:
        return None
    if language_of(extra.get("special_judge_language", "python")) != "python":
        raise InputError("extra.special_judge_language: only Python is offered")
    return {"kind": "python", "style": "testlib", "code": SPECIAL_JUDGE.format(program=program)}


CALLS = [Call("POST", "/common_evaluate_batch", common_evaluate_batch, refusal)]
