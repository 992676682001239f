"""The service as a process: where it listens, who may ask, how it ends."""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the extra serve")

from microcoder_eval import Problem, connect
from microcoder_eval.service import run_server
from microcoder_eval.service.desk import PLACES_PER_WORKER
from tests.eval.command import MICROCODER, ROOT, microcoder
from tests.eval.service.running import ENDLESS, PATIENCE_S, RIGHT, SLOW, SUM, alive, descendants, start

SECRET = "correct horse battery"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.invalid"])
def test_an_address_for_other_machines_needs_a_token(tmp_path: Path, host: str) -> None:
    done = microcoder("eval", "serve", "--host", host, "--port", 0, cwd=tmp_path)
    assert done.returncode == 2
    assert "--token" in done.stderr


@pytest.mark.parametrize("more", [("--port", 8), ("--host", "127.0.0.1")])
def test_a_socket_and_a_port_contradict_each_other(tmp_path: Path, more: tuple[str, object]) -> None:
    done = microcoder("eval", "serve", "--socket", "s.sock", *more, cwd=tmp_path)
    assert done.returncode == 2 and "in place of --host and --port" in done.stderr


@pytest.mark.parametrize("token", [b"", b"short", "\u00e9".encode() * 20, b"\xff" * 20, SECRET.encode("utf-16")])
def test_a_token_that_is_none(tmp_path: Path, token: bytes) -> None:
    (tmp_path / "token").write_bytes(token)
    done = microcoder("eval", "serve", "--port", 0, "--token", "token", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_who_has_the_token_may_ask(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(SECRET + "\n")
    body = {"problem": SUM, "code": RIGHT}
    basic = base64.b64encode(f"any:{SECRET}".encode()).decode()
    with start(tmp_path, "--workers", 1, "--token", "token", "--host", "0.0.0.0") as service:
        for shown in (f"Bearer {SECRET}", f"bearer  {SECRET}", f"Basic {basic}"):
            assert service.post("/v1/grade", body, headers={"Authorization": shown}).status == 200
        for shown in ("", SECRET, f"Bearer {SECRET}x", "Bearer", f"Basic {SECRET}", "Basic \xff", "Bearer \xff"):
            answer = service.post("/v1/grade", body, headers={"Authorization": shown})
            assert (answer.status, answer.kind) == (401, "unauthorized")
        assert service.get("/metrics").status == 401
        assert service.get("/v1/problems/hidden").status == 401
        assert service.get("/health").status == 200


def test_sigterm_finishes_what_runs_and_refuses_the_rest(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1) as service:
        long = {"problem": {**SUM, "time_limit_s": 20}, "code": f"import time; time.sleep(4)\n{RIGHT}"}
        running = [service.send("/v1/grade", long)]  # the others wait for its worker, and so it is the only long one
        service.wait_for("microcoder_gradings_running", 1)
        others = [{"problem": SUM, "code": f"{RIGHT} # {n}"} for n in range(1, PLACES_PER_WORKER)]
        running += [service.send("/v1/grade", each) for each in others]
        service.wait_for("microcoder_gradings_running", PLACES_PER_WORKER)
        waiting = [service.send("/v1/grade", {"problem": SUM, "code": f"{RIGHT} #w{n}"}) for n in range(2)]
        service.wait_for("microcoder_queue_length", 2)
        service.process.send_signal(signal.SIGTERM)
        for connection in waiting:
            assert b"shutting_down" in _all(connection)
        for connection in running:
            assert b'"accepted":true' in _all(connection)
        assert service.process.wait(60) == 0
        with pytest.raises(ConnectionRefusedError):
            service.open()


def test_a_signal_while_it_starts_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    config = run_server.uvicorn.Config(lambda: None, lifespan="off", log_config=None)
    server = run_server._Server(config, desk=None, idle_s=0, on_ready=lambda: None)  # type: ignore[arg-type]
    load = config.load

    def interrupted_load() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        load()

    monkeypatch.setattr(config, "load", interrupted_load)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server.run(sockets=[listening])
    assert not server.force_exit


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1, "--drain-s", 900) as service:
        connection = service.send("/v1/grade", {"problem": SLOW, "code": ENDLESS, "options": {"all_tests": True}})
        service.wait_for("microcoder_gradings_running", 1)
        service.process.send_signal(signal.SIGINT)
        with suppress(ConnectionError):  # refused, or reset: its socket was just being closed
            while True:
                service.open().close()  # until it has seen the first signal
        assert service.process.poll() is None
        service.process.send_signal(signal.SIGINT)
        service.process.wait(300)  # its work takes longer, and so may the orderly end
        connection.close()


def test_it_leaves_no_process(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 2) as service:
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).status == 200
        family = descendants(service.process.pid)
        assert family
        service.process.kill()
        service.process.wait()
        deadline = time.monotonic() + PATIENCE_S
        while any(alive(process) for process in family) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not [process for process in family if alive(process)]


