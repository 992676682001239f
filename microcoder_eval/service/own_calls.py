"""This project's own calls: they take a problem (or a loaded one's id) and a reply or program, and give the grade.

    POST /v1/grade         {"problem": {...} | "problem_id" | "problem_key": "...", "response" | "code": "...",
                            "language": "python", "id": "...",
                            "options": {"all_tests": true, "timeout_s": 60, "policy": "contest"}}
    POST /v1/grade_batch   {"problems": [...], "items": [as above], "options": {...}}: a line as each item ends
    POST /v1/problems      {"problem": {...}}: {"problem_key"}, which names the problem in later calls
    GET  /v1/problems, /v1/problems/ID    loaded problems, without their tests

Clients never see the tests of a loaded problem: a grade has only their verdicts, times and memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.record_schema import LIST, NAME, OBJECT, SWITCH, TEXT, TIME
from microcoder_eval.service.call import Call, CallRequest, Service, field_of
from microcoder_eval.service.read_body import NESTED
from microcoder_eval.service.refusal import Kind, Refusal
from microcoder_eval.service.side_by_side import AT_ONCE, when_there_is_room
from microcoder_eval.suggest import did_you_mean
from microcoder_eval.verdict import Grade, Verdict

OPTIONS = {"all_tests": SWITCH, "fresh": SWITCH, "timeout_s": TIME, "policy": TEXT}
PROBLEM = ("problem", "problem_id", "problem_key")
OF_THE_PROGRAM = (Verdict.COMPILE_ERROR, Verdict.NO_CODE)
"""Verdicts whose detail tells nothing about a test."""


async def grade(service: Service, request: CallRequest) -> dict[str, Any]:
    return await _grade(service, request, request.body, read_options(service, request.body), {})


async def grade_batch(service: Service, request: CallRequest) -> AsyncIterator[dict[str, Any]]:
    options = read_options(service, request.body)
    items = request.field("items", LIST)
    if len(items) > service.limits.batch:
        raise InputError(f"items: at most {service.limits.batch} in one batch, not {len(items)}")
    sent = [service.checked(service.problems.sent(record)) for record in request.field("problems", LIST, [])]
    return _stream(service, request, items, options, {problem.id: problem for problem in sent})


async def _stream(
    service: Service, request: CallRequest, items: list[Any], options: dict[str, Any], sent: Mapping[str, Problem]
) -> AsyncIterator[dict[str, Any]]:
    """The answers of a batch as they come. At most `AT_ONCE` items are open at a time."""
    waiting = iter(enumerate(items))
    running: set[asyncio.Task[dict[str, Any]]] = set()
    try:
        while True:
            while len(running) < AT_ONCE:
                index, item = next(waiting, (-1, None))
                if index < 0:
                    break
                running.add(asyncio.ensure_future(_item(service, request, index, item, options, sent)))
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _item(
    service: Service, request: CallRequest, index: int, item: Any, options: dict[str, Any], sent: Mapping[str, Problem]
) -> dict[str, Any]:
    """One line of a batch: a grade, or why there is none. When the queue is full, it waits for room."""
    try:
        if not isinstance(item, dict):
            raise InputError("an item is an object")
        grade = await when_there_is_room(request.caller, lambda: _grade(service, request, item, options, sent))
        return {"index": index, "grade": grade}
    except InputError as error:
        why = Refusal(Kind.BAD_REQUEST, str(error))
    except RecursionError:
        why = Refusal(Kind.BAD_REQUEST, NESTED)
    except Refusal as error:
        why = error
    service.desk.metrics.refused(why.kind.value)
    return {"index": index, **why.to_dict()}


async def _grade(
    service: Service,
    request: CallRequest,
    item: Mapping[str, Any],
    options: dict[str, Any],
    sent: Mapping[str, Problem],
) -> dict[str, Any]:
    if sum(name in item for name in PROBLEM) != 1:
        raise InputError('give one of "problem", "problem_id" and "problem_key"')
    name = field_of(item, "problem_id", NAME, "") if "problem_id" in item else ""
    hidden = "problem_id" in item and name not in sent
    if hidden:
        problem = service.problems.loaded(str(name))
    elif "problem_id" in item:
        problem = sent[str(name)]
    else:
        problem = sent_problem(service, item)
    submission = read_submission(item, problem)
    caller = request.within(options.get("timeout_s") or service.limits.request_s)
    caller.large = "problem_key" in item
    found = await service.desk.grade(
        problem, submission, caller, options.get("all_tests"), fresh=bool(options.get("fresh"))
    )
    return without_tests(found) if hidden else found.to_dict()


def sent_problem(service: Service, record: Mapping[str, Any]) -> Problem:
    """The problem of a request, or the one that was sent before and is named by its key."""
    if "problem_key" in record:
        return service.problems.with_key(str(field_of(record, "problem_key", NAME)))
    if isinstance(record["problem"], str):
        raise InputError('"problem" is the problem itself, an object; "problem_id" names a loaded one')
    return service.checked(service.problems.sent(record["problem"]))


def read_submission(record: Mapping[str, Any], problem: Problem) -> Submission:
    """The submission of a request. Its fields are those of a submission; all but the program are optional."""
    name = record.get("id")
    own = {key: record.get(key) for key in ("code", "response", "language", "truncated")}
    return Submission.from_dict({"id": "" if name is None else name, "problem_id": problem.id, **own})


def without_tests(grade: Grade) -> dict[str, Any]:
    """A grade without the texts that could show a test's input or expected output."""
    record = grade.to_dict()
    for test in record["tests"]:
        test["detail"] = ""
        test.pop("output", None)  # a program can print its input
        test.pop("stderr", None)
        test.pop("expected", None)
    if grade.verdict not in OF_THE_PROGRAM:
        record["detail"] = ""
    return record


