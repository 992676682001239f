"""Runs a recipe: builds policy, engine and grader, then trains, evaluates and saves until the last step.

The order within a step is fixed: train, log, evaluate, save. On resume, everything after the checkpoint is repeated.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from microcoder_data.lock import exclusive
from microcoder_eval import InputError
from microcoder_eval.connection import AnyGrader, open_grader
from microcoder_rl import distributed
from microcoder_rl.chat.bridge import refuse_turns
from microcoder_rl.checkpoint import load_checkpoint, save_checkpoint
from microcoder_rl.data import Task, Tasks, load_tasks
from microcoder_rl.engines import Engine
from microcoder_rl.engines.from_recipe import open_engine, refuse_engine
from microcoder_rl.evaluate import Evaluation, evaluate
from microcoder_rl.launched import is_first_rank
from microcoder_rl.lora import BasePolicy
from microcoder_rl.model.window import layout_problem, shortest_window
from microcoder_rl.policy import Policy
from microcoder_rl.recipe import plain
from microcoder_rl.recipe.config import Config, EvalSet
from microcoder_rl.recipe.model_source import refuse_missing_model
from microcoder_rl.report.run_log import Log
from microcoder_rl.sampler import Sampler
from microcoder_rl.saved_checkpoints import find_checkpoint, prune, saved_steps
from microcoder_rl.toy_world import with_world
from microcoder_rl.trainer import Trainer

logger = logging.getLogger(__name__)


@dataclass
class Parts:
    """What a run of a recipe works with, loaded and started."""

    config: Config
    policy: Policy
    engine: Engine
    grader: AnyGrader
    train: tuple[Task, ...]
    sets: dict[str, tuple[Task, ...]]

    @cached_property
    def sampler(self) -> Sampler:
        """Samples with the engine and grades with the grader."""
        return Sampler(self.engine, self.grader, self.policy.tokenizer, self.config)

    def evaluate(self, name: str, max_tokens: int) -> Evaluation:
        """Evaluate one of the recipe's sets, with its own length limit or else with `max_tokens`."""
        limit = self.config.evaluate.sets[name].max_tokens or max_tokens
        return evaluate(self.sampler, self.sets[name], max_tokens=limit)


def train(
    config: Config,
    *,
    resume: bool = False,
    notify: Callable[[str], None] = print,
    watch: Callable[[dict[str, float], list[dict[str, Any]]], None] = lambda metrics, evaluations: None,
) -> dict[str, dict[str, float]]:
    """Run a recipe to its last step. Returns last, best and mean-of-last-k accuracy of each evaluation set.

    `notify` gets messages. `watch` gets the metrics and the newest evaluations after each step. The run folder is
    locked: a second run in it is refused while this one lasts.

    >>> train(load_recipe("pipelines/train/tiny.yaml", ["run.steps=20"]))       # doctest: +SKIP
    {'test': {'last': 0.52, 'best': 0.54, 'mean_of_last_5': 0.51}}
    """
    folder = Path(config.run.out)
    with exclusive(folder) if is_first_rank() else nullcontext():
        if not resume and (saved_steps(folder / "checkpoints") or (folder / "metrics.jsonl").exists()):
            raise InputError(
                f"{folder} already holds a run: continue it with --resume, or give this one another run.out"
            )
        with prepared(config, notify) as (config, notify):
            return _train(config, resume, notify, watch if distributed.rank() == 0 else _silent)


