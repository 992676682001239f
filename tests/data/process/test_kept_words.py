"""The fast check that a row lost nothing never passes a row in which the comparison of all atoms finds a loss."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from microcoder_data.fidelity.kept_words import keeps_words
from microcoder_data.fidelity.loss import row_loss
from microcoder_data.schema import Row, new_row

PIECES = st.sampled_from(
    ["n", "10^5", "105", "&lt;", "<br>", "<", "a*b", "Input:", "Output:", "Note", "-1", "1,", "1", "+",
     "==", "---", "|---|---|", "-", "cities", "score", "&amp;", "$x+1$", "例", "##", "3.5"]
)  # fmt: skip
LINES = st.lists(PIECES, min_size=1, max_size=6).map(" ".join)
TEXTS = st.lists(LINES, min_size=1, max_size=5)


def _row(statement: str, samples: list[tuple[str, str]] = []) -> Row:  # noqa: B006 - not changed
    shown = [{"input": given, "output": wanted, "explanation": None} for given, wanted in samples]
    return new_row(problem_id="1", source="generic", statement=statement, samples=shown)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.data())
def test_a_row_that_keeps_its_words_has_lost_nothing(lines: list[str], data: st.DataObject) -> None:
    kept = [data.draw(st.sampled_from([line, line, f"{line}  ", line.replace("<br>", ""), ""])) for line in lines]
    before, after = _row("\n".join(lines)), _row("\n".join(data.draw(st.permutations(kept))))
    assume(keeps_words(before, after, []))
    assert not row_loss(before, after).findings


@pytest.mark.parametrize(
    ("collected", "processed", "kept"),
    [
        ("## Input\nAdd n.<br>\nAt most 5 &lt; n.", "Add n.\nAt most 5 < n.", True),
        ("At most 10^5 socks.", "At most 105 socks.", False),
        ("Note the two socks.", "the two socks.", False),
        ("```\nx = 1\n```", "```\nx = 1\n```", False),  # code is compared line by line
    ],
)
def test_what_the_fast_check_says(collected: str, processed: str, kept: bool) -> None:
    assert keeps_words(_row(collected), _row(processed), []) is kept


def test_what_was_taken_out_may_be_missing_and_nothing_else() -> None:
    collected, taken, processed = "Score: 100\nAdd 5 socks.", "Add 5 socks.", "Add socks."
    out = [(_row(collected), _row(taken))]
    assert keeps_words(_row(collected), _row(taken), out)
    assert not keeps_words(_row(collected), _row(processed), out)
    repaired = [(_row("At most 105, or 5."), _row("At most 10^5, or 5."))]
    assert keeps_words(_row("At most 105, or 5."), _row("At most 10^5, or 5."), repaired)
    assert not keeps_words(_row("At most 105, or 5."), _row("At most 10^5, or"), repaired)


def test_a_value_counts_only_where_the_text_showed_it() -> None:
    samples = [("7", "8")]
    shown, hidden = _row("Add 1.\n\n7\n\n8", samples), _row("Add 1 to 7 or 8.", samples)
    assert keeps_words(shown, _row("Add 1.", samples), [])
    assert not keeps_words(hidden, _row("Add 1 to or", samples), [])
