"""The report of a run: what it holds, that hostile text stays text, that it is the same for the same run."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from microcoder_eval import Verdict
from microcoder_eval.commands import evaluate
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.report.cells import VERDICT_TONES
from microcoder_eval.report.page import (
    Bar,
    Figure,
    Html,
    bar_chart,
    element,
    embedded_json,
    figures,
    page,
    section,
    table,
)
from microcoder_eval.report.run_report import run_report
from microcoder_eval.report.searchable_table import CODE_CHARACTERS, MOST_ROWS
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.verdict import GroupResult
from tests.eval.made_up_runs import graded, write_lines, write_run

pytestmark = pytest.mark.fast

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\"'\u2028\u202e\ud800\x00]]>"


def listed(html: str) -> dict[str, Any]:
    """The rows of the table."""
    found = re.search(r'<script type="application/json" id="submissions">(.*?)</script>', html)
    assert found
    return json.loads(found[1])


def unpacked(html: str, name: str) -> list[Any]:
    blocks = re.findall(rf'<script type="text/plain" id="submissions-{name}-\d+">(.*?)</script>', html)
    return [item for block in blocks for item in json.loads(zlib.decompress(base64.b64decode(block)))]


class Elements(HTMLParser):
    """Names and attributes of the elements that a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_rows_details_and_programs_of_a_run(tmp_path: Path) -> None:
    grades = [
        graded("s2", "two-sum", "WRONG_ANSWER", detail="line 1: expected '3', got '4'", code="print(4)"),
        graded("s1", "two-sum", rung="tokens", cpu_ms=33.25, code="print(3)"),
        graded("s1", "bit-sum", "NO_CODE", code=None),
        graded("s3", "two-sum", code="print(3)"),
    ]
    attributes = {"two-sum": ProblemAttributes("leetcode", "easy")}
    html = run_report(GradingRun(write_run(tmp_path / "run", grades, attributes)))
    rows = [dict(zip((c["title"] for c in listed(html)["columns"]), row, strict=True)) for row in listed(html)["rows"]]
    assert [(row["Problem"], row["Submission"], row["Verdict"]) for row in rows] == [
        ("bit-sum", "s1", "NO_CODE"),
        ("two-sum", "s2", "WRONG_ANSWER"),
        ("two-sum", "s1", "ACCEPTED"),
        ("two-sum", "s3", "ACCEPTED"),
    ], "failures first"
    assert [row["Rung"] for row in rows] == ["", "", "tokens", "exact"]
    assert rows[1]["First difference"] == "line 1: expected '3', got '4'"
    assert rows[2]["Platform"] == "leetcode" and rows[0]["Platform"] == ""
    details = unpacked(html, "details")
    assert [side["code"] for (side,) in details] == [None, 0, 1, 1]
    assert unpacked(html, "code") == [["print(4)", None], ["print(3)", None]], "the same program is stored once"
    assert details[2][0]["tests"] == [[0, "ACCEPTED", 33.2, 34.2, 8, "tokens", ""]]


def test_the_same_run_gives_the_same_bytes_in_whatever_order_it_ended(tmp_path: Path) -> None:
    grades = [graded(f"s{i}", f"p{i % 5}", list(Verdict)[i % 10], cpu_ms=i % 3) for i in range(60)]
    first = run_report(GradingRun(write_run(tmp_path / "a" / "run", grades)))
    random.Random(3).shuffle(grades)
    assert run_report(GradingRun(write_run(tmp_path / "b" / "run", grades))) == first


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    grade = graded(f"s{HOSTILE}", f"p{HOSTILE}", "RUNTIME_ERROR", detail=HOSTILE, code=HOSTILE)
    run = write_run(tmp_path / "run", [grade], {grade.problem_id: ProblemAttributes(HOSTILE.lower(), HOSTILE.lower())})
    elements = Elements(run_report(GradingRun(run))).seen
    assert [attributes.get("type") for name, attributes in elements if name == "script"] == [
        None,
        "application/json",
        "text/plain",
        "text/plain",
        "module",
    ]
    assert not [
        name for name, attributes in elements if name == "img" or any(key.startswith("on") for key in attributes)
    ]


