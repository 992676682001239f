"""The keys of a training recipe: frozen dataclasses, one per section, with every key documented below it.

`reading.py` reads and merges recipe files. The sections of what is maximised are in `objective.py`. The defaults are
those of the paper's default experiment, with MicroCoder-GRPO.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from microcoder_data.number_range import Range
from microcoder_eval import InputError
from microcoder_rl.recipe.curriculum import CurriculumConfig
from microcoder_rl.recipe.numbers import (
    BelowOne,
    Count,
    NotNegative,
    Positive,
    Seconds,
    Seed,
    Share,
    Threads,
    Whole,
    Workers,
    ZeroOrPositive,
)
from microcoder_rl.recipe.objective import AdvantageConfig, LossConfig, RewardConfig, TruncationConfig
from microcoder_rl.recipe.vllm import VllmConfig
from microcoder_rl.temperature import drifts

Stages = tuple[tuple[Whole, Positive], ...]


@dataclass(frozen=True)
class RunConfig:
    name: str = ""
    """Name of the run. When empty, the recipe's file name is used."""
    out: str = ""
    """Folder of the run. When empty, runs/<name> is used."""
    seed: Seed = 0
    """Seed of everything that is drawn: the order of prompts, replies and the truncation mask."""
    steps: Count = 300
    """Number of training steps."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """"cpu", "cuda", or "auto": cuda if there is a GPU."""
    threads: Threads = 0
    """CPU threads of the trainer; 0 leaves the choice to torch. Two CPU runs are identical only with equal threads."""
    deadline_s: Seconds = 3600.0
    """With several ranks: a rank that has waited this long for the others ends the run. Set it longer than sampling
    takes in any step."""


@dataclass(frozen=True)
class LoraConfig:
    """Trains a low-rank addition to the linear layers instead of all weights. Needs peft."""

    rank: Count = 32
    """Rank of the addition."""
    alpha: Count = 64
    """The addition is scaled by alpha / rank."""
    dropout: BelowOne = 0.0
    """Above 0, the trainer's log-probs differ from the sampler's, and the results depend on the number of ranks."""
    target: tuple[str, ...] = ()
    """Names of the linear layers to adapt, such as [q_proj, v_proj]. When empty, all linear layers but the head."""


@dataclass(frozen=True)
class ModelConfig:
    path: str = ""
    """A Hugging Face model folder or hub name, or "tiny" when the recipe has a `tiny` section."""
    dtype: Literal["float32", "bfloat16"] = "float32"
    """"float32", or "bfloat16": weights and activations in bf16, with fp32 masters in the optimiser."""
    attention: str = "sdpa"
    """Attention kernel of the update: "sdpa", or "flash_attention_2" if it is installed (with batch.layout packed)."""
    gradient_checkpointing: bool = False
    """Recompute activations in the backward pass. It saves memory and costs time."""
    lora: LoraConfig | None = None
    """When given, only a LoRA adapter is trained."""
    compile: bool = False
    """Compile the update with torch.compile; decoding is never compiled. All layers share one compiled layer, which
    takes seconds once, or a minute on a CPU; layout shared compiles the whole model, which takes minutes. Passes over
    one row and over several rows are compiled separately. New lengths need no further compilation."""


@dataclass(frozen=True)
class ChatConfig:
    """How a prompt becomes a chat, in training and in evaluation, when the tokenizer has a chat template."""

    system: str = ""
    """A system message before the prompt. When empty, there is none. Refused where the template does not show it."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Variables of the chat template, such as {enable_thinking: false}. One that the template does not use is
    refused."""


@dataclass(frozen=True)
class DataConfig:
    train: str = ""
    """A dataset folder (Parquet shards), a Parquet file, or problems as JSONL; or "tiny" with a `tiny` section."""
    prompt: str = ""
    """Prompt template with {statement} and {starter_code}. When empty, the built-in template is used. A problem with a
    prompt of its own keeps it."""
    chat: ChatConfig = field(default_factory=ChatConfig)
    max_prompt_tokens: Count = 2048
    """Problems with longer prompts are left out and reported."""
    shuffle: bool = True
    """Shuffle the problems anew in each epoch."""

    def __post_init__(self) -> None:
        if self.prompt and "{statement}" not in self.prompt:
            raise InputError("data.prompt: the template has no {statement}")


@dataclass(frozen=True)
class RolloutConfig:
    engine: Literal["torch", "vllm", "vllm-server"] = "torch"
    """"torch": the trainer's own model. "vllm": vLLM in this process. "vllm-server": vLLM in another process or on
    another machine."""
    group: Annotated[int, Range(2, 10**9)] = 8
    """Replies per prompt."""
    max_tokens: Count = 8192
    """Length limit of a reply (L_max)."""
    max_tokens_stages: tuple[tuple[Whole, Count], ...] = ()
    """Length limits that change at given steps, such as [[0, 4096], [150, 8192]]. When empty, `max_tokens` holds
    throughout."""
    rows: Count = 128
    """Replies that are decoded at the same time. The cache is allocated for this many."""
    turns: Count = 1
    """Replies per conversation. After a failed reply the model gets feedback (the compiler's message, or the first
    failing public test) and answers again. `max_tokens` holds for each turn. Evaluation has the same turns."""
    feedback_tokens: Annotated[int, Range(16, 10**9)] = 256
    """Length limit of the feedback, with the chat template's tokens around it."""
    staleness: Whole = 0
    """0: sample, then update. K: sampling and grading go on during updates, and no token that is trained was sampled
    by weights more than K steps old. With engine vllm-server, or torch on one rank."""
    segment: Count = 512
    """With staleness above 0: most tokens of a reply between two moments at which new weights can be loaded."""
    replay: str = ""
    """Folder of a run that kept its batches (log.batches): they are trained again with their rewards, not sampled."""

    @property
    def longest_reply(self) -> int:
        """The longest reply of any step, in tokens."""
        return max([limit for _, limit in self.max_tokens_stages] or [self.max_tokens])

    def longest(self, reply: int) -> int:
        """The tokens that a conversation of replies of `reply` tokens may need, with the feedback."""
        return self.turns * (reply + self.feedback_tokens) - self.feedback_tokens

    def __post_init__(self) -> None:
        if self.staleness and self.engine == "vllm":
            raise InputError("rollout.staleness needs rollout.engine=vllm-server (or torch), not vllm")
        _stages("rollout.max_tokens_stages", self.max_tokens_stages)


