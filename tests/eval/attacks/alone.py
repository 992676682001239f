"""Grades attacks one after the other in a separate process, to see which of them ends a trusted process.

    for result in grade_alone(attacks, way, processes=2): ...

A grader that no longer answers is dropped, and the next attack gets a new one. So no attack can disturb another one or
stop the tests. Only the public interface is used.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from microcoder_eval import Grade, Grader, Problem, Submission
from tests.eval.attacks.grading import Attack, own_children, warm_up

ROOT = Path(__file__).parents[3]
ANSWER_S, POLL_S = 240.0, 0.25
"""The longest wait for an answer: a compiler's 15 s of CPU time take that long on a machine at load 30."""
PROCESS_S = 1800.0
HONEST = Problem.from_dict({"id": "honest", "tests": [{"input": "", "output": "honest"}]})


@dataclass(frozen=True)
class Alone:
    """The result of one attack."""

    name: str
    verdict: str
    """Empty when there was no answer."""
    detail: str
    """In ASCII; other characters are escaped."""
    replaced: int
    """How many trusted processes are no longer there."""
    honest_after: str
    """The verdict of an honest program in the same grader, or why there is none."""


def grade_alone(attacks: Sequence[Attack], way: Mapping[str, Any], processes: int = 2) -> dict[str, Alone]:
    """The result of each attack, by name."""
    shares = [attacks[number::processes] for number in range(processes)]
    with ThreadPoolExecutor(processes) as threads:
        found = [one for share in threads.map(lambda share: _in_a_process(share, way), shares) for one in share]
    return {one.name: one for one in found}


def _in_a_process(attacks: Sequence[Attack], way: Mapping[str, Any]) -> list[Alone]:
    given = [(a.name, a.problem.to_dict(), a.language, a.code) for a in attacks]
    done = subprocess.run(
        [sys.executable, "-m", "tests.eval.attacks.alone"],
        input=json.dumps([way, given]),
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        timeout=PROCESS_S,
    )
    return [Alone(**json.loads(line)) for line in done.stdout.splitlines()]


class Watched:
    """A grader with one worker, and what is known of its health."""

    def __init__(self, way: Mapping[str, Any]) -> None:
        self._thread_failed = ""
        threading.excepthook = self._note
        self._grader = Grader(workers=1, **way)
        warm_up(self._grader, 1)
        self.healthy = True

    def _note(self, failure: threading.ExceptHookArgs) -> None:
        self._thread_failed = f"the grader's thread raised {failure.exc_type.__name__}: {failure.exc_value}"

    def grade(self, name: str, problem: Problem, language: str, code: str) -> Alone:
        trusted = own_children()
        verdict, detail = self._answer(problem, Submission(name, problem.id, code=code, language=language))
        honest = Submission(name, HONEST.id, code=f"print('honest')  # after {name.encode()!r}")
        after, why = self._answer(HONEST, honest)
        self.healthy = bool(verdict) and after == "ACCEPTED"
        return Alone(name, verdict, detail, len(trusted - own_children()), after or why)

    def _answer(self, problem: Problem, submission: Submission) -> tuple[str, str]:
        try:
            future = self._grader.submit(problem, submission)
            grade = self._wait(future)
        except Exception as error:  # it is the attack's result
            return "", f"{type(error).__name__}: {error}"
        if grade is None:
            return "", self._thread_failed or f"no answer in {ANSWER_S:g} s"
        details = [grade.detail, *(test.detail for test in grade.tests)]
        if not all(isinstance(detail, str) for detail in details):
            return "MALFORMED", f"a detail that is no text: {details!r:.200}"
        try:
            json.dumps(grade.to_dict(), allow_nan=False).encode()
        except ValueError as error:
            return "MALFORMED", f"a grade that cannot be written: {error}"
        return grade.verdict.value, " | ".join(details)

    def _wait(self, future: Future[Grade]) -> Grade | None:
        waited = 0.0
        while waited < ANSWER_S:
            try:
                return future.result(timeout=POLL_S)
            except TookTooLong:
                waited += POLL_S
                if self._thread_failed and waited >= 4 * POLL_S:
                    return None
        return None

    def close(self) -> None:
        """Close the grader in a thread: one whose own thread has died may never close."""
        threading.Thread(target=self._grader.close, daemon=True).start()


def main() -> None:
    way, attacks = json.load(sys.stdin)
    watched = Watched(way)
    for name, record, language, code in attacks:
        result = watched.grade(name, Problem.from_dict(record), language, code)
        shown = replace(result, detail=ascii(result.detail)[1:-1], honest_after=ascii(result.honest_after)[1:-1])
        print(json.dumps(asdict(shown)), flush=True)
        if not watched.healthy:
            watched.close()
            watched = Watched(way)
    threading.Timer(10.0, os._exit, (0,)).start()
    watched.close()
    os._exit(0)


if __name__ == "__main__":
    main()
