"""The examples in docstrings are true: a reader learns from them what a function does."""

from __future__ import annotations

import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("microcoder_data", "microcoder_eval", "microcoder_rl")


def modules_with_examples(package: str) -> Iterator[str]:
    for path in sorted((ROOT / package).rglob("*.py")):
        if ">>>" in path.read_text(encoding="utf-8"):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("package", PACKAGES)
def test_examples_give_what_they_say(package: str) -> None:
    failed = {name for name in modules_with_examples(package) if doctest.testmod(importlib.import_module(name)).failed}
    assert not failed
