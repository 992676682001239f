"""The client of language models: answers are checked, kept, bounded and paid for; no server can hold a build up."""

from __future__ import annotations

import json
import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.llm import Client, Llm, NoAnswer, Question, chat_client
from microcoder_data.llm.client import DOWN_AFTER
from microcoder_data.llm.question import BadAnswer, read_answer
from microcoder_eval import InputError
from tests.data.scripted_server import drip, hang, serving

SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "number", "minimum": 1, "maximum": 5}, "why": {"type": "string"}},
    "required": ["score"],
}


def question(user: str = "How hard is it?", **fields: Any) -> Question:
    return Question("score_v1", "You score.", user, SCHEMA, **{"answer_tokens": 20, **fields})


def settings(url: str, **fields: Any) -> Llm:
    return Llm(backend="openai", model="scripted", base_url=url, **{"timeout_s": 5.0, **fields})


@pytest.fixture(autouse=True)
def no_long_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_client, "FIRST_WAIT_S", 0.01)


def test_an_answer_is_asked_once_and_then_comes_from_the_cache(tmp_path: Path) -> None:
    with serving(lambda body, number: '{"score": 3, "why": "loops"}') as server:
        for _ in range(2):
            with Client(settings(server.base_url), tmp_path) as client:
                assert client.ask(question()) == {"score": 3, "why": "loops"}
        assert len(server.bodies) == 1
        sent = server.bodies[0]
        assert sent["path"] == "/v1/chat/completions" and sent["model"] == "scripted"
        assert [message["content"] for message in sent["messages"]] == ["You score.", "How hard is it?"]
        with Client(settings(server.base_url), tmp_path) as client:
            client.ask(question(draw=1))
            client.ask(question("And this?"))
        assert len(server.bodies) == 3, "another draw and another text are other questions"


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 2}',
        'Sure!\n```json\n{"score": 2}\n```\nHope it helps {"score": 5}',
        '<think>{"score": 4} or less?</think> {"score": 2}',
        'broken { and then {"score": 2}',
        '{"other": 1} {"score": 2}',
    ],
)
def test_the_answer_is_found_in_what_models_write_around_it(text: str) -> None:
    assert read_answer(text, SCHEMA)["score"] == 2


@pytest.mark.parametrize(
    "text",
    ["", "no", "[1]", '{"score": "2"}', '{"score": 9}', '{"score": NaN}', '{"score": true}', '{"score": 2, "why": 3}',
     '{"score": 2', '{"score": 2, "why": "\\ud800"}', "{" * 10000, "[" * 100000, '<think>{"score": 2}'],
)  # fmt: skip
def test_what_is_not_the_schema_is_no_answer(text: str) -> None:
    with pytest.raises(BadAnswer):
        read_answer(text, SCHEMA)


def test_a_useless_answer_is_told_so_and_asked_again(tmp_path: Path) -> None:
    with serving(lambda body, number: "I think it is hard." if number < 3 else '{"score": 4}') as server:
        with Client(settings(server.base_url), tmp_path) as client:
            assert client.ask(question()) == {"score": 4}
        assert "holds no JSON object" in server.bodies[1]["messages"][-1]["content"]


def test_nonsense_for_ever_is_remembered_and_not_paid_for_twice(tmp_path: Path) -> None:
    with serving(lambda body, number: "banana") as server:
        for _ in range(2):
            with Client(settings(server.base_url, attempts=3), tmp_path) as client:
                with pytest.raises(NoAnswer, match="no useful answer"):
                    client.ask(question())
                assert client.account.to_retry == 0
        assert len(server.bodies) == 3


def test_a_check_of_the_meaning_counts_like_the_schema(tmp_path: Path) -> None:
    with (
        serving(lambda body, number: json.dumps({"score": number})) as server,
        Client(settings(server.base_url), tmp_path) as client,
    ):
        assert client.ask(question(), lambda answer: "" if answer["score"] == 3 else "too low") == {"score": 3}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_asked_again(tmp_path: Path, status: int) -> None:
    with (
        serving(lambda body, number: status if number < 3 else '{"score": 1}') as server,
        Client(settings(server.base_url), tmp_path) as client,
    ):
        assert client.ask(question()) == {"score": 1}


