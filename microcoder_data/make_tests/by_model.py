"""The way `model`: validators, generators, brute force and checkers by the language model, used after their proof.

    model = Model(client, row, grader, settings)
    model.validator(known)              # the best proven one, or None
    model.inputs(valid)                 # inputs of the proven generators, all of them valid
    model.inputs_against(valid, wrong)  # the same, of generators against the first wrong programs

`notes` says for every refused program why it was refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microcoder_data.llm import Client
from microcoder_data.make_tests.generators import INPUTS, LARGEST_INPUTS, Valid, run_generator
from microcoder_data.make_tests.proof import MadeInput
from microcoder_data.make_tests.questions import KINDS, Written, adversarial, ask_for_programs
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.make_tests.validators import ValidatorProof, best, judge, verdict
from microcoder_data.schema import Row
from microcoder_data.verify.program_runner import Program
from microcoder_eval.connection import AnyGrader

MOST_ADVERSARIAL = 2
"""The model writes a generator against each of this many surviving wrong programs."""


class Model:
    """Asks the model for the programs of one row, and keeps those that pass their proof."""

    def __init__(self, client: Client, row: Row, grader: AnyGrader, settings: MakeTests) -> None:
        self.client, self.row, self.grader, self.settings = client, row, grader, settings
        self.notes: list[str] = []
        self.proven: list[Written] = []
        """The generators that passed their proof so far, without those of the largest inputs."""
        self.rounds = 0
        """How often more inputs were drawn."""

    def validator(self, known: Sequence[str]) -> Valid | None:
        """The best proven validator, which says why a text is not allowed; None if no validator passes its proof."""
        programs = ask_for_programs(self.client, self.row, "validator_v1", "", self.settings.candidates, "validator")
        judged = [judge(program, known, self.grader) for program in programs]
        self._note([(one.program.name, one.fault) for one in judged if one.fault])
        chosen = best(judged)
        if chosen is None:
            return None
        self.notes.append(f"used: {chosen.in_words}")
        return self._valid_by(chosen)

    def _valid_by(self, chosen: ValidatorProof) -> Valid:
        def valid(text: str) -> str:
            accepted = verdict(chosen.program, text, self.grader)
            return (
                ""
                if accepted
                else "refused by the validator"
                if accepted is False
                else "the validator gives no verdict"
            )

        return valid

    def inputs(self, valid: Valid) -> list[MadeInput]:
        """The inputs of all proven generators for each kind of input."""
        wanted = [(f"{kind} generator", f"Wanted: {words}.", self.settings.candidates if kind == "random" else 1)
                  for kind, words in KINDS.items()]  # fmt: skip
        return self._drawn([program for one in wanted for program in self._generators(*one)], valid)

    def inputs_against(self, valid: Valid, survivors: Sequence[Program]) -> list[MadeInput]:
        """The inputs of all proven generators against the first surviving programs."""
        wanted = [(f"generator against {program.name}", adversarial(program.code), 1)
                  for program in survivors[:MOST_ADVERSARIAL]]  # fmt: skip
        return self._drawn([program for one in wanted for program in self._generators(*one)], valid)

    def more_inputs(self, valid: Valid) -> list[MadeInput]:
        """The next inputs of the proven generators, without those of the largest inputs."""
        again, self.proven = self.proven, []
        self.rounds += 1
        return self._drawn(again, valid, self.rounds * INPUTS)

    def _generators(self, label: str, words: str, count: int) -> Iterator[Written]:
        return ask_for_programs(self.client, self.row, "generator_v1", words, count, label)

    def _drawn(self, programs: Sequence[Written], valid: Valid, first: int = 0) -> list[MadeInput]:
        found: dict[str, MadeInput] = {}
        for program in programs:
            largest = program.name.startswith("largest")
            count = LARGEST_INPUTS if largest else INPUTS
            made = run_generator(program, count, self.grader, self.settings, valid, first)
            self._note([(program.name, made.fault)] if made.fault else [])
            if not made.fault and not largest:
                self.proven.append(program)
            for text in made.texts:
                found.setdefault(text, MadeInput(text, "model", program.name))
        return sorted(found.values(), key=lambda made: len(made.text))

    def references(self) -> list[Program]:
        """Brute-force solutions. The known tests and the right solutions show whether they are right."""
        programs = ask_for_programs(self.client, self.row, "reference_v1", "", self.settings.candidates, "brute force")
        return [Program("python", program.code, program.name) for program in programs]

    def checkers(self, words: str = "") -> Iterator[Written]:
        """Checkers that are not proven yet, each asked for when it is taken. words: what the question adds."""
        name = "checker_call_v1" if self.row["kind"] == "call" else "checker_v1"
        return ask_for_programs(self.client, self.row, name, words, self.settings.candidates, "checker")

    def _note(self, refused: Sequence[tuple[str, str]]) -> None:
        self.notes += [f"{name} refused: {why}" for name, why in refused]
