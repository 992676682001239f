"""What a page's source has in samples and tests: entities, tags, hidden addresses."""

from __future__ import annotations

import pytest

from microcoder_data.process.escaped_tests import EscapedTests
from microcoder_data.schema import new_test
from tests.data.process.test_scraped_tests import program

pytestmark = pytest.mark.fast


def test_entities_of_a_page_are_signs_in_samples_and_tests() -> None:
    row = program("Compare the sizes of hats.", ("2\nS &lt; M\nM &gt; S", "a &amp;&amp; b"), ("1\nS", "&quot;S&quot;"))
    row["samples"] = [{"input": "2\nS &lt; M\nM &gt; S", "output": "a &amp;&amp; b", "explanation": None}]
    row["tests"].append(new_test('<span class="tex-span">\\</span>../\n#', '1 <span class="tex-font-style-tt"></span>'))
    outcome = EscapedTests()(row)
    assert outcome is not None and outcome.outcome == "changed"
    assert [(one["input"], one["output"]) for one in row["tests"]] == [
        ("2\nS < M\nM > S", "a && b"),
        ("1\nS", '"S"'),
        ("\\../\n#", "1 "),
    ]
    assert row["samples"][0]["input"] == "2\nS < M\nM > S"


@pytest.mark.parametrize("statement", ["Write < as `&lt;` everywhere.", "Print &amp; for each ampersand."])
def test_tests_about_entities_stay(statement: str) -> None:
    row = program(statement, ("a < b", "a &lt; b"))
    assert EscapedTests()(row) is None
    assert row["tests"][0]["output"] == "a &lt; b"


def test_empty_lines_and_hidden_addresses_of_mail_are_shown() -> None:
    hidden = "20" + bytes(byte ^ 0x20 for byte in b"ann@hats.org").hex()
    link = f'<a class="__cf_email__" data-cfemail="{hidden}" href="/cdn-cgi/l/email-protection">[email protected]</a>'
    row = program("Find the addresses.", ("2\n<br>\nann\n<br>\nbob", link))
    row["samples"] = [{"input": "2\n<br>\nann\n<br>\nbob", "output": f"{link}\n1", "explanation": None}]
    assert EscapedTests()(row) is not None
    assert (row["tests"][0]["input"], row["tests"][0]["output"]) == ("2\n\nann\n\nbob", "ann@hats.org")
    assert (row["samples"][0]["input"], row["samples"][0]["output"]) == ("2\n\nann\n\nbob", "ann@hats.org\n1")
