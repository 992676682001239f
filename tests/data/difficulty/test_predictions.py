"""Builds that predict difficulty with and without a model, calibrate it and select by it."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from microcoder_data import load_recipe
from microcoder_data.commands import data
from microcoder_data.difficulty.calibrate import rank_correlation
from microcoder_data.difficulty.predict import Difficulty
from microcoder_data.difficulty.rating_prompt import load_prompt
from microcoder_data.report.dataset import dropped, rows
from microcoder_eval import InputError
from tests.data.difficulty.datasets import built, dataset
from tests.data.scripted_server import serving


def test_rows_say_how_hard_they_are_and_who_says_so(tmp_path: Path) -> None:
    found = built(*dataset(tmp_path))
    assert len(found) == 30
    assert {row["difficulty"]["predictor"] for row in found} == {"heuristic_v2"}
    predicted = [row["difficulty"]["predicted"] for row in sorted(found, key=lambda row: row["difficulty"]["rating"])]
    assert all(1 <= one <= 5 for one in predicted) and rank_correlation(predicted, range(30))[0] > 0.9
    assert all(row["difficulty"]["level"] == "easy" for row in found if row["difficulty"]["rating"] < 1400)
    (step,) = [step for step in found[0]["provenance"] if step["rule"] == "difficulty_v1"]
    assert step["statistic"] == pytest.approx(found[0]["difficulty"]["predicted"], abs=1e-4)


def rating(body: dict[str, Any], number: int) -> str:
    value = {0: 2.0, 1: 3.0, 2: 4.0}[body["seed"]]
    return json.dumps(dict.fromkeys(load_prompt("difficulty_v1").weights, value))


def test_a_model_predicts_three_times_and_the_mean_counts(tmp_path: Path) -> None:
    with serving(rating) as server:
        llm = {"backend": "openai", "model": "judge", "base_url": server.base_url}
        found = built(*dataset(tmp_path, 4, llm=llm, filter={"difficulty": {"override": True}}))
        assert len(server.bodies) == 12
    for row in found:
        assert row["difficulty"]["predicted"] == pytest.approx(3.0) and row["difficulty"]["level"] == "hard"
        assert re.fullmatch(r"judge difficulty_v1 [0-9a-f]{8}", row["difficulty"]["predictor"])


@pytest.mark.parametrize("said", ['{"comprehension": 3}', "very hard", 503])
def test_a_model_that_cannot_say_costs_the_prediction_and_not_the_row(tmp_path: Path, said: Any) -> None:
    with serving(lambda body, number: said) as server:
        llm = {"backend": "openai", "model": "judge", "base_url": server.base_url, "attempts": 1}
        found = built(*dataset(tmp_path, 4, llm=llm))
    assert len(found) == 4
    for row in found:
        assert row["difficulty"]["predicted"] is None and row["difficulty"]["rating"] >= 800
        assert any(step["outcome"] == "marked" and "not predicted" in step["detail"] for step in row["provenance"])


def test_a_build_selects_to_the_shares_and_names_what_it_left_out(tmp_path: Path) -> None:
    path, out = dataset(tmp_path, 30, compare={"select": {"shares": {"easy": 0.25}}})
    kept = built(path, out)
    easy = [row for row in kept if row["difficulty"]["level"] == "easy"]
    assert len(kept) == 20 + 6 and len(easy) == 6
    gone = list(dropped(out))
    assert {(one["rule"], one["reason"]) for one in gone} == {("select_v1", "too_many_easy")}
    assert len(gone) == 4


def test_the_study_reports_order_error_and_boundaries(tmp_path: Path) -> None:
    path, out = dataset(tmp_path, 60)
    built(path, out)
    told = CliRunner().invoke(data, ["difficulty", str(out)])
    assert told.exit_code == 0, told.output
    found = json.loads((out / "difficulty.json").read_text())
    assert found["by"] == "rating" and found["rows"] == 60
    assert found["rank_correlation"]["low"] <= found["rank_correlation"]["value"] <= found["rank_correlation"]["high"]
    assert found["held_out"]["mean_absolute_error"] < found["held_out"]["mean_absolute_error_of_the_mean"]
    curve = [y for _, y in found["curve"]]
    assert curve == sorted(curve) and sum(part["rows"] for part in found["bins"]) == 60
    page = (out / "difficulty.html").read_text()
    assert "<polyline" in page and "Rank correlation" in page
    first = json.loads((out / "difficulty.json").read_text())
    CliRunner().invoke(data, ["difficulty", str(out)])
    assert json.loads((out / "difficulty.json").read_text()) == first


def test_boundaries_follow_the_pass_rates_of_graded_attempts(tmp_path: Path) -> None:
    path, out = dataset(tmp_path, 40)
    built(path, out)
    grades = [
        {"problem_id": f"mine:p{number}", "accepted": attempt < 4 - number // 10, "verdict": "ACCEPTED"}
        for number, attempt in itertools.product(range(40), range(4))
    ]
    grades.append({"problem_id": "mine:p0", "accepted": False, "verdict": "JUDGE_ERROR"})
    run = tmp_path / "run"
    run.mkdir()
    lines = [json.dumps({**grade, "detail": "a\u2028b\x85"}, ensure_ascii=False) for grade in grades]
    run.joinpath("grades.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = CliRunner().invoke(data, ["difficulty", str(out), "--grades", str(run), "--out", str(tmp_path / "study")])
    assert told.exit_code == 0, told.output
    found = json.loads((tmp_path / "study" / "difficulty.json").read_text())
    assert found["by"] == "pass_rate" and found["rows"] == 40
    assert found["observed_levels"] == {"easy": 10, "medium": 20, "hard": 10}
    medium, hard = found["boundaries"]["thresholds"]
    load_recipe(path)
    assert Difficulty(boundaries=(medium, hard)).boundaries == (medium, hard)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--by", "pass_rate"], "0 rows with a pass rate"), (["--grades", "nowhere"], "nowhere: cannot be read")],
)
def test_what_cannot_be_studied_ends_in_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    path, out = dataset(tmp_path, 3)
    built(path, out)
    told = CliRunner().invoke(data, ["difficulty", str(out), *arguments])
    assert told.exit_code == 2 and words in told.output


def test_grades_of_other_problems_are_named(tmp_path: Path) -> None:
    """Such as of the file that a dataset was built from: its ids have no source before them."""
    path, out = dataset(tmp_path, 3)
    built(path, out)
    grades = tmp_path / "grades.jsonl"
    grades.write_text(json.dumps({"problem_id": "p0", "accepted": True, "verdict": "ACCEPTED"}) + "\n")
    told = CliRunner().invoke(data, ["difficulty", str(out), "--grades", str(grades)])
    assert told.exit_code == 2 and "'p0'" in told.output and "'mine:p0'" in told.output


@pytest.mark.parametrize(
    "text", ["", "no head", "---\nversion: x\n---\ntext", "---\nversion: x\ndimensions: {a: 0.4}\n---\nt"]
)
def test_a_prompt_file_that_is_not_one_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.md").write_text(text)
    with pytest.raises(InputError, match=r"mine\.md"):
        Difficulty(prompt=str(tmp_path / "mine.md"))


def test_a_models_attempts_are_graded_and_calibrate(tmp_path: Path) -> None:
    """Predict, let a model try, grade, find the boundaries: the whole way through the commands."""
    path, out = dataset(tmp_path, 24)
    built(path, out)
    names = {row["statement"]: int(row["problem_id"].removeprefix("mine:p")) for row in rows(out)}

    def solver(body: dict[str, Any], number: int) -> str:
        """Knows every problem, but slips in ever more of its attempts."""
        known = next(number for text, number in names.items() if text in body["messages"][1]["content"])
        slip = body["seed"] < known // 8
        return f"So:\n```python\nprint(int(input()) ** 2 + {known} + {int(slip)})\n```"

    with serving(solver) as server:
        llm = {"backend": "openai", "model": "solver", "base_url": server.base_url}
        recipe = tmp_path / "solver.yaml"
        recipe.write_text(json.dumps({**json.loads(path.read_text()), "llm": llm}))
        tries = ["attempt", str(out), "--recipe", str(recipe), "--out", str(tmp_path / "tries.jsonl"), "--count", "3"]
        told = CliRunner().invoke(data, tries)
        assert told.exit_code == 0 and "72 attempts" in told.output, told.output
        assert CliRunner().invoke(data, tries).exit_code == 0 and len(server.bodies) == 72
    command = [
        "eval",
        "grade",
        "--problems",
        out / "data",
        "--submissions",
        tmp_path / "tries.jsonl",
        "--out",
        tmp_path / "run",
    ]
    graded = subprocess.run(
        [sys.executable, "-m", "cli", *map(str, command)], capture_output=True, text=True, check=False
    )
    assert graded.returncode == 0, graded.stderr
    told = CliRunner().invoke(data, ["difficulty", str(out), "--grades", str(tmp_path / "run")])
    assert told.exit_code == 0, told.output
    found = json.loads((out / "difficulty.json").read_text())
    assert found["by"] == "pass_rate" and found["observed_levels"] == {"easy": 8, "medium": 16, "hard": 0}
    assert found["rank_correlation"]["value"] > 0.8
