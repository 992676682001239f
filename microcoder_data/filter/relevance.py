"""The rule that drops problems that no program can solve or no checker can check. It also sets the column `io`."""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import ClassVar

from microcoder_data.phrases import Phrases
from microcoder_data.process.render import whole_text
from microcoder_data.process.several_answers import several_answers
from microcoder_data.rules import Outcome, drop, marked
from microcoder_data.schema import Row
from microcoder_data.syntax import BEGINS_A_PROGRAM, parsed

_SAYS_INTERACTIVE = "this is an interactive problem"
"""In functions too, whose tests hold what the other side knows."""
_INTERACTIVE = Phrases(
    r"this is an interactive (?:problem|task)|\binteractive problem\b|\bth(?:is|e) (?:problem|task) is interactive\b|flush (?:the )?(?:output|stdout|standard output)|"
    r"\bfflush\(|(?:make|ask|send|print)\s+(?:\w+\s+){0,3}quer(?:y|ies)\b[^.]{0,80}\b(?:judge|interactor|jury|grader)\b|"
    r"\binteractor\b|interact with the (?:judge|jury|program)|\{\{libinteractive:|"
    r"\b(?:code|bot)s? (?:is|are|will be) run alternately with\b|\bopponent(?:'s)? bot\b|\bagainst (?:other|another|an?) bots?\b|"
    r"\bcode a bot to play\b|\bthe player id,? \(?1 or 2\b",
    "interact", "flush", "judge", "jury", "grader", "bot", "alternately", "player id",
)  # fmt: skip
_OUTPUT_ONLY = Phrases(
    r"\boutput-only\b|(?<!solving )(?<!solving an )\boutput only (?:task|problem)|(?<!solving )\b(?:is|an?) output only\b|submit (?:only )?(?:the |your )?(?:output|answer) files?|you (?:only )?need to submit the output",
    "output only", "output-only", "submit",
)  # fmt: skip
_FILE = Phrases(
    r"\b(?:input|output)\s+file\s*[:：]?\s*`?\w+\.(?:in|out|txt)|"
    r"\b(?:from|into|to)\s+(?:the\s+)?(?:file\s+)?`?\w+\.(?:in|out|txt)\b|\binput\.txt\b|\boutput\.txt\b|"
    r"\bincluded with your (?:code|program) at run-?time\b|\bin the current (?:directory|folder) in which your (?:code|program)|\bin the (?:same )?(?:directory|folder) (?:of|as) your (?:code|program)\b",
    ".in", ".out", ".txt", "included with", "directory", "folder",
)  # fmt: skip
_STANDARD_TOO = re.compile(r"standard (?:input|output)|stdin|stdout")
_NOT_A_PROGRAM = Phrases(
    r"\b(?:write|using)\s+(?:an?\s+)?(?:sql|mysql|pandas|bash|shell)\b(?!\s*-?\s*(?:sort|method|algorithm))|\bsql (?:query|schema|statement)\b|"
    r"\|\s*column name\s*\||\bcreate table\b|write a (?:bash|shell) script|"
    r"(?<!establish )(?<!determine )(?<!find )which of the following (?:is|are|statements)|choose the correct option|multiple[- ]choice (?:question|test|exam|quiz)s?\b[^.]{0,60}(?:\(a\)|\ba\)|correct (?:answer|option))|\bwrite an essay\b|"
    r"\b(?:enter|submit)\b[^.\n]{0,120}\bin the (?:plain-?)?text ?box\b|\bin the (?:plain-?)?text ?box below\b|"
    r"\bregex only challenge\b|\bfill (?:in )?the regex\b|\bwrite a query (?:to|that|which)\b|"
    r"\b(?:enter|write|type) (?:the|your|an) (?:xpath|regex|sql) (?:expression|query|pattern|selector)\b|\bdebug the existing code\b",
    "sql", "pandas", "bash", "shell", "column name", "create table", "which of the following", "correct option",
    "choice", "essay", "text box", "textbox", "regex", "query", "xpath", "debug",
)  # fmt: skip

_A_PATTERN = Phrases(
    r"\bwrite (?:an?|the) reg(?:ular expression|ex)\b(?! (?:parser|matcher|engine|evaluator|library))|"
    r"\breturn(?:s|ing)? (?:an?|the) \W?reg(?:ular expression|ex|exp)\b",
    "regular expression", "regex", "regexp",
)  # fmt: skip
"""Asked for in place of a program that reads and prints; of a function it may be the result."""


