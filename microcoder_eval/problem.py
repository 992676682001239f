"""The data types of grading: problem, test case, submission; read from and written to plain dictionaries.

Nothing here runs a program or compares an output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from microcoder_eval.arguments import parse_arguments, parse_value
from microcoder_eval.checker import Checker, Interactor, plain, read_flags
from microcoder_eval.errors import FieldError, InputError, refuse
from microcoder_eval.record_schema import (
    FLAGS,
    MEMORY,
    NAME,
    SWITCH,
    TEXT,
    TIME,
    data_fault,
    field_fault,
    is_object,
    object_fault,
    shown,
    wrong_type,
)
from microcoder_eval.scoring import BadGroups, Group, read_groups

__all__ = ["KINDS", "Checker", "Interactor", "Policy", "Problem", "Submission", "TestCase"]

KINDS = ("stdin", "call", "asserts", "interactive")
DEFAULT_TIME_LIMIT_S = 2.0
DEFAULT_MEMORY_LIMIT_MB = 512


class Policy(str, Enum):
    """Which rungs of the comparison ladder may accept an answer."""

    STRICT = "strict"
    """Exactly what LiveCodeBench's evaluator accepts."""
    CONTEST = "contest"
    """What a competent contest judge accepts, given the problem's checker. The default."""
    LENIENT = "lenient"
    """The paper's whole ladder, sets included."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class TestCase:
    """One test. `stdin`: input and output are text. `call`: arguments (list, or dict by keyword) and a value."""

    __test__ = False  # pytest: this is not a test class

    input: Any
    output: Any
    time_limit_s: float | None = None
    memory_limit_mb: int | None = None
    flags: tuple[str, ...] | None = None
    """The flags of the checker or the interactor on this test; they replace its own."""

    def __post_init__(self) -> None:
        if self.time_limit_s is not None or self.memory_limit_mb is not None or self.flags is not None:
            refuse(field_fault(vars(self), TEST_FIELDS))

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], kind: str) -> TestCase:
        if not is_object(record) or "input" not in record:
            raise FieldError("", 'an object with "input" and "output" expected')
        given, wanted = record["input"], record.get("output")
        if kind == "interactive" and wanted is None:
            wanted = ""
        elif wanted is None and (kind != "call" or "output" not in record):
            raise FieldError("output", "is missing")
        if kind == "call" and isinstance(given, str):
            given, wanted = parse_arguments(given), parse_value(wanted) if isinstance(wanted, str) else wanted
        flags = record.get("flags")
        if flags is not None:
            refuse(field_fault(record, TEST_FIELDS))
            flags = read_flags(record)
        return cls(given, wanted, record.get("time_limit_s"), record.get("memory_limit_mb"), flags)

    def to_dict(self) -> dict[str, Any]:
        record = {"input": self.input, "output": self.output}
        if self.time_limit_s is not None:
            record["time_limit_s"] = self.time_limit_s
        if self.memory_limit_mb is not None:
            record["memory_limit_mb"] = self.memory_limit_mb
        if self.flags is not None:
            record["flags"] = plain(self.flags)
        return record


@dataclass(frozen=True)
class Problem:
    """A programming problem with everything needed to grade a submission to it.

    >>> problem = Problem.from_dict({"id": "sum", "kind": "stdin", "tests": [{"input": "1 2", "output": "3"}]})
    >>> problem.tests[0].output
    '3'
    """

    id: str
    kind: str = "stdin"
    tests: tuple[TestCase, ...] = ()
    checker: Checker = field(default_factory=Checker)
    entry_point: str | None = None
    """`call`: "Solution.f" or "f"; `asserts`: the function that `check` receives."""
    starter_code: str = ""
    test_code: str = ""
    """`asserts`: the test program (HumanEval `check`, MBPP assert lists, pytest-style functions)."""
    interactor: Interactor | None = None
    groups: Any = None
    """The groups of tests of a scoring problem, as in the record (see `scoring`)."""
    time_limit_s: float = DEFAULT_TIME_LIMIT_S
    memory_limit_mb: int = DEFAULT_MEMORY_LIMIT_MB
    statement: str = ""

    def __post_init__(self) -> None:
        try:
            refuse(field_fault(vars(self), PROBLEM_FIELDS))
            for name, kind in (("checker", Checker), ("interactor", Interactor)):
                value = getattr(self, name)
                if not isinstance(value, kind) and (value is not None or name == "checker"):
                    raise FieldError(*wrong_type(name, f"a {kind.__name__}", value))
            if self.kind not in KINDS:
                raise FieldError("kind", f"unknown kind {shown(self.kind)}; known: {', '.join(KINDS)}")
            _check_tests(self.tests, self.kind)
        except FieldError as error:
            raise _about(self.id, error) from None

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Problem:
        """Read the interchange form; raises `InputError` with one clear line when it cannot be graded."""
        refuse(object_fault(record, "a problem as a JSON object"))
        name = record.get("id")
        if name is None or name == "":
            raise InputError('the problem has no "id"')
        try:
            return cls._from_dict(record)
        except FieldError as error:
            raise _about(name, error) from None

    @classmethod
    def _from_dict(cls, record: Mapping[str, Any]) -> Problem:
        refuse(field_fault(record, PROBLEM_FIELDS))
        kind = kind_of(record)
        if kind not in KINDS:
            raise FieldError("kind", f"unknown kind {shown(kind)}; known: {', '.join(KINDS)}")
        listed = record.get("tests") or []
        if not isinstance(listed, (list, tuple)):
            raise FieldError(*wrong_type("tests", "a list", listed))
        if not listed and kind != "asserts":
            raise FieldError("", "no tests: nothing could be graded")
        if kind == "asserts" and not (record.get("test_code") or "").strip():
            raise FieldError("", 'kind asserts needs "test_code"')
        if kind == "call" and not record.get("entry_point"):
            raise FieldError("", 'kind call needs "entry_point", such as "Solution.solve"')
        tests = []
        for index, test in enumerate(listed):
            if kind == "stdin" and is_object(test) and says_function(test):
                raise FieldError(f"tests[{index}]", "calls a function: name it in `entry_point`")
            try:
                tests.append(TestCase.from_dict(test, kind))
            except FieldError as error:
                raise error.within(f"tests[{index}]") from None
        checker = Checker.from_dict(record.get("checker"))
        for flags in {test.flags: index for index, test in enumerate(tests) if test.flags is not None}.items():
            try:
                checker.with_flags(flags[0])
            except FieldError as error:
                raise FieldError(f"tests[{flags[1]}].flags", error.what) from None
        problem = cls(
            id=str(record["id"]),
            kind=kind,
            tests=tuple(tests),
            checker=checker,
            entry_point=record.get("entry_point") or None,
            starter_code=record.get("starter_code") or "",
            test_code=record.get("test_code") or "",
            interactor=Interactor.from_dict(record.get("interactor") or {}) if kind == "interactive" else None,
            groups=record.get("groups"),
            time_limit_s=_or(record.get("time_limit_s"), DEFAULT_TIME_LIMIT_S),
            memory_limit_mb=int(_or(record.get("memory_limit_mb"), DEFAULT_MEMORY_LIMIT_MB)),
            statement=record.get("statement") or "",
        )
        problem.scored()
        return problem

    def scored(self) -> Group | None:
        """The groups of tests of a scoring problem, otherwise None; raises `InputError` when they cannot be used."""
        try:
            return None if self.groups is None else read_groups(self.groups, len(self.tests))
        except BadGroups as error:
            raise InputError(f"problem {self.id!r}: groups: {error}") from None

    @cached_property
    def units(self) -> int:
        """`asserts`: how many tests its test program has; raises `InputError` when that cannot be used."""
        from microcoder_eval.boundary.assert_units import units  # only test programs need it

        found = units(self.test_code)
        if found[0].kind == "check" and not self.entry_point:
            raise InputError('its check function needs an "entry_point" to check')
        return len(found)

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "statement": self.statement,
            "entry_point": self.entry_point,
            "starter_code": self.starter_code,
            "tests": [test.to_dict() for test in self.tests],
            "checker": self.checker.to_dict(),
            "test_code": self.test_code,
            "interactor": self.interactor.to_dict() if self.interactor else None,
            "groups": self.groups,
            "time_limit_s": self.time_limit_s,
            "memory_limit_mb": self.memory_limit_mb,
        }


@dataclass(frozen=True)
class Submission:
    """A program to grade (`code`), or a model's reply to extract one from (`response`)."""

    id: str
    problem_id: str
    code: str | None = None
    response: str | None = None
    language: str = "python"
    truncated: bool = False
    """Whether a length limit ended the reply. It affects `Grade.complete`, never the verdict."""

    def __post_init__(self) -> None:
        try:
            refuse(field_fault(vars(self), SUBMISSION_FIELDS))
            if self.language is None:
                raise FieldError(*wrong_type("language", "a text", None))
        except FieldError as error:
            raise InputError(f"submission {shown(self.id)}: {error}") from None
        if (self.code is None) == (self.response is None):
            raise InputError(f'submission {shown(self.id)}: give either "code" or "response"')

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Submission:
        refuse(object_fault(record, "a submission as a JSON object"))
        name, problem, language = record.get("id"), record.get("problem_id"), record.get("language")
        if name is None or problem is None:
            raise InputError('a submission needs "id" and "problem_id"')
        language = "python" if language is None or language == "" else language
        truncated = False if record.get("truncated") is None else record["truncated"]
        return cls(_text(name), _text(problem), record.get("code"), record.get("response"), language, truncated)

    def to_dict(self) -> dict[str, Any]:
        program = {"response": self.response} if self.code is None else {"code": self.code}
        cut = {"truncated": True} if self.truncated else {}
        return {"id": self.id, "problem_id": self.problem_id, "language": self.language, **program, **cut}


