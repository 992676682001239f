"""Ask questions from any number of threads, with a cache, retries, a budget, a deadline and bounded concurrency.

All requests run on one event loop in a thread of its own. After many failures in a row no request is sent for a
minute, so that a build whose server is down does not wait for a timeout at every row.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from microcoder_data.llm.account import Account
from microcoder_data.llm.backend import Backend, Failure, Message, Refusal, Reply, Sampling
from microcoder_data.llm.cache import Cache
from microcoder_data.llm.chat_client import ChatClient, pause_s
from microcoder_data.llm.question import (
    BYTES_A_TOKEN,
    BadAnswer,
    NoAnswer,
    Question,
    estimated_tokens,
    fault_in,
    read_answer,
)
from microcoder_data.llm.settings import Llm
from microcoder_data.llm.vllm_engine import VllmEngine
from microcoder_eval import InputError

DOWN_AFTER = 16
"""After this many failed requests in a row, no request is sent..."""
DOWN_FOR_S = 60.0
"""...for this many seconds."""
SHOWN_CHARACTERS = 1000
"""How much of a bad answer is quoted when the model is asked again."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Check = Callable[[dict[str, Any]], str]
"""From an answer that follows the schema to what is wrong with it, in words; empty when nothing is."""


class Client(AbstractContextManager["Client"]):
    """One model, one cache, one budget.

    dry: no request is sent; questions are counted, and only the cache answers.
    """

    def __init__(self, settings: Llm, cache: Path, dry: bool = False) -> None:
        self.settings = settings
        self.dry = dry
        self.account = Account(settings.max_calls, settings.max_tokens)
        self._cache = Cache(Path(settings.cache) if settings.cache else cache)
        self._identity = settings.identity()
        self._in_flight: dict[str, asyncio.Task[dict[str, Any]]] = {}
        self._dry_counted: set[str] = set()
        self._failures = 0
        self._last_failure = ""
        self._down_until = 0.0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="llm")
        self._thread.start()
        self._slots = asyncio.Semaphore(settings.concurrency)
        self._backend: Backend | None = None
        if not dry:
            try:
                self._backend = self._wait(self._start_backend())
            except BaseException:
                self.close()
                raise

    def ask(self, question: Question, check: Check = lambda answer: "") -> dict[str, Any]:
        """An answer that follows the schema and passes `check`; raises `NoAnswer` with the reason if there is none."""
        answer: dict[str, Any] = self._wait(self._ask_once(question, check))
        return answer

    def side_by_side(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Map `function`, which asks questions, over the items in threads; yields results in the items' order."""
        pool = ThreadPoolExecutor(self.settings.concurrency)
        try:
            yield from pool.map(function, items)
        except BaseException:
            self.close()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        """Cancel all questions; threads that wait for one get a CancelledError."""
        if self._loop.is_closed():
            return
        self._wait(self._cancel_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _start_backend(self) -> Backend:
        settings = self.settings
        if settings.backend == "vllm":
            return VllmEngine(settings)
        key = os.environ.get(settings.api_key_env, "")
        return ChatClient(
            settings.base_url, settings.model, key=key, connections=settings.concurrency, guided=settings.guided
        )

    async def _cancel_all(self) -> None:
        current = asyncio.current_task()
        tasks = [task for task in asyncio.all_tasks() if task is not current]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._backend is not None:
            await self._backend.close()

    async def _ask_once(self, question: Question, check: Check) -> dict[str, Any]:
        """Ask, or wait for the same question that is already being asked."""
        step = self.account.steps[question.step]
        step.questions += 1
        key = question.key(self._identity)
        task = self._in_flight.get(key)
        if task is None:
            task = self._in_flight[key] = asyncio.ensure_future(self._load_or_ask(key, question, check))
            task.add_done_callback(lambda _: self._in_flight.pop(key, None))
        else:
            step.cached += 1
        try:
            return await asyncio.shield(task)
        except NoAnswer as why:
            self.account.unanswered(question.step, why)
            raise

    async def _load_or_ask(self, key: str, question: Question, check: Check) -> dict[str, Any]:
        """The answer in the cache, or the model's, which is then cached."""
        entry = self._cache.load(key)
        if entry is not None and ("useless" in entry or not fault_in(entry["answer"], question.schema)):
            self.account.steps[question.step].cached += 1
            if "useless" in entry:
                raise NoAnswer(f"{entry['useless']}", final=True)
            return dict(entry["answer"])
        if self.dry:
            if key not in self._dry_counted:
                self._dry_counted.add(key)
                self.account.settle(question.step, 0, question.prompt_tokens(), self._most_tokens(question))
            raise NoAnswer("dry run", final=True)
        try:
            answer = await self._ask_model(question, check)
        except NoAnswer as why:
            if why.final:
                await self._store(key, {"useless": str(why)})
            raise
        await self._store(key, {"answer": answer})
        return answer

    async def _store(self, key: str, entry: dict[str, Any]) -> None:
        try:
            await asyncio.to_thread(self._cache.store, key, entry)
        except (OSError, InputError):
            pass  # an answer that cannot be cached is still used; a full disk stops the build when it writes a shard

    async def _ask_model(self, question: Question, check: Check) -> dict[str, Any]:
        """Ask until an answer passes, the server refuses, or the attempts are used up."""
        messages = [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]
        chat = list(messages)
        why = NoAnswer("never asked")
        for attempt in range(self.settings.attempts):
            wait_s = 0.0
            try:
                reply = await self._send(question, chat)
                answer = read_answer(reply.text, question.schema)
                if fault := check(answer):
                    raise BadAnswer(fault)
                return answer
            except BadAnswer as fault:
                why = NoAnswer(f"no useful answer: {fault}", final=True)
                complaint = f"That is not the answer that was asked for: {fault}. Reply with the JSON object alone."
                bad_answer = reply.text[:SHOWN_CHARACTERS]
                chat = [*messages, {"role": "assistant", "content": bad_answer}, {"role": "user", "content": complaint}]
            except Refusal as fault:
                raise NoAnswer(str(fault)) from None
            except Failure as fault:
                why = NoAnswer(str(fault))
                wait_s = pause_s(attempt, fault)
            if attempt + 1 < self.settings.attempts:
                await asyncio.sleep(wait_s)
        raise why

    async def _send(self, question: Question, messages: list[Message]) -> Reply:
        """Send one request as soon as a slot is free and the budget allows it, with a timeout."""
        assert self._backend is not None  # only a dry client has none, and it sends nothing
        sampling = Sampling(
            self._most_tokens(question),
            question.temperature,
            self.settings.seed + question.draw,
            question.schema or None,
        )
        prompt = question.prompt_tokens() + sum(len(message["content"]) // BYTES_A_TOKEN for message in messages[2:])
        async with self._slots:
            if time.monotonic() < self._down_until:
                raise NoAnswer(f"the server is down: {self._last_failure}")
            self.account.reserve(prompt + sampling.max_tokens)
            used = (prompt, 0)
            try:
                reply = await asyncio.wait_for(self._backend.complete(messages, sampling), self.settings.timeout_s)
                estimate = estimated_tokens(reply.text)
                used = (
                    prompt if reply.prompt_tokens is None else reply.prompt_tokens,
                    estimate if reply.answer_tokens is None else reply.answer_tokens,
                )
                self._failures = 0
                return reply
            except asyncio.TimeoutError:
                raise self._counted_failure(Failure(f"no answer within {self.settings.timeout_s:g} s")) from None
            except Failure as failure:
                raise self._counted_failure(failure) from None
            except Refusal:
                raise
            except Exception as fault:  # an unexpected error of the HTTP library costs the answer, not the row
                raise self._counted_failure(Failure(f"{type(fault).__name__}: {fault}"[:200])) from None
            finally:
                self.account.settle(question.step, prompt + sampling.max_tokens, *used)

    def _counted_failure(self, failure: Failure) -> Failure:
        """The failure, after it is counted; too many in a row stop all requests for `DOWN_FOR_S`."""
        self._failures += 1
        self._last_failure = str(failure)
        if self._failures >= DOWN_AFTER:
            self._down_until = time.monotonic() + DOWN_FOR_S
        return failure

    def _most_tokens(self, question: Question) -> int:
        return question.answer_tokens + self.settings.reasoning_tokens
