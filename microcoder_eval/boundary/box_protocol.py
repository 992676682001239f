"""What a box (`supervisor/box.py`) and the process behind its walls (`sandbox/`) agree on: names and numbers only.

Both sides import this file, so that neither imports the other. It defines constants and nothing else: the process
behind the walls forks for every test, and everything it has loaded makes a fork more expensive.
"""

from __future__ import annotations

ZYGOTE, LAUNCHER = "sandbox.zygote", "sandbox.launcher"
"""The modules whose `main` a box starts."""
CALLING = "microcoder_eval.sandbox.calling"
INTERACTOR = "microcoder_eval.sandbox.interactor_function"
PROGRAM_SIDE, TESTS_RUNNER = "microcoder_eval.sandbox.asserts.program_side", "microcoder_eval.sandbox.asserts.run_unit"
"""Modules that a zygote can load before its first fork."""

CONTROL, REQUEST, SESSION, RESULT, PROGRAM = 3, 4, 5, 6, 7
"""The descriptors of a process behind the walls, after stdin, stdout and stderr: the socket on which requests come,
the file with a request's record, the socket of a session, the file for results, the program that is executed."""
PROGRAM_PATH = f"/proc/self/fd/{PROGRAM}"
"""Where an interpreter finds the program that it is to run."""

LOAD, LIMIT, STDIN, PIPES, RUN, OPEN_SESSION, WIPE = b"L", b"B", b"I", b"P", b"T", b"S", b"W"
"""Requests (see `sandbox/serve.py`)."""
DONE = b"-"
"""The answer to a request that has nothing to tell. A datagram is never empty: that would mean the end."""

STDIN_PROGRAM, CALL_PROGRAM, CHECKER, INTERACTOR_FUNCTION = "stdin", "call", "check", "interact"
ASSERTS_PROGRAM, ASSERTS_TESTS = "asserts program", "asserts tests"
"""Kinds of source that a zygote can load."""

OUT_OF_MEMORY, REFUSED = "out of memory", "refused"
"""Causes of a failure. A Python program that an exception ended leaves in its result file, on three lines: the cause or
nothing, the number of the program's line that raised, the class of the exception."""
LONGEST_CLASS_NAME = 100

EXIT_TRACEBACK = 1
EXIT_UNUSABLE = 3
"""A checker that fails before it is asked, an interactor that fails at all."""
EXIT_NOT_DEFINED = 4
"""A checker or an interactor does not define the function that is called."""
EXIT_OUT_OF_MEMORY = 5
"""A checker or an interactor ran out of memory."""
EXIT_CHANNEL_BROKEN = 86
"""The program under test could not read what arrived on the channel from its tests, or not write to it."""
EXIT_NOT_STARTED = 127
"""The launcher could not execute its command."""

STACK_BYTES = 1 << 30
"""Right programs may recurse deeply: the stack may grow to a gibibyte, which counts against the memory limit."""
BOX_BYTES = 64 << 20
"""How much a program may write into its working directory."""
