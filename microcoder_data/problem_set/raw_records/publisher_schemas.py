"""A problem as a record in the columns of TACO, APPS, CodeContests or LiveCodeBench. Faults are planted elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from microcoder_data.problem_set.raw_records import statement_styles
from microcoder_data.problem_set.reader import Entry

_TACO_LEVELS = {"easy": "EASY", "medium": "MEDIUM", "hard": "VERY_HARD"}
_APPS_LEVELS = {"easy": "introductory", "medium": "interview", "hard": "competition"}
_CODE_CONTESTS_LEVELS = {"easy": 1, "medium": 2, "hard": 3}
_PYTHON3 = 3


@dataclass
class Draft:
    """A problem before it is written as a record. A fault, if there is one, is planted in the draft."""

    entry: Entry
    number: int
    statement: str
    """Canonical Markdown, samples included."""
    tests: list[tuple[Any, Any]]
    shown: int
    """How many of the tests are samples."""
    as_html: bool = False
    changed_test: int | None = None
    """The number of the test in which a fault was planted."""

    @property
    def programs(self) -> list[str]:
        return [s.code for s in self.entry.with_role("right") if s.language == "python"]

    @property
    def wrong_programs(self) -> list[str]:
        return [s.code for s in self.entry.with_role("wrong") if s.language == "python"]


def taco(draft: Draft) -> dict[str, Any]:
    """A record in TACO's columns, all of them text."""
    entry = draft.entry
    return {
        "id": f"taco-{draft.number}",
        "question": statement_styles.as_html(draft.statement) if draft.as_html else draft.statement,
        "solutions": json.dumps(draft.programs),
        "starter_code": entry.starter,
        "input_output": _input_output(draft),
        "difficulty": _TACO_LEVELS[entry.difficulty],
        "raw_tags": repr(list(entry.tags)),
        "name": entry.title,
        "source": "",
        "tags": repr(list(entry.tags)),
        "skill_types": "[]",
        "url": "",
        "Expected Auxiliary Space": None,
        "time_limit": f"{entry.time_limit_s:.1f} seconds",
        "date": None,
        "picture_num": "0",
        "memory_limit": f"{entry.memory_limit_mb:.1f} megabytes",
        "Expected Time Complexity": None,
    }


def apps(draft: Draft) -> dict[str, Any]:
    """A record in the columns of APPS."""
    return {
        "problem_id": draft.number,
        "question": statement_styles.dashes(draft.statement),
        "solutions": json.dumps(draft.programs),
        "input_output": _input_output(draft),
        "difficulty": _APPS_LEVELS[draft.entry.difficulty],
        "url": "",
        "starter_code": draft.entry.starter,
    }


def code_contests(draft: Draft) -> dict[str, Any]:
    """A record in CodeContests' columns, which have no name of a function: for kind stdin only."""
    entry, shown = draft.entry, draft.shown
    return {
        "name": entry.title,
        "description": statement_styles.plain(draft.statement),
        "public_tests": _struct(draft.tests[:shown]),
        "private_tests": _struct(draft.tests[shown:]),
        "generated_tests": _struct([]),
        "source": 0,
        "difficulty": _CODE_CONTESTS_LEVELS[entry.difficulty],
        "solutions": {"language": [_PYTHON3] * len(draft.programs), "solution": draft.programs},
        "incorrect_solutions": {"language": [_PYTHON3] * len(draft.wrong_programs), "solution": draft.wrong_programs},
        "cf_contest_id": 0,
        "cf_index": "",
        "cf_points": 0.0,
        "cf_rating": 0,
        "cf_tags": list(entry.tags),
        "is_description_translated": False,
        "untranslated_description": "",
        "time_limit": {"seconds": int(entry.time_limit_s), "nanos": int(entry.time_limit_s % 1 * 10**9)},
        "memory_limit_bytes": entry.memory_limit_mb << 20,
        "input_file": "",
        "output_file": "",
    }


def livecodebench(draft: Draft) -> dict[str, Any]:
    """A record of the benchmark LiveCodeBench, without private tests."""
    public = [{"input": given, "output": wanted, "testtype": "stdin"} for given, wanted in draft.tests[: draft.shown]]
    return {
        "question_title": draft.entry.title,
        "question_content": statement_styles.plain(draft.statement),
        "platform": "atcoder",
        "question_id": f"bench_{draft.number}",
        "contest_id": f"bench{draft.number}",
        "contest_date": "2025-01-04T00:00:00",
        "starter_code": "",
        "difficulty": draft.entry.difficulty,
        "public_test_cases": json.dumps(public),
        "private_test_cases": "",
        "metadata": "{}",
    }


SCHEMAS = {"taco": taco, "apps": apps, "code_contests": code_contests}


def _input_output(draft: Draft) -> str:
    pairs: dict[str, Any] = {"inputs": [t[0] for t in draft.tests], "outputs": [t[1] for t in draft.tests]}
    if draft.entry.entry_point:
        pairs["fn_name"] = draft.entry.entry_point.rpartition(".")[2]
    return json.dumps(pairs)


def _struct(tests: list[tuple[Any, Any]]) -> dict[str, list[Any]]:
    return {"input": [given for given, _ in tests], "output": [wanted for _, wanted in tests]}