def _train(
    config: Config, resume: bool, notify: Callable[[str], None], watch: Callable[..., None]
) -> dict[str, dict[str, float]]:
    folder = Path(config.run.out)
    recipe = plain(config)
    found = find_checkpoint(folder / "checkpoints", recipe) if resume else None
    if len(set(distributed.gather(found))) > 1:
        raise InputError(f"the ranks find different checkpoints: {folder} must be on a disk that they share")
    start = str(found) if found and not config.model.lora else None  # an adapter is loaded onto the original model
    with open_parts(config, notify, model=start) as parts:
        reference: Policy | BasePolicy | None = None
        if config.loss.kl_weight > 0 and config.model.lora:
            reference = BasePolicy(parts.policy)
        elif config.loss.kl_weight > 0:
            reference = Policy.load(dataclasses.replace(config.model, compile=False), _device(config))
            reference.model.requires_grad_(False)
        trainer = Trainer(
            config, parts.policy, parts.engine, parts.grader, parts.train, reference=reference, notify=notify
        )
        if found:
            load_checkpoint(found, trainer)
            notify(f"resumed from {found}")
        elif distributed.rank() == 0 and not config.rollout.replay:  # which may name this folder
            trainer.batches.clear()  # left by a run that was stopped before its first checkpoint
        after = trainer.state.step if found else -1
        log_files = Log(folder, config.log, name=config.run.name, recipe=recipe, after_step=after)
        with log_files as log, closing(trainer):
            _loop(trainer, parts, log, folder / "checkpoints", watch)
        return {
            name: summarise(accuracies, config.evaluate.last_k) for name, accuracies in trainer.state.accuracies.items()
        }


def _loop(trainer: Trainer, parts: Parts, log: Log, checkpoints: Path, watch: Callable[..., None]) -> None:
    config, state = trainer.config, trainer.state
    evaluations: list[dict[str, Any]] = []
    if state.step == 0 and config.evaluate.at_start:
        evaluations, _ = _evaluate(trainer, parts, log)
        watch({}, evaluations)
    while state.step < config.run.steps:
        metrics = trainer.train_step()
        log.step(metrics)
        log.samples(state.step, [(group.task, group.rollouts) for group in trainer.groups])
        log.choices(state.step, [(group.task, group.why) for group in trainer.groups])
        last = state.step == config.run.steps
        improved = False
        if last or (config.evaluate.every and state.step % config.evaluate.every == 0):
            evaluations, improved = _evaluate(trainer, parts, log)
        if last or improved or (config.checkpoint.every and state.step % config.checkpoint.every == 0):
            why = "the last step" if last else "the best so far" if improved else "checkpoint.every"
            logger.info("step %d: checkpoint, because of %s", state.step, why)
            save_checkpoint(checkpoints, trainer)
            if distributed.rank() == 0:
                prune(checkpoints, config.checkpoint.keep, state.best_step)
                if not (config.log.batches or config.rollout.replay):
                    trainer.batches.prune(before=saved_steps(checkpoints)[0] + 1)
        watch(metrics, evaluations)


def _evaluate(trainer: Trainer, parts: Parts, log: Log) -> tuple[list[dict[str, Any]], bool]:
    """Evaluate every set. Returns the records, and whether the first set has a new best accuracy (never at step 0)."""
    state = trainer.state
    records = []
    for name in parts.sets:
        with trainer.sampling_paused():
            found = parts.evaluate(name, trainer.max_tokens(max(1, state.step)))
        records.append(found.record(state.step, name))
        logger.info("step %d: evaluated %s, %d problems in %.1f s", state.step, name, found.problems, found.seconds)
        log.evaluation(records[-1], found.answer_records(state.step, name))
        state.accuracies.setdefault(name, []).append(found.accuracy)
    if not records or state.step == 0 or not records[0]["accuracy"] > state.best_accuracy:
        return records, False
    state.best_step, state.best_accuracy = state.step, records[0]["accuracy"]
    return records, True


def summarise(accuracies: Sequence[float], last_k: int) -> dict[str, float]:
    """Last, best, and mean of the last k evaluations. Papers report any of the three.

    >>> summarise([0.1, 0.4, 0.3], last_k=2)
    {'last': 0.3, 'best': 0.4, 'mean_of_last_2': 0.35}
    """
    return {"last": accuracies[-1], "best": max(accuracies), f"mean_of_last_{last_k}": fmean(accuracies[-last_k:])}


