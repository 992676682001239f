"""Small real models, made once."""

from __future__ import annotations

import importlib.util

import pytest


def small_model(kind="qwen3", seed=0, vocabulary=96, hidden=64, layers=2, spread=0.12, head_dim=16):
    import torch
    from transformers import AutoModelForCausalLM, GPT2Config, Qwen2Config, Qwen3Config

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


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    if importlib.util.find_spec("torch"):  # recipes are checked without it
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def qwen3():
    return small_model("qwen3")


@pytest.fixture(scope="session", params=["qwen3", "qwen2", "gpt2"])
def any_model(request):
    return small_model(request.param)


SAYINGS = ["hm ", *(f"```python\nprint({number})\n```\n" for number in range(4))]


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """A folder with a model whose tokens are whole programs, and tasks that ask for one of them: the real grader
    accepts a fair share of what even a random model says, and a few steps of training raise it."""
    import json

    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("toy")
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
            "tests": [{"input": "", "output": f"{number}\n"}],
        }
        for number in range(4)
        for copy in (1, 2)
    ]
    (folder / "tasks.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


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
