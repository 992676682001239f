"""The socket of a service where another service ends, or starts, at the same time."""

from __future__ import annotations

import fcntl
import socket
import stat
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the extra serve")

from microcoder_eval.errors import InputError
from microcoder_eval.service.unix_socket import listen_on_path

pytestmark = pytest.mark.fast


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def stale(path: Path) -> None:
    """What a killed service leaves."""
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))


def test_of_two_that_start_one_waits_until_the_other_listens(tmp_path: Path) -> None:
    """Otherwise both find the old socket unused, and the second one removes the first one's."""
    path = tmp_path / "s"
    stale(path)
    with ThreadPoolExecutor(1) as pool, open(f"{path}.lock", "wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        second = pool.submit(listen_on_path, path)
        with pytest.raises(Late):
            second.result(0.3)
        path.unlink()
        with socket.socket(socket.AF_UNIX) as first:
            first.bind(str(path))
            first.listen()
            fcntl.flock(other, fcntl.LOCK_UN)
            with pytest.raises(InputError, match="listens there already"):
                second.result(60)


def test_a_service_that_ends_leaves_the_next_ones_socket(tmp_path: Path) -> None:
    """Also when the next service's file has the same inode number, which file systems reuse."""
    path = tmp_path / "s"
    for _ in range(20):
        first, remove = listen_on_path(path)
        first.close()  # it takes no more connections, and finishes what runs
        second, remove_second = listen_on_path(path)
        remove()
        assert answers(path)
        remove_second()
        second.close()
        assert not path.exists()


def test_a_killed_services_socket_is_replaced_by_a_private_one(tmp_path: Path) -> None:
    path = tmp_path / "s"
    stale(path)
    opened, remove = listen_on_path(path)
    assert answers(path) and stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    remove()  # somebody else has removed it
    opened.close()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    (tmp_path / "s.lock").symlink_to(tmp_path / "mine")
    with pytest.raises(InputError):
        listen_on_path(tmp_path / "s")
    assert (tmp_path / "mine").read_text() == "kept"
