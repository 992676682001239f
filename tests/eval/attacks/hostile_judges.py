# ruff: noqa: E501 - programs, each on the line that names it
"""Checkers, interactors and test programs that answer what no judge may answer.

The graded program is harmless. Whatever its judge answers, it is not accepted, and the failure is the judge's.
"""

from __future__ import annotations

from typing import Any

from microcoder_eval import Problem
from tests.eval.attacks.grading import Attack

FAULT = ("JUDGE_ERROR",)
DENIED = ("JUDGE_ERROR", "WRONG_ANSWER")
LEAVE = "import os\ndef {name}({parameters}):\n    os.write(6, {record!r})\n    os._exit(0)\n"
RECORDS: dict[str, bytes] = {
    "points-text": b'[true, "", "50"]',
    "points-list": b'[true, "", [50]]',
    "points-object": b'[true, "", {"a": 1}]',
    "points-true": b'[true, "", true]',
    "points-nan": b'[true, "", NaN]',
    "points-infinite": b'[true, "", Infinity]',
    "points-minus-infinite": b'[true, "", -Infinity]',
    "points-negative": b'[true, "", -5]',
    "points-huge": b'[true, "", 1e308]',
    "points-huge-integer": b'[true, "", 1%s]' % (b"0" * 400),
    "points-endless-integer": b'[true, "", %s]' % (b"9" * 6000),
    "points-of-no": b'[false, "", "50"]',
    "message-number": b"[true, 5, null]",
    "message-null": b"[true, null, null]",
    "message-object": b'[true, {"a": [1]}, null]',
    "message-list-of-no": b"[false, [1], null]",
    "message-number-of-no": b"[false, 5, null]",
    "verdict-text": b'["true", "", null]',
    "verdict-number": b'[1, "", null]',
    "verdict-list": b'[[], "", null]',
    "two-parts": b'[true, ""]',
    "four-parts": b'[true, "", null, null]',
    "text-of-three": b'"abc"',
    "object-of-three": b'{"a": 1, "b": 2, "c": 3}',
    "number": b"5",
    "null": b"null",
    "nothing": b"",
    "not-utf-8": b'[true, "\xff\xfe", null]',
    "nul": b'[true, "", null]\0',
    "twice": b'[true, "", null][true, "", null]',
    "deep": b"[" * 100_000,
    "deep-closed": b"[" * 50_000 + b"]" * 50_000,
    "deep-message": b"[true, " + b"[" * 900 + b"]" * 900 + b", null]",
    "deep-points": b'[true, "", ' + b"[" * 900 + b"]" * 900 + b"]",
    "deep-objects": b'{"a":' * 50_000,
    "long": b"[" + b"true, " * 1_000_000 + b"true]",
}
HARMLESS = {"verdict-number", "verdict-text", "verdict-list", "message-null", "message-number"}
"""Records that are no worse than a refusal."""
RETURNED: dict[str, str] = {
    "returns-nan": "return True, '', float('nan')",
    "returns-infinity": "return True, '', float('inf')",
    "returns-negative": "return True, '', -1",
    "returns-huge": "return True, '', 10 ** 400",
    "returns-text-points": "return True, '', 'half'",
    "returns-evil-bool": "return type('B', (), {'__bool__': lambda s: 1 / 0})()",
    "returns-evil-text": "return True, type('S', (), {'__str__': lambda s: 5})()",
    "returns-lone-surrogates": "return False, '\\ud800' * 5",
    "returns-endless-text": "return False, 'x' * 50_000_000",
    "raises-system-exit": "raise SystemExit(0)",
    "raises-with-evil-text": "raise type('E', (Exception,), {'__str__': lambda s: 5})()",
    "returns-a-generator": "yield False",
    "returns-a-map": "return map(bool, [0])",
    "returns-a-function": "return check",
    "returns-a-class": "return bool",
    "returns-a-tuple-in-a-tuple": "return (False, 'no'), 'message'",
    "exits": "import os; os._exit(0)",
    "crashes": "import ctypes; ctypes.string_at(0)",
    "recurses": "return check(input, expected, actual)",
    "prints-much": "print('x' * 10 ** 8)",
    "closes-all": "import os; os.closerange(0, 64)",
    "truncates-and-seeks": "import os; os.ftruncate(6, 1 << 40)",
    "sparse-result": "import os; os.lseek(6, 1 << 30, 0); os.write(6, b'x'); os._exit(0)",
    "leaves-a-thread": "import threading, os, time\n    threading.Thread(target=lambda: [os.write(6, b'x') for _ in range(10**9)], daemon=True).start()",
}
KATTIS = "import os, sys\nfeedback = sys.argv[3]\n{body}\nsys.exit(42)\n"
SCORE = "open(feedback + '/score.txt', 'w').write({!r})"
FEEDBACK: dict[str, str] = {
    **{f"score-{name}": SCORE.format(text) for name, text in {
        "nan": "nan", "infinite": "inf", "minus-infinite": "-inf", "negative": "-5", "huge": "1e308", "beyond": "1e999",
        "endless": "9" * 1_000_000, "text": "half", "empty": "", "two": "1 2", "underscore": "1_0", "arabic": "٣",
    }.items()},
    "score-not-utf-8": "open(feedback + '/score.txt', 'wb').write(b'\\xff' * 100)",
    "score-directory": "os.mkdir(feedback + '/score.txt')",
    "score-link": "os.symlink('/etc/passwd', feedback + '/score.txt')",
    "score-levels": "os.mkdir(feedback + '/score.txt')\nos.chdir(feedback + '/score.txt')\nfor _ in range(1500):\n    os.mkdir('a')\n    os.chdir('a')",
    "score-unreadable": "open(feedback + '/score.txt', 'w').write('nan')\nos.chmod(feedback + '/score.txt', 0)",
    "score-100-spaces": "open(feedback + '/score.txt', 'w').write(' ' * 10 ** 6 + '50')",
    "message-a-directory": "os.mkdir(feedback + '/judgemessage.txt')\n" + SCORE.format("nan"),
    "message-levels": "os.mkdir(feedback + '/judgemessage.txt')\nos.chdir(feedback + '/judgemessage.txt')\nfor _ in range(1500):\n    os.mkdir('a')\n    os.chdir('a')\nos._exit(44)",
    "score-fifo": "os.symlink('/dev/stdin', feedback + '/score.txt')\nos.symlink('.', feedback + '/judgemessage.txt')",
    "score-sparse": "open(feedback + '/score.txt', 'w').truncate(1 << 33)",
    "message-not-utf-8": "open(feedback + '/judgemessage.txt', 'wb').write(b'\\xff\\0\\x1b]0;x\\7' * 100)\n" + SCORE.format("nan"),
    "message-huge": "open(feedback + '/judgemessage.txt', 'w').write('x' * 10 ** 8)\n" + SCORE.format("nan"),
    "levels-1500": "os.chdir(feedback)\nfor _ in range(1500):\n    os.mkdir('a')\n    os.chdir('a')\nos._exit(44)",
    "levels-1500-accepted": "os.chdir(feedback)\nfor _ in range(1500):\n    os.mkdir('a')\n    os.chdir('a')\nopen('x', 'w').close()\nos._exit(3)",
    "files-20000": "try:\n    for n in range(20000): open(f'{feedback}/{n}', 'w').close()\nexcept OSError: pass\nos._exit(44)",
    "directories-in-width": "try:\n    for n in range(10000): os.mkdir(f'{feedback}/{n}')\nexcept OSError: pass\nos._exit(44)",
    "names-not-utf-8": "open(os.fsencode(feedback) + b'/\\xff\\x1b', 'w').close()\nos._exit(44)",
    "feedback-removed": "os.rmdir(feedback)\nos._exit(44)",
    "feedback-a-link": "os.rmdir(feedback)\nos.symlink('/', feedback.rstrip('/'))\nos._exit(44)",
    "feedback-a-file": "os.rmdir(feedback)\nopen(feedback.rstrip('/'), 'w').write('x')\nos._exit(44)",
    "status-41": "os._exit(41)",
    "status-255": "os._exit(255)",
    "killed": "os.kill(os.getpid(), 9)",
    "stopped": "os.kill(os.getpid(), 19)",
}  # fmt: skip
TESTLIB = "import sys\nsys.stderr.write({said!r})\nsys.exit({status})\n"
SAID: dict[str, tuple[str, int]] = {
    "points-nan": ("points nan", 7),
    "points-infinite": ("points inf", 7),
    "points-negative": ("points -5", 7),
    "points-beyond": ("points 1e999", 7),
    "points-endless": ("points " + "9" * 100_000, 7),
    "points-text": ("points half", 7),
    "points-missing": ("points", 7),
    "partially-negative": ("partially correct (-5)", 16),
    "partially-beyond": ("partially correct (9999)", 16),
    "partially-endless": (f"partially correct ({'9' * 6000})", 16),
    "partially-overflows": (f"partially correct ({'9' * 400})", 16),
    "partially-with-ok": (f"partially correct ({'9' * 400})", 0),
    "status-3": ("fail", 3),
    "status-99": ("?", 99),
    "surrogates": ("\udcff" * 50, 5),
}
REPORTS: dict[str, bytes] = {
    "nothing": b"",
    "null": b"null",
    "number": b"5",
    "text": b'"passed"',
    "list": b"[]",
    "list-passed": b'["passed", "", ""]',
    "empty-object": b"{}",
    "ended-only": b'{"ended": "failed"}',
    "ended-unknown": b'{"ended": "nonsense", "detail": "", "where": ""}',
    "ended-number": b'{"ended": 5, "detail": "", "where": ""}',
    "ended-list": b'{"ended": ["passed"], "detail": "", "where": ""}',
    "ended-object": b'{"ended": {"a": 1}, "detail": "", "where": ""}',
    "detail-number": b'{"ended": "failed", "detail": 5, "where": "x"}',
    "detail-list": b'{"ended": "raised", "detail": [1], "where": ""}',
    "detail-null": b'{"ended": "raised", "detail": null, "where": null}',
    "where-list": b'{"ended": "failed", "detail": "x", "where": ["x"]}',
    "surrogates": b'{"ended": "failed", "detail": "\\ud800", "where": ""}',
    "deep": b"[" * 100_000,
    "deep-detail": b'{"ended": "failed", "where": "", "detail": ' + b"[" * 900 + b"]" * 900 + b"}",
    "endless-number": b'{"ended": "failed", "where": "", "detail": ' + b"9" * 6000 + b"}",
    "not-utf-8": b'{"ended": "failed\xff", "detail": "", "where": ""}',
}


