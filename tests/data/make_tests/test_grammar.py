"""Grammars of inputs: inferred from statements, refused where a restriction is not understood, sampled, checked."""

# ruff: noqa: E501 - a sentence of a statement is one line

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from microcoder_data.make_tests.grammar import Plan, Unclear, infer, plans, sample
from microcoder_data.schema import new_row

pytestmark = pytest.mark.fast

TWO_LINES = "The first line holds `n`. The second line holds `n` integers `a_1 ... a_n`."
GRAPH = (
    "The first line holds `n` and `m`. Each of the next `m` lines holds two towns `a` and `b` and the toll of a road."
)


def row(input_format: str, constraints: str, *inputs: str, statement: str = "Print a number.") -> dict[str, Any]:
    samples = [{"input": text, "output": "0", "explanation": None} for text in inputs]
    return new_row(
        problem_id="a:1", source="a", statement=statement, kind="stdin", input_format=input_format,
        constraints=constraints, samples=samples,
    )  # fmt: skip


def made(given: dict[str, Any], count: int = 60) -> list[str]:
    grammar = infer(given)
    return [text for plan in plans(grammar, count, 4) if (text := sample(grammar, plan, "seed")) is not None]


def test_a_list_within_its_bounds() -> None:
    given = row(TWO_LINES, "- 1 ≤ n ≤ 50\n- -3 ≤ a_i ≤ 10^9", "3\n1 2 3\n", "1\n-3\n")
    texts = made(given)
    sizes = set()
    for text in texts:
        first, second = text.splitlines()
        numbers = [int(word) for word in second.split(" ")]
        assert len(numbers) == int(first) and 1 <= len(numbers) <= 50
        assert all(-3 <= number <= 10**9 for number in numbers)
        sizes.add(len(numbers))
    values = {int(word) for text in texts for word in text.split()[1:]}
    assert {1, 50} <= sizes and {-3, 10**9} <= values


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("2\n1 2\n", ""),
        ("", "a list"),
        ("2\n1  2\n", "single spaces"),
        ("2\n1 2 \n", "single spaces"),
        ("2\n1 02\n", "not a whole number"),
        ("2\n1 2.0\n", "not a whole number"),
        ("2\n1\n", "2"),
        ("2\n1 2 3\n", "too many words"),
        ("2\n1 2\n3\n", "should have ended"),
        ("0\n\n", "not true: 1 <= n"),
        ("51\n" + " ".join(["1"] * 51) + "\n", "n <= 50"),
        ("2\n1 11\n", "a <= 10"),
        ("2\n1 \x002\n", "single spaces"),
        ("two\n1 2\n", "no number"),
    ],
)
def test_near_illegal_inputs_are_refused(text: str, fault: str) -> None:
    grammar = infer(row(TWO_LINES, "- 1 ≤ n ≤ 50\n- -3 ≤ a_i ≤ 10", "3\n1 2 3\n", "1\n-3\n"))
    found = grammar.fault(text)
    assert bool(found) == bool(fault), found


def test_relations_between_values_of_a_line() -> None:
    words = "The first line holds `L` and `n`. Each of the next `n` lines holds `s` and `e`."
    for text in made(row(words, "- 1 ≤ L ≤ 10^9\n- 1 ≤ n ≤ 9\n- 0 ≤ s < e ≤ L", "5 1\n0 5\n", "9 2\n1 2\n3 9\n")):
        (length, count), *parts = [list(map(int, line.split())) for line in text.splitlines()]
        assert len(parts) == count and all(0 <= start < end <= length for start, end in parts)


def test_names_from_the_story_and_different_ends() -> None:
    words = GRAPH.replace("two towns", "two different towns")
    story = "Towns `1` to `n` are joined by `m` roads."
    given = row(words, "- 2 ≤ n ≤ 30\n- 0 ≤ m ≤ 40\n- the toll is an integer from 1 to 100", "3 2\n1 2 5\n2 3 100\n",
                "2 1\n2 1 1\n", statement=story)  # fmt: skip
    edges = [tuple(map(int, line.split())) for text in made(given) for line in text.splitlines()[1:]]
    assert edges and all(a != b and min(a, b) >= 1 and 1 <= toll <= 100 for a, b, toll in edges)


def test_a_tree_stays_a_tree() -> None:
    words = "The first line holds `n`. Each of the next `n - 1` lines holds `a_i` and `b_i`."
    story = "A village has `n` houses joined by paths, so that there is exactly one way between any two houses."
    for text in made(row(words, "- 2 ≤ n ≤ 40", "3\n1 2\n3 2\n", "4\n1 2\n2 3\n2 4\n", statement=story)):
        count, *edges = [list(map(int, line.split())) for line in text.splitlines()]
        reached = {1}
        for _ in edges:
            reached |= {end for edge in edges if reached & set(edge) for end in edge}
        assert len(edges) == count[0] - 1 and reached == set(range(1, count[0] + 1))


