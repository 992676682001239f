"""The pages that describe a finished build."""

from __future__ import annotations

from pathlib import Path

from microcoder_data.report.account import take_account
from microcoder_data.report.card import write_card
from microcoder_data.report.dataset_report import write_report


def describe(directory: Path) -> list[Path]:
    """Write the dataset card and the report of the build in `directory`.

    >>> describe(Path("datasets/mine"))                                          # doctest: +SKIP
    [PosixPath('datasets/mine/README.md'), PosixPath('datasets/mine/report.html')]
    """
    account = take_account(directory)
    return [write_card(directory, account), write_report(directory, account)]
