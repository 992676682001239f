"""Tests that a scraper left as HTML become the text that a program reads; tests about HTML stay as they are."""

import json

import pytest

from microcoder_data.process.escaped_tests import EscapedTests
from microcoder_data.process.page_lines import lines_of_html, without_first_break
from tests.data.made_up import taco_record
from tests.data.sources.reading import row_of

pytestmark = pytest.mark.fast

STATEMENT = "Print the sum of the numbers of each line."
FIELDS = {"statement": "body", "samples": "shown"}


def sides(row: dict) -> list[tuple[str, str]]:
    return [(one["input"], one["output"]) for one in row["samples"] or row["tests"]]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("2<br/>1 2<br/>3 4<br/>", "2\n1 2\n3 4"),
        ("2<br>1 &lt; 2<BR />a&nbsp;b", "2\n1 < 2\na b"),
        (
            '\n<div class="test-example-line test-example-line-even">2</div>'
            '<div class="test-example-line test-example-line-odd">1 2</div>',
            "2\n1 2",
        ),
        ('? 1<br/><span class="tex-span"></span><br/>! 4<br/>', "? 1\n\n! 4"),
        ("<a><b></b></a><br/>", "<a><b></b></a>"),
        ("<pre>1 2\n3</pre>", "1 2\n3"),
        ("2\n<br>\n1 2\n<br>\n3", "2\n\n1 2\n\n3"),
    ],
)
def test_lines_of_a_page_become_lines(text: str, plain: str) -> None:
    assert lines_of_html(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "1 < 2 > 1",
        "<p>one<br>two</p>",
        "<html>\n<body>one<br/>\n</body>\n</html>",
        "<div>\n<br/>",
        "3\na<br>b\nc",
        "3\n<br>\na<br>b\nc",
        "<p>\n<br>\n</p>",
        "a &lt; b",
        "<breeze>",
    ],
)
def test_what_may_be_about_html_stays(text: str) -> None:
    assert lines_of_html(text) == text


def test_the_line_break_that_opens_every_block_is_the_page_s() -> None:
    assert without_first_break([("\n2\n", "\n3\n"), ("\n4\n", "\n5\n")]) == [("2\n", "3\n"), ("4\n", "5\n")]
    kept = [("\nab\n", "\nba\n"), ("ab\n\n", "ba\n\n")]
    assert without_first_break(kept) == kept, "a text of which one line is empty"
    assert without_first_break([("\n", "\n")]) == [("\n", "\n")]


def test_samples_and_tests_of_own_records_and_of_publishers() -> None:
    shown = [{"input": "\n2<br/>1 2<br/>", "output": "\n3\n"}, {"input": "\n1\n", "output": "\n1\n"}]
    own = {"statement": "body", "tests": "tests"}
    pairs = {"inputs": ["2<br>1 2", "1<br>5"], "outputs": ["3", "5"]}
    rows = [
        row_of("generic", {"body": STATEMENT, "shown": shown}, fields=FIELDS),
        row_of("generic", {"body": STATEMENT, "tests": shown}, fields=own),
        {**row_of("generic", {"body": STATEMENT, "tests": shown}, fields=own), "kind": "interactive"},
        row_of("taco", taco_record(1, input_output=json.dumps(pairs))),
    ]
    for row in rows:
        outcome = EscapedTests()(row)
        assert outcome is not None and outcome.took_out
    assert sides(rows[0]) == [("2\n1 2", "3\n"), ("1\n", "1\n")]
    assert sides(rows[0]) == [(one["input"], one["output"]) for one in rows[0]["tests"]]
    assert sides(rows[1])[0] == sides(rows[2])[0] == ("2\n1 2", "3\n")
    assert sides(rows[3])[0] == ("2\n1 2", "3")


@pytest.mark.parametrize(
    "statement",
    [
        "Count the `<br>` tags of each line.",
        "Replace each `<br/>` by a line end.",
        "Escape the special characters of HTML.",
        "A line of XML is given. Print its depth.",
        "Unescape the text.",
        "Decode these entities.",
    ],
)
def test_tests_of_a_problem_about_html_stay_byte_for_byte(statement: str) -> None:
    tests = [("a<br>b<br>c\n", "2\n"), ("a &amp; b<br>", "1"), ("<pre>1 2</pre>", "a&lt;b"), ("x<br/>", "&nbsp;")]
    listed = [{"input": given, "output": wanted} for given, wanted in tests]
    pairs = {side: [one[position] for one in tests] for position, side in enumerate(("inputs", "outputs"))}
    records = [
        ("generic", {"statement": statement, "tests": listed}),
        ("generic", {"statement": statement, "samples": listed}),
        ("taco", taco_record(1, question=statement, input_output=json.dumps(pairs))),
    ]
    for source, record in records:
        row = row_of(source, record)
        assert EscapedTests()(row) is None
        assert [(one["input"], one["output"]) for one in row["tests"]] == tests


def test_tags_that_a_page_has_escaped_are_tags() -> None:
    tests = [{"input": "&lt;a&gt;&lt;b/&gt;&lt;/a&gt;\n1\na b", "output": "1"}, {"input": "&lt;c/&gt;", "output": "0"}]
    row = row_of("generic", {"statement": "A document has opening and closing tags.", "tests": tests})
    assert EscapedTests()(row) is not None
    assert sides(row) == [("<a><b/></a>\n1\na b", "1"), ("<c/>", "0")]
    other = row_of("generic", {"statement": "Sort the price tags.", "tests": [{"input": "1 &lt; 2", "output": "1"}]})
    assert EscapedTests()(other) is not None and sides(other) == [("1 < 2", "1")]
    mixed = [*tests, {"input": "<a>", "output": "&lt;a&gt;"}]
    assert EscapedTests()(row_of("generic", {"statement": "Replace the tags.", "tests": mixed})) is None


def test_two_versions_that_differ_in_their_input_format_have_two_ids() -> None:
    fields = {**FIELDS, "input_format": "reads"}
    shown = [{"input": "1 2", "output": "3"}]
    easy, hard = (
        row_of("generic", {"body": STATEMENT, "reads": f"At most {n} numbers.", "shown": shown}, fields=fields)
        for n in (10, 100_000)
    )
    assert easy["problem_id"] != hard["problem_id"]
    plain = row_of("generic", {"body": STATEMENT, "shown": shown}, fields=FIELDS)
    assert (
        plain["problem_id"]
        == row_of("generic", {"body": STATEMENT, "reads": None, "shown": shown}, fields=fields)["problem_id"]
    )
