"""Pool the rows of one problem: each field of the row that stays comes from the row where it is best.

A twin is a row that is merged into the row that stays.

    statement, samples   the most intact ones: see `integrity`
    tests                all, each input once; where answers differ, the majority decides, in a tie the row that stays
    solutions            all, right and wrong
    checker, limits      a twin's, where the row states none
    date                 the earliest
    difficulty, tags     the row's own, completed by the twins': a row with a word for it gets a twin's rating

The provenance step `pool_v4` says what came from which row. Nothing here reads files or runs programs.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from microcoder_data.compare.constants import numbers
from microcoder_data.compare.evidence import ALIKE, signature_key, words_shared
from microcoder_data.compare.examples import by_input, canonical, input_keys
from microcoder_data.compare.families import only_adds_a_number
from microcoder_data.process.render import whole_text
from microcoder_data.process.written_out import written_out
from microcoder_data.rules import Outcome, Rule, changed, rule_name
from microcoder_data.schema import Row
from microcoder_data.syntax import parsed

POOL_RULE = "pool_v4"
STATEMENT = (
    "statement", "statement_original", "translator", "language", "title", "input_format", "output_format",
    "constraints", "notes", "samples",
)  # fmt: skip
_NOT_OF_THE_TEXT = ("checker", "samples", "answer_format")
"""Rules of Process about tests and answers. Their provenance steps stay when the row gets another statement."""
_OF_THE_TEXT = ("watermark", "quality", "readability")
"""Rules of other stages about the text. Their provenance steps come with the statement."""
_FILLED_ALWAYS = ("url",)
_FILLED = (*_FILLED_ALWAYS, "starter_code", "time_limit_ms", "memory_limit_mb", "time_multiplier")
_DIFFICULTY = (("native", "level"), ("rating",), ("predicted", "predictor"), ("pass_rate", "pass_n", "pass_model"))
"""What belongs together in a difficulty and is taken from one row."""
_PLACE = ("platform", "contest_id", "problem_index", "slug")
LONGER = 1.15
"""Of two statements that are equally intact, the twin's replaces the row's own if it is longer by this factor."""
_DEFAULT_CHECKERS = (None, "tokens", "exact")
_RAISED = re.compile(r"(?<![\d.])(\d{1,2})\s*(?:\^|\*\*)\s*\{?\s*(\d{1,2})|<sup>")
_TAG = re.compile(r"</?(?:p|br|su[pb]|div|span|pre|code|strong|em|b|i|ul|ol|li|font|table|t[rdh])\b[^>]*>", re.I)
_DEAD_FIGURE = re.compile(r"!\[[^\]]*\]\((?!\s*(?:https?://|data:))[^)\n]*\)")
"""A figure without an address, or with one in the files of whoever made the dump."""


def pool(row: Row, twins: Sequence[Row], languages: Sequence[str] = (), caps: Sequence[Rule] = ()) -> Outcome | None:
    """Complete `row` from its twins in place; returns what was taken, or None for nothing.

    `languages` are preferred for the statement, in this order. `caps` are the rules that choose among a row's tests."""
    taken: dict[str, list[str]] = defaultdict(list)
    fits = [_same_form(row, twin) for twin in twins]
    alike = [twin for twin, fit in zip(twins, fits, strict=True) if fit]
    _pool_statement(row, alike, languages, taken)
    _pool_tests(row, alike, caps, taken)
    _pool_solutions(row, alike, taken)
    for twin in alike:
        checker = twin["checker"]
        if checker and checker["kind"] not in _DEFAULT_CHECKERS and _kind(row["checker"]) in _DEFAULT_CHECKERS:
            row["checker"] = checker
            taken[twin["problem_id"]].append(f"checker {checker['kind']}")
    for twin, fit in zip(twins, fits, strict=True):
        _pool_details(row, twin, fit, taken)
    if not taken:
        return None
    for twin in twins:
        licenses = [row["license"], twin["license"]]
        if twin["problem_id"] in taken and all(licenses) and licenses[1] not in licenses[0].split(" AND "):
            row["license"] = " AND ".join(licenses)
    return changed("; ".join(f"from {name}: {', '.join(what)}" for name, what in taken.items()), len(taken))


