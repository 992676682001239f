"""AtCoder statements: Markdown in English and Japanese with fenced samples, which are the tests; limits in `config`.

The Markdown was converted from AtCoder's HTML and lost some structure. Nested lists are restored here; a statement with
a table is read from the HTML instead. The rules of Process remove AtCoder's scores and headings.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.process.pairs import Pair, outside_pairs, pairs, pairs_replaced
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns

_SAMPLE = re.compile(r"^```(input|output)(\d*)[ \t]*\n", re.MULTILINE)
_END_OF_SAMPLE = re.compile(r"^```[ \t]*$\n?", re.MULTILINE)
_HTML_SAMPLE = re.compile(r"<h3>[^<]*(?:Sample (Input|Output)|(入力例|出力例))\s*(\d*)[^<]*</h3>\s*<pre[^<>]*>")
_GLUED_FENCE = re.compile(r"```(?:(?<=[^\n`]```)|(?<=^``````))(?:input|output)\d*[ \t]*$", re.MULTILINE)
"""A sample's opening fence on the same line as other text or as the fence before it."""
_FENCE = re.compile("^```", re.MULTILINE)
_END_OF_FENCE = re.compile(r"^```[ \t]*$", re.MULTILINE)
_ITEM_GLUED = re.compile(
    r"(?<=[^\s-])[ \t]*(?=(?:-   )+(?:- |\d{1,2}\. )\S)|(?<=[^\s\d-])(?=(?:\d{1,2}\.    )+(?:- |\d{1,2}\. )\S)"
)
_NESTED_ITEM = re.compile(r"^[ \t]*((?:-   |\d{1,2}\.    )+)(?=(?:- |\d{1,2}\. )\S)", re.MULTILINE)
_LINE_OF_PARAGRAPH = r" {4,}(?![-*+] |\d{1,2}\. |```|\s)[^\n]*"
_INDENTED_PARAGRAPH = re.compile(rf"(\n[ \t]*\n)({_LINE_OF_PARAGRAPH}(?:\n{_LINE_OF_PARAGRAPH})*)")
"""The indentation is that of the page's source, as in `<details>`: code is always in fences."""
_INDENTATION = re.compile("^ +", re.MULTILINE)
_LABEL = re.compile(r"^```(?:input|output)\d*[ \t]*$", re.MULTILINE)
_PRE = re.compile("<pre[^<>]*>")
_END_OF_PRE = re.compile("</pre>")
_RULE = re.compile(r"<hr\s*/?>")
_TAG = re.compile(r"</?(?:var|b|i|em|strong|span|code|br)\b[^<>]*>")


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    name = columns.text(record, "id")
    if not name:
        raise Reject("no_id", "id is missing")
    language, statement = _statement(record)
    samples, text = _samples(statement)
    if not samples:
        raise Reject("no_tests", "the statement shows no sample with input and output")
    config = columns.mapping(record.get("config"))
    contest, index = _place(name, columns.text(record, "contest"))
    return new_row(
        problem_id=name,
        source="atcoder_statements",
        url=f"https://atcoder.jp/contests/{contest}/tasks/{name}" if contest and "_" not in contest else None,
        platform="atcoder",
        contest_id=contest or None,
        problem_index=index or None,
        slug=name,
        title=columns.text(record, "title") or columns.text(config, "title") or None,
        language=language,
        statement=text,
        samples=samples,
        kind="stdin",
        tests=columns.stdin_tests(
            [one["input"] for one in samples], [one["output"] for one in samples], "sample", public=True
        ),
        time_limit_ms=columns.milliseconds(config.get("time")),
        memory_limit_mb=columns.megabytes(config.get("memory")),
    )


def _place(name: str, contest: str) -> tuple[str, str]:
    """The contest and the index of a task. A contest that is only the beginning of the one in the task's name is wrong.

    >>> _place("abc097_a", "abc097"), _place("codefestival_2016_final_b", "codefestival"), _place("arc062_b", "abc046")
    (('abc097', 'a'), ('codefestival_2016_final', 'b'), ('abc046', 'b'))
    """
    own, _, index = name.rpartition("_")
    return (own if not contest or own.startswith(f"{contest}_") else contest), index


