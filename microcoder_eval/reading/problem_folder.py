"""A problem in a folder, as companies keep them: a statement, tests as files, programs, and a few fields.

    two-sum/statement.md                  or problem.md, README.md, ..., also .txt, .html, .tex
    two-sum/meta.yaml                     or problem.json, ...: title, time_limit, difficulty, ...; all optional
    two-sum/tests/1.in, tests/1.out       or any names of `paired_files`, or tests.json, tests.yaml, tests.txt
    two-sum/solution.py, wrong/*.py       right and wrong programs, by the names of files and folders

`problem_folders` finds the folders among names of files, `folder_record` makes a problem's record of one.
What would need the problem's own judge (a checker, an interactor) is refused: equal outputs are not its rule.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.languages.table import SUFFIXES, language_of_file
from microcoder_eval.reading.documents import read_values
from microcoder_eval.reading.field_map import test_list
from microcoder_eval.reading.missing_fields import fields_of_a_test
from microcoder_eval.reading.paired_files import Pair, paired_files
from microcoder_eval.reading.yaml_form import LONGEST_YAML, read_yaml
from microcoder_eval.record_schema import shown

Read = Callable[[str], bytes]

_STATEMENTS = ("statement", "problem", "description", "question", "prompt", "task", "index", "readme")
"""Stems of a statement's file, the clearest first."""
_STATEMENT_ENDINGS = (".md", ".markdown", ".txt", ".html", ".htm", ".tex", ".rst")
_ABOUT = ("problem", "meta", "metadata", "info", "task", "question", "config")
_DATA_ENDINGS = (".json", ".yaml", ".yml")
_TESTS = ("tests", "test_cases", "testcases", "cases", "hidden_tests", "samples", "examples")
_TEST_ENDINGS = (*_DATA_ENDINGS, ".jsonl", ".txt")
_OF_A_PART = re.compile(
    r"(test(s|data|cases?)?|cases?|data|io|(in|out)(puts?)?|expected|ans(wers?)?|secret|hidden|public|private|samples?"
    r"|examples?|(sub)?tasks?|groups?)?[ _-]?\d*",
    re.IGNORECASE,
)
"""Folders that hold a part of a problem's tests."""
_NO_SOLUTION = frozenset({"test", "tests", "gen", "generator", "generators", "validator", "validators"})
_STARTER = frozenset({"starter", "template", "stub", "skeleton"})
_OF_PACKAGES = frozenset({"problem.xml", "init.yml", "domjudge-problem.ini"})
_OWN_JUDGE = frozenset({"checker", "checkers", "interactor", "grader", "judge", "scorer"})
_WRONG = frozenset({"wrong", "wa", "incorrect", "bad", "bug", "buggy", "fail", "failing", "broken", "rejected"})
_MAYBE_RIGHT = frozenset({"slow", "brute", "tle", "naive", "partial"})
_RIGHT = frozenset(
    {"solution", "solutions", "sol", "right", "correct", "accepted", "ac", "reference", "ref", "main", "model"}
)
_KEPT = frozenset(
    (
        *(
            "id",
            "title",
            "statement",
            "tests",
            "samples",
            "kind",
            "entry_point",
            "starter_code",
            "test_code",
            "checker",
        ),
        *("groups", "platform", "difficulty", "rating", "tags", "license", "url", "contest_date"),
        *("input_format", "output_format", "constraints", "notes"),
    )
)
_SAME_FIELD = {
    name: field
    for field, names in (
        ("id", ("problem_id", "slug")),
        ("title", ("name",)),
        ("statement", ("description",)),
        ("difficulty", ("level",)),
        ("tags", ("topics", "labels")),
        ("entry_point", ("function", "function_name", "fn_name")),
        ("tests", ("testcases", "test_cases", "cases")),
        ("samples", ("examples",)),
    )
    for name in names
}
_LIMIT = re.compile(r"(\d{1,15}(?:\.\d{1,15})?)\s*([a-z]*)", re.IGNORECASE)
_SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3, "milliseconds": 1e-3}
_MEGABYTES = {"": 1.0, "m": 1.0, "mb": 1.0, "mib": 1.0, "k": 1 / 1024, "kb": 1 / 1024, "kib": 1 / 1024}
_MEGABYTES |= dict.fromkeys(("g", "gb", "gib"), 1024.0)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n(.*?\n)---[ \t]*\r?\n", re.DOTALL)


def problem_folders(names: Iterable[str]) -> list[str]:
    """The folders that hold one problem each, among the names of all files below a folder; "" is that folder itself.

    >>> problem_folders(["README.md", "sum/statement.md", "sum/tests/1/input.txt", "sum/tests/1/output.txt"])
    ['sum']
    """
    names = _visible(names)
    described = {posixpath.dirname(name) for name in names if _describes(name)}
    inner = described - {""}
    pairs, _ = paired_files(filter(_may_be_test, names))
    tests = [pair.output for pair in pairs] + [name for name in names if _is_tests_file(name)]
    if tests and described == {""}:
        return [""]
    return sorted({_owner(posixpath.dirname(name), inner) for name in tests})


