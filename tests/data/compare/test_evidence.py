"""Whether two rows are one problem: what speaks for it, and what has a veto."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_data.compare.evidence import Judgement, contrast, judge
from microcoder_data.compare.families import family
from microcoder_data.compare.profile import Profile, profile_line, profile_of
from microcoder_data.schema import new_row, new_test

pytestmark = pytest.mark.fast

TREE = (
    "Given the root of a binary tree, return the {} traversal of the values of its nodes. The nodes are numbered from "
    "the top, and each node has a value. Return the values as a list in the order in which they are visited, one by "
    "one, without any value twice."
)
COUNT = (
    "You are given a string and an integer k. Return the number of substrings in which at least one character appears "
    "at least k times, counted by where they begin and end in the string."
)

ATCODER = "https://atcoder.jp/contests/abc999/tasks/abc999"


def profile(statement: str, samples: list[tuple[str, str]], remark: str | None = None, **fields: Any) -> Profile:
    shown = [{"input": given, "output": wanted, "explanation": remark} for given, wanted in samples]
    row = new_row(
        problem_id="one:1",
        source="one",
        statement=statement,
        samples=shown,
        **{"kind": "call", "language": "en", **fields},
    )
    return Profile.read(profile_line(profile_of(row)))


def judged(a: Profile, b: Profile, reason: str = "near_text") -> Judgement:
    assert judge(a, b, reason).same == judge(b, a, reason).same
    return judge(a, b, reason)


def test_different_answers_to_one_input_tell_near_texts_apart() -> None:
    one = profile(TREE.format("preorder"), [("root = [1,null,2,3]", "[1,2,3]")])
    other = profile(TREE.format("inorder"), [("root = [1,null,2,3]", "[1,3,2]")])
    assert judged(one, other) == Judgement(False, "samples_differ")


def test_functions_of_one_text_are_told_apart_where_their_samples_only_overlap() -> None:
    text = f"{COUNT} Write the function `{{}}(text, k)`."
    empty, whole = ("'' 1", "0"), ("'aa' 1", "3")
    one = profile(text.format("count_in"), [empty, whole], entry_point="count_in")
    other = profile(text.format("count_of"), [empty, ("'ab' 2", "0")], entry_point="count_of")
    assert judged(one, other) == Judgement(False, "signature")
    renamed = profile(text.format("count_of"), [empty, whole], entry_point="count_of")
    assert judged(one, renamed).same


def test_one_text_filled_in_with_other_words_is_told_apart_by_one_answer_when_the_others_are_chance() -> None:
    text = "He puts n cakes on {} plates, one after the other, round and round. On which plate is the last cake?"
    small = [("1", "1"), ("5", "1"), ("9", "1")]
    one, other = profile(text.format("red"), [*small, ("3", "1")]), profile(text.format("old"), [*small, ("3", "3")])
    assert judged(one, other) == Judgement(False, "samples_differ")
    long = [(" ".join(str(n * k) for k in range(100, 120)), str(n * 2291)) for n in (3, 5, 7)]
    one, other = profile(text.format(2), [*long, ("3", "1")]), profile(text.format(2), [*long, ("3", "3")])
    assert judged(one, other) == Judgement(True, "near_text")  # one copy has a wrong answer


def test_words_of_opposite_meaning_tell_near_texts_apart_when_samples_cannot() -> None:
    one, other = profile(TREE.format("preorder"), []), profile(TREE.format("postorder"), [])
    assert judged(one, other) == Judgement(False, "contrast")


@pytest.mark.parametrize(
    ("words", "inputs", "title", "apart"),
    [
        ("die kleinste gegebene", range(5, 10), "", True),
        ("die kleinste gegebene", range(4, 9), "", True),  # a list of one number has one answer to both
        ("die kleinste gegebene", range(3, 8), "", False),
        ("die kleinste gegebene", range(5, 7), "", False),  # two tests are too few
        ("die kleinste gegebene", range(5, 10), "Zahlen", False),
        ("die größte", range(5, 10), "", False),
    ],
)
def test_near_texts_are_told_apart_by_several_tests_on_other_inputs(
    words: str, inputs: range, title: str, apart: bool
) -> None:
    text = "Gegeben sind n ganze Zahlen in einer Zeile. Gib {} Zahl aus. Alle Zahlen haben Beträge von höchstens 1000."

    def posed(words: str, inputs: range) -> Profile:
        tests = [new_test(str(n), str(n)) for n in inputs]
        return profile(text.format(words), [], kind="stdin", language="de", title=title, tests=tests)

    judgement = judged(posed("die größte", range(5)), posed(words, inputs))
    assert judgement == (Judgement(False, "tests_apart") if apart else Judgement(True, "near_text"))


def test_members_of_a_family_stay_apart_even_with_equal_samples() -> None:
    samples = [("s = abacb, k = 2", "4"), ("s = abcde, k = 1", "15")]
    one = profile(COUNT + " n <= 3000", samples, title="Count Substrings I")
    other = profile(COUNT + " n <= 3 * 10^5", samples, title="Count Substrings II")
    assert judged(one, other) == Judgement(False, "family")
    unnamed = profile(COUNT + " n <= 3 * 10^5", samples)
    assert judged(profile(COUNT + " n <= 3000", samples), unnamed) == Judgement(False, "constants")


def test_a_bent_exponent_and_other_markup_are_no_difference() -> None:
    samples = [("s = abacb, k = 2", "4"), ("s = abcde, k = 1", "15")]
    one = profile(COUNT + " n <= 3 * 105", samples, title="Count substrings ii")
    other = profile(COUNT.replace("k ", "`k` ") + " `n <= 3 * 10^5`", samples, title="Count Substrings II")
    assert judged(one, other).same


def test_an_address_alone_does_not_merge() -> None:
    url = f"{ATCODER}_b"
    one = profile(COUNT, [("3 4", "7 1")], url=url, kind="stdin")
    other = profile("Takahashi buys apples for some coins.", [("100 5", "20 0")], url=url, kind="stdin")
    assert judged(one, other, "same_address") == Judgement(False, "samples_apart")
    same = profile("Takahashi counts parts of a string.", [("3 4", "7 1")], url=url, kind="stdin")
    assert judged(one, same, "same_address").same


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("where 1 <= n <= 100 and k <= 100.", "where 1 <= n <= 100 and k <= 10^12.", "constants"),
        ("1 <= n <= 10^5, k <= m", "1 <= n <= 10^5, k <= min(m, 20)", "constants"),
        ("This is the easy version of the task.", "This is the hard version of the task.", "family"),
        ("1 <= n <= 10^5, k <= m", "1 <= n <= 105, k <= ![](https://x.com/i.png)", None),
        ("Among 20 parts, 1 <= n <= 10^5", "1 <= n <= 100000.", None),
    ],
)
def test_versions_that_differ_by_a_constant_stay_apart(one: str, other: str, why: str | None) -> None:
    samples = [("4 5\nasdf", "4"), ("5 6\naaaaa", "15")]
    a, b = (profile(f"{COUNT} {said}", samples, kind="stdin") for said in (one, other))
    assert judged(a, b) == Judgement(why is None, why or "near_text")


def test_without_a_common_sample_texts_must_be_equal_but_for_a_correction() -> None:
    text = TREE.format("level") + " Apply the X gate. " + COUNT
    shown, others = [("4\n1 2 3 4", "4")], [("2\n7 7", "15")]
    corrected = text.replace("the nodes", "nodes", 1).replace("the top", "top")
    assert judged(profile(text, shown), profile(corrected, others)).same
    one_more = profile(text + " At most 20 values count.", others)
    assert judged(profile(text, shown), one_more) == Judgement(False, "samples_apart")
    another_gate = profile(text.replace("X gate", "Z gate"), [])
    assert judged(profile(text, shown), another_gate) == Judgement(False, "constants")


def test_two_problems_of_one_codeforces_contest_stay_apart() -> None:
    samples = [("6\n1 5 3 1 1 5", "2"), ("8\n-1 0 1 -1 0 1 -1 0", "1 1")]

    def placed(index: str, contest: str = "1593") -> Profile:
        return profile(COUNT, samples, kind="stdin", platform="codeforces", contest_id=contest, problem_index=index)

    assert judged(placed("D1"), placed("D2")) == Judgement(False, "address")
    assert judged(placed("D1"), placed("D")).same  # one dump has lost the digit
    assert judged(placed("D1"), placed("B", "1594")).same  # both divisions have it
    said = {"kind": "stdin", "platform": "codeforces", "title": "Substrings"}
    small = profile(COUNT + " n <= 100", samples, contest_id="505", problem_index="B", **said)
    large = profile(COUNT + " n <= 10^5", samples, contest_id="506", problem_index="D", **said)
    assert judged(small, large) == Judgement(False, "constants")
    url = "https://codeforces.com/problemset/problem/506/D"
    listed_in_both = profile(COUNT + " n <= 100", samples, contest_id="505", problem_index="B", url=url, **said)
    assert judged(listed_in_both, large).same
    tasks = [
        profile(COUNT + f" n <= 10^{power}", samples, kind="stdin", title="Substrings", url=f"{ATCODER}_f{power}")
        for power in (5, 6)
    ]
    assert judged(*tasks) == Judgement(False, "constants")  # F and F2
    bent = profile(COUNT + " n <= 77", samples, kind="stdin", title="Substrings", url=f"{ATCODER}_f5")
    assert judged(tasks[0], bent).same


def test_a_translation_is_found_by_its_samples_and_numbers() -> None:
    samples = [("nums = [3,2,3,17,25], k = 41", "[17,25]"), ("nums = [12,22,14,51], k = 73", "[22,51]")]
    one = profile("Return two numbers of `nums` whose sum is `k`. `1 <= nums.length <= 5000`", samples)
    other = profile("返回 `nums` 中和为 `k` 的两个数。`1 <= nums.length <= 5000`", samples, language="zh")
    assert judged(one, other, "same_samples").same
    else_ = profile("从 `words` 中选 `m` 个词。`1 <= words.length <= 30`", samples[:1], language="zh")
    assert not judged(one, else_, "same_samples").same


def test_a_translation_of_another_problem_stays_apart_even_with_equal_tests() -> None:
    samples = [("nums = [3,2,3,17,25], k = 41", "[17,25]"), ("nums = [12,22,14,51], k = 73", "[22,51]")]
    text, said = "Return two numbers of `nums` whose sum is `k`. {}", "返回 `nums` 中和为 `k` 的两个数。"
    one = profile(text.format("`1 <= n <= 50`"), samples, platform="leetcode", slug="pairs-in-order")
    other = profile(said, samples, language="zh", platform="leetcode", slug="pairs-in-any-order")
    assert judged(one, other, "same_tests") == Judgement(False, "address")
    unlisted = profile(said, samples, language="zh")
    assert judged(one, unlisted, "same_tests").same
    renamed = profile(text.format("`1 <= n <= 50`"), samples, platform="leetcode", slug="two-of-a-sum")
    assert judged(one, renamed, "same_tests").same


def test_one_text_with_other_titles_and_samples_is_two_problems() -> None:
    text = "The input is a word of capital letters. Print YES or NO, as the examples show, in one line. " + COUNT
    one = profile(text, [("HAT", "YES"), ("BOOT", "NO")], kind="stdin", title="Headwear")
    other = profile(text, [("RED", "YES"), ("TREE", "NO")], kind="stdin", title="Colours")
    assert judged(one, other, "same_text") == Judgement(False, "samples_apart")
    assert not judged(one, other, "same_tests").same  # tests that a third row has brought
    by_chance = profile(text, [("RED", "YES"), ("BOOT", "NO")], kind="stdin", title="Colours")
    assert not judged(one, by_chance, "same_text").same
    unnamed = profile(text, [("RED", "YES"), ("TREE", "NO")], kind="stdin")
    assert judged(one, unnamed, "same_text").same


def test_subtasks_that_say_which_they_are_stay_apart() -> None:
    samples = [("4 5\nasdf", "4"), ("5 6\naaaaa", "15")]
    one, other = (
        profile(f"This is the {which} subtask of problem F. {COUNT}", samples, kind="stdin")
        for which in ("first", "second")
    )
    assert judged(one, other) == Judgement(False, "family")


def test_the_arguments_of_a_function_are_found_in_whole_statements_too() -> None:
    listed = "[[1,2],\n [3,4]]"
    call = profile(COUNT, [("grid = [[1,3],[2,4]]", listed), ("grid = [[5,7,9,11]]", "null")], title="Turn")
    shown = [("grid: [[1,3],[2,4]]", f"{listed}\nas shown above."), ("grid = [[5,7,9,11]].", "[[5],[7],[9],[11]]")]
    text = profile(f"Turn it. {COUNT}", [("grid = [[1,3],[2,4]]", shown[0][1]), shown[1]], kind="stdin", title="Turn")
    assert judged(call, text, "same_name").same


def test_calls_are_compared_with_arguments() -> None:
    calls = [("merge((1, 3), [2, 14])", "(1, 2, 3, 14)"), ("sorted(merge((), ['b', 'a']))", "sorted(('a', 'b'))")]
    lists = [("[1, 3]\n[2, 14]", "[1, 2, 3, 14]"), ('[]\n["b", "a"]', '["a", "b"]')]
    one = profile("Write a function that merges. " + COUNT, calls, kind="asserts", entry_point="merge")
    other = profile("Merge two lists. " + COUNT, lists, entry_point="Solution.merge")
    assert judged(one, other, "same_samples").same


def test_one_address_and_one_text_are_one_problem_of_either_kind() -> None:
    url = "https://leetcode.com/problems/characters-k-times"
    call, text = profile(COUNT, [("k = 3", "7")], url=url), profile(COUNT + " So.", [("x", "y")], url=url, kind="stdin")
    assert judged(call, text, "same_address").same


REWRITTEN = (
    "A word and a number k are given. How many parts of the word, each as long as you like, hold some letter k times "
    "or more? The parts may lie over each other, and each of them counts once for each place where it begins."
)


def test_a_statement_written_anew_is_found_by_its_title_and_samples() -> None:
    title, shown = "Where k Times Begin", [("s = abacb, k = 2", "4")]
    old = profile(COUNT, shown, title=title, kind="stdin")
    assert judged(old, profile(REWRITTEN, shown, title=title, kind="stdin"), "same_name").same
    longer = [*shown, ("s = a, k = 1", "1")]
    assert judged(old, profile(REWRITTEN, longer, title=title, kind="stdin"), "same_name").same
    for other in (
        profile(REWRITTEN, [("s = abacb, k = 2", "3")], title=title, kind="stdin"),
        profile(REWRITTEN, [("s = abacb, k = 1", "15")], title=title, kind="stdin"),
        profile(REWRITTEN, shown, title=f"{title} II", kind="stdin"),
        profile(REWRITTEN, shown, title="Words Full of Signs", kind="stdin"),
        profile("Find the largest sum of a row in the grid.", shown, title=title, kind="stdin"),
    ):
        assert not judged(old, other, "same_name").same


def test_one_sample_does_not_join_statements_of_which_one_is_not_about_their_title() -> None:
    title, one_sample, two = "Where k Times Begin", [("3 11 42", "17")], [("1", "1"), ("5", "3")]
    old, other = (COUNT, "A grid of k rows is given. Return the number of rows which hold at least k equal parts.")
    for shown, same in ((one_sample, False), (two, True)):
        a, b = (profile(text, shown, title=title, kind="stdin") for text in (old, other))
        assert judged(a, b, "same_name").same == same
        anew = profile(REWRITTEN, shown, title=title, kind="stdin")
        assert judged(a, anew, "same_name").same


@pytest.mark.parametrize(("given", "same"), [('"zz"', True), ("[1, 2]\n3", True), ("s = zz", True), ("4 2", False)])
def test_a_page_that_shows_arguments_may_ask_for_a_function(given: str, same: bool) -> None:
    function = profile(COUNT, [], entry_point="Solution.count")
    page = profile(f"{COUNT} All of its letters are small.", [(given, "7")], kind="stdin")
    assert judged(function, page) == Judgement(same, "near_text" if same else "kinds_differ")


def test_a_sentence_behind_an_answer_is_no_part_of_it() -> None:
    one = profile(COUNT, [("[1, 7, 4, 9, 2, 5]", "6")])
    other = profile(COUNT, [("[1, 7, 4, 9, 2, 5]", "6 The whole list is one.")], kind="stdin")
    assert judged(one, other) == Judgement(True, "near_text")
    assert not judged(one, profile(COUNT, [("[1, 7, 4, 9, 2, 5]", "6 5")], kind="stdin")).same


def test_a_short_title_and_a_tiny_sample_are_chance() -> None:
    one, other = (profile(text, [("4", "2")], title="Odd Sum", kind="stdin") for text in (COUNT, REWRITTEN))
    assert judged(one, other, "same_name") == Judgement(False, "few_samples")


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("the first position", "the last position"),
        ("at least k times", "at most k times"),
        ("a to b inclusive", "a to b exclusive"),
        ("the positions, 0-indexed", "the positions, 1-indexed"),
        ("modulo 998244353", "modulo 10^9 + 7"),
        ("the number of groups", "the list of groups"),
        ("the squares", "the rhombs"),
        ("those that are prime", "those that are not prime"),
        ("groups of 5 words", "groups of 6 words"),
    ],
)
@pytest.mark.parametrize("shown", [[("1", "1")], [("1", "1"), ("5", "3")]])
def test_one_title_and_trivial_samples_do_not_join_statements_that_ask_for_something_else(
    said: str, instead: str, shown: list[tuple[str, str]]
) -> None:
    one, other, again = (
        profile(f"Print {asked}. {REWRITTEN}", shown, title="Sum of the Digits", kind="stdin")
        for asked in (said, instead, f"  {said.upper()}")
    )
    for reason in ("near_text", "same_name", "same_samples"):
        assert not judged(one, other, reason).same
    assert judged(one, again).same


def test_other_bounds_and_other_words_for_one_thing_leave_one_title_and_its_samples_one_problem() -> None:
    shown, text = [("1", "1"), ("5", "3")], "{} the sum of the digits. " + REWRITTEN + "\n\n1 <= k <= {}\n"
    one, other = (
        profile(text.format(*said), shown, title="Sum of the Digits", kind="stdin")
        for said in (("Return", "10^5"), ("Find", "2 * 10^3"))
    )
    assert judged(one, other).same


@pytest.mark.parametrize(
    ("said", "instead", "same"),
    [
        ("1 <= k <= 10^5", "1 <= k <= 200", False),  # the versions of two divisions
        ("up to *k* words (2 ≤ *k* ≤ 100)", "up to *k* words (2 ≤ *k* ≤ 10^5)", False),
        ("1 <= k <= 10^5", "0 <= k <= 10^4", True),
        ("-2^31 <= k <= 2^31 - 1", "-10^9 <= k <= 10^9", True),
        ("Take 3 of the words, 1 <= k <= 10^5", "Take 4 of the words, 1 <= k <= 10^5", False),
        ("1. Take one.\n2. Count it.", "1. Take one.\n1. Count it.", True),
        ("1 <= k <= 10^5\n1 <= n <= 9", "1 <= k <= 10^5\nAll n are small.", True),
        ("A string S is good.", "A string s is good.", True),
    ],
)
def test_one_title_and_its_samples_do_not_join_texts_with_another_constant(said: str, instead: str, same: bool) -> None:
    shown = [("s = abacb, k = 2", "4"), ("s = abcde, k = 1", "15")]
    one, other = (profile(f"{COUNT}\n\n{text}\n", shown, title="Where k Times Begin") for text in (said, instead))
    for reason in ("near_text", "same_name", "same_samples"):
        assert judged(one, other, reason).same == same
    url = "https://leetcode.com/problems/where-k-times-begin"
    one, other = (
        profile(f"{COUNT}\n\n{text}\n", shown, title="Where k Times Begin", url=url) for text in (said, instead)
    )
    assert judged(one, other, "same_address").same


def test_a_site_writes_a_statement_anew_with_other_samples_and_keeps_its_title() -> None:
    url = "https://leetcode.com/problems/parts-full-of-letters"
    anew = "You are given a string and an integer k. Return the number of substrings in which a letter is k times."
    old = profile(COUNT, [("abacb 2", "4")], url=url, title="Parts Full of Letters", kind="stdin")
    titled = profile(anew, [("zz 1", "3")], url=url, title="Parts Full of Letters", kind="stdin")
    assert judged(old, titled, "same_address").same
    little = "A letter is k times in some parts of a word, or not. All letters are small, and the parts are full."
    for text, title, same in (
        (little, "Word Times", False),
        (f"{little} Count where they begin.", "Where k Times Begin", True),
        ("A grid has rows and columns. Paint as few of its cells as you can.", "Where k Times Begin", False),
    ):
        one, other = (
            profile(said, given, url=url, title=title, kind="stdin")
            for said, given in ((COUNT, [("abacb 2", "4")]), (text, [("zz 1", "3")]))
        )
        assert judged(one, other, "same_address").same == same
    called = profile(anew, [("zz 1", "3")], url=url, title="Parts Full of Letters", entry_point="parts")
    assert judged(old, called, "same_address").same
    linked = profile(anew, [("zz 1", "3")], url=url, title="Parts of Another Kind", kind="stdin")
    assert judged(old, linked, "same_address") == Judgement(False, "samples_apart")


def test_where_several_answers_are_right_different_ones_say_nothing() -> None:
    text = "Print a permutation of the numbers. If there are multiple answers, print any of them. " + COUNT
    one = profile(text, [("5 17", "1 2"), ("3 3", "4 4")], kind="stdin")
    other = profile(text, [("5 17", "2 1"), ("3 3", "4 4")], kind="stdin")
    assert judged(one, other).same


def test_another_answer_in_an_explanation_makes_different_answers_no_difference() -> None:
    text = "Return two positions of the list whose numbers add up to the target. " + COUNT
    given, remark = "nums = [1,2,7,11], target = 9", "[3,0] is also valid."
    one, other = (profile(text, [(given, answer)], remark) for answer in ("[1,2]", "[2,1]"))
    assert judged(one, other).same


def test_functions_of_other_names_need_a_common_example() -> None:
    fibonacci, tests = "Return the n-th number of a sequence, as quickly as possible. " + COUNT, [new_test("5", "5")]
    one = profile(fibonacci, [], entry_point="fib", tests=tests)
    other = profile(fibonacci, [], entry_point="fib4", tests=[new_test("6", "8")])
    assert judged(one, other) == Judgement(False, "signature")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Jump Game III", "Jump Game IV", True),
        ("Frog 1", "Frog 2", True),
        ("3Sum", "4Sum", False),  # told apart by their texts: the titles have no common part
        ("Dreams (Easy Version)", "Dreams (Hard Version)", True),
        ("Increasing Prices I \N{LOCK}", "Increasing Prices II \N{LOCK}", True),
        ("Minimum Depth of Binary Tree", "Maximum Depth of Binary Tree", True),
        ("Can I Win", "Can I win", False),
        ("1. Two Sum", "Two Sum", False),
        ("组合总和 Ⅳ", "Combination Sum IV", False),
        ("组合总和 Ⅲ", "Combination Sum IV", True),
        ("求回文数", "求回文数（加强版）", True),
        ("最长回文 2", "Longest Palindrome II", False),
        ("数对 I", "Good Pairs II", True),
        ("Photo 2 (round version)", "Фото - 2 (online mirror version)", True),
        ("B1. Monitoring", "B2. Monitoring", True),
        ("B1. Monitoring", "D2. Monitoring", False),
        ("Long Strip", "Short Strip", True),
    ],
)
def test_families(one: str, other: str, apart: bool) -> None:
    assert family(one, other) is apart is family(other, one)


def test_versions_that_name_their_difficulty_are_two_tasks() -> None:
    both = "This is the {} version of the problem. The difference between the easy and the hard versions is the bound."
    assert contrast(both.format("easy"), both.format("hard"))
    assert contrast("Print the minimal answer.", "Print the maximal answer.")
    assert not contrast(both.format("hard"), f"{both.format('hard')} You may make hacks.")


def test_the_calls_that_a_test_program_asserts_are_examples() -> None:
    lines = ["assert candidate((3, 4), 5) == (12)", "assert candidate([7, 8], k=9) == 'ab'", "assert candidate(x) == 1"]
    program = "def check(candidate):\n    " + "\n    ".join(lines)
    asserted = profile("Mix the parts.", [], kind="asserts", entry_point="mix", test_code=program)
    shown = [("mix([3, 4], 5)", "12"), ("mix((7, 8), 9)", "'ab'")]
    told = profile("Write a function that mixes the two parts.", shown, kind="asserts", entry_point="mix")
    assert judged(asserted, told, "same_name").same
    others = [("mix([3, 4], 5)", "13"), ("mix((7, 8), 9)", "'ab'")]
    other = profile("Write a function that mixes the two parts.", others, kind="asserts", entry_point="mix")
    assert judged(asserted, other, "same_name") == Judgement(False, "samples_differ")


def test_assertions_without_an_equation_are_examples_too() -> None:
    lines = ["assert math.isclose(part(3, 4), 0.75, rel_tol=0.001)", "assert not part([7, 8, 9], 100)"]
    asserted = profile("Take a part.", [], kind="asserts", entry_point="part", test_code="\n".join(lines))
    shown = [("part(3, 4)", "0.75"), ("part([7, 8, 9], 100)", "False")]
    told = profile("Write a function that takes a part.", shown, kind="asserts", entry_point="part")
    assert judged(asserted, told, "same_name").same


def test_the_examples_of_a_docstring_are_no_words_of_its_text() -> None:
    shown, text = [("odd(2)", "False"), ("odd(7)", "True")], "Tell whether a number is odd."
    documented = f"{text}\n>>> odd(2)\nFalse\n>>> odd(7)\nTrue\n\nBe quick."
    one, other = (
        profile(said, shown, kind="asserts", entry_point="odd") for said in (f"{text}\n\nBe quick.", documented)
    )
    assert one.text.split() == other.text.split()
    assert judged(one, other, "same_name").same


def test_a_function_with_its_title_and_samples_is_found_where_the_text_is_lost() -> None:
    shown = [("s = 'ab'", "3"), ("s = 'c'", "1")]
    whole = profile(COUNT, shown, title="Count Letters", entry_point="Solution.countLetters")
    lost = profile("Return a number.", shown, title="Count letters", entry_point="countLetters")
    assert judged(whole, lost, "same_name").same
    longer = [("head = [1,2,3,5,7,9,9]", "[1,2,3,5,8,0,0]"), ("head = [4,5,9,9,9]", "[4,6,0,0,0]")]
    number = profile(f"Add one to a number. {COUNT}", longer, title="Plus One", entry_point="plusOne")
    nodes = profile("Given a linked list, add one.", longer, title="Plus One Linked List", entry_point="plusOne")
    assert not judged(number, nodes, "same_samples").same


def test_functions_of_opposite_names_stay_apart_where_no_sample_tells() -> None:
    text, shown = (
        "Find the {} of the first even and odd number. " + COUNT,
        [("[4, 1, 6, 8, 7]", "4"), ("[1, 10]", "10")],
    )
    quotient = profile(text.format("division"), shown, entry_point="div_even_odd")
    product = profile(text.format("product"), shown, entry_point="mul_even_odd")
    assert judged(quotient, product, "same_samples") == Judgement(False, "contrast")


def test_a_numeral_that_only_a_translation_has_is_no_sequel_at_the_same_address() -> None:
    chinese, shown = (
        "给你两个整数 `candies` 和 `people`，请返回一个数组。",
        [("7\n4", "[1,2,3,1]"), ("10\n3", "[5,2,3]")],
    )
    for url, same in (("https://leetcode.com/problems/distribute-candies", True), (None, False)):
        one = profile(COUNT, shown, title="Distribute Candies", url=url)
        other = profile(chinese, shown, title="分糖果 II", url=url, language="zh")
        assert judged(one, other, "same_address").same is same


def test_quotes_around_a_list_of_signs_are_no_signs() -> None:
    text, shown = "It consists of integers and operators {} and spaces. " + COUNT, [("s = '3+2*2'", "7")]
    one = profile(text.format("('+', '-', '*', '/')"), shown)
    assert judged(one, profile(text.format("`('+', '-', '*', '/')`"), shown)).same
    other = profile(text.format("('+', '-', '*', '%')"), shown)
    assert judged(one, other) == Judgement(False, "symbols")


def test_a_translation_at_the_same_address_may_show_other_samples_of_the_same_function() -> None:
    url, names = "https://leetcode.com/problems/longest-path", "`root` `value` `10^4` `-1000` `depth`"
    english = profile(f"Return the longest path. {names}", [("root = [5,4]", "1")], url=url, entry_point="longestPath")
    fields = {"url": url, "language": "zh", "entry_point": "longestPath"}
    assert judged(
        english, profile(f"返回最长的路径的长度。{names}", [("root = [1,1]", "2")], **fields), "same_address"
    ).same
    shorter = profile("返回最长的路径的长度。`10^5` `nodes`", [("root = [1,1]", "2")], **fields)
    assert judged(english, shorter, "same_address") == Judgement(False, "samples_apart")


def test_markup_of_formulas_does_not_hide_that_two_texts_are_one_with_other_bounds() -> None:
    text = "An edge *e*_{*i*} has a color *c*_{*i*} and joins *a*_{*i*} and *b*_{*i*}, and *n* ≤ {}. "
    shown = [("4 5\n1 2 1\n1 2 2", "2\n1\n0"), ("5 7\n1 5 1\n2 5 1", "1\n1\n1\n2")]
    bare = text.translate(dict.fromkeys(map(ord, "*_"))).replace("{i}", "i")
    large, small = (profile(3 * said.format(most), shown, kind="stdin")
                    for said, most in ((bare, "10^5"), (text.replace("{*i*}", "{{*i*}}"), "100")))  # fmt: skip
    assert judged(large, small, "same_samples") == Judgement(False, "constants")


def test_a_title_within_a_contest_is_no_address_beside_two_others() -> None:
    text, shown = "Find the sum of all cells that can be reached. " + COUNT + " 1 <= N <= {}", [("2\n11\n11", "5")]
    listed = {"kind": "stdin", "title": "Cells", "platform": "atcoder", "contest_id": "abc999"}
    first = profile(text.format(500), shown, url=f"{ATCODER}_f", **listed)
    second = profile(text.format(1500), shown, url=f"{ATCODER}_f2", **listed)
    assert judged(first, second, "same_address") == Judgement(False, "constants")
    assert judged(first, profile(text.format(500), shown, **listed), "same_address").same


def test_a_translation_of_a_small_task_is_found_by_all_its_samples_and_names() -> None:
    shown = [("5 5 7", "YES"), ("7 7 5", "NO")]
    english = profile("Phrases have $A$, $B$, $C$ of $5$, $7$ or $5$. $1 \\leq A,B,C \\leq 10$", shown, kind="stdin")
    japanese = "文節 $A$, $B$, $C$ は $5$, $7$, $5$ です。$1 \\leq A,B,C \\leq 10$"
    assert judged(english, profile(japanese, shown, kind="stdin", language="ja"), "same_samples").same
    other = profile("整数 $N$ は $12$ 以下です。", shown, kind="stdin", language="ja")
    assert judged(english, other, "same_samples") == Judgement(False, "few_samples")


def test_a_sentence_behind_a_bound_is_no_bound() -> None:
    shown = [("4 5 9 12 7", "11 15"), ("3 5 7 8 8", "66 9")]
    one = profile(f"{COUNT} It is guaranteed that for 1 ≤ i ≤ m the sum of sizes does not exceed 2·10^5;", shown)
    other = profile(
        f"{COUNT} It is guaranteed that for $1 \\leq i \\leq m$ the sum of sizes does not exceed $2 \\cdot 10^5$;",
        shown,
    )
    assert judged(one, other).same
