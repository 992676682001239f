"""The contracts of the layout: who may import whom, and how far.

Imports are read from the source, and so are the modules that strings name: `import_module("...")`, `python -m`, the
program text of another process. By default, imports inside functions and under `if TYPE_CHECKING:` do not count. An
import of a folder's file does not count as one of the folder's `__init__.py`.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import microcoder_eval
from microcoder_eval.boundary import box_protocol

ROOT = Path(microcoder_eval.__file__).parent.parent
PACKAGES = ("microcoder_eval", "microcoder_data", "microcoder_rl")
HEAVY = ("torch", "click", "pandas", "pyarrow", "rich", "datasets", "sqlite3", "asyncio")
EVAL = "microcoder_eval"
HOLDS_ANSWERS = ("supervisor", "scheduling", "protocol", "problem", "scoring", "verdict", "grader", "outputs")
STARTED = {  # modules that run in a process of their own: who may start them, and which
    "boundary.box_protocol": ("sandbox",),
    "scheduling.supervisor_handle": ("supervisor.process",),
    "connection.node": ("service.node_process",),
}
NAMED = re.compile(r"\b(?:microcoder|microcoder_eval|microcoder_data|microcoder_rl)(?:\.\w+)+")
MOST_FLOORS = 8


@cache
def modules() -> dict[str, Path]:
    """All modules of the packages and the command line, by name."""
    front = [ROOT / "cli.py", *(ROOT / "microcoder").rglob("*.py")]
    files = [*front, *(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imported(name: str, everywhere: bool = False) -> set[str]:
    """The modules of this project that a module imports. everywhere: also inside functions and under TYPE_CHECKING."""
    found = set()
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    for node in ast.walk(tree) if everywhere else _when_loaded(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & modules().keys()
            found |= inside
            if len(inside) < len(node.names):
                found.add(node.module)
    return (found & modules().keys()) - {name}


def named_in_strings(name: str) -> set[str]:
    """The modules of this project that a module's strings name, docstrings left out. `sandbox.zygote` alone counts too.

    Raises `AssertionError` for a name that is neither a module nor in one.
    """
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            found |= {f"{EVAL}.{node.value}"} & modules().keys() if "." in node.value else set()
            for text in NAMED.findall(node.value):
                known = {text, text.rpartition(".")[0]} & modules().keys()  # a module, or a name in one
                assert known, f"{name}: {text}"
                found.add(max(known, key=len))
    return found


def _when_loaded(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is loaded."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _when_loaded(child)


def loaded_with(name: str) -> set[str]:
    """A module and everything that is imported with it."""
    found, waiting = {name}, [name]
    while waiting:
        new = imported(waiting.pop()) - found
        found |= new
        waiting += new
    return found


def below(*folders: str) -> set[str]:
    """The modules of folders or files of `microcoder_eval`."""
    names = [f"{EVAL}.{folder}" for folder in folders]
    return {module for module in modules() if any(f"{module}.".startswith(f"{name}.") for name in names)}


def test_the_sandbox_imports_itself_and_the_boundary_alone() -> None:
    for name in below("sandbox"):
        assert imported(name, everywhere=True) | named_in_strings(name) <= below("sandbox", "boundary"), name
    for name in below("boundary"):
        assert imported(name, everywhere=True) <= below("boundary", "errors"), name


def test_a_process_across_a_trust_line_is_started_in_one_place() -> None:
    """Another string with the name of such a module would be an import that the other contracts do not see."""
    private = below("sandbox", "supervisor", "service.node_process")
    for name in modules().keys() - below("sandbox"):
        allowed = below(*STARTED.get(name.removeprefix(f"{EVAL}."), ()))
        assert named_in_strings(name) & private <= allowed, name
    for name, started in STARTED.items():
        assert named_in_strings(f"{EVAL}.{name}") & below(*started), f"{name} starts none: nothing was searched"


def test_the_supervisor_does_not_import_the_sandbox() -> None:
    for name in below("supervisor", "languages", "compare"):
        assert not imported(name, everywhere=True) & below("sandbox"), name


def test_the_users_process_imports_neither_the_supervisor_nor_the_sandbox() -> None:
    private = below("supervisor", "sandbox")
    doctor = f"{EVAL}.doctor.examine"  # attacks a box
    for name in modules().keys() - private - {doctor}:
        assert not imported(name, everywhere=True) & private, name
    assert imported(doctor, everywhere=True) & private <= below("supervisor.box", "supervisor.run", "supervisor.watch")


def loaded_in_a_box(module: str) -> set[str]:
    """The modules that a fresh process in the sandbox has after importing one (see `clean_interpreter`)."""
    program = f"import sys; before = set(sys.modules)\nimport {module}\n"
    clean = f"import types; p = sys.modules[{EVAL!r}] = types.ModuleType({EVAL!r}); p.__path__ = [{str(ROOT / EVAL)!r}]"
    program = program.replace("\n", f"\n{clean}\n", 1) + "print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    assert module in found
    return found


def test_a_zygote_loads_little() -> None:
    """Every module that a zygote loads makes each of its forks slower."""
    new = loaded_in_a_box(f"{EVAL}.{box_protocol.ZYGOTE}")
    assert not new & {"re", "enum", "typing", "dataclasses", "json", "socket", "signal", "collections", "contextlib"}


@pytest.mark.parametrize(
    "module",
    [
        *(f"{EVAL}.{name}" for name in (box_protocol.ZYGOTE, box_protocol.LAUNCHER)),
        *(box_protocol.CALLING, box_protocol.INTERACTOR, box_protocol.PROGRAM_SIDE, box_protocol.TESTS_RUNNER),
    ],
)
def test_what_runs_in_the_sandbox_loads_nothing_that_holds_answers(module: str) -> None:
    ours = {name for name in loaded_in_a_box(module) if name.startswith(EVAL)} - {EVAL}
    assert ours <= below("sandbox", "boundary", "errors")


def test_importing_the_grader_loads_nothing_heavy() -> None:
    program = "import sys, microcoder_eval; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(done.stdout.split())
    assert not loaded & set(HEAVY)
    assert not loaded & below("supervisor", "sandbox", "commands", "report")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_those_below_it(package: str) -> None:
    allowed = PACKAGES[: PACKAGES.index(package) + 1]
    for name in modules():
        if name.partition(".")[0] == package:
            others = imported(name, everywhere=True) | named_in_strings(name)
            assert {other.partition(".")[0] for other in others} <= {*allowed}, name


@pytest.mark.parametrize("package", PACKAGES)
def test_no_files_import_each_other_in_a_circle(package: str) -> None:
    """Not even by imports inside functions or for types."""
    names = {name for name in modules() if name.partition(".")[0] == package}
    ahead = {name: imported(name, everywhere=True) & names for name in names}
    while free := {name for name, others in ahead.items() if not others & ahead.keys()}:
        ahead = {name: others for name, others in ahead.items() if name not in free}
    circles = {name for name in ahead if name in set().union(*(_reached(other, ahead) for other in ahead[name]), set())}
    assert not circles


def _reached(name: str, ahead: dict[str, set[str]]) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        new = ahead.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def test_the_grader_has_at_most_eight_floors() -> None:
    """A room is a file or a folder directly in `microcoder_eval`. It is above every room that it imports; imports
    inside functions and for types count too."""
    rooms: dict[str, set[str]] = {}
    for name in modules():
        if name.startswith(f"{EVAL}."):
            room = name.split(".")[1]
            others = {other.split(".")[1] for other in imported(name, everywhere=True) if other.startswith(f"{EVAL}.")}
            rooms[room] = rooms.get(room, set()) | others - {room}
    floors: list[set[str]] = []
    while rooms:
        floor = {room for room, others in rooms.items() if not others & rooms.keys()}
        assert floor, f"rooms that import each other: {sorted(rooms)}"
        floors.append(floor)
        rooms = {room: others for room, others in rooms.items() if room not in floor}
    assert len(floors) <= MOST_FLOORS, floors
