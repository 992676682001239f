"""What the command line prints of a program's texts: no control characters, no reversed text, no endless lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from tests.eval.attacks.alone import ROOT

CALLER_S = 120
LONGEST_LINE = 5000
WORDS = {
    "title": "\x1b]0;owned\x07",
    "clipboard": "\x1b]52;c;b3duZWQ=\x07",
    "clear": "\x1b[2J\x1b[H",
    "colour": "\x1b[31mred",
    "link": "\x1b]8;;http://example.org\x1b\\here\x1b]8;;\x1b\\",
    "device": "\x1b[c\x1b[6n",
    "one-character-control": "\x9b31m\x9d0;owned\x9c",
    "return": "hidden\rshown",
    "backspace": "hidden\b\b\b\b\b\bshown",
    "bell": "\a" * 100,
    "nul": "a\0b",
    "delete": "a\x7fb",
    "turned": "\u202egnorw\u202c \u2066x\u2069 \u200f",
    "tags": "".join(chr(0xE0000 + ord(letter)) for letter in "hidden"),
    "separators": "a\u2028b\u2029c\u0085d",
    "long-line": "x" * 1_000_000,
    "markup": "[red]x[/red][link=http://example.org]y[/link]",
}
"""What a program may say to the person who reads of it."""
WAYS = {
    "output": "import os\nos.write(1, {words!r}.encode())",
    "error": "import os\nos.write(2, {words!r}.encode())\nos._exit(1)",
    "exception": "raise ValueError({words!r})",
}
ALLOWED = {"\n", "\t"}


LINES = {name: f"{name}: {words}" for name, words in WORDS.items() if name != "long-line"}
SAID = {"words": "\n".join(LINES.values()), "long-line": WORDS["long-line"]}
"""What one program says: all words, a line each, or the long line. Each needs a process of the command."""


@pytest.mark.parametrize("said_by_it", SAID)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_printed_is_printable(tmp_path: Path, way: str, said_by_it: str) -> None:
    problem = {"id": "p", "tests": [{"input": "", "output": "1"}]}
    (tmp_path / "problem.json").write_text(json.dumps(problem))
    (tmp_path / "program.py").write_text(WAYS[way].format(words=SAID[said_by_it]), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "cli", "eval", "run", "program.py", "--problem", "problem.json"],
        capture_output=True,
        cwd=tmp_path,
        timeout=CALLER_S,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": ""},
    )
    said = (done.stdout + done.stderr).decode("utf-8")
    assert "Traceback (most recent call last)" not in done.stderr.decode("utf-8")
    bad = {
        letter for letter in said if letter not in ALLOWED and unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp")
    }
    assert not bad, said[:2000]
    assert max(map(len, said.split("\n"))) < LONGEST_LINE
    if said_by_it == "words":
        assert [name for name in LINES if f"{name}: " not in said] == []
