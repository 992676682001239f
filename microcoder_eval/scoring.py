"""Scoring problems: tests in groups that are worth points, as in the Kattis problem package formats.

Groups are either a tree with the keys of the legacy format's `testdata.yaml` (a group inherits the keys that it leaves
out from its parent), or a list with the keys of the 2025-09 format's `test_group.yaml`:

{"on_reject": "continue", "grader_flags": "ignore_sample", "groups": [
    {"name": "sample", "accept_score": 0, "tests": [0]},
    {"name": "secret", "grader_flags": "first_error accept_if_any_accepted", "groups": [
        {"name": "easy", "accept_score": 30, "grader_flags": "min", "on_reject": "break", "tests": [1, 2]},
        {"name": "hard", "accept_score": 70, "grader_flags": "min", "on_reject": "break", "tests": [3, 4]}]}]}

[{"name": "easy", "max_score": 30, "tests": [0, 1]},
 {"name": "hard", "max_score": 70, "tests": [2, 3], "score_aggregation": "sum", "require_pass": "easy"}]

Pure: reads groups, decides which tests need not run any more, and computes the points of results.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from microcoder_eval.errors import FieldError, refuse
from microcoder_eval.record_schema import (
    NAME,
    NUMBER,
    SHOWN,
    TEXT,
    FieldType,
    field_fault,
    is_number,
    shown,
)
from microcoder_eval.suggest import did_you_mean
from microcoder_eval.verdict import GroupResult, TestResult, Verdict

WORST_FIRST = (
    Verdict.JUDGE_ERROR,
    Verdict.FORBIDDEN,
    Verdict.RUNTIME_ERROR,
    Verdict.MEMORY_LIMIT,
    Verdict.TIME_LIMIT,
    Verdict.OUTPUT_LIMIT,
    Verdict.WRONG_ANSWER,
)
VERDICT_MODES = ("worst_error", "first_error", "always_accept")
SCORE_MODES = ("sum", "avg", "min", "max")
SWITCHES = ("ignore_sample", "accept_if_any_accepted")
_FLAGS = FieldType("a text such as 'min first_error'", lambda value: type(value) is str or _is_texts(value))
_TESTS = FieldType("a list of the numbers of tests, from 0,", lambda value: _is_numbers_of_tests(value))
_GROUPS = FieldType("a list of groups", lambda value: isinstance(value, (list, tuple)))
_NAMES = FieldType("a group's name or a list of them", lambda value: type(value) is str or _is_texts(value))
_MOST = FieldType("a number from 0", lambda value: value == "unbounded" or (is_number(value) and value >= 0))
LEGACY_FIELDS = {
    "name": NAME,
    "tests": _TESTS,
    "groups": _GROUPS,
    "on_reject": TEXT,
    "grader_flags": _FLAGS,
    "accept_score": NUMBER,
    "reject_score": NUMBER,
    "range": FieldType("two numbers", lambda value: True),
}
LISTED_FIELDS = {"name": NAME, "tests": _TESTS, "max_score": _MOST, "score_aggregation": TEXT, "require_pass": _NAMES}
MOST_NESTED = 50
"""How deep groups may be in groups."""
AGGREGATIONS = ("pass-fail", "sum", "min")
ROOT = "all"


class BadGroups(ValueError):
    """Groups that cannot be used; the message says what is wrong and where."""


@dataclass(frozen=True)
class Group:
    """Tests and groups whose results are combined into one result."""

    name: str
    tests: tuple[int, ...] = ()
    groups: tuple[Group, ...] = ()
    stops: bool = True
    """Whether the members after one that is not accepted are skipped."""
    verdict_mode: str = "worst_error"
    score_mode: str = "sum"
    ignore_sample: bool = False
    """Only the last member counts."""
    any_accepts: bool = False
    """One accepted member is enough for the verdict."""
    accept_score: float = 1.0
    reject_score: float = 0.0
    low: float = -math.inf
    high: float = math.inf
    requires: tuple[str, ...] = ()
    """Groups before this one that must be accepted for it to be run."""

    def members(self) -> list[int | Group]:
        """Tests and groups in the order in which they run: by their first test."""
        return sorted([*self.tests, *self.groups], key=_at)

    def all_tests(self) -> Iterator[int]:
        for member in self.members():
            yield from [member] if isinstance(member, int) else member.all_tests()


class Scored(NamedTuple):
    """The verdict and the points that follow from the results of all tests."""

    verdict: Verdict
    """The root's verdict. If the root is accepted with less than all points, the verdict of the first failed test."""
    points: float
    max_points: float | None
    groups: tuple[GroupResult, ...]
    shown: TestResult | None
    """The result that explains the verdict."""


