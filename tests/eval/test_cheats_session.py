"""Isolation by submission: what a program does to its process, its session socket or the compiler affects no other.

After every cheat, an honest and a wrong program go through the same sandbox.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict

ADD = Problem.from_dict(
    {
        "id": "add",
        "time_limit_s": 0.5,
        "memory_limit_mb": 256,
        "tests": [{"input": f"{a} {3 * a}", "output": str(4 * a)} for a in range(1, 7)],
    }
)
MANY = Problem.from_dict({**ADD.to_dict(), "id": "many", "tests": [test.to_dict() for test in ADD.tests] * 80})
ANSWER = "print(sum(map(int, input().split())), flush=True)\n"
SESSION_CHEATS = {
    "ends the session itself": "import os\n" + ANSWER + "os._exit(0)",
    "answers before it has run": "import os\nos.write(5, b'0 0')\n" + ANSWER,
    "answers, then stops without listening": "import os\n" + ANSWER + "os.write(5, b'0 0')\nos.kill(os.getpid(), 19)",
    "makes the session's socket non-blocking": "import os\nos.set_blocking(5, False)\n" + ANSWER + "os._exit(0)",
    "shuts the session's socket down": (
        "import os, socket\ns = socket.socket(fileno=os.dup(5))\n"
        "try: s.shutdown(2)\nexcept OSError: pass\n" + ANSWER + "os._exit(0)"
    ),
    "sets a time limit on the socket": (
        "import os, socket, struct\ns = socket.socket(fileno=os.dup(5))\n"
        "try: s.setsockopt(1, 20, struct.pack('ll', 0, 1))\nexcept OSError: pass\n" + ANSWER + "os._exit(0)"
    ),
    "closes the socket": "import os\n" + ANSWER + "os.close(5)",
    "fills the socket with answers": (
        "import os\nos.set_blocking(5, False)\ntry:\n    while True: os.write(5, b'0 0')\nexcept OSError: pass\n"
        + ANSWER
    ),
    "answers for many tests before it has run": "import os\nos.write(5, b'\\n'.join([b'0 0 9 0'] * 9))\n" + ANSWER,
    "says that its output is huge": "import os\n" + ANSWER + "os.write(5, b'0 0 %d 0' % 10**18)",
    "says that its output ends before it begins": "import os\n" + ANSWER + "os.write(5, b'0 0 -9 -9\\n0 0 3 -99')",
    "says that it takes no list": "import os\n" + ANSWER + "os.write(5, b'-')",
    "answers with half a line": "import os\n" + ANSWER + "os.write(5, b'0 0 2 0\\n0 0')",
    "answers with many lines": "import os\n" + ANSWER + "os.write(5, b'0 0 2 0\\n' * 2000)",
    "reads the list itself": "import os\n"
    + ANSWER
    + "os.set_blocking(5, False)\ntry: os.read(5, 99)\nexcept OSError: pass",
    "closes what the session keeps": "import os\n" + ANSWER + "for n in 3, 4, 6: os.close(n)",
    "makes its directory read-only": "import os\n" + ANSWER + "try: os.chmod('.', 0)\nexcept OSError: pass",
    "writes to the input of later tests": (
        "import os\n" + ANSWER + "for f in os.write, os.ftruncate:\n    try: f(0, b'9' if f is os.write else 0)\n"
        "    except OSError: pass"
    ),
    "answers nonsense": "import os\n" + ANSWER + "os.write(5, b'x' * 60)",
    "answers with huge numbers": "import os\n" + ANSWER + "os.write(5, b'0 ' + b'9' * 60)",
    "answers with nothing": "import os\n" + ANSWER + "os.write(5, b'')",
    "patches what runs the next test": (
        "import sys\nh = sys.modules['microcoder_eval.sandbox.harness']\n"
        "h.run_script = lambda *a: 0\nh.fresh_main = lambda *a: {}\nh.open_streams = lambda: None\n" + ANSWER
    ),
    "patches builtins for the next test": "import builtins\n"
    + ANSWER
    + "builtins.print = builtins.input = lambda *a: 9",
    "leaves a thread that prints": (
        "import threading, time\ndef f():\n    while True: time.sleep(0.0001); print(7)\n"
        + ANSWER
        + "threading.Thread(target=f, daemon=True).start()"
    ),
    "leaves a timer signal": "import signal\n" + ANSWER + "signal.setitimer(signal.ITIMER_REAL, 0.001)",
    "answers the second test with the first's": (
        "import builtins\nif not hasattr(builtins, 'kept'): builtins.kept = sum(map(int, input().split()))\n"
        "print(builtins.kept)"
    ),
    "compiler: ten megabytes of one name": "a" * 10_000_000,
    "compiler: a message too long to send": f"def f({'a' * 1_000_000}):\n    global {'a' * 1_000_000}\n",
    "compiler: deep parentheses": "x = " + "(" * 100_000,
    "compiler: deep operators": "x = " + "-" * 100_000 + "1",
    "compiler: deep brackets": "x = " + "[" * 190 + "]" * 190,
    "compiler: deep attributes": "x = a" + ".a" * 50_000,
    "compiler: deep sums": "x = 1" + " + 1" * 50_000,
    "compiler: deep blocks": "\n".join(" " * depth + "if 1:" for depth in range(99)),
    "compiler: a huge product": "x = 9 ** 9 ** 9 ** 9",
    "compiler: a huge number": "x = " + "9" * 2_000_000,
    "compiler: NUL": "print(1)\0",
    "compiler: lone surrogates": "x = '\ud800'",
    "compiler: an unknown encoding": "# -*- coding: no-such -*-\nprint(7)",
    "compiler: a form feed inside": "print(\x0c7)",
    "compiler: nothing": "",
}


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=1, isolation="submission") as opened:
        yield opened


@pytest.mark.parametrize("name", SESSION_CHEATS)
def test_the_next_programs_get_their_own_verdicts(grader: Grader, name: str) -> None:
    cheat = grader.grade(ADD, Submission("cheat", ADD.id, SESSION_CHEATS[name]))
    assert cheat.verdict is not Verdict.JUDGE_ERROR, cheat.detail
    honest = grader.grade(ADD, Submission("honest", ADD.id, f"{ANSWER}# after: {name}"))
    wrong = grader.grade(ADD, Submission("wrong", ADD.id, f"input()\nprint(4)  # after: {name}"))
    assert honest.accepted, honest.detail
    assert wrong.verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("name", [name for name in SESSION_CHEATS if name.startswith("compiler: ")])
def test_no_program_that_is_none_is_accepted(grader: Grader, name: str) -> None:
    assert not grader.grade(ADD, Submission("cheat", ADD.id, SESSION_CHEATS[name])).accepted


def test_a_program_that_answers_without_listening_does_not_block(grader: Grader) -> None:
    deaf = """
