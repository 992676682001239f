"""Reads files of other harnesses as submissions: `microcoder eval grade --from HARNESS`.

    lm-eval        samples_TASK_DATE.jsonl: `filtered_resps`, otherwise `resps`
    lighteval      details_TASK_DATE.parquet: the texts of `model_response` (`__model_response__` in older files)
    inspect        a log, .eval or .json: the completion of each sample and epoch
    evalscope      predictions/MODEL/TASK.jsonl: the choices of `model_output`
    opencompass    predictions/MODEL/TASK.json: `prediction`, whose `gold` may name the problem
    bigcode        generations.json, a list of lists: its n-th entry belongs to the n-th problem
    bigcodebench   samples.jsonl: `task_id`, and `solution` or `completion`
    nemo-skills    output.jsonl: `generation`

A record is joined to the problem that has its id or name. Lighteval, EvalScope and OpenCompass often keep no name, only
a number in the data set. The number is used if no record of the file names a problem and every problem has a record:
then both are taken to have the same order. A record that cannot be joined or read becomes a `BadRecord` with the
reason. Nothing here grades.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from microcoder_eval.errors import InputError
from microcoder_eval.plain_files import read_plain
from microcoder_eval.problem import Submission
from microcoder_eval.reading.input_files import BadRecord, ProblemFile, ReadSubmission, read_records
from microcoder_eval.reading.inspect_log import inspect_samples, parsed
from microcoder_eval.record_schema import shown

NAMES = ("problem_id", "task_id", "question_id", "id", "name", "title")
"""Fields of a record that may hold the id of its problem, in the order in which they are tried."""


class NamedRecord(NamedTuple):
    """A record whose problem is to be found."""

    place: str
    names: list[Any]
    """Values that may be the id of its problem."""
    replies: list[Any]
    are_programs: bool = False


class _Numbered(NamedTuple):
    """A record that may name no problem, and has a number in the data set."""

    place: str
    names: list[Any]
    number: Any
    replies: list[Any]


def read_harness(harness: str, path: Path, problems: ProblemFile) -> Iterator[ReadSubmission | BadRecord]:
    """The submissions of a harness's file, in its order. Ids number the replies to a problem: `two-sum#0`.

    >>> list(read_harness("bigcode", Path("generations.json"), problems))       # doctest: +SKIP
    """
    replies_so_far: dict[str, int] = {}
    for found in READERS[harness](path, list(problems)):
        if isinstance(found, BadRecord):
            yield found
            continue
        place, names, replies, are_programs = found
        problem = next((str(name) for name in names if _is_name(name) and str(name) in problems), None)
        if problem is None:
            named = ", ".join(shown(name) for name in names if _is_name(name))
            why = f"no problem is called {named}" if named else f"names no problem ({', '.join(NAMES)})"
            yield BadRecord(place, why)
            continue
        if not replies:
            yield BadRecord(place, "has no reply of a model")
        for reply in replies:
            if not isinstance(reply, str):
                yield BadRecord(place, f"a reply is a text, found {shown(reply)}")
                continue
            number = replies_so_far[problem] = replies_so_far.get(problem, -1) + 1
            name = f"{problem}#{number}"
            if are_programs:
                yield ReadSubmission(Submission(name, problem, code=reply), {})
            else:
                yield ReadSubmission(Submission(name, problem, response=reply), {})


def _lm_eval(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    """A task with several filters has a record of each document for each filter. Those of the first filter are used."""
    used: Any = None
    for place, record in read_records(path):
        if isinstance(record, str):
            yield BadRecord(place, record)
            continue
        used = record.get("filter") if used is None else used
        if record.get("filter") != used:
            yield BadRecord(
                place, f"the same replies through filter {shown(record.get('filter'))}; {shown(used)} is used"
            )
            continue
        doc = _object(record.get("doc"))
        replies = record.get("filtered_resps") or record.get("resps") or []
        yield NamedRecord(place, _names(doc) + _names(record), _flat(replies))


def _bigcodebench(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    for place, record in read_records(path):
        if isinstance(record, str):
            yield BadRecord(place, record)
            continue
        program = record.get("solution", record.get("completion"))
        yield NamedRecord(place, _names(record), [] if program is None else [program], "solution" in record)


def _nemo_skills(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    for place, record in read_records(path):
        if isinstance(record, str):
            yield BadRecord(place, record)
        else:
            reply = record.get("generation")
            yield NamedRecord(place, _names(record), [] if reply is None else [reply])


def _bigcode(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    listed = parsed(read_plain(path), path.name)
    if not isinstance(listed, list):
        raise InputError(f"{path}: a list of lists of programs expected, found {shown(listed)}")
    for number, programs in enumerate(listed):
        place = f"{path.name}: entry {number}"
        if number >= len(problems):
            yield BadRecord(place, f"there are {len(problems)} problems only, and entries are joined by their order")
        elif not isinstance(programs, list):
            yield BadRecord(place, f"a list of programs expected, found {shown(programs)}")
        else:
            yield NamedRecord(place, [problems[number]], programs, True)


def _lighteval(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    numbered: list[_Numbered] = []
    for place, record in read_records(path):
        if isinstance(record, str):
            yield BadRecord(place, record)
            continue
        doc = _object(record.get("doc", record.get("__doc__")))
        response = _object(record.get("model_response", record.get("__model_response__")))
        names = _names(_object(doc.get("specific"))) + _names({**doc, "id": None})
        numbered.append(_Numbered(place, names, doc.get("id"), _listed(response.get("text"))))
    yield from _with_numbers(numbered, problems)


def _evalscope(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    numbered: list[_Numbered] = []
    for place, record in read_records(path):
        if isinstance(record, str):
            yield BadRecord(place, record)
            continue
        output = _object(record.get("model_output"))
        choices = output.get("choices")
        replies = [_completion({"choices": [choice]}) for choice in choices] if isinstance(choices, list) else []
        names = _names(_object(record.get("metadata")))
        numbered.append(_Numbered(place, names, record.get("index"), [reply for reply in replies if reply is not None]))
    yield from _with_numbers(numbered, problems)


def _opencompass(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    predictions = parsed(read_plain(path), path.name)
    if not isinstance(predictions, Mapping):
        raise InputError(f"{path}: an object of predictions by number expected, found {shown(predictions)}")
    numbered: list[_Numbered] = []
    for number, record in predictions.items():
        place = f"{path.name}: {shown(number)}"
        if not isinstance(record, Mapping):
            yield BadRecord(place, f"a prediction is an object, found {shown(record)}")
            continue
        gold = record.get("gold")
        names = _names(gold) if isinstance(gold, Mapping) else [gold]
        numbered.append(_Numbered(place, names, number, _listed(record.get("prediction"))))
    yield from _with_numbers(numbered, problems)


def _with_numbers(records: list[_Numbered], problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    """The records. If none of them names a problem and every problem has a record, the numbers give the problems."""
    known = frozenset(problems)
    numbers = {int(number) for _, _, number, _ in records if _is_number(number)}
    named = [any(_is_name(name) and str(name) in known for name in names) for _, names, _, _ in records]
    same_order = numbers == set(range(len(problems))) and not any(named)
    for (place, names, number, replies), has_name in zip(records, named, strict=True):
        if has_name or any(named) or not _is_number(number):
            yield NamedRecord(place, names, replies)
        elif same_order:
            yield NamedRecord(place, [problems[int(number)]], replies)
        else:
            count = f"{len(numbers)} numbers and there are {len(problems)} problems"
            yield BadRecord(place, f"names no problem, and number {number} does not give one: the file has {count}")


def _inspect(path: Path, problems: list[str]) -> Iterator[NamedRecord | BadRecord]:
    for place, sample in inspect_samples(path):
        if isinstance(sample, str):
            yield BadRecord(place, sample)
            continue
        metadata = _object(sample.get("metadata"))
        problem = _problem(metadata.get("problem")) or _problem(sample.get("target"))
        reply = _completion(sample.get("output"))
        yield NamedRecord(
            place, [*_names(sample), *_names(metadata), *_names(problem)], [] if reply is None else [reply]
        )


def _problem(value: Any) -> Mapping[str, Any]:
    """A problem's record, given as such or as JSON; empty for any other value."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return _object(value)


