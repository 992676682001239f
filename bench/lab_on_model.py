"""The lab's arms on a language model: what they cost, the runs, and a results file for the lab's page.

    python bench/lab_on_model.py RECIPE --claims K1,M1-M6 --plan --gpus 8 --gpu H100 [KEY=VALUE ...]
    python bench/lab_on_model.py RECIPE --claims K1,M1-M6 --seeds 3 --out runs/lab-model [KEY=VALUE ...]
    microcoder lab page --results runs/lab-model/results.jsonl --out runs/lab-model

RECIPE is any training recipe; its model, data, engine, steps and limits stay. An arm changes the same keys as in the
lab. Where a lab's key is a number of tokens, steps or prompts, or the learning rate, RECIPE's value changes in the same
proportion: half the lab's length limit is half of RECIPE's. RECIPE's first evaluation set is tested at the limit of the
training and at 2.5 times this limit. Arms that need the lab's own world are left out. Runs are resumed; finished ones
are not repeated.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

from microcoder_rl.lab.experiment import Arm, Lab, load_lab
from microcoder_rl.lab.results import LONG_LIMIT, METRIC_NAMES, Results, versions
from microcoder_rl.lab.runner import Wanted, wanted
from microcoder_rl.recipe import build_config, load_recipe
from microcoder_rl.recipe.config import Config, EvalSet
from microcoder_rl.report.run_log import read_jsonl


def main() -> None:
    """Plan, or run what is missing and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipe")
    parser.add_argument("--claims", default="", help="such as K1, or M1-M6; all by default")
    parser.add_argument("--seeds", type=int, default=3, help="the page has a verdict from 8 on")
    parser.add_argument("--plan", action="store_true", help="say what it costs and run nothing")
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--gpu", default="")
    parser.add_argument("--launch", default="", help='before the command, such as "torchrun --no-python ..."')
    parser.add_argument("--out", type=Path, default=Path("runs/lab-model"))
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_intermixed_args()
    lab = load_lab()
    runs = [each for each in wanted(lab, lab.chosen(arguments.claims), arguments.seeds) if not lab_only(each.arm)]
    recipe = load_recipe(arguments.recipe, arguments.overrides)
    if arguments.plan:
        show_costs(lab, runs, recipe, arguments)
        return
    tested, _ = first_set(recipe)
    microcoder = str(Path(sys.executable).with_name("microcoder"))
    store = Results(arguments.out / "results.jsonl")
    for each in runs:
        if each.run in store.read():
            continue
        folder = arguments.out / f"{each.experiment}-{each.name}-{each.seed}"
        keys = [*arguments.overrides, *overrides(lab, each.arm, recipe), f"run.seed={each.seed}", f"run.out={folder}"]
        command = [*shlex.split(arguments.launch), microcoder, "train", "run", arguments.recipe, *keys, "--resume"]
        print(shlex.join(command), flush=True)
        if code := subprocess.run(command).returncode:
            sys.exit(f"{folder}: ended with status {code}; the same command resumes")
        store.add({"arm": each.arm.key, "seed": each.seed, "points": points(folder, tested), "cpu_s": 0.0,
                   "versions": {**versions(), "model": recipe.model.path}})  # fmt: skip
    print(f"results: {store.path}")


def lab_only(arm: Arm) -> bool:
    """Whether an arm changes a setting that only the lab has: its questions, verdicts, probes or model."""
    plain = type(arm.config)(recipe=arm.config.recipe)
    return arm.config != plain


def overrides(lab: Lab, arm: Arm, recipe: Config) -> list[str]:
    """The keys of an arm in proportion to a recipe's values, and the two evaluations, as KEY=VALUE."""
    base = build_config(lab.base)
    tokens = recipe.rollout.max_tokens / base.rollout.max_tokens
    steps = recipe.run.steps / base.run.steps
    factors = {
        "rollout.max_tokens": tokens,
        "run.steps": steps,
        "evaluate.every": steps,
        "batch.prompts": recipe.batch.prompts / base.batch.prompts,
        "batch.minibatch": recipe.batch.minibatch / base.batch.minibatch,
        "optimizer.lr": recipe.optimizer.lr / base.optimizer.lr,
    }
    found: dict[str, Any] = {"algorithm": arm.recipe["algorithm"], "evaluate.every": base.evaluate.every * steps}
    for key, value in flat(arm.config.recipe):
        if key == "rollout.max_tokens_stages":
            found[key] = [[round(start * steps), round(limit * tokens)] for start, limit in value]
        elif key == "temperature.stages":
            found[key] = [[round(start * steps), temperature] for start, temperature in value]
        else:
            found[key] = float(value) * factors[key] if key in factors else value
    short, tested = first_set(recipe)
    found[f"evaluate.sets.{short}.max_tokens"] = 0
    found["evaluate.sets.lab_long"] = {**asdict(tested), "max_tokens": round(LONG_LIMIT * tokens)}
    for key in ("run.steps", "evaluate.every", "rollout.max_tokens", "batch.prompts", "batch.minibatch"):
        if key in found:
            found[key] = max(1, round(found[key]))
    return [f"{key}={json.dumps(value)}" for key, value in found.items()]


def first_set(recipe: Config) -> tuple[str, EvalSet]:
    """The first evaluation set and its name."""
    if not recipe.evaluate.sets:
        sys.exit("the recipe has no evaluate.sets: there is nothing to compare the arms on")
    return next(iter(recipe.evaluate.sets.items()))


def flat(keys: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The keys as `section.key` and their values."""
    for key, value in keys.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def points(folder: Path, tested: str) -> list[dict[str, Any]]:
    """The points of the lab's records, from a run's logs."""
    metrics, found, before = read_jsonl(folder / "metrics.jsonl"), [], 0
    evaluations: dict[int, dict[str, Any]] = {}
    for record in read_jsonl(folder / "evals.jsonl"):
        evaluations.setdefault(record["step"], {})[record["set"]] = record
    for step, sets in sorted(evaluations.items()):
        short, long = sets[tested], sets["lab_long"]
        point = {"step": step, "short": short["accuracy"], "long": long["accuracy"]}
        point |= {"eval_length": long["length"], "eval_cut": short["truncated"]}
        since = [each for each in metrics if before < each["step"] <= step]
        if since:
            point |= {name: mean([each[metric] for each in since]) for metric, name in METRIC_NAMES.items()}
        found.append(point)
        before = step
    return found


def mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def show_costs(lab: Lab, runs: list[Wanted], recipe: Config, arguments: argparse.Namespace) -> None:
    """The arms with the time of one run, and of all runs, as `microcoder train plan` estimates them."""
    from microcoder_rl.plan import choose_device, make_job, make_plan, read_assumptions  # not above: it imports torch

    device, total = choose_device(recipe, arguments.gpu, "", arguments.gpus), 0.0
    for each in [each for each in runs if each.seed == 0]:
        config = load_recipe(arguments.recipe, [*arguments.overrides, *overrides(lab, each.arm, recipe)])
        plan = make_plan(make_job(config, device, arguments.gpus, read_assumptions(())))
        hours = plan.duration.run / 3600
        total += hours * arguments.seeds
        short = "" if not plan.problems else f"  does not fit: {plan.problems[0]}"
        print(f"{each.experiment + '/' + each.name:32s} {hours:7.1f} h a run, {' '.join(each.claims)}{short}")
    gpu = f"{arguments.gpus} x {device.name}"
    print(f"{len(runs)} runs, {arguments.seeds} seeds: {total:.0f} h on {gpu}, {total * arguments.gpus:.0f} GPU hours")


if __name__ == "__main__":
    main()
