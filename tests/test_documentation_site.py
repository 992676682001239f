"""The documentation site: no broken link, references that match the code, commands that run as written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"(?:<!-- (fails|not run): (.+?) -->\n)?```bash\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def test_the_site_builds_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "tutorials" / "train-my-model.html").is_file()
    for page in (ROOT / "docs").glob("*.html"):  # a Markdown file of this name would take its place
        assert (tmp_path / "site" / page.name).read_bytes() == page.read_bytes()


def test_the_references_match_the_code(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / ".ci" / "reference", tmp_path], check=True)
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    committed = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").iterdir()}
    assert made and made == committed, "run `make docs`"


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