def read_groups(record: Any, tests: int) -> Group:
    """The groups of a problem with that many tests; raises `BadGroups`."""
    if isinstance(record, Mapping):
        root = _legacy(record, Group(ROOT), ROOT)
    elif isinstance(record, Sequence) and not isinstance(record, str) and record:
        root = _listed(record)
    else:
        raise BadGroups('"groups" is a list of groups, or an object that holds "tests" or "groups"')
    seen = sorted(root.all_tests())
    for before, test in zip([-1, *seen], seen, strict=False):
        if test == before:
            raise BadGroups(f"test {test} is in two groups")
        if test >= tests:
            raise BadGroups(f"there is no test {test}")
    if len(seen) < tests:
        raise BadGroups(f"test {min(set(range(tests)) - set(seen))} is in no group")
    return root


def unneeded(root: Group, verdicts: Mapping[int, Verdict]) -> set[int]:
    """The tests that need not run: with the verdicts so far, they cannot count, however the other tests end."""
    found: set[int] = set()
    _rejected(root, verdicts, found, {})
    return found


def score(root: Group, results: Mapping[int, TestResult]) -> Scored:
    """The score of results. Results of tests that the groups' rules would have skipped do not count."""
    walk = _Walk(results)
    verdict, points = walk.group(root)
    groups = tuple(walk.found)
    most = groups[-1].max_points
    bad = [result for result in walk.visited if result.verdict is not Verdict.ACCEPTED]
    if verdict is Verdict.ACCEPTED and most is not None and points < most - 1e-9:
        shown = bad[0] if bad else None
        return Scored(shown.verdict if shown else Verdict.WRONG_ANSWER, points, most, groups, shown)
    shown = next((result for result in bad if result.verdict is verdict), None)
    return Scored(verdict, points, most, groups, shown)


class _Walk:
    """One walk through the tree of groups; `found` collects the groups' results."""

    def __init__(self, results: Mapping[int, TestResult]) -> None:
        self._results = results
        self._accepted: dict[str, bool] = {}
        self.found: list[GroupResult] = []
        self.visited: list[TestResult] = []

    def group(self, group: Group) -> tuple[Verdict, float]:
        verdicts: list[Verdict] = []
        scores: list[float] = []
        runs = all(self._accepted.get(name, False) for name in group.requires)
        for member in group.members() if runs else ():
            verdict, points = self._test(group, member) if isinstance(member, int) else self.group(member)
            verdicts.append(verdict)
            scores.append(points)
            if verdict is not Verdict.ACCEPTED and group.stops:
                break
        if not runs:
            verdicts, scores = [Verdict.WRONG_ANSWER], [0.0]
        if group.ignore_sample:
            verdicts, scores = verdicts[-1:], scores[-1:]
        verdict, points = _verdict(group, verdicts), _aggregate(group.score_mode, scores)
        self._accepted[group.name] = verdict is Verdict.ACCEPTED
        judged = any(test in self._results and self._results[test].points is not None for test in group.all_tests())
        most = most_points(group) if group.high < math.inf or not judged else None
        self.found.append(GroupResult(group.name, verdict, points, most))
        return verdict, points

    def _test(self, group: Group, test: int) -> tuple[Verdict, float]:
        result = self._results[test]
        self.visited.append(result)
        accepted = result.verdict is Verdict.ACCEPTED
        if result.points is not None:
            return result.verdict, result.points
        return result.verdict, group.accept_score if accepted else group.reject_score


