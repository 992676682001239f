"""Judges the lab's replies with the real grader, and makes verdicts wrong at a known rate where an arm asks for it.

    judge = Judge(policy="contest")
    trainer = Trainer(config, policy, engine, judge.as_grader(refuse=0.1, seed=3), tasks)

Many questions have the same tests. The grader gets one problem for all of them, so its cache already has most of their
programs. Wrong verdicts are for the experiments on the evaluator only, and are made after the program was graded.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import cast

from microcoder_eval import Grade, Grader, Problem, Submission, Verdict
from microcoder_rl.seeds import derive_seed, uniforms


class Judge:
    """A grader for many runs, one after the other."""

    def __init__(self, policy: str = "contest") -> None:
        self.grader = Grader(workers=1, policy=policy, isolation="submission")
        self.problems: dict[str, Problem] = {}
        """For each set of tests, the first problem that has them; it is graded in place of the others."""

    def as_grader(self, *, refuse: float = 0.0, accept: float = 0.0, seed: int = 0) -> Grader:
        """A grader for a trainer. It refuses right replies and accepts wrong ones at these rates."""
        return cast(Grader, _NoisyGrader(self, refuse, accept, seed))  # the trainer calls `submit` and nothing else

    def submit(self, problem: Problem, submission: Submission) -> Future[Grade]:
        """Grade a reply to one of the problems with the same tests."""
        shared = self.problems.setdefault(repr(problem.tests), problem)
        return self.grader.submit(shared, replace(submission, problem_id=shared.id))


@dataclass(frozen=True)
class _NoisyGrader:
    judge: Judge
    refuse: float
    accept: float
    seed: int

    def submit(self, problem: Problem, submission: Submission, *, all_tests: bool | None = None) -> Future[Grade]:
        answer: Future[Grade] = Future()

        def deliver(done: Future[Grade]) -> None:
            if error := done.exception():
                answer.set_exception(error)
            else:
                answer.set_result(self._with_noise(replace(done.result(), problem_id=problem.id), submission))

        self.judge.submit(problem, submission).add_done_callback(deliver)
        return answer

    def _with_noise(self, grade: Grade, submission: Submission) -> Grade:
        """The grade, with a wrong verdict for a share of the replies. The same reply always gets the same verdict."""
        rate = self.refuse if grade.accepted else self.accept
        if not rate or grade.verdict in (Verdict.JUDGE_ERROR, Verdict.NO_CODE):
            return grade
        drawn = uniforms(derive_seed("verdict", self.seed, grade.problem_id, submission.response), 1)
        if drawn[0] >= rate:
            return grade
        return replace(grade, verdict=Verdict.WRONG_ANSWER if grade.accepted else Verdict.ACCEPTED)
