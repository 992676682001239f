"""Statements with hundreds of open tags are dropped by name; those below the bound are converted, whatever the tags."""

from __future__ import annotations

import pytest

from microcoder_data.process import Markup
from microcoder_data.process.attributes import TAGS
from microcoder_data.process.nesting import DEEPEST
from microcoder_data.schema import new_row

pytestmark = pytest.mark.fast

TASK = "<p>Print the sum of all stones.</p>"
ALONE = [*TAGS.replace("h[1-6]", "h2").split("|")]
TOGETHER = ["ul><li", "ol><li", "table><tr><td", "table><tbody><tr><td", "blockquote><p", "pre><code", "div><p"]
DEPTH_OF_THE_CALLER = 60


def nested(names: str, count: int, closed: bool = True) -> str:
    ends = "".join(f"</{name}>" for name in reversed(names.split("><")))
    return f"{TASK}{f'<{names}>' * count}Then 17.{ends * count if closed else ''}"


def called_from(depth: int, statement: str) -> str | None:
    """The reason for which the rule drops a statement, called from a deep stack."""
    if depth:
        return called_from(depth - 1, statement)
    outcome = Markup()(new_row(statement=statement))
    return outcome.reason or None if outcome else None


@pytest.mark.parametrize("closed", (True, False))
@pytest.mark.parametrize("names", [*ALONE, *TOGETHER])
def test_what_is_nested_up_to_the_bound_is_converted(names: str, closed: bool) -> None:
    count = (DEEPEST - 1) // len(names.split("><"))
    assert called_from(DEPTH_OF_THE_CALLER, nested(names, count, closed)) is None


@pytest.mark.parametrize("closed", (True, False))
@pytest.mark.parametrize("names", ["div", "b", "li", *TOGETHER])
def test_what_is_nested_more_deeply_is_dropped_by_name(names: str, closed: bool) -> None:
    statement = nested(names, 1000, closed)
    assert called_from(0, statement) == "nested_too_deeply"
    escaped = statement.replace("<", "&lt;").replace(">", "&gt;")
    assert called_from(0, TASK + escaped) == "nested_too_deeply"


def test_many_tags_side_by_side_are_not_deep() -> None:
    for part in ("<p>One.</p>", "<br>", "<br/>", "a < b ", "<p><b>x</b></p>", "<ul><li>x</ul>"):
        assert called_from(0, TASK + part * 1000) is None
