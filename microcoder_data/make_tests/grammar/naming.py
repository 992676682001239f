"""Rewrite a statement about a function's arguments so that it uses the names of their grammar.

    wording = Wording(parameters, written_fields, constraints, statement)
    wording.clauses          # "1 <= n == nums.length <= 10^5" is "1 <= nums_length = nums_length <= 10^5"

`nums.length` is `nums_length`, `grid[i].length` is `grid_width`, the length of a text is `|s|`, `nums[i]` is `nums`.
A name that is no argument and equals a length stands for this length in all clauses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from microcoder_data.make_tests.grammar.arguments import Parameter
from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.expression import plain
from microcoder_data.make_tests.grammar.node_clauses import plain_words

_MARK = re.compile(r"^\s*(?:[-*•]|\d+\.(?!\d))\s+")
_ASIDE = re.compile(r"^\**(?:follow[- ]?up|note: this question is the same|explanation|notice that)\b", re.IGNORECASE)
_INDEX = r"\[(?:[a-z]|\w*_\w)\]"
_FLOOR = re.compile(r"(<=? ?)(?:floor|⌊) ?\(?([^()⌊⌋<>]+)\)?(?:⌋)?$")
"""A whole number is at most a quotient where it is at most the quotient rounded down."""
_MORE = re.compile(r"(?P<name>[A-Za-z]\w*) ?(?P<sign>[+-]) ?(?P<number>\d+)")
_CHAIN = re.compile(r"(<=|>=|!=|<|>|=)")
_NAME = re.compile(r"[A-Za-z]\w*")


def plain_clause(text: str) -> str:
    """A clause without marks of lists, code and emphasis, with one spelling for every sign.

    >>> plain_clause("- `1 <= n == nums.length <= 5 x 10^5`"), plain_clause("- All values are **unique**.")
    ('1 <= n = nums.length <= 5 * 10^5', 'All values are unique')
    """
    text = re.sub(r"\*\*|(?<!\w)_(?=\w[^_]*\w_(?!\w))|(?<=\w)_(?!\w)", "", _MARK.sub("", text.strip()))
    text = re.sub(r"(?<![\w'\"`])\*(?=[A-Za-z][^*`]*[a-z.]\*(?![\w'\"]))|(?<=[a-z.])\*(?![\w'\"` ])", "", text)
    text = re.sub(r"(?<=\d) ?[x×] ?(?=\d)", " * ", text.replace("&nbsp;", " ").replace("\xa0", " "))
    return " ".join(re.sub(r"==+", "=", plain(text)).split()).rstrip(".,; ")


def clauses_in(constraints: str) -> list[str]:
    """The clauses of a list of constraints, each in plain form, without remarks that bound nothing."""
    found = []
    for line in constraints.split("\n"):
        shown = re.sub(r"^[\s>-]+|\*", "", line.strip())
        if _ASIDE.match(shown):
            break
        clause = plain_clause(line)
        if clause:
            found += _split(clause)
    return found


def _split(clause: str) -> list[str]:
    """`a <= min(b, c)` as two clauses; any other clause as it is."""
    clause = _FLOOR.sub(r"\1(\2)", clause)
    match = re.fullmatch(r"(.*<=?) ?min\(([^(),]*(?:\([^()]*\)[^(),]*)*), ?([^(),]*(?:\([^()]*\)[^(),]*)*)\)", clause)
    if match:
        return [f"{match[1]} {match[2]}", f"{match[1]} {match[3]}"]
    match = re.fullmatch(r"max\(([^(),]*), ?([^(),]*)\) ?(<=? .*)", clause)
    return [f"{match[1]} {match[3]}", f"{match[2]} {match[3]}"] if match else [clause]


class Wording:
    """The clauses of a function's statement over the names of its grammar."""

    def __init__(
        self, parameters: Sequence[Parameter], written: Mapping[str, list[str]], constraints: str, statement: str
    ) -> None:
        self.parameters = parameters
        self._renamed: dict[str, str] = {}
        """The spelled names of fields, by spelling, and what they are called in the grammar."""
        listed = [(spelled, field) for one in parameters for spelled, field in
                  zip(written.get(one.name, ()), one.fields, strict=False)]  # fmt: skip
        for spelled, field in listed:
            if self._renamed.get(spelled, field) != field:
                self._renamed[spelled] = ""  # two lists have a field of this name
            else:
                self._renamed[spelled] = field
        self.names = {name for one in parameters for name in (*one.values, *one.sizes)}
        self.names |= {one.width for one in parameters if one.shape == "ragged"}
        self.words = frozenset(name for one in parameters if one.base == "str" for name in one.values)
        self.lengths = {f"|{name}|" for name in self.words}
        renamed = [
            self.rewritten(plain) for clause in clauses_in(constraints) for plain in plain_words(clause, parameters)
        ]
        self._aliases = self._aliases_in(renamed, statement)
        self.clauses = [
            clause for text in renamed if (clause := self._with_aliases(text)) and not self._says_form(text)
        ]

    def rewritten(self, text: str) -> str:
        """A clause in plain form, over the names of the grammar."""
        for one in sorted(self.parameters, key=lambda one: -len(one.name)):
            own = rf"(?<![\w.]){re.escape(one.name)}"
            in_words = f"|{one.name}|" if one.base == "str" and len(one.values) == 1 else ""
            inner = in_words if one.shape in ("list", "tree") else one.width if one.shape != "one" else ""
            text = re.sub(
                rf"(?<![\w.])len\({re.escape(one.name)}\)|{own}\.size(?:\(\))?(?!\w)", f"{one.name}.length", text
            )
            if in_words and one.shape in ("rows", "ragged"):
                text = re.sub(rf"{own}(?:{_INDEX}){{2}}\.length\b", in_words, text)
            if inner:
                text = re.sub(rf"{own}(?:{_INDEX}|\[0\])\.length\b", inner, text)
                if inner == in_words:
                    text = re.sub(rf"\|{re.escape(one.name)}{_INDEX}\|", inner, text)
            text = re.sub(rf"{own}\.length\b", in_words if one.shape == "one" and in_words else one.length, text)
            if one.shape == "records":
                text = re.sub(rf"{own}{_INDEX}\[(\d)\]", lambda m, one=one: _field(one, int(m[1])), text)  # type: ignore[misc]
                text = re.sub(rf"{own}(?:{_INDEX}){{2}}", ", ".join(one.fields), text)
            elif one.shape in ("rows", "ragged"):
                text = re.sub(rf"{own}(?:{_INDEX}){{2}}", one.name, text)
                text = re.sub(rf"{own}\[[a-z], ?[a-z]\]", one.name, text)
            if one.shape in ("list", "tree") or (one.shape == "one" and one.base == "str"):
                text = re.sub(rf"{own}{_INDEX}(?!\[)", one.name, text)
                text = re.sub(rf"{own}_\{{?[ijk]\}}?(?!\w)", one.name, text)
        for spelled, field in self._renamed.items():
            if spelled != field:
                text = re.sub(rf"(?<![\w.|]){re.escape(spelled)}(?![\w.|])", field or "two_fields", text)
        return text

    def sentence(self, text: str) -> str:
        """A sentence of the statement over the names of the grammar."""
        return self._with_aliases(self.rewritten(plain_clause(text)))

    def _says_form(self, clause: str) -> bool:
        """Whether a clause only names the fields of records, or says how many they are."""
        records = [one for one in self.parameters if one.shape == "records"]
        widths = {one.width: str(len(one.fields)) for one in records}
        sides = clause.split(" = ")
        if len(sides) > 1 and all(side in widths or side.isdecimal() for side in sides):
            return {widths[side] for side in sides if side in widths} == {sides[-1]}
        return any(re.fullmatch(rf"{re.escape(one.name)}{_INDEX} = [\[(][\w, {{}}]+[\])]", clause) for one in records)

    def _with_aliases(self, text: str) -> str:
        for name, meant in self._aliases.items():
            text = re.sub(rf"(?<![\w.|]){re.escape(name)}(?![\w|'])", meant, text)
        return text

    def _aliases_in(self, clauses: Sequence[str], statement: str) -> dict[str, str]:
        """The names that are no argument and equal a length, and the names of these lengths."""
        known = self.names | self.lengths
        found: dict[str, str] = {}
        for clause in clauses:
            parts = [part.strip() for part in _CHAIN.split(clause)]
            for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
                for one, other in ((left, right), (right, left)):
                    if sign != "=" or other not in known:
                        continue
                    if _NAME.fullmatch(one) and one not in known:
                        found.setdefault(one, other)
                    elif (more := _MORE.fullmatch(one)) and more["name"] not in known:
                        opposite = "+" if more["sign"] == "-" else "-"
                        found.setdefault(more["name"], f"({other} {opposite} {more['number']})")
        used = {
            name
            for clause in clauses
            if re.search(r"[<>]", clause)
            for name in re.findall(r"(?<![\w.|])[A-Za-z]\w*", clause)
        }
        for name in sorted(used - known - found.keys()):
            if meant := self._said_length(name, statement):
                found[name] = meant
        return found

    def _said_length(self, name: str, statement: str) -> str:
        """The length that the statement calls by this name: `an array nums of length n`, `an m x n matrix grid`."""
        own = re.escape(name)
        for one in self.parameters:
            length = f"|{one.name}|" if one.shape == "one" and one.base == "str" else one.length
            called = re.escape(one.name)
            if one.shape == "rows":
                if re.search(rf"\b{own} ?(?:x|\*) ?\w+\b[^.]{{0,60}}\b{called}\b", statement):
                    return one.length
                if re.search(rf"\b\w+ ?(?:x|\*) ?{own}\b[^.]{{0,60}}\b{called}\b", statement):
                    return one.width
            if one.sizes or one.base == "str":
                of = r"(?: consisting)?(?: each)? (?:of|with|has|having)(?: a)? (?:the )?(?:length|size)"
                if re.search(rf"\b{called},?{of} {own}(?!\w)", statement):
                    return length
                if re.search(
                    rf"\b{own} (?:is|be|denotes?) the (?:length|size|number of \w+) (?:of|in) {called}\b", statement
                ):
                    return length
        return ""


def _field(parameter: Parameter, at: int) -> str:
    if at >= len(parameter.fields):
        raise Unclear(f"{parameter.name} has no value number {at}")
    return parameter.fields[at]
