"""Divides the work of a small model on a CPU over threads by replies, instead of dividing each operation.

    threads = threads_for(model)                    # None for a large model, or with one thread
    outputs = in_parts(threads, run, items, model)  # run(items), differentiable in the model's weights

The operations of a small model are so short that dividing each of them costs more than it gains. Here every thread
computes its replies alone, forward and backward. The gradients of the parts are added in a fixed order, so that the
result does not depend on which thread is faster. Dropout is not supported: its random numbers are common.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from queue import SimpleQueue
from threading import Barrier, Event
from typing import Any

import torch
from torch import Tensor, nn

from microcoder_rl import distributed

MOST_WEIGHTS = 1 << 24
"""Larger models are not divided by replies: their operations are long enough, and each part has a gradient."""


class Threads:
    """Threads whose operations are not divided further."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.pool = ThreadPoolExecutor(count, "part")
        barrier = Barrier(count)

        def start(_: int) -> None:
            torch.get_num_threads()  # a thread's first operation would take torch's common number instead
            torch.set_num_threads(1)
            barrier.wait()  # every thread takes one call

        list(self.pool.map(start, range(count)))
        torch.set_num_threads(count)  # for threads that others start

    def map(self, work: Callable[[Any], Any], parts: Sequence[Any]) -> list[Any]:
        """The results for all parts, in their order. An error is raised when all have ended."""
        futures = [self.pool.submit(work, part) for part in parts]
        for future in futures:
            future.exception()
        return [future.result() for future in futures]

    def interleave(self, generators: Sequence[Callable[[], Iterator[Any]]]) -> Generator[Any]:
        """What the generators give, as it comes, but for what is empty. When this ends early or one of them fails, each
        of the others ends at what it gives next, be it empty. Nothing of them runs on."""
        results: SimpleQueue[Any] = SimpleQueue()
        stopped = Event()

        def work(generator: Callable[[], Iterator[Any]]) -> None:
            try:
                for item in generator():
                    if item:
                        results.put(item)
                    if stopped.is_set():
                        return
            except BaseException:
                stopped.set()
                raise
            finally:
                results.put(_END)

        futures = [self.pool.submit(work, generator) for generator in generators]
        try:
            running = len(futures)
            while running:
                item = results.get()
                if item is _END:
                    running -= 1
                else:
                    yield item
        finally:
            stopped.set()
            wait(futures)
        for future in futures:
            future.result()


_END = object()


def threads_for(model: Any, *, trains: bool = False) -> Threads | None:
    """Threads for a small model on a CPU. None where its work, in training or in sampling, is not to be divided."""
    weights = list(model.parameters())
    large = sum(weight.numel() for weight in weights) > MOST_WEIGHTS
    count = 1 if distributed.size() > 1 else torch.get_num_threads()
    if count == 1 or large or weights[0].device.type != "cpu" or (trains and _draws(model)):
        return None
    return Threads(count)


@torch.no_grad()
def _draws(model: Any) -> bool:
    """Whether a forward pass in training draws random numbers, as dropout does."""
    state, training = torch.get_rng_state(), model.training
    model.train()(torch.zeros(1, 2, dtype=torch.long), use_cache=False)
    drawn = not torch.equal(torch.get_rng_state(), state)
    torch.set_rng_state(state)
    model.train(training)
    return drawn


def in_parts(threads: Threads, run: Callable[[Any], tuple[Tensor, ...]], items: Sequence[Any], model: nn.Module) -> Any:
    """`run(items)`, whose tensors have items along their first dimension, computed in as many parts as threads."""
    size = -(-len(items) // threads.count)
    parts = [items[start : start + size] for start in range(0, len(items), size)]
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    return _Parts.apply(threads, run, parts, torch.is_grad_enabled(), *weights)


class _Parts(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, threads: Threads, run: Any, parts: Any, differentiable: bool, *weights: Tensor) -> Any:
        def work(part: Any) -> Sequence[Tensor]:
            with torch.set_grad_enabled(differentiable):
                outputs: Sequence[Tensor] = run(part)
                return outputs

        found = threads.map(work, parts)
        ctx.threads, ctx.found, ctx.weights = threads, found, weights
        joined = [torch.cat([output.detach() for output in outputs]) for outputs in zip(*found, strict=True)]
        constant = [whole for whole, output in zip(joined, found[0], strict=True) if not output.requires_grad]
        ctx.mark_non_differentiable(*constant)
        return tuple(joined)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        lengths = [len(outputs[0]) for outputs in ctx.found]
        pieces = zip(*[grad.split(lengths) for grad in grads], strict=True)

        def work(part: tuple[Sequence[Tensor], Sequence[Tensor]]) -> Sequence[Tensor | None]:
            pairs = [(output, grad) for output, grad in zip(*part, strict=True) if output.requires_grad]
            outputs, of_outputs = zip(*pairs, strict=True)
            return torch.autograd.grad(outputs, ctx.weights, of_outputs, allow_unused=True)

        first, *others = ctx.threads.map(work, list(zip(ctx.found, pieces, strict=True)))
        ctx.found = None
        totals = list(first)
        for gradients in others:
            totals = [_sum(total, gradient) for total, gradient in zip(totals, gradients, strict=True)]
        return None, None, None, None, *totals


def _sum(one: Tensor | None, other: Tensor | None) -> Tensor | None:
    return other if one is None else one if other is None else one.add_(other)
