"""Whether a program can leave anything behind in its process: one that cannot may run all its tests in one process.

    >>> leaves_nothing("print(sum(map(int, input().split())))")
    True
    >>> leaves_nothing("import builtins; builtins.print = None")
    False

It is decided from the program's syntax, without running it, and in doubt the answer is no. A program passes when no
expression of it can have a value that outlives a test and that can be changed: a module, a Python class or function of
the library, a frame, a namespace. So modules are only read by names that are listed here; library functions that are
written in Python are only called; nothing is looked up by a computed name; no code of it runs when an object is freed.

What is not looked at: how long it takes, and its memory. The supervisor watches both (`supervisor/trial.py`).
"""

from __future__ import annotations

import builtins
import operator

from microcoder_eval.boundary.box_protocol import CALLING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ONLY_SYNTAX_TREE = 0x400
"""`ast.PyCF_ONLY_AST`; the module `ast` would make every fork of the zygote more expensive."""
IMMUTABLE_TYPE = 1 << 8
"""`Py_TPFLAGS_IMMUTABLETYPE`"""

FREE = {
    "__future__": {"annotations"},
    "bisect": {"bisect", "bisect_left", "bisect_right", "insort", "insort_left", "insort_right"},
    "collections": {"OrderedDict", "defaultdict", "deque"},
    "functools": {"reduce"},
    "heapq": {"heapify", "heappop", "heappush", "heappushpop", "heapreplace"},
    "itertools": {
        *("accumulate", "chain", "combinations", "combinations_with_replacement", "compress", "count", "cycle"),
        *("dropwhile", "filterfalse", "groupby", "islice", "pairwise", "permutations", "product", "repeat"),
        *("starmap", "takewhile", "tee", "zip_longest"),
    },
    "math": {
        *("acos", "asin", "atan", "atan2", "ceil", "comb", "copysign", "cos", "degrees", "dist", "e", "exp", "fabs"),
        *("factorial", "floor", "fmod", "fsum", "gcd", "hypot", "inf", "isclose", "isfinite", "isinf", "isnan"),
        *("isqrt", "lcm", "log", "log10", "log1p", "log2", "modf", "nan", "perm", "pi", "pow", "prod", "radians"),
        *("remainder", "sin", "sinh", "sqrt", "tan", "tanh", "tau", "trunc"),
    },
    "operator": {"add", "and_", "floordiv", "itemgetter", "mod", "mul", "neg", "or_", "sub", "truediv", "xor"},
    "string": {"ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits", "punctuation"},
    "sys": {"exit", "getrecursionlimit", "maxsize", "setrecursionlimit", "stderr", "stdin", "stdout"},
}
"""By module: what nobody can change, and streams, which every test gets anew, and the recursion limit, likewise."""
ONLY_CALLED = {
    "collections": {"Counter", "namedtuple"},
    "copy": {"copy", "deepcopy"},
    "functools": {"cache", "cmp_to_key", "lru_cache"},
    "heapq": {"merge", "nlargest", "nsmallest"},
    "typing": {"Counter", "OrderedDict"},
    CALLING: {"ListNode", "TreeNode"},
}
"""By module: functions and classes written in Python, which have attributes that can be set."""
ONLY_IN_ANNOTATIONS = {
    "typing": {"Any", "Callable", "Deque", "Dict", "FrozenSet", "Iterable", "Iterator", "List", "Optional", "Sequence"}
    | {"Set", "Tuple", "Union"}
}
"""By module: what keeps its arguments in a cache; annotations with builtin types are the same in every test."""
MODULES = {*FREE, *ONLY_CALLED, *ONLY_IN_ANNOTATIONS} - {"__future__"}
BUILTIN_TYPES = {"bool", "bytes", "complex", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"}
REFUSED_BUILTINS = {
    *("aiter", "anext", "breakpoint", "compile", "copyright", "credits", "delattr", "eval", "exec", "getattr"),
    *("globals", "help", "license", "locals", "open", "setattr", "type", "vars"),
}
"""Builtins that look things up by name, make classes of dictionaries, or open a file."""
CALLED_BUILTINS = {"exit", "quit"}
"""Objects of Python classes."""
REFUSED_ATTRIBUTES = {"detach", "obj", "raw", "reconfigure"}
"""They take a stream's layers apart, so that what one keeps would be written when it is freed, in another test; or they
lead from an AttributeError to what lacks the attribute."""
NEVER_SET = {"buffer", "close", "closed", "flush", "write"}
"""What is looked up on a stream when it is freed."""
INSIDES = ("ag_", "co_", "cr_", "f_", "func_", "gi_", "tb_")
"""How attributes begin that lead to frames and code."""
METHODS = {
    *("init", "repr", "str", "hash", "bool", "len", "iter", "next", "reversed", "contains", "call", "missing"),
    *("getitem", "setitem", "delitem", "eq", "ne", "lt", "le", "gt", "ge", "index", "int", "float", "neg", "abs"),
    *(
        f"{side}{name}"
        for side in ("", "r", "i")
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift")
    ),
}
"""The special methods that a class may define, all called only by what the program does itself."""
NODES = {
    *("Module", "Expr", "Assign", "AugAssign", "AnnAssign", "Delete", "Pass", "Break", "Continue", "If", "For"),
    *("While", "Return", "Global", "Nonlocal", "Assert", "Raise", "Try", "ExceptHandler", "With", "withitem"),
    *("Import", "ImportFrom", "FunctionDef", "ClassDef", "Lambda", "arguments", "arg", "keyword", "BoolOp"),
    *("BinOp", "UnaryOp", "NamedExpr", "IfExp", "Dict", "Set", "List", "Tuple", "ListComp", "SetComp"),
    *("DictComp", "GeneratorExp", "comprehension", "Yield", "YieldFrom", "Compare", "Call", "JoinedStr"),
    *("FormattedValue", "Constant", "Attribute", "Subscript", "Slice", "Starred", "Name", "Load", "Store"),
    *("Del", "And", "Or", "Add", "Sub", "Mult", "MatMult", "Div", "Mod", "Pow", "LShift", "RShift", "BitOr"),
    *("BitXor", "BitAnd", "FloorDiv", "Invert", "Not", "UAdd", "USub", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"),
    *("Is", "IsNot", "In", "NotIn"),
}
IN_ANNOTATIONS = {"Name", "Attribute", "Subscript", "Tuple", "List", "Constant", "BinOp", "BitOr", "Load"}


def leaves_nothing(source: str, given: Mapping[str, object] | None = None) -> bool:
    """Whether a program leaves its process as it found it. `given`: names that it has without importing them."""
    try:
        tree = compile(source, "", "exec", ONLY_SYNTAX_TREE, dont_inherit=True)
        return _Reading(given or {}).accepts(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


class _Reading:
    """One program, read once: first what it imports, then every node."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self.imported: dict[str, tuple[str, str]] = {}
        """By the name that the program gives it: a module, and what of it, or ""."""
        self.modules: set[str] = set()
        self.only_called = {*CALLED_BUILTINS}
        self.annotations: set[str] = set()
        """Names that only annotations may use."""
        self.refused = {*REFUSED_BUILTINS}
        self.bound: set[str] = set()
        self.kinds: set[str] = set()
        for name, value in given.items():
            self._give(name, value)

    def _give(self, name: str, value: object) -> None:
        module = getattr(value, "__module__", None) or ""
        if type(value) is type(builtins):
            known = self._note(name, value.__name__, "")
        else:
            known = name in vars(builtins) or self._note(name, module.lstrip("_"), name) or cannot_change(value)
        if not known:
            self.refused.add(name)

    def accepts(self, tree: Any) -> bool:
        if not self._read_imports(tree):
            return False
        waiting = [(tree, "")]
        while waiting:
            node, use = waiting.pop()
            kind = type(node).__name__
            self.kinds.add(kind)
            if kind not in NODES or not self._allows(node, kind, use):
                return False
            waiting += _uses(node, kind, use)
        types = BUILTIN_TYPES if self.annotations else set()
        if self.bound & (self.modules | self.only_called | self.annotations | types):
            return False
        # a generator that is freed runs what these have left to do
        return not (self.kinds & {"Yield", "YieldFrom"} and self.kinds & {"Try", "With"})

    def _read_imports(self, tree: Any) -> bool:
        """Note the imported names. In the body of a class they would be attributes, and so values."""
        waiting = [(tree, False)]
        while waiting:
            node, in_class = waiting.pop()
            kind = type(node).__name__
            if kind in ("Import", "ImportFrom") and (in_class or not self._import(node, kind)):
                return False
            in_class = kind == "ClassDef" or (in_class and kind not in ("FunctionDef", "Lambda"))
            waiting += [(part, in_class) for part in _parts(node)]
        return True

    def _import(self, node: Any, kind: str) -> bool:
        module = "" if kind == "Import" or node.level else node.module or ""
        if kind == "ImportFrom" and not module:
            return False
        return all(
            self._note(alias.asname or alias.name, module or alias.name, alias.name if module else "")
            for alias in node.names
        )

    def _note(self, name: str, module: str, what: str) -> bool:
        """Note what a name means; False when that is not listed, or when the name means something else already."""
        if name.startswith("_") or self.imported.setdefault(name, (module, what)) != (module, what):
            return False
        if not what:
            self.modules.add(name)
            return module in MODULES
        if what in ONLY_CALLED.get(module, ()):
            self.only_called.add(name)
        elif what in ONLY_IN_ANNOTATIONS.get(module, ()):
            self.annotations.add(name)
        elif what not in FREE.get(module, ()):
            del self.imported[name]
            return False
        return True

    def _allows(self, node: Any, kind: str, use: str) -> bool:
        if use in ("annotation", "inside") and kind not in IN_ANNOTATIONS:
            return False
        if kind == "Name":
            return self._allows_name(node, use)
        if kind == "Attribute":
            return self._allows_attribute(node, use)
        name = getattr(node, "arg" if kind in ("arg", "keyword") else "name", None)
        if type(name) is not str:
            return True
        if kind != "keyword":
            self.bound.add(name)
        return _is_plain(name) or (kind == "FunctionDef" and name[2:-2] in METHODS)

    def _allows_name(self, node: Any, use: str) -> bool:
        name = node.id
        if type(node.ctx).__name__ != "Load":
            self.bound.add(name)
            return _is_plain(name) and name not in self.refused
        if name in self.modules:
            return use == "module"
        if name in self.only_called:
            return use in ("called", "annotation", "inside")
        if name in self.annotations:
            return use in ("annotation", "inside")
        if use == "inside":
            return name in BUILTIN_TYPES
        return name == "__name__" or not (name.startswith("__") or name in self.refused)

    def _allows_attribute(self, node: Any, use: str) -> bool:
        name, of, reads = node.attr, node.value, type(node.ctx).__name__ == "Load"
        if type(of).__name__ == "Name" and of.id in self.modules:
            module = self.imported[of.id][0]
            free = name in FREE.get(module, ()) or (use == "called" and name in ONLY_CALLED.get(module, ()))
            return reads and free
        if use == "inside" or name in REFUSED_ATTRIBUTES or name.startswith(INSIDES):
            return False
        if name in NEVER_SET and not reads:
            return False
        return _is_plain(name) or (name == "__init__" and reads)


def cannot_change(value: object) -> bool:
    """Whether nothing about an object can be changed, and it changes nothing and looks nothing up by name."""
    if value is operator.attrgetter or value is operator.methodcaller:
        return False
    if isinstance(value, type):
        return bool(value.__flags__ & IMMUTABLE_TYPE)
    return value is None or type(value) in (int, float, str, type(len))


def _is_plain(name: str) -> bool:
    """Whether a name is not one of the language's own."""
    return not (name.startswith("__") and name.endswith("__"))


def _parts(node: Any) -> list[Any]:
    """The nodes directly below."""
    found: list[Any] = []
    for field in node._fields:
        value = getattr(node, field, None)
        found += [part for part in (value if type(value) is list else [value]) if hasattr(part, "_fields")]
    return found


def _uses(node: Any, kind: str, use: str) -> list[tuple[Any, str]]:
    """The nodes directly below, each with its use: "module", "called", "annotation", "inside" one, or "" for any."""
    if kind in ("Import", "ImportFrom"):
        return []  # they have been read
    parts = _parts(node)
    if kind == "Attribute":
        return [(part, "module" if type(part).__name__ == "Name" else "") for part in parts]
    if use in ("annotation", "inside"):
        return [(part, "inside") for part in parts]
    uses = {id(part): "called" for part in (getattr(node, "func", None), *getattr(node, "decorator_list", ()))}
    uses |= {id(getattr(node, field, None)): "annotation" for field in ("annotation", "returns")}
    return [(part, uses.get(id(part), "")) for part in parts]
