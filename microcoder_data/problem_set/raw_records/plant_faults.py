"""Write the problems as raw records with faults planted in some of them, and a key that lists the faults.

OUT/taco.jsonl apps.jsonl code_contests.jsonl    the raw records
OUT/livecodebench.jsonl                          a benchmark that must not be in the dataset
OUT/recipe.yaml                                  `microcoder data build OUT/recipe.yaml --out DATASET`
OUT/key.jsonl                                    a line for each record: its fault, or none, and what should happen
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from microcoder_data.problem_set.raw_records import statement_styles
from microcoder_data.problem_set.raw_records.publisher_schemas import SCHEMAS, Draft, livecodebench
from microcoder_data.problem_set.reader import MATERIAL, Entry
from microcoder_data.problem_set.reference import build_problems
from microcoder_data.problem_set.statement import samples
from microcoder_eval import InputError, TestCase
from microcoder_eval.atomic import atomic_path

LARGEST_INPUT = 20_000
"""Tests with more characters than this are left out, so that the records stay small."""
CUT_AFTER = 200
"""A test that is cut short keeps this many characters."""
EACH = 4
"""How many problems get each fault. Faults that need a text written by hand are planted wherever there is one."""

FAULTS = {
    "": ("", "kept"),
    "html": ("process", "repaired"),
    "language": ("process", "dropped"),
    "image": ("process", "dropped"),
    "cut_test": ("process", "repaired"),
    "any_answer": ("filter", "dropped"),
    "copy": ("compare", "merged"),
    "story": ("compare", "merged"),
    "benchmark": ("compare", "dropped"),
    "wrong_output": ("verify", "repaired"),
    "broken": ("collect", "dropped"),
}
"""For each fault: the stage that should find it, and what should happen to the record."""

RECIPE = """\
name: embedded
sources:
  - {source: taco, path: taco.jsonl}
  - {source: apps, path: apps.jsonl}
  - {source: code_contests, path: code_contests.jsonl}
process:
  language: {keep: [en], others: drop}
filter:
  tests: {choose: all}
compare:
  benchmarks:
    - name: livecodebench
      source: {source: livecodebench, path: livecodebench.jsonl}
verify:
  execution: {wrong: 0, mutants: 0, strengthen: false}
"""


@dataclass(frozen=True)
class Planted:
    """A record and what was done to it: a line of the key."""

    source: str
    problem: str
    fault: str
    detail: str = ""
    test: int | None = None
    """The number of the test that was changed, if any."""
    file: str = ""
    line: int = 0

    @property
    def location(self) -> str:
        """File and line, as the dataset names it too: "taco.jsonl:3"."""
        return f"{self.file}:{self.line}" if self.file else ""

    def to_dict(self) -> dict[str, Any]:
        stage, outcome = FAULTS[self.fault]
        return {
            "location": self.location,
            "file": self.file,
            "line": self.line,
            "problem": self.problem,
            "fault": self.fault,
            "stage": stage,
            "outcome": outcome,
            "detail": self.detail,
            "test": self.test,
        }


def write_raw(entries: Sequence[Entry], out: Path, seed: int = 0) -> list[Planted]:
    """Write the raw records of `entries` with planted faults into `out`; returns the key.

    >>> write_raw(read_all(find_problems()), Path("runs/raw"))        # doctest: +SKIP
    [Planted(source='code_contests', problem='badge-swipes', fault='language', detail='pt', ...), ...]
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        lines: dict[str, list[str]] = {name: [] for name in (*SCHEMAS, "livecodebench")}
        key = []
        for planted, record in _records([entry for entry in entries if _fits(entry)], seed):
            lines[planted.source].append(record)
            if planted.source != "livecodebench":
                key.append(replace(planted, file=f"{planted.source}.jsonl", line=len(lines[planted.source])))
        for name, records in lines.items():
            _write(out / f"{name}.jsonl", (line + "\n" for line in records))
        recipe = (line.replace("path: ", f"path: {out.resolve()}/") + "\n" for line in RECIPE.splitlines())
        _write(out / "recipe.yaml", recipe)
        _write(out / "key.jsonl", (json.dumps(planted.to_dict(), ensure_ascii=False) + "\n" for planted in key))
    except OSError as error:
        raise InputError(f"{out}: {error.strerror or error}") from None
    return key


def _write(target: Path, lines: Iterable[str]) -> None:
    with atomic_path(target) as path:
        path.write_text("".join(lines), encoding="utf-8")


def _fits(entry: Entry) -> bool:
    """Whether the publishers' schemas can hold the problem. They have no column for a checker "in any order"."""
    return entry.kind != "interactive" and entry.checker.kind != "unordered"


