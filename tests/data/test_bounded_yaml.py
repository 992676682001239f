"""YAML that a stranger wrote is read in bounded time, or is an error of YAML."""

import time

import pytest
import yaml

from microcoder_data.bounded_yaml import parsed
from microcoder_eval.reading.yaml_form import read_yaml

pytestmark = pytest.mark.fast
LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {x: 1, y: 2}\n" + "".join(
    f"{new}: &{new} {{<<: [{', '.join([f'*{old}'] * 10)}]}}\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
CHAIN = "a0: &a0 []\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 2000))


@pytest.mark.parametrize(
    "text",
    {
        "aliases that multiply": LAUGHS,
        "merges that multiply": MERGES,
        "a list in itself": "a: &a [*a]",
        "a mapping in itself": "&a {b: *a}",
        "deep brackets": "[" * 100_000,
        "deep entries": "- " * 5000,
        "aliases that nest": CHAIN,
        "a long number": "a: " + "1" * 100_000,
        "a long number in parts": "a: 1" + ":1" * 300_000,
        "a long fraction in parts": "a: 1" + ":1" * 300_000 + ".5",
        "a fraction beyond a float": "a: 1" + ":1" * 200 + ".5",
        "an empty number": "a: !!int ''",
        "a number that is none": "a: !!float one",
        "a truth that is none": "a: !!bool maybe",
        "a date that is none": "a: !!timestamp today",
        "a day that is none": "a: 2019-13-01",
        "an object": "a: !!python/object/apply:os.getcwd []",
        "a control character": "a: \0",
        "a list as a key": "? [1]\n: 2",
        "two documents": "a: 1\n---\nb: 2\n",
    }.items(),
    ids=lambda item: item[0],
)
def test_what_is_no_small_document_is_an_error_of_yaml(text: tuple[str, str]) -> None:
    started = time.process_time()
    with pytest.raises(yaml.YAMLError):
        parsed(text[1], 20_000)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: &a [1, 2]\nb: *a\n", {"a": [1, 2], "b": [1, 2]}),
        ("a: &a {x: 1}\nb: {<<: *a, y: 2}\n", {"a": {"x": 1}, "b": {"x": 1, "y": 2}}),
        ("a: " + "9" * 50, {"a": int("9" * 50)}),
        ("a: 1:30", {"a": 90}),
        ("a: '" + "1" * 5000 + "'", {"a": "1" * 5000}),
    ],
)
def test_ordinary_documents_are_read_as_pyyaml_reads_them(text: str, value: object) -> None:
    assert parsed(text, 20_000) == value == yaml.safe_load(text)


@pytest.mark.parametrize("text", ["a: b: c", "x: [", '{"a": 1}\n{"b": 2}', "\tx: 1", "x: 'y"])
def test_a_fault_is_one_line_with_its_place(text: str) -> None:
    for read in (parsed, lambda text: read_yaml(text.encode())):
        with pytest.raises((yaml.YAMLError, ValueError), match=r"[^\n]+, line \d+, column \d+") as raised:
            read(text)
        assert "\n" not in str(raised.value) and "unicode string" not in str(raised.value)
