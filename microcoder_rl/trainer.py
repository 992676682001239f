"""The training loop. `Trainer.train_step` is the algorithm, from sampling to new weights, top to bottom.

The arithmetic is in advantages.py, truncation.py, loss.py and temperature.py. Sampling and grading are in sampler.py
and collect.py, checkpoints in checkpoint.py. `run.py` builds a trainer from a recipe, calls it and logs its metrics.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from microcoder_eval.connection import AnyGrader
from microcoder_eval.connection.step_grades import is_cut
from microcoder_rl import distributed
from microcoder_rl.advantages import has_signal
from microcoder_rl.asynchronous.batch_log import BatchLog, replayed
from microcoder_rl.asynchronous.producer import Producer
from microcoder_rl.collect import Batch, Group, collect
from microcoder_rl.credit import assign_advantages, assign_token_weights, whiten_advantages
from microcoder_rl.critic.assign import assign_values, critic_loss
from microcoder_rl.curriculum.order import TaskOrder
from microcoder_rl.data import Task
from microcoder_rl.engines import Engine
from microcoder_rl.errors import RunFailed
from microcoder_rl.lines.assign import assign_line_credit
from microcoder_rl.lines.trace import add_executed_lines
from microcoder_rl.lora import BasePolicy
from microcoder_rl.loss import LossParts, mismatch_weights, policy_loss
from microcoder_rl.optimizer import MasterAdamW, learning_rate
from microcoder_rl.policy import Policy, micro_batches
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Rollout
from microcoder_rl.sampler import Sampler
from microcoder_rl.seeds import derive_seed
from microcoder_rl.sweep import diversity_of, sweep_temperatures
from microcoder_rl.temperature import diversity_warning, value_at

MOST_NOT_FINITE_IN_ROW = 3


class TrainingError(RunFailed):
    """Training cannot go on. The message says why and where the evidence is."""


@dataclass
class TrainState:
    """The state of a run besides weights and optimiser moments. Plain data, saved with each checkpoint."""

    step: int = 0
    cursor: int = 0
    """Position in the endless stream of training prompts."""
    curriculum: dict[str, Any] = field(default_factory=dict)
    pending: list[list[int]] = field(default_factory=list)
    """[position, problem] before the cursor that were begun and not trained (rollout.staleness)."""
    selected_temperature: float | None = None
    diversity: list[float] = field(default_factory=list)
    accuracies: dict[str, list[float]] = field(default_factory=dict)
    """The accuracies of each evaluation set, in the order of the evaluations."""
    best_step: int | None = None
    best_accuracy: float = -1.0
    not_finite_in_row: int = 0
    """Updates that were left out one after another, because their gradients were not finite."""


class Trainer:
    """Trains a policy on tasks. The only files it writes are the batches whose gradient was not finite."""

    def __init__(
        self,
        config: Config,
        policy: Policy,
        engine: Engine,
        grader: AnyGrader,
        tasks: Sequence[Task],
        *,
        reference: Policy | BasePolicy | None = None,
        notify: Callable[[str], None] = print,
    ) -> None:
        self.config, self.policy, self.engine, self.tasks = config, policy, engine, tasks
        self.reference, self.notify = reference, notify
        self.sampler = Sampler(engine, grader, policy.tokenizer, config)
        room = policy.context - config.rollout.longest(config.rollout.longest_reply)
        self.order = TaskOrder(tasks, config, policy.tokenizer, longest=room)
        self.optimizer = MasterAdamW(policy.model, config.optimizer)
        self.state = TrainState()
        self.groups: list[Group] = []
        """The last step's groups, for the sample log."""
        self.producer: Producer | None = None
        """The thread that samples during updates; None without rollout.staleness."""
        self.batches = BatchLog(Path(config.run.out) / "batches")
        self.logged = replayed(config) if config.rollout.replay else self.batches

    def train_step(self) -> dict[str, float]:
        """One step: sample, grade, advantages and mask, updates, weights to the engine. Returns its metrics."""
        config, state = self.config, self.state
        begin = time.perf_counter()
        step = state.step + 1

        # Sample, and grade each reply as it ends; or take what was sampled during the last updates.
        torch.manual_seed(derive_seed("update", config.run.seed, step, distributed.rank()))  # seeds dropout
        batch = self._next_batch(step)
        groups, replies = batch.groups, batch.replies
        if all(rollout.reward is None for rollout in replies):
            assert replies[0].grade is not None
            raise TrainingError(f"step {step}: the grader could judge no reply: {replies[0].grade.detail}")
        state.cursor, state.curriculum, state.pending = batch.cursor, batch.curriculum, batch.pending
        state.selected_temperature = batch.temperature  # a logged batch may be the first one after a sweep
        oldest = max((age for age, _ in batch.ages), default=0)
        if not config.rollout.staleness:
            self.engine.rest()

        # Advantages within each group, then the truncation mask.
        for group in groups:
            assign_advantages(group, config, step=step, max_tokens=batch.max_tokens)
        rollouts = [rollout for group in groups for rollout in group.rollouts]
        critic = config.advantage.baseline == "value"
        if critic:
            assign_values(rollouts, self.policy, config)
        if config.advantage.whiten:
            whiten_advantages(rollouts)
        if config.advantage.credit != "all" or config.advantage.fine:
            decode = partial(self.policy.tokenizer.decode, skip_special_tokens=True)
            assign_line_credit(rollouts, config.advantage, decode)
        self.groups = groups
        state.diversity.append(diversity_of([group.rollouts for group in groups], config.temperature))

        # Updates: mini-batches of prompts, one optimiser step each.
        # pi_old is the policy before the first of them (or `sampled` by whichever policies sampled stale tokens).
        minibatches = [groups[i : i + config.batch.minibatch] for i in range(0, len(groups), config.batch.minibatch)]
        recompute = config.loss.old_logprobs == "recomputed"
        if recompute:
            self._recompute_logprobs(minibatches[1:])
        lr = learning_rate(config.optimizer, step, config.run.steps)
        measures = _Measures()
        updates_done = 0
        update_begin = time.perf_counter()
        for minibatch in minibatches:
            judged = [rollout for group in minibatch for rollout in group.rollouts if rollout.reward is not None]
            assign_token_weights(judged, config, batch.max_tokens)
            active = self._active(judged)
            if not active:
                measures.skipped_updates += 1
                continue
            for micro in micro_batches(active, config.batch.micro_tokens, config.batch.layout):
                logprobs, entropy, values = self.policy.evaluate(micro, config.batch.layout)  # [N] each
                device = logprobs.device
                sequence = _sequence(micro, device)
                sampled = _flat([rollout.sampled_logprobs for rollout in micro], device)
                before_first_update = updates_done == 0
                if before_first_update and (recompute or not oldest):
                    pi_old = logprobs.detach()  # the ratio is exactly 1
                else:
                    pi_old = _flat([r.recomputed_logprobs or [] for r in micro], device) if recompute else sampled
                importance = None
                if config.correction != "off":
                    cap = config.loss.importance_cap
                    importance = mismatch_weights(pi_old, sampled, sequence, config.correction, cap)
                reference = None
                if self.reference is not None:
                    with torch.no_grad():
                        reference, _ = self.reference.logprobs(micro, config.batch.layout)
                weights = torch.tensor([rollout.token_weight for rollout in micro], device=device)[sequence]
                parts = policy_loss(
                    logprobs,
                    pi_old,
                    _advantages(micro, device),
                    weights,
                    sequence,
                    clip_low=config.loss.clip_low,
                    clip_high=config.loss.clip_high,
                    policy=config.loss.policy,
                    ratio=config.loss.ratio,
                    dual_clip=config.loss.dual_clip,
                    kl_weight=config.loss.kl_weight,
                    kl_estimator=config.loss.kl_estimator,
                    reference_logprobs=reference,
                    importance=importance,
                )
                loss = parts.loss + critic_loss(values, micro, weights, config) if critic else parts.loss
                (loss * distributed.size()).backward()  # FSDP averages gradients over ranks; we want the sum
                measures.add(parts, entropy)
                if before_first_update:
                    measures.add_gap(logprobs, sampled)
            norm = self.optimizer.step(lr)
            if not math.isfinite(norm):
                measures.not_finite += 1
                self._skip_not_finite(step, active)
                continue
            state.not_finite_in_row = 0
            measures.norms.append(norm)
            updates_done += 1

        if updates_done == 0:  # a step without an update measures the gap between sampler and trainer too
            if not measures.not_finite:
                self.notify(f"step {step}: no update: within every group all rewards are equal")
            micro = next(micro_batches(replies, config.batch.micro_tokens, config.batch.layout))
            with torch.no_grad():
                logprobs, _ = self.policy.logprobs(micro, config.batch.layout)
            measures.add_gap(logprobs, _flat([rollout.sampled_logprobs for rollout in micro], logprobs.device))
        first_rank, *others = distributed.gather(measures)
        measures = first_rank.include(others)

        # The engine gets the new weights. If it samples during updates, it gets them between two segments.
        with self.sampling_paused():
            self.engine.sync()
            if self.producer:
                self.producer.version = step
        update_s = time.perf_counter() - update_begin
        state.step = step
        warning = diversity_warning(state.diversity, convergence=config.temperature.convergence)
        if warning and step % 20 == 0:
            self.notify(f"step {step}: {warning}")
        return {
            "step": step,
            "reward": _mean([rollout.reward for rollout in replies if rollout.reward is not None]),
            "accepted": _mean([rollout.accuracy for rollout in replies if rollout.accuracy is not None]),
            "length": _mean([rollout.length for rollout in replies]),
            "turns": _mean([1.0 + len(rollout.earlier) for rollout in replies]),
            "diversity": state.diversity[-1],
            "entropy": measures.mean("entropy"),
            "ratio": measures.mean("ratio"),
            "clip_share": measures.mean("clipped"),
            "mask_share": _mean([float(rollout.mask is not None) for rollout in rollouts]),
            "gap": measures.mean("gap"),
            "gap_max": measures.gap_max,
            "staleness": sum(age * count for age, count in batch.ages) / max(1, sum(count for _, count in batch.ages)),
            "staleness_max": oldest,
            "groups_dropped": batch.dropped,
            "kl": measures.mean("kl"),
            "loss": measures.sums["loss"],
            "grad_norm": _mean(measures.norms),
            "lr": lr,
            "temperature": batch.temperature,
            "max_tokens": batch.max_tokens,
            "truncated": _mean([float(rollout.truncated) for rollout in replies]),
            "prompts": len(groups),
            "prompts_with_signal": sum(has_signal(group.rewards) for group in groups),
            "prompts_sampled": len(replies) // config.rollout.group,
            "judge_errors": sum(rollout.reward is None for rollout in replies),
            "grades_cut": sum(is_cut(rollout.grade) for rollout in replies),
            "skipped_updates": measures.skipped_updates,
            "not_finite_updates": measures.not_finite,
            "tokens": sum(rollout.length for rollout in replies),
            "time/step": time.perf_counter() - begin,
            "time/sampling": batch.times.sampling_s,
            "time/grading_waited": batch.times.waiting_s,
            "time/grading_hidden": batch.times.hidden_s,
            "time/update": update_s,
        }

    def max_tokens(self, step: int) -> int:
        """The response length limit of a step."""
        stages = self.config.rollout.max_tokens_stages
        return int(value_at(step, stages)) if stages else self.config.rollout.max_tokens

    def temperature(self, step: int) -> float:
        """The sampling temperature of a step; measures and selects where the recipe asks for it."""
        settings = self.config.temperature
        if settings.mode == "constant":
            return settings.value
        if settings.mode == "staged":
            return value_at(step, settings.stages)
        if self.state.selected_temperature is None or step in settings.reselect_at:
            with self.sampling_paused():  # the sweep samples too
                points, best = sweep_temperatures(self.sampler, self.tasks, max_tokens=self.max_tokens(step), step=step)
            self.state.selected_temperature = best.temperature
            measured = "; ".join(f"{p.temperature:g}: D {p.diversity:.3f}, acc {p.accuracy:.3f}" for p in points)
            self.notify(f"step {step}: {best.reason} ({measured})")
        return self.state.selected_temperature

    def sampling_paused(self) -> AbstractContextManager[None]:
        """A block in which no other thread samples with the engine."""
        return self.producer.paused() if self.producer else nullcontext()

    def close(self) -> None:
        """Stop the thread that samples during updates."""
        if self.producer:
            self.producer.close()

    def _next_batch(self, step: int) -> Batch:
        """The batch of a step: one that was logged, one that was sampled during updates, or one sampled now."""
        rollout, first = self.config.rollout, distributed.rank() == 0
        if rollout.replay or rollout.staleness:
            if logged := self.logged.load(step, self.tasks):
                return logged
            if rollout.replay:
                where = self.logged.folder
                raise TrainingError(f"{where} has no batch of step {step}: the run to replay needs log.batches")
        temperature, limit = self.temperature(step), self.max_tokens(step)
        if not rollout.staleness:
            batch = Batch(self.state.cursor, temperature, limit, version=step - 1)
            self.order.restore(self.state.cursor, self.state.curriculum)
            batch = collect(batch, step, self.sampler, self.order, self.notify)
        else:
            if not self.producer and first:
                self.order.restore(self.state.cursor, self.state.curriculum)
                self.producer = Producer(self.sampler, self.order, version=step - 1, pending=self.state.pending)
            taken = self.producer.take(step, temperature, limit, self.notify) if self.producer else None
            batch = next(found for found in distributed.gather(taken) if found)
        if self.config.advantage.credit == "executed":
            add_executed_lines(batch.groups, self.sampler.grader, self.config)
        if first and (rollout.staleness or self.config.log.batches):
            self.batches.save(step, batch)
        return batch

    def _active(self, rollouts: Sequence[Rollout]) -> list[Rollout]:
        """The replies that an update computes: those with an advantage; with a KL term or a critic all judged ones."""
        all_judged = self.reference is not None or self.config.advantage.baseline == "value"
        return [r for r in rollouts if r.has_signal or (all_judged and r.reward is not None)]

    @torch.no_grad()
    def _recompute_logprobs(self, minibatches: Sequence[Sequence[Group]]) -> None:
        """Set `recomputed_logprobs` of the replies of later updates: log-probs under the weights before this step."""
        for minibatch in minibatches:
            active = self._active([rollout for group in minibatch for rollout in group.rollouts])
            for micro in micro_batches(active, self.config.batch.micro_tokens, self.config.batch.layout):
                logprobs, _ = self.policy.logprobs(micro, self.config.batch.layout)
                for rollout, piece in zip(micro, logprobs.split([each.length for each in micro]), strict=True):
                    rollout.recomputed_logprobs = piece.tolist()

    def _skip_not_finite(self, step: int, rollouts: Sequence[Rollout]) -> None:
        """Save the replies of an update whose gradient was not finite, and give up after several in a row."""
        self.state.not_finite_in_row += 1
        path = Path(self.config.run.out) / f"not-finite-step-{step}-{self.state.not_finite_in_row}.pt"
        if distributed.rank() == 0:
            path.parent.mkdir(parents=True, exist_ok=True)
            torch.save([{**vars(rollout), "grade": None} for rollout in rollouts], path)
        message = f"step {step}: the gradient of an update is not finite; its replies are saved in {path}"
        if self.state.not_finite_in_row >= MOST_NOT_FINITE_IN_ROW:
            raise TrainingError(f"{message}. This was the case {MOST_NOT_FINITE_IN_ROW} times in a row")
        self.notify(f"{message}. This update is left out")


