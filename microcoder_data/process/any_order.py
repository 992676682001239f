"""Find the words by which a statement says in which order the parts of an answer may come: in any, or in one.

Texts are searched without emphasis and code marks, in lower case, as one line.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re

from microcoder_data.phrases import Phrases
from microcoder_data.process.searchable import searchable, searchable_text
from microcoder_data.schema import Row

_PARTS_IN_ANY_ORDER = Phrases(
    r"\b(?:print(?:ed)?|output|write|written|return(?:ed)?|display(?:ed)?|list|answers?|report(?:ed)?)\b[^.]{0,100}\b(?:(?:in|with) (?:any\s+(?:arbitrary\s+)?|arbitrary\s+)order(?! that (?:satisf|meet|fulfil))|in (?:whatever|whichever) order|in no particular order|in an arbitrary order)|"
    r"(?:order|ordering) (?:of|in) (?:which\s+)?(?:(?:the|your)\s+)?(?:returned |printed |resulting )?(?:output|answers?|results?|solutions?|lines|elements|strings|words|numbers|triplets|pairs|lists|sublists)[^.]{0,60}(?:does not|doesn't|do not|don't|is not|isn't)\s+(?:matter|important)|(?:except|up to) (?:for )?(?:the|its) order(?:ing)? (?:that |in which )?(?:it|they)|\border (?:that|in which) [^.]{0,40}\b(?:returned|printed|listed)(?: in)? (?:does not|doesn't) matter|"
    r"\b(?:print(?:ed)?|output|return(?:ed)?|display(?:ed)?|report(?:ed)?|answers?)\b[^.]{0,120}\border\s+(?:does not|doesn't)\s+matter",
    "any order", "any  order", "arbitrary order", "whatever order", "whichever order", "particular order", "matter", "important", "order that", "order in which",
)  # fmt: skip
"""About what is printed or returned, not about the input."""
_LINES_IN_ANY_ORDER = Phrases(
    r"\b(?:lines|they|them|these|those|pairs|numbers|values|words|names|elements|edges|items|indices)\b[^.]{0,60}\bin (?:any|arbitrary|whatever) order",
    "any order", "arbitrary order", "whatever order",
)  # fmt: skip
"""Searched only in the output format: elsewhere the words may be about the input."""
_ANY_ORDER_IN_OTHER_LANGUAGES = Phrases(
    r"(?:返回|输出|打印|列出|答案|结果)[^。，]{0,20}(?:任意|任何)(?:的)?顺序|(?:任意|任何)(?:的)?顺序[^。，]{0,12}(?:返回|输出|打印|列出|给出|即可|均可)|(?:返回|输出|答案|结果)[^。]{0,20}(?:不(?:需要|必|用)?考虑|不计|不论|不限|无关)[^。]{0,8}顺序|顺序(?:不限|任意|无关|不重要|可以任意)|"
    r"(?:出力|答え|表示)[^。．]{0,30}(?:順序|順番|並び順)(?:は|を)?(?:問わ|問い|任意|自由|関係)|(?:順序|順番|並び順)(?:は|を)?(?:問わず?|任意に?|自由に?)[^。．]{0,12}出力|(?:任意の|どのような|どんな|好きな)順(?:序|番)?(?:で|に)?[^。．、]{0,12}(?:出力|答え)|(?:出力|答え)[^。．]{0,20}(?:任意の|どのような|好きな)順|"
    r"в (?:любом|произвольном) порядке|у (?:будь-якому|довільному) порядку|i (?:valfri|godtycklig|vilkårlig|valgfri|tilfeldig|vilken som helst|hvilken som helst)\w* (?:ordning|rækkefølge|rekkefølge)|i h?vilken (?:ordning|rækkefølge|rekkefølge) som helst|"
    r"en cualquier orden|em qualquer ordem|dans n'importe quel ordre|in beliebiger reihenfolge|in willekeurige volgorde|w dowolnej kolejności|"
    r"아무 순서로? (?:출력|반환)|순서는 상관\s?없",
    "顺序", "順", "порядк", "ordning", "følge", "cualquier orden", "qualquer ordem", "quel ordre", "reihenfolge", "volgorde", "kolejno", "순서",
)  # fmt: skip
_BY_STEPS = re.compile(r"\bby \w+ing\b")
"""The largest number that is made `by joining digits in any order`: it is the digits that have no order."""
_INPUT_HEAD = re.compile(r"(?:input|given|indata|输入|给定|入力|вход)[^.。]{0,60}$")
_UNORDERED_INSIDE = Phrases(
    r"(?:order (?:of|in|within) (?:the )?(?:output|answer|result|lists?)[^.]{0,40}\band\b[^.]{0,40}order of (?:the )?(?:\w+)[^.]{0,30}(?:matter|important))|"
    r"(?:elements?|integers?|numbers?|strings?|values?|items?|indices|members) (?:in|of|inside|within) (?:the|each|every|a|any) (?:lists?|groups?|subsets?|pairs?|triplets?|quadruplets?|sublists?|arrays?|sets?|combinations?|teams?|components?)[^.]{0,40}\bin any order|"
    r"\bany order[^.]{0,40}\band (?:the )?(?:elements?|integers?|numbers?|strings?|values?|items?)[^.]{0,40}(?:any order|too|as well|also)|"
    r"\b(?:combinations|subsets|sets) are (?:considered )?unordered",
    "order",
)  # fmt: skip
_OF_UNORDERED_THINGS = re.compile(
    r"\b(?:subsets?|combinations?|triplets?|quadruplets?|anagrams)\b|子集|组合|元组|异位词"
)
_OF_SOME_THINGS = re.compile(r"\b(?:groups?|components?|teams?|clusters?)\b|分组")
_OF_PLACES = re.compile(r"\[\s*[a-z]\w*(?:\s*,\s*[a-z]\w*)+\s*\]")
"""`[left, right, height]`: each place of an inner list has its meaning."""
_ALL_OF_THEM = re.compile(
    r"\b(?:return|generate|output|find|compute|list)\s+(?:(?:an?|the)\s+(?:array|list|vector)\s+of\s+)?(?:all|every)\s+(?:the\s+|of\s+the\s+|possible\s+)*(?:[\w'-]+\s+){0,3}[\w'-]*s\b|"
    r"\breturn\s+(?:all possible|every possible)\b|返回所有|输出所有|(?:返回|输出|找出|列出)[^。，]{0,24}所有(?:可能|可以|满足|符合)"
)
_SOME_ORDER = re.compile(
    r"\border(?:ed|ing)?\b|\bsort|lexicograph|ascending|descending|increasing|decreasing|\brows?\b|\blevels?\b|(?:return|print|output|as|find) (?:an? |the )?(?:\w+ )?sequence of|顺序|升序|降序|字典序|[从由](?:小到大|大到小)|first (?:\w+ )?then|"
    r"\b(?:answer|ans|results?|output)\[\w|\bcorresponding (?:index|position|element|query)|\bfor each (?:index|position|query|occurrence)\b"
)
"""An order is asked for, or each part of the answer belongs to a place of the input."""


_AN_ORDER = re.compile(
    r"\border(?:ing)?s?\b(?! to\b)|\bpermut|\b(?:re)?arrang|\bschedul|\btopological|\bsequence of \w+|"
    r"\b(?:route|path|tour|walk)\b|\breihenfolge\b|顺序|порядк"
)


def in_any_order(row: Row) -> str | None:
    """The words that say that the answer's parts may come in any order, or None.

    >>> from microcoder_data.schema import new_row
    >>> in_any_order(new_row(statement="Socks.", output_format="The lines may be in any order."))
    'lines may be in any order'
    """
    return any_order_said(row, searchable_text(row))


def any_order_said(row: Row, text: str) -> str | None:
    """The same, with the row's text as `searchable` makes it."""
    found = parts_in_any_order(text)
    found = found or _LINES_IN_ANY_ORDER.search(searchable(row["output_format"] or ""))
    found = found or any_order_in_other_languages(text)
    return found[0] if found else None


