"""Made tests beside a jury's own, on contest packages with their secret tests and checker hidden (`test_making.py`).

A package is read and processed as a build does it. Statement, samples and the jury's solutions stay. Tests are made for
it without a model, and the jury's solutions are judged twice: by the made tests with the samples, and by the jury's own
tests and checker. The package's own input validators, where they run here, say which made inputs are not allowed.

A program gets at least `LEAST_LIMIT_S` for a test: the question is whether answers are judged well, not whether this
machine is as fast as the jury's. So wrong solutions that are only too slow are counted apart, and so are right ones
that run out of time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from input_validators import refused, validators

from microcoder_data.conversion import rows_of
from microcoder_data.fidelity.measure import apply_measured
from microcoder_data.make_tests.making import Making
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.packages.files import package_paths
from microcoder_data.process import Process
from microcoder_data.rates import Rate
from microcoder_data.reading.parts import Part
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import rules_of
from microcoder_data.schema import Row, new_test, to_problem
from microcoder_data.shards import TestStore
from microcoder_data.verify.program_runner import ProgramRunner, programs, refusal
from microcoder_eval import Grader, InputError, Problem, Verdict

SETTINGS = MakeTests(ways=("rules", "differences"), mutants=0, small=48, row_seconds=90.0)
LEAST_LIMIT_S = 4.0
JUDGING_S = 300.0
"""CPU time to judge a package's solutions by one set of tests."""
EVERY = 1000
ROLES = {"ACCEPTED": "right", "WRONG_ANSWER": "wrong", "RUNTIME_ERROR": "wrong", "OUTPUT_LIMIT": "wrong"}
"""A solution has the role of the first of its verdicts that is here. The others are `slow`, or a role of their own."""
OUT_OF_RESOURCES = {Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT}


def packages(folders: Sequence[Path], max_mb: float) -> Iterator[Path]:
    """The packages below the folders, each name once, without those that have more data than `max_mb`."""
    found = {path.name: path for folder in folders for path in package_paths(folder)}
    for path in sorted(found.values()):
        files = path.glob("data/**/*") if path.is_dir() else [path]
        if sum(file.stat().st_size for file in files if file.is_file()) <= max_mb * 2**20:
            yield path


def examined_package(path: Path, grader: Grader, folder: Path) -> dict[str, Any]:
    """Make tests for one package, then judge its solutions by them and by the jury's own."""
    began = time.monotonic()
    line: dict[str, Any] = {"problem": f"{path.parent.name}/{path.name}", "without": "", "detail": ""}
    store = TestStore(folder)
    spec = SourceSpec("kattis", path=(str(path),))
    for row, entry in rows_of([Part(0, str(path), "package")], spec, store, None, strict=False):
        if row is None:
            assert entry is not None
            line |= {"without": f"not read: {entry['reason']}", "detail": entry["detail"] or ""}
            continue
        row["tests"] = [store.load(test) for test in row["tests"]]
        try:
            line |= _examined_row({**row, "groups": None}, path, grader)
        except InputError as error:
            line |= {"without": "not gradable", "detail": str(error)}
    return {**line, "wall_s": round(time.monotonic() - began, 1)}


def hidden(row: Row) -> Row:
    """The row without what only the jury has: its secret tests and its checker."""
    samples = [
        new_test(one["input"], one["output"], public=True, origin="sample")
        for one in row["samples"] or []
        if one["input"] and one["output"]
    ]
    return {**deepcopy({**row, "tests": []}), "tests": samples, "checker": None}


def _examined_row(jury_row: Row, path: Path, grader: Grader) -> dict[str, Any]:
    if jury_row["kind"] != "stdin":
        return {"without": "interactive"}
    row = hidden(jury_row)
    if not row["tests"]:
        return {"without": "no sample"}
    dropped = apply_measured(row, rules_of(Process()), "process")
    if dropped is not None:
        return {"without": f"dropped: {dropped['reason']}", "detail": dropped["detail"] or ""}
    problem = with_time(to_problem(row))
    rights, skipped = programs(row, problem, correct=True, most=SETTINGS.solutions)
    if len(rights) < SETTINGS.agreeing:
        return {"without": "fewer than two right solutions that run here", "detail": skipped}
    runner = ProgramRunner(grader, problem, SETTINGS.row_seconds)
    making = Making(row, runner, rights, SETTINGS)
    outcome = making.run()
    made = Counter(test["origin"] for test in row["tests"])
    line: dict[str, Any] = {
        "detail": outcome.detail if outcome else "",
        "made": {way: made[way] for way in ("rules", "differences")},
        "checker": row["checker"],
        "cpu_s": round(SETTINGS.row_seconds - runner.left_s, 1),
    }
    if not making.made:
        return {**line, "without": _why(making)}
    by_rules = {at for at, test in enumerate(making.tests) if test.made.way == "rules"}
    alone = {program.code for program, found in zip(making.wrong, making.rejecting, strict=True) if found & by_rules}
    proving = {program.code for program in making.oracle.rights}
    inputs = [test["input"] for test in row["tests"] if test["origin"] in SETTINGS.ways]
    by = validators(path, [one["input"] for one in row["samples"]], grader)
    line |= {"validated": len(inputs) if by else 0, "not allowed": refused(inputs, by, grader)}
    by_made = _verdicts(row["solutions"], with_time(to_problem(row)), grader)
    by_jury = _verdicts(row["solutions"], with_time(to_problem(jury_row)), grader)
    line["solutions"] = [
        {"name": one["name"], "role": role_of(one["verdicts"]), "made": by_made[at], "jury": by_jury[at],
         "held_out": one["code"] not in proving, "by_rules": one["code"] in alone}
        for at, one in enumerate(row["solutions"]) if at in by_made and at in by_jury
    ]  # fmt: skip
    return line


