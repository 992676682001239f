"""HackerRank shows some samples as a table: the input beside the function's arguments."""

from __future__ import annotations

import re

_HEAD = r"(STDIN[ \t]+)Function[ \t]*\n[ \t]*-{3,}[ \t]+-{3,}[ \t]*(?:\n|\Z)"
_TABLE = re.compile(_HEAD)
_TABLE_IN_TEXT = re.compile(rf"^([ \t]*){_HEAD}((?:(?!```)[ \t]*\S[^\n]*(?:\n|\Z))+)", re.MULTILINE)
_LOST_LINES = re.compile(r"STDIN\s+Function\s+-{3}")

_SECOND_CELL = re.compile(r"[ \t]{2,}|[ \t]+(?=[A-Za-z_][\w\[\]]*[ \t]+(?:=|size\b))")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(?: -?\d+(?:\.\d+)?)*(?= |\Z)")
_WORD_BESIDE_ITS_NAME = re.compile(r"\S+(?= [A-Za-z_][\w\[\]]* ?= ?\S)")


def is_table(text: str) -> bool:
    """Whether a text begins as such a table does, even on one line."""
    return text.startswith("STDIN") and _LOST_LINES.match(text) is not None


def tables_to_inputs(text: str) -> str:
    """A statement in which each such table has become the input alone.

    >>> tables_to_inputs("Sample\\n\\n    STDIN  Function\\n    -----  --------\\n    2      t = 2\\n\\nWhere t is 2.")
    'Sample\\n\\n    2\\n\\nWhere t is 2.'
    """

    def of_table(found: re.Match[str]) -> str:
        indent, _, rows = found.groups()
        lines = [line.removeprefix(indent) for line in found[0].rstrip("\n").split("\n")]
        cells = without_second_column("\n".join(lines)).split("\n")
        return "\n".join(indent + cell for cell in cells) + "\n" * rows.endswith("\n")

    return _TABLE_IN_TEXT.sub(of_table, text) if "STDIN" in text else text


def without_second_column(text: str) -> str:
    """A sample's input without the column that explains it. Text that is no such table is not changed, nor is a table
    whose columns are apart by single spaces and of which a line may be divided in two ways.

    >>> without_second_column("STDIN   Function\\n-----   --------\\n2       t = 2\\n1 3     arr = [1, 3]\\n7")
    '2\\n1 3\\n7'
    >>> without_second_column("STDIN Function\\n----- --------\\n2 t = 2\\n1 3 arr = [1, 3]\\nabc")
    '2\\n1 3\\nabc'
    """
    head = _TABLE.match(text) if text.startswith("STDIN") else None
    if not head:
        return text
    lines = text[head.end() :].split("\n")
    if "\t" in head[1]:
        return "\n".join(line.split("\t")[0].rstrip() for line in lines)
    if head[1] != "STDIN ":
        return "\n".join(_first_cell(line, len(head[1])) for line in lines)
    cells = [cell for line in lines if (cell := _first_words(line.strip())) is not None]
    return "\n".join(cells).rstrip() if len(cells) == len(lines) else text


def _first_cell(line: str, width: int) -> str:
    """The cell as wide as its column; where it is wider, up to a gap or an argument's name.

    >>> _first_cell("1 2 3   arr = [1, 2, 3]", 8), _first_cell("1 2 3 4 5   arr = [1, 2, 3, 4, 5]", 8)
    ('1 2 3', '1 2 3 4 5')
    """
    if line[width - 1 : width].strip():
        return _SECOND_CELL.split(line)[0].rstrip()
    gap = _SECOND_CELL.search(line, width)
    cell, end = line[:width].rstrip(), gap.start() if gap else len(line)
    more = line[width:end]
    if len(cell) < width - 1 or not more:
        return cell
    # The space at the end of the column may stand inside the cell.
    goes_on = _NUMBERS.fullmatch(more) if _NUMBERS.fullmatch(cell) else gap and len(gap[0]) > 1 and "=" not in more
    return line[:end] if goes_on else cell


def _first_words(line: str) -> str | None:
    """The first cell of a line whose gaps a dump has made single spaces; None where it is not certain.

    >>> _first_words("5 length of list n = 5"), _first_words("ab s = 'ab'"), _first_words("3 1 ...")
    ('5', 'ab', '3 1')
    >>> _first_words("1 add x"), _first_words("1 ab ops[0] = '1 ab'")
    (None, None)
    """
    without_dots = line.rstrip(". ")
    cell = without_dots if line.count(".", len(without_dots)) > 1 else line
    numbers = _NUMBERS.match(cell)
    if " " not in cell or (numbers and numbers.end() == len(cell)):
        return cell
    if found := _WORD_BESIDE_ITS_NAME.match(cell):
        return found[0]
    named = numbers and "=" in cell and "'" not in cell and '"' not in cell
    return numbers[0] if numbers and named else None
