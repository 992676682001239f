"""Running the quickstart: one command after the other, in one folder.

A step that was finished before is skipped. `chapters.py` lists the steps, `page.py` writes the results.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from microcoder_eval import InputError
from microcoder_rl.quickstart.chapters import Chapter, Step, chapters

MARK = "quickstart.txt"
"""The file that marks a quickstart's folder. `--fresh` removes no other folder."""


def prepare_folder(out: Path, fresh: bool) -> None:
    """Make the folder, or refuse one that holds something else; `fresh` removes what an earlier quickstart left."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file; give --out a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).exists():
        raise InputError(f"{out} holds something else; give --out another folder")
    if fresh and out.is_dir():
        shutil.rmtree(out)
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("Made by `microcoder quickstart`; can be removed.\n", encoding="utf-8")


def run_chapters(
    out: Path,
    steps: int,
    keys: Sequence[str],
    *,
    show_chapter: Callable[[int, int, Chapter], None],
    show_step: Callable[[Step, bool], None],
    run_command: Callable[[tuple[str, ...]], None],
) -> None:
    """Run every step that is not finished. `steps`: how long to train, `keys`: overrides of the training's recipe.

    `run_command` runs one command of the command line. `show_step` also receives whether the step is skipped.
    """
    all_chapters = chapters(out, steps, keys)
    for number, chapter in enumerate(all_chapters, start=1):
        show_chapter(number, len(all_chapters), chapter)
        for step in chapter.steps:
            finished = step.finished is not None and step.finished.exists()
            show_step(step, finished)
            if finished:
                continue
            run_command(step.command)
            if step.finished is not None:
                step.finished.touch()