def _records(entries: Sequence[Entry], seed: int) -> Iterator[tuple[Planted, str]]:
    """Every record, in the order of the problems: (what was planted, the line to write)."""
    rng = random.Random(seed)
    faults = _assign_faults(entries, rng)
    number = 0
    for entry, problem in zip(entries, build_problems(entries), strict=True):
        number += 1
        draft = _draft(entry, number, problem.tests)
        fault = faults.get(entry.slug, "")
        source = rng.choice(["taco", "apps"] if entry.kind == "call" else sorted(SCHEMAS))
        if fault in ("html", "any_answer"):
            source = "taco"
        if fault in ("copy", "story"):
            # The first record of the problem has no fault; the second comes from the source that is read last.
            yield _key_and_record(draft, "taco", "")
            number += 1
            draft, source = replace(draft, number=number), "code_contests"
        if fault == "benchmark":
            yield Planted("livecodebench", entry.slug, ""), json.dumps(livecodebench(draft), ensure_ascii=False)
        detail = PLANT[fault](draft, rng) if fault in PLANT else ""
        yield _key_and_record(draft, source, fault, detail)
    yield Planted("taco", "", "broken", "not JSON"), '{"id": "taco-cut", "question": "The line ends in the midd'
    yield Planted("taco", "", "broken", "no statement"), '{"id": "taco-empty"}'


def _assign_faults(entries: Sequence[Entry], rng: random.Random) -> dict[str, str]:
    """Assign faults to problems, by slug; most problems get none."""
    faults = {entry.slug: "any_answer" for entry in entries if entry.checker.kind == "python"}
    faults |= {path.name.split(".")[0]: "language" for path in _material("translations")}
    faults |= {path.stem: "story" for path in _material("stories")}
    free = [e.slug for e in entries if e.kind == "stdin" and e.checker.kind == "tokens" and e.slug not in faults]
    rng.shuffle(free)
    for fault in ("html", "image", "cut_test", "wrong_output", "copy", "benchmark"):
        chosen, free = free[:EACH], free[EACH:]
        faults |= dict.fromkeys(chosen, fault)
    return faults


def _draft(entry: Entry, number: int, tests: Sequence[TestCase]) -> Draft:
    shown = len(samples(entry.statement))
    pairs = [(test.input, test.output) for test in tests]
    small = [pair for i, pair in enumerate(pairs) if i < shown or len(json.dumps(pair)) <= LARGEST_INPUT]
    return Draft(entry, number, entry.statement, small, shown)


def _key_and_record(draft: Draft, source: str, fault: str, detail: str = "") -> tuple[Planted, str]:
    """The line of the key, and the record in the schema of its source."""
    planted = Planted(source, draft.entry.slug, fault, detail, draft.changed_test)
    return planted, json.dumps(SCHEMAS[source](draft), ensure_ascii=False)


def _html(draft: Draft, rng: random.Random) -> str:
    draft.as_html = True
    return "tags, entities, superscripts"


def _language(draft: Draft, rng: random.Random) -> str:
    (path,) = [path for path in _material("translations") if path.name.startswith(f"{draft.entry.slug}.")]
    draft.statement = statement_styles.with_samples_of(path.read_text(encoding="utf-8"), draft.statement)
    return path.name.split(".")[1]


def _story(draft: Draft, rng: random.Random) -> str:
    (path,) = [path for path in _material("stories") if path.stem == draft.entry.slug]
    draft.statement = statement_styles.with_samples_of(path.read_text(encoding="utf-8"), draft.statement)
    draft.entry = replace(draft.entry, title=f"{draft.entry.title} retold")
    return "the same tests under another story"


def _copy(draft: Draft, rng: random.Random) -> str:
    draft.statement = draft.statement.replace("Print ", "Output ").replace("Find ", "Compute ")
    draft.entry = replace(draft.entry, title=f"{draft.entry.title} again")
    draft.tests = draft.tests[:-1]
    return "a few words changed, one test fewer"


def _image(draft: Draft, rng: random.Random) -> str:
    head, mark, rest = draft.statement.partition("\n\n## ")
    picture = rng.choice(("<image>", "![](https://example.org/figures/1.png)"))
    draft.statement = f"{head} The rules are shown in the figure below.\n\n{picture}{mark}{rest}"
    return picture


def _cut_test(draft: Draft, rng: random.Random) -> str:
    at = max(range(draft.shown, len(draft.tests)), key=lambda i: len(draft.tests[i][0]))
    given, wanted = draft.tests[at]
    draft.tests[at] = (given[:CUT_AFTER] + "...", wanted)
    draft.changed_test = at
    return f"test {at} ends after {CUT_AFTER} characters"


def _wrong_output(draft: Draft, rng: random.Random) -> str:
    candidates = [i for i in range(draft.shown, len(draft.tests)) if re.search(r"\d", draft.tests[i][1])]
    at = rng.choice(candidates)
    given, wanted = draft.tests[at]
    last = list(re.finditer(r"\d+", wanted))[-1]
    draft.tests[at] = (given, f"{wanted[: last.start()]}{int(last[0]) + 1}{wanted[last.end() :]}")
    draft.changed_test = at
    return f"test {at}: {last[0]} became {int(last[0]) + 1}"


PLANT: dict[str, Callable[[Draft, random.Random], str]] = {  # changes the draft, returns the key's `detail`
    "html": _html,
    "language": _language,
    "story": _story,
    "copy": _copy,
    "image": _image,
    "cut_test": _cut_test,
    "wrong_output": _wrong_output,
}


def _material(kind: str) -> list[Path]:
    return sorted((MATERIAL / "raw" / kind).glob("*.md"))


def read_key(path: Path) -> list[dict[str, Any]]:
    """The lines of a key file."""
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{path}: not a key: expected one JSON object a line") from None
