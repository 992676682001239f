"""Parse the values that publishers write: JSON inside text, lines as lists, limits with units, fenced programs.

Every function takes a value as published datasets hold it, and gives a clean one or raises a `Reject` with a reason.
The adapters know which column holds what.
"""

from __future__ import annotations

import ast
import datetime
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from microcoder_data.process.page_lines import without_first_break
from microcoder_data.rules import Reject
from microcoder_data.schema import new_checker, new_test
from microcoder_data.units import megabytes as megabytes
from microcoder_data.units import milliseconds as milliseconds
from microcoder_data.units import whole as whole
from microcoder_eval.arguments import parse_arguments
from microcoder_eval.benchmarks.livecodebench.private_tests import TooLarge, UnsafePickle, unpack

MAX_DECODED_BYTES = 512 << 20


def statement_of(record: Mapping[str, Any], *names: str) -> str:
    """The first of these columns that holds text; raises a Reject when none does."""
    found = text(record, *names)
    if not found.strip():
        raise Reject("no_statement", f"{' and '.join(names)}: missing or empty")
    return found


_NOTHING = ("None", "null", "NULL", "nan", "NaN")
"""What a dump writes for a missing text."""


def text(record: Mapping[str, Any], *names: str) -> str:
    """The first of these columns that holds text or a number, as text; else an empty text.

    >>> text({"input_format": "None", "input": "Two numbers."}, "input_format", "input")
    'Two numbers.'
    """
    for name in names:
        value = record.get(name)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, str) and value.strip() and value.strip() not in _NOTHING:
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value == value:
            return str(value)
    return ""


def decoded(value: Any, name: str) -> Any:
    """A value that may be written as JSON or as a Python literal inside text; None for an empty one.

    >>> decoded("['dp']", "tags"), decoded('{"inputs": []}', "tests"), decoded("", "tests")
    (['dp'], {'inputs': []}, None)
    """
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise Reject("broken_column", f"{name} is neither JSON nor a Python literal: {value[:80]!r}") from None


def decoded_or_same(value: Any) -> Any:
    """What a value written as text stands for; the value itself when it is empty, or neither JSON nor a literal.

    >>> decoded_or_same("[1, 2]"), decoded_or_same("a b")
    ([1, 2], 'a b')
    """
    try:
        found = decoded(value, "value")
    except Reject:
        return value
    return value if found is None else found


def mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def objects(value: Any, name: str, reason: str = "broken_column") -> list[Mapping[str, Any]]:
    """A list of objects, or what `datasets` makes of one: an object of lists. None is left out.

    >>> objects({"input": ["1", "2"], "output": ["3", "4"]}, "tests")
    [{'input': '1', 'output': '3'}, {'input': '2', 'output': '4'}]
    """
    found = decoded(value, name)
    if isinstance(found, Mapping):
        lists = found.values()
        if not lists or not all(isinstance(items, list) for items in lists) or len({*map(len, lists)}) != 1:
            raise Reject(reason, f"{name} is neither a list of objects nor an object of lists of the same length")
        found = [dict(zip(found, items, strict=True)) for items in zip(*lists, strict=True)]
    listed = [one for one in found if one is not None] if isinstance(found, (list, tuple)) else found
    if listed is None:
        return []
    if not isinstance(listed, list) or not all(isinstance(one, Mapping) for one in listed):
        raise Reject(reason, f"{name} is no list of objects")
    return listed


def tests_of_objects(value: Any, name: str, origin: str = "official") -> list[dict[str, Any]]:
    """Tests that are written as a list of objects with `input` and `output`."""
    pairs = objects(value, name, "broken_tests")
    return stdin_tests([pair.get("input") for pair in pairs], [pair.get("output") for pair in pairs], origin)


_LINKED = re.compile(r"<a\b[^<>]*>([^<>]*)</a>")
"""An item of a page's list of links."""


def texts(value: Any, name: str) -> list[str]:
    """A list of texts, however it is written; None and empty items are left out.

    >>> texts("['Dynamic programming', 'Math']", "tags")
    ['Dynamic programming', 'Math']
    >>> texts('<a href="/tags/dp">dp</a>, <a href="/tags/math">\\n math\\n</a>', "tags")
    ['dp', 'math']
    """
    if isinstance(value, str) and (linked := _LINKED.findall(value)) and not _LINKED.sub("", value).strip(" ,;\n"):
        return [words for link in linked if (words := " ".join(link.split()))]
    if isinstance(value, str) and value.strip() and value.strip()[0] not in "[({\"'":
        return [value.strip()]
    items = decoded(value, name)
    if items is None:
        return []
    if isinstance(items, str):
        return [items]
    if not isinstance(items, (list, tuple)):
        raise Reject("broken_column", f"{name} is a {type(items).__name__}, not a list")
    return [str(item) for item in items if item is not None and str(item).strip()]


