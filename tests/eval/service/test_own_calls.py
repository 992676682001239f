"""This project's own calls, asked over HTTP."""

from __future__ import annotations

import hashlib
import itertools
import json
import tracemalloc
from typing import Any

import pytest

from microcoder_eval import Grade, Problem, Submission
from microcoder_eval.grader import Grader
from microcoder_eval.service import problem_store
from microcoder_eval.service.large_requests import LARGE_BYTES
from microcoder_eval.service.problem_store import ProblemStore
from tests.eval.service.running import HIDDEN, RIGHT, SUM, WRONG, Running
from tests.eval.service.test_large_requests import without_costs


def same(record: dict[str, Any], grade: Grade) -> bool:
    """Whether a grade is the library's, but for what was measured."""
    measured = {"cpu_ms": 0, "wall_ms": 0, "memory_kb": 0}
    without = {**record, "tests": [{**test, **measured} for test in record["tests"]]}
    expected = grade.to_dict()
    return without == {**expected, "tests": [{**test, **measured} for test in expected["tests"]]}


PROGRAMS = {
    "right": {"code": RIGHT},
    "wrong": {"code": WRONG},
    "reply": {"response": f"So:\n```python\n{RIGHT}\n```"},
    "no code": {"response": "I do not know."},
    "does not compile": {"code": "print("},
    "lone surrogate": {"code": "print('\ud800')"},
}


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_grade_is_the_librarys(service: Running, grader: Grader, what: str) -> None:
    answer = service.post("/v1/grade", {"problem": SUM, "id": "s", **PROGRAMS[what]})
    assert answer.status == 200, answer.body
    problem = Problem.from_dict(SUM)
    expected = grader.grade(problem, Submission("s", "sum", **PROGRAMS[what]))
    assert same(answer.json, expected)


def test_options_of_one_request(service: Running) -> None:
    body = {"problem": SUM, "code": "print(0)"}
    assert len(service.post("/v1/grade", body).json["tests"]) == 1
    assert len(service.post("/v1/grade", {**body, "options": {"all_tests": True}}).json["tests"]) == 2
    assert service.post("/v1/grade", {**body, "options": {"policy": "contest"}}).status == 200


def test_a_loaded_problem_stays_in_the_service(service: Running) -> None:
    codes = ["print(input())", "raise Exception(input())", "print('OUTPUT-9903')", "import sys; sys.exit(input())"]
    for code in codes:
        answer = service.post("/v1/grade", {"problem_id": "hidden", "code": code})
        assert answer.status == 200
        told = json.dumps({**answer.json, "code": ""})
        assert "5417" not in told
        assert "9903" not in told
    assert service.post("/v1/grade", {"problem_id": "hidden", "code": codes[2]}).json["accepted"]
    compiled = service.post("/v1/grade", {"problem_id": "hidden", "code": "print("}).json
    assert (compiled["verdict"], "never closed" in compiled["detail"]) == ("COMPILE_ERROR", True)


def test_what_may_be_shown_of_loaded_problems(service: Running) -> None:
    assert service.get("/v1/problems").json == {"total": 1, "ids": ["hidden"]}
    shown = service.get("/v1/problems/hidden")
    assert shown.json["statement"] == HIDDEN["statement"]
    assert shown.json["tests"] == 1
    assert b"5417" not in shown.body
    assert b"9903" not in shown.body


def test_outputs_of_a_loaded_problem_are_not_told(service: Running) -> None:
    answer = service.post("/v1/outputs", {"problem_id": "hidden", "code": "print(input())"})
    assert (answer.status, answer.kind) == (400, "bad_request")
    told = service.post("/v1/outputs", {"problem": SUM, "code": "print(input())"}).json["outputs"]
    assert [one["value"] for one in told] == ["1 2\n", "3 4\n"]


def test_a_run_is_within_the_limits_of_the_service(service: Running) -> None:
    run = service.post("/v1/run", {"code": "print(input())", "stdin": "x", "options": {"timeout_s": 60}})
    assert (run.status, run.json["stdout"], run.json["verdict"]) == (200, "x\n", "ACCEPTED")
    for over in ({"time_limit_s": 1e5}, {"memory_limit_mb": 1e6}):
        assert service.post("/v1/run", {"code": "print(1)", **over}).kind == "over_limit"
    for wrong in ({"files": {"../a": ""}}, {"stdin": 5}, {"time_limit_s": "x"}):
        assert service.post("/v1/run", {"code": "print(1)", **wrong}).kind == "bad_request"


