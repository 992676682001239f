"""The rows of a doocs/leetcode checkout, in the form that the source `doocs_leetcode` reads.

    git clone https://github.com/doocs/leetcode doocs
    python bench/fidelity_doocs.py doocs doocs.jsonl --commit b6ee4f59

The labels of `fidelity.py` were made at that commit; README texts that changed since have no label. The script reads
git objects, so a bare clone is enough. It writes every problem; `fidelity.py` selects those that have labels.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

_FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_SOLUTION = re.compile(r"Solution\d*\.py")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--commit", default="HEAD")
    options = parser.parse_args()

    git = ["git", "-C", str(options.checkout)]
    listing = [*git, "ls-tree", "-rz", "--name-only", options.commit, "solution", "lcp"]
    listed = subprocess.run(listing, check=True, capture_output=True).stdout.decode().split("\0")
    files: dict[str, list[str]] = defaultdict(list)
    for path in listed:
        directory, _, name = path.rpartition("/")
        if name in ("README.md", "README_EN.md") or name.startswith("Solution"):
            files[directory].append(name)
    reader = subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert reader.stdin and reader.stdout
    requests, answers = reader.stdin, reader.stdout

    def read(path: str) -> str:
        requests.write(f"{options.commit}:{path}\n".encode())
        requests.flush()
        text = answers.read(int(answers.readline().split()[2]))
        answers.read(1)
        return text.decode("utf-8")

    with options.out.open("w", encoding="utf-8") as out:
        for directory, names in files.items():
            if "README.md" in names:
                out.write(json.dumps(row_of(directory, names, read), ensure_ascii=False) + "\n")
    requests.close()
    reader.wait()


def row_of(directory: str, names: list[str], read: Callable[[str], str]) -> dict[str, Any]:
    def readme(name: str) -> tuple[str | None, dict[str, Any]]:
        if name not in names:
            return None, {}
        text = read(f"{directory}/{name}")
        front = _FRONT.match(text)
        return (text[front.end() :], yaml.safe_load(front[1]) or {}) if front else (text, {})

    chinese, facts = readme("README.md")
    english, english_facts = readme("README_EN.md")
    return {
        "dir": directory,
        "comments": facts.get("comments"),
        "difficulty": facts.get("difficulty"),
        "difficulty_en": english_facts.get("difficulty"),
        "edit_url": facts.get("edit_url"),
        "rating": facts.get("rating") or english_facts.get("rating"),
        "source": facts.get("source"),
        "source_en": english_facts.get("source"),
        "tags": facts.get("tags"),
        "tags_en": english_facts.get("tags"),
        "readme": chinese,
        "readme_en": english,
        "solutions": {name: read(f"{directory}/{name}") for name in sorted(names) if _SOLUTION.fullmatch(name)},
        "other_langs": sorted(name for name in names if name.startswith("Solution") and not name.endswith(".py")),
    }


if __name__ == "__main__":
    main()
