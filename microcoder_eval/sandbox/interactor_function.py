"""Runs an interactor that is a Python function, in a judge's box, which no submission enters.

def interact(input, read_line, write_line):         # `answer` may be a further parameter
    write_line("10")
    return read_line() == "42", "the answer is 42"   # accepted; a message and points may follow

`read_line()` gives the program's next line without its line break, and "" when the program has ended;
`write_line(text)` sends it a line. What `interact` prints is discarded.
"""

from __future__ import annotations

import dis
import json
import os
import sys
from types import CodeType
from typing import Any

from microcoder_eval.sandbox.calling import encode_answer, encode_opinion

LONGEST_LINE = 16 << 20
READS_PAST_END = 10_000
"""After so many reads past the end of the program's output `read_line` raises EOFError: the interactor is in a loop."""
BUFFERED_BYTES = 1 << 16
LONGEST_NUMBER = 100_000  # digits: reading a longer one would let the program waste the interactor's time
UNREADABLE = (ValueError, LookupError, ArithmeticError, AssertionError, EOFError)
"""What an interactor raises when it cannot parse a line that the program sent. Then the answer is wrong."""


class Conversation:
    """The interactor's end of the two pipes to the program."""

    def __init__(self, reads: int, writes: int) -> None:
        self._input = open(reads, "rb", closefd=False)  # noqa: SIM115 - the process ends with it
        self._output = writes
        self._unsent = bytearray()
        self._past_end = 0
        self.lines_read = 0

    def read_line(self) -> str:
        self.flush()
        line = self._input.readline(LONGEST_LINE)
        self.lines_read += 1
        if not line:
            self._past_end += 1
            if self._past_end > READS_PAST_END:
                raise EOFError("the program has ended")
        return line.decode("utf-8", "surrogateescape").rstrip("\r\n")

    def write_line(self, text: object = "") -> None:
        self._unsent += f"{text}\n".encode("utf-8", "surrogateescape")
        if len(self._unsent) >= BUFFERED_BYTES:
            self.flush()

    def flush(self) -> None:
        while self._unsent:
            del self._unsent[: os.write(self._output, self._unsent)]


def interact(main: dict[str, Any], test_json: bytes, reads: int, writes: int) -> bytes:
    """Run the interactor on a test, [input, expected output]; returns [accepted, message, points or None] as JSON."""
    test_input, expected_output = json.loads(test_json)
    judge = main["interact"]
    code = judge.__code__
    sys.set_int_max_str_digits(LONGEST_NUMBER) if hasattr(sys, "set_int_max_str_digits") else None
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    conversation = Conversation(reads, writes)
    try:
        verdict = judge(
            *(test_input, conversation.read_line, conversation.write_line),
            **({"answer": expected_output} if "answer" in names else {}),
        )
    except UNREADABLE as error:
        if not conversation.lines_read:
            raise
        verdict = False, f"the interactor raised {type(error).__name__}: {error}"
    except NameError as error:
        if type(error) is NameError and _is_always_raised(code.co_filename, error):
            return encode_answer(None, f"NameError: {error}")
        raise
    conversation.flush()
    return encode_opinion(verdict)


def _is_always_raised(file_name: str, error: BaseException) -> bool:
    """Whether lines of the interactor alone raised it, none of which a program can choose to reach."""
    trace = error.__traceback__
    assert trace is not None
    trace = trace.tb_next  # the first is of this file
    while trace is not None:
        if trace.tb_frame.f_code.co_filename != file_name or _follows_a_choice(trace.tb_frame.f_code, trace.tb_lasti):
            return False
        trace = trace.tb_next
    return True


def _follows_a_choice(code: CodeType, place: int) -> bool:
    """Whether an instruction stands after one that may skip it, in the handler of an exception, or in a lambda."""
    before = {instruction.opname for instruction in dis.get_instructions(code) if instruction.offset <= place}
    may_skip = any("JUMP" in name and "_IF_" in name for name in before)
    return may_skip or "PUSH_EXC_INFO" in before or code.co_name == "<lambda>"
