"""The handlers of the two signals by which a supervisor asks a program whether it can end (`check.py` answers)."""

from __future__ import annotations

import _signal
import sys

from microcoder_eval.boundary.box_protocol import ASK, FORGET
from microcoder_eval.sandbox.endless.check import MOST_FRAMES, MOST_NESTED, Check, forget_variables
from microcoder_eval.sandbox.harness import SCRIPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def ask(_: int, frame: FrameType | None) -> None:
    """Begin a check in the frame that the signal has interrupted."""
    try:
        forget(FORGET, frame)
        if frame is not None and frame.f_code.co_filename == SCRIPT:
            Check().begin(frame)
    except BaseException:  # whatever fails here, the program goes on
        return


def forget(_: int, frame: FrameType | None) -> None:
    """Empty the mappings that a check has left behind in frames that have not ended."""
    try:
        if sys.gettrace() is not None:
            return
        for _ in range(MOST_FRAMES + MOST_NESTED):
            if frame is None or frame.f_code.co_filename != SCRIPT:
                return
            forget_variables(frame)
            frame = frame.f_back
    except BaseException:
        return


def answer() -> None:
    """Install the handlers; programs inherit them. Python 3.10 has other instructions: its programs do not answer."""
    if sys.version_info >= (3, 11):
        _signal.signal(ASK, ask)
        _signal.signal(FORGET, forget)
