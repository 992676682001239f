"""Runs a program for its outputs, without comparing them (see `microcoder_eval.outputs`)."""

from __future__ import annotations

from microcoder_eval.protocol.messages import TestOutcome
from microcoder_eval.supervisor import judge
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.judge import Judgement
from microcoder_eval.supervisor.run import Run
from microcoder_eval.supervisor.trial import Trial
from microcoder_eval.supervisor.watch import MEBIBYTE, Limits
from microcoder_eval.verdict import Verdict

KEPT_BYTES = 4 * MEBIBYTE
"""A longer output is an OUTPUT_LIMIT: it is too long to become an expected output."""


class OutputTrial(Trial):
    """A program that is run for its outputs."""

    def _outcome(self, box: Box, index: int, run: Run, limits: Limits) -> TestOutcome:
        early = self._judge_run(box, run, limits)
        if early is not None:
            return judge.outcome(index, run, early)
        written = box.result if self._loaded.problem.kind == "call" else box.stdout
        if written.size() > KEPT_BYTES:
            detail = f"answered with more than {KEPT_BYTES >> 20} MiB"
            return judge.outcome(index, run, Judgement(Verdict.OUTPUT_LIMIT, detail=detail))
        return judge.outcome(index, run, Judgement(Verdict.ACCEPTED, "output"), written.get())