def test_a_permutation_that_only_the_inputs_show() -> None:
    words = "The first line holds `k`. The second line holds a ballot: the numbers of the `k` candidates, best first."
    for text in made(row(words, "- 1 ≤ k ≤ 9", "3\n2 1 3\n", "4\n4 1 2 3\n")):
        first, second = text.splitlines()
        assert sorted(map(int, second.split())) == list(range(1, int(first) + 1))


def test_lines_with_keywords() -> None:
    words = "The first line holds `n`. Each of the next `n` lines holds `ADD x` or `TOP`."
    lines = [line for text in made(row(words, "- 1 ≤ n ≤ 9\n- 1 ≤ x ≤ 7\n- there is at least one `TOP`",
                                       "2\nADD 5\nTOP\n", "1\nTOP\n")) for line in text.splitlines()[1:]]  # fmt: skip
    assert {line.split()[0] for line in lines} == {"ADD", "TOP"}
    assert all(line == "TOP" or 1 <= int(line.split()[1]) <= 7 for line in lines)


def test_a_grid_with_exactly_one_start() -> None:
    words = "The first line holds `n` and `m`. Each of the next `n` lines describes a row with `m` characters: `.`, `#` or `S`. There is exactly one `S`."
    for text in made(row(words, "- 1 ≤ n, m ≤ 12", "1 2\nS.\n", "2 2\n#.\n#S\n")):
        first, *rows = text.splitlines()
        assert [len(rows), len(rows[0])] == list(map(int, first.split()))
        assert "".join(rows).count("S") == 1 and set("".join(rows)) <= set(".#S")


def test_test_cases_with_a_bounded_sum() -> None:
    words = (
        "The first line contains the number of test cases $t$. The first line of each test case contains an integer "
        "$n$. The second line of each test case contains $n$ integers $a_1, a_2, \\ldots, a_n$."
    )
    limits = "- $1 \\le t \\le 10$\n- $1 \\le n \\le 100$\n- $1 \\le a_i \\le 9$\n- the sum of $n$ over all test cases does not exceed $120$"
    totals = []
    for text in made(row(words, limits, "2\n1\n5\n2\n3 4\n", "1\n3\n1 1 9\n")):
        lines = text.splitlines()
        counts = [int(line) for line in lines[1::2]]
        assert int(lines[0]) == len(counts) and sum(counts) <= 120
        assert all(len(line.split()) == count for line, count in zip(lines[2::2], counts, strict=True))
        totals.append(sum(counts))
    assert max(totals) > 60


@pytest.mark.parametrize(
    "sentence",
    [
        "The first and the last number are not equal.",
        "It is guaranteed that the answer exists.",
        "No three points lie on a line.",
        "The stock never falls below 0.",
        "Exactly one of the numbers is odd.",
        "The roads form a tree.",
        "You can assume that the row has numbers of all three types.",
        "It is guaranteed that a_1 is odd and 1 ≤ n.",
        "We may assume, as in the picture, that this is a walk.",
    ],
)
def test_what_nobody_can_read_ends_the_attempt(sentence: str) -> None:
    limits = "- 1 ≤ n ≤ 50\n- 1 ≤ a_i ≤ 10"
    infer(row(TWO_LINES, limits, "3\n1 2 3\n", "1\n3\n"))
    with pytest.raises(Unclear):
        infer(row(f"{TWO_LINES} {sentence}", limits, "3\n1 2 3\n", "1\n3\n"))


