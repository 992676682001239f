"""Faults of rows from the pages of judges and from benchmarks: examples of the same kinds, all invented."""

from __future__ import annotations

import pytest

from microcoder_data.fidelity.loss import text_loss
from microcoder_data.filter.relevance import Relevance
from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.checker import checker_from
from microcoder_data.process.completeness import Completeness
from microcoder_data.process.figures import missing_figure, remove_dead_figures
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.sections import Sections, samples_shown
from microcoder_data.process.several_answers import several_answers
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import new_row, new_test
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


def test_a_statement_on_the_line_of_a_remark_stays() -> None:
    remark = "This problem was part of the Contest. All submissions for this contest problem are publicly available."
    one = row(f"{remark} {'There are hats of 3 kinds. ' * 9}Count the hats.\n\nThe hats are red.")
    Boilerplate()(one)
    assert "Count the hats." in one["statement"]


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
        (f"An example of such a tree is {FIGURE}\n\nCount them.", False),
        (f"For n = 3 the grid is {FIGURE}\n\nCount its paths.", False),
        (f"Count the trees.\n\n{FIGURE} is an example of such a tree.", False),
    ],
)
def test_the_picture_of_a_formula_is_a_word_of_its_sentence(text: str, needed: bool) -> None:
    assert bool(missing_figure(new_row(statement=text))) == needed


def test_the_picture_of_a_possible_answer_is_not_needed() -> None:
    assert (
        missing_figure(new_row(statement="Hats are put in a row. Below is a picture of a possible order of 3.")) is None
    )
    assert missing_figure(new_row(statement="Hats lie on a board. Below is a picture of the board. Count them."))


def test_an_example_that_was_a_picture_leaves_no_colon() -> None:
    one = new_row(statement=f"Each hat is turned. Example: {FIGURE}. Count them.")
    assert remove_dead_figures(one) and one["statement"] == "Each hat is turned. Count them."


def test_escaped_brackets_that_are_no_formula() -> None:
    assert to_markdown(r"Part \#1 \(10 points\): \(n \le 5\)") == r"Part \#1 (10 points): $n \le 5$"
    program = 'def f(text, pattern=r"\\(.+?\\)"):\n    """Find it."""'
    assert to_markdown(program) == program
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


def test_a_function_with_a_test_program_may_be_about_tables() -> None:
    words = "Read the hats using pandas and run the sql query."
    assert Relevance()(row(words)).reason == "not_a_programming_problem"  # type: ignore[union-attr]
    assert Relevance()(row(words, kind="asserts", tests=[], test_code="assert f() == 1")) is None


