"""Test programs that hand over, take and compare numpy arrays and pandas tables."""

from __future__ import annotations

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict

pytest.importorskip("pandas")

IMPORTS = "import numpy as np\nimport pandas as pd\n"
SAME = """
def same(a, b):
    assert type(a) is type(b), (type(a), type(b))
    if isinstance(a, pd.DataFrame): pd.testing.assert_frame_equal(a, b)
    elif isinstance(a, pd.Series): pd.testing.assert_series_equal(a, b)
    elif isinstance(a, pd.Index): pd.testing.assert_index_equal(a, b)
    elif isinstance(a, (np.ndarray, np.generic)):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype and a.shape == b.shape
    else: assert a is b or a == b
"""
VALUES = [
    "pd.DataFrame({'a': [1, 2], 'b': ['x', None], 'c': [1.5, None], 'd': [True, False]})",
    "pd.DataFrame()", "pd.DataFrame(columns=['a'])", "pd.DataFrame([[1, 2]], columns=['x', 'x'])",
    "pd.DataFrame({('a', 'x'): [1], ('a', 'y'): [2]})",
    "pd.DataFrame({'v': [1, 2, 3]}, index=pd.date_range('2020-01-01', periods=3, freq='D'))",
    "pd.DataFrame({'v': [1]}, index=pd.MultiIndex.from_tuples([(1, 'a')], names=['x', 'y']))",
    "pd.Series(['a', 'b', 'a'], name='s').astype('category')", "pd.Series([1, None], dtype='Int64')",
    "pd.Series(pd.to_datetime(['2020-01-01', None]).tz_localize('Europe/Berlin'))",
    "pd.Series(['a', None], dtype='string')", "pd.Series([True, None], dtype='boolean')",
    "pd.Series([1, 'a', [2], None, pd.NaT, pd.NA], dtype=object)", "pd.Series(pd.to_timedelta([1, 2], unit='D'))",
    "pd.Series([1.5], dtype='float32')", "pd.Index([1, 2], name='n')", "pd.RangeIndex(1, 9, 2)",
    "pd.Timestamp('2020-01-02', tz='UTC')", "pd.Timedelta(5, 's')", "pd.NA", "pd.NaT",
    "np.array([[1, 2], [3, 4]], dtype='int8')", "np.array([1, 'a', None, [2]], dtype=object)", "np.array(5)",
    "np.array(['2020-01-01', 'NaT'], dtype='datetime64[D]')", "np.array(['a', 'bc'])", "np.float32(1.5)",
    "np.array([1.5], dtype='longdouble')", "np.int64(7)", "np.bool_(True)", "np.datetime64('2020-01-01')",
]  # fmt: skip
YES = """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 5
    def __bool__(self): return True
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return lambda *a, **k: True
"""
WANTED = "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})"
COMPARISONS = {
    "frame-equal": f"pd.testing.assert_frame_equal(f(1), {WANTED})",
    "equals": f"assert f(1).equals({WANTED})",
    "operator": f"assert (f(1) == {WANTED}).all().all()",
    "column": "assert (f(1)['a'] == [1, 2]).all() and f(1).shape == (2, 2)",
}
FORGED = {
    "object": YES + "def f(x): return Yes()",
    "inside": YES + "def f(x): return pd.DataFrame({'a': [Yes()] * 2, 'b': [Yes()] * 2})",
    "subclass": "class D(pd.DataFrame):\n    def equals(self, o): return True\n"
    "    def __eq__(self, o): return pd.DataFrame({'a': [True]})\ndef f(x): return D({'a': [9]})",
    "patched": "pd.DataFrame.equals = lambda s, o: True\n"
    "pd.DataFrame.__eq__ = lambda s, o: pd.DataFrame({'a': [True]})\n"
    "def f(x): return pd.DataFrame({'a': [9]})",
    "in-itself": "def f(x):\n    d = pd.DataFrame({'a': [1]}, dtype=object)\n    d.iat[0, 0] = d\n    return d",
}


def verdict(grader: Grader, tests: str, code: str) -> tuple[Verdict, str]:
    limits = {"time_limit_s": 10.0, "memory_limit_mb": 1024}
    problem = Problem.from_dict({"id": "p", "kind": "asserts", "entry_point": "f", "test_code": tests, **limits})
    grade = grader.grade(problem, Submission("s", "p", code))
    return grade.verdict, grade.detail or "".join(test.detail for test in grade.tests)


@pytest.mark.parametrize("code", ["def f(x): return x", "import copy\nf = copy.deepcopy"], ids=["itself", "copy"])
def test_a_table_handed_over_and_back_is_the_same(grader: Grader, code: str) -> None:
    lines = "".join(f"    v = {value}\n    same(f(v), v)\n" for value in VALUES)
    assert verdict(grader, f"{IMPORTS}{SAME}def test_all():\n{lines}", code) == (Verdict.ACCEPTED, "")


def test_the_program_changes_the_tables_of_the_tests(grader: Grader) -> None:
    lines = "t, a, b = pd.DataFrame({'a': [1]}), np.array([1, 2]), [3]\nassert f(t, a, b) is b\n"
    lines += "assert list(t.columns) == ['a', 'new'] and a.tolist() == [9, 2] and b == [3, 4]"
    code = "def f(t, a, b):\n    t['new'], a[0] = 5, 9\n    b.append(4)\n    return b"
    assert verdict(grader, IMPORTS + lines, code) == (Verdict.ACCEPTED, "")


def test_the_right_table_passes_every_comparison(grader: Grader) -> None:
    lines = "".join(f"    {line}\n" for line in COMPARISONS.values())
    tests = f"{IMPORTS}def test_all():\n{lines}"
    assert verdict(grader, tests, f"{IMPORTS}def f(x): return {WANTED}") == (Verdict.ACCEPTED, "")


@pytest.mark.parametrize(
    ("comparison", "forged"),
    [*(("equals", name) for name in FORGED), *((name, "inside") for name in COMPARISONS if name != "equals")],
)
def test_no_other_table_passes(grader: Grader, comparison: str, forged: str) -> None:
    found, why = verdict(grader, IMPORTS + COMPARISONS[comparison], IMPORTS + FORGED[forged])
    assert found is Verdict.WRONG_ANSWER, why


@pytest.mark.parametrize("asked", ["f(1).equals(open)", "f(1) + open", "f(1) == open", "open in f(1)", "f(1)[open]"])
def test_an_object_that_is_asked_about_what_cannot_be_handed_over_is_wrong(grader: Grader, asked: str) -> None:
    tests = f"import io\nopen = io.TextIOWrapper(io.BytesIO())\nassert f(2) and {asked}"
    found, why = verdict(grader, tests, YES + "def f(x): return Yes()\nYes.__add__ = Yes.__getitem__ = lambda *a: True")
    assert found in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR), why


@pytest.mark.parametrize(
    "question",
    ["(f(2) == np.array([5, 6])).all()", "np.isin([5, 6], f(2)).all()", "np.allclose(f(2).astype(float), [5, 6])",
     "set(f(2)) == {5, 6}", "f(2)[0] == 5", "np.array_equal(f(2), [5, 6])"],
)  # fmt: skip
def test_objects_in_an_array_answer_for_no_value(grader: Grader, question: str) -> None:
    code = (
        f"import numpy as np\n{YES}Yes.__float__ = lambda s: 5.0\ndef f(x): return np.array([Yes()] * 2, dtype=object)"
    )
    found, why = verdict(grader, f"import numpy as np\nassert {question}", code)
    assert found is Verdict.WRONG_ANSWER, why
