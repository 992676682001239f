"""Signals as a terminal leaves them: a shell's background job ignores Ctrl-C, and so would all that the tests start."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
