"""Pairs are what a lazy pattern finds, but no text is read again for each opening that nothing closes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from microcoder_data.fidelity.atoms import code_in_blocks, code_in_lines
from microcoder_data.fidelity.loss import text_loss
from microcoder_data.process.pairs import pairs, pairs_replaced

pytestmark = pytest.mark.fast

TAG = re.compile(r"<(b|i)>")
LAZY = re.compile(r"<(b|i)>(.*?)</\1>", re.DOTALL)
ENDS = {"b": re.compile("</b>"), "i": re.compile("</i>")}
TAGGED = st.lists(st.sampled_from(["<b>", "</b>", "<i>", "</i>", "x", "\n", "<", "/"]), max_size=20).map("".join)

LAZY_BLOCK = re.compile(
    r"^[ \t]*(```+(?=`*[^`\n]*\n)|~~~+)[^\n]*\n(?P<fence>.*?)^[ \t]*\1[ \t]*$|<pre\b[^<>]*>(?P<pre>.*?)</pre>|"
    r"\\begin\{(?:verbatim|lstlisting|alltt)\}(?P<tex>.*?)\\end\{(?:verbatim|lstlisting|alltt)\}",
    re.DOTALL | re.MULTILINE,
)
BLOCKS = st.lists(
    st.sampled_from(
        ["```\n", "````\n", "```py\n", " ```", "~~~\n", "~~~~\n", "a 1", "b\n", "\n", "<pre>", "</pre>",
         "<pre class='c'>",
         "\\begin{verbatim}", "\\end{verbatim}", "\\end{alltt}"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@given(TAGGED)
def test_pairs_are_what_a_lazy_pattern_finds(text: str) -> None:
    found = [
        (pair.opened.start(), pair.inside, pair.end) for pair in pairs(text, TAG, lambda opened: [ENDS[opened[1]]])
    ]
    assert found == [(match.start(), match[2], match.end()) for match in LAZY.finditer(text)]
    replaced = pairs_replaced(text, TAG, lambda opened: [ENDS[opened[1]]], lambda pair: f"[{pair.inside}]")
    assert replaced == LAZY.sub(r"[\2]", text)


@given(BLOCKS)
@example(" ```\\begin{verbatim}```\n\\end{verbatim}")
def test_blocks_of_code_are_what_a_lazy_pattern_finds(text: str) -> None:
    expected: Counter[str] = Counter()
    for match in LAZY_BLOCK.finditer(text):
        shown = re.sub("<pre[^<>]*>", "", match["pre"]) if match["pre"] else match["fence"] or match["tex"] or ""
        expected += code_in_lines(shown)
    assert code_in_blocks(text) == expected


@dataclass(frozen=True)
class Counting:
    """A closing that counts the characters that it is searched in."""

    pattern: re.Pattern[str]
    read: list[int]

    def __hash__(self) -> int:
        return hash(self.pattern)

    def search(self, text: str, start: int) -> re.Match[str] | None:
        found = self.pattern.search(text, start)
        self.read.append((found.end() if found else len(text)) - start)
        return found


@pytest.mark.parametrize(
    "text",
    ["<b>" * 3000, "<b>" * 3000 + "</i>", "<b></b>" * 1000 + "<b>" * 1000, "<b><i>" * 1000 + "</b>" + "<i>" * 1000],
)
def test_a_closing_is_searched_in_each_part_of_the_text_once(text: str) -> None:
    read: list[int] = []
    ends = {name: Counting(pattern, read) for name, pattern in ENDS.items()}
    for _ in pairs(text, TAG, lambda opened: [ends[opened[1]]]):  # type: ignore[list-item]
        pass
    assert sum(read) <= 2 * len(text) * len(ENDS)


@pytest.mark.parametrize(
    "opening", ["<pre>\n", "&lt;pre&gt;\n", "```a\n", "~~~\n\n", "\\begin{verbatim}\n", "<sup>", "<!--", "<script>"]
)
def test_a_text_of_openings_that_nothing_closes_loses_nothing_but_what_is_removed(opening: str) -> None:
    text = "1 sock\n" + opening * 4000
    assert str(text_loss(text, text.replace("sock", ""))).startswith("1 of")


def test_an_old_letter_in_the_name_of_a_tag_is_read_as_today() -> None:
    assert not text_loss("Socks <\u017fcript>1</\u017fcript>", "Socks").findings
