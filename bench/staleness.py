"""Steps with sampling during updates (`rollout.staleness`) beside steps that sample first, with a vLLM server.

    .venv-vllm/bin/python bench/staleness.py [--seeds 3] [--steps 10] [--before 40] [--staleness 0 2] [--json FILE]
        [KEY=VALUE ...]

Needs an environment with vLLM (make test-vllm makes one) and two cores without other work: the server and the trainer
have one thread each, as on a machine where they have GPUs of their own. The toy has a small vocabulary, so that a reply
has about 60 tokens and what a request costs is little beside it.

All runs begin from one model, which was trained `--before` steps without staleness: while reward rises and replies
become shorter, stale replies differ whatever their samples are worth. World and model are kept in the temporary folder.
Each staleness is trained with the same seeds, the arms in turns. Sampling beside updates saves most where both take as
long. So short runs from the same model first find how many replies the server may sample at a time (`rollout.rows`).

Printed are medians of a step's wall seconds after warm-up, what sampling and update take of it without staleness, the
least that a step can take when they overlap (the longer of the two), and the CPU seconds of a step by what uses them:
two cores cannot do a step in less than half of their sum. Then the reward of the measured steps, and the accuracy of
the last model in one evaluation: over seeds, and the difference to that without staleness, with 95 % t-intervals.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from statistics import mean, median
from typing import Any

from measure import machine
from related_table import split_overrides
from service_process import cpu_s, tree
from tiny_table import RECIPE, interval

from microcoder_rl.recipe import load_recipe
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.toy_world import with_world
from microcoder_rl.toy_world.cached_folder import cached_folder

WARM_UP = 3
TIMES = ("step_s", "sampling_s", "update_s")
EQUAL = 0.1
"""Sampling is as long as the update when it differs by at most this share."""
SHORT, TRIES = 6, 3
"""Steps of a run that finds the number of rows, and how many such runs there are at most."""
CACHE = Path(tempfile.gettempdir()) / "microcoder-staleness"
WORLD = (
    *(f"tiny.cache={CACHE}", "tiny.vocabulary=280", "tiny.train_tasks=80", "tiny.warmup_steps=300"),
    *("rollout.max_tokens=128", "batch.prompts=8", "batch.minibatch=4", "loss.kl_weight=0.001", "truncation.share=0"),
    *("evaluate.at_start=false", "evaluate.every=0", "evaluate.samples=6", "evaluate.sets.long.limit=1"),
    *("checkpoint.every=0", "log.live=false", "log.tensorboard=false", "run.threads=1"),
)
SERVER = (
    *("rollout.engine=vllm-server", "rollout.segment=64", "vllm.cpu_cache_gb=1", "vllm.silence_s=300"),
    *("batch.layout=padded", "loss.old_logprobs=recomputed", "optimizer.lr=5e-5", "optimizer.warmup_steps=3"),
)
"""The optimiser begins anew at a trained model: with a third of the toy's learning rate, and a warm-up."""
WORK = {b"EngineCore": "engine", b"api_server": "server's front", b"supervisor.process": "grader", b"zygote": "grader"}
"""What processes of a run do, by a part of their command lines."""


def main() -> None:
    """Train each staleness with each seed, then print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--before", type=int, default=40, help="steps without staleness that made the first model")
    parser.add_argument("--staleness", type=int, nargs="+", default=[0, 2])
    parser.add_argument("--json", type=Path, help="write every run's figures")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args(split_overrides(sys.argv[1:]))
    model = trained_model(arguments.before, arguments.overrides)
    keys = [f"model.path={model}", *SERVER, *arguments.overrides]
    runs: dict[int, list[dict[str, Any]]] = {staleness: [] for staleness in arguments.staleness}
    with tempfile.TemporaryDirectory() as name:
        rows = find_rows(keys, Path(name))
        for seed in range(arguments.seeds):
            for staleness, found in runs.items():
                own = [*keys, f"rollout.staleness={staleness}", f"run.seed={seed}", f"rollout.rows={rows}"]
                found.append(run(Path(name) / f"{staleness}-{seed}", arguments.steps, own))
                print(f"staleness {staleness}, seed {seed}: {json.dumps(found[-1])}", flush=True)
    if arguments.json:
        record = {"machine": machine(), "steps": arguments.steps, "before": arguments.before, "rows": rows}
        record |= {"overrides": arguments.overrides, "runs": runs}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for staleness, found in runs.items():
        report(staleness, found, runs[arguments.staleness[0]])


def report(staleness: int, found: list[dict[str, Any]], base: list[dict[str, Any]]) -> None:
    """Print an arm's figures, beside those of the first arm."""
    step, sampling, update = (median(run[key] for run in found) for key in TIMES)
    cpu = {work: mean(run["cpu_s"].get(work, 0.0) for run in found) for work in found[0]["cpu_s"]}
    print(f"staleness {staleness}: {step:.2f} s a step; sampling {sampling:.2f}, update {update:.2f}")
    shown = ", ".join(f"{work} {seconds:.2f}" for work, seconds in cpu.items() if seconds >= 0.01)
    print(f"  CPU seconds a step: {shown}; together {sum(cpu.values()):.2f}")
    for key in ("reward", "accuracy"):
        values = [100 * run[key] for run in found]
        print(f"  {key} {interval(values)} %, seeds from {min(values):.1f} to {max(values):.1f}")
    if found is base:
        print(f"  their overlap needs at least {max(sampling, update):.2f}")
        for key in ("length", "reward"):
            first, last = (mean(mean(run[f"{key}s"][part]) for run in found) for part in (slice(3), slice(-3, None)))
            print(f"  {key} of the first three steps {first:.2f}, of the last three {last:.2f}")
        if abs(sampling / update - 1) > EQUAL:
            print("  sampling and update are not of equal length: run it again on a machine without other work")
        return
    pairs = list(zip(found, base, strict=True))
    print(f"  a step takes {interval([100 * new['step_s'] / old['step_s'] for new, old in pairs])} % of that")
    for key in ("reward", "accuracy"):
        print(f"  {key} {interval([100 * (new[key] - old[key]) for new, old in pairs])} points beside it")
    age, dropped = (mean(run[key] for run in found) for key in ("staleness", "groups_dropped"))
    print(f"  mean age {age:.1f} steps, groups dropped {dropped:.1f} a run")


