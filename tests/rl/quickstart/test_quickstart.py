"""The quickstart: what it refuses, and (with QUICKSTART=FOLDER of a finished one) its page in a real browser."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("torch")

import cli
from microcoder_data.lock import exclusive
from microcoder_data.shipped import pipelines
from microcoder_rl.commands.quickstart import GROUPS
from microcoder_rl.quickstart.chapters import chapters
from tests.data.problem_set.test_raw_records import planted_faults_are_found

FINISHED = os.environ.get("QUICKSTART", "")
needs_finished = pytest.mark.skipif(not FINISHED, reason="needs a finished quickstart: QUICKSTART=FOLDER")


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli.microcoder, ["quickstart", *map(str, arguments)])


def test_another_folder_is_neither_used_nor_removed(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    result = invoke("--out", tmp_path, "--fresh")
    assert result.exit_code == 2 and "holds something else" in result.output
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_a_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = invoke("--out", tmp_path / "file")
    assert result.exit_code == 2 and "is a file" in result.output and "Traceback" not in result.output


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    (tmp_path / "quickstart.txt").touch()
    with exclusive(tmp_path):
        result = invoke("--out", tmp_path)
    assert result.exit_code == 2 and "is writing into this directory" in result.output


def test_every_command_of_every_chapter_is_one_that_exists(tmp_path: Path) -> None:
    for chapter in chapters(tmp_path, steps=1):
        for step in chapter.steps:
            helped = CliRunner().invoke(GROUPS[step.command[0]], [step.command[1], "--help"])
            assert helped.exit_code == 0, step.command
            options = [word for word in step.command if word.startswith("--")]
            assert [option for option in options if option not in helped.output] == []
    assert (pipelines() / "train" / "tiny.yaml").exists()


def test_training_with_other_keys_is_another_training(tmp_path: Path) -> None:
    asked = [(3, ()), (4, ()), (3, ("tiny.warmup_steps=20",)), (3, ("model.path=a/b",))]
    steps = [step for each in asked for step in chapters(tmp_path, *each)[2].steps if step.command[1] == "run"]
    assert [set(keys) <= set(step.command) for step, (_, keys) in zip(steps, asked, strict=True)] == [True] * 4
    assert len({step.finished for step in steps}) == 4
    assert {step.finished.parent for step in steps if step.finished} == {tmp_path / "training"}


@needs_finished
def test_what_was_planted_in_its_raw_records_was_found() -> None:
    planted_faults_are_found(Path(FINISHED, "raw", "key.jsonl"), Path(FINISHED, "dataset"))


@needs_finished
def test_the_page_shows_what_the_files_say_and_its_links_open() -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    out = Path(FINISHED).resolve()
    manifest = json.loads((out / "dataset" / "manifest.json").read_text())
    errors: list[str] = []
    with playwright.sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: errors.append(request.url) if request.url.startswith("http") else None)
        page.goto(f"file://{out}/index.html")
        text = page.inner_text("body")
        wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        links = [link.get_attribute("href") for link in page.query_selector_all("main a")]
        for link in links:
            page.goto(f"file://{out}/{link}")
            assert page.inner_text("h1")
        browser.close()
    assert errors == [] and not wide
    assert f"{manifest['rows']}\nof" in text and "before training" in text
    assert {"easy-problems/report.html", "training/curves.html"} <= set(links)
    judged = text.split("Programs judged rightly\n")[1].split("\n")[0]
    agreed, _, programs = judged.partition(" of ")
    assert agreed == programs == str(len((out / "programs" / "submissions.jsonl").read_text().splitlines()))
