# ruff: noqa: E501 - programs, each on the line that names it
"""Programs that end their tests without a failure, or define what the tests use of a library without importing it.

`FORGERIES`: (tests, a program that must not pass them). `HONEST`: (tests, a right program, starter code).
"""

from __future__ import annotations

from tests.eval.attacks.further_forgeries import YES

FORGERIES: dict[str, tuple[str, str]] = {
    "gather-return": (
        "import asyncio\nasync def c(x):\n    assert await f(x) == x+1\nasync def m():\n    for r in await asyncio.gather(c(1),return_exceptions=True):\n        assert not isinstance(r, Exception)\nasyncio.run(m())",
        "import asyncio\nasync def f(x): raise asyncio.CancelledError",
    ),
    "stop-async-anext": (
        "import asyncio\nclass It:\n    def __init__(s): s.i=0\n    def __aiter__(s): return s\n    async def __anext__(s):\n        s.i+=1\n        if s.i>3: raise StopAsyncIteration\n        return await f(s.i)\nasync def m():\n    async for x in It(): assert x == 5\nasyncio.run(m())",
        "async def f(x): raise StopAsyncIteration",
    ),
    "decimal-free": ("assert f(2) == Decimal('1.5')", "def Decimal(s): return 4\ndef f(x): return 4"),
    "deepcopy-free": (
        "a=[1]\nassert f(a) == deepcopy(a)+[2]",
        "def deepcopy(a):\n    class L(list): pass\n    return []\ndef f(a): return [2]",
    ),
    "numpy-testing-name": (
        "assert_allclose(f(2), [1.5])",
        YES + "def assert_allclose(*a, **k): pass\ndef f(x): return 4",
    ),
    "approx-free": ("assert f(2) == approx(1.5)", YES + "def approx(x): return 4\ndef f(x): return 4"),
    "pd-free": ("pd.testing.assert_frame_equal(f(2), pd.DataFrame({'a':[1]}))", YES + "pd=Yes()\ndef f(x): return 4"),
    "pandas-free": (
        "pandas.testing.assert_frame_equal(f(2), pandas.DataFrame({'a':[1]}))",
        YES + "pandas=Yes()\ndef f(x): return 4",
    ),
    "own-baseexc-gather": (
        "import asyncio\nasync def c(x):\n    assert await f(x) == x+1\nasync def m():\n    for r in await asyncio.gather(c(1),return_exceptions=True):\n        assert not isinstance(r, Exception)\nasyncio.run(m())",
        "class E(BaseException): pass\nasync def f(x): raise E",
    ),
    "taskgroup-cancel": (
        "import asyncio\nasync def c(x): assert await f(x) == x+1\nasync def m():\n    async with asyncio.TaskGroup() as t:\n        t.create_task(c(1))\ndef test_f(): asyncio.run(m())",
        "import asyncio\nasync def f(x): raise asyncio.CancelledError",
    ),
    "next-in-map": ("assert list(map(next, [f(1)])) == []", "def f(x): return iter([])"),
    "next-in-lambda": ("assert all(map(lambda x: next(f(x)) == x, [1, 2]))", "def f(x): return iter([])"),
    "next-in-function": (
        "def right(x):\n    return next(f(x)) == x\nassert all(map(right, [1, 2]))",
        "def f(x): return iter([])",
    ),
    "next-by-its-method": ("assert all(map(lambda x: f(x).__next__() == x, [1, 2]))", "def f(x): return iter([])"),
    "index-in-getitem": (
        "class Seq:\n    def __getitem__(s, i):\n        assert f(i) == i\n        return i\ndef test_f():\n    for x in Seq():\n        if x > 3: break",
        "def f(x): raise IndexError",
    ),
    "attribute-in-getattr": (
        "class Has:\n    def __getattr__(s, n): return f(n)\nassert not hasattr(Has(), 'x') or f('x') == 5",
        "def f(x): raise AttributeError",
    ),
    "mock-free": (
        "def test_f():\n    m = Mock(return_value=3)\n    assert f(m) == 3\n    m.assert_called_once_with(5)",
        YES + "def Mock(**k): return Yes()\ndef f(x): return 3",
    ),
}
HONEST: dict[str, tuple[str, str, str]] = {
    "send-stop": (
        "import pytest\ndef test_f():\n    g=f()\n    next(g)\n    with pytest.raises(StopIteration) as e: g.send(4)\n    assert e.value.value == 5",
        "def f():\n    x = yield 1\n    return x+1",
        "",
    ),
    "send-stop-try": (
        "g=f()\nnext(g)\ntry:\n    g.send(4)\n    assert False\nexcept StopIteration as e:\n    assert e.value == 5",
        "def f():\n    x = yield 1\n    return x+1",
        "",
    ),
    "cancelled": (
        "import asyncio, pytest\ndef test_f():\n    with pytest.raises(asyncio.CancelledError): asyncio.run(f())",
        "import asyncio\nasync def f(): raise asyncio.CancelledError",
        "",
    ),
    "raises-stop": (
        "import pytest\ndef test_f():\n    with pytest.raises(StopIteration): f(2)",
        "def f(x): raise StopIteration",
        "",
    ),
    "assertRaises-stop": (
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        with self.assertRaises(StopIteration): f(2)",
        "def f(x): raise StopIteration",
        "",
    ),
    "approx-namedtuple": (
        "import pytest\ndef test_f():\n    assert f(2) == pytest.approx((1.0, 0.3))",
        "from collections import namedtuple\nP=namedtuple('P','a b')\ndef f(x): return P(1.0,0.1+0.2)",
        "",
    ),
    "approx-default-dict": (
        "import pytest\ndef test_f():\n    assert f(2) == pytest.approx({'a': 0.3})",
        "from collections import defaultdict\ndef f(x):\n    d=defaultdict(float)\n    d['a']=0.1+0.2\n    return d",
        "",
    ),
    "approx-ordered": (
        "import pytest\ndef test_f():\n    assert f(2) == pytest.approx({'a': 0.3})",
        "from collections import OrderedDict\ndef f(x): return OrderedDict(a=0.1+0.2)",
        "",
    ),
    "approx-data-class-list": (
        "import pytest\ndef test_f():\n    assert f(2) == pytest.approx([0.3])",
        "class L(list): pass\ndef f(x): return L([0.1+0.2])",
        "",
    ),
    "genexit": (
        "import pytest\ndef test_f():\n    with pytest.raises(GeneratorExit): f(2)",
        "def f(x): raise GeneratorExit",
        "",
    ),
    "approx-tuple-vs-list": (
        "import pytest\ndef test_f():\n    assert f(2) == pytest.approx([0.3,1])",
        "def f(x): return (0.1+0.2,1)",
        "",
    ),
    "group-of-tasks": (
        "import asyncio\nasync def c(x): assert await f(x) == x+1\nasync def m():\n    async with asyncio.TaskGroup() as t:\n        t.create_task(c(1))\ndef test_f(): asyncio.run(m())",
        "async def f(x): return x+1",
        "",
    ),
    "class-named-as-a-library's": (
        "d = Decimal(3)\nd.halve()\nassert d.value == 1.5 and str(f(d)) == '1.5'",
        "class Decimal:\n    def __init__(s, v): s.value = v\n    def halve(s): s.value /= 2\n    def __str__(s): return str(s.value)\ndef f(d): return d",
        "",
    ),
    "function-named-as-a-library's": (
        "assert deepcopy([1, [2]]) == [1, [2]]",
        "def deepcopy(a): return [deepcopy(x) if isinstance(x, list) else x for x in a]",
        "",
    ),
    "next-ends-a-loop": (
        "g = f(2)\nfound = []\nwhile True:\n    try: found.append(next(g))\n    except StopIteration: break\nassert found == [0, 1]",
        "def f(n): return iter(range(n))",
        "",
    ),
    "next-ends-an-own-iterator": (
        "class It:\n    def __init__(s, g): s.g = g\n    def __iter__(s): return s\n    def __next__(s): return next(s.g)\nassert list(It(f(2))) == [0, 1]",
        "def f(n): return iter(range(n))",
        "",
    ),
    "next-with-a-default": (
        "g = f(1)\nassert next(g) == 0 and next(g, None) is None and list(map(next, [f(2), f(3)])) == [0, 0]",
        "def f(n): return iter(range(n))",
        "",
    ),
    "index-in-getitem-of-right": (
        "class Seq:\n    def __getitem__(s, i): return f(i)\nassert [Seq()[i] for i in range(3)] == [0, 1, 4]\ntry:\n    Seq()[9]\n    assert False\nexcept IndexError: pass",
        "def f(x): return [0, 1, 4][x]",
        "",
    ),
    "mock-free-as-argument": (
        "def test_f():\n    m = Mock(return_value=3)\n    assert f(m) == 3\n    m.assert_called_once_with(5)",
        "def f(g): return g(5)",
        "",
    ),
    "own-variable-next": ("next = f(2)\nassert next == 3", "def f(n): return n + 1", ""),
    "own-next-of-the-program": ("assert next(2) == 3", "def next(n): return n + 1", ""),
}
