"""Shards are made anew when the code that made them changes, wherever that code lies."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from microcoder_data.code_version import (
    FOLDERS,
    Sources,
    _imports,
    _imports_below,
    _targets,
    code_version,
    imported_files,
)
from microcoder_data.sources import READING


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package, folder in FOLDERS.items():
        shutil.copytree(folder, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def packages(root: Path) -> dict[str, Path]:
    return {package: root / package for package in FOLDERS}


def test_what_reading_a_record_rests_on() -> None:
    files = imported_files(*READING)
    assert {"microcoder_data.sources.columns", "microcoder_data.packages.files"} <= set(files)
    assert "microcoder_eval.arguments" in files, "arguments are read while rows are made"
    assert "microcoder_eval.benchmarks.livecodebench.private_tests" in files, "so are packed tests"
    assert not [name for name in files if name.startswith(("microcoder_data.llm", "microcoder_eval.sandbox"))]


def test_a_change_of_any_file_is_another_version(copy: Path) -> None:
    version = code_version(*READING, folders=packages(copy))
    assert version == code_version(*READING)
    for path in imported_files(*READING, folders=packages(copy)).values():
        text = path.read_bytes()
        path.write_bytes(text + b"# changed\n")
        assert code_version(*READING, folders=packages(copy)) != version, path
        path.write_bytes(text)


def test_a_missing_file_is_an_error(copy: Path) -> None:
    (copy / "microcoder_data/sources/taco.py").unlink()
    with pytest.raises(ModuleNotFoundError, match="taco"):
        code_version(*READING, folders=packages(copy))


def test_a_build_reads_again_after_a_change_of_code_far_from_the_sources(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "raw.jsonl").write_text(
        json.dumps({"id": "sum", "kind": "stdin", "statement": "Add.", "tests": [{"input": "1 2", "output": "3"}]})
    )
    (tmp_path / "recipe.yaml").write_text("name: one\nsources:\n  - source: generic\n    path: raw.jsonl\n")
    script = (
        "from microcoder_data import Options, build, load_recipe, make_engine\n"
        "build(load_recipe('recipe.yaml'), 'out', make_engine('local', workers=1), Options(resume=True))\n"
    )

    def key_of_collect() -> str:
        subprocess.run(
            [sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(copy)}, check=True
        )
        record = tmp_path.joinpath("out", "work", "collect", "00000.done.json")
        return str(json.loads(record.read_text())["key"])

    first = key_of_collect()
    assert key_of_collect() == first
    with (copy / "microcoder_eval/arguments.py").open("a") as file:
        file.write("# changed\n")
    assert key_of_collect() != first


def test_imports_at_the_margin_are_those_of_the_whole_file() -> None:
    sources = Sources(FOLDERS)
    for folder in FOLDERS.values():
        for path in folder.rglob("*.py"):
            source = path.read_bytes()
            ours = [ast.unparse(one) for one in _imports_below(ast.parse(source)) if _targets(one, sources)]
            found = [ast.unparse(one) for one in _imports(source) if _targets(one, sources)]
            assert found == ours, path
