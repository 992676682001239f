"""Find problems with several right answers that neither the statement nor the right solutions show.

    proof, faults = checker_for_others(candidates, oracle, others, tests, wrongs, agreeing=2)

Right solutions that all print the first of several right answers agree on every input. Then only checkers can show that
others are right as well: those that a model has written from the statement. Each test gets other answers than the
expected one: what other programs give (wrong ones and mutants too), and the expected one changed (lines and words in
another order, a path reversed, two symbols swapped, another value of the input).

Several answers are right if `agreeing` independent checkers pass their proof and take the same other answers to at
least `LEAST_DIFFERING` tests. A checker that passes its proof and takes none of these shows the contrary. The strictest
one is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.make_tests.checkers import Candidate, CheckerProof, prove_checker
from microcoder_data.make_tests.fixed_sets import LEAST_DIFFERING
from microcoder_data.make_tests.proof import Oracle, form
from microcoder_data.process.render import whole_text
from microcoder_data.process.several_answers import one_only
from microcoder_data.schema import Row
from microcoder_data.verify.program_runner import Program
from microcoder_data.verify.several_answers import constant_program
from microcoder_data.verify.strengthen import with_lists
from microcoder_eval import Checker, TestCase, Verdict
from microcoder_eval.reading.problem_from_row import checker_record

TESTS = 6
"""Other answers are tried on at most this many tests."""
OF_PROGRAMS, CHANGED = 5, 7
"""At most this many other answers to a test are tried."""
EITHER = (
    "It is not known whether several answers are right here. Where the statement leaves no choice, return True only if "
    "the words of `actual` are those of `expected`."
)
"""What the question for a checker adds: the prompt is written for problems with several right answers."""
Others = Sequence[tuple[TestCase, list[Any]]]
_WORD = re.compile(r"-?\w+")


def may_have_others(row: Row, tests: Sequence[TestCase]) -> bool:
    """Whether to ask: no words say that one answer only is right, and answers are more than counts and stated words."""
    if one_only(row):
        return False
    if any(len(_items(test.output, test.input)) > 1 for test in tests):
        return True
    text = whole_text(row).lower()
    answers = [(test, str(item)) for test in tests for item in _items(test.output, test.input)
               if item is not None and not isinstance(item, bool)]  # fmt: skip
    made = [(test, word) for test, word in answers if word.isdigit() or word.lower() not in text]
    return bool(made) and all(_is_chosen(test, word) for test, word in made)


def _is_chosen(test: TestCase, word: str) -> bool:
    """Whether an answer of one word may be chosen: a value or a place of the input, or a word that was made for it."""
    words = _WORD.findall(str(test.input))
    return word in words or not _is_number(word) or 0 <= int(word) <= len(words) or str(len(word)) in words


def other_answers(oracle: Oracle, tests: Sequence[TestCase], programs: Sequence[Program]) -> Others:
    """The tests with the longest answers, where most can be chosen, each with other answers than the expected one: of
    the programs, then changed ones."""
    tests = sorted(tests, key=lambda test: len(_items(test.output, test.input)))[-TESTS:]
    given: list[list[Any]] = [[] for _ in tests]
    for program in programs:
        for answers, output in zip(given, oracle.runner.outputs(program, tests), strict=False):
            if output.ended_well:
                answers.append(with_lists(output.value))
    found = []
    for test, answers in zip(tests, given, strict=True):
        expected = _meaning(test.output)
        different: dict[str, Any] = {}
        for some, most in ((answers, OF_PROGRAMS), (changed_answers(test.output, test.input), CHANGED)):
            fresh = {_meaning(answer): answer for answer in some if _meaning(answer) != expected}
            different.update(list(fresh.items())[:most])
        found.append((test, list(different.values())))
    return found


def checker_for_others(
    candidates: Iterable[Candidate], oracle: Oracle, others: Others, tests: Sequence[TestCase],
    wrongs: Sequence[Program], agreeing: int,
) -> tuple[CheckerProof | None, list[str]]:  # fmt: skip
    """The checker to use, or None, and the candidates' faults. Candidates are taken only as long as they may agree."""
    usable: list[tuple[int, CheckerProof]] = []
    forms: set[str] = set()
    faults = []
    common = {(at, number) for at, (_, answers) in enumerate(others) for number in range(len(answers))}
    for candidate in candidates:
        proof = prove_checker(*candidate, oracle, tests, wrongs)
        if proof.fault:
            faults.append(f"{proof.name} refused: {proof.fault}")
            continue
        taken = _taken(proof, oracle, others)
        common &= taken
        if len({at for at, _ in common}) < LEAST_DIFFERING:
            return None, faults
        written = form(Program("python", proof.column["code"], proof.name))
        if written not in forms:
            forms.add(written)
            usable.append((len(taken), proof))
    if len(usable) < agreeing:
        return None, faults
    return min(usable, key=lambda pair: pair[0])[1], faults


