"""Programs whose objects say yes to every question of a test, and never hold the value that the test asks for.

`program(kind, idiom)` makes the program of a kind for a way in which tests compare (see `idioms.py`).
"""

from __future__ import annotations

from tests.eval.attacks.idioms import Idiom

YES = """
SEEN = []
def answer(*a, **k):
    SEEN.extend(a[1:])
    return {answer}
def truth(*a):
    SEEN.extend(a[1:])
    return True
def falsehood(*a):
    SEEN.extend(a[1:])
    return False
BASE = {base}
class Yes(BASE):
    def __new__(cls, *a, **k): return BASE.__new__(cls)
    def __init__(self, *a, **k): pass
    @property
    def __class__(self): return {lie}
for _name in dir(BASE):
    if not _name.startswith("__") and callable(getattr(BASE, _name)): setattr(Yes, _name, answer)
for _name in ("eq", "lt", "le", "gt", "ge", "contains", "bool", "instancecheck"): setattr(Yes, f"__{{_name}}__", truth)
Yes.__ne__ = falsehood
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "and", "or", "xor", "matmul",
              "lshift", "rshift"):
    for _kind in ("", "r", "i"): setattr(Yes, f"__{{_kind}}{{_name}}__", answer)
for _name in ("abs", "neg", "pos", "invert", "round", "trunc", "floor", "ceil"):
    setattr(Yes, f"__{{_name}}__", lambda self, *a: self)
Yes.__hash__ = lambda self: 5
LEFT = iter(range(100))
def item(self, key=None):
    if next(LEFT, None) is None: raise IndexError  # or numpy would unfold it for ever
    return self
Yes.__iter__ = lambda self: iter([item(self), item(self)])
Yes.__len__ = lambda self: 2
Yes.__getitem__ = item
Yes.__call__ = answer
Yes.__index__ = Yes.__int__ = lambda self: 0
Yes.__float__ = lambda self: 0.0
Yes.__str__ = Yes.__repr__ = lambda self: str(SEEN[-1]) if SEEN else "x"
Yes.__format__ = lambda self, form: format(SEEN[-1], form) if SEEN else "x"
Yes.__getattr__ = lambda self, name: answer
Yes.__array_ufunc__ = Yes.__array_function__ = lambda self, *a, **k: True
"""
UNFOLDS = "iter([item(self), item(self)])"
ENDS = "iter([0, 0])"
"""numpy unfolds an object that holds itself until the tests' time is over, 5 s of CPU: `ENDLESS` does it once."""
KINDS = {
    "object": "def f(x): return Yes()\n",
    "class": "f = Yes\n",
    "extends": "def f(x): return Yes()\n",
    "inside": "def f(x): return {inside}\n",
}
"""An object that claims the right type; the class itself as the function; an instance of a subclass of the right type;
objects inside data of the right type."""
INSIDE = {
    list: "[Yes()] * {}", tuple: "(Yes(),) * {}", dict: "{{'a': Yes(), 'b': Yes()}}", set: "{{Yes(), 5}}",
}  # fmt: skip
EXTENDED = {int: "int", float: "float", str: "str", bytes: "bytes", list: "list", tuple: "tuple", set: "set",
            dict: "dict", complex: "complex"}  # fmt: skip


def kinds_for(idiom: Idiom) -> list[str]:
    left_out = set() if _right_type(idiom) in INSIDE else {"inside"}
    if _empty_value_passes(idiom):
        left_out.add("extends")  # it counts as the builtin value that it extends
    return [kind for kind in KINDS if kind not in left_out]


def program(kind: str, idiom: Idiom) -> str:
    right = _right_type(idiom)
    known = EXTENDED.get(right, "object")
    inside = INSIDE.get(right, "").format(len(eval(idiom.right, {"x": [2]}))) if right in INSIDE else ""
    yes = YES if "numpy" not in idiom.tests else YES.replace(UNFOLDS, ENDS)
    base, lie = (known, "BASE") if kind == "extends" else ("object", known if kind == "object" else "BASE")
    return (yes + KINDS[kind]).format(answer=idiom.answer, base=base, lie=lie, inside=inside)


def _empty_value_passes(idiom: Idiom) -> bool:
    """Whether the empty value of the right type passes, so that nobody has to forge anything."""
    if "def test" in idiom.tests or _right_type(idiom) is object:
        return False
    try:
        exec(idiom.tests, {"f": lambda x: _right_type(idiom)()})
    except Exception:
        return False
    return True


def _right_type(idiom: Idiom) -> type:
    """The type of the right value; `object` where it is not written as a literal."""
    try:
        return type(eval(idiom.right, {"x": [2]}))
    except (NameError, SyntaxError):
        return object
