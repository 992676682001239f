"""The prompt with which a model rates difficulty: a Markdown file with a version, dimensions and their weights.

The dimensions and weights are our own choice (docs/llm.md). A recipe may name another file in the same form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from yaml import YAMLError

from microcoder_data import bounded_yaml
from microcoder_eval import InputError

DEFAULT = "difficulty_v1"
LOWEST, HIGHEST = 1.0, 5.0


@dataclass(frozen=True)
class RatingPrompt:
    """A parsed prompt file."""

    version: str
    weights: Mapping[str, float]
    """The weight of each dimension; they add up to 1."""
    text: str

    @property
    def schema(self) -> dict[str, Any]:
        number = {"type": "number", "minimum": LOWEST, "maximum": HIGHEST}
        return {
            "type": "object",
            "properties": dict.fromkeys(self.weights, number),
            "required": list(self.weights),
            "additionalProperties": False,
        }

    def score(self, answer: Mapping[str, float]) -> float:
        """The weighted mean of the dimensions."""
        return sum(weight * answer[name] for name, weight in self.weights.items())


@lru_cache(maxsize=8)
def load_prompt(name: str) -> RatingPrompt:
    """Read a prompt: the package's own by its name, or a file.

    >>> round(sum(load_prompt("difficulty_v1").weights.values()), 6)
    1.0
    """
    try:
        if name == DEFAULT:
            text = (resources.files(__package__) / "prompts" / f"{name}.md").read_text(encoding="utf-8")
        else:
            text = Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"prompt {name}: cannot be read: {error}") from None
    try:
        _, head, body = text.split("---\n", 2)
        settings = bounded_yaml.parsed(head)
        weights = {str(dimension): float(weight) for dimension, weight in settings["dimensions"].items()}
        version = str(settings["version"])
    except (ValueError, TypeError, KeyError, AttributeError, YAMLError):
        raise InputError(
            f"prompt {name}: it must begin with version and dimensions between two lines `---`; the text follows"
        ) from None
    if abs(sum(weights.values()) - 1) > 1e-6 or min(weights.values()) < 0:
        raise InputError(f"prompt {name}: the weights of the dimensions must add up to 1")
    return RatingPrompt(version, weights, body.strip())
