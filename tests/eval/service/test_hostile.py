"""Hostile and broken requests: each costs an error, and the service goes on."""

from __future__ import annotations

import base64
import json
import select
import socket
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra serve")

from microcoder_eval.service.desk import PLACES_PER_WORKER
from microcoder_eval.service.patient_protocol import UNREAD_S
from tests.eval.service.running import ENDLESS, RIGHT, SLEEPS, SLOW, SUM, Running, start


@pytest.fixture(autouse=True)
def still_grades(service: Running) -> Iterator[None]:
    yield
    assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]


BODIES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "bad_request"),
    "not JSON": (b"{", "bad_request"),
    "not UTF-8": (b'{"a": "\xff"}', "bad_request"),
    "a list": (b"[]", "bad_request"),
    "a number": (b"5", "bad_request"),
    "deep lists": (b'{"a": ' + b"[" * 500_000 + b"]" * 500_000 + b"}", "bad_request"),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "bad_request"),
    "deep tests": (
        b'{"code": "x", "problem": {"id": "a", "kind": "call", "entry_point": "f", "tests": [{"input": ['
        + b"[" * 300
        + b"]" * 300
        + b'], "output": 1}]}}',
        "bad_request",
    ),
    "a key twice": (b'{"code": "a", "code": "b"}', "bad_request"),
    "a key twice inside": (b'{"problem": {"id": "a", "id": "b"}}', "bad_request"),
    "a long integer": (b'{"a": ' + b"9" * 3_000_000 + b"}", "bad_request"),
    "too large": (b'{"a": "' + b"x" * (5 << 20) + b'"}', "too_large"),
    "nothing to grade": (b"{}", "bad_request"),
}


@pytest.mark.parametrize("what", BODIES)
def test_a_body_that_cannot_be_used(service: Running, what: str) -> None:
    body, kind = BODIES[what]
    answer = service.post("/v1/grade", body)
    assert answer.kind == kind
    assert answer.status == (413 if kind == "too_large" else 400)
    assert len(answer.body) < 3000


WRONG_FIELDS: dict[str, dict[str, Any]] = {
    "no program": {"problem": SUM},
    "two programs": {"problem": SUM, "code": "", "response": ""},
    "code of another type": {"problem": SUM, "code": ["x"]},
    "a problem in words": {"problem": "sum", "code": "x"},
    "both problems": {"problem": SUM, "problem_id": "hidden", "code": "x"},
    "no such problem": {"problem_id": "../hidden", "code": "x"},
    "problem_id of another type": {"problem_id": ["hidden"], "code": "x"},
    "no tests": {"problem": {"id": "a"}, "code": "x"},
    "many tests": {"problem": {"id": "a", "tests": [{"input": "", "output": ""}] * 10_001}, "code": "x"},
    "a long time": {"problem": {**SUM, "time_limit_s": 1e5}, "code": "x"},
    "a long time for a test": {
        "problem": {"id": "a", "tests": [{"input": "", "output": "", "time_limit_s": 999}]},
        "code": "x",
    },
    "time is NaN": {"problem": {**SUM, "time_limit_s": float("nan")}, "code": "x"},
    "much memory": {"problem": {**SUM, "memory_limit_mb": 100_000}, "code": "x"},
    "unknown language": {"problem": SUM, "code": "x", "language": "cobol\r\nX: y"},
    "unknown option": {"problem": SUM, "code": "x", "options": {"all_test": True}},
    "option of another type": {"problem": SUM, "code": "x", "options": {"all_tests": "yes"}},
    "options in a list": {"problem": SUM, "code": "x", "options": []},
    "another policy": {"problem": SUM, "code": "x", "options": {"policy": "lenient"}},
}


@pytest.mark.parametrize("what", WRONG_FIELDS)
def test_fields_that_cannot_be_used(service: Running, what: str) -> None:
    answer = service.post("/v1/grade", WRONG_FIELDS[what])
    over = what in ("many tests", "a long time", "a long time for a test", "much memory")
    assert (answer.status, answer.kind) == (400, "over_limit" if over else "bad_request")
    assert "x" not in {name for name in answer.headers if len(name) == 1}


@pytest.mark.parametrize("body", [{"items": 5}, {"items": [], "problems": [5]}, {"items": [{}] * 10_001}, {}])
def test_a_batch_that_cannot_be_used(service: Running, body: dict[str, Any]) -> None:
    assert service.post("/v1/grade_batch", body).kind == "bad_request"


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/grade/../../etc/passwd", "/%2e%2e/", "/v1/grade%0d%0aX: y", "//x"])
def test_other_paths_are_not_found(service: Running, path: str) -> None:
    assert service.get(path.replace(" ", "%20")).status in (404, 405)


