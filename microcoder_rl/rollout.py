"""The records that pass between the trainer and an engine: a request for replies, and a reply (rollout).

A rollout carries everything that gives it meaning: its seed, temperature, log-probs, grade, advantage and weight.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from torch import Tensor

    from microcoder_eval import Grade

Weights = Iterable[tuple[str, "Tensor"]]
"""Every weight of a model under its Hugging Face name."""
Finish = Literal["stop", "length"]


@dataclass(frozen=True)
class Request:
    """One prompt to sample from. It gets one reply per seed, and a reply depends on its own seed only."""

    prompt_ids: tuple[int, ...]
    seeds: tuple[int, ...]
    drawn: int = 0
    """How many tokens of each reply were sampled before. The prompt ends with them, and as many numbers of each seed's
    random stream are skipped."""


@dataclass(frozen=True)
class Turn:
    """An earlier reply of a conversation, and the feedback that followed it."""

    begin: int
    end: int
    """The feedback is `response_ids[begin:end]`."""
    feedback: str
    grade: Grade
    reward: float


@dataclass
class Rollout:
    """One reply, or a conversation of several turns. The engine fills the fields up to `temperature`, grading and the
    trainer fill the rest."""

    group: int
    """Index of the request that it answers."""
    sample: int
    """Index within the group."""
    seed: int
    prompt_ids: tuple[int, ...]
    response_ids: list[int]
    """Sampled tokens. The end token is included when there is one. With several turns: all that follows the prompt,
    with the feedback between the replies."""
    sampled_logprobs: list[float]
    """Log-prob of each sampled token as the engine recorded it, at `temperature`. Feedback has none."""
    finish: Finish
    """"stop": the model ended the reply. "length": the reply was cut at the limit."""
    temperature: float
    versions: list[tuple[int, int]] = field(default_factory=list)
    """Which weights sampled the reply: (version, number of tokens) in order; a version is a number of steps. Empty when
    the weights before this step's update sampled all of it."""
    text: str = ""
    grade: Grade | None = None
    reward: float | None = None
    """None when the judge failed. The reply then takes no part in its group's statistics."""
    earlier: list[Turn] = field(default_factory=list)
    """The turns before the last one. `grade`, `reward` and `finish` are those of the last turn."""
    advantage: float = 0.0
    mask: str | None = None
    """Why the truncation mask set the advantage to 0; None when it did not."""
    token_advantages: list[float] | None = None
    """Advantage of each sampled token, where it is not the same for all of them."""
    penalty: float = 0.0
    """What the overlong penalty adds to the reward."""
    values: list[float] = field(default_factory=list)
    """The critic's value of each sampled token before the step's updates (advantage.baseline value)."""
    returns: list[float] = field(default_factory=list)
    """What the critic learns for each sampled token."""
    executed: list[int] | None = None
    """The lines of the program that a test executed. None when the recipe does not ask for them, or when unknown."""
    token_weight: float = 0.0
    """Weight of each of its tokens in the loss of its mini-batch."""
    recomputed_logprobs: list[float] | None = None
    """Log-prob of each token under the trainer's weights at the start of the step, when the recipe asks for them."""

    @property
    def accuracy(self) -> float | None:
        """1 when the program was accepted, 0 when not, None when it could not be judged."""
        return None if self.grade is None else self.grade.reward

    @property
    def truncated(self) -> bool:
        return self.finish == "length"

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where each turn's sampled tokens begin and end in `response_ids`."""
        begins = [0, *(turn.end for turn in self.earlier)]
        ends = [*(turn.begin for turn in self.earlier), len(self.response_ids)]
        return list(zip(begins, ends, strict=True))

    @property
    def sampled_ids(self) -> list[int]:
        """The tokens that the model sampled: `response_ids` without feedback."""
        return [token for begin, end in self.spans for token in self.response_ids[begin:end]]

    @property
    def last_reply(self) -> list[int]:
        """The tokens of the last turn."""
        return self.response_ids[self.earlier[-1].end :] if self.earlier else self.response_ids

    @property
    def continuation(self) -> Request:
        """The request by which an engine continues this reply."""
        return Request((*self.prompt_ids, *self.response_ids), (self.seed,), drawn=self.length)

    def append(self, piece: Rollout) -> None:
        """Add what an engine sampled in answer to `continuation`."""
        self.response_ids += piece.response_ids
        self.sampled_logprobs += piece.sampled_logprobs
        self.finish = piece.finish

    @property
    def length(self) -> int:
        """The number of sampled tokens."""
        return len(self.response_ids) - sum(turn.end - turn.begin for turn in self.earlier)

    @property
    def has_signal(self) -> bool:
        """Whether any of its tokens has an advantage other than 0."""
        return self.advantage != 0 if self.token_advantages is None else any(self.token_advantages)