def _statement(record: Mapping[str, Any]) -> tuple[str, str]:
    """The language and the statement: English, else Japanese; Markdown, or HTML where it is the better source."""
    pages = columns.mapping(record.get("html"))
    for language in ("en", "ja"):
        markdown, page = columns.text(record, f"{language}_md"), columns.text(pages, language)
        if page and (not markdown or "<table" in page):
            return language, pairs_replaced(_RULE.sub("", page), _PRE, lambda _: [_END_OF_PRE], _format_as_quotation)
        if markdown:
            markdown = _GLUED_FENCE.sub(r"\n\g<0>", markdown)
            return language, outside_pairs(markdown, _FENCE, lambda _: [_END_OF_FENCE], _with_lists_and_paragraphs)
    raise Reject("no_statement", "neither en_md nor ja_md")


def _with_lists_and_paragraphs(markdown: str) -> str:
    """The text with its inner lists, and with paragraphs that are no code.

    >>> _with_lists_and_paragraphs("Add.\\n\\n        What is a sum?\\n        All of them.")
    'Add.\\n\\nWhat is a sum?\\nAll of them.'
    """
    if "\n    " in markdown:
        markdown = _INDENTED_PARAGRAPH.sub(lambda lines: lines[1] + _INDENTATION.sub("", lines[2]), markdown)
    return _with_nested_lists(markdown)


def _with_nested_lists(markdown: str) -> str:
    """The text with each item of an inner list on a line of its own, indented by its depth.

    >>> print(_with_nested_lists("- Do one:-   1. Paint.\\n-   2. Move:-   -   - left"))
    - Do one:
        1. Paint.
        2. Move:
            - left
    >>> print(_with_nested_lists("1. Do one.1.    - Paint.\\n2.    - Move."))
    1. Do one.
        - Paint.
        - Move.
    """
    if "-   " not in markdown and ".    " not in markdown:
        return markdown
    return _NESTED_ITEM.sub(lambda marks: "    " * len(marks[1].split()), _ITEM_GLUED.sub("\n", markdown))


def _format_as_quotation(block: Pair) -> str:
    """The format of an input as a quotation, as in the Markdown: a code block would not render its formulas."""
    if "<var>" not in block.inside:
        return block.whole
    lines = "".join(f"<p>{line}</p>" for line in block.inside.split("\n") if line.strip())
    return f"<blockquote>{lines}</blockquote>"


def _samples(statement: str) -> tuple[list[dict[str, Any]], str]:
    """The samples by number, and the statement without them. The text after an output explains its sample."""
    found: dict[str, dict[str, Any]] = {}
    end = last = first = None
    explanations: list[tuple[dict[str, Any], int]] = []
    for pair in pairs(statement, _SAMPLE, lambda _: [_END_OF_SAMPLE]):
        match = pair.opened
        first = match.start() if first is None else first
        sample = found.setdefault(match[2], {"input": None, "output": None, "explanation": None})
        if sample[match[1]] is not None:
            continue  # an explanation repeats the label, and holds no second sample
        sample[match[1]] = pair.inside
        if last is not None and match[1] == "input":
            last["explanation"] = _explanation(statement[explanations[-1][1] : match.start()])
        if match[1] == "output":
            last, end = sample, pair.end
            explanations.append((sample, pair.end))
    if last is not None and end is not None:
        last["explanation"] = _explanation(statement[end:])
    complete = [one for one in found.values() if one["input"] is not None and one["output"] is not None]
    if complete:
        return complete, statement[:first].rstrip()
    for pair in pairs(statement, _HTML_SAMPLE, lambda _: [_END_OF_PRE]):
        match = pair.opened
        side = (match[1] or {"入力例": "Input", "出力例": "Output"}[match[2]]).lower()
        found.setdefault(match[3], {"input": None, "output": None, "explanation": None})[side] = _shown_text(
            pair.inside
        )
    return [one for one in found.values() if one["input"] is not None and one["output"] is not None], statement


def _explanation(text: str) -> str | None:
    """The explanation of a sample; code blocks in it lose the label of a sample."""
    return _LABEL.sub("```", text).strip() or None


def _shown_text(block: str) -> str:
    """The text that a block of HTML shows, without its tags and entities."""
    return html.unescape(_TAG.sub("", block)).lstrip("\n")
