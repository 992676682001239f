"""TRL's `environment_factory`: the model may try its program on sample tests, and then submits it.

    GRPOTrainer(model, environment_factory=CodeEnvironment, train_dataset=...)

The data set has the column `problem`, as for `trl`. The reward is that of the last program that was submitted; without
one it is 0. The model sees its results on the first `samples` tests, and never on more than half of the tests.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from microcoder_eval.integrations.grading import Rewarder
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.verdict import Grade, Verdict

SHOWN_CHARACTERS = 1500
"""How much of a result the model sees."""


class CodeEnvironment:
    """One episode. To change its settings, set `rewarder` and `samples` in a subclass."""

    rewarder: ClassVar[Rewarder] = Rewarder()
    samples: ClassVar[int] = 2

    def __init__(self) -> None:
        self._problem: Problem | None = None
        self._grade: Grade | None = None

    def reset(self, problem: Any = None, **columns: Any) -> None:
        """Begin an episode with a problem."""
        self._problem = self.rewarder.problem(problem)
        self._grade = None

    def run_samples(self, code: str) -> str:
        """
        Run a program on the sample tests of the problem and see how it does.

        Args:
            code: The whole program.

        Returns:
            The result of each sample test.
        """
        problem = self._current_problem()
        shown = problem.tests[: min(self.samples, len(problem.tests) // 2)]
        if not shown:
            return "This problem has no sample tests."
        few = replace(problem, tests=shown, groups=None)
        grade = self.rewarder.connected().submit(few, self._submission(code), all_tests=True).result()
        if not grade.tests:
            return f"{grade.verdict}: {grade.detail}"[:SHOWN_CHARACTERS]
        lines = [f"sample {test.index + 1}: {test.verdict}. {test.detail}".strip() for test in grade.tests]
        return "\n".join(lines)[:SHOWN_CHARACTERS]

    def submit(self, code: str) -> str:
        """
        Submit the final program. It is judged on all tests.

        Args:
            code: The whole program.

        Returns:
            The verdict.
        """
        self._grade = self.rewarder.submit_program(self._current_problem(), self._submission(code)).result()
        if self._grade.verdict is Verdict.COMPILE_ERROR:
            return f"{self._grade.verdict}: {self._grade.detail}"[:SHOWN_CHARACTERS]
        return str(self._grade.verdict)

    def get_reward(self) -> float | None:
        """The reward of the episode; None when the grader failed."""
        return 0.0 if self._grade is None else self.rewarder.reward(self._grade)

    def _current_problem(self) -> Problem:
        if self._problem is None:
            raise RuntimeError("reset was not called")
        return self._problem

    def _submission(self, code: str) -> Submission:
        return Submission("", self._current_problem().id, code=str(code), language=self.rewarder.language)
