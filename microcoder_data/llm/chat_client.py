"""A client for any server with the OpenAI chat interface (vLLM, SGLang, llama.cpp, hosted ones). Public.

    reply = await ChatClient("http://localhost:8000/v1", "qwen").complete(messages, Sampling(512, 0.7, seed=1))
    for number, reply in sampled("http://localhost:8000/v1", "qwen", [(messages, sampling), ...]): ...  # blocking

Both raise `Failure` when trying again may help (a busy or unreachable server) and `Refusal` when it will not. There is
no cache and no budget here: those belong to `Client`. `timeout_s` covers a whole request, since a server may send
slowly.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_data.llm.backend import Failure, Message, Refusal, Reply, Sampling

MAX_BODY = 8 << 20
LONGEST_SERVER_WAIT_S = 60.0
"""A longer `Retry-After` of a server is cut to this."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
"""The pause between attempts doubles, from the first value up to the second."""
_TRY_AGAIN = (408, 409, 425, 429)
_BAD_REQUEST = (400, 422)

Request = tuple[Sequence[Message], Sampling]


class ChatClient:
    """Sends `POST base_url/chat/completions`. Use it on one event loop; requests may overlap."""

    def __init__(self, base_url: str, model: str, *, key: str = "", connections: int = 64, guided: bool = True) -> None:
        """
        key: the API key, if the server needs one.
        guided: send the JSON schema of an answer to the server. A server that refuses schemas is asked without one.
        """
        from microcoder_data.llm.http_pools import HttpPools  # it loads httpx

        self._base_url, self._model, self._guided = base_url, model, guided
        self._url = base_url.rstrip("/") + "/chat/completions"
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = HttpPools(connections, headers=headers)

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        """One reply; raises `Failure` or `Refusal`."""
        body = {
            "model": self._model,
            "messages": list(messages),
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "seed": sampling.seed,
        }
        guided = self._guided and sampling.schema is not None
        if guided:
            schema = {"name": "answer", "schema": dict(sampling.schema or {})}
            status, wait_s, text = await self._post(
                {**body, "response_format": {"type": "json_schema", "json_schema": schema}}
            )
            if status in _BAD_REQUEST:
                status, wait_s, text = await self._post(body)
                self._guided = status >= 300  # a request without a schema works: this server knows no schemas
        else:
            status, wait_s, text = await self._post(body)
        if status >= 500 or status in _TRY_AGAIN:
            raise Failure(f"the server answered {status}", wait_s)
        if not 200 <= status < 300:
            raise Refusal(f"the server refused: {status} {_error_text(text)}")
        return read_reply(text)

    async def close(self) -> None:
        await self._http.close()

    async def _post(self, body: dict[str, Any]) -> tuple[int, float | None, str]:
        import httpx

        try:
            with self._http.client() as client:
                async with client.stream("POST", self._url, json=body) as response:
                    received = bytearray()
                    async for chunk in response.aiter_bytes():
                        received += chunk
                        if len(received) > MAX_BODY:
                            raise Failure("the server's answer is too long")
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise Failure(f"no connection to {self._base_url}: {type(error).__name__}") from None
        wait_s = _retry_after_s(response.headers.get("retry-after"))
        return response.status_code, wait_s, received.decode("utf-8", "replace")


def sampled(
    base_url: str,
    model: str,
    requests: Sequence[Request],
    *,
    key: str = "",
    concurrency: int = 64,
    timeout_s: float = 1800.0,
    attempts: int = 5,
) -> Iterator[tuple[int, Reply]]:
    """Send the requests, `concurrency` at a time; yields (number of the request, its reply) as each one ends.

    A request that raises `Failure` is sent up to `attempts` times. When a request has no reply after that, or is
    refused, its error is raised here and the other requests are cancelled.
    """
    loop = asyncio.new_event_loop()
    client = ChatClient(base_url, model, key=key, connections=concurrency)
    ended: asyncio.Queue[tuple[int, Reply | Failure | Refusal]] = asyncio.Queue()
    slots = asyncio.Semaphore(concurrency)

    async def answer(number: int, request: Request) -> None:
        async with slots:
            try:
                ended.put_nowait((number, await _complete_with_retries(client, request, timeout_s, attempts)))
            except (Failure, Refusal) as error:
                ended.put_nowait((number, error))

    tasks = [loop.create_task(answer(number, request)) for number, request in enumerate(requests)]
    try:
        for _ in tasks:
            number, reply = loop.run_until_complete(ended.get())
            if not isinstance(reply, Reply):
                raise reply
            yield number, reply
    finally:
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(client.close())
        loop.close()


async def _complete_with_retries(client: ChatClient, request: Request, timeout_s: float, attempts: int) -> Reply:
    failure = Failure("never sent")
    for attempt in range(attempts):
        try:
            return await asyncio.wait_for(client.complete(*request), timeout_s)
        except asyncio.TimeoutError:
            failure = Failure(f"no answer within {timeout_s:g} s")
        except Failure as error:
            failure = error
        if attempt + 1 < attempts:
            await asyncio.sleep(pause_s(attempt, failure))
    raise failure


def pause_s(attempt: int, failure: Failure) -> float:
    """How long to wait after attempt number `attempt`, counted from 0: the server's time, or one that doubles.

    >>> pause_s(0, Failure("busy")), pause_s(3, Failure("busy")), pause_s(3, Failure("busy", wait_s=9.0))
    (0.5, 4.0, 9.0)
    """
    if failure.wait_s is not None:
        return failure.wait_s
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0**attempt)


def read_reply(text: str) -> Reply:
    """The reply in the body of a chat completion; raises `Failure` for any other body.

    >>> read_reply('{"choices": [{"message": {"content": "3"}, "finish_reason": "stop"}]}').text
    '3'
    """
    try:
        body = json.loads(text)
        choice = body["choices"][0]
        message = choice["message"]
        content = message["content"]
        reasoning = message.get("reasoning_content") or message.get("reasoning")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise Failure("the server's answer is not a chat completion") from None
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Reply(
        content if isinstance(content, str) else "",
        reasoning if isinstance(reasoning, str) else "",
        choice.get("finish_reason") == "length",
        _token_count(usage, "prompt_tokens"),
        _token_count(usage, "completion_tokens"),
    )


def _token_count(usage: dict[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and 0 <= value < 1 << 40 else None


def _error_text(body: str) -> str:
    """The message of an error's body, whatever its form, for a person to read."""
    try:
        error = json.loads(body)
        error = error.get("error", error)
        body = error["message"] if isinstance(error, dict) else error
    except (ValueError, KeyError, AttributeError, RecursionError):
        pass
    return " ".join(str(body).split())[:120]


def _retry_after_s(header: str | None) -> float | None:
    try:
        return min(LONGEST_SERVER_WAIT_S, max(0.0, float(header or "")))
    except ValueError:
        return None
