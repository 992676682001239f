"""What every text rule must leave as it is: statements are made up, and compared with what the rules make of them."""

# ruff: noqa: E501 - a statement is one line

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.fidelity.loss import row_loss, text_loss
from microcoder_data.fidelity.measure import apply_measured, copy_of
from microcoder_data.process import Process
from microcoder_data.process.fidelity import Fidelity
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.text import repaired
from microcoder_data.rules import Outcome, Rule, changed, rules_of
from microcoder_data.schema import Row, new_row, new_test

NUMBERS = st.sampled_from(["-1", "10^5", "0", "3.25", "10^{-9}", "1000000007", "2^{31} - 1"])
SYMBOLS = st.sampled_from(["a*b", "x_i", "`p = a*`", "`<br>`", "n < m", "a <= b", "`\\n`", "c != d", "`a|b`", "50%"])
WORDS = st.sampled_from(
    [
        "the",
        "number",
        "of",
        "cities",
        "roads",
        "find",
        "each",
        "row",
        "with",
        "at",
        "most",
        "values",
        "between",
        "given",
        "array",
    ]
)
SENTENCES = st.lists(st.one_of(WORDS, WORDS, WORDS, NUMBERS, SYMBOLS), min_size=6, max_size=14).map(
    lambda words: " ".join(words).capitalize() + "."
)
LISTS = st.lists(SENTENCES, min_size=2, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items))
TABLES = st.lists(NUMBERS, min_size=2, max_size=2).map(lambda row: f"| a | b |\n| --- | --- |\n| {' | '.join(row)} |")
FENCES = st.lists(
    st.sampled_from(["  *", "<p>x</p>", "a  b", "&lt;", "Input", "#", "-1", "", "**x**"]), min_size=1
).map(lambda lines: "```\n" + "\n".join(["x = 1", *lines, "end"]) + "\n```")
FORMULAS = st.sampled_from(
    ["$1 \\le n \\le 10^5$ holds.", "Let $a_{i,j} < b$ hold.", "Here $\\frac{a}{b} = c$ is given."]
)
PARTS = st.lists(st.one_of(SENTENCES, LISTS, TABLES, FENCES, FORMULAS), min_size=1, max_size=5).map("\n\n".join)
VALUES = st.sampled_from(["-1", "[]", "[0]", "(1)", "0", "*", "...", "#", '""', "[[1,2],[3]]", "true", "_", "**", "5"])
HEADINGS = st.sampled_from(
    [
        ("**Input:** ", "**Output:** "),
        ("Input: ", "Output: "),
        ("输入：", "输出："),
        ("> **Input:** ", "> **Output:** "),
    ]
)
SECTION_HEADINGS = st.sampled_from(
    [
        ("Input", "Output", "Sample Input 1", "Sample Output 1"),
        ("入力", "出力", "入力例 1", "出力例 1"),
        ("Indata", "Utdata", "Exempel indata", "Sample Output 1"),
        ("Входные данные", "Выходные данные", "Пример ввода", "Пример вывода"),
    ]
)
LINES = st.sampled_from(["1 2", "-1", "Input", "a b  c", "  *", "Output: 3", "#", "Note:", "[]", "```"[:0] + "x"])
SIDES = st.lists(LINES, min_size=1, max_size=4).map("\n".join)


def processed(statement: str, kind: str = "stdin") -> Row:
    row = new_row(problem_id="a:1", source="a", statement=statement, kind=kind, tests=[new_test("77", "78")])
    before = copy_of(row)
    rules = [rule for rule in rules_of(Process()) if rule.name.partition("_")[0] in ("text", "markup", "sections")]
    for rule in rules:
        rule(row)
    assert not row_loss(before, row).findings, str(row_loss(before, row))
    return row


@settings(max_examples=60, deadline=None)
@given(PARTS)
def test_markdown_loses_nothing(text: str) -> None:
    for rule in (repaired, to_markdown):
        loss = text_loss(text, rule(text))
        assert not loss.findings, str(loss)
    for line in text.split("\n"):
        if line.startswith(("- ", "| ")):
            assert line in to_markdown(text).split("\n")


