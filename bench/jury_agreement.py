"""The stage verify compared with juries: contest packages are read and verified, and their submissions judged.

    python bench/jury_agreement.py FOLDER... [--max-mb 8] [--row-seconds 300] [--json FILE]

A FOLDER holds ICPC/Kattis problem packages at any depth. These are counted, with a line for each disagreement:

    accepted      the jury's accepted Python submissions, under the limits of the verified row. One that is too slow or
                  too large even with far more time is not reproducible on CPython and counted separately
    wrong         the jury's wrong submissions in every language found here, as Verify judges them: by the package's
                  limit, or by the one that its judges' tools would derive
    for Python    those of the wrong ones that only time rejects, once more under the row's limit, which leaves Python
                  its time where no accepted submission is in Python

Packages with more than `--max-mb` of data are left out and counted. The packages must be complete: a clone without
its large files lacks the tests that reject slow programs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from measure import machine

from microcoder_data.conversion import rows_of
from microcoder_data.packages.files import package_paths
from microcoder_data.reading.parts import Part
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import apply_rules, rules_of
from microcoder_data.schema import Row, to_problem
from microcoder_data.shards import TestStore
from microcoder_data.verify import Verify
from microcoder_data.verify.cap_by_strength import Cap
from microcoder_data.verify.execution import Execution
from microcoder_data.verify.program_runner import ProgramRunner, Results, programs
from microcoder_data.verify.row_steps import RowSteps
from microcoder_eval import Grader, InputError, Verdict

EVERY = 1000
PATIENCE_S = 30.0
SETTINGS = Execution(wrong=EVERY, mutants=0, strengthen=None, several_answers="mark", agreeing=0, cap=Cap(limit=10**9))
LIMITS = {Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT}


def packages(folders: Sequence[Path], max_mb: float, count: Counter[str]) -> Iterator[Path]:
    for path in sorted(path for folder in folders for path in package_paths(folder)):
        files = path.glob("data/**/*") if path.is_dir() else [path]
        if sum(file.stat().st_size for file in files if file.is_file()) > max_mb * 2**20:
            count["packages left out: larger"] += 1
        else:
            yield path


def row_of(path: Path, store: TestStore, count: Counter[str]) -> Iterator[Row]:
    """The rows of a package as execution gets them. Rejected records are counted by reason."""
    spec = SourceSpec("kattis", path=(str(path),))
    for row, entry in rows_of([Part(0, str(path), "package")], spec, store, None, strict=False):
        if row is not None:
            entry = apply_rules(row, rules_of(Verify()), "verify")
        if entry is not None:
            count[f"packages rejected: {entry['reason']}"] += 1
        elif row is not None:
            yield row


def verdicts(results: Results) -> str:
    found = Counter(str(verdict) for verdict in results.verdicts if verdict is not None)
    return results.not_run or ", ".join(f"{many} {verdict}" for verdict, many in found.most_common())


def judge(row: Row, problem: Any, grader: Grader, seconds: float, count: Counter[str]) -> list[dict[str, Any]]:
    """Verify the row and judge its submissions. Returns the disagreements with the jury."""
    rights, _ = programs(row, problem, correct=True, most=SETTINGS.solutions)
    if not rights:
        count["packages without an accepted submission that runs here"] += 1
        return []
    names = {solution["code"]: solution["name"] for solution in row["solutions"]}
    given_ms = row["time_limit_ms"]
    settings = replace(SETTINGS, row_seconds=seconds)
    trial = RowSteps(row, ProgramRunner(grader, problem, seconds), rights, settings, lambda **_: None)
    dropped = trial.run()
    count["packages judged"] += 1
    differing: list[dict[str, Any]] = []

    def differs(what: str, result: Results) -> None:
        said = {"package": row["problem_id"], "submission": names[result.program.code], "what": what}
        limits = {"limit_ms": given_ms, "row_limit_ms": row["time_limit_ms"], "slowest_ms": trial.slowest_of_all_ms}
        differing.append({**said, "verdicts": verdicts(result), "cpu_ms": result.slowest_ms(), **limits})
        print(json.dumps(differing[-1]), flush=True)

    if dropped is not None:
        count[f"packages dropped by Verify: {dropped.reason}"] += 1
        print(json.dumps({"package": row["problem_id"], "dropped": dropped.reason, "detail": dropped.detail}))
    listed, _ = programs(row, problem, correct=True, most=EVERY)
    python = [program for program in listed if program.language == "python"]
    limit_s = row["time_limit_ms"] / 1000
    runner = ProgramRunner(grader, replace(problem, time_limit_s=limit_s), seconds)
    for result in runner.run(python, limit_s=limit_s):
        if result.rejected() and set(result.verdicts) & LIMITS:
            [patient] = runner.run([result.program], limit_s=max(limit_s, PATIENCE_S))
            if not patient.accepted():
                count["accepted: too slow or too large on CPython"] += 1
                continue
        count_agreement(result, "accepted", result.accepted(), count, differs)
    for result in trial.strength.wrong:
        count_agreement(result, "wrong", result.rejected(), count, differs)
    slow = [result.program for result in trial.strength.wrong if result.rejected() and only_slow(result)]
    if limit_s > trial.judges_s():
        for result in ProgramRunner(grader, problem, seconds).run(slow, limit_s=limit_s):
            count["wrong: only too slow, and not under the row's limit for Python"] += result.accepted()
    return differing


def count_agreement(result: Results, kind: str, agrees: bool, count: Counter[str], differs: Any) -> None:
    if not (result.accepted() or result.rejected()):
        count[f"{kind}: not run to the end"] += 1
        return
    count[kind] += 1
    count[f"{kind}: as the jury says"] += agrees
    if not agrees:
        differs(kind, result)


def only_slow(result: Results) -> bool:
    return {verdict for verdict in result.verdicts if verdict is not None} <= {Verdict.ACCEPTED, Verdict.TIME_LIMIT}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--max-mb", type=float, default=8.0, help="leave out packages with more data than this")
    parser.add_argument("--row-seconds", type=float, default=300.0, help="CPU time for a package")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    count: Counter[str] = Counter()
    differing: list[dict[str, Any]] = []
    judged: dict[str, dict[str, int]] = {}
    started = machine()
    with tempfile.TemporaryDirectory() as folder, Grader(workers=given.workers) as grader:
        store = TestStore(Path(folder))
        for path in packages(given.folders, given.max_mb, count):
            begun, here = time.monotonic(), Counter[str]()
            for row in row_of(path, store, here):
                try:
                    tests = [store.load(test) for test in row["tests"]]
                    problem = to_problem({**row, "tests": tests, "groups": None})
                    differing += judge(row, problem, grader, given.row_seconds, here)
                except InputError as error:
                    here[f"packages not gradable: {error}"] += 1
            count.update(here)
            judged[f"{path.parent.name}/{path.name}"] = dict(sorted(here.items()))
            print(f"{time.monotonic() - begun:6.1f} s  {path.name}", file=sys.stderr, flush=True)
            if given.json:
                result = {
                    "machine": started,
                    "counts": dict(sorted(count.items())),
                    "differing": differing,
                    "packages": judged,
                }
                given.json.write_text(json.dumps(result, indent=1) + "\n")
    for name, many in sorted(count.items()):
        print(f"{many:6}  {name}")
    for kind, bar in (("accepted", 0.99), ("wrong", 0.95)):
        share = count[f"{kind}: as the jury says"] / max(1, count[kind])
        print(f"{kind}: {share:.1%} as the jury says (bar {bar:.0%}): {'met' if share >= bar else 'NOT MET'}")


if __name__ == "__main__":
    main()
