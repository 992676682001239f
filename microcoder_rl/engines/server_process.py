"""A vLLM server as a process on this machine: starts it, waits until it answers, reads why it ended, stops it.

The server ends when the trainer ends, even by kill -9 (`end_with_parent.py`).
"""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import httpx
import torch

from microcoder_rl.engines import EngineError, end_with_parent
from microcoder_rl.engines.standstill import Standstill
from microcoder_rl.recipe.vllm import VllmConfig

NAME = "policy"
"""The name of the served model."""
TORCHRUN_VARIABLES = re.compile(r"((LOCAL_|GROUP_|ROLE_)?(RANK|WORLD_SIZE)|MASTER_(ADDR|PORT)|TORCHELASTIC_.*)$")
"""Environment variables that torchrun sets for the trainer. The server must not see them."""
ERROR_LINE = re.compile(r"^(?!.* (WARNING|INFO) )(?!.*root cause above).*(\w(Error|Exception)\b|[Oo]ut of memory)")
"""A line of the server's output that may say why it ended. Used in messages only."""
LONGEST_START = 20
"""A server that computes but does not become ready is given up after this many times `vllm.start_s`."""
LAST_LINES = 3
"""How many lines of its output a message has where none names an error."""


def free_port() -> int:
    """A free port, for a server that takes it in a while: none of those that the system gives to other programs.

    >>> 20_000 <= free_port() < 32_000
    True
    """
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


class ServerProcess:
    """A server on a free port. Its output goes to a log file."""

    def __init__(self, model: str, config: VllmConfig, log: Path, *, context: int, dtype: str, rows: int) -> None:
        self.log = log
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        options = {
            "model": model,
            "served-model-name": NAME,
            "host": "127.0.0.1",
            "port": port,
            "dtype": dtype,
            "max-model-len": context,
            "max-num-seqs": rows,
            "tensor-parallel-size": config.tensor_parallel,
            "gpu-memory-utilization": config.memory_share,
            "logprobs-mode": "processed_logprobs",
            "generation-config": "vllm",  # ignore the model's own sampling defaults
        }
        if config.weights in ("nccl", "ipc"):
            options["weight-transfer-config"] = json.dumps({"backend": config.weights})
        command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server"]
        command += [part for key, value in options.items() for part in (f"--{key}", str(value))]
        command += ["--enforce-eager"] if config.eager else []
        command += [] if torch.cuda.is_available() else ["--no-enable-chunked-prefill"]  # see `vllm_engine.py`
        settings = {
            "VLLM_SERVER_DEV_MODE": "1",  # enables the calls that replace weights
            "VLLM_CPU_KVCACHE_SPACE": str(config.cpu_cache_gb),
            "VLLM_CPU_OMP_THREADS_BIND": "nobind",
            "VLLM_LOGGING_LEVEL": "WARNING",
            "VLLM_NO_USAGE_STATS": "1",
        }
        if config.tensor_parallel == 1:  # without a process for its one worker, the server starts a quarter sooner
            settings["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
        if config.weights == "ipc":
            settings["VLLM_ALLOW_INSECURE_SERIALIZATION"] = "1"  # the trainer sends handles of its GPU memory
        if config.devices:
            settings["CUDA_VISIBLE_DEVICES"] = config.devices
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "microcoder_rl.engines.end_with_parent", *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env={**{k: v for k, v in os.environ.items() if not TORCHRUN_VARIABLES.match(k)}, **settings},
            )

        self._standstill, self._began = Standstill(self._process.pid, log), time.monotonic()

    def await_ready(self, seconds: float) -> None:
        """Return when the server answers. Raises EngineError as `is_starting` does."""
        while self.is_starting(seconds):
            try:
                if httpx.get(f"{self.url}/health", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.2)

    def is_starting(self, seconds: float) -> bool:
        """Return True while the server may still become ready. Raises EngineError when it has ended, has neither
        computed nor written for `seconds`, or is not ready after LONGEST_START times as long."""
        if self.ended:
            raise EngineError(f"the vLLM server could not be started: {self.how_it_ended()}")
        if self._standstill.seconds() > seconds:
            raise EngineError(
                f"the vLLM server could not be started: it neither computed nor wrote for {seconds:g} s{self._words()}"
            )
        longest = LONGEST_START * seconds
        if time.monotonic() - self._began > longest:
            raise EngineError(
                f"the vLLM server could not be started: it still works after {longest:g} s{self._words()}"
            )
        return True

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def how_it_ended(self) -> str:
        """How the server ended, with its last words."""
        try:
            status: int | None = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = None
        how = "it is still running" if status is None else f"it ended with status {status}"
        if status is not None and status > 128:
            how = f"it was ended by {signal.Signals(status - 128).name}"
        return how + self._words()

    def _words(self) -> str:
        """The last line of its output that names an error, or its last lines."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        lines = [line.strip()[-300:] for line in text.splitlines() if line.strip()]
        errors = [line for line in lines if ERROR_LINE.search(line)]
        said = errors[-1:] or lines[-LAST_LINES:]
        return f"{', saying: ' + ' / '.join(said) if said else ''} (its output is in {self.log})"

    def stop(self) -> None:
        """Stop the server and every process it started."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=4 * end_with_parent.GRACE_S)
        except subprocess.TimeoutExpired:  # a process in a hanging driver call cannot be killed
            self._process.kill()
            self._process.wait()
