"""Each optimisation that `bench/switches.py` switches off is still where it says, and the changed copy is a program."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from switches import SWITCHES, Switch, copy_without  # noqa: E402

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_changes_the_package(name: str, tmp_path: Path) -> None:
    """Only those that measure the error change nothing."""
    switch = SWITCHES[name]
    copy_without(switch, tmp_path)
    before = ast.dump(ast.parse((ROOT / "microcoder_eval" / switch.file).read_text()))
    after = ast.dump(ast.parse((tmp_path / "microcoder_eval" / switch.file).read_text()))
    assert (before == after) is (name == "same" or name.startswith("same,"))


@pytest.mark.parametrize(
    ("switch", "said"),
    [
        (Switch("sandbox/zygote.py", "no such line", "pass"), "has not exactly one 'no such line'"),
        (Switch("sandbox/no_such_file.py", "pass", ""), "no_such_file.py"),
        (Switch("sandbox/zygote.py", "    warm_up()", "    warm_up()  # still"), "changes nothing"),
    ],
)
def test_a_switch_that_no_longer_applies_ends_the_script(switch: Switch, said: str, tmp_path: Path) -> None:
    with pytest.raises((SystemExit, FileNotFoundError), match=said):
        copy_without(switch, tmp_path)
