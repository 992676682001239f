"""Generated inputs keep what is true of the given ones; mutants, bounds and caps do what they say."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest

from microcoder_data.process.bounds import stated_bounds
from microcoder_data.schema import new_checker, new_row
from microcoder_data.verify.cap_by_strength import choose, passing
from microcoder_data.verify.input_invariants import learn, read_text, write_text
from microcoder_data.verify.mutants import mutants, normalised
from microcoder_data.verify.promises import promises, prove, unseen_validator
from microcoder_data.verify.strengthen import Strengthen, generate
from microcoder_data.verify.variations import variations

pytestmark = pytest.mark.fast


def varied(texts: list[str], statement: str = "", most: int = 60) -> list[str]:
    trees = [read_text(text) for text in texts]
    assert None not in trees
    known = [tree for tree in trees if tree is not None]
    return [write_text(tree) for tree in variations(known, stated_bounds(statement), "seed", most)]


@pytest.mark.parametrize(
    "of_a_package", [{"kind": "kattis_default"}, {"kind": "python", "style": "kattis", "code": "x"}]
)
def test_a_package_gets_no_inputs_that_its_validator_has_not_seen(of_a_package: dict[str, Any]) -> None:
    row = new_row(kind="stdin", statement="Add.", checker=new_checker(**of_a_package))
    nobody: Any = None
    assert generate(row, nobody, [], Strengthen()).refused == unseen_validator(row) != ""
    assert not unseen_validator(new_row(kind="stdin", statement="Add.", checker=new_checker("float", abs=0.1)))


def lists(seed: int) -> str:
    chance = random.Random(seed)
    size = chance.randint(1, 9)
    return f"{size}\n{' '.join(str(chance.randint(1, 50)) for _ in range(size))}\n"


def test_a_number_that_gives_a_size_still_gives_it() -> None:
    made = varied([lists(seed) for seed in range(8)], "1 <= n <= 100 and 1 <= a_i <= 60")
    assert len(made) > 20 and len({text.count(" ") for text in made}) > 2
    for text in made:
        size, numbers = text.splitlines()
        assert int(size) == len(numbers.split())
        assert all(1 <= int(number) <= 60 for number in numbers.split())


def test_permutations_stay_permutations() -> None:
    chance = random.Random(3)
    made = varied([f"{n}\n{' '.join(map(str, chance.sample(range(1, n + 1), n)))}\n" for n in (4, 5, 6, 7, 8)])
    assert made
    for text in made:
        size, numbers = text.splitlines()
        assert sorted(map(int, numbers.split())) == list(range(1, int(size) + 1))


def test_sorted_and_distinct_lists_stay_so() -> None:
    made = varied(["3\n1 4 9\n", "4\n2 3 5 8\n", "2\n1 7\n", "5\n1 2 3 4 9\n"])
    assert made
    for text in made:
        numbers = list(map(int, text.splitlines()[1].split()))
        assert numbers == sorted(set(numbers))


def test_rows_and_their_count_go_together() -> None:
    texts = ["2 3\n1 2\n2 1\n1 1\n", "4 1\n3 4\n", "5 4\n1 5\n5 2\n3 3\n4 1\n", "3 2\n3 1\n2 2\n"]
    made = varied(texts)
    assert made
    for text in made:
        (n, m), *edges = (list(map(int, line.split())) for line in text.splitlines())
        assert len(edges) == m and all(1 <= node <= n for edge in edges for node in edge)


def test_blocks_of_unknown_shape_keep_every_size() -> None:
    texts = ["2\n6\n1 2 3 9 9 4\n2\n4 4\n5\n1 2 3 4 5\n", "1\n2\n9 8\n1\n3\n", "3\n1\n5\n1\n6\n7\n7 7 1 3 2 1 8\n"]
    shapes = [[len(line.split()) for line in text.splitlines()] for text in texts]
    made = varied(texts)
    assert made and all([len(line.split()) for line in text.splitlines()] in shapes for text in made)


def test_the_same_problem_gets_the_same_inputs() -> None:
    texts = [lists(seed) for seed in range(5)]
    assert varied(texts) == varied(texts)


def test_texts_that_would_come_back_changed_are_left_alone() -> None:
    assert all(read_text(text) is None for text in ("1  2\n", "1\t2\n", "1 2\r\n3\n"))
    assert write_text(read_text("007 1.50\n\nx\n") or {}) == "007 1.50\n\nx\n"


def test_arguments_reach_their_own_stated_bounds() -> None:
    trees: list[dict[str, Any]] = [
        {"nums": [1, 2, 3], "k": 2},
        {"nums": [5, 5, 5, 1, 2], "k": 4},
        {"nums": [7], "k": 1},
    ]
    bounds = stated_bounds("1 <= nums.length <= 10^5, -10^9 <= nums[i] <= 10^9")
    made = variations(trees, bounds, "seed", 80)
    numbers = [number for tree in made for number in tree["nums"]]
    assert min(numbers) < -1000 and max(numbers) > 1000 and all(abs(number) <= 10**9 for number in numbers)
    assert all(1 <= tree["k"] <= len(tree["nums"]) for tree in made)


def test_facts_tell_likely_from_unlikely_inputs() -> None:
    facts = learn([{"s": "abba", "n": 4}, {"s": "bab", "n": 3}, {"s": "a", "n": 1}])
    assert facts.hold({"s": "aa", "n": 2})
    assert not facts.hold({"s": "aa", "n": 3}), "n is the length"
    assert not facts.hold({"s": "xx", "n": 2}), "letters that never occurred"
    assert not facts.hold({"s": "ab", "n": 2}), "no palindrome"


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("$1 \\leq n \\leq 2 \\cdot 10^{5}$", [("n", 1, 200_000)]),
        ("1 ≤ a, b < 1,000", [("a", 1, 999), ("b", 1, 999)]),
        ("-10^4 <= nums[i] <= 10^4", [("nums[i]", -10_000, 10_000)]),
        ("0 < |S| ≤ 10^{9}+7", [("|S|", 1, 10**9 + 7)]),
        ("1 <= s.length <= 3 * 10<sup>4</sup>", [("s.length", 1, 30_000)]),
        ("if 1 <= x or y <= 5", []),
        ("9 <= n <= 3", []),
    ],
)
def test_bounds_are_read_as_statements_write_them(text: str, bounds: list[tuple[str, int, int]]) -> None:
    assert [tuple(bound) for bound in stated_bounds(text)] == bounds


def test_mutants_differ_parse_and_are_always_the_same() -> None:
    loop = "for i in range(1, n):\n    if i % 3 == 0 and best < i:\n        best = max(best, i)"
    code = f"n = int(input())\nbest = 0\n{loop}\nprint(best)"
    found = mutants(code, 10).programs
    assert len(found) == len(set(found)) == 10 and found == mutants(code, 10).programs
    assert all(ast.unparse(ast.parse(text)) == text != ast.unparse(ast.parse(code)) for text in found)
    assert mutants("print 'no'", 3).programs == [] and mutants("pass", 3).programs == []


def test_only_reached_lines_outside_the_prelude_are_changed() -> None:
    prelude = "def helper(a):\n    return a + 1"
    code = f"{prelude}\n\ndef f(x):\n    if x > 3:\n        return x - 1\n    return x + 2"
    lines = normalised(code).split("\n")
    reached = {number for number, line in enumerate(lines, 1) if "x - 1" not in line}
    made = mutants(code, 50, reached, prelude)
    assert made.programs and made.unreached == 3
    assert all("return a + 1" in program and "return x - 1" in program for program in made.programs)


def promised(statement: str, *inputs: str, broken: str = "") -> tuple[str, bool, bool]:
    """What is refused, and whether the first input and `broken` pass."""
    trees = [tree for tree in map(read_text, inputs) if tree is not None]
    invariants = learn(trees)
    proof = prove(promises(statement), trees, invariants)

    def accepted(text: str) -> bool:
        tree = read_text(text)
        return tree is not None and proof.holds(tree) and invariants.hold(tree)

    return proof.refused, accepted(inputs[0]), accepted(broken or inputs[0])


def test_a_promise_is_kept_by_a_validator_or_no_inputs_are_made() -> None:
    trees = ("4\n1 2\n2 3\n2 4\n", "3\n1 2\n1 3\n", "4\n1 2\n2 3\n3 4\n", "4\n1 2\n2 4\n3 4\n")
    statement = "You are given a tree with n nodes."
    assert promised(statement, *trees, broken="4\n1 2\n1 2\n3 4\n") == ("", True, False)
    assert promised(statement, "4\n1 2\n2 3\n1 3\n")[0] == "tree", "a validator that a given input fails is none"
    rising = ("3\n1 4 9\n", "4\n2 3 5 8\n", "2\n1 9\n")
    assert promised("Given n numbers, sorted.", *rising, broken="2\n9 1\n") == ("", True, False)
    assert promised("It is guaranteed that an answer exists.", *rising)[0] == "guaranteed"
    assert promised("The input is generated such that one outlier exists.", *rising)[0] == "generated such that"
    assert promised("It is guaranteed that the sum of n does not exceed 100.", *rising)[0] == ""
    assert promised("Print the numbers in increasing order.", "2\n8 3\n", "2\n3 8\n")[0] == ""


def test_exactly_one_pair_is_counted() -> None:
    trees: list[dict[str, Any]] = [{"nums": [2, 7, 11, 15], "target": 9}, {"nums": [3, 2, 4], "target": 6}]
    statement = "Return indices of the two numbers that add up to target. Each input has exactly one solution."
    proof = prove(promises(statement), trees, learn(trees))
    assert not proof.refused and proof.holds({"nums": [1, 5, 9], "target": 6})
    assert not proof.holds({"nums": [3, 3, 3], "target": 6}) and not proof.holds({"nums": [1, 2], "target": 9})


def test_the_strongest_tests_let_least_through() -> None:
    tests = [{"input": "x" * size, "output": "1", "ref": None} for size in range(1, 9)]
    rejecting = [{0}, {0, 1}, {2}, set()]
    assert passing(rejecting, choose(tests, 2, "longest", rejecting)) == 3
    assert choose(tests, 2, "strong", rejecting) == [0, 2]
    assert len(choose(tests, 5, "strong", rejecting)) == 5
    assert choose(tests, 20, "strong", rejecting) == list(range(8))
