"""Counts damage in a built dataset: empty samples, lost exponents, markup in prose, holes where a formula was, half
fences, lost symbols, colliding identities.

    python bench/intact_rows.py DATASET [RAW...] [--json FILE] [--ids 5]

DATASET is what `microcoder data build` wrote; RAW are the JSON lines it was built from, for what only they can show
(lost symbols). The script imports nothing of the pipeline. It has its own patterns of damage, so that a fault of a
pipeline rule does not hide in its measurement.
"""

from __future__ import annotations

import argparse
import html
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset

Row = dict[str, Any]
KINDS = (
    "empty samples", "bent bounds, not marked", "markup in prose", "holes", "half fences", "lost symbols",
    "colliding identities",
)  # fmt: skip
_PARTS = ("title", "statement", "input_format", "output_format", "constraints", "notes")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\$\$.+?\$\$|\$[^$\n]+\$|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)
_MARKUP = re.compile(
    r"</?(?:p|br|span|font|strong|em|b|i|u|code|pre|sup|sub|ul|ol|li|div|table|tr|td|th|img|section|var|center)(?:\s[^<>]*)?/?>"
    r"|&(?:lt|gt|amp|nbsp|quot|le|ge|#\d+);|\\(?:begin|end|section|textbf|texttt|emph|includegraphics|item)\b",
    re.IGNORECASE,
)
_SPEAKS_OF_MARKUP = re.compile(r"\b(?:html|xml|markup|tags?|entit(?:y|ies)|escap\w+|latex)\b", re.IGNORECASE)
_BENT = re.compile(
    r"(?:<=?|≤|\\le)\s*-?(?:\d+\s*(?:\*|×)\s*)?10([3-9]|1[0-8])(?![\d.,^])|"
    r"(?<![\d.^])10(?:9|8|6)\s*\+\s*[79](?!\d)|(?<![\d.^])2(?:31|32|63|64)\s*-\s*1(?!\d)|(?:modulo|mod)\s*10[79]\b"
)
_HOLE = re.compile(
    r"\b(?:be|is|where|equals?)  (?:of|if|where|denotes|means)\b|\b(?:to|of|than|exceed|least|most) ,|[;:]  ,|\(  ?[,)]"
)
_SYMBOLS = "*_\\<>|&%#@~^"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("raw", nargs="*", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--ids", type=int, default=5)
    options = parser.parse_args()

    rows = pyarrow.dataset.dataset(options.dataset / "data").to_table().to_pylist()
    sources = Counter(row["source"] for row in rows)
    damaged: dict[str, dict[str, list[str]]] = {kind: defaultdict(list) for kind in KINDS}
    for row in rows:
        for kind, test in (
            ("empty samples", empty_samples),
            ("bent bounds, not marked", bent_bounds),
            ("markup in prose", markup_in_prose),
            ("holes", holes),
            ("half fences", half_fences),
        ):
            if found := test(row):
                damaged[kind][row["source"]].append(f"{row['problem_id']}: {found}")
    for row, found in lost_symbols(rows, options.raw):
        damaged["lost symbols"][row["source"]].append(f"{row['problem_id']}: {found}")
    for row, found in collisions(rows):
        damaged["colliding identities"][row["source"]].append(f"{row['problem_id']}: {found}")
    show(sources, damaged, options.ids)
    if options.json:
        counts = {kind: {source: len(ids) for source, ids in sorted(by.items())} for kind, by in damaged.items()}
        options.json.write_text(json.dumps({"rows": dict(sorted(sources.items())), "damaged": counts}, indent=1) + "\n")


def show(sources: Counter[str], damaged: dict[str, dict[str, list[str]]], ids: int) -> None:
    print(f"{sum(sources.values())} rows: " + ", ".join(f"{name} {count}" for name, count in sorted(sources.items())))
    for kind, by_source in damaged.items():
        total = sum(map(len, by_source.values()))
        print(f"{kind:26}{total:6}  {100 * total / max(1, sum(sources.values())):.2f} %")
        for source, found in sorted(by_source.items()):
            print(f"    {source}: {len(found)} ({100 * len(found) / sources[source]:.2f} %)")
            for one in found[:ids]:
                print(f"        {one[:180]}")


def prose(row: Row) -> str:
    """What a reader reads, without code, formulas and quoted values."""
    return _CODE.sub(" ", "\n".join(row[name] or "" for name in _PARTS))


def empty_samples(row: Row) -> str:
    empty = [one for one in row["samples"] if not (one["output"] or "").strip()]
    prints_nothing = {test["input"].strip() for test in row["tests"] if not (test["output"] or "").strip()}
    empty = [one for one in empty if (one["input"] or "").strip() not in prints_nothing]
    return f"{len(empty)} of {len(row['samples'])} samples have no output" if empty else ""


def bent_bounds(row: Row) -> str:
    text = "\n".join(row[name] or "" for name in _PARTS)
    found = _BENT.search(text.replace("`", "").replace("$", ""))
    if not found:
        return ""
    said = any(
        one["outcome"] == "marked" and "exponent" in (one["rule"] + (one["detail"] or "")) for one in row["provenance"]
    )
    return "" if said or _explained(row, found[0]) else repr(found[0])


def _explained(row: Row, bound: str) -> bool:
    """Whether a test comes near to the bound as it is written, so that the bound is right."""
    digits = re.search(r"10(?:[3-9]|1[0-8])", bound)
    if not digits:
        return False
    limit = int(digits[0])
    sizes = [int(number) for test in row["tests"] for number in re.findall(r"\d{1,6}", (test["input"] or "")[:20000])]
    lengths = [len(json_list) for test in row["tests"] for json_list in _lists(test["input"] or "")]
    return any(limit // 2 <= value <= limit for value in [*sizes, *lengths]) and max([0, *sizes]) <= limit


def _lists(text: str) -> Iterator[list[Any]]:
    for line in text[:200_000].split("\n"):
        try:
            value = json.loads(line.partition("=")[2] or line)
        except ValueError:
            continue
        if isinstance(value, list):
            yield value


def markup_in_prose(row: Row) -> str:
    text = prose(row)
    found = _MARKUP.search(text)
    if not found or _SPEAKS_OF_MARKUP.search(text.replace(found[0], "")):
        return ""
    return repr(found[0])


def holes(row: Row) -> str:
    """Two spaces, or a space before a comma, where words ask for something between them."""
    text = _CODE.sub("x", "\n".join(row[name] or "" for name in _PARTS))
    found = _HOLE.search(text)
    return repr(text[max(0, found.start() - 20) : found.end() + 10]) if found else ""


def half_fences(row: Row) -> str:
    texts = [*(row[name] or "" for name in _PARTS), *(one["explanation"] or "" for one in row["samples"])]
    return next((repr(text[-40:]) for text in texts if text.count("```") % 2), "")


def lost_symbols(rows: list[Row], raw: list[Path]) -> Iterator[tuple[Row, str]]:
    """Rows whose raw record shows a symbol in a sample's value or a code span that the row does not show at all."""
    places = {row["location"]: row for row in rows}
    for path in raw:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                row = places.get(f"{path.name}:{number}")
                if row is None:
                    continue
                shown = _everything(row)
                for symbol, where in _symbols_of(json.loads(line)):
                    if symbol not in shown:
                        yield row, f"{symbol!r} of {where!r}"
                        break


def _everything(row: Row) -> str:
    sides = [f"{one['input']}\n{one['output']}\n{one['explanation']}" for one in row["samples"]]
    return "\n".join([*(row[name] or "" for name in _PARTS), *sides, row["starter_code"] or ""]).translate(_RAISED)


def _symbols_of(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Symbols inside quotes or code spans of the raw statement, where they are not markup."""
    text = _statement(record)
    spans = re.findall(r"<code>(.*?)</code>", text, re.DOTALL) + re.findall(r"(?<!`)`([^`\n]{1,60})`(?!`)", text)
    spans += re.findall(r"&quot;([^&<>\n]{1,40})&quot;|&#39;([^&<>\n]{1,5})&#39;", text) and [
        "".join(one) for one in re.findall(r"&quot;([^&<>\n]{1,40})&quot;|&#39;([^&<>\n]{1,5})&#39;", text)
    ]
    for span in spans:
        plain = html.unescape(re.sub(r"<su[pb]>|</su[pb]>|</?[a-z]+[^<>]*>", "", span))
        for symbol in _SYMBOLS:
            if symbol in plain:
                yield symbol, plain[:40]


def _statement(record: dict[str, Any]) -> str:
    readme = record.get("readme_en") or record.get("readme")
    if isinstance(readme, str):
        found = re.search(r"description:start -->(.*?)(?:<!-- description:end|\Z)", readme, re.DOTALL)
        return found[1] if found else ""
    for name in ("problem_description", "question_content", "en_md"):
        if isinstance(record.get(name), str):
            return str(record[name])
    return ""


def collisions(rows: list[Row]) -> Iterator[tuple[Row, str]]:
    """Rows of different titles with the same address, rows with the same id, and slugs of fewer than two characters."""
    keys: tuple[Callable[[Row], Any], ...] = (
        lambda row: row["problem_id"],
        lambda row: (row["url"] or "").rstrip("/").lower() or None,
        lambda row: (row["platform"], row["slug"]) if row["platform"] and row["slug"] else None,
    )
    seen: set[int] = set()
    for key_of in keys:
        groups: dict[Any, list[int]] = defaultdict(list)
        for number, row in enumerate(rows):
            if (key := key_of(row)) is not None:
                groups[key].append(number)
        for key, numbers in groups.items():
            titles = {re.sub(r"\W+", "", (rows[number]["title"] or "").lower()) for number in numbers}
            if len(numbers) > 1 and (len(titles) > 1 or key_of is keys[0]):
                for number in numbers:
                    if number not in seen:
                        seen.add(number)
                        yield rows[number], f"{len(numbers)} rows are {key}"
    for number, row in enumerate(rows):
        if row["slug"] is not None and len(row["slug"]) < 2 and number not in seen and row["platform"] != "atcoder":
            yield row, f"the slug {row['slug']!r} says nothing"


if __name__ == "__main__":
    main()
