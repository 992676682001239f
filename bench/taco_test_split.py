"""The statements of TACO's test split from a checkout of FlagOpen/TACO, and how checkers agree with its own list.

    git clone https://github.com/FlagOpen/TACO taco
    python bench/taco_test_split.py taco taco.jsonl                     # records for the source `taco`
    python bench/taco_test_split.py taco taco.jsonl --dataset DATASET   # DATASET: built from taco.jsonl

The checkout holds the statements (in `taco_generation_example.json`) and `output_spj.jsonl`, in which the publishers
mark by hand which of 1,000 problems need a judge program, and why. It has no tests: the samples of each statement
stand for them, or one test that says nothing. Problems of one function (55) are left out.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset

CASES = {0: "one answer", 1: "several answers", 2: "any letter case", 3: "rounding"}
_BEFORE, _BEHIND = "\nQUESTION:\n", "\nUse Standard Input format\nANSWER:\n"
_EXAMPLES = re.compile(r"(?:-----Examples?-----|\[?Examples?\]?|Samples?)\s*\n(.*)", re.DOTALL)
_PAIR = re.compile(r"Input\s*\n(.*?)\n\s*Output\s*\n(.*?)(?=\n\s*(?:Input|-----|Note)|\Z)", re.DOTALL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dataset", type=Path)
    options = parser.parse_args()
    if options.dataset:
        show(options.checkout / "output_spj.jsonl", options.dataset)
        return
    lines = [json.dumps(one, ensure_ascii=False) + "\n" for one in records(options.checkout)]
    options.out.write_text("".join(lines), encoding="utf-8")


def records(checkout: Path) -> Iterator[dict[str, Any]]:
    for one in json.loads((checkout / "taco_generation_example.json").read_text(encoding="utf-8")):
        prompt = one["prompt"]
        if not prompt.endswith(_BEHIND):
            continue
        question = prompt.removeprefix(_BEFORE).removesuffix(_BEHIND)
        examples = _EXAMPLES.search(question)
        pairs = _PAIR.findall(examples[1]) if examples else []
        pairs = pairs or [(f"{900_000 + one['task_id']} 7", str(one["task_id"]))]
        sides = [[side.strip("\n") + "\n" for side in column] for column in zip(*pairs, strict=True)]
        yield {
            "id": f"test/{one['task_id']}",
            "question": question,
            "input_output": json.dumps(dict(zip(("inputs", "outputs"), sides, strict=True))),
        }


def show(listed: Path, dataset: Path) -> None:
    """Per class of the publishers' list: what became of its problems."""
    cases = {f"test/{one['idx']}": one["case"] for one in map(json.loads, listed.read_text().splitlines())}
    found: Counter[tuple[int, str]] = Counter()
    for row in pyarrow.dataset.dataset(dataset / "data").to_table().to_pylist():
        checker = row["checker"]["kind"] if row["checker"] else "exact"
        for case in _cases_of(row["problem_id"], row["merged_ids"], cases):
            found[case, f"published, {checker}"] += 1
    for row in pyarrow.dataset.dataset(dataset / "dropped").to_table().to_pylist():
        if row["outcome"] != "merged":
            for case in _cases_of(row["problem_id"], [], cases):
                found[case, f"{row['outcome']}, {row['reason']}"] += 1
    for case, title in CASES.items():
        print(f"{title}: {sum(count for (one, _), count in found.items() if one == case)}")
        for (one, what), count in found.most_common():
            if one == case:
                print(f"    {count:4} {what}")


def _cases_of(problem_id: str, merged_ids: list[str] | None, cases: dict[str, int]) -> list[int]:
    """The classes of those of TACO's problems that a row holds; rows of other sources hold none."""
    numbers = [one.partition(":")[2] for one in (problem_id or "", *(merged_ids or ())) if one.startswith("taco:")]
    return [cases[number] for number in numbers if number in cases]


if __name__ == "__main__":
    main()
