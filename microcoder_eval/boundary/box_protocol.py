"""The constants that a box (`supervisor/box.py`) and the process inside it (`sandbox/`) share.

Both sides import this file, so that neither imports the other. It defines constants and nothing else: the process in
the sandbox forks for every test, and every module it has loaded makes a fork slower.
"""

from __future__ import annotations

ZYGOTE, LAUNCHER = "sandbox.zygote", "sandbox.launcher"
"""The modules whose `main` a box starts."""
CALLING = "microcoder_eval.sandbox.calling"
INTERACTOR = "microcoder_eval.sandbox.interactor_function"
PROGRAM_SIDE, TESTS_RUNNER = "microcoder_eval.sandbox.asserts.program_side", "microcoder_eval.sandbox.asserts.run_unit"
"""Modules that a zygote can load before its first fork."""

CONTROL, REQUEST, SESSION, RESULT, PROGRAM = 3, 4, 5, 6, 7
"""The descriptors of a process in the sandbox, after stdin, stdout and stderr: the socket for requests, the file with a
request's record, the socket of a session, the file for results, the program to execute."""
PROGRAM_PATH = f"/proc/self/fd/{PROGRAM}"
"""The path at which an interpreter finds the program to run."""

LOAD, LIMIT, STDIN, PIPES, RUN, OPEN_SESSION, WIPE = b"L", b"B", b"I", b"P", b"T", b"S", b"W"
"""Requests (see `sandbox/serve.py`)."""
ONE_RUN = b"r"
LONGEST_SESSION_REQUEST = 1 << 15
"""Requests to the child of a session (see `sandbox/session.py`)."""
DONE = b"-"
"""The answer to a request that returns nothing. A datagram is never empty: an empty one means end of file."""

STDIN_PROGRAM, CALL_PROGRAM, CHECKER, INTERACTOR_FUNCTION = "stdin", "call", "check", "interact"
ASSERTS_PROGRAM, ASSERTS_TESTS = "asserts program", "asserts tests"
"""Kinds of source that a zygote can load."""

OUT_OF_MEMORY, REFUSED = "out of memory", "refused"
"""Causes of a failure. When an exception ends a Python program, its process writes three lines to the result file: the
cause or nothing, the number of the program's line that raised, the class of the exception."""
ASK, FORGET = 23, 28
"""The signals (SIGURG, SIGWINCH) by which a program is asked whether it can end, and is told to forget the question.
Both are ignored by default, so in a program that another one executes too."""
ENDLESS = "endless"
"""The cause in the result file of a program that cannot end; the line is that of its loop."""
LONGEST_CLASS_NAME = 100

EXIT_TRACEBACK = 1
EXIT_UNUSABLE = 3
"""A checker failed before its function was called, or an interactor failed."""
EXIT_NOT_DEFINED = 4
"""A checker or an interactor does not define the function that is called."""
EXIT_OUT_OF_MEMORY = 5
"""A checker or an interactor ran out of memory."""
EXIT_CHANNEL_BROKEN = 86
"""The program under test could not read from the channel to its tests, or not write to it."""
EXIT_ENDLESS = 87
"""The program was asked whether it can end, and cannot (`sandbox/endless/`)."""
EXIT_NOT_STARTED = 127
"""The launcher could not execute its command."""

STACK_BYTES = 1 << 30
"""The stack may grow to a gibibyte, because right programs may recurse deeply. It counts against the memory limit."""
BOX_BYTES = 64 << 20
"""How much a program may write into its working directory."""
