"""`microcoder eval generate`: a real model and the real grader, stopped and continued, and a chat server."""

from __future__ import annotations

import http.server
import json
import threading

import pytest
from click.testing import CliRunner

pytest.importorskip("torch")

from cli import microcoder

REPLY = "```python\nprint(1)\n```"


def generate(*arguments):
    return CliRunner().invoke(microcoder, ["eval", "generate", *map(str, arguments)])


def toy_arguments(toy, out, *more):
    return (
        *("--model", toy / "model", "--problems", toy / "tasks.jsonl", "--out", out, "--dtype", "float32"),
        *("--max-tokens", 3, "--temperature", 1, "--workers", 1, *more),
    )


def replies_of(out):
    records = map(json.loads, (out / "samples.jsonl").read_text().splitlines())
    return {(record["problem_id"], record["id"]): record["response"] for record in records}


@pytest.fixture(scope="module")
def whole(toy, tmp_path_factory):
    out = tmp_path_factory.mktemp("generate") / "whole"
    result = generate(*toy_arguments(toy, out, "--samples", 4))
    assert result.exit_code == 0, result.output
    return out, result.output


def test_it_prints_the_table_with_intervals_and_the_truncation(whole):
    out, output = whole
    for words in ("mean@4", "atcoder", "leetcode", "easy", "hard", "of 8", "cut at 3 tokens: "):
        assert words in output
    summary = json.loads((out / "summary.json").read_text())
    assert summary["submissions"] == 32 == len(replies_of(out))
    assert summary["scores"]["samples_per_problem"] == 4
    assert 0 < summary["truncation"]["share"]["value"] < 1 and summary["truncation"]["longest_tokens"] == 3
    assert "<html" in (out / "report.html").read_text()


def test_a_stopped_run_goes_on_with_what_is_missing(toy, whole, tmp_path):
    """As a kill leaves it: replies without grades, and a torn last line in both files."""
    expected = replies_of(whole[0])
    lines = (whole[0] / "samples.jsonl").read_text().splitlines(keepends=True)
    out = tmp_path / "stopped"
    out.mkdir()
    (out / "run.json").write_text((whole[0] / "run.json").read_text())
    marked = json.loads(lines[0])
    (out / "samples.jsonl").write_text("".join([json.dumps(marked) + "\n", *lines[1:10], lines[10][:20]]))
    graded = (whole[0] / "grades.jsonl").read_text().splitlines(keepends=True)
    (out / "grades.jsonl").write_text("".join([*graded[:3], graded[3][:9]]))
    assert "holds" in generate(*toy_arguments(toy, out, "--samples", 4)).output
    result = generate(*toy_arguments(toy, out, "--samples", 4, "--resume"))
    assert result.exit_code == 0, result.output
    assert replies_of(out) == expected
    assert (out / "samples.jsonl").read_text().startswith("".join(lines[:10]))
    assert len((out / "grades.jsonl").read_text().splitlines()) == 32
    more = generate(*toy_arguments(toy, out, "--samples", 5, "--resume"))
    assert more.exit_code == 0 and expected.items() < replies_of(out).items() and len(replies_of(out)) == 40
    other = generate(*toy_arguments(toy, out, "--samples", 5, "--resume", "--temperature", 2))
    assert other.exit_code == 2 and "temperature" in other.output


@pytest.fixture
def chat_server():
    """A server with the chat interface that is busy at first and then says one thing."""

    class Handler(http.server.BaseHTTPRequestHandler):
        asked: list[dict] = []  # noqa: RUF012
        busy = 2

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = {"choices": [{"message": {"content": REPLY}, "finish_reason": "stop"}]}
            status = 200
            if Handler.busy:
                Handler.busy, status, answer = Handler.busy - 1, 503, {"error": "busy"}
            elif body["model"] != "tiny":
                status, answer = 404, {"error": f"no model {body['model']}"}
            else:
                Handler.asked.append(body)
                answer["usage"] = {"completion_tokens": 7}
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, request, address):
            """A client that hangs up is none of the test's business."""

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", Handler
    server.shutdown()
    server.server_close()


def test_a_chat_server_is_asked_with_the_seed_of_each_reply(toy, tmp_path, chat_server):
    url, handler = chat_server
    arguments = ("--problems", toy / "tasks.jsonl", "--engine", "openai", "--url", url, "--samples", 2, "--workers", 1)
    result = generate("--model", "tiny", "--out", tmp_path / "chat", "--rows", 4, *arguments)
    assert result.exit_code == 0, result.output
    assert "4 of 16 accepted" in result.output and "mean 7" in result.output
    assert len({body["seed"] for body in handler.asked}) == 16
    assert {body["messages"][0]["content"] for body in handler.asked} >= {"say1", "say1 say1"}
    refused = generate("--model", "other", "--out", tmp_path / "other", *arguments)
    assert refused.exit_code == 1 and "no model other" in refused.output and refused.output.count("\n") == 1


def test_livecodebench_questions_are_asked_and_graded(tmp_path, chat_server):
    question = {
        "question_id": "one", "question_content": "Print 1.", "platform": "atcoder", "difficulty": "easy",
        "contest_date": "2024-01-01T00:00:00", "starter_code": "", "metadata": "{}",
        "public_test_cases": json.dumps([{"input": "", "output": "1"}]), "private_test_cases": "[]",
    }  # fmt: skip
    two = {**question, "question_id": "two", "public_test_cases": question["public_test_cases"].replace('"1"', '"2"')}
    (tmp_path / "test.jsonl").write_text(json.dumps(question) + "\n" + json.dumps(two) + "\n")
    url, handler = chat_server
    out = tmp_path / "lcb"
    source = ("--engine", "openai", "--url", url, "--livecodebench", tmp_path / "test.jsonl")
    result = generate("--model", "tiny", "--out", out, "--samples", 1, "--workers", 1, *source)
    assert result.exit_code == 0, result.output
    assert "1 of 2 accepted" in result.output
    assert "Print 1." in handler.asked[0]["messages"][0]["content"]


def test_several_ranks_do_not_all_do_the_same(toy, tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert "leave torchrun out" in generate(*toy_arguments(toy, tmp_path / "run")).output


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"--model": "./nowhere"}, "--model: ./nowhere: no such folder"),
        ({"--model": "acme/none"}, "--model: there is no folder acme/none, and HF_HUB_OFFLINE is set"),
        ({"--problems": "nowhere.jsonl"}, "no such dataset"),
        ({"--max-tokens": 600}, "no room for a prompt in a context of 512"),
        ({"--temperature": "nan"}, "--temperature must be 0, or from 1e-30 to 1e+09, not nan"),
        ({"--engine": "openai"}, "needs --url"),
        ({"--engine": "openai", "--url": "host:8000"}, "such as http://localhost:8000/v1"),
        ({"--prompt": "nowhere.txt"}, "nowhere.txt cannot be read"),
        ({"--livecodebench": "x.jsonl"}, "either --problems or --livecodebench"),
    ],
)
def test_mistakes_are_one_line_and_a_status(toy, tmp_path, monkeypatch, changes, words):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    more = [str(part) for pair in changes.items() for part in pair]
    result = generate(*toy_arguments(toy, tmp_path / "run", *more))
    assert result.exit_code == 2
    assert words in result.output and result.output.count("\n") == 1, result.output
