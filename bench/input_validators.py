"""A contest package's own input validators, run on made inputs (a part of `test_making_packages.py`).

Validators in Python and in C++ are run in the sandbox; headers next to them are put into their text. A validator that
does not take the samples is left out: it needs something that is not here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from microcoder_eval import Grader
from microcoder_eval.errors import UnsupportedError

TAKEN = 42
"""The exit status of a validator that takes the input."""
SECONDS = 20.0
LANGUAGES = {".py": "python", ".cpp": "cpp", ".cc": "cpp"}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Validator:
    language: str
    code: str

    def takes(self, text: str, grader: Grader) -> bool:
        try:
            run = grader.run(self.code, self.language, text, time_limit_s=SECONDS, memory_limit_mb=1024)
        except UnsupportedError:  # no compiler here
            return False
        return run.exit_status == TAKEN


def validators(package: Path, samples: Sequence[str], grader: Grader) -> list[Validator]:
    """The validators of a package that take all its samples."""
    return [one for one in _programs(package) if all(one.takes(text, grader) for text in samples)]


def refused(texts: Sequence[str], by: Sequence[Validator], grader: Grader) -> list[str]:
    """The inputs that some validator refuses."""
    return [text for text in texts if not all(validator.takes(text, grader) for validator in by)]


def _programs(package: Path) -> Iterator[Validator]:
    for name in ("input_validators", "input_format_validators"):
        for program in sorted((package / name).glob("*")):
            sources = sorted(program.glob("*")) if program.is_dir() else [program]
            mains = [file for file in sources if file.suffix in LANGUAGES]
            if len(mains) == 1:
                code = mains[0].read_text(errors="replace")
                yield Validator(LANGUAGES[mains[0].suffix], _INCLUDE.sub(partial(_header, mains[0]), code))


def _header(main: Path, found: re.Match[str]) -> str:
    file = main.parent / found[1]
    return file.read_text(errors="replace") if file.is_file() else found[0]
