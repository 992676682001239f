"""The policy: a transformers model, its tokenizer, and the log-probs of replies under it in three memory layouts.

`padded`: one row per reply. `packed`: all replies of a micro-batch in one row, with positions that restart.
`shared`: each prompt is computed once per group, and its replies attend to the prompt's key-value cache. All three
give the same numbers.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from microcoder_eval import InputError
from microcoder_rl import distributed, lora
from microcoder_rl.logprobs import chunked_logprobs, tempered_logprobs
from microcoder_rl.model.compiled import compile_layers
from microcoder_rl.model.cpu_parts import in_parts, threads_for
from microcoder_rl.model.divided import divide, gathered
from microcoder_rl.model.head import head_is_plain
from microcoder_rl.model.load import end_ids, load_model
from microcoder_rl.recipe.config import ModelConfig
from microcoder_rl.rollout import Rollout, Weights

VALUE_HEAD = "value_head"
PLACEHOLDER = Rollout(0, 0, 0, (0,), [0], [0.0], "length", 1.0)
"""A rank without replies computes this one, because every rank has to join in each forward pass."""


class Policy(nn.Module):
    """The causal language model that is trained. `logprobs` is its forward pass."""

    def __init__(self, model: Any, tokenizer: Any, *, compile_update: bool = False, value_head: bool = False) -> None:
        super().__init__()
        self.model, self.tokenizer, self.dtype = model, tokenizer, model.dtype
        self.backbone = model.base_model
        self.head = model.get_output_embeddings()
        config = model.config
        scale = getattr(config, "logit_scale", None) or 1.0 / (getattr(config, "logits_scaling", None) or 1.0)
        softcap = getattr(config, "final_logit_softcapping", None)
        self.plain_head = head_is_plain(model, scale, softcap)
        self._logprobs = partial(chunked_logprobs, scale=scale, softcap=softcap, compiled=compile_update)
        if value_head:
            if not self.plain_head:
                raise InputError("advantage.baseline value: a value head cannot use the hidden states of this model")
            head = nn.Linear(self.head.weight.shape[1], 1, dtype=self.dtype, device=self.head.weight.device)
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)
            model.value_head = head
        self.threads = None if compile_update else threads_for(model, trains=True)
        self._with_cache = torch.compile(self.backbone, dynamic=True) if compile_update else self.backbone
        if compile_update:
            compile_layers(self.backbone)

    @classmethod
    def load(cls, config: ModelConfig, device: str = "cpu", *, value_head: bool = False) -> Policy:
        """Load a model folder or hub name for training. Raises InputError when it is not a model folder."""
        if config.compile and device == "cpu" and not shutil.which(os.environ.get("CXX", "g++")):
            raise InputError("model.compile needs a C++ compiler on a CPU: install g++, or name one in CXX")
        model, tokenizer = load_model(config, device)
        if distributed.size() == 1:
            model = model.to(device)
        if config.lora:
            lora.attach(model, config.lora)
        if config.gradient_checkpointing:
            old_name = model.gradient_checkpointing_enable  # newer transformers deprecate this name
            getattr(model, "activation_checkpointing_enable", old_name)({"use_reentrant": False})
        model.train()
        policy = cls(model, tokenizer, compile_update=config.compile, value_head=value_head)
        if distributed.size() > 1:
            if config.compile:
                raise InputError("model.compile works with one rank only: remove it to train with several")
            divide(policy, model, device)
        return policy

    @property
    def end_ids(self) -> list[int]:
        """The tokens that end a reply."""
        return end_ids(self.model.generation_config, self.tokenizer)

    @property
    def context(self) -> int:
        """The longest sequence that the model was made for, in tokens; 2**30 when its config does not say."""
        return int(getattr(self.model.config, "max_position_embeddings", 0) or 1 << 30)

    def weights(self) -> Weights:
        """Every weight under its Hugging Face name (tied ones under each of their names), as other engines load them.

        An adapter is merged. Weights divided over ranks are gathered, so every rank has to iterate.
        """
        named = ((name, each) for name, each in lora.plain_weights(self.model) if not name.startswith(VALUE_HEAD))
        return gathered((name, each.to(self.dtype) if each.is_floating_point() else each) for name, each in named)

    def logprobs(self, rollouts: Sequence[Rollout], layout: str) -> tuple[Tensor, Tensor]:
        """Log-prob and entropy of every sampled token, reply after reply: [N], each at its reply's temperature."""
        return self.evaluate(rollouts, layout)[:2]

    def evaluate(self, rollouts: Sequence[Rollout], layout: str) -> tuple[Tensor, Tensor, Tensor]:
        """As `logprobs`, with the critic's value before each sampled token (zeros without a value head)."""
        if self.threads and len(rollouts) >= self.threads.count:
            return in_parts(self.threads, lambda part: self(part, layout), rollouts, self.model)
        found: tuple[Tensor, Tensor, Tensor] = self(rollouts or [PLACEHOLDER], layout)
        return found if rollouts else (found[0][:0], found[1][:0], found[2][:0])

    def forward(self, rollouts: Sequence[Rollout], layout: str) -> tuple[Tensor, Tensor, Tensor]:
        """As `evaluate`, for at least one reply."""
        states = {"padded": self._padded, "packed": self._packed, "shared": self._shared}[layout](rollouts)
        device = states.device
        targets = torch.tensor([token for rollout in rollouts for token in rollout.sampled_ids], device=device)
        lengths = torch.tensor([rollout.length for rollout in rollouts], device=device)
        temperatures = torch.tensor([each.temperature for each in rollouts], device=device).repeat_interleave(lengths)
        if self.plain_head:
            logprobs, entropy = self._logprobs(states, self.head.weight, self.head.bias, targets, temperatures)
        else:
            logprobs, entropy = tempered_logprobs(states.float(), targets, temperatures)
        value_head = getattr(self.model, VALUE_HEAD, None)
        values = value_head(states).float().squeeze(-1) if value_head else torch.zeros_like(entropy)
        return logprobs.clone(), entropy, values.clone()  # FSDP's hooks do not accept a view

    def _states(self, **inputs: Any) -> Any:
        """The last hidden states. For a head that is more than a matrix product: the logits."""
        if not self.plain_head:
            return self.model(**inputs).logits
        forward = self._with_cache if "past_key_values" in inputs else self.backbone
        return forward(**inputs).last_hidden_state

    def _padded(self, rollouts: Sequence[Rollout]) -> Tensor:
        rows = [torch.tensor([*rollout.prompt_ids, *rollout.response_ids[:-1]]) for rollout in rollouts]
        ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).to(self.model.device)  # [B, L]
        states = self._states(input_ids=ids, use_cache=False)  # causal attention never sees padding on the right
        return states[_predicting(rollouts, len(ids[0]), [len(r.prompt_ids) - 1 for r in rollouts], states.device)]

    def _packed(self, rollouts: Sequence[Rollout]) -> Tensor:
        rows = [[*rollout.prompt_ids, *rollout.response_ids[:-1]] for rollout in rollouts]
        ids = torch.tensor([token for row in rows for token in row])[None].to(self.model.device)  # [1, sum L]
        positions = torch.cat([torch.arange(len(row)) for row in rows])[None].to(self.model.device)
        states = self._states(input_ids=ids, position_ids=positions, use_cache=False)[0]
        ends = list(itertools.accumulate(len(row) for row in rows))
        starts = [end - len(rollout.response_ids) for end, rollout in zip(ends, rollouts, strict=True)]
        return states[_predicting(rollouts, len(states), starts, states.device).any(0)]

    def _shared(self, rollouts: Sequence[Rollout]) -> Tensor:
        from transformers import DynamicCache

        device = self.model.device
        prompts = list(dict.fromkeys(rollout.prompt_ids for rollout in rollouts))
        owner = torch.tensor([prompts.index(rollout.prompt_ids) for rollout in rollouts], device=device)
        pad = torch.nn.utils.rnn.pad_sequence
        ids = pad([torch.tensor(prompt) for prompt in prompts], batch_first=True).to(device)  # [G, P]
        lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)
        # First pass: each prompt once. Its keys and values go into `cache` with their gradients.
        cache = DynamicCache(config=self.model.config)
        prompt_states = self._states(input_ids=ids, past_key_values=cache, use_cache=True)
        first = prompt_states[torch.arange(len(prompts), device=device), lengths - 1][owner]  # [B, H]
        replies = [torch.tensor(rollout.response_ids[:-1], dtype=torch.long) for rollout in rollouts]
        tokens = pad(replies, batch_first=True).to(device)  # [B, R - 1]
        if tokens.shape[1] == 0:  # all ranks have to make equally many passes
            tokens = tokens.new_zeros(len(replies), 1)
        # Second pass: one row per reply. Indexing the cache by `owner` gives each row its prompt's keys and values.
        # Indexing is differentiable: the gradients of all replies of a group add up in the prompt's single pass.
        cache.batch_select_indices(owner)
        seen = torch.arange(ids.shape[1], device=device)[None] < lengths[owner, None]  # [B, P]
        seen = torch.cat([seen, torch.ones_like(tokens, dtype=torch.bool)], dim=1).long()
        positions = lengths[owner, None] + torch.arange(tokens.shape[1], device=device)[None]
        reply_states = self._states(
            input_ids=tokens, attention_mask=seen, position_ids=positions, past_key_values=cache, use_cache=True
        )
        states = torch.cat([first[:, None], reply_states], dim=1)  # [B, R, H]
        return states[_predicting(rollouts, states.shape[1], [0] * len(rollouts), device)]


