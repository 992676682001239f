"""The errors that users see: their own mistakes, and a grader that cannot work."""

from __future__ import annotations


class InputError(ValueError):
    """A user's mistake: one line that says what, where and how to fix it."""


class FieldError(InputError):
    """A field of a record cannot be used. `path` names the field, `what` is the reason."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"{path}: {what}" if path else what)
        self.path = path
        self.what = what

    def within(self, outer: str) -> FieldError:
        """The same error, with its path seen from the record around this one.

        >>> str(FieldError("abs", "a number expected").within("checker"))
        'checker.abs: a number expected'
        """
        return FieldError(f"{outer}.{self.path}" if self.path else outer, self.what)


def refuse(fault: tuple[str, str] | None) -> None:
    """Raise `FieldError` for a fault that `record_schema` has found; do nothing for None."""
    if fault is not None:
        raise FieldError(*fault)


class UnsupportedError(InputError):
    """The grader does not take this program for this problem."""

    def __init__(self, about: str, reason: str) -> None:
        super().__init__(f"{about}: {reason}")
        self.reason = reason
        """The message without the name of the program or problem."""


class GraderError(RuntimeError):
    """The grader cannot work: one line that says why."""


def first_line(error: BaseException) -> str:
    """The first line of an error's message, for a message of one line; the error's type when it has none.

    >>> first_line(OSError("cannot open\\nTraceback ...")), first_line(EOFError())
    ('cannot open', 'EOFError')
    """
    return (str(error).strip() or type(error).__name__).splitlines()[0]
