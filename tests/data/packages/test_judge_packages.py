"""Packages of other judges: DMOJ, CMS, and LightCPVerifier (Frontier-CS, LiveCodeBench-Pro), right, odd and hostile."""

from __future__ import annotations

import json
import os
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.schema import to_problem
from microcoder_eval import Grader, Submission
from tests.data.packages.made_up_packages import LAUGHS, collect, only, write_package, write_zip
from tests.eval.toolchains import needs

STATEMENT = "Add the two given integers. Nothing else has to be printed, and both are between zero and a thousand."
ADD, ZERO = "print(sum(map(int, input().split())))", "print(0)"
PLAIN_CHECKER = """#include <cstdio>
int main(int argc, char **argv) {
    int a, b;
    if (fscanf(fopen(argv[2], "r"), "%d", &a) != 1 || fscanf(fopen(argv[3], "r"), "%d", &b) != 1) return 1;
    return a == b ? 0 : 1;
}
"""
RATIO_CHECKER = """#include <cstdio>
#include <cstdlib>
void quitp(double ratio) { fprintf(stderr, "points %.4f Ratio: %.4f", ratio, ratio); exit(7); }
int main(int argc, char **argv) {
    int a, b;
    if (fscanf(fopen(argv[2], "r"), "%d", &a) != 1 || fscanf(fopen(argv[3], "r"), "%d", &b) != 1 || a > b) return 1;
    quitp(double(a) / b);
}
"""
CMS_CHECKER = """#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
    FILE *right = fopen(argv[2], "r"), *given = fopen(argv[3], "r");
    int a, b;
    fscanf(right, "%d", &a);
    if (fscanf(given, "%d", &b) != 1) { printf("0.0\\n"); exit(0); }
    printf(a == b ? "1.0\\n" : b == a + 1 ? "0.5\\n" : "0.0\\n");
    fprintf(stderr, "said\\n");
    return 0;
}
"""
DMOJ = {
    "init.yml": (
        "test_cases:\n- {in: s.in, out: s.out, points: 0}\n"
        "- {points: 40, batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out}]}\n"
        "- {points: 60, batched: [{in: 3.in, out: 3.out}], dependencies: [1]}\n"
    ),
    **{f"{name}.in": f"{name == 's'} {number}\n".replace("True", "1").replace("False", "5")
       for number, name in enumerate("s123")},
    **{f"{name}.out": f"{(1 if name == 's' else 5) + number}\n" for number, name in enumerate("s123")},
}  # fmt: skip
CMS = {
    "task.yaml": (
        'name: sum\ntitle: Sum\ntime_limit: 1.5\nmemory_limit: 128\nn_input: 4\npublic_testcases: 0, 1\n'
        'infile: ""\noutfile: ""\n'
    ),
    "gen/GEN": "# ST: 30\n1 2\n3 4  # small\n# ST: 70\n5 6\n#COPY: gen/last.txt\n",
    "statement/statement.tex": STATEMENT,
    **{f"input/input{number}.txt": f"{number} 1\n" for number in range(4)},
    **{f"output/output{number}.txt": f"{number + 1}\n" for number in range(4)},
    "sol/solution.py": ADD,
    "sol/slow.py": ZERO,
}  # fmt: skip
LIGHT = {
    "config.yaml": "type: default\nchecker: chk.cc\ntime: 2.5s\nmemory: 64m\nsubtasks:\n- {score: 40, n_cases: 1}\n"
    "- {score: 60, n_cases: 2}\n",
    "statement.txt": STATEMENT,
    "chk.cc": PLAIN_CHECKER,
    **{f"testdata/{number}.in": f"{number} 2\n" for number in (1, 2, 3)},
    **{f"testdata/{number}.ans": f"{number + 2}\n" for number in (1, 2, 3)},
}  # fmt: skip
PACKAGES: dict[str, dict[str, str]] = {
    "dmoj": DMOJ, "cms": CMS, "frontier_cs": LIGHT, "livecodebench_pro": LIGHT,
}  # fmt: skip


