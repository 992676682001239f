"""How every command of `microcoder` behaves: a user's mistake ends in one line, and --json, --quiet, --verbose exist.

    @click.group(cls=Group, extras=("data",))
    def data() -> None: ...

    @data.command()
    @click.option("--out", type=path_type)
    @talk_options
    @json_option
    def build(out: Path, quiet: bool, as_json: bool) -> None: ...

Exit statuses. 0: done. 1: done, but some input was bad or could not be judged, or the work itself failed. 2: not done,
because of a wrong call, path or recipe, or a file that cannot be read or written. 130: stopped by Ctrl-C.
"""

from __future__ import annotations

import functools
import json
import logging
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from microcoder_eval.arguments import long_integers
from microcoder_eval.atomic import disk_is_full
from microcoder_eval.errors import GraderError, InputError, first_line
from microcoder_eval.install_line import install_line
from microcoder_eval.printable import printable
from microcoder_eval.suggest import closest

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

_Command = TypeVar("_Command", bound=Callable[..., Any])
_PIPED_WIDTH = 200
PACKAGES = ("microcoder_eval", "microcoder_data", "microcoder_rl")


class Mistake(click.ClickException):
    """An error that the user can fix: a path, a key, a full disk. The command ends with exit status 2."""

    exit_code = 2


class Stopped(click.ClickException):
    """The user pressed Ctrl-C. The message says how to continue."""

    exit_code = 130

    def show(self, file: Any = None) -> None:
        click.echo(f"\n{printable(self.message)}", file=file, err=file is None)


class CommandGroup(click.Group):
    """A group of commands that reports errors in one line and suggests the command that was probably meant.

    `extras` names the optional dependencies of its commands, as in `pip install "microcoder[data,train]"`.
    `workflow` gives the sections of its help, and their commands in the order of the work.
    """

    def __init__(
        self,
        *arguments: Any,
        extras: Sequence[str] = (),
        workflow: Mapping[str, Sequence[str]] | None = None,
        **options: Any,
    ) -> None:
        options.setdefault("context_settings", {"help_option_names": ["-h", "--help"]})
        super().__init__(*arguments, **options)
        self.extras = extras
        self.workflow = workflow or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        known = super().list_commands(ctx)
        ordered = [name for names in self.workflow.values() for name in names if name in known]
        return ordered + [name for name in known if name not in ordered]

    def summary(self, ctx: click.Context, name: str) -> str:
        """The first sentence of a command's help."""
        command = self.get_command(ctx, name)
        return command.get_short_help_str(1000) if command else ""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        known = self.list_commands(ctx)
        width = max(map(len, known))  # the same columns in every section
        for title, names in (self.workflow or {"Commands": known}).items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self.summary(ctx, name)) for name in names if name in known])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            near = closest(args[0], known)
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {near!r}?" if near else ""))
        return super().resolve_command(ctx, args)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with _printable_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _printable_errors(), long_integers():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InputError as error:
            raise Mistake(str(error)) from None
        except GraderError as error:
            raise click.ClickException(str(error)) from None
        except ImportError as error:
            missing = (error.name or "").split(".")[0]
            if not self.extras or missing in PACKAGES:
                raise
            what = f"`{ctx.command_path}` needs {missing or first_line(error)}"
            if missing and not isinstance(error, ModuleNotFoundError):
                what += f", which is installed but broken or of another version ({first_line(error)})"
            raise Mistake(f"{what}: {install_line(*self.extras)}") from None
        except BrokenPipeError:
            raise
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            way_out = ": free some space, then run again, with --resume where there is one" * disk_is_full(error)
            raise Mistake(f"{place}{error.strerror or error}{way_out}") from None
        except KeyboardInterrupt:
            raise Stopped("stopped") from None


path_type = click.Path(path_type=Path)
"""The type of an option or argument that is a path."""

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else on standard output."
)


def talk_options(command: _Command) -> _Command:
    """Add --quiet, which the command receives, and --verbose, which shows the packages' log lines while it runs."""

    @functools.wraps(command)
    def talking(*args: Any, verbose: bool, **options: Any) -> Any:
        if verbose and options["quiet"]:
            raise click.UsageError("--quiet and --verbose contradict each other")
        with _showing_log_lines() if verbose else nullcontext():
            return command(*args, **options)

    quiet = click.option("--quiet", "-q", is_flag=True, help="Show no progress bar, only results and errors.")
    verbose = click.option(
        "--verbose", "-v", is_flag=True, help="Write to standard error what is decided, why, and how long it takes."
    )
    return quiet(verbose(cast(_Command, talking)))


@contextmanager
def _printable_errors() -> Iterator[None]:
    """Escape control characters in error messages, which may quote a file, a dataset or a program."""
    try:
        yield
    except click.ClickException as error:
        message = printable(error.format_message())
        error.format_message = lambda: message  # type: ignore[method-assign]
        raise


def echo(text: object = "", err: bool = False, nl: bool = True, **style: Any) -> None:
    """Print untrusted text safely; `style`: as `click.style` takes it.

    >>> echo("title: \x1b]0;owned\x07")
    title: \\x1b]0;owned\\x07
    """
    click.secho(printable(text), err=err, nl=nl, **style)


def literal(text: object) -> str:
    """Untrusted text, escaped for a console that interprets markup.

    >>> literal("[red]x")
    '\\\\[red]x'
    """
    from rich.markup import escape

    return escape(printable(text))


def safe_console(**options: Any) -> Console:
    """A console that escapes control sequences. To escape markup too, pass untrusted text through `literal`."""
    from rich.console import Console
    from rich.segment import Segment

    class SafeConsole(Console):
        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(printable(segment.text), segment.style)

    return SafeConsole(highlight=False, emoji=False, **options)


def result_console() -> Console:
    """The console for a command's result: as wide as the terminal, or 200 columns when the output is piped.

    >>> result_console().print("[bold]3 of 6 accepted[/]")  # doctest: +SKIP
    """
    return safe_console(width=None if sys.stdout.isatty() else _PIPED_WIDTH)


def show_json(found: Any) -> None:
    """Print the result as one JSON object. NaN and infinities, which JSON does not have, become null.

    >>> show_json({"loss": float("nan")})
    {"loss": null}
    """
    click.echo(json.dumps(_finite(found), default=str).replace("\x7f", "\\u007f"))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return value


class _LogLines(logging.Handler):
    """Log lines on standard error, each with the seconds since the program began."""

    def emit(self, record: logging.LogRecord) -> None:
        echo(f"{record.relativeCreated / 1000:8.2f} s  {record.getMessage()}", err=True)


@contextmanager
def _showing_log_lines() -> Iterator[None]:
    lines, loggers = _LogLines(logging.INFO), [logging.getLogger(name) for name in PACKAGES]
    for logger in loggers:
        logger.addHandler(lines)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(lines)
            logger.setLevel(logging.NOTSET)
            logger.propagate = True
