# ruff: noqa: E501 - programs, each on the line that names it
"""Denial of service: programs that wait without end, hide that they wait, or use up what others need.

Each is ended about as soon as a program that sleeps or one that spins, in the same grader: no way of waiting gains
time. After each, an honest program is accepted.
"""

from __future__ import annotations

import pytest

from microcoder_eval import Problem
from tests.eval.attacks.grading import WAYS, Attack, Batch, grade_all
from tests.eval.toolchains import is_here

PROBLEM = Problem.from_dict(
    {"id": "deny", "tests": [{"input": "", "output": "done"}], "time_limit_s": 0.4, "memory_limit_mb": 128}
)
SLOWER = Problem.from_dict({**PROBLEM.to_dict(), "id": "deny, slow start", "time_limit_s": 1.0})
HONEST = "print('done')"
SLEEPER = "import time\ntime.sleep(600)\nprint('done')"
AT_MOST, TRIES = 4.0, 5
"""How many times as long as the sleeper or the spinner a program may live. On a loaded machine the spinner lives longer:
it waits for the CPU, and that time is not its own."""
THREADS = "import threading, time\n{setup}\ndef work():\n    while True: {wait}\nfor _ in range({count}): threading.Thread(target=work).start()\n"
WAITS = {
    "sleeps": SLEEPER,
    "sleeps-often": "import time\nwhile True: time.sleep(0.001)",
    "sleeps-and-computes": "import time\nwhile True:\n    time.sleep(0.05)\n    sum(range(1000))",
    "threads-wake-together-200ms": THREADS.format(setup="", wait="time.sleep(0.2 - time.time() % 0.2)", count=400),
    "threads-wake-together-50ms": THREADS.format(setup="", wait="time.sleep(0.05 - time.time() % 0.05)", count=400),
    "threads-wake-together-10ms": THREADS.format(setup="", wait="time.sleep(0.01 - time.time() % 0.01)", count=200),
    "threads-wake-together-1s": THREADS.format(setup="", wait="time.sleep(1 - time.time() % 1)", count=450),
    "threads-wake-by-condition": (
        "import threading, time\nc = threading.Condition()\ndef work():\n    with c:\n        while True: c.wait()\n"
        "for _ in range(400): threading.Thread(target=work).start()\nwhile True:\n    time.sleep(0.2)\n    with c: c.notify_all()"
    ),
    "threads-at-a-barrier": (
        "import threading, time\nb = threading.Barrier(300)\ndef work():\n    while True:\n        b.wait()\n        time.sleep(0.2)\n"
        "for _ in range(300): threading.Thread(target=work).start()"
    ),
    "threads-on-one-pipe": (
        "import os, threading, time\nr, w = os.pipe()\ndef work():\n    while True: os.read(r, 1)\n"
        "for _ in range(300): threading.Thread(target=work).start()\nwhile True:\n    time.sleep(0.2)\n    os.write(w, b'x' * 300)"
    ),
    "threads-on-one-lock": THREADS.format(setup="lock = threading.Lock()", wait="lock.acquire(); time.sleep(0.002); lock.release()", count=300),
    "threads-one-after-another": THREADS.format(setup="", wait="time.sleep(0.3)", count=400),
    "threads-that-spin-for-the-lock": "import sys\nsys.setswitchinterval(1e-6)\n" + THREADS.format(setup="", wait="time.sleep(0)", count=50),
    "threads-come-and-go": "import threading, time\nwhile True:\n    t = threading.Thread(target=time.sleep, args=(0.02,))\n    t.start()\n    t.join()",
    "threads-come-and-go-many": "import threading, time\nwhile True:\n    ts = [threading.Thread(target=time.sleep, args=(0.1,)) for _ in range(100)]\n    [t.start() for t in ts]\n    [t.join() for t in ts]",
    "threads-without-main": "import ctypes, threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\nctypes.CDLL(None).pthread_exit(None)",
    "threads-computing-behind-sleepers": THREADS.format(setup="", wait="time.sleep(600)", count=300) + "while True: pass",
    "threads-beyond-the-limit": THREADS.format(setup="", wait="time.sleep(600)", count=5000),
    "yields": "import os\nwhile True: os.sched_yield()",
    "pauses": "import signal\nsignal.pause()",
    "stops": "import os\nos.kill(os.getpid(), 19)",
    "stops-again-by-alarm": "import os, signal\nsignal.signal(signal.SIGALRM, lambda *a: os.kill(os.getpid(), 19))\nsignal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)\nwhile True: signal.pause()",
    "woken-by-alarm": "import signal\nsignal.signal(signal.SIGALRM, lambda *a: None)\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\nwhile True: signal.pause()",
    "polls": "import select\nwhile True: select.select([], [], [], 0.01)",
    "waits-for-own-pipe": "import os\nr, w = os.pipe()\nos.read(r, 1)",
    "waits-for-own-lock": "import threading\nl = threading.Lock()\nl.acquire()\nl.acquire()",
    "waits-for-own-socket": "import socket\na, b = socket.socketpair()\na.recv(1)",
    "waits-for-event-loop": "import asyncio\nasyncio.run(asyncio.sleep(600))",
    "waits-at-exit": "import atexit, time\natexit.register(time.sleep, 600)\nprint('done')",
    "waits-in-finaliser": "import time\nclass D:\n    def __del__(self): time.sleep(600)\nd = D()\nprint('done')",
    "waits-for-daemon-thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()\nprint('done')",
    "writes-to-disk-slowly": "import os, time\nf = open('x', 'wb')\nwhile True:\n    f.write(b'x' * 1000)\n    f.flush()\n    os.fsync(f.fileno())\n    time.sleep(0.01)",
    "spins-in-c": "import re\nre.match('(a*)*b', 'a' * 40)",
    "spins": "while True: pass",
    "spins-then-sleeps": "import time\nt = time.process_time()\nwhile time.process_time() - t < 0.3: pass\ntime.sleep(600)",
    "spins-past-exceptions": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "ignores-signals": "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass",
    "executes-itself": "import os, sys\nos.execv(sys.executable, [sys.executable, '-S', '-c', 'import time; time.sleep(600)'])",
    "executes-itself-for-ever": "import os, sys\np = 'import os, sys; os.execv(sys.executable, [sys.executable, \"-S\", \"-c\", os.environ[\"P\"]])'\nos.environ['P'] = p\nexec(p)",
}  # fmt: skip
TAKES = {
    "memory-objects": "a = []\nwhile True: a.append(bytearray(10 ** 6))",
    "memory-at-once": "a = bytearray(10 ** 10)",
    "memory-mapped": "import mmap\na = []\nwhile True:\n    m = mmap.mmap(-1, 1 << 22)\n    m.write(b'x' * (1 << 22))\n    a.append(m)",
    "memory-shared-file": "import mmap, os\nf = os.open('x', os.O_RDWR | os.O_CREAT)\nos.ftruncate(f, 1 << 30)\nm = mmap.mmap(f, 1 << 30)\nfor n in range(0, 1 << 30, 4096): m[n] = 1",
    "memory-in-pipes": "import os\nfs = []\nwhile True:\n    r, w = os.pipe()\n    os.set_blocking(w, False)\n    fs += [r, w]\n    try:\n        while True: os.write(w, b'x' * 65536)\n    except BlockingIOError: pass",
    "memory-in-sockets": "import socket\nfs = []\nwhile True:\n    a, b = socket.socketpair()\n    a.setblocking(False)\n    fs += [a, b]\n    try:\n        while True: a.send(b'x' * 65536)\n    except BlockingIOError: pass",
    "memory-in-descriptors-in-flight": "import array, os, socket\nwhile True:\n    a, b = socket.socketpair()\n    a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [a.fileno(), b.fileno()]))])",
    "memory-of-stack": "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): f()\nf()",
    "memory-locked": "import ctypes\nctypes.CDLL(None).mlockall(3)\na = []\nwhile True: a.append(bytearray(10 ** 6))",
    "memory-text": "a = 'x'\nwhile True: a += a",
    "memory-number": "9 ** 9 ** 9",
    "memory-source": "exec('x = ' + '[' * 90 + '0' * 10 ** 8 + ']' * 90)",
    "output": "while True: print('x' * 10 ** 6)",
    "output-small": "while True: print('x', flush=True)",
    "output-errors": "import sys\nwhile True: print('x' * 10 ** 6, file=sys.stderr)",
    "output-sparse": "import os\nos.ftruncate(1, 1 << 40)",
    "disk": "f = open('x', 'wb')\nwhile True: f.write(b'x' * 10 ** 6)",
    "disk-files": "n = 0\nwhile True:\n    n += 1\n    open(str(n), 'w').write('x' * 4096)",
    "disk-empty-files": "n = 0\nwhile True:\n    n += 1\n    open(str(n), 'w').close()",
    "disk-directories": "import os\nwhile True:\n    os.mkdir('a')\n    os.chdir('a')",
    "disk-locked-directory": "import os\nos.mkdir('a')\nopen('a/x', 'w').close()\nos.chmod('a', 0)\nwhile True: pass",
    "descriptors": "fs = []\nwhile True: fs.append(open('/dev/null'))",
    "descriptors-then-print": "fs = []\ntry:\n    while True: fs.append(open('/dev/null'))\nexcept OSError: pass\nprint('undone')",
    "forks": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "forks-processes": "import multiprocessing\nps = [multiprocessing.Process(target=print) for _ in range(1000)]\n[p.start() for p in ps]",
    "closes-descriptors": "import os\nos.closerange(0, 1000)\nwhile True: pass",
    "fills-the-session": "import os\nwhile True:\n    try: os.write(5, b'0 0')\n    except OSError: pass",
    "crashes": "import ctypes\nctypes.string_at(0)",
    "collects": "import gc\ngc.set_threshold(1)\na = [[] for _ in range(10 ** 6)]\nwhile True: gc.collect()",
    "hashes": "d = {}\nfor n in range(10 ** 6): d[n * ((1 << 61) - 1)] = n",
    "compiles": "compile('+'.join(['(' * 50 + '1' + ')' * 50] * 10 ** 5), 'x', 'exec')",
}  # fmt: skip
CPP = "#include <cstdio>\n#include <unistd.h>\nint main() { BODY }\n"
THREADED = (
    "#include <chrono>\n#include <mutex>\n#include <thread>\n#include <vector>\nusing namespace std::chrono_literals;\n"
    + CPP
)
MANY = "std::vector<std::thread> t; for (int i = 0; i < 400; i++) try { t.emplace_back([] { for (;;) { WAIT } }); } catch (...) { break; } for (auto &x : t) x.join();"
OTHERS: dict[str, tuple[str, str]] = {
    "cpp-sleeps": ("cpp", CPP.replace("BODY", "sleep(600);")),
    "cpp-threads-wake-together": ("cpp", THREADED.replace("BODY", MANY.replace("WAIT", "usleep(200000 - std::chrono::steady_clock::now().time_since_epoch() / 1us % 200000);"))),
    "cpp-threads-yield": ("cpp", THREADED.replace("BODY", MANY.replace("WAIT", "std::this_thread::yield();"))),
    "cpp-threads-on-a-lock": ("cpp", THREADED.replace("BODY", "static std::mutex m; " + MANY.replace("WAIT", "m.lock(); usleep(1000); m.unlock();"))),
    "cpp-memory": ("cpp", CPP.replace("BODY", "for (;;) { char *p = new char[1 << 20]; for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; }")),
    "cpp-output": ("cpp", CPP.replace("BODY", "for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\");")),
    "cpp-forks": ("cpp", CPP.replace("BODY", "for (;;) fork();")),
    "cpp-spins": ("cpp", CPP.replace("BODY", "for (volatile int i = 0;;) i = 1;")),
    "java-sleeps": ("java", "class Main { public static void main(String[] a) throws Exception { Thread.sleep(600000); } }"),
    "java-threads-wake-together": ("java", "class Main { public static void main(String[] a) { for (int i = 0; i < 300; i++) new Thread(() -> { for (;;) try { Thread.sleep(200 - System.currentTimeMillis() % 200); } catch (Exception e) {} }).start(); } }"),
    "java-memory": ("java", "class Main { public static void main(String[] a) { var l = new java.util.ArrayList<byte[]>(); for (;;) l.add(new byte[1 << 20]); } }"),
    "java-threads": ("java", "class Main { public static void main(String[] a) { for (;;) new Thread(() -> { try { Thread.sleep(600000); } catch (Exception e) {} }).start(); } }"),
    "javascript-sleeps": ("javascript", "setTimeout(() => {}, 600000)"),
    "javascript-wakes-often": ("javascript", "setInterval(() => {}, 5)"),
    "javascript-workers": ("javascript", "const { Worker } = require('worker_threads'); for (let i = 0; i < 100; i++) new Worker('setInterval(() => {}, 100)', { eval: true })"),
    "javascript-memory": ("javascript", "const a = []; for (;;) a.push(new Array(1e6).fill(1))"),
    "rust-threads-wake-together": ("rust", "use std::{thread, time::Duration}; fn main() { let t: Vec<_> = (0..300).map(|_| thread::spawn(|| loop { thread::sleep(Duration::from_millis(200)) })).collect(); for x in t { x.join().unwrap() } }"),
}  # fmt: skip
ATTACKS = [Attack(name, PROBLEM, code, honest=HONEST) for name, code in {**WAITS, **TAKES}.items()]
COMPILED = [Attack(n, SLOWER, code, language=language) for n, (language, code) in OTHERS.items() if is_here(language)]


