"""The settings of a source in a recipe. Nothing here opens a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from microcoder_eval import InputError
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS


@dataclass(frozen=True)
class SourceSpec:
    """One source of a recipe: an adapter, and what it reads."""

    source: str
    """The adapter's name: taco, apps, code_contests, ... or generic."""
    name: str | None = None
    """The source's name in ids and statistics; by default the adapter's. Two generic sources need two names."""
    path: tuple[str, ...] = ()
    """Files or glob patterns, relative to the working directory; for packages also directories."""
    dataset: str | None = None
    """Instead of `path`: a dataset for `datasets.load_dataset`."""
    config: str | None = None
    """`dataset`: the configuration's name."""
    split: str | None = None
    """The split to load from `dataset`; with `path`, the split that the files belong to."""
    revision: str | None = None
    """The commit or version of the data; it goes into every row."""
    license: str | None = None
    """Replaces the license that the adapter gives."""
    fields: dict[str, Any] = field(default_factory=dict)
    """`generic`: for each column its place in the record, see docs/datasets.md."""
    one_test_a_record: bool = False
    """`generic`: each record is one test. Those with the same `fields.problem_id` make one problem with a list `tests`,
    which `fields.tests` names."""
    run_generators: bool = False
    """`polygon`: make the tests that a package leaves out with its generators, validators and main solution, run in the
    sandbox."""
    join: dict[str, Any] = field(default_factory=dict)
    """Files that the records refer to, by the adapter's names for them, see docs/datasets.md."""
    constants: dict[str, Any] = field(default_factory=dict)
    """Columns with the same value in every row, such as `platform: codeforces`."""
    levels: dict[str, str] = field(default_factory=dict)
    """Maps the source's words for a difficulty to easy, medium or hard, such as `novice: easy`."""
    max_characters: int = 100_000
    """Reject a record whose texts for readers (statement, formats, notes, explanations) are longer together."""

    def __post_init__(self) -> None:
        if self.max_characters < 1:
            raise InputError("max_characters must be positive")
        for word, level in self.levels.items():
            if level not in DIFFICULTY_LEVELS:
                raise InputError(f"levels.{word}: {level!r} is not one of {', '.join(DIFFICULTY_LEVELS)}")
        if bool(self.path) == bool(self.dataset):
            raise InputError(f"source {self.source!r}: give either path or dataset")
