"""The settings of the lab's world (`world.py`). Experiments are read, planned and shown with them, without torch."""

from __future__ import annotations

from dataclasses import dataclass

from microcoder_rl.recipe.numbers import Count, Share

WORLD_VERSION = 1


@dataclass(frozen=True)
class WorldConfig:
    """The world of an experiment: the size of its model, and the mixture of replies that the warm-up teaches."""

    hidden: Count = 64
    """Hidden size of the model."""
    layers: Count = 2
    steps: Count = 300
    """Supervised steps of the warm-up."""
    drill: Share = 0.5
    """The share of these steps, from the first on, in which nearly every reply has working, so that the model learns
    it."""
    batch: Count = 64
    """Replies in a step of the warm-up."""
    models: Count = 2
    """How many models are warmed up. A run with seed s begins with model s % models."""
    worked: Share = 0.45
    """Share of replies that write a line of working for every letter."""
    skipping: Share = 0.10
    """Share of replies that write a line for every second letter only. The others begin with the program."""
    guessing: Share = 0.25
    """How often a reply without working guesses the value, for one letter; for k letters, this to the power 1 / k^2."""
    rare: Share = 0.01
    """Share of programs that read hexadecimal input, whatever the question asks."""
    filler: Share = 0.06
    """Share of replies with filler words."""
    filler_goes_on: Share = 0.9
    """The probability that another word follows a word of filler or a remark."""
    remarks: Share = 0.08
    """Share of replies with remarks after the program."""
    keeping: Share = 0.4
    """Share of letters that keep the value."""
    hexadecimal: Share = 0.15
    """Share of questions with hexadecimal input."""
