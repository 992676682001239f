"""Read what the clauses of a statement demand of an input: bounds, letters, lengths, facts; and what cannot be read.

    found = read_restrictions(["1 ≤ n ≤ 10^5", "each price is an integer from 1 to 10^6"], fields)
    found.unread        # clauses that restrict the input and that no reader here understands

No inputs may be made if a restriction is unread. Permissions ("may be equal") restrict nothing.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from microcoder_data.make_tests.grammar.contents import Described
from microcoder_data.make_tests.grammar.decimals import stated_places
from microcoder_data.make_tests.grammar.expression import Expression, Relation, base_name, expression, plain, relations
from microcoder_data.make_tests.grammar.facts import Fact
from microcoder_data.make_tests.grammar.items import singular
from microcoder_data.make_tests.grammar.letters import CASE, letters_in, without_letters
from microcoder_data.make_tests.grammar.line_bounds import without_absolute_value
from microcoder_data.make_tests.grammar.sentences import NUMBERS

_SIGNAL = re.compile(
    r"\b(?:must|exactly|only|distinct|different|differs?|at least|at most|always|guarantee\w*|never|sorted|order(?:ed)?|"
    r"(?:in|de)creasing|ascending|descending|connected|trees?|permutations?|valid|no|not|nobody|none|without|sum|total|"
    r"together|if|unless|answers?|prime|even|odd|divisible|multiples?|less|greater|larger|smaller|more|fewer|equal|"
    r"unique|same|overlap\w*|intersect(?:s|ed|ing)?|cross\w*|touch\w*|inside|cycles?|reach\w*|every|leading|trailing|"
    r"parallel|convex|palindrom\w*|balanced|exceed\w*|limit\w*|once|twice|exists?)\b",
    re.IGNORECASE,
)
_PERMISSION = re.compile(
    r"\b(?:may|might|can)\b(?! (?:only|not)\b)|\b(?:in )?(?:any|no particular|arbitrary|either) order\b|\bnot necessarily\b|"
    r"\bseveral times\b"
)
_IN_ORDER = re.compile(
    r",? in (?:the )?order(?: (?:in which )?they \w+(?: (?:to|at|in|on) the(?: \w+){1,2}?)?)?(?=$|[,.;])"
)
_IN_OTHER_WORDS = re.compile(r"\b(?:that is|i\.e\.|in other words),?\s*(?:and\s*)?$")
_AGREED = re.compile(
    r"^(?:(?:[Yy]ou|[Ww]e) (?:may|can)(?: also| safely)? (?:safely )?assume|"
    r"[Ii]t (?:is|can be|may be)(?: also| further)? (?:guaranteed|known|assumed)|[Aa]ssume)(?: that)?,? "
)
"""How a promise about the input begins. The rest is the promise, whatever its words are."""
_LIST_FOLLOWS = re.compile(r"\bone of(?: the following)?(?: [a-z]+)?:?$")
"""The words that follow are read as what a value may be: `listed_words`."""
_YOU_MUST = re.compile(
    r"\b(?:[Yy]ou|your program|your solution) (?:must|should|have to|need to)(?! (?:assume|expect)\b)"
)
"""A demand on the solver restricts no input."""
_TASK = re.compile(
    r"(?:[Yy]our task is to|[Yy]ou (?:must|should|have to|need to|are to)) "
    r"(?:compute|calculate|print|output|find|determine|report|write)\b"
)
"""How a sentence begins that says what to print."""
_SEPARATED = re.compile(r"^[^.]*\bseparated by (?:a )?(?:single )?(?:spaces?|blanks?)$")
_MEANING = re.compile(r"\b(?:denot\w+|represent\w*|indicat\w+|stands? for|means|is an? `[^`]`)(?!\w)")
_IN_MEANINGS = frozenset({"if", "without", "every", "none", "reaching", "limit"})
"""Words of `_SIGNAL` that restrict nothing in a sentence that says what a letter means."""
_FOLLOWS = re.compile(r"^(?:[\w`$]+ ){0,3}(?:thus|hence|therefore|consequently)\b", re.IGNORECASE)
"""How a sentence begins that follows from others: it restricts nothing more."""
_DEFINED = re.compile(
    r"(?:where |here,? |and )?(?P<name>[A-Za-z]\w*) (?:(?:is|denotes?|gives?|stands? for|means) )?(?:the|an?) [^.;<>=]+",
    re.IGNORECASE,
)
"""What a value stands for: `k is the number of throws`."""
_OBLIGES = re.compile(r"\b(?:must|exactly|only|guarantee\w*|never|always)\b")
_FILLER = re.compile(
    r"\b(?:and|where|for|each|all|every|with|the|is|are|an?|integers?|numbers?|constraints?|in|input|values?|of|also|"
    r"whole|it|holds?|that|then|here)\b|[^\w?]",
    re.IGNORECASE,
)
_EXPRESSION = r"[-+*^()|\w\s]+?"
_LETTER_WORDS = r"(?:letters?|characters?|digits?|symbols?|notes|chars?|words?)"


@dataclass
class Restrictions:
    """What was read from the clauses."""

    relations: list[Relation] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    totals: list[tuple[Expression, int]] = field(default_factory=list)
    letters: dict[str, str] = field(default_factory=dict)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    """How many digits a decimal number may have after the point."""
    structures: set[str] = field(default_factory=set)
    """What the statement says of graphs: tree, connected, acyclic. The known inputs must show which values are meant."""
    permitted: str = ""
    """The permissions, in the statement's words."""
    unread: list[str] = field(default_factory=list)
    """Clauses that restrict the input and that no reader here understands."""


