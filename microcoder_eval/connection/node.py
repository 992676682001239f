"""This machine's service: the first process that needs it starts it, and the others find its socket.

The socket's name is a hash of the service's options and of this package's source: processes with equal options share a
service, and none uses one that was started before an upgrade. The starter holds a lock while it looks for the socket
and starts the service, so that only one process starts it. The socket listens before the service runs: connections
wait meanwhile instead of being refused. The starter waits until the service is ready, or raises why it is not. The
service outlives its starter, and ends when it has been idle. One that takes connections and answers nothing is killed,
and another one is started.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import logging
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from microcoder_eval.connection.http_exchange import Exchange
from microcoder_eval.errors import GraderError
from microcoder_eval.install_line import install_line
from microcoder_eval.scheduling.grader_arguments import check_options, positive
from microcoder_eval.source_digest import source_digest

logger = logging.getLogger(__name__)

IDLE_S = 300.0
START_S = 60.0
LOCK_S = 5.0
"""How long a call waits while another process starts the service, before it looks for the socket again."""
READY_S = 40.0
"""How long a starter waits for a service that reports neither that it is ready nor that it has failed."""
MOST_PATH_BYTES = 107
"""The longest path of a Unix socket."""
EXTRA = ("starlette", "uvicorn", "prometheus_client")
PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from microcoder_eval.service.node_process import main; main()"


class NodeService:
    """The service with these options: its socket's `path`, and a call that starts it. Picklable."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        """options: those of `Grader`, and `idle_s`, after which a service without work ends."""
        check_options({name: value for name, value in options.items() if name != "idle_s"})
        if options.get("idle_s"):  # 0: never
            positive("idle_s", options["idle_s"])
        try:
            self._options = json.dumps(dict(options), sort_keys=True)
        except (TypeError, ValueError) as error:
            raise GraderError(f"connect('node'): an option cannot be sent to another process: {error}") from None
        identity = f"{self._options} {sys.executable} {Path(__file__).parents[2]} {source_digest()}"
        self.path = runtime_directory() / f"{hashlib.sha256(identity.encode()).hexdigest()[:16]}.sock"
        if len(os.fsencode(self.path)) > MOST_PATH_BYTES:
            raise GraderError(f"{self.path} is too long for a Unix socket: set XDG_RUNTIME_DIR to a shorter path")

    def __call__(self, silent: bool = False) -> None:
        """Start the service unless its socket listens already, or another process has been starting it for LOCK_S.

        silent: the caller got no answer on a connection. When nobody gets one, the service is replaced.
        """
        if missing := [name for name in EXTRA if importlib.util.find_spec(name) is None]:
            raise GraderError(f"connect('node') needs {', '.join(missing)}: {install_line('serve')}")
        try:
            with _locked(self.path.with_suffix(".lock")) as mine:
                if not mine:
                    return
                if not self._listens():
                    self._start()
                elif silent and not Exchange(f"unix:{self.path}", "").is_alive():
                    self._kill()
                    self._start()
        except OSError as error:
            raise GraderError(f"the node's service cannot be started at {self.path}: {error.strerror}") from None

    def _listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(START_S)
            try:
                probe.connect(str(self.path))
            except OSError:
                return False
            return True

    def _kill(self) -> None:
        """Kill the service, if its number is known and still that of a service with these options."""
        with suppress(OSError, ValueError):
            service = int(self.path.with_suffix(".pid").read_text())
            words = Path(f"/proc/{service}/cmdline").read_bytes().split(b"\0")
            if {PROGRAM.encode(), self._options.encode()} <= {*words}:
                logger.warning("the service of this node (process %d) answers nothing: it is replaced", service)
                os.kill(service, signal.SIGKILL)

    def _start(self) -> None:
        self.path.unlink(missing_ok=True)
        log_path = self.path.with_suffix(".log")
        log_path.write_bytes(b"")
        # to append, because a service that is ending may still write its own lines
        with socket.socket(socket.AF_UNIX) as listening, open(log_path, "ab") as log:
            listening.bind(str(self.path))
            listening.listen(2048)
            command = [sys.executable, "-c", PROGRAM, str(Path(__file__).parents[2]), str(listening.fileno())]
            try:
                started = subprocess.run(
                    [*command, self._options, str(self.path.with_suffix(".pid"))],
                    pass_fds=[listening.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    cwd="/",
                    timeout=START_S,
                    check=False,
                )
            except subprocess.TimeoutExpired:  # a busy machine; the next call looks whether the service listens
                return
            if started.returncode > 0:  # below 0 a signal has killed it, and the next call starts it again
                raise GraderError(f"the node's service did not start: {_last_line(log_path)} (all of it: {log_path})")


def runtime_directory() -> Path:
    """A directory that only this user may use, for sockets, locks and logs."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if not (base and os.path.isdir(base)):  # a container or `su` may have the variable of another user's session
        base = tempfile.gettempdir()
    folder = Path(base).absolute() / f"microcoder-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        state = folder.lstat()
    except OSError as error:
        raise GraderError(f"{folder}: {error.strerror}: set XDG_RUNTIME_DIR to a directory of this user") from None
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or stat.S_IMODE(state.st_mode) & 0o077:
        raise GraderError(f"{folder} does not belong to this user alone: remove it, or set XDG_RUNTIME_DIR")
    return folder


def _last_line(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").strip().splitlines()
    return lines[-1][:500] if lines else "it wrote nothing"


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Hold a lock, and tell whether it was free within LOCK_S: the process that holds it may have been stopped."""
    deadline = time.monotonic() + LOCK_S
    with open(path, "wb") as file:
        while not (mine := _take(file)) and time.monotonic() < deadline:
            time.sleep(0.05)
        try:
            yield mine
        finally:
            if mine:  # closing is not enough: a process that was forked meanwhile has the file too
                fcntl.flock(file, fcntl.LOCK_UN)


def _take(file: BinaryIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
