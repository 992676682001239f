"""Training in three turns beside training in one turn, with the same number of sampled tokens, on the toy world.

    python bench/turns.py [--seeds 5] [--steps 20] [--jobs 2] [--out FOLDER] [--json FILE] [KEY=VALUE ...]

Both arms are GRPO from the same model, which supervised steps have taught single replies and conversations
(`turns_world.py`). A failed program is followed by feedback on its first public test
that fails, and the model answers again, twice at most. The arm with one turn is the checkpoint whose run had sampled as
many tokens as the arm with three turns in all its steps (feedback is not sampled and does not count). Each model is
tested in one try, in three turns, and in three tries that know nothing of each other, of which any may be right: the
third column is what three turns have to beat, because a second try helps without feedback too. The figures are means
over seeds with 95 % t-intervals. Runs and tests that were finished before are not repeated.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from statistics import mean

from measure import machine
from related_table import split_overrides
from tiny_table import RECIPE, interval, run
from turns_world import taught_model

from microcoder_rl.recipe import load_recipe
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.run import open_parts, prepared

TURNS = 3
SPACING = 2
"""Steps between the checkpoints of the arm with one turn."""
KEYS = (
    *("algorithm=grpo", "rollout.engine=torch", "data.max_prompt_tokens=128"),
    *("rollout.max_tokens=40", "rollout.feedback_tokens=128"),  # most replies end: one that is cut gets no feedback
    *("evaluate.every=0", "evaluate.at_start=false", "evaluate.samples=6", "run.threads=1"),
)
TESTS = ("one try", "three turns", "three tries")


def main() -> None:
    """Train and test what is missing, then print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=20, help="of the arm with three turns")
    parser.add_argument("--jobs", type=int, default=2, help="seeds side by side")
    parser.add_argument("--out", type=Path, default=Path("runs/turns"))
    parser.add_argument("--json", type=Path, help="write every seed's accuracies")
    parser.add_argument("overrides", nargs="*", metavar="KEY=VALUE")
    arguments = parser.parse_args(split_overrides(sys.argv[1:]))
    model = taught_model(load_recipe(RECIPE, [*KEYS, *arguments.overrides]), arguments.out / "model")
    arguments.overrides.append(f"model.path={model}")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = list(pool.map(lambda seed: one_seed(seed, arguments), range(arguments.seeds)))
    print(f"{'trained in':14s}" + "".join(f"{test:>16s}" for test in TESTS) + "   steps  tokens")
    for arm in ("one turn", "three turns"):
        cells = "".join(f"{interval([seed[arm][test] for seed in seeds]):>16s}" for test in TESTS)
        steps, tokens = (mean(seed[arm][key] for seed in seeds) for key in ("steps", "tokens"))
        print(f"{arm:14s}{cells}  {steps:6.0f} {tokens:7.0f}")
    for test in TESTS:
        gained = [seed["three turns"][test] - seed["one turn"][test] for seed in seeds]
        print(f"three turns less one turn, {test}: {interval(gained)} points")
    if arguments.json:
        record = {"machine": machine(), "steps": arguments.steps, "seeds": seeds}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def one_seed(seed: int, arguments: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Both arms of one seed, trained and tested."""
    keys = [*KEYS, f"run.seed={seed}", *arguments.overrides]
    several, single = arguments.out / f"three-turns-{seed}", arguments.out / f"one-turn-{seed}"
    run(several, [*keys, f"rollout.turns={TURNS}", f"run.steps={arguments.steps}"])
    budget = sampled_tokens(several)[-1]
    most = TURNS * arguments.steps  # each step of the other arm samples at most as many turns
    run(single, [*keys, f"run.steps={most}", f"checkpoint.every={SPACING}", f"checkpoint.keep={most}"])
    tokens = sampled_tokens(single)
    saved = range(SPACING, most + 1, SPACING)
    equal = min(saved, key=lambda step: abs(tokens[step - 1] - budget))
    return {
        "one turn": {**tested(single, equal, keys), "steps": equal, "tokens": tokens[equal - 1]},
        "three turns": {**tested(several, arguments.steps, keys), "steps": arguments.steps, "tokens": budget},
    }


def sampled_tokens(folder: Path) -> list[int]:
    """The tokens sampled from the first step to each step."""
    return list(accumulate(int(record["tokens"]) for record in read_jsonl(folder / "metrics.jsonl")))


def tested(folder: Path, step: int, keys: list[str]) -> dict[str, float]:
    """A checkpoint's accuracies in percent, on the test of short replies."""
    kept = folder / f"tested-{step}.json"
    if not kept.exists():
        tries, turns = (answers(folder, step, [*keys, f"rollout.turns={number}"]) for number in (1, TURNS))
        found = {
            "one try": mean(share_right(verdicts) for verdicts in tries),
            "three turns": mean(share_right(verdicts) for verdicts in turns),
            "three tries": mean(any_right(verdicts, TURNS) for verdicts in tries),
        }
        kept.write_text(json.dumps({test: 100 * share for test, share in found.items()}), encoding="utf-8")
    found = json.loads(kept.read_text(encoding="utf-8"))
    return {test: found[test] for test in TESTS}


def answers(folder: Path, step: int, keys: list[str]) -> list[list[str]]:
    """For each test problem the last verdicts of its replies."""
    config = load_recipe(RECIPE, [*keys, f"run.out={folder}"])
    model = str(folder / "checkpoints" / f"step-{step:06d}")
    with prepared(config, print) as (config, notify), open_parts(config, notify, model=model) as parts:
        evaluation = parts.evaluate("short", config.rollout.max_tokens)
    return [answer["verdicts"] for answer in evaluation.answers]


def share_right(verdicts: list[str]) -> float:
    """The share of replies that were accepted."""
    return mean(verdict == "ACCEPTED" for verdict in verdicts)


def any_right(verdicts: list[str], tries: int) -> float:
    """The chance that one of so many replies, drawn without putting back, was accepted."""
    wrong, number = sum(verdict != "ACCEPTED" for verdict in verdicts), len(verdicts)
    chance = 1.0
    for drawn in range(min(tries, number)):
        chance *= max(0, wrong - drawn) / (number - drawn)
    return 1 - chance


if __name__ == "__main__":
    main()
