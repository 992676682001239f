"""Counts the bytes that a step holds on one GPU (on a CPU: in the process), by phase.

Activations are counted as transformers' layers keep them for autograd. All prompts and replies are taken at their
longest, and every reply as trained on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from microcoder_rl.engines.fused_decoder import KINDS, PAGE, STEP
from microcoder_rl.engines.torch_engine import MIN_ROWS
from microcoder_rl.logprobs import COPIES, chunk_for
from microcoder_rl.model.cpu_parts import MOST_WEIGHTS
from microcoder_rl.model.divided import BUCKET
from microcoder_rl.plan.job import Job

PHASES = ("sampling", "update", "optimizer step")
FP32 = 4
PROCESS, CUDA_CONTEXT = (965 if torch.version.cuda else 405) * 2**20, 900 * 2**20
"""Memory of Python with torch (its build for CUDA is larger) and transformers, and of CUDA with its libraries."""
HEAP_SHARE = 0.3
"""CPU: fragmentation of the C library's heap, as a share of activations and logits."""
DRAWING_COPIES = 5
"""Copies of the logits of all rows that exist while a token is drawn for each row."""
WARMUP_TOKENS = 48
"""Length of an example of the toy world's warm-up."""
VLLM_PROCESS = 900 * 2**20
"""What vLLM adds to a process without a GPU, in addition to weights and cache."""


@dataclass(frozen=True)
class Item:
    """One thing that takes memory, with its bytes in each phase."""

    name: str
    bytes: Mapping[str, int]


def count_memory(job: Job) -> list[Item]:
    """Every item on one GPU."""
    micro = _largest_micro_batch(job)
    activations = _activations(job, micro)
    items = list(_items(job, micro, activations))
    free = job.device.memory - sum(held.get("update", 0) for _, held in items)
    items += _head_items(job, micro, activations, free)
    return [Item(name, {phase: int(held.get(phase, 0)) for phase in PHASES}) for name, held in items]


def peaks(items: list[Item]) -> dict[str, int]:
    """The sum of each phase."""
    return {phase: sum(item.bytes[phase] for item in items) for phase in PHASES}


def _items(job: Job, micro: MicroBatch, activations: float) -> Iterator[tuple[str, dict[str, float]]]:
    config, shape, width = job.config, job.shape, job.width
    trained = job.trained / job.gpus  # FSDP: each GPU keeps its share
    frozen = shape.parameters / job.gpus if config.model.lora else 0.0
    yield "process" if job.device.is_cpu else "CUDA context", _always(PROCESS if job.device.is_cpu else CUDA_CONTEXT)
    if frozen:
        yield "frozen weights", _always(width * frozen)
    if job.gpus > 1:
        yield "weights, fp32", _always(FP32 * trained)
    else:
        yield "weights", _always(width * trained)
        if width < FP32:
            yield "fp32 masters", _always(FP32 * trained)
    yield "optimizer moments", _always(2 * FP32 * trained)
    if config.loss.kl_weight > 0 and not frozen:  # with LoRA the reference is the same model without its adapter
        yield "reference model", _always((FP32 if job.gpus > 1 else width) * trained)
    yield from _engine_items(job)
    yield "gradients", {"update": _gradients_at_peak(job, micro, activations), "optimizer step": FP32 * trained}
    if job.gpus > 1:
        gathered = 2 * shape.layer + shape.embedding * (1 if shape.tied else 2)
        yield "gathered layers", {"update": width * gathered}
    yield "activations", {"update": activations}
    largest = 0 if frozen else max(shape.embedding, shape.hidden * shape.intermediate)
    yield "working space", {"optimizer step": FP32 * (2 * largest / job.gpus if job.device.is_cpu else trained)}


def _head_items(job: Job, micro: MicroBatch, activations: float, free: float) -> Iterator[tuple[str, dict[str, float]]]:
    """What log-probs take, where the update leaves `free` bytes."""
    shape = job.shape
    chunk = _parts(job) * chunk_for("cpu" if job.device.is_cpu else "cuda", free) // shape.vocabulary
    rows = min(micro.response_tokens, chunk)
    logits = COPIES * FP32 * rows * shape.vocabulary
    yield "logits chunk", {"update": logits}
    if job.device.is_cpu:
        yield "heap fragmentation", {"update": HEAP_SHARE * (activations + logits)}
    chunked = micro.response_tokens > rows
    yield "head gradient", {"update": shape.embedding * ((FP32 if chunked else 0) + job.width)}


def _always(count: float) -> dict[str, float]:
    return dict.fromkeys(PHASES, count)


def _engine_items(job: Job) -> Iterator[tuple[str, dict[str, float]]]:
    config, shape = job.config, job.shape
    rollout, vllm = config.rollout, config.vllm
    if job.gpus > 1:  # on the first GPU; a server gets them by NCCL when they are all there
        whole = rollout.engine == "vllm-server" and not job.through_disk
        yield "gathered weights", {"sampling": job.width * shape.parameters if whole else 2 * BUCKET}
    if job.engine_apart:
        return
    if rollout.engine == "torch":
        if job.gpus > 1 or config.model.lora or rollout.staleness > 0:
            yield "sampler's copy of the weights", _always(job.width * shape.parameters)
        if shape.kind in KINDS:  # on a CPU every matrix, in the layout of its products; else the attention's inputs
            fused = shape.hidden * (shape.query_width + 2 * shape.kv_width) * shape.layers
            yield "sampler's fused weights", _always(job.width * (shape.multiplied if job.device.is_cpu else fused))
        kept = job.device.is_cpu or rollout.staleness > 0  # a heap keeps what was freed; updates run beside sampling
        yield "key-value cache", _always(_cache(job)) if kept else {"sampling": _cache(job)}
        yield "logits of a token", {"sampling": DRAWING_COPIES * FP32 * _rows(job) * shape.vocabulary}
    elif job.device.is_cpu:
        copies = vllm.cpu_cache_gb * 2**30 + job.width * shape.parameters
        if rollout.engine == "vllm":
            yield "vLLM: program, weights and cache", _always(VLLM_PROCESS + copies)
    else:
        share = vllm.memory_share * job.device.memory
        rests = rollout.engine == "vllm" and vllm.sleep
        name = "vLLM: weights and cache (vllm.memory_share)"
        yield name, {"sampling": share} if rests else _always(share)


