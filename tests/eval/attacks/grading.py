"""Grades a batch of attacks in one grader, at the same time, and keeps the result of each.

    batch = grade_all(attacks, WAYS["spaces-test"])
    batch.grade("name of the attack").verdict
    batch.replaced       # trusted processes that are no longer there
    batch.left           # processes that outlived the grader

After each attack that names an honest program, that program is graded in the same grader.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import microcoder_eval
from microcoder_eval import Grade, Grader, Problem, Submission, Verdict
from microcoder_eval.boundary.layers import LAYERS
from tests.eval.family import Family, descendants, parent_of, wait_until_gone

ANSWER_S = 240.0
"""No grading of an attack may take longer than this, with its wait in the queue."""
SPACES = ("user", "pid", "mount", "net", "ipc")
WITHOUT_SPACES = tuple(layer for layer in LAYERS if layer not in SPACES)
WAYS: dict[str, dict[str, Any]] = {
    "spaces-test": {},
    "spaces-submission": {"isolation": "submission"},
    "bare-test": {"layers": WITHOUT_SPACES},
    "bare-submission": {"layers": WITHOUT_SPACES, "isolation": "submission"},
}
"""The options of the grader: with and without namespaces; a process for every test, or for every submission."""
EACH_OPTION = [
    "spaces-test",
    "bare-submission",
    *(pytest.param(way, marks=pytest.mark.slow) for way in ("spaces-submission", "bare-test")),
]
"""For the parameters of a fixture. The first two have both values of each option; the others combine them anew."""
REFUSED = "refused"
"""Stands for any verdict but ACCEPTED and JUDGE_ERROR: a program must not be able to avoid its verdict."""
WARM_UP = Problem.from_dict({"id": "warm up", "tests": [{"input": "", "output": "warm"}]})


@dataclass(frozen=True)
class Attack:
    """A program, the problem that it is submitted to, and the verdicts that it may get."""

    name: str
    problem: Problem
    code: str
    wants: tuple[str, ...] = (REFUSED,)
    """Verdicts, or `REFUSED`."""
    language: str = "python"
    honest: str = ""
    """A right program, graded afterwards."""

    def fits(self, verdict: Verdict) -> bool:
        if self.wants == (REFUSED,):
            return verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR)
        return verdict.value in self.wants


@dataclass
class Batch:
    """The results of the attacks: a grade or an exception for each."""

    results: dict[str, Grade | BaseException] = field(default_factory=dict)
    after: dict[str, Grade | BaseException] = field(default_factory=dict)
    replaced: set[tuple[int, str]] = field(default_factory=set)
    left: set[tuple[int, str]] = field(default_factory=set)

    def grade(self, name: str) -> Grade:
        result = self.results[name]
        if isinstance(result, BaseException):
            raise result
        return result

    def check(self, attack: Attack) -> None:
        """Assert that an attack got one of its verdicts, and that the honest program after it was accepted."""
        grade = self.grade(attack.name)
        assert attack.fits(grade.verdict), f"{grade.verdict}: {[grade.detail, *(t.detail for t in grade.tests)]!a}"
        after = self.after.get(attack.name)
        if after is not None:
            assert isinstance(after, Grade), after
            assert after.accepted, f"the honest program after it: {after.verdict} {after.detail!a}"


def grade_all(attacks: Iterable[Attack], way: Mapping[str, Any], workers: int = 2) -> Batch:
    """Grade all attacks in one grader; never waits longer than `ANSWER_S` for one."""
    batch = Batch()
    with Family() as family, Grader(workers=workers, **way) as grader:
        warm_up(grader, workers)
        trusted = own_children()
        futures = []
        for attack in attacks:
            futures.append((batch.results, attack.name, submit(grader, attack, attack.code)))
            if attack.honest:
                futures.append((batch.after, attack.name, submit(grader, attack, attack.honest, python=True)))
        for results, name, future in futures:
            results[name] = outcome(future)
        batch.replaced = trusted - own_children()
    batch.left = wait_until_gone(family.seen, ANSWER_S)
    return batch


def submit(grader: Grader, attack: Attack, code: str, python: bool = False) -> Future[Grade] | BaseException:
    mark = f"\n# after {attack.name}\n" if python else ""
    language = "python" if python else attack.language
    submission = Submission(attack.name, attack.problem.id, code=code + mark, language=language)
    try:
        return grader.submit(attack.problem, submission)
    except Exception as error:  # it is the attack's result
        return error


def outcome(future: Future[Grade] | BaseException) -> Grade | BaseException:
    if isinstance(future, BaseException):
        return future
    try:
        return future.result(timeout=ANSWER_S)
    except Exception as error:  # it is the attack's result
        return error


def warm_up(grader: Grader, workers: int) -> None:
    """Wait until every worker has started."""
    programs = [f"print('warm')  # {number}" for number in range(4 * workers)]
    futures = [grader.submit(WARM_UP, Submission(code, WARM_UP.id, code)) for code in programs]
    assert all(future.result(timeout=ANSWER_S).accepted for future in futures)


def own_children() -> set[tuple[int, str]]:
    """The processes that this one has started and that still run: with a grader open, its trusted processes."""
    return {process for process in descendants(os.getpid()) if parent_of(process[0]) == os.getpid()}


AS_NOBODY = """
import json, sys
from microcoder_eval import Grader, Problem, Submission
given = json.load(sys.stdin)
answers = {}
with Grader(workers=2, programs=given["programs"], **given["way"]) as grader:
    futures = {}
    for name, problem, language, code in given["attacks"]:
        submission = Submission(name, problem["id"], code=code, language=language)
        futures[name] = grader.submit(Problem.from_dict(problem), submission)
    for name, future in futures.items():
        grade = future.result(timeout=given["answer_s"])
        answers[name] = [grade.verdict.value, grade.detail, [test.detail for test in grade.tests]]
json.dump(answers, sys.stdout)
"""
PYTHON_FOR_ALL = "/usr/bin/python3"


def why_not_as_nobody() -> str:
    """Why this machine cannot grade as an ordinary user; empty when it can."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return "needs root and setpriv to become another user"
    return "" if os.path.exists(PYTHON_FOR_ALL) else f"needs {PYTHON_FOR_ALL}, which every user can read"


def grade_as_nobody(attacks: Iterable[Attack], way: Mapping[str, Any], place: Path) -> dict[str, list[Any]]:
    """Grade the attacks as an ordinary user: [verdict, detail, details of the tests] by name.

    place: a directory below one that every user may enter; the package is copied there.
    """
    shutil.copytree(Path(microcoder_eval.__file__).parent, place / "microcoder_eval", dirs_exist_ok=True)
    (place / "programs").mkdir(exist_ok=True)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o755)
    os.chown(place / "programs", 65534, 65534)
    given = {
        "way": {name: list(value) if isinstance(value, tuple) else value for name, value in way.items()},
        "programs": str(place / "programs"),
        "answer_s": ANSWER_S,
        "attacks": [(a.name, a.problem.to_dict(), a.language, a.code) for a in attacks],
    }
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", PYTHON_FOR_ALL, "-c", AS_NOBODY],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(place)},
        cwd="/",
        timeout=5 * ANSWER_S,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