def folder_record(name: str, names: Iterable[str], read: Read) -> dict[str, Any]:
    """The record of the problem in a folder with these files, in the project's form; an `InputError` if it is unclear.

    `unpaired` has the names of tests' files without a partner. A solution is `{"code", "language", "correct"}`.
    """
    names = sorted(_visible(names))
    _refuse_own_judge(names)
    record: dict[str, Any] = {}
    about = next((each for stem in _ABOUT for each in names if _is_about(each, stem)), None)
    if about:
        record |= _fields(about, _data(about, read))
    statement = _first_statement(names)
    if statement:
        text = _text(statement, read)
        if front := _FRONT_MATTER.match(text):
            record |= _fields(statement, _yaml(statement, front[1]))
            text = text[front.end() :]
        record["statement"] = text.strip()
    record["id"] = str(record.get("id") or name)
    pairs, unpaired = paired_files(filter(_may_be_test, names))
    listed = [(each, test) for each in filter(_is_tests_file, names) for test in _listed(each, read)]
    tests = [(pair.is_sample, _test(pair, read)) for pair in pairs]
    tests += [(_stem(each) in ("samples", "examples"), test) for each, test in listed]
    if tests:
        record["tests"] = [test for _, test in tests]
    if samples := [test for is_sample, test in tests if is_sample]:
        record.setdefault("samples", samples)
    if unpaired:
        record["unpaired"] = unpaired
    programs = [each for each in names if _is_program(each)]
    solutions = [_solution(each, correct, read) for each in programs if (correct := _is_right(each, name)) != "no"]
    if solutions:
        record["solutions"] = solutions
    for each in programs:
        if _STARTER & _words(each):
            record.setdefault("starter_code", _text(each, read))
    if record.get("entry_point"):
        record.setdefault("kind", "call")
    return record


def _visible(names: Iterable[str]) -> list[str]:
    """The names without hidden files, such as those that a Mac writes beside each file of a zip."""
    return [name for name in names if not re.search(r"(^|/)\.", name)]


def _refuse_own_judge(names: Sequence[str]) -> None:
    is_kattis = any(name in ("problem.yaml", "problem.yml") for name in names)
    for name in names:
        if name in _OF_PACKAGES or (is_kattis and name.startswith(("data/secret/", "output_validator"))):
            raise InputError(f"{name}: of a judge's package. `microcoder data init` makes a dataset of those")
        if _OWN_JUDGE & _words(name) and _is_program(name):
            raise InputError(
                f"{name}: how this program judges is not known. Give the problem a `checker` in meta.yaml instead"
            )


def _owner(folder: str, described: Collection[str]) -> str:
    """The folder of the problem whose test lies in `folder`."""
    place = folder
    while place:
        if place in described:
            return place
        place = posixpath.dirname(place)
    while _OF_A_PART.fullmatch(posixpath.basename(folder)) and folder and not folder.isdigit():
        folder = posixpath.dirname(folder)
    return folder  # a number at the top is a problem's, since no file describes the folder above it


def _describes(name: str) -> bool:
    """Whether the file is one that only a problem's own folder has."""
    folder, stem = posixpath.dirname(name), _stem(name)
    if stem == "readme" and (
        not folder or _OF_A_PART.fullmatch(posixpath.basename(folder).rstrip("0123456789") or "x")
    ):
        return False  # it may be about all problems, or about a folder of tests
    is_about = bool(folder) and (
        any(_is_about(name, each) for each in _ABOUT) or (stem == "solution" and _is_program(name))
    )
    return is_about or (stem in _STATEMENTS and name.lower().endswith(_STATEMENT_ENDINGS))


def _first_statement(names: Iterable[str]) -> str | None:
    """The statement among a problem's files: in the problem's own folder rather than below, in English."""
    found = [each for each in names if each.lower().endswith(_STATEMENT_ENDINGS) and not _is_tests_file(each)]
    named = [each for each in found if _stem(each) in _STATEMENTS or {"statement", "statements"} & _words(each)]
    named = named or [each for each in found if each.lower().endswith((".md", ".markdown")) and "/" not in each]
    return min(named, key=_rank_of_statement, default=None)


def _rank_of_statement(name: str) -> tuple[int, int, int, str]:
    rank = _STATEMENTS.index(_stem(name)) if _stem(name) in _STATEMENTS else len(_STATEMENTS)
    return name.count("/"), rank, not {"en", "english"} & _words(name), name


def _may_be_test(name: str) -> bool:
    lowered = name.lower()
    return not (
        _is_program(name)
        or lowered.endswith((".md", ".html", ".htm", ".tex", ".rst", ".pdf", ".yaml", ".yml"))
        or any(_is_about(name, stem) for stem in _ABOUT)
        or _is_tests_file(name)
    )


