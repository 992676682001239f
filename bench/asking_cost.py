"""What one process pays to ask a language model: CPU time a question, asked and from the cache.

    python bench/asking_cost.py [--questions 5000] [--concurrency 64] [--json FILE]

The rules that ask a model run in the build's own process, whatever the engine. A server on this machine answers at
once, in a process of its own, so that what is left is the cost of asking: threads, cache key, HTTP, checking and
storing the answer. Questions are about as long as a problem's statement.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from measure import machine

from microcoder_data.llm.client import Client
from microcoder_data.llm.question import Question
from microcoder_data.llm.settings import Llm

SCHEMA = {"type": "object", "properties": {"level": {"type": "integer"}}, "required": ["level"]}
STATEMENT = "You are given an array of n integers. Find the largest sum of a segment of it. " * 25  # 2,000 characters
BODY = json.dumps(
    {
        "choices": [{"message": {"role": "assistant", "content": '{"level": 3}'}}],
        "usage": {"prompt_tokens": 600, "completion_tokens": 8},
    }
).encode()


class AtOnce(BaseHTTPRequestHandler):
    """Every question has the same answer."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, format: str, *args: Any) -> None: ...


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


def serve(connection: Any) -> None:
    server = Server(("127.0.0.1", 0), AtOnce)
    connection.send(server.server_address[1])
    server.serve_forever()


def asked(client: Client, questions: int, concurrency: int) -> dict[str, float]:
    """Ask as a stage does, from threads; returns the costs a question."""
    usage, began = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    with ThreadPoolExecutor(concurrency) as pool:
        for answer in pool.map(
            lambda number: client.ask(Question("bench_v1", "Rate it.", f"{number}: {STATEMENT}", SCHEMA)),
            range(questions),
        ):
            assert answer == {"level": 3}
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime - usage.ru_utime - usage.ru_stime
    wall = time.monotonic() - began
    return {"cpu_ms": round(1000 * cpu / questions, 3), "questions_per_s": round(questions / wall, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=5000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    server = context.Process(target=serve, args=(sender,), daemon=True)
    server.start()
    address = f"http://127.0.0.1:{receiver.recv()}/v1"
    settings = Llm(backend="openai", model="bench", base_url=address, concurrency=options.concurrency)
    found = {}
    with tempfile.TemporaryDirectory() as folder, Client(settings, Path(folder)) as client:
        for name in ("asked", "cached"):
            found[name] = asked(client, options.questions, options.concurrency)
            print(f"{name}: {found[name]['cpu_ms']} ms of CPU a question, {found[name]['questions_per_s']:g} a second")
    server.terminate()
    if options.json:
        options.json.write_text(
            json.dumps({"machine": machine(), "questions": options.questions, **found}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
