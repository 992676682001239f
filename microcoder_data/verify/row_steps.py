"""The steps that `execution.py` lists, for one row: each works on the tests and solutions that the last one kept.

    outcome = RowSteps(row, ProgramRunner(grader, problem, 300.0), rights, settings, count).run()

`program_runner.py` runs the programs; this file decides what their results mean for the row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from microcoder_data.fitness import strength_of
from microcoder_data.rules import Outcome, changed, drop, kept, marked, step
from microcoder_data.schema import Row
from microcoder_data.verify.agreement import Agreement, agree
from microcoder_data.verify.cap_by_strength import CHOICES, Cap, choose, passing
from microcoder_data.verify.examples import examples_program
from microcoder_data.verify.execution import Execution
from microcoder_data.verify.limits import limit_was_given
from microcoder_data.verify.mutants import mutants, normalised
from microcoder_data.verify.program_runner import AGAINST, Program, ProgramRunner, Results, programs
from microcoder_data.verify.reached_lines import reached_lines
from microcoder_data.verify.several_answers import find_several, guess_fails
from microcoder_data.verify.strength import Strength, strength_in_words
from microcoder_data.verify.strengthen import GeneratedTest, generate, pick
from microcoder_data.verify.time_limits import TimeLimits, judges_ms, round_up
from microcoder_eval import Checker, Verdict
from microcoder_eval.reading.problem_from_row import checker_record

EVALUATOR = "microcoder_eval"


class RowSteps:
    """One row and what the steps have found so far. Each step may add to the row's provenance, or drop the row."""

    def __init__(
        self,
        row: Row,
        runner: ProgramRunner,
        rights: Sequence[Program],
        settings: Execution,
        count: Callable[..., None],
    ) -> None:
        self.row, self.runner, self.rights, self.settings, self.count = row, runner, rights, settings, count
        self.verification = row["verification"]
        self.agreeing: list[Results] = []
        self.slowest_ms = 0.0
        self.slowest_of_all_ms = 0.0
        """The time of the slowest solution in any language. If the source gives no limit, judges set it from this."""
        self.given_s = runner.problem.time_limit_s if limit_was_given(row) else None
        """The source's own limit, under which its wrong solutions were judged; None when it gives none."""
        self.strength = Strength()

    def run(self) -> Outcome | None:
        """Run the steps; returns the outcome that drops the row, or None."""
        for name, run_step in (
            ("agreement_v2", self._agreement),
            ("determinism_v1", self._determinism),
            ("examples_v2", self._examples),
            ("time_limit_v1", self._time_limit),
            ("strength_v1", self._strength),
            ("strengthen_v1", self._strengthen),
            ("cap_v1", self._cap),
            ("budget_v1", self._budget),
        ):
            outcome = run_step()
            if outcome is None:
                continue
            if outcome.outcome == "dropped":
                return outcome
            self.row["provenance"].append(step("verify", name, outcome))
            if not self.agreeing:
                break
        self.verification["tests_kept"] = len(self.row["tests"])
        strength = self.strength
        for name, results in (("wrong", strength.wrong), ("mutants", strength.mutants)):
            rejected = sum(result.rejected() for result in results)
            self.count(**{f"{name} run": len(results), f"{name} rejected": rejected})
        self.count(**{"mutants equivalent": strength.equivalent, "mutants unreached": strength.unreached or 0})
        return None

    def _agreement(self) -> Outcome:
        if guess_fails(self.row, self.runner, self.rights, self._patient_s()):
            self.row["checker"] = None
            self.runner.problem = replace(self.runner.problem, checker=Checker())
            taken_back = changed("the guessed checker has no proof: answers are compared as they are")
            self.row["provenance"].append(step("verify", "guessed_checker_v1", taken_back))
            self.count(**{"guessed checkers taken back": 1})
        found = agree(self.runner, self.rights, self._patient_s())
        several = find_several(self.row, self.runner, self.rights, found, self._patient_s())
        if several is not None and several.checker is None:
            self.count(**{"rows needing a checker": 1, f"rows needing a checker: {several.kind}": 1})
            self.verification.update(status="needs_checker")
            need = f"needs_checker ({several.kind}): {several.why}"
            return (
                drop("needs_checker", f"{several.kind}: {several.why}")
                if self.settings.several_answers == "drop"
                else marked(need)
            )
        if several is not None:
            self.count(**{"rows given a checker": 1})
            self.row["checker"] = several.checker
            self.runner.problem = replace(
                self.runner.problem, checker=Checker.from_dict(checker_record(several.checker))
            )
            found = agree(self.runner, self.rights, self._patient_s())
        self._count_rights(found)
        self.count(**{"rows executed" if found.judged else "rows not executed": 1})
        if not found.judged:
            if self.row["kind"] == "asserts" and (detail := _never_judged(found)):
                return drop("not_gradable", detail)
            return marked(f"not executed: no right solution gives an answer ({_why_not_judged(found)})")
        outcome = self._apply_votes(found)
        if several is not None and outcome.outcome != "dropped":
            return changed(f"given a checker, {_checker_in_words(self.row['checker'])}: {several.why}")
        return outcome

    def _apply_votes(self, found: Agreement) -> Outcome:
        """Drop the row, or its contradicted tests, or nothing; note the numbers in `verification`."""
        tests, contradicted = max(len(result.verdicts) for result in found.results), found.contradicted
        share = len(contradicted) / tests if tests else 0.0
        self.verification.update(
            status="executed",
            solutions_run=found.judged,
            solutions_ok=len(found.agreeing),
            agreement=float(np.float32(len(found.agreeing) / found.judged)),  # as the column holds it
            evaluator=EVALUATOR,
        )
        vote = f"{len(found.agreeing)} of {found.judged} solutions agree"
        limit = self.settings.max_dropped_share if self.row["kind"] in ("stdin", "call") else 0.0
        if share > limit:
            first = next((result.detail for result in found.results if result.detail), "").strip().rpartition("\n")[2]
            words = f"{len(contradicted)} of {tests} tests" + (f": {first[-200:]}" if first else "")
            return drop("solutions_contradict_tests", words, share, limit)
        if len(found.agreeing) < self.settings.agreeing:
            return drop("too_few_solutions_agree", vote, len(found.agreeing), self.settings.agreeing)
        self.agreeing = found.agreeing
        if not contradicted:
            return kept(share, limit, vote)
        self.count(**{"tests contradicted": len(contradicted), "rows with contradicted tests": 1})
        self.verification["tests_dropped"] += len(contradicted)
        self._keep_tests([index for index in range(tests) if index not in contradicted])
        words = f"{len(contradicted)} of {tests} tests contradicted and dropped: {_listed(contradicted)}"
        return changed(f"{vote}; {words}", share)

    def _determinism(self) -> Outcome | None:
        """Run accepted solutions a second time. A solution that fails then says nothing about the tests."""
        again = self.runner.run(self._to_run_again(), limit_s=self._patient_s(), fresh=True)
        flaky = [result.program.name for result in again if AGAINST & set(result.verdicts)]
        if flaky:
            self.count(**{"solutions not deterministic": len(flaky)})
        self.agreeing = [result for result in self.agreeing if result.program.name not in flaky]
        if len(self.agreeing) < max(1, self.settings.agreeing):
            return drop("not_deterministic", f"accepted once, not the second time: {', '.join(flaky)}")
        second = {result.program.name: result for result in again if None not in result.verdicts}
        for result in self.agreeing:  # noise only adds time, so the faster of two runs is nearer the truth
            result.cpu_ms = min(result, second.get(result.program.name, result), key=Results.slowest_ms).cpu_ms
        self.slowest_ms = self._slowest(self.agreeing)
        self.slowest_of_all_ms = max(result.slowest_ms() for result in self.agreeing)
        self.verification["max_time_ms"] = round_up(self.slowest_ms)
        return marked(f"not the same twice: {', '.join(flaky)}") if flaky else None

    def _examples(self) -> Outcome | None:
        """Drop the row if a right solution contradicts an example of its text."""
        program = examples_program(self.row) if self.row["kind"] == "asserts" else ""
        if not program:
            return None
        runner = ProgramRunner(self.runner.grader, replace(self.runner.problem, test_code=program), self.runner.left_s)
        [result] = runner.run([self.agreeing[0].program], limit_s=self._patient_s(), all_tests=True)
        self.runner.spend(runner)
        wrong = [number for number, verdict in enumerate(result.verdicts) if verdict is Verdict.WRONG_ANSWER]
        if not wrong:
            return None
        return drop("sample_contradicts_test", f"a right solution contradicts: {program.splitlines()[wrong[0]]}"[:200])

    def _to_run_again(self) -> list[Program]:
        """Two solutions, or the quicker one where two would leave no time for the wrong solutions."""
        two = sorted(self.agreeing[:2], key=lambda result: sum(result.cpu_ms))
        both_s = sum(sum(result.cpu_ms) for result in two) / 1000
        return [result.program for result in (two if both_s < self.runner.left_s / 2 else two[:1])]

    def _time_limit(self) -> Outcome | None:
        multiplier = None if self.given_s else self.row["time_multiplier"]
        if multiplier:
            self._time_other_solutions()
        limits = self.settings.time_limits
        if limits is None:
            return None
        old = self.row["time_limit_ms"]
        python = any(result.program.language == "python" for result in self.agreeing)
        least = old if self.given_s or not python else None  # times of C++ programs do not show what Python needs
        if multiplier:
            new = limits.as_judges(self.slowest_of_all_ms, multiplier, least)
        else:
            new = limits.scaled(self.slowest_ms, least)
        self.runner.problem = replace(self.runner.problem, time_limit_s=new / 1000)
        if new == old:
            return None
        self.row["time_limit_ms"] = new
        self.count(**{"time limits raised" if new > (old or 0) else "time limits lowered": 1})
        return changed(f"time_limit_ms {old} -> {new}: the slowest solution needs up to {round_up(self.slowest_ms)} ms")

    def _time_other_solutions(self) -> None:
        """Time the right solutions that agreement did not run: judges set a limit from the slowest of all."""
        ran = {result.program.name for result in self.agreeing}
        others = self.runner.run([one for one in self.rights if one.name not in ran], limit_s=self._patient_s())
        self.slowest_of_all_ms = max(
            self.slowest_of_all_ms, *(result.slowest_ms() for result in others if result.accepted()), 0.0
        )

    def _strength(self) -> Outcome | None:
        all_tests = len(self.runner.problem.tests) > self._cap_limit()  # the cap needs to know what each test rejects
        wrongs, _ = programs(self.row, self.runner.problem, correct=False, most=self.settings.wrong)
        self.strength.wrong = _conclusive(self.runner.run(wrongs, limit_s=self.judges_s(), all_tests=all_tests))
        all_tests = all_tests and bool(self.strength.wrong or self.settings.cap)
        quick_s = min(self.runner.problem.time_limit_s, max(1.0, self.slowest_ms / 100))
        self.strength.mutants = _conclusive(self.runner.run(self._mutants(), limit_s=quick_s, all_tests=all_tests))
        if not self.strength.programs:
            return None
        self.strength.write_to(self.verification)
        self.count(**{"wrong rejected by the given tests": self.verification["wrong_rejected"]})
        return kept(strength_of(self.verification), None, strength_in_words(self.verification))

    def _mutants(self) -> list[Program]:
        """Mutants of the first agreeing Python solution, on the lines that its tests reach where these are known."""
        python = next((result.program for result in self.agreeing if result.program.language == "python"), None)
        if python is None or not self.settings.mutants:
            return []
        code = normalised(python.code)
        lines = reached_lines(self.runner, code, self._patient_s()) if code else None
        self.count(**{"rows traced" if lines else "rows not traced": 1})
        made = mutants(code, self.settings.mutants, lines, self.row["test_code"] or "")
        self.strength.unreached = made.unreached if lines else None
        return [Program("python", mutant, f"mutant {number}") for number, mutant in enumerate(made.programs)]

    def _strengthen(self) -> Outcome | None:
        settings, tests = self.settings.strengthen, self.row["tests"]
        survivors = self.strength.survivors()
        if settings is None or self.row["kind"] not in ("stdin", "call") or self.runner.exhausted:
            return None
        if not survivors and len(tests) >= settings.min_tests:
            return None
        references = [result.program for result in self.agreeing[: settings.references]]
        if len(references) < settings.references:
            return None
        made = generate(self.row, self.runner, references, settings)
        if made.refused:
            self.count(**{"rows whose promises are not proven": 1})
            return marked(f"no tests generated: the statement promises what no validator checks: {made.refused!r}")
        proven = f"; every input keeps what is promised: {', '.join(made.proven)}" if made.proven else ""
        if not made.tests:
            return None
        rejecting = self._rejected_by(made.tests, survivors)
        self.strength.count_equivalent(survivors, rejecting, len(made.tests))
        chosen = pick(made.tests, rejecting, settings, len(tests))
        if survivors:
            self.strength.write_to(self.verification)
        if not chosen:
            words = f"; {strength_in_words(self.verification)}" if survivors else ""
            return kept(0, None, f"none of {len(made.tests)} generated tests rejects more{words}{proven}")
        new = [made.tests[index] for index in chosen]
        extra = self.runner.on([generated.case for generated in new])
        for results in (self.strength.wrong, self.strength.mutants):
            for result, more in zip(results, extra.run([r.program for r in results], all_tests=True), strict=True):
                result.verdicts += more.verdicts
        self.runner.spend(extra)
        self.runner.problem = replace(self.runner.problem, tests=(*self.runner.problem.tests, *(g.case for g in new)))
        self.row["tests"] = [*tests, *(generated.column for generated in new)]
        self.verification["tests_generated"] = len(new)
        self.count(**{"tests generated": len(new), "rows strengthened": 1})
        before = sum(not result.rejected() for result in survivors)
        if self.strength.programs:
            self.strength.write_to(self.verification)
        more_rejected = f"{len(survivors) - before} more programs are rejected"
        words = f"; {strength_in_words(self.verification)}" if self.strength.programs else ""
        return changed(f"{len(new)} tests generated; {more_rejected}{words}{proven}")

    def _rejected_by(self, candidates: Sequence[GeneratedTest], survivors: Sequence[Results]) -> list[set[int]]:
        """For each survivor, the candidates that reject it."""
        runner = self.runner.on([generated.case for generated in candidates])
        rejecting = [result.rejecting() for result in runner.run([r.program for r in survivors], all_tests=True)]
        self.runner.spend(runner)
        return rejecting

    def _cap(self) -> Outcome | None:
        tests = self.row["tests"]
        wrong, mutated = ([r.rejecting() for r in results] for results in (self.strength.wrong, self.strength.mutants))
        if len(tests) > self._cap_limit() and wrong:
            self.count(**{"capped rejected": sum(map(bool, wrong))})
            for how in CHOICES:  # `strong` chooses by the mutants alone, so that the wrong solutions measure it
                left = choose(tests, self._cap_limit(), how, mutated)
                self.count(**{f"capped {how} passing": passing(wrong, left)})
        cap = self.settings.cap
        if cap is None or len(tests) <= cap.limit:
            return None
        left = choose(tests, cap.limit, cap.choose, wrong + mutated)
        through = passing(wrong + mutated, left)
        self._keep_tests(left)
        rejected = sum(map(bool, wrong + mutated))
        return changed(
            f"{cap.choose} {len(left)} of {len(tests)}; {through} of {rejected} rejected programs get through"
        )

    def _budget(self) -> Outcome | None:
        if not self.runner.exhausted:
            return None
        self.count(**{"rows out of time": 1})
        return marked(f"stopped after {self.settings.row_seconds:g} s of CPU time")

    def _keep_tests(self, indices: Sequence[int]) -> None:
        self.row["tests"] = [self.row["tests"][index] for index in indices]
        cases = self.runner.problem.tests
        self.runner.problem = replace(self.runner.problem, tests=tuple(cases[index] for index in indices))

    def _patient_s(self) -> float:
        """The time limit for right solutions: longer than the row's, which may be meant for C++."""
        given = self.runner.problem.time_limit_s
        limits = self.settings.time_limits or TimeLimits()
        return max(given, min(given * self.settings.patience, limits.max_ms / 1000))

    def judges_s(self) -> float:
        """The time limit under which the source judged its wrong solutions."""
        usual = judges_ms(self.slowest_of_all_ms, self.row["time_multiplier"]) / 1000
        return self.given_s or min(usual, self.runner.problem.time_limit_s)

    def _cap_limit(self) -> int:
        return (self.settings.cap or Cap()).limit

    @staticmethod
    def _slowest(results: Sequence[Results]) -> float:
        """The slowest Python solution, or the slowest of all without one: the limit is for Python programs."""
        python = [result for result in results if result.program.language == "python"]
        return max((result.slowest_ms() for result in python or results), default=0.0)

    def _count_rights(self, found: Agreement) -> None:
        ran = _conclusive(found.results)
        self.count(
            **{
                "right solutions run": len(ran),
                "right solutions accepted": sum(result.accepted() for result in ran),
                "right solutions that do not compile": sum(bool(result.not_run) for result in found.results),
            }
        )


