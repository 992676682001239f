"""Codeforces' Polygon packages: directories or zips with a problem.xml.

A full package has all tests with their answers. A standard package has only the hand-written tests, without answers,
and commands that make the others. With `run_generators` in the recipe's source, its generators, validators and main
solution are run in the sandbox to make them. Otherwise nothing of it is run, its row has only the examples of the
statement, and its provenance says how many tests are missing. An interactor is read when it decides alone, without
leaving output to the checker. Groups give no points: a program has to pass every test. The tags of the authors'
solutions become labels. The statement's language is not taken from the package: public packages with Chinese texts say
`english`.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_data.packages.files import Package
from microcoder_data.packages.gradable import refuse_ungradable
from microcoder_data.packages.languages import language_of
from microcoder_data.packages.polygon_generated import Generated, generated_tests
from microcoder_data.packages.polygon_xml import AuthorsProgram, PolygonProblem, describe_polygon
from microcoder_data.packages.statements import choose
from microcoder_data.packages.testlib_programs import testlib_program
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject, marked, step
from microcoder_data.schema import Row, new_row, new_test
from microcoder_data.sources import columns
from microcoder_eval import Grader, GraderError

SECTIONS = (
    ("legend", ""),
    ("input", "Input"),
    ("output", "Output"),
    ("interaction", "Interaction"),
    ("scoring", "Scoring"),
    ("notes", "Note"),
)
CODES = {"english": "en", "russian": "ru", "chinese": "zh", "ukrainian": "uk", "japanese": "ja"}
VERDICTS: dict[str, tuple[str, ...]] = {
    "main": ("ACCEPTED",),
    "accepted": ("ACCEPTED",),
    "rejected": ("WRONG_ANSWER", "TIME_LIMIT", "RUNTIME_ERROR"),
    "failed": ("WRONG_ANSWER", "TIME_LIMIT", "RUNTIME_ERROR"),
    "wrong-answer": ("WRONG_ANSWER",),
    "presentation-error": ("WRONG_ANSWER",),
    "time-limit-exceeded": ("TIME_LIMIT",),
    "memory-limit-exceeded": ("MEMORY_LIMIT",),
    "time-limit-exceeded-or-memory-limit-exceeded": ("TIME_LIMIT", "MEMORY_LIMIT"),
    "time-limit-exceeded-or-accepted": ("TIME_LIMIT", "ACCEPTED"),
}
_FOR_THE_CHECKER = re.compile(r"\btout\b")
_COMPILERS = {"cpp": "cpp", "c": "c", "java": "java", "python": "python", "pypy": "python", "kotlin": "kotlin"}


PROPERTIES = "problem-properties.json"


@dataclass(frozen=True)
class _Texts:
    """The statement in one language."""

    language: str
    """By Polygon's name."""
    sections: dict[str, str]
    samples: list[dict[str, Any]]


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    package = record.get("package")
    if not isinstance(package, Package):
        raise Reject("not_a_package", "the source polygon reads packages: directories or zips with a problem.xml")
    problem = describe_polygon(package)
    interactor = _interactor(package, problem) if problem.interactor else None
    if problem.files_named:
        raise Reject("needs_files", "programs read or write files of given names")
    texts = _texts(package)
    language, samples = texts.language, texts.samples
    generated = _generated(package, problem) if spec.run_generators and not interactor else Generated()
    tests, missing = _tests(package, problem, generated)
    if not tests and not interactor:  # an interactive problem's examples are conversations
        tests = [new_test(one["input"], one["output"], public=True, origin="sample") for one in samples]
    if not tests:
        raise Reject("no_tests", f"{len(problem.tests)} tests are named, and none is in it with its answer")
    row = new_row(
        problem_id=package.name or problem.short_name,
        source="polygon",
        platform="polygon",
        slug=problem.short_name or posixpath.basename(package.name),
        title=problem.names.get(language) or next(iter(problem.names.values()), None) or problem.short_name or None,
        statement=_statement(texts.sections),
        samples=samples,
        kind="interactive" if interactor else "stdin",
        io="interactive" if interactor else "stdio",
        tests=tests,
        checker=None if interactor else _checker(package, problem),
        interactor=interactor,
        time_limit_ms=columns.whole(problem.time_limit_ms),
        memory_limit_mb=columns.megabytes(columns.whole(problem.memory_limit_bytes)),
        tags=list(problem.tags),
        solutions=[solution for one in problem.solutions if (solution := _solution(package, one)) is not None],
    )
    refuse_ungradable(row)
    notes = _notes(generated)
    if missing:
        notes.append(f"{missing} of {len(problem.tests)} tests are not in the package with their answers")
    if problem.scored:
        notes.append("groups are not scored: a program has to pass every test")
    row["provenance"] = [step("collect", "package_v1", marked(note)) for note in notes]
    return row


