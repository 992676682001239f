"""The ASGI application: it checks the token, reads the body within bounds, calls a handler, and answers every request.

    app = make_app(service, token="...")

`CALLS` lists what it serves. It opens no socket and starts no grader.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from microcoder_eval.errors import InputError
from microcoder_eval.printable import printable
from microcoder_eval.service import health, own_calls, run_calls
from microcoder_eval.service.call import Call, CallRequest, Large, Service
from microcoder_eval.service.desk import Caller
from microcoder_eval.service.dialects import (
    nemo_gym,
    nemo_metrics,
    open_instruct,
    openrlhf,
    piston,
    sandbox_fusion,
    scalebox,
    slime,
)
from microcoder_eval.service.large_requests import LARGE_BYTES, LargeRequests
from microcoder_eval.service.read_body import NESTED, parse_object, parsed_bytes, read_body
from microcoder_eval.service.refusal import HungUp, Kind, Refusal
from microcoder_eval.service.write_json import is_long, json_bytes
from microcoder_eval.suggest import did_you_mean

logger = logging.getLogger(__name__)

DIALECTS = (sandbox_fusion, scalebox, piston, nemo_gym, nemo_metrics, openrlhf, slime, open_instruct)
CALLS = [*own_calls.CALLS, *run_calls.CALLS, *health.CALLS, *(call for dialect in DIALECTS for call in dialect.CALLS)]
HUNG_UP = 499
"""The status in the log when the client has hung up; it is not sent."""
MOST_HEADER_BYTES = 1000


def make_app(service: Service, large: LargeRequests, token: str = "") -> Starlette:
    """The application of a service. token: a secret that every request must show; empty for none."""
    entrance = _Entrance(service, large, token)
    routes = [Route(call.path, entrance.endpoint(call), methods=[call.method]) for call in CALLS]
    routes.append(Route("/metrics", entrance.metrics, methods=["GET"]))
    return Starlette(routes=routes, exception_handlers={404: _no_such_call, 405: _no_such_call})


async def _no_such_call(request: Request, error: Exception) -> Response:
    """What a request for no call gets: the methods of the call at its path, or the service's own calls."""
    path = printable(request.url.path[:200])
    if isinstance(error, HTTPException) and error.status_code == 405:
        allowed = {*(error.headers or {}).get("Allow", "").split(", ")} - {"HEAD"}
        refusal = Refusal(Kind.WRONG_METHOD, f"{request.method} {path}: this call takes {' or '.join(sorted(allowed))}")
    else:
        paths = [call.path for call in (*own_calls.CALLS, *run_calls.CALLS, *health.CALLS)] + ["/metrics"]
        own = ", ".join(dict.fromkeys(path.replace("{id:path}", "ID") for path in paths))
        near = did_you_mean(path, [call.path for call in CALLS])
        refusal = Refusal(Kind.UNKNOWN_CALL, f"no call {path}; the service's own calls: {own}{near}")
    return Response(json_bytes(refusal.to_dict()), refusal.status, media_type="application/json")


