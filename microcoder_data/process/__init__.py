"""The rules of the stage Process: one file for each, applied in the order of the fields below."""

from __future__ import annotations

from dataclasses import dataclass, field

from microcoder_data.process.answer_format import AnswerFormat
from microcoder_data.process.boilerplate import Boilerplate
from microcoder_data.process.checker import FindChecker
from microcoder_data.process.completeness import Completeness
from microcoder_data.process.escaped_tests import EscapedTests
from microcoder_data.process.exponents import Exponents
from microcoder_data.process.fidelity import Fidelity
from microcoder_data.process.language import Language
from microcoder_data.process.markup import Markup
from microcoder_data.process.repeated_sections import RepeatedSections
from microcoder_data.process.samples import Samples
from microcoder_data.process.scraped_tests import ScrapedTests
from microcoder_data.process.sections import Sections
from microcoder_data.process.text import Text
from microcoder_data.process.translate import Translate


@dataclass(frozen=True)
class Process:
    """Settings of Process; `false` switches a rule off."""

    text: Text | None = field(default_factory=Text)
    markup: Markup | None = field(default_factory=Markup)
    boilerplate: Boilerplate | None = field(default_factory=Boilerplate)
    exponents: Exponents | None = field(default_factory=Exponents)
    """Before `sections`, so that it sees the whole statement at once."""
    language: Language | None = field(default_factory=Language)
    sections: Sections | None = field(default_factory=Sections)
    repeated_sections: RepeatedSections | None = field(default_factory=RepeatedSections)
    escaped_tests: EscapedTests | None = field(default_factory=EscapedTests)
    scraped_tests: ScrapedTests | None = field(default_factory=ScrapedTests)
    """Both after `sections`, which takes the samples out of the text, and before the rules that look at the tests."""
    translate: Translate | None = None
    """It runs after `sections` too: it translates no samples."""
    checker: FindChecker | None = field(default_factory=FindChecker)
    samples: Samples | None = field(default_factory=Samples)
    answer_format: AnswerFormat | None = field(default_factory=AnswerFormat)
    completeness: Completeness | None = field(default_factory=Completeness)
    fidelity: Fidelity | None = field(default_factory=Fidelity)
    """Last: it compares the row with the text as collected."""
