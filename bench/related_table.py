"""Each recipe of pipelines/train/related/ on the toy world over several seeds, with intervals.

    python bench/related_table.py [--seeds 5] [--steps 40] [--jobs 2] [--only NAME ...] [--out FOLDER] [KEY=VALUE ...]

All runs start from the same warmed-up toy model and differ from DAPO's only in the recipe's own keys. The engine is
torch, and turns are as long as the toy's replies. Runs that were finished before are not repeated; unfinished ones are
resumed. Printed is the accuracy after the last step, tested with short and with long replies: mean over the seeds that
are finished, with a 95 % t-interval. A run that trains on another one's samples begins when that one is finished.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml
from measure import machine
from tiny_table import RECIPE, interval, run

from microcoder_rl.recipe import load_recipe, merged
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.toy_world import with_world

RELATED = RECIPE.parent / "related"
TOYS = ("rollout.engine=torch", "rollout.max_tokens=24", "rollout.feedback_tokens=96", "data.max_prompt_tokens=128")
LEFT_OUT = {"reference_beginnings": "the toy tasks have no reference solutions"}


def main() -> None:
    """Run what is missing, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--out", type=Path, default=Path("runs/related"))
    parser.add_argument("--json", type=Path, help="write every run's accuracies")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args(split_overrides(sys.argv[1:]))
    recipes = {path.stem: own_keys(path) for path in sorted(RELATED.glob("*.yaml")) if path.stem not in LEFT_OUT}
    recipes = {"dapo": {}, **recipes}
    if unknown := set(arguments.only) - set(recipes):
        parser.error(f"no recipe {', '.join(sorted(unknown))}; known: {', '.join(recipes)}")
    chosen = {name: keys for name, keys in recipes.items() if not arguments.only or name in arguments.only}
    with_world(load_recipe(RECIPE, arguments.overrides), print)  # once, before runs that share it begin
    folders = {name: [arguments.out / f"{name}-{seed}" for seed in range(arguments.seeds)] for name in chosen}
    with ThreadPoolExecutor(arguments.jobs) as pool:
        runs: dict[Path, Future[None]] = {}
        for seed in range(arguments.seeds):
            for name, keys in chosen.items():
                own = [f"{key}={json.dumps(value)}" for key, value in flat(merged({"algorithm": "dapo"}, keys))]
                set_here = [f"run.seed={seed}", f"run.steps={arguments.steps}", "run.threads=1"]
                if "minibatch" in keys.get("batch", {}):
                    set_here.append(f"batch.minibatch={load_recipe(RECIPE).batch.prompts}")
                samples = keys.get("rollout", {}).get("replay")
                first = arguments.out / f"{Path(samples).name}-{seed}" if samples else None
                if first:
                    set_here.append(f"rollout.replay={first}")
                every = [*own, *TOYS, *set_here, *arguments.overrides]
                runs[folders[name][seed]] = pool.submit(run_after, runs.get(first), folders[name][seed], every)
    done = {name: [folder for folder in own if (folder / "done").exists()] for name, own in folders.items()}
    found = {name: [last_accuracies(folder) for folder in own] for name, own in done.items() if own}
    for name, seeds in found.items():
        cells = (interval([seed[test] for seed in seeds]) for test in ("short", "long"))
        shown = "  ".join(f"{test} {cell}" for test, cell in zip(("short", "long"), cells, strict=True))
        print(f"{name:24s} {shown}  ({len(seeds)} seeds)")
    for name, why in LEFT_OUT.items():
        print(f"{name:24s} left out: {why}")
    if arguments.json:
        record = {"machine": machine(), "steps": arguments.steps, "accuracies": found}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if unfinished := [str(folder) for name, own in folders.items() for folder in own if folder not in done[name]]:
        sys.exit(f"unfinished, the same command resumes: {', '.join(unfinished)}")


def run_after(first: Future[None] | None, folder: Path, keys: list[str]) -> None:
    """Train into a folder after the run `first`, which it needs, has ended."""
    if first:
        first.result()
    run(folder, keys)


def split_overrides(words: list[str]) -> list[str]:
    """The words with overrides first, so that they do not count among the names of --only."""
    overrides = [word for word in words if "=" in word and not word.startswith("-")]
    return [*overrides, *(word for word in words if word not in overrides)]


def own_keys(path: Path) -> dict[str, Any]:
    """The keys that a recipe adds to base.yaml."""
    written: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    base = written.pop("extends")
    return written if base.endswith("base.yaml") else merged(own_keys(path.parent / base), written)


def flat(keys: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The keys as `section.key` and their values."""
    for key, value in keys.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def last_accuracies(folder: Path) -> dict[str, float]:
    """The last accuracy of each test, in percent."""
    return {record["set"]: 100 * record["accuracy"] for record in read_jsonl(folder / "evals.jsonl")}


if __name__ == "__main__":
    main()
