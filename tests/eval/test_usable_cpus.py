"""The CPUs that a container's limit leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from microcoder_eval import usable_cpus as module
from microcoder_eval.usable_cpus import usable_cpus

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("own", "files", "expected"),
    [
        ("0::/", {}, 64),
        ("0::/", {"cpu.max": "max 100000"}, 64),
        ("0::/", {"cpu.max": "800000 100000\n"}, 8),
        ("0::/", {"cpu.max": "250000 100000"}, 3),
        ("0::/", {"cpu.max": "10000 100000"}, 1),
        ("0::/", {"cpu.max": "rubbish"}, 64),
        ("0::/pod/one", {"pod/one/cpu.max": "max 100000", "pod/cpu.max": "400000 100000"}, 4),
        ("0::/../..", {"cpu.max": "400000 100000"}, 4),
        ("4:cpu:/\n0::/", {"cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2),
        ("4:cpu:/", {"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 64),
    ],
)
def test_a_quota_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, files: dict[str, str], expected: int
) -> None:
    for name, text in files.items():
        (tmp_path / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "groups" / name).write_text(text)
    (tmp_path / "own").write_text(own)
    monkeypatch.setattr(module, "CONTROL_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(module, "OWN_GROUP", tmp_path / "own")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(64)))
    assert usable_cpus() == expected


def test_without_control_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONTROL_GROUPS", tmp_path / "none")
    monkeypatch.setattr(module, "OWN_GROUP", tmp_path / "none")
    assert usable_cpus() == len(os.sched_getaffinity(0))
