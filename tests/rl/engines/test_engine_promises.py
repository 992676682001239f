"""What engines promise that needs no engine: the watchdog, and what recipes may ask of vLLM."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from functools import partial

import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch")

from microcoder_eval import InputError  # noqa: E402
from microcoder_rl.commands import train as commands  # noqa: E402
from microcoder_rl.engines import EngineError  # noqa: E402
from microcoder_rl.engines.from_recipe import refuse_engine  # noqa: E402
from microcoder_rl.engines.server_engine import ServerEngine  # noqa: E402
from microcoder_rl.engines.server_process import ServerProcess  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.recipe.vllm import VllmConfig  # noqa: E402
from tests.rl.toys import toy_recipe  # noqa: E402


def test_a_hanging_engine_ends_the_process_with_the_reason():
    code = (
        "import time\n"
        "from microcoder_rl.engines.watchdog import Watchdog\n"
        "with Watchdog(1, 'the engine sampled no token') as watchdog:\n"
        "    watchdog.feed()\n"
        "    watchdog.rest()\n"
        "    time.sleep(1.5)\n"
        "    print('rested', flush=True)\n"
        "    watchdog.feed()\n"
        "    time.sleep(100)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 1 and ended.stdout == "rested\n"
    assert ended.stderr.startswith("Error: the engine sampled no token for 1 s; the stack traces are in ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rollout": {"engine": "vlm"}}, "not one of torch, vllm, vllm-server"),
        ({"rollout": {"staleness": 1, "engine": "vllm"}}, "rollout.staleness needs rollout.engine=vllm-server"),
        ({"vllm": {"weights": "floppy"}}, "known: auto, disk, nccl, ipc"),
        ({"vllm": {"url": "host:8000"}}, "write it as http://host:8000"),
        ({"vllm": {"memory_share": 2}}, "at most 1, not 2"),
        ({"vllm": {"tensor_paralel": 2}}, "did you mean .tensor_parallel."),
    ],
)
def test_what_a_recipe_cannot_ask_for(changes, words):
    with pytest.raises(InputError, match=words):
        build_config(changes)


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vLLM is installed here")
@pytest.mark.parametrize("command", ["run", "eval", "temperature"])
def test_a_missing_vllm_is_one_line_before_anything_is_loaded(toy, tmp_path, command):
    recipe = tmp_path / "toy.yaml"
    recipe.write_text(json.dumps(toy_recipe(toy, tmp_path / "run", rollout={"engine": "vllm"})))
    result = CliRunner().invoke(commands, [command, str(recipe)])
    assert result.exit_code != 0 and "pip install " in result.output and "[vllm]" in result.output
    assert result.output.startswith("Error: rollout.engine=vllm needs vLLM") and result.output.count("\n") == 1


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vLLM is installed here")
def test_a_server_that_cannot_start_says_why(tmp_path):
    config = VllmConfig(weights="disk")
    start = partial(ServerProcess, "model", config, context=256, dtype="float32", rows=8)
    with pytest.raises(EngineError, match=r"could not be started: .* saying: .*No module named 'vllm'"):
        ServerEngine(start, dict, [0], config, tmp_path / "engine", rows=8)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("way", ["nccl", "ipc"])
def test_weights_from_gpu_to_gpu_need_one(way):
    server = {"rollout": {"engine": "vllm-server"}, "vllm": {"url": "http://127.0.0.1:9", "weights": way}}
    with pytest.raises(InputError, match=f"vllm.weights={way} needs a GPU in the trainer: use vllm.weights=disk"):
        refuse_engine(build_config(server))
