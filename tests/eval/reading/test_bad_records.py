"""Records with fields of other types: each is refused with one line that names the field, and none ends a run."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_eval import Checker, InputError, Interactor, Problem, Submission, TestCase
from microcoder_eval.arguments import parse_arguments, parse_value
from microcoder_eval.reading.input_files import BadRecord, ProblemFile, read_submissions
from microcoder_eval.reading.problem_from_row import problem_record
from microcoder_eval.reading.record_files import parse_record
from microcoder_eval.signatures import node_hints, parameters
from tests.eval.command import microcoder, write
from tests.eval.record_mutants import changed, places

pytestmark = pytest.mark.fast

TEST = {"input": "", "output": "1", "time_limit_s": 2.0, "memory_limit_mb": 256, "flags": ["case_sensitive"]}
LIMITS = {"time_limit_s": 2.0, "memory_limit_mb": 256, "statement": "Print 1.", "starter_code": ""}
PROGRAM = {"kind": "python", "code": "import sys", "style": "kattis", "files": {"a.py": ""}, "flags": ["x"]}
PROBLEMS: dict[str, dict[str, Any]] = {
    "stdin": {"id": "p", "kind": "stdin", "tests": [TEST], "checker": {"kind": "kattis_default"}, **LIMITS},
    "float": {"id": "p", "tests": [TEST], "checker": {"kind": "float", "abs": 1e-6, "rel": 1e-6}},
    "unordered": {"id": "p", "tests": [TEST], "checker": {"kind": "unordered", "of": "elements", "nested": True}},
    "program": {"id": "p", "tests": [TEST], "checker": PROGRAM},
    "call": {"id": "p", "kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": 1}]},
    "asserts": {"id": "p", "kind": "asserts", "entry_point": "f", "tests": [], "test_code": "assert f(1) == 1"},
    "interactive": {
        "id": "p",
        "kind": "interactive",
        "tests": [{"input": "1"}],
        "interactor": {"language": "python", "style": "kattis", "files": {"a.py": ""}, "flags": ["x"], "code": "1"},
    },
    "groups": {
        "id": "p",
        "tests": [TEST],
        "groups": [{"name": "a", "max_score": 9, "tests": [0], "score_aggregation": "sum", "require_pass": []}],
    },
    "legacy groups": {
        "id": "p",
        "tests": [TEST],
        "groups": {
            "on_reject": "continue",
            "grader_flags": ["sum"],
            "groups": [{"name": "a", "accept_score": 3, "reject_score": 0, "range": "0 30", "tests": [0]}],
        },
    },
}
ROW: dict[str, Any] = {
    "problem_id": "p",
    "kind": "stdin",
    "time_limit_ms": 1000,
    "memory_limit_mb": 256,
    "statement": "Print 1.",
    "entry_point": "f",
    "starter_code": "",
    "test_code": "",
    "interactor": None,
    "tests": [{"input": "", "output": "1", "ref": None, "flags": ["x"], "groups": ["secret/a"]}],
    "checker": {"kind": "python", "abs": None, "code": "1", "files": [{"name": "a", "text": ""}], "style": "kattis"},
    "groups": json.dumps([{"name": "a", "max_score": 1}]),
}
SUBMISSION = {"id": "s", "problem_id": "p", "language": "python", "code": "print(1)"}
DEEP = json.loads("[" * 300 + "]" * 300)
VALUES: dict[str, Any] = {
    "null": None, "true": True, "false": False, "zero": 0, "five": 5, "negative": -1, "half": 0.5,
    "huge": 10**400, "longer than str() allows": 10**5000, "largest": 1e308, "infinite": float("inf"),
    "nan": float("nan"), "empty": "", "text": "x", "surrogate": "\ud800", "NUL": "a\0b", "folder": "../../x",
    "list": [], "list of five": [5], "list of null": [None], "nested": [[["x"]]], "deep": DEEP,
    "object": {}, "object of five": {"a": 5}, "file elsewhere": {"/etc/x": ""}, "file and folder": {"a": "", "a/b": ""},
    "key of another type": {5: "x"}, "an object of Python's": object(), "bytes": b"x",
}  # fmt: skip


def get(record: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        record = record[key]
    return record


def is_refused(read: Any, record: Any) -> bool:
    """Whether a record is refused, in one short line; any other error is a failure."""
    try:
        read(record)
    except InputError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 500
        return True
    return False


def read_row(row: Any) -> None:
    Problem.from_dict(problem_record(row))


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_field_of_a_problem_takes_every_value(kind: str, value: str) -> None:
    record = PROBLEMS[kind]
    assert not is_refused(Problem.from_dict, record)
    for place in places(record):
        is_refused(Problem.from_dict, changed(record, place, VALUES[value]))
        is_refused(Problem.from_dict, {**changed(record, place, VALUES[value]), "unknown": VALUES[value]})


@pytest.mark.parametrize("value", VALUES)
def test_every_field_of_a_row_takes_every_value(value: str) -> None:
    assert not is_refused(read_row, ROW)
    for place in places(ROW):
        is_refused(read_row, changed(ROW, place, VALUES[value]))
    is_refused(read_row, changed(ROW, ("groups",), json.dumps([{"name": "a", "tests": 5}])))
    is_refused(read_row, changed(ROW, ("interactor",), VALUES[value]))


@pytest.mark.parametrize("value", VALUES)
def test_every_field_of_a_submission_takes_every_value(value: str) -> None:
    assert not is_refused(Submission.from_dict, SUBMISSION)
    for place in places(SUBMISSION):
        is_refused(Submission.from_dict, changed(SUBMISSION, place, VALUES[value]))


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_known_field_in_every_object(kind: str) -> None:
    """A checker may have an interactor's `language`, a test a problem's `id`."""
    values: dict[str, list[Any]] = {}
    for record in (*PROBLEMS.values(), ROW, SUBMISSION):
        for place in places(record):
            if isinstance(place[-1], str):
                values.setdefault(place[-1], [*VALUES.values()]).append(get(record, place))
    record = PROBLEMS[kind]
    for place in [(), *(place for place in places(record) if isinstance(get(record, place), dict))]:
        for name, some in values.items():
            for value in some:
                is_refused(Problem.from_dict, changed(record, (*place, name), value))


@pytest.mark.parametrize("value", VALUES)
def test_every_value_in_place_of_a_record(value: str) -> None:
    for read in (Problem.from_dict, Submission.from_dict, Interactor.from_dict, read_row):
        assert is_refused(read, VALUES[value]), read
    is_refused(Checker.from_dict, VALUES[value])


@pytest.mark.parametrize("value", VALUES)
def test_what_is_built_directly_is_checked(value: str) -> None:
    test = TestCase("1", "1")
    for name in ("id", "kind", "tests", "checker", "entry_point", "test_code", "time_limit_s", "memory_limit_mb"):
        is_refused(lambda fields: Problem(**fields), {"id": "p", "tests": (test,), name: VALUES[value]})
    for name in SUBMISSION:
        is_refused(lambda fields: Submission(**fields), {**SUBMISSION, name: VALUES[value]})
    for name in ("kind", "abs", "of", "code", "files", "flags", "nested"):
        is_refused(lambda fields: Checker(**fields), {name: VALUES[value]})
    for name in ("time_limit_s", "memory_limit_mb", "flags"):
        is_refused(lambda fields: TestCase("", "", **fields), {name: VALUES[value]})


NAMED = {
    "tests[0].time_limit_s: a positive number expected, found 'abc'": ("stdin", ("tests", 0, "time_limit_s"), "abc"),
    "tests[0].output: a text expected, found a list; if the tests call a function, name it in `entry_point`": (
        "stdin", ("tests", 0, "output"), ["1"],
    ),
    "tests[0]: an object": ("stdin", ("tests", 0), 5),
    "tests: a list expected, found true": ("stdin", ("tests",), True),
    "tests[0].flags: unknown flag 'fast'": ("stdin", ("tests", 0, "flags"), ["fast"]),
    "tests[0].input: nested deeper than 200": ("call", ("tests", 0, "input"), [DEEP]),
    "tests[0].output: a object is not data": ("call", ("tests", 0, "output"), [object()]),
    "tests[0].input: a list of arguments": ("call", ("tests", 0, "input"), 5),
    "time_limit_s: a positive number expected, found nan": ("stdin", ("time_limit_s",), float("nan")),
    "memory_limit_mb: a number from 1 to 10,000,000 expected": ("stdin", ("memory_limit_mb",), 10**400),
    "checker.abs: a number from 0 expected, found an integer of 1329 bits": ("float", ("checker", "abs"), 10**400),
    "checker.flags: a list of texts expected, found 5": ("program", ("checker", "flags"), 5),
    "checker.files: an object of texts by name expected, found true": ("program", ("checker", "files"), True),
    "checker.files: 'a' is a file and a folder": ("program", ("checker", "files"), {"a": "", "a/b": ""}),
    "checker.nested: true or false expected, found 1": ("unordered", ("checker", "nested"), 1),
    "interactor.language: a text expected, found a list": ("interactive", ("interactor", "language"), []),
    "groups: a: tests: a list of the numbers of tests, from 0, expected, found 5": ("groups", ("groups", 0, "tests"), 5),  # noqa: E501
    "groups: a: accept_score: a number expected": ("legacy groups", ("groups", "groups", 0, "accept_score"), 10**400),
}  # fmt: skip


@pytest.mark.parametrize("says", NAMED)
def test_the_field_is_named(says: str) -> None:
    kind, place, value = NAMED[says]
    with pytest.raises(InputError) as caught:
        Problem.from_dict(changed(PROBLEMS[kind], place, value))
    assert f"problem 'p': {says}" in str(caught.value)


def test_groups_in_groups_have_a_bound() -> None:
    groups: Any = {"tests": [0]}
    for _ in range(100):
        groups = {"groups": [groups]}
    assert is_refused(Problem.from_dict, {**PROBLEMS["float"], "groups": groups})
    assert is_refused(read_row, {**ROW, "groups": json.dumps({"name": "a", "groups": [groups]})})


@pytest.mark.parametrize(
    "text", ["[" * 5000, "{[1]: 2}", "{[1]}", "x" * 100, "\0", "{{}}", "1" * 5000, "-" * 5000 + "1", "a=\0", "\ud800"]
)
def test_text_that_is_no_literal_stands_for_itself(text: str) -> None:
    parse_value(text)
    parse_arguments(text)


@pytest.mark.parametrize("annotation", ["List[" * 300 + "ListNode" + "]" * 300, "\0ListNode", "ListNode\ud800"])
def test_a_starter_that_does_not_parse_says_nothing(annotation: str) -> None:
    problem = Problem("p", "call", entry_point="f", starter_code=f"def f(a: {annotation}): pass")
    node_hints(problem)
    parameters(problem)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["kind", "a"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_two_fields_take_any_value(data: st.DataObject) -> None:
    record = PROBLEMS[data.draw(st.sampled_from(sorted(PROBLEMS)))]
    for read, whole in ((Problem.from_dict, record), (read_row, ROW), (Submission.from_dict, SUBMISSION)):
        made = changed(whole, data.draw(st.sampled_from(list(places(whole)))), data.draw(JSON))
        is_refused(read, {**made, data.draw(st.sampled_from(list(made))): data.draw(JSON)})  # fmt: skip


GOOD = {"id": "good", "tests": [{"input": "", "output": "1"}]}
RIGHT = {"id": "right", "problem_id": "good", "code": "print(1)"}


def test_bad_lines_between_good_ones_are_named_and_the_rest_is_graded(tmp_path: Path) -> None:
    asserts = {**PROBLEMS["asserts"], "id": "broken", "test_code": "def ("}
    bad = changed(PROBLEMS["program"], ("checker", "files"), True)
    write(tmp_path / "problems.jsonl", [bad, GOOD, "[" * 100_000, "{", "null", asserts, GOOD])
    wrong = [
        {**RIGHT, "language": 5},
        {**RIGHT, "id": "t", "problem_id": "broken"},
        {**RIGHT, "id": "u", "language": "x"},
    ]
    write(tmp_path / "submissions.jsonl", [*wrong, RIGHT, "[]", {**RIGHT, "id": "last"}])
    files = ("--problems", "problems.jsonl", "--submissions", "submissions.jsonl", "--out", "out")
    done = microcoder("eval", "grade", *files, "--no-cache", "--workers", "1", "-q", cwd=tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "Traceback" not in said
    assert "problems.jsonl:1: problem 'p': checker.files: an object of texts by name expected, found true" in said
    assert "submissions.jsonl:1: submission 'right': language: a text expected, found 5" in said
    grades = [json.loads(line) for line in (tmp_path / "out/grades.jsonl").read_text("utf-8").splitlines()]
    assert {grade["submission_id"]: grade["verdict"] for grade in grades} == {"right": "ACCEPTED", "last": "ACCEPTED"}


def test_a_row_of_csv_that_is_not_utf8_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_bytes(b"id,problem_id,code\n\xff,p,x\nb,p,\xc3\xa4\nc,p,x,\xff\n")
    first, second, third = read_submissions(tmp_path / "s.csv")
    assert (str(first), str(third)) == ("s.csv, record 1: not UTF-8", "s.csv, record 3: not UTF-8")
    assert not isinstance(second, BadRecord)
    assert second.submission.code == "ä"
    (tmp_path / "s.csv").write_bytes("id,задача,программа\na,p,x\n".encode("cp1251"))
    with pytest.raises(InputError, match="not UTF-8"):
        list(read_submissions(tmp_path / "s.csv"))


def test_a_row_of_csv_with_too_many_cells_is_not_graded_by_its_first_ones(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("id;problem_id;code\na;p;x = 1; print(x)\nb;p;print(1)\n")
    first, second = read_submissions(tmp_path / "s.csv")
    assert str(first).startswith("s.csv, record 1: more cells than the header has columns")
    assert not isinstance(second, BadRecord)


def test_a_quote_that_nothing_closes_joins_no_rows_of_csv(tmp_path: Path) -> None:
    rows = 'a,p,print(1)\nb,p,"print(2)\nc,p,print(3)\nd,p,"print(4)"\n'
    (tmp_path / "s.csv").write_text(f"id,problem_id,code\n{rows}")
    first, last = read_submissions(tmp_path / "s.csv")
    assert not isinstance(first, BadRecord)
    assert "cannot be read from here on" in str(last)


def test_of_two_columns_with_one_name_none_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("id,problem_id,code,code\na,p,print(1),print(2)\n")
    with pytest.raises(InputError, match="two columns are called 'code'"):
        list(read_submissions(tmp_path / "s.csv"))


def test_a_table_of_csv_that_is_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    rows = "".join(f"{number},p,{'x' * number}\n" for number in range(2000))
    whole = gzip.compress(f"id,problem_id,code\n{rows}".encode())
    (tmp_path / "s.csv.gz").write_bytes(whole[: len(whole) // 2])
    *good, last = read_submissions(tmp_path / "s.csv.gz")
    assert len(good) > 10
    assert not any(isinstance(one, BadRecord) for one in good)
    assert "cannot be read from here on" in str(last)


def test_what_is_damaged_in_parquet_costs_no_other_row_group(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    ids = [f"s{number}" for number in range(900)]
    table = pyarrow.table({"id": ids, "problem_id": ["p"] * 900, "code": [f"print({name})" for name in ids]})
    for name in ("0.parquet", "1.parquet", "2.parquet"):
        parquet.write_table(table, tmp_path / name, row_group_size=300, compression="none", use_dictionary=False)
    whole = (tmp_path / "1.parquet").read_bytes()
    start = parquet.ParquetFile(tmp_path / "1.parquet").metadata.row_group(1).column(0).data_page_offset
    (tmp_path / "1.parquet").write_bytes(whole[:start] + b"\xff" * 16 + whole[start + 16 :])
    (tmp_path / "2.parquet").write_bytes(b"no Parquet")
    found = list(read_submissions(tmp_path))
    bad = [str(one) for one in found if isinstance(one, BadRecord)]
    assert len(found) - len(bad) == 900 + 600
    assert ["1.parquet: row group 1, row 0: cannot be read from here on" in bad[0], "2.parquet" in bad[1]] == [True] * 2
    with pytest.raises(InputError, match="not Parquet"):
        list(read_submissions(tmp_path / "2.parquet"))


def test_an_archive_that_is_cut_off_gives_what_it_has(tmp_path: Path) -> None:
    records = [{**RIGHT, "id": str(number), "code": f"print({number})" * 50} for number in range(2000)]
    whole = gzip.compress("\n".join(map(json.dumps, records)).encode())
    (tmp_path / "s.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    *good, last = read_submissions(tmp_path / "s.jsonl.gz")
    assert good
    assert isinstance(last, BadRecord)
    assert "cannot be read from here on" in str(last)
    (tmp_path / "p.jsonl.gz").write_bytes(b"no archive")
    with pytest.raises(InputError, match="no record can be read"):
        ProblemFile(tmp_path / "p.jsonl.gz")


def test_a_file_whose_first_records_are_broken_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    path.write_text("{broken\n" * 300 + '{"id": "p", "tests": [{"input": "1", "output": "2"}]}\n')
    problems = ProblemFile(path)
    assert list(problems) == ["p"] and len(problems.bad) == 300


@pytest.mark.parametrize("line", [b'{"id": "a', b'{"a" "b"}', b'{"a": "\\q"}', b"{"])
def test_a_line_that_is_not_json_is_named_with_its_place(line: bytes) -> None:
    said = str(parse_record(line))
    assert re.fullmatch(r"not JSON: .* at character \d+", said) and " at at " not in said
