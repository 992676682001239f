"""The commands as a user types them."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from microcoder_data.problem_set.commands import problems
from tests.data.problem_set.folders import edit

ROOT = Path(__file__).parents[3]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(problems, [str(word) for word in words])


def test_list_filters_and_counts() -> None:
    everything = json.loads(run("list", "--json").stdout)["problems"]
    hard_calls = json.loads(run("list", "--kind", "call", "--difficulty", "hard", "--json").stdout)["problems"]
    assert 0 < len(hard_calls) < len(everything)
    assert all(problem["kind"] == "call" and problem["difficulty"] == "hard" for problem in hard_calls)
    assert f"{len(everything)} problems:" in run("list").stdout
    games = json.loads(run("list", "--tag", "games", "--json").stdout)["problems"]
    assert games and all("games" in problem["tags"] for problem in games)


def test_show_prints_the_statement_or_a_solution() -> None:
    shown = run("show", "dark-cells").stdout
    assert shown.startswith("# Dark Cells\n")
    assert "## Samples" in shown and "wrong/every_row.py: looks at every row" in shown
    assert run("show", "dark-cells", "--solution", "right/sets.py").stdout.startswith("import sys\n")
    assert json.loads(run("show", "dark-cells", "--json").stdout)["title"] == "Dark Cells"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["show", "dark-cell"], "Error: no problem 'dark-cell'; did you mean 'dark-cells'?"),
        (["show", "nowhere"], "Error: no problem 'nowhere'; `microcoder problems list` names all"),
        (
            ["show", "dark-cells", "--solution", "x.py"],
            "Error: dark-cells has no solution 'x.py'; it has: right/gaps.py",
        ),
        (["list", "--tag", "game"], "Error: no problem has the tag 'game'; did you mean 'games'?"),
        (["check", "dark-cells", "--root", "/nowhere"], "Error: /nowhere: no such folder"),
        (["new", "Lost Keys"], "Error: 'Lost Keys' cannot be a problem's name"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(words: list[str], line: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["new", "lost-keys", "--root"], ["export"], ["raw"]], ids=lambda words: words[0])
def test_a_disk_that_takes_no_more_leaves_nothing_half_written(tmp_path: Path, words: list[str]) -> None:
    """No file may be longer than 100 bytes; a full disk fails at the same place."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", "problems", *words, tmp_path / "made"],
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stderr.startswith("Error: ") and done.stderr.count("\n") == 1
    assert list((tmp_path / "made").iterdir()) == []


def test_new_makes_a_problem_that_passes_the_check_once(tmp_path: Path) -> None:
    assert run("new", "lost-keys", "--kind", "call", "--root", tmp_path).exit_code == 0
    checked = run("check", "lost-keys", "--root", tmp_path)
    assert checked.exit_code == 0
    assert "wrong/minus_sign.py: RUNTIME_ERROR: takes the minus sign for a digit" in checked.stdout
    assert "nothing is wrong" in checked.stdout
    again = run("new", "lost-keys", "--root", tmp_path)
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)


def test_check_ends_with_status_1_and_says_what_is_wrong(tmp_path: Path) -> None:
    run("new", "lost-keys", "--root", tmp_path)
    edit(tmp_path / "lost-keys" / "statement.md", "```output\n3\n", "```output\n4\n")
    checked = run("check", "--root", tmp_path)
    assert checked.exit_code == 1
    assert "the output of sample 1 is not the reference's" in checked.stdout
    as_json = json.loads(run("check", "--root", tmp_path, "--json").stdout)
    assert not as_json["ok"]
    assert len(as_json["problems"][0]["faults"]) == 1


def test_export_writes_what_the_grader_reads(tmp_path: Path) -> None:
    from microcoder_eval import Problem, Submission

    run("new", "lost-keys", "--root", tmp_path / "set")
    run("new", "good-calls", "--kind", "call", "--root", tmp_path / "set")
    assert run("export", tmp_path / "out", "--root", tmp_path / "set").exit_code == 0
    lines = (tmp_path / "out" / "problems.jsonl").read_text().splitlines()
    exported = {problem.id: problem for problem in map(Problem.from_dict, map(json.loads, lines))}
    assert sorted(exported) == ["good-calls", "lost-keys"]
    assert exported["good-calls"].tests[0].output == 3
    records = [json.loads(line) for line in (tmp_path / "out" / "submissions.jsonl").read_text().splitlines()]
    assert all(Submission.from_dict(record).problem_id in exported for record in records)
    assert {record["announced"] for record in records} == {"accepted", "wrong", "crash"}


@pytest.mark.parametrize("words", [["list"], ["export", "out"], ["raw", "out"], ["check"]])
def test_a_folder_without_problems_is_said_and_nothing_is_written(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run(words[0], *(tmp_path / word for word in words[1:]), "--root", tmp_path / "empty")
    assert result.exit_code == 2 and "no problems here" in result.stderr
    assert not (tmp_path / "out").exists()
