"""Problem packages of either format become rows, with their validators, groups, limits and jury."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.conversion import rows_of
from microcoder_data.reading.files import find_files
from microcoder_data.reading.parts import Part
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import to_problem
from microcoder_data.shards import TestStore
from microcoder_eval import Grader, InputError, Submission
from tests.data.packages.made_up_packages import LEGACY, NEW, STATEMENT, collect, only, write_package, write_zip


def test_a_legacy_package_with_its_jury(tmp_path: Path) -> None:
    write_package(tmp_path / "packages" / "contest" / "sum", LEGACY)
    rows, rejects = collect(tmp_path, tmp_path / "packages")
    assert list(rows) == ["kattis:contest/sum"] and not rejects
    row = rows["kattis:contest/sum"]
    assert (row["title"], row["language"], row["contest_id"]) == ("Sum of Two", "en", "Made Up 2024")
    assert (row["time_limit_ms"], row["memory_limit_mb"], row["license"]) == (3000, 512, "cc by-sa")
    assert [test["groups"] for test in row["tests"]] == [["sample"], ["secret/group1"], ["secret/group2"]]
    assert [test["public"] for test in row["tests"]] == [True, False, False]
    assert row["samples"][0]["output"] == "3\n"
    jury = {one["name"]: (one["language"], one["correct"], one["verdicts"]) for one in row["solutions"]}
    assert jury == {
        "accepted/sum.py": ("python", True, ["ACCEPTED"]),
        "accepted/sum.cc": ("cpp", True, ["ACCEPTED"]),
        "wrong_answer/difference.py": ("python", False, ["WRONG_ANSWER"]),
        "mixed/slow.py": ("python", False, ["WRONG_ANSWER", "TIME_LIMIT"]),
        "mixed/lucky.py": ("python", None, ["ACCEPTED", "TIME_LIMIT"]),
        "run_time_error/old.py": ("python2", False, ["RUNTIME_ERROR"]),
    }
    assert any("statements also in: sv" in step["detail"] for step in row["provenance"])


def test_the_jury_is_right_about_its_submissions(tmp_path: Path) -> None:
    row = only(collect(tmp_path, write_package(tmp_path / "sum", LEGACY)))
    problem = to_problem(row)
    with Grader(workers=1) as grader:
        for one in row["solutions"]:
            if one["language"] == "python" and one["correct"] is not None:
                grade = grader.grade(problem, Submission(one["name"], problem.id, one["code"]))
                assert (grade.verdict.value == "ACCEPTED") is one["correct"], one["name"]


def test_a_new_package_with_its_own_validator(tmp_path: Path) -> None:
    row = only(collect(tmp_path, write_package(tmp_path / "closest", NEW)))
    assert (row["title"], row["time_limit_ms"]) == ("Closest", 1500)
    assert "below 1000" in row["statement"]
    checker = row["checker"]
    assert (checker["kind"], checker["style"], checker["flags"]) == ("python", "kattis", ["far", "7"])
    assert "sys.exit(42)" in checker["code"]
    assert checker["files"] == [{"name": "tools.py", "text": "limit = 1000\n"}]
    assert {one["name"]: one["verdicts"] for one in row["solutions"]} == {
        "accepted/a.py": ["ACCEPTED"],
        "rejected/b.py": ["WRONG_ANSWER"],
    }


@pytest.mark.parametrize(
    ("description", "multiplier"),
    [
        ("name: Sum\n", 5.0),
        ("name: Sum\nlimits: {time_multiplier: 1.8, time_safety_margin: 3}\n", pytest.approx(1.8)),
        ("name: Sum\nproblem_format_version: 2023-07-draft\n", 2.0),
        ("name: Sum\nproblem_format_version: 2025-09\nlimits: {time_multipliers: {ac_to_time_limit: 3}}\n", 3.0),
        ("name: Sum\nlimits: {time_multiplier: fast}\n", 5.0),
    ],
)
def test_how_much_more_than_the_slowest_a_package_allows(tmp_path: Path, description: str, multiplier: float) -> None:
    package = {**LEGACY, "problem.yaml": description}
    del package[".timelimit"]
    row = only(collect(tmp_path, write_package(tmp_path / "sum", package)))
    assert (row["time_limit_ms"], row["time_multiplier"]) == (None, multiplier)


def test_the_default_validator_with_its_flags(tmp_path: Path) -> None:
    for number, flags in enumerate(([], ["case_sensitive"], ["float_tolerance", "1e-4"])):
        package = {**LEGACY, "problem.yaml": f"name: Sum\nvalidator_flags: {' '.join(flags)}\n"}
        row = only(collect(tmp_path, write_package(tmp_path / str(number), package)))
        assert (row["checker"]["kind"], row["checker"]["flags"]) == ("kattis_default", flags)
        assert list(to_problem(row).checker.flags) == flags


@pytest.mark.parametrize("at", ["group2/testdata.yaml", "group2/02.yaml"])
def test_groups_and_tests_with_flags_of_their_own(tmp_path: Path, at: str) -> None:
    package = {
        **LEGACY,
        "problem.yaml": "name: Sum\nvalidator_flags: float_tolerance 1e-3\n",
        f"data/secret/{at}": "output_validator_flags: float_tolerance 1e-9\n",
    }
    row = only(collect(tmp_path, write_package(tmp_path / "sum", package)))
    assert row["checker"]["flags"] == ["float_tolerance", "1e-3"]
    loose = ["float_tolerance", "1e-3"]
    assert [test["flags"] for test in row["tests"]] == [None, None, [*loose, "float_tolerance", "1e-9"]]
    problem = to_problem(row)
    program = "print(sum(map(int, input().split())) + 1e-6)"
    with Grader(workers=1) as grader:
        grade = grader.submit(problem, Submission("near", problem.id, program), all_tests=True).result()
    assert [str(test.verdict) for test in grade.tests] == ["ACCEPTED", "ACCEPTED", "WRONG_ANSWER"]


def test_a_test_judged_in_two_ways_is_two_tests(tmp_path: Path) -> None:
    package = {**LEGACY, "data/secret/group2/testdata.yaml": "output_validator_flags: case_sensitive\n"}
    folder = write_package(tmp_path / "packages/sum", package)
    for suffix in ("in", "ans"):
        (folder / f"data/secret/group2/01.{suffix}").symlink_to(f"../group1/01.{suffix}")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(f"name: p\nsources:\n  - {{source: kattis, path: {folder.parent}}}\nfilter: false\n")
    build(load_recipe(recipe), tmp_path / "out", make_engine("local", workers=1))
    (row,) = pq.read_table(tmp_path / "out" / "data").to_pylist()
    assert [(test["input"], test["flags"]) for test in row["tests"]] == [
        ("1 2\n", None),
        ("5 5\n", None),
        ("5 5\n", ["case_sensitive"]),
        ("7 8\n", ["case_sensitive"]),
    ]


def test_an_interactive_package_has_an_interactor(tmp_path: Path) -> None:
    package = {
        **LEGACY,
        "problem.yaml": "name: Guess\nvalidation: custom interactive\n",
        "output_validators/judge/validate.cc": '#include "validate.h"\nint main() { return 42; }\n',
        "output_validators/judge/validate.h": "",
        "data/sample/1.interaction": "<1 2\n>3\n",
    }
    row = only(collect(tmp_path, write_package(tmp_path / "guess", package)))
    assert (row["kind"], row["checker"], row["interactor"]["kind"]) == ("interactive", None, "cpp")
    assert row["interactor"]["files"] == [{"name": "validate.h", "text": ""}]
    assert "<1 2" in row["notes"] and not row["samples"]


def test_a_test_that_several_groups_link_to_is_one_test(tmp_path: Path) -> None:
    folder = write_package(tmp_path / "sum", LEGACY)
    for suffix in ("in", "ans"):
        (folder / f"data/secret/group2/01.{suffix}").symlink_to(f"../group1/01.{suffix}")
    row = only(collect(tmp_path, folder))
    assert [test["groups"] for test in row["tests"]] == [
        ["sample"],
        ["secret/group1", "secret/group2"],
        ["secret/group2"],
    ]


def test_zips_one_package_or_several(tmp_path: Path) -> None:
    write_zip(tmp_path / "flat.zip", {**LEGACY})
    write_zip(tmp_path / "folded.kpp", {**LEGACY}, "sum/")
    several = {f"{name}/{key}": text for name in ("one", "two") for key, text in LEGACY.items()}
    write_zip(tmp_path / "both.zip", {**several})
    rows, rejects = collect(tmp_path, tmp_path)
    assert list(rows) == ["kattis:both/one", "kattis:both/two", "kattis:flat", "kattis:folded"] and not rejects
    assert len({len(row["tests"]) for row in rows.values()}) == 1


def test_flags_under_either_name_and_a_colon_in_the_title(tmp_path: Path) -> None:
    said = "name: Hats: Part 1\noutput_validator_flags: float_tolerance 1e-4\ntype: 'a: b'\n"
    row = only(collect(tmp_path, write_package(tmp_path / "hats", {**LEGACY, "problem.yaml": said})))
    assert (row["title"], row["checker"]["kind"]) == ("Hats: Part 1", "kattis_default")
    assert row["checker"]["flags"] == ["float_tolerance", "1e-4"]
    broken = {**LEGACY, "problem.yaml": "name: [Hats: Part 1\n"}
    assert only(collect(tmp_path, write_package(tmp_path / "broken", broken))) == "broken_yaml"


def test_validators_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    custom = {**LEGACY, "problem.yaml": "name: a\nvalidation: custom\n"}
    main = "int main() { return 42; }\n"
    for number, (added, reason) in enumerate(
        [
            ({"output_validators/a.cpp": main, "output_validators/b/b.cpp": main}, "several_validators"),
            ({"output_validators/a/build": "", "output_validators/a/a.cpp": main}, "validator_needs_build"),
            ({"output_validators/a/A.java": "class A {}"}, "validator_language"),
            ({"output_validators/a.cpp": '#include "../common.h"\n' + main}, "validator_incomplete"),
            ({"output_validators/a.py": "import sys\nsys.exit(142 == len(sys.argv))\n"}, "validator_protocol"),
        ]
    ):
        assert only(collect(tmp_path, write_package(tmp_path / str(number), {**custom, **added}))) == reason


def test_rows_that_describe_a_package(tmp_path: Path) -> None:
    record = {
        "problem_id": "someone/packages:contest/sum",
        "title": "Sum of Two",
        "statements": {"sv": {"format": "tex", "text": "Addera."}, "en": {"format": "tex", "text": STATEMENT}},
        "type": "pass-fail",
        "validation": "default",
        "validator_flags": "float_tolerance 1e-6",
        "limits": {"memory": 512},
        "samples": [{"input": "1 2\n", "output": "3\n"}],
    }
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({**record, "validation": one}) + "\n" for one in ("default", "custom")))
    spec = SourceSpec("kattis", path=(str(path),))
    found = list(rows_of([Part(0, str(path), "whole")], spec, TestStore(tmp_path), None, strict=False))
    assert found[0][0] and found[1][1]
    assert (found[0][0]["language"], found[0][0]["checker"]["flags"]) == ("en", ["float_tolerance", "1e-6"])
    assert found[0][0]["tests"][0]["origin"] == "sample"
    assert found[1][1]["reason"] == "no_validator"


def test_a_build_reads_packages_and_notices_a_change(tmp_path: Path) -> None:
    for number in range(4):
        changed = {"data/secret/group1/01.in": f"{number} 5\n", "data/secret/group1/01.ans": f"{number + 5}\n"}
        text = STATEMENT.replace("add them", f"add them {number} times in a row, one after the other")
        write_package(
            tmp_path / "raw" / f"sum{number}", {**LEGACY, **changed, "problem_statement/problem.en.tex": text}
        )
    recipe = tmp_path / "recipe.yaml"
    rest = "compare: {duplicates: {near: 1.0}}\nfilter: false\n"
    recipe.write_text(f"name: packages\nsources:\n  - {{source: kattis, path: {tmp_path / 'raw'}}}\n{rest}")
    engine = make_engine("local", workers=1)
    manifest = build(load_recipe(recipe), tmp_path / "out", engine)
    assert manifest is not None
    collect_account = manifest["stages"]["collect"] if isinstance(manifest["stages"], dict) else manifest["stages"][0]
    assert collect_account["in"] == 4
    shutil.rmtree(tmp_path / "raw" / "sum3")
    (tmp_path / "raw/sum2/data/secret/group1/01.ans").write_text("999\n")
    from microcoder_data import Options

    again = build(load_recipe(recipe), tmp_path / "out", engine, Options(resume=True))
    assert again is not None and again["logical_sha256"] != manifest["logical_sha256"]


def test_a_directory_without_packages_is_a_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no problem package"):
        find_files(SourceSpec("kattis", path=(str(tmp_path),)), "sources[0]")


def test_scoring_groups_reach_the_grader(tmp_path: Path) -> None:
    scored = {
        **LEGACY,
        "problem.yaml": "name: Sum\ntype: scoring\n",
        "data/testdata.yaml": "on_reject: continue\ngrader_flags: ignore_sample\n",
        "data/sample/testdata.yaml": "accept_score: 0\n",
        "data/secret/testdata.yaml": "grader_flags: first_error accept_if_any_accepted\n",
        "data/secret/group1/testdata.yaml": "accept_score: 30\nrange: 0 30\ngrader_flags: min\n",
        "data/secret/group2/testdata.yaml": "accept_score: 70\nrange: 0 70\ngrader_flags: min\n",
    }
    folder = write_package(tmp_path / "sum", scored)
    for suffix in ("in", "ans"):
        (folder / f"data/secret/group2/01.{suffix}").symlink_to(f"../group1/01.{suffix}")
    row = only(collect(tmp_path, folder))
    assert len(row["tests"]) == 3
    problem = to_problem(row)
    assert [test.input for test in problem.tests] == ["1 2\n", "5 5\n", "5 5\n", "7 8\n"]
    secret = problem.groups["groups"][1]
    assert [(one["name"], one["tests"], one["accept_score"]) for one in secret["groups"]] == [
        ("group1", [1], 30),
        ("group2", [2, 3], 70),
    ]
    own = {**scored, "data/testdata.yaml": "grading: custom\n"}
    assert only(collect(tmp_path, write_package(tmp_path / "own", own)))["groups"] is None
