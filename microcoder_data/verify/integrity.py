"""The rule of test integrity: no repeated test, no input with two outputs, no error message as an output.

Tests are also removed when their expected output means "no answer" (`-inf`, or None where the statement promises an
answer): the problem does not allow their input. Such assertions are removed from test programs too, and those of a None
that the publisher's solution chose to return and the statement does not name, of other values that it chose
(`chosen_values`), and of errors of which the statement does not speak (`open_errors`).
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from microcoder_data.process.render import whole_text
from microcoder_data.process.samples import close
from microcoder_data.rules import Outcome, changed, drop, kept
from microcoder_data.schema import ROW, Row
from microcoder_data.syntax import last_word, nodes, nodes_of, parsed
from microcoder_data.verify.chosen_values import Chosen
from microcoder_data.verify.open_errors import OpenErrors, caught_as, expects_errors, names_in

_ERROR = re.compile(
    r"^\s*(?:Traceback \(most recent call last\)|(?:\w+\.)*\w*(?:Error|Exception)\b\s*:|Error: |Segmentation fault|Time Limit Exceeded|Runtime Error)"
)

_ERRORS_NAMED = re.compile(r"(?:[\w.]*(?:Error|Exception)\b\s*:|Error: )\s*[A-Za-z]\w+(?:\s+\w+)?")
"""The beginning of the text of an error that a statement asks for."""


@dataclass(frozen=True)
class TestIntegrity:
    """Remove broken tests; drop rows with too few tests left or too many broken ones."""

    __test__ = False

    name: ClassVar[str] = "test_integrity_v8"
    min_tests: int = 1
    max_broken_share: float = 0.5
    """Drop a row with a larger share of broken tests than this, because its other tests are not trusted either."""

    def __call__(self, row: Row) -> Outcome | None:
        before = len(row["tests"])
        answers = [row["test_code"] or "", *(test["output"][:LONGEST_NONE] for test in row["tests"])]
        said = "\n".join(answers).lower()
        says_none = any(word in said for word in _SAY_NONE)
        if row["kind"] not in ("stdin", "call"):
            text = _RETURNS_NOTHING.sub("", f"{whole_text(row)}\n{row['starter_code'] or ''}".lower())
            no_answer = _no_answer(text, _returns_none(row)) if says_none else NEVER
            return self._clean_test_program(row, no_answer, Chosen.of(row, text), OpenErrors.of(row, text))
        no_answer = _no_answer(whole_text(row).lower()) if says_none else NEVER
        broken: dict[str, int] = defaultdict(int)
        several = None if row["checker"] else _several_answers(row["tests"])
        named = _ERRORS_NAMED.findall(whole_text(row))
        row["tests"] = _sound(row["tests"], broken, no_answer, (row["checker"] or {}).get("kind"), named)
        lost = sum(broken[reason] for reason in broken if reason not in ("repeated", NO_ANSWER))
        row["verification"] = verification(row, before - len(row["tests"]))
        detail = ", ".join(f"{count} {reason}" for reason, count in sorted(broken.items())) or None
        share = lost / before if before else 0.0
        if several:
            return drop("needs_a_checker", f"{several} of one length to one question")
        if len(row["tests"]) < self.min_tests:
            return drop("no_sound_tests" if before else "no_tests", detail, len(row["tests"]), self.min_tests)
        if share > self.max_broken_share:
            return drop("unsound_tests", detail, share, self.max_broken_share)
        return kept(share, self.max_broken_share, detail)

    def _clean_test_program(
        self, row: Row, no_answer: re.Pattern[str], chosen: Chosen, errors: OpenErrors
    ) -> Outcome | None:
        """Remove what expects "no answer", a value that the solution chose, or an error of which nothing is said; where
        only the kind of error is open, accept any."""
        program, removed = _without_assertions(row["test_code"] or "", no_answer, chosen, errors)
        program, open_kinds = errors.any_kind(program)
        row["verification"] = verification(row, removed)
        if not removed and not open_kinds:
            return None
        row["test_code"] = program
        found = [f"{removed} {NO_ANSWER}"] * bool(removed) + [f"{open_kinds} {ANY_ERROR}"] * bool(open_kinds)
        return changed(", ".join(found), removed + open_kinds)


NO_ANSWER = "no answer where one is promised, or none is named"
ANY_ERROR = "errors of a kind that the statement does not name: any is accepted"
_PROMISED = re.compile(
    r"\b(?:exactly|only|at least) one\b[^.]{0,60}\b(?:solution|answer|exists?|valid)\b|"
    r"\b(?:guarante\w+|generated (?:such|so) that|assume)\b[^.]{0,80}\b(?:exists?|possible|solution|answer)\b|"
    r"\b(?:solution|answer) (?:always )?exists\b|\balways (?:exists|possible|has an? (?:answer|solution))\b"
)
_RETURNS_NOTHING = re.compile(r"->\s*none\b")
"""The annotation of a function without a value says nothing about the values of others."""
_HINTS_AT_NONE = re.compile(r"\b(?:nothing|nil|optional)\b")
_SAY_NONE = ("inf", "nan", "none", "null")
LONGEST_NONE = 40
NEVER = re.compile("(?!)")
_INFINITE = r"[-+]?(?:float\(['\"][-+]?(?:inf|nan)['\"]\)|(?:math\.)?(?:inf|nan)|infinity)"


def _no_answer(statement: str, chosen: bool = False) -> re.Pattern[str]:
    """The pattern of an answer that means "no answer"; `statement` is in lower case. `chosen`: a solution returns None."""
    unknown = (chosen and not _HINTS_AT_NONE.search(statement)) or _PROMISED.search(statement)
    none = "|none|null" if unknown and not re.search(r"\b(?:none|null)\b", statement) else ""
    infinite = "(?!)" if re.search(r"infinit|\binf\b|\bnan\b", statement) else _INFINITE
    return re.compile(rf"(?:{infinite}{none})", re.IGNORECASE)


def _returns_none(row: Row) -> bool:
    """Whether a solution has `return None`, or returns something or None by a condition."""
    codes = [solution["code"] for solution in row["solutions"] if solution["language"] == "python"]
    programs = [parsed(code) for code in codes if "None" in code]
    values = [node.value for program in programs if program for node in nodes_of(program, ast.Return)]
    branches = [side for value in values if isinstance(value, ast.IfExp) for side in (value.body, value.orelse)]
    return any(isinstance(value, ast.Constant) and value.value is None for value in [*values, *branches])


def _without_assertions(
    program: str, no_answer: re.Pattern[str], chosen: Chosen, errors: OpenErrors
) -> tuple[str, int]:
    """A test program without the assertions that want such an answer or error, and how many were removed.

    A test function that has nothing else is removed with them. They stay where another block has no other statement,
    because the program would not parse without them.
    """
    nothing = no_answer is NEVER and not chosen and not expects_errors(program)
    tree = None if nothing else parsed(program)
    if tree is None:
        return program, 0

    answering = {_called(one.test) for one in nodes_of(tree, ast.Assert) if not _is_none(one.test)}

    def unneeded(one: ast.stmt) -> bool:
        if not isinstance(one, ast.Assert):
            return errors.decide(one)
        if chosen.decides(one.test):
            return True
        if not _expects_no_answer(one.test, no_answer):
            return False
        return not _is_none(one.test) or _called(one.test) in answering  # what only acts, such as a push, has to stay

    def unneeded_in(block: list[ast.stmt]) -> list[ast.stmt]:
        found = list(filter(unneeded, block))
        caught = set(caught_as(found))
        return [one for one in block if one in found or names_in(one) & caught]

    blocks = [node.body for node in nodes(tree) if isinstance(node, (ast.Module, ast.FunctionDef))]
    unwanted: list[ast.stmt] = []
    for block in blocks:
        found = unneeded_in(block)
        unwanted += found if len(found) < len(block) else []
    named = {node.id for node in nodes_of(tree, ast.Name)}
    for body in [tree.body, *(node.body for node in nodes_of(tree, ast.ClassDef))]:
        tests = [one for one in body if isinstance(one, ast.FunctionDef) and one.name.startswith("test")]
        unused = [one for one in tests if one.name not in named and not one.decorator_list]
        empty = [one for one in unused if len(unneeded_in(one.body)) == len(one.body)]
        unwanted += empty if len(empty) < len(body) else []
    numbers = {number for one in unwanted for number in range(one.lineno, (one.end_lineno or one.lineno) + 1)}
    lines = enumerate(program.split("\n"), 1)
    removed = sum(
        isinstance(one, ast.Assert) or (isinstance(one, ast.stmt) and errors.decide(one))
        for statement in unwanted
        for one in ast.walk(statement)
    )
    return "\n".join(line for number, line in lines if number not in numbers), removed


def _called(test: ast.expr) -> str:
    """The name of the function or method whose result is compared; empty without one."""
    call = test.left if isinstance(test, ast.Compare) else test
    return last_word(call.func) if isinstance(call, ast.Call) else ""


def _is_none(test: ast.expr) -> bool:
    """Whether something is compared with None."""
    other = test.comparators[0] if isinstance(test, ast.Compare) else test
    return isinstance(other, ast.Constant) and other.value is None


def _expects_no_answer(test: ast.expr, no_answer: re.Pattern[str]) -> bool:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.Is)):
        return False
    expected = test.comparators[0]
    if isinstance(expected, (ast.List, ast.Tuple, ast.Dict, ast.Set)):
        return False  # its text begins with a bracket, so it cannot match
    return no_answer.fullmatch(ast.unparse(expected)) is not None


_NOT_RUN: dict[str, Any] = {field.name: None for field in ROW.field("verification").type}


def verification(row: Row, dropped_tests: int = 0) -> dict[str, Any]:
    """The column `verification` before anything was run."""
    given = sum(solution["correct"] is True for solution in row["solutions"])
    tests = {"tests_kept": len(row["tests"]), "tests_dropped": dropped_tests}
    return {**_NOT_RUN, "status": "checked", "solutions_given": given, **tests}


def _several_answers(tests: list[dict[str, Any]]) -> str | None:
    """Two answers to one question that are equally long lists: where one value is wrong, the rest agrees or they differ
    in length. None without such.

    >>> _several_answers([{"ref": None, "input": "3", "output": answer} for answer in ("1 2 3", "3 2 1")])
    "'1 2 3' and '3 2 1'"
    """
    if len({test["input"].strip() for test in tests}) == len(tests):
        return None
    first: dict[str, list[str]] = {}
    for test in tests:
        if test["ref"]:
            continue
        words = test["output"].casefold().split()
        known = first.setdefault(_question(test), words)
        differ = sum(map(str.__ne__, known, words))
        if len(known) == len(words) and differ > 1 and not close(known, words):
            return f"{' '.join(known)[:40]!r} and {' '.join(words)[:40]!r}"
    return None


def _sound(
    tests: list[dict[str, Any]],
    broken: dict[str, int],
    no_answer: re.Pattern[str],
    checker: str | None,
    named: Sequence[str],
) -> list[dict[str, Any]]:
    questions = list(map(_question, tests))
    answers: dict[str, set[str]] = defaultdict(set)
    for question, test in zip(questions, tests, strict=True):
        answers[question].add(_answer(test))
    sound = []
    seen: set[str] = set()
    for question, test in zip(questions, tests, strict=True):
        error = _ERROR.match(test["output"])
        if error and not any(test["output"].strip().startswith(words) for words in named):
            broken["error in place of an answer"] += 1
        elif not test["ref"] and not test["input"].strip() and not test["output"].strip():
            broken["empty"] += 1
        elif no_answer.fullmatch(test["output"].strip()):
            broken[NO_ANSWER] += 1
        elif len(answers[question]) > 1 and not _one_answer(answers[question], checker):
            broken["two answers to one question"] += 1
        elif question in seen:
            broken["repeated"] += 1
        else:
            seen.add(question)
            sound.append(test)
    return sound


def _one_answer(answers: set[str], checker: str | None) -> bool:
    """Whether the checker of this kind accepts them all, as far as it is known: numbers may have more digits.

    >>> _one_answer({"1.5", "1.50000000000000000000"}, "float"), _one_answer({"1.5", "1.6"}, "float")
    (True, False)
    """
    if checker in ("python", "cpp"):
        return True
    first, *others = sorted(answers)
    if checker == "float":
        return all(close(first.split(), other.split()) for other in others)
    return checker == "case_insensitive" and all(first.casefold() == other.casefold() for other in others)


def _question(test: dict[str, Any]) -> str:
    return f"{test['ref'] or test['input'].strip()}{test.get('flags') or ''}"


def _answer(test: dict[str, Any]) -> str:
    return test["ref"] or " ".join(test["output"].split())
