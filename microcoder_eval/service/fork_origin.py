"""A process that forks another one for each socket that it is sent. It is itself forked early, before this process has
threads, whose locks a fork would copy.

    origin = ForkOrigin(serve_one)         # serve_one(connection): the work of a child
    connection = origin.fork()             # to a new child; raises OSError when the origin has ended

A child ends with its origin, which ends with the process that made it or closed it.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

logger = logging.getLogger(__name__)

PR_SET_PDEATHSIG = 1


class ForkOrigin:
    """The origin, seen from the process that made it."""

    def __init__(self, serve_one: Callable[[socket.socket], None], unneeded: int | None = None) -> None:
        """unneeded: a descriptor that the origin closes."""
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if not os.fork():
            try:
                self._orders.close()
                if unneeded is not None:
                    os.close(unneeded)
                _take_orders(theirs, serve_one)
            finally:
                os._exit(0)
        theirs.close()

    def fork(self) -> socket.socket:
        """A connection to a new child."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._orders, [b"1"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        return ours

    def close(self) -> None:
        self._orders.close()


def _take_orders(orders: socket.socket, serve_one: Callable[[socket.socket], None]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # sent to all processes of a group; the maker says when it ends
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children that have ended leave nothing
    while True:
        order, descriptors, _, _ = socket.recv_fds(orders, 1, 1)
        if not order:
            return
        origin = os.getpid()
        with suppress(OSError):  # no more processes now: the other side sees that its connection ends
            if not os.fork():
                _serve(origin, socket.socket(fileno=descriptors[0]), serve_one)
        os.close(descriptors[0])


def _serve(origin: int, connection: socket.socket, serve_one: Callable[[socket.socket], None]) -> None:
    """The life of a child."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == origin:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            serve_one(connection)
    except BaseException:
        logger.exception("a process for a large request failed")
    finally:
        os._exit(0)