def test_the_page_loads_nothing(tmp_path: Path) -> None:
    html = run_report(GradingRun(write_run(tmp_path / "run", [graded("s", "p")])))
    elements = Elements(html).seen
    assert not [name for name, attributes in elements if name in ("link", "img", "iframe") or "src" in attributes]
    policy = next(attributes["content"] for _, attributes in elements if "http-equiv" in attributes)
    assert policy is not None and policy.startswith("default-src 'none';") and "unsafe-eval" not in policy
    assert "url(" not in html and "@import" not in html


def test_long_programs_and_details_are_cut_with_their_length_kept(tmp_path: Path) -> None:
    code = "x = 1\n" * 40_000
    html = run_report(
        GradingRun(write_run(tmp_path / "run", [graded("s", "p", "RUNTIME_ERROR", detail="e" * 10**6, code=code)]))
    )
    assert unpacked(html, "code") == [[code[:CODE_CHARACTERS], len(code)]]
    assert len(unpacked(html, "details")[0][0]["detail"]) < 3000
    assert len(html) < 100_000


def test_more_submissions_than_can_be_listed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    line = graded("sub", "p").to_dict()
    write_lines(run / "grades.jsonl", ({**line, "submission_id": f"s{i:06d}"} for i in reversed(range(MOST_ROWS + 5))))
    html = run_report(GradingRun(run))
    rows = listed(html)["rows"]
    assert len(rows) == MOST_ROWS and rows[0][1] == "s000000"
    assert f"The first {MOST_ROWS:,} of {MOST_ROWS + 5:,}" in html


def test_a_run_without_grades_says_so_and_shows_no_empty_sections(tmp_path: Path) -> None:
    html = run_report(GradingRun(write_run(tmp_path / "run", [])))
    assert "Nothing was graded" in html and "bad_input in summary.json" in html
    assert html.count("<section>") == 1


def test_every_verdict_has_a_tone() -> None:
    assert set(VERDICT_TONES) == set(Verdict)


def test_grading_writes_scores_and_report(tmp_path: Path) -> None:
    problems = write_lines(
        tmp_path / "problems.jsonl",
        [
            {"id": "one", "platform": "AtCoder", "difficulty": "easy", "tests": [{"input": "", "output": "1"}]},
            {"id": "two", "platform": "LeetCode", "difficulty": "hard", "tests": [{"input": "", "output": "2"}]},
        ],
    )
    submissions = write_lines(
        tmp_path / "submissions.jsonl",
        [{"id": f"{p}-{n}", "problem_id": p, "code": f"print({n})"} for p in ("one", "two") for n in (1, 2, 3, 2)],
    )
    out = tmp_path / "run"
    call = ["grade", "--problems", str(problems), "--submissions", str(submissions), "--out", str(out), "--quiet"]
    shown = CliRunner().invoke(evaluate, call)
    assert shown.exit_code == 1, shown.output  # one submission is there twice
    assert "mean@3 33.3%" in shown.output and "pass@2 66.7%" in shown.output and "atcoder" in shown.output
    summary = json.loads((out / "summary.json").read_text())
    assert summary["submissions"] == 6 and summary["accepted"] == 2 and summary["acceptances_by_rung"]
    assert summary["scores"]["mean_at_n"]["value"] == pytest.approx(1 / 3, abs=1e-6)
    assert summary["scores"]["table"]["atcoder"]["easy"]["problems"] == 1
    assert len(summary["slowest_tests"]) == 6
    assert "AtCoder" in (out / "report.html").read_text(encoding="utf-8")

    (out / "report.html").unlink()
    again = CliRunner().invoke(evaluate, ["report", str(out)])
    assert again.exit_code == 0 and (out / "report.html").exists()


@pytest.mark.parametrize("text", ["[]", "{", '{"p": 1}'])
def test_a_broken_directory_ends_in_one_line(tmp_path: Path, text: str) -> None:
    run = write_run(tmp_path / "run", [graded("s", "p")])
    (run / "problems.json").write_text(text)
    shown = CliRunner().invoke(evaluate, ["report", str(run)])
    assert shown.exit_code == 2
    assert len(shown.output.splitlines()) == 1 and "problems.json" in shown.output


