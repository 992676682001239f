"""HTTP calls to a vLLM server. Every call has a deadline.

A server that is gone, broken or stuck raises `ServerLost`. A server that refuses a request raises `EngineError` with
the server's message.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import httpx

from microcoder_data.llm.http_pools import HttpPools
from microcoder_eval import InputError
from microcoder_rl.engines import EngineError

PROGRESS = re.compile(r"^vllm:(?:prompt|generation)_tokens_total\S*\s(\S+)", re.MULTILINE)
LOOK_S = 1.0
"""Seconds without an answer after which the server's progress is checked."""


class ServerLost(RuntimeError):
    """The server no longer answers, or answers but makes no progress."""


class ServerClient:
    """A connection to the server at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        try:
            self.model = str(self.call("GET", "/v1/models", seconds=30)["data"][0]["id"])
        except (EngineError, ServerLost, KeyError, IndexError, TypeError) as error:
            raise InputError(f"vllm.url: no vLLM server answers at {url}: {error}") from None

    def call(self, method: str, path: str, body: Any = None, *, seconds: float) -> Any:
        """One request and its JSON answer."""
        try:
            return _answer(httpx.request(method, self.url + path, json=body, timeout=seconds))
        except httpx.TransportError as error:
            raise ServerLost(f"{path} did not answer ({_reason(error)})") from error

    def completions(
        self,
        bodies: Sequence[dict[str, Any]],
        *,
        parallel: int,
        silence_s: float,
        alive: Callable[[], bool],
    ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the answers to completion requests as they arrive, with their indices; `parallel` requests at a time.

        The server counts its tokens. When the count does not change for `silence_s`, the server is stuck.
        """
        loop = asyncio.new_event_loop()
        answers: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()
        pools = HttpPools(parallel + 1, base_url=self.url)
        slots = asyncio.Semaphore(parallel)

        async def complete(index: int) -> None:
            async with slots:
                try:
                    with pools.client() as client:
                        answer = await client.post("/v1/completions", json={"model": self.model, **bodies[index]})
                    await answers.put((index, answer))
                except httpx.TransportError as error:
                    await answers.put((index, error))

        async def tokens() -> str:
            with pools.client() as client:
                found = await client.get("/metrics", timeout=LOOK_S * 5)
            return " ".join(PROGRESS.findall(found.text))

        tasks = [loop.create_task(complete(index)) for index in range(len(bodies))]
        seen, last_progress = "", time.monotonic()
        try:
            missing = len(bodies)
            while missing:
                try:
                    index, answer = loop.run_until_complete(asyncio.wait_for(answers.get(), LOOK_S))
                except asyncio.TimeoutError:
                    if not alive():
                        raise ServerLost("it ended while sampling") from None
                    try:
                        count = loop.run_until_complete(tokens())
                    except httpx.TransportError:
                        count = seen
                    if count != seen:
                        seen, last_progress = count, time.monotonic()
                    elif time.monotonic() - last_progress > silence_s:
                        raise ServerLost(f"it sampled no token for {silence_s:g} s") from None
                    continue
                if isinstance(answer, Exception):
                    raise ServerLost(f"it broke off while sampling ({_reason(answer)})")
                missing, last_progress = missing - 1, time.monotonic()
                yield index, _answer(answer)
        finally:
            for task in tasks:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            loop.run_until_complete(pools.close())
            loop.close()


def _answer(response: httpx.Response) -> Any:
    if response.status_code >= 500:
        raise ServerLost(f"{response.url.path} failed with status {response.status_code}: {_message(response)}")
    if response.status_code >= 400:
        raise EngineError(f"the server at {response.url.host} refused {response.url.path}: {_message(response)}")
    return response.json() if response.content else None


def _message(response: httpx.Response) -> str:
    try:
        body = response.json()
        error = body.get("error", body)
        return str(error.get("message", error) if isinstance(error, dict) else error)
    except (ValueError, AttributeError):
        return response.text[:300] or response.reason_phrase


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
