"""Our loss, gradient, advantages and rewards compared with the functions of six other systems on random batches.

    python bench/loss_vs_peers.py --verl PATH --openrlhf PATH --rllm PATH --klear PATH --coderl PATH --rltf PATH
        [--batches 20] [--json FILE]

PATHs are checkouts (rllm: DeepCoder's, of May 2025, which has a copy of verl in it). Their functions are taken out of
their files and run unchanged; nothing of theirs is imported, so none of their dependencies is needed. The largest
difference over all batches is printed. Both sides begin with the same hidden states and temperature, so that log-probs
are part of the comparison; the gradient is that of the hidden states.

Options whose defaults differ are set: verl's dual clip is on by default, ours off; Dr.GRPO divides by replies x length
as TRL does, verl by the length; verl's CISPO has a lower bound at 1 - clip_low, the paper's and ours none. verl and
OpenRLHF clamp log-ratios at 20 and KL at 10, which no batch here reaches.
TRL's own function is compared in tests/rl/test_loss.py.

Longer than most files: each peer's function is called in its own way.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Optional

import numpy as np
import torch
from measure import machine
from torch import Tensor, nn

from microcoder_eval import Grade, Problem, Verdict
from microcoder_rl.advantages import group_advantages
from microcoder_rl.collect import Group
from microcoder_rl.credit import assign_advantages, whiten_advantages
from microcoder_rl.critic.assign import token_rewards
from microcoder_rl.critic.gae import gae, value_loss
from microcoder_rl.data import Task
from microcoder_rl.logprobs import chunked_logprobs
from microcoder_rl.loss import policy_loss, token_weights
from microcoder_rl.recipe import build_config
from microcoder_rl.recipe.objective import RewardConfig
from microcoder_rl.rewards import reward_of
from microcoder_rl.rollout import Rollout

BAR = 1e-6
REPLIES, GROUP, MAX_TOKENS, WIDTH, VOCABULARY = 32, 8, 33, 16, 50
TEMPERATURES = (1.0, 0.6, 1.2, 1.8)
LOW, HIGH, KL_WEIGHT, DUAL, CAP = 0.2, 0.28, 0.04, 3.0, 1.5
GAMMA, LAMBDA, VALUE_CLIP = 0.99, 0.95, 0.2
KL = (None, "k1", "k2", "k3")
VERL_MODES = {
    "token_mean": "token-mean",
    "sequence_mean": "seq-mean-token-mean",
    "constant": "seq-mean-token-sum-norm",
}


class Batch:
    """Random hidden states, targets, log-probs and advantages of replies of 0 to MAX_TOKENS tokens."""

    def __init__(self, seed: int, temperature: float) -> None:
        generator = torch.Generator().manual_seed(seed)
        shape = (REPLIES, MAX_TOKENS)
        self.temperature = temperature
        self.lengths = torch.randint(0, MAX_TOKENS + 1, (REPLIES,), generator=generator)
        self.mask = torch.arange(MAX_TOKENS)[None] < self.lengths[:, None]
        self.hidden = torch.randn(*shape, WIDTH, generator=generator, requires_grad=True)
        self.head = torch.randn(VOCABULARY, WIDTH, generator=generator) / 4
        self.targets = torch.randint(0, VOCABULARY, shape, generator=generator)
        self.advantages = torch.randn(REPLIES, generator=generator)
        self.by_token = torch.randn(*shape, generator=torch.Generator().manual_seed(4000 + seed))
        with torch.no_grad():
            now = (self.logits().log_softmax(-1)).gather(-1, self.targets[..., None]).squeeze(-1)
        noise = torch.randn(3, *shape, generator=generator) * 0.4
        self.old, self.reference, self.sampled = now + noise[0], now + noise[1], now + noise[0] + noise[2] / 4

    def logits(self) -> Tensor:
        return self.hidden @ self.head.T / self.temperature

    def each(self, by_token: bool) -> Tensor:
        """The advantage of each token: its own, or its reply's."""
        return self.by_token if by_token else self.advantages[:, None].expand_as(self.by_token)

    def differentiated(self, loss: Tensor) -> tuple[Tensor, Tensor]:
        """The loss and its gradient."""
        return loss.detach(), torch.autograd.grad(loss, self.hidden)[0]


