"""The calls of other services: what they answer, and that nothing in them is a path or a header.

Longer than most files: every service has its own form of the same requests.
"""

from __future__ import annotations

import base64
import json
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.eval.service.running import ENDLESS, HIDDEN, RIGHT, Running, start
from tests.eval.toolchains import needs

REPLY = f"```python\n{RIGHT}\n```"
TESTS = {"inputs": ["1 2", "3 4"], "outputs": ["3", "7"]}
CPP = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }"


def run(service: Running, **body: Any) -> Any:
    return service.post("/run_code", {"language": "python", **body})


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


# SandboxFusion


def test_run_code_says_what_a_program_did(service: Running) -> None:
    answer = run(service, code="import sys\nprint(input())\nprint('e', file=sys.stderr)", stdin="hello").json
    assert (answer["status"], answer["message"], answer["compile_result"]) == ("Success", "", None)
    ran = answer["run_result"]
    assert (ran["status"], ran["return_code"], ran["stdout"], ran["stderr"]) == ("Finished", 0, "hello\n", "e\n")
    assert ran["execution_time"] > 0


ENDS: dict[str, tuple[str, str, str, int | None]] = {
    "exits": ("import sys; sys.exit(3)", "Failed", "Finished", 3),
    "raises": ("1 / 0", "Failed", "Finished", 1),
    "does not compile": ("print(", "Failed", "Finished", 1),
    "is endless": (ENDLESS, "Failed", "TimeLimitExceeded", None),
    "takes memory": ("x = bytearray(1 << 30)", "Failed", "Finished", -9),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "Failed", "Finished", -9),
}


@pytest.mark.parametrize("how", ENDS)
def test_run_code_says_how_a_program_ended(service: Running, how: str) -> None:
    code, status, ended, return_code = ENDS[how]
    answer = run(service, code=code, run_timeout=1, memory_limit_MB=256).json
    assert (answer["status"], answer["run_result"]["status"]) == (status, ended)
    assert answer["run_result"]["return_code"] == return_code


def test_run_code_lays_files_beside_the_program(service: Running) -> None:
    code = "print(open('data/a.txt').read())"
    assert run(service, code=code, files={"data/a.txt": encoded("inside"), "b": None}).json["run_result"]["stdout"] == (
        "inside\n"
    )


def test_run_code_compiles(service: Running) -> None:
    needs("cpp")
    answer = run(service, code=CPP, language="cpp", stdin="1 2").json
    assert (answer["compile_result"]["return_code"], answer["run_result"]["stdout"]) == (0, "3")
    answer = run(service, code="int main( {", language="cpp").json
    assert (answer["status"], answer["compile_result"]["return_code"], answer["run_result"]) == ("Failed", 1, None)


def test_output_that_is_no_text(service: Running) -> None:
    code = "import sys; sys.stdout.buffer.write(b'a\\xffb')"
    assert run(service, code=code).json["run_result"]["stdout"] == "a\ufffdb"


PATHS = ["../x", "/etc/x", "a/../../x", "", ".", "..", "a//b", "x\0", "\ud800", "a\r\nX-A: b/../c", "n" * 300]


@pytest.mark.parametrize("name", PATHS)
def test_files_stay_beside_the_program(service: Running, name: str) -> None:
    answer = run(service, code="", files={name: ""})
    if name.startswith("a\r"):
        assert "x-a" not in answer.headers
    assert (answer.status, answer.kind) == (400, "bad_request")
    piston = {"language": "python", "version": "*", "files": [{"content": ""}, {"name": name, "content": "x"}]}
    if name:  # Piston gives a file without a name one of its own
        assert service.post("/api/v2/execute", piston).status == 400


@pytest.mark.parametrize("name", ["out.txt", "../../etc/passwd", "/etc/passwd"])
def test_no_files_are_fetched(service: Running, name: str) -> None:
    answer = run(service, code="", fetch_files=[name])
    assert answer.status == 400
    assert "root:" not in answer.body.decode()


