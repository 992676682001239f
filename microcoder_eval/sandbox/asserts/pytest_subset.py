"""The part of pytest that generated tests use, written anew for the sandbox, which does not load pytest.

It has `raises`, `warns`, `deprecated_call`, `approx`, `fixture` (functions of the test module), `mark` (see
`run_test.py`), `param`, `fail`, `skip`, `importorskip`. Anything else of pytest raises `Unsupported`: a failure of the
grader, not of the program.
"""

from __future__ import annotations

import importlib
import inspect
import math
import re
import warnings
from collections import deque
from types import ModuleType
from typing import Any, NoReturn

from microcoder_eval.sandbox.asserts.data_codec import flattened


class Unsupported(BaseException):
    """The tests need something that the sandbox does not have. Their own `except Exception` must not catch it."""


class Skipped(BaseException):
    """The tests have skipped themselves."""


class Raises:
    """`with pytest.raises(ValueError, match="...") as info:`"""

    def __init__(self, expected: Any, match: Any) -> None:
        self._expected, self._match = expected, match
        self.value: Any = None

    type = property(lambda self: type(self.value))
    typename = property(lambda self: type(self.value).__name__)
    excinfo = property(lambda self: self)

    def __enter__(self) -> Raises:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if kind is None:
            raise AssertionError(f"DID NOT RAISE {self._expected}")
        if not issubclass(kind, self._expected):
            return False
        self.value = error
        if self._match is not None:
            self.match(self._match)
        return True

    def match(self, pattern: Any) -> bool:
        """Check the exception's text."""
        if not re.search(pattern, str(self.value)):
            raise AssertionError(f"{str(self.value)!r} does not match {pattern!r}")
        return True

    def __str__(self) -> str:
        return repr(self.value)


def raises(expected: Any, *arguments: Any, match: Any = None, **named: Any) -> Any:
    """A context manager; or, with a function, the context after calling it."""
    context = Raises(expected, match)
    if not arguments:
        if named:
            raise Unsupported(f"pytest.raises with {', '.join(named)}")
        return context
    with context:
        arguments[0](*arguments[1:], **named)
    return context


class Warned(warnings.catch_warnings):
    """`with pytest.warns(UserWarning, match="...") as caught:`"""

    def __init__(self, expected: Any, match: Any) -> None:
        super().__init__(record=True)
        self._expected, self._match = expected, match
        self.list: Any = []

    def __enter__(self) -> Any:
        self.list = super().__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        if error[0] is None and not any(map(self._fits, self.list)):
            raise AssertionError(f"DID NOT WARN {self._expected}: {[str(one.message) for one in self.list]}")

    def _fits(self, caught: Any) -> bool:
        is_expected = issubclass(caught.category, self._expected)
        return is_expected and (self._match is None or re.search(self._match, str(caught.message)) is not None)

    def __getitem__(self, place: int) -> Any:
        return self.list[place]

    def __len__(self) -> int:
        return len(self.list)


def warns(expected: Any = Warning, *arguments: Any, match: Any = None, **named: Any) -> Any:
    """A context manager; or, with a function, what a call of it gives."""
    context = Warned(expected, match)
    if not arguments:
        return context
    with context:
        return arguments[0](*arguments[1:], **named)


def deprecated_call(*arguments: Any, match: Any = None, **named: Any) -> Any:
    """`warns` for the warnings about old names."""
    return warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning), *arguments, match=match, **named)


