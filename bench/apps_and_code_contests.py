"""Records of APPS, CodeContests and Codeforces from checkouts that hold a part, for the labels of `fidelity.py`.

    git clone https://github.com/Md-Ashraful-Pramanik/MapCoder && git clone https://github.com/microsoft/CodeT
    git clone https://github.com/SalesforceAIResearch/CodeTree
    git clone https://github.com/justinchiu-test/codecontests-repo
    python bench/apps_and_code_contests.py MapCoder CodeT OUT [--codetree CodeTree] [--folders codecontests-repo]

It writes OUT/apps.jsonl, OUT/code_contests.jsonl, OUT/codeforces.jsonl, OUT/apps_codetree.jsonl and
OUT/code_contests_folders.jsonl.

MapCoder has 150 problems of APPS with their tests, and CodeT the 165 statements of CodeContests' test split. CodeT has
neither tests nor samples: one test that says nothing stands for them, so labels of that source are about decisions.
CodeTree has 150 other problems of APPS. MapCoder's 106 problems of xCodeEval are Codeforces', without line breaks and
with their samples only; they are written in the schema of open-r1/codeforces. codecontests-repo has 300 problems of
CodeContests' train split in folders, with ten tests each.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

APPS = Path("data/APPS/selected150.jsonl")
CODETREE = Path("data/apps_selected.json")
CODEFORCES = Path("data/xCodeEval/prog_syn_val.jsonl")
CODE_CONTESTS = Path("CodeT/data/dataset/CodeContests_zeroshot_for_test_case_generation.jsonl")
EXAMPLE = re.compile(
    r"\n\nInput\n\n(.*?)\n\n\n?Output\n\n(.*?)(?=\n\n\nInput\n|\n\nInput\n\n|\n\nNote\n|\Z)", re.DOTALL
)
NO_TESTS: dict[str, list[str]] = {"input": [], "output": []}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("mapcoder", type=Path)
    parser.add_argument("codet", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--codetree", type=Path)
    parser.add_argument("--folders", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    write(options.out / "apps.jsonl", apps(options.mapcoder / APPS))
    write(options.out / "code_contests.jsonl", code_contests(options.codet / CODE_CONTESTS))
    write(options.out / "codeforces.jsonl", codeforces(options.mapcoder / CODEFORCES))
    if options.codetree:
        write(options.out / "apps_codetree.jsonl", apps_of_codetree(options.codetree / CODETREE))
    if options.folders:
        write(options.out / "code_contests_folders.jsonl", code_contests_in_folders(options.folders))


def apps(path: Path) -> Iterator[dict[str, Any]]:
    """Records in APPS' own schema."""
    for one in read(path):
        starter, inputs, outputs = one["starter_code"], [], []
        for test in one["test_list"]:
            inputs.append(arguments(test["input"]) if starter else test["input"])
            expected = test["output"]
            outputs.append(expected[0] if not starter and isinstance(expected, list) else expected)
        tests: dict[str, Any] = {"inputs": inputs, "outputs": outputs}
        if starter and (name := re.search(r"def\s+(\w+)", starter)):
            tests["fn_name"] = name[1]
        yield {
            "problem_id": one["id"],
            "question": one["description"],
            "solutions": "[]",
            "input_output": json.dumps(tests),
            "difficulty": one["difficulty"],
            "url": "",
            "starter_code": starter,
        }


def arguments(text: str) -> list[Any]:
    """A function's arguments, one on each line: as JSON, or lists as Python writes them, or the text itself."""
    try:
        return [json.loads(line) for line in text.split("\n")]
    except ValueError:
        return [ast.literal_eval(line) if line.startswith("[") else line for line in text.split("\n")]


