"""Makes proxies for the handles of the program's objects, remembers their answers, and refuses untrusted ones.

A handle gets a proxy for each way in which the tests got the object (`Standing`). An object that the tests constructed
may answer; the same object, when a method of the program returned it, may not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, NoReturn

from microcoder_eval.sandbox.asserts.channel import Channel
from microcoder_eval.sandbox.asserts.data_codec import CONTAINERS, Exchange, contents, inner, refill
from microcoder_eval.sandbox.asserts.data_codec import same as same_items
from microcoder_eval.sandbox.asserts.data_proxies import CHANGEABLE, EXTENSIBLE, make_data, make_data_class
from microcoder_eval.sandbox.asserts.derived import derive
from microcoder_eval.sandbox.asserts.expected_errors import Expected
from microcoder_eval.sandbox.asserts.memory import Items, Memory
from microcoder_eval.sandbox.asserts.peer import Peer
from microcoder_eval.sandbox.asserts.proxies import (
    AnyRemote,
    RemoteClass,
    facts_of,
    is_handle,
    is_trusted,
    make_remote,
    same,
)
from microcoder_eval.sandbox.asserts.remote_facts import RemoteFacts
from microcoder_eval.sandbox.asserts.trust import FUNCTIONS, PLAIN, AnswerRefused, Standing

READING = {"getattr", "attribute", "getitem", "bool", "len", "int", "float", "complex", "index", "abs", "neg", "pos",
           "invert", "round", "repr", "str", "format", "hash", "iter", "reversed", "dir", "plain",
           "bytes", "floor", "ceil", "trunc", "described", "pickled"}  # fmt: skip
"""Operations that are expected not to change an object."""
KEY_TYPES = (str, int, float, bool, bytes, type(None))
MOST_MEMBERS = 10_000
"""How many items `in` takes from an iterable at most."""
NAME_SHOWN = 60
MOST_WATCHED, LONGEST_WATCHED = 100, 10_000
"""How many containers that the tests have read are watched for changes, and of how many items at most."""


class Handles(Peer):
    """The handles of a program's objects in the process of its tests."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.fatal_error: BaseException | None = None
        """An error that decides the unit's result, even if the tests have caught it."""
        self.names: dict[str, str] = {}
        """The program's global names, each with the module that it comes from ("" for the program's own)."""
        self.class_names: frozenset[str] = frozenset()
        """The names of classes whose instances may answer (`class_names.py`)."""
        self.tested_methods: frozenset[str] = frozenset()
        """The methods that the tests test on those classes."""
        self.blocks_with_asserts: list[range] = []
        self.checking_lines: set[int] = set()
        self.expected_errors: Expected = []
        self.tests_file = ""
        self._memory = Memory()
        self._proxies: dict[tuple[int, Standing], Any] = {}
        self._data: dict[int, Any] = {}
        self._data_classes: dict[tuple[int, type], RemoteClass] = {}
        self._named_classes: set[int] = set()
        self._classes: dict[int, type] = {}
        self._methods_of_derived: set[int] = set()
        self._containers: dict[tuple[int, str], tuple[Any, Any, list[Any]]] = {}
        """By object and attribute: a container's number, the tests' copy of it, and what was in it."""
        self._owners: dict[int, int] = {}
        self._asked_to_remove: set[int] = set()

    def trust(self, names: frozenset[str]) -> None:
        """Trust the program's own classes of these names. Must run before one of them is read under another name."""
        self.class_names = frozenset(name for name in names if not self.names.get(name, "missing"))
        for name in sorted(self.class_names):
            self.named("global", name)

    def named(self, operation: str, name: str) -> Any:
        """The program's value for a name that the tests use, as a proxy or as data."""
        found = self.ask(operation, name)
        constructs = name in self.class_names
        standing = Standing(constructs=constructs, answers=not constructs, named=True)
        if type(found) is RemoteClass:
            facts = facts_of(found)
            if facts.trusted and not constructs:  # a trusted class under another name
                return make_remote(AnyRemote, RemoteFacts(self, facts.number, standing=standing))
            facts.trusted, facts.standing = constructs, standing
            self._named_classes.add(facts.number)
        elif constructs and isinstance(found, type) and issubclass(found, BaseException):
            self.trust_error(found)
        return self.proxy(found, standing)

    def trust_error(self, kind: type) -> None:
        """Trust an exception class of the program."""

    def proxy(self, thing: Any, standing: Standing) -> Any:
        """The proxy with this standing for the same object. Data is returned as it is."""
        if not is_handle(thing):
            return thing
        facts = facts_of(thing)
        if type(thing) is RemoteClass:
            if facts.number not in self._named_classes:
                facts.standing = standing
            return thing
        if standing.constructed and "_RemoteClass__facts" in vars(type(thing)):
            facts_of(type(thing)).trusted = True
        key = (facts.number, standing)
        if key not in self._proxies:
            known: Any = type(thing)
            self._proxies[key] = make_remote(known, replace(facts, standing=standing))
        return self._proxies[key]

    def from_handle(self, number: int, kind: Any, base: str | None, value: Any) -> Any:
        """The proxy for a handle that has arrived."""
        kind = kind if type(kind) is RemoteClass else AnyRemote
        extended = next((known for known in EXTENSIBLE if known.__name__ == base), None)
        if extended is not None and kind is not AnyRemote and not is_trusted(kind):
            return self._data_proxy(number, kind, extended, extended(value))
        standing = Standing(answers=True) if kind.__name__ in FUNCTIONS else PLAIN
        if (number, standing) not in self._proxies:
            fixed = value if extended is not None and extended not in CHANGEABLE else None
            facts = RemoteFacts(self, number, extended, fixed, standing)
            self._proxies[number, standing] = make_remote(kind, facts)
        return self._proxies[number, standing]

    def _data_proxy(self, number: int, kind: RemoteClass, base: type, value: Any) -> Any:
        if number in self._data:
            return self._data[number]
        key = (facts_of(kind).number, base)
        if key not in self._data_classes:
            self._data_classes[key] = make_data_class(kind, base)
        made = make_data(self._data_classes[key], base, value, RemoteFacts(self, number, base, value))
        if base not in CHANGEABLE:
            self._data[number] = made
        return made

    def derive(self, name: str, bases: tuple[type, ...], body: dict[str, Any], named: dict[str, Any]) -> Any:
        return derive(self, name, bases, body, named)

    def add_derived(self, kind: Any, functions: list[Any]) -> None:
        """Note a class that the tests derived from one of the program, and its methods."""
        number = facts_of(kind).number
        self._classes[number] = kind
        self._named_classes.add(number)
        self._methods_of_derived.update(map(self.keep, functions))

    def own_attribute(self, thing: Any, name: str) -> Any:
        """An attribute of what the tests constructed. A list, dict, ... stays the same one as long as it is so in
        the program, and what the tests change in it is changed there (`write_back`)."""
        value, number = self.ask("attribute", thing, name)
        if number is None or type(value) not in CONTAINERS or len(inner(value)) > LONGEST_WATCHED:
            return value
        key = facts_of(thing).number, name
        known = self._containers.get(key)
        if known is not None and known[0] == number and type(known[1]) is type(value):
            refill(known[1], contents(value))
            value = known[1]
        self._containers[key] = number, value, inner(value)
        if len(self._containers) > MOST_WATCHED:
            del self._containers[next(iter(self._containers))]
        return value

    def write_back(self) -> None:
        """Change in the program what the tests have changed in their copies of attributes."""
        for key, (number, value, before) in list(self._containers.items()):
            now = inner(value)
            if not same_items(before, now):
                self._containers[key] = number, value, now
                self.note_request("renew")
                Peer.ask(self, "renew", number, contents(value))

    def note_part(self, part: Any, owner: Any) -> None:
        """Note that the tests have read an object or a method from another object."""
        number, owners = facts_of(part).number, facts_of(owner).number
        if number != self._outermost(owners):
            self._owners.setdefault(number, owners)

    def note_removal(self, thing: Any) -> None:
        """Note that the tests asked an object to remove something, when its answers about data are refused."""
        self._asked_to_remove.add(self._outermost(facts_of(thing).number))

    def was_asked_to_remove(self, thing: Any) -> bool:
        return bool(self._asked_to_remove) and self._outermost(facts_of(thing).number) in self._asked_to_remove

    def _outermost(self, number: int) -> int:
        while number in self._owners:
            number = self._owners[number]
        return number

    def refuse(self, thing: Any, what: str) -> NoReturn:
        """Fail the tests, because they use an answer that this object may not give."""
        kind = (thing if type(thing) is RemoteClass else type(thing)).__name__[:NAME_SHOWN]
        owner = "a method of the program" if kind in FUNCTIONS else f"an object of the program's class {kind}"
        self.fatal_error = AnswerRefused(
            f"{what} cannot be taken from {owner}: it is no data, the tests do not construct it, "
            "and it may know the expected value"
        )
        raise self.fatal_error

    def note_request(self, operation: str) -> None:
        """Note that a request may have changed an object, so that earlier answers are not valid any more."""
        if operation == "next":
            self._memory.draws += 1
        elif operation not in READING:
            self._memory.calls += 1

    def recall(self, operation: str, thing: Any, /, *arguments: Any) -> Any:
        """The earlier answer to a request, or the answer to a new one."""
        key = (operation, facts_of(thing).number, tuple((type(item), item) for item in arguments))
        if not all(type(item) in KEY_TYPES for item in arguments):
            return self.ask(operation, thing, *arguments)
        body = self._memory.answer(key)
        if body is None:
            answer = self.ask(operation, thing, *arguments)
            self._memory.keep(key, self.last_body)
        else:
            answer = self.reading(lambda: self.decode(body, Exchange()))
        if operation == "len":
            self._check_length(thing, answer)
        return answer

    def _check_length(self, thing: Any, length: Any) -> None:
        items = self._memory.items(facts_of(thing).number)
        if items is not None:
            items.length = length
            self._check_items(thing, items)

    def _check_items(self, thing: Any, items: Items) -> None:
        if items.ended and items.length is not None and items.length != len(items.seen):
            self.refuse(thing, "its length (not the number of its items)")

    def items(self, thing: Any) -> Iterator[Any]:
        """Iterate over an object, with the same items each time."""
        facts = facts_of(thing)
        if facts.standing.constructed:
            found = self.ask("iter", thing)
            return thing if same(found, thing) else iter(found)
        known = self._memory.items(facts.number)
        if known is None:
            found = self.ask("iter", thing)
            if same(found, thing):
                return thing
            length = self._memory.answer(("len", facts.number, ()))
            known = self._memory.keep_items(facts.number, found if is_handle(found) else iter(found), length)
        return self._replay(thing, known)

    def _replay(self, thing: Any, items: Items) -> Iterator[Any]:
        place = 0
        while True:
            if place == len(items.seen) and not items.ended:
                try:
                    items.seen.append(self._next_of(items.source))
                except StopIteration:
                    items.ended = True
                    self._check_items(thing, items)
            if place == len(items.seen):
                return
            yield items.seen[place]
            place += 1

    def _next_of(self, source: Any) -> Any:
        return self.ask("next", source) if is_handle(source) else next(source)

    def next_item(self, thing: Any) -> Any:
        """The next item of an iterator."""
        ahead = self._memory.ahead(facts_of(thing).number)
        self._memory.calls += 1
        return ahead.popleft() if ahead else self.ask("next", thing)

    def has_member(self, thing: Any, item: Any) -> bool:
        """Whether an item is among the items of an object. Refused for more than `MOST_MEMBERS` items."""
        try:
            members = iter(thing)
        except TypeError:  # it is not iterable; any other exception is the program's error
            self.refuse(thing, "what is in it")
        is_iterator = members is thing
        seen: list[Any] = []
        found = -1
        for member in members:
            if found < 0 and (member is item or member == item):
                found = len(seen)
            seen.append(member)
            if len(seen) > MOST_MEMBERS:
                self.refuse(thing, "what is in it")
        if is_iterator and found >= 0:
            self._memory.ahead(facts_of(thing).number).extend(seen[found + 1 :])
        return found >= 0

    def is_ordered(self, operation: str, left: Any, right: Any) -> Any:
        """The answer to a comparison of two objects that may know what the tests expect. They are asked both ways
        round, the one that the tests want first or last: one that says yes to everything contradicts itself."""
        turned_first = os.urandom(1)[0] < 128
        turned = self._is_turned(operation, left, right) if turned_first else None
        answer = self.ask(operation, left, right)
        turned = turned if turned_first else self._is_turned(operation, left, right)
        if is_handle(answer):
            return self.proxy(answer, Standing(shown=2))
        if operation in ("lt", "gt") and answer and turned:
            self.refuse(left, f"{operation} (it is so both ways round)")
        return answer

    def _is_turned(self, operation: str, left: Any, right: Any) -> bool:
        try:
            answer = self.ask(operation, right, left)
        except Exception:  # only one of the two can be compared
            return False
        return is_handle(answer) or bool(answer)

    def may_suppress(self, error: BaseException) -> bool:
        """Whether a context manager of the program may swallow an exception (`suppressed.py`)."""
        if not isinstance(error, Exception) or isinstance(error, AssertionError):
            return False
        lines = list(_lines_in(error.__traceback__, self.tests_file))
        if self.error_number(error) is None and self.checking_lines.intersection(lines):
            return False
        return not any(line in block for line in lines for block in self.blocks_with_asserts)


def _lines_in(trace: TracebackType | None, file: str) -> Iterator[int]:
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            yield trace.tb_lineno
        trace = trace.tb_next
