"""Messages between two sandboxes: JSON over a SEQPACKET socket, cut into datagrams.

A datagram is one byte ("+" when more of the message follows, "." when not) and a piece of the message. The tests' end
must expect the other end to be hostile: what arrives is bounded in size and only parsed as JSON.
"""

from __future__ import annotations

import json
import math
import os
import sys
from typing import Any

PIECE_BYTES = 64 << 10
LONGEST_ANSWER_BYTES = 16 << 20
"""The longest message that the tests accept from a program: reading it must not cost them much."""
MOST_BYTES = 256 << 20
"""How many bytes the tests accept from a program in all, and the longest message that they send."""

LONGEST_NUMBER = 640  # digits: the time to read a number grows with its square, so longer ones are sent in hex


class Broken(BaseException):
    """The other end is closed, or what it sends is not a message. The tests' `except Exception` must not catch it."""


class TooLarge(ValueError):
    """A message that is too large to send."""


class Flooded(Broken):
    """The other end sends more than this one accepts."""


class Channel:
    """One end of the socket. `trusting`: the program's end, which accepts any amount and sends at most what the tests'
    end accepts."""

    def __init__(self, descriptor: int, trusting: bool) -> None:
        self._descriptor = descriptor
        self._longest_out = LONGEST_ANSWER_BYTES if trusting else MOST_BYTES
        self._longest_in = math.inf if trusting else LONGEST_ANSWER_BYTES + PIECE_BYTES
        self._left = math.inf if trusting else MOST_BYTES

    def send(self, message: Any) -> None:
        data = json.dumps(message, allow_nan=False, separators=(",", ":")).encode()
        if len(data) > self._longest_out:
            raise TooLarge(f"a value of more than {self._longest_out >> 20} MiB is not handed over")
        last = max(0, len(data) - 1) // PIECE_BYTES
        for number in range(last + 1):
            piece = data[number * PIECE_BYTES : (number + 1) * PIECE_BYTES]
            self._write((b"." if number == last else b"+") + piece)

    def receive(self) -> list[Any]:
        pieces, size = [], 0
        while True:
            piece = self._read()
            pieces.append(piece[1:])
            size += len(piece)
            self._left -= len(piece)
            if size > self._longest_in or self._left < 0:
                raise Flooded(f"more than {LONGEST_ANSWER_BYTES >> 20} MiB in one answer or {MOST_BYTES >> 20} in all")
            if piece[:1] == b".":
                return parsed(b"".join(pieces))

    def _write(self, datagram: bytes) -> None:
        try:
            os.write(self._descriptor, datagram)
        except OSError as error:
            raise Broken(f"the other end cannot be reached: {error}") from error

    def _read(self) -> bytes:
        try:
            datagram = os.read(self._descriptor, PIECE_BYTES + 1)
        except OSError as error:
            raise Broken(f"the other end cannot be heard: {error}") from error
        if not datagram:
            raise Broken("the other end is gone")
        return datagram

    def drain(self) -> None:
        """Discard what has arrived."""
        os.set_blocking(self._descriptor, False)
        try:
            while os.read(self._descriptor, 1):
                pass
        except BlockingIOError:
            pass
        finally:
            os.set_blocking(self._descriptor, True)


def parsed(data: bytes) -> list[Any]:
    """The message in these bytes; raises `Broken`."""
    bounded = hasattr(sys, "set_int_max_str_digits")
    if bounded:
        sys.set_int_max_str_digits(LONGEST_NUMBER)
    try:
        message = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Broken("what arrived is not a message") from error
    finally:
        if bounded:
            sys.set_int_max_str_digits(0)
    if not isinstance(message, list) or not message:
        raise Broken("what arrived is not a message")
    return message
