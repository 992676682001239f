"""Find the lines of a Python program that its tests execute. Only mutants of these lines show how strong tests are.

    lines = reached_lines(runner, code, limit_s=10.0)

The grader runs the program in its sandbox as any other, with a tracer around it that reports the lines instead of the
answer. For a function only the lines that run during the call count, so the platform's prelude (imports, node classes)
is left out. A problem of kind `asserts` has no answer that lines could replace, so its lines are not known.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

from microcoder_data.verify.program_runner import Program, ProgramRunner
from microcoder_eval import Output

MARK = "@lines-reached "
"""Stands before the reported lines."""
SLOWER = 10
"""How many times longer a program may take while it is traced."""

_TRACER = """
def _microcoder_tracer(name):
    seen, left = set(), {}

    def lines_of(code):
        head = set() if code.co_name in ("<module>", "<lambda>") else {code.co_firstlineno}
        return {line for _, _, line in code.co_lines() if line} - head

    def local(frame, event, argument):
        if event == "line":
            seen.add(frame.f_lineno)
            missing = left[frame.f_code]
            missing.discard(frame.f_lineno)
            if not missing:
                frame.f_trace_lines = False
        return local

    def start(frame, event, argument):
        code = frame.f_code
        if code.co_filename != name:
            return None
        if code not in left:
            left[code] = lines_of(code)
        return local if left[code] else None

    return seen, start
"""

_AROUND_A_PROGRAM = """
import sys, threading
seen, start = _microcoder_tracer("<traced>")
code = compile({source}, "<traced>", "exec", dont_inherit=True)
threading.settrace(start)
sys.settrace(start)
try:
    exec(code, {{"__name__": "__main__", "__builtins__": __builtins__}})
except {ends}:
    pass
finally:
    sys.settrace(None)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    sys.stdout.flush()
    sys.__stdout__.write("\\n{mark}" + " ".join(map(str, sorted(seen))) + "\\n")
    sys.__stdout__.flush()
"""

_AROUND_A_FUNCTION = """
def _microcoder_trace(entry_point, last_line):
    import sys
    owner, _, name = entry_point.replace("()", "").rpartition(".")
    if not owner and name not in globals() and "Solution" in globals():
        owner = "Solution"
    found = vars(globals()[owner])[name] if owner in globals() else globals()[name]
    function = getattr(found, "__func__", found)
    seen, start = _microcoder_tracer(_microcoder_trace.__code__.co_filename)

    def run(*arguments):
        sys.settrace(start)
        try:
            function(*arguments)
        except {ends}:
            pass
        finally:
            sys.settrace(None)
        return [{mark!r}] + [line for line in sorted(seen) if line <= last_line]

    code = function.__code__
    names = ", ".join(code.co_varnames[: code.co_argcount])
    made = {{"run": run}}
    exec("def call(" + names + "): return run(" + names + ")", made)
    call = made["call"]
    call.__defaults__, call.__annotations__ = function.__defaults__, function.__annotations__
    wrapped = type(found)(call) if found is not function else call
    if owner in globals():
        setattr(globals()[owner], name, wrapped)
    else:
        globals()[name] = wrapped


_microcoder_trace({entry_point!r}, {last_line})
"""


def reached_lines(runner: ProgramRunner, code: str, limit_s: float) -> set[int] | None:
    """The numbers of the lines that some test executes; None where no test could be traced."""
    problem = runner.problem
    if problem.kind not in ("stdin", "call"):
        return None
    program = Program("python", traced(code, problem.entry_point if problem.kind == "call" else None), "traced")
    found: set[int] = set()
    for output in runner.outputs(program, problem.tests, limit_s * SLOWER):
        found |= lines_of_output(output)
    return found or None


def lines_of_output(output: Output) -> set[int]:
    """The lines that a traced program reports on one input; none where it did not end well."""
    return _reported(output.value) if output.ended_well else set()


def traced(code: str, entry_point: str | None, *, errors: bool = False) -> str:
    """The program with a tracer around it: its last line of output, or what its function returns, are the lines.

    errors: lines are reported up to an error too; otherwise an error ends the program as it does without a tracer.

    >>> compile(traced("print(1)", None), "traced", "exec") is not None
    True
    """
    if entry_point is None:
        ends = "BaseException" if errors else "SystemExit"
        return _TRACER + _AROUND_A_PROGRAM.format(source=ascii(code), mark=MARK, ends=ends)
    last_line = code.count("\n") + 1
    ends = "BaseException" if errors else "()"
    around = _AROUND_A_FUNCTION.format(mark=MARK, entry_point=entry_point, last_line=last_line, ends=ends)
    return f"{code}\n{_TRACER}{around}"


def _reported(value: Any) -> set[int]:
    if isinstance(value, str):
        last = value.rstrip().rpartition("\n")[2]
        return {int(word) for word in last.removeprefix(MARK).split() if word.isdecimal()} if MARK in last else set()
    if isinstance(value, (list, tuple)) and value and value[0] == MARK:
        return {line for line in value[1:] if type(line) is int}
    return set()


def lines_of_reached_statements(code: str, reached: Collection[int]) -> set[int]:
    """All lines of the top-level statements of which a test executes some line: without a platform's prelude.

    >>> sorted(lines_of_reached_statements("x = 1\\ndef f(n):\\n    if n:\\n        return 1\\n    return 2", {3, 5}))
    [2, 3, 4, 5]
    """
    spans = [range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in ast.parse(code).body]
    return {line for span in spans if any(line in reached for line in span) for line in span}
