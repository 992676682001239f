"""The index of benchmark problems: addresses, samples and n-grams, as arrays that every worker maps from disk."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from microcoder_data.compare.examples import sample_keys
from microcoder_data.compare.settings import Benchmark
from microcoder_data.compare.tokens import Hashes, gram_hashes, token_hashes, without_markup
from microcoder_data.faults import place_of
from microcoder_data.identity import identities
from microcoder_data.process import Process
from microcoder_data.process.render import whole_text
from microcoder_data.reading.files import find_files
from microcoder_data.reading.hub import hub_parts
from microcoder_data.reading.records import read_part
from microcoder_data.reading.scanning import scan_whole
from microcoder_data.rules import Reject, rules_of
from microcoder_data.schema import Row, text_sha256
from microcoder_data.sources import adapter
from microcoder_eval.atomic import atomic_path, write_json

PAPER_GRAM = 16
"""Words in an n-gram of the paper's rule (`paper_grams`)."""


@dataclass(frozen=True)
class BenchmarkIndex:
    """Benchmark items by number. Each pair of arrays holds sorted 64-bit keys and the item of each key."""

    items: list[tuple[str, str]]
    """Benchmark and id of each item."""
    addresses: tuple[Hashes, NDArray[np.int64]]
    samples: tuple[Hashes, NDArray[np.int64]]
    sample_weights: NDArray[np.int64]
    """How much evidence each entry of `samples` is: see `examples.py`."""
    grams: dict[int, tuple[Hashes, NDArray[np.int64]]]
    """The n-grams of the items, by n."""


def key_of(text: str) -> int:
    """A 64-bit key of a name."""
    return int(text_sha256(text)[:16], 16)


@dataclass
class Unread:
    """What a benchmark's rows are compared without."""

    records: Counter[str] = field(default_factory=Counter)
    """How many records could not become rows, by benchmark."""
    faults: Counter[str] = field(default_factory=Counter)
    """Exceptions of this program: see `faults.py`."""


def build_index(benchmarks: tuple[Benchmark, ...], process: Process, sizes: tuple[int, ...], folder: Path) -> Unread:
    """Read the benchmarks, apply the Process rules, and write the index; returns what was left out."""
    rows: list[tuple[str, Row]] = []
    unread = Unread()
    for number, benchmark in enumerate(benchmarks):
        rows += [(benchmark.name, row) for row in _read(benchmark, process, f"compare.benchmarks[{number}]", unread)]
    addresses = _pairs([[key_of(name) for name in identities(row)] for _, row in rows])
    sampled = [sample_keys(row) for _, row in rows]
    samples = _pairs([[int(key, 16) for key in keys] for keys in sampled])
    weights = {int(key, 16): weight for keys in sampled for key, weight in keys.items()}
    arrays = {
        "addresses": addresses[0],
        "address_items": addresses[1],
        "samples": samples[0],
        "sample_items": samples[1],
    }
    arrays["gram_sizes"] = np.array(sizes, np.int64)
    arrays["sample_weights"] = np.array([weights[key] for key in samples[0].tolist()], np.int64)
    hashes, offsets = token_hashes([without_markup(whole_text(row)) for _, row in rows])
    for size in sizes:
        grams, item = gram_hashes(hashes, offsets, size)
        order = np.lexsort((item, grams))
        grams, item = grams[order], item[order]
        first = np.ones(len(grams), bool)
        first[1:] = (grams[1:] != grams[:-1]) | (item[1:] != item[:-1])
        arrays[f"grams{size}"], arrays[f"gram{size}_items"] = grams[first], item[first]
    with atomic_path(folder / "benchmarks.npz") as path, open(path, "wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    write_json(folder / "benchmarks.json", [[name, row["problem_id"]] for name, row in rows])
    return unread


@lru_cache(maxsize=2)
def load_index(folder: str, digest: str) -> BenchmarkIndex:
    """The index of a build. `digest` is part of the cache's key: a folder may get another index."""
    with np.load(Path(folder, "benchmarks.npz"), allow_pickle=False) as arrays:
        loaded = {name: arrays[name] for name in arrays.files}
    items = [(name, item) for name, item in json.loads(Path(folder, "benchmarks.json").read_text(encoding="utf-8"))]
    sizes = loaded["gram_sizes"].tolist()
    return BenchmarkIndex(
        items,
        (loaded["addresses"], loaded["address_items"]),
        (loaded["samples"], loaded["sample_items"]),
        loaded["sample_weights"],
        {size: (loaded[f"grams{size}"], loaded[f"gram{size}_items"]) for size in sizes},
    )


def _read(benchmark: Benchmark, process: Process, where: str, unread: Unread) -> list[Row]:
    """The rows of a benchmark. What is left out is added to `unread`."""
    spec = benchmark.source
    to_row = adapter(spec.source)
    rules = rules_of(process)
    if spec.dataset:
        parts = list(hub_parts(0, spec).parts)
    else:
        parts = [part for path in find_files(spec, where) for part in scan_whole(path).parts]
    rows = []
    for part in parts:
        for _, record in read_part(part, spec):
            try:
                if isinstance(record, Reject):
                    raise record
                row = to_row(record, spec)
                row.update(spec.constants)
            except Reject:
                unread.records[benchmark.name] += 1
                continue
            except Exception as error:
                unread.records[benchmark.name] += 1
                unread.faults[f"benchmark {benchmark.name}, {place_of(error)}"] += 1
                continue
            for rule in rules:  # a benchmark's rows are never dropped: rules only normalise the text
                try:
                    rule(row)
                except Exception as error:  # the text stays as it was before this rule
                    unread.faults[f"{rule.name} on benchmark {benchmark.name}, {place_of(error)}"] += 1
            rows.append(row)
    return rows


def _pairs(keys: list[list[int]]) -> tuple[Hashes, NDArray[np.int64]]:
    """The sorted keys of all items, and the item of each key."""
    flat = np.array([key for item in keys for key in item], np.uint64)
    items = np.repeat(np.arange(len(keys)), [len(item) for item in keys]) if keys else np.empty(0, np.int64)
    order = np.lexsort((items, flat))
    return flat[order], items[order].astype(np.int64)