@settings(max_examples=40, deadline=None)
@given(st.lists(FENCES, min_size=1, max_size=2), SENTENCES)
def test_code_stays_byte_for_byte_beside_tags(fences: list[str], sentence: str) -> None:
    text = f"{sentence}<br>Up to 10<sup>5</sup> of them.\n\n" + "\n\n".join(fences) + "\n\n- one\n- two"
    markdown = to_markdown(repaired(text))
    assert all(fence in markdown for fence in fences)
    assert "10^5" in markdown and "<br>Up" not in markdown


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=3), HEADINGS)
def test_values_after_a_colon_are_samples(pairs: list[tuple[str, str]], headings: tuple[str, str]) -> None:
    text = "Return the value of n."
    for number, (given_, wanted) in enumerate(pairs, 1):
        text += f"\n\n**Example {number}:**\n\n{headings[0]}n = {given_}\n{headings[1]}{wanted}"
    row = processed(text, "call")
    assert [(one["input"], one["output"]) for one in row["samples"]] == [(f"n = {one}", two) for one, two in pairs]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=2), SECTION_HEADINGS)
def test_fenced_samples_are_exact(pairs: list[tuple[str, str]], headings: tuple[str, str, str, str]) -> None:
    text = f"Sum.\n\n## {headings[0]}\n\nTwo numbers.\n\n## {headings[1]}\n\nOne number."
    for one, two in pairs:
        text += f"\n\n## {headings[2]}\n\n```\n{one}\n```\n\n## {headings[3]}\n\n```\n{two}\n```"
    row = processed(text)
    assert [(one["input"], one["output"]) for one in row["samples"]] == pairs


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=4), SENTENCES)
def test_tex_tables_items_and_code_stay(rows: list[list[str]], sentence: str) -> None:
    cells = " \\\\ \\hline\n".join(" & ".join(f"${cell}$" for cell in row) for row in rows)
    text = (
        f"\\problemname{{X}} Some words.\n\\begin{{tabular}}{{|l|p{{2cm}}|r|}}\\hline A & B & C \\\\ \\hline\n{cells} \\\\ \\hline\n"
        "\\end{tabular}\n\\begin{itemize}\\item[``\\texttt{+ b x}''] adds \\item \\texttt{--f\\_g} and \\verb|a*|\\end{itemize}"
    )
    markdown = to_markdown(text)
    assert "| A | B | C |\n| --- | --- | --- |" in markdown
    for row in rows:
        assert "| " + " | ".join(f"${cell}$" for cell in row) + " |" in markdown
    assert "“`+ b x`” adds" in markdown and "`--f_g` and `a*`" in markdown


REMARKS = st.sampled_from(
    ["", "\nWe can sort it.", "\nExplantion: 2 is so.", "\n\nNote: [9] is well.", "\nOperation\nArray"]
)
ANSWERS = st.sampled_from(["-1", "[]", "[0]", "true", '"a<b>c</b>"', '"*_"', "[[1,2],[3]]", "0.5", '"<br>"'])


@settings(max_examples=60, deadline=None)
@given(PARTS, st.lists(st.tuples(ANSWERS, REMARKS), min_size=1, max_size=3, unique_by=lambda pair: pair[0]))
def test_all_rules_of_process_lose_nothing_and_answers_stay_whole(text: str, answers: list[tuple[str, str]]) -> None:
    statement = f"You are given n cities.\n\n{text}\n\nReturn the value that the given cities have."
    tests = []
    for number, (answer, remark) in enumerate(answers, 1):
        statement += f"\n\n**Example {number}:**\n\n**Input:** n = {number}\n**Output:** {answer}{remark}"
        tests.append(new_test(f"n = {number}", answer))
    row = new_row(problem_id="a:1", source="a", statement=statement, kind="call", entry_point="f", tests=tests)
    entry = apply_measured(row, rules_of(Process()), "process")
    assert entry is None, entry
    assert not [step for step in row["provenance"] if step["rule"].startswith("fidelity")], row["provenance"][-1]
    assert [one["output"] for one in row["samples"]] == [answer for answer, _ in answers]
    said = "\n".join(one["explanation"] or "" for one in row["samples"])
    assert all(word in said for _, remark in answers for word in remark.replace("Explantion:", "").split())


