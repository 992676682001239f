"""Finds a language's compiler or interpreter on this machine. The tools run only to print versions and paths."""

from __future__ import annotations

import functools
import glob
import os
import shutil
import subprocess
from dataclasses import dataclass

from microcoder_eval.errors import InputError
from microcoder_eval.languages.table import LANGUAGES, Language
from microcoder_eval.protocol.messages import Toolchain

_VERSION_DEADLINE_S = 60.0
_SYSTEM_DIRECTORIES = ("/usr/bin", "/usr/lib", "/usr/local", "/bin", "/lib")


class ToolchainMissing(InputError):
    """A language cannot be used here. The message names the missing tool and how to install it."""


@dataclass(frozen=True)
class ToolchainState:
    """Whether a language can be used here. The evidence is the tool's version, or how to install it."""

    language: str
    present: bool
    evidence: str


def examine_toolchains() -> list[ToolchainState]:
    """The state of every language, for `microcoder doctor`."""
    states = []
    for language in LANGUAGES.values():
        if language.name in ("cpp17", "cpp20"):
            continue  # variants of cpp with one fixed standard
        try:
            states.append(ToolchainState(language.name, True, find_toolchain(language.name).version))
        except ToolchainMissing as missing:
            states.append(ToolchainState(language.name, False, str(missing)))
    return states


def find_toolchain(language: str) -> Toolchain:
    """The toolchain of a language, searched in PATH; raises `ToolchainMissing`.

    >>> find_toolchain("cpp").version                                            # doctest: +SKIP
    'g++ (Debian 12.2.0-14+deb12u1) 12.2.0'
    """
    return _find(language, os.environ.get("PATH", os.defpath))


@functools.lru_cache(maxsize=64)
def _find(name: str, path: str) -> Toolchain:
    language = LANGUAGES[name]
    tools = {}
    for names in language.tools:
        found = next(filter(None, (shutil.which(tool, path=path) for tool in names)), None)
        if found is None:
            raise ToolchainMissing(f"{language.title} programs need {names[0]}, which is not here: {language.packages}")
        tools[names[0]] = found
    for library, *paths in language.libraries:
        tools[library] = next(filter(os.path.isfile, paths), "")
        if not tools[library]:
            raise ToolchainMissing(f"{language.title} programs need {paths[0]}, which is not here: {language.packages}")
    first = language.tools[0][0]
    if first == "rustc":  # rustup's rustc only starts the real one
        root = _output_of(language, tools[first], "--print", "sysroot")
        tools[first] = os.path.join(root, "bin", "rustc")
    readable = {home for tool in tools.values() for home in _homes(tool)}
    readable |= {path for pattern in language.settings for path in glob.glob(pattern)}
    static = first in ("g++", "gcc") and _links_statically(language, tools[first])
    version = _output_of(language, tools[first], language.version_option).splitlines()[0]
    return Toolchain(name, tools, version, tuple(sorted(readable)), language.runtime_memory_mb, static)


def _output_of(language: Language, *command: str) -> str:
    """What a tool prints; raises `ToolchainMissing` when it fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_VERSION_DEADLINE_S, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolchainMissing(f"{language.title}: {command[0]} cannot be used: {error}") from None
    printed = (done.stdout or done.stderr).strip()
    if done.returncode or not printed:
        said = " ".join(printed.partition("\n\n")[0].split())  # a stack trace may follow
        raise ToolchainMissing(f"{language.title}: {' '.join(command)} failed with status {done.returncode}: {said}")
    return printed


def _links_statically(language: Language, compiler: str) -> bool:
    """Whether the static libraries are installed. For a missing library the compiler prints its bare name, no path."""
    libraries = ("libc.a", "libm.a", *(("libstdc++.a",) if language.source.endswith(".cpp") else ()))
    return all(os.path.isabs(_output_of(language, compiler, f"-print-file-name={library}")) for library in libraries)


def _homes(tool: str) -> set[str]:
    """The directories of a tool's own files, where they are outside the system's: the directory above its `bin`."""
    real = os.path.realpath(tool)
    found = {
        os.path.dirname(os.path.dirname(path)) for path in (tool, real) if not path.startswith(_SYSTEM_DIRECTORIES)
    }
    if os.path.basename(real) in ("java", "javac"):  # Debian keeps a JDK's configuration in another directory
        settings = os.path.join(os.path.dirname(os.path.dirname(real)), "lib", "jvm.cfg")
        found.add(os.path.dirname(os.path.realpath(settings)))
    return found - {"/"}
