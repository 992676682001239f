"""Tokens a second of an update's forward and backward passes on a GPU: layouts, checkpointing, compiling, logit chunks.

    python bench/gpu_update.py [--size 0.6b | 1.7b] [--replies 64] [--reply-tokens 1024] [--json FILE]
    python bench/gpu_update.py --tiny               # a CPU, seconds: shows that the script works

Each line is the second of two passes over the same replies, so that compiling and the allocator's first work do not
count; the line also has the seconds of the first pass.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from gpu_figures import PROMPT_TOKENS
from measure import machine
from random_model import SIZES, make_random_model

from microcoder_rl import logprobs
from microcoder_rl.policy import Policy, micro_batches
from microcoder_rl.recipe.config import ModelConfig
from microcoder_rl.rollout import Rollout

GROUP = 8
MICRO_TOKENS = 16384
CHUNKS = (24, 26, 28)
"""Powers of two: logits held at once."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a small model and few tokens, on the CPU")
    parser.add_argument("--size", choices=["0.6b", "1.7b"], default="0.6b")
    parser.add_argument("--replies", type=int, default=64)
    parser.add_argument("--reply-tokens", type=int, default=1024)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    if arguments.tiny:
        arguments.size, arguments.replies, arguments.reply_tokens = "tiny", 2, 32
    device, dtype = ("cpu", "float32") if arguments.tiny else ("cuda", "bfloat16")
    found = []
    with tempfile.TemporaryDirectory() as name:
        shape = {**SIZES[arguments.size], "max_position_embeddings": 32768, "tie_word_embeddings": True}
        make_random_model(Path(name), prompt_tokens=PROMPT_TOKENS, dtype=dtype, **shape)
        replies = draw(arguments.replies, arguments.reply_tokens, SIZES[arguments.size]["vocabulary"])
        for compiled in (False,) if arguments.tiny else (False, True):
            for checkpointing in (False, True):
                how = ModelConfig(f"{name}/model", dtype, gradient_checkpointing=checkpointing, compile=compiled)
                policy = Policy.load(how, device)
                for layout in ("padded", "packed"):
                    for bits in CHUNKS if layout == "padded" else CHUNKS[1:2]:
                        line = {"compiled": compiled, "checkpointing": checkpointing, "layout": layout, "chunk": bits}
                        found.append({**line, **measure(policy, replies, layout, bits, device)})
                        print(json.dumps(found[-1]), flush=True)
                del policy
    if arguments.json:
        name = torch.cuda.get_device_name() if device == "cuda" else "cpu"
        arguments.json.write_text(json.dumps({"machine": machine(), "device": name, "lines": found}, indent=1) + "\n")


def draw(count: int, tokens: int, vocabulary: int) -> list[Rollout]:
    """Replies of random tokens, eight to a prompt."""
    drawn = random.Random(0)
    prompts = [tuple(drawn.choices(range(2, vocabulary), k=PROMPT_TOKENS)) for _ in range(-(-count // GROUP))]
    replies = [drawn.choices(range(2, vocabulary), k=tokens) for _ in range(count)]
    flat = [-5.0] * tokens
    return [
        Rollout(number // GROUP, number % GROUP, number, prompts[number // GROUP], reply, flat, "length", 1.0)
        for number, reply in enumerate(replies)
    ]


def measure(policy: Policy, replies: Sequence[Rollout], layout: str, bits: int, device: str) -> dict[str, Any]:
    """Two passes over the replies, forward and backward."""
    logprobs.LOGITS_PER_CHUNK[device] = (1 << bits, 1 << bits)
    spent = []
    if device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    for _ in range(2):
        begin = time.perf_counter()
        for micro in micro_batches(replies, MICRO_TOKENS, layout):
            found, _ = policy.logprobs(micro, layout)
            found.mean().backward()
        policy.zero_grad(set_to_none=True)
        if device == "cuda":
            torch.cuda.synchronize()
        spent.append(time.perf_counter() - begin)
    tokens = sum(len(reply.prompt_ids) + reply.length for reply in replies)
    peak = torch.cuda.max_memory_allocated() if device == "cuda" else 0
    return {
        "tokens_per_s": round(tokens / spent[1]),
        "first_pass_s": round(spent[0], 1),
        "peak_gib": round(peak / 2**30, 1),
    }


if __name__ == "__main__":
    main()
