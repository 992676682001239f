"""The types `Checker` and `Interactor`: how a problem's answers are judged.

Both are read from and written to plain dictionaries. Nothing here compares an output or runs a program.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microcoder_eval.errors import FieldError, refuse
from microcoder_eval.kattis_rule import Rule
from microcoder_eval.record_schema import (
    FLAGS,
    OBJECT,
    SWITCH,
    TEXT,
    TOLERANCE,
    field_fault,
    file_fault,
    object_fault,
    shown,
    wrong_type,
)

CHECKERS = ("tokens", "lines", "exact", "case_insensitive", "float", "unordered", "kattis_default", "python", "cpp")
UNORDERED = ("lines", "tokens", "elements")
STYLES = {"python": ("function", "testlib", "kattis"), "cpp": ("testlib", "kattis")}
"""The conventions by which a judges' program is called and answers, by language; the first is the default."""
FILES = OBJECT._replace(what="an object of texts by name")
"""Only the type; `file_fault` checks names and contents."""
SOURCE_FIELDS = {"kind": TEXT, "code": TEXT, "files": FILES, "style": TEXT, "flags": FLAGS}
CHECKER_FIELDS = {**SOURCE_FIELDS, "abs": TOLERANCE, "rel": TOLERANCE, "of": TEXT, "nested": SWITCH}
INTERACTOR_FIELDS = {**SOURCE_FIELDS, "language": TEXT}


@dataclass(frozen=True)
class Checker:
    """How an output is judged. The problem chooses it; the grader never guesses.

    >>> Checker.from_dict({"kind": "float", "abs": 1e-4}).abs
    0.0001
    """

    kind: str = "tokens"
    abs: float = 1e-6
    """`float`: the absolute tolerance; an answer within either tolerance is right."""
    rel: float = 1e-6
    """`float`: the relative tolerance."""
    of: str = "lines"
    """`unordered`: what may come in any order: "lines", "tokens", or "elements" of a value or of a printed literal."""
    nested: bool = False
    """`unordered` of lines or elements: their parts may come in any order too, at every level."""
    code: str = ""
    """`python`, `cpp`: the checker's source."""
    files: Mapping[str, str] = field(default_factory=dict)
    """`python`, `cpp`: further files, by name."""
    style: str = ""
    """`python`, `cpp`: "function" (Python only: `check(input, expected, actual)`), or a whole program by conventions
    of "testlib" (arguments: input, output, answer; exit status 0 accepts) or "kattis" (arguments: input, answer,
    feedback directory; the output on stdin; exit status 42 accepts, 43 rejects)."""
    flags: tuple[str, ...] = ()
    """`kattis_default`: the validator's flags; of a whole program: further arguments."""

    def __post_init__(self) -> None:
        refuse(field_fault(vars(self), CHECKER_FIELDS, "checker"))
        if self.kind not in CHECKERS:
            raise FieldError("checker.kind", f"unknown checker {shown(self.kind)}; known: {', '.join(CHECKERS)}")
        if self.of not in UNORDERED:
            raise FieldError(*wrong_type("checker.of", f"one of {', '.join(UNORDERED)}", self.of))
        if self.nested and (self.kind != "unordered" or self.of == "tokens"):
            raise FieldError("checker.nested", "belongs to unordered lines and elements")

    @classmethod
    def from_dict(cls, record: Mapping[str, Any] | None) -> Checker:
        if record is None:
            return DEFAULT
        refuse(object_fault(record, 'an object with a "kind", such as {"kind": "tokens"},', "checker"))
        record = {**record, **{name: _number(record[name]) for name in ("abs", "rel") if name in record}}
        refuse(field_fault(record, CHECKER_FIELDS, "checker"))
        kind = record.get("kind")
        if kind is None:
            raise FieldError("checker", 'an object with a "kind", such as {"kind": "tokens"}, expected')
        known = {name: record[name] for name in CHECKER_FIELDS if record.get(name) is not None}
        known.update(flags=read_flags(record), files=dict(record.get("files") or {}))
        if kind in STYLES:
            known.update(_source("checker", kind, record))
        checker = cls(**known)
        if kind == "kattis_default":
            try:
                Rule.from_flags(checker.flags)
            except (ValueError, OverflowError) as error:
                raise FieldError("checker.flags", str(error)) from None
        return checker

    def with_flags(self, flags: tuple[str, ...] | None) -> Checker:
        """This checker with a test's own flags, if there are any; raises `InputError` for flags it does not know."""
        return self if flags is None else Checker.from_dict({**self.to_dict(), "flags": flags})

    @property
    def is_program(self) -> bool:
        """Whether the checker is a whole program, and not a rule or a function."""
        return self.kind in STYLES and self.style != "function"

    def to_dict(self) -> dict[str, Any]:
        used = {
            "float": ("abs", "rel"),
            "unordered": ("of", "nested") if self.nested else ("of",),
            "kattis_default": ("flags",),
            "python": ("code", "files", "style", "flags") if self.is_program else ("code",),
            "cpp": ("code", "files", "style", "flags"),
        }.get(self.kind, ())
        return {"kind": self.kind, **{name: plain(getattr(self, name)) for name in used}}


