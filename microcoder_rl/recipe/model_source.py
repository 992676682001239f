"""Refuses a recipe's model at once when it is missing: a mistyped folder, one without a model, or a hub out of reach.

    refuse_missing_model("models/smol")        # raises InputError; nothing is downloaded and nothing is retried

Without this check, the hub's client retries for half a minute before it reports the same.
"""

from __future__ import annotations

import re
from pathlib import Path

from microcoder_eval import InputError
from microcoder_eval.hub_reach import why_hub_is_out_of_reach
from microcoder_eval.suggest import similar_path, why_absent
from microcoder_rl.recipe.model_folder import no_model_folder

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


def refuse_missing_model(path: str, hub: bool = True, key: str = "model.path") -> None:
    """Raise `InputError` unless the model is a folder with weights, or a name that the hub may have.

    With `hub` False no connection to the hub is tried, for commands that need no weights. key: how its user named it.

    >>> refuse_missing_model("/models/not-there")
    Traceback (most recent call last):
    microcoder_eval.errors.InputError: model.path: /models/not-there: no such folder
    """
    folder = Path(path).expanduser()
    if _is_here(path):
        if path not in ("", "tiny") and (why := no_model_folder(folder)):
            raise InputError(f"{key}: {path} {why}")
        return
    if folder.exists():
        raise InputError(f"{key}: {path} is a file; give the model's folder")
    if not _HUB_NAME.fullmatch(path) or (folder.parent != Path() and folder.parent.is_dir()):
        raise InputError(f"{key}: {path}: {why_absent(folder, 'folder')}")
    if hub and comes_from_hub(path):
        _refuse_unreachable_hub(path, folder, key)


def comes_from_hub(path: str) -> bool:
    """Whether a run has to download its model first."""
    return not _is_here(path) and not _is_cached(path)


def _is_here(path: str) -> bool:
    return not path or path == "tiny" or Path(path).expanduser().is_dir()


def _is_cached(name: str) -> bool:
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return False
    return isinstance(try_to_load_from_cache(name, "config.json"), str)


def _refuse_unreachable_hub(name: str, folder: Path, key: str) -> None:
    """Try one connection to the hub, which a hub name without cached weights needs; raise `InputError` if it fails."""
    if why := why_hub_is_out_of_reach():
        raise InputError(
            f"{key}: there is no folder {name}{similar_path(folder)}, and {why}. Download the model where there is a "
            "connection, and give its folder"
        )
