"""A row that an adapter made of a package: is it a problem that the grader accepts?"""

from __future__ import annotations

from microcoder_data.rules import Reject
from microcoder_data.schema import Row, to_problem
from microcoder_eval import InputError


def refuse_ungradable(row: Row) -> None:
    """Raise a Reject with the grader's reason when the row is not a problem, such as one whose groups do not fit."""
    try:
        to_problem(row)
    except InputError as error:
        raise Reject("not_gradable", str(error)) from None
