"""Calling a program's entry point: arguments from data, linked lists and trees built, the result back to data.

Values are encoded as `boundary/encode_values.py` describes.
"""

from __future__ import annotations

import json
import sys
from types import CodeType
from typing import Any

from microcoder_eval.boundary.encode_values import encode

MODULE = "solution"
UNCHANGEABLE = (int, float, complex, str, bytes, tuple, frozenset, type(None))
LONGEST_MESSAGE = 4000


class ListNode:
    """The linked list of LeetCode's judge."""

    def __init__(self, val: Any = 0, next: ListNode | None = None) -> None:
        self.val = val
        self.next = next


class TreeNode:
    """The binary tree of LeetCode's judge."""

    def __init__(self, val: Any = 0, left: TreeNode | None = None, right: TreeNode | None = None) -> None:
        self.val = val
        self.left = left
        self.right = right


def execute(code: CodeType, main: dict[str, Any], entry_point: str) -> Any:
    """Import a program as the module `solution`: its main guard does not run, which may read input or exit.

    Returns what is called `entry_point` in its namespace and is not its own, or None. LeetCode's names include `gcd`,
    `merge` and `max`: while a program runs, it lacks the one that it has to define.
    """
    main["__name__"] = MODULE
    sys.modules[MODULE] = sys.modules["__main__"]
    name = entry_point.rpartition(".")[2]
    given = main.pop(name, None)
    exec(code, main)
    if given is None or name in main:
        return None
    main[name] = given
    return given


def call(
    main: dict[str, Any], entry_point: str, arguments_json: bytes, known_hints: dict[str, str], given: Any = None
) -> bytes:
    """Call `entry_point` ("f" or "Solution.f") and return its encoded result. `given`: what `execute` returned.

    A function that returns None may have changed its first argument in place, so that argument is returned too.
    """
    arguments = decode(json.loads(arguments_json))
    function = resolve(main, entry_point, given)
    by_name = isinstance(arguments, dict)
    hints = {**known_hints, **_node_hints(function)}
    if by_name:
        names = list(arguments)
        values = [_with_nodes(arguments[name], hints.get(name)) for name in names]
        result = function(**dict(zip(names, values, strict=True)))
    else:
        positions = _parameter_names(function)
        values = [
            _with_nodes(value, hints.get(positions[i]) if i < len(positions) else None)
            for i, value in enumerate(arguments)
        ]
        result = function(*values)
    if result is None and "return" in hints:
        result = []  # this is how LeetCode writes an empty list or tree
    answer = {"r": encode(result)}
    if result is None and values and not isinstance(values[0], UNCHANGEABLE):
        answer["a"] = encode(values[0])
    return json.dumps(answer, allow_nan=False).encode()


def check(main: dict[str, Any], arguments_json: bytes) -> Any:
    """Call a checker's function, which returns accepted, (accepted, message) or (accepted, message, points)."""
    return main["check"](*(decode(value) for value in json.loads(arguments_json)))


def encode_opinion(returned: Any) -> bytes:
    """What a checker's or an interactor's function returned, as `encode_answer` writes it.

    Raises a `TypeError` for a value that is true whatever the judge found: a generator, a coroutine, a function.
    """
    parts = returned if isinstance(returned, tuple) else (returned,)
    accepted = parts[0]
    if callable(accepted) or isinstance(accepted, tuple) or hasattr(accepted, "__next__") or hasattr(accepted, "send"):
        raise TypeError(f"the judge returned a {type(accepted).__name__}, which is always true")
    points = float(parts[2]) if len(parts) > 2 and parts[2] is not None else None
    return encode_answer(bool(accepted), str(parts[1]) if len(parts) > 1 else "", points)


def encode_answer(accepted: bool | None, message: str, points: float | None = None) -> bytes:
    """[accepted, message, points] as JSON. `accepted` is None when the judge has a fault that no program causes."""
    return json.dumps([accepted, message[:LONGEST_MESSAGE], points]).encode()


