"""ICPC/Kattis problem packages: a directory of packages, one package, or zips; also rows that describe a package.

A package's own output validator is its checker (or the interactor); the jury's submissions keep their verdicts.
Packages that cannot be graded here are rejected, with the reasons of docs/datasets.md.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from microcoder_data.packages.description import Description, describe, words
from microcoder_data.packages.files import Package
from microcoder_data.packages.gradable import refuse_ungradable
from microcoder_data.packages.statements import choose, statement_of, title_in
from microcoder_data.packages.submissions import submissions_of
from microcoder_data.packages.testdata import tests_of
from microcoder_data.packages.validators import checker_of, default_checker
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject, marked, step
from microcoder_data.schema import Row, new_row
from microcoder_data.sources import columns

_IGNORED_INCLUDES = {"java", "kotlin", "csharp", "haskell", "rust", "go", "javascript"}
"""Files below include/ for these languages are ignored, because they concern only submissions in them."""
_CONSTANT = re.compile(r"\\constant\s*\{[^{}]*\}|\{\{[A-Za-z_][\w.]*\}\}")
_GRAPHICS = re.compile(r"(\\includegraphics\*?(?:\[[^\]]*\])?\{)([^{}:/]+\.(?:png|jpe?g|gif|svg))(?=\})", re.IGNORECASE)


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    package = record.get("package")
    return _from_package(package) if isinstance(package, Package) else _from_description(record)


def _from_package(package: Package) -> Row:
    description = describe(package)
    _refuse_unsupported(package, description)
    statement = statement_of(package, description)
    data = tests_of(package, description)
    checker = checker_of(package, description, data.flags)
    interactive = "interactive" in description.types
    solutions, skipped = submissions_of(package, description)
    slug = posixpath.basename(package.name)
    row = new_row(
        problem_id=package.name,
        source="kattis",
        license=description.license,
        url=description.url,
        platform="kattis",
        contest_id=description.source,
        slug=slug,
        title=statement.title or slug,
        language=statement.language,
        statement=statement.text,
        notes=f"Sample interaction:\n\n```\n{data.interactions}\n```" if data.interactions else None,
        samples=data.samples,
        kind="interactive" if interactive else "stdin",
        io="interactive" if interactive else "stdio",
        tests=data.tests,
        groups=json.dumps(data.groups) if data.groups else None,
        checker=None if interactive else checker,
        interactor=checker if interactive else None,
        time_limit_ms=columns.milliseconds(description.time_limit_s),
        time_multiplier=description.time_multiplier,
        memory_limit_mb=columns.megabytes(description.memory_mb),
        tags=list(description.keywords),
        solutions=solutions,
    )
    notes = _notes(statement.others, skipped)
    if "scoring" in description.types and data.groups is None:
        notes.append("groups are not scored: the package's own grader or validator gives the points, or nothing does")
    refuse_ungradable(row)
    row["provenance"] = [step("collect", "package_v1", marked(note)) for note in notes]
    return row


def _refuse_unsupported(package: Package, description: Description) -> None:
    for kind, reason in (("multi-pass", "multi_pass"), ("submit-answer", "submit_answer")):
        if kind in description.types:
            raise Reject(reason, "the judge of such problems is not built")
    linked = {name.split("/")[1] for name in package.names("include")} - _IGNORED_INCLUDES
    if linked:
        raise Reject("included_files", f"submissions are linked with the package's {', '.join(sorted(linked))}")


def _notes(languages: tuple[str, ...], skipped: list[str]) -> list[str]:
    notes = []
    if languages:
        notes.append(f"statements also in: {', '.join(languages)}")
    if skipped:
        notes.append(f"{len(skipped)} submissions left out, not source text: {', '.join(skipped)}")
    return notes


def _from_description(record: Mapping[str, Any]) -> Row:
    """The row of a record that describes a package by its statements and samples, without the secret tests."""
    name = columns.text(record, "problem_id")
    if not name:
        raise Reject("no_id", "problem_id is missing")
    listed = columns.mapping(record.get("statements"))
    statements = {key: one for key, one in listed.items() if isinstance(one, Mapping)}
    if not statements:
        raise Reject("no_statement", "statements is empty")
    language = choose({key: f"problem.{value.get('format')}" for key, value in statements.items()}) or ""
    validation = set(words(record.get("validation"))) | set(words(record.get("type")))
    if validation & {"custom", "interactive", "multipass", "multi-pass", "submit-answer"}:
        raise Reject("no_validator", "the problem has its own validator, which the row does not bring")
    try:
        pairs = [(one["input"], one["output"]) for one in record.get("samples") or []]
    except (TypeError, KeyError, IndexError):
        raise Reject("broken_tests", "samples is no list of objects with input and output") from None
    tests = columns.stdin_tests([given for given, _ in pairs], [wanted for _, wanted in pairs], "sample", True)
    limits = columns.mapping(record.get("limits"))
    text = columns.statement_of(statements[language], "text")
    if unfilled := _CONSTANT.search(text):
        raise Reject("incomplete", f"the package's constants are not filled in: {unfilled[0]}")
    slug = name.rpartition("/")[2].rpartition(":")[2]
    return new_row(
        problem_id=name,
        source="kattis",
        license=columns.text(record, "license") or None,
        platform="kattis",
        contest_id=columns.text(record, "source") or None,
        slug=slug,
        title=columns.text(record, "title") or title_in(text) or slug,
        language=language,
        statement=_with_addresses(text, record),
        samples=columns.samples_of(tests),
        kind="stdin",
        io="stdio",
        tests=tests,
        checker=default_checker(words(record.get("validator_flags"))),
        time_limit_ms=columns.milliseconds(limits.get("time_limit")),
        memory_limit_mb=columns.megabytes(limits.get("memory")),
        tags=columns.texts(record.get("keywords"), "keywords"),
    )


def _with_addresses(text: str, record: Mapping[str, Any]) -> str:
    """The text with web addresses for its figures, if the record names its repository, commit and path."""
    repository, commit = columns.text(record, "repo"), columns.text(record, "commit")
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository) or not re.fullmatch(r"[0-9a-f]{40}", commit):
        return text
    folder = quote(f"{repository}/{commit}/{columns.text(record, 'package_path')}/problem_statement")
    return _GRAPHICS.sub(rf"\1https://raw.githubusercontent.com/{folder}/\2", text)
