"""A package as names and bytes, from a directory or a zip. Nothing outside it is read; sizes and depths are bounded."""

from __future__ import annotations

import os
import posixpath
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yaml import YAMLError

from microcoder_data import bounded_yaml
from microcoder_data.rules import Reject
from microcoder_eval.reading.folders_of_problems import names_below
from microcoder_eval.reading.problem_folder import problem_folders

ZIPS = (".zip", ".kpp")
MARKS = ("problem.yaml", "problem.yml", "domjudge-problem.ini", "problem.xml")
"""A directory that holds one of these files is a package of the sources kattis and polygon."""
MARKS_OF = {
    "dmoj": ("init.yml",),
    "cms": ("task.yaml",),
    "frontier_cs": ("config.yaml",),
    "livecodebench_pro": ("config.yaml",),
    "folders": (),
}
"""The same for the sources whose packages have other marks; `folders` has none, and looks for tests."""
MAX_ENTRIES = 50_000
MAX_PACKAGE_BYTES = 1 << 30
MAX_FILE_BYTES = 256 << 20
MAX_DEPTH = 12
MAX_YAML_BYTES, MAX_YAML_VALUES = 1 << 20, 20_000
BOMB_BYTES, BOMB_RATIO = 64 << 20, 400
"""A zip that unpacks to more than this, and to more than this many times its own size, is a bomb."""
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""For other ways to pack, `zipfile` takes the memory that the content needs, whatever size the member declares."""
_SKIPPED = (".git", "__pycache__", "__MACOSX")
_READ = (
    *MARKS, ".timelimit", "data", "problem_statement", "statement", "submissions", "output_validators",
    "output_validator", "include", "init.yml", "task.yaml", "config.yaml", "statement.txt", "input", "output", "testo",
    "sol", "gen", "check", "cor", "testdata",
)  # fmt: skip
"""The parts of a package that are read. In these a link that points outside is an error; elsewhere it is skipped."""


@dataclass(frozen=True)
class Package:
    """The files of one problem, by their name inside the package."""

    name: str
    sizes: Mapping[str, int]
    source: _Directory | _Zip

    def names(self, folder: str) -> list[str]:
        """The names of the files below a folder, sorted."""
        return sorted(name for name in self.sizes if name.startswith(f"{folder}/"))

    def identity(self, name: str) -> str:
        """A text that is equal for two names of one file (links)."""
        return self.source.identity(name)

    def read(self, name: str) -> bytes:
        """The bytes of a file; raises a Reject for one that is too large."""
        if self.sizes[name] > MAX_FILE_BYTES:
            raise Reject("file_too_large", f"{name}: {self.sizes[name] >> 20} MB")
        return self.source.read(name)

    def text(self, name: str) -> str:
        """The text of a file; raises a Reject when it is not UTF-8."""
        try:
            return self.read(name).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Reject("invalid_utf8", f"{name}: byte {error.start}: {error.reason}") from None

    def archive(self, name: str) -> Package:
        """The files of a zip inside the package; raises a Reject when the package is itself a zip."""
        if isinstance(self.source, _Zip):
            raise Reject("nested_archive", f"{name} is a zip inside a zip: unpack the outer one")
        source = _Zip(Path(self.source.identity(name)))
        return Package(name, source.sizes, source)


def package_paths(root: Path, marks: Sequence[str] = MARKS) -> list[Path]:
    """The package directories and zips below `root` (or `root` itself), sorted; none inside another package.

    Without marks, the directories that hold a problem as `problem_folders` finds them."""
    if root.is_file():
        return [root]
    if not marks:
        return [root / folder for folder in problem_folders(names_below(root))]
    found: list[Path] = []
    for folder, directories, files in os.walk(root):
        if any(mark in files for mark in marks):
            directories.clear()
            found.append(Path(folder))
            continue
        directories[:] = sorted(name for name in directories if name not in _SKIPPED)
        found += [Path(folder, name) for name in files if name.lower().endswith(ZIPS)]
    return sorted(found)


def packages_at(path: Path, name: str, marks: Sequence[str] = MARKS) -> Iterator[Package | tuple[str, Reject]]:
    """The packages of a directory or a zip, which may hold several; a name and a Reject for what cannot be opened."""
    try:
        source = _open(path)
        tops = _package_folders(source.sizes, marks)
        if not tops:
            raise Reject("not_a_package", f"no {' or '.join(marks) or 'folder with tests'} in it")
    except Reject as reject:
        yield name, reject
        return
    for top in tops:
        inner = f"{name}/{top}" if len(tops) > 1 else name
        prefix = f"{top}/" if top else ""
        sizes = {key[len(prefix) :]: size for key, size in source.sizes.items() if key.startswith(prefix)}
        yield Package(inner, sizes, source.below(prefix))


def whole(path: Path) -> Package:
    """All files of a directory or a zip as one package, whether or not they make up several."""
    source = _open(path)
    return Package("", source.sizes, source)


def _open(path: Path) -> _Directory | _Zip:
    return _Directory(path) if path.is_dir() else _Zip(path)


def _package_folders(sizes: Mapping[str, int], marks: Sequence[str]) -> list[str]:
    """The folders of a listing that are packages, without those inside another."""
    if not marks:
        return problem_folders(sizes)
    marked = sorted({posixpath.dirname(name) for name in sizes if posixpath.basename(name) in marks})
    tops: list[str] = []
    for folder in marked:
        if not any(top == "" or folder.startswith(f"{top}/") for top in tops):
            tops.append(folder)
    return tops


class _Directory:
    """The files of a directory. Links inside it are followed; a link that points outside is never read."""

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self.sizes: dict[str, int] = {}
        try:
            self._list(self._root, "", 0)
        except OSError as error:
            raise Reject("unreadable", str(error)) from None
        if sum(self.sizes.values()) > MAX_PACKAGE_BYTES:
            raise Reject("package_too_large", f"{sum(self.sizes.values()) >> 20} MB")

    def below(self, folder: str) -> _Directory:
        return self  # `package_paths` gives the folder of a package itself, so `folder` is always empty

    def _list(self, folder: str, name: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise Reject("package_too_deep", f"{name}: more than {MAX_DEPTH} folders, or a link to a folder above")
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            inner = name + entry.name
            if entry.name in _SKIPPED:
                continue
            path = entry.path
            if entry.is_symlink():
                path = os.path.realpath(path)
                if os.path.commonpath([path, self._root]) != self._root or not os.path.exists(path):
                    if inner.split("/")[0] in _READ:
                        raise Reject("link_out_of_package", f"{inner} points outside the package, or nowhere")
                    continue
            if os.path.isdir(path):
                self._list(path, f"{inner}/", depth + 1)
                continue
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                raise Reject("special_file", f"{inner} is no plain file")
            self.sizes[inner] = status.st_size
            if len(self.sizes) > MAX_ENTRIES:
                raise Reject("package_too_large", f"more than {MAX_ENTRIES} files")

    def identity(self, name: str) -> str:
        return os.path.realpath(os.path.join(self._root, name))

    def read(self, name: str) -> bytes:
        try:
            with open(os.path.join(self._root, name), "rb") as file:
                return file.read(MAX_FILE_BYTES)
        except OSError as error:
            raise Reject("unreadable", str(error)) from None


class _Zip:
    """Members of a zip by their clean name. Links inside it are followed; whatever points outside is a Reject."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._prefix = ""
        self._members: dict[str, zipfile.ZipInfo] = {}
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise Reject("broken_zip", str(error)) from None
        listed = [member for member in self._zip.infolist() if not member.is_dir()]
        if len(listed) > MAX_ENTRIES:
            raise Reject("package_too_large", f"more than {MAX_ENTRIES} files")
        total = sum(member.file_size for member in listed)
        if total > BOMB_BYTES and total > BOMB_RATIO * max(1, path.stat().st_size):
            raise Reject("zip_bomb", f"{path.stat().st_size} bytes unpack to {total >> 20} MB")
        if total > MAX_PACKAGE_BYTES:
            raise Reject("package_too_large", f"{total >> 20} MB")
        for member in listed:
            self._add(member)
        for name, member in list(self._members.items()):
            if _is_link(member):
                self._members[name] = self._link_target(name, member)
        self.sizes = {name: member.file_size for name, member in self._members.items()}

    def _add(self, member: zipfile.ZipInfo) -> None:
        name = member.filename.replace("\\", "/")
        parts = name.split("/")
        if name.startswith("/") or ".." in parts or ":" in parts[0] or "\0" in name:
            raise Reject("path_traversal", f"{member.filename[:100]!r} points out of the package")
        if member.flag_bits & 1:
            raise Reject("encrypted_zip", name)
        if member.compress_type not in PACKED:
            raise Reject("unknown_compression", f"{name}: pack the zip with Deflate, as most programs do")
        if not any(part in _SKIPPED for part in parts):
            self._members[posixpath.normpath(name)] = member

    def _link_target(self, name: str, link: zipfile.ZipInfo) -> zipfile.ZipInfo:
        """The member that a chain of links leads to."""
        for _ in range(MAX_DEPTH):
            target = posixpath.normpath(
                posixpath.join(posixpath.dirname(name), self._bytes(link).decode(errors="replace"))
            )
            found = self._members.get(target)
            if found is None:
                break
            if not _is_link(found):
                return found
            name, link = target, found
        raise Reject("link_out_of_package", f"{name} points outside the package, or nowhere")

    def below(self, prefix: str) -> _Zip:
        """The same open zip, with names relative to a folder of it."""
        view = object.__new__(_Zip)
        view.__dict__.update(self.__dict__, _prefix=prefix)
        return view

    def identity(self, name: str) -> str:
        return self._members[self._prefix + name].filename

    def read(self, name: str) -> bytes:
        return self._bytes(self._members[self._prefix + name])

    def _bytes(self, member: zipfile.ZipInfo) -> bytes:
        if member.file_size > MAX_FILE_BYTES:
            raise Reject("file_too_large", f"{member.filename}: {member.file_size >> 20} MB")
        try:
            with self._zip.open(member) as file:
                return file.read(MAX_FILE_BYTES)  # zipfile reads no more than the size that the member declares
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
            raise Reject("broken_zip", f"{member.filename}: {error}") from None


