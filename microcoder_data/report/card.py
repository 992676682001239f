"""The dataset card: README.md with the front matter that the Hugging Face hub reads."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from microcoder_data.faults import OUR_FAULT
from microcoder_data.report.account import UNKNOWN, Account
from microcoder_data.report.fidelity_section import table_rows
from microcoder_data.report.fitness_section import MEANING, by_source, headings, in_words
from microcoder_eval.atomic import atomic_path
from microcoder_eval.plural import counted

_LICENSES = {
    "apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "cc0-1.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0",
    "cc-by-sa-4.0", "cc-by-nc-4.0", "gpl-3.0", "odc-by", "unlicense", "wtfpl",
}  # fmt: skip
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_COLUMNS = (
    ("`problem_id`, `source`, `platform`, `url`, `license`", "where it comes from"),
    ("`statement`, `input_format`, `output_format`, `constraints`, `notes`, `samples`", "the task, in Markdown"),
    ("`kind`, `entry_point`, `starter_code`, `test_code`", "`stdin`, `call` of a function, or a test program"),
    ("`tests`, `checker`, `time_limit_ms`, `memory_limit_mb`", "how an answer is judged"),
    ("`difficulty`, `tags`, `contest_date`", "native and, where asked for, predicted"),
    ("`verification`", "what running its solutions has shown"),
    ("`contamination`, `merged_ids`", "benchmark problems it is near to, duplicates it stands for"),
    ("`provenance`", "every rule that changed, marked or measured it"),
)


def write_card(directory: Path, account: Account) -> Path:
    """Write DIRECTORY/README.md."""
    out = directory / "README.md"
    with atomic_path(out) as path:
        path.write_text(card(account), encoding="utf-8")
    return out


def card(account: Account) -> str:
    """The card's text. Equal builds give equal cards."""
    import yaml

    front = yaml.safe_dump(_front_matter(account), sort_keys=False, allow_unicode=True)
    parts = [
        f"---\n{front}---",
        f"# {account.manifest['name']}",
        *([f"**{OUR_FAULT}:** {'; '.join(account.faults)}."] if account.faults else []),
        _summary(account),
        *in_words(account),
        _table(headings(), by_source(account)),
        f"Fit for {'; '.join(f'{use}: {meaning}' for use, meaning in MEANING.items())}.",
        "## How it was made",
        _table(["stage", "rows in", "kept", "dropped", "merged"], _stages(account)),
        *_executed(account),
        *_lost(account),
        "## Sources and licenses",
        _table(["source", "problems"], _counts(account.after["source"])),
        _table(["license", "problems"], _counts(account.after["license"])),
        "The license of a problem is its publisher's, in the column `license`; `unknown` means that none was stated.",
        "## Use",
        _USE,
        "## Columns",
        _table(["columns", "what"], [list(pair) for pair in _COLUMNS]),
        "Reference solutions are in `solutions/`, apart from the problems. Rejected, dropped and merged rows are in "
        "`dropped/`, with the reason; `manifest.json` has every setting and checksum, `report.html` the numbers.",
    ]
    return "\n\n".join(parts) + "\n"


_USE = """```python
from datasets import load_dataset

problems = load_dataset("parquet", data_files="data/*.parquet", split="train")
```

    microcoder eval grade --problems data --submissions answers.jsonl --out run"""


def _front_matter(account: Account) -> dict[str, Any]:
    licenses = {name.lower() for name in account.after["license"]}
    rows = account.manifest["rows"]
    return {
        "pretty_name": account.manifest["name"],
        "license": next(iter(licenses)) if len(licenses) == 1 and licenses <= _LICENSES else "other",
        "language": sorted(name for name in account.after["language"] if re.fullmatch(r"[a-z]{2,3}", name)),
        "task_categories": ["text-generation"],
        "tags": ["code", "programming-problems", "reinforcement-learning", "verifiable-rewards"],
        "size_categories": [next((name for most, name in _SIZES if rows < most), "n>1M")],
        "configs": [{"config_name": "default", "data_files": [{"split": "train", "path": "data/*.parquet"}]}],
    }


def _summary(account: Account) -> str:
    manifest = account.manifest
    kinds = ", ".join(f"{count:,} {name}" for name, count in account.after["kind"].most_common())
    levels = ", ".join(f"{count:,} {name}" for name, count in account.after["level"].most_common() if name != UNKNOWN)
    lines = [
        f"{counted(manifest['rows'], 'programming problem')} with tests ({kinds or 'none'}), built with MicroCoder "
        f"from {counted(account.stages[0]['in'], 'record')}.",
        f"Difficulty: {levels}." if levels else "",
        f"Logical hash: `{manifest['logical_sha256']}`; a build with the same hash holds the same rows.",
    ]
    return "\n".join(line for line in lines if line)


def _stages(account: Account) -> list[list[str]]:
    return [
        [stage["stage"], *(f"{stage[name]:,}" for name in ("in", "kept", "dropped", "merged"))]
        for stage in account.stages
    ]


def _executed(account: Account) -> list[str]:
    ran = account.executed
    if not ran.get("rows executed"):
        return ["Solutions were not executed: the tests are as their publishers gave them."]
    said = [
        f"Solutions were run to verify {counted(ran['rows executed'], 'problem')}: "
        f"{ran.get('right solutions accepted', 0):,} of {ran.get('right solutions run', 0):,} right solutions were "
        "accepted",
        f"{ran.get('wrong rejected', 0):,} of {ran.get('wrong run', 0):,} known-wrong solutions and "
        f"{ran.get('mutants rejected', 0):,} of {ran.get('mutants run', 0):,} mutants were rejected",
        f"{ran.get('tests contradicted', 0):,} contradicted tests were removed and "
        f"{ran.get('tests generated', 0):,} generated ones added (`origin` is `generated`)",
    ]
    return ["; ".join(said) + "."]


def _lost(account: Account) -> list[str]:
    """What the published and dropped rows lost while their text was converted."""
    if not account.losses:
        return ["No row lost numbers, samples, code or other measured parts of its text while it was converted."]
    said = "While texts were converted, these rows lost something; the column `provenance` says what (rule `fidelity`)."
    return [said, _table(["rule", "source", "outcome", "problems"], table_rows(account.losses))]


def _counts(counts: Counter[str]) -> list[list[str]]:
    return [[name, f"{count:,}"] for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]


def _table(headings: list[str], rows: list[list[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
