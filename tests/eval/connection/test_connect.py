"""A grader by its address: the same grades as the library's, from any thread, process or fork."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import re
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Grade, GraderError, InputError, Problem, Submission, Verdict, connect
from microcoder_eval.connection import http_exchange, remote
from microcoder_eval.connection.connect import read_addresses
from microcoder_eval.connection.http_exchange import Exchange
from tests.eval.service.running import PATIENCE_S, RIGHT, SLEEPS, SLOW, SUM, WRONG, Running, own_port, start

PROBLEM = Problem.from_dict(SUM)
LONG_PROBLEM = Problem.from_dict({**SUM, "tests": [*SUM["tests"], {"input": f"{' ' * 20_000}5 6", "output": "11"}]})
REPLY = f"```python\n{RIGHT}\n```"


@pytest.fixture(params=["local", "http"])
def address(request: pytest.FixtureRequest, service: Running) -> str:
    return "local" if request.param == "local" else service.url


def options(address: str) -> dict[str, Any]:
    return {"workers": 1} if address == "local" else {}


def test_it_gives_what_a_grader_gives(address: str) -> None:
    with connect(address, **options(address)) as grader:
        grade = grader.grade(PROBLEM, REPLY)
        assert (grade.verdict, grade.reward, grade.code, grade.problem_id) == (Verdict.ACCEPTED, 1.0, RIGHT, "sum")
        assert grader.submit(PROBLEM, Submission("s", "sum", code=WRONG)).result().submission_id == "s"
        assert len(grader.submit(PROBLEM, "```python\nprint(0)\n```", all_tests=True).result().tests) == 2
        assert asyncio.run(grader.agrade(PROBLEM, REPLY)).accepted
        pairs = [(PROBLEM, Submission(str(n), "sum", code=f"{RIGHT} # {n}")) for n in range(200)]
        assert sorted(int(g.submission_id) for g in grader.grade_many(iter(pairs)) if g.accepted) == list(range(200))


def test_requests_that_come_together_wait_for_none_of_each_other(tmp_path: Path) -> None:
    slow = Problem.from_dict({**SLOW, "time_limit_s": 60})
    with start(tmp_path, "--workers", 1) as running, connect(running.url) as grader:
        assert grader.grade(PROBLEM, REPLY).accepted  # now there is a thread that waits for a request
        futures = [grader.submit(slow, Submission("s", "slow", code=f"{SLEEPS} # {number}")) for number in range(3)]
        running.wait_for("microcoder_gradings_running", 3)
        assert all(future.cancel() for future in futures)


def test_a_long_problem_is_sent_once(tmp_path: Path) -> None:
    pairs = [(LONG_PROBLEM, Submission(str(number), "sum", code=f"{RIGHT} # {number}")) for number in range(40)]
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    with start(folders[0]) as first, start(folders[1]) as second, connect(f"{first.url},{second.url}") as grader:
        assert all(grade.accepted and grade.problem_id == "sum" for grade in grader.grade_many(pairs))
        assert len(grader.outputs(LONG_PROBLEM, pairs[0][1]).result()) == 3
        sent = sum(
            each.metric('microcoder_requests_total{call="/v1/problems",status="200"}') for each in (first, second)
        )
        assert sent <= 2


def test_a_service_that_forgets_at_once_gets_a_long_problem_with_the_request(service: Running) -> None:
    """As several services behind one address do: what one has got, another is asked for."""
    asked = []

    class Forgetful(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            asked.append((self.path, b'"problem_key"' in body))
            unknown = b'{"error": {"kind": "unknown_problem", "message": "no such key"}}'
            answer = unknown if asked[-1][1] else service.post(self.path, body).body
            self.send_response(404 if asked[-1][1] else 200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with ThreadingHTTPServer(("127.0.0.1", 0), Forgetful) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with connect(f"http://127.0.0.1:{server.server_port}") as grader:
            assert grader.grade(LONG_PROBLEM, REPLY).accepted
        server.shutdown()
    assert asked == [("/v1/grade", True), ("/v1/problems", False)] * 2 + [("/v1/grade", False)]


@contextmanager
def receiving_for_ever(service: Running) -> Iterator[tuple[str, threading.Semaphore, threading.Event]]:
    """A service that passes requests on, but does not answer to a long problem: its address, how many requests it did
    not know the problem of, and an event that ends the wait."""
    asked, go_on = threading.Semaphore(0), threading.Event()

    class Slow(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/v1/problems" and not go_on.is_set():
                asked.release()
                go_on.wait()
            answer = service.post(self.path, body)
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            with suppress(ConnectionError):
                self.wfile.write(answer.body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked, go_on
        finally:
            go_on.set()
            server.shutdown()


def long_problem(name: str) -> Problem:
    return Problem.from_dict({**LONG_PROBLEM.to_dict(), "id": name})


def test_a_service_that_takes_a_problem_slowly_keeps_no_other_waiting(service: Running) -> None:
    problem = long_problem("two services")
    with receiving_for_ever(service) as (slow, asked, _), connect(f"{slow},{service.url}", at_once=4) as grader:
        grader.submit(problem, REPLY)
        asked.acquire()
        assert grader.submit(problem, f"```python\n{RIGHT} # of the other\n```").result(PATIENCE_S).accepted


def test_a_cancelled_grading_that_sent_the_problem_for_others(service: Running) -> None:
    problem = long_problem("cancelled")
    with receiving_for_ever(service) as (slow, asked, go_on), connect(slow) as grader:
        sending = grader.submit(problem, REPLY)
        asked.acquire()
        others = [grader.submit(problem, f"```python\n{RIGHT} # {number}\n```") for number in range(4)]
        assert sending.cancel()
        go_on.set()
        assert all(future.result(PATIENCE_S).accepted for future in others)


def test_a_stream_of_long_problems_takes_bounded_memory(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "KEPT_CHARACTERS", 100_000)
    seen: list[weakref.ref[Problem]] = []

    def pairs() -> Iterator[tuple[Problem, str]]:
        for number in range(20):
            problem = long_problem(f"stream {number}")
            seen.append(weakref.ref(problem))
            yield problem, REPLY

    with connect(service.url, at_once=1) as grader:
        assert all(grade.accepted for grade in grader.grade_many(pairs()))
        assert sum(problem() is not None for problem in seen) < 10


def test_programs_are_run_without_being_graded(address: str) -> None:
    with connect(address, **options(address)) as grader:
        run = grader.run("import sys\nprint(open('a').read(), input())\nsys.exit(3)", stdin=b"\xff", files={"a": b"b"})
        assert (run.stdout, run.exit_status, run.verdict) == ("b \udcff\n", 3, Verdict.RUNTIME_ERROR)
        assert grader.submit_run("print(1)\nprint(2)", kept_bytes=2).result().stdout_cut
        found = grader.outputs(PROBLEM, Submission("s", "sum", code=f"{RIGHT}\n1 // (a - 3)")).result()
        assert [(one.verdict, one.value) for one in found] == [(Verdict.ACCEPTED, "3\n"), (Verdict.RUNTIME_ERROR, None)]
        record = {"id": "t", "kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": 1}]}
        value = "(x, {x}, [b'a', float('inf'), 2 ** 70, {x: None}])"
        values = grader.outputs(Problem.from_dict(record), Submission("s", "t", code=f"def f(x):\n  return {value}"))
        assert values.result()[0].value == eval(value, {"x": 1})
        assert grader.submit(PROBLEM, Submission("s", "sum", code=RIGHT), fresh=True).result().accepted
        with pytest.raises(InputError):
            grader.run("x", language="cobol")
        with pytest.raises(InputError):
            grader.run("x", files={"../a": ""})
        with pytest.raises(TypeError):
            grader.run("x", stdin=5)  # type: ignore[arg-type]


def test_mistakes_are_the_callers(address: str) -> None:
    grader = connect(address, **options(address))
    with pytest.raises(TypeError):
        grader.submit(SUM, REPLY)
    with pytest.raises(InputError):
        grader.submit(PROBLEM, Submission("s", "other", code="")).result()
    with pytest.raises(InputError, match="cobol"):
        grader.submit(PROBLEM, Submission("s", "sum", code="", language="cobol")).result()
    grader.close()


def test_a_pickled_grader_works_elsewhere(address: str) -> None:
    grader = connect(address, **options(address))
    assert grader.grade(PROBLEM, REPLY).accepted
    program = (
        "import pickle, sys; from microcoder_eval import Problem\n"
        "grader, problem, reply = pickle.load(sys.stdin.buffer)\nprint(grader.grade(problem, reply).verdict)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps((grader, PROBLEM, REPLY)),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.stdout.decode().strip() == "ACCEPTED", done.stderr.decode()
    grader.close()


def test_a_forked_process_has_a_grader_of_its_own(address: str) -> None:
    grader = connect(address, **options(address))
    assert grader.grade(PROBLEM, REPLY).accepted
    stop = threading.Event()
    busy = threading.Thread(target=lambda: [grader.grade(PROBLEM, REPLY) for _ in iter(stop.is_set, True)])
    busy.start()
    children = []
    for _ in range(3):
        child = os.fork()
        if not child:
            try:
                accepted = grader.grade(PROBLEM, f"```python\n{RIGHT} # {os.getpid()}\n```").accepted
                grader.close()
                os._exit(0 if accepted else 1)
            finally:
                os._exit(2)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    stop.set()
    busy.join()
    assert grader.grade(PROBLEM, REPLY).accepted
    grader.close()


def test_a_connection_serves_one_request_after_the_other(service: Running) -> None:
    """A request that is refused by its own connection is graded, thrown away, and asked again after a rest."""
    exchange = Exchange(service.url, "")
    for number in range(3):
        body = {"problem": SUM, "code": f"{RIGHT} # kept {number}"}
        assert exchange.post("/v1/grade", json.dumps(body).encode(), 60).status == 200
    assert exchange.post("/v1/grade", b"{}", 60).status == 400
    assert exchange.post("/seed_session", b"{}", 60).body == {}
    exchange.close()


def test_many_threads_share_one(service: Running) -> None:
    grader = connect(service.url, at_once=8)
    with ThreadPoolExecutor(16) as pool:
        codes = [f"{RIGHT} # {n}" if n % 2 else f"{WRONG} # {n}" for n in range(200)]
        grades = list(pool.map(lambda code: grader.grade(PROBLEM, Submission("s", "sum", code=code)), codes))
    assert [grade.accepted for grade in grades] == [n % 2 == 1 for n in range(200)]
    assert [grade.code for grade in grades] == codes
    assert threading.active_count() < 40


def test_a_problem_of_the_service_by_its_id(service: Running) -> None:
    grader = connect(service.url)
    assert grader.submit("hidden", "```python\nprint('OUTPUT-9903')\n```").result().accepted
    with pytest.raises(InputError, match="no such problem"):
        grader.submit("none", REPLY).result()


def test_work_goes_elsewhere_when_a_service_dies(tmp_path: Path, service: Running) -> None:
    code = "import time; time.sleep(0.05)\n" + RIGHT
    with start(tmp_path, "--workers", 2) as second:
        assert connect(second.url).grade(PROBLEM, REPLY).accepted  # its workers have started
        graded = 'microcoder_gradings_total{verdict="ACCEPTED"}'
        grader = connect(f"{service.url},{second.url}")
        pairs = [(PROBLEM, Submission(str(n), "sum", code=f"{code} # {n}")) for n in range(120)]
        seen = []
        for grade in grader.grade_many(pairs):
            assert grade.accepted
            seen.append(grade.submission_id)
            if second.process.poll() is None and second.metric(graded) > 1:
                second.process.kill()
                second.process.wait()
                assert len(seen) < 120
        assert sorted(map(int, seen)) == list(range(120)) and second.process.poll() is not None


def test_it_reconnects_after_a_restart(tmp_path: Path) -> None:
    with own_port() as port:
        grader = connect(f"http://127.0.0.1:{port}", patience_s=PATIENCE_S)
        early = grader.submit(PROBLEM, REPLY)  # nobody listens yet
        for _ in range(2):
            with start(tmp_path, "--port", port, "--workers", 1):
                assert grader.grade(PROBLEM, REPLY).accepted
                assert early.result(PATIENCE_S).accepted


def test_a_full_queue_costs_time_and_no_verdict(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1, "--queue", 1) as running:
        grader = connect(running.url, at_once=32)
        grades = [grader.submit(PROBLEM, Submission("s", "sum", code=f"{RIGHT} # {n}")) for n in range(60)]
        assert all(future.result(120).accepted for future in grades)
        assert running.metric('microcoder_refusals_total{kind="queue_full"}') > 0


def test_nobody_there_is_an_error_and_no_verdict() -> None:
    with own_port() as port, pytest.raises(GraderError, match=r"no grader has answered for 0\.5 s"):
        connect(f"http://127.0.0.1:{port}", patience_s=0.5).grade(PROBLEM, REPLY)


STRANGERS = [
    b"200 OK",
    b"202 Accepted",
    b"307 Temporary Redirect\r\nLocation: /",
    b"401 Unauthorized",
    b"403 Forbidden",
    b"404 Not Found",
    b"405 Method Not Allowed",
    b"413 Payload Too Large",
    b"501 Unsupported method ('POST')",
]


@pytest.mark.parametrize("head", STRANGERS)
def test_a_stranger_at_one_of_two_addresses_costs_nothing(service: Running, head: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65536)
                        connection.sendall(b"HTTP/1.1 %s\r\nContent-Length: 6\r\n\r\n<html>" % head)

        threading.Thread(target=answer, daemon=True).start()
        stranger = f"http://127.0.0.1:{server.getsockname()[1]}"
        with connect(f"{stranger},{service.url}", patience_s=60) as grader:
            futures = [grader.submit(PROBLEM, f"{REPLY}\n# {number}") for number in range(20)]
            assert [str(future.result(60).verdict) for future in futures] == ["ACCEPTED"] * 20
        with pytest.raises(GraderError, match=r"unknown|is this the address"):
            connect(stranger, patience_s=600).submit(PROBLEM, REPLY).result(500)  # sooner than its patience


@pytest.mark.parametrize("head", [b"429 Too Many Requests", b"502 Bad Gateway", b"503 Service Unavailable"])
def test_a_proxy_before_a_service_that_restarts_is_asked_again(head: bytes) -> None:
    grade = json.dumps(Grade("s", "sum", Verdict.ACCEPTED, passed=1, total=1).to_dict()).encode()
    answers = [b"HTTP/1.1 %s\r\nContent-Length: 6\r\n\r\n<html>" % head] * 2
    answers.append(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(grade), grade))
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            for one in answers:
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(one)

        threading.Thread(target=answer, daemon=True).start()
        with connect(f"http://127.0.0.1:{server.getsockname()[1]}", patience_s=60) as grader:
            assert grader.grade(PROBLEM, REPLY).accepted


@contextmanager
def silent_server() -> Iterator[str]:
    """An address where connections are taken, by the system, and nothing is ever read or answered."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_service_that_takes_connections_and_answers_nothing(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_exchange, "PROBE_S", 0.2)
    monkeypatch.setattr(http_exchange, "PING_S", 0.2)
    with silent_server() as silent:
        with connect(f"{silent},{service.url}", patience_s=300) as grader:
            futures = [grader.submit(PROBLEM, f"{REPLY}\n# {number}") for number in range(100)]
            assert [str(future.result(120).verdict) for future in futures] == ["ACCEPTED"] * 100
        with pytest.raises(GraderError, match="takes connections, and answers nothing"):
            connect(silent, patience_s=3).grade(PROBLEM, REPLY)


