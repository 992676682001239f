"""What is bold or underlined inside of values stays marked, and nothing else gets marks."""

from __future__ import annotations

import pytest

from microcoder_data.process.html_text import html_to_markdown
from microcoder_data.process.tex_text import tex_to_markdown


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<p>Hats <code>[<u>1</u>, 2, <strong>3</strong>]</code>.</p>", "Hats `[`**`1`**`, 2,` **`3`**`]`."),
        ("<p><code>(&quot;a&quot;, <strong>&quot;bab&quot;</strong>)</code></p>", '`("a",` **`"bab"`**`)`'),
        ("<p><code>&quot;h<u><strong>a</strong></u>t&quot;</code></p>", '`"h`**`a`**`t"`'),
        ("<p><code>&quot;<u>ab</u>&nbsp;<u>c</u>d&quot;</code></p>", '`"`**`ab`** **`c`**`d"`'),
        ("<p><code>&quot;*<u>**</u>|&quot;</code></p>", '`"*`**`**`**`|"`'),
        ("<p><code><u>a</u><u>b</u>c</code></p>", "**`ab`**`c`"),
    ],
)
def test_code_is_bold_where_a_part_of_a_value_is_marked(page: str, shown: str) -> None:
    assert html_to_markdown(page) == shown


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<p><code>a <strong>OR</strong> b</code></p>", "`a OR b`"),
        ("<p><code><em>m</em> x <em>n1</em></code></p>", "`m x n1`"),
        (
            "<p><code><strong>hat</strong></code> and <strong><code>[<u>1</u>,2]</code></strong></p>",
            "`hat` and **`[1,2]`**",
        ),
        ("<p><strong>Input:</strong> <code>[<u>1</u>,2]</code></p>", "**Input:** `[1,2]`"),
        ("<pre><b>输出：</b>[<b>1</b>,2]\n<b>解释：</b><b>两</b>顶</pre>", "```\n输出：[1,2]\n解释：两顶\n```"),
        ("<pre>Explanation: 2 * [<u>1</u>,2]</pre>", "```\nExplanation: 2 * [1,2]\n```"),
    ],
)
def test_words_whole_values_and_samples_get_no_marks(page: str, shown: str) -> None:
    assert html_to_markdown(page) == shown


def test_an_explanation_marks_the_elements_and_letters_that_are_meant() -> None:
    page = (
        "<pre>\n<strong>输入：</strong>hats = [1,2,3]\n<strong>输出：</strong>2\n<strong>解释：</strong>"
        "[<em><strong>1</strong></em>,2, <strong>3</strong>] 和 &quot;<strong>ab</strong>c&quot; 。\n</pre>"
    )
    assert '解释：[**1**,2, **3**] 和 "**ab**c" 。' in html_to_markdown(page)


def test_quotation_marks_of_tex_stand_outside_of_code() -> None:
    shown = tex_to_markdown(r"Print \texttt{``Yes''} or \texttt{a''}.")
    assert shown == "Print “`Yes`” or `a''`."
