# ruff: noqa: E501 - a file's content on the line that names it
"""Folders of runs that somebody else has made: shown, compared, reported, continued, listed by `microcoder home`.

Whatever such a folder holds, an `InputError` names it or a page is written. None of its text becomes HTML, no command
waits for a pipe, and no link leads a writer to the user's files.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Grade, InputError, TestResult, Verdict
from microcoder_eval.arguments import long_integers
from microcoder_eval.grading.look_up import completed
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.report.changes import compare_runs
from microcoder_eval.report.changes_report import write_changes_report
from microcoder_eval.report.home import MARK, write_home
from microcoder_eval.report.run_report import write_run_report
from microcoder_eval.runs.evidence import Evidence
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.runs.run_directory import RunDirectory
from microcoder_eval.scoring import GroupResult
from microcoder_eval.verdict import Excerpt, Raised
from tests.eval.made_up_runs import SETTINGS, graded, write_run

pytestmark = pytest.mark.fast

FILES = ("run.json", "summary.json", "sources.json", "problems.json", "statements.jsonl", "grades.jsonl", "manifest.json", "metrics.jsonl", "evals.jsonl")  # fmt: skip
CONTENTS = (
    *("", "5", "null", "[]", '"x"', "{", "[" * 50_000, '{"a": NaN}', '{"submissions": 1e999}', '{"p": 5}'),
    '{"accepted": ' + "9" * 6000 + ', "submissions": 1, "rows": ' + "9" * 6000 + ', "step": [[]], "accuracy": NaN}',
    '{"accepted": true, "submissions": [], "verdicts": 5, "scores": [1]}',
    *('{"policy": {"a": []}}', '{"problems": 5, "names": 5}', '{"problems": "/dev/zero", "names": {"problems": 5}}'),
    *('{"problems": "PIPE", "names": {"problems": {"tests": 5}}}', '{"problems": "PIPE", "names": {}}'),
    *('{"p": {"platform": 5, "difficulty": [1]}}', '{"problem_id": "p", "statement": 5}'),
)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "runs" / "run", [graded("s", "p"), graded("t", "p", "WRONG_ANSWER")])


def use(run: Path) -> None:
    """Everything that a command does with the folder of a run."""
    other = write_run(run.parent.parent / "other", [graded("s", "p", "WRONG_ANSWER")])

    def complete() -> None:
        for grade, evidence in GradingRun(run).explained():
            GradingRun(run).statements({grade.problem_id})
            completed(GradingRun(run), grade, evidence)

    def compare() -> None:
        first, second = GradingRun(other), GradingRun(run)
        write_changes_report(run.parent / "changes.html", compare_runs(first, second), first, second)

    def resume() -> None:
        with RunDirectory(run, SETTINGS, resume=True) as directory:
            directory.write(graded("new", "p"))

    for one in (lambda: write_home(run.parent), lambda: write_run_report(run), complete, compare, resume):
        try:
            with long_integers():
                one()
        except InputError as error:
            assert str(error)
    for file in other.iterdir():
        file.unlink()


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_run_holds_anything(run: Path, name: str) -> None:
    pipe = run.parent / "pipe.jsonl"
    os.mkfifo(pipe)
    kept = {file.name: file.read_bytes() for file in run.iterdir() if file.is_file()}
    for content in CONTENTS:
        for file in run.iterdir():
            file.unlink()
        for other, data in kept.items():
            if other != "grades.jsonl" or name not in ("manifest.json", "metrics.jsonl", "evals.jsonl"):
                (run / other).write_bytes(data)
        (run / "README.md").write_text("")
        (run / "metrics.jsonl").touch() if name == "evals.jsonl" else None
        (run / name).write_text(content.replace("PIPE", str(pipe)))
        use(run)


@pytest.mark.parametrize("name", [*FILES, ".lock", "report.html"])
@pytest.mark.parametrize("kind", ["pipe", "directory", "device", "loop", "nowhere"])
def test_a_file_of_the_run_is_none(run: Path, name: str, kind: str) -> None:
    (run / name).unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(run / name)
    elif kind == "directory":
        (run / name).mkdir()
    else:
        (run / name).symlink_to({"device": "/dev/zero", "loop": name, "nowhere": run.parent / "yours"}[kind])
    use(run)
    assert not (run.parent / "yours").exists()


@pytest.mark.parametrize(
    "name", [".lock", "grades.jsonl", "statements.jsonl", "run.json", "summary.json", "report.html"]
)
def test_no_link_of_the_run_leads_a_writer_to_your_files(run: Path, name: str) -> None:
    yours = run.parent / "yours.txt"
    yours.write_text("yours\n")
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(yours)
    (run / f".tmp-{os.getpid()}-{name}").symlink_to(yours)
    use(run)
    assert yours.read_text() == "yours\n"


HOSTILE_NAMES = [
    *("<img src=x onerror=alert(1)>", "a\x1b[2Jb", "\udcff\udcfe", "a\nb", "'\"; $(x)", "javascript:alert(1)", "%2e"),
    *(
        "x' onclick='alert(1)",
        '" autofocus onfocus="alert(1)',
        "</title><script>alert(1)<",
        "{{x}}",
        "\u202etxt",
        "-rf",
    ),
]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_home_of_hostile_names_and_times(tmp_path: Path, name: str) -> None:
    name = name.replace("/", "\u2044")
    run = write_run(tmp_path / name, [graded("s", "p")])
    (run / f"{name}.html").write_text("x")
    for seconds in (2**40, -(2**40), 2**33):
        os.utime(run / "grades.jsonl", (seconds, seconds))
        out, found = write_home(tmp_path)
        assert {each.kind for each in found} == {"grading", "page"}
        check_page(out)


@pytest.mark.parametrize("kind", ["pipe", "directory", "device"])
def test_home_where_its_page_is_no_file(tmp_path: Path, kind: str) -> None:
    index = tmp_path / "index.html"
    if kind == "pipe":
        os.mkfifo(index)
    elif kind == "directory":
        index.mkdir()
    else:
        index.symlink_to("/dev/zero")
    with pytest.raises(InputError, match="another page"):
        write_home(tmp_path)


class Elements(HTMLParser):
    """The elements of a page that run or load something."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.bad: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = dict(attrs).get("type")
        self.scripts += tag == "script" and kind not in ("application/json", "text/plain")
        self.bad += [tag] if tag in ("img", "iframe", "object", "embed", "link", "base", "form") else []
        self.bad += [name for name, _ in attrs if name.startswith("on")]
        self.bad += [
            value or "" for name, value in attrs if name in ("href", "src") and re.match(r"\s*\w+:", value or "")
        ]


