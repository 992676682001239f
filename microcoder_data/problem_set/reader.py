"""Read a problem folder: problem.yaml, the statement, the starter code and its programs.

problems/<slug>/
  problem.yaml  statement.md  generator.py  [starter.py]  [checker.py]  [interactor.py]
  solutions/right/  solutions/slow_right/  solutions/wrong/

No program is run here: `reference.py` makes the tests and their expected outputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from microcoder_data import bounded_yaml
from microcoder_eval import Checker, InputError
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS
from microcoder_eval.suggest import did_you_mean, why_absent

LANGUAGES = {".py": "python", ".cpp": "cpp"}
ROLES = ("right", "slow_right", "wrong")
FAULTS = ("wrong", "slow", "memory", "crash")
KINDS = ("stdin", "call", "interactive")
MATERIAL = Path(__file__).resolve().parent / "material"
"""Files of the set that are no problems: `cheats/`, `raw/` (for planted faults), `templates/` (of new problems)."""
_REQUIRED = ("title", "kind", "difficulty", "tags", "time_limit_s", "memory_limit_mb")
_OPTIONAL = ("entry_point", "checker", "interactor", "source", "date")


@dataclass(frozen=True)
class Solution:
    """A program that came with a problem. A wrong one says on its first line how it fails and why."""

    name: str
    """Its path under `solutions`, such as "wrong/greedy.py"."""
    role: str
    """"right", "slow_right" (right, but too slow for the large tests) or "wrong"."""
    language: str
    code: str
    fault: str = ""
    """How a wrong one fails: "wrong" (answer), "slow", "memory" or "crash"."""
    reason: str = ""

    @property
    def announced(self) -> str:
        """How it should end: "accepted", "slow_right" (accepted, or out of time), or its fault."""
        return {"right": "accepted", "slow_right": "slow_right"}.get(self.role, self.fault)


@dataclass(frozen=True)
class Entry:
    """A problem folder, read but not yet run."""

    path: Path
    title: str
    kind: str
    difficulty: str
    tags: tuple[str, ...]
    time_limit_s: float
    memory_limit_mb: int
    checker: Checker
    statement: str
    solutions: tuple[Solution, ...]
    entry_point: str | None = None
    starter: str = ""
    interactor: str = ""
    """`interactive`: the source of the program that plays the judge's part."""
    source: str = ""
    date: str = ""

    @property
    def slug(self) -> str:
        return self.path.name

    @property
    def generator(self) -> Path:
        return self.path / "generator.py"

    @property
    def reference(self) -> Solution:
        """The solution that makes the expected outputs: the first right one in Python, by name."""
        return next(s for s in self.solutions if s.role == "right" and s.language == "python")

    def with_role(self, role: str) -> list[Solution]:
        return [solution for solution in self.solutions if solution.role == role]


def find_problems() -> Path:
    """The problem set's folder: inside the installed package, or `problems/` of the checkout.

    >>> (find_problems() / "dark-cells" / "problem.yaml").exists()
    True
    """
    here = Path(__file__).resolve().parent
    for place in (here / "problems", here.parent.parent / "problems"):
        if place.is_dir():
            return place
    raise InputError("the embedded problem set is missing: reinstall microcoder, or give a folder with --root")


def read_all(root: Path) -> list[Entry]:
    """Every problem under `root`, by slug; a broken one raises `InputError`."""
    return [read_entry(path) for path in problem_folders(root)]


def problem_folders(root: Path) -> list[Path]:
    """The folders under `root` by name, complete problems or not; without hidden ones."""
    if not root.is_dir():
        raise InputError(f"{root}: {why_absent(root, 'folder')}")
    return sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith((".", "_")))


