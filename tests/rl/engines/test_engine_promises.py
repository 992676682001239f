"""What engines promise that needs no engine: the watchdog, and what recipes may ask of vLLM."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from functools import partial

import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch")

from microcoder_eval import InputError  # noqa: E402
from microcoder_rl.commands import train as commands  # noqa: E402
from microcoder_rl.engines import EngineError, server_process  # noqa: E402
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
    with pytest.raises(EngineError, match=r"could not be started: .* saying: .*No module named 'vllm'"):
        start_server(tmp_path)


def start_server(folder, **settings):
    config = VllmConfig(weights="disk", **settings)
    start = partial(ServerProcess, "model", config, context=256, dtype="float32", rows=8)
    return ServerEngine(start, dict, [0], config, folder / "engine", rows=8)


SLOW = """
import http.server, json, sys, time

def compute(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass

class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer({"data": [{"id": "policy"}]})

    def do_POST(self):
        compute(3.2)
        self.answer({"choices": []})

    def answer(self, found):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())

for line in range(7):
    print("loading part", line, flush=True)
    time.sleep(0.5)
address = ("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1]))
http.server.ThreadingHTTPServer(address, Server).serve_forever()
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Makes a program run in vLLM's place."""
    module = tmp_path / "path" / "vllm" / "entrypoints" / "openai"
    module.mkdir(parents=True)
    for package in (module, *module.parents[:2]):
        (package / "__init__.py").touch()  # else an installed vLLM comes first
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "path"), *sys.path]))
    return (module / "api_server.py").write_text


def test_a_server_that_starts_slowly_is_waited_for_while_it_writes_or_computes(tmp_path, program):
    program(SLOW)
    before = time.monotonic()
    start_server(tmp_path, start_s=3).close()
    assert time.monotonic() - before > 6


@pytest.mark.parametrize(
    ("code", "start_s", "reason"),
    [
        ("import sys; print('no licence'); sys.exit(3)", 30, "it ended with status 3, saying: no licence"),
        (
            "import time; print('waiting for a lock', flush=True); time.sleep(1000)",
            10,
            "it neither computed nor wrote for 10 s, saying: waiting for a lock",
        ),
        (
            "import time\nwhile True: print('trying again', flush=True); time.sleep(0.05)",
            5,
            "it still works after 10 s, saying: trying again / trying again / trying again",
        ),
    ],
    ids=["ends", "stands still", "never gets ready"],
)
def test_a_server_that_does_not_start_says_its_last_words(tmp_path, program, monkeypatch, code, start_s, reason):
    program(code)
    monkeypatch.setattr(server_process, "LONGEST_START", 2)
    with pytest.raises(EngineError, match=rf"^the vLLM server could not be started: {reason} \(its output is in "):
        start_server(tmp_path, start_s=start_s)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("way", ["nccl", "ipc"])
def test_weights_from_gpu_to_gpu_need_one(way):
    server = {"rollout": {"engine": "vllm-server"}, "vllm": {"url": "http://127.0.0.1:9", "weights": way}}
    with pytest.raises(InputError, match=f"vllm.weights={way} needs a GPU in the trainer: use vllm.weights=disk"):
        refuse_engine(build_config(server))
