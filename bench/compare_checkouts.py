"""Two checkouts of this project, side by side: do they give the same verdicts, dataset bytes and training bits?

    python bench/compare_checkouts.py BEFORE AFTER [--only PART ...] [--keep FOLDER]

For a change that must not change behaviour, such as moved files and renamed modules. Only the command line of each
checkout is used (`eval grade`, `problems`, `data build`, `train run`), with this interpreter and PYTHONPATH, and only
the files that it writes are read; modules may have any name. The labelled cases are those of AFTER.

What is compared, of each program: verdict, score, passed tests, and each test's verdict and rung. Of a dataset built
without running solutions: the bytes of data/, solutions/ and dropped/, and the manifest; of one built with running
them: the rows, without measured times. Of the run: metrics without times, evaluations, weights.

What is not compared: wording (details, reports, cards), times and memory, and the shards under work/, whose keys hold
a digest of the code. Of the cheats, those marked "any" are left out: their verdict is a matter of chance. Where a cheat
may get one of several verdicts, only whether it was accepted counts. The exit status is 1 when anything differs.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Facts = dict[str, Any]
"""What one checkout gave, by the name of a program, a file or a line."""

ADD = {
    "id": "add",
    "time_limit_s": 0.3,
    "memory_limit_mb": 128,
    "tests": [{"input": f"{a} {b}", "output": str(a + b)} for a, b in ((1, 2), (30, 4), (5, 6))],
}
"""The problem of the cheats in the labelled cases."""
TINY_RUN = (
    *("run.steps=3", "run.threads=1", "tiny.warmup_steps=20", "tiny.test_tasks=8", "tiny.hidden=32", "tiny.layers=1"),
    *("rollout.max_tokens=8", "rollout.group=4", "batch.prompts=4", "batch.minibatch=2", "checkpoint.every=3"),
    *("evaluate.every=3", "evaluate.samples=1", "log.tensorboard=false", "log.live=false"),
)


def main() -> None:
    """Run each part with both checkouts and print a table of what differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--keep", type=Path, help="keep what both wrote in this folder")
    arguments = parser.parse_args()
    cases = arguments.after.resolve() / "tests" / "eval" / "cases"
    differing = 0
    print(f"{'part':<18} {'compared':>8} {'differ':>7} {'before':>7} {'after':>7}")
    with tempfile.TemporaryDirectory() as scratch:
        place = arguments.keep or Path(scratch)
        for part in arguments.only:
            found, seconds = [], []
            for name in ("before", "after"):
                # both work at the same path, which some files name, and are moved aside afterwards
                work = place.resolve() / "work"
                work.mkdir(parents=True)
                began = time.monotonic()
                found.append(PARTS[part](Checkout(getattr(arguments, name).resolve(), work), cases))
                seconds.append(time.monotonic() - began)
                work.rename(place.resolve() / f"{part}-{name}")
            differ = [
                key for key in sorted(found[0].keys() | found[1].keys()) if found[0].get(key) != found[1].get(key)
            ]
            differing += len(differ)
            print(
                f"{part:<18} {len(found[1]):>8} {len(differ):>7} {seconds[0]:>5.0f} s {seconds[1]:>5.0f} s", flush=True
            )
            if not found[1]:
                sys.exit(f"{part}: nothing was compared")
            for key in differ[:20]:
                print(f"  {key}\n    before {str(found[0].get(key))[:300]}\n    after  {str(found[1].get(key))[:300]}")
    print(f"{differing} differences" if differing else "the same")
    sys.exit(1 if differing else 0)


