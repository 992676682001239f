"""The recipe's `llm`: which model answers, retries and timeouts, and the budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from microcoder_eval import InputError


@dataclass(frozen=True)
class Llm:
    """The model that answers questions. With the backend `none` the steps that ask use their rules, and say so."""

    backend: Literal["none", "openai", "vllm"] = "none"
    """`openai`: a server with the OpenAI interface (vLLM, SGLang, llama.cpp, ...); `vllm`: inside this process."""
    model: str = ""
    """The name that the server gives the model; for `vllm` a folder or a name on the hub."""
    base_url: str = "http://localhost:8000/v1"
    api_key_env: str = "OPENAI_API_KEY"
    """The environment variable that holds the API key, if the server needs one."""
    seed: int = 0
    """Part of the cache's key: with another seed every question is asked again."""
    reasoning_tokens: int = 0
    """Tokens that the model may think for before it answers."""
    guided: bool = True
    """Send the answer's JSON schema to the server. A server that refuses schemas is asked without one."""
    concurrency: int = 32
    """How many requests run at the same time."""
    timeout_s: float = 120.0
    """Timeout of a request, up to the last byte of its answer."""
    attempts: int = 4
    """How often a question is asked before it stays unanswered."""
    max_calls: int | None = None
    """Calls that one build may make. Answers from the cache do not count."""
    max_tokens: int | None = None
    """Tokens that one build may use, prompts and answers together."""
    cache: str = ""
    """The folder of cached answers; several builds may share one. Empty: `work/llm` of the build."""
    vllm: Mapping[str, Any] = field(default_factory=dict)
    """Options of vLLM's `LLM`, such as `max_model_len`."""

    def __post_init__(self) -> None:
        if self.backend != "none" and not self.model:
            raise InputError(f"backend {self.backend} needs a model")
        if self.concurrency < 1 or self.attempts < 1 or self.timeout_s <= 0:
            raise InputError("concurrency, attempts and timeout_s must be positive")
        if not self.base_url.startswith(("http://", "https://")):
            raise InputError(f"base_url: {self.base_url!r} is not an http address")

    def identity(self) -> list[Any]:
        """The settings that the answers depend on, for the cache's key; the server's address is not among them."""
        if self.backend == "none":
            return []
        return [self.model, self.seed, self.reasoning_tokens, self.attempts]
