"""Runs a program once on the user's stdin and files, and returns what it writes (see `microcoder_eval.program_run`)."""

from __future__ import annotations

import signal

from microcoder_eval.protocol.messages import RunOptions, Streams, TestOutcome
from microcoder_eval.supervisor import judge
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.boxes import Boxes
from microcoder_eval.supervisor.failure import failure_of
from microcoder_eval.supervisor.judge import Judgement
from microcoder_eval.supervisor.loaded_problem import LoadedProblem
from microcoder_eval.supervisor.run import Run
from microcoder_eval.supervisor.trial import Trial
from microcoder_eval.supervisor.watch import Limits
from microcoder_eval.verdict import Verdict


class RunTrial(Trial):
    """A program that is run once, with files in its working directory. Of the problem only the limits are used."""

    def __init__(self, boxes: Boxes, loaded: LoadedProblem, code: str, options: RunOptions) -> None:
        super().__init__(boxes, loaded, code, options)
        assert options.plain_run is not None
        self._plain_run = options.plain_run

    def test(self, index: int) -> TestOutcome:
        box, limits = self._ready(), self._limits(index)
        try:
            run = self._run(box, limits)
            if run.killed:
                run = self._run(box, limits)
        except OSError as error:  # the file system of the working directory is full, or refuses a name
            self.start_over()
            return judge.judge_error(index, f"the files cannot be laid into the working directory: {error.strerror}")
        kept = self._plain_run.kept_bytes
        written = max(box.stdout.size(), box.stderr.size())
        judgement = judge.judge_run(run, limits, written, failure_of(box, run, self._code))
        killed = judgement is not None and judgement.endless
        streams = Streams(
            -signal.SIGKILL if killed else run.exit_status,
            *(box.stdout.get(kept), box.stderr.get(kept)),
            *(box.stdout.size(), box.stderr.size()),
        )
        return judge.outcome(index, run, judgement or Judgement(Verdict.ACCEPTED), streams)

    def run_in_one_process(self, indices: list[int]) -> list[TestOutcome]:
        """Nothing: a plain run has a process of its own."""
        return []

    def _run(self, box: Box, limits: Limits) -> Run:
        for name, content in self._plain_run.files.items():
            box.put_file(name, content)
        box.start(self._plain_run.stdin, limits)
        return box.wait()
