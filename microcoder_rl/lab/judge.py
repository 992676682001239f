"""What judges the lab's replies: the real grader, each program once, and verdicts made wrong at a known rate.

    judge = Judge(policy="contest")
    trainer = Trainer(config, policy, engine, judge.as_grader(refuse=0.1, seed=3), tasks)

Many questions have the same tests, so the grader gets one problem for all of them and finds their programs among those
it has graded before. Verdicts are made wrong for the experiments on the evaluator only; the programs are run all the
same.
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
        """The problem that stands for all with the same tests, by these tests."""

    def as_grader(self, *, refuse: float = 0.0, accept: float = 0.0, seed: int = 0) -> Grader:
        """What a trainer takes for its grader. It refuses right replies and accepts wrong ones at these rates."""
        return cast(Grader, _Verdicts(self, refuse, accept, seed))  # the trainer calls `submit` and nothing else

    def submit(self, problem: Problem, submission: Submission) -> Future[Grade]:
        """Grade a reply to one of the problems with the same tests."""
        tests = repr(problem.tests)
        same = self.problems.setdefault(tests, problem)
        return self.grader.submit(same, replace(submission, problem_id=same.id))


@dataclass(frozen=True)
class _Verdicts:
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
                answer.set_result(self._seen(replace(done.result(), problem_id=problem.id), submission))

        self.judge.submit(problem, submission).add_done_callback(deliver)
        return answer

    def _seen(self, grade: Grade, submission: Submission) -> Grade:
        """The grade with a wrong verdict, for a share of replies. The same reply always gets the same verdict."""
        rate = self.refuse if grade.accepted else self.accept
        if not rate or grade.verdict in (Verdict.JUDGE_ERROR, Verdict.NO_CODE):
            return grade
        drawn = uniforms(derive_seed("verdict", self.seed, grade.problem_id, submission.response), 1)
        if drawn[0] >= rate:
            return grade
        return replace(grade, verdict=Verdict.WRONG_ANSWER if grade.accepted else Verdict.ACCEPTED)
