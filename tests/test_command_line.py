"""Every command of the command line: help, --json, broken input, --quiet and --verbose work alike in all."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import cli
from microcoder_data.pipeline.stages import STAGES
from microcoder_eval.command_line import CommandGroup
from microcoder_eval.terminal import SHOWN_BAD_RECORDS
from tests.data.made_up import taco_record, write_lines

ROOT = Path(__file__).parent.parent
DOCUMENTS = {"data keys", "train keys", "eval serve"}
"""Commands that have no result: their output is a document, or they serve until they are stopped."""


def commands(group: click.Group = cli.microcoder, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


ALL = dict(commands())


def microcoder(*words: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import cli; cli.main()", *map(str, words)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


@pytest.mark.parametrize("name", ALL)
def test_help_says_what_the_command_and_its_options_do_and_has_an_example(name: str) -> None:
    command = ALL[name]
    context = click.Context(command, info_name=f"microcoder {name}")
    text = command.get_help(context)
    examples = text.split("Example", 1)[1].split("Options:")[0]
    called = [line for line in examples.splitlines() if line.strip().startswith("microcoder ")]
    assert any(line.strip().startswith(f"microcoder {name}") for line in called)
    assert examples.startswith("s:" if len(called) > 1 else ":")
    assert "(default" not in text  # all defaults look alike: [default: ...]
    silent = [option.name for option in command.params if isinstance(option, click.Option) and not option.help]
    assert silent == []


@pytest.mark.parametrize("name", sorted(ALL.keys() - DOCUMENTS))
def test_every_command_with_a_result_can_give_it_as_json(name: str) -> None:
    assert "--json" in {word for option in ALL[name].params for word in option.opts}


def test_quiet_and_verbose_come_together() -> None:
    for name, command in ALL.items():
        words = {word for option in command.params for word in option.opts}
        assert ("--quiet" in words) == ("--verbose" in words), name


@pytest.mark.parametrize("group", ["eval", "data", "train", "problems", "lab", "model"])
def test_a_groups_help_has_every_command_once_with_its_whole_first_sentence(group: str) -> None:
    context = click.Context(cli.microcoder)
    command = cli.microcoder.get_command(context, group)
    assert isinstance(command, click.Group)
    text = " ".join(command.get_help(click.Context(command, info_name=group)).split())
    for name, inner in command.commands.items():
        assert text.count(f"{name} {' '.join(inner.get_short_help_str(1000).split())}") == 1, name


class Read(str):
    """A word of a command line that names what the command reads: the tests put broken things in its place."""


CALLS: dict[str, list[str]] = {
    "data build": [Read("recipe.yaml"), "--out", "built", "--workers", "1"],
    **{f"data {stage}": [Read("recipe.yaml"), "--out", f"by-{stage}", "--workers", "1"] for stage in STAGES},
    "data why": ["a:1", "--in", Read("built")],
    "data inspect": [Read("built"), "--count", "2"],
    "data stats": [Read("built")],
    "data report": [Read("built")],
    "data diff": [Read("built"), Read("by-verify")],
    "data validate": [Read("built")],
    "data difficulty": [Read("built"), "--by", "level", "--out", "study"],
    "data index": [Read("built"), "--out", "index.npz"],
    "data similar": [Read("index.npz"), Read("solution.py")],
    "data export": [Read("built"), "--to", "jsonl", "--out", "p.jsonl"],
    "data push": [Read("built"), "--repo", "me/mine", "--dry-run"],
    "problems new": ["lost-keys", "--root", "set"],
    "problems list": ["--root", Read("set")],
    "problems show": ["lost-keys", "--root", Read("set")],
    "problems check": ["--root", Read("set"), "--workers", "1"],
    "problems export": ["programs", "--root", Read("set")],
    "eval grade": [
        *("--problems", Read("programs/problems.jsonl"), "--submissions", Read("programs/submissions.jsonl")),
        *("--out", "graded", "--no-cache", "--workers", "1"),
    ],
    "eval run": [Read("solution.py"), "--problem", Read("programs/problems.jsonl")],
    "eval report": [Read("graded")],
    "eval diff": [Read("graded"), Read("graded")],
    "eval show": [Read("graded")],
    "data init": [Read("raw.jsonl"), "--out", "own.yaml", "--force"],
    "lab plan": [],
    "lab page": ["--out", "pages"],
    "home": [Read(".")],
}
"""A call of each fast command; each uses what those before it have written."""
ELSEWHERE = {"data attempt", "eval generate", "eval livecodebench", "eval humaneval", "eval mbpp", "problems raw"}
ELSEWHERE |= {
    "problems recall",
    "quickstart",
    "train run",
    "train init",
    "train plan",
    "train temperature",
    "train plot",
    "train eval",
    "doctor",
    "data fidelity",
    "lab run",
    "lab world",
    "model smollm2",
}
"""Commands whose tests need a model, a benchmark or more time: they are in their packages' test folders."""


