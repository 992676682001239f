"""What a row is fit for is a function of its published columns, and a recipe can demand it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.fitness import COLUMNS, Fit, count_tests, lacking
from microcoder_data.report.dataset import dropped, rows
from microcoder_data.report.validate import validate
from microcoder_data.rules import marked, step
from microcoder_data.schema import new_row, new_test
from tests.data.made_up import taco_record, write_lines

STRONG = {"wrong_run": 2, "wrong_rejected": 2, "mutants_run": 8, "mutants_rejected": 7, "mutants_equivalent": 1}


def row(said: dict[str, Any] | None = None, **columns: Any) -> dict[str, Any]:
    verification = {"status": "executed", "solutions_run": 2, "solutions_ok": 2, "tests_beyond_samples": 5, **STRONG}
    given = {"statement": "Print the sum of a and b.", "kind": "stdin", **columns}
    return new_row(problem_id="a:1", source="a", verification={**verification, **(said or {})}, **given)


def codes(given: dict[str, Any], use: Any = "rl") -> list[str]:
    return [lack.code for lack in lacking(given, use)]


@pytest.mark.parametrize(
    ("said", "columns", "lacks"),
    [
        ({}, {}, []),
        ({"status": "needs_checker"}, {}, ["no_checker"]),
        ({}, {"statement": "Print any valid pair. If there are several answers, print any."}, ["no_checker"]),
        ({"tests_beyond_samples": 0}, {}, ["samples_only"]),
        ({"tests_beyond_samples": 3}, {}, ["too_few_tests"]),
        ({"wrong_rejected": 0, "mutants_rejected": 4}, {}, ["weak_tests"]),
        ({"wrong_run": 0, "mutants_run": 0, "mutants_equivalent": 0}, {}, ["strength_unknown"]),
        ({"wrong_run": 0, "mutants_run": 0, "tests_beyond_samples": 20}, {}, []),
        ({}, {"statement": " "}, ["no_statement"]),
    ],
)
def test_what_a_row_lacks_for_rl(said: dict[str, Any], columns: dict[str, Any], lacks: list[str]) -> None:
    assert codes(row(said, **columns)) == lacks


def test_the_report_counts_as_the_rule_does() -> None:
    said = row(statement="A number stays. Print any remaining number.", tests=[new_test("1 2", "2")])
    read_by_the_report = {name: said[name] for name in COLUMNS}
    assert lacking(read_by_the_report, "rl") == lacking(said, "rl") == []


def test_a_damaged_statement_is_fit_for_nothing_and_sft_needs_a_right_solution() -> None:
    damaged = row()
    damaged["provenance"].append(step("process", "fidelity_v12", marked("2 exponents lost")))
    assert codes(damaged, "reading") == codes(damaged, "sft") == ["statement_damaged"]
    assert "2 exponents lost" in lacking(damaged, "reading")[0].cure
    assert codes(row({"solutions_ok": 0}), "sft") == ["no_right_solution"]
    assert codes(row({"solutions_run": None, "solutions_ok": None, "solutions_given": 1}), "sft") == []


def test_assertions_and_samples_are_told_from_hidden_tests() -> None:
    code = "def check(f):\n    assert f(1) == 2\n    assert f(2) == 3\n"
    assert count_tests(new_row(kind="asserts", statement="f(1)  == 2", test_code=code)) == (2, 1)
    tests = [new_test("1", "2"), new_test("7", "8", origin="sample"), new_test("3", "4")]
    assert count_tests(new_row(kind="call", tests=tests, samples=[{"input": " 1", "output": "2"}])) == (3, 1)


ADD = "a, b = map(int, input().split())\nprint(a + b)"


def test_a_recipe_demands_it_after_execution_and_the_dataset_is_valid(tmp_path: Path) -> None:
    good = [taco_record(n, solutions=json.dumps([ADD, ADD.replace("a + b", "b + a")])) for n in (1, 2)]
    for record in good:
        text = record["question"].replace("forest", "meadow")  # a forest may be a graph: nothing would be generated
        record["question"] = text.replace("integers a and b.", "integers a and b (1 <= a, b <= 50).")
    samples = {"inputs": ["3 1\n"], "outputs": ["4\n"]}
    path = write_lines(tmp_path / "taco.jsonl", [*good, taco_record(3, input_output=json.dumps(samples))])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        f"sources:\n  - {{source: taco, path: {path}}}\nfilter: {{fit: {{use: rl, min_strength: 0.1}}}}\n"
        "verify: {execution: {mutants: 4, strengthen: {min_tests: 12, tries: 12}}}\n"
    )
    build(load_recipe(recipe), tmp_path / "set", make_engine("local", workers=1))
    kept = list(rows(tmp_path / "set"))
    assert len(kept) == 2 and all(one["verification"]["tests_generated"] for one in kept)
    assert all(lacking(one, "rl", Fit(min_strength=0.1)) == [] for one in kept), "the columns say so too"
    entry = next(entry for entry in dropped(tmp_path / "set") if entry["rule"] == "fit_v1")
    assert (
        entry["reason"] == "samples_only" and "it would need: tests beyond the statement's samples" in entry["detail"]
    )
    assert validate(tmp_path / "set") == []
