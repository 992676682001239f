"""The lab's language: tokens, questions, and the real grader's verdict on each form is the one the lab expects."""

from __future__ import annotations

import random
from contextlib import ExitStack

import pytest

from microcoder_eval import Grader
from microcoder_rl.lab.words import (
    BODIES,
    END,
    FILLER,
    HEADS,
    KEEP,
    LANGUAGE,
    LETTERS,
    RARE_HEAD,
    TAILS,
    VALUES,
    WORKING,
    Question,
)
from microcoder_rl.lab.world import draw_questions, draw_reply, tasks_of
from microcoder_rl.lab.world_config import WorldConfig

DEC, HEX = Question("dec", ("2", KEEP, "4")), Question("hex", ("3",))
LINES, SWAPPED = 2, 3


@pytest.fixture(scope="module")
def accepted():
    """Whether the real grader accepts a program of these parts."""
    with ExitStack() as stack:
        graders: dict[str, Grader] = {}

        def ask(question: Question, head: str, body: str, tail: str, policy: str = "contest", before: str = "") -> bool:
            if policy not in graders:
                graders[policy] = stack.enter_context(Grader(workers=1, policy=policy, isolation="submission"))
            (task,) = tasks_of([question], "t")
            reply = before + head + body.format(question.values[-1]) + tail
            return graders[policy].grade(task.problem, reply).accepted

        yield ask


def test_every_token_is_one_phrase_and_replies_decode_to_their_text():
    assert len(set(LANGUAGE.words)) == len(LANGUAGE.words)
    words = [WORKING[1].format("a", "2"), HEADS[1], BODIES[0].format("4"), TAILS[0], END]
    decoded = LANGUAGE.tokenizer().decode(LANGUAGE.encode(words), skip_special_tokens=True)
    assert decoded == "".join(words[:-1])


def test_every_question_and_every_reply_of_the_warm_up_has_tokens():
    world = WorldConfig(filler=0.5, remarks=0.5, rare=0.3)
    rng = random.Random(1)
    for question in draw_questions(300, "all", world):
        LANGUAGE.encode(question.words)
        LANGUAGE.encode(draw_reply(question, rng, world))


def test_questions_have_the_lengths_asked_for_and_all_of_them():
    found = {len(question.steps) for question in draw_questions(300, 0, WorldConfig(), lengths=(3, 5))}
    assert found == {3, 4, 5}
    assert {len(question.steps) for question in draw_questions(300, 0, WorldConfig())} == set(
        range(1, len(LETTERS) + 1)
    )


def test_a_worked_reply_writes_the_value_after_each_letter():
    world = WorldConfig(worked=1, skipping=0, filler=0, remarks=0)
    reply = draw_reply(DEC, random.Random(0), world)
    assert [word.strip()[-1] for word in reply[:3]] == ["2", "2", "4"]
    assert reply[4] in {body.format("4") for body in BODIES}


def test_replies_without_working_guess_more_often_the_more_letters_there_are():
    world = WorldConfig(worked=0, skipping=0, filler=0, remarks=0)
    rng = random.Random(0)

    def right(question: Question) -> float:
        bodies = [draw_reply(question, rng, world)[1] for _ in range(400)]
        return sum(body.strip()[-1] == question.values[-1] for body in bodies) / 400

    one, many = right(Question("dec", ("1",))), right(Question("dec", ("1",) * 8))
    assert one > 0.7
    assert many < 0.35


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("body", BODIES)
def test_all_programs_solve_decimal_questions(accepted, head, body):
    assert accepted(DEC, head, body, TAILS[0])


def test_only_the_rare_manner_solves_hexadecimal_questions(accepted):
    assert [accepted(HEX, head, BODIES[0], TAILS[0]) for head in HEADS] == [
        place == RARE_HEAD for place in range(len(HEADS))
    ]


def test_the_policies_differ_on_the_two_forms_made_for_it(accepted):
    def verdicts(tail: int) -> list[bool]:
        return [accepted(DEC, HEADS[0], BODIES[0], TAILS[tail], policy) for policy in ("strict", "contest", "lenient")]

    assert verdicts(0) == verdicts(1) == [True, True, True]
    assert verdicts(LINES) == [False, True, True]
    assert verdicts(SWAPPED) == [False, False, True]


def test_working_and_filler_before_the_program_do_not_change_its_verdict(accepted):
    before = WORKING[0].format("a", "2") + WORKING[1].format("b", "2") + FILLER * 3
    assert accepted(DEC, HEADS[0], BODIES[0], TAILS[0], before=before)


def test_another_value_is_wrong(accepted):
    wrong = next(value for value in VALUES if value != DEC.values[-1])
    assert not accepted(DEC, HEADS[0], BODIES[0].replace("{}", wrong), TAILS[0])
