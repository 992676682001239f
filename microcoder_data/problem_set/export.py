"""Write the problem set in the grader's interchange form: a file of problems and a file of their solutions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from microcoder_data.problem_set.reader import MATERIAL, Entry
from microcoder_data.problem_set.reference import build_problems
from microcoder_eval import InputError
from microcoder_eval.atomic import atomic_path


def export_set(entries: Sequence[Entry], out: Path, cheats: Sequence[Path] = ()) -> int:
    """Write OUT/problems.jsonl and OUT/submissions.jsonl; returns the number of submissions.

    `cheats`: programs that try to be accepted without an answer. They are submitted for the first stdin problem.

    >>> export_set(read_all(find_problems()), Path("runs/set"))        # doctest: +SKIP
    512
    """
    count = 0
    try:
        out.mkdir(parents=True, exist_ok=True)
        with (
            atomic_path(out / "problems.jsonl") as problem_path,
            atomic_path(out / "submissions.jsonl") as submission_path,
            problem_path.open("w", encoding="utf-8") as problems,
            submission_path.open("w", encoding="utf-8") as submissions,
        ):
            for entry, problem in zip(entries, build_problems(entries), strict=True):
                record = {
                    **problem.to_dict(),
                    "title": entry.title,
                    "difficulty": entry.difficulty,
                    "tags": list(entry.tags),
                }
                problems.write(json.dumps(record, ensure_ascii=False) + "\n")
                for solution in entry.solutions:
                    line = {
                        "id": f"{entry.slug}/{solution.name}",
                        "problem_id": entry.slug,
                        "language": solution.language,
                        "code": solution.code,
                        "announced": solution.announced,
                        "reason": solution.reason,
                    }
                    submissions.write(json.dumps(line, ensure_ascii=False) + "\n")
                    count += 1
            for cheat in cheats:
                submissions.write(json.dumps(_cheat(cheat, _problem_for_cheats(entries)), ensure_ascii=False) + "\n")
                count += 1
    except OSError as error:
        raise InputError(f"{out}: {error.strerror or error}") from None
    return count


def find_cheats() -> list[Path]:
    """The cheating programs that come with the problem set."""
    return sorted((MATERIAL / "cheats").glob("*.py"))


def _problem_for_cheats(entries: Sequence[Entry]) -> Entry:
    for entry in entries:
        if entry.kind == "stdin":
            return entry
    raise InputError("the cheats need a problem of kind stdin to be submitted for; none is chosen")


def _cheat(path: Path, entry: Entry) -> dict[str, str]:
    """The submission of a cheating program."""
    code = path.read_text(encoding="utf-8")
    return {
        "id": f"{entry.slug}/cheat/{path.name}",
        "problem_id": entry.slug,
        "language": "python",
        "code": code,
        "announced": "cheat",
        "reason": code.split("\n", 1)[0].removeprefix("# cheat: "),
    }
