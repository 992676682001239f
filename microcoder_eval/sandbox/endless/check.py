"""Follows the program that was asked for some milliseconds, and ends it when it is certain that it cannot end.

The supervisor asks a Python program of one thread that computes (`supervisor/watch.py`). A trace function notes every
instruction of the program, and describes the variables at the heads of its `while` loops. When a loop finds the same
state twice, the process exits with `EXIT_ENDLESS` and says in the result file which line that is. Otherwise the trace
functions are removed, and the program goes on.

Nothing here may raise into the program.
"""

from __future__ import annotations

import os
import sys
import time

from microcoder_eval.boundary.box_protocol import ENDLESS, EXIT_ENDLESS, RESULT
from microcoder_eval.sandbox.endless.bytecode import GENERATOR_EXPRESSION, Code, is_doubtful
from microcoder_eval.sandbox.endless.interference import may_follow, nothing_interferes
from microcoder_eval.sandbox.endless.state import UNSET, Description, NotClosed, describe
from microcoder_eval.sandbox.harness import SCRIPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

    Facts = tuple[frozenset[tuple[str, str]], set[str]]
    """The variables that instructions read before they write them, and the marks of what else they do."""

SHARE = 0.02
"""How much of the CPU time used before a check may use."""
LONGEST_S = 0.02
MOST_EVENTS = 60_000
EVENTS_BETWEEN_LOOKS = (1 << 8) - 1
"""How many events lie between two looks at the clock."""
MOST_FRAMES = 50
MOST_NESTED = 100
MOST_CODE_BYTES = 4_000
"""Of the bytecode that is looked at before a check begins, about 10 ms of CPU time: a long table is much code."""
CODE_SIZE = 1 << 20
UNKNOWN = -1
"""Stands among the noted instructions for something that the check does not understand."""
OPTIMIZED = 0x1
"""The flag of a code object whose variables are in its frames, not in a mapping."""
SUSPENDS = 0x20 | 0x80 | 0x100 | 0x200
"""The flags of code objects of generators and coroutines."""
_exit, _write, _thread_time, _process_time = os._exit, os.write, time.thread_time, time.process_time
_settrace = sys.settrace


