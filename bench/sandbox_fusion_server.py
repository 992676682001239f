"""SandboxFusion's own server, from its checkout, with its default configuration (no isolation)."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PORT = 18090


@contextmanager
def sandbox_fusion(checkout: Path, python: Path) -> Iterator[str]:
    """The address of a running server. `python` has its packages."""
    served = ("sandbox.server.server:app", "--port", str(PORT), "--log-level", "warning")
    command = [python.absolute(), "-m", "uvicorn", *served]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, cwd=checkout, stdout=log, stderr=log)
        if not _listens(process):
            log.seek(0)
            sys.exit(f"the server did not start: {log.read()}")
        yield f"http://127.0.0.1:{PORT}"
        process.terminate()
        with suppress(subprocess.TimeoutExpired):  # then it counts as left
            process.wait(60)


def _listens(process: subprocess.Popen[bytes]) -> bool:
    """Whether a server listens within two minutes."""
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", PORT), timeout=5):
            return True
        time.sleep(0.2)
    return False
