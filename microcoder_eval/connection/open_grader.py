"""The grader that a recipe names: in this process, or at an address, which has to answer before the work begins."""

from __future__ import annotations

from concurrent.futures import TimeoutError as Late
from typing import Any

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.connection.connect import connect
from microcoder_eval.connection.shown_address import without_password
from microcoder_eval.errors import GraderError, InputError
from microcoder_eval.grader import Grader

DEFAULTS = {"workers": None, "policy": "contest", "isolation": "test"}
ANSWER_S = 90.0
"""How long a grader may take to answer the first time: a Ray cluster starts its actors meanwhile."""


def open_grader(
    address: str,
    *,
    workers: int | None = None,
    policy: str = "contest",
    isolation: str = "test",
    answer_s: float | None = None,
) -> AnyGrader:
    """A grader that works. Raises `InputError` when nobody answers at the address.

    address: as `connect` takes it; empty: a `Grader` of this process. Where that is not a service, which has settings
    of its own, `workers` (on each node) and `isolation` are passed on. A service with another policy is refused.
    """
    if not address:
        return Grader(workers, policy=policy, isolation=isolation)
    settings: dict[str, Any] = {"policy": policy}
    if address in ("local", "node") or address.startswith("ray:"):
        asked = {"workers": workers, "policy": policy, "isolation": isolation}
        settings = {name: value for name, value in asked.items() if value != DEFAULTS[name]}  # others may share it
    grader = connect(address, **settings)
    answer_s = ANSWER_S if answer_s is None else answer_s
    try:
        ran = grader.submit_run("pass").result(answer_s)
    except (Late, GraderError, InputError) as error:
        grader.close()
        why = f"no answer for {answer_s:g} s" if isinstance(error, Late) else str(error)
        raise InputError(f"no grader at {without_password(address)}: {why}") from None
    if not ran.ended_well:
        grader.close()
        raise InputError(f"the grader at {without_password(address)} cannot run programs: {ran.detail}")
    return grader
