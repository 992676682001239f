"""What the reward calls share: a ground truth and a reply give a grade, and the grade gives a number."""

from __future__ import annotations

from typing import Any

from microcoder_eval.arguments import read_json
from microcoder_eval.errors import InputError
from microcoder_eval.ground_truth import problem_from
from microcoder_eval.problem import Problem, Submission
from microcoder_eval.rewards import check_reward, check_shape, needs_all_tests, reward_of
from microcoder_eval.service.call import CallRequest, Service
from microcoder_eval.service.refusal import Kind, Refusal
from microcoder_eval.verdict import Grade, Verdict


def problem_of(service: Service, truth: Any) -> Problem:
    """The problem of a label: a loaded problem's id, {"problem_id": id}, or a ground truth in any known form."""
    if isinstance(truth, str) and truth in service.problems:
        return service.problems.loaded(truth)
    if isinstance(truth, str):
        try:
            truth = read_json(truth)
        except (ValueError, RecursionError):
            raise InputError("the label is neither the id of a loaded problem nor JSON") from None
    if isinstance(truth, dict) and set(truth) == {"problem_id"}:
        return service.problems.loaded(truth["problem_id"])
    problem = problem_from(truth, time_limit_s=min(10.0, service.limits.time_limit_s))
    return service.checked(service.problems.same(problem))


async def grade_reply(service: Service, request: CallRequest, problem: Problem, reply: Any, all_tests: bool) -> Grade:
    """The grade of a model's reply; a failure of the grader is a refusal, never a number."""
    if not isinstance(reply, str):
        raise InputError("the response is not a text")
    grade = await service.desk.grade(problem, Submission("", problem.id, response=reply), request.caller, all_tests)
    if grade.verdict is Verdict.JUDGE_ERROR:
        raise Refusal(Kind.INTERNAL_ERROR, grade.detail)
    return grade


async def reward_for(service: Service, request: CallRequest, truth: Any, reply: Any) -> tuple[float, Grade]:
    """The reward of a reply, in the shape that the query names (?shape=fraction&cut_off=-0.5), and its grade."""
    shape = check_shape(request.query.get("shape", "binary"))
    text = request.query.get("cut_off")
    cut_off = check_reward("cut_off", text) if text else None
    problem = problem_of(service, truth)
    grade = await grade_reply(service, request, problem, reply, needs_all_tests(shape))
    reward = reward_of(grade, shape, cut_off)
    assert reward is not None
    return reward, grade
