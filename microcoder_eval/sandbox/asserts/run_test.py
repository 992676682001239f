"""Runs one test function or method of a test module: its marks, its parameter sets, its fixtures.

`fixtures.py` has the built-in fixtures.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Coroutine
from types import FunctionType
from typing import Any

from microcoder_eval.boundary.assert_units import Unit
from microcoder_eval.sandbox.asserts.fixtures import FIXTURES
from microcoder_eval.sandbox.asserts.proxies import is_handle
from microcoder_eval.sandbox.asserts.pytest_subset import LEFT_OUT, Mark, Skipped, Unsupported


def run_test(unit: Unit, module: dict[str, Any]) -> None:
    """Run a test unit, given the namespace of its module; raises what the test raises."""
    owner = module[unit.owner] if unit.owner else None
    function = getattr(owner, unit.name) if owner else module[unit.name]
    is_unit_test = owner is not None and hasattr(owner, "debug")
    refuse_unless_it_runs(function, may_be_async=not is_unit_test or hasattr(owner, "asyncSetUp"))
    if is_unit_test:
        _run_unittest(owner, unit.name, module)
        return
    marks = [mark for place in (function, owner, module) for mark in _marks_of(place)]
    _skip_if_marked(marks)
    sets = [mark for mark in marks if mark.name == "parametrize"]
    cases = list(itertools.product(*(_parameter_sets(mark) for mark in sets)))
    chosen = cases if unit.case is None else [cases[unit.case]]
    chosen = [case for case in chosen if not any(v is LEFT_OUT for named in case for v in named.values())]
    if not chosen:
        raise Skipped("the tests skip every parameter set")
    for case in chosen:
        parameters = {name: value for named in case for name, value in named.items()}
        _TestCall(module, owner, parameters).run(function, marks)


class _TestCall:
    """One call of a test, with its fixtures."""

    def __init__(self, module: dict[str, Any], owner: type | None, parameters: dict[str, Any]) -> None:
        self._module = module
        self._this = owner() if owner is not None else None
        self._values = dict(parameters)
        self._open_generators: list[Any] = []
        self._defined = {**module, **{name: getattr(self._this, name) for name in dir(owner) if owner is not None}}
        self._fixtures = {
            value.fixture_options.get("name") or name: value
            for name, value in self._defined.items()
            if inspect.isroutine(value) and not is_handle(value) and hasattr(value, "fixture_options")
        }

    def run(self, function: Any, marks: list[Any]) -> None:
        wanted = [name for mark in marks if mark.name == "usefixtures" for name in mark.args]
        automatic = [name for name, value in self._fixtures.items() if value.fixture_options.get("autouse")]
        bound = function.__get__(self._this) if self._this is not None and type(function) is FunctionType else function
        try:
            self._set_up()
            for name in (*automatic, *wanted):
                self._value(name)
            names = _parameters(bound)
            if is_handle(bound):  # the program has decorated the test, and may claim any parameters
                names = [name for name in names if name in FIXTURES or name in {**self._fixtures, **self._values}]
            result = bound(**{name: self._value(name) for name in names})
            if isinstance(result, Coroutine):  # of an async test, also of one that the program has decorated
                import asyncio

                asyncio.run(result)
        finally:
            self._tear_down()

    def _value(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self._make(name)
        return self._values[name]

    def _make(self, name: str) -> Any:
        if name in FIXTURES:
            return FIXTURES[name]()
        function = self._fixtures.get(name)
        if function is None and is_handle(self._defined.get(name)):
            raise AssertionError(f"the fixture {name!r} is one of the program's functions")
        if function is None:
            raise Unsupported(f"the fixture {name!r}")
        made = function(**{inner: self._value(inner) for inner in _parameters(function)})
        if inspect.isgenerator(made):
            self._open_generators.append(made)
            return next(made)
        return made

    def _set_up(self) -> None:
        if self._this is None:
            _call_if_there(self._module, "setup_module", self._module)
            _call_if_there(self._module, "setup_function", None)
            return
        for name in ("setup_class", "setup_method", "setup"):
            _call_method(self._this, name)

    def _tear_down(self) -> None:
        for made in reversed(self._open_generators):
            next(made, None)
        for name in ("teardown_method", "teardown", "teardown_class") if self._this is not None else ():
            _call_method(self._this, name)


def _run_unittest(owner: Any, name: str, module: dict[str, Any]) -> None:
    _call_if_there(module, "setUpModule", None)
    owner.setUpClass()
    case = owner(name)
    case.debug()
    owner.tearDownClass()


def refuse_unless_it_runs(function: Any, may_be_async: bool) -> None:
    """Raise for a test of which a call runs nothing: it would accept every program."""
    if is_handle(function):  # the program must not choose
        return
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise Unsupported("a test that yields")
    if inspect.iscoroutinefunction(function) and not may_be_async:
        raise Unsupported("an async test that nothing awaits")


def _skip_if_marked(marks: list[Any]) -> None:
    for mark in marks:
        if mark.name == "skip" or (mark.name == "skipif" and mark.args and mark.args[0]):
            raise Skipped(f"the tests skipped themselves: {mark.kwargs.get('reason', '')}")


def _parameter_sets(mark: Any) -> list[dict[str, Any]]:
    """The arguments of each parameter set of a `parametrize`."""
    names, values = (*mark.args, *(mark.kwargs[key] for key in ("argnames", "argvalues") if key in mark.kwargs))[:2]
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    if len(split) == 1 and isinstance(names, str) and "," not in names:
        return [{split[0]: value} for value in values]
    wanted = [name for name in split if name]
    return [
        dict.fromkeys(wanted, value) if value is LEFT_OUT else dict(zip(wanted, value, strict=True)) for value in values
    ]


def _parameters(function: Any) -> list[str]:
    """The parameters that are to be given, without those that `unittest.mock.patch` gives."""
    names = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is parameter.empty and not parameter.kind.name.startswith("VAR_")
    ]
    patches = [] if is_handle(function) else getattr(function, "patchings", [])
    given = sum(repr(patch.new) == "sentinel.DEFAULT" and not patch.attribute_name for patch in patches)
    return names[given:]


def _marks_of(place: Any) -> list[Mark]:
    """The marks of a function, a class or a module; only those that the tests have made, and none of the program."""
    marks = place.get("pytestmark", []) if isinstance(place, dict) else getattr(place, "pytestmark", [])
    return [mark for mark in (marks if isinstance(marks, list) else [marks]) if type(mark) is Mark]


def _call_if_there(module: dict[str, Any], name: str, argument: Any) -> None:
    function = module.get(name)
    if type(function) is FunctionType:
        function(argument) if _parameters(function) else function()


def _call_method(this: Any, name: str) -> None:
    method = getattr(this, name, None)
    if callable(method):
        method(None) if _parameters(method) else method()