def test_a_gigabyte_is_refused_before_it_comes(service: Running) -> None:
    with service.open() as connection:
        connection.sendall(b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: 1073741824\r\n\r\n")
        assert b" 413 " in connection.recv(4096)


def test_an_endless_body_in_chunks_is_cut(service: Running) -> None:
    with service.open() as connection:
        connection.sendall(b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        answer = _send_until_answered(connection, b"10000\r\n" + b"x" * 65536 + b"\r\n", most=200)
    assert b" 413 " in answer


def test_a_body_in_tiny_chunks_is_cut_early(service: Running) -> None:
    """A chunk of one byte costs the event loop far more than its sender: other clients would wait for seconds."""
    with service.open() as connection:
        connection.sendall(b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        answer = _send_until_answered(connection, b"1\r\n \r\n" * 1000, most=1000)
    assert answer.startswith(b"HTTP/1.1 400 ")


def test_a_body_in_small_chunks_is_read(service: Running) -> None:
    body = json.dumps({"problem": SUM, "code": RIGHT}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % letter for letter in body)
    with service.open() as connection:
        connection.sendall(b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        connection.sendall(b"0\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")


def test_a_length_beyond_all_bounds_is_refused_before_the_body_comes(service: Running) -> None:
    with service.open() as connection:
        connection.sendall(b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 20 + b"\r\n\r\n")
        assert b" 413 " in connection.recv(4096)


def test_a_client_that_waits_for_leave_to_send_its_body(service: Running) -> None:
    body = json.dumps({"problem": SUM, "code": RIGHT}).encode()
    head = b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
    with service.open() as connection:
        connection.sendall(head % len(body))
        assert connection.recv(4096) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
    with service.open() as connection:
        connection.sendall(head % (1 << 30))
        assert connection.recv(4096).startswith(b"HTTP/1.1 413 ")


def test_a_compressed_body_is_refused_by_name(service: Running) -> None:
    answer = service.post("/v1/grade", zlib.compress(b"{}"), headers={"Content-Encoding": "deflate"})
    assert (answer.status, answer.kind) == (400, "bad_request")
    assert "compressed" in answer.json["error"]["message"]


@pytest.mark.parametrize(
    "head",
    [
        b"\0\0\0\0",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/grade HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
        b"GET /ready HTTP/1.1\r\nHost: x\r\nX-Timeout-S: " + b"9" * 5000 + b"\r\n\r\n",
    ],
)
def test_broken_heads(service: Running, head: bytes) -> None:
    with service.open() as connection:
        connection.settimeout(600)
        try:
            connection.sendall(head)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(4096)
        except OSError:  # closed before all was sent
            pass
    assert service.get("/health").status == 200


@pytest.mark.parametrize("value", ["nan", "-1", "1e999", "x", "", "9" * 500])
def test_a_deadline_that_cannot_be_read_is_the_services_own(service: Running, value: str) -> None:
    answer = service.post("/v1/grade", {"problem": SUM, "code": RIGHT}, headers={"X-Timeout-S": value})
    assert answer.status == 200


def test_deadlines_that_pass_are_504_and_no_verdict(service: Running) -> None:
    slow = {"problem": SLOW, "code": ENDLESS, "options": {"all_tests": True}}
    answer = service.post("/v1/grade", {**slow, "options": {"all_tests": True, "timeout_s": 0.5}})
    assert (answer.status, answer.kind) == (504, "worker_timeout")
    assert service.post("/v1/grade", slow, headers={"X-Timeout-S": "0.4"}).kind == "worker_timeout"


def test_a_page_in_a_browser_is_refused(service: Running) -> None:
    answer = service.post("/v1/grade", {"problem": SUM, "code": RIGHT}, headers={"Origin": "http://evil.example"})
    assert (answer.status, answer.kind) == (401, "unauthorized")


def test_a_full_queue_refuses_and_a_hang_up_frees_its_place(tmp_path: Path) -> None:
    slow = {"problem": SLOW, "options": {"all_tests": True}}
    with start(tmp_path, "--workers", 1, "--queue", 2) as service:
        places = PLACES_PER_WORKER
        running = [service.send("/v1/grade", {**slow, "code": f"{SLEEPS} # {n}"}) for n in range(places)]
        service.wait_for("microcoder_gradings_running", places)
        waiting = [service.send("/v1/grade", {**slow, "code": f"{SLEEPS} # {places + n}"}) for n in range(2)]
        service.wait_for("microcoder_queue_length", 2)
        refused = service.post("/v1/grade", {"problem": SUM, "code": RIGHT})
        assert (refused.status, refused.kind) == (503, "queue_full")
        assert 1 <= int(refused.headers["retry-after"]) <= 30
        waiting[0].close()
        service.wait_for("microcoder_queue_length", 1, 1)
        late = service.post("/v1/grade", {"problem": SUM, "code": RIGHT, "options": {"timeout_s": 0.3}})
        assert (late.status, late.kind) == (504, "queue_timeout")
        for connection in [*running, *waiting[1:]]:
            connection.close()
        service.wait_for("microcoder_gradings_running", 0, 0)
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]


def test_a_hang_up_behind_a_second_request_frees_its_place(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1) as service:
        connection = service.send("/v1/grade", {"problem": SLOW, "options": {"all_tests": True}, "code": ENDLESS})
        service.wait_for("microcoder_gradings_running", 1)
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.2)  # so that the service reads it before the end
        connection.close()
        service.wait_for("microcoder_gradings_running", 0, 0)


def test_a_batch_whose_client_leaves_is_given_up(tmp_path: Path) -> None:
    items = [{"problem_id": "slow", "code": f"{ENDLESS} # {n}"} for n in range(200)]
    with start(tmp_path, "--workers", 1) as service:
        connection = service.send("/v1/grade_batch", {"problems": [SLOW], "items": items})
        service.wait_for("microcoder_queue_length", 10)
        connection.close()
        service.wait_for("microcoder_queue_length", 0, 0)
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]


def test_bodies_together_are_bounded(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1, "--body-mb", 4, "--held-mb", 4) as service:
        head = b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n"
        with service.open() as first, service.open() as second:
            first.sendall(head + b"x" * 3_000_000)
            second.sendall(head + b"x" * 3_000_000)
            (refused, *_), _, _ = select.select([first, second], [], [], 60)  # whichever is read last
            assert b" 503 " in refused.recv(4096)
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]