@pytest.mark.parametrize("piece", ["nums ", "is sorted in ", "a_", "1 <= ", "5 x ", "the values of the nodes "])
def test_an_endless_sentence_ends_the_attempt_by_name(piece: str) -> None:
    with pytest.raises(Unclear, match="characters"):
        infer(row(f"{TWO_LINES}\n{piece * (10_000 // len(piece))}", "1 ≤ n ≤ 5, 1 ≤ a_i ≤ 9", "1\n3\n"))
    with pytest.raises(Unclear, match="characters"):
        infer(row(TWO_LINES, piece * (10_000 // len(piece)), "1\n3\n"))


def test_permissions_do_not() -> None:
    limits = "- 1 ≤ n ≤ 50\n- 1 ≤ a_i ≤ 10"
    infer(row(f"{TWO_LINES} The numbers may be equal. They come in no particular order.", limits, "2\n1 2\n", "1\n3\n"))


def test_a_known_input_outside_the_bounds_is_a_contradiction() -> None:
    with pytest.raises(Unclear, match="contradicts the statement"):
        infer(row(TWO_LINES, "- 1 ≤ n ≤ 50\n- 1 ≤ a_i ≤ 10", "3\n1 2 30\n"))


def test_a_value_without_bounds_stays_within_what_is_known() -> None:
    grammar = infer(row(TWO_LINES, "- 1 ≤ n ≤ 5", "3\n1 2 30\n", "1\n4\n"))
    assert grammar.assumed == ("a from 1 to 30",)
    assert "known to be allowed" in grammar.fault("1\n31\n")


@pytest.mark.parametrize("length", ["0 ≤ |s_i| ≤ 10", "|s_i| ≤ 10", "-5 ≤ |s_i| ≤ 3"])
def test_no_word_of_a_line_is_empty(length: str) -> None:
    words = "The first line holds `n`. The second line holds `n` words `s_1 ... s_n`."
    given = row(words, f"- 1 ≤ n ≤ 5\n- {length}", "2\nabc d\n", "1\nx\n")
    texts = made(given)
    assert len(texts) > 20 and not [text for text in texts if infer(given).fault(text)]


def test_a_word_whose_length_may_be_0_makes_no_empty_line() -> None:
    words = "The first line holds `n`. The second line holds a word of length `n`."
    given = row(words, "- 0 ≤ n ≤ 5", "2\nab\n", "1\nx\n")
    texts = made(given)
    assert len(texts) > 20 and not [text for text in texts if infer(given).fault(text)]


@pytest.mark.parametrize("most", ["10^18", "10^100", "10^5000"])
def test_numbers_that_no_reader_holds_are_not_taken_for_words(most: str) -> None:
    known = "2\n123 1" + "0" * 80 + "\n"
    with pytest.raises(Unclear):
        infer(row(TWO_LINES, f"- 1 ≤ n ≤ 5\n- 0 ≤ a_i ≤ {most}", known, "1\n5\n"))
    bits = "The first line holds a string `s` of `0` and `1`."
    infer(row(bits, "- 1 ≤ |s| ≤ 200", "0110\n", "1" + "0" * 80 + "\n"))
    with pytest.raises(Unclear, match="60 digits or more"):
        infer(row("The first line holds an integer `x`.", f"- 0 ≤ x ≤ {most[:5]}", "123\n", "1" + "0" * 80 + "\n"))


def test_the_same_seed_gives_the_same_inputs() -> None:
    grammar = infer(row(TWO_LINES, "- 1 ≤ n ≤ 50\n- 1 ≤ a_i ≤ 10", "3\n1 2 3\n", "1\n3\n"))
    plan = Plan("medium", "", 3)
    assert sample(grammar, plan, "x") == sample(grammar, plan, "x") != sample(grammar, plan, "y")


def test_an_unbounded_value_stays_below_what_bounds_the_known_ones() -> None:
    words = "The first line holds `n` and `m`. The second line holds `n` integers, the numbers on the wheels."
    grammar = infer(row(words, "- 1 ≤ n ≤ 9\n- 2 ≤ m ≤ 100", "2 10\n9 1\n", "5 4\n3 0 1 2 3\n"))
    assert not grammar.fault("1 50\n9\n")
    assert "known to be allowed" in grammar.fault("1 50\n10\n")
    assert "wheel < m" in grammar.fault("1 5\n7\n")


@pytest.mark.parametrize(
    "sentences",
    [
        "The input consists of a single integer $n$ ($1 \\le n \\le 40$).",
        "The input contains one integer `n`, `1 ≤ n ≤ 40`.",
        "Input consists of a single line containing an integer $n$ ($1 \\le n \\le 40$).",
        "The input consists of:\n\n- One line containing an integer $n\\ (1 \\le n \\le 40)$, the age of $f$.",
        "The input consists of one line.\n\nThe first line contains $1 \\le n \\le 40$, the age.",
        "The first line contains the number of cards ($1 \\leq n \\leq 40$).",
    ],
)
def test_one_number_however_the_line_and_its_bounds_are_written(sentences: str) -> None:
    grammar = infer(row(sentences, "", "3\n", "5\n"))
    assert [grammar.fault(f"{number}\n") == "" for number in (0, 1, 40, 41)] == [False, True, True, False]


@pytest.mark.parametrize(
    "sentences",
    [
        "The first line has $n$ ($1 \\le n \\le 9$). Then follow $n$ lines with two integers $x$, $y$ ($|x|,|y| \\le 7$).",
        "The input starts with $n$ ($1 \\le n \\le 9$). This is followed by $n$ lines, each containing two integers "
        "$x_i$ and $y_i$ ($|x_i| \\le 7$, $|y_i| \\le 7$), where corner $i$ stands.",
        "The input consists of:\n\n- One line with one integer $n$ ($1 \\le n \\le 9$).\n"
        "- $n$ lines, the $i$th of which contains two integers $x_i, y_i$ ($-7 \\le x_i, y_i \\le 7$).",
        "- A line with $n$ ($1 \\le n \\le 9$).\n- $n$ lines, each with two integers $x$ and $y$ ($|x|, |y| \\leq 7$).",
    ],
)
def test_lines_of_pairs_however_they_are_announced(sentences: str) -> None:
    grammar = infer(row(sentences, "", "2\n1 -2\n3 4\n", "1\n5 5\n"))
    assert grammar.fault("1\n-7 7\n") == ""
    assert all(grammar.fault(text) for text in ("1\n-8 7\n", "1\n1 8\n", "2\n1 1\n", "0\n"))


def test_a_line_that_is_announced_by_the_one_before() -> None:
    sentences = "The input is given on a line with an integer $n$ ($0 \\le n \\le 9$), followed by a line with $c_1, \\ldots, c_n$."
    grammar = infer(row(sentences, "- $2 \\le c_i \\le 3$", "2\n2 3\n", "1\n2\n"))
    assert grammar.fault("3\n2 2 3\n") == "" and grammar.fault("1\n4\n")


def test_a_word_is_no_keyword_because_of_a_formula() -> None:
    sentences = "- One line with a string $s$ ($1 \\leq |s| \\leq 9$). It consists of the characters `h` and `d`."
    grammar = infer(row(sentences, "", "hdd\n", "d\n"))
    assert grammar.fault("hhhhhhhhh\n") == "" and grammar.fault("hhhhhhhhhh\n") and grammar.fault("x\n")


@pytest.mark.parametrize("most", ["n(n-1)/2", "\\frac{n(n-1)}{2}", "\\frac{n \\cdot (n-1)}{2}"])
def test_bounds_with_a_quotient(most: str) -> None:
    sentences = f"The line holds $n$ and $m$ ($1 \\le n \\le 9$, $0 \\le m \\le {most}$)."
    grammar = infer(row(sentences, "", "4 2\n", "3 1\n"))
    assert grammar.fault("9 36\n") == "" and grammar.fault("9 37\n")


def test_names_with_different_subscripts_are_different_values() -> None:
    sentences = (
        "The first line holds $d_s$ and $y_s$ ($0 \\le d_s < y_s \\le 50$). "
        "The second line holds $d_m$ and $y_m$ ($0 \\le d_m < y_m \\le 60$)."
    )
    grammar = infer(row(sentences, "", "3 10\n1 2\n"))
    assert grammar.fault("49 50\n59 60\n") == "" and grammar.fault("49 51\n1 2\n") and grammar.fault("3 10\n2 2\n")


@pytest.mark.parametrize("said", ["The points are at distinct coordinates.", "There are no duplicate points.",
                                  "No two points are at the same position."])  # fmt: skip
def test_points_that_must_differ(said: str) -> None:
    sentences = f"The first line holds $n$. Each of the next $n$ lines holds $x$ and $y$. {said}"
    grammar = infer(row(sentences, "- $1 \\le n \\le 9$\n- $0 \\le x, y \\le 9$", "2\n1 2\n3 4\n"))
    assert grammar.fault("2\n1 2\n2 1\n") == "" and grammar.fault("2\n1 2\n1 2\n")


def test_what_a_letter_means_restricts_nothing() -> None:
    sentences = (
        "The line holds a word $s$ ($1 \\le |s| \\le 9$). The $i$-th letter is a `W` if he is awake, else a `Z`."
    )
    assert infer(row(sentences, "", "WZ\n", "ZZZ\n")).fault("ZZZZZZZZZ\n") == ""


def test_a_number_that_follows_from_the_rest_ends_the_attempt() -> None:
    sentences = (
        "The first line holds $n$ and $k$, the number of different values. The second line holds $n$ integers $a_i$."
    )
    with pytest.raises(Unclear, match="follows from the rest"):
        infer(row(sentences, "- $1 \\le n, k, a_i \\le 9$", "3 2\n1 1 2\n"))


def test_bounds_in_words() -> None:
    sentences = (
        "The first line holds a single positive integer $n\\leq9$. Each of the next $n$ lines contains a non-negative "
        "integer less than or equal to $20$. The last line holds a non-empty string of at most 7 letters."
    )
    grammar = infer(row(sentences, "", "2\n3\n4\nabc\n", "1\n7\ncb\n"))
    assert grammar.fault("9\n" + 8 * "0\n" + "20\naaaaaaa\n") == ""
    assert all(
        grammar.fault(text) for text in ("0\na\n", "10\n" + 10 * "1\n" + "a\n", "1\n21\na\n", "1\n1\naaaaaaaa\n")
    )


def test_a_name_that_two_lines_have_is_bounded_on_both() -> None:
    sentences = (
        "The first line holds $n$ and $m$ ($2 \\le n \\le 9$, $1 \\le m \\le n(n-1)/2$). "
        "Each of the next $m$ lines holds two nodes $a$ and $b$ ($0 \\le a, b \\le n-1$). "
        "After this follow another $m$ lines with two nodes $a$ and $b$."
    )
    given = row(sentences, "", "4 2\n0 1\n1 3\n2 3\n0 1\n", "3 1\n0 2\n2 1\n")
    grammar = infer(given)
    assert grammar.fault("9 1\n0 8\n8 0\n") == "" and grammar.fault("9 1\n0 8\n9 0\n")
    assert grammar.fault("4 2\n0 1\n1 0\n2 3\n0 1\n") and grammar.fault("3 1\n0 0\n0 1\n")  # as in the known inputs
    assert len(made(given)) > 40


def test_a_bound_outside_of_brackets_counts() -> None:
    sentences = "The first line holds $1 \\leq n \\leq 8$, the number of people. The next line holds $n$ integers $1 \\le a_i \\le 6$."
    grammar = infer(row(sentences, "", "2\n1 2\n"))
    assert (
        grammar.fault("8\n6 6 6 6 6 6 6 1\n") == ""
        and grammar.fault("9\n1 1 1 1 1 1 1 1 1\n")
        and grammar.fault("1\n7\n")
    )


@pytest.mark.parametrize(
    "line",
    [
        "an integer $k$ ($0 \\le k \\le 4$) and a list of $k$ integers",
        "$k$ ($0 \\le k \\le 4$), followed by $k$ distinct integers",
        "an integer `k` (`0 ≤ k ≤ 4`), then `k` space-separated integers $x_1, \\ldots, x_k$",
    ],
)
def test_a_count_and_so_many_values_on_one_line(line: str) -> None:
    given = row(f"The first line holds $n$. Each of the next $n$ lines contains {line}.", "- $1 \\le n \\le 9$",
                "3\n0\n1 7\n3 9 1 2\n", "1\n2 1 8\n")  # fmt: skip
    grammar = infer(given)
    assert grammar.fault("1\n4 1 2 3 4\n") == "" and grammar.fault("1\n2 1\n") and grammar.fault("1\n5 1 2 3 4 5\n")
    assert len(made(given)) > 30


@pytest.mark.parametrize("sentence", ["`s` consists of small letters and is a palindrome.",
                                      "The string will only contain the letters `a`-`z`, no two of them the same."])  # fmt: skip
def test_what_is_said_besides_the_letters_is_not_lost(sentence: str) -> None:
    with pytest.raises(Unclear, match="no reader knows"):
        infer(row(f"The line holds a string `s` (`1 ≤ |s| ≤ 9`). {sentence}", "", "aba\n"))


@pytest.mark.parametrize(
    ("said", "letters"),
    [
        ("The string will only contain lowercase letters `a-z`.", "az"),
        ("The string consists solely of the characters `A-Z` and `a-z`.", "azAZ"),
        ("`s` consists of small letters only.", "az"),
    ],
)
def test_letters_of_a_word(said: str, letters: str) -> None:
    grammar = infer(row(f"The line holds a string `s` (`1 ≤ |s| ≤ 9`). {said}", "", "aba\n"))
    assert grammar.fault(f"{letters}\n") == "" and grammar.fault("1\n") and grammar.fault("0z\n")


@pytest.mark.parametrize(
    "sentences",
    [
        "The line holds a colour $s$ ($s$ is either “`red`”, “`blue`” or “`green`”).",
        "The input consists of a single string. You may assume that it is one of the following:\n\n- `red`\n- `blue`\n- `green`",
    ],
)
def test_a_word_out_of_a_list(sentences: str) -> None:
    grammar = infer(row(sentences, "", "red\n", "blue\n"))
    assert grammar.fault("green\n") == "" and grammar.fault("bed\n")
    with pytest.raises(Unclear, match="does not list"):
        infer(row(sentences, "", "red\n", "yellow\n"))


def test_lines_that_a_later_sentence_describes() -> None:
    sentences = (
        "The first line holds $n$ ($2 \\le n \\le 9$). The second line contains $n-1$ integers $d_i$ ($0 \\le d_i \\le 8$). "
        "The next $n$ lines describe the roads. The $i$-th such line contains two integers $a$ and $b$ ($1 \\le a, b \\le 7$), "
        "that is, $a + b \\le 12$."
    )
    grammar = infer(row(sentences, "", "2\n8\n1 2\n3 4\n", "3\n1 2\n5 6\n1 1\n2 2\n"))
    assert grammar.fault("2\n0\n7 5\n1 1\n") == ""
    assert all(grammar.fault(text) for text in ("2\n0 0\n7 5\n1 1\n", "2\n9\n7 5\n1 1\n", "2\n0\n7 6\n1 1\n"))


def test_two_numbers_after_a_name_are_no_list() -> None:
    given = row("The only line holds a town $k$ ($1 \\le k \\le 9$) and two integers.", "", "2 5 6\n", "2 7 8\n")
    with pytest.raises(Unclear, match="how many values"):
        infer(given)


@pytest.mark.parametrize(
    "said",
    [
        "You can assume that 1 ≤ a_i ≤ 10.",
        "It is guaranteed that 1 ≤ a_i, ≤ 10.",
        "Note that it takes a minute, and you must begin in the first minute. 1 ≤ a_i ≤ 10.",
        "They are given in the order in which they arrive at the station. 1 ≤ a_i ≤ 10.",
        "They come in the order they appear on the circle, 1 ≤ a_i ≤ 10.",
    ],
)
def test_what_is_agreed_upon_counts_and_what_the_solver_must_do_does_not(said: str) -> None:
    grammar = infer(row(f"{TWO_LINES} {said}", "- 1 ≤ n ≤ 5", "3\n1 2 3\n", "1\n3\n"))
    assert grammar.fault("2\n1 10\n") == ""
    assert grammar.fault("2\n1 11\n") and grammar.fault("2\n0 1\n")


def test_a_story_about_what_would_never_happen_promises_nothing() -> None:
    story = "With candies of a single kind, you would never be able to pack a box! Print a number."
    limits = "- 1 ≤ n ≤ 50\n- 1 ≤ a_i ≤ 10"
    infer(row(TWO_LINES, limits, "3\n1 2 3\n", statement=story))
    with pytest.raises(Unclear):
        infer(row(TWO_LINES, limits, "3\n1 2 3\n", statement="A box is never packed with one kind."))


@pytest.mark.parametrize(
    "line",
    [
        "The second line holds a string `s` of length `n`, consisting of the characters `0` and `1`.",
        "The second line contains a word of 0 and 1 of length `n`.",
    ],
)
def test_a_word_has_the_length_that_another_number_gives(line: str) -> None:
    given = row(f"The first line holds `n` (1 ≤ n ≤ 50). {line}", "", "4\n0101\n", "2\n10\n", "11\n01100110011\n")
    grammar = infer(given)
    assert grammar.fault("3\n011\n") == "" and grammar.fault("3\n01\n") and grammar.fault("1\n00\n")
    for text in made(given):
        count, word = text.split()
        assert len(word) == int(count)


def test_the_length_of_a_word_in_a_sentence_of_its_own() -> None:
    said = "The only line contains a string $S$, consisting only of lower-case letters ‘`a`’-‘`z`’. "
    grammar = infer(row(f"{said}The length of $S$ is at least $1$ and at most $10^6$.", "", "yarn\n", "pastime\n"))
    assert grammar.fault("z\n") == "" and grammar.fault("a" * 1000 + "\n") == ""
    assert grammar.fault("Z\n") and grammar.fault("a" * (10**6 + 1) + "\n")


def test_lines_after_a_colon_and_an_order_said_twice() -> None:
    sentences = (
        "The first line contains an integer $n$ ($1 \\le n \\le 50$). The following $n$ lines contain the lap times and "
        "laps: the $i$-th line contains two integers $t_i$ and $c_i$ ($1 \\le t_i, c_i \\le 9$). The players are sorted in "
        "decreasing order of speed, that is, $t_1 \\le t_2 \\le \\ldots \\le t_n$."
    )
    grammar = infer(row(sentences, "", "2\n4 8\n7 6\n"))
    assert grammar.fault("3\n1 9\n1 1\n2 1\n") == "" and grammar.fault("2\n2 1\n1 1\n")


def test_lines_in_the_same_sentence_as_their_count() -> None:
    sentences = "The first line contains an integer $n$, $2 \\le n \\le 50$, followed by $n$ lines of length $n$ giving the map."
    grammar = infer(row(sentences, "", "3\n122\n212\n221\n", "2\n12\n33\n"))
    assert grammar.fault("2\n11\n11\n") == "" and grammar.fault("2\n11\n1\n") and grammar.fault("2\n11\n")


def test_lines_that_follow_a_line_inside_something_repeated() -> None:
    sentences = (
        "The first line holds `e`. Each event is given as a line with `n`, followed by `n` lines, each with a score."
    )
    grammar = infer(row(sentences, "- 1 ≤ e, n ≤ 9", "2\n1\n5\n2\n6\n7\n", "1\n1\n4\n"))
    assert grammar.fault("2\n1\n5\n1\n6\n") == "" and grammar.fault("2\n1\n5\n2\n6\n")


@pytest.mark.parametrize(
    "lines",
    [
        "The next `n` lines describe the times in increasing order. Each line contains an integer `t`.",
        "The next `n` lines describe the times in increasing order. Each of these lines contains an integer `t`.",
        "Each of the next `n` lines contains an integer `t`, in increasing order.",
        "Each of the next `n` lines contains an integer `t`. The bus times are given in strictly increasing order.",
    ],
)
def test_an_order_of_values_on_lines_of_their_own_holds(lines: str) -> None:
    given = row(f"The first line holds `n`. {lines}", "- 1 ≤ n, t ≤ 9", "2\n4\n7\n", "1\n3\n")
    grammar = infer(given)
    assert grammar.fault("3\n1\n2\n9\n") == ""
    assert grammar.fault("2\n5\n3\n") and grammar.fault("2\n5\n5\n")
    assert len({text for text in made(given) if text[0] != "1"}) > 5


def test_an_order_of_values_on_one_line_holds_and_one_of_several_columns_is_unclear() -> None:
    grammar = infer(row("The only line holds two integers `a` and `b` in increasing order.", "- 0 ≤ a, b ≤ 9", "2 4\n"))
    assert grammar.fault("0 9\n") == "" and grammar.fault("4 2\n") and grammar.fault("4 4\n")
    lines = "Each of the next `n` lines holds two integers `a` and `b`, in increasing order of `b`."
    with pytest.raises(Unclear, match="in order"):
        infer(row(f"The first line holds `n`. {lines}", "- 0 ≤ n, a, b ≤ 9", "2\n2 4\n1 5\n"))


def test_different_values_on_lines_of_their_own_stay_different() -> None:
    lines = "The first line holds `n`. Each of the next `n` lines holds a number `x`, all of them distinct."
    grammar = infer(row(lines, "- 1 ≤ n, x ≤ 9", "2\n4\n7\n"))
    assert grammar.fault("2\n1\n9\n") == "" and grammar.fault("2\n4\n4\n")


@pytest.mark.parametrize(
    "line",
    [
        "The only line contains a string of characters '`U`' and '`D`', indicating that somebody wants it up or down.",
        "The only line consists of a string of uppercase letters “`U`” or “`D`”, denoting who scored each point.",
    ],
)
def test_letters_and_meanings_are_no_values(line: str) -> None:
    said = f"{line} The string has length at least $2$ and at most $10$. You should compute the total number of points."
    grammar = infer(row(said, "", "UUDD\n", "UD\n"))
    assert grammar.fault("DUDUDUDUDU\n") == ""
    assert grammar.fault("U\n") and grammar.fault("UUUUUUUUUUU\n") and grammar.fault("UX\n")


def test_two_lines_in_one_sentence_and_a_count_in_the_other_case() -> None:
    said = "The first line holds `N`. The next `n` lines contain a number `a` each. The last two lines contain the words $s$ respectively $t$."
    grammar = infer(
        row(said, "- 1 ≤ N, a ≤ 9\n- s and t consist of the letters `a` and `b`", "2\n4\n4\nab\nb\n", "1\n1\na\nbbb\n")
    )
    assert grammar.fault("1\n9\nb\na\n") == "" and grammar.fault("2\n9\nb\na\n") and grammar.fault("1\n9\nb\n")


@pytest.mark.parametrize(
    ("constraints", "known", "places", "exact"),
    [
        ("1 ≤ n ≤ 20\n\n-2.5 ≤ a_i ≤ 99.75, with at most 3 digits after the decimal point", "2\n0.5 1\n", 3, False),
        ("1 ≤ n ≤ 20\n\n-2.5 ≤ a_i ≤ 99.75", "2\n0.25 1.50\n", 2, True),
        ("1 ≤ n ≤ 20\n\n-2.5 < a_i < 99.75", "2\n0.5 3\n", 1, False),
    ],
)
def test_numbers_with_a_decimal_point(constraints: str, known: str, places: int, exact: bool) -> None:
    line = TWO_LINES.replace("integers", "numbers")
    texts = made(row(line, constraints, known))
    tokens = [token for text in texts for token in text.split()[1:]]
    assert len(set(tokens)) > 20
    for token in tokens:
        digits = len(token.partition(".")[2])
        assert digits == places if exact else digits <= places
        assert Fraction("-2.5") <= Fraction(token) <= Fraction("99.75")
    ends = {Fraction(token) for token in tokens}
    assert (Fraction("-2.5") in ends) is ("<" not in constraints)


def test_a_decimal_number_without_a_bound_stays_within_the_known_ones() -> None:
    texts = made(row("The only line holds a number `x`.", "", "0.75\n", "3.5\n"))
    assert texts and all(Fraction("0.75") <= Fraction(text.strip()) <= Fraction("3.5") for text in texts)


def test_a_graph_that_is_to_be_constructed_says_nothing_of_single_numbers() -> None:
    said = {"statement": "Construct roads so that all towns are connected. Print -1 if there is no such tree."}
    numbers = row("One line with `n` and `m`.", "- 2 ≤ n ≤ 100\n- 1 ≤ m ≤ 10^4", "3 2\n", "9 30\n", **said)
    assert {tuple(map(int, text.split())) for text in made(numbers)} >= {(2, 1), (100, 10**4)}
    words = "The first line holds `n`. The second line holds a word `s` of `n` letters."
    for given in (
        row(GRAPH, "- 1 ≤ n, m ≤ 9\n- 1 ≤ a, b ≤ n\n- 1 ≤ toll ≤ 5", "4 2\n1 2 1\n3 4 1\n", **said),
        row(words, "- 1 ≤ n ≤ 9\n- `s` consists of small letters", "2\nab\n", **said),
    ):
        with pytest.raises(Unclear, match="the statement says"):
            infer(given)


def test_what_is_not_always_so_is_no_promise() -> None:
    bounds = "- 1 ≤ n ≤ 50\n- 1 ≤ a_i ≤ 9"
    denied = "The sources are not always reliable, and it isn't guaranteed that the sun shines."
    assert made(row(TWO_LINES, bounds, "3\n1 2 3\n", statement=denied))
    promised = "The sources are always reliable, and nobody knows how."
    with pytest.raises(Unclear, match="no reader knows"):
        infer(row(TWO_LINES, bounds, "3\n1 2 3\n", statement=promised))


def test_points_written_as_pairs_differ() -> None:
    words = "The first line holds `n`. Each of the next `n` lines holds `x_1`, `y_1`, `x_2` and `y_2` where $(x_1, y_1) \\neq (x_2, y_2)$."
    texts = made(row(words, "- 1 ≤ n ≤ 9\n- 0 ≤ x_1, y_1, x_2, y_2 ≤ 1", "1\n0 0 0 1\n", "2\n1 0 0 1\n1 1 1 0\n"))
    assert texts
    for text in texts:
        assert all(line.split()[:2] != line.split()[2:] for line in text.splitlines()[1:])


@pytest.mark.parametrize(
    "said", ["They are distinct.", "These are all different.", "They are in strictly increasing order."]
)
def test_they_are_the_values_of_the_line_before(said: str) -> None:
    words = f"The first line holds `n`. The next line holds `n` ages `a_1 ... a_n`. {said} The last line holds a number `k`."
    texts = made(row(words, "- 1 ≤ n ≤ 6\n- 1 ≤ a_i ≤ 8\n- 1 ≤ k ≤ 8", "3\n1 2 5\n2\n", "1\n4\n4\n"))
    assert texts
    for text in texts:
        ages = text.splitlines()[1].split()
        assert len(set(ages)) == len(ages) and ("order" not in said or ages == sorted(ages, key=int))


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (
            "`n` is the number of throws, `k` the number of different numbers that are needed and `s` is the number of sides.",
            True,
        ),
        ("The walls thus have their centers at $(x, y) = (-k/2, 0)$.", True),
        ("`n` is the number of throws, `k` the number of sides and `s` is even.", False),
        ("Therefore `n` is always even.", False),
        ("It is thus guaranteed that `n` is prime.", False),
    ],
)
def test_what_numbers_stand_for_and_what_follows_restricts_nothing(said: str, read: bool) -> None:
    given = row(f"The only line holds `n`, `s` and `k`. {said}", "- 1 ≤ n, s, k ≤ 50", "3 3 2\n", "4 5 3\n")
    if read:
        assert made(given)
    else:
        with pytest.raises(Unclear, match="no reader knows"):
            infer(given)


def test_a_number_of_different_values_of_a_list_is_no_definition() -> None:
    words = "The first line holds `n` and `k`. The second line holds `n` integers `a_1 ... a_n`. Here `n` is the length and `k` is the number of different ones."
    with pytest.raises(Unclear, match="no reader knows"):
        infer(row(words, "- 1 ≤ n, k ≤ 50\n- 1 ≤ a_i ≤ 50", "3 2\n1 2 2\n", "1 1\n4\n"))


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("He writes a summary of “The never ending story”.", True),
        ('"It must always rain," says Ann.', True),
        ("The prices never fall.", False),
    ],
)
def test_a_title_and_what_somebody_says_promise_nothing(said: str, read: bool) -> None:
    given = row(TWO_LINES, "- 1 ≤ n ≤ 50\n- 1 ≤ a_i ≤ 50", "3\n1 2 3\n", "1\n3\n", statement=said)
    if read:
        assert made(given)
    else:
        with pytest.raises(Unclear, match="no reader knows"):
            infer(given)


def test_the_number_of_a_line_is_no_value_of_it() -> None:
    words = "The first line holds `n`. Each of the next `n` lines holds an integer `c` and a real value `p`, the amount in the $i$th pot and its price."
    for text in made(row(words, "- 1 ≤ n ≤ 9\n- 1 ≤ c ≤ 9\n- 0 ≤ p ≤ 1\n- All numbers have at most two digits after the decimal point.",
                         "2\n5 0.3\n1 0.25\n", "1\n2 0.5\n")):  # fmt: skip
        assert all(len(line.split()) == 2 for line in text.splitlines()[1:])
