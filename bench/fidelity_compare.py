"""Compares a label of `fidelity_labels.jsonl` with the row made of its record. Pure: no files, no process."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fidelity_text import call_test, canon, holds, plain, sample_text, sample_values, sha, stdin_test

Label = Mapping[str, Any]

NEEDS_CHECKER = ("needs_a_checker", "needs_checker", "no_validator")
_PARTS = ("title", "statement", "input_format", "output_format", "constraints", "notes", "starter_code")
_LEFT = re.compile(
    r"</?(?:p|br|span|font|strong|em|code|pre|su[bp]|[uo]l|li|div|img|table|t[drh]|tbody|section|var|h[1-6]|b|i|s|u)\b[^>]*>"
    r"|<!--|&(?:lt|gt|le|ge|amp|quot|nbsp|#\d+);|[\u200b\u200c\ufeff]"
    r"|\*{4}|\\(?:begin|end|includegraphics|problemname|illustration|item|textbf|texttt|emph|newcommand|section)\b"
)
_DEBRIS = re.compile(r"<ref>|!\[[^\]]*\]\((?!<?[a-z]+:)[^)]*\)|(?m:^\s*\.\d+\s*$)|-\d*\.\d+cm\b|\bjury-\d")
"""Remains of TeX: references, figures without an address, widths, the bodies of macros."""
_TABLE = re.compile(r"(?m)^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)+\|?[ \t]*$")
_CODE = re.compile(r"^```.*?^```|`[^`\n]+`|\$[^$\n]+\$|\$\\begin\{[^$]+\$", re.DOTALL | re.MULTILINE)
"""Code and formulas: TeX's commands belong there."""
_BOUND = re.compile(r"exponent|bound|fidelity", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """What became of one raw record."""

    outcome: str
    """published, merged, dropped; missing when the pipeline does not account for the record."""
    reason: str = ""
    row: Mapping[str, Any] = field(default_factory=dict)
    into: str | None = None
    """merged: the key of the published record that it was merged into."""

    @property
    def shown(self) -> str:
        return f"{self.outcome} {self.reason}".strip()


@dataclass(frozen=True)
class Verdict:
    """One thing that a label says, and whether the pipeline did it."""

    aspect: str
    right: bool
    expected: str = ""
    found: str = ""


def decision(label: Label, found: Found) -> Iterator[Verdict]:
    """Whether the record was kept or dropped as it should be, and dropped for a right reason."""
    wanted = label["decision"]
    if wanted == "drop":
        merged = found.outcome == "merged" or "statement" in taken_from_twins(found.row)
        gone = found.outcome == "dropped" or (merged and bool(label.get("twins")))
        yield Verdict("decision", gone, "drop: " + " or ".join(label["reasons"]), found.shown)
        if found.outcome == "dropped":
            yield Verdict("reason", found.reason in label["reasons"], " or ".join(label["reasons"]), found.reason)
    elif wanted == "needs_checker":
        right = found.reason in NEEDS_CHECKER or checker_of(found.row) in ("needs_checker", "python", "cpp")
        yield Verdict("several answers", right or found.outcome == "merged", "needs a checker", found.shown)
    else:
        yield Verdict("decision", found.outcome in ("published", "merged"), "keep", found.shown)
        if found.reason == "missing_image":
            yield Verdict("figures", False, label.get("figures", "none"), "dropped: missing_image")


def taken_from_twins(row: Mapping[str, Any]) -> str:
    """What the step of pooling names: a twin's statement may stand in place of the record's own."""
    steps = row.get("provenance") or ()
    return " ".join(step["detail"] or "" for step in steps if step["rule"].startswith("pool_"))


def content(label: Label, row: Mapping[str, Any], group: Sequence[Label]) -> Iterator[Verdict]:
    """Compare a published row with its label. `group` are the labels of the twins that were merged into the row."""
    if "language" in label:  # not where a twin in another language is as good
        yield Verdict("language", row["language"] == label["language"], label["language"], str(row["language"]))
    if "kind" in label:
        yield Verdict("kind", row["kind"] == label["kind"], label["kind"], row["kind"])
    if "address" in label:
        places = {row["slug"], (row["url"] or "").rstrip("/").rpartition("/")[2]}
        right = label["address"] in places
        yield Verdict("address", right, "its own", "its own" if right else "another" if any(places) else "none")
    if "checker" in label and label["decision"] == "keep":
        checker = checker_of(row)
        yield Verdict("checker", checker in label["checker"], " or ".join(label["checker"]), checker)
    if "samples" in label:
        yield _samples(row, [label, *group])
    if "tests" in label and not group:
        yield _tests(label, row)
    for name in label.get("prelude", ()):
        given = re.search(
            rf"^\s*class {name}\b", f"{row['starter_code'] or ''}\n{row['test_code'] or ''}", re.MULTILINE
        )
        yield Verdict("prelude", given is not None, f"class {name} is given", "given" if given else "absent")
    yield from _text(label, row, group)


def _text(label: Label, row: Mapping[str, Any], group: Sequence[Label]) -> Iterator[Verdict]:
    text = whole_text(row)
    forms = [canon(text), canon(plain(text))]
    if "subscripts_lost" in label.get("damage", ()):  # a twin's text has them
        forms.append(forms[1].replace("_", ""))
    if "survives" in label:
        lost = sum(not _holds(forms, one) for one in label["survives"])
        yield Verdict("fragments", not lost, "every fragment", f"lost ({lost} of {len(label['survives'])})")
    if "lost_exponents" in label:
        marked = any(_BOUND.search(f"{step['rule']} {step['detail']}") for step in row["provenance"])
        bare = forms[1].replace("_", "")
        open_ = [one for one in label["lost_exponents"] if canon(one["right"]).replace("_", "") not in bare]
        yield Verdict("lost exponents", marked or not open_, "repaired or marked", f"left as they were ({len(open_)})")
    if label.get("figures") == "informative":
        yield Verdict("figures", "](" in text, "the link is kept", "kept" if "](" in text else "lost")
    if not label.get("tags_are_text"):
        prose = _CODE.sub(" ", text.replace(row["starter_code"] or "\0", ""))
        left = _LEFT.search(prose) or _DEBRIS.search(prose)
        yield Verdict("markup left", left is None, "none", _named(left[0]) if left else "none")
    if "tables" in label:
        tables = len(_TABLE.findall(text))
        yield Verdict("tables", tables >= label["tables"], "every table", "a table" if tables else "none")
    whole = next((one for one in group if "samples" in one and not {"damage", "lost_exponents"} & one.keys()), None)
    if whole and (label.get("damage") or label.get("lost_exponents")):
        kept = all(_holds(forms, one) for one in whole.get("survives", ())) and _samples(row, [whole]).right
        yield Verdict("best twin", kept, f"the statement of {whole['source']}", f"that of {label['source']}")


def _named(left: str) -> str:
    return "a figure without an address" if left.startswith("![") else repr(left.strip(" \n"))


def _holds(forms: Iterable[str], fragment: Sequence[Any]) -> bool:
    return any(holds(form, *fragment) for form in forms)


def _samples(row: Mapping[str, Any], labels: Sequence[Label]) -> Verdict:
    program = row["kind"] not in ("call", "asserts")
    found = [
        (_hash(sample_text(one["input"] or "", program)), _hash(sample_text(one["output"] or "", program)))
        for one in row["samples"]
    ]
    values = {
        _hash(value)
        for one in row["samples"]
        if not program and (value := sample_values(one["input"] or "", one["output"] or ""))
    }
    wanted = [one["samples"] for one in labels if "samples" in one]
    right = any(
        all(tuple(sample[:2]) in found or (len(sample) > 2 and sample[2] in values) for sample in samples)
        for samples in wanted
    )
    empty = sum(not (one["output"] or "").strip() for one in row["samples"])
    inputs = {sample[0] for sample in wanted[0]} if wanted else set()
    kind = (
        f"{len(row['samples'])} samples for {len(wanted[0])}"
        if len(found) < len(wanted[0])
        else "an output differs"
        if inputs <= {one[0] for one in found}
        else "an input differs"
    )
    return Verdict("samples", right, "every sample, exact", kind + (f", {empty} without output" if empty else ""))


def _hash(text: str) -> str:
    return sha(text)[:16]


def _tests(label: Label, row: Mapping[str, Any]) -> Verdict:
    tests = {_test(row["kind"], one) for one in row["tests"]}
    right = _hash("\n".join(sorted(tests))) == label["tests_sha256"]
    count = "more" if len(tests) > label["tests"] else "fewer" if len(tests) < label["tests"] else "others"
    return Verdict("tests", right, f"{label['kind']}, as the record has them", f"{row['kind']}, {count}")


def _test(kind: str, test: Mapping[str, Any]) -> str:
    if kind != "call":
        return stdin_test(test["input"], test["output"])
    try:
        return call_test([_value(line) for line in test["input"].split("\n")], json.loads(test["output"]))
    except ValueError:
        return f"unreadable {test['input']}"


def _value(line: str) -> Any:
    """`[1, 2]` or `nums = [1, 2]`."""
    try:
        return json.loads(line)
    except ValueError:
        return json.loads(line.partition("=")[2])


def checker_of(row: Mapping[str, Any]) -> str:
    """The checker of a published row as labels write it."""
    if not row:
        return ""
    if any(step["outcome"] == "marked" and "needs a checker" in (step["detail"] or "") for step in row["provenance"]):
        return "needs_checker"
    if (row["verification"] or {}).get("status") == "needs_checker":
        return "needs_checker"
    if row["kind"] == "asserts":
        return "asserts"
    checker = row["checker"]
    if not checker or checker["kind"] in ("tokens", "exact"):
        return "tokens"
    if checker["kind"] == "kattis_default":
        flags = " ".join(checker["flags"] or [])
        tolerance = re.search(r"float\w*tolerance (\S+)", flags)
        return f"float:{float(tolerance[1]):g}" if tolerance else "tokens"
    if checker["kind"] == "float":
        return f"float:{checker['abs'] or checker['rel']:g}"
    if checker["kind"] == "unordered" and checker["nested"]:
        return "unordered:nested"
    return f"unordered:{checker['of']}" if checker["kind"] == "unordered" else str(checker["kind"])


def whole_text(row: Mapping[str, Any]) -> str:
    """Everything that a reader of the row sees, samples included."""
    samples = [f"{one['input']}\n{one['output']}\n{one['explanation'] or ''}" for one in row["samples"]]
    return "\n".join([*(row[name] or "" for name in _PARTS), *samples])
