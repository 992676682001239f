"""The properties of the lab's world, measured: a whole world has them, and one that was hardly warmed up has not."""

from __future__ import annotations

import pytest

from microcoder_rl.lab.experiment import load_lab
from microcoder_rl.lab.one_run import Bench
from microcoder_rl.lab.properties import measure
from microcoder_rl.lab.world_config import WorldConfig


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path, lambda message: None)
    yield made
    made.close()


def test_a_world_without_a_warm_up_is_found_out(bench):
    rows = measure(WorldConfig(hidden=32, layers=1, steps=1, batch=2, models=1), load_lab(), bench)
    missing = {row.name for row in rows if not row.holds}
    assert "replies with all working, right when not cut" in missing
    assert all(0 <= row.value <= 8 for row in rows if row.value == row.value)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(WorldConfig().models))
def test_every_model_of_the_world_has_what_the_experiments_need(bench, number):
    rows = measure(WorldConfig(), load_lab(), bench, number)
    assert [(row.name, row.value) for row in rows if not row.holds] == []
