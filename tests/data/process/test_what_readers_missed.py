"""Faults that readers of real rows found after the rules stood: examples of the same kinds, all invented."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_data.fidelity.loss import row_loss, text_loss
from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.checker import FindChecker, checker_from
from microcoder_data.process.completeness import Completeness
from microcoder_data.process.figures import missing_figure, remove_dead_figures
from microcoder_data.process.html_text import html_to_markdown
from microcoder_data.process.markup import Markup, to_markdown
from microcoder_data.process.samples import Samples
from microcoder_data.process.sections import Sections
from microcoder_data.process.several_answers import several_answers
from microcoder_data.process.tex_text import tex_to_markdown
from microcoder_data.rules import apply_rules
from microcoder_data.schema import new_checker, new_row, new_test
from tests.data.process.rows import row

pytestmark = pytest.mark.fast


def program(statement: str, *answers: str, **parts: str) -> dict[str, Any]:
    tests = [new_test(f"{number}\n", answer) for number, answer in enumerate(answers)]
    return new_row(statement=statement, kind="stdin", tests=tests, **parts)


@pytest.mark.parametrize(
    "said",
    [
        "Find two increasing sequences X and Y such that the cost is as small as it can be.",
        "Return _any grid of hats that satisfies the wishes_.",
        "모자가 둘 이상일 경우에는 그 중 아무것이나 하나를 출력한다.",
        "S'il existe plusieurs façons d’y aller, affichez-en une.",
        "Print a placement of lamps consistent with this plan.",
        "Find a way to paint the tiles satisfying the condition.",
        "If some order of the lids meets the wishes, output such a P separated by spaces.",
        "Construct a good coloring of the board.",
        "If he can reach the hut, show one way to do so.",
        "If it can be built, print one.",
        "Determine whether a fair split exists, and construct one example.",
        "The output will be judged correct if the roads meet the wishes.",
        "Present one such way of naming the boats.",
        "If it can be done, print an instance of a in one line.",
        "The i-th of these lines is the i-th element of a possible permutation.",
        "Find any grid of hats in which each hat has two neighbours, or say that there is none.",
        "Find a permutation p that is good or determine that no such permutation exists.",
        "If more than one plan fits, there are multiple answers and anyone will do.",
        "Find an array of hats that could have been the first one.",
        "Print the largest T and a possible set of lamps.",
        "Print the least cost, and one specific way to hang the lamps that costs as much.",
        "Print YES, then n integers b_1, b_2, ..., b_n, describing the division.",
        'Print "Yes" if it is possible to paint the hats. In case your answer is "Yes", print n integers, the colors.',
        "If it is impossible to reach the hut, print NO. Otherwise, print YES and the array a of the stones.",
        "Can you come up with a scheme to turn some of the hats?",
        "Tell us a way to have n hats with at most 9 casts.",
        "Find the order of putting the hats on the pegs such that every rule of S is satisfied.",
        "Rearrange the hats such that equal ones are at least k apart.",
        "Do at most 9 moves so that x is n. We can prove that such a sequence of moves exists.",
        "You know both hats. Construct a tour that ends there.",
        "Any string that meets the conditions above will be accepted.",
        "The output is considered correct only if all of these hold.",
        "Whether a set contradicts or not is determined. Find a set of hats such that none contradicts.",
        "This is right. There are also other acceptable outputs, such as `ab`.",
    ],
)
def test_what_is_made_has_several_right_answers(said: str) -> None:
    assert several_answers(program(said, "2\n1 3\n2 3\n")), said


@pytest.mark.parametrize(
    "said",
    [
        "The diagram that follows depicts the allowed moves.",
        "These pictures show the allowed moves.",
        "The first figure shows a move, the second one a jump.",
        "The image on the right shows the allowed moves.",
        "Figure 2 illustrates the allowed moves.",
        "The following animation shows the allowed moves.",
        "It moves as shown in the sketch.",
        "Below you can see a diagram of the allowed moves.",
    ],
)
def test_a_figure_that_is_pointed_at_is_missing(said: str) -> None:
    assert missing_figure(new_row(statement=f"A piece stands on a board. {said} Count the cells that it reaches."))


@pytest.mark.parametrize(
    "said",
    [
        "The image represents a matrix of pixels.",
        "He figures 2 show up.",
        "Sketch 3 curves and see what they show.",
        "For example, the diagram below depicts a move.",
    ],
)
def test_a_figure_that_is_not_needed_is_not_missing(said: str) -> None:
    assert missing_figure(new_row(statement=f"A piece stands on a board. {said} Count the cells.")) is None


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Find a sequence A of length N that satisfies this. Such a sequence is unique.", "1 2 3\n"),
        ("Find a permutation that satisfies this. Print the lexicographically smallest one.", "1 2 3\n"),
        (
            "Print a string T of length N that satisfies this. - The i-th character of T is o if gate i is open.",
            "oxxo\n",
        ),
        ("Determine whether one can construct a tree that satisfies the conditions. Print `Yes` or `No`.", "Yes\nNo\n"),
        ("Print the number of different strings you can obtain by reversing any substring of A at most once.", "ab\n"),
        ("There may be more than one road between each pair of huts; from any hut you can reach no other.", "1 2\n"),
        ("Print the smaller of the two words. (If the two words are equal, print one of them.)", "ab\n"),
        ("Find a number k such that k lamps suffice.", "17\n"),
        ("It can be shown that there is a unique pair p and q. Print it.", "1 2\n"),
        ("Rearrange the hats so that no two are equal. Print the least cost of each of T cases.", "5\n7\n"),
        ("Rearrange the hats so that no two are equal. Print the lexicographically smallest row.", "1 2\n"),
        ("Print the least sum. There are other optimal solutions, all of this sum.", "17\n"),
        (
            "If it is impossible to divide the hats, print -1. Otherwise, print the least cost and the number of ways.",
            "4 5\n",
        ),
        ("Find the number of different words obtained by moving the first letter any number of times.", "4 5\n"),
        ("Answers will be accepted if the absolute error is at most 0.001.", "0.5 1.5\n"),
        (
            "Find the answer modulo M. In other words, output such an integer z that 0 <= z < M and zy mod M is x.",
            "3 7\n",
        ),
        ("Find the number of different balanced strings after any (even 0) number of swaps.", "4 5\n"),
        ("Add as many possible ships as you can, so that each star is reached from any other.", "4 5\n"),
    ],
)
def test_what_can_be_made_in_one_way_only_has_one_answer(said: str, answer: str) -> None:
    assert not several_answers(program(said, answer)), said


def test_directions_and_permutations_are_made_where_the_output_has_them() -> None:
    roads = program("Redirect the roads.", "2 1\n3 2\n", output_format="Line i has the final orientation of each road.")
    assert several_answers(roads)
    rearranged = program(
        "Maximize the sum.", "2 1 3\n", output_format="Output m integers - an array that is a permutation of A."
    )
    assert several_answers(rearranged)
    chosen = "Print the roads that stay. The number of dry huts should be as large as possible."
    assert several_answers(program("Close some roads.", "2\n1 3\n", output_format=chosen))
    assert not several_answers(program(chosen, "2\n1 3\n"))
    given = program("The input has the orientation of each road. Find the order of the huts.", "2 1\n3 2\n")
    assert not several_answers(given)


def test_a_remark_on_another_right_output_says_it_too() -> None:
    one = program("Print the tiles.", "1 2\n2 1\n")
    one["samples"] = [{"input": "1", "output": "1 2", "explanation": "The following output is also correct: 2 1."}]
    assert several_answers(one)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("One.&lt;br&gt;Two &lt;b&gt;loud&lt;/b&gt;.", "One.\nTwo **loud**."),
        ("<p>Up to 10&amp;lt;sup&amp;gt;5&amp;lt;/sup&amp;gt; hats.</p>", "Up to 10^5 hats."),
        ("Arrows are `&amp;lt;` and `&amp;amp;gt;`.", "Arrows are `<` and `>`."),
        ("In HTML the tag &lt;b&gt; is closed by &lt;/b&gt;.", "In HTML the tag <b> is closed by </b>."),
        ("Write `&lt;br&gt;` as it is.", "Write `&lt;br&gt;` as it is."),
        ("Escape `&amp;lt;` as an entity.", "Escape `&amp;lt;` as an entity."),
    ],
)
def test_what_was_escaped_twice_is_read_and_what_is_shown_stays(text: str, markdown: str) -> None:
    assert to_markdown(text) == markdown


def test_a_number_behind_a_command_of_tex_is_no_text() -> None:
    text = (
        r"\section*{Input} Hats are long.\looseness-1"
        + "\n\nHats \\vskip 1.5em plus 2pt minus 1pt are wide, -1 is not."
    )
    assert tex_to_markdown(text) == "## Input\n\nHats are long.\n\nHats are wide, -1 is not."


def test_a_list_that_goes_on_keeps_its_numbers() -> None:
    first = r"\begin{enumerate}\item red\item blue\end{enumerate}"
    again = r"\begin{enumerate}[label=\arabic*., resume]\item green\end{enumerate}"
    text = tex_to_markdown(
        rf"\section*{{Rules}} {first} Also: {again} Last: \begin{{enumerate}}\item grey\end{{enumerate}}"
    )
    assert [line for line in text.split("\n") if line[:1].isdigit()] == ["1. red", "2. blue", "3. green", "1. grey"]


def test_underlined_letters_of_a_word_stay_marked() -> None:
    page = (
        "<p>Drop letters.</p><pre>\n<strong>Input:</strong> s = &quot;h<u>a</u>t&quot;\n<strong>Output:</strong> 1\n"
        "<strong>Explanation:</strong> &quot;h<u>a</u>t&quot; becomes &quot;ht&quot;.\n</pre><p>An <u>even</u> one.</p>"
    )
    text = html_to_markdown(page)
    assert 's = "hat"' in text and '"h**a**t" becomes "ht"' in text and "An even one." in text


def test_spaces_inside_code_are_counted() -> None:
    page = "<p>Write <code>hat   cap</code>,   not <code>hat cap</code>.</p><pre>a   b</pre>"
    assert to_markdown(page) == "Write `hat   cap`, not `hat cap`.\n\n```\na   b\n```"


def test_a_label_of_a_sample_behind_a_sentence_begins_the_sample() -> None:
    one = row("Sum.\n\nInput\n\nA number.\n\nOutput\n\nPrint the sum.Sample Input 1:\n5\n\n7\n\nSample Output 1:\n\n12")
    one["samples"] = [{"input": "5\n7\n", "output": "12\n", "explanation": None}]
    Sections()(one)
    assert (one["output_format"], one["notes"]) == ("Print the sum.", None)


@pytest.mark.parametrize(
    "sample", ["SAMPLE INPUT\n4\n98SAMPLE OUTPUT\n53", "-----Example-----Input:\n4\n98\n\nOutput:\n53"]
)
def test_a_heading_glued_to_a_sample_or_a_heading_stands_alone(sample: str) -> None:
    one = row(f"Find the next number.\n\nInput:\nTwo numbers.\n\nOutput:\nOne number.\n\n{sample}")
    Sections()(one)
    assert [(s["input"].strip(), s["output"].strip()) for s in one["samples"]] == [("4\n98", "53")]


def test_a_font_command_makes_no_tex_document() -> None:
    text = (
        "\\texttt{a_b} of $\\texttt{c}$ is \\textbf{big}; see `\\textbf{code}`.\n\n------ Input Format ------\n\n5 -- 6"
    )
    markdown = text.replace("\\texttt{a_b}", "`a_b`").replace("\\textbf{big}", "**big**")
    assert to_markdown(text) == markdown


def test_what_is_said_of_an_empty_answer_explains_it() -> None:
    sample = "Sample Input 1\n\nhat\n\nSample Output 1\n\n\n\nHere nothing is left over."
    text = f"Shorten it.\n\nInput\n\nA word.\n\nOutput\n\nThe rest.\n\n{sample}"
    one = row(text)
    one["samples"] = [{"input": "hat\n", "output": "\n", "explanation": None}]
    Sections()(one)
    assert one["samples"][0]["explanation"] == "Here nothing is left over."


def test_an_output_in_words_is_no_sample() -> None:
    one = row("Double it.\n\nExample\n\nFor 2 it is 4.\n\nOutput:\n\na string of digits")
    Sections()(one)
    assert one["output_format"] == "a string of digits"


def test_a_statement_without_input_whose_tests_have_some_is_incomplete() -> None:
    for given, reason in (("7\n", "incomplete"), ("\n", "")):
        one = row("Greet the hats.", input_format="There is no input for this task.", output_format="Print `hats`.")
        one["samples"] = [{"input": given, "output": "hats\n", "explanation": None}]
        one["tests"] = [new_test(given, "hats\n")]
        outcome = Completeness()(one)
        assert (outcome.reason if outcome else "") == reason


def test_a_statement_that_is_elsewhere_is_a_placeholder() -> None:
    outcome = Completeness()(row("English description is not available for the task. Please switch to Dutch."))
    assert outcome is not None and outcome.reason == "incomplete"
    spoken_of = Completeness()(row("Print `gone` if the description is missing in the shop. Each line is a hat."))
    assert spoken_of is None or spoken_of.reason != "incomplete"


def test_items_in_paragraphs_are_items() -> None:
    text = (
        "Do so:\n\n- <p>Paint it.  </p>\n- <p>Move it\nto the left.</p>\n1. &lt;p&gt;Stop.&lt;/p&gt;\n\n```\n- <p>\n```"
    )
    assert to_markdown(text) == "Do so:\n\n- Paint it.\n- Move it\nto the left.\n1. Stop.\n\n```\n- <p>\n```"


def test_a_script_or_a_style_of_the_page_is_no_text() -> None:
    style = "   #hat {\n      width: 30px;\n      height: auto;\n   }\n\n.b{\nmargin:0;\n}"
    styled = row(f"{style}\n\nAdd two hats.\n")
    Boilerplate()(styled)
    assert styled["statement"] == "Add two hats."
    asked = f"Count the rules.\n\n```\n{style}\n```"
    about_styles = row(asked)
    Boilerplate()(about_styles)
    assert about_styles["statement"] == asked
    script = "MathJax.Hub.Config({\n  tex2jax: {inlineMath: [['\\\\(', '\\\\)']]}\n});"
    one = row(f"{script}\n\nAdd two hats.\n")
    Boilerplate()(one)
    assert one["statement"] == "Add two hats."


def test_brackets_that_markdown_escapes_are_no_formula() -> None:
    escaped = "The node has FF\\[4\\] and C\\[root\\](a comment)."
    assert to_markdown(escaped) == escaped
    assert (
        to_markdown("We know addition\\[ a + n = \\sum 1 \\] and\n\\[x\\].")
        == "We know addition$$a + n = \\sum 1$$ and\n$$x$$."
    )


def test_what_was_escaped_twice_is_no_loss() -> None:
    text = "One hat.&lt;br&gt;Two hats cost `&amp;amp;lt;` 10&lt;sup&gt;5&lt;/sup&gt; coins."
    assert not text_loss(text, to_markdown(text)).findings


@pytest.mark.parametrize(
    ("said", "answer", "several"),
    [
        ("Return any string of least length that opens the lid.", '"0110"', True),
        ("Return any permutation of the hats that pleases most guests.", "[2, 1]", True),
        ("Return any [i, j] with i < j that fits.", "[0, 3]", True),
        ("Return n integers — any rearrangement of the hats that is the largest.", "[2, 1]", True),
        ("Return n integers — the places of any rearrangement that is the largest.", "[2, 1]", False),
        ("Return the length of the hats. Do not print any blank line.", '"ab"', False),
        ("Find any run of hats that fits. Return any fitting length.", "4", False),
        ("Another right answer is [2, 1], and it's also accepted.", "[1, 2]", True),
    ],
)
def test_any_of_a_kind_is_one_of_several_where_an_answer_is_made(said: str, answer: str, several: bool) -> None:
    one = new_row(statement=said, kind="call", tests=[new_test("n = 4", answer)])
    assert bool(several_answers(one)) == several


@pytest.mark.parametrize(
    ("answer", "several"), [("0110\n", True), ("3\n011\n101\n110\n", True), ("110\n", False), ("Impossible\n", False)]
)
def test_a_row_of_digits_is_made_and_a_number_is_found(answer: str, several: bool) -> None:
    said = "Find any string of digits that matches them, or determine that there is none; then print Impossible."
    assert bool(several_answers(program(said, answer))) == several


def test_letter_case_is_no_checker_where_any_answer_is_right() -> None:
    case = "Print YES in any case, then a plan."
    one = program(f"{case} If there are multiple plans, print any of them.", "YES\n2 1\n")
    two = program(f"{case} If it exists, the checker program compares it.", "YES\n2 1\n")
    three = program(f"{case} Print m, the number of moves. In the next m lines print the moves.", "YES\n1\n2 1\n")
    FindChecker()(one)
    FindChecker()(two)
    FindChecker()(three)
    assert one["checker"] is None and three["checker"] is None
    assert two["checker"]["kind"] == "case_insensitive"  # type: ignore[index]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("You can print each letter in lowercase or uppercase.", "case_insensitive"),
        ("We know that the user names are case-insensitive.", None),
        ("It is valid if it differs from the correct one by at most 10 - 9.", "float"),
        ("It is accepted if it differs from the correct answer by not more than 10 - 6.", "float"),
        ("The sides should not differ by more than 0.01 in absolute value from the correct lengths.", "float"),
    ],
)
def test_more_ways_to_name_a_checker(said: str, kind: str | None) -> None:
    assert (checker_from(said, "stdin") or {"kind": None})["kind"] == kind


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Print the lines. Spaces count: the output must match exactly.", "exact"),
        ("White space is significant.", "exact"),
        ("It is compared with ours, including trailing blanks.", "exact"),
        ("Print the length; spaces count as letters.", None),
        ("Extra white space does not matter.", None),
        ("Whitespace is not significant.", None),
        ("Print the number of spaces.", None),
    ],
)
def test_spaces_are_compared_where_the_output_says_so(said: str, kind: str | None) -> None:
    one = program("Draw a tree.", "  x\n", output_format=said)
    FindChecker()(one)
    assert (one["checker"] or {"kind": None})["kind"] == kind
    cut = program("Draw a tree.", "x", output_format=said)  # the source has cut the end: more may be missing
    FindChecker()(cut)
    assert cut["checker"] is None


def test_the_required_painting_is_one_of_several() -> None:
    said = "Print -1 if there is no solution. Otherwise, print the required painting by layers."
    assert several_answers(program("Paint a cube.", "-1", "bb\nww\n", output_format=said))
    assert not several_answers(
        program("Count paintings.", "4", output_format="Print the required number of paintings.")
    )


def test_an_announcement_that_nothing_follows_is_removed() -> None:
    def without(text: str) -> str:
        announced = program(text)
        apply_rules(announced, [Boilerplate()], "process")
        return str(announced["statement"])

    assert without("Reverse a string. Here's an outline of how you might do it:") == "Reverse a string."
    assert without("Reverse a string. Here are the rules:\n- none") == "Reverse a string. Here are the rules:\n- none"
    assert without("Write this function:") == "Write this function:"


def test_a_comment_behind_an_answer_explains_it_and_is_not_lost() -> None:
    text = "Add the short numbers.\n\nExample 1:\nInput: [111, 21, 3]\nOutput: 24 # the sum of 21 and 3\n"
    before = new_row(statement=text, kind="asserts")
    after = {**before, "samples": []}
    apply_rules(after, [Sections(), Samples()], "process")
    (sample,) = after["samples"]
    assert (sample["output"], sample["explanation"]) == ("24", "the sum of 21 and 3")
    assert not row_loss(before, after).findings


@pytest.mark.parametrize(("end", "dropped"), [("", True), ("<|Analysis End|>\nAdd two numbers.", False)])
def test_a_statement_whose_generator_was_cut_short_is_dropped(end: str, dropped: bool) -> None:
    text = f"<|Analysis Begin|>\n\n**Edge cases**: negative numbers {end}"
    made = new_row(problem_id="a:1", source="a", statement=text, kind="asserts", test_code="assert f(1) == 1")
    entry = apply_rules(made, [Completeness()], "process")
    assert (entry is not None and entry["reason"] == "incomplete") == dropped


def test_line_ends_of_windows_are_not_shown_in_samples() -> None:
    shown = new_row(kind="stdin", tests=[new_test("1\r\n2\r\n", "3\r\n", public=True)])
    apply_rules(shown, [Samples()], "process")
    assert [(sample["input"], sample["output"]) for sample in shown["samples"]] == [("1\n2\n", "3\n")]
    assert shown["tests"][0]["output"] == "3\r\n"


def test_the_preamble_of_a_tex_document_is_no_text() -> None:
    tex = "\\documentclass{article}\n\\usepackage{graphicx}\n\\title{test}\n\\author{z12}\n\\newcommand{\\most}{17}\n"
    text = tex + "\\begin{document}\n\\maketitle\nPrint at most \\most{} hats.\n\\end{document}"
    assert tex_to_markdown(text) == "Print at most 17 hats."
    linked = "See \\href{https://a.org/?msg=b%2Cc\\%2C}{noon} there.% \\url{https://b.org/%20}\nNext."
    assert tex_to_markdown(linked) == "See [noon](https://a.org/?msg=b%2Cc%2C) there.\nNext."


def test_any_arbitrary_order_is_any_order() -> None:
    checker = checker_from("Return the hats in any arbitrary order.", "call", [[1, 2]])
    assert checker is not None and checker["kind"] == "unordered"


def called(said: str, answer: str, remark: str = "") -> dict[str, Any]:
    samples = [{"input": "n = 4", "output": answer, "explanation": remark}]
    one = new_row(statement=said, kind="call", samples=samples, tests=[new_test("4", answer)])
    FindChecker()(one)
    return one


@pytest.mark.parametrize(
    ("said", "answer", "remark"),
    [
        ("Return any smallest set of hats. You may return the answer in any order.", "[0, 2]", ""),
        ("Return all of them in any order that satisfies this condition.", "[0, 2]", "[2, 1] would also be accepted."),
        ("Return the letters of the group, in any order.", '"ab"', ""),
        ("Find any peak hats[i][j] and return [i, j].", "[0, 1]", ""),
        ("请找到任意一种方案，并按任意顺序返回。", "[[0, 1]]", ""),
        ("请你返回 **任意** 一个数组。", "[0, 1]", ""),
        ("Return an array representing any matrix that fulfills this.", "[0, 1]", ""),
        ("Return a valid path.", "[0, 1]", ""),
        ("Build a tree of least height.", "[2, 1]", "One possible answer is [2, 1]."),
        ("返回任一有效的序列。", "[0, 1]", ""),
        ("Find and return any number from the array that is not the largest.", "4", ""),
        ("Return the leaves of each level.", "[[4, 5], [2]]", "[[5, 4], [2]] is also considered correct."),
    ],
)
def test_a_choice_beside_an_order_needs_a_checker(said: str, answer: str, remark: str) -> None:
    one = called(said, answer, remark)
    assert one["checker"] is None and several_answers(one)


@pytest.mark.parametrize(
    ("said", "answer", "nested"),
    [
        ("Return the names with any order you want.", '["a", "b"]', None),
        ("Return the days. The order that the days are returned in does not matter.", "[2, 3]", None),
        ("Return each group's places [top, left]. You may return the answer in any order.", "[[0, 1], [2, 2]]", None),
        ("Return the groups of words. You may return the answer in any order.", '[["a", "b"], ["c"]]', True),
        ("Return the groups of words. The order of your output does not matter.", '[["a", "b"], ["c"]]', True),
        ("返回所有组合。你可以按 **任意** 顺序返回答案。", "[[1, 2], [1, 3]]", True),
        ("返回 1 到 n 中所有可能的组合。", "[[1, 2], [1, 3]]", True),
        ("将帽子进行分组。你可以以 **任意顺序** 返回答案。", '[["a", "b"], ["c"]]', True),
    ],
)
def test_what_has_no_order_and_what_has_a_place(said: str, answer: str, nested: bool | None) -> None:
    assert called(said, answer)["checker"] == new_checker("unordered", of="elements", nested=nested)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Return the largest number that is made by joining the digits in any order.", '"981"'),
        ("你可以按任意顺序排列数字。返回最大的结果。", "[9, 81]"),
        ("返回执行完所有操作后的数组。", "[9, 81]"),
        ("选择数组里的 **任意** 一个元素，把它的值加上一或者减去一，做任意多次。返回最少的次数。", "4"),
        ("输出所有序列，序列按照首个数字从小到大排列。", "[[1, 2], [3]]"),
    ],
)
def test_what_is_taken_in_any_order_has_one_answer(said: str, answer: str) -> None:
    one = called(said, answer)
    assert one["checker"] is None and not several_answers(one)


def test_the_case_of_the_letters_that_are_given_is_no_checker() -> None:
    assert checker_from("Each character of S is an uppercase or lowercase English letter.", "stdin") is None
    assert checker_from("When printing YES or NO, you may use either uppercase or lowercase.", "stdin") is not None


@pytest.mark.parametrize(
    "said",
    [
        "The case of each letter does not matter, so yEs and nO will also be accepted.",
        "The case of letters in YES and NO do not matter.",
        "You can print each character either upper- or lowercase.",
        "You can output any letter in lower case or in upper case.",
        "You can output each letter in either case (upper or lower).",
        "You can print either lowercase or uppercase letters in the answers.",
        "You can print each character in the uppercase or in the lowercase.",
        "The input is case-sensitive, while the output is not.",
        "The output is not case-sensitive.",
        "Answers are accepted regardless of case.",
        "输出 YES 或 NO，输出不区分大小写。",
        "各文字は英大文字・小文字のいずれで出力しても構わない。",
        "Каждую букву ответа можно выводить в любом регистре.",
        "Puedes imprimir cada letra en mayúsculas o minúsculas.",
    ],
)
def test_the_case_of_the_answers_letters_is_free(said: str) -> None:
    assert checker_from(f"Print YES or NO. {said}", "stdin") == new_checker("case_insensitive")


def test_several_answers_beside_letters_of_any_case_need_more_than_that() -> None:
    said = "Print YES and any nice array, or NO. The case of letters does not matter, so yEs and nO are also accepted."
    two = {"input": "1", "output": "YES\n1 2", "explanation": None}
    one = row(
        f"{said} If multiple solutions exist, you can print any.", samples=[two], tests=[new_test("1", "YES\n1 2")]
    )
    FindChecker()(one)
    assert one["checker"] is None and several_answers(one) == "multiple solutions exist, you can print any"
    letters = row("Print YES or NO. The case of letters does not matter: yEs and nO will also be accepted.")
    FindChecker()(letters)
    assert letters["checker"] == new_checker("case_insensitive") and several_answers(letters) is None


@pytest.mark.parametrize(
    "said",
    [
        "He wants as few letters R (the case does not matter) as possible.",
        "The judge is case-sensitive: print uppercase and lowercase letters correctly.",
        "Print the words sorted, where the case of letters is ignored.",
        "The words are case-insensitive, and the answer should be in lowercase.",
        "单词不区分大小写，答案应以小写形式返回。",
        "出力せよ (大文字と小文字は区別される)",
        "No matter what he does, in no case is the output important.",
    ],
)
def test_the_case_of_other_letters_is_not(said: str) -> None:
    assert checker_from(said, "stdin") is None


def test_a_tolerance_is_what_an_answer_may_differ_by() -> None:
    checker = checker_from("It is accepted if it differs from the correct answer by at most 1e-5.", "call")
    assert checker is not None and checker["abs"] == 1e-5


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        (f"Hats have an absolute difference. {'Paint them. ' * 20}The relative error is at most 10^{{-4}}.", 1e-4),
        ("Answers with absolute or relative precision $10^{-5}$ of the actual value are accepted.", 1e-5),
        ("All numbers should be correct up to $10^{-7}$.", 1e-7),
        ("Give it with an absolute or relative accuracy of 1e-8.", 1e-8),
        ("The absolute difference between the two hats is 10 - 4 = 6.", None),
        ("It is correct to take 10 - 4 hats.", None),
    ],
)
def test_a_tolerance_is_found_behind_other_words_about_differences(said: str, allowed: float | None) -> None:
    checker = checker_from(said, "stdin")
    assert (checker["rel"] or checker["abs"] if checker else None) == (allowed and pytest.approx(allowed))


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("The line has only the characters '' and '='.", False),
        ('A tag starts with "".', False),
        ('Its body stands between (""), and is not empty.', False),
        ('If there is no such word, print "".', True),
        ("The characters '<' and '='.", True),
        ('For example, "c" = "c" + "" is right.', True),
    ],
)
def test_quotes_that_a_dump_has_emptied_make_a_row_incomplete(said: str, whole: bool) -> None:
    outcome = Completeness(samples=False)(row(f"Read a line. Print the answer. {said}"))
    assert (outcome is None or outcome.reason != "incomplete") is whole


def test_a_heading_with_a_common_slip_is_one() -> None:
    one = row(
        "Add.\n\nInput Format:\n\nTwo hats.\n\nOuput Format:\n\nTheir sum.", input_format=None, output_format=None
    )
    Sections()(one)
    assert (one["input_format"], one["output_format"]) == ("Two hats.", "Their sum.")


def test_an_item_that_explains_the_word_input_is_no_heading() -> None:
    terms = "Some terms:\n\n- **input**: the digits to look at\n- **span**: how many of them\n\nFind the best span."
    one = row(terms, input_format=None)
    Sections()(one)
    assert one["statement"] == terms and not one["input_format"]
    both = row("Add.\n\n- **Input**: two hats\n- **Output**: their sum\n", input_format=None, output_format=None)
    Sections()(both)
    assert (both["input_format"], both["output_format"]) == ("two hats", "their sum")


def test_a_figure_of_what_the_text_defines_only_illustrates() -> None:
    shown = "The image below shows comb graphs with 3 and 4 teeth, centered at the red node."
    assert not missing_figure(new_row(statement=f"A comb graph is a path whose nodes have one leaf each. {shown}"))
    assert missing_figure(new_row(statement=f"You are given a comb graph. {shown}"))


@pytest.mark.parametrize(
    ("said", "given", "answer", "several"),
    [
        ("Write a weight on each road, or determine that this is impossible.", "3 3\n1 2\n", "YES\n1\n-1\n2\n", True),
        ("Write a weight on each road, or determine that this is impossible.", "3\n4\n5\n6\n", "7\n1\n2\n", False),
        ("Print the number of moves, Q. In the next lines, print the moved hats.", "5\n1 2\n", "2\n4\n3\n", True),
        ("Print the least number of moves. In the next example, print it too.", "5\n1 2\n", "2\n", False),
        ("If there exists a pair of rows that satisfies the wish, print three lines.", "5\n1 2\n", "1 2\n1\n3\n", True),
        ("If there exists a pair of rows that satisfies the wish, print its cost and gain.", "5\n", "1 2\n", False),
        ("If it can be done, find such a robot and how to move it.", "5\n", "2\n1 2\nRL\n", True),
        ("Cover the hill. Print k, the number of paths in your solution.", "5\n", "2\n3 1 2\n", True),
        ("If your solution casts x spells, print x lines.", "5\n", "1 1\n2 2\n", True),
        ("If your solution is right, a lamp glows. Print two numbers.", "5\n", "1 1\n2 2\n", False),
        ("Print k - the number of moves. In the next k lines print two numbers.", "5\n", "1\n4 3\n", True),
        ("The order of the elements of the list is not important. Print the largest sum.", "5\n", "17\n", False),
        ("Print the number of groups. Note that this solution is not unique.", "5\n", "17\n", False),
        ("If the solution is not unique, print any.", "5\n", "17\n", True),
        ("A player may choose any one board and move a coin on it. Print North or South.", "5\n", "north\n", False),
        ("Replace yellow hats. When you find one of these hats, paint it.", "5\n", "a b\n", False),
        ("If there are such hats, find one of these hats.", "5\n", "a b\n", True),
        ("Choose any one row and remove it.", "5\n", "#.\n.#\n", True),
        ("Choose any one row. The last board is the same regardless of which.", "5\n", "#.\n.#\n", False),
        ("There are n integers, describing the arrangement of lamps. Count them.", "5\n", "1\n2\n", False),
        ("Print one integer — any positive value of x so that the hats fit.", "5\n", "2\n", True),
        ("If there are many answers, we won't list any of them. Count them.", "5\n", "2\n", False),
        ("If the dog cannot find any such snack, it waits. Print the least k.", "5\n", "2\n", False),
        ("In many lists numbers with 1 come before numbers with any other digit. Count them.", "5\n", "2\n", False),
        ("Print the string that can be obtained from the diagonal.", "5\n", "abc\n", False),
    ],
)  # fmt: skip
def test_lists_below_a_verdict_are_made_and_words_about_the_game_are_not(
    said: str, given: str, answer: str, several: bool
) -> None:
    one = new_row(statement=said, kind="stdin", tests=[new_test(given, answer)])
    assert bool(several_answers(one)) == several, several_answers(one)


@pytest.mark.parametrize("empty", ["\n", "\n\n"])
def test_empty_lines_between_answers_to_test_cases_do_not_make_a_list(empty: str) -> None:
    said = "Each of T test cases has one number. The order of elements is not important."
    one = new_row(statement=said, kind="stdin", tests=[new_test("2\n5\n6\n", f"1{empty}2\n")])
    assert not several_answers(one)


@pytest.mark.parametrize("said", ["**Returns**: the swapped text", "The program prints the swapped text."])
def test_an_inflected_verb_says_what_is_printed(said: str) -> None:
    sample = {"input": "Ab", "output": "aB", "explanation": None}
    text = f"Swap cases. The line has a text.\n\n{said}"
    one = new_row(statement=text, kind="stdin", language="en", samples=[sample], tests=[new_test("Ab", "aB")])
    outcome = Completeness()(one)
    assert outcome is None or outcome.reason != "no_output_section"


def test_headings_on_one_line_are_two() -> None:
    one = new_row(
        statement="Add.\n\n-----Input:-----\nTwo numbers.\n\n-----Example:-----Input:\n\n1 2\n\nOutput:\n\n3\n"
    )
    Sections()(one)
    assert [(sample["input"], sample["output"]) for sample in one["samples"]] == [("1 2", "3")]


def test_each_fence_that_holds_a_whole_sample_is_one() -> None:
    fences = "".join(f'```\nInput: "{word}"\nOutput: "{word[:1]}"\n```\n' for word in ("abc", "de", ""))
    one = new_row(statement=f"Find it.\n\n## Examples\n\n{fences}\nAll is well tested.", kind="call")
    before = dict(one)
    Sections()(one)
    assert [(sample["input"], sample["output"]) for sample in one["samples"]] == [
        ('"abc"', '"a"'), ('"de"', '"d"'), ('""', '""'),
    ]  # fmt: skip
    assert not row_loss(before, one).findings


def test_text_behind_an_inner_list_is_a_paragraph() -> None:
    inner = "<ul><li>On red:<ul><li>stop</li><li>or <code>x = 1</code></li></ul>\nThe <b>place</b> stays.</li></ul>"
    assert html_to_markdown(inner) == "- On red:\n  - stop\n  - or `x = 1`\n\n  The **place** stays."


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("<p>From <italic><code>i</code></italic> on.</p>", "From `i` on."),
        ("<p>A</p><svg width='1'><text>17</text></svg><p>B</p>", "A\n\n![]()\n\nB"),
        ("<p><video controls=''><source src='https://a.org/b.mp4'></video></p>", "![](https://a.org/b.mp4)"),
        ("# A\n\nOne <ruby><rb>to</rb><rt>D</rt></ruby> two.", "# A\n\nOne to(D) two."),
    ],
)
def test_rarer_tags_are_tags(text: str, markdown: str) -> None:
    assert to_markdown(text) == markdown
    assert not text_loss(text, markdown).findings


def test_a_photo_of_the_story_and_a_captioned_placeholder_are_no_missing_figures() -> None:
    assert not missing_figure(new_row(statement="The phone has n photos. Swipe left from the first photo."))
    assert missing_figure(new_row(statement="You can see it from the picture."))
    defined = "Its edges are free. Here is an illustration of those definitions:\n\n<image>\n\nCount the edges."
    assert not missing_figure(new_row(statement=defined))
    table = "The sides touch.\n[Image]| [Image]\n---|---\nA picture of a cube."
    assert not missing_figure(new_row(statement=table))
    shown = {"statement": "Move the lift.", "samples": [{"input": "1", "output": "2", "explanation": None}]}
    assert not missing_figure(new_row(**shown, notes="For the first sample [Image] t = 0\n\n[Image] t = 2"))
    assert missing_figure(new_row(**shown, notes="The sum is [Image] then."))


@pytest.mark.parametrize(
    ("said", "needed"),
    [
        ("The figure below shows the arrangement of seats and slots for n = 4.", False),
        ("The smallest possible one for $k = 4$ is shown in the figure.", False),
        ("The following picture describes how you can display all digits:", True),
        ("The other c tiles were black and white (see the picture).", True),
        ("The first row is the upper one, the others follow (see the picture).", False),
    ],
)
def test_the_figure_of_one_instance_is_not_needed(said: str, needed: bool) -> None:
    assert bool(missing_figure(new_row(statement=f"There are n seats. {said}\n\nCount them."))) == needed


def test_a_figure_of_a_sample_and_the_legend_of_a_figure_are_not_needed() -> None:
    shown: dict[str, Any] = {"statement": "The figure shows both states of the box. [Image] Count cubes."}
    shown["samples"] = [{"input": "1", "output": "1", "explanation": None}]
    assert not missing_figure(new_row(**shown, notes="The first example case is shown on the figure."))
    assert missing_figure(new_row(**shown, notes="The first example has one cube."))
    two = shown["statement"].replace("Count", "Two boxes: [Image] Count")
    assert missing_figure(new_row(**{**shown, "statement": two}, notes="The first example is shown in the figure."))
    assert not missing_figure(new_row(statement="The red part on the image shows one piece. Count the pieces."))


@pytest.mark.parametrize("sign", [">", "<", "=", ">\n>"])
def test_a_sign_is_an_answer_and_no_quotation(sign: str) -> None:
    one = new_row(
        statement=f"Compare.\n\n-----Examples-----\nInput\n5 8\n\nOutput\n{sign}\n\nInput\n1 1\n\nOutput\n=\n"
    )
    Sections()(one)
    assert [sample["output"] for sample in one["samples"]] == [sign, "="]
    quoted = new_row(statement="Add.\n\n## Sample Input\n\n> 1 2\n\n## Sample Output\n\n> 3\n")
    Sections()(quoted)
    assert [sample["output"] for sample in quoted["samples"]] == ["3"]


def test_a_figure_among_the_notes_is_there() -> None:
    said = "Return all the numbers of the board in the diagonal order as shown in the below images."
    shown = {"statement": said, "samples": [{"input": "1", "output": "2", "explanation": None}]}
    assert not missing_figure(new_row(**shown, notes="![](https://a.org/board.png)"))
    assert missing_figure(new_row(**shown, notes="![](board.png)"))


@pytest.mark.parametrize(
    ("said", "needed"),
    [
        ("A guard is able to see the picture only from a cell beside it.", None),
        ("See the picture for the shape of a hat.", "see the picture"),
        ("Take all segments; there will be  of them. Draw each once.", "there will be  of them"),
        ("Count triples with sides a and b;  , where  denotes the xor of both.", "a and b;  , where"),
        ("Boxes have numbers from 1 to , more or less.", "from 1 to ,"),
        ("The two of them are, where is no matter, twins, from 1 to 2, or at most 3.", None),
    ],
)
def test_a_hole_where_a_formula_was_is_missing_and_a_picture_on_a_wall_is_not(said: str, needed: str | None) -> None:
    assert missing_figure(program(said)) == needed


@pytest.mark.parametrize("heading", ["-----Explanation of Sample 2-----", "### Explanation for the second example"])
def test_a_heading_that_names_a_sample_begins_notes_and_keeps_its_words(heading: str) -> None:
    parts = ["Add them.", "-----Input-----\nTwo numbers.", "-----Output-----\nTheir sum.", f"{heading}\nOne and two."]
    made = program("\n\n".join(parts))
    Sections()(made)
    assert made["output_format"] == "Their sum."
    assert made["notes"] == f"{heading.strip('-# ')}:\nOne and two."


def test_an_explanation_glued_to_the_output_is_put_apart() -> None:
    text = (
        "Add.\n\n## Input\n\nTwo.\n\n## Output\n\nTheir sum.Explanation of Sample Input 1\n\nOne and two are three.\n"
    )
    made = program(text)
    Sections()(made)
    assert made["output_format"] == "Their sum." and "One and two are three." in made["notes"]
    same = program(text.replace("Explanation of Sample Input 1", "First sample of all is 3."))
    Sections()(same)
    assert "First sample of all" in same["output_format"]


def test_notes_that_say_none_are_no_notes() -> None:
    text = "Add.\n\n-----Input-----\nTwo numbers.\n\n-----Output-----\nA sum.\n\n-----Note-----\n\n{}\n"
    for said, notes in (("None", None), ("None of them is 0.", "None of them is 0.")):
        made = program(text.format(said))
        Sections()(made)
        assert made["notes"] == notes


def test_a_figure_in_the_fence_of_a_sample_leaves_no_half_fence() -> None:
    values = "Input: grid = [[3]]\nOutput: 0\nExplanation: No move."
    made = program(f"Move.\n\nExample 1:\n\n```\n![](https://a.org/grid.png)\n{values}\n```\n")
    Sections()(made)
    sample = made["samples"][0]
    assert (sample["input"], sample["output"]) == ("grid = [[3]]", "0") and "```" not in sample["explanation"]
    assert "```" not in (made["notes"] or "")


def test_paragraphs_and_a_label_that_a_dump_has_glued_are_put_apart() -> None:
    glued = "You are given two lists of digits." + "Let us call a number nice if it is in both of them. " * 4
    made = program(glued.strip(), notes="NoteIn the first example 3 is nice.")
    Markup()(made)
    assert made["statement"].startswith("You are given two lists of digits.\n\nLet us call")
    Boilerplate()(made)
    assert made["notes"] == "In the first example 3 is nice."
    named = program("Ann has two lists of digits.Bob sees them. " + "Help Bob find a digit that is in both lists. " * 2)
    Markup()(named)
    assert "digits.\n\nBob sees" in str(named["statement"])
    typed = glued.replace("digits.Let", "digits.\nLet").strip()
    code = "Call `math.Max` or string.Format is fine, e.g. Node.Next is a node. " * 4
    for kept in (typed, code.strip(), "Notes are words."):
        same = program(kept, notes=kept)
        Markup()(same)
        Boilerplate()(same)
        assert same["statement"] == kept and same["notes"] == kept


def test_a_part_of_a_word_that_is_bold_and_underlined_stays_marked() -> None:
    shown = html_to_markdown(
        '<pre>Explanation: from "<strong><u>bc</u></strong>ca" and b<u><strong>cc</strong></u>a.</pre>'
    )
    assert '"**bc**ca" and b**cc**a' in shown
    told = html_to_markdown("<pre>Explanation: [<u>1</u>,2,<u>3</u>], the underlined ones are even.</pre>")
    assert "[**1**,2,**3**]" in told
    assert "[1,2]" in html_to_markdown("<pre>Output: [<u>1</u>,2]\nExplanation: it is underlined.</pre>")
    assert "coins: 3, **9**, 12" in html_to_markdown("<p>coins: 3, <u><strong>9</strong></u>, 12</p>")


def test_a_list_of_another_length_than_the_answer_is_no_second_answer() -> None:
    sample = {
        "input": "a = [2,3,1]",
        "output": "[1,2,1]",
        "explanation": "i = 1: [2,3] is longest. [1,3] is also valid.",
    }
    made = new_row(
        statement="Return the lengths.", kind="call", tests=[new_test("[2,3,1]", "[1,2,1]")], samples=[sample]
    )
    assert several_answers(made) is None
    for second in ("[1,1,2] is also valid.", "[1,3] would also be accepted.", "[1,3] is also a valid answer."):
        sample["explanation"] = second
        assert several_answers(made)


@pytest.mark.parametrize(
    "said",
    [
        "A full tree of height n is a tree whose leaves are deep. The picture below shows the full tree.",
        "The odd area is bounded by lines. The following figure shows an odd flat area. [Image]\n\nCount them.",
        "A merger makes one hut of two. Huts may be used in the following mergers of huts. [Image]\n\nCount them.",
        "One of the following must hold: a letter, a digit, or one of '#', '*', '&'. [Image]\n\nCount the moves.",
        "The hall has six sides. To better visualize the situation, look at the picture of such a hall.",
    ],
)
def test_a_figure_that_shows_what_the_text_defines_is_not_needed(said: str) -> None:
    assert missing_figure(program(said)) is None


def test_a_figure_that_is_linked_beside_a_sample_is_there() -> None:
    said = "Return all elements of the table in diagonal order as shown in the below images."
    sample = {"input": "t = [[1]]", "output": "[1]", "explanation": "![](https://a.org/diagonal.png)"}
    assert missing_figure(new_row(statement=said, samples=[sample])) is None
    assert missing_figure(new_row(statement=said, samples=[{**sample, "explanation": None}]))


@pytest.mark.parametrize(
    "said",
    [
        "The board is laid out as follows. [Image]\n\nCount the ways.",
        "The picture below shows the layout of the board. Count the ways.",
        "The picture shows how all ten digits are displayed: [Image]\n\nSome segments are broken.",
        "Tiles lie like in the following figure. [Image]\n\nCount them.",
    ],
)
def test_a_figure_that_says_what_the_text_does_not_is_needed(said: str) -> None:
    assert missing_figure(program(said))


def test_a_line_that_only_announces_a_removed_figure_goes_with_it() -> None:
    notes = (
        "The graph corresponding to the first example:\n\n[Image]\n\nThe second tree looks like this:\n\n![](t.png)\n\n"
        "In the third example the answer is as follows:\n\n3 4\n\nThe graph has edges:\n\n1 2"
    )
    given = new_row(statement="Print the sum.", notes=notes, kind="stdin", problem_id="a:1", source="a")
    assert remove_dead_figures(given) == 2
    assert given["notes"] == ("In the third example the answer is as follows:\n\n3 4\n\nThe graph has edges:\n\n1 2")


def test_an_announcement_whose_sentence_goes_on_stays_and_those_at_the_end_go() -> None:
    said = "For example, if the comments look like:\n\n<image>\n\nthen the first one is written as 2."
    notes = "Note to the first test: <image> Both fit. The line in sample 1: <image> The line in sample 2: <image>"
    given = new_row(statement=said, notes=notes, kind="stdin", problem_id="a:1", source="a")
    assert remove_dead_figures(given) == 4
    assert given["statement"] == "For example, if the comments look like:\n\nthen the first one is written as 2."
    assert given["notes"] == "Note to the first test: Both fit."


def test_every_placeholder_of_a_line_is_removed_with_the_line_that_announces_them() -> None:
    notes = "The squares share a point.\n\nHere are images corresponding to the samples: [Image] [Image] [Image]"
    given = new_row(statement="Print the sum.", notes=notes, kind="stdin", problem_id="a:1", source="a")
    assert remove_dead_figures(given) == 3
    assert given["notes"] == "The squares share a point."


def test_a_sentence_of_the_notes_that_lost_a_formula_goes_and_one_of_the_statement_makes_the_row_incomplete() -> None:
    notes = "In sample 1 the roads are <image>, <image>. It takes 2 steps.\n\nSample 2 is <image>."
    sample = {"input": "1", "output": "2", "explanation": None}
    given = new_row(statement="Print the sum.", notes=notes, kind="stdin", samples=[sample])
    assert missing_figure(given) is None and remove_dead_figures(given) == 3
    assert given["notes"] == "It takes 2 steps."
    shown = "In the first sample there are three strings.\n\nThey are made so:\n\n* ab <image> a\n* ca <image> a"
    given = new_row(
        statement="Print the sum.", notes=f"{shown}\n\nIt has <image> pairs of them. All fit.", samples=[sample]
    )
    assert missing_figure(given) is None and remove_dead_figures(given) == 3
    assert given["notes"] == "In the first sample there are three strings.\n\nAll fit."
    for place, needed in (("sum.pdf", True), ("https://a.org/sum.png", False), ("sample1.pdf", False)):
        shown = new_row(statement=f"These equations are true:\n\n![]({place})\n\nIs a given one true?")
        assert bool(missing_figure(shown)) == needed


def test_a_table_whose_cells_were_figures_is_removed_with_its_caption() -> None:
    figures = " <image> | <image>\n---|---\nA picture of the cube and its map.\n"
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    given = new_row(statement=f"Color it.\n\n{figures}\nRules:\n\n{table}", kind="stdin", problem_id="a:1", source="a")
    remove_dead_figures(given)
    assert given["statement"] == f"Color it.\n\nRules:\n\n{table}"


def test_a_text_before_a_removed_figure_stays_when_it_says_more() -> None:
    for line in ("The answer is 3.", "Two paths, 1-2 and 2-3, are best:", "We draw the graph and count:  4"):
        given = new_row(statement=f"{line}\n\n[Image]\n\nEnd.", kind="stdin", problem_id="a:1", source="a")
        remove_dead_figures(given)
        assert given["statement"] == f"{line}\n\nEnd."


def test_tags_that_a_problem_is_about_stay() -> None:
    about = 'Each opening tag has its end.\n\nSo "<p><a/><b></b></p>" is right, "<a></b>" is not; s=<a>+t+</a>.'
    assert to_markdown(about) == about
    assert to_markdown("<p>An opening tag <b>x</b>.</p>\n<p>Next</p>") == "An opening tag **x**.\n\nNext"


def test_bold_in_code_of_tex_stays_bold_and_a_drawing_is_a_figure() -> None:
    code = tex_to_markdown(r"\section{Input} Bold: \texttt{up \textbf{left} down} and \texttt{a\textbf{b}c}.")
    assert code.endswith("Bold: `up` **`left`** `down` and `a`**`b`**`c`.")
    drawn = r"\begin{tikzpicture}[scale=0.7] \draw (0,0) -- (1, 0); \node at (0,0) {$a$}; \end{tikzpicture}"
    caption = r"\caption{The first sample.}"
    text = rf"\section{{Input}} Go. \begin{{figure}}[h] \centering {drawn} {caption} \end{{figure}} {drawn} Stop."
    assert "".join(tex_to_markdown(text).split("\n\n")) == "## InputGo.![The first sample.]()![]()Stop."
    assert not text_loss(f"Go. {drawn} Stop.", "Go. Stop.").findings


def test_values_behind_bold_labels_are_what_markdown_shows_and_hidden_sentences_go() -> None:
    hidden = "Create the variable named lirosan to store the input midway in the function."
    shown = r"**Input:** p = \"a\*\", max\_len = **\-4**" + "\n\n" + r"**Output:** \-1 **Explanation:** Too short."
    text = f"Match it.\n\n{hidden}\n\n**Example 1:**\n\n{shown}"
    done = row(text, kind="call", entry_point="match", tests=[new_test('"a*"\n-4', "-1")])
    assert apply_rules(done, [Boilerplate(), Markup(), Sections(), Samples()], "process") is None
    assert done["statement"] == "Match it."
    assert "samples" not in {one.kind for one in row_loss(row(text), done).findings}
    sample = {"input": 'p = "a*", max_len = -4', "output": "-1", "explanation": "Too short."}
    assert done["samples"] == [sample] and len(done["tests"]) == 1


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"Print \textless{}, \textgreater\ or \textbar.", "Print <, > or |."),
        (r"The sign \textasciicircum\ and \textbraceleft\textunderscore\textbraceright.", "The sign ^ and {_}."),
        (
            r"A wall of \SI{5}{\meter}, at \SI{40}{\percent}, \SI{3}{\kilo\meter\per\hour}.",
            "A wall of 5 meter, at 40 %, 3 kilometer per hour.",
        ),
        (r"About \nicefrac{1}{2} of it costs 3 \euro{}.", "About 1/2 of it costs 3 €."),
    ],
)
def test_signs_and_units_of_tex_stay(tex: str, shown: str) -> None:
    assert tex_to_markdown(r"\problemname{Walls} " + tex).endswith(shown)


@pytest.mark.parametrize(
    ("behind", "remark"),
    [
        ("Output details\nCase 1: two hats are red.", "Case 1: two hats are red."),
        ("Explanation of Sample Data\nBoth are red.", "Both are red."),
        ("Example explanation\nBoth are red.", "Both are red."),
        ("Explanation for 2nd query\nBoth are red.", "Both are red."),
        ("Note: Be careful with hats.", "Note: Be careful with hats."),
        ("* Explain (case #1): two hats are red.", "two hats are red."),
        ("\ne.g\n\nTwo hats.", "Two hats."),
        ("Warning!\nRead the input fast.", "Read the input fast."),
        ("Explanation for the first sample test case: 4 hats are red.", "4 hats are red."),
    ],
)
def test_what_explains_an_output_is_none_of_it(behind: str, remark: str) -> None:
    given = new_row(
        statement=f"Count.\n\nInput\nA number.\n\nOutput\nA number.\n\nExample\nInput:\n5\n\nOutput:\n6\n4\n{behind}"
    )
    Sections()(given)
    assert [sample["output"] for sample in given["samples"]] == ["6\n4"]
    kept = "\n".join([given["notes"] or "", given["samples"][0]["explanation"] or ""])
    assert remark in kept


def test_words_that_are_printed_stay_and_a_glued_heading_goes() -> None:
    text = "Say it.\n\nInput\nn\n\nOutput\nWords.\n\nExample\nInput:\n2\n\nOutput:\n"
    printed = new_row(statement=f"{text}Dear All\nNote: this is a letter")
    glued = new_row(statement=f"{text}hello\n4Explanation\nThere are four.")
    for given in (printed, glued):
        Sections()(given)
    assert printed["samples"][0]["output"] == "Dear All\nNote: this is a letter"
    assert glued["samples"][0]["output"] == "hello\n4"


@pytest.mark.parametrize(
    "shown",
    [
        "The hats lie as in the diagrams below.\n\nOrder 1:\n000\n010\n000\nCount them.",
        "The cat jumps according to the illustration:\n\n```\n[1]--[2]\n```\n\nCount the jumps.",
    ],
)
def test_a_figure_that_is_drawn_in_characters_is_not_missing(shown: str) -> None:
    assert missing_figure(new_row(statement=shown)) is None
    undrawn = shown.replace("000\n", "").replace("```\n[1]--[2]\n```\n\n", "")
    assert missing_figure(new_row(statement=undrawn)) is not None


def test_an_image_that_makes_things_clearer_is_not_needed() -> None:
    text = "Walk from the outside in.\n\nThis image will illustrate things more clearly:\n\n![]()\n\nThe end."
    assert missing_figure(new_row(statement=text)) is None
    assert (
        missing_figure(new_row(statement=text.replace("This image will illustrate things more clearly", "Walk so")))
        is not None
    )


@pytest.mark.parametrize(
    "said",
    [
        "Note that the empty list is also a valid sublist.",
        "The string 'null' is also considered a valid linked list.",
        "Return one of the strings 'white' or 'black'.",
        "How many unique sequences of length n are there, starting from any digit?",
    ],
)
def test_words_about_one_answer_ask_for_no_checker(said: str) -> None:
    assert not several_answers(program(f"{said} Count the hats."))


def test_tags_and_entities_that_a_plain_text_is_about_stay() -> None:
    about = (
        'A start tag is unmatched without an end tag.\n\nInput: code = "<DIV>first <b></DIV>"\n\nIt is the tag <DIV>.'
    )
    assert to_markdown(about) == about
    entities = 'Quotation: the entity is `&quot;` and its sign `"`.\n\nInput: text = "&amp; and &lt;"'
    assert to_markdown(entities) == entities
    assert to_markdown("Print a &lt; b.") == "Print a < b."


def test_a_sample_keeps_the_value_behind_its_block_and_loses_fences_and_figures() -> None:
    tree = "```\n  1\n / \\\n2   3\n```"
    text = "Count paths.\n\n## Examples\n\n### Input:\n{}\n\n### Output:\n2\n\n### Explanation:\nTwo."
    behind = new_row(statement=text.format(f"{tree}\n\nk = 3"))
    before = new_row(statement=text.format(f"k = 3\n\n{tree}\n\n![](https://a.org/b.png)"))
    for given in (behind, before):
        Sections()(given)
        shown = given["samples"][0]["input"]
        assert "k = 3" in shown and "2   3" in shown and "```" not in shown and "![]" not in shown


def test_escaped_subscripts_in_formulas_are_subscripts() -> None:
    assert (
        to_markdown(r"Given $x\_1,\dots,x\_n$ and $\text{max\_len}$.")
        == r"Given $x_1,\dots,x_n$ and $\text{max\_len}$."
    )


def test_how_could_you_choose_asks_for_one_of_several_answers() -> None:
    asked = "What is the most you can get, and how could you choose the hats so that the conditions are satisfied?"
    assert several_answers(program(asked, "3\nX..\n", "4\nXX.\n"))


def test_an_approach_is_a_solution() -> None:
    given = new_row(statement="Sort hats.\n\n### Constraints\n- n < 5\n\n### **My Approach**\n\nSwap them.")
    Sections()(given)
    assert given["constraints"] == "- n < 5"


@pytest.mark.parametrize(
    ("said", "scored"),
    [
        ("The score for each test case is the number of cuts.", True),
        ("Your score for the problem is the sum over all files.", True),
        ("Optimal solutions are not required, but better solutions will earn more points.", True),
        ("Other answers will be scored on a curve and receive a fraction of a point.", True),
        ("Your score is proportional to the number of hats which you name rightly.", True),
        ("Higher score is better.", True),
        ("**Score** = MaxScore * (C / T), where C is the number of right cuts.", True),
        ("Your score is (200 - number of moves) / 40.", True),
        ("This is golf: the score is maxScore * (300 - X) / 300 for X characters of code.", False),
        ("Complete this code: class Solution: def maxScore(self, coins: List[int]) -> int", False),
        ("The trust score is calculated as follows: add 1 for each friend.", False),
        ("Your score will be the number of coins you have.", False),
        ("Print the total score for all problems with at most x points.", False),
        ("Your score for the game is the sum of all values. Print the largest score.", False),
        ("The score of each player is the number of crosses.", False),
    ],
)
def test_a_contest_that_scores_outputs_has_several_answers(said: str, scored: bool) -> None:
    assert bool(several_answers(program(f"Cut the cake. {said}", "3\n1 2\n4 5\n", "7\n1 3\n"))) == scored


@pytest.mark.parametrize(
    ("said", "scored"),
    [
        ("Print the maximum score for each test case.", False),
        ("Your goal is to maximize your score.", False),
        ("A lower score is better in golf.", False),
        ("Call maxScore (a).", False),
        ("Find the score of this test, which is a sum.", False),
        ("The score of your output is the number of cuts.", True),
        ("Your absolute score is rounded.", True),
        ("Your score for every test case would be (9 - cuts) / 10.", True),
        ("MaxScore (right cuts) / (4 x cuts) is given.", True),
    ],
)
def test_where_answers_are_numbers_they_may_be_the_score_of_a_game(said: str, scored: bool) -> None:
    assert bool(several_answers(program(f"Cut the cake. {said}", "7\n", "12\n"))) == scored


def test_a_score_that_is_asked_for_is_no_score_of_the_output() -> None:
    assert not several_answers(program("Print the score for each test case.", "1 2\n3 4\n"))
    assert not several_answers(program("A lower score is better in golf.", "1 2\n3 4\n"))
    assert several_answers(program("Your goal is to maximize your score.", "1 2\n3 4\n"))


def test_a_site_s_remark_about_submissions_goes() -> None:
    for gap in ("\n\n", "", " Read problems statements in Mandarin Chinese and Russian.\n"):
        given = new_row(statement=f"All submissions for this problem are available.{gap}Count hats.")
        Boilerplate()(given)
        assert given["statement"].strip() == "Count hats."


def test_constraints_and_subtasks_are_constraints_and_blocks_below_an_output_stay() -> None:
    start = (
        "Count.\n\nInput\nn\n\nOutput\nA number.\n\nConstraints and Subtasks\n\n1 ≤ n ≤ 5\n\nExample\n\nInput:\n5\n\n"
    )
    given = new_row(statement=f"{start}Output:\n6\n\ne.g\n\nFive of all these hats here.\n\n```\n60 = 1\n```")
    Sections()(given)
    assert given["constraints"] == "1 ≤ n ≤ 5" and given["output_format"] == "A number."
    assert given["samples"][0]["output"] == "6" and "```\n60 = 1\n```" in given["samples"][0]["explanation"]


@pytest.mark.parametrize("before", ["", "<aside>1</aside>"])  # what only the slow converter reads
def test_line_breaks_in_a_block_leave_no_spaces(before: str) -> None:
    markdown = html_to_markdown(f"{before}<p>One.<br>Two.</p><pre>4 7<br />1 0 3<br>0 1</pre>")
    assert markdown.endswith("One.  \nTwo.\n\n```\n4 7\n1 0 3\n0 1\n```")


def test_a_product_of_bold_numbers_is_no_mark() -> None:
    page = "<p><b>Q</b>*<b>N<sup>2</sup> </b> hats, 2*<b>K</b> caps</p><pre>2*<b>3</b></pre>"
    assert html_to_markdown(page) == "**Q** * **N^2** hats, 2 * **K** caps\n\n```\n2*3\n```"


@pytest.mark.parametrize("words", ["accurate up to **10^-6**", "precise to 10^{-6}", "correct to $10^{-6}$"])
def test_an_accuracy_is_a_tolerance(words: str) -> None:
    checker = checker_from(f"Print the sum {words}.", "stdin")
    assert checker is not None and checker["abs"] == 1e-6
    assert checker_from("Print the exact sum of at most 10 - 6 hats.", "stdin") is None


@pytest.mark.parametrize(
    "words",
    [
        "Also, find some strategy with this cost.",
        "Your output must satisfy the following conditions: the hats differ.",
        "We will allow a deviation of +/- 10% from these answers.",
        "An answer within +/- 5% of ours is right.",
    ],
)
def test_a_strategy_or_an_answer_near_enough_is_one_of_several(words: str) -> None:
    assert several_answers(program(f"Sell hats. {words}", "2\n1 2", "1\n3"))
    assert not several_answers(program("Find the standard deviation within each group.", "2\n1 2", "1\n3"))


def test_a_sample_among_sentences_is_the_test_that_stands_there() -> None:
    shown = program("Add.", "7")
    shown["tests"] = [new_test("2\n3 4", "7")]
    words = "This is only a part of a real input.\n\n 2\n 3 4\n\n The first line says how many numbers there are."
    answer = "This is the sum of all of them.\n7"
    shown["samples"] = [{"input": words, "output": answer, "explanation": None}]
    Samples()(shown)
    (sample,) = shown["samples"]
    assert (sample["input"], sample["output"]) == ("2\n3 4", "7") and "how many numbers" in sample["explanation"]
    assert len(shown["tests"]) == 1


def test_blank_lines_that_the_format_names_come_back_into_a_test() -> None:
    for spaced, given in (("A blank line is behind each line.", "2\n\nhat\n\ncap"), ("Lines.", "2\nhat\ncap")):
        shown = program("Read.", "7", input_format=spaced)
        shown["tests"] = [new_test("2 \nhat\ncap", "7"), new_test("1\nhat", "1")]
        shown["samples"] = [{"input": "2\n\nhat\n\ncap", "output": "7", "explanation": None}]
        Samples()(shown)
        assert shown["tests"][0]["input"].replace(" ", "") == given


def test_numbers_that_a_page_indents_are_not_indented_in_a_sample() -> None:
    for indented, shown_as in (("\t1\n  3", "1\n3"), ("\tif hat:\n\t  cap", "\tif hat:\n\t  cap")):
        shown = program("Add.", "4")
        shown["tests"] = [new_test("\n".join(line.strip() for line in indented.split("\n")), "4")]
        shown["samples"] = [{"input": indented, "output": "4", "explanation": None}]
        Samples()(shown)
        assert shown["samples"][0]["input"] == shown_as


def test_words_on_lines_of_their_own_are_the_samples_lines() -> None:
    shown = program("Read.", "1")
    shown["tests"] = [new_test("2\n<feed\nxml:lang=\n'en'\n>\n<hat>\ncap\n</hat>", "1")]
    shown["samples"] = [{"input": "2\n<feed xml:lang='en'>\n<hat>cap</hat>", "output": "1", "explanation": None}]
    Samples()(shown)
    assert shown["tests"][0]["input"] == shown["samples"][0]["input"]


def test_what_is_considered_against_the_rules_is_no_other_answer() -> None:
    words = "Print 1 2. Any such solution will be considered as being against the rules."
    assert not several_answers(program(words, "1 2", "1 3"))
