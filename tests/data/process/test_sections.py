"""The same problem as each judge writes it is split into the same parts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.fidelity.loss import text_loss
from microcoder_data.process import Process
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.render import render
from microcoder_data.process.samples import Samples
from microcoder_data.process.sections import Sections, samples_shown
from microcoder_data.rules import apply_rules, rules_of
from microcoder_data.schema import new_row, new_test
from tests.data.process.rows import row

pytestmark = pytest.mark.fast

CODEFORCES = """Add two numbers.

-----Input-----

The only line contains a and b.

-----Output-----

Print their sum.

-----Examples-----
Input
3 4

Output
7

Input
1 1

Output
2

-----Note-----

Nothing to note."""

CONTESTS = """Add two numbers.

Input

The only line contains a and b.

Output

Print their sum.

Examples

Input

3 4

Output

7

Input

1 1

Output

2

Note

Nothing to note."""

ATCODER = """Score : $100$ points

## Problem Statement

Add two numbers.

## Input

The only line contains a and b.

## Output

Print their sum.

```input1
3 4
```

```output1
7
```

```input2
1 1
```

```output2
2
```

## Note

Nothing to note."""

SAMPLES_APART = """Add two numbers.

Input

The only line contains a and b.

Output

Print their sum.

Sample Input 1

3 4

Sample Output 1

7

The sum of three and four is seven, as everybody knows.

Sample Input 2

1 1

Sample Output 2

2

Note

Nothing to note."""

HTML = """<p>Add two numbers.</p><h3>Input</h3><p>The only line contains <var>a</var> and b.</p>
<h3>Output</h3><p>Print their sum.</p><h3>Sample Input 1</h3><pre>3 4
</pre><h3>Sample Output 1</h3><pre>7
</pre><h3>Sample Input 2</h3><pre>1 1
</pre><h3>Sample Output 2</h3><pre>2
</pre><h3>Note</h3><p>Nothing to note.</p>"""

TEX = """\\problemname{Sum}
Add two numbers.
\\section*{Input}
The only line contains $a$ and \\texttt{b}.
\\section*{Output}
Print their \\emph{sum}.
\\section*{Sample Input 1}
\\begin{verbatim}
3 4
\\end{verbatim}
\\section*{Sample Output 1}
\\begin{verbatim}
7
\\end{verbatim}
\\section*{Sample Input 2}
\\begin{verbatim}
1 1
\\end{verbatim}
\\section*{Sample Output 2}
\\begin{verbatim}
2
\\end{verbatim}
\\section*{Note}
Nothing to note."""


@pytest.mark.parametrize("statement", [CODEFORCES, CONTESTS, ATCODER, SAMPLES_APART, HTML, TEX])
def test_the_same_problem_from_every_judge_has_the_same_parts(statement: str) -> None:
    problem = row(statement)
    assert apply_rules(problem, rules_of(Process()), "process") is None
    assert problem["statement"] == "Add two numbers."
    assert problem["input_format"].replace("$", "").replace("`", "") == "The only line contains a and b."
    assert problem["output_format"].replace("*", "") == "Print their sum."
    assert [(s["input"].strip(), s["output"].strip()) for s in problem["samples"]] == [("3 4", "7"), ("1 1", "2")]
    assert problem["notes"] == "Nothing to note."


def test_explanations_follow_their_sample() -> None:
    problem = row(SAMPLES_APART)
    Sections()(problem)
    assert problem["samples"][0]["explanation"].startswith("The sum of three")


FENCED = """Find the least time.

**Example 1:**

```
Input: a = [8,10], b = [2,2]
Output: 16
Explanation:
The best is to wait.
So it is 16.
```

**Example 2:**