@contextmanager
def on_a_socket(path: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "PYTHONPATH": ROOT}
    command = [*MICROCODER, "eval", "serve", "--workers", "1", "--socket", str(path), *options]
    with subprocess.Popen(command, env=environment, cwd=path.parent, stderr=subprocess.DEVNULL) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.05)
        yield process


def test_a_unix_socket_is_this_users_and_has_one_service(tmp_path: Path) -> None:
    path = tmp_path / "grader.sock"
    with on_a_socket(path) as process:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        second = microcoder("eval", "serve", "--socket", path, cwd=tmp_path)
        assert (second.returncode, "listens there already" in second.stderr) == (2, True)
        process.terminate()
    assert not path.exists()


def test_a_service_with_nothing_to_do_ends_and_its_socket_goes(tmp_path: Path) -> None:
    path = tmp_path / "grader.sock"
    with on_a_socket(path, "--idle-s", "8") as process:
        connection = http.client.HTTPConnection("localhost")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(str(path))
        connection.request("POST", "/v1/grade", json.dumps({"problem": SUM, "code": RIGHT}))
        assert json.loads(connection.getresponse().read())["accepted"]
        connection.close()
        assert process.wait(PATIENCE_S) == 0
    assert not path.exists()


def test_a_file_at_the_sockets_path_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    done = microcoder("eval", "serve", "--socket", "file", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "file").read_text()) == (2, "mine")


@pytest.mark.parametrize("port", ["taken", 70000])
def test_a_port_that_cannot_be_had(tmp_path: Path, port: object) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1] if port == "taken" else port
        done = microcoder("eval", "serve", "--port", number, cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_log_lines_are_json_on_request(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1, "--json-logs") as service:
        assert service.post("/v1/grade", {"problem": SUM, "code": RIGHT}).status == 200
        assert service.get("/v1/problems/none").status == 404
        service.stop()
        lines = [line for line in service.log.read_text().splitlines() if not line.startswith("serving on")]
        records = [json.loads(line) for line in lines]
    asked = [(record["call"], record["status"]) for record in records if "call" in record]
    assert ("/v1/grade", 200) in asked
    assert ("/v1/problems/{id:path}", 404) in asked


def test_a_full_disk_under_its_log_does_not_end_it(tmp_path: Path) -> None:
    socket_path = tmp_path / "grader.sock"
    command = [*MICROCODER, "eval", "serve", "--workers", "1", "--socket", str(socket_path), "--json-logs"]
    with open("/dev/full", "w") as full:
        process = subprocess.Popen(command, stderr=full, env={**os.environ, "PYTHONPATH": ROOT})
    try:
        with connect(f"unix:{socket_path}", patience_s=60) as grader:
            assert grader.grade(Problem.from_dict(SUM), f"```python\n{RIGHT}\n```").accepted
    finally:
        process.terminate()
        process.wait(60)


def test_bad_problems_are_told_and_left_out(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1, problems=[SUM, {"id": "bad"}]) as service:
        assert service.get("/v1/problems").json["ids"] == ["sum"]
        assert "left out: problems.jsonl:2" in service.log.read_text()


def _all(connection: socket.socket) -> bytes:
    connection.settimeout(600)
    found = b""
    with connection:
        while b"\r\n\r\n" not in found or b"}" not in found:
            piece = connection.recv(65536)
            if not piece:
                break
            found += piece
    return found


def test_the_order_of_tests_outlives_a_service(tmp_path: Path) -> None:
    options = ("--workers", 1, "--tests-order", "kept", "--cache", "v")
    lengths = []
    for life in range(2):
        body = {"problem": SUM, "code": f"print(3)  # passes the first test, in life {life}"}
        with start(tmp_path, *options) as service:
            lengths.append(len(service.post("/v1/grade", body).json["tests"]))
    assert lengths == [2, 1]
    done = microcoder("eval", "serve", "--tests-order", "kept", cwd=tmp_path)
    assert done.returncode == 2
    assert "cache" in done.stderr
