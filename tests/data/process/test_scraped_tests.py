"""Tests that a scraper made of a page's blocks of code, and tables that stand as inputs."""

from __future__ import annotations

import pytest

from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.scraped_tests import ScrapedTests
from microcoder_data.process.sections import Sections
from microcoder_data.process.two_columns import without_second_column
from microcoder_data.schema import Row, new_row, new_test

pytestmark = pytest.mark.fast

PSEUDOCODE = "Count the hats that this prints.\n\n    hats = 0\n    for a in 1..n\n        hats += a\n\nSo it is."


def program(statement: str, *tests: tuple[str, str], **parts: object) -> Row:
    return new_row(kind="stdin", statement=statement, tests=[new_test(*test) for test in tests], **parts)


@pytest.mark.parametrize("code", [PSEUDOCODE, "Count:\n```\nhats = 0\nfor a in 1..n\n  hats += a\n```\nSo it is."])
def test_a_block_of_the_statement_is_no_input(code: str) -> None:
    row = program(code, ("hats = 0\nfor a in 1..n\n hats += a", "7 2 9"))
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_the_samples_replace_such_tests() -> None:
    row = program(PSEUDOCODE, ("hats = 0\nfor a in 1..n\nhats += a", "7 2 9"), ("28", "12 4"))
    row["samples"] = [{"input": "7", "output": "28", "explanation": None}]
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.outcome == "changed"
    assert [(test["input"], test["output"]) for test in row["tests"]] == [("7", "28")]


def test_a_samples_answer_and_the_next_ones_input_are_no_test() -> None:
    tests = [("hats = 0\nfor a in 1..n\nhats += a", "7 1"), ("28", "12 4"), ("82", "5 9"), ("15", "16")]
    row = program(PSEUDOCODE, *tests)
    row["samples"] = [
        {"input": given, "output": wanted, "explanation": None}
        for given, wanted in (("7 1", "28"), ("12 4", "82"), ("5 9", "15"))
    ]
    ScrapedTests()(row)
    assert [(test["input"], test["output"]) for test in row["tests"]] == [("7 1", "28"), ("12 4", "82"), ("5 9", "15")]


def test_samples_that_begin_with_a_block_of_the_statement_are_paired_anew() -> None:
    tests = [("hats = 0\nfor a in 1..n\nhats += a", "7 1"), ("28", "12 4"), ("82", "5 9")]
    row = program(PSEUDOCODE, *tests)
    row["samples"] = [{"input": given, "output": wanted, "explanation": None} for given, wanted in tests]
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.outcome == "changed"
    for shown in (row["samples"], row["tests"]):
        assert [(one["input"], one["output"]) for one in shown] == [("7 1", "28"), ("12 4", "82")]


def test_a_single_sample_that_is_a_block_of_the_statement_is_no_test() -> None:
    row = program(PSEUDOCODE, ("hats = 0\nfor a in 1..n\nhats += a", "7 2 9"))
    row["samples"] = [{"input": row["tests"][0]["input"], "output": "7 2 9", "explanation": None}]
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_a_session_of_an_interpreter_is_no_input() -> None:
    session = ">>> hats = {1, 2}\n>>> len(hats)\n2"
    row = program("Sets:\n\n    " + session.replace("\n", "\n    ") + "\n\nCount them.", (session, "2"))
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


@pytest.mark.parametrize("code", [">>> a = 1\n\n>>> a + 1\n2", "int hats[9];  // nine", "int main() {\n  hats();\n}"])
def test_code_is_no_input_even_if_the_next_block_is_shown(code: str) -> None:
    shown = "\n".join(f"    {line}".rstrip() for line in code.split("\n"))
    row = program("Hats.", (code.replace("\n\n", "\n"), "7 2 9"), notes=shown.strip() + "\n\nOr:\n\n    7 2 9")
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