@contextmanager
def prepared(config: Config, notify: Callable[[str], None]) -> Iterator[tuple[Config, Callable[[str], None]]]:
    """Check that the recipe's engine can work here, connect the ranks, and build the toy world if the recipe has one.

    Yields the config with the toy world's paths, and a `notify` that prints on the first rank only.
    """
    refuse_engine(config)
    refuse_missing_model(config.model.path)
    with distributed.joined(config.run.deadline_s, config.run.device):
        notify = notify if distributed.rank() == 0 else _silent
        with distributed.first_rank_first():
            config = with_world(config, notify)
        yield config, notify


@contextmanager
def open_parts(config: Config, notify: Callable[[str], None], *, model: str | None = None) -> Iterator[Parts]:
    """Load model and data, start grader and engine. `model` is a folder to load in place of the recipe's."""
    if config.run.threads:
        torch.set_num_threads(config.run.threads)
    torch.manual_seed(config.run.seed)
    critic = config.advantage.baseline == "value"
    path = model or config.model.path
    policy = Policy.load(dataclasses.replace(config.model, path=path), _device(config), value_head=critic)
    longest_reply = config.rollout.longest_reply
    train_tasks = _load("data.train", config.data.train, policy, config, longest_reply, notify)
    sets = {
        name: _load(f"evaluate.sets.{name}", each.data, policy, config, each.max_tokens or longest_reply, notify, each)
        for name, each in config.evaluate.sets.items()
    }
    if config.rollout.turns > 1:
        refuse_turns(policy.tokenizer, config.data.chat, config.rollout.feedback_tokens)
    replies = [longest_reply, *(each.max_tokens for each in config.evaluate.sets.values())]
    context = min(policy.context, config.data.max_prompt_tokens + config.rollout.longest(max(replies)))
    if problem := layout_problem(config.batch.layout, shortest_window(policy.model.config), context):
        raise InputError(problem)
    judge = config.grader
    with (
        open_grader(judge.address, workers=judge.workers, policy=judge.policy, isolation=judge.isolation) as grader,
        open_engine(
            config, model or config.model.path, policy.end_ids, policy=policy, context=context, notify=notify
        ) as engine,
    ):
        logger.info(
            "model %s on %s, engine %s, replies of up to %d tokens, context %d; %d problems to train on",
            *(model or config.model.path, _device(config), config.rollout.engine, longest_reply, context),
            len(train_tasks.items),
        )
        yield Parts(
            config, policy, engine, grader, train_tasks.items, {name: tasks.items for name, tasks in sets.items()}
        )


def _load(
    key: str,
    path: str,
    policy: Policy,
    config: Config,
    reply: int,
    notify: Callable[[str], None],
    part: EvalSet = EvalSet(),  # noqa: B008 - EvalSet is frozen
) -> Tasks:
    """Read the dataset of a recipe key. `reply` is the longest reply in tokens, `part` which problems are taken."""
    room = policy.context - config.rollout.longest(reply)
    if room < 1:
        turns = f" in {config.rollout.turns} turns" if config.rollout.turns > 1 else ""
        feedback = turns and f"; rollout.feedback_tokens adds {config.rollout.feedback_tokens} a turn"
        raise InputError(
            f"replies of {reply} tokens{turns} leave no room for a prompt in a context of {policy.context}{feedback}"
        )
    if not path:
        raise InputError(f"{key} is empty: give a dataset folder, a Parquet file or problems as JSONL")
    tasks = load_tasks(path, policy.tokenizer, config.data, longest=room, limit=part.limit, draw=part.draw)
    if tasks.left_out:
        notify(f"{key}: {len(tasks.left_out)} of the problems left out, such as {tasks.left_out[0]}")
    return tasks


def _device(config: Config) -> str:
    if config.run.device != "auto":
        return config.run.device
    return "cuda" if torch.cuda.is_available() else "cpu"


def _silent(*_: object) -> None:
    """The `notify` and `watch` of all ranks but the first."""
