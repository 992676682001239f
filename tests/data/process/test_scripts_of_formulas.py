"""Exponents and indices in HTML beside formulas and inside them: one formula where the author means one, valid TeX,
and code as it is."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data.process.markup import to_markdown
from microcoder_data.process.scripts_of_formulas import scripts_in_formulas

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("$a$<sub>i</sub>$5 is paid.", "$a_{i}$ $5 is paid."),
        ("$a$<sub>i</sub>$5 is paid, then 6$.", "$a_{i}$ $5 is paid, then 6$."),
        (r"$-10$<sup>9</sup>$ \le a$ holds", r"$-10^{9} \le a$ holds"),
        (r"$-10$<sup>9</sup>$ \le a \le 10$<sup>9</sup>", r"$-10^{9} \le a \le 10^{9}$"),
        (r"$-10$<sup>9</sup>$ \le a", r"$-10^{9}$ $ \le a"),
        ("$a_1$<sub>2</sub>", "$a_1{}_{2}$"),
        ("$a_{b_1}$<sub>2</sub>", "$a_{b_1}{}_{2}$"),
        ("$a^2_i$<sup>3</sup>", "$a^2_i{}^{3}$"),
        ("$a_i$<sup>3</sup>", "$a_i^{3}$"),
        ("$a_i + b$<sub>3</sub>", "$a_i + b_{3}$"),
        ("$a$<sub>1</sub><sub>2</sub><sup>3</sup>", "$a_{1}{}_{2}^{3}$"),
        ("$a$<sub>1</sub>$_2$", "$a_{1}{}_2$"),
        ("$a$<sub class='c'>1</sub>", "$a_{1}$"),
        ("$x$<sup>$b$<sub>$1$</sub></sup>", "$x^{b_{1}}$"),
        ("$$a$$<sub>i</sub>", "$$a_{i}$$"),
        ("$$a$$<sup>$$2$$</sup>", "$$a^{2}$$"),
        ("$a$<sub>{</sub>", "$a$_{{}"),
        ("The $a $<sub>i</sub>", "The $a $_i"),
        ("Up to 10<sup>$9$</sup>.", "Up to 10^9."),
        ("Up to 10<sup>$$n + 1$$</sup>.", "Up to 10^{n + 1}."),
        (r"Up to 10<sup>2$\pi$</sup>.", r"Up to 10$^{2\pi}$."),
        (r"See:<br><sub>$$a\ b$$</sub>", "See:\n$$a\\ b$$"),
        ("It is <sub>small print on $x$ and $y$</sub>", "It is small print on $x$ and $y$"),
    ],
)
def test_a_formula_and_its_scripts(text: str, read: str) -> None:
    assert to_markdown(f"# Task\n\n{text}") == f"# Task\n\n{read}"


def test_in_html_too() -> None:
    assert to_markdown("<p>$a$<sub>i</sub> or 10<sup>$9$</sup></p>") == "$a_{i}$ or 10^9"
    assert to_markdown("<p><code>$a$<b>b</b></code> $a$<sub>i</sub></p>") == "`$a$b` $a_{i}$"


@pytest.mark.parametrize(
    "code", ["`$a$<sub>i</sub>`", "`` `$a$<sub>i</sub> ``", "```\n$a$<sub>i</sub>\n```", "~~~\n$a$<sub>$i$</sub>\n~~~"]
)
def test_code_stays(code: str) -> None:
    text = f"# Task\n\nPrint this:\n\n{code}\n\nfor $b$<sub>j</sub>."
    assert to_markdown(text) == text.replace("$b$<sub>j</sub>", "$b_{j}$")


FORMULAS = ["$a$", "$a_1$", "$x^{n_1}$", "$b_1^2$", "$$c$$", "$ + d$", "$_2$"]
SCRIPTS = ["<sub>1</sub>", "<sup>2</sup>", "<sub>$i$</sub>", "<sup>$$j$$</sup>", "<sub>x_2</sub>"]


@given(st.lists(st.sampled_from([*FORMULAS, *SCRIPTS, " and ", "\n", "word"]), max_size=9))
def test_no_script_stands_twice_and_no_display_begins(pieces: list[str]) -> None:
    """Formulas that stand side by side are no text that a page shows."""
    spaces = [" " * (one in FORMULAS and after in FORMULAS) for one, after in pairwise([*pieces, ""])]
    text = "".join(piece + space for piece, space in zip(pieces, spaces, strict=True))
    formulas = re.findall(r"\$\$[^$]+\$\$|\$[^$\n]+\$", scripts_in_formulas(text))
    assert "$" not in re.sub(r"\$\$[^$]+\$\$|\$[^$\n]+\$", "", scripts_in_formulas(text))
    for formula in formulas:
        while (shorter := re.sub(r"\{[^{}]*\}", "g", formula)) != formula:
            formula = shorter
        assert "{" not in formula and "}" not in formula
        for run in re.findall(r"(?:[_^]\w)+", formula):
            assert run.count("_") < 2 and run.count("^") < 2
