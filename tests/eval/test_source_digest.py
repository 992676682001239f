"""What changes with every file of the package: verdicts that are kept, and the service of a machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from microcoder_eval.source_digest import PACKAGE

PROGRAM = """
from microcoder_eval.connection.node import NodeService
from microcoder_eval.scheduling.verdict_cache import environment_digest
print(NodeService({}).path, environment_digest())
"""


def test_an_upgrade_is_another_service_and_keeps_no_verdict(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))

    def names() -> list[str]:
        command = [sys.executable, "-c", PROGRAM]
        environment = {"PYTHONPATH": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
        run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
        return run.stdout.split()

    before = names()
    assert names() == before
    with open(tmp_path / PACKAGE.name / "compare" / "ladder.py", "a") as file:
        file.write("# changed\n")
    assert not set(names()) & set(before)
