"""The backend `vllm`: vLLM inside this process. One thread owns the engine; waiting requests form its batches."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from microcoder_data.llm.backend import Message, Refusal, Reply, Sampling
from microcoder_data.llm.settings import Llm
from microcoder_eval import InputError
from microcoder_eval.install_line import install_line


class QueuedRequest(NamedTuple):
    """A request, and where its reply goes."""

    messages: list[Message]
    sampling: Sampling
    future: asyncio.Future[Reply]
    loop: asyncio.AbstractEventLoop


class VllmEngine:
    """Loads the model when created. Requests that arrive while a batch runs form the next batch."""

    def __init__(self, settings: Llm) -> None:
        try:
            import vllm
        except ImportError:
            raise InputError(f"backend vllm: vllm is not installed: {install_line('vllm')}") from None
        self._vllm = vllm
        self._guided = settings.guided
        try:
            self._engine = vllm.LLM(model=settings.model, **settings.vllm)
        except Exception as fault:  # vLLM raises many types for a model or an option that it cannot load
            reason = " ".join(str(fault).split())[:300]
            raise InputError(f"backend vllm: {settings.model} cannot be loaded: {reason}") from None
        self._queue: queue.SimpleQueue[QueuedRequest | None] = queue.SimpleQueue()
        threading.Thread(target=self._serve, daemon=True, name="vllm").start()

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Reply] = loop.create_future()
        self._queue.put(QueuedRequest(list(messages), sampling, future, loop))
        return await future

    async def close(self) -> None:
        self._queue.put(None)

    def _serve(self) -> None:
        while True:
            batch = [self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get())
            requests = [item for item in batch if item is not None]
            if requests:
                self._run(requests)
            if len(requests) < len(batch):  # `close` has put None into the queue
                return

    def _run(self, batch: list[QueuedRequest]) -> None:
        try:
            outcomes: list[Any] = self._generate(batch)
        except Exception as fault:
            if len(batch) > 1:  # one bad request must not fail the others of its batch
                for request in batch:
                    self._run([request])
                return
            outcomes = [Refusal(f"vLLM: {type(fault).__name__}: {' '.join(str(fault).split())[:120]}")]
        for request, outcome in zip(batch, outcomes, strict=True):
            request.loop.call_soon_threadsafe(_deliver, request.future, outcome)

    def _generate(self, batch: list[QueuedRequest]) -> list[Reply]:
        chats: Any = [request.messages for request in batch]
        parameters = [self._parameters(request.sampling) for request in batch]
        outputs = self._engine.chat(chats, parameters, use_tqdm=False)
        return [
            Reply(
                output.outputs[0].text,
                truncated=output.outputs[0].finish_reason == "length",
                prompt_tokens=len(output.prompt_token_ids or ()),
                answer_tokens=len(output.outputs[0].token_ids),
            )
            for output in outputs
        ]

    def _parameters(self, sampling: Sampling) -> Any:
        options: dict[str, Any] = {}
        if self._guided and sampling.schema is not None:
            from vllm import sampling_params

            options["structured_outputs"] = sampling_params.StructuredOutputsParams(json=dict(sampling.schema))
        return self._vllm.SamplingParams(
            max_tokens=sampling.max_tokens, temperature=sampling.temperature, seed=sampling.seed, **options
        )


def _deliver(future: asyncio.Future[Reply], outcome: Reply | Exception) -> None:
    if future.done():
        return
    if isinstance(outcome, Reply):
        future.set_result(outcome)
    else:
        future.set_exception(outcome)
