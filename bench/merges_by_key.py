"""Merges of a built dataset compared with public keys: how many twins were found, and how many merges are right.

    python bench/merges_by_key.py DATASET RAW... [--json FILE] [--ids 10]
    python bench/merges_by_key.py DATASET --keys KEYS.json      # {"file.jsonl:7": "two-sum", ...}

RAW are the JSON lines that DATASET was built from: doocs/leetcode and LeetCodeDataset name LeetCode's own slug. KEYS
names the keys of records that do not, by file and line: a task, a contest and index. Two records with one key are one
problem, two keys are two. Records that were rejected or dropped before Compare do not count, nor those without a key.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow.dataset

_SLUG = re.compile(r"^# \[[^\]]+\]\(https://leetcode\.(?:com|cn)/problems/([\w-]+)", re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("raw", nargs="*", type=Path)
    parser.add_argument("--keys", type=Path, help="a JSON object: the key of each record by file:line")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--ids", type=int, default=10)
    options = parser.parse_args()

    keys = {place: key for path in options.raw for place, key in keys_of(path)}
    if options.keys:
        keys |= json.loads(options.keys.read_text())
    home = homes(options.dataset)
    figures, missed, wrong = compared(keys, home)
    print(json.dumps(figures, indent=1))
    for title, listed in (("not merged", missed), ("merged wrongly", wrong)):
        for one in listed[: options.ids]:
            print(f"{title}: {one}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


def keys_of(path: Path) -> list[tuple[str, str]]:
    """`file:line` and the platform's key of each record that names one."""
    found = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            record = json.loads(line)
            if key := key_of(record):
                found.append((f"{path.name}:{number}", key))
    return found


def key_of(record: dict[str, Any]) -> str:
    for readme in (record.get("readme_en"), record.get("readme")):
        if isinstance(readme, str) and (found := _SLUG.search(readme)):
            return found[1].lower()
    task = record.get("task_id")
    return task.lower() if isinstance(task, str) and "entry_point" in record and "completion" in record else ""


def homes(dataset: Path) -> dict[str, str]:
    """For each record that reached Compare, by `file:line`, the row that it became or was merged into."""
    rows = pyarrow.dataset.dataset(dataset / "data").to_table(columns=["problem_id", "location"]).to_pylist()
    gone = pyarrow.dataset.dataset(dataset / "dropped").to_table().to_pylist()
    found = {row["location"]: row["problem_id"] for row in rows}
    for entry in gone:  # a row is merged into one that stays, never through a chain
        if entry["outcome"] == "merged":
            found[entry["location"]] = entry["duplicate_of"]
        elif entry["stage"] == "verify":
            found[entry["location"]] = entry["problem_id"]
    return found


def compared(keys: dict[str, str], home: dict[str, str]) -> tuple[dict[str, Any], list[str], list[str]]:
    by_key: dict[str, list[str]] = defaultdict(list)
    by_home: dict[str, list[str]] = defaultdict(list)
    for place, key in keys.items():
        if place in home:
            by_key[key].append(place)
            by_home[home[place]].append(place)
    twins = found = merges = right = 0
    missed, wrong = [], []
    for key, places in by_key.items():
        for one, other in combinations(places, 2):
            twins += 1
            found += home[one] == home[other]
            if home[one] != home[other]:
                missed.append(f"{key}: {one} and {other}")
    for target, places in by_home.items():
        for one, other in combinations(places, 2):
            merges += 1
            right += keys[one] == keys[other]
            if keys[one] != keys[other]:
                wrong.append(f"{keys[one]} and {keys[other]} ({target})")
    files = Counter(place.partition(":")[0] for place in keys if place in home)
    figures = {
        "records": dict(sorted(files.items())),
        "pairs with one key": twins,
        "of them merged": found,
        "recall": round(found / twins, 5) if twins else None,
        "merged pairs": merges,
        "of them right": right,
        "precision": round(right / merges, 5) if merges else None,
    }
    return figures, missed, wrong


if __name__ == "__main__":
    main()
