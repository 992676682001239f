"""Folders that are made once: what killed and parallel processes do to them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

import pytest

from microcoder_eval import InputError
from microcoder_rl.toy_world.cached_folder import cached_folder

FORK = multiprocessing.get_context("fork")


def whole(folder: Path) -> None:
    (folder / "whole").write_text(str(os.getpid()))


def test_it_is_made_once(tmp_path: Path) -> None:
    cached_folder(tmp_path / "a", whole)
    assert cached_folder(tmp_path / "a", lambda _: 1 / 0) == tmp_path / "a"  # type: ignore[arg-type, return-value]


def test_what_a_killed_process_has_left_is_removed(tmp_path: Path) -> None:
    def dies(folder: Path) -> None:
        (folder / "half").write_text("")
        os.kill(os.getpid(), signal.SIGKILL)

    process = FORK.Process(target=cached_folder, args=(tmp_path / "a", dies))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert [path.name.split(".")[0] for path in tmp_path.iterdir()] == ["a"] and not (tmp_path / "a").exists()
    cached_folder(tmp_path / "a", whole)
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")] == ["a", "a/whole"]


def test_a_folder_of_the_users_beside_it_stays(tmp_path: Path) -> None:
    (tmp_path / "a.old").mkdir()
    cached_folder(tmp_path / "a", whole)
    assert {path.name for path in tmp_path.iterdir()} == {"a", "a.old"}


def test_what_could_not_be_made_leaves_nothing(tmp_path: Path) -> None:
    def fails(folder: Path) -> None:
        whole(folder)
        raise ValueError("a cause of its own")

    with pytest.raises(ValueError, match="a cause of its own"):
        cached_folder(tmp_path / "a", fails)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    def fails(folder: Path) -> None:
        raise RuntimeError("Error while serializing: I/O error: No space left on device (os error 28)")

    with pytest.raises(InputError, match=r"no space left to write .*/a: free some space"):
        cached_folder(tmp_path / "a", fails)
    assert list(tmp_path.iterdir()) == []


def test_two_that_make_it_at_once_both_find_it(tmp_path: Path) -> None:
    both = FORK.Barrier(2)

    def make(folder: Path) -> None:
        both.wait(600)
        whole(folder)

    processes = [FORK.Process(target=cached_folder, args=(tmp_path / "a", make)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
