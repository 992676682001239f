"""The rule for tests that a scraper made of a page's blocks of code.

It pairs all blocks in turn: a figure, a piece of code or a table of the statement becomes an input, and the next block,
which is the first sample's input, becomes its answer. Where the samples were read in the same way, all that follows is
paired anew. An input that does not begin as the input format says is such a block too, as is one that repeats another
test and goes on with an arrow, where tests without arrows are beside it. HackerRank's tables of an input beside the
function's arguments become inputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.process.input_shape import shape_of
from microcoder_data.process.render import PROSE, whole_text
from microcoder_data.process.two_columns import is_table, without_second_column
from microcoder_data.rules import Outcome, changed, drop
from microcoder_data.schema import Row, new_test

MOST_TESTS, LONGEST, SHORTEST, LINE_BEFORE, BEHIND = 20, 5000, 6, 300, 600
"""A page shows no more samples, and no longer ones; blocks with fewer characters are equal to an input by chance. An
example's answer is said in the characters behind its block."""
_BLOCK = re.compile(
    r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```|((?:^(?: {4}|[ ]{0,3}\t)[^\n]*\n?|^[ \t]*\n)+)", re.DOTALL | re.MULTILINE
)
_CODE = re.compile(
    r"\A>>>? ?\S[^\n]*\n|\Aimport [\w.]+[ \t]*$|;[ \t]*//|\A[^\n]*(?:\([^\n]*\)|\w)[ \t]*\{[ \t]*$", re.MULTILINE
)
"""A session of an interpreter, an import, a statement with a comment, or the head of a function in braces: no input,
even if the block behind it is shown too. A scraper may put each word on a line, so the statement's block is searched
as well."""
_READS_CODE = re.compile(r"\b(?:code|programs?|snippets?|scripts?|source)\b", re.IGNORECASE)
_CALLED_INPUT = re.compile(
    r"(?:\b(?:for|if|when|given|this|following|sample|example) (?:the |an? |this |following |sample |example )*|^\W*)"
    r"inputs?\b[^.]*$|(?:输入|入力)[^。]*$",
    re.IGNORECASE,
)
_CALLED_OUTPUT = re.compile(
    r"\b(?:outputs?|prints?|returns?|answers?|results?|responses?)\b[^.]*$|(?:输出|出力)[^。]*$", re.IGNORECASE
)
_WORD = re.compile("[A-Za-z]{2}")
"""One block of numbers among several tests may be an example whose answer the text says in other words."""
_AN_INTEGER = re.compile(r"\s*[-+]?\d+[ \t\r]*(?:\n|\Z)")
_INTEGER = re.compile(r"[-+]?\d+")
_DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_A_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ARROW = re.compile(r"\s*(?:→|⇒|[-=]+>)")
_ENDS = ("input", "output")
_AROUND_PARTS = re.compile(r"[\s\"'`$*]+")
"""What a text may have around the parts of an answer."""


@dataclass(frozen=True)
class ScrapedTests:
    """Take tables apart that stand as inputs; replace tests that are blocks of the statement by its samples, or drop
    the row."""

    name: ClassVar[str] = "scraped_tests_v11"

    def __call__(self, row: Row) -> Outcome | None:
        if row["kind"] != "stdin":
            return None
        tests = row["tests"]
        tables = sum(map(_take_apart, tests))
        wrong, certain = _wrong(row) if len(tests) <= MOST_TESTS else ([], False)
        found = f"not an input and its answer, but blocks of the statement: {wrong[0]['input'][:60]!r}" if wrong else ""
        if wrong == tests[:1] and (pairs := _paired_anew(row)):
            row["samples"] = [{"input": given, "output": wanted, "explanation": None} for given, wanted in pairs]
            row["tests"] = [new_test(given, wanted, public=True, origin="sample") for given, wanted in pairs]
            return changed(f"samples begin behind the first block; were {found}", len(pairs), took_out=True)
        if odd := _against_the_format(row) if len(tests) <= MOST_TESTS else []:
            wrong += [test for test in odd if test not in wrong]
            found = found or f"not as the input format says: {odd[0]['input'][:60]!r}"
            shown = {_squeezed(block) for block, _ in _blocks(whole_text(row), _CALLED_OUTPUT)}
            rest = [test for test in tests if not (_paired_late(test) or _squeezed(test["output"]) in shown)]
            rest = [test for test in rest if test not in wrong]
            fits = shape_of(row["input_format"])
            shifted = fits is not None and any("\n" in test["output"] and fits(test["output"]) for test in odd + rest)
            rest = [] if shifted or any(map(_answers_the_next, rest)) else rest
            if rest and not row["samples"]:
                row["tests"] = rest
                return changed(f"taken out: {found}", len(tests) - len(rest), took_out=True)
        elif not wrong or not (
            certain or 2 * len(wrong) >= len(tests) or any(_WORD.search(test["input"]) for test in wrong)
        ):
            return changed("tables as inputs", tables, took_out=True) if tables else None
        inputs = {test["input"] for test in wrong}
        samples = [one for one in row["samples"] if not is_table(one["input"]) and one["input"] not in inputs]
        if not samples:
            return drop("tests_from_the_statement", found, len(wrong) / len(tests), 0.0)
        known = {_squeezed(test["input"]): test for test in reversed(tests) if test not in wrong}
        row["tests"] = [
            known.get(_squeezed(one["input"])) or new_test(one["input"], one["output"], public=True, origin="sample")
            for one in samples
        ]
        return changed(f"tests are the samples shown; were {found}", len(wrong), took_out=True)


