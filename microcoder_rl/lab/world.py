"""The lab's world: questions with graded problems, and a small model that was warmed up to answer them in many ways.

    questions = draw_questions(96, "test", WorldConfig())
    folder = build_model(WorldConfig(), 0, Path("runs/lab/models"))

Models are cached by a hash of their settings. The mixture of replies in the warm-up decides what training can change:
how often working is written out, how often the rare form of program appears, how much filler there is. `properties.py`
measures the result. The replies are Python programs, and the real grader judges them.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

from microcoder_eval import Problem
from microcoder_rl.data import Task
from microcoder_rl.lab.words import (
    BODIES,
    END,
    FILLER,
    HEADS,
    KEEP,
    LANGUAGE,
    LETTERS,
    RARE_HEAD,
    REMARK,
    TAILS,
    VALUES,
    WORKING,
    Question,
)
from microcoder_rl.lab.world_config import WORLD_VERSION, WorldConfig
from microcoder_rl.optimizer import MasterAdamW, learning_rate
from microcoder_rl.policy import Policy, micro_batches
from microcoder_rl.recipe.config import OptimizerConfig
from microcoder_rl.rollout import Rollout
from microcoder_rl.seeds import derive_seed
from microcoder_rl.toy_world.cached_folder import cached_folder

CONTEXT = 128
LONGEST_RUN = 20
"""Most words of filler or remarks in a reply of the warm-up."""
FEATURE_SCALE = 0.3
"""Tokens with the same letter or value begin with similar embeddings. Without this, a warm-up takes hours."""
LEVELS = ((2, "easy"), (5, "medium"), (len(LETTERS), "hard"))


def draw_questions(
    count: int, seed: object, world: WorldConfig, *, lengths: tuple[int, int] = (1, len(LETTERS))
) -> list[Question]:
    """Questions with as many letters as `lengths` says, from least to most, all equally likely."""
    rng = random.Random(derive_seed("questions", seed))
    questions = []
    for _ in range(count):
        kind = "hex" if rng.random() < world.hexadecimal else "dec"
        later = (KEEP if rng.random() < world.keeping else rng.choice(VALUES) for _ in range(rng.randint(*lengths) - 1))
        questions.append(Question(kind, (rng.choice(VALUES), *later)))
    return questions


def tasks_of(questions: Sequence[Question], name: str) -> tuple[Task, ...]:
    """The trainer's tasks. Each has a problem of its own, because seeds are derived from the problem's id."""
    tasks = []
    for place, question in enumerate(questions):
        record = {"id": f"{name}-{place}", "kind": "stdin", "tests": question.tests()}
        level = next(level for most, level in LEVELS if len(question.steps) <= most)
        ids = tuple(LANGUAGE.encode(question.words))
        tasks.append(Task(Problem.from_dict(record), "".join(question.words), ids, question.kind, level))
    return tuple(tasks)


def draw_reply(question: Question, rng: random.Random, world: WorldConfig) -> list[str]:
    """A reply for the warm-up, token by token. The world's shares decide its form."""
    values = question.values
    manner = rng.random()
    every = 1 if manner < world.worked else 2 if manner < world.worked + world.skipping else 0
    places = range((len(values) - 1) % every, len(values), every) if every else ()
    words = [_one_of(WORKING, (6, 3, 1), rng).format(LETTERS[place], values[place]) for place in places]
    guessed = not every and rng.random() < world.guessing ** (1 / (len(values) ** 2))
    value = rng.choice(VALUES) if guessed else values[-1]
    if rng.random() < world.filler:
        at = rng.randint(0, len(words))
        words[at:at] = _run_of(FILLER, rng, world.filler_goes_on)
    head = HEADS[RARE_HEAD] if rng.random() < world.rare else _one_of(HEADS[:RARE_HEAD], (2, 1), rng)
    words += [head, _one_of(BODIES, (2, 1), rng).format(value), _one_of(TAILS, (10, 6, 3, 1), rng)]
    if rng.random() < world.remarks:
        words += _run_of(REMARK, rng, world.filler_goes_on)
    return [*words, END]


def build_model(world: WorldConfig, number: int, cache: Path, notify: Callable[[str], None] = print) -> Path:
    """The folder of a warmed-up model, from the cache or made now, which takes a minute or two."""
    settings = json.dumps({**asdict(world), "version": WORLD_VERSION, "number": number}, sort_keys=True)
    folder = cache / hashlib.sha256(settings.encode()).hexdigest()[:16]

    def make(building: Path) -> None:
        tokenizer = LANGUAGE.tokenizer()
        policy = Policy(_new_model(world, number, tokenizer), tokenizer)
        notify(f"lab: warming up model {number}, {sum(p.numel() for p in policy.model.parameters()):,} parameters")
        _warm_up(policy, world, number)
        policy.model.save_pretrained(building)
        tokenizer.save_pretrained(building)

    return cached_folder(folder, make)


def _one_of(choices: Sequence[str], weights: Sequence[int], rng: random.Random) -> str:
    return rng.choices(choices, weights)[0]


def _run_of(word: str, rng: random.Random, goes_on: float) -> list[str]:
    words = [word]
    while rng.random() < goes_on and len(words) < LONGEST_RUN:
        words.append(word)
    return words


def _new_model(world: WorldConfig, number: int, tokenizer: Any) -> Any:
    from transformers import Qwen3Config, Qwen3ForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.manual_seed(derive_seed("lab model", number))
    heads = max(1, world.hidden // 32)
    shape = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=world.hidden,
        intermediate_size=3 * world.hidden,
        num_hidden_layers=world.layers,
        num_attention_heads=heads,
        num_key_value_heads=heads,
        head_dim=32,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    model: Any = Qwen3ForCausalLM(shape)
    parts = dict.fromkeys(part for features in LANGUAGE.features.values() for part in features)
    vectors = {part: torch.randn(world.hidden) * FEATURE_SCALE for part in parts}
    with torch.no_grad():
        made = [torch.stack([vectors[part] for part in features]).sum(0) for features in LANGUAGE.features.values()]
        model.get_input_embeddings().weight.copy_(torch.stack(made))
    return model


def _warm_up(policy: Policy, world: WorldConfig, number: int) -> None:
    settings = OptimizerConfig(lr=1e-2, warmup_steps=20, schedule="cosine", weight_decay=0.01)
    optimizer = MasterAdamW(policy.model, settings)
    policy.model.train()
    questions = draw_questions(world.steps * world.batch, ("warm-up", number), world)
    rng = random.Random(derive_seed("replies", number))
    drill = replace(world, worked=0.85, skipping=0.1)
    for step in range(1, world.steps + 1):
        taught = drill if step <= world.drill * world.steps else world
        asked = questions[(step - 1) * world.batch : step * world.batch]
        batch = [
            Rollout(
                *(0, 0, 0),
                prompt_ids=tuple(LANGUAGE.encode(question.words)),
                response_ids=LANGUAGE.encode(draw_reply(question, rng, taught)),
                sampled_logprobs=[],
                finish="stop",
                temperature=1.0,
            )
            for question in asked
        ]
        tokens = sum(len(example.response_ids) for example in batch)
        for micro in micro_batches(batch, 16384, "padded"):
            logprobs, _ = policy.logprobs(micro, "padded")
            (-logprobs.sum() / tokens).backward()
        optimizer.step(learning_rate(settings, step, world.steps))
