"""The audit of system calls in docs/sandbox.md names every call, and agrees with what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import microcoder_eval
from microcoder_eval.sandbox.walls.syscalls import NEWEST, REFUSED, UNSUPPORTED

pytestmark = pytest.mark.fast
DOCUMENT = Path(microcoder_eval.__file__).parents[1] / "docs" / "sandbox.md"
HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"#define __NR_(\w+)\s+(\d+)"),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), r"#define __NR(?:3264)?_(\w+)\s+(\d+)"),
}
IN_THE_FILTER = {"fork", "vfork", "clone3"}


def audited() -> dict[str, str]:
    """The decision on each call."""
    found: dict[str, str] = {}
    for decision, calls in re.findall(r"^\| (refused|limited|allowed) \| (.*?) \| ", DOCUMENT.read_text(), re.M):
        for call in re.findall(r"`(\w+)`", calls):
            assert call not in found, f"{call} is there twice"
            found[call] = decision
    return found


def kernel_calls(machine: str) -> dict[str, int]:
    header, pattern = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"{header} is not here")
    return {name: int(number) for name, number in re.findall(pattern, header.read_text())}


def test_every_call_of_the_kernel_is_audited() -> None:
    known = {name for name, number in kernel_calls("x86_64").items() if number <= NEWEST}
    assert not known - audited().keys()


def test_refused_in_the_document_is_refused_by_the_filter() -> None:
    refused = {name for name, decision in audited().items() if decision == "refused"}
    assert refused == {*REFUSED, *UNSUPPORTED} | IN_THE_FILTER


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    column, kernel = list(HEADERS).index(machine), kernel_calls(machine)
    for name, numbers in {**REFUSED, **UNSUPPORTED}.items():
        if name in kernel:  # the header may be older than the call
            assert numbers[column] == kernel[name], name
