"""Make tests for one row: inputs by each way, their proof, the wrong programs that they reject, and the choice.

    outcome = Making(row, runner, rights, settings, model).run()

Every way gives inputs, and all inputs go through the same proof (`proof.py`). The row's provenance says how many inputs
were refused and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from microcoder_data.make_tests.by_differences import SHORT, search, tests_rejecting
from microcoder_data.make_tests.by_model import Model
from microcoder_data.make_tests.by_rules import inputs_by_rules
from microcoder_data.make_tests.checkers import WRITTEN, Candidate, CheckerProof, built_in, prove_checker, written
from microcoder_data.make_tests.choose import choose
from microcoder_data.make_tests.fixed_sets import FIXED_SET, LEAST_DIFFERING, same_keys
from microcoder_data.make_tests.generators import Valid
from microcoder_data.make_tests.grammar import Grammar, Unclear, canonical, infer, known_inputs
from microcoder_data.make_tests.node_programs import lines_before_wrapper
from microcoder_data.make_tests.other_answers import EITHER, checker_for_others, may_have_others, other_answers
from microcoder_data.make_tests.proof import MadeInput, MadeTest, Oracle, Proven, prove
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.process.any_order import in_any_order
from microcoder_data.process.several_answers import several_answers
from microcoder_data.rules import Outcome, changed, marked
from microcoder_data.schema import Row
from microcoder_data.verify.mutants import mutants, normalised
from microcoder_data.verify.program_runner import Program, ProgramRunner, programs
from microcoder_data.verify.promises import unseen_validator
from microcoder_data.verify.reached_lines import lines_of_reached_statements, reached_lines
from microcoder_data.verify.several_answers import class_of_answers, guess_fails, order_counts
from microcoder_data.verify.strengthen import with_lists
from microcoder_eval import Checker, TestCase, Verdict
from microcoder_eval.reading.problem_from_row import checker_record

DISAGREE_SHARE = 0.2
"""If right solutions disagree on a larger share of the inputs than this, several answers may be right."""
CHECKED_ON = 12
"""A checker is proven on the known tests and this many made inputs."""


def own_mutants(python: Program, runner: ProgramRunner, most: int) -> list[Program]:
    """Mutants of a solution. In a function's program only what known tests reach is changed: no platform's prelude."""
    code = normalised(python.code)
    lines = None
    if code and runner.problem.kind == "call":
        reached = reached_lines(runner, code, runner.problem.time_limit_s)
        lines = lines_before_wrapper(code, lines_of_reached_statements(code, reached)) if reached else None
    made = mutants(python.code, most, lines).programs
    return [Program("python", mutant, f"mutant {number}") for number, mutant in enumerate(made)]


class Making:
    """Test making for one row: the steps, and what they have found so far."""

    def __init__(
        self,
        row: Row,
        runner: ProgramRunner,
        rights: Sequence[Program],
        settings: MakeTests,
        model: Model | None = None,
    ) -> None:
        self.row, self.runner, self.settings, self.model = row, runner, settings, model
        self.oracle = Oracle(row, runner, rights)
        self.grammar: Grammar | None = None
        self.tests: list[MadeTest] = []
        self.contradicting: list[Program] = []
        """Solutions that are right by their label and give another answer to a known test."""
        self.wrong: list[Program] = []
        self.rejecting: list[set[int]] = []
        """For each wrong program, the positions of the made tests that reject it."""
        self.rejected_before: list[bool] = []
        """For each wrong program, whether the tests that the row had before reject it."""
        self.valid: Valid | None = None
        """Which of the model's inputs are allowed: the grammar, or else a proven validator."""
        self.model_inputs: list[MadeInput] | None = None
        """The inputs of the model's generators; None before they are asked for."""
        self.made: Counter[str] = Counter()
        """How many tests the row got, by way of making."""
        self.refused: Counter[str] = Counter()
        """How many inputs were refused, by reason."""
        self.notes: list[str] = [] if model is None else model.notes
        """For the provenance: what was used, refused or missing."""

    def run(self) -> Outcome | None:
        """Add tests to the row; gives the outcome for its provenance."""
        if unseen := unseen_validator(self.row):
            return marked(f"no tests made: {unseen}")
        if guess_fails(self.row, self.runner, self.oracle.rights, self.runner.problem.time_limit_s):
            self.row["checker"] = None
            self.runner.problem = replace(self.runner.problem, checker=Checker())
            self.notes.append("the guessed checker has no proof: answers are compared as they are")
        self.wrong = self._wrong_programs()
        all_rights = list(self.oracle.rights)
        inputs = self._by_rules() if "rules" in self.settings.ways else []
        stated = several_answers(self.row) if self.row["checker"] is None else None
        why = f"the statement says {stated!r}" if stated else self._drop_failing_rights()
        if why and not self._checker_found(all_rights, inputs, why, bool(stated)):
            return marked(f"no tests made: {why}{self._refusals()}")
        if not why and self.contradicting:
            found = f"{len(self.contradicting)} right solutions give other answers to known tests"
            self._checker_found([*self.oracle.rights, *self.contradicting], inputs, found, stated=False)
        if not why and self.model is not None:
            self._other_answers_found(self.model, all_rights, inputs)
        self._prove(inputs)
        survivors = self._judge()
        if "differences" in self.settings.ways and self.grammar is not None and survivors and self.tests:
            survivors = self._by_differences(self.grammar, survivors)
        if self.model is not None and (survivors or not self.tests):
            self._by_model(self.model)
        if not self.tests:
            return marked(f"no tests made: {self._why()}")
        kept = [self.tests[at] for at in choose(self.tests, self.rejecting, self.settings.most)]
        self.row["tests"] = [*self.row["tests"], *(test.column for test in kept)]
        self.made = Counter(test.made.way for test in kept)
        self.rejected_before = [result.rejected() for result in self.runner.run(self.wrong)]
        made = ", ".join(f"{count} by {way}" for way, count in self.made.items())
        rejected = sum(map(bool, self.rejecting))
        judged = f"; they reject {rejected} of {len(self.wrong)} wrong programs" if self.wrong else ""
        detail = f"{len(kept)} tests made ({made}) of {len(self.tests)} proven{judged}{self._refusals()}"
        return changed(detail, len(kept))

    def counts(self) -> dict[str, int]:
        """The counts of this row, which the report adds up over all rows."""
        found = {"made: rows tried": 1, "made: rows with tests": int(bool(self.made))}
        if not self.made:
            return found
        before = self.rejected_before or [False] * len(self.wrong)
        rejecting = self.rejecting or [set() for _ in self.wrong]
        found["made: wrong programs run"] = len(self.wrong)
        found["made: rejected before"] = sum(before)
        found["made: rejected after"] = sum(one or bool(tests) for one, tests in zip(before, rejecting, strict=True))
        for way, count in self.made.items():
            own = {at for at, test in enumerate(self.tests) if test.made.way == way}
            found[f"made: tests by {way}"] = count
            found[f"made: rejected by {way}"] = sum(bool(tests & own) for tests in rejecting)
        return found

    def _drop_failing_rights(self) -> str:
        """Keep the right solutions that pass the known tests. Gives why too few are left for a proof; else empty."""
        labelled = self.oracle.rights
        found = list(labelled)
        if len(found) < self.settings.agreeing and self.model is not None:
            found += self.model.references()
        results = self.runner.run(found)
        failing = {result.program.name for result in results if result.rejected() or result.not_run}
        self.contradicting = [
            result.program
            for result in results
            if Verdict.WRONG_ANSWER in result.verdicts and result.program in labelled
        ]
        if failing:
            self.notes.append(f"{len(failing)} right solutions fail a known test")
        self.oracle.rights = [program for program in found if program.name not in failing]
        if len(self.oracle.rights) < self.settings.agreeing:
            found_words = f"{len(self.oracle.rights)} independent right solutions pass the known tests"
            return f"{found_words}, {self.settings.agreeing} are needed"
        return ""

    def _wrong_programs(self) -> list[Program]:
        wrong, _ = programs(self.row, self.runner.problem, correct=False, most=self.settings.wrong)
        python = next((program for program in self.oracle.rights if program.language == "python"), None)
        if python is not None and self.settings.mutants:
            wrong += own_mutants(python, self.runner, self.settings.mutants)
        return wrong

    def _by_rules(self) -> list[MadeInput]:
        try:
            self.grammar = infer(self.row)
        except Unclear as why:
            self.notes.append(f"no grammar: {why}")
            return []
        self.oracle.answer_bits = self.grammar.answer_bits
        if self.grammar.assumed:
            self.notes.append(f"not stated, kept as in the known inputs: {', '.join(self.grammar.assumed)}")
        known = {self.grammar.canonical(canonical(test["input"])) for test in self.row["tests"] if not test["ref"]}
        return inputs_by_rules(self.grammar, self.row["problem_id"], self.settings, known)

    def _prove(self, inputs: Sequence[MadeInput]) -> None:
        if not inputs:
            return
        proven = prove(inputs, self.oracle, self.settings.agreeing)
        if len(proven.disagreed) > DISAGREE_SHARE * len(inputs):
            proven = self._with_checker(inputs, proven)
        self.refused += proven.refused
        self.tests += proven.tests

    def _with_checker(self, inputs: Sequence[MadeInput], proven: Proven) -> Proven:
        """The proof again with a checker that all right solutions pass; without one, nothing is proven."""
        why = f"right solutions disagree on {len(proven.disagreed)} of {len(inputs)} inputs"
        if self._checker_found(self.oracle.rights, proven.disagreed, why, stated=False):
            return prove(inputs, self.oracle, self.settings.agreeing)
        return Proven(refused=proven.refused + Counter({"several answers may be right": len(proven.tests)}))

    def _checker_found(self, rights: Sequence[Program], inputs: Sequence[MadeInput], why: str, stated: bool) -> bool:
        """Give the row a proven checker, if it has none and one is found.

        stated: the statement says that several answers are right. Agreement of right solutions then shows nothing, so
        of the grader's checkers only those for the class that the statement names are tried. For a function none of
        these: they are chosen by Process and by execution.
        """
        text = self.row["kind"] == "stdin"
        if self.row["checker"] is not None or len(rights) < self.settings.agreeing:
            return False
        known = [test.output for test in self.runner.problem.tests]
        if not (text or self.model or class_of_answers(known) == FIXED_SET):
            return False
        oracle, tests, differing = self._tests_for_checkers(rights, inputs)
        kind = class_of_answers([test.output for test in tests])
        named = "any order" if in_any_order(self.row) else ""
        refused = "any order" if order_counts(self.row, known) else ""
        fitting = [one for one in built_in() if text and (one[1] == named if stated else one[1] != refused)]
        proof = self._first_proven(fitting, oracle, tests)
        if proof is None and kind == FIXED_SET and len(differing) >= LEAST_DIFFERING:
            proof = self._first_proven(same_keys(), oracle, tests)
        if proof is None and self.model is not None:
            proof = self._first_proven(written(self.model.checkers()), oracle, tests)
        if proof is not None:
            self._use(proof, oracle, why)
            return True
        self.notes.append(f"needs a checker ({kind}): {why}")
        return False

    def _other_answers_found(self, model: Model, all_rights: Sequence[Program], inputs: Sequence[MadeInput]) -> None:
        """Give the row a checker where checkers of the model take other answers than those on which all agree."""
        if self.row["checker"] is not None or not may_have_others(self.row, self.runner.problem.tests):
            return
        oracle, tests, _ = self._tests_for_checkers(self.oracle.rights, inputs)
        if not may_have_others(self.row, tests):
            return
        programs = [program for program in [*all_rights, *self.wrong] if program not in oracle.rights]
        others = other_answers(oracle, tests, programs)
        candidates = written(model.checkers(EITHER))
        proof, faults = checker_for_others(candidates, oracle, others, tests, self.wrong, self.settings.agreeing)
        self.notes += faults
        if proof is not None:
            self._use(proof, oracle, "several answers are right: checkers take others than the right solutions'")

    def _use(self, proof: CheckerProof, oracle: Oracle, why: str) -> None:
        """Give the row a proven checker, and judge by it from now on."""
        self.row["checker"] = proof.column
        self.runner.problem = replace(self.runner.problem, checker=Checker.from_dict(checker_record(proof.column)))
        self.oracle = oracle
        self.notes.append(f"given a checker ({why}), {proof.in_words}")

    def _tests_for_checkers(
        self, rights: Sequence[Program], inputs: Sequence[MadeInput]
    ) -> tuple[Oracle, list[TestCase], list[MadeInput]]:
        """The right solutions as an oracle; the known tests and short made ones on which a checker is proven; and the
        short inputs on which these solutions differ."""
        oracle = Oracle(self.row, self.runner, rights)
        oracle.answer_bits = self.oracle.answer_bits
        if not inputs and self.model is not None:  # on two samples wrong programs print answers that are right as well
            inputs = self._inputs_of(self.model)
        short = [made for made in inputs if len(made.text) <= SHORT]
        differing = prove(short, oracle, self.settings.agreeing).disagreed if short else []
        chosen = [*differing[: CHECKED_ON // 2], *short[:: max(1, len(short) // CHECKED_ON)]]
        tests = [*self.runner.problem.tests, *self._answered(oracle, list(dict.fromkeys(chosen)))]
        return oracle, tests, differing

    def _first_proven(
        self, candidates: Iterable[Candidate], oracle: Oracle, tests: Sequence[TestCase]
    ) -> CheckerProof | None:
        for candidate in candidates:
            proof = prove_checker(*candidate, oracle, tests, self.wrong)
            if not proof.fault:
                return proof
            if proof.kind == WRITTEN:
                self.notes.append(f"{proof.name} refused: {proof.fault}")
        return None

    def _answered(self, oracle: Oracle, inputs: Sequence[MadeInput]) -> list[TestCase]:
        """Tests of the first inputs with the first right solution's answers."""
        chosen = [case for case in oracle.cases(inputs[:CHECKED_ON]) if case is not None]
        if not chosen:
            return []
        outputs = self.runner.outputs(oracle.rights[0], chosen)
        pairs = zip(chosen, outputs, strict=False)
        return [replace(case, output=with_lists(output.value)) for case, output in pairs if output.ended_well]

    def _judge(self, first: int = 0) -> list[Program]:
        """Run the wrong programs on the tests from number `first` on. Gives the programs that survive.

        The short tests come first; the long ones are only for programs that survive the short ones.
        """
        self.rejecting = self.rejecting or [set() for _ in self.wrong]
        for long in (False, True):
            positions = [at for at in range(first, len(self.tests)) if (len(self.tests[at].made.text) > SHORT) == long]
            chosen = [index for index, found in enumerate(self.rejecting) if not found]
            if not positions or not chosen:
                continue
            given = [self.tests[at] for at in positions]
            found = tests_rejecting(self.runner, [self.wrong[index] for index in chosen], given)
            for index, rejecting in zip(chosen, found, strict=True):
                self.rejecting[index] |= {positions[at] for at in rejecting}
        return [program for program, found in zip(self.wrong, self.rejecting, strict=True) if not found]

    def _by_differences(self, grammar: Grammar, survivors: Sequence[Program]) -> list[Program]:
        first = len(self.tests)
        self.tests += search(grammar, self.oracle, self.tests, survivors, self.settings).tests
        return self._judge(first)

    def _by_model(self, model: Model) -> None:
        """Make tests of the model's generators; while wrong programs survive, of more of their inputs and of generators
        against these programs."""
        survivors = self._add(self._inputs_of(model))
        if self.valid is None or not self.tests or not survivors:
            return
        survivors = self._add(model.inputs_against(self.valid, survivors))
        for _ in range(self.settings.rounds):
            if not survivors or self.runner.exhausted:
                break
            survivors = self._add(model.more_inputs(self.valid))

    def _add(self, inputs: Sequence[MadeInput]) -> list[Program]:
        """Prove new inputs of the model. Gives the wrong programs that survive."""
        have = {test.made.text for test in self.tests} | set(known_inputs(self.row))
        first = len(self.tests)
        self._prove([made for made in inputs if made.text not in have])
        return self._judge(first)

    def _inputs_of(self, model: Model) -> list[MadeInput]:
        """The inputs of the model's generators. The grammar decides which are valid, else a proven validator."""
        if self.model_inputs is None:
            self.valid = self.grammar.fault if self.grammar is not None else model.validator(known_inputs(self.row))
            self.model_inputs = model.inputs(self.valid) if self.valid is not None else []
            if self.valid is None:
                self.notes.append("no validator passes its proof")
        return self.model_inputs

    def _why(self) -> str:
        refused = [f"{count} inputs: {why}" for why, count in sorted(self.refused.items())]
        return "; ".join([*self.notes, *refused]) or "no input"

    def _refusals(self) -> str:
        parts = [f"{count} inputs refused ({why})" for why, count in sorted(self.refused.items())]
        return "".join(f"; {part}" for part in [*parts, *self.notes])
