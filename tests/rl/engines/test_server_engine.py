"""The engine "vllm-server" with the real vLLM in a process of its own: the same replies, and every way to lose it."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
psutil = pytest.importorskip("psutil")

from microcoder_eval import InputError  # noqa: E402
from microcoder_rl.engines import EngineError  # noqa: E402
from microcoder_rl.engines.end_with_parent import LOOK_S  # noqa: E402
from microcoder_rl.recipe.vllm import VllmConfig  # noqa: E402
from tests.rl.toys import END, gap, requests, sample_from, small_model  # noqa: E402

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not importlib.util.find_spec("vllm"), reason="vLLM is not installed here: make test-vllm"),
]

SILENCE_S = 30


@pytest.fixture(scope="module")
def model():
    return small_model(head_dim=32)


@pytest.fixture(scope="module")
def folder(model, toy, tmp_path_factory):
    """The model with some tokenizer, which the server insists on."""
    from transformers import AutoTokenizer

    folder = tmp_path_factory.mktemp("server") / "model"
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(toy / "model").save_pretrained(folder)
    return folder


def open_server(folder, model, *, folder_name="other-engine", notify=print, **settings):
    from functools import partial

    from microcoder_rl.engines.server_engine import ServerEngine
    from microcoder_rl.engines.server_process import ServerProcess

    config = VllmConfig(cpu_cache_gb=1, eager=True, weights="disk", start_s=120, **settings)
    start = partial(ServerProcess, str(folder), config, context=256, dtype="float32", rows=64)
    weights = lambda: model.state_dict().items()  # noqa: E731
    return ServerEngine(start, weights, [END], config, folder.parent / folder_name, rows=64, notify=notify)


@pytest.fixture(scope="module")
def engine(folder, model):
    engine = open_server(folder, model, folder_name="engine", silence_s=SILENCE_S, restarts=10)
    yield engine
    engine.close()


def server_of(engine):
    """The server's own process, which `end_with_parent` started."""
    (server,) = psutil.Process(engine._process._process.pid).children()
    return server


def change_weights(model):
    generator = torch.Generator().manual_seed(1)
    for parameter in model.parameters():
        parameter.data.add_(torch.randn(parameter.shape, generator=generator) * 0.02)


def test_replies_are_the_models_own_after_new_weights(model, engine):
    for temperature in (0.6, 1.8):
        rollouts = sample_from(engine, requests(), temperature=temperature)
        assert [(r.group, r.sample) for r in rollouts] == [(g, s) for g in range(5) for s in range(6)]
        assert gap(model, rollouts) <= 1e-5
        assert {r.finish for r in rollouts} == {"stop", "length"}
        change_weights(model)
        engine.sync()
    assert gap(model, sample_from(engine, requests())) <= 1e-5
    assert len(list((engine.folder).glob("weights-*"))) == 1


def test_a_caller_that_stops_listening_leaves_nothing_behind(engine):
    replies = engine.generate(requests(), temperature=1.0, max_tokens=40)
    next(replies)
    replies.close()
    engine.sync()
    assert len(sample_from(engine, requests(2))) == 12


def test_a_refusal_is_the_servers_own_words(engine):
    with pytest.raises(EngineError, match=r"refused .*max_model_len"):
        sample_from(engine, requests(1), max_tokens=400)


def test_a_stuck_server_is_replaced_with_its_last_weights(model, engine):
    """A killed one, too: test_vllm_training.py."""
    change_weights(model)
    engine.sync()
    many = requests(8, 40)  # more than are asked for at a time, so that the first reply is not the last
    expected = sample_from(engine, many)
    messages = []
    engine.notify = messages.append
    replies = engine.generate(many, temperature=1.0, max_tokens=40)
    found = [next(replies)]
    server = server_of(engine)
    for process in (server, *server.children(recursive=True)):
        process.send_signal(signal.SIGSTOP)
    found = sorted([*found, *replies], key=lambda rollout: (rollout.group, rollout.sample))
    assert [r.response_ids for r in found] == [r.response_ids for r in expected]
    assert gap(model, found) <= 1e-5
    lost, again = messages[::2], messages[1::2]  # more than one of each where the new server is as slow as a stuck one
    assert lost and all(f"no token for {SILENCE_S} s" in message for message in lost), messages
    assert len(again) == len(lost) and all("works again after" in message for message in again), messages