TEST_FIELDS = {"time_limit_s": TIME, "memory_limit_mb": MEMORY, "flags": FLAGS}
PROBLEM_FIELDS = {
    **dict.fromkeys(("kind", "statement", "entry_point", "starter_code", "test_code"), TEXT),
    "id": NAME,
    "time_limit_s": TIME,
    "memory_limit_mb": MEMORY,
}
SUBMISSION_FIELDS = {
    "id": NAME,
    "problem_id": NAME,
    "code": TEXT,
    "response": TEXT,
    "language": TEXT,
    "truncated": SWITCH,
}


def kind_of(record: Mapping[str, Any]) -> Any:
    """The kind that a problem's record names, or else the one that its fields show.

    >>> [kind_of(record) for record in ({"entry_point": "f"}, {"entry_point": "f", "test_code": "assert f(1)"}, {})]
    ['call', 'asserts', 'stdin']
    """
    if record.get("kind"):
        return record["kind"]
    return "asserts" if record.get("test_code") else "call" if record.get("entry_point") else "stdin"


def says_function(test: Mapping[str, Any]) -> bool:
    """Whether a test says that it calls a function, as those of LiveCodeBench and DeepCoder do."""
    return (test.get("testtype") or test.get("type")) in ("functional", "function_call")


def _about(name: Any, error: FieldError) -> InputError:
    return InputError(f"problem {shown(name) if isinstance(name, str) else repr(shown(name))}: {error}")


