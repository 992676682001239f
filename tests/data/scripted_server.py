"""An OpenAI-compatible server over real HTTP that answers by a test's script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[dict[str, Any], int], Any]
"""From a request's body and its number to the answer: a text, a status, or a function that takes the handler."""


class ScriptedServer(ThreadingHTTPServer):
    """Remembers the bodies of all requests, and how many were open at once."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.bodies: list[dict[str, Any]] = []
        self.open = self.most_open = 0
        self.lock = threading.Lock()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self.server
        with server.lock:
            server.bodies.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
            number = len(server.bodies)
            server.open += 1
            server.most_open = max(server.most_open, server.open)
        try:
            answer = server.script(body, number)
        finally:
            with server.lock:  # before the answer leaves: its client may ask again before this thread goes on
                server.open -= 1
        try:
            if callable(answer):
                answer(self)
            elif isinstance(answer, int):
                self.send(answer, {"error": {"message": "scripted"}})
            else:
                usage = {"prompt_tokens": 100, "completion_tokens": 10}
                self.send(200, {"choices": [{"message": {"role": "assistant", "content": answer}}], "usage": usage})
        except (BrokenPipeError, ConnectionResetError):
            pass

    def send(self, status: int, body: Any, **headers: str) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None: ...


@contextmanager
def serving(script: Script) -> Iterator[ScriptedServer]:
    """A running server, stopped when the block ends."""
    server = ScriptedServer(script)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def hang(handler: Any) -> None:
    """Send nothing, for longer than any test waits."""
    time.sleep(30)


def drip(handler: Any) -> None:
    """Send a good status, then a byte every 0.1 s: no pause is long, but the answer does not end for 30 s."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(300):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)
