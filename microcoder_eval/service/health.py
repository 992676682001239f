"""`/health` (must the process be restarted), `/ready` (can it take work now) and `/info` (which grader is this).

`/metrics` is in `app`, because it is not JSON.
"""

from __future__ import annotations

import os
from typing import Any

from microcoder_eval.service.call import Call, CallRequest, Service
from microcoder_eval.service.refusal import Kind, Refusal


async def health(service: Service, request: CallRequest) -> dict[str, Any]:
    if fault := service.desk.state.broken or service.desk.fault:
        raise Refusal(Kind.INTERNAL_ERROR, f"the grader cannot work any more: {fault}")
    return {"status": "healthy"}


async def ready(service: Service, request: CallRequest) -> dict[str, Any]:
    state = service.desk.state
    if service.desk.closing:
        raise Refusal(Kind.SHUTTING_DOWN, "the service is shutting down", 1)
    if state.broken:
        raise Refusal(Kind.INTERNAL_ERROR, f"the grader cannot work any more: {state.broken}")
    if not state.ready:
        raise Refusal(Kind.QUEUE_FULL, "no worker has started yet", 1)
    return {"status": "ready"}


async def info(service: Service, request: CallRequest) -> dict[str, Any]:
    state = service.desk.state
    return {
        "service": "microcoder",
        "policy": service.policy,
        "workers": state.workers,
        "sandbox_layers": list(state.layers),
        "problems": len(service.problems),
        "process": os.getpid(),
    }


CALLS = [
    Call("GET", "/health", health, open=True),
    Call("GET", "/ready", ready, open=True),
    Call("GET", "/info", info),
]