def _is_link(member: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(member.external_attr >> 16)


_VALUE_WITH_A_COLON = re.compile(r"(?m)^([A-Za-z_]+:[ \t]+)([A-Za-z0-9][^\n'\"#]*:[ \t][^\n'\"#]*)$")


def _with_quoted_colons(text: str) -> str:
    """The text with quotes around the values that hold a colon: authors write `name: Part 1: The Hats`."""
    return _VALUE_WITH_A_COLON.sub(r"\1'\2'", text)


def read_yaml(package: Package, name: str) -> dict[str, Any]:
    """A YAML file of the package as a mapping; empty when there is none."""
    if name not in package.sizes:
        return {}
    if package.sizes[name] > MAX_YAML_BYTES:
        raise Reject("file_too_large", f"{name}: over {MAX_YAML_BYTES >> 20} MB of YAML")
    try:
        text = package.text(name)
        try:
            content = bounded_yaml.parsed(text, MAX_YAML_VALUES)
        except YAMLError:
            if (quoted := _with_quoted_colons(text)) == text:
                raise
            content = bounded_yaml.parsed(quoted, MAX_YAML_VALUES)
    except YAMLError as error:
        raise Reject("broken_yaml", f"{name}: {' '.join(str(error).split())}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise Reject("broken_yaml", f"{name}: a {type(content).__name__}, not a mapping")
    return content
