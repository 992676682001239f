"""The rule that caps the tests of a row: it keeps the longest (as in the paper), or tests with many different
outputs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from microcoder_data.rules import Outcome, changed, drop, kept
from microcoder_data.schema import Row, text_sha256
from microcoder_data.shards import test_bytes
from microcoder_eval import InputError

Test = dict[str, Any]


@dataclass(frozen=True)
class TestCap:
    """Cap the tests of a row; drop rows with too few tests, or too few different outputs."""

    __test__ = False

    name: ClassVar[str] = "tests_v1"
    choose: Literal["longest", "diverse", "all"] = "longest"
    """`longest`: the longest tests, as in the paper. `diverse`: tests of every output in turn, with long and short
    inputs. `all`: no cap."""
    limit: int = 15
    """Keep at most this many tests."""
    min_tests: int = 1
    min_distinct_outputs: int = 1
    """Drop a row with fewer different outputs. With 2, a row is dropped if all its tests have the same output, which a
    program that prints a constant would pass."""

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise InputError("limit must be at least 1")

    def __call__(self, row: Row) -> Outcome | None:
        tests = row["tests"]
        if row["kind"] not in ("stdin", "call"):
            return None
        if len(tests) < self.min_tests:
            return drop("too_few_tests", None, len(tests), self.min_tests)
        distinct = len({test["ref"] or test["output"].strip() for test in tests})
        if distinct < self.min_distinct_outputs:
            return drop("one_answer_fits_all", None, distinct, self.min_distinct_outputs)
        if self.choose == "all" or len(tests) <= self.limit:
            return kept(len(tests), self.limit)
        chosen = longest(tests, self.limit) if self.choose == "longest" else diverse(tests, self.limit)
        row["tests"] = [tests[index] for index in sorted(chosen)]
        return changed(f"{self.choose} {len(row['tests'])} of {len(tests)}", len(tests))


def longest(tests: list[Test], limit: int) -> list[int]:
    """The positions of the longest tests; of equally long ones, the earlier.

    >>> longest([{"input": "1", "output": "", "ref": None}, {"input": "22", "output": "", "ref": None}], 1)
    [1]
    """
    return sorted(range(len(tests)), key=lambda index: (-test_bytes(tests[index]), index))[:limit]


def diverse(tests: list[Test], limit: int) -> list[int]:
    """Positions taken from each output in turn, rarest output first, alternating long and short inputs."""
    by_answer: dict[str, list[int]] = defaultdict(list)
    for index in sorted(range(len(tests)), key=lambda index: (-test_bytes(tests[index]), index)):
        test = tests[index]
        by_answer[test["ref"] or text_sha256(test["output"].strip())].append(index)
    queues = sorted(by_answer.values(), key=lambda queue: (len(queue), queue[0]))
    chosen: list[int] = []
    take_long = True
    while queues and len(chosen) < limit:
        chosen += [queue.pop(0 if take_long else -1) for queue in queues[: limit - len(chosen)]]
        queues = [queue for queue in queues if queue]
        take_long = not take_long
    return chosen
