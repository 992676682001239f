"""Finds which runs the claims need, and runs those that are missing.

    runs = wanted(load_lab(), ["C1", "C2"], seeds=8)
    run_missing(None, runs, Path("runs/lab"), jobs=2, notify=print)     # None: the experiments of the package

Runs are ordered by seed, so that a stopped lab has all arms of the same seeds. Each finished run is a line in
`results.jsonl` before the next one begins. After kill -9 the same command resumes; only unfinished runs are repeated.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from statistics import fmean

from microcoder_data.lock import exclusive
from microcoder_eval import InputError
from microcoder_eval.errors import GraderError
from microcoder_eval.fork_server import fork_server, ignore_ctrl_c
from microcoder_rl.errors import RunFailed
from microcoder_rl.lab.experiment import Arm, Lab, load_lab
from microcoder_rl.lab.results import Record, Results, shipped_results, versions

ASSUMED_CPU_S = 30.0
"""The assumed CPU time of a run while no run has been recorded."""


@dataclass(frozen=True)
class Wanted:
    """An arm with a seed, and the claims that need it."""

    experiment: str
    name: str
    seed: int
    arm: Arm
    claims: tuple[str, ...]

    @property
    def run(self) -> tuple[str, int]:
        return self.arm.key, self.seed


def wanted(lab: Lab, claims: Sequence[str], seeds: int | None = None) -> list[Wanted]:
    """The runs that the claims need, each once. `seeds` replaces the experiments' own numbers of seeds."""
    found: dict[tuple[str, int], Wanted] = {}
    for claim in claims:
        experiment, config = lab.claims[claim]
        for name in dict.fromkeys(arm for check in config.checks for arm in check.arms):
            arm = lab.arm(experiment, name)
            for seed in range(seeds or lab.experiments[experiment].seeds):
                old = found.get((arm.key, seed))
                needed_by = (*(old.claims if old else ()), claim)
                first = old or Wanted(experiment, name, seed, arm, ())
                found[arm.key, seed] = Wanted(first.experiment, first.name, seed, arm, needed_by)
    return sorted(found.values(), key=lambda each: each.seed)


def cpu_s(runs: Iterable[Wanted], known: Iterable[Record]) -> float:
    """Estimated CPU seconds of runs: for each the mean of its arm's recorded runs, or of all recorded runs."""
    taken: dict[str, list[float]] = {}
    for record in known:
        taken.setdefault(str(record["arm"]), []).append(float(record.get("cpu_s", ASSUMED_CPU_S)))
    every = [value for values in taken.values() for value in values] or [ASSUMED_CPU_S]
    return sum(fmean(taken.get(each.arm.key, every)) for each in runs)


def run_missing(
    lab_folder: Path | None, runs: Sequence[Wanted], out: Path, *, jobs: int, notify: Callable[[str], None]
) -> list[str]:
    """Do the runs that `out/results.jsonl` lacks. Returns the new runs whose figures differ from the shipped ones."""
    store = Results(out / "results.jsonl")
    with exclusive(out):
        done = store.read()
        todo = [each for each in runs if each.run not in done]
        notify(f"lab: {len(runs) - len(todo)} of {len(runs)} runs are done")
        if jobs == 1:
            _work(lab_folder, _names(todo), out, notify)
        elif todo:
            _run_in_processes(lab_folder, todo, out, jobs, notify)
        return differing(store, [each.run for each in todo], notify)


def differing(store: Results, runs: Sequence[tuple[str, int]], notify: Callable[[str], None]) -> list[str]:
    """The runs whose figures differ from the shipped ones, though versions and CPU are the same. Says how many were
    compared."""
    ours, theirs = store.read(), Results(shipped_results()).read()
    recorded = [run for run in runs if run in theirs]
    same = [run for run in recorded if ours[run]["versions"] == theirs[run]["versions"]]
    found = [f"{arm} seed {seed}" for arm, seed in same if ours[arm, seed]["points"] != theirs[arm, seed]["points"]]
    if same:
        notify(f"lab: {len(same) - len(found)} of {len(same)} recorded runs were repeated bit for bit")
    if len(same) < len(recorded):
        notify(f"lab: {len(recorded) - len(same)} recorded runs had other versions or another CPU: not compared")
    return found


def _names(runs: Sequence[Wanted]) -> list[tuple[str, str, int]]:
    return [(each.experiment, each.name, each.seed) for each in runs]


def _run_in_processes(
    lab_folder: Path | None, todo: Sequence[Wanted], out: Path, jobs: int, notify: Callable[[str], None]
) -> None:
    """Divide the runs among `jobs` worker processes. The workers end when this process ends, even by kill -9."""
    context = fork_server(["microcoder_rl.lab.one_run"])  # torch is imported once, for all workers
    workers_end, own_end = context.Pipe(duplex=False)
    messages: Queue[str] = context.Queue()
    workers = [
        context.Process(target=_worker, args=(lab_folder, _names(todo[start::jobs]), out, workers_end, messages))
        for start in range(min(jobs, len(todo)))
    ]
    try:
        for worker in workers:
            worker.start()
        workers_end.close()
        while any(worker.is_alive() for worker in workers):
            with suppress(Empty):
                notify(messages.get(timeout=0.5))
        with suppress(Empty):
            while True:
                notify(messages.get(timeout=0.1))
    finally:
        own_end.close()
        for worker in workers:
            worker.join()
    failed = sum(worker.exitcode != 0 for worker in workers)
    if failed:
        raise RunFailed(f"{failed} of {len(workers)} processes of the lab failed; what they finished is kept")


def _worker(
    lab_folder: Path | None, runs: Sequence[tuple[str, str, int]], out: Path, parent: Connection, messages: Queue[str]
) -> None:
    ignore_ctrl_c()

    def end_with_parent() -> None:
        with suppress(EOFError):  # the parent never sends anything; its end of the pipe closes when it ends
            parent.recv_bytes()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        _work(lab_folder, runs, out, messages.put)
    except (InputError, GraderError, RunFailed, OSError) as error:
        messages.put(f"lab: {error}")
        sys.exit(1)


def _work(
    lab_folder: Path | None, runs: Sequence[tuple[str, str, int]], out: Path, notify: Callable[[str], None]
) -> None:
    from microcoder_rl.lab.one_run import Bench, run_arm  # the process that starts workers needs no torch

    lab, store, bench = load_lab(lab_folder), Results(out / "results.jsonl"), Bench(out, notify)
    try:
        for place, (experiment, name, seed) in enumerate(runs, 1):
            record = run_arm(lab.arm(experiment, name), seed, bench)
            store.add({**record, "versions": versions()})
            last = record["points"][-1]
            notify(
                f"lab: {place}/{len(runs)} {experiment}/{name} seed {seed}: accuracy {last['short']:.2f}, "
                f"with the long limit {last['long']:.2f}, {record['cpu_s']:.0f} CPU s"
            )
    finally:
        bench.close()
