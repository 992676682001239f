"""Reads recipes: YAML with `extends`, `key=value` overrides, and errors that name the nearest key.

    config = load_recipe("pipelines/train/tiny.yaml", ["run.seed=1", "rollout.max_tokens=64"])

`config.py` documents the keys.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from microcoder_data import bounded_yaml
from microcoder_data.config import from_mapping, to_mapping
from microcoder_data.shipped import find_recipe
from microcoder_eval import InputError
from microcoder_eval.suggest import why_absent
from microcoder_rl.recipe.algorithms import ALGORITHMS
from microcoder_rl.recipe.config import Config


def load_recipe(path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """Read a recipe file with what it extends, apply `section.key=value` overrides, and check everything.

    >>> load_recipe("pipelines/train/tiny.yaml", ["run.seed=3"]).run.seed        # doctest: +SKIP
    3
    """
    path = find_recipe(Path(path))
    written = merged(_read(path, ()), _parse_overrides(overrides))
    config = build_config(written, str(path))
    if config.run.name and config.run.out:
        return config
    name = config.run.name or path.stem
    return dataclasses.replace(
        config, run=dataclasses.replace(config.run, name=name, out=config.run.out or f"runs/{name}")
    )


def build_config(written: Mapping[str, Any], where: str = "recipe") -> Config:
    """A checked config from a recipe's keys. The algorithm's preset applies where the recipe has no key of its own.

    >>> build_config({"algorithm": "dr_grpo"}).advantage.std
    'none'
    """
    preset = ALGORITHMS.get(str(written.get("algorithm", Config.algorithm)), {})
    return from_mapping(Config, merged(preset, written), where)


def plain(config: Config) -> dict[str, Any]:
    """The config as plain data, as it is written to files and compared."""
    return dict(to_mapping(config))


class Difference(NamedTuple):
    """A key in which two plain configs differ."""

    key: str
    """As a recipe's override names it: `section.key`."""
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return f"{self.key}: {self.theirs!r} -> {self.ours!r}"


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any], prefix: str = "") -> list[Difference]:
    """The keys in which two plain configs differ.

    >>> [str(one) for one in differences({"run": {"seed": 1}}, {"run": {"seed": 2}})]
    ['run.seed: 2 -> 1']
    """
    found: list[Difference] = []
    for key in sorted({*ours, *theirs}):
        a, b = ours.get(key), theirs.get(key)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            found += differences(a, b, f"{prefix}{key}.")
        elif a != b:
            found.append(Difference(f"{prefix}{key}", a, b))
    return found


def _read(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    if path.resolve() in seen:
        raise InputError(f"{path}: extends itself")
    try:
        written = bounded_yaml.parsed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: {why_absent(path, 'recipe')}") from None
    except IsADirectoryError:
        raise InputError(f"{path}: a folder, not a recipe: name the file, such as train.yaml") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if written is None:
        written = {}
    if not isinstance(written, dict):
        raise InputError(f"{path}: a recipe is a mapping of sections, not a {type(written).__name__}")
    if "sources" in written:
        raise InputError(f"{path}: a recipe of a dataset, which `microcoder data build` takes")
    base = written.pop("extends", None)
    if base is None:
        return written
    return merged(_read(path.parent / str(base), (*seen, path.resolve())), written)


def _parse_overrides(overrides: Sequence[str]) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for override in overrides:
        key, equals, text = override.partition("=")
        if not equals or not key.strip():
            raise InputError(f"override {override!r}: write section.key=value")
        try:
            value: Any = bounded_yaml.parsed(text) if text else ""
        except yaml.YAMLError:
            value = text
        for part in reversed(key.strip().split(".")):
            value = {part: value}
        written = merged(written, value)
    return written


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both mappings merged, section by section. `over` wins."""
    result = dict(under)
    for key, value in over.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return result
