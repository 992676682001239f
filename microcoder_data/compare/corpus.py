"""What the steps of Compare's reduction share: where the shards' features are, and how the work is cut into parts.

A step is a function over one part. It reads files, writes files, and returns a small plain value. So the same steps run
in one process, in many, or on a cluster, and the memory of a part does not depend on the size of the corpus.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microcoder_data.engine import Engine
from microcoder_data.engine.short_work import for_short_work
from microcoder_eval.atomic import atomic_path, said_if_full

Array = NDArray[Any]
Step = Callable[["Corpus", int], Any]

ROWS_PER_S, KNOWN_ROWS_PER_S = 20_000, 50_000
"""About how many rows a process reduces in a second: new ones, and those that a base has compared with each other."""

MOST_MAPPED = 4096
_mapped: dict[tuple[str, int, int], Array] = {}
_step: list[Path] = []
"""The step that this process ran last: the files that it mapped are those in `_mapped`."""


@dataclass(frozen=True)
class Sizes:
    """About how much one part of a step reads. They change memory and the number of files, never the result."""

    shingles: int = 2_000_000
    """Shingles in a range of hashes: 16 MB, and a few temporary arrays of that size."""
    entries: int = 500_000
    """Bucket entries in a range of keys, and shared shingles in a range of documents."""
    rows: int = 12_500
    """Rows that are decided together. A connected component is never divided."""
    links: int = 50_000
    """Links between the rows that are decided together: near copies of one text are all linked with each other."""
    groups: int = 32
    """Groups of shards in a block. What all parts say is sorted by block, so that not every group reads every file."""
    at_once: int = 131_072
    """Entries that are in memory of an array with one for each row."""


@dataclass(frozen=True)
class Corpus:
    """All shards in order. A row's number is its position among all rows."""

    features: str
    """The folder of the shards' features."""
    scratch: str
    """The folder of the reduction's own files."""
    names: tuple[str, ...]
    """The name of each shard, with which its files' names begin."""
    sources: tuple[int, ...]
    """The position of each shard's source in the recipe: of two duplicates the one from the earlier source stays."""
    counts: tuple[int, ...]
    """The number of rows of each shard."""
    sizes: Sizes = Sizes()
    judged_before: str = ""
    """The file with the judgements of the build that this one is based on, if there is one: see `judgements.py`."""
    known: int = 0
    """How many of the first shards are all the shards of that build: their rows were compared with each other there."""
    near_before: str = ""
    """The file with the near pairs of that build's rows, if any shard is known."""

    @property
    def total(self) -> int:
        return sum(self.counts)

    @cached_property
    def bases(self) -> NDArray[np.int64]:
        """The number of each shard's first row; the last entry is the number of rows."""
        return np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)

    @cached_property
    def groups(self) -> list[range]:
        """Ranges of neighbouring shards that are decided together."""
        found: list[range] = []
        rows = 0
        for shard, count in enumerate(self.counts):
            if found and rows + count <= self.sizes.rows:
                found[-1] = range(found[-1].start, shard + 1)
                rows += count
            else:
                found.append(range(shard, shard + 1))
                rows = count
        return found

    @cached_property
    def group_bounds(self) -> NDArray[np.int64]:
        """The number of each group's first row; the last entry is the number of rows."""
        return np.append(self.bases[np.array([group.start for group in self.groups], np.int64)], self.total)

    @cached_property
    def block_bounds(self) -> NDArray[np.int64]:
        """The number of the first row of each block of groups; the last entry is the number of rows."""
        return np.append(self.group_bounds[:-1][:: self.sizes.groups], self.total)

    def shard_of(self, rows: Array | int) -> Array:
        """The position of the shard of each row."""
        return np.asarray(np.searchsorted(self.bases, rows, side="right") - 1)

    def feature(self, shard: int, kind: str) -> Path:
        return Path(self.features) / f"{self.names[shard]}.{kind}"

    def path(self, name: str) -> Path:
        return Path(self.scratch) / name

    def for_rows(self, dtype: Any) -> Array:
        """A zero for each row, in a file without a name: the kernel writes it to disk when memory is short."""
        if not self.total:
            return np.empty(0, dtype)
        with tempfile.TemporaryFile(dir=self.scratch) as file:
            with said_if_full(self.path("rows")):  # a page that finds no space later would kill the process
                for rows in self.rows_at_once():
                    file.write(bytes((rows.stop - rows.start) * np.dtype(dtype).itemsize))
                file.flush()
            return np.asarray(np.memmap(file, dtype, "r+", shape=(self.total,)))

    def rows_at_once(self) -> Iterator[slice]:
        """All rows in order, a bounded number at a time."""
        for start in range(0, self.total, self.sizes.at_once):
            yield slice(start, min(start + self.sizes.at_once, self.total))

    def save(self, name: str, array: Array) -> None:
        with renamed(self.path(name)) as path, open(path, "wb") as file:
            np.save(file, array)

    def keep(self, name: str, dtype: Any, shape: tuple[int, ...], parts: Iterable[str]) -> None:
        """Save the columns of all parts as one array among the features, where it stays when the reduction is done; a
        part in memory at a time."""
        descr = np.lib.format.dtype_to_descr(np.dtype(dtype))
        header = {"descr": descr, "fortran_order": len(shape) > 1, "shape": shape}
        with atomic_path(Path(self.features) / name) as path, open(path, "wb") as file:
            np.lib.format.write_array_header_1_0(file, header)
            for part in parts:
                file.write(self.load(part).T.tobytes())

    def load(self, name: str) -> Array:
        """An array that an earlier step saved, mapped from disk: only the used pages are read."""
        return mapped(self.path(name))