def test_values_count_as_the_memory_that_they_take(tmp_path: Path) -> None:
    """`[[],[],...]` takes 25 times what it takes as text."""
    filler = b"[" + b"[]," * 300_000 + b"[]]"
    body = b'{"code": "n = 0\\nwhile True: n += 1", "language": "python", "run_timeout": 20, "more": ' + filler + b"}"
    head = b"POST /run_code HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    with start(tmp_path, "--workers", 1, "--body-mb", 4, "--held-mb", 4) as service:
        with service.open() as first:
            first.sendall(head + body)
            service.wait_for("microcoder_gradings_running", 1)
            refused = service.post("/run_code", body)
            assert (refused.status, refused.kind) == (504, "queue_full")  # as SandboxFusion's clients expect it
        service.wait_for("microcoder_gradings_running", 0, 0)
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).json["accepted"]


def test_packed_tests_count_as_what_they_unpack_to(tmp_path: Path) -> None:
    packed = base64.b64encode(zlib.compress(b'{"inputs": ["' + b" " * 3_000_000 + b'"], "outputs": ["1"]}')).decode()
    body = {
        "response": {"output_text": f"```python\n{ENDLESS}\n```"},
        "verifier_metadata": {"unit_tests": {"packed": packed}},
    }
    with start(tmp_path, "--workers", 1, "--body-mb", 4, "--held-mb", 4) as service:
        first = service.send("/verify", body)
        service.wait_for("microcoder_gradings_running", 1)
        assert service.post("/verify", body).kind == "queue_full"
        first.close()


def test_a_body_of_two_lengths_ends_its_connection(service: Running) -> None:
    head = b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with service.open() as connection:
        connection.sendall(head + b"GET /info HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1") == 1


@pytest.mark.slow
def test_who_reads_nothing_is_cut_off(service: Running) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", service.port))
        body = b'{"code": "print(\'x\' * 15_000_000)", "language": "python"}'
        connection.sendall(b"POST /run_code HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        time.sleep(UNREAD_S + 15)
        connection.settimeout(600)
        size = 0
        with suppress(ConnectionResetError):
            while piece := connection.recv(1 << 20):
                size += len(piece)
    assert size < 15_000_000


@pytest.mark.slow
def test_slow_senders_are_cut_off(service: Running) -> None:
    with service.open() as head, service.open() as body, service.open() as silent:
        head.sendall(b"POST /v1/gra")
        body.sendall(b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        for connection in (head, silent):
            connection.settimeout(600)
            try:
                assert connection.recv(10) == b""
            except ConnectionResetError:
                pass
        body.settimeout(600)
        assert b" 408 " in body.recv(4096)


def _send_until_answered(connection: socket.socket, piece: bytes, most: int) -> bytes:
    connection.settimeout(600)
    try:
        for _ in range(most):
            connection.sendall(piece)
            connection.setblocking(False)
            try:
                return connection.recv(4096)
            except BlockingIOError:
                pass
            finally:
                connection.settimeout(600)
    except (BrokenPipeError, ConnectionResetError):
        pass
    return connection.recv(4096)
