# ruff: noqa: E501 - programs, each on the line that names it
"""Still more forgeries of kind `asserts`: (tests, a program that must not pass them).

`RAW_MESSAGES`: programs that write their own messages to the tests. `WAYS_OUT`: programs that make the tests leave, crash
or work without end, to get no verdict. `FORMS`: objects that say yes, in forms of tests that the other files do not use.
"""

from __future__ import annotations

YES = """
class Yes:
    def __init__(s,*a,**k): pass
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, o): return True
    __le__=__ge__=__gt__=__contains__=__lt__
    def __bool__(self): return True
    def __hash__(self): return hash(5)
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return lambda *a, **k: True
"""
RAW = """
def raw(x, body, word='ok', changes=()):
    import gc
    from microcoder_eval.sandbox.asserts.peer import Peer
    p = [o for o in gc.get_objects() if isinstance(o, Peer)][0]
    p._channel.send([word, list(changes), body, ''])
    # its own answer is never sent
    p.__class__ = type('P', (p.__class__,), {'answer': lambda s, m: None})
    return 0
"""
RAW_MESSAGES: dict[str, tuple[str, str]] = {
    "raw-eq-remote": ('assert f(2) == 5', RAW + "def f(x): return raw(x, {'h':[7, {'k':[8,'function','builtins',[{'n':'int'}]]}, 'int', 4]})"),
    "raw-function-contains": ('assert 5 in f(2)', RAW + "def f(x): return raw(x, {'h':[7, {'k':[8,'function','builtins',[{'n':'object'}]]}, None, None]})"),
    "raw-own": ('a=[5]\nassert f(2, a) == 5', RAW + "def f(x, a): return raw(x, {'own': 0})"),
    "raw-own-neg": ('assert f(2, lambda v: v) == 5', RAW + "def f(x, g): return raw(x, {'own': -1})"),
    "raw-zero-division": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError): f(2)\n', RAW + "def f(x): return raw(x, {'x':['fractions.Fraction',[1,0]]})"),
    "raw-decimal": ('import pytest\ndef test_f():\n    try: r = f(2)\n    except ArithmeticError: r = 4\n    assert r == 5\n', RAW + "def f(x): return raw(x, {'x':['decimal.Decimal',['abc']]})"),
    "raw-loader": ('assert f(2) == 5', RAW + "def f(x): return raw(x, {'n':'__loader__'})"),
    "raw-raise-own": ('assert f(2) == 5', RAW + "def f(x): return raw(x, {'own': 0}, 'raise')"),
    "raw-raise-type": ('assert f(2) == 5', RAW + "def f(x): return raw(x, {'number':1,'class':{'n':'type'},'text':'','line':0,'arguments':['X',{'t':[]},{'d':[None,[]]}],'attributes':[],'message':'','members':[],'cause':None}, 'raise')"),
    "raw-raise-deep-cause": ('assert f(2) == 5', RAW + "def f(x):\n    b=None\n    for i in range(3000): b={'number':i,'class':{'n':'ValueError'},'text':'','line':0,'arguments':[],'attributes':[],'message':'','members':[],'cause':b}\n    return raw(x, b, 'raise')"),
    "raw-raise-lines": ("assert f(2) == 5", RAW + "def f(x): return raw(x, {'number':0,'class':{'n':'ValueError'},'text':'','line':10**300,'arguments':[],'attributes':[],'message':'','members':[],'cause':None}, 'raise')"),
    "raw-raise-import-error": ('import math\nassert f(2) == 5', RAW + "def f(x): return raw(x, {'number':None,'class':{'n':'ImportError'},'text':'','line':0,'arguments':['no'],'attributes':['name','math'],'message':'','members':[],'cause':None}, 'raise')"),
    "raw-raise-system-exit": ('import math\nassert f(2) == 5', RAW + "def f(x): return raw(x, {'number':None,'class':{'n':'SystemExit'},'text':'','line':0,'arguments':[0],'attributes':[],'message':'','members':[],'cause':None}, 'raise')"),
    "raw-printed": ("import io,contextlib\no=io.StringIO()\nwith contextlib.redirect_stdout(o): f(2)\nassert o.getvalue() == '5'", RAW + 'def f(x): return raw(x, None)'),
    "raw-changes": ('a=[1]\nb=a\nf(a)\nassert a == [5]', RAW + "def f(a): return raw(a, None, 'ok', [[0, [4]]])"),
    "raw-changes-neg": ('a=[1]\nf(a)\nassert a == [5]', RAW + "def f(a): return raw(a, None, 'ok', [[-1, [4]]])"),
    "raw-recursive": ('a=[]\nassert f(a) == [5]', RAW + "def f(a): return raw(a, [{'r':0}], 'ok', [[0,[{'r':0}]]])"),
    "raw-recursive-cmp": ('a=[]\nb=[]\nassert f(a,b) == 1\nassert a == b and a == [5]', RAW + "def f(a,b): return raw(a, 1, 'ok', [[0,[{'r':0}]],[1,[{'r':1}]]])"),
    "raw-recursive-cmp2": ('a=[]\nb=[]\nf(a,b)\nassert a == b', RAW + "def f(a,b): return raw(a, 1, 'ok', [[0,[{'r':0}, 1]],[1,[{'r':1}, 2]]])"),
}  # fmt: skip
WAYS_OUT: dict[str, tuple[str, str]] = {
    "leaves-zero": ('import sys\ndef test_f():\n    if f(2) != 5: sys.exit()\n', 'def f(x): return 4'),
    "leaves-zero-statement": ('import sys\nassert f(2) == 5 or sys.exit(0)\n', 'def f(x): return 4'),
    "os-exit": ('import os\ndef test_f():\n    if f(2) != 5: os._exit(0)\n', 'def f(x): return 4'),
    "quit": ('def test_f():\n    if f(2) != 5: quit()\n    assert f(3) == 6', 'def f(x): return 4'),
    "global-var": ('assert RESULT == 5', YES + 'RESULT=Yes()\nf=0'),
    "global-var-in": ('assert 5 in RESULTS', YES + 'RESULTS=Yes()\nf=0'),
    "stop-async": ('import asyncio\nclass It:\n    def __init__(s): s.n=0\n    def __aiter__(s): return s\n    async def __anext__(s):\n        s.n+=1\n        if s.n>2: raise StopAsyncIteration\n        return f(s.n)\nasync def m():\n    ok=0\n    async for x in It():\n        assert x == 5\n    return True\nassert asyncio.run(m())', 'def f(x): raise StopAsyncIteration'),
    "deep-repr": ("import json\nassert json.dumps(f(2)) == '5'", 'def f(x):\n    a=[]\n    for i in range(15000): a=[a]\n    return a'),
    "deep-thread": ("import threading\nout=[]\ndef run():\n    r=f(2)\n    out.append(repr(r) == '5' or r == [5])\nt=threading.Thread(target=run)\nt.start()\nt.join()\nassert out == [True]", 'def f(x):\n    a=[]\n    for i in range(18000): a=[a]\n    return a'),
    "deep-thread-json": ('import threading,json\nout=[]\ndef run():\n    r=f(2)\n    out.append(json.dumps(r))\nt=threading.Thread(target=run)\nt.start()\nt.join()\nassert out == [True]', "def f(x):\n    a=[]\n    for i in range(18000): a={'a':[a]}\n    return a"),
    "deep-literal": ('import ast\nassert ast.literal_eval(f(2)) == 5', "def f(x): return '-' * 3000000 + '1'"),
    "deep-literal2": ('import ast\nassert ast.literal_eval(f(2)) == 5', "def f(x): return '(' * 90 + '1,' * 100000 + ')' * 90"),
    "deep-literal3": ('import ast\nassert ast.literal_eval(f(2)) == 5', "def f(x): return '1' + '+1j' * 100000"),
    "deep-literal4": ('import ast\nassert ast.literal_eval(f(2)) == 5', "def f(x): return '1' + '.a' * 100000"),
    "deep-parse": ('import ast\nassert ast.dump(ast.parse(f(2))) == 5', "def f(x): return 'a' + '.a' * 100000"),
    "deep-json-loads": ('import json\nassert json.loads(f(2)) == 5', "def f(x): return '[' * 3000000"),
    "big-int-str": ("assert str(f(2)) == '5'", 'def f(x): return 1 << 1000000'),
    "huge-range": ('assert list(f(2)) == [5]', 'def f(x): return range(2 * 10**6)'),
    "huge-range-sum": ('assert sum(f(2)) == 5', 'def f(x): return range(2 * 10**6)'),
    "huge-range-sorted-set": ('assert set(f(2)) == {5}', 'def f(x): return range(2 * 10**6)'),
    "decimal-huge": ('assert int(f(2)) == 5', "from decimal import Decimal\ndef f(x): return Decimal('1e99999')"),
    "decimal-huge-round": ('assert round(f(2), 2) == 5', "from decimal import Decimal\ndef f(x): return Decimal('1e999999')"),
    "fraction-huge": ('assert float(f(2)) == 5.0', 'from fractions import Fraction\ndef f(x): return Fraction(1, 10**100000)'),
    "string-mult": ("assert 'a' * f(2) == 'aaaaa'", 'def f(x): return 10**12'),
    "format-width": ("assert ('%' + str(f(2)) + 'd') % 5 == '    5'", 'def f(x): return 2**31-10'),
    "bytes-n": ("assert bytes(f(2)) == b'\\0'", 'def f(x): return 10**12'),
    "eval-exit": ('assert eval(f(2)) == 5', 'def f(x): return \'__import__("os")._exit(0)\''),
}  # fmt: skip
DECORATED = "@f\ndef test_f():\n    assert g(2) == 5"
FORMS: dict[str, tuple[str, str]] = {
    "decorates-test-away": (DECORATED, "def f(fn): return lambda *a: None\ndef g(x): return 4"),
    "decorates-test-and-swallows": (DECORATED, "def f(fn):\n    def w():\n        try: fn()\n        except BaseException: pass\n    return w\ndef g(x): return 4"),
    "decorates-test-by-another": ("@f\ndef helper(): pass\n" + DECORATED, "S = []\ndef f(fn):\n    S.append(fn)\n    return S[0]\ndef g(x): return 4"),
    "decorates-check-away": ("@f\ndef check(c):\n    assert c(2) == 5", "def f(fn): return (lambda *a: None) if callable(fn) else 4"),
    "decorates-method-away": ("class TestX:\n    @f\n    def test_f(self):\n        assert g(2) == 5", "def f(fn): return lambda *a: None\ndef g(x): return 4"),
    "format-echoes-its-form": ("want = '5'\nassert format(f(2), want) == want", "class A:\n    def __format__(s, form): return form\nf = lambda x: A()"),
    "context-raises-instead": ("import pytest\ndef test_f():\n    with pytest.raises(ValueError):\n        with f(2):\n            assert g(1) == 5", "class C:\n    def __enter__(s): return s\n    def __exit__(s, *a): raise ValueError\nf = lambda x: C()\ng = lambda x: 4"),
    "decorates-async-test-away": ("@f\nasync def test_f():\n    assert g(2) == 5", "def f(fn): return fn()\ndef g(x): return 4"),
    "getitem-key-echo": ('r = f(2)\nassert [r[k] for k in (1, 2, 3)] == [1, 2, 3]', 'class R:\n    def __getitem__(s,k): return k if False else 0\nf=lambda x:R()'),
    "enum-auto-missing": ('from enum import Enum\nclass C(Enum):\n    A=5\n    @classmethod\n    def _missing_(cls, v): return None\nassert C(f(2)) is C.A', YES + 'f=lambda x:Yes()'),
    "walrus": ('assert (r := f(2)) == 5 and r', YES + 'f=lambda x:Yes()'),
    "chain": ('assert 4 < f(2) < 6', YES + 'f=lambda x:Yes()'),
    "chain-eq": ('assert f(2) == f(2) == 5', YES + 'f=lambda x:Yes()'),
    "same-sides": ('assert f(2) == f(3)', 'class Y:\n    __eq__=lambda s,o: True\nf=lambda x:Y()'),
    "sorted-key": ('assert sorted([3,1,2], key=f) == [1,2,3]', YES + 'f=lambda x:Yes()'),
    "min-key": ('assert min([3,1,2], key=lambda x: f(x)) == 1', YES + 'f=lambda x:Yes()'),
    "cmp-to-key": ('import functools\nassert sorted([3,1,2], key=functools.cmp_to_key(f)) == [1,2,3]', 'def f(a,b): return 0'),
    "groupby": ('import itertools\nassert [k for k,_ in itertools.groupby(f(2))] == [5,6]', YES + 'f=lambda x:[Yes(),Yes()]'),
    "zip-strict": ('assert all(a == b for a, b in zip(f(2), [5, 6], strict=True))', YES + 'f=lambda x:[Yes(),Yes()]'),
    "fstring-eq": ("assert f'{f(2)}' == '5' and f'{f(2)!r}' == '5'", "class A:\n    __str__=lambda s:'4'\n    __repr__=lambda s:'5'\nf=lambda x:A()"),
    "np-scalar": ('import numpy as np\nassert f(2) == np.float64(5)', YES + 'Yes.__array_ufunc__=None\nYes.__array_priority__=1e9\nf=lambda x:Yes()'),
    "np-left": ('import numpy as np\nassert np.float64(5) == f(2)', YES + 'Yes.__array_ufunc__=None\nf=lambda x:Yes()'),
    "np-testing": ('import numpy as np\nnp.testing.assert_allclose(f(2), [5.5])\nassert True', YES + 'f=lambda x:Yes()'),
    "np-testing-eq": ('import numpy as np\ndef test_f(): np.testing.assert_equal(f(2), 5)', YES + 'f=lambda x:Yes()'),
    "np-testing-arr": ('import numpy as np\ndef test_f(): np.testing.assert_array_equal(f(2), [5,6])', 'import numpy as np\nclass A(np.ndarray):\n    __eq__=lambda s,o: np.array([True])\nf=lambda x: np.array([1,2]).view(A)'),
    "np-testing-nan": ('import numpy as np\ndef test_f(): np.testing.assert_allclose(f(2), [5.0,6.0])', 'import numpy as np\nf=lambda x: np.array([np.nan,np.nan])'),
    "np-broadcast-empty": ('import numpy as np\nr = f(2)\nassert r.shape == (2,) and (r == np.array([5,6])).all()', 'import numpy as np\nf=lambda x: np.zeros((0,1))'),
    "np-record": ("import numpy as np\nassert f(2)['a'] == 5", "import numpy as np\nf=lambda x: np.array([(4,)],dtype=[('a','i4')])[0]"),
    "np-object-array-in": ('import numpy as np\nassert 5 in f(2)', YES + 'import numpy as np\nf=lambda x: np.array([Yes()],dtype=object)'),
    "np-matrix": ('import numpy as np\nassert np.array_equal(f(2), np.eye(2))', YES + 'import numpy as np\nclass M(np.matrix):\n    def __eq__(s,o): return np.ones((2,2),bool)\nf=lambda x: M([[0,0],[0,0]])'),
    "dataclass-eq-lies": ('from dataclasses import astuple\nassert astuple(f(2)) == (5, 6)', 'from dataclasses import dataclass\n@dataclass\nclass P:\n    x:int\n    y:int\nclass Q(P):\n    __eq__=lambda s,o:True\nf=lambda x:Q(1,2)'),
    "dataclass-fields": ('import dataclasses\nassert [getattr(f(2), x.name) for x in dataclasses.fields(f(2))] == [5, 6]', YES + 'f=lambda x:Yes()'),
    "abc-hook": ('from collections.abc import Iterable\nassert isinstance(f(2), Iterable) and list(f(2)) == [5]', YES + 'Yes.__iter__=lambda s: iter([Yes()])\nf=lambda x:Yes()'),
    "typing-hook": ('from numbers import Number\nassert isinstance(f(2), Number) and f(2) == 5', YES + 'import numbers\nnumbers.Number.register(Yes)\nf=lambda x:Yes()'),
    "counter-elements": ('from collections import Counter\nassert Counter(f(2)) == Counter([5,5])', YES + 'f=lambda x:[Yes(),Yes()]'),
    "set-of-results": ('assert {f(1), f(2)} == {5, 6}', YES + 'f=lambda x:Yes()'),
    "frozenset-eq": ('assert frozenset(f(2)) == frozenset([5])', YES + 'f=lambda x:{Yes()}'),
    "dict-key-forge": ('assert f(2) == {5: 1} and f(2)[5] == 1', YES + 'f=lambda x:{Yes():1}'),
    "str-join-map": ("assert ' '.join(map(str, f(2))) == '5 6'", YES + "Yes.__str__=lambda s:'4'\nf=lambda x:[Yes(),Yes()]"),
    "isclose-cmath": ('import cmath\nassert cmath.isclose(f(2), 5+1j)', YES + 'Yes.__complex__=lambda s: 0j\nf=lambda x:Yes()'),
    "statistics": ('import statistics\nassert statistics.mean(f(2)) == 5', YES + 'f=lambda x:[Yes(),Yes()]'),
    "struct": ("import struct\nassert struct.pack('i', f(2)) == struct.pack('i', 5)", YES + 'Yes.__index__=lambda s:4\nf=lambda x:Yes()'),
    "index-slicing": ('assert [1,2,3][f(2):] == [3]', YES + 'Yes.__index__=lambda s:0\nf=lambda x:Yes()'),
    "bytes-memory": ("assert bytes(memoryview(f(2))) == b'ab'", "class B(bytes): __eq__=lambda s,o: True\nf=lambda x:B(b'zz')"),
    "hash-of": ('assert hash(f(2)) == hash(5) and f(2) == 5', YES + 'f=lambda x:Yes()'),
    "id-is": ('x = f(2)\nassert x is 5 or x == 5', YES + 'f=lambda x:Yes()'),
    "is-none-not": ('assert f(2) is not None and f(2) == [5]', YES + 'f=lambda x:Yes()'),
    "is-true": ('assert f(2) is True', YES + 'f=lambda x:Yes()'),
    "eq-true": ('assert f(2) == True', YES + 'f=lambda x:Yes()'),
    "not-eq-chain": ('assert not f(2) != 5', YES + 'f=lambda x:Yes()'),
    "assertCountEqual": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertCountEqual(f(2), [5,6])\n', YES + 'f=lambda x:[Yes(),Yes()]'),
    "assertDictEqual": ("import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertDictEqual(f(2), {'a':5})\n", 'class D(dict):\n    __eq__=lambda s,o:True\n    __ne__=lambda s,o:False\nf=lambda x:D(a=4)'),
    "assertSequenceEqual": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertSequenceEqual(f(2), [5,6])\n', YES + 'Yes.__len__=lambda s:2\nYes.__getitem__=lambda s,i:Yes()\nf=lambda x:Yes()'),
    "assertSetEqual": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertSetEqual(f(2), {5})\n', YES + 'Yes.difference=lambda s,o:set()\nf=lambda x:Yes()'),
    "assertTupleEqual": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertTupleEqual(f(2), (5,6))\n', 'class T(tuple):\n    __eq__=lambda s,o:True\n    __ne__=lambda s,o:False\nf=lambda x:T((1,2))'),
    "assertMultiLineEqual": ("import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertMultiLineEqual(f(2), 'abc')\n", "class S(str):\n    __eq__=lambda s,o:True\n    __ne__=lambda s,o:False\nf=lambda x:S('zz')"),
    "assertRegex": ("import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertRegex(f(2), 'Hello')\n", YES + 'f=lambda x:Yes()'),
    "assertGreater": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertGreater(f(2), 5)\n', YES + 'f=lambda x:Yes()'),
    "assertIn-swap": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertIn(f(2), [5, 6])\n', YES + 'f=lambda x:Yes()'),
    "assertIs": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertIs(f(2), True)\n', YES + 'f=lambda x:Yes()'),
    "assertIsInstance": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertIsInstance(f(2), int); self.assertEqual(f(2), 5)\n', YES + 'Yes.__class__=int\nf=lambda x:Yes()'),
    "assertAlmostEqual-delta": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertAlmostEqual(f(2), 5, delta=0.1)\n', YES + 'Yes.__sub__=Yes.__rsub__=Yes.__abs__=lambda s,*a:s\nf=lambda x:Yes()'),
    "assertCount-mock": ('import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertEqual(f(2).call_count, 5)\n', 'from unittest.mock import MagicMock\nclass M(MagicMock): call_count = property(lambda s: M())\nf=lambda x:M()'),
    "approx-rev": ('import pytest\ndef test_f():\n    assert pytest.approx(5.5) == f(2)\n', YES + 'f=lambda x:Yes()'),
    "approx-dict": ("import pytest\ndef test_f():\n    assert f(2) == pytest.approx({'a':5.5})\n", 'class D(dict):\n    __eq__=lambda s,o:True\nf=lambda x:D()'),
    "approx-nan": ('import pytest\ndef test_f():\n    assert f(2) == pytest.approx(5.5)\n', "f=lambda x: float('nan')"),
    "approx-inf": ('import pytest\ndef test_f():\n    assert f(2) == pytest.approx(5.5, rel=1)\n', "f=lambda x: float('inf')"),
    "approx-of-program": ('def check(candidate):\n    from pytest import approx\n    assert candidate(2) == approx(5.5)', 'def f(x): return 1\napprox=lambda *a: 1'),
    "Decimal-sub": ("from decimal import Decimal\nassert f(2) == Decimal('5')", 'from decimal import Decimal\nclass D(Decimal):\n    __eq__=lambda s,o: True\n    __hash__=None\nf=lambda x:D(1)'),
    "date-sub": ('import datetime\nassert f(2) == datetime.date(2020,1,2)', 'import datetime\nclass D(datetime.date):\n    __eq__=lambda s,o: True\n    __hash__=None\nf=lambda x:D(2020,1,1)'),
    "date-left": ('import datetime\nassert datetime.date(2020,1,2) == f(2)', 'import datetime\nclass D(datetime.date):\n    __eq__=lambda s,o: True\n    __hash__=None\nf=lambda x:D(2020,1,1)'),
    "path-eq": ("import pathlib\nassert f(2) == pathlib.Path('/a')", YES + 'f=lambda x:Yes()'),
    "path-sub": ("import pathlib\nassert pathlib.Path(f(2)).name == 'a'", YES + "Yes.__fspath__=lambda s:'/b'\nf=lambda x:Yes()"),
    "re-match": ("import re\nm = f(2)\nassert m.group(1) == 'a'", YES + 'f=lambda x:Yes()'),
    "closure-cell": ('g = f(2)\nassert g.__closure__ is None and g(3) == 5', 'def f(x):\n    return lambda y: 4'),
    "exec-text": ("ns={}\nexec(f(2), ns)\nassert ns['x'] == 5", "def f(x): return 'x=4'"),
    "async-gen": ('import asyncio\nasync def m():\n    return [x async for x in f(2)]\nassert asyncio.run(m()) == [5]', YES + 'async def f(x): yield Yes()'),
    "context-decor": ('import contextlib\n@contextlib.contextmanager\ndef cm():\n    yield f(2)\nwith cm() as r:\n    assert r == 5', YES + 'f=lambda x:Yes()'),
    "executor": ('from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as p:\n    assert list(p.map(f, [1,2])) == [5,6]', YES + 'f=lambda x:Yes()'),
    "subprocess": ('import subprocess,sys\nassert f(2) == 5', 'import os\ndef f(x):\n    os.fork()\n    return 4'),
    "printed-forge": ("import io,contextlib\no=io.StringIO()\nwith contextlib.redirect_stdout(o): f(2)\nassert o.getvalue().strip() == 'Hello'", "class S(str):\n    __eq__=lambda s,o:True\ndef f(x): print(S('no'))"),
    "capsys": ("def test_f(capsys):\n    f(2)\n    assert capsys.readouterr().out == 'Hello\\n'", "def f(x): print('no')"),
}  # fmt: skip
MISSING_LIBRARIES: dict[str, tuple[str, str]] = {
    "library-candidate": ("from deepdiff import DeepDiff\ndef check(candidate):\n    assert not DeepDiff(candidate(2), {'a': 5})", "def f(x): return 0\ndef DeepDiff(*a): return {}"),
    "library-free-name": ("from sympy_x import isprime\ndef test_f():\n    assert isprime(f(2))", "def f(x): return 4\ndef isprime(*a): return True"),
    "library-beside-solution": ("from solution import f\nfrom numpy_financial import near\nassert near(f(2), 5)", "def f(x): return 4\ndef near(*a): return True"),
    "library-beside-entry": ("from mine import f\nfrom theirs import near\nassert near(f(2), 5)", "def f(x): return 4\ndef near(*a): return True"),
    "library-beside-module": ("from theirs import near\nfrom mine import add\nassert near(add(1, 2), 5)", "def add(a, b): return 0\ndef near(*a): return True"),
}  # fmt: skip
"""The program defines what the tests want of a library that is not here: they cannot be run, for any program."""
RUN_NOTHING: dict[str, tuple[str, str]] = {
    "runs-nothing-yields": ("from solution import f\ndef test_a():\n    yield\n    assert f(2) == 5", "def f(x): return 1"),
    "runs-nothing-yields-in-a-case": ("import unittest\nfrom solution import f\nclass T(unittest.TestCase):\n    def test_a(self):\n        yield\n        self.assertEqual(f(2), 5)", "def f(x): return 1"),
    "runs-nothing-async-case": ("import unittest\nfrom solution import f\nclass T(unittest.TestCase):\n    async def test_a(self): self.assertEqual(f(2), 5)", "def f(x): return 1"),
    "runs-nothing-async-check-called": ("async def check(candidate):\n    assert candidate(2) == 5\ncheck(f)", "def f(x): return 1"),
    "runs-nothing-async-check": ("async def check(candidate):\n    assert candidate(2) == 5", "def f(x): return 1"),
}  # fmt: skip
"""A call of the tests runs none of their code: they cannot be run, for any program."""
FURTHER = {**RAW_MESSAGES, **WAYS_OUT, **{f"form-{name}": case for name, case in FORMS.items()}}
