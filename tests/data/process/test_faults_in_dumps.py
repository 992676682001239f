"""Faults that readers found in dumps of many judges (TACO, APPS, CodeContests, packages): examples, all invented."""

from __future__ import annotations

import pytest

from microcoder_data.fidelity.loss import text_loss
from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.checker import checker_from
from microcoder_data.process.figures import missing_figure, remove_dead_figures
from microcoder_data.process.lost_exponents import lost_powers
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.sections import Sections
from microcoder_data.process.several_answers import several_answers
from microcoder_data.process.tex_conditionals import DEEPEST, without_conditionals
from microcoder_data.schema import new_row, new_test

pytestmark = pytest.mark.fast


def program(answer: str, **parts: str) -> dict[str, object]:
    return new_row(kind="stdin", tests=[new_test("3\n", answer)], **parts)


@pytest.mark.parametrize(
    ("said", "several"),
    [
        ("Print the signs. Your solution is correct if the sum satisfies the bound.", True),
        ("Your answer is correct if its relative error is at most 0.1.", False),
        ("Then print a valid edge coloring as a list.", True),
        ("Print a valid minimum number and the cost.", False),
        ("Print YES followed by a description of a ring road.", True),
        ("The roads have to form a tree that satisfies the wishes.", True),
        ("This walk must not repeat and must be a valid simple path.", True),
        ("Print the two costs of the trees.", False),
        ("If there is no arrangement, print -1. Otherwise, print n numbers, each from 1 to 5.", True),
        ('If the answer exists, print "YES", and then print m lines. If there is no answer, print "NO".', True),
        ("Output the cost n or -1 if it is impossible. If it is not -1, the next n lines contain pairs of ends.", True),
        ("If fewer than k lists fit, print -1. Otherwise, print n integers, the k-th list.", False),
        ("If it can not be sorted, print -1. Otherwise, print two integers, the minimum and the maximum.", False),
        ("If no route exists, print -1. Otherwise, print 2n numbers, the route.", False),
        ("Print the total distance. In the second line, print the path to be covered. Each bus has a unique id.", True),
        ("Print the least time, then the ramps in the order in which he used them.", True),
        ("Print the towns in the order in which he visited them.", False),
        ("Output such a plan in the following format: $S_1$. Here the $j$-th character of $S_1$ is the move.", True),
        ("Output such a string: if $j$ is odd, its $j$-th character is a, else b.", False),
    ],
)
def test_the_output_says_that_it_is_made(said: str, several: bool) -> None:
    assert bool(several_answers(program("2\n1 3\n2 3\n", statement="Plan it.", output_format=said))) == several


@pytest.mark.parametrize(
    ("printed", "several"),
    [
        ("Print a single integer — the maximum area.", False),
        ("For each query, output the number of hats.", False),
        ("Print the minimum cost, then print the hats.", True),
        ("Print the number of any hat.", True),
        ("Print one hat's number.", True),
    ],
)
def test_an_optimum_is_one_number(printed: str, several: bool) -> None:
    said = "Taking two hats is also valid."
    assert bool(several_answers(program("7\n", statement=said, output_format=printed))) == several


def test_what_is_coloured_under_a_condition_is_made() -> None:
    said = "Help Ana to color her tiles so that no two that touch look alike, or determine that it is impossible."
    assert several_answers(program("YES\n1\n2\n1\n", statement=said))
    assert not several_answers(program("NO\n", statement=said))


def test_what_the_input_must_form_is_not_made() -> None:
    given = "The roads have to form a tree that satisfies the wishes."
    assert not several_answers(program("4 5\n", statement="Sum.", input_format=given, output_format="Print two sums."))


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("The output is case insensitive.", "case_insensitive"),
        ("Print YES if it is dry, or NO otherwise (case-insensitive).", "case_insensitive"),
        ("Print YES or NO. You can choose the case (lower or upper) for each letter arbitrary.", "case_insensitive"),
        ("Names of plants are case-insensitive, so know them in any form, but print them as above.", None),
        ("A word is case insensitive, so it does not matter if a letter is capital.", None),
    ],
)
def test_letter_case_of_what_is_read_is_no_checker(said: str, kind: str | None) -> None:
    assert (checker_from(said, "call") or {"kind": None})["kind"] == kind


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_of_the_notes_for_languages_those_for_python_stay(fence: str) -> None:
    blocks = [
        f"{fence}{names}\nNote {names}.\n{fence}" for names in ("if:java,ruby", "if:python", "if-not:php", "if c:")
    ]
    one = new_row(statement="\n".join(["Add.", *blocks, f"{fence}python\nadd(1)\n{fence}"]))
    Boilerplate()(one)
    assert one["statement"] == f"Add.\nNote if:python.\nNote if-not:php.\n{fence}python\nadd(1)\n{fence}"


