"""verifiers v1 (and prime-rl): a taskset of programming problems.

    PYTHONPATH=. vf-eval code_tasks --env.taskset.problems problems.jsonl

verifiers finds tasksets by the name of a module at the top level: `code_tasks.py` imports `CodeTask` and `CodeTaskset`
from here, and lists them in `__all__`. Each problem is a task whose prompt is its statement. A JUDGE_ERROR raises:
verifiers records a TaskError on the trace, and prime-rl leaves such traces out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import verifiers.v1 as vf

from microcoder_eval.errors import InputError
from microcoder_eval.integrations.grading import Rewarder
from microcoder_eval.reading.input_files import ProblemFile

__all__ = ["CodeTask", "CodeTaskset"]

ASK = "\n\nAnswer with one complete program in a fenced code block."


class CodeData(vf.TaskData):
    """The data of a task; verifiers stores it with each trace."""

    problem: dict[str, Any]


class CodeTaskConfig(vf.TaskConfig):
    """Set with `--env.taskset.task.*`."""

    grader: str | None = None
    shape: str = "binary"
    cut_off: float | None = None


class CodeTask(vf.Task[CodeData, vf.State, CodeTaskConfig]):
    """One problem."""

    @vf.reward
    async def solved(self, trace: vf.Trace) -> float:
        """The reward of the last reply."""
        config = self.config
        rewarder = Rewarder(config.grader, shape=config.shape, cut_off=config.cut_off)
        grade = await asyncio.wrap_future(rewarder.submit(self.data.problem, trace.last_reply))
        trace.info["verdict"] = grade.verdict.value
        return rewarder.reward_or_raise(grade)


class CodeTasksetConfig(vf.TasksetConfig):
    """Set with `--env.taskset.*`."""

    problems: Path | None = None
    """A file of problems, or a dataset."""
    task: CodeTaskConfig = CodeTaskConfig()


class CodeTaskset(vf.Taskset[CodeTask, CodeTasksetConfig]):
    """The problems of a file."""

    def load(self) -> Iterable[CodeTask]:
        """A task for each problem."""
        if self.config.problems is None:
            raise InputError("--env.taskset.problems FILE is missing")
        problems = ProblemFile(self.config.problems)
        for name in problems:
            problem = problems[name]
            starter = f"\n\n```python\n{problem.starter_code}\n```" if problem.starter_code else ""
            prompt = f"{problem.statement}{starter}{ASK}"
            record = {**problem.to_dict(), "statement": ""}
            yield CodeTask(CodeData(id=name, name=name, prompt=prompt, problem=record), self.config.task)
