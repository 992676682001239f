"""Hundreds of training steps with kill -9 at random moments: the same run as undisturbed, and nothing that grows.

    python bench/train_soak.py [--steps 500] [--recipe pipelines/train/tiny.yaml] [--json FILE] [KEY=VALUE ...]

The recipe runs twice. The first run is not disturbed: its memory, descriptors and child processes in the last quarter
are compared with those in the second quarter. The other run is killed repeatedly, each time within the next fifth of
the steps; its grader's processes must be gone soon after, and it continues with --resume. Then metrics (without times),
evaluations and the last checkpoint's weights of both runs must be equal to the last bit. The exit status is 1
otherwise.

With `rollout.staleness`, what is sampled depends on the moment. There the killed run is compared with a replay of the
batches that it consumed, and each line of metrics that was written before a kill must be in the end as it was then.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import psutil
from measure import machine

from microcoder_rl.recipe import load_recipe

RECIPE = Path(__file__).parent.parent / "pipelines" / "train" / "tiny.yaml"
GROWTH = {"memory_mb": 30, "descriptors": 4, "processes": 2}
"""By how much the median of the last quarter may exceed that of the second."""
GONE_S = 20.0


def main() -> None:
    """Run both, compare, print and record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--recipe", type=Path, default=RECIPE)
    parser.add_argument("--seed", type=int, default=1, help="of the moments of killing")
    parser.add_argument("--json", type=Path, help="write what was found")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        calm, rough = Path(folder) / "calm", Path(folder) / "rough"
        usage = watched_run(arguments, calm)
        kills, orphans, written = killed_run(arguments, rough)
        if load_recipe(arguments.recipe, arguments.overrides).rollout.staleness:
            calm = Path(folder) / "replay"
            finish(start(arguments, calm, f"rollout.replay={rough}"))
        final = {line["step"]: line for line in without_times(rough / "metrics.jsonl")}
        same = {
            "written before a kill": all(final.get(line["step"]) == line for line in written),
            "metrics": without_times(calm / "metrics.jsonl") == without_times(rough / "metrics.jsonl"),
            "evaluations": without_times(calm / "evals.jsonl") == without_times(rough / "evals.jsonl"),
            "weights": weights(calm, arguments.steps) == weights(rough, arguments.steps),
        }
        steps = len(without_times(rough / "metrics.jsonl"))
    quarter = max(1, len(usage) // 4)
    second, last = usage[quarter : 2 * quarter], usage[-quarter:]
    flat = {key: [median(row[key] for row in part) for part in (second, last)] for key in GROWTH}
    grown = [key for key, (before, after) in flat.items() if after > before + GROWTH[key]]
    print(f"{steps} steps, {kills} kills, {orphans} processes left behind; the same: {same}")
    print(", ".join(f"{key} {before:g} -> {after:g}" for key, (before, after) in flat.items()) + " (2nd, last quarter)")
    if arguments.json:
        record = {
            "machine": machine(),
            "recipe": arguments.recipe.name,
            "overrides": arguments.overrides,
            "steps": steps,
            "kills": kills,
            "left_behind": orphans,
            "same": same,
            "second_and_last_quarter": flat,
            "wall_s": round(time.monotonic() - began),
        }
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if grown or orphans or steps != arguments.steps or not all(same.values()) or not kills:
        sys.exit(f"failed: grown {grown}, left behind {orphans}, kills {kills}, same {same}")


def watched_run(arguments: argparse.Namespace, out: Path) -> list[dict[str, float]]:
    """Run undisturbed. Returns memory, descriptors and processes, taken every half second of the training."""
    process = start(arguments, out)
    tree = psutil.Process(process.pid)
    usage = []
    while process.poll() is None:
        time.sleep(0.5)
        if not steps_done(out):
            continue
        try:
            held = (tree.memory_info().rss >> 20, tree.num_fds(), len(tree.children(recursive=True)))
        except psutil.Error:
            break
        if not held[0]:  # it has ended
            break
        usage.append(dict(zip(GROWTH, held, strict=True)))
    finish(process)
    return usage


def killed_run(arguments: argparse.Namespace, out: Path) -> tuple[int, int, list[dict]]:
    """Kill the run at random moments, resume it until it ends.

    Returns the kills, the processes that survived them, and the metrics' lines that a kill with a checkpoint left.
    """
    rng = random.Random(arguments.seed)
    written: list[dict] = []
    kills = orphans = 0
    while True:
        process = start(arguments, out, "--resume")
        until = steps_done(out) + rng.randint(0, max(3, arguments.steps // 5))
        while process.poll() is None and steps_done(out) <= until:
            time.sleep(0.01)
        time.sleep(rng.random() / 2)
        if process.poll() is not None:
            finish(process)
            return kills, orphans, written
        tree = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.communicate()
        kills += 1
        orphans += len(psutil.wait_procs(tree, timeout=GONE_S)[1])
        if any((out / "checkpoints").glob("step-*")):  # without one, the run begins anew
            written += without_times(out / "metrics.jsonl")


def start(arguments: argparse.Namespace, out: Path, *flags: str) -> subprocess.Popen[str]:
    keys = [*arguments.overrides, f"run.steps={arguments.steps}", f"run.out={out}", "log.batches=true"]
    command = [sys.executable, "-m", "cli", "train", "run", str(arguments.recipe), *keys, "--quiet", *flags]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(process: subprocess.Popen[str]) -> None:
    output, _ = process.communicate()
    if process.returncode:
        sys.exit(f"the run failed:\n{output}")


def steps_done(out: Path) -> int:
    """Whole lines of the run's metrics."""
    path = out / "metrics.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def without_times(path: Path) -> list[dict]:
    """The lines of a log without their times, which differ from run to run."""
    whole = path.read_text(encoding="utf-8").split("\n")[:-1]
    lines = (json.loads(line) for line in whole)
    return [{k: v for k, v in line.items() if not k.startswith("time/") and k != "seconds"} for line in lines]


def weights(out: Path, step: int) -> bytes:
    """The bytes of the last checkpoint's weights."""
    return (out / "checkpoints" / f"step-{step:06d}" / "model.safetensors").read_bytes()


if __name__ == "__main__":
    main()
