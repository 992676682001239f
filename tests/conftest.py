"""Set up for all tests: a terminal's signals, compiled modules, no deadlines on a slow machine, long files first."""

import contextlib
import fcntl
import gc
import os
import signal
import sys
from pathlib import Path

import pytest

# a shell's background job ignores Ctrl-C, and so would all that the tests start
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# the tests start hundreds of Pythons: each would compile the packages and the tests again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# several trainers run beside each other: one whose threads wait must not take the others' CPU
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

LONGEST = ("tests/rl/small_model/", "tests/rl/")
"""Files that would keep one core busy at the end of a parallel run."""


def pytest_collection_modifyitems(items):
    """The longest files come first."""
    items.sort(key=lambda item: [not item.nodeid.startswith(folder) for folder in LONGEST])


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """One process of a parallel run reads the tests before the others, which then find what they import compiled."""
    with open(__file__) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            with contextlib.suppress(OSError):  # not every file system has locks
                fcntl.flock(lock, fcntl.LOCK_SH)
        return (yield)


# modules and tests stay until the end: looking for garbage among them is a third of the time to collect them
gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def cache_home(tmp_path_factory):
    """Where this run's graders and problem set keep what they made: the user's own is left alone. The processes of a
    parallel run share it, or each would run and compile the same programs."""
    folder = Path(tmp_path_factory.getbasetemp())
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "cache"


with contextlib.suppress(ImportError):
    from hypothesis import HealthCheck, settings

    # the same examples every time, or a change is refused for what is not its own; `make fuzz` looks for new ones
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("patient", patient, derandomize=True)
    settings.register_profile("fuzz", patient, max_examples=1000)
    settings.load_profile("patient")