@dataclass(frozen=True)
class BatchConfig:
    prompts: Count = 64
    """Prompts per step (the paper's train_batch_size)."""
    minibatch: Count = 32
    """Prompts per update (ppo_mini_batch_size). A step makes prompts / minibatch updates."""
    micro_tokens: Count = 16384
    """Tokens per forward pass, padding included. Changes memory and speed, not the result."""
    layout: Literal["padded", "packed", "shared"] = "padded"
    """"padded": one row per reply. "packed": all replies in one row (worth it with flash attention only). "shared":
    each prompt is computed once per group, and the replies attend to its cache."""
    dynamic_sampling: bool = False
    """DAPO: replace groups whose rewards are all equal by groups of further prompts."""
    dynamic_rounds: Count = 4
    """Most rounds of sampling per step. After them the step trains on the groups that it has, and reports how many are
    missing."""


@dataclass(frozen=True)
class TemperatureConfig:
    mode: Literal["constant", "staged", "selected"] = "constant"
    """"constant" (`value`), "staged" (`stages`), or "selected" (by a sweep that measures diversity at the start)."""
    value: Positive = 1.2
    """Sampling temperature of mode constant."""
    stages: Stages = ()
    """Temperatures of mode staged: [[first step, temperature], ...], such as [[0, 0.6], [140, 1.2]]."""
    reselect_at: tuple[Count, ...] = ()
    """Steps at which mode selected repeats the sweep and selects again."""
    allow_continuous: bool = False
    """Permit stages that change every few steps. The paper found that even a brief continuous change harms diversity
    permanently."""
    grid: tuple[Positive, ...] = (0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8)
    """Temperatures of the sweep."""
    probes: Count = 64
    """Number of prompts in the sweep."""
    target: Share = 0.70
    """The sweep selects the admissible temperature whose diversity is nearest to this."""
    convergence: Share = 0.65
    """The diversity that runs are expected to converge to."""
    margin: NotNegative = 0.02
    """A temperature is admissible only if its diversity is at least convergence + margin."""
    maximum: Share = 0.85
    """A temperature is admissible only if its diversity is at most this."""
    accuracy_drop: Share = 0.10
    """A temperature is admissible only if its accuracy is at most this share below the sweep's best."""
    unit: Literal["words", "tokens"] = "words"
    """Diversity is measured over n-grams of whitespace-separated "words" or of "tokens"."""
    scope: Literal["pooled", "per_sample"] = "pooled"
    """Diversity of all replies to a prompt "pooled", or "per_sample" and then averaged."""

    def __post_init__(self) -> None:
        _stages("temperature.stages", self.stages)
        if self.mode == "staged" and not self.stages:
            raise InputError("temperature.mode is staged but temperature.stages is empty: try [[0, 0.6], [140, 1.2]]")
        if self.mode == "selected" and not self.grid:
            raise InputError("temperature.mode is selected but temperature.grid is empty")
        for key, mode in (("stages", "staged"), ("reselect_at", "selected")):
            if getattr(self, key) and self.mode != mode:
                raise InputError(f"temperature.{key} needs temperature.mode={mode}")
        if drifts(self.stages) and not self.allow_continuous:
            raise InputError(
                "temperature.stages changes every few steps, which harms diversity permanently; "
                "use few stages, or set temperature.allow_continuous=true"
            )


