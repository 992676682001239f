"""Read the constraints of a function: formulas, letters, choices, facts. Every clause must be read.

    found = read_constraints(wording, wording.clauses)         # raises Unclear and quotes the clause that no reader understands

A list of constraints holds nothing but restrictions, so a clause without a reader ends the attempt.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re
from collections.abc import Sequence

from microcoder_data.make_tests.grammar import argument_facts
from microcoder_data.make_tests.grammar.alphabet import alphabet
from microcoder_data.make_tests.grammar.clause_reader import ClauseReader
from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.expression import Expression, Relation, expression
from microcoder_data.make_tests.grammar.naming import Wording
from microcoder_data.make_tests.grammar.restrictions import Restrictions
from microcoder_data.make_tests.grammar.tree_facts import tree_facts

_LEAD = re.compile(
    r"^(?:(?:it is|it's) (?:also )?(?:guaranteed|assumed)(?: that)?,? |you (?:may|can) (?:safely )?assume (?:that )?|"
    r"(?:the )?(?:inputs?|tests?|test cases?) (?:is|are|will be) (?:generated|guaranteed) (?:such|so) that |note that )",
    re.IGNORECASE,
)


def read_constraints(wording: Wording, clauses: Sequence[str]) -> Restrictions:
    """Everything that the clauses say; raises `Unclear` for a clause that no reader understands."""
    reader = ClauseReader(wording, Restrictions())
    for clause in clauses:
        said = _LEAD.sub("", clause)
        lowered = said[:1].lower() + said[1:]
        if reader.formula(said):
            continue
        if not any(read(reader, lowered) or read(reader, said) for read in _READERS):
            raise Unclear(f"the statement says of the input what no reader knows: {clause!r}")
    return reader.found


_IS_OF = r"(?:will |must |can |may )?(?:be )?(?:only |solely )?(?:consists?|contains?|comprises?|is|are|has|have|made up|composed)\b(?P<what>.*)"
_OF_LETTERS = re.compile(rf"(?P<names>[\w\[\], ]+?) {_IS_OF}")
_EACH_OF_LETTERS = re.compile(
    r"(?:each |every |all )?(?:of )?(?:the )?(?:strings?|words?|characters?|letters?|elements?) (?:(?:of|in) )?(?P<names>[\w\[\], ]+?) "
    rf"{_IS_OF}"
)


def _letters(reader: ClauseReader, clause: str) -> bool:
    """`s consists of lowercase English letters`, `nums[i] is either 0 or 1`."""
    matches = filter(None, (pattern.fullmatch(clause) for pattern in (_OF_LETTERS, _EACH_OF_LETTERS)))
    match, names = next(((one, found) for one in matches if (found := reader.called(one["names"]))), (None, []))
    if match is None:
        return False
    words = [name for name in names if name in reader.wording.words]
    if not words:
        return _choices(reader, names, match["what"])
    letters = alphabet(match["what"])
    if not letters or len(words) < len(names):
        return False
    for name in words:
        reader.found.letters[name] = letters
        if (
            re.search(r"\bis an? \w+[- ]?\w* (?:english )?(?:letter|character|digit)\b", f"is{match['what']}".lower())
            and reader.by_value[name].shape == "one"
        ):
            reader.found.relations += [Relation(Expression(1), "<=", Expression(f"|{name}|")),
                                       Relation(Expression(f"|{name}|"), "<=", Expression(1))]  # fmt: skip
    return True


def _choices(reader: ClauseReader, names: Sequence[str], what: str) -> bool:
    """`is either 0, 1 or 2`: whole numbers one after another; `is an integer`."""
    if re.fullmatch(r" (?:an )?(?:positive )?integers?", what) and "positive" not in what:
        return True
    if re.fullmatch(r" (?:an )?(?:positive |non-?zero )integers?", what) and "zero" not in what:
        reader.found.relations += [Relation(Expression(1), "<=", Expression(name)) for name in names]
        return True
    said = re.fullmatch(
        r"(?: of)?(?: only)?(?: either)? ((?:-?\d+)(?:(?:,? or |,? and |, )(?:-?\d+))*)(?: only)?", what
    )
    between = re.fullmatch(
        r" (?:in the range|between|in) ?\[?(-?[\w^*+ -]+?)(?:, | and | to )(-?[\w^*+ -]+?)\]?(?: inclusive)?", what
    )
    if between:
        low, high = expression(between[1]), expression(between[2])
        known = reader.wording.names | reader.wording.lengths
        if low is None or high is None or not (low.names | high.names) <= known:
            return False
        for name in names:
            reader.found.relations += [Relation(low, "<=", Expression(name)), Relation(Expression(name), "<=", high)]
        return True
    if said is None:
        return False
    values = sorted(map(int, re.findall(r"-?\d+", said[1])))
    if values != list(range(values[0], values[-1] + 1)):
        reader.found.choices.update({name: tuple(map(str, values)) for name in names})
    for name in names:
        reader.found.relations += [Relation(_number(values[0]), "<=", Expression(name)),
                                   Relation(Expression(name), "<=", _number(values[-1]))]  # fmt: skip
    return True


def _number(value: int) -> Expression:
    return Expression(value if value >= 0 else ("-", 0, -value))


_READERS = (
    argument_facts.different, argument_facts.ordered, argument_facts.permutation, argument_facts.divisible, argument_facts.total,
    tree_facts, argument_facts.graph, argument_facts.leading_zeros, argument_facts.spaces, argument_facts.exactly_one, _letters,
)  # fmt: skip
