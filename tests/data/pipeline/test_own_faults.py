"""An exception of this program on one row costs that row, is counted as our fault, and never stops a build."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.commands import data
from microcoder_data.compare.pool import POOL_RULE
from microcoder_data.compare.settings import DUPLICATES_RULE
from microcoder_data.faults import faults_of
from microcoder_data.pipeline.writable import run_writable
from microcoder_data.report.dataset import dropped, rows
from microcoder_data.report.validate import validate
from microcoder_data.rules import apply_rules
from microcoder_data.schema import WORK, new_row
from tests.data.made_up import taco_record, write_lines
from tests.data.pipeline.test_pooling import recipe_of

UNLUCKY = "1003"
"""In the address of the record on which the program fails, and in its twin's."""


def fails(real: Callable[..., Any]) -> Callable[..., Any]:
    """The function, but it raises an exception on the unlucky record."""

    def function(*given: Any, **named: Any) -> Any:
        if any(UNLUCKY in str(getattr(one, "names", one)) for one in given):
            raise ZeroDivisionError("no such luck")
        return real(*given, **named)

    return function


def few(folder: Path, more: str = "") -> Path:
    records = write_lines(folder / "few.jsonl", [taco_record(number) for number in range(6)])
    path = folder / "recipe.yaml"
    path.write_text(f"name: few\nsources: [{{source: taco, path: {records}}}]\n{more}")
    return path


def built(recipe: Path, out: Path, **options: Any) -> dict[str, Any]:
    manifest = build(load_recipe(recipe), out, make_engine("local", 1), Options(**options))
    assert manifest is not None
    return manifest


