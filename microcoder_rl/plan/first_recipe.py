"""A training recipe for somebody's model, dataset and machine: what `microcoder train init` writes.

    first = first_recipe("models/smol", "datasets/mine", Wanted())
    first.text, first.planned.problems

Lengths come from the model's context and the dataset's prompts, batch and memory settings from the plan. Comments in
the recipe explain the main choices. Nothing is trained here, and no weights are read.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
from dataclasses import dataclass
from statistics import median
from typing import Any

from microcoder_eval import InputError
from microcoder_eval.plural import counted
from microcoder_rl.data import load_tasks
from microcoder_rl.model.window import layout_problem
from microcoder_rl.plan import choose_device, make_job, make_plan
from microcoder_rl.plan.advice import Advice, advise
from microcoder_rl.plan.job import Assumptions
from microcoder_rl.plan.plan import Plan, roughness
from microcoder_rl.plan.shape import Shape, find_shape
from microcoder_rl.plan.tables import millions
from microcoder_rl.recipe.config import Config, DataConfig, ModelConfig
from microcoder_rl.recipe.datasets import missing_dataset
from microcoder_rl.recipe.model_source import refuse_missing_model
from microcoder_rl.recipe.reading import build_config

LONGEST_PROMPT = 2048
LONGEST_REPLY = {True: 512, False: 4096}
"""The longest reply on a CPU (True), and elsewhere."""
STEPS = {True: 30, False: 200}
"""The number of steps on a CPU (True), and elsewhere."""
EVALUATED = 40
"""Problems in the evaluation set when no held-out dataset is given."""
LEAST_REPLY, LONGEST_RUN_S = 128, 3 * 3600
READ_PROBLEMS = 2000


@dataclass(frozen=True)
class Wanted:
    """What the user asked for. Empty fields are chosen here."""

    evaluate: str = ""
    """A dataset to evaluate on."""
    gpu: str = ""
    gpus: int | None = None
    steps: int | None = None
    name: str = "first"


@dataclass(frozen=True)
class FirstRecipe:
    """The recipe, and the figures that it was chosen from."""

    text: str
    config: Config
    planned: Plan
    advice: Advice | None
    """Changes that would make the recipe fit, if it does not."""
    shape: Shape
    problems: int
    left_out: tuple[str, ...]
    prompts: tuple[int, int]
    """Tokens of the median and of the longest prompt that is used."""
    notes: tuple[str, ...]


def first_recipe(model: str, dataset: str, wanted: Wanted) -> FirstRecipe:
    """Choose a recipe for a model folder and a dataset, for the device in `wanted` or else for this machine."""
    from transformers import AutoTokenizer

    refuse_missing_model(model, key="MODEL")
    shape = find_shape(Config(model=ModelConfig(path=model)))
    for path in filter(None, (dataset, wanted.evaluate)):
        if missing := missing_dataset(path):
            raise InputError(missing)
    try:
        tokenizer = AutoTokenizer.from_pretrained(model)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{model}: its tokenizer cannot be read: {' '.join(str(error).split())[:200]}") from None
    room = max(32, shape.context * 2 // 3)
    reading = DataConfig(max_prompt_tokens=min(LONGEST_PROMPT, room))
    tasks = load_tasks(dataset, tokenizer, reading, longest=room, limit=READ_PROBLEMS)
    lengths = sorted(len(task.prompt_ids) for task in tasks.items)
    longest = min(reading.max_prompt_tokens, _rounded(lengths[-1]))
    device = choose_device(Config(model=ModelConfig(path=model)), wanted.gpu, "", wanted.gpus)
    settings = _settings(model, dataset, wanted, device.is_cpu, shape, longest, len(lengths))
    config, planned, advice = _fitting(settings, device, wanted)
    config, planned = _quick_enough(settings, config, planned, wanted)
    notes = tuple(_notes(tokenizer, wanted, planned, len(lengths)))
    found = FirstRecipe(
        "", config, planned, advice, shape, len(lengths), tasks.left_out, (int(median(lengths)), lengths[-1]), notes
    )
    return dataclasses.replace(found, text=_text(found, settings))


def _settings(
    model: str, dataset: str, wanted: Wanted, cpu: bool, shape: Shape, prompt: int, problems: int
) -> dict[str, Any]:
    """The recipe's sections before the plan changes them. `prompt`: tokens of the longest prompt."""
    room = shape.context - prompt
    reply = min(LONGEST_REPLY[cpu], 1 << max(5, room.bit_length() - 1))
    engine = "torch" if cpu or importlib.util.find_spec("vllm") is None else "vllm"
    prompts = min(8 if cpu else 64, max(1, problems))
    while problems % prompts and prompts > 1 and problems < 2 * prompts:
        prompts -= 1
    layout = "shared" if cpu and not layout_problem("shared", shape.window, prompt + reply) else "padded"
    steps = wanted.steps or STEPS[cpu]
    every = max(1, steps // 5)
    return {
        "algorithm": "microcoder_grpo",
        "run": {"name": wanted.name, "steps": steps},
        "model": {"path": model, **({} if cpu else {"dtype": "bfloat16", "gradient_checkpointing": True})},
        "data": {"train": dataset, "max_prompt_tokens": prompt},
        "rollout": {"engine": engine, "group": 8, "max_tokens": reply, "rows": 64 if cpu else 128},
        "batch": {
            "prompts": prompts,
            "minibatch": max(1, prompts // 2) if prompts % 2 == 0 else prompts,
            "micro_tokens": 2048 if cpu else 16384,
            "layout": layout,
        },
        "temperature": {"value": 0.8 if cpu else 1.0},
        "optimizer": {"lr": 1e-5 if shape.parameters < 1e9 else 1e-6},
        "grader": {"workers": 2 if cpu else 8},
        "evaluate": {
            "every": every,
            "samples": 4,
            "temperature": 0.6,
            "sets": {"held_out" if wanted.evaluate else "train": _evaluated(dataset, wanted)},
        },
        "checkpoint": {"every": every},
    }


def _evaluated(dataset: str, wanted: Wanted) -> dict[str, Any]:
    return {"data": wanted.evaluate} if wanted.evaluate else {"data": dataset, "limit": EVALUATED}


def _fitting(settings: dict[str, Any], device: Any, wanted: Wanted) -> tuple[Config, Plan, Advice | None]:
    """Change the settings as the plan advises, until they fit or nothing more is advised."""
    advice = None
    for _ in range(4):
        config = build_config(settings, "the recipe")
        planned = make_plan(make_job(config, device, wanted.gpus or 1, Assumptions()))
        advice = advise(planned)
        if advice is None or advice.plan.problems:
            break
        for change in advice.changes:
            if change.gpus:
                return config, planned, advice
            for section, key, value in change.settings:
                settings.setdefault(section, {})[key] = value
    return config, planned, advice


def _quick_enough(settings: dict[str, Any], config: Config, planned: Plan, wanted: Wanted) -> tuple[Config, Plan]:
    """On a CPU, halve the reply limit until the run takes at most LONGEST_RUN_S, so that a first run ends soon."""
    device = planned.job.device
    while device.is_cpu and planned.duration.run > LONGEST_RUN_S and config.rollout.max_tokens > LEAST_REPLY:
        settings["rollout"]["max_tokens"] = config.rollout.max_tokens // 2
        config = build_config(settings, "the recipe")
        planned = make_plan(make_job(config, device, wanted.gpus or 1, Assumptions()))
    return config, planned


def _rounded(tokens: int) -> int:
    """A little more than the longest prompt, so that the next problem fits too."""
    return -(-tokens // 64) * 64


def _notes(tokenizer: Any, wanted: Wanted, planned: Plan, problems: int) -> list[str]:
    config = planned.job.config
    notes = [*filter(None, [roughness(planned.job)])]
    if not wanted.evaluate:
        notes.append("the scores are of problems that are trained on: --eval DATASET names a held-out set")
    if not getattr(tokenizer, "chat_template", None):
        notes.append("the tokenizer has no chat template: the prompt is given to the model as plain text")
    rounds = config.run.steps * config.batch.prompts // problems
    if problems < 4 * config.batch.prompts and rounds > 1:
        notes.append(f"few problems ({problems}): in {config.run.steps} steps each comes up {rounds:,} times")
    return notes


_WHY = {
    ("data", "max_prompt_tokens"): "the longest prompt is {longest} tokens",
    ("rollout", "max_tokens"): "the model's context is {context}; a share of the replies cut here is masked",
    ("rollout", "engine"): "vllm samples faster on a GPU (the extra `vllm`)",
    ("batch", "prompts"): "problems a step; each gets rollout.group replies",
    ("batch", "micro_tokens"): "memory and speed only, not the result",
    ("temperature", "value"): "`microcoder train temperature RECIPE` measures which one to take",
    ("optimizer", "lr"): "lower it when the score jumps about",
}


def _text(found: FirstRecipe, settings: dict[str, Any]) -> str:
    """The recipe as commented YAML."""
    lines = [
        "# Made by `microcoder train init`. `microcoder train keys` explains every key.",
        f"# {millions(found.shape.parameters)} parameters, context {found.shape.context}; "
        f"{counted(found.problems, 'problem')}, prompts of {found.prompts[0]} (median) to {found.prompts[1]} tokens.",
        *(f"# {note}" for note in found.notes),
        f"algorithm: {settings['algorithm']}",
    ]
    for section, values in settings.items():
        if section == "algorithm":
            continue
        lines.append(f"{section}:")
        for name, value in values.items():
            why = _WHY.get((section, name), "").format(longest=found.prompts[1], context=found.shape.context)
            lines.append(f"  {name}: {json.dumps(value, ensure_ascii=False)}" + (f"  # {why}" if why else ""))
    return "\n".join(lines) + "\n"
