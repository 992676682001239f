"""SandboxFusion's `/run_code`, `/submit` and `/v1/ping`: for its published client, and for verl's `sandbox_fusion`.

Where it differs: time limits are of CPU time; a memory limit is enforced; `fetch_files` and `custom_extract_logic` are
refused; `/submit` grades `provided_data.test` or a problem that this service has loaded, with this grader's comparison.
When the queue is full, calls wait. A temporary failure is 504 in place of 503 or 500, because verl retries (three
times) only after 504; after any other status it counts a failed test, and so a reward of 0.
"""

from __future__ import annotations

from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.program_run import ProgramRun
from microcoder_eval.record_schema import LIST, NAME, NUMBER, OBJECT, TEXT, TIME, shown
from microcoder_eval.service.call import Call, CallRequest, Service, field_of
from microcoder_eval.service.dialects.plain_runs import from_base64, language_of, readable, run_limits
from microcoder_eval.service.own_calls import without_tests
from microcoder_eval.service.refusal import TEMPORARY, Kind, Refusal
from microcoder_eval.service.side_by_side import when_there_is_room
from microcoder_eval.verdict import Grade, TestResult, Verdict

DEFAULT_TIMEOUT_S = 10.0
SUBMIT_TIMEOUT_S = 20.0
CLIENT_PATIENCE_S = 8.0
"""How long after both timeouts a call is answered: verl's client waits for both and 10 s more."""
RETRIED = 504


async def run_code(service: Service, request: CallRequest) -> dict[str, Any]:
    if request.field("fetch_files", LIST, []):
        raise InputError("fetch_files: files are not given back here; let the program print what you need")
    files = request.field("files", OBJECT, {})
    compile_s = request.field("compile_timeout", TIME, DEFAULT_TIMEOUT_S)
    run_s = request.field("run_timeout", TIME, DEFAULT_TIMEOUT_S)
    language = language_of(request.body.get("language"))
    caller = request.within(compile_s + run_s + CLIENT_PATIENCE_S)
    program = {
        "code": field_of(request.body, "code", TEXT),
        "language": language,
        "stdin": request.field("stdin", TEXT, ""),
        "files": {name: from_base64(text, name) for name, text in files.items() if text is not None},
        **run_limits(service, run_s, request.field("memory_limit_MB", NUMBER, -1)),
    }
    run = await when_there_is_room(caller, lambda: service.desk.run(caller, **program))
    if run.verdict is Verdict.JUDGE_ERROR:
        raise Refusal(Kind.INTERNAL_ERROR, run.detail)
    return _run_answer(run, language)


def _run_answer(run: ProgramRun, language: str) -> dict[str, Any]:
    compiled = language != "python"
    if compiled and run.verdict is Verdict.COMPILE_ERROR:
        return _answer("Failed", _command("Finished", 1, stderr=run.detail), None)
    compilation = _command("Finished", 0) if compiled else None
    if run.verdict is Verdict.TIME_LIMIT:
        ran = _command("TimeLimitExceeded", None, run.wall_s, readable(run.stdout), readable(run.stderr), run.cpu_s)
        return _answer("Failed", compilation, ran)
    status = run.exit_status
    if run.verdict is not Verdict.ACCEPTED and not status:
        status = 1  # ended for its memory or output, or not compiled: a status of 0 would show success
    stderr = readable(run.stderr) or ("" if run.ended_well else run.detail)
    ran = _command("Finished", status, run.wall_s, readable(run.stdout), stderr, run.cpu_s)
    return _answer("Success" if run.ended_well else "Failed", compilation, ran)


async def submit(service: Service, request: CallRequest) -> dict[str, Any]:
    config = request.field("config", OBJECT)
    language = _checked(config)
    data = config.get("provided_data")
    name = request.field("id", NAME, "")
    hidden = data is None
    if hidden:
        problem = service.problems.loaded(str(name))
    else:
        seconds = min(field_of(config, "run_timeout", TIME, SUBMIT_TIMEOUT_S), service.limits.time_limit_s)
        problem = service.checked(service.problems.sent(_common_oj(data, seconds)))
    extra = field_of(config, "extra", OBJECT, {})
    grade = await grade_completion(service, request, problem, language, bool(extra.get("run_all_cases")))
    return evaluation(grade, name, None if hidden else problem)


def _checked(config: dict[str, Any]) -> str:
    """The language of a configuration; raises `InputError` when it asks for what is not offered."""
    if config.get("custom_extract_logic"):
        raise InputError("config.custom_extract_logic: code of a caller is not run outside of the sandbox")
    if config.get("language") is None:
        raise InputError("config.language: is missing")
    return language_of(config["language"])