RUN_CODE_WRONG: list[dict[str, Any]] = [
    {"code": 5},
    {},
    {"code": "", "language": "cobol"},
    {"code": "", "language": "py\r\nX-A: b"},
    {"code": "", "language": None},
    {"code": "", "stdin": 5},
    {"code": "", "files": []},
    {"code": "", "files": {"a": 5}},
    {"code": "", "files": {"a": "not base64!"}},
    {"code": "", "run_timeout": -1},
    {"code": "", "run_timeout": "x"},
    {"code": "", "memory_limit_MB": "x"},
    {"code": "", "fetch_files": "a"},
]


@pytest.mark.parametrize("body", RUN_CODE_WRONG)
def test_run_code_refuses_what_it_cannot_run(service: Running, body: dict[str, Any]) -> None:
    answer = run(service, **body)
    assert (answer.status, answer.json["status"]) == (400, "SandboxError")
    assert "x-a" not in answer.headers


def test_a_temporary_failure_is_what_verl_tries_again(service: Running) -> None:
    answer = service.post(
        "/run_code",
        {"language": "python", "code": "import time; time.sleep(3)", "run_timeout": 5},
        headers={"X-Timeout-S": "0.3"},
    )
    assert (answer.status, answer.kind) == (504, "worker_timeout")


def submit(service: Running, **more: Any) -> Any:
    tests = [{"input": {"stdin": i}, "output": {"stdout": o}} for i, o in zip(*TESTS.values(), strict=True)]
    config = {"language": "python", "provided_data": {"test": tests}, **more.pop("config", {})}
    return service.post("/submit", {"dataset": "d", "id": 7, "completion": REPLY, "config": config, **more})


def test_submit_grades_a_completion(service: Running) -> None:
    answer = submit(service).json
    assert (answer["id"], answer["accepted"], answer["extracted_code"]) == (7, True, RIGHT)
    assert [test["passed"] for test in answer["tests"]] == [True, True]
    assert answer["tests"][0]["test_info"] == {"input": {"stdin": "1 2"}, "output": {"stdout": "3"}}
    wrong = submit(service, completion="```python\nprint(3)\n```", config={"extra": {"run_all_cases": True}}).json
    assert (wrong["accepted"], [test["passed"] for test in wrong["tests"]]) == (False, [True, False])
    assert submit(service, completion="I do not know").json["accepted"] is False


def test_submit_keeps_hidden_tests(service: Running) -> None:
    completion = "```python\nprint(input())\n```"
    body = {"dataset": "d", "id": "hidden", "completion": completion, "config": {"language": "python"}}
    answer = service.post("/submit", body)
    assert answer.json["accepted"] is False
    assert HIDDEN["tests"][0]["output"] not in answer.body.decode()
    assert HIDDEN["tests"][0]["input"] not in answer.body.decode()


@pytest.mark.parametrize(
    "more",
    [
        {"config": {"custom_extract_logic": "import os; os.system('id')"}},
        {"config": {"language": None}},
        {"config": {"provided_data": {"test": [{"input": {"../x": ""}, "output": {"stdout": ""}}]}}},
        {"config": {"provided_data": {"test": [5]}}},
        {"config": {"provided_data": 5}},
        {"config": {"provided_data": None}, "id": "../hidden"},
        {"config": {"provided_data": None}, "id": "hidden\r\nX-A: b"},
        {"completion": None},
    ],
)
def test_submit_refuses_what_it_cannot_grade(service: Running, more: dict[str, Any]) -> None:
    answer = submit(service, **more)
    assert (answer.status, answer.kind) == (400, "bad_request")
    assert "x-a" not in answer.headers


def test_ping(service: Running) -> None:
    assert service.get("/v1/ping").json == "pong"


# ScaleBox


def batch(service: Running, cases: Any, completion: str = REPLY, **config: Any) -> Any:
    config = {"language": "python", "provided_data": {"test_cases": cases}, **config}
    return service.post("/common_evaluate_batch", {"completion": completion, "config": config})


def test_scalebox_reads_standard_input(service: Running) -> None:
    cases = {"type": "stdin_stdout", "input": ["1 2", "3 4"], "output": ["3", "8"], "fn_name": None}
    answer = batch(service, cases, extra={"run_all_cases": True}).json
    assert (answer["id"], answer["accepted"]) == (0, False)
    assert [test["passed"] for test in answer["tests"]] == [True, False]