def _check_tests(tests: Any, kind: str) -> None:
    """Raise `FieldError` for a test that does not belong to a problem of this kind."""
    if not isinstance(tests, (list, tuple)):
        raise FieldError(*wrong_type("tests", "a list", tests))
    if set(map(type, tests)) - {TestCase} and not all(isinstance(test, TestCase) for test in tests):
        raise FieldError(*wrong_type("tests", "a list of TestCase", tests))
    if kind != "call":
        if not {type(text) for test in tests for text in (test.input, test.output)} <= {str}:
            for index, test in enumerate(tests):
                if fault := field_fault(vars(test), {"input": TEXT, "output": TEXT}, f"tests[{index}]"):
                    way_out = "; if the tests call a function, name it in `entry_point`" if kind == "stdin" else ""
                    raise FieldError(fault.path, fault.what + way_out)
                if test.input is None or test.output is None:
                    raise FieldError(
                        *wrong_type(f"tests[{index}].{'input' if test.input is None else 'output'}", "a text", None)
                    )
        return
    inputs = [test.input for test in tests]
    if set(map(type, inputs)) - {list, dict}:
        for index, given in enumerate(inputs):
            if not isinstance(given, (list, dict)):
                raise FieldError(
                    *wrong_type(f"tests[{index}].input", "a list of arguments, an object, or a text", given)
                )
    if data_fault([*inputs, *(test.output for test in tests)]):
        for index, test in enumerate(tests):
            for name, value in (("input", test.input), ("output", test.output)):
                what = data_fault([value])
                if what:
                    raise FieldError(f"tests[{index}].{name}", what)


def _text(name: Any) -> Any:
    """A name as text. A value that cannot be a name is returned as it is; the check of the fields refuses it."""
    return str(name) if NAME.accepts(name) else name


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value
