"""Starts a service in its own process, and sends requests to it over HTTP."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.eval.command import MICROCODER, ROOT, write

PATIENCE_S = 600
"""For what takes seconds on a quiet machine."""
SUM: dict[str, Any] = {
    "id": "sum",
    "tests": [{"input": "1 2", "output": "3"}, {"input": "3 4", "output": "7"}],
    "time_limit_s": 1,
}
RIGHT = "a, b = map(int, input().split())\nprint(a + b)"
WRONG = "print(3)"
ENDLESS = "n = 0\nwhile True: n += 1"
SLEEPS = "import time\ntime.sleep(600)"
"""Runs for as long, and takes no CPU time."""
HIDDEN: dict[str, Any] = {
    "id": "hidden",
    "statement": "Print the secret.",
    "tests": [{"input": "INPUT-5417", "output": "OUTPUT-9903"}],
}
SLOW: dict[str, Any] = {
    "id": "slow",
    "time_limit_s": 2,
    "tests": [{"input": str(n), "output": "x"} for n in range(200)],
}


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        return str(self.json["error"]["kind"])


@dataclass
class Running:
    process: subprocess.Popen[str]
    port: int
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        timeout: float = PATIENCE_S,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, sent, {"Content-Type": "application/json", **(headers or {})})
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def post(self, path: str, body: Any, **options: Any) -> Answer:
        return self.ask("POST", path, body, **options)

    def get(self, path: str, **options: Any) -> Answer:
        return self.ask("GET", path, **options)

    def open(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=600)

    def send(self, path: str, body: Any) -> socket.socket:
        """Send a request without waiting for the answer."""
        connection, text = self.open(), json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
        )
        connection.sendall(head.encode() + text)
        return connection

    def metric(self, name: str) -> float:
        found = re.search(rf"^{re.escape(name)} (\S+)$", self.get("/metrics").body.decode(), re.MULTILINE)
        return float(found[1]) if found else 0.0

    def wait_for(self, name: str, at_least: float = 1, at_most: float = 1e9) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not at_least <= self.metric(name) <= at_most:
            assert time.monotonic() < deadline, (name, self.metric(name))
            time.sleep(0.02)

    def stop(self, how: int = signal.SIGTERM) -> int:
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        return self.process.wait(PATIENCE_S)


@contextmanager
def own_port() -> Iterator[int]:
    """A port on which nobody listens but a server that is told its number: the system gives it to no other program."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@contextmanager
def start(directory: Path, *options: object, problems: list[Any] | None = None) -> Iterator[Running]:
    """Start a service on a free port; its standard error goes to a file."""
    write(directory / "problems.jsonl", [HIDDEN] if problems is None else problems)
    log = directory / "log"
    command = [*MICROCODER, "eval", "serve", "--problems", "problems.jsonl", "--port", "0", *map(str, options)]
    environment = {**os.environ, "PYTHONPATH": ROOT}
    with log.open("w") as errors:
        process = subprocess.Popen(command, cwd=directory, stderr=errors, env=environment, text=True)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not (found := re.search(r"serving on http://\S+?:(\d+)", log.read_text())):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)
        running = Running(process, int(found[1]), log)
        while running.get("/ready").status != 200:
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield running
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def descendants(pid: int) -> list[int]:
    found = []
    for tasks in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (tasks / "children").read_text().split()):
            found += [child, *descendants(child)]
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