def _take_apart(test: dict[str, Any]) -> bool:
    cell = without_second_column(test["input"])
    found = cell != test["input"]
    test["input"] = cell
    return found


def _wrong(row: Row) -> tuple[list[dict[str, Any]], bool]:
    """Tests with a table in place of a text, or with a block of the statement as input whose answer is not there; and
    whether one of them shows that blocks of the statement were paired: both sides are, and another test is none."""
    tests = [test for test in row["tests"] if not test["ref"] and len(test["input"]) <= LONGEST]
    wrong = [test for test in tests if is_table(test["input"]) or is_table(test["output"])]
    plain = any(not (_ARROW.search(test["input"]) or _ARROW.search(test["output"])) for test in tests)
    repeated = [test for test in tests if plain and test not in wrong and _goes_on(test, tests)]
    wrong += repeated
    certain = bool(repeated)
    text = whole_text(row)
    remarks = [sample["explanation"] for sample in row["samples"] if sample["explanation"]]
    columns = [row[part] for part in PROSE if row[part]]
    parts = [*remarks, *(f"    {part}" for part in (*columns, *remarks))]  # the first indentation of a part is gone
    if not tests or not any("```" in part or "\n\t" in part or "\n    " in part for part in (text, *parts)):
        return wrong, certain
    given = {_squeezed(test["input"]) for test in tests}
    if not wrong and not _shows_any("\n".join([text, *parts]), given):
        return [], False  # known without a search for blocks, which takes long
    blocks: dict[str, tuple[str, str]] = {}
    for part in (text, *parts):
        blocks |= {_squeezed(block): (block, behind) for block, behind in _blocks(part)}
    every_block = {_squeezed(block) for part in (text, *parts) for block, _ in _blocks(part, None)}
    apart = any(_squeezed(test[end]) not in every_block for test in tests for end in _ENDS)
    says_nothing = not (row["input_format"] or row["samples"])
    others = {_squeezed(block) for part in (text, *parts) for block, _ in _blocks(part, _CALLED_OUTPUT)}
    others = others if apart or says_nothing else set()
    reads_code = _READS_CODE.search(row["input_format"] or "") is not None
    whole = _in_one_form(text)
    shown = {(_squeezed(sample["input"]), _squeezed(sample["output"])) for sample in row["samples"]}
    inputs, answers = ({pair[side] for pair in shown} for side in (0, 1))
    printed = every_block - {_squeezed(block) for part in (text, *parts) for block, _ in _blocks(part, _CALLED_OUTPUT)}
    for test in tests:
        key, answer = _squeezed(test["input"]), _squeezed(test["output"])
        if (
            key in printed
            and "\n" in test["input"].strip()
            and test not in wrong
            and not {answer, key} & (inputs | given - {key})
        ):
            wrong.append(test)
            certain = True
            continue
        short = len(key) < SHORTEST and not (answer in others and len(key) + len(answer) > SHORTEST + 2)
        if short or key not in blocks or answer in given - {key} or test in wrong:
            continue
        block, behind = blocks[key]
        code = not reads_code and (_CODE.search(test["input"]) or _CODE.search(block.strip()))
        next_input = answer in inputs and (key, answer) not in shown
        paired = answer in others and (key, answer) not in shown
        certain = certain or (paired and apart)
        said = _in_one_form(test["output"]) in whole if (key, answer) in shown else _is_said(test["output"], behind)
        if code or next_input or paired or not said:
            wrong.append(test)
    if wrong:  # the pairs behind it may be a sample's answer with the next one's input
        for test in tests:
            key, answer = _squeezed(test["input"]), _squeezed(test["output"])
            if key in answers and answer in inputs and (key, answer) not in shown and test not in wrong:
                wrong.append(test)
    return wrong, certain