def _is_tests_file(name: str) -> bool:
    return name.lower().endswith(_TEST_ENDINGS) and _stem(name).replace("-", "_") in _TESTS


def _is_about(name: str, stem: str) -> bool:
    return _stem(name) == stem and name.lower().endswith(_DATA_ENDINGS)


def _is_program(name: str) -> bool:
    ending = posixpath.splitext(name)[1].lower()
    return ending == ".py" or ending in SUFFIXES


def _is_right(name: str, problem: str) -> Any:
    """Whether a program is right: True, False, None when it is not said; "no" for a program that is no solution."""
    words = _words(name)
    if (_NO_SOLUTION | _STARTER) & words:
        return "no"
    if _WRONG & words:
        return False
    if _MAYBE_RIGHT & words:
        return None
    own = re.sub(r"\W|_", "", posixpath.basename(problem).lower()) == re.sub(r"\W|_", "", _stem(name))
    return True if _RIGHT & words or own else "no"


def _solution(name: str, correct: bool | None, read: Read) -> dict[str, Any]:
    language = language_of_file(posixpath.splitext(name)[1])
    return {"code": _text(name, read), "language": language, "correct": correct}


def _fields(place: str, value: Any) -> dict[str, Any]:
    """The fields of a problem in an object that somebody wrote, under the project's names."""
    if not isinstance(value, Mapping):
        raise InputError(f"{place}: not an object with fields")
    found: dict[str, Any] = {}
    for key, entry in value.items():
        plain = re.sub(r"[ -]", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(key))).lower()
        name = _SAME_FIELD.get(plain, plain)
        if re.match(r"time_?limit|timeout", plain):
            found["time_limit_s"] = _limit(place, plain, entry, _SECONDS)
        elif re.match(r"memory_?limit", plain):
            found["memory_limit_mb"] = _limit(place, plain, entry, _MEGABYTES)
        elif name in ("tests", "samples"):
            found[name] = _named(test_list(entry))
        elif name == "checker" and isinstance(entry, str):
            found[name] = {"kind": entry}
        elif name in _KEPT and entry is not None:
            found.setdefault(name, entry)
    return found


def _limit(place: str, name: str, value: Any, units: Mapping[str, float]) -> float:
    match = _LIMIT.fullmatch(value.strip() if isinstance(value, str) else shown(value))
    of_name = name.rpartition("_")[2]
    unit = (match[2].lower() if match else "") or (of_name if of_name in units else "")
    if match is None or unit not in units:
        raise InputError(
            f"{place}: {name}: {shown(value)} is no limit; write a number with one of {', '.join(filter(None, units))}"
        )
    limit = float(match[1]) * units[unit]
    return limit if units is _SECONDS else math.ceil(limit)


def _listed(name: str, read: Read) -> list[Any]:
    if name.lower().endswith(".txt"):
        return _named(test_list(_text(name, read)))
    value = _data(name, read)
    if isinstance(value, Mapping) and len(value) == 1 and isinstance(inner := next(iter(value.values())), list):
        value = inner  # {"tests": [...]}
    return _named(test_list(value))


def _named(tests: list[Any]) -> list[Any]:
    """Tests with the fields `input` and `output`, whatever their own names."""
    named = [dict(zip(("input", "output"), test, strict=True)) if _is_pair(test) else test for test in tests]
    objects = [test for test in named if isinstance(test, Mapping)]
    given, wanted = fields_of_a_test(objects) or ("input", "output")
    return [
        {"input": test.get(given), "output": test.get(wanted)} if isinstance(test, Mapping) else test for test in named
    ]


def _is_pair(test: Any) -> bool:
    return isinstance(test, (list, tuple)) and len(test) == 2


def _test(pair: Pair, read: Read) -> dict[str, str]:
    return {"input": _text(pair.input, read), "output": _text(pair.output, read)}


def _data(name: str, read: Read) -> Any:
    text = _text(name, read)
    if name.lower().endswith((".yaml", ".yml")):
        return _yaml(name, text)
    try:
        return read_values(text.encode())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not JSON: {error}") from None


def _yaml(name: str, text: str) -> Any:
    if len(text) > LONGEST_YAML:
        raise InputError(f"{name}: more than {LONGEST_YAML >> 20} MiB of YAML")
    try:
        return read_yaml(text.encode())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not YAML: {error}") from None


def _text(name: str, read: Read) -> str:
    try:
        return read(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 at byte {error.start}") from None


def _stem(name: str) -> str:
    """The name of a file without folders and endings: `statement` of `two-sum/statement.en.md`."""
    return posixpath.basename(name).lower().partition(".")[0]


def _words(name: str) -> set[str]:
    return set(re.findall(r"[a-z]+", name.lower()))