```
Input
["Stack", "push"]
Output
[null, 7]

Explanation
s.push(7)
```
"""


@pytest.mark.parametrize(
    "labels",
    [("Sample Input 1\n\n```", "Sample Output 1\n\n```"), ("```input1|2,3", "```output1")],
    ids=["headings", "fences"],
)
def test_all_inputs_before_all_outputs_are_paired_in_turn(labels: tuple[str, str]) -> None:
    values = [("1 2", "3"), ("5 7", "12"), ("1 1", "2")]
    shown = [f"{label}\n{pair[side]}\n```" for side, label in enumerate(labels) for pair in values]
    samples = samples_shown("Add them.\n\n" + "\n\n".join(shown) + "\n\n## Note\n\nThree is the first sum.")
    assert [(one["input"], one["output"]) for one in samples] == values
    lost = text_loss("Add.\n\n```input1|2,3\n1\n```", "Add.").findings
    assert "words" not in {finding.kind for finding in lost}


def test_fences_between_paragraphs_of_html_keep_their_lines_and_spaces() -> None:
    fences = "```input1\na  b\n\n1 {0} 2\n```\n\n```output1\n  2 {0} 1\n```"
    said = f"<p>Turn <b>them</b> round.</p>\n\n{fences.format('&gt;')}\n\n" + "<p>All is turned.</p>" * 6
    assert fences.format(">") in to_markdown(said)


def test_parts_of_a_sample_inside_one_fence() -> None:
    row = new_row(problem_id="a:1", source="a", kind="call", statement=FENCED)
    Sections()(row)
    assert row["samples"] == [
        {"input": "a = [8,10], b = [2,2]", "output": "16", "explanation": "The best is to wait.\nSo it is 16."},
        {"input": '["Stack", "push"]', "output": "[null, 7]", "explanation": "s.push(7)"},
    ]


LEETCODE = """Return the sum of nums.

Example 1:

Input: nums = [2,1], k = 4
Output: 2
Explanation: It is so.
And so on.

Example 2:

Input: nums = [2], k = 1
Output: 3

Constraints:

2 <= nums.length <= 50"""


@pytest.mark.parametrize("bold", [False, True])
def test_function_problems_write_their_samples_on_one_line(bold: bool) -> None:
    text = LEETCODE
    if bold:
        for word in ("Example 1:", "Example 2:", "Input:", "Output:", "Explanation:", "Constraints:"):
            text = text.replace(word, f"**{word}**")
    tests = [new_test("[2, 1]\n4", "2"), new_test("nums = [2]\nk = 1", "3")]
    problem = row(text, kind="call", entry_point="f", tests=tests)
    Sections()(problem)
    assert problem["statement"] == "Return the sum of nums."
    assert [(s["input"], s["output"]) for s in problem["samples"]] == [
        ("nums = [2,1], k = 4", "2"),
        ("nums = [2], k = 1", "3"),
    ]
    assert problem["samples"][0]["explanation"] == "It is so.\nAnd so on."
    assert problem["constraints"] == "2 <= nums.length <= 50"
    outcome = Samples()(problem)
    assert outcome is not None and (outcome.outcome, outcome.statistic) == ("kept", 1.0)


def test_a_published_solution_is_cut_off() -> None:
    problem = row("Add.\n\n## Input\n\nTwo numbers.\n\n## Solutions\n\n```python\nprint('the answer')\n```")
    Sections()(problem)
    assert "the answer" not in render(problem)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*CODEFORCES.split("\n"), *LEETCODE.split("\n"), "```", "", "x"]), max_size=25))
def test_sections_lose_no_word_of_the_text(lines: list[str]) -> None:
    problem = row("\n".join(lines))
    Sections()(problem)
    names = ("statement", "input_format", "output_format", "constraints", "notes")
    found = [problem[name] or "" for name in names]
    found += [value or "" for sample in problem["samples"] for value in sample.values()]
    for word in ("contains", "Print", "Return", "Nothing", "length", "nums", "so."):
        assert sum(part.count(word) for part in found) == sum(line.count(word) for line in lines)


@pytest.mark.parametrize("heading", ["# Instructions", "## Restrictions"])
def test_a_heading_beside_or_above_an_example_ends_it(heading: str) -> None:
    row = new_row(
        statement=f"Count.\n\n## Example 1\n\nTwo.\n\n### Decimal number\n\n8\n\n{heading}\n\nUse no library.",
        kind="asserts",
    )
    Sections()(row)
    example = "## Example 1\n\nTwo.\n\n### Decimal number\n\n8"
    assert row["statement"] == f"Count.\n\n{example}\n\n{heading}\n\nUse no library."


def test_a_docstring_is_not_split() -> None:
    """`Example:` inside a function's docstring is part of its program."""
    program = (
        'def depth(root):\n    """The depth of a tree.\n\n    Example:\n        >>> depth(None)\n        0\n    """'
    )
    one = row(program, kind="asserts")
    assert Sections()(one) is None and one["statement"] == program
    below = row(f"{program}\n\nConstraints:\n\nAt most 100 nodes.")
    Sections()(below)
    assert (below["statement"], below["constraints"]) == (program, "At most 100 nodes.")


def test_the_format_of_the_input_under_a_wrong_heading() -> None:
    one = row("Add.\n\n## Output\n\nInput is given in this format: $A$ $B$\n\n## Output\n\nPrint the sum.")
    Sections()(one)
    assert (one["input_format"], one["output_format"]) == ("Input is given in this format: $A$ $B$", "Print the sum.")
    right = row("Add.\n\n## Input\n\nTwo numbers.\n\n## Output\n\nInput is given again: print it too.")
    Sections()(right)
    assert right["output_format"] == "Input is given again: print it too."


