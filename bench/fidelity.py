"""How faithful the data pipeline is on real rows: its decisions, compared with a human reader's labels.

    python bench/fidelity.py RAW... [--json FILE] [--keep DIR] [--ids 5]

RAW are your copies of the publishers' files (JSON lines). Records are recognised by hash, whatever the file's name;
what has no label is left out. The labelled records go through `microcoder data build` with the default rules, and
every label is compared with the published row, `dropped/` and `duplicate_of`.

`fidelity_labels.jsonl` holds hashes, counts and decisions, and no text. bench/README.md, "The pipeline compared with
readers", explains its fields.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset
from fidelity_compare import Found, Label, Verdict, content, decision
from fidelity_text import raw_sha256

LABELS = Path(__file__).with_name("fidelity_labels.jsonl")
ASPECTS = (
    "decision", "reason", "several answers", "missed twins", "wrong merges", "best twin", "samples", "tests", "checker",
    "fragments", "lost exponents", "markup left", "tables", "figures", "address", "language", "kind", "prelude",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("raw", nargs="+", type=Path)
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--json", type=Path, help="every verdict")
    parser.add_argument("--no-addresses", action="store_true", help="find twins by their texts and tests alone")
    parser.add_argument("--keep", type=Path, help="an empty directory for the build; a temporary one otherwise")
    parser.add_argument("--ids", type=int, default=5, help="ids shown of each class of differences")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()

    readings = read_labels(options.labels)
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.keep or Path(temporary)
        keys = write_raw(options.raw, readings, directory / "raw")
        if not keys:
            sys.exit("none of the records has a label: are these the publishers' own files?")
        build(directory, keys, readings, options)
        found = read_build(directory / "dataset", keys)
    verdicts = list(judge({key: readings[key] for key in keys.values()}, found))
    show(verdicts, {key: readings[key][0] for key in keys.values()}, found, options.ids)
    if options.json:
        lines = [{"id": key, "debatable": debatable, **vars(verdict)} for key, debatable, verdict in verdicts]
        options.json.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def key_of(label: Label) -> str:
    return f"{label['source']}:{label['id']}"


def read_labels(path: Path) -> dict[str, list[Label]]:
    """By key, the readings of each row; a debatable row has two."""
    readings: dict[str, list[Label]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        readings[key_of(label)].append(label)
    return dict(readings)


def write_raw(paths: Iterable[Path], readings: dict[str, list[Label]], directory: Path) -> dict[str, str]:
    """Copy the labelled records, a file for each source and input file. Returns `file:line` -> key."""
    labels = {reading[0]["raw_sha256"]: key for key, reading in readings.items()}
    directory.mkdir(parents=True)
    keys: dict[str, str] = {}
    seen: set[str] = set()
    for number, path in enumerate(paths):
        lines: dict[str, list[str]] = defaultdict(list)
        with path.open(encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                key = labels.get(raw_sha256(record))
                if key and key not in seen:
                    seen.add(key)
                    source = key.partition(":")[0]
                    lines[source].append(line.rstrip("\n"))
                    keys[f"{source}-{number}.jsonl:{len(lines[source])}"] = key
        for source, text in lines.items():
            (directory / f"{source}-{number}.jsonl").write_text("\n".join(text) + "\n", encoding="utf-8")
    return keys


def build(directory: Path, keys: dict[str, str], readings: dict[str, list[Label]], options: argparse.Namespace) -> None:
    """Run the pipeline with its default rules. All tests are kept, also those beyond a bound, to compare them.

    The files with the most damaged rows come first, to show it if the order of sources decides which twin stays.
    """
    damaged = Counter(
        place.partition(":")[0]
        for place, key in keys.items()
        if readings[key][0].get("damage") or readings[key][0].get("lost_exponents")
    )
    files = sorted({place.partition(":")[0] for place in keys}, key=lambda name: (-damaged[name], name))
    sources = [
        {"source": name.rpartition("-")[0], "name": name.removesuffix(".jsonl"), "path": str(directory / "raw" / name)}
        for name in files
    ]
    recipe = directory / "recipe.yaml"
    settings = {
        "name": "fidelity",
        "sources": sources,
        "filter": {"bounds": False, "tests": {"choose": "all", "limit": 100_000}},
        "compare": {"duplicates": {"addresses": not options.no_addresses}},
    }
    recipe.write_text(json.dumps(settings))
    program = Path(sys.executable).with_name("microcoder")
    command = [program, "data", "build", recipe, "--out", directory / "dataset", "--quiet"]
    command += ["--workers", options.workers]
    subprocess.run([str(part) for part in command], check=True, stdout=sys.stderr)


def read_build(directory: Path, keys: dict[str, str]) -> dict[str, Found]:
    rows = pyarrow.dataset.dataset(directory / "data").to_table().to_pylist()
    gone = pyarrow.dataset.dataset(directory / "dropped").to_table().to_pylist()
    found = {keys[row["location"]]: Found("published", row=row) for row in rows if row["location"] in keys}
    by_id = {row["problem_id"]: row for row in [*gone, *rows]}
    for entry in gone:
        key = keys.get(entry["location"])
        if key is None or key in found:
            continue
        if entry["outcome"] != "merged":
            found[key] = Found("dropped", entry["reason"])
            continue
        target = by_id.get(entry["duplicate_of"])
        while target is not None and target.get("duplicate_of"):
            target = by_id.get(target["duplicate_of"])
        found[key] = Found("merged", entry["reason"], into=keys.get(target["location"]) if target else None)
    return {key: found.get(key, Found("missing")) for key in keys.values()}


def judge(readings: dict[str, list[Label]], found: dict[str, Found]) -> Iterator[tuple[str, bool, Verdict]]:
    """(key, whether the row is debatable, verdict). Of two readings the one nearer to the pipeline's result counts."""
    merged: dict[str, list[str]] = defaultdict(list)
    for key, what in found.items():
        if what.into:
            merged[what.into].append(key)
    for key, labels in readings.items():
        group = [readings[one][0] for one in merged[key]]
        attempts = [list(_of_row(label, found[key], group)) for label in labels]
        best = min(attempts, key=lambda verdicts: sum(not verdict.right for verdict in verdicts))
        for verdict in best:
            yield key, len(labels) > 1, verdict
        for verdict in _merges(key, labels[0], found):
            yield key, False, verdict