def _completion(output: Any) -> Any:
    """The text of a model's first choice."""
    if not isinstance(output, Mapping):
        return None
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    message = first.get("message")
    content = message.get("content") if isinstance(message, Mapping) else output.get("completion")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return content


def _listed(replies: Any) -> list[Any]:
    return [] if replies is None else _flat(replies)


def _is_number(value: Any) -> bool:
    text = str(value) if type(value) in (int, str) else ""
    return text.isascii() and text.isdecimal() and len(text) < 10


def _names(record: Mapping[str, Any]) -> list[Any]:
    return [record[name] for name in NAMES if record.get(name) is not None]


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_name(value: Any) -> bool:
    return type(value) in (str, int) and value != ""


def _flat(replies: Any) -> list[Any]:
    """The replies in nested lists, as one list. Without recursion, because a file may nest them to any depth."""
    flat, waiting = [], [replies]
    while waiting:
        reply = waiting.pop()
        if isinstance(reply, list):
            waiting.extend(reversed(reply))
        else:
            flat.append(reply)
    return flat


READERS: dict[str, Callable[[Path, list[str]], Iterator[NamedRecord | BadRecord]]] = {
    "lm-eval": _lm_eval,
    "lighteval": _lighteval,
    "inspect": _inspect,
    "evalscope": _evalscope,
    "opencompass": _opencompass,
    "bigcode": _bigcode,
    "bigcodebench": _bigcodebench,
    "nemo-skills": _nemo_skills,
}
