"""Foreign text reaches a terminal without control sequences, hidden or reversed text, markup or endless lines."""

from __future__ import annotations

import ast
import io
import json
import logging
import unicodedata
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import microcoder_eval
from microcoder_eval.command_line import CommandGroup, Mistake, echo, literal, safe_console, show_json, talk_options
from microcoder_eval.errors import InputError
from microcoder_eval.printable import LONGEST_LINE, printable, visible

pytestmark = pytest.mark.fast
ROOT = Path(microcoder_eval.__file__).parents[1]
PACKAGES = ("microcoder_eval", "microcoder_data", "microcoder_rl")
HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J\x1b]52;c;b3duZWQ=\x07\x9b31m\x7f\b\r\0\u202egnorw\u2066\u200f\u2028\ufeff\U000e0041\ud800 "
    "[red]x[/red][link=http://example.org]y[/link][/] " + "z" * 100_000
)
KEPT = ("[red]x[/red][link=http://example.org]y[/link][/]", "\\x1b]0;owned", "\\u202e", "\\ud800", "characters more")


def assert_printable(text: str, whole: bool = True) -> None:
    bad = {letter for letter in text if letter not in "\n\t" and unicodedata.category(letter)[0] in "C"}
    assert not bad, ascii(bad)
    assert not {"\u2028", "\u2029"} & set(text)
    assert max(map(len, text.split("\n"))) < LONGEST_LINE + 200
    if whole:
        assert all(part in text.replace("\n", "") for part in KEPT), text[:1000]


def test_every_hidden_or_control_character_is_escaped() -> None:
    left = [chr(n) for n in range(0x110000) if unicodedata.category(chr(n)) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    for letter in set(left) - {"\n", "\t"}:
        assert visible(letter).startswith("\\") and visible(letter).isascii(), hex(ord(letter))


def test_ordinary_text_is_left_alone() -> None:
    text = "naïve\t東京 🙂 Ω½ “quotes” – \\n [x] עברית عربى\nline two"
    assert printable(text) == text


def test_long_lines_are_cut_each_by_itself() -> None:
    assert printable("abcdef\nabc", longest_line=4) == "abcd ... (2 characters more)\nabc"
    assert len(printable("\x1b" * 10**6)) < LONGEST_LINE + 50


def test_echo_and_consoles_print_nothing_that_acts(capsys: pytest.CaptureFixture[str]) -> None:
    echo(HOSTILE)
    echo(HOSTILE, err=True, bold=True)
    printed = capsys.readouterr()
    assert_printable(printed.out)
    assert_printable(printed.err)
    out = io.StringIO()
    safe_console(file=out, soft_wrap=True).print(f"[bold]{literal(HOSTILE)}[/]")
    assert_printable(out.getvalue())
    out = io.StringIO()
    safe_console(file=out, soft_wrap=True).print(HOSTILE, markup=False)  # forgotten to escape
    assert_printable(out.getvalue(), whole=False)


def test_a_terminal_gets_no_sequence_but_those_of_its_console() -> None:
    out = io.StringIO()
    safe_console(file=out, force_terminal=True, color_system="standard", width=80).print(f"[red]{literal(HOSTILE)}[/]")
    assert_printable(out.getvalue().replace("\x1b[31m", "").replace("\x1b[0m", ""), whole=False)


def test_json_has_no_control_character(capsys: pytest.CaptureFixture[str]) -> None:
    show_json({HOSTILE: HOSTILE})
    printed = capsys.readouterr().out
    assert printed.strip().isprintable() and printed.isascii()
    assert json.loads(printed) == {HOSTILE: HOSTILE}


@click.group(cls=CommandGroup)
def commands() -> None:
    pass


@commands.command()
@click.option("--kind", default="mistake")
@talk_options
def fails(kind: str, quiet: bool) -> None:
    logging.getLogger("microcoder_eval").info("said %s", HOSTILE)
    errors = {
        "mistake": Mistake(HOSTILE),
        "input": InputError(HOSTILE),
        "parameter": click.BadParameter(HOSTILE),
        "file": click.FileError("name", HOSTILE),
        "system": OSError(2, HOSTILE, HOSTILE),
    }
    raise errors[kind]


@pytest.mark.parametrize("kind", ["mistake", "input", "parameter", "file", "system"])
def test_errors_and_log_lines(kind: str) -> None:
    done = CliRunner().invoke(commands, ["fails", "--kind", kind, "--verbose"])
    assert done.exit_code in (1, 2)
    assert_printable(done.stderr)
    assert_printable("\n".join(line for line in done.stderr.split("\n") if " s  said" not in line))


@pytest.mark.parametrize("arguments", [[HOSTILE], ["fails", HOSTILE], ["fails", f"--{HOSTILE}"], [f"--{HOSTILE}"]])
def test_wrong_calls(arguments: list[str]) -> None:
    done = CliRunner().invoke(commands, arguments)
    assert done.exit_code == 2
    assert_printable(done.stderr, whole=False)


def test_everything_is_printed_through_these_functions() -> None:
    """In a command's code there is no other way to standard output or a console."""
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name == "microcoder_eval/command_line.py" or "/material/" in name or "/sandbox/" in name:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in ("click.echo", "click.secho", "Console", "rich.print"), f"{name}:{node.lineno}"
                unsafe = called == "print" and name != "microcoder_rl/engines/watchdog.py"
                assert not unsafe, f"{name}:{node.lineno}"
