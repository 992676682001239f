"""Read facts in a function's constraints: different values, orders, permutations, multiples, graphs, forms of words.

Each reader adds to `reader.found` and says whether it understood the whole clause.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re

from microcoder_data.make_tests.grammar.arguments import Parameter
from microcoder_data.make_tests.grammar.clause_reader import ClauseReader
from microcoder_data.make_tests.grammar.expression import Expression, Relation, base_name, expression
from microcoder_data.make_tests.grammar.facts import Fact
from microcoder_data.make_tests.grammar.restrictions import structures_in

_THINGS = r"(?:values?|integers?|numbers?|elements?|strings?|words?|items?|entries|pairs?|points?|characters?|letters?|digits?)"
_ADVERB = r"(?:all |pairwise |only |mutually )?"
_DIFFERENT = [
    re.compile(rf"(?:all|each|every)?(?: of)? ?(?:the )?(?:given )?{_THINGS} ?(?:of|in) (?P<names>[\w\[\] ]+?) (?:is|are|must be|will be) {_ADVERB}(?:unique|distinct|different)"),
    re.compile(rf"(?:all|each|every)?(?: of)? ?(?:the )?(?:given )?(?:(?:value|element|word|string)s? )?(?P<names>[\w\[\]]+) (?:is|are|must be|will be) {_ADVERB}(?:unique|distinct|different)"),
    re.compile(rf"(?P<names>[\w\[\]]+) (?:consists? of|contains?|has|have) (?:only )?(?:pairwise )?(?:unique|distinct|different) {_THINGS}"),
    re.compile(r"(?P<names>[\w\[\]]+) (?:contains?|has) no duplicates?(?: \w+)?|there are no duplicates? (?:\w+ )?in (?P<other>[\w\[\]]+)"),
    re.compile(r"(?P<names>\w+)\[i\] != (?P=names)\[j\](?: for (?:all )?i != j)?|no two (?:elements|values|\w+) (?:of|in) (?P<other>\w+) are (?:equal|the same)"),
    re.compile(r"(?P<names>[\w\[\]]+) (?:does|do) not (?:contain|have) (?:any )?duplicates?(?: \w+)?"),
]  # fmt: skip
_DIFFERENT_RECORDS = re.compile(
    r"(?:all|each)?(?: of)? ?(?:the )?(?:ordered )?(?:pairs?|tuples?|points?|triples?|triplets?|elements?|positions?|coordinates?)? ?"
    r"[(\[](?P<fields>\w+(?:, ?\w+)+)[)\]] (?:is|are) (?:all )?(?:unique|distinct|different)"
)


def different(reader: ClauseReader, clause: str) -> bool:
    """`All the values of nums are unique`, `words contains distinct strings`, `All the pairs (a_i, b_i) are distinct`."""
    if match := re.fullmatch(
        r"(?P<name>\w+) contains (?:only )?(?:distinct|unique) \w+ sorted in (?:strictly )?(?P<way>ascending|increasing|descending|decreasing) order",
        clause,
    ):
        one = reader.only(match["name"])
        if one is None or one.shape != "list":
            return False
        kind = "rises strictly" if match["way"] in ("ascending", "increasing") else "falls strictly"
        reader.found.facts.append(Fact(kind, (one.name,)))
        return True
    if match := _DIFFERENT_RECORDS.fullmatch(clause):
        fields = tuple(re.split(r", ?", match["fields"]))
        one = reader.by_value.get(fields[0])
        if one is None or not set(fields) <= set(one.fields):
            return False
        reader.found.facts.append(Fact("distinct", fields))
        return True
    for pattern in _DIFFERENT:
        match = pattern.fullmatch(clause)
        groups = match.groupdict() if match else {}
        name = groups.get("names") or groups.get("other") or ""
        one = reader.only(name)
        if one is None or (one.shape == "one" and one.base != "str"):
            continue
        if one.shape == "one":
            if not re.search(r"\b(?:characters|letters|digits)\b", clause):
                continue
            reader.found.facts.append(Fact("distinct letters", (one.name,)))
            return True
        if one.shape in ("rows", "ragged") and not name.endswith("]"):
            return False  # it is not clear whether the rows differ, or all values
        reader.found.facts.append(Fact("distinct", one.values))
        return True
    return False


def ordered(reader: ClauseReader, clause: str) -> bool:
    """`nums is sorted in non-decreasing order`, `target is strictly increasing`."""
    match = re.fullmatch(
        r"(?:the )?(?:(?:elements|values|integers|numbers) (?:of|in) )?(?P<name>[\w\[\], ]+?) (?:is|are)(?: an?)?(?: array)?(?: given)?(?: sorted)?"
        r"(?: by (?P<by>\w+))?(?: in)?(?:(?: an?)? (?P<strict>strictly )?(?P<way>non-?decreasing|increasing|ascending|non-?increasing|decreasing|descending|monotonically increasing)?(?:ly)?(?: order)?)?"
        r"(?: by (?P<by2>\w+))?", clause)  # fmt: skip
    if match is None or not (match["way"] or re.search(r"\bsorted\b", clause)):
        return False
    listed = [reader.only(name) for name in re.split(r", and |, | and ", re.sub("^both ", "", match["name"]))]
    inner = match["name"].endswith("]")
    if any(one is None or one.shape == "one" or (one.shape in ("rows", "ragged") and not inner) for one in listed):
        return False
    by = base_name(match["by"] or match["by2"] or "")
    values = [name for one in listed if one is not None for name in one.values]
    if by not in values if by else any(one is not None and len(one.values) > 1 for one in listed):
        return False
    names = [by] if by else values
    way = match["way"] or "ascending"
    strictly = bool(match["strict"]) or way in ("increasing", "decreasing")
    kind = "falls" if way in ("non-increasing", "nonincreasing", "decreasing", "descending") else "rises"
    reader.found.facts += [Fact(f"{kind} strictly" if strictly else kind, (name,)) for name in names]
    return True


def permutation(reader: ClauseReader, clause: str) -> bool:
    """`nums is a permutation of the numbers from 1 to n`, `order contains every integer from 1 to n exactly once`."""
    match = re.fullmatch(
        r"(?:the )?(?P<name>\w+) (?:is|represents) a permutation of (?:all )?(?:the )?(?:integers |numbers |values )?(?:from |in the range )?(?:of )?[\[(]?(?P<low>[01])(?:,| to| \.\.\.|, \.\.\.,)? ?(?P<high>[\w +-]+)[\])]?|"
        r"(?:the )?(?P<name2>\w+) contains (?:every|each|all) (?:the )?(?:integers?|numbers?) (?:from|in the range) \[?(?P<low2>[01])(?: to|,) (?P<high2>[\w +-]+?)\]?(?: exactly once)?", clause)  # fmt: skip
    if match is None:
        return False
    one = reader.only(match["name"] or match["name2"])
    low, high = match["low"] or match["low2"], expression(match["high"] or match["high2"])
    if one is None or one.shape != "list" or high is None or not high.names <= reader.wording.names:
        return False
    size = Expression(one.length)
    top = high if low == "1" else Expression(("+", high.tree, 1))
    if str(top) != str(size):
        reader.found.relations += [Relation(size, "<=", top), Relation(top, "<=", size)]
    reader.found.facts.append(Fact("permutation" if low == "1" else "permutation from 0", (one.name,)))
    return True


def divisible(reader: ClauseReader, clause: str) -> bool:
    """`n is even`, `n is odd`, `s.length is divisible by k`, `the length of nums is a multiple of 3`."""
    match = re.fullmatch(
        r"(?P<of>.+?) (?:is|will be|must be)(?: always)? (?:(?P<even>even)|(?P<odd>odd)|(?:divisible by|a multiple of) (?P<by>\w+|\|\w+\|))",
        clause,
    )
    if match is None:
        return False
    of = match["of"]
    if length := re.fullmatch(r"the length of (\w+)", of):
        one = reader.only(length[1])
        of = "" if one is None else f"|{one.name}|" if one.shape == "one" else one.length
    if match["odd"]:
        return bool(of) and reader.multiple(f"{of} + 1", "2")
    return bool(of) and reader.multiple(of, "2" if match["even"] else match["by"])


def total(reader: ClauseReader, clause: str) -> bool:
    """`The sum of lists[i].length will not exceed 10^4`, for rows of any length."""
    match = re.fullmatch(
        r"(?:the )?(?:total )?sum of (?:all )?(?P<of>\w+)(?: over all \w+)? (?:(?:will|does|do) not exceed|is at most) (?P<most>[\w^* ]+)",
        clause,
    )
    most = expression(match["most"]) if match else None
    ragged = [one for one in reader.wording.parameters if one.shape == "ragged" and match and one.width == match["of"]]
    if not ragged or most is None or most.names:
        return False
    reader.found.totals.append((Expression(ragged[0].width), most.value({})))
    return True


def _pairs(reader: ClauseReader) -> list[Parameter]:
    return [one for one in reader.wording.parameters if one.shape == "records" and len(one.fields) >= 2]


_NO_LOOPS = re.compile(
    r"(?:and )?(?:there (?:are|is|will be) )?(?:no|not any) self[- ](?:loops?|edges?)(?: .*)?|no (?:edge|road)s? connects? a (?:node|city|vertex) (?:to|with) itself"
)
_NO_REPEATED = re.compile(
    r"(?:there (?:are|is|will be) )?(?:no|not any) (?:repeated|duplicated?|multiple|parallel) (?P<what>\w+)(?: between .*| in .*| among .*)?|"
    r"there (?:is|are) (?:at most|no more than|only) one \w+ (?:between|connecting) .*"
)
_SELF_AND_REPEATED = re.compile(
    r"(?:there are )?no (?:self[- ]loops|self[- ]edges|repeated edges|duplicate edges|multiple edges)(?:,? (?:and|or) (?:there are )?(?:no )?(?:self[- ]loops|self[- ]edges|repeated edges|duplicate edges|multiple edges|parallel edges))(?: .*)?"
)


def graph(reader: ClauseReader, clause: str) -> bool:
    """`There are no repeated edges`, `edges represents a valid tree`, `The graph is connected`."""
    pairs = _pairs(reader)
    if len(pairs) != 1:
        return False
    (edges,) = pairs
    ends = edges.fields[:2]
    both = _SELF_AND_REPEATED.fullmatch(clause)
    if both or _NO_LOOPS.fullmatch(clause):
        reader.found.relations.append(Relation(Expression(ends[0]), "!=", Expression(ends[1])))
        if not both:
            return True
    if both or _NO_REPEATED.fullmatch(clause):
        reader.found.facts.append(Fact("simple", ends))
        return True
    if re.fullmatch(
        rf"(?:the )?(?:input )?(?:{edges.name}|edges|graph|roads|it|given edges|given graph|given input)(?: is guaranteed to)? (?:represents?|forms?|is|are|be|make up)(?: guaranteed to (?:be|represent|form))? an? (?:valid |undirected |connected |rooted )*tree",
        clause,
    ):
        reader.found.structures.add("tree")
        return True
    if re.fullmatch(
        r"(?:the )?(?:given |input )?(?:graph|network|cities|nodes|\w+) (?:is|are) (?:always )?(?:connected|acyclic)|(?:the )?(?:given |input )?graph (?:is|will be) a (?:directed acyclic graph|DAG)(?: \(DAG\))?|there (?:are|is) no (?:directed )?cycles?(?: in the graph)?",
        clause,
    ):
        named = structures_in(clause)
        reader.found.structures |= named
        return bool(named)
    return False


def leading_zeros(reader: ClauseReader, clause: str) -> bool:
    """`num does not contain any leading zeros`."""
    match = re.fullmatch(
        r"(?P<names>[\w\[\], ]+?) (?:does|do|will|must)? ?(?:not|n't) (?:contain|have) (?:any )?leading (?:zero(?:e?s)?|0's)(?: digits?)?(?:,? (?:except|other than) .*0.*)?|(?P<no>[\w\[\], ]+?) (?:has|have|contains?) no leading zero(?:e?s)?(?:,? (?:except|other than) .*0.*)?",
        clause,
    )
    names = reader.called(match["names"] or match["no"]) if match else []
    if not names or not set(names) <= reader.wording.words:
        return False
    reader.found.facts += [Fact("no leading zeros", (name,)) for name in names]
    return True


_SPACES = re.compile(
    r"(?:there are no|(?P<names>[\w\[\], ]+?) (?:do|does|will) not (?:contain|have)(?: any)?|(?P<has>[\w\[\], ]+?) has no) leading (?:or|and) trailing spaces|"
    r"(?:all )?(?:the )?words in (?P<within>[\w\[\]]+) are separated by (?:exactly )?(?:a|one) single space|"
    r"(?P<of>[\w\[\]]+) consists? of words separated by (?:a|one) single space(?: without (?:any )?leading or trailing spaces| with no leading or trailing spaces)?"
)
_EXACTLY_ONE = re.compile(
    r"there (?:is|will be) exactly one (?:cell )?'(?P<sign>.)'(?:,? and (?:exactly )?one '(?P<other>.)')? in (?:the )?(?P<name>\w+)|(?P<name2>\w+) contains exactly one '(?P<sign2>.)'"
)


def spaces(reader: ClauseReader, clause: str) -> bool:
    """`The words in s are separated by a single space`, `s does not contain leading or trailing spaces`."""
    match = _SPACES.fullmatch(clause)
    if match is None:
        return False
    said = next(filter(None, match.groups()), "")
    names = (
        reader.called(said)
        if said
        else [name for name in sorted(reader.wording.words) if " " in reader.found.letters.get(name, "")]
    )
    if not names or not set(names) <= reader.wording.words:
        return False
    reader.found.facts += [Fact("single spaces", (name,)) for name in names]
    return True


def exactly_one(reader: ClauseReader, clause: str) -> bool:
    """`There is exactly one 'S' in the grid`."""
    match = _EXACTLY_ONE.fullmatch(clause)
    one = reader.only(match["name"] or match["name2"]) if match else None
    if match is None or one is None or one.base != "str" or one.shape == "one":
        return False
    signs = filter(None, (match["sign"], match["other"], match["sign2"]))
    reader.found.facts += [Fact("one", (one.name,), text=sign) for sign in signs]
    return True
