"""Other packages import what this one declares as public, and nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import microcoder_data

pytestmark = pytest.mark.fast

ROOT = Path(microcoder_data.__file__).parents[1]
PUBLIC = {
    *("commands", "config", "key_reference", "llm", "lock", "number_range", "own_files", "shipped", "problem_set"),
    "verify",
}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("microcoder_data."):
            yield node.module.removeprefix("microcoder_data.").split(".")[0]


def test_other_packages_import_public_modules_alone() -> None:
    files = [ROOT / "cli.py", *(ROOT / "microcoder_rl").rglob("*.py"), *(ROOT / "microcoder_eval").rglob("*.py")]
    found = {module for file in files for module in imported(file)}
    assert found <= PUBLIC
    assert "commands" in found, "nothing was searched"


def test_public_modules_are_named_in_the_package() -> None:
    assert all(f"`{name}`" in (microcoder_data.__doc__ or "") for name in PUBLIC)


def test_adapters_and_rules_can_be_imported_in_any_order() -> None:
    """Rules read limits with units as adapters do; those import rules."""
    for module in ("sources.columns", "process.boilerplate"):
        done = subprocess.run(
            [sys.executable, "-c", f"import microcoder_data.{module}"], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
