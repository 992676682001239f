"""Estimates the seconds of a step's phases from declared device figures and stated assumptions. Not measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

from microcoder_rl.plan.device import GB
from microcoder_rl.plan.job import Job
from microcoder_rl.plan.memory import FP32

TENSOR_S, TENSORS_A_LAYER = 0.001, 11
"""vLLM takes weights one by one, in Python: seconds for each, a guess, and how many a layer has."""
LINK = 25.0
"""Speed of new weights between GPUs, in GB per second."""


@dataclass(frozen=True)
class Duration:
    """Seconds of a mean step by phase, from which the duration of the run is computed."""

    sampling: float
    grading_waited: float
    update: float
    weights: float
    evaluation: float
    """Seconds of all evaluations, divided by the number of steps."""
    checkpoint: float
    """Seconds of all checkpoints, divided by the number of steps."""
    steps: int
    gpus: int
    """GPUs to pay for, those of the server included."""

    @property
    def step(self) -> float:
        parts = self.sampling, self.grading_waited, self.update, self.weights, self.evaluation, self.checkpoint
        return sum(parts)

    @property
    def run(self) -> float:
        return self.step * self.steps

    @property
    def gpu_hours(self) -> float:
        return self.run * self.gpus / 3600


def estimate_duration(job: Job) -> Duration:
    """The time of each phase."""
    config, steps = job.config, job.config.run.steps
    sampling = _sampling(job, job.replies, config.rollout.group, job.mean_reply, job.trained_reply)
    grading = job.replies * job.grade_s / max(1, config.grader.workers)
    update = _update(job)
    if config.rollout.staleness:  # sampling runs during the update
        sampling, grading = max(0.0, max(sampling, grading) - update), 0.0
    rounds = (steps // config.evaluate.every if config.evaluate.every else 1) + config.evaluate.at_start
    evaluation = rounds * sum(_evaluation(job, name) for name in config.evaluate.sets) / steps
    saved = (FP32 * 3 * job.trained + job.width * job.shape.parameters) / (job.assumed.disk * GB)
    saves = max(1, steps // config.checkpoint.every if config.checkpoint.every else 1)
    devices = [device for device in config.vllm.devices.split(",") if device]
    return Duration(
        sampling=sampling,
        grading_waited=max(0.0, grading - sampling),
        update=update,
        weights=_new_weights(job),
        evaluation=evaluation,
        checkpoint=saves * saved / steps,
        steps=steps,
        gpus=job.gpus + (len(devices) if job.engine_apart else 0),
    )


def peak_operations(job: Job) -> float:
    """Peak operations of the device per second, at the recipe's precision."""
    declared = job.device.tflops if job.width < FP32 else job.device.tflops_fp32
    return (job.assumed.tflops or declared) * 1e12


def _sampling(job: Job, replies: int, group: int, mean: float, limit: int) -> float:
    """Seconds to sample `replies`. Operations limit prefill. Memory bandwidth limits decoding, because each decoding
    step reads all weights and the cache of its rows."""
    config, assumed = job.config, job.assumed
    engines = job.gpus if config.rollout.engine != "vllm-server" else 1
    own = math.ceil(replies / engines)
    rows = min(config.rollout.rows, own)
    continuous = config.rollout.engine != "torch"  # a finished row is replaced by the next reply at once
    tokens = own * mean
    decode_steps = max(limit, tokens / rows) if continuous else math.ceil(own / rows) * limit
    active = tokens / decode_steps
    spread = config.vllm.tensor_parallel if continuous else 1
    bandwidth = (assumed.bandwidth or job.device.bandwidth) * GB * assumed.sampling_share * spread
    operations = peak_operations(job) * assumed.update_share * spread
    read = job.width * job.shape.multiplied + active * (job.mean_prompt + mean / 2) * job.kv_bytes
    a_step = max(read / bandwidth, 2 * job.shape.multiplied * active / operations)
    prefill = 2 * job.shape.multiplied * (own / group) * job.mean_prompt / operations
    return decode_steps * a_step + prefill


def _update(job: Job) -> float:
    config, shape, batch = job.config, job.shape, job.config.batch
    prompts = batch.prompts if batch.layout == "shared" else job.replies
    response = job.replies * job.mean_reply
    tokens = prompts * job.mean_prompt + response
    attention = 2 * shape.layers * shape.query_width * (job.mean_prompt + job.mean_reply)
    layers = 2 * shape.layers * shape.layer + attention
    forward = tokens * layers + 2 * response * shape.embedding
    passes = 2.0 if config.model.lora else 3.0  # forward, and backward to the activations and to the weights
    if config.loss.kl_weight > 0:
        passes += 1
    if config.loss.old_logprobs == "recomputed":
        passes += 1 - batch.minibatch / batch.prompts
    again = tokens * layers * config.model.gradient_checkpointing + 2 * response * shape.embedding
    operations = passes * forward + again
    updates = batch.prompts // batch.minibatch
    moved = updates * 7 * FP32 * job.trained  # AdamW reads and writes masters, gradients and moments
    bandwidth = (job.assumed.bandwidth or job.device.bandwidth) * GB
    return (operations / (peak_operations(job) * job.assumed.update_share) + moved / bandwidth) / job.gpus


def _new_weights(job: Job) -> float:
    size, config = job.width * job.shape.parameters, job.config
    gathering = size / (LINK * GB) if job.gpus > 1 else 0.0
    if job.through_disk:
        return gathering + 2 * size / (job.assumed.disk * GB)
    if config.rollout.engine != "vllm-server":
        loading = TENSOR_S * TENSORS_A_LAYER * job.shape.layers if config.rollout.engine == "vllm" else 0.0
        return gathering + 3 * size / ((job.assumed.bandwidth or job.device.bandwidth) * GB) + loading
    return gathering + size / (LINK * GB)


def _evaluation(job: Job, name: str) -> float:
    settings = job.config.evaluate
    replies = job.eval_problems[name] * settings.samples
    limit = settings.sets[name].max_tokens or job.trained_reply
    seconds = _sampling(job, replies, settings.samples, min(job.mean_reply, limit), limit)
    return max(seconds, replies * job.grade_s / max(1, job.config.grader.workers))
