"""What may be executed between two visits of a loop's head, and which variables it reads. Pure: looks at code objects.

A closed list: an instruction that is not named here makes a check uncertain, and so does a Python that has new ones.
"""

from __future__ import annotations

from _collections import deque
from math import inf

TYPE_CHECKING = False
if TYPE_CHECKING:
    import dis
    from collections.abc import Iterable
    from types import CodeType

ALLOWED = frozenset(
    """
    CACHE NOP RESUME PRECALL PUSH_NULL POP_TOP COPY SWAP EXTENDED_ARG KW_NAMES NOT_TAKEN END_FOR POP_ITER
    LOAD_CONST LOAD_SMALL_INT LOAD_FAST LOAD_FAST_CHECK LOAD_FAST_AND_CLEAR LOAD_FAST_BORROW LOAD_FAST_LOAD_FAST
    LOAD_FAST_BORROW_LOAD_FAST_BORROW STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST LOAD_GLOBAL STORE_GLOBAL
    LOAD_NAME STORE_NAME LOAD_DEREF STORE_DEREF LOAD_CLOSURE MAKE_CELL COPY_FREE_VARS
    LOAD_ATTR LOAD_METHOD STORE_ATTR BINARY_OP BINARY_SUBSCR BINARY_SLICE STORE_SUBSCR STORE_SLICE DELETE_SUBSCR
    COMPARE_OP CONTAINS_OP IS_OP UNARY_NEGATIVE UNARY_POSITIVE UNARY_NOT UNARY_INVERT TO_BOOL
    BUILD_LIST BUILD_TUPLE BUILD_SET BUILD_MAP BUILD_CONST_KEY_MAP BUILD_STRING BUILD_SLICE LIST_APPEND LIST_EXTEND
    LIST_TO_TUPLE SET_ADD SET_UPDATE MAP_ADD DICT_UPDATE DICT_MERGE UNPACK_SEQUENCE UNPACK_EX CALL_INTRINSIC_1
    GET_ITER FOR_ITER CALL CALL_KW CALL_FUNCTION_EX MAKE_FUNCTION SET_FUNCTION_ATTRIBUTE RETURN_VALUE RETURN_CONST
    FORMAT_VALUE FORMAT_SIMPLE FORMAT_WITH_SPEC CONVERT_VALUE
    JUMP_FORWARD JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_IF_TRUE_OR_POP JUMP_IF_FALSE_OR_POP
    POP_JUMP_IF_TRUE POP_JUMP_IF_FALSE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE
    POP_JUMP_FORWARD_IF_TRUE POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE
    POP_JUMP_BACKWARD_IF_TRUE POP_JUMP_BACKWARD_IF_FALSE POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE
    """.split()  # noqa: SIM905
)
INTRINSICS = ("INTRINSIC_UNARY_POSITIVE", "INTRINSIC_LIST_TO_TUPLE")
ENDS = ("RETURN_VALUE", "RETURN_CONST")
SUSPENDS = ("RETURN_GENERATOR", "YIELD_VALUE")
"""Allowed in generator expressions, which no other code can resume."""
ALWAYS_JUMPS = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
CLOSES = ("CALL_INTRINSIC_1", "RERAISE")
"""What Python 3.12 executes when it closes a generator expression that is not at its end."""
GENERATOR_EXPRESSION = "<genexpr>"
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", GENERATOR_EXPRESSION)
INNER_ATTRIBUTES = ("__", "gi_", "f_", "cr_", "ag_", "co_", "tb_")
"""Beginnings of attributes that lead to frames, code, classes, or into the interpreter."""
FORBIDDEN_ATTRIBUTES = frozenset(("mro", "send", "throw", "close", "format", "format_map", "encode", "decode"))
"""`"{0.x}".format(y)` reads attributes, and codecs may call functions of the program that no variable names."""
CUTS_SETS = frozenset(
    ("remove", "discard", "pop", "clear", "difference_update", "intersection_update", "symmetric_difference_update")
)
CUTS_DICTS = frozenset(("pop", "popitem"))
MUTABLE_BY = ("-=", "&=", "^=")
"""Operations that may take an element out of a set."""
HASHES = frozenset(
    ("add", "update", "union", "difference", "intersection", "symmetric_difference", "set", "frozenset", "fromkeys")
)
SHOWS = frozenset(("str", "repr", "ascii", "format", "format_map"))
ADDRESSED = frozenset(("zip", "map", "filter", "enumerate", "reversed", "iter", "keys", "values", "items"))
"""Functions and methods that return an object whose text or hash may depend on its address."""
MARKED = (("hashes", HASHES), ("shows", SHOWS), ("addressed", ADDRESSED), ("infinite", ("float",)))
BUILTIN_TYPES = (str, bytes, list, dict, set, tuple, int, float, complex, deque)
METHODS = frozenset(name for kind in BUILTIN_TYPES for name in vars(kind) if name[0] != "_")
"""Read and not called, each gives such an object too."""


