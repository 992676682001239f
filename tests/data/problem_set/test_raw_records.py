"""The planted faults: the key tells the truth about the records, and a real build is measured by it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.problem_set import find_problems, read_all
from microcoder_data.problem_set.raw_records import FAULTS, measure, write_raw
from microcoder_data.problem_set.raw_records.fault_recall import recorded_tests
from microcoder_data.problem_set.raw_records.plant_faults import read_key
from microcoder_data.problem_set.raw_records.statement_styles import as_html, dashes, plain
from microcoder_data.problem_set.reference import make_tests
from microcoder_eval import InputError


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("raw")
    write_raw(read_all(find_problems()), out)
    return out


def record_at(raw: Path, location: str) -> Any:
    name, _, line = location.partition(":")
    return json.loads((raw / name).read_text(encoding="utf-8").splitlines()[int(line) - 1])


def test_each_fault_is_planted_and_most_records_have_none(raw: Path) -> None:
    planted = Counter(line["fault"] for line in read_key(raw / "key.jsonl"))
    assert set(planted) == set(FAULTS)
    assert all(count >= 2 for count in planted.values())
    assert planted[""] == max(planted.values())


def test_the_key_says_which_tests_of_a_record_are_not_those_of_its_problem(raw: Path) -> None:
    entries = {entry.slug: entry for entry in read_all(find_problems())}
    for line in read_key(raw / "key.jsonl"):
        if line["fault"] == "broken":
            continue
        true = [(test.input, test.output) for test in make_tests(entries[line["problem"]])]
        changed = [test for test in recorded_tests(record_at(raw, line["location"])) if test not in true]
        assert len(changed) == (1 if line["fault"] in ("wrong_output", "cut_test") else 0), line


def test_statements_carry_what_was_planted(raw: Path) -> None:
    for line in read_key(raw / "key.jsonl"):
        if line["fault"] == "broken":
            continue
        record = record_at(raw, line["location"])
        statement = record.get("question") or record["description"]
        assert ("<p>" in statement) == (line["fault"] == "html")
        assert ("shown in the figure below" in statement) == (line["fault"] == "image")
        if line["detail"] == "ru":
            assert "Выведите" in statement


def test_the_same_seed_writes_the_same_bytes_and_another_one_does_not(raw: Path, tmp_path: Path) -> None:
    entries = read_all(find_problems())
    write_raw(entries, tmp_path / "again")
    write_raw(entries, tmp_path / "other", seed=1)
    key = (raw / "key.jsonl").read_bytes()
    assert (tmp_path / "again" / "key.jsonl").read_bytes() == key
    assert (tmp_path / "again" / "taco.jsonl").read_bytes() == (raw / "taco.jsonl").read_bytes()
    assert (tmp_path / "other" / "key.jsonl").read_bytes() != key


def planted_faults_are_found(key: Path, dataset: Path) -> None:
    found = {line.fault: line for line in measure(key, dataset)}
    for fault in ("html", "language", "image", "cut_test", "copy", "story", "benchmark", "wrong_output", "broken"):
        assert found[fault].found == found[fault].planted, found[fault]
    assert found[""].found >= 0.9 * found[""].planted


@pytest.mark.slow  # it runs every solution of the set: the same is asserted of a finished quickstart
@pytest.mark.timeout(900)
def test_a_build_is_measured_by_the_key(raw: Path, tmp_path: Path) -> None:
    build(load_recipe(raw / "recipe.yaml"), tmp_path / "set", make_engine("local", workers=1), Options())
    planted_faults_are_found(raw / "key.jsonl", tmp_path / "set")

    found = {line.fault: line for line in measure(raw / "key.jsonl", tmp_path / "set")}
    lines = read_key(raw / "key.jsonl")
    lie = [{**line, "fault": "image"} if line["fault"] == "" else line for line in lines]
    (raw / "lie.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lie))
    assert measure(raw / "lie.jsonl", tmp_path / "set")[list(FAULTS).index("image")].found == found["image"].found


def test_without_a_dataset_there_is_one_clear_line(raw: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no dataset here"):
        measure(raw / "key.jsonl", tmp_path)
    with pytest.raises(InputError, match=r"none\.jsonl: No such file"):
        read_key(tmp_path / "none.jsonl")


def test_styles_of_statements() -> None:
    statement = (
        "Is `x` ≤ 10^9?\n\n## Output\n\n- *yes*\n- no\n\n## Samples\n\n```input\n1 <2\n```\n```output\nyes\n```\n"
    )
    assert dashes(statement) == (
        "Is `x` ≤ 10^9?\n\n-----Output-----\n- *yes*\n- no\n\n-----Examples-----\nInput\n1 <2\n\nOutput\nyes\n"
    )
    assert plain(statement).startswith("Is `x` ≤ 10^9?\n\nOutput\n\n- *yes*")
    page = as_html(statement)
    assert "<p>Is <var>x</var> &le; 10<sup>9</sup>?</p>" in page
    assert "<ul><li><em>yes</em></li><li>no</li></ul>" in page
    assert "<pre>1 &lt;2\n</pre>" in page
