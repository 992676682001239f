"""Whose failure it is when a checker fails: decided by what it does with the expected output."""

from __future__ import annotations

import pytest

from microcoder_eval import Verdict
from microcoder_eval.supervisor.fair_judging import LEAST, MULTIPLE, ON_EXPECTED, ask_fairly, other_outputs
from microcoder_eval.supervisor.opinion import Asked, Opinion
from microcoder_eval.supervisor.run import BoxLost, Run
from microcoder_eval.supervisor.watch import Limits

FAILED = Opinion(Verdict.JUDGE_ERROR, "it failed")
EXHAUSTED = Opinion(Verdict.JUDGE_ERROR, "time limit", exhausted=True)
YES, NO = Opinion(Verdict.ACCEPTED, "yes"), Opinion(Verdict.WRONG_ANSWER, "no")


class Judge:
    """A checker with an opinion on each output, and the CPU time that it takes."""

    def __init__(self, opinions: dict[str, Opinion], takes_s: dict[str, float] | None = None, status: int = 0) -> None:
        self.opinions, self.takes_s, self.status = opinions, takes_s or {}, status
        self.asked: list[tuple[str, Limits]] = []

    def __call__(self, output: str, limits: Limits) -> Asked:
        self.asked.append((output, limits))
        takes_s = self.takes_s.get(output, 0.1)
        if takes_s > limits.cpu_s:
            return Asked(EXHAUSTED, Run(0, limits.cpu_s, limits.cpu_s, 1000, "time"))
        return Asked(self.opinions[output], Run(self.status, takes_s, takes_s, 1000))


@pytest.mark.parametrize("opinion", [YES, NO, FAILED._replace(own_fault=True)])
def test_an_opinion_stands_and_costs_nothing_more(opinion: Opinion) -> None:
    judge, known = Judge({"5": opinion}), {}
    assert ask_fairly(judge, "5", ["expected"], known, 0) == opinion
    assert judge.asked == [("5", LEAST)] and not known


@pytest.mark.parametrize("on_expected", [YES, NO])
def test_a_failure_that_the_expected_output_does_not_cause_is_the_programs(on_expected: Opinion) -> None:
    judge: Judge = Judge({"5": FAILED, "6": FAILED, "expected": on_expected})
    known: dict[int, Limits | None] = {}
    for output in ("5", "6"):
        opinion = ask_fairly(judge, output, ["expected"], known, 3)
        assert opinion.verdict is Verdict.WRONG_ANSWER and opinion.judge_failed
        assert opinion.message.startswith("it failed")
    assert [output for output, _ in judge.asked] == ["5", "expected", "6"], "the expected output is judged once"


def test_a_judge_that_fails_on_the_expected_output_too_is_to_blame() -> None:
    judge = Judge({"5": FAILED, "expected": FAILED})
    known: dict[int, Limits | None] = {}
    for _ in range(2):
        assert ask_fairly(judge, "5", ["expected"], known, 0) == FAILED
    assert len(judge.asked) == 3


def test_without_an_expected_output_a_judge_is_to_blame_that_fails_on_all_others() -> None:
    others = other_outputs("", "5 6")
    assert others == ("", "0\n", "1\n", "5 6")
    strict = Judge({"x": FAILED, "": FAILED, "0\n": NO})
    assert ask_fairly(strict, "x", others, {}, 0).judge_failed
    broken = Judge(dict.fromkeys(["x", *others], FAILED))
    assert ask_fairly(broken, "x", others, {}, 0) == FAILED


RAISED = FAILED._replace(raised=True)


def test_a_judge_that_raises_on_all_outputs_is_to_blame() -> None:
    others = other_outputs("any two numbers", "5 6")
    assert others == ("any two numbers", "0\n", "1\n", "5 6")
    broken = Judge(dict.fromkeys(["x", *others], RAISED))
    assert ask_fairly(broken, "x", others, {}, 0) == RAISED
    reads_numbers = Judge({"x": RAISED, "any two numbers": RAISED, "0\n": NO})
    assert ask_fairly(reads_numbers, "x", others, {}, 0).judge_failed
    crashes = Judge({"x": FAILED, "any two numbers": FAILED})
    assert ask_fairly(crashes, "x", others, {}, 0) == FAILED
    without = other_outputs("", "5 6")
    assert (
        ask_fairly(Judge(dict.fromkeys(["x", *without], RAISED)), "x", without, {}, 0).verdict is Verdict.WRONG_ANSWER
    )


def test_the_limits_follow_from_the_expected_output() -> None:
    judge = Judge({"5": YES, "expected": YES}, {"5": 7.0, "expected": 2.0})
    known: dict[int, Limits | None] = {}
    assert ask_fairly(judge, "5", ["expected"], known, 0) == YES
    assert [limits.cpu_s for _, limits in judge.asked] == [LEAST.cpu_s, ON_EXPECTED.cpu_s, MULTIPLE * 2.0]
    assert ask_fairly(judge, "5", ["expected"], known, 0) == YES
    assert judge.asked[-1][1].cpu_s == MULTIPLE * 2.0
    slow = Judge({"5": YES, "expected": YES}, {"5": 100.0, "expected": 2.0})
    assert ask_fairly(slow, "5", ["expected"], {}, 0).judge_failed


def test_a_judge_that_was_killed_on_the_expected_output_tells_nothing() -> None:
    known: dict[int, Limits | None] = {}
    with pytest.raises(BoxLost):
        ask_fairly(Judge({"5": FAILED, "expected": FAILED}, status=9), "5", ["expected"], known, 0)
    assert not known
