"""Run tasks in processes on this machine. A single worker runs inline, so that a debugger or a profiler sees
everything.

Workers come from a fork server: they inherit no lock, no thread and no open file of the build, and exit when it exits.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from microcoder_data.without_pandas import do_without_pandas
from microcoder_eval import InputError
from microcoder_eval.fork_server import fork_server, ignore_ctrl_c

QUEUED_PER_WORKER = 3
"""Tasks submitted for each worker: enough that no worker waits, few enough that an error stops the build soon."""

OBJECTS_BEFORE_COLLECTION = 50_000
"""New objects after which Python searches for garbage in cycles; its default of 700 costs a tenth of a build's CPU."""

MAPPED_FILES = 16_384
"""Open files that a worker may need: several for each 12,500 of at most 16.8 million rows."""

PRELOADED = ["microcoder_data.pipeline.collect", "microcoder_data.pipeline.compare", "microcoder_data.pipeline.verify"]
"""Modules that every worker needs, imported once in the fork server."""


class LocalEngine:
    """Runs tasks in worker processes, or inline with one worker."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    @property
    def started(self) -> bool:
        """Whether workers were started."""
        return self._pool is not None

    def map(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        if self.workers == 1 or len(tasks) <= 1:
            for index, task in enumerate(tasks):
                yield index, function(task)
            return
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.workers, mp_context=fork_server(PRELOADED), initializer=_start_worker)
        running: dict[Future[Any], int] = {}
        waiting = iter(enumerate(tasks))
        try:
            while True:
                for index, task in waiting:
                    running[self._pool.submit(function, task)] = index
                    if len(running) >= self.workers * QUEUED_PER_WORKER:
                        break
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        except BrokenProcessPool:
            raise InputError(
                "a worker process was killed (out of memory?); run again with --resume and fewer --workers"
            ) from None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _start_worker() -> None:
    ignore_ctrl_c()
    lift_integer_limit()
    allow_more_open_files()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)
    do_without_pandas()
    threading.Thread(target=_end_with_build, daemon=True).start()


def lift_integer_limit() -> None:
    """Lift Python's limit of 4300 digits for integers: some tests have longer ones."""
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)


def allow_more_open_files() -> None:
    """Comparing maps several files for each 12,500 rows at a time, and every mapped file counts as open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY:
        most = MAPPED_FILES if hard == resource.RLIM_INFINITY else min(MAPPED_FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


@contextmanager
def long_integers() -> Iterator[None]:
    """Lift the limit for a while: the process is the caller's, who may rely on it."""
    before = sys.get_int_max_str_digits() if hasattr(sys, "get_int_max_str_digits") else None
    lift_integer_limit()
    try:
        yield
    finally:
        if before is not None:
            sys.set_int_max_str_digits(before)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Search for garbage in cycles seldom for a while: rows are many objects, of which few are in a cycle."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _end_with_build() -> None:
    """Exit when the build is killed (kill -9). The worker's direct parent is the fork server, which would stay
    alive."""
    build = multiprocessing.parent_process()
    if build is not None:
        build.join()
        os._exit(1)
