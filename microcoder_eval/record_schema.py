"""The types of a record's fields as tables: a record is checked before anything is built from it.

    field_fault({"time_limit_s": "soon"}, {"time_limit_s": TIME}, "tests[3]")
    Fault("tests[3].time_limit_s", "a positive number expected, found 'soon'")

A field that is absent or null is not checked, and a field that is in no table is ignored. Nothing here raises; the
caller does (`errors.refuse`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain, compress
from typing import Any, NamedTuple

MOST_DEPTH = 200
"""Values that are nested deeper cannot be encoded and compared."""
SHOWN = 60
LONGEST_NAME = 200
"""The most bytes of a part of a file's name."""
MOST_PARTS = 16
LARGEST_WHOLE = 1 << 63


class Fault(NamedTuple):
    """Why a field cannot be used: `path` names the field, `what` is the reason."""

    path: str
    what: str


def _no_other(value: Any) -> bool:
    return False


class FieldType(NamedTuple):
    """What a field may hold: any value of the types in `always`, and values for which `other` is true.

    Most values are of a type in `always`. Looking it up is faster than calling `other`.
    """

    what: str
    other: Callable[[Any], bool] = _no_other
    always: frozenset[type] = frozenset()

    def accepts(self, value: Any) -> bool:
        return type(value) in self.always or self.other(value)


def field_fault(record: Mapping[str, Any], fields: Mapping[str, FieldType], path: str = "") -> Fault | None:
    """The fault of the first field with a wrong type, or None."""
    for name, kind in fields.items():
        value = record.get(name)
        if value is not None and type(value) not in kind.always and not kind.other(value):
            return wrong_type(f"{path}.{name}" if path else name, kind.what, value)
    return None


def object_fault(record: Any, what: str, path: str = "") -> Fault | None:
    """The fault of a record that is no object, or None."""
    return None if is_object(record) else wrong_type(path, what, record)


def wrong_type(path: str, what: str, value: Any) -> Fault:
    """The fault of a value with a wrong type: `what` was expected."""
    return Fault(path, f"{what} expected, found {shown(value)}")


def shown(value: Any) -> str:
    """A short description of any value. The contents of lists and objects are not shown.

    >>> shown("abc"), shown(10**400), shown([[]]), shown(None)
    ("'abc'", 'an integer of 1329 bits', 'a list', 'null')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= SHOWN else value[:SHOWN] + "...")
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        bits = value.bit_length()
        return str(value) if bits <= 128 else f"an integer of {bits} bits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, (list, tuple)) else type(value).__name__


def is_object(value: Any) -> bool:
    return type(value) is dict or isinstance(value, Mapping)  # the first is far faster


def is_number(value: Any) -> bool:
    """Whether a value is a number between -1e15 and 1e15; true and false are not numbers."""
    return type(value) in (int, float) and -1e15 <= value <= 1e15


def is_argument(text: Any) -> bool:
    """Whether a value can be an argument of a program: a text without NUL that UTF-8 can write."""
    return type(text) is str and "\0" not in text and _is_unicode(text)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_whole_name(value: Any) -> bool:
    return type(value) is int and -LARGEST_WHOLE <= value < LARGEST_WHOLE


def _is_flags(value: Any) -> bool:
    return type(value) in (list, tuple) and all(is_argument(flag) or is_number(flag) for flag in value)


TEXT = FieldType("a text", always=frozenset({str}))  # a subclass cannot be sent to a supervisor
NAME = FieldType("a text or a whole number", _is_whole_name, frozenset({str}))
SWITCH = FieldType("true or false", always=frozenset({bool}))
NUMBER = FieldType("a number", is_number)
WHOLE = FieldType("a whole number", lambda value: type(value) is int and is_number(value))
TIME = FieldType("a positive number", lambda value: is_number(value) and 0 < value <= 1e6)
MEMORY = FieldType("a number from 1 to 10,000,000", lambda value: is_number(value) and 1 <= value <= 1e7)
TOLERANCE = FieldType("a number from 0", lambda value: is_number(value) and value >= 0)
FLAGS = FieldType("a list of texts", _is_flags)
LIST = FieldType("a list", lambda value: isinstance(value, (list, tuple)), frozenset({list, tuple}))
OBJECT = FieldType("an object", is_object, frozenset({dict}))


def file_fault(files: Any, path: str, contents: Collection[type] = (str,)) -> Fault | None:
    """Why a value is not an object of texts by file name, with names that stay in one directory; or None."""
    if not isinstance(files, Mapping) or not all(type(content) in contents for content in files.values()):
        return wrong_type(path, "an object of texts by name", files)
    for name in files:
        if not _is_file_name(name):
            return Fault(path, f"{shown(name)} is not a name for a file beside the program")
    folders = {name[:end] for name in files for end in range(len(name)) if name[end] == "/"}
    for name in folders & files.keys():
        return Fault(path, f"{shown(name)} is a file and a folder")
    return None


def _is_file_name(name: Any) -> bool:
    if not is_argument(name):
        return False
    parts = name.split("/")
    return len(parts) <= MOST_PARTS and all(
        part.strip() and part not in (".", "..") and len(part.encode()) <= LONGEST_NAME for part in parts
    )


def count_values(values: list[Any]) -> int:
    """How many values a list holds, those in its lists and objects included.

    >>> count_values([1, [2, {"a": [3]}]])
    6
    """
    return sum(1 for _ in all_values(values))


def all_values(values: list[Any], names: bool = False) -> Iterator[Any]:
    """The values that a list holds, those in its lists and objects included; with `names`, the objects' names too.

    >>> list(all_values([1, {"a": [3]}], names=True))
    [1, {'a': [3]}, 'a', [3], 3]
    """
    level = values
    while level:
        yield from level
        inner = [item for item in level if type(item) in _CONTAINERS]
        parts = ((item if names else (), item.values()) if type(item) is dict else (item,) for item in inner)
        level = list(chain.from_iterable(chain.from_iterable(parts)))


_SCALARS = frozenset({type(None), bool, int, float, complex, str, bytes})
_CONTAINERS = frozenset({list, tuple, dict, set, frozenset})
_DATA = _SCALARS | _CONTAINERS


def data_fault(values: list[Any]) -> str:
    """Why some of the values are not plain data that can be encoded; "" when all are plain data.

    >>> data_fault([1, [2, {"a": None}]]), data_fault([[object()]])
    ('', 'a object is not data')
    """
    level = values
    for _ in range(MOST_DEPTH):
        types = list(map(type, level))
        kinds = set(types)
        if kinds <= _SCALARS:
            return ""
        if not kinds <= _DATA:
            return f"a {min(kind.__name__ for kind in kinds - _DATA)} is not data"
        inner = list(compress(level, map(_CONTAINERS.__contains__, types)))
        keyed = [item.values() for item in inner if type(item) is dict] if dict in kinds else []
        level = list(chain.from_iterable((*inner, *keyed)))
    return f"nested deeper than {MOST_DEPTH}"