class _Head:
    """A loop's head in one frame."""

    __slots__ = ("done", "executed", "facts", "names", "saved", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.saved: Description | None = None
        self.names: frozenset[tuple[str, str]] = frozenset()
        """The variables that `saved` describes."""
        self.executed: dict[int, None] = {}
        """What was executed since then, in the order of the first times."""
        self.done = 0
        self.facts: dict[tuple[int, ...], Facts | None] = {}


class Check:
    """Follows the program from one signal on."""

    def __init__(self) -> None:
        self._depth = 0
        self._trace: list[int] = []
        self._codes: list[tuple[Code, FrameType | None]] = []
        """What the numbers of noted instructions mean: the code object number times `CODE_SIZE`, plus the offset. A
        frame that was on the stack when the signal came has a number of its own."""
        self._known: dict[CodeType, Code] = {}
        self._tracers: dict[CodeType, Callable[..., Any]] = {}
        self._frames: list[FrameType] = []
        self._names: dict[str, Any] = {}
        self._builtins: dict[str, Any] = {}

    def begin(self, frame: FrameType | None) -> None:
        """Follow the frames of the program at the top of the stack."""
        stack = frame
        while stack is not None and stack.f_code.co_filename == SCRIPT and len(self._frames) <= MOST_FRAMES:
            self._frames.append(stack)
            stack = stack.f_back
        if not self._frames or len(self._frames) > MOST_FRAMES or not may_follow():
            return
        self._names, self._builtins = self._frames[0].f_globals, self._frames[0].f_builtins
        self._frames = _of_little_code(self._frames)
        if not self._frames:
            return
        tracers = [self._tracer(one.f_code, one) for one in self._frames]
        self._until = _thread_time() + min(LONGEST_S, SHARE * _process_time())
        for one, tracer in zip(self._frames, tracers, strict=True):
            one.f_trace = tracer
            one.f_trace_lines = False
            one.f_trace_opcodes = True
        _settrace(self._called)

    def _end(self, current: FrameType) -> None:
        """Stop following. `current`: the frame whose instruction is being noted."""
        _settrace(None)
        frame: FrameType | None = current
        while frame is not None:
            if frame.f_trace is not None or frame is current:
                frame.f_trace = None
                frame.f_trace_opcodes = False
                frame.f_trace_lines = True
                if frame is not current:
                    forget_variables(frame)
            frame = frame.f_back
        self._frames, self._trace, self._codes, self._tracers = [], [], [], {}

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        """The trace function of the thread: a new frame."""
        try:
            code = frame.f_code
            if len(code.co_code) > MOST_CODE_BYTES or has_hidden_variables(code):
                self._trace.append(UNKNOWN)
                return None
            tracer = self._tracers.get(code)
            if tracer is None:
                tracer = self._tracers[code] = self._tracer(code, None)
            if frame.f_globals is not self._names:
                self._trace.append(UNKNOWN)
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
            self._depth += 1
            if self._depth > MOST_NESTED or len(self._trace) > MOST_EVENTS or _thread_time() > self._until:
                self._end(frame)
                return None
            return tracer
        except BaseException:
            self._end(frame)
            return None

    def _tracer(self, code: CodeType, frame: FrameType | None) -> Callable[..., Any]:
        """The trace function of one code object's new frames, or of one frame that was on the stack."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = Code(code)
        base = len(self._codes) * CODE_SIZE
        self._codes.append((known, frame))
        is_plain = (
            code.co_filename == SCRIPT
            and (not code.co_flags & SUSPENDS or code.co_name == GENERATOR_EXPRESSION)
            and (frame is None or _is_usual(frame, self._names))
        )
        trace, note = self._trace, self._trace.append
        heads = {offset: _Head() for offset in known.heads} if frame is not None and is_plain else {}
        end, visit = self._end, self._visit
        is_generator, is_closed = code.co_name == GENERATOR_EXPRESSION, False

        def traced(now: FrameType, event: str, raised: Any) -> Any:
            nonlocal is_closed
            try:
                if event == "opcode":
                    offset = now.f_lasti
                    if offset in heads:
                        visit(now, heads[offset])
                    note(base + offset if is_plain else UNKNOWN)
                    count = len(trace)
                    if count > MOST_EVENTS or (not count & EVENTS_BETWEEN_LOOKS and _thread_time() > self._until):
                        end(now)
                        return None
                    return traced
                if event == "exception" and is_generator and raised[0] is GeneratorExit:
                    is_closed = True
                elif event != "return":
                    note(UNKNOWN)
                else:
                    self._depth -= 1
                    last = trace[-1] - base if trace else -1
                    if not is_closed and last != now.f_lasti and not known.yields(last):
                        note(UNKNOWN)  # something was executed and not seen
                    is_closed = False
                return traced
            except BaseException:
                end(now)
                return None

        return traced

    def _visit(self, frame: FrameType, head: _Head) -> None:
        """Compare the state at a loop's head with the saved one, or save it, as in Brent's search for a cycle."""
        if _thread_time() > self._until:
            raise NotClosed
        trace, executed = self._trace, head.executed
        executed.update(dict.fromkeys(trace[head.done :]))
        head.done = len(trace)
        head.visits += 1
        in_order = tuple(executed)
        if in_order not in head.facts:
            head.facts[in_order] = None if UNKNOWN in executed else self._facts(frame, executed)
        facts = head.facts[in_order]
        is_time_to_save = not head.visits & (head.visits - 1)
        if facts is None:
            if is_time_to_save:
                head.saved, head.executed, head.names = None, {}, frozenset()
            return
        names, marks = facts
        if head.saved is not None and names <= head.names:
            now = self._describe(frame, head.names, marks)
            if now is None:
                return
            same = now.parts == head.saved.parts and not is_doubtful(marks, now.kinds)
            if same and self._calls_only(executed, now):
                self._decide(frame)
            if not is_time_to_save:
                return
            head.saved = now if names == head.names else self._describe(frame, names, marks)
            head.names = names
        else:
            head.names |= names
            head.saved = self._describe(frame, head.names, marks)
        head.executed = {}

    def _facts(self, frame: FrameType, executed: dict[int, None]) -> Facts | None:
        """The facts of what was executed; None if not all of it is allowed."""
        reads: set[tuple[str, str]] = set()
        written: set[tuple[str, str]] = set()
        marks: set[str] = set()
        for number in executed:
            index, offset = divmod(number, CODE_SIZE)
            code, own = self._codes[index]
            found = code.instructions.get(offset)
            if found is None or not found.allowed:
                return None
            if found.follows and not any(index * CODE_SIZE + after in executed for after in found.follows):
                return None  # an instruction was executed and not seen
            marks.update(found.marks)
            if own is frame:
                reads.update(one for one in found.reads if one not in written)
                written.update(one for one in found.writes if one not in reads)
                creator = code.creators.get(offset)
                if creator is not None and not _is_before(executed, index * CODE_SIZE + creator, number):
                    return None
            else:
                reads.update(one for one in (*found.reads, *found.writes) if one[0] == "global")
        return frozenset(reads), marks

    def _describe(self, frame: FrameType, names: frozenset[tuple[str, str]], marks: set[str]) -> Description | None:
        own = frame.f_locals
        values = []
        for kind, name in sorted(names):
            if kind == "local":
                values.append(own.get(name, UNSET))
            else:
                values.append(self._names[name] if name in self._names else self._builtins.get(name, UNSET))
        try:
            return describe(values, self._names, {mark[1:] for mark in marks if mark[0] == "."})
        except NotClosed:
            return None

    def _calls_only(self, executed: dict[int, None], described: Description) -> bool:
        """Whether each function that was called belongs to the described state, or was made by code that was executed.

        Any other was called by the interpreter, such as a codec's error handler, and may keep a state of its own.
        """
        known = {id(code) for code in described.codes}
        called = set()
        for number in executed:
            index, offset = divmod(number, CODE_SIZE)
            code, own = self._codes[index]
            known.add(id(code.instructions[offset].made_of))
            if own is None:
                called.add(id(code.code))
        return called <= known

    def _decide(self, frame: FrameType) -> None:
        """End the process, unless something else could still end the loop."""
        if nothing_interferes():
            _write(RESULT, f"{ENDLESS}\n{frame.f_lineno}\n".encode())
            _exit(EXIT_ENDLESS)


def _of_little_code(frames: list[FrameType]) -> list[FrameType]:
    """The frames at the top of the stack whose code is short enough together. No loop of the others is followed."""
    chosen: list[FrameType] = []
    codes: list[CodeType] = []
    size = 0
    for frame in frames:
        code = frame.f_code
        if not any(code is known for known in codes):
            codes.append(code)
            size += len(code.co_code)
        if size > MOST_CODE_BYTES or has_hidden_variables(code):
            break
        chosen.append(frame)
    return chosen


def has_hidden_variables(code: CodeType) -> bool:
    """Whether a module or class has variables of comprehensions: Python 3.12 may lose them when it is followed."""
    return not code.co_flags & OPTIMIZED and code.co_nlocals > 0 and sys.version_info < (3, 13)


def forget_variables(frame: FrameType) -> None:
    """Take a frame's variables out of the mapping behind its `f_locals`, but not names that `exec` has made there.

    Before Python 3.13 each call of a trace function puts them there, and so keeps their values alive. Not to be called
    inside a trace function of the frame: then the variables would be deleted too.
    """
    if not frame.f_code.co_flags & OPTIMIZED or sys.version_info >= (3, 13):
        return
    variables, code = frame.f_locals, frame.f_code
    for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
        variables.pop(name, None)


def _is_usual(frame: FrameType, names: dict[str, Any]) -> bool:
    """Whether it has variables of its own or only the program's: neither a class body nor other code for `exec`."""
    return frame.f_globals is names and (bool(frame.f_code.co_flags & OPTIMIZED) or frame.f_locals is names)


def _is_before(executed: dict[int, None], first: int, second: int) -> bool:
    for number in executed:
        if number == first:
            return True
        if number == second:
            return False
    return False
