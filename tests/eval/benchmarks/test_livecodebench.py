"""LiveCodeBench: its files and windows, its formats, its verdicts and scores, and where an honest judge differs.

The verdicts in `cases/livecodebench_programs.jsonl` and `livecodebench_idioms.json` were given by LiveCodeBench's own
`codegen_metrics` (commit 28fef95), by `bench/livecodebench_agreement.py`; nothing was labelled by hand.
"""

from __future__ import annotations

import base64
import json
import os
import pickle
import subprocess
import sys
import zlib
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Grader, InputError, Problem, Submission
from microcoder_eval.benchmarks.livecodebench.generations import last_fence, read_generations
from microcoder_eval.benchmarks.livecodebench.private_tests import unpack
from microcoder_eval.benchmarks.livecodebench.questions import Questions
from microcoder_eval.benchmarks.livecodebench.rewritten_program import (
    livecodebench_problem,
    livecodebench_program,
    may_keep_state,
)

CASES = Path(__file__).parents[1] / "cases"
ROOT = str(Path(__file__).parents[3])
TESTS = {
    "stdin": [("3 4\n1 -2 3\n", "2\n5 0.5 -7\n"), ("12 1\n\n8\n", "2\n8 1.25 Yes\n")],
    "call": [('[3, 1, 2]\n"ab"', "[[1, 2], [3, 0]]"), ('[]\n""', "[[4]]")],
    "number": [("[1, 2]", "5"), ("[7]", "1")],
}
FUNCTIONS = {"call": "pairs", "number": "count"}


def packed(value: object) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def question(name: str, kind: str = "stdin", **fields: Any) -> dict[str, Any]:
    tests = [{"input": given, "output": wanted, "testtype": "stdin"} for given, wanted in TESTS[kind]]
    return {
        "question_title": name,
        "question_content": "Print it.",
        "platform": "atcoder",
        "question_id": name,
        "contest_id": "1",
        "contest_date": "2024-03-01T00:00:00",
        "starter_code": f"class Solution:\n    def {FUNCTIONS[kind]}(self, x):\n" if kind in FUNCTIONS else "",
        "difficulty": "easy",
        "public_test_cases": json.dumps(tests[:1]),
        "private_test_cases": packed(json.dumps(tests[1:])),
        "metadata": json.dumps({"func_name": FUNCTIONS[kind]} if kind in FUNCTIONS else {}),
        **fields,
    }


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture(scope="module")
def strict() -> Any:
    with Grader(workers=2, policy="strict") as grader:
        yield grader


def rewritten(problem: Problem, name: str, code: str) -> tuple[Problem, Submission]:
    earlier = may_keep_state(problem, code)
    return livecodebench_problem(problem, earlier), Submission(
        name, problem.id, livecodebench_program(problem, code, earlier)
    )


def test_its_verdict_on_every_program(strict: Grader, tmp_path: Path) -> None:
    data = write(tmp_path / "test.jsonl", [question(kind, kind) for kind in TESTS])
    questions = Questions([data])
    problems = {kind: questions.problem(kind, 1.0) for kind in TESTS}
    cases = [json.loads(line) for line in (CASES / "livecodebench_programs.jsonl").read_text().splitlines()]
    pairs = [rewritten(problems[case["question"]], str(i), case["code"]) for i, case in enumerate(cases)]
    got = {int(grade.submission_id): grade for grade in strict.grade_many(pairs)}
    wrong = [(c["question"], c["name"], got[i]) for i, c in enumerate(cases) if got[i].accepted != c["livecodebench"]]
    assert not wrong


def test_its_verdict_on_every_way_to_read_and_print(strict: Grader) -> None:
    verdicts = json.loads((CASES / "livecodebench_idioms.json").read_text())
    idioms = [json.loads(line) for line in (CASES / "idioms.jsonl").read_text().splitlines()]
    pairs = []
    for idiom in idioms:
        tests = [{"input": given, "output": wanted} for given, wanted in idiom["tests"]]
        problem = Problem.from_dict({"id": idiom["name"], "tests": tests, "time_limit_s": 6, "memory_limit_mb": 4096})
        pairs.append(rewritten(problem, "", idiom["code"]))
    wrong = {g.problem_id for g in strict.grade_many(pairs) if g.accepted != verdicts[g.problem_id]}
    assert not wrong


def test_private_tests_are_read_from_json_and_from_a_packed_string() -> None:
    tests = [{"input": "a" * 70_000, "output": "é\n", "testtype": "stdin"}]
    assert unpack(json.dumps(tests)) == unpack(packed(json.dumps(tests))) == tests
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        text = base64.b64encode(zlib.compress(pickle.dumps(json.dumps(tests), protocol))).decode()
        assert unpack(text) == tests


class Evil:
    def __reduce__(self) -> Any:
        return os.system, ("touch run-by-the-pickle",)


