"""The process of the service: sockets, signals, log lines, and an orderly shutdown.

    serve(ServerOptions(port=8080), grader_options={"workers": 8})

After SIGTERM or Ctrl-C, running work is finished, and waiting and new work is refused. A second signal ends the process
at once.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import resource
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from microcoder_eval.arguments import long_integers
from microcoder_eval.errors import InputError
from microcoder_eval.grader import Grader
from microcoder_eval.service.app import CALLS, make_app
from microcoder_eval.service.call import Service
from microcoder_eval.service.desk import Desk
from microcoder_eval.service.fork_origin import ForkOrigin
from microcoder_eval.service.large_requests import LargeRequests
from microcoder_eval.service.limits import RequestLimits
from microcoder_eval.service.patient_protocol import PatientProtocol
from microcoder_eval.service.problem_store import ProblemStore
from microcoder_eval.service.reader import Reading
from microcoder_eval.service.unix_socket import listen_on_path

logger = logging.getLogger(__name__)

KEEP_ALIVE_S = 75
DESCRIPTORS_FOR_GRADER = 512
MOST_CONNECTIONS = 16_384
LEAST_TOKEN = 16


@dataclass(frozen=True)
class ServerOptions:
    """Where the service listens and how it behaves as a process."""

    host: str = "127.0.0.1"
    port: int = 8080
    """0: any free port."""
    unix_socket: Path | None = None
    """The path of a Unix socket, in place of a port."""
    listening: int | None = None
    """The descriptor of a socket that listens already, in place of the three above."""
    token: str = ""
    problems: Path | None = None
    limits: RequestLimits = field(default_factory=RequestLimits)
    drain_s: float = 60
    """How long running gradings may take after SIGTERM."""
    idle_s: float = 0
    """End after this long without work; 0: never."""
    json_logs: bool = False


def serve(
    options: ServerOptions,
    grader_options: Mapping[str, Any],
    on_ready: Callable[[str], None] = lambda address: None,
    on_bad: Callable[[str], None] = lambda record: None,
) -> None:
    """Serve until a signal comes.

    on_ready: called with the address when the service listens. on_bad: called with each problem that cannot be used.
    """
    check_token(options)
    problems = ProblemStore(options.problems)
    for record in problems.bad:
        on_bad(record)
    if options.json_logs:
        log_as_json()
    policy = str(grader_options.get("policy", "contest"))
    origin = ForkOrigin(Reading(CALLS, problems, options.limits, policy), unneeded=options.listening)
    sockets, address, remove = _listen(options)
    try:
        with long_integers(), Grader(**grader_options) as grader:
            desk = Desk(grader, options.limits)
            service = Service(desk, problems, options.limits, policy)
            config = uvicorn.Config(
                make_app(service, LargeRequests(origin), options.token),
                http=PatientProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_S,
                timeout_graceful_shutdown=max(1, int(options.drain_s)),
                limit_concurrency=_most_connections(),
                backlog=2048,
            )
            _Server(config, desk, options.idle_s, lambda: on_ready(address)).run(sockets=sockets)
    finally:
        origin.close()
        for opened in sockets:
            opened.close()
        remove()


def check_token(options: ServerOptions) -> None:
    """Raise `InputError` for a token that is too short, or for no token where other machines can reach the address."""
    if options.token and (len(options.token) < LEAST_TOKEN or not options.token.isascii()):
        raise InputError(f"--token: its file must hold at least {LEAST_TOKEN} ASCII characters: openssl rand -hex 16")
    if options.unix_socket is not None or options.listening is not None or options.token:
        return
    if not _is_loopback(options.host):
        raise InputError(
            f"other machines can reach {options.host}: give --token FILE (a secret that clients must send), "
            "or listen on 127.0.0.1 or a Unix socket"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Server(uvicorn.Server):
    """uvicorn's server, which closes the desk when it ends, and can end when it is idle."""

    def __init__(self, config: uvicorn.Config, desk: Desk, idle_s: float, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._desk = desk
        self._idle_s = idle_s
        self._on_ready = on_ready
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        desk = self._desk
        if self._idle_s and desk.idle and time.monotonic() - desk.last_work > self._idle_s:
            logger.info("nothing to do for %g s", self._idle_s)
            self.should_exit = True
        if self.should_exit:
            desk.close()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        again = self.should_exit
        super().handle_exit(sig, frame)
        self._captured_signals.clear()  # otherwise uvicorn raises the signal again after an orderly shutdown
        self.force_exit = again
        if self._loop is not None:  # None while the server starts: then there is no work to refuse
            self._loop.call_soon_threadsafe(self._desk.close)


def _listen(options: ServerOptions) -> tuple[list[socket.socket], str, Callable[[], None]]:
    """The listening sockets, their address as clients write it, and a function that removes the socket's file."""
    if options.listening is not None:
        opened = socket.socket(fileno=options.listening)
        return [opened], f"unix:{opened.getsockname()}", lambda: None
    if options.unix_socket is not None:
        path = options.unix_socket.absolute()
        opened, remove = listen_on_path(path)
        return [opened], f"unix:{path}", remove
    try:
        family = socket.getaddrinfo(options.host, options.port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise InputError(f"--host {options.host}: {error.strerror}") from None
    # the protocol by name: asyncio sends small answers at once only on a socket that names it
    opened = socket.socket(family[0], socket.SOCK_STREAM, socket.IPPROTO_TCP)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind(family[4])
    except OSError as error:
        opened.close()
        raise InputError(f"{options.host} port {options.port}: {error.strerror}") from None
    opened.listen(2048)
    host = f"[{options.host}]" if ":" in options.host else options.host
    return [opened], f"http://{host}:{opened.getsockname()[1]}", lambda: None


def _most_connections() -> int:
    """How many connections the descriptors allow besides those of the grader. Raises the limit of descriptors first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + DESCRIPTORS_FOR_GRADER
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return max(64, min(MOST_CONNECTIONS, soft - DESCRIPTORS_FOR_GRADER))


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        own = {name: getattr(record, name) for name in ("call", "status", "took_s") if hasattr(record, name)}
        line = {"time": round(record.created, 3), "level": record.levelname.lower(), "message": record.getMessage()}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps({**line, "logger": record.name, **own})


def log_as_json() -> None:
    """Write every log line of this process as a JSON object to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
