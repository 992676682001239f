# ruff: noqa: E501 - programs, each on the line that names it
"""What a program leaves in its working directory and on its descriptors: the next one finds none of it, and the grader
stumbles over none of it.

One worker, so that the programs follow each other in the same sandbox. After each attack, a program of another
submission prints what is there.
"""

from __future__ import annotations

import pytest

from microcoder_eval import Problem
from tests.eval.attacks.grading import EACH_OPTION, WAYS, Attack, Batch, grade_all

EMPTY = Problem.from_dict(
    {"id": "empty", "tests": [{"input": "", "output": "empty"}], "time_limit_s": 2.0, "memory_limit_mb": 256}
)
LOOKS = "import os\nprint(sorted(os.listdir('.')) or 'empty')"
LEAVES = {
    "file": "open('x', 'w').write('secret')",
    "hidden-file": "open('.x', 'w').write('secret')",
    "directory": "import os\nos.mkdir('d')\nopen('d/x', 'w').close()",
    "deep-directories": "import os\nfor n in range(1200):\n    os.mkdir('d')\n    os.chdir('d')",
    "wide-directories": "import os\nfor n in range(3000): os.mkdir(str(n))",
    "many-files": "for n in range(5000): open(str(n), 'w').close()",
    "symlink-to-root": "import os\nos.symlink('/', 'x')",
    "symlink-to-itself": "import os\nos.symlink('x', 'x')",
    "symlink-up": "import os\nos.symlink('..', 'x')\nos.symlink('.', 'y')",
    "symlink-for-the-directory": "import os\nos.mkdir('d')\nos.symlink('/tmp', 'd/x')",
    "hard-links": "import os\nopen('x', 'w').close()\nfor n in range(1000): os.link('x', str(n))",
    "fifo": "import os\ntry: os.mkfifo('x')\nexcept OSError: pass",
    "device": "import os\ntry: os.mknod('x', 0o20666, 259)\nexcept OSError: pass",
    "socket": "import os\ntry: os.mknod('x', 0o140666)\nexcept OSError: pass",
    "sparse-file": "import os\nf = os.open('x', os.O_CREAT | os.O_RDWR)\nos.ftruncate(f, 1 << 25)",
    "full-directory": "try:\n    f = open('x', 'wb')\n    while True: f.write(b'x' * 100000)\nexcept OSError: pass",
    "names-not-utf-8": "import os\nopen(b'\\xff\\xfe', 'w').close()\nos.mkdir(b'\\x80')",
    "names-with-line-breaks": "open('a\\nb', 'w').close()\nopen('-rf', 'w').close()\nopen(' ', 'w').close()",
    "longest-name": "open('x' * 255, 'w').close()",
    "names-of-modules": "for n in ('os', 'sys', 'math', 'site', 'sitecustomize', 'solution'): open(n + '.py', 'w').write('print(1)')",
    "bytecode": "import os\nos.mkdir('__pycache__')\nopen('__pycache__/os.cpython-311.pyc', 'wb').write(b'x')",
    "mode-0-at-birth": "import os\nos.umask(0o777)\nos.mkdir('d')\nos.close(os.open('x', os.O_CREAT | os.O_WRONLY, 0))",
    "open-and-removed": "import os\nf = open('x', 'w')\nos.unlink('x')\nf.write('secret')",
    "left-from-inside": "import os\nos.mkdir('d')\nos.chdir('d')\nos.rmdir('../d')",
    "renamed-around": "import os\nos.mkdir('a')\nos.mkdir('a/b')\nos.rename('a/b', 'c')\nos.rename('a', 'c/a')",
    "locked": "import fcntl\nf = open('x', 'w')\nfcntl.flock(f, fcntl.LOCK_EX)",
    "mapped": "import mmap, os\nf = os.open('x', os.O_CREAT | os.O_RDWR)\nos.ftruncate(f, 4096)\nmmap.mmap(f, 4096)[0] = 1",
    "directory-itself": "import os\ntry: os.rmdir(os.getcwd())\nexcept OSError: pass",
    "written-by-threads-to-the-end": "import threading\ndef work(n):\n    while True: open(str(n), 'w').write('x')\nfor n in range(5): threading.Thread(target=work, args=(n,), daemon=True).start()",
    "huge-arguments": "import os, sys\ntry: os.execv(sys.executable, [sys.executable, '-S', '-c', 'pass', *['x' * 100000] * 15])\nexcept OSError: pass",
    "huge-environment": "import os, sys\ntry: os.execve(sys.executable, [sys.executable, '-S', '-c', 'pass'], {f'X{n}': 'x' * 100000 for n in range(15)})\nexcept OSError: pass",
}  # fmt: skip
SETS = {
    "status-flags": "fcntl.fcntl(f, fcntl.F_SETFL, os.O_NONBLOCK)",
    "lock": "fcntl.flock(f, fcntl.LOCK_EX)",
    "lock-of-many-bits": "[fcntl.fcntl(f, F_OFD_SETLK, struct.pack('hhqqi4x', f > 0, 0, at, 1, 0)) for at in range(0, 100, 2)]",
    "memory-beyond-the-end": "libc.fallocate64(f, 1, ctypes.c_long(0), ctypes.c_long(1 << 20))",
    "hint": "fcntl.fcntl(f, 1036, struct.pack('q', 3))",
    "attributes": "fcntl.ioctl(f, 0x40086602, struct.pack('q', 0x40))",
    "position": "os.lseek(f, 77, 0)",
}  # fmt: skip
START = "import ctypes, fcntl, os, struct\nlibc, F_OFD_GETLK, F_OFD_SETLK = ctypes.CDLL(None), 36, 37\n"
SHARED = START + "for f in (0, 1, 2, 6):\n    try: {step}\n    except OSError: pass"
LOOKS_AT_SHARED = (
    START
    + """
for f in (0, 1, 2, 6):
    if bool(fcntl.fcntl(f, fcntl.F_GETFL) & os.O_APPEND) != (f > 0): print(f, 'flags')
    if fcntl.fcntl(f, fcntl.F_GETFL) & os.O_NONBLOCK: print(f, 'flags')
    if os.lseek(f, 0, os.SEEK_CUR): print(f, 'position')
    if os.fstat(f).st_blocks: print(f, 'memory')
    again = os.open(f'/proc/self/fd/{f}', os.O_RDONLY)
    fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
    kind, *_ = struct.unpack('h30x', fcntl.fcntl(again, F_OFD_GETLK, struct.pack('hhqqi4x', 1, 0, 0, 0, 0)))
    if kind != 2: print(f, 'locked')
    if any(fcntl.fcntl(f, 1035, bytes(8))): print(f, 'hint')
print('empty')
"""
)
REFUSED = ("WRONG_ANSWER", "RUNTIME_ERROR", "OUTPUT_LIMIT", "FORBIDDEN", "TIME_LIMIT", "MEMORY_LIMIT")
ATTACKS = [Attack(name, EMPTY, code, REFUSED, honest=LOOKS) for name, code in LEAVES.items()]
ATTACKS += [
    Attack(name, EMPTY, SHARED.replace("{step}", code), REFUSED, honest=LOOKS_AT_SHARED) for name, code in SETS.items()
]


@pytest.fixture(scope="module", params=EACH_OPTION)
def batch(request: pytest.FixtureRequest) -> Batch:
    return grade_all(ATTACKS, WAYS[request.param], workers=1)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_the_next_program_finds_nothing(batch: Batch, attack: Attack) -> None:
    batch.check(attack)


def test_no_process_is_replaced_or_left(batch: Batch) -> None:
    assert not batch.replaced
    assert not batch.left
