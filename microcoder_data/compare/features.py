"""The map half of Compare: compute the features by which a shard's rows are compared, and write them as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from microcoder_data.compare.benchmarks import PAPER_GRAM, BenchmarkIndex, key_of
from microcoder_data.compare.evidence import signature_key
from microcoder_data.compare.examples import canonical, example_keys
from microcoder_data.compare.families import title_key
from microcoder_data.compare.near import DOCUMENT_BITS, DOCUMENT_MASK, keys_of_tokens
from microcoder_data.compare.profile import ProfileFile, profile_line, profile_of
from microcoder_data.compare.settings import Compare
from microcoder_data.compare.tokens import gram_hashes, mixed, token_hashes, without_markup
from microcoder_data.faults import place_of, text_of
from microcoder_data.process.render import whole_text
from microcoder_data.schema import Row, fields_of
from microcoder_data.shards import read_shard, test_bytes
from microcoder_eval.atomic import atomic_path

# The kinds of buckets: why rows in one bucket may be one problem, in the order in which they are judged.
BUCKETS = ("same_text", "same_tests", "same_address", "same_samples", "same_name", "same_id")
SAME_TEXT, SAME_TESTS, SAME_ADDRESS, SAME_SAMPLES, SAME_NAME, SAME_ID = range(6)
SAME_SHINGLES = 6
"""Texts with the same shingles count as the same text, and only the first of them takes part in the near join."""
KIND_BITS = np.uint64(56)
"""In `NAME.buckets.npy` an entry is its key and one number: the row in the low 56 bits, the kind above them."""
LEAST_SAMPLE_WEIGHT, LEAST_NAME = 5, 5
LONG_TEST_TOKENS, LONG_ANSWER_TOKENS, LONG_TESTS = 40, 8, 3
LEAST_TESTS_BYTES = 40
FILES = ("facts.parquet", "profiles.bin", "marks.npz", "keys.npy", "buckets.npy", "profiles.npy")
"""The files of a shard: numbers by row, profiles of rows, benchmark hits, shingles, buckets, offsets of profiles."""
COLUMNS = [
    "problem_id", "statement", "input_format", "output_format", "constraints", "notes", "samples",
    *fields_of("tests", "input", "output", "ref"), "test_code", "tests_sha256", "platform", "contest_id",
    "problem_index", "slug", "url", "title", "contest_date", "difficulty", "language", "kind", "entry_point", "checker",
]  # fmt: skip

FACTS = pa.schema(
    [
        ("problem_id", pa.string()),
        ("tests", pa.int32()),
        ("contest_date", pa.date32()),
        ("grams", pa.int32()),
        ("level", pa.string()),
        ("predicted", pa.float32()),
        ("shingles", pa.int32()),
        ("failed", pa.list_(pa.string())),  # the text and the place of an exception on this row
    ]
)


def write_features(
    settings: Compare, index: BenchmarkIndex | None, *, shard: str, folder: Path, name: str
) -> tuple[int, list[Path]]:
    """Write the features of one shard's rows; returns how many rows it has, and the files."""
    facts: list[dict[str, object]] = []
    texts: list[str] = []
    buckets: list[tuple[int, int]] = []
    examples: list[tuple[int, int]] = []
    profiles = ProfileFile()
    for number, row in enumerate(read_shard(Path(shard), COLUMNS)):
        failed = None
        try:
            text, line, keys, shown = _features(row, index)
        except Exception as error:  # a row without features is compared with none
            failed = [text_of(error), place_of(error)]
            text, line, keys, shown = "", b"", [], []
        texts.append(without_markup(text))
        difficulty = row["difficulty"] or {}
        facts.append(
            {
                "problem_id": row["problem_id"],
                "tests": len(row["tests"]),
                "contest_date": row["contest_date"],
                "level": difficulty.get("level"),
                "predicted": difficulty.get("predicted"),
                "failed": failed,
            }
        )
        profiles.add(line)
        buckets += [(key, (kind << int(KIND_BITS)) | number) for kind, key in keys]
        examples += [(number, int(key, 16)) for key in shown]
    arrays = {"examples": _columns(_known(examples, index), 2)}
    hashes, offsets = token_hashes(texts)
    if index is not None:
        for size in index.grams:
            arrays[f"hits{size}"] = _hits(index, size, hashes, offsets)
    lengths = np.diff(offsets)
    shingles = keys_of_tokens(hashes, offsets) if settings.duplicates else np.empty(0, np.uint64)
    owner = (shingles & DOCUMENT_MASK).astype(np.int64)
    counts = np.bincount(owner, minlength=len(texts))
    entries = _columns(buckets, 2)
    if settings.duplicates and settings.duplicates.near is not None:
        entries = np.concatenate([entries, _same_shingles(shingles, owner, counts)], axis=1)
    for fact, length, count in zip(facts, lengths.tolist(), counts.tolist(), strict=True):
        fact |= {"grams": max(1, length - PAPER_GRAM + 1), "shingles": count}
    paths = [folder / f"{name}.{kind}" for kind in FILES]
    with atomic_path(paths[0]) as path:
        pq.write_table(pa.Table.from_pylist(facts, schema=FACTS), path, compression="zstd")
    with atomic_path(paths[1]) as path:
        path.write_bytes(profiles.body())
    with atomic_path(paths[2]) as path, open(path, "wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    order = np.lexsort((entries[1], entries[0]))
    for target, array in zip(paths[3:], (shingles, entries[:, order], profiles.starts()), strict=True):
        with atomic_path(target) as path, open(path, "wb") as file:
            np.save(file, array)
    return len(facts), paths


def _features(row: Row, index: BenchmarkIndex | None) -> tuple[str, bytes, list[tuple[int, int]], list[str]]:
    """A row's text, its profile as a line, its buckets, and the keys of its examples."""
    text, profile = whole_text(row), profile_of(row)
    shown = list(example_keys(row)) if index is not None else []
    return text, profile_line(profile), _buckets(row, text, profile), shown


def _same_shingles(shingles: np.ndarray, owner: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Bucket entries whose key is a hash over all shingles of a text."""
    signature = np.zeros(len(counts), np.uint64)
    np.add.at(signature, owner, mixed(shingles >> DOCUMENT_BITS))
    rows = np.flatnonzero(counts).astype(np.uint64)
    keys = mixed(signature[counts > 0] ^ mixed(counts[counts > 0].astype(np.uint64)))
    return np.stack([keys, (np.uint64(SAME_SHINGLES) << KIND_BITS) | rows])


def _buckets(row: Row, text: str, profile: dict[str, Any]) -> list[tuple[int, int]]:
    """(kind, key) of the buckets that a row belongs to."""
    found = [(SAME_ID, key_of(row["problem_id"])), (SAME_TEXT, key_of(" ".join(text.lower().split())))]
    found += [(SAME_ADDRESS, key_of(name)) for name in profile["names"]]
    shown = profile["samples"] or profile["tests"]
    found += [
        (SAME_SAMPLES, key_of(f"{input_text}\x1f{expected}"))
        for input_text, expected in shown.items()
        if profile["weights"][input_text] >= LEAST_SAMPLE_WEIGHT
    ]
    function = signature_key(profile["entry_point"])
    light = [
        f"{given}\x1f{wanted}" for given, wanted in shown.items() if profile["weights"][given] < LEAST_SAMPLE_WEIGHT
    ]
    if function:  # what weighs little counts beside the function's name, or together
        found += [(SAME_SAMPLES, key_of(f"{function}\x1f{one}")) for one in light]
    elif len(light) > 1:
        found.append((SAME_SAMPLES, key_of("\x1f".join(sorted(light)))))
    names = {title_key(profile["title"]), function} if shown else set()
    found += [(SAME_NAME, key_of(name)) for name in sorted(names) if len(name) >= LEAST_NAME]
    tests = row["tests"]
    weight = len(row["test_code"] or "") + sum(map(test_bytes, tests))
    if row["tests_sha256"] and weight >= LEAST_TESTS_BYTES and (len(tests) > 1 or row["test_code"]):
        found.append((SAME_TESTS, key_of(row["tests_sha256"])))
    long = sorted(
        (test for test in tests if not test["ref"] and test_bytes(test) > 2 * LONG_TEST_TOKENS), key=test_bytes
    )
    for test in long[-LONG_TESTS:]:
        question, answer = canonical(test["input"]), canonical(test["output"])
        long_question = question.count(" ") >= LONG_TEST_TOKENS or len(test["input"]) > 8 * LONG_TEST_TOKENS
        if long_question and (answer.count(" ") >= LONG_ANSWER_TOKENS or len(test["output"]) > 8 * LONG_ANSWER_TOKENS):
            found.append((SAME_TESTS, key_of(f"{question}\x1f{answer}")))
    return found


def _known(examples: list[tuple[int, int]], index: BenchmarkIndex | None) -> list[tuple[int, int]]:
    """The (row, key) pairs whose key is a sample of a benchmark."""
    if index is None or not examples:
        return []
    keys = np.array([key for _, key in examples], np.uint64)
    return [pair for pair, known in zip(examples, np.isin(keys, index.samples[0]).tolist(), strict=True) if known]


def _hits(index: BenchmarkIndex, size: int, hashes: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """(row, n-gram) for every n-gram that a row and some benchmark item have, each once."""
    grams, row = gram_hashes(hashes, offsets, size)
    known = np.unique(index.grams[size][0])
    if not len(known) or not len(grams):
        return np.empty((2, 0), np.uint64)
    place = np.minimum(np.searchsorted(known, grams), len(known) - 1)
    hit = known[place] == grams
    return np.unique(np.stack([row[hit].astype(np.uint64), grams[hit]]), axis=1)


def _columns(pairs: Sequence[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array(pairs, np.uint64).reshape(-1, width).T
