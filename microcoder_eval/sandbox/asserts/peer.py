"""A peer: one of two processes that use each other's objects over a channel.

A request is [operation, arguments, named arguments]. Its answer is ["ok" | "raise", changed containers, result, text
printed meanwhile]. While one side waits for an answer it answers the other's requests, so calls nest. Data is copied.
Any other object stays in its process; the other side gets a numbered handle, {"h": [number, class, base, value]}, and
sends it back as {"own": number}. `base` and `value` are the builtin type that the object's class extends and its value.

The program's side is in `program_side.py`, the tests' side in `tests_side.py`.
"""

from __future__ import annotations

import builtins
from _thread import RLock
from collections.abc import Callable
from typing import Any

from microcoder_eval.sandbox.asserts.channel import Broken, Channel
from microcoder_eval.sandbox.asserts.data_codec import (
    Codec,
    Exchange,
    Untransferable,
    changed,
    contents,
    is_builtin,
    refill,
    snapshot,
)

TEXT_SHOWN = 2000
MOST_LINES = 10**7
MOST_CAUSES = 3
"""How many exceptions before it (its cause, or what was handled when it was raised) are sent with one."""
GROUP: Any = getattr(builtins, "BaseExceptionGroup", ())
"""The class of exception groups, since Python 3.11."""


class RemoteReference:
    """An object of the other side, known by its number."""

    def __init__(self, number: int) -> None:
        self.number = number