def ours(
    batch: Batch,
    *,
    aggregation: str,
    ratio: str = "token",
    kl: str | None = None,
    dual_clip: float | None = None,
    importance: bool = False,
    policy: str = "clip",
    by_token: bool = False,
) -> tuple[Tensor, Tensor]:
    """Our loss; the head is applied in chunks of three tokens, as a long reply's is."""
    mask = batch.mask
    weights = token_weights(batch.lengths, aggregation, max_tokens=MAX_TOKENS, counted=batch.lengths > 0)
    sequence = torch.arange(REPLIES)[:, None].expand_as(mask)[mask]
    targets = batch.targets[mask]
    temperatures = torch.full(targets.shape, batch.temperature)
    chunk = 3 * VOCABULARY
    logprobs, _ = chunked_logprobs(batch.hidden[mask], batch.head, None, targets, temperatures, logits_per_chunk=chunk)
    parts = policy_loss(
        logprobs,
        batch.old[mask],
        batch.each(by_token)[mask],
        weights[sequence],
        sequence,
        clip_low=LOW,
        clip_high=HIGH,
        ratio=ratio,
        policy=policy,
        dual_clip=dual_clip,
        kl_weight=KL_WEIGHT,
        kl_estimator=kl or "k3",
        reference_logprobs=batch.reference[mask] if kl else None,
        importance=(batch.old - batch.sampled)[mask].exp().clamp(max=CAP) if importance else None,
    )
    return batch.differentiated(parts.loss)