def _predicting(rollouts: Sequence[Rollout], width: int, starts: Sequence[int], device: torch.device) -> Tensor:
    """[B, width] bool: the positions whose states predict sampled tokens. Row i begins at `starts[i]`."""
    begin = torch.tensor(starts, device=device)[:, None]
    count = torch.tensor([len(rollout.response_ids) for rollout in rollouts], device=device)[:, None]
    position = torch.arange(width, device=device)[None]
    found = (position >= begin) & (position < begin + count)
    for row, (rollout, start) in enumerate(zip(rollouts, starts, strict=True)):
        for turn in rollout.earlier:
            found[row, start + turn.begin : start + turn.end] = False
    return found


def micro_batches(rollouts: Sequence[Rollout], budget: int, layout: str) -> Iterator[list[Rollout]]:
    """Cut replies into forward passes of at most `budget` tokens, padding included; a longer reply goes alone.

    Padded rows are sorted by length first, so that little of the budget is padding. Otherwise groups stay together,
    so that a shared prompt is computed once. With several ranks each gets its share. A rank with fewer batches gets
    empty ones at the end, because all ranks have to make equally many passes.
    """
    same_prompt = (lambda rollout: rollout.prompt_ids) if layout == "shared" else None
    shares = distributed.deal(rollouts, _length, together=same_prompt)
    batches = [list(_cut(share, budget, layout)) for share in shares]
    for index in range(max(map(len, batches))):
        yield (batches[distributed.rank()][index:] or [[]])[0]


def _cut(rollouts: Sequence[Rollout], budget: int, layout: str) -> Iterator[list[Rollout]]:
    if layout == "padded":
        rollouts = sorted(rollouts, key=_length, reverse=True)
    batch: list[Rollout] = []
    for rollout in rollouts:
        if batch and _cost([*batch, rollout], layout) > budget:
            yield batch
            batch = []
        batch.append(rollout)
    if batch:
        yield batch


def _length(rollout: Rollout) -> int:
    return len(rollout.prompt_ids) + len(rollout.response_ids)


def _cost(batch: Sequence[Rollout], layout: str) -> int:
    if layout == "packed":
        return sum(_length(rollout) for rollout in batch)
    if layout == "padded":
        return len(batch) * max(_length(rollout) for rollout in batch)
    prompts = {rollout.prompt_ids for rollout in batch}
    longest = max(len(rollout.response_ids) for rollout in batch)
    return len(prompts) * max(len(prompt) for prompt in prompts) + len(batch) * longest
