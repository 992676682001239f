"""Pages that every run writes to are copied at the fork: fewer page faults, and memory as private as without it."""

from __future__ import annotations

import subprocess
import sys

import pytest

PAGES = 64
SCRIPT = f"""
import mmap, os, resource, sys
from microcoder_eval.sandbox import hot_pages

PAGES, SIZE = {PAGES}, mmap.PAGESIZE
memory = mmap.mmap(-1, PAGES * SIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

def write(byte):
    for page in range(PAGES):
        memory[page * SIZE] = byte

def child(work):
    reads, writes = os.pipe()
    if os.fork() == 0:
        os.write(writes, repr(work()).encode())
        os._exit(0)
    os.wait()
    return eval(os.read(reads, 65536))

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    write(2)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def rings():
    opened = [os.readlink(entry.path) for entry in os.scandir("/proc/self/fd") if os.path.lexists(entry.path)]
    mapped = [line for line in open("/proc/self/maps")]
    return ["uring" in "".join(names) for names in (opened, mapped)]

write(1)
without = child(faults)
if LIMIT_FILES:
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
present, written = hot_pages.pages_after(lambda: write(3))
copied = hot_pages.copy_at_fork(written)
if LIMIT_FILES or not copied:
    sys.exit(print(copied))
print(copied, without, child(faults), *{{memory[page * SIZE] for page in range(PAGES)}})
print(rings(), child(rings))
"""


def run(limit_files: bool) -> list[str]:
    script = SCRIPT.replace("LIMIT_FILES", str(limit_files))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_a_child_writes_to_copied_pages_without_a_fault_and_shares_none() -> None:
    lines = run(limit_files=False)
    if lines == ["0"]:
        pytest.skip("the kernel refuses to pin pages")
    copied, without, faults, *kept = map(int, lines[0].split())
    assert copied >= PAGES
    assert without - faults >= PAGES  # the rest are faults of the interpreter itself
    assert kept == [1]


def test_nobody_has_a_descriptor_of_the_ring_and_a_child_no_mapping() -> None:
    lines = run(limit_files=False)
    if lines == ["0"]:
        pytest.skip("the kernel refuses to pin pages")
    assert lines[1] == "[False, True] [False, False]"


def test_where_the_kernel_refuses_a_step_nothing_is_copied() -> None:
    assert run(limit_files=True) == ["0"]
