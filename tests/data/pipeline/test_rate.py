"""Rate: a model is asked about the rows that are left when duplicates are gone, and its levels are selected from."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.commands import data
from microcoder_data.difficulty.rating_prompt import load_prompt
from microcoder_data.report.dataset import dropped, load_manifest, rows
from tests.data.builds import published
from tests.data.made_up import taco_record, write_lines
from tests.data.scripted_server import ScriptedServer, serving

ROWS, TWICE = 12, 3
READABLE = {"readability": 4, "completeness": 4, "missing": ""}


def said(body: dict[str, Any], number: int) -> str | int:
    """Every third problem is easy, by what its statement says; one cannot be read."""
    prompt, text = body["messages"][0]["content"], body["messages"][1]["content"]
    one = int(text.split("```")[1].split()[0])
    if "readability" in prompt:
        return json.dumps({**READABLE, "readability": 1 if one == 2 else 4})
    return json.dumps(dict.fromkeys(load_prompt("difficulty_v1").weights, 1 if one % 3 == 0 else 4))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving(said) as running:
        yield running


@pytest.fixture
def recipe(tmp_path: Path, server: ScriptedServer) -> Path:
    """Twelve problems, three of them there twice."""
    records = [taco_record(number) for number in range(ROWS)]
    records += [{**taco_record(number), "url": "", "tags": "[]"} for number in range(TWICE)]
    write_lines(tmp_path / "taco.jsonl", records)
    path = tmp_path / "recipe.yaml"
    text = {
        "sources": [{"source": "taco", "path": str(tmp_path / "taco.jsonl")}],
        "part_bytes": 8000,
        "filter": {"difficulty": {"predictions": 2, "override": True}},
        "compare": {"select": {"shares": {"easy": 0.25}}},
        "llm": {"backend": "openai", "model": "judge", "base_url": server.base_url, "attempts": 1, "concurrency": 4},
    }
    path.write_text(json.dumps(text))
    return path


def test_duplicates_cost_no_questions_and_levels_are_selected_from(
    tmp_path: Path, server: ScriptedServer, recipe: Path
) -> None:
    out = tmp_path / "out"
    build(load_recipe(recipe), out, make_engine("local", workers=1))
    assert len(server.bodies) == ROWS + 2 * (ROWS - 1)
    stages = {one["stage"]: one for one in load_manifest(out)["stages"]}
    assert list(stages) == ["collect", "process", "filter", "compare", "rate", "verify"]
    assert stages["compare"]["merged"] == TWICE and stages["rate"]["in"] == ROWS
    assert stages["rate"]["reasons"] == {
        "dropped readability_v1 unreadable": 1,
        "dropped select_v1 too_many_easy": 2,
    }
    levels = [row["difficulty"]["level"] for row in rows(out)]
    assert (levels.count("easy"), len(levels)) == (2, ROWS - 3)
    assert {row["merged_ids"] != [] for row in rows(out)} == {True, False}
    gone = [(one["stage"], one["outcome"], one["reason"]) for one in dropped(out)]
    assert gone.count(("rate", "dropped", "too_many_easy")) == 2
    assert gone.count(("rate", "dropped", "unreadable")) == 1
    assert [outcome for _, outcome, _ in gone].count("merged") == TWICE


def test_the_same_rows_from_any_number_of_requests_and_after_a_stop(tmp_path: Path, recipe: Path) -> None:
    loaded, one = load_recipe(recipe), tmp_path / "one"
    whole = build(loaded, one, make_engine("local", workers=1))
    parts = tmp_path / "parts"
    for until in ("filter", "compare", "rate"):
        assert build(loaded, parts, make_engine("local", workers=2), Options(resume=True, until=until)) is None
    assert build(loaded, parts, make_engine("local", workers=2), Options(resume=True)) == whole


def test_a_build_killed_in_rate_asks_nothing_twice(tmp_path: Path, server: ScriptedServer, recipe: Path) -> None:
    whole = build(load_recipe(recipe), tmp_path / "whole", make_engine("local", workers=1))
    asked, out = len(server.bodies), tmp_path / "killed"

    def slowly(body: dict[str, Any], number: int) -> str | int:
        time.sleep(0.1)
        return said(body, number)

    server.script = slowly
    command = [sys.executable, "-m", "cli", "data", "build", str(recipe), "--out", str(out), "--workers", "1", "-q"]
    process = subprocess.Popen(command)
    while len(list((out / "work" / "llm").rglob("*.json"))) < 8:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not (out / "manifest.json").exists()
    assert build(load_recipe(recipe), out, make_engine("local", workers=1), Options(resume=True)) == whole
    assert published(out) == published(tmp_path / "whole")
    assert len(server.bodies) - asked <= asked + 2 * 4  # again: what was open, and what was not yet written


def test_a_server_that_dies_in_rate_leaves_questions_that_a_resumed_build_asks(
    tmp_path: Path, server: ScriptedServer, recipe: Path
) -> None:
    whole = build(load_recipe(recipe), tmp_path / "whole", make_engine("local", workers=1))
    asked, out = len(server.bodies), tmp_path / "out"
    server.script = lambda body, number: said(body, number) if number < asked + 10 else 503
    command = ["build", str(recipe), "--out", str(out), "--workers", "1", "--quiet"]
    told = CliRunner().invoke(data, command)
    assert told.exit_code == 1 and "run again with --resume to ask the unanswered questions again" in told.output
    server.script = said
    assert build(load_recipe(recipe), out, make_engine("local", workers=1), Options(resume=True)) == whole
    assert published(out) == published(tmp_path / "whole")


def test_a_dry_run_counts_only_what_will_be_asked(tmp_path: Path, server: ScriptedServer, recipe: Path) -> None:
    told = CliRunner().invoke(data, ["build", str(recipe), "--out", str(tmp_path / "out"), "--dry-run"])
    assert told.exit_code == 0, told.output
    assert f"{ROWS + 2 * ROWS} calls" in told.output  # whom readability will drop is not known yet
    assert not server.bodies and not (tmp_path / "out" / "manifest.json").exists()


def test_readability_can_be_left_to_rules(tmp_path: Path, server: ScriptedServer, recipe: Path) -> None:
    text = json.loads(recipe.read_text())
    text["filter"]["readability"] = {"judge": "rules"}
    recipe.write_text(json.dumps(text))
    out = tmp_path / "out"
    build(load_recipe(recipe), out, make_engine("local", workers=1))
    assert len(server.bodies) == 2 * ROWS
    judged = [step for row in rows(out) for step in row["provenance"] if step["rule"] == "readability_v1"]
    assert {step["stage"] for step in judged} == {"filter"} and "by rules" in judged[0]["detail"]


def test_without_a_model_there_is_nothing_to_rate(tmp_path: Path, recipe: Path) -> None:
    text = json.loads(recipe.read_text())
    del text["llm"]
    recipe.write_text(json.dumps(text))
    out = tmp_path / "out"
    build(load_recipe(recipe), out, make_engine("local", workers=1))
    assert [one["stage"] for one in load_manifest(out)["stages"]] == [
        *("collect", "process", "filter", "compare", "verify")
    ]