@dataclass(frozen=True)
class OptimizerConfig:
    lr: NotNegative = 1e-6
    """Learning rate of AdamW."""
    betas: tuple[BelowOne, BelowOne] = (0.9, 0.999)
    eps: Positive = 1e-8
    weight_decay: NotNegative = 0.01
    """Applied to matrices, not to biases and norms."""
    max_grad_norm: Positive = 1.0
    """Gradients are clipped to this norm."""
    warmup_steps: Whole = 0
    """Steps over which the learning rate rises linearly to `lr`."""
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    """Learning rate after the warm-up: "constant", or "linear" or "cosine" decay to 0 at run.steps."""


@dataclass(frozen=True)
class GraderConfig:
    address: str = ""
    """Where replies are graded. Empty: in this process. "node": one grader for all ranks of a machine. Otherwise a
    service or cluster as `connect` names it: "http://host:8080", "unix:/path", "file:/path", "ray://auto"."""
    workers: Workers = 2
    """Tests that run at the same time: per rank, with address "node" per machine, on Ray per node. A service has its
    own."""
    policy: Literal["strict", "contest", "lenient"] = "contest"
    """How outputs are compared: as LiveCodeBench ("strict"), as a contest's judge ("contest"), or by the paper's full
    ladder ("lenient")."""
    isolation: Literal["test", "submission"] = "test"
    """A fresh process per "test", or per "submission" with a second run of what was not accepted. A service has its
    own."""
    deadline_s: Seconds = 120.0
    """When no grade has arrived for this long after the end of sampling, the missing grades count as JUDGE_ERROR."""
    step_s: Annotated[float, Range(0, 10**7)] = 0.0
    """The longest wait for grades after the end of sampling, for each turn. A reply whose grade is missing then has no
    reward, and the metric `grades_cut` counts it. 0: no limit. An asynchronous run, where no step waits, needs 0."""


@dataclass(frozen=True)
class EvalSet:
    data: str = ""
    """The set's problems, in any form of data.train."""
    max_tokens: Whole = 0
    """Length limit of a reply. 0: the training limit of the current step."""
    limit: Whole = 0
    """Use only this many problems, the first ones. 0: all."""
    draw: Whole = 0
    """Use only this many problems, drawn at random; the same ones in every run. 0: all."""

    def __post_init__(self) -> None:
        if self.limit and self.draw:
            raise InputError("give either limit (the first problems) or draw (random ones)")


@dataclass(frozen=True)
class EvaluateConfig:
    sets: Mapping[str, EvalSet] = field(default_factory=dict)
    """Evaluation sets by name. The first one decides which checkpoint is the best."""
    every: Whole = 10
    """Steps between evaluations. 0: only after the last step."""
    at_start: bool = True
    """Evaluate before the first step."""
    samples: Count = 4
    """Replies per problem: the n of avg@n."""
    temperature: ZeroOrPositive = 0.6
    """Sampling temperature. 0 is greedy."""
    last_k: Count = 5
    """Number of evaluations in the reported mean of the last k."""


@dataclass(frozen=True)
class CheckpointConfig:
    every: Whole = 10
    """Steps between checkpoints. 0: only at the end."""
    keep: Count = 2
    """Number of newest checkpoints to keep. The best one is kept too."""


@dataclass(frozen=True)
class LogConfig:
    samples: Whole = 8
    """Replies written to samples.jsonl per step, group after group."""
    batches: bool = False
    """Keep every batch in batches/, for rollout.replay. With rollout.staleness those after the oldest checkpoint are
    kept in any case."""
    tensorboard: bool = True
    """Write TensorBoard files if tensorboard is installed."""
    wandb: bool = False
    """Write an offline W&B run into the run's folder (`wandb sync` uploads it). Needs the extra `wandb`."""
    live: bool = True
    """Show the live view when the output is a terminal."""


