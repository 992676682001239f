"""Add the end tags that HTML lets an author leave out: `<li>a<li>b</ul>`. The converter would nest the items."""

from __future__ import annotations

import re

_TAG = re.compile(r"<(/?)(li|ul|ol|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th)\b[^<>]*>", re.IGNORECASE)
_EMPTY_ROW = re.compile(r"<tr>\s*</tr>", re.IGNORECASE)
"""It was meant as an end."""
_OPTIONAL = ("li", "dt", "dd", "td", "th", "tr")
_CELLS = {"td", "th"}
_ENDED_BY = {
    "li": {"li"}, "dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "td": _CELLS, "th": _CELLS, "tr": _CELLS | {"tr"},
    "thead": _CELLS | {"tr"}, "tbody": _CELLS | {"tr", "thead", "tbody"}, "tfoot": _CELLS | {"tr", "thead", "tbody"},
}  # fmt: skip
"""What each tag ends when it begins."""


def with_implied_ends(html: str) -> str:
    """The HTML with `</li>`, `</dd>`, `</td>` and `</tr>` where they are implied.

    >>> with_implied_ends("<ul><li>a<li>b</ul>"), with_implied_ends("<ul><li>a</li><li>b</li></ul>")
    ('<ul><li>a</li><li>b</li></ul>', '<ul><li>a</li><li>b</li></ul>')
    """
    lower = html.lower()
    if not any(lower.count(f"<{name}") > lower.count(f"</{name}") for name in _OPTIONAL):
        return html  # `<li` is in `<link`, `<th` in `<thead`: then the tags are looked at in vain
    pieces, end = [], 0
    open_tags: list[str] = []
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        pieces.append(html[end : tag.start()])
        end = tag.start()
        if not tag[1]:
            while open_tags and open_tags[-1] in _ENDED_BY.get(name, ()):
                pieces.append(f"</{open_tags.pop()}>")
            open_tags.append(name)
        elif name in open_tags:
            while (last := open_tags.pop()) != name:
                pieces.append(f"</{last}>")
    return _EMPTY_ROW.sub("", "".join([*pieces, html[end:]]))