def read_entry(path: Path) -> Entry:
    """Read the folder at `path`; raises `InputError` of one line when it is not a complete problem."""
    about = _read_yaml(path / "problem.yaml")
    where = f"{path.name}/problem.yaml"
    for name in about:
        if name not in _REQUIRED + _OPTIONAL:
            raise InputError(f"{where}: unknown key {name!r}{did_you_mean(name, _REQUIRED + _OPTIONAL)}")
    for name in _REQUIRED:
        if name not in about:
            raise InputError(f"{where}: {name!r} is missing")
    _check_choice(about, "kind", KINDS, where)
    _check_choice(about, "difficulty", DIFFICULTY_LEVELS, where)
    kind = about["kind"]
    if (kind == "call") != ("entry_point" in about):
        raise InputError(f'{where}: "entry_point" belongs to kind call, and to no other')
    tags = about["tags"]
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError(f"{where}: tags is a list of words")
    solutions = tuple(_read_solutions(path))
    if not any(s.role == "right" and s.language == "python" for s in solutions):
        raise InputError(
            f"{path.name}: no right solution in Python under solutions/right: nothing can answer the tests"
        )
    _text(path / "generator.py")
    return Entry(
        path=path,
        title=str(about["title"]),
        kind=kind,
        difficulty=about["difficulty"],
        tags=tuple(tags),
        time_limit_s=_positive(about, "time_limit_s", where),
        memory_limit_mb=int(_positive(about, "memory_limit_mb", where)),
        checker=_read_checker(path, about.get("checker"), where),
        statement=_text(path / "statement.md"),
        solutions=solutions,
        entry_point=about.get("entry_point"),
        starter=_text(path / "starter.py") if kind == "call" else "",
        interactor=_read_interactor(path, about.get("interactor"), where) if kind == "interactive" else "",
        source=str(about.get("source") or ""),
        date=str(about.get("date") or ""),
    )


def _read_yaml(path: Path) -> Mapping[str, Any]:
    try:
        about = bounded_yaml.parsed(_text(path))
    except yaml.YAMLError as error:
        raise InputError(f"{path.parent.name}/{path.name}: not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(about, dict):
        raise InputError(f"{path.parent.name}/{path.name}: expected keys and values, such as 'kind: stdin'")
    return about


def _read_checker(path: Path, record: Any, where: str) -> Checker:
    if isinstance(record, Mapping) and "file" in record:
        record = {**record, "code": _text(path / str(record["file"]))}
    try:
        return Checker.from_dict(record)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _read_interactor(path: Path, record: Any, where: str) -> str:
    if not isinstance(record, Mapping) or "file" not in record:
        raise InputError(f"{where}: kind interactive needs interactor: {{file: interactor.py}}")
    return _text(path / str(record["file"]))


def _read_solutions(path: Path) -> list[Solution]:
    found = []
    for role in ROLES:
        for file in sorted((path / "solutions" / role).glob("*")):
            if file.suffix not in LANGUAGES:
                continue
            code = _text(file)
            fault, reason = _announced_fault(code) if role == "wrong" else ("", "")
            found.append(Solution(f"{role}/{file.name}", role, LANGUAGES[file.suffix], code, fault, reason))
    return found


def _announced_fault(code: str) -> tuple[str, str]:
    """The fault and the reason in a wrong solution's first line, such as `# wrong: counts the corner twice`."""
    first = code.split("\n", 1)[0].lstrip("#/ ")
    fault, _, reason = first.partition(":")
    return (fault.strip(), reason.strip()) if fault.strip() in FAULTS else ("", "")


def _check_choice(about: Mapping[str, Any], name: str, known: tuple[str, ...], where: str) -> None:
    if about[name] not in known:
        raise InputError(f"{where}: {name} must be one of {', '.join(known)}, not {about[name]!r}")


def _positive(about: Mapping[str, Any], name: str, where: str) -> float:
    value = about[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise InputError(f"{where}: {name} must be a positive number, not {value!r}")
    return value


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path.parent.name}: {path.name} is missing") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.parent.name}/{path.name}: cannot be read: {error}") from None
