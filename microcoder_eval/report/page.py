"""A report page: one HTML file that needs no network and works in light and dark, by keyboard and on a phone.

    html = page("Run first", figures([Figure("accepted", "62.0 %")]), section("Verdicts", bar_chart("Verdicts", bars)))

Everything on a page is escaped unless it is `Html` already, because models wrote what is shown and it may be hostile.
The page's content security policy lets only its own scripts run and nothing be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from microcoder_eval.atomic import atomic_path
from microcoder_eval.errors import InputError
from microcoder_eval.printable import visible

_VOID = ("input", "meta", "br")
_TAG = re.compile("<[^>]*>")
_LONG_WORD = 40
"""A table's cell with a longer word is broken anywhere: as a column it would push the others off the page."""
_SCRIPTS = ("chart.js", "code.js", "details.js", "searchable_table.js")


class Html(str):
    """Text that is HTML, and is not escaped again."""

    __slots__ = ()


@dataclass(frozen=True)
class Figure:
    """One number at the top of a report."""

    label: str
    value: str
    note: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Bar:
    """One bar of a chart. Tones: accent, good, bad, warn, broken, odd."""

    label: str
    value: float
    shown: str
    tone: str = "accent"
    part: float | None = None
    """How much of the bar is drawn in full colour; the rest is pale."""


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """An HTML element. `class_` is class, `data_x` is data-x. True gives a bare attribute, None and False give none.

    >>> element("b", "a < b", class_="big")
    '<b class="big">a &lt; b</b>'
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{_escape(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{given}>" + ("" if name in _VOID else f"{join(*children)}</{name}>"))


def join(*parts: object) -> Html:
    """Parts one after the other, each escaped unless it is `Html`.

    >>> join("a < b", Html("<br>"))
    'a &lt; b<br>'
    """
    return Html("".join(part if isinstance(part, Html) else _escape(part) for part in parts))


def page(title: str, *sections: Html, lead: str | Html = "") -> str:
    """The whole page as HTML.

    >>> page("Tests", section("Slow", "none")).startswith("<!doctype html>")
    True
    """
    theme, script = _asset("theme.js"), "\n".join(_asset(name) for name in _SCRIPTS)
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src {_hash(theme)} {_hash(script)}"
    head = join(
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=f"{policy}; base-uri 'none'; form-action 'none'"),
        element("title", title),
        element("style", Html(_asset("page.css"))),
        element("script", Html(theme)),
    )
    toggle = element("button", "Theme", id="theme", type="button", hidden=True)
    header = element("header", element("div", element("h1", title), lead and element("p", lead, class_="lead")), toggle)
    body = element("body", header, element("main", *sections), element("script", Html(script), type="module"))
    return f"<!doctype html>\n{element('html', element('head', head), body, lang='en')}\n"


def write_page(out: Path, html: str) -> None:
    """Write a page whole or not at all; an `InputError` says why it cannot be written.

    >>> write_page(Path("report.html"), page("Tests"))                           # doctest: +SKIP
    """
    try:
        with atomic_path(out) as path:
            path.write_text(html, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from None


def section(heading: str, *parts: str | Html, note: str | Html = "") -> Html:
    """A part of the page under a heading.

    >>> section("Slow", "none")
    '<section><h2>Slow</h2>none</section>'
    """
    explained = element("p", note, class_="note") if note else ""
    return element("section", element("h2", heading), explained, *parts)


def side_by_side(*sections: Html) -> Html:
    """Sections side by side where there is room.

    >>> side_by_side(Html("<p>a</p>"), Html("<p>b</p>"))
    '<div class="side-by-side"><p>a</p><p>b</p></div>'
    """
    return element("div", *sections, class_="side-by-side")


def figures(shown: Sequence[Figure]) -> Html:
    """The main numbers of a report, at its top.

    >>> "62.0 %" in figures([Figure("accepted", "62.0 %")])
    True
    """
    cards = (
        element(
            "div",
            element("dt", figure.label),
            element("dd", figure.value, class_="value"),
            figure.note and element("dd", figure.note, class_="note"),
            data_tone=figure.tone or None,
        )
        for figure in shown
    )
    return element("dl", *cards, class_="figures")


def bar_chart(title: str, bars: Sequence[Bar]) -> Html:
    """Horizontal bars, each with its label and its number. The bars take the width that these two leave.

    >>> "100.0%" in bar_chart("Verdicts", [Bar("ACCEPTED", 3, "3")])
    True
    """
    longest = max((max(bar.value, bar.part or 0) for bar in bars), default=0) or 1
    drawn = []
    for bar in bars:
        whole, part = max(bar.value, bar.part or 0), bar.part
        lines = [_bar(whole / longest, pale=part is not None)]
        lines += [] if part is None else [_bar(part / longest)]
        label, shown = element("span", bar.label), element("span", bar.shown, class_="value")
        drawn.append(element("div", label, element("span", *lines, class_="track"), shown, data_tone=bar.tone))
    description = f"{title}: " + ", ".join(f"{bar.label} {bar.shown}" for bar in bars)
    return element("div", *drawn, class_="bars", role="img", aria_label=description)


def _bar(share: float, pale: bool = False) -> Html:
    """A bar as wide as this share of its track."""
    width = f"max(1px, {round(100 * share, 2)}%)" if share else "0"
    return element("span", class_="pale" if pale else None, style=f"width:{width}")


def table(
    headings: Sequence[str], rows: Sequence[Sequence[object]], numbers: Collection[int] = (), wide: bool | None = None
) -> Html:
    """A plain table. The columns in `numbers` are aligned to the right, and long words are broken. A phone shows the
    cells of a `wide` table one below the other, each with its heading; tables with more than three columns are wide.

    >>> "<td>a</td>" in table(["Problem"], [["a"]])
    True
    """
    wide = len(headings) > 3 if wide is None else wide

    def cells(kind: str, row: Sequence[object]) -> Html:
        titles = headings if wide and kind == "td" else [None] * len(row)
        return element(
            "tr",
            *(
                element(kind, cell, class_=_cell_class(cell, i in numbers), data_title=title)
                for i, (cell, title) in enumerate(zip(row, titles, strict=True))
            ),
        )

    body = element("tbody", *(cells("td", row) for row in rows))
    whole = element("table", element("thead", cells("th", headings)), body, class_="wide" if wide else None)
    return element("div", whole, class_="scroll")


def _cell_class(cell: object, number: bool) -> str | None:
    text = _TAG.sub(" ", cell) if isinstance(cell, Html) else str(cell)
    long = any(len(word) > _LONG_WORD for word in text.split())
    return " ".join([*(["number"] if number else []), *(["long"] if long else [])]) or None


def embedded_json(name: str, value: Any) -> Html:
    """A JSON value that the page's scripts can read. No text in it can end the element that holds it.

    >>> "<" in embedded_json("x", "</script>").removeprefix("<script").removesuffix("</script>")
    False
    """
    text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e")
    return element("script", Html(text), type="application/json", id=name)


def _escape(value: object) -> str:
    """Text for an element or an attribute. Characters that turn or hide text are shown as escapes."""
    return html.escape(visible(str(value).replace("\r\n", "\n")))


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
