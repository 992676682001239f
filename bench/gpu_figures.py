"""Speed and memory of training steps with a random model: tokens a second, peak memory, share of the device's peak.

    python bench/gpu_figures.py                      # one GPU, 0.6 G parameters, each engine in turn
    python bench/gpu_figures.py --size 1.7b --engines vllm --max-tokens 4096
    python bench/gpu_figures.py --tiny               # a CPU, seconds: shows that the script works

Engine "vllm-server" gets its weights over CUDA IPC. A share is the time that the device would need at its declared peak
(operations in the update, bandwidth in decoding, both as `microcoder train plan` counts them), divided by the measured
time. The first step warms up and is left out.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import statistics
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import torch
from measure import machine
from random_model import SIZES, make_random_model

import microcoder_rl.plan as planning
from microcoder_rl.recipe import build_config
from microcoder_rl.recipe.config import Config
from microcoder_rl.run import train

PROMPT_TOKENS = 256
ENGINES = ["vllm", "torch", "vllm-server"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a small model and few tokens, on the CPU")
    parser.add_argument("--size", choices=["0.6b", "1.7b"], default="0.6b")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    parser.add_argument("--no-compile", action="store_true", help="do not compile the update")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--max-tokens", type=int, default=1024)
    parser.add_argument("--prompts", type=int, default=32)
    parser.add_argument("--out", type=Path, help="default: bench/results/gpu_figures.json, with --tiny none")
    arguments = parser.parse_args()
    if arguments.tiny:
        arguments.size, arguments.engines, arguments.max_tokens, arguments.prompts = "tiny", ["torch"], 64, 4
        arguments.no_compile = True
    elif not torch.cuda.is_available():
        parser.error("no GPU here; --tiny shows on a CPU that the script works")
    if len(arguments.engines) == 1:
        found = [measure(arguments)]
    else:  # each in its own process, which frees all memory at its end
        found = [figure for engine in arguments.engines for figure in alone(engine)]
    print(json.dumps(found, indent=1))
    out = arguments.out or (None if arguments.tiny else Path("bench/results/gpu_figures.json"))
    if out:
        out.write_text(json.dumps(found, indent=1) + "\n")


def alone(engine: str) -> list[dict[str, Any]]:
    """Run this script for one engine. If it fails, its error is recorded and the other engines go on."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "figures.json"
        command = [sys.executable, *sys.argv, "--engines", engine, "--out", str(out)]
        ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if ended.returncode == 0:
            found: list[dict[str, Any]] = json.loads(out.read_text())
            return found
        return [{"engine": engine, "error": (ended.stderr.strip().splitlines() or ["no message"])[-1]}]


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Train some steps in a folder of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dtype = "float32" if arguments.tiny else "bfloat16"
        shape = {**SIZES[arguments.size], "max_position_embeddings": 32768, "tie_word_embeddings": True}
        prompt = 32 if arguments.tiny else PROMPT_TOKENS
        parameters = make_random_model(folder, prompt_tokens=prompt, dtype=dtype, **shape)
        config = recipe(folder, arguments, dtype)
        steps: list[dict[str, float]] = []
        peaks: list[int] = []

        def watch(metrics: dict[str, float], _: object) -> None:
            if metrics:
                steps.append(metrics)
                peaks.append(peak())  # at the end a server and its share of the GPU are gone
                print(f"step {len(steps)}: {metrics['time/step']:.1f} s", file=sys.stderr, flush=True)

        train(config, notify=lambda _: None, watch=watch)
        job = planning.make_job(config, device_of(config), 1, planning.Assumptions(update_share=1, sampling_share=1))
        job = dataclasses.replace(job, mean_reply=statistics.mean(step["length"] for step in steps[1:]))
        plan = planning.make_plan(job)
        mean = {key: statistics.mean(step[key] for step in steps[1:]) for key in steps[0]}
        trained = mean["tokens"] + config.batch.prompts * config.rollout.group * job.mean_prompt
        return {
            "machine": machine(),
            "versions": versions(),
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
            "parameters": parameters,
            "dtype": dtype,
            "engine": config.rollout.engine,
            "compiled": config.model.compile,
            "replies": config.batch.prompts * config.rollout.group,
            "reply_tokens": mean["length"],
            "generated_tokens_per_s": round(mean["tokens"] / mean["time/sampling"]),
            "updated_tokens_per_s": round(trained / mean["time/update"]),
            "seconds_per_step": round(mean["time/step"], 2),
            "share_of_bandwidth_in_sampling": round(plan.duration.sampling / mean["time/sampling"], 3),
            "share_of_operations_in_update": round(plan.duration.update / mean["time/update"], 3),
            "peak_memory_gib": round(max(*peaks, peak()) / 2**30, 3),
            "planned_memory_gib": round(plan.peak / 2**30, 3),
            "gap": mean["gap"],
            "gap_max": max(step["gap_max"] for step in steps),
        }


def recipe(folder: Path, arguments: argparse.Namespace, dtype: str) -> Config:
    """The default experiment, with a small batch and no evaluation."""
    return build_config(
        {
            "run": {
                "name": "figures",
                "out": str(folder / "run"),
                "steps": arguments.steps,
                "threads": int(arguments.tiny),
            },
            "model": {
                "path": str(folder / "model"),
                "dtype": dtype,
                "gradient_checkpointing": not arguments.tiny,
                "compile": not arguments.no_compile,
            },
            "vllm": {"weights": "ipc", "memory_share": 0.3} if arguments.engines == ["vllm-server"] else {},
            "data": {"train": str(folder / "tasks.jsonl"), "max_prompt_tokens": PROMPT_TOKENS},
            "rollout": {"engine": arguments.engines[0], "max_tokens": arguments.max_tokens, "rows": 256},
            "batch": {"prompts": arguments.prompts, "minibatch": arguments.prompts},
            "temperature": {"value": 1.0},
            "grader": {"isolation": "submission", "workers": 2 if arguments.tiny else 8},
            "evaluate": {"at_start": False, "every": 0},
            "checkpoint": {"every": 0},
            "log": {"tensorboard": False, "live": False},
        }
    )


def versions() -> dict[str, str]:
    """Those of the packages that decide the figures, as far as they are installed."""
    found = {}
    for name in ("torch", "transformers", "vllm"):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def device_of(config: Config) -> Any:
    """The device that `microcoder train plan` would choose on this machine."""
    return planning.choose_device(config, "", "", None)


def peak() -> int:
    """Peak bytes: of the GPU's memory, a server's included, or without a GPU the resident memory of the process."""
    if torch.cuda.is_available():
        free, total = torch.cuda.mem_get_info()
        return max(torch.cuda.max_memory_reserved(), total - free)
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