@settings(max_examples=60, deadline=None)
@given(
    SENTENCES,
    st.sampled_from(["105 rooms", "2019 and 1024", "at most 105 socks", "109 days", "the 231 bus", "64 bits"]),
)
def test_numbers_that_may_be_meant_stay(sentence: str, number: str) -> None:
    row = new_row(problem_id="a:1", source="a", statement=f"{sentence} There are {number} here.", kind="stdin")
    apply_measured(row, rules_of(Process(completeness=None)), "process")
    assert number in row["statement"]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("At most 10^5 socks.", "At most 105 socks.", "numbers"),
        ("It is -1 then.", "It is 1 then.", "numbers"),
        ("If a < b holds.", "If a b holds.", "operators"),
        ("Print `a_b`.", "Print .", "words"),
        ("See\n```\n  x\ny\n```", "See\ny", "lines of code"),
        ("- one\n- two", "one\ntwo", "list items"),
        ("<table><tr><td>1</td></tr></table>", "1", "tables"),
        ("At https://a.org/fig.png here", "At here", "links"),
        ("Let $a_{i} \\cdot b$ be.", "Let a_i * c b be.", "formulas"),
    ],
)
def test_a_loss_is_found(before: str, after: str, kind: str) -> None:
    assert kind in [finding.kind for finding in text_loss(before, after).findings]


def test_conversion_alone_is_no_loss() -> None:
    html = "<p>Let <var>n</var> &le; 10<sup>5</sup>, <code>a&lt;b</code>.</p><ul><li>one</li></ul><pre>1 2\n</pre>"
    assert not text_loss(html, to_markdown(html)).findings


@pytest.mark.parametrize(
    "page",
    [
        "<p>At most 10<sup> 5 </sup> hats, <b>10<sup> 9</sup></b> caps.</p>",
        "<p>It is shown by <b>*</b>, so <code>&times;</code> stands for <b>A</b> × <b>B</b><b>*</b><b>C</b>.</p>",
        "<p>Remove:</p><pre>lee<strong><u>t</u></strong>*<b>code</b>*</pre>",
        "<p>A board of <b>R</b>*<b>C</b> cells has n*<i>k</i> hats and <b>A</b>*<b>S<sub>i</sub></b> caps.</p>",
        "Each is either $\\verb+N+$ or $\\verb+NP+$; let $S_i = \\verb+N+$.",
        '<p>In <i class="material-icons grey">save_alt</i><span class="copy-popup">Copied!</span></p><pre>1</pre>',
        '<html><head><link href="https://hats.example/a.css" rel="stylesheet"></head><body><p>In</p></body></html>',
    ],
)
def test_markup_written_in_another_way_is_no_loss(page: str) -> None:
    assert not text_loss(page, to_markdown(page)).findings


def test_a_repair_beside_a_doubt_is_no_loss() -> None:
    statement = (
        "An integer y is a power of three if y == 3x. Print whether n is a sum of such.\n\n"
        "Example 1:\n\nInput: n = 12\nOutput: true\nExplanation: 12 = 31 + 32\n\n"
        "Example 2:\n\nInput: n = 91\nOutput: true\nExplanation: 91 = 30 + 32 + 34\n\n"
        "Constraints:\n\n1 <= n <= 107\n"
    )
    tests = [new_test("n = 12", "true"), new_test("n = 91", "true")]
    row = new_row(
        problem_id="a:1",
        source="a",
        statement=statement,
        kind="call",
        entry_point="f",
        tests=tests,
        platform="leetcode",
    )
    assert apply_measured(row, rules_of(Process()), "process") is None
    said = [step for step in row["provenance"] if step["rule"].startswith("exponents")]
    assert said[0]["outcome"] == "marked"
    assert row["samples"][0]["explanation"] == "12 = 3^1 + 3^2"
    assert "10^7" in row["constraints"]
    assert not [step for step in row["provenance"] if step["rule"].startswith("fidelity")]


