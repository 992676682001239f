"""Read problem.xml of a Polygon package: which files are tests, checker and solutions. No entity is ever expanded.

There is no official specification. The elements are those that public packages have and other tools read.
"""

from __future__ import annotations

import posixpath
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from xml.parsers import expat

from microcoder_data.packages.files import Package
from microcoder_data.rules import Reject

NAME = "problem.xml"
MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS, MAX_TESTS = 4 << 20, 40, 100_000, 20_000
_PATTERN = re.compile(r"([^%]*)%0?(\d?)d([^%]*)")


@dataclass(frozen=True)
class PolygonTest:
    """One test: the names of its files, and how it is made."""

    input: str
    answer: str
    sample: bool
    command: str
    """The generator and its arguments; empty for a hand-written test."""
    writes_files: bool
    """Whether the test is one of several files that one command writes."""
    group: str


@dataclass(frozen=True)
class AuthorsProgram:
    """One program of the authors."""

    path: str
    type: str
    """The compiler, such as `cpp.g++17` or `python.3`."""
    tag: str


@dataclass(frozen=True)
class PolygonProblem:
    """The part of problem.xml that matters for grading and for the row."""

    short_name: str
    names: dict[str, str]
    """The title by language."""
    time_limit_ms: str
    memory_limit_bytes: str
    files_named: bool
    """Whether programs read and write files of given names instead of standard input and output."""
    tests: tuple[PolygonTest, ...]
    scored: bool
    """Whether tests or groups give points."""
    checker: str
    checker_type: str
    interactor: str
    executables: dict[str, str]
    """The sources of generators and other programs, by the name that commands call them."""
    validators: tuple[str, ...]
    """The sources of the programs that say whether an input is allowed."""
    solutions: tuple[AuthorsProgram, ...]
    tags: tuple[str, ...]


def describe_polygon(package: Package) -> PolygonProblem:
    """The description of a package; raises a Reject when it is broken or hostile."""
    if NAME not in package.sizes:
        raise Reject("not_a_package", f"no {NAME} in it")
    if package.sizes[NAME] > MAX_BYTES:
        raise Reject("file_too_large", f"{NAME}: over {MAX_BYTES >> 20} MB")
    root = _parsed(package.read(NAME))
    judging = root.find("judging")
    testset = _main_testset(judging)
    checker, interactor = root.find("assets/checker"), root.find("assets/interactor")
    groups = testset.findall("groups/group")
    return PolygonProblem(
        short_name=root.get("short-name", ""),
        names={one.get("language", ""): one.get("value", "") for one in root.findall("names/name")},
        time_limit_ms=testset.findtext("time-limit", ""),
        memory_limit_bytes=testset.findtext("memory-limit", ""),
        files_named=judging is not None and bool(judging.get("input-file") or judging.get("output-file")),
        tests=tuple(_tests(testset)),
        scored=bool(groups) or any(one.get("points") for one in testset.findall("tests/test")),
        checker=_source(checker),
        checker_type=checker.get("type", "") if checker is not None else "",
        interactor=_source(interactor) if interactor is not None else "",
        executables={
            posixpath.splitext(posixpath.basename(path))[0]: path
            for one in root.findall("files/executables/executable")
            if (path := _source(one))
        },
        validators=tuple(filter(None, map(_source, root.findall("assets/validators/validator")))),
        solutions=tuple(
            AuthorsProgram(_source(one), _compiler(one), one.get("tag", ""))
            for one in root.findall("assets/solutions/solution")
        ),
        tags=tuple(one.get("value", "") for one in root.findall("tags/tag") if one.get("value")),
    )


def _parsed(body: bytes) -> ElementTree.Element:
    """The root element. A document type and deep nesting are refused before any entity is expanded."""
    depth = elements = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, elements
        depth, elements = depth + 1, elements + 1
        if depth > MAX_DEPTH or elements > MAX_ELEMENTS:
            raise Reject("broken_xml", f"{NAME}: more than {MAX_DEPTH} levels or {MAX_ELEMENTS} elements")

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*arguments: object) -> None:
        raise Reject("xml_entities", f"{NAME} declares a document type or entities")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(body, True)
        root = ElementTree.fromstring(body)
    except (expat.ExpatError, ElementTree.ParseError, ValueError, LookupError) as error:
        raise Reject("broken_xml", f"{NAME}: {error}") from None
    if root.tag != "problem":
        raise Reject("not_a_package", f"{NAME} describes a <{root.tag[:40]}>, not a Polygon problem")
    return root


def _main_testset(judging: ElementTree.Element | None) -> ElementTree.Element:
    found = judging.findall("testset") if judging is not None else []
    if not found:
        raise Reject("no_tests", f"{NAME} has no testset")
    return next((one for one in found if one.get("name") == "tests"), found[0])


def _tests(testset: ElementTree.Element) -> list[PolygonTest]:
    listed = testset.findall("tests/test")
    if len(listed) > MAX_TESTS:
        raise Reject("package_too_large", f"more than {MAX_TESTS} tests")
    patterns = [testset.findtext(f"{side}-path-pattern", "") for side in ("input", "answer")]
    return [
        PolygonTest(
            _numbered(patterns[0], number),
            _numbered(patterns[1], number),
            one.get("sample") == "true",
            one.get("cmd", "") if one.get("method") == "generated" else "",
            one.get("from-file") is not None,
            one.get("group", ""),
        )
        for number, one in enumerate(listed, 1)
    ]


def _numbered(pattern: str, number: int) -> str:
    """The name of a test's file by a pattern such as `tests/%02d.a`."""
    found = _PATTERN.fullmatch(pattern.strip())
    if not found:
        raise Reject("broken_xml", f"{NAME}: {pattern[:60]!r} is no pattern of a file name")
    return f"{found[1]}{number:0{found[2] or 1}d}{found[3]}"


def _source(element: ElementTree.Element | None) -> str:
    source = element.find("source") if element is not None else None
    return source.get("path", "") if source is not None else ""


def _compiler(element: ElementTree.Element) -> str:
    source = element.find("source")
    return source.get("type", "") if source is not None else ""
