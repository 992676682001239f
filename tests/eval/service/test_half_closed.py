"""Clients that close their sending side after a request and wait, and those that hang up: at first they look equal."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the extra serve")

from microcoder_eval import connect
from microcoder_eval.connection.node import NodeService
from tests.eval.service.running import ENDLESS, RIGHT, SLOW, SUM, Running, start

GRADE: dict[str, Any] = {"problem": SUM, "code": f"import time\ntime.sleep(0.3)\n{RIGHT}"}
ENDLESS_GRADE = {"problem": SLOW, "options": {"all_tests": True}, "code": ENDLESS}
LARGE = {**GRADE, "problem": {**SUM, "statement": "x" * 300_000}}


def request(path: str, body: Any, version: str = "1.1", headers: str = "") -> bytes:
    text = json.dumps(body).encode()
    head = f"POST {path} HTTP/{version}\r\nHost: x\r\nContent-Length: {len(text)}\r\n{headers}\r\n"
    return head.encode() + text


def until_the_end(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    "sent",
    [
        request("/v1/grade", GRADE),
        request("/v1/grade", GRADE, version="1.0"),
        request("/v1/grade", GRADE, headers="Connection: close\r\n"),
        request("/v1/grade", LARGE),
        request("/v1/grade", {"problem_id": "nothing", "code": ""}),
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["1.1", "1.0", "Connection: close", "a large request", "a refusal", "no body"],
)
def test_it_gets_its_answer(service: Running, sent: bytes) -> None:
    with service.open() as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        head, _, body = until_the_end(connection).partition(b"\r\n\r\n")
    status = b"400" if b"nothing" in sent else b"200"
    assert head.startswith(b"HTTP/1.1 " + status + b" ")
    assert head.count(b"HTTP/1.1") == 1
    answer = json.loads(body)
    assert answer.get("accepted", True)


def test_it_gets_every_answer_that_it_has_asked_for(service: Running) -> None:
    with service.open() as connection:
        connection.sendall(3 * request("/v1/grade", GRADE))
        connection.shutdown(socket.SHUT_WR)
        answers = until_the_end(connection)
    assert answers.count(b"HTTP/1.1 200 ") == 3 and answers.count(b'"verdict":"ACCEPTED"') >= 3


def test_it_gets_every_line_of_a_batch(service: Running) -> None:
    with service.open() as connection:
        connection.sendall(request("/v1/grade_batch", {"problems": [], "items": [GRADE] * 5}))
        connection.shutdown(socket.SHUT_WR)
        assert until_the_end(connection).count(b'"grade":') == 5


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_over_a_unix_socket(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with connect("node", workers=1, idle_s=4) as grader, socket.socket(socket.AF_UNIX) as connection:
        assert grader.run("pass").ended_well
        connection.connect(str(NodeService({"workers": 1, "idle_s": 4}).path))
        connection.sendall(request("/v1/grade", GRADE, version))
        connection.shutdown(socket.SHUT_WR)
        assert until_the_end(connection).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("how", ["close", "close, HTTP/1.0", "shut down", "close later"])
def test_who_hangs_up_frees_its_place(service: Running, how: str) -> None:
    with service.open() as connection:
        connection.sendall(request("/v1/grade", ENDLESS_GRADE, "1.0" if "1.0" in how else "1.1"))
        service.wait_for("microcoder_gradings_running", 1)
        if how == "close later":
            connection.shutdown(socket.SHUT_WR)
            time.sleep(1)
            assert service.metric("microcoder_gradings_running") == 1
        if how == "shut down":
            connection.shutdown(socket.SHUT_RDWR)
        else:
            connection.close()
        began = time.monotonic()
        service.wait_for("microcoder_gradings_running", 0, 0)
        assert time.monotonic() - began < 50  # the kernel alone would take a minute


def test_who_leaves_in_the_middle_of_a_body_leaves_no_warning(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1) as service:
        for cut in (b"", request("/v1/grade", GRADE)):
            for how in ("close", "half", "reset"):
                with service.open() as connection:
                    connection.sendall(cut + request("/v1/grade", LARGE)[:-20])
                    if how == "half":
                        connection.shutdown(socket.SHUT_WR)
                        until_the_end(connection)
                    elif how == "reset":
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        with service.open() as connection:  # the end comes before the first answer is known
            connection.sendall(request("/v1/grade", GRADE) + request("/v1/grade", GRADE)[:-20])
            connection.shutdown(socket.SHUT_WR)
            assert until_the_end(connection).count(b"HTTP/1.1 200") == 1
        time.sleep(1)
        assert service.post("/v1/grade", GRADE).json["accepted"]
        assert "Invalid HTTP" not in service.log.read_text()