def test_a_sample_in_a_quotation_is_without_its_marks() -> None:
    text = (
        "Add.\n\n**Example 1:**\n\n> Input:\n> `a = [1], b = 2`\n\n>\n\n> Output: `3`\n>\n> Explanation:\n> It is\n> 3."
    )
    result = row(text)
    Sections()(result)
    assert result["samples"] == [{"input": "a = [1], b = 2", "output": "3", "explanation": "It is\n3."}]


def test_headings_of_other_languages_and_samples_between_bars() -> None:
    spanish = (
        "# Problema\n\nSuma.\n\n# Entrada\n\nDos.\n\n# Salida\n\nUno.\n\n# Ejemplos\n\n||input\n1 2\n||output\n3\n"
    )
    spanish += (
        "||description\nComo 1 + 2.\n||examplefile\nother\n||end\n\n# Límites\n\n- n < 9\n\n# Subtareas\n\n- n < 3"
    )
    done = row(spanish)
    Sections()(done)
    assert [done[name] for name in ("statement", "input_format", "output_format", "constraints", "notes")] == [
        "Suma.", "Dos.", "Uno.", "- n < 9", "- n < 3",
    ]  # fmt: skip
    assert done["samples"] == [{"input": "1 2", "output": "3", "explanation": "Como 1 + 2."}]
    korean = row("더하라.\n\n### 입력\n\n두 수.\n\n### 출력\n\n합.\n\n### 예제 입력 1\n\n1 2\n\n### 예제 출력 1\n\n3")
    Sections()(korean)
    assert (korean["statement"], korean["output_format"], korean["samples"][0]["output"]) == ("더하라.", "합.", "3")


@pytest.mark.parametrize("example", ["Contoh 1", "Lizaneth"])
def test_an_output_behind_a_given_input_is_no_section_in_any_language(example: str) -> None:
    done = row(
        f"Tambah.\n\n{example}:\n\n    Input: n = 3\nOutput: 4\n\nCatatan:\n1. n < 9", kind="call", entry_point="f"
    )
    Sections()(done)
    assert done["output_format"] is None and done["notes"] == "1. n < 9"
    assert done["samples"] == [{"input": "n = 3", "output": "4", "explanation": None}] * (example == "Contoh 1")


def test_a_comment_in_a_program_is_no_heading() -> None:
    code = "```python\nprint(add(1, 2))\n# Output: 3\nprint(add(2, 2))\n# Output: 4\n```"
    done = row(f"Add.\n\n**Examples**:\n\n{code}", kind="call", entry_point="add")
    Sections()(done)
    assert done["statement"].endswith(code) and not done["samples"]


def test_the_task_behind_notes_stays_in_the_statement() -> None:
    one = row(
        "Pour soup.\n\n**Note:**\n\n- Cups are equal.\n\nReturn the chance.\n\n"
        "**Example 1:**\n\nInput: n = 1\n\nOutput: 2"
    )
    Sections()(one)
    assert one["statement"] == "Pour soup.\n\n**Note:**\n\n- Cups are equal.\n\nReturn the chance." and not one["notes"]
    asked = row("Return the chance.\n\n**Note:**\n\n- Return no text.\n\n**Example 1:**\n\nInput: n = 1\n\nOutput: 2")
    Sections()(asked)
    assert (asked["statement"], asked["notes"]) == ("Return the chance.", "- Return no text.")


def test_a_heading_example_without_a_number_explains_the_output_above() -> None:
    told = row(
        "帽子。\n\n**示例 1：**\n\n输入：n = 1\n\n输出：2\n\n**示例：**\n\n因为有两顶。\n\n"
        "**示例 2：**\n\n输入：n = 2\n\n输出：4"
    )
    Sections()(told)
    assert [one["explanation"] for one in told["samples"]] == ["因为有两顶。", None] and not told["notes"]
    again = row("Hats.\n\n**Example:**\n\nInput: n = 1\n\nOutput: 2\n\n**Example:**\n\nInput: n = 2\n\nOutput: 4")
    Sections()(again)
    assert [one["output"] for one in again["samples"]] == ["2", "4"]


def test_a_semicolon_ends_a_label_as_a_colon_does() -> None:
    one = row("帽子。\n\n**示例 1;**\n\n输入：n = 1\n\n输出；2\n\n**提示：**\n\n- n 不大。")
    Sections()(one)
    assert [(sample["input"], sample["output"]) for sample in one["samples"]] == [("n = 1", "2")]