def stdin_text(value: Any) -> str:
    """One side of a stdin test: text, or a list of its lines.

    >>> stdin_text(["1 2", "3"])
    '1 2\\n3'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "\n".join(
            stdin_text(item) if isinstance(item, (str, int, float)) else json.dumps(item) for item in value
        )
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Reject("broken_tests", f"a test is a {type(value).__name__}, not text")
    return str(value)


def stdin_tests(inputs: Any, outputs: Any, origin: str = "official", public: bool = False) -> list[dict[str, Any]]:
    """Tests from two parallel lists of texts."""
    pairs = [(stdin_text(given), stdin_text(wanted)) for given, wanted in _paired(inputs, outputs)]
    return [new_test(given, wanted, origin=origin, public=public) for given, wanted in without_first_break(pairs)]


def call_tests(inputs: Any, outputs: Any, *, wrapped: bool, origin: str = "official") -> list[dict[str, Any]]:
    """Tests of a function from two parallel lists; `wrapped` outputs hold the value in a list of one."""
    tests = []
    for given, wanted in _paired(inputs, outputs):
        if wrapped and isinstance(wanted, list) and len(wanted) == 1:
            wanted = wanted[0]
        tests.append(new_test(encode_arguments(given), encode_value(wanted), origin=origin))
    return tests


def samples_of(tests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The column `samples` of tests that the statement shows."""
    return [{"input": test["input"], "output": test["output"], "explanation": None} for test in tests]


