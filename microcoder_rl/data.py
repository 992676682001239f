"""From a dataset to tasks: the problems of a built dataset folder, a Parquet file or JSONL, with their prompt ids.

A file may also hold another trainer's rows (`training_rows`): their prompts are used as they are.

A problem without tests, or with too long a prompt, is left out and reported. A dataset with no other problems is
refused. The order of training is a function of (seed, epoch), so a resumed run needs only its position.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from microcoder_eval import InputError, Problem
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.reading.input_files import read_records
from microcoder_eval.reading.problem_from_row import is_problem_row
from microcoder_rl.chat.problem_text import prompt_of, with_statement
from microcoder_rl.chat.prompt import encode_prompt, refuse_chat
from microcoder_rl.chat.training_rows import Message, messages_of, problem_of, text_of
from microcoder_rl.recipe.config import DataConfig
from microcoder_rl.recipe.datasets import missing_dataset
from microcoder_rl.seeds import derive_seed
from microcoder_rl.turns.feedback import public_tests


@dataclass(frozen=True)
class Task:
    """A problem, the prompt that asks for its solution, and the prompt's token ids."""

    problem: Problem
    prompt: str
    prompt_ids: tuple[int, ...]
    platform: str = ""
    level: str = ""
    public: tuple[int, ...] = ()
    """The indices of the tests that a user may see: those marked as public, or shown as a sample."""
    messages: tuple[Message, ...] = ()
    """The prompt as a chat."""


@dataclass(frozen=True)
class Tasks:
    """The usable problems of a dataset, and why the others were left out."""

    items: tuple[Task, ...]
    left_out: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.items)


def load_tasks(path: str, tokenizer: Any, config: DataConfig, *, longest: int, limit: int = 0, draw: int = 0) -> Tasks:
    """Read a dataset and encode its prompts. `longest` is how many tokens the model's context leaves for a prompt.

    Without a tokenizer the prompts stay text, for a server that tokenizes them itself. `limit` takes the first
    problems, `draw` random ones, always the same.
    """
    if tokenizer is not None:
        refuse_chat(tokenizer, config.chat)
    longest = min(longest, config.max_prompt_tokens)
    items: list[Task] = []
    left_out: list[str] = []
    for record, problem in _records(path, left_out):
        try:
            task = make_task(problem, record, tokenizer, config)
        except InputError as error:  # its prompt cannot be shown to a model
            left_out.append(f"{problem.id}: {error}")
            continue
        if tokenizer is not None and not 0 < len(task.prompt_ids) <= longest:
            limit_name = "data.max_prompt_tokens" if longest == config.max_prompt_tokens else "the model's context"
            wrong = f"exceeds {longest} ({limit_name})" if task.prompt_ids else "is empty"
            left_out.append(f"{problem.id}: its prompt of {len(task.prompt_ids)} tokens {wrong}")
            continue
        items.append(task)
        if limit and len(items) == limit:
            break
    if not items:
        why = f": {left_out[0]}" if left_out else ""
        more = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
        raise InputError(f"{path}: no usable problem{why}{more}")
    name, times = Counter(task.problem.id for task in items).most_common(1)[0]
    if times > 1:
        raise InputError(f"{path}: problem {name!r} is there {times} times; ids must be unique")
    if 0 < draw < len(items):
        items = [items[index] for index in sorted(itertools.islice(training_order(len(items), 0, 0), draw))]
    return Tasks(tuple(items), tuple(left_out))


def make_task(problem: Problem, record: Mapping[str, Any], tokenizer: Any, config: DataConfig) -> Task:
    """The task of a problem. Its record may have a prompt of its own (a text or messages), a platform and a
    difficulty."""
    prompt = record.get("prompt") or prompt_of(problem, config.prompt, tokenizer)
    if not record.get("prompt") and not (problem.statement + problem.starter_code).strip():
        raise InputError("it has neither a statement nor a prompt")
    text, platform = text_of(prompt), record.get("platform")
    level = ProblemAttributes.from_record(record).difficulty
    ids, public = tuple(encode_prompt(tokenizer, prompt, config.chat)), public_tests(problem, record)
    platform = platform if isinstance(platform, str) else ""
    return Task(problem, text, ids, platform, level, public, tuple(messages_of(prompt)))


def holds_problems(path: str) -> bool:
    """Whether a dataset has at least one problem that can be graded."""
    return any(True for _ in _records(path, []))


def training_order(count: int, seed: int, start: int, *, shuffle: bool = True) -> Iterator[int]:
    """Indices of tasks from position `start` of an endless stream of epochs, each its own permutation.

    >>> import itertools
    >>> whole = list(itertools.islice(training_order(4, 0, 0), 10))
    >>> list(itertools.islice(training_order(4, 0, 3), 7)) == whole[3:], sorted(whole[4:8])
    (True, [0, 1, 2, 3])
    """
    epoch, offset = divmod(start, count)
    while True:
        order = np.arange(count)
        if shuffle:
            np.random.Generator(np.random.Philox(key=derive_seed("order", seed, epoch))).shuffle(order)
        yield from order[offset:].tolist()
        epoch, offset = epoch + 1, 0


def _records(path: str, left_out: list[str]) -> Iterator[tuple[Mapping[str, Any], Problem]]:
    """The gradable records of a dataset, each with its problem. Others are added to `left_out` with the reason."""
    if missing := missing_dataset(path):
        raise InputError(missing)
    for place, record in read_records(Path(path)):
        try:
            if isinstance(record, str):
                raise InputError(record)
            problem = problem_of(record, place)
            yield record, with_statement(record, problem) if is_problem_row(record) else problem
        except InputError as error:
            left_out.append(f"{place}: {error}")
