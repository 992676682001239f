"""The guides are true: generated references are up to date; links, recipes and commands that they name exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
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