def _common_oj(data: Any, seconds: float) -> dict[str, Any]:
    """The problem of CommonOJ's `provided_data`: {"test": [{"input": {"stdin"}, "output": {"stdout"}}]}."""
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if not isinstance(data, dict):
        raise InputError(f'config.provided_data: an object with a list "test" expected, found {shown(data)}')
    tests = []
    for index, test in enumerate(field_of(data, "test", LIST)):
        try:
            if set(test["input"]) - {"stdin"} or set(test["output"]) - {"stdout"}:
                raise InputError(f"config.provided_data.test[{index}]: only stdin and stdout are offered")
            tests.append({"input": test["input"]["stdin"], "output": test["output"]["stdout"]})
        except (TypeError, KeyError):
            raise InputError(
                f'config.provided_data.test[{index}]: {{"input": {{"stdin"}}, "output": {{"stdout"}}}} expected'
            ) from None
    return {"id": "submitted", "tests": tests, "time_limit_s": seconds, "memory_limit_mb": 1024}


async def grade_completion(
    service: Service, request: CallRequest, problem: Problem, language: str, all_tests: bool, seconds: float = 1e6
) -> Grade:
    """The grade of a model's reply; a failure of the grader is a refusal."""
    completion = field_of(request.body, "completion", TEXT)
    submission = Submission("", problem.id, response=completion, language=language)
    caller = request.within(seconds)
    grade = await when_there_is_room(caller, lambda: service.desk.grade(problem, submission, caller, all_tests))
    if grade.verdict is Verdict.JUDGE_ERROR:
        raise Refusal(Kind.INTERNAL_ERROR, grade.detail)
    return grade


def evaluation(grade: Grade, name: Any, problem: Problem | None) -> dict[str, Any]:
    """A grade as SandboxFusion's `EvalResult`. problem: None when its tests must not be shown."""
    details = {} if problem else {test["index"]: "" for test in without_tests(grade)["tests"]}
    tests = [_evaluated(test, details.get(test.index, test.detail), problem) for test in grade.tests]
    if not grade.tests and not grade.accepted:  # not compiled, or no code
        compilation = _command("Finished", 1, stderr=grade.detail)
        tests = [{"passed": False, "exec_info": _answer("Failed", compilation, None), "test_info": None}]
    return {
        "id": name,
        "accepted": grade.accepted,
        "extracted_code": grade.code or "",
        "full_code": None,
        "test_code": None,
        "tests": tests,
        "extracted_type": "empty" if grade.verdict is Verdict.NO_CODE else None,
        "extra": {"verdict": grade.verdict.value, "passed": grade.passed, "total": grade.total},
    }


def _evaluated(test: TestResult, detail: str, problem: Problem | None) -> dict[str, Any]:
    ended = test.verdict in (Verdict.ACCEPTED, Verdict.WRONG_ANSWER)
    if test.verdict is Verdict.TIME_LIMIT:
        ran = _command("TimeLimitExceeded", None, test.wall_ms / 1000, stderr=detail, cpu_s=test.cpu_ms / 1000)
    else:
        ran = _command("Finished", 0 if ended else 1, test.wall_ms / 1000, "", detail, test.cpu_ms / 1000)
    shown_test = None
    if problem is not None and problem.kind == "stdin":
        case = problem.tests[test.index]
        shown_test = {"input": {"stdin": case.input}, "output": {"stdout": case.output}}
    return {
        "passed": test.verdict is Verdict.ACCEPTED,
        "exec_info": _answer("Success" if ended else "Failed", None, ran),
        "test_info": shown_test,
    }


def _command(
    status: str,
    return_code: int | None,
    wall_s: float = 0.0,
    stdout: str = "",
    stderr: str = "",
    cpu_s: float = 0.0,
) -> dict[str, Any]:
    return {
        "status": status,
        "execution_time": wall_s,
        "cpu_time": cpu_s,
        "return_code": return_code,
        "stdout": stdout,
        "stderr": stderr,
    }


def _answer(status: str, compiled: dict[str, Any] | None, ran: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "status": status,
        "message": "",
        "compile_result": compiled,
        "run_result": ran,
        "executor_pod_name": None,
        "files": {},
    }


def refusal(why: Refusal) -> tuple[int, Any]:
    """A refusal in the form of SandboxFusion's errors, with the kind added."""
    status = RETRIED if why.kind in TEMPORARY else why.status
    return status, {"status": "SandboxError", "message": why.message, "detail": why.message, **why.to_dict()}


async def ping(service: Service, request: CallRequest) -> str:
    return "pong"


CALLS = [
    Call("POST", "/run_code", run_code, refusal),
    Call("POST", "/submit", submit, refusal),
    Call("GET", "/v1/ping", ping, open=True),
]
