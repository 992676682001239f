"""Derived seeds: a random number depends on what it is for, never on when it is drawn or on the rest of its batch.

A sample's seed is a hash of (run seed, step, prompt, sample), so resuming, re-sharding or re-batching changes nothing.
"""

from __future__ import annotations

import hashlib

import numpy as np


def derive_seed(*parts: object) -> int:
    """A 63-bit seed: a hash of the parts.

    >>> derive_seed(0, 1, "sum", 2) == derive_seed(0, 1, "sum", 2) != derive_seed(0, 1, "sum", 3)
    True
    """
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1


def uniforms(seed: int, count: int) -> np.ndarray:
    """The first `count` numbers in [0, 1) of a seed's stream. A longer request begins with the same numbers.

    >>> bool((uniforms(3, 4) == uniforms(3, 9)[:4]).all())
    True
    """
    return np.random.Generator(np.random.Philox(key=seed)).random(count, dtype=np.float32)
