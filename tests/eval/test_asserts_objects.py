# ruff: noqa: E501 - programs, each on the line that names it
"""Objects of a program in kind `asserts`: which of them may answer, and which may not.

Beside these stand the attacks of `tests/eval/attacks/test_forge.py`, for each way in which tests compare.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from microcoder_eval import Grader, Problem, Submission, Verdict
from microcoder_eval.sandbox.asserts.class_names import class_names

YES = """
class Yes:
    def __eq__(s,o): return True
    def __ne__(s,o): return False
    def __lt__(s,o): return True
    __gt__=__le__=__ge__=__lt__
    def __contains__(s,o): return True
    def __hash__(s): return 5
    def __getattr__(s,n):
        if n.startswith('__'): raise AttributeError(n)
        return lambda *a,**k: True
    def __sub__(s,o): return 0
    __add__=__radd__=__rsub__=__mul__=__sub__
    def __bool__(s): return True
"""
FORGED = {
    'solution-self': ('from solution import Solution\nassert Solution().f(2) == 5', YES + 'class Solution(Yes):\n    def f(s,x): return s'),
    'solution-self-in': ('from solution import Solution\nassert 6 in Solution().f(2)', YES + 'class Solution(Yes):\n    def f(s,x): return s'),
    'solution-self-starts': ("from solution import Solution\nassert Solution().f(2).startswith('Hello')", YES + 'class Solution(Yes):\n    def f(s,x): return s'),
    'solution-self-near': ('from solution import Solution\nassert abs(Solution().f(2) - 5) < 1e-6', YES + 'class Solution(Yes):\n    __abs__=lambda s:0\n    def f(s,x): return s'),
    'solution-class': ("from solution import Solution\nassert Solution().f(2).startswith('Hello')", YES + 'class Solution(Yes):\n    startswith=staticmethod(lambda *a:True)\n    def f(s,x): return Solution'),
    'alias': ('from solution import Stack, f\ns=Stack()\nassert 6 in f(2)', YES + 'class Stack(Yes):\n    def __init__(s,*a): pass\nf=Stack'),
    'point-evil-sub': ('from solution import Point, f\nassert f(2) == Point(5,6)', YES + 'class Point:\n    def __init__(s,x,y): s.x,s.y=x,y\n    def __eq__(s,o): return (s.x,s.y)==(o.x,o.y)\nclass E(Yes): x=y=Yes()\ndef f(x): return E()'),
    'endless': ('assert 6 in f(2)', 'import itertools\nf=lambda x: itertools.count()'),
    'not-none': ('assert not f(2).matches(5)', 'class N:\n    def __getattr__(s,n): return lambda *a: None\nf=lambda x: N()'),
    'attr-class': ("assert f(2).startswith('Hello')", 'class T:\n    def __new__(c,*a): return True\nclass N: startswith=T\nf=lambda x: N()'),
    'mbpp-class': ('assert Extract([1]) == [2]', YES + 'class Extract(Yes):\n    def __init__(s,*a): pass'),
    'capital-in': ('assert 6 in F(2)', YES + 'class F(Yes):\n    def __init__(s,*a): pass'),
    'capital-in-a-variable': ('def test_f():\n    for x, y in [(1, 5), (2, 6)]:\n        r = F(x)\n        assert r == y', YES + 'class F(Yes):\n    def __init__(s,*a): pass'),
    'capital-candidate': ("def check(candidate):\n    assert candidate(F(2)) is None or candidate(2).startswith('He')", YES + 'class F(Yes):\n    def __init__(s,*a): pass'),
    'capital-of-a-type': ('r = F(2)\nassert isinstance(r, list) and r == [5, 6]', 'class F(list):\n    def __init__(s,*a): list.__init__(s,[0,0])\n    def __eq__(s,o): return True'),
    'color-eq': ('from solution import Color, f\nassert f(2) == Color.RED', YES + 'class Color(Yes):\n    pass\nColor.RED=Color()\ndef f(x): return Color()'),
    'int-getattr': ('assert f(2).bit_length() == 3', 'class I(int):\n    bit_length=lambda s:3\nf=lambda x: I(1)'),
    'chain-remote-true': ('assert f(2).equals([5])', YES + 'class Q(Yes):\n    def equals(s,o): return Yes()\nf=lambda x: Q()'),
    'chain-remote-true2': ('assert f(2).is_like([5])', YES + 'class Q(Yes):\n    def is_like(s,o): return Yes()\nf=lambda x: Q()'),
    'caught': ("try:\n    ok = f(2).startswith('He')\nexcept BaseException:\n    ok = True\nassert ok", YES + 'f=lambda x: Yes()'),
    'raises-typeerror': ('import pytest\ndef test_a():\n    with pytest.raises(TypeError): f(2) < 5', YES + 'f=lambda x: Yes()'),
    'with-method': ("with f(2) as v:\n    assert v.startswith('x')", 'class M:\n    def __enter__(s): return None\n    def __exit__(s,*a): return True\nf=lambda x: M()'),
    'swallow-step': ('with f(2) as v:\n    x = v + 1\n    assert x == 6', 'class M:\n    def __enter__(s): return None\n    def __exit__(s,*a): return True\nf=lambda x: M()'),
    'error-lambda': ("import pytest\ndef test_a():\n    with pytest.raises(ValueError) as e: f(2)\n    assert e.value.describes('Hello')", 'def f(x):\n    e=ValueError(); e.describes=lambda s: True; raise e'),
    'callback': ("seen=[]\nf(lambda v: seen.append(v.startswith('Hello')))\nassert seen == [True]", YES + 'def f(g): g(Yes())'),
    'getitem-callable': ("assert f(2)['a'].startswith('x')", YES + "f=lambda x: {'a': Yes()}"),
    'remote-in-remote': ('from solution import Box, f\nassert Box(5) == f(2)', YES + 'class Box:\n    def __init__(s,v): s.v=v\n    def __eq__(s,o): return o == s.v\nf=lambda x: Yes()'),
    'partial-method': ("assert f(2).startswith('Hello')", 'import functools\nclass N: startswith=staticmethod(functools.partial(lambda *a: True))\nf=lambda x: N()'),
    'starter-function': ('assert 6 in F(2)', YES + 'class F(Yes):\n    def __init__(s,*a): pass'),
    'fmt-shown': ("assert f'{f(2) - 5}' == '0'", YES + "Yes.__sub__=lambda s,o: Yes()\nYes.__str__=lambda s:'0'\nYes.__format__=lambda s,x:'0'\nf=lambda x: Yes()"),
    'in-place': ('r=f(2)\nr-={5}\nassert not r', YES + 'Yes.__isub__=lambda s,o: s\nYes.__bool__=lambda s: False\nf=lambda x: Yes()'),
    'eq-hash-dict': ('assert {5:1}[f(2)] == 1', YES + 'f=lambda x: Yes()'),
    'sorted-key': ('assert sorted([3,1], key=f(2)) == [1,3]', 'f=lambda x: 5'),
    'str-evil': ("assert str(f(2)) == 'x' and str(f(2)) != 'x'", YES + 'f=lambda x: Yes()'),
    'mutable-len': ('r=f(2)\nassert len(r)==2\nassert len(list(r))==3', 'class R:\n    __len__=lambda s:2\n    def __iter__(s): return iter([1,2,3])\nf=lambda x:R()'),
    'unittest-in': ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertTrue(f(2).startswith('Hello'))", YES + 'f=lambda x:Yes()'),
    'unittest-none': ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertFalse(f(2).is_bad('Hello'))", YES + 'class N:\n    def is_bad(s,x): return None\nf=lambda x:N()'),
    'raw-function': ("assert f(2).startswith('Hello')", 'def g(): pass\ng.startswith=lambda s: True\nf=lambda x: g'),
    'fn-attr-in': ('assert 6 in f(2)', 'def g(): pass\nf=lambda x: g'),
    'module': ("assert f(2).startswith('Hello')", "import types\nm=types.ModuleType('m')\nm.startswith=lambda s: True\nf=lambda x: m"),
    'generator-startswith': ("assert f(2).startswith('Hello')", 'class generator:\n    def send(s,x): return True\n    startswith=send\nf=lambda x: generator()'),
    'generator-send': ('assert f(2).send(5) == 25', 'class generator:\n    def send(s,x): return 1\nf=lambda x: generator()'),
    'await-twice': ('import asyncio\nassert 6 in asyncio.run(f(2))', YES + 'async def f(x): return Yes()'),
    'defaultdict': ("assert f(2)['a'].startswith('x')", YES + 'from collections import defaultdict\nf=lambda x: defaultdict(Yes)'),
    'view-evil': ('assert f(2) == {5}', YES + 'f=lambda x: {Yes():1}.keys()'),
    'enum-evil': ('assert f(2) == 5', 'from enum import Enum\nclass C(Enum):\n    A=1\n    def __eq__(s,o): return True\nf=lambda x: C.A'),
    'int-evil-name': ("assert f(2).name.startswith('H')", YES + 'class I(int): name=Yes()\nf=lambda x: I()'),
    'tuple-evil-field': ('assert f(2).x == 5', YES + 'class I(tuple): x=Yes()\nf=lambda x: I()'),
    'tuple-method': ('assert f(2).has(5)', 'class I(tuple):\n    def has(s,o): return True\nf=lambda x: I()'),
    'list-eq': ('assert f(2) == [5]', 'class L(list):\n    def __eq__(s,o): return True\nf=lambda x: L()'),
    'list-in': ('assert 5 in f(2)', 'class L(list):\n    def __contains__(s,o): return True\nf=lambda x: L()'),
    'dict-get': ("assert f(2)['a'] == 5", 'class D(dict):\n    def __missing__(s,o): return 5\n    def __eq__(s,o): return True\nf=lambda x: D()'),
    'renamed-trusted': ('from solution import Stack\nassert Stack().size() == 0\ndef test_x(): assert 6 in f(2)', YES + "class Stack:\n    def size(s): return 0\nclass Evil(Yes): pass\nEvil.__name__='Stack'\nf=lambda x: Evil()"),
    'setattr-learn': ('r=f(2)\nr.want = 5\nassert r == 5', YES + 'f=lambda x: Yes()'),
    'np-func': ('import numpy as np\nassert np.sum(f(2)) == 5', YES + 'Yes.sum=lambda s,**k: 5\nf=lambda x: Yes()'),
    'np-array-attr': ('import numpy as np\nassert np.array_equal(f(2), [5])', YES + "Yes.__array__=lambda s,*a: __import__('numpy').array([5])\nf=lambda x: Yes()"),
    'approx-list': ('import pytest\ndef test_a(): assert f(2) == pytest.approx([5.5])', YES + 'f=lambda x: Yes()'),
    'approx-num': ('import pytest\ndef test_a(): assert f(2) == pytest.approx(5.5)', YES + 'class Decimal(Yes): pass\nf=lambda x: Decimal()'),
    'approx-np': ('import pytest\ndef test_a(): assert f(2) == pytest.approx(5.5)', YES + "class D(Yes):\n    def tolist(s): return 5.5\nD.__module__='numpy'\nD.tolist=lambda s: Yes()\nf=lambda x: D()"),
}  # fmt: skip
HONEST = {
    'none-result': ('s = f()\nassert (s.push(1) is None) == True and s.pop() == 1', 'class S:\n    def __init__(s): s.a=[]\n    def push(s,x): s.a.append(x)\n    def pop(s): return s.a.pop()\nf=S'),
    'parent-is': ('from solution import Node\nr=Node(1)\nc=Node(2)\nr.add(c)\nassert c.parent is r and r.kids[0] is c', 'class Node:\n    def __init__(s,v): s.v=v; s.kids=[]; s.parent=None\n    def add(s,c): s.kids.append(c); c.parent=s'),
    'fluent': ("from solution import Query\nassert Query('t').where('a').limit(5).sql() == 't a 5'", "class Query:\n    def __init__(s,t): s.p=[t]\n    def where(s,a): s.p.append(a); return s\n    def limit(s,n): s.p.append(str(n)); return s\n    def sql(s): return ' '.join(s.p)"),
    'fluent-is': ('from solution import B\nb=B()\nassert b.add(1) is b', 'class B:\n    def add(s,n): return s'),
    'singleton': ("from solution import Db\nassert Db() is Db()\nassert Db().get('x') == 'x!'", "def singleton(c):\n    made={}\n    def get():\n        return made.setdefault(c, None) or made.__setitem__(c, c()) or made[c]\n    return get\n@singleton\nclass Db:\n    def get(s,k): return k+'!'"),
    'starter-class': ('t=f([1,2])\nassert t.has(2) is True', 'class Tree:\n    def __init__(s,a): s.a=a\n    def has(s,x): return x in s.a\ndef f(a): return Tree(a)'),
    'named-tuple': ('from solution import P, f\nassert f(2) == P(1,2) and f(2).x == 1 and isinstance(f(2), P)', "from collections import namedtuple\nP=namedtuple('P','x y')\ndef f(x): return P(1,2)"),
    'enum-order': ('from solution import Pr\nassert Pr.HIGH > Pr.LOW and Pr.HIGH == Pr.HIGH', 'from enum import Enum\nclass Pr(Enum):\n    LOW=1\n    HIGH=2\n    def __gt__(s,o): return s.value>o.value'),
    'curry': ('assert f(1)(2)(3) == 6', 'def f(a): return lambda b: lambda c: a+b+c'),
    'property': ('from solution import T\nt=T()\nassert t.n == 1 and t.n == 2', 'class T:\n    c=0\n    @property\n    def n(s): s.c+=1; return s.c'),
    'bst': ('from solution import BST\nt=BST()\nfor v in [3,1,2]: t.insert(v)\nassert 2 in t and t.search(1) and not t.search(9) and t.inorder()==[1,2,3] and len(t)==3', 'class BST:\n    def __init__(s): s.a=[]\n    def insert(s,v): s.a.append(v)\n    def search(s,v): return v in s.a\n    __contains__=search\n    def inorder(s): return sorted(s.a)\n    def __len__(s): return len(s.a)'),
    'copy': ('import copy\nfrom solution import S\na=S([1])\nb=copy.deepcopy(a)\nb.a.append(2)\nassert a.get(0)==1 and b.get(0)==1', 'class S:\n    def __init__(s,a): s.a=a\n    def get(s,i): return s.a[i]'),
    'class-attr-fn': ('from solution import Shape\nassert Shape.count() == 0 and Shape.make(3).area() == 9', 'class Shape:\n    def __init__(s,n): s.n=n\n    count=staticmethod(lambda: 0)\n    make=classmethod(lambda c,n: c(n))\n    def area(s): return s.n**2'),
    'gen-throw': ("g=f()\nnext(g)\nassert g.throw(ValueError('x')) == 'caught x'", "def f():\n    try: yield 1\n    except ValueError as e: yield f'caught {e}'"),
    'ctx-gen': ("import pytest\nfrom solution import ignoring\ndef test_a():\n    with ignoring(KeyError):\n        {}['a']\n", 'import contextlib\n@contextlib.contextmanager\ndef ignoring(k):\n    try: yield\n    except k: pass'),
    'cause': ('import pytest\ndef test_f():\n    with pytest.raises(ValueError) as e: f(2)\n    assert isinstance(e.value.__cause__, KeyError)\n', "def f(x):\n    try: {}[1]\n    except KeyError as e: raise ValueError('x') from e"),
    'dataclass-factory-eq': ('from solution import P, f\nassert f(2) == P(2)', 'from dataclasses import dataclass\n@dataclass\nclass P: x: int\ndef f(x): return P(x)'),
    'lru': ('from solution import LRUCache\nc=LRUCache(2)\nc.put(1,1)\nassert c.get(1)==1\nassert c.get(2)==-1', 'class LRUCache:\n    def __init__(s,n): s.d={}\n    def put(s,k,v): s.d[k]=v\n    def get(s,k): return s.d.get(k,-1)'),
    'iter-twice': ('r=f(3)\nassert list(r)==[0,1,2] and list(r)==[0,1,2] and len(r)==3 and 2 in r and 5 not in r', 'class R:\n    def __init__(s,n): s.n=n\n    def __iter__(s): return iter(range(s.n))\n    def __len__(s): return s.n\nf=lambda n: R(n)'),
    'generator-type': ('import inspect, types\nassert isinstance(f(3), types.GeneratorType) and inspect.isgenerator(f(1)) and list(f(3))==[0,1,2]', 'def f(n): yield from range(n)'),
    'in-iterator': ('g=f(5)\nassert 2 in g and next(g)==3', 'def f(n): yield from range(n)'),
    'named-instance': ('assert calc.plus(2,3)==5', 'class C:\n    def plus(s,a,b): return a+b\ncalc=C()'),
    'money': ("from solution import Money\nassert Money(5) == Money(5) and Money(5).amount == 5 and str(Money(5)) == '$5'", "class Money:\n    def __init__(s,a): s.amount=a\n    def __eq__(s,o): return s.amount==o.amount\n    def __str__(s): return f'${s.amount}'"),
    'same-none': ('import unittest\nfrom solution import f\nclass T(unittest.TestCase):\n    def test_a(self):\n        s=f()\n        self.assertIsNone(s.push(1))\n        self.assertEqual(s.pop(),1)', 'class S:\n    def __init__(s): s.a=[]\n    def push(s,x): s.a.append(x)\n    def pop(s): return s.a.pop()\nf=S'),
    'assertIs': ('import unittest\nfrom solution import Node\nclass T(unittest.TestCase):\n    def test_a(self):\n        r=Node(1); c=Node(2); r.add(c)\n        self.assertIs(c.parent, r)\n        self.assertIn(c, r.kids)', 'class Node:\n    def __init__(s,v): s.v=v; s.kids=[]; s.parent=None\n    def add(s,c): s.kids.append(c); c.parent=s'),
    'kids-eq': ('from solution import Node\nr=Node(1)\nc=Node(2)\nr.add(c)\nassert r.kids == [c] and c in r.kids and r.kids.index(c) == 0', 'class Node:\n    def __init__(s,v): s.v=v; s.kids=[]\n    def add(s,c): s.kids.append(c)'),
    'bank': ("from solution import Bank\nb=Bank()\na=b.open('ann', 100)\na.deposit(50)\nassert a.balance == 150 and b.find('ann').balance == 150 and a.history() == [50]", 'class Account:\n    def __init__(s,n,m): s.n=n; s.balance=m; s.h=[]\n    def deposit(s,m): s.balance+=m; s.h.append(m)\n    def history(s): return s.h\nclass Bank:\n    def __init__(s): s.d={}\n    def open(s,n,m): s.d[n]=Account(n,m); return s.d[n]\n    def find(s,n): return s.d[n]'),
    'matrix': ('from solution import Matrix\nm=Matrix([[1,2],[3,4]])\nassert (m*m).rows == [[7,10],[15,22]] and m.transpose().rows == [[1,3],[2,4]] and m[0][1] == 2 and (m*2).rows==[[2,4],[6,8]] and m.transpose().at(0,1)==3', 'class Matrix:\n    def __init__(s,r): s.rows=r\n    def __mul__(s,o):\n        if isinstance(o,int): return Matrix([[o*v for v in r] for r in s.rows])\n        return Matrix([[sum(a*b for a,b in zip(r,c)) for c in zip(*o.rows)] for r in s.rows])\n    def transpose(s): return Matrix([list(r) for r in zip(*s.rows)])\n    def __getitem__(s,i): return s.rows[i]\n    def at(s,i,j): return s.rows[i][j]'),
    'stack-list': ('from solution import Stack\ns=Stack()\ns.push(1)\ns.append(2)\nassert s == [1,2] and len(s)==2 and 2 in s and s.peek()==2 and isinstance(s, list)', 'class Stack(list):\n    def push(s,x): s.append(x)\n    def peek(s): return s[-1]'),
    'inheritance': ("from solution import Dog, Animal\nd=Dog('x')\nassert isinstance(d, Animal) and d.speak() == 'x woof' and issubclass(Dog, Animal) and type(d) is Dog and type(d).__name__=='Dog'", "class Animal:\n    def __init__(s,n): s.n=n\nclass Dog(Animal):\n    def speak(s): return s.n+' woof'"),
    'fixture': ("import pytest\nfrom solution import Cart\n@pytest.fixture\ndef cart(): return Cart()\ndef test_a(cart):\n    cart.add('a', 2)\n    assert cart.count('a') == 2 and 'a' in cart and cart.total({'a': 3}) == 6", 'class Cart:\n    def __init__(s): s.d={}\n    def add(s,n,k): s.d[n]=k\n    def count(s,n): return s.d[n]\n    def __contains__(s,n): return n in s.d\n    def total(s,p): return sum(p[n]*k for n,k in s.d.items())'),
    'lambda-attr': ('h=f(lambda x: x+1)\nassert h(1)==2 and h.calls == 1', 'def f(g):\n    def w(*a):\n        w.calls+=1\n        return g(*a)\n    w.calls=0\n    return w'),
    'dict-of-fns': ("c=f()\nassert c['add'](1,2)==3", "def f(): return {'add': lambda a,b: a+b}"),
    'async-class': ('import asyncio\nfrom solution import Q\nasync def main():\n    q=Q()\n    await q.put(1)\n    return await q.get()\nassert asyncio.run(main()) == 1', 'class Q:\n    def __init__(s): s.a=[]\n    async def put(s,x): s.a.append(x)\n    async def get(s): return s.a.pop()'),
    'str-of-list': ("assert str(f(3)) == '1 -> 2 -> 3'", "class N:\n    def __init__(s,v,n): s.v,s.n=v,n\n    def __str__(s): return f'{s.v}' + (f' -> {s.n}' if s.n else '')\ndef f(k):\n    h=None\n    for i in range(k,0,-1): h=N(i,h)\n    return h"),
    'intenum': ("from solution import L, f\nassert f(2) is L.LOW and f(2).name == 'LOW' and L(1) is L.LOW and L.LOW < L.HIGH", 'from enum import IntEnum\nclass L(IntEnum):\n    LOW=1\n    HIGH=2\ndef f(x): return L.LOW'),
    'strenum': ("from solution import L, f\nassert f(2) == 'low' and f(2) is L.LOW and {L.LOW: 1}[f(2)] == 1 and f(2).upper() == 'LOW'", "from enum import Enum\nclass L(str, Enum):\n    LOW='low'\ndef f(x): return L.LOW"),
    'named-tuple-more': ("assert f(2)._asdict() == {'x':1,'y':2} and f(2)._fields == ('x','y') and f(2)[0] == 1\nimport copy\nassert copy.copy(f(2)) == (1,2)", 'from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int\ndef f(x): return P(1,2)'),
    'list-sub-passed': ('r=f(2)\nr.append(3)\nassert g(r) == 6', 'class L(list): pass\ndef f(x): return L([1,2])\ndef g(a): return sum(a)'),
    'observer': ("from solution import Bus\nseen=[]\nb=Bus()\nb.on('x', seen.append)\nb.emit('x', 5)\nassert seen == [5]", 'class Bus:\n    def __init__(s): s.h={}\n    def on(s,n,f): s.h.setdefault(n,[]).append(f)\n    def emit(s,n,v):\n        for f in s.h[n]: f(v)'),
    'iter-class': ('from solution import Countdown\nit=iter(Countdown(3))\nassert next(it)==3 and list(it)==[2,1] and [x for x in Countdown(2)]==[2,1]', 'class Countdown:\n    def __init__(s,n): s.n=n\n    def __iter__(s):\n        n=s.n\n        while n: yield n; n-=1'),
    'vector-lt': ('from solution import V\nassert V(1) < V(2) and max(V(1),V(3),V(2)).n == 3 and sum([V(1),V(2)], V(0)).n == 3', 'class V:\n    def __init__(s,n): s.n=n\n    def __lt__(s,o): return s.n<o.n\n    def __gt__(s,o): return s.n>o.n\n    def __add__(s,o): return V(s.n+o.n)'),
    'static-solution': ("from solution import Solution\ns=Solution()\nassert s.isMatch('aa','a') is False and Solution().add(1,2)==3", 'class Solution:\n    def isMatch(s,a,b): return a==b\n    def add(s,a,b): return a+b'),
    'result-eq': ('from solution import Vector\nr = Vector(1,2) + Vector(3,4)\nassert r == Vector(4,6) and Vector(4,6) == r and r != Vector(0,0) and r*2 == Vector(8,12)', 'class Vector:\n    def __init__(s,x,y): s.x,s.y=x,y\n    def __add__(s,o): return Vector(s.x+o.x,s.y+o.y)\n    def __mul__(s,k): return Vector(s.x*k,s.y*k)\n    def __eq__(s,o): return isinstance(o,Vector) and (s.x,s.y)==(o.x,o.y)'),
    'poly': ('from solution import Poly\nassert Poly([1,2]) == Poly([1,2])\np = Poly([1,2])\nassert p(3) == 7 and p.degree == 1 and (p + p)(3) == 14', 'class Poly:\n    def __init__(s,c): s.c=c\n    degree=property(lambda s: len(s.c)-1)\n    def __eq__(s,o): return s.c==o.c\n    def __call__(s,x): return sum(c*x**i for i,c in enumerate(s.c))\n    def __add__(s,o): return Poly([a+b for a,b in zip(s.c,o.c)])'),
}  # fmt: skip
STARTER = {"starter-class": "class Tree:\n    pass\ndef f(a):", "starter-function": "def F(x):\n    pass"}
NAMES = {
    "constructed": ("assert Stack([1, 2]).peek() == 2", "", "", ["Stack"]),
    "constructed by an attribute": ("import solution\ns = solution.Stack()\ns.push(1)", "", "", ["Stack"]),
    "under another name": ("from solution import Stack as S\ns = S()\ns.push(1)", "", "", ["Stack"]),
    "passed on": (
        "@pytest.mark.parametrize('kind', [Slow, Fast])\ndef test_f(kind): kind().put(1)",
        "",
        "",
        ["Fast", "Slow"],
    ),
    "the entry point": ("def check(candidate):\n    s = candidate()\n    s.push(1)", "Stack", "", ["Stack"]),
    "equal to one": ("assert f(2) == Point(5, 6)", "f", "", ["Point"]),
    "compared with plain values": ("assert Sum(1, 2) == 3", "", "", []),
    "compared with both": (
        "assert Money(5).cents == 500 and Money(5) == 5 and Money(5) + 1 == Money(6)",
        "",
        "",
        ["Money"],
    ),
    "compared with one": ("assert Money(5) + 1 == Money(6)", "", "", ["Money"]),
    "a function compared with itself": ("assert Sum(1, 2) == 3 and Sum(1, 2) == Sum(2, 1)", "", "", []),
    "searched": ("assert 2 in Split([1, 2])", "Split", "", []),
    "kept in a variable": ("r = Split(2)\nassert r == 5", "Split", "", []),
    "asked as a text is": ("assert Join(2).startswith('He')", "Join", "", []),
    "of a plain type": ("r = Sum(2)\nassert isinstance(r, int) and isinstance(Sum(2), int) and r == 5", "Sum", "", []),
    "arrays": ("import numpy as np\nassert Scale(2).shape == (2,) and np.allclose(Scale(2), [5, 6])", "Scale", "", []),
    "called through another name": ("def check(f):\n    for x, y in [(1, 5)]: assert f(x) == y", "Sum", "", []),
    "called in a loop": ("for g in (Sum, Total): assert g([5]) == 5", "", "", []),
    "asked as a list is": ("d = Document('a b a')\nassert d.count('a') == 2", "", "", ["Document"]),
    "asked as a dict is": ("c = Config({'a': 1})\nassert c.get('a') == 1", "", "", ["Config"]),
    "searched for what is there and what is not": ("b = Bag([1])\nassert 1 in b and 3 not in b", "", "", ["Bag"]),
    "searched, and not": ("assert 2 in Span(1, 3)\nassert not 5 in Span(1, 3)", "", "", ["Span"]),
    "searched in vain": ("assert (5 in Span(1, 3)) is False and 2 in Span(1, 3)", "", "", ["Span"]),
    "searched by parameters": ("def test(x, wanted): assert (x in Span(1, 3)) == wanted", "", "", ["Span"]),
    "searched by methods": (
        "def test(self):\n    self.assertIn(2, Span(1))\n    self.assertNotIn(5, Span(1))",
        "",
        "",
        ["Span"],
    ),
    "said to hold": ("assert (2 in Span(1, 3)) is True and not (5 not in Span(2, 9))", "", "", []),
    "called by names": ("s = Stack()\nfor name, x in OPS: out.append(getattr(s, name)(*x))", "", "", ["Stack"]),
    "filled": ("q = Queue()\nq.append(5)\nassert q.pop() == 5", "", "", ["Queue"]),
    "in a list": ("a = [Card(1), Card(2)]\nassert a[0].rank == 1", "", "", ["Card"]),
    "a key": ("assert {Card(1): 'a'}[Card(1)] == 'a' and hash(Card(1)) == hash(Card(1))", "", "", ["Card"]),
    "in a set": ("assert len({Card(1), Card(1)}) == 1", "", "", ["Card"]),
    "held by the test": ("def setUp(self): self.it = Card(1)\ndef test(self): self.it.turn()", "", "", ["Card"]),
    "made by a helper": ("def card(): return Card(1)\nassert card().rank == 1", "", "", ["Card"]),
    "no class name": ("assert 6 in f(2) and 5 in Find_Max(2)", "f", "", []),
    "only named": ("assert isinstance(f(2), Node) and f(2) == Color.RED", "f", "", []),
    "of the starter code": ("assert 6 in f(2)", "f", "class tree:\n    pass\ndef f(x):", ["tree"]),
    "a function of the starter code": ("assert 6 in Find(2)", "Find", "def Find(x):\n", []),
}


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader(workers=1) as grader:
        yield grader


def verdict(grader: Grader, name: str, tests: str, program: str) -> tuple[Verdict, str]:
    record = {"id": name, "kind": "asserts", "test_code": tests, "starter_code": STARTER.get(name, "")}
    if "solution import" not in tests and "Extract" not in tests and "calc" not in tests:
        record["entry_point"] = "F" if "F(" in tests else "f"
    grade = grader.grade(Problem.from_dict(record), Submission(name, name, code=program))
    return grade.verdict, grade.detail


@pytest.mark.parametrize("name", FORGED)
def test_an_object_that_the_tests_did_not_construct_does_not_answer(grader: Grader, name: str) -> None:
    found, detail = verdict(grader, name, *FORGED[name])
    assert found in (Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT), detail


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_object_answers(grader: Grader, name: str) -> None:
    found, detail = verdict(grader, name, *HONEST[name])
    assert found is Verdict.ACCEPTED, detail


@pytest.mark.parametrize("name", NAMES)
def test_the_tests_name_the_classes_that_may_answer(name: str) -> None:
    tests, entry_point, starter_code, wanted = NAMES[name]
    assert sorted(class_names(ast.parse(tests), entry_point, starter_code)) == wanted


def test_a_refusal_names_the_object(grader: Grader) -> None:
    _, detail = verdict(grader, "named", "assert f(2).startswith('Hello')", YES + "f = lambda x: Yes()")
    assert "what startswith gives cannot be taken from" in detail
