"""Make a problem's tests: run its generator for the inputs and its reference solution for the expected outputs.

Both are this project's own code, run in separate processes without a sandbox. The tests are cached in the user's cache
folder under a hash of what they depend on, because running every reference solution takes minutes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from microcoder_data.problem_set.reader import Entry
from microcoder_eval import InputError, Interactor, Problem, TestCase
from microcoder_eval.atomic import atomic_path

GENERATOR_LIMIT_S = 120
REFERENCE_LIMIT_S = 60
_GENERATE = """
import json, runpy, sys
json.dump(list(runpy.run_path(sys.argv[1])["tests"]()), sys.stdout)
"""
_CALL = """
import json, runpy, sys
space = runpy.run_path(sys.argv[1])
owner, _, name = sys.argv[2].rpartition(".")
answers = []
for arguments in json.load(sys.stdin):
    function = getattr(space[owner](), name) if owner else space[name]
    answers.append(function(*arguments))
json.dump(answers, sys.stdout)
"""

_PRINT = """
import json, os, signal, sys
path, limit_s = sys.argv[1], int(sys.argv[2])
with open(path, encoding="utf-8") as file:
    code = compile(file.read(), path, "exec")
answers = []
for given in json.load(sys.stdin):
    streams = [open(os.memfd_create(name), "w+", encoding="utf-8") for name in ("stdin", "stdout", "stderr")]
    streams[0].write(given)
    streams[0].seek(0)
    child = os.fork()
    if not child:
        for place, stream in enumerate(streams):
            os.dup2(stream.fileno(), place)
        sys.stdin, sys.stdout, sys.stderr = streams
        signal.alarm(limit_s)
        exec(code, {"__name__": "__main__"})
        sys.stdout.flush()
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    _, said, errors = (stream.seek(0) or stream.read() for stream in streams)
    if status:
        why = f"timeout after {limit_s} s" if status == -signal.SIGALRM else f"exit status {status}"
        sys.exit(f"test {len(answers)}: " + (errors.strip().splitlines() or [why])[-1])
    answers.append(said)
json.dump(answers, sys.stdout)
"""
"""A process for each test, but only one start of Python."""


def build_problem(entry: Entry) -> Problem:
    """The problem with its tests and expected outputs, ready for the grader.

    >>> build_problem(read_entry(find_problems() / "dark-cells")).tests[0].output      # doctest: +SKIP
    '6\\n'
    """
    return Problem(
        id=entry.slug,
        kind=entry.kind,
        tests=tuple(make_tests(entry)),
        checker=entry.checker,
        entry_point=entry.entry_point,
        starter_code=entry.starter,
        interactor=Interactor(entry.interactor) if entry.interactor else None,
        time_limit_s=entry.time_limit_s,
        memory_limit_mb=entry.memory_limit_mb,
        statement=entry.statement,
    )


def make_tests(entry: Entry) -> list[TestCase]:
    """The problem's tests, from the cache if nothing that they depend on has changed."""
    cached = _cache_file(entry)
    if cached.exists():
        try:
            return [TestCase(given, wanted) for given, wanted in json.loads(gzip.decompress(cached.read_bytes()))]
        except (OSError, EOFError, ValueError):
            cached.unlink(missing_ok=True)
    inputs = generate_inputs(entry)
    outputs = reference_outputs(entry, inputs)
    _write_cache(cached, list(zip(inputs, outputs, strict=True)))
    return [TestCase(given, wanted) for given, wanted in zip(inputs, outputs, strict=True)]


def build_problems(entries: Sequence[Entry]) -> list[Problem]:
    """Many problems, built at the same time: threads are enough, because each only waits for its processes."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        return list(threads.map(build_problem, entries))


def generate_inputs(entry: Entry, hash_seed: int = 0) -> list[Any]:
    """The inputs that the generator yields: texts, or for kind call lists of arguments.

    `hash_seed` sets the interpreter's hash seed. With another one, a generator that depends on the order of a set gives
    other tests.
    """
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    text = _run(
        [sys.executable, "-c", _GENERATE, str(entry.generator)], "", f"{entry.slug}/generator.py", GENERATOR_LIMIT_S,
        environment,
    )  # fmt: skip
    inputs: list[Any] = json.loads(text)
    wanted = list if entry.kind == "call" else str
    for index, given in enumerate(inputs):
        if not isinstance(given, wanted):
            kind = type(given).__name__
            raise InputError(f"{entry.slug}/generator.py: test {index} is a {kind}, not a {wanted.__name__}")
    return inputs


def reference_outputs(entry: Entry, inputs: list[Any]) -> list[Any]:
    """The reference solution's answer to each input; empty texts for an interactive problem, which has no answers."""
    if entry.kind == "interactive":
        return [""] * len(inputs)
    program = entry.path / "solutions" / entry.reference.name
    where = f"{entry.slug}/solutions/{entry.reference.name}"
    if entry.kind == "call":
        command = [sys.executable, "-I", "-c", _CALL, str(program), str(entry.entry_point)]
        answers: list[Any] = json.loads(_run(command, json.dumps(inputs), where, REFERENCE_LIMIT_S))
        return answers
    command = [sys.executable, "-I", "-c", _PRINT, str(program), str(REFERENCE_LIMIT_S)]
    printed: list[Any] = json.loads(_run(command, json.dumps(inputs), where, REFERENCE_LIMIT_S * len(inputs)))
    return printed


def _run(command: list[str], given: str, where: str, limit_s: int, environment: dict[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, text=True, encoding="utf-8", timeout=limit_s, env=environment
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{where}: timeout after {limit_s} s") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise InputError(f"{where}: {last[0]}")
    return done.stdout


def _cache_file(entry: Entry) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    dependencies = [
        entry.kind,
        entry.entry_point,
        entry.generator.read_text(encoding="utf-8"),
        entry.reference.code,
        _CALL,
        _PRINT,
    ]
    digest = hashlib.sha256(json.dumps(dependencies).encode()).hexdigest()
    return Path(base) / "microcoder" / "problem_set" / f"{entry.slug}-{digest[:24]}.json.gz"


def _write_cache(path: Path, pairs: list[tuple[Any, Any]]) -> None:
    """Write the cache file atomically. If the disk refuses it, the tests are made again next time."""
    try:
        with atomic_path(path) as temporary:
            temporary.write_bytes(gzip.compress(json.dumps(pairs).encode(), mtime=0))
    except (OSError, InputError):
        return
