"""Keeps verdicts on disk, so that a program graded once is not run again: an SQLite file that processes share.

A verdict is found again only when everything that decides it is the same: the program and its language, the problem
record except its statement, policy, isolation and layers, the interpreter, its installed packages, the compilers, and
the grader's own source. Failures of the grader are never kept. A timeout that did not use up its CPU time (the program
waited, or the machine was suspended) is used only after a second run gave the same. When the file cannot be used,
grading continues without it.

With tests_order "kept", the file also keeps how many programs each test has rejected, and its CPU time (`experience`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import sqlite3
import sys
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from microcoder_eval.boundary.layers import interpreter_paths
from microcoder_eval.protocol.messages import RunOptions
from microcoder_eval.scheduling.job import ProgramGrade
from microcoder_eval.scheduling.test_order import Experience
from microcoder_eval.source_digest import source_digest
from microcoder_eval.verdict import GroupResult, Raised, TestResult, Verdict

DEFAULT_LIMIT_MB = 512
WRITTEN_AT_ONCE = 64
LONGEST_UNWRITTEN_S = 1.0
MOST_UNWRITTEN = 10_000
"""The most verdicts that wait in memory while other processes keep the file locked; older ones are dropped."""
SQLITE_BUSY = 5
BUSY_S = 0.5
BUSY_AT_OPEN_S = 10.0
BUSY_RETRY_S = 0.01
EVICTED_SHARE = 0.2
TABLE = """
CREATE TABLE IF NOT EXISTS verdicts (
    key BLOB PRIMARY KEY, outcome BLOB NOT NULL, sure INTEGER NOT NULL, used REAL NOT NULL
) WITHOUT ROWID
"""
TABLE_OF_TESTS = """
CREATE TABLE IF NOT EXISTS tests (
    problem TEXT NOT NULL, test INTEGER NOT NULL, failures INTEGER NOT NULL, runs INTEGER NOT NULL,
    cpu_ms REAL NOT NULL, PRIMARY KEY (problem, test)
) WITHOUT ROWID
"""
MOST_TESTS = 1_000_000
"""For how many tests statistics are kept: some 100 MB. When a file with more is opened, they are all deleted."""
EXPERIENCE = "SELECT test, failures, runs, cpu_ms FROM tests WHERE problem = ?"
LEARN = """
INSERT INTO tests VALUES (?, ?, ?, ?, ?) ON CONFLICT (problem, test) DO UPDATE
SET failures = failures + excluded.failures, runs = runs + excluded.runs, cpu_ms = cpu_ms + excluded.cpu_ms
"""
BY_USE = "CREATE INDEX IF NOT EXISTS by_use ON verdicts (used)"
FIND = "SELECT outcome FROM verdicts WHERE key = ? AND sure"
KEEP = """
INSERT INTO verdicts VALUES (?, ?, ?, ?) ON CONFLICT (key)
DO UPDATE SET outcome = excluded.outcome, sure = excluded.sure OR NOT sure, used = excluded.used
"""
TOUCH = "UPDATE verdicts SET used = ? WHERE key = ?"
EVICT = "DELETE FROM verdicts WHERE key IN (SELECT key FROM verdicts ORDER BY used LIMIT ?)"


class VerdictCache:
    """The verdicts of one file. Safe to use from threads, and from several processes at a time.

    >>> cache = VerdictCache("verdicts.sqlite")                                  # doctest: +SKIP
    >>> cache.find(key) is None                                                  # doctest: +SKIP
    True
    """

    def __init__(self, path: str | os.PathLike[str], limit_mb: float = DEFAULT_LIMIT_MB) -> None:
        self.path = Path(path)
        self.hits = 0
        """How many verdicts were found in the cache."""
        self._limit_bytes = int(limit_mb * (1 << 20))
        self._lock = threading.Lock()
        self._unwritten: list[tuple[bytes, bytes, bool, float]] = []
        self._used: dict[bytes, float] = {}
        self._experience: dict[tuple[str, int], Experience] = {}
        self._written_at = time.monotonic()
        self._file: sqlite3.Connection | None = None
        with self._giving_up_on_errors():
            self._file = self._open()

    def find(self, key: bytes) -> ProgramGrade | None:
        """The verdict kept for `key`, if any."""
        with self._lock, self._giving_up_on_errors():
            if self._file is None:
                return None
            row = self._file.execute(FIND, (key,)).fetchone()
            if row is not None:
                grade = _unpack(row[0])
                self._used[key] = time.time()
                self._write_now_and_then()
                self.hits += 1
                return grade
        return None

    def keep(self, key: bytes, grade: ProgramGrade, timeouts_are_sure: bool = False) -> None:
        """Keep a verdict, unless the grader failed. `timeouts_are_sure`: each used up the CPU time of its test."""
        verdicts = {grade.verdict, *(test.verdict for test in grade.tests)}
        if Verdict.JUDGE_ERROR in verdicts:
            return
        with self._lock, self._giving_up_on_errors():
            if self._file is not None:
                sure = timeouts_are_sure or Verdict.TIME_LIMIT not in verdicts
                self._unwritten.append((key, _pack(grade), sure, time.time()))
                self._write_now_and_then()

    def experience(self, problem: str) -> dict[int, Experience]:
        """What earlier runs have seen of a problem's tests, by number. `problem`: its key."""
        with self._lock, self._giving_up_on_errors():
            if self._file is not None:
                rows = self._file.execute(EXPERIENCE, (problem,)).fetchall()
                return {test: Experience(*seen) for test, *seen in rows}
        return {}

    def learn(self, problem: str, grade: ProgramGrade) -> None:
        """Note which tests a program has run, and which one it failed first."""
        with self._lock, self._giving_up_on_errors():
            if self._file is None or grade.verdict is Verdict.JUDGE_ERROR:
                return
            for test in grade.tests:
                seen = Experience(int(test.index == grade.failed_test), 1, test.cpu_ms)
                at = problem, test.index
                self._experience[at] = self._experience.get(at, Experience()).plus(seen)
            self._write_now_and_then()

    def close(self) -> None:
        """Write what is not written yet."""
        with self._lock:
            with self._giving_up_on_errors():
                self._write()
            if self._file is not None:
                self._file.close()
                self._file = None

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = sqlite3.connect(self.path, timeout=BUSY_AT_OPEN_S, isolation_level=None, check_same_thread=False)
        try:
            _write_ahead(file)
            file.execute("PRAGMA synchronous = NORMAL")
            file.execute(TABLE)
            file.execute(TABLE_OF_TESTS)
            if file.execute("SELECT count(*) FROM tests").fetchone()[0] > MOST_TESTS:
                file.execute("DELETE FROM tests")
            file.execute(BY_USE)
            file.execute(f"PRAGMA busy_timeout = {BUSY_S * 1000:.0f}")
        except sqlite3.Error:
            file.close()
            raise
        return file

    def _write_now_and_then(self) -> None:
        waiting = len(self._unwritten) + len(self._used)
        if waiting >= WRITTEN_AT_ONCE or time.monotonic() - self._written_at > LONGEST_UNWRITTEN_S:
            self._write()

    def _write(self) -> None:
        file, self._written_at = self._file, time.monotonic()
        if file is None or not (self._unwritten or self._used or self._experience):
            return
        try:
            file.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            del self._unwritten[:-MOST_UNWRITTEN]  # another process is writing: try again later
            return
        try:
            file.executemany(KEEP, self._unwritten)
            file.executemany(TOUCH, [(when, key) for key, when in self._used.items()])
            if self._experience:
                file.executemany(LEARN, [(*at, *seen) for at, seen in self._experience.items()])
            self._make_room(file)
        except BaseException:
            if file.in_transaction:  # on a full disk, SQLite has rolled back itself
                file.execute("ROLLBACK")
            raise
        file.execute("COMMIT")
        self._unwritten, self._used, self._experience = [], {}, {}

    def _make_room(self, file: sqlite3.Connection) -> None:
        """When the file is full, delete the verdicts used longest ago; SQLite uses their pages again."""
        pages, free, size = (
            file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        if (pages - free) * size > self._limit_bytes:
            (count,) = file.execute("SELECT count(*) FROM verdicts").fetchone()
            file.execute(EVICT, (max(1, int(count * EVICTED_SHARE)),))

    @contextlib.contextmanager
    def _giving_up_on_errors(self) -> Iterator[None]:
        """On any error, stop using the file and log one line."""
        try:
            yield
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        file, self._file = self._file, None
        self._unwritten, self._used, self._experience = [], {}, {}
        if file is not None:
            with contextlib.suppress(sqlite3.Error):
                file.close()
        logging.getLogger("microcoder_eval").warning(
            "warning: the verdict cache %s cannot be used (%s); grading goes on without it", self.path, error
        )


def _write_ahead(file: sqlite3.Connection) -> None:
    """Let readers and a writer use the file at the same time.

    SQLite does not wait for its lock here while another process creates the same file.
    """
    give_up_at = time.monotonic() + BUSY_AT_OPEN_S
    while True:
        try:
            file.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > give_up_at:
                raise
            time.sleep(BUSY_RETRY_S)
        else:
            return


def _is_busy(error: sqlite3.OperationalError) -> bool:
    """Whether another process has locked the file."""
    code = getattr(error, "sqlite_errorcode", None)
    return "locked" in str(error) if code is None else code & 0xFF == SQLITE_BUSY  # Python 3.10 has no code


def default_path() -> Path:
    """The file that the command line uses: one for each machine, because SQLite's log cannot be shared over NFS."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "microcoder" / f"verdicts-{os.uname().nodename}.sqlite"


def verdict_key(program: bytes, options: RunOptions, layers: Iterable[str]) -> bytes:
    """The key of a verdict. `program`: a digest of problem, language and code."""
    circumstances = json.dumps([options, sorted(layers), environment_digest()], sort_keys=True)
    return hashlib.sha256(program + circumstances.encode()).digest()


@cache
def environment_digest() -> str:
    """A digest of what decides a verdict besides problem and program: interpreter, packages, the grader's source."""
    digest = hashlib.sha256(f"{sys.version} {os.uname().machine} {source_digest()}".encode())
    for directory in interpreter_paths():
        with contextlib.suppress(OSError):
            digest.update("\n".join(sorted(n for n in os.listdir(directory) if n.endswith("-info"))).encode())
    return digest.hexdigest()


def _pack(grade: ProgramGrade) -> bytes:
    record = {name: value for name, value in vars(grade).items() if name != "outputs"}
    record["verdict"] = grade.verdict.value
    record["tests"] = [test.to_dict() for test in grade.tests]
    record["groups"] = [group.to_dict() for group in grade.groups]
    record["raised"] = None if grade.raised is None else grade.raised.to_dict()
    return zlib.compress(json.dumps(record).encode(), 1)


def _unpack(packed: bytes) -> ProgramGrade:
    record = json.loads(zlib.decompress(packed))
    tests = tuple(TestResult.from_dict(test) for test in record["tests"])
    groups = tuple(GroupResult.from_dict(group) for group in record["groups"])
    raised = record["raised"] and Raised.from_dict(record["raised"])
    known = {"verdict": Verdict(record["verdict"]), "tests": tests, "groups": groups, "raised": raised}
    return ProgramGrade(**{**record, **known})