def _conclusive(results: Sequence[Results]) -> list[Results]:
    """The programs that were run far enough to be accepted or rejected."""
    return [result for result in results if result.rejected() or result.accepted()]


def _checker_in_words(checker: dict[str, Any]) -> str:
    """What a built-in checker ignores.

    >>> _checker_in_words({"kind": "unordered", "of": "elements", "nested": True})
    'elements in any order at every level'
    """
    if checker["kind"] == "unordered":
        return f"{checker['of']} in any order{' at every level' if checker['nested'] else ''}"
    if checker["kind"] == "case_insensitive":
        return "letters in any case"
    return f"numbers within {checker['abs'] or checker['rel']:g}"


def _never_judged(found: Agreement) -> str:
    """Why the grader can judge no program by these tests; empty when it judged one, or none was run."""
    verdicts = {verdict for result in found.results for verdict in result.verdicts}
    return found.results[0].detail if verdicts == {Verdict.JUDGE_ERROR} else ""


def _why_not_judged(found: Agreement) -> str:
    """Why no solution gave an answer: it could not be run, its verdicts, or no time."""
    if found.not_run:
        return found.not_run
    verdicts = sorted({str(verdict) for result in found.results for verdict in result.verdicts if verdict is not None})
    return ", ".join(verdicts) or "no time left"


def _listed(indices: Sequence[int]) -> str:
    shown = ", ".join(map(str, indices[:20]))
    return shown + (", ..." if len(indices) > 20 else "")