@pytest.mark.parametrize(
    "text",
    [
        packed(Evil()),
        packed(["a list"]),
        packed(("a", "b")),
        packed(7),
        packed(b"bytes"),
        packed(datetime(2024, 1, 1)),
        base64.b64encode(zlib.compress(b"cos\nsystem\n(S'touch run-by-the-pickle'\ntR.")).decode(),
        base64.b64encode(zlib.compress(b"\x80\x04\x95")).decode(),
        base64.b64encode(b"not compressed").decode(),
        "not base64 %",
        packed("not JSON"),
    ],
)
def test_anything_but_a_packed_string_is_refused(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError):
        unpack(text)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    for number in range(1, 5):
        name = f"test{number if number > 1 else ''}.jsonl"
        date = f"2024-0{number}-15T00:00:00"
        write(tmp_path / name, [question(f"q{number}", contest_date=date)])
    return tmp_path


@pytest.mark.parametrize(
    ("release", "asked"),
    [
        (None, ["q1", "q2", "q3", "q4"]),
        ("release_latest", ["q1", "q2", "q3", "q4"]),
        ("release_v1", ["q1"]),
        ("release_v3", ["q1", "q2", "q3"]),
        ("v2", ["q2"]),
        ("v2_v4", ["q2", "q3", "q4"]),
    ],
)
def test_release_windows(releases: Path, release: str | None, asked: list[str]) -> None:
    assert list(Questions([releases], release)) == asked


@pytest.mark.parametrize("release", ["release_v5", "v4_v6", "v3_v2", "v7", "latest", "release_v1_v2"])
def test_a_release_that_is_not_there_is_refused(releases: Path, release: str) -> None:
    with pytest.raises(InputError, match="release"):
        Questions([releases], release)


def test_date_windows_include_both_days(releases: Path) -> None:
    window = Questions([releases], None, datetime(2024, 2, 15), datetime(2024, 3, 15))
    assert list(window) == ["q2", "q3"]
    assert window.outside == {"q1", "q4"}


def test_generations_in_all_of_its_formats(releases: Path) -> None:
    questions = Questions([releases])
    records = [{"question_id": name, "code_list": ["a", "b"]} for name in questions]
    forms = {
        "by id.json": json.dumps(records),
        "a line each.jsonl": "\n".join(map(json.dumps, records)),
        "a line separator in a line.jsonl": "\r\n".join(
            json.dumps({**record, "note": "\u2028\x85"}, ensure_ascii=False) for record in records
        ),
        "in order.json": json.dumps([["a", "b"]] * 4),
        "of the runner.json": json.dumps(
            [{**record, "output_list": ["x", "y"], "graded_list": [True, False], "pass@1": 0.5} for record in records]
        ),
    }
    for name, text in forms.items():
        (releases / name).write_text(text)
        found = read_generations(releases / name, questions)
        assert (found.programs, found.replies, found.bad) == ({q: ["a", "b"] for q in questions}, {}, [])
    (releases / "replies.json").write_text(json.dumps([{"question_id": "q1", "output_list": ["r"], "code_list": []}]))
    assert read_generations(releases / "replies.json", questions).replies == {"q1": ["r"]}


def test_generations_that_cannot_be_used_are_named(releases: Path) -> None:
    questions = Questions([releases], "v1")
    file = releases / "g.json"
    for text, why in (("{", "not JSON"), ("{}", "expected a list"), ("[[], []]", "2 lists for 1 question")):
        file.write_text(text)
        with pytest.raises(InputError, match=why):
            read_generations(file, questions)
    listed = [
        {"question_id": "other", "code_list": ["x"]},
        {"code_list": ["x"]},
        {"question_id": "q1", "code_list": [1]},
    ]
    file.write_text(json.dumps([*listed, 7]))
    assert [str(line) for line in read_generations(file, questions).bad] == [
        "g.json, record 1: question 'other' is not in the data",
        'g.json, record 2: no "question_id"',
        "g.json, record 3: question 'q1': \"code_list\" must be a list of texts",
        'g.json, record 4: no "question_id"',
    ]


def test_a_program_is_taken_from_a_reply_as_there() -> None:
    assert last_fence("```python\nold\n```\ntext\n```python\nnew\n```") == "new"
    assert last_fence("no fence") == last_fence("```python\nonly one fence") == ""


def livecodebench(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli", "eval", "livecodebench", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": ROOT, "COLUMNS": "150", "XDG_CACHE_HOME": str(cwd)}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment, timeout=1200)


ECHO = "TABLE = {table!r}\nprint(TABLE[{read}.strip()])"
TABLE = {given.strip(): wanted for given, wanted in TESTS["stdin"]}
RIGHT = "import sys\n" + ECHO.format(table=TABLE, read="sys.stdin.read()")
ONLY_CONTEST = "import sys\n" + ECHO.format(table=TABLE, read="''.join(line for line in sys.stdin)")
ONLY_STRICT = "import sys\n" + ECHO.format(table=TABLE, read="sys.stdin.read()") + "\nsys.exit(1)"
WRONG = "print(1)"


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    (tmp_path / "lcb").mkdir()
    write(tmp_path / "lcb" / "test.jsonl", [question("a"), question("b", difficulty="hard")])
    write(tmp_path / "lcb" / "test2.jsonl", [question("c", difficulty="hard")])
    generations = {
        "a": [RIGHT, RIGHT + "\n#", ONLY_CONTEST, WRONG],
        "b": [RIGHT, ONLY_STRICT, WRONG, WRONG],
        "c": [WRONG, WRONG, WRONG, WRONG + "\n#"],
    }
    listed = [{"question_id": name, "code_list": programs} for name, programs in generations.items()]
    (tmp_path / "g.json").write_text(json.dumps(listed))
    return tmp_path