@contextmanager
def renamed(target: Path) -> Iterator[Path]:
    """A temporary path that is renamed to `target`. It is not flushed to disk: after a restart of the machine, `Steps`
    begins again."""
    temporary = target.with_name(f".{os.getpid()}-{target.name}")
    try:
        with said_if_full(target):
            yield temporary
            os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def mapped(path: Path) -> Array:
    """An array in a file, mapped from disk unless it is empty.

    Every part of a step reads a slice of the same files. They stay mapped until the process begins another step:
    mapping a file takes longer than reading the slice.
    """
    about = os.stat(path)
    key = (str(path), about.st_ino, about.st_mtime_ns)
    array = _mapped.get(key)
    if array is None:
        if len(_mapped) >= min(MOST_MAPPED, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2):
            _mapped.clear()
        try:
            array = np.load(path, mmap_mode="r", allow_pickle=False)
        except ValueError:  # an empty array cannot be mapped
            array = np.load(path, allow_pickle=False)
        _mapped[key] = array
    return array


def key_range(part: int, parts: int, bits: int) -> tuple[int, int | None]:
    """The range of values below 2**bits that belongs to one of equal parts; the last part has no upper end.

    >>> key_range(0, 2, 8), key_range(1, 2, 8)
    ((0, 128), (128, None))
    """
    return (part << bits) // parts, None if part + 1 == parts else ((part + 1) << bits) // parts


def slices(columns: Sequence[Array], low: int, high: int | None) -> list[Array]:
    """The columns with `low <= first row < high` of each array, whose first row is sorted; None: no upper end."""
    found = []
    for array in columns:
        start = np.searchsorted(array[0], array.dtype.type(low))
        end = array.shape[1] if high is None else np.searchsorted(array[0], array.dtype.type(high))
        found.append(np.asarray(array[:, start:end]))
    return found


def unique_columns(columns: Array) -> Array:
    """The columns of an array, sorted by their first two values; of columns that are equal in these, one is kept."""
    ordered = columns[:, np.lexsort((columns[1], columns[0]))]
    new = np.ones(ordered.shape[1], bool)
    new[1:] = (ordered[:2, 1:] != ordered[:2, :-1]).any(axis=0)
    return ordered[:, new]


class Steps:
    """Runs the steps of one reduction. A part that was finished under the same key is not run again."""

    def __init__(self, corpus: Corpus, engine: Engine, key: str) -> None:
        self.corpus = corpus
        known = int(corpus.bases[corpus.known])
        self._engine = for_short_work(engine, known / KNOWN_ROWS_PER_S + (corpus.total - known) / ROWS_PER_S)
        folder = Path(corpus.scratch)
        path = folder / "corpus.json"
        text = json.dumps([key, asdict(corpus), _boot()], sort_keys=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            with renamed(path) as temporary:
                temporary.write_text(text, encoding="utf-8")

    def run(self, name: str, step: Step, parts: int) -> list[Any]:
        """Run a step for every part; returns its results in order."""
        results: list[Any] = [None] * parts
        missing = []
        for part in range(parts):
            try:
                results[part] = json.loads(self._record(name, part).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                missing.append(part)
        tasks = [(self.corpus.scratch, step, part, self._record(name, part)) for part in missing]
        for position, result in self._engine.map(run_part, tasks):
            results[missing[position]] = result
        return results

    def clear(self) -> None:
        """Remove the reduction's own files. The decisions are in the shards' folder."""
        _mapped.clear()
        shutil.rmtree(self.corpus.scratch, ignore_errors=True)

    def _record(self, name: str, part: int) -> Path:
        return self.corpus.path(f"{name}-{part:05d}.done.json")


def run_part(task: tuple[str, Step, int, Path]) -> Any:
    """Run one part in a worker, and write its result as a record that it is finished."""
    scratch, step, part, record = task
    name = record.with_name(record.name.partition("-")[0])
    if _step != [name]:
        _step[:] = [name]
        _mapped.clear()
    result = step(load_corpus(scratch), part)
    with renamed(record) as temporary:
        temporary.write_text(json.dumps(result), encoding="utf-8")
    return result


def load_corpus(scratch: str) -> Corpus:
    """The corpus as `Steps` wrote it: tasks carry the folder's name, not a list of every shard."""
    path = Path(scratch) / "corpus.json"
    return _loaded(scratch, path.stat().st_mtime_ns)


@lru_cache(maxsize=2)
def _loaded(scratch: str, stamp: int) -> Corpus:
    values = json.loads(Path(scratch, "corpus.json").read_text(encoding="utf-8"))[1]
    lists = {name: tuple(values[name]) for name in ("names", "sources", "counts")}
    return Corpus(**{**values, **lists, "sizes": Sizes(**values["sizes"])})


def _boot() -> str:
    """An id that changes when the machine restarts: files that were not flushed may then be lost."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""