@pytest.mark.parametrize(
    "tests",
    [
        [("1 2 3", "6")],  # not in the text
        [("12 30 40", "82")],  # an example that the text shows with its answer
        [("12 30 40", "81"), ("1 2 3", "6"), ("4 5 6", "15")],  # one of several
        [("12 30 40", "81"), *[(f"{number} 1 1", f"{number + 2}") for number in range(30)]],
    ],
)
def test_other_tests_stay(tests: list[tuple[str, str]]) -> None:
    row = program("Add the numbers.\n\n    12 30 40\n\nThis gives 82.", *tests)
    assert ScrapedTests()(row) is None
    assert [(test["input"], test["output"]) for test in row["tests"]] == tests


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("Add.\n\n    1.5 2.5\n    2.2\n\nThis gives 6.2.", ("1.5 2.5\n2.2", "6.200000")),
        ("Divide.\n```\n2 3 0\n```\nIt is $0.67$.", ("2 3 0", "0.6666666667")),
        ("Is it?\n```\n12 30 40\n```\nHere the answer is **Yes**.", ("12 30 40", "YES")),
        ("Turn.\n```\n#.. ..#\n```\nTurned: `..#` and\n`#..`", ("#.. ..#", "..# and #..")),
        ("Add.\n\nFor the following input:\n\n    12 30 40\n\nyou add three numbers.", ("12 30 40", "82")),
        ("Add.\n\nExample input\n```\n12 30 40\n```\nThree numbers.", ("12 30 40", "82")),
        ("Unquote.\n```\n>> 12345\n```\nThis is quoted twice: 2.", (">> 12345", "2")),
    ],
)
def test_an_example_of_the_text_stays_however_its_answer_is_written(text: str, test: tuple[str, str]) -> None:
    row = program(text, test)
    assert ScrapedTests()(row) is None
    assert [(one["input"], one["output"]) for one in row["tests"]] == [test]


def test_code_is_an_input_where_code_is_read() -> None:
    code = "int main() {\n  hats();\n}"
    text = f"Count the calls.\n```\n{code}\n```\nThere is 1."
    assert ScrapedTests()(program(text, (code, "1"), input_format="The lines of a program in C.")) is None
    outcome = ScrapedTests()(program(text, (code, "1"), input_format="The number of hats."))
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_a_chain_of_tests_is_no_shift() -> None:
    tests = [("abcdef", "fedcba"), ("fedcba", "abcdef")]
    row = program("Reverse.\n```\nabcdef\n```\nDo it again.", *tests)
    row["samples"] = [{"input": given, "output": wanted, "explanation": None} for given, wanted in tests]
    assert ScrapedTests()(row) is None
    assert [(one["input"], one["output"]) for one in row["tests"]] == tests


@pytest.mark.parametrize("text", ["Add.\n```\n```\nSo.", "Add.\n    \n\t\n", "```", "```\n", "Add.\n```python\n```"])
def test_an_empty_block_is_no_input(text: str) -> None:
    assert ScrapedTests()(program(text, ("", "1"))) is None
    assert ScrapedTests()(program(text, ("1 2 3 4", "10"))) is None


def test_a_table_as_a_test_becomes_the_input() -> None:
    row = program(
        "Add.",
        ("STDIN Function\n----- --------\n2 t = 2\n3 1 2 3 arr[] size n = 3\n7 ...", "6\n7"),
        ("STDIN    Function\n-----    --------\n1        t = 1\n3 1 2 3  arr[] size n = 3", "6"),
        ("STDIN\tFunction\n-----\t--------\n1\tt = 1\n0\tarr[] size n = 0", "0"),
    )
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.outcome == "changed"
    assert [test["input"] for test in row["tests"]] == ["2\n3 1 2 3\n7", "1\n3 1 2 3", "1\n0"]


@pytest.mark.parametrize(
    ("line", "cell"),
    [
        ("1 2 3   a = [1, 2, 3]", "1 2 3"),
        ("1 2 3 4 5 6   a = [1, 2, 3, 4, 5, 6]", "1 2 3 4 5 6"),
        ("1 2 3 4 5 6 a = [1, 2, 3, 4, 5, 6]", "1 2 3 4 5 6"),
        ("1 2 3 4 5 6", "1 2 3 4 5 6"),
        ("-1 -22 -3.5 4   a = [-1, -22, -3.5, 4]", "-1 -22 -3.5 4"),
        ("12 45 6 a = [12, 45, 6]", "12 45 6"),
        ("123456789 n = 123456789", "123456789"),
        ("1234567 length of list n = 7", "1234567"),
        ("ab cd f gh ij   s = 'ab cd f gh ij'", "ab cd f gh ij"),
        ("ab cd f n = 1   (of 2)", "ab cd f"),
        ("ab    words of a page   (two)", "ab"),
    ],
)
def test_a_cell_wider_than_its_column_is_not_cut(line: str, cell: str) -> None:
    assert without_second_column(f"STDIN   Function\n-----   --------\n2       n = 2\n{line}") == f"2\n{cell}"


