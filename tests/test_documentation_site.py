"""The documentation site: no broken link, references that match the code, commands that run as written."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import microcoder
import microcoder_data
import microcoder_eval

ROOT = Path(__file__).parent.parent
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"(?:<!-- (fails|not run): (.+?) -->\n)?```bash\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    made = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(made)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return made


def test_the_site_builds_and_every_link_leads_somewhere(site: Path) -> None:
    assert (site / "tutorials" / "train-my-model.html").is_file()
    for page in (ROOT / "docs").glob("*.html"):  # a Markdown file of this name would take its place
        assert (site / page.name).read_bytes() == page.read_bytes()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_pages_can_be_searched_as_files_and_ask_no_other_host(site: Path, width: int) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": 800})
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "tutorials" / "grade-my-replies.html").as_uri())
        if width < 500:
            page.locator(".md-header__button[for=__search]").click()
        page.get_by_placeholder("Search").click()
        page.get_by_text("Type to start searching").wait_for()  # until its index is read
        page.keyboard.type("min_tests")
        page.locator(".md-search-result__link", has_text="filter.tests").click()
        page.wait_for_url("**/dataset_keys.html*")
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        browser.close()


def test_the_references_match_the_code(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / ".ci" / "reference", tmp_path], check=True)
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    committed = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").iterdir()}
    assert made and made == committed, "run `make docs`"
    headings = {*re.findall(r"^#+ (.+)$", made["python.md"], re.MULTILINE)}
    names = {*microcoder.__all__, *microcoder_eval.__all__, *microcoder_data.__all__}
    assert names - headings == {"__version__", "ROW", "SCHEMA_VERSION"}, "constants only"
    assert {"Grader.grade_many", "Problem.from_dict", "Grade.reward"} <= headings


@pytest.mark.slow
@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_every_command_of_a_tutorial_runs_as_written(tutorial: Path, tmp_path: Path) -> None:
    """Blocks run one after the other in an empty folder. One that is marked with a reason must fail, or is not run."""
    text = tutorial.read_text(encoding="utf-8")
    assert text.count("```bash") == len(BLOCK.findall(text)) > 0
    shim = tmp_path / "bin"
    shim.mkdir()
    for name, words in (("microcoder", "-m microcoder"), ("python", "")):
        (shim / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (shim / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{shim}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "pipelines").symlink_to(ROOT / "pipelines")
    for mark, reason, script in BLOCK.findall(text):
        assert not mark or len(reason) > 5
        if mark == "not run":
            continue
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=tmp_path / "here",
            env=environment,
            capture_output=True,
            text=True,
        )
        assert (done.returncode != 0) == (mark == "fails"), f"{script}\n{done.stdout}\n{done.stderr}"
