"""How deep the tags of an HTML text are nested. Converters descend by recursion, so the depth must have a bound.

    nested_too_deeply("<b>" * 1000)      # True

Statements have about ten levels; hundreds come from a broken or a hostile dump.
"""

from __future__ import annotations

import re

from microcoder_data.process.attributes import TAGS

DEEPEST = 150
_TAG = re.compile(rf"<(?P<closing>/?)(?P<name>{TAGS})(?:\s[^<>]*)?(?P<alone>/?)>", re.IGNORECASE)
_HOLDS_NOTHING = frozenset(["br", "col", "hr", "img", "link", "meta"])


def nested_too_deeply(text: str) -> bool:
    """Whether more than `DEEPEST` tags are open at once. As the converter reads it, `</p>` closes the last `<p>` with
    all that is open in it, and nothing else closes a tag.

    >>> nested_too_deeply("<p>One.</p>" * 1000), nested_too_deeply("<li>" * 1000 + "One.")
    (False, True)
    """
    if text.count("<") <= DEEPEST:
        return False
    opened: list[str] = []
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if tag["closing"]:
            if name in opened:
                while opened.pop() != name:
                    pass
        elif not tag["alone"] and name not in _HOLDS_NOTHING:
            opened.append(name)
            if len(opened) > DEEPEST:
                return True
    return False