def _rows(job: Job) -> int:
    return max(MIN_ROWS, min(job.config.rollout.rows, -(-job.replies // job.gpus)))


def _cache(job: Job) -> int:
    """Bytes of the torch engine's cache: a prompt's keys and values once a group, a reply's in blocks."""
    rollout, rows = job.config.rollout, _rows(job)
    continued = rollout.turns > 1 or rollout.staleness > 0  # a reply that goes on is a prompt of its own
    prompts = rows if continued else -(-rows // rollout.group)
    page = STEP if job.device.is_cpu else PAGE
    slots = -(-job.longest_reply // page) * page
    return (rows * slots + prompts * (job.longest_prompt + STEP)) * job.kv_bytes


@dataclass(frozen=True)
class MicroBatch:
    """The largest forward pass of an update."""

    replies: int
    prompt_tokens: int
    """Tokens of prompts that are computed apart from replies (layout "shared" only)."""
    tokens: int
    response_tokens: int
    seen: int
    """The most positions that a reply's row attends to."""


def _largest_micro_batch(job: Job) -> MicroBatch:
    trained = _largest_trained(job)
    if not job.builds_world or job.config.tiny is None:
        return trained
    rows = job.config.tiny.warmup_batch
    tokens = rows * WARMUP_TOKENS
    warmup = MicroBatch(job.minibatch_replies, 0, tokens, tokens, WARMUP_TOKENS)
    return max(warmup, trained, key=lambda micro: micro.tokens + micro.prompt_tokens)


def _largest_trained(job: Job) -> MicroBatch:
    batch, prompt, reply = job.config.batch, job.longest_prompt, job.trained_reply
    whole = prompt + reply
    if batch.layout != "shared":
        replies = max(1, min(job.minibatch_replies, batch.micro_tokens // whole))
        tokens = max(whole, min(batch.micro_tokens, job.minibatch_replies * whole))  # shorter ones fill the budget
        seen = tokens if batch.layout == "packed" else whole
        return MicroBatch(replies, 0, tokens, tokens * reply // whole, seen)
    group, replies = job.config.rollout.group, 1
    while (
        replies < job.minibatch_replies
        and -(-(replies + 1) // group) * prompt + (replies + 1) * reply <= batch.micro_tokens
    ):
        replies += 1
    return MicroBatch(replies, -(-replies // group) * prompt, replies * reply, replies * reply, whole)


def _parts(job: Job) -> int:
    """Into how many parts the replies of an update are divided, each with gradients and logits of its own."""
    model = job.config.model
    whole = model.compile or (model.lora and model.lora.dropout) or job.shape.parameters > MOST_WEIGHTS
    return 1 if whole or job.gpus > 1 else max(1, job.device.threads)


def _gradients_at_peak(job: Job, micro: MicroBatch, activations: float) -> float:
    """Bytes of gradients at the peak. They grow while activations are freed; a second micro-batch needs them all."""
    whole = FP32 * job.trained / job.gpus
    later = min(1.0, (job.minibatch_replies - micro.replies) / micro.replies)
    if (parts := min(_parts(job), micro.replies)) > 1:
        return later * whole + parts * job.width * job.trained  # what one thread frees is hardly used by the others
    return max(0.0, whole - (1 - later) * activations)


def _activations(job: Job, micro: MicroBatch) -> float:
    """Bytes kept for the backward pass, and the working memory of that pass."""
    shape, width = job.shape, job.width
    tokens = micro.prompt_tokens + micro.tokens
    layer: float = tokens * _kept_per_token(job)
    masked = job.config.batch.layout == "shared" or (
        job.config.batch.layout == "packed" and job.config.model.attention == "sdpa"
    )
    if masked:  # keys and values are repeated for every query head, and each layer has a mask of its own
        rows = micro.tokens / micro.seen if job.config.batch.layout == "packed" else micro.replies
        layer += width * rows * micro.seen * 2 * shape.query_width
        layer += width * micro.tokens * micro.seen
        layer -= width * micro.tokens * 2 * shape.kv_width
    ends = tokens * shape.hidden * (2 * FP32 + width) + micro.response_tokens * shape.hidden * width
    backward = tokens * width * (3 * shape.intermediate + 2 * shape.hidden)
    if job.config.model.gradient_checkpointing:
        return shape.layers * tokens * shape.hidden * width + layer + ends + backward
    return shape.layers * layer + ends + backward


def _kept_per_token(job: Job) -> int:
    """Bytes that one layer keeps of a token for the backward pass."""
    shape, width, lora = job.shape, job.width, job.config.model.lora
    norm = FP32 + 2 * width if width < FP32 else 3 * FP32  # its input in fp32, normalised, scaled
    norm -= width if lora else 0  # the normalised one is kept for the gradient of the norm's weight, frozen with LoRA
    kept = 2 * norm * shape.hidden + 4 * width * shape.intermediate
    projected = 2 * width * (shape.query_width + shape.kv_width)  # rotated queries and keys; values, attention
    if shape.kind == "qwen3":  # norms of queries and keys
        projected += (norm - width) * (shape.query_width + shape.kv_width)
    return kept + projected + (width * lora.rank * len(lora.target or range(7)) if lora else 0)