class Verl:
    """verl's policy losses with `agg_loss` and `kl_penalty`."""

    def __init__(self, checkout: Path) -> None:
        core, functional = "verl/trainer/ppo/core_algos.py", "verl/utils/torch_functional.py"
        names = ("masked_sum", "masked_mean", "masked_var", "masked_whiten", "clip_by_value", "gather_from_labels")
        self.masked = masked = taken(checkout / functional, names)
        self.logprobs = taken(checkout / functional, ("logprobs_from_logits_naive",), **masked)
        names = ("agg_loss", "compute_policy_loss_vanilla", "compute_policy_loss_gspo", "kl_penalty",
                 "compute_policy_loss_cispo",
                 "kl_penalty_forward", "compute_grpo_outcome_advantage", "compute_gae_advantage_return",
                 "compute_value_loss", "compute_rloo_outcome_advantage", "compute_remax_outcome_advantage",
                 "compute_reinforce_plus_plus_outcome_advantage",
                 "compute_reinforce_plus_plus_baseline_outcome_advantage")  # fmt: skip
        types = {"ActorConfig": VerlConfig, "AlgoConfig": type("AlgoConfig", (), {})}
        self.core = taken(checkout / core, names, verl_F=SimpleNamespace(**masked), defaultdict=defaultdict, **types)

    def loss(
        self,
        batch: Batch,
        *,
        aggregation: str,
        ratio: str = "token",
        kl: str | None = None,
        dual_clip: float | None = None,
        importance: bool = False,
        policy: str = "clip",
        by_token: bool = False,
    ) -> tuple[Tensor, Tensor]:
        logprobs = self.logprobs["logprobs_from_logits_naive"](batch.logits(), batch.targets)
        mask, mode = batch.mask.float(), VERL_MODES[aggregation]
        # Dr.GRPO: their factor is the length alone
        scale = {"loss_scale_factor": int((batch.lengths > 0).sum()) * MAX_TOKENS} if aggregation == "constant" else {}
        name = "cispo" if policy == "cispo" else "vanilla" if ratio == "token" else "gspo"
        config = VerlConfig(dual_clip or 1e9, scale)
        if policy == "cispo":
            config.clip_ratio_low = 1.0
        loss, _ = self.core[f"compute_policy_loss_{name}"](
            batch.old,
            logprobs,
            batch.each(by_token),
            mask,
            mode,
            config,
            (batch.old - batch.sampled).exp().clamp(max=CAP) if importance else None,
        )
        if kl:
            penalty = self.core["kl_penalty"](logprobs, batch.reference, kl)
            loss = loss + KL_WEIGHT * self.core["agg_loss"](penalty, mask, mode, **scale)
        return batch.differentiated(loss)

    def token_advantages(self, kind: str, batch: Batch, rewards: Tensor, extra: Tensor) -> Tensor:
        """verl's advantages (all tokens) for replies with rewards [REPLIES] and lengths above 0. `extra` has the
        critic's values or the greedy rewards."""
        mask, scores = batch.mask.float(), torch.zeros(batch.mask.shape)
        scores[torch.arange(REPLIES), batch.lengths - 1] = rewards
        index = np.repeat(np.arange(REPLIES // GROUP), GROUP)
        if kind == "gae":
            found, _ = self.core["compute_gae_advantage_return"](scores, extra, mask, GAMMA, LAMBDA)
        elif kind == "remax":
            found, _ = self.core["compute_remax_outcome_advantage"](scores, extra, mask)
        elif kind == "reinforce_pp":
            config = SimpleNamespace(gamma=1.0)
            found, _ = self.core["compute_reinforce_plus_plus_outcome_advantage"](scores, mask, config)
        else:
            function = "rloo" if kind == "rloo" else "reinforce_plus_plus_baseline"
            found, _ = self.core[f"compute_{function}_outcome_advantage"](scores, mask, index)
        return found[batch.mask]

    def advantages(self, rewards: Tensor, divided: bool) -> Tensor:
        """verl's GRPO advantages of rewards [groups, GROUP], divided by their deviation or not."""
        index = np.repeat(np.arange(len(rewards)), GROUP)
        found, _ = self.core["compute_grpo_outcome_advantage"](
            rewards.flatten()[:, None].clone(), torch.ones(rewards.numel(), 1), index, norm_adv_by_std_in_grpo=divided
        )
        return found.view_as(rewards)


class VerlConfig(SimpleNamespace):
    """The keys of an actor's configuration that verl's losses read."""

    def __init__(self, dual_clip: float, scale: dict[str, int]) -> None:
        super().__init__(clip_ratio=LOW, clip_ratio_low=LOW, clip_ratio_high=HIGH, global_batch_info=scale)
        self.clip_ratio_c = dual_clip

    def get(self, key: str, default: Any) -> Any:
        return getattr(self, key, default)


class OpenRLHF:
    """OpenRLHF's PolicyLoss with `aggregate_loss` and `compute_approx_kl`."""

    def __init__(self, checkout: Path) -> None:
        names = ("compute_approx_kl", "log_probs_from_logits", "_logsumexp_by_chunk", "masked_mean")
        self.utils = taken(checkout / "openrlhf/models/utils.py", names)
        self.losses = taken(checkout / "openrlhf/models/loss.py", ("aggregate_loss", "PolicyLoss"), **self.utils)

    def loss(
        self,
        batch: Batch,
        *,
        aggregation: str,
        ratio: str = "token",
        kl: str | None = None,
        dual_clip: float | None = None,
        importance: bool = False,
    ) -> tuple[Tensor, Tensor]:
        plain = batch.hidden @ batch.head.T
        logprobs = self.utils["log_probs_from_logits"](plain, batch.targets, batch.temperature)
        mask, token_level = batch.mask.float(), aggregation == "token_mean"
        module = self.losses["PolicyLoss"](
            LOW,
            HIGH,
            dual_clip=dual_clip,
            token_level_loss=token_level,
            policy_loss_type="ppo" if ratio == "token" else "gspo",
            enable_vllm_is_correction=importance,
            vllm_is_truncated_threshold=[0.0, CAP],
        )
        loss, *_ = module(logprobs, batch.old, batch.advantages[:, None], mask, batch.sampled)
        if kl:
            penalty = self.utils["compute_approx_kl"](logprobs, batch.reference, kl)
            loss = loss + KL_WEIGHT * self.losses["aggregate_loss"](penalty, mask, token_level)
        return batch.differentiated(loss)


class Klear:
    """Klear-Reasoner's GPPO."""

    def __init__(self, checkout: Path, verl: Verl) -> None:
        path = checkout / "verl/trainer/ppo/core_algos.py"
        self.core = taken(path, ("agg_loss", "compute_gppo_loss"), verl_F=SimpleNamespace(**verl.masked))

    def loss(self, batch: Batch, *, aggregation: str, policy: str, dual_clip: float, by_token: bool = False) -> Any:
        logprobs = batch.logits().log_softmax(-1).gather(-1, batch.targets[..., None]).squeeze(-1)
        loss, *_ = self.core["compute_gppo_loss"](
            batch.old,
            logprobs,
            batch.each(by_token),
            batch.mask.float(),
            cliprange_low=LOW,
            cliprange_high=HIGH,
            clip_ratio_c=dual_clip,
            loss_agg_mode=VERL_MODES[aggregation],
        )
        return batch.differentiated(loss)


class DeepCoder:
    """DeepCoder's advantages, with its masking of truncated samples."""

    def __init__(self, checkout: Path) -> None:
        path = checkout / "verl/verl/trainer/ppo/core_algos.py"
        self.core = taken(path, ("compute_grpo_outcome_advantage",), defaultdict=defaultdict)

    def advantages(self, rewards: Tensor, truncated: Tensor, masked: bool) -> Tensor:
        """DeepCoder's advantages of rewards and truncations [groups, GROUP]."""
        index = np.repeat(np.arange(len(rewards)), GROUP)
        ends = torch.ones(rewards.numel(), 2)
        ends[~truncated.flatten(), 1] = 0  # a reply that ended itself is shorter than the limit
        found, _ = self.core["compute_grpo_outcome_advantage"](
            torch.stack([rewards.flatten(), torch.zeros(rewards.numel())], 1),
            ends,
            index,
            mask_truncated_samples=masked,
        )
        return found[:, 0].view_as(rewards)


def taken(path: Path, names: tuple[str, ...], **given: Any) -> dict[str, Any]:
    """Functions and classes of a file, without their decorators and without running the rest of the file."""
    if not path.is_file():
        sys.exit(f"{path}: no such file: is this the checkout, at a commit that has it?")
    module = ast.parse(path.read_text(encoding="utf-8"))
    kept = [node for node in module.body if getattr(node, "name", None) in names]
    for node in kept:
        node.decorator_list = []
    if missing := set(names) - {node.name for node in kept}:
        sys.exit(f"{path}: has no {', '.join(sorted(missing))}")
    header = ast.parse("from __future__ import annotations").body
    space = {"torch": torch, "nn": nn, "F": nn.functional, "np": np, "Optional": Optional, **given}
    exec(compile(ast.Module([*header, *kept], []), str(path), "exec"), space)
    return {name: space[name] for name in names}


def loss_cases() -> Iterator[tuple[str, dict[str, Any], tuple[str, ...]]]:
    """A name, the options of both sides, and which peers have such a loss."""
    for aggregation in ("token_mean", "sequence_mean", "constant"):
        for kl in KL:
            who = ("verl",) if aggregation == "constant" else ("verl", "OpenRLHF")
            yield f"{aggregation}, {'KL ' + kl if kl else 'no KL'}", {"aggregation": aggregation, "kl": kl}, who
    both, mean = ("verl", "OpenRLHF"), {"aggregation": "token_mean"}
    yield "sequence ratio (GSPO)", {"aggregation": "sequence_mean", "ratio": "sequence"}, both
    yield "dual clip", {**mean, "dual_clip": DUAL}, both
    yield "truncated importance weights", {**mean, "importance": True}, both
    one_reply = {"aggregation": "sequence_mean", "ratio": "sequence", "by_token": True}
    yield "sequence ratio, advantages of tokens (GSPO-token)", one_reply, ("verl",)
    yield "CISPO", {**mean, "policy": "cispo"}, ("verl",)
    for by_token in (False, True):
        name = "GPPO, advantages of tokens" if by_token else "GPPO"
        yield name, {**mean, "policy": "gppo", "dual_clip": DUAL, "by_token": by_token}, ("Klear",)


def advantage_cases(verl: Verl, deepcoder: DeepCoder) -> Iterator[tuple[str, Callable[[int], tuple[Tensor, Tensor]]]]:
    """A name, and both sides' advantages for a seed."""

    def rewards(seed: int, *, binary: bool) -> Tensor:
        drawn = torch.rand(REPLIES // GROUP, GROUP, generator=torch.Generator().manual_seed(seed))
        return (drawn < 0.4).float() if binary else drawn

    def mine(rows: Tensor, std: str) -> Tensor:
        return torch.stack([group_advantages(row, std=std) for row in rows])

    for kind in ("gae", "remax", "reinforce_pp", "reinforce_pp_baseline", "rloo"):
        yield f"verl: advantages of tokens, {kind}", partial(token_pair, verl, kind)
    yield "verl: clipped value loss", partial(value_pair, verl)
    for std in ("sample", "none"):
        for binary in (True, False):

            def pair(seed: int, std: str = std, binary: bool = binary) -> tuple[Tensor, Tensor]:
                rows = rewards(seed, binary=binary)
                return mine(rows, std), verl.advantages(rows, std == "sample")

            yield f"verl: advantages, std {std}, {'0/1' if binary else 'real'} rewards", pair

    def deepcoder_pair(seed: int, masked: bool) -> tuple[Tensor, Tensor]:
        rows = rewards(seed, binary=True)
        cut = torch.rand(rows.shape, generator=torch.Generator().manual_seed(1000 + seed)) < 0.5
        found = torch.stack([masked_advantages(*group, masked) for group in zip(rows, cut, strict=True)])
        return found, deepcoder.advantages(rows, cut, masked)

    for masked in (False, True):
        name = "truncated samples masked" if masked else "nothing masked"
        yield f"DeepCoder: advantages, {name}", partial(deepcoder_pair, masked=masked)


def reward_cases(coderl: Path, rltf: Path) -> Iterator[tuple[str, Iterator[tuple[Tensor, Tensor]]]]:
    """A name, and both sides' rewards of every outcome: for RLTF with each number of passed tests."""
    names = ("get_error_type", "get_reward_from_error_type")
    results = {
        Verdict.COMPILE_ERROR: -2,
        Verdict.RUNTIME_ERROR: -1,
        Verdict.WRONG_ANSWER: False,
        Verdict.ACCEPTED: True,
    }
    for who, checkout, kind in (("CodeRL", coderl, "outcomes"), ("RLTF", rltf, "adaptive")):
        theirs = taken(checkout / "datasets/utils.py", names)
        config = RewardConfig(kind=kind)  # type: ignore[arg-type]

        def pairs(theirs: dict[str, Any] = theirs, config: RewardConfig = config) -> Iterator[tuple[Tensor, Tensor]]:
            for verdict, result in results.items():
                for passed in range(4):
                    grade = Grade("", "p", verdict, passed=passed, total=4)
                    share = (passed / 4,) if config.kind == "adaptive" else ()
                    expected = theirs["get_reward_from_error_type"](theirs["get_error_type"](result), *share)
                    mine = reward_of(grade, Problem("p"), config, repeating=False)
                    yield torch.tensor([float(mine or 0)]), torch.tensor([float(expected)])

        yield f"{who}: rewards, reward.kind {kind}", pairs()


def token_pair(verl: Verl, kind: str, seed: int) -> tuple[Tensor, Tensor]:
    """Both sides' advantages of all tokens of a batch whose replies are not empty."""
    batch, generator = Batch(seed, 1.0), torch.Generator().manual_seed(2000 + seed)
    batch.lengths = batch.lengths.clamp(min=1)
    batch.mask = torch.arange(MAX_TOKENS)[None] < batch.lengths[:, None]
    rewards = (torch.rand(REPLIES, generator=generator) < 0.4).float()
    values = torch.randn(REPLIES, MAX_TOKENS, generator=generator)
    greedy = (torch.rand(REPLIES // GROUP, generator=generator) < 0.5).float().repeat_interleave(GROUP)
    replies = []
    for sample, (reward, length) in enumerate(zip(rewards.tolist(), batch.lengths.tolist(), strict=True)):
        grade = Grade("", "p", Verdict.ACCEPTED if reward else Verdict.WRONG_ANSWER)
        replies.append(Rollout(0, sample, sample, (1,), [2] * length, [0.0] * length, "stop", 1.0, grade=grade))
        replies[-1].reward = reward
    names = {"gae": "ppo", "remax": "reinforce"}
    config = build_config({"algorithm": names.get(kind, kind)})
    for start in range(0, REPLIES, GROUP):
        group = Group(Task(Problem("p"), "", ()), replies[start : start + GROUP], float(greedy[start]))
        assign_advantages(group, config, step=1, max_tokens=MAX_TOKENS)
    if kind == "gae":
        for reply, own in zip(replies, values, strict=True):
            scores = token_rewards(reply, config)
            reply.token_advantages, _ = gae(scores, own[: reply.length].tolist(), GAMMA, LAMBDA)
    if config.advantage.whiten:
        whiten_advantages(replies)
    mine = [value for each in replies for value in each.token_advantages or [each.advantage] * each.length]
    theirs = verl.token_advantages(kind, batch, rewards, values if kind == "gae" else greedy)
    return torch.tensor(mine), theirs


def value_pair(verl: Verl, seed: int) -> tuple[Tensor, Tensor]:
    """Both sides' value loss, and its gradient."""
    batch, generator = Batch(seed, 1.0), torch.Generator().manual_seed(3000 + seed)
    now, old, returns = torch.randn(3, REPLIES, MAX_TOKENS, generator=generator)
    now.requires_grad_()
    mask = batch.mask
    weights = token_weights(batch.lengths, "token_mean")[:, None].expand_as(mask)[mask]
    mine = value_loss(now[mask], old[mask], returns[mask], weights, VALUE_CLIP)
    theirs, _ = verl.core["compute_value_loss"](now, returns, old, mask.float(), VALUE_CLIP)
    gradients = [torch.autograd.grad(loss, now)[0].flatten() for loss in (mine, theirs)]
    found = [torch.cat([loss.detach()[None], own]) for loss, own in zip((mine, theirs), gradients, strict=True)]
    return found[0], found[1]


def masked_advantages(rewards: Tensor, truncated: Tensor, masked: bool) -> Tensor:
    """Our advantages of one group after the truncation mask, with DeepCoder's rule of which replies are masked."""
    replies = []
    for sample, (reward, cut) in enumerate(zip(rewards.tolist(), truncated.tolist(), strict=True)):
        grade = Grade("", "p", Verdict.ACCEPTED if reward else Verdict.WRONG_ANSWER)
        finish = "length" if cut else "stop"
        replies.append(Rollout(0, sample, sample, (1,), [2, 3], [0.0, 0.0], finish, 1.0, grade=grade, reward=reward))
    config = build_config({"truncation": {"share": float(masked), "qualify": "deepcoder"}})
    assign_advantages(Group(Task(Problem("p"), "", ()), replies), config, step=1, max_tokens=2)
    return torch.tensor([reply.advantage for reply in replies])


def main() -> None:
    """Compare everything, print the table, and fail when a difference is over the bar."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("verl", "openrlhf", "rllm", "klear", "coderl", "rltf"):
        parser.add_argument(f"--{name}", type=Path, required=True, help="a checkout")
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--json", type=Path, help="write the table")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    verl = Verl(arguments.verl)
    peers: dict[str, Verl | OpenRLHF | Klear] = {
        "verl": verl,
        "OpenRLHF": OpenRLHF(arguments.openrlhf),
        "Klear": Klear(arguments.klear, verl),
    }
    rows: list[dict[str, Any]] = []
    for what, options, who in loss_cases():
        for peer in who:
            for temperature in TEMPERATURES:
                batches = [Batch(seed, temperature) for seed in range(arguments.batches)]
                pairs = [(ours(batch, **options), peers[peer].loss(batch, **options)) for batch in batches]
                found = {
                    part: farthest((a[place], b[place]) for a, b in pairs)
                    for place, part in enumerate(("loss", "gradient"))
                }
                rows.append({"what": f"{peer}: {what}, T = {temperature}", "differences": found})
    for what, pair in advantage_cases(verl, DeepCoder(arguments.rllm)):
        worst = farthest(pair(seed) for seed in range(arguments.batches))
        rows.append({"what": what, "differences": {"advantage": worst}})
    for what, pairs in reward_cases(arguments.coderl, arguments.rltf):
        rows.append({"what": what, "differences": {"reward": farthest(pairs)}})
    for row in rows:
        numbers = "  ".join(f"{name} {value:.1e}" for name, value in row["differences"].items())
        print(f"{row['what']:62s} {numbers}")
    over = [row["what"] for row in rows if not all(value <= BAR for value in row["differences"].values())]
    print(f"{len(rows)} comparisons of {arguments.batches} batches, {len(over)} over {BAR:g}")
    for what in over:
        print(f"over the bar: {what}")
    if arguments.json:
        record = {"machine": machine(), "batches": arguments.batches, "bar": BAR, "rows": rows}
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    sys.exit(bool(over))


def farthest(pairs: Iterable[tuple[Tensor, Tensor]]) -> float:
    """The largest absolute difference in any pair; NaN when any difference is NaN."""
    return float(torch.stack([(first - second).abs().max() for first, second in pairs]).max())


if __name__ == "__main__":
    main()
