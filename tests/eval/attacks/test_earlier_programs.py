"""What a program finds in its process's memory of the programs that the same warm interpreter ran before it: no text.

The program that searches may be longer or shorter than those before it, so these have several lengths.
"""

from __future__ import annotations

import pytest

from microcoder_eval import Grader, Problem, Submission
from microcoder_eval.boundary import libc
from microcoder_eval.supervisor.source_text import LEAST_SOURCE, lengthened

IMPORTS = "import ctypes, os, re\n"
"""Programs that import the same run in the same interpreter."""
LENGTHS = (3, 12, 20, 40, 90, 300, 1500)
SEARCH = r"""
write = ctypes.CDLL(None).write
write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
reads, writes = os.pipe()
PAGE = 4096
held = bytearray(2 * PAGE)
new = memoryview(held)[PAGE:]
lines = re.compile(rb"v\d+q = \d+ \* 7\nv\d+q = \d")
found, regions = [], set()
for kept in (object(), bytes(1000), bytes(100000), [0] * 5000, os):
    regions |= {(id(kept) >> 24) + step for step in range(-2, 3)}
for region in sorted(regions):
    for page in range(region << 24, (region + 1) << 24, PAGE):
        held[:PAGE] = held[PAGE:]
        if write(writes, page, PAGE) == PAGE:
            os.readv(reads, [new])
            found += [one.start() for one in lines.finditer(held, PAGE - 40)]
        else:
            held[PAGE:] = bytes(PAGE)
print(len(found))
"""


def before(lines: int) -> str:
    return IMPORTS + "".join(f"v{number}q = {number} * 7\n" for number in range(lines)) + "print(0)"


def graded(kind: str, code: str) -> tuple[Problem, Submission]:
    tests = [{"input": [], "output": 0}] if kind == "call" else [{"input": "", "output": "0"}]
    record = {"id": kind, "kind": kind, "entry_point": "f" if kind == "call" else None, "tests": tests}
    return Problem.from_dict({**record, "time_limit_s": 20.0}), Submission(kind, kind, code=code)


@pytest.mark.skipif(not hasattr(libc._libc, "mallopt"), reason="only glibc overwrites what is freed")
@pytest.mark.parametrize("isolation", ["test", "submission"])
@pytest.mark.parametrize("kind", ["stdin", "call"])
def test_no_text_of_earlier_programs_is_in_memory(kind: str, isolation: str) -> None:
    ending = "\ndef f(): return 0" if kind == "call" else ""
    search = SEARCH.replace("print(len(found))", "f = lambda: len(found)") if kind == "call" else SEARCH
    with Grader(workers=1, isolation=isolation) as grader:
        for lines in LENGTHS:
            assert grader.grade(*graded(kind, before(lines) + ending)).accepted
        grade = grader.grade(*graded(kind, IMPORTS + search))
    assert grade.accepted, grade.detail


ENDS = ["", "\n", "\r\n", "  ", "\n  ", "\\", "\\\n", "  # \\", "\n\n"]
PARTS = ["x = 1", "if x:", "x = [1,", '"""a', "'a", "def f():\n  pass", "class", "x = '''a\nb'''", "é = '€'", "\0", ""]


@pytest.mark.parametrize("source", [part + end for part in PARTS for end in ENDS])
def test_a_lengthened_source_compiles_as_before(source: str) -> None:
    longer = lengthened(source)
    assert len(longer) >= LEAST_SOURCE or source.rstrip("\r\n").endswith("\\")
    assert compiled(longer) == compiled(source)


def compiled(source: str) -> object:
    try:
        code = compile(source, "x", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return type(error), getattr(error, "lineno", None), str(error), (getattr(error, "text", None) or "").strip()
    return code.co_code, code.co_consts, [*code.co_lines()]
