"""Programs that a model might write, on all embedded problems: hostile and wrong ones are refused, right ones used.

    python bench/made_programs.py [--only SLUG ...] [--json FILE]

The problems are those of kind stdin. The hostile and sloppy validators, generators and checkers are those of
`tests/data/make_tests/test_model.py`; the checker that never ends is run for one problem, as it takes a minute. The
right ones are recorded for each problem: a generator that prints the inputs of the problem's own generator, a validator
that takes exactly these and the known ones, a checker that compares (where one answer is right). No model is asked. The
exit status is 1 when a program is used or refused that should not be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from measure import machine
from test_making import hidden_row

sys.path.insert(0, str(Path(__file__).parent.parent))
from microcoder_data.make_tests import validators
from microcoder_data.make_tests.checkers import prove_checker, written
from microcoder_data.make_tests.generators import run_generator
from microcoder_data.make_tests.grammar import canonical
from microcoder_data.make_tests.illegal import near_illegal
from microcoder_data.make_tests.proof import Oracle
from microcoder_data.make_tests.questions import Written
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.problem_set.reader import Entry, find_problems, problem_folders, read_entry
from microcoder_data.problem_set.reference import generate_inputs
from microcoder_data.schema import to_problem
from microcoder_data.verify.program_runner import ProgramRunner, programs
from microcoder_eval import Grader
from tests.data.make_tests.test_model import CHECKERS, GENERATORS, VALIDATORS

SETTINGS = MakeTests(generator_seconds=0.5, solutions=2, row_seconds=120.0)
MOST_INPUTS, LONGEST_INPUT = 12, 2000
VALIDATOR_S = 0.5
VALIDATOR = """import hashlib, sys
taken = {taken!r}
print("VALID" if hashlib.sha256(sys.stdin.buffer.read()).hexdigest() in taken else "INVALID: unknown")
"""
GENERATOR = """import sys
texts = {texts!r}
seed, number = map(int, input().split())
sys.stdout.write(texts[number % len(texts)])
"""
COMPARES = "def check(input, expected, actual):\n    return expected.split() == actual.split()\n"


def examined(entry: Entry, grader: Grader, all_checkers: bool) -> dict[str, Any]:
    """What was used and what was refused for one problem; `wrongly` names what should have been the other way round.

    all_checkers: also the one that never ends, which takes a minute.
    """
    began = time.monotonic()
    row = hidden_row(entry)
    known = [canonical(test["input"]) for test in row["tests"]]
    texts = [text for text in generate_inputs(entry) if isinstance(text, str) and len(text) <= LONGEST_INPUT]
    texts = [canonical(text) for text in texts][:MOST_INPUTS] or known
    taken = {hashlib.sha256(text.encode()).hexdigest() for text in [*known, *texts]}
    good = Written("right validator", VALIDATOR.format(taken=taken))
    wrongly: list[str] = []
    counts: Counter[str] = Counter()

    def note(name: str, right: bool, fault: str) -> None:
        counts["right" if right else "hostile or sloppy"] += 1
        counts["right used" if right else "refused"] += bool(fault) != right
        if bool(fault) == right:
            wrongly.append(f"{name}: {fault or 'used'}")

    note(good.name, True, validators.judge(good, known, grader).fault)
    for name, (code, _) in VALIDATORS.items():
        note(f"validator {name}", False, validators.judge(Written(name, code), known, grader).fault)

    def valid(text: str) -> str:
        return "" if validators.verdict(good, text, grader) else "refused by the validator"

    run = partial(run_generator, count=4, grader=grader, settings=SETTINGS, valid=valid)
    note("right generator", True, run(Written("right", GENERATOR.format(texts=texts))).fault)
    illegal = next((text for text, _, certain in near_illegal(known[0]) if certain and text.strip()), "junk\n")
    hostile = {name: code for name, (code, _) in GENERATORS.items()}
    hostile["one bad input among good ones"] = GENERATOR.format(texts=[*texts[:3], illegal])
    for name, code in hostile.items():
        note(f"generator {name}", False, run(Written(name, code)).fault)
    problem = to_problem(row)
    rights, _ = programs(row, problem, correct=True, most=SETTINGS.solutions)
    wrongs, _ = programs(row, problem, correct=False, most=4)
    oracle = Oracle(row, ProgramRunner(grader, problem, SETTINGS.row_seconds), rights)
    one_answer = entry.checker.kind == "tokens"
    recorded = {"right checker": COMPARES} if one_answer else {}
    for name, code in {**recorded, **{name: code for name, (code, _) in CHECKERS.items()}}.items():
        if name == "compares" or (name == "never ends" and not all_checkers):
            continue  # the first is right where one answer is right, and else as right as the two solutions show
        (candidate,) = written([Written(name, code)])
        note(f"checker {name}", name in recorded, prove_checker(*candidate, oracle, problem.tests[:2], wrongs).fault)
    return {"problem": entry.slug, "wrongly": wrongly, **counts, "wall_s": round(time.monotonic() - began, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    validators.TIME_S = VALIDATOR_S
    entries = [read_entry(folder) for folder in problem_folders(find_problems())]
    chosen = [one for one in entries if one.kind == "stdin" and (not options.only or one.slug in options.only)]
    with Grader(workers=2) as grader, ThreadPoolExecutor(2) as pool:
        lines = []
        for line in pool.map(lambda one: examined(one, grader, one is chosen[0] and not options.only), chosen):
            print(json.dumps(line), flush=True)
            lines.append(line)
    names = ("hostile or sloppy", "refused", "right", "right used")
    figures: dict[str, Any] = {"problems": len(lines), **{name: sum(line[name] for line in lines) for name in names}}
    figures["wrongly"] = {line["problem"]: line["wrongly"] for line in lines if line["wrongly"]}
    print(json.dumps(figures, indent=1))
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1) + "\n")
    sys.exit(1 if figures["wrongly"] else 0)


if __name__ == "__main__":
    main()
