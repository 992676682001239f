"""The guides are true: generated references are up to date; links, recipes and commands that they name exist."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("microcoder", "microcoder_data", "microcoder_eval", "microcoder_rl", "bench", "tests")
INNER = (
    "compare",
    "sandbox",
    "supervisor",
    "protocol",
    "connection",
    "pipeline",
    "verify",
    "recipe",
    "walls",
    "sources",
)
"""Folders of the packages by which guides name a file."""
GUIDES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "bench" / "README.md"])


@pytest.mark.parametrize("group", ["data", "train"])
def test_the_reference_of_keys_matches_the_code(group: str) -> None:
    name = {"data": "dataset_keys.md", "train": "training_keys.md"}[group]
    shown = subprocess.run([sys.executable, "-m", "cli", group, "keys"], cwd=ROOT, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == shown.stdout, "run `make docs`"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if not (guide.parent / target).exists()] == []


def anchors(guide: Path) -> set[str]:
    """The names that GitHub gives to a guide's headings."""
    text = re.sub(r"^```.*?^```", "", guide.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line) for line in re.findall(r"^#+ (.+)$", text, re.MULTILINE))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_anchors_of_links_are_headings(guide: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", guide.read_text(encoding="utf-8"))
    pages = [(guide.parent / target if target else guide, anchor) for target, anchor in links if "://" not in target]
    assert [(page.name, anchor) for page, anchor in pages if anchor not in anchors(page)] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_rules_that_are_named_exist(guide: Path) -> None:
    """Files of this repository: programs, and results of benchmarks. The changelog names what was, too."""
    text = guide.read_text(encoding="utf-8") if guide.name != "CHANGELOG.md" else ""
    results = ROOT / "bench" / "results"
    assert [name for name in re.findall(r"results/([\w-]+\.\w+)", text) if not (results / name).exists()] == []
    programs = {str(path.relative_to(ROOT)) for top in SOURCES for path in (ROOT / top).rglob("*.py")}
    named = re.findall(r"`([\w./-]*[\w]\.py)`", text)
    known = [name for name in named if "/" in name and name.split("/")[0] in {*SOURCES, *INNER}]
    assert [name for name in known if not any(f"/{path}".endswith(f"/{name}") for path in programs)] == []
    rules = (
        re.findall(r"`([a-z_]+_v\d+)`", text) if guide.parent.name != "bench" else []
    )  # which names peers' functions
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "microcoder_data").rglob("*.py"))
    assert [rule for rule in rules if rule not in code] == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_recipes_and_commands_that_are_named_exist(guide: Path) -> None:
    from click.testing import CliRunner

    import cli

    text = guide.read_text(encoding="utf-8")
    assert [
        name for name in re.findall(r"\bpipelines/[\w./-]+\.(?:yaml|sh|sbatch)", text) if not (ROOT / name).exists()
    ] == []
    for group, command in sorted(set(re.findall(r"microcoder (eval|data|train|problems|lab) ([a-z]+)\b", text))):
        asked = CliRunner().invoke(cli.microcoder, [group, command, "--help"])
        assert asked.exit_code == 0, f"{guide} names `microcoder {group} {command}`"


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_targets_scripts_options_and_extras_that_are_named_exist(guide: Path) -> None:
    """Not run here, because it takes minutes or other checkouts; `make bench-smoke` runs the scripts."""
    text = re.sub(r"[ \t]*\\\n\s*", " ", guide.read_text(encoding="utf-8"))
    targets = re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {*re.findall(r"(?:^ {4}|^|`)make ([a-z][a-z-]+)", text, re.MULTILINE)} <= {*targets}
    extras = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    asked = re.findall(r"pip install [\"']?(?:\.|microcoder)\[([\w,]+)\]", text)
    assert {extra for group in asked for extra in group.split(",")} <= {*extras}
    for script, words in re.findall(r"python (bench/\w+\.py)([^`#\n]*)", text):
        source = (ROOT / script).read_text(encoding="utf-8")
        assert [option for option in re.findall(r" (--[\w-]+)", words) if option not in source] == [], script


def test_the_messages_of_the_troubleshooting_page_are_those_of_the_code() -> None:
    """A message is split where it varies; of what is left, each part is in a text of the code."""
    said = []
    for path in ROOT.glob("microcoder*/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            said.append("".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in parts))
    page = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    cells = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    messages = [message for cell in cells for message in re.findall(r"`([^`]+)`", cell)]
    fixed = {part.strip(" ,;:") for each in messages for part in re.split(r"\.\.\.|\b[NM]\b|pip install", each)}
    assert len(messages) > 25
    assert sorted(part for part in fixed if not any(part in text for text in said)) == ["command not found: microcoder"]


def commands_of(guide: Path) -> list[list[str]]:
    """The words of each command of ours in a guide's code, without the output of other programs."""
    text = re.sub(r"[ \t]*\\\n\s*", " ", guide.read_text(encoding="utf-8"))
    fenced = "\n".join(re.findall(r"^```(?:bash|sh|console)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    indented = "\n".join(re.findall(r"^(?: {4}|\t)\S.*", text, re.MULTILINE))
    found = []
    for line in [*fenced.splitlines(), *indented.splitlines()]:
        if called := re.match(r"\s*(?:\$ )?(?:\S+/)?microcoder ([a-z-].*)", line):
            words = shlex.split(called[1].partition(" && ")[0].partition(" | ")[0], comments=True)
            found.append(words)
    return found


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_has_the_options_that_are_written(guide: Path) -> None:
    import click

    import cli

    for words in commands_of(guide):
        command, rest = cli.microcoder, list(words)
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            command, rest = command.get_command(click.Context(command), rest[0]), rest[1:]
            assert command is not None, f"{guide}: microcoder {shlex.join(words)}"
        context = click.Context(command)
        try:
            command.make_parser(context).parse_args([word for word in rest if word not in ("-h", "--help", "...")])
        except click.UsageError as error:
            pytest.fail(f"{guide}: microcoder {shlex.join(words)}: {error.format_message()}")


def test_commands_are_found_in_the_guides() -> None:
    assert sum(len(commands_of(guide)) for guide in GUIDES) > 150