def checked(name: str, checker: dict[str, Any], **more: Any) -> Problem:
    return Problem.from_dict(
        {"id": name, "tests": [{"input": "1", "output": "1"}], "checker": checker, "time_limit_s": 2.0, **more}
    )


def interactive(name: str, interactor: dict[str, Any]) -> Problem:
    return Problem.from_dict(
        {"id": name, "kind": "interactive", "tests": [{"input": "1"}], "interactor": interactor, "time_limit_s": 2.0}
    )


def _wants(name: str) -> tuple[str, ...]:
    return DENIED if name in HARMLESS or name.endswith("of-no") else FAULT


def attacks() -> list[Attack]:
    """One attack for each thing that a judge may say, by each kind of judge that can say it."""
    found = []
    for name, record in RECORDS.items():
        code = LEAVE.format(name="check", parameters="input, expected, actual", record=record)
        problem = checked(f"checker-{name}", {"kind": "python", "code": code})
        found.append(Attack(problem.id, problem, "print(2)", _wants(name)))
        code = LEAVE.format(name="interact", parameters="input, read_line, write_line", record=record)
        problem = interactive(f"interactor-{name}", {"code": code})
        found.append(Attack(problem.id, problem, "print(2)", _wants(name)))
    for name, body in RETURNED.items():
        code = f"def check(input, expected, actual):\n    {body}\n"
        problem = checked(f"checker-{name}", {"kind": "python", "code": code})
        wants = FAULT if name.startswith("returns-a-") else DENIED
        found.append(Attack(problem.id, problem, "print(2)", wants))
    for name, judge in {
        "checker-returns-a-coroutine": {"code": "async def check(input, expected, actual): return False"},
        "interactor-returns-a-coroutine": {"code": "async def interact(input, read_line, write_line): return False"},
        "interactor-returns-a-generator": {"code": "def interact(input, read_line, write_line): yield False"},
    }.items():
        made = checked(name, {"kind": "python", **judge}) if name.startswith("checker") else interactive(name, judge)
        found.append(Attack(name, made, "print(2)", FAULT))
    for name, body in FEEDBACK.items():
        judge = {"kind": "python", "style": "kattis", "code": KATTIS.format(body=body)}
        problem = checked(
            f"kattis-{name}",
            judge,
            groups=[{"name": "all", "max_score": 100, "tests": [0], "score_aggregation": "sum"}],
        )
        found.append(Attack(problem.id, problem, "print(2)", DENIED))
    for name, (said, status) in SAID.items():
        code = TESTLIB.format(said=said, status=status)
        judge = {"kind": "python", "style": "testlib", "code": code}
        problem = checked(
            f"testlib-{name}",
            judge,
            groups=[{"name": "all", "max_score": 100, "tests": [0], "score_aggregation": "sum"}],
        )
        found.append(Attack(problem.id, problem, "print(2)", DENIED))
    for name, report in REPORTS.items():
        tests = f"import os\nos.write(6, {report!r})\nos._exit(0)\nassert f(1) == 2\n"
        problem = Problem.from_dict({"id": f"tests-{name}", "kind": "asserts", "test_code": tests, "entry_point": "f"})
        found.append(Attack(problem.id, problem, "def f(x): return 2", DENIED))
    return found
