"""The graders that tests share, and a verdict cache apart from the user's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from microcoder_eval import Grader, Policy

CASES = Path(__file__).parent / "cases"


@pytest.fixture(scope="session", autouse=True)
def no_verdicts_from_earlier_runs(cache_home: Path) -> Iterator[None]:
    """Give the tests a cache directory of their own: commands keep verdicts in the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache_home))
        yield


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    """Two workers, every layer that the machine has, a fresh process for every test."""
    with Grader(workers=2) as opened:
        yield opened


@pytest.fixture(scope="module")
def graders() -> Iterator[dict[Policy, Grader]]:
    """A grader for each policy."""
    with ExitStack() as stack:
        yield {policy: stack.enter_context(Grader(workers=1, policy=policy)) for policy in Policy}