def testlib_checker(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The source in the column `checker` as a testlib checker, None when it is empty; raises a Reject for another."""
    code = text(record, "checker")
    if not code.strip():
        return None
    if "testlib" not in code:
        raise Reject("unknown_checker", "the checker does not use testlib")
    return new_checker("cpp", style="testlib", code=code)


def outputs_are_wrapped(outputs: Any, starter_code: str) -> bool:
    """Whether each output is written as `[value]`: all are lists of one item, a list if the function returns lists."""
    if not isinstance(outputs, list) or not outputs:
        return False
    if re.search(r"->\s*[\"']?(?:typing\.)?(?:Optional\[)?\s*[Ll]ist\b", starter_code):
        return all(isinstance(item, list) and len(item) == 1 and isinstance(item[0], list) for item in outputs)
    return all(isinstance(item, list) and len(item) == 1 for item in outputs)


def encode_arguments(arguments: Any) -> str:
    """The arguments of a call as rows hold them: one JSON value a line, or `name = value` lines.

    >>> encode_arguments([[2, 7], 9]), encode_arguments({"n": 3, "s": "a"})
    ('[2, 7]\\n9', 'n = 3\\ns = "a"')
    """
    if isinstance(arguments, str):
        arguments = parse_arguments(arguments)
    if isinstance(arguments, Mapping):
        return "\n".join(f"{name} = {encode_value(value)}" for name, value in arguments.items())
    if not isinstance(arguments, (list, tuple)):
        arguments = [arguments]
    if all(map(_is_json, arguments)):
        return "\n".join(encode_value(argument) for argument in arguments)
    return ", ".join(map(repr, arguments))


def encode_value(value: Any) -> str:
    """A value as JSON, or as a Python literal when JSON would change it (tuples as keys, sets, complex numbers).

    >>> encode_value((1, 2)), encode_value({1: 2})
    ('[1, 2]', '{1: 2}')
    """
    return json.dumps(value, ensure_ascii=False) if _is_json(value) else repr(value)


def _is_json(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_json, value))
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
    return value is None or isinstance(value, (str, int, float, bool))


def _paired(inputs: Any, outputs: Any) -> Iterable[tuple[Any, Any]]:
    inputs = inputs if inputs is not None else []
    outputs = outputs if outputs is not None else []
    if not isinstance(inputs, (list, tuple)) or not isinstance(outputs, (list, tuple)):
        raise Reject("broken_tests", "inputs and outputs are not lists")
    if len(inputs) != len(outputs):
        raise Reject("tests_do_not_pair", f"{len(inputs)} inputs, {len(outputs)} outputs")
    return zip(inputs, outputs, strict=True)


def entry_point_of(function: str, starter_code: str, programs: Iterable[str] = ()) -> str:
    """`Solution.f` when the starter code or a reference solution defines `f` in that class, else `f`.

    >>> entry_point_of("twoSum", "class Solution:\\n    def twoSum(self, nums): ...")
    'Solution.twoSum'
    """
    if "." in function:
        return function.replace("Solution()", "Solution")
    in_class = re.compile(rf"^class Solution\b(?:.|\n)*?^\s+def {re.escape(function)}\b", re.MULTILINE)
    if in_class.search(starter_code) or (not starter_code.strip() and any(map(in_class.search, programs))):
        return f"Solution.{function}"
    return function


def programs(value: Any, name: str, language: str = "python", correct: bool = True) -> list[dict[str, Any]]:
    """Reference solutions from a list of programs, which may be written as text, and each in a Markdown fence."""
    return [
        {"language": language, "code": unfenced(code), "correct": correct, "origin": "official"}
        for code in texts(_as_list(value), name)
    ]


def _as_list(value: Any) -> Any:
    if isinstance(value, str) and value.strip() and value.lstrip()[0] != "[":
        return [value]
    return value


def unfenced(program: str) -> str:
    """The program inside a Markdown fence, or the program itself."""
    found = re.search(r"```[\w+#]*[ \t]*\n(.*?)(?:\n```|\Z)", program, re.DOTALL)
    return found.group(1) if found else program


def date(value: Any) -> datetime.date | None:
    """A date from ISO text, a datetime or a Unix time; None for anything else. A day above 12 that stands first shows
    which number is the month.

    >>> date("2023-08-21T00:00:00"), date(1737547500)
    (datetime.date(2023, 8, 21), datetime.date(2025, 1, 22))
    >>> date("23-02-2017"), date("3-02-2018")
    (datetime.date(2017, 2, 23), None)
    """
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1 << 33:
        return datetime.datetime.fromtimestamp(value, datetime.timezone.utc).date()
    found = re.match(r"\s*(\d{4})-(\d{2})-(\d{2})", value) if isinstance(value, str) else None
    parts = list(map(int, found.groups())) if found else _day_and_month(value)
    try:
        return datetime.date(*parts) if parts else None
    except ValueError:
        return None


def _day_and_month(value: Any) -> list[int]:
    """Year, month and day of `23-02-2017` or `02/23/2017`; empty where both numbers may be the month."""
    found = re.fullmatch(r"\s*(\d{1,2})([-/.])(\d{1,2})\2(\d{4})\s*", value) if isinstance(value, str) else None
    if not found:
        return []
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if first > 12:
        return [year, second, first]
    return [year, first, second] if second > 12 else []


LEVELS = {
    "easy": ("easy", "introductory", "very_easy", "basic", "school", "简单"),
    "medium": ("medium", "medium_hard", "interview", "中等"),
    "hard": ("hard", "very_hard", "advanced", "expert", "competition", "challenge", "困难"),
}


def difficulty(native: Any = None, rating: Any = None) -> dict[str, Any]:
    """The column `difficulty`: the source's own word, a rating, and easy, medium or hard by the word or the rating.

    >>> difficulty("VERY_HARD")["level"], difficulty(rating=1300)["level"], difficulty("7")["level"]
    ('hard', 'easy', None)
    """
    word = str(native).strip() if native not in (None, "") else None
    points = whole(rating)
    level = next((name for name, words in LEVELS.items() if word and word.lower() in words), None)
    if level is None and points is not None:
        level = "easy" if points < 1400 else "medium" if points < 2000 else "hard"
    rest = dict.fromkeys(("predicted", "predictor", "pass_rate", "pass_n", "pass_model"))
    return {"native": word, "rating": points, "level": level, **rest}


def compressed_json(value: str, name: str) -> Any:
    """The value of JSON, or of LiveCodeBench's base64(zlib(pickle(JSON text))), which is read without unpickling."""
    try:
        return unpack(value, MAX_DECODED_BYTES)
    except UnsafePickle as error:
        raise Reject("unsafe_pickle", f"{name}: {error}") from None
    except TooLarge as error:
        raise Reject("record_too_large", f"{name} is {error}") from None
    except ValueError as error:
        raise Reject("broken_column", f"{name} is neither JSON nor packed JSON: {error}") from None
