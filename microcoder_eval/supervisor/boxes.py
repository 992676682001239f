"""The sandboxes of one supervisor, started when first needed and replaced when lost.

    boxes = Boxes(layers, directory)
    box = boxes.for_program("stdin", code)
    ProgramLoader(start_over).load(box, "stdin", code)      # raises NotCompiled, or BoxLost

Every module that a warm interpreter has loaded makes each of its forks slower. So there are several interpreters. A
program gets the smallest one that has loaded all that it imports, or else the largest. A larger one that runs already
serves as well until it has been forked so often that starting the smaller one costs less.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from microcoder_eval.boundary.box_protocol import CALLING, INTERACTOR, PROGRAM_SIDE, TESTS_RUNNER
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.failure import read_raised
from microcoder_eval.supervisor.run import BoxLost
from microcoder_eval.verdict import Raised

IMPORTED = re.compile(r"\bfrom\s+(\w+)(?:\.\w+)*\s+import\b|\bimport\s+([^\n;#]+)|\b(__import__|importlib)\b")
BUILT_IN = {"sys", "os", "io", "time", "itertools", "builtins"}
"""Modules that every interpreter has loaded anyway."""
COMMON = ("math", "heapq", "bisect", "operator", "collections", "functools", "dis")
"""`dis` is for the answer whether a program can end (`sandbox/endless/`); the others are what programs import."""
USUAL = (*COMMON, "re", "typing", "string", "copy", "__future__")
PRELOADED = {"plain": (), "common": COMMON, "usual": USUAL}
"""The modules that the interpreter of a box for scripts has loaded, smallest set first."""
FORKS_FOR_A_START = 100
"""How many forks of a larger interpreter come before the start of a smaller one, which takes about 30 ms."""
SLOW_IMPORTS = re.compile(r"^\s*(?:import|from)\s+(?:numpy|scipy|pandas|sympy|networkx)\b", re.MULTILINE)
AnyBox = TypeVar("AnyBox", bound=Box)


class NotCompiled(Exception):
    """The program does not compile; `raised` is Python's SyntaxError, where known."""

    def __init__(self, why: str, raised: Raised | None = None) -> None:
        super().__init__(why)
        self.raised = raised


class BoxPair(NamedTuple):
    """Two boxes whose processes can exchange messages with each other, and with nothing else."""

    program: Box
    tests: Box


class Boxes:
    """The sandboxes of one supervisor, by purpose."""

    def __init__(self, layers: list[str], directory: str, programs: str | None = None) -> None:
        """`programs`: the directory where compiled programs are kept; None keeps none."""
        self.programs = programs
        self._layers = layers
        self._directory = directory
        self._open: dict[str, Box] = {}
        self._forks: Counter[str] = Counter()  # by box that was not open: how often a larger one was forked instead
        self._lent: tuple[str, Box, int] | None = None  # for which box, which one instead, and its forks before

    def first(self) -> Box:
        """The box that most programs can use: a supervisor starts with it."""
        return self._get("common", COMMON)

    def for_program(self, kind: str, code: str) -> Box:
        """The box for a submission, chosen by the modules that it imports."""
        if SLOW_IMPORTS.search(code):
            return self._get("scientific", [*USUAL, CALLING, "numpy"])
        if kind != "stdin":
            return self._get("calling", [*USUAL, CALLING])
        imported = _imported(code) - BUILT_IN
        fitting = [name for name, modules in PRELOADED.items() if imported <= {*modules}] or ["usual"]
        if (larger := self._larger(fitting)) is not None:
            return larger
        name = fitting[0]
        return self._get(name, PRELOADED[name])

    def _larger(self, fitting: Sequence[str]) -> Box | None:
        """A larger box to use instead of the first of these; None when that one is open or worth its start."""
        if self._lent is not None:
            name, box, before = self._lent
            self._forks[name] += box.forks - before
            self._lent = None
        wanted = fitting[0]
        if wanted in self._open or self._forks[wanted] >= FORKS_FOR_A_START:
            return None
        larger = next((self._open[name] for name in fitting if name in self._open), None)
        self._lent = None if larger is None else (wanted, larger, larger.forks)
        return larger

    def for_judges(self) -> Box:
        """The box for checkers and interactors, which see expected outputs: no submission is ever loaded into it."""
        return self._get("judges", [*USUAL, CALLING, INTERACTOR])

    def pair(self, scientific: bool) -> BoxPair:
        """The two boxes for a program and the tests that call it. Replace both or none: they share a socket."""
        suffix, preload = (" with numpy", [*USUAL, "numpy"]) if scientific else ("", [*USUAL])
        program = self._get(f"program under test{suffix}", [PROGRAM_SIDE, *preload])
        tests = self.get_or_make(
            f"tests{suffix}",
            lambda layers, directory: Box(layers, directory, [TESTS_RUNNER, *preload], peer=program),
        )
        return BoxPair(program, tests)

    def get_or_make(self, name: str, make: Callable[[list[str], str], AnyBox]) -> AnyBox:
        """The box of that name; `make(layers, directory)` makes it when it is first needed."""
        if name not in self._open:
            self._open[name] = make(self._layers, self._directory)
        return self._open[name]  # type: ignore[return-value]  # a name always means the same kind of box

    def zygotes(self) -> list[int]:
        """The process ids of the warm interpreters that may be pinned to a CPU."""
        return [box.zygote for box in self._open.values() if box.may_be_pinned]

    def replace(self, *lost: Box) -> None:
        """Close boxes. The next call for one of them makes a new one."""
        for name in [name for name, box in self._open.items() if box in lost]:
            self._open.pop(name).close()

    def close(self) -> None:
        for name in list(self._open):
            self._open.pop(name).close()

    def _get(self, name: str, preload: Sequence[str]) -> Box:
        return self.get_or_make(name, lambda layers, directory: Box(layers, directory, preload))


class ProgramLoader:
    """Loads one program into boxes, and finds out whether a crash is the program's fault or the sandbox's."""

    def __init__(self, start_over: Callable[[], None]) -> None:
        self._start_over = start_over
        self._crashes = 0

    def load(self, box: Box, kind: str, code: str, **request: object) -> None:
        """Load a program. Raises `NotCompiled` when it is the program's fault, `BoxLost` otherwise."""
        try:
            error = box.load(kind, code, **request)
        except BoxLost as lost:
            self._crashes += lost.crashed and not lost.from_outside
            if self._crashes < 2:
                raise
            self._start_over()  # the second crash, in a new sandbox: the program is the cause
            raise NotCompiled(f"the compiler did not survive the program: {lost}") from None
        if error:
            found = box.load_error
            raise NotCompiled(error, read_raised(found.line, found.exception, code) if found.exception else None)


def _imported(code: str) -> set[str]:
    """The modules that a program may import; a match inside a string or a comment counts too.

    >>> sorted(_imported("import sys, math as m\\nfrom os.path import join"))
    ['math', 'os', 'sys']
    """
    names = (name for found in IMPORTED.findall(code) for listed in found for name in listed.split(","))
    return {re.split(r"[.\s]", name.strip())[0] for name in names} - {""}
