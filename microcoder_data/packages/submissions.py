"""The jury's submissions, right and wrong, with the verdicts that the jury expects."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from microcoder_data.packages.description import Description, fill_constants
from microcoder_data.packages.files import Package, read_yaml
from microcoder_data.packages.languages import is_python2, language_of, main_of
from microcoder_data.rules import Reject

VERDICTS = {
    "accepted": ("ACCEPTED",),
    "wrong_answer": ("WRONG_ANSWER",),
    "time_limit_exceeded": ("TIME_LIMIT",),
    "run_time_error": ("RUNTIME_ERROR",),
    "runtime_error": ("RUNTIME_ERROR",),
    "memory_limit_exceeded": ("MEMORY_LIMIT",),
    "output_limit_exceeded": ("OUTPUT_LIMIT",),
    "compiler_error": ("COMPILE_ERROR",),
    "partially_accepted": ("PARTIAL",),
    "rejected": ("WRONG_ANSWER", "TIME_LIMIT", "RUNTIME_ERROR"),
    "brute_force": ("TIME_LIMIT", "RUNTIME_ERROR"),
}
_TAG = re.compile(r"@EXPECTED_RESULTS@:\s*([\w ,-]+)")
_VERDICT_OF_WORD = {
    "CORRECT": "ACCEPTED", "ACCEPTED": "ACCEPTED", "AC": "ACCEPTED",
    "WRONG-ANSWER": "WRONG_ANSWER", "WRONG_ANSWER": "WRONG_ANSWER", "NO-OUTPUT": "WRONG_ANSWER", "WA": "WRONG_ANSWER",
    "TIMELIMIT": "TIME_LIMIT", "TIME_LIMIT_EXCEEDED": "TIME_LIMIT", "TLE": "TIME_LIMIT",
    "RUN-ERROR": "RUNTIME_ERROR", "RUN_TIME_ERROR": "RUNTIME_ERROR", "RTE": "RUNTIME_ERROR",
    "COMPILER-ERROR": "COMPILE_ERROR", "OUTPUT-LIMIT": "OUTPUT_LIMIT", "CHECK-MANUALLY": "",
}  # fmt: skip


def submissions_of(package: Package, description: Description) -> tuple[list[dict[str, Any]], list[str]]:
    """The jury's submissions, right and wrong, and the names of those that are no source text.

    `correct` is None when the jury allows both outcomes, as for a program that is fast enough on some machines.
    """
    rules = read_yaml(package, "submissions/submissions.yaml")
    taken, skipped = [], []
    for program, members in _submitted(package).items():
        sources = [name for name in members if language_of(name)]
        try:
            texts = {
                posixpath.basename(name): fill_constants(package.text(name), description.constants) for name in sources
            }
        except Reject:  # not text
            texts = {}
        if not texts:
            skipped.append(program)
            continue
        main, language = main_of(texts)
        code = texts.pop(main)
        if language == "python" and is_python2(code):
            language = "python2"
        verdicts = _verdicts(program, code, rules)
        if verdicts == ("PARTIAL",) and "score" in description.types:
            correct = None  # the validator scores what it accepts, so the jury's verdict does not say whether it passes
        else:
            correct = _is_correct(verdicts)
        taken.append(
            {
                "language": "c" if main.endswith(".c") else language,
                "code": code,
                "correct": correct,
                "origin": "jury",
                "name": program,
                "verdicts": list(verdicts),
                "files": [{"name": name, "text": text} for name, text in sorted(texts.items())],
            }
        )
    return taken, skipped


def _submitted(package: Package) -> dict[str, list[str]]:
    """Submissions by name (`accepted/solution.py`, `accepted/folder`) and their files."""
    programs: dict[str, list[str]] = {}
    for name in package.names("submissions"):
        parts = name.split("/")
        if len(parts) >= 3 and not parts[-1].startswith(".") and not parts[2].startswith("."):
            programs.setdefault("/".join(parts[1:3]), []).append(name)
    return programs


def _verdicts(program: str, code: str, rules: Mapping[str, Any]) -> tuple[str, ...]:
    """The verdicts that the jury expects: of submissions.yaml, else of a tag inside the program, else of the folder."""
    verdicts = VERDICTS.get(program.split("/")[0], ())
    if tag := _TAG.search(code):
        named = [_VERDICT_OF_WORD.get(word.strip().upper(), "") for word in tag[1].split(",")]
        verdicts = tuple(dict.fromkeys(filter(None, named))) or verdicts
    for pattern, rule in rules.items():
        if not isinstance(rule, Mapping) or not any(_matches(program, one) for one in _braces(str(pattern))):
            continue
        permitted = _verdicts_named(rule.get("permitted"))
        required = _verdicts_named(rule.get("required")) or tuple(word for word in verdicts if word in permitted)
        if permitted == ("ACCEPTED",):
            verdicts = permitted
        elif required or permitted:
            verdicts = required or permitted
    return verdicts


def _verdicts_named(listed: Any) -> tuple[str, ...]:
    if not isinstance(listed, (list, tuple)):
        return ()
    return tuple(dict.fromkeys(filter(None, (_VERDICT_OF_WORD.get(str(word).upper(), "") for word in listed))))


def _matches(program: str, pattern: str) -> bool:
    """Whether the pattern names the program or its folder; `*` does not cross a slash."""
    parts, wanted = program.split("/"), pattern.strip("/").split("/")
    return len(wanted) <= len(parts) and all(map(fnmatchcase, parts, wanted))


def _braces(pattern: str) -> list[str]:
    """The patterns that a pattern with braces expands to.

    >>> _braces("accepted/a.{py,cpp}")
    ['accepted/a.py', 'accepted/a.cpp']
    """
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    parts = found[1].split(",")[:100]
    return [whole for part in parts for whole in _braces(pattern[: found.start()] + part + pattern[found.end() :])]


def _is_correct(verdicts: tuple[str, ...]) -> bool | None:
    if verdicts == ("ACCEPTED",):
        return True
    return False if verdicts and "ACCEPTED" not in verdicts else None
