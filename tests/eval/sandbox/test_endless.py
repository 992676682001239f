"""A program that is asked whether it can end: certain where it says that it cannot, and certain often enough."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.eval.sandbox.asked_programs import Asking
from tests.eval.sandbox.made_loops import made_program

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has other instructions")
HERE = Path(__file__).parent


def programs(name: str) -> dict[str, str]:
    """The programs of a file, by the titles above them."""
    parts = (HERE / name).read_text().split("### ")[1:]
    return {title: "N = 30\n" + code for title, _, code in (part.partition("\n") for part in parts)}


@pytest.fixture(scope="module")
def asking() -> Iterator[Asking]:
    with Asking() as opened:
        yield opened


def test_nothing_that_can_end_is_called_endless(asking: Asking) -> None:
    answers = {title: asking.ask(code) for title, code in programs("ends_late.txt").items()}
    assert {title: answer for title, answer in answers.items() if answer.startswith("endless")} == {}
    assert list(answers.values()).count("ended") > 0.9 * len(answers)


def test_loops_without_progress_are_recognised(asking: Asking) -> None:
    answers = {title: asking.ask(code) for title, code in programs("never_ends.txt").items()}
    missed = {title: answer for title, answer in answers.items() if not answer.startswith("endless")}
    assert len(missed) <= 0.03 * len(answers), missed  # a busy machine may leave one too little time


def test_the_line_is_that_of_the_loop(asking: Asking) -> None:
    said = asking.ask("ask()\nx = 1\nwhile x < 3:\n    y = x\n")
    assert said == ("endless 3" if sys.version_info >= (3, 14) else "endless 4")


def test_what_is_called_endless_among_made_programs_goes_on(asking: Asking) -> None:
    pytest.importorskip("hypothesis")
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    found = 0

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 1 << 48))
    def holds(seed: int) -> None:
        nonlocal found
        program = made_program(random.Random(seed))
        if asking.ask(program).startswith("endless"):
            found += 1
            assert asking.ask(program, asked=False) == "went on", program

    holds()
    assert found > 4


def test_a_program_that_was_asked_goes_on_as_if_it_had_not_been(asking: Asking) -> None:
    """It deletes, replaces and reads variables after the check, at several depths of the stack."""
    code = """
def inner(n, big):
    total = 0
    i = 0
    while i < n:
        total += i * (i % 3)
        i += 1
        if i == 50:
            big = None
        if i == 60:
            del big
        if i == 70:
            big = [i]
    return total, big

def outer(n):
    kept, missing = [1, 2, 3], None
    del missing
    first = inner(n, [0] * 1000)
    try:
        missing
    except NameError:
        kept.append(first)
    return kept

def cells(n):
    count = 0
    def up():
        nonlocal count
        count += 1
        return count
    while up() < n:
        pass
    return count

ask()
result = outer(200000), cells(100000)
if result != ([1, 2, 3, (sum(i * (i % 3) for i in range(200000)), [70])], 100000):
    while True:
        pass
"""
    assert asking.ask(code) == "ended"


@pytest.mark.parametrize(
    "code",
    [
        "made = {}\nloop = 'def count(n):\\n    i = 0\\n    while i < n: i += 1\\n'\n"
        "exec(compile(loop, 'library.py', 'exec'), made)\nask()\nmade['count'](7000000)\n",
        "squares = [ask() if n == 5 else n * n for n in range(3000000)]\n",
    ],
    ids=["a module's function", "a comprehension of the program"],
)
def test_no_loop_is_followed_for_long(asking: Asking, code: str) -> None:
    """Also where nothing is looked at, because the code is not the program's or its variables are hidden."""
    assert asking.ask(code) == "ended"