@dataclass(frozen=True)
class _Cuts:
    name: ClassVar[str] = "cuts_v1"
    took_out: bool = False

    def __call__(self, row: Row) -> Outcome:
        row["statement"] = row["statement"].replace("100 200 300 ", "")
        return changed(took_out=self.took_out)


def test_a_rule_that_loses_text_is_named_and_much_loss_drops_the_row() -> None:
    def row() -> Row:
        return new_row(problem_id="a:1", source="a", kind="stdin", statement="Add 100 200 300 and print the sum of it.")

    rules: list[Rule] = [_Cuts()]
    kept = row()
    assert apply_measured(kept, [*rules, Fidelity(max_loss=0.9)], "process") is None
    found = kept["provenance"][-1]
    assert (found["rule"], found["outcome"]) == ("fidelity_v12", "marked")
    assert found["detail"].startswith("cuts_v1: 3 of 3 numbers: 100, 200, 300")
    entry = apply_measured(row(), [*rules, Fidelity(max_loss=0.1)], "process")
    assert entry is not None and entry["reason"] == "text_lost"
    assert apply_measured(row(), rules, "process") is None
    told = row()
    assert apply_measured(told, [_Cuts(took_out=True), Fidelity(max_loss=0.1)], "process") is None
    assert [step["rule"] for step in told["provenance"]] == ["cuts_v1"], "what a rule says it took out is not lost"


def test_what_a_rule_may_take_out_is_no_loss_although_samples_have_the_same_numbers() -> None:
    reads = "The first line has 3 numbers, 1, 2 and 7, and the second line has 5 of them."
    prints = "Print 1 number, the sum of all 7 numbers."
    page = f"<p>Add them.</p><p>{reads}</p><p>{prints}</p><h2>Input</h2><p>{reads}</p><h2>Output</h2><p>{prints}</p>"
    samples = "<h2>Example</h2><h3>Input</h3><pre>1 2 7\n5 5 3 1 2</pre><h3>Output</h3><pre>9</pre>"
    row = new_row(problem_id="a:1", source="a", statement=page + samples, kind="stdin", tests=[new_test("77", "78")])
    assert apply_measured(row, rules_of(Process()), "process") is None
    assert (row["statement"], row["input_format"], len(row["samples"])) == ("Add them.", reads, 1)
    assert not [step for step in row["provenance"] if step["rule"].startswith("fidelity")]


def test_samples_that_a_rule_has_mended_are_not_lost() -> None:
    block = "hats = 0\nfor a in 1..n\n  hats += a"
    sides = [(block, "7 1"), ("28", "12 4"), ("82", "5 9")]
    shifted = [{"input": given, "output": wanted, "explanation": None} for given, wanted in sides]
    page = f"<p>Count the hats that this prints.</p><pre>{block}</pre><p>Read 2 numbers, and print 1.</p>"
    row = new_row(problem_id="a:1", source="a", statement=page, kind="stdin", samples=shifted)
    row["tests"] = [new_test(*pair) for pair in sides]
    assert apply_measured(row, rules_of(Process(completeness=None)), "process") is None
    escaped = "Compare the hats.\n\n## Input\n\nTwo hats.\n\n## Output\n\nA sign.\n\n## Example\n\n### Input\n\n```\nS &lt; M\n```\n"
    escaped += "\n### Output\n\n```\nM &gt; S\n```\n"
    other = new_row(
        problem_id="a:2", source="a", statement=escaped, kind="stdin", tests=[new_test("S &lt; M", "M &gt; S")]
    )
    assert apply_measured(other, rules_of(Process()), "process") is None
    assert [(one["input"], one["output"]) for one in [*row["samples"], *other["samples"]]] == [
        ("7 1", "28"),
        ("12 4", "82"),
        ("S < M", "M > S"),
    ]
    assert not [step for one in (row, other) for step in one["provenance"] if step["rule"].startswith("fidelity")]


