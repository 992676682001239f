"""Tries a recipe in seconds, without its model: one small step with a tiny model (`model.py`).

The engine is torch, replies are short and there are few prompts. Algorithm, masks, losses, temperatures, stages, the
optimiser and the grader are the recipe's own. Its datasets are read if they exist, with the model's tokenizer if that
is here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from microcoder_eval import InputError
from microcoder_eval.plural import counted
from microcoder_rl.asynchronous.batch_log import replayed
from microcoder_rl.data import load_tasks
from microcoder_rl.dry_run.model import TinyModel, make_tiny_model
from microcoder_rl.engines.from_recipe import needs_vllm
from microcoder_rl.model.window import layout_problem
from microcoder_rl.plan.job import longest_reply, longest_sequence, room_for_prompt
from microcoder_rl.plan.shape import find_shape
from microcoder_rl.recipe.config import ChatConfig, Config, DataConfig, EvalSet
from microcoder_rl.recipe.curriculum import CurriculumConfig
from microcoder_rl.recipe.datasets import missing_dataset, recipe_datasets
from microcoder_rl.recipe.model_source import comes_from_hub, refuse_missing_model
from microcoder_rl.run import train

PROMPTS, LONGEST_REPLY, LONGEST_FEEDBACK, PROBES = 4, 12, 24, 4


def dry_run(config: Config, notify: Callable[[str], None] = print) -> dict[str, float]:
    """Run one small step of a recipe. Returns the step's metrics, or raises what the real run would raise.

    >>> dry_run(load_recipe("pipelines/train/base.yaml"))["loss"]                   # doctest: +SKIP
    0.0031
    """
    refuse_missing_model(config.model.path, hub=False)
    if comes_from_hub(config.model.path):
        notify(f"model.path: there is no folder {config.model.path}; the run itself gets this model from the hub")
    _refuse_model(config)
    seen: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory(prefix="microcoder-dry-run-") as folder:
        tiny = make_tiny_model(Path(folder))
        for key, path in recipe_datasets(config).items():
            notify(_about_dataset(key, path, tiny, config))
        if config.rollout.replay and not (batches := replayed(config).folder).is_dir():
            notify(f"rollout.replay: no such folder: {batches}\n  replies are sampled instead; the run itself needs it")
        if config.rollout.engine != "torch":
            missing = needs_vllm(config) and importlib.util.find_spec("vllm") is None
            notify(
                f"rollout.engine: torch is used instead of {config.rollout.engine}"
                + ("; the run itself needs vLLM, which is not installed here" if missing else "")
            )
        if config.curriculum.kind == "reference":
            notify("curriculum: the problems come in order, because the toy tasks have no reference solutions")
            config = dataclasses.replace(config, curriculum=CurriculumConfig())
        small = _shrink(config, tiny, Path(folder) / "run")

        def watch(metrics: dict[str, float], _: list[dict[str, Any]]) -> None:
            seen.append(metrics)

        train(small, notify=notify, watch=watch)
    return next(metrics for metrics in seen if metrics)


def _refuse_model(config: Config) -> None:
    """Refuse what the run would refuse of its model, as far as the model's sizes are known without it."""
    try:
        shape = find_shape(config)
    except InputError:
        if Path(config.model.path).is_dir():
            raise
        return  # a model of the hub whose shape is not known here
    longest = longest_reply(config)
    if longest >= shape.context:
        raise InputError(
            f"replies of {longest} tokens leave no room for a prompt in a context of {shape.context}: "
            f"rollout.max_tokens={shape.context // 2}"
        )
    if problem := layout_problem(config.batch.layout, shape.window, longest_sequence(config, shape.context)):
        raise InputError(problem)


def _shrink(config: Config, tiny: TinyModel, out: Path) -> Config:
    """The recipe with everything expensive made small. Nothing else changes."""
    updates = min(config.batch.prompts // config.batch.minibatch, PROMPTS)
    stages = tuple((start, min(limit, LONGEST_REPLY)) for start, limit in config.rollout.max_tokens_stages)
    replace = dataclasses.replace
    return replace(
        config,
        tiny=None,
        run=replace(config.run, out=str(out), steps=1, device="cpu"),
        model=replace(config.model, path=tiny.model, attention="sdpa", compile=False),
        data=replace(config.data, train=tiny.tasks, prompt="", chat=ChatConfig(), max_prompt_tokens=128),
        rollout=replace(
            config.rollout,
            engine="torch",
            staleness=0,
            replay="",
            max_tokens=LONGEST_REPLY,
            max_tokens_stages=stages,
            rows=64,
            feedback_tokens=min(config.rollout.feedback_tokens, LONGEST_FEEDBACK),
        ),
        batch=replace(config.batch, prompts=PROMPTS, minibatch=PROMPTS // updates, micro_tokens=4096),
        advantage=replace(config.advantage, overlong_buffer=min(config.advantage.overlong_buffer, LONGEST_REPLY // 2)),
        truncation=replace(config.truncation, window=min(config.truncation.window, LONGEST_REPLY // 3)),
        temperature=replace(config.temperature, probes=PROBES),
        grader=replace(config.grader, workers=min(config.grader.workers, 2)),
        evaluate=replace(
            config.evaluate, sets={name: EvalSet(data=tiny.tasks) for name in config.evaluate.sets}, samples=1
        ),
        log=replace(config.log, tensorboard=False, wandb=False, live=False),
    )


def _about_dataset(key: str, path: str, tiny: TinyModel, config: Config) -> str:
    """Read a dataset of the recipe, so that mistakes in it are found now. Returns one line: its size, or that it is
    missing. Where the model's folder is here, its tokenizer and its context decide which prompts fit, as in the run."""
    if path == "tiny":
        return f"{key}: the toy tasks"
    if missing := missing_dataset(path):
        return f"{key}: {missing}\n  toy tasks are used instead; the run itself needs it"
    from transformers import AutoTokenizer

    data, room, model = DataConfig(max_prompt_tokens=1 << 20), 1 << 20, tiny.model
    if (Path(config.model.path) / "tokenizer_config.json").is_file():
        name = key.removeprefix("evaluate.sets.").removesuffix(".data") if key != "data.train" else ""
        data, model = config.data, config.model.path
        with contextlib.suppress(InputError):  # a model whose shape is not known here
            room = room_for_prompt(config, find_shape(config).context, name)
    tasks = load_tasks(path, AutoTokenizer.from_pretrained(model), data, longest=room)
    left_out = f"; left out: {len(tasks.left_out)}, such as {tasks.left_out[0]}" if tasks.left_out else ""
    return f"{key}: {path} has {counted(len(tasks.items), 'usable problem')}{left_out}"
