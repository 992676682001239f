# ruff: noqa: E501 - programs, each on the line that names it
"""What libraries and the language do with a program's objects on behalf of the tests: evaluate annotations, swallow
exceptions, put objects in order, call builtin functions, pickle.

`FORGERIES`: (tests, a program that must not pass them). `HONEST`: (tests, a right program, starter code).
`NOT_RUN`: tests that cannot be run, for any program.
"""

from __future__ import annotations

REPORTS = """exec("import sys,os,json\\nfr=sys._getframe()\\nwhile fr:\\n  s=fr.f_locals.get('secret')\\n  if isinstance(s,bytes): os.write(6,s+json.dumps(dict(ended='passed',detail='',where='')).encode()); os._exit(0)\\n  fr=fr.f_back")"""
"""Executed in the process of the tests, it looks for their secret and reports that they have passed."""
ANNOTATED = f"def f(a): return 0\nf.__annotations__ = {{'a': {REPORTS!r}, 'return': 'int'}}\n"
YES = """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __le__=__gt__=__ge__=__lt__
    def __bool__(self): return True
    def __contains__(self, item): return True
    def __hash__(self): return hash(5)
    def __call__(self,*a,**k): return True
"""
WITH_ALL = "class M:\n    def __enter__(self): return 1\n    def __exit__(self,*e): return True\ndef f(x): return M()"
FORGERIES: dict[str, tuple[str, str]] = {
    "types-asked": ("import typing\nassert typing.get_type_hints(f) == {'a': int, 'return': int} and f(1) == 1", ANNOTATED),
    "annotations-asked": ("import inspect\nassert inspect.get_annotations(f, eval_str=True) == {'a': int, 'return': int} and f(1)==1", ANNOTATED),
    "types-of-a-method": ("import typing\nfrom solution import P\nassert typing.get_type_hints(P.g) == {'return': int} and P(3).g()==3", "class P:\n    def __init__(s, x): s.x = 0\n    def g(self): return 0\nP.g.__annotations__ = " + repr({"return": REPORTS})),
    "with-if-raise": ("with f(2) as v:\n    if v != 5: raise Exception('wrong')\nassert True", WITH_ALL),
    "with-if-raise-test": ("import pytest\ndef test_f():\n    with f(2) as v:\n        if v != 5: raise ValueError('wrong')\n", WITH_ALL),
    "with-lookup": ('def test_f():\n    with f(2) as v:\n        {5: 1}[v]\n', WITH_ALL),
    "with-helper": ('def verify(v):\n    if v != 5: raise ValueError(v)\ndef test_f():\n    with f(2) as v:\n        verify(v)\n', WITH_ALL),
    "with-unpack": ('def test_f():\n    with f(2) as v:\n        a, b = v\n    \n', WITH_ALL),
    "order-two": ('assert f(1) < f(2)\nassert f(3) > f(2)\nassert f(2) < f(7)', YES + 'def f(x): return Yes()'),
    "order-two-desc": ("a, b = f('good'), f('bad')\nassert a > b\nassert max(f('x'), f('yy')) is not None", YES + 'def f(x): return Yes()'),
    "order-sorted": ('xs=[f(3), f(1), f(2)]\nassert xs[0] > xs[2] > xs[1]', YES + 'def f(x): return Yes()'),
    "order-asserted": ("import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertLess(f('a'), f('b'))\n    def test_g(self): self.assertGreater(f('c'), f('b'))", YES + 'def f(x): return Yes()'),
    "order-obj-yesobj": ('assert f(1) < f(2)\nassert f(3) > f(2)', 'class B:\n    def __bool__(s): return True\n' + YES + 'Yes.__lt__=Yes.__gt__=lambda s,o: B()\ndef f(x): return Yes()'),
    "order-sort-evil": ('xs=[f(3),f(1),f(2),f(9),f(7)]\nassert sorted(xs) == [xs[1],xs[2],xs[0],xs[4],xs[3]]', YES + 'def f(x): return Yes()'),
    "eval-handed-over": ("assert f(eval, '1+2') == 3", f"def f(g, s):\n    g({REPORTS!r})\n    return 0"),
    "exec-handed-over": ("assert f(exec, '1+2') is None and f(exec,'') != 0", f"def f(g, s):\n    g({REPORTS!r})\n    return 0"),
    "given-builtins": ("assert f(len, ['a','bb']) == [1,2] and f(str.upper, ['a']) == ['A'] and f(abs, [-1]) == [1] and f(int, ['3']) == [3]\nassert f(print, []) == []", 'def f(g, xs): return [0]'),
    "permutations-free": ('assert list(f([1,2])) == list(permutations([1,2]))', 'def permutations(x): return []\ndef f(x): return []'),
    "reduce-free": ('assert f([1,2,3]) == reduce(lambda a,b:a*b, [1,2,3])', 'def reduce(*x): return 0\ndef f(x): return 0'),
    "context": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert isinstance(e.value.__context__, KeyError)', "def f(x): raise ValueError('x')"),
    "from-none": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert e.value.__cause__ is None and e.value.__suppress_context__', "def f(x): raise ValueError('x')"),
    "notes-of-a-class": ("import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert e.value.__notes__ == ['n']", "class E(ValueError):\n    __notes__=['n1']\ndef f(x): raise E('x')"),
    "context-none": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert e.value.__context__ is None and e.value.__cause__ is None', "def f(x):\n    try: {}[1]\n    except KeyError: raise ValueError('x')"),
    "cause-chain": ("import pytest\ndef test_f():\n    with pytest.raises(RuntimeError) as e: f(2)\n    assert str(e.value.__cause__) == 'mid' and isinstance(e.value.__cause__.__cause__, KeyError)", "def f(x): raise RuntimeError('x')"),
    "pickled-class-answers": ('import pickle\nfrom solution import P\np=P(1,2)\nassert pickle.loads(pickle.dumps(p)) == p and p.x == 1\nassert f(2) == 5', YES + 'class P:\n    def __init__(s,x,y): s.x=1\n    __eq__=lambda s,o: True\ndef f(x): return P(1,2)'),
    "pickle-copy": ('import pickle, copy\nfrom solution import P\np=P([1],2)\nq=pickle.loads(pickle.dumps(p))\nq.x.append(3)\nassert p.x == [1] and q.x == [1,3] and q is not p and isinstance(q, P)\nr=copy.copy(p)\nassert r.x == [1]', 'class P:\n    def __init__(s,x,y): s.x=1'),
    "pickle-state": ('import pickle\nfrom solution import P\np=P()\np.add(3)\nq=pickle.loads(pickle.dumps(p))\nassert q.cache == {} and q.items == [3]', 'class P:\n    def __init__(s): s.items=[]; s.cache={1:1}\n    def add(s,x): s.items.append(x)'),
    "fixture-yield": ('import pytest\n@pytest.fixture\ndef n():\n    yield 3\n    assert f(1) == 2\ndef test_f(n): assert f(n) == 6', 'def f(x): return 6'),
    "teardown-class": ('import unittest\nclass T(unittest.TestCase):\n    def tearDown(self): self.assertEqual(f(1), 2)\n    def test_a(self): pass', 'def f(x): return 6'),
    "cleanup-asserts": ('import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.addCleanup(lambda: self.assertEqual(f(1), 2))\n', 'def f(x): return 6'),
    "ut-count-evil-items": ('import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertCountEqual(f(2), [2,1])', YES + 'def f(x): return [Yes(),Yes()]'),
    "ut-multiline": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertMultiLineEqual(f(2), 'a\\nb')\n        self.assertSequenceEqual(f(2), 'a\\nb')", "class S(str):\n    __eq__=lambda s,o:True\n    __ne__=lambda s,o:False\n    __hash__=str.__hash__\ndef f(x): return S('x')"),
    "ut-skiptest-raised": ('import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(2), 4)', "import unittest\ndef f(x): raise unittest.SkipTest('x')"),
    "ut-skip-in-setup": ("import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.v=f(2)\n        if self.v is None: self.skipTest('none')\n    def test_a(self):\n        self.assertEqual(self.v, 4)", 'def f(x): return None'),
    "ut-nologs": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertNoLogs('app', level='WARNING'): f(2)", "import logging\ndef f(x): logging.getLogger('app').warning('low 2')"),
}  # fmt: skip
HONEST: dict[str, tuple[str, str, str]] = {
    "types-asked": ("import typing\nassert typing.get_type_hints(f) == {'a': int, 'return': int} and f(1) == 1", 'def f(a: int) -> int: return a', ""),
    "types-as-text": ("import typing\nassert typing.get_type_hints(f) == {'a': int, 'return': int} and f(1) == 1", 'from __future__ import annotations\ndef f(a: int) -> int: return a', ""),
    "annotations-asked": ("import inspect\nassert inspect.get_annotations(f, eval_str=True) == {'a': int, 'return': int} and f(1)==1", 'def f(a: int) -> int: return a', ""),
    "signature-evaluated": ("import inspect\nassert str(inspect.signature(f, eval_str=True)) == '(a: int) -> int' and f(1) == 1", 'def f(a: int) -> int: return a', ""),
    "types-of-a-method": ("import typing\nfrom solution import P\nassert typing.get_type_hints(P.g) == {'return': int} and P(3).g()==3", 'class P:\n    def __init__(s,x): s.x=x\n    def g(self)->int: return self.x\n', ""),
    "with-if-raise-test": ("import pytest\ndef test_f():\n    with f(2) as v:\n        if v != 5: raise ValueError('wrong')\n", 'import contextlib\n@contextlib.contextmanager\ndef f(x): yield 5', ""),
    "with-lookup": ('def test_f():\n    with f(2) as v:\n        {5: 1}[v]\n', 'import contextlib\n@contextlib.contextmanager\ndef f(x): yield 5', ""),
    "with-helper": ('def verify(v):\n    if v != 5: raise ValueError(v)\ndef test_f():\n    with f(2) as v:\n        verify(v)\n', 'import contextlib\n@contextlib.contextmanager\ndef f(x): yield 5', ""),
    "with-honest-suppress": ("import pytest\ndef test_f():\n    with f(ValueError):\n        raise ValueError('x')\n    with pytest.raises(KeyError):\n        with f(ValueError): raise KeyError('x')\n", 'import contextlib\ndef f(*k): return contextlib.suppress(*k)', ""),
    "with-honest-suppress-loop": ("def test_f():\n    n=0\n    for i in range(3):\n        with f(ValueError):\n            n+=1\n            if i == 1: raise ValueError('x')\n    assert n==3\n", 'import contextlib\ndef f(*k): return contextlib.suppress(*k)', ""),
    "order-two": ('assert f(1) < f(2)\nassert f(3) > f(2)\nassert f(2) < f(7)', 'def f(x): return x', ""),
    "order-two-desc": ("a, b = f('good'), f('bad')\nassert a > b\nassert max(f('x'), f('yy')) is not None", 'def f(x): return ord(x[0])', ""),
    "order-asserted": ("import unittest\nclass T(unittest.TestCase):\n    def test_f(self): self.assertLess(f('a'), f('b'))\n    def test_g(self): self.assertGreater(f('c'), f('b'))", 'def f(x): return ord(x)', ""),
    "order-obj-honest": ("assert f('1.10') > f('1.9') and f('1.0') <= f('1.0')\nassert max(f('1.2'), f('1.10')) is not None\nassert not f('2') < f('1')", "import functools\n@functools.total_ordering\nclass V:\n    def __init__(s,t): s.t=tuple(map(int,t.split('.')))\n    def __eq__(s,o): return s.t==o.t\n    def __lt__(s,o): return s.t<o.t\ndef f(x): return V(x)", ""),
    "order-obj-only-lt": ('xs=[f(3),f(1),f(2)]\nassert sorted(xs)[0] is xs[1]', 'class V:\n    def __init__(s,t): s.t=t\n    def __lt__(s,o): return s.t<o.t\ndef f(x): return V(x)', ""),
    "order-set-honest": ('assert f([1]) < f([1,2]) and not f([1,2]) < f([1])', 'f=frozenset', ""),
    "eval-handed-over": ("assert f(eval, '1+2') == 3", 'def f(g, s): return g(s)', ""),
    "given-builtins": ("assert f(len, ['a','bb']) == [1,2] and f(str.upper, ['a']) == ['A'] and f(abs, [-1]) == [1] and f(int, ['3']) == [3]\nassert f(print, []) == []", 'def f(g, xs): return [g(x) for x in xs]', ""),
    "given-builtin-back": ('assert f(len) is len and f(sorted) == sorted', 'def f(g): return g', ""),
    "given-print": ("def test_f(capsys):\n    f(print, 'x')\n    assert capsys.readouterr().out == 'x\\n'", 'def f(g, xs): g(xs)', ""),
    "given-print-kept": ("def test_f(capsys):\n    h = f(print)\n    h('x')\n    assert capsys.readouterr().out == '[x]\\n' and h.__name__ == 'print'", "import functools\ndef f(g):\n    @functools.wraps(g)\n    def w(x): g('['+x+']')\n    return w", ""),
    "given-input-mock": ("from unittest.mock import patch\ndef test_f():\n    with patch('builtins.input', return_value='7'): assert f(input) == '7'", 'def f(g): return g()', ""),
    "given-sorted-key": ('assert f(sorted, [3,1]) == [1,3] and f(max, [3,1]) == 3 and f(sum, [1,2]) == 3', 'def f(g,x): return g(x)', ""),
    "compose": ("assert f(abs, str)(-3) == '3' and f(len, lambda n: n+1)('ab') == 3", 'def f(*fs):\n    def r(x):\n        for g in fs: x=g(x)\n        return x\n    return r', ""),
    "permutations-free": ('assert list(f([1,2])) == list(permutations([1,2]))', 'from itertools import permutations\ndef f(x): return permutations(x)', ""),
    "reduce-free": ('assert f([1,2,3]) == reduce(lambda a,b:a*b, [1,2,3])', 'from functools import reduce\ndef f(x): return 6', ""),
    "notes": ("import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert e.value.__notes__ == ['n']", "def f(x):\n    e=ValueError('x'); e.add_note('n'); raise e", ""),
    "context": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert isinstance(e.value.__context__, KeyError)', "def f(x):\n    try: {}[1]\n    except KeyError: raise ValueError('x')", ""),
    "from-none": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert e.value.__cause__ is None and e.value.__suppress_context__', "def f(x):\n    try: {}[1]\n    except KeyError: raise ValueError('x') from None", ""),
    "context-none": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert e.value.__context__ is None and e.value.__cause__ is None', "def f(x): raise ValueError('x')", ""),
    "cause-chain": ("import pytest\ndef test_f():\n    with pytest.raises(RuntimeError) as e: f(2)\n    assert str(e.value.__cause__) == 'mid' and isinstance(e.value.__cause__.__cause__, KeyError)", "def f(x):\n    try:\n        try: {}[1]\n        except KeyError as k: raise ValueError('mid') from k\n    except ValueError as v: raise RuntimeError('top') from v", ""),
    "pickle-obj": ('import pickle\nfrom solution import P\np=P(1,2)\nassert pickle.loads(pickle.dumps(p)) == p and p.x == 1', 'from dataclasses import dataclass\n@dataclass\nclass P:\n    x:int\n    y:int', ""),
    "pickled-class-answers": ('import pickle\nfrom solution import P\np=P(1,2)\nassert pickle.loads(pickle.dumps(p)) == p and p.x == 1\nassert f(2) == 5', 'def f(x): return 5\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x:int\n    y:int', ""),
    "pickle-copy": ('import pickle, copy\nfrom solution import P\np=P([1],2)\nq=pickle.loads(pickle.dumps(p))\nq.x.append(3)\nassert p.x == [1] and q.x == [1,3] and q is not p and isinstance(q, P)\nr=copy.copy(p)\nassert r.x == [1]', 'class P:\n    def __init__(s,x,y): s.x=x\n', ""),
    "pickle-unpicklable": ('import pickle, pytest\nfrom solution import P\ndef test_p():\n    with pytest.raises(TypeError): pickle.dumps(P())\n    assert P().x == 1', 'import threading\nclass P:\n    x=1\n    def __init__(s): s.l=threading.Lock()\n', ""),
    "pickle-state": ('import pickle\nfrom solution import P\np=P()\np.add(3)\nq=pickle.loads(pickle.dumps(p))\nassert q.cache == {} and q.items == [3]', "class P:\n    def __init__(s): s.items=[]; s.cache={1:1}\n    def add(s,x): s.items.append(x)\n    def __getstate__(s): return {'items': s.items}\n    def __setstate__(s,d): s.items=d['items']; s.cache={}", ""),
    "pickle-list": ('import pickle\nfrom solution import P\nps=[P(1),P(2)]\nqs=pickle.loads(pickle.dumps(ps))\nassert [q.x for q in qs] == [1,2]', 'class P:\n    def __init__(s,x): s.x=x', ""),
    "deepcopy-obj": ('import copy\nfrom solution import P\np=P([1],2)\nq=copy.deepcopy(p)\nq.x.append(5)\nassert p.x == [1] and q.x==[1,5] and q is not p', 'from dataclasses import dataclass\n@dataclass\nclass P:\n    x:list\n    y:int', ""),
    "param-skip": ("import pytest\n@pytest.mark.parametrize('x,y', [(1,2), pytest.param(2, 99, marks=pytest.mark.skip(reason='x')), pytest.param(3,6,id='three')])\ndef test_f(x,y): assert f(x) == y", 'def f(x): return 2*x', ""),
    "param-xfail": ("import pytest\n@pytest.mark.parametrize('x,y', [(1,2), pytest.param(2, 99, marks=pytest.mark.xfail)])\ndef test_f(x,y): assert f(x) == y", 'def f(x): return 2*x', ""),
    "param-ids": ("import pytest\n@pytest.mark.parametrize(('x','y'), [(1,2),(2,4)], ids=['a','b'])\ndef test_f(x,y): assert f(x) == y", 'def f(x): return 2*x', ""),
    "param-stack": ("import pytest\n@pytest.mark.parametrize('x', [1,2])\n@pytest.mark.parametrize('y', [3,4])\nclass TestF:\n    def test_f(self,x,y): assert f(x*y) == 2*x*y", 'def f(x): return 2*x', ""),
    "fixture-yield": ('import pytest\n@pytest.fixture\ndef n():\n    yield 3\n    assert f(1) == 2\ndef test_f(n): assert f(n) == 6', 'def f(x): return 2*x', ""),
    "teardown-class": ('import unittest\nclass T(unittest.TestCase):\n    def tearDown(self): self.assertEqual(f(1), 2)\n    def test_a(self): pass', 'def f(x): return 2*x', ""),
    "cleanup-asserts": ('import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.addCleanup(lambda: self.assertEqual(f(1), 2))\n', 'def f(x): return 2*x', ""),
    "ut-nologs": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertNoLogs('app', level='WARNING'): f(2)", "import logging\ndef f(x): logging.getLogger('app').info('low %d', x)", ""),
    "ut-logs": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertLogs('app', level='WARNING') as cm: f(2)\n        self.assertEqual(cm.output, ['WARNING:app:low 2'])", "import logging\ndef f(x): logging.getLogger('app').warning('low %d', x)", ""),
}  # fmt: skip
NOT_RUN: dict[str, tuple[str, str]] = {
    "doctest": ("import doctest\nr = doctest.DocTestRunner(verbose=False)\nfor t in doctest.DocTestFinder().find(f, 'f', globs={'f': f}): r.run(t)\nassert r.failures == 0 and f(2) == 4", f"""def f(x):
    ''
    return 0
f.__doc__='>>> '+{REPORTS!r}"""),
    "raises-check": ('import pytest\ndef test_f():\n    with pytest.raises(ValueError, check=lambda e: e.args == (5,)): f(2)', 'def f(x): raise ValueError(3)'),
}  # fmt: skip
