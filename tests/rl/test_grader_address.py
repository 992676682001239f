"""`grader.address`: replies are graded by a service or on a cluster, and the run is the one with its own grader."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from microcoder_rl.recipe import build_config
from microcoder_rl.run import train
from tests.rl.toys import quiet, steps_of, toy_recipe

pytest.importorskip("uvicorn", reason="needs the extra serve")
pytest.importorskip("prometheus_client", reason="needs the extra serve")

from tests.eval.service.running import own_port, start


def test_a_run_that_asks_a_service_is_the_same_run(toy, tmp_path):
    changes = {"run": {"steps": 2}, "evaluate": {"every": 2}}
    train(build_config(toy_recipe(toy, tmp_path / "own", **changes)), notify=quiet)
    with start(tmp_path, "--workers", 2) as service:
        elsewhere = {**changes, "grader": {"address": service.url}}
        train(build_config(toy_recipe(toy, tmp_path / "asked", **elsewhere)), notify=quiet)
        assert service.metric('microcoder_requests_total{call="/v1/grade",status="200"}') > 0
    assert steps_of(tmp_path / "asked") == steps_of(tmp_path / "own")
    assert len(steps_of(tmp_path / "own")) == 2


def test_a_service_that_is_killed_and_comes_back_changes_nothing(toy, tmp_path):
    changes = {"run": {"steps": 3}, "evaluate": {"every": 3}}
    train(build_config(toy_recipe(toy, tmp_path / "own", **changes)), notify=quiet)
    trained = threading.Event()

    def killed_once(first):
        first.wait_for('microcoder_requests_total{call="/v1/grade",status="200"}')
        first.stop(signal.SIGKILL)
        with start(tmp_path, "--workers", 2, "--port", first.port) as second:
            trained.wait(300)
            return second.metric('microcoder_requests_total{call="/v1/grade",status="200"}')

    with (
        own_port() as port,
        start(tmp_path, "--workers", 2, "--port", port) as service,
        ThreadPoolExecutor(1) as thread,
    ):
        asked_again = thread.submit(killed_once, service)
        elsewhere = {**changes, "grader": {"address": service.url}}
        train(build_config(toy_recipe(toy, tmp_path / "asked", **elsewhere)), notify=quiet)
        trained.set()
        assert asked_again.result() > 0
    assert steps_of(tmp_path / "asked") == steps_of(tmp_path / "own")


def test_a_service_with_another_policy_is_refused_before_the_first_step(toy, tmp_path):
    from microcoder_eval import InputError

    with start(tmp_path, "--workers", 1, "--policy", "strict") as service:
        recipe = toy_recipe(toy, tmp_path / "run", grader={"address": service.url})
        with pytest.raises(InputError, match="grades with policy 'strict'"):
            train(build_config(recipe), notify=quiet)
