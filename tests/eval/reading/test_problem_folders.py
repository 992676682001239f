"""Problems in a folder each, in the layouts in which people keep them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.reading.field_map import test_list as listed_tests
from microcoder_eval.reading.input_files import ProblemFile
from microcoder_eval.reading.paired_files import paired_files
from microcoder_eval.reading.problem_folder import folder_record, problem_folders

pytestmark = pytest.mark.fast

PAIRS = [("1 2\n", "3\n"), ("4 5\n", "9\n"), ("10 20\n", "30\n")]
NAMINGS = [
    ("tests/{}.in", "tests/{}.out"),
    ("tests/{}.in", "tests/{}.ans"),
    ("tests/{}.in.txt", "tests/{}.out.txt"),
    ("tests/{:02}", "tests/{:02}.a"),
    ("tests/input{}.txt", "tests/output{}.txt"),
    ("tests/{}_input.txt", "tests/{}_expected.txt"),
    ("tests/{}/input.txt", "tests/{}/expected_output.txt"),
    ("tests/input/{}.txt", "tests/output/{}.txt"),
    ("input/input{:02}.txt", "output/output{:02}.txt"),
    ("in/{}", "out/{}"),
    ("{}.in", "{}.out"),
    ("test_{}.in", "test_{}.ans"),
    ("data/secret/{}.in", "data/secret/{}.ans"),
    ("testcases/test{}/in", "testcases/test{}/out"),
    ("cases/case-{}.input", "cases/case-{}.expected"),
    ("tests/subtask1/{}.in", "tests/subtask1/{}.out"),
    ("tests/{}.IN", "tests/{}.OUT"),
]
STATEMENTS = ["statement.md", "problem.txt", "README.md", "statement/en.md", "description.html", "two-sum.md"]


def files_of(naming: tuple[str, str], statement: str = "statement.md") -> dict[str, str]:
    tests = [(side.format(n), text) for n, pair in enumerate(PAIRS, 1) for side, text in zip(naming, pair, strict=True)]
    return {statement: "# Two sum\n\nAdd two numbers.\n", **dict(tests)}


def record_of(files: Mapping[str, str | bytes], name: str = "two-sum") -> dict[str, Any]:
    content = {each: text if isinstance(text, bytes) else text.encode() for each, text in files.items()}
    return folder_record(name, content, content.__getitem__)


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("naming", NAMINGS)
def test_a_problem_under_any_names(naming: tuple[str, str], statement: str) -> None:
    files = files_of(naming, statement)
    found = record_of(files)
    assert [(test["input"], test["output"]) for test in found["tests"]] == PAIRS
    assert found["statement"] == "# Two sum\n\nAdd two numbers." and "unpaired" not in found
    assert problem_folders(files) == [""]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize("above", ["", "easy/", "data/", "problems/2024/"])
def test_every_problem_of_a_folder_is_found(naming: tuple[str, str], statement: str, above: str) -> None:
    inner = files_of(naming, statement)
    names = [f"{above}{problem}/{name}" for problem in ("two-sum", "pairs") for name in inner]
    assert problem_folders(["README.md", "LICENSE", "tools/run.py", *names]) == [f"{above}pairs", f"{above}two-sum"]


def test_numbered_problems_and_problems_without_a_statement() -> None:
    numbered = [f"{n}/{name}" for n in (1, 2, 10) for name in ("statement.md", "tests/1.in", "tests/1.out")]
    assert problem_folders(numbered) == ["1", "10", "2"]
    numbered = [f"{n}/{test}.{side}" for n in (1, 2) for test in (1, 2) for side in ("in", "out")]
    assert problem_folders(numbered) == ["1", "2"]
    bare = [f"{name}/{n}.{side}" for name in ("a-plus-b", "max") for n in (1, 2) for side in ("in", "out")]
    assert problem_folders(bare) == ["a-plus-b", "max"]
    assert problem_folders(["src/main.py", "README.md", "docs/index.md"]) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tests.json", json.dumps([{"in": a, "expected": b} for a, b in PAIRS])),
        ("tests.json", json.dumps({"cases": [[a, b] for a, b in PAIRS]})),
        ("test_cases.yaml", "".join(f"- input: {json.dumps(a)}\n  output: {json.dumps(b)}\n" for a, b in PAIRS)),
        ("tests/cases.jsonl", "".join(json.dumps({"stdin": a, "stdout": b}) + "\n" for a, b in PAIRS)),
        ("tests.txt", "".join(f"{json.dumps(a)} -> {json.dumps(b)}\n" for a, b in PAIRS)),
        ("meta.json", json.dumps({"test_cases": [{"input": a, "output": b} for a, b in PAIRS]})),
    ],
)
def test_tests_in_one_file(name: str, text: str) -> None:
    found = record_of({"problem.md": "Add.", name: text})
    assert [(test["input"], test["output"]) for test in found["tests"]] == PAIRS


def test_fields_programs_and_samples() -> None:
    files = {
        "statement.en.md": "---\ntitle: Two sum\ntags: [math]\n---\nAdd.\n",
        "statement.ru.md": "Сложите.\n",
        "meta.yaml": "timeLimit: 1500 ms\nmemory_limit: 1 GB\nlevel: easy\nowner: me\n",
        "sample-1.in": "1 2\n",
        "sample-1.out": "3\n",
        "secret/1.in": "4 5\n",
        "secret/1.out": "9\n",
        "secret/2.in": "5 5\n",
        "solution.py": "right",
        "solutions/fast.cpp": "also right",
        "two_sum.py": "right by its name",
        "wrong/off.py": "wrong",
        "solutions/brute.py": "perhaps",
        "tests/test_solution.py": "no solution",
        "generator.py": "no solution",
        "starter.py": "def f(): ...",
        "secret/._1.in": "\x00\xff",
        "secret/._1.out": "\x00\xff",
    }
    found = record_of(files)
    assert (found["statement"], found["title"], found["tags"], found["difficulty"]) == (
        "Add.",
        "Two sum",
        ["math"],
        "easy",
    )
    assert (found["time_limit_s"], found["memory_limit_mb"]) == (1.5, 1024)
    assert found["samples"] == [{"input": "1 2\n", "output": "3\n"}] and len(found["tests"]) == 2
    assert found["unpaired"] == ["secret/2.in"] and found["starter_code"] == "def f(): ..."
    assert {(each["code"], each["language"], each["correct"]) for each in found["solutions"]} == {
        ("right", "python", True),
        ("also right", "cpp", True),
        ("right by its name", "python", True),
        ("wrong", "python", False),
        ("perhaps", "python", None),
    }


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"checker.cpp": "int main() {}"}, "checker.cpp: how this program judges is not known"),
        ({"problem.yaml": "name: a\n", "data/secret/1.in": "", "data/secret/1.ans": ""}, "microcoder data init"),
        ({"meta.json": "{"}, "meta.json: not JSON"),
        ({"meta.yaml": "time_limit: soon\n"}, "time_limit: 'soon' is no limit"),
        ({"meta.json": '{"memory_limit": ' + "9" * 400 + "}"}, "memory_limit: an integer of 1329 bits is no limit"),
        ({"meta.json": '{"time_limit": "1' + " " * 10**6 + '!"}'}, "time_limit: '1   "),  # in no time
        ({"tests/9.in": b"\xff", "tests/9.out": b""}, "tests/9.in: not UTF-8 at byte 0"),
    ],
)
def test_what_is_unclear_is_refused(files: dict[str, str | bytes], why: str) -> None:
    with pytest.raises(InputError) as raised:
        record_of({**files_of(NAMINGS[0]), **files})
    assert why in str(raised.value)


def test_two_answers_of_one_test_are_no_pair() -> None:
    pairs, alone = paired_files(["tests/1.in", "tests/1.out", "tests/1.ans", "tests/2.in", "tests/2.out"])
    assert pairs == [("tests/2.in", "tests/2.out")]
    assert sorted(alone) == ["tests/1.ans", "tests/1.in", "tests/1.out"]


def test_a_sign_that_is_no_number_may_be_in_a_name() -> None:
    assert paired_files(["tests/\u00b2.in", "tests/\u00b2.out"])[0] == [("tests/\u00b2.in", "tests/\u00b2.out")]


def test_grading_reads_a_folder_of_problems(tmp_path: Path) -> None:
    write(tmp_path, {f"two-sum/{name}": text for name, text in files_of(NAMINGS[0]).items()})
    write(
        tmp_path,
        {"broken/statement.md": "?", "broken/tests/1.in": "", "broken/tests/1.out": "", "broken/checker.py": ""},
    )
    secret = tmp_path.parent / "secret.out"
    secret.write_text("3\n")
    (tmp_path / "two-sum" / "tests" / "9.in").write_text("1 2\n")
    (tmp_path / "two-sum" / "tests" / "9.out").symlink_to(secret)
    problems = ProblemFile(tmp_path)
    assert list(problems) == ["two-sum"] and len(problems["two-sum"].tests) == 3
    assert problems.ignored["unpaired"] == 1, "a link that leads out of the folder is not followed"
    assert [bad.place for bad in problems.bad] == ["broken"]


def test_grading_reads_a_file_for_each_problem(tmp_path: Path) -> None:
    tests = [{"input": a, "output": b} for a, b in PAIRS]
    write(tmp_path, {"two-sum.json": json.dumps({"tests": tests}), "easy/max.yaml": json.dumps({"tests": tests})})
    write(tmp_path, {"more.jsonl": json.dumps({"id": "third", "tests": tests}) + "\n"})
    problems = ProblemFile(tmp_path)
    assert sorted(problems) == ["max", "third", "two-sum"] and len(problems["max"].tests) == 3


@pytest.mark.parametrize("arrow", ["->", "=>", "\u2192", "-->", "==>"])
def test_tests_on_lines(arrow: str) -> None:
    lines = [f"1 2 {arrow} 3", f'"4\\n5"{arrow}"9"', f"7 {arrow}"]
    expected = [["1 2", "3"], ["4\n5", "9"], ["7", ""]]
    assert listed_tests("# all\n\n" + "\n".join(lines)) == expected and listed_tests(lines) == expected


def test_lines_with_another_number_of_arrows_are_no_tests() -> None:
    with pytest.raises(InputError):
        listed_tests("a -> b -> c\nd -> e")
    assert listed_tests(["assert f(1) == 2"]) == ["assert f(1) == 2"]