def resolve(main: dict[str, Any], entry_point: str, given: Any = None) -> Any:
    """The function that `entry_point` names. A bare function is taken for a method of that name, and the reverse.

    `given` is no function of the program: see `execute`.
    """
    owner, _, name = entry_point.replace("()", "").rpartition(".")
    if owner in main:
        return getattr(main[owner](), name)
    if name in main and (given is None or main[name] is not given):
        return main[name]
    if not owner and "Solution" in main and hasattr(main["Solution"], name):
        return getattr(main["Solution"](), name)
    raise NameError(f"the program does not define {entry_point}")


def _code_of(function: Any) -> Any:
    return _attribute(_attribute(function, "__func__", function), "__code__", None)


def _parameter_names(function: Any) -> list[str]:
    code = _code_of(function)
    if code is None:
        return []
    names = list(code.co_varnames[: code.co_argcount])
    return names[1:] if _attribute(function, "__self__", None) is not None else names


def _node_hints(function: Any) -> dict[str, str]:
    """Which parameters are annotated as ListNode or TreeNode, alone or inside a list."""
    hints = {}
    for name, annotation in _annotations(function).items():
        text = _text_of(annotation)
        for kind in ("ListNode", "TreeNode"):
            if kind in text:
                hints[name] = f"List[{kind}]" if "list[" in text.lower() else kind
    return hints


def _annotations(function: Any) -> dict[str, Any]:
    """The annotations of a function; none where the program's own code raises an exception when it is asked."""
    found = _attribute(function, "__annotations__", None)
    if found is None and sys.version_info >= (3, 14):  # it evaluates them only now, and a name in them may not exist
        from annotationlib import Format, get_annotations

        try:
            found = get_annotations(function, format=Format.STRING)
        except Exception:
            return {}
    return found if type(found) is dict else {}


def _attribute(thing: Any, name: str, default: Any) -> Any:
    """An attribute that only describes the function: the program's own code for it may raise any exception."""
    try:
        return getattr(thing, name, default)
    except Exception:
        return default


def _text_of(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    try:
        return f"{getattr(annotation, '__name__', '')}{annotation}"
    except Exception:  # the program's own code
        return ""


def _with_nodes(value: Any, hint: str | None) -> Any:
    if hint is None or not isinstance(value, (list, type(None))):
        return value
    if hint.startswith("List["):
        return [_with_nodes(item, hint[5:-1]) for item in value or []]
    if value is None:
        return None
    return _linked_list(value) if hint == "ListNode" else _tree(value)


def _linked_list(values: list[Any]) -> ListNode | None:
    head = None
    for value in reversed(values):
        head = ListNode(value, head)
    return head


def _tree(values: list[Any]) -> TreeNode | None:
    """The binary tree that a list in LeetCode's level order describes; a missing child is None."""
    if not values or values[0] is None:
        return None
    root = TreeNode(values[0])
    nodes, position, parent = [root], 1, 0
    while position < len(values) and parent < len(nodes):
        node, parent = nodes[parent], parent + 1
        for side in ("left", "right"):
            if position < len(values):
                value, position = values[position], position + 1
                if value is not None:
                    child = TreeNode(value)
                    setattr(node, side, child)
                    nodes.append(child)
    return root


def decode(node: Any) -> Any:
    """The value that `encode` has encoded. It comes from the supervisor, so nothing is checked."""
    if isinstance(node, list):
        return [decode(item) for item in node]
    if not isinstance(node, dict):
        return node
    ((tag, body),) = node.items()
    if tag == "d":
        return {decode(key): decode(value) for key, value in body}
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return float(body)
    if tag == "c":
        return complex(decode(body[0]), decode(body[1]))
    if tag == "b":
        return bytes.fromhex(body)
    return {"t": tuple, "s": set, "z": frozenset}[tag](decode(item) for item in body)
