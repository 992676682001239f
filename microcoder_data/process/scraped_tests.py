"""The rule for tests that a scraper made of a page's blocks of code.

It pairs all blocks in turn: a figure, a piece of code or a table of the statement becomes an input, and the next block,
which is the first sample's input, becomes its answer. Where the samples were read in the same way, all that follows is
paired anew. An input that does not begin with the one integer of the input format is such a block too. HackerRank's
tables of an input beside the function's arguments become inputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.process.render import PROSE, whole_text
from microcoder_data.process.two_columns import is_table, without_second_column
from microcoder_data.rules import Outcome, changed, drop
from microcoder_data.schema import Row, new_test

MOST_TESTS, LONGEST, SHORTEST, LINE_BEFORE = 20, 5000, 6, 300
"""A page shows no more samples, and no longer ones; blocks with fewer characters are equal to an input by chance."""
_BLOCK = re.compile(
    r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```|((?:^(?: {4}|[ ]{0,3}\t)[^\n]*\n?|^[ \t]*\n)+)", re.DOTALL | re.MULTILINE
)
_CODE = re.compile(r"\A>>>? ?\S[^\n]*\n|;[ \t]*//|\A[^\n]*(?:\([^\n]*\)|\w)[ \t]*\{[ \t]*$", re.MULTILINE)
"""A session of an interpreter, a statement with a comment, or the head of a function in braces: no input, even if the
block behind it is shown too. A scraper may put each word on a line, so the statement's block is searched as well."""
_READS_CODE = re.compile(r"\b(?:code|programs?|snippets?|scripts?|source)\b", re.IGNORECASE)
_CALLED_INPUT = re.compile(
    r"(?:\b(?:for|if|when|given|this|following|sample|example) (?:the |an? |this |following |sample |example )*|^\W*)"
    r"inputs?\b[^.]*$|(?:输入|入力)[^。]*$",
    re.IGNORECASE,
)
_CALLED_OUTPUT = re.compile(
    r"\b(?:outputs?|prints?|returns?|answers?|results?|responses?)\b[^.]*$|(?:输出|出力)[^。]*$", re.IGNORECASE
)
_ONE_INTEGER = re.compile(
    r"\W*(?:(?:on |in )?the )?first line (?:of (?:the )?(?:input|stdin|file|input file) )?"
    r"(?:contains|consists of|has|is|gives|will contain|denotes) (?:only |just |exactly )?"
    r"(?:(?:an?|one|a single) integer(?:,? \(?\w+\)?)?|the number of test ?-?cases)\b",
    re.IGNORECASE,
)
"""The beginning of an input format by which the first line is one integer."""
_AND_MORE = re.compile(
    r"\b(?:and|or|followed|then|separated|spaces?|strings?|next|also)\b|,\s*\w\b|\d/\d", re.IGNORECASE
)
"""What says in the sentence of that format that the line holds more."""
_WORD = re.compile("[A-Za-z]{2}")
"""One block of numbers among several tests may be an example whose answer the text says in other words."""
_AN_INTEGER = re.compile(r"\s*[-+]?\d+[ \t\r]*(?:\n|\Z)")
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_AROUND_PARTS = re.compile(r"[\s\"'`$*]+")
"""What a text may have around the parts of an answer."""


@dataclass(frozen=True)
class ScrapedTests:
    """Take tables apart that stand as inputs; replace tests that are blocks of the statement by its samples, or drop
    the row."""

    name: ClassVar[str] = "scraped_tests_v10"

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] != "stdin":
            return None
        tests = row["tests"]
        tables = sum(map(_take_apart, tests))
        wrong = _wrong(row) if len(tests) <= MOST_TESTS else []
        found = f"not an input and its answer, but blocks of the statement: {wrong[0]['input'][:60]!r}" if wrong else ""
        if wrong == tests[:1] and (pairs := _paired_anew(row)):
            row["samples"] = [{"input": given, "output": wanted, "explanation": None} for given, wanted in pairs]
            row["tests"] = [new_test(given, wanted, public=True, origin="sample") for given, wanted in pairs]
            return changed(f"samples begin behind the first block; were {found}", len(pairs), took_out=True)
        if odd := _against_the_format(row) if len(tests) <= MOST_TESTS else []:
            wrong += [test for test in odd if test not in wrong]
            found = found or f"not as the input format says, the first line is no integer: {odd[0]['input'][:60]!r}"
            shown = {_squeezed(block) for block in _blocks(whole_text(row), _CALLED_OUTPUT)}
            rest = [test for test in tests if not (_paired_late(test) or _squeezed(test["output"]) in shown)]
            rest = [test for test in rest if test not in wrong]
            if rest and not row["samples"]:
                row["tests"] = rest
                return changed(f"taken out: {found}", len(tests) - len(rest), took_out=True)
        elif not wrong or (2 * len(wrong) < len(tests) and not any(_WORD.search(test["input"]) for test in wrong)):
            return changed("tables as inputs", tables, took_out=True) if tables else None
        inputs = {test["input"] for test in wrong}
        samples = [one for one in row["samples"] if not is_table(one["input"]) and one["input"] not in inputs]
        if not samples:
            return drop("tests_from_the_statement", found, len(wrong) / len(tests), 0.0)
        row["tests"] = [new_test(one["input"], one["output"], public=True, origin="sample") for one in samples]
        return changed(f"tests are the samples shown; were {found}", len(wrong), took_out=True)


