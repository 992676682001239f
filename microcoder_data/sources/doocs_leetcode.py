"""doocs/leetcode: a README in English and Chinese around HTML, Python solutions; its examples are the tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.identity import place_of
from microcoder_data.process.watermarks import watermark_steps, without_watermarks
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row, new_row, new_test
from microcoder_data.sources import columns
from microcoder_data.sources.leetcode_examples import Example, answer_of, arguments_of, examples_of
from microcoder_data.sources.leetcode_prelude import functions_missing, prelude
from microcoder_data.sources.leetcode_structures import test_program
from microcoder_data.syntax import last_word

LICENSE = "CC-BY-SA-4.0"
_DESCRIPTION = re.compile(r"<!-- description:start -->(.*?)(?:<!-- description:end -->|\Z)", re.DOTALL)
_MARKS = re.compile(r"^\d+\.\s*|\s*\U0001f512\s*$")
"""What doocs adds to titles: the problem's number, and a lock on premium problems."""
_JOINED_QUOTE = re.compile(r"(\w+ = [^`<\n]*)(?:` ?> ?`|</code> <code>)(?=\w+ = )")
"""Lines of a quoted example that a formatter has joined: they become one list of arguments."""
_IMAGE_STYLE = re.compile(r"(?<=\))\{:[^{}\n]*\}")
"""`{:width=200px}` behind an image."""
_OUTSIDE_TAGS = re.compile(r"^(?!\s*<(?!em|strong|code|b|i)\w)(?=[^\n]*<code>)[^\n]*\\[*_][^\n]*$", re.MULTILINE)
"""A line of Markdown, in which a formatter has escaped signs also between `<code>` and `</code>`."""
_TYPES: dict[str, type | tuple[type, ...]] = {"int": int, "float": (int, float), "str": str, "bool": bool}
_HEADING = re.compile(r"^# \[(?P<title>[^\]]+)\]\((?P<url>[^)]+)\)", re.MULTILINE)


def to_row(record: Mapping[str, Any], spec: SourceSpec) -> Row:
    readme = columns.statement_of(record, "readme_en", "readme")
    heading, described = _HEADING.search(readme), _DESCRIPTION.search(readme)
    statement = described[1].strip() if described else ""
    if not heading or not statement:
        raise Reject("no_statement", "the README has no heading with an address, or no description")
    solutions = columns.mapping(record.get("solutions"))
    codes = [
        code
        for name, code in sorted(solutions.items())
        if str(name).endswith(".py") and isinstance(code, str) and code.strip()
    ]
    if not codes:
        raise Reject(
            "not_python", "no solution in Python: a database, shell or premium problem, or one that is not solved there"
        )
    if "\\*" in statement or "\\_" in statement:
        statement = _OUTSIDE_TAGS.sub(lambda line: re.sub(r"\\([*_])", r"\1", line[0]), statement)
    if "{:" in statement:
        statement = _IMAGE_STYLE.sub("", statement)
    statement, watermarks = without_watermarks(_JOINED_QUOTE.sub(r"\1, ", statement))
    examples = list(examples_of(statement))
    method = _method(codes[0], _names(examples))
    cases = _cases(examples, method)
    program = test_program(method, cases)
    if missing := functions_missing(codes[0]):
        raise Reject("platform_function", f"a test cannot offer {missing[0]}, which the site gives to a solution")
    if program and "circular linked list" in statement:
        raise Reject("unknown_structure", "a test cannot build a circular list")
    place = place_of(heading["url"])
    row_language = "en" if columns.text(record, "readme_en") else "zh"
    row = new_row(
        problem_id=place.slug if place and place.slug else heading["url"],
        source="doocs_leetcode",
        license=LICENSE,
        url=heading["url"],
        platform="leetcode",
        slug=place.slug if place else None,
        title=_MARKS.sub("", heading["title"]),
        language=row_language,
        statement=statement,
        kind="asserts" if program else "call",
        entry_point=f"Solution.{method.name}",
        starter_code=_starter(method),
        test_code=program,
        tests=[] if program else [_test(values, answer) for values, answer in cases],
        tags=columns.texts(record.get("tags_en") or record.get("tags"), "tags"),
        difficulty=columns.difficulty(
            columns.text(record, "difficulty_en", "difficulty") or None, record.get("rating")
        ),
        solutions=columns.programs([f"{prelude(code)}\n\n{code}" for code in codes], "solutions"),
    )
    row["provenance"] = watermark_steps(watermarks)
    return row


