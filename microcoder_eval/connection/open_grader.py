"""The grader that a recipe names: in this process, or at an address, where it must answer before the work begins."""

from __future__ import annotations

from concurrent.futures import TimeoutError as NoAnswer
from typing import Any

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.connection.connect import connect
from microcoder_eval.connection.shown_address import without_password
from microcoder_eval.errors import GraderError, InputError
from microcoder_eval.grader import Grader

DEFAULTS = {"workers": None, "policy": "contest", "isolation": "test"}
ANSWER_S = 150.0
"""How long a grader may take for its first answer. In this time a Ray cluster starts its actors, and a service of this
node that hangs is replaced."""


def open_grader(
    address: str,
    *,
    workers: int | None = None,
    policy: str = "contest",
    isolation: str = "test",
    answer_s: float | None = None,
) -> AnyGrader:
    """A grader that has run a program. Raises `InputError` when none at the address does.

    address: as `connect` takes it; empty for a `Grader` of this process.
    workers, isolation: not for a running service, which has its own. `workers` is for each node of a Ray cluster.
    policy: a service with another one raises.
    answer_s: how long to wait for the first answer; None for ANSWER_S.
    """
    if not address:
        return Grader(workers, policy=policy, isolation=isolation)
    settings: dict[str, Any] = {"policy": policy}
    if address in ("local", "node") or address.startswith("ray:"):
        given = {"workers": workers, "policy": policy, "isolation": isolation}
        # without the defaults, so that `connect("node")` without options finds the same service
        settings = {name: value for name, value in given.items() if value != DEFAULTS[name]}
    grader = connect(address, **settings)
    answer_s = ANSWER_S if answer_s is None else answer_s
    try:
        ran = grader.submit_run("pass").result(answer_s)
    except (NoAnswer, GraderError, InputError) as error:
        grader.close()
        why = f"no answer for {answer_s:g} s" if isinstance(error, NoAnswer) else str(error)
        raise InputError(f"no grader at {without_password(address)}: {why}") from None
    if not ran.ended_well:
        grader.close()
        raise InputError(f"the grader at {without_password(address)} cannot run programs: {ran.detail}")
    return grader
