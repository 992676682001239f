"""A real language model on two cores: SmolLM2-135M-Instruct trained by several algorithms over several seeds.

    microcoder model smollm2
    python bench/real_model.py [--algorithms grpo dapo microcoder_grpo] [--seeds 3] [--jobs 2] [--out runs/real] [--json FILE] [KEY=VALUE ...]

Each run is a `microcoder train run pipelines/train/smollm2.yaml` of its own with one thread, `--jobs` of them side by
side. Runs that were finished before are not repeated; unfinished ones are resumed. The test tasks are of families that
are not trained. Printed: avg@k and pass@k of the test tasks (k: `evaluate.samples`, 4 in the recipe), and greedy
accuracy, before and after, and the change of avg@k with the 95 % bootstrap interval over the twelve families (the five
tasks of a family are alike, so families are resampled and not tasks; a family's value is its mean over tasks and
seeds). OUT/curves.html has the curves, and the replies before and after side by side.
"""  # noqa: E501 - a command

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from measure import machine

from microcoder_eval import InputError
from microcoder_eval.metrics import mean_over_problems
from microcoder_eval.plural import counted
from microcoder_eval.verdict import Verdict
from microcoder_rl.recipe import load_recipe, plain
from microcoder_rl.report.before_after import before_and_after
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.report.training_page import write_training_page
from microcoder_rl.saved_checkpoints import find_checkpoint

RECIPE = Path(__file__).parent.parent / "pipelines" / "train" / "smollm2.yaml"
SET = "held_out"


def main() -> None:
    """Run what is missing, then print the table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--algorithms", nargs="+", default=["microcoder_grpo", "grpo", "dapo"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side")
    parser.add_argument("--out", type=Path, default=Path("runs/real"))
    parser.add_argument("--json", type=Path, help="write the results of every run")
    arguments, overrides = parser.parse_known_args()
    runs = [(algorithm, seed) for seed in range(arguments.seeds) for algorithm in arguments.algorithms]
    try:
        for algorithm, seed in runs:
            folder = arguments.out / f"{algorithm}-{seed}"
            find_checkpoint(folder / "checkpoints", plain(load_recipe(RECIPE, keys_of(algorithm, seed, overrides))))
    except InputError as error:
        sys.exit(f"Error: {error}")
    run_all(arguments.out, runs, overrides, arguments.jobs)
    found = {
        name: [arguments.out / f"{name}-{seed}" for seed in range(arguments.seeds)] for name in arguments.algorithms
    }
    finished = {name: [each for each in own if (each / "greedy.json").exists()] for name, own in found.items()}
    record = {"machine": machine(), "overrides": overrides, "algorithms": {}}
    for name, folders in finished.items():
        if folders:
            record["algorithms"][name] = summary(folders)
            show(name, record["algorithms"][name])
    folders = [folder for own in finished.values() for folder in own]
    if folders:
        write_training_page(folders, arguments.out / "curves.html")
        print(f"page: {arguments.out / 'curves.html'}")
    if arguments.json:
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    missing = [str(each) for name, own in found.items() for each in own if each not in finished[name]]
    if missing:
        sys.exit(f"unfinished, the same command resumes: {', '.join(missing)}")


def keys_of(algorithm: str, seed: int, overrides: list[str]) -> list[str]:
    """The keys of a run that replace the recipe's."""
    return [f"algorithm={algorithm}", f"run.seed={seed}", "run.threads=1", *overrides]


def run_all(out: Path, runs: list[tuple[str, int]], overrides: list[str], jobs: int) -> None:
    """Do all runs, `jobs` at a time. After Ctrl-C none of those that wait is started."""
    pool = ThreadPoolExecutor(jobs)
    try:
        started = [pool.submit(run, out / f"{name}-{seed}", name, seed, overrides) for name, seed in runs]
        for each in started:
            each.result()
    except KeyboardInterrupt:
        print("stopped; the same command resumes", file=sys.stderr)
        sys.exit(130)
    finally:
        pool.shutdown(cancel_futures=True)


