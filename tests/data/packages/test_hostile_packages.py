"""Hostile, damaged and unusable packages are rejects with a name."""

import os
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.packages import files as package_files
from tests.data.packages.made_up_packages import LAUGHS, LEGACY, collect, only, write_package, write_zip


def _bomb(path: Path) -> None:
    write_zip(path, {**LEGACY, "data/secret/9.in": b"0" * (80 << 20)})


def _link(path: Path, target: str) -> None:
    write_zip(path, {**LEGACY})
    with zipfile.ZipFile(path, "a") as archive:
        member = zipfile.ZipInfo("data/secret/9.in")
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, target)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_bomb, "zip_bomb"),
        (lambda path: write_zip(path, {**LEGACY, "../../evil.py": "x"}), "path_traversal"),
        (lambda path: write_zip(path, {**LEGACY, "/etc/evil": "x"}), "path_traversal"),
        (lambda path: write_zip(path, {**LEGACY, "a\\..\\..\\evil": "x"}), "path_traversal"),
        (lambda path: _link(path, "/etc/passwd"), "link_out_of_package"),
        (lambda path: _link(path, "../../../outside"), "link_out_of_package"),
        (lambda path: path.write_bytes(b"PK\x03\x04 not a zip"), "broken_zip"),
        (lambda path: write_zip(path, {"readme.txt": "nothing"}), "not_a_package"),
    ],
)
def test_hostile_zips_are_named_rejects(tmp_path: Path, make: Any, reason: str) -> None:
    make(tmp_path / "p.zip")
    assert collect(tmp_path, tmp_path / "p.zip") == ({}, {"p": reason})


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_that_unpacks_to_more_than_it_declares_is_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in LEGACY.items():
            archive.writestr(name, content)
    assert only(collect(tmp_path, path)) == "unknown_compression"


def test_a_damaged_member_is_a_named_reject(tmp_path: Path) -> None:
    path = write_zip(
        tmp_path / "p.zip", {**LEGACY, "data/secret/9.in": os.urandom(5000).hex(), "data/secret/9.ans": "1"}
    )
    body = bytearray(path.read_bytes())
    place = body.index(b"data/secret/9.in") + 400
    body[place : place + 50] = bytes(50)
    path.write_bytes(body)
    assert only(collect(tmp_path, path)) == "broken_zip"


def test_hostile_directories_are_named_rejects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_package(tmp_path / "p", LEGACY)
    secret = folder / "data/secret"
    (secret / "9.in").symlink_to("/etc/passwd")
    assert only(collect(tmp_path, folder)) == "link_out_of_package"
    (secret / "9.in").unlink()
    os.mkfifo(secret / "9.in")
    assert only(collect(tmp_path, folder)) == "special_file"
    (secret / "9.in").unlink()
    (secret / "loop").symlink_to("..")
    assert only(collect(tmp_path, folder)) == "package_too_deep"
    (secret / "loop").unlink()
    monkeypatch.setattr(package_files, "MAX_PACKAGE_BYTES", 100)
    assert only(collect(tmp_path, folder)) == "package_too_large"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"problem.yaml": "name: [unclosed\n"}, "broken_yaml"),
        ({"problem.yaml": "- a list\n"}, "broken_yaml"),
        ({"problem.yaml": LAUGHS}, "broken_yaml"),
        ({"problem.yaml": "name: !!bool maybe\n"}, "broken_yaml"),
        ({"problem.yaml": "name: 1" + ":1" * 300 + ".5\n"}, "broken_yaml"),
        ({"problem.yaml": "name: a\nvalidation: custom\n"}, "no_validator"),
        ({"problem.yaml": "name: a\nvalidator_flags: float_tolerance many\n"}, "broken_validator_flags"),
        ({"problem.yaml": "problem_format_version: 2023-07\nname: a\ntype: multi-pass\n"}, "multi_pass"),
        ({"problem_statement/problem.en.tex": "", "problem_statement/problem.sv.tex": ""}, "no_statement"),
        ({"data/secret/3.in": "1 1\n"}, "test_without_answer"),
        ({"problem.yaml": "type: scoring\n", "data/testdata.yaml": "on_reject: sometimes\n"}, "not_gradable"),
        ({"data/secret/3.ans": "1\n"}, "answer_without_test"),
        ({"data/secret/group1/testdata.yaml": "output_validator_flags: float_tolerance many\n"}, "not_gradable"),
        ({"include/python/grader.py": "import solution\n"}, "included_files"),
    ],
)
def test_what_cannot_be_graded_is_a_named_reject(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    assert only(collect(tmp_path, write_package(tmp_path / "p", {**LEGACY, **change}))) == reason