@pytest.mark.parametrize(
    "name", ["../hidden", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "hidden%00", "hidden%0d%0aX-A:%20b", "%ff", ""]
)
def test_ids_are_names_and_no_paths(service: Running, name: str) -> None:
    answer = service.get(f"/v1/problems/{name}")
    assert answer.status == 404
    assert "x-a" not in answer.headers


def test_a_batch_comes_as_it_ends_each_item_once(service: Running) -> None:
    items: list[Any] = [{"problem_id": "sum", "code": f"{RIGHT} # {n}", "id": str(n)} for n in range(30)]
    items += [{"problem_id": "hidden", "code": WRONG}, {"problem": SUM, "code": WRONG}, {"problem_id": "none"}, 5]
    answer = service.post("/v1/grade_batch", {"problems": [SUM], "items": items})
    assert answer.status == 200
    lines = [json.loads(line) for line in answer.body.splitlines()]
    assert sorted(line["index"] for line in lines) == list(range(len(items)))
    by_index = {line["index"]: line for line in lines}
    assert all(by_index[n]["grade"]["accepted"] and by_index[n]["grade"]["submission_id"] == str(n) for n in range(30))
    assert by_index[30]["grade"]["verdict"] == by_index[31]["grade"]["verdict"] == "WRONG_ANSWER"
    assert by_index[32]["error"]["kind"] == by_index[33]["error"]["kind"] == "bad_request"


def test_metrics_tell_what_happened(service: Running) -> None:
    before = service.metric('microcoder_gradings_total{verdict="ACCEPTED"}')
    assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]
    assert service.metric('microcoder_gradings_total{verdict="ACCEPTED"}') == before + 1
    page = service.get("/metrics").body.decode()
    for name in (
        "queue_length",
        "gradings_running",
        "workers_busy",
        "worker_restarts",
        "sandbox_layer",
        "phase_seconds",
    ):
        assert f"microcoder_{name}" in page
    assert 1 <= service.metric("microcoder_workers_ready") <= service.metric("microcoder_workers") == 2


def test_health_and_what_grader_it_is(service: Running) -> None:
    assert service.get("/health").json == {"status": "healthy"}
    assert service.get("/ready").json == {"status": "ready"}
    info = service.get("/info").json
    assert (info["policy"], info["workers"], info["problems"]) == ("contest", 2, 1)


@pytest.mark.parametrize("padding", [b"", b" " * LARGE_BYTES])
def test_a_problem_is_sent_once_and_named_by_its_key(service: Running, padding: bytes) -> None:
    problem = {**SUM, "id": f"kept {len(padding)}"}
    sent = service.post("/v1/problems", json.dumps({"problem": problem}).encode() + padding)
    assert sent.status == 200, sent.body
    key = sent.json["problem_key"]
    assert key == hashlib.sha256(json.dumps(problem).encode()).hexdigest()
    for path, code in itertools.product(("/v1/grade", "/v1/outputs"), (RIGHT, f"{RIGHT} #{'x' * LARGE_BYTES}")):
        whole, named = (service.post(path, {**body, "code": code}) for body in ({"problem": problem}, sent.json))
        assert named.status == 200
        assert without_costs(named.json) == without_costs(whole.json)
    line = service.post("/v1/grade_batch", {"items": [{**sent.json, "code": WRONG}]}).json
    assert line["grade"]["problem_id"] == problem["id"]
    assert line["grade"]["verdict"] == "WRONG_ANSWER"


def test_a_key_of_no_kept_problem(service: Running) -> None:
    for key in ("0" * 64, "", "no key", "\ud800"):
        for code in (RIGHT, "x" * LARGE_BYTES):
            answer = service.post("/v1/grade", {"problem_key": key, "code": code})
            assert (answer.status, answer.kind) in ((400, "bad_request"), (404, "unknown_problem"))
    hidden = hashlib.sha256(json.dumps(HIDDEN).encode()).hexdigest()
    assert service.post("/v1/outputs", {"problem_key": hidden, "code": RIGHT}).kind == "unknown_problem"
    assert service.post("/v1/problems", {"problem": {"id": 5}}).kind == "bad_request"
    slow = {**SUM, "time_limit_s": 1e6}
    for path in ("/v1/problems", "/v1/grade"):
        for padding in ("", "x" * LARGE_BYTES):
            assert service.post(path, {"problem": slow, "code": RIGHT + "#" + padding}).kind == "over_limit"
            named = {"problem_key": hashlib.sha256(json.dumps(slow).encode()).hexdigest(), "code": RIGHT}
            assert service.post("/v1/grade", named).kind == "unknown_problem"
    assert service.post("/v1/grade", {"problem": SUM, "problem_key": hidden, "code": RIGHT}).kind == "bad_request"


