"""Made tests beside a publisher's own, on functions with their tests hidden (`test_making.py --functions`).

A record is read and processed as a build does it. The statement, its samples and the right solutions stay. Tests are
made without a model. Then programs are judged twice: by the made tests with the samples, and by the publisher's own.

    right      the publisher's solutions, and the model's answers in the records that pass the publisher's own tests
    wrong      mutants of a right solution that the publisher's own tests reject; the ones that test making did not see
               (it sees `SETTINGS.mutants` of them) also separately

A test program on linked lists or binary trees is judged as calls on plain values.

Most records bring one solution. Then it alone proves the tests (`agreeing: 1`), and other right programs are held out.
A mutant that only the made tests reject is counted apart: the publisher's tests are weak, or the input is not allowed.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from test_making_packages import share

from microcoder_data.conversion import rows_of
from microcoder_data.fidelity.measure import apply_measured
from microcoder_data.make_tests.making import Making, own_mutants
from microcoder_data.make_tests.node_programs import read_program
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.process import Process
from microcoder_data.reading.parts import Part
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import rules_of
from microcoder_data.schema import Row, new_test, to_problem
from microcoder_data.shards import TestStore
from microcoder_data.verify.program_runner import Program, ProgramRunner, programs
from microcoder_eval import Grader, InputError

SETTINGS = MakeTests(ways=("rules", "differences"), solutions=2, mutants=6, small=32, limits=2, row_seconds=20.0)
MUTANTS = 16
"""At most this many mutants of a right solution are judged."""
JUDGING_S = 30.0
"""CPU time to judge a problem's programs by one set of tests."""
SHOWN = 3
"""Of a test program on linked lists or trees, the first cases are the statement's examples."""
_BLOCK = re.compile(r"```(?:python)?\n(.*?)```", re.DOTALL)


def functions(source: str, path: Path, folder: Path) -> Iterator[tuple[str, Row | None, str, str]]:
    """Every record of a file: its name, the processed row or None and why, and the model's answer in the record."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    store = TestStore(folder)
    rules = rules_of(Process())
    spec = SourceSpec(source, path=(str(path),))
    for record, (row, entry) in zip(
        records,
        rows_of([Part(0, str(path), "lines", 0, path.stat().st_size)], spec, store, None, strict=False),
        strict=True,
    ):
        name = str(record.get("task_id") or record.get("dir"))
        if row is None:
            yield name, None, f"not read: {entry['reason'] if entry else ''}", ""
            continue
        row["tests"] = [store.load(test) for test in row["tests"]]
        dropped = apply_measured(row, rules, "process")
        if (nodes := None if dropped else read_program(row)) is not None:
            row = nodes.as_calls(row)
            row["tests"] = [{**test, "public": at < SHOWN} for at, test in enumerate(row["tests"])]
        why = f"dropped: {dropped['reason']}" if dropped else "" if row["kind"] == "call" else f"kind {row['kind']}"
        blocks = _BLOCK.findall(str(record.get("response") or ""))
        yield name, None if why else row, why, max(blocks, key=len, default="")


def examined_function(name: str, row: Row | None, why: str, answer: str, grader: Grader) -> dict[str, Any]:
    """Make tests for one function, then judge its programs by them and by the publisher's own."""
    began = time.monotonic()
    line: dict[str, Any] = {"problem": name, "without": why, "detail": "", "grammar": False}
    if row is not None:
        try:
            line |= _examined_row(row, answer, grader)
        except InputError as error:
            line |= {"without": "not gradable", "detail": str(error)}
    return {**line, "wall_s": round(time.monotonic() - began, 1)}


def hidden(row: Row) -> Row:
    """The row with its samples as its only tests."""
    shown = [test for test in row["tests"] if test["public"]]
    shown = shown or [
        new_test(one["input"], one["output"], public=True, origin="sample")
        for one in row["samples"] or []
        if one["input"] and one["output"]
    ]
    return deepcopy({**row, "tests": shown})