IT_IS = "[7, 2] has 2 socks:\n- sock 7 is < 9,\n- sock 2 is <= 105 + 7."
"""An explanation with two numbers, a list and a lost exponent."""
IN_HTML = IT_IS.replace("<", "&lt;").replace("105", "10<sup>5</sup>").replace("\n- ", "</p><p>")


def with_sample(shown: str, output: str = "2", explanation: str | None = IT_IS, behind: str = "") -> Row:
    """A row whose text shows the sample that its source gives too, with an explanation."""
    statement = f"Count the socks.\n\nExample 1:\n\nInput: a = [7, 2]\nOutput: 2{behind}\nExplanation: {shown}\n\n"
    if "<p>" in shown:
        statement = "".join(f"<p>{line}</p>" for line in statement.split("\n") if line)
    row = new_row(problem_id="a:1", source="a", statement=statement, kind="call", entry_point="f")
    row["samples"] = [{"input": "a = [7, 2]", "output": output, "explanation": explanation}]
    row["tests"] = [new_test("a = [7, 2]", "2")]
    return row


@pytest.mark.parametrize(
    "row",
    [
        with_sample(IT_IS),
        with_sample(IN_HTML),
        with_sample(f"![socks](a.png)\n{IT_IS}"),
        with_sample(f"{IT_IS}\nSo it is 2."),
        with_sample(IT_IS.replace(" ", "\u00a0")),
        with_sample(IT_IS, output=f"2\nExplanation: {IT_IS}", explanation=None),
        with_sample(IN_HTML, output=f"2\nExplanation: {IT_IS}", explanation=None),
    ],
    ids=["equal", "in HTML", "with a figure", "longer", "spaces", "behind the answer", "in HTML and behind it"],
)
def test_an_explanation_in_the_text_and_beside_its_sample_is_no_loss(row: Row) -> None:
    assert apply_measured(row, rules_of(Process(completeness=None)), "process") is None
    assert not [step for step in row["provenance"] if step["rule"].startswith("fidelity")]
    assert [one["output"] for one in row["samples"]] == ["2"]
    assert row["samples"][0]["explanation"].count("[7, 2] has 2 socks:") == 1
    assert "sock 2 is <= 10" in row["samples"][0]["explanation"]


def test_a_figure_taken_out_of_an_explanation_is_no_loss_of_its_words() -> None:
    row = with_sample(f"{IT_IS}\n\n![socks](a.png)\n\nThe 2 socks differ.", explanation=None)
    assert apply_measured(row, rules_of(Process()), "process") is None
    assert row["samples"][0]["explanation"] == f"{IT_IS}\n\nThe 2 socks differ."
    assert not [step for step in row["provenance"] if step["rule"].startswith("fidelity")]


def test_a_star_alone_in_bold_is_code_and_a_lost_one_is_found() -> None:
    assert (
        to_markdown("<p>Shown by <b>*</b>, <b>A</b><b>*</b><b>B</b>.</p><p>So.</p>")
        == "Shown by `*`, **A** * **B**.\n\nSo."
    )
    assert [one.kind for one in text_loss("1 <= n <= 2 * 10^5", "1 <= n <= 2  10^5").findings] == ["operators"]
    assert not text_loss("1 <= n <= 2 * 10^5", "1 <= n <= 2 × 10^5").findings


def test_an_answer_that_another_sample_has_too_can_be_lost() -> None:
    shown = [{"input": given, "output": "No", "explanation": None} for given in ("3 4", "5 6")]
    row = new_row(statement="Add.", samples=[dict(one) for one in shown], kind="stdin")
    collected = copy_of(row)
    row["samples"][1]["output"] = ""
    assert [finding.kind for finding in row_loss(collected, row).findings] == ["samples"]
    row["samples"] = [{**shown[0]}, {**shown[1], "input": "No"}]
    assert [finding.excerpts for finding in row_loss(collected, row).findings] == [("'5 6'",)]


