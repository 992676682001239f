"""The pages that describe a finished build."""

from __future__ import annotations

from pathlib import Path

from microcoder_data.engine import Engine
from microcoder_data.report.card import write_card
from microcoder_data.report.dataset_report import write_report
from microcoder_data.report.take_account import take_account


def describe(directory: Path, engine: Engine | None = None) -> list[Path]:
    """Write the dataset card and the report of the build in `directory`; the engine's workers count its files.

    >>> describe(Path("datasets/mine"))                                          # doctest: +SKIP
    [PosixPath('datasets/mine/README.md'), PosixPath('datasets/mine/report.html')]
    """
    account = take_account(directory, engine)
    return [write_card(directory, account), write_report(directory, account)]