@pytest.mark.parametrize(
    "table",
    [
        "STDIN Function\n----- --------\n2 q = 2\n1 4 push 4\n3 print the top",
        "STDIN Function\n----- --------\n1 q = 1\n1 ab ops[0] = '1 ab'",
        "STDIN\u00a0\u00a0Function ----- -------- 3 → n = 3 1 → k = 1",
    ],
)
def test_a_table_whose_lines_may_be_divided_in_two_ways_is_no_input(table: str) -> None:
    assert without_second_column(table) == table
    outcome = ScrapedTests()(program("Add.", (table, "6")))
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_a_table_as_the_answer_is_no_answer() -> None:
    row = program("Add.", ("15", "STDIN Function\n----- --------\n2 t = 2"))
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_the_arguments_beside_a_sample_go_from_the_statement() -> None:
    text = "Win.\n\nSample Input\n\n    STDIN      Function\n    -----      --------\n    2          size n = 2\n"
    row = new_row(statement=text + "    1 33       a = [1, 33]\n\nSample Output\n\n    1\n")
    outcome = Boilerplate()(row)
    assert outcome is not None and outcome.took_out
    Sections()(row)
    assert row["samples"] == [{"input": "2\n1 33", "output": "1", "explanation": None}]


def test_an_indented_sample_ends_where_the_text_goes_on() -> None:
    text = "Add.\n\n**Sample Input:**\n\n    10 0\n    2\n\nThe first line says how many there are.\n\n"
    row = new_row(
        statement=text + "**Sample Output**\n\n\t1 2\n    3\n\n    4\n\n**Sample Explanations:**\n\nThey are."
    )
    Sections()(row)
    remark = "The first line says how many there are.\n\nThey are."
    assert row["samples"] == [{"input": "10 0\n2", "output": "1 2\n3\n\n4", "explanation": remark}]


def test_gaps_inside_an_indented_sample_stay() -> None:
    row = new_row(statement="Run.\n\nSample Input\n\n    a     b\n        c\n\nSample Output\n\n    3")
    Sections()(row)
    assert row["samples"][0]["input"] == "a     b\n    c"


def test_a_drawing_is_no_indented_sample() -> None:
    row = new_row(statement="Draw.\n\nSample Input\n\n3\n\nSample Output\n\n    *\n   ***\n  *****")
    Sections()(row)
    assert row["samples"][0]["output"] == "  *\n ***\n*****"


SESSION = (
    "Methods return values.\n\n```\n> twice 3\n6\n```\nOr else:\n```\ndef twice(n)\n  n + n\nend\n```\nWrite `twice`."
)


def test_two_blocks_of_a_statement_that_names_no_input_are_no_test() -> None:
    words = program(SESSION, (">\ntwice\n3\n6\n", "def\ntwice\n(\nn\n)\nn\n+\nn\nend\n"))
    outcome = ScrapedTests()(words)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


@pytest.mark.parametrize("between", ["This prints:", "The output is", "The result:"])
def test_a_block_that_is_called_an_output_may_be_the_answer(between: str) -> None:
    statement = f"Double all numbers.\n\n```\n3 4 5 6\n```\n{between}\n```\n6 8 10 12\n```\n"
    assert ScrapedTests()(program(statement, ("3 4 5 6\n", "6 8 10 12\n"))) is None


def test_words_of_code_on_lines_of_their_own_are_code() -> None:
    statement = f"Write it like this:\n\n    int twice(int n) {{\n        return 2 * n;\n    }}\n\n{'Then: 8'}"
    row = program(statement, ("int\ntwice\n(int\nn)\n{\nreturn\n2\n*\nn;\n}\n", "8"), input_format="A number.")
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


FORMAT = "The first line contains an integer, $n$, the number of hats. Each of the next $n$ lines has a number."


