"""Finds code in a reply without fences: the lines of a program between lines of prose.

Python is found by parsing, other languages by their first line and their brackets.
"""

from __future__ import annotations

import ast
import keyword
import re

from microcoder_eval.extract.fences import Block
from microcoder_eval.extract.lexing import BRACES, strip_lines
from microcoder_eval.extract.reader import (
    BraceReader,
    LineReader,
    PythonReader,
    Reader,
    dedented,
    is_prose,
    starts_statement,
)
from microcoder_eval.extract.tags import without_leading_tag

_MOST_REGIONS = 16
_SHRINKINGS = 6
_BRACE_START = re.compile(
    r"#include\b|#define\b|using\s|import\s[\w.*{]+.*[;{\"']|package\s\w|(public|final|abstract|static)\s|class\s\w+.*\{"
    r"|(pub\s+)?fn\s|fun\s|(case\s+)?object\s+\w+.*\{|namespace\s|<\?php|use\s[\w:]+|func\s|(const|let|var)\s|[\w:<>*&]+\s+\w+\s*\(.*\{|template\s*<|struct\s|//"
)


def raw_blocks(text: str, reader: Reader) -> list[Block]:
    """The regions of code in a text without fences, in order.

    >>> raw_blocks("Here you are:\\n\\nn = int(input())\\nprint(n)\\n\\nIt prints n.", PythonReader())
    [Block(code='n = int(input())\\nprint(n)', language='python', closed=True, doubtful=False)]
    """
    lines = dedented(without_leading_tag(text.strip("\n"), reader.language)).split("\n")
    if isinstance(reader, BraceReader):
        return _brace_region(lines, reader)
    if isinstance(reader, LineReader):
        whole = "\n".join(lines)
        return [Block(whole, reader.language, not reader.is_cut(whole))] if reader.looks_like_code(whole) else []
    indented = [line if line[:1].isspace() else "" for line in lines]  # Markdown also marks code by indentation
    return _python_regions(lines, reader) or _python_regions(dedented("\n".join(indented)).split("\n"), reader)


def _python_regions(lines: list[str], reader: PythonReader) -> list[Block]:
    regions: list[Block] = []
    index = 0
    while index < len(lines) and len(regions) < _MOST_REGIONS:
        if not starts_statement(lines[index]) or is_prose(lines[index]):
            index += 1
            continue
        end, closed = _region_end(lines, index, reader)
        code = _without_words_at_end("\n".join(lines[index:end]), reader)
        if end > index and (not closed or reader.is_program(code) or reader.looks_like_code(code)):
            regions.append(Block(code.strip("\n"), reader.language, closed))
        index = max(end, index + 1)
    return regions


def _region_end(lines: list[str], start: int, reader: PythonReader) -> tuple[int, bool]:
    """The line after the program that starts at line `start`, and False when the reply is cut off inside it."""
    end = len(lines)
    tail = end
    for _ in range(_SHRINKINGS):
        tree, error_line = reader.parse("\n".join(lines[start:end]))
        if tree is not None:
            break
        if error_line == 0:
            return len(lines), True  # too long to parse, or not parsable at all
        end = _statement_start(lines, start, min(start + error_line - 1, end - 1))
        tail = end
        if end <= start:
            break
    if tail >= len(lines):
        return len(lines), True
    if is_prose(lines[tail]) or (end > start and not _is_code_line(lines[tail])):
        return max(end, start), True
    rest = "\n".join(lines[tail:])
    if reader.is_cut(rest):
        return len(lines), False
    prose = (at for at in range(tail + 1, len(lines)) if lines[at][:1].strip() and is_prose(lines[at]))
    stop = next(prose, len(lines))
    return stop, not reader.is_cut("\n".join(lines[tail:stop])) or stop < len(lines)


def _is_code_line(line: str) -> bool:
    first = re.match(r"\w*", line)
    return starts_statement(line) or line.startswith("@") or (first is not None and keyword.iskeyword(first.group()))


def _without_words_at_end(code: str, reader: PythonReader) -> str:
    """The code without single words at its end: a heading or a remark that parses as a name."""
    tree, _ = reader.parse(code)
    count = len(tree.body) if tree is not None else 0
    kept = count
    while tree is not None and kept > 1 and _is_word(tree.body[kept - 1]):
        kept -= 1
    return code if tree is None or kept == count else "\n".join(code.split("\n")[: tree.body[kept - 1].end_lineno])


def _is_word(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Name)


def _statement_start(lines: list[str], start: int, index: int) -> int:
    """The first line of the top-level statement that line `index` belongs to."""
    continues = ("else", "elif", "except", "finally", ")", "]", "}")
    while index > start and (not lines[index][:1].strip() or lines[index].startswith(continues)):
        index -= 1
    while index > start and lines[index - 1].startswith("@"):
        index -= 1
    return index


def _brace_region(lines: list[str], reader: BraceReader) -> list[Block]:
    start = next((index for index, line in enumerate(lines) if _BRACE_START.match(line[:300])), None)
    if start is None:
        return []
    rest, _ = strip_lines(lines[start:], BRACES)
    ends = [index for index, line in enumerate(rest) if line.rstrip().endswith(("}", "};", ";"))]
    whole = "\n".join(lines[start:])
    if not ends or not reader.looks_like_code(whole):
        return []
    if reader.is_cut(whole):
        return [Block(whole, reader.language, False)]
    return [Block("\n".join(lines[start : start + ends[-1] + 1]), reader.language, True)]
