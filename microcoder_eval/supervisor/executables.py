"""Compiles programs in any language but Python, and loads them into a supervisor's boxes.

box = box_for(boxes, toolchain, source, memory_mb=256)       # compiles, or finds the program in the cache
box.run(b"1 2", limits)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from microcoder_eval.languages.cache import ProgramCache
from microcoder_eval.languages.table import LANGUAGES
from microcoder_eval.protocol.messages import Toolchain
from microcoder_eval.supervisor import build
from microcoder_eval.supervisor.boxes import Boxes, NotCompiled
from microcoder_eval.supervisor.program_box import Command, ProgramBox
from microcoder_eval.supervisor.run import BoxLost

_THREADS = re.compile(r"thread|thrd_|async|\bomp\b")
"""Recognises a C or C++ program that starts threads. For each thread the C library reserves a gibibyte of address
space, as much as the stack may grow to."""


def box_for(boxes: Boxes, toolchain: Toolchain, source: str, memory_mb: int) -> ProgramBox:
    """A box that executes a submission; raises `NotCompiled`, or `BoxLost` when a sandbox failed."""
    name = build.source_name(toolchain, source)
    files = {name: source.encode("utf-8", "surrogatepass")}
    command = executable(boxes, toolchain, files, [name], memory_mb)
    if _THREADS.search(source):
        command = replace(command, reserves_memory=True)
    readable = toolchain.readable if LANGUAGES[toolchain.language].run else ()
    return loaded(boxes, "running", readable, command)


def executable(
    boxes: Boxes, toolchain: Toolchain, files: Mapping[str, bytes], sources: list[str], memory_mb: int
) -> Command:
    """The command that runs a program, which is compiled or taken from the cache."""
    compiling = boxes.get_or_make(
        f"compiling {toolchain.readable}",
        lambda layers, directory: ProgramBox(layers, directory, toolchain.readable, build.WORKING_BYTES, build.DEVICES),
    )
    cache = ProgramCache(Path(boxes.programs)) if boxes.programs else None
    try:
        program = build.build(toolchain, files, sources, compiling, cache)
    except build.Refused as error:
        raise NotCompiled(str(error)) from None
    except BoxLost:
        boxes.replace(compiling)
        raise
    return build.command(toolchain, program, memory_mb)


def loaded(
    boxes: Boxes, purpose: str, readable: tuple[str, ...], command: Command, writable_bytes: int | None = None
) -> ProgramBox:
    """The box for a purpose, with a command loaded. Commands that read the same files share one box."""
    box = boxes.get_or_make(
        f"{purpose} {readable}", lambda layers, directory: ProgramBox(layers, directory, readable, writable_bytes)
    )
    try:
        box.load_program(command)
    except BoxLost:
        boxes.replace(box)
        raise
    return box