def test_an_input_that_does_not_begin_as_the_format_says_is_taken_out() -> None:
    row = program("Add hats.", ("a + b = 7", "Sum"), ("2\n3\n4", "7"), input_format=FORMAT)
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.outcome == "changed"
    assert [(test["input"], test["output"]) for test in row["tests"]] == [("2\n3\n4", "7")]


def test_answers_that_are_paired_with_the_next_inputs_are_no_tests() -> None:
    row = program("Add hats.", ("a + b = 7", "2\n3\n4"), ("7", "1\n5"), input_format=FORMAT)
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


@pytest.mark.parametrize(
    ("input_format", "given"),
    [
        (FORMAT, ["2\n3\n4", "1\n5"]),
        (FORMAT, ["3 4", "3 5"]),  # the statement is wrong
        ("The first line contains an integer, $n$, and $k$.", ["2 3", "4"]),
        ("The first line contains an integer N, M.", ["2 3", "4"]),
        ("Each line contains an integer.", ["hats", "4"]),
    ],
)
def test_inputs_as_the_format_says_or_may_say_stay(input_format: str, given: list[str]) -> None:
    row = program("Add hats.", *[(one, "7") for one in given], input_format=input_format)
    assert ScrapedTests()(row) is None


def test_a_shown_sample_stays_whatever_the_format_says() -> None:
    row = program("Add hats.", ("3 4", "7"), ("2\n3\n4", "7"), input_format=FORMAT)
    row["samples"] = [{"input": "3 4", "output": "7", "explanation": None}]
    assert ScrapedTests()(row) is None


def test_a_block_before_the_first_sample_has_no_answer_in_its_input() -> None:
    row = program("So:\n\n    1\n    1 1\n    1 2 1\n\nPrint rows.", ("1\n1 1\n1 2 1", "3"))
    row["samples"] = [{"input": "3", "output": "1\n1 1\n1 2 1", "explanation": None}]
    ScrapedTests()(row)
    assert [(test["input"], test["output"]) for test in row["tests"]] == [("3", "1\n1 1\n1 2 1")]


def test_one_block_with_words_shows_that_all_pairs_are_wrong() -> None:
    row = program(
        "Hats:\n\n    hats 12\n    caps 30\n\nAdd.", ("hats 12\ncaps 30", "7 8 9"), ("3", "4 5"), ("9", "5 5")
    )
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


DRAWING = "Hats lie like this:\n\n    o o o\n    o . o\n\nA row is:\n\n    a b c\n    d e f\n\nCount 3 of them."


def test_two_blocks_of_the_statement_are_no_test_where_the_samples_stand_apart() -> None:
    row = program(DRAWING, ("o o o\no . o", "a b c\nd e f"), ("o o\n. .", "2"), ("o .", "1"), input_format="Two lines.")
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_two_blocks_are_a_test_where_the_text_shows_all_tests() -> None:
    tests = [("o o o\no . o", "a b c\nd e f")]
    row = program(DRAWING, *tests, input_format="Two lines.")
    row["samples"] = [{"input": given, "output": wanted, "explanation": None} for given, wanted in tests]
    assert ScrapedTests()(row) is None


@pytest.mark.parametrize(("behind", "stays"), [("This gives 5.", True), ("Print 5.5 or 15.", False)])
def test_a_number_is_said_as_a_word_of_its_own(behind: str, stays: bool) -> None:
    row = program(f"For 5 hats:\n\n    1\n    121\n    12321\n\n{behind}", ("1\n121\n12321", "5"))
    assert (ScrapedTests()(row) is None) is stays


@pytest.mark.parametrize("arrow", ["→", "->", "=>"])
def test_a_test_that_goes_on_behind_an_arrow_is_an_explanation(arrow: str) -> None:
    row = program("Reduce.", ("aabb", "ab"), (f"aabb {arrow} abb {arrow} ab", "aab"))
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"
    assert ScrapedTests()(program("Reduce.", ("a -> b", "b"), ("b -> c", "c"))) is None