@dataclass(frozen=True)
class Fields:
    """The values of an input by name, and which of them a noun means."""

    described: Mapping[str, Described]
    words: frozenset[str]
    """The names of the values that are words, not numbers."""
    pairs: tuple[tuple[str, str], ...] = ()
    """The first two numbers of every repeated line."""
    repeated: frozenset[str] = frozenset()
    """The names of which an input has several values."""

    def called(self, noun: str) -> list[str]:
        """The names of the values that a noun means: those with this head noun, else those with it among their nouns."""
        if noun in self.described:
            return [noun]
        wanted = singular(noun.lower())
        heads = [name for name, words in self.described.items() if words.nouns[:1] == (wanted,) or name == wanted]
        found = heads or [name for name, words in self.described.items() if wanted in words.nouns]
        if not found and wanted in ("word", "string", "name", "text") and len(self.words) == 1:
            return list(self.words)
        return found

    def all_called(self, noun: str) -> list[str]:
        """The names of all values that have the noun among their nouns."""
        wanted = singular(noun.lower())
        return [name for name, words in self.described.items() if wanted in words.nouns]

    def counting(self, noun: str) -> list[str]:
        """The names of the numbers that count what the noun means."""
        return [name for name, words in self.described.items() if singular(noun.lower()) in words.counts]

    def quantity(self, name: str) -> Expression:
        """The number that a bound of this value restricts: the value itself, or the length of a word."""
        return Expression(f"|{name}|" if name in self.words else name)


def read_restrictions(clauses: Iterable[str], fields: Fields) -> Restrictions:
    """Read every clause. Clauses that restrict the input and cannot be read are in `unread`."""
    found = Restrictions()
    for clause in clauses:
        for part in re.split(r"(?<!\d);\s*", clause):
            if part.strip():
                _read_clause(part.strip().rstrip(".,"), fields, found)
    return found


