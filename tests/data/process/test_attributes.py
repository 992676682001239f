"""Attributes of HTML tags: what stands in a value stays in it, what is broken is left out, and the text stays."""

from __future__ import annotations

import html
import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.fidelity.loss import text_loss
from microcoder_data.process.attributes import with_plain_attributes
from microcoder_data.process.markup import to_markdown
from microcoder_data.sources.leetcode_examples import plain_text

pytestmark = pytest.mark.fast

NAMES = ("alt", "title", "data-x", "class", "src", "href", "onclick")
PLAIN_TAG = re.compile(r'<[A-Za-z0-9]+(?:\s+[\w:.-]+(?:="[^"<>$]*")?)*\s*/?>|</[A-Za-z0-9]+>')


@pytest.mark.parametrize(
    ("tag", "markdown"),
    [
        ('<img src="a.png" alt="n > 2">', "![n > 2](a.png)"),
        ("<img src='a.png' alt='n < 2'>", "![n < 2](a.png)"),
        ('<img alt="n &lt; 2 &amp; &quot;m&quot;" src="a.png">', '![n < 2 & "m"](a.png)'),
        ('<img class="tex" src="a.png" alt="n \\to 2 > 1">', "$n \\to 2 > 1$"),
        ("<img class='tex' alt=f'>", "$f'$"),
        ("<img class='tex' alt='f''>", "$f'$"),
        ("<img class=tex-formula alt=n>", "$n$"),
        ('<img src="a.png" alt="$n$">', "![$n$](a.png)"),
        ("<img alt='it's' src='a.png'>", "![it's](a.png)"),
        ('<img src="a.png" width=5">', "![](a.png)"),
        ('<img width="5 src="a.png">', "![](a.png)"),
        ('<img src="a.png" alt="t"">', '![t"](a.png)'),
        ('<img src="a.png"" alt="t">', "![t](a.png)"),
        ('<img src="a.png"alt="t">', "![t](a.png)"),
        ('<img data-src="b.png" src="a.png">', "![](a.png)"),
        ("<img src=a.png?b=1&section=2 alt=t>", "![t](a.png?b=1&section=2)"),
        ("<a href=http://a.b/o'neil>here</a>", "[here](http://a.b/o'neil)"),
        ("<a href='http://a.b/?c=1&amp;d=2' target=_blank>here</a>", "[here](http://a.b/?c=1&d=2)"),
        ('<a href="http://a.b>here</a>', "[here](http://a.b)"),
        ('<a data-t="<b>1</b>" href="http://a.b">here</a>', "[here](http://a.b)"),
        ('<b data-x="1 -> 2">here</b>', "**here**"),
        ("<span title='a>b'>here</span>", "here"),
        ("<span onclick=\"if (a > 1) b('c')\">here</span>", "here"),
        ('<span class="a>here</span> and <span class="b">there</span>', "here and there"),
        ('<span class="a>here</span> and "there', 'here and "there'),
    ],
)
def test_a_tag_is_read_in_html_and_in_markdown(tag: str, markdown: str) -> None:
    page, text = f"<p>See {tag} now.</p>", f"# Task\n\nSee {tag} now."
    assert to_markdown(page) == f"See {markdown} now."
    assert to_markdown(text) == f"# Task\n\nSee {markdown} now."
    assert not text_loss(page, f"See {markdown} now.").findings
    assert not text_loss(text, f"# Task\n\nSee {markdown} now.").findings


def test_code_with_tags_stays() -> None:
    text = "# Task\n\nWrite `<b title='a>b'>` with <b title='a>b'>care</b>.\n\n```\n<img alt='a>b' src=x>\n```"
    assert to_markdown(text) == text.replace("<b title='a>b'>care</b>", "**care**")


def test_what_is_said_of_tags_in_plain_words_stays() -> None:
    text = "The opening tag <b class='x'> is read.\n\nThen </b> comes."
    assert to_markdown(text) == text


@pytest.mark.parametrize(
    "text", ["if a <b and c> d", "a <m, n='x>y'> b", "vector <int x='1'> v", "<p", "<p '", "a<b c"]
)
def test_what_is_no_tag_with_values_stays(text: str) -> None:
    assert with_plain_attributes(text) == text


def test_an_example_is_read_past_a_value() -> None:
    page = "<p>Input: <img alt='2 > 1' src='a.png'>n = 1</p>"
    assert plain_text(page).split() == ["Input:", "n", "=", "1"]


VALUES = st.text("ab <>=/'\"&;$-é", max_size=8).filter(lambda value: not re.search(r"\w=\Z", value))
"""One that ends as if an attribute began there may be cut."""


@given(st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_values_are_those_that_a_page_has(attributes: dict[str, str]) -> None:
    """Written with either quote, `<` and `>` as they are. An address is stripped of quotes."""
    written = ""
    for name, value in attributes.items():
        quote = "'" if '"' in value else '"'
        written += f" {name}={quote}{value.replace('&', '&amp;').replace(chr(39), '&#39;')}{quote}"
    plain = with_plain_attributes(f"A <img{written}> b")
    assert PLAIN_TAG.fullmatch(plain[2:-2]) and (plain[:2], plain[-2:]) == ("A ", " b")
    read = BeautifulSoup(plain, "html.parser", multi_valued_attributes=None).img
    assert read is not None
    assert read.attrs == {
        name: value.strip('"') if name in ("src", "href") else value for name, value in attributes.items()
    }


PIECES = [
    "<p ",
    "<img ",
    "</b ",
    "<b>",
    ">",
    "/>",
    " class=",
    "src=",
    "alt",
    "=",
    '"',
    "'",
    "word",
    " ",
    "\n",
    "&amp;",
    "&",
    "$",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_only_tags_change_and_only_once(text: str) -> None:
    plain = with_plain_attributes(text)
    assert with_plain_attributes(plain) == plain
    outside = re.split(r"<[^<>]*>", text)  # what no tag can hold, however its quotes are read
    assert all(piece in plain for piece in (outside[0], *outside[-1:]) if not re.search("[<>'\"]", piece))
    tags = re.findall(r"</?(?:p|img|b)\s[^<>]*>", plain)
    assert all(PLAIN_TAG.fullmatch(tag) for tag in tags)
    assert html.unescape(to_markdown(f"<p>Begin. {text} <b>End.</b></p>")).startswith("Begin.")
