"""Comparing two runs: what moved, how sure the change is, what is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from microcoder_eval import Grade, InputError
from microcoder_eval.commands import evaluate
from microcoder_eval.report.changes import compare_runs
from microcoder_eval.runs.grading_run import GradingRun
from tests.eval.made_up_runs import graded, write_run

pytestmark = pytest.mark.fast


def grades(verdicts: dict[str, str], prefix: str = "") -> list[Grade]:
    """Problem: a letter for each of its samples."""
    names = {"A": "ACCEPTED", "W": "WRONG_ANSWER", "T": "TIME_LIMIT", "J": "JUDGE_ERROR"}
    return [
        graded(f"{prefix}{problem}-{number}", problem, names[letter], detail="" if letter == "A" else f"why {letter}")
        for problem, letters in verdicts.items()
        for number, letter in enumerate(letters)
    ]


def runs(tmp_path: Path, before: list[Grade], after: list[Grade]) -> tuple[Path, Path]:
    return write_run(tmp_path / "before", before), write_run(tmp_path / "after", after)


def test_verdict_changes_and_score_of_the_same_submissions(tmp_path: Path) -> None:
    a, b = runs(tmp_path, grades({"p": "AAWT", "q": "WW", "r": "A"}), grades({"p": "AWAW", "q": "AW", "r": "A"}))
    changes = compare_runs(GradingRun(a), GradingRun(b))
    assert changes.paired_by == "submission"
    assert [(c.submission_id, c.kind) for c in changes.verdicts] == [
        ("p-1", "lost"),
        ("p-2", "gained"),
        ("p-3", "other"),
        ("q-0", "gained"),
    ]
    assert (changes.before.value, changes.after.value) == pytest.approx((1.5 / 3, 2 / 3))
    assert changes.change.value == pytest.approx(0.5 / 3)
    assert [(p.problem_id, p.change) for p in changes.problems] == [("q", 0.5)]


def test_runs_under_other_settings_say_so(tmp_path: Path) -> None:
    a, b = runs(tmp_path, grades({"p": "A"}), grades({"p": "W"}))
    assert "other settings" not in CliRunner().invoke(evaluate, ["diff", str(a), str(b)]).output
    (b / "run.json").write_text(json.dumps(json.loads((a / "run.json").read_text()) | {"policy": "lenient"}))
    shown = CliRunner().invoke(evaluate, ["diff", str(a), str(b), "--out", str(tmp_path / "changes.html")])
    assert "other settings: policy contest -> lenient" in shown.output, shown.output
    assert "policy contest → lenient" in (tmp_path / "changes.html").read_text()


def test_changes_are_listed_as_people_count(tmp_path: Path) -> None:
    a, b = runs(tmp_path, grades({"p": "A" * 11}), grades({"p": "W" * 11}))
    changes = compare_runs(GradingRun(a), GradingRun(b))
    assert [change.submission_id for change in changes.verdicts] == [f"p-{number}" for number in range(11)]


def test_the_change_is_surer_than_the_scores_because_problems_are_paired(tmp_path: Path) -> None:
    before = {f"p{i}": "A" if i % 2 else "W" for i in range(100)}
    changes = compare_runs(*map(GradingRun, runs(tmp_path, grades(before), grades(before | {"p1": "W"}))))
    assert changes.change.value == pytest.approx(-0.01)
    assert changes.change.low == pytest.approx(-0.03)
    assert changes.change.high == 0.0
    assert changes.before.high is not None and changes.before.low is not None
    assert changes.before.high - changes.before.low > 0.15


def test_a_judge_error_on_one_side_leaves_the_score_of_both(tmp_path: Path) -> None:
    a, b = runs(tmp_path, grades({"p": "AW", "q": "AA"}), grades({"p": "JA", "q": "AA"}))
    changes = compare_runs(GradingRun(a), GradingRun(b))
    assert changes.judge_errors == 1
    assert (changes.before.value, changes.after.value) == (0.5, 1.0)
    assert [(c.submission_id, c.kind) for c in changes.verdicts] == [("p-0", "other"), ("p-1", "gained")]


def test_runs_of_other_samples_are_compared_problem_by_problem(tmp_path: Path) -> None:
    a = grades({"p": "AW", "q": "WW", "only": "A"}, prefix="one-")
    b = grades({"p": "AAAW", "q": "WWWW"}, prefix="two-")
    changes = compare_runs(*map(GradingRun, runs(tmp_path, a, b)))
    assert (changes.paired_by, changes.compared, changes.only_before, changes.only_after) == ("problem", 2, 1, 0)
    assert (changes.before.value, changes.after.value) == (0.25, 0.375)
    assert changes.verdicts == ()


def test_submissions_on_one_side_only_are_counted_and_left_out(tmp_path: Path) -> None:
    a, b = runs(tmp_path, grades({"p": "AWW"}), grades({"p": "A", "z": "AA"}))
    changes = compare_runs(GradingRun(a), GradingRun(b))
    assert (changes.compared, changes.only_before, changes.only_after) == (1, 2, 2)
    assert changes.change.value == 0.0


def test_the_command_prints_writes_a_page_and_speaks_json(tmp_path: Path) -> None:
    a, b = runs(tmp_path, grades({"p": "AAWT", "q": "WW"}), grades({"p": "AWAW", "q": "AW"}))
    page = tmp_path / "changes.html"
    shown = CliRunner().invoke(evaluate, ["diff", str(a), str(b), "--out", str(page)])
    assert shown.exit_code == 0, shown.output
    assert "before: before, after: after, 6 submissions in both" in shown.output
    assert "score 25.00% -> 50.00%, change +25.00 points" in shown.output
    assert "gained 2, lost 1, other 1" in shown.output
    assert "before → after" in page.read_text(encoding="utf-8")

    spoken = json.loads(CliRunner().invoke(evaluate, ["diff", str(a), str(b), "--json"]).output)
    assert (spoken["gained"], spoken["lost"], spoken["other"]) == (2, 1, 1)
    assert spoken["score"]["change"]["value"] == 0.25
    assert spoken["moves"][0] == {"before": "WRONG_ANSWER", "after": "ACCEPTED", "submissions": 2}
    assert spoken["problems"] == [{"problem_id": "q", "before": 0.0, "after": 0.5, "change": 0.5}]


def test_nothing_changed(tmp_path: Path) -> None:
    a, b = runs(tmp_path, grades({"p": "A", "q": "W"}), grades({"p": "A", "q": "W"}))
    shown = CliRunner().invoke(evaluate, ["diff", str(a), str(b), "--html", str(tmp_path / "same.html")])
    assert shown.exit_code == 0
    assert "nothing changed" in shown.output


@pytest.mark.parametrize("kind", ["no directory", "no problem in common", "not grades"])
def test_a_mistake_ends_in_one_line(tmp_path: Path, kind: str) -> None:
    a = write_run(tmp_path / "a", grades({"p": "A"}))
    b = tmp_path / "b"
    if kind == "no problem in common":
        write_run(b, grades({"z": "A"}))
    elif kind == "not grades":
        b.mkdir()
        (b / "grades.jsonl").write_text('{"id": 1}\n')
    shown = CliRunner().invoke(evaluate, ["diff", str(a), str(b)])
    assert shown.exit_code == 2
    assert len(shown.output.splitlines()) == 1
    assert shown.output.startswith("Error: ") and str(b) in shown.output


def test_a_torn_last_line_is_left_out_and_a_torn_line_inside_is_not(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", grades({"p": "AW"}))
    whole = (run / "grades.jsonl").read_bytes()
    (run / "grades.jsonl").write_bytes(whole[:-20])
    assert [grade.submission_id for grade in GradingRun(run).grades()] == ["p-0"]
    (run / "grades.jsonl").write_bytes(whole[:-20] + b"\n")
    with pytest.raises(InputError, match="line 2"):
        list(GradingRun(run).grades())