class Checkout:
    """One checkout's command line, called in a folder of its own."""

    def __init__(self, root: Path, work: Path) -> None:
        self.root, self.work = root, work

    def microcoder(self, *words: str, may_end_with: tuple[int, ...] = (0,)) -> None:
        """Call `microcoder WORDS`; any other exit status than those expected ends the comparison."""
        environment = {**os.environ, "PYTHONPATH": str(self.root), "XDG_CACHE_HOME": str(self.work / "cache")}
        done = subprocess.run(
            [sys.executable, "-c", "import cli; cli.main()", *words],
            cwd=self.work,
            env=environment,
            capture_output=True,
            text=True,
        )
        if done.returncode not in may_end_with:
            sys.exit(f"{self.root}: microcoder {' '.join(words)}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")

    def grade(self, problems: list[Facts], submissions: list[Facts], *options: str) -> Iterator[tuple[str, Facts]]:
        """The grades of these submissions, by submission id."""
        write_lines(self.work / "problems.jsonl", problems)
        write_lines(self.work / "submissions.jsonl", submissions)
        yield from self.grade_files("problems.jsonl", "submissions.jsonl", *options)

    def grade_files(self, problems: str, submissions: str, *options: str) -> Iterator[tuple[str, Facts]]:
        out = self.work / f"graded-{len(list(self.work.glob('graded-*')))}"
        words = ("--problems", problems, "--submissions", submissions, "--out", str(out), "--no-cache", "--quiet")
        # 1: some cases are broken on purpose
        self.microcoder("eval", "grade", *words, *options, may_end_with=(0, 1))
        for grade in read_lines(out / "grades.jsonl"):
            tests = [(test["verdict"], test["rung"]) for test in grade["tests"]]
            facts = {name: grade[name] for name in ("verdict", "accepted", "passed", "total", "score")}
            yield grade["submission_id"], {**facts, "tests": tests}


def comparisons(checkout: Checkout, cases: Path) -> Facts:
    """The labelled answers, printed or returned by a program, under every policy."""
    problems, submissions = [], []
    for number, case in enumerate(read_lines(cases / "compare.jsonl")):
        name, checker = f"{number} {case['why']}", case["checker"]
        if case["mode"] == "call":
            expected = ast.literal_eval(case["expected"])
            if not is_json(expected):
                continue
            problems.append(
                {
                    "id": name,
                    "kind": "call",
                    "entry_point": "f",
                    "checker": checker,
                    "tests": [{"input": [], "output": expected}],
                }
            )
            code = f"def f():\n    return {case['actual']}"
        else:
            problems.append({"id": name, "checker": checker, "tests": [{"input": "", "output": case["expected"]}]})
            code = f"import sys\nsys.stdout.buffer.write({case['actual'].encode()!r})"
        submissions.append({"id": name, "problem_id": name, "code": code})
    return {
        f"{policy}: {name}": facts
        for policy in ("strict", "contest", "lenient")
        for name, facts in checkout.grade(problems, submissions, "--policy", policy)
    }


def idioms(checkout: Checkout, cases: Path) -> Facts:
    """Right programs that read and print in unusual ways."""
    listed = list(read_lines(cases / "idioms.jsonl"))
    problems = [
        {"id": one["name"], "time_limit_s": 4, "tests": [{"input": i, "output": o} for i, o in one["tests"]]}
        for one in listed
    ]
    submissions = [{"id": one["name"], "problem_id": one["name"], "code": one["code"]} for one in listed]
    return {
        f"{way}: {name}": facts
        for way in ("test", "submission")
        for name, facts in checkout.grade(problems, submissions, "--isolation", way)
    }


def cheats(checkout: Checkout, cases: Path) -> Facts:
    """Programs that forge, break out or deny, but for those whose verdict is a matter of chance."""
    wanted, submissions = {}, []
    for path in sorted((cases / "cheats").glob("*.py")):
        code = path.read_text(encoding="utf-8")
        label = code.partition(":")[0].removeprefix("# ").split()
        if label != ["any"]:
            wanted[path.stem] = label
            submissions.append({"id": path.stem, "problem_id": "add", "code": code})
    return {
        name: facts["verdict"] if len(wanted[name]) == 1 else {"accepted": facts["accepted"]}
        for name, facts in checkout.grade([ADD], submissions)
    }


