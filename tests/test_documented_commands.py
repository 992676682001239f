"""Every command in the guides runs as written, on small material with the names that the guides use.

Tutorials have a test of their own (`test_documentation_site.py`). NOT_RUN says which commands are only parsed, and why.
"""

from __future__ import annotations

import glob
import json
import re
import shlex
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import cli
from tests.test_docs import GUIDES, ROOT, commands_of

NOT_RUN = {
    r"eval serve": "serves until it is stopped: tests/eval/service",
    r"eval (humaneval|mbpp|livecodebench) ": "reads the publisher's files: tests/eval/benchmarks",
    r"aethercode": "reads the publisher's files: tests/data/sources/test_benchmark_scores.py",
    r"eval generate |model smollm2|lab ": "needs a language model, or hours",
    r"data attempt |--from lm-eval": "needs replies of a language model: tests/data/llm, tests/eval/reading",
    r"--engine ray": "starts a cluster: tests/eval/connection",
    r"quickstart|problems (raw|recall) |raw/recipe|pipelines/data/quick": "minutes: tests/rl/quickstart",
    r"problems (check|export)|set/": "grades the problem set: tests/data/problem_set",
    r"problems new ": "adds a problem to the checkout: tests/data/problem_set",
    r"train (run|temperature|eval) |RECIPE": "trains, or names a recipe of yours: tests/rl",
    r"train (init|plot) ": "needs a model or its runs: the tutorial about training",
    r"data (diff|fidelity) ": "needs several datasets: tests/data/report",
    r"data build recipe.yaml .*--resume|attempts|--grades|verl/": "goes on with other commands' results: tests/data",
}
FAILS = {"eval grade --problems tasks.json --submissions replies.json --out runs/mine": 2}
"""Commands that the guides show with their error, and their status."""
STANDS_FOR = {"ID": "mine:p0", "problems:42": "mine:p0", "codeforces-1234A": "mine:p0", "raw/stack.jsonl:17": "mine:p0"}
"""What the guides call a row, and a row of the material."""
PROGRAM = "a, b = map(int, input().split())\nprint(a {} b)"
TASKS = {
    "sum": ("+", "Two branches report how many parcels they sent today. Print how many parcels were sent in all."),
    "two-sum": ("+", "A tank holds a litres of water and b more flow in. Print how many litres are then in the tank."),
    "product": ("*", "A hall has a rows of chairs with b chairs in each row. How many guests find a seat in the hall?"),
}


def written() -> dict[str, list[str]]:
    """Every command outside the tutorials, once, with its words."""
    found = [words for guide in GUIDES if guide.parent.name != "tutorials" for words in commands_of(guide)]
    plain = [[word for word in words if word != "..."] for words in found]
    return {shlex.join(words): words for words in plain}


def reason(command: str) -> str | None:
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, command)), None)


RUN = {command: words for command, words in written().items() if not reason(command) and ">" not in words}


def test_every_reason_is_needed_and_most_commands_run() -> None:
    assert [pattern for pattern in NOT_RUN if not any(re.search(pattern, command) for command in written())] == []
    assert len(RUN) > 40


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Problems, replies, two grading runs and a dataset, under the guides' names."""
    here = tmp_path_factory.mktemp("material")
    pairs = [(7, 2), (9, 4), (5, 5), (12, 7)]
    problems: list[dict[str, Any]] = []
    submissions: list[dict[str, Any]] = []
    for number, (name, (sign, statement)) in enumerate(TASKS.items()):
        tests = [{"input": f"{a} {b}", "output": str(eval(f"{a}{sign}{b}"))} for a, b in pairs]
        right = PROGRAM.format(sign)
        problems.append({"id": name, "qid": f"p{number}", "statement": statement, "tests": tests, "solutions": [right]})
        submissions += [{"id": f"s{at}", "problem_id": name, "code": code} for at, code in enumerate((right, "?", "1"))]
        submissions.append({"id": "3", "problem_id": name, "code": "print(3)"})
    lines = {
        ("problems.jsonl", "P.jsonl", "mine.jsonl"): problems,
        ("submissions.jsonl", "replies.jsonl", "S.jsonl"): submissions,
    }
    for names, records in lines.items():
        for name in names:
            (here / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    cases = [{"id": each["id"], "cases": [{"stdin": "1 2", "expected": "3"}]} for each in problems]
    (here / "tasks.json").write_text(json.dumps(cases))
    (here / "replies.json").write_text(json.dumps([{**each, "completion": each["code"]} for each in submissions]))
    (here / "replies.csv").write_text("problem_id,completion\nsum,print(3)\n")
    (here / "tasks").mkdir()
    (here / "tasks" / "a.json").write_text(json.dumps([{**each, "body": each["statement"]} for each in problems]))
    (here / "solution.py").write_text(PROGRAM.format("+"))
    (here / "statement.txt").write_text(TASKS["sum"][1])
    (here / "pipelines").symlink_to(ROOT / "pipelines")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        ran("eval grade --problems problems.jsonl --submissions submissions.jsonl --out runs/first")
        ran("data init mine.jsonl --out recipe.yaml --field problem_id=qid")
        shutil.copy("recipe.yaml", "more.yaml")
        ran("data build recipe.yaml --out datasets/mine")
        ran("data index datasets/mine --out problems.npz")
    for copy in ("second", "a", "b"):
        (here / "runs" / copy).symlink_to("first")
    for link in (here / "problems", *(here / "datasets" / name for name in ("problems", "quick"))):
        link.symlink_to(here / "datasets" / "mine")
    return here


def ran(command: str, expected: Collection[int] = (0,)) -> str:
    done = CliRunner().invoke(cli.microcoder, shlex.split(command))
    assert done.exit_code in expected, f"{command}\n{done.output}"
    return done.output


@pytest.fixture
def copied(material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    shutil.copytree(material, here, symlinks=True)
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("command", RUN)
@pytest.mark.usefixtures("copied")
def test_a_documented_command_runs_as_written(command: str) -> None:
    """What it writes may be there already, and is removed first. `train plan` ends with 1 on a small machine."""
    words = [STANDS_FOR.get(word, word) for word in RUN[command]]
    words = [name for word in words for name in (glob.glob(word) if "*" in word else [word])]
    made = [words[words.index(option) + 1] for option in ("--out", "--html") if option in words]
    for name in [*made, *(["recipe.yaml"] if words[:2] == ["data", "init"] else [])]:
        shutil.rmtree(name) if Path(name).is_dir() and not Path(name).is_symlink() else Path(name).unlink(True)
    ran(shlex.join(words), {0, 1} if words[:2] == ["train", "plan"] else {FAILS.get(command, 0)})