_HIDDEN_CODE = Phrases(
    r"\b(?:hidden|tester|test|testing) code (?:passes|calls|will (?:pass|call))\b|\bhidden code checker\b|"
    r"\bunix domain socket|\bthere is no sample input/output for this problem\b",
    "code", "socket", "no sample input",
)  # fmt: skip
"""Code that only the site shows reads the input, prints the answer or calls what is asked for."""
_LOCKED = Phrases(r"\b(?:locked|stub|template)\b", "locked", "stub", "template")
_NOT_TO_READ = Phrases(
    r"\bnot (?:need to read|responsible for (?:directly )?(?:reading|printing)|print anything to (?:stdout|standard output))\b",
    "not",
)
"""The same together, in any order."""
_OF_HIDDEN_CODE = Phrases(
    r"\bpartial(?:ly)? completed? code\b|\blines of (?:the|your) code are missing\b|\bis provided for you in your editor\b|"
    r"\bor a program to compute it\b|\bonly enter (?:an?|the) (?:\w+ )?(?:integer|number|index|value|word|term)\b|"
    r"\byour answer should look like\b",
    "code", "editor", "program", "enter", "answer",
)  # fmt: skip
"""The same, and fixed answers to enter, where nothing else says what is read."""

_MARKS_OF_WORDS = ('"""', "'''", "#", "```")


@dataclass(frozen=True)
class Relevance:
    """Drop problems that no program or function could answer, and those whose answers cannot be checked."""

    name: ClassVar[str] = "relevance_v31"
    io: tuple[str, ...] = ("stdio",)
    """Keep problems with these kinds of input and output: stdio, file, interactive, output_only."""
    need_checker: bool = True
    """Drop problems with several right answers that have no checker."""

    def __call__(self, row: Row) -> Outcome | None:
        text = whole_text(row).lower()
        row["io"] = row["io"] or classify_io(row, text.replace("**", ""))
        # A test program calls a function of Python, whatever library or query that is about.
        asked = _NOT_A_PROGRAM.search(text) if row["kind"] != "asserts" else None
        if found := asked or (row["kind"] == "stdin" and _A_PATTERN.search(text)):
            return drop("not_a_programming_problem", found[0])
        if row["kind"] == "stdin" and not row["starter_code"] and (found := _hidden_code(row, text)):
            return drop("not_a_programming_problem", f"code that is not there: {found}")
        if is_only_a_program(row["statement"]):
            return drop("not_a_programming_problem", "the statement is a program and says nothing of a task")
        if row["io"] not in self.io:
            return drop(row["io"])
        checked = row["checker"] is not None and row["checker"]["kind"] != "kattis_default"
        if not checked and row["kind"] in ("stdin", "call") and (words := several_answers(row)):
            # A row with Kattis' default checker is only marked: the jury may know that only one answer is right.
            if self.need_checker and row["checker"] is None:
                return drop("needs_a_checker", words)
            return marked(f"needs a checker: {words}")
        return None


def _hidden_code(row: Row, text: str) -> str | None:
    """The words that say that code which only the site shows stands around what is asked for."""
    text = text.replace("*", "").replace("\n", " ")
    found = _HIDDEN_CODE.search(text) or (_LOCKED.search(text) and _NOT_TO_READ.search(text))
    if not (found or row["input_format"]):
        found = _OF_HIDDEN_CODE.search(text)
    return found[0][:60] if found else None


def is_only_a_program(statement: str) -> bool:
    """Whether a statement is Python without a docstring or a comment: what it computes is no task in words.

    >>> is_only_a_program("def f(n):\\n    return n + 1"), is_only_a_program("def f(n):\\n    'Add one.'\\n    return n + 1")
    (True, False)
    """
    if not BEGINS_A_PROGRAM.match(statement) or any(mark in statement for mark in _MARKS_OF_WORDS):
        return False
    tree = parsed(statement)
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)] if tree else []
    return bool(defined) and not any(map(ast.get_docstring, defined))


def classify_io(row: Row, text: str) -> str:
    """How a solution reads and writes; `text` is the statement in lower case.

    >>> classify_io({"kind": "stdin"}, "this is an interactive problem.")
    'interactive'
    >>> classify_io({"kind": "call"}, "this is an interactive problem."), classify_io({"kind": "call"}, "an interactor")
    ('interactive', 'stdio')
    """
    if row["kind"] == "interactive":
        return "interactive"
    if row["kind"] == "call" and _SAYS_INTERACTIVE in text:
        return "interactive"
    if row["kind"] != "stdin":
        return "stdio"
    if _INTERACTIVE.search(text):
        return "interactive"
    if _OUTPUT_ONLY.search(text):
        return "output_only"
    if _FILE.search(text) and not _STANDARD_TOO.search(text):
        return "file"
    return "stdio"
