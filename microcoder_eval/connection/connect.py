"""`connect`, and the addresses that it takes:

local               a `Grader` in each process that uses it
node                this machine's service; it is started when none runs, and ends when it has been idle
unix:/path          a service on a Unix socket
http://host:port    a service; several, separated by commas, share the work
file:/path          a file with addresses of services, one a line, as launch scripts write it
ray://auto          a grader on each node of this machine's Ray cluster; ray://host:port: reached by Ray Client
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.connection.shown_address import without_password
from microcoder_eval.errors import InputError

VARIABLE = "MICROCODER_GRADER"
"""The environment variable with the address that `connect()` uses."""
TOKEN_VARIABLE = "MICROCODER_GRADER_TOKEN"
KNOWN = "local, node, unix:/path, http://host:port[,...], file:/path, ray://auto"


def connect(address: str | None = None, *, token: str = "", **options: Any) -> AnyGrader:
    """The grader at an address; by default the address in the variable MICROCODER_GRADER, otherwise "node".

    token: the secret of a service that wants one; by default the variable MICROCODER_GRADER_TOKEN.
    options: "local" takes those of `Grader`; "node" takes these, `idle_s`, `patience_s` and `at_once`. A service takes
    `policy` (a service with another one refuses to grade), `patience_s` and `at_once`. Ray takes those of `Grader`, for
    the grader of each node, `cpus` (what it reserves of a node) and `patience_s`.

    >>> connect("http://127.0.0.1:8080").grade(problem, reply).verdict           # doctest: +SKIP
    Verdict.ACCEPTED
    """
    address = address or os.environ.get(VARIABLE) or "node"
    if not isinstance(address, str):
        raise TypeError(f"an address is a text, not {type(address).__name__}")
    if address == "local":
        from microcoder_eval.connection.local import LocalGrader

        return LocalGrader(**options)
    if address.startswith("ray:"):
        from microcoder_eval.connection.cluster.cluster_grader import ClusterGrader

        return ClusterGrader(ray_address(address), **options)
    from microcoder_eval.connection.remote import RemoteGrader

    if address == "node":
        from microcoder_eval.connection.node import NodeService

        of_connection = {name: options.pop(name) for name in ("patience_s", "at_once") if name in options}
        node = NodeService(options)
        return RemoteGrader([f"unix:{node.path}"], revive=node, **of_connection)
    return RemoteGrader(read_addresses(address), token=token or os.environ.get(TOKEN_VARIABLE, ""), **options)


def ray_address(text: str) -> str:
    """The address as `ray.init` takes it; raises `InputError` for text that is no address of a Ray cluster.

    >>> ray_address("ray://auto"), ray_address("ray://head:10001")
    ('auto', 'ray://head:10001')
    """
    place = text.removeprefix("ray://")
    host, _, port = place.rpartition(":")
    if place != "auto" and not (text.startswith("ray://") and host and port.isdecimal()):
        raise InputError(
            f"{text[:60]!r} is no address of a Ray cluster; expected ray://auto, or ray://HOST:PORT of Ray Client"
        )
    return "auto" if place == "auto" else text


def read_addresses(text: str) -> list[str]:
    """The addresses of services in a text, or in the file that it names; raises `InputError` for any other text.

    >>> read_addresses("http://a:1, http://b:2")
    ['http://a:1', 'http://b:2']
    """
    if text.startswith("file:"):
        path = Path(text.removeprefix("file:"))
        try:
            text = ",".join(path.read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: {getattr(error, 'strerror', error)}") from None
    found = [part.strip() for part in text.split(",") if part.strip()]
    if not found:
        raise InputError(f"no address of a grader: {without_password(text)[:60]!r}; known: {KNOWN}")
    for part in found:
        if not part.startswith(("http://", "unix:")) or part in ("http://", "unix:"):
            raise InputError(f"{without_password(part)[:60]!r} is not the address of a grader; known: {KNOWN}")
    return list(dict.fromkeys(found))