def _verdict(group: Group, verdicts: list[Verdict]) -> Verdict:
    bad = [verdict for verdict in verdicts if verdict is not Verdict.ACCEPTED]
    if Verdict.JUDGE_ERROR in bad:
        return Verdict.JUDGE_ERROR
    if not bad or group.verdict_mode == "always_accept" or (group.any_accepts and len(bad) < len(verdicts)):
        return Verdict.ACCEPTED
    return bad[0] if group.verdict_mode == "first_error" else min(bad, key=WORST_FIRST.index)


def _aggregate(mode: str, scores: list[float]) -> float:
    if not scores:
        return 0.0
    if mode == "avg":
        return sum(scores) / len(scores)
    return math.fsum(scores) if mode == "sum" else min(scores) if mode == "min" else max(scores)


def most_points(group: Group) -> float | None:
    """The most points that a group can give; None when that is not known."""
    if group.high < math.inf:
        return group.high
    mosts = [group.accept_score if isinstance(member, int) else most_points(member) for member in group.members()]
    known = [most for most in mosts if most is not None]
    if group.ignore_sample:
        mosts, known = mosts[-1:], known[-1:]
    return _aggregate(group.score_mode, known) if len(known) == len(mosts) else None


def most_points_of(group: Group, test: int) -> float:
    """The most points that one test may give: at most the bound of every group around it with mode sum or max."""
    most = group.high if group.score_mode in ("sum", "max") else math.inf
    inner = [part for part in group.groups if test in part.all_tests()]
    return min([most, *(most_points_of(part, test) for part in inner)])


def _rejected(group: Group, verdicts: Mapping[int, Verdict], found: set[int], groups: dict[str, bool]) -> bool:
    """Whether a group cannot be accepted any more. Adds the tests in it that need not run to `found`."""
    if any(groups.get(name) for name in group.requires):
        found.update(group.all_tests())
        groups[group.name] = True
        return True
    members = group.members()
    sure: list[bool] = []
    for place, member in enumerate(members):
        if isinstance(member, Group):
            sure.append(_rejected(member, verdicts, found, groups))
        else:
            sure.append(verdicts.get(member, Verdict.ACCEPTED) is not Verdict.ACCEPTED)
        if sure[-1] and group.stops:
            for later in members[place + 1 :]:
                found.update(later.all_tests() if isinstance(later, Group) else [later])
            break
    enough = all if group.any_accepts else any
    if group.ignore_sample:
        sure = sure[-1:]
    groups[group.name] = bool(sure) and enough(sure) and group.verdict_mode != "always_accept"
    return groups[group.name]


def _legacy(record: Mapping[str, Any], parent: Group, where: str, depth: int = 0) -> Group:
    if depth > MOST_NESTED:
        raise BadGroups(f"groups are nested deeper than {MOST_NESTED}")
    _check_fields(record, LEGACY_FIELDS, where)
    on_reject = record.get("on_reject") or ("break" if parent.stops else "continue")
    if on_reject not in ("break", "continue"):
        raise BadGroups(f"{where}: on_reject must be break or continue, not {shown(on_reject)}")
    low, high = _range(record["range"], where) if record.get("range") is not None else (-math.inf, math.inf)
    group = replace(
        parent,
        name=where,
        tests=tuple(record.get("tests") or ()),
        groups=(),
        stops=on_reject == "break",
        accept_score=_number(record, "accept_score", parent.accept_score),
        reject_score=_number(record, "reject_score", parent.reject_score),
        low=low,
        high=high,
    )
    if record.get("grader_flags") is not None:
        group = _with_flags(group, record["grader_flags"], where)
    prefix = "" if where == ROOT else f"{where}/"
    heirs = [
        _legacy(part, replace(group, ignore_sample=False), f"{prefix}{_name(part, number)}", depth + 1)
        for number, part in enumerate(record.get("groups") or (), start=1)
    ]
    if not heirs and not group.tests:
        raise BadGroups(f'{where}: neither "tests" nor "groups"')
    return replace(group, groups=tuple(heirs))


