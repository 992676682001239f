# ruff: noqa: E501 - programs, each on the line that names it
"""Long inputs are files that programs of all supervisors share: none may change one, or see another test's.

After each attack, an honest program must find its input whole. A program that has changed something or seen what is not
its own prints "through", which is the right output of the test where it tries.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from microcoder_eval import Problem
from microcoder_eval.protocol.sealed_text import SEALED_FROM
from tests.eval.attacks.grading import EACH_OPTION, WAYS, Attack, Batch, grade_all, grade_as_nobody, why_not_as_nobody

SIZE = SEALED_FROM + 4321
FIRST, SECOND, ANSWER = ("first secret\n", "second secret\n", "expected secret\n")


def filled(text: str) -> str:
    return (text * (SIZE // len(text) + 1))[:SIZE]


SHARED = Problem.from_dict(
    {
        "id": "shared",
        "tests": [
            {"input": filled(FIRST), "output": "through"},
            {"input": filled(SECOND), "output": "through"},
            {"input": "short", "output": "through"},
            {"input": filled(FIRST), "output": "through " + " " * SIZE + filled(ANSWER)},
        ],
        "time_limit_s": 3.0,
        "memory_limit_mb": 256,
    }
)
START = "import ctypes, fcntl, mmap, os, sys\nlibc = ctypes.CDLL(None, use_errno=True)\nsize = os.fstat(0).st_size\n"
END = """
text = os.pread(0, 1 << 20, 0)
print('through' if any(tried) or len(text) != size else 'refused')
"""
CHANGES = {
    "write": "os.write(0, b'x')",
    "write-at": "os.pwrite(0, b'x', 0)",
    "shorten": "os.ftruncate(0, 5)",
    "lengthen": "os.ftruncate(0, size + 5)",
    "allocate": "os.posix_fallocate(0, 0, size + 5)",
    "punch-a-hole": "check(libc.fallocate(0, 3, 0, 4096))",
    "open-again-by-name": "os.write(os.open('/proc/self/fd/0', os.O_RDWR), b'x')",
    "open-again-and-cut": "os.open('/dev/stdin', os.O_WRONLY | os.O_TRUNC)",
    "map-to-write": "mmap.mmap(0, 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE).write(b'x')",
    "map-and-protect": "address = map_it(); check(libc.mprotect(address, 4096, 3)); ctypes.memset(address, 0, 5)",
    "seal-more": "fcntl.fcntl(0, 1033, 0x10)",
    "change-the-mode": "os.fchmod(0, 0o666)",
    "change-the-mode-by-number": "check(libc.syscall(91, 0, 0o666))",
    "mark-it": "os.setxattr(0, 'user.mark', b'x')",
    "change-its-times": "os.utime(0, (1, 1))",
    "become-its-owner-elsewhere": "os.fchown(0, 65534, 65534)",
    "copy-into-it": "check(libc.copy_file_range(1, None, 0, None, 5, 0))",
    "send-into-it": "os.sendfile(0, 1, 0, 5)",
    "splice-into-it": "pair = os.pipe(); os.write(pair[1], b'x'); check(libc.splice(pair[0], None, 0, None, 1, 0))",
    "drop-its-pages": "address = map_it(); check(libc.madvise(address, 4096, 9)); check(0 if ctypes.string_at(address, 5) != text[:5] else -1)",
    "lease": "fcntl.fcntl(0, fcntl.F_SETLEASE, fcntl.F_WRLCK)",
}
TRY = """
def check(result):
    if result < 0: raise OSError(ctypes.get_errno(), 'refused')
def map_it():
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.mprotect.argtypes = libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return libc.mmap(None, 4096, 1, 1, 0, 0)
text = os.pread(0, 1 << 20, 0)
tried = []
try:
    {attempt}
    tried.append(True)