@pytest.mark.parametrize(
    ("place", "stage"),
    [
        ("microcoder_data.process.boilerplate.Boilerplate.__call__", "process"),
        ("microcoder_data.fidelity.measure.blamed", "process"),
        ("microcoder_data.filter.quality.Quality.__call__", "filter"),
        ("microcoder_data.compare.features.profile_of", "compare"),
        ("microcoder_data.verify.integrity.TestIntegrity.__call__", "verify"),
    ],
)
def test_a_row_on_which_a_rule_raises_is_dropped_as_our_fault(
    place: str, stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name = place.rsplit(".", 1)
    monkeypatch.setattr(place, fails(getattr(_named(module), name)))
    manifest = built(few(tmp_path), tmp_path / "out")
    (entry,) = dropped(tmp_path / "out")
    assert entry["stage"] == stage and entry["reason"] == "rule_failed" and UNLUCKY in entry["url"]
    assert entry["detail"] == "ZeroDivisionError: no such luck"
    assert manifest["rows"] == 5 and not validate(tmp_path / "out")
    (fault,) = faults_of(manifest["stages"])
    assert fault.startswith(f"{stage}: {entry['rule']}, ZeroDivisionError in microcoder_data/") and "(1 row)" in fault
    assert built(few(tmp_path), tmp_path / "out", resume=True) == manifest


@pytest.mark.parametrize(("column", "value"), [("statement", "\ud800"), ("tags", 5)])
@pytest.mark.parametrize("rule", ["process.boilerplate.Boilerplate", "verify.limits.Limits"])
def test_a_row_that_a_rule_leaves_unwritable_is_dropped_as_its_fault(
    rule: str, column: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = _named(f"microcoder_data.{rule}")
    real = owner.__call__

    def bad(self: Any, row: dict[str, Any]) -> Any:
        if UNLUCKY in row["url"]:
            row[column] = value
        return real(self, row)

    monkeypatch.setattr(owner, "__call__", bad)
    manifest = built(few(tmp_path), tmp_path / "out")
    (entry,) = dropped(tmp_path / "out")
    assert entry["reason"] == "rule_failed" and entry["rule"] == owner.name and UNLUCKY in entry["url"]
    assert manifest["rows"] == 5 and len(faults_of(manifest["stages"])) == 1 and not validate(tmp_path / "out")


def test_what_a_rule_makes_of_a_models_answer_is_checked_too() -> None:
    class Asks:
        name = "asks_v1"

        def __call__(self, row: dict[str, Any]) -> None:
            return None

        def ask(self, row: dict[str, Any], client: Any) -> None:
            row["statement"] = "\ud83d"

    def run(through: Any) -> Any:
        row = new_row(problem_id="a:1", source="a", statement="s", kind="stdin")
        entry = apply_rules(row, through([Asks()]), "rate", client=object())  # type: ignore[arg-type]
        pa.RecordBatch.from_pylist([row], schema=WORK)
        return entry

    entry = run_writable(run)
    assert (entry["rule"], entry["reason"], entry["statement"]) == ("asks_v1", "rule_failed", "s")


def test_a_record_on_which_an_adapter_or_a_check_raises_is_rejected_as_our_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microcoder_data import conversion

    for name in ("_converted", "_check", "tests_sha256"):
        with monkeypatch.context() as patched:
            patched.setattr(conversion, name, fails(getattr(conversion, name)))
            manifest = built(few(tmp_path), tmp_path / name)
        (entry,) = dropped(tmp_path / name)
        assert (entry["outcome"], entry["reason"]) == ("rejected", "unforeseen_record")
        assert entry["detail"] == "ZeroDivisionError: no such luck" and len(faults_of(manifest["stages"])) == 1


def test_a_disk_that_cannot_be_written_is_no_fault_of_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(store: Any, row: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("microcoder_data.shards.TestStore.move_out", full)
    with pytest.raises(OSError, match="No space"):
        built(few(tmp_path), tmp_path / "out")


def test_rows_that_cannot_be_judged_are_kept_apart_as_our_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microcoder_data.compare import judgements

    monkeypatch.setattr(judgements, "judge", fails(judgements.judge))
    manifest = built(recipe_of(tmp_path), tmp_path / "out")
    assert manifest["rows"] == 41
    (fault,) = faults_of(manifest["stages"])
    assert fault.startswith(f"compare: {DUPLICATES_RULE}, ZeroDivisionError in microcoder_data/compare/judgements.py")
    marked = [step["detail"] for row in rows(tmp_path / "out") for step in row["provenance"] if step["names"]]
    assert any("not merged: ZeroDivisionError: no such luck" in str(detail) for detail in marked)
    assert not validate(tmp_path / "out")
    copies = write_lines(tmp_path / "few.jsonl", [taco_record(3), {**taco_record(3), "url": ""}])
    recipe_of(tmp_path).write_text(f"name: copies\nsources: [{{source: taco, path: {copies}}}]\n")
    manifest = built(tmp_path / "recipe.yaml", tmp_path / "copies")  # dropped for its id, without a judgement
    assert manifest["rows"] == 1 and faults_of(manifest["stages"]) == [fault]


def test_a_row_that_cannot_be_pooled_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from microcoder_data.pipeline import pooling

    def half_done(row: dict[str, Any], *others: Any) -> Any:
        if UNLUCKY in row["url"]:
            row["statement"] = "half done"
        return fails(pool)(row, *others)

    pool = pooling.pool
    monkeypatch.setattr(pooling, "pool", half_done)
    manifest = built(recipe_of(tmp_path), tmp_path / "out")
    assert manifest["rows"] == 40
    (fault,) = faults_of(manifest["stages"])
    assert fault.startswith(f"verify: {POOL_RULE}, ZeroDivisionError in ")
    (row,) = (row for row in rows(tmp_path / "out") if UNLUCKY in row["url"])
    assert row["statement"] != "half done" and len(row["tests"]) == 8


def test_a_benchmark_is_compared_without_what_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from microcoder_data.process.boilerplate import Boilerplate
    from microcoder_data.sources import taco

    bench = write_lines(tmp_path / "bench.jsonl", [taco_record(3), taco_record(60, input_output="")])
    recipe = few(tmp_path, f"compare: {{benchmarks: [{{name: held, source: {{source: taco, path: {bench}}}}}]}}\n")
    with monkeypatch.context() as patched:
        patched.setattr(Boilerplate, "__call__", fails(Boilerplate.__call__))
        manifest = built(recipe, tmp_path / "rule")
    assert [fault for fault in faults_of(manifest["stages"]) if "on benchmark held" in fault]
    assert built(recipe, tmp_path / "rule", resume=True)["warnings"] == manifest["warnings"]
    with monkeypatch.context() as patched:
        patched.setattr(taco, "to_row", fails(taco.to_row))
        manifest = built(recipe, tmp_path / "adapter")
    assert any("benchmark held, ZeroDivisionError" in fault for fault in faults_of(manifest["stages"]))
    assert "benchmark held: 1 record could not be read" in manifest["warnings"]


def test_the_reports_begin_with_our_faults_and_the_status_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microcoder_data.filter.quality import Quality

    monkeypatch.setattr(Quality, "__call__", fails(Quality.__call__))
    recipe, out = few(tmp_path), tmp_path / "out"
    call = ["build", str(recipe), "--out", str(out), "--workers", "1", "--quiet"]
    found = CliRunner().invoke(data, call)
    assert found.exit_code == 1 and found.output.startswith("MicroCoder failed on rows; please report these lines: ")
    assert "to keep: filter.quality: false" in found.output
    card = (out / "README.md").read_text().partition("\n# few\n")[2].strip()
    assert card.startswith("**MicroCoder failed on rows") and "ZeroDivisionError: no such luck" in card
    page = (out / "report.html").read_text()
    assert page.index("MicroCoder failed on rows") < page.index("Rows after each stage")
    found = CliRunner().invoke(data, [*call, "--resume", "--json"])
    assert found.exit_code == 1 and json.loads(found.stdout)["stages"][2]["faults"]
    found = CliRunner().invoke(data, ["filter", *call[1:]])
    assert found.exit_code == 1 and "MicroCoder failed on rows" in found.output


def test_init_says_where_a_rule_failed_on_the_users_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from microcoder_data.filter.quality import Quality

    monkeypatch.setattr(Quality, "__call__", fails(Quality.__call__))
    few(tmp_path)
    found = CliRunner().invoke(data, ["init", str(tmp_path / "few.jsonl"), "--out", str(tmp_path / "made.yaml")])
    assert "MicroCoder failed on rows; please report these lines: filter: quality_v" in found.output


@pytest.mark.parametrize("command", ["build", "collect", "filter"])
def test_a_build_without_a_row_ends_with_status_1_and_says_why(command: str, tmp_path: Path) -> None:
    lines = ["[" * 100_000 + "]" * 100_000, json.dumps({"wrong": "name"})]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(f"name: mine\nsources: [{{source: generic, name: mine, path: {tmp_path / 'mine.jsonl'}}}]\n")
    call = [command, str(recipe), "--out", str(tmp_path / "out"), "--workers", "1", "--quiet"]
    found = CliRunner().invoke(data, call)
    assert found.exit_code == 1
    assert "warning: source mine: no row, 2 records rejected" in found.output
    assert "warning: no row is left" in found.output


def test_a_source_without_a_row_beside_another_is_said(tmp_path: Path) -> None:
    bad = write_lines(tmp_path / "bad.jsonl", [{"wrong": "name"}])
    recipe = few(tmp_path)
    recipe.write_text(
        recipe.read_text().replace("sources: [", f"sources: [{{source: generic, name: b, path: {bad}}}, ")
    )
    assert built(recipe, tmp_path / "out")["warnings"] == ["source b: no row, 1 record rejected"]


def _named(path: str) -> Any:
    """A module, or a class in one."""
    import importlib

    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        module, name = path.rsplit(".", 1)
        return getattr(importlib.import_module(module), name)
