"""Records of APPS and CodeContests from checkouts that hold a part of them, for the labels of `fidelity.py`.

    git clone https://github.com/Md-Ashraful-Pramanik/MapCoder && git clone https://github.com/microsoft/CodeT
    python bench/apps_and_code_contests.py MapCoder CodeT OUT    # writes OUT/apps.jsonl, OUT/code_contests.jsonl

MapCoder has 150 problems of APPS with their tests, and CodeT the 165 statements of CodeContests' test split. CodeT has
neither tests nor samples: one test that says nothing stands for them, so labels of that source are about decisions.
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
CODE_CONTESTS = Path("CodeT/data/dataset/CodeContests_zeroshot_for_test_case_generation.jsonl")
NO_TESTS: dict[str, list[str]] = {"input": [], "output": []}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("mapcoder", type=Path)
    parser.add_argument("codet", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    write(options.out / "apps.jsonl", apps(options.mapcoder / APPS))
    write(options.out / "code_contests.jsonl", code_contests(options.codet / CODE_CONTESTS))


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
