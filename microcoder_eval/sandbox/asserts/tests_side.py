"""The tests' side of a test: proxies for the program's objects, and answers to the program's calls of callbacks.

This process holds no object of the program, only data and proxies that ask the program. Comparisons with expected
values run here, on builtin types; `trust.py` decides what an object may answer itself.

The program may use only what the tests have passed to it: call a function, take the next item of an iterator, await a
coroutine, use a method of an object. Any other request ends the test.
"""

from __future__ import annotations

import sys
from abc import ABCMeta
from collections.abc import Callable
from enum import Enum
from types import BuiltinFunctionType, CodeType, CoroutineType, FunctionType
from typing import Any

from microcoder_eval.sandbox.asserts import emitted
from microcoder_eval.sandbox.asserts.channel import Broken, Channel, Flooded, TooLarge
from microcoder_eval.sandbox.asserts.coroutines import RemoteCoroutine
from microcoder_eval.sandbox.asserts.data_codec import (
    FLATTENED,
    VIEWS,
    Exchange,
    Untransferable,
    contents,
    flattened,
    is_builtin,
    refill,
)
from microcoder_eval.sandbox.asserts.data_proxies import CHANGEABLE
from microcoder_eval.sandbox.asserts.expected_errors import ends_in_silence
from microcoder_eval.sandbox.asserts.handles import Handles
from microcoder_eval.sandbox.asserts.mocks import (
    PLACING,
    Places,
    holds_only_data,
    is_mock,
    part,
    set_part,
    special_parts,
)
from microcoder_eval.sandbox.asserts.peer import Peer, RemoteReference
from microcoder_eval.sandbox.asserts.proxies import (
    Remote,
    RemoteClass,
    facts_of,
    is_derived,
    is_handle,
    is_remote,
    make_class,
    may_answer,
)
from microcoder_eval.sandbox.asserts.remote_facts import RemoteFacts
from microcoder_eval.sandbox.asserts.settings import Shared
from microcoder_eval.sandbox.asserts.shared_state import Held, kind_of
from microcoder_eval.sandbox.asserts.trust import PLAIN, Standing, UntrustedNone, standing_of_method

NOT_HANDED_ON = {"__init__", "__new__", "__setattr__", "__getattribute__", "__getattr__", "__delattr__", "__del__",
                 "__init_subclass__", "__class_getitem__", "__post_init__"}  # fmt: skip
FUNCTION = Standing(answers=True)
GENERATOR_FLAGS = 0x20 | 0x80 | 0x200
"""Flags of generator functions and coroutine functions (see `inspect.CO_GENERATOR`): a call runs none of their code."""
WITH_ABSTRACT = ("abc", "collections.abc", "contextlib")
"""Modules whose abstract classes tests ask for by `isinstance`: the program's own classes may derive from them."""
UNREADABLE = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError, ImportError)