@pytest.mark.parametrize("unit", ["A ![](file://f.png) B. ", "We define x ![](f.png)", "![", "![a](b"])
def test_many_links_do_not_take_the_square_of_their_number(unit: str) -> None:
    """100,000 characters took a minute."""
    text = unit * (100_000 // len(unit))
    missing_figure(new_row(statement=text))
    remove_dead_figures(new_row(statement=text))
    assert not text_loss(text, text).findings


def test_sides_under_the_heading_of_an_explanation_are_its_text() -> None:
    sides = "### Input\nThere are 4 hats and 2 boxes in it. The budget is 28 for all of them.\n### Output\n"
    page = "### Input\nA.\n### Output\nB.\n### Example\n```\nInput:\n1 2\n\nOutput:\n3\n```\n### Explanation\n" + sides
    (sample,) = samples_shown(page + "Let us put on the first hat. Then we have spent 28 in total.")
    assert sample["output"] == "3" and "Output: Let us put on" in sample["explanation"]
    assert len(samples_shown(page + "4")) == 2


def test_lines_of_a_sample_that_stand_apart_are_its_lines() -> None:
    sample = "### Input\nHats.\n### Output\nHats.\n### Sample Input\n4 4\n\n1 2\n\n2 3\n### Sample Output\n4\n\n5\n\n6"
    assert [(one["input"], one["output"]) for one in samples_shown(sample)] == [("4 4\n1 2\n2 3", "4\n5\n6")]
    assert "\n\n" in samples_shown(sample.replace("Hats.", "Cases are separated by a blank line."))[0]["input"]
    one = row(f"Count.\n\n{sample}", tests=[new_test("4 4\n\n1 2\n\n2 3\n", "4\n5\n6")])
    Sections()(one)
    assert one["samples"][0]["input"] == "4 4\n\n1 2\n\n2 3"  # a test shows that the lines are apart in the input


def test_an_example_with_a_name() -> None:
    page = "\n".join(
        f"### Example - {name}\n```\nInput:\n1\n\nOutput:\n2\n```" for name in ("Enough", "Too Few (of 3)")
    )
    assert len(samples_shown(f"Hats.\n### Input\nA number.\n### Output\nA number.\n{page}")) == 2


def test_other_answers_in_a_remark() -> None:
    remark = "There are other answers in the third test case."
    assert several_answers(row("Find hats.", notes=remark, tests=[{"ref": None, "input": "1", "output": "2 3\n4 5"}]))


def test_a_picture_that_the_text_is_about() -> None:
    story = "Nut gave Bo a {} picture. Only hats already presented on the picture can be worn."
    assert missing_figure(new_row(statement=story.format("magic"))) is None
    assert missing_figure(new_row(statement="Only hats already presented on the picture can be worn."))


@pytest.mark.parametrize("label", ["Examples:", "**Example:**"])
def test_an_example_amid_the_story_comes_before_the_sections(label: str) -> None:
    sections = "### Input\nA number.\n### Output\nA number.\n### Example\n```\nInput:\n1\n\nOutput:\n2\n```"
    one = row(f"Count hats.\n\n{label}\n\nOf 3 hats 2 are red.\n\n{sections}")
    Sections()(one)
    assert (one["input_format"], one["output_format"], len(one["samples"])) == ("A number.", "A number.", 1)
    assert "2 are red" in one["statement"] + (one["notes"] or "")


def test_any_one_of_them_can_be_printed() -> None:
    tests = [{"ref": None, "input": "1", "output": "2 3\n4 5"}]
    assert several_answers(row("There are some hats. Any one of them can be printed.", tests=tests))


def test_lines_between_the_parts_of_a_page_are_no_part() -> None:
    parts = ("Hats.", "<h3>Input</h3>Hats.", "<h3>Output</h3>Hats.", "<h3>Sample Input</h3>2\n<br>\n3 4")
    end = (
        "<h3>Sample Output</h3>3.0\n<br>\n7.0<aside><div>All submissions for this problem are available.</div></aside>"
    )
    page = "<hr>".join([*parts, end])
    made = generic.to_row({"body": page}, SourceSpec(source="generic", path="a", fields={"statement": "body"}))
    assert [(test["input"], test["output"]) for test in made["tests"]] == [("2\n3 4", "3.0\n7.0")]
    one = row(to_markdown(page))
    Sections()(one)
    assert (one["statement"], one["input_format"], one["output_format"]) == ("Hats.", "Hats.", "Hats.")
    dashes = [{"input": "1", "output": "---\n\n---", "explanation": None}]
    sections = "Hats.\n\n---\n### Input\nA.\n### Output\nB.\n"
    grid = f"{sections}### Sample Input\n```\n1\n```\n### Sample Output\n```\n---\n\n---\n```"
    assert samples_shown(grid) == dashes


def test_a_function_that_talks_with_an_object_is_interactive() -> None:
    one = row("This is an **interactive** problem. Guess the hat.", kind="call", entry_point="guess")
    assert Relevance()(one).reason == "interactive"  # type: ignore[union-attr]


def test_tags_in_a_program_are_its_values() -> None:
    program = 'import re\n\ndef f(hats):\n    """Replace \'\\\\n\' with \'<br>\' in the hats.\n\n    <b> stays."""\n'
    assert to_markdown(program) == program
    assert "<br>" not in to_markdown("Hats.<br>Boxes.<br>Hats.")


@pytest.mark.parametrize(
    "remark",
    ["For each test case, your program's score is equal to T/H.", "Otherwise, you will score p penalty points."],
)
def test_scores_of_older_challenges(remark: str) -> None:
    tests = [{"ref": None, "input": "1", "output": "2 3\n4 5"}]
    assert several_answers(row("Raise the hats.", notes=remark, tests=tests))


def test_provide_any_sequence() -> None:
    tests = [{"ref": None, "input": "1", "output": "2 3\n4 5"}]
    assert several_answers(row("Provide *any* sequence of swaps that leads to the nicest hats.", tests=tests))


def test_lines_of_a_page_with_two_breaks_each_are_a_samples_lines() -> None:
    end = "<br /><br />\n"
    lines = ("<b>INPUT:</b>", "Hats.", "<b>OUTPUT:</b>", "Hats.", "<b>SAMPLE INPUT:</b>", "1", "5 2", "1 1")
    page = f"<p>Count.{end}{end.join(lines)}{end}{end}<b>SAMPLE OUTPUT:</b>{end}1{end}</p>"
    assert [(one["input"], one["output"]) for one in samples_shown(to_markdown(page))] == [("1\n5 2\n1 1", "1")]


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p><b>s<sub><b>K</b></sub></b> hats</p>", "**s_K** hats"),
        ("<p>10<sup><i>9</i></sup> hats</p>", "10^9 hats"),
        ("<strong>\n<ul>\n<li>red</li>\n<li>blue</li>\n</ul>\n</strong>", "- red\n- blue"),
        ("<pre>3 2<pre>\n<h3>Output</h3>\n<pre>5</pre>", "```\n3 2\n```\n\n### Output\n\n```\n5\n```"),
        ("<p><b>P<sub><b>N</b>,<b>j</b></sub></b> hats</p>", "**P_{N,j}** hats"),
        ("<p><b>4<b> ≤ </b>N ≤ 10<sup>5</sup></b> and <i>M</i></p>", "**4 ≤ N ≤ 10^5** and *M*"),
        ("<pre>1<pre>2</pre><p>Hats.</p>", "```\n1\n```\n\n```\n2\n```\n\nHats."),
        ("<p>Hats:<li>red</li>\n<li>blue</li></p>", "Hats:\n\n- red\n- blue"),
        ("<ul><li>red</li>\n<li>blue</li></ul>", "- red\n- blue"),
        ("<p>Hats</p><pre>(#&#)\n</pre><p>Caps</p>", "Hats\n\n```\n(#&#)\n```\n\nCaps"),
        ('<p>In</p><i class="material-icons grey">save_alt</i><a href="a.txt"> </a><pre>1</pre>', "In\n\n```\n1\n```"),
        ('<p>An <i class="term">icon</i> of <a href="a.txt">hats</a></p>', "An *icon* of [hats](a.txt)"),
        ("<p>Hats are <b>red</b> or <i>blue</i>.</p>", "Hats are **red** or *blue*."),
        ("<b>Bounds<ul><li><b>N</b> hats</li></ul></b>", "**Bounds\n\n- **N** hats**"),
    ],
)  # fmt: skip
def test_emphasis_stands_where_markdown_has_a_place_for_it(html: str, markdown: str) -> None:
    assert to_markdown(html) == markdown


