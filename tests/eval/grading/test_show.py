"""A run shows why: its folder and `eval show` have input, expected and actual output, the reply and the statement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from microcoder_eval.commands import evaluate

LONG = "\n".join(str(n) for n in range(4000))
PROBLEMS = [
    {"id": "sum", "statement": "Add two numbers.", "tests": [{"input": "1 2", "output": "3"}]},
    {"id": "count", "tests": [{"input": "4000", "output": LONG}]},
    {"id": "lists", "kind": "asserts", "test_code": "assert twice([1]) == [1, 1]\nassert [] == twice([])", "tests": []},
    {"id": "f", "kind": "call", "entry_point": "f", "tests": [{"input": [[1, 2], "x"], "output": [1, 2]}]},
]
SUBMISSIONS = [
    {"id": "wrong", "problem_id": "sum", "response": "Let me see.\n```python\nprint(4)\n```", "model": "m1"},
    {"id": "talk", "problem_id": "sum", "response": "I would rather not."},
    {"id": "crash", "problem_id": "sum", "code": "def g():\n    return 1 / 0\n\ng()\n"},
    {"id": "far", "problem_id": "count", "code": "for n in range(int(input())):\n    print(n if n != 3000 else 'odd')"},
    {"id": "call", "problem_id": "f", "code": "def f(items, name):\n    return [1, 3]"},
    {"id": "left", "problem_id": "lists", "code": "def twice(x):\n    return x * 3"},
    {"id": "right", "problem_id": "lists", "code": "def twice(x):\n    return x + x or None"},
    {"id": "hostile", "problem_id": "sum", "code": "print('\\x1b[31m<b>&')"},
]


def write_files(folder: Path, problems: list[dict[str, Any]], submissions: list[dict[str, Any]]) -> list[str]:
    """Write both files; returns the options that name them."""
    for name, records in (("p.jsonl", problems), ("s.jsonl", submissions)):
        (folder / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    return ["--problems", str(folder / "p.jsonl"), "--submissions", str(folder / "s.jsonl")]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("show")
    files = write_files(folder, PROBLEMS, SUBMISSIONS)
    shown = CliRunner().invoke(
        evaluate, ["grade", *files, "--out", str(folder / "my run"), "--no-cache", "--workers", "1", "--quiet"]
    )
    assert shown.exit_code == 0, shown.output
    assert f"why the others failed: microcoder eval show '{folder / 'my run'}'\n" in shown.output
    return folder / "my run"


def show(*arguments: object) -> Result:
    return CliRunner().invoke(evaluate, ["show", *map(str, arguments)])


def blocks(output: str) -> dict[str, list[str]]:
    """What is shown under each heading of a failed test."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in output.splitlines():
        if line.startswith("  ") and not line.startswith("   ") and line.strip():
            name = line.strip().split("  ")[0]
            found[name] = []
        elif name and line.startswith("    "):
            found[name].append(line.strip())
    return found


def test_input_expected_and_actual_output_statement_and_fields(run: Path) -> None:
    shown = show(run, "wrong")
    assert shown.exit_code == 0, shown.output
    assert "WRONG_ANSWER  wrong for problem sum: 0 of 1 test passed" in shown.output and "model m1" in shown.output
    found = blocks(shown.output)
    assert (found["input"], found["expected"], found["got"]) == (["1 2"], ["3"], ["4"])
    assert found["statement"] == ["Add two numbers."]


def test_a_reply_without_a_program_is_shown_as_it_came(run: Path) -> None:
    assert blocks(show(run, "sum/talk").output)["reply, as it came"] == ["I would rather not."]


def test_the_line_that_failed_is_marked_and_stderr_ends_with_the_reason(run: Path) -> None:
    output = show(run, "crash").output
    assert "->    2      return 1 / 0" in output and output.count("->") == 1
    assert blocks(output)["stderr, its end"][-1] == "ZeroDivisionError: division by zero"


def test_a_difference_far_inside_is_in_the_excerpt_and_complete_shows_all(run: Path) -> None:
    found = blocks(show(run, "far").output)
    assert "3000" in found["expected"] and "odd" in found["got"] and len(found["got"]) < 40
    record = json.loads(show(run, "far", "--json").output)["submissions"][0]
    kept = record["tests"][0]["output"]
    assert len(kept["text"]) <= 4096 < kept["size"]
    whole = blocks(show(run, "far", "--complete").output)
    assert [each for each in whole["got"] if each != "odd"] == [str(n) for n in range(4000) if n != 3000]
    assert whole["expected"] == [str(n) for n in range(4000)]


def test_a_calls_arguments_and_values(run: Path) -> None:
    found = blocks(show(run, "call").output)
    assert (found["input"], found["expected"], found["got"]) == (["f([1, 2], 'x')"], ["[1, 2]"], ["[1, 3]"])


@pytest.mark.parametrize(
    ("name", "test", "expected", "got"),
    [
        ("left", "assert twice([1]) == [1, 1]", "[1, 1]", "[1, 1, 1]"),
        ("right", "assert [] == twice([])", "[]", "None"),
    ],
)
def test_an_assertion_with_both_of_its_sides(run: Path, name: str, test: str, expected: str, got: str) -> None:
    found = blocks(show(run, f"lists/{name}").output)
    assert (found["the test"], found["expected"], found["got"]) == ([test], [expected], [got])
    assert blocks(show(run, f"lists/{name}", "--complete").output)["the test"] == [test]