def run(folder: Path, algorithm: str, seed: int, overrides: list[str]) -> None:
    """Train into a folder, unless that was done before; then answer the test tasks greedily, before and after."""
    greedy = folder / "greedy.json"
    if greedy.exists():
        return
    keys = keys_of(algorithm, seed, overrides)
    command = [sys.executable, "-m", "microcoder", "train", "run", str(RECIPE), *keys, f"run.out={folder}", "--resume"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            print(f"{folder.name}: {line.rstrip()}", flush=True)
    checkpoints = sorted((folder / "checkpoints").glob("step-*"))
    if process.returncode or not checkpoints:
        return
    last = checkpoints[-1]
    try:
        scores = {"before": greedy_accuracy(None, keys), "after": greedy_accuracy(last, keys)}
    except subprocess.CalledProcessError:
        return  # the command has said why
    shutil.rmtree(last / "optimizer", ignore_errors=True)  # 1.6 GB that only a resumed run would need
    for other in checkpoints[:-1]:
        shutil.rmtree(other)
    greedy.write_text(json.dumps(scores) + "\n", encoding="utf-8")


def greedy_accuracy(model: Path | None, keys: list[str]) -> float:
    """Accuracy of the most likely replies of the recipe's model, or of `model`."""
    command = [sys.executable, "-m", "microcoder", "train", "eval", str(RECIPE), "--json", *keys]
    command += ["evaluate.samples=1", "evaluate.temperature=0", *(["--model", str(model)] if model else [])]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return float(next(each["accuracy"] for each in json.loads(ended.stdout)["evaluations"] if each["set"] == SET))


def summary(folders: list[Path]) -> dict[str, Any]:
    """The figures of one algorithm's runs: a value for each seed, and the change with its interval."""
    by_family: dict[str, list[float]] = defaultdict(list)
    figures: dict[str, Any] = {"seeds": len(folders), "before": defaultdict(list), "after": defaultdict(list)}
    for folder in folders:
        both = before_and_after(folder)[SET]
        for before, after in both.pairs:
            by_family[before["problem_id"].rpartition("-")[0]].append(after["accuracy"] - before["accuracy"])
        greedy = json.loads((folder / "greedy.json").read_text(encoding="utf-8"))
        evaluations = read_jsonl(folder / "evals.jsonl")
        for when, place, evaluation in (("before", 0, evaluations[0]), ("after", 1, evaluations[-1])):
            lines = [pair[place] for pair in both.pairs]
            part = figures[when]
            replies = len(lines[0]["verdicts"])  # `evaluate.samples` of the recipe
            solved = [Verdict.ACCEPTED.value in line["verdicts"] for line in lines]
            part[f"avg@{replies}"].append(statistics.mean(line["accuracy"] for line in lines))
            part[f"pass@{replies}"].append(statistics.mean(solved))
            part["greedy"].append(greedy[when])
            part["length"].append(evaluation["length"])
            part["truncated"].append(evaluation["truncated"])
        steps = read_jsonl(folder / "metrics.jsonl")
        figures.setdefault("hours", []).append(sum(step["time/step"] for step in steps) / 3600)
        figures.setdefault("rewards", []).append([step["reward"] for step in steps])
    change = mean_over_problems([statistics.mean(values) for values in by_family.values()])
    figures["change"] = {"mean": change.value, "low": change.low, "high": change.high, "families": change.problems}
    return figures


def show(name: str, figures: dict[str, Any]) -> None:
    """Print one algorithm's line of the table."""
    before, after, change = figures["before"], figures["after"], figures["change"]
    scores = [key for key in before if "@" in key or key == "greedy"]
    means = [
        f"{key} {100 * statistics.mean(before[key]):.1f} -> {100 * statistics.mean(after[key]):.1f}" for key in scores
    ]
    interval = f"{100 * change['mean']:+.1f} ({100 * change['low']:.1f} to {100 * change['high']:.1f})"
    print(f"{name:16s} {counted(figures['seeds'], 'seed')}  {', '.join(means)}  change of {scores[0]} {interval}")


if __name__ == "__main__":
    main()
