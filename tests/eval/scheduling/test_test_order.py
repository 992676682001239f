"""The order of tests is learnt from finished rounds only, so that it does not depend on who was faster."""

from __future__ import annotations

import pytest

from microcoder_eval.scheduling.test_order import Experience, TestOrder, expected_ms

pytestmark = pytest.mark.fast


def end(order: TestOrder, count: int, failed: int | None) -> None:
    for _ in range(count):
        order.ended(order.next_number(), failed)


def test_the_first_sixteen_programs_run_the_tests_as_given() -> None:
    order = TestOrder([1.0] * 4)
    end(order, 15, failed=3)
    assert order.order(order.next_number()) == [0, 1, 2, 3]


def test_later_programs_begin_with_the_test_that_failed_most() -> None:
    order = TestOrder([1.0] * 4)
    end(order, 5, failed=3)
    end(order, 3, failed=2)
    end(order, 8, failed=1)  # the second round: not yet used by programs 16 to 31
    assert order.order(order.next_number()) == [3, 2, 0, 1]


def test_a_program_waits_until_its_rounds_have_ended() -> None:
    order = TestOrder([1.0] * 2)
    numbers = [order.next_number() for _ in range(17)]
    for number in numbers[:7]:
        order.ended(number, None)
    assert order.awaited(15) is None
    assert order.awaited(16) == 0
    assert order.ended(numbers[7], 1) == 0
    assert order.awaited(16) is None
    assert order.order(16) == [1, 0]


def test_a_program_is_looked_at_again_once_for_each_round_that_ends_before_it() -> None:
    order = TestOrder([1.0] * 2)
    numbers = [order.next_number() for _ in range(4096)]
    looks = 0
    held: dict[int | None, list[int]] = {None: []}
    waiting = numbers
    while waiting:
        for number in waiting:
            looks += 1
            held.setdefault(order.awaited(number), []).append(number)
        ended = {order.ended(number, None) for number in held.pop(None)}
        waiting = [number for r in ended for number in held.pop(r, ())]
        held[None] = []
    assert looks <= 2 * len(numbers)


def test_the_order_does_not_depend_on_the_sequence_of_ends() -> None:
    orders = []
    for places in (range(8), reversed(range(8))):
        order = TestOrder([1.0] * 3)
        for _ in range(8):
            order.next_number()
        for place in places:
            order.ended(place, place % 3)
        orders.append(order.order(16))
    assert orders[0] == orders[1]


def test_given_is_the_problem_s_order_whatever_failed() -> None:
    order = TestOrder([1.0] * 3, learns=False)
    end(order, 40, failed=2)
    order.next_number()
    assert order.awaited(41) is None
    assert order.order(41) == [0, 1, 2]


def test_earlier_runs_order_the_tests_by_failures_for_their_cost() -> None:
    before = {
        0: Experience(0, 9, 90.0),
        1: Experience(2, 9, 9.0),
        2: Experience(10, 9, 900.0),
        3: Experience(3, 9, 10.0),
    }
    order = TestOrder([1.0] * 5, before=before)
    assert order.order(order.next_number()) == [3, 1, 2, 0, 4]


def test_small_differences_of_time_do_not_change_the_order() -> None:
    orders = [
        TestOrder([1.0] * 2, before={0: Experience(3, 10, 100.0 + noise), 1: Experience(3, 10, 110.0 - noise)}).order(0)
        for noise in range(10)
    ]
    assert orders == [[0, 1]] * 10


def test_long_tests_come_last_until_they_have_failed_programs() -> None:
    sizes = (3_000_000, 20, 400, 90_000, 20)
    order = TestOrder([expected_ms(size) for size in sizes])
    assert order.order(order.next_number()) == [1, 2, 4, 3, 0]
    end(order, 15, failed=0)
    assert order.order(order.next_number())[0] == 0


def test_a_cheap_test_that_failed_few_programs_precedes_a_dear_one_that_failed_more() -> None:
    order = TestOrder([expected_ms(size) for size in (5_000_000, 20, 20)])
    end(order, 6, failed=0)
    end(order, 10, failed=2)  # only two of them are in the first round
    assert order.order(order.next_number()) == [2, 0, 1]
