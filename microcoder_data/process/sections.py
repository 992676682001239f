"""The rule that splits a text into statement, input, output, constraints, samples and notes, as Markdown.

Parts are found by their headings, however a judge decorates them. Text under no known heading stays in the statement.
Published solutions under a heading of their own are removed: they are not part of the problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.compare.examples import by_input, canonical
from microcoder_data.process import headings as part
from microcoder_data.process.explanations import together
from microcoder_data.process.heading_lines import with_heading_lines
from microcoder_data.process.sample_body import FENCE, SENTENCE, SOME_WORDS, sample_body, without_code_marks
from microcoder_data.rules import Outcome, changed
from microcoder_data.schema import Row

_FENCE_LABEL = re.compile(r"^\s*```+\s*((?:sample[-_ ]?)?(?:in|out)put)[-_ ]?\d*(?:\|[\d,]*)?\s*$", re.IGNORECASE)
_FENCE_OF_A_PROGRAM = re.compile(
    r"^\s*```+[ \t]*(?:python3?|py|c|cpp|c\+\+|java|javascript|js|ruby|go|rust)\b", re.IGNORECASE
)
_DOCSTRING_QUOTES = ('"""', "'''")
_ONLY_FIGURES = re.compile(r"(?:\*{0,3}!\[[^\]\n]*\]\([^)\n]*\)\*{0,3}\s*)+")
_NOTHING = re.compile(r"(?:none|n/a|nil|nothing)\.?", re.IGNORECASE)
_HEADING_OF_WORDS = re.compile(r"#{1,6} +[^\W\d_]{3,}")
_BLANK = re.compile(r"\b(?:blank|empty)[- ]?lines?\b|空行|пуст\w+ строк", re.IGNORECASE)
_APART = re.compile(r"\S[^\n]*(?:\n[ \t]*\n\S[^\n]*)+\s*")
_INPUT_IS_GIVEN = re.compile(r"(?:the )?input is given\b|入力は以下の形式", re.IGNORECASE)
_RULE_AT_THE_END = re.compile(r"\n[ \t]*\n[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*\Z")
_FORMAT = re.compile(r"\b(?:format|description|specification)\b", re.IGNORECASE)
"""In a heading that is never a side of a sample, even behind an example in words."""
_TASK = re.compile(r"\n(?:Return|Print) |\n(?:请你?)?返回")
"""A line that says what the answer is."""
_COMMENT = re.compile(r"(?:\t| {4}).*?#[A-Za-z][^:\n]*:[ \t]*\S")
"""`    #Output : [[0 0]]` in indented code."""
_ABOUT_A_FUNCTION = re.compile(r"[#*_ ]*function description[ :*_]*$", re.IGNORECASE)
_COLUMNS = {part.INPUT: "input_format", part.OUTPUT: "output_format", part.CONSTRAINTS: "constraints"}
_PARTS_OF_A_SAMPLE = (part.INPUT, part.OUTPUT, part.EXPLANATION)
_SIDES = (part.SAMPLE_INPUT, part.SAMPLE_OUTPUT)
_IN_A_SAMPLE = (*_SIDES, part.EXPLANATION)

_ITEM = re.compile(r"(?P<indent>[ \t]*)[-*+][ \t]+(?P<text>\S.*)")
_ITEM_OF_INPUT = re.compile(r"\n[ \t]*[-*+][ \t]+[*_`]*input[*_`]*[ \t]*:", re.IGNORECASE)
"""With the line end before it, which makes the search fast."""
_LINES_OF_A_LIST = 50
"""Looked at on each side of an item."""

Block = tuple[str, list[str]]


@dataclass(frozen=True)
class Sections:
    """Split statements that come as one text. Parts that the source already gives in columns of their own are kept."""

    name: ClassVar[str] = "sections_v31"

    def __call__(self, row: Row) -> Outcome | None:
        blocks = list(_blocks(row["statement"]))
        if len(blocks) <= 1:
            return None
        found = split(blocks, row["tests"])
        statement = found.pop(part.DESCRIPTION)
        if not statement:
            return None
        samples = found.pop("samples")
        row["statement"] = statement
        filled = []
        for kind, column in (*_COLUMNS.items(), (part.NOTES, "notes")):
            if found.get(kind):
                row[column] = f"{row[column]}\n\n{found[kind]}" if row[column] else found[kind]
                filled.append(column)
        if found.get(part.INTERACTION):
            row["io"] = "interactive"
            row["notes"] = "\n\n".join(filter(None, [row["notes"], found[part.INTERACTION]]))
        if samples and not row["samples"]:
            row["samples"] = samples
            filled.append(f"{len(samples)} samples")
        elif samples:
            _explain(row, samples)
        if found.get(part.SOLUTION):
            filled.append("a solution cut off")
        return changed(", ".join(filled), took_out=bool(found.get(part.SOLUTION))) if filled else None


