"""The sliding window of a model's attention, and which layout of an update is wrong with it."""

from __future__ import annotations

from typing import Any

NO_WINDOW = 1 << 30


def shortest_window(config: Any) -> int:
    """The shortest sliding window of a model's layers, in positions; NO_WINDOW without one. `config`: transformers'."""
    from transformers import DynamicCache

    layers = DynamicCache(config=config).layers  # knows which layers slide, by type and by key
    return min((layer.sliding_window for layer in layers if getattr(layer, "is_sliding", False)), default=NO_WINDOW)


def layout_problem(layout: str, window: int, longest: int) -> str:
    """Why a layout cannot be used where a prompt with its reply has up to `longest` tokens; empty when it can.

    Layout shared puts prompts of different lengths beside each other, padded: a window would count the padding.

    >>> layout_problem("shared", 512, 4096)
    "batch.layout shared computes wrong values where the model's attention has a window (512 tokens here, and a prompt \
with its reply has up to 4096): batch.layout=padded"
    >>> layout_problem("padded", 512, 4096), layout_problem("shared", 4096, 2048)
    ('', '')
    """
    if layout != "shared" or longest <= window:
        return ""
    return (
        f"batch.layout shared computes wrong values where the model's attention has a window ({window} tokens here, "
        f"and a prompt with its reply has up to {longest}): batch.layout=padded"
    )
