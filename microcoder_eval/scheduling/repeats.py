"""Grades identical programs once: remembers those that are running, and the last ones graded, in bounded memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future

from microcoder_eval.scheduling.job import ProgramGrade
from microcoder_eval.verdict import Verdict

KEPT_TESTS = 100_000
"""How many results of single tests are kept in grades: some 30 MB."""


class Repeats:
    """The grades of programs, by a digest of everything that decides them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[bytes, Future[ProgramGrade]] = {}
        self._finished: OrderedDict[bytes, ProgramGrade] = OrderedDict()
        self._tests = 0

    def find(self, program: bytes) -> Future[ProgramGrade] | None:
        """The grade of a program that was graded or is being graded; None for a new one."""
        with self._lock:
            grade = self._finished.get(program)
            if grade is None:
                return self._running.get(program)
            self._finished.move_to_end(program)
        known: Future[ProgramGrade] = Future()
        known.set_result(grade)
        return known

    def follow(self, program: bytes, future: Future[ProgramGrade]) -> None:
        """Share the grade of a program that is being graded, until `finish`."""
        with self._lock:
            self._running[program] = future

    def forget(self, future: Future[ProgramGrade]) -> None:
        """Forget a grade that was withdrawn and will not come: an identical program is graded anew."""
        with self._lock:
            for program in [name for name, running in self._running.items() if running is future]:
                del self._running[program]

    def finish(self, program: bytes, future: Future[ProgramGrade], grade: ProgramGrade | None) -> None:
        """Keep the grade of a program that `follow` was called for; None when its grading raised."""
        with self._lock:
            if self._running.get(program) is future:
                del self._running[program]
            if grade is None or grade.verdict is Verdict.JUDGE_ERROR:
                return  # no verdict on the program: try again next time
            self._finished[program] = grade
            self._tests += _size(grade)
            while self._tests > KEPT_TESTS:
                self._tests -= _size(self._finished.popitem(last=False)[1])


def _size(grade: ProgramGrade) -> int:
    return 1 + len(grade.tests)
