"""The fixtures of pytest that tests may use: `capsys`, `caplog`, and of `monkeypatch` what reaches the program.

What the program prints and logs arrives with its answers (`emitted.py`), and it is given the environment that the tests
have set (`settings.py`). Others, such as `tmp_path`, would have to act in the program's process.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, NamedTuple, NoReturn

from microcoder_eval.sandbox.asserts.pytest_subset import Unsupported
from microcoder_eval.sandbox.asserts.replaced import found, refuse_unless_it_reaches


class Captured(NamedTuple):
    out: str
    err: str


class CapSys:
    """What was printed, by the tests or by the program."""

    def __init__(self) -> None:
        sys.stdout, sys.stderr = self._out, self._err = io.StringIO(), io.StringIO()

    def readouterr(self) -> Captured:
        """What was printed since the last call."""
        captured = Captured(self._out.getvalue(), self._err.getvalue())
        self.__init__()  # type: ignore[misc]
        return captured


class CapLog:
    """The log records of the tests and of the program. It is a handler of `logging`, too."""

    level = 0

    def __init__(self) -> None:
        import logging  # it loads threads, which a process that is forked must not have

        self.records: list[Any] = []
        self._logger = logging.getLogger
        root: Any = logging.getLogger()
        root.addHandler(self)

    def handle(self, record: Any) -> None:
        record.message = record.getMessage()
        self.records.append(record)

    @property
    def messages(self) -> list[str]:
        return [record.message for record in self.records]

    @property
    def record_tuples(self) -> list[tuple[str, int, str]]:
        return [(record.name, record.levelno, record.message) for record in self.records]

    @property
    def text(self) -> str:
        return "".join(
            f"{one.levelname:8} {one.name}:{one.filename}:{one.lineno} {one.message}\n" for one in self.records
        )

    def clear(self) -> None:
        self.records.clear()

    def set_level(self, level: Any, logger: str | None = None) -> None:
        self._logger(logger).setLevel(level)

    @contextlib.contextmanager
    def at_level(self, level: Any, logger: str | None = None) -> Iterator[None]:
        chosen = self._logger(logger)
        before = chosen.level
        chosen.setLevel(level)
        try:
            yield
        finally:
            chosen.setLevel(before)


class MonkeyPatch:
    """Changes the environment, the tests' own mappings, and what `replaced.py` lets tests replace. The process ends
    with the test, so nothing is undone."""

    def setattr(self, target: Any, name: Any, *value: Any, raising: bool = True) -> None:
        """`setattr("sys.stdin", value)` or `setattr(sys, "stdin", value)`."""
        if not value:
            value, (target, name) = (name,), found(target)
        refuse_unless_it_reaches(target, name)
        setattr(target, name, *value)

    def setenv(self, name: str, value: Any, prepend: str | None = None) -> None:
        os.environ[name] = str(value) + (prepend + os.environ.get(name, "") if prepend else "")

    def delenv(self, name: str, raising: bool = True) -> None:
        self.delitem(os.environ, name, raising)

    def setitem(self, mapping: MutableMapping[Any, Any], name: Any, value: Any) -> None:
        mapping[name] = value

    def delitem(self, mapping: MutableMapping[Any, Any], name: Any, raising: bool = True) -> None:
        if raising or name in mapping:
            del mapping[name]

    def __getattr__(self, name: str) -> NoReturn:
        raise Unsupported(f"monkeypatch.{name}")


FIXTURES: dict[str, Callable[[], Any]] = {"capsys": CapSys, "caplog": CapLog, "monkeypatch": MonkeyPatch}
