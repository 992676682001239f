"""A problem that is named by its key is graded as the same problem in the request, and as the library grades it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from microcoder_eval import Problem, Submission, connect
from microcoder_eval.connection.sent_problem import LONG, SentProblem
from microcoder_eval.grader import Grader
from tests.eval.service.running import Running
from tests.eval.service.test_large_requests import without_costs

texts = st.text(st.characters(), max_size=8)  # with lone surrogates
lines = st.text("ab1 \n\t\r.é\ud800", max_size=8)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**40), 10**40), st.floats(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)
plain = st.one_of(st.integers(0, 1), st.sampled_from(["", "é\n"]))
limits = st.fixed_dictionaries(
    {}, optional={"time_limit_s": st.sampled_from([3, 2.5]), "memory_limit_mb": st.sampled_from([256, 300])}
)
CHECK = "def check(input, expected, actual):\n    return str(actual) == str(expected), 'seen: ' + repr(input)"
VALIDATOR = "import sys\nimport rule\nsys.exit(rule.status(sys.stdin.buffer.read(), sys.argv))"
RULE = "def status(output, argv):\n    return 43 - (output == open(argv[2], 'rb').read())"
CHECKERS: list[dict[str, Any]] = [
    {"kind": "tokens"},
    {"kind": "exact"},
    {"kind": "float", "abs": 0.25, "rel": 0},
    {"kind": "unordered", "of": "lines", "nested": True},
    {"kind": "kattis_default", "flags": ["case_sensitive", "space_change_sensitive"]},
    {"kind": "python", "code": CHECK},
    {"kind": "python", "style": "kattis", "files": {"main.py": VALIDATOR, "rule.py": RULE}, "flags": ["a b", "é"]},
]
INTERACT = "def interact(input, read_line, write_line):\n    write_line(input.strip())\n    return read_line() == 'a1'"
PROGRAMS = {
    "stdin": ["import sys\nsys.stdout.write(sys.stdin.read())", "print(input().upper())"],
    "call": ["def f(x):\n    return x", "def f(x):\n    return [*x]", "def f(x):\n    return repr(x)"],
    "asserts": ["def f(x):\n    return x", "def f(x):\n    return repr(x)"],
    "interactive": ["print(input())", "print('a1')"],
}


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    """A problem's record, in which expected answers are often those of a program above."""
    kind = draw(st.sampled_from(sorted(PROGRAMS)))
    record: dict[str, Any] = {"id": draw(texts) or "p", "kind": kind, "entry_point": "f", **draw(limits)}
    if kind == "asserts":
        pairs = draw(st.lists(st.tuples(plain, plain), min_size=1, max_size=3))
        record["test_code"] = "\n".join(f"assert f({given!r}) == {wanted!r}" for given, wanted in pairs)
        return record
    record["tests"] = []
    for _ in range(draw(st.integers(1, 4))):
        of_a_test = values if kind == "call" else lines if kind == "stdin" else st.sampled_from(["a1\n", "é", ""])
        given = draw(of_a_test)
        wanted = draw(st.one_of(st.just(given), of_a_test))
        if kind == "call":
            given = draw(st.sampled_from([[given], {"x": given}]))
        record["tests"].append({"input": given, "output": wanted, **draw(limits)})
    if kind == "stdin":
        record["checker"] = draw(st.sampled_from(CHECKERS))
        if record["checker"].get("flags") and draw(st.booleans()):
            record["tests"][0]["flags"] = ["case_sensitive"]
    if kind == "interactive":
        record["interactor"] = {"code": INTERACT}
    if draw(st.booleans()):
        names = range(len(record["tests"]))
        record["groups"] = [{"name": str(test), "max_score": 1.5 + test, "tests": [test]} for test in names]
    return record


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(record=problems(), data=st.data())
def test_by_key_as_a_whole_and_by_the_library(
    service: Running, grader: Grader, record: dict[str, Any], data: st.DataObject
) -> None:
    problem = Problem.from_dict({**record, "starter_code": "#" * LONG})
    assert "problem_key" in SentProblem(problem).named
    code = data.draw(st.sampled_from(PROGRAMS[problem.kind]))
    submission = Submission("s", problem.id, code=code)
    with connect(service.url) as remote:
        by_key = remote.submit(problem, submission, all_tests=True, fresh=True).result().to_dict()
    options = {"all_tests": True, "fresh": True}
    whole = service.post("/v1/grade", {"problem": problem.to_dict(), "id": "s", "code": code, "options": options})
    library = grader.submit(problem, submission, all_tests=True, fresh=True).result().to_dict()
    shown = [json.dumps(without_costs(grade), sort_keys=True) for grade in (by_key, whole.json, library)]
    assert shown[0] == shown[1] == shown[2]
