"""The contracts of the layout: who may import whom, and how far.

Imports are read from the source. By default, imports inside functions and under `if TYPE_CHECKING:` do not count. An
import of a folder's file does not count as one of the folder's `__init__.py`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import microcoder_eval

ROOT = Path(microcoder_eval.__file__).parent.parent
PACKAGES = ("microcoder_eval", "microcoder_data", "microcoder_rl")
HEAVY = ("torch", "click", "pandas", "pyarrow", "rich", "datasets", "sqlite3", "asyncio")
EVAL = "microcoder_eval"
HOLDS_ANSWERS = ("supervisor", "scheduling", "protocol", "problem", "scoring", "verdict", "grader", "outputs")
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


def test_the_sandbox_imports_nothing_that_holds_answers() -> None:
    forbidden = below(*HOLDS_ANSWERS)
    for name in below("sandbox", "boundary"):
        assert not imported(name, everywhere=True) & forbidden, name
        assert not loaded_with(name) & forbidden, name


def test_the_supervisor_does_not_import_the_sandbox() -> None:
    for name in below("supervisor", "languages", "compare"):
        assert not imported(name, everywhere=True) & below("sandbox"), name


def test_the_users_process_imports_neither_the_supervisor_nor_the_sandbox() -> None:
    private = below("supervisor", "sandbox")
    doctor = f"{EVAL}.doctor.examine"  # attacks a box
    for name in modules().keys() - private - {doctor}:
        assert not imported(name, everywhere=True) & private, name
    assert imported(doctor, everywhere=True) & private <= below("supervisor.box", "supervisor.run", "supervisor.watch")


def test_a_zygote_loads_little() -> None:
    """Every module that a zygote loads makes each of its forks slower."""
    program = "import sys; before = set(sys.modules)\nfrom microcoder_eval.sandbox import zygote\n"
    clean = f"import types; p = sys.modules[{EVAL!r}] = types.ModuleType({EVAL!r}); p.__path__ = [{str(ROOT / EVAL)!r}]"
    program = program.replace("\n", f"\n{clean}\n", 1) + "print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True)
    new = set(done.stdout.split())
    assert f"{EVAL}.sandbox.zygote" in new
    assert not new & {"re", "enum", "typing", "dataclasses", "json", "socket", "signal", "collections", "contextlib"}
    assert not {name for name in new if name.startswith(EVAL)} & below(*HOLDS_ANSWERS)


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
            assert {other.partition(".")[0] for other in imported(name, everywhere=True)} <= {*allowed}, name


@pytest.mark.parametrize("package", PACKAGES)
def test_no_files_import_each_other_in_a_circle(package: str) -> None:
    names = {name for name in modules() if name.partition(".")[0] == package}
    ahead = {name: imported(name) & names for name in names}
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
