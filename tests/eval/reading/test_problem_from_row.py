"""Rows of the dataset as the grader reads them from Parquet: limits, checkers, interactors and groups as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Checker, InputError, Interactor
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.reading.input_files import ProblemFile
from microcoder_eval.reading.problem_from_row import MADE_BY_A_BUILD

pytestmark = pytest.mark.fast

pyarrow = pytest.importorskip("pyarrow", reason='pyarrow is not installed: pip install "microcoder[data]"')


def read(tmp_path: Path, **columns: Any) -> ProblemFile:
    import pyarrow.parquet

    row = {"problem_id": "p", "kind": "stdin", "tests": [{"input": "1", "output": "2", "ref": None}], **columns}
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "rows.parquet")
    return ProblemFile(tmp_path / "rows.parquet")


def test_limits_are_the_rows(tmp_path: Path) -> None:
    problem = read(tmp_path, time_limit_ms=3500, memory_limit_mb=64, platform="AtCoder")["p"]
    assert (problem.time_limit_s, problem.memory_limit_mb) == (3.5, 64)


def test_what_is_not_the_graders_is_kept_beside_it(tmp_path: Path) -> None:
    problems = read(tmp_path, platform="AtCoder", difficulty={"level": "hard"}, time_limit_ms=None)
    assert problems.attributes == {"p": ProblemAttributes("atcoder", "hard")}
    assert problems["p"].time_limit_s == 2.0


def test_columns_that_a_build_wrote_are_not_said_to_be_unused(tmp_path: Path) -> None:
    from microcoder_data.schema import ROW

    assert MADE_BY_A_BUILD in ROW.names
    assert read(tmp_path, tags=["a"]).ignored == {"tags": 1}
    assert not read(tmp_path, tags=["a"], **{MADE_BY_A_BUILD: "0"}).ignored


def test_files_come_by_name(tmp_path: Path) -> None:
    program = {"kind": "cpp", "abs": None, "code": "int main() {}", "style": "kattis", "flags": ["-x"]}
    column = {**program, "files": [{"name": "a.h", "text": "// a"}]}
    expected = {"code": "int main() {}", "style": "kattis", "flags": ("-x",), "files": {"a.h": "// a"}}
    assert read(tmp_path, checker=column)["p"].checker == Checker("cpp", **expected)
    assert read(tmp_path, kind="interactive", interactor=column)["p"].interactor == Interactor(
        language="cpp", **expected
    )


def test_tests_find_their_groups_and_one_of_two_groups_is_there_twice(tmp_path: Path) -> None:
    tests = [
        {"input": "0", "output": "0", "groups": ["sample"]},
        {"input": "1", "output": "1", "groups": ["secret/easy", "secret/hard"]},
        {"input": "2", "output": "2", "groups": ["secret/hard"]},
    ]
    tree = {
        "grader_flags": "ignore_sample",
        "groups": [
            {"name": "sample"},
            {"name": "secret", "groups": [{"name": "easy", "accept_score": 10}, {"name": "hard"}]},
        ],
    }
    problem = read(tmp_path, tests=tests, groups=json.dumps(tree))["p"]
    root = problem.scored()
    assert root is not None
    assert [problem.tests[index].input for index in root.all_tests()] == ["0", "1", "1", "2"]
    assert read(tmp_path, tests=[{**test, "groups": []} for test in tests], groups=json.dumps(tree))["p"].groups is None


def test_a_built_datasets_folder_is_its_published_shards_with_the_tests_kept_beside_them(tmp_path: Path) -> None:
    import pyarrow.parquet
    import zstandard

    for folder in ("data", "tests", "work"):
        (tmp_path / folder).mkdir()
    beside = {"input": "", "output": "", "ref": "abc:12"}
    row = {"problem_id": "p", "kind": "stdin", "tests": [{"input": "1", "output": "2", "ref": None}, beside]}
    whole = {"problem_id": "q", "kind": "stdin", "tests": [{"input": "1", "output": "2", "ref": None}]}
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row, whole]), tmp_path / "data" / "00000.parquet")
    facts = pyarrow.Table.from_pylist([{"problem_id": "p", "tests": 2}])
    pyarrow.parquet.write_table(facts, tmp_path / "work" / "00000.facts.parquet")
    body = zstandard.ZstdCompressor().compress(json.dumps(["long", "answer"]).encode())
    (tmp_path / "tests" / "abc.json.zst").write_bytes(body)
    problems = ProblemFile(tmp_path)
    assert not problems.bad and [test.input for test in problems["p"].tests] == ["1", "long"]
    (tmp_path / "tests" / "abc.json.zst").unlink()
    (bad,) = ProblemFile(tmp_path).bad
    assert "oversized test abc:12 is missing" in bad.why
    with pytest.raises(InputError, match="no field `id`"):
        ProblemFile(tmp_path / "work")