def test_scores_and_differences_of_a_run(benchmark: Path) -> None:
    done = livecodebench("--data", "lcb", "--generations", "g.json", "--out", "run", "--json", cwd=benchmark)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["benchmark_scores"] == {
        "easy": {"problems": 1, "pass@1": 0.5},
        "hard": {"problems": 2, "pass@1": 0.25},
        "all": {"problems": 3, "pass@1": pytest.approx(1 / 3)},
    }
    found = summary["differences"]
    assert found == json.loads((benchmark / "run" / "differences.json").read_text())
    assert (found["compared"], found["accepted_only_by_strict"], found["accepted_only_by_contest"]) == (12, 1, 1)
    iterates, leaves = found["cases"]
    assert (iterates["problem_id"], iterates["submission_id"], iterates["contest"]) == ("a", "2", "ACCEPTED")
    assert "not iterable" in iterates["why"]
    assert (leaves["problem_id"], leaves["strict"], leaves["contest"]) == ("b", "ACCEPTED", "RUNTIME_ERROR")
    grades = [json.loads(line) for line in (benchmark / "run" / "grades.jsonl").read_text().splitlines()]
    assert Counter(grade["accepted"] for grade in grades) == {True: 4, False: 8}
    assert {grade["code"] for grade in grades} == {
        RIGHT,
        RIGHT + "\n#",
        ONLY_CONTEST,
        ONLY_STRICT,
        WRONG,
        WRONG + "\n#",
    }
    for page in ("report.html", "differences.html", "contest/report.html"):
        assert (benchmark / "run" / page).read_text().startswith("<!doctype html>")


def test_the_screen_names_every_case(benchmark: Path) -> None:
    data = ("--data", "lcb/test2.jsonl", "lcb/test.jsonl")  # as a shell expands lcb/test*.jsonl
    done = livecodebench(*data, "--generations", "g.json", "--out", "run", "--release", "v1", cwd=benchmark)
    assert done.returncode == 0, done.stderr
    assert "strict and contest agree on 6 of 8; only strict accepts 1, only contest accepts 1" in done.stdout
    assert "not iterable" in done.stdout and "hard" in done.stdout


def test_contest_alone_and_a_continued_run(benchmark: Path) -> None:
    asked = ("--data", "lcb", "--generations", "g.json", "--out", "run", "--policy", "contest", "--no-differences")
    assert livecodebench(*asked, cwd=benchmark).returncode == 0
    whole = sorted((benchmark / "run" / "grades.jsonl").read_bytes().splitlines(keepends=True))
    (benchmark / "run" / "grades.jsonl").write_bytes(b"".join(whole[:5]))
    refused = livecodebench(*asked, cwd=benchmark)
    assert refused.returncode == 2 and "--resume" in refused.stderr
    done = livecodebench(*asked, "--resume", "--json", cwd=benchmark)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["submissions"] == 12
    (benchmark / "g.json").write_text((benchmark / "g.json").read_text() + " ")
    other = livecodebench(*asked, "--resume", cwd=benchmark)
    assert other.returncode == 2 and "generations" in other.stderr


def test_mistakes_end_in_one_line(benchmark: Path) -> None:
    write(
        benchmark / "broken.jsonl",
        [question("a"), question("x", private_test_cases=packed(Evil())), {"question_id": 1}],
    )
    (benchmark / "broken.jsonl").open("a").write("{\n")
    listed = [{"question_id": name, "code_list": [WRONG]} for name in ("a", "x")]
    (benchmark / "x.json").write_text(json.dumps(listed))
    done = livecodebench("--data", "broken.jsonl", "--generations", "x.json", "--out", "run", cwd=benchmark)
    assert done.returncode == 1
    assert "question 'x': the pickle holds more than one string" in done.stderr
    assert "broken.jsonl:3: not a LiveCodeBench question" in done.stderr and "broken.jsonl:4" in done.stderr
    for arguments, why in (
        (("--data", "none.jsonl", "--generations", "g.json"), "none.jsonl: no such file"),
        (("--data", "lcb", "--generations", "none.json"), "none.json: No such file"),
        (("--data", "lcb", "--generations", "g.json", "--start-date", "2030-01-01"), "no question lies inside"),
        (("--data", "lcb", "--generations", "g.json", "--release", "9"), "unknown release"),
    ):
        done = livecodebench(*arguments, "--out", "elsewhere", cwd=benchmark)
        assert done.returncode == 2 and why in done.stderr and "Traceback" not in done.stderr
        assert not (benchmark / "elsewhere").exists()