def test_a_problem_comes_before_a_submission_of_the_same_name_and_10_after_9(tmp_path: Path) -> None:
    problems = [{"id": str(n), "tests": [{"input": "", "output": "1"}]} for n in range(12)]
    replies = [{"problem_id": str(n), "code": f"print({k})"} for n in range(12) for k in (0, 2, 3)]
    for name, records in (("p.jsonl", problems), ("s.jsonl", replies)):
        (tmp_path / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    files = ["--problems", str(tmp_path / "p.jsonl"), "--submissions", str(tmp_path / "s.jsonl")]
    CliRunner().invoke(
        evaluate, ["grade", *files, "--out", str(tmp_path / "run"), "--no-cache", "--workers", "1", "--quiet"]
    )
    listed = [line.split()[0] for line in show(tmp_path / "run", "2").output.splitlines()[1:-1]]
    assert listed == ["2/0", "2/1", "2/2"]
    listed = [line.split("/")[0] for line in show(tmp_path / "run").output.splitlines()[1:-1]]
    assert listed == sorted(listed, key=int)


def test_a_run_without_grades_and_a_path_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "grades.jsonl").touch()
    assert "nothing is graded yet" in show(tmp_path).output
    assert "no such file or folder" in show(tmp_path / "nowhere").output


def test_what_programs_wrote_cannot_reach_the_terminal(run: Path) -> None:
    output = show(run, "hostile").output
    assert "\x1b[31m" not in output and "\\x1b[31m<b>&" in output


def test_all_submissions_failures_first_and_unknown_names(run: Path) -> None:
    listed = show(run)
    assert listed.exit_code == 0 and "sum/crash" in listed.output
    assert show(run, "sum").output.count("sum/") >= 4
    unknown = show(run, "crush")
    assert unknown.exit_code == 2
    assert "did you mean 'crash'" in unknown.output


def test_run_shows_the_same_for_one_program(run: Path, tmp_path: Path) -> None:
    program = tmp_path / "solution.py"
    program.write_text("print(5)\n")
    problems = str(run.parent / "p.jsonl")
    shown = CliRunner().invoke(evaluate, ["run", str(program), "--problem", problems, "--id", "sum"])
    found = blocks(shown.output)
    assert shown.exit_code == 1 and (found["input"], found["expected"], found["got"]) == (["1 2"], ["3"], ["5"])


def test_the_folder_is_bounded_and_never_holds_what_was_not_needed(run: Path) -> None:
    records: list[dict[str, Any]] = [json.loads(line) for line in (run / "grades.jsonl").read_text().splitlines()]
    far = next(record for record in records if record["submission_id"] == "far")
    assert len(far["evidence"]["tests"][0]["expected"]["text"]) <= 4096
    statements = (run / "statements.jsonl").read_text().splitlines()
    assert [json.loads(line)["problem_id"] for line in statements] == ["sum"]


def test_a_run_keeps_the_beginning_of_an_endless_program(tmp_path: Path) -> None:
    code = "print(3)\n" + "# and so on\n" * 100_000
    files = write_files(tmp_path, PROBLEMS[:1], [{"id": "long", "problem_id": "sum", "code": code}])
    done = CliRunner().invoke(evaluate, ["grade", *files, "--out", str(tmp_path / "run"), "--no-cache", "--quiet"])
    assert "1 of 1 accepted" in done.output
    assert (tmp_path / "run" / "grades.jsonl").stat().st_size < 400_000
    assert "its beginning, all that a run keeps" in show(tmp_path / "run", "sum/long", "--complete").output


def test_models_are_compared_where_the_files_tell_them_apart(tmp_path: Path) -> None:
    replies = [
        {"problem_id": "sum", "model": model, "uid": f"{model}-{n}", "response": f"```python\nprint({answer})\n```"}
        for model, answer in (("small", 4), ("large\none", 3))
        for n in range(8)
    ]
    (tmp_path / "p.jsonl").write_text(json.dumps(PROBLEMS[0]) + "\n")
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    files = ["--problems", str(tmp_path / "p.jsonl"), "--submissions", str(tmp_path / "s.jsonl")]
    arguments = ["grade", *files, "--out", str(tmp_path / "run"), "--no-cache", "--workers", "1", "--quiet"]
    graded = CliRunner().invoke(evaluate, arguments)
    assert "by model: large one 100.0% (8 of 8), small 0.0% (0 of 8)" in graded.output
    assert "by uid" not in graded.output  # it differs in every submission
    again = CliRunner().invoke(evaluate, [*arguments, "--resume"])
    assert "by model: large one 100.0% (8 of 8), small 0.0% (0 of 8)" in again.output
    listed = show(tmp_path / "run").output.splitlines()
    assert listed[0].split() == ["problem/submission", "verdict", "passed", "model", "why"]
    assert [line.split()[3] for line in listed[1:17]] == ["small"] * 8 + ["large"] * 8
