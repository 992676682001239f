# ruff: noqa: E501 - programs, each on the line that names it
"""Test programs that derive classes from the program's, or change what is in the attributes of its objects."""

from __future__ import annotations

import pytest

from microcoder_eval import Grade, Grader, Problem, Submission, Verdict

ANIMAL = """
class Animal:
    def __init__(self, name): self.name = name
    def speak(self): return '...'
    def intro(self): return self.name + ': ' + self.speak()
    def __eq__(self, other): return isinstance(other, Animal) and self.name == other.name
"""
SHAPE = """
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    def describe(self): return f'{type(self).__name__} {self.area():.1f}'
"""
STACK = """
class Stack:
    shared = {'a': 1}
    def __init__(self): self.items = [1]
    def push(self, x): self.items.append(x)
    def reset(self): self.items = []
    @property
    def copy(self): return list(self.items)
"""
PLUGIN = """
class Plugin:
    name, seen = '', []
    def __init_subclass__(cls): Plugin.seen.append(cls.__name__)
    def run(self, x): raise NotImplementedError
class Registry:
    def __init__(self): self.found = {}
    def add(self, plugin): self.found[plugin.name] = plugin
    def run(self, name, x): return self.found[name].run(x)
def make(kind, x): return kind().run(x)
"""
HONEST = {
    "overrides": ("class Dog(Animal):\n    def speak(self): return 'Woof'\nassert Dog('x').intro() == 'x: Woof'", ANIMAL),
    "adds-nothing": ("class Dog(Animal): pass\nassert Dog('x').speak() == '...' and isinstance(Dog('x'), Animal) and issubclass(Dog, Animal)", ANIMAL),
    "super": ("class Dog(Animal):\n    def __init__(self, name, age):\n        super().__init__(name)\n        self.age = age\n    def speak(self): return super().speak() + '!'\nd = Dog('x', 3)\nassert d.intro() == 'x: ...!' and d.age == 3 and d.name == 'x'", ANIMAL),
    "twice": ("class D(Animal):\n    def speak(self): return 'a'\nclass E(D):\n    def speak(self): return super().speak() + 'b'\nassert E('x').intro() == 'x: ab'", ANIMAL),
    "mixin": ("class M:\n    def hi(self): return 'hi ' + self.name\nclass D(M, Animal): pass\nassert D('x').hi() == 'hi x'", ANIMAL),
    "compared": ("class D(Animal): pass\nassert D('a') == D('a') and D('a') != D('b') and D('a') == Animal('a')", ANIMAL),
    "abstract": ("class Square(Shape):\n    def __init__(self, a): self.a = a\n    def area(self): return self.a ** 2\nassert Square(2).describe() == 'Square 4.0' and Square(3).area() == 9", SHAPE),
    "abstract-left-out": ("import pytest\ndef test_a():\n    class Bad(Shape): pass\n    with pytest.raises(TypeError): Bad()", SHAPE),
    "called-by-the-program": ("class P(Plugin):\n    name = 'p'\n    def run(self, x): return x + 1\nr = Registry()\nr.add(P())\nassert r.run('p', 1) == 2 and make(P, 3) == 4 and Plugin.seen == ['P']", PLUGIN),
    "members": ("class S(Base):\n    @property\n    def v(self): return 5\n    @classmethod\n    def make(cls): return cls()\n    @staticmethod\n    def seven(): return 7\nassert S().twice() == 10 and S.make().v == 5 and S.seven() == 7", "class Base:\n    def twice(self): return self.v * 2"),
    "state": ("class Dog(Animal):\n    count = 0\n    def speak(self):\n        self.n = getattr(self, 'n', 0) + 1\n        Dog.count += 1\n        return str(self.n)\nd = Dog('x')\nd.intro()\nassert d.intro() == 'x: 2' and Dog.count == 2", ANIMAL),
    "lists": ("class L(Stack):\n    def __init__(self):\n        super().__init__()\n        self.log = []\n    def push(self, x): self.items.append(x * 2)\n    def note(self, x): self.log.append(x)\ns = L()\ns.push(2)\ns.note(3)\ns.note(4)\nassert s.items == [1, 4] and s.log == [3, 4]", STACK),
    "visitor": ("class W(Visitor):\n    def __init__(self): self.seen = []\n    def visit(self, n): self.seen.append(n)\nw = W()\nwalk([1, [2]], w)\nassert w.seen == [1, 2]", "class Visitor: pass\ndef walk(t, v):\n    for x in t: walk(x, v) if isinstance(x, list) else v.visit(x)"),
    "generic-and-named-arguments": ("class C(Base[int], tag='t'): pass\nassert C().v() == 't'", "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Base(Generic[T]):\n    def __init_subclass__(cls, tag): cls.tag = tag\n    def v(self): return self.tag"),
    "of-a-list": ("class S(Total): pass\ns = S([1, 2])\nassert s.total() == 3 and list(s) == [1, 2]", "class Total(list):\n    def total(self): return sum(self)"),
    "changed-attribute": ("s = Stack()\ns.items.append(2)\ns.push(3)\nassert s.items == [1, 2, 3] and s.items is s.items", STACK),
    "changed-inside-an-attribute": ("m = Matrix([[1, 2], [3, 4]])\nm.rows[0][0] = 9\nassert m.at(0, 0) == 9", "class Matrix:\n    def __init__(self, rows): self.rows = rows\n    def at(self, i, j): return self.rows[i][j]"),
    "changed-copy": ("s = Stack()\na = s.copy\na.append(9)\ns.push(4)\nassert s.items == [1, 4] and len(s.copy) == 2 and a == [1, 9]", STACK),
    "changed-class-attribute": ("Stack.shared['b'] = 2\nassert Stack().shared == {'a': 1, 'b': 2}", STACK),
    "replaced-attribute": ("s = Stack()\nold = s.items\ns.reset()\nassert s.items == [] and old == [1]", STACK),
}  # fmt: skip
YES = "class Evil:\n    def __eq__(self, other): return True\n    def startswith(self, other): return True\n"
BASE = YES + "class Base(Evil): pass\n"
FORGED = {
    "returned": ("class D(Base): pass\nassert D() and f(2) == 5", BASE + "def f(x): return Base.__subclasses__()[0]()"),
    "returned-and-asked": ("class D(Base): pass\nassert D() and f(2).startswith('Hello')", BASE + "def f(x): return Base.__subclasses__()[0]()"),
    "class-returned": ("class D(Base): pass\nassert D() and f(2) == 5", BASE + "def f(x): return Base.__subclasses__()[0]"),
    "handed-to-a-method": ("seen = []\nclass D(Base):\n    def visit(self, v): seen.append(v)\nf(D())\nassert seen == [5]", BASE + "def f(d): d.visit(Evil())"),
    "itself-handed-to-a-method": ("seen = []\nclass D(Base):\n    def visit(self, v): seen.append(v)\nf(D())\nassert seen == [5]", BASE + "def f(d): d.visit(d)"),
    "super-returns": ("class D(Base):\n    def v(self): return super().v()\nassert D().v() == 5", BASE + "Base.v = lambda self: Evil()"),
    "metaclass-gives-another": ("class D(Base):\n    def v(self): return 5\nassert f(D()) == 5", YES + "class M(type):\n    def __new__(m, n, b, d): return Evil if n == 'D' else super().__new__(m, n, b, d)\nclass Base(metaclass=M): pass\ndef f(d): return Evil()"),
    "metaclass-gives-a-number": ("class D(Base): pass\nassert D() == 5", "class M(type):\n    def __new__(m, n, b, d): return 5 if n == 'D' else super().__new__(m, n, b, d)\nclass Base(metaclass=M): pass"),
    "attribute-of-a-returned-one": ("class D(Base):\n    def key(self): return self.k\nassert best([D()]).key() == 5", BASE + "Base.k = Evil()\ndef best(l): return l[0]"),
    "super-returns-a-sum": ("class D(Base):\n    def total(self): return super().total() + 0\nassert D().total() == 5", BASE + "Evil.__add__ = lambda self, other: self\nBase.total = lambda self: Evil()"),
    "in-an-attribute": ("s = Base()\ns.add(5)\nassert 5 in s.items", BASE + "def add(self, x): self.items = [Evil()]\nBase.add = add"),
    "no-generic-class": ("class D(f(2)[int]): pass\nassert D() == 5", BASE + "class G:\n    __origin__ = Base\n    def __getitem__(self, key): return self\ndef f(x): return G()"),
    "no-class": ("class D(f(2)): pass\nassert D() == 5", BASE + "def f(x): return Base"),
    "method-removed": ("class D(Base):\n    def v(self): return 5\nassert f(D()) == 5", "class Base:\n    def __init_subclass__(cls): del cls.v\ndef f(d): return d.v()"),
    "attribute-written-back": ("s = Base()\ns.items.append(2)\nassert f(1) == 5", BASE + "Base.items = []\ndef f(x): return Evil()"),
}  # fmt: skip


