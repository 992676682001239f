"""Steps with sampling during updates (`rollout.staleness`) beside steps that sample first, with a vLLM server.

    .venv-vllm/bin/python bench/staleness.py [--seeds 3] [--steps 16] [--staleness 0 2] [--json FILE] [KEY=VALUE ...]

Needs an environment with vLLM (make test-vllm makes one) and two cores without other work: the server and the trainer
have one thread each, as on a machine where they have GPUs of their own. The toy recipe is trained from one warmed-up
model, with the same seeds for each staleness, the arms in turns.

Sampling beside updates saves most where both take as long. So short runs first find how many replies the server may
sample at a time (`rollout.rows`) for that. Where sampling takes longer from the start, a longer update is needed, such
as loss.kl_weight=0.001 or a larger tiny.hidden.

Printed are medians of a step's wall seconds after warm-up, what sampling and update take of it without staleness, the
least that a step can take when they overlap (the longer of the two), and the reward of the last five steps; its
difference to that without staleness has a 95 % t-interval over seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean, median
from typing import Any

from engines_same_reward import ENDS
from measure import machine
from related_table import split_overrides
from tiny_table import RECIPE, interval

from microcoder_rl.recipe import load_recipe
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.toy_world import with_world

WARM_UP = 3
TIMES = ("step_s", "sampling_s", "update_s")
EQUAL = 0.1
"""Sampling is as long as the update when it differs by at most this share."""
SHORT, TRIES = 8, 4
"""Steps of a run that finds the number of rows, and how many such runs there are at most."""
SEGMENT = 24
"""Longer than the toy's replies: each further segment of a reply is a request of its own to the server."""
KEYS = (
    *("rollout.engine=vllm-server", f"rollout.segment={SEGMENT}", "vllm.cpu_cache_gb=1", "vllm.silence_s=300"),
    "run.threads=1",
    *("evaluate.at_start=false", "evaluate.every=0", "evaluate.samples=1"),
    *("evaluate.sets.short.limit=1", "evaluate.sets.long.limit=1"),
    *("checkpoint.every=0", "log.live=false", "log.tensorboard=false"),
)


def main() -> None:
    """Train each staleness with each seed, then print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=16)
    parser.add_argument("--staleness", type=int, nargs="+", default=[0, 2])
    parser.add_argument("--json", type=Path, help="write every run's figures")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args(split_overrides(sys.argv[1:]))
    with_world(load_recipe(RECIPE, arguments.overrides), print)  # once, before the runs that share it
    runs: dict[int, list[dict[str, Any]]] = {staleness: [] for staleness in arguments.staleness}
    with tempfile.TemporaryDirectory() as name:
        rows = find_rows(arguments.overrides, Path(name))
        keys = [*arguments.overrides, f"rollout.rows={rows}", f"run.steps={arguments.steps}"]
        for seed in range(arguments.seeds):
            for staleness, found in runs.items():
                found.append(run(staleness, seed, keys, Path(name) / f"{staleness}-{seed}"))
                print(f"staleness {staleness}, seed {seed}: {json.dumps(found[-1])}", flush=True)
    first, *others = ({key: median(run[key] for run in found) for key in TIMES} for found in runs.values())
    base, *compared = runs
    least = max(first["sampling_s"], first["update_s"])
    print(
        f"staleness {base}: {first['step_s']:.2f} s a step, of which sampling {first['sampling_s']:.2f} "
        f"and update {first['update_s']:.2f}; their overlap needs at least {least:.2f}"
    )
    if abs(first["sampling_s"] / first["update_s"] - 1) > EQUAL:
        print("sampling and update are not of equal length: run it again on a machine without other work")
    for staleness, times in zip(compared, others, strict=True):
        gained = [new["reward"] - old["reward"] for new, old in zip(runs[staleness], runs[base], strict=True)]
        dropped = mean(run["groups_dropped"] for run in runs[staleness])
        print(
            f"staleness {staleness}: {times['step_s']:.2f} s a step, {times['step_s'] / first['step_s']:.2f} of that; "
            f"reward {interval(gained)} beside it, groups dropped {dropped:.1f} a run"
        )
    if arguments.json:
        record = {"machine": machine(), "steps": arguments.steps, "overrides": arguments.overrides, "rows": rows}
        record |= {"runs": runs}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def find_rows(overrides: list[str], folder: Path) -> int:
    """The `rollout.rows` with which sampling takes as long as the update, as nearly as a few short runs find it."""
    config = load_recipe(RECIPE, overrides)
    rows = replies = config.batch.prompts * config.rollout.group
    known: list[tuple[int, float]] = []
    unequal: dict[int, float] = {}
    for attempt in range(TRIES):
        found = run(0, 0, [*overrides, f"rollout.rows={rows}", f"run.steps={SHORT}"], folder / f"rows-{attempt}")
        sampling, update = found["sampling_s"], found["update_s"]
        print(f"{rows} rows: sampling {sampling:.2f} s, update {update:.2f} s", flush=True)
        known.append((rows, sampling))
        unequal[rows] = abs(sampling / update - 1)
        if unequal[rows] <= EQUAL / 2:
            break
        if sampling > update and rows == replies:
            sys.exit("sampling takes longer than the update, however many replies are sampled at a time")
        rows = min(replies, max(1, round(rows_for(update, known))))
    return min(unequal, key=lambda rows: unequal[rows])


def rows_for(seconds: float, known: list[tuple[int, float]]) -> float:
    """The rows for these seconds of sampling: a constant, and a part that is divided by the rows, explain `known`."""
    (most, least), (rows, took) = known[0], known[-1]
    if rows == most:
        return most / 4  # far enough away to tell the two
    divided = (took - least) / (1 / rows - 1 / most)
    return divided / max(seconds - (least - divided / most), 1e-3)


def run(staleness: int, seed: int, overrides: list[str], out: Path) -> dict[str, Any]:
    """One run in a process of its own."""
    keys = [f"rollout.staleness={staleness}", f"run.seed={seed}", f"run.out={out}", *KEYS, *overrides]
    command = [sys.executable, "-m", "cli", "train", "run", str(RECIPE), "--quiet", *keys]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
    steps = read_jsonl(out / "metrics.jsonl")
    measured = steps[WARM_UP:]
    return {
        "seed": seed,
        "step_s": median(step["time/step"] for step in measured),
        "sampling_s": median(step["time/sampling"] for step in measured),
        "update_s": median(step["time/update"] for step in measured),
        "reward": mean(step["reward"] for step in steps[-ENDS:]),
        "staleness": mean(step["staleness"] for step in measured),
        "groups_dropped": sum(step["groups_dropped"] for step in steps),
    }


if __name__ == "__main__":
    main()
