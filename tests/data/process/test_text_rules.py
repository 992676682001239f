"""The other rules of Process: text, markup, boilerplate, checkers, samples, completeness."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.process.answer_format import AnswerFormat
from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.checker import FindChecker, checker_from, unordered
from microcoder_data.process.completeness import Completeness
from microcoder_data.process.html_in_markdown import tags_to_markdown
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.samples import Samples
from microcoder_data.process.several_answers import several_answers
from microcoder_data.process.text import Text, repaired
from microcoder_data.schema import new_checker, new_row, new_test
from tests.data.process.rows import row

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("donâ€™t", "don’t"),
        ("a\u00a0b\u200bc\ufeff", "a bc"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a  \n\n\n\nb", "a\n\nb"),
        ("ﬁne — 中文", "ﬁne — 中文"),
        ("naïve São Paulo", "naïve São Paulo"),
        ("u\u0308\n```\nlen('u\u0308') == 2\n```\nu\u0308", "ü\n```\nlen('u\u0308') == 2\n```\nü"),
    ],
)
def test_text_is_repaired_and_good_text_left_alone(broken: str, whole: str) -> None:
    assert repaired(broken) == whole


@settings(deadline=None)
@given(st.text(max_size=300))
def test_repairing_twice_is_repairing_once(text: str) -> None:
    assert repaired(repaired(text)) == repaired(text)


def test_binary_is_not_text() -> None:
    outcome = Text()(row("Add \x00\x01\x02\x03\x04 numbers."))
    assert outcome is not None and outcome.reason == "binary_text"
    named = row("Add two numbers.", title="\u00a0Fill the Gaps ")
    Text()(named)
    assert named["title"] == "Fill the Gaps"


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("if a<b and c>d, use vector<int> v", "if a<b and c>d, use vector<int> v"),
        ("<p>i<j &amp;&amp; 10<sup>9</sup>, a<sub>i</sub></p>", "i<j && 10^9, a_i"),
        ("x &lt; y &amp;amp; z", "x < y & z"),
        ("$$$n$$$ and \\(m\\) and \\[k\\]", "$n$ and $m$ and $$k$$"),
        ("```\n$$$kept$$$\n```", "```\n$$$kept$$$\n```"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n- two"),
        ("<pre>a\n b</pre>", "```\na\n b\n```"),
        ('<p>See <img src="a.png"/></p>', "See ![](a.png)"),
        ("<pre>p</pre><table><tr><th>a<th><code>b</code></table>", "```\np\n```\n\n| a | `b` |\n| --- | --- |"),
        ("<table><tr><td>In<td>Out<tr><td><pre>a\n b</pre><td>c</table>", "In\n\nOut\n\n```\na\n b\n```\n\nc"),
        ("<ul><li>one</li> (or none)\n<li>two</li></ul>", "- one (or none)\n- two"),
        ("<p>Both:</p><ul><li>one<li>two</ul>", "Both:\n\n- one\n- two"),
        ('<p>See:</p><iframe width="9" src="https://a.b/c"></iframe>', "See:\n\n![](https://a.b/c)"),
        ("<table><thead><tr><th>a<th>b<tr></thead><tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("# Hats\n```[a]```<br>```[b]```\n- <b>hat</b>", "# Hats\n```[a]```\n```[b]```\n- **hat**"),
        ("- one\n\n  ```\n  <b>1</b>\n  ```\n- <b>two</b>", "- one\n\n  ```\n  <b>1</b>\n  ```\n- **two**"),
        ("- x<sub>c<sub>i</sub>-1</sub> ^ 2<sup>2<sup>n</sup></sup>", "- x_{c_i-1} ^ 2^{2^n}"),
        ("<p>x<sub>cap<sub>i</sub></sub></p>", "x_{cap_i}"),
        ('- From "<ins>ab</ins>cab" to "cab"', '- From "**ab**cab" to "cab"'),
        ("- one <br/> <br/>\n- two", "- one\n\n- two"),
        ("- <code>n &le; 9</code><img src='a.png'></img>", "- `n ≤ 9`![](a.png)"),
        (
            'For <mjx-container><mjx-mi></mjx-mi><math>n</math><span class="no-mathjax mjx-copytext">$n$</span>'
            '</mjx-container>, <span class="katex">m</span> and <script type="math/tex">a_i</script>',
            "For $n$, m and $a_i$",
        ),
        ("<style>\n#t { color: red }\n</style>\n\n- <b>hat</b>", "- **hat**"),
    ],
)
def test_markup_becomes_markdown(text: str, markdown: str) -> None:
    assert to_markdown(text) == markdown


def test_code_beside_code_is_one_and_a_full_stop_is_no_index() -> None:
    found = to_markdown(
        "<p>At most <code>min(n * (n - 1) / 2</code><code>, 10<sup>5</sup>)</code> of <code>b<sub>i.</sub></code></p>"
    )
    assert found == "At most `min(n * (n - 1) / 2, 10^5)` of `b_i.`"
    assert to_markdown("<p><code>a</code> <code>b</code>, 2<sup>i:j</sup></p>") == "`a` `b`, 2^{i:j}"


def test_an_html_table_that_arranges_a_markdown_table() -> None:
    inner = "| 0<br>a | 1 |\n|:---:|:---:|\n| P | y |"
    text = f"# Indexes\n\n<table>\n<tr><td>left</td><td>\n\n{inner}\n</td></tr></table>\n\nBelow."
    found = tags_to_markdown(text)
    assert (
        "left" in found
        and "| 0 a | 1 |\n|:---:|:---:|\n| P | y |\n" in found
        and "<t" not in found
        and "\\|" not in found
    )
    plain = tags_to_markdown("# Values\n\n<table><tr><td>a|b</td><td>c</td></tr></table>")
    assert "| a\\|b | c |" in plain


def test_the_order_of_an_answer_with_a_place_for_each_input() -> None:
    lists = [[1, 2], [3, 4]]
    for positional in (
        "For each index i, find all indices j with a smaller number. Return an array answer of size n.",
        "Find all smaller numbers and add them: answer[i] is their sum.",
        "Return all sums, each at the corresponding position.",
    ):
        assert checker_from(positional, "call", lists) is None
    assert checker_from("Return all lonely numbers in nums.", "call", lists) == unordered(False)


def test_an_answer_of_any_rounding_is_no_choice() -> None:
    one = row("Find the mean. Any answer with a calculation error less than 10^-5 will be accepted.", kind="call")
    FindChecker()(one)
    assert one["checker"] == new_checker("float", abs=1e-5, rel=1e-5)
    other = row("Print any valid point. The answer is accepted if its error is at most 10^-5.")
    FindChecker()(other)
    assert other["checker"] is None


@pytest.mark.parametrize(
    "around",
    [
        "Solve the following coding problem using the programming language python:\n\n{}",
        "Solve this problem in Python:\n{}\n\n"
        "Complete the following template:\n```\ndef add(a):\n    \n```\n\nProvide the code only, no words.",
        "{}\n\nThe input will be stdin and you should print your solution to stdout\n",
        "Score : $100$ points\n\n{}",
        "{}\n\nRead problems statements in Mandarin Chinese, Russian and Vietnamese as well.",
        "Chinese Version\n\nRussian Version\n\n{}",
        "View Russian Translation\n\n{}",
        "time limit per test: 2 seconds\nmemory limit per test: 256 megabytes\n{}",
        "<!-- start -->\n{}\n<!-- end -->",
        "{}\nCopyright (c) 2020 Somebody. All rights reserved.",
        '    """\n    {}\n    """',
        "---\ncomments: true\ntags:\n  - math\n---\n{}",
    ],
)
def test_boilerplate_goes_and_the_problem_stays(around: str) -> None:
    problem = row(around.format("Add two numbers and print the sum."))
    Boilerplate()(problem)
    assert problem["statement"] == "Add two numbers and print the sum."


@pytest.mark.parametrize(
    ("text", "kind", "checker"),
    [
        (
            "Your answer is accepted if the absolute or relative error does not exceed 10^{-6}.",
            "stdin",
            ("float", 1e-6),
        ),
        ("absolute error from the true value is at most 10 ^ {-8}", "stdin", ("float", 1e-8)),
        ("Answers within 1e-5 of the jury's will be accepted; relative error 1e-5.", "stdin", ("float", 1e-5)),
        ("with an absolute or relative error of at most 0.001", "stdin", ("float", 1e-3)),
        ("You can print each letter in any case.", "stdin", ("case_insensitive", None)),
        ("You may return the answer in any order.", "call", ("unordered", None)),
        ("In any case, print the sum.", "stdin", None),
        ("Print the error message.", "stdin", None),
    ],
)
def test_checkers_are_read_from_the_statement(text: str, kind: str, checker: tuple[str, float | None] | None) -> None:
    found = checker_from(text, kind)
    assert (None if found is None else (found["kind"], found["abs"])) == checker


@pytest.mark.parametrize(
    ("text", "absolute", "relative"),
    [
        ("The absolute or relative error must not exceed 10^{-6}.", 1e-6, 1e-6),
        ("The absolute difference of hats is 3. The relative error must not exceed 10^{-6}.", 0.0, 1e-6),
        ("Print it with an absolute error of at most 10^-9. The relative size of hats is unknown.", 1e-9, 0.0),
        ("Its absolute error is at most 10^-4, or its relative error 10^-6.", 1e-4, 1e-6),
        ("Answers within 1e-5 of the jury's will be accepted; relative error 1e-4.", 1e-5, 1e-4),
        ("It is right if it differs from the correct answer by at most 10^-6.", 1e-6, 0.0),
        ("Answers within 10^-5 of the actual value are accepted.", 1e-5, 0.0),
        ("Any answer with a calculation error less than 10^-5 is accepted.", 1e-5, 1e-5),
        ("The error is at most 10^-6, so that |a - b| / \\max(1, |b|) \\le 10^-6.", 1e-6, 1e-6),
        ("想定解答との絶対誤差が $10^{-6}$ 以下であれば正解とみなされる。", 1e-6, 0.0),
        ("絶対誤差または相対誤差が $10^{-9}$ 以下のとき正解となります。", 1e-9, 1e-9),
        ("如果相对误差不超过 $10^{-6}$,则答案正确。", 0.0, 1e-6),
        ("Абсолютная погрешность не должна превышать 10^{-4}.", 1e-4, 0.0),
        ("Абсолютная или относительная погрешность не должна превышать 10^{-4}.", 1e-4, 1e-4),
        ("Der absolute oder relative Fehler darf höchstens 10^{-6} sein.", 1e-6, 1e-6),
        ("Svaret godkänns om det har ett relativt fel på högst 10^{-6}.", 0.0, 1e-6),
        ("L'erreur absolue ne doit pas dépasser 10^{-6}.", 1e-6, 0.0),
    ],
)
def test_a_tolerance_is_absolute_or_relative_as_the_statement_says(text: str, absolute: float, relative: float) -> None:
    assert checker_from(text, "stdin") == new_checker("float", abs=absolute, rel=relative)


def test_several_answers_are_recognised() -> None:
    for said in (
        "If there are multiple possible answers, you may print any of them.",
        "Print any valid permutation.",
        "Print three sides. Any right answer is accepted.",
        "Any of these solutions will be accepted.",
        "Print the pairs in any order.",
        "Output the two elements (order does not matter) and stop.",
        "The edges may be printed in any order.",
    ):
        assert several_answers(new_row(statement=said)), said
    said = "A line for each colour with its number. The lines may be in any order."
    assert several_answers(new_row(statement="Count the socks.", output_format=said))
    assert not several_answers(new_row(statement="Count the socks.", input_format=said))
    for said in (
        "Print the number of ways. It does not contain any spaces.",
        "He may visit the stops in any order and leave out as many as he likes. Return the largest number of them.",
        "The pairs are given in any order. Print the sum.",
        "Gem A and gem B may touch (order does not matter in these pairs). Print the least length.",
        "It is guaranteed that any of the words is a valid one. Print the first.",
    ):
        assert not several_answers(new_row(statement=said)), said


def test_a_sample_that_contradicts_a_test_drops_the_row() -> None:
    sample = {"input": "3 4", "output": "8", "explanation": None}
    outcome = Samples()(row("Add.", samples=[sample]))
    assert outcome is not None and outcome.reason == "sample_contradicts_test"
    assert Samples(contradiction="mark")(row("Add.", samples=[dict(sample)])).outcome == "marked"  # type: ignore[union-attr]
    anything = "If there are several answers, print any of them."
    assert Samples()(row(anything, samples=[dict(sample)])).outcome == "kept"  # type: ignore[union-attr]


def test_inputs_that_differ_in_letters_or_signs_are_two_inputs() -> None:
    shown = [
        ("AtCoder Land", "Yes"),
        ("aTcodeR lANd", "No"),
        ("a = 1", "1"),
        ("b = 1", "2"),
        ("a,b", "3"),
        ("a b", "4"),
    ]
    samples = [{"input": given, "output": wanted, "explanation": None} for given, wanted in shown]
    problem = row("Read it.", samples=samples, tests=[new_test(*pair) for pair in shown])
    outcome = Samples()(problem)
    assert outcome is not None and outcome.outcome == "kept"
    assert [one["output"] for one in problem["samples"]] == [wanted for _, wanted in shown]
    assert len(problem["tests"]) == len(shown)


@pytest.mark.parametrize(
    ("test", "given", "wanted"),
    [
        (new_test("2\n3 4\n5 6\n", "7\n11\n"), "2\n8 9\n0 1", "17\n1"),
        (new_test("2\n\n3 4\n\n5 6\n", "7\n11\n"), "2\n\n8 9 \n\n0 1", "17\n\n1"),
        (new_test("2\n3 4\n5 6\n", "7\n\n11\n"), "2\n8 9\n0 1", "17\n\n1"),
    ],
)
def test_samples_that_a_page_has_double_spaced(test: dict[str, Any], given: str, wanted: str) -> None:
    """Where a test has empty lines, the sample may have them too."""
    sample = {"input": "2\n\n8 9 \n\n0 1", "output": "17\n\n1", "explanation": None}
    row = new_row(kind="stdin", statement="Add.", samples=[sample], tests=[test])
    Samples()(row)
    assert (row["samples"][0]["input"], row["samples"][0]["output"]) == (given, wanted)
    assert row["tests"][0]["input"] == given


def test_a_remark_below_an_answer_is_no_line_of_it() -> None:
    sample = {"input": "2\n\n3 4\n\n0 1", "output": "8\n\nSince 3 + 4 + 0 + 1 = 8.", "explanation": None}
    row = new_row(kind="stdin", statement="Add.", samples=[sample], tests=[new_test("2\n3 4\n0 1\n", "8\n")])
    Samples()(row)
    shown = {"input": "2\n3 4\n0 1", "output": "8\n", "explanation": "Since 3 + 4 + 0 + 1 = 8."}
    assert row["samples"] == [shown]


@pytest.mark.parametrize("given", ["1\n\n2 3", "1\n\n2 3\n4 5", "1\n\n\n2 3\n\n4 5"])
def test_other_samples_keep_their_empty_lines(given: str) -> None:
    row = new_row(
        kind="stdin", samples=[{"input": given, "output": "5", "explanation": None}], tests=[new_test("1\n2\n", "1")]
    )
    Samples()(row)
    assert row["samples"][0]["input"] == given


@pytest.mark.parametrize(("answer", "read"), [("7", "1 2\n34 5"), ("9", "1\n2\n3\n4\n5")])
def test_another_test_with_the_characters_of_a_sample_keeps_its_input(answer: str, read: str) -> None:
    sample = {"input": "1 2\n34 5", "output": "7", "explanation": None}
    row = new_row(kind="stdin", statement="Add.", samples=[sample], tests=[new_test("1\n2\n3\n4\n5", answer)])
    Samples()(row)
    assert row["tests"][-1]["input"] == read


def test_a_sample_that_no_test_asks_becomes_one() -> None:
    problem = row("Add.", samples=[{"input": "5 5", "output": "10", "explanation": None}])
    Samples()(problem)
    assert next((t["input"], t["origin"], t["public"]) for t in problem["tests"]) == ("5 5", "sample", True)


@pytest.mark.parametrize(
    ("statement", "columns", "reason"),
    [
        ("Given the board as shown in the figure, count the cells.", {}, "missing_image"),
        ("Compute <image> for the given n.", {}, "missing_image"),
        ("Hello world and good morning.", {"samples": []}, "no_input_section"),
        ("Given two numbers.", {"samples": []}, "no_output_section"),
        ("Given two numbers, print the sum.", {"samples": []}, "no_samples"),
        ("Given n, print it.", {"tests": [new_test("1 " * 40 + "...", "2")]}, "truncated_tests"),
    ],
)
def test_incomplete_rows_are_dropped_by_name(statement: str, columns: dict[str, Any], reason: str) -> None:
    shown = [{"input": "3 4", "output": "7", "explanation": None}]
    outcome = Completeness()(row(statement, **{"samples": shown, **columns}))
    assert outcome is not None and outcome.reason == reason


def test_an_illustrated_sample_is_no_missing_image() -> None:
    shown = [{"input": "3 4", "output": "7", "explanation": None}]
    text = "Given two numbers, print the sum. The first sample is shown in the figure."
    assert Completeness()(row(text, samples=shown)).outcome == "kept"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "Two play a game. [Image] Given two numbers, print the sum.",
            "Two play a game. Given two numbers, print the sum.",
        ),
        ("<image>\n\nGiven two numbers, print the sum.", "Given two numbers, print the sum."),
        ("$$$$\n\nGiven two numbers, print $$a$$$$b$$.", "Given two numbers, print $$a$$$$b$$."),
        ("![](map.png)\n\nGiven two numbers, print the sum.", "Given two numbers, print the sum."),
        ("Given two numbers, print the sum. This is the first sample:\n\n<image>\n\nAll is said.", None),
        (
            "Given two numbers, print `[image] <image>`. See [1].",
            "Given two numbers, print `[image] <image>`. See [1].",
        ),
    ],
)
def test_placeholders_of_figures_between_sentences_go_and_nothing_else(text: str, kept: str | None) -> None:
    problem = row(text, samples=[{"input": "3 4", "output": "7", "explanation": None}])
    assert Completeness()(problem).outcome in ("kept", "changed")  # type: ignore[union-attr]
    assert problem["statement"] == (kept or text.replace("\n<image>\n", ""))


@pytest.mark.parametrize(
    "text",
    [
        "Print <image>, rounded.",
        "Print ![](formula.png), rounded.",
        "The cost is given by $$$$. Add the two.",
        "Find ![](https://a.org/sum.gif) modulo 7.",
        "Given n, print this sum:\n\n[Image]",
        "It is shown below. [Image]",
    ],
)
def test_a_placeholder_inside_a_sentence_or_pointed_at_is_a_missing_image(text: str) -> None:
    outcome = Completeness()(row(text, samples=[{"input": "3 4", "output": "7", "explanation": None}]))
    assert outcome is not None and outcome.reason == "missing_image"


def test_the_picture_of_a_tolerance_that_words_give_is_not_needed() -> None:
    said = "Print the sum of the given numbers. Its relative error must not exceed 10^-6."
    again = (
        "Namely: let your answer be a, the jury's b. The checker program will consider it correct, if ![](error.png)."
    )
    problem = row(f"{said} {again}", samples=[{"input": "3 4", "output": "7", "explanation": None}])
    assert Completeness()(problem).outcome == "changed"  # type: ignore[union-attr]
    assert problem["statement"] == said


def test_a_placeholder_beside_an_explained_sample_is_no_missing_image() -> None:
    problem = row("Given two numbers, print the sum.", samples=[{"input": "3 4", "output": "7", "explanation": None}])
    problem["notes"] = "The steps follow:\n\n[Image]\n\nAs the drawing below shows, seven."
    assert Completeness()(problem).outcome == "changed"  # type: ignore[union-attr]
    assert "[Image]" not in problem["notes"]


def test_a_link_called_image_is_no_lost_image() -> None:
    shown = [{"input": "3 4", "output": "7", "explanation": None}]
    text = "Given two numbers, print the sum, such as 3 + 4.\n\n![image](https://example.org/sum.png)"
    assert Completeness()(row(text, samples=shown)).outcome == "kept"  # type: ignore[union-attr]


def test_only_the_truncated_tests_go() -> None:
    shown = [{"input": "3 4", "output": "7", "explanation": None}]
    problem = row("Given n, print it.", samples=shown)
    problem["tests"].append(new_test("9 " * 50 + "...", "1"))
    assert Completeness()(problem).outcome == "kept"  # type: ignore[union-attr]
    assert len(problem["tests"]) == 2


@pytest.mark.parametrize(
    ("given", "wanted", "cut"),
    [
        ("10 10\n" + "\n".join(["S#........"] * 9 + ["..#....E.."]), "1", False),
        ("4 4\n" + "....\n" * 12 + "....", "1", False),
        ("5 9\n" + "#........\n" * 4 + "a....b...", "1", False),
        ("100\n" + " ".join(map(str, range(40))) + " 41...", "1", True),
        ("3\n1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10.5 11.5 1...", "1", True),
        ("1", "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc…", True),
    ],
)
def test_grids_that_end_in_dots_are_whole(given: str, wanted: str, cut: bool) -> None:
    problem = row("Read a grid and print a number.", tests=[new_test(given, wanted)])
    outcome = Completeness(sections=False, samples=False)(problem)
    assert outcome is not None and outcome.outcome == ("dropped" if cut else "kept")


@pytest.mark.parametrize(
    "starter_code, said",
    [
        ("def f(x):\n    pass\n", "Write the Python function `f`."),
        ("def f(x):\n    return g(x)\n\ndef g(x):\n    '''Say.'''\n", "Write the Python function `f`."),
        ("def f(x):\n    pass\n\ndef g(x):\n    ...\n", "Complete the starter code: write `f` and `g`."),
        ("class f:\n    def a(self):\n        pass\n", "Complete the starter code: write `f`."),
        (
            "class Node:\n    def __init__(self, x):\n        self.x = x\n\ndef f(x):\n    pass\n",
            "Write the Python function `f`.",
        ),
        ("def f(x", "Write the Python function `f`."),
    ],
)
def test_the_answer_format_names_all_that_is_to_be_written(starter_code: str, said: str) -> None:
    row = new_row(kind="asserts", starter_code=starter_code, entry_point="f")
    AnswerFormat()(row)
    assert row["answer_format"] == f"{said} Put the complete code in one ```python block."


@pytest.mark.parametrize(
    ("solution", "said"),
    [
        ("import re\n\ndef aid(): return 1\n\ndef dates(x): return x", "Write `dates` in Python."),
        ("class Clock: pass\n\ndef dates(x): return x", "Write `Clock` and `dates` in Python."),
        ("def other(x): return x", "Write the Python function `the function`."),
    ],
)
def test_the_answer_format_names_what_the_tests_use_of_the_solution(solution: str, said: str) -> None:
    solutions = [{"language": "python", "code": solution, "correct": True, "origin": "official"}]
    tests = (
        "import re\n\nclass TestDates:\n    def test(self):\n        assert dates(Clock()) == list(re.split('', 'b'))"
    )
    row = new_row(statement="Find them.", kind="asserts", test_code=tests, solutions=solutions)
    AnswerFormat()(row)
    assert row["answer_format"] == f"{said} Put the complete code in one ```python block."


def test_tags_in_quoted_samples_of_plain_text_are_data() -> None:
    text = "Count words.\n\nInput: \"<p>One two.</p> <p>Two.</p>\"\nOutput: [('two', 2)]\n\nThen stop."
    assert to_markdown(text) == text