def test_a_block_of_an_explanation_is_no_test() -> None:
    row = program("Add hats.", ("2\n3 4", "7"), ("caps\n o o", "o o o\n  o"))
    drawn = "Hats:\n\n    caps\n     o o\n\nand\n\n    o o o\n      o"
    row["samples"] = [{"input": "2\n3 4", "output": "7", "explanation": drawn}]
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.outcome == "changed"
    assert [(test["input"], test["output"]) for test in row["tests"]] == [("2\n3 4", "7")]


@pytest.mark.parametrize(
    ("input_format", "given", "odd"),
    [
        ("The first line contains two space-separated integers $n$ and $k$.", "3 4\n1", "1 2 3\n4"),
        ("In the first line, there is an integer $n$.", "3\n1", "1 2 3\n4"),
        ("The first line contains space-separated integers $n$ and $m$.", "3 1\n7", "This is#\n4"),
        ("The first line contains two integers, $n$, the length of the string, and $k$.", "3 1\nhat", "a b ab\nb"),
        ("A single line of input containing the integer N.", "3", "1\n121"),
    ],
)
def test_an_input_of_another_shape_than_the_format_names_is_taken_out(input_format: str, given: str, odd: str) -> None:
    row = program("Add hats.", (given, "7"), (odd, "hats"), input_format=input_format)
    ScrapedTests()(row)
    assert [test["input"] for test in row["tests"]] == [given]


@pytest.mark.parametrize(
    "input_format",
    [
        "The first line contains two integers and a string.",
        "The first line contains two integers, or three.",
        "A single line for each case.",
        "There is a single line of input. Several such lines follow.",
    ],
)
def test_a_format_that_leaves_it_open_takes_nothing_out(input_format: str) -> None:
    assert ScrapedTests()(program("Add hats.", ("3 4", "7"), ("1 2 x\n4", "8"), input_format=input_format)) is None


def test_what_follows_a_block_whose_answer_is_an_input_is_shifted() -> None:
    row = program("Pair hats.", ("n\nA[0] A[1]", "2\n3 4"), ("3", "(2, 4)\n(5, 6)"), input_format=FORMAT)
    outcome = ScrapedTests()(row)
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_a_block_that_is_printed_is_no_input() -> None:
    text = "Add $a$ and $b$.\n\nFor 3 and 5 print the following:\n```\n8\n-2\n```"
    outcome = ScrapedTests()(program(text, ("8\n-2", "3\n2"), input_format="Two lines."))
    assert outcome is not None and outcome.reason == "tests_from_the_statement"
    assert ScrapedTests()(program(text, ("8\n2", "3\n2"), input_format="Two lines.")) is None


def test_a_hand_of_lines_is_no_answer() -> None:
    tests = [("3C\n4C", "3C\n4H"), ("AC\n2C", "YES"), ("NO", "YES")]
    outcome = ScrapedTests()(program("Hats.", *tests, input_format="There are two lines of input."))
    assert outcome is not None and outcome.reason == "tests_from_the_statement"


def test_secret_tests_stay_where_a_sample_contradicts_the_format() -> None:
    told = (
        "The first line contains two integers a and b. Only b may be replaced by an R.\n\nThe next line has a string."
    )
    row = program(
        "Convert it.", ("10 2\n1", "1"), ("16 R\n5", "V"), ("5 R\n4", "IV"), ("9 3\n8", "22"), input_format=told
    )
    row["samples"] = [
        {"input": given, "output": wanted, "explanation": None}
        for given, wanted in (("10 2\n1", "1"), ("16 R\n5", "V"))
    ]
    assert ScrapedTests()(row) is None and len(row["tests"]) == 4


def test_tests_that_are_as_the_format_says_stay_beside_samples() -> None:
    row = program(
        "Add.", ("1 2", "3"), ("hats", "x"), ("4 6", "10"), input_format="The first line contains two integers."
    )
    row["samples"] = [{"input": "1 2", "output": "3", "explanation": None}]
    outcome = ScrapedTests()(row)
    assert outcome is not None and [test["output"] for test in row["tests"]] == ["3", "10"]


def test_arrows_that_are_data_are_no_explanations() -> None:
    row = program("Count the arrows.", ("()", "0"), ("()->()", "1"), ("()->()->()", "2"))
    row["samples"] = [{"input": one["input"], "output": one["output"], "explanation": None} for one in row["tests"]]
    assert ScrapedTests()(row) is None and len(row["tests"]) == 3