import os
last = b""
while True:
    now = os.pread(0, 100, 0)
    if now and now != last:
        last = now
        os.write(1, b"%d" % sum(map(int, now.split())))
        try: os.write(5, b"0 0")
        except OSError: os._exit(0)
"""
    grade = grader.grade(MANY, Submission("deaf", MANY.id, deaf))
    assert grade.verdict is not Verdict.JUDGE_ERROR


def test_state_left_for_the_next_test_does_not_fail_an_honest_program(grader: Grader) -> None:
    code = "import sys\ncount = getattr(sys, 'count', 0)\nsys.count = count + 1\n" + "assert count == 0\n" + ANSWER
    assert grader.grade(ADD, Submission("s", ADD.id, code)).accepted


READERS = (
    "import sys\nlines = sys.stdin.readlines()",
    "lines = list(open(0))",
    "lines = open('/dev/stdin').readlines()",
    "import os\nlines = b''.join(iter(lambda: os.read(0, 7), b'')).decode().splitlines(True)",
    "import fileinput\nlines = list(fileinput.input())",
    "import sys\nlines = sys.stdin.buffer.read().decode().splitlines(True)\nsys.stdin.close()",
    "import mmap\nlines = mmap.mmap(0, 0, prot=1)[:].decode().splitlines(True)",
    "import os\nlines = os.pread(0, 1 << 20, 0).decode().splitlines(True)\nos.close(0)\nos.open('f', 66)",
    "import sys\nlines = [*sys.stdin]\nsys.stdin = open('f', 'w+')\nimport os\nos.dup2(sys.stdin.fileno(), 0)",
)
WRITERS = (
    "print(total, len(lines))",
    "import sys\nsys.stdout.write(f'{total} {len(lines)}')",
    "import os\nos.write(1, b'%d %d' % (total, len(lines)))",
    "with open(1, 'w') as out: print(total, len(lines), file=out)",
    "import sys\nsys.stdout = open('/dev/stdout', 'a')\nprint(total, len(lines))\nsys.stdout.close()",
    "import atexit\natexit.register(lambda: print(total, len(lines)))",
    "import sys\nprint('x' * 3000, file=sys.stderr)\nprint(total, len(lines))",
)


def test_short_inputs_in_one_go_are_read_and_answered_like_others(grader: Grader) -> None:
    """With inputs of all lengths, some of which a shared process gets several at a time."""
    texts = [
        "".join(f"{n * k}\n" for n in range(length)) for k, length in enumerate([1, 0, 2, 3, 40, 0, 9, 700, 1, 9000, 5])
    ]
    texts[5] = "7 8 9"
    tests = [{"input": text, "output": f"{sum(map(int, text.split()))} {len(text.splitlines())}"} for text in texts]
    problem = Problem.from_dict({"id": "sums", "tests": tests})
    for number, reader in enumerate(READERS):
        for writer in WRITERS if number < 2 else WRITERS[:1]:
            code = f"{reader}\ntotal = sum(int(word) for line in lines for word in line.split())\n{writer}"
            if "mmap" in code:
                code = f"import os\nif not os.fstat(0).st_size: print('0 0'); raise SystemExit\n{code}"
            grade = grader.grade(problem, Submission("s", "sums", code))
            assert grade.accepted, (code, grade.detail)
            wrong = grader.grade(
                problem, Submission("s", "sums", code.replace("split())", "split())\ntotal += total == 24"))
            )
            failed = [test.index for test in wrong.tests if test.verdict is not Verdict.ACCEPTED]
            assert (wrong.verdict, failed) == (Verdict.WRONG_ANSWER, [5]), code


def test_both_isolations_agree() -> None:
    late = "from os import pread\nif pread(0, 1, 0) == b'4':\n    "
    programs = [ANSWER, "print(4)", "1 / 0", "while True: pass", "import sys\n" + ANSWER + "sys.exit(3)", "x ="]
    programs += [f"{late}{what}\n{ANSWER}" for what in ("while True: pass", "1 / 0", "print()", "print(7)")]
    verdicts = []
    for isolation in ("test", "submission"):
        with Grader(workers=2, isolation=isolation) as grader:
            pairs = [(ADD, Submission(str(number), ADD.id, code)) for number, code in enumerate(programs)]
            grades = {grade.submission_id: grade for grade in grader.grade_many(pairs)}
            verdicts.append([(grades[str(n)].verdict, grades[str(n)].passed) for n in range(len(programs))])
    assert verdicts[0] == verdicts[1]
    assert [verdict for verdict, _ in verdicts[0]] == [
        Verdict.ACCEPTED,
        Verdict.WRONG_ANSWER,
        Verdict.RUNTIME_ERROR,
        Verdict.TIME_LIMIT,
        Verdict.RUNTIME_ERROR,
        Verdict.COMPILE_ERROR,
        Verdict.TIME_LIMIT,
        Verdict.RUNTIME_ERROR,
        Verdict.ACCEPTED,
        Verdict.WRONG_ANSWER,
    ]