def _goes_on(test: dict[str, Any], tests: list[dict[str, Any]]) -> bool:
    """Whether a side of a test is another test's input or answer and, behind an arrow, what becomes of it."""
    for side in (test["input"].strip(), test["output"].strip()):
        arrow = _ARROW.search(side)
        before = _squeezed(side[: arrow.start()]) if arrow else ""
        if before and any(before == _squeezed(one[end]) for one in tests if one is not test for end in _ENDS):
            return True
    return False


def _is_said(answer: str, behind: str) -> bool:
    """Whether the text behind an example says its answer; a number is a word of its own there."""
    wanted, text = _in_one_form(answer), behind[:BEHIND]
    if _A_NUMBER.fullmatch(wanted):
        alike = re.sub(r"[\"'`$*]", " ", _DECIMAL.sub(_short, text))
        return re.search(rf"(?<![\w.-]){re.escape(wanted)}(?!\w|\.\d)", alike) is not None
    return wanted in _in_one_form(text)


def _shows_any(text: str, inputs: set[str]) -> bool:
    """Whether a text holds an input that is long enough to be a block of it."""
    written = _squeezed(text)
    return any(len(given) > 2 and given in written for given in inputs)


def _against_the_format(row: Row) -> list[dict[str, Any]]:
    """Tests that do not begin as the input format says, where a test or a sample does."""
    if (fits := shape_of(row["input_format"])) is None:
        return []
    shown = {_squeezed(sample["input"]) for sample in row["samples"]}
    tests = [test for test in row["tests"] if not test["ref"] and len(test["input"]) <= LONGEST]
    odd = [test for test in tests if not fits(test["input"])]
    as_said = len(odd) < len(row["tests"]) or any(fits(one["input"]) for one in row["samples"])
    return [test for test in odd if _squeezed(test["input"]) not in shown] if as_said else []


def _paired_late(test: dict[str, Any]) -> bool:
    """Whether an answer looks like the next input: behind a lone block all pairs are of an answer and an input."""
    lines_read, lines_printed = (test[side].strip().count("\n") for side in ("input", "output"))
    return lines_read <= lines_printed != 0 and _AN_INTEGER.match(test["output"]) is not None


def _answers_the_next(test: dict[str, Any]) -> bool:
    """Whether input and answer begin with lines of as many integers, two or more: the answer is the next input."""
    first, answer = (f"{test[side].strip()}\n".partition("\n")[0].split() for side in ("input", "output"))
    return len(first) == len(answer) > 1 and all(map(_INTEGER.fullmatch, first + answer))


def _blocks(text: str, called: re.Pattern[str] | None = _CALLED_INPUT) -> Iterator[tuple[str, str]]:
    """The blocks of code, each with the text behind it, without those that `called` finds announced in the line
    before them."""
    for found in _BLOCK.finditer(text):
        before = text[max(0, found.start() - LINE_BEFORE) : found.start()].rstrip().rpartition("\n")[2]
        if called is None or not called.search(before):
            yield found[1] if found[1] is not None else found[2], text[found.end() : found.end() + BEHIND]


def _paired_anew(row: Row) -> list[tuple[str, str]]:
    """The samples without their first side, if they are the tests; none where nothing is left."""
    sides = [sample[side] for sample in row["samples"] for side in ("input", "output")]
    if sides != [test[side] for test in row["tests"] for side in ("input", "output")]:
        return []
    return list(zip(sides[1::2], sides[2::2], strict=False))


def _in_one_form(text: str) -> str:
    """A text as answers are looked for in it: `YES` and `**Yes**`, `6.199999` and `6.2` are one answer."""
    return _AROUND_PARTS.sub("", _DECIMAL.sub(_short, text)).lower()


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _squeezed(text: str) -> str:
    return "".join(text.split())
