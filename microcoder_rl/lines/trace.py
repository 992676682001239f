"""Finds the lines of each program of a batch that the tests execute. Every program is run once more, under a tracer.

The tracer is that of `microcoder_data.verify.reached_lines`, and runs in the sandbox. The lines up to an error are
known. When a limit ends the program on any test, its lines are not known, and all its tokens are trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, wait
from dataclasses import replace

from microcoder_eval import Output, Problem, Submission, Verdict
from microcoder_eval.connection import AnyGrader
from microcoder_rl import distributed
from microcoder_rl.collect import Group
from microcoder_rl.credit import may_have_signal
from microcoder_rl.recipe.config import Config
from microcoder_rl.rollout import Rollout

_NOT_RUN = (Verdict.COMPILE_ERROR, Verdict.NO_CODE, Verdict.FORBIDDEN, Verdict.TIME_LIMIT, Verdict.JUDGE_ERROR)


def add_executed_lines(groups: Sequence[Group], grader: AnyGrader, config: Config) -> None:
    """Set `executed` of the replies that may get an advantage. Every rank traces its share of them."""
    from microcoder_data.verify.reached_lines import lines_of_output  # few recipes need this package

    replies = [
        (rollout, group.task.problem)
        for group in groups
        if may_have_signal(group, config)
        for rollout in group.rollouts
    ]
    waiting: dict[int, Future[list[Output]]] = {}
    for place in range(distributed.rank(), len(replies), distributed.size()):
        rollout, problem = replies[place]
        if (future := _submitted(rollout, problem, grader)) is not None:
            waiting[place] = future
    wait(waiting.values(), timeout=config.grader.deadline_s + len(waiting))
    found: dict[int, list[int]] = {}
    for place, future in waiting.items():
        if future.done() and not future.exception():
            reached = [lines_of_output(output) for output in future.result()]
            found[place] = sorted(set().union(*reached)) if all(reached) else []
    for share in distributed.gather(found):
        for place, lines in share.items():
            replies[place][0].executed = lines or None


def _submitted(rollout: Rollout, problem: Problem, grader: AnyGrader) -> Future[list[Output]] | None:
    from microcoder_data.verify.reached_lines import SLOWER, traced

    grade = rollout.grade
    if grade is None or grade.code is None or grade.language != "python" or grade.verdict in _NOT_RUN:
        return None
    if problem.kind not in ("stdin", "call"):
        return None
    program = traced(grade.code, problem.entry_point if problem.kind == "call" else None, errors=True)
    slower = replace(problem, id=f"{problem.id} (traced)", time_limit_s=problem.time_limit_s * SLOWER, groups=None)
    return grader.outputs(slower, Submission("", slower.id, code=program))
