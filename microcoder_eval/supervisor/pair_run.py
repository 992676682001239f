"""Runs a program and the tests that call it, in two boxes whose processes exchange messages."""

from __future__ import annotations

import select
from typing import NamedTuple

from microcoder_eval.supervisor.box import LONGEST_RUN_S, Box
from microcoder_eval.supervisor.run import BoxLost, Run
from microcoder_eval.supervisor.watch import FIRST_LOOK_S, Limits


class PairRun(NamedTuple):
    """One run of a program and of the tests that called it."""

    program: Run
    tests: Run


def run_pair(program: Box, tests: Box, stdin: bytes, limits: tuple[Limits, Limits]) -> PairRun:
    """Run a program and the tests that call it until one of them ends; then the other is killed and "stopped".

    Only the tests get `stdin`; `limits` are the program's and the tests'.
    """
    program.drain_session()
    program.start(b"", limits[0])
    tests.start(stdin, limits[1])
    program.watch.partner, tests.watch.partner = tests.watch, program.watch
    poll = select.poll()
    for box in (program, tests):
        poll.register(box, select.POLLIN)
    stopped, pause = {program: "", tests: ""}, FIRST_LOOK_S
    while not any(stopped.values()) and not poll.poll(pause * 1000):
        (stopped[program], pause), (stopped[tests], _) = program.watch.look(), tests.watch.look()
        if program.watch.elapsed_s() > LONGEST_RUN_S:
            raise BoxLost("a run could not be ended")
    if stopped[tests] or (not stopped[program] and tests.has_ended()):
        tests_run = tests.collect_run(stopped[tests])
        return PairRun(program.stop(), tests_run)
    program_run = program.collect_run(stopped[program])
    return PairRun(program_run, tests.stop())
