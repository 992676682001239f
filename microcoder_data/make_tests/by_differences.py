"""The way `differences`: a search for inputs on which a surviving wrong program differs from the right solutions.

    found = search(grammar, oracle, tests, survivors, settings)

Accepted inputs are changed a little (as in coverage-guided fuzzing): a changed input joins the pool when it makes a
survivor execute new lines. An input on which a survivor is wrong is made smaller as long as it still is.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from microcoder_data.make_tests.grammar import Grammar, Plan, sample
from microcoder_data.make_tests.mutate import changed, smaller
from microcoder_data.make_tests.proof import MadeInput, MadeTest, Oracle, prove
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.verify.mutants import normalised
from microcoder_data.verify.program_runner import Program, ProgramRunner
from microcoder_data.verify.reached_lines import lines_of_output, traced
from microcoder_eval import Verdict

QUICK_S = 1.0
"""The time limit of programs that are run on all short inputs, if the problem's is longer."""
SHORT = 5000
"""Programs are run on all inputs with at most this many characters, and on longer ones up to their first failure."""
_OUT_OF_RESOURCES = {Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT}
BATCH = 24
TRACED = 2
"""This many survivors are traced in a round."""
POOL_CHARACTERS = 2000
SHRINK_ROUNDS = 10
SHRINK_BATCH = 12
SHRUNK_FROM = 60
"""Inputs with at most this many characters are not made smaller."""


@dataclass
class Found:
    """What the search has found."""

    tests: list[MadeTest] = field(default_factory=list)
    rejected: set[str] = field(default_factory=set)
    """The names of the programs that these tests reject."""
    tried: int = 0


def search(
    grammar: Grammar, oracle: Oracle, tests: Sequence[MadeTest], survivors: Sequence[Program], settings: MakeTests
) -> Found:
    """Look for tests that reject the survivors, until none survives, the rounds are over or the row is out of time."""
    found = Found()
    rng = random.Random(f"{oracle.row['problem_id']} differences")
    pool = [test.made.text for test in tests if len(test.made.text) <= POOL_CHARACTERS]
    known = {test.made.text for test in tests}
    reached: dict[str, set[int]] = {}
    left = list(survivors)
    for number in range(settings.rounds):
        if not left or oracle.runner.exhausted:
            break
        batch = _batch(grammar, pool, known, rng, f"{oracle.row['problem_id']} {number}")
        known |= {made.text for made in batch}
        found.tried += len(batch)
        proven = prove(batch, oracle, settings.agreeing).tests
        if not proven:
            continue
        rejecting = tests_rejecting(oracle.runner, left, proven)
        for program, positions in zip(list(left), rejecting, strict=True):
            if not positions:
                continue
            left.remove(program)
            found.rejected.add(program.name)
            first = min(positions, key=lambda at: (len(proven[at].made.text), at))
            found.tests.append(_shrunk(grammar, oracle, proven[first], program, settings))
        pool += _reaching_more(oracle.runner, left[:TRACED], proven, reached)
    return found


def tests_rejecting(runner: ProgramRunner, programs: Sequence[Program], tests: Sequence[MadeTest]) -> list[set[int]]:
    """The tests that reject each program: the first one, and the later ones if the program ended before its time limit.

    A program that runs out of time is not run again: an endless loop on each test would cost more than everything else.
    """
    on_tests = runner.on([test.case for test in tests])
    found = []
    again: list[tuple[set[int], Program]] = []
    for result in on_tests.run(programs):
        rejecting = result.rejecting()
        found.append(rejecting)
        if rejecting and not {result.verdicts[at] for at in rejecting} & _OUT_OF_RESOURCES:
            again.append((rejecting, result.program))
    quick_s = min(runner.problem.time_limit_s, QUICK_S)
    short = [at for at, test in enumerate(tests) if len(test.made.text) <= SHORT]
    on_short = on_tests.on([tests[at].case for at in short])
    more = on_short.run([program for _, program in again], limit_s=quick_s, all_tests=True) if short else []
    for (rejecting, _), result in zip(again, more, strict=False):
        rejecting |= {short[at] for at in result.rejecting() if result.verdicts[at] not in _OUT_OF_RESOURCES}
    runner.spend(on_short if short else on_tests)
    return found


def _batch(grammar: Grammar, pool: list[str], known: set[str], rng: random.Random, seed: str) -> list[MadeInput]:
    """New inputs: a few samples of the grammar, and changed inputs of the pool, more often of its newest ones."""
    texts: dict[str, None] = {}
    for number in range(BATCH // 4):
        text = sample(grammar, Plan("small", number=1000 + number), seed)
        if text is not None:
            texts[text] = None
    for _ in range(3 * BATCH):
        if len(texts) >= BATCH or not pool:
            break
        parent = pool[-1 - min(len(pool) - 1, int(rng.expovariate(3 / len(pool))))]
        for text in changed(grammar, parent, rng, 2):
            texts[text] = None
    return [MadeInput(text, "differences") for text in texts if text not in known]


def _reaching_more(
    runner: ProgramRunner, programs: Sequence[Program], tests: Sequence[MadeTest], reached: dict[str, set[int]]
) -> list[str]:
    """The inputs on which a program executes new lines. `reached`: the lines so far by program; is added to."""
    texts: dict[str, None] = {}
    short = [test for test in tests if len(test.made.text) <= POOL_CHARACTERS]
    for program in programs:
        code = normalised(program.code) if program.language == "python" else ""
        if not code or not short:
            continue
        entry_point = runner.problem.entry_point if runner.problem.kind == "call" else None
        outputs = runner.outputs(Program("python", traced(code, entry_point), "traced"), [test.case for test in short])
        seen = reached.setdefault(program.name, set())
        for test, output in zip(short, outputs, strict=False):
            lines = lines_of_output(output)
            if lines - seen:
                seen |= lines
                texts[test.made.text] = None
    return list(texts)


def _shrunk(grammar: Grammar, oracle: Oracle, test: MadeTest, program: Program, settings: MakeTests) -> MadeTest:
    """The smallest test found that still rejects the program."""
    for _ in range(SHRINK_ROUNDS):
        if len(test.made.text) <= SHRUNK_FROM or oracle.runner.exhausted:
            break
        texts = itertools.islice(smaller(grammar, test.made.text), SHRINK_BATCH)
        proven = prove([MadeInput(text, "differences", "shrunk") for text in texts], oracle, settings.agreeing).tests
        if not proven:
            break
        (rejecting,) = tests_rejecting(oracle.runner, [program], proven)
        if not rejecting:
            break
        test = min((proven[at] for at in rejecting), key=lambda made: (len(made.made.text), made.made.text))
    return test
