"""The service that tests share: it runs in its own process, as users start it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.eval.service.running import Running, start

pytest.importorskip("starlette", reason="needs the extra serve")
pytest.importorskip("uvicorn", reason="needs the extra serve")
pytest.importorskip("prometheus_client", reason="needs the extra serve")


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service with two workers and one loaded problem, `hidden`."""
    directory = tmp_path_factory.mktemp("service")
    with start(directory, "--workers", 2, "--body-mb", 4, "--request-s", 60) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
