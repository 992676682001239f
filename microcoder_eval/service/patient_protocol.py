"""uvicorn's HTTP protocol with limits that it lacks: times for a request's head, a left-over body and an unread answer,
and a bound on tiny pieces of a body. A client that has closed its sending side gets its answer.

Without them, a client that sends a byte a minute or does not read its answer keeps a connection and memory without end,
and one that sends a body in chunks of one byte keeps the event loop from all others.
"""

from __future__ import annotations

import asyncio
import select
import socket
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0
"""How long a client may take to send the head of a request."""
LINGER_S = 5.0
"""How long a client may go on sending a body after its request was answered."""
UNREAD_S = 60.0
"""How long a client may leave an answer, or a large piece of one, unread."""

FIRST_LOOK_S, LONGEST_LOOK_S = 0.05, 2.0
"""How often to look whether a client that sends no more has hung up; the time doubles with each look."""
SILENT_S = 5
"""How often the kernel asks the machine of such a client for a sign of life."""

BEGIN = b"HTTP/1.1 "
"""What every answer begins with."""
HEAD_BYTES = 65_536
FREE_PIECES = 4096
SMALL_PIECE = 64
"""After FREE_PIECES of them, the pieces of a body must have at least this many bytes on average."""


class _Connection(h11.Connection):
    """Counts the pieces of each body, because a piece costs the server far more than the client; can begin an answer
    before it is known."""

    _pieces = 0
    _bytes = 0
    _begun = 0
    ended = False
    """Whether the client has closed its sending side."""
    cut_short = False
    """Whether it did so in the middle of a request, which is no fault to log."""

    def begin(self) -> bytes:
        """The first bytes of the answer, if none of it was sent."""
        if self.our_state is not h11.SEND_RESPONSE or self._begun:
            return b""
        self._begun = len(BEGIN)
        return BEGIN

    def send(self, event: Any) -> Any:
        data = super().send(event)
        if self._begun and isinstance(event, h11.Response):
            data, self._begun = data[self._begun :], 0
        return data

    def next_event(self) -> Any:
        try:
            event = super().next_event()
        except h11.RemoteProtocolError:
            if not self.ended:
                raise
            self.cut_short = True
            return h11.NEED_DATA
        if isinstance(event, h11.ConnectionClosed):
            return h11.NEED_DATA  # uvicorn does not know the end of the input
        if isinstance(event, h11.Request):
            self._pieces = self._bytes = 0
        elif isinstance(event, h11.Data):
            self._pieces += 1
            self._bytes += len(event.data)
            if self._pieces > FREE_PIECES and self._bytes < SMALL_PIECE * self._pieces:
                raise h11.RemoteProtocolError("a body in tiny pieces")
        return event


class PatientProtocol(H11Protocol):
    """One connection. The time limit for a body that a handler needs is in `read_body`."""

    _clock: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _look: asyncio.TimerHandle | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.conn: _Connection = _Connection(h11.SERVER, HEAD_BYTES)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start(HEAD_S)

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # a faulty body whose request was answered already
            self.transport.abort()
            return
        if self.conn.their_state is h11.DONE and len(self.conn.trailing_data[0]) < HEAD_BYTES:
            self.flow.resume_reading()  # uvicorn stops reading at a second request, and would miss a hang-up
        if self.conn.their_state is h11.IDLE:
            self._start(HEAD_S)
        elif not self._body_is_left_over():
            self._stop()

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more. Returns whether the connection stays open, because it may wait for an answer."""
        if self._look is not None:  # uvicorn has paused and resumed reading, and so the end is read again
            return True
        if self.conn.their_state not in (h11.DONE, h11.MUST_CLOSE) or self.cycle.response_complete:
            return False
        self.conn.ended = True
        self.conn.receive_data(b"")
        self.handle_events()
        self._probe()
        self._look_for_hang_up(FIRST_LOOK_S)
        return True

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.cut_short:
            self.transport.close()

    def _probe(self) -> None:
        """Have a client that has hung up answer with a reset. Until then its end looks like that of one that waits."""
        opened = self.transport.get_extra_info("socket")
        if opened.family != socket.AF_UNIX:  # for a client whose answer has begun already
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, SILENT_S)
            if hasattr(socket, "TCP_KEEPIDLE"):  # Linux
                opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENT_S)
        self.transport.write(self.conn.begin())

    def _look_for_hang_up(self, pause_s: float) -> None:
        poll = select.poll()
        poll.register(self.transport.get_extra_info("socket").fileno(), 0)
        if poll.poll(0):  # an error, or closed in both directions
            self.transport.abort()
        else:
            longer_s = min(LONGEST_LOOK_S, 2 * pause_s)
            self._look = self.loop.call_later(pause_s, self._look_for_hang_up, longer_s)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._body_is_left_over():
            self._start(LINGER_S)

    def pause_writing(self) -> None:
        """Called when the client does not read, and the system's buffer is full."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_unread()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self._stop_unread()
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def _body_is_left_over(self) -> bool:
        return self.cycle is not None and self.cycle.response_complete and self.conn.their_state is h11.SEND_BODY

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _start(self, seconds: float) -> None:
        if self._clock is None:
            self._clock = self.loop.call_later(seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
