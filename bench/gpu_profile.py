"""What the kernels of a decoding stretch and of an update's micro-batch take on a GPU, and where the GPU waits.

    python bench/gpu_profile.py [--size 0.6b | 1.7b] [--rows 128] [--no-compile] [--no-checkpointing] > FILE

Printed are the milliseconds a token by its position, unprofiled; then, profiled, the time in kernels, the longest gaps
between kernels by the two that they lie between, and the kernels by their time.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import torch
from gpu_figures import PROMPT_TOKENS
from gpu_update import draw
from random_model import SIZES, make_random_model
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

from microcoder_rl.engines.torch_engine import TorchEngine
from microcoder_rl.policy import Policy, micro_batches
from microcoder_rl.recipe.config import ModelConfig
from microcoder_rl.rollout import Request
from microcoder_rl.seeds import derive_seed

GROUP, REPLY_TOKENS, MICRO_TOKENS = 4, 512, 16384
POSITIONS = (2, 60, 130, 200, 260, 330, 370)
LONG_GAP_US = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=["0.6b", "1.7b"], default="0.6b")
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--no-checkpointing", action="store_true")
    arguments = parser.parse_args()
    print(torch.cuda.get_device_name())
    with tempfile.TemporaryDirectory() as name:
        shape = {**SIZES[arguments.size], "max_position_embeddings": 32768, "tie_word_embeddings": True}
        make_random_model(Path(name), prompt_tokens=PROMPT_TOKENS, dtype="bfloat16", **shape)
        how = {"gradient_checkpointing": not arguments.no_checkpointing, "compile": not arguments.no_compile}
        policy = Policy.load(ModelConfig(f"{name}/model", "bfloat16", **how), "cuda")
    profile_decoding(policy, arguments.rows)
    profile_update(policy, arguments.rows, SIZES[arguments.size]["vocabulary"])


def profile_decoding(policy: Policy, rows: int) -> None:
    """400 tokens unprofiled, then 10 tokens after the 300th."""
    engine = TorchEngine(policy.model, [0], rows=rows)
    requests = [
        Request(tuple(range(2, 2 + PROMPT_TOKENS - n % 4)), tuple(derive_seed(n, sample) for sample in range(GROUP)))
        for n in range(rows // GROUP)
    ]
    policy.model.eval()
    batch = next(engine._batches(requests))
    steps = engine._decode(requests, batch, 1.0, REPLY_TOKENS)
    times = [time.perf_counter()]
    for _ in range(400):
        next(steps)
        times.append(time.perf_counter())
    spent = [1e3 * (end - begin) for begin, end in pairwise(times)]
    shown = {position: round(statistics.median(spent[position : position + 20]), 2) for position in POSITIONS}
    print(f"{rows} rows, ms a token by position: {shown}; tokens 4 to 400 in {times[-1] - times[3]:.2f} s")
    steps = engine._decode(requests, batch, 1.0, REPLY_TOKENS)
    for _ in range(300):
        next(steps)
    report("10 tokens", lambda: [next(steps) for _ in range(10)])


def profile_update(policy: Policy, rows: int, vocabulary: int) -> None:
    """Forward and backward pass of one micro-batch: three times unprofiled, then once more."""
    policy.model.train()
    micro = next(micro_batches(draw(rows, REPLY_TOKENS, vocabulary), MICRO_TOKENS, "padded"))
    spent = []

    def once() -> None:
        begin = time.perf_counter()
        policy.logprobs(micro, "padded")[0].mean().backward()
        torch.cuda.synchronize()
        spent.append(round(time.perf_counter() - begin, 3))

    for _ in range(3):
        once()
    print(f"a micro-batch of {len(micro)} replies, s: {spent}")
    report("micro-batch", once)


def report(what: str, run: Callable[[], object]) -> None:
    """Print the kernels and the gaps of `run`."""
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        run()
        torch.cuda.synchronize()
    kernels = sorted(
        (event.time_range.start, event.time_range.end, event.name)
        for event in profiled.events()
        if event.device_type == DeviceType.CUDA
    )
    gaps: defaultdict[str, list[float]] = defaultdict(list)
    taken: defaultdict[str, list[float]] = defaultdict(list)
    reached, last = kernels[0][0], ""
    idle = 0.0
    for begin, end, name in kernels:
        taken[name].append(end - begin)
        if begin > reached:
            idle += begin - reached
            if begin - reached > LONG_GAP_US:
                gaps[f"after {last[:60]} before {name[:60]}"].append(begin - reached)
        if end > reached:
            reached, last = end, name
    whole = reached - kernels[0][0]
    print(f"== {what}: {len(kernels)} kernels in {whole / 1e3:.1f} ms, of which the GPU waits {idle / 1e3:.1f} ms")
    for kind, found in (("gap", gaps), ("", taken)):
        for name, parts in sorted(found.items(), key=lambda item: -sum(item[1]))[:15]:
            print(f"{sum(parts) / 1e3:9.2f} ms {100 * sum(parts) / whole:5.1f} % {len(parts):6d}x {kind} {name[:110]}")


if __name__ == "__main__":
    main()