async def keep_problem(service: Service, request: CallRequest) -> dict[str, Any]:
    problem = service.checked(service.problems.sent(request.field("problem", OBJECT)))
    digest = service.problems.digest(problem)
    assert digest is not None
    await service.desk.keep(problem)
    return {"problem_key": digest.hex()}


async def list_problems(service: Service, request: CallRequest) -> dict[str, Any]:
    names = list(service.problems)
    start = _number(request.query.get("offset", "0"))
    return {"total": len(names), "ids": names[start : start + _number(request.query.get("limit", "1000"))]}


async def show_problem(service: Service, request: CallRequest) -> dict[str, Any]:
    name = request.path["id"]
    if name not in service.problems:
        raise Refusal(Kind.NOT_FOUND, "no such problem")
    problem = service.problems.loaded(name)
    return {
        "id": problem.id,
        "kind": problem.kind,
        "statement": problem.statement,
        "entry_point": problem.entry_point,
        "starter_code": problem.starter_code,
        "checker": problem.checker.kind,
        "tests": len(problem.tests),
        "time_limit_s": problem.time_limit_s,
        "memory_limit_mb": problem.memory_limit_mb,
    }


def read_options(service: Service, body: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a request, checked."""
    options: dict[str, Any] = field_of(body, "options", OBJECT, {})
    for name in options:
        if name not in OPTIONS:
            raise InputError(f"options: unknown option {name[:60]!r}{did_you_mean(name, OPTIONS)}")
        if options[name] is not None:
            field_of(options, name, OPTIONS[name])
    policy = options.get("policy")
    if policy is not None and policy != service.policy:
        raise InputError(f"options.policy: this service grades with policy {service.policy!r}, not {policy[:60]!r}")
    return options


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise InputError("offset and limit are whole numbers")
    return int(text)


CALLS = [
    Call("POST", "/v1/grade", grade),
    Call("POST", "/v1/grade_batch", grade_batch),
    Call("POST", "/v1/problems", keep_problem),
    Call("GET", "/v1/problems", list_problems),
    Call("GET", "/v1/problems/{id:path}", show_problem),
]