def test_scalebox_calls_functions(service: Running) -> None:
    add = "```python\ndef add(a, b):\n    return a + b\n```"
    cases = {"type": "function_call", "input": [[1, 2], [3, 4]], "output": [[3], [7]], "fn_name": "add"}
    assert batch(service, cases, add).json["accepted"]
    text = {**cases, "input": ["1\n2", "3\n4"], "output": ["3", "7"], "json_input": True}
    assert batch(service, text, add).json["accepted"]


def test_scalebox_runs_test_programs(service: Running) -> None:
    test = "def check(candidate):\n    assert candidate(6) == 7\n"
    cases = {"type": "assert", "test": test, "entry_point": "next_one"}
    right = "```python\ndef next_one(n):\n    return n + 1\n```"
    assert batch(service, cases, right).json["accepted"]
    assert not batch(service, cases, right.replace("+ 1", "+ 2")).json["accepted"]


def test_scalebox_asks_a_special_judge(service: Running) -> None:
    judge = (
        "import sys\nn = int(open('stdin.txt').read())\na, b = map(int, open('answer.txt').read().split())\n"
        "open('stdout.txt').read()\nsys.exit(0 if a + b == n else 1)"
    )
    cases = {"type": "stdin_stdout", "input": ["3", "7"], "output": ["1 2", "3 4"]}
    right, wrong = (f"```python\nn = int(input())\nprint(n - 1, {last})\n```" for last in (1, 2))
    extra = {"special_judge_program": judge, "special_judge_language": "python"}
    assert batch(service, cases, right, extra=extra).json["accepted"]
    assert not batch(service, cases, wrong, extra=extra).json["accepted"]


@pytest.mark.parametrize(
    "cases",
    [
        {},
        5,
        {"type": "x", "input": [], "output": []},
        {"input": [1], "output": []},
        {"input": [1], "output": [1]},
        {"type": "function_call", "input": [[1]], "output": [[1]]},
        {"type": "assert"},
    ],
)
def test_scalebox_refuses_what_it_cannot_grade(service: Running, cases: Any) -> None:
    assert batch(service, cases).status == 400


@pytest.mark.parametrize("total_s", [0, -1, "5"])
def test_scalebox_refuses_a_total_time_that_is_none(service: Running, total_s: Any) -> None:
    cases = {"type": "stdin_stdout", "input": ["1 2"], "output": ["3"]}
    assert batch(service, cases, extra={"total_timeout": total_s}).status == 400


# Piston


def execute(service: Running, **body: Any) -> Any:
    return service.post("/api/v2/execute", {"language": "python", "version": "3.x", **body})


def test_piston_runs_the_first_file(service: Running) -> None:
    files = [{"content": "print(open('b').read(), input())"}, {"name": "b", "content": "6869", "encoding": "hex"}]
    ran = execute(service, files=files, stdin="you").json["run"]
    assert (ran["stdout"], ran["code"], ran["signal"], ran["status"]) == ("hi you\n", 0, None, None)
    assert ran["memory"] > 0
    ended = execute(service, files=[{"content": ENDLESS}], run_timeout=500).json["run"]
    assert (ended["code"], ended["signal"], ended["status"]) == (None, "SIGKILL", "TO")
    left = execute(service, files=[{"content": "print('out'); exit(4)"}]).json["run"]
    assert (left["code"], left["output"], left["stderr"], left["status"]) == (4, "out\n", "", "RE")
    killed = execute(service, files=[{"content": "import os; os.abort()"}]).json["run"]
    assert (killed["code"], killed["signal"], killed["status"]) == (None, "SIGABRT", "SG")


