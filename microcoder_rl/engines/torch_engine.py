"""The engine "torch": samples from the trainer's own model or a copy, on CPU or GPU, without a server.

Each prompt is prefilled once for its group, finished rows are dropped, and log-probs are recorded while sampling.
Every reply is drawn from its own seed, so batching does not change it. On a CPU the groups of a batch are divided over
threads where the model is small.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from copy import copy
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from microcoder_rl.engines import fused_decoder
from microcoder_rl.engines.draw import draw_tokens
from microcoder_rl.engines.generic_decoder import GenericDecoder
from microcoder_rl.model.cpu_parts import threads_for
from microcoder_rl.rollout import Request, Rollout, Weights
from microcoder_rl.seeds import uniforms

MIN_ROWS = 16
"""CPU matrix kernels round differently below this many rows, so smaller batches are padded with unused rows."""
DROP_SHARE = 0.25
"""Compact the cache when this share of the rows has finished."""


class TorchEngine:
    """Samples from `model`. With `weights`, `model` is a copy that loads them at each `sync`.

    >>> engine = TorchEngine(model, end_ids=[0])                                        # doctest: +SKIP
    >>> for rollout in engine.generate([Request((5, 6), (1, 2))], temperature=1.0, max_tokens=32):
    ...     print(rollout.response_ids)                                                 # doctest: +SKIP
    """

    def __init__(
        self, model: Any, end_ids: Sequence[int], *, rows: int = 128, weights: Callable[[], Weights] | None = None
    ) -> None:
        self.model, self.weights = model, weights
        self.end_ids = torch.tensor(sorted(end_ids), device=model.device)
        self.rows = rows
        self.decoder = _decoder(model)
        self.threads = threads_for(model)

    def sync(self) -> None:
        """Load the trainer's current weights."""
        if self.weights:
            own = self.model.state_dict()
            for name, weight in self.weights():
                own[name].copy_(weight)
        self.decoder.sync()

    def rest(self) -> None:
        """Nothing to do: the engine keeps its memory during the update."""

    def close(self) -> None:
        """Nothing to do."""

    def generate(self, requests: Sequence[Request], *, temperature: float, max_tokens: int) -> Iterator[Rollout]:
        """Yield every reply as it ends."""
        was_training = self.model.training
        self.model.eval()
        try:
            for batch in self._batches(requests):
                parts = self._parts(batch)
                decode = partial(self._decode, requests, temperature=temperature, max_tokens=max_tokens)
                pieces = decode(batch)
                if self.threads and len(parts) > 1:
                    pieces = self.threads.interleave([partial(decode, part) for part in parts])
                with closing(pieces):  # when the caller ends early, before the model is in training again
                    for replies in pieces:
                        yield from replies
        finally:
            self.model.train(was_training)

    def _batches(self, requests: Sequence[Request]) -> Iterator[list[tuple[int, range]]]:
        """Batches of rows, as (request, samples) pairs. A group is split only when it alone exceeds a batch."""
        batch: list[tuple[int, range]] = []
        free = self.rows
        for index, request in enumerate(requests):
            for start in range(0, len(request.seeds), self.rows):
                samples = range(start, min(start + self.rows, len(request.seeds)))
                if len(samples) > free:
                    yield batch
                    batch, free = [], self.rows
                batch.append((index, samples))
                free -= len(samples)
        if batch:
            yield batch

    def _parts(self, batch: list[tuple[int, range]]) -> list[list[tuple[int, range]]]:
        """A batch divided into as many runs of whole groups as there are threads, each of MIN_ROWS rows or more."""
        rows = sum(len(samples) for _, samples in batch)
        wanted = min(self.threads.count if self.threads else 1, rows // MIN_ROWS)
        parts: list[list[tuple[int, range]]] = [[]]
        done = 0
        for piece in batch:
            if len(parts) < wanted and done >= rows * len(parts) / wanted:
                parts.append([])
            parts[-1].append(piece)
            done += len(piece[1])
        return parts

    @torch.no_grad()
    def _decode(
        self, requests: Sequence[Request], batch: list[tuple[int, range]], temperature: float, max_tokens: int
    ) -> Generator[list[Rollout]]:
        """Yield after each token the replies that it ended."""
        device, decoder = self.model.device, copy(self.decoder)  # its own cache, the same weights
        owners = [(index, sample) for index, samples in batch for sample in samples]
        count = len(owners)
        padding = max(0, MIN_ROWS - count)
        copies = [len(samples) for _, samples in batch]
        copies[-1] += padding
        draws = np.stack([_uniforms(requests[index], sample, max_tokens) for index, sample in owners])
        draws = np.concatenate([draws, np.zeros((padding, max_tokens), np.float32)])
        uniform = torch.from_numpy(draws).to(device)  # [R, T]
        response = torch.zeros(count + padding, max_tokens, dtype=torch.long, device=device)
        logprob = torch.zeros(count + padding, max_tokens, device=device)
        rows = torch.arange(count + padding, device=device)  # which reply each decoder row holds
        alive, unfinished = rows < count, count
        logits = decoder.start([requests[index].prompt_ids for index, _ in batch], copies, max_tokens)
        for time in range(max_tokens):
            tokens, drawn = draw_tokens(logits, uniform[rows, time], temperature)
            response[rows, time], logprob[rows, time] = tokens, drawn
            ended = torch.isin(tokens, self.end_ids)
            cut = time + 1 == max_tokens
            replies = []
            for row in rows[alive & (ended | cut)].tolist():
                index, sample = owners[row]
                ids = response[row, : time + 1].tolist()
                replies.append(
                    Rollout(
                        group=index,
                        sample=sample,
                        seed=requests[index].seeds[sample],
                        prompt_ids=requests[index].prompt_ids,
                        response_ids=ids,
                        sampled_logprobs=logprob[row, : time + 1].tolist(),
                        finish="stop" if ids[-1] in self.end_ids else "length",
                        temperature=temperature,
                    )
                )
            yield replies
            alive = alive & ~ended
            unfinished -= len(replies)
            if unfinished == 0:
                return
            if unfinished <= (1 - DROP_SHARE) * len(rows) and len(rows) > MIN_ROWS:
                kept = _unfinished_rows(alive, max(unfinished, MIN_ROWS))
                decoder.keep(kept)
                rows, alive, tokens = rows[kept], alive[kept], tokens[kept]
            logits = decoder.step(tokens)


def _decoder(model: Any) -> Any:
    if not fused_decoder.supports(model):
        return GenericDecoder(model)
    if model.device.type == "cpu":
        return fused_decoder.FusedDecoder(model)
    if importlib.util.find_spec("triton") is None:  # torch brings it on Linux
        return GenericDecoder(model)
    from microcoder_rl.engines.gpu_decoder import GpuDecoder

    return GpuDecoder(model)


def _uniforms(request: Request, sample: int, count: int) -> np.ndarray:
    return uniforms(request.seeds[sample], request.drawn + count)[request.drawn :]


def _unfinished_rows(alive: Tensor, count: int) -> Tensor:
    """Ascending indices of `count` rows: the unfinished ones, filled up with finished ones."""
    order = torch.argsort(alive.logical_not().to(torch.int8), stable=True)[:count]
    return order.sort().values