@dataclass(frozen=True)
class TinyConfig:
    """A toy world: generated tasks, a tokenizer, and a small model that supervised warm-up steps have trained."""

    cache: str = "runs/tiny-worlds"
    """Folder of built worlds. A world is built once and cached by a hash of this section."""
    seed: Seed = 0
    hidden: Count = 160
    """Hidden size of the model."""
    layers: Count = 4
    """Layers of the model."""
    vocabulary: Count = 512
    """Tokens of the tokenizer."""
    train_tasks: Count = 1200
    """Tasks to train on."""
    warmup_tasks: Count = 1200
    """Tasks of the supervised warm-up."""
    test_tasks: Count = 120
    """Tasks to evaluate on."""
    warmup_steps: Whole = 200
    warmup_batch: Count = 64
    warmup_lr: NotNegative = 2e-3
    """Learning rate of the warm-up."""


@dataclass(frozen=True)
class Config:
    """A whole recipe. `algorithm` sets defaults of the algorithmic keys; the recipe's own keys replace them."""

    algorithm: Literal[
        "grpo", "dapo", "dr_grpo", "gspo", "rloo", "cispo", "gppo", "microcoder_grpo",
        "ppo", "reinforce", "reinforce_pp", "reinforce_pp_baseline",
    ] = "microcoder_grpo"  # fmt: skip
    run: RunConfig = field(default_factory=RunConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    data: DataConfig = field(default_factory=DataConfig)
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    vllm: VllmConfig = field(default_factory=VllmConfig)
    batch: BatchConfig = field(default_factory=BatchConfig)
    curriculum: CurriculumConfig = field(default_factory=CurriculumConfig)
    reward: RewardConfig = field(default_factory=RewardConfig)
    advantage: AdvantageConfig = field(default_factory=AdvantageConfig)
    truncation: TruncationConfig = field(default_factory=TruncationConfig)
    loss: LossConfig = field(default_factory=LossConfig)
    temperature: TemperatureConfig = field(default_factory=TemperatureConfig)
    optimizer: OptimizerConfig = field(default_factory=OptimizerConfig)
    grader: GraderConfig = field(default_factory=GraderConfig)
    evaluate: EvaluateConfig = field(default_factory=EvaluateConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)
    log: LogConfig = field(default_factory=LogConfig)
    tiny: TinyConfig | None = None

    @property
    def correction(self) -> str:
        """`loss.correction`, with "auto" replaced by the kind that it stands for in this recipe."""
        if self.loss.correction != "auto":
            return self.loss.correction
        same = (self.rollout.engine, self.model.dtype, self.rollout.staleness) == ("torch", "float32", 0)
        return "off" if same else "token"

    def __post_init__(self) -> None:
        if self.batch.prompts % self.batch.minibatch:
            raise InputError(f"batch.prompts ({self.batch.prompts}) must be a multiple of batch.minibatch")
        if "tiny" in (self.model.path, self.data.train) and self.tiny is None:
            raise InputError('model.path or data.train is "tiny" but the recipe has no `tiny` section')
        if self.batch.layout == "shared" and self.model.gradient_checkpointing:
            raise InputError("batch.layout shared cannot be combined with model.gradient_checkpointing: use padded")
        if self.reward.turns == "discounted" and self.advantage.baseline not in ("mean", "value"):
            raise InputError("reward.turns discounted goes with advantage.baseline mean or value")
        if self.rollout.staleness and self.advantage.baseline == "greedy":
            raise InputError("advantage.baseline greedy goes with rollout.staleness 0")
        if self.rollout.staleness and self.grader.step_s:
            raise InputError("grader.step_s goes with rollout.staleness 0: other steps do not wait for grades")
        stages = self.rollout.max_tokens_stages
        shortest = min((limit for _, limit in stages), default=self.rollout.max_tokens)
        if shortest < self.advantage.overlong_buffer:
            key = "a limit of rollout.max_tokens_stages" if stages else "rollout.max_tokens"
            raise InputError(f"advantage.overlong_buffer is longer than {key} ({shortest})")


def _stages(key: str, stages: Stages) -> None:
    starts = [start for start, _ in stages]
    if stages and (starts[0] != 0 or any(a >= b for a, b in itertools.pairwise(starts))):
        raise InputError(f"{key}: the first stage begins at step 0 and each later one after it; got {list(stages)}")