def test_a_value_behind_a_wide_semicolon_is_no_lost_word() -> None:
    shown = "<p>两个数。</p><p><strong>示例：</strong></p><pre><strong>输入：</strong>m = 30\n<strong>输出；</strong>75\n</pre>"
    row = new_row(statement=shown, kind="call", entry_point="f", tests=[new_test("30", "75")])
    collected = copy_of(row)
    for rule in rules_of(Process()):
        rule(row)
    assert [one["output"] for one in row["samples"]] == ["75"] and not row_loss(collected, row).findings


def test_a_figure_above_a_sample_stays_where_a_remark_stands_behind_its_answer() -> None:
    figure = "![](https://hats.example/a.png)"
    shown = f"Cut.\n\n**示例 1:**\n\n**{figure}**\n\n```\n输入: m = 2\n输出: [1,2]\n解析: 保留前 m 个结点.\n```"
    row = new_row(statement=shown, kind="call", entry_point="f", tests=[new_test("2", "[1, 2]")])
    for rule in rules_of(Process()):
        rule(row)
    (sample,) = row["samples"]
    assert sample["output"] == "[1,2]" and figure in sample["explanation"] and "保留前" in sample["explanation"]


def test_explanations_that_say_different_things_are_both_kept() -> None:
    row = with_sample("Nobody has 5 socks.")
    assert apply_measured(row, rules_of(Process(completeness=None)), "process") is None
    assert row["samples"][0]["explanation"] == f"{IT_IS}\n\nNobody has 5 socks."


@pytest.mark.parametrize(
    ("output", "explanation", "kind"),
    [
        ("2", None, "numbers"),
        ("2", IT_IS.replace("9", ""), "numbers"),
        ("2", IT_IS.replace("<=", "and"), "operators"),
        ("", IT_IS, "samples"),
    ],
)
def test_what_the_text_and_the_sample_said_is_lost_where_no_one_says_it(
    output: str, explanation: str | None, kind: str
) -> None:
    before, after = with_sample(IT_IS), with_sample(IT_IS, output=output, explanation=explanation)
    after["statement"] = "Count the socks."
    assert kind in [finding.kind for finding in row_loss(before, after).findings]
    remark = with_sample(IT_IS, output=f"2\nExplanation: {IT_IS}", explanation=None)
    assert "samples" in [finding.kind for finding in row_loss(remark, after).findings]


SHOWN = [
    "",
    "\n\nExample:\n\nInput: 7 12\nOutput: 84",
    "\n\nExample:\n\nInput: 7\n12\nOutput: 84",
    "\n\n## Sample Input\n\n```\n7\n12\n```\n\n## Sample Output\n\n```\n84\n```",
]


@pytest.mark.parametrize("shown", SHOWN, ids=["apart", "on a line", "on lines", "in fences"])
def test_a_lost_number_is_found_although_samples_have_it(shown: str) -> None:
    text = "Count the socks of 12 cats, 7 at most, and print the product."
    row = new_row(problem_id="a:1", source="a", statement=text + shown, kind="stdin", tests=[new_test("7\n12", "84")])
    row["samples"] = [{"input": "7\n12", "output": "84", "explanation": None}]
    before = copy_of(row)
    assert apply_measured(row, rules_of(Process(completeness=None)), "process") is None
    assert row["statement"] == text and not row_loss(before, row).findings
    row["statement"] = text.replace("12 cats", "cats")
    assert str(row_loss(before, row)).endswith("numbers: 12")


@pytest.mark.parametrize("block", ["```cpp\n{}\n```", "~~~\n{}\n~~~", "<pre>{}</pre>", "```input1|2\n{}\n```"])
def test_entities_that_are_decoded_in_code_are_no_lost_lines(block: str) -> None:
    code = "if (a &lt; b &amp;&amp; c -&gt; d)\n  e &amp;lt; &quot;f&quot;;"
    text = f"# Task\n\nCount the socks x &lt; 5.\n\n{block.format(code)}"
    assert not text_loss(text, to_markdown(text)).findings
    lost = text_loss(text, to_markdown(text).replace("c -> d", "c -> g")).findings
    assert "lines of code" in [finding.kind for finding in lost]