@pytest.mark.parametrize(
    "text", ["```if x > y then x = x - y```\nGo on.", "```\nif:python\n```", "~~~if:java\nNo end."]
)
def test_code_that_begins_with_if_stays(text: str) -> None:
    one = new_row(statement=text)
    Boilerplate()(one)
    assert one["statement"] == text


def test_a_figure_whose_caption_names_a_sample_is_not_needed() -> None:
    cut = "Two tiles touch if their sides have a common part"
    assert not missing_figure(new_row(statement=f"{cut}\n\n<image> The picture corresponds to the first example"))
    assert missing_figure(new_row(statement=f"{cut}\n\n<image> The picture has the rule."))


def test_a_dead_figure_takes_its_attributes_along() -> None:
    one = new_row(statement='Walk.\n\n![](tree.png){width="40%"}\n\n![](a.png){.wide}\n\nIn ${x}$ steps.')
    assert remove_dead_figures(one) == 2
    assert one["statement"] == "Walk.\n\nIn ${x}$ steps."


def test_many_spaces_are_read_once() -> None:
    """For minutes otherwise."""
    row = new_row(statement=f"Walk.{' ' * 100_000}<image>")
    assert not missing_figure(row) and remove_dead_figures(row) == 1


def test_verbatim_text_of_tex_is_code_in_a_dump() -> None:
    said = r"Each mark is \verb+N+ or $\verb|a b|$, costs $x$, and `\verb+c+` is shown. 5 * 3 is 15."
    assert to_markdown(said) == r"Each mark is `N` or `a b`, costs $x$, and `\verb+c+` is shown. 5 * 3 is 15."
    cases = r"$$$$$$ f(u) = \begin{cases} \texttt{a}, & \text{if } u = 0 \\ 1 \end{cases} $$$$$$"
    assert to_markdown(f"So is $$$f$$$: {cases}") == "So is $f$: " + cases.replace("$$$$$$", "$$")
    assert not text_loss(r"Each is \verb+N+ or \verb+NP+.", "Each is `N` or `NP`.").findings
    assert text_loss(r"Each is \verb+N+ or \verb+NP+.", "Each is `N` or `P`.").findings


@pytest.mark.parametrize("heading", ["-----Limitations-----", "## Restrictions", "Subtask 1:"])
def test_bounds_behind_the_examples_are_read(heading: str) -> None:
    text = f"Sum.\n\n-----Example-----\nInput:\n5 > 105\n\n{heading}\n0 < n ≤ 106"
    assert [place.base + "^" + place.power for place in lost_powers(text)] == ["10^6"]


@pytest.mark.parametrize(
    "names",
    [
        "in [Vietnamese],\n[Bengali], [Mandarin Chinese], and [Russian] as well.",
        "in Mandarin chinese\n, Russian and Vietnamese as well. ------",
    ],
)
def test_a_remark_on_translations_goes_with_its_second_line(names: str) -> None:
    row = new_row(statement=f"Read problem statements {names}\n\n[Ana] likes tiles.")
    Boilerplate()(row)
    assert row["statement"] == "[Ana] likes tiles."


def test_a_formula_that_stands_twice_is_kept_once() -> None:
    said = "- N$N$ lines follow.\n- 1≤Ai≤105$1 \\le A_i \\le 10^5$ for each i$i$\n"
    row = new_row(statement=f"{said}- a table (a,b)$(a, b)$ of M$M$ cells")
    Boilerplate()(row)
    once = "- $N$ lines follow.\n- $1 \\le A_i \\le 10^5$ for each $i$\n- a table $(a, b)$ of $M$ cells"
    assert row["statement"] == once


