"""Each recipe of pipelines/train/related/ on the toy world over several seeds, with intervals.

    python bench/related_table.py [--seeds 5] [--steps 40] [--jobs 2] [--only NAME ...] [--out FOLDER]
        [--json FILE] [KEY=VALUE ...]

All runs start from the same warmed-up toy model and differ from DAPO's only in the recipe's own keys. The engine is
torch, turns are as long as the toy's replies, and 40 steps are four epochs, because curricula act from the second on.
Runs that were finished before are not repeated; unfinished ones are resumed. Printed is the accuracy after the last
step, tested with short and with long replies: mean over the seeds that are finished, with a 95 % t-interval; then the
difference to DAPO's with the same seeds, short. A run that trains on another one's samples begins when that one is
finished.

`--json` keeps every run's accuracies as soon as it has ended, and the machines that made them. Runs in the file are not
repeated, so the table can be made in several parts; with other `--steps` or overrides it has to be another file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

import yaml
from measure import machine
from tiny_table import RECIPE, interval, run

from microcoder_rl.recipe import load_recipe, merged
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.toy_world import with_world

RELATED = RECIPE.parent / "related"
WORLD = "tiny.train_tasks=160"
REPLY = 24
TOYS = (
    *("rollout.engine=torch", f"rollout.max_tokens={REPLY}", "rollout.feedback_tokens=96"),
    *("data.max_prompt_tokens=128", WORLD),
)
LEFT_OUT = {
    "reference_beginnings": "the toy tasks have no reference solutions",
    "executed_lines": "all lines of a toy program run, so the run is DAPO's, bit for bit",
}


def main() -> None:
    """Run what is missing, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--out", type=Path, default=Path("runs/related"))
    parser.add_argument("--json", type=Path, help="keep every run's accuracies here; runs in the file are not repeated")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args(split_overrides(sys.argv[1:]))
    recipes = {path.stem: own_keys(path) for path in sorted(RELATED.glob("*.yaml")) if path.stem not in LEFT_OUT}
    recipes = {"dapo": {}, **recipes}
    if unknown := set(arguments.only) - set(recipes):
        parser.error(f"no recipe {', '.join(sorted(unknown))}; known: {', '.join(recipes)}")
    chosen = {name: keys for name, keys in recipes.items() if not arguments.only or name in arguments.only}
    kept = Kept(arguments.json, {"steps": arguments.steps, "overrides": [WORLD, *arguments.overrides]})
    if not all(kept.of(f"{name}-{seed}") for name in chosen for seed in range(arguments.seeds)):
        with_world(load_recipe(RECIPE, [WORLD, *arguments.overrides]), print)  # once, before runs that share it begin
    with ThreadPoolExecutor(arguments.jobs) as pool:
        runs: dict[Path, Future[None]] = {}
        for seed in range(arguments.seeds):
            missing = {name for name in chosen if not kept.of(f"{name}-{seed}")}
            missing |= {Path(samples).name for name in missing if (samples := samples_of(recipes[name]))}
            for name, keys in recipes.items():
                if name not in missing:
                    continue
                own = [f"{key}={json.dumps(value)}" for key, value in flat(merged({"algorithm": "dapo"}, keys))]
                set_here = [f"run.seed={seed}", f"run.steps={arguments.steps}", "run.threads=1"]
                if "minibatch" in keys.get("batch", {}):
                    set_here.append(f"batch.minibatch={load_recipe(RECIPE).batch.prompts}")
                if "overlong_buffer" in keys.get("advantage", {}):
                    set_here.append(f"advantage.overlong_buffer={REPLY // 5}")
                first = None
                if samples := samples_of(keys):
                    replayed = arguments.out / f"{Path(samples).name}-{seed}"
                    first = runs[replayed]
                    set_here.append(f"rollout.replay={replayed}")
                folder = arguments.out / f"{name}-{seed}"
                every = [*own, *TOYS, *set_here, *arguments.overrides]
                runs[folder] = pool.submit(run_after, first, folder, every, kept)
    names = {name: [f"{name}-{seed}" for seed in range(arguments.seeds)] for name in chosen}
    for name, own_runs in names.items():
        if not (found := [accuracies for run in own_runs if (accuracies := kept.of(run))]):
            continue
        cells = (interval([seed[test] for seed in found]) for test in ("short", "long"))
        shown = "  ".join(f"{test} {cell}" for test, cell in zip(("short", "long"), cells, strict=True))
        pairs = [(kept.of(run), kept.of(f"dapo-{seed}")) for seed, run in enumerate(own_runs)]
        minus = [own["short"] - dapo["short"] for own, dapo in pairs if own and dapo]
        beside = f"minus dapo {interval(minus)}" if minus and name != "dapo" else ""
        print(f"{name:24s} {shown}  ({len(found)} seeds)  {beside}")
    for name, why in LEFT_OUT.items():
        print(f"{name:24s} left out: {why}")
    if unfinished := [run for own_runs in names.values() for run in own_runs if not kept.of(run)]:
        sys.exit(f"unfinished, the same command resumes: {', '.join(unfinished)}")


class Kept:
    """The last accuracies of finished runs, in percent, by the run's name and the test."""

    def __init__(self, path: Path | None, asked: dict[str, Any]) -> None:
        self._path, self._lock = path, Lock()
        self._record: dict[str, Any] = {**asked, "machines": [], "accuracies": {}}
        if path is not None and path.exists():
            self._record = json.loads(path.read_text(encoding="utf-8"))
            if {key: self._record[key] for key in asked} != asked:
                sys.exit(f"{path} holds runs with other steps or overrides: name another file")

    def of(self, name: str) -> dict[str, float]:
        """A run's accuracies; empty when it has not ended."""
        found: dict[str, float] = self._record["accuracies"].get(name, {})
        return found

    def add(self, folder: Path) -> None:
        """Keep a finished run's accuracies."""
        here = {key: value for key, value in machine().items() if key in ("cpu", "cores", "python")}
        last = {record["set"]: 100 * record["accuracy"] for record in read_jsonl(folder / "evals.jsonl")}
        with self._lock:
            self._record["accuracies"][folder.name] = last
            if here not in self._record["machines"]:
                self._record["machines"].append(here)
            if self._path is not None:
                self._path.write_text(json.dumps(self._record, indent=1) + "\n", encoding="utf-8")


def run_after(first: Future[None] | None, folder: Path, keys: list[str], kept: Kept) -> None:
    """Train into a folder after the run `first`, which it needs, has ended."""
    if first:
        first.result()
    run(folder, keys)
    if (folder / "done").exists():
        kept.add(folder)


def samples_of(keys: dict[str, Any]) -> str:
    """The run whose samples a recipe trains on; empty for one that samples itself."""
    replayed: str = keys.get("rollout", {}).get("replay") or ""
    return replayed


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


if __name__ == "__main__":
    main()
