"""Faults of rows from whole pages of HTML, as archives of contests keep them: examples of the same kinds, invented."""

from __future__ import annotations

import pytest

from microcoder_data.fidelity.loss import text_loss
from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.figures import missing_figure, remove_dead_figures
from microcoder_data.process.markup import to_markdown
from microcoder_data.process.sections import Sections, samples_shown
from microcoder_data.schema import new_row
from tests.data.process.rows import row

pytestmark = pytest.mark.fast


def test_the_headings_that_say_title_and_contest_are_no_part_of_the_statement() -> None:
    one = row("### Hat Cup 2024 - Round 1\n\n# **Red**  Hats\n\nCount the hats.", title="Red Hats")
    one["contest_id"] = "Hat Cup 2024 - Round 1"
    Boilerplate()(one)
    assert one["statement"] == "Count the hats."
    for text, title in [("# Red\n\nGo.", "Red Hats"), ("# Red Hats", "Red Hats"), ("Red Hats\n\nGo.", "Red Hats")]:
        other = row(text, title=title)
        Boilerplate()(other)
        assert other["statement"] == text


def test_the_last_word_of_a_wrapped_sentence_is_no_heading() -> None:
    one = row("Count.\n\n## Input\n\nThe number of cases in the\ninput.\n\nThen the hats.\n\n## Output.\n\nA number.")
    one["input_format"] = one["output_format"] = None
    Sections()(one)
    assert (one["input_format"], one["output_format"]) == (
        "The number of cases in the\ninput.\n\nThen the hats.",
        "A number.",
    )


def test_samples_in_a_table_below_the_names_of_their_sides() -> None:
    rows = "<tr><td><br/><span>Input</span>&nbsp;</td><td>Output</td></tr>"
    rows += "<tr><td>\n <pre>2\n7 1\n\n </pre></td><td>\n <pre>Case #1: 8\n </pre></td></tr>"
    page = f"<html><body><p>Add.</p><h3>Sample</h3><div><table>{rows}</table></div><p>It is 8.</p></body></html>"
    assert [(one["input"], one["output"]) for one in samples_shown(to_markdown(page))] == [("2\n7 1", "Case #1: 8")]
    other = "<table><tr><td>Hats</td><td><pre>1</pre></td></tr></table><p>End</p>"
    assert to_markdown(other) == "Hats\n\n```\n1\n```\n\nEnd"


def test_end_tags_of_nothing_and_bold_exponents_leave_no_mark() -> None:
    page = "<p>At most 2<b><sup>N</sup></b> hats, <b>X<sub>i</sub></b> red.</p>\n</hatio>\n<pre>\n</hat>\n</pre>"
    assert to_markdown(page) == "At most 2^N hats, **X_i** red.\n\n```\n</hat>\n```"
    assert not text_loss(page, to_markdown(page)).findings
    assert to_markdown("<p>The $i$&NoBreak;-th hat</p>") == "The $i$-th hat"
    about = "<p>A tag <code>&lt;hat&gt;</code> ends with</p>\n<hat>\n</hat>\n<p>here.</p>"
    assert "</hat>" in to_markdown(about)


@pytest.mark.parametrize(
    ("said", "needed"),
    [
        ("For example, here is a board:\n\n![](a.png)\n\nYou push it west:\n\n![](b.png)", False),
        ("The first 5 rows of the triangle look like this:\n\n![](a.png)", False),
        ("The following picture illustrates a neat pattern with **K** =8 regions.", False),
        ("The picture below depicts a calendar with 5 months of 8 days.", False),
        ("Look at the picture that shows one of such puzzles.", False),
        ("For example, let N = 6. There are 5 plans as shown in the following figure.", False),
        ("In the following example:\n\n![](k.png)\n\nIn the image above, the colours are green and blue.", False),
        ("Consider the following grid:\n\n![](a.png)", False),
        ("This is how a covered staircase with $7$ stairs looks like:\n\n![](a.png)", False),
        ("For example, let N = 6.\n\nThe tiles are shown in the following figure.", True),
        ("The picture below shows the 3 kinds of tiles.", True),
        ("The pieces look like this:\n\n![](a.png)", True),
        ("Consider the following figure:\n\n![](a.png)", True),
    ],
)
def test_a_figure_of_an_example_is_not_needed(said: str, needed: bool) -> None:
    assert bool(missing_figure(new_row(statement=f"Pieces lie in rows.\n\n{said}\n\nCount them."))) == needed


def test_what_announces_a_figure_of_an_example_goes_with_it() -> None:
    one = row("A grid may be even.\n\nFor example, the following ones are even:\n\n![](file://a.png)\n\nMake one.")
    assert missing_figure(one) is None and remove_dead_figures(one) == 1
    assert one["statement"] == "A grid may be even.\n\nMake one."
    told = row("The following holds:\n\n- it is even.\n\n![](file://a.png)\n\nMake one.")
    remove_dead_figures(told)
    assert told["statement"] == "The following holds:\n\n- it is even.\n\nMake one."


@pytest.mark.parametrize(
    "said",
    [
        "Consider the following sequence of shots:\n\n{}1. Shoot in the row $2$.",
        "Let's see the following example:\n\n{}Vertices $1$ and $4$ are black already.",
        "For example, consider the following string:\n\n{}This string can be decoded.",
        "For example, if $n = 5$ and the strip looks like this:\n\n{}Then it can be tiled.",
        "And if $n = 3$ and the strip looks like this:\n\n{}It is impossible.",
        "For example, the sum $2039 + 2976$ would be as shown:\n\n{}In particular, this is done.",
        "The board is as follows, with the following cells:\n\n{}where black ones are blocked.",
    ],
)
def test_an_example_whose_figure_is_gone_is_still_announced(said: str) -> None:
    one = row(f"Shoot at a board.\n\n{said.format('![](file://a.png)' + chr(10) * 2)}\n\nCount the shots.")
    assert remove_dead_figures(one) == 1
    assert one["statement"] == f"Shoot at a board.\n\n{said.format('')}\n\nCount the shots."


def test_notes_say_of_which_sample_they_go_on() -> None:
    told = "In the second sample, one can take the following steps:\n\n{}With these, it is even."
    one = row("Make it even.") | {"notes": told.format("![](file://a.png)\n\n")}
    assert remove_dead_figures(one) == 1 and one["notes"] == told.format("")
    one["notes"] = told.replace("can take the following steps", "sees it drawn as shown").format(
        "![](file://a.png)\n\n"
    )
    assert remove_dead_figures(one) == 1 and one["notes"].startswith("In the second sample, one sees it")
    for caption in ("The picture of the first sample", "In the first sample the tree looks as shown"):
        one["notes"] = f"{caption}:\n\n![](file://a.png)\n\nIn the second sample, it is even."
        assert remove_dead_figures(one) == 1 and one["notes"] == "In the second sample, it is even."
    one["notes"] = "The following are even:\n\n![](file://a.png)\n\nThe following are odd:\n\n![](file://b.png)"
    assert remove_dead_figures(one) == 2 and not one["notes"]