def test_headings_between_dashes_stand_alone() -> None:
    text = "Add.\n-----Input-----\nTwo.\n------ Ouput ------\nThe sum.\n------\n------ Constraints -----\n"
    text += "Small.\n-----Example:-----Input:\n1 2\n\nOutput:\n3\n\n-----Explanation:-----Case #1:\n1 + 2 = 3"
    row = new_row(statement=text)
    Sections()(row)
    assert (row["input_format"], row["output_format"], row["constraints"]) == ("Two.", "The sum.", "Small.")
    assert row["samples"] == [{"input": "1 2", "output": "3", "explanation": "Case #1:\n1 + 2 = 3"}]


def test_a_sample_beside_the_arguments_of_a_function_is_the_input_alone() -> None:
    text = "Win.\n\nExample\n$a=[4,2]$\n\nSort them.\n\nInput Format\n\nA number, then a list.\n\n"
    text += "Sample Input\nSTDIN     Function\n-----     --------\n2         size of a = 2\n"
    text += "1 333333333 a = [1, 333333333]\n\nSample Output\n1"
    row = new_row(statement=text)
    Boilerplate()(row)
    Sections()(row)
    assert row["input_format"] == "A number, then a list."
    assert row["samples"][0]["input"] == "2\n1 333333333"


@pytest.mark.parametrize(("said", "several"), [("print any.", True), ("do not print any.", False)])
def test_any_of_the_things_that_the_sentence_names(said: str, several: bool) -> None:
    text = f"Name a file. If there are multiple matched files, {said}"
    assert bool(several_answers(program("a.txt\n", statement=text))) == several


def test_a_figure_above_a_sample_stays_with_it() -> None:
    text = "Flip it.\n\n**Example 1:**\n\n![](https://a.b/one.png)\n\n**Input:** n = 1\n**Output:** 2\n"
    text += "**Explanation:** See the diagram above.\n\n**Example 2:**\n**Input:** n = 2\n**Output:** 4"
    row = new_row(statement=text, kind="call")
    Sections()(row)
    shown = "![](https://a.b/one.png)\n\nSee the diagram above."
    assert [one["explanation"] for one in row["samples"]] == [shown, None]
    assert not row["notes"]


@pytest.mark.parametrize(
    ("said", "several"),
    [
        ("It is also allowed to move left.", False),
        ("$(X)$ is also a correct bracket sequence.", False),
        ("For example, $3 1 2$ is also a valid answer.", True),
    ],
)
def test_what_else_is_allowed_is_an_answer(said: str, several: bool) -> None:
    assert bool(several_answers(program("1 2 3\n", statement=f"Sort. {said}"))) == several


@pytest.mark.parametrize(
    ("tex", "markdown"),
    [
        ("\\ifplastex\n\\displaysample{a/sample}\n\\else\nThe sample.\n\\fi\nDone.", "Done."),
        ("\\newif\\ifhard\n\\hardtrue\n\\ifhard{}Long\\else Short\\fi.", "Long."),
        ("\\iffalse Old. \\fi It is so $a \\iff b$.", "It is so $a \\iff b$."),
        ("\\ifdefined\\web On a page.\\else On paper.\\fi", "On paper."),
    ],
)
def test_of_the_branches_of_tex_one_is_shown(tex: str, markdown: str) -> None:
    assert to_markdown(f"\\problemname{{Sum}}\n{tex}") == markdown


def test_conditionals_without_end_inside_each_other_cost_a_few_passes() -> None:
    many = 50_000
    left = without_conditionals("\\iftrue x" * many + "\\fi" * many)
    assert left.count("\\iftrue") == many - DEEPEST and left.count("x") == many


def test_a_sentence_is_no_formula() -> None:
    text = "$1 ≤ N ≤ 10^{5}$\n$ Cells (x_{1}, y_{1}) are different.$\n- $a_i, pos, val$\n$\\text{see the note}$"
    assert to_markdown(text) == text.replace(
        "$ Cells (x_{1}, y_{1}) are different.$", "Cells (x_{1}, y_{1}) are different."
    )