class Peer(Codec):
    """What both sides do: send requests, answer them, and keep the objects that the other side has handles of."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._lock = RLock()
        self._kept: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._received_errors: dict[int, tuple[BaseException, int]] = {}
        self.last_body: Any = None
        """The answer that was read last, as it arrived."""

    def ask(self, operation: str, /, *arguments: Any, **named: Any) -> Any:
        """Request an operation from the other side; returns its result, or raises its exception."""
        with self._lock:
            exchange = Exchange()
            given = [self.encode(argument, exchange) for argument in arguments]
            by_name = {name: self.encode(argument, exchange) for name, argument in named.items()}
            self._channel.send([operation, given, by_name])
            while True:
                message = self._channel.receive()
                if message[0] in ("ok", "raise"):
                    break
                self.answer(message)
            result = self.reading(lambda: self._read_answer(message, exchange))
            if message[0] == "raise":
                raise result
            return result

    def answer(self, message: Any) -> None:
        """Perform the operation that the other side requests, and send its result or its exception."""
        exchange = Exchange()
        operation, arguments, named = self.reading(lambda: self._read_request(message, exchange))
        before = [snapshot(container) for container in exchange.containers]
        try:
            result = self.perform(operation, arguments, named)
            outcome = self._outcome("ok", result, exchange, before)
        except (Broken, Untransferable):
            raise
        except BaseException as error:
            exchange.forget_after(len(before))
            outcome = self._outcome("raise", error, exchange, before)
        self._channel.send(outcome)

    def perform(self, operation: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        """Perform an operation, if the other side may request it."""
        raise NotImplementedError

    def reading(self, read: Callable[[], Any]) -> Any:
        """Call `read`, which decodes what has arrived. The tests' side turns its errors into `Broken`."""
        return read()

    def printed(self) -> str:
        """What was printed since the last answer."""
        return ""

    def renew(self, container: Any, items: list[Any]) -> None:
        """Update a container to the contents that it has on the other side."""
        refill(container, items)

    def keep(self, value: Any) -> int:
        """Keep an object; returns the number by which the other side can name it."""
        number = self._numbers.get(id(value))
        if number is None:
            number = self._numbers[id(value)] = len(self._kept)
            self._kept.append(value)
        return number

    def kept(self, number: int) -> Any:
        return self._kept[number]

    def error_number(self, error: object) -> int | None:
        """The number of an exception that the other side raised; None for any other."""
        return self._received_errors.get(id(error), (None, None))[1]

    def encode_object(self, value: Any, exchange: Exchange) -> Any:
        if isinstance(value, RemoteReference):
            return {"own": value.number}
        return super().encode_object(value, exchange)

    def encode_class(self, kind: type) -> Any:
        if is_builtin(kind):
            return {"n": kind.__name__}
        bases = [self.encode_class(base) for base in kind.__bases__]
        return {"k": [self.keep(kind), kind.__name__, kind.__module__, bases, self.special_methods(kind)]}

    def special_methods(self, kind: type) -> list[str]:
        """The methods of a class that Python calls for operators, by which the other side makes its own class."""
        return []

    def attribute_of_error(self, kind: type, name: str, value: Any) -> Any:
        """The value to use for an attribute of an exception that was received."""
        return value

    def line_of_error(self, error: BaseException) -> int:
        """The line of the program that raised it; 0 where that is not known."""
        return 0

    def note_error(self, error: BaseException, text: str, line: int) -> None:
        """Keep the text and the line of an exception that was received."""

    def note_printed(self, text: str) -> None:
        """Handle what the other side printed while it performed a request."""

    def _read_request(self, message: Any, exchange: Exchange) -> tuple[str, list[Any], dict[str, Any]]:
        operation, given, by_name = message
        arguments = [self.decode(node, exchange) for node in given]
        return operation, arguments, {name: self.decode(node, exchange) for name, node in by_name.items()}

    def _read_answer(self, message: Any, exchange: Exchange) -> Any:
        word, changes, body, printed = message
        self.note_printed(printed)
        for number, items in changes:
            self.renew(exchange.containers[number], self.decode_all(items, exchange))
        self.last_body = body
        return self.decode(body, exchange) if word == "ok" else self._decode_error(body, exchange)

    def _outcome(self, word: str, result: Any, exchange: Exchange, before: list[list[Any]]) -> list[Any]:
        changes = []
        for number, old in enumerate(before):
            container = exchange.containers[number]
            if changed(container, old):
                changes.append([number, self.encode_all(contents(container), exchange)])
        body = self.encode(result, exchange) if word == "ok" else self._encode_error(result, exchange)
        return [word, changes, body, self.printed()]

    def _encode_error(self, error: BaseException, exchange: Exchange, causes: int = MOST_CAUSES) -> Any:
        number = self.error_number(error)
        if number is not None:
            return {"own": number}
        try:
            text = str(error)[:TEXT_SHOWN]
        except Exception as failure:
            text = f"({type(failure).__name__} in its __str__)"
        attributes = contents(error)
        if isinstance(error, OSError) and error.filename is not None:
            attributes += ["filename", error.filename]
        before = error.__cause__ or error.__context__
        notes = getattr(error, "__notes__", ())
        members = error.exceptions if isinstance(error, GROUP) else ()
        return {
            "number": self.keep(error),
            "class": self.encode_class(type(error)),
            "text": text,
            "line": self.line_of_error(error),
            "arguments": [] if members else [self._encode_if_possible(item, exchange) for item in error.args],
            "attributes": [self._encode_if_possible(item, exchange) for item in attributes],
            "message": str(getattr(error, "message", ""))[:TEXT_SHOWN] if members else "",
            "members": [self._encode_error(member, exchange, 0) for member in members],
            "notes": [note[:TEXT_SHOWN] for note in notes if type(note) is str] if type(notes) is list else [],
            "before": self._encode_error(before, exchange, causes - 1) if before is not None and causes else None,
            "chained": [error.__cause__ is not None, bool(error.__suppress_context__)],
        }

    def _encode_if_possible(self, value: Any, exchange: Exchange) -> Any:
        count = len(exchange.containers)
        try:
            return self.encode(value, exchange)
        except Untransferable:
            exchange.forget_after(count)
            return None

    def _decode_error(self, body: Any, exchange: Exchange) -> BaseException:
        if "own" in body:
            error = self.kept(body["own"])
        else:
            kind = self.decode(body["class"], exchange)
            error = make_error(kind, self.decode_all(body["arguments"], exchange))
            attributes = self.decode_all(body["attributes"], exchange)
            members = [self._decode_error(member, exchange) for member in body["members"]]
            before = body["before"] and self._decode_error(body["before"], exchange)
            is_cause, suppresses = body["chained"]
            if members:
                error = kind.__new__(kind, str(body["message"]), members)
            for name, value in zip(attributes[::2], attributes[1::2], strict=True):
                if not str(name).startswith("__"):
                    object.__setattr__(error, name, self.attribute_of_error(kind, name, value))
            if type(body["number"]) is not int:
                raise TypeError("an exception without a number")  # it would count as one that was raised here
            self._received_errors[id(error)] = error, body["number"]
            if type(body["line"]) is not int or not 0 <= body["line"] <= MOST_LINES:
                raise TypeError("an exception without a line's number")
            self.note_error(error, str(body["text"]), body["line"])
            if body["notes"]:
                vars(error)["__notes__"] = list(map(str, body["notes"]))
            error.__cause__, error.__context__ = before if is_cause else None, before
            error.__suppress_context__ = bool(suppresses)
        if not isinstance(error, BaseException):
            raise TypeError("not an exception")
        return error


def make_error(kind: Any, arguments: list[Any]) -> Any:
    """An exception of class `kind`. A program's own `__init__` is not run."""
    if kind.__module__ == "builtins" and not issubclass(kind, GROUP):
        try:
            return kind(*arguments)  # a builtin class may also set attributes from them: `OSError.errno`
        except TypeError:
            pass
    error = kind.__new__(kind, *(("", [ValueError()]) if issubclass(kind, GROUP) else ()))
    error.args = tuple(arguments)
    return error
