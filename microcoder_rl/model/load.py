"""Loads a model folder or a hub name, with its tokenizer and its end-of-text tokens."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import torch
from torch import nn

from microcoder_eval import InputError
from microcoder_rl.model.cpu_attention import use_cpu_attention
from microcoder_rl.recipe.config import ModelConfig
from microcoder_rl.recipe.model_folder import no_model_folder


def load_model(config: ModelConfig, device: str) -> tuple[Any, Any]:
    """The model and the tokenizer of a folder or hub name. The model is on the host, to be moved to the device."""
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    if not config.path:
        raise InputError("model.path is empty: give a Hugging Face model folder or hub name")
    refuse_other_folders(config.path)
    try:
        dtype = getattr(torch, config.dtype)
        model: Any = AutoModelForCausalLM.from_pretrained(
            config.path, dtype=dtype, attn_implementation=config.attention
        )
        tokenizer = AutoTokenizer.from_pretrained(config.path)
    except (OSError, ValueError, KeyError, ImportError, SafetensorError) as error:
        reason = textwrap.shorten(str(error) or type(error).__name__, 300)
        raise InputError(f"model.path: {config.path} could not be loaded: {reason}") from None
    without_dropout(model)
    if device == "cpu":
        use_cpu_attention(model)
    return model, tokenizer


def without_dropout(model: nn.Module) -> None:
    """Turn off a model's own dropout: an update has to see the log-probs of the model that sampled."""
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
        for name, value in vars(module).items():
            if "dropout" in name and isinstance(value, float):  # a layer that calls the function itself
                setattr(module, name, 0.0)


def refuse_other_folders(path: str) -> None:
    """Refuse a path that looks local but is not a model folder. Anything else may be a hub name."""
    looks_local = Path(path).exists() or path.startswith((".", "/", "~")) or path.count("/") > 1
    if looks_local and (why := no_model_folder(Path(path).expanduser())):
        raise InputError(f"model.path: {path} {why}")


def end_ids(generation: Any, tokenizer: Any) -> list[int]:
    """The tokens that end a reply, as a model's generation config and its tokenizer name them."""
    configured = generation.eos_token_id
    ids = configured if isinstance(configured, list) else [configured]
    known = {token for token in (*ids, tokenizer.eos_token_id) if token is not None}
    if not known:
        raise InputError("the model and its tokenizer name no end-of-text token")
    return sorted(known)
