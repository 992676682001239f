"""What the commands print that is not a result: failures in one line, and notes while the work goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from microcoder_eval.command_line import PACKAGES, Mistake, Stopped, echo
from microcoder_eval.install_line import install_line
from microcoder_rl.errors import RunFailed


def notifier(quiet: bool, as_json: bool) -> Callable[[str], None]:
    """A `notify` for messages that are not the result: to standard error with --json, to nowhere with --quiet."""

    def notify(message: str) -> None:
        if not quiet:
            echo(message, err=as_json)

    return notify


@contextmanager
def one_line_errors(when_stopped: str = "stopped") -> Iterator[None]:
    """Turn a failed run, Ctrl-C or a missing package into one line and a non-zero exit status."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in PACKAGES:
            raise
        raise Mistake(f"this needs {error.name}: {install_line('train')}") from None
    except RunFailed as error:
        raise click.ClickException(str(error)) from None
    except KeyboardInterrupt:
        raise Stopped(when_stopped) from None
