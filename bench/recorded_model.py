"""Made tests of recorded model answers, judged by labelled solutions, on the embedded problems of every kind.

    python bench/recorded_model.py [--only SLUG ...] [--threads 2] [--lines FILE] [--json FILE]

As in `test_making.py`, the problems' tests, generators and checkers are hidden. Tests are made by the way `model`
alone: the rule of the stage asks a server over HTTP with the real client, and the server answers with the programs that
`recorded_programs/` holds for the problem. A model wrote them from the statements. Of three validators, three
generators of random inputs and three checkers only the last is right; the first is hostile, the second sloppy. These
are counted:

    right    right solutions that the made tests accept; those that took no part in the proof also separately
    wrong    wrong solutions that the made tests reject, with Wilson's interval of 95 %
    refused  hostile and sloppy programs that the proof refused; right programs that it used

Interactive problems get no tests. `--lines` writes one line for each problem; a second run resumes after the last. The
exit status is 1 when a right solution is rejected, or a program is used or refused that should not be.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from measure import machine
from test_making import hidden_row, judged, run
from test_making_packages import share

sys.path.insert(0, str(Path(__file__).parent.parent))
from microcoder_data.llm import Client, Llm
from microcoder_data.make_tests.questions import KINDS, prompt
from microcoder_data.make_tests.rule import MakeTestsRule
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.problem_set.reader import Entry, find_problems, problem_folders, read_entry
from microcoder_data.process.checker import FindChecker
from microcoder_data.rules import apply_rules
from microcoder_data.schema import to_problem
from microcoder_data.shards import TestStore
from microcoder_data.verify.program_runner import programs
from microcoder_eval import Grader
from tests.data.make_tests.test_model import CHECKERS, GENERATORS, VALIDATORS
from tests.data.scripted_server import ScriptedServer, serving

SETTINGS = MakeTests(ways=("model",), solutions=2, mutants=0, row_seconds=120.0)
RECORDED = Path(__file__).parent / "recorded_programs"
PROMPTS = ("validator_v1", "generator_v1", "checker_v1", "checker_call_v1")
SLOPPY = "accepts what is not empty"
"""The second draw of a checker. As the first one, too, it would count as one program that was drawn twice."""
HOSTILE = {
    "validator": [code for code, fault in VALIDATORS.values() if fault is not None],
    "generator": [code for code, _ in GENERATORS.values()],
    "checker": [code for name, (code, _) in CHECKERS.items() if name not in ("never ends", "compares", SLOPPY)],
}
"""One of these is the first draw; the problem's name says which. A checker that never ends would take a minute."""
_REFUSED = re.compile(r"(validator|random generator|checker) (\d) refused")


def answer(body: dict[str, Any], number: int) -> str | int:
    """The server's answer: the model's name says which problem it is, the system prompt which program is wanted."""
    system, user = (message["content"] for message in body["messages"])
    wanted = next((name.split("_")[0] for name in PROMPTS if prompt(name)[1] == system), "")
    file = RECORDED / f"{body['model']}.py"
    if not wanted or not file.exists():
        return 400
    frame, program = (RECORDED / "frame.py").read_text(), file.read_text()
    kind = next((name for name, words in KINDS.items() if user.endswith(f"Wanted: {words}.")), "against")
    if wanted == "validator":
        right = f"{frame}\n\n{program}\n\njudge()\n"
    elif wanted == "generator":
        right = f"{frame}\n\n{program}\n\nwrite({kind!r})\n"
    elif "def check(" in program:
        right = f"import re\n\n\n{program}"
    else:
        return 400
    chosen = sum(map(ord, body["model"]))
    draws = [HOSTILE[wanted][chosen % len(HOSTILE[wanted])], sloppy(wanted, right, chosen), right]
    always_right = wanted == "generator" and kind != "random"
    return json.dumps({"program": right if always_right else draws[body["seed"] % 3]})


def sloppy(wanted: str, right: str, chosen: int) -> str:
    """The right program with a mistake that models make: no look at the end, no seed, a line too many."""
    if wanted == "checker":
        return CHECKERS[SLOPPY][0]
    if wanted == "generator":
        unseeded = right.replace("Chance(seed, number, kind)", "Chance(random.random(), number, kind)")
        return unseeded if chosen % 2 else f"{right}print(0)\n"
    for check in ("assert given == ", "assert allowed(*values)", "assert not text.lines"):
        right = right.replace(check, check.removeprefix("assert "))
    return right


def asked_for(body: dict[str, Any]) -> str:
    """Of which programs a request is one of three draws; empty where it is the only draw."""
    system, user = (message["content"] for message in body["messages"])
    if system == prompt("generator_v1")[1]:
        return "random generator" if user.endswith(f"Wanted: {KINDS['random']}.") else ""
    wanted = next((name.split("_")[0] for name in PROMPTS if prompt(name)[1] == system), "")
    # Checkers are asked for where other answers might be right, too: one is recorded only where some are.
    recorded = wanted != "checker" or "def check(" in (RECORDED / f"{body['model']}.py").read_text()
    return wanted if recorded else ""