class Lines(Response):
    """A response with the lines of an asynchronous iterator."""

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncIterator[bytes], gone: asyncio.Future[None]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._lines = lines
        self._gone = gone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with suppress(HungUp):
            async for line in self._lines:
                if self._gone.done():
                    break
                await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _Entrance:
    """Calls the handlers: checks each request before, and makes a response of what the handler returns or raises."""

    def __init__(self, service: Service, large: LargeRequests, token: str) -> None:
        self._service = service
        self._large = large
        self._token = token.encode()
        self.held = 0
        """How many bytes the bodies of all open requests take, as text and (estimated) as parsed values."""
        self.most_held = int(service.limits.held_mb * 2**20)

    def endpoint(self, call: Call) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            started = time.monotonic()
            gone: asyncio.Task[None] | None = None
            held = _Held(self)
            answer: Response
            try:
                if not call.open:
                    self._admit(request)
                    self._service.desk.last_work = started
                pieces = await self._read(request, held) if call.method == "POST" else []
                self._service.desk.metrics.took("read", time.monotonic() - started)
                gone = asyncio.ensure_future(_hang_up(request))
                caller = Caller(started + _timeout_s(request, self._service.limits.request_s), gone)
                found = await self._answer(call, request, pieces, caller, held)
                if isinstance(found, bytes):
                    answer = Response(found, media_type="application/json")
                else:
                    answer = _Watched(Lines(found, gone), gone, held.release)
                    gone, held = None, _Held(self)
            except HungUp:
                answer = Response(status_code=HUNG_UP)
            except Refusal as refusal:
                answer = self._refuse(call, refusal)
            except InputError as error:
                answer = self._refuse(call, Refusal(Kind.BAD_REQUEST, str(error)))
            except RecursionError:
                answer = self._refuse(call, Refusal(Kind.BAD_REQUEST, NESTED))
            except Exception as error:  # every request gets an answer, and the service goes on
                logger.exception("%s failed", call.path)
                answer = self._refuse(call, Refusal(Kind.INTERNAL_ERROR, f"the service failed: {type(error).__name__}"))
            finally:
                held.release()
                if gone is not None:
                    gone.cancel()
            self._service.desk.metrics.answered(call.path, answer.status_code)
            logger.info(
                "%s %d",
                call.path,
                answer.status_code,
                extra={"call": call.path, "status": answer.status_code, "took_s": round(time.monotonic() - started, 4)},
            )
            return answer

        return endpoint

    async def _answer(
        self, call: Call, request: Request, pieces: list[bytes], caller: Caller, held: _Held
    ) -> bytes | AsyncIterator[bytes]:
        """What the call's handler returns, as JSON or as lines of JSON."""
        if sum(map(len, pieces)) > LARGE_BYTES:
            return await self._large.answer(self._service, call, request, pieces, caller, held.add)
        body = parse_object(b"".join(pieces)) if call.method == "POST" else {}
        try:
            found = await call.handler(
                self._service, CallRequest(body, request.path_params, request.query_params, caller)
            )
        except Large:
            return await self._large.answer(self._service, call, request, pieces, caller, held.add)
        if isinstance(found, AsyncIterator):
            return (json_bytes(line) + b"\n" async for line in found)
        return await asyncio.to_thread(json_bytes, found) if is_long(found) else json_bytes(found)

    async def metrics(self, request: Request) -> Response:
        try:
            self._admit(request)
        except Refusal as refusal:
            return self._refuse(Call("GET", "/metrics", health.health), refusal)
        return Response(self._service.desk.metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")

    def _admit(self, request: Request) -> None:
        """Refuse a request without the service's token. A service without a token refuses web pages' requests only."""
        if self._token:
            if not hmac.compare_digest(_shown_token(request), self._token):
                raise Refusal(Kind.UNAUTHORIZED, "this service needs its token: Authorization: Bearer TOKEN")
        elif "origin" in request.headers:
            raise Refusal(Kind.UNAUTHORIZED, "requests from a browser need a service with a token")

    async def _read(self, request: Request, held: _Held) -> list[bytes]:
        limits = self._service.limits
        pieces = await read_body(request, int(limits.body_mb * 2**20), limits.body_s, held.add_piece)
        held.add_values()
        return pieces

    def _refuse(self, call: Call, refusal: Refusal) -> Response:
        refusal = Refusal(refusal.kind, printable(refusal.message)[:2000], refusal.retry_after_s)
        self._service.desk.metrics.refused(refusal.kind.value)
        status, body = call.refusal(refusal)
        headers = {}
        if refusal.retry_after_s is not None:
            headers["Retry-After"] = str(refusal.retry_after_s)
        if refusal.kind is Kind.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        if refusal.kind is Kind.BAD_REQUEST:
            headers["Connection"] = "close"  # after a wrong body length, the next request would be misread
        return Response(json_bytes(body), status, headers, "application/json")


class _Held:
    """The bytes that one request takes; they count against the bound of the service until it is answered."""

    def __init__(self, entrance: _Entrance) -> None:
        self._entrance = entrance
        self._bytes = 0
        self._values = 0

    def add(self, size: int) -> None:
        if self._entrance.held + size > self._entrance.most_held:
            raise Refusal(Kind.QUEUE_FULL, "the requests in the service fill its memory", 1)
        self._entrance.held += size
        self._bytes += size

    def add_piece(self, piece: bytes) -> None:
        """Add a piece of the body."""
        self.add(len(piece))
        self._values += parsed_bytes(piece)

    def add_values(self) -> None:
        """Add an estimate for the body's values: at most half of the bound, so that one large request always fits."""
        self.add(min(self._values, self._entrance.most_held // 2))

    def release(self) -> None:
        self._entrance.held -= self._bytes
        self._bytes = 0


class _Watched(Response):
    """A streamed response. After it, the task that listens for a hang-up ends, and the body's memory counts no more."""

    def __init__(self, inner: Lines, gone: asyncio.Task[None], release: Callable[[], None]) -> None:
        super().__init__()
        self._inner, self._gone, self._release = inner, gone, release

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._inner(scope, receive, send)
        finally:
            self._gone.cancel()
            self._release()


async def _hang_up(request: Request) -> None:
    """Return when the client hangs up. Called after the body was read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _timeout_s(request: Request, most_s: float) -> float:
    """How long the caller waits: its header `X-Timeout-S`, and at most what the service allows."""
    text = request.headers.get("x-timeout-s", "")
    try:
        wanted_s = float(text) if len(text) < 20 else most_s
    except ValueError:
        return most_s
    return min(most_s, wanted_s) if wanted_s >= 0 else most_s


def _shown_token(request: Request) -> bytes:
    """The token of a request: a bearer token, or the password of its address (http://any:TOKEN@host)."""
    scheme, _, shown = request.headers.get("authorization", "")[:MOST_HEADER_BYTES].partition(" ")
    if scheme.lower() == "basic":
        with suppress(binascii.Error, ValueError):
            return base64.b64decode(shown, validate=True).partition(b":")[2]
        return b""
    return shown.strip().encode("latin-1", "replace") if scheme.lower() == "bearer" else b""
