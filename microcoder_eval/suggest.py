"""Suggests the name that was probably meant when a name does not exist, and writes paths into suggested commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def closest(word: object, known: Iterable[str]) -> str | None:
    """The known name that is spelled most like `word`, or None when none is close.

    >>> closest("sedd", ["seed", "step"])
    'seed'
    """
    import difflib  # only a message needs it, and every supervisor imports this file

    return next(iter(difflib.get_close_matches(str(word), list(known), n=1)), None)


def did_you_mean(word: object, known: Iterable[str], or_list: bool = False) -> str:
    """The end of a message about an unknown name. With `or_list`, all known names when none is close.

    >>> did_you_mean("sedd", ["seed", "step"])
    "; did you mean 'seed'?"
    """
    names = list(known)
    near = closest(word, names)
    if near is not None:
        return f"; did you mean {near!r}?"
    return f"; known: {', '.join(names)}" if or_list else ""


def similar_path(path: Path) -> str:
    """The end of a message about a path that does not exist: the path that has one name spelled otherwise, if any.

    >>> from pathlib import Path
    >>> similar_path(Path("/no/such/path"))
    ''
    """
    try:
        missing = next((each for each in (path, *path.parents) if each.parent.is_dir()), path)
        rest = path.relative_to(missing)
        there = [each.name for each in missing.parent.iterdir() if (each / rest).exists()]
    except OSError:
        return ""
    near = closest(missing.name, there)
    return f"; did you mean '{missing.parent / near / rest}'?" if near else ""


def why_absent(path: Path, what: str = "file") -> str:
    """Why there is nothing at a path: it is a link that leads nowhere or in a circle, or there is no such `what`.

    >>> from pathlib import Path
    >>> why_absent(Path("/no/such/path"))
    'no such file'
    """
    if path.is_symlink():
        try:
            path.stat()
        except FileNotFoundError:
            return f"a link to '{path.readlink()}', which does not exist"
        except OSError as error:
            return f"a link that cannot be followed: {(error.strerror or str(error)).lower()}"
    return f"no such {what}{similar_path(path)}"


def pasted(path: object) -> str:
    """A path as it is pasted into a command.

    >>> pasted("my runs/one"), pasted("-x")
    ("'my runs/one'", './-x')
    """
    from shlex import quote  # every supervisor imports this file

    return quote(f"./{path}" if str(path).startswith("-") else str(path))