def _of_row(label: Label, found: Found, group: list[Label]) -> Iterator[Verdict]:
    yield from decision(label, found)
    if found.outcome == "published" and label["decision"] != "drop":
        yield from content(label, found.row, group)


def _merges(key: str, label: Label, found: dict[str, Found]) -> Iterator[Verdict]:
    mine = found[key].into or key
    if found[key].outcome == "dropped":
        return
    for twin in label.get("twins", ()):
        if twin > key and twin in found and found[twin].outcome != "dropped":
            yield Verdict("missed twins", (found[twin].into or twin) == mine, f"one row ({twin})", "two rows")
    if found[key].outcome == "merged" and mine not in label.get("related", ()):
        right = mine in label.get("twins", ())
        yield Verdict("wrong merges", right, "a row of its own", f"merged {found[key].reason} ({mine})")
    for other in label.get("apart", ()):
        if other > key and other in found and "dropped" not in (found[other].outcome, found[key].outcome):
            one = (found[other].into or other) == mine
            yield Verdict("wrong merges", not one, "a row of its own", f"one row with its family ({other})")


def show(
    verdicts: list[tuple[str, bool, Verdict]], labels: dict[str, Label], found: dict[str, Found], ids: int
) -> None:
    sources = sorted({label["source"] for label in labels.values()})
    print(f"{len(labels)} labelled rows of {len(sources)} sources: " + ", ".join(
        f"{source} {count}" for source, count in sorted(Counter(label["source"] for label in labels.values()).items())
    ))  # fmt: skip
    print(f"\n{'':16}{'agree':>7}{'of':>7}{'':>8}   " + "".join(f"{source[:12]:>14}" for source in sources))
    for aspect in ASPECTS:
        _line(aspect, sources, [(labels[key]["source"], one.right) for key, _, one in verdicts if one.aspect == aspect])
    wrong = {key for key, _, verdict in verdicts if not verdict.right}
    for outcome in ("published", "dropped"):
        mine = [(labels[key]["source"], key not in wrong) for key in labels if found[key].outcome == outcome]
        _line(f"{outcome} rows", sources, mine)
    debatable = {key for key, is_debatable, _ in verdicts if is_debatable}
    print(f"\n{len(debatable)} rows are debatable: either reading counts.")
    classes: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for key, _, verdict in verdicts:
        if not verdict.right:
            classes[verdict.aspect, _short(verdict.expected), _short(verdict.found)].append(key)
    print("\ndifferences, the most frequent first (aspect | expected | found):")
    for (aspect, expected, outcome), keys in sorted(classes.items(), key=lambda item: -len(item[1])):
        print(f"{len(keys):5} {aspect} | {expected} | {outcome}")
        for key in keys[:ids]:
            print(f"        {key}")


def _line(title: str, sources: list[str], rights: list[tuple[str, bool]]) -> None:
    """Print a line of the table: the share that agrees, in total and by source."""
    if not rights:
        return
    cells = []
    for source in sources:
        some = [right for name, right in rights if name == source]
        cells.append(f"{sum(some)}/{len(some)}" if some else "-")
    right = sum(one for _, one in rights)
    share = f"{100 * right / len(rights):6.1f} %"
    print(f"{title:16}{right:7}{len(rights):7}{share:>8}   " + "".join(f"{cell:>14}" for cell in cells))


def _short(text: Any) -> str:
    """The text without its part in parentheses (keys and counts), which differs in every row."""
    return str(text).split(" (")[0]


if __name__ == "__main__":
    main()