def _with_flags(group: Group, flags: Any, where: str) -> Group:
    words = flags.split() if isinstance(flags, str) else flags
    group = replace(group, verdict_mode="worst_error", score_mode="sum", ignore_sample=False, any_accepts=False)
    for word in words:
        if word in VERDICT_MODES:
            group = replace(group, verdict_mode=word)
        elif word in SCORE_MODES:
            group = replace(group, score_mode=word)
        elif word == "ignore_sample":
            group = replace(group, ignore_sample=True)
        elif word == "accept_if_any_accepted":
            group = replace(group, any_accepts=True)
        else:
            raise BadGroups(f"{where}: {_unknown('grader flag', word, (*VERDICT_MODES, *SCORE_MODES, *SWITCHES))}")
    return group


def _listed(records: Sequence[Any]) -> Group:
    groups: list[Group] = []
    for number, record in enumerate(records, start=1):
        where = _name(record, number)
        _check_fields(record, LISTED_FIELDS, where)
        tests = tuple(record.get("tests") or ())
        bounded = where != "sample" and record.get("max_score") != "unbounded"
        most = _number(record, "max_score", math.nan) if bounded else 0.0
        mode = record.get("score_aggregation") or "pass-fail"
        needed = record.get("require_pass") or ()
        needed = (needed,) if isinstance(needed, str) else tuple(needed)
        if not tests:
            raise BadGroups(f'{where}: no "tests"')
        if mode not in AGGREGATIONS:
            raise BadGroups(f"{where}: {_unknown('score_aggregation', mode, AGGREGATIONS)}")
        if not most >= 0:
            raise BadGroups(f'{where}: "max_score" is missing')
        for name in needed:
            if name not in [group.name for group in groups]:
                raise BadGroups(f"{where}: require_pass names {shown(name)}, which is no group before it")
        groups.append(
            Group(
                where,
                tests,
                stops=mode == "pass-fail",
                score_mode="sum" if mode == "sum" else "min",
                accept_score=most / len(tests) if mode == "sum" else most,
                low=0.0,
                high=math.inf if record.get("max_score") == "unbounded" else most,
                requires=needed,
            )
        )
    names = [group.name for group in groups]
    if len(set(names)) < len(names):
        raise BadGroups(f"two groups are called {max(names, key=names.count)!r}")
    return Group(ROOT, groups=tuple(groups), stops=False, verdict_mode="first_error", high=sum(g.high for g in groups))


def _check_fields(record: Any, known: Mapping[str, FieldType], where: str) -> None:
    if not isinstance(record, Mapping):
        raise BadGroups(f"{where}: a group is an object, not {shown(record)}")
    for key in record:
        if key not in known:
            raise BadGroups(f"{where}: {_unknown('key', key, tuple(known))}")
    try:
        refuse(field_fault(record, known))
    except FieldError as error:
        raise BadGroups(f"{where}: {error}") from None


def _is_texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(type(text) is str for text in value)


def _is_numbers_of_tests(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(type(test) is int and 0 <= test < 1 << 63 for test in value)


def _unknown(what: str, word: Any, known: Sequence[str]) -> str:
    if not isinstance(word, str):
        return f"unknown {what} {shown(word)}"
    return f"unknown {what} {shown(word)}{did_you_mean(word[:SHOWN], known, or_list=True)}"


def _name(record: Any, number: int) -> str:
    name = record.get("name") if isinstance(record, Mapping) else None
    return str(name or number) if NAME.accepts(name) else str(number)


def _number(record: Mapping[str, Any], key: str, default: float) -> float:
    value = record.get(key)
    return default if value is None else float(value)


def _range(value: Any, where: str) -> tuple[float, float]:
    try:
        low, high = map(float, value.split() if isinstance(value, str) else value)
    except (TypeError, ValueError, OverflowError):
        raise BadGroups(f"{where}: range: two numbers such as '0 100' expected, found {shown(value)}") from None
    if not low <= high:
        raise BadGroups(f"{where}: the range {low:g} {high:g} is empty")
    return low, high


def _at(member: int | Group) -> int:
    return member if isinstance(member, int) else min(member.all_tests())
