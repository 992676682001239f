"""Large requests: they are answered as small ones are, and nobody waits for the body of another client."""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import time
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra serve")

from microcoder_eval.service.large_requests import LARGE_BYTES
from microcoder_eval.service.write_json import LONG_TEXT, is_long, json_bytes
from tests.eval.service.running import ENDLESS, HIDDEN, RIGHT, SLOW, SUM, Running, alive, descendants, start
from tests.eval.service.test_every_call import GOOD, POSTED

PADDING = b" " * LARGE_BYTES


COSTS = ("memory", "memory_kb", "cpu_time", "wall_time", "cpu_ms", "wall_ms", "cpu_s", "wall_s", "execution_time")
COSTS += ("unit_tests_time_taken", "runtimes")


def without_costs(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_costs(inner) for name, inner in value.items() if name not in COSTS}
    return [without_costs(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", POSTED)
def test_every_call_answers_as_it_answers_small_requests(service: Running, path: str) -> None:
    for body in (GOOD[path], {**GOOD[path], "code": 5, "response": 5, "program": 5, "config": 5}):
        small = service.post(path, body)
        large = service.post(path, json.dumps(body).encode() + PADDING)
        assert large.status == small.status
        assert without_costs(large.json) == without_costs(small.json)


def test_a_loaded_problem_is_graded_and_its_tests_stay_hidden(service: Running) -> None:
    program = f"print('OUTPUT-9903')\n#{'x' * LARGE_BYTES}"
    answer = service.post("/v1/grade", {"problem_id": HIDDEN["id"], "code": program})
    assert answer.json["accepted"]
    wrong = service.post("/v1/grade", {"problem_id": HIDDEN["id"], "code": f"print(input())\n#{'x' * LARGE_BYTES}"})
    assert wrong.json["verdict"] == "WRONG_ANSWER" and b"5417" not in wrong.body and b"9903" not in wrong.body
    assert service.post("/v1/grade", {"problem_id": "other", "code": program}).kind == "bad_request"


def test_a_large_batch_is_a_stream(service: Running) -> None:
    items = [{"problem_id": "sum", "code": f"{RIGHT}\n#{number}{'x' * 1000}"} for number in range(100)]
    items[7]["code"] = "print(3)"
    answer = service.post("/v1/grade_batch", {"problems": [SUM], "items": [*items, 5]})
    lines = sorted(map(json.loads, answer.body.splitlines()), key=lambda line: line["index"])
    assert [line["index"] for line in lines] == list(range(101))
    assert [line["index"] for line in lines if "grade" in line and not line["grade"]["accepted"]] == [7]
    assert lines[100]["error"]["kind"] == "bad_request"


def hostile(values: bytes) -> bytes:
    """A call problem with these arguments."""
    head = b'{"code": "x", "problem": {"id": "a", "kind": "call", "entry_point": "f", "tests": [{"output": 1, "input": '
    return head + values + b"}]}}"


COUNT = 1_300_000
HOSTILE = {
    "lists": hostile(b"[" + b"[]," * COUNT + b"[]]"),
    "lists in a text": hostile(b'"[' + b"[]," * COUNT + b'[]]"'),
    "tuples in a text": hostile(b'"[' + b"()," * COUNT + b'()]"'),
    "asserts": b'{"code": "x", "problem": {"id": "a", "kind": "asserts", "test_code": "'
    + b"assert f(1)\\n" * 300_000
    + b'"}}',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_others_are_answered_while_a_body_is_read(service: Running, what: str) -> None:
    body = HOSTILE[what]
    with service.open() as connection:
        head = b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
        connection.sendall(head % len(body) + body)
        assert service.post("/v1/grade", {"problem": SUM, "code": f"{RIGHT} # {what}"}).json["accepted"]
        assert not select.select([connection], [], [], 0)[0]
        answer = connection.recv(4096)
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 "))


def test_tests_that_unpack_to_many_are_read_like_a_large_body(service: Running) -> None:
    packed = base64.b64encode(zlib.compress(b'{"inputs": [' + b"[]," * COUNT + b'1], "outputs": ["1"]}')).decode()
    body = json.dumps({"response": {"output_text": RIGHT}, "verifier_metadata": {"unit_tests": {"packed": packed}}})
    assert len(body) < LARGE_BYTES
    with service.open() as connection:
        head = f"POST /verify HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        connection.sendall(head.encode())
        assert service.get("/v1/ping").status == 200
        assert not select.select([connection], [], [], 0)[0]
        assert connection.recv(4096).startswith(b"HTTP/1.1 400 ")


def readers(service: Running) -> list[int]:
    return family_of_readers(service)[1:]


def family_of_readers(service: Running) -> list[int]:
    """The origin of the readers and the readers: processes that were forked, as their command line shows."""

    def command(pid: int) -> str:
        with suppress(FileNotFoundError):
            return Path(f"/proc/{pid}/cmdline").read_text()
        return ""

    service_itself = service.process.pid
    return [pid for pid in descendants(service_itself) if command(pid) == command(service_itself)]


def test_a_reader_that_is_killed_costs_its_own_client_an_error(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1) as service:
        connection = service.send("/v1/grade", {"problem": SLOW, "code": ENDLESS + PADDING.decode()})
        service.wait_for("microcoder_gradings_running", 1)
        (reader,) = readers(service)
        os.kill(reader, signal.SIGKILL)
        assert b" 413 " in connection.recv(4096)
        service.wait_for("microcoder_gradings_running", 0, 0)
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT + PADDING.decode()}).json["accepted"]


def test_without_the_origin_of_readers_the_service_says_that_it_is_broken(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1) as service:
        (origin,) = family_of_readers(service)
        os.kill(origin, signal.SIGKILL)
        while alive(origin):
            time.sleep(0.01)
        answer = service.post("/v1/grade", {"problem": SUM, "code": RIGHT + PADDING.decode()})
        assert (answer.status, answer.kind) == (500, "internal_error")
        assert service.get("/health").status == 500
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]


