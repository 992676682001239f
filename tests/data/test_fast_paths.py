"""What was made fast gives what its slow form gives: each fast check is compared with the whole work on made-up texts.

The slow forms are written out here. No test measures time.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from microcoder_data import shards
from microcoder_data.compare import evidence, examples, tokens
from microcoder_data.compare.profile import Profile, profile_line, profile_of
from microcoder_data.fidelity import atoms as fidelity_atoms
from microcoder_data.fidelity import loss
from microcoder_data.fidelity.atoms import KINDS, atoms
from microcoder_data.filter import quality, readability, relevance
from microcoder_data.phrases import Phrases, alternatives
from microcoder_data.process import (
    boilerplate,
    bounds,
    checker,
    doubled_formulas,
    doubtful_powers,
    figures,
    heading_lines,
    html_in_markdown,
    html_text,
    language,
    lost_exponents,
    lost_products,
    power_equations,
    searchable,
    several_answers,
    tex_text,
)
from microcoder_data.process import prose as prose_rules
from microcoder_data.process import text as process_text
from microcoder_data.report import rows_section
from microcoder_data.schema import Row, new_row, new_test
from microcoder_data.shards import read_shard, rows_at
from microcoder_data.sources import leetcode_dataset
from microcoder_data.syntax import nodes, parsed
from microcoder_data.verify import integrity
from microcoder_eval import arguments

MODULES = (several_answers, relevance, checker, figures)
PHRASES = [
    pytest.param(value, id=f"{module.__name__.rpartition('.')[2]}.{name}")
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, Phrases)
]
SPACES = st.sampled_from([" ", " ", " ", "  ", "\n", "\t", "\u00a0"])


def span(found: re.Match[str] | None) -> tuple[int, int] | None:
    return found.span() if found else None


def prose(words: list[str]) -> st.SearchStrategy[str]:
    """Texts of these words, of parts of them, and of what stands between words."""
    one = st.one_of(st.sampled_from(words), st.sampled_from([".", ",", "-", "'", "a", "of them", "is", "1", "ß", "好"]))
    return st.lists(st.tuples(one, SPACES), max_size=24).map(lambda pairs: "".join(a + b for a, b in pairs).lower())


@pytest.mark.parametrize("phrases", PHRASES)
def test_phrases_find_what_the_whole_pattern_finds(phrases: Phrases) -> None:
    pattern = re.compile(phrases.pattern)
    assert not pattern.groups, "the alternatives are compiled apart, so that numbers of groups would change"
    words = sorted({*re.findall(r"[^\W\d_]{2,}", re.sub(r"\\.|\(\?[:=!<]+", " ", phrases.pattern)), *phrases._words})

    @settings(max_examples=40, deadline=None)
    @given(st.one_of(prose(words), st.from_regex(pattern).map(str.lower)), st.integers(0, 30))
    def compare(text: str, start: int) -> None:
        assert span(phrases.search_from(text, start)) == span(pattern.search(text, start))
        if any(word in text for word in phrases._words):
            assert span(phrases.search(text)) == span(pattern.search(text))

    compare()


PIECES = st.sampled_from(
    ["a", "ab", "b ", r"\s+", r"\b", "(?:a|ab|c)", "(?:b|bc)?", "[ab]+", "c{2,}", ".", "(?:ab ){0,2}", r"\.", "[^c]",
     "(?!b)"]
)  # fmt: skip


PATTERNS = st.lists(st.lists(PIECES, min_size=1, max_size=4).map("".join), min_size=1, max_size=4)


@settings(max_examples=200, deadline=None)
@given(PATTERNS, st.text("abc .\n", max_size=16))
def test_any_pattern_taken_apart_finds_the_same(pieces: list[str], text: str) -> None:
    whole = "|".join(pieces)
    assert list(alternatives(whole)) == pieces
    assert span(Phrases(whole, "").search(text)) == span(re.search(whole, text))


@pytest.mark.parametrize(
    "guard, pattern",
    [
        (lost_exponents._MAY_BE_TOKEN, lost_exponents._TOKEN),
        (lost_exponents._MAY_BE_CLOSED, lost_exponents._CLOSED),
        (lost_exponents._MAY_BE_LETTER, lost_exponents._LETTER),
        (lost_exponents._MAY_BE_NAMED, lost_exponents._NAMED_POWER),
        (lost_exponents._MAY_HOLD_ONE, lost_exponents._TOKEN),
        (lost_exponents._MAY_HOLD_ONE, lost_exponents._CLOSED),
        (lost_exponents._MAY_HOLD_ONE, lost_exponents._LETTER),
        (lost_exponents._MAY_HOLD_ONE, lost_exponents._NAMED_POWER),
        (lost_exponents._MAY_HOLD_ONE, lost_exponents._TOLERANCE),
        (lost_exponents._MAY_HOLD_ONE, lost_exponents._COMPLEXITY),
        (lost_exponents._MAY_ANNOUNCE, lost_exponents._EXAMPLE),
        (lost_exponents._MAY_ANNOUNCE, lost_exponents._AFTER_EXAMPLES),
        (lost_products._MAY_BE_PRODUCT, lost_products._PRODUCT),
        (lost_products._MAY_BE_DOUBTFUL, lost_products._DOUBTFUL),
        (heading_lines._MAY_BE_GLUED, heading_lines._GLUED),
        (re.compile("10 ?-"), lost_exponents._TOLERANCE),
        (re.compile(r"O\("), lost_exponents._COMPLEXITY),
    ],
)
def test_guards_let_through_what_their_patterns_match(guard: re.Pattern[str], pattern: re.Pattern[str]) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.from_regex(pattern))
    def through(text: str) -> None:
        for line in text.split("\n"):
            if pattern.search(line):
                assert guard.search(line)

    through()


@pytest.mark.parametrize(
    "fast, slow",
    [
        (searchable._SPACE_IN_CHINESE, r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])"),
        (searchable._UNDERLINES, r"(?<![\w$\\^}\])])_{1,3}(?=[^\s_{])|(?<=[^\s_])_{1,3}(?![\w{(^])"),
        (
            doubtful_powers._BEHIND_A_BRACKET,
            r"(?<![\w.])2\([A-Za-z] ?- ?1\)(?! ?[-+*/=])|"
            r"(?<=[\w)\]])\)(?:[2-9]|(?!st|nd|rd|th)[a-z]{1,2})(?![\w)\]'(])",
        ),
        (
            doubtful_powers._SUM_OF_POWERS,
            r"(?<![\w.^-])(?<![-*/] )[2-9]\d ?[+%] ?\(?\d|(?<![\w.^])\d ?\+ ?[2-9]\d(?![\w.])",
        ),
        (html_in_markdown._ABOUT_ENTITIES, r"(?i:(?<![./\w])html\b|(?<![./\w])xml\b|entit|escap|实体)"),
    ],
)
def test_patterns_that_begin_with_what_is_rare_match_as_before(fast: re.Pattern[str], slow: str) -> None:
    some = st.lists(st.sampled_from("_ a2)(好].+5-%xA$\\{*n^h"), max_size=9).map("".join)
    words = st.sampled_from(["", "html", " XML", "/html", "Entity", "escape", "实体", "\n"])

    @settings(max_examples=300, deadline=None)
    @given(st.tuples(some, st.one_of(some, words, st.from_regex(slow)), some).map("".join))
    def compare(text: str) -> None:
        assert [found.span() for found in fast.finditer(text)] == [found.span() for found in re.finditer(slow, text)]

    compare()


@settings(max_examples=200, deadline=None)
@given(st.text("a b1.≤好é“’²_\n", max_size=16))
def test_words_are_split_as_their_pattern_finds_them(text: str) -> None:
    assert quality._words(text) == quality._WORD.findall(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["print", "find ", "output", "returns", " ", "\n", "sort", ".", "s"])).map("".join))
def test_a_frequent_task_is_a_task(text: str) -> None:
    if any(map(text.__contains__, readability._FREQUENT_TASKS)):
        assert readability._TASK.search(text)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["`a`", "$n$", "https://a.org", " ", "</b>", "&lt;", "http", "](b)", "word"])).map("".join)
)
def test_code_is_taken_out_with_or_without_addresses(text: str) -> None:
    assert prose_rules._without_code(text) == prose_rules._CODE.sub(" ", text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["≤", "\\le", "&lt;", "×", "**", "–", ",000", "$", "`", "1", " ", "n"])).map("".join))
def test_spellings_of_bounds_are_looked_for_by_their_signs(text: str) -> None:
    for signs, pattern, _ in bounds._SPELLINGS:
        assert all(found[0][0] in signs for found in pattern.finditer(text))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(["the", "of", "that", "are", "with", "number", "el", "y", "a", "5"]), max_size=60))
def test_english_with_signs_and_letters_is_english_without_them(words: list[str]) -> None:
    words_only = [word for word in words if word.isalpha() and len(word) > 1]
    english = sum(word in language.ENGLISH_PROSE for word in words_only)
    foreign = sum(word in language.FOREIGN for word in words_only)
    plainly = len(words_only) >= 12 and english >= 0.09 * len(words_only) and 6 * foreign <= english
    assert language._plainly_english(" ".join(words)) == plainly


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(["n", "2", "3", "1", "-", "'", " ", "x", "_", "{", "4"]), max_size=9).map("".join))
def test_names_are_found_alone_and_beside_figures_as_before(text: str) -> None:
    slow = re.search(r"(?<![\w'])[-\d]*n(?![\w'])", text)
    assert lost_exponents.occurs_alone("n", text) == (slow is not None)
    assert lost_exponents._has_siblings("n", "2", text) == (re.search(r"\bn_?\{?[014-9]\b", text) is not None)
    assert lost_exponents._is_with("n", "3", text) == (re.search(r"\bn_?\{?3\b", text) is not None)


def test_the_guard_of_a_line_refuses_what_no_pattern_matches() -> None:
    assert not lost_exponents._MAY_HOLD_ONE.search("a 1 b (2 ] 3A x4 300 19 15:")


LINES = st.sampled_from(
    ["Output: 5", "**Input:** n = 1", "## Output", "1. one", "- two 2", "1 <= n <= 10^5", "n < 10^{5} & m",
     "<b>bold</b> 7", "$x_{1} \\le 5$", "$x_1 \\le 5$", "a_{3", "}", "x ~ y", "\\begin{itemize}", "\\item one",
     "\\emph{z} \\texttt{q}",
     "```", "code(1)", "&lt;p&gt; 5 &amp; 6", "≤ 10⁵ “q”", "ｆｕｌｌ", "> quoted 4", "| a | b |", "|---|---|",
     "https://a.org/b?c=1", "\\\\ 5 & 6", "\\$5\\,6", "\\(y^2\\)", "", "105", "a 1.5 a.5 _5 x_5",
     "e\u0301", "\u200b8\u00a09",
     "<p>one two</p>", "10<sup>5</sup> 6", "<sup>a", "b</sup> c", "<li>red 3</li>", "<pre>7", "</pre>", "<a",
     "href='x'>y</a> 2",
     "<var>i + 1</var>", "<!-- c", "-->", '"x<b>y"', 'Input: "x<b>y" 3', "Output", ': "<b>4"', "~~~", "a~b", "a &lt; b",
     "&lt;b",
     "&gt; c", "<style>d", "</style>", "e<br>5", "<SUB>f</SUB>g", "n <b and c> d", "x<b>y</b>z"]
)  # fmt: skip
TEXTS = st.lists(LINES, max_size=9).map("\n".join)


def slow_loss(before: str, after: str) -> loss.Loss:
    first, second = atoms(before), atoms(after, processed=True)
    lost = {kind: first[kind] - second[kind] for kind in KINDS}
    lost["formulas"] = loss._not_contained(lost["formulas"], second)
    return loss.loss_of(before, lost, [])


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS, st.randoms(use_true_random=False))
def test_a_loss_by_lines_is_theloss_of_the_whole(shared: str, other: str, chance) -> None:  # type: ignore[no-untyped-def]
    lines = [*shared.split("\n"), *other.split("\n")]
    chance.shuffle(lines)
    before, after = row_of(shared), row_of("\n".join(lines[: len(lines) - chance.randrange(3)]))
    text = loss.text_of(before)
    whole = text, loss.with_values(after, before, text)
    found = loss.row_loss(before, after)
    assert found == (loss.NOTHING if loss.same_words(*whole) else slow_loss(*whole))
    lost = loss.lost_by_lines(*whole)
    if lost is not None:
        first, second = atoms(whole[0]), atoms(whole[1], processed=True)
        assert lost == {kind: first[kind] - second[kind] for kind in KINDS}


def row_of(text: str) -> Row:
    return new_row(problem_id="a:1", source="a", kind="stdin", statement=text)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_words_are_counted_as_before(one: str, other: str) -> None:
    lost = Counter(one.split())
    lost.subtract(other.split())
    gone = {word for word, count in lost.items() if count > 0}
    if not gone and not any(mark in one for mark in ("```", "<pre", "\\begin", "~~~")):
        assert loss.same_words(one, other)
    a, b = evidence._words(one), evidence._words(other)
    common = sum((a & b).values())
    assert evidence.words_shared(one, other) == common / max(1, sum(a.values()) + sum(b.values()) - common)


INPUTS = st.sampled_from(["3 4", "10 20 30 40 50 60", "100 200 300 400 500 600 700 800"])
SHOWN = st.lists(st.tuples(INPUTS, st.sampled_from(["7", "8"])), max_size=3)
NAMED = st.fixed_dictionaries(
    {
        "title": st.sampled_from(["", "Sum of Two", "Sum of Two II"]),
        "url": st.sampled_from([None, "https://leetcode.com/problems/sum-of-two"]),
        "kind": st.sampled_from(["stdin", "call"]),
    }
)


@settings(max_examples=200, deadline=None)
@given(st.tuples(SHOWN, SHOWN, NAMED), st.tuples(SHOWN, SHOWN, NAMED), st.sampled_from(evidence.WEAK_REASONS))
def test_rows_that_are_told_apart_fast_are_two_problems(one: Any, other: Any, reason: str) -> None:
    a, b = (
        Profile.read(
            profile_line(
                profile_of(
                    new_row(
                        problem_id="one:1",
                        source="one",
                        statement="Print the sum of two numbers.",
                        samples=[{"input": given, "output": wanted, "explanation": None} for given, wanted in samples],
                        tests=[new_test(*test) for test in tests],
                        **named,
                    )
                )
            )
        )
        for samples, tests, named in (one, other)
    )
    if evidence.share_little(a, b):
        assert not evidence.judge(a, b, reason).same


WORDS = st.lists(st.sampled_from(["a", "b", "cd", "漢", "x1"]), max_size=9)


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=4), st.sampled_from([1, 2, 3, 5]))
def test_n_grams_are_hashed_in_a_text_as_they_are_alone(texts: list[list[str]], n: int) -> None:
    grams, text = tokens.gram_hashes(*tokens.token_hashes([" ".join(words) for words in texts]), n)
    wanted = []
    for number, words in enumerate(texts):
        for start in range(max(len(words) - n + 1, min(1, len(words)))):
            alone, _ = tokens.gram_hashes(*tokens.token_hashes([" ".join(words[start : start + n])]), n)
            wanted.append((number, int(alone[0])))
    assert list(zip(text.tolist(), grams.tolist(), strict=True)) == wanted


HEADINGS = [
    "-----Sample Input 2-----",
    "### Example 1",
    "**Input:**",
    "- Example 1",
    "1. Input",
    "> Output",
    "+ Notes",
    "* Sample 3",
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*HEADINGS, "", "3 4", "Add them."]), max_size=6))
def test_headings_that_are_left_out_lose_nothing(lines: list[str]) -> None:
    before, after = "\n".join(lines), "\n".join(line for line in lines if line not in HEADINGS)
    if loss.same_words(before, after):
        assert slow_loss(before, after) == loss.NOTHING


def test_numbered_headings_of_samples_need_no_search() -> None:
    assert loss.same_words("Add.\n-----Sample Input 2-----\n3 4\nExplanation:", "Add.\n3 4")
    assert not loss.same_words("Add.\n- Example 1\n- 3 4", "Add.\n- 3 4")


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["Output: 5", "x", "1:2", "&#58;", "Output&#58; 7", "Input：1", "OUTPUT <b>:", "saída: 1"])
    ).map("\n".join)
)
def test_values_after_output_need_a_colon(text: str) -> None:
    assert loss.values_after_output(text) == loss.values_after_output(f"{text}\n&amp;")
    assert loss._has_value_behind(text) == (loss._VALUE_BEHIND.search(text) is not None)


@given(st.text("ab .!?。！\n", max_size=12))
def test_sentences_are_what_the_pattern_splits(prose: str) -> None:
    assert readability._sentences(prose) == readability._END.split(prose)


WORDS_OF_LINES = st.sampled_from(
    [
        "word",
        "Word",
        "(x),",
        "dog's",
        "'tis",
        "10^n",
        "-5",
        "1.5.",
        "a_b",
        "2n",
        "n<=5",
        "!=",
        "a.b",
        "好",
        "ſ",
        "é",
        "+1",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(WORDS_OF_LINES, max_size=8).map(" ".join), max_size=3))
def test_a_word_between_spaces_is_counted_as_the_pattern_counts_it(lines: list[str]) -> None:
    slow: dict[str, Counter[str]] = {kind: Counter() for kind in fidelity_atoms.KINDS_OF_LINES}
    for number, operator, word in fidelity_atoms._TOKEN.findall("\n".join(lines)):
        kind = "words" if word else "numbers" if number else "operators"
        slow[kind][(word or number or operator).lower()] += 1
    found = fidelity_atoms.atoms_of_lines(lines)
    assert found == slow
    assert all(list(found[kind]) == list(slow[kind]) for kind in slow), "excerpts are shown in order"


SLOW_OVER_LINES = re.compile(
    r"[\^_]\s*\{[^{}\n]*\n|[\^_][^\S\n]*\n\s*\{|"
    r"\\(?:\\|begin|end|section|[vh]space|label|include|illus|use|lst|page|problem|\w*ref|set|new|renew|def|noalign|cline|multi)"
)
SLOW_OPERATOR = re.compile(
    r"\\(?:(?:leqslant|leq|le|geqslant|geq|ge|neq?|lt|gt|times|cdot)(?![A-Za-z])|text(?:less|greater))|[≤⩽≥⩾≠×⋅·−–]"
)
SLOW_FORMULA = re.compile(
    r"(?<![\\$])\${1,3}(?!\$)([^$\n]{1,400}?)(?<!\\)\${1,3}|\\\((.{1,400}?)\\\)|<var>([^<>]{1,200})</var>"
)
SLOW_LINE_OF_TABLE = re.compile(r"(?m)^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)+\|?[ \t]*$")
PARTS_OF_MARKUP = st.lists(
    st.sampled_from(
        ["<", "b>", "!--", "\\", "leq", "le", "text", "less", "begin", "pageref", "≤", "·", "^", "_", "{", "}",
         "$", "$$", "\\(", "\\)", "<var>", "</var>", "a", " ", "\n", "|", "---", ":--", "\t"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(PARTS_OF_MARKUP)
def test_patterns_that_begin_with_a_character_find_what_they_found(text: str) -> None:
    def spans(pattern: re.Pattern[str]) -> list[tuple[int, int]]:
        return [found.span() for found in pattern.finditer(text)]

    found = fidelity_atoms._TEX_OVER_LINES.search(text) or fidelity_atoms._RAISED_OVER_LINES.search(text)
    assert bool(found) == bool(SLOW_OVER_LINES.search(text))
    assert spans(fidelity_atoms._OPERATOR) == spans(SLOW_OPERATOR)
    assert spans(fidelity_atoms._FORMULA) == spans(SLOW_FORMULA)
    assert fidelity_atoms._tables(text) == len(SLOW_LINE_OF_TABLE.findall(text))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "Example 1:",
                "Output",
                ":",
                "&#58;",
                "\\:",
                "\\quad",
                "\\vspace{2cm}",
                "<b>",
                "</b>",
                "**",
                " 5",
                "\n",
                "x",
            ]
        ),
        max_size=10,
    ).map("".join)
)
def test_values_behind_output_are_found_in_tex_too(text: str) -> None:
    found = loss.values_after_output(f"{text}\\le")
    assert found == loss.values_after_output(f"{text}\\le\nOutput:"), "the added line makes the whole text be read"


@pytest.mark.parametrize(
    "pattern, required", [(pattern, words) for _, pattern, words in boilerplate._PATTERNS if len(words) > 1]
)
def test_boilerplate_holds_one_of_the_words_that_are_looked_for_first(
    pattern: re.Pattern[str], required: tuple[str, ...]
) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.from_regex(pattern))
    def holds(text: str) -> None:
        assert any(word in text for word in required)

    holds()


DASHES = st.lists(
    st.sampled_from(["----", "-----", "------ ", "Input", "Constraints", "Sample Input 1", ":", "\n", " ", "a-b", "5"]),
    max_size=12,
).map("".join)


@settings(max_examples=300, deadline=None)
@given(DASHES)
def test_headings_between_dashes_are_found_from_their_first_dash(text: str) -> None:
    slow = re.compile(r"(?m)^(?:-{4,}[ \t]*\n)?(-{4,}[ \t]*[A-Za-z][^\n-]{1,40}-{4,})[ \t]*(.*)$")
    found = [(one.span(), f"-{one[1]}", one[2]) for one in heading_lines._BETWEEN_DASHES.finditer(text)]
    assert found == [(one.span(), one[1], one[2]) for one in slow.finditer(text)]


@settings(max_examples=200, deadline=None)
@given(st.text("1234 +=*^.a", max_size=24))
def test_equations_are_found_from_their_first_digit(text: str) -> None:
    side = power_equations._SIDE
    slow = re.compile(rf"(?<![\w.^]){side}(?: ?= ?{side})+(?![\w^]|\.\d)")
    assert [found.span() for found in power_equations._EQUATION.finditer(text)] == [
        found.span() for found in slow.finditer(text)
    ]
    assert power_equations._EQUAL_NUMBERS.search(text) or not slow.search(text)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["a", "B_", "1", ".", ". ", " ", "é", "²", "-", "好"])).map("".join))
def test_names_with_dots_are_found_from_their_dots(text: str) -> None:
    assert prose_rules._without_dotted_names(text) == re.sub(r"\b\w+(?:\.\w+)+", " ", text)


@given(st.text("a \n\u3000", max_size=240))
def test_a_row_is_shown_by_the_first_words_of_its_text(text: str) -> None:
    words = " ".join(text.split())
    whole = words if len(words) <= 100 else f"{words[:100].rsplit(' ', 1)[0]} …"
    assert rows_section._short(text) == whole


@given(st.lists(st.sampled_from(["alpha", "beta", "好的", "a"]), min_size=1, max_size=6), st.integers(0, 3))
def test_tokens_have_the_same_hashes_in_a_short_and_in_a_long_text(words: list[str], longer: int) -> None:
    short, _ = tokens.token_hashes([" ".join(words)])
    whole, offsets = tokens.token_hashes(["x " * (longer * tokens.LEAST_POWERS // 4) + " ".join(words)])
    assert short.tolist() == whole[offsets[1] - len(short) :].tolist()


@given(st.text("0123456789 ab²\n-", max_size=30))
def test_weights_are_those_of_the_tokens(text: str) -> None:
    assert examples.weight_of(text) == sum(map(examples._weight, text.split()))


@given(
    st.lists(st.sampled_from(["True", "None", "NULL", "Null", "true", "untrue", "Nulls", "7", "[", ",", " "])).map(
        "".join
    )
)
def test_literals_are_written_alike(text: str) -> None:
    lowered = examples._LITERAL.sub(lambda word: word[0].lower(), text)
    assert examples.canonical(text, keep_case=True) == examples.canonical(lowered, keep_case=True)


@given(st.text(" \t\na\u00a0", max_size=20))
def test_blanks_are_joined_as_the_pattern_joins_them(text: str) -> None:
    assert searchable.single_spaced(text) == searchable._SPACES.sub(" ", text)


INPUTS = st.lists(
    st.sampled_from(
        ["n = ", "1", "2", "-", " ", "\n", ", ", "[", "]", "True", "true", '"', "a", "A", "\x1c", "é", ".5"]
    ),
    max_size=6,
).map("".join)


@settings(max_examples=300)
@given(st.lists(INPUTS, max_size=4), INPUTS)
def test_an_input_is_found_by_its_canonical_form(inputs: list[str], text: str) -> None:
    shown = [{"input": one} for one in inputs]
    typed = {" ".join(one["input"].split()): one for one in reversed(shown)}
    in_one_form = dict(reversed(list(zip(examples.input_keys(shown), shown, strict=True))))
    wanted = typed.get(" ".join(text.split())) or in_one_form.get(examples.canonical(text, keep_case=True))
    assert examples.by_input(shown)(text) == wanted


@settings(max_examples=300)
@given(st.text("ab1$é\n", max_size=12))
def test_a_formula_behind_its_letter_is_found_from_the_dollar(text: str) -> None:
    slow = re.search(r"([A-Za-z0-9])\$\1\$", text)
    assert bool(doubled_formulas._TWICE.search(text)) == bool(slow)


@given(
    st.lists(st.sampled_from(["yes", "ye", "s", "no", " ", ".", "_", "7", "ß"])).map("".join),
    st.sampled_from(["yes", "no", "ß", "7", "a.", ""]),
)
def test_a_word_of_a_text_is_in_it(text: str, line: str) -> None:
    found = re.search(rf"\b{re.escape(line)}\b", text) is not None
    assert several_answers._is_word_of(text, line) == (line.isalpha() and found)


def test_a_remembered_search_is_that_of_a_row_with_the_same_answers() -> None:
    rows = [
        new_row(kind="stdin", statement="A number stays. Print any remaining number.", tests=[new_test("1 2", answer)])
        for answer in ("2", "2 1")
    ]
    for row in [*rows, *rows]:
        assert several_answers.several_answers(row) == several_answers._found(row)
    assert [several_answers.several_answers(row) is None for row in rows] == [True, False]


LAZY_MATHS = re.compile(
    r"\${6}(?!\$).+?\${6}|\${3}(?!\$).+?\${3}|(?<!\\)\$\$.+?\$\$|(?<!\\)\$[^$]+?(?<!\\)\$|\\\(.+?\\\)|(?<!\\)\\\[.+?\\\]",
    re.DOTALL,
)


@settings(max_examples=200)
@given(
    st.lists(
        st.sampled_from(
            ["\\section", "\\emph", "$", "$$", "\\(", "\\)", "\\", "{a}", " ", "s", "\n# b", "\\begin{center}"]
        )
    ).map("".join)
)
def test_tex_is_recognised_outside_of_formulas(text: str) -> None:
    def slow() -> bool:
        if "\\" not in text or "<p>" in text:
            return False
        outside = LAZY_MATHS.sub(" ", text) if "$" in text or "\\(" in text else text
        if tex_text._EVIDENCE.search(outside):
            return True
        return tex_text._WEAK_EVIDENCE.search(outside) is not None and not tex_text._MARKDOWN.search(text)

    assert tex_text.looks_like_tex(text) == slow()


LITERALS = st.recursive(
    st.sampled_from(
        ["1", "-2", "0.5", "'inf'", "inf", "-inf", "math.inf", "float('inf')", "None", "x", "f(1)", "1e999"]
    ),
    lambda inner: st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
    max_leaves=6,
)


@given(LITERALS)
@example("float('-inf')")
def test_literals_of_leetcode_are_read_as_before(text: str) -> None:
    value = ast.parse(text, mode="eval").body
    written = ast.unparse(value)

    def slow() -> object:
        if leetcode_dataset._INFINITE.fullmatch(written):
            return float(written.replace("float(", "").replace("math.", "").strip("()'\""))
        return ast.literal_eval(value)

    try:
        wanted: object = repr(slow())
    except ValueError:
        wanted = ValueError
    try:
        found: object = repr(leetcode_dataset._literal(value))
    except ValueError:
        found = ValueError
    assert found == wanted


@given(LITERALS, st.sampled_from(["guaranteed that a solution exists", "infinite", ""]))
def test_assertions_that_expect_no_answer_are_those_of_the_text(text: str, statement: str) -> None:
    test = ast.parse(f"f() == {text}", mode="eval").body
    assert isinstance(test, ast.Compare)
    no_answer = integrity._no_answer(statement)
    assert integrity._expects_no_answer(test, no_answer) == bool(no_answer.fullmatch(ast.unparse(test.comparators[0])))


ARGUMENTS = st.lists(
    st.sampled_from(
        ["nums = [1, 2]", "k=3", "s = \"a, b = 1\"", "t = 'x'", "a = true", "b = None", "c = -0.5", "class = 1", "1",
         ", ", ",", "\n", " ", "d = {\"x\": [null]}", "e = NaN", "f = 1e999", "g = 01", "h = \"\\u0041\"",
         "i = \"a\" \"b\"", "=", "é = 1",
         "j = 1_000", "l = (1, 2)", "m = [1,]", "n = \"é\t\""]
    ),
    max_size=6,
).map("".join)  # fmt: skip


@settings(max_examples=600)
@given(ARGUMENTS)
@example("nums = [1, 2], k = 3")
@example('s = "a # b"\nif = {"x": "\\u0041\\n"}\nk = 1e999')
def test_arguments_that_are_json_are_read_as_python_reads_them(text: str) -> None:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    for found in (arguments._json_by_name(text), arguments._json_by_line(lines)):
        if found is not None:
            assert repr(found) == repr(arguments._read_by_python(text, lines))
            assert repr(found) == repr(arguments.parse_arguments(text))


def test_usual_arguments_need_no_parser() -> None:
    assert arguments._json_by_name('nums = [1, -2],\ns = "ab"') == {"nums": [1, -2], "s": "ab"}
    assert arguments._json_by_line(["nums = [1, -2]", ' s = "a\\nb"']) == {"nums": [1, -2], "s": "a\nb"}


@pytest.mark.parametrize("pattern", [process_text._MAY_COMPOSE, fidelity_atoms._NOT_PLAIN])
def test_a_text_of_characters_that_never_compose_is_composed(pattern: re.Pattern[str]) -> None:
    joined = {
        decomposed.split()[1]
        for code in range(0x110000)
        if " " in (decomposed := unicodedata.decomposition(chr(code))) and not decomposed.startswith("<")
    }
    passing = [chr(code) for code in range(0x110000) if not pattern.search(chr(code))]
    assert len(passing) > 20_000
    assert all(unicodedata.normalize("NFC", one) == one and not unicodedata.combining(one) for one in passing)
    assert not [one for one in passing if f"{ord(one):04X}" in joined]
    assert pattern is process_text._MAY_COMPOSE or not [one for one in passing if fidelity_atoms._ZERO_WIDTH.match(one)]


def test_a_program_is_parsed_once_and_walked_in_order() -> None:
    tree = parsed("def f(x):\n    return x + 1")
    assert tree is not None and parsed("def f(x):\n    return x + 1") is tree
    assert list(nodes(tree)) == [one for one in ast.walk(tree) if not isinstance(one, ast.expr_context)]
    assert parsed("def f(") is None and parsed("\x00") is None


@pytest.mark.parametrize("few", [0, shards.FEW_ROWS])
def test_some_rows_of_a_shard_are_those_at_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(shards, "FEW_ROWS", few)
    path = tmp_path / "rows.parquet"
    table = pa.table({"n": list(range(10)), "parts": [[{"a": str(n)}] * (n % 3) for n in range(10)]})
    pq.write_table(table, path, row_group_size=4)
    rows = list(read_shard(path))
    for places in ([], [0], [3, 4], [9], [0, 5, 7, 9], list(range(10))):
        assert list(rows_at(path, places)) == [rows[place] for place in places]


TAGS = (
    *("p", "div", "section", "ul", "ul", "ol", "li", "li", "pre", "h3", "code", "strong", "b", "em", "i", "sup", "sub"),
    *("var", "a", "span", "u", "td", "kbd"),
)
PARTS = (
    "n",
    "10",
    "a b",
    "-1.",
    " ",
    "\n",
    "  ",
    "&lt;",
    "&nbsp;",
    "&ne;",
    "`",
    "``",
    "$n$",
    "好 ",
    "*",
    "|",
    "\u3000",
)
HTML = st.recursive(
    st.sampled_from(
        [*PARTS, "<br>", "<hr/>", "<p>", "<code>", "</li>", "</pre>", '<a href="u">', '<img src="u" alt="x">']
    ),
    lambda parts: st.tuples(
        st.sampled_from(TAGS), st.sampled_from(["", "", ' class="x"']), st.lists(parts, max_size=5)
    ).map(lambda found: f"<{found[0]}{found[1]}>{''.join(found[2])}</{found[0]}>"),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(HTML, max_size=6).map("".join))
@example("<p>Add <code>n</code> to <strong>10<sup>5</sup></strong>.</p><pre><b>Input:</b> 1</pre>")
@example("<p>n</p><ul></ul>n")
@example('&# <b>n</b><img alt="<b>x</b>">')
@example("<sup>n</sup><tr>")
def test_simple_tags_become_what_the_converter_makes_of_them(text: str) -> None:
    with mock.patch.object(html_text, "converted", lambda _: None):
        converted = html_text.html_to_markdown(text)
    assert html_text.html_to_markdown(text) == converted


PIECES_OF_HTML = st.lists(
    st.sampled_from(["<b>", "</b>", "<B >", "</B>", "<i></i>", "x", " ", "\n", "\u00a0", "&nbsp;", "&NBSP;", "*", "# y",
     "\t> z"]),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(PIECES_OF_HTML)
def test_spaces_and_marks_are_moved_as_the_patterns_move_them(text: str) -> None:
    slow = html_text._PRODUCT_BEFORE.sub(" * ", html_text._PRODUCT_BEHIND.sub(r"\1 * ", text))
    for _ in range(3):
        slow = html_text._SPACE_INSIDE_END.sub(r"\2\1", html_text._SPACE_INSIDE_START.sub(r"\2\1", slow))
        slow = html_text._EMPTY.sub("", slow)
    assert html_text._spaces_outside(text) == slow
    marks = html_text._BETWEEN_BOLD.sub("", html_text._SPACES_AT_START.sub("", text))
    assert html_text._without_extra_marks(text) == html_text._BLANK_LINES.sub("\n\n", marks)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["![", "!\\[", "[", "](", "a.png)", "<image>", "[Image]", "$$", "x ", "`"])).map("".join)
)
def test_dead_figures_are_in_texts_that_show_a_link_or_a_placeholder(text: str) -> None:
    found = figures._LINK.search(text) or figures._CODE_OR_PLACEHOLDER.sub(lambda one: one[1] or "", text) != text
    if found:
        assert "![" in text or "!\\[" in text or figures._may_have_lost(text)
