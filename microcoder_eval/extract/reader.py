"""Reads text as source code: whether it is a program, whether it is cut off, what it defines and needs.

`PythonReader` parses. `BraceReader` (C++, C, Java, JavaScript, Go, Rust, ...) counts brackets and looks for the entry
point. `LineReader` (Ruby, Haskell) looks at how lines begin. Nothing is run. Hostile text is bounded: by size, and by
how much one reader parses in total.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings

from microcoder_eval.extract.lexing import PYTHON, open_brackets, strip_lines, syntax_of
from microcoder_eval.extract.syntax_summary import SyntaxSummary, summarize

_FILE = "<submission>"
# The user must not see warnings about invalid escapes in submissions. Unlike catch_warnings, a filter is thread-safe.
warnings.filterwarnings("ignore", category=SyntaxWarning, module=re.escape(_FILE))
warnings.filterwarnings("ignore", category=DeprecationWarning, module=re.escape(_FILE))

LONGEST_SOURCE = 256_000
_LIFETIME_BUDGET = 2_000_000
_ADJACENT_WORDS = re.compile(r"(?<![\w.])([A-Za-z]+) ([A-Za-z]+)(?![\w(])")
_KEYWORDS = frozenset([*keyword.kwlist, *keyword.softkwlist, "print", "exec", "type"])


class PythonReader:
    """Reads Python. Make one reader for each reply: it bounds how much is parsed in total."""

    language = "python"

    def __init__(self) -> None:
        self._budget = _LIFETIME_BUDGET
        self._parsed: dict[str, tuple[ast.Module | None, int]] = {}
        self._summaries: dict[str, SyntaxSummary | None] = {}

    def parse(self, code: str) -> tuple[ast.Module | None, int]:
        """The syntax tree, or None with the line (from 1) of the first error; (None, 0) when it was not parsed."""
        if code not in self._parsed:
            self._parsed[code] = self._parse(code)
        return self._parsed[code]

    def _parse(self, code: str) -> tuple[ast.Module | None, int]:
        if len(code) > min(LONGEST_SOURCE, self._budget):
            return None, 0
        self._budget -= len(code)
        try:
            return ast.parse(code, _FILE), 0
        except SyntaxError as error:
            return None, max(1, error.lineno or 1)
        except (ValueError, RecursionError, MemoryError):  # a null byte, a lone surrogate, hostile nesting
            return None, 0

    def summary(self, code: str) -> SyntaxSummary | None:
        """The summary of the code, or None when it is not Python."""
        if code not in self._summaries:
            tree, _ = self.parse(code)
            self._summaries[code] = None if tree is None else summarize(tree)
        return self._summaries[code]

    def is_program(self, code: str) -> bool:
        """Whether the code is Python that does something. The body of a function alone counts too."""
        summary = self.summary(dedented(code)) if len(code) <= LONGEST_SOURCE else None
        return summary is not None and summary.works

    def looks_like_code(self, code: str) -> bool:
        """Whether text that does not parse was meant as Python: at least a third code lines, and no prose."""
        lines, _ = strip_lines(code[:20_000].split("\n"), PYTHON)
        lines = [line for line in lines if line.strip()]
        coded = sum(1 for line in lines if starts_statement(line.strip()))
        return bool(lines) and coded * 3 >= len(lines) and not any(map(is_prose, lines))

    def is_cut(self, code: str) -> bool:
        """Whether the code ends in the middle of a statement."""
        tree, line = self.parse(dedented(code) if len(code) <= LONGEST_SOURCE else code)
        if tree is not None:
            return False
        if open_brackets(code, PYTHON) > 0:
            return True
        lines = code.rstrip().split("\n")
        return line >= len(lines) > 0 and not is_prose(lines[-1])

    def defines(self, code: str, entry_point: str | None) -> bool:
        summary = self.summary(dedented(code)) if len(code) <= LONGEST_SOURCE else None
        return summary is not None and summary.defines(entry_point)


class BraceReader:
    """Reads languages with braces. It looks only at brackets, ends of statements and the name of the entry point."""

    def __init__(self, language: str) -> None:
        self.language, self._syntax = language, syntax_of(language)

    def is_program(self, code: str) -> bool:
        return self.looks_like_code(code) and open_brackets(code, self._syntax) == 0

    def looks_like_code(self, code: str) -> bool:
        lines, _ = strip_lines(code[:20_000].split("\n"), self._syntax)
        lines = [line.strip() for line in lines if line.strip()]
        coded = sum(1 for line in lines if line.endswith((";", "{", "}", ")", ",", ":", ">")) or line.startswith("#"))
        return "{" in code and coded * 2 >= len(lines)

    def is_cut(self, code: str) -> bool:
        return open_brackets(code, self._syntax) > 0

    def defines(self, code: str, entry_point: str | None) -> bool:
        """Whether the entry point is in the code; where a program may have none, whether it reads and prints."""
        uses = _USES.get(self.language)
        if uses and not entry_point:
            return all(use.search(code) for use in uses)
        name = re.escape(entry_point.rpartition(".")[2]) if entry_point else "[Mm]ain"
        return re.search(rf"\b{name}\s{{0,3}}\(", code) is not None


_USES = {
    "javascript": (
        re.compile(r"stdin|read(?:File|Sync)|readline|prompt"),
        re.compile(r"console\.|stdout|write(?:File|Sync)"),
    ),
    "csharp": (
        re.compile(r"\bMain\s{0,3}\(|Console\.(?:Read|In\b|OpenStandardInput)"),
        re.compile(r"\bMain\s{0,3}\(|Console\.(?:Write|Out\b|OpenStandardOutput)"),
    ),
}


class LineReader:
    """Reads languages without braces. It looks only at how lines begin, and in Ruby counts what `end` closes."""

    def __init__(self, language: str) -> None:
        self.language = language

    def is_program(self, code: str) -> bool:
        return self.looks_like_code(code) and not self.is_cut(code)

    def looks_like_code(self, code: str) -> bool:
        lines = [
            line for line in code[:20_000].split("\n") if line.strip() and not line.lstrip().startswith(("#", "--"))
        ]
        coded = sum(1 for line in lines if line[0].isspace() or _LINE_STARTS[self.language].match(line[:200]))
        return bool(lines) and coded * 3 >= len(lines) * 2

    def is_cut(self, code: str) -> bool:
        if self.language != "ruby":
            return False
        lines = [line.split(" #")[0].strip() for line in code.split("\n")]
        opened = sum(1 for line in lines if _RUBY_OPENS.match(line[:500]) or _RUBY_DO.search(line[-100:]))
        return opened > sum(1 for line in lines if re.match(r"end\b", line))

    def defines(self, code: str, entry_point: str | None) -> bool:
        return True


_RUBY_OPENS = re.compile(
    r"(def|class|module|if|unless|while|until|case|begin|for)\b(?!.*\bend$)(?!.*\bdo(\s*\|.*\|)?$)"
)
_RUBY_DO = re.compile(r"\bdo(\s*\|[^|]*\|)?$")
_LINE_STARTS = {
    "ruby": re.compile(
        r"(require|include|def|class|module|end|if|unless|while|until|case|when|else|elsif|puts|print|printf|p|return|begin"
        r"|rescue|for|loop)\b|[$@]{0,2}[a-z_A-Z]\w*(\s*,\s*\*?[$@]{0,2}\w+)*\s*([-+*/|&%]|\*\*|<<)?=[^=]|[\w$@.]+[.(\[]|[})\]]"
    ),
    "haskell": re.compile(
        r"(module|import|data|type|newtype|class|instance|where|infix[lr]?)\b|\{-|[a-z_][\w']*(\s+[^=\n]*)?\s*(=|::|\|)"
    ),
}


def reader_of(language: str) -> Reader:
    """The reader for programs in a language."""
    if language == "python":
        return PythonReader()
    return LineReader(language) if language in _LINE_STARTS else BraceReader(language)


Reader = PythonReader | BraceReader | LineReader


def starts_statement(line: str) -> bool:
    """Whether a line reads like the first line of a Python statement rather than like a sentence."""
    return _STATEMENT.match(line[:500]) is not None


_STATEMENT = re.compile(
    r"from\s+[\w.]+\s+import\b|import\s+[\w.]+(\s+as\s+\w+)?\s*([,;#]|$)|(async\s+)?def\s+\w+\s*[(\[]|class\s+\w+\s*[:(\[]"
    r"|@\w|#|(if|elif|for|while|with|match|case|async)\b.*:|(try|else|finally)\s*:|except\b.*:|(return|yield|raise|assert"
    r"|del|global|nonlocal)\b|(pass|break|continue)$|[A-Za-z_][\w.]*(\[.*\])?(\s*,\s*\*?\w+)*\s*(:\s*[\w\[\], .]+)?"
    r"([-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)|[A-Za-z_][\w.]*\(|\"\"\"|'''"
)


def is_prose(line: str) -> bool:
    """Whether a line is prose: it has two adjacent words that are no keywords, or is a heading or a list item."""
    if line.lstrip().startswith("#"):
        return False
    (rest,), _ = strip_lines([line[:500]], PYTHON)
    pairs = _ADJACENT_WORDS.finditer(rest)
    adjacent = any(not {first, second} & _KEYWORDS for first, second in (pair.groups() for pair in pairs))
    return adjacent or re.match(r"\s*(?:[A-Z][\w ]{2,40}:|[*-] .*|\d+\. .*|\*\*.*)\s*$", rest) is not None


def dedented(code: str) -> str:
    """The code without the indentation that all its lines share.

    >>> dedented("    a = 1\\n    return a")
    'a = 1\\nreturn a'
    """
    lines = code.split("\n")
    margins = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
    if not margins:
        return code
    margin = min(margins, key=len)
    if not margin or not all(own.startswith(margin) for own in margins):
        return code
    return "\n".join(line.removeprefix(margin) if line.strip() else "" for line in lines)
