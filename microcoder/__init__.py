"""MicroCoder: grade model-written programs, build verified datasets of problems, train coding models.

    import microcoder

    microcoder.__version__
    microcoder.grade(microcoder.Problem.from_dict(problem), reply).verdict

A thin front: the names below are imported from `microcoder_eval`, `microcoder_data` and `microcoder_rl` when they are
first used. `python -m microcoder` is the command line.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from microcoder_data import build, load_recipe, make_engine
    from microcoder_eval import Checker, Grade, Grader, Policy, Problem, Submission, TestCase, Verdict, grade
    from microcoder_rl.recipe import load_recipe as load_training_recipe
    from microcoder_rl.run import train

__all__ = [
    "Checker", "Grade", "Grader", "Policy", "Problem", "Submission", "TestCase", "Verdict", "__version__", "build",
    "grade", "load_recipe", "load_training_recipe", "make_engine", "train",
]  # fmt: skip

_MODULES = {
    **dict.fromkeys(("build", "load_recipe", "make_engine"), "microcoder_data"),
    "load_training_recipe": "microcoder_rl.recipe",
    "train": "microcoder_rl.run",
}
"""The module of a name; `microcoder_eval` has all the others."""
_NAME_THERE = {"load_training_recipe": "load_recipe"}
"""The name in its module, where it differs."""
_EXTRAS = {"microcoder_data": "data", "microcoder_rl": "train"}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib import metadata  # slow to import

        return metadata.version("microcoder")
    if name not in __all__:
        raise AttributeError(f"module 'microcoder' has no attribute {name!r}")
    place = _MODULES.get(name, "microcoder_eval")
    try:
        return getattr(importlib.import_module(place), _NAME_THERE.get(name, name))
    except ModuleNotFoundError as missing:
        extra = _EXTRAS.get(place.partition(".")[0])
        if extra is None or (missing.name or "").startswith("microcoder"):
            raise
        from microcoder_eval.install_line import install_line

        needs = f"microcoder.{name} needs {missing.name}: {install_line(extra)}"
        raise ModuleNotFoundError(needs, name=missing.name) from None


def __dir__() -> list[str]:
    return __all__