class _Measures:
    """Sums over the updates of a step, from which means over tokens are computed."""

    def __init__(self) -> None:
        self.sums: defaultdict[str, float] = defaultdict(float)
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.gap_max = 0.0
        self.norms: list[float] = []
        self.skipped_updates = 0
        self.not_finite = 0

    def add(self, parts: LossParts, entropy: Tensor) -> None:
        self.sums["loss"] += float(parts.loss.detach())
        self._count(entropy=entropy, ratio=parts.ratio, clipped=parts.clipped, kl=parts.kl)

    def add_gap(self, logprobs: Tensor, sampled: Tensor) -> None:
        gap = (logprobs - sampled).detach().abs()
        self.gap_max = max([self.gap_max, *gap.tolist()])
        self._count(gap=gap)

    def _count(self, **values: Tensor) -> None:
        for name, value in values.items():
            self.sums[name] += float(value.sum())
            self.counts[name] += value.numel()

    def include(self, others: Sequence[_Measures]) -> _Measures:
        """Add the sums of other ranks. Gradient norms and left out updates are the same on every rank."""
        for other in others:
            self.gap_max = max(self.gap_max, other.gap_max)
            for name, value in other.sums.items():
                self.sums[name] += value
                self.counts[name] += other.counts[name]
        return self

    def mean(self, name: str) -> float:
        return self.sums[name] / self.counts[name] if self.counts[name] else float("nan")


def _sequence(rollouts: Sequence[Rollout], device: torch.device) -> Tensor:
    """[N] index of the reply that each token belongs to."""
    places = [place for place, rollout in enumerate(rollouts) for _ in range(rollout.length)]
    return torch.tensor(places, dtype=torch.long, device=device)


def _advantages(rollouts: Sequence[Rollout], device: torch.device) -> Tensor:
    """[N] the advantage of each sampled token."""
    return _flat([rollout.token_advantages or [rollout.advantage] * rollout.length for rollout in rollouts], device)


def _flat(values: Sequence[Sequence[float]], device: torch.device) -> Tensor:
    return torch.tensor([value for each in values for value in each], device=device)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
