"""JSON lines like those of LiveCodeBench's code_generation_lite, for its loader and evaluator.

Its loader knows three platforms and three difficulties and needs a date. Where a row has another value or none, a
default is written: leetcode for functions and codeforces for programs, medium, and 1970 (so that no filter takes it
for recent).
"""

from __future__ import annotations

import base64
import json
import pickle
import zlib

from microcoder_data.export.format import Format, Record, function_name, tests_as_text
from microcoder_data.process.render import render
from microcoder_data.schema import Row
from microcoder_eval import Problem
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS

PLATFORMS = ("leetcode", "codeforces", "atcoder")
CHECKERS = ("tokens", "exact", "case_insensitive")


def record(problem: Problem, row: Row, index: int) -> Record:
    testtype = "functional" if problem.kind == "call" else "stdin"
    tests = [
        {"input": given, "output": wanted, "testtype": testtype}
        for given, wanted in tests_as_text(problem, CHECKERS, "LiveCodeBench")
    ]
    public = [test for test, of_row in zip(tests, row["tests"], strict=True) if of_row["public"]]
    private = [test for test, of_row in zip(tests, row["tests"], strict=True) if not of_row["public"]]
    level = (row["difficulty"] or {}).get("level")
    return {
        "question_title": row["title"] or problem.id,
        "question_content": render(row),
        "platform": row["platform"] if row["platform"] in PLATFORMS else _default_platform(problem),
        "question_id": problem.id,
        "contest_id": row["contest_id"] or "",
        "contest_date": f"{row['contest_date'] or '1970-01-01'}T00:00:00",
        "starter_code": problem.starter_code,
        "difficulty": level if level in DIFFICULTY_LEVELS else "medium",
        "public_test_cases": json.dumps(public, ensure_ascii=False),
        "private_test_cases": base64.b64encode(zlib.compress(pickle.dumps(json.dumps(private)))).decode(),
        "metadata": json.dumps({"func_name": function_name(problem)} if problem.kind == "call" else {}),
    }


def _default_platform(problem: Problem) -> str:
    return "codeforces" if problem.kind == "stdin" else "leetcode"


FORMAT = Format(record, case_sensitive_tool="LiveCodeBench")
