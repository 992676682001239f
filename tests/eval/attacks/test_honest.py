# ruff: noqa: E501 - programs, each on the line that names it
"""Honest programs that look like attacks: a fix for an attack must leave them accepted.

Other tests have honest programs too: every idiom's right value (`test_forge.py`), and the honest program after every
attack.
"""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Problem
from tests.eval.attacks import on_behalf, replaced_parts, shared_settings, unseen_endings, what_objects_can
from tests.eval.attacks.further_honest import FURTHER
from tests.eval.attacks.grading import WAYS, Attack, Batch, grade_all
from tests.eval.attacks.honest_asserts import HONEST as HONEST_ASSERTS
from tests.eval.attacks.idioms import function_test, unit_test
from tests.eval.attacks.outside_views import HONEST as OUTSIDE_VIEWS
from tests.eval.toolchains import is_here

RIGHT = ("ACCEPTED",)
POINT = "class Point:\n    def __init__(self, x, y): self.x, self.y = x, y\n    def __eq__(self, other): return (self.x, self.y) == (other.x, other.y)\n    def __hash__(self): return hash((self.x, self.y))\n    def __repr__(self): return f'Point({self.x}, {self.y})'\n    def norm(self): return abs(self.x) + abs(self.y)\n    def __add__(self, o): return Point(self.x + o.x, self.y + o.y)\n    def __lt__(self, o): return (self.x, self.y) < (o.x, o.y)\n"
STACK = "class Stack:\n    def __init__(self, items=()): self.items = list(items)\n    def push(self, x): self.items.append(x)\n    def pop(self): return self.items.pop()\n    def __len__(self): return len(self.items)\n    def __contains__(self, x): return x in self.items\n    def __iter__(self): return iter(self.items)\n    def __getitem__(self, i): return self.items[i]\n    def __bool__(self): return bool(self.items)\n"
ASSERTS: dict[str, tuple[str, str]] = {
    # exceptions
    "raises": (function_test("with pytest.raises(ValueError): f(2)"), "def f(x): raise ValueError('no')"),
    "raises-match": (function_test("with pytest.raises(ValueError, match='no .*'): f(2)"), "def f(x): raise ValueError('no way')"),
    "raises-subclass": (function_test("with pytest.raises(ValueError): f(2)"), "class Mine(ValueError): pass\ndef f(x): raise Mine('no')"),
    "raises-own": ("from solution import f, Mine\nimport pytest\ndef test_f():\n    with pytest.raises(Mine): f(2)\n", "class Mine(Exception): pass\ndef f(x): raise Mine('no')"),
    "raises-own-with-required-argument": ("from solution import f, Mine\nimport pytest\ndef test_f():\n    with pytest.raises(Mine) as e: f(2)\n    assert e.value.code == 5\n", "class Mine(Exception):\n    def __init__(self, code, why):\n        super().__init__(why)\n        self.code = code\ndef f(x): raise Mine(5, 'no')"),
    "raises-own-with-text": ("from solution import f, Mine\nimport pytest\ndef test_f():\n    with pytest.raises(Mine) as e: f(2)\n    assert str(e.value) == 'code 5'\n", "class Mine(Exception):\n    def __init__(self, code): self.code = code\n    def __str__(self): return f'code {self.code}'\ndef f(x): raise Mine(5)"),
    "raises-unicode-error": (function_test("with pytest.raises(UnicodeDecodeError): f(2)"), "def f(x): return b'\\xff'.decode('utf-8')"),
    "raises-json-error": ("import json, pytest\ndef test_f():\n    with pytest.raises(json.JSONDecodeError): f(2)\n", "import json\ndef f(x): return json.loads('{')"),
    "raises-group": (function_test("with pytest.raises(ExceptionGroup): f(2)"), "def f(x): raise ExceptionGroup('both', [ValueError('a'), TypeError('b')])"),
    "raises-group-members": (function_test("with pytest.raises(ExceptionGroup) as e: f(2)", "assert len(e.value.exceptions) == 2"), "def f(x): raise ExceptionGroup('both', [ValueError('a'), TypeError('b')])"),
    "raises-group-caught-by-star": ("def test_f():\n    seen = []\n    try: f(2)\n    except* ValueError: seen.append(1)\n    assert seen == [1]\n", "def f(x): raise ExceptionGroup('one', [ValueError('a')])"),
    "raises-group-own": ("from solution import f, Many\nimport pytest\ndef test_f():\n    with pytest.raises(Many): f(2)\n", "class Many(ExceptionGroup): pass\ndef f(x): raise Many('both', [ValueError('a')])"),
    "raises-key-error-text": (function_test("with pytest.raises(KeyError) as e: f(2)", "assert e.value.args == ('a',)"), "def f(x): return {}['a']"),
    "raises-os-error-number": (function_test("with pytest.raises(FileNotFoundError) as e: f(2)", "assert e.value.errno == 2"), "def f(x): return open('nothing')"),
    "raises-from": (function_test("with pytest.raises(RuntimeError) as e: f(2)", "assert 'outer' in str(e.value)"), "def f(x):\n    try: 1 / 0\n    except ZeroDivisionError as e: raise RuntimeError('outer') from e"),
    "raises-stop-iteration": (function_test("with pytest.raises(StopIteration): next(f(2))"), "def f(x): return iter(())"),
    "raises-system-exit": (function_test("with pytest.raises(SystemExit): f(2)"), "import sys\ndef f(x): sys.exit(2)"),
    "raises-assertion": (function_test("with pytest.raises(AssertionError): f(2)"), "def f(x): assert x == 3, 'three'"),
    "raises-recursion": (function_test("with pytest.raises(RecursionError): f(2)"), "def f(x): return f(x)"),
    "raises-timeout": (function_test("with pytest.raises(TimeoutError): f(2)"), "def f(x): raise TimeoutError('late')"),
    "raises-frozen-dataclass": ("import dataclasses, pytest\nfrom solution import P\ndef test_f():\n    with pytest.raises(dataclasses.FrozenInstanceError): P(1).x = 2\n", "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass P: x: int"),
    "raises-not-implemented": (unit_test("assertRaises(NotImplementedError, f, 2)"), "def f(x): raise NotImplementedError"),
    "raises-in-unittest": (unit_test("assertRaisesRegex(ValueError, 'no', f, 2)"), "def f(x): raise ValueError('no')"),
    "caught-by-hand": ("try:\n    f(2)\n    done = False\nexcept ValueError as e:\n    done = str(e) == 'no'\nassert done", "def f(x): raise ValueError('no')"),
    # classes that the tests construct
    "object-attributes": ("from solution import Point\np = Point(1, 2)\nassert p.x == 1 and p.y == 2", POINT),
    "object-method": ("from solution import Point\nassert Point(1, -2).norm() == 3", POINT),
    "object-equal": ("from solution import Point\nassert Point(1, 2) == Point(1, 2) and Point(1, 2) != Point(2, 1)", POINT),
    "object-added": ("from solution import Point\nassert Point(1, 2) + Point(3, 4) == Point(4, 6)", POINT),
    "object-sorted": ("from solution import Point\nassert sorted([Point(2, 1), Point(1, 2)])[0] == Point(1, 2)", POINT),
    "object-in-set": ("from solution import Point\nassert len({Point(1, 2), Point(1, 2)}) == 1", POINT),
    "object-text": ("from solution import Point\nassert repr(Point(1, 2)) == 'Point(1, 2)'", POINT),
    "object-changed": ("from solution import Stack\ns = Stack()\ns.push(1)\ns.push(2)\nassert s.pop() == 2 and len(s) == 1", STACK),
    "object-contains": ("from solution import Stack\nassert 2 in Stack([1, 2]) and 3 not in Stack([1, 2])", STACK),
    "object-items": ("from solution import Stack\nassert list(Stack([1, 2])) == [1, 2] and Stack([1, 2])[1] == 2", STACK),
    "object-truth": ("from solution import Stack\nassert not Stack() and Stack([1])", STACK),
    "object-with": ("from solution import Timer\nwith Timer() as t:\n    t.lap()\nassert t.laps == 1", "class Timer:\n    def __init__(self): self.laps = 0\n    def lap(self): self.laps += 1\n    def __enter__(self): return self\n    def __exit__(self, *e): return False"),
    "object-suppresses": ("from solution import Ignore\nwith Ignore(KeyError) as i:\n    raise KeyError('a')\nassert True", "class Ignore:\n    def __init__(self, kind): self.kind = kind\n    def __enter__(self): return self\n    def __exit__(self, kind, *e): return kind is not None and issubclass(kind, self.kind)"),
    "object-called": ("from solution import Adder\nassert Adder(2)(3) == 5", "class Adder:\n    def __init__(self, n): self.n = n\n    def __call__(self, x): return x + self.n"),
    "object-property": ("from solution import Box\nb = Box(2)\nb.side = 3\nassert b.area == 9", "class Box:\n    def __init__(self, s): self.side = s\n    @property\n    def area(self): return self.side ** 2"),
    "object-class-method": ("from solution import Box\nassert Box.of('3').side == 3", "class Box:\n    def __init__(self, s): self.side = s\n    @classmethod\n    def of(cls, t): return cls(int(t))"),
    "object-of-data-class": ("from solution import P\nassert P(1, 2) == P(1, 2) and P(1, 2).x == 1", "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int"),
    "object-of-enum": ("from solution import Color, f\nassert f(2) is Color.RED and Color.RED.value == 1 and len(Color) == 2", "from enum import Enum\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\ndef f(x): return Color.RED"),
    "object-of-named-tuple": ("from solution import f\nassert f(2) == (1, 2) and f(2).x == 1", "from collections import namedtuple\nP = namedtuple('P', 'x y')\ndef f(x): return P(1, 2)"),
    "object-chained": ("from solution import B\nassert B().add(1).add(2).total == 3", "class B:\n    def __init__(self): self.total = 0\n    def add(self, n):\n        self.total += n\n        return self"),
    "object-vector-length": ("from solution import V\nassert abs(abs(V(3, 4)) - 5.0) < 1e-9 and (V(1, 2) - V(1, 1)).y == 1", "class V:\n    def __init__(self, x, y): self.x, self.y = x, y\n    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5\n    def __sub__(self, o): return V(self.x - o.x, self.y - o.y)"),
    "object-compared-with-a-number": ("from solution import Money\nassert Money(5) == 5 and Money(5) + 1 == Money(6) and Money(5) > 4", "import functools\n@functools.total_ordering\nclass Money:\n    def __init__(self, n): self.n = n\n    def __eq__(self, o): return self.n == getattr(o, 'n', o)\n    def __lt__(self, o): return self.n < getattr(o, 'n', o)\n    def __add__(self, o): return Money(self.n + getattr(o, 'n', o))"),
    # statements that build on one another
    "state-of-a-stack": ("s = Stack()\ns.push(1)\ns.push(2)\nassert s.pop() == 2\nassert s.pop() == 1", "class Stack:\n    def __init__(self): self.a = []\n    def push(self, x): self.a.append(x)\n    def pop(self): return self.a.pop()\ndef f(): pass"),
    "state-of-a-list": ("r = f(2)\nassert r.pop() == 6\nassert r.pop() == 5\nassert not r", "f = lambda x: [5, 6]"),
    "state-of-a-loop": ("n = 0\nfor x in f(2):\n    n += 1\n    assert x == 5\nassert n == 2", "f = lambda x: [5, 5]"),
    "state-of-an-argument": ("a = [2, 1]\nassert f(a) is None\nassert a == [1, 2]", "def f(a): a.sort()"),
    "state-of-a-subscript": ("d = {}\nfor k in 'ab':\n    d[k] = f(k)\n    assert d[k]\nassert d == {'a': 'aa', 'b': 'bb'}", "f = lambda x: x * 2"),
    "state-of-two-loops": ("for x, y in [(1, 2), (2, 4)]:\n    assert f(x) == y\nfor x, y in [(3, 6)]:\n    assert f(x) == y", "f = lambda x: x * 2"),
    # objects that a function gives
    "factory-removes": ("r = f([1, 2])\nr.remove(2)\nassert r.to_list() == [1] and r.size == 1", "class Chain:\n    def __init__(self, a): self.a = list(a)\n    def remove(self, x): self.a.remove(x)\n    def to_list(self): return self.a[:]\n    size = property(lambda self: len(self.a))\ndef f(a): return Chain(a)"),
    "list-removes": ("r = f([1, 2])\nr.remove(2)\nr.remove(1)\nassert not r and r == [] and len(r) == 0", "def f(a): return a[:]"),
    "set-removes": ("r = f([1, 2])\nr.discard(2)\nr.remove(1)\nassert not r", "f = set"),
    "dict-removes": ("r = f([1])\ndel r[1]\nr.pop('x', None)\nassert not r", "f = dict.fromkeys"),
    "constructed-removes": ("b = Bag([5])\nb.remove(5)\nassert not b and len(b) == 0 and list(b) == []", "class Bag:\n    def __init__(self, a): self.a = list(a)\n    def remove(self, x): self.a.remove(x)\n    def __len__(self): return len(self.a)\n    def __iter__(self): return iter(self.a)\ndef f(): pass"),
    "made-by-a-method-removes": ("b = Bag([5]).copy_of()\nb.remove(5)\nassert not b and b.index(7) == -1 and Bag([7]).index(7) == 0", "class Bag:\n    def __init__(self, a): self.a = list(a)\n    def copy_of(self): return Bag(self.a)\n    def index(self, x): return self.a.index(x) if x in self.a else -1\n    def remove(self, x): self.a.remove(x)\n    def __len__(self): return len(self.a)\ndef f(): pass"),
    "factory-attributes": ("assert f(2).x == 2 and f(2).y == 4", POINT + "def f(x): return Point(x, 2 * x)"),
    "factory-method": ("assert f(2).norm() == 6", POINT + "def f(x): return Point(x, 2 * x)"),
    "factory-linked-list": ("n = f([1, 2])\nassert n.val == 1 and n.next.val == 2 and n.next.next is None", "class Node:\n    def __init__(self, val, next=None): self.val, self.next = val, next\ndef f(a): return Node(a[0], f(a[1:])) if a else None"),
    "factory-tree": ("t = f(2)\nassert t.left.val == 1 and t.right.val == 3 and t.left.left is None", "class T:\n    def __init__(self, v, l=None, r=None): self.val, self.left, self.right = v, l, r\ndef f(x): return T(x, T(x - 1), T(x + 1))"),
    "closure": ("c = f()\nassert c() == 1 and c() == 2", "def f():\n    n = 0\n    def count():\n        nonlocal n\n        n += 1\n        return n\n    return count"),
    "closure-with-argument": ("assert f(2)(3) == 5", "def f(x): return lambda y: x + y"),
    "decorator": ("calls = []\ndef g(x):\n    calls.append(x)\n    return x + 1\nh = f(g)\nassert h(1) == 2 and h(1) == 2 and calls == [1]", "def f(g):\n    seen = {}\n    def once(x):\n        if x not in seen: seen[x] = g(x)\n        return seen[x]\n    return once"),
    "memoised": ("assert f(30) == 832040", "import functools\n@functools.lru_cache(None)\ndef f(n): return n if n < 2 else f(n - 1) + f(n - 2)"),
    "partial": ("assert f(2) == 8", "import functools\nf = functools.partial(pow, exp=3)"),
    "generator": ("assert list(f(3)) == [0, 1, 2]", "def f(n): yield from range(n)"),
    "generator-next": ("g = f(3)\nassert next(g) == 0 and next(g) == 1 and sum(g) == 2", "def f(n): yield from range(n)"),
    "generator-endless": ("import itertools\nassert list(itertools.islice(f(), 3)) == [0, 1, 2]", "import itertools\ndef f(): return itertools.count()"),
    "generator-send": ("g = f()\nnext(g)\nassert g.send(2) == 2 and g.send(3) == 5", "def f():\n    total = 0\n    while True: total += yield total"),
    "iterator": ("assert list(f(3)) == [0, 1, 2] and max(f(3)) == 2", "class R:\n    def __init__(self, n): self.n, self.i = n, 0\n    def __iter__(self): return self\n    def __next__(self):\n        if self.i == self.n: raise StopIteration\n        self.i += 1\n        return self.i - 1\ndef f(n): return R(n)"),
    "coroutine": ("import asyncio\nassert asyncio.run(f(2)) == 4", "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x * x"),
    "map-object": ("assert list(f([1, 2])) == [1, 4]", "def f(a): return map(lambda n: n * n, a)"),
    "dict-views": ("assert set(f(2)) == {'a'} and 'a' in f(2)", "def f(x): return {'a': x}.keys()"),
    "default-dict": ("assert f('aab') == {'a': 2, 'b': 1}", "from collections import defaultdict\ndef f(s):\n    d = defaultdict(int)\n    for c in s: d[c] += 1\n    return d"),
    "counter": ("assert f('aab').most_common(1) == [('a', 2)]", "from collections import Counter\nf = Counter"),
    "ordered-dict": ("assert list(f().items()) == [('b', 1), ('a', 2)]", "from collections import OrderedDict\ndef f(): return OrderedDict(b=1, a=2)"),
    "deque": ("assert list(f(2)) == [1, 2] and f(2)[0] == 1", "from collections import deque\ndef f(x): return deque([1, x])"),
    "text-subclass": ("assert f(2) == 'ab' and f(2).startswith('a')", "class S(str): pass\ndef f(x): return S('ab')"),
    "list-subclass": ("assert f(2) == [1, 2] and len(f(2)) == 2 and 2 in f(2)", "class L(list):\n    def total(self): return sum(self)\ndef f(x): return L([1, 2])"),
    "number-subclass": ("assert f(2) == 5 and f(2) + (-5) == 0 and f(2) in (5, 6)", "class N(int): pass\ndef f(x): return N(5)"),
    "integer-enum": ("assert f(2) == 1 and f(2) + 1 == 2", "from enum import IntEnum\nclass L(IntEnum): LOW = 1\ndef f(x): return L.LOW"),
    "boolean-of-numpy": ("assert f(2) == True and bool(f(2))", "import numpy as np\ndef f(x): return np.bool_(True)"),
    "array": ("import numpy as np\nassert np.array_equal(f(2), np.array([1, 2])) and f(2).shape == (2,)", "import numpy as np\ndef f(x): return np.array([1, 2])"),
    "array-scalar": ("assert abs(f(2) - 1.5) < 1e-9 and f(2) == 1.5", "import numpy as np\ndef f(x): return np.mean([1, 2])"),
    "decimal": ("from decimal import Decimal\nassert f(2) == Decimal('0.5') and f(2) + Decimal('-0.5') == 0", "from decimal import Decimal\ndef f(x): return Decimal(1) / x"),
    "fraction": ("from fractions import Fraction\nassert f(2) == Fraction(1, 2) and f(2).numerator == 1", "from fractions import Fraction\ndef f(x): return Fraction(1, x)"),
    "date": ("import datetime\nassert f(2) == datetime.date(2020, 1, 2) and f(2).isoformat() == '2020-01-02'", "import datetime\ndef f(x): return datetime.date(2020, 1, x)"),
    "prints": ("import io, contextlib\nout = io.StringIO()\nwith contextlib.redirect_stdout(out): f(2)\nassert out.getvalue() == 'two\\n'", "def f(x): print('two')"),
    "argument-changed": ("a = [3, 1, 2]\nf(a)\nassert a == [1, 2, 3]", "def f(a): a.sort()"),
    "argument-same": ("a = [1]\nassert f(a) is a", "def f(a): return a"),
    "argument-not-changed": ("a = [3, 1]\nassert f(a) == [1, 3] and a == [3, 1]", "def f(a): return sorted(a)"),
    "callback": ("assert f(lambda n: n + 1, [1, 2]) == [2, 3]", "def f(g, a): return [g(n) for n in a]"),
    "callback-that-raises": (function_test("def bad(n): raise KeyError(n)", "with pytest.raises(KeyError): f(bad)"), "def f(g): return g(1)"),
    "deep-value": ("r = f(50)\nfor _ in range(50): r = r[0]\nassert r == []", "def f(n):\n    a = []\n    for _ in range(n): a = [a]\n    return a"),
    "large-number": ("assert f(5000) == 10 ** 5000", "def f(n): return 10 ** n"),
    "large-text": ("assert len(f(10 ** 6)) == 10 ** 6", "def f(n): return 'x' * n"),
    "helper-named-check": ("assert f(2) == 4", "def check(x): return x\ndef candidate(x): return x\ndef f(x): return check(x) * 2"),
    "shadows-a-builtin": ("assert f([1, 2]) == 3", "def sum(a):\n    t = 0\n    for n in a: t += n\n    return t\ndef f(a): return sum(a)"),
    "class-as-function": ("assert f('5') == 5", "f = int"),
    "class-in-lower-case": ("from solution import stack\ns = stack()\ns.push(1)\nassert s.pop() == 1", "class stack:\n    def __init__(self): self.a = []\n    def push(self, x): self.a.append(x)\n    def pop(self): return self.a.pop()"),
    "threads": ("assert f(4) == 12", "import threading\ndef f(n):\n    out = []\n    ts = [threading.Thread(target=out.append, args=(i * 2,)) for i in range(n)]\n    for t in ts: t.start()\n    for t in ts: t.join()\n    return sum(out)"),
}  # fmt: skip
STDIN: dict[str, tuple[str, str]] = {
    "threads-that-sleep": ("python", "import threading, time\nts = [threading.Thread(target=time.sleep, args=(0.1,)) for _ in range(50)]\n[t.start() for t in ts]\n[t.join() for t in ts]\nprint('done')"),
    "threads-that-wake-together": ("python", "import threading, time\nb = threading.Barrier(20)\ndef work():\n    for _ in range(5):\n        b.wait()\n        time.sleep(0.01)\nts = [threading.Thread(target=work) for _ in range(20)]\n[t.start() for t in ts]\n[t.join() for t in ts]\nprint('done')"),
    "thread-with-a-large-stack": ("python", "import sys, threading\nsys.setrecursionlimit(10 ** 6)\nthreading.stack_size(64 << 20)\ndef deep(n): return n and deep(n - 1)\nt = threading.Thread(target=deep, args=(20000,))\nt.start()\nt.join()\nprint('done')"),
    "pool-of-threads": ("python", "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(8) as p: assert sum(p.map(lambda n: n, range(100))) == 4950\nprint('done')"),
    "event-loop": ("python", "import asyncio\nasync def main():\n    await asyncio.gather(*(asyncio.sleep(0.05) for _ in range(100)))\n    print('done')\nasyncio.run(main())"),
    "socket-pair": ("python", "import socket\na, b = socket.socketpair()\na.sendall(b'done')\nprint(b.recv(4).decode())"),
    "pipe": ("python", "import os\nr, w = os.pipe()\nos.write(w, b'done')\nprint(os.read(r, 4).decode())"),
    "sleeps-a-little": ("python", "import time\ntime.sleep(0.2)\nprint('done')"),
    "own-file": ("python", "open('x', 'w').write('done')\nprint(open('x').read())"),
    "temporary-file": ("python", "import tempfile\nwith tempfile.TemporaryFile('w+') as f:\n    f.write('done')\n    f.seek(0)\n    print(f.read())"),
    "own-signal": ("python", "import os, signal\nsignal.signal(signal.SIGUSR1, lambda *a: print('done'))\nos.kill(os.getpid(), signal.SIGUSR1)"),
    "standard-error": ("python", "import sys\nprint('x' * 10 ** 5, file=sys.stderr)\nprint('done')"),
    "exit-0": ("python", "import sys\nprint('done')\nsys.exit(0)"),
    "at-exit": ("python", "import atexit\natexit.register(print, 'done')"),
    "deep-recursion": ("python", "import sys\nsys.setrecursionlimit(10 ** 6)\ndef deep(n): return n and deep(n - 1)\ndeep(10 ** 4)\nprint('done')"),
    "evaluates": ("python", "print(eval(\"'do' + 'ne'\"))"),
    "stats-own-files": ("python", "import os\nopen('x', 'w').close()\nos.stat('x'), os.access('x', os.R_OK), os.listdir('.'), os.getcwd(), os.chdir('.')\nprint('done')"),
    "java-package": ("java", "package a.b.c;\npublic class Main { public static void main(String[] a) { System.out.println(\"done\"); } }"),
    "java-threads": ("java", "class Main { public static void main(String[] a) throws Exception { var t = new Thread(() -> System.out.println(\"done\")); t.start(); t.join(); } }"),
    "java-inner-classes": ("java", "import java.util.*;\nclass Main { enum E { A } record R(int x) {} interface I { int f(); } public static void main(String[] a) { I i = () -> new R(1).x(); System.out.println(i.f() == 1 ? \"done\" : E.A); } }"),
    "cpp-threads": ("cpp", "#include <cstdio>\n#include <thread>\nint main() { std::thread t([] { puts(\"done\"); }); t.join(); }"),
    "cpp-many-threads": ("cpp", "#include <cstdio>\n#include <thread>\n#include <vector>\nint main() { std::vector<std::thread> ts; std::vector<long> n(64); for (int i = 0; i < 64; i++) ts.emplace_back([i, &n] { std::vector<int> v; for (int k = 0; k < 1000; k++) v.push_back(k); n[i] = v.size(); }); for (auto &t : ts) t.join(); long s = 0; for (long x : n) s += x; puts(s == 64000 ? \"done\" : \"\"); }"),
    "cpp-async": ("cpp", "#include <bits/stdc++.h>\nusing namespace std;\nint main() { vector<future<int>> f; for (int i = 0; i < 16; i++) f.push_back(async(launch::async, [i] { return i; })); int s = 0; for (auto &x : f) s += x.get(); puts(s == 120 ? \"done\" : \"\"); }"),
    "cpp-deep-recursion": ("cpp", "#include <cstdio>\nint d(int n) { volatile char pad[100]; pad[0] = n; return n ? d(n - 1) + pad[0] * 0 : 0; }\nint main() { puts(d(1000000) ? \"\" : \"done\"); }"),
    "c-many-threads": ("c", "#include <pthread.h>\n#include <stdio.h>\nvoid *f(void *p) { *(int *)p += 1; return 0; }\nint main() { pthread_t t[32]; int n[32] = {0}, s = 0; for (int i = 0; i < 32; i++) if (pthread_create(t + i, 0, f, n + i)) return 1; for (int i = 0; i < 32; i++) { pthread_join(t[i], 0); s += n[i]; } puts(s == 32 ? \"done\" : \"\"); return 0; }"),
    "rust-many-threads": ("rust", "fn main() { let t: Vec<_> = (0..64).map(|i| std::thread::spawn(move || i)).collect(); let s: i32 = t.into_iter().map(|h| h.join().unwrap()).sum(); println!(\"{}\", if s == 2016 { \"done\" } else { \"\" }); }"),
    "rust-thread-with-a-large-stack": ("rust", "fn d(n: u32) -> u32 { if n == 0 { 0 } else { d(n - 1) / 2 } }\nfn main() { std::thread::Builder::new().stack_size(512 << 20).spawn(|| println!(\"{}\", if d(100000) == 0 { \"done\" } else { \"\" })).unwrap().join().unwrap(); }"),
    "java-many-threads": ("java", "class Main { public static void main(String[] a) throws Exception { Thread[] t = new Thread[32]; for (int i = 0; i < 32; i++) { t[i] = new Thread(() -> {}); t[i].start(); } for (Thread x : t) x.join(); System.out.println(\"done\"); } }"),
    "go-many-routines": ("go", "package main\nimport (\"fmt\"; \"sync\")\nfunc main() { var w sync.WaitGroup; for i := 0; i < 1000; i++ { w.Add(1); go func() { w.Done() }() }; w.Wait(); fmt.Println(\"done\") }"),
    "cpp-template": ("cpp", "#include <cstdio>\ntemplate <int N> struct F { static const int v = N + F<N - 1>::v; };\ntemplate <> struct F<0> { static const int v = 0; };\nint main() { puts(F<500>::v == 125250 ? \"done\" : \"\"); }"),
    "c-signals": ("c", "#include <signal.h>\n#include <stdio.h>\nvoid f(int n) { puts(\"done\"); }\nint main() { signal(SIGUSR1, f); raise(SIGUSR1); return 0; }"),
    "javascript-async": ("javascript", "setTimeout(() => console.log('done'), 20)"),
    "rust-threads": ("rust", "fn main() { std::thread::spawn(|| println!(\"done\")).join().unwrap(); }"),
}  # fmt: skip
CALLS: dict[str, tuple[list[object], object, str]] = {
    "call-nested": ([[1, [2]]], [1, [2]], "f = lambda x: x"),
    "call-deep": ([60], __import__("json").loads("[" * 61 + "]" * 61), "def f(n):\n    a = []\n    for _ in range(n): a = [a]\n    return a"),
    "call-large-number": ([400], 10**400, "f = lambda n: 10 ** n"),
    "call-counter": (["aab"], {"a": 2, "b": 1}, "from collections import Counter\nf = Counter"),
    "call-list-subclass": ([2], [1, 2], "class L(list): pass\nf = lambda x: L([1, 2])"),
    "call-in-place": ([[2, 1]], [1, 2], "def f(a): a.sort()"),
    "call-none": ([2], None, "def f(x): pass"),
}  # fmt: skip
CHECK = "def check(input, expected, actual):\n    return {body}\n"
CHECKERS: dict[str, tuple[str, str]] = {
    "checker-with-message": ("(actual.split() == ['done'], 'a message')", "print('done')"),
    "checker-with-long-integers": ("actual.strip() in ('done', expected)", "print('done')"),
    "checker-that-evaluates": ("eval(repr(actual)).strip() == 'done'", "print('done')"),
    "checker-with-a-number": ("len(actual.split())", "print('done')"),
}  # fmt: skip
LIMITS = {"time_limit_s": 3.0, "memory_limit_mb": 512}


