"""pandas objects as data: the parts that one is made of, and an equal one made from such parts.

    parts = taken_apart(frame)      # in one process
    put_together(parts)             # in the other one

Covers `DataFrame`, `Series`, `Index`, `Timestamp`, `Timedelta` and missing values, with columns of the usual types. A
subclass, or one with other columns (intervals, periods, sparse ones), is no data.
"""

from __future__ import annotations

import re
import sys
from typing import Any

CHANGEABLE = ("DataFrame", "Series")
INDEXES = ("Index", "RangeIndex", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex", "MultiIndex")
TIMES = ("Timestamp", "Timedelta")
COLUMN_TYPE = re.compile(r"str|string|boolean|U?Int\d\d?|Float\d\d|datetime64\[(s|ms|us|ns), [\w/+:-]{1,40}\]|category")
"""The types of columns that numpy does not have."""


def is_table(value: Any) -> bool:
    """Whether a value is a frame or a series, which a program can change in place."""
    return _is_made_by_pandas(value, CHANGEABLE) and all(map(_is_handed_over, _columns(value)))


def is_index_or_scalar(value: Any) -> bool:
    """Whether a value is one of pandas' immutable ones: an index, a time, a missing value."""
    if _is_made_by_pandas(value, INDEXES):
        return all(map(_is_handed_over, _columns(value)))
    return _is_made_by_pandas(value, TIMES) or _is_missing(value)


def taken_apart(value: Any) -> list[Any]:
    """The parts of a value: texts, numbers, arrays, and the objects in it."""
    kind = type(value).__name__
    if kind == "DataFrame":
        columns = [_column(value.iloc[:, place]) for place in range(value.shape[1])]
        return [kind, columns, taken_apart(value.index), taken_apart(value.columns)]
    if kind == "Series":
        return [kind, _column(value), taken_apart(value.index), value.name]
    if kind == "RangeIndex":
        return [kind, value.start, value.stop, value.step, value.name]
    if kind == "MultiIndex":
        return [kind, [taken_apart(value.get_level_values(level)) for level in range(value.nlevels)]]
    if kind in INDEXES:
        return ["Index", _column(value), getattr(value, "freqstr", None), value.name]
    if kind in TIMES:
        return ["item", _column(sys.modules["pandas"].Series([value]))]
    return [kind]


def put_together(parts: list[Any]) -> Any:
    """A value from its parts; raises a `ValueError`, `TypeError` or `LookupError` for anything else."""
    import pandas

    kind, *rest = parts
    if kind == "DataFrame":
        columns, index, names = rest
        made = pandas.DataFrame(dict(enumerate(map(_array, columns))), index=put_together(index))
        made.columns = put_together(names)
        return made
    if kind == "Series":
        column, index, name = rest
        return pandas.Series(_array(column), index=put_together(index), name=name)
    if kind == "RangeIndex":
        start, stop, step, name = rest
        return pandas.RangeIndex(start, stop, step, name=name)
    if kind == "MultiIndex":
        return pandas.MultiIndex.from_arrays([put_together(level) for level in rest[0]])
    if kind == "Index":
        column, frequency, name = rest
        made = pandas.Index(_array(column), name=name)
        if frequency is not None:
            made.freq = frequency
        return made
    if kind == "item":
        return pandas.Series(_array(rest[0]))[0]
    return {"NAType": pandas.NA, "NaTType": pandas.NaT}[kind]


def refill(table: Any, parts: list[Any]) -> None:
    """Give a frame or a series the contents of another one."""
    table._update_inplace(put_together(parts))  # pandas has no public way to replace columns and index in place


def _is_made_by_pandas(value: Any, names: tuple[str, ...]) -> bool:
    kind = type(value)
    return kind.__name__ in names and kind is getattr(sys.modules.get("pandas"), kind.__name__, None)


def _columns(value: Any) -> list[Any]:
    """The series and indexes that a value is made of."""
    kind = type(value).__name__
    if kind == "MultiIndex":
        return [value.get_level_values(level) for level in range(value.nlevels)]
    if kind == "DataFrame":
        columns = [value.iloc[:, place] for place in range(value.shape[1])]
        return [*columns, *_columns(value.index), *_columns(value.columns)]
    return [value, *_columns(value.index)] if kind == "Series" else [value]


def _is_handed_over(values: Any) -> bool:
    name = str(values.dtype)
    if name == "category":
        return _is_handed_over(values.array.categories)
    return type(values.dtype).__module__.startswith("numpy") or COLUMN_TYPE.fullmatch(name) is not None


def _is_missing(value: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is getattr(pandas, "NA", None) or value is getattr(pandas, "NaT", None))


def _column(values: Any) -> Any:
    """The items of a series or an index: a numpy array, or the name of their type, a list, and the categories."""
    name = str(values.dtype)
    if type(values.dtype).__module__.startswith("numpy"):
        return values.to_numpy()
    if name == "category":
        return [name, values.array.codes.tolist(), [taken_apart(values.array.categories), bool(values.array.ordered)]]
    if name.startswith("datetime64"):
        return [name, values.array.asi8.tolist(), None]
    missing = values.isna().tolist()
    return [name, [None if lost else item for item, lost in zip(values.tolist(), missing, strict=True)], None]


def _array(column: Any) -> Any:
    import pandas

    if not isinstance(column, list):
        return column
    name, items, categories = column
    if not COLUMN_TYPE.fullmatch(name):
        raise ValueError(f"{name!r} is not a type of column that is handed over")
    if name == "category":
        index, ordered = categories
        return pandas.Categorical.from_codes(items, put_together(index), ordered=ordered)
    if name.startswith("datetime64"):
        return pandas.Series(items, dtype="int64").astype(name).array
    return pandas.array(items, dtype=name)
