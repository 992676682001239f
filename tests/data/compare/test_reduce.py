"""The reduction in parts: the same decisions from parts of any size, on any engine, and after it was stopped."""

from __future__ import annotations

import json
import random
import subprocess
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.compare.components import connected, find_merges, roots
from microcoder_data.compare.corpus import Corpus, Sizes, Steps, mapped, renamed
from microcoder_data.compare.features import KIND_BITS, SAME_ID
from microcoder_data.compare.near import near_pairs, shingle_keys
from microcoder_data.compare.near_on_disk import NEAR, find_near_pairs
from microcoder_data.compare.reduce import decide
from microcoder_data.compare.settings import Duplicates
from microcoder_data.engine import Engine
from microcoder_data.pipeline.running import Options
from microcoder_data.recipe import Recipe
from microcoder_eval import InputError
from tests.data.made_up import WORDS, taco_record, write_lines

TINY = Sizes(shingles=1500, entries=150, rows=20, links=40, groups=2, at_once=7)


class Built:
    """The features of a corpus with duplicates of every kind, and the decisions of the build that made them."""

    def __init__(self, folder: Path) -> None:
        path = folder / "recipe.yaml"
        write_lines(folder / "a.jsonl", _records(80, 1))
        write_lines(folder / "b.jsonl", _records(40, 2))
        write_lines(folder / "bench.jsonl", _records(80, 1)[5::9])
        path.write_text(
            f"""name: parts
part_bytes: 30000
sources:
  - {{source: taco, path: {folder}/a.jsonl, name: one}}
  - {{source: taco, path: {folder}/b.jsonl, name: two}}
compare:
  benchmarks: [{{name: held_out, source: {{source: taco, path: {folder}/bench.jsonl}}}}]
  contamination: {{paper_grams: 0.4}}
  select: {{shares: {{easy: 0.3}}}}
"""
        )
        self.recipe: Recipe = load_recipe(path)
        build(self.recipe, folder / "out", make_engine("local", 1), Options(until="compare"))
        self.features = folder / "out" / "work" / "compare"
        self.record = json.loads((self.features / "decisions.json").read_text())
        names = [file["path"].removesuffix(".decisions.parquet") for file in self.record["files"]]
        sources = [0 if int(name[:5]) < _tasks_of_the_first(folder) else 1 for name in names]
        counts = [file["rows"] for file in self.record["files"]]
        self.corpus = Corpus(str(self.features), "", tuple(names), tuple(sources), tuple(counts))
        self.wanted = self.decisions()

    def decisions(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.features.glob("*.decisions.parquet")}

    def again(self, scratch: Path, engine: Engine, sizes: Sizes) -> dict[str, Any]:
        for path in self.features.glob("*.decisions.parquet"):
            path.unlink()
        from microcoder_data.pipeline.compare import STAGE
        from microcoder_data.recipe import digest

        index = (str(self.features), digest(STAGE.settings(self.recipe)))
        corpus = replace(self.corpus, scratch=str(scratch), sizes=sizes)
        return decide(self.recipe.compare, corpus, index, engine, key="k", select=True)


def _tasks_of_the_first(folder: Path) -> int:
    done = sorted((folder / "out" / "work" / "collect").glob("*.done.json"))
    rows = np.cumsum([json.loads(path.read_text())["in"] for path in done])
    return int(np.searchsorted(rows, 80)) + 1