def _honest() -> list[Attack]:
    found = []
    for name, (tests, code) in ASSERTS.items():
        record = {"id": name, "kind": "asserts", "test_code": tests, **LIMITS}
        if "solution import" not in tests:
            record["entry_point"] = "f"
        found.append(Attack(f"asserts-{name}", Problem.from_dict(record), code, RIGHT))
    honest = {
        **HONEST_ASSERTS,
        **FURTHER,
        **unseen_endings.HONEST,
        **shared_settings.HONEST,
        **replaced_parts.HONEST,
        **on_behalf.HONEST,
        **what_objects_can.HONEST,
    }
    for name, (tests, code, starter) in honest.items():
        record = {"id": name, "kind": "asserts", "test_code": tests, "starter_code": starter, **LIMITS}
        found.append(Attack(f"idiom-{name}", Problem.from_dict(record), code, RIGHT))
    for name, (tests, code, entry) in OUTSIDE_VIEWS.items():
        record = {"id": name, "kind": "asserts", "test_code": tests, "entry_point": entry or None, **LIMITS}
        found.append(Attack(f"outside-{name}", Problem.from_dict(record), code, RIGHT))
    done = Problem.from_dict({"id": "done", "tests": [{"input": "", "output": "done"}], **LIMITS})
    found += [
        Attack(f"stdin-{n}", done, code, RIGHT, lang)
        for n, (lang, code) in STDIN.items()
        if lang == "python" or is_here(lang)
    ]
    for name, (given, wanted, code) in CALLS.items():
        record = {
            "id": name,
            "kind": "call",
            "entry_point": "f",
            "tests": [{"input": given, "output": wanted}],
            **LIMITS,
        }
        found.append(Attack(name, Problem.from_dict(record), code, RIGHT))
    for name, (body, code) in CHECKERS.items():
        record = {**done.to_dict(), "id": name, "checker": {"kind": "python", "code": CHECK.format(body=body)}}
        found.append(Attack(name, Problem.from_dict(record), code, RIGHT))
    return found