def read(tmp_path: Path, source: str, path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Rows and rejects of packages, with the statements that some sources take from other files."""
    names = ("sum", "loj-7", "other")
    joined = [{"id": name, "language": "cpp", "prompt": "In C++."} for name in names]
    joined += [{"id": name, "language": "Python", "prompt": STATEMENT, "difficulty": "easy"} for name in names]
    problems = [{"problem_id": "sum", "problem_title": "Sum", "problem_statement": STATEMENT, "platform": "Codeforces"}]
    join = {}
    for key, source_of, records in (("statements", "dmoj", joined), ("problems", "livecodebench_pro", problems)):
        if source == source_of:
            file = tmp_path / f"{key}.jsonl"
            file.write_text("".join(json.dumps(one) + "\n" for one in records))
            join[key] = str(file)
    return collect(tmp_path, path, source=source, join=join)


def verdicts(row: Mapping[str, Any], *programs: str) -> list[str]:
    problem = to_problem(dict(row))
    with Grader(workers=1) as grader:
        return [grader.grade(problem, Submission("a", problem.id, code)).verdict.value for code in programs]


@pytest.mark.parametrize("source", PACKAGES)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_package_becomes_a_row_that_judges(tmp_path: Path, source: str, zipped: bool) -> None:
    if source in ("frontier_cs", "livecodebench_pro"):
        needs("cpp")
    content = PACKAGES[source]
    path = write_zip(tmp_path / "sum.zip", content) if zipped else write_package(tmp_path / "sum", content)
    row = only(read(tmp_path, source, path))
    assert row["statement"] == STATEMENT and row["source"] == source and row["problem_id"] == f"{source}:sum"
    assert verdicts(row, ADD, ZERO) == ["ACCEPTED", "WRONG_ANSWER"]


def test_the_points_of_frontier_cs_are_the_mean_of_its_ratios(tmp_path: Path) -> None:
    needs("cpp")
    package = write_package(tmp_path / "sum", {**LIGHT, "chk.cc": RATIO_CHECKER})
    problem = to_problem(only(read(tmp_path, "frontier_cs", package)))
    wanted = {ADD: (1.0, "ACCEPTED"), "print(3)": ((1 + 3 / 4 + 3 / 5) / 3, "WRONG_ANSWER"),
              "print(4)": ((0 + 1 + 4 / 5) / 3, "WRONG_ANSWER"), "print(9)": (0.0, "WRONG_ANSWER"),
              "import sys\nsys.exit('points 1 Ratio: 1.0')": (0.0, "RUNTIME_ERROR")}  # fmt: skip
    with Grader(workers=1) as grader:
        for code, (points, verdict) in wanted.items():
            grade = grader.grade(problem, Submission("a", problem.id, code))
            assert grade.points == pytest.approx(points, abs=1e-4) and grade.max_points == 1
            assert grade.verdict.value == verdict, code


def test_dmoj_batches_become_groups_with_what_they_need(tmp_path: Path) -> None:
    row = only(read(tmp_path, "dmoj", write_package(tmp_path / "sum", DMOJ)))
    assert [(group["max_score"], group["require_pass"]) for group in json.loads(row["groups"])] == [
        (0, []), (40, []), (60, ["2"]),
    ]  # fmt: skip
    assert [test["groups"] for test in row["tests"]] == [["1"], ["2"], ["2"], ["3"]]
    assert [group["tests"] for group in to_problem(row).groups] == [[0], [1, 2], [3]], "the grader gives the points"
    assert row["difficulty"]["level"] == "easy"


def test_dmoj_reads_the_archive_beside_init_yml(tmp_path: Path) -> None:
    files = dict(DMOJ)
    init = files.pop("init.yml")
    folder = write_package(tmp_path / "loj-7", {"init.yml": "archive: data.zip\n" + init})
    write_zip(folder / "data.zip", files)
    row = only(read(tmp_path, "dmoj", folder))
    assert len(row["tests"]) == 4 and row["checker"] is None
    write_zip(folder / "data.zip", {**files, "../../evil": "x"})
    assert only(read(tmp_path, "dmoj", folder)) == "path_traversal"
    write_zip(folder / "data.zip", {**files, "zeros": "\0" * (80 << 20)})
    assert only(read(tmp_path, "dmoj", folder)) == "zip_bomb"
    (folder / "data.zip").unlink()
    assert only(read(tmp_path, "dmoj", folder)) == "no_tests"


@pytest.mark.parametrize(
    ("checker", "answers"),
    [
        ("identical", {"1 2\n": True, "1 2": False}),
        ("easy", {"2 1": True, "12\n": True, "1 3": False}),
        ("{name: sorted, args: {split_on: whitespace}}", {"2\n1": True, "1 1": False}),
        ("{name: floats, args: {precision: 2}}", {"1.001 2": True, "1.1 2": False}),
        ("floatsabs", {"1 2.0000001": True, "1 2.1": False}),
    ],
)
def test_dmoj_checkers_judge_as_there(tmp_path: Path, checker: str, answers: dict[str, bool]) -> None:
    content = {
        "init.yml": f"checker: {checker}\ntest_cases: [{{in: a.in, out: a.out}}]\n",
        "a.in": "",
        "a.out": "1 2\n",
    }
    row = only(read(tmp_path, "dmoj", write_package(tmp_path / "sum", content)))
    programs = [f"import sys\nsys.stdout.write({said!r})" for said in answers]
    assert [verdict == "ACCEPTED" for verdict in verdicts(row, *programs)] == list(answers.values())


def test_cms_subtasks_and_the_tasks_own_solution(tmp_path: Path) -> None:
    row = only(read(tmp_path, "cms", write_package(tmp_path / "sum", CMS)))
    assert [test["groups"] for test in row["tests"]] == [["1"], ["1"], ["2"], ["2"]]
    assert [group["tests"] for group in to_problem(row).groups] == [[0, 1], [2, 3]], "the grader gives the points"
    assert [test["public"] for test in row["tests"]] == [True, True, False, False]
    assert (row["title"], row["time_limit_ms"], row["memory_limit_mb"]) == ("Sum", 1500, 128)
    assert [one["name"] for one in row["solutions"]] == ["sol/solution.py"]


def test_a_cms_checker_is_asked_in_its_own_way_and_only_a_whole_score_accepts(tmp_path: Path) -> None:
    needs("cpp")
    row = only(read(tmp_path, "cms", write_package(tmp_path / "sum", {**CMS, "check/checker.cpp": CMS_CHECKER})))
    almost = "print(sum(map(int, input().split())) + 1)"
    assert verdicts(row, ADD, almost, ZERO, "pass") == ["ACCEPTED", *["WRONG_ANSWER"] * 3]


@pytest.mark.parametrize(
    ("source", "change", "reason"),
    [
        ("dmoj", {"init.yml": LAUGHS}, "broken_yaml"),
        ("dmoj", {"init.yml": "test_cases++: '[1]'\n"}, "computed_keys"),
        ("dmoj", {"init.yml": "test_cases: {input_format: '(a+)+$'}\n"}, "tests_by_pattern"),
        ("dmoj", {"init.yml": "test_cases: [{in: ../../../etc/passwd, out: s.out}]\n"}, "no_tests"),
        ("dmoj", {"init.yml": "test_cases: [{in: /etc/passwd, out: s.out}]\n"}, "no_tests"),
        ("dmoj", {"init.yml": "test_cases: [{in: [1], out: {}}]\n"}, "no_tests"),
        ("dmoj", {"init.yml": "test_cases: [7]\n"}, "broken_tests"),
        ("dmoj", {"init.yml": "test_cases: [{in: s.in, out: s.out, points: many}]\n"}, "broken_tests"),
        ("dmoj", {"init.yml": "test_cases: [{in: s.in, out: s.out, points: 1, dependencies: [9]}]\n"}, "broken_tests"),
        ("dmoj", {"init.yml": "archive: ../x.zip\ntest_cases: []\n"}, "no_tests"),
        ("dmoj", {"init.yml": "generator: g.cpp\ntest_cases: [{generator_args: [1]}]\n"}, "needs_generator"),
        ("dmoj", {"init.yml": "checker: judge.py\ntest_cases: [{in: s.in, out: s.out}]\n"}, "unknown_checker"),
        ("dmoj", {"init.yml": "checker: {name: floats, args: {precision: x}}\ntest_cases: [{in: s.in, out: s.out}]\n"},
         "unknown_checker"),
        ("dmoj", {"init.yml": "custom_judge: j.py\ntest_cases: [{points: 1}]\n"}, "custom_grader"),
        ("dmoj", {"s.in": b"\xff\xfe"}, "invalid_utf8"),
        ("cms", {"task.yaml": "- 1\n"}, "broken_yaml"),
        ("cms", {"task.yaml": "name: sum\n"}, "needs_files"),
        ("cms", {"task.yaml": "output_only: true\n"}, "submit_answer"),
        ("cms", {"task.yaml": 'n_input: 999999999\ninfile: ""\noutfile: ""\n', "gen/GEN": ""}, "no_tests"),
        ("cms", {"gen/GEN": "# ST: many\n1\n"}, "broken_groups"),
        ("cms", {"gen/GEN": "# ST: 100\n1\n2\n3\n4\n5\n"}, "no_tests"),
        ("cms", {"check/manager.cpp": "x"}, "communication"),
        ("cms", {"sol/grader.cpp": "x"}, "linked_grader"),
        ("cms", {"check/checker": "binary"}, "no_checker"),
        ("cms", {"statement/statement.tex": " "}, "no_statement"),
        ("frontier_cs", {"config.yaml": "type: leetcode\n"}, "unknown_type"),
        ("frontier_cs", {"config.yaml": "subtasks: [{n_cases: 99999999999}]\n"}, "broken_tests"),
        ("frontier_cs", {"config.yaml": "subtasks: [{n_cases: 4}]\n"}, "no_tests"),
        ("frontier_cs", {"config.yaml": "subtasks: [{cases: [{input: ../../secret, output: 1.ans}]}]\n"}, "no_tests"),
        ("frontier_cs", {"config.yaml": "checker: ../../etc/chk.cc\nsubtasks: [{n_cases: 1}]\n"}, "no_checker"),
        ("frontier_cs", {"config.yaml": "input_prefix: [x]\nsubtasks: {}\n"}, "broken_tests"),
        ("frontier_cs", {"chk.cc": '#include "../../../etc/passwd"\n'}, "validator_incomplete"),
        ("frontier_cs", {"statement.txt": " "}, "no_statement"),
    ],
)  # fmt: skip
def test_hostile_and_unusable_packages_are_named_rejects(
    tmp_path: Path, source: str, change: dict[str, str | bytes], reason: str
) -> None:
    assert only(read(tmp_path, source, write_zip(tmp_path / "sum.zip", {**PACKAGES[source], **change}))) == reason


@pytest.mark.parametrize("source", PACKAGES)
def test_links_that_point_outside_are_refused(tmp_path: Path, source: str) -> None:
    folder = write_package(tmp_path / "sum", PACKAGES[source])
    inside = {"dmoj": "s.in", "cms": "input/input0.txt"}.get(source, "testdata/1.in")
    (folder / inside).unlink()
    (folder / inside).symlink_to("/etc/hostname")
    assert only(read(tmp_path, source, folder)) in ("link_out_of_package", "no_tests")
    path = tmp_path / "sum.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in PACKAGES[source].items():
            member = zipfile.ZipInfo(name)
            member.external_attr = ((stat.S_IFLNK if name == inside else stat.S_IFREG) | 0o644) << 16
            archive.writestr(member, "/etc/hostname" if name == inside else text)
    assert only(read(tmp_path, source, path)) == "link_out_of_package"


def test_statements_that_are_not_there_are_named(tmp_path: Path) -> None:
    for source, folder in (("dmoj", "unknown"), ("livecodebench_pro", "404Z")):
        package = write_package(tmp_path / folder, PACKAGES[source])
        assert only(read(tmp_path, source, package)) == "join_finds_nothing"
        assert only(collect(tmp_path, package, source=source)) == "needs_join"


def test_an_interactive_package_has_an_interactor(tmp_path: Path) -> None:
    config = "type: interactive\ninteractor: judge.cpp\nsubtasks: [{n_cases: 1}]\n"
    light = {**LIGHT, "config.yaml": config, "judge.cpp": "int main() { return 0; }"}
    init = "interactive: {files: judge.cpp, type: testlib}\ntest_cases: [{in: s.in, points: 1}]\n"
    dmoj = {**DMOJ, "init.yml": init, "judge.cpp": "int main() { return 0; }"}
    for source, content in (("frontier_cs", light), ("dmoj", dmoj)):
        row = only(read(tmp_path, source, write_zip(tmp_path / "sum.zip", content)))
        assert row["kind"] == "interactive" and row["checker"] is None and row["interactor"]["style"] == "testlib"


def test_a_package_that_changes_is_another_input(tmp_path: Path) -> None:
    from microcoder_data.reading.packages import package_digest

    folder = write_package(tmp_path / "sum", LIGHT)
    before = package_digest(str(folder))
    (folder / "testdata/1.ans").write_text("4\n")
    assert package_digest(str(folder))[1] != before[1]
    os.mkfifo(folder / "testdata/pipe")
    assert package_digest(str(folder))[1] != before[1]
