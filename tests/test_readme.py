"""The README's commands and programs, run word for word as a new user would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```$", README, re.DOTALL | re.MULTILINE)


def test_the_shell_examples_grade_as_the_readme_says(tmp_path: Path) -> None:
    script = "\n".join(block for block in blocks("bash") if "git clone" not in block)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "2 of 3 accepted" in done.stdout
    assert len((tmp_path / "runs/first/grades.jsonl").read_text().splitlines()) == 3
    assert "2 of 2 tests" in done.stdout


def test_the_python_example_prints_what_its_comments_say(tmp_path: Path) -> None:
    program = next(block for block in blocks("python") if "grade_many" in block)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "ACCEPTED 1.0"
    assert [line.split()[:2] for line in lines[1:] if "ACCEPTED" in line] == [["n3", "ACCEPTED"]]


def test_the_integrations_that_are_named_exist() -> None:
    guides = [ROOT / "README.md", *(ROOT / "docs" / "integrations").glob("*.md")]
    named = {
        name for guide in guides for name in re.findall(r"microcoder_eval\.integrations\.(\w+)", guide.read_text())
    }
    assert named >= {"trl", "verl", "openrlhf", "slime", "areal", "skyrl", "verifiers", "open_r1", "rllm", "inspect"}
    assert [name for name in sorted(named) if not (ROOT / f"microcoder_eval/integrations/{name}.py").exists()] == []


def test_the_guide_of_the_service_grades_as_it_says(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    program = re.findall(r"```python\n(.*?)\n```$", guide, re.DOTALL | re.MULTILINE)[0]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    program = program.replace('connect("node")', 'connect("node", idle_s=5)')
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "1.0\n"
