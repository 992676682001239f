"""The rule that lets a model attempt a row and has the grader judge each attempt: the row's pass rate.

    rule = AttemptRows(settings, client, grader, store)
    outcome = rule(row)

It is applied after all other rules, so that no attempt is spent on a row that is dropped, and the tests are final. Each
reply is cached as soon as it arrives: a resumed build pays for no attempt twice. Only attempts that the grader could
judge count: `difficulty.pass_n` is their number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from microcoder_data.difficulty.attempt_question import attempt_question
from microcoder_data.difficulty.levels import EMPTY
from microcoder_data.llm.question import NoAnswer
from microcoder_data.rules import Outcome, kept, marked
from microcoder_data.schema import Row, to_problem
from microcoder_data.shards import TestStore
from microcoder_data.verify.attempts import Attempts
from microcoder_eval import Grade, InputError, Problem, Submission, Verdict
from microcoder_eval.errors import UnsupportedError

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client
    from microcoder_eval.connection import AnyGrader


class AttemptRows:
    """The rule: the settings, a model, a grader and the store of oversized tests."""

    name: ClassVar[str] = Attempts.name

    def __init__(
        self,
        settings: Attempts,
        client: Client,
        grader: AnyGrader | None,
        store: TestStore,
        count: Callable[..., None] = lambda **what: None,
    ) -> None:
        """
        grader: None in a dry run, which only counts the questions.
        count: is called with the numbers to add to the report's counts.
        """
        self._settings, self._client, self._grader = settings, client, grader
        self._store, self._count = store, count

    def __call__(self, row: Row) -> Outcome | None:
        if (row["verification"] or {}).get("status") == "needs_checker":
            return marked("not attempted: no checker judges its several answers")
        replies, why = self._replies(row)
        if self._grader is None or not replies:
            return marked(f"not attempted: {why}")
        try:
            tests = [self._store.load(test) for test in row["tests"]]
            grades = _graded(self._grader, to_problem({**row, "tests": tests, "groups": None}), replies)
        except UnsupportedError as error:
            return marked(f"not attempted: {error.reason}")
        except InputError as error:
            return marked(f"not attempted: {error}")
        judged = [grade for grade in grades if grade.verdict is not Verdict.JUDGE_ERROR]
        if not judged:
            return marked("not attempted: the grader could judge no attempt")
        solved = sum(grade.accepted for grade in judged)
        rate = float(np.float32(solved / len(judged)))  # as the column holds it
        model = self._client.settings.model
        self._count(**{"rows attempted": 1, "attempts judged": len(judged), "attempts accepted": solved})
        found = {"pass_rate": rate, "pass_n": len(judged), "pass_model": model}
        row["difficulty"] = {**EMPTY, **(row["difficulty"] or {}), **found}
        return kept(rate, None, f"{solved} of {len(judged)} attempts of {model} are accepted")

    def _replies(self, row: Row) -> tuple[list[str], str]:
        """The replies to questions sent at the same time, and why a reply is missing (empty when none is)."""
        why = ""

        def reply(draw: int) -> str | None:
            nonlocal why
            question = attempt_question(row, draw, self._settings.answer_tokens, self._settings.temperature)
            try:
                return str(self._client.ask(question)["text"])
            except NoAnswer as error:
                why = str(error)
                return None

        replies = list(self._client.side_by_side(reply, range(self._settings.count)))
        return [text for text in replies if text is not None], why


def _graded(grader: AnyGrader, problem: Problem, replies: list[str]) -> list[Grade]:
    """The grade of each reply. A reply is run up to the first test that it fails."""
    waiting = [
        grader.submit(problem, Submission(id=f"attempt {number}", problem_id=problem.id, response=reply))
        for number, reply in enumerate(replies)
    ]
    return [future.result() for future in waiting]
