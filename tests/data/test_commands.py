"""The command line: what users type, what they read, and one clear line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from microcoder_data.commands import data
from microcoder_data.llm import chat_client
from microcoder_data.report.commands import line_of_setting
from microcoder_data.report.diff import setting_changes
from tests.data.made_up import taco_record, write_lines


def run(*arguments: object) -> Result:
    return CliRunner().invoke(data, [str(argument) for argument in arguments])


@pytest.fixture
def out(recipe_file: Path, tmp_path: Path) -> Path:
    result = run("build", recipe_file, "--out", tmp_path / "out", "--workers", 1)
    assert result.exit_code == 0, result.output
    assert "36 rows" in result.output
    return tmp_path / "out"


def test_why_answers_for_every_record(out: Path, recipe_file: Path, tmp_path: Path) -> None:
    from microcoder_data.report.dataset import dropped, rows

    kept = next(iter(rows(out)))
    answer = run("why", kept["problem_id"], "--in", out).output
    assert "kept" in answer and "quality_v4" in answer and "threshold" in answer
    for entry in dropped(out):
        told = run("why", entry["problem_id"] or entry["location"], "--in", out)
        assert told.exit_code == 0 and entry["reason"] in told.output
    merged = next(row for row in rows(out) if row["merged_ids"])
    assert "stands for" in run("why", merged["problem_id"], "--in", out).output
    assert "broken_json" in run("why", "taco.jsonl:41", "--in", out).output
    gone = next(name for row in rows(out) for name in row["merged_ids"] if name != row["problem_id"])
    followed = run("why", gone, "--in", out).output
    assert "kept, stands for" in followed and followed.count("quality_v4") == 1
    wrong = run("why", kept["problem_id"][:-1] + "!", "--in", out)
    assert wrong.exit_code == 2 and f"did you mean '{kept['problem_id']}'" in wrong.output


def test_inspect_stats_and_validate(out: Path) -> None:
    shown = run("inspect", out, "--count", 2).output
    assert shown.count("## Input") == 2 and "standard input" in shown
    row = json.loads(run("inspect", out, "--json").output)["problems"][0]
    assert row["kind"] == "stdin" and "solutions" not in row
    counts = json.loads(run("stats", out, "--json").output)
    assert counts["rows"] == 36 == counts["counts"]["platform"]["codeforces"]
    assert "36" in run("stats", out).output
    assert run("validate", out).exit_code == 0
    next((out / "data").iterdir()).write_bytes(b"x")
    assert run("validate", out).exit_code == 1


def test_diff_tells_what_changed(out: Path, recipe_file: Path, tmp_path: Path) -> None:
    assert "the same 36 rows" in run("diff", out, out).output
    recipe_file.write_text(recipe_file.read_text() + "filter: {tests: {limit: 2}, quality: {min_words: 70}}\n")
    run("build", recipe_file, "--out", tmp_path / "other", "--workers", 1)
    found = json.loads(run("diff", out, tmp_path / "other", "--json").output)
    assert found["settings"] == {"filter.quality.min_words": [15, 70], "filter.tests.limit": [15, 2]}
    assert not found["same"] and not found["added"]
    assert set(found["removed"].values()) <= {"dropped quality_v4 too_few_words"}
    assert "tests" in found["changed_columns"]
    assert "setting filter.tests.limit: 15 -> 2" in run("diff", out, tmp_path / "other").output


def test_diff_names_what_differs_within_a_source_and_shows_a_new_one_in_short() -> None:
    old = {"sources": [{"source": "taco", "path": ["a.jsonl"], "join": {}}]}
    new = {"sources": [old["sources"][0] | {"path": ["b.jsonl"]}, {"source": "apps", "path": ["c.jsonl"], "join": {}}]}
    found = setting_changes("", old, new)
    assert found["sources.0.path"] == [["a.jsonl"], ["b.jsonl"]]
    shown = [line_of_setting(name, *values) for name, values in found.items()]
    assert shown == [
        "setting sources.0.path: ['a.jsonl'] -> ['b.jsonl']",
        "setting sources.1: None -> {'source': 'apps', 'path': ['c.jsonl']}",
    ]


def test_stages_run_alone(recipe_file: Path, tmp_path: Path) -> None:
    for stage in ("collect", "process", "filter", "compare", "verify"):
        result = run(stage, recipe_file, "--out", tmp_path / "steps", "--workers", 1)
        assert result.exit_code == 0 and f"{stage} is finished" in result.output
        assert (tmp_path / "steps" / "manifest.json").exists() == (stage == "verify")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("source: taco", "source: tacco"), "unknown source 'tacco'; did you mean 'taco'?"),
        (("path:", "pth:"), "unknown key 'pth'; did you mean 'path'?"),
        (("taco.jsonl", "tacos.jsonl"), "no file matches"),
        (("name: small", "name: small\nfiltr: {}"), "unknown key 'filtr'; did you mean 'filter'?"),
        (("name: small", "name: small\nfilter: {tests: {limt: 3}}"), "recipe.yaml.filter.tests: unknown key 'limt'"),
        (("name: small", "name: small\nfilter: {tests: {limit: many}}"), "expected a whole number, got 'many'"),
        (("name: small", "name: small\nfilter: {tests: {choose: best}}"), "'best' is not one of longest, diverse, all"),
        (("name: small", "name: small\ncompare: {duplicates: {near: 7}}"), "near must be between"),
        (("name: small", "name: [small"), "not YAML"),
        (("name: small", "name: small\nfilter: {window: {since: 2019-13-01}}"), "month must be in 1..12"),
        (("{source: taco,", "{source: taco, levels: {EASY: simple},"), "'simple' is not one of easy, medium, hard"),
        (("{source: taco,", "{source: taco, fields: {statement: q},"), "`fields` is only for the source generic"),
        (("{source: taco,", "{source: generic, fields: {statment: q},"), "unknown field 'statment'"),
        (("{source: taco,", "{source: taco, constants: {time_limit: 1},"), "did you mean 'time_limit_ms'"),
        (("{source: taco,", "{source: taco, constants: {time_limit_ms: soon},"), "'soon' does not fit this column"),
    ],
)
def test_mistakes_in_a_recipe_are_one_line(
    recipe_file: Path, tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    recipe_file.write_text(recipe_file.read_text().replace(*change))
    result = run("build", recipe_file, "--out", tmp_path / "out", "--workers", 1)
    assert result.exit_code == 2 and message in result.output
    assert "Traceback" not in result.output and not (tmp_path / "out" / "manifest.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build", "nowhere.yaml", "--out", "o"), "no such recipe"),
        (("stats", "nowhere"), "no dataset is here"),
        (("why", "x", "--in", "nowhere"), "no dataset is here"),
        (("validate", "nowhere"), "no dataset is here"),
    ],
)
def test_mistakes_on_the_command_line_are_one_line(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and message in result.output


@pytest.mark.parametrize("content", [b'{"id": 1}\n{"id": 2}\n', b'[{"id": 1}]', b"PAR1\xff\xfe"])
def test_records_given_as_a_recipe_are_told_from_one(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "my tasks.jsonl").write_bytes(content)
    shown = run("build", tmp_path / "my tasks.jsonl", "--out", tmp_path / "out")
    assert shown.exit_code == 2 and f"microcoder data init '{tmp_path}/my tasks.jsonl'" in shown.output


@pytest.mark.parametrize(
    "command",
    [
        *(["stats"], ["validate"], ["inspect"], ["report"], ["difficulty"], ["index", "--out", "i.npz"]),
        *(
            ["export", "--to", "trl", "--out", "x.parquet"],
            ["why", "x", "--in"],
            ["push", "--repo", "a/b", "--dry-run"],
        ),
    ],
)
def test_a_file_given_as_a_dataset_is_told(recipe_file: Path, command: list[str]) -> None:
    shown = run(*command, recipe_file)
    assert shown.exit_code == 2 and shown.output == f"Error: {recipe_file}: no dataset is here\n"


def test_a_recipe_that_trains_is_told_from_one_of_a_dataset(recipe_file: Path, tmp_path: Path) -> None:
    training = tmp_path / "train.yaml"
    training.write_text("extends: base.yaml\nrun: {steps: 3}\n")
    shown = run("build", training, "--out", tmp_path / "out")
    assert shown.exit_code == 2 and "`microcoder train run` takes" in shown.output


def test_an_error_before_the_first_stage_stands_alone(recipe_file: Path, out: Path) -> None:
    """A bar without a stage left an empty line above it."""
    shown = run("build", recipe_file, "--out", out)
    assert shown.exit_code == 2 and shown.stderr.startswith("Error: ")


def test_engines_and_workers_are_checked(recipe_file: Path, tmp_path: Path) -> None:
    alone = run("build", recipe_file, "--out", tmp_path / "out", "--address", "auto")
    assert alone.exit_code == 2 and "--address is for --engine ray" in alone.output
    wrong = run("build", recipe_file, "--out", tmp_path / "out", "--engine", "rya")
    assert wrong.exit_code == 2 and "did you mean 'ray'" in wrong.output
    assert "at least 1" in run("build", recipe_file, "--out", tmp_path / "out", "--workers", 0).output


def test_any_readers_load_the_dataset(out: Path) -> None:
    datasets = pytest.importorskip("datasets")
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars", reason="polars is not installed (extra dev)")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed (extra dev)")
    files = sorted(map(str, (out / "data").glob("*.parquet")))
    loaded = datasets.load_dataset("parquet", data_files=files, split="train", cache_dir=str(out / "cache"))
    assert len(loaded) == 36 and loaded[0]["tests"][0]["input"]
    streamed = datasets.load_dataset("parquet", data_files=files, split="train", streaming=True)
    assert next(iter(streamed))["problem_id"] == loaded[0]["problem_id"]
    assert sum(len(pandas.read_parquet(name)) for name in files) == 36
    table = polars.read_parquet(str(out / "data" / "*.parquet"))
    assert table.height == 36 and table["tests"].list.len().min() == 8
    assert table["problem_id"].n_unique() == 36
    asked = f"select count(*), min(len(tests)), max(tests[1].output) is not null from '{out}/data/*.parquet'"
    assert duckdb.sql(asked).fetchall() == [(36, 8, True)]


def test_inspect_finds_a_row_by_what_why_takes(out: Path) -> None:
    row = json.loads(run("inspect", out, "--json").output)["problems"][0]
    for name in (row["problem_id"], row["problem_id"][1:], row["location"]):
        found = json.loads(run("inspect", out, name, "--json").output)["problems"]
        assert row["problem_id"] in [each["problem_id"] for each in found]
        assert run("why", name, "--in", out).exit_code == 0


def test_an_index_answers_for_new_statements(out: Path, tmp_path: Path) -> None:
    assert run("index", out, "--out", tmp_path / "known.npz").exit_code == 0
    row = json.loads(run("inspect", out, "--json").output)["problems"][0]
    parts = [row[name] or "" for name in ("statement", "input_format", "output_format", "constraints", "notes")]
    (tmp_path / "new.txt").write_text("\n\n".join(filter(None, parts)) + " Good luck.")
    assert row["problem_id"] in run("similar", tmp_path / "known.npz", tmp_path / "new.txt").output
    (tmp_path / "other.txt").write_text("Nothing of the kind was ever asked before in any of these problems.")
    assert "no statement" in run("similar", tmp_path / "known.npz", tmp_path / "other.txt").output
    assert "not an index" in run("similar", tmp_path / "new.txt", tmp_path / "new.txt").output


def test_shipped_recipes_are_valid() -> None:
    from microcoder_data import load_recipe

    recipes = sorted((Path(__file__).parents[2] / "pipelines" / "data").glob("*.yaml"))
    assert recipes
    for path in recipes:
        assert load_recipe(path).sources


def test_a_benchmark_that_is_missing_is_named(recipe_file: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "rows.jsonl", [taco_record(1)])
    more = "compare: {benchmarks: [{name: b, source: {source: humaneval, path: none.jsonl}}]}\n"
    recipe_file.write_text(recipe_file.read_text() + more)
    result = run("build", recipe_file, "--out", tmp_path / "out", "--workers", 1)
    assert result.exit_code == 2 and "compare.benchmarks[0]: no file matches 'none.jsonl'" in result.output


def test_a_dead_server_of_a_model_leaves_status_1_and_a_whole_dataset(
    recipe_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_client, "FIRST_WAIT_S", 0.01)
    nobody = "llm: {backend: openai, model: m, base_url: 'http://127.0.0.1:9/v1', attempts: 1}\n"
    recipe_file.write_text(recipe_file.read_text() + nobody + "filter: {difficulty: true}\n")
    result = run("build", recipe_file, "--out", tmp_path / "out", "--workers", 1)
    assert result.exit_code == 1 and "unanswered" in result.output and "run again with --resume" in result.output
    assert "36 rows" in result.output and run("validate", tmp_path / "out").exit_code == 0


def test_words_for_a_difficulty_that_say_no_level_are_named(tmp_path: Path) -> None:
    records = [taco_record(number, difficulty="NOVICE") for number in range(3)]
    source = write_lines(tmp_path / "raw.jsonl", records)
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(f"name: words\nsources: [{{source: taco, path: {source}}}]\n")
    result = run("build", recipe, "--out", tmp_path / "out", "--workers", 1)
    assert result.exit_code == 0 and "no level is known for the difficulty NOVICE (3 rows)" in result.output
    recipe.write_text(f"name: words\nsources: [{{source: taco, path: {source}, levels: {{NOVICE: easy}}}}]\n")
    result = run("build", recipe, "--out", tmp_path / "other", "--workers", 1)
    assert "no level is known" not in result.output
    assert json.loads(run("stats", tmp_path / "other", "--json").output)["counts"]["level"] == {"easy": 3}
