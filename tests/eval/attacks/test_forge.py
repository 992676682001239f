"""Forgeries of kind `asserts`: objects that answer for a value, in every way in which tests compare values."""

from __future__ import annotations

import pytest

from microcoder_eval import Problem
from tests.eval.attacks import idioms, on_behalf, replaced_parts, shared_settings, unseen_endings, what_objects_can
from tests.eval.attacks.evil_objects import ENDS, UNFOLDS, kinds_for, program
from tests.eval.attacks.further_forgeries import FURTHER, MISSING_LIBRARIES, RUN_NOTHING
from tests.eval.attacks.grading import WAYS, Attack, Batch, grade_all
from tests.eval.attacks.idioms import Idiom, right_program
from tests.eval.attacks.library_idioms import LIBRARY
from tests.eval.attacks.object_forgeries import MORE
from tests.eval.attacks.outside_views import FORGERIES as OUTSIDE_VIEWS
from tests.eval.attacks.special_forgeries import SPECIAL

IDIOMS = {**idioms.IDIOMS, **LIBRARY}
LIMITS = {"time_limit_s": 2.0, "memory_limit_mb": 512}


def problem_of(name: str, idiom: Idiom) -> Problem:
    return Problem.from_dict({"id": name, "kind": "asserts", "entry_point": "f", "test_code": idiom.tests, **LIMITS})


PROBLEMS = {name: problem_of(name, idiom) for name, idiom in IDIOMS.items()}
EVERY_KIND = [
    [Attack(f"{name}-{kind}", PROBLEMS[name], program(kind, idiom)) for kind in kinds_for(idiom)]
    for name, idiom in IDIOMS.items()
]
FORGERIES = [kinds[number % len(kinds)] for number, kinds in enumerate(EVERY_KIND)]
"""One kind of object for each idiom, in turn."""
OTHER_KINDS = [attack for kinds in EVERY_KIND for attack in kinds if attack not in FORGERIES]
ENDLESS = program("object", IDIOMS["numpy-isclose"]).replace(ENDS, UNFOLDS)
OTHER_KINDS.append(Attack("numpy-unfolds-for-ever", PROBLEMS["numpy-isclose"], ENDLESS))
FORGERIES += [
    Attack(name, problem_of(name, Idiom(tests, "")), code)
    for name, (tests, code) in {
        **SPECIAL,
        **FURTHER,
        **unseen_endings.FORGERIES,
        **shared_settings.FORGERIES,
        **replaced_parts.FORGERIES,
        **on_behalf.FORGERIES,
        **what_objects_can.FORGERIES,
    }.items()
]
for _name, (_tests, _code, _starter) in MORE.items():
    _record = {"id": _name, "kind": "asserts", "test_code": _tests, "starter_code": _starter, **LIMITS}
    if "Solution()" not in _tests:
        _record["entry_point"] = "f"
    FORGERIES.append(Attack(_name, Problem.from_dict(_record), _code))
for _name, (_tests, _code, _entry) in OUTSIDE_VIEWS.items():
    _record = {"id": _name, "kind": "asserts", "test_code": _tests, "entry_point": _entry or None, **LIMITS}
    FORGERIES.append(Attack(_name, Problem.from_dict(_record), _code))
FORGERIES += [
    Attack(name, problem_of(name, Idiom(tests, "")), code, ("JUDGE_ERROR",))
    for name, (tests, code) in {**MISSING_LIBRARIES, **RUN_NOTHING, **on_behalf.NOT_RUN}.items()
]
NEVER_END = ("asdict-endless", "regex-bomb")
"""Seconds of CPU time each, like the endless tests of test_asserts.py."""
OTHER_KINDS += [attack for attack in FORGERIES if attack.name in NEVER_END]
FORGERIES = [attack for attack in FORGERIES if attack.name not in NEVER_END]
RIGHT = [
    Attack(name, PROBLEMS[name], right_program(idiom), ("ACCEPTED",)) for name, idiom in IDIOMS.items() if idiom.right
]


@pytest.fixture(scope="module")
def batch() -> Batch:
    return grade_all([*FORGERIES, *RIGHT], WAYS["spaces-test"])


@pytest.mark.parametrize("attack", FORGERIES, ids=lambda attack: attack.name)
def test_no_object_answers_for_a_value(batch: Batch, attack: Attack) -> None:
    batch.check(attack)


@pytest.fixture(scope="module")
def other_kinds() -> Batch:
    return grade_all(OTHER_KINDS, WAYS["spaces-test"])


@pytest.mark.slow  # every kind of object, in every idiom; and what never ends
@pytest.mark.parametrize("attack", OTHER_KINDS, ids=lambda attack: attack.name)
def test_no_object_of_another_kind_answers_for_a_value(other_kinds: Batch, attack: Attack) -> None:
    other_kinds.check(attack)


@pytest.mark.parametrize("attack", RIGHT, ids=lambda attack: attack.name)
def test_the_right_value_is_accepted(batch: Batch, attack: Attack) -> None:
    batch.check(attack)


def test_no_process_is_replaced_or_left(batch: Batch) -> None:
    assert not batch.replaced
    assert not batch.left
