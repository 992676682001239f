r"""Texts of openings that nothing closes, and of closed ones: the readers find what lazy patterns would find."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from microcoder_data.compare.calls import called
from microcoder_data.fidelity.loss import row_loss
from microcoder_data.fidelity.measure import shown
from microcoder_data.process import Process
from microcoder_data.process.completeness import _unended
from microcoder_data.process.html_in_markdown import _blocks, _replace_inline_tags
from microcoder_data.process.html_text import html_to_markdown
from microcoder_data.process.markup import _dollar_formulas, to_markdown
from microcoder_data.process.prose import _without_code
from microcoder_data.process.scripts_of_formulas import scripts_in_formulas
from microcoder_data.process.tex_text import tex_to_markdown
from microcoder_data.process.text import repaired
from microcoder_data.process.two_columns import tables_to_inputs, without_second_column
from microcoder_data.rules import rules_of
from microcoder_data.schema import new_row, new_test
from microcoder_data.sources.atcoder_statements import _samples
from microcoder_data.sources.leetcode_examples import plain_text

pytestmark = pytest.mark.fast


def texts(*pieces: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=14).map("".join)


def lazily_split(pattern: str, text: str, change: Callable[[str], str]) -> str:
    """The text with `change` applied outside the matches of a lazy pattern."""
    pieces = re.split(f"({pattern})", text, flags=re.DOTALL | re.MULTILINE)
    pieces[::2] = map(change, pieces[::2])
    return "".join(pieces)


@given(texts("```", "\n", "~~~", "<pre>", "</pre>", "\\begin{verbatim}", "\\end{verbatim}", "a", " ", "\n\n\n"))
def test_spaces_inside_blocks_stay(text: str) -> None:
    def squeezed(piece: str) -> str:
        return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip(" \t") for line in piece.split("\n")))

    pattern = r"^```.*?^```|^~~~.*?^~~~|<pre\b.*?</pre>|\\begin\{verbatim\}.*?\\end\{verbatim\}"
    expected, before = text, ""
    while expected != before:
        before = expected
        if re.search("[ \t]\n|\n{3}", expected):
            expected = lazily_split(pattern, expected, squeezed)
        expected = expected.strip("\n").rstrip()
    assert repaired(text) == expected


@given(texts("\\(", "\\)", "\\[", "\\]", "[tex]", "[/tex]", "x", " y", "\n", "\\"))
def test_formulas_between_delimiters_are_what_lazy_patterns_find(text: str) -> None:
    def stripped(sign: str) -> Callable[[re.Match[str]], str]:
        return lambda found: f"{sign}{found[1].strip()}{sign}"

    expected = re.sub(r"(?<!\\)\\\((.+?)\\\)", stripped("$"), text, flags=re.DOTALL)
    escaped = r"(?!(?<=\w\\\[)[\w.-]+\\\])"  # brackets behind a word
    expected = re.sub(rf"(?<!\\)\\\[{escaped}(.+?)\\\]", stripped("$$"), expected, flags=re.DOTALL)
    assert _dollar_formulas(text) == re.sub(r"\[tex\](.+?)\[/tex\]", stripped("$"), expected, flags=re.DOTALL)


@given(texts("<code>", "</code>", "$", "$$", "Word one.", " two", "\n", "<b>", "https://a.b "))
def test_prose_is_what_a_lazy_pattern_leaves(text: str) -> None:
    pattern = r"`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$|<code>.*?</code>|https?://\S+|</?[a-zA-Z][^<>]*>"
    assert _without_code(text) == re.sub(pattern, " ", text, flags=re.DOTALL)


@given(texts("<sup>", "</sup>", "<sub>", "</sub>", "<!--", "-->", '<a href="x">', "</a>", "<svg>", "</svg>", "t", "\n"))
def test_paired_tags_are_what_lazy_patterns_find(text: str) -> None:
    expected = re.sub("<!--.*?-->", "", text, flags=re.DOTALL)
    for name in ("sup", "sub"):
        if re.search(f"<{name}>.*?<su.>.*?</{name}>", expected, re.DOTALL):
            return  # one inside another: the order in which they are read is not what this test is about
    for mark, name in (("^", "sup"), ("_", "sub")):
        expected = re.sub(
            f"<{name}>(.*?)</{name}>",
            lambda found, sign=mark: "" if not found[1].strip() else sign + _braced(found[1].strip()),  # type: ignore[misc]
            expected,
            flags=re.DOTALL,
        )
    expected = re.sub('<a href="x">(.*?)</a>', r"[\1](x)", expected, flags=re.DOTALL)
    expected = re.sub("<svg>.*?</svg>", "![]()", expected, flags=re.DOTALL)
    assert _replace_inline_tags(text) == re.sub('</?a( href="x")?>', "", expected)


def _braced(inside: str) -> str:
    return inside if re.fullmatch(r"\w{1,12}", inside) else f"{{{inside}}}"


@given(texts("<p>", "</p>", "<P>", "<div>", "</div>", "<pre>", "</pre>", "`", "$", "a", "\n", "```\n"))
@example("<p>`<p>`</p></p>")
def test_blocks_end_where_as_many_are_closed_as_begun(text: str) -> None:
    for start, stop in _blocks(text):
        name = re.match(r"<(\w+)", text[start:]).group(1)  # type: ignore[union-attr]
        steps = [1 if tag[0][1] != "/" else -1 for tag in re.finditer(rf"</?{name}>", text[start:stop], re.IGNORECASE)]
        sums = [sum(steps[: count + 1]) for count in range(len(steps))]
        assert sums[-1] == 0 and 0 not in sums[:-1]
    ends = [-1, *(stop for _, stop in _blocks(text))]
    assert all(stop <= start for stop, (start, _) in zip(ends, _blocks(text), strict=False))


@given(texts("<|A Begin|>", "<|A End|>", "<|B Begin|>", "<|B End|>", "x", "\n"))
def test_a_generated_part_without_an_end_is_found(text: str) -> None:
    expected = re.search(r"<\|(\w[\w ]*) Begin\|>(?!.*<\|\1 End\|>)", text, re.DOTALL)
    found = _unended(text)
    assert (found and found.span()) == (expected and expected.span())


@given(texts("```input1\n", "```output1\n", "```input\n", "```\n", "3 4\n", "Text.\n", "```"))
def test_samples_in_fences_are_what_a_lazy_pattern_finds(text: str) -> None:
    shown: dict[tuple[str, str], str] = {}
    for found in re.finditer(r"^```(input|output)(\d*)[ \t]*\n(.*?)^```[ \t]*$\n?", text, re.DOTALL | re.MULTILINE):
        shown.setdefault((found[1], found[2]), found[3])
    samples, _ = _samples(text)
    both = {number for _, number in shown if {("input", number), ("output", number)} <= shown.keys()}
    assert sorted((one["input"], one["output"]) for one in samples) == sorted(
        (shown["input", number], shown["output", number]) for number in both
    )


@pytest.mark.parametrize("read", [to_markdown, repaired, plain_text, html_to_markdown, tex_to_markdown])
@pytest.mark.parametrize(
    "text",
    [
        "Read \\(n\\) and \\[x\\].",
        "<p>Add <code>a</code> and <pre>1  2</pre>.</p>",
        "\\begin{itemize}\\item one\\begin{enumerate}\\item two\\end{enumerate}\\end{itemize}",
        "{\\bf Add {\\it one} and two.}",
    ],
)
def test_what_follows_unclosed_openings_is_read_as_alone(read: Callable[[str], str], text: str) -> None:
    """Openings that nothing closes stand before the text, and its words are still there."""
    for opening in ("\\(", "<!--", "<code>", "\\begin{figure}", "{\\bf "):
        words = re.findall(r"(?<![\\<{/])\b(?:Read|Add|one|two)\b", text)
        assert re.findall(r"\b(?:Read|Add|one|two)\b", read(opening * 3 + " " + text)) == words


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('<p>Add <font color="red>one</font> and <b>two</b>.</p><p>Read.</p>', "Add one and **two**.\n\nRead."),
        ("<p>Add</p><!-- one <b>two</b>", "Add\n\n<!-- one **two**"),
        ("<p>Add<!-- not this --!> one</p>", "Add one"),
        ("<p>Add</p><!DOCTYPE html <b>one</b>", "Add\n\n<!DOCTYPE html **one**"),
        ("<p>Add <style>b {}</style now> one</p>", "Add  one"),
        ("<p>Add<img src='a.png?x=1&section=2'></p>", "Add![](a.png?x=1&section=2)"),
    ],
)
def test_html_is_read_alike_by_the_parsers_of_all_pythons(text: str, read: str) -> None:
    """Newer ones drop what follows a quote, comment or declaration that nothing closes."""
    assert html_to_markdown(text) == read


@pytest.mark.parametrize("name", ["\\newcommand{\\a}[", "\\sqrt[", "\\item["])
def test_open_brackets_of_tex_do_not_double_the_work(name: str) -> None:
    """The library reads what follows an open bracket twice: 60 of them would not end in a lifetime."""
    assert "stones" in tex_to_markdown("\\problemname{A} Count the stones. " + name * 60)


def test_odd_spaces_behind_a_tag_are_read_once() -> None:
    """Read again from each of them, they would take hours."""
    assert html_to_markdown(f"<p>{chr(0xA0) * 500_000}Add <b>n</b>.</p>") == "Add **n**."


def test_a_line_break_in_a_cell_is_a_space_wherever_it_stands() -> None:
    table = "| a | b |\n|---|---|\n| one<br>two<br/>three | four |\n\nEnd.<br>Really."
    assert to_markdown(table) == "| a | b |\n|---|---|\n| one two three | four |\n\nEnd.\nReally."


@pytest.mark.parametrize(
    "text",
    [
        "<p>x</p>" + "`" * 100_000,
        "a " * 200_000 + "$x$<sup>2</sup>",
        "5$<sup>2</sup> " * 20_000,
        "STDIN Function\n----- --------\n" + ". " * 200_000 + "x",
        "<p>x<sub>" + "a" * 200_000 + "</sub></p>",
    ],
    ids=["backticks", "a long line", "money", "dots", "a long index"],
)
def test_long_texts_do_not_take_the_square_of_their_length(text: str) -> None:
    """Each took minutes or hours."""
    assert len(to_markdown(tables_to_inputs(scripts_in_formulas(text)))) > 20_000
    assert len(without_second_column(text)) > 20_000
    given = 'f("' + '\\"' * 200_000
    assert len(called("f", given, "1")[0]) == len(given)


@pytest.mark.parametrize(
    "text",
    [
        "![" * 60_000,
        "![](<" * 30_000,
        "![](a){" + "=" * 120_000,
        "`" * 120_000,
        "~" * 120_000,
        f"<table><tr><td>x{' ' * 120_000}</td></tr></table>",
        f"<pre>x{' ' * 120_000}y</pre><s>z</s>",
        f"<p{' ' * 120_000}>x</p>",
        f"<p {' ' * 120_000}",
        "<p a='" * 20_000,
        """<img a="<img b" a='""" * 6_000,
    ],
    ids=[
        "captions",
        "places",
        "widths",
        "backticks",
        "tildes",
        "cell",
        "pre",
        "tag",
        "no tag",
        "quotes",
        "both quotes",
    ],
)
def test_no_rule_and_no_comparison_takes_the_square_of_the_length(text: str) -> None:
    row = new_row(kind="stdin", statement=f"Add.\n\n{text}", tests=[new_test("1 2\n", "3\n")])
    before = shown(row)
    for rule in rules_of(Process()):
        rule(row)
    row_loss(before, row)
    assert row["statement"].startswith("Add.")
