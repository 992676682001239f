"""The presets of the recipe key `algorithm`: values of the algorithmic keys. A recipe's own keys replace them."""

from __future__ import annotations

from collections.abc import Mapping

ALGORITHMS: Mapping[str, Mapping[str, Mapping[str, object]]] = {
    "grpo": {"loss": {"aggregation": "sequence_mean", "clip_low": 0.2, "clip_high": 0.2, "kl_weight": 0.001}},
    "dapo": {"loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.28}},
    "dr_grpo": {
        "loss": {"aggregation": "constant", "clip_low": 0.2, "clip_high": 0.2},
        "advantage": {"std": "none"},
    },
    "gspo": {
        # recomputed, because rounding between a sampler's log-probs and the trainer's would exceed so narrow a clip
        "loss": {
            "ratio": "sequence",
            "aggregation": "sequence_mean",
            "clip_low": 3e-4,
            "clip_high": 4e-4,
            "old_logprobs": "recomputed",
        },
    },
    "rloo": {
        "loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.2},
        "advantage": {"baseline": "leave_one_out", "std": "none"},
    },
    "cispo": {"loss": {"policy": "cispo", "aggregation": "token_mean", "clip_high": 4.0}},
    "gppo": {
        "loss": {"policy": "gppo", "aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.28, "dual_clip": 10.0}
    },
    "ppo": {
        "loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.2},
        "advantage": {"baseline": "value", "std": "none", "whiten": True},
    },
    "reinforce": {
        "loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.2},
        "advantage": {"baseline": "greedy", "std": "none"},
    },
    "reinforce_pp": {
        "loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.2},
        "advantage": {"baseline": "none", "std": "none", "whiten": True},
    },
    "reinforce_pp_baseline": {
        "loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.2},
        "advantage": {"baseline": "mean", "std": "none", "whiten": True},
    },
    "microcoder_grpo": {
        "loss": {"aggregation": "token_mean", "clip_low": 0.2, "clip_high": 0.28},
        "truncation": {"share": 0.2, "qualify": "paper"},
    },
}
"""The values of each algorithm, by its name and section. Keys that are not listed keep their defaults."""
