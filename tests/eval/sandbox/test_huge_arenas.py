"""Programs take the memory of their objects from a region with huge pages: nothing else about them changes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import sysconfig
import textwrap
from pathlib import Path

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict

CHILD = """
import os, resource
from microcoder_eval.sandbox import huge_arenas
{before}
arenas = huge_arenas.HugeArenas()
arenas.reserve()
MIB = 1 << 20
taken = lambda: arenas._region.next - arenas._start
resident = lambda: int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
objects = lambda count: [[number] for number in range(count)]
if os.fork() == 0:
    arenas.use()
    result = ""
{program}
    os.write(1, str(result).encode())
    os._exit(0)
assert os.wait()[1] == 0
"""
SMALL_REGION = "huge_arenas.SIZE = 24 << 20"


def printed(program: str, before: str = "") -> str:
    """The `result` of a program in a child that may take arenas from the region."""
    program = CHILD.format(before=before, program=textwrap.indent(textwrap.dedent(program), "    "))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def _why_without() -> str:
    """Why this machine need not have a region; empty where it must have one."""
    if (sys.implementation.name, os.uname().machine) != ("cpython", "x86_64"):
        return "only the arenas of CPython on x86-64 are taken from a region"
    if not sysconfig.get_config_var("WITH_PYMALLOC"):
        return "this interpreter has no arenas"
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        if resource.getrlimit(kind) != (resource.RLIM_INFINITY, resource.RLIM_INFINITY):
            return "this process may reserve no more than its limit"
    if Path("/proc/sys/vm/overcommit_memory").read_text().strip() == "2":
        return "on this machine address space costs memory"
    return "" if Path("/sys/kernel/mm/transparent_hugepage").exists() else "this kernel has no huge pages"


@pytest.fixture(scope="module")
def needs_region() -> None:
    if why := _why_without():
        pytest.skip(why)
    assert printed("result = arenas.size") == str(1 << 30)


def test_objects_of_a_large_program_have_huge_pages(needs_region: None) -> None:
    with open("/sys/kernel/mm/transparent_hugepage/enabled") as setting:
        if "[never]" in setting.read():
            pytest.skip("this machine has no huge pages")
    program = """
    kept = objects(500_000)
    with open("/proc/self/smaps") as maps:
        huge = sum(int(line.split()[1]) << 10 for line in maps if line.startswith("AnonHugePages"))
    result = f"{taken()} {huge}"
    """
    taken, huge = map(int, printed(program).split())
    assert taken > 40 << 20
    if huge == 0:
        pytest.skip("this machine has no huge page free")
    assert huge > 20 << 20


@pytest.mark.parametrize("before", ["", SMALL_REGION], ids=["large", "used up"])
def test_objects_are_freed_and_made_again(needs_region: None, before: str) -> None:
    program = """
    first, most = resident(), 0
    for _ in range(30):
        kept = objects(200_000)
        assert sum(one[0] for one in kept) == 199_999 * 100_000
        most = max(most, resident() - first)
        del kept
    assert taken() > 24 * MIB
    result = f"{most >> 20} {resident() - first >> 20}"
    """
    most, left = map(int, printed(program, before).split())
    assert most < 36  # the objects take 21 MiB, their list 2, and the freed half of a huge page counts no more
    assert left < 10


def test_a_small_program_is_no_larger(needs_region: None) -> None:
    grown = "first = resident()\nkept = objects(20_000)\nresult = resident() - first"
    assert abs(int(printed(grown)) - int(printed(grown, "huge_arenas._may_work = lambda: False"))) < 1 << 20


def test_every_child_has_the_whole_region(needs_region: None) -> None:
    program = """
    result = taken()
    kept = objects(100_000)
    reads, writes = os.pipe()
    if os.fork() == 0:  # as a program can where no filter refuses it
        more = objects(100_000)
        os.write(writes, b"%d" % sum(one[0] for one in kept + more))
        os._exit(0)
    os.wait()
    assert int(os.read(reads, 100)) == 99_999 * 100_000
    assert sum(one[0] for one in kept) == 99_999 * 50_000
    """
    assert printed(program) == "0"


@pytest.mark.parametrize(
    "trouble",
    [
        "import ctypes\nhuge_arenas.TAKE_ARENA = b'\\xcc'",
        "huge_arenas.TAKE_ARENA = bytes.fromhex('31c0c3')",
        "huge_arenas.os.uname = lambda: os.uname_result(('Linux', '', '', '', 'riscv64'))",
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 33, 1 << 33))",
        "resource.setrlimit(resource.RLIMIT_DATA, (1 << 31, resource.RLIM_INFINITY))",
        "import io\nhuge_arenas.open = lambda path: io.StringIO('2')",
        "def refused(name, *arguments): raise OSError(13, name)\nhuge_arenas.libc.call = refused",
        "call = huge_arenas.libc.call\ndef refused(name, *arguments):\n    if name == 'madvise':\n"
        "        raise OSError(22, name)\n    return call(name, *arguments)\nhuge_arenas.libc.call = refused",
        "def refused(name, *arguments): raise OSError(12, name)\nhuge_arenas.libc.address = refused",
        "huge_arenas.ARENA = 1 << 30",
    ],
    ids=[
        "crashes",
        "no memory from it",
        "other machine",
        "limit",
        "limit of data",
        "address space costs memory",
        "not executable",
        "no huge pages",
        "no address space",
        "other arenas",
    ],
)
def test_where_it_is_not_possible_nothing_changes(trouble: str) -> None:
    program = """
    kept = objects(300_000)
    address_space = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    result = f"{arenas.size} {address_space < huge_arenas.SIZE} {sum(one[0] for one in kept)}"
    """
    assert printed(program, trouble) == f"0 True {299_999 * 150_000}"


@pytest.fixture(scope="module", params=["test", "submission"])
def grader(request):
    with Grader(workers=1, isolation=request.param) as grader:
        yield grader


def graded(grader: Grader, code: str, memory_limit_mb: int = 256, tests: int = 1) -> Verdict:
    record = {"id": "p", "tests": [{"input": str(n), "output": "done"} for n in range(tests)]}
    problem = Problem.from_dict({**record, "memory_limit_mb": memory_limit_mb, "time_limit_s": 10})
    grade = grader.grade(problem, Submission("s", "p", code=textwrap.dedent(code)))
    return grade.verdict


IN_ASCENDING_ORDER = """
kept = [bytes(400) for _ in range(60_000)]
arenas = list(dict.fromkeys(id(one) >> 20 for one in kept))[-16:]
print("done" if arenas == [*range(arenas[0], arenas[0] + 16)] else arenas)
"""


def test_a_graded_program_takes_its_arenas_from_the_region(needs_region: None, grader: Grader) -> None:
    """One after the other: the kernel would place each before the one that was mapped last."""
    assert graded(grader, IN_ASCENDING_ORDER, tests=3) is Verdict.ACCEPTED


THREADS = """
import threading
sums = []
def work(start):
    kept = [[start + n] for n in range(100_000)]
    sums.append(sum(one[0] for one in kept) - 100_000 * start)
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert sums == [99_999 * 50_000] * 8
print("done")
"""
RECURSION = """
import sys
sys.setrecursionlimit(200_000)
def depth(n): return [n] if n == 0 else [n, *depth(n - 1)[:1]]
for _ in range(20): assert depth(20_000) == [20_000, 19_999]
print("done")
"""
OUT_OF_MEMORY_FOR_A_MOMENT = """
try:
    kept = [0] * 10 ** 10
