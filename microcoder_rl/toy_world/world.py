"""Builds the toy world: tasks as JSONL, a byte-BPE tokenizer, a small Qwen3, and its supervised warm-up.

Everything is a function of the recipe's `tiny` section. A finished world is cached by a hash of that section.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from microcoder_rl.optimizer import MasterAdamW, learning_rate
from microcoder_rl.policy import Policy, micro_batches
from microcoder_rl.recipe.config import Config, OptimizerConfig, TinyConfig
from microcoder_rl.rollout import Rollout
from microcoder_rl.seeds import derive_seed, uniforms
from microcoder_rl.toy_world.cached_folder import cached_folder
from microcoder_rl.toy_world.tasks import STYLES, make_tasks

END, PAD = "<|end|>", "<|pad|>"
CONTEXT = 512
WORLD_VERSION = 2


@dataclass(frozen=True)
class World:
    """Paths of the parts of a world."""

    folder: Path

    @property
    def model(self) -> str:
        return str(self.folder / "model")

    @property
    def train(self) -> str:
        return str(self.folder / "train.jsonl")

    @property
    def test(self) -> str:
        return str(self.folder / "test.jsonl")


def build_world(config: TinyConfig, notify: Callable[[str], None] = print) -> World:
    """The world of a `tiny` section, from the cache or built now.

    >>> build_world(TinyConfig()).model                                            # doctest: +SKIP
    'runs/tiny-worlds/5f0c.../model'
    """
    settings = {**asdict(config), "cache": "", "version": WORLD_VERSION}
    key = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]

    def make(building: Path) -> None:
        tasks = make_tasks(config.train_tasks + config.test_tasks + config.warmup_tasks, config.seed)
        test, rest = tasks[: config.test_tasks], tasks[config.test_tasks :]
        train, warmup = rest[: config.train_tasks], rest[config.train_tasks :]
        for name, part in (("train", train), ("test", test)):
            lines = (json.dumps({k: v for k, v in task.items() if k != "replies"}) for task in part)
            (building / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        tokenizer = _tokenizer([task["prompt"] + text for task in warmup for text in task["replies"].values()], config)
        policy = Policy(_model(tokenizer, config), tokenizer)
        notify(f"tiny world: {sum(p.numel() for p in policy.model.parameters()):,} parameters, warming up")
        warm_up(policy, task_examples(policy.tokenizer, warmup), config, notify)
        policy.model.save_pretrained(building / "model")
        tokenizer.save_pretrained(building / "model")

    return World(cached_folder(Path(config.cache) / key, make))


def with_world(config: Config, notify: Callable[[str], None]) -> Config:
    """The config with "tiny" replaced by the paths of its world. The world is built if it is not in the cache."""
    wanted = (config.model.path, config.data.train, *(each.data for each in config.evaluate.sets.values()))
    if config.tiny is None or "tiny" not in wanted:
        return config
    if config.run.threads:
        torch.set_num_threads(config.run.threads)
    world = build_world(config.tiny, notify)
    sets = {
        name: replace(each, data=world.test) if each.data == "tiny" else each
        for name, each in config.evaluate.sets.items()
    }
    path = world.model if config.model.path == "tiny" else config.model.path
    source = world.train if config.data.train == "tiny" else config.data.train
    return replace(
        config,
        model=replace(config.model, path=path),
        data=replace(config.data, train=source),
        evaluate=replace(config.evaluate, sets=sets),
    )


def _tokenizer(texts: list[str], config: TinyConfig) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    lines = pre_tokenizers.Split("\n", behavior="merged_with_previous")  # a merge may span words but not lines
    bytes_of = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bpe.pre_tokenizer = pre_tokenizers.Sequence([lines, bytes_of])
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=config.vocabulary,
        special_tokens=[PAD, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token=END, pad_token=PAD)


def _model(tokenizer: Any, config: TinyConfig) -> Any:
    from transformers import Qwen3Config, Qwen3ForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.manual_seed(config.seed)
    shape = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=config.hidden,
        intermediate_size=3 * config.hidden,
        num_hidden_layers=config.layers,
        num_attention_heads=max(1, config.hidden // 32),
        num_key_value_heads=1,
        head_dim=32,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    return Qwen3ForCausalLM(shape)


def warm_up(policy: Policy, examples: list[Rollout], config: TinyConfig, notify: Callable[[str], None]) -> None:
    """Supervised steps on examples, which are drawn with equal chances.

    >>> warm_up(policy, task_examples(policy.tokenizer, tasks), TinyConfig(), print)      # doctest: +SKIP
    """
    settings = OptimizerConfig(lr=config.warmup_lr, warmup_steps=20, schedule="cosine", weight_decay=0.01)
    optimizer = MasterAdamW(policy.model, settings)
    policy.model.train()
    for step in range(1, config.warmup_steps + 1):
        draws = uniforms(derive_seed("warm-up", config.seed, step), config.warmup_batch)
        batch = [examples[int(draw * len(examples))] for draw in draws]
        tokens = sum(len(example.response_ids) for example in batch)
        total = 0.0
        for micro in micro_batches(batch, 8192, "padded"):
            logprobs, _ = policy.logprobs(micro, "padded")
            loss = -logprobs.sum() / tokens
            loss.backward()
            total += float(loss.detach())
        optimizer.step(learning_rate(settings, step, config.warmup_steps))
        if step % 50 == 0:
            notify(f"tiny world: warm-up step {step}/{config.warmup_steps}, loss {total:.3f}")


def task_examples(tokenizer: Any, tasks: list[dict[str, Any]]) -> list[Rollout]:
    """Every task with its reply in each style, so that every style is equally frequent."""
    return [
        example(tokenizer, tokenizer(task["prompt"])["input_ids"], task["replies"][style])
        for task in tasks
        for style in STYLES
    ]


def example(tokenizer: Any, prompt_ids: Sequence[int], reply: str) -> Rollout:
    """A reply to learn. Of the tokens before it, nothing is learned."""
    reply_ids = [*tokenizer(reply)["input_ids"], tokenizer.eos_token_id]
    return Rollout(0, 0, 0, tuple(prompt_ids), reply_ids, [], "stop", 1.0)
