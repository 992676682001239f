"""What inference does in the same way for texts and for calls: promises in a story, values without a stated bound."""

from __future__ import annotations

import re
from collections.abc import Iterable

from microcoder_data.make_tests.grammar.grammar import Grammar
from microcoder_data.make_tests.grammar.restrictions import Fields, read_restrictions, structures_in

MOST_KNOWN = 40
"""At most this many known inputs are read, the shortest ones."""
LONGEST_KNOWN = 200_000

_PROMISE = re.compile(
    r"\b(?:never|always|guarante\w+|assured|generated (?:such|so) that|"
    r"(?:is|are) known that|promise\w*(?! to\b)|is assumed|"
    r"(?:can|may|could|should|must|please|us)(?: \w+)? (?:be )?assumed?)\b|(?:^|, |: )[Aa]ssume\b"
)


_DENIED = re.compile(r"\b(?:not|\w+n['’]t) (?:be )?(?:necessarily|always|guaranteed|assumed?|known)\b")
"""`the reliable sources are not always there` promises nothing."""
_DEFINITION = re.compile(
    r"\b(?:is|are) defined as\b|"
    r"^(?:an?|the|two) [^,.;]{3,60} (?:is|are) (?:called |considered |said to be )?[\w-]+ if\b",
    re.IGNORECASE,
)


def unread_promises(sentences: Iterable[str], fields: Fields) -> list[str]:
    """The sentences that promise something of the input that no reader understands."""
    return [sentence for sentence in sentences if _is_unread_promise(sentence, fields)]


_NO_PROMISE = re.compile(r"“[^”]*”|\"[^\"]*\"|\bnever[- ]ending\b")
"""What somebody in a story says, and the title of a book."""


def _is_unread_promise(sentence: str, fields: Fields) -> bool:
    """Whether a sentence promises something that no reader understands, such as `the stock never falls below 0`."""
    if (
        not _PROMISE.search(_DENIED.sub("", _NO_PROMISE.sub("", sentence)))
        or re.search(r"\b(?:may|would|was|were|had|[Yy]ou can) (?:always|never)\b", sentence)
        or structures_in(sentence)
        or _DEFINITION.search(sentence)
    ):
        return False
    read = read_restrictions([sentence], fields)
    return bool(read.unread) or not (read.relations or read.facts or read.totals)


def assumed(grammar: Grammar) -> Iterable[str]:
    """The bounds that come from the known inputs, in words."""
    for name in grammar.names:
        low, high = grammar.bounded(name)
        domain = grammar.domains[name]
        if not (low and high) and not domain.choices and domain.length is None:
            yield f"{'|' + name + '|' if domain.kind == 'word' else name} from {domain.seen[0]} to {domain.seen[1]}"
