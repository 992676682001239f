"""open-instruct's `/test_program` (asserts) and `/test_program_stdio`.

    --code_api_url http://127.0.0.1:8080/test_program

Tests are a list, or a list as JSON. open-instruct's packed form is a pickle and is refused, because reading a pickle
can run any code. Programs that import os or threading are run: the sandbox confines them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from microcoder_eval.arguments import read_json
from microcoder_eval.errors import InputError
from microcoder_eval.ground_truth import is_single_assert, problem_from
from microcoder_eval.problem import Submission
from microcoder_eval.record_schema import TEXT, TIME
from microcoder_eval.service.call import Call, CallRequest, Service, field_of, over_limit
from microcoder_eval.service.refusal import Kind, Refusal
from microcoder_eval.service.side_by_side import all_of, when_there_is_room
from microcoder_eval.verdict import TestResult, Verdict

NOT_RUN = -1.0


async def test_program(service: Service, request: CallRequest) -> dict[str, Any]:
    tests = _tests(request)
    if not all(isinstance(test, str) for test in tests):
        raise InputError("tests: a list of assert statements expected")
    if all(map(is_single_assert, tests)):
        return await _results(service, request, tests, len(tests))
    if len(tests) > service.limits.tests:
        raise over_limit(f"{len(tests)} tests: this service takes at most {service.limits.tests} (--tests)")
    found = await all_of(request, [partial(_results, service, request, [test], 1) for test in tests])
    return {name: [value for one in found for value in one[name]] for name in ("results", "runtimes")}


async def test_program_stdio(service: Service, request: CallRequest) -> dict[str, Any]:
    tests = _tests(request)
    if any(isinstance(test, str) for test in tests):
        raise InputError('tests: a list of {"input", "output"} expected')
    return await _results(service, request, tests, len(tests))


def _tests(request: CallRequest) -> list[Any]:
    tests = request.body.get("tests")
    if isinstance(tests, str):
        try:
            tests = read_json(tests)
        except (ValueError, RecursionError):
            raise InputError("tests: a list, or a list as JSON; packed tests are pickles and are not read") from None
    if not isinstance(tests, list):
        raise InputError("tests: a list expected")
    return tests


async def _results(service: Service, request: CallRequest, tests: list[Any], count: int) -> dict[str, Any]:
    """The results of tests that are graded together. count: how many tests the client has sent for them."""
    code = field_of(request.body, "program", TEXT)
    seconds = min(request.field("max_execution_time", TIME, 1.0), service.limits.time_limit_s)
    if not tests:
        return {"results": [], "runtimes": []}
    problem = service.checked(service.problems.same(problem_from(tests, time_limit_s=seconds)))
    submission, caller = Submission("", problem.id, code=code), request.caller
    grade = await when_there_is_room(caller, lambda: service.desk.grade(problem, submission, caller, True))
    if grade.verdict is Verdict.JUDGE_ERROR:
        raise Refusal(Kind.INTERNAL_ERROR, grade.detail)
    if count == 1 and grade.total != 1:  # one text with several asserts passes or fails as a whole
        runtime = sum(test.wall_ms for test in grade.tests) / 1000
        return {"results": [int(grade.accepted)], "runtimes": [runtime if grade.accepted else NOT_RUN]}
    by_index = {test.index: test for test in grade.tests}
    ran = [by_index.get(index) for index in range(count)]
    return {"results": [int(_passed(test)) for test in ran], "runtimes": [_runtime(test) for test in ran]}


def _passed(test: TestResult | None) -> bool:
    return test is not None and test.verdict is Verdict.ACCEPTED


def _runtime(test: TestResult | None) -> float:
    return test.wall_ms / 1000 if test is not None and _passed(test) else NOT_RUN


def refusal(why: Refusal) -> tuple[int, Any]:
    return why.status, {"detail": why.message, **why.to_dict()}


CALLS = [
    Call("POST", "/test_program", test_program, refusal),
    Call("POST", "/test_program_stdio", test_program_stdio, refusal),
]