def integrity(row: Row, powers: Collection[str], languages: Sequence[str] = ()) -> tuple[float, ...]:
    """How intact a statement is: of several, the one with the largest tuple is the best. powers: as all of them write
    them (`powers`)."""
    text = whole_text(row)
    language = row["language"] or ""
    samples = [one for one in row["samples"] if (one["input"] or "").strip() and (one["output"] or "").strip()]
    steps = row["provenance"]
    lost = max((one["statistic"] or 0.0 for one in steps if rule_name(one["rule"]) == "fidelity"), default=0.0)
    marks = sum(one["outcome"] == "marked" and rule_name(one["rule"]) == "exponents" for one in steps)
    return (
        -(languages.index(language) if language in languages else len(languages)),
        row["translator"] is None,
        not _holds_the_answer(row),
        -len(bounds_without_exponent(text, powers)),
        -marks,
        -round(lost, 2),
        len(samples) > 0,
        -(len(row["samples"]) - len(samples)),
        -len(_TAG.findall(text)) - len(_DEAD_FIGURE.findall(text)),
        -sum("\n" in (one["output"] or "").strip() for one in samples) if row["kind"] != "stdin" else 0,
        bool(row["constraints"]),
        min(len(samples), 5),
        "`" in text or "$" in text,
        len(text.split()),
    )


def _holds_the_answer(row: Row) -> bool:
    """Whether the statement has the whole program that the test program asks for; then a twin's is the task."""
    tests = parsed(row["test_code"] or "") if row["kind"] == "asserts" else None
    return tests is not None and bool(written_out(row["statement"], tests))


def powers(texts: Iterable[str]) -> set[str]:
    """The powers in these texts, each as it reads without its sign: `105` for 10^5."""
    return {f"{found[1]}{found[2]}" for text in texts for found in _RAISED.finditer(text) if found[1]}


def bounds_without_exponent(text: str, raised: Collection[str]) -> set[str]:
    """Numbers of this text that it or another text writes as powers, such as `105` for 10^5, and itself never does.

    >>> texts = "1 <= n <= 105", "1 <= n <= 10^5"
    >>> [bounds_without_exponent(text, powers(texts)) for text in texts]
    [{'105'}, set()]
    """
    if not raised:
        return set()
    bare = set(re.findall(r"(?<![\w.^])\d+(?!\w|\.\d)", text))
    return (bare.intersection(raised) - powers([text])) & numbers(text)


def _pool_statement(row: Row, alike: Sequence[Row], languages: Sequence[str], taken: dict[str, list[str]]) -> None:
    rows = [row, *alike]
    raised = powers(whole_text(one) for one in rows)
    ranks = [integrity(one, raised, languages) for one in rows]
    best = rows[ranks.index(max(ranks))]
    if best is not row and _more_intact(row, ranks[0], best, max(ranks)):
        _take_statement(row, best)
        taken[best["problem_id"]].append("statement")
    for twin in rows:
        if filled := _fill_samples(row, twin):
            taken[twin["problem_id"]].append(f"{filled} sample outputs")


def _more_intact(row: Row, own: tuple[float, ...], best: Row, rank: tuple[float, ...]) -> bool:
    """Whether the best statement is more intact than the row's own, not only longer or in other words."""
    if whole_text(best) == whole_text(row) and best["samples"] == row["samples"]:
        return False
    if own[:-2] != rank[:-2]:
        return True
    mine, other = (
        whole_text(one).replace("_", "") for one in (row, best)
    )  # a lost subscript does not make another word
    if words_shared(mine, other) < ALIKE:
        return False
    return own[-2] != rank[-2] or rank[-1] >= LONGER * own[-1]


def _fill_samples(row: Row, twin: Row) -> int:
    """Give samples without an output the answer that a twin has for the same input; returns how many."""
    empty = [one for one in row["samples"] if (one["input"] or "").strip() and not (one["output"] or "").strip()]
    if not empty:
        return 0
    shown = [one for one in [*twin["tests"], *twin["samples"]] if one["input"] and (one["output"] or "").strip()]
    find = by_input(shown)
    filled = 0
    for one in empty:
        if answered := find(one["input"]):
            one["output"] = answered["output"]
            filled += 1
    return filled


def _take_statement(row: Row, best: Row) -> None:
    """Replace the row's statement and the provenance of its text by those of `best`."""
    samples = row["samples"]
    numbered = only_adds_a_number(best["title"] or "", row["title"] or "")
    for name in STATEMENT:
        if name == "title" and numbered:
            continue  # the number is the twin's place in a list
        row[name] = best[name] if best[name] or name not in ("title", "language") else row[name]
    if not row["samples"]:
        row["samples"] = samples
    row["provenance"] = [one for one in best["provenance"] if _of_the_text(one)] + [
        one for one in row["provenance"] if not _of_the_text(one)
    ]


def _of_the_text(step: dict[str, Any]) -> bool:
    """Whether a provenance step is about the text."""
    if step["stage"] == "process":
        return rule_name(step["rule"]) not in _NOT_OF_THE_TEXT
    return rule_name(step["rule"]) in _OF_THE_TEXT


