"""What the quickstart runs: three chapters of commands. Each command can be repeated or continued."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from microcoder_data.shipped import pipelines


@dataclass(frozen=True)
class Step:
    """A command, and the file that marks it as finished. None when the command itself skips finished work."""

    command: tuple[str, ...]
    finished: Path | None = None


@dataclass(frozen=True)
class Chapter:
    """One job of MicroCoder, with the commands for it."""

    title: str
    about: str
    steps: tuple[Step, ...]


def chapters(out: Path, steps: int, keys: Sequence[str] = ()) -> list[Chapter]:
    """The chapters of a quickstart in `out` that trains for `steps` steps, with `keys` of the training's recipe."""
    trained = quote("-".join(("finished", str(steps), *keys)), safe="")
    raw, dataset, programs, grades, training = (
        out / name for name in ("raw", "dataset", "programs", "easy-problems", "training")
    )
    return [
        Chapter(
            "A dataset",
            "Raw problems, with faults planted on purpose, become a dataset. Every dropped record has a reason.",
            (
                Step(("problems", "raw", str(raw)), raw / "key.jsonl"),
                Step(("data", "build", str(raw / "recipe.yaml"), "--out", str(dataset), "--resume")),
                Step(("problems", "recall", str(raw / "key.jsonl"), str(dataset))),
            ),
        ),
        Chapter(
            "Grading",
            "Right, wrong, slow, crashing and cheating programs. Each one states which verdict it should get.",
            (
                Step(
                    (
                        *("problems", "export", str(programs), "--difficulty", "easy"),
                        *("--language", "python", "--cheats"),
                    ),
                    programs / "submissions.jsonl",
                ),
                Step(
                    (
                        *("eval", "grade", "--problems", str(programs / "problems.jsonl")),
                        *("--submissions", str(programs / "submissions.jsonl"), "--out", str(grades), "--resume"),
                    ),
                ),
            ),
        ),
        Chapter(
            "Training",
            "A model of 1.3 million parameters learns to write small programs: a warm-up, then MicroCoder-GRPO.",
            (
                Step(
                    (
                        *("train", "run", str(pipelines() / "train" / "tiny.yaml")),
                        *(f"run.out={training}", f"run.steps={steps}", f"tiny.cache={out / 'world'}", *keys),
                        "--resume",
                    ),
                    training / trained,
                ),
                Step(("train", "plot", str(training), "--smooth", "3", "--out", str(training / "curves.html"))),
            ),
        ),
    ]