def _take_apart(test: dict[str, Any]) -> bool:
    cell = without_second_column(test["input"])
    found = cell != test["input"]
    test["input"] = cell
    return found


def _wrong(row: Row) -> list[dict[str, Any]]:
    """Tests with a table in place of a text, or with a block of the statement as input whose answer is not there."""
    tests = [test for test in row["tests"] if not test["ref"] and len(test["input"]) <= LONGEST]
    wrong = [test for test in tests if is_table(test["input"]) or is_table(test["output"])]
    text = whole_text(row)
    if not tests or ("```" not in text and "\n\t" not in text and "\n    " not in text):
        return wrong
    parts = [f"    {row[part]}" for part in PROSE if row[part]]  # the first indentation of a part is gone
    given = {_squeezed(test["input"]) for test in tests}
    if not wrong and not _shows_any("\n".join([text, *parts]), given):
        return []  # known without a search for blocks, which takes long
    blocks = {_squeezed(block): block for part in (text, *parts) for block in _blocks(part)}
    says_nothing = not (row["input_format"] or row["samples"])
    others = {_squeezed(block) for block in _blocks(text, _CALLED_OUTPUT)} if says_nothing else set()
    reads_code = _READS_CODE.search(row["input_format"] or "") is not None
    whole = _in_one_form(text)
    shown = {(_squeezed(sample["input"]), _squeezed(sample["output"])) for sample in row["samples"]}
    inputs, answers = ({pair[side] for pair in shown} for side in (0, 1))
    for test in tests:
        key, answer = _squeezed(test["input"]), _squeezed(test["output"])
        if len(key) < SHORTEST or key not in blocks or answer in given - {key} or test in wrong:
            continue
        code = not reads_code and (_CODE.search(test["input"]) or _CODE.search(blocks[key].strip()))
        next_input = answer in inputs and (key, answer) not in shown
        if code or next_input or answer in others or _in_one_form(test["output"]) not in whole:
            wrong.append(test)
    if wrong:  # the pairs behind it may be a sample's answer with the next one's input
        for test in tests:
            key, answer = _squeezed(test["input"]), _squeezed(test["output"])
            if key in answers and answer in inputs and (key, answer) not in shown and test not in wrong:
                wrong.append(test)
    return wrong


def _shows_any(text: str, inputs: set[str]) -> bool:
    """Whether a text holds an input that is long enough to be a block of it."""
    written = _squeezed(text)
    return any(len(given) >= SHORTEST and given in written for given in inputs)


def _against_the_format(row: Row) -> list[dict[str, Any]]:
    """Tests whose first line is not one integer, where the input format says so and a test or a sample is like that."""
    sentence = re.split(r"\.(?=\s|$)|\n", re.sub(r"[*_$`\\{}]", "", (row["input_format"] or "").strip()), maxsplit=1)[0]
    if not (says := _ONE_INTEGER.match(sentence)) or _AND_MORE.search(sentence, says.end()):
        return []
    shown = {_squeezed(sample["input"]) for sample in row["samples"]}
    tests = [test for test in row["tests"] if not test["ref"] and len(test["input"]) <= LONGEST]
    odd = [test for test in tests if not _AN_INTEGER.match(test["input"])]
    as_said = len(odd) < len(row["tests"]) or any(_AN_INTEGER.match(one["input"]) for one in row["samples"])
    return [test for test in odd if _squeezed(test["input"]) not in shown] if as_said else []


def _paired_late(test: dict[str, Any]) -> bool:
    """Whether an answer looks like the next input: behind a lone block all pairs are of an answer and an input."""
    lines_read, lines_printed = (test[side].strip().count("\n") for side in ("input", "output"))
    return lines_read <= lines_printed != 0 and _AN_INTEGER.match(test["output"]) is not None


def _blocks(text: str, called: re.Pattern[str] = _CALLED_INPUT) -> Iterator[str]:
    """The blocks of code, without those that `called` finds announced in the line before them."""
    for found in _BLOCK.finditer(text):
        before = text[max(0, found.start() - LINE_BEFORE) : found.start()].rstrip().rpartition("\n")[2]
        if not called.search(before):
            yield found[1] if found[1] is not None else found[2]


def _paired_anew(row: Row) -> list[tuple[str, str]]:
    """The samples without their first side, if they are the tests; none where nothing is left."""
    sides = [sample[side] for sample in row["samples"] for side in ("input", "output")]
    if sides != [test[side] for test in row["tests"] for side in ("input", "output")]:
        return []
    return list(zip(sides[1::2], sides[2::2], strict=False))


def _in_one_form(text: str) -> str:
    """A text as answers are looked for in it: `YES` and `**Yes**`, `6.199999` and `6.2` are one answer."""
    alike = _DECIMAL.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), text)
    return _AROUND_PARTS.sub("", alike).lower()


def _squeezed(text: str) -> str:
    return "".join(text.split())
