"""What an input format says of an input's beginning: how many integers its first line holds, or that it is one line.

fits = shape_of("The first line contains two integers, n and k.")
fits("3 4\\n1 2 3"), fits("1 2 3")          # True, False
"""

from __future__ import annotations

import re
from collections.abc import Callable

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5} | {str(count): count for count in range(2, 10)}
_FIRST_LINE = re.compile(
    r"\W*(?:(?:on |in )?the )?first line,? (?:of (?:the )?(?:input|stdin|file|input file) )?"
    r"(?:contains|consists of|has|is|gives|will contain|denotes|there is|there are) (?:only |just |exactly )?"
    r"(?:(?P<one>(?:an?|one|a single) integer(?:,? \(?\w+\)?)?)|"
    rf"(?P<count>(?:{'|'.join(_COUNTS)}) |)(?:single )?(?:space[sd]?[- ]?)?(?:separated )?"
    r"(?:positive |non-?negative )?integers)\b|"
    r"\W*the number of test ?-?cases\b",
    re.IGNORECASE,
)
"""The beginning of an input format that says how many integers the first line holds, or only that it holds some."""
_AND_MORE = re.compile(
    r"\b(?:and|or|followed|then|separated|spaces?|strings?|next|also)\b|,\s*\w\b|\d/\d", re.IGNORECASE
)
_AND_OTHERS = re.compile(
    r"\b(?:or|followed|then|next|also|commas?|strings?|words?|characters?|letters?|names?|floats?|floating|reals?|"
    r"decimals?|optional\w*|pairs?|each|list|array of)\b|\d/\d",
    re.IGNORECASE,
)
"""What says in the sentence of that format that the line holds more than an integer; more than some integers."""
_ONE_LINE = re.compile(
    r"\W*(?:(?:the )?input (?:is|contains|consists of|has) )?(?:an?|one|the|there is) (?:single|only|first and only) "
    r"line\b[^.\n]*\.?\s*",
    re.IGNORECASE,
)
_LINES = re.compile(rf"\W*there are (?P<count>{'|'.join(_COUNTS)}) lines of input\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:each|every|per|for all|lines|cases?|queries)\b", re.IGNORECASE)
"""What says that the one line is one of several."""
_MEASURE = re.compile(r"\b(?:lengths?|sizes?|numbers?|counts?|index) (?:of|in) (?:the |an? |each )?\w+", re.IGNORECASE)
"""What an integer is: `the length of the string` is no string."""
_SENTENCE_END = re.compile(r"\.(?=\s|$)|\n")
_MARKS = re.compile(r"[*_$`\\{}]")


def shape_of(input_format: str | None) -> Callable[[str], bool] | None:
    """Whether an input begins as its format says; None where the format says nothing that can be checked.

    >>> one_line = shape_of("A single line of input containing the integer n.")
    >>> one_line is not None and (one_line("5"), one_line("5\\n4"))
    (True, False)
    >>> some = shape_of("The first line contains space-separated integers N and M.")
    >>> some is not None and (some("5 4\\n1"), some("5"), some("hats 4"))
    (True, True, False)
    >>> lines = shape_of("There are two lines of input.")
    >>> lines is not None and (lines("5\\n4"), lines("NO"))
    (True, False)
    >>> shape_of("The first line contains two integers and a string."), shape_of("Each line has an integer.")
    (None, None)
    """
    text = _MARKS.sub("", (input_format or "").strip())
    if _ONE_LINE.fullmatch(text) and not _SEVERAL.search(text):
        return lambda given: "\n" not in given.strip()
    if lines := _LINES.match(text):
        count = _COUNTS[lines["count"].lower()]
        return lambda given: len(given.strip().split("\n")) == count
    sentence = _SENTENCE_END.split(text, maxsplit=1)[0]
    says = _FIRST_LINE.match(sentence)
    if not says:
        return None
    rest, some = sentence[says.end() :], says["count"] is not None
    if _AND_OTHERS.search(_MEASURE.sub("", rest)) if some else _AND_MORE.search(rest):
        return None
    known = _COUNTS.get((says["count"] if some else "one").strip().lower())
    more = "*" if known is None else f"{{{known - 1}}}"
    integers = re.compile(rf"\s*[-+]?\d+(?:[ \t]+[-+]?\d+){more}[ \t\r]*(?:\n|\Z)")
    return lambda given: integers.match(given) is not None
