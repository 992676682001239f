"""Other packages import only the modules that microcoder_eval declares as public."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import microcoder_eval

pytestmark = pytest.mark.fast

ROOT = Path(microcoder_eval.__file__).parents[1]
DECLARED = {
    name
    for line in (microcoder_eval.__doc__ or "").partition("may also import")[2].splitlines()
    if line.startswith("    ")
    for name in re.split(r",\s+", re.split(r"\s{2,}", line.strip())[0])
}


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module == "microcoder_eval":
            names += [
                f"{node.module}.{alias.name}" for alias in node.names if alias.name not in microcoder_eval.__all__
            ]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
        yield from (name.split(".")[1] for name in names if name.startswith("microcoder_eval."))


def test_other_packages_import_declared_modules_alone() -> None:
    files = [ROOT / "cli.py", *(ROOT / "microcoder_data").rglob("*.py"), *(ROOT / "microcoder_rl").rglob("*.py")]
    found = {module for file in files for module in imported(file)}
    assert found - DECLARED == set()
    assert DECLARED - found == set(), "declared, but used by no other package"


def test_what_is_declared_exists() -> None:
    folder = Path(microcoder_eval.__file__).parent
    assert len(DECLARED) > 10
    assert all((folder / name).is_dir() or (folder / f"{name}.py").is_file() for name in DECLARED)
