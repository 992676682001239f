"""Says why a folder is not a model that can be trained, and what to give instead. Reads names and no weights.

no_model_folder(Path("models/lora"))       # "holds a LoRA adapter, not a whole model: ..."; empty for a model
"""

from __future__ import annotations

import json
from pathlib import Path

WHOLE = ("model.safetensors", "pytorch_model.bin")
"""A file with all weights, in transformers' order."""
POINTER = b"version https://git-lfs"


def no_model_folder(folder: Path) -> str:
    """Why transformers cannot load a folder's weights, as the end of a sentence; empty when they are there."""
    if not (folder / "config.json").is_file():
        return _without_config(folder)
    names = _weights(folder)
    if not names:
        return f"has no weights: it needs {WHOLE[0]} or its parts (an old {WHOLE[1]} works too)"
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        return f"lacks {len(missing)} of its {len(names)} files of weights, such as {missing[0]}: download it again"
    pointers = [name for name in names if _begin(folder / name) == POINTER]
    if pointers:
        return f"has no weights: {pointers[0]} is a pointer of Git LFS; run `git lfs pull` in it"
    return ""


def _without_config(folder: Path) -> str:
    if (folder / "adapter_config.json").is_file():
        return (
            "holds a LoRA adapter, not a whole model: merge it into its base model (peft's merge_and_unload, then "
            "save_pretrained) and give that folder"
        )
    if any(folder.glob("*.gguf")):
        return "has weights in the format GGUF, which cannot be trained: give the model that they were made from"
    for pattern in ("*", "*/*", "*/*/*"):
        if below := sorted(folder.glob(f"{pattern}/config.json")):
            return f"is not a model folder: it has no config.json; did you mean '{below[-1].parent}'?"
    return "is not a model folder: it has no config.json"


def _weights(folder: Path) -> list[str]:
    """The files of weights that transformers would read."""
    for whole in WHOLE:
        if (folder / whole).exists():
            return [whole]
        index = folder / f"{whole}.index.json"
        if index.is_file():
            try:
                parts = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
            except (ValueError, KeyError):
                return [index.name]  # transformers says what is wrong with it
            return sorted(set(parts.values()))
    return []


def _begin(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(len(POINTER))
