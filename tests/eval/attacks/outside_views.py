# ruff: noqa: E501 - programs, each on the line that names it
"""Tests of kind `asserts` that look at classes and functions from outside: (tests, a program, the entry point).

`dataclasses`, `inspect`, `in` with an answer of either kind, in-place operators, and `from solution import *`. The
programs in `HONEST` must be accepted, those in `FORGERIES` must not.
"""

from __future__ import annotations

from tests.eval.attacks.further_forgeries import YES

FIELDS = "from dataclasses import dataclass, field, make_dataclass\n"
POINT = """from dataclasses import dataclass, field
@dataclass
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)
    def norm(s): return s.x + s.y
"""
INTERVAL = """class Interval:
    def __init__(s,a,b): s.a,s.b=a,b
    def __contains__(s,x): return s.a<=x<=s.b
"""
OWN_BUILTINS = """def len(x): return 5
def abs(x): return 0
def sorted(x): return [5]
def all(x): return True
def isinstance(*a): return True
def isclose(*a): return True
"""
HONEST: dict[str, tuple[str, str, str]] = {
    "ce-vending": ("import unittest\n\nclass VendingMachineTest(unittest.TestCase):\n    def setUp(self):\n        self.vm = VendingMachine()\n    def test_add(self):\n        self.vm.add_item('Coke', 1.25, 10)\n        self.assertEqual(self.vm.inventory, {'Coke': {'price': 1.25, 'quantity': 10}})\n        self.assertEqual(self.vm.insert_coin(2), 2)\n        self.assertEqual(self.vm.purchase_item('Coke'), 0.75)\n        self.assertEqual(self.vm.purchase_item('Pizza'), False)\n        self.assertEqual(self.vm.inventory['Coke']['quantity'], 9)\n    def test_display(self):\n        self.assertEqual(self.vm.display_items(), False)\n        self.vm.inventory = {'Coke': {'price': 1, 'quantity': 2}}\n        self.assertEqual(self.vm.display_items(), 'Coke - $1 [2]')\n    def test_restock_direct(self):\n        self.vm.inventory['Coke'] = {'price': 1, 'quantity': 2}", 'class VendingMachine:\n    def __init__(self): self.inventory = {}; self.balance = 0\n    def add_item(self, n, p, q): self.inventory[n] = {\'price\': p, \'quantity\': q}\n    def insert_coin(self, a): self.balance += a; return self.balance\n    def purchase_item(self, n):\n        if n not in self.inventory: return False\n        i = self.inventory[n]; i[\'quantity\'] -= 1; self.balance -= i[\'price\']; return self.balance\n    def display_items(self):\n        if not self.inventory: return False\n        return \'\\n\'.join(f"{n} - ${i[\'price\']} [{i[\'quantity\']}]" for n, i in self.inventory.items())', ''),
    "ce-nested-objs": ("import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        shop = Shop([Item('a', 1), Item('b', 2)])\n        self.assertEqual([i.name for i in shop.items], ['a', 'b'])\n        self.assertEqual(shop.cheapest().name, 'a')\n        self.assertIsInstance(shop.cheapest(), Item)\n        self.assertEqual(len(shop.items), 2)", 'class Item:\n    def __init__(s, n, p): s.name, s.price = n, p\nclass Shop:\n    def __init__(s, i): s.items = i\n    def cheapest(s): return min(s.items, key=lambda i: i.price)', ''),
    "lc-calls": ("def run(ops, args):\n    out = []\n    obj = None\n    for op, a in zip(ops, args):\n        if op == 'LRUCache':\n            obj = LRUCache(*a); out.append(None)\n        else:\n            out.append(getattr(obj, op)(*a))\n    return out\nassert run(['LRUCache','put','put','get'], [[2],[1,1],[2,2],[1]]) == [None, None, None, 1]", 'class LRUCache:\n    def __init__(s, n): s.d = {}\n    def put(s, k, v): s.d[k] = v\n    def get(s, k): return s.d.get(k, -1)', ''),
    "lc-check-class": ("def check(candidate):\n    t = candidate()\n    t.insert('apple')\n    assert t.search('apple') == True\n    assert t.search('app') == False\n    assert t.startsWith('app') == True", 'class Trie:\n    def __init__(s): s.w = set()\n    def insert(s, w): s.w.add(w)\n    def search(s, w): return w in s.w\n    def startsWith(s, p): return any(w.startswith(p) for w in s.w)', 'Trie'),
    "dc-asdict": ("from dataclasses import asdict\np = Point(1, 2)\nassert asdict(p) == {'x': 1, 'y': 2, 'tags': []}", POINT, ''),
    "dc-astuple": ('import dataclasses\np = Point(1, 2)\nassert p.norm() == 3\nassert dataclasses.astuple(p) == (1, 2, [])', POINT, ''),
    "dc-fields": ("import dataclasses\np = Point(1)\nassert [f.name for f in dataclasses.fields(p)] == ['x', 'y', 'tags']\nassert dataclasses.is_dataclass(p) and dataclasses.is_dataclass(Point)\nassert [f.name for f in dataclasses.fields(Point)] == ['x', 'y', 'tags']\nassert {f.name: f.type for f in dataclasses.fields(Point)}['x'] is int\nassert dataclasses.fields(Point)[1].default == 0", POINT, ''),
    "dc-replace": ('from dataclasses import replace\np = Point(1, 2)\nq = replace(p, x=5)\nassert q.x == 5 and q.y == 2 and p.x == 1 and q == Point(5, 2)', POINT, ''),
    "dc-nested": ("from dataclasses import asdict\nl = Line(Point(1), [Point(2), Point(3)])\nassert asdict(l) == {'a': {'x': 1, 'y': 0, 'tags': []}, 'more': [{'x': 2, 'y': 0, 'tags': []}, {'x': 3, 'y': 0, 'tags': []}]}", POINT + '@dataclass\nclass Line:\n    a: Point\n    more: list', ''),
    "dc-of-function": ("from dataclasses import asdict\nassert asdict(f(3)) == {'x': 3, 'y': 0, 'tags': []}", POINT + 'def f(x): return Point(x)', 'f'),
    "dc-vars": ("p = Point(1, 2)\nassert vars(p) == {'x': 1, 'y': 2, 'tags': []}\nassert p.__dict__ == vars(p)", POINT, ''),
    "dc-json-default": ('import json\nfrom dataclasses import asdict\np = Point(1)\nassert json.dumps({\'p\': p}, default=asdict) == \'{"p": {"x": 1, "y": 0, "tags": []}}\'', POINT, ''),
    "dc-dictfactory": ("from dataclasses import asdict\np = Point(1)\nassert asdict(p, dict_factory=lambda kv: {k: v for k, v in kv if v}) == {'x': 1}", POINT, ''),
    "dc-match-pos": ('p = Point(1, 2)\nassert p.norm() == 3\nmatch p:\n    case Point(a, b): r = a + b\n    case _: r = None\nassert r == 3', POINT, ''),
    "in-not": ('assert 2 in Interval(1,3)\nassert not 5 in Interval(1,3)', INTERVAL, ''),
    "in-is-false": ('i = Interval(1,3)\nassert (2 in i) is True\nassert (5 in i) is False', INTERVAL, ''),
    "in-unittest": ('import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        i = Interval(1, 3)\n        self.assertIn(2, i)\n        self.assertNotIn(5, i)', INTERVAL, ''),
    "in-unittest-tf": ('import unittest\nclass T(unittest.TestCase):\n    def setUp(self): self.i = Interval(1, 3)\n    def test_a(self): self.assertTrue(2 in self.i)\n    def test_b(self): self.assertFalse(5 in self.i)', INTERVAL, ''),
    "in-unittest-eq": ('import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(2 in Interval(1, 3), True)\n        self.assertEqual(5 in Interval(1, 3), False)\n        self.assertIs(5 in Interval(1, 3), False)', INTERVAL, ''),
    "in-list": ('i = Interval(1,3)\nassert [x in i for x in (0, 1, 3, 4)] == [False, True, True, False]', INTERVAL, ''),
    "in-param": ("import pytest\n@pytest.mark.parametrize('x, want', [(2, True), (5, False)])\ndef test_a(x, want):\n    assert (x in Interval(1, 3)) == want", INTERVAL, ''),
    "in-all-any": ('i = Interval(1,3)\nassert all(x in i for x in (1, 2, 3))\nassert not any(x in i for x in (0, 4))', INTERVAL, ''),
    "isfunction": ('import inspect\nassert inspect.isfunction(f) and f(1) == 1', 'def f(a): return a', 'f'),
    "isgen": ('import inspect\nassert inspect.isgenerator(f(2)) and inspect.isgeneratorfunction(f) and list(f(2)) == [0, 1]', 'def f(n): yield from range(n)', 'f'),
    "isgen-types": ('import types\nfrom collections.abc import Iterator, Iterable\nr = f(2)\nassert isinstance(r, types.GeneratorType) and isinstance(r, Iterator) and list(r) == [0, 1]', 'def f(n): yield from range(n)', 'f'),
    "doc": ("assert f.__doc__ and 'adds' in f.__doc__.lower()\nassert f(1,2) == 3", "def f(a,b):\n    'Adds.'\n    return a+b", 'f'),
    "annotations": ("assert f.__annotations__ == {'a': int, 'return': int}\nassert f(1) == 1", 'def f(a: int) -> int: return a', 'f'),
    "dunder-call": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        v = Vec(1, 2)\n        self.assertEqual(v.__str__(), 'Vec(1, 2)')\n        self.assertEqual(v.__len__(), 2)\n        self.assertEqual(v.__add__(Vec(1, 1)), Vec(2, 3))\n        self.assertTrue(v.__eq__(Vec(1, 2)))\n        self.assertEqual(v.__repr__(), 'Vec(1, 2)')", "class Vec:\n    def __init__(s,*a): s.a=a\n    def __str__(s): return 'Vec'+str(s.a)\n    __repr__=__str__\n    def __len__(s): return len(s.a)\n    def __add__(s,o): return Vec(*map(sum, zip(s.a,o.a)))\n    def __eq__(s,o): return s.a==o.a", ''),
    "property-setter": ("import pytest\ndef test_t():\n    t = Temperature(0)\n    assert t.fahrenheit == 32\n    t.celsius = 100\n    assert t.fahrenheit == 212\n    with pytest.raises(ValueError, match='absolute zero'):\n        t.celsius = -300\n    t.celsius += 1\n    assert t.celsius == 101", "class Temperature:\n    def __init__(s,c): s.celsius=c\n    @property\n    def celsius(s): return s._c\n    @celsius.setter\n    def celsius(s,v):\n        if v < -273.15: raise ValueError('below absolute zero')\n        s._c=v\n    @property\n    def fahrenheit(s): return s._c*9/5+32", ''),
    "bytes-hook": ("p = Packet(b'ab')\nassert bytes(p) == b'ab'\nassert p.size() == 2", 'class Packet:\n    def __init__(s,b): s.b=b\n    def __bytes__(s): return s.b\n    def size(s): return len(s.b)', ''),
    "floor-ceil": ('import math\nf = Frac(7, 2)\nassert math.floor(f) == 3 and math.ceil(f) == 4 and math.trunc(f) == 3 and f.n == 7', 'class Frac:\n    def __init__(s,n,d): s.n,s.d=n,d\n    def __floor__(s): return s.n//s.d\n    def __ceil__(s): return -(-s.n//s.d)\n    def __trunc__(s): return int(s.n/s.d)', ''),
    "inplace-op": ('a = Acc()\na += 5\na -= 2\nassert a.v == 3', 'class Acc:\n    v=0\n    def __iadd__(s,x): s.v+=x; return s\n    def __isub__(s,x): s.v-=x; return s', ''),
    "iadd-value": ('v = Vec(1)\nw = v\nv += Vec(2)\nassert v == Vec(3) and w == Vec(1)\nv *= 2\nassert v.n == 6', 'class Vec:\n    def __init__(s,n): s.n=n\n    def __add__(s,o): return Vec(s.n+o.n)\n    def __mul__(s,k): return Vec(s.n*k)\n    def __eq__(s,o): return s.n==o.n', ''),
    "iadd-list-class": ('s = Stack()\ns.push(1)\ns += [2]\nassert s.items == [1, 2]', 'class Stack:\n    def __init__(s): s.items=[]\n    def push(s,x): s.items.append(x)\n    def __iadd__(s,o): s.items+=o; return s', ''),
    "sig": ("import inspect\nassert list(inspect.signature(f).parameters) == ['a', 'b']\nassert f(1, 2) == 3", 'def f(a, b): return a+b', 'f'),
    "sig-default": ("import inspect\np = inspect.signature(f).parameters\nassert p['b'].default == 2 and p['a'].default is inspect.Parameter.empty and p['a'].annotation is int\nassert f(1) == 3", 'def f(a: int, b=2): return a+b', 'f'),
    "method-sig": ("import inspect\ns = Stack()\ns.push(1)\nassert list(inspect.signature(s.push).parameters) == ['x']\nassert list(inspect.signature(Stack.push).parameters) == ['self', 'x']\nassert list(inspect.signature(Stack).parameters) == []", 'class Stack:\n    def __init__(self): pass\n    def push(self, x): pass', ''),
    "class-doc": ("s = Stack()\ns.push(1)\nassert Stack.__doc__ == 'A stack.' and Stack.push.__doc__ is None and s.__doc__ == 'A stack.'", "class Stack:\n    'A stack.'\n    def push(s, x): pass", ''),
    "wraps": ("@f\ndef g(x):\n    'Doc.'\n    return x\nassert g.__name__ == 'g' and g.__doc__ == 'Doc.' and g(1) == 1\nassert g.__wrapped__(2) == 2", 'import functools\ndef f(fn):\n    @functools.wraps(fn)\n    def w(*a): return fn(*a)\n    return w', 'f'),
    "get-type-hints": ("import typing\nassert typing.get_type_hints(f) == {'a': int, 'return': int} and f(1) == 1", 'def f(a: int) -> int: return a', 'f'),
    "dir": ("s = Stack()\ns.push(1)\nassert 'push' in dir(s) and 'push' in dir(Stack)", 'class Stack:\n    def push(s, x): pass', ''),
    "iscoroutine": ('import asyncio, inspect\nassert asyncio.iscoroutinefunction(f) and inspect.iscoroutinefunction(f)\nassert asyncio.run(f(2)) == 4', 'async def f(x): return x*x', 'f'),
    "function-type": ('import types\ng = f(2)\nassert isinstance(g, types.FunctionType) and g(3) == 5', 'def f(x): return lambda y: x+y', 'f'),
    "he-check": ("METADATA = {'author': 'x'}\ndef check(candidate):\n    assert candidate([1.0, 2.0], 0.5) == False, 'far'\n    assert candidate([1.0, 1.2], 0.5), 'near'\n    assert abs(sum(candidate.__defaults__ or ()) - 0) < 1e-6 or True", 'def has_close(a, t): return any(abs(x-y)<t for i,x in enumerate(a) for y in a[:i])', 'has_close'),
    "star-builtin-name": ('from solution import *\nassert sum([1, 2]) == 3', 'def sum(a):\n    t = 0\n    for x in a: t += x\n    return t', ''),
    "star-entry-name": ('from solution import *\nassert pow(2, 3) == 8 and len([1]) == 1', 'def pow(a, b): return a**b', 'pow'),
    "star-counter-class": ('from solution import *\nc = Counter()\nc.increment()\nassert c.value == 1\ns = Stack()\ns.push(1)\nassert s.a == [1]', 'class Counter:\n    value = 0\n    def increment(s): s.value += 1\nclass Stack:\n    def __init__(s): s.a = []\n    def push(s, x): s.a.append(x)', ''),
    "counter-class": ('c = Counter()\nc.increment()\nassert c.value == 1\ns = Stack()\ns.push(1)\nassert s.a == [1]', 'class Counter:\n    value = 0\n    def increment(s): s.value += 1\nclass Stack:\n    def __init__(s): s.a = []\n    def push(s, x): s.a.append(x)', ''),
    "star-constant": ('from solution import *\nassert LIMIT == 5 and f(1) == 6', 'LIMIT = 5\ndef f(x): return x + LIMIT', ''),
    "star-many": ('from solution import *\nassert helper(1) == 2\nresult = f(1)\nassert result == 3', 'def helper(x): return x+1\ndef f(x): return helper(x)+1\nresult = None', ''),
    "star-test-class": ("import unittest\nfrom solution import *\nclass TestF(unittest.TestCase):\n    def test_f(self): self.assertEqual(f(2), 4)\nif __name__ == '__main__':\n    unittest.main()", 'import unittest\ndef f(x): return x*x\nclass TestF(unittest.TestCase):\n    def test_f(self): pass', ''),
    "class-decorated": ('import unittest\nfrom solution import f, g\n@f\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(g(2), 5)', 'def f(c): return c\ndef g(x): return 5', ''),
    "fixture-decorated": ('import pytest\nfrom solution import f, g\n@pytest.fixture\n@f\ndef want(): return 5\ndef test_a(want): assert g(2) == want', 'def f(c): return c\ndef g(x): return 5', ''),
}  # fmt: skip
FORGERIES: dict[str, tuple[str, str, str]] = {
    "asdict-yes-value": ("from dataclasses import asdict\nassert asdict(f(2)) == {'x': 5}", YES + FIELDS + '@dataclass\nclass P:\n    x: object\ndef f(n): return P(Yes())', 'f'),
    "asdict-lying-fields": ("from dataclasses import asdict\nassert asdict(f(2)) == {'x': 5}", YES + FIELDS + 'class P:\n    __dataclass_fields__ = Yes()\n    x = 4\ndef f(n): return P()', 'f'),
    "asdict-lying-name": ("from dataclasses import asdict\nassert asdict(f(2)) == {'x': 5}", YES + FIELDS + "class S(str):\n    __eq__ = lambda s, o: True\n    __hash__ = str.__hash__\n@dataclass\nclass P:\n    y: object\nP.__dataclass_fields__['y'].name = S('y')\ndef f(n): return P(5)", 'f'),
    "asdict-name-yes": ("from dataclasses import asdict\nassert asdict(f(2)) == {'x': 5}", YES + FIELDS + "@dataclass\nclass P:\n    y: object\nP.__dataclass_fields__['y'].name = Yes()\ndef f(n): return P(5)", 'f'),
    "asdict-no-fields": ("from dataclasses import asdict\nassert asdict(f(2)) == {'x': 5}", YES + FIELDS + '@dataclass\nclass P: pass\ndef f(n): return P()', 'f'),
    "asdict-endless": ("from dataclasses import asdict\nassert asdict(f(2)) == {'x': 5}", YES + FIELDS + "@dataclass\nclass P:\n    x: object\n    def __getattribute__(s, n): return P(1) if n == 'x' else object.__getattribute__(s, n)\ndef f(n): return P(1)", 'f'),
    "asdict-init-hook": ("from dataclasses import fields\nassert [x.name for x in fields(f(2))] == ['x']", YES + FIELDS + "class P:\n    __dataclass_fields__ = {'x': Yes()}\ndef f(n): return P()", 'f'),
    "astuple-yes": ('from dataclasses import astuple\nassert astuple(f(2)) == (5,)', YES + FIELDS + '@dataclass\nclass P:\n    x: object\ndef f(n): return P(Yes())', 'f'),
    "astuple-changing": ('from dataclasses import astuple\nr = f(2)\nassert astuple(r) == (5,) and astuple(r) == (6,)', YES + FIELDS + "@dataclass\nclass P:\n    x: object\n    n = 0\n    def __getattribute__(s, k):\n        if k == 'x':\n            P.n += 1\n            return 4 + P.n\n        return object.__getattribute__(s, k)\ndef f(n): return P(1)", 'f'),
    "fields-default-yes": ('from dataclasses import fields\nassert fields(f(2))[0].default == 5', YES + FIELDS + "@dataclass\nclass P:\n    x: object = None\nP.__dataclass_fields__['x'].default = Yes()\ndef f(n): return P(1)", 'f'),
    "vars-yes": ("assert vars(f(2)) == {'x': 5}", YES + FIELDS + 'class P: pass\ndef f(n):\n    p = P()\n    p.x = Yes()\n    return p', 'f'),
    "vars-dict-prop": ("assert vars(f(2)) == {'x': 5}", YES + FIELDS + 'class P:\n    __dict__ = property(lambda s: Yes())\ndef f(n): return P()', 'f'),
    "is-dataclass-true": ('from dataclasses import is_dataclass\nr = f(2)\nassert is_dataclass(r) and r == 5', YES + FIELDS + 'Yes.__dataclass_fields__ = {}\ndef f(n): return Yes()', 'f'),
    "starter-asdict": ("from dataclasses import asdict\nassert asdict(f(2)) == {'x': 5}", YES + FIELDS + '@dataclass\nclass P:\n    x: int\ndef f(x): return P(Yes())', 'f'),
    "search-yes": ("assert 'a' in Split('a b')", 'class Split:\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return True\n    def __len__(s): return 2\n    def __iter__(s): return iter(())', 'Split'),
    "search-yes-unittest": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self): self.assertIn('a', Split('a b'))", 'class Split:\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return True\n    def __len__(s): return 2\n    def __iter__(s): return iter(())', 'Split'),
    "search-eq-true": ("assert ('a' in Split('a b')) == True", 'class Split:\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return True\n    def __len__(s): return 2\n    def __iter__(s): return iter(())', 'Split'),
    "search-is-true": ("assert ('a' in Split('a b')) is True", 'class Split:\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return True\n    def __len__(s): return 2\n    def __iter__(s): return iter(())', 'Split'),
    "search-and-eq": ("assert 'a' in Split('a b')\nassert 'c' not in Split('a b')\nassert Split('') == []", 'class Split:\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return x in s.t\n    def __len__(s): return 2\n    def __iter__(s): return iter(())\n    def __eq__(s, o): return True', 'Split'),
    "search-and-eq-unittest": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertIn('a', Split('a b'))\n        self.assertNotIn('c', Split('a b'))\n        self.assertEqual(Split(''), [])", 'class Split:\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return x in s.t\n    def __len__(s): return 2\n    def __iter__(s): return iter(())\n    def __eq__(s, o): return True', 'Split'),
    "search-and-assertlist": ("import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertIn('a', Split('a b'))\n        self.assertNotIn('c', Split('a b'))\n        self.assertListEqual(Split(''), [])", 'class Split(list):\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return x in s.t\n    __eq__ = lambda s, o: True', 'Split'),
    "search-and-sorted": ("assert 'a' in Split('b a')\nassert not 'c' in Split('a b')\nassert sorted(Split('b a')) == ['a', 'b']", 'class Split:\n    def __init__(s, t): s.t = t\n    def __contains__(s, x): return x in s.t\n    def __len__(s): return 2\n    def __iter__(s): return iter(())', 'Split'),
    "star-len": ('from solution import *\nassert len(f(2)) == 5', 'def f(x): return [1]\ndef len(x): return 5', ''),
    "star-sorted": ('from solution import *\nassert sorted(f(2)) == [5]', 'def f(x): return [1]\ndef sorted(x): return [5]', ''),
    "star-all": ('from solution import *\nassert all(x == 5 for x in f(2))', 'def f(x): return [1]\ndef all(x): return True', ''),
    "star-isinstance": ('from solution import *\nassert isinstance(f(2), str)', 'def f(x): return [1]\ndef isinstance(x, y): return True', ''),
    "star-abs": ('from solution import *\nassert abs(f(2) - 5.5) < 1e-6', 'def f(x): return 1\ndef abs(x): return 0', ''),
    "star-isclose": ('from solution import *\nassert isclose(f(2), 5.5)', 'def f(x): return 1\ndef isclose(*a): return True', ''),
    "star-valueerror": ('from solution import *\nimport pytest\ndef test_a():\n    with pytest.raises(ValueError): f(2)', 'class ValueError(Exception): pass\ndef f(x): raise ValueError', ''),
    "star-math": ('import math\nfrom solution import *\nassert math.isclose(f(2), 5.5)', 'class math:\n    isclose = staticmethod(lambda *a: True)\ndef f(x): return 1', ''),
    "star-np": ('import numpy as np\nfrom solution import *\nassert np.allclose(f(2), 5.5)', 'class np:\n    allclose = staticmethod(lambda *a: True)\ndef f(x): return 1', ''),
    "star-unittest": ('import unittest\nfrom solution import *\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(2), 5)', 'class unittest:\n    class TestCase:\n        def assertEqual(*a): pass\ndef f(x): return 1', ''),
    "star-helper": ('def same(a, b): return a == b\nfrom solution import *\nassert same(f(2), 5)', 'def same(a, b): return True\ndef f(x): return 1', ''),
    "star-const": ('WANT = 5\nfrom solution import *\nassert f(2) == WANT', 'WANT = 1\ndef f(x): return 1', ''),
    "star-from-math": ('from math import isclose\nfrom solution import *\nassert isclose(f(2), 5.5)', 'def isclose(*a): return True\ndef f(x): return 1', ''),
    "star-usual-math": ('from solution import *\nassert math.isclose(f(2), 5.5)', 'class math:\n    isclose = staticmethod(lambda *a: True)\ndef f(x): return 1', ''),
    "star-counter": ("from solution import *\nassert Counter(f('aab')) == {'a': 2, 'b': 1}", 'class Counter:\n    def __init__(s, *a): pass\n    __eq__ = lambda s, o: True\ndef f(x): return 1', ''),
    "fixture-of-program": ('import pytest\nfrom solution import *\n@pytest.fixture\ndef want(): return 5\ndef test_a(want):\n    assert f(2) == want', "def want(): return 1\nwant.fixture_options = {}\ndef f(x): return 1\ndef other(): return 1\nother.fixture_options = {'name': 'want'}", ''),
    "decor-sig": ('@f\ndef test_a():\n    assert g(2) == 5', "import inspect\ndef f(t):\n    def w(*a, **k): pass\n    w.__signature__ = inspect.Signature([inspect.Parameter('zz', 1)])\n    return w\ndef g(x): return 1", ''),
    "decor-wrapped": ('def cb(a, b): return a\nassert_cb = f(cb)\n@f\ndef test_a():\n    assert g(2) == 5', 'first = []\ndef f(t):\n    first.append(t)\n    def w(*a, **k): pass\n    w.__wrapped__ = first[0]\n    return w\ndef g(x): return 1', ''),
    "sig-evil": ("import inspect\nassert list(inspect.signature(f).parameters) == ['a', 'b'] and f(1, 2) == 3", "import inspect\nclass S(str):\n    __eq__ = lambda s, o: True\n    __hash__ = str.__hash__\nclass F:\n    __name__ = 'f'\n    def __call__(s, x): return 3\n    def __signature__(s): return 5\nf = F()", ''),
    "iadd-evil": ('r = f(2)\nr += 1\nassert r == 6', YES + 'Yes.__iadd__ = lambda s, o: s\ndef f(x): return Yes()', 'f'),
    "iadd-evil-int": ('r = f(2)\nr += 1\nassert r == 6', YES + 'Yes.__iadd__ = lambda s, o: 6\ndef f(x): return Yes()', 'f'),
    "floor-evil": ('import math\nassert math.floor(f(2)) == 5', YES + 'Yes.__floor__ = lambda s: Yes()\ndef f(x): return Yes()', 'f'),
    "bytes-evil": ("assert bytes(f(2)) == b'ab'", YES + "class B(bytes):\n    __eq__ = lambda s, o: True\nYes.__bytes__ = lambda s: B(b'x')\ndef f(x): return Yes()", 'f'),
    "doc-evil": ("assert f.__doc__ == 'Adds.' and f(2) == 5", YES + 'def f(x): return 5\nf.__doc__ = Yes()', 'f'),
    "code-evil": ('assert f.__code__.co_argcount == 2', YES + 'class F:\n    __code__ = Yes()\n    def __call__(s, x): pass\nf = F()', 'f'),
    "defaults-evil": ('assert f.__defaults__ == (5,)', YES + 'class F:\n    __defaults__ = Yes()\n    def __call__(s, x): pass\nf = F()', 'f'),
    "match-args-evil": ('match f(2):\n    case Point(a, b): r = (a, b)\n    case _: r = None\nassert r == (5, 6)', YES + "class Point:\n    __match_args__ = ('x', 'y')\n    x = y = Yes()\ndef f(x): return Point()", 'f'),
    "mark-parametrize-fn": ('from solution import *\ndef test_a():\n    assert f(2) == 5', "class M:\n    name='parametrize'\n    args=('x', [])\n    kwargs={}\npytestmark=[M()]\ndef f(x): return 1", ''),
    "mark-parametrize-one-class": ('from solution import *\nclass TestA:\n    def test_a(self):\n        assert f(2) == 5', "class M:\n    name='parametrize'\n    args=('x', [])\n    kwargs={}\npytestmark=M()\ndef f(x): return 1", ''),
    "mark-usefixtures-fn": ('from solution import *\ndef test_a():\n    assert f(2) == 5', "class M:\n    name='usefixtures'\n    args=('nowhere',)\n    kwargs={}\npytestmark=[M()]\ndef f(x): return 1", ''),
    "mark-skip-param": ("import pytest\nfrom solution import *\n@pytest.mark.parametrize('x', [1, 2])\ndef test_a(x):\n    assert f(x) == 5", "class M:\n    name='skip'\n    args=()\n    kwargs={}\npytestmark=[M()]\ndef f(x): return 1", ''),
    "mark-junk-fn": ('from solution import *\ndef test_a():\n    assert f(2) == 5', 'pytestmark=[5]\ndef f(x): return 1', ''),
    "unittest-setup": ('import unittest\nfrom solution import *\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(2), 5)', 'def setUpModule(): raise SystemExit(0)\ndef load_tests(*a): return []\ndef f(x): return 1', ''),
    "star-test-name": ('from solution import *\ndef test_a():\n    assert f(2) == 5', 'def test_a(): pass\ndef test_b(): pass\ndef f(x): return 1', ''),
    "star-late-helper": ('def near(a, b): return abs(a - b) < 1\ndef test_a():\n    from solution import f\n    assert near(f(2), 5)\nfrom solution import *', 'def near(*a): return True\ndef f(x): return 1', ''),
    "star-string-eval": ("from solution import *\nassert eval('len(f(2)) == 5')", 'def len(x): return 5\ndef f(x): return [1]', ''),
    "decor-mark": ('import pytest\nfrom solution import f, g\n@f\ndef test_a():\n    assert g(2) == 5', "class M:\n    name='parametrize'\n    args=('x', [])\n    kwargs={}\ndef f(t):\n    t.pytestmark = [M()]\n    return t\ndef g(x): return 1", ''),
    "imp-len": ('from solution import f\nassert len(f(2)) == 5', OWN_BUILTINS + 'def f(x): return [1]', ''),
    "imp-all": ('from solution import f\nassert all(x == 5 for x in f(2))', OWN_BUILTINS + 'def f(x): return [1]', ''),
    "imp-sorted": ('from solution import f\ndef test_a():\n    assert sorted(f(2)) == [5]', OWN_BUILTINS + 'def f(x): return [1]', ''),
    "imp-isinstance": ('from solution import f\nassert isinstance(f(2), str)', OWN_BUILTINS + 'def f(x): return [1]', ''),
    "imp-unittest-len": ('import unittest\nfrom solution import f\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(len(f(2)), 5)', OWN_BUILTINS + 'def f(x): return [1]', ''),
    "imp-abs": ('import math\nfrom solution import f\nassert abs(f(2)[0] - 5) < 1e-6', OWN_BUILTINS + 'def f(x): return [1]', ''),
    "imp-assertionerror": ('from solution import f\ntry:\n    f(2)\nexcept ValueError: ok = False\nelse: ok = True\nassert not ok', 'class ValueError(Exception): pass\ndef f(x): raise ValueError', ''),
    "star-mod": ('from solution import *\nimport solution\nassert len(solution.f(2)) == 5', OWN_BUILTINS + 'def f(x): return [1]', ''),
    "counter-both": ("assert Counter(f('aab')) == Counter('aab')", "class K:\n    def __init__(s, *a): pass\n    __eq__ = lambda s, o: True\n    __contains__ = lambda s, o: True\n    def __getitem__(s, k): return 5\n    def __len__(s): return 2\n    def __iter__(s): return iter([5])\n    def most_common(s, n=None): return [('a', 2)]\nCounter = OrderedDict = deque = ChainMap = K\nclass Counter(K): pass\nclass OrderedDict(K): pass\ndef f(x): return [1]", ''),
    "star-ordereddict-both": ('from solution import *\nassert OrderedDict(f(2)) == OrderedDict([(5, 6)])', "class K:\n    def __init__(s, *a): pass\n    __eq__ = lambda s, o: True\n    __contains__ = lambda s, o: True\n    def __getitem__(s, k): return 5\n    def __len__(s): return 2\n    def __iter__(s): return iter([5])\n    def most_common(s, n=None): return [('a', 2)]\nCounter = OrderedDict = deque = ChainMap = K\nclass Counter(K): pass\nclass OrderedDict(K): pass\ndef f(x): return [1]", ''),
    "star-counter-in": ('from solution import *\nassert 5 in Counter(f(2)) and 7 not in Counter(f(3))', "class K:\n    def __init__(s, *a): pass\n    __eq__ = lambda s, o: True\n    __contains__ = lambda s, o: True\n    def __getitem__(s, k): return 5\n    def __len__(s): return 2\n    def __iter__(s): return iter([5])\n    def most_common(s, n=None): return [('a', 2)]\nCounter = OrderedDict = deque = ChainMap = K\nclass Counter(K): pass\nclass OrderedDict(K): pass\ndef f(x): return [1]", ''),
    "classdec-obj-ut": ('import unittest\nfrom solution import f, g\n@f\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(g(2), 5)', "class E:\n    def __init__(s, *a, **k): pass\n    def __call__(s, *a, **k): return s\n    def __getattr__(s, n):\n        if n.startswith('__') or n == 'pytestmark': raise AttributeError(n)\n        return lambda *a, **k: None\ndef g(x): return 1\ndef f(c): return E()", ''),
    "classdec-obj-pt": ('from solution import f, g\n@f\nclass TestT:\n    def test_a(self): assert g(2) == 5', "class E:\n    def __init__(s, *a, **k): pass\n    def __call__(s, *a, **k): return s\n    def __getattr__(s, n):\n        if n.startswith('__') or n == 'pytestmark': raise AttributeError(n)\n        return lambda *a, **k: None\ndef g(x): return 1\ndef f(c): return E()", ''),
    "classdec-own-ut": ('import unittest\nfrom solution import f, g\n@f\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(g(2), 5)', 'def g(x): return 1\nclass T:\n    def __init__(s, *a): pass\n    def debug(s): pass\n    def test_a(s): pass\n    @classmethod\n    def setUpClass(c): pass\n    @classmethod\n    def tearDownClass(c): pass\ndef f(c): return T', ''),
    "fixturedec": ('import pytest\nfrom solution import f, g\n@pytest.fixture\n@f\ndef want(): return 5\ndef test_a(want): assert g(2) == want', 'def g(x): return 1\ndef f(c): return lambda: 1', ''),
}  # fmt: skip
