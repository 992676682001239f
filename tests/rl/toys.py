"""What the trainer's tests share: small real models, the toy and its recipe, engines sampled in order, ranks.

The toy is a folder with a model whose tokens are whole programs, and tasks that ask for one of them: the real grader
accepts a fair share of even a random model's replies, and a few steps of training raise it. Fixtures that make these
once are in conftest.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

END = 0
"""The end token of small models."""
HIDDEN = "4711"
"""The input of the hidden test of each task of `write_public_tasks`."""
SAYINGS = ["hm ", *(f"```python\nprint({number})\n```\n" for number in range(4))]


def small_model(kind="qwen3", seed=0, vocabulary=96, hidden=64, layers=2, spread=0.12, head_dim=16, **more):
    import torch
    from transformers import AutoModelForCausalLM, GPT2Config, LlamaConfig, Qwen2Config, Qwen3Config

    torch.manual_seed(seed)
    shape = {
        "vocab_size": vocabulary,
        "hidden_size": hidden,
        "intermediate_size": 2 * hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "initializer_range": spread,
        "eos_token_id": 0,
        "bos_token_id": None,
        "pad_token_id": 0,
    }
    if kind == "qwen3":
        config = Qwen3Config(**shape, head_dim=head_dim, tie_word_embeddings=True)
    elif kind == "qwen2":
        config = Qwen2Config(**shape, tie_word_embeddings=False)
    elif kind == "llama":
        config = LlamaConfig(**shape, tie_word_embeddings=True, **more)
    else:
        config = GPT2Config(
            vocab_size=vocabulary, n_embd=hidden, n_layer=layers, n_head=4, n_positions=512,
            eos_token_id=0, bos_token_id=None, initializer_range=spread,
            resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
        )  # fmt: skip
    model = AutoModelForCausalLM.from_config(config, attn_implementation="sdpa")
    for name, parameter in model.named_parameters():
        if "bias" in name:
            torch.nn.init.normal_(parameter, std=spread)
    return model


def write_toy(folder):
    """Write the toy's model and tasks below `folder`."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = ["<end>", "<pad>", *SAYINGS, *(f"say{number}" for number in range(4))]
    core = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<pad>"))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    core.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<end>", pad_token="<pad>")
    tokenizer.save_pretrained(folder / "model")
    small_model(vocabulary=len(words), hidden=32, layers=1, spread=0.05).save_pretrained(folder / "model")
    lines = [
        {
            "id": f"task-{number}-{copy}",
            "prompt": " ".join([f"say{number}"] * copy),
            "platform": "AtCoder" if number % 2 else "LeetCode",
            "difficulty": "easy" if copy == 1 else "hard",
            "tests": [{"input": "", "output": f"{number}\n", "public": True}],
        }
        for number in range(4)
        for copy in (1, 2)
    ]
    (folder / "tasks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def write_public_tasks(toy, path):
    """Write the toy's tasks with a public and a hidden test each."""
    lines = []
    for line in (toy / "tasks.jsonl").read_text().splitlines():
        task = json.loads(line)
        hidden = {"input": HIDDEN, "output": task["tests"][0]["output"]}
        lines.append(json.dumps({**task, "tests": [{**task["tests"][0], "public": True}, hidden]}))
    path.write_text("\n".join(lines) + "\n")


def toy_recipe(toy, out, **changes):
    """A recipe for the toy, as written in a file; `changes` are sections merged over it."""
    from microcoder_rl.recipe import merged

    recipe = {
        "algorithm": "microcoder_grpo",
        "run": {"name": "toy", "out": str(out), "steps": 6, "threads": 1, "device": "cpu"},
        "model": {"path": str(toy / "model")},
        "data": {"train": str(toy / "tasks.jsonl")},
        "rollout": {"group": 8, "max_tokens": 3},
        "batch": {"prompts": 4, "minibatch": 2, "layout": "shared"},
        "temperature": {"value": 1.0},
        "optimizer": {"lr": 0.01},
        "grader": {"workers": 1, "isolation": "submission", "deadline_s": 250},
        "evaluate": {"every": 3, "samples": 2, "sets": {"test": {"data": str(toy / "tasks.jsonl")}}},
        "checkpoint": {"every": 2},
        "log": {"tensorboard": False},
    }
    return merged(recipe, changes)


def quiet(message):
    pass


def steps_of(folder):
    from microcoder_rl.report.run_log import read_jsonl

    return [
        {key: value for key, value in record.items() if not key.startswith("time/")}
        for record in read_jsonl(folder / "metrics.jsonl")
    ]


def evaluations_of(folder):
    from microcoder_rl.report.run_log import read_jsonl

    return [{**record, "seconds": 0} for record in read_jsonl(folder / "evals.jsonl")]


def weights_of(checkpoint):
    from safetensors.torch import load_file

    return load_file(checkpoint / "model.safetensors")


def requests(prompts=5, replies=6):
    sizes = [3, 17, 9, 30, 11, 5, 23, 8]
    from microcoder_rl.rollout import Request
    from microcoder_rl.seeds import derive_seed

    return [
        Request(
            tuple(1 + (7 * index + position) % 90 for position in range(sizes[index % 8])),
            tuple(derive_seed("test", index, sample) for sample in range(replies)),
        )
        for index in range(prompts)
    ]


def sample(model, wanted, *, rows=128, temperature=1.0, max_tokens=40):
    from microcoder_rl.engines.torch_engine import TorchEngine

    engine = TorchEngine(model, [END], rows=rows)
    rollouts = list(engine.generate(wanted, temperature=temperature, max_tokens=max_tokens))
    return sorted(rollouts, key=lambda rollout: (rollout.group, rollout.sample))


def sample_from(engine, wanted, *, temperature=1.0, max_tokens=40):
    rollouts = engine.generate(wanted, temperature=temperature, max_tokens=max_tokens)
    return sorted(rollouts, key=lambda rollout: (rollout.group, rollout.sample))


def model_logprobs(model, rollout):
    import torch

    ids = torch.tensor([*rollout.prompt_ids, *rollout.response_ids])[None]
    with torch.no_grad():
        whole = model(ids).logits
    logits = whole[0, len(rollout.prompt_ids) - 1 : -1].float() / rollout.temperature
    return logits.log_softmax(-1).gather(-1, torch.tensor(rollout.response_ids)[:, None]).squeeze(-1)


def gap(model, rollouts):
    import torch

    return max((torch.tensor(r.sampled_logprobs) - model_logprobs(model, r)).abs().max().item() for r in rollouts)


class Tokenizer:
    eos_token_id = END


def gradient(policy, batches, layout):
    import torch

    policy.model.zero_grad()
    total = 0.0
    for batch in batches:
        logprobs, _ = policy.logprobs(batch, layout)
        weights = torch.cat([torch.full((len(r.response_ids),), 1.0 + r.sample + 7 * r.group) for r in batch])
        (logprobs * weights).sum().backward()
        total += float((logprobs * weights).sum())
    return total, torch.cat([p.grad.flatten() for p in policy.model.parameters()])


START = """
import atexit, torch.distributed
atexit.register(lambda: torch.distributed.is_initialized() and print("a rank ends within its process group"))
from microcoder_rl.commands import train
train(prog_name="train")
"""


def torchrun(recipe, folder, *flags):
    import yaml

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy.yaml").write_text(yaml.safe_dump(recipe))
    (folder / "start.py").write_text(START)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    return subprocess.Popen(
        [*command, str(folder / "start.py"), "run", str(folder / "toy.yaml"), *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )


def two_ranks(recipe, folder, *flags):
    process = torchrun(recipe, folder, *flags)
    output, _ = process.communicate(timeout=1200)
    assert process.returncode == 0, output
    assert "within its process group" not in output  # or gloo's threads may abort it
    return output
