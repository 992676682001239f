"""Groups in braces are found as somebody finds them who counts from each opening, but a text is read once for all."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.fidelity.loss import text_loss
from microcoder_data.process.prose import without_blocks
from microcoder_data.process.tex_arguments import group_at, replace_commands

pytestmark = pytest.mark.fast

TEXTS = st.lists(st.sampled_from(["{", "}", "\\", "\\{", "\\}", "\\\\", "a", " ", "\n"]), max_size=24).map("".join)
LAZY_BLOCKS = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<pre\b.*?(?:</pre>|\Z)|\\begin\{(verbatim|lstlisting)\}.*?\\end\{\1\}|<!--.*?-->",
    re.DOTALL,
)
BLOCKS = st.lists(
    st.sampled_from(
        ["```", "~~~", "<pre>", "<pre", "</pre>", "<!--", "-->", "\\begin{verbatim}", "\\end{verbatim}",
         "\\begin{lstlisting}", "\\end{lstlisting}", "a", "\n"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


def counted(text: str, start: int) -> int | None:
    """Where the group ends that begins at `start`."""
    depth, at = 0, start
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
        if depth == 0:
            return at
    return None


@given(TEXTS)
def test_a_group_ends_where_its_braces_are_even(text: str) -> None:
    for brace in re.finditer(r"(?<!\\)(?:\\\\)*\{", text):
        start = brace.end() - 1
        end, found = counted(text, start), group_at(text, start)
        assert found == (None if end is None else (text[start + 1 : end - 1], end))


@given(BLOCKS)
def test_blocks_are_what_a_lazy_pattern_finds(text: str) -> None:
    assert without_blocks(text) == (LAZY_BLOCKS.sub("\n", text) if re.search("```|~~~|<|\\\\begin", text) else text)


def test_a_long_text_that_closes_nothing_is_read_once() -> None:
    """For hours otherwise."""
    commands = "\\emph{" * 100_000
    assert replace_commands(commands, "emph", 1, lambda _, groups: "".join(groups)) == "{" * 100_000
    for opening in ("\\begin{verbatim}\n", "<!-- a\n"):
        assert without_blocks(opening * 100_000) == opening * 100_000
    text = "1 sock\n" + "\\begin{verbatim}[" * 30_000
    assert str(text_loss(text, text.replace("sock", ""))).startswith("1 of")
