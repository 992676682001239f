"""The kinds of numbers that recipe keys hold, each with its range. Single precision holds all of them."""

from __future__ import annotations

from typing import Annotated

from microcoder_data.number_range import Range

Count = Annotated[int, Range(1, 10**9)]
Whole = Annotated[int, Range(0, 10**9)]
Threads = Annotated[int, Range(0, 4096)]
Workers = Annotated[int, Range(1, 4096)]
Seed = Annotated[int, Range(0, below=10**18)]
Positive = Annotated[float, Range(1e-30, 10**9)]
ZeroOrPositive = Annotated[float, Range(1e-30, 10**9, zero=True)]
NotNegative = Annotated[float, Range(0, 10**9)]
AboveOne = Annotated[float, Range(above=1, high=10**9)]
Seconds = Annotated[float, Range(above=0, high=10**7)]
Share = Annotated[float, Range(0, 1)]
BelowOne = Annotated[float, Range(0, below=1)]
