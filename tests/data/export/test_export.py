"""Exports as their readers read them, and pushing to a hub."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from microcoder_data.commands import data
from microcoder_data.schema import ROW, Row, new_checker, new_row, new_test
from microcoder_data.shards import INLINE_TEST_BYTES, ShardWriter, TestStore
from microcoder_eval import Grader, Submission
from microcoder_eval.benchmarks.livecodebench.questions import Questions
from microcoder_eval.reading.input_files import ProblemFile

ROOT = Path(__file__).parents[3]
REPOSITORY = "https://huggingface.co/datasets/me/ds"
ADD = "a, b = map(int, input().split())\nprint(a + b)"
LONG = "7" * (INLINE_TEST_BYTES + 10)


def row(name: str, kind: str = "stdin", **fields: Any) -> Row:
    return new_row(problem_id=f"mine:{name}", source="taco", statement=f"The problem {name}.", kind=kind, **fields)


def made_up_rows() -> list[Row]:
    sums = [new_test("1 2\n", "3\n", public=True), new_test("3 4\n", "7\n")]
    call = {
        "kind": "call",
        "entry_point": "Solution.take",
        "starter_code": "class Solution:\n    def take(self, xs, k):",
    }
    nodes = "class Solution:\n    def take(self, xs: Optional[ListNode], k):"
    return [
        row(
            "sum",
            tests=sums,
            title="Sum",
            platform="atcoder",
            contest_date=date(2024, 5, 6),
            answer_format="Answer with a program.",
            difficulty={"level": "hard"},
            samples=[{"input": "1 2\n", "output": "3\n", "explanation": None}],
        ),
        row("positional", **call, tests=[new_test('["a", "b"]\n1', '["a"]')]),
        row("by name", **call, tests=[new_test("k = 1, xs = ['é', None]", "['é']")]),
        row("nodes", **{**call, "starter_code": nodes}, tests=[new_test("[1, 2]\n1", "[1]")]),
        row("asserts", "asserts", entry_point="f", test_code="assert f(1) == 2"),
        row("any order", tests=sums, checker=new_checker("unordered", of="lines")),
        row("float", tests=sums, checker=new_checker("float", abs=1e-3, rel=1e-3)),
        row("any case", tests=sums, checker=new_checker("case_insensitive")),
        row("long", tests=[new_test(LONG, f"{len(LONG)}\n")]),
    ]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    directory = tmp_path / "dataset"
    (directory / "data").mkdir(parents=True)
    store = TestStore(directory / "tests")
    for number, rows in enumerate((made_up_rows()[:4], made_up_rows()[4:])):
        writer = ShardWriter(directory / "data" / f"{number:05}.parquet", ROW)
        for made in rows:
            store.move_out(made)
            writer.write(made)
        writer.close()
    assert list((directory / "tests").iterdir())
    files = [{"path": f"data/{path.name}"} for path in sorted((directory / "data").iterdir())]
    (directory / "manifest.json").write_text(json.dumps({"files": files}))
    (directory / "README.md").write_text("# A dataset\n")
    (directory / "work").mkdir()
    (directory / "work" / "secret").write_text("no")
    return directory


def run(*arguments: object) -> Result:
    return CliRunner().invoke(data, [str(argument) for argument in arguments])


def exported(dataset: Path, to: str, name: str) -> tuple[Path, dict[str, Any]]:
    done = run("export", dataset, "--to", to, "--out", dataset.parent / name, "--json")
    assert done.exit_code == 0, done.output
    return dataset.parent / name, json.loads(done.output)


def test_jsonl_is_what_the_grader_reads(dataset: Path) -> None:
    file, done = exported(dataset, "jsonl", "problems.jsonl")
    assert done == {"written": 9, "left_out": {}, "approximate": {}}
    problems = ProblemFile(file)
    assert not problems.bad and len(problems) == 9
    assert (
        problems.attributes["mine:sum"].platform == "atcoder" and problems.attributes["mine:sum"].difficulty == "hard"
    )
    take = "class Solution:\n    def take(self, xs, k): return xs[:k]"
    programs = {"sum": ADD, "positional": take, "by name": take, "any order": ADD, "float": ADD, "any case": ADD}
    programs |= {"asserts": "def f(n): return n + 1", "long": "print(len(input()))"}
    with Grader(workers=2) as grader:
        pairs = [(problems[f"mine:{name}"], Submission(name, "", code)) for name, code in programs.items()]
        assert {g.submission_id for g in grader.grade_many(pairs) if g.accepted} == programs.keys()
    first = json.loads(file.read_text().splitlines()[0])
    assert "# Sum" in first["statement"] and "Answer with a program." in first["statement"]
    assert first["contest_date"] == "2024-05-06"


def test_an_export_without_a_row_names_formats_that_take_them(dataset: Path) -> None:
    first, second = sorted((dataset / "data").iterdir())
    pq.write_table(pq.read_table(first).slice(0, 0), first)
    shard = pq.read_table(second)
    pq.write_table(shard.filter([kind == "asserts" for kind in shard["kind"].to_pylist()]), second)
    said = CliRunner().invoke(data, ["export", str(dataset), "--to", "verl", "--out", str(dataset / "out.parquet")])
    assert said.exit_code == 2
    assert "verl has no such tests; --to trl and --to jsonl take problems of every kind" in said.output
    assert exported(dataset, "jsonl", "train.jsonl")[1]["written"] == 1


def test_verl_gets_its_columns_and_tests_for_its_reward(dataset: Path) -> None:
    file, done = exported(dataset, "verl", "train.parquet")
    assert done == {
        "written": 6,
        "left_out": {
            "linked lists or trees: verl does not know them": 1,
            "kind asserts: verl has no such tests": 1,
            "checker unordered: verl would judge right answers wrong": 1,
        },
        "approximate": {"their checkers ignore letter case, but verl does not": 1},
    }
    rows = {row["extra_info"]["problem_id"]: row for row in pq.read_table(file).to_pylist()}
    first = rows["mine:sum"]
    assert (first["data_source"], first["ability"], first["reward_model"]["style"]) == ("taco", "code", "rule")
    assert [message["role"] for message in first["prompt"]] == ["user"]
    assert first["prompt"][0]["content"].startswith("# Sum")
    truths = {name: json.loads(row["reward_model"]["ground_truth"]) for name, row in rows.items()}
    assert truths["mine:sum"] == {"inputs": ["1 2\n", "3 4\n"], "outputs": ["3\n", "7\n"]}
    assert truths["mine:positional"] == {"inputs": ['["a", "b"]\n1'], "outputs": ['["a"]'], "fn_name": "take"}
    assert truths["mine:by name"] == {"inputs": ['["é", null]\n1'], "outputs": ['["é"]'], "fn_name": "take"}
    assert truths["mine:long"]["inputs"] == [LONG]
    assert sorted(row["extra_info"]["index"] for row in rows.values()) == list(range(6))


def test_livecodebench_reads_its_own_format(dataset: Path) -> None:
    file, done = exported(dataset, "livecodebench", "test.jsonl")
    assert done["written"] == 5 and sum(done["left_out"].values()) == 4
    questions = Questions([file])
    assert not questions.bad and len(questions) == 5
    asked = questions["mine:sum"]
    assert (asked.platform, asked.difficulty, asked.date.isoformat()) == ("atcoder", "hard", "2024-05-06T00:00:00")
    assert [(test.input, test.output) for test in questions.problem("mine:sum", 6).tests] == [
        ("1 2\n", "3\n"),
        ("3 4\n", "7\n"),
    ]
    by_name = questions.problem("mine:by name", 6)
    assert (by_name.kind, by_name.entry_point, by_name.tests[0].input) == ("call", "Solution.take", [["é", None], 1])
    assert (questions["mine:positional"].platform, questions["mine:positional"].difficulty) == ("leetcode", "medium")
    record = json.loads(file.read_text().splitlines()[0])
    assert json.loads(record["public_test_cases"]) == [{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]


def test_trl_takes_the_prompts_and_hands_the_problem_to_the_reward(dataset: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    file, done = exported(dataset, "trl", "train.parquet")
    assert done["written"] == 9
    loaded = datasets.load_dataset("parquet", data_files=str(file), cache_dir=str(tmp_path / "cache"))["train"]
    data_utils = pytest.importorskip("trl.data_utils", reason="TRL is not installed")
    assert all(data_utils.is_conversational(example) for example in loaded)
    from microcoder_eval import Problem, grade

    problem = Problem.from_dict(json.loads(loaded[0]["problem"]))
    assert grade(problem, f"```python\n{ADD}\n```").reward == 1.0


@pytest.mark.parametrize("to", ["trl", "jsonl"])
def test_a_file_that_cannot_be_written_is_named_as_the_user_names_it(dataset: Path, to: str) -> None:
    out = Path("/proc") / f"x.{'parquet' if to == 'trl' else to}"  # nobody, not even root, makes files there
    refused = run("export", dataset, "--to", to, "--out", out)
    said = refused.output + str(refused.exception)
    assert refused.exit_code != 0 and f"{out}: cannot be written: No such file or directory" in said
    assert ".tmp-" not in said and len(refused.output.strip().splitlines()) <= 1


def test_mistakes_of_an_export_end_in_one_line(dataset: Path, tmp_path: Path) -> None:
    for arguments, why in (
        ((dataset, "--to", "verl", "--out", "x.jsonl"), "name it x.parquet"),
        ((dataset, "--to", "apps", "--out", "x.jsonl"), "'apps' is not one of"),
        ((tmp_path / "none", "--to", "jsonl", "--out", "x.jsonl"), "no dataset is here"),
    ):
        done = run("export", *arguments)
        assert done.exit_code == 2 and why in done.output
    next((dataset / "tests").iterdir()).unlink()
    done = run("export", dataset, "--to", "jsonl", "--out", tmp_path / "x.jsonl")
    assert done.exit_code == 2 and "missing or broken" in done.output
    assert not list(tmp_path.glob("*x.jsonl*"))


class Hub(BaseHTTPRequestHandler):
    """As much of the hub as an upload of small files needs."""

    received: ClassVar[list[tuple[str, str, bytes]]] = []
    refuse = 0

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.received.append((self.path, self.headers.get("Authorization", ""), body))
        if self.refuse:
            self.answer(self.refuse, {"error": "no"})
        elif self.path == "/api/repos/create":
            self.answer(200, {"url": REPOSITORY, "id": "me/ds", "name": "me/ds"})
        elif self.path.endswith("/preupload/main"):
            files = json.loads(body)["files"]
            plain = [{"path": f["path"], "uploadMode": "regular", "shouldIgnore": False, "oid": None} for f in files]
            self.answer(200, {"files": plain})
        else:
            self.answer(
                200, {"commitUrl": "https://huggingface.co/datasets/me/ds/commit/1", "commitOid": "1", "success": True}
            )

    def do_GET(self) -> None:
        self.answer(200, {"id": "me/ds", "sha": "0", "siblings": [], "tags": []})

    def answer(self, status: int, body: dict[str, Any]) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.received, Hub.refuse = [], 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def push(dataset: Path, *arguments: str, endpoint: str = "http://127.0.0.1:1") -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
    environment |= {"HF_ENDPOINT": endpoint, "HF_HOME": str(dataset.parent / "hf"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "cli", "data", "push", str(dataset), "--repo", "me/ds", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1200, cwd=dataset.parent)


def test_a_push_uploads_what_is_published(dataset: Path, hub: str) -> None:
    done = push(dataset, "--token", "hf_secret", "--private", "--message", "First", endpoint=hub)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"{REPOSITORY}/commit/1"
    assert {authorization for _, authorization, _ in Hub.received} == {"Bearer hf_secret"}
    created = json.loads(Hub.received[0][2])
    assert created["type"] == "dataset" and (created.get("private") or created.get("visibility") == "private")
    lines = [json.loads(line) for path, _, body in Hub.received if "/commit/" in path for line in body.splitlines()]
    sent = {line["value"]["path"]: line["value"]["content"] for line in lines if line["key"] == "file"}
    published = ["README.md", "data/00000.parquet", "data/00001.parquet", "manifest.json"]
    assert sorted(sent) == sorted([*published, *(f"tests/{file.name}" for file in (dataset / "tests").iterdir())])
    assert base64.b64decode(sent["data/00001.parquet"]) == (dataset / "data" / "00001.parquet").read_bytes()


def test_a_dry_run_only_lists(dataset: Path) -> None:
    done = push(dataset, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "data/00001.parquet" in done.stdout and "secret" not in done.stdout and "5 files" in done.stdout


def test_a_push_that_cannot_be_made_says_why(dataset: Path, hub: str) -> None:
    assert "no token for the hub" in push(dataset, endpoint=hub).stderr
    assert not Hub.received
    for status, why in ((401, "token is not valid"), (403, "may not write to me/ds")):
        Hub.refuse = status
        done = push(dataset, "--token", "hf_x", endpoint=hub)
        assert done.returncode == 2 and why in done.stderr and "Traceback" not in done.stderr
    done = push(dataset, "--token", "hf_x")
    assert done.returncode == 2 and "failed: Connect" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("gone", ["data", "data/00000.parquet", "manifest.json"])
def test_a_folder_that_is_no_whole_dataset_is_told(gone: str, dataset: Path, tmp_path: Path) -> None:
    part = tmp_path / "part"
    shutil.copytree(dataset, part, ignore=lambda folder, names: {"work"} & set(names))
    shutil.rmtree(part / gone) if gone == "data" else (part / gone).unlink()
    done = run("export", part, "--to", "jsonl", "--out", tmp_path / "out.jsonl")
    assert done.exit_code == 2 and "no row can be written" not in str(done.exception)
    said = str(done.exception) + done.output
    assert ("no dataset is here" if gone == "manifest.json" else f"{part} is no whole dataset") in said
