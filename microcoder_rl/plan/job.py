"""The input of a plan: a recipe, the shape of its model, the devices, and the lengths of prompts and replies."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microcoder_data.config import from_mapping
from microcoder_eval import InputError
from microcoder_rl.plan.device import Device
from microcoder_rl.plan.shape import Shape
from microcoder_rl.recipe.config import Config


@dataclass(frozen=True)
class Assumptions:
    """Values that only a run could measure. Each can be set with --assume KEY=VALUE."""

    prompt_tokens: float = 0.0
    """Mean length of prompts. 0: that of the dataset if it can be read, else a third of data.max_prompt_tokens."""
    reply_tokens: float = 0.0
    """Mean length of replies. 0: 60 % of the limit."""
    eval_problems: int = 0
    """Problems of an evaluation set. 0: as many as it has if it can be read, else 175."""
    grade_s: float = 0.0
    """CPU seconds to grade a reply. 0: 0.02 for the toy's tasks, which are tiny, else 0.5."""
    tflops: float = 0.0
    """Peak operations of the device, in 10^12 per second. 0: as its maker declares."""
    bandwidth: float = 0.0
    """Memory bandwidth of the device, in GB per second. 0: as its maker declares."""
    update_share: float = 0.35
    """Share of the peak operations that an update reaches."""
    sampling_share: float = 0.5
    """Share of the memory bandwidth that decoding reaches."""
    disk: float = 1.5
    """Disk speed, in GB per second."""
    price: float = 0.0
    """Price of a GPU hour, in any currency. 0: the cost is given in GPU hours only."""


def read_assumptions(given: Sequence[str]) -> Assumptions:
    """The assumptions, with those given as `KEY=VALUE` replaced."""
    written: dict[str, Any] = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or not re.fullmatch(r"\d+(\.\d*)?([eE][-+]?\d+)?", value.strip()):
            raise InputError(f"--assume {each!r}: write KEY=NUMBER")
        written[key.strip()] = float(value)
    return from_mapping(Assumptions, written, "--assume")


def room_for_prompt(config: Config, context: int, name: str = "") -> int:
    """How many tokens of a context are left for a prompt of training, or of the evaluation set `name`."""
    reply = config.evaluate.sets[name].max_tokens if name else 0
    return context - config.rollout.longest(reply or config.rollout.longest_reply)


def longest_reply(config: Config) -> int:
    """The longest reply of training and evaluation, over all stages, with all its turns and their feedback."""
    replies = [config.rollout.longest_reply, *(each.max_tokens for each in config.evaluate.sets.values())]
    return config.rollout.longest(max(replies))


def longest_sequence(config: Config, context: int) -> int:
    """The longest prompt with its reply."""
    return min(context, config.data.max_prompt_tokens + longest_reply(config))


@dataclass(frozen=True)
class Job:
    """Everything that memory and time are computed from."""

    config: Config
    shape: Shape
    device: Device
    gpus: int
    longest_prompt: int
    mean_prompt: float
    mean_reply: float
    eval_problems: dict[str, int]
    """Number of problems of each evaluation set."""
    assumed: Assumptions
    builds_world: bool = False
    """Whether the run first has to build the toy world, in the same process."""

    @property
    def width(self) -> int:
        """Bytes of a weight and of an activation."""
        return 2 if self.config.model.dtype == "bfloat16" else 4

    @property
    def grade_s(self) -> float:
        """CPU seconds to grade a reply."""
        return self.assumed.grade_s or (0.5 if self.config.tiny is None else 0.02)

    @property
    def trained(self) -> int:
        """Parameters that are trained."""
        lora, shape = self.config.model.lora, self.shape
        if lora is None:
            return shape.parameters
        ends = {
            "q_proj": shape.hidden + shape.query_width,
            "k_proj": shape.hidden + shape.kv_width,
            "v_proj": shape.hidden + shape.kv_width,
            "o_proj": shape.hidden + shape.query_width,
            **dict.fromkeys(("gate_proj", "up_proj", "down_proj"), shape.hidden + shape.intermediate),
        }
        return shape.layers * lora.rank * sum(ends[name] for name in lora.target or ends if name in ends)

    @property
    def longest_reply(self) -> int:
        """The longest reply of training and evaluation, over all stages."""
        return longest_reply(self.config)

    @property
    def trained_reply(self) -> int:
        """The longest reply of a training step."""
        rollout = self.config.rollout
        return rollout.longest(rollout.longest_reply)

    @property
    def replies(self) -> int:
        """Replies of a step, on all GPUs."""
        return self.config.batch.prompts * self.config.rollout.group

    @property
    def minibatch_replies(self) -> int:
        """Replies of an update, on one GPU."""
        return -(-self.config.batch.minibatch // self.gpus) * self.config.rollout.group

    @property
    def engine_apart(self) -> bool:
        """Whether replies are sampled on devices that the trainer does not use."""
        vllm = self.config.vllm
        return self.config.rollout.engine == "vllm-server" and bool(vllm.url or vllm.devices)

    @property
    def through_disk(self) -> bool:
        """Whether vLLM loads new weights from disk, as `VllmEngine.sync` and `open_engine` decide."""
        if self.config.rollout.engine != "vllm-server":
            return self.config.rollout.engine == "vllm" and self.config.vllm.tensor_parallel > 1
        method = self.config.vllm.weights
        return self.device.is_cpu or method == "disk" or (method == "auto" and not self.engine_apart)

    @property
    def kv_bytes(self) -> int:
        """Bytes of one token in the engine's cache."""
        return 2 * self.shape.layers * self.shape.kv_width * self.width