def with_time(problem: Problem) -> Problem:
    return replace(problem, time_limit_s=max(problem.time_limit_s, LEAST_LIMIT_S))


def role_of(verdicts: Sequence[str]) -> str:
    """right, wrong, slow (only time or memory rejects it), or the verdict itself, such as partial."""
    return next((ROLES[verdict] for verdict in verdicts if verdict in ROLES), "") or (
        "slow" if {"TIME_LIMIT", "MEMORY_LIMIT"} & set(verdicts) else "-".join(verdicts).lower() or "unknown"
    )


def _why(making: Making) -> str:
    """Why nothing was made, in a few classes."""
    if any(note.startswith("needs a checker") for note in making.notes):
        return "several answers are right, and no checker fits"
    if len(making.oracle.rights) < SETTINGS.agreeing:
        return "fewer than two right solutions pass the samples"
    return "no grammar" if making.grammar is None else "no input was proven"


def _verdicts(solutions: Sequence[dict[str, Any]], problem: Problem, grader: Grader) -> dict[int, str]:
    """The verdict of every solution that could be judged, by its number: the first one that is not ACCEPTED."""
    listed = {}
    for correct in (True, False):
        chosen, _ = programs({"solutions": solutions}, problem, correct=correct, most=EVERY)
        listed |= {program.code: program for program in chosen if not refusal(problem, program)}
    numbers = {one["code"]: at for at, one in reversed(list(enumerate(solutions)))}
    found = {}
    for result in ProgramRunner(grader, problem, JUDGING_S).run(list(listed.values())):
        against = [result.verdicts[at] for at in sorted(result.rejecting())]
        if against or result.accepted():
            found[numbers[result.program.code]] = str(against[0].value if against and against[0] else "ACCEPTED")
    return found


def summed_packages(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures over all packages with made tests, those of the jury's own tests beside them."""
    made = [line for line in lines if not line["without"]]
    listed = [{**one, "package": line["problem"]} for line in made for one in line["solutions"]]
    of = {role: [one for one in listed if one["role"] == role] for role in ("right", "wrong", "slow")}
    slow_right = [one for one in of["right"] if {one["made"], one["jury"]} & OUT_OF_RESOURCES]
    right = [one for one in of["right"] if one not in slow_right]

    def accepted(ones: Sequence[dict[str, Any]], by: str) -> dict[str, Any]:
        return share(sum(one[by] == "ACCEPTED" for one in ones), len(ones))

    def rejected(ones: Sequence[dict[str, Any]], by: str) -> dict[str, Any]:
        return share(sum(one[by] != "ACCEPTED" for one in ones), len(ones))

    held_out = [one for one in right if one["held_out"]]
    return {
        "packages": len(lines),
        "packages with made tests": len(made),
        "without made tests": dict(Counter(line["without"] for line in lines if line["without"]).most_common()),
        "made inputs validated": sum(line["validated"] for line in made),
        "made inputs not allowed": {line["problem"]: len(line["not allowed"]) for line in made if line["not allowed"]},
        "right accepted": {by: accepted(right, by) for by in ("made", "jury")},
        "held-out right accepted": {by: accepted(held_out, by) for by in ("made", "jury")},
        "wrong rejected": {by: rejected(of["wrong"], by) for by in ("made", "jury")},
        "wrong rejected by rules alone": share(sum(one["by_rules"] for one in of["wrong"]), len(of["wrong"])),
        "only too slow, rejected": {by: rejected(of["slow"], by) for by in ("made", "jury")},
        "right out of time or memory": [f"{one['package']}/{one['name']}" for one in slow_right],
        "right rejected": [f"{one['package']}/{one['name']}: {one['made']}" for one in right
                           if one["made"] != "ACCEPTED"],
        "wrong accepted": [f"{one['package']}/{one['name']} (jury: {one['jury']})" for one in of["wrong"]
                           if one["made"] == "ACCEPTED"],
    }  # fmt: skip


def share(part: int, whole: int) -> dict[str, Any]:
    """A count with its share and Wilson's interval."""
    rate = Rate(part, whole)
    low, high = rate.interval
    return {"count": part, "of": whole, "share": round(part / whole, 4) if whole else None,
            "interval": [round(low, 4), round(high, 4)]}  # fmt: skip
