"""The output directory of a grading run: grades as they come, which submissions are done, the summary.

To resume a killed run, open its directory again with `resume=True`. Complete lines stay. An incomplete last line and
every JUDGE_ERROR are dropped: these submissions are graded again.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from microcoder_eval.atomic import atomic_path
from microcoder_eval.errors import InputError
from microcoder_eval.plain_files import append_plain, check_is_file, read_object
from microcoder_eval.problem import Problem
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.runs.evidence import LONGEST_PROGRAM, MOST_OF_A_RUN, Evidence, statement_of
from microcoder_eval.runs.field_tally import FieldTally
from microcoder_eval.runs.tally import Tally
from microcoder_eval.verdict import Grade, Verdict

logger = logging.getLogger(__name__)


class RunDirectory:
    """The directory that one run writes. A context manager, because it holds a lock on the directory.

    >>> with RunDirectory(Path("runs/a"), {"policy": "contest"}, resume=False) as run:  # doctest: +SKIP
    ...     run.write(grade)
    """

    def __init__(self, path: Path, settings: Mapping[str, Any], resume: bool) -> None:
        self.path = path
        self.done: set[tuple[str, str]] = set()
        self.tally = Tally()
        self.by_field = FieldTally()
        self._settings = dict(settings)
        self._resume = resume
        self._evidence_bytes = 0
        self.without_evidence = 0
        """Grades whose evidence was left out because the run's limit was reached."""
        self._statements: set[str] = set()

    def __enter__(self) -> RunDirectory:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = append_plain(self.path / ".lock")
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self.path}: another run is writing here") from None
        self._read_earlier_grades()
        with self._writing("grades.jsonl"):
            self._grades = append_plain(self.path / "grades.jsonl")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            with self._writing("grades.jsonl"):
                self._grades.flush()
                os.fsync(self._grades.fileno())
        except InputError:
            if kind is None:
                raise
        finally:
            with contextlib.suppress(OSError):  # the error was reported when the grade was written
                self._grades.close()
            self._lock.close()

    def write(self, grade: Grade, evidence: Evidence | None = None) -> None:
        """Add a grade. When this returns, a kill cannot lose it."""
        record = grade.to_dict()
        if grade.code is not None:
            record["code"] = grade.code[:LONGEST_PROGRAM]
        if evidence is not None:
            record["evidence"] = self._within_limit(evidence)
        with self._writing("grades.jsonl"):
            self._grades.write(json.dumps(record).encode() + b"\n")
            self._grades.flush()
        self._count(grade, evidence or Evidence())
        logger.info(
            "%s for %s: %s, %d of %d tests%s",
            *(grade.submission_id, grade.problem_id, grade.verdict, grade.passed, grade.total),
            f": {grade.detail.strip().splitlines()[-1]}" if grade.detail.strip() else "",
        )

    def write_statement(self, problem: Problem) -> None:
        """Keep a problem's statement, once."""
        if problem.id in self._statements:
            return
        self._statements.add(problem.id)
        statement = statement_of(problem)
        if statement is not None and self._evidence_bytes < MOST_OF_A_RUN:
            line = json.dumps({"problem_id": problem.id, "statement": statement.to_dict()}).encode() + b"\n"
            self._evidence_bytes += len(line)
            with self._writing("statements.jsonl"), append_plain(self.path / "statements.jsonl") as file:
                file.write(line)

    def _within_limit(self, evidence: Evidence) -> dict[str, Any]:
        record = evidence.to_dict()
        size = len(json.dumps(record))
        if self._evidence_bytes + size > MOST_OF_A_RUN:
            self.without_evidence += 1
            return evidence.only_fields().to_dict()
        self._evidence_bytes += size
        return record

    def write_attributes(self, attributes: Mapping[str, ProblemAttributes]) -> None:
        """Write the problems' platforms and difficulties, by which the run's report tabulates scores."""
        known = {
            problem: {"platform": each.platform, "difficulty": each.difficulty} for problem, each in attributes.items()
        }
        self._replace("problems.json", json.dumps(known))

    def write_sources(self, sources: Mapping[str, Any]) -> None:
        """Write where the problems came from and how fields were mapped, for `eval show --complete` to read them."""
        if sources:
            self._replace("sources.json", json.dumps(sources))

    def write_summary(self, attributes: Mapping[str, ProblemAttributes], **more: Any) -> dict[str, Any]:
        """Write and return the summary: the settings, the counts and scores, then `more`."""
        tally = self.tally
        judged = tally.submissions - tally.judge_errors
        scores = tally.scores(attributes)
        summary = {
            **self._settings,
            "submissions": tally.submissions,
            "accepted": tally.accepted,
            "accepted_share": round(tally.accepted / judged, 6) if judged else None,
            "judge_errors": tally.judge_errors,
            "judge_failed_on_output": tally.judge_failed,
            "verdicts": dict(tally.verdicts.most_common()),
            "acceptances_by_rung": dict(tally.rungs.most_common()),
            "tests_run": tally.tests,
            "timed_out": {"programs": tally.timed_out, "cpu_s": round(tally.timed_out_cpu_s, 3)},
            **({"without_evidence": self.without_evidence} if self.without_evidence else {}),
            **({"points": vars(tally.points)} if tally.points.submissions else {}),
            "scores": scores and scores.to_dict(),
            "compared_by": self.by_field.to_dict(),
            "slowest_tests": [slow.to_dict() for slow in tally.slowest()],
            **more,
        }
        self._replace("summary.json", json.dumps(summary, indent=2))
        return summary

    def _replace(self, name: str, text: str) -> None:
        with self._writing(name), atomic_path(self.path / name) as path:
            path.write_text(text + "\n", encoding="utf-8")

    @contextlib.contextmanager
    def _writing(self, name: str) -> Iterator[None]:
        """Report a file that cannot be written as an `InputError`: a full disk or a missing permission."""
        try:
            yield
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            way_out = "; free some space, then continue with --resume" if full else ""
            raise InputError(f"{self.path / name}: cannot be written: {error.strerror}{way_out}") from None

    def _count(self, grade: Grade, evidence: Evidence) -> None:
        self.done.add((grade.submission_id, grade.problem_id))
        self.tally.add(grade)
        self.by_field.add(grade, evidence)

    def _read_earlier_grades(self) -> None:
        """Count the grades that the directory holds; refuse to mix two runs."""
        grades, run = self.path / "grades.jsonl", self.path / "run.json"
        if grades.exists() and grades.stat().st_size and not self._resume:
            raise InputError(f"{self.path}: holds grades already; continue with --resume or choose another --out")
        if grades.exists():
            check_is_file(grades)
        if grades.exists() and run.exists():
            before = read_object(run)
            for name, value in self._settings.items():
                if before.get(name) != value:
                    raise InputError(
                        f"{self.path}: was graded with {name}={before.get(name)!r}, not {value!r}; use another --out"
                    )
        self._read_earlier_statements()
        if grades.exists():
            with (
                self._writing(grades.name),
                atomic_path(grades) as kept,
                open(grades, "rb") as lines,
                open(kept, "wb") as out,
            ):
                for line in lines:
                    read = _read_grade(line)
                    if read is not None and read[0].verdict is not Verdict.JUDGE_ERROR:
                        out.write(line)
                        self._evidence_bytes += len(line) if b'"evidence": {' in line else 0
                        self._count(*read)
            logger.info("%s: %d grades of the earlier run are kept", self.path, len(self.done))
        self._replace("run.json", json.dumps(self._settings))

    def _read_earlier_statements(self) -> None:
        """Note the problems whose statements are written; drop an incomplete last line."""
        file = self.path / "statements.jsonl"
        if not file.exists():
            return
        check_is_file(file)
        with self._writing(file.name), atomic_path(file) as kept, open(file, "rb") as lines, open(kept, "wb") as out:
            for line in lines:
                try:
                    self._statements.add(json.loads(line)["problem_id"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    continue
                out.write(line)


def _read_grade(line: bytes) -> tuple[Grade, Evidence] | None:
    """The grade in a line, or None when a killed run has left the line incomplete."""
    try:
        record = json.loads(line) if line.endswith(b"\n") else None
        return record and (Grade.from_dict(record), Evidence.from_dict(record.get("evidence") or {}))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
