"""CMS' task packages in the Italian layout (`task.yaml`), as olympiads publish them: tests, subtasks, solutions.

The tests are `input/input0.txt`, `output/output0.txt` and so on; `gen/GEN` divides them into subtasks (`# ST: points`),
which become groups. Solutions below `sol/` named solution or soluzione are right; the others are left out, because the
package does not say whether they are. A checker reads input, right output and the contestant's output, and prints a
score from 0 to 1: a wrapper calls it like a testlib checker, and only the score 1 accepts. There must be a statement as
text, not only as PDF. Rejected are graders that are linked with a solution, managers that talk to it, files of given
names and output-only tasks.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.packages.files import Package, read_yaml
from microcoder_data.packages.gradable import refuse_ungradable
from microcoder_data.packages.languages import is_python2, language_of
from microcoder_data.packages.testlib_programs import testlib_program
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, new_test
from microcoder_data.sources import columns

MAX_TESTS = 20_000
_RIGHT = re.compile(r"sol/(?:solution|soluzione)\.\w+")
_STATEMENT = re.compile(r"(?:statement|testo)/[\w.-]+\.(?:md|tex|txt|html)")
_WRAPPER = r"""
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#define main cms_checker
#include "cms_checker.inc"
#undef main

static int score[2];

// Also reached when the checker calls exit().
static void judge_by_score() {
    char said[256];
    fflush(stdout);
    fcntl(score[0], F_SETFL, O_NONBLOCK);
    ssize_t length = read(score[0], said, sizeof said - 1);
    said[length > 0 ? length : 0] = 0;
    char *end;
    double share = strtod(said, &end);
    _exit(end == said || !(share >= 0 && share <= 1) ? 3 : share >= 1 ? 0 : 1);
}

int main(int argc, char **argv) {
    if (argc < 4 || pipe(score) || dup2(score[1], 1) < 0) return 3;
    atexit(judge_by_score);
    char *given[] = {argv[0], argv[1], argv[3], argv[2], nullptr};
    if (cms_checker(4, given)) _exit(3);
    return 0;
}
"""


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    package = record.get("package")
    if not isinstance(package, Package):
        raise Reject("not_a_package", "the source cms reads packages: directories or zips with a task.yaml")
    task = read_yaml(package, "task.yaml")
    _refuse_other_types(package, task)
    groups = _groups(package)
    tests = _tests(package, task, groups)
    row = new_row(
        problem_id=package.name,
        source="cms",
        slug=columns.text(task, "name") or columns.text(task, "nome_breve") or posixpath.basename(package.name),
        title=columns.text(task, "title") or columns.text(task, "nome") or None,
        statement=_statement(package),
        kind="stdin",
        io="stdio",
        tests=tests,
        groups=json.dumps(groups) if groups else None,
        checker=_checker(package),
        time_limit_ms=columns.milliseconds(_first(task, "time_limit", "timeout")),
        memory_limit_mb=columns.megabytes(_first(task, "memory_limit", "memlimit")),
        solutions=_solutions(package),
    )
    refuse_ungradable(row)
    return row


def _first(task: Mapping[str, Any], *names: str) -> Any:
    return next((task[name] for name in names if task.get(name) is not None), None)


def _refuse_other_types(package: Package, task: Mapping[str, Any]) -> None:
    if task.get("output_only"):
        raise Reject("submit_answer", "an output-only task")
    if any(name.startswith(("check/manager", "cor/manager")) for name in package.sizes):
        raise Reject("communication", "a manager talks with the solution")
    if any(re.match(r"sol/(?:grader|stub)\.", name) for name in package.sizes):
        raise Reject("linked_grader", "solutions are linked with a grader")
    if task.get("infile", "input.txt") or task.get("outfile", "output.txt"):
        raise Reject("needs_files", "programs read or write files of given names")


def _statement(package: Package) -> str:
    names = sorted(name for name in package.sizes if _STATEMENT.fullmatch(name))
    if not names:
        pdf = any(name.endswith(".pdf") for name in package.sizes)
        raise Reject("statement_is_pdf" if pdf else "no_statement", "no text below statement/ or testo/")
    text = package.text(min(names, key=lambda name: (not name.endswith(".md"), name)))
    if not text.strip():
        raise Reject("no_statement", "the statement is empty")
    return text


def _groups(package: Package) -> list[dict[str, Any]]:
    """The subtasks of gen/GEN with the number of their tests as `count`; an empty list when it names none."""
    groups: list[dict[str, Any]] = []
    for line in package.text("gen/GEN").splitlines() if "gen/GEN" in package.sizes else ():
        test, _, comment = line.partition("#")
        comment = comment.strip()
        if comment.startswith("ST:"):
            points = columns.whole(comment[3:].strip())
            if points is None or points < 0:
                raise Reject("broken_groups", f"gen/GEN: {line[:100]}")
            groups.append({"name": f"{len(groups) + 1}", "max_score": points, "count": 0})
        elif groups and (test.strip() or comment.startswith("COPY:")):
            groups[-1]["count"] += 1
    return groups


def _tests(package: Package, task: Mapping[str, Any], groups: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tests by number; each names its subtask. Removes `count` from the groups."""
    of_group = [group["name"] for group in groups for _ in range(group.pop("count"))]
    inputs = sum(name.startswith("input/input") for name in package.sizes)
    count = len(of_group) or columns.whole(task.get("n_input")) or inputs
    if not 0 < count <= MAX_TESTS:
        raise Reject("no_tests", f"{count} tests are named")
    shown = columns.text(task, "public_testcases")
    public = set(range(count)) if shown == "all" else {int(one) for one in re.findall(r"\d{1,6}", shown)}
    tests = []
    for number in range(count):
        given, wanted = f"input/input{number}.txt", f"output/output{number}.txt"
        for name in (given, wanted):
            if name not in package.sizes:
                raise Reject("test_without_answer" if name == wanted else "no_tests", f"{name} is not in the package")
        test = new_test(package.text(given), package.text(wanted), public=number in public)
        tests.append({**test, "groups": [of_group[number]] if of_group else None})
    return tests


def _checker(package: Package) -> dict[str, Any] | None:
    sources = [
        name for name in ("check/checker.cpp", "check/checker.cc", "cor/correttore.cpp") if name in package.sizes
    ]
    if sources:
        found = testlib_program(package, sources[0])
        included = {"name": "cms_checker.inc", "text": found["code"]}
        return {**found, "code": _WRAPPER, "files": [*found["files"], included]}
    if any(re.match(r"check/checker|cor/correttore", name) for name in package.sizes):
        raise Reject("no_checker", "the checker's source is not in the package, or not C++")
    return None


def _solutions(package: Package) -> list[dict[str, Any]]:
    """The task's own solution in each language."""
    found = []
    for name in package.names("sol"):
        language = language_of(name)
        if not language or not _RIGHT.fullmatch(name):
            continue
        code = package.text(name)
        if language == "python" and is_python2(code):
            language = "python2"
        found.append(
            {"language": language, "code": code, "correct": True, "origin": "jury", "name": name,
             "verdicts": ["ACCEPTED"], "files": []}
        )  # fmt: skip
    return found