def test_a_mistake_ends_in_one_line(tmp_path: Path) -> None:
    shown = CliRunner().invoke(evaluate, ["report", str(tmp_path)])
    assert shown.exit_code == 2
    assert shown.output.splitlines() == [f"Error: {tmp_path}: not a grading run: there is no grades.jsonl"]


@given(st.text(), st.text())
def test_text_on_a_page_is_never_an_element(text: str, other: str) -> None:
    html = page(
        text,
        section(text, other, note=other),
        figures([Figure(text, other, text)]),
        bar_chart(text, [Bar(other, 1.0, text)]),
        table([text], [[other]]),
        embedded_json("values", [text, {other: text}]),
        element("p", text, title=other),
        lead=other,
    )
    names = [name for name, _ in Elements(html).seen if name in ("script", "style", "section", "img", "table", "dl")]
    assert names == ["style", "script", "section", "dl", "table", "script", "script"]
    html.encode("utf-8")


def test_html_is_kept_and_other_text_is_escaped() -> None:
    assert element("p", Html("<b>x</b>"), "<b>") == "<p><b>x</b>&lt;b&gt;</p>"
    assert element("input", disabled=True, value='"', checked=False, max=None) == '<input disabled value="&quot;">'


def test_points_of_scoring_problems_are_listed_and_summed(tmp_path: Path) -> None:
    groups = (
        GroupResult("small", Verdict.ACCEPTED, 30, 30),
        GroupResult("large", Verdict.TIME_LIMIT, 0, 70),
        GroupResult("all", Verdict.TIME_LIMIT, 30, 100),
    )
    scored = replace(graded("s1", "islands", "TIME_LIMIT"), points=30.0, max_points=100.0, groups=groups)
    full = replace(graded("s2", "islands"), points=100.0, max_points=100.0)
    run = write_run(tmp_path / "run", [scored, full, graded("s1", "sum")])
    html = run_report(GradingRun(run))
    titles = [column["title"] for column in listed(html)["columns"]]
    assert [row[titles.index("Points")] for row in listed(html)["rows"]] == [[30.0, 100.0], [100.0, 100.0], ""]
    assert unpacked(html, "details")[0][0]["groups"][1] == ["large", "TIME_LIMIT", 0, 70]
    assert "130 of 200" in html and "2 submissions to problems with scoring" in html
    summary = json.loads((run / "summary.json").read_text())
    assert summary["points"] == {"submissions": 2, "points": 130.0, "max_points": 200.0}
    plain = write_run(tmp_path / "plain", [graded("s1", "sum")])
    assert "Points" not in [column["title"] for column in listed(run_report(GradingRun(plain)))["columns"]]
    assert "points" not in json.loads((plain / "summary.json").read_text())


def test_points_without_bound_are_summed_without_one(tmp_path: Path) -> None:
    grades = [replace(graded(f"s{points}", "art"), points=points, max_points=None) for points in (2.5, 4.0)]
    run = write_run(tmp_path / "run", grades)
    assert json.loads((run / "summary.json").read_text())["points"]["max_points"] is None
    assert ">6.5<" in run_report(GradingRun(run))


def test_a_submission_does_not_repeat_its_problems_name(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [graded("sum/wrong/late.py", "sum"), graded("sum/", "sum"), graded("s", "sum")])
    assert sorted(row[1] for row in listed(run_report(GradingRun(run)))["rows"]) == ["s", "sum/", "wrong/late.py"]


def test_many_difficulties_are_lines_of_the_table_of_scores(tmp_path: Path) -> None:
    ratings = [str(800 + 100 * step) for step in range(20)]
    grades = [graded("s", rating) for rating in ratings]
    attributes = {rating: ProblemAttributes(difficulty=rating) for rating in ratings}
    run = GradingRun(write_run(tmp_path / "run", grades, attributes=attributes))
    scores = run_report(run).split("Platform and difficulty")[1].split("</table>")[0]
    assert scores.count("<tr>") == 22 and scores.count("<th ") + scores.count("<th>") == 2
