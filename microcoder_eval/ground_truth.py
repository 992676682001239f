"""Reads a problem from the ground-truth column of a training set: this project's record, or another project's form.

    problem_from('{"inputs": ["1 2"], "outputs": ["3"]}', "row-17")

Pure, and it never unpickles.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from microcoder_eval.arguments import read_json
from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem, says_function
from microcoder_eval.record_schema import shown

TIME_LIMIT_S = 10.0
"""The limit that trainers of code models give a test when the training set gives none."""
MEMORY_LIMIT_MB = 1024


def problem_from(
    truth: Any,
    name: str = "",
    *,
    time_limit_s: float = TIME_LIMIT_S,
    memory_limit_mb: int = MEMORY_LIMIT_MB,
) -> Problem:
    """The problem in a ground truth of one of these forms, as an object or as JSON.

    - a problem's record: {"id", "tests", ...}
    - {"inputs": [...], "outputs": [...], "fn_name": "f" or absent}: APPS, TACO, LiveCodeBench, verl. Where all outputs
      of a function are lists of one value, these values are what it returns
    - {"assert_case": ["assert f(1) == 2", ...]}: verl
    - [{"input", "output", "fn_name"?}, ...]: LiveCodeBench, DeepCoder, open-instruct
    - ["assert f(1) == 2", ...]: MBPP, AceCode

    name, time_limit_s, memory_limit_mb: used where the ground truth has none. Raises `InputError`.

    >>> problem_from({"inputs": ["1 2"], "outputs": ["3"]}).kind
    'stdin'
    >>> problem_from(["assert f(1) == 2"]).kind
    'asserts'
    """
    if isinstance(truth, (str, bytes)):
        try:
            truth = read_json(truth)
        except (ValueError, RecursionError) as error:
            raise InputError(f"the ground truth is not JSON: {str(error)[:200]}") from None
    if isinstance(truth, Problem):
        return truth
    limits = {"time_limit_s": time_limit_s, "memory_limit_mb": memory_limit_mb}
    if isinstance(truth, Mapping):
        record = _of_object(truth)
    elif _is_list(truth) and len(truth):
        record = _of_list(list(truth))
    else:
        raise InputError(f"the ground truth is neither a problem nor a list of tests: {shown(truth)}")
    given = {key: value for key, value in record.items() if value is not None}
    if "id" not in given:
        given["id"] = name or _name(given)
    return Problem.from_dict({**limits, **given})


def _of_object(truth: Mapping[str, Any]) -> dict[str, Any]:
    if "tests" in truth or "test_code" in truth:
        return dict(truth)
    asserts = truth.get("assert_case")
    if asserts:
        return _asserts(asserts)
    if "inputs" in truth and "outputs" in truth:
        inputs, outputs = truth["inputs"], truth["outputs"]
        if not _is_list(inputs) or not _is_list(outputs) or len(inputs) != len(outputs):
            raise InputError("the ground truth's inputs and outputs are not lists of the same length")
        return _tests(list(zip(inputs, outputs, strict=True)), truth.get("fn_name"))
    known = ", ".join(str(key)[:30] for key in list(truth)[:8])
    raise InputError(f'the ground truth has neither "tests" nor "inputs" and "outputs"; it has: {known or "nothing"}')


def _of_list(truth: list[Any]) -> dict[str, Any]:
    if all(isinstance(test, str) for test in truth):
        return _asserts(truth)
    if not all(isinstance(test, Mapping) and "input" in test and "output" in test for test in truth):
        raise InputError('the ground truth is a list, but not of asserts or of objects with "input" and "output"')
    names = [name for name in map(_fn_name, truth) if name]
    if not names and any(map(says_function, truth)):
        raise InputError("the ground truth's tests call a function that none of them names (fn_name)")
    return _tests([(test["input"], test["output"]) for test in truth], names[0] if names else None)


def _fn_name(test: Mapping[str, Any]) -> Any:
    inner = test.get("metadata")
    return test.get("fn_name") or (inner.get("func_name") if isinstance(inner, Mapping) else None)


def _tests(pairs: list[tuple[Any, Any]], function: Any) -> dict[str, Any]:
    if function:
        if not isinstance(function, str):
            raise InputError(f"the ground truth's fn_name: a name expected, found {shown(function)}")
        results = unwrapped([wanted for _, wanted in pairs])
        return {
            "kind": "call",
            "entry_point": function,
            "tests": [{"input": given, "output": one} for (given, _), one in zip(pairs, results, strict=True)],
        }
    return {"tests": [{"input": _text(given), "output": _text(wanted)} for given, wanted in pairs]}


def unwrapped(outputs: list[Any]) -> list[Any]:
    """The results of a function, which APPS, TACO and verl write as lists of one; any other outputs as they are.

    >>> unwrapped([[1], [2]]), unwrapped([[1], [2, 3]])
    ([1, 2], [[1], [2, 3]])
    """
    wrapped = all(isinstance(output, list) and len(output) == 1 for output in outputs)
    return [output[0] for output in outputs] if wrapped else outputs


def _text(value: Any) -> Any:
    """An input or output as text; TACO has lists of lines in some places."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(value)
    return value


def _asserts(asserts: Any) -> dict[str, Any]:
    if not _is_list(asserts) or not all(isinstance(test, str) for test in asserts):
        raise InputError("the ground truth's asserts are not a list of texts")
    return {"kind": "asserts", "test_code": "\n".join(asserts)}


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def is_single_assert(text: str) -> bool:
    """Whether a text is exactly one assert statement."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return len(body) == 1 and isinstance(body[0], ast.Assert)


def _name(record: Mapping[str, Any]) -> str:
    """A name derived from the record: equal problems have equal names."""
    text = json.dumps(record, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
