"""Pooling across shards: the bytes do not depend on workers, and every row is accounted for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.report.dataset import rows
from microcoder_data.report.validate import validate
from microcoder_data.report.why import why
from tests.data.made_up import taco_record, write_lines

pytestmark = pytest.mark.fast


def recipe_of(folder: Path, more: str = "") -> Path:
    """Forty problems in two sources; the second has other tests, and a statement that kept its exponent."""
    records = [taco_record(number) for number in range(40)]
    for record in records:
        record["question"] = record["question"].replace("integers a and b.", "integers a and b, at most 105.")
    twins = []
    for number in range(40):
        given = [f"{number} {b}" for b in range(5, 15)]
        answers = [str(number + b) for b in range(5, 15)]
        twin = taco_record(number, input_output=json.dumps({"inputs": given, "outputs": answers}))
        twin["question"] = twin["question"].replace("integers a and b.", "integers a and b, at most 10^5.")
        twins.append(twin)
    first = write_lines(folder / "first.jsonl", [{**one, "id": str(number)} for number, one in enumerate(records)])
    second = write_lines(
        folder / "second.jsonl", [{**one, "id": str(number)} for number, one in enumerate(twins[::-1])]
    )
    path = folder / "recipe.yaml"
    path.write_text(
        f"name: pooled\npart_bytes: 20000\nsources:\n  - {{source: taco, name: one, path: {first}}}\n"
        f"  - {{source: taco, name: two, path: {second}}}\n{more}"
    )
    return path


def built(recipe: Path, out: Path, workers: int, **options: Any) -> dict[str, Any]:
    manifest = build(load_recipe(recipe), out, make_engine("local", workers), Options(**options))
    assert manifest is not None
    return manifest


def test_every_row_gets_the_best_of_its_twin_from_another_shard(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path)
    manifest = built(recipe, tmp_path / "out", 1)
    assert manifest["rows"] == 40 and not validate(tmp_path / "out")
    for row in rows(tmp_path / "out"):
        text = f"{row['statement']} {row['input_format']} {row['constraints']}"
        assert row["source"] == "one" and "10^5" in text and "105" not in text
        assert len(row["tests"]) == 14 and row["merged_ids"][0].startswith("two:")
        number = int(row["tests"][0]["input"].split()[0])
        assert all(int(test["input"].split()[0]) == number for test in row["tests"])
    told = "\n".join(why(tmp_path / "out", "two:3"))
    assert "merged at compare" in told and "stands for it" in told
    stays = next(row["problem_id"] for row in rows(tmp_path / "out") if "two:3" in row["merged_ids"])
    assert "pool_v4" in "\n".join(why(tmp_path / "out", stays))
    again = built(recipe, tmp_path / "again", 2)
    assert again["logical_sha256"] == manifest["logical_sha256"] and again["files"] == manifest["files"]
    assert built(recipe, tmp_path / "out", 1, resume=True) == manifest


def test_a_change_in_a_twin_reaches_the_row_that_took_from_it(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path)
    built(recipe, tmp_path / "out", 1)
    second = tmp_path / "second.jsonl"
    second.write_text(second.read_text().replace("2.0 seconds", "3.0 seconds").replace("10^5", "10^6"))
    built(recipe, tmp_path / "out", 1, resume=True)
    built(recipe, tmp_path / "fresh", 1)
    assert list(rows(tmp_path / "out")) == list(rows(tmp_path / "fresh"))


def test_without_pooling_the_row_stays_as_it_was(tmp_path: Path) -> None:
    built(recipe_of(tmp_path, "compare: {duplicates: {pool: false}}\n"), tmp_path / "out", 1)
    row = next(iter(rows(tmp_path / "out")))
    assert len(row["tests"]) == 8 and row["merged_ids"]
    assert not any(step["rule"] == "pool_v4" for step in row["provenance"])


FEW_FILES = """
import resource, sys
from microcoder_data import Options, build, load_recipe, make_engine
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
build(load_recipe(sys.argv[1]), sys.argv[2], make_engine("local", 1), Options())
"""


def test_a_row_takes_from_more_shards_than_files_may_be_open(tmp_path: Path) -> None:
    def twin(number: int) -> dict[str, Any]:
        tests = json.dumps({"inputs": [f"0 {100 + number}"], "outputs": [str(100 + number)]})
        return {**taco_record(0, input_output=tests, url=""), "id": str(number)}

    write_lines(tmp_path / "first.jsonl", [{**taco_record(0), "id": "first"}])
    write_lines(tmp_path / "second.jsonl", [twin(number) for number in range(110)])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        f"name: many\npart_bytes: 1\nfilter: {{tests: false}}\nsources:\n"
        f"  - {{source: taco, name: one, path: {tmp_path / 'first.jsonl'}}}\n"
        f"  - {{source: taco, name: two, path: {tmp_path / 'second.jsonl'}}}\n"
    )
    command = [sys.executable, "-c", FEW_FILES, str(recipe), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    (row,) = rows(tmp_path / "out")
    assert {test["input"].strip() for test in row["tests"]} >= {f"0 {100 + number}" for number in range(110)}
    assert len(row["merged_ids"]) == 110
