"""slime's `remote_rm`: a reply and its label; the answer is the reward as a bare number.

    --rm-type remote_rm --rm-url http://127.0.0.1:8080/slime

The label is the id of a loaded problem, or a ground truth as JSON. `?shape=fraction` and `?cut_off=-0.5` choose the
reward. After any status but 200, or 120 s, slime asks again, ten times in all, and then stops: no failure becomes a
silent 0.
"""

from __future__ import annotations

from microcoder_eval.service.call import Call, CallRequest, Service
from microcoder_eval.service.dialects.rewarding import reward_for


async def remote_rm(service: Service, request: CallRequest) -> float:
    reward, _ = await reward_for(service, request, request.body.get("label"), request.body.get("response"))
    return reward


CALLS = [Call("POST", "/slime", remote_rm)]
