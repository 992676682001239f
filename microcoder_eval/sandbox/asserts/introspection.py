"""What Python's `dataclasses`, `inspect` and `pickle` read of an object, passed on as data.

    described(f, "__signature__")       # in the program's process: lists of names and defaults
    rebuilt("__signature__", ...)       # in the tests' process: an `inspect.Signature` of the tests' own
    unpickled(3)                        # there, too: a copy of object 3 that the tests have pickled

Only descriptions come from the program. The values of an object's fields are read as any other attribute is.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

FIELD_KINDS: dict[str, Any] = {
    kind.name: kind for kind in (vars(dataclasses)[name] for name in ("_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR"))
}


def described(thing: Any, name: str) -> list[Any]:
    """What the attribute `name`, one of `REBUILDING`, says about an object of the program; raises what reading it does.

    >>> described(lambda a, b=2: a, "__signature__")
    [[['a', 1, [], []], ['b', 1, [2], []]], []]
    """
    return _described_signature(thing) if name == "__signature__" else _described_fields(thing)


def rebuilt(name: str, description: Any) -> Any:
    """The attribute `name` as the tests' own object. Raises a `ValueError`, `TypeError` or `LookupError` for nonsense.

    >>> rebuilt("__signature__", [[["a", 1, [], []], ["b", 1, [2], []]], []])
    <Signature (a, b=2)>
    """
    return REBUILDING[name](*description)


def _described_fields(thing: Any) -> list[Any]:
    return [[_described_field(field) for field in thing.__dataclass_fields__.values()]]


def _described_field(field: Any) -> list[Any]:
    switches = [bool(switch) for switch in (field.init, field.repr, field.compare)]
    given = [_if_given(value, dataclasses.MISSING) for value in (field.default, field.default_factory)]
    return [str(field.name), field._field_type.name, field.type, *switches, *given]


def _rebuilt_fields(fields: list[Any]) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in (_rebuilt_field(*parts) for parts in fields)}


def _rebuilt_field(
    name: str, kind: str, annotation: Any, init: bool, shown: bool, compare: bool, default: list[Any], made: list[Any]
) -> dataclasses.Field[Any]:
    values = {key: one[0] for key, one in (("default", default), ("default_factory", made)) if one}
    field: Any = dataclasses.field(init=init, repr=shown, compare=compare, **values)
    field.name, field.type, field._field_type = name, annotation, FIELD_KINDS[kind]
    return field


def _described_signature(thing: Any) -> list[Any]:
    signature = inspect.signature(thing)
    parameters = [
        [one.name, int(one.kind), _if_given(one.default, one.empty), _if_given(one.annotation, one.empty)]
        for one in signature.parameters.values()
    ]
    return [parameters, _if_given(signature.return_annotation, signature.empty)]


def _rebuilt_signature(parameters: list[Any], returns: list[Any]) -> inspect.Signature:
    empty = inspect.Parameter.empty
    made = [
        inspect.Parameter(
            name,
            inspect._ParameterKind(kind),
            default=default[0] if default else empty,
            annotation=annotation[0] if annotation else empty,
        )
        for name, kind, default, annotation in parameters
    ]
    return inspect.Signature(made, return_annotation=returns[0] if returns else empty)


def _if_given(value: Any, missing: Any) -> list[Any]:
    return [] if value is missing else [value]


REBUILDING: dict[str, Callable[..., Any]] = {
    "__dataclass_fields__": _rebuilt_fields,
    "__signature__": _rebuilt_signature,
}


PICKLED: list[Any] = []


def unpickled(number: int) -> Any:
    """A copy of what the tests have pickled: their pickle holds its number."""
    return PICKLED[number].__deepcopy__(None)
