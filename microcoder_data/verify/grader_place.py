"""Where Verify runs programs. The setting changes no row, so a changed one makes no stage run again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GraderPlace:
    """The grader that runs Verify's programs."""

    address: str = ""
    """Empty: a grader in each worker of the build. Otherwise a service or cluster as `connect` names it: "node",
    "http://host:8080", "unix:/path", "file:/path", "ray://auto". It needs the policy `contest` and the compilers of the
    languages."""
