"""Which fields a file lacks, and which of its fields look like them: options that a user can copy into the command.

    lacks = missing([{"slug": "a", "cases": []}], "problems")
    options_of(lacks)           # --map problems.id=slug --map tests=cases

A suggestion is a field whose name is known from other people's files and whose values fit, at the top of a record or
deeper in it (`response.body.choices.0.message.content`). No suggestion is used unless the user asks for it.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from microcoder_eval.languages.table import PYTHON, language_named
from microcoder_eval.reading.field_map import TEST_FIELDS, grouped_tests, take
from microcoder_eval.reading.field_values import fits, is_reply
from microcoder_eval.suggest import closest

LOOKS_LIKE: dict[str, tuple[str, ...]] = {
    name: tuple(names.split())
    for name, names in {
        "id": "problem_id task_id question_id qid pid slug uid key number no index idx name title problem task "
        "nr nummer numero número numéro num 编号 序号 номер",
        "tests": "test_cases testcases cases examples io_pairs io input_output private_tests public_tests hidden_tests "
        "test_list samples checks",
        "test_code": "test test_list",
        "input": "stdin in inp args arguments params given inputs eingabe entrée entree entrada 输入 入力 ввод",
        "output": "expected_output expected stdout out answer result want wanted ans outputs ausgabe sortie salida "
        "saída saida 输出 出力 вывод",
        "entry_point": "function_name fn_name func_name method_name function func method fn",
        "starter_code": "prompt starter stub template signature declaration",
        "statement": "problem_description problem_statement question_content prompt question description content text "
        "body task aufgabe aufgabenstellung énoncé enoncé enonce enunciado 题目 题面 問題 условие",
        "problem_id": "task_id question_id problem task qid pid slug problem_name question custom_id aufgabe nummer nr",
        "response": "reply completion generation model_output raw_output generated_text prediction output answer text "
        "content message messages conversation conversations completions responses generations replies outputs samples "
        "choices candidates turns chat dialogue history antwort réponse reponse respuesta resposta 回答 ответ",
        "code": "solution program source_code source submission",
        "language": "lang programming_language language_name lang_name compiler sprache",
    }.items()
}
"""Names that other files have for a field, the least ambiguous first."""
BY_PART = ("id", "tests", "test_code", "input", "output", "statement", "response", "code")
"""Fields that are also recognised by a part of a name: `public_test_cases`, `code_list`, `expectedStdout`."""
_ENDS_OF_AN_ID = frozenset({"id", "uid", "uuid", "slug"})
_ABOUT_A_FIELD = frozenset(
    {"format", "description", "spec", "specification", "type", "limit", "size", "file", "from", "to", "mode", "method"}
)
"""Words of a name that is not of the field itself: `input_format`."""
_WORDS_OF_A_TASK = frozenset({"prompt", "question", "problem", "task", "instruction", "system", "user", "statement"})
_OF_A_PROBLEM = frozenset({"tests", "checker", "interactor"})
"""Fields of a problem whose inner texts are no reply to it."""
HARNESS_FIELDS = {"lm-eval": {"doc", "resps"}, "inspect": {"eval", "samples"}}
"""The fields by which the files of other harnesses are recognised."""
BENCHMARK_FIELDS = {
    "humaneval": {"task_id", "prompt", "entry_point", "canonical_solution"},
    "livecodebench": {"question_id", "question_content", "contest_date", "public_test_cases"},
}
"""The fields by which the files of published benchmarks are recognised, by the command that grades them."""
_ONE_TEST_A_RECORD = " where each record is one test --map input=NAME --map output=NAME"
_DEEPEST = 6
_MOST_PATHS = 200


@dataclass(frozen=True)
class Lack:
    """A field that a file lacks."""

    what: str
    """A sentence: what is missing, and which field looks like it."""
    field: str
    """The missing field as `--map` takes it, such as `tests` or `problems.id`."""
    source: str | None
    """The field that looks like it; None when none does."""

    @property
    def option(self) -> str | None:
        """The value for `--map`, such as `tests=cases`."""
        return self.source and f"{self.field}={self.source}"


def missing(
    records: Sequence[Mapping[str, Any]], whose: str, one_problem: bool = False, ids: Collection[str] = ()
) -> list[Lack]:
    """The fields that the records of a file lack, each with the field that looks like it.

    records: some of the file, after `--map`.
    whose: "problems" or "submissions".
    one_problem: there is only one problem, so that submissions need not name it.
    ids: the ids of the problems, if known. A submission's field with such values names its problem.

    >>> missing([{"id": "a", "cases": [{"input": "1", "output": "1"}]}], "problems")
    [Lack(what='no field `tests`; `cases` looks like it', field='tests', source='cases')]
    """
    seen = Counter(name for record in records for name in record)
    return (
        _missing_in_problems(records, seen)
        if whose == "problems"
        else _missing_in_submissions(records, seen, one_problem, ids)
    )


def helpful(records: Sequence[Mapping[str, Any]]) -> list[Lack]:
    """The fields that problems can do without, but not all replies to them: a reply may be the body of the starter.

    >>> helpful([{"id": 1, "prompt": "def f(n):\\n", "test_code": "assert f(1)"}])[0].option
    'starter_code=prompt'
    """
    seen = Counter(name for record in records for name in record)
    if "test_code" not in seen or "starter_code" in seen:
        return []
    near = _likeliest("starter_code", records, seen)
    return [_likely("no field `starter_code`", "starter_code", near)] if near else []


def harness_of(records: Sequence[Mapping[str, Any]]) -> str | None:
    """The harness that has written a file, as `--from` takes it; None when the fields do not show one.

    >>> harness_of([{"doc_id": 0, "doc": {}, "resps": [["a"]], "filtered_resps": ["a"]}])
    'lm-eval'
    """
    return _with_fields(HARNESS_FIELDS, records)


def benchmark_of(records: Sequence[Mapping[str, Any]]) -> str | None:
    """The published benchmark that a file of problems holds, by the command that grades it; None for another file.

    >>> benchmark_of([dict.fromkeys(("task_id", "prompt", "entry_point", "canonical_solution", "test"), "")])
    'humaneval'
    """
    return _with_fields(BENCHMARK_FIELDS, records)


def _with_fields(known: Mapping[str, Set[str]], records: Sequence[Mapping[str, Any]]) -> str | None:
    return next((name for name, fields in known.items() if records and fields <= records[0].keys()), None)


def options_of(lacks: Sequence[Lack]) -> str:
    """The options that name the missing fields, to be copied into the command.

    >>> options_of([Lack("no field `tests`; `cases` looks like it", "tests", "cases")])
    '--map tests=cases'
    """
    return " ".join(f"--map {shlex.quote(lack.option)}" for lack in lacks if lack.option)


def _missing_in_problems(records: Sequence[Mapping[str, Any]], seen: Counter[str]) -> list[Lack]:
    lacks: list[Lack] = []
    has_tests = {"tests", "test_code"} & seen.keys() or seen.keys() >= set(TEST_FIELDS)
    listed = () if has_tests else _with_more_tests(_likeliest("tests", records, seen), records)
    fields_of_a_test = [] if has_tests or listed else [_likeliest(name, records, seen) for name in TEST_FIELDS]
    one_test_a_record = bool(fields_of_a_test) and all(fields_of_a_test)
    several_records = one_test_a_record or seen.keys() >= set(TEST_FIELDS)  # may belong to a problem, a test each
    if "id" not in seen and (near := _likeliest("id", records, seen, unique=not several_records)):
        lacks.append(_likely("no field `id`", "problems.id", near))
    if not {"entry_point", "kind"} & seen.keys() and (near := _likeliest("entry_point", records, seen)):
        lacks.append(_likely("no field `entry_point`", "entry_point", near))
    if not has_tests:
        if one_test_a_record:
            pairs = zip(TEST_FIELDS, fields_of_a_test, strict=True)
            lacks += [_likely(f"no field `{name}`", name, str(near)) for name, near in pairs]
            return lacks + _missing_statement(records, seen, tuple(map(str, fields_of_a_test)))
        code = None if listed else _likeliest("test_code", records, seen)
        near = ",".join(listed) or None
        lacks.append(_likely("no tests", "test_code", code) if code else _lack("no field `tests`", "tests", near, seen))
        if not code and not near and not any(isinstance(value, (list, Mapping)) for value in records[0].values()):
            lacks[-1] = replace(lacks[-1], what=f"{lacks[-1].what}, or{_ONE_TEST_A_RECORD}")
        if code and "starter_code" not in seen and (near := _likeliest("starter_code", records, seen)):
            lacks.append(_likely("no field `starter_code`", "starter_code", near))
    fields = listed or ("tests",)
    tests = [test for record in records for name in fields for test in _listed(record.get(name))]
    lacks += _missing_in_tests([test for test in tests if isinstance(test, Mapping)])
    return lacks + _missing_statement(records, seen, fields) if lacks else []


def _with_more_tests(first: str | None, records: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """A field of tests, with all others that hold tests of the same form, such as public and private ones."""
    if first is None or _parts(first)[-1] not in ("tests", "cases", "testcases"):
        return (first,) if first else ()
    record = next((record for record in records if record.get(first)), {})
    fields = [name for name in record if _parts(name)[-1] == _parts(first)[-1]]
    return tuple(name for name in fields if _form(record[name]) == _form(record[first])) or (first,)


def _form(tests: Any) -> Any:
    """The form of tests, to be compared: types, and the names of fields."""
    one = tests[0] if isinstance(tests, list) and tests else tests
    return type(tests), type(one), sorted(map(str, one)) if isinstance(one, Mapping) else None


def _missing_statement(records: Sequence[Mapping[str, Any]], seen: Counter[str], taken: tuple[str, ...]) -> list[Lack]:
    near = _likeliest("statement", records, seen, taken) if "statement" not in seen else None
    return [_likely("no field `statement`", "statement", near)] if near else []


def _missing_in_tests(tests: Sequence[Mapping[str, Any]]) -> list[Lack]:
    seen = Counter(name for test in tests for name in test)
    lacks: list[Lack] = []
    taken: tuple[str, ...] = TEST_FIELDS
    for name in TEST_FIELDS:
        if tests and name not in seen:
            near = _likeliest(name, tests, seen, taken)
            taken = (*taken, near or "")
            lacks.append(_lack(f"the tests have no field `{name}`", name, near, seen))
    return lacks


def fields_of_a_test(tests: Sequence[Mapping[str, Any]], by_order: bool = True) -> tuple[str, str] | None:
    """The fields of tests that hold input and output: by their names, or with `by_order` the first and second of two.

    >>> fields_of_a_test([{"stdinText": "1", "wanted": "2", "note": ""}]), fields_of_a_test([{"q": "1", "w": "2"}])
    (('stdinText', 'wanted'), ('q', 'w'))
    """
    seen = Counter(name for test in tests for name in test)
    given = "input" if "input" in seen else _likeliest("input", tests, seen, ("output",))
    wanted = "output" if "output" in seen else _likeliest("output", tests, seen, (given or "",))
    if given and wanted:
        return given, wanted
    names = list(seen)
    return (names[0], names[1]) if by_order and len(names) == 2 else None


def _missing_in_submissions(
    records: Sequence[Mapping[str, Any]], seen: Counter[str], one_problem: bool, ids: Collection[str]
) -> list[Lack]:
    lacks, taken = [], ""
    own = ("problem_id", "id") if "problem_id" in seen else ()  # an `id` beside it is the submission's
    holder = field_with_ids(ids, records, but=own)
    if "problem_id" not in seen and not one_problem:
        taken = holder or _likeliest("problem_id", records, seen) or ""
        lacks.append(_lack("no field `problem_id`", "problem_id", taken, seen))
    elif holder and not any(str(record.get("problem_id")) in ids for record in records):
        lacks.append(Lack(f"`problem_id` names no problem of the other file; `{holder}` does", "problem_id", holder))
    replied = [record["response"] for record in records if record.get("response") is not None]
    programs = "code" in seen
    if not programs and not any(map(is_reply, replied)):
        reply = _likeliest("response", records, seen, (taken,))
        code = None if reply else _likeliest("code", records, seen, (taken,))
        begin = "the field `response` holds no text" if replied else "no field `response` or `code`"
        lacks.append(_lack(begin, "code" if code else "response", code or reply, seen))
        programs = code is not None
    if programs and "language" not in seen and (near := _likeliest("language", records, seen)):
        named = {language_named(str(record[near])) for record in records if record.get(near)}
        if lacks or named != {PYTHON}:  # without it, programs of other languages are run as Python
            lacks.append(_likely("no field `language`", "language", near))
    return lacks


def field_with_ids(ids: Collection[str], records: Sequence[Mapping[str, Any]], but: Collection[str] = ()) -> str | None:
    """The field that holds ids of problems in most records; of several such fields the one with the likeliest name.

    >>> field_with_ids({"a", "b"}, [{"no": 1, "key": "a"}, {"no": 2, "key": "b"}])
    'key'
    """
    if not ids:
        return None
    ranks = {name: rank for rank, name in enumerate(("problem_id", *LOOKS_LIKE["problem_id"]))}
    found = []
    for path in dict.fromkeys([*(key for record in records for key in record), *_paths(records[:20])]):
        values = [take(record, path) for record in records]
        named = sum(isinstance(value, (str, int)) and str(value) in ids for value in values)
        is_a_count = path not in ranks and all(isinstance(each, int) for each in values)
        if is_a_count and 10 * len({*values}) < len(records):  # such as the number of tries
            continue
        if path not in but and 2 * named > len(records):
            found.append((-named, ranks.get(_last_name(path), len(ranks)), path.count("."), path))
    return min(found)[-1] if found else None


def _lack(begin: str, name: str, near: str | None, seen: Counter[str]) -> Lack:
    if near:
        return _likely(begin, name, near)
    there = ", ".join(f"`{key}`" for key in list(seen)[:12]) or "none"
    return Lack(f"{begin}; there are {there}: name the right one with --map {name}=NAME", name, None)


def _likely(begin: str, name: str, near: str) -> Lack:
    return Lack(f"{begin}; `{near}` looks like it", name, near)


def _likeliest(
    name: str,
    records: Sequence[Mapping[str, Any]],
    seen: Counter[str],
    taken: tuple[str, ...] = (),
    unique: bool = False,
) -> str | None:
    """The field that is most likely meant, of those whose values fit; a nested field when none at the top fits."""

    def may_be(path: str) -> bool:
        values = [value for value in (take(record, path) for record in records) if value is not None]
        return bool(values) and fits(name, values, unique)

    free = [key for key in seen if key not in taken and may_be(key)]
    lowered = {"_".join(_parts(key)).strip("_"): key for key in reversed(free)}
    for likely in LOOKS_LIKE[name]:
        if likely in lowered:
            return lowered[likely]
    near = (
        _by_part(name, free)
        or closest(name, free)
        or (_field_with_fences(records, free) or _field_with_chats(records, free) if name == "response" else None)
    )
    if near or name in TEST_FIELDS:
        return near
    deeper = [path for path in dict.fromkeys(_paths(records[:20])) if may_be(path)]
    ranked = {likely: rank for rank, likely in enumerate(LOOKS_LIKE[name])}
    if name == "entry_point":  # one of a list of functions is not the problem's
        deeper = [path for path in deeper if not any(map(str.isdecimal, path.split(".")))]
    known = [path for path in deeper if _last_name(path) in ranked and not (name == "response" and _is_a_task(path))]
    if name in ("response", "code"):
        known = [path for path in known if path.partition(".")[0] not in _OF_A_PROBLEM]
    best = min(known, key=lambda path: (path.count("."), ranked[_last_name(path)]), default=None)
    return best or (_only_tests(records, free) if name == "tests" else None)


def _only_tests(records: Sequence[Mapping[str, Any]], free: Sequence[str]) -> str | None:
    """The only field that holds lists of objects which are no turns of a chat."""
    found = [
        key for key in free
        if (tests := [test for record in records for test in _listed(record.get(key))])
        and all(isinstance(test, Mapping) and len(test) > 1 and "role" not in test for test in tests)
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _by_part(name: str, free: Sequence[str]) -> str | None:
    """The field whose name contains a likely name: `public_test_cases` contains `test_cases`."""
    if name not in BY_PART:
        return None
    split = {key: _parts(key) for key in free}
    if name == "id":
        return next((key for key in split if split[key][-1] in _ENDS_OF_AN_ID), None)
    if name in TEST_FIELDS:
        split = {key: parts for key, parts in split.items() if not _ABOUT_A_FIELD & {*parts}}
    if name == "response":
        split = {key: parts for key, parts in split.items() if not _WORDS_OF_A_TASK & {*parts}}
    likely_names = (name, *LOOKS_LIKE[name])
    return next((key for likely in likely_names for key in split if f"_{likely}_" in f"_{'_'.join(split[key])}_"), None)


def _parts(name: str) -> list[str]:
    """The words of a name: `testCases` and `test_cases` are the same ones."""
    return re.split(r"[_\W]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())


def _field_with_fences(records: Sequence[Mapping[str, Any]], free: Sequence[str]) -> str | None:
    """The field whose texts hold fenced code in most records."""
    counts = {key: sum("```" in str(record.get(key)) for record in records) for key in free}
    best = max(counts, key=lambda key: counts[key], default=None)
    return best if best is not None and 2 * counts[best] > len(records) else None


def _field_with_chats(records: Sequence[Mapping[str, Any]], free: Sequence[str]) -> str | None:
    """The only field that holds objects of a chat or a service's answers, and no list of programs by its name."""
    programs = _by_part("code", free)
    found = [
        key
        for key in free
        if key != programs and any(isinstance(record.get(key), (Mapping, list)) for record in records)
    ]
    return found[0] if len(found) == 1 else None


def _paths(records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Dotted paths to the texts and numbers inside other fields. Of a list only the first entry counts."""
    for record in records:
        waiting: list[tuple[str, Any, int]] = [("", record, 0)]
        for _ in range(_MOST_PATHS):
            if not waiting:
                break
            path, value, depth = waiting.pop(0)
            inner = value.items() if isinstance(value, Mapping) else enumerate(value[:1])
            for key, below in inner:
                place = f"{path}.{key}" if path else str(key)
                if isinstance(below, (Mapping, list)) and depth < _DEEPEST:
                    waiting.append((place, below, depth + 1))
                elif depth and isinstance(below, (str, int)):
                    yield place


def _last_name(path: str) -> str:
    return next((step for step in reversed(path.lower().split(".")) if not step.isdecimal()), "")


def _is_a_task(path: str) -> bool:
    """Whether a nested text may be the task rather than the reply: no field around it is one that models return."""
    steps = set(path.lower().split("."))
    return _last_name(path) in ("text", "content", "answer") and not steps & {"choices", "message", "output"}


def _listed(tests: Any) -> list[Any]:
    return list(tests) if isinstance(tests, (list, tuple)) else grouped_tests(tests) or []
