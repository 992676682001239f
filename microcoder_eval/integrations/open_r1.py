"""open-r1: a provider for its `code_reward`, which sends scripts that hold a program and its tests.

    import open_r1.rewards
    from microcoder_eval.integrations.open_r1 import MicrocoderProvider
    open_r1.rewards.get_provider = lambda provider_type, **_: MicrocoderProvider()

The script is not run: the program and the tests are taken from it and graded here, and every line of the output is
compared (open-r1 compares only as many lines as the shorter side has). As in open-r1, the reward is the share of tests
that pass. A JUDGE_ERROR gives None, which TRL from 1.6 leaves out of the group.
"""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.integrations.grading import Rewarder
from microcoder_eval.problem import Submission
from microcoder_eval.verdict import Grade


class MicrocoderProvider:
    """A provider with the one method that open-r1 calls."""

    def __init__(self, **settings: Any) -> None:
        """settings: those of `Rewarder`."""
        self._rewarder = Rewarder(**{"shape": "fraction", "time_limit_s": 5.0, **settings})

    def execute_scripts(self, scripts: Sequence[str], languages: Sequence[str]) -> list[float | None]:
        """The reward of each script."""
        futures = [self._submit(*program_and_tests(script)) for script in scripts]
        return [self._rewarder.reward(future.result()) for future in futures]

    def _submit(self, code: str, tests: Any) -> Future[Grade]:
        problem = self._rewarder.problem(tests)
        submission = Submission("", problem.id, code=code, language=self._rewarder.language)
        return self._rewarder.submit_program(problem, submission)


def program_and_tests(script: str) -> tuple[str, Any]:
    """The program and the tests that open-r1's template puts into a script: it assigns `code_snippet = "..."` and
    `test_cases = json.loads("...")`."""
    found: dict[str, Any] = {}
    try:
        body = ast.parse(textwrap.dedent(script)).body  # the template is indented as a whole
        for node in body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = node.value.args[0] if isinstance(node.value, ast.Call) and node.value.args else node.value
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    found[node.targets[0].id] = value.value
        return found["code_snippet"], json.loads(found["test_cases"])
    except (SyntaxError, ValueError, KeyError, RecursionError):
        raise InputError("the script is not one that open-r1's code_reward writes") from None