@pytest.mark.parametrize("path", ["/v1/grade", "/v1/grade_batch"])
def test_a_hang_up_ends_the_reader(tmp_path: Path, path: str) -> None:
    bodies = {
        "/v1/grade": {"problem": SLOW, "code": ENDLESS + PADDING.decode(), "options": {"all_tests": True}},
        "/v1/grade_batch": {
            "problems": [SLOW],
            "items": [{"problem_id": "slow", "code": f"{ENDLESS} # {n}{'x' * 1000}"} for n in range(99)],
        },
    }
    with start(tmp_path, "--workers", 1) as service:
        connection = service.send(path, bodies[path])
        service.wait_for("microcoder_gradings_running", 1)
        assert len(readers(service)) == 1
        connection.close()
        service.wait_for("microcoder_gradings_running", 0, 0)
        service.wait_for("microcoder_queue_length", 0, 0)
        deadline = time.monotonic() + 30
        while readers(service):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_deadlines_are_kept(service: Running) -> None:
    slow = {"problem": SLOW, "code": f"{ENDLESS} #{PADDING.decode()}", "options": {"all_tests": True, "timeout_s": 0.5}}
    answer = service.post("/v1/grade", slow)
    assert (answer.status, answer.kind) == (504, "worker_timeout")


def test_long_texts_are_written_as_json_in_pieces() -> None:
    long = "é\n\udc80😀" * LONG_TEXT
    for found in (long, {"a": long, "b": [1, None, {"c": long}]}, [long, "x"], [1] * 5000, {"x": "y"}):
        assert json.loads(json_bytes(found)) == found
    assert is_long({"a": [long]}) and is_long([0] * 5000) and not is_long({"a": ["x", 5, None]})
    assert json.loads(json_bytes({"a": long, "b": float("inf")}))["b"] is None
