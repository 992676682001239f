"""Compute what a processed row lost of the collected one: atoms by kind, excerpts, a share. Pure functions."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from microcoder_data.compare.examples import by_input
from microcoder_data.fidelity.atoms import (
    KINDS,
    NONE,
    Atoms,
    atoms,
    flat,
    flat_as_collected,
    has_blocks,
    in_plain_characters,
    is_item,
    is_of_lines,
    lost_atoms,
    lost_code,
    may_hold_tags,
    more,
    parsed,
    parsed_plain,
)
from microcoder_data.process.explanations import remark_of, repeats, words_of
from microcoder_data.process.headings import (
    INPUT,
    OUTPUT,
    SAMPLE_OUTPUT,
    answer_and_remark,
    heading_of,
    inline_heading,
    value_as_shown,
)  # fmt: skip
from microcoder_data.process.html_in_markdown import with_its_tags, with_readable_tags
from microcoder_data.process.rendered_formulas import with_tex
from microcoder_data.schema import Row

COLUMNS = ("title", "statement", "input_format", "output_format", "constraints", "notes")
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff]")
_VALUE_BEHIND = re.compile(
    r"[uU输出sS](?:(?<=[uU])[tT][pP][uU][tT]|(?<=输)出|(?<=出)力|(?<=[sS])[aA][íÍ][dD][aA])(?:<[^<>]*>|[^\w:：&<\\]|_|\\(?![A-Za-z]))*(?:[:：；&]|\\[A-Za-z])"
)
"""What a text has where a value stands behind `Output:`: tags and marks may stand before the colon, which may be an
entity; a command of TeX there may be layout."""
EXCERPTS, EXCERPT_CHARACTERS = 4, 24
WITHOUT_CODE = [kind for kind in KINDS if kind != "lines of code"]
WEIGHTS = {"words": 1.0, "numbers": 3.0, "operators": 1.0, "lines of code": 3.0, "formulas": 2.0, "samples": 20.0}
"""The weight of a lost atom, 3 for other kinds. Samples weigh most: answers are judged by them."""


class Finding(NamedTuple):
    """What was lost of one kind."""

    kind: str
    lost: int
    of: int
    """How many the collected row had."""
    excerpts: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(excerpt[:EXCERPT_CHARACTERS] for excerpt in self.excerpts)
        return f"{self.lost} of {self.of} {self.kind}" + (f": {shown}" if shown else "")


class Loss(NamedTuple):
    """All findings, and the weighted share of the text that was lost."""

    findings: tuple[Finding, ...]
    share: float

    def __str__(self) -> str:
        return "; ".join(map(str, self.findings))


NOTHING = Loss((), 0.0)


def text_of(row: Row) -> str:
    """The text of a row without its samples' values, which the text may repeat; what it repeats of their explanations
    is in it once."""
    text = "\n".join(_columns_without_values(row))
    if explanations := _explanations(row):
        shown = flat_as_collected(text)
        explanations = [one for one in explanations if not repeats(shown, flat_as_collected(one))]
    return "\n".join([text, *explanations])


def _without_values(text: str) -> str:
    """The text without what follows `Input:` and `Output:` on their lines."""
    lines = text.split("\n")
    return "\n".join(line for line in lines if (":" not in line and "：" not in line) or not _announces_a_value(line))


def _announces_a_value(line: str) -> bool:
    inline = inline_heading(line)
    return inline is not None and inline[0] in (INPUT, OUTPUT)


def prose(row: Row) -> str:
    """All texts of a row but its samples' values."""
    return "\n".join(prose_parts(row))


def prose_parts(row: Row) -> list[str]:
    return [row[name] for name in COLUMNS if row[name]] + _explanations(row)


def compared_parts(row: Row) -> list[str]:
    """The parts of a collected row's text as `text_of` has them, with all explanations."""
    return _columns_without_values(row) + _explanations(row)


