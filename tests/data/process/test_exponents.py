"""Lost exponents: repaired where that is certain, marked where it is not, and honest numbers left alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.process.bounds import bounds_of, stated_bounds
from microcoder_data.process.exponents import Exponents, has_doubtful_bounds
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_row, new_test

pytestmark = pytest.mark.fast


def after(statement: str, *tests: str, **columns: Any) -> dict[str, Any]:
    """The row after the rule, as a build applies it."""
    given = [new_test(test, "0") for test in tests]
    made = {"kind": "call", "platform": "leetcode", **columns}
    row = new_row(problem_id="a:1", source="a", statement=statement, tests=given, **made)
    assert apply_rules(row, [Exponents()], "process") is None
    return row


def outcome(row: dict[str, Any]) -> str:
    return row["provenance"][0]["outcome"] if row["provenance"] else "none"


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        ("1 <= nums.length <= 105", "1 <= nums.length <= 10^5"),
        ("-109 <= nums[i] <= 109", "-10^9 <= nums[i] <= 10^9"),
        ("-231 <= x <= 231 - 1", "-2^31 <= x <= 2^31 - 1"),
        ("Return it modulo 109 + 7.", "Return it modulo 10^9 + 7."),
        ("5 <= word.length <= 2 * 105", "5 <= word.length <= 2 * 10^5"),
        ("1 <= orders <= min(sum(inventory[i]), 109)", "1 <= orders <= min(sum(inventory[i]), 10^9)"),
        ("The number of nodes is in the range [1, 104].", "The number of nodes is in the range [1, 10^4]."),
        ("It is an integer in the range [-3 * 104, 3 * 104].", "It is an integer in the range [-3 * 10^4, 3 * 10^4]."),
        ("1 <= n <= 105\nThere are 105 hats, as said.", "1 <= n <= 10^5\nThere are 10^5 hats, as said."),
        ("-231 <= n <= 231 - 1\nRound it to -231, the least.", "-2^31 <= n <= 2^31 - 1\nRound it to -2^31, the least."),
        ("1 <= n <= 104\nExplanation: 12 + 02 + 02 = 1", "1 <= n <= 10^4\nExplanation: 1^2 + 0^2 + 0^2 = 1"),
        (
            "1 <= n <= 109\nInput: n = [1000000000, 105]\nExplanation: Buy 109 hats.",
            "1 <= n <= 10^9\nInput: n = [1000000000, 105]\nExplanation: Buy 10^9 hats.",
        ),
        (
            "A box is big if a side is greater or equal to 104.\n1 <= n <= 105\nExample 1:\nExplanation: No side is"
            " greater or equal to 104, and 104 > 30.",
            "A box is big if a side is greater or equal to 10^4.\n1 <= n <= 10^5\nExample 1:\nExplanation: No side is"
            " greater or equal to 10^4, and 104 > 30.",
        ),
        ("For c = 1: x2 + 2x + 1 = 0; the roots are x1, x2.", "For c = 1: x^2 + 2x + 1 = 0; the roots are x1, x2."),
        (
            "n <= 104\nExplanation: 2 * 4 * 8 * 16 = 1024 = 210, 2 * 9 * 5 * 7 * 16 = 10080 = 25 * 32 * 5 * 7.",
            "n <= 10^4\nExplanation: 2 * 4 * 8 * 16 = 1024 = 2^10, 2 * 9 * 5 * 7 * 16 = 10080 = 2^5 * 3^2 * 5 * 7.",
        ),
        ("At most 3 * 104 calls will be made.", "At most 3 * 10^4 calls will be made."),
        (
            "Answers within 10-5 of the actual value are accepted.",
            "Answers within 10^-5 of the actual value are accepted.",
        ),
        ("Find it in less than O(n2) time for n items.", "Find it in less than O(n^2) time for n items."),
        ("Given n, fill a board from 1 to n2.\n1 <= n <= 103", "Given n, fill a board from 1 to n^2.\n1 <= n <= 10^3"),
        ("1 <= n <= 104\nExplanation: 32 + 42 = 25", "1 <= n <= 10^4\nExplanation: 3^2 + 4^2 = 25"),
        ("11 = 20 + 21 + 23 for n <= 1018", "11 = 2^0 + 2^1 + 2^3 for n <= 10^18"),
        ("17 = 23 + 32 = 24 + 30 for n <= 1018", "17 = 2^3 + 3^2 = 2^4 + 3^0 for n <= 10^18"),
        ("The relative error must be less than 10 - 6.", "The relative error must be less than 10^-6."),
    ],
)
def test_an_exponent_that_is_lost_for_certain_is_repaired(lost: str, whole: str) -> None:
    row = after(lost)
    assert row["statement"] == whole
    assert outcome(row) == "changed" and "lost exponents repaired" in row["provenance"][0]["detail"]
    assert after(whole)["statement"] == whole and not after(whole)["provenance"]


@pytest.mark.parametrize(
    "honest",
    [
        "1 <= n <= 100 and 1 <= k <= 1000",
        "Example 1:\nInput: n = 105\nOutput: 231\nExplanation: 105 <= 231, since 109 is smaller.",
        "Let nums1 and nums2 hold n1 and n2 numbers. Merge them in O(n1 + n2).",
        "The rooms 104, 105 and 231 are free.",
        "12 + 92 = 104",
        "We take (0100)2 as a binary number.",
        '1 <= n <= 10^5, and "a3 is2 This1" is a shuffled sentence with a word.',
        "1 <= m, n <= 250",
        "1 <= n <= 10^5\nThere are 105 hats.",
        "The range is [300 - 2 * 104; 300 + 2 * 104].\n1 <= n <= 10^5",
    ],
)
def test_honest_numbers_stay(honest: str) -> None:
    row = after(honest)
    assert row["statement"] == honest and outcome(row) == "none"


def test_a_bound_that_the_tests_exceed_is_repaired_on_any_site() -> None:
    row = after("1 ≤ n ≤ 105, 1 ≤ k ≤ 50", "n = 3000\nk = 2", platform=None)
    assert row["statement"] == "1 ≤ n ≤ 10^5, 1 ≤ k ≤ 50"
    assert "the tests exceed 105" in row["provenance"][0]["detail"]


def test_a_bound_that_the_tests_reach_exactly_is_honest() -> None:
    row = after("1 ≤ n ≤ 105", "n = 105", "n = 3", platform=None)
    assert row["statement"] == "1 ≤ n ≤ 105" and outcome(row) == "none"
    on_leetcode = after("1 <= n <= 105", "n = 105")
    assert on_leetcode["statement"] == "1 <= n <= 105" and has_doubtful_bounds(on_leetcode)


def test_a_doubtful_bound_is_marked_and_not_read() -> None:
    row = after("1 <= n <= 102 and 1 <= k <= 50", platform=None)
    assert row["statement"] == "1 <= n <= 102 and 1 <= k <= 50" and outcome(row) == "marked"
    assert has_doubtful_bounds(row) and bounds_of(row) == []
    assert bounds_of(after("1 <= n <= 102 and 1 <= k <= 50")) != []


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        ("one integer n (1 ≤ n ≤ 109), its size", "one integer n (1 ≤ n ≤ 10^9), its size"),
        ("Their sum does not exceed 105.", "Their sum does not exceed 10^5."),
        ("Print the answer modulo 106 + 3.", "Print the answer modulo 10^6 + 3."),
        ("It costs (x - 1)2 (if x > 1). 1 ≤ x ≤ 107", "It costs (x - 1)^2 (if x > 1). 1 ≤ x ≤ 10^7"),
        ("The length is from 1 to 105.", "The length is from 1 to 10^5."),
        ("The answer is not above the value 2·109.", "The answer is not above the value 2·10^9."),
        ("Print it modulo 1000003 (106 + 3).", "Print it modulo 1000003 (10^6 + 3)."),
        ("1 ≤ T ≤ 1,048,576 ( = 220)", "1 ≤ T ≤ 1,048,576 ( = 2^20)"),
        ("0 ≤ d ≤ 230 - 1", "0 ≤ d ≤ 2^30 - 1"),
        ("1 ≤ A < 10300", "1 ≤ A < 10^300"),
        ("It has at most 10 - 6 absolute error.", "It has at most 10^-6 absolute error."),
        ("-----Output:-----\nThe error is below 10-6.", "-----Output:-----\nThe error is below 10^-6."),
        ("Fill n rows with 1 to n2, for each n.", "Fill n rows with 1 to n^2, for each n."),
        ("It is divisible by 103 = 1000.", "It is divisible by 10^3 = 1000."),
        ("Divide the lists' sum by 1013. 0 ≤ f < 1013", "Divide the lists' sum by 10^13. 0 ≤ f < 10^13"),
        ("1 ≤ n ≤ 105, $$x_i \\leq 10^9$$", "1 ≤ n ≤ 10^5, $$x_i \\leq 10^9$$"),
        ("A word (1 ≤ |s|  ≤  103) of letters", "A word (1 ≤ |s|  ≤  10^3) of letters"),
        ("0 ≤ ai < 230", "0 ≤ ai < 2^30"),
        ("It has at most 106 large English letters.", "It has at most 10^6 large English letters."),
        ("Two numbers (0 ≤ m ≤ min(n·n, 105)).", "Two numbers (0 ≤ m ≤ min(n·n, 10^5))."),
        ("Given n and m (n ≤ m ≤ min(n2, 500 000))", "Given n and m (n ≤ m ≤ min(n^2, 500 000))"),
        ("A number b. Let t = a2 + b2, then.", "A number b. Let t = a^2 + b^2, then."),
        ("Here A and B are given, A2 + B2 > 0, 1 ≤ n ≤ 105.", "Here A and B are given, A^2 + B^2 > 0, 1 ≤ n ≤ 10^5."),
        ("Speeds |v| ≤ |104|; 1 ≤ n ≤ 103", "Speeds |v| ≤ |10^4|; 1 ≤ n ≤ 10^3"),
        ("Within 10-6. All run to 106. Less than 106 men.", "Within 10^-6. All run to 10^6. Less than 10^6 men."),
        ("Points ( -  103 ≤ x, y ≤ 103)", "Points ( -  10^3 ≤ x, y ≤ 10^3)"),
    ],
)
def test_one_bound_shows_it_on_any_site(lost: str, whole: str) -> None:
    assert after(lost, "n = 7", platform=None, kind="stdin")["statement"] == whole


def test_equations_of_the_notes_are_repaired_too() -> None:
    row = after("1 ≤ n ≤ 105", kind="stdin", platform=None, notes="The sum is 32 + 42 = 25.")
    assert row["notes"] == "The sum is 3^2 + 4^2 = 25."


@pytest.mark.parametrize(("largest", "text"), [("100", "n ≤ 10^5"), ("101", "n ≤ 105"), ("105", "n ≤ 105")])
def test_a_round_number_in_a_test_is_not_near_a_bound(largest: str, text: str) -> None:
    assert after("n ≤ 105", largest, kind="stdin", platform=None)["statement"] == text


@pytest.mark.parametrize(
    "honest",
    [
        "It covers the interval [300 - 214; 300 + 214]. Then 4 + 210 = 214.",
        "An interval of years: 510 = 1012, 610 = 1102.",
        "The same goes for all numbers up to 109, while 110 is special.",
        "1 ≤ n ≤ 105",
        "For a matrix a, a3, 2 is its element.",
        "Go on from d so:\n\n```\nd2 = (d + 2) % 4\n```",
        "A field a is given.\n\n-----Examples-----\nInput\n3 4\na3*0",
        r"You pay $5 \cdot 10 = 50$ or $10 ~ \& ~ 11 = 10$.",
        "1 ≤ n ≤ 1000 (100 for half of the points)",
        "There are $t$ ($1 \\leq t \\leq 108$) squares.",
        "The R2 company has A men and D2 - 2 of them.",
        "Write x as `00(1(0x2)x2)1`, which takes between 1 AM and 10800 seconds.",
        "The factors are 315 = 3·105 and 642 = 2 · 3 · 107, so that 7 · 105 + 3 = 738 has none.",
        "Begin with k and go on with k2 = k + 1.",
        "A letter has a number c, 0 <= c <= 26 - 1, and 64 (26) of them are drawn.",
    ],
)
def test_differences_and_binary_numbers_are_no_bounds(honest: str) -> None:
    row = after(honest, "102", kind="stdin", platform=None)
    assert row["statement"] == honest


def test_two_bounds_of_the_form_prove_each_other_and_an_intact_one_disproves_it() -> None:
    assert after("1 ≤ n ≤ 105, 1 ≤ a ≤ 109", platform=None)["statement"] == "1 ≤ n ≤ 10^5, 1 ≤ a ≤ 10^9"
    intact = "1 ≤ n ≤ 105, 1 ≤ m ≤ 104, 1 ≤ a ≤ 10^9"
    assert after(intact, platform=None)["statement"] == intact


def test_sizes_of_lists_in_positional_tests_are_known_by_the_starter_code() -> None:
    starter = "class Solution:\n    def f(self, nums: List[int]) -> int:\n        "
    row = after(
        "1 <= nums.length <= 103", str([1] * 500), platform=None, entry_point="Solution.f", starter_code=starter
    )
    assert row["statement"] == "1 <= nums.length <= 10^3"


def test_equations_beside_a_repaired_square_are_repaired_too() -> None:
    text = "The score is hats[i]2 - 1.\n1 <= n <= 105\nExample 1:\nExplanation: 42 = 2 * 8, and 12 = 1 * 1."
    row = after(text)
    assert "hats[i]^2" in row["statement"] and "4^2 = 2 * 8, and 1^2 = 1 * 1." in row["statement"]
    alone = after("1 = 12 is false.\nExample 1:\nExplanation: 12 = 1 * 1.")
    assert "12 = 1 * 1" in alone["statement"]


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        ("max(a[i], a[j])2 * min(a[i], a[j])", "max(a[i], a[j])^2 * min(a[i], a[j])"),
        ("(-2)2 + (-2)1 = 2", "(-2)^2 + (-2)^1 = 2"),
        ("There are (2k + 1)2t games, f(k + 1)2t hats.", "There are (2k + 1)^(2t) games, f(k + 1)2t hats."),
        ("(101)2 + (1)2 = 6", "(101)2 + (1)2 = 6"),
        ("call hat(2) 3 times, or go to (see 1)2", "call hat(2) 3 times, or go to (see 1)2"),
    ],
)
def test_a_power_of_a_bracket(lost: str, whole: str) -> None:
    assert after(f"{lost}\n1 <= n <= 105")["statement"].startswith(whole)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It has between 1 and 2h nodes.\n1 <= n <= 3 * 104", "marked"),
        ("Flip the kth bit, where k is free: subtract 2k.\n1 <= n <= 3 * 104", "marked"),
        ("Take k of the hats, then 2k.\n1 <= n <= 3 * 104", "changed"),
        ("The hash is s[0] * p0 + s[1] * p1 + ..., where p is given.\n1 <= n <= 3 * 104", "marked"),
        ("It is (1 + sqrt(5)) / 2, in particular q2 = q + 1.", "marked"),
        ("The rows are q1 = 3 and q2 = q + 1, where q is given.", "none"),
    ],
)
def test_names_that_may_be_powers_are_marked(text: str, found: str) -> None:
    assert outcome(after(text)) == found


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        ("The answer is at most `2 * 109`.", "The answer is at most `2 * 10^9`."),
        ("`k` is in the range `[The longest of all, 105]`.", "`k` is in the range `[The longest of all, 10^5]`."),
        ("Fill it with `1` to `n2`.\n`1 <= n <= 20`", "Fill it with `1` to `n^2`.\n`1 <= n <= 20`"),
        ("`231 - 1 = 2147483647` stands for no hat.", "`2^31 - 1 = 2147483647` stands for no hat."),
        ("Is f(x) = ax2 + bx + c?", "Is f(x) = ax^2 + bx + c?"),
        ("Is A(x) = 3 + 2x + 5x2?", "Is A(x) = 3 + 2x + 5x^2?"),
        ("`hats[i]2 == caps[j] * caps[k]`, as 2^2 = 1 * 4", "`hats[i]^2 == caps[j] * caps[k]`, as 2^2 = 1 * 4"),
        ("s = (a * s + b) mod 232, as in 2^4 games.", "s = (a * s + b) mod 2^32, as in 2^4 games."),
        ("Find n in O(n2), not in 2^n.", "Find n in O(n^2), not in 2^n."),
        ("1 <= n <= 105\nPrint it modulo 10^9 + 7.", "1 <= n <= 10^5\nPrint it modulo 10^9 + 7."),
        (
            "1 <= n <= 105\nExample 1:\nExplanation: It takes 8 * 106 <= 109.",
            "1 <= n <= 10^5\nExample 1:\nExplanation: It takes 8 * 10^6 <= 10^9.",
        ),
        (
            "The cost is below k2 for each k.\n1 <= k <= 105\nExample 1:\nExplanation: 6 < k2",
            "The cost is below k^2 for each k.\n1 <= k <= 10^5\nExample 1:\nExplanation: 6 < k^2",
        ),
    ],
)  # fmt: skip
def test_code_spans_mixed_texts_and_products_are_repaired(lost: str, whole: str) -> None:
    row = after(lost)
    assert row["statement"] == whole and outcome(row) == "changed"
    again = after(whole)
    assert again["statement"] == whole and not has_doubtful_bounds(again)


@pytest.mark.parametrize(
    "doubtful",
    [
        "Calculate x raised to the power n (i.e. `xn`).",
        "Calculate `ab` mod 1337 for given a and b.",
        "Can it be written as `xi + yj`, a sum of powers of x and y, with `i` and `j`?",
        "The score is total_hats + all_hats2, where all_hats counts them.\n1 <= n <= 105",
        "You jump to stair i + 2jump, where jump is a number.\n1 <= n <= 105",
        "It is (43 + 52 + 71) modulo (109 + 7), the sum of powers.",
        "Every number is a power of 5, and 51 is one.",
        "There are N! and 2(N-1) of them.\n1 <= N <= 105",
        "The sum of squares is 12 + 12 + 12 + 22 + 22 + 12 + 12 = 13.",
        "Change a value to one in the range [-105, 105].\nExample 1:\nExplanation: Change 0 to -105.",
        "Let hexa be n2 and n3 the other.\n1 <= n <= 105",
    ],
)
def test_what_may_be_a_power_is_marked(doubtful: str) -> None:
    assert has_doubtful_bounds(after(doubtful))


@pytest.mark.parametrize(
    "honest",
    [
        "Replace runs: `a3`,`b2`,`c4`, where a and b are letters.",
        "1 <= n <= 10^5\nThe i-th and (i + 1)th hats are red.",
        "-25 <= x, y <= 25",
        "1 <= n <= 10^5\n3 = 0011 AND 8 = 1000, and 3 AND 48 = 0.",
        "`ab` and `ba` are equal, where a and b are letters. 1 <= n <= 10^5",
        "1 <= n <= 10^5\nThe data are `s1`, `s2` and `s3`.",
    ],
)
def test_honest_names_and_code_spans_stay(honest: str) -> None:
    for platform in ("leetcode", None):
        row = after(honest, platform=platform, kind="stdin")
        assert row["statement"] == honest and not has_doubtful_bounds(row)


@pytest.mark.parametrize("terms", [7, 8, 9, 40])
def test_a_long_sum_is_left_as_it_is(terms: int) -> None:
    written = f"{' + '.join(['32'] * terms)} + 42 = {9 * terms + 16}"
    assert after(f"It is {written}.\n1 <= n <= 105")["statement"].startswith(f"It is {written}.")


def test_a_bound_of_a_power_of_two_that_is_none_is_marked() -> None:
    assert outcome(after("Each n is a power of two.\n1 <= n <= 28")) == "marked"
    assert outcome(after("It is guaranteed that n - is the power of number 2.\n1 <= k <= n <= 28")) == "marked"
    assert outcome(after("Count the powers of two below n.\n1 <= n <= 28")) == "none"
    assert outcome(after("Each n is a power of two.\n1 <= n <= 32")) == "none"


def test_subscripts_of_neighbours_are_repaired_where_a_sum_says_nothing() -> None:
    given = new_row(
        statement="The plane climbs from hi to hi + 1, and min(hi, hi+1) is seen. Then xi + 1 is added.",
        constraints="- hi ≠ hi+1\n- 1 <= n <= 105\n- |ai + 1 - ai| <= 1\n- ti = ti + 1 in each step",
    )
    outcome = Exponents()(given)
    assert outcome is not None and outcome.took_out
    assert (
        given["statement"]
        == "The plane climbs from h_i to h_{i + 1}, and min(h_i, h_{i + 1}) is seen. Then xi + 1 is added."
    )
    assert "- h_i ≠ h_{i + 1}\n" in given["constraints"] and "|a_{i + 1} - a_i| <= 1" in given["constraints"]
    assert "- ti = ti + 1" in given["constraints"] and "n <= 10^5" in given["constraints"]


@pytest.mark.parametrize(
    "meant",
    [
        "Increase hi to hi + 1.",
        "if bi < ai + 1",
        "$\\pi < \\pi + 1$",
        "x_i < x_j + 1",
        "hi < hi + 10",
        "hi < hi + 1 * k",
    ],
)
def test_sums_that_may_be_meant_are_kept(meant: str) -> None:
    given = new_row(statement=meant)
    assert Exponents()(given) is None and given["statement"] == meant


def test_bases_of_binary_numbers_are_repaired() -> None:
    given = new_row(statement="An m-bit number.", notes="If x is 0112, then a = 1012 and 510 = 1012, else 1112.")
    outcome = Exponents()(given)
    assert outcome is not None and given["notes"] == "If x is 011_2, then a = 101_2 and 5_10 = 101_2, else 111_2."
    for meant in ("XOR of 1002 and 1012 bits", "Sum 0112, 1012 and 1112.", "bits `0112`, \"1012\", '1112'"):
        kept = new_row(statement=meant)
        Exponents()(kept)
        assert kept["statement"] == meant


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        ("13 in binary: 1310 = 11012.", "13 in binary: 13_10 = 1101_2."),
        ("In base 2: 110 = 12,\n\n4 = 1002.", "In base 2: 1_10 = 1_2,\n\n4 = 100_2."),
        ("Two bases: X = 1011112 = 4710 = Y.", "Two bases: X = 101111_2 = 47_10 = Y."),
        ("In binary, 3 + 3 = 112 and f(3) = 112 and 5 = 1002.", None),
        ("An interval of 4 = 1002 years.", None),
    ],
)
def test_a_binary_number_beside_its_value_has_its_base(lost: str, whole: str | None) -> None:
    given = new_row(statement=lost)
    Exponents()(given)
    assert given["statement"] == (whole or lost)


@pytest.mark.parametrize("bound", ["1 <= n <= 104", "1 <= n < 231", "It does not exceed 105.", "nums[i] <= 109"])
def test_typed_powers_do_not_hide_bounds_that_lost_theirs(bound: str) -> None:
    for typed in ("Find n in less than O(n^2) time.", "Print it modulo 10^9 + 7."):
        assert has_doubtful_bounds(after(f"{typed}\n{bound}", platform=None))


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        ("1 <= n <= 2  10^5", "1 <= n <= 2 * 10^5"),
        ("1 ≤ n ≤ 3 10^4, 1 ≤ k ≤ 9", "1 ≤ n ≤ 3 * 10^4, 1 ≤ k ≤ 9"),
        ("$1 \\le n \\le 2 10^{5}$", "$1 \\le n \\le 2 \\cdot 10^{5}$"),
        ("$1 \\le n \\le 210^5$", "$1 \\le n \\le 2 \\cdot 10^5$"),
        ("The sum does not exceed 5 10^4.", "The sum does not exceed 5 * 10^4."),
    ],
)
def test_a_product_of_a_bound_gets_its_sign_back(lost: str, whole: str) -> None:
    row = after(lost, platform=None)
    assert row["statement"] == whole and "signs of products" in row["provenance"][0]["detail"]
    assert [bound.high for bound in bounds_of(row)] == [bound.high for bound in bounds_of(after(whole))]


@pytest.mark.parametrize(
    "meant",
    ["1 <= n <= 10^5", "1 <= n <= 110^2", "Scores: 2 10^5 and 3 10^4.", "1 ≤ n ≤ 1 000 000", "n ≤ 5, 10^5 ≤ m"],
)
def test_other_numbers_beside_powers_stay(meant: str) -> None:
    assert after(meant, platform=None)["statement"] == meant


def test_two_numbers_at_the_end_of_a_bound_are_no_bound() -> None:
    row = after("1 <= n <= 2 105 and 1 <= k <= 10", platform=None)
    assert "2 105" in row["statement"] and has_doubtful_bounds(row)
    assert (
        stated_bounds("1 <= n <= 2 105") == stated_bounds("1 <= n <= 2 10^5") == stated_bounds("2 10^5 <= n <= 7") == []
    )
    assert stated_bounds("1 ≤ n ≤ 1 000 000") == [("n", 1, 1_000_000)]


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 9), st.integers(2, 18), st.sampled_from(["", " ", "  ", "\\,", "~"]), st.booleans())
def test_a_product_is_never_read_as_its_first_number(factor: int, power: int, gap: str, in_formula: bool) -> None:
    bound = rf"1 \le n \le {factor}{gap}10^{{{power}}}"
    row = after(f"${bound}$" if in_formula else bound, platform=None)
    assert bounds_of(row) in ([], [("n", 1, factor * 10**power)])


def test_emphasis_around_a_bound_hides_no_lost_exponent() -> None:
    row = new_row(statement="Add.", constraints="- _1 ≤ n ≤ 3 × 105_\n- _1 ≤ nums[i] ≤ 104_\n- _1 ≤ k ≤ 100_")
    Exponents()(row)
    assert row["constraints"] == "- _1 ≤ n ≤ 3 × 10^5_\n- _1 ≤ nums[i] ≤ 10^4_\n- _1 ≤ k ≤ 100_"