def parts_in_any_order(text: str, phrases: Phrases = _PARTS_IN_ANY_ORDER) -> re.Match[str] | None:
    """The words that say that what is printed or returned may be in any order."""
    found = phrases.search(text)
    while found and _BY_STEPS.search(found[0]):
        found = phrases.search_from(text, found.end())
    return found


def any_order_in_other_languages(text: str) -> re.Match[str] | None:
    """The words for "in any order" in another language, if they are about the answer."""
    found = _ANY_ORDER_IN_OTHER_LANGUAGES.search(text)
    return found if found and not _INPUT_HEAD.search(text[: found.start()]) else None


def all_in_no_order(text: str) -> str | None:
    """The words that ask for all of something, if the text says nothing about an order; `text` comes from
    `searchable(...)`."""
    found = _ALL_OF_THEM.search(text)
    return found[0] if found and not _SOME_ORDER.search(text) else None


def asks_for_an_order(row: Row) -> str | None:
    """The words that ask for an order of things, such as the order of an answer's parts, or None.

    >>> from microcoder_data.schema import new_row
    >>> asks_for_an_order(new_row(statement="In order to win, print an order in which the tasks can be done."))
    'order'
    """
    found = _AN_ORDER.search(searchable_text(row))
    return found[0] if found else None


def unordered_inside(text: str) -> bool:
    """Whether the order inside the answer's parts does not matter either; `text` comes from `searchable(...)`."""
    if _UNORDERED_INSIDE.search(text) or _OF_UNORDERED_THINGS.search(text):
        return True
    return bool(_OF_SOME_THINGS.search(text)) and not _OF_PLACES.search(text)
