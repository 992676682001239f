"""nvidia/OpenCodeReasoning-2: models' answers and critiques to problems of other data sets, in Python and C++.

It has no tests. By the keys of its card, a row names the data set, the split and the position of its problem as
OpenCodeReasoning does, and is read like one of those (`join`). The answer becomes a solution that is neither right nor
wrong: `judgement` is another model's opinion, and the tests behind `pass_rate` are not published. The recipe gives the
language: `split: cpp` for the C++ files.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import Row
from microcoder_data.sources import columns, opencodereasoning


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    answer = {**record, "output": columns.text(record, "r1_generation")}
    row = opencodereasoning.to_row(answer, dataclasses.replace(spec, split=None))
    row["source"] = "opencodereasoning_2"
    if spec.split == "cpp":
        for one in row["solutions"]:
            if one["origin"] == "model":
                one["language"] = "cpp"
    return row