except (OSError, ValueError, TypeError, AttributeError): tried.append(False)
"""
LEAVES = {
    "position-at-the-end": "os.lseek(0, 0, os.SEEK_END)",
    "position-beyond": "os.lseek(0, 1 << 40, os.SEEK_SET)",
    "flags": "fcntl.fcntl(0, fcntl.F_SETFL, os.O_APPEND | os.O_NONBLOCK | os.O_DIRECT)",
    "a-lock": "fcntl.flock(0, fcntl.LOCK_EX | fcntl.LOCK_NB)",
    "closed": "os.close(0)",
    "another-file-there": "os.dup2(1, 0)",
    "copies-of-the-descriptor": "kept = [os.dup(0) for _ in range(100)]",
    "a-map": "kept = mmap.mmap(0, size, mmap.MAP_SHARED, mmap.PROT_READ)",
    "a-thread-that-reads": "import threading\ndef read():\n    while True: os.read(0, 1000); os.lseek(0, 0, 0)\nthreading.Thread(target=read, daemon=True).start()",
    "a-process": "\nif os.fork() == 0:\n    while True: os.lseek(0, 7, 0)",
    "output-cut-by-a-thread": "import threading\ndef cut():\n    while True: os.ftruncate(1, 0); os.ftruncate(1, 1 << 20)\nthreading.Thread(target=cut, daemon=True).start()",
    "output-of-holes": "os.ftruncate(1, size)",
}
SEES = """
import os
found = b''
for number in range(300):
    try: found += os.pread(number, 1 << 21, 0)
    except OSError: pass
    for name in (f'/proc/self/fd/{number}', f'/proc/{os.getppid()}/fd/{number}'):
        try: found += open(name, 'rb').read(1 << 21)
        except OSError: pass
secrets = [secret for secret in (b'first secret', b'second secret', b'expected secret') if secret in found]
print('through' if len(secrets) > 1 else 'refused')
"""
HONEST = f"""
import sys
text = sys.stdin.read()
whole = text == 'short' or text in [(secret * {SIZE})[:{SIZE}] for secret in ({FIRST!r}, {SECOND!r})]
print('through' if whole else 'damaged', end='')
"""
HELD = Problem.from_dict({**SHARED.to_dict(), "id": "held", "tests": SHARED.to_dict()["tests"][:3]})
ATTACKS = [
    *(Attack(n, HELD, START + TRY.replace("{attempt}", c) + END, honest=HONEST) for n, c in CHANGES.items()),
    *(Attack(n, HELD, f"{START}{c}\nprint('refused')", honest=HONEST) for n, c in LEAVES.items()),
    Attack("sees-another-test", SHARED, SEES),
]


@pytest.fixture(scope="module", params=EACH_OPTION)
def batch(request: pytest.FixtureRequest) -> Batch:
    return grade_all(ATTACKS, WAYS[request.param], workers=1)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_the_next_program_finds_its_input_whole(batch: Batch, attack: Attack) -> None:
    batch.check(attack)


def test_no_process_is_replaced_or_left(batch: Batch) -> None:
    assert not batch.replaced
    assert not batch.left


@pytest.mark.skipif(bool(why_not_as_nobody()), reason=why_not_as_nobody() or "it can")
@pytest.mark.parametrize("way", [pytest.param("bare-test", marks=pytest.mark.slow), "spaces-test"])
def test_an_ordinary_user_s_grader_is_as_safe(way: str) -> None:
    honest = Attack("honest", HELD, HONEST, ("ACCEPTED",))
    with tempfile.TemporaryDirectory() as place:  # not below pytest's, which other users may not enter
        answers = grade_as_nobody([*ATTACKS, honest], WAYS[way], Path(place))
    wrong = {
        attack.name: answers[attack.name]
        for attack in ATTACKS
        if answers[attack.name][0] in ("ACCEPTED", "JUDGE_ERROR")
    }
    assert not wrong
    assert answers["honest"][0] == "ACCEPTED"
