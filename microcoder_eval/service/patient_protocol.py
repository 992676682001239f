"""uvicorn's HTTP protocol with time limits that it lacks: for a request's head, a left-over body, and an unread answer.

Without them, a client that sends a byte a minute or does not read its answer keeps a connection and memory without end.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0
"""How long a client may take to send the head of a request."""
LINGER_S = 5.0
"""How long a client may go on sending a body after its request was answered."""
UNREAD_S = 60.0
"""How long a client may leave an answer, or a large piece of one, unread."""


class PatientProtocol(H11Protocol):
    """One connection. The time limit for a body that a handler needs is in `read_body`."""

    _clock: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start(HEAD_S)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._start(HEAD_S)
        elif not self._body_is_left_over():
            self._stop()

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
