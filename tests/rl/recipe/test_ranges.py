"""Every number of a training recipe has a range, and one outside of it is refused by its key."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from microcoder_data.key_reference import key_reference
from microcoder_data.number_range import Range
from microcoder_eval import InputError
from microcoder_rl.recipe import build_config
from microcoder_rl.recipe.config import Config

pytestmark = pytest.mark.fast


def numbers(hint: Any) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Each number type in a type, with what is declared about it."""
    if typing.get_origin(hint) is typing.Annotated:
        inner, *about = typing.get_args(hint)
        yield from ((kind, tuple(about)) for kind, _ in numbers(inner))
    elif hint in (int, float):
        yield hint, ()
    else:
        for option in typing.get_args(hint):
            yield from numbers(option)


def keys(section: type, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, hint in typing.get_type_hints(section, include_extras=True).items():
        parts = [
            part for part in (hint, *typing.get_args(hint)) if isinstance(part, type) and dataclasses.is_dataclass(part)
        ]
        if parts:
            yield from keys(parts[0], f"{path}{name}.")
        else:
            yield f"{path}{name}", hint


def test_every_number_has_a_range() -> None:
    found = [(key, about) for key, hint in keys(Config) for _, about in numbers(hint)]
    assert len(found) > 70, "no numbers were found"
    assert [key for key, about in found if not any(isinstance(each, Range) for each in about)] == []


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("loss.importance_cap", -1, "above 1"),
        ("loss.clip_low", -3, "from 0 to 1"),
        ("loss.kl_weight", -1, "from 0 to 1e+09"),
        ("loss.dual_clip", 1, "above 1"),
        ("optimizer.lr", -1, "from 0 to"),
        ("optimizer.lr", float("nan"), "from 0 to"),
        ("optimizer.lr", "inf", "from 0 to"),
        ("optimizer.lr", 10**400, "a number"),
        ("rollout.turns", 10**400, "from 1 to 1e+09"),
        ("grader.deadline_s", 1e308, "at most 1e+07"),
        ("run.threads", 10**9, "from 0 to 4096"),
        ("optimizer.max_grad_norm", 0, "from 1e-30 to 1e+09"),
        ("loss.clip_high", 1e300, "from 0 to 1e+09"),  # single precision has no such number
        ("loss.importance_cap", 1e300, "at most 1e+09"),
        ("temperature.value", 1e-40, "from 1e-30"),
        ("evaluate.temperature", 1e-40, "0, or from 1e-30"),  # logits / 1e-40 overflow
        ("optimizer.eps", 1e-300, "from 1e-30"),
        ("optimizer.warmup_steps", -5, "from 0"),
        ("optimizer.betas", [0.9, 1], "below 1"),
        ("truncation.share", 1.5, "from 0 to 1"),
        ("temperature.grid", [0.5, 0], "from 1e-30"),
        ("temperature.stages", [[0, -1]], "from 1e-30"),
        ("rollout.max_tokens_stages", [[0, 0]], "from 1"),
        ("rollout.group", 1, "from 2"),
        ("vllm.memory_share", 0, "above 0"),
        ("model.lora", {"rank": 0}, "from 1"),
        ("evaluate.sets", {"a": {"data": "x", "limit": -1}}, "from 0"),
    ],
)
def test_a_number_out_of_its_range_is_refused(key: str, value: Any, said: str) -> None:
    section, name = key.split(".")
    with pytest.raises(InputError) as refused:
        build_config({section: {name: value}}, "my.yaml")
    assert key in str(refused.value) and said in str(refused.value)


def test_a_temperature_of_0_is_greedy() -> None:
    assert build_config({"evaluate": {"temperature": 0}}).evaluate.temperature == 0


def test_the_reference_shows_the_range() -> None:
    assert "Length limit of a reply (L_max). Range: from 1 to 1e+09." in key_reference(Config, "Keys")


def test_a_budget_for_grades_needs_steps_that_wait_for_them() -> None:
    assert build_config({"grader": {"step_s": 30}}).grader.step_s == 30
    with pytest.raises(InputError, match=r"grader\.step_s goes with rollout\.staleness 0"):
        build_config({"grader": {"step_s": 30}, "rollout": {"staleness": 1}})
