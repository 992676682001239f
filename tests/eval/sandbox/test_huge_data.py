"""The interpreter's data moves to huge pages while it runs: nothing of it changes, and a fork still copies it."""

from __future__ import annotations

import subprocess
import sys

import pytest

MOVES = """
import gc, hashlib, os, sys
from microcoder_eval.sandbox import hot_pages, huge_data

kept = {f"name {n}": [n, (n, str(n)), {n: bytes([n % 256]) * 30}] for n in range(60_000)}
digest = lambda: hashlib.sha256(repr(kept).encode()).hexdigest()
before = digest()

def run():
    kept["name 7"][0] = sum(range(1000))

present, written = hot_pages.pages_after(run)
"""
MOVE = "moved = huge_data.move_data(present, small=written)\n"
GOES_ON = """
assert digest() == before
import decimal, json
more = [json.loads(json.dumps({"a": [n, str(n)]})) for n in range(50_000)]
del more
gc.collect()
try:
    (lambda n: 1 / n)(0)
except ZeroDivisionError:
    pass
reads, writes = os.pipe()
if os.fork() == 0:
    kept.clear()
    more = [[n] for n in range(200_000)]
    os.write(writes, str(decimal.Decimal(1) / 3).encode())
    os._exit(0)
os.wait()
assert os.read(reads, 100) == b"0." + b"3" * 28 and digest() == before
"""


def outcome(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.strip()


def test_the_interpreter_runs_on_when_its_data_has_moved() -> None:
    moved = outcome(f"{MOVES}{MOVE}{GOES_ON}print(moved)")
    if moved == "0":
        pytest.skip("this machine has no glibc, or the kernel does not tell which pages a process has")
    assert int(moved) > 20 << 20


def test_what_a_run_writes_to_has_small_pages_and_the_rest_huge_ones() -> None:
    flags = (
        "huge = lambda page: struct.unpack('Q', os.pread(flags, 8, 8 * (struct.unpack('Q', os.pread(pages, 8,"
        " page // 4096 * 8))[0] & (1 << 55) - 1)))[0] >> 22 & 1\n"
        "import struct\n"
        "flags, pages = os.open('/proc/kpageflags', os.O_RDONLY), os.open('/proc/self/pagemap', os.O_RDONLY)\n"
        "print(moved, len(written), sum(map(huge, written)), sum(map(huge, present)) / len(present))\n"
    )
    try:
        with open("/proc/kpageflags", "rb") as file:
            file.read(8)
        with open("/sys/kernel/mm/transparent_hugepage/enabled") as setting:
            allowed = "[never]" not in setting.read()
    except OSError as error:
        pytest.skip(f"only root may see which pages are huge: {error}")
    moved, written, small_but_huge, share = outcome(f"{MOVES}{MOVE}{flags}").split()
    if moved == "0" or not allowed:
        pytest.skip("this machine does not move data, or has no huge pages")
    assert int(written) > 0
    assert int(small_but_huge) <= int(written) // 4  # some were written to again, and are not the same pages any more
    assert float(share) > 0.5


@pytest.mark.parametrize(
    "trouble",
    [
        "def call_all(calls): os.kill(os.getpid(), 11)\nhuge_data.uninterrupted.call_all = call_all\n",
        "def call_all(calls): raise OSError(38, 'no such function')\nhuge_data.uninterrupted.call_all = call_all\n",
        "def refused(name, *arguments): raise OSError(12, name)\nhuge_data.libc.address = refused\n",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(0.5,)).start()\n",
    ],
    ids=["crashes", "other libc", "no memory", "thread"],
)
def test_data_that_cannot_move_stays(trouble: str) -> None:
    assert outcome(f"{MOVES}{trouble}{MOVE}{GOES_ON}print(moved)") == "0"


def test_what_the_kernel_does_not_let_move_leaves_no_copy() -> None:
    unknown_flag = "huge_data.MAYMOVE_FIXED = 1 << 7\n"
    resident = "resident = lambda: int(open('/proc/self/statm').read().split()[1]) * os.sysconf('SC_PAGE_SIZE')\n"
    program = f"{MOVES}{unknown_flag}{resident}first = resident()\n{MOVE}copied = resident() - first\n{GOES_ON}"
    moved, copied = map(int, outcome(f"{program}print(moved, copied)").split())
    assert copied <= moved // 4 + (1 << 20)


def test_calls_follow_one_another_without_the_interpreter() -> None:
    program = (
        "import ctypes\nfrom microcoder_eval.boundary import uninterrupted\n"
        "one, two, three = (ctypes.create_string_buffer(text, 6) for text in (b'first', b'', b''))\n"
        "places = [ctypes.addressof(buffer) for buffer in (one, two, three)]\n"
        "uninterrupted.call_all([('memcpy', (places[1], places[0], 6)), ('memcpy', (places[2], places[1], 6))] * 20)\n"
        "print(two.value, three.value)\n"
    )
    assert outcome(program) == "b'first' b'first'"
