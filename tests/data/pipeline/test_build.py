"""Builds: every row accounted for, the same bytes however they came about, nothing half-written or built twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import microcoder_data
from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.report.dataset import dropped, rows
from microcoder_data.report.validate import validate
from microcoder_eval import InputError
from tests.data.builds import published
from tests.data.made_up import taco_record, write_lines


def built(recipe: Path, out: Path, workers: int = 1, **options: Any) -> dict[str, Any]:
    engine = make_engine("local", workers)
    try:
        manifest = build(load_recipe(recipe), out, engine, Options(**options))
    finally:
        engine.close()
    assert manifest is not None
    return manifest


def test_every_record_is_kept_dropped_or_merged_by_name(recipe_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    manifest = built(recipe_file, out)
    assert validate(out) == []
    account = {stage["stage"]: stage for stage in manifest["stages"]}
    assert account["collect"]["in"] == 41
    reasons = {reason: count for stage in manifest["stages"] for reason, count in stage["reasons"].items()}
    assert reasons == {
        "rejected adapter_v1 broken_json": 1,
        "rejected adapter_v1 no_tests": 1,
        "dropped relevance_v31 interactive": 1,
        "merged duplicates_v12 near_text": 1,
        "merged duplicates_v12 same_text": 1,
    }
    merged = {entry["problem_id"]: entry for entry in dropped(out) if entry["outcome"] == "merged"}
    assert len(merged) == account["compare"]["merged"] == 2
    assert all(entry["duplicate_of"] for entry in merged.values())
    kept = list(rows(out))
    assert len(kept) == manifest["rows"] == 36
    assert sorted(name for row in kept for name in row["merged_ids"]) == sorted(merged)
    assert len(kept) + sum(1 for _ in dropped(out)) == 41


def test_workers_do_not_change_a_byte(recipe_file: Path, tmp_path: Path) -> None:
    built(recipe_file, tmp_path / "one", workers=1)
    built(recipe_file, tmp_path / "three", workers=3)
    assert published(tmp_path / "one") == published(tmp_path / "three")


def test_a_finished_build_is_not_built_again(recipe_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    built(recipe_file, out)
    before = {path: path.stat().st_mtime_ns for path in (out / "work").rglob("*.parquet")}
    built(recipe_file, out, resume=True)
    assert {path: path.stat().st_mtime_ns for path in (out / "work").rglob("*.parquet")} == before


def test_a_changed_threshold_builds_from_its_stage_on(recipe_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    built(recipe_file, out)
    before = {path: path.stat().st_mtime_ns for path in (out / "work").rglob("*.parquet")}
    recipe_file.write_text(recipe_file.read_text() + "filter: {tests: {limit: 3}}\n")
    built(recipe_file, out, resume=True)
    after = {path: path.stat().st_mtime_ns for path in before}
    touched = {path.parent.name for path in before if after[path] != before[path]}
    assert touched == {"filter", "compare", "verify"}
    assert {len(row["tests"]) for row in rows(out)} == {3}
    fresh = tmp_path / "fresh"
    built(recipe_file, fresh)
    assert published(out) == published(fresh)


def test_a_damaged_file_of_the_work_is_made_again(recipe_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    built(recipe_file, out)
    wanted = published(out)
    for name in ("process/*.parquet", "compare/*.facts.parquet", "compare/*.decisions.parquet", "verify/*.parquet"):
        file = next(one for one in sorted((out / "work").glob(name)))
        whole = file.read_bytes()
        file.unlink()  # the published dataset may share it
        file.write_bytes(whole[: len(whole) // 2])
        built(recipe_file, out, resume=True)
        assert published(out) == wanted, name


def test_a_changed_adapter_reads_its_source_again(recipe_file: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copytree(Path(microcoder_data.__file__).parent, program / "microcoder_data")
    # a path in PYTHONPATH may come after that of an editable install
    run = "import sys; sys.path.insert(0, sys.argv.pop(1)); from microcoder_data.commands import data; data()"
    command = [sys.executable, "-c", run, str(program)]
    command += ["build", str(recipe_file), "--out", str(tmp_path / "out"), "--workers", "1"]
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    assert {row["title"] for row in rows(tmp_path / "out")} == {None}
    adapter = program / "microcoder_data" / "sources" / "taco.py"
    adapter.write_text(adapter.read_text().replace('columns.text(record, "name") or None', '"Read anew"'))
    subprocess.run([*command, "--resume"], check=True, cwd=tmp_path, capture_output=True)
    assert {row["title"] for row in rows(tmp_path / "out")} == {"Read anew"}


def test_sources_without_a_record_are_said(recipe_file: Path, taco_file: Path, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text("")
    listed = tmp_path / "listed.json"
    listed.write_text("[]")
    recipe_file.write_text(f"name: none\nsources: [{{source: taco, path: {nothing}}}]\n")
    with pytest.raises(InputError, match="source taco: no record in"):
        built(recipe_file, tmp_path / "none")
    recipe_file.write_text(
        f"name: some\nsources:\n  - {{source: taco, path: [{taco_file}, {nothing}]}}\n"
        f"  - {{source: generic, name: mine, path: {listed}}}\n"
    )
    warnings = built(recipe_file, tmp_path / "some")["warnings"]
    assert warnings == [f"source mine: no record in {listed}", "nothing.jsonl is empty"]
    recipe_file.write_text(
        f"name: gone\nsources: [{{source: taco, path: {taco_file}}}]\nfilter: {{quality: {{min_words: 9999}}}}\n"
    )
    manifest = built(recipe_file, tmp_path / "gone")
    assert manifest["rows"] == 0 and "no row is left" in manifest["warnings"][0]


def test_changed_input_is_noticed(recipe_file: Path, taco_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    built(recipe_file, out)
    write_lines(taco_file, [taco_record(number) for number in range(5)])
    assert built(recipe_file, out, resume=True)["rows"] == 5
    assert validate(out) == []


def test_from_stage_and_until(recipe_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(InputError, match="no build to continue"):
        built(recipe_file, out, from_stage="filter")
    assert build(load_recipe(recipe_file), out, make_engine("local", 1), Options(until="process")) is None
    assert not (out / "manifest.json").exists() and not (out / "data").exists()
    first = built(recipe_file, out, resume=True)
    before = {path: path.stat().st_mtime_ns for path in (out / "work").rglob("*.parquet")}
    again = built(recipe_file, out, from_stage="filter")
    assert again == first
    rebuilt = {path.parent.name for path in before if path.stat().st_mtime_ns != before[path]}
    assert rebuilt == {"filter", "compare", "verify"}


def test_limit_takes_the_first_records_of_each_source(recipe_file: Path, tmp_path: Path) -> None:
    manifest = built(recipe_file, tmp_path / "out", limit=7)
    assert manifest["stages"][0]["in"] == 7
    assert [row["location"] for row in rows(tmp_path / "out")] == [f"taco.jsonl:{line}" for line in range(1, 8)]


def test_strict_stops_at_the_first_bad_record(recipe_file: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"taco\.jsonl:39: no_tests.*--strict"):
        built(recipe_file, tmp_path / "out", strict=True)


def test_directories_of_others_are_left_alone(recipe_file: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="holds no build"):
        built(recipe_file, tmp_path / "mine", resume=True)
    built(recipe_file, tmp_path / "out")
    with pytest.raises(InputError, match="--resume"):
        built(recipe_file, tmp_path / "out")


def test_missing_files_are_said_before_anything_is_built(recipe_file: Path, tmp_path: Path) -> None:
    recipe = recipe_file.read_text()
    recipe_file.write_text(recipe + "compare: {benchmarks: [{name: b, source: {source: mbpp, path: none.jsonl}}]}\n")
    with pytest.raises(InputError, match=r"compare\.benchmarks\[0\]: no file matches 'none\.jsonl'"):
        built(recipe_file, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_build_that_failed_before_its_first_shard_needs_no_resume(
    recipe_file: Path, taco_file: Path, tmp_path: Path
) -> None:
    whole = taco_file.read_bytes()
    array = taco_file.with_suffix(".json")
    array.write_text("[{")
    recipe_file.write_text(recipe_file.read_text().replace(taco_file.name, array.name))
    with pytest.raises(InputError, match="broken JSON in element 1"):
        built(recipe_file, tmp_path / "out")
    array.write_bytes(whole)
    assert built(recipe_file, tmp_path / "out")["rows"] == 36


RUN = "import sys\nfrom microcoder_data.commands import data\nif __name__ == '__main__':\n    data(sys.argv[1:])\n"


@pytest.fixture
def start(tmp_path: Path, recipe_file: Path) -> Callable[[Path, int], subprocess.Popen[str]]:
    script = tmp_path / "run.py"
    script.write_text(RUN)

    def run(out: Path, workers: int) -> subprocess.Popen[str]:
        command = [sys.executable, str(script), "build", str(recipe_file), "--out", str(out), "--resume"]
        return subprocess.Popen(
            [*command, "--workers", str(workers)], stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    return run


def wait_for(condition: Callable[[], object], seconds: float = 250) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


OTHERS = [("collect", 2), ("filter", 1), ("verify", 2)]
"""What `make test` leaves out: it kills each stage and each number of workers once."""


@pytest.mark.parametrize(
    ("stage", "workers"),
    [("collect", 1), ("filter", 2), ("verify", 1), *(pytest.param(*other, marks=pytest.mark.slow) for other in OTHERS)],
)
def test_killed_and_resumed_gives_the_same_bytes(
    start: Callable[[Path, int], subprocess.Popen[str]], recipe_file: Path, tmp_path: Path, stage: str, workers: int
) -> None:
    built(recipe_file, tmp_path / "calm")
    out = tmp_path / "killed"
    process = start(out, workers)
    folder = out / "work" / stage
    wait_for(lambda: process.poll() is not None or (folder.is_dir() and list(folder.glob("*.done.json"))))
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    built(recipe_file, out, resume=True)
    assert published(out) == published(tmp_path / "calm")
    assert not list(out.rglob(".tmp-*"))


def test_the_second_build_into_a_directory_is_refused(
    start: Callable[[Path, int], subprocess.Popen[str]], recipe_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = start(out, 1)
    wait_for(lambda: list(out.glob("work/collect/*.done.json")))  # it has something to resume already
    os.kill(first.pid, signal.SIGSTOP)
    try:
        for resume in (True, False):
            with pytest.raises(InputError, match=f"process {first.pid} .* is writing into this directory"):
                built(recipe_file, out, resume=resume)
    finally:
        os.kill(first.pid, signal.SIGCONT)
        first.communicate()
    assert first.returncode == 0
    assert validate(out) == []


def test_validate_notices_every_kind_of_damage(recipe_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    built(recipe_file, out)
    shard = sorted((out / "data").glob("*.parquet"))[0]
    whole = shard.read_bytes()
    shard.unlink()
    assert any("missing" in line for line in validate(out))
    shard.write_bytes(whole[:-50] + bytes(50))
    assert any("bytes" in line for line in validate(out))
    shard.write_bytes(whole)
    assert validate(out) == []
    (out / "data" / "extra.parquet").write_bytes(whole)
    assert any("not in the manifest" in line for line in validate(out))
    (out / "data" / "extra.parquet").unlink()
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["stages"][1]["kept"] -= 1
    (out / "manifest.json").write_text(json.dumps(manifest))
    assert any("add up" in line for line in validate(out))


def test_oversized_tests_move_to_files_of_their_own(tmp_path: Path) -> None:
    pairs = {"inputs": ["7 " * 800_000, "1 2\n"], "outputs": ["1\n", "3\n"]}
    write_lines(tmp_path / "big.jsonl", [taco_record(1, input_output=json.dumps(pairs))])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(f"name: big\nsources: [{{source: taco, path: {tmp_path / 'big.jsonl'}}}]\n")
    out = tmp_path / "out"
    manifest = built(recipe, out)
    (row,) = rows(out)
    refs = [test["ref"] for test in row["tests"] if test["ref"]]
    assert len(refs) == 1 and len(list((out / "tests").iterdir())) == 1 == len(manifest["oversized_tests"])
    assert validate(out) == []
    next((out / "tests").iterdir()).unlink()
    assert any("oversized test" in line for line in validate(out))


def test_a_rule_that_fails_on_a_row_costs_that_row(recipe_file: Path, tmp_path: Path) -> None:
    from microcoder_data.rules import apply_rules
    from microcoder_data.schema import new_row

    class Fails:
        name = "fails_v1"

        def __call__(self, row: dict[str, Any]) -> None:
            raise ZeroDivisionError("no such luck")

    entry = apply_rules(new_row(problem_id="a:1", source="a", statement="s", kind="stdin"), [Fails()], "filter")
    assert entry is not None and entry["reason"] == "rule_failed" and "no such luck" in entry["detail"]