def _examined_row(publisher: Row, answer: str, grader: Grader) -> dict[str, Any]:
    row = hidden(publisher)
    problem = to_problem(row)
    rights, skipped = programs(row, problem, correct=True, most=SETTINGS.solutions)
    if not rights:
        return {"without": "no right solution that runs here", "detail": skipped}
    settings = replace(SETTINGS, agreeing=min(SETTINGS.agreeing, len(rights)))
    runner = ProgramRunner(grader, problem, settings.row_seconds)
    making = Making(row, runner, rights, settings)
    outcome = making.run()
    made = Counter(test["origin"] for test in row["tests"])
    line: dict[str, Any] = {
        "grammar": making.grammar is not None,
        "detail": outcome.detail if outcome else "",
        "made": {way: made[way] for way in SETTINGS.ways},
        "refused": dict(making.refused),
        "agreeing": settings.agreeing,
        "publisher": len(publisher["tests"]),
        "cpu_s": round(settings.row_seconds - runner.left_s, 1),
    }
    if not making.made:
        return {**line, "without": "no input was proven" if making.grammar else "no grammar"}
    seen = {program.code for program in [*making.wrong, *making.oracle.rights]}
    judged = [Program("python", answer, "the model's answer")] if answer else []
    judged += rights
    first = next((program for program in rights if program.language == "python"), None)
    judged += own_mutants(first, ProgramRunner(grader, problem, JUDGING_S), MUTANTS) if first else []
    by_made, by_publisher = _verdicts(judged, row, grader), _verdicts(judged, publisher, grader)
    line["programs"] = [
        {"name": one.name, "mutant": one.name.startswith("mutant"), "made": by_made[one.code],
         "publisher": by_publisher[one.code], "held_out": one.code not in seen}
        for one in judged if one.code in by_made and one.code in by_publisher
    ]  # fmt: skip
    return line


def _verdicts(listed: Sequence[Program], row: Row, grader: Grader) -> dict[str, bool]:
    """Whether the tests of a row accept each program that could be judged, by its code."""
    runner = ProgramRunner(grader, to_problem(row), JUDGING_S)
    results = runner.run(listed)
    return {one.program.code: one.accepted() for one in results if one.rejected() or one.accepted()}


def summed_functions(lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The figures over all functions with made tests, those of the publisher's own tests beside them."""
    read = [line for line in lines if "made" in line]
    made = [line for line in read if not line["without"]]
    listed = [{**one, "problem": line["problem"]} for line in made for one in line["programs"]]
    right = [one for one in listed if one["publisher"] and not one["mutant"]]
    wrong = [one for one in listed if not one["publisher"]]
    accepted = [one for one in listed if one["mutant"] and one["publisher"]]
    held_right, held_wrong = ([one for one in ones if one["held_out"]] for ones in (right, wrong))
    refused = sum((Counter(line["refused"]) for line in read), Counter())
    return {
        "records": len(lines),
        "functions": len(read),
        "not a plain function": dict(Counter(line["without"] for line in lines if "made" not in line).most_common()),
        "grammar inferred": sum(line["grammar"] for line in read),
        "functions with made tests": len(made),
        "proven by one solution": sum(line["agreeing"] == 1 for line in made),
        "tests made": sum(sum(line["made"].values()) for line in made),
        "tests of the publisher": sum(line["publisher"] for line in made),
        "inputs refused": dict(refused.most_common()),
        "right accepted": share(sum(one["made"] for one in right), len(right)),
        "held-out right accepted": share(sum(one["made"] for one in held_right), len(held_right)),
        "wrong rejected": share(sum(not one["made"] for one in wrong), len(wrong)),
        "held-out wrong rejected": share(sum(not one["made"] for one in held_wrong), len(held_wrong)),
        "mutants that only the made tests reject": sum(not one["made"] for one in accepted),
        "mutants that no test rejects": sum(one["made"] for one in accepted),
        "right rejected": [f"{one['problem']}/{one['name']}" for one in right if not one["made"]],
        "wrong accepted": [f"{one['problem']}/{one['name']}" for one in wrong if one["made"]],
        "without a grammar": {line["problem"]: line["detail"] for line in read if not line["grammar"]},
    }  # fmt: skip