def _explanations(row: Row) -> list[str]:
    return [one["explanation"] for one in row["samples"] if one["explanation"]]


def _columns_without_values(row: Row) -> list[str]:
    parts = [row[name] for name in COLUMNS if row[name]]
    if not row["samples"]:
        return parts
    return [_without_values(part) if ":" in part or "：" in part else part for part in parts]


def with_values(after: Row, before: Row, text: str) -> str:
    """All texts of a row, with its samples' values. If the row had samples before, only with those that its text showed
    too: a number of the text that is lost is not found among the others."""
    values = [sample[side] for sample in after["samples"] for side in ("input", "output") if sample[side]]
    if before["samples"] and values:
        shown = flat_as_collected(text)
        words, lines = words_of(shown), set(_lines_of(shown))
        values = [_part_shown(value, words, lines) for value in values]
    return "\n".join([prose(after), *values])


def _part_shown(value: str, words: str, lines: set[str]) -> str:
    """A value that the text shows, or its lines behind the first one, which `_without_values` may have removed."""
    if not any(map(str.isalnum, value)) or words_of(value) in words:
        return value
    _, *behind = _lines_of(value)
    return "\n".join(behind) if lines.issuperset(behind) else ""


def _lines_of(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n")]


def text_loss(before: str, after: str) -> Loss:
    """What the text `after` lost of the text `before`.

    >>> str(text_loss("At most 10^5 socks.", "At most 105 socks."))
    '1 of 1 numbers: 10^5'
    """
    return NOTHING if same_words(before, after) else loss_of(before, _lost(before, after), [])


def row_loss(before: Row, after: Row) -> Loss:
    """What a processed row lost of the collected one. Texts are compared together, samples exactly."""
    found = compared(before, after)
    return loss_of(found.before, found.lost, found.samples)


def loses_any(before: Row, after: Row) -> bool:
    """Whether `row_loss` has findings."""
    return bool(compared(before, after))


class Compared(NamedTuple):
    """The texts of two rows, and the atoms and samples that the second one lacks. True if it lacks any."""

    before: str
    after: str
    lost: Atoms
    samples: list[str]

    def __bool__(self) -> bool:
        return bool(self.samples) or any(self.lost.values())

    @property
    def difference(self) -> Atoms:
        """The lost atoms with formulas that another one contains. Do not change them: the last results are cached."""
        return lost_between(self.before, self.after)


def compared(before: Row, after: Row) -> Compared:
    """Compare a row with what it was before."""
    first = text_of(before)
    samples = [] if before["samples"] is after["samples"] else lost_samples(before, after)
    if before["samples"] and not samples and same_words(first, rest := prose(after)):
        return Compared(first, rest, {}, [])  # known without the samples' values
    second = with_values(after, before, first)
    if not samples and same_words(first, second):
        return Compared(first, second, {}, [])
    return Compared(first, second, _lost(first, second), samples)


def same_words(before: str, after: str) -> bool:
    """A fast check that nothing is lost: every word of the first text, except headings, is in the second."""
    if has_blocks(before):
        return False
    ours, theirs = only_in_each(before, after, tagged=False)
    if "\n" in ours:  # a heading alone on its line is no atom
        ours = "\n".join(line for line in ours.split("\n") if heading_of(line) is None or is_item(line))
    words, others = ours.split(), theirs.split()  # equal lines have equal words
    if not all(map(_may_go, set(words).difference(others))):  # known before the words are counted, which takes long
        return False
    counts = Counter(others)
    return all(map(_may_go, (word for word, count in Counter(words).items() if count > counts[word])))


def _may_go(word: str) -> bool:
    """Whether a word alone is no atom: a heading, or a line of marks."""
    return heading_of(word) is not None or (len(word) > 2 and not any(map(str.isalnum, word)))


@lru_cache(maxsize=4)
def only_in_each(before: str, after: str, *, tagged: bool) -> tuple[str, str]:
    """The lines that the first text has and the second lacks, and the other way round, each as often as that.

    `tagged`: lines that may hold a tag count as different, since in a processed text it is no tag.
    """
    ours, theirs = before.split("\n"), after.split("\n")
    kept: list[list[str]] = [[], []]
    if tagged:
        kept = [[line for line in lines if "<" in line] for lines in (ours, theirs)]
        ours, theirs = ([line for line in lines if "<" not in line] for lines in (ours, theirs))
    first, second = Counter(ours), Counter(theirs)
    kept[0] += [line for line, count in more(first, second).items() for _ in range(count)]
    kept[1] += [line for line, count in more(second, first).items() for _ in range(count)]
    return "\n".join(kept[0]), "\n".join(kept[1])


def lost_by_lines(before: str, after: str) -> Atoms | None:
    """The atoms that a text lost, found only in the lines in which two texts differ; lines of code, in all lines.

    None where that is not enough: a construct goes over two lines, or a formula is lost, which may have been joined
    with another one.
    """
    before, after = in_plain_characters(before), in_plain_characters(after)
    if "lt;" in before:
        before = with_its_tags(before)
    before = with_readable_tags(before)
    if not is_of_lines(before) or not is_of_lines(after, processed=True):
        return None
    tagged = may_hold_tags(before)
    ours, theirs = only_in_each(before, after, tagged=tagged)
    if (tagged and not is_of_lines(ours)) or ("lt;" in ours and with_its_tags(ours) != ours):
        return None  # lines that are neighbours here, and were not
    lost = dict.fromkeys(KINDS, NONE)
    if ours:
        parts = parsed_plain(ours, processed=False, kinds=WITHOUT_CODE)
        kinds = [kind for kind, found in parts.atoms.items() if found]
        lost = lost_atoms(parts, parsed_plain(theirs, processed=True, kinds=kinds))
    lost["lines of code"] = lost_code(before, after)
    return None if lost["formulas"] else lost


def lost_samples(before: Row, after: Row) -> list[str]:
    """Values that the collected row shows, as samples or after `Output:`, and the processed row does not."""
    answers: dict[str, set[str]] = {}  # by their inputs
    for one in after["samples"]:
        for form in _forms(one["input"]):
            answers.setdefault(form, set()).update(_forms(one["output"]))
    lost = []
    now = by_input(after["samples"])
    for sample in before["samples"]:
        given, wanted = sample["input"] or "", sample["output"] or ""
        if (expected := answers.get(_canonical(given))) is None:
            lost.append(given)
            expected = set().union(*answers.values())
        if _canonical(wanted) not in expected and not _is_divided(wanted, now(given)):
            lost.append(wanted)
    shown = set(answers).union(*answers.values())
    if not before["samples"] and after["samples"]:
        lost += [
            value
            for value in values_after_output(before["statement"])
            if not _is_shown(_canonical(value), shown) and not _is_shown(_canonical(value.partition(" # ")[0]), shown)
        ]  # a comment behind an answer becomes its explanation
    return lost


def _forms(value: str | None) -> set[str]:
    value = value or ""
    return {_canonical(value), _canonical(flat(value))} if "<" in value else {_canonical(value)}


def _is_divided(output: str, sample: dict[str, Any] | None) -> bool:
    """Whether an output is now a sample's answer, and what stood behind it the beginning of its explanation."""
    if not sample or not sample["output"] or not output.startswith(sample["output"]):
        return False
    behind = output[len(sample["output"]) :].lstrip(" \t")
    said = words_of(sample["explanation"] or "")
    return behind.startswith(("\n", "# ")) and said.startswith(words_of(remark_of(behind)))


def _is_shown(value: str, shown: set[str]) -> bool:
    """Whether a sample shows the value, or begins with it if its brackets are closed on a later line."""
    value = re.sub(r"^(?:Output|输出)[:：；]", "", value)
    goes_on = value.count("[") > value.count("]") or value.count("{") > value.count("}")
    return value in shown or (goes_on and any(side.startswith(value) for side in shown))


def values_after_output(text: str) -> list[str]:
    """The values after `Output:` on its line.

    >>> values_after_output("**Input:** n = 1\\n**Output:** -1")
    ['-1']
    """
    if "utput" not in text and "输出" not in text and "出力" not in text:
        return []
    if not _has_value_behind(text):
        return []
    found = []
    example = fenced = exact = False
    side = ""
    for line in flat(text).split("\n"):
        if line.lstrip().startswith("```") and "`" not in line.lstrip(" \t`"):
            fenced = not fenced
            exact = fenced and side in ("sample_input", "sample_output")  # the fence holds one side of a sample
        if exact:
            continue
        kind = heading_of(line)
        side = kind or side
        inline = inline_heading(line) if kind is None else None
        if inline and inline[0] in (OUTPUT, SAMPLE_OUTPUT):
            if example:
                found.append(answer_and_remark(value_as_shown(inline[1], line))[0])
        elif inline and inline[0] == "input":
            example = True
        elif kind is not None:
            example = kind in ("sample", "sample_input", "sample_output", "explanation")
    return found


def _has_value_behind(text: str) -> bool:
    """Whether `_VALUE_BEHIND` is in the text. Of ASCII only one of its words is, and few places have that one."""
    if not text.isascii():
        return _VALUE_BEHIND.search(text) is not None
    lower = text.lower()
    place = lower.find("utput")
    while place >= 0:
        if _VALUE_BEHIND.match(text, place):
            return True
        place = lower.find("utput", place + 1)
    return False


def _canonical(text: str) -> str:
    if text.isascii():
        return "".join(text.replace("`", "").split())
    return "".join(_UNSEEN.sub("", text).replace("`", "").split()).replace("，", ",")


def _lost(before: str, after: str) -> Atoms:
    """The atoms that a text lost. A formula that another one contains is not lost."""
    lost = lost_between(before, after)
    if not lost["formulas"]:
        return lost
    return {**lost, "formulas": _not_contained(lost["formulas"], parsed(after, processed=True).atoms)}


@lru_cache(maxsize=16)
def lost_between(before: str, after: str) -> Atoms:
    """The atoms of a text that a processed text lacks. The last results are cached and shared like `atoms`."""
    before = with_tex(before)
    lost = lost_by_lines(before, after)
    return lost_atoms(parsed(before), parsed(after, processed=True)) if lost is None else lost


def loss_of(text: str, lost: Atoms, samples: list[str]) -> Loss:
    """The findings, and the share of the text's atoms and of the samples that was lost."""
    if not samples and not any(lost.values()):
        return NOTHING
    before = atoms(text)
    findings = []
    lost_weight = all_weight = 0.0
    for kind in KINDS:
        total, count = sum(before[kind].values()), sum(lost[kind].values())
        weight = WEIGHTS.get(kind, 3.0)
        all_weight += weight * total
        lost_weight += weight * count
        if count:
            shown = kind not in ("list items", "tables")
            excerpts = tuple(islice((atom for atom in before[kind] if atom in lost[kind]), EXCERPTS if shown else 0))
            findings.append(Finding(kind, count, total, excerpts))
    if samples:
        quoted = tuple(repr(sample[:EXCERPT_CHARACTERS]) for sample in samples[:EXCERPTS])
        findings.insert(0, Finding("samples", len(samples), len(samples), quoted))
        lost_weight += WEIGHTS["samples"] * len(samples)
        all_weight += WEIGHTS["samples"] * len(samples)
    return Loss(tuple(findings), lost_weight / all_weight if all_weight else 0.0)


def _not_contained(lost: Counter[str], after: Atoms) -> Counter[str]:
    """The formulas that no formula of the other text contains: a formula may have been cut or joined."""
    others = "\n".join(after["formulas"])
    return Counter({formula: count for formula, count in lost.items() if formula not in others})