def _pool_tests(row: Row, alike: Sequence[Row], caps: Sequence[Rule], taken: dict[str, list[str]]) -> None:
    """Add the twins' tests; for an input with several answers, keep the answer that most rows give."""
    if row["kind"] not in ("stdin", "call") or row["groups"]:
        return
    rows = [row, *(twin for twin in alike if twin["kind"] == row["kind"] and not twin["groups"])]
    keys = [input_keys(one["tests"]) for one in rows]
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for one, questions in zip(rows, keys, strict=True):
        for key, answer in {key: _answer(test) for key, test in zip(questions, one["tests"], strict=True)}.items():
            votes[key][answer] += 1
    chosen: dict[str, dict[str, Any]] = {}
    for one, questions in zip(rows, keys, strict=True):
        added = replaced = 0
        for key, test in zip(questions, one["tests"], strict=True):
            earlier = chosen.get(key)
            if earlier is None:
                chosen[key], added = test, added + 1
            elif votes[key][_answer(test)] > votes[key][_answer(earlier)]:
                chosen[key], replaced = {**test, "public": test["public"] or earlier["public"]}, replaced + 1
            elif test["public"]:
                earlier["public"] = True
        if one is not row and added:
            taken[one["problem_id"]].append(f"{added} tests")
        if replaced:
            taken[one["problem_id"]].append(f"{replaced} answers that most twins give")
    differ = sum(len(answers) > 1 for answers in votes.values())
    if differ:
        taken[row["problem_id"]].append(f"{differ} tests that a twin answers differently")
    if len(chosen) == len(row["tests"]) and not differ:
        return
    row["tests"] = list(chosen.values())
    row["tests_total"] = max([len(chosen), *(one["tests_total"] or 0 for one in rows)])
    for cap in caps:
        cap(row)


def _pool_solutions(row: Row, alike: Sequence[Row], taken: dict[str, list[str]]) -> None:
    known = {(one["language"], " ".join(one["code"].split())) for one in row["solutions"]}
    solutions = row["solutions"] = list(row["solutions"])
    for twin in alike:
        added = 0
        for solution in twin["solutions"]:
            key = solution["language"], " ".join(solution["code"].split())
            if key not in known:
                known.add(key)
                solutions.append(solution)
                added += 1
        if added:
            taken[twin["problem_id"]].append(f"{added} solutions")


def _pool_details(row: Row, twin: Row, alike: bool, taken: dict[str, list[str]]) -> None:
    """Fill empty columns; those that depend on the form of the statement or programs only from a twin of the same
    form."""
    what = []
    for name in _FILLED if alike else _FILLED_ALWAYS:
        if row[name] is None and twin[name] is not None:
            row[name] = twin[name]
            what.append(name)
    if not row["platform"] and twin["platform"]:
        what.append("platform")
        for name in _PLACE:
            row[name] = twin[name]
    if twin["contest_date"] and (row["contest_date"] is None or twin["contest_date"] < row["contest_date"]):
        row["contest_date"] = twin["contest_date"]
        what.append("contest_date")
    if twin["difficulty"] and (difficulty := _completed(row["difficulty"] or {}, twin["difficulty"])):
        row["difficulty"] = difficulty
        what.append("difficulty")
    known = {tag.lower() for tag in row["tags"]}
    if tags := [tag for tag in twin["tags"] if tag.lower() not in known]:
        row["tags"] = [*row["tags"], *tags]
        what.append("tags")
    if what:
        taken[twin["problem_id"]] += what


def _completed(own: dict[str, Any], other: dict[str, Any]) -> dict[str, Any] | None:
    """A difficulty with the parts of another one that it lacks, such as a rating; None where it lacks none."""
    lacking = [part for part in _DIFFICULTY if not any(own.get(name) is not None for name in part)]
    new = {name: other[name] for part in lacking for name in part if other.get(name) is not None}
    return {**dict.fromkeys(other), **own, **new} if new else None


def _same_form(row: Row, twin: Row) -> bool:
    """Whether a twin's statement, tests and programs fit the row: the same kind of input, the same function."""
    functions = ("call", "asserts")
    if row["kind"] not in functions or twin["kind"] not in functions:
        return bool(row["kind"] == twin["kind"])
    if row["entry_point"] != twin["entry_point"]:
        return False
    ours, theirs = parameters(row), parameters(twin)
    return ours is None or theirs is None or ours == theirs


def parameters(row: Row) -> list[str] | None:
    """The parameters of the function that a solution must define; None if the starter code does not say."""
    name = (row["entry_point"] or "").rpartition(".")[2]
    starter = (row["starter_code"] or "").rstrip()
    for ending in ("", " pass", "\n        pass", "\n    pass"):
        try:
            tree = ast.parse(starter + ending)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and signature_key(node.name) == signature_key(name):
                return [argument.arg for argument in node.args.args if argument.arg != "self"]
    return None


def _answer(test: dict[str, Any]) -> str:
    return test["ref"] or canonical(test["output"])


def _kind(checker: dict[str, Any] | None) -> str | None:
    return checker["kind"] if checker else None
