"""The command line, as the installed command `microcoder` and as `python -m microcoder`."""

from __future__ import annotations

import signal


def main() -> None:
    """Run the command line. While its parts are imported, Ctrl-C ends it without a traceback."""
    raises = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a shell's background job ignores it
    if raises:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from microcoder.assembly import main as run

    if raises:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    main()
