"""A persistent index of statements: does a finished dataset already have a new problem?

It is datasketch's MinHash LSH over the same shingles as the join. It estimates the similarity; builds use the exact
join (`near.py`). The file holds only arrays of hashes and the parameters that made them; nothing is unpickled.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from microcoder_data.compare.near import DOCUMENT_BITS, shingle_keys
from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path
from microcoder_eval.plain_files import check_is_file

PERMUTATIONS = 256
SEED = 1


class StatementIndex:
    """Statements by id, which can be searched for similar ones.

    >>> index = StatementIndex()
    >>> index.add([("a:1", "Print the sum of two numbers that are given in one line.")])
    >>> index.similar("print the sum of two numbers that are given in one line")
    [('a:1', 1.0)]
    """

    def __init__(self, threshold: float = 0.7) -> None:
        from datasketch import MinHashLSH

        self.threshold = threshold
        self._index = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        self._sketches: dict[str, Any] = {}

    def add(self, statements: Iterable[tuple[str, str]]) -> None:
        """Add (id, text) pairs; an id that the index already has is refused."""
        for name, text in statements:
            self._insert(name, _sketch(text))

    def similar(self, text: str) -> list[tuple[str, float]]:
        """Ids of statements like `text`, with the estimated Jaccard, best first."""
        sketch = _sketch(text)
        found = [(name, float(sketch.jaccard(self._sketches[name]))) for name in self._index.query(sketch)]
        return sorted((pair for pair in found if pair[1] >= self.threshold), key=lambda pair: (-pair[1], pair[0]))

    def save(self, path: Path) -> None:
        """Write the index as one file."""
        names = json.dumps(list(self._sketches)).encode()
        hashes = [sketch.hashvalues for sketch in self._sketches.values()]
        with atomic_path(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(
                file,
                names=np.frombuffer(names, np.uint8),
                hashes=np.array(hashes, np.uint64).reshape(-1, PERMUTATIONS),
                parameters=np.array([self.threshold, PERMUTATIONS, SEED, _library()]),
            )

    @classmethod
    def load(cls, path: Path) -> StatementIndex:
        """Read an index. One made with other parameters is refused, because its hashes cannot be compared."""
        check_is_file(path)
        try:
            with np.load(path, allow_pickle=False) as arrays:
                threshold, *parameters = arrays["parameters"].tolist()
                names, hashes = json.loads(arrays["names"].tobytes()), arrays["hashes"]
        except (OSError, ValueError, KeyError):
            raise InputError(f"{path}: not an index of statements, as `microcoder data index` writes it") from None
        if parameters != [PERMUTATIONS, SEED, _library()]:
            raise InputError(f"{path}: made by another version of the index; build it again")
        index = cls(threshold)
        for name, values in zip(names, hashes, strict=True):
            index._insert(name, _sketch("", values))
        return index

    def _insert(self, name: str, sketch: Any) -> None:
        if name in self._sketches:
            raise InputError(f"the index already holds {name!r}")
        self._sketches[name] = sketch
        self._index.insert(name, sketch)


def _library() -> int:
    """datasketch's major version: its hash values changed from 1 to 2."""
    return int(version("datasketch").split(".")[0])


def _sketch(text: str, values: Any = None) -> Any:
    from datasketch import MinHash

    sketch = MinHash(num_perm=PERMUTATIONS, seed=SEED, hashfunc=_low_bits)
    if values is not None:
        sketch.hashvalues = values.astype(sketch.hashvalues.dtype)
    else:
        sketch.update_batch(shingle_keys([text]) >> DOCUMENT_BITS)
    return sketch


def _low_bits(shingle: Any) -> int:
    """A hash function for datasketch: shingles are hashes already, and a sketch takes 32 bits of them."""
    return int(shingle) & 0xFFFFFFFF