def call(name: str, words: list[str], *more: str) -> Result:
    return CliRunner().invoke(cli.microcoder, [*name.split(), *words, *more])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Result]]:
    """Each result of `CALLS` with --json. The calls fill one folder with a small dataset, problems and grades."""
    folder, before = tmp_path_factory.mktemp("all"), Path.cwd()
    records = [taco_record(number) for number in range(24)]
    levels = ("EASY", "MEDIUM", "HARD")
    write_lines(folder / "raw.jsonl", [{**one, "difficulty": levels[n % 3]} for n, one in enumerate(records)])
    (folder / "recipe.yaml").write_text("name: small\nsources:\n  - {source: taco, path: raw.jsonl}\n")
    (folder / "solution.py").write_text("print(sum(map(int, input().split())))\n")
    os.chdir(folder)
    called: dict[str, Result] = {}
    for name, words in CALLS.items():
        if name == "data why":
            words = [json.loads(called["data build"].stdout) and _first_id(), *words[1:]]
        called[name] = call(name, words, "--json")
    yield called
    os.chdir(before)


def _first_id() -> str:
    shown = call("data inspect", ["built"], "--json")
    return str(json.loads(shown.stdout)["problems"][0]["problem_id"])


def test_every_command_is_called_here_or_elsewhere() -> None:
    assert ALL.keys() == CALLS.keys() | ELSEWHERE | DOCUMENTS


@pytest.mark.parametrize("name", CALLS)
def test_json_is_one_object_and_nothing_else(name: str, results: dict[str, Result]) -> None:
    result = results[name]
    assert result.exit_code == (1 if name == "eval run" else 0), result.output
    assert isinstance(json.loads(result.stdout, parse_constant=pytest.fail), dict)


READABLE = {
    *(("data similar", "solution.py", kind) for kind in ("empty", "binary", "text")),  # any text may be a program
    ("home", ".", "folder"),  # an empty folder has a page that says so
    ("eval report", "graded", "empty"),  # a run that was stopped before its first grade
}
"""Command, word and kind of what only looks broken: the command succeeds."""
BROKEN = {"missing": "nowhere/at/all", "folder": "", "empty": "empty", "binary": "binary", "text": "text"}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("name", [name for name, words in CALLS.items() if any(isinstance(w, Read) for w in words)])
def test_broken_input_is_reported_in_a_line(name: str, kind: str, results: dict[str, Result], tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "text").write_text("{ this: is [not what anything expects\n" * 3)
    words = CALLS[name]
    for position, word in enumerate(words):
        if not isinstance(word, Read):
            continue
        changed = [*words[:position], str(tmp_path / BROKEN[kind]), *words[position + 1 :]]
        if "--out" in changed:
            changed[changed.index("--out") + 1] = str(tmp_path / f"out-{position}")
        result = call(name, changed)
        assert isinstance(result.exception, SystemExit | None), (changed, result.exception)
        lines = result.stderr.strip().splitlines()
        if (name, word, kind) in READABLE:
            assert result.exit_code == 0, (changed, result.output)
            continue
        # 1: done, with a list of bad records or a verdict; 2: not done, in a line below click's two on usage
        assert result.exit_code in (1, 2), (changed, result.output)
        assert lines or result.stdout, changed
        assert len(lines) <= (4 if result.exit_code == 2 else SHOWN_BAD_RECORDS + 1), (changed, result.stderr)
        assert all(len(line) < 400 for line in lines), (changed, result.stderr)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("trian", "Did you mean 'train'?"),
        ("data biuld", "Did you mean 'build'?"),
        ("eval grde", "Did you mean 'grade'?"),
        ("problems list --jsn", "--json"),
        ("data build recipe.yaml --out x --engine loca", "did you mean 'local'"),
    ],
)
def test_a_typing_mistake_gets_a_hint(words: str, hint: str, results: dict[str, Result]) -> None:
    result = CliRunner().invoke(cli.microcoder, words.split())
    assert result.exit_code == 2 and hint in result.stderr, result.output


def test_verbose_reports_decisions_on_standard_error(results: dict[str, Result]) -> None:
    again = call("data build", ["recipe.yaml", "--out", "built", "--resume"], "--verbose", "--json")
    assert json.loads(again.stdout)["rows"] == json.loads(results["data build"].stdout)["rows"]
    assert "process: 1 of 1 shards are finished from before" in again.stderr
    graded = call("eval grade", [*CALLS["eval grade"][:4], "--out", "graded-again", "--workers", "1"], "-v")
    assert " s  grading with 1 worker, policy contest" in graded.stderr
    assert "wrong/minus_sign.py for lost-keys: RUNTIME_ERROR" in graded.stderr
    quiet = call("data build", ["recipe.yaml", "--out", "built", "--resume"], "--quiet")
    assert quiet.stderr == ""
    both = call("data build", ["recipe.yaml", "--out", "built", "--resume"], "--quiet", "--verbose")
    assert both.exit_code == 2 and "contradict" in both.stderr
    assert not logging.getLogger("microcoder_eval").isEnabledFor(logging.INFO), "and that ends with it"


