"""The paper's comparison in small: base, GRPO, DAPO, MicroCoder-GRPO, each over several seeds, with intervals.

    python bench/tiny_table.py [--algorithms grpo dapo microcoder_grpo] [--seeds 5] [--steps 40] [--jobs 2]
        [--out runs/tiny-table] [--json FILE] [KEY=VALUE ...]

All runs start from the same warmed-up toy model, train with replies cut short, and are tested short and long. Each is
a `microcoder train run` of its own, `--jobs` of them side by side with one thread each. Runs that were finished before
are not repeated; unfinished ones are resumed. Printed are accuracy after the last step and the best one, mean over
seeds with a 95 % t-interval. The four curves (mean over seeds) become an HTML page.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from microcoder_rl.recipe import load_recipe
from microcoder_rl.report.curves import run_panels
from microcoder_rl.report.plot import write_panels
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.toy_world import with_world

ALGORITHMS = {"grpo": "GRPO", "dapo": "DAPO", "microcoder_grpo": "MicroCoder-GRPO"}
RECIPE = Path(__file__).parent.parent / "pipelines" / "train" / "tiny.yaml"
T_95 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}
"""Two-sided 95 % quantiles of Student's t by degrees of freedom."""


def main() -> None:
    """Run what is missing, then print the table and draw the curves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=list(ALGORITHMS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side")
    parser.add_argument("--out", type=Path, default=Path("runs/tiny-table"))
    parser.add_argument("--json", type=Path, help="write every run's evaluations and curves")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args()
    with_world(load_recipe(RECIPE, arguments.overrides), print)  # once, before runs that share it begin
    folders = {
        algorithm: [arguments.out / f"{algorithm}-{seed}" for seed in range(arguments.seeds)]
        for algorithm in arguments.algorithms
    }
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for seed in range(arguments.seeds):
            for algorithm in arguments.algorithms:
                keys = [f"algorithm={algorithm}", f"run.seed={seed}", f"run.steps={arguments.steps}", "run.threads=1"]
                pool.submit(run, folders[algorithm][seed], [*keys, *arguments.overrides])
    unfinished = [str(folder) for own in folders.values() for folder in own if not (folder / "done").exists()]
    if unfinished:
        sys.exit(f"unfinished, the same command resumes: {', '.join(unfinished)}")
    evaluations = {key: [read_jsonl(folder / "evals.jsonl") for folder in own] for key, own in folders.items()}
    for algorithm, own in folders.items():
        average(own, arguments.out / f"mean-{algorithm}")
    print_table(evaluations)
    curves = arguments.out / "curves.html"
    means = [arguments.out / f"mean-{algorithm}" for algorithm in folders]
    write_panels(run_panels(means, smooth=5), curves, "The paper's comparison in small")
    print(f"curves: {curves}")
    if arguments.json:
        arguments.json.write_text(json.dumps(record(arguments, folders), indent=1) + "\n", encoding="utf-8")


def run(folder: Path, keys: list[str]) -> None:
    """Train into a folder, unless that was done before."""
    if (folder / "done").exists():
        return
    command = [sys.executable, "-m", "cli", "train", "run", str(RECIPE), *keys, f"run.out={folder}", "--resume"]
    found = subprocess.run([*command, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"{folder}: {found.stdout.strip() or 'no output'}", flush=True)
    if found.returncode == 0:
        (folder / "done").touch()


def record(arguments: argparse.Namespace, folders: dict[str, list[Path]]) -> dict:
    """The settings, and the evaluations and curves of every run, for the results file."""
    curves = ("reward", "length", "diversity", "entropy", "truncated", "mask_share")
    return {
        "what": f"{RECIPE.name}, {arguments.steps} steps, {arguments.seeds} seeds",
        "overrides": arguments.overrides,
        "runs": {
            folder.name: {
                "evaluations": read_jsonl(folder / "evals.jsonl"),
                "curves": {key: [step[key] for step in read_jsonl(folder / "metrics.jsonl")] for key in curves},
            }
            for own in folders.values()
            for folder in own
        },
    }


def print_table(evaluations: dict[str, list[list[dict]]]) -> None:
    """Rows of the paper's table, by test length and level, last step; then the best step over all levels."""
    first = next(iter(evaluations.values()))
    sets = list(dict.fromkeys(record["set"] for record in first[0]))
    for name in sets:
        print(f"\ntested {name}, % (mean over seeds, 95 % interval)")
        runs = {ALGORITHMS[key]: [_of(run, name)[-1] for run in own] for key, own in evaluations.items()}
        runs = {"base": [_of(run, name)[0] for run in first], **runs}
        columns = list(runs["base"][0]["table"]["All"])
        print(f"{'':18s}" + "".join(f"{column:>16s}" for column in columns) + f"{'length':>16s}{'diversity':>16s}")
        for label, records in runs.items():
            cells = [
                interval([100 * record["table"]["All"].get(column, math.nan) for record in records])
                for column in columns
            ]
            cells += [interval([record["length"] for record in records])]
            cells += [interval([100 * record["diversity"] for record in records])]
            print(f"{label:18s}" + "".join(f"{cell:>16s}" for cell in cells))
        for key, own in evaluations.items():
            best = [100 * max(record["accuracy"] for record in _of(run, name)) for run in own]
            print(f"{ALGORITHMS[key] + ', best step':30s} {interval(best)}")


def interval(values: list[float]) -> str:
    """Mean and half the width of the 95 % t-interval."""
    mean = statistics.mean(values)
    if len(values) < 2:
        return f"{mean:.1f}"
    return f"{mean:.1f} ±{T_95[len(values) - 1] * statistics.stdev(values) / math.sqrt(len(values)):.1f}"


def average(folders: list[Path], out: Path) -> None:
    """Write a folder whose logs are the mean over seeds, for plotting."""
    out.mkdir(parents=True, exist_ok=True)
    for file in ("metrics.jsonl", "evals.jsonl"):
        lines = []
        for records in zip(*(read_jsonl(folder / file) for folder in folders), strict=True):
            mean = dict(records[0])
            for key, value in mean.items():
                known = [record[key] for record in records if isinstance(record.get(key), (int, float))]
                if isinstance(value, (int, float)) and known:
                    mean[key] = statistics.mean(known)
            lines.append(json.dumps(mean))
        (out / file).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _of(run: list[dict], name: str) -> list[dict]:
    return [record for record in run if record["set"] == name]


if __name__ == "__main__":
    main()
