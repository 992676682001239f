"""The toy world's model, taught by conversations too: a wrong program, feedback on it, and the right one.

    path = taught_model(load_recipe(RECIPE, KEYS), Path("runs/turns/model"))

The warm-up of the toy world has single replies only, and its model never ends an answer to feedback. So this goes on
with as many supervised steps, half of them on conversations. The wrong program is the right one of another task.
The feedback is what a run would give; nothing is learned of it or of the wrong program.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from microcoder_eval import Grader, Problem
from microcoder_rl.chat.bridge import bridge_ids
from microcoder_rl.policy import Policy
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Rollout
from microcoder_rl.toy_world.cached_folder import cached_folder
from microcoder_rl.toy_world.tasks import STYLES, make_tasks
from microcoder_rl.toy_world.world import build_world, example, task_examples, warm_up
from microcoder_rl.turns.feedback import example_problem, feedback_of, public_tests


def taught_model(config: Config, folder: Path) -> Path:
    """The folder of the model; made unless it is there."""
    tiny = config.tiny
    assert tiny is not None
    world = build_world(tiny)

    def make(building: Path) -> None:
        tokenizer = AutoTokenizer.from_pretrained(world.model)
        policy = Policy(AutoModelForCausalLM.from_pretrained(world.model, dtype=torch.float32), tokenizer)
        tasks = make_tasks(tiny.train_tasks + tiny.test_tasks + tiny.warmup_tasks, tiny.seed)[-tiny.warmup_tasks :]
        single = task_examples(tokenizer, tasks)
        both = single + conversations(tasks, tokenizer, config)
        warm_up(policy, both, tiny, print)
        policy.model.save_pretrained(building)
        tokenizer.save_pretrained(building)

    return cached_folder(folder, make)


def conversations(tasks: list[dict[str, Any]], tokenizer: Any, config: Config) -> list[Rollout]:
    """A conversation for each task and style, but where the other task's program passes the public test."""
    rng = random.Random(config.tiny.seed if config.tiny else 0)
    platforms = {name: [task for task in tasks if task["platform"] == name] for name in ("Numbers", "Lists")}
    with Grader(workers=2, isolation="submission") as grader:
        tried = []
        for task in tasks:
            problem = Problem.from_dict({name: task[name] for name in ("id", "kind", "tests")})
            shown = example_problem(problem, public_tests(problem, task))
            for style in STYLES:
                wrong = rng.choice(platforms[task["platform"]])["replies"][style]
                tried.append((task, style, wrong, shown, grader.submit(shown, wrong, all_tests=False)))
        found = []
        for task, style, wrong, shown, grade in tried:
            feedback = feedback_of(grade.result(), shown)
            if feedback is not None:
                end = tokenizer.eos_token_id
                most = config.rollout.feedback_tokens
                bridge = bridge_ids(tokenizer, feedback, config.data.chat, last=end, most=most)
                asked = [*tokenizer(task["prompt"])["input_ids"], *tokenizer(wrong)["input_ids"], end, *bridge]
                found.append(example(tokenizer, asked, task["replies"][style]))
    return found
