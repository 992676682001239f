"""The files in `pipelines/lab/`: the arms of an experiment, and the claims that they decide, with their rules.

    lab = load_lab()                       # every experiment that comes with the package
    lab.arm("mask", "all").training(seed=3)

The paper's insights are E1 to K2. P1 to P8 are its Table 1, in this world and in three others. A1 to A5 change one part
of MicroCoder-GRPO at a time, O1 to O16 one key that the paper leaves open.

An arm is a training recipe over the lab's base recipe, with the lab's own settings: which questions are trained on, how
often the evaluator errs, what is probed. A claim has checks; a check names arms, what is measured, and what was
predicted. `decide.py` decides. Rules are in these files only, and are not changed after a look at their results.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from microcoder_data import bounded_yaml
from microcoder_data.config import from_mapping
from microcoder_data.shipped import pipelines
from microcoder_eval import InputError
from microcoder_rl.lab.words import LETTERS
from microcoder_rl.lab.world_config import WORLD_VERSION, WorldConfig
from microcoder_rl.recipe import build_config
from microcoder_rl.recipe.config import Config
from microcoder_rl.recipe.numbers import Count, NotNegative, Positive, Share
from microcoder_rl.recipe.reading import merged

RUN_VERSION = 1
"""Raised when a run with the same settings would give other figures."""
Statistic = Literal["first", "final", "rise", "peak", "peak_step", "fall", "early", "early_minus_final", "growth"]
Measure = Literal[
    "short",
    "long",
    "hex",
    "eval_length",
    "eval_cut",
    "robust_to",
    "reward",
    "length",
    "diversity",
    "entropy",
    "cut",
    "masked",
    "accepted_strict",
    "accepted_contest",
    "accepted_lenient",
    "agree_strict",
    "agree_contest",
    "agree_lenient",
]


@dataclass(frozen=True)
class ArmConfig:
    """One arm: what differs from the base."""

    recipe: Mapping[str, Any] = field(default_factory=dict)
    """Keys of a training recipe."""
    letters: tuple[Count, Count] = (1, len(LETTERS))
    """How many letters the training questions have, least and most. The test questions have all lengths."""
    refuse: Share = 0.0
    """Share of right replies that training's evaluator refuses."""
    accept: Share = 0.0
    """Share of wrong replies that training's evaluator accepts."""
    probe_temperatures: tuple[Positive, ...] = ()
    """At each evaluation, also measure the accuracy at these temperatures."""
    probe_policies: bool = False
    """At each evaluation, also grade the replies by each policy of the grader."""
    world: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the world (`WorldConfig`)."""


@dataclass(frozen=True)
class CheckConfig:
    """One comparison. Its statistic is the difference of two arms, or the value of one, for each seed."""

    measure: Measure
    statistic: Statistic
    arms: tuple[str, ...]
    """The first minus the second; or a single arm, whose value is compared with `than`."""
    predicted: Literal["higher", "lower", "equal"]
    margin: NotNegative
    """The smallest difference that counts. "equal" means nearer than this."""
    than: float = 0.0
    minus: Measure | None = None
    """Subtract this measure of the same arm."""

    def __post_init__(self) -> None:
        if len(self.arms) not in (1, 2):
            raise InputError("a check compares one arm or two")


@dataclass(frozen=True)
class ClaimConfig:
    """A claim of the paper."""

    claim: str
    checks: tuple[CheckConfig, ...] = ()
    needs: str = ""
    """Why the claim cannot be decided here; empty when it can."""
    note: str = ""
    """How the claim was read, written before the runs."""
    found: str = ""
    """Our explanation of the result, written after the runs; no verdict depends on it."""

    def __post_init__(self) -> None:
        if bool(self.checks) == bool(self.needs):
            raise InputError("a claim has either checks, or a reason why it cannot be decided here")


@dataclass(frozen=True)
class ExperimentConfig:
    """One file of `pipelines/lab/`."""

    title: str
    varied: str
    claims: Mapping[str, ClaimConfig]
    arms: Mapping[str, ArmConfig] = field(default_factory=dict)
    seeds: Count = 16

    def __post_init__(self) -> None:
        for name, claim in self.claims.items():
            unknown = {arm for check in claim.checks for arm in check.arms} - set(self.arms)
            if unknown:
                raise InputError(f"claims.{name}: there is no arm {sorted(unknown)[0]!r}")

    def measures(self, arm: str) -> set[str]:
        """The measures of an arm's runs that the checks and the page's tables use."""
        checks = [check for claim in self.claims.values() for check in claim.checks if arm in check.arms]
        checked = {measure for check in checks for measure in (check.measure, check.minus) if measure}
        return {"short", "long", "eval_length", *checked}


@dataclass(frozen=True)
class Arm:
    """An arm merged with the base recipe: everything that a run needs except the seed."""

    config: ArmConfig
    recipe: Mapping[str, Any]

    @property
    def world(self) -> WorldConfig:
        return from_mapping(WorldConfig, self.config.world, "world")

    def training(self, seed: int) -> Config:
        """The recipe of a run."""
        return build_config(merged(self.recipe, {"run": {"seed": seed}}), "lab")

    @property
    def key(self) -> str:
        """A hash of the arm's settings. Arms of different experiments with the same settings share their runs."""
        described = {"arm": {**asdict(self.config), "recipe": self.recipe}, "world": asdict(self.world)}
        versions = {"world_version": WORLD_VERSION, "run_version": RUN_VERSION}
        return hashlib.sha256(json.dumps({**described, **versions}, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Lab:
    """All experiments and the recipe that they have in common."""

    base: Mapping[str, Any]
    experiments: Mapping[str, ExperimentConfig]

    def arm(self, experiment: str, name: str) -> Arm:
        config = self.experiments[experiment].arms[name]
        return Arm(config, merged(self.base, config.recipe))

    @property
    def claims(self) -> dict[str, tuple[str, ClaimConfig]]:
        """Every claim by its name, with the experiment that it belongs to."""
        return {
            name: (experiment, claim)
            for experiment, config in self.experiments.items()
            for name, claim in config.claims.items()
        }

    def chosen(self, wanted: str) -> list[str]:
        """The claims that a text names: "C1", "M1-M6", "C1,T2", or all of them for an empty text."""
        known = sorted(self.claims, key=_in_order)
        if not wanted:
            return known
        found: list[str] = []
        for part in wanted.split(","):
            first, _, last = (piece.strip().upper() for piece in part.partition("-"))
            last = last or first
            for name in (first, last):
                if name not in known:
                    raise InputError(f"there is no claim {name!r}; the claims are {', '.join(known)}")
            between = known[known.index(first) : known.index(last) + 1]
            if not between:
                raise InputError(f"{last} comes before {first}: write {last}-{first}")
            found += between
        return list(dict.fromkeys(found))


def load_lab(folder: Path | None = None) -> Lab:
    """Read `base.yaml` and the experiments beside it.

    >>> sum(name[0] in "ETDCMBK" for name in load_lab().claims)
    34
    """
    folder = folder or pipelines() / "lab"
    base = _read(folder / "base.yaml")
    build_config(base, str(folder / "base.yaml"))
    experiments = {
        path.stem: from_mapping(ExperimentConfig, _read(path), str(path))
        for path in sorted(folder.glob("*.yaml"))
        if path.name != "base.yaml"
    }
    lab = Lab(base, experiments)
    for name, config in experiments.items():
        for arm in config.arms:
            known = lab.arm(name, arm)
            _ = known.training(0), known.world  # a wrong key is reported before anything runs
    return lab


def _read(path: Path) -> dict[str, Any]:
    try:
        found = bounded_yaml.parsed(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: expected keys and values")
    return found


def _in_order(claim: str) -> tuple[int, int]:
    return "PETDCMBKAO".find(claim[0]), int(claim[1:])
