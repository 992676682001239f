"""The command `microcoder eval serve`: it parses options; `run_server` does the work."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from microcoder_eval.command_line import Mistake, Stopped, echo, path_type
from microcoder_eval.command_options import (
    isolation_option,
    kept_verdicts,
    layers_option,
    policy_option,
    tests_order_option,
)
from microcoder_eval.connection.node import EXTRA
from microcoder_eval.errors import InputError
from microcoder_eval.install_line import install_line
from microcoder_eval.service.limits import RequestLimits


@click.command()
@click.option("--host", help="The address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="The port; 0: a free one.  [default: 8080]")
@click.option("--socket", "unix_socket", type=path_type, help="Listen on a Unix socket at this path instead.")
@click.option(
    "--token",
    "token_file",
    type=path_type,
    help="A file with a secret that every client must send. An address that other machines can reach needs one.",
)
@click.option(
    "--problems", type=path_type, help="Problems that clients name by id: .jsonl, .gz, .parquet or a dataset."
)
@click.option("--workers", type=click.IntRange(1), help="Tests that run at the same time.  [default: one for each CPU]")
@policy_option
@isolation_option
@tests_order_option
@layers_option
@click.option("--cache", type=path_type, help="Keep verdicts in this file.  [default: none are kept]")
@click.option("--queue", type=click.IntRange(0), default=1024, show_default=True, help="Gradings that may wait.")
@click.option("--body-mb", type=click.FloatRange(0.001), default=64, show_default=True, help="The largest request.")
@click.option(
    "--held-mb",
    type=click.FloatRange(0.001),
    default=1024,
    show_default=True,
    help="The open requests together.",
)
@click.option("--tests", type=click.IntRange(1), default=10_000, show_default=True, help="The most tests of a problem.")
@click.option(
    "--values", type=click.IntRange(1), default=1_000_000, show_default=True, help="The most values in those tests."
)
@click.option(
    "--request-s", type=click.FloatRange(0.1), default=600, show_default=True, help="The longest wait for one grading."
)
@click.option(
    "--time-limit-s", type=click.FloatRange(0.1), default=60, show_default=True, help="The longest limit of a test."
)
@click.option(
    "--memory-limit-mb", type=click.IntRange(1), default=4096, show_default=True, help="The largest limit of a test."
)
@click.option(
    "--drain-s", type=click.FloatRange(1), default=60, show_default=True, help="How long work may go on after SIGTERM."
)
@click.option(
    "--idle-s", type=click.FloatRange(0), default=0, help="End after this long without work.  [default: never]"
)
@click.option("--json-logs", is_flag=True, help="Write log lines as JSON objects to standard error.")
def serve(
    host: str | None,
    port: int | None,
    unix_socket: Path | None,
    token_file: Path | None,
    problems: Path | None,
    cache: Path | None,
    workers: int | None,
    policy: str,
    isolation: str,
    tests_order: str,
    required_layers: tuple[str, ...],
    drain_s: float,
    idle_s: float,
    json_logs: bool,
    **bounds: Any,
) -> None:
    """Serve one grader to all processes of this machine, over HTTP or a Unix socket.

    It answers this project's calls, and those of SandboxFusion, ScaleBox, Piston, NeMo Gym, OpenRLHF, slime and
    open-instruct. After SIGTERM, running gradings are finished and all other work is refused.

    \b
    Examples:
      microcoder eval serve --problems problems.jsonl
      microcoder eval serve --host 0.0.0.0 --token secret.txt --json-logs
    """
    try:
        from microcoder_eval.service.run_server import ServerOptions
        from microcoder_eval.service.run_server import serve as run
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:  # a fault of this project or of Python's installation
            raise
        raise Mistake(f"`microcoder eval serve` needs {error.name}: {install_line('serve')}") from None

    if unix_socket is not None and (host is not None or port is not None):
        raise click.UsageError("--socket listens in place of --host and --port: give the one or the others")
    options = ServerOptions(
        host or "127.0.0.1",
        8080 if port is None else port,
        unix_socket,
        token=read_token(token_file),
        problems=problems,
        limits=RequestLimits(**bounds),
        drain_s=drain_s,
        idle_s=idle_s,
        json_logs=json_logs,
    )
    grader_options = {
        "workers": workers,
        "policy": policy,
        "isolation": isolation,
        "tests_order": tests_order,
        "require_sandbox": required_layers,
        "cache": kept_verdicts(cache, no_cache=cache is None),
    }
    try:
        run(
            options,
            grader_options,
            on_ready=lambda address: _say(f"serving on {address}"),
            on_bad=lambda record: _say(f"left out: {record}"),
        )
    except KeyboardInterrupt:
        raise Stopped("stopped") from None


def _say(text: str) -> None:
    """Write a line to standard error. When the disk of the log is full, the service goes on."""
    with suppress(OSError):
        echo(text, err=True)


def read_token(file: Path | None) -> str:
    """The secret in a file, without white space around it."""
    if file is None:
        return ""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 at byte {error.start}") from None
    if not token:
        raise InputError(f"{file}: is empty, and should hold the token")
    return token
