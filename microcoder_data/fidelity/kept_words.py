"""See fast that a row lost nothing: every word of its texts is still there, or was taken out by a rule that may.

Most rows lose nothing. `loss.py` finds what the others lost, which takes ten times as long.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from microcoder_data.fidelity.atoms import has_blocks, is_item, more
from microcoder_data.fidelity.loss import COLUMNS, compared_parts, prose, prose_parts
from microcoder_data.process.headings import heading_of, inline_heading
from microcoder_data.process.html_in_markdown import literals_of_samples, with_its_tags
from microcoder_data.schema import Row

_BREAK = re.compile(r"<(?<=\S<)br ?/?>")
"""Behind a word: alone, it may be all that a list item holds."""


def keeps_words(before: Row, after: Row, taken_out: Sequence[tuple[Row, Row]]) -> bool:
    """Whether the processed row has every word of the collected one, apart from those that were taken out.

    `taken_out`: the row before and after each rule whose removals do not count as lost. False where it is not certain:
    what is code, and what goes over several words, is not looked at.
    """
    if any(first["samples"] != second["samples"] for first, second in taken_out):
        return False
    ours, theirs = compared_parts(before), prose_parts(after)
    if not before["samples"]:
        theirs += _values(after)
    for first, second in taken_out:
        changed = [name for name in COLUMNS if first[name] != second[name]]
        ours += [second[name] for name in changed if second[name]]  # as if the collected row had this text, and not
        theirs += [first[name] for name in changed if first[name]]  # that one
    collected = "\n".join(ours)
    if has_blocks(collected) or "</" in collected:
        return False
    if "lt;" in collected or "gt;" in collected:
        if with_its_tags(collected) != collected:
            return False
        collected = collected.replace("&lt;", "<").replace("&gt;", ">")
    if "<br" in collected and not literals_of_samples(collected):
        collected = _BREAK.sub("\n", collected)
    missing = _missing(_lines("\n".join(theirs)), _lines(collected))
    if missing and before["samples"] and after["samples"]:
        shown = "\n".join(["", *_lines(prose(before)), ""])
        values = [value for value in _values(after) if "\n".join(["", *_lines(value.strip()), ""]) in shown]
        missing = more(missing, Counter("\n".join(values).split()))
    return all(map(_is_a_rule, missing))


def _is_a_rule(word: str) -> bool:
    """Whether a word is nothing but a line across the page, such as `-----`."""
    return len(word) > 2 and not word.strip("-*_~")


def _values(row: Row) -> list[str]:
    return [value for sample in row["samples"] for side in ("input", "output") if (value := sample[side])]


def _lines(text: str) -> list[str]:
    return list(map(str.strip, text.split("\n")))


def _missing(given: list[str], asked: list[str]) -> dict[str, int]:
    """The words of lines that others lack, counted, without headings."""
    have, want = Counter(given), Counter(asked)
    missing = more(want, have)
    if not missing:
        return {}
    words = Counter(word for line, count in missing.items() for word in _said(line).split() * count)
    others = Counter(word for line, count in more(have, want).items() for word in line.split() * count)
    return more(words, others)


def _said(line: str) -> str:
    """A line without what announces a part of the statement."""
    inline = inline_heading(line)
    if inline is None and heading_of(line) is None:
        return line
    return line if is_item(line) else inline[1] if inline else ""