def check_page(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    found = Elements()
    found.feed(text)
    assert found.bad == []
    assert found.scripts == 2  # the theme, and the page's own
    return text


EVIL = (
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "--><svg onload=alert(1)>", "\"' onmouseover='alert(1)' x=\"", "]]><iframe src=javascript:alert(1)>",
    "<!--<script>", "\u2028\u2029</textarea></title></style>", "\ud800</script\n>", "javascript:alert(1)",
    "\x00<\x00script>", "&lt;script&gt;&#60;img src=x onerror=alert(1)&#62;",
)  # fmt: skip


def evil_grade(evil: str) -> tuple[Grade, Evidence]:
    said = Excerpt(evil, 0, len(evil))
    test = TestResult(
        0,
        Verdict.WRONG_ANSWER,
        1.0,
        1.0,
        1,
        evil,
        evil,
        output=said,
        stderr=said,
        expected=said,
        raised=Raised(1, evil),
    )
    right = dataclasses.replace(test, index=1, verdict=Verdict.ACCEPTED)
    groups = (GroupResult(evil, Verdict.WRONG_ANSWER, 0.0, 1.0),)
    grade = Grade(
        evil,
        evil,
        Verdict.WRONG_ANSWER,
        1,
        2,
        (test, right),
        evil,
        evil,
        notes=(evil,),
        language=evil,
        points=0.0,
        max_points=1.0,
        groups=groups,
    )
    fields: dict[str, Any] = {evil: evil, "model": evil, "temperature": evil}
    return grade, Evidence(fields, said, {0: (said, said)}, evil)


@pytest.mark.parametrize("evil", EVIL)
def test_no_text_of_a_run_becomes_part_of_a_page(tmp_path: Path, evil: str) -> None:
    grade, evidence = evil_grade(evil)
    runs = []
    for name in ("first", "second"):
        path = tmp_path / "runs" / name
        runs.append(path)
        with RunDirectory(path, {**SETTINGS, "policy": evil, evil: evil}, resume=False) as directory:
            about = {evil: ProblemAttributes(evil, evil)}
            directory.write_attributes(about)
            changed = grade if name == "first" else dataclasses.replace(grade, verdict=Verdict.ACCEPTED)
            directory.write(changed, evidence)
            directory.write(dataclasses.replace(grade, submission_id="more"), evidence)
            directory.write_summary(about, name=evil)
        (path / "statements.jsonl").write_text(
            json.dumps({"problem_id": evil, "statement": {"text": evil, "start": 0, "size": 1}}) + "\n"
        )
        check_page(write_run_report(path))
    first, second = map(GradingRun, runs)
    page = tmp_path / "changes.html"
    write_changes_report(page, compare_runs(first, second), first, second)
    check_page(page)
    out, _ = write_home(tmp_path)
    assert MARK in check_page(out)


def test_the_scripts_of_pages_make_no_html_of_texts() -> None:
    scripts = {
        each.name: each.read_text()
        for each in resources.files("microcoder_eval.report").iterdir()
        if each.name.endswith(".js")
    }
    assert len(scripts) >= 4
    for name, script in scripts.items():
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|setAttribute\([\"']on",
            script,
        ), name
