"""The toy recipe trained with the engines torch and vllm over seeds: the same reward within seed noise?

    python bench/engines_same_reward.py [--seeds 3] [--steps 25] [--cache runs/tiny-worlds]

Needs an environment with vLLM (make test-vllm makes one). Records the mean reward of the first and of the last five
steps of every run, the difference between the engines with its 95 % t-interval over seeds, and the largest gap
between a sampler's and the trainer's log-probs once ten updates have changed the weights (in fp32).
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import machine

from microcoder_rl.report.run_log import read_jsonl

ENGINES = ("torch", "vllm")
UPDATES_A_STEP, ENDS = 2, 5
T_95 = {2: 12.71, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}
"""Quantiles of Student's t for the 95 % interval of a mean, by the number of seeds."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, choices=list(T_95))
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--cache", default="runs/tiny-worlds")
    parser.add_argument("--out", type=Path, default=Path("bench/results/engines_same_reward.json"))
    arguments = parser.parse_args()
    runs: dict[str, list[dict[str, Any]]] = {engine: [] for engine in ENGINES}
    with tempfile.TemporaryDirectory() as name:
        for seed in range(arguments.seeds):
            for engine in ENGINES:
                runs[engine].append(run(engine, seed, arguments, Path(name) / f"{engine}-{seed}"))
                print(engine, json.dumps(runs[engine][-1]), flush=True)
    differences = [ours["last"] - theirs["last"] for ours, theirs in zip(runs["vllm"], runs["torch"], strict=True)]
    half = T_95[arguments.seeds] * statistics.stdev(differences) / math.sqrt(arguments.seeds)
    mean = statistics.mean(differences)
    result = {
        "machine": machine(),
        "recipe": "pipelines/train/tiny.yaml",
        "steps": arguments.steps,
        "runs": runs,
        "vllm - torch, reward of the last steps": {"mean": round(mean, 4), "interval": round(half, 4)},
        "same within seed noise": abs(mean) <= half,
        "largest gap after ten updates": max(each["gap_max"] for each in runs["vllm"]),
    }
    arguments.out.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps({key: value for key, value in result.items() if key != "runs"}, indent=1))


def run(engine: str, seed: int, arguments: argparse.Namespace, out: Path) -> dict[str, Any]:
    """One run in a process of its own."""
    changes = [
        f"rollout.engine={engine}", f"run.seed={seed}", f"run.steps={arguments.steps}", f"run.out={out}",
        f"tiny.cache={arguments.cache}", "run.threads=1", "evaluate.at_start=false", "evaluate.every=0",
        "evaluate.samples=1", "evaluate.sets.short.limit=1", "evaluate.sets.long.limit=1", "checkpoint.every=0",
        "log.live=false", "log.tensorboard=false", "vllm.silence_s=300", "vllm.cpu_cache_gb=1",
    ]  # fmt: skip
    command = [sys.executable, "-m", "cli", "train", "run", "pipelines/train/tiny.yaml", "--quiet", *changes]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    steps = read_jsonl(out / "metrics.jsonl")
    gaps = [step["gap_max"] for step in steps if step["step"] > 10 / UPDATES_A_STEP and step["gap_max"] is not None]
    rewards = [step["reward"] for step in steps]
    return {
        "seed": seed,
        "first": round(statistics.mean(rewards[:ENDS]), 4),
        "last": round(statistics.mean(rewards[-ENDS:]), 4),
        "gap_max": max(gaps),
    }


if __name__ == "__main__":
    main()
