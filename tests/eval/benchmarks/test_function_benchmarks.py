"""HumanEval, HumanEval+, MBPP and MBPP+: their files, samples, scores, and EvalPlus's way of comparing."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = str(Path(__file__).parents[3])
HALF = {
    "task_id": "HumanEval/0",
    "prompt": 'def half(n):\n    """ Half of n """\n',
    "entry_point": "half",
    "canonical_solution": "    return n / 2\n",
    "test": "def check(candidate):\n    assert candidate(4) == 2\n    assert candidate(5) == 2.5\n",
}
TWICE = {**HALF, "task_id": "HumanEval/1", "prompt": "def twice(n):\n", "entry_point": "twice"}
TWICE["test"] = "def check(candidate):\n    assert candidate(4) == 8\n"
MBPP = {
    "text": "Write a function to find the larger number.",
    "code": "def larger(a, b):\r\n  return max(a, b)",
    "task_id": 7,
    "test_setup_code": "",
    "test_list": ["assert larger(1, 2) == 2", "assert larger(5, 3) == 5"],
    "challenge_test_list": ["assert larger(0, 0) == 1"],
}
SANITIZED = {
    "prompt": "Write a function for the distance.",
    "task_id": 8,
    "code": "import math\ndef distance(p): return math.hypot(*p)",
    "test_imports": ["import math"],
    "test_list": ["assert math.isclose(distance((3, 4)), 5)"],
}


def plus(task: str, entry: str, solution: str, base: list[Any], extra: list[Any], atol: float = 0) -> dict[str, Any]:
    return {
        "task_id": task,
        "prompt": f"def {entry}(*given):\n",
        "entry_point": entry,
        "canonical_solution": solution,
        "base_input": base,
        "plus_input": extra,
        "contract": "",
        "atol": atol,
    }


def evaluate(folder: Path, benchmark: str, data: object, samples: list[Any], name: str = "data.jsonl") -> Any:
    write(folder / name, data)
    write(folder / "samples.jsonl", samples)
    return microcoder(folder, benchmark, "--data", name, "--samples", "samples.jsonl", "--out", "run", "--json")


def write(path: Path, records: object) -> None:
    if path.name.endswith(".json"):
        path.write_text(json.dumps(records))
        return
    assert isinstance(records, list)
    text = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def microcoder(folder: Path, *arguments: str) -> Any:
    command = [sys.executable, "-m", "cli", "eval", *arguments]
    environment = {**os.environ, "PYTHONPATH": ROOT, "XDG_CACHE_HOME": str(folder)}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, timeout=1200)


def verdicts(folder: Path) -> dict[tuple[str, str], str]:
    grades = map(json.loads, (folder / "run" / "grades.jsonl").read_text().splitlines())
    return {(grade["problem_id"], grade["submission_id"]): grade["verdict"] for grade in grades}


@pytest.mark.parametrize("name", ["HumanEval.jsonl", "HumanEval.jsonl.gz"])
def test_humaneval(tmp_path: Path, name: str) -> None:
    samples = [
        {"task_id": "HumanEval/0", "completion": "    return n / 2"},
        {"task_id": "HumanEval/0", "completion": "    return n // 2"},
        {"task_id": "HumanEval/0", "solution": "def half(n):\n    return n * 0.5"},
        {"task_id": "HumanEval/1", "completion": "    return n + n"},
        {"task_id": "HumanEval/1", "completion": "    raise ValueError"},
        {"task_id": "HumanEval/1", "solution": "def other(n): return 2 * n"},
    ]
    done = evaluate(tmp_path, "humaneval", [HALF, TWICE], samples, name)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["benchmark_scores"] == {"all": {"problems": 2, "pass@1": pytest.approx((2 / 3 + 1 / 3) / 2)}}
    assert summary["scores"]["pass_at_k"]["2"]["value"] == pytest.approx((1 + 2 / 3) / 2)
    assert verdicts(tmp_path) == {
        ("HumanEval/0", "0"): "ACCEPTED",
        ("HumanEval/0", "1"): "WRONG_ANSWER",
        ("HumanEval/0", "2"): "ACCEPTED",
        ("HumanEval/1", "0"): "ACCEPTED",
        ("HumanEval/1", "1"): "RUNTIME_ERROR",
        ("HumanEval/1", "2"): "RUNTIME_ERROR",
    }
    assert (tmp_path / "run" / "report.html").exists()


def test_mbpp_in_its_forms_whatever_its_tasks_are_called(tmp_path: Path) -> None:
    hub = {"task_id": 9, "code": "def same(x):\n    return x", "prompt": "Give it back.", "test_imports": []}
    hub["test"] = "def assertion(out, exp):\n    assert out == exp\nfor x in [1, 'a']:\n    assertion(same(x), x)\n"
    as_text = {**MBPP, "task_id": "10", "test_list": str(MBPP["test_list"])}
    samples = [
        {"task_id": "Mbpp/7", "solution": "def larger(a, b): return a if a > b else b"},
        {"task_id": 7, "completion": "def larger(a, b): return a"},
        {"task_id": "8", "completion": "def distance(p): return (p[0] ** 2 + p[1] ** 2) ** 0.5"},
        {"task_id": 9, "solution": "def same(x): return x"},
        {"task_id": 9, "solution": "def same(x): return 1"},
        {"task_id": 10, "solution": "larger = max"},
    ]
    done = evaluate(tmp_path, "mbpp", [MBPP, SANITIZED, hub, as_text], samples, "mbpp.json")
    assert done.returncode == 0, done.stderr
    accepted = {key for key, verdict in verdicts(tmp_path).items() if verdict == "ACCEPTED"}
    assert accepted == {("7", "0"), ("8", "0"), ("9", "0"), ("10", "0")}


def test_replies_in_fences_are_named_and_extracted_when_asked(tmp_path: Path) -> None:
    write(tmp_path / "data.jsonl", [HALF, TWICE])
    replies = [
        {"task_id": "HumanEval/0", "solution": "Here:\n```python\ndef half(n):\n    return n / 2\n```\nDone."},
        {"task_id": "HumanEval/1", "completion": "```python\ndef twice(n):\n    return 3 * n\n```"},
        {"task_id": "HumanEval/1", "completion": "I do not know."},
    ]
    write(tmp_path / "samples.jsonl", replies)
    files = ["--data", "data.jsonl", "--samples", "samples.jsonl", "--no-cache", "--quiet"]
    plain = microcoder(tmp_path, "humaneval", *files, "--out", "plain")
    assert plain.returncode == 0, plain.stderr
    assert "2 of 3 samples hold a Markdown fence" in plain.stdout and "--extract" in plain.stdout
    extracted = microcoder(tmp_path, "humaneval", *files, "--out", "run", "--extract")
    assert extracted.returncode == 0 and "fence" not in extracted.stdout, extracted.stderr
    assert verdicts(tmp_path) == {
        ("HumanEval/0", "0"): "ACCEPTED",
        ("HumanEval/1", "0"): "WRONG_ANSWER",
        ("HumanEval/1", "1"): "NO_CODE",
    }


def test_extra_tests_give_two_scores(tmp_path: Path) -> None:
    task = plus("HumanEval/0", "half", "    return given[0] / 2\n", [[4], [6]], [[5], [-1]])
    task["prompt"] = "def half(*given):\n"
    samples = [
        {"task_id": "HumanEval/0", "completion": text}
        for text in (
            "    return given[0] / 2",
            "    return given[0] // 2",
            "    return 2",
            "    return given[0] / 2 + 1e-9",
        )
    ]
    done = evaluate(tmp_path, "humaneval", [task], samples)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["benchmark_scores"] == {
        "base tests": {"problems": 1, "pass@1": 0.75},
        "base + extra tests": {"problems": 1, "pass@1": 0.5},
    }
    assert [verdicts(tmp_path)["HumanEval/0", str(number)] for number in range(4)] == [
        "ACCEPTED",
        "WRONG_ANSWER",
        "WRONG_ANSWER",
        "ACCEPTED",
    ]


# The verdicts on base and extra tests are EvalPlus's own (0.3.1), but for the root: it finds one right and then does
# not count it, so that nobody solves that task there.
ONE, LIST, PAIR, BOTH, NEITHER = (
    [[1], [2]],
    [[[3, 1, 2]], [[5, 4]]],
    ([[[1, 2]]], [[[4, 8]]]),
    (True, True),
    (False, False),
)
COMPARED: list[tuple[str, str, str, str, tuple[Any, Any], float, str, tuple[bool, bool]]] = [
    # what, task, its function, what that returns, inputs (base and extra), tolerance; a sample's body, its verdicts
    ("a float for an integer", "HumanEval/2", "f", "given[0]", (ONE, ONE), 0, "return float(given[0])", BOTH),
    ("an integer for a float", "HumanEval/2", "f", "given[0] / 1", (ONE, ONE), 0, "return given[0]", BOTH),
    ("near an integer", "HumanEval/2", "f", "given[0]", (ONE, ONE), 0, "return given[0] + 1e-9", NEITHER),
    ("near, with tolerance", "HumanEval/2", "f", "given[0]", (ONE, ONE), 0.5, "return given[0] + 1", NEITHER),
    ("a tuple for a list", "HumanEval/2", "f", "sorted(given[0])", (LIST, LIST), 0,
     "return tuple(sorted(given[0]))", NEITHER),
    ("near, in a list", "HumanEval/2", "f", "[x / 3 for x in given[0]]", (LIST, LIST), 0,
     "return [x / 3 + 1e-8 for x in given[0]]", BOTH),
    ("a shorter list", "HumanEval/2", "f", "[x / 3 for x in given[0]]", (LIST, LIST), 0,
     "return [x / 3 for x in given[0]][1:]", NEITHER),
    ("any order where allowed", "Mbpp/769", "Diff", "list(given[0])", (LIST, LIST), 0, "return sorted(given[0])", BOTH),
    ("any order elsewhere", "Mbpp/1000", "diff", "list(given[0])", (LIST, LIST), 0, "return sorted(given[0])", NEITHER),
    ("something found", "Mbpp/1000", "check_str", "'yes' if given[0] > 1 else None", (ONE, [[3]]), 0,
     "return given[0] > 1", BOTH),
    ("nothing found", "Mbpp/1000", "check_str", "'yes' if given[0] > 1 else None", (ONE, [[3]]), 0,
     "return None", NEITHER),
    ("another right answer", "Mbpp/295", "sum_div", "given[0]", (ONE, ONE), 0, "return 0", BOTH),
    ("tuples restored", "Mbpp/2", "f", "type(given[0]) is tuple", ([[[1], [2]]], [[[3], [4]]]), 0, "return True", BOTH),
    ("a root of a polynomial", "HumanEval/32", "find_zero", "-0.5", PAIR, 1e-4, "return -0.50001", BOTH),
    ("no root of it", "HumanEval/32", "find_zero", "-0.5", PAIR, 1e-4, "return -0.6", NEITHER),
    ("its argument spoilt", "HumanEval/2", "f", "len(given[0])", (LIST, LIST), 0,
     "n = len(given[0]); given[0].clear(); return n", BOTH),
]  # fmt: skip


def test_values_are_compared_as_evalplus_compares_them(tmp_path: Path) -> None:
    tasks, samples = [], []
    for number, (_, task, entry, value, inputs, tolerance, body, _) in enumerate(COMPARED):
        name = f"{task.partition('/')[0]}/{number + 9000}" if task != "Mbpp/2" else task
        tasks.append({**plus(task, entry, f"    return {value}\n", *inputs, tolerance), "task_id": name})
        samples.append({"task_id": name, "solution": f"def {entry}(*given):\n    {body}\n"})
    done = evaluate(tmp_path, "humaneval", tasks, samples)
    assert done.returncode == 0, done.stderr
    found = {}
    for line in (tmp_path / "run" / "grades.jsonl").read_text().splitlines():
        grade = json.loads(line)
        passed = {test["index"]: test["verdict"] == "ACCEPTED" for test in grade["tests"]}
        found[grade["problem_id"]] = passed[0], passed[1]
    wrong = [case[0] for case, task in zip(COMPARED, tasks, strict=True) if found[task["task_id"]] != case[-1]]
    assert not wrong


def test_the_reference_is_out_of_the_programs_reach(tmp_path: Path) -> None:
    task = plus("HumanEval/0", "secret", "    return 'hidden ' + given[0]\n", [["a"]], [["b"]])
    peek = (
        "import gc, sys\ndef secret(*given):\n"
        "    texts = [str(thing) for thing in gc.get_objects() if isinstance(thing, (str, dict, tuple, list))]\n"
        "    frame = sys._getframe()\n"
        "    while frame:\n        texts.append(str(frame.f_globals))\n        frame = frame.f_back\n"
        "    known = any('hidd' + 'en ' + given[0] in text for text in texts)\n"
        "    return 'hidd' + 'en ' + given[0] if known else 'not found'\n"
    )
    done = evaluate(tmp_path, "humaneval", [task], [{"task_id": "HumanEval/0", "solution": peek}])
    assert done.returncode == 0, done.stderr
    assert set(verdicts(tmp_path).values()) == {"WRONG_ANSWER"}


def test_mistakes_are_named(tmp_path: Path) -> None:
    samples = [{"task_id": "HumanEval/5", "completion": ""}, {"completion": ""}, {"task_id": 0}, "{", "7"]
    done = evaluate(
        tmp_path, "humaneval", [HALF, HALF, {"task_id": 1}], [*samples, {"task_id": 0, "completion": "    pass"}]
    )
    assert done.returncode == 1
    for why in (
        "data.jsonl:2: task 'HumanEval/0' is there already",
        "data.jsonl:3: not a HumanEval or MBPP record",
        "samples.jsonl:1: task 'HumanEval/5' is not in the data",
        'samples.jsonl:2: a sample is an object with "task_id"',
        'samples.jsonl:3: task 0: "completion" or "solution" must be text',
        "samples.jsonl:4: not JSON",
        "samples.jsonl:5: not a JSON object",
    ):
        assert why in done.stderr
    (tmp_path / "list.json").write_text("[7]")
    for arguments, why in (
        (("--data", "data.jsonl", "--samples", "list.json"), "list.json, record 1: not a JSON object"),
        (("--data", "none", "--samples", "samples.jsonl"), "none: No such file"),
        (("--data", "data.jsonl", "--samples", "none"), "none: No such file"),
        (("--data", "samples.jsonl", "--samples", "samples.jsonl"), "no sample for any of the 0 tasks"),
    ):
        done = microcoder(tmp_path, "humaneval", *arguments, "--out", "elsewhere")
        assert done.returncode == 2 and why in done.stderr and "Traceback" not in done.stderr