def _read_clause(clause: str, fields: Fields, found: Restrictions) -> None:
    index = {"i"} if "i" not in fields.described and re.search(r"\w_\{?i\b", clause) else set()
    whole, agreed = clause, None if _LIST_FOLLOWS.search(clause) else _AGREED.match(clause)
    clause = clause[agreed.end() :] if agreed else clause
    stated, rest = relations(clause, set(fields.described) | index)
    numbers = fields.described.keys() - fields.words
    found.relations += [
        one for relation in stated for one in without_absolute_value(_with_lengths_of_words(relation, fields), numbers)
    ]
    rest = _IN_ORDER.sub("", rest.strip())
    if not _FILLER.sub("", rest).strip() or (stated and _IN_OTHER_WORDS.search(rest)) or _SEPARATED.search(rest):
        return
    if _TASK.match(clause):
        return
    unread_part = _YOU_MUST.sub("", rest if stated else _IN_ORDER.sub("", clause))
    for reader in _READERS:
        left = reader(unread_part, fields, found)
        if left is not None:
            unread_part = left
            if not _SIGNAL.search(unread_part):
                return
    if _MEANING.search(unread_part) and set(map(str.lower, _SIGNAL.findall(unread_part))) <= _IN_MEANINGS:
        return
    if (_FOLLOWS.match(unread_part) or _is_definition(unread_part, fields)) and not _OBLIGES.search(unread_part):
        return
    if _PERMISSION.search(unread_part) and not _OBLIGES.search(unread_part):
        found.permitted += f" {unread_part}"
        return
    if agreed or re.search(r"[<>=]", plain(unread_part)) or _SIGNAL.search(unread_part):
        found.unread.append(whole)


def _is_definition(clause: str, fields: Fields) -> bool:
    """Whether a clause only says what single numbers stand for: `n is the number of throws, k the number of sides`.

    Where the input has lists or words, `the number of different values` follows from these.
    """
    if fields.words or fields.repeated or not re.search(r" (?:is|denotes?|means|stands? for) ", clause):
        return False
    parts = [_DEFINED.fullmatch(part.strip()) for part in re.split(r",(?: and)?\s|\sand\s", plain(clause))]
    return all(part is not None and part["name"] in fields.described for part in parts)


def _with_lengths_of_words(relation: Relation, fields: Fields) -> Relation:
    """The relation with the lengths of words instead of the words."""

    def of(tree: object) -> object:
        if isinstance(tree, tuple):
            return (tree[0], *map(of, tree[1:]))
        return f"|{tree}|" if tree in fields.words else tree

    return Relation(Expression(of(relation.left.tree)), relation.op, Expression(of(relation.right.tree)))


def _add_bounds(
    found: Restrictions, fields: Fields, names: list[str], low: Expression | None, high: Expression | None
) -> None:
    for name in names:
        own = fields.quantity(name)
        if low is not None:
            found.relations.append(Relation(low, "<=", own))
        if high is not None:
            found.relations.append(Relation(own, "<=", high))