def _records(count: int, seed: int) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    records: list[dict[str, Any]] = []
    for number in range(count):
        record = taco_record(number, difficulty=chance.choice(["EASY", "MEDIUM", "HARD"]))
        if chance.random() < 0.3:
            record["url"] = ""
        if number % 3 == 0 and records:
            older = dict(chance.choice(records))
            words = older["question"].split(" ")
            for _ in range(chance.choice([0, 0, 1, 2, 6])):
                words[chance.randrange(len(words) // 2)] = chance.choice(WORDS)
            older["question"] = " ".join(words)
            if chance.random() < 0.4:
                older["url"] = record["url"]
            record = older
        records.append(record)
    return records


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(tmp_path_factory.mktemp("parts"))


@pytest.mark.parametrize(
    "sizes",
    [TINY, Sizes(shingles=10**6, entries=90, rows=10**6, links=1), Sizes(shingles=400, entries=10**6, rows=10**6)],
)
def test_the_size_of_a_part_does_not_change_the_decisions(built: Built, tmp_path: Path, sizes: Sizes) -> None:
    counts = built.again(tmp_path / "reduce", make_engine("local", 1), sizes)
    assert built.decisions() == built.wanted
    assert {str(reason): count for reason, count in counts["reasons"].items()} == built.record["reasons"]
    assert len(built.record["reasons"]) >= 5 and counts["largest_component"] > 2
    assert not (tmp_path / "reduce").exists()


def test_two_workers_decide_what_one_decides(built: Built, tmp_path: Path) -> None:
    engine = make_engine("local", 2)
    try:
        built.again(tmp_path / "reduce", engine, TINY)
    finally:
        engine.close()
    assert built.decisions() == built.wanted


class Stopping:
    """An engine that is killed after some tasks."""

    workers = 1

    def __init__(self, tasks: int) -> None:
        self.left, self.ran = tasks, 0

    def map(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        for number, task in enumerate(tasks):
            if self.ran == self.left:
                raise KeyboardInterrupt
            self.ran += 1
            yield number, function(task)

    def close(self) -> None: ...


def test_a_stopped_reduction_goes_on_with_what_is_left(built: Built, tmp_path: Path) -> None:
    whole = Stopping(10**9)
    built.again(tmp_path / "whole", whole, TINY)
    ran = 0
    for allowed in (1, 20, 45, 10**9):
        engine = Stopping(allowed)
        try:
            built.again(tmp_path / "reduce", engine, TINY)
        except KeyboardInterrupt:
            assert engine.ran == allowed
        ran += engine.ran
    assert built.decisions() == built.wanted and ran == whole.ran


def texts_with_near_copies(seed: int) -> list[str]:
    chance = random.Random(seed)
    texts: list[str] = []
    for _ in range(150):
        words = chance.choice(texts).split() if texts and chance.random() < 0.6 else []
        words = words or chance.choices(WORDS, k=60)
        for _ in range(chance.choice([0, 1, 1, 3])):
            words[chance.randrange(len(words))] = chance.choice(WORDS)
        texts.append(" ".join(words) if chance.random() > 0.03 else "")
    return texts


def pairs_on_disk(folder: Path, shards: dict[str, list[str]], known: int = 0, before: Path | None = None) -> Any:
    """The near pairs of shards of texts as the join on disk finds them, the first `known` shards being those of a
    base."""
    folder.mkdir()
    counts = tuple(map(len, shards.values()))
    corpus = Corpus(
        str(folder), str(folder / "reduce"), tuple(shards), (0,) * len(shards), counts, TINY, known=known,
        near_before=str(before or ""),
    )  # fmt: skip
    steps = Steps(corpus, make_engine("local", 1), "k")
    for name, part in shards.items():
        np.save(folder / f"{name}.keys.npy", shingle_keys(part))
    sets = [set((shingle_keys([text]) >> np.uint64(24)).tolist()) for part in shards.values() for text in part]
    corpus.save("shingles.npy", np.array([len(one) for one in sets], np.int32))
    corpus.save("copies.npy", np.array([bool(one) and one in sets[:number] for number, one in enumerate(sets)]))
    parts = find_near_pairs(steps, 0.7)
    return np.concatenate([corpus.load(f"near-{part:05d}.npy") for part in range(parts)], axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_the_join_on_disk_finds_the_pairs_of_the_join_in_memory(tmp_path: Path, seed: int) -> None:
    texts = texts_with_near_copies(seed)
    found = pairs_on_disk(tmp_path / "whole", {"a": texts[:70], "b": [], "c": texts[70:]})
    sets = [set((shingle_keys([text]) >> np.uint64(24)).tolist()) for text in texts]
    pairs = near_pairs(texts)
    first = [
        a == sets.index(sets[a]) and b == sets.index(sets[b]) for a, b in zip(pairs.first, pairs.second, strict=True)
    ]
    assert len(pairs) > found.shape[1] > 20
    assert found[0].tolist() == pairs.first[first].tolist() and found[1].tolist() == pairs.second[first].tolist()
    assert found[2].tolist() == pairs.jaccard[first].tolist()


@pytest.mark.parametrize("new", [0, 5, 80])
def test_the_pairs_of_a_base_and_of_new_statements_are_those_of_all(tmp_path: Path, new: int) -> None:
    texts = texts_with_near_copies(11)
    old = {"a": texts[:40], "b": texts[40 : 150 - new]}
    before = pairs_on_disk(tmp_path / "base", old)
    whole = pairs_on_disk(tmp_path / "whole", {**old, "c": texts[150 - new :]})
    grown = pairs_on_disk(tmp_path / "grown", {**old, "c": texts[150 - new :]}, 2, tmp_path / "base" / NEAR)
    assert grown.tolist() == whole.tolist()
    assert whole.shape[1] > before.shape[1] > 0 or not new


@given(st.integers(1, 40).flatmap(lambda n: st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))))
def test_union_find_over_arrays_finds_the_components(links: list[tuple[int, int]]) -> None:
    labels = np.arange(40)
    for start in range(0, len(links), 5):
        one, other = np.array(links[start : start + 5], np.int64).T
        connected(labels, one, other)
    components = [{row} for row in range(40)]
    for a, b in links:
        if components[a] is not components[b]:
            components[a] |= components[b]
            for row in components[b]:
                components[row] = components[a]
    assert roots(labels, np.arange(40)).tolist() == [min(components[row]) for row in range(40)]


def test_a_full_disk_is_said_wherever_the_reduction_writes(tmp_path: Path) -> None:
    small, rows = tmp_path / "small", 1 << 17
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small disk")
    try:
        corpus = Corpus(str(small), str(small), ("a",), (0,), (rows,))
        of_rows = np.zeros(rows, np.int32)
        np.save(tmp_path / "part.npy", of_rows)
        corpus.path("part.npy").symlink_to(tmp_path / "part.npy")
        for write in (
            lambda: corpus.for_rows(np.int32).fill(1),
            lambda: corpus.save("saved.npy", of_rows),
            lambda: corpus.keep("kept.npy", np.int32, (rows,), ["part.npy"]),
        ):
            with pytest.raises(InputError, match="no space left to write"):
                write()
        assert [path.name for path in small.iterdir()] == ["part.npy"]
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    peaks = []
    for shards in (1, 2, 8):  # the first one loads modules
        folder, rows = tmp_path / str(shards), 50_000
        folder.mkdir()
        sizes = Sizes(shingles=50_000, entries=50_000, at_once=4096)
        names = tuple(f"{number:05d}" for number in range(shards))
        corpus = Corpus(str(folder), str(folder / "reduce"), names, (0,) * shards, (rows,) * shards, sizes)
        steps = Steps(corpus, make_engine("local", 1), "k")
        for number, name in enumerate(names):
            chance, row = np.random.default_rng(number), np.arange(rows, dtype=np.uint64)
            np.save(folder / f"{name}.keys.npy", np.sort(chance.integers(0, 2**40, rows).astype(np.uint64) << 24 | row))
            ids = np.stack([np.sort(chance.integers(0, 2**64, rows, np.uint64)), row])
            np.save(folder / f"{name}.buckets.npy", ids | np.array([[0], [SAME_ID << int(KIND_BITS)]], np.uint64))
        for name in ("shingles", "tests"):
            corpus.save(f"{name}.npy", np.ones(corpus.total, np.int32))
        tracemalloc.start()
        assert find_merges(steps, Duplicates()) == (0, 0)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] + 2 * 300_000, peaks  # two bytes for each of the rows more


def test_a_file_that_was_written_again_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "rows.npy"
    for values in ([1, 2], [], [3]):
        with renamed(path) as target, open(target, "wb") as file:
            np.save(file, np.array(values, np.int64))
        assert mapped(path).tolist() == values == mapped(path).tolist()
