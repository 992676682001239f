"""The command line that starts a fresh interpreter on one of this package's modules."""

from __future__ import annotations

import os
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def command(module: str, *arguments: str, site: bool) -> list[str]:
    """The command line that runs `main` of `microcoder_eval.<module>` in a fresh interpreter.

    `site`: whether installed packages are on its path. The package's own `__init__` is not run: it would import the
    whole grader, and these processes must be small and start fast. What it imports stays: no search for garbage is made
    meanwhile, and later ones leave it out. Signals that a user's process blocks or ignores would stay so: a process
    that ignores SIGCHLD cannot wait for its children. Python itself ignores two.
    """
    program = (
        "import _signal, gc, sys, types\n"
        "gc.disable()\n"
        "_signal.pthread_sigmask(_signal.SIG_SETMASK, ())\n"
        "for number in _signal.valid_signals() - {_signal.SIGPIPE, _signal.SIGXFSZ}:\n"
        "    if _signal.getsignal(number) == _signal.SIG_IGN:\n"
        "        _signal.signal(number, _signal.SIG_DFL)\n"
        "package = sys.modules['microcoder_eval'] = types.ModuleType('microcoder_eval')\n"
        f"package.__path__ = [{_PACKAGE!r}]\n"
        f"from microcoder_eval.{module} import main\n"
        "gc.freeze()\n"
        "gc.enable()\n"
        "main()\n"
    )
    return [sys.executable, *([] if site else ["-S"]), "-X", "utf8", "-W", "ignore", "-c", program, *arguments]