def problem_set(checkout: Checkout, cases: Path) -> Facts:
    """Right, wrong, slow and crashing solutions of the easy problems, and the problem set's own cheats."""
    words = ("--difficulty", "easy", "--language", "python", "--cheats")
    checkout.microcoder("problems", "export", "set", *words)
    facts: Facts = {"problems.jsonl": digest(checkout.work / "set" / "problems.jsonl")}
    for name, grade in checkout.grade_files("set/problems.jsonl", "set/submissions.jsonl"):
        facts[name] = {key: grade[key] for key in ("verdict", "accepted")}
    return facts


def dataset(checkout: Checkout, cases: Path) -> Facts:
    """The build that the quickstart shows, from raw records with planted faults; without execution, byte for byte."""
    checkout.microcoder("problems", "raw", "raw")
    recipe = checkout.work / "raw" / "recipe.yaml"
    without, execution, _ = recipe.read_text(encoding="utf-8").partition("verify:")
    (checkout.work / "raw" / "without_execution.yaml").write_text(without, encoding="utf-8")
    checkout.microcoder("data", "build", "raw/without_execution.yaml", "--out", "dataset", "--quiet")
    built = checkout.work / "dataset"
    files = [path for folder in ("data", "solutions", "dropped") for path in sorted((built / folder).iterdir())]
    facts: Facts = {str(path.relative_to(built)): digest(path) for path in files}
    facts |= {f"raw/{path.name}": digest(path) for path in sorted((checkout.work / "raw").iterdir())}
    manifest = json.loads((built / "manifest.json").read_text(encoding="utf-8"))
    facts |= {f"manifest: {key}": value for key, value in manifest.items() if key != "made_with"}
    if not execution:
        sys.exit(f"{recipe} does not run solutions any more")
    checkout.microcoder("data", "build", str(recipe), "--out", "executed", "--quiet")
    return facts | dict(rows_without_times(checkout.work / "executed"))


def rows_without_times(built: Path) -> Iterator[tuple[str, Facts]]:
    """The rows of a dataset whose solutions were run, without the fields that hold measured times."""
    import pyarrow.parquet

    for path in sorted((built / "data").glob("*.parquet")):
        for row in pyarrow.parquet.read_table(path).to_pylist():
            row["verification"].pop("max_time_ms")
            row["provenance"] = [step for step in row["provenance"] if not step["rule"].startswith("time_limit")]
            name = f"executed: {row['problem_id']}"
            yield name, {key: value for key, value in row.items() if key not in ("row_sha256", "time_limit_ms")}


def training(checkout: Checkout, cases: Path) -> Facts:
    """A few steps of the tiny recipe."""
    recipe = checkout.root / "pipelines" / "train" / "tiny.yaml"
    checkout.microcoder("train", "run", str(recipe), "run.out=run", "tiny.cache=world", *TINY_RUN, "--quiet")
    run = checkout.work / "run"
    facts: Facts = {}
    for name in ("metrics.jsonl", "evals.jsonl"):
        for number, line in enumerate(read_lines(run / name)):
            for key, value in line.items():
                if not key.startswith("time/") and key != "seconds":
                    facts[f"{name} line {number + 1}: {key}"] = value
    weights = sorted((run / "checkpoints").glob("*/model.safetensors"))
    return facts | {f"{path.parent.name}/{path.name}": digest(path) for path in weights}


PARTS: dict[str, Callable[[Checkout, Path], Facts]] = {
    "comparisons": comparisons,
    "idioms": idioms,
    "cheats": cheats,
    "problem-set": problem_set,
    "dataset": dataset,
    "training": training,
}


def is_json(value: object) -> bool:
    """Whether a problem file can hold this value as it is (no tuples, sets or infinities)."""
    try:
        return repr(json.loads(json.dumps(value, allow_nan=False))) == repr(value)
    except (TypeError, ValueError):
        return False


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_lines(path: Path) -> Iterator[Facts]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def write_lines(path: Path, records: list[Facts]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


if __name__ == "__main__":
    main()
