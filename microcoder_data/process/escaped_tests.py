"""The rule for what a page's source has in samples and tests, also inside of Markdown's fences: `&lt;` for `<`, `<br>`
for an empty line, Codeforces' spans, and addresses of mail that Cloudflare hides.

A statement that speaks of HTML, tags or entities may be about them: then only what no problem is about is changed,
Codeforces' spans and lines and the hidden addresses. Where it speaks of tags, and the tests have them with entities and
no other, they are decoded: the page has escaped them.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.process.page_lines import is_certainly_of_a_page, lines_of_html
from microcoder_data.process.render import whole_text
from microcoder_data.rules import Outcome, changed
from microcoder_data.schema import Row

_SPAN = '<span class="tex-'
_OF_A_SPAN = re.compile(r'<span class="tex-[^<>]*>|</span>')
_HIDDEN = 'data-cfemail="'
_MAIL = re.compile(r'<a\b[^<>]*\bdata-cfemail="((?:[0-9a-f]{2})+)"[^<>]*>[^<>]*</a>')
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#39|#x27);")
_ABOUT_ENTITIES = re.compile(
    r"\b(?:entit(?:y|ies)|ampersands?|(?:un)?escap(?:e|es|ed|ing)"
    r" (?:the |all |these )?(?:special )?(?:characters?|signs?|symbols?|sequences?|strings?|text))\b"
    r"|&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});",
    re.IGNORECASE,
)
_ABOUT_TAGS = re.compile(
    r"\b(?:x?html\d?|xml|svg|bbcode|markup)\b"
    r"|</?(?:a|b|body|br|div|h\d|head|html|i|img|li|[ou]l|p|pre|span|table|t[dhr]|title)(?:\s[^<>\n]{0,60})?/?>",
    re.IGNORECASE,
)
_MAY_BE_ABOUT_TAGS = re.compile(r"\btags?\b|标签|タグ", re.IGNORECASE)
"""Or about price tags and labels: only tests with signs as they are show that it is about these."""
_ESCAPED_TAG = re.compile(r"&lt;/?[a-z][^&<>\n]{0,60}&gt;", re.IGNORECASE)


@dataclass(frozen=True)
class EscapedTests:
    """Decode the entities of what programs read and print, and take a page's tags out of it.

    >>> from microcoder_data.schema import new_row, new_test
    >>> row = new_row(kind="stdin", statement="Replace the letter.", tests=[new_test("c-&gt;ba", "yes")])
    >>> EscapedTests()(row).outcome, row["tests"][0]["input"]
    ('changed', 'c->ba')
    >>> row = new_row(kind="stdin", statement="Decode the entities.", tests=[new_test("c-&gt;ba", "c->ba")])
    >>> EscapedTests()(row), row["tests"][0]["input"]
    (None, 'c-&gt;ba')
    """

    name: ClassVar[str] = "escaped_tests_v1"

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] not in ("stdin", "interactive"):
            return None
        shown = [*row["samples"], *row["tests"]]
        escaped = [one for one in shown if _is_escaped(one["input"]) or _is_escaped(one["output"])]
        sides = [one[side] or "" for one in shown for side in ("input", "output")] if escaped else []
        if escaped and _may_be_about_them(whole_text(row), sides):
            escaped = [one for one in escaped if _is_of_a_page(one["input"]) or _is_of_a_page(one["output"])]
        for one in escaped:
            for side in ("input", "output"):
                one[side] = _unescaped(one[side] or "")
        return changed("samples and tests with entities or tags", len(escaped), took_out=True) if escaped else None


def _may_be_about_them(statement: str, sides: list[str]) -> bool:
    """Whether what looks escaped in these samples and tests may be what the problem is about."""
    if _ABOUT_ENTITIES.search(statement):
        return True
    if any("<" in side or ">" in side for side in sides):
        return (_ABOUT_TAGS.search(statement) or _MAY_BE_ABOUT_TAGS.search(statement)) is not None
    return _ABOUT_TAGS.search(statement) is not None and not any(map(_ESCAPED_TAG.search, sides))


def _is_of_a_page(text: str | None) -> bool:
    return text is not None and (_SPAN in text or _HIDDEN in text or is_certainly_of_a_page(text))


def _is_escaped(text: str | None) -> bool:
    if text is None or ("<" not in text and "&" not in text):
        return False
    tags = _SPAN in text or _HIDDEN in text or lines_of_html(text) != text
    return tags or ("&" in text and _ENTITY.search(text) is not None)


def _unescaped(text: str) -> str:
    shown = _MAIL.sub(_mail, lines_of_html(text))
    shown = _OF_A_SPAN.sub("", shown) if _SPAN in shown else shown
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]).replace("\u00a0", " "), shown)


def _mail(hidden: re.Match[str]) -> str:
    """The address of mail: each of its bytes was combined with the first one."""
    key, *rest = bytes.fromhex(hidden[1])
    return bytes(byte ^ key for byte in rest).decode("utf-8", "replace")
