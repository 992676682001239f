"""`microcoder eval grade`, `eval run` and `doctor` as a user calls them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.eval.command import GRADE, MICROCODER, PROBLEM, RIGHT, ROOT, microcoder, write
from tests.eval.toolchains import needs


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write(tmp_path / "p.jsonl", [PROBLEM])
    write(
        tmp_path / "s.jsonl",
        [{"id": f"s{n}", "problem_id": "sum", "code": f"{RIGHT if n % 2 else 'print(3)'}\n# {n}"} for n in range(6)],
    )
    return tmp_path


def grades(directory: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (directory / "out" / "grades.jsonl").read_text().splitlines()]


def test_a_run_writes_a_line_for_each_submission_and_a_summary(files: Path) -> None:
    done = microcoder(*GRADE, cwd=files)
    assert done.returncode == 0, done.stderr
    assert "3 of 6 accepted" in done.stdout
    found = {grade["submission_id"]: grade for grade in grades(files)}
    assert set(found) == {f"s{n}" for n in range(6)}
    assert found["s0"]["tests"][1]["detail"] == "line 1, token 1: expected '7', got '3'"  # type: ignore[index]
    assert found["s1"]["tests"][0]["rung"] == "lines"  # type: ignore[index]
    summary = json.loads((files / "out" / "summary.json").read_text())
    assert (summary["accepted"], summary["submissions"], summary["judge_errors"]) == (3, 6, 0)


def test_the_share_is_of_what_could_be_judged(files: Path) -> None:
    broken = {"kind": "python", "code": "def check(input): return True"}
    write(files / "p.jsonl", [PROBLEM, {"id": "two", "tests": [{"input": "", "output": "1"}], "checker": broken}])
    programs = [("sum", RIGHT), ("sum", "print(0)"), ("two", "print(1)")]
    write(files / "s.jsonl", [{"id": str(n), "problem_id": of, "code": code} for n, (of, code) in enumerate(programs)])
    done = microcoder(*GRADE, cwd=files)
    assert "1 of 2 accepted (50.0%)" in done.stdout and "1 could not be graded" in done.stdout


def test_bad_records_are_named_and_the_rest_is_graded(files: Path) -> None:
    write(
        files / "s.jsonl",
        [
            {"id": "good", "problem_id": "sum", "code": RIGHT},
            "{broken",
            {"id": "lost", "problem_id": "nowhere", "code": RIGHT},
            {"id": "tongue", "problem_id": "sum", "code": RIGHT, "language": "klingon"},
            {"id": "both", "problem_id": "sum"},
            {"id": "good", "problem_id": "sum", "code": RIGHT},
        ],
    )
    write(files / "p.jsonl", [PROBLEM, {"id": "empty", "tests": []}, '"text"'])
    done = microcoder(*GRADE, cwd=files)
    assert done.returncode == 1
    for part in (
        "s.jsonl:2: not JSON",
        "'nowhere'",
        "'klingon'",
        "s.jsonl:5",
        "there already",
        "p.jsonl:2",
        "p.jsonl:3",
    ):
        assert part in done.stderr, part
    assert "Traceback" not in done.stderr
    assert [grade["submission_id"] for grade in grades(files)] == ["good"]


def test_a_killed_run_goes_on_without_losing_or_repeating_a_grade(files: Path) -> None:
    slow = [
        {"id": f"s{n}", "problem_id": "sum", "code": f"import time\ntime.sleep(0.1)\n{RIGHT}  # {n}"} for n in range(40)
    ]
    write(files / "s.jsonl", list(slow))
    environment = {**os.environ, "PYTHONPATH": ROOT}
    process = subprocess.Popen([*MICROCODER, *GRADE, "--workers", "2"], cwd=files, env=environment)
    lines = files / "out" / "grades.jsonl"
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and (not lines.exists() or lines.read_bytes().count(b"\n") < 5):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with open(lines, "ab") as torn:
        torn.write(b'{"submission_id": "s39", "verd')
    before = lines.read_bytes().rpartition(b"\n")[0]
    assert microcoder(*GRADE, cwd=files).returncode == 2  # not without --resume
    done = microcoder(*GRADE, "--resume", cwd=files)
    assert done.returncode == 0, done.stderr
    count = before.count(b"\n") + 1
    assert (
        f"{count} {'submission' if count == 1 else 'submissions'} graded before" in done.stdout
        and "40 of 40 accepted" in done.stdout
    )
    assert lines.read_bytes().startswith(before)
    assert sorted(str(grade["submission_id"]) for grade in grades(files)) == sorted(f"s{n}" for n in range(40))


def test_settings_of_another_run_are_refused(files: Path) -> None:
    assert microcoder(*GRADE, cwd=files).returncode == 0
    done = microcoder(*GRADE, "--resume", "--policy", "strict", cwd=files)
    assert done.returncode == 2
    assert "policy" in done.stderr


def test_one_program_is_shown_test_by_test(files: Path) -> None:
    (files / "right.py").write_text(RIGHT)
    (files / "wrong.md").write_text("Easy:\n```python\nprint(3)\n```\n")
    right = microcoder("eval", "run", "right.py", "--problem", "p.jsonl", cwd=files)
    assert right.returncode == 0
    assert "2 of 2 tests" in right.stdout
    wrong = microcoder("eval", "run", "wrong.md", "--problem", "p.jsonl", cwd=files)
    assert wrong.returncode == 1
    assert "expected '7', got '3'" in wrong.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("eval", "run", "missing.py", "--problem", "p.jsonl"), "missing.py"),
        (("eval", "run", "p.jsonl", "--problem", "p.jsonl", "--id", "sun"), "did you mean 'sum'"),
        (("eval", "run", "p.jsonl", "--problem", "nowhere.jsonl"), "no such file"),
        ((*GRADE[:-1], "p.jsonl"), "cannot be written"),
        ((*GRADE, "--require-sandbox", "moat"), "unknown layer"),
        (("evl",), "Did you mean 'eval'"),
    ],
)
def test_mistakes_end_in_one_line_and_status_2(files: Path, arguments: tuple[str, ...], says: str) -> None:
    done = microcoder(*arguments, cwd=files)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_the_doctor_reports_for_machines(tmp_path: Path) -> None:
    done = microcoder("doctor", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (done.returncode, found["holds"]) == (0, True)
    assert all(attack["stopped"] for attack in found["attacks"])
    assert {"cpp", "java", "rust"} <= {state["language"] for state in found["toolchains"]}
    assert all(state["present"] or "install" in state["evidence"] for state in found["toolchains"])


def test_the_doctors_first_screen_is_short(tmp_path: Path) -> None:
    short, long = (microcoder("doctor", *more, cwd=tmp_path) for more in ((), ("--all",)))
    assert short.returncode == long.returncode == 0
    assert len(short.stdout.splitlines()) <= 12 < len(long.stdout.splitlines())
    assert short.stdout.splitlines()[0] in long.stdout
    assert "seccomp" in short.stdout and "--all" in short.stdout


def test_a_file_is_graded_in_the_language_of_its_name(files: Path) -> None:
    needs("cpp")
    program = files / "solution.cc"
    program.write_text("#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }")
    done = microcoder("eval", "run", "solution.cc", "--problem", "p.jsonl", "--id", "sum", "--json", cwd=files)
    assert (done.returncode, json.loads(done.stdout)["language"]) == (0, "cpp")


def test_a_full_disk_ends_in_one_line_and_the_run_can_go_on(files: Path) -> None:
    write(files / "s.jsonl", [{"id": f"s{n}", "problem_id": "sum", "code": RIGHT} for n in range(300)])
    full = subprocess.run(
        ["bash", "-c", 'ulimit -S -f 50; exec "$@"', "bash", *MICROCODER, *GRADE],  # as if there were 50 KiB of disk
        cwd=files,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": ROOT},
        timeout=1200,
    )
    assert full.returncode == 2 and "Traceback" not in full.stderr
    assert full.stderr.strip().splitlines()[-1] == "Error: out/grades.jsonl: cannot be written: File too large"
    done = microcoder(*GRADE, "--resume", cwd=files)
    assert done.returncode == 0, done.stderr
    assert sorted(str(grade["submission_id"]) for grade in grades(files)) == sorted(f"s{n}" for n in range(300))


@pytest.mark.parametrize("name", ["p.jsonl", "s.jsonl"])
def test_an_empty_file_is_refused(files: Path, name: str) -> None:
    (files / name).write_text("")
    done = microcoder(*GRADE, cwd=files)
    assert (done.returncode, done.stderr.strip()) == (2, f"Error: {name}: is empty")
    assert not (files / "out").exists()


def test_replies_without_fences_are_no_code_when_fences_are_required(files: Path) -> None:
    fenced = f"```python\n{RIGHT}\n```"
    replies = {"bare": RIGHT, "fenced": fenced}
    write(files / "s.jsonl", [{"id": name, "problem_id": "sum", "response": text} for name, text in replies.items()])
    assert microcoder(*GRADE, "--require-fence", "--no-cache", cwd=files).returncode == 0
    assert {grade["submission_id"]: grade["verdict"] for grade in grades(files)} == {
        "bare": "NO_CODE",
        "fenced": "ACCEPTED",
    }


def test_tests_run_in_the_order_that_is_asked_for(files: Path) -> None:
    kept = [*GRADE, "--tests-order", "kept"]
    assert "needs the file of verdicts" in microcoder(*kept, "--no-cache", cwd=files).stderr
    problem = {"id": "sum", "tests": [{"input": f"{n} 1", "output": str(n + 1)} for n in range(9)]}
    write(files / "p.jsonl", [problem])
    late = "n = sum(map(int, input().split()))\nprint(n if n < 9 else 0)"
    for run, ran in (("a", 9), ("b", 1)):
        write(files / "s.jsonl", [{"id": run, "problem_id": "sum", "code": f"{late}  # {run}"}])
        assert microcoder(*kept, "--out", run, "--cache", "verdicts", cwd=files).returncode == 0
        (grade,) = [json.loads(line) for line in (files / run / "grades.jsonl").read_text().splitlines()]
        assert len(grade["tests"]) == ran
