"""Models whose weights are divided over ranks: no rank holds the whole model, and it is gathered in few operations."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file  # noqa: E402
from torch import nn  # noqa: E402

from microcoder_rl import distributed  # noqa: E402
from microcoder_rl.model.head import head_is_plain  # noqa: E402
from microcoder_rl.policy import Policy  # noqa: E402
from microcoder_rl.recipe.config import ModelConfig  # noqa: E402
from tests.rl.toys import small_model, write_toy  # noqa: E402

RANK = """
import json, sys, threading
from functools import partial
from pathlib import Path
import torch
import torch.distributed.fsdp
from torch.distributed.tensor.debug import CommDebugMode
from transformers import AutoModelForCausalLM
from microcoder_rl import distributed
from microcoder_rl.engines.first_rank import FirstRankEngine
from microcoder_rl.engines.from_recipe import _on_host
from microcoder_rl.engines.weight_files import save_weights
from microcoder_rl.model import divided
from microcoder_rl.policy import Policy
from microcoder_rl.recipe.config import ModelConfig

def own_memory():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))

def watch():
    while not loaded.wait(0.002):
        held.append(own_memory())

class Saved:  # an engine that gets its weights through a file, as a server does
    def __init__(self, folder, weights):
        self.folder, self.weights = Path(folder), weights

    def sync(self):
        weights = list(self.weights())
        assert all(weight.device.type == "cpu" for _, weight in weights)
        save_weights(self.folder, weights)

loaded, held = threading.Event(), []
model = sys.argv[1]
with distributed.joined(300, "cpu"):
    begin = own_memory()
    thread = threading.Thread(target=watch)
    thread.start()
    policy = Policy.load(ModelConfig(path=model), "cpu")
    loaded.set()
    thread.join()
    divided.BUCKET = 1 << 23
    with CommDebugMode() as operations:
        whole = dict(policy.weights())
    expected = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).state_dict()
    result = {
        "equal": list(whole) == list(expected) and all(torch.equal(whole[name], expected[name]) for name in whole),
        "operations": operations.get_total_counts(),
        "weights": len(whole),
        "held": (max(held) - begin) / sum(weight.nbytes for weight in policy.model.state_dict().values()),
    }
    del whole, expected
    engine = FirstRankEngine(lambda weights: Saved(sys.argv[2], weights), partial(_on_host, policy.weights))
    held, begin, done = [], own_memory(), threading.Event()
    loaded = done
    thread = threading.Thread(target=watch)
    thread.start()
    engine.sync()
    done.set()
    thread.join()
    result["kept"] = len(engine.gathered)
    result["held_while_gathered"] = (max(held) - begin) / sum(each.numel() * 4 for each in policy.model.parameters())
    results = distributed.gather(result)
    if distributed.rank() == 0:
        print(json.dumps(results), flush=True)
"""


def test_two_ranks_keep_half_of_a_model_each_and_gather_it_in_few_operations(tmp_path):
    """1,001 rows do not divide by two. The file's pages, which ranks share, are not a rank's own memory. A server that
    reads its weights from disk gets them by way of the first rank's host."""
    write_toy(tmp_path)  # for its tokenizer
    small_model(vocabulary=1001, hidden=512, layers=8).save_pretrained(tmp_path / "model")
    (tmp_path / "rank.py").write_text(RANK)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    (tmp_path / "saved").mkdir()
    command += [tmp_path / "rank.py", tmp_path / "model", tmp_path / "saved"]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    ranks = json.loads(next(line for line in found.stdout.splitlines() if line.startswith("[")))
    for rank in ranks:
        assert rank["equal"]
        assert rank["operations"] < 12 < 80 < rank["weights"]
        assert rank["held"] < 0.8
        assert rank["kept"] == 0
    # of the first nothing is asked: it may reuse memory that it has freed before, and seem to take less than the whole
    assert ranks[1]["held_while_gathered"] < 0.8, "only the rank with the engine holds the whole model, on its host"
    saved, own = (load_file(tmp_path / name / "model.safetensors") for name in ("saved", "model"))
    assert all(torch.equal(saved[name], weight) for name, weight in own.items())


def test_with_several_ranks_the_whole_model_stays_on_the_host(toy, monkeypatch):
    """FSDP2 moves it to the device layer by layer."""
    divided = []
    monkeypatch.setattr(distributed, "size", lambda: 2)
    monkeypatch.setattr(
        "microcoder_rl.policy.divide", lambda _, model, device: divided.append((model.device.type, device))
    )
    Policy.load(ModelConfig(path=str(toy / "model")), "meta")
    assert divided == [("cpu", "meta")]


class Doubled(nn.Linear):
    def forward(self, states):
        return 2 * super().forward(states)


def test_a_head_that_does_more_than_multiply_is_noticed(any_model):
    ids = torch.arange(1, 9)[None]
    with torch.no_grad():
        before = any_model(ids).logits
        assert head_is_plain(any_model, 1.0, None)
        assert not head_is_plain(any_model, 1.0, 5.0)
        assert torch.equal(any_model(ids).logits, before)
        other = small_model("qwen2")
        head = Doubled(64, 96, bias=False)
        head.weight = other.get_output_embeddings().weight
        other.set_output_embeddings(head)
    assert not head_is_plain(other, 1.0, None)
    assert head_is_plain(other, 2.0, None)
