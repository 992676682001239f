"""A service under stress: 64 clients, some hang up, some send hostile bodies, the service is killed and restarted.

    python bench/serve_soak.py [--gradings 20000] [--kills 2] [--out bench/results/serve_soak.json]

Programs are right, wrong, crashing or endless. Every request must end in an answer, or in a refusal with a status, or
(while the service is down) in a broken connection, after which the client asks again. Every verdict is compared with
the known one. Memory, descriptors and processes of the service are taken at the beginning and at the end of each life.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import socket
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from measure import machine
from service_process import Service, descriptors, memory_mb, service, tree

SUM = {"id": "sum", "time_limit_s": 0.5, "tests": [{"input": "1 2", "output": "3"}, {"input": "3 4", "output": "7"}]}
PROGRAMS = [
    ("a, b = map(int, input().split())\nprint(a + b)", "ACCEPTED", 60),
    ("print(3)", "WRONG_ANSWER", 25),
    ("1 / 0", "RUNTIME_ERROR", 13),
    ("while True: pass", "TIME_LIMIT", 2),
]
HOSTILE = [
    b"",
    b"{",
    b"[" * 200_000,
    b'{"a": 1, "a": 2}',
    b'{"code": ["x"], "problem": 5}',
    b'{"a": ' + b"9" * 200_000 + b"}",
    b"\xff" * 1000,
    b'{"problem_id": "../../etc/passwd", "code": "x"}',
    b'{"code": "x", "more": [' + b"[]," * 100_000 + b"[]]}",
]
LARGE = "#" * 40_000
"""Added to one program in twenty: such a request is read in a process of its own."""


class Soak:
    """Sends the requests, and counts the answers and the wrong verdicts."""

    def __init__(self, running: Service, total: int, hang_ups: float, hostile: float) -> None:
        self.running, self.total, self.hang_ups, self.hostile = running, total, hang_ups, hostile
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.done = 0
        self._lock = threading.Lock()

    def one(self, number: int) -> None:
        draw = random.Random(number)
        kind = draw.random()
        if kind < self.hang_ups:
            self._hang_up(number, draw)
        elif kind < self.hang_ups + self.hostile:
            self._count("hostile", self._ask(draw.choice(HOSTILE))[0])
        else:
            self._grade(number, draw)
        with self._lock:
            self.done += 1

    def _grade(self, number: int, draw: random.Random) -> None:
        code, verdict, _ = draw.choices(PROGRAMS, [weight for *_, weight in PROGRAMS])[0]
        body = json.dumps({"problem": SUM, "code": f"{code}\n# {number}{LARGE * (number % 20 == 0)}"}).encode()
        while True:
            status, answer = self._ask(body)
            self._count("grade", status)
            if status == 200:
                if answer["verdict"] != verdict:
                    with self._lock:
                        self.wrong.append(f"{number}: {answer['verdict']}, not {verdict}: {answer['detail'][:200]}")
                return
            if status not in (503, 504, 0):
                with self._lock:
                    self.wrong.append(f"{number}: status {status}: {answer}")
                return
            time.sleep(0.2)

    def _hang_up(self, number: int, draw: random.Random) -> None:
        body = json.dumps({"problem": SUM, "code": f"{PROGRAMS[0][0]}\n# {number}"}).encode()
        head = b"POST /v1/grade HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
        sent = (head + body)[: draw.choice([len(head) // 2, len(head) + 5, len(head) + len(body)])]
        try:
            with socket.create_connection(("127.0.0.1", self.running.port), timeout=30) as connection:
                connection.sendall(sent)
                time.sleep(draw.random() * 0.05)
        except OSError:
            self._count("hang-up", 0)
        else:
            self._count("hang-up", 1)

    def _ask(self, body: bytes) -> tuple[int, Any]:
        """The status and body of an answer; 0 when the connection broke."""
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=120)
        try:
            connection.request("POST", "/v1/grade", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError):
            return 0, None
        finally:
            connection.close()

    def _count(self, what: str, status: int) -> None:
        with self._lock:
            self.counts[f"{what}: {status or 'no connection'}"] += 1


def state(running: Service) -> dict[str, float]:
    pid = running.process.pid
    family = tree(pid)
    return {
        "service_mb": round(memory_mb(pid), 1),
        "descriptors": descriptors(pid),
        "processes": len(family),
        "all_mb": round(sum(map(memory_mb, family)), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gradings", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--hang-ups", type=float, default=0.1)
    parser.add_argument("--hostile", type=float, default=0.05)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    started, lives = time.monotonic(), []
    with service("--workers", 2) as running, ThreadPoolExecutor(arguments.clients) as clients:
        soak = Soak(running, arguments.gradings, arguments.hang_ups, arguments.hostile)
        futures = [clients.submit(soak.one, number) for number in range(arguments.gradings)]
        for life in range(arguments.kills + 1):
            begin = arguments.gradings * life // (arguments.kills + 1)
            end = arguments.gradings * (life + 1) // (arguments.kills + 1)
            wait_for(soak, begin + (end - begin) // 4)
            first = state(running)
            wait_for(soak, end)
            lives.append({"early": first, "late": state(running)})
            print(f"life {life + 1}: {lives[-1]}")
            if life < arguments.kills:
                old = tree(running.process.pid)
                running.kill()
                running.start()
                lives[-1]["left_after_kill"] = len(left(old))
        for future in futures:
            future.result()
        time.sleep(2)
        quiet = state(running)
    report = {
        "machine": machine(),
        "gradings": arguments.gradings,
        "clients": arguments.clients,
        "wall_s": round(time.monotonic() - started, 1),
        "requests": dict(sorted(soak.counts.items())),
        "wrong": soak.wrong,
        "lives": lives,
        "quiet": quiet,
    }
    print(json.dumps(report, indent=1))
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n")
    sys.exit(1 if soak.wrong else 0)


def wait_for(soak: Soak, count: int) -> None:
    while soak.done < count:
        time.sleep(0.05)


def left(pids: list[int]) -> list[int]:
    """The processes that are still alive 20 s after their service was killed."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(alive(pid) for pid in pids):
        time.sleep(0.1)
    return [pid for pid in pids if alive(pid)]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


if __name__ == "__main__":
    main()
