"""Faults of rows from the pages of judges and from benchmarks: examples of the same kinds, all invented."""

from __future__ import annotations

import pytest

from microcoder_data.fidelity.loss import text_loss
from microcoder_data.filter.relevance import Relevance
from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.checker import checker_from
from microcoder_data.process.figures import missing_figure, remove_dead_figures
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.sections import Sections, samples_shown
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import new_row
from microcoder_data.sources import generic
from microcoder_data.sources.columns import milliseconds
from tests.data.process.rows import row

pytestmark = pytest.mark.fast
PAGE = "Add the hats.\r\n\r\n### Example Input\r\n```\r\n1 2\r\n```\r\n\r\n### Example Output\r\n```\r\n3\r\n```\r\n"
FIGURE = "![](file://f.png)"


def test_samples_of_a_statement_with_other_line_ends_are_tests() -> None:
    made = generic.to_row({"body": PAGE}, SourceSpec(source="generic", path="a", fields={"statement": "body"}))
    assert [(test["input"], test["output"]) for test in made["tests"]] == [("1 2", "3")]


def test_tags_that_arrange_a_page_leave_no_mark() -> None:
    page = "Count.\n\n### Notes\n\n- None.\n\n<aside style='padding: 10px;'><div>See the hats.</div></aside>"
    assert to_markdown(page) == "Count.\n\n### Notes\n\n- None.\n\nSee the hats."
    assert not text_loss(page, to_markdown(page)).findings
    assert to_markdown("<p>Two ways:</p><ui></ui><ul><li>one</li></ul>") == "Two ways:\n\n- one"
    assert "<n></n>" in to_markdown("Print `<n></n>`.<br>Twice.")


@pytest.mark.parametrize(
    "remark",
    [
        "### All submissions for this problem are available.",
        "**This problem was part of the [Hat Contest](http://a.org/). All user submissions for this contest "
        "problem are publicly available [here](http://a.org/b).**",
    ],
)
def test_remarks_of_a_site_are_removed(remark: str) -> None:
    one = row(f"{remark}\n\nCount the hats.")
    assert Boilerplate()(one) and one["statement"] == "Count the hats."


@pytest.mark.parametrize(
    "page",
    [
        "Add.\n\n### Example\n\n```\n**Sample Input:**\n1 2\n\n**Sample Output:**\n3\n```",
        "Add.\n\n```\nSample Input :\n1 2\n```\n\n```\nSample Output :\n3\n```\n\n```\nConstraints :\nn <= 9\n```",
        "Add.\n\n### Example Input\n```\n1 2\n```\n### Example Ouput\n```\n3\n```",
    ],
)
def test_samples_whose_headings_stand_inside_their_fences(page: str) -> None:
    assert [(one["input"], one["output"]) for one in samples_shown(page)] == [("1 2", "3")]


def test_a_program_that_prints_a_heading_is_no_sample() -> None:
    assert not samples_shown("Mend it.\n\n```python\nprint('Sample Input')\nprint('Sample Output')\n```")


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        (f"Point B lies beside A according {FIGURE} (for every i).", True),
        (f"Count the pairs.\n\n{FIGURE} is the greatest common divisor of a and b.", True),
        (f"The first line has n, m {FIGURE} — the number of hats.", True),
        (f"Which i with l ≤ i ≤ r and {FIGURE}? Print it.", True),
        (f"The first line has n (1 ≤ n ≤ 22; {FIGURE}) — the guests.", True),
        (f"The distance of two hats is {FIGURE}\n\nCount them.", True),
        (f"Let us define two functions f and g on hats.\n\n{FIGURE}{FIGURE}\n\nAnswer q queries.", True),
        (f"A tree is a graph without cycles.\n\n{FIGURE}\n\nCount them.", False),
        (f"Hats lie in a row.\n\n{FIGURE}\n\nThis is a row of them. Count them.", False),
        ("Point B lies beside A ![a hat](f.png) (for every i).", False),
    ],
)
def test_the_picture_of_a_formula_is_a_word_of_its_sentence(text: str, needed: bool) -> None:
    assert bool(missing_figure(new_row(statement=text))) == needed


def test_an_example_that_was_a_picture_leaves_no_colon() -> None:
    one = new_row(statement=f"Each hat is turned. Example: {FIGURE}. Count them.")
    assert remove_dead_figures(one) and one["statement"] == "Each hat is turned. Count them."


def test_escaped_brackets_that_are_no_formula() -> None:
    assert to_markdown(r"Part \#1 \(10 points\): \(n \le 5\)") == r"Part \#1 (10 points): $n \le 5$"
    assert to_markdown(r"The pattern '[(){}\\[\\]]' and \(n\)") == r"The pattern '[(){}\\[\\]]' and $n$"


def test_a_docstring_in_single_quotes_is_not_split() -> None:
    program = "def size(hats):\n    '''How many.\n\n    Example:\n        >>> size([])\n        0\n    '''"
    one = row(program, kind="asserts")
    assert Sections()(one) is None and one["statement"] == program


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("### Example\n```text\nInput: n = 3\n```", "Input: n = 3"),
        ("```input1|2,3,6,7,10,11,14,15,18,19,22,23,26,27,30,31,34,35,38,39,42,43,46,47,50,51\n3\n```", "3"),
        ("![a red hat](figures/example-12.svg)", "(Figure: a red hat)"),
        ("```\n1 &lt; 2\n```", "```\n1 < 2\n```"),
        ("Count.\r\n\r\n### Input\r\n\r\nA hat.", "Count.\n\nA hat."),
    ],
)
def test_what_is_no_text_is_not_lost(before: str, after: str) -> None:
    assert not text_loss(before, after).findings
    assert text_loss(before + "\nHats.", after).findings


def test_a_tolerance_in_raised_digits() -> None:
    checker = checker_from("Values within `10⁻⁵` of the exact ones are accepted.", "call")
    assert checker and checker["abs"] == 1e-5


def test_a_number_alone_from_a_hundred_on_is_in_milliseconds() -> None:
    assert [milliseconds(value) for value in (1500, "2000", 2, "120 s", 10**60)] == [1500, 2000, 2000, 120_000, None]


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("def f(hats):\n    return hats[::-1]", False),
        ("import re\n\ndef f(hats):\n    return re.sub('a', '', hats)", False),
        ('def f(hats):\n    """Turn them."""', True),
        ("def f(hats):\n    'Turn them.'", True),
        ("def f(hats):  # turn them\n    pass", True),
        ("from the hats given, turn those that are red.", True),
    ],
)
def test_a_program_is_no_task(statement: str, kept: bool) -> None:
    outcome = Relevance()(row(statement))
    assert (outcome is None) == kept and (kept or outcome.reason == "not_a_programming_problem")
