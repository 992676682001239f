"""Compiles a program in a sandbox, and keeps the result in the cache. This file runs in the supervisor."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Mapping
from typing import Any

from microcoder_eval.boundary.box_protocol import EXIT_NOT_STARTED, PROGRAM_PATH
from microcoder_eval.languages import java
from microcoder_eval.languages.cache import ProgramCache
from microcoder_eval.languages.table import LANGUAGES
from microcoder_eval.protocol.messages import Toolchain
from microcoder_eval.supervisor.left_files import NotReadable, read_tree
from microcoder_eval.supervisor.program_box import Command, ProgramBox
from microcoder_eval.supervisor.run import BoxLost, Run
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits

LIMITS = Limits(cpu_s=15.0, memory_bytes=1536 * MEBIBYTE, output_bytes=256 * MEBIBYTE)
"""What one run of a compiler may use, together with the processes it starts."""
WORKING_BYTES = 512 * MEBIBYTE
DEVICES = ("/dev/null",)
"""Not /dev/zero or /dev/random: a source could include them without end."""
LARGEST_PROGRAM = 64 * MEBIBYTE
FORMAT = "1"
"""Change it when programs in the cache must not be used any more."""
REFUSED, MADE = b"-", b"+"
SHOWN_LINES, SHOWN_COLUMNS = 8, 200
_CONTEXT = re.compile(r"^In file included from|: note: ")

_seen_to_work: set[tuple[str, str]] = set()
"""Languages and versions whose compilers have compiled their sample in this process."""


class Refused(Exception):
    """The compiler refuses the program. The message is the compiler's, shortened."""


class _Killed(Exception):
    """A signal ended the compiler."""


class _TooCostly(Exception):
    """The compiler was ended at a limit. Another attempt would cost as much again."""


def source_name(toolchain: Toolchain, source: str) -> str:
    """The name that the file of a program with one source must have."""
    return java.file_name(source) if toolchain.language == "java" else LANGUAGES[toolchain.language].source


def build(
    toolchain: Toolchain, files: Mapping[str, bytes], sources: list[str], box: ProgramBox, cache: ProgramCache | None
) -> bytes:
    """Compile the files named in `sources`, which may include the others; raises `Refused` or `BoxLost`.

    Returns an executable, a Java archive, or the source itself for a language that is not compiled.
    """
    if cache is None:
        return _unpacked(_make(toolchain, files, sources, box))
    key = _key(toolchain, files, sources)
    kept = cache.get(key)
    if kept is None:
        with cache.making(key):
            kept = cache.get(key)
            if kept is None:
                kept = _make(toolchain, files, sources, box)
                if kept.startswith(MADE):
                    cache.put(key, kept)
    return _unpacked(kept)


def command(toolchain: Toolchain, program: bytes, memory_mb: int) -> Command:
    """The command that runs a compiled program."""
    language = LANGUAGES[toolchain.language]
    if not language.run:
        return Command(("./solution",), program=program, reserves_memory=language.reserves_memory)
    names = {**toolchain.tools, "program": PROGRAM_PATH, "memory": memory_mb}
    argv = tuple(part.format_map(names) for part in language.run)
    return Command(
        argv,
        file=argv[0],
        program=program,
        environment=language.run_environment,
        reserves_memory=language.reserves_memory,
    )


def _make(toolchain: Toolchain, files: Mapping[str, bytes], sources: list[str], box: ProgramBox) -> bytes:
    """Compile; returns `MADE` and the program, or `REFUSED` and the errors of the first attempt."""
    complaint = b""
    for attempt in LANGUAGES[toolchain.language].compile:
        try:
            made = _attempt_again_if_killed(toolchain, attempt, files, sources, box)
        except (_TooCostly, _Killed) as why:
            complaint = complaint or REFUSED + str(why).encode()
            break
        if made.startswith(MADE):
            return made
        complaint = complaint or made
    _refuse_broken(toolchain, box)
    return complaint


def _refuse_broken(toolchain: Toolchain, box: ProgramBox) -> None:
    """Raise `BoxLost` when the compiler refuses the language's sample too: then it is not the program's fault."""
    if (toolchain.language, toolchain.version) in _seen_to_work:
        return
    language = LANGUAGES[toolchain.language]
    name = source_name(toolchain, language.sample)
    try:
        made = _attempt(toolchain, language.compile[0], {name: language.sample.encode()}, [name], box)
    except (_TooCostly, _Killed) as why:
        made = REFUSED + str(why).encode()
    if not made.startswith(MADE):
        errors = made[len(REFUSED) :].decode("utf-8", "replace")
        message = f"{language.title} programs cannot be compiled in the sandbox here: {errors}"
        raise BoxLost(message, crashed=False)
    _seen_to_work.add((toolchain.language, toolchain.version))


def _attempt_again_if_killed(
    toolchain: Toolchain, attempt: tuple[str, ...], files: Mapping[str, bytes], sources: list[str], box: ProgramBox
) -> bytes:
    """Compile, a second time if the compiler is killed. A source can cause both, for example by deep nesting."""
    try:
        return _attempt(toolchain, attempt, files, sources, box)
    except _Killed:
        return _attempt(toolchain, attempt, files, sources, box)


