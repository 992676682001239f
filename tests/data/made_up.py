"""Made-up problems in the publishers' schemas, and a small recipe of them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

WORDS = [
    *("apple", "bridge", "candle", "desert", "engine", "forest", "garden", "harbor", "island", "jungle", "kettle"),
    *("ladder", "mirror", "needle", "orange", "pencil", "quarry", "rocket", "saddle", "temple", "umbrella", "valley"),
    *("window", "yellow", "zebra", "anchor", "barrel", "copper", "dragon", "ember", "falcon", "goblet"),
]


def taco_record(number: int, **changes: Any) -> dict[str, Any]:
    """A TACO record whose statement, sample and tests depend only on its number."""
    chance = random.Random(number)
    story = " ".join(chance.choices(WORDS, k=60))
    question = (
        f"There is a {story}. You are given two integers and must find the number of the {chance.choice(WORDS)}.\n\n"
        "-----Input-----\n\nThe only line contains two integers a and b.\n\n-----Output-----\n\nPrint one integer.\n\n"
        f"-----Examples-----\nInput\n{number} 1\n\nOutput\n{number + 1}\n"
    )
    inputs = [f"{number} {b}\n" for b in range(1, 9)]
    record = {
        "question": question,
        "solutions": json.dumps(["a, b = map(int, input().split())\nprint(a + b)"]),
        "starter_code": "",
        "input_output": json.dumps({"inputs": inputs, "outputs": [f"{number + b}\n" for b in range(1, 9)]}),
        "difficulty": "EASY",
        "raw_tags": "['math']",
        "name": None,
        "source": "codeforces",
        "tags": "['Mathematics']",
        "url": f"https://codeforces.com/problemset/problem/{1000 + number}/A",
        "time_limit": "2.0 seconds",
        "date": "2021-05-01",
        "memory_limit": "256.0 megabytes",
    }
    return {**record, **changes}


def write_lines(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def small_source(folder: Path) -> Path:
    """Forty records: good ones, a copy, a near copy, one broken line, one without tests, one interactive."""
    records = [taco_record(number) for number in range(36)]
    copied = taco_record(3)
    near = {**taco_record(4), "url": "", "question": taco_record(4)["question"].replace("Print one", "Write one")}
    records += [
        {**copied, "url": ""},
        {**near, "input_output": json.dumps({"inputs": ["x y\n", "z w\n"], "outputs": ["1\n", "2\n"]})},
        taco_record(50, input_output=""),
        taco_record(51, question="This is an interactive problem. " + taco_record(51)["question"]),
    ]
    path = write_lines(folder / "taco.jsonl", records)
    with path.open("a") as file:
        file.write('{"question": "cut off\n')
    return path


def small_recipe(folder: Path, source: Path) -> Path:
    """A recipe of that source, cut into several shards."""
    path = folder / "recipe.yaml"
    path.write_text(f"name: small\npart_bytes: 20000\nsources:\n  - {{source: taco, path: {source}}}\n")
    return path