def _texts(package: Package) -> _Texts:
    """The statement, English first: `statement-sections/`, or in older packages a file of properties."""
    kinds = (("statement-sections", "legend.tex", _from_sections), ("statements", PROPERTIES, _from_properties))
    for folder, file, read in kinds:
        found = {
            CODES.get(name.split("/")[1], name.split("/")[1]): name.split("/")[1]
            for name in package.names(folder)
            if name.count("/") == 2 and name.endswith(f"/{file}")
        }
        chosen = choose(dict.fromkeys(found, file))
        if chosen is not None:
            texts = read(package, f"{folder}/{found[chosen]}", found[chosen])
            if not any(texts.sections.values()):
                raise Reject("no_statement", f"{folder}/{found[chosen]} is empty")
            return texts
    raise Reject("no_statement", f"no statement-sections/<language>/legend.tex or statements/<language>/{PROPERTIES}")


def _from_sections(package: Package, folder: str, language: str) -> _Texts:
    """Each section is a file. `example.01` is an input of the statement's examples, `example.01.a` its answer."""
    present = {section: f"{folder}/{section}.tex" for section, _ in SECTIONS}
    sections = {section: package.text(name).strip() for section, name in present.items() if name in package.sizes}
    names = [name for name in package.names(folder) if re.fullmatch(r"example\.\d+", posixpath.basename(name))]
    samples = [_sample(package.text(name), package.text(f"{name}.a")) for name in names if f"{name}.a" in package.sizes]
    return _Texts(language, sections, samples)


def _from_properties(package: Package, folder: str, language: str) -> _Texts:
    """All sections and examples are in one file of JSON."""
    try:
        found = json.loads(package.text(f"{folder}/{PROPERTIES}"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Reject("no_statement", f"{folder}/{PROPERTIES} is no JSON object")
    sections = {name: text.strip() for name, _ in SECTIONS if isinstance(text := found.get(name), str)}
    listed = found.get("sampleTests")
    samples = [
        _sample(one["input"], one["output"])
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict) and isinstance(one.get("input"), str) and isinstance(one.get("output"), str)
    ]
    return _Texts(language, sections, samples)


def _sample(given: str, wanted: str) -> dict[str, Any]:
    return {"input": given, "output": wanted, "explanation": None}


def _statement(sections: Mapping[str, str]) -> str:
    parts = [
        f"\\section*{{{heading}}}\n\n{sections[section]}" if heading else sections[section]
        for section, heading in SECTIONS
        if sections.get(section)
    ]
    return "\n\n".join(parts)


def _tests(package: Package, problem: PolygonProblem, generated: Generated) -> tuple[list[dict[str, Any]], int]:
    """The tests that are in the package with their answers or were generated, and how many are not there."""
    tests = []
    for number, one in enumerate(problem.tests):
        if made := generated.tests.get(number):
            tests.append(new_test(*made, public=one.sample, origin="generated"))
        elif one.input in package.sizes and one.answer in package.sizes:
            tests.append(new_test(package.text(one.input), package.text(one.answer), public=one.sample))
    return tests, len(problem.tests) - len(tests)


def _generated(package: Package, problem: PolygonProblem) -> Generated:
    """The tests that the package's own programs make, run in the sandbox."""
    if all(one.input in package.sizes and one.answer in package.sizes for one in problem.tests):
        return Generated()
    try:
        with Grader(workers=1) as grader:
            return generated_tests(package, problem, grader)
    except GraderError as error:
        raise Reject("no_sandbox", f"run_generators: {error}") from None


def _notes(generated: Generated) -> list[str]:
    """What was generated and what was not, for the provenance."""
    notes = []
    if generated.tests:
        by = "which its validators took" if generated.validated else "and it has no validator"
        notes.append(f"{len(generated.tests)} tests made by the package's own programs, {by}")
    return notes + [f"{count} tests not made: {why}" for why, count in sorted(generated.missing.items())]


def _checker(package: Package, problem: PolygonProblem) -> dict[str, Any]:
    if problem.checker not in package.sizes:
        raise Reject("no_checker", f"the checker {problem.checker or ''!r} is not in the package")
    if problem.checker_type != "testlib" or language_of(problem.checker) != "cpp":
        raise Reject("unknown_checker", f"{problem.checker} is no testlib checker in C++")
    return testlib_program(package, problem.checker)


def _interactor(package: Package, problem: PolygonProblem) -> dict[str, Any]:
    found = testlib_program(package, problem.interactor)
    if _FOR_THE_CHECKER.search(found["code"]):
        raise Reject("interactive_package", "the interactor writes to tout, for the checker to decide")
    return found


def _solution(package: Package, solution: AuthorsProgram) -> dict[str, Any] | None:
    if solution.path not in package.sizes or solution.tag == "do-not-run":
        return None
    language = _COMPILERS.get(solution.type.split(".")[0]) or language_of(solution.path)
    if solution.type.startswith(("python.2", "python.pypy2")):
        language = "python2"
    verdicts = VERDICTS.get(solution.tag, ())
    if "ACCEPTED" in verdicts:
        correct = True if len(verdicts) == 1 else None
    else:
        correct = False if verdicts else None
    return {
        "language": language or "unknown",
        "code": package.text(solution.path),
        "correct": correct,
        "origin": "jury",
        "name": solution.path,
        "verdicts": list(verdicts),
        "files": [],
    }