def test_a_service_that_is_only_slow_is_waited_for(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_exchange, "PROBE_S", 0.1)
    slow = Submission("s", "sum", code=f"import time\ntime.sleep(1)\n{RIGHT}")
    with connect(service.url) as grader:
        assert grader.grade(PROBLEM, slow).accepted


def test_work_that_nobody_waits_for_any_more_frees_its_place(tmp_path: Path) -> None:
    slow = Problem.from_dict({**SLOW, "time_limit_s": 20})
    codes = [f"{SLEEPS} # {number}" for number in range(4)]
    with start(tmp_path, "--workers", 1, "--queue", 2) as running, connect(running.url) as grader:

        async def hurried(code: str) -> None:
            await asyncio.wait_for(grader.agrade(slow, Submission("s", "slow", code=code)), 3)

        async def all_hurried() -> list[BaseException | None]:
            return await asyncio.gather(*map(hurried, codes), return_exceptions=True)

        assert {type(error) for error in asyncio.run(all_hurried())} == {asyncio.TimeoutError}
        running.wait_for("microcoder_gradings_running", 0, 0)
        futures = [grader.submit(slow, Submission("s", "slow", code=f"{SLEEPS} #{number}")) for number in range(3)]
        running.wait_for("microcoder_gradings_running", 3)
        assert all(future.cancel() for future in futures)
        assert wait(futures, 30).done == {*futures}
        running.wait_for("microcoder_gradings_running", 0, 0)
        assert grader.grade(PROBLEM, REPLY).accepted


