"""`microcoder home` lists what a folder holds, links the pages, and never replaces somebody's own page."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from microcoder_eval import InputError
from microcoder_eval.report.home import write_home
from microcoder_eval.report.run_report import write_run_report
from tests.eval.made_up_runs import graded, write_run


def test_runs_datasets_trainings_and_pages_are_found_with_their_links(tmp_path: Path) -> None:
    write_run_report(write_run(tmp_path / "runs" / "a b", [graded("s", "p"), graded("t", "p", "WRONG_ANSWER")]))
    write_run(tmp_path / "runs" / "plain", [graded("s", "p")])
    dataset = tmp_path / "datasets" / "mine"
    dataset.mkdir(parents=True)
    (dataset / "manifest.json").write_text(json.dumps({"name": "mine", "rows": 12}))
    (dataset / "README.md").write_text("")
    training = tmp_path / "train"
    training.mkdir()
    (training / "metrics.jsonl").write_text('{"step": 1}\n{"step": 2}\n{"st')
    (training / "evals.jsonl").write_text('{"set": "test", "accuracy": 0.5}\n')
    (tmp_path / "curves.html").write_text("<p>")
    (tmp_path / "other.html").write_text("<!doctype html><title>Curves &amp;\n scores</title>")
    out, found = write_home(tmp_path)
    says = {each.path.relative_to(tmp_path).as_posix(): each.says for each in found}
    assert says == {
        "runs/a b": "1 of 2 accepted",
        "runs/plain": "1 of 1 accepted",
        "datasets/mine": "mine: 12 rows",
        "train": "2 steps, test 50.0 %",
        "curves.html": "",
        "other.html": "Curves & scores",
    }
    html = out.read_text()
    links = re.findall(r'<a href="([^"]+)"', html)
    assert "runs/a%20b/report.html" in links and "curves.html" in links
    assert f"microcoder data report {dataset}" in html and "Curves &amp; scores" in html
    assert write_home(tmp_path)[0] == out, "its own page is replaced"


def test_of_a_site_only_the_first_page_is_listed(tmp_path: Path) -> None:
    (tmp_path / "site" / "guides").mkdir(parents=True)
    for name in ("index.html", "404.html", "more.html", "guides/first.html"):
        (tmp_path / "site" / name).write_text("<title>Guides</title>")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "page.html").write_text("")
    found = {each.path.relative_to(tmp_path).as_posix() for each in write_home(tmp_path)[1]}
    assert found == {"site/index.html", "plain/page.html"}


def test_a_page_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<h1>my site</h1>")
    with pytest.raises(InputError, match="another page"):
        write_home(tmp_path)
    assert (tmp_path / "index.html").read_text() == "<h1>my site</h1>"


def test_an_empty_and_a_missing_folder(tmp_path: Path) -> None:
    assert "Nothing found" in write_home(tmp_path)[0].read_text()
    with pytest.raises(InputError, match="no such folder"):
        write_home(tmp_path / "none")


def test_broken_files_links_and_pipes_do_not_end_it(tmp_path: Path) -> None:
    run, dataset, training = (tmp_path / name for name in ("run", "dataset", "training"))
    for folder in (run, dataset, training):
        folder.mkdir()
    (run / "grades.jsonl").touch()
    (run / "summary.json").write_text('{"accepted": "many"}')
    (dataset / "README.md").touch()
    (dataset / "manifest.json").write_text('{"rows": [' * 100_000)
    os.mkfifo(training / "metrics.jsonl")
    os.mkfifo(tmp_path / "pipe.html")
    (tmp_path / "gone.html").symlink_to(tmp_path / "nowhere.html")
    (tmp_path / "above").symlink_to(tmp_path)
    says = {each.path.name: each.says for each in write_home(tmp_path)[1]}
    assert says == {"run": "not finished", "dataset": "its manifest cannot be read", "training": "no step yet"}
    with pytest.raises(InputError, match="not a folder"):
        write_home(run / "summary.json")


@pytest.mark.parametrize(
    "text",
    [
        '{"accepted": "x"}',
        '{"accepted": null, "submissions": []}',
        '{"accepted": 1e999}',
        "[" * 100_000,
        "[]",
        '{"rows": {}}',
    ],
)
def test_a_broken_record_does_not_hide_the_others(tmp_path: Path, text: str) -> None:
    write_run(tmp_path / "good", [graded("s", "p")])
    for name, files in {
        "run": ("grades.jsonl", "summary.json"),
        "rows": ("manifest.json", "README.md"),
        "train": ("metrics.jsonl", "evals.jsonl"),
    }.items():
        (tmp_path / name).mkdir()
        for file in files:
            (tmp_path / name / file).write_text(text)
    says = {each.path.name: each.says for each in write_home(tmp_path)[1]}
    assert says["good"] == "1 of 1 accepted" and set(says) == {"good", "run", "rows", "train"}


@pytest.mark.parametrize(
    ("line", "said"), [('{"step": 1}', "1 step"), ('{"step": 20}', "20 steps"), ('{"step": "x"}', "1 step")]
)
def test_the_steps_of_a_training_are_counted(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "metrics.jsonl").write_text(line + "\n")
    assert [each.says for each in write_home(tmp_path)[1]] == [said]
