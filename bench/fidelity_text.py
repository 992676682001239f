"""How the labels of `fidelity.py` name texts without holding them: canonical forms and their SHA-256.

A fragment, a sample or a test is written in a canonical form, so that harmless differences of markup do not count, and
hashed. This file does not import the pipeline, so that the hashes do not change with the pipeline's rules.
"""

from __future__ import annotations

import ast
import hashlib
import html
import json
import re
from collections.abc import Mapping
from typing import Any

_TEX = {
    r"\\(?:leqslant|leq|le)(?![a-z])": "<=",
    r"\\(?:geqslant|geq|ge)(?![a-z])": ">=",
    r"\\lt(?![a-z])": "<",
    r"\\gt(?![a-z])": ">",
    r"\\neq?(?![a-z])": "!=",
    r"\\(?:times|cdot)(?![a-z])": "*",
    r"\\(?:l|c|v)?dots(?![a-z])": "...",
    r"\\[,;!: ]|\\(?:left|right|mathrm|texttt|textrm|text|mathit|operatorname)(?![a-z])": "",
}
_SIGNS = str.maketrans(
    {
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "×": "*",
        "⋅": "*",
        "−": "-",
        "–": "-",
        "…": "...",
        "⋯": "...",
        **dict.fromkeys("${}\\` \u200b\u200c\u200d\ufeff", ""),
        **{sign: f"_{digit}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    }
)
_RAISED = {sign: str(digit) for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")} | {"⁻": "-"}
_RAISED_RUN = re.compile(f"[{''.join(_RAISED)}]+")


def sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def raw_sha256(record: Mapping[str, Any]) -> str:
    """The hash of a raw record, whatever the order of its keys and the file's escapes, without keys such as `_file`,
    which a copy has of its maker."""
    published = {key: value for key, value in record.items() if not key.startswith("_")}
    return sha(json.dumps(published, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def canon(text: str) -> str:
    r"""The text without white space and without what HTML, TeX and Markdown write differently.

    >>> canon(r"$1 \leq n \le 2 \times 10^{5}$") == canon("`1 <= n <= 2 * 10<sup>5</sup>`") == canon("1 ≤ n ≤ 2 × 10⁵")
    True
    """
    text = re.sub(r"<su([pb])>\s*(.*?)\s*</su\1>", lambda found: ("^" if found[1] == "p" else "_") + found[2], text)
    text = html.unescape(text)
    for pattern, sign in _TEX.items():
        text = re.sub(pattern, sign, text)
    text = _RAISED_RUN.sub(lambda run: "^" + "".join(_RAISED[sign] for sign in run[0]), text)
    return "".join(text.translate(_SIGNS).split())


def plain(text: str) -> str:
    """The text without Markdown's emphasis, which may divide a fragment; stars inside code stay.

    >>> plain("for *all* `a*b*c`, **1****-indexed**")
    'for all `a*b*c`, 1-indexed'
    """
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    for number in range(0, len(parts), 2):
        parts[number] = re.sub(r"\*\*(.*?)\*\*", r"\1", parts[number])
    joined = "\0".join(parts[0::2])
    kept = re.sub(r"\*([^*\n]*)\*", r"\1", joined).split("\0")
    return "".join(kept[number // 2] if number % 2 == 0 else part for number, part in enumerate(parts))


def holds(text: str, length: int, digest: str) -> bool:
    """Whether a canonical text holds the fragment of this length and (beginning of a) hash."""
    return any(sha(text[start : start + length]).startswith(digest) for start in range(len(text) - length + 1))


def sample_text(text: str, program: bool) -> str:
    """A sample's input or output, without white space at the ends of lines, and for a call at their beginnings."""
    lines = text.replace("\r\n", "\n").replace("\xa0", " ").strip("\n").split("\n")
    kept = [line.rstrip() if program else line.strip() for line in lines]
    return "\n".join(kept).rstrip("\n") if program else "\n".join(kept).strip()


def sample_values(given: str, wanted: str) -> str | None:
    """A function's sample as a test, however its arguments are written; None when an argument is not a literal.

    >>> sample_values("nums = [1, 2], deep = true", "[]") == sample_values("[1,2]\\ntrue", "[ ]")
    True
    """
    try:
        lines = [json.loads(line) for line in given.split("\n")]
    except ValueError:
        try:
            call = ast.parse(f"f({_python(given)})", mode="eval").body
            assert isinstance(call, ast.Call)
            lines = [ast.literal_eval(one.value) for one in call.keywords] or [
                ast.literal_eval(one) for one in call.args
            ]
        except (SyntaxError, ValueError):
            return None
    try:
        return call_test(lines, ast.literal_eval(_python(wanted)))
    except (SyntaxError, ValueError):
        return None


def _python(text: str) -> str:
    """JSON's words outside quotes as Python's, and full-width commas as commas."""
    named = {"true": "True", "false": "False", "null": "None"}
    text = text.replace("`", "").replace("，", ",").strip()
    return re.sub(r'\b(true|false|null)\b(?=(?:[^"]*"[^"]*")*[^"]*$)', lambda word: named[word[1]], text)


def call_test(arguments: list[Any], answer: Any) -> str:
    """A test of a function: its arguments in order and its answer."""
    return json.dumps([arguments, answer], ensure_ascii=False, sort_keys=True)


def stdin_test(given: str, wanted: str) -> str:
    """A test of a program."""
    return json.dumps([sample_text(given, True), sample_text(wanted, True)], ensure_ascii=False)
