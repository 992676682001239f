"""Reads HumanEval, HumanEval+, MBPP and MBPP+ as their publishers write them. A record's fields tell the benchmark:

task_id, prompt, entry_point, test                               HumanEval, and HumanEval+ on the hub
task_id, prompt, entry_point, canonical_solution,
    base_input, plus_input, atol                                 EvalPlus's files of HumanEval+ and MBPP+
task_id, text or prompt, code, test_list, test_setup_code        MBPP and sanitized MBPP
task_id, prompt, code, test_imports, test                        MBPP+ on the hub
"""

from __future__ import annotations

import ast
import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_eval.benchmarks.functions.extra_tests import test_program
from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem
from microcoder_eval.reading.input_files import BadRecord

MEMORY_LIMIT_MB = 4096  # as EvalPlus sets it


@dataclass(frozen=True)
class FunctionTask:
    """One task of the benchmark: a function to write, and its tests as a problem of kind `asserts`."""

    problem: Problem
    prompt: str
    """The text that a completion continues; empty when a completion is a whole program."""
    has_extra_tests: bool
    """Test 0 is the benchmark's own and test 1 holds EvalPlus's extra inputs."""


def read_tasks(path: Path, timeout_s: float) -> tuple[dict[str, FunctionTask], list[BadRecord]]:
    """The tasks of a file by key (see `task_number`), and the records that cannot be used."""
    tasks: dict[str, FunctionTask] = {}
    bad: list[BadRecord] = []
    for place, record in read_json_records(path):
        if isinstance(record, str):
            bad.append(BadRecord(place, record))
            continue
        try:
            task = _task(record, timeout_s)
        except InputError as error:
            bad.append(BadRecord(place, str(error)))
        except KeyError as error:
            bad.append(BadRecord(place, f"not a HumanEval or MBPP record: it has no field {error}"))
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            bad.append(BadRecord(place, f"not a HumanEval or MBPP record: {type(error).__name__}: {error}"))
        else:
            if task_number(task.problem.id) in tasks:
                bad.append(BadRecord(place, f"task {task.problem.id!r} is there already; the first one is used"))
            else:
                tasks[task_number(task.problem.id)] = task
    return tasks, bad


def task_number(task_id: Any) -> str:
    """A task's number: publishers name the same task `HumanEval/0`, `Mbpp/2` or 2."""
    return str(task_id).rpartition("/")[2]


def read_json_records(path: Path) -> Iterator[tuple[str, Mapping[str, Any] | str]]:
    """The records of a JSON lines file or a JSON list, each with its place; a text instead says why it is none."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            if path.name.removesuffix(".gz").endswith(".json"):
                for number, record in enumerate(json.load(file), start=1):
                    yield f"{path.name}, record {number}", _object(record)
                return
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield f"{path.name}:{number}", _parsed(line)
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: not a JSON list in UTF-8: {error}") from None


def _parsed(line: str) -> Mapping[str, Any] | str:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    return _object(record)


def _object(record: Any) -> Mapping[str, Any] | str:
    return record if isinstance(record, dict) else "not a JSON object"


def _task(record: Mapping[str, Any], timeout_s: float) -> FunctionTask:
    """The task of a record; a field that is missing or of another type raises what its use raises."""
    name, entry, prompt = str(record["task_id"]), record.get("entry_point"), ""
    if "base_input" in record:
        prompt, tests = record["prompt"], test_program(record)
    elif "test" in record and entry:
        prompt, tests = record["prompt"], record["test"]
    elif "test" in record:
        tests = "\n".join([*record.get("test_imports", ()), record["test"]])
    else:
        setup = record.get("test_setup_code") or "\n".join(record.get("test_imports") or ())
        listed = record["test_list"]
        tests = "\n".join([setup, *(ast.literal_eval(listed) if isinstance(listed, str) else listed)])
    problem = Problem.from_dict(
        {
            "id": name,
            "kind": "asserts",
            "entry_point": entry or _tested_function(record["code"], tests),
            "test_code": tests,
            "time_limit_s": timeout_s,
            "memory_limit_mb": MEMORY_LIMIT_MB,
        }
    )
    return FunctionTask(problem, prompt, "base_input" in record)


def _tested_function(code: str, tests: str) -> str | None:
    """The function of the reference solution that the tests call; None when there is none."""
    defined = re.findall(r"^def +(\w+)", code, re.MULTILINE)
    return next((name for name in reversed(defined) if re.search(rf"\b{name}\s*\(", tests)), None)