def _range(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`each price is an integer from 1 to 10^6`, `heights and levels are between 0 and 9`, `towns are numbered 1 to n`."""
    match = re.search(
        rf"\b(?:each|every|all|the|any)?(?: of the)? ?(?P<nouns>[a-z][a-z -]*?|\w+) (?:is|are|is given as|will be) (?:all )?"
        rf"(?:an? |also )?(?:whole |positive |non-negative |non-zero )?(?:numbered|integers?|numbers?|given|)(?: numbers?| and lie)?,? ?"
        rf"(?:from|between|in the range(?: from)?|in) \[?(?P<low>{_EXPRESSION}) ?(?:to|and|,|\.\.\.?) ?(?P<high>{_EXPRESSION})\]?"
        rf"(?= *(?:$|[,.;)]|\band\b|\bin\b|\bfrom\b|\bfor\b|inclusive))",
        plain(clause),
    )
    if match is None:
        return None
    low, high = expression(match["low"]), expression(match["high"])
    nouns = [
        word for part in re.split(r",| and ", match["nouns"]) if (word := part.split()[-1] if part.split() else "")
    ]
    names = [name for noun in nouns for name in fields.called(base_name(noun))]
    if low is None or high is None or not (low.names | high.names) <= set(fields.described):
        return None
    if not names and re.search(r"\ball\b", clause):
        bounded = {relation.right.name for relation in found.relations}
        names = [name for name in fields.described if name not in fields.words and name not in bounded]
    if not names:
        return None
    _add_bounds(found, fields, list(dict.fromkeys(names)), low, high)
    return plain(clause)[: match.start()] + plain(clause)[match.end() :]


def _lengths(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`a colour has 1 to 8 letters`, `each pile has 1 to 10^18 stones`, `every word has at least one letter`."""
    match = re.search(
        rf"\b(?:an?|each|every|the|all|its)? ?(?:\w+ )??(?P<noun>\w+) (?:will )?(?:has|have|consists? of|contains?|is|are) "
        rf"(?:(?:at least |between )?(?P<low>{_EXPRESSION}) (?:to|and)(?: at most)? (?P<high>{_EXPRESSION})|at least (?P<least>\w+)|at most (?P<most>{_EXPRESSION})|(?P<exact>\w+)) "
        rf"(?:{CASE})?,? ?(?:english |latin )?(?P<unit>[a-z]+)",
        plain(clause),
    )
    if match is None:
        return None
    names = fields.called(match["noun"])
    counted = match["low"] is None and not re.fullmatch(_LETTER_WORDS, match["unit"])
    if not names or (counted and any(name in fields.words for name in names)):
        return None
    given = {key: _number(match[key]) for key in ("low", "high", "least", "most", "exact")}
    low, high = given["low"] or given["least"] or given["exact"], given["high"] or given["most"] or given["exact"]
    if low is None and high is None:
        return None
    _add_bounds(found, fields, names, low, high)
    _add_letters(match[0], names, fields, found)
    return plain(clause)[: match.start()] + plain(clause)[match.end() :]


def _length_of(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`the length of S is at least 1 and at most 10^6`, `the length of each word is between 1 and 20`."""
    match = re.search(
        rf"(?:\b[Tt]he length of (?:the |each |every )?(?:strings? |words? )?(?P<noun>\w+) is|"
        rf"\b(?:[Tt]he|[Ee]ach|[Ee]very|[Aa]ll) (?P<owner>\w+) (?:has|have) (?:an? )?length) (?:(?:at least|between|from) "
        rf"(?P<low>{_EXPRESSION}) (?:and|to)(?: at most)? (?P<high>{_EXPRESSION})|at most (?P<most>{_EXPRESSION}))(?=$|[,.;])",
        plain(clause),
    )
    called = fields.called(match["noun"] or match["owner"]) if match else []
    names = [name for name in called if name in fields.words]
    if match is None or not names:
        return None
    low, high = expression(match["low"] or ""), expression(match["high"] or match["most"])
    if high is None or not high.names <= set(fields.described) or (match["low"] and low is None):
        return None
    _add_bounds(found, fields, names, low, high)
    return plain(clause)[: match.start()] + plain(clause)[match.end() :]


def _number(text: str | None) -> Expression | None:
    if text is None:
        return None
    word = text.strip().lower()
    found = expression(str(NUMBERS[word]) if word in NUMBERS else word)
    return found if found is not None and not found.names else None


def _letters(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`s consists of small letters`, `words are made of the letters a to z`."""
    text = plain(clause)
    match = re.search(
        r"\b(?:an?|each|every|the|all)? ?(?:(?:strings?|words?) )?(?P<noun>(?!will\b)\w+) (?:will )?(?:only |solely )?(?:consists?|is made|are made|is|are|contains?)"
        r"(?: only| solely)?(?: up)?(?: of)?(?: only)?(?: the)? (?P<what>.*)", text
    )  # fmt: skip
    if match is None:
        return None
    names = [name for name in fields.called(base_name(match["noun"])) if name in fields.words]
    if not names and match["noun"] in ("strings", "words", "names", "string"):
        names = sorted(fields.words)
    if not names or not _add_letters(match["what"], names, fields, found):
        return None
    return without_letters(match["what"])


def _add_letters(text: str, names: list[str], fields: Fields, found: Restrictions) -> bool:
    letters = letters_in(text)
    if not letters and re.search(r"\bdigits\b", text):
        letters = string.digits
    for name in names:
        if name in fields.words and letters:
            found.letters[name] = letters
    return bool(letters)


_DIFFERENT_PAIRS = re.compile(
    r"\bno two \w+ (?:have the same \w+ and the same \w+|(?:are|have|share|lie|stand)(?: at| on| in)? the same "
    r"(?:locations?|positions?|points?|coordinates?|place|spot))\b|"
    r"\bno (?:\w+ )?pairs?(?: of \w+)? (?:will )?(?:occurs?|appears?|is listed) (?:twice|more than once)\b|"
    r"\bno duplicate (?:points|pairs|positions|locations|coordinates)\b|"
    r"\bat (?:pairwise )?(?:distinct|different) (?:coordinates|positions|locations|points)\b",
    re.IGNORECASE,
)


def _different(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`a and b are different`, `all points are distinct`, `nobody is his own rival`, `no two have the same a and b`."""
    text = plain(clause)
    if re.search(r"\b(?:nobody|no \w+) is (?:his|her|its|their) own\b|\bno (?:self-)?loops?\b|\bto itself\b", text):
        found.relations += [Relation(Expression(a), "!=", Expression(b)) for a, b in fields.pairs]
        return "" if fields.pairs else None
    if _DIFFERENT_PAIRS.search(text) and len(fields.pairs) == 1:
        found.facts.append(Fact("distinct", fields.pairs[0]))
        return ""
    match = re.search(r"\b(\w+) and (\w+) are (?:always )?(?:different|distinct|not equal)\b", text)
    if match and {match[1], match[2]} <= fields.described.keys():
        found.relations.append(Relation(Expression(match[1]), "!=", Expression(match[2])))
        return text.replace(match[0], "")
    match = re.search(
        r"\b(?:all|the)?(?: the)? ?(\w+) (?:is|are) (?:all |pairwise |mutually )?(?:distinct|different|unique)\b", text
    )
    if match and (names := fields.called(base_name(match[1]))):
        found.facts += [Fact("distinct", (name,)) for name in names]
        return text.replace(match[0], "")
    return None


_POINTS_DIFFER = re.compile(r"\((\w+), ?(\w+)\) ?!= ?\((\w+), ?(\w+)\)")


def _points_differ(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`(x_1, y_1) ≠ (x_2, y_2)`: the distance of two points is not zero."""
    text = plain(clause)
    match = _POINTS_DIFFER.search(text)
    numbers = fields.described.keys() - fields.words
    names = list(match.groups()) if match else []
    if match is None or not set(names) <= numbers:
        return None
    a, b, c, d = names
    distance = expression(f"({a} - {c}) * ({a} - {c}) + ({b} - {d}) * ({b} - {d})")
    assert distance is not None
    found.relations.append(Relation(Expression(1), "<=", distance))
    return text.replace(match[0], "")


_IN_AN_ORDER = re.compile(
    r"(?P<of>[\w' -]*?)(?: (?:is|are))?(?: given| listed)? in (strictly )?(non-decreasing|increasing|ascending|"
    r"non-increasing|decreasing|descending) order\b"
)


def _repeated_called(phrase: str, fields: Fields) -> list[str]:
    """The only repeated value that a word of a phrase means, the last such word; or the only one of the input."""
    if len(fields.repeated) == 1:
        return list(fields.repeated)
    for word in reversed(phrase.split()):
        names = [name for name in fields.called(base_name(word)) if name in fields.repeated]
        if names:
            return names if len(names) == 1 else []
    return []


def _ordered(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`the prices are sorted`, `in increasing order`, `a_1 ≤ a_2 ≤ ... ≤ a_n`."""
    text = plain(clause)
    if match := re.search(r"\b([A-Za-z]+?)_?\d+ (<=|<|>=|>) .*\.\.\. (?:\2) \1", text):
        kind = {"<=": "rises", "<": "rises strictly", ">=": "falls", ">": "falls strictly"}[match[2]]
        names = fields.called(match[1])
        found.facts += [Fact(kind, (name,)) for name in names]
        before = text[: match.start()]
        return None if not names else "" if _IN_OTHER_WORDS.search(before) else before
    match = re.search(
        r"\b(\w+) (?:is|are)(?: given| listed)? (?:sorted|in (strictly )?(non-decreasing|increasing|ascending|non-increasing|"
        r"decreasing|descending) order)", text
    )  # fmt: skip
    names = fields.called(base_name(match[1])) if match else []
    if not names:
        match = _IN_AN_ORDER.search(text)
        names = _repeated_called(match["of"], fields) if match else []
    if match is None or not names:
        return None
    strictly = match[2] or match[3] in ("increasing", "decreasing")
    kind = "falls" if match[3] in ("non-increasing", "decreasing", "descending") else "rises"
    found.facts += [Fact(f"{kind} strictly" if strictly else kind, (name,)) for name in names]
    return text.replace(match[0], "")


def _sums(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`the sum of n over all test cases does not exceed 10^5`, `at most 6000 athletes over all events`."""
    text = plain(clause)
    match = re.search(
        rf"\bsum of (?:all )?(?:the )?(?:values of )?(?P<of>{_EXPRESSION}) (?:over|across|for|in) all (?:the )?(?:test ?cases|tests|\w+) "
        rf"(?:does not exceed|doesn't exceed|do not exceed|is at most|is not greater than|will not exceed|<=) (?P<most>{_EXPRESSION})$",
        text,
    )  # fmt: skip
    if match is None:
        match = re.search(r"\bat most (?P<most>[\d^* ]+) (?P<of>\w+) (?:over|across|in) all\b", text)
    if match is None:
        return None
    most = expression(match["most"])
    of = expression(match["of"])
    if of is None or not of.names <= set(fields.described):
        names = fields.counting(match["of"]) or [n for n in fields.called(match["of"]) if n not in fields.words]
        of = Expression(names[0]) if len(names) == 1 else None
    if most is None or most.names or of is None:
        return None
    found.totals.append((of, most.value({})))
    return (text[: match.start()] + text[match.end() :]).replace("guaranteed", "")


def _letters_together(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`together they have at most 24 letters`, if the input has words under one name only."""
    match = re.search(r"\btogether (?:they|the \w+) have at most (\d+) letters\b", plain(clause))
    if match is None or len(fields.words) != 1:
        return None
    (name,) = fields.words
    found.totals.append((Expression(f"|{name}|"), int(match[1])))
    return ""


def _exactly_one(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`there is exactly one S and one T`, `there is at least one best`."""
    text = " ".join(clause.split())
    match = re.search(r"\bexactly one `(.)`(?:,? and (?:exactly )?one `(.)`)?", text)
    if match and len(fields.words) == 1:
        found.facts += [Fact("one", tuple(fields.words), text=letter) for letter in match.groups() if letter]
        return text.replace(match[0], "")
    match = re.search(r"\bat least one `(\w+)`", text)
    if match:
        found.facts.append(Fact("has", text=match[1]))
        return text.replace(match[0], "")
    return None


def structures_in(text: str) -> set[str]:
    """The structures of graphs that a text names: tree, connected, acyclic.

    >>> structures_in("there is exactly one way between any two houses"), structures_in("the graph is connected")
    ({'tree'}, {'connected'})
    """
    shown = plain(text)
    found = set()
    if re.search(
        r"\bdirectly or (?:not|indirectly)\b|\bexactly one (?:\w+ )?(?:way|path|route) between\b|\b(?:is|are|as|form|an?|rooted|undirected|weighted) trees?\b",
        shown,
    ):
        found.add("tree")
    if re.search(r"\b(?:is|are) connected\b|\bconnected (?:undirected )?graph\b", shown):
        found.add("connected")
    if re.search(
        r"\bacyclic\b|\bno (?:directed )?cycles?\b|\bDAG\b|\bnever (?:returns?|leads? back|comes? back)\b", shown
    ):
        found.add("acyclic")
    return found


def _graphs(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`the roads form a tree`; the known inputs must show which values are the edges."""
    named = structures_in(clause)
    found.structures |= named
    return "" if named else None


def _decimals(clause: str, fields: Fields, found: Restrictions) -> str | None:
    """`each price has at most two digits after the decimal point`; of all numbers, since only decimal ones show it."""
    places, rest = stated_places(clause)
    if not places:
        return None
    found.places |= dict.fromkeys(fields.described, places)
    return re.sub(
        r"\b(?:(?:will be |is |are )?(?:given|specified|written)(?: with| to| up to)?|has|have|with)\s*$",
        "",
        rest.strip(),
    )


# A reader returns the part of the clause that it did not read, or None if the clause is not its kind.
_READERS = (
    _decimals, _graphs, _sums, _exactly_one, _letters_together, _ordered, _points_differ, _different, _range, _length_of, _lengths, _letters,
)  # fmt: skip
