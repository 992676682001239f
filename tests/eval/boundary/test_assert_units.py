"""Which parts of a test program are run and count."""

from __future__ import annotations

import ast

import pytest

from microcoder_eval.boundary.assert_units import left_out, units, units_of

SAME = "def same(a, b):\n    if a != b: raise AssertionError\n"
COUNTS = {
    "asserts": ("assert f(1)\nx = f(2)\nassert x", 2),
    "a statement that raises": ("assert f(1)\nif f(2) != 3: raise AssertionError", 2),
    "a function of a library": ("assert f(1)\nnp.testing.assert_allclose(f(2), 3)", 2),
    "a mock": ("assert f(m)\nm.assert_called_once_with(3)", 2),
    "a test case's method": ("assert f(1)\nTestCase().assertEqual(f(2), 3)", 2),
    "an expected exception": ("assert f(1)\nwith pytest.raises(ValueError): f(2)", 2),
    "a helper that raises": (SAME + "assert f(1)\nsame(f(2), 3)", 2),
    "a helper of a helper": ("def both(a, b): same(a, b)\n" + SAME + "both(f(2), 3)", 1),
    "nothing after the asserts": ("assert f(1)\nprint(f(2))", 1),
    "test functions": ("same(f(2), 3)\ndef test_a(): pass\n" + SAME, 1),
}


@pytest.mark.parametrize("name", COUNTS)
def test_every_statement_that_can_fail_is_a_unit(name: str) -> None:
    tests, count = COUNTS[name]
    assert len(units(tests)) == count


def test_what_imports_or_defines_runs_before_every_unit() -> None:
    module = ast.parse("try:\n    import math\nexcept ImportError:\n    raise\nassert f(1)\nassert f(math.pi)")
    found = units_of(module)
    assert len(found) == 3
    assert all(0 not in positions for positions in left_out(module, found).values())


def test_parameter_sets_that_must_not_run_are_no_units() -> None:
    marked = "pytest.param(2, marks=pytest.mark.skip), pytest.param(3, marks=[pytest.mark.xfail(reason='no')])"
    tests = (
        f"@pytest.mark.parametrize('a', [1, {marked}])\n@pytest.mark.parametrize('b', [4, 5])\n"
        "def test_f(a, b): assert f(a, b)"
    )
    assert [unit.case for unit in units(tests)] == [0, 3]  # the last decorator's sets come first
