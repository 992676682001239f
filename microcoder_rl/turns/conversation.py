"""Decides which conversations go on after a turn, and appends the feedback to their replies (`add_feedback`)."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from typing import Any

from microcoder_eval import Grade, Problem, Submission
from microcoder_eval.connection import AnyGrader
from microcoder_rl.chat.bridge import bridge_ids
from microcoder_rl.data import Task
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Rollout, Turn
from microcoder_rl.turns.feedback import can_run, example_problem, feedback_of


def add_feedback(
    replies: Sequence[tuple[Rollout, Task]], grader: AnyGrader, tokenizer: Any, config: Config
) -> list[Rollout]:
    """Append feedback to the graded replies that get another turn, and return these replies.

    A program that can run is graded again on the public tests alone, so that nothing of a hidden test can enter the
    feedback. A conversation ends with an accepted program, a truncated reply, public tests that all pass, no public
    tests, a failure of the judge, or the last turn.
    """
    checks: list[tuple[Rollout, Problem, Future[Grade] | None]] = []
    for rollout, task in replies:
        assert rollout.grade is not None
        done = rollout.reward is None or rollout.truncated or rollout.grade.accepted
        if done or len(rollout.earlier) + 1 >= config.rollout.turns:
            continue
        examples = example_problem(task.problem, task.public)
        future = None
        if can_run(rollout.grade):
            if not task.public:
                continue
            program = Submission("", examples.id, code=rollout.grade.code, language=rollout.grade.language)
            future = grader.submit(examples, program, all_tests=False)
        checks.append((rollout, examples, future))
    futures = [future for _, _, future in checks if future]
    with suppress(FutureTimeout):
        for _ in as_completed(futures, timeout=config.grader.deadline_s):
            pass
    return [rollout for rollout, examples, future in checks if _append(rollout, examples, future, tokenizer, config)]


def _append(rollout: Rollout, examples: Problem, future: Future[Grade] | None, tokenizer: Any, config: Config) -> bool:
    """Append the feedback to one reply. Returns False when there is no feedback."""
    if future is not None and (not future.done() or future.exception()):
        return False  # the grader failed: there is nothing to say about the program
    assert rollout.grade is not None and rollout.reward is not None
    feedback = feedback_of(future.result() if future else rollout.grade, examples)
    if feedback is None:
        return False
    most, last = config.rollout.feedback_tokens, rollout.response_ids[-1]
    ids = bridge_ids(tokenizer, feedback, config.data.chat, last=last, most=most)
    begin = len(rollout.response_ids)
    rollout.response_ids += ids
    rollout.earlier.append(Turn(begin, begin + len(ids), feedback, rollout.grade, rollout.reward))
    return True