def _taken(proof: CheckerProof, oracle: Oracle, others: Others) -> set[tuple[int, int]]:
    """The positions of the tests and other answers that a checker takes."""
    checker = Checker.from_dict(checker_record(proof.column))
    found = set()
    for at, (test, answers) in enumerate(others):
        one = oracle.runner.on([test])
        one.problem = replace(one.problem, checker=checker)
        programs = [Program("python", constant_program(oracle.row, answer), f"other {answer!r}") for answer in answers]
        results = one.run(programs)
        found |= {(at, number) for number, result in enumerate(results) if result.verdicts[0] is Verdict.ACCEPTED}
        oracle.runner.spend(one)
    return found


def changed_answers(right: Any, given: Any) -> Iterator[Any]:
    """A right answer in another order or with other values; some of them may be right as well.

    >>> list(changed_answers(3, [[3, 5]]))
    [5, 2, 4]
    """
    if isinstance(right, str) and isinstance(given, str):
        lines = [line.split() for line in right.splitlines()]
        values: list[Any] = given.split()
        for changed in _changed(lines, list(dict.fromkeys(values))):
            yield "".join(f"{' '.join(map(str, line))}\n" for line in changed)
        return
    nested = isinstance(right, list) and bool(right) and all(isinstance(item, list) for item in right)
    lines = right if nested else [right] if isinstance(right, list) else [[right]]
    for changed in _changed(lines, list({repr(one): one for one in _items(given, given)}.values())):
        yield changed if nested else changed[0] if isinstance(right, list) else changed[0][0]


def _changed(lines: list[list[Any]], values: Sequence[Any]) -> Iterator[list[list[Any]]]:
    if len(lines) > 1:
        yield lines[::-1]
    longest = max(range(len(lines)), key=lambda at: len(lines[at]), default=0)
    line = lines[longest] if lines else []
    if len(line) > 1:
        yield [*lines[:longest], line[::-1], *lines[longest + 1 :]]
    flat = [item for one in lines for item in one]
    second = next((item for item in flat if item != flat[0]), None)
    if second is not None:  # the symbols of two classes, such as colours or sides
        swapped = {repr(flat[0]): second, repr(second): flat[0]}
        yield [[swapped.get(repr(item), item) for item in one] for one in lines]
        yield [one[::-1] for one in lines]
        yield [one[1:] + one[:1] for one in lines]
        yield [sorted(one, key=lambda item: (str(type(item)), item if _is_number(item) else str(item)), reverse=True)
               for one in lines]  # fmt: skip
        numbers = [int(item) for item in line if _is_number(item)]
        if len(numbers) == len(line) > 1:  # counted from the other end
            mirrored = [type(item)(min(numbers) + max(numbers) - int(item)) for item in line]
            yield [*lines[:longest], mirrored, *lines[longest + 1 :]]
    letters = list(dict.fromkeys("".join(item for item in flat if isinstance(item, str))))
    if len(letters) > 1:
        table = str.maketrans({letters[0]: letters[1], letters[1]: letters[0]})
        yield [[item.translate(table) if isinstance(item, str) else item for item in one] for one in lines]
    if len(flat) == 1:
        if len(letters) > 1:
            yield [[flat[0][::-1]]]
        near = [type(flat[0])(int(flat[0]) + step) for step in (-1, 1)] if _is_number(flat[0]) else []
        for value in [*[one for one in values if type(one) is type(flat[0])][:4], *near]:
            if value != flat[0]:
                yield [[value]]


def _is_number(item: Any) -> bool:
    return type(item) is int or (isinstance(item, str) and re.fullmatch("-?[0-9]{1,18}", item) is not None)


def _items(value: Any, given: Any) -> list[Any]:
    """The words of a program's text, or the values in a function's value. given: the input."""
    if isinstance(value, str):
        return value.split() if isinstance(given, str) else [value]
    return [one for item in value for one in _items(item, given)] if isinstance(value, (list, tuple)) else [value]


def _meaning(answer: Any) -> str:
    """What an answer says, whatever the spelling of its letters and numbers: a checker may ignore both."""
    if isinstance(answer, str):
        return "\n".join(" ".join(map(_word, line.split())) for line in answer.strip().splitlines() if line.strip())
    if isinstance(answer, (list, tuple)):
        return repr([_meaning(item) for item in answer])
    if isinstance(answer, dict):
        return repr(sorted((_meaning(name), _meaning(item)) for name, item in answer.items()))
    return _word(str(int(answer) if isinstance(answer, bool) else answer))


def _word(word: str) -> str:
    try:
        return repr(float(word))
    except ValueError:
        return word.casefold()
