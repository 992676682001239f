"""Samples a model on problems and grades the replies at the same time, into a directory like that of a grading run.

OUT/samples.jsonl gets a line when a reply ends, OUT/grades.jsonl when it is graded. A resumed run samples only the
missing replies.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from microcoder_eval import Grade, Grader, InputError, Problem, Submission
from microcoder_eval.atomic import atomic_path
from microcoder_eval.metrics import mean_over_problems
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.progress_bar import progress_bar
from microcoder_eval.report.run_report import write_run_report
from microcoder_eval.runs.run_directory import RunDirectory
from microcoder_rl.data import Task
from microcoder_rl.engines import Engine
from microcoder_rl.engines.chat import Chat, ChatServer, Reply
from microcoder_rl.recipe.numbers import ZeroOrPositive
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.rollout import Request
from microcoder_rl.seeds import derive_seed

logger = logging.getLogger(__name__)
Seeds = Sequence[tuple[Task, tuple[int, ...]]]
"""Tasks, each with the seeds of the replies to sample."""
Source = Callable[[Seeds], Iterator[Reply]]


@dataclass(frozen=True)
class Sampling:
    """How each problem is sampled."""

    samples: int = 4
    temperature: float = 0.6
    max_tokens: int = 8192
    seed: int = 0

    def __post_init__(self) -> None:
        _, allowed = get_args(ZeroOrPositive)
        if self.temperature not in allowed:
            raise InputError(f"--temperature must be {allowed}, not {self.temperature:g}")


def engine_source(engine: Engine, tokenizer: Any, how: Sampling) -> Source:
    """A source that samples with a rollout engine."""

    def replies(wanted: Seeds) -> Iterator[Reply]:
        requests = [Request(task.prompt_ids, seeds) for task, seeds in wanted]
        for each in engine.generate(requests, temperature=how.temperature, max_tokens=how.max_tokens):
            text = tokenizer.decode(each.response_ids, skip_special_tokens=True)
            yield Reply(each.group, each.sample, text, len(each.response_ids), each.truncated)

    return replies


def chat_source(server: ChatServer, how: Sampling) -> Source:
    """A source that samples from a server with the OpenAI chat interface."""

    def replies(wanted: Seeds) -> Iterator[Reply]:
        chats = [Chat(task.prompt, seeds) for task, seeds in wanted]
        return server.replies(chats, temperature=how.temperature, max_tokens=how.max_tokens)

    return replies


def sample_and_grade_into(
    out: Path,
    tasks: Sequence[Task],
    source: Source,
    how: Sampling,
    *,
    problem_of: Callable[[Task], Problem],
    grading: Mapping[str, Any],
    about: Mapping[str, Any],
    workers: int | None,
    resume: bool,
    quiet: bool,
) -> dict[str, Any]:
    """Sample and grade what is missing in `out`, write its summary and report, and return the summary.

    `grading` has the grader's settings. `about` has other settings that must be the same when a run is resumed.
    """
    begin = time.monotonic()
    settings = {**grading, **about, "temperature": how.temperature, "max_tokens": how.max_tokens, "seed": how.seed}
    by_id = {task.problem.id: task for task in tasks}
    attributes = {task.problem.id: ProblemAttributes(task.platform.lower(), task.level) for task in tasks}
    with (
        RunDirectory(out, settings, resume) as directory,
        Grader(workers, **grading) as grader,
        progress_bar(len(tasks) * how.samples, directory.tally.verdicts, quiet) as advance,
        _Samples(out / "samples.jsonl") as samples,
    ):
        if samples.records and not resume:
            raise InputError(f"{out}: already holds replies; continue with --resume or choose another --out")
        directory.write_attributes(attributes)
        advance(len(directory.done))
        pending: set[Future[Grade]] = set()

        def grade(record: Mapping[str, Any]) -> None:
            submission = Submission.from_dict(record)
            pending.add(grader.submit(problem_of(by_id[submission.problem_id]), submission))

        def collect_grades(timeout: float | None) -> None:
            ended, _ = wait(pending, timeout, return_when=FIRST_COMPLETED)
            pending.difference_update(ended)
            for future in ended:
                directory.write(future.result())
                advance(1)

        for (name, problem), record in samples.records.items():
            if problem in by_id and (name, problem) not in directory.done:
                grade(record)
        wanted: list[tuple[Task, tuple[int, ...]]] = []
        numbers: list[list[int]] = []
        for task in tasks:
            missing = [n for n in range(how.samples) if (str(n), task.problem.id) not in samples.records]
            if missing:
                seeds = tuple(derive_seed("generate", how.seed, task.problem.id, n) for n in missing)
                wanted.append((task, seeds))
                numbers.append(missing)
        logger.info("%d replies exist, %d to sample", len(samples.records), sum(map(len, numbers)))
        for reply in source(wanted) if wanted else ():
            task = wanted[reply.group][0]
            grade(samples.add(str(numbers[reply.group][reply.sample]), task, reply))
            collect_grades(0)
        while pending:
            collect_grades(None)  # ends: the grader has its own deadlines
        summary = directory.write_summary(
            attributes,
            truncation=_truncation(samples.records, how.max_tokens, directory.path / "grades.jsonl"),
            from_cache=grader.from_cache,
            wall_s=round(time.monotonic() - begin, 3),
        )
    write_run_report(out)
    return summary


class _Samples:
    """The file of replies: those of a stopped run, and new ones."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = {(record["id"], record["problem_id"]): record for record in read_jsonl(path)}

    def __enter__(self) -> _Samples:
        whole = "".join(json.dumps(record) + "\n" for record in self.records.values())
        try:
            with atomic_path(self.path) as path:  # drops the half line that a killed run may have left
                path.write_text(whole, encoding="utf-8")
            self._file = self.path.open("a", encoding="utf-8")
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, name: str, task: Task, reply: Reply) -> dict[str, Any]:
        """Append a reply and flush it, so that killing the process does not lose it. Returns its record."""
        record = {
            "id": name,
            "problem_id": task.problem.id,
            "response": reply.text,
            "tokens": reply.tokens,
            "truncated": reply.truncated,
        }
        try:
            self._file.write(json.dumps(record) + "\n")
            self._file.flush()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        self.records[name, task.problem.id] = record
        return record


def _truncation(records: Mapping[tuple[str, str], Mapping[str, Any]], limit: int, grades: Path) -> dict[str, Any]:
    """How often replies were cut at the limit, how many of those were accepted, and how long replies are."""
    verdicts = {(grade["submission_id"], grade["problem_id"]): grade["accepted"] for grade in read_jsonl(grades)}
    by_problem: dict[str, list[float]] = {}
    for (_, problem), record in records.items():
        by_problem.setdefault(problem, []).append(float(record["truncated"]))
    cut = [verdicts[key] for key, record in records.items() if record["truncated"] and key in verdicts]
    whole = [verdicts[key] for key, record in records.items() if not record["truncated"] and key in verdicts]
    lengths = sorted(record["tokens"] for record in records.values())
    return {
        "limit": limit,
        "share": mean_over_problems([sum(each) / len(each) for each in by_problem.values()]).to_dict(),
        "accepted_when_cut": sum(cut) / len(cut) if cut else None,
        "accepted_when_whole": sum(whole) / len(whole) if whole else None,
        "mean_tokens": sum(lengths) / len(lengths),
        "median_tokens": lengths[len(lengths) // 2],
        "longest_tokens": lengths[-1],
    }
