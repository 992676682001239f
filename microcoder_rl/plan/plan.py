"""The plan of a job: its memory by phase, its time, and why it cannot run. A job is made from a recipe and a device."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from microcoder_rl.model.window import layout_problem
from microcoder_rl.plan.device import GPUS, Device, find_device, parse_bytes, this_cpu, this_gpu
from microcoder_rl.plan.duration import Duration, estimate_duration
from microcoder_rl.plan.job import Assumptions, Job, longest_sequence, room_for_prompt
from microcoder_rl.plan.memory import Item, count_memory, peaks
from microcoder_rl.plan.shape import KINDS, find_shape, find_world
from microcoder_rl.recipe.config import Config

READ_PROBLEMS = 2000
"""Number of problems of a dataset that are read for the lengths of their prompts."""
EVAL_PROBLEMS = 175
TOY_PROMPT = 12
"""Tokens of the toy world's longest prompt."""
PROMPT_SHARE, REPLY_SHARE = 1 / 3, 0.6


@dataclass(frozen=True)
class Plan:
    """The memory and time that a job needs."""

    job: Job
    items: list[Item]
    duration: Duration

    @property
    def peaks(self) -> dict[str, int]:
        """Peak bytes on one GPU, by phase."""
        return peaks(self.items)

    @property
    def peak(self) -> int:
        return max(self.peaks.values())

    @property
    def problems(self) -> list[str]:
        """Why the job cannot work, one line per problem. Empty when it fits."""
        job, found = self.job, []
        if self.peak > job.device.memory:
            phase = max(self.peaks, key=self.peaks.__getitem__)
            found.append(f"the {phase} needs {gib(self.peak)} of {gib(job.device.memory)}")
        if job.longest_reply >= job.shape.context:
            found.append(f"replies of {job.longest_reply} tokens do not fit the model's context of {job.shape.context}")
        longest = longest_sequence(job.config, job.shape.context)
        if problem := layout_problem(job.config.batch.layout, job.shape.window, longest):
            found.append(problem)
        room = engine_room(job)
        if room is not None and room < 1:
            found.append("vllm.memory_share leaves no room for one whole reply next to vLLM's weights")
        return found


def make_plan(job: Job) -> Plan:
    """Count a job's memory and time."""
    return Plan(job, count_memory(job), estimate_duration(job))


def make_job(config: Config, device: Device, gpus: int, assumed: Assumptions) -> Job:
    """The job of a recipe. Its datasets are read if they exist."""
    config, builds_world = _with_world(config)
    longest, mean, counts = (TOY_PROMPT, TOY_PROMPT, {}) if builds_world else _read_datasets(config)
    limits = [limit for _, limit in config.rollout.max_tokens_stages] or [config.rollout.max_tokens]
    return Job(
        config=config,
        shape=find_shape(config),
        device=device,
        gpus=gpus,
        longest_prompt=longest or config.data.max_prompt_tokens,
        mean_prompt=assumed.prompt_tokens or mean or PROMPT_SHARE * config.data.max_prompt_tokens,
        mean_reply=min(assumed.reply_tokens or REPLY_SHARE * max(limits), max(limits)),
        eval_problems={
            name: assumed.eval_problems or counts.get(name) or each.limit or EVAL_PROBLEMS
            for name, each in config.evaluate.sets.items()
        },
        assumed=assumed,
        builds_world=builds_world,
    )


def choose_device(config: Config, gpu: str, gpu_memory: str, gpus: int | None) -> Device:
    """The requested device, else this machine's GPU, else its CPU if the recipe can run here, else an H100."""
    if gpu:
        device = find_device(gpu)
    elif config.run.device == "cpu":
        device = this_cpu(config.run.threads)
    else:
        here = Path(config.model.path).is_dir() or config.model.path == "tiny"
        asked = gpu_memory or gpus or config.run.device == "cuda"
        device = this_gpu() or (this_cpu(config.run.threads) if here and not asked else GPUS["H100"])
    return dataclasses.replace(device, memory=parse_bytes(gpu_memory)) if gpu_memory else device


def engine_room(job: Job) -> float | None:
    """How many replies of full length vLLM's cache holds. None for other engines."""
    vllm, rollout = job.config.vllm, job.config.rollout
    if rollout.engine == "torch" or vllm.url:
        return None
    free: float = vllm.cpu_cache_gb * 2**30
    if not job.device.is_cpu:
        weights = job.width * job.shape.parameters / vllm.tensor_parallel
        free = (vllm.memory_share * job.device.memory - weights) * vllm.tensor_parallel
    return max(0.0, free) / (job.kv_bytes * (job.longest_prompt + job.longest_reply))


def roughness(job: Job) -> str:
    """Why the estimate is rougher than for other models; empty when it is not."""
    if not job.shape.counted:
        return ""
    return (
        f"memory and time are rough: a model of type {job.shape.kind} is taken for a Llama with its sizes and its "
        f"number of parameters; the plan is made for the types {', '.join(KINDS)}"
    )


def gib(count: float) -> str:
    """
    >>> gib(3 * 2**29)
    '1.50 GiB'
    """
    return f"{count / 2**30:.2f} GiB"


def _with_world(config: Config) -> tuple[Config, bool]:
    """The config with the paths of its toy world if that is built, and whether it has yet to be built."""
    if config.tiny is None or config.model.path != "tiny":
        return config, False
    world = find_world(config.tiny)
    if world is None:
        return config, True
    replace = dataclasses.replace
    sets = {
        name: replace(each, data=str(world / "test.jsonl")) if each.data == "tiny" else each
        for name, each in config.evaluate.sets.items()
    }
    train = str(world / "train.jsonl") if config.data.train == "tiny" else config.data.train
    return replace(
        config,
        model=replace(config.model, path=str(world / "model")),
        data=replace(config.data, train=train),
        evaluate=replace(config.evaluate, sets=sets),
    ), False


def _read_datasets(config: Config) -> tuple[int, float, Mapping[str, int]]:
    """The longest and the mean prompt, and the sizes of evaluation sets. Zeros when they cannot be read."""
    paths = {name: each.data for name, each in config.evaluate.sets.items()}
    here = [path for path in (config.data.train, *paths.values()) if Path(path).exists()]
    if not here or not (Path(config.model.path) / "tokenizer_config.json").is_file():
        return 0, 0.0, {}
    from transformers import AutoTokenizer

    from microcoder_rl.data import load_tasks

    tokenizer = AutoTokenizer.from_pretrained(config.model.path)
    longest, mean, counts = 0, 0.0, {}
    for name, path in {"": config.data.train, **paths}.items():
        if path not in here:
            continue
        room = room_for_prompt(config, find_shape(config).context, name)
        if room < 1:  # `Plan.problems` says so
            continue
        tasks = load_tasks(path, tokenizer, config.data, longest=room, limit=READ_PROBLEMS)
        lengths = [len(task.prompt_ids) for task in tasks.items]
        longest = max(longest, config.data.max_prompt_tokens if len(lengths) == READ_PROBLEMS else max(lengths))
        if name:
            counts[name] = min(len(lengths), config.evaluate.sets[name].limit or len(lengths))
        else:
            mean = sum(lengths) / len(lengths)
    return longest, mean, counts
