"""What `eval generate` samples from: a model folder with one of the engines, or a chat server.

Both give a `Source` (run.py), which samples replies to tasks. Problems are read in questions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from transformers import AutoConfig, AutoTokenizer, GenerationConfig

from microcoder_eval import InputError
from microcoder_eval.errors import first_line
from microcoder_rl.data import Task
from microcoder_rl.engines.chat import ChatServer
from microcoder_rl.engines.from_recipe import open_engine, refuse_engine
from microcoder_rl.generate.run import Sampling, Source, chat_source, engine_source
from microcoder_rl.model.load import end_ids, refuse_other_folders
from microcoder_rl.policy import Policy
from microcoder_rl.recipe.config import Config

NO_LIMIT = 1 << 30


class ServedModel:
    """A model behind a server with the OpenAI chat interface. The server tokenizes prompts itself."""

    context = NO_LIMIT
    tokenizer = None

    def __init__(self, url: str, model: str, *, parallel: int) -> None:
        if not url.startswith(("http://", "https://")):
            raise InputError("--engine openai needs --url, such as http://localhost:8000/v1")
        self.url, self.model, self.parallel = url, model, parallel

    @contextmanager
    def source(self, tasks: Sequence[Task], how: Sampling) -> Iterator[Source]:
        """The server as a source of replies."""
        yield chat_source(ChatServer(self.url, self.model, parallel=self.parallel), how)


class ModelFolder:
    """A model folder or hub name, sampled by the engine that the config names."""

    def __init__(self, config: Config, notify: Callable[[str], None]) -> None:
        self.config, self.notify, path = config, notify, config.model.path
        refuse_engine(config)
        refuse_other_folders(path)
        try:
            shape = AutoConfig.from_pretrained(path)
            self.tokenizer: Any = AutoTokenizer.from_pretrained(path)
            try:
                generation = GenerationConfig.from_pretrained(path)
            except OSError:
                generation = GenerationConfig.from_model_config(shape)
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"--model: {path} could not be loaded: {first_line(error)}") from None
        self.context = getattr(shape, "max_position_embeddings", 0) or NO_LIMIT
        self.end_ids = end_ids(generation, self.tokenizer)

    @contextmanager
    def source(self, tasks: Sequence[Task], how: Sampling) -> Iterator[Source]:
        """The model, loaded into its engine, as a source of replies."""
        policy = None
        if self.config.rollout.engine == "torch":
            policy = Policy.load(self.config.model, "cuda" if torch.cuda.is_available() else "cpu")
        context = max(len(task.prompt_ids) for task in tasks) + how.max_tokens
        with open_engine(
            self.config, self.config.model.path, self.end_ids, policy=policy, context=context, notify=self.notify
        ) as engine:
            yield engine_source(engine, self.tokenizer, how)