def trained_model(steps: int, overrides: list[str]) -> Path:
    """The model from which all runs begin."""
    keys = [*WORLD, *overrides]
    with_world(load_recipe(RECIPE, keys), print)
    name = hashlib.sha256(json.dumps([steps, keys]).encode()).hexdigest()[:16]

    def make(folder: Path) -> None:
        train(folder / "run", [*keys, f"run.steps={steps}"])

    return cached_folder(CACHE / f"trained-{name}", make) / "run" / "checkpoints" / f"step-{steps:06}"


def find_rows(keys: list[str], folder: Path) -> int:
    """The `rollout.rows` with which sampling takes as long as the update, as nearly as a few short runs find it."""
    config = load_recipe(RECIPE, [*WORLD, *keys])
    rows = replies = config.batch.prompts * config.rollout.group
    known: list[tuple[int, float]] = []
    unequal: dict[int, float] = {}
    for attempt in range(TRIES):
        short = [*keys, f"rollout.rows={rows}", "evaluate.sets.short.limit=1"]
        found = run(folder / f"rows-{attempt}", SHORT, short)
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


def run(out: Path, steps: int, keys: list[str]) -> dict[str, Any]:
    """The figures of one run."""
    cpu = train(out, [*WORLD, *keys, f"run.steps={steps}"])
    records = read_jsonl(out / "metrics.jsonl")
    measured = records[WARM_UP:]
    return {
        "step_s": median(step["time/step"] for step in measured),
        "sampling_s": median(step["time/sampling"] for step in measured),
        "update_s": median(step["time/update"] for step in measured),
        "cpu_s": cpu,
        "reward": mean(step["reward"] for step in measured),
        "accuracy": read_jsonl(out / "evals.jsonl")[0]["accuracy"],
        "rewards": [step["reward"] for step in records],
        "lengths": [step["length"] for step in records],
        "staleness": mean(step["staleness"] for step in measured),
        "groups_dropped": sum(step["groups_dropped"] for step in records),
    }


def train(out: Path, keys: list[str]) -> dict[str, float]:
    """Train in a process of its own. Returns the CPU seconds of a step after warm-up."""
    steps = load_recipe(RECIPE, keys).run.steps
    command = [sys.executable, "-m", "cli", "train", "run", str(RECIPE), "--quiet", f"run.out={out}", *keys]
    settings = {**os.environ, "OMP_NUM_THREADS": "1"}
    marks: list[tuple[int, defaultdict[str, float]]] = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=settings) as process:
        while process.poll() is None:
            ended = len(read_jsonl(out / "metrics.jsonl"))
            if ended >= (steps - 1 if marks else WARM_UP) and len(marks) < 2:
                marks.append((ended, cpu(process.pid)))
            time.sleep(0.05)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed ({process.returncode})")
    (begin, before), (end, after) = marks
    return {work: round((seconds - before[work]) / (end - begin), 3) for work, seconds in after.items()}


def cpu(pid: int) -> defaultdict[str, float]:
    """CPU seconds so far of a run's processes, by what they do. The trainer's first thread updates."""
    found: defaultdict[str, float] = defaultdict(float)
    for each in tree(pid)[1:]:
        with suppress(OSError):  # it has ended
            command = Path(f"/proc/{each}/cmdline").read_bytes()
            found[next((work for part, work in WORK.items() if part in command), "others")] += cpu_s([each])
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            work = "trainer's first thread" if task.name == str(pid) else "its other threads"
            found[work] += int((task / "schedstat").read_text().split()[0]) / 1e9
    return found


if __name__ == "__main__":
    main()
