"""Ctrl-C in each command that takes a while: one line, status 130, no process left, and the same call goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import cli
from tests.data.made_up import taco_record, write_lines
from tests.eval.family import descendants, wait_until_gone
from tests.rl.toys import toy_recipe

ROOT = Path(__file__).parents[3]
PATIENCE_S = 500
"""For what takes seconds on a quiet machine."""


def start(words: str, folder: Path) -> subprocess.Popen[str]:
    """A command in a process group of its own, as a shell starts one; what it says goes to files in `folder`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    with (folder / "stdout").open("w") as stdout, (folder / "stderr").open("w") as stderr:
        command = [sys.executable, "-c", "import cli; cli.main()", *words.split()]
        return subprocess.Popen(
            command, cwd=folder, env=environment, stdout=stdout, stderr=stderr, text=True, start_new_session=True
        )


def said(folder: Path) -> str:
    return (folder / "stdout").read_text() + (folder / "stderr").read_text()


def interrupt(words: str, folder: Path, is_working: Callable[[], bool]) -> None:
    """Start a command, press Ctrl-C in the midst of its work, and see how it ends."""
    process = start(words, folder)
    deadline = time.monotonic() + PATIENCE_S
    while not is_working():
        assert process.poll() is None and time.monotonic() < deadline, said(folder)
        time.sleep(0.02)
    family = descendants(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(PATIENCE_S) == 130, said(folder)
    last = said(folder).strip().splitlines()[-1]
    assert last.startswith("stopped") and "Traceback" not in said(folder), said(folder)
    assert not wait_until_gone(family)


def goes_on(words: str, folder: Path) -> str:
    """The same command again, in this process: torch is imported already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        ended = CliRunner().invoke(cli.microcoder, words.split())
    assert ended.exit_code == 0, ended.output
    return ended.output


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_data_build(tmp_path: Path) -> None:
    write_lines(tmp_path / "raw.jsonl", [taco_record(number) for number in range(300)])
    recipe = "name: small\npart_bytes: 20000\nsources:\n  - {source: taco, path: raw.jsonl}\n"
    (tmp_path / "recipe.yaml").write_text(recipe)
    build = "data build recipe.yaml --out built --workers 2 --resume"
    interrupt(build, tmp_path, lambda: any(tmp_path.rglob("filter/*.done.json")))
    goes_on(build, tmp_path)
    assert json.loads((tmp_path / "built/manifest.json").read_text())["rows"] > 0


def test_eval_grade(tmp_path: Path) -> None:
    (tmp_path / "p").write_text(json.dumps({"id": "p", "tests": [{"input": "", "output": "1"}]}))
    programs = [
        {"id": str(n), "problem_id": "p", "code": f"import time; time.sleep(0.3); print(1)  # {n}"} for n in range(40)
    ]
    write_lines(tmp_path / "s", programs)
    grade = "eval grade --problems p --submissions s --out graded --workers 2 --resume"
    interrupt(grade, tmp_path, lambda: lines(tmp_path / "graded/grades.jsonl") > 2)
    assert "40 of 40 accepted" in goes_on(grade, tmp_path)


def test_problems_check(tmp_path: Path) -> None:
    made = CliRunner().invoke(cli.microcoder, ["problems", "new", "lost-keys", "--root", str(tmp_path / "set")])
    assert made.exit_code == 0
    generator = tmp_path / "set/lost-keys/generator.py"
    finished = generator.read_text()
    generator.write_text("import time\ntime.sleep(60)\n" + finished)
    check = "problems check --root set --verbose"
    interrupt(check, tmp_path, lambda: "grading with" in said(tmp_path))
    generator.write_text(finished)
    goes_on(check, tmp_path)


def recipe(folder: Path, toy: Path) -> Path:
    path = folder / "toy.yaml"
    path.write_text(yaml.safe_dump(toy_recipe(toy, folder / "run", evaluate={"every": 0, "sets": {}})))
    return path


def test_train_run(toy: Path, tmp_path: Path) -> None:
    train, metrics = f"train run {recipe(tmp_path, toy)} --resume", tmp_path / "run/metrics.jsonl"
    interrupt(f"{train} run.steps=1000", tmp_path, lambda: lines(metrics) > 2)
    reached = lines(metrics)
    goes_on(f"{train} run.steps={reached + 1}", tmp_path)
    assert [json.loads(line)["step"] for line in metrics.read_text().splitlines()] == list(range(1, reached + 2))


@pytest.mark.slow  # torch takes long to start; a stopped run goes on in generate/test_generate.py
def test_eval_generate(toy: Path, tmp_path: Path) -> None:
    model = f"--model {toy}/model --dtype float32 --max-tokens 3 --workers 1 --rows 8"
    generate = f"eval generate {model} --problems {toy}/tasks.jsonl --samples 100 --out replies --resume"
    interrupt(generate, tmp_path, lambda: lines(tmp_path / "replies/samples.jsonl") > 0)
    goes_on(generate, tmp_path)
    assert lines(tmp_path / "replies/samples.jsonl") == 800


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_quickstart_in_each_of_its_chapters(tmp_path: Path) -> None:
    quickstart = "quickstart --out out --steps 3"
    for chapter in ("data build", "eval grade", "train run"):

        def begun(chapter: str = chapter) -> bool:
            return f"$ microcoder {chapter}" in (tmp_path / "stdout").read_text()

        interrupt(quickstart, tmp_path, begun)
    assert said(tmp_path).count("finished before") == 2  # the raw records and the exported programs