def samples_shown(statement: str) -> list[dict[str, Any]]:
    """The samples that a statement shows under headings.

    >>> [sample["output"] for sample in samples_shown("Add.\\n\\nSample Input\\n1 2\\n\\nSample Output\\n3")]
    ['3']
    """
    samples: list[dict[str, Any]] = split(list(_blocks(statement)))["samples"]
    return samples


def split(blocks: list[Block], tests: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """The parts of a statement by kind, and its samples. Those keep their empty lines where `tests` have such."""
    texts: dict[str, list[str]] = {part.DESCRIPTION: []}
    samples: list[dict[str, Any]] = []
    figures = ""  # under the heading of the sample that follows
    spaced = _is_spaced(blocks) and not any(
        "\n\n" in (test[side] or "").strip() for test in tests for side in ("input", "output")
    )
    ruled = any(kind not in _SIDES and _RULE_AT_THE_END.search("\n".join(lines).rstrip()) for kind, lines in blocks)
    in_turn = _sides_in_turn(_with_whole_explanations(_with_task_from_notes(blocks)))
    following = [kind for kind, _ in in_turn[1:]] + [""]
    for (kind, lines), next_kind in zip(in_turn, following, strict=True):
        title = part.words_of(lines[0]) if kind == part.SAMPLE else ""
        body = "\n".join(lines[1:] if title else lines).strip("\n").rstrip()
        if ruled and body[-3:] in ("---", "***", "___") and (kind not in _SIDES or "```" not in body):
            body = _RULE_AT_THE_END.sub("", body)
        if spaced and kind in _SIDES and "```" not in body and _APART.fullmatch(body.strip()):
            body = "\n".join(line.rstrip() for line in body.strip().split("\n") if line.strip())
        if kind == part.SAMPLE and _ONLY_FIGURES.fullmatch(body):
            figures = body
            continue
        if kind == part.OUTPUT and part.INPUT not in texts and _INPUT_IS_GIVEN.match(body):
            kind = part.INPUT  # its heading is wrong
        if kind == part.SAMPLE_INPUT:
            input_text, after = sample_body(body)
            explanation = "\n\n".join(filter(None, [figures, after])) or None
            samples.append({"input": input_text, "output": None, "explanation": explanation})
            figures = ""
        elif kind == part.SAMPLE_OUTPUT and samples and samples[-1]["output"] is None:
            blank_lines = any(map(_BLANK.search, texts.get(part.OUTPUT, ())))
            expected, after = sample_body(body, printed=True, spaced=blank_lines)
            samples[-1]["output"] = expected
            samples[-1]["explanation"] = "\n\n".join(filter(None, [samples[-1]["explanation"], after])) or None
        elif kind == part.EXPLANATION and samples:
            if body:
                samples[-1]["explanation"] = "\n\n".join(filter(None, [samples[-1]["explanation"], body]))
        elif kind == part.SAMPLE_OUTPUT and not samples and SOME_WORDS.search(body):
            texts.setdefault(part.OUTPUT, []).append(body)  # words, not values: it describes the output
        elif kind in (part.SAMPLE, part.SAMPLE_OUTPUT, part.EXPLANATION):
            if body and title and texts.keys() == {part.DESCRIPTION} and not samples and next_kind not in _IN_A_SAMPLE:
                texts[part.DESCRIPTION].append(f"{lines[0].strip()}\n\n{body}")  # the text goes on with it
            elif body:
                texts.setdefault(part.NOTES, []).append(f"{title}:\n\n{body}" if title else body)
        elif body and not (kind == part.NOTES and _NOTHING.fullmatch(body)):
            texts.setdefault(kind, []).append(body)
    if figures:
        texts.setdefault(part.NOTES, []).append(figures)
    for sample in samples:
        if sample["output"] is None:  # without an output it is no sample, but its text is kept
            words = "\n\n".join(filter(None, [sample["input"], sample["explanation"]]))
            texts.setdefault(part.NOTES, []).append(words)
    found: dict[str, Any] = {kind: "\n\n".join(pieces).strip() for kind, pieces in texts.items()}
    found["samples"] = [sample for sample in samples if sample["output"] is not None]
    return found


def _with_task_from_notes(blocks: list[Block]) -> list[Block]:
    """The blocks with notes in the middle of the statement as its text, where the task follows them.

    >>> _with_task_from_notes([("statement", ["Pour."]), ("notes", ["- At random.", "", "Return the chance."])])[1]
    ('statement', ['**Note:**', '', '- At random.', '', 'Return the chance.'])
    """
    if len(blocks) < 2 or (blocks[0][0], blocks[1][0]) != (part.DESCRIPTION, part.NOTES):
        return blocks
    lines = blocks[1][1]
    if not _TASK.search("\n".join(lines)) or _TASK.search("\n" + "\n".join(blocks[0][1])):
        return blocks
    heading = "**注意：**" if "返回" in "\n".join(lines) else "**Note:**"
    return [blocks[0], (part.DESCRIPTION, [heading, "", *"\n".join(lines).strip().split("\n")]), *blocks[2:]]


def _with_whole_explanations(blocks: list[Block]) -> list[Block]:
    """The blocks with `Input` and `Output` under a heading `Explanation` as its text, where both are prose."""
    whole = list(blocks)
    for place in range(1, len(blocks) - 2):
        kinds = tuple(kind for kind, _ in blocks[place : place + 3])
        if kinds != (part.EXPLANATION, *_SIDES) or "".join(blocks[place][1]).strip():
            continue
        bodies = ["\n".join(lines).strip() for _, lines in blocks[place + 1 : place + 3]]
        if all(len(SENTENCE.findall(body)) > 1 and "```" not in body for body in bodies):
            texts = [f"{word}: {body}".split("\n") for word, body in zip(("Input", "Output"), bodies, strict=True)]
            whole[place + 1 : place + 3] = [(part.EXPLANATION, text) for text in texts]
    return whole


def _is_spaced(blocks: list[Block]) -> bool:
    """Whether an input has an empty line behind each line, as Markdown outside of fences wants it.

    >>> _is_spaced([("sample_input", ["2", "", "1 2", "", "2 3"])])
    True
    >>> _is_spaced([("sample_input", ["2", "", "1 2", "", "2 3"]), ("input", ["Cases are separated by a blank line."])])
    False
    """
    inputs = [lines for kind, lines in blocks if kind == part.SAMPLE_INPUT]
    return (
        bool(inputs)
        and any(map(_lines_apart, inputs))
        and not any(_BLANK.search(line) for kind, lines in blocks if kind not in _SIDES for line in lines)
    )


def _lines_apart(lines: list[str]) -> bool:
    """Whether there are lines with an empty line behind each but the last."""
    text = "\n".join(lines).strip()
    return "```" not in text and text.count("\n") > 3 and _APART.fullmatch(text) is not None


def _sides_in_turn(blocks: list[Block]) -> list[Block]:
    """The blocks with each sample's output behind its input, where all inputs come before as many outputs."""
    starts = [
        place
        for place, (kind, _) in enumerate(blocks)
        if kind == part.SAMPLE_INPUT and (not place or blocks[place - 1][0] != part.SAMPLE_INPUT)
    ]
    if len(blocks) < 4 or not starts:
        return blocks
    ordered = blocks[: starts[0]]
    for start, stop in zip(starts, [*starts[1:], len(blocks)], strict=True):
        first = next((n for n in range(start, stop) if blocks[n][0] != part.SAMPLE_INPUT), stop)
        outputs = [n for n in range(first, stop) if blocks[n][0] == part.SAMPLE_OUTPUT]
        if len(outputs) != first - start or outputs[0] != first:
            ordered += blocks[start:stop]
            continue
        for at, output, end in zip(range(start, first), outputs, [*outputs[1:], stop], strict=True):
            ordered += [blocks[at], *blocks[output:end]]
    return ordered


def _blocks(text: str) -> Iterator[Block]:
    """The lines under each heading, in order. Inside examples, `Input` and `Output` announce parts of a sample."""
    kind = part.DESCRIPTION
    lines: list[str] = []
    example = False  # in a sample
    fenced = False  # in a fence
    exact = False  # in a fence that holds one side of a sample: nothing in it is a heading
    held = False  # in a fence that holds a whole sample: its opening line was removed
    sectioned = False  # a heading for the input was seen
    quoted = False  # under a heading that begins with `>`
    level = 0  # of the last heading of a sample
    program = False  # in a fence that names a language
    valued = False  # behind a line such as `Input: n = 3`
    docstring = False  # in a program's docstring
    quotes = next((mark for mark in _DOCSTRING_QUOTES if mark in text and text.count(mark) % 2 == 0), None)
    all_lines = with_heading_lines(text).split("\n")
    named = any(line[:1] == "#" and part.heading_of(line) in (part.SAMPLE, part.SAMPLE_INPUT) for line in all_lines)
    terms = _terms(all_lines) if _ITEM_OF_INPUT.search(f"\n{text}") else set()
    for place, line in enumerate(all_lines):
        if quotes and line.count(quotes) % 2:
            docstring = not docstring
        if docstring:
            lines.append(line)
            continue
        quoted = quoted and (not line or line.startswith(">"))
        if not line:
            lines.append(line)
            continue
        if quoted and kind in _IN_A_SAMPLE and _announced(line, True, False) is None:
            line = line[1:].removeprefix(" ")
        if "```" in line and FENCE.match(line):
            exact = not fenced and kind in _SIDES
            label = _FENCE_LABEL.match(line) if not fenced else None
            fenced = not fenced
            program = fenced and _FENCE_OF_A_PROGRAM.match(line) is not None
            if label:
                yield kind, lines
                is_input = label[1].lower().endswith("input")
                kind, lines = (part.SAMPLE_INPUT if is_input else part.SAMPLE_OUTPUT), ["```"]
                example = exact = True
            elif held:
                yield kind, lines
                kind, lines = part.EXPLANATION, []  # what follows the sample's fence is no part of its values
            else:
                lines.append(line)
            held = False
            continue
        inside = example and not (not sectioned and (level == _level(line) if level else named and _level(line)))
        comment = line.lstrip().startswith(("#", "//")) and ((fenced and program) or _COMMENT.match(line))
        side = fenced and not exact and part.heading_of(line) in _SIDES
        no_heading = line in terms or comment or (fenced and not side and (exact or not example))
        heading = None if no_heading else _announced(line, inside, fenced)
        if fenced and not exact and kind == part.EXPLANATION and lines and FENCE.match(lines[-1]):
            heading = (part.CONSTRAINTS, "") if part.heading_of(line) == part.CONSTRAINTS else heading
        if heading is not None and valued and heading[0] == part.OUTPUT and heading[1]:
            heading = None  # an example under a heading of an unknown language
        valued = heading is None and "=" in line and (part.inline_heading(line) or ("",))[0] == part.INPUT
        if heading is None:
            if not fenced and (
                (kind in (part.SAMPLE, part.EXPLANATION) and _ends_example(line, level))
                or (kind == part.SAMPLE and _ABOUT_A_FUNCTION.match(line))
            ):
                yield kind, lines
                kind, lines, example, level = part.DESCRIPTION, [], False, 0
            lines.append(line)
            continue
        opening = _opening(lines) if fenced else None
        if opening is not None:
            lines.pop(opening)  # the fence holds a whole sample, whose parts have headings
            held = True
        yield kind, lines
        if heading[0] == part.SAMPLE and kind == part.SAMPLE_OUTPUT and _explains(line, all_lines[place + 1 :]):
            heading = part.EXPLANATION, ""
        kind, rest = heading
        sectioned = sectioned or kind == part.INPUT
        level = _level(line) if kind == part.SAMPLE else level
        example = kind in (part.SAMPLE, part.SAMPLE_INPUT, part.SAMPLE_OUTPUT, part.EXPLANATION)
        quoted = line.startswith(">")
        value = part.value_as_shown(rest, line) if kind in _SIDES and not fenced else rest
        value, remark = part.answer_and_remark(value) if kind == part.SAMPLE_OUTPUT else (value, "")
        lines = [without_code_marks(value)] if rest else [line] * (kind == part.SAMPLE)
        if remark:
            yield kind, lines
            kind, lines = part.EXPLANATION, [remark]
    yield kind, lines


def _explains(heading: str, behind: list[str]) -> bool:
    """Whether `Example:` behind an output is above its explanation: no number, and words that lead to no input.

    >>> _explains("示例：", ["因为 3 最大。", "**示例 2：**"]), _explains("Example:", ["", "Input: 3"])
    (True, False)
    """
    if any(map(str.isdigit, heading)):
        return False
    announced = ((line, _announced(line, True, False)) for line in behind if line.strip())
    first = next(announced, None)
    if first is None or first[1] is not None or FENCE.match(first[0]):
        return False
    following = next((heading for _, heading in announced if heading is not None), None)
    return following is None or following[0] not in _SIDES


def _terms(lines: list[str]) -> set[str]:
    """The items of lists that explain the word `input` among others: no item of the list says what the output is.

    >>> _terms(["- **input**: the digits", "- **span**: how many digits", "", "- Input: n", "- Output: m"])
    {'- **input**: the digits'}
    """
    found: set[str] = set()
    for start, line in enumerate(lines):
        if not _ITEM_OF_INPUT.match(f"\n{line}"):
            continue
        before = lines[max(0, start - _LINES_OF_A_LIST) : start][::-1]
        items = [line, *_items_from(lines[start + 1 : start + _LINES_OF_A_LIST], line), *_items_from(before, line)]
        if len(items) > 1 and not any(_is_output(item) for item in items):
            found.add(line)
    return found


def _items_from(lines: list[str], item: str) -> Iterator[str]:
    """The items of the same list in the lines that follow, or that come before."""
    indent = len(item) - len(item.lstrip())
    for line in lines:
        found = _ITEM.match(line)
        if found and len(found["indent"]) == indent:
            yield line
        elif len(line) - len(line.lstrip()) <= indent:  # a blank line or a paragraph ends the list
            return


def _is_output(item: str) -> bool:
    announced = part.inline_heading(item)
    return part.heading_of(item) == part.OUTPUT or (announced is not None and announced[0] == part.OUTPUT)


def _opening(lines: list[str]) -> int | None:
    """The place of an opening fence that is the last line, or that only figures follow."""
    for place in range(len(lines) - 1, -1, -1):
        if "```" in lines[place] and FENCE.match(lines[place]):
            inside = "\n".join(lines[place + 1 :]).strip()
            return place if not inside or _ONLY_FIGURES.fullmatch(inside) else None
        if lines[place].strip() and "![" not in lines[place]:
            return None
    return None


def _level(line: str) -> int:
    """The level of a Markdown heading. If `## Input` has the level of `## Example`, it is not part of the sample."""
    return len(line) - len(line.lstrip("#"))


def _ends_example(line: str, level: int) -> bool:
    """Whether a line is a heading that stands beside or above the heading of an example, of this level."""
    return 0 < _level(line) <= level and _HEADING_OF_WORDS.match(line) is not None


def _announced(line: str, example: bool, fenced: bool) -> tuple[str, str] | None:
    """The part that a line announces, and the text after it on the same line; None if the line has no heading."""
    kind = part.heading_of(line)
    if kind is not None and (not fenced or kind in _SIDES or (example and kind in _PARTS_OF_A_SAMPLE)):
        if example and kind in (part.INPUT, part.OUTPUT) and not _FORMAT.search(line):
            return (part.SAMPLE_INPUT if kind == part.INPUT else part.SAMPLE_OUTPUT), ""
        named = part.named_sample(line) if kind == part.NOTES else ""
        return kind, f"{named}:" if named else ""
    inline = part.inline_heading(line)
    if inline is None:
        return None
    kind, rest = inline
    if kind in (part.INPUT, part.OUTPUT):
        if example:
            return (part.SAMPLE_INPUT if kind == part.INPUT else part.SAMPLE_OUTPUT), rest
        return None if "=" in rest[:20] or fenced else (kind, rest)
    return (kind, rest) if example else None


def _explain(row: Row, found: list[dict[str, Any]]) -> None:
    """Add the text's explanations to the source's samples, which are exact; other samples of the text go to the
    notes."""
    known = by_input(row["samples"])
    for sample in found:
        exact = known(sample["input"])
        if exact is None:
            words = [sample["input"], sample["output"], sample["explanation"]]
            row["notes"] = "\n\n".join(filter(None, [row["notes"], *words]))
        else:
            remark = _after_answer(sample["output"], exact["output"])
            shown = "\n\n".join(filter(None, [remark, sample["explanation"]]))
            exact["explanation"] = together(exact["explanation"], shown)


def _after_answer(shown: str, answer: str) -> str:
    """The text after the answer in a sample's output as the statement shows it."""
    if not answer.strip():
        return shown.strip()
    lines = shown.split("\n")
    count = len(answer.strip("\n").split("\n"))
    if len(lines) > count and canonical("\n".join(lines[:count])) == canonical(answer):
        return "\n".join(lines[count:]).strip()
    return ""
