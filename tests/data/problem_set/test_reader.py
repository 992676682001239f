"""Reading problem folders: what they say, and one clear line for each way in which they are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_data.problem_set import build_problem, find_problems, read_all, read_entry
from microcoder_data.problem_set.scaffold import new_problem
from microcoder_eval import InputError
from tests.data.problem_set.folders import edit

pytestmark = pytest.mark.fast


def test_a_folder_becomes_a_problem(good: Path) -> None:
    entry = read_entry(good)
    problem = build_problem(entry)
    assert (entry.slug, entry.title, entry.difficulty, entry.time_limit_s) == (
        "good-numbers",
        "Good numbers",
        "easy",
        1,
    )
    assert problem.tests[0].input == "4\n3 7 -6 0\n"
    assert problem.tests[0].output.split() == ["3"]
    assert {s.name: s.fault for s in entry.with_role("wrong")} == {
        "wrong/leaves_out_zero.py": "wrong",
        "wrong/minus_sign.py": "crash",
        "wrong/one_number_short.py": "wrong",
    }


def test_a_call_problem_carries_arguments_values_and_its_starter(tmp_path: Path) -> None:
    problem = build_problem(read_entry(new_problem(tmp_path, "good-numbers", "call")))
    assert problem.tests[0].input == [[3, 7, -6, 0]]
    assert problem.tests[0].output == 3
    assert problem.entry_point == "Solution.good"
    assert "def good(self, numbers" in problem.starter_code


def test_an_interactive_problem_carries_its_interactor(tmp_path: Path) -> None:
    problem = build_problem(read_entry(new_problem(tmp_path, "hidden-number", "interactive")))
    assert "def interact(" in problem.interactor.code
    assert [test.input for test in problem.tests][:2] == ["1000\n", "1\n"]


def test_a_checker_in_a_file_is_read(good: Path) -> None:
    (good / "checker.py").write_text("def check(input, expected, actual):\n    return True\n")
    edit(good / "problem.yaml", "# checker: {kind: float", "checker: {kind: python, file: checker.py} #")
    assert read_entry(good).checker.code.startswith("def check")


SPOILED = {
    "difficulty: easy -> difficulty: trivial": "difficulty must be one of easy, medium, hard, not 'trivial'",
    "kind: stdin -> kind: stdio": "kind must be one of stdin, call, interactive, not 'stdio'",
    "time_limit_s: 1 -> time_limits: 1": "unknown key 'time_limits'; did you mean 'time_limit_s'?",
    "time_limit_s: 1 -> time_limit_s: soon": "time_limit_s must be a positive number, not 'soon'",
    "memory_limit_mb: 256 -> ": "'memory_limit_mb' is missing",
    "tags: [arithmetic] -> tags: arithmetic": "tags is a list of words",
    "kind: stdin -> kind: call": '"entry_point" belongs to kind call, and to no other',
    "kind: stdin -> kind: interactive": "kind interactive needs interactor: {file: interactor.py}",
    "# checker: {kind: float, -> checker: {kind: floats} #": "unknown checker 'floats'",
    "# checker: {kind: float, -> checker: {kind: python, file: no.py} #": "no.py is missing",
    "tags: [arithmetic] -> tags: [arithmetic": "not YAML",
}


@pytest.mark.parametrize("change", SPOILED)
def test_a_broken_description_is_one_clear_line(good: Path, change: str) -> None:
    old, new = change.split(" -> ")
    edit(good / "problem.yaml", old, new)
    with pytest.raises(InputError) as error:
        read_entry(good)
    assert SPOILED[change] in str(error.value)
    assert "good-numbers" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["problem.yaml", "statement.md", "generator.py"])
def test_a_missing_file_is_named(good: Path, name: str) -> None:
    (good / name).unlink()
    with pytest.raises(InputError, match=f"good-numbers: {name} is missing"):
        read_entry(good)


def test_without_a_right_solution_nothing_answers_the_tests(good: Path) -> None:
    for file in (good / "solutions" / "right").iterdir():
        file.rename(file.with_suffix(".txt"))
    with pytest.raises(InputError, match="no right solution in Python"):
        read_entry(good)


def test_tests_are_kept_until_something_they_depend_on_changes(good: Path, own_cache: Path) -> None:
    first = build_problem(read_entry(good)).tests
    (kept,) = own_cache.rglob("*.json.gz")
    assert build_problem(read_entry(good)).tests == first

    kept.write_bytes(b"torn")
    assert build_problem(read_entry(good)).tests == first

    edit(good / "generator.py", "yield text([0])", "yield text([3])")
    assert build_problem(read_entry(good)).tests[1].input == "1\n3\n"
    assert len(list(own_cache.rglob("*.json.gz"))) == 2


def test_a_generator_or_reference_that_fails_is_named(good: Path) -> None:
    edit(good / "solutions" / "right" / "digit_sum.py", "n = int(input())", "n = int(input()) / 0")
    with pytest.raises(InputError, match=r"good-numbers/solutions/right/digit_sum.py: test 0: ZeroDivisionError"):
        build_problem(read_entry(good))
    edit(good / "generator.py", "    yield text([0])", "    yield 0")
    with pytest.raises(InputError, match=r"good-numbers/generator.py: test 1 is a int, not a str"):
        build_problem(read_entry(good))


def test_the_embedded_set_is_what_it_promises() -> None:
    entries = read_all(find_problems())
    kinds = [entry.kind for entry in entries]
    assert len(entries) >= 80
    assert kinds.count("call") >= 20
    assert kinds.count("interactive") >= 3
    assert sum(entry.checker.kind in ("float", "unordered", "python") for entry in entries) >= 12
    assert sum(any(s.language == "cpp" for s in entry.with_role("right")) for entry in entries) >= 12
    assert {entry.difficulty for entry in entries} == {"easy", "medium", "hard"}
    assert len({entry.title for entry in entries}) == len(entries)
