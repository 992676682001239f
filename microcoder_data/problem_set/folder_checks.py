"""Check a problem folder without grading: sections, samples, sizes, counts, determinism of the generator.

Each check yields one line for each fault; no submission is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from microcoder_data.problem_set.reader import Entry
from microcoder_data.problem_set.reference import generate_inputs
from microcoder_data.problem_set.statement import SECTIONS, samples, sections
from microcoder_eval import TestCase
from microcoder_eval.arguments import parse_arguments, parse_value

TESTS = range(8, 21)
MAX_INPUT_BYTES = 400_000
TIME_LIMITS_S = (0.5, 10.0)
MEMORY_LIMITS_MB = (64, 1024)
MIN_RIGHT = 2
MIN_WRONG = 3
SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def folder_faults(entry: Entry) -> Iterator[str]:
    """What is wrong with the folder itself: its name, limits, statement and the number of its solutions."""
    if not SLUG.fullmatch(entry.slug):
        yield f"the folder's name {entry.slug!r} is not lower-case words joined by hyphens"
    if not TIME_LIMITS_S[0] <= entry.time_limit_s <= TIME_LIMITS_S[1]:
        yield f"time_limit_s {entry.time_limit_s} is outside {TIME_LIMITS_S[0]}..{TIME_LIMITS_S[1]}"
    if not MEMORY_LIMITS_MB[0] <= entry.memory_limit_mb <= MEMORY_LIMITS_MB[1]:
        yield f"memory_limit_mb {entry.memory_limit_mb} is outside {MEMORY_LIMITS_MB[0]}..{MEMORY_LIMITS_MB[1]}"
    if not entry.tags:
        yield "no tags"
    yield from statement_faults(entry)
    right = len(entry.with_role("right")) + len(entry.with_role("slow_right"))
    if right < MIN_RIGHT:
        yield f"{right} right solution(s); at least {MIN_RIGHT} independent ones are needed"
    wrong = entry.with_role("wrong")
    if len(wrong) < MIN_WRONG:
        yield f"{len(wrong)} wrong solution(s); at least {MIN_WRONG} are needed"
    for solution in wrong:
        if not solution.reason:
            yield f"{solution.name}: its first line must say how and why it fails, such as '# wrong: REASON'"


def statement_faults(entry: Entry) -> Iterator[str]:
    """Sections of the statement that are missing or empty."""
    found = sections(entry.statement)
    if not found[""]:
        yield "statement.md: nothing before the first section: the task itself is missing"
    for name in SECTIONS[entry.kind]:
        if not found.get(name):
            yield f"statement.md: the section '## {name}' is {'empty' if name in found else 'missing'}"
    if entry.kind == "call" and entry.starter.strip() not in entry.statement:
        yield "statement.md: the Signature section does not show starter.py"


def generator_faults(entry: Entry, inputs: Sequence[Any]) -> Iterator[str]:
    """Too many, too few, too large or repeated tests, and a generator whose second run gives other tests."""
    if len(inputs) not in TESTS:
        yield f"{len(inputs)} tests; {TESTS.start} to {TESTS.stop - 1} are wanted"
    size = sum(len(given if isinstance(given, str) else repr(given)) for given in inputs)
    if size > MAX_INPUT_BYTES:
        yield f"the inputs take {size:,} bytes; at most {MAX_INPUT_BYTES:,}"
    for index, given in enumerate(inputs):
        if given in inputs[:index]:
            yield f"test {index} repeats test {list(inputs).index(given)}"
        if isinstance(given, str) and not given.endswith("\n"):
            yield f"test {index}: the input does not end with a line break"
    if any(generate_inputs(entry, hash_seed) != list(inputs) for hash_seed in (1, 2)):
        yield "generator.py is not deterministic: two runs gave different tests"


def sample_faults(entry: Entry, tests: Sequence[TestCase]) -> Iterator[str]:
    """Samples of the statement that are not the first tests. An interactive problem shows an exchange instead."""
    shown = samples(entry.statement)
    if not shown:
        yield "statement.md: no samples: write each as a fenced input block and a fenced output block"
    if entry.kind == "interactive":
        return
    for index, (sample, test) in enumerate(zip(shown, tests, strict=False)):
        if not _same(entry.kind, sample[0], test.input, parse_arguments):
            yield f"statement.md: the input of sample {index + 1} is not that of test {index}"
        if not _same(entry.kind, sample[1], test.output, parse_value):
            yield f"statement.md: the output of sample {index + 1} is not the reference's: {_short(test.output)}"
    if len(shown) > len(tests):
        yield f"statement.md: {len(shown)} samples, but only {len(tests)} tests"


def _same(kind: str, shown: str, made: Any, parse: Any) -> bool:
    """Whether a sample's text is this input or output. `parse`: from text to values, for kind call."""
    if kind != "call":
        return _lines(shown) == _lines(made)
    value = parse(shown)
    return bool((list(value.values()) if isinstance(value, dict) and isinstance(made, list) else value) == made)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
