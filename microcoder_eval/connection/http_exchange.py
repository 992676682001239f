"""Requests to a service, over TCP or a Unix socket, on a connection that is kept open. Standard library only."""

from __future__ import annotations

import http.client
import json
import select
import socket
import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from microcoder_eval.connection.shown_address import without_password
from microcoder_eval.errors import InputError

CONNECT_S = 10.0
MOST_ANSWER_BYTES = 256 << 20
PIECE_BYTES = 1 << 20
PIECE_S = 60.0
"""How long a service may take to receive a piece of a request, or to go on with an answer that it has begun."""
PROBE_S, PING_S = 15.0, 15.0
"""A service that has not answered for PROBE_S is asked whether it is alive, and has PING_S for that."""
MOST_SILENT = 2
"""After so many of these questions without an answer, the service counts as lost."""
KEEP_ALIVE = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 4, "TCP_USER_TIMEOUT": 35_000}
"""For TCP connections: a machine that is silent for 35 s counts as lost, however long a request may take."""


class Answer(NamedTuple):
    """A service's answer to a request."""

    status: int
    body: Any
    """Parsed JSON; None when the body was not JSON."""
    retry_after_s: float


class Unreachable(Exception):
    """No answer came. The service may or may not have received the request."""


class Silent(Unreachable):
    """The service takes connections, and answers nothing."""


class Abandoned(Exception):
    """The answer is not wanted any more."""


class Exchange:
    """The connection of one thread to one service."""

    def __init__(self, address: str, token: str) -> None:
        self._address = address
        self._shown = without_password(address)
        self._headers = {"Content-Type": "application/json", **_authorization(address, token)}
        self._prefix = "" if address.startswith("unix:") else urlsplit(address).path.rstrip("/")
        self._connection: http.client.HTTPConnection | None = None

    def post(self, path: str, body: bytes, timeout_s: float, is_wanted: Callable[[], bool] = lambda: True) -> Answer:
        """Send a body and wait for the answer. If the service has closed the kept connection, send it on a new one.

        Raises `Unreachable`, or `Abandoned` when the answer is not wanted any more.
        """
        kept = self._connection is not None
        try:
            try:
                return self._ask(path, body, timeout_s, is_wanted)
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                self.close()
                if not kept or not is_wanted():
                    raise
            return self._ask(path, body, timeout_s, is_wanted)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if not is_wanted():
                raise Abandoned from None
            raise Unreachable(f"{self._shown}: {error or type(error).__name__}") from None
        except BaseException:
            self.close()
            raise

    def abandon(self) -> None:
        """Wake the thread that waits for an answer. The service gives up the work of a connection that is closed."""
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def is_alive(self) -> bool:
        """Whether the service answers anything, on a connection of its own."""
        probe = _open(self._address)
        try:
            if probe.sock is None:
                probe.timeout = PING_S
            probe.request("GET", self._prefix + "/v1/ping")
            probe.getresponse()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            probe.close()
        return True

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, path: str, body: bytes, timeout_s: float, is_wanted: Callable[[], bool]) -> Answer:
        if self._connection is None:
            self._connection = _open(self._address)
        connection = self._connection
        deadline = time.monotonic() + timeout_s
        if connection.sock is None:
            connection.connect()
        connection.sock.settimeout(min(timeout_s, PIECE_S))
        headers = {**self._headers, "Content-Length": str(len(body)), "X-Timeout-S": f"{timeout_s:.1f}"}
        pieces = (body[start : start + PIECE_BYTES] for start in range(0, len(body), PIECE_BYTES))
        connection.request("POST", self._prefix + path, pieces, headers)
        self._wait(connection.sock, deadline, is_wanted)
        response = connection.getresponse()
        content = _read_body(response, max(deadline, time.monotonic() + PIECE_S))
        try:
            parsed = json.loads(content)
        except (ValueError, RecursionError):
            parsed = None
        return Answer(response.status, parsed, _retry_after_s(response.getheader("Retry-After")))

    def _wait(self, answering: socket.socket, deadline: float, is_wanted: Callable[[], bool]) -> None:
        """Wait until the answer begins. A service that is busy says so; one that answers nothing is given up."""
        poll, silent = select.poll(), 0
        poll.register(answering, select.POLLIN)
        while not poll.poll(1000 * max(0.0, min(PROBE_S, deadline - time.monotonic()))):
            if not is_wanted():
                raise Abandoned
            if time.monotonic() >= deadline:
                raise TimeoutError("no answer came in time")
            silent = 0 if self.is_alive() else silent + 1
            if silent >= MOST_SILENT:
                raise Silent(f"{self._shown}: it takes connections, and answers nothing")


def _read_body(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """The body of an answer, in bounded time and memory, however slowly it comes."""
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(PIECE_BYTES):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_ANSWER_BYTES:
            raise http.client.HTTPException(f"an answer of more than {MOST_ANSWER_BYTES >> 20} MiB")
        if time.monotonic() > deadline:
            raise TimeoutError("the answer came too slowly")
    if response.length:
        raise http.client.IncompleteRead(b"".join(pieces), response.length)
    response.close()  # `read1` does not close it at its end, and the connection would refuse the next request
    return b"".join(pieces)


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=CONNECT_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        try:
            self.sock.connect(self._path)
        except BaseException:
            self.sock.close()
            self.sock = None
            raise


class _ProbedConnection(http.client.HTTPConnection):
    """A TCP connection with keep-alive probes, because a machine that loses its power closes no connection."""

    def connect(self) -> None:
        super().connect()
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEP_ALIVE.items():
            if hasattr(socket, name):  # Linux
                self.sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _open(address: str) -> http.client.HTTPConnection:
    if address.startswith("unix:"):
        return _UnixConnection(address.removeprefix("unix:"))
    parts = urlsplit(address)
    return _ProbedConnection(parts.hostname or "", parts.port or 80, timeout=CONNECT_S)


def check_address(address: str) -> None:
    """Raise `InputError` unless an address starts with unix: or is a complete http:// address."""
    if address.startswith("unix:"):
        return
    try:
        parts = urlsplit(address)
        usable = parts.scheme == "http" and bool(parts.hostname) and parts.port != 0
    except ValueError:  # not quoted below: it may show a part of the password
        usable = False
    if not usable or any(ord(letter) <= 32 for letter in address):
        hint = "; its password is written with % escapes" if "@" in address else ""
        raise InputError(f"{without_password(address)[:80]!r} is not an address such as http://host:8080{hint}")


def _authorization(address: str, token: str) -> dict[str, str]:
    """The header with the token, or else with the address's password; empty without either."""
    if not token and not address.startswith("unix:"):
        token = unquote(urlsplit(address).password or "")
    if not token:
        return {}
    return {"Authorization": "Basic " + b64encode(f"microcoder:{token}".encode()).decode()}


def _retry_after_s(text: str | None) -> float:
    return float(text) if text and text.isdecimal() and len(text) < 6 else 0.0
