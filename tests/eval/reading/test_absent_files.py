"""What is said of a path at which nothing is: a link that leads nowhere or in a circle is not called missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from microcoder_eval import InputError
from microcoder_eval.plain_files import read_plain

pytestmark = pytest.mark.fast


def said_of(path: Path) -> str:
    with pytest.raises(InputError) as refused:
        read_plain(path)
    return str(refused.value).removeprefix(f"{path}: ")


def test_links_that_lead_nowhere_are_named(tmp_path: Path) -> None:
    (tmp_path / "there.jsonl").write_text("{}")
    (tmp_path / "dangling").symlink_to("gone")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    (tmp_path / "good").symlink_to("there.jsonl")
    assert said_of(tmp_path / "dangling") == "a link to 'gone', which does not exist"
    assert said_of(tmp_path / "one") == "a link that cannot be followed: too many levels of symbolic links"
    assert said_of(tmp_path / "thare.jsonl") == f"no such file; did you mean '{tmp_path}/there.jsonl'?"
    assert read_plain(tmp_path / "good") == b"{}"
