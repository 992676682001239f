"""Made tests judged by labelled solutions, on problems with their tests, generators and checkers hidden.

    python bench/test_making.py [--only SLUG ...] [--threads 2] [--lines FILE] [--json FILE]
    python bench/test_making.py --packages FOLDER ... [--max-mb 8]
    python bench/test_making.py --functions leetcode_dataset FILE

The problems are the embedded ones, contest packages with a jury's solutions (`test_making_packages.py`), or a file of
functions, read as this source (`test_making_calls.py`). Only the
statement, its samples and the solutions are used. Two right solutions prove the tests; all others are held out. Then
every solution is judged by the samples and the made tests; the checker is the one that the statement names (a
tolerance, any order) or that test making has proven, else tokens. These are counted:

    grammar       problems of kind stdin whose inputs' grammar was inferred; the others are named with the reason
    right         right solutions that the made tests accept; those that took no part in the proof also separately
    wrong         wrong solutions that the made tests reject, with Wilson's interval of 95 %
    rules alone   wrong solutions that some input sampled from the grammar rejects; wrong programs were not used for it

Problems for which no test was made are named and not counted. `--lines` writes one line for each problem; a second run
resumes after the last. The exit status is 1 when made tests reject a right solution.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from measure import machine
from test_making_calls import SETTINGS as FUNCTION_SETTINGS
from test_making_calls import examined_function, functions, summed_functions
from test_making_packages import SETTINGS as PACKAGE_SETTINGS
from test_making_packages import examined_package, packages, share, summed_packages

from microcoder_data.make_tests.making import Making
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.problem_set.reader import Entry, Solution, find_problems, problem_folders, read_entry
from microcoder_data.problem_set.statement import samples, sections
from microcoder_data.process.checker import FindChecker
from microcoder_data.rules import apply_rules
from microcoder_data.schema import Row, new_row, new_test, to_problem
from microcoder_data.verify.program_runner import ProgramRunner, programs
from microcoder_eval import Grader, Problem, Submission, Verdict
from microcoder_eval.errors import UnsupportedError

SETTINGS = MakeTests(ways=("rules", "differences"), solutions=2, mutants=0, small=48, row_seconds=120.0)


def hidden_row(entry: Entry) -> Row:
    """The problem as a raw row: statement, samples and solutions; no tests, no generator, no checker."""
    parts, pairs = sections(entry.statement), samples(entry.statement)
    if entry.kind == "call":
        pairs = [("\n".join(line.split(" = ", 1)[1] for line in given.splitlines()) + "\n", wanted)
                 for given, wanted in pairs]  # fmt: skip
    return new_row(
        problem_id=f"embedded:{entry.slug}", source="embedded", kind=entry.kind,
        statement=entry.statement.split("\n## ")[0], input_format=parts.get("Input"),
        output_format=parts.get("Output"), constraints=parts.get("Constraints"), notes=parts.get("Notes"),
        samples=[{"input": given, "output": wanted, "explanation": None} for given, wanted in pairs],
        tests=[new_test(given, wanted, public=True, origin="sample") for given, wanted in pairs],
        entry_point=entry.entry_point or None, starter_code=entry.starter or None,
        time_limit_ms=int(entry.time_limit_s * 1000), memory_limit_mb=entry.memory_limit_mb,
        solutions=[
            {"language": s.language, "code": s.code, "correct": s.role == "right", "origin": "official"}
            for s in entry.solutions if s.role in ("right", "wrong")
        ],
    )  # fmt: skip


def examined(entry: Entry, grader: Grader) -> dict[str, Any]:
    """Make tests for one problem, then judge all its solutions by them."""
    began = time.monotonic()
    row = hidden_row(entry)
    apply_rules(row, [FindChecker()], "process")  # as a build does: a tolerance, any order, from the statement's words
    problem = to_problem(row)
    rights, _ = programs(row, problem, correct=True, most=SETTINGS.solutions)
    runner = ProgramRunner(grader, problem, SETTINGS.row_seconds)
    making = Making(row, runner, rights, SETTINGS)
    outcome = making.run()
    line = {"problem": entry.slug, "grammar": making.grammar is not None, "detail": outcome.detail if outcome else ""}
    made = Counter(test["origin"] for test in row["tests"])
    line |= {"made": {way: made[way] for way in ("rules", "differences")}, "proven": len(making.tests)}
    if made["rules"] + made["differences"]:
        proving = {program.code for program in making.oracle.rights}
        by_rules = {at for at, test in enumerate(making.tests) if test.made.way == "rules"}
        line["rules alone"] = sum(bool(found & by_rules) for found in making.rejecting)
        line["solutions"] = judged(entry.solutions, to_problem(row), grader, proving)
    return {
        **line,
        "cpu_s": round(SETTINGS.row_seconds - runner.left_s, 1),
        "wall_s": round(time.monotonic() - began, 1),
    }


def judged(solutions: Sequence[Solution], problem: Problem, grader: Grader, proving: set[str]) -> list[dict[str, Any]]:
    """The verdict of every solution that runs here. A slow right one may run out of time, and is then left out."""
    waiting = []
    for solution in solutions:
        submission = Submission(solution.name, problem.id, solution.code, language=solution.language)
        with suppress(UnsupportedError):  # no compiler here
            waiting.append((solution, grader.submit(problem, submission)))
    found = []
    for solution, future in waiting:
        verdict = future.result().verdict
        if solution.role == "slow_right" and verdict in (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT):  # it is allowed to
            continue
        role = "wrong" if solution.role == "wrong" else "right"
        found.append({"name": solution.name, "role": role, "verdict": verdict.value, "fault": solution.fault,
                      "held_out": role == "right" and solution.code not in proving})  # fmt: skip
    return found


def summed(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures over all problems with made tests."""
    with_tests = [line for line in lines if "solutions" in line]
    programs_of = [program for line in with_tests for program in line["solutions"]]
    right = [p for p in programs_of if p["role"] == "right"]
    held_out = [p for p in right if p["held_out"]]
    wrong = [p for p in programs_of if p["role"] == "wrong"]

    return {
        "stdin problems": len(lines),
        "grammar inferred": sum(line["grammar"] for line in lines),
        "problems with made tests": len(with_tests),
        "right accepted": share(sum(p["verdict"] == "ACCEPTED" for p in right), len(right)),
        "held-out right accepted": share(sum(p["verdict"] == "ACCEPTED" for p in held_out), len(held_out)),
        "wrong rejected": share(sum(p["verdict"] != "ACCEPTED" for p in wrong), len(wrong)),
        "wrong rejected by rules alone": share(sum(line["rules alone"] for line in with_tests), len(wrong)),
        "wrong accepted": [f"{line['problem']}/{p['name']}" for line in with_tests for p in line["solutions"]
                           if p["role"] == "wrong" and p["verdict"] == "ACCEPTED"],
        "right rejected": [f"{line['problem']}/{p['name']}: {p['verdict']}" for line in with_tests
                           for p in line["solutions"] if p["role"] == "right" and p["verdict"] != "ACCEPTED"],
        "without made tests": {line["problem"]: line["detail"] for line in lines if "solutions" not in line},
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--packages", nargs="+", type=Path, metavar="FOLDER", help="contest packages, at any depth")
    parser.add_argument("--functions", nargs=2, metavar=("SOURCE", "FILE"), help="a file of functions of this source")
    parser.add_argument("--max-mb", type=float, default=8.0, help="leave out packages with more data than this")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Grader(workers=options.threads) as grader:
        work: dict[str, Callable[[], dict[str, Any]]]
        if options.packages:
            found = {f"{path.parent.name}/{path.name}": path for path in packages(options.packages, options.max_mb)}
            work = {name: partial(examined_package, path, grader, Path(folder)) for name, path in found.items()}
        elif options.functions:
            source, file = options.functions
            work = {name: partial(examined_function, name, row, why, answer, grader)
                    for name, row, why, answer in functions(source, Path(file), Path(folder))}  # fmt: skip
        else:
            entries = [read_entry(folder) for folder in problem_folders(find_problems())]
            work = {entry.slug: partial(examined, entry, grader) for entry in entries if entry.kind == "stdin"}
        lines = run(
            {name: one for name, one in work.items() if not options.only or name in options.only},
            options.lines,
            options.threads,
        )
    settings = PACKAGE_SETTINGS if options.packages else FUNCTION_SETTINGS if options.functions else SETTINGS
    figures = (summed_packages if options.packages else summed_functions if options.functions else summed)(lines)
    print(json.dumps(figures, indent=1))
    if options.json:
        report = {"machine": machine(), "settings": vars(settings), "figures": figures, "problems": lines}
        options.json.write_text(json.dumps(report, indent=1, default=list) + "\n")
    sys.exit(0 if not figures["right rejected"] else 1)


def run(
    work: Mapping[str, Callable[[], dict[str, Any]]], lines_file: Path | None, threads: int
) -> list[dict[str, Any]]:
    """The lines of all problems; those that the file has already are not made again."""
    lines = []
    if lines_file and lines_file.exists():
        lines = [json.loads(line) for line in lines_file.read_text().splitlines()]
    done = {line["problem"] for line in lines}
    lock = threading.Lock()

    def one(name: str) -> None:
        line = work[name]()
        with lock:
            lines.append(line)
            print(f"{name}: {line['detail'][:200]}", flush=True)
            if lines_file:
                with lines_file.open("a") as file:
                    file.write(json.dumps(line) + "\n")

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, [name for name in work if name not in done]))
    return sorted(lines, key=lambda line: line["problem"])


if __name__ == "__main__":
    main()
