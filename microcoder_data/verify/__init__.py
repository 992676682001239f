"""Verify: checks of a row that run no program, then, where the recipe asks for it, its solutions are run."""

from __future__ import annotations

from dataclasses import dataclass, field

from microcoder_data.make_tests.settings import MakeTests
from microcoder_data.verify.attempts import Attempts
from microcoder_data.verify.execution import Execution
from microcoder_data.verify.gradable import Gradable
from microcoder_data.verify.integrity import TestIntegrity
from microcoder_data.verify.limits import Limits
from microcoder_data.verify.test_programs import TestPrograms


@dataclass(frozen=True)
class Verify:
    """Settings of Verify; `false` switches a rule off."""

    make_tests: MakeTests | None = None
    tests: TestIntegrity | None = field(default_factory=TestIntegrity)
    test_programs: TestPrograms | None = field(default_factory=TestPrograms)
    limits: Limits | None = field(default_factory=Limits)
    gradable: Gradable | None = field(default_factory=Gradable)
    execution: Execution | None = None
    attempts: Attempts | None = None
    """Applied after all other rules; `filter.pass_rate` selects by what it finds."""