NO_GRADES = {
    "fields missing": b'{"verdict": "ACCEPTED"}',
    "nested too deeply": b"[" * 100_000,
    "a list": b"[]",
    "tests that are texts": b'{"submission_id": "s", "problem_id": "p", "verdict": "ACCEPTED", "tests": ["x"]}',
    "tests that are a number": b'{"submission_id": "s", "problem_id": "p", "verdict": "ACCEPTED", "tests": 5}',
    "an infinite place": b'{"submission_id": "s", "problem_id": "p", "verdict": "WRONG_ANSWER", "tests": [{"index": 0, '
    b'"verdict": "WRONG_ANSWER", "output": {"text": "", "start": 1e999, "size": 0}}]}',
    "no JSON": b"<html>",
}


@pytest.mark.parametrize("what", NO_GRADES)
def test_something_else_that_answers_is_an_error(what: str) -> None:
    body = NO_GRADES[what]
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
            connection.close()

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(GraderError, match="something unknown"):
            connect(f"http://127.0.0.1:{server.getsockname()[1]}", patience_s=60).grade(PROBLEM, REPLY)


@pytest.mark.parametrize("head", [b"Content-Length: 100", b"Transfer-Encoding: chunked"])
def test_an_answer_that_is_cut_off_is_asked_for_again(head: bytes) -> None:
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                connection, _ = server.accept()
                asked.append(connection.recv(65536))
                connection.sendall(b"HTTP/1.1 200 OK\r\n" + head + b'\r\n\r\n{"verdict"')
                connection.close()

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(GraderError, match="no grader has answered"):
            connect(f"http://127.0.0.1:{server.getsockname()[1]}", patience_s=3).grade(PROBLEM, REPLY)
    assert len(asked) > 1


