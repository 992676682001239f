"""Made-up packages in the legacy and in the new format: written as folders or zips, and read as a source."""

import zipfile
from pathlib import Path
from typing import Any

from microcoder_data.conversion import rows_of
from microcoder_data.reading.files import find_files
from microcoder_data.reading.parts import Part
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.shards import TestStore

STATEMENT = r"""\problemname{Sum of Two}
You are given two numbers and have to add them. Everybody should be able to do this without any help from a friend.
\section*{Input}
One line with two integers $a$ and $b$, each between zero and one thousand.
\section*{Output}
Print one integer, the sum of the two given integers.
"""
LEGACY: dict[str, str] = {
    "problem.yaml": "name: Sum of Two\nsource: Made Up 2024\nlicense: cc by-sa\nlimits: {memory: 512}\n",
    ".timelimit": "3\n",
    "problem_statement/problem.sv.tex": r"\problemname{Summan} Addera.",
    "problem_statement/problem.en.tex": STATEMENT,
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/group1/01.in": "5 5\n",
    "data/secret/group1/01.ans": "10\n",
    "data/secret/group2/02.in": "7 8\n",
    "data/secret/group2/02.ans": "15\n",
    "submissions/accepted/sum.py": "print(sum(map(int, input().split())))\n",
    "submissions/accepted/sum.cc": "int main() {}\n",
    "submissions/wrong_answer/difference.py": "a, b = map(int, input().split())\nprint(a - b)\n",
    "submissions/mixed/slow.py": "# @EXPECTED_RESULTS@: WRONG_ANSWER, TIME_LIMIT_EXCEEDED\nprint(1)\n",
    "submissions/mixed/lucky.py": "# @EXPECTED_RESULTS@: ACCEPTED, TIME_LIMIT_EXCEEDED\nprint(1)\n",
    "submissions/run_time_error/old.py": "print raw_input()\n",
}
LAUGHS = (
    "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)) + "keywords: *a39\n"
)
NEW: dict[str, str] = {
    "problem.yaml": (
        "problem_format_version: 2023-07\nname: {en: Closest}\ntype: [pass-fail]\nlimits: {time_limit: 1.5}\n"
        "constants: {most: 1000}\n"
    ),
    "statement/problem.en.md": "Print any number below {{most}} that is close to the given one. Do not print others.",
    "data/sample/1.in": "1\n",
    "data/sample/1.ans": "1\n",
    "data/secret/01.in": "2\n",
    "data/secret/01.ans": "2\n",
    "data/secret/test_group.yaml": "output_validator_args: [far, '7']\n",
    "data/test_group.yaml": "output_validator_args: [far, '7']\n",
    "output_validator/check.py": "import sys, tools\nsys.exit(42)\n",
    "output_validator/tools.py": "limit = {{most}}\n",
    "submissions/accepted/a.py": "print(input())\n",
    "submissions/rejected/b.py": "print(-1)\n",
    "submissions/submissions.yaml": "rejected/*.{py,cpp}: {permitted: [AC, WA], required: [WA]}\n",
}


def write_package(folder: Path, content: dict[str, str]) -> Path:
    for name, text in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write_zip(path: Path, content: dict[str, str | bytes], top: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in content.items():
            archive.writestr(top + name, text)
    return path


def collect(
    tmp_path: Path, *paths: Path, source: str = "kattis", join: dict[str, str] | None = None
) -> tuple[dict[str, Any], dict[str, str]]:
    """Rows and rejects by id."""
    spec = SourceSpec(source, path=tuple(map(str, paths)), join=join or {})
    parts = [Part(0, path, "package") for path in find_files(spec, "sources[0]")]
    rows, rejects = {}, {}
    for row, entry in rows_of(parts, spec, TestStore(tmp_path / "tests"), None, strict=False):
        if row:
            rows[row["problem_id"]] = row
        if entry:
            rejects[entry["location"]] = entry["reason"]
    return rows, rejects


def only(found: tuple[dict[str, Any], dict[str, str]]) -> Any:
    """The only row of `collect`, or the reason of the only reject."""
    rows, rejects = found
    return next(iter([*rows.values(), *rejects.values()]))