def _method(code: str, names: list[set[str]]) -> ast.FunctionDef:
    """The method that the site calls: the public method of class Solution that no other method uses.

    If there are several, the one whose parameters an example names.
    """
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError):
        raise Reject("solution_does_not_parse", code[:80]) from None
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    solution = next((node for node in classes if node.name == "Solution"), None)
    if solution is None and any(_imports(node, "pandas") for node in body):
        raise Reject("not_python", "a database problem: its solution is a table's, in pandas")
    if solution is None:
        raise Reject("design_problem", "the solution is a class with several operations, not one function")
    methods = [node for node in solution.body if isinstance(node, ast.FunctionDef)]
    public = [node for node in methods if not node.name.startswith("_")]
    if not public:
        raise Reject("no_entry_point", "class Solution has no method")
    found = public
    if len(found) > 1:
        called = {name for node in methods for name in _called(node)}
        found = [node for node in public if node.name not in called]
    if len(found) > 1:
        found = [node for node in found if {argument.arg for argument in node.args.args[1:]} in names]
    if len(found) != 1:
        listed = ", ".join(node.name for node in public)
        raise Reject("design_problem", f"class Solution has several public methods: {listed}")
    return found[0]


def _imports(node: ast.stmt, module: str) -> bool:
    return isinstance(node, ast.Import) and any(name.name == module for name in node.names)


def _called(method: ast.FunctionDef) -> set[str]:
    """The other methods that a method uses."""
    used = {node.attr for node in ast.walk(method) if isinstance(node, ast.Attribute)}
    return used - {method.name}


def _starter(method: ast.FunctionDef) -> str:
    head = ast.FunctionDef(method.name, method.args, [ast.Pass()], [], method.returns, None)
    return ast.unparse(ast.fix_missing_locations(ast.ClassDef("Solution", [], [], [head], [])))


def _names(examples: list[Example]) -> list[set[str]]:
    """The parameters that each example names."""
    found = []
    for example in examples:
        try:
            arguments = arguments_of(example.given)
        except ValueError:
            continue
        if isinstance(arguments, dict):
            found.append(set(arguments))
    return found


def _cases(examples: list[Example], method: ast.FunctionDef) -> list[tuple[list[Any], Any]]:
    """The examples with a value for every parameter, and their answers; raises a Reject when there is none."""
    cases = []
    parameters = [argument.arg for argument in method.args.args[1:]]
    annotations = [*(argument.annotation for argument in method.args.args[1:]), method.returns]
    for example in examples:
        try:
            arguments, answer = arguments_of(example.given), answer_of(example.wanted)
        except ValueError:
            continue
        values = _by_position(arguments, parameters) if isinstance(arguments, dict) else arguments
        if len(values) == len(parameters) and all(map(_fits, [*values, answer], annotations)):
            cases.append((values, answer))
    if not cases:
        raise Reject("no_tests", "no example could be read as arguments and an answer")
    return cases


def _fits(value: Any, annotation: ast.expr | None) -> bool:
    """Whether a value is of the annotated type, if that is a number, a text, a truth value or a list of those."""
    if isinstance(annotation, ast.Subscript) and last_word(annotation.value).lower() == "list":
        return isinstance(value, (list, str)) and all(_fits(item, annotation.slice) for item in value)
    name = annotation.id if isinstance(annotation, ast.Name) else ""
    return name not in _TYPES or (isinstance(value, _TYPES[name]) and isinstance(value, bool) == (name == "bool"))


def _by_position(named: dict[str, Any], parameters: list[str]) -> list[Any]:
    """The values in the order of the parameters. Values under other names fill the remaining parameters in order."""
    if len(named) != len(parameters):
        return []
    others = iter([value for name, value in named.items() if name not in parameters])
    return [named[name] if name in named else next(others) for name in parameters]


def _test(values: list[Any], answer: Any) -> dict[str, Any]:
    return new_test(columns.encode_arguments(values), columns.encode_value(answer), public=True, origin="sample")