def apps_of_codetree(path: Path) -> Iterator[dict[str, Any]]:
    """Records in APPS' own schema; all are programs."""
    for one in json.loads(path.read_text(encoding="utf-8")):
        tests = one["private_tests"]
        yield {
            "problem_id": one["name"],
            "question": one["description"],
            "solutions": "[]",
            "input_output": json.dumps({"inputs": tests["input"], "outputs": tests["output"]}),
            "difficulty": one["difficulty"],
            "url": "",
            "starter_code": "",
        }


def codeforces(path: Path) -> Iterator[dict[str, Any]]:
    """Records in the schema of open-r1/codeforces; the samples stand for the official tests."""
    for one in read(path):
        pairs = zip(one["sample_inputs"], one["sample_outputs"], strict=False)
        samples = [{"input": given, "output": expected} for given, expected in pairs]
        yield {
            "id": "x/" + one["src_uid"][:12],
            "description": one["description"],
            "input_format": one["input_spec"],
            "output_format": one["output_spec"],
            "note": one["notes"],
            "examples": samples,
            "official_tests": samples,
            "time_limit": float(str(one["time_limit"]).split()[0]),
            "memory_limit": float(str(one["memory_limit"]).split()[0]),
            "rating": int(one["difficulty"] or 0),
            "tags": one["tags"],
            "input_mode": "stdio",
        }


def code_contests_in_folders(root: Path) -> Iterator[dict[str, Any]]:
    """Records in CodeContests' own schema, one of each name; tests that a statement shows are its public ones."""
    known = set()
    for page in sorted(root.glob("problems*/*/*/PROBLEM.md")):
        text = page.read_text(encoding="utf-8")
        name = text.partition("\n")[0].removeprefix("# ")
        if name in known:
            continue
        known.add(name)
        description = re.split(r"\n\n## (?:Categories|Source)\n", text.partition("## Description\n\n")[2])[0]
        shown = EXAMPLE.findall(description, max(0, description.rfind("\nExample")))
        tests = [
            [(page.parent / f"tests/{side}_{number}.txt").read_text(encoding="utf-8") for side in ("input", "output")]
            for number in range(1, 11)
            if (page.parent / f"tests/output_{number}.txt").is_file()
        ]
        public = [[given.strip("\n") + "\n", wanted.strip("\n") + "\n"] for given, wanted in shown]
        seen = {(given.strip(), wanted.strip()) for given, wanted in public}
        private = [test for test in tests if (test[0].strip(), test[1].strip()) not in seen]
        number = re.match(r"(\d+)_(\w+)\.", name)
        yield {
            "name": name,
            "description": description,
            "public_tests": {"input": [one for one, _ in public], "output": [one for _, one in public]},
            "private_tests": {"input": [one for one, _ in private], "output": [one for _, one in private]},
            "generated_tests": NO_TESTS,
            "source": 2 if number else 0,
            "solutions": {"language": [], "solution": []},
            "incorrect_solutions": {"language": [], "solution": []},
            "cf_contest_id": int(number[1]) if number else 0,
            "cf_index": number[2] if number else "",
        }


def code_contests(path: Path) -> Iterator[dict[str, Any]]:
    """Records in CodeContests' own schema."""
    for one in read(path):
        facts = one["meta_data"]
        number = re.match(r"(\d+)_(\w+)\.", facts["task_name"])
        yield {
            "name": facts["task_name"],
            "description": one["prompt"].split("'''\n", 1)[1].rsplit("\n'''\ndef solution", 1)[0],
            "public_tests": {"input": ["1\n"], "output": ["1\n"]},
            "private_tests": NO_TESTS,
            "generated_tests": NO_TESTS,
            "source": 2,
            "difficulty": facts["difficulty"],
            "solutions": {"language": [], "solution": []},
            "incorrect_solutions": {"language": [], "solution": []},
            "cf_contest_id": int(number[1]) if number else 0,
            "cf_index": number[2] if number else "",
            "time_limit": facts["time_limit"],
            "memory_limit_bytes": 256_000_000,
        }


def read(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())


def write(path: Path, records: Iterator[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")


if __name__ == "__main__":
    main()
