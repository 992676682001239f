"""Split the sentences about the input into groups of lines: which line, how many such lines, and what they hold.

    groups, others = line_groups("The first line holds `n`. Each of the next `n` lines holds `a` and `b`.")

`fitting.py` compares the groups with the known inputs. Sentences that are not about a line are returned as `others`,
since they may restrict the input.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re
from dataclasses import dataclass, field

from microcoder_data.make_tests.grammar.expression import Expression, expression, plain
from microcoder_data.make_tests.grammar.phrasing import rewritten_item

NUMBERS = {word: number for number, word in enumerate(
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])}  # fmt: skip

_VERB = r"(?:holds?|contains?|consists? of|has|have|gives?|describes?|is|are|with|lists?|includes?|names?|starts? with)"
_COUNT = r"`[^`]+`|\$[^$]+\$|[A-Za-z]\w?(?: [-+] \d+)?|\d+|two|three|four|five|six|seven|eight|nine|ten"
_ORDINAL = r"first|second|third|fourth|fifth|sixth|next|following|last|only|single|final"
_OF_EACH = (
    r"(?P<each>(?: of| in| for)? (?:each|every|the) (?:test(?: case|s| data)?|case|data ?set|query|game|instance))?"
)
_OF_INPUT = r"(?: of (?:the )?(?:standard )?input(?: file)?| of integers| in the input)?"
_FOLLOW = r"(?: that follow| which follow)?"
_PATTERNS = [
    re.compile(
        rf"(?:then,? |next,? )?(?:each|every)(?: one)? of the (?:next|following|last|remaining|other|subsequent)? ?"
        rf"(?P<count>{_COUNT})? ?(?:other |more )?(?:input )?lines?{_FOLLOW}{_OF_EACH} {_VERB} (?P<content>.+)"
    ),
    re.compile(
        rf"(?:then,? |next,? |after that,? |finally,? )?(?:there (?:are|follow) |come |the (?:next|following|last) )?"
        rf"(?P<count>{_COUNT}) (?:other |more )?lines (?:follow|come|are given)?{_OF_EACH}[,.:;]? ?"
        rf"(?:(?:each|every one|every)(?: line| one)?(?: of them| of which)?|"
        rf"(?:(?:the|of which the) )?[`$]?[ijk][`$]?-?(?:th|\$-th|`-th)(?: of (?:them|these|which))?(?: line)?)? ?"
        rf"(?:of them )?{_VERB}? ?(?P<content>.*)"
    ),
    re.compile(
        rf"(?:the|a|an|one)? ?(?P<which>{_ORDINAL})?,? ?(?:and only |and last )?(?:input )?lines?{_OF_EACH}{_OF_INPUT}"
        rf"(?: then)?,? {_VERB} (?P<content>.+)"
    ),
    re.compile(rf"(?:the )?(?:standard )?input{_OF_EACH} {_VERB} (?:of )?(?:a|one|a single) (?:single )?line,? "
               rf"(?:with|containing|that (?:holds|contains)|which contains) (?P<content>.+)"),
]  # fmt: skip
_DESCRIBED = re.compile(
    r"each (?P<noun>[a-z ]+?) is (?:described|given) (?:by|on|in|as) (?P<lines>two|three|four|2|3|4) lines: (?P<content>.+)"
)
_FOLLOWED = re.compile(
    rf"each (?P<noun>[a-z ]+?) is (?:described|given) (?:by|as) (?:a|one) line with (?P<content>.+?), followed by "
    rf"(?P<count>{_COUNT}) lines,? each (?:with|holding|containing) (?P<inner>.+)"
)
_NEXT_LINE = re.compile(
    rf",?;? (?:and )?(?=the (?:{_ORDINAL}) line\b)|;? then (?=[`$]?\w+[`$]? lines follow)|"
    r",? (?=followed by an? line\b)|: (?=the [`$]?[ijk][`$]?-th line\b)",
    re.IGNORECASE,
)
_LINE_AND_LINES = re.compile(
    rf"(?P<line>(?:the )?(?:{_ORDINAL}) line\b[^.;:]*?),? (?P<lines>followed by (?:{_COUNT}) lines\b.*)", re.IGNORECASE
)
_WITHOUT_VERB = re.compile(rf"^((?:the )?(?:{_ORDINAL}) line) (?!{_VERB}\b|of\b|in\b)")
_SUCH_LINE = re.compile(
    rf"(?:the [$`]?[ijk][$`]?(?:'s|-?\$?-?th|'?th|\^\S*) (?:such |of (?:these|them|those) )?(?:lines?|row)(?: in \S+ \S+)?"
    rf"|each (?:such|of (?:these|those)) lines?) {_VERB} (.+)", re.IGNORECASE
)  # fmt: skip
_EACH_LINE = re.compile(rf"each (?:line|row) {_VERB} (.+)", re.IGNORECASE)
_TWO_LINES = re.compile(
    rf"(?:the )?(?P<which>first|next|following|last|remaining) two lines {_VERB} (?P<what>(?:the )?(?:[a-z]+ ){{0,2}})"
    r"(?P<one>`[^`]+`|\$[^$]+\$),? (?:and|respectively) (?P<other>`[^`]+`|\$[^$]+\$)(?:,? respectively)?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`$])|(?<=;)\s+|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)")


@dataclass
class Group:
    """One line, or `count` such lines; with `body`, its lines `count` times."""

    content: str = ""
    count: Expression | None = None
    noun: str = ""
    """What is repeated. Without `count`, it is the number that an earlier line gives for this noun."""
    body: list[Group] = field(default_factory=list)


def sentences(text: str) -> list[str]:
    """The sentences and list items of a text, each on one line.

    >>> sentences("One `n`.\\nTwo `x`; three\\n\\n- 1 ≤ n\\n- 2 ≤ m")
    ['One `n`.', 'Two `x`;', 'three', '1 ≤ n', '2 ≤ m']
    """
    found = []
    for part in _SENTENCE.split(text):
        one = re.sub(r"^(?:[-*•]|\d+[.)])\s+", "", " ".join(part.split()))
        if one:
            found.append(one)
    return found


def line_groups(text: str) -> tuple[list[Group], list[str]]:
    """The groups of lines in order, and the sentences that are not about lines."""
    groups: list[Group] = []
    others: list[str] = []
    into = groups
    for sentence in sentences(text):
        pieces = [piece for part in _NEXT_LINE.split(sentence) for piece in _line_and_lines(part)]
        for number, piece in enumerate(pieces):
            clause = piece.strip().rstrip(".;,")
            if number:  # "the second line holds the old numbers, the third line the new ones"
                clause = _WITHOUT_VERB.sub(r"\1 holds ", clause)
            clause = rewritten_item(clause, text)
            if not clause:
                continue
            nested = _nested(clause)
            if nested is not None:
                groups.append(nested)
                continue
            if into and into[-1].count is not None and (match := _such_line(clause, into[-1])):
                # "the next `n` lines describe the days in increasing order; the `i`-th such line holds ..."
                others.append(into[-1].content)
                into[-1].content = match[1]
                continue
            group, each = _group(clause)
            if group is None:
                others.append(_of_the_line_before(clause, into))
                continue
            if each and into is groups:
                groups.append(Group(noun=each))
                into = groups[-1].body
            into.append(group)
    return groups, others


def _such_line(clause: str, before: Group) -> re.Match[str] | None:
    """What `each such line holds ...` says of the lines before; also `each line ...` where nothing on them is named."""
    return _SUCH_LINE.fullmatch(clause) or (
        None if re.search(r"[$`]", before.content) else _EACH_LINE.fullmatch(clause)
    )


def _of_the_line_before(clause: str, groups: list[Group]) -> str:
    """The clause with the only name of the line before in place of `they` and `these`.

    >>> _of_the_line_before("They are in increasing order", [Group("`n` days `d_1 ... d_n`")])
    'd are in increasing order'
    """
    spans = re.findall(r"[`$]([^`$]+)[`$]", without_brackets(groups[-1].content)[0]) if groups else []
    names = {name for span in spans for name in re.findall(r"([A-Za-z]\w*?)_", plain(span))}
    names = names or {span for span in spans if re.fullmatch(r"[A-Za-z]\w?", span)}
    return re.sub(r"\b(?:they|these)(?= are\b)", min(names), clause, flags=re.IGNORECASE) if len(names) == 1 else clause


def _line_and_lines(clause: str) -> tuple[str, ...]:
    """The two parts of `the first line holds n, followed by n lines, ...` and of `the first two lines hold s and t`;
    other clauses as they are."""
    if two := _TWO_LINES.fullmatch(clause.strip().rstrip(".;,")):
        return tuple(f"the next line holds {two['what']}{two[name]}" for name in ("one", "other"))
    match = _LINE_AND_LINES.fullmatch(clause)
    return (match["line"], match["lines"]) if match else (clause,)


BOUND = re.compile(r"[<>≤≥]|\\(?:[lgn]eq?|[lg]t)(?![A-Za-z])")


def without_brackets(text: str) -> tuple[str, list[str]]:
    """The text outside of its outermost round brackets, and what each of them holds.

    Brackets that belong to a formula, as in `n(n-1)/2`, stay.

    >>> without_brackets("numbers $n$, $m$ ($1 < m < n(n-1)/2$), $f(n)$ and $k$ $(k < 2)$")
    ('numbers $n$, $m$  , $f(n)$ and $k$ $ $', ['$1 < m < n(n-1)/2$', 'k < 2'])
    """
    outside, inside, depth, start, formula = "", [], 0, 0, False
    for at, sign in enumerate(text):
        if sign in "$`" and not depth:
            formula = not formula
        if sign == "(":
            depth += 1
            start = at + 1 if depth == 1 else start
        elif sign == ")" and depth:
            depth -= 1
            if not depth:
                held = text[start:at]
                stays = formula and not BOUND.search(held)
                outside += f"({held})" if stays else " "
                inside += [] if stays else [held]
        elif not depth:
            outside += sign
    return outside, inside


def _nested(clause: str) -> Group | None:
    """The group of a sentence about things of several lines each; None for any other sentence."""
    lowered = clause[0].lower() + clause[1:]
    if match := _DESCRIBED.fullmatch(lowered):
        parts = re.split(r",? and (?=the |its |[`$])|, (?=the |its )", match["content"])
        wanted = NUMBERS.get(match["lines"]) or int(match["lines"])
        return Group(noun=match["noun"], body=[Group(part) for part in parts]) if len(parts) == wanted else None
    if match := _FOLLOWED.fullmatch(lowered):
        inner = Group(match["inner"], _count(match["count"]))
        return Group(noun=match["noun"], body=[Group(match["content"]), inner])
    return None


def _group(clause: str) -> tuple[Group | None, str]:
    """The group that a sentence describes, and the noun of `each` in it (`of each test case`); None if it is no line."""
    lowered = clause[0].lower() + clause[1:]
    for number, pattern in enumerate(_PATTERNS):
        match = pattern.fullmatch(lowered) or pattern.fullmatch(clause)
        if match is None:
            continue
        found = match.groupdict()
        content = (found["content"] or "").strip()
        if not content or re.match(r"(?:empty|not|omitted|missing)\b", content):
            return None, ""
        if number < 2:
            count = _count(found["count"]) if found["count"] else None
            if count is None and number == 1:
                continue
            group = Group(content, count, noun="" if count else "lines")
        else:
            group = Group(content)
        each = (found.get("each") or "").strip()
        repeated = re.match(r"(?:of|in|for)? ?(?:each|every) (.+)", each)
        return group, repeated[1] if repeated else ""
    return None, ""


def _count(text: str) -> Expression | None:
    word = plain(text).strip()
    return expression(str(NUMBERS[word])) if word in NUMBERS else expression(word)
