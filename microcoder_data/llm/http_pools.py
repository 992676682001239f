"""Many HTTP connections in small pools. Public.

Before and after a request, httpx looks at every connection of its pool, several times. With 64 connections in one pool
that is more than half of what a request costs (`bench/asking_cost.py`), and it grows with their number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx

POOL = 4
"""Connections in a pool."""


_ssl_context = cache(httpx.create_ssl_context)
"""It takes 20 ms to make, and a vLLM server is asked through new pools in every step."""


class HttpPools:
    """Clients of one event loop that share `connections` among them.

    with pools.client() as client:
        response = await client.post(...)
    """

    def __init__(self, connections: int, **options: Any) -> None:
        """`options` are those of `httpx.AsyncClient`."""
        limits = httpx.Limits(max_connections=POOL, max_keepalive_connections=POOL)
        options = {"timeout": None, "limits": limits, "verify": _ssl_context(), **options}
        self._clients = [httpx.AsyncClient(**options) for _ in range(-(-connections // POOL))]
        self._used = [0] * len(self._clients)

    @contextmanager
    def client(self) -> Iterator[httpx.AsyncClient]:
        """The client that the fewest requests use now."""
        place = self._used.index(min(self._used))
        self._used[place] += 1
        try:
            yield self._clients[place]
        finally:
            self._used[place] -= 1

    async def close(self) -> None:
        await asyncio.gather(*(client.aclose() for client in self._clients))
