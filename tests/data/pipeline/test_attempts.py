"""Pass rates: a model attempts every row that is left, the grader judges it, and rows are selected by the rate."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.commands import data
from microcoder_data.report.dataset import dropped, load_manifest, rows
from microcoder_data.report.validate import validate
from microcoder_eval import InputError
from tests.data.builds import published
from tests.data.made_up import taco_record, write_lines
from tests.data.scripted_server import ScriptedServer, serving

ROWS, TRIES = 10, 4
RIGHT = "Thus:\n```python\na, b = map(int, input().split())\nprint(a + b)\n```"
WRONG = ["I cannot.", "```python\nprint(0)\n```", "```python\nraise OSError\n```", "```python\nprint(\n```"]


def said(body: dict[str, Any], number: int) -> str:
    """Problem n is solved in n % 5 of its four attempts; the other replies are wrong in every way."""
    problem = int(body["messages"][1]["content"].split("```")[1].split()[0])
    return RIGHT if body["seed"] < problem % 5 else WRONG[body["seed"]]


def write_recipe(folder: Path, server: ScriptedServer, **filters: Any) -> Path:
    write_lines(folder / "taco.jsonl", [taco_record(number) for number in range(ROWS)])
    text = {
        "sources": [{"source": "taco", "path": str(folder / "taco.jsonl")}],
        "part_bytes": 8000,
        "filter": {"readability": {"judge": "rules"}, **filters},
        "verify": {"attempts": {"count": TRIES, "answer_tokens": 500}},
        "llm": {"backend": "openai", "model": "tried", "base_url": server.base_url, "concurrency": 4},
    }
    path = folder / "recipe.yaml"
    path.write_text(json.dumps(text))
    return path


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(said) as running:
        yield running


def test_the_rate_is_the_share_of_attempts_that_the_grader_accepts(tmp_path: Path, server: ScriptedServer) -> None:
    out = tmp_path / "out"
    build(load_recipe(write_recipe(tmp_path, server)), out, make_engine("local", workers=1))
    found = [row["difficulty"] for row in rows(out)]
    assert sorted(one["pass_rate"] for one in found) == [0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1]
    assert {(one["pass_n"], one["pass_model"], one["native"]) for one in found} == {(4, "tried", "EASY")}
    assert len(server.bodies) == ROWS * TRIES and {body["max_tokens"] for body in server.bodies} == {500}
    assert not validate(out)
    report = (out / "report.html").read_text()
    assert "Pass rates" in report and "tried" in report


def test_rows_outside_the_band_go_and_say_what_would_keep_them(tmp_path: Path, server: ScriptedServer) -> None:
    out = tmp_path / "out"
    path = write_recipe(tmp_path, server, pass_rate={"highest": 0.6})
    told = CliRunner().invoke(data, ["build", str(path), "--out", str(out), "--workers", "1", "--quiet"])
    assert told.exit_code == 0, told.output
    assert sorted(row["difficulty"]["pass_rate"] for row in rows(out)) == [0.25, 0.25, 0.5, 0.5]
    assert Counter(one["reason"] for one in dropped(out)) == {"solved_too_rarely": 2, "solved_too_often": 4}
    assert "filter.pass_rate.lowest: 0" in told.output and "filter.pass_rate.highest: 1" in told.output


def test_the_cost_is_said_before_the_first_attempt(tmp_path: Path, server: ScriptedServer) -> None:
    path, heard = write_recipe(tmp_path, server), []
    told = CliRunner().invoke(data, ["build", str(path), "--out", str(tmp_path / "dry"), "--dry-run"])
    assert told.exit_code == 0, told.output
    assert f"{ROWS * TRIES} calls" in told.output and not server.bodies
    build(
        load_recipe(path), tmp_path / "out", make_engine("local", workers=1),
        notify=lambda text: heard.append((text, len(server.bodies))),
    )  # fmt: skip
    assert heard == [("attempts: at most 10 rows x 4 = 40 questions, and 20,000 tokens of answers; what the cache "
                      "holds is free", 0)]  # fmt: skip
    again = CliRunner().invoke(data, ["build", str(path), "--out", str(tmp_path / "out"), "--dry-run"])
    assert f"{ROWS * TRIES} answered by the cache" in again.output and "0 calls" in again.output


def test_a_killed_build_pays_for_no_attempt_twice(tmp_path: Path) -> None:
    def slowly(body: dict[str, Any], number: int) -> str:
        time.sleep(0.1)
        return said(body, number)

    with serving(slowly) as server:
        path, out = write_recipe(tmp_path, server, pass_rate=True), tmp_path / "killed"
        command = [sys.executable, "-m", "cli", "data", "build", str(path), "--out", str(out), "--workers", "1", "-q"]
        process = subprocess.Popen(command)
        while len(list((out / "work" / "llm").rglob("*.json"))) < 10:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert not (out / "manifest.json").exists()
        assert subprocess.run([*command, "--resume"], check=False).returncode == 0
        assert len(server.bodies) <= ROWS * TRIES + 2 * 4  # again: what was open, and what was not yet written
        build(load_recipe(path), tmp_path / "whole", make_engine("local", workers=1))
    assert published(out) == published(tmp_path / "whole")


def test_a_server_that_fails_costs_attempts_and_they_are_made_up_for(tmp_path: Path) -> None:
    broken = True

    def ill(body: dict[str, Any], number: int) -> str | int:
        return 400 if broken and body["seed"] > 0 else said(body, number)

    with serving(ill) as server:
        path, out = write_recipe(tmp_path, server), tmp_path / "out"
        command = ["build", str(path), "--out", str(out), "--workers", "1", "--quiet"]
        assert CliRunner().invoke(data, command).exit_code == 1
        assert {row["difficulty"]["pass_n"] for row in rows(out)} == {1}
        broken = False
        assert CliRunner().invoke(data, [*command, "--resume"]).exit_code == 0
        assert {row["difficulty"]["pass_n"] for row in rows(out)} == {TRIES}


def test_a_build_on_a_base_attempts_only_what_is_new(tmp_path: Path, server: ScriptedServer) -> None:
    path = write_recipe(tmp_path, server)
    base = tmp_path / "base"
    build(load_recipe(path), base, make_engine("local", workers=1))
    asked = len(server.bodies)
    write_lines(tmp_path / "taco.jsonl", [taco_record(number) for number in range(ROWS + 1)])
    command = ["build", str(path), "--out", str(tmp_path / "more"), "--base", str(base), "--workers", "1", "--quiet"]
    told = CliRunner().invoke(data, command)
    assert told.exit_code == 0, told.output
    assert load_manifest(tmp_path / "more")["rows"] == ROWS + 1 and len(server.bodies) == asked + TRIES


def test_attempts_without_a_model_are_a_mistake_of_the_recipe(tmp_path: Path, server: ScriptedServer) -> None:
    path = write_recipe(tmp_path, server)
    text = json.loads(path.read_text())
    del text["llm"]
    path.write_text(json.dumps(text))
    with pytest.raises(InputError, match=r"verify\.attempts needs a model"):
        load_recipe(path)