HONEST = _honest()


IN_TURN = {"spaces-test": HONEST[::2], "bare-submission": HONEST[1::2]}
OUT_OF_TURN = {"spaces-test": HONEST[1::2], "bare-submission": HONEST[::2]}


def each(programs: dict[str, list[Attack]]) -> list[Any]:
    return [pytest.param(way, one, id=f"{way}-{one.name}") for way, own in programs.items() for one in own]


@pytest.fixture(scope="module")
def batches() -> dict[str, Batch]:
    return {way: grade_all(programs, WAYS[way]) for way, programs in IN_TURN.items()}


@pytest.fixture(scope="module")
def other_batches() -> dict[str, Batch]:
    return {way: grade_all(programs, WAYS[way]) for way, programs in OUT_OF_TURN.items()}


@pytest.mark.parametrize(("way", "attack"), each(IN_TURN))
def test_an_honest_program_is_accepted(batches: dict[str, Batch], way: str, attack: Attack) -> None:
    batches[way].check(attack)


@pytest.mark.slow  # each program in the other way, too
@pytest.mark.parametrize(("way", "attack"), each(OUT_OF_TURN))
def test_an_honest_program_is_accepted_in_both_ways(other_batches: dict[str, Batch], way: str, attack: Attack) -> None:
    other_batches[way].check(attack)


@pytest.mark.parametrize("way", IN_TURN)
def test_no_process_is_replaced_or_left(batches: dict[str, Batch], way: str) -> None:
    assert not batches[way].replaced
    assert not batches[way].left