def test_piston_says_which_version_ran_and_why_none_did(service: Running) -> None:
    versions = {found["language"]: found["version"] for found in service.get("/api/v2/runtimes").json}
    assert execute(service, files=[{"content": ""}], version="2.7").json["version"] == versions["python"]
    broken = execute(service, files=[{"content": "x ="}]).json
    assert "compile" not in broken and "invalid syntax" in broken["run"]["stderr"]
    if "cpp" in versions:
        broken = execute(service, language="c++", files=[{"content": "int main( {}"}]).json
        assert broken["version"] == versions["cpp"]
        assert broken["run"] == broken["compile"] and "error" in broken["run"]["output"]
        assert broken["run"]["code"] == 1


def test_piston_lists_what_it_runs(service: Running) -> None:
    found = service.get("/api/v2/runtimes").json
    assert found[0]["language"] == "python"
    assert all(set(runtime) == {"language", "version", "aliases"} for runtime in found)


@pytest.mark.parametrize(
    "body",
    [
        {"files": []},
        {},
        {"files": [{"content": 5}]},
        {"files": [{"content": "", "encoding": "base64"}]},
        {"files": [{"content": ""}, {"name": 5, "content": ""}]},
        {"files": [{"content": ""}, {"name": "a", "content": "zz", "encoding": "hex"}]},
        {"files": [{"content": ""}], "args": ["x"]},
        {"files": [{"content": ""}], "run_timeout": -5},
        {"files": [{"content": ""}], "version": 3},
        {"files": [{"content": ""}], "language": "py\r\nX-A: b"},
    ],
)
def test_piston_refuses_what_it_cannot_run(service: Running, body: dict[str, Any]) -> None:
    answer = execute(service, **body)
    assert answer.status == 400
    assert answer.json["message"]
    assert "x-a" not in answer.headers


# NeMo Gym