@pytest.mark.parametrize("words", [r"at grid\[2\]\[0\].", r"at grid\[i+1\]\[j-1\]\[k\]."])
def test_indices_in_escaped_brackets_are_no_formula(words: str) -> None:
    assert to_markdown(words) == words


def test_a_formula_in_brackets_stays_one() -> None:
    assert to_markdown(r"So \[x = 1\] and \[y\]") == "So $$x = 1$$ and $$y$$"


@pytest.mark.parametrize(
    ("words", "parts", "kept"),
    [
        ("Our hidden tester code passes the root of the tree to it.", {}, False),
        ("You do not need to read any input: the locked stub code reads it.", {}, False),
        ("The locked code prints. You are *not* responsible for printing.", {}, False),
        ("You are not responsible for directly printing: the locked code in your editor does it.", {}, False),
        ("Do not print anything to stdout, the locked code does it.", {}, False),
        ("The hats stand in a file, which will be included with your program at runtime.", {}, False),
        ("Please complete the partially completed code in the editor.", {}, False),
        ("Please complete the partially completed code in the editor.", {"input_format": "One number."}, True),
        ("The code below and the stub in your editor read a number. Print it.", {}, True),
        ("Count the test cases that the code passes, and print them.", {}, True),
        ("Count the hats. Only enter a single integer.", {}, False),
        ("Only enter the number of hats.", {"input_format": "Nothing."}, True),
        ("Your code is not responsible for reading. Hats are, and you print them.", {}, True),
    ],
)
def test_code_that_only_a_site_shows_is_no_task(words: str, parts: dict[str, str], kept: bool) -> None:
    outcome = Relevance()(row(words, **{"input_format": None, **parts}))
    assert (outcome is None) == kept


def test_whichever_comes_first_is_one_answer() -> None:
    several = "If there are many such strings, print whichever"
    for words, one in ((f"{several} comes first alphabetically.", True), (f"{several} you like.", False)):
        assert (several_answers(row(words, tests=[new_test("1", "abc")])) is None) == one


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("This is an example statement in markdown. Please make sure to remove this paragraph.", False),
        ("## Task\n\n(Write your statement here)", False),
        ("Here is an example statement: the hats are red. Print it.", True),
    ],
)
def test_a_sites_template_is_no_statement(words: str, kept: bool) -> None:
    outcome = Completeness(sections=False, samples=False)(row(words))
    assert (outcome is None or outcome.outcome != "dropped") == kept


@pytest.mark.parametrize(
    ("lines", "given", "limits"),
    [
        ("Time limit: 40 seconds per test set.\nMemory limit: 1GB.", None, (40000, 1024)),
        ("time limit per test: 0.5 s\nmemory limit per test: 65536 KB", None, (500, 64)),
        ("Time limit: 250 ms", None, (250, None)),
        ("Time limit: 30 seconds\n\n### Large\n\nTime limit: 60 seconds.", None, (60000, None)),
        ("Time limit: 2 seconds", 3000, (3000, None)),
        ("The time limit: 2 seconds of a hat", None, (None, None)),
    ],
)
def test_limits_in_a_statement_are_read(lines: str, given: int | None, limits: tuple[int | None, int | None]) -> None:
    one = row(f"Count the hats.\n\n{lines}\n\nThey are red.", time_limit_ms=given)
    Boilerplate()(one)
    assert (one["time_limit_ms"], one["memory_limit_mb"]) == limits
    assert ("imit" in one["statement"]) == (limits == (None, None))


@pytest.mark.parametrize(("answer", "one"), [("4 3 2 1", False), ("4", True)])
def test_one_of_the_possible_lists_is_one_of_several_answers(answer: str, one: bool) -> None:
    words = row("Swap hats. Calculate one of the possible lists of hats.", tests=[new_test("1", answer)])
    assert (several_answers(words) is None) == one