DEFAULT = Checker()
"""The checker of a problem that names none."""


@dataclass(frozen=True)
class Interactor:
    """The program at the other end of an interactive problem: it sees the test, and talks to the submission.

    >>> Interactor.from_dict({"code": "def interact(input, read_line, write_line): ..."}).style
    'function'
    """

    code: str = ""
    language: str = "python"
    """"python" or "cpp"."""
    style: str = "function"
    """"function" (Python: `interact(input, read_line, write_line)` returns whether to accept, or that and a message);
    or a whole program that talks over stdin and stdout, "testlib" (arguments: input, output, answer; exit status 0
    accepts) or "kattis" (arguments: input, answer, feedback directory; exit status 42 accepts, 43 rejects)."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Further sources, by file name."""
    flags: tuple[str, ...] = ()
    """Further arguments of a whole program."""

    def __post_init__(self) -> None:
        refuse(field_fault(vars(self), INTERACTOR_FIELDS, "interactor"))
        if self.language not in STYLES:
            raise FieldError(*wrong_type("interactor.language", "python or cpp", self.language))

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Interactor:
        refuse(object_fault(record, 'an object such as {"language": "python", "code": "..."}', "interactor"))
        refuse(field_fault(record, INTERACTOR_FIELDS, "interactor"))
        language = record.get("language") or record.get("kind") or "python"
        if language not in STYLES:
            raise FieldError(*wrong_type("interactor.language", "python or cpp", language))
        return cls(language=language, **_source("interactor", language, record))

    def to_dict(self) -> dict[str, Any]:
        return {name: plain(value) for name, value in vars(self).items()}


def _number(value: Any) -> Any:
    """A tolerance as a number, where that is possible: YAML reads 1e-6 as a text."""
    try:
        return float(value) if type(value) in (str, int) else value
    except (ValueError, OverflowError):
        return value


def _source(what: str, language: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """The checked fields that checkers and interactors with code have in common."""
    code, style = record.get("code") or "", record.get("style") or STYLES[language][0]
    files = record.get("files") or {}
    if style not in STYLES[language]:
        raise FieldError(*wrong_type(f"{what}.style", f"{' or '.join(STYLES[language])} in {language}", style))
    refuse(file_fault(files, f"{what}.files"))
    if not code and (not files or style == "function"):
        raise FieldError(f"{what}.code", "is missing")
    return {"code": code, "style": style, "files": dict(files), "flags": read_flags(record)}


def read_flags(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The flags of a checked record as texts."""
    return tuple(map(str, record.get("flags") or ()))


def plain(value: Any) -> Any:
    """A field's value as plain data for JSON."""
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
