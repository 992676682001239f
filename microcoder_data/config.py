"""Build frozen dataclasses from a YAML mapping.

Refused are an unknown key (the message suggests the nearest one), a value of the wrong type (the message says what was
expected) and a number outside its range (the message says the range).
"""

from __future__ import annotations

import dataclasses
import datetime
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from microcoder_eval import InputError
from microcoder_eval.suggest import did_you_mean

T = TypeVar("T")


def from_mapping(cls: type[T], mapping: Any, where: str) -> T:
    """Build the dataclass `cls`; nested dataclasses and tuples of them are built the same way.

    `false` switches off a section that may be absent (`Section | None`). For a stage whose sections may all be absent
    it switches off all of them.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Words:
    ...     least: int = 20
    >>> from_mapping(Words, {"least": 5}, "words")
    Words(least=5)
    """
    if mapping is None:
        mapping = {}
    if not isinstance(mapping, Mapping):
        raise InputError(f"{where}: expected keys and values, got {mapping!r}")
    kinds = typing.get_type_hints(cls, include_extras=True)
    names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    for key in mapping:
        if key not in names:
            raise InputError(f"{where}: unknown key {key!r}{did_you_mean(key, names, or_list=True)}")
    values = {key: _value(kinds[key], value, f"{where}.{key}") for key, value in mapping.items()}
    missing = [
        field.name
        for field in dataclasses.fields(cls)  # type: ignore[arg-type]
        if field.name not in values
        and field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise InputError(f"{where}: {missing[0]!r} is missing")
    try:
        return cls(**values)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def to_mapping(value: Any) -> Any:
    """The plain form of a configuration: what its hash is taken over and the manifest shows."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_mapping(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, (list, tuple)):
        return [to_mapping(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_mapping(item) for key, item in value.items()}
    return value.isoformat() if isinstance(value, datetime.date) else value


def _value(kind: Any, value: Any, where: str) -> Any:
    """`value` as the type `kind`; `where` is the path of its key for error messages."""
    origin, options = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        value = _value(options[0], value, where)
        for allowed in options[1:]:
            if value not in allowed:
                raise InputError(f"{where} must be {allowed}, not {value}")
        return value
    if origin in (typing.Union, types.UnionType):
        if value is None or (value is False and bool not in options):
            return None
        alternatives = [option for option in options if option is not type(None)]
        if value is True and any(dataclasses.is_dataclass(option) for option in alternatives):
            value = {}
        sections = [option for option in alternatives if dataclasses.is_dataclass(option)]
        if isinstance(value, Mapping) and len(sections) == 1:
            alternatives = sections  # then the message names an unknown key of the section
        return (
            _value(alternatives[0], value, where)
            if len(alternatives) == 1
            else _first_match(alternatives, value, where)
        )
    if dataclasses.is_dataclass(kind):
        if value is True:
            value = {}
        elif value is False and all(map(_may_be_absent, typing.get_type_hints(kind).values())):
            value = dict.fromkeys(typing.get_type_hints(kind), False)  # switches off every rule of a stage
        return from_mapping(typing.cast(type, kind), value, where)
    if origin is tuple:
        items = value if isinstance(value, (list, tuple)) else [value]
        kinds = [options[0]] * len(items) if options[-1] is Ellipsis else options
        if len(kinds) != len(items):
            raise InputError(f"{where}: expected {len(kinds)} values, got {value!r}")
        return tuple(
            _value(kind, item, f"{where}[{i}]") for i, (kind, item) in enumerate(zip(kinds, items, strict=True))
        )
    if origin is typing.Literal:
        if value is False and "off" in options:
            value = "off"  # YAML reads the word without quotes as False
        if value not in options:
            raise InputError(f"{where}: {value!r} is not one of {', '.join(map(str, options))}")
        return value
    if origin in (dict, Mapping) or kind is dict or origin is typing.get_origin(Mapping[str, Any]):
        if not isinstance(value, Mapping):
            raise InputError(f"{where}: expected keys and values, got {value!r}")
        item_kind = options[1] if options else Any
        return {str(key): _value(item_kind, item, f"{where}.{key}") for key, item in value.items()}
    if kind is str and isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if kind is float and isinstance(value, (int, str)) and not isinstance(value, bool):
        try:
            return float(value)  # YAML reads 1e-6 as text
        except (ValueError, OverflowError):
            pass
    if kind is Any or (isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool)):
        return value
    raise InputError(f"{where}: expected {_type_in_words(kind)}, got {value!r}")


def _may_be_absent(kind: Any) -> bool:
    return type(None) in typing.get_args(kind)


def _first_match(options: list[Any], value: Any, where: str) -> Any:
    """`value` as the first of these types that it fits."""
    for option in options:
        try:
            return _value(option, value, where)
        except InputError:
            continue
    raise InputError(f"{where}: expected {' or '.join(map(_type_in_words, options))}, got {value!r}")


def _type_in_words(kind: Any) -> str:
    """A type as error messages name it."""
    if typing.get_origin(kind) is typing.Annotated:
        return _type_in_words(typing.get_args(kind)[0])
    if typing.get_origin(kind) is typing.Literal:
        return ", ".join(map(str, typing.get_args(kind)))
    words = {int: "a whole number", float: "a number", str: "text", bool: "true or false", datetime.date: "a date"}
    return words.get(kind, getattr(kind, "__name__", str(kind)))