def test_a_full_disk_is_one_line_with_the_way_out() -> None:
    @click.command()
    def write() -> None:
        with Path("/dev/full").open("w", encoding="utf-8") as file:
            file.write("x")

    told = CliRunner().invoke(CommandGroup("m", commands={"write": write}), ["write"])
    assert told.exit_code == 2 and told.output.count("\n") == 1
    assert "No space left on device: free some space, then run again" in told.output


def test_a_closed_pipe_causes_no_message() -> None:
    for words in ("problems list", "problems list --json", "data keys", "problems show dark-cells"):
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -c 'import cli; cli.main()' {words} | head -c 20"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert (len(done.stdout), done.stderr) == (20, ""), words


BARE = """
import sys
for name in ("torch", "transformers", "pyarrow", "pandas", "datasets"):
    sys.modules[name] = None  # as if it were not installed
import cli
cli.main()
"""


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("quickstart --out q", "data,train"),
        ("data build r.yaml --out d", "data"),
        ("train run r.yaml", "train"),
        ("eval generate --model m --problems p --out g", "train"),
    ],
)
def test_what_is_not_installed_is_named_with_its_extra(words: str, extra: str, tmp_path: Path) -> None:
    (tmp_path / "r.yaml").touch()
    done = subprocess.run(
        [sys.executable, "-c", BARE, *words.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert f'pip install -e "{ROOT}[{extra}]"' in done.stderr, "a line that works from a checkout"


@pytest.mark.parametrize("how", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_may_be_closed(tmp_path: Path, how: str) -> None:
    (tmp_path / "p.json").write_text('{"id": "p", "tests": [{"input": "", "output": "1"}]}')
    (tmp_path / "s.json").write_text('{"problem_id": "p", "code": "print(1)"}')
    grade = f"{sys.executable} -m cli eval grade --problems p.json --submissions s.json --out run {how}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", grade], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 of 1 accepted" in done.stdout or ">&-" in how
    assert (tmp_path / "run" / "report.html").exists()


def test_what_the_terminals_encoding_lacks_is_escaped(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"id": "p", "tests": [{"input": "é", "output": "1"}]}')
    (tmp_path / "s.py").write_text("print(2)")
    shown = microcoder("eval", "run", tmp_path / "s.py", "--problem", tmp_path / "p.json", PYTHONIOENCODING="ascii")
    assert "\\xe9" in shown.stdout and "Traceback" not in shown.stderr


INTERRUPTED = """
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests may run in a shell's background
class Interrupts:
    def find_spec(self, name, *_):
        if name == "click": os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
runpy.run_module("microcoder", run_name="__main__")
"""


def test_ctrl_c_while_it_starts_leaves_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def on_a_terminal(*words: str, **environment: str) -> str:
    """What a command shows on a terminal."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", "import cli; cli.main()", *words],
        cwd=ROOT,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    ):
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return shown.decode()


def test_no_color_is_respected(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"id": "p", "tests": [{"input": "", "output": "1"}]}')
    (tmp_path / "s.py").write_text("print(1)")
    words = ("eval", "run", str(tmp_path / "s.py"), "--problem", str(tmp_path / "p.json"))
    assert "\x1b[32m" in on_a_terminal(*words, NO_COLOR="")
    plain = on_a_terminal(*words, NO_COLOR="1")
    assert "ACCEPTED" in plain and "\x1b[3" not in plain


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("microcoder ev", "eval"), ("microcoder data wh", "why"), ("microcoder eval grade --pol", "--policy")],
)
def test_the_shell_completes_commands_and_options(typed: str, offered: str) -> None:
    done = microcoder(_MICROCODER_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=str(len(typed.split()) - 1))
    assert offered in done.stdout and done.stderr == ""


def test_a_package_that_is_there_and_cannot_be_imported_is_not_called_missing() -> None:
    @click.group(cls=CommandGroup, extras=("train",))
    def broken() -> None: ...

    @broken.command()
    @click.pass_context
    def run(context: click.Context) -> None:
        raise ImportError("cannot import name 'no_grad' from 'torch'", name="torch")

    shown = CliRunner().invoke(broken, ["run"]).output
    assert (
        "installed but broken or of another version (cannot import name 'no_grad' from 'torch'): pip install" in shown
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["data", "build", ".", "--out", "d"], "a folder, not a recipe"),
        (["train", "run", "."], "a folder, not a recipe"),
        (["train", "plot", "runs/nosuch", "--out", "a.html"], "runs/nosuch: no such folder"),
        (["data", "similar", "notes.txt"], "not an index of statements, as `microcoder data index` writes it\n"),
    ],
)
def test_a_wrong_path_is_named_without_words_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("a note")
    shown = CliRunner().invoke(cli.microcoder, arguments, input="")
    assert shown.exit_code == 2 and said in shown.output, shown.output