def examined(entry: Entry, grader: Grader, server: ScriptedServer) -> dict[str, Any]:
    """Make tests for one problem with the recorded answers, then judge all its solutions by them."""
    began = time.monotonic()
    row = hidden_row(entry)
    apply_rules(row, [FindChecker()], "process")  # as a build does: a tolerance, any order, from the statement's words
    before = len(row["tests"])
    with tempfile.TemporaryDirectory() as folder:
        llm = Llm(backend="openai", model=entry.slug, base_url=server.base_url, attempts=1)
        with Client(llm, Path(folder)) as client:
            rule = MakeTestsRule(SETTINGS, grader, TestStore(Path(folder)), client)
            apply_rules(row, [rule], "verify")
    detail = str(row["provenance"][-1]["detail"]) if row["provenance"] else ""
    refused = sorted({f"{kind} {draw}" for kind, draw in _REFUSED.findall(detail)})
    asked = sorted({kind for body in server.bodies if body["model"] == entry.slug and (kind := asked_for(body))})
    made = row["tests"][before:]
    line = {"problem": entry.slug, "kind": entry.kind, "detail": detail, "made": len(made), "asked": asked,
            "refused": refused, "checker": (row["checker"] or {}).get("kind")}  # fmt: skip
    if made:
        problem = to_problem(row)
        proving = {one.code for one in programs(row, problem, correct=True, most=SETTINGS.solutions)[0]}
        line["solutions"] = judged(entry.solutions, problem, grader, proving)
    return {**line, "wall_s": round(time.monotonic() - began, 1)}


def summed(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures over all problems."""
    with_tests = [line for line in lines if "solutions" in line]
    listed = [{**one, "problem": line["problem"]} for line in with_tests for one in line["solutions"]]
    right, wrong = ([one for one in listed if one["role"] == role] for role in ("right", "wrong"))
    held_out = [one for one in right if one["held_out"]]
    asked = [(line["problem"], kind, draw) for line in lines for kind in line["asked"] for draw in range(3)]
    refused = {(line["problem"], *name.rsplit(" ", 1)) for line in lines for name in line["refused"]}
    used = {one for one in asked if (one[0], one[1], str(one[2])) not in refused}
    wrongly = sorted(f"{problem}: {kind} {draw}" for problem, kind, draw in asked
                     if ((problem, kind, draw) in used) != (draw == 2))  # fmt: skip
    return {
        "problems": dict(Counter(line["kind"] for line in lines)),
        "problems with made tests": dict(Counter(line["kind"] for line in with_tests)),
        "tests made": sum(line["made"] for line in lines),
        "right accepted": _share(right, "ACCEPTED", True),
        "held-out right accepted": _share(held_out, "ACCEPTED", True),
        "wrong rejected": _share(wrong, "ACCEPTED", False),
        "hostile and sloppy programs refused": share(
            sum(draw < 2 and (problem, kind, draw) not in used for problem, kind, draw in asked),
            sum(draw < 2 for _, _, draw in asked),
        ),
        "right programs used": share(sum(draw == 2 for _, _, draw in used), sum(draw == 2 for _, _, draw in asked)),
        "used or refused wrongly": wrongly,
        "wrong accepted": [f"{one['problem']}/{one['name']}" for one in wrong if one["verdict"] == "ACCEPTED"],
        "right rejected": [f"{one['problem']}/{one['name']}: {one['verdict']}" for one in right
                           if one["verdict"] != "ACCEPTED"],
        "without made tests": {line["problem"]: line["detail"] for line in lines if "solutions" not in line},
    }  # fmt: skip


def _share(listed: list[dict[str, Any]], verdict: str, equal: bool) -> dict[str, Any]:
    return share(sum((one["verdict"] == verdict) == equal for one in listed), len(listed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lines", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    entries = [read_entry(folder) for folder in problem_folders(find_problems())]
    chosen = [one for one in entries if not options.only or one.slug in options.only]
    with serving(answer) as server, Grader(workers=options.threads) as grader:
        work = {one.slug: partial(examined, one, grader, server) for one in chosen}
        lines = run(work, options.lines, options.threads)
    figures = summed(lines)
    print(json.dumps(figures, indent=1))
    if options.json:
        report = {"machine": machine(), "settings": vars(SETTINGS), "figures": figures, "problems": lines}
        options.json.write_text(json.dumps(report, indent=1, default=list) + "\n")
    sys.exit(1 if figures["right rejected"] or figures["used or refused wrongly"] else 0)


if __name__ == "__main__":
    main()