except MemoryError:
    kept = [[n] for n in range(500_000)]
assert sum(one[0] for one in kept) == 499_999 * 250_000
print("done")
"""
AGAIN_AND_AGAIN = """
for n in range(20):
    kept = {(n, i): [i] for i in range(100_000)}
    assert kept[n, 99_999] == [99_999]
print("done")
"""


@pytest.mark.parametrize("code", [THREADS, RECURSION, OUT_OF_MEMORY_FOR_A_MOMENT, AGAIN_AND_AGAIN])
def test_a_program_with_many_objects_is_accepted(grader: Grader, code: str) -> None:
    assert graded(grader, code, tests=3) is Verdict.ACCEPTED


@pytest.mark.parametrize(
    "code",
    [
        "kept = []\nwhile True: kept.append([len(kept)])",
        "kept = [[n] for n in range(10 ** 8)]\nprint('done')",
        "for n in range(3): kept = [[n] for n in range(200_000)]\nkept = [(n, str(n)) for n in range(10 ** 7)]",
    ],
)
def test_too_many_objects_are_still_too_much_memory(grader: Grader, code: str) -> None:
    assert graded(grader, code, memory_limit_mb=128) is Verdict.MEMORY_LIMIT


@pytest.mark.parametrize(("gibibytes", "verdict"), [(1.8, Verdict.ACCEPTED), (2.4, Verdict.MEMORY_LIMIT)])
def test_a_program_may_reserve_as_much_as_before(grader: Grader, gibibytes: float, verdict: Verdict) -> None:
    code = f"import mmap\ntry: space = mmap.mmap(-1, {int(gibibytes * (1 << 30))})\n"
    code += "except OSError: raise MemoryError\nprint('done')"
    assert graded(grader, code) is verdict