def test_a_server_given_by_address_is_used_and_its_loss_ends_the_run_with_the_reason(model, folder, engine):
    other = open_server(folder, model, url=engine._process.url)
    change_weights(model)
    other.sync()
    replies = other.generate(requests(8, 400), temperature=1.3, max_tokens=40)  # far more than it samples until then
    assert gap(model, [next(replies) for _ in range(20)]) <= 1e-5
    server_of(engine).kill()
    with pytest.raises(EngineError, match=r"the server at http://127\.0\.0\.1:\d+ is lost: .*--resume"):
        list(replies)
    other.close()


def test_it_gives_up_after_the_restarts_it_may_make(model, engine):
    """The server that the test before killed is missed at the next request."""
    engine.config = VllmConfig(weights="disk", restarts=0)
    replies = engine.generate(requests(), temperature=1.0, max_tokens=40)
    with pytest.raises(EngineError, match=r"the vLLM server is lost: .*SIGKILL.*--resume"):
        list(replies)


def test_no_server_at_the_address(model, folder):
    with pytest.raises(InputError, match="no vLLM server answers at http://127"):
        open_server(folder, model, url="http://127.0.0.1:9")


def test_the_trainer_knows_where_a_server_finds_it():
    from microcoder_rl.engines.weight_transfer import own_address

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        assert own_address(url) == "127.0.0.1"


def test_no_shared_memory_is_left_behind_by_a_killed_command():
    """A command and its child have shared memory; both are killed at once, so that neither can tidy up."""
    code = (
        "import os, time\n"
        "from multiprocessing import shared_memory\n"
        "memory = shared_memory.SharedMemory(create=True, size=4096)\n"
        "print(memory.name, flush=True)\n"
        "os.fork()\n"
        "time.sleep(1000)\n"
    )
    command = [sys.executable, "-m", "microcoder_rl.engines.end_with_parent", sys.executable, "-c", code]
    wrapper = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert wrapper.stdout is not None
    shared = Path("/dev/shm") / wrapper.stdout.readline().strip()
    assert shared.exists()
    looking = psutil.Process(wrapper.pid)
    looks_after = looking.num_ctx_switches().voluntary + 2 * LOOK_S / 0.1
    while looking.num_ctx_switches().voluntary < looks_after:  # it sleeps 0.1 s at a time, and looks at times
        time.sleep(0.1)
    for process in looking.children(recursive=True):
        process.kill()
    assert wrapper.wait(timeout=1200) == 128 + signal.SIGKILL
    assert not shared.exists()


@pytest.mark.parametrize(("end", "number"), [(os.kill, signal.SIGKILL), (os.killpg, signal.SIGTERM)])
def test_a_server_does_not_outlive_the_one_who_started_it(end, number):
    code = (
        "import subprocess, sys, time\n"
        "wrapper = subprocess.Popen([sys.executable, '-m', 'microcoder_rl.engines.end_with_parent', 'sleep', '1000'],"
        " stdin=subprocess.PIPE)\n"
        "print(wrapper.pid, flush=True)\n"
        "time.sleep(1000)\n"
    )
    trainer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert trainer.stdout is not None
    wrapper = psutil.Process(int(trainer.stdout.readline()))
    while not wrapper.children():
        assert wrapper.is_running()
    (server,) = wrapper.children()
    end(trainer.pid, number)
    trainer.communicate()
    psutil.wait_procs([wrapper, server], timeout=1200)
    assert not server.is_running() and not wrapper.is_running()
