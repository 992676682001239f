"""How many interpreters a supervisor starts for the programs that it gets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.supervisor import boxes as module
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.boxes import Boxes
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits

LIMITS = Limits(5.0, 512 * MEBIBYTE, MEBIBYTE)


@pytest.fixture
def boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Boxes]:
    monkeypatch.setattr(module, "FORKS_FOR_A_START", 4)
    made = Boxes([], str(tmp_path))
    made.first()
    yield made
    made.close()


def run(boxes: Boxes, code: str) -> bytes:
    box = boxes.for_program("stdin", code)
    assert not box.load("stdin", code)
    assert box.run(b"3", LIMITS).status == 0
    return box.stdout.get()


def test_few_programs_share_the_interpreter_that_runs_already(boxes: Boxes) -> None:
    for code in ("print(3)", "import math\nprint(math.gcd(3, 6))", "from collections import deque\nprint(3)"):
        assert run(boxes, code) == b"3\n"
    assert len(boxes.zygotes()) == 1


def test_many_programs_get_the_smallest_interpreter(boxes: Boxes) -> None:
    started = []
    for number in range(6):
        assert run(boxes, f"print({number})") == b"%d\n" % number
        started.append(len(boxes.zygotes()))
    assert started == [1, 1, 1, 1, 2, 2]


def test_a_program_that_needs_more_gets_it_at_once(boxes: Boxes) -> None:
    assert run(boxes, "import re\nprint(re.escape('3'))") == b"3\n"
    assert len(boxes.zygotes()) == 2


def test_only_the_process_that_forks_programs_has_loaded_their_modules() -> None:
    with closing(Box([*LAYERS], preload=["numpy"])) as box:
        status = Path(f"/proc/{box.zygote}/status").read_text()
        outer = int(status.partition("PPid:")[2].split()[0])
        if outer == os.getpid():
            pytest.skip("this machine gives no process namespace, so nobody waits outside")
        maps = [Path(f"/proc/{pid}/maps").read_text() for pid in (box.zygote, outer)]
    assert ["_multiarray_umath" in text for text in maps] == [True, False]