class Tests(Handles):
    """The side that holds the tests."""

    __test__ = False  # pytest: this is not a test class
    types_refused = (memoryview, super, property, classmethod, staticmethod)
    """If the tests made an instance of one of these, it could not be handed over."""

    def __init__(self, channel: Channel, module: str) -> None:
        super().__init__(channel)
        self._module = module
        self._passed: set[int] = set()
        self.ran_to_end: set[CodeType] = set()
        """The functions of the tests that the program has called and that did not raise."""
        self._requests_open = 0
        """How many requests of the program are being answered now; they nest."""
        self._copied: set[int] = set()
        self._error_classes: dict[int, int] = {}
        self._trusted_errors: set[int] = set()
        self._notes: dict[int, tuple[str, int]] = {}
        self._shared: Shared | None = None
        self._held = Held()
        self._places_of_mocks = Places()
        self._listens = False
        self.used = False
        """Whether the tests have asked the program for anything."""
        message = channel.receive()
        if len(message) != 2 or message[0] != "ready" or not isinstance(message[1], dict):
            raise Broken("the program does not speak as agreed")
        self.names = {name: str(module) for name, module in message[1].items()}

    def ask(self, operation: str, /, *arguments: Any, **named: Any) -> Any:
        if self.fatal_error is not None:
            raise self.fatal_error
        self.used = True
        self.note_request(operation)
        try:
            self._hand_over_settings()
            self.write_back()
            try:
                return super().ask(operation, *arguments, **named)
            finally:
                if not isinstance(sys.exc_info()[1], (Broken, Untransferable)):
                    self._hear()
        except Broken as error:
            self.fatal_error = error
            raise
        except Untransferable as error:
            self.fatal_error = error
            asked = next((one for one in arguments if is_handle(one) and not may_answer(one)), None)
            if asked is not None:  # the program chose what is asked: a right one returns data here
                self.refuse(asked, f"what {operation} gives")
            raise
        except TooLarge as error:
            self.fatal_error = Untransferable(str(error))
            raise self.fatal_error from error
        except BaseException as error:
            self.refuse_silence(error, operation)
            raise

    def refuse_silence(self, error: BaseException, operation: str) -> None:
        """Raise a failure for an exception of the program that would end something of the tests without one."""
        # the tests may make errors of warnings, whose classes are the program's, too
        is_of_program = self.error_number(error) is not None or isinstance(error, Warning)
        if is_of_program and ends_in_silence(error, operation, self.expected_errors, self.tests_file):
            raise self._as_failure(error) from error

    def listen(self, shared: Shared, kinds: list[str]) -> None:
        """Share settings with the program from now on, and hear its warnings and log records."""
        self._shared, self._listens = shared, bool(kinds)
        if kinds:
            Peer.ask(self, "keep emitted", kinds)

    def _hand_over_settings(self) -> None:
        for change in self._shared.changes() if self._shared is not None else ():
            self.note_request("change setting")
            Peer.ask(self, "change setting", *change)
        for value in self._held.changed():
            self.note_request("hold")
            Peer.ask(self, "hold", value)

    def _hear(self) -> None:
        if self._listens:
            taken = Peer.ask(self, "take emitted")
            for one in self.reading(lambda: emitted.heard(taken)):
                emitted.emit(*one)
        if self._held:
            changed = Peer.ask(self, "states")
            self.reading(lambda: self._held.hear(changed))

    def was_handed_over(self, code: CodeType) -> bool:
        """Whether the tests have passed the function with this code to the program."""
        return any(getattr(self.kept(number), "__code__", None) is code for number in self._passed)

    def perform(self, operation: str, arguments: list[Any], named: dict[str, Any]) -> Any:
        target, *rest = arguments
        number = self._numbers.get(id(target))
        if operation == "call" and number in self._passed:
            if number in self._methods_of_derived and rest and is_derived(rest[0]):
                rest[0] = self.proxy(rest[0], Standing(constructed=True))
            result = target(*rest, **named)
            self.write_back()
            code = getattr(target, "__code__", None)
            if code is not None and not code.co_flags & GENERATOR_FLAGS:
                self.ran_to_end.add(code)
            return result
        if operation == "part" and number in self._passed and is_mock(target):
            return part(target, *rest)
        if operation == "set part" and number in self._passed and is_mock(target) and holds_only_data(rest):
            return set_part(target, *rest)
        if operation == "next" and number in self._passed:
            return next(target)
        if operation == "await" and number in self._passed and isinstance(target, CoroutineType):
            result = finished(target)
            self.ran_to_end.add(target.cr_code)
            return result
        if operation == "method" and number in self._copied:
            methods, properties = self._members(type(target))
            name, *rest = rest
            if name in properties:
                return getattr(target, name)
            if name in methods:
                return getattr(type(target), name)(target, *rest, **named)
        raise Broken("the program asks for what it was not given")

    def reading(self, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except UNREADABLE as error:
            raise Broken(f"what arrived cannot be read: {error}") from error
        except MemoryError as error:
            raise Flooded("what arrived does not fit into memory") from error

    def answer(self, message: Any) -> None:
        self._requests_open += 1
        try:
            super().answer(message)
        except Untransferable as error:
            self.fatal_error = error
            raise
        finally:
            self._requests_open -= 1

    def note_printed(self, text: str) -> None:
        if text:
            sys.stdout.write(str(text))

    def note_error(self, error: BaseException, text: str, line: int) -> None:
        self._notes[id(error)] = text, line

    def renew(self, container: Any, items: list[Any]) -> None:
        if id(container) in self._numbers:
            for name in items[::2]:
                if callable(getattr(type(container), name, None)):
                    raise ValueError(f"{name} is a method of the tests")
        if "unittest.mock" in sys.modules and (id(container) in self._numbers or isinstance(container, PLACING)):
            self._places_of_mocks.check(container, items)
        refill(container, items)

    def _as_failure(self, error: BaseException) -> RuntimeError:
        failure = RuntimeError(f"the program raised {type(error).__name__}")
        self._received_errors[id(failure)] = failure, self.error_number(error) or 0
        self._notes[id(failure)] = str(failure), self.program_line(error)
        return failure

    def text_of(self, error: BaseException) -> str:
        """The text of a program's exception, as the program's own `str` gave it."""
        return self._notes[id(error)][0] if id(error) in self._notes else BaseException.__str__(error)

    def program_line(self, error: BaseException) -> int:
        """The line of the program that raised an exception, as the program reported it; 0 when that is not known."""
        return self._notes[id(error)][1] if id(error) in self._notes else 0

    def encode_object(self, value: Any, exchange: Exchange) -> Any:
        if is_remote(value) or type(value) is RemoteClass:
            return self._encode_own(value, exchange)
        if type(value) is UntrustedNone:
            return None
        number = self._error_classes.get(id(value), self.error_number(value))
        if number is not None:
            return {"own": number}
        kind = type(value)
        if self._is_own(kind) and not issubclass(kind, (BaseException, Enum, *FLATTENED)):
            return self._encode_copy(value, exchange)
        if isinstance(value, type) and issubclass(value, BaseException):
            return self.encode_class(value)
        if isinstance(value, Exception):
            return {"e": [self.encode_class(kind), [self._encode_if_possible(item, exchange) for item in value.args]]}
        if issubclass(kind, tuple) and "_fields" in vars(kind):
            return {"p": [kind.__name__, list(vars(kind)["_fields"]), self.encode_all(flattened(value), exchange)]}
        if kind in VIEWS:
            return self.encode(list(value), exchange)
        if is_mock(value):
            return {"mo": [self._pass(value), special_parts(value)]}
        if kind_of(value) is not None:
            return {"ss": self.encode_all(self._held.hold(self.keep(value), value), exchange)}
        if isinstance(value, CoroutineType):
            return {"co": self._pass(value)}
        if hasattr(kind, "__next__") and not hasattr(kind, "read"):
            return {"it": self._pass(value)}
        if kind is BuiltinFunctionType and is_builtin(value):  # by name: the tests' own `eval` would run here
            return {"bf": [self.keep(value), value.__name__]}
        if callable(value):
            name, text = getattr(value, "__name__", None), getattr(value, "__doc__", None)
            shown = [part if type(part) is str else None for part in (name, text)]
            return {"g": [self._pass(value), *shown]}
        if issubclass(kind, tuple(FLATTENED)) and not issubclass(kind, Enum):
            return self.encode(flattened(value), exchange)
        if self._requests_open:  # the program chose to ask for this value, so it is no fault of the tests
            return {"st": [self._pass(value), kind.__name__, is_true(value)]}
        return super().encode_object(value, exchange)

    def encode_class(self, kind: type) -> Any:
        number = self._error_classes.get(id(kind))
        return super().encode_class(kind) if number is None else {"own": number}

    def decode_object(self, tag: str, body: Any, exchange: Exchange) -> Any:
        if tag == "own":
            return self.kept(body)
        if tag == "k":
            return self._class(*body)
        if tag == "v":
            number, attributes = body
            if number not in self._copied:
                raise ValueError("not an object that was handed over")
            exchange.add(self.kept(number))
            self.renew(self.kept(number), self.decode_all(attributes, exchange))
            return self.kept(number)
        if tag == "h":
            number, kind, base, value = body
            made = self.decode(kind, exchange)
            return self.from_handle(number, made, base, self.decode(value, exchange))
        return super().decode_object(tag, body, exchange)

    def trust_error(self, kind: type) -> None:
        self._trusted_errors.add(id(kind))

    def attribute_of_error(self, kind: type, name: str, value: Any) -> Any:
        return self.proxy(value, standing_of_method(PLAIN, id(kind) in self._trusted_errors, "", name))

    def _encode_own(self, value: Any, exchange: Exchange) -> Any:
        facts = facts_of(value)
        changeable = facts.base in CHANGEABLE and facts.value is not None
        if changeable and flattened(value) != facts.value:
            return self.encode(flattened(value), exchange)
        return {"own": facts.number}

    def _is_own(self, kind: type) -> bool:
        """Whether a class was written in the tests, or is `object`, which tests use as "some other type"."""
        return kind.__module__ == self._module or kind is object

    def _pass(self, value: Any) -> int:
        """Note that the program may use a value; returns its number."""
        number = self.keep(value)
        self._passed.add(number)
        return number

    def _encode_copy(self, value: Any, exchange: Exchange) -> Any:
        place = exchange.number(value)
        if place is not None:
            return {"r": place}
        exchange.add(value)
        number = self.keep(value)
        self._copied.add(number)
        methods, properties = self._members(type(value))
        return {"u": [number, type(value).__name__, methods, properties, self.encode_all(contents(value), exchange)]}

    def _members(self, kind: type) -> tuple[list[str], list[str]]:
        """The names of the methods and of the properties that the tests wrote for a class."""
        found: dict[str, Any] = {}
        for base in reversed(kind.__mro__):
            found.update(vars(base) if self._is_own(base) else {})
        methods = [name for name, member in found.items() if type(member) is FunctionType and name not in NOT_HANDED_ON]
        return methods, [name for name, member in found.items() if type(member) is property]

    def _class(self, number: int, name: str, module: str, bases: list[Any], special: list[str]) -> type:
        if number in self._classes:
            return self._classes[number]
        parents = [self.decode(base, Exchange()) for base in bases]
        errors = tuple(parent for parent in parents if issubclass(parent, BaseException))
        if errors:
            made = _known_error(module, name) or self._error_class(name, errors)
            self._error_classes[id(made)] = number
        else:
            remotes = tuple(parent for parent in parents if type(parent) is RemoteClass)
            made = self._remote_class(name, (RemoteCoroutine,) if name == "coroutine" else remotes, number, special)
            if type(known := _known(module, name)) is ABCMeta and module in WITH_ABSTRACT:
                known.register(made)
        self._classes[number] = made
        return made

    def _error_class(self, name: str, bases: tuple[type, ...]) -> type:
        def text(error: BaseException) -> str:
            return self.text_of(error)

        def attribute(error: BaseException, name: str) -> Any:
            number = self.error_number(error)
            if number is None or name.startswith("__"):
                raise AttributeError(name)
            return self.attribute_of_error(type(error), name, self.ask("getattr", RemoteReference(number), name))

        try:
            return type(name, bases, {"__str__": text, "__getattr__": attribute})
        except TypeError:  # the bases have no common order, or incompatible layouts
            return type(name, bases[:1], {"__str__": text, "__getattr__": attribute})

    def _remote_class(self, name: str, bases: tuple[type, ...], number: int, special: list[str]) -> type:
        facts = RemoteFacts(self, number, standing=FUNCTION)
        try:
            return make_class(name, bases or (Remote,), facts, special)
        except TypeError:
            return make_class(name, (Remote,), facts, special)


def _known(module: str, name: str) -> Any:
    """A class of the standard library, if the tests have loaded it."""
    known = module.partition(".")[0] in sys.stdlib_module_names
    return getattr(sys.modules.get(module), name, None) if known else None


def _known_error(module: str, name: str) -> type | None:
    found = _known(module, name)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def finished(coroutine: CoroutineType[Any, Any, Any]) -> Any:
    """Run a coroutine of the tests to its end; returns its result. It must not wait for anything else."""
    while True:
        try:
            waits_for = coroutine.send(None)
        except StopIteration as end:
            return end.value
        if waits_for is not None:
            raise Untransferable("the tests hand over a coroutine that waits in their own event loop")


def is_true(value: Any) -> bool:
    """The truth value of a value of the tests; True when it has none, as an array."""
    try:
        return bool(value)
    except Exception:
        return True
