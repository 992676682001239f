"""Our verdicts on HumanEval+ and MBPP+, compared with EvalPlus's: base and extra tests of every program, and pass@1.

    python bench/evalplus_agreement.py --data HumanEvalPlus.jsonl --evalplus-python VENV/bin/python [--json FILE]

DATA is EvalPlus's own file (with `base_input` and `plus_input`). For every task programs are made from its reference
solution: itself, mutants of it, values of nearly the same kind or size, crashes, an endless one. EvalPlus (0.3.1,
`pip install evalplus`) runs in the interpreter of its own environment.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import machine

# How the value of the reference solution, `value`, is changed; `given` are the arguments.
RETURN = {
    "itself": "value",
    "float": "float(value)",
    "integer": "int(value)",
    "tuple": "tuple(value)",
    "list": "list(value)",
    "turned round": "value[::-1]",
    "sorted": "sorted(value)",
    "once more": "value + value[-1:]",
    "near": "value + 1e-8",
    "not near": "value + 1e-3",
    "near in a list": "[item + 1e-8 for item in value]",
    "text": "str(value)",
    "true or not": "bool(value)",
    "set": "set(value)",
    "nothing": "None",
    "nan": "float('nan')",
    "generator": "(item for item in value)",
    "prints": "(print('noise'), value)[1]",
    "reads": "(input(), value)[1]",
    "spoils its argument": "(given[0].clear(), value)[1]",
    "empty only": "value if not value else None",
}
ENDS = {"raises": "raise ValueError", "exits": "raise SystemExit", "asserts": "assert False"}

EVALPLUS = """
import json, sys, types
sys.modules["datasets"] = types.SimpleNamespace(load_dataset=None)  # for downloads only
from evalplus.data.mbpp import mbpp_deserialize_inputs
from evalplus.eval import PASS, untrusted_check
from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS
from evalplus.gen.util import trusted_exec
if __name__ == "__main__":
    graded = {}
    for record, programs in json.load(open("asked.json")):
        mbpp, entry = record["task_id"].startswith("Mbpp"), record["entry_point"]
        found = [[] for _ in programs]
        for part in ("base_input", "plus_input"):
            inputs = mbpp_deserialize_inputs(record["task_id"], record[part]) if mbpp else record[part]
            source, only_whether = record["prompt"] + record["canonical_solution"], entry in MBPP_OUTPUT_NOT_NONE_TASKS
            wanted, took = trusted_exec(source, inputs, entry, record_time=True, output_not_none=only_whether)
            for program, parts in zip(programs, found):
                stat, _ = untrusted_check("mbpp" if mbpp else "humaneval", program, inputs, entry, wanted,
                                          record["atol"], took, fast_check=True)
                parts.append(stat == PASS)
        graded[record["task_id"]] = found
    json.dump(graded, open("graded.json", "w"))
"""


class Mutants(ast.NodeTransformer):
    """Changes the n-th number or comparison of a program."""

    def __init__(self, target: int) -> None:
        self.target, self.seen = target, -1

    def _is_it(self) -> bool:
        self.seen += 1
        return self.seen == self.target

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and self._is_it():
            return ast.Constant(node.value + 1)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        other = {
            ast.Lt: ast.LtE,
            ast.LtE: ast.Lt,
            ast.Gt: ast.GtE,
            ast.GtE: ast.Gt,
            ast.Eq: ast.NotEq,
            ast.NotEq: ast.Eq,
        }
        if type(node.ops[0]) in other and self._is_it():
            node.ops[0] = other[type(node.ops[0])]()
        return node


def mutants(source: str, most: int = 6) -> Iterator[str]:
    for target in range(most):
        mutant = Mutants(target)
        changed = ast.unparse(mutant.visit(ast.parse(source)))
        if mutant.seen < target:
            return
        yield changed


def programs_for(record: dict[str, Any]) -> dict[str, str]:
    source, entry = record["prompt"] + record["canonical_solution"], record["entry_point"]
    kept = f"{source}\n\n_reference = {entry}\n\n\ndef {entry}(*given):\n    "
    made = {f"mutant {number}": mutant for number, mutant in enumerate(mutants(source))}
    made |= {name: f"{kept}value = _reference(*given)\n    return {text}\n" for name, text in RETURN.items()}
    made |= {name: kept + text + "\n" for name, text in ENDS.items()}
    return made | {"no such function": "def other(): pass\n", "no python": "def", "empty": ""}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--evalplus-python", required=True)
    parser.add_argument("--tasks", type=int, help="only the first so many")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    opener = gzip.open if arguments.data.suffix == ".gz" else open
    with opener(arguments.data, "rt") as file:
        records = [json.loads(line) for line in file][: arguments.tasks]
    asked = [(record, programs_for(record)) for record in records]
    asked[0][1]["endless"] = "while True: pass\n"
    with tempfile.TemporaryDirectory() as folder:
        theirs = evalplus(arguments.evalplus_python, asked, Path(folder))
        ours, scores = microcoder(asked, Path(folder))
    differing = []
    for record, programs in asked:
        for number, name in enumerate(programs):
            there, here = tuple(theirs[record["task_id"]][number]), ours[record["task_id"], str(number)]
            if there != here:
                differing.append({"task": record["task_id"], "program": name, "evalplus": there, "ours": here})
                print(differing[-1])
    count = sum(len(programs) for _, programs in asked)
    base, both = (
        sum(sum(part(found) for found in listed) / len(listed) for listed in theirs.values()) / len(theirs)
        for part in (lambda found: found[0], all)
    )
    print(f"{count} programs; {len(differing)} differ in base or extra tests")
    print(f"pass@1, base: EvalPlus {base:.6f}, ours {scores['base tests']['pass@1']:.6f}")
    print(f"pass@1, base + extra: EvalPlus {both:.6f}, ours {scores['base + extra tests']['pass@1']:.6f}")
    if arguments.json:
        result = {
            "machine": machine(),
            "programs": count,
            "differing": differing,
            "theirs": [base, both],
            "ours": scores,
        }
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


def evalplus(python: str, asked: list[Any], work: Path) -> dict[str, list[list[bool]]]:
    (work / "asked.json").write_text(json.dumps([[record, list(programs.values())] for record, programs in asked]))
    (work / "there.py").write_text(EVALPLUS)
    done = subprocess.run([python, "there.py"], cwd=work, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    graded: dict[str, list[list[bool]]] = json.loads((work / "graded.json").read_text())
    return graded


def microcoder(asked: list[Any], work: Path) -> tuple[dict[tuple[str, str], tuple[bool, bool]], Any]:
    (work / "data.jsonl").write_text("".join(json.dumps(record) + "\n" for record, _ in asked))
    samples = [{"task_id": r["task_id"], "solution": program} for r, programs in asked for program in programs.values()]
    (work / "samples.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    command = [sys.executable, "-m", "cli", "eval", "humaneval", "--data", "data.jsonl", "--samples", "samples.jsonl"]
    done = subprocess.run([*command, "--out", "run", "--no-cache", "--json"], cwd=work, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = {}
    for line in (work / "run" / "grades.jsonl").read_text().splitlines():
        grade = json.loads(line)
        passed = {test["index"]: test["verdict"] == "ACCEPTED" for test in grade["tests"]}
        found[grade["problem_id"], grade["submission_id"]] = passed.get(0, False), passed.get(1, False)
    return found, json.loads(done.stdout)["benchmark_scores"]


if __name__ == "__main__":
    main()
