"""Bring sample inputs and outputs into one form, so that two dumps that write them differently compare equal.

`nums = [2, 1], k = 3`, `[2,1]\\n3`, `nums: [2,1]  k: 3` and `nums = [2,1]\\nk = 3.` are one input.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from microcoder_data.schema import Row

_NAME = re.compile(
    r"(?<![^\s,;(])`?(?:[A-Za-z_]\w*[ \t]{0,2}`?[ \t]{0,2}=(?!=)|(?:[a-z_]\w*|[A-Z])`?[ \t]?:(?=\s*[-\d\"'\[{]))\s*"
)
"""A parameter's name before its value. A word with a capital before a colon, as in `Yes: 3`, may be the answer."""
_TOKEN = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\w+|[^\w\s,;\"'`]")
_BETWEEN_TOKENS = b" \t\n\v\f\r\x1c\x1d\x1e\x1f,;\"'`"
_LITERAL = re.compile(r"\b(?:True|False|None|TRUE|FALSE|NULL|Null)\b")
_WEIGHTLESS = frozenset(["true", "false", "yes", "no", "null", "none"])
LONGEST_NUMBER, LONGEST_WORD = 3, 6
"""Of a longer number or word only so many characters count as evidence."""
LONGEST = 4_000
"""In characters: of a longer value only the digest is compared."""
TESTS_LOOKED_AT = 24
CACHED = 256
"""The features of a row are made of the same values several times."""


def canonical(text: str, keep_case: bool = False) -> str:
    """The tokens of a value, without names, separators, quotes and case.

    >>> canonical("nums = [2, 1], k = 3") == canonical("[2,1]\\n3".replace("\\n", chr(10)))
    True
    >>> canonical("n: 13   k: 2"), canonical("n = 13, `k` = 2."), canonical("Yes: 3")
    ('13 2', '13 2', 'yes : 3')
    >>> canonical("s = 'Ab', t = True", keep_case=True)
    'Ab true'
    """
    return (_cached if len(text) <= LONGEST else _in_one_form)(text, keep_case)


def _in_one_form(text: str, keep_case: bool) -> str:
    if "=" in text or ":" in text:
        text = _without_names(text)
    if len(text) > LONGEST:
        return text_digest(text)
    if not keep_case:
        text = text.lower()
    elif "T" in text or "F" in text or "N" in text:
        text = _LITERAL.sub(lambda word: word[0].lower(), text)
    if text.isascii() and text.encode().translate(None, b" \n").isalnum():  # in bytes it is found faster
        return " ".join(text.split())
    return " ".join(_TOKEN.findall(text))


def _without_names(text: str) -> str:
    """The text without its parameters' names; nor with the full stop that ends such a list in prose."""
    values = _NAME.sub(" ", text)
    stop = values != text and values[-1:] == "." and values[-2:-1].strip(".")
    return values[:-1] if stop else values


_cached = lru_cache(maxsize=CACHED)(_in_one_form)


def by_input(shown: Sequence[dict[str, Any]]) -> Callable[[str], dict[str, Any] | None]:
    """A function that finds the sample or test with an input: equal except for spaces, else equal in canonical form.

    >>> find = by_input([{"input": "AtCoder Land"}, {"input": "aTcodeR lANd"}, {"input": "nums = [2, 1]"}])
    >>> find("aTcodeR  lANd"), find("[2,1]"), find("atcoder land")
    ({'input': 'aTcodeR lANd'}, {'input': 'nums = [2, 1]'}, None)
    """
    typed: dict[str, dict[str, Any]] = {}
    for one in shown:
        typed.setdefault(_typed(one), one)

    bare: set[bytes | None] = set()
    in_one_form: dict[str, dict[str, Any]] = {}  # by the canonical input: most inputs are found without

    def find(text: str) -> dict[str, Any] | None:
        found = typed.get(" ".join(text.split()))
        if found is not None or not typed:
            return found
        if not bare:
            bare.update(None if one.get("ref") else _bare(one["input"] or "") for one in shown)
        if (own := _bare(text)) is None or own in bare or None in bare:
            if not in_one_form:
                in_one_form.update(reversed(list(zip(input_keys(shown), shown, strict=True))))
            found = in_one_form.get(canonical(text, keep_case=True))
        return found

    return find


def _bare(text: str) -> bytes | None:
    """The characters that the canonical form keeps, in lower case: found fast, and equal where that form is equal.

    None where the form may have lost more than that.
    """
    named = "=" in text or (":" in text and _NAME.search(text) is not None)
    if named or len(text) > LONGEST or not text.isascii():
        return None
    return text.encode().translate(None, _BETWEEN_TOKENS).lower()


def input_keys(tests: Sequence[dict[str, Any]]) -> list[str]:
    """A key for each test's input, which does not depend on how a dump writes it.

    Two inputs of one row have different keys even if they differ only in names, separators or quotes.
    """
    keys = [one.get("ref") or canonical(one["input"] or "", keep_case=True) for one in tests]
    if len(set(keys)) == len(keys):
        return keys
    inputs: dict[str, set[str]] = {}
    for key, one in zip(keys, tests, strict=True):
        inputs.setdefault(key, set()).add(_typed(one))
    return [key if len(inputs[key]) == 1 else f"{key}\x1f{_typed(one)}" for key, one in zip(keys, tests, strict=True)]


def _typed(one: dict[str, Any]) -> str:
    return " ".join((one["input"] or "").split())


def text_digest(text: str) -> str:
    return digest_of(" ".join(text.split()))


def digest_of(text: str) -> str:
    """The digest of a text between whose words stand single spaces, as in a canonical form."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def example_keys(row: Row) -> dict[str, int]:
    """A key for each sample and each of the first tests, with its weight as evidence."""
    pairs = [(sample["input"], sample["output"]) for sample in row["samples"]]
    pairs += [(test["input"], test["output"]) for test in row["tests"][:TESTS_LOOKED_AT] if not test["ref"]]
    return dict(filter(None, (example_key(input_text, expected) for input_text, expected in pairs)))


def sample_keys(row: Row) -> dict[str, int]:
    """The same for the samples only; for a row without samples, for its first tests."""
    if not row["samples"]:
        return example_keys(row)
    return dict(filter(None, (example_key(sample["input"], sample["output"]) for sample in row["samples"])))


def example_key(input_text: str, expected: str) -> tuple[str, int] | None:
    """A key for one input and output, and its weight: how much evidence an equal pair in another row is."""
    question, answer = canonical(input_text), canonical(expected)
    if not question or not answer:
        return None
    digest = hashlib.blake2b(f"{question}\x1f{answer}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    return digest, weight_of(question) + weight_of(answer)


@lru_cache(maxsize=CACHED)
def weight_of(text: str) -> int:
    """About how many characters of a canonical text an author chose freely."""
    tokens = text.split()
    if text.isascii() and text.encode().translate(None, b" ").isdigit():
        return sum([len(token) if len(token) < LONGEST_NUMBER else LONGEST_NUMBER for token in tokens])
    return sum(map(_weight, tokens))


def _weight(token: str) -> int:
    """The weight of one token. Limits such as 1000000000 and words such as `true` are in many problems and count
    little."""
    if token in _WEIGHTLESS:
        return 1
    return min(len(token), LONGEST_WORD if token.isalpha() else LONGEST_NUMBER)