@pytest.fixture(scope="module", params=["spaces-test", "bare-submission"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def batch(way: str) -> Batch:
    return grade_all([*ATTACKS, *(COMPILED if way == "spaces-test" else ())], WAYS[way], workers=4)


def lived_ms(batch: Batch, name: str) -> float:
    return max((test.wall_ms for test in batch.grade(name).tests), default=0.0)


@pytest.mark.parametrize("attack", [*ATTACKS, *COMPILED], ids=lambda attack: attack.name)
def test_it_is_ended_and_others_go_on(batch: Batch, attack: Attack) -> None:
    if attack.name not in batch.results:
        pytest.skip("the isolation makes no difference to compiled programs")
    batch.check(attack)


@pytest.mark.parametrize("name", WAITS)
def test_no_way_of_waiting_buys_time(batch: Batch, way: str, name: str) -> None:
    plain = ("sleeps", "spins")
    for _ in range(TRIES):
        if lived_ms(batch, name) <= AT_MOST * max(lived_ms(batch, one) for one in plain):
            return
        # A program that wakes often may have waited for a CPU while another attack had it, and that is no idle time.
        batch = grade_all([one for one in ATTACKS if one.name in (name, *plain)], WAYS[way], workers=1)
    pytest.fail(f"it lived {lived_ms(batch, name):.0f} ms")


def test_no_process_is_replaced_or_left(batch: Batch) -> None:
    assert not batch.replaced
    assert not batch.left