def test_a_server_says_how_long_to_wait(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> Any:
        return (lambda handler: handler.send(429, {}, Retry_After="0.3")) if number == 1 else '{"score": 1}'

    with serving(script) as server, Client(settings(server.base_url), tmp_path) as client:
        began = time.monotonic()
        client.ask(question())
        assert time.monotonic() - began >= 0.3


def test_a_refused_request_is_not_repeated(tmp_path: Path) -> None:
    with serving(lambda body, number: 401) as server, Client(settings(server.base_url), tmp_path) as client:
        with pytest.raises(NoAnswer, match="refused: 401 scripted"):
            client.ask(question())
        assert len(server.bodies) == 1 and client.account.to_retry == 1


def test_a_server_without_schemas_is_asked_without(tmp_path: Path) -> None:
    with serving(lambda body, number: 400 if "response_format" in body else '{"score": 1}') as server:
        with Client(settings(server.base_url), tmp_path) as client:
            client.ask(question())
            client.ask(question("another"))
        assert ["response_format" in body for body in server.bodies] == [True, False, False]


@pytest.mark.parametrize("behaviour", [hang, drip])
def test_no_server_holds_a_question_beyond_its_deadline(tmp_path: Path, behaviour: Any) -> None:
    with (
        serving(lambda body, number: behaviour) as server,
        Client(settings(server.base_url, timeout_s=0.3, attempts=2), tmp_path) as client,
        pytest.raises(NoAnswer, match=r"within 0\.3 s"),
    ):
        client.ask(question())


def test_a_server_that_is_down_is_left_alone_and_nothing_is_kept(tmp_path: Path) -> None:
    with Client(settings("http://127.0.0.1:9/v1", attempts=2), tmp_path) as client:
        reasons = []
        for number in range(30):
            with pytest.raises(NoAnswer) as caught:
                client.ask(question(f"row {number}"))
            reasons.append(str(caught.value))
        assert "no connection" in reasons[0] and reasons[-1].startswith("the server is down: no connection")
        assert client.account.steps["score_v1"].calls == DOWN_AFTER
        assert client.account.to_retry == 30
    assert not list(tmp_path.rglob("*.json"))


@pytest.mark.parametrize("body", ["[]", '{"choices": []}', '{"choices": [{"message": null}]}', "<html>", ""])
def test_a_server_that_speaks_something_else_costs_the_answer(tmp_path: Path, body: str) -> None:
    def reply(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body.encode())

    with (
        serving(lambda _, number: reply) as server,
        Client(settings(server.base_url, attempts=2), tmp_path) as client,
        pytest.raises(NoAnswer, match="not a chat completion"),
    ):
        client.ask(question())


@pytest.mark.parametrize("wrong", [{"user": "\ud800"}, {"url": "http://[::1/v1"}, {"url": "http://nowhere.invalid/v1"}])
def test_a_request_that_cannot_even_be_sent_costs_the_answer(tmp_path: Path, wrong: dict[str, str]) -> None:
    url = wrong.get("url", "http://127.0.0.1:9/v1")
    with Client(settings(url, attempts=2), tmp_path) as client, pytest.raises(NoAnswer):
        client.ask(question(wrong.get("user", "How hard is it?")))


def test_no_more_requests_at_a_time_than_allowed(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> str:
        time.sleep(0.02)
        return '{"score": 1}'

    with serving(script) as server, Client(settings(server.base_url, concurrency=4), tmp_path) as client:
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda number: client.ask(question(f"row {number}")), range(40)))
        assert 2 <= server.most_open <= 4


