"""The rule that keeps rows by date, difficulty, language and license."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.rules import Outcome, drop, drop_named
from microcoder_data.schema import Row


@dataclass(frozen=True)
class Window:
    """Keep rows inside the given windows. A row without a date, level or rating is kept, but `dated_only` drops
    rows without a date."""

    name: ClassVar[str] = "window_v1"
    since: datetime.date | None = None
    """The first contest date that is kept."""
    before: datetime.date | None = None
    """The first contest date that is no longer kept."""
    dated_only: bool = False
    """Drop rows without a contest date."""
    levels: tuple[str, ...] = ()
    """Keep only these levels (easy, medium, hard); empty for all."""
    min_rating: int | None = None
    max_rating: int | None = None
    languages: tuple[str, ...] = ()
    """Keep only statements in these languages; empty for all."""
    licenses: tuple[str, ...] = ()
    """Keep only rows under these licenses, in upper or lower case; empty for all."""

    def __call__(self, row: Row) -> Outcome | None:
        date = row["contest_date"]
        if date is None and self.dated_only:
            return drop("no_date")
        if date is not None and self.since is not None and date < self.since:
            return drop("too_old", f"{date} is before {self.since}")
        if date is not None and self.before is not None and date >= self.before:
            return drop("too_new", f"{date} is not before {self.before}")
        difficulty = row["difficulty"] or {}
        level, rating = difficulty.get("level"), difficulty.get("rating")
        if self.levels and level is not None and level not in self.levels:
            return drop_named("level", level)
        if rating is not None and self.min_rating is not None and rating < self.min_rating:
            return drop("too_easy", None, rating, self.min_rating)
        if rating is not None and self.max_rating is not None and rating > self.max_rating:
            return drop("too_hard", None, rating, self.max_rating)
        if self.languages and row["language"] not in (*self.languages, None, "unknown"):
            return drop_named("language", row["language"])
        if self.licenses and (row["license"] or "").lower() not in {name.lower() for name in self.licenses}:
            return drop_named("license", row["license"])
        return None
