"""A build on a finished dataset: the bytes of a whole build, without the work that is done already."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.compare import judgements
from microcoder_data.compare.evidence import Judgement, judge
from microcoder_data.compare.profile import Profile
from microcoder_data.lock import exclusive
from microcoder_data.pipeline import build as pipeline_build
from microcoder_data.pipeline import pooling
from microcoder_data.pipeline.tally import Tally
from microcoder_data.rules import Outcome
from microcoder_data.schema import ROW, Row
from microcoder_data.verify.integrity import TestIntegrity
from microcoder_data.verify.run_solutions import RunSolutions
from microcoder_eval import InputError
from tests.data.builds import published
from tests.data.made_up import small_source, taco_record, write_lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    small_source(tmp_path)
    new = [taco_record(number) for number in range(200, 204)]
    new.append({**taco_record(7), "url": ""})  # a copy of a row of the base
    write_lines(tmp_path / "new.jsonl", new)
    return tmp_path


def recipe(folder: Path, name: str, *sources: str, more: str = "") -> Path:
    path = folder / f"{name}.yaml"
    lines = [f"  - {{source: taco, name: {source}, path: {folder}/{source}.jsonl}}\n" for source in sources]
    path.write_text("name: small\npart_bytes: 20000\nsources:\n" + "".join(lines) + more)
    return path


def built(folder: Path, recipe_file: Path, out: str, base: str | None = None) -> dict[str, Any]:
    engine = make_engine("local", 1)
    options = Options(base=folder / base if base else None)
    manifest = build(load_recipe(recipe_file), folder / out, engine, options)
    assert manifest is not None
    return manifest


def inodes(folder: Path, stage: str) -> set[int]:
    return {os.stat(path).st_ino for path in (folder / "work" / stage).glob("*.parquet")}


def counts(dataset: Path) -> dict[str, int]:
    """The kept counts of files for the report, by name: the inode of each."""
    return {
        str(path.relative_to(dataset)): os.stat(path).st_ino for path in (dataset / "work" / "report").rglob("*.json")
    }


def noted(monkeypatch: pytest.MonkeyPatch, rule: type, column: str) -> list[str]:
    """That column of the rows to which the rule is applied from now on."""
    seen: list[str] = []
    once = rule.__call__

    def applied(self: Any, row: Row) -> Outcome | None:
        seen.append(row[column])
        return once(self, row)  # type: ignore[no-any-return]

    monkeypatch.setattr(rule, "__call__", applied)
    return seen


def test_one_more_source_gives_the_bytes_of_a_whole_build(folder: Path) -> None:
    built(folder, recipe(folder, "base", "taco"), "old")
    more = recipe(folder, "more", "taco", "new")
    built(folder, more, "whole")
    before = published(folder / "old")
    manifest = built(folder, more, "grown", base="old")
    assert published(folder / "grown") == published(folder / "whole")
    assert published(folder / "old") == before
    merged = sum(stage["merged"] for stage in manifest["stages"])
    old = json.loads((folder / "old/manifest.json").read_text())
    assert merged == sum(stage["merged"] for stage in old["stages"]) + 1
    for stage in ("collect", "process", "filter"):
        new, shared = inodes(folder / "grown", stage), inodes(folder / "old", stage)
        assert shared and shared < new and len(new - shared) <= 2, stage
    old_counts, new_counts, whole_counts = (counts(folder / name) for name in ("old", "grown", "whole"))
    assert new_counts.keys() == whole_counts.keys(), "counts of files that are no longer there are removed"
    counted_before = [name for name in new_counts if new_counts[name] == old_counts.get(name)]
    assert len(counted_before) > len(new_counts) / 2


def test_a_source_before_the_others_shifts_names_and_gives_the_same_bytes(folder: Path) -> None:
    built(folder, recipe(folder, "base", "taco"), "old")
    more = recipe(folder, "more", "new", "taco")
    built(folder, more, "whole")
    built(folder, more, "grown", base="old")
    assert published(folder / "grown") == published(folder / "whole")


def test_other_settings_take_over_only_what_they_do_not_touch(folder: Path) -> None:
    built(folder, recipe(folder, "base", "taco"), "old")
    stricter = recipe(folder, "stricter", "taco", more="filter: {quality: {min_words: 75}}\n")
    built(folder, stricter, "whole")
    built(folder, stricter, "grown", base="old")
    assert published(folder / "grown") == published(folder / "whole")
    assert inodes(folder / "grown", "process") == inodes(folder / "old", "process")
    assert not inodes(folder / "grown", "filter") & inodes(folder / "old", "filter")


def test_a_broken_file_of_the_base_is_made_again(folder: Path) -> None:
    one = recipe(folder, "base", "taco")
    built(folder, one, "old")
    whole = published(folder / "old")
    victim = sorted((folder / "old" / "work" / "process").glob("*.parquet"))[0]
    victim.write_bytes(victim.read_bytes()[:100])
    built(folder, one, "grown", base="old")
    assert published(folder / "grown") == whole


@pytest.mark.parametrize("broken", ["", "[1]", "{}", "7", '{"key": "x"}'])
def test_records_of_the_base_that_cannot_be_used_are_made_again(folder: Path, broken: str) -> None:
    one = recipe(folder, "base", "taco")
    built(folder, one, "old")
    whole = published(folder / "old")
    work = folder / "old" / "work"
    for path in [*work.glob("*/*.done.json"), work / "inputs.json"]:
        path.write_text(broken)
    built(folder, one, "grown", base="old")
    assert published(folder / "grown") == whole


def test_a_base_must_be_a_finished_dataset_and_another_directory(folder: Path) -> None:
    one = recipe(folder, "base", "taco")
    with pytest.raises(InputError, match="no dataset is here"):
        built(folder, one, "grown", base="old")
    built(folder, one, "old")
    with pytest.raises(InputError, match="is the output directory"):
        built(folder, one, "old", base="old")
    (folder / "old/work").rename(folder / "elsewhere")
    with pytest.raises(InputError, match="work/ is missing"):
        built(folder, one, "grown", base="old")


def test_a_base_and_its_builder_wait_for_each_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = recipe(folder, "old", "taco"), recipe(folder, "more", "taco", "new")
    built(folder, old, "base")
    with exclusive(folder / "base"), pytest.raises(InputError, match="is writing into this directory"):
        built(folder, new, "more", "base")  # the base is being built just now
    tried = []

    def publish_and_build_the_base(*arguments: Any) -> Any:
        with pytest.raises(InputError, match="a build with --base reads this directory"):
            build(load_recipe(old), folder / "base", make_engine("local", 1), Options(resume=True))
        if not tried:
            tried.append(True)
            built(folder, new, "beside", "base")  # another reader is welcome
        return publish(*arguments)

    publish = pipeline_build.publish
    monkeypatch.setattr(pipeline_build, "publish", publish_and_build_the_base)
    built(folder, new, "more", "base")
    assert tried and published(folder / "more") == published(folder / "beside")


def test_only_rows_that_changed_are_verified_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [taco_record(number) for number in range(30)]
    for number, broken in ((4, 7), (5, 1)):  # Verify drops the first, and keeps the other
        given = json.loads(records[number]["input_output"])
        given["outputs"][-broken:] = [f"Error: {test}" for test in range(broken)]
        records[number]["input_output"] = json.dumps(given)
    records += [{**taco_record(number), "url": ""} for number in (3, 9)]  # taken over in the base already
    write_lines(folder / "taco.jsonl", records)
    copy = {**taco_record(7), "url": ""}
    given = json.loads(copy["input_output"])
    copy["input_output"] = json.dumps(
        {"inputs": ["77 77\n", *given["inputs"]], "outputs": ["154\n", *given["outputs"]]}
    )
    write_lines(folder / "new.jsonl", [*map(taco_record, range(200, 204)), copy])
    built(folder, recipe(folder, "base", "taco"), "old")
    more = recipe(folder, "more", "taco", "new")
    built(folder, more, "whole")
    seen = noted(monkeypatch, TestIntegrity, "url")
    manifest = built(folder, more, "grown", base="old")
    assert sorted(seen) == sorted(taco_record(number)["url"] for number in (7, 200, 201, 202, 203))
    assert published(folder / "grown") == published(folder / "whole")
    assert manifest["stages"][-1]["dropped"] == 1
    seen.clear()
    built(folder, more, "again", base="grown")
    assert not seen and published(folder / "again") == published(folder / "whole")


def test_rows_that_take_over_others_are_verified_again_when_that_rule_has_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(folder / "taco.jsonl", [*map(taco_record, range(30)), {**taco_record(9), "url": ""}])
    one = recipe(folder, "base", "taco")
    built(folder, one, "old")
    monkeypatch.setattr(pooling, "POOL_RULE", "pool_v1000")
    built(folder, one, "whole")
    seen = noted(monkeypatch, TestIntegrity, "url")
    built(folder, one, "grown", base="old")
    assert taco_record(9)["url"] in seen
    assert published(folder / "grown") == published(folder / "whole")


def test_rows_whose_solutions_were_run_are_not_run_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    execution = "verify: {execution: {solutions: 1, time_limits: false, mutants: 0, strengthen: false}}\n"
    few = [taco_record(number) for number in range(6)]
    few.append(taco_record(6, solutions=json.dumps(["print('wrong')"])))
    write_lines(folder / "taco.jsonl", few)
    write_lines(folder / "new.jsonl", [{**taco_record(2), "url": ""}, taco_record(300)])
    built(folder, recipe(folder, "base", "taco", more=execution), "old")
    more = recipe(folder, "more", "taco", "new", more=execution)
    built(folder, more, "whole")
    ran = noted(monkeypatch, RunSolutions, "problem_id")
    manifest = built(folder, more, "grown", base="old")
    assert len(ran) == 2  # the new row, and the row of the base that got a copy
    whole = json.loads((folder / "whole/manifest.json").read_text())
    assert manifest["stages"] == whole["stages"] and manifest["rows"] == whole["rows"]
    assert [file["path"] for file in manifest["files"]] == [file["path"] for file in whole["files"]]
    ran.clear()
    again = built(folder, more, "again", base="grown")
    assert again == manifest and not ran


def test_pairs_that_the_base_has_judged_are_not_judged_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [taco_record(number) for number in range(30)]
    write_lines(folder / "taco.jsonl", [*records, *({**taco_record(number), "url": ""} for number in (3, 9, 12))])
    write_lines(folder / "new.jsonl", [taco_record(200), {**taco_record(7), "url": ""}])
    judged: list[tuple[str, str]] = []

    def noting(one: Profile, other: Profile, reason: str) -> Judgement:
        judged.append((one.problem_id, other.problem_id))
        return judge(one, other, reason)

    monkeypatch.setattr(judgements, "judge", noting)
    built(folder, recipe(folder, "base", "taco"), "old")
    assert len(judged) >= 3
    judged.clear()
    more = recipe(folder, "more", "taco", "new")
    built(folder, more, "whole")
    of_whole = list(judged)
    judged.clear()
    built(folder, more, "grown", base="old")
    assert 1 <= len(judged) == len(of_whole) - 3
    assert published(folder / "grown") == published(folder / "whole")
    judged.clear()
    built(folder, more, "again", base="grown")
    assert not judged, "what the base took over from its own base is there too"
    (folder / "old" / "work" / "compare" / judgements.NAME).write_bytes(b"no array")
    built(folder, more, "broken", base="old")
    assert len(judged) == len(of_whole)
    assert published(folder / "broken") == published(folder / "whole")


def test_merged_rows_of_a_shard_are_taken_over_when_other_rows_are_merged_into_it(folder: Path) -> None:
    records = [taco_record(number) for number in range(30)]
    write_lines(folder / "taco.jsonl", [*records, {**taco_record(9), "url": ""}])
    built(folder, recipe(folder, "base", "taco"), "old")
    built(folder, recipe(folder, "more", "taco", "new"), "grown", base="old")
    old, new = ({os.stat(path).st_ino for path in (folder / name / "work/compare").glob("*-merged.arrow")}
                for name in ("old", "grown"))  # fmt: skip
    assert old and old < new


def test_columns_are_counted_as_their_rows_are() -> None:
    def at(stage: str, outcome: str, rule: str = "one_v1") -> Row:
        return {"stage": stage, "outcome": outcome, "rule": rule}

    rows = [
        [at("verify", "changed"), at("verify", "marked", "two_v1"), at("filter", "changed")],
        [],
        [at("verify", "kept"), at("verify", "changed"), at("verify", "changed")],
    ]
    one, all_at_once = Tally(), Tally()
    for steps in rows:
        one.keep({"provenance": steps}, "verify")
    column = pa.chunked_array([pa.array(rows, ROW.field("provenance").type)])
    all_at_once.keep_all(column.slice(0, 1), "verify")
    all_at_once.keep_all(column.slice(1), "verify")
    assert one.record("k", []) == all_at_once.record("k", [])
    assert one.touched["one_v1 changed"] == 3
