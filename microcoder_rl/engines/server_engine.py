"""The engine "vllm-server": vLLM in another process or on another machine, called over HTTP.

A server that this engine started is restarted when it dies or hangs. The new one loads the last weights and samples the
missing replies. A server at `vllm.url` is not restarted: the run stops with an error.
"""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from microcoder_eval import InputError
from microcoder_rl.engines import EngineError, seeds_of
from microcoder_rl.engines.server_client import ServerClient, ServerLost
from microcoder_rl.engines.server_process import ServerProcess
from microcoder_rl.engines.watchdog import Watchdog
from microcoder_rl.engines.weight_files import save_weights
from microcoder_rl.engines.weight_transfer import open_transfer
from microcoder_rl.recipe.vllm import VllmConfig
from microcoder_rl.rollout import Request, Rollout, Weights


class ServerEngine:
    """Samples from a server, which loads the weights that `weights()` yields at each `sync`.

    >>> start = partial(ServerProcess, "my/model", config, context=4096, dtype="bfloat16", rows=256)   # doctest: +SKIP
    >>> engine = ServerEngine(start, policy.weights, policy.end_ids, config, Path("engine"))           # doctest: +SKIP
    """

    def __init__(
        self,
        start: Callable[[Path], ServerProcess],
        weights: Callable[[], Weights],
        end_ids: Sequence[int],
        config: VllmConfig,
        folder: Path,
        *,
        rows: int = 128,
        notify: Callable[[str], None] = print,
    ) -> None:
        self.start, self.weights, self.end_ids, self.config = start, weights, list(end_ids), config
        self.folder, self.rows, self.notify = folder, rows, notify
        self.restarts = 0
        self.closed = False
        self._saved: Path | None = None
        self._transfer: Any = None
        self._process: ServerProcess | None = None
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if config.url:
            self.client = ServerClient(config.url)
            self._refuse_raw_logprobs()
            return
        try:
            self._launch()
        except ServerLost as lost:
            raise EngineError(f"the vLLM server could not be started: {lost}") from lost

    def generate(self, requests: Sequence[Request], *, temperature: float, max_tokens: int) -> Iterator[Rollout]:
        """Yield every reply as it ends."""
        missing = [(index, sample) for index, request in enumerate(requests) for sample in range(len(request.seeds))]
        while missing:
            bodies = [
                self._body(requests[index], seeds_of(requests[index])[sample], temperature, max_tokens)
                for index, sample in missing
            ]
            found = set()
            try:
                for number, answer in self.client.completions(
                    bodies, parallel=2 * self.rows, silence_s=self.config.silence_s, alive=self._alive
                ):
                    index, sample = missing[number]
                    found.add(number)
                    yield _rollout(requests[index], index, sample, answer["choices"][0], temperature)
            except ServerLost as lost:
                self._replace(lost)
            missing = [owner for number, owner in enumerate(missing) if number not in found]

    def sync(self) -> None:
        """Load the trainer's current weights into the server."""
        if self.config.weights == "disk":
            saved = self.folder / f"weights-{time.time_ns()}"
            saved.mkdir()
            save_weights(saved, self.weights())
            if self._saved:
                shutil.rmtree(self._saved)
            self._saved = saved
            try:
                self._reload()
            except ServerLost as lost:
                self._replace(lost)
            return
        with Watchdog(self.config.sync_s, f"the server at {self.client.url} loaded no weights") as watchdog:
            watchdog.feed()
            try:
                if self._transfer is None:
                    workers = self._call("GET", "/get_world_size")["world_size"]
                    self._transfer = open_transfer(
                        self.config.weights, self.weights, self.client.url, workers=workers, seconds=self.config.sync_s
                    )
                self._transfer.send_weights()
                self._clear_prefix_cache()
            except (ServerLost, OSError, RuntimeError) as error:
                raise EngineError(f"the server at {self.client.url} loaded no weights: {error}") from error

    def rest(self) -> None:
        """Nothing to do: the server has its own memory."""

    def close(self) -> None:
        """Stop the server if this engine started it, and remove the weights saved for it."""
        self.closed = True
        if self._process:
            self._process.stop()
        if self._saved:
            shutil.rmtree(self._saved, ignore_errors=True)

    def _launch(self) -> None:
        self._process = self.start(self.folder / "server.log")
        try:
            self._process.await_ready(self.config.start_s)
            self.client = ServerClient(self._process.url)
            starting = partial(self._process.is_starting, self.config.start_s)
            warm_up = self._body(Request((self.end_ids[0],), (0,)), 0, 1.0, 1)  # the first request is slow
            list(self.client.completions([warm_up], parallel=1, silence_s=math.inf, alive=starting))
            if self._saved:
                self._reload()
        except BaseException:
            self._process.stop()
            raise

    def _replace(self, lost: ServerLost) -> None:
        """Restart the server with its last weights, or raise EngineError."""
        lost_at = time.monotonic()
        if self.closed:
            raise EngineError("the server was closed") from lost
        if self._process is None:
            raise EngineError(f"the server at {self.client.url} is lost: {lost}; continue with --resume") from lost
        while True:
            reason = f"{lost}; {self._process.how_it_ended()}"
            self._process.stop()
            self.restarts += 1
            if self.config.weights != "disk" or self.restarts > self.config.restarts:
                raise EngineError(f"the vLLM server is lost: {reason}; continue with --resume") from lost
            self.notify(f"the vLLM server is lost: {reason}; restarting it with its last weights")
            try:
                self._launch()
            except ServerLost as again:
                lost = again
                continue
            self.notify(f"the vLLM server works again after {time.monotonic() - lost_at:.0f} s")
            return

    def _reload(self) -> None:
        assert self._saved is not None
        kwargs = {"weights_path": str(self._saved.resolve())}
        self._call("POST", "/collective_rpc", {"method": "reload_weights", "kwargs": kwargs})
        self._clear_prefix_cache()

    def _clear_prefix_cache(self) -> None:
        """Clear the cached prompts of the old weights. The server refuses while aborted replies are still there."""
        deadline = time.monotonic() + self.config.sync_s
        while not (self._call("POST", "/reset_prefix_cache") or {}).get("success", True):
            if time.monotonic() > deadline:
                raise ServerLost(f"it kept its prefix cache for {self.config.sync_s:g} s")
            time.sleep(0.1)

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        return self.client.call(method, path, body, seconds=self.config.sync_s)

    def _alive(self) -> bool:
        return not (self.closed or (self._process and self._process.ended))

    def _body(self, request: Request, seed: int, temperature: float, max_tokens: int) -> dict[str, Any]:
        return {
            "prompt": list(request.prompt_ids),
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed,
            "logprobs": 0,
            "return_token_ids": True,
            "stop_token_ids": self.end_ids,
            "top_p": 1.0,
            "top_k": 0,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
        }

    def _refuse_raw_logprobs(self) -> None:
        """Refuse a server whose log-probs are not those at the sampling temperature (vLLM's default)."""
        try:
            model_config = self._call("GET", "/server_info?config_format=json")["vllm_config"]["model_config"]
            mode = model_config.get("logprobs_mode")
        except (EngineError, KeyError, TypeError):
            mode = "unknown"
        if mode != "processed_logprobs":
            raise InputError(
                f"vllm.url: the server at {self.client.url} returns log-probs of the kind {mode}; start it with "
                "VLLM_SERVER_DEV_MODE=1 and --logprobs-mode processed_logprobs --generation-config vllm"
            )


def _rollout(request: Request, index: int, sample: int, choice: dict[str, Any], temperature: float) -> Rollout:
    return Rollout(
        group=index,
        sample=sample,
        seed=request.seeds[sample],
        prompt_ids=request.prompt_ids,
        response_ids=list(choice["token_ids"]),
        sampled_logprobs=list(choice["logprobs"]["token_logprobs"]),
        finish="stop" if choice["finish_reason"] == "stop" else "length",
        temperature=temperature,
    )
