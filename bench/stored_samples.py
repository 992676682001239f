"""Why training on stored samples (`related/coderl_stored.yaml`) ends at 0 % on the toy world.

    python bench/stored_samples.py [--seeds 3] [--steps 40] [--jobs 2] [--only ARM ...] [--out FOLDER] [--json FILE]
        [KEY=VALUE ...]

The first stage samples, grades and keeps batches with a learning rate of 0. Then the same model is trained on

    all       every sample, A * the gradient of log pi, as the recipe does
    better    only samples with a higher reward than the greedy reply (the others get its reward, so A is 0)
    worse     only samples with a lower reward
    clipped   every sample, with PPO's ratio to the policy that sampled it, clipped
    slow      every sample, with a tenth of the learning rate

Printed are the accuracy before and after (mean over seeds with a 95 % t-interval), and how far the last step's
log-probs of the stored tokens are from those that the sampler recorded (the metric `gap`, in nats a token). Runs that
were finished before are not repeated.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean
from typing import Any

from measure import machine
from related_table import TOYS, split_overrides
from tiny_table import RECIPE, interval, run

from microcoder_rl.asynchronous.batch_log import BatchLog
from microcoder_rl.collect import Batch
from microcoder_rl.data import load_tasks
from microcoder_rl.recipe import load_recipe
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.toy_world import with_world

COMMON = ("algorithm=reinforce", "run.threads=1", "evaluate.every=0", "log.tensorboard=false")
SLOWER = 10


def keep(which: Callable[[float, float], bool]) -> Callable[[Batch, int], None]:
    """A change of a batch: samples for which `which(reward, greedy reward)` is false get the greedy reply's reward."""

    def change(batch: Batch, step: int) -> None:
        for group in batch.groups:
            for reply in group.rollouts:
                if None not in (reply.reward, group.greedy) and not which(reply.reward, group.greedy):
                    reply.reward = group.greedy

    return change


def as_stale(batch: Batch, step: int) -> None:
    """Note in a batch that older weights sampled it; pi_old is then the sampler, and the ratio is clipped."""
    batch.version = step
    for reply in batch.replies:
        reply.versions = [(0, reply.length)]


ARMS: dict[str, Callable[[Batch, int], None]] = {
    "all": lambda batch, step: None,
    "better": keep(lambda reward, greedy: reward > greedy),
    "worse": keep(lambda reward, greedy: reward < greedy),
    "clipped": as_stale,
    "slow": lambda batch, step: None,
}


def main() -> None:
    """Run what is missing, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2, help="seeds side by side")
    parser.add_argument("--only", nargs="+", choices=ARMS, default=ARMS, metavar="ARM", help=", ".join(ARMS))
    parser.add_argument("--out", type=Path, default=Path("runs/stored-samples"))
    parser.add_argument("--json", type=Path, help="write every run's figures")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args(split_overrides(sys.argv[1:]))
    with_world(load_recipe(RECIPE, [*TOYS, *arguments.overrides]), print)  # once, before runs that share it begin
    with ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = list(pool.map(lambda seed: one_seed(seed, arguments), range(arguments.seeds)))
    for name in ("samples", *arguments.only):
        accuracy = interval([100 * seed[name]["accuracy"] for seed in seeds])
        gap = mean(seed[name]["gap"] for seed in seeds)
        print(f"{name:8s} {accuracy:>16s} %   {gap:6.2f} nats from the sampler")
    if arguments.json:
        asked = {"steps": arguments.steps, "overrides": arguments.overrides}
        record = {"machine": machine(), **asked, "seeds": seeds}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def one_seed(seed: int, arguments: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Accuracy and gap after the first stage ("samples") and after each arm."""
    out: Path = arguments.out
    own = [*TOYS, *COMMON, f"run.seed={seed}", f"run.steps={arguments.steps}", *arguments.overrides]
    samples = out / f"samples-{seed}"
    run(samples, [*own, "reward.kind=outcomes", "optimizer.lr=0", "log.batches=true", "evaluate.at_start=false"])
    found = {"samples": figures(samples)}
    config = with_world(load_recipe(RECIPE, own), lambda message: None)
    whole_step = f"batch.minibatch={config.batch.prompts}"
    for arm in arguments.only:
        stored, folder = out / f"{arm}-{seed}-batches", out / f"{arm}-{seed}"
        rewrite(samples, stored, ARMS[arm], config)
        keys = [*own, "evaluate.at_start=false", f"rollout.replay={stored}", whole_step, "loss.correction=off"]
        if arm == "slow":
            keys.append(f"optimizer.lr={config.optimizer.lr / SLOWER}")
        run(folder, keys)
        found[arm] = figures(folder)
    return found


def rewrite(samples: Path, target: Path, change: Callable[[Batch, int], None], config: Any) -> None:
    """Copy a run's batches with a change."""
    tasks = load_tasks(config.data.train, None, config.data, longest=1).items
    for path in (samples / "batches").glob("step-*.pt"):
        step = int(path.stem[5:])
        batch = BatchLog(samples / "batches").load(step, tasks)
        assert batch is not None
        change(batch, step)
        BatchLog(target / "batches").save(step, batch)


def figures(folder: Path) -> dict[str, float]:
    """The last accuracy of the first test, and the last step's gap."""
    accuracy = [record["accuracy"] for record in read_jsonl(folder / "evals.jsonl") if record["set"] == "short"][-1]
    return {"accuracy": accuracy, "gap": read_jsonl(folder / "metrics.jsonl")[-1]["gap"]}


if __name__ == "__main__":
    main()