def verify(service: Running, metadata: Any, text: str = REPLY) -> Any:
    said = {"output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}]}
    body = {"responses_create_params": {"input": []}, "response": said, "verifier_metadata": metadata}
    return service.post("/verify", body)


def test_nemo_gym_gives_the_request_with_its_reward(service: Running) -> None:
    answer = verify(service, {"unit_tests": TESTS}).json
    assert (answer["reward"], answer["extracted_model_code"], answer["result"]) == (1.0, RIGHT, [True, True])
    assert answer["responses_create_params"] == {"input": []}
    assert verify(service, {"unit_tests": TESTS, "difficulty": "hard"}, " ").json["difficulty"] == "hard"
    assert verify(service, {"unit_tests": TESTS}, "```python\nprint(1)\n```").json["reward"] == 0.0
    assert verify(service, {"unit_tests": TESTS}, " ").json["reward"] == 0.0
    for malformed in (
        {},
        {"output_text": 5},
        {"output_text": ["x"]},
        {"output": None},
        {"output": "x"},
        {"output": ["x"]},
        {"output": [{"type": "message", "content": 5}]},
        {"output": [{"type": "message", "content": ["x"]}]},
        {"output": [{"type": "message", "content": [{"type": "output_text"}]}]},
        {"output": [{"type": "message", "content": [{"type": "output_text", "text": 5}]}]},
    ):
        body = {"response": malformed, "verifier_metadata": {"unit_tests": TESTS}}
        assert service.post("/verify", body).kind == "bad_request", malformed  # not the reward of an empty reply
    assert verify(service, None, " ").json["reward"] == 0.0  # as NeMo Gym: nothing to grade needs no tests
    call = {"inputs": ["1\n2"], "outputs": ["3"], "fn_name": "add"}
    solution = "```python\nclass Solution:\n    def add(self, a, b):\n        return a + b\n```"
    assert verify(service, {"unit_tests": call}, solution).json["reward"] == 1.0
    hidden = "```python\nprint('OUTPUT-9903')\n```"
    assert verify(service, {"problem_id": "hidden"}, hidden).json["reward"] == 1.0
    assert service.post("/seed_session", {}).json == {}


def test_nemo_gym_aggregates_what_it_has_answered(service: Running) -> None:
    rewards = {0: [1.0, 0.0, 0.0], 3: [1.0, 1.0, 0.0]}
    responses = [
        {"_ng_task_index": task, "_ng_rollout_index": number, "reward": reward, "note": "x", "ok": True}
        for task, given in rewards.items()
        for number, reward in enumerate(given)
    ]
    told = service.post("/aggregate_metrics", {"verify_responses": responses}).json
    assert [group["_ng_task_index"] for group in told["group_level_metrics"]] == [0, 3]
    assert told["group_level_metrics"][0]["mean/reward"] == pytest.approx(1 / 3)
    assert told["agent_metrics"]["mean/reward"] == 0.5 and told["agent_metrics"]["mean/ok"] == 1
    assert told["agent_metrics"]["std/reward"] == pytest.approx(0.3**0.5)
    assert told["agent_metrics"]["pass@2/accuracy"] == pytest.approx(100 * (2 / 3 + 1) / 2)
    assert told["key_metrics"] == {"pass@1[avg-of-3]/accuracy": 50.0, "pass@3/accuracy": 100.0}
    empty = {"group_level_metrics": [], "agent_metrics": {}, "key_metrics": {}}
    assert service.post("/aggregate_metrics", {"verify_responses": []}).json == empty
    for wrong in ([5], [{"reward": "1"}], [{"reward": 1, "_ng_task_index": "0"}], [{}] * 100_001):
        assert service.post("/aggregate_metrics", {"verify_responses": wrong}).status == 400


def test_nemo_gym_unpacks_tests_within_bounds(service: Running) -> None:
    packed = base64.b64encode(zlib.compress(json.dumps(TESTS).encode())).decode()
    assert verify(service, {"unit_tests": {"packed": packed}}).json["reward"] == 1.0
    bomb = base64.b64encode(zlib.compress(b"[" + b" " * (64 << 20))).decode()
    assert verify(service, {"unit_tests": {"packed": bomb}}).status == 400


@pytest.mark.parametrize(
    "metadata", [None, {}, {"unit_tests": 5}, {"unit_tests": {"packed": "x"}}, {"problem_id": "../hidden"}]
)
def test_nemo_gym_refuses_what_it_cannot_grade(service: Running, metadata: Any) -> None:
    assert verify(service, metadata).status == 400


# slime, OpenRLHF, open-instruct


def test_slime_gets_a_number(service: Running) -> None:
    label = json.dumps(TESTS)
    assert service.post("/slime", {"prompt": "p", "response": REPLY, "label": label}).json == 1.0
    half = {"prompt": "p", "response": "```python\nprint(3)\n```", "label": label}
    assert service.post("/slime", half).json == 0.0
    assert service.post("/slime?shape=fraction", half).json == 0.5
    assert service.post("/slime", {"response": "```python\nprint('OUTPUT-9903')\n```", "label": "hidden"}).json == 1.0
    cut = {"prompt": "p", "response": "```python\nprint(", "label": label}
    assert service.post("/slime?cut_off=-0.5", cut).json == -0.5


@pytest.mark.parametrize("query", ["shape=x", "cut_off=x", "cut_off=nan", "shape=%0d%0aX-A:b"])
def test_slime_refuses_other_shapes(service: Running, query: str) -> None:
    answer = service.post(f"/slime?{query}", {"response": REPLY, "label": json.dumps(TESTS)})
    assert (answer.status, answer.kind) == (400, "bad_request")
    assert "x-a" not in answer.headers


@pytest.mark.parametrize(
    "label", [None, 5, "", "../hidden", "[]", "{}", '{"problem_id": "none"}', "\r\nX-A: b", "[" * 9999]
)
def test_labels_that_name_no_problem(service: Running, label: Any) -> None:
    assert service.post("/slime", {"prompt": "p", "response": REPLY, "label": label}).kind == "bad_request"
    answer = service.post("/openrlhf", {"query": ["p"], "prompts": ["p"], "labels": [label]})
    assert answer.kind == "bad_request"


def test_openrlhf_gets_a_reward_for_each_query(service: Running) -> None:
    label = json.dumps({"id": "sum", "tests": [{"input": "1 2", "output": "3"}]})
    prompt = "Add:\n```python\nprint('not this')\n```\n"
    queries = [prompt + REPLY, prompt + "I do not know"]
    answer = service.post("/openrlhf", {"query": queries, "prompts": [prompt] * 2, "labels": [label] * 2}).json
    assert answer["rewards"] == answer["scores"] == [1.0, 0.0]
    assert answer["extra_logs"]["accepted"] == [1.0, 0.0]
    assert service.post("/openrlhf", {"query": ["a"], "prompts": [], "labels": []}).status == 400


def test_a_request_with_more_gradings_than_the_queue_has_places(tmp_path: Path) -> None:
    label = json.dumps({"id": "sum", "tests": [{"input": "1 2", "output": "3"}]})
    replies = [f"```python\n{RIGHT} # {n}\n```" for n in range(60)]
    with start(tmp_path, "--workers", 1, "--queue", 2, "--tests", 100) as small:
        answer = small.post("/openrlhf", {"query": replies, "labels": [label] * 60})
        assert answer.json["rewards"] == [1.0] * 60, answer.body
        tests = [f"y = {n}\nassert x == {n % 2}" for n in range(60)]
        assert small.post("/test_program", {"program": "x = 1", "tests": tests}).json["results"] == [0, 1] * 30
        assert small.post("/test_program", {"program": "x = 1", "tests": tests * 2}).kind == "over_limit"


def test_clients_that_make_a_refusal_a_reward_of_0_wait_for_a_full_queue(tmp_path: Path) -> None:
    stdio = [{"input": "1 2", "output": "3"}]
    asked: list[tuple[str, dict[str, Any]]] = []
    for number in range(24):
        code = f"{RIGHT} # {number}"
        asked.append(("/run_code", {"language": "python", "code": code, "stdin": "1 2", "run_timeout": 60}))
        asked.append(("/test_program_stdio", {"program": code, "tests": stdio}))
    with start(tmp_path, "--workers", 1, "--queue", 2) as small, ThreadPoolExecutor(len(asked)) as pool:
        answers = list(pool.map(lambda one: small.post(*one).json, asked))
    assert [answer.get("results") or answer["run_result"]["stdout"] for answer in answers] == ["3\n", [1]] * 24


def test_open_instruct_gets_a_result_for_each_test(service: Running) -> None:
    program = "def add(a, b):\n    return a + b"
    tests = ["assert add(1, 2) == 3", "assert add(1, 1) == 3", "assert add(-1, 1) == 0"]
    answer = service.post("/test_program", {"program": program, "tests": tests, "max_execution_time": 1.0}).json
    assert answer["results"] == [1, 0, 1]
    assert [runtime > 0 for runtime in answer["runtimes"]] == [True, False, True]
    several = ["x = add(1, 2)\nassert x == 3\nassert x > 2", "assert add(1, 2) == 4\nassert True"]
    assert service.post("/test_program", {"program": program, "tests": several}).json["results"] == [1, 0]
    assert service.post("/test_program", {"program": program, "tests": json.dumps(tests)}).json["results"] == [1, 0, 1]
    stdio = [{"input": "1 2", "output": "3"}, {"input": "1 2", "output": "4"}]
    assert service.post("/test_program_stdio", {"program": RIGHT, "tests": stdio}).json["results"] == [1, 0]
    assert service.post("/test_program", {"program": program, "tests": []}).json == {"results": [], "runtimes": []}


def test_open_instruct_does_not_read_pickles(service: Running, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    stream = f"cposix\nsystem\n(S'touch {mark}'\ntR.".encode()
    packed = base64.b64encode(zlib.compress(stream)).decode()
    for path in ("/test_program", "/test_program_stdio"):
        answer = service.post(path, {"program": "x = 1", "tests": packed})
        assert (answer.status, answer.kind) == (400, "bad_request")
    assert not mark.exists()


@pytest.mark.parametrize("tests", [None, 5, {}, [5], [["a"]], [{"input": "a"}], ["assert ("]])
def test_open_instruct_refuses_what_it_cannot_grade(service: Running, tests: Any) -> None:
    assert service.post("/test_program", {"program": "x = 1", "tests": tests}).status == 400
    assert service.post("/test_program_stdio", {"program": "x = 1", "tests": tests}).status == 400