class Instruction:
    """One instruction, as far as this check asks."""

    __slots__ = ("allowed", "follows", "made_of", "marks", "name", "reads", "writes")

    def __init__(self, name: str) -> None:
        self.name = name
        self.allowed = False
        self.follows: tuple[int, ...] = ()
        """Where the next one may be; empty after a return."""
        self.reads: tuple[tuple[str, str], ...] = ()
        """The variables that it reads: "local" or "global", and the name."""
        self.writes: tuple[tuple[str, str], ...] = ()
        self.made_of: object = None
        """The code of the function that the next one makes."""
        self.marks: tuple[str, ...] = ()
        """What it does that matters in combination (see `is_doubtful`), and "." with the names of attributes."""


class Code:
    """The instructions of a code object by their offsets, and what the check asks about its loops."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.instructions: dict[int, Instruction] = {}
        self.creators: dict[int, int] = {}
        """Of each FOR_ITER, the GET_ITER that makes its iterator."""
        self.heads: set[int] = set()
        """Where backward jumps of `while` loops lead."""
        import dis  # not in every zygote: each module that it has loaded makes its forks slower

        everything = [found for found in dis.get_instructions(code) if found.opname != "CACHE"]
        inner = {*code.co_cellvars, *code.co_freevars}
        last_iter = -1
        is_generator = code.co_name == GENERATOR_EXPRESSION
        names: dict[int, str] = {}
        for number, found in enumerate(everything):
            before = everything[number - 1] if number else None
            after = everything[number + 1].offset if number + 1 < len(everything) else -1
            made = self.instructions[found.offset] = _instruction(found, before, after, inner)
            made.allowed |= is_generator and found.opname in CLOSES
            names[found.offset] = found.opname
            if found.opname == "GET_ITER":
                last_iter = found.offset
            elif found.opname == "FOR_ITER":
                self.creators[found.offset] = last_iter
        at = len(everything)
        for found in reversed(everything):  # a prefix stands for the instruction behind it
            at -= 1
            if found.opname == "EXTENDED_ARG":
                self.instructions[found.offset] = self.instructions[everything[at + 1].offset]
                names[found.offset] = names[everything[at + 1].offset]
                if names[found.offset] == "FOR_ITER":
                    self.creators[found.offset] = self.creators[everything[at + 1].offset]
        for found in everything:
            backward = "JUMP" in found.opname and isinstance(found.argval, int) and found.argval <= found.offset
            if backward and names.get(found.argval) not in (None, "FOR_ITER", "SEND", "YIELD_VALUE"):
                self.heads.add(found.argval)

    def yields(self, offset: int) -> bool:
        found = self.instructions.get(offset)
        return found is not None and found.name == "YIELD_VALUE"


def _instruction(found: dis.Instruction, before: dis.Instruction | None, after: int, inner: set[str]) -> Instruction:
    name, value = found.opname, found.argval
    made = Instruction(name)
    made.allowed = name in ALLOWED or name in SUSPENDS
    jumps = "JUMP" in name or name == "FOR_ITER"
    made.follows = () if name in ENDS else (value,) if name in ALWAYS_JUMPS else (value, after) if jumps else (after,)
    if name == "FOR_ITER" or name in SUSPENDS or name in CLOSES:
        # a loop may end behind instructions that not every Python executes, and a generator may be closed
        made.follows = ()
    kind, _, rest = name.partition("_")
    if name in ("LOAD_GLOBAL", "LOAD_NAME"):
        made.reads = (("global", value),)
        made.marks = tuple(mark for mark, names in MARKED if value in names)
    elif name == "LOAD_CONST":
        made.made_of = value if hasattr(value, "co_consts") else None
        made.marks = ("infinite",) if type(value) is float and value in (inf, -inf) else ()
    elif name in ("STORE_GLOBAL", "STORE_NAME"):
        made.writes = (("global", value),)
    elif "_FAST" in name or name.endswith(("_DEREF", "_CLOSURE")):
        used = [("local", one) for one in (value if isinstance(value, tuple) else (value,))]
        if kind == "STORE" and value not in inner:
            stores = 2 if rest == "FAST_STORE_FAST" else 1
            made.writes, made.reads = tuple(used[:stores]), tuple(used[stores:])
        else:
            made.reads = tuple(used)
    elif name in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"):
        made.allowed = not value.startswith(INNER_ATTRIBUTES) and value not in FORBIDDEN_ATTRIBUTES
        is_call = name == "LOAD_METHOD" or found.argrepr.startswith(("NULL", f"{value} + NULL"))
        made.marks = (
            f".{value}",
            *(("cuts sets",) if value in CUTS_SETS else ()),
            *(("cuts dicts",) if value in CUTS_DICTS else ()),
            *(("hashes",) if value in HASHES else ()),
            *(("shows",) if value in SHOWS else ()),
            *(("addressed",) if value in ADDRESSED or (value in METHODS and not is_call) else ()),
        )
    elif name == "IS_OP":
        made.allowed = before is not None and before.opname == "LOAD_CONST" and _is_singleton(before.argval)
    elif name == "CALL_INTRINSIC_1":
        made.allowed = found.argrepr in INTRINSICS
    elif name == "BINARY_OP":
        constant = before is not None and before.opname in ("LOAD_CONST", "LOAD_SMALL_INT")
        number = constant and before is not None and type(before.argval) in (int, float)
        if found.argrepr in MUTABLE_BY and not number:
            made.marks = ("cuts sets",)
        elif found.argrepr in ("%", "%=") and not number:
            made.marks = ("shows",)
    elif name == "RETURN_GENERATOR":
        made.marks = ("addressed",)
    elif name == "DELETE_SUBSCR":
        made.marks = ("cuts dicts",)
    elif name in ("BUILD_SET", "SET_ADD", "SET_UPDATE"):
        made.marks = ("hashes",)
    elif name in ("FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE"):
        made.marks = ("shows",)
    elif name == "MAKE_FUNCTION":
        code = None if before is None else before.argval
        made.marks = () if getattr(code, "co_name", "") in COMPREHENSIONS else ("addressed",)
    return made


def _is_singleton(value: object) -> bool:
    return value is None or value is True or value is False


def is_doubtful(marks: Iterable[str], kinds: Iterable[str]) -> bool:
    """Whether executing all this could depend on something that a description of the state does not show.

    `kinds`: names of the types of containers in the state. Sets and dicts remember elements that were taken out; a new
    object has an address, which its text shows, and by which it is found in a set.
    """
    marks, kinds = set(marks), set(kinds)
    if "addressed" in marks and marks & {"hashes", "shows"}:
        return True
    if "hashes" in marks and "infinite" in marks | kinds:  # the hash of nan, such as inf - inf, is its address
        return True
    return ("cuts sets" in marks and "set" in kinds) or ("cuts dicts" in marks and "dict" in kinds)