def test_words_around_an_indented_sample_are_its_explanation() -> None:
    done = row(
        "Add.\n\n**Sample Input**\n\nThis is only a part of a real input.\n\n    2\n    3 4\n\n"
        "**Explanation of the Input**\n\n"
        "There are 2.\n\n**Sample Output**\n\nOther answers are near this one.\n\n    7\n"
    )
    Sections()(done)
    assert [(one["input"], one["output"]) for one in done["samples"]] == [("2\n3 4", "7")]
    for words in ("only a part", "There are 2.", "Other answers"):
        assert words in done["samples"][0]["explanation"]


def test_a_sample_without_indentation_keeps_its_words() -> None:
    done = row("Add.\n\nSample Input\n\nhat = 3\n\n    cap = 4\n\nSample Output\n\n7")
    Sections()(done)
    assert done["samples"][0]["input"] == "hat = 3\n\n    cap = 4"


def test_a_comment_in_indented_code_is_no_heading() -> None:
    code = "    print zeros((1, 2))\n    #Output : [[ 0.  0.]]\n\n    print ones((1, 2))\n    #Output : [[ 1.  1.]]"
    done = row(f"Make arrays.\n\n{code}\n\n## Input Format\n\nA number.\n\n## Output Format\n\nAn array.")
    Sections()(done)
    assert done["output_format"] == "An array." and done["statement"].endswith(code)


def test_the_description_of_the_function_ends_an_example() -> None:
    done = row(
        "Count.\n\n**Example**\n\n$c = [1]$\n\nIt is 1.\n\n**Function Description**\n\nComplete *count*.\n\n"
        "## Input Format\n\nOne."
    )
    Sections()(done)
    assert done["statement"].startswith("Count.\n\n**Example**\n\n$c = [1]$\n\nIt is 1.\n\n**Function Desc")
    assert (done["input_format"], done["notes"]) == ("One.", None)


def test_an_example_in_words_behind_the_formats_is_a_note() -> None:
    done = row("Count.\n\n## Input Format\n\nOne.\n\n## Example\n\nIt is 1.")
    Sections()(done)
    assert (done["input_format"], done["notes"]) == ("One.", "Example:\n\nIt is 1.")


def test_constraints_in_a_block_behind_a_sample_are_no_explanation() -> None:
    done = row(
        "Flip.\n\n```\nSample Input :\n4 7\n```\n\n```\nSample Output :\n2\n```\n\n"
        "```\nConstraints :\n1 <= N <= 9\n```\n"
    )
    Sections()(done)
    assert done["constraints"] == "1 <= N <= 9"
    assert done["samples"] == [{"input": "4 7", "output": "2", "explanation": None}]


def test_a_block_with_both_sides_is_a_sample_without_a_heading() -> None:
    text = "Root.\n\n### Input\n\nT.\n\n### Output\n\nRoots.\n\n```\nInput:\n2\n10\n\nOutput:\n3\n```"
    done = row(text)
    Sections()(done)
    assert (done["input_format"], done["output_format"]) == ("T.", "Roots.")
    assert [(one["input"], one["output"]) for one in done["samples"]] == [("2\n10", "3")]
    code = row("Log.\n\n### Input\n\nT.\n\n```\nInput: 2\nOutput: 3\n```")
    Sections()(code)
    assert not code["samples"]


def test_answers_between_blank_lines_are_whole_where_the_text_asks_for_them() -> None:
    text = (
        "Play.\n\n### Output\n\nPrint {} after each case.\n\n### Example\n\n"
        "```\nInput:\n2\n\nOutput:\nAnn wins\n\nBob wins\n"
        "Move from 5 to 4\n```\n\n### Explanation\n\nIn the first case Ann wins since Bob cannot move."
    )
    done = row(text.format("a blank line"))
    Sections()(done)
    assert done["samples"][0]["output"] == "Ann wins\n\nBob wins\nMove from 5 to 4"
    other = row(text.format("the winner"))
    Sections()(other)
    assert other["samples"][0]["output"] == "Ann wins"


def test_a_figure_in_bold_above_a_sample_belongs_to_it() -> None:
    one = row(
        "Hats.\n\n**Example 1:**\n\n**![](hat.png)**\n\nInput: n = 1\n\nOutput: 2\n\n**Constraints:**\n\n- n is small."
    )
    Sections()(one)
    assert one["samples"][0]["explanation"] == "**![](hat.png)**" and not one["notes"]
