"""Test making as the first rule of Verify, where a recipe asks for it: samples become tests, and more are made.

rule = MakeTestsRule(settings, grader, store)
outcome = rule(row)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from microcoder_data.make_tests.by_model import Model
from microcoder_data.make_tests.making import Making
from microcoder_data.make_tests.node_programs import NodeProgram, read_program
from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.rules import Outcome, marked
from microcoder_data.schema import Row, new_test, to_problem
from microcoder_data.shards import TestStore, test_bytes
from microcoder_data.verify.program_runner import ProgramRunner, programs
from microcoder_eval import InputError
from microcoder_eval.connection import AnyGrader

if TYPE_CHECKING:
    from microcoder_data.llm.client import Client

LARGEST_BYTES = 64 << 20
"""Rows whose tests take more than this have enough."""
LEAST_S = 30.0
"""The least CPU time to run right solutions on a test program with made cases."""


class MakeTestsRule:
    """The rule: the settings, a grader and the store of oversized tests."""

    name: ClassVar[str] = MakeTests.name

    def __init__(
        self,
        settings: MakeTests,
        grader: AnyGrader,
        store: TestStore,
        client: Client | None = None,
        count: Callable[..., None] = lambda **what: None,
    ) -> None:
        """
        client: the model that writes programs; without one, the way `model` makes nothing.
        count: is called with the numbers to add to the report's counts.
        """
        self._count = count
        self._settings, self._grader, self._store = settings, grader, store
        self._client = client if "model" in settings.ways else None

    def __call__(self, row: Row) -> Outcome | None:
        program = read_program(row)
        if row["kind"] not in ("stdin", "call") and program is None:
            return None
        plain = row if program is None else program.as_calls(row)
        shown = {sample["input"] for sample in row["samples"] or []}
        beyond = [test for test in plain["tests"] if not test["public"] and test["input"] not in shown]
        if len(beyond) >= self._settings.enough or sum(map(test_bytes, plain["tests"])) > LARGEST_BYTES:
            return None
        if not plain["tests"] and plain["kind"] == "stdin":
            plain["tests"] = [
                new_test(sample["input"], sample["output"], public=True, origin="sample")
                for sample in row["samples"] or [] if sample["input"] and sample["output"]
            ]  # fmt: skip
        if not plain["tests"]:
            return marked("no tests made: no known input")
        try:
            loaded = {**plain, "tests": [self._store.load(test) for test in plain["tests"]], "groups": None}
            problem = to_problem(loaded)
        except InputError as error:
            return marked(f"no tests made: {error}")
        rights, skipped = programs(plain, problem, correct=True, most=self._settings.solutions)
        client = self._client if program is None else None  # the model is asked for programs of another form
        least = 1 if client is not None else self._settings.agreeing  # the model can add a brute force
        if len(rights) < least:
            found = f"{len(rights)} right solutions can be run, {self._settings.agreeing} are needed"
            return marked(f"no tests made: {found}{f' ({skipped})' if skipped else ''}")
        runner = ProgramRunner(self._grader, problem, self._settings.row_seconds)
        model = Model(client, row, self._grader, self._settings) if client is not None else None
        before = len(plain["tests"])
        making = Making(plain, runner, rights, self._settings, model)
        outcome = making.run()
        if program is not None and making.made:
            fault = self._put_back(row, program, plain["tests"][before:], runner.left_s)
            if fault:
                return marked(f"no tests made: {fault}")
        self._count(**making.counts())
        return outcome

    def _put_back(self, row: Row, program: NodeProgram, tests: list[dict[str, Any]], left_s: float) -> str:
        """Write made tests into the row's test program, if right solutions pass it then; else gives the fault."""
        longer = {**row, "test_code": program.with_tests(tests)}
        problem = to_problem(longer)
        rights, _ = programs(longer, problem, correct=True, most=self._settings.solutions)
        results = ProgramRunner(self._grader, problem, max(left_s, LEAST_S)).run(rights)
        if not any(result.accepted() for result in results) or any(result.rejected() for result in results):
            return "a right solution fails the test program with the made cases"
        row["test_code"] = longer["test_code"]
        return ""
