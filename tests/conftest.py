"""Set up for all tests: a terminal's signals, and no deadlines on a slow machine."""

import contextlib
import signal

# a shell's background job ignores Ctrl-C, and so would all that the tests start
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)

with contextlib.suppress(ImportError):
    from hypothesis import HealthCheck, settings

    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
