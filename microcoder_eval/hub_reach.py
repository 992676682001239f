"""Says in about a second whether the Hugging Face hub can be reached; its own client retries for half a minute.

why_hub_is_out_of_reach()      # "the hub cannot be reached: Name or service not known"
"""

from __future__ import annotations

import os
import socket
from urllib.parse import urlparse

_REACH_S = 2.0
_PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


def why_hub_is_out_of_reach() -> str:
    """The reason, from one try to connect; empty if the hub can be reached, or a proxy stands before it.

    It needs `huggingface_hub`.
    """
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "HF_HUB_OFFLINE is set"
    if any(os.environ.get(proxy) for proxy in _PROXIES):
        return ""
    hub = urlparse(constants.ENDPOINT)
    try:
        port = hub.port or (443 if hub.scheme == "https" else 80)
        socket.create_connection((hub.hostname or "", port), _REACH_S).close()
    except OSError as error:
        return f"the hub cannot be reached: {error.strerror or error}"
    return ""
