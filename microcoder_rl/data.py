"""From a dataset to prompts: problems of a built dataset folder, a Parquet file or JSONL, with their token ids.

A dataset whose problems have no tests, or whose prompts are all too long, is refused; single ones are left out
and reported. The order of training is a function of (seed, epoch), so a cursor is all that a resumed run needs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from microcoder_eval import InputError, Problem
from microcoder_rl.config import DataConfig
from microcoder_rl.seeds import derive_seed

PROMPT = """{statement}

{starter_code}Write a complete Python program that solves the problem. Put it in one ```python code block."""
STDIN = "Read from standard input and write to standard output. "


@dataclass(frozen=True)
class Task:
    """A problem and what the model is asked."""

    problem: Problem
    prompt: str
    prompt_ids: tuple[int, ...]
    platform: str = ""
    level: str = ""


@dataclass(frozen=True)
class Tasks:
    """The usable problems of a dataset, and what was left out and why."""

    items: tuple[Task, ...]
    left_out: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.items)


def load_tasks(path: str, tokenizer: Any, config: DataConfig, *, longest: int, limit: int = 0) -> Tasks:
    """Read a dataset and encode its prompts; `longest` is how many tokens the model's context leaves for one.

    Without a tokenizer prompts stay text, for who encodes them elsewhere.

    >>> tasks = load_tasks("problems.jsonl", tokenizer, DataConfig(), longest=2048)      # doctest: +SKIP
    """
    longest = min(longest, config.max_prompt_tokens)
    items: list[Task] = []
    left_out: list[str] = []
    for record, problem in _records(path, left_out):
        task = make_task(problem, record, tokenizer, config)
        if tokenizer is not None and not 0 < len(task.prompt_ids) <= longest:
            wrong = f"exceeds {longest}" if task.prompt_ids else "is empty"
            left_out.append(f"{problem.id}: its prompt of {len(task.prompt_ids)} tokens {wrong}")
            continue
        items.append(task)
        if limit and len(items) == limit:
            break
    if not items:
        why = f": {left_out[0]}" + (f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else "") if left_out else ""
        raise InputError(f"{path}: no usable problem{why}")
    names = [task.problem.id for task in items]
    if len(set(names)) < len(names):
        twice = next(name for index, name in enumerate(names) if name in names[:index])
        raise InputError(f"{path}: problem {twice!r} occurs twice; ids must be unique")
    return Tasks(tuple(items), tuple(left_out))


def make_task(problem: Problem, record: Mapping[str, Any], tokenizer: Any, config: DataConfig) -> Task:
    """A problem as it is asked; its record may bring a prompt of its own, a platform and a difficulty."""
    prompt = record.get("prompt") or _prompt(problem, config.prompt)
    level = record.get("difficulty") or ""
    if isinstance(level, dict):
        level = level.get("level") or level.get("native") or ""
    return Task(problem, prompt, tuple(_encode(tokenizer, prompt)), record.get("platform") or "", str(level).lower())


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


def _records(path: str, left_out: list[str]) -> Iterator[tuple[dict[str, Any], Problem]]:
    """The records of a dataset that can be graded, as dictionaries and as problems."""
    place = Path(path)
    if not path or not place.exists():
        raise InputError(f"{path or 'data.train'}: no such dataset folder or file")
    if place.is_dir() or place.suffix == ".parquet":
        source = _rows(place)
    else:
        source = _lines(place)
    for where, record in source:
        try:
            if "problem_id" in record:
                from microcoder_data.schema import to_problem

                yield {**record, "prompt": None, "statement": None}, _with_statement(record, to_problem(record))
            else:
                yield record, Problem.from_dict(record)
        except InputError as error:
            left_out.append(f"{where}: {error}")


def _rows(place: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        from microcoder_data.shards import TestStore, read_shard
    except ModuleNotFoundError as error:
        raise InputError(f"{place}: reading Parquet needs {error.name}: pip install 'microcoder[data]'") from None
    skipped = ("dropped", "solutions", "stages")
    shards = [place] if place.is_file() else sorted(place.rglob("*.parquet"))
    shards = [shard for shard in shards if not set(skipped) & set(shard.relative_to(place).parts)]
    if not shards:
        raise InputError(f"{place}: the folder holds no Parquet shards")
    root = place.parent if place.is_file() else place
    for shard in shards:
        store = TestStore(next((up / "tests" for up in shard.parents if (up / "tests").is_dir()), root / "tests"))
        for number, row in enumerate(read_shard(shard)):
            if "problem_id" not in row or "tests" not in row:
                raise InputError(f"{shard}: not a shard of problems: it lacks problem_id or tests")
            row["tests"] = [store.load(test) for test in row["tests"] or []]
            yield f"{shard.name}:{number}", row


def _lines(place: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with place.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except ValueError:
                raise InputError(f"{place}:{number}: not JSON; give problems as one JSON object a line") from None
            if not isinstance(record, dict):
                raise InputError(f"{place}:{number}: a problem is a JSON object")
            yield f"{place.name}:{number}", record


def _with_statement(row: dict[str, Any], problem: Problem) -> Problem:
    """The problem with its statement put together again from the row's parts."""
    parts = [row.get("title") and f"# {row['title']}", row["statement"]]
    for heading, name in (("Input", "input_format"), ("Output", "output_format"), ("Constraints", "constraints")):
        parts.append(row.get(name) and f"## {heading}\n{row[name]}")
    for number, sample in enumerate(row.get("samples") or [], 1):
        parts.append(f"## Example {number}\nInput:\n{sample['input']}\nOutput:\n{sample['output']}")
    parts.append(row.get("notes") and f"## Notes\n{row['notes']}")
    import dataclasses

    return dataclasses.replace(problem, statement="\n\n".join(part for part in parts if part))


def _prompt(problem: Problem, template: str) -> str:
    starter = problem.starter_code and f"Begin with this code:\n```python\n{problem.starter_code}\n```\n\n"
    if not template:
        template = PROMPT.replace("Write a complete", STDIN + "Write a complete") if problem.kind == "stdin" else PROMPT
    return template.replace("{statement}", problem.statement).replace("{starter_code}", starter)


def _encode(tokenizer: Any, prompt: str) -> Sequence[int]:
    if tokenizer is None:
        return ()
    if getattr(tokenizer, "chat_template", None):
        messages = [{"role": "user", "content": prompt}]
        text = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])
    return list(tokenizer(prompt)["input_ids"])
