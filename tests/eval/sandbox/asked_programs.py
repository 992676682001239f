"""Runs programs that are asked whether they can end, at their first line and without a sandbox.

    with Asking() as asking:
        asking.ask("while True: pass")      # "endless 1", "ended" or "went on"

As a script it is the process that answers: one line of JSON for each program, one line for each answer.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3] / "microcoder_eval"
CHECK_S, PLAIN_S = 1.0, 0.3
"""How much CPU time a program may use: after it was asked, and when it was not. A busy machine changes nothing."""
LONGEST_S = 60.0


class Asking:
    """A process that forks one child for each program."""

    def __enter__(self) -> Asking:
        command = [sys.executable, "-S", __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, program: str, asked: bool = True) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([program, asked]) + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()


def serve() -> None:
    package = sys.modules["microcoder_eval"] = types.ModuleType("microcoder_eval")
    package.__path__ = [str(PACKAGE)]
    import dis  # noqa: F401  # as most zygotes have

    from microcoder_eval.boundary.box_protocol import ASK, EXIT_ENDLESS, RESULT
    from microcoder_eval.sandbox import harness
    from microcoder_eval.sandbox.endless import asked, check

    check.LONGEST_S, check.SHARE = 1.0, 1e6
    reads, writes = os.pipe()
    os.dup2(writes, RESULT)
    requests = os.fdopen(os.dup(0))
    nothing, out = os.open(os.devnull, os.O_RDWR), os.dup(1)
    for place in (0, 1, 2):
        os.dup2(nothing, place)
    asked.answer()
    gc.collect()
    gc.freeze()
    for line in requests:
        program, is_asked = json.loads(line)
        code = compile(program, harness.SCRIPT, "exec", dont_inherit=True)
        child = os.fork()
        if child == 0:
            names = harness.fresh_main({"ask": functools.partial(os.kill, os.getpid(), ASK if is_asked else 0)})
            os._exit(harness.wind_up(harness.run_script(code, names)))
        until = time.monotonic() + LONGEST_S
        clock, most_s = (~child << 3) | 2, CHECK_S if is_asked else PLAIN_S  # as clock_getcpuclockid makes it
        while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < until:
            if time.clock_gettime(clock) > most_s:
                break
            time.sleep(0.0005)
        if ended[0] == 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        written = b""
        os.set_blocking(reads, False)
        try:
            written = os.read(reads, 1 << 16)
        except BlockingIOError:
            pass
        answer = "ended"
        if ended[0] == 0:
            answer = "went on"
        elif ended[1] == EXIT_ENDLESS << 8:
            answer = "endless " + written.decode().split("\n")[-2]
        os.write(out, f"{answer}\n".encode())


if __name__ == "__main__":
    serve()
