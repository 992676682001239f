"""The sizes of a model, on which its memory and time depend. Read from its config.json, without weights."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_eval import InputError
from microcoder_rl.model.window import NO_WINDOW, shortest_window
from microcoder_rl.recipe.config import Config, TinyConfig
from microcoder_rl.recipe.model_folder import no_model_folder

KINDS = ("llama", "mistral", "qwen2", "qwen3")
"""Types of models that the plan is made for. Others are taken for a Llama with their sizes."""


@dataclass(frozen=True)
class Shape:
    """A dense decoder with gated feed-forward layers."""

    kind: str
    hidden: int
    intermediate: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    tied: bool
    context: int
    window: int = NO_WINDOW
    """The shortest sliding window of its layers."""
    counted: int = 0
    """The number of parameters, of a model whose type is not in KINDS; else 0."""

    @property
    def query_width(self) -> int:
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> int:
        """Width of the keys. The values have the same width."""
        return self.kv_heads * self.head_dim

    @property
    def embedding(self) -> int:
        """Parameters of the embedding. The output head has as many."""
        return self.vocabulary * self.hidden

    @property
    def layer(self) -> int:
        """Parameters of a layer."""
        if self.counted:
            return (self.counted - self.embedding * (1 if self.tied else 2)) // self.layers
        attention = 2 * self.hidden * (self.query_width + self.kv_width)
        small = 2 * self.hidden
        if self.kind == "qwen3":
            small += 2 * self.head_dim
        if self.kind == "qwen2":
            small += self.query_width + 2 * self.kv_width
        return attention + 3 * self.hidden * self.intermediate + small

    @property
    def parameters(self) -> int:
        """
        >>> round(KNOWN["Qwen/Qwen3-4B-Instruct-2507"].parameters / 1e9, 2)
        4.02
        """
        return self.counted or self.embedding * (1 if self.tied else 2) + self.layers * self.layer + self.hidden

    @property
    def multiplied(self) -> int:
        """Parameters that take part in matrix products: all but the embedding's table."""
        return self.embedding + self.layers * self.layer


def _qwen3(hidden: int, intermediate: int, layers: int, heads: int, *, tied: bool, context: int) -> Shape:
    return Shape("qwen3", hidden, intermediate, layers, heads, 8, 128, 151936, tied, context)


KNOWN = {
    "Qwen/Qwen3-1.7B": _qwen3(2048, 6144, 28, 16, tied=True, context=40960),
    "Qwen/Qwen3-4B-Instruct-2507": _qwen3(2560, 9728, 36, 32, tied=True, context=262144),
    "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B": _qwen3(4096, 12288, 36, 32, tied=False, context=131072),
}
"""Shapes of the recipes' models, from their config.json."""


def find_shape(config: Config) -> Shape:
    """The shape of a recipe's model: from its folder, the known names, the hub cache, or the toy world's settings."""
    name = config.model.path
    if name == "tiny" and config.tiny:
        return _tiny(config.tiny)
    if not name:
        raise InputError("model.path is empty: give a model folder or one of " + ", ".join(KNOWN))
    file = Path(name) / "config.json"
    if file.is_file():
        return read_shape(file)
    if name in KNOWN:
        return KNOWN[name]
    if Path(name).is_dir():
        raise InputError(f"model.path: {name} {no_model_folder(Path(name))}")
    if not Path(name).exists():
        cached = _in_hub_cache(name)
        if cached:
            return read_shape(cached)
    raise InputError(
        f"model.path: {name} is neither a folder with a config.json nor a known model "
        f"({', '.join(KNOWN)}): put its config.json into a folder and give that folder"
    )


def read_shape(file: Path) -> Shape:
    """The shape that a config.json describes."""
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
        kind = config["model_type"]
        if kind not in KINDS:
            return _of_another_kind(file.parent, kind)
        heads, hidden = config["num_attention_heads"], config["hidden_size"]
        return Shape(
            kind=kind,
            hidden=hidden,
            intermediate=config["intermediate_size"],
            layers=config["num_hidden_layers"],
            heads=heads,
            kv_heads=config.get("num_key_value_heads") or heads,
            head_dim=config.get("head_dim") or hidden // heads,
            vocabulary=config["vocab_size"],
            tied=bool(config.get("tie_word_embeddings", False)),
            context=config.get("max_position_embeddings") or 1 << 30,
            window=_window(file.parent, config),
        )
    except InputError:
        raise
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{file}: not a model's config.json: {error}") from None
    except KeyError as error:
        raise InputError(f"{file}: not a model's config.json: it has no {error.args[0]}") from None


def _window(folder: Path, config: dict[str, Any]) -> int:
    if config["model_type"] != "mistral" and not config.get("use_sliding_window", False):
        return NO_WINDOW
    from transformers import AutoConfig

    return shortest_window(AutoConfig.from_pretrained(folder))


def _of_another_kind(folder: Path, kind: str) -> Shape:
    """The sizes and the number of parameters as transformers has them. Refuses what it cannot load for training."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    try:
        config = AutoConfig.from_pretrained(folder)
        with torch.device("meta"):  # no weight takes memory
            model = AutoModelForCausalLM.from_config(config)
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise InputError(
            f"model.path: {folder} is a model of type {kind}, which transformers cannot load as a causal language "
            f"model: {textwrap.shorten(str(error), 150)}"
        ) from None
    sizes = config.get_text_config()
    if not hasattr(sizes, "num_attention_heads"):
        raise InputError(f"model.path: {folder} is a model of type {kind}, without attention heads: no plan for it")
    heads, hidden = sizes.num_attention_heads, sizes.hidden_size
    return Shape(
        kind=kind,
        hidden=hidden,
        intermediate=getattr(sizes, "intermediate_size", None) or 4 * hidden,
        layers=sizes.num_hidden_layers,
        heads=heads,
        kv_heads=getattr(sizes, "num_key_value_heads", None) or heads,
        head_dim=getattr(sizes, "head_dim", None) or hidden // heads,
        vocabulary=sizes.vocab_size,
        tied=model.get_output_embeddings().weight is model.get_input_embeddings().weight,
        context=getattr(sizes, "max_position_embeddings", None) or 1 << 30,
        window=shortest_window(config),
        counted=sum(weight.numel() for weight in model.parameters()),
    )


def find_world(tiny: TinyConfig) -> Path | None:
    """The folder of a toy world that was built for this section, or None."""
    wanted = _tiny(tiny)
    for file in sorted(Path(tiny.cache).glob("*/model/config.json")):
        shape = read_shape(file)
        if (shape.hidden, shape.layers, shape.heads) == (wanted.hidden, wanted.layers, wanted.heads):
            return file.parent.parent
    return None


def _tiny(tiny: TinyConfig) -> Shape:
    from microcoder_rl.toy_world.world import CONTEXT

    heads = max(1, tiny.hidden // 32)
    return Shape("qwen3", tiny.hidden, 3 * tiny.hidden, tiny.layers, heads, 1, 32, tiny.vocabulary, True, CONTEXT)


def _in_hub_cache(name: str) -> Path | None:
    try:
        from huggingface_hub import try_to_load_from_cache
        from huggingface_hub.errors import HFValidationError
    except ImportError:
        return None
    try:
        found: Any = try_to_load_from_cache(name, "config.json")
    except HFValidationError:
        return None
    return Path(found) if isinstance(found, str) else None
