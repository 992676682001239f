"""Which classes of a program the tests construct, read from the tests' text and the starter code.

An object may answer for itself only if the tests construct it by the name of such a class. The program's own text does
not count: it could call any object `Stack`, or define a class under the name of the function that it was asked for.
Nor does a capital letter: functions are called `Split` too, and an instance of a class of that name could claim to
equal any list. What counts is how the tests use what they construct.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import lru_cache

from microcoder_eval.boundary.assert_units import FUNCTIONS, last_name
from microcoder_eval.sandbox.asserts.instances import CLASS_NAME, TYPE_CHECKS, Instances
from microcoder_eval.sandbox.asserts.trust import OTHER_TYPES, TEXT_AND_NUMBERS

DEFINED_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)", re.MULTILINE)
DEFINED_METHOD = re.compile(r"^[ \t]+(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
DEFINED_FUNCTION = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)
SEARCHING = {"assertIn": True, "assertNotIn": False}
BY_NAME = ("getattr", "hasattr", "setattr")
COMPARING = ("isclose", "allclose", "assertEqual", "assertEquals", "assertAlmostEqual")
EQUALITIES = ("assertEqual", "assertIs")
ALWAYS_CLASSES = {"Solution"}
ARRAY = {"shape", "dtype", "ndim", "size", "T", "sum", "mean", "std", "var", "min", "max", "all", "any", "astype",
         "reshape", "flatten", "ravel", "tolist", "item", "round", "dot", "transpose", "copy", "nonzero", "argmax",
         "argmin", "cumsum", "columns", "index", "values", "iloc", "loc", "at", "empty", "equals", "to_dict", "to_list",
         "head", "tail", "iterrows", "isnull", "isna", "notna", "unique", "nunique", "name", "axes"}  # fmt: skip
"""What tests ask arrays and tables."""
LIBRARIES = {"np", "pd", "numpy", "pandas"}
ITERATOR, MATCH = {"send", "throw", "close", "asend", "athrow", "aclose"}, {"group", "groups", "span", "start", "end"}
PLAIN_TYPES = [set(dir(kind)) for kind in (*TEXT_AND_NUMBERS, *OTHER_TYPES)] + [ITERATOR, MATCH]
"""The attributes of each type that a function may give."""
PREDICATES = {"startswith", "endswith", "issubset", "issuperset", "isdisjoint", "equals"}
"""Methods of values to which tests hand what they expect."""
OF_FUNCTIONS = {"cache_info", "cache_clear", "cache_parameters"}


def class_names(tree: ast.Module, entry_point: str, starter_code: str) -> frozenset[str]:
    """The names of the classes whose instances may answer.

    These are the classes in the starter code, and the names spelled like a class (`Stack`, not `Find_Max`) whose
    results the tests use as only instances can be used.

    >>> sorted(class_names(ast.parse("s = Stack()\\ns.push(1)\\nassert 1 in s and 3 in Sum(1, 2)"), "", ""))
    ['Stack']
    """
    uses = _uses(tree, entry_point)
    found = {name for name in uses.constructed if CLASS_NAME.fullmatch(name)}
    found &= uses.surely_classes | (uses.maybe_classes - uses.compared)
    found -= set(DEFINED_FUNCTION.findall(starter_code))
    return frozenset(found | set(DEFINED_CLASS.findall(starter_code)))


def unlike_builtins(tree: ast.Module, entry_point: str) -> frozenset[str]:
    """The names by which the tests construct what has attributes that no builtin type has.

    >>> sorted(unlike_builtins(ast.parse("c = Counter()\\nc.increment()\\nd = OrderedDict()\\nd.keys()"), ""))
    ['Counter']
    """
    return frozenset(_uses(tree, entry_point).unlike_builtins)


def methods(tree: ast.Module, names: frozenset[str], starter_code: str) -> frozenset[str]:
    """The methods that the tests test on classes of these names.

    These are the methods in the starter code's classes, and the attributes that the tests read of what they construct.

    >>> sorted(methods(ast.parse("s = Stack()\\ns.index(1)\\nf().count(1)"), frozenset(["Stack"]), ""))
    ['index']
    """
    if not names:
        return frozenset()
    constructed = {id(node) for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node.func) in names}
    known: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(tree):
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            (known if id(value) in constructed else others).update(map(last_name, targets))
        elif isinstance(node, ast.FunctionDef):  # a fixture
            given = [part.value for part in ast.walk(node) if isinstance(part, (ast.Return, ast.Yield))]
            (known if any(id(part) in constructed for part in given) else others).add(node.name)
    found = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and (id(node.value) in constructed or last_name(node.value) in known - others)
    }
    return frozenset(found | _methods_in(starter_code))


def _methods_in(starter_code: str) -> set[str]:
    """The names of indented functions. Found without parsing: many starters end in the middle of a function."""
    return {name for name in DEFINED_METHOD.findall(starter_code) if not name.startswith("__")}


class _NameUses:
    """How the tests use names: those `constructed`, and of these those `compared` with plain values, those that are
    `surely_classes`, and those that are `maybe_classes`."""

    def __init__(self, tree: ast.Module, entry_point: str) -> None:
        self.constructed: set[str] = set()
        self.compared: set[str] = set()
        self.surely_classes: set[str] = set(ALWAYS_CLASSES)
        self.maybe_classes: set[str] = set()
        self.unlike_builtins: set[str] = set()
        self._made = Instances(tree, _real_names(tree, entry_point))
        self._truths = _truths(tree)
        self._attributes: dict[str, set[str]] = defaultdict(set)
        self._found_in: set[str] = set()
        self._not_found_in: set[str] = set()
        self._from_calls = {
            last_name(target)
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
            for target in node.targets
        }
        for node in ast.walk(tree):
            self._note(node)
        arrays = [ARRAY] if any(last_name(node) in LIBRARIES for node in ast.walk(tree)) else []
        for name, attributes in self._attributes.items():
            if not any(attributes <= plain for plain in (*PLAIN_TYPES, *arrays)):
                self.unlike_builtins.add(name)
            elif not attributes <= {*PREDICATES, "__call__"}:
                self.maybe_classes.add(name)
        self.surely_classes |= self.unlike_builtins
        self.maybe_classes |= self._found_in & self._not_found_in

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            self._note_call(node)
        elif isinstance(node, ast.Attribute):
            self._note_use(node.value, node.attr)
            if isinstance(node.value, ast.Name) and node.attr not in OF_FUNCTIONS and not node.attr.startswith("__"):
                self.surely_classes.add(self._made.name(node.value))
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            self._note_use(node.value, "__setitem__")
        elif isinstance(node, ast.withitem):
            self._note_use(node.context_expr, "__enter__")
        elif isinstance(node, FUNCTIONS):
            for decorator in node.decorator_list:
                self.constructed |= self._made.decorated(decorator)
                self._note_use(decorator, "__call__")
        elif isinstance(node, ast.ClassDef):
            plain = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]  # Base[int]
            bases = {self._made.name(base) for base in plain}
            self.surely_classes |= bases
            self.constructed |= bases
        elif isinstance(node, ast.Set) and len(node.elts) > 1:
            self.maybe_classes |= self._made.inside(node)
        elif isinstance(node, ast.Dict):
            self.maybe_classes |= set().union(*(self._made.of(key) for key in node.keys if key is not None))
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            expected = self._truths.get(id(node), {True})
            turned = {not truth for truth in expected} if isinstance(node.ops[0], ast.NotIn) else expected
            self._note_search(node.left, node.comparators[0], turned)
        elif isinstance(node, ast.Compare):
            self._note_operands([node.left, *node.comparators])

    def _note_call(self, node: ast.Call) -> None:
        self.constructed |= self._made.of(node)
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            self.constructed |= {self._made.name(node.func.value)}  # Stack.of(...)
        self._note_use(node.func, "__call__")
        first = TYPE_CHECKS.get(last_name(node.func))
        if first is not None:
            named = (part for argument in node.args[first:] for part in ast.walk(argument))
            self.surely_classes |= {self._made.name(part) for part in named if isinstance(part, ast.Name)}
        name = last_name(node.func)
        if name in COMPARING:
            self._note_operands(node.args)
        elif name in SEARCHING and len(node.args) > 1:
            self._note_search(node.args[0], node.args[1], {SEARCHING[name]})
        elif name in BY_NAME and len(node.args) > 1:
            if isinstance(node.args[1], ast.Constant):
                self._note_use(node.args[0], str(node.args[1].value))
            else:
                self.maybe_classes |= self._made.of(node.args[0])  # it calls what a list of operations names

    def _note_search(self, item: ast.expr, searched: ast.expr, found: set[bool]) -> None:
        names = self._made.of(searched)
        if True in found:
            self._found_in |= names
        if False in found:
            self._not_found_in |= names
        self.compared |= self._made.of(item)

    def _note_use(self, owner: ast.expr, attribute: str) -> None:
        for name in self._made.of(owner):
            self._attributes[name].add(attribute)

    def _note_operands(self, operands: list[ast.expr]) -> None:
        made = [self._names_in(operand) for operand in operands]
        for place, operand in enumerate(operands):
            others = set().union(*(names for other, names in enumerate(made) if other != place))
            self.maybe_classes |= made[place] & others
            if _has_a_constant_side(operand):
                self.surely_classes |= made[place] & others  # Money(5) + 1 == Money(6)
            direct = self._made.of(operand) | self._made.inside(operand)
            if direct & others:
                continue
            if place and any(map(self._is_of_a_call, operands[:place])):
                self.maybe_classes |= direct  # the actual value stands first
            else:
                self.compared |= direct

    def _names_in(self, operand: ast.expr) -> set[str]:
        return set().union(*(self._made.of(part) for part in ast.walk(operand) if isinstance(part, ast.expr)))

    def _is_of_a_call(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) or last_name(node) in self._from_calls


@lru_cache(maxsize=1)  # two functions ask about the same tests
def _uses(tree: ast.Module, entry_point: str) -> _NameUses:
    return _NameUses(tree, entry_point)


def _truths(tree: ast.Module) -> dict[int, set[bool]]:
    """What the tests expect of expressions, by the expression's id; nothing about those expected to be true.

    >>> list(_truths(ast.parse("assert not (1 in s)\\nassert (1 in s) == wanted")).values())
    [{False}, {False, True}]
    """
    found: dict[int, set[bool]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = node.operand
            is_any = isinstance(inner, ast.Call) and last_name(inner.func) == "any"
            found.update((id(part), {False}) for part in (ast.walk(inner) if is_any else [inner]))
        elif isinstance(node, ast.Call) and last_name(node.func) == "assertFalse" and node.args:
            found[id(node.args[0])] = {False}
        elif isinstance(node, ast.Call) and last_name(node.func) in EQUALITIES and len(node.args) > 1:
            _note_truth(found, node.args[0], node.args[1])
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.Is)):
            _note_truth(found, node.left, node.comparators[0])
    return found


def _note_truth(found: dict[int, set[bool]], actual: ast.expr, wanted: ast.expr) -> None:
    """Note what is expected of an expression, or of the items of a list; either, if that is not in the text."""
    items = wanted.elts if isinstance(wanted, (ast.List, ast.Tuple)) else [wanted]
    known = {item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, bool)}
    truths = known if all(isinstance(item, ast.Constant) for item in items) else {True, False}
    found.update((id(part), truths) for part in ast.walk(actual) if truths and isinstance(part, ast.Compare))


def _has_a_constant_side(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and any(isinstance(side, ast.Constant) for side in (node.left, node.right))


def _real_names(tree: ast.Module, entry_point: str) -> dict[str, str]:
    """What the tests call by another name: imports, and the program's function that `check` is given."""
    real = {"candidate": entry_point} if entry_point else {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            real.update({alias.asname: alias.name for alias in node.names if alias.asname})
        elif isinstance(node, ast.FunctionDef) and node.name == "check" and node.args.args and entry_point:
            real[node.args.args[0].arg] = entry_point
    return real