def grades(grader: Grader, cases: dict[str, tuple[str, str]]) -> dict[str, Grade]:
    futures = {}
    for name, (tests, code) in cases.items():
        problem = Problem.from_dict({"id": name, "kind": "asserts", "test_code": tests, "time_limit_s": 3.0})
        futures[name] = grader.submit(problem, Submission(name, name, code))
    return {name: future.result() for name, future in futures.items()}


def test_a_right_program_is_accepted(grader: Grader) -> None:
    found = grades(grader, HONEST)
    assert not {name: (g.verdict, [t.detail for t in g.tests]) for name, g in found.items() if not g.accepted}


def test_no_object_of_a_derived_class_answers_for_a_value(grader: Grader) -> None:
    found = grades(grader, FORGED)
    wrong = (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)
    assert not {name: g.verdict for name, g in found.items() if g.verdict not in wrong}


@pytest.mark.parametrize(
    "second", ["import enum\nclass D(Base, enum.Enum): pass", "class E: pass\nclass D(Base, E): pass"]
)
def test_what_cannot_be_derived_here_is_no_fault_of_the_program(grader: Grader, second: str) -> None:
    found = grades(grader, {"p": (f"{second}\nassert D().v() == 5", "class Base:\n    def v(self): return 5")})
    assert found["p"].verdict is Verdict.JUDGE_ERROR
