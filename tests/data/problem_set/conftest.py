"""Fixtures: a problem folder without faults, a grader, and cache folders instead of the user's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from microcoder_eval import Grader


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    with Grader(workers=1) as grader:
        yield grader


@pytest.fixture(autouse=True, scope="session")
def session_cache(cache_home: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache_home))
        yield


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for one test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A small problem without faults: counting the numbers that can be divided by 3."""
    from microcoder_data.problem_set.scaffold import new_problem

    return new_problem(tmp_path, "good-numbers")