def test_the_same_question_from_many_threads_is_one_call(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> str:
        time.sleep(0.1)
        return '{"score": 1}'

    with serving(script) as server, Client(settings(server.base_url), tmp_path) as client:
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(lambda _: client.ask(question()), range(8))) == [{"score": 1}] * 8
        assert len(server.bodies) == 1


def _ask_twenty(url: str, folder: str) -> None:
    with Client(settings(url), Path(folder)) as client:
        for number in range(20):
            assert client.ask(question(f"row {number}")) == {"score": 2}


def test_two_processes_share_a_cache(tmp_path: Path) -> None:
    with serving(lambda body, number: '{"score": 2}') as server:
        context = multiprocessing.get_context("spawn")
        both = [context.Process(target=_ask_twenty, args=(server.base_url, str(tmp_path))) for _ in range(2)]
        for process in both:
            process.start()
        for process in both:
            process.join()
        assert [process.exitcode for process in both] == [0, 0]
        assert len(list(tmp_path.rglob("*.json"))) == 20
        _ask_twenty("http://127.0.0.1:9/v1", str(tmp_path))


def test_a_broken_file_in_the_cache_is_asked_again(tmp_path: Path) -> None:
    with serving(lambda body, number: '{"score": 2}') as server:
        for broken in ("", "[]", '{"answer": []}', '{"answer": {"score": 77}}'):
            with Client(settings(server.base_url), tmp_path) as client:
                client.ask(question())
            next(tmp_path.rglob("*.json")).write_text(broken)
        assert len(server.bodies) == 4


def test_the_budget_ends_the_asking(tmp_path: Path) -> None:
    with serving(lambda body, number: '{"score": 2}') as server:
        with Client(settings(server.base_url, max_calls=2), tmp_path / "calls") as client:
            client.ask(question("1"))
            client.ask(question("2"))
            client.ask(question("1"))
            with pytest.raises(NoAnswer, match="budget of calls"):
                client.ask(question("3"))
        with Client(settings(server.base_url, max_tokens=250), tmp_path / "tokens") as client:
            client.ask(question("1"))  # 110 tokens, as the server counts them
            client.ask(question("2"))
            with pytest.raises(NoAnswer, match="budget of tokens"):
                client.ask(question("3"))
        assert len(server.bodies) == 4


def test_a_dry_run_counts_what_the_cache_does_not_hold(tmp_path: Path) -> None:
    with serving(lambda body, number: '{"score": 2}') as server:
        with Client(settings(server.base_url), tmp_path) as client:
            client.ask(question("known"))
        with Client(settings(server.base_url), tmp_path, dry=True) as client:
            assert client.ask(question("known")) == {"score": 2}
            with pytest.raises(NoAnswer, match="dry run"):
                client.ask(question("unknown"))
            account = client.account.steps["score_v1"]
            assert (account.questions, account.cached, account.calls, account.answer_tokens) == (2, 1, 1, 20)
            assert account.prompt_tokens > 0
        assert len(server.bodies) == 1


def test_closing_ends_questions_that_are_under_way(tmp_path: Path) -> None:
    with serving(lambda body, number: hang) as server:
        client = Client(settings(server.base_url, timeout_s=60), tmp_path)
        ended = threading.Event()

        def ask() -> None:
            try:
                client.ask(question())
            except BaseException:
                ended.set()

        threading.Thread(target=ask, daemon=True).start()
        while not server.bodies:
            time.sleep(0.01)
        client.close()
        assert ended.wait(120)


def test_a_key_from_the_environment_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPTED_KEY", "s3cret")
    with serving(lambda body, number: '{"score": 2}') as server:
        with Client(settings(server.base_url, api_key_env="SCRIPTED_KEY"), tmp_path) as client:
            client.ask(question())
        assert server.bodies[0]["key"] == "Bearer s3cret"


@pytest.mark.parametrize("wrong", [{"model": ""}, {"concurrency": 0}, {"base_url": "localhost:8000"}])
def test_impossible_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Llm(**{"backend": "openai", "model": "m", **wrong})