def test_tokens(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("correct/horse:battery staple")
    with start(tmp_path, "--workers", 1, "--token", "token") as running:
        assert connect(running.url, token="correct/horse:battery staple").grade(PROBLEM, REPLY).accepted
        quoted = f"http://any:correct%2Fhorse%3Abattery%20staple@127.0.0.1:{running.port}"
        assert connect(quoted).grade(PROBLEM, REPLY).accepted
        with pytest.raises(GraderError, match="needs its token"):
            connect(running.url).grade(PROBLEM, REPLY)


def test_another_policy_is_refused(service: Running) -> None:
    assert connect(service.url, policy="contest").grade(PROBLEM, REPLY).accepted
    with pytest.raises(InputError, match="policy"):
        connect(service.url, policy="strict").grade(PROBLEM, REPLY)


def test_values_that_json_would_change_are_refused(service: Running) -> None:
    record = {"id": "t", "kind": "call", "entry_point": "f", "tests": [{"input": "(1, 2), 3", "output": "(1, 2)"}]}
    with pytest.raises(InputError, match="JSON has no form"):
        connect(service.url).submit(Problem.from_dict(record), REPLY)


def test_a_closed_connection_takes_no_work(address: str) -> None:
    grader = connect(address, **options(address))
    grader.grade(PROBLEM, REPLY)
    grader.close()
    grader.close()
    if address != "local":
        with pytest.raises(GraderError, match="closed"):
            grader.grade(PROBLEM, REPLY)


def test_a_closed_connection_waits_for_no_service_that_has_ended(tmp_path: Path) -> None:
    with start(tmp_path, "--workers", 1) as running:
        with connect(running.url, patience_s=3600) as grader:
            submitted = grader.submit(PROBLEM, "```python\nn = 0\nwhile True: n += 1\n```")
        running.process.kill()
        with pytest.raises(GraderError, match="closed"):
            submitted.result(PATIENCE_S)


@pytest.mark.parametrize(
    "text", ["", ",", "ftp://a", "https://a", "http://", "unix:", "a:80", "file:/no/such", "http://a:x", "http://a b:1"]
)
def test_addresses_that_are_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MICROCODER_GRADER", raising=False)
    with pytest.raises(InputError):
        connect(text or " ")


@pytest.mark.parametrize("password", ["ab/cd+secret", "12/secret", "secret@"])
def test_a_password_that_was_not_escaped_is_not_shown(password: str) -> None:
    with pytest.raises((InputError, GraderError)) as told:
        connect(f"http://any:{password}@127.0.0.1:1", patience_s=0.2).grade(PROBLEM, REPLY)
    assert not {"ab", "12", "secret"} & set(re.split(r"\W", str(told.value)))


def test_a_file_of_addresses(tmp_path: Path) -> None:
    (tmp_path / "addresses").write_text("http://a:1\nhttp://b:2\n\nhttp://a:1\n")
    assert read_addresses(f"file:{tmp_path / 'addresses'}") == ["http://a:1", "http://b:2"]