def test_a_dict_among_the_arguments_keeps_its_order(service: Running) -> None:
    def problem(argument: dict[str, int]) -> dict[str, Any]:
        tests = [{"input": [argument], "output": list(argument)}]
        return {"id": "order", "kind": "call", "entry_point": "f", "tests": tests}

    for argument in ({"a": 1, "b": 2}, {"b": 2, "a": 1}):
        body = {"problem": problem(argument), "code": "def f(x):\n    return list(x)"}
        assert service.post("/v1/grade", body).json["accepted"]


def test_a_label_whose_values_are_no_json_is_another_problem(service: Running) -> None:
    """A dict with a number as key becomes, as JSON, one with a text as key."""

    def problem(argument: Any) -> dict[str, Any]:
        tests = [{"input": argument, "output": "str"}]
        return Problem.from_dict({"id": "keys", "kind": "call", "entry_point": "f", "tests": tests}).to_dict()

    code = "def f(x):\n    return type(list(x)[0]).__name__"
    label = json.dumps({**problem([{}]), "tests": [{"input": "{1: 0}", "output": "str"}]})
    assert service.post("/slime", {"prompt": "p", "response": f"```python\n{code}\n```", "label": label}).json == 0
    assert service.post("/v1/grade", {"problem": problem([{"1": 0}]), "code": code}).json["accepted"]


@pytest.mark.parametrize("opened, closed", [("[", "]"), ('{"a": ', "}")])
def test_values_nested_as_deep_as_a_body_can_be(service: Running, opened: str, closed: str) -> None:
    for levels in range(900, 1000, 3):
        nested = f"{opened * levels}1{closed * levels}"
        problem = f'{{"id": "deep", "tests": [{{"input": "1 2", "output": "3"}}], "more": {nested}}}'
        item = f'{{"code": "print(3)", "problem": {problem}}}'
        assert service.post("/v1/grade", item.encode()).status in (200, 400)
        assert service.post("/slime", {"prompt": "p", "response": "x", "label": problem}).status in (200, 400)
        lines = service.post("/v1/grade_batch", f'{{"items": [{item[:-1]}, "problem_id": null}}]}}'.encode())
        assert lines.status == 400 or lines.body.endswith(b"\n")


def test_kept_problems_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """`[[], [], ...]` takes many times as much memory as its text."""
    monkeypatch.setattr(problem_store, "KEPT_BYTES", most := 2 << 20)
    store = ProblemStore()
    tracemalloc.start()
    for number in range(20):
        tests = [{"input": [[[] for _ in range(5000)]], "output": 0}]
        store.sent({"id": str(number), "kind": "call", "entry_point": "f", "tests": tests})
    for number in range(20):
        store.sent({"id": f"small {number}", "tests": [{"input": "", "output": ""}] * 2000})
        held = tracemalloc.get_traced_memory()[0]
        assert held < 2 * most, held
    tracemalloc.stop()
    monkeypatch.setattr(problem_store, "KEPT_BYTES", 1)
    assert store.digest(store.sent(SUM))


@pytest.mark.parametrize("kind", ["stdin", "call"])
def test_one_emoji_makes_a_text_four_times_as_large(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problem_store, "KEPT_BYTES", most := 2 << 20)
    store = ProblemStore()
    tracemalloc.start()
    for number in range(12):
        text = "a" * (1 << 18) + "\N{SNAKE}"
        given = text if kind == "stdin" else [{text[::-1]: [text]}]
        store.sent({"id": str(number), "kind": kind, "entry_point": "f", "tests": [{"input": given, "output": ""}]})
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held < 2 * most, held


def test_an_id_in_the_place_of_a_problem_is_told_its_field(service: Running) -> None:
    refused = service.post("/v1/grade", {"problem": "sum", "code": RIGHT})
    assert refused.status == 400 and '"problem_id" names a loaded one' in refused.json["error"]["message"]


def test_what_is_no_call_is_refused_like_everything_else(service: Running) -> None:
    typed = service.post("/v1/grades", {"problem": SUM, "code": RIGHT})
    assert (typed.status, typed.kind) == (404, "unknown_call")
    message = typed.json["error"]["message"]
    assert message.endswith("; did you mean '/v1/grade'?") and "/v1/grade_batch" in message and "/health" in message
    assert "/v1/problems, /v1/problems/ID, /v1/run" in message and "/metrics; " in message
    assert service.get("/").kind == "unknown_call"
    wrong = service.get("/v1/grade")
    assert (wrong.status, wrong.kind) == (405, "wrong_method")
    assert wrong.json["error"]["message"] == "GET /v1/grade: this call takes POST"
    assert "takes GET" in service.post("/metrics", {}).json["error"]["message"]
