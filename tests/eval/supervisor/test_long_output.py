"""A long output compared in its file gets the rung that the ladder gives it, or is left to the ladder."""

from __future__ import annotations

import os
import random
from contextlib import closing

import pytest

from microcoder_eval.boundary.huge_file import huge_file
from microcoder_eval.compare import compare_output
from microcoder_eval.problem import Checker, Policy
from microcoder_eval.protocol.sealed_text import STEP, SealedText
from microcoder_eval.supervisor.long_output import rung_of, same_bytes
from microcoder_eval.supervisor.memory_file import MemoryFile

pytestmark = pytest.mark.fast
CHECKERS = [
    *(Checker(), Checker(kind="exact"), Checker(kind="float"), Checker(kind="case_insensitive")),
    *(Checker(kind="unordered"), Checker(kind="lines"), Checker(kind="kattis_default")),
]
ENDS = (b"", b"\n", b" ", b"\r\n", b"\n\n\n", b"\0", b"8", b"\x1c", b"\x85", b"\v\f", b" " * 5000, b"7\n")


def variants() -> list[tuple[bytes, bytes]]:
    draw = random.Random(5)
    found = []
    for size in (0, 1, STEP - 1, STEP, STEP + 1, 2 * STEP + 17):
        text = (b"7 " * size)[:size]
        found += [(text + draw.choice(ENDS), text + end) for end in ENDS]
        for _ in range(4):
            changed = bytearray(text)
            if size:
                changed[draw.randrange(size)] = draw.choice(b"\n8 x")
            found.append((text, bytes(changed)))
    return found


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("checker", CHECKERS, ids=lambda checker: checker.kind)
def test_the_ladder_gives_the_same_rung(checker: Checker, policy: Policy) -> None:
    known = 0
    for expected, actual in variants():
        printed = MemoryFile("stdout")
        with closing(printed):
            printed.put(actual)
            rung = rung_of(SealedText.holding([expected]), printed, checker, policy)
        if rung is not None:
            known += 1
            assert compare_output(expected, actual, checker, policy).rung == rung, (expected[-9:], actual[-9:])
        else:
            assert expected != actual
    assert known >= 5


def test_a_file_that_ends_early_is_not_the_same() -> None:
    short, long = SealedText.holding([b"7" * STEP]), SealedText.holding([b"7" * (STEP + 1)])
    assert same_bytes(short.descriptor, long.descriptor, STEP)
    assert not same_bytes(short.descriptor, long.descriptor, STEP + 1)


def test_a_short_output_in_a_file_of_huge_pages_takes_one_small_page() -> None:
    try:
        file = huge_file()
    except OSError as refused:
        pytest.skip(f"this user may not mount here: {refused}")
    os.write(file, b"42\n")
    assert os.fstat(file).st_blocks * 512 == os.sysconf("SC_PAGE_SIZE")
    os.write(file, bytes(1 << 22))
    os.ftruncate(file, 0)
    assert os.fstat(file).st_blocks == 0
    os.close(file)
