"""What comes with the package: recorded results that belong to its experiments, and pages that are made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microcoder_rl.lab.experiment import load_lab
from microcoder_rl.lab.page import WorldRow, write_pages
from microcoder_rl.lab.results import Results, shipped_results

pytestmark = pytest.mark.fast

DOCS = Path(__file__).parents[3] / "docs"


def recorded_world() -> list[WorldRow]:
    return [WorldRow(**row) for row in json.loads(shipped_results().with_name("world.json").read_text())]


def test_the_pages_say_what_the_recorded_results_say(tmp_path):
    pages = write_pages(load_lab(), Results(shipped_results()), recorded_world(), tmp_path)
    assert [page.name for page in pages] == ["insights.md", "insights_curves.html"]
    for page in pages:
        assert page.read_text() == (DOCS / page.name).read_text(), "run `microcoder lab page --out docs`"


def test_every_recorded_run_is_of_an_arm_that_there_is():
    lab = load_lab()
    keys = {lab.arm(name, arm).key for name, config in lab.experiments.items() for arm in config.arms}
    assert {arm for arm, _ in Results(shipped_results()).read()} <= keys


def test_the_recorded_world_has_what_the_experiments_need():
    rows = recorded_world()
    assert rows and [row.name for row in rows if not row.least <= row.value <= row.most] == []