class Approx:
    """A number, or a list, tuple, dict or array of numbers, that equals values within its tolerance."""

    __array_ufunc__ = None  # numpy then calls this class's comparisons
    __array_priority__ = 100

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None, nan_ok: bool = False) -> None:
        self._expected, self._rel, self._abs, self._nan_ok = expected, rel, abs, nan_ok

    def __eq__(self, actual: object) -> bool:
        return self._near(_as_list(actual), _as_list(self._expected))

    def __ne__(self, actual: object) -> bool:
        return not self == actual

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"approx({self._expected!r})"

    def _near(self, actual: Any, expected: Any) -> bool:
        actual, expected = _bare(actual), _bare(expected)
        if type(expected) in (list, tuple):
            same = type(actual) in (list, tuple) and len(actual) == len(expected)
            return same and all(map(self._near, actual, expected))
        if type(expected) is dict:
            same = type(actual) is dict and actual.keys() == expected.keys()
            return same and all(self._near(actual[key], expected[key]) for key in expected)
        if isinstance(expected, bool) or not _is_number(expected) or not _is_number(actual):
            return type(actual) in EXACT and actual == expected
        return self._is_close(actual, expected)

    def _is_close(self, actual: Any, expected: Any) -> bool:
        if actual == expected:
            return True
        if expected != expected or actual != actual:
            return self._nan_ok and expected != expected and actual != actual
        if abs(expected) == math.inf:
            return False
        absolute = 1e-12 if self._abs is None else self._abs
        relative = 1e-6 if self._rel is None and self._abs is None else self._rel or 0.0
        return abs(actual - expected) <= max(type(abs(expected))(relative) * abs(expected), absolute)


EXACT = (type(None), bool, int, float, complex, str, bytes)


def _is_number(value: Any) -> bool:
    return type(value) in (bool, int, float, complex) or type(value).__name__ in ("Decimal", "Fraction")


def _bare(value: Any) -> Any:
    """A list, a tuple, a queue or a mapping without what its class adds; any other value as it is."""
    if isinstance(value, deque):
        return list(value)
    return flattened(value) if isinstance(value, (list, tuple, dict)) else value


def _as_list(value: Any) -> Any:
    """A numpy array as a list, a numpy number as a number; any other value as it is."""
    return value.tolist() if type(value).__module__ == "numpy" else value


class Mark:
    """`pytest.mark.NAME(...)`: remembered on the function or class that it decorates."""

    def __init__(self, name: str, arguments: tuple[Any, ...] = (), named: dict[str, Any] | None = None) -> None:
        self.name, self.args, self.kwargs = name, arguments, named or {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        target: Any = arguments[0] if len(arguments) == 1 and not named else None
        if not (inspect.isroutine(target) or inspect.isclass(target)):
            return Mark(self.name, arguments, named)
        target.pytestmark = [*getattr(target, "pytestmark", []), self]  # type: ignore[union-attr]
        return target


class Marks:
    """`pytest.mark`."""

    def __getattr__(self, name: str) -> Mark:
        return Mark(name)


def is_left_out(mark: Mark) -> bool:
    return mark.name in ("skip", "xfail") or (mark.name == "skipif" and bool(mark.args) and bool(mark.args[0]))


def fixture(function: Any = None, **options: Any) -> Any:
    """Mark a function as a fixture. Its scope is ignored: each unit has a process of its own."""
    if options.get("params") is not None:
        raise Unsupported("fixtures with params")
    if function is None:
        return lambda function: fixture(function, **options)
    function.fixture_options = options
    return function


LEFT_OUT = object()
"""A parameter set that must not run, or that is known to fail."""


def param(*values: Any, marks: Any = (), id: Any = None) -> Any:
    """A parameter set."""
    if any(is_left_out(mark) for mark in (marks if isinstance(marks, (list, tuple)) else [marks])):
        return LEFT_OUT
    return values if len(values) != 1 else values[0]


def skip(reason: str = "", **_: Any) -> NoReturn:
    """Skip the test."""
    raise Skipped(f"the tests skipped themselves: {reason}")


def fail(reason: str = "", **_: Any) -> NoReturn:
    """Fail the test."""
    raise AssertionError(reason)


def module() -> ModuleType:
    """The module that `import pytest` gives to tests."""
    made = ModuleType("pytest")
    made.__dict__.update(
        raises=raises, warns=warns, deprecated_call=deprecated_call, approx=Approx,
        mark=Marks(), fixture=fixture, param=param, skip=skip, fail=fail,
        importorskip=importlib.import_module, main=lambda *_: 0, FixtureRequest=object,
    )  # fmt: skip
    made.__dict__["__getattr__"] = _unknown
    return made


def _unknown(name: str) -> NoReturn:
    if name.startswith("__"):
        raise AttributeError(name)
    raise Unsupported(f"pytest.{name}")
