"""The kinds of numbers that recipe keys hold, each with its range."""

from __future__ import annotations

from typing import Annotated

from microcoder_data.number_range import Range

Count = Annotated[int, Range(1)]
Whole = Annotated[int, Range(0)]
Seed = Annotated[int, Range(0, below=10**18)]
Positive = Annotated[float, Range(above=0)]
NotNegative = Annotated[float, Range(0)]
Share = Annotated[float, Range(0, 1)]
BelowOne = Annotated[float, Range(0, below=1)]
