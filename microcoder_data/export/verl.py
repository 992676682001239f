"""Parquet for verl: the columns of its datasets, and tests as its reward function for code reads them.

verl chooses the reward function by `data_source`; four of the names that it knows stand for code. A row of another
source is given `codecontests`; its own source is in `extra_info`.
"""

from __future__ import annotations

import json

import pyarrow as pa

from microcoder_data.export.format import MESSAGES, Format, Record, function_name, tests_as_text
from microcoder_data.process.render import render
from microcoder_data.schema import Row
from microcoder_eval import Problem

DATA_SOURCES = {"code_contests": "codecontests", "apps": "apps", "codeforces": "codeforces", "taco": "taco"}
DEFAULT_DATA_SOURCE = "codecontests"
CHECKERS = ("tokens", "exact", "float", "case_insensitive")


def record(problem: Problem, row: Row, index: int) -> Record:
    tests = tests_as_text(problem, CHECKERS, "verl")
    truth: Record = {"inputs": [given for given, _ in tests], "outputs": [wanted for _, wanted in tests]}
    if problem.kind == "call":
        truth["fn_name"] = function_name(problem)
    return {
        "data_source": DATA_SOURCES.get(row["source"], DEFAULT_DATA_SOURCE),
        "prompt": [{"role": "user", "content": render(row)}],
        "ability": "code",
        "reward_model": {"style": "rule", "ground_truth": json.dumps(truth, ensure_ascii=False)},
        "extra_info": {
            "index": index,
            "split": row["split"] or "train",
            "problem_id": problem.id,
            "source": row["source"],
            "difficulty": (row["difficulty"] or {}).get("level"),
        },
    }


_text = pa.string()
FORMAT = Format(
    record,
    pa.schema(
        [
            ("data_source", _text),
            ("prompt", MESSAGES),
            ("ability", _text),
            ("reward_model", pa.struct([("style", _text), ("ground_truth", _text)])),
            (
                "extra_info",
                pa.struct(
                    [
                        ("index", pa.int64()),
                        ("split", _text),
                        ("problem_id", _text),
                        ("source", _text),
                        ("difficulty", _text),
                    ]
                ),
            ),
        ]
    ),
    case_sensitive_tool="verl",
)
