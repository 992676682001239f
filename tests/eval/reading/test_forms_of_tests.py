"""Problems as people write them down: at most one suggestion of options, and then the right tests."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.reading import field_map
from microcoder_eval.reading.input_files import NamesNeeded, ProblemFile
from microcoder_eval.reading.tests_in_html import tests_in_html as pairs_in_html

pytestmark = pytest.mark.fast

TASK = "Read two integers and print their sum."
TESTS = [("1 2", "3"), ("4 5", "9")]
GIVEN, WANTED = [list(side) for side in zip(*TESTS, strict=True)]


def listed(given: str, wanted: str) -> list[dict[str, str]]:
    return [{given: a, wanted: b} for a, b in TESTS]


def table(header: list[str], rows: list[list[Any]], delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([header, *rows])
    return text.getvalue()


def of_each(**fields: Any) -> str:
    return json.dumps([{"slug": name, "task": TASK, **fields} for name in "ab"])


FILES = {
    "cases.json": of_each(cases=listed("stdin", "expected")),
    "camel.json": of_each(testCases=listed("stdinText", "expectedStdout")),
    "parallel.json": of_each(inputs=GIVEN, outputs=WANTED),
    "lists in tests.json": of_each(tests={"inputs": GIVEN, "outputs": WANTED}),
    "packed.json": of_each(input_output=json.dumps({"inputs": GIVEN, "outputs": WANTED})),
    "pairs.json": of_each(tests=TESTS),
    "answers by input.json": of_each(tests=dict(TESTS)),
    "lines.json": of_each(tests=[{"input": [a], "output": [b]} for a, b in TESTS]),
    "numbers.json": of_each(tests=[{"input": a, "output": int(b)} for a, b in TESTS]),
    "keyed.json": json.dumps({name: {"body": TASK, "tests": listed("in", "out")} for name in "ab"}),
    "tests by id.json": json.dumps({name: listed("input", "output") for name in "ab"}),
    "a test a line.csv": table(["task", "statement", "input", "output"], [[n, TASK, *t] for n in "ab" for t in TESTS]),
    "spaces.csv": table(["Problem", "Input", "Expected Output"], [[n, *t] for n in "ab" for t in TESTS], ";"),
    "pandas.csv": table(
        ["", "id", "tests"], [[number, n, repr(listed("input", "output"))] for number, n in enumerate("ab")]
    ),
    "pandas lists.csv": table(["id", "inputs", "outputs"], [[n, repr(GIVEN), repr(WANTED)] for n in "ab"]),
    "plain.yaml": "".join(
        f"- id: {n}\n  tests:\n" + "".join(f"  - input: {a}\n    output: {b}\n" for a, b in TESTS) for n in "ab"
    ),
}


def opened(file: Path) -> ProblemFile:
    """The problems, with the names of the first call's suggestion in a second one."""
    try:
        return ProblemFile(file)
    except NamesNeeded as needed:
        return ProblemFile(file, needed.likely)


@pytest.mark.parametrize("name", FILES)
def test_every_form_has_the_same_tests(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FILES[name])
    problems = opened(tmp_path / name)
    assert not problems.bad and list(problems) == ["a", "b"]
    assert [(test.input, test.output) for test in problems["b"].tests] == TESTS


def test_numbers_in_a_cell_stay_the_text_that_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(table(["id", "input", "output"], [["a", "[1, 2]", "[2, 1]"]]))
    (test,) = ProblemFile(tmp_path / "a.csv")["a"].tests
    assert (test.input, test.output) == ("[1, 2]", "[2, 1]")


def test_a_function_to_call_is_not_taken_for_a_program_that_reads(tmp_path: Path) -> None:
    tests = [{"args": [1, 2], "expected": 3}]
    (tmp_path / "a.json").write_text(json.dumps([{"id": "a", "function": "add", "prompt": TASK, "tests": tests}]))
    problem = opened(tmp_path / "a.json")["a"]
    assert (problem.kind, problem.entry_point, problem.tests[0].input) == ("call", "add", [1, 2])


def test_an_option_with_a_space_can_be_copied(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(FILES["spaces.csv"])
    with pytest.raises(NamesNeeded, match="--map 'output=Expected Output'"):
        ProblemFile(tmp_path / "a.csv")


@pytest.mark.parametrize(
    "html",
    [
        "<b>Input</b><pre>1</pre>",
        "<b>Input</b><pre>1</pre><b>Input</b><pre>2</pre>",
        "<pre>1</pre><pre>2</pre>",
        "<b>Output</b><pre>1</pre><b>Input</b><pre>2</pre>",
        "<b>Input</b><pre>1</pre><b>Output</b><pre>2",
        "Input <pre " * 20_000,
    ],
)
def test_html_whose_inputs_and_outputs_do_not_take_turns_is_no_list_of_tests(html: str) -> None:
    assert pairs_in_html(html) is None
    with pytest.raises(InputError, match="neither JSON"):
        field_map.test_list(html)


CALLS = {
    "LiveCodeBench": (
        {"metadata": '{"func_name": "f"}', "cases": '[{"input": "1", "output": "2", "testtype": "functional"}]'},
        ["entry_point=metadata.func_name", "tests=cases"],
    ),
    "APPS": (
        {"input_output": '{"fn_name": "f", "inputs": [[1], [2]], "outputs": [[2], [3]]}'},
        ["entry_point=input_output.fn_name", "tests=input_output"],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_function_of_tests_is_found_inside_a_text(tmp_path: Path, name: str) -> None:
    fields, options = CALLS[name]
    (tmp_path / "a.json").write_text(json.dumps([{"id": "a", **fields}]))
    problem = ProblemFile(tmp_path / "a.json", field_map.FieldMap.parse(options))["a"]
    assert (problem.kind, problem.entry_point) == ("call", "f")
    assert (problem.tests[0].input, problem.tests[0].output) == ([1], 2)
    without = ProblemFile(tmp_path / "a.json", field_map.FieldMap.parse(options[1:]))
    assert not len(without) and "entry_point" in without.bad[0].why


def test_a_mapped_field_that_no_record_has_is_refused(tmp_path: Path) -> None:
    test = {"input": "1", "output": "2"}
    (tmp_path / "a.json").write_text(
        json.dumps([{"id": "a", "tests": [test]}, {"id": "b", "tests": [test], "fn": "f"}])
    )
    assert ProblemFile(tmp_path / "a.json", field_map.FieldMap.parse(["entry_point=fn"]))["b"].kind == "call"
    with pytest.raises(InputError, match="checker=judge: no record"):
        ProblemFile(tmp_path / "a.json", field_map.FieldMap.parse(["checker=judge"]))
