"""The peak memory that `microcoder train plan` predicts, compared with the peak resident memory of real runs on a CPU.

    python bench/plan_vs_measured.py [--cases tiny,padded,...] [--out bench/results/plan_vs_measured.json]

Each case is a real run of a few steps in a process of its own; its peak is the kernel's VmHWM. One case is the toy
recipe; the others train a random model of 107 million parameters.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import machine
from random_model import make_random_model

import microcoder_rl.plan as planning
from microcoder_rl.recipe import load_recipe

RUN = """
import sys, cli
peak_file = sys.argv.pop(1)
try:
    cli.main()
finally:
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    open(peak_file, "w").write(peak)
"""
MEDIUM = {
    "vocabulary": 32000, "hidden_size": 768, "intermediate_size": 2304, "num_hidden_layers": 12,
    "num_attention_heads": 12, "num_key_value_heads": 4, "head_dim": 64, "max_position_embeddings": 1024,
    "tie_word_embeddings": True,
}  # fmt: skip
SMALL = {**MEDIUM, "vocabulary": 512, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2}
RECIPE = """
run: {steps: 2, device: cpu, threads: 1}
model: {path: MODEL/model}
data: {train: MODEL/tasks.jsonl, max_prompt_tokens: 256}
rollout: {group: 8, max_tokens: 64, rows: 16}
batch: {prompts: 2, minibatch: 1, micro_tokens: 512}
temperature: {value: 1.0}
grader: {workers: 1, isolation: submission}
evaluate: {every: 0, at_start: false}
checkpoint: {every: 0}
log: {tensorboard: false, live: false}
"""
CASES: dict[str, list[str]] = {
    "tiny": ["run.steps=6", "run.threads=1", "evaluate.every=0", "evaluate.at_start=false", "log.live=false"],
    "padded": [],
    "one micro-batch": ["batch.micro_tokens=4096"],
    "gradient checkpointing": ["model.gradient_checkpointing=true", "batch.micro_tokens=4096"],
    "shared prompts": ["batch.layout=shared", "batch.micro_tokens=4096"],
    "reference model": ["loss.kl_weight=0.01"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--out", type=Path, default=Path("bench/results/plan_vs_measured.json"))
    parser.add_argument("--smoke", action="store_true", help="a very small model, to see that the script runs")
    parser.add_argument("--worlds", type=Path, help="where toy worlds are kept; default: built anew")
    arguments = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_random_model(folder, prompt_tokens=64, **(SMALL if arguments.smoke else MEDIUM))
        (folder / "medium.yaml").write_text(RECIPE.replace("MODEL", name))
        for case in arguments.cases.split(","):
            found[case] = compare(case, folder, arguments.worlds or folder / "worlds")
            print(f"{case}: {json.dumps(found[case])}", flush=True)
    result = {"machine": machine(), "unit": "MiB", "cases": found}
    arguments.out.write_text(json.dumps(result, indent=1) + "\n")


def compare(case: str, folder: Path, worlds: Path) -> dict[str, Any]:
    """One case: its plan, and the peak of its run."""
    recipe = "pipelines/train/tiny.yaml" if case == "tiny" else str(folder / "medium.yaml")
    changes = [*CASES[case], f"run.out={folder / 'runs' / case}"]
    if case == "tiny":
        changes.append(f"tiny.cache={worlds}")
        run([recipe, *changes, "run.steps=1", f"run.out={folder / 'runs' / 'world'}"], folder)  # builds the world
    measured = run([recipe, *changes], folder)
    config = load_recipe(recipe, changes)
    device = planning.choose_device(config, "", "", None)
    plan = planning.make_plan(planning.make_job(config, device, 1, planning.Assumptions()))
    planned = plan.peak / 2**20
    return {
        "parameters": plan.job.shape.parameters,
        "planned": round(planned),
        "measured": round(measured),
        "planned / measured": round(planned / measured, 3),
        "peaks": {phase: round(peak / 2**20) for phase, peak in plan.peaks.items()},
    }


def run(arguments: list[str], folder: Path) -> float:
    """The peak resident memory of a run, in MiB."""
    peak_file = folder / "peak"
    command = [sys.executable, "-c", RUN, str(peak_file), "train", "run", *arguments, "--quiet"]
    subprocess.run(command, check=True)
    return int(peak_file.read_text()) / 1024


if __name__ == "__main__":
    main()
