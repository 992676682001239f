"""The engine "vllm": vLLM in the trainer's own process. Its weights are replaced in place after each step.

On a GPU it shares the device with the trainer and sleeps while updates run. On a CPU the same code uses vLLM's CPU
build. A stuck engine cannot be interrupted from within its process, so the watchdog ends the process.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import torch

from microcoder_eval import InputError
from microcoder_eval.install_line import install_line
from microcoder_rl import distributed
from microcoder_rl.engines import EngineError, seeds_of
from microcoder_rl.engines.watchdog import Watchdog
from microcoder_rl.engines.weight_files import save_weights
from microcoder_rl.recipe.vllm import VllmConfig
from microcoder_rl.rollout import Request, Rollout, Weights


class VllmEngine:
    """Samples with vLLM from weights that `weights()` yields.

    >>> engine = VllmEngine("my/model", policy.weights, policy.end_ids, VllmConfig(), context=4096)  # doctest: +SKIP
    >>> engine.sync()                                                                                # doctest: +SKIP
    """

    def __init__(
        self,
        model: str,
        weights: Callable[[], Weights],
        end_ids: Sequence[int],
        config: VllmConfig,
        *,
        context: int,
        dtype: str = "float32",
        rows: int = 128,
    ) -> None:
        self.config, self.weights, self.end_ids = config, weights, list(end_ids)
        self.sleeps = config.sleep and torch.cuda.is_available()
        self.asleep = False
        self._names = count()
        llm, self.SamplingParams, self.output_kind = _import_vllm(config)
        try:
            self.llm = llm(
                model=model,
                skip_tokenizer_init=True,
                dtype=dtype,
                tensor_parallel_size=config.tensor_parallel,
                # with several ranks, each has its own engine on its own device, in a process that torchrun started
                distributed_executor_backend="external_launcher" if distributed.size() > 1 else None,
                max_model_len=context,
                max_num_seqs=rows,
                gpu_memory_utilization=config.memory_share,
                enforce_eager=config.eager,
                # a prompt that is sampled in chunks needs a generator whose offset can be set: not on a CPU
                enable_chunked_prefill=torch.cuda.is_available(),
                enable_sleep_mode=self.sleeps,
                logprobs_mode="processed_logprobs",
                use_tqdm_on_load=False,
                seed=0,
            )
        except Exception as error:  # vLLM raises many kinds of errors at its start
            raise EngineError(f"vLLM could not be started: {last_line(error)}") from error
        warm_up = Request((self.end_ids[0],), (0,))  # the first request is slow
        list(self.generate([warm_up], temperature=1.0, max_tokens=1))

    def generate(self, requests: Sequence[Request], *, temperature: float, max_tokens: int) -> Iterator[Rollout]:
        """Yield every reply as it ends."""
        engine = self.llm.llm_engine
        open_replies: dict[str, tuple[int, int]] = {}
        with _engine_errors("sampling"), Watchdog(self.config.silence_s, "vLLM sampled no token") as watchdog:
            try:
                for index, request in enumerate(requests):
                    for sample, seed in enumerate(seeds_of(request)):
                        name = str(next(self._names))
                        parameters = self._parameters(seed, temperature, max_tokens)
                        engine.add_request(name, {"prompt_token_ids": list(request.prompt_ids)}, parameters)
                        open_replies[name] = index, sample
                while open_replies:
                    watchdog.feed()
                    ended = [output for output in engine.step() if output.finished]
                    watchdog.rest()  # the caller's work on the replies does not count
                    for output in ended:
                        index, sample = open_replies.pop(output.request_id)
                        yield _rollout(requests[index], index, sample, output.outputs[0], temperature)
            finally:
                engine.abort_request(list(open_replies))

    def sync(self) -> None:
        """Wake the engine and load the trainer's current weights."""
        with _engine_errors("loading weights"), Watchdog(self.config.sync_s, "vLLM loaded no weights") as watchdog:
            watchdog.feed()
            if self.asleep:
                torch.cuda.empty_cache()  # free the update's memory: vLLM does not allocate from torch's cache
                self.llm.wake_up(tags=["weights"])
            if self.config.tensor_parallel == 1:
                self.llm.collective_rpc("reload_weights", kwargs={"weights_iterator": self.weights()})
            else:  # the workers are other processes
                with tempfile.TemporaryDirectory() as folder:
                    save_weights(Path(folder), self.weights())
                    self.llm.collective_rpc("reload_weights", kwargs={"weights_path": folder})
            if self.asleep:
                self.llm.wake_up(tags=["kv_cache"])
                self.asleep = False
            self.llm.reset_prefix_cache()

    def rest(self) -> None:
        """Release the GPU's memory for the update. `sync` loads the weights again."""
        if self.sleeps and not self.asleep:
            self.llm.sleep(level=2)
            self.asleep = True

    def close(self) -> None:
        """Stop vLLM and the processes it started."""
        if distributed.size() == 1:  # with several ranks a shutdown would destroy the process group that all still use
            self.llm.llm_engine.engine_core.shutdown()

    def _parameters(self, seed: int, temperature: float, max_tokens: int) -> Any:
        return self.SamplingParams(
            temperature=temperature,
            seed=seed,
            max_tokens=max_tokens,
            logprobs=0,
            flat_logprobs=True,  # plain lists: a dictionary a token keeps the garbage collector busy
            stop_token_ids=self.end_ids,
            detokenize=False,
            output_kind=self.output_kind,
        )


def _rollout(request: Request, index: int, sample: int, output: Any, temperature: float) -> Rollout:
    ids = list(output.token_ids)
    return Rollout(
        group=index,
        sample=sample,
        seed=request.seeds[sample],
        prompt_ids=request.prompt_ids,
        response_ids=ids,
        sampled_logprobs=list(output.logprobs.logprobs),  # logprobs=0: only those of the sampled tokens
        finish="stop" if output.finish_reason == "stop" else "length",
        temperature=temperature,
    )


def _import_vllm(config: VllmConfig) -> tuple[Any, Any, Any]:
    """Set vLLM's environment variables, which it reads at import; then import LLM, SamplingParams and FINAL_ONLY."""
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", str(config.cpu_cache_gb))
    os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")  # does not pin the trainer's threads
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from vllm import LLM, SamplingParams
            from vllm.sampling_params import RequestOutputKind
    except ImportError as error:
        raise InputError(
            f"rollout.engine vllm needs vLLM ({error}): {install_line('vllm')}, or rollout.engine=torch"
        ) from None
    return LLM, SamplingParams, RequestOutputKind.FINAL_ONLY


@contextmanager
def _engine_errors(doing: str) -> Iterator[None]:
    """Turn whatever vLLM raises into an EngineError of one line."""
    try:
        yield
    except Exception as error:
        raise EngineError(f"vLLM failed while {doing}: {last_line(error)}") from error


def last_line(error: BaseException) -> str:
    """The class and the last line of an error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1]}" if lines else type(error).__name__