def _attempt(
    toolchain: Toolchain, attempt: tuple[str, ...], files: Mapping[str, bytes], sources: list[str], box: ProgramBox
) -> bytes:
    language = LANGUAGES[toolchain.language]
    argv = _filled(attempt, toolchain, sources)
    here = box.inside
    environment = {name: value.format(here=here) for name, value in language.environment.items()}
    box.load_program(
        Command(
            argv,
            file=argv[0],
            environment={"TMPDIR": here, "HOME": here, **environment},
            forks=True,
            reserves_memory=language.name not in ("cpp", "cpp17", "cpp20", "c"),
        )
    )
    for name, content in files.items():
        box.put_file(name, content)
    left: list[Mapping[str, bytes] | NotReadable] = []
    box.at_end = lambda directory: left.append(_products(language.product, directory))
    box.start(b"", LIMITS)
    run = box.wait()
    messages = (box.stderr.get(MEBIBYTE) + box.stdout.get(MEBIBYTE)).decode("utf-8", "replace")
    complaint = _complaint(run, messages.replace(f"{here}/", ""))  # the directory is another one each time
    if complaint:
        return REFUSED + complaint.encode()
    if not language.product:
        return MADE + files[sources[0]]
    products = left[0]
    if isinstance(products, NotReadable):
        return REFUSED + f"what the compiler makes of it cannot be used: {products}".encode()
    if language.product == "classes":
        classes = {path.removeprefix("classes/"): content for path, content in products.items()}
        try:
            return MADE + java.archive(classes, sources[0])
        except ValueError as error:
            return REFUSED + str(error).encode()
    if language.product not in products:
        return REFUSED + b"the compiler makes no program of it"
    return MADE + products[language.product]


def _products(name: str, directory: int) -> Mapping[str, bytes] | NotReadable:
    """The files that the compiler has made, or why they cannot be read."""
    try:
        return read_tree(name, directory, LARGEST_PROGRAM) if name else {}
    except NotReadable as why:
        return why


def _filled(attempt: tuple[str, ...], toolchain: Toolchain, sources: list[str]) -> tuple[str, ...]:
    argv: list[str] = []
    for part in attempt:
        if part == "{source}":
            argv += sources
        elif part == "{static}":
            argv += ["-static"] if toolchain.static else []
        else:
            argv.append(part.format_map(toolchain.tools))
    return tuple(argv)


def _complaint(run: Run, messages: str) -> str:
    """Why there is no program; raises `_TooCostly`, `_Killed`, and `BoxLost` when it is not the program's fault."""
    if run.stopped in ("time", "idle"):
        raise _TooCostly(f"takes more than {LIMITS.cpu_s:g} s to compile")
    if run.stopped == "memory" or "out of memory" in messages:
        return f"takes more than {LIMITS.memory_bytes // MEBIBYTE} MiB to compile"
    if run.stopped in ("disk", "threads") or "No space left" in messages or "File size limit exceeded" in messages:
        return "what the compiler makes of it is too large"
    if run.status >> 8 == EXIT_NOT_STARTED:
        raise BoxLost(f"the compiler does not start: {messages.strip()}", crashed=False)
    if run.status == 0:
        return ""
    if run.status & 0x7F or "Killed signal" in messages:  # a compiler driver writes this when its compiler was killed
        raise _Killed("the compiler does not survive it")
    return _shortened(messages) or f"the compiler ended with status {run.status >> 8}"


def _shortened(messages: str) -> str:
    """The compiler's first error, without context lines before it and errors that follow from it.

    >>> _shortened("a.cpp: In function 'int main()':\\na.cpp:1:9: error: 'x' was not declared\\n")
    "a.cpp:1:9: error: 'x' was not declared"
    """
    lines = [line.rstrip() for line in messages.splitlines() if line.strip() and not line.startswith("# ")]
    first = next((number for number, line in enumerate(lines) if "error" in line), 0)
    if first < SHOWN_LINES and any("SyntaxError" in line for line in lines[first : first + 1]):
        first = 0  # interpreters write the place before the error
    shown = itertools.takewhile(lambda line: not _CONTEXT.search(line), lines[first : first + SHOWN_LINES])
    return "\n".join(line[:SHOWN_COLUMNS] for line in shown)


def _key(toolchain: Toolchain, files: Mapping[str, bytes], sources: list[str]) -> str:
    """The cache key: a digest of everything that the compiled program depends on."""
    parts: list[Any] = [FORMAT, toolchain.language, toolchain.version, sorted(toolchain.tools.items())]
    parts += [toolchain.static, LANGUAGES[toolchain.language].compile, sources]
    digest = hashlib.sha256(repr(parts).encode())
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _unpacked(kept: bytes) -> bytes:
    if kept.startswith(MADE):
        return kept[len(MADE) :]
    raise Refused(kept[len(REFUSED) :].decode("utf-8", "replace"))
