"""The services that tests of connections use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="needs the extra serve")
pytest.importorskip("prometheus_client", reason="needs the extra serve")

from tests.eval.service.running import SUM, Running, start


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with start(tmp_path_factory.mktemp("service"), "--workers", 2) as running:
        yield running


@pytest.fixture
def own_runtime_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for the sockets of a test's node services, which no other process looks into."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path


__all__ = ["SUM"]
