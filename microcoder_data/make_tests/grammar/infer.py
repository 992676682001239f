"""Infer the grammar of a problem's inputs from its statement and the inputs that are known.

    grammar = infer(row)          # raises Unclear: a sentence that cannot be read, or a known input that does not fit

The statement's sentences give the lines, their counts, names and bounds; the known inputs decide between readings, and
the grammar must allow all of them. If the statement gives no bound, a value stays within what the known inputs show.
A clause that restricts the input and that no reader understands raises Unclear: a wrong input is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Any

from microcoder_data.make_tests.grammar import line_bounds
from microcoder_data.make_tests.grammar.contents import Described, Unclear
from microcoder_data.make_tests.grammar.decimals import decimal_domain
from microcoder_data.make_tests.grammar.evidence import with_evidence
from microcoder_data.make_tests.grammar.expression import Expression, Relation, expression, plain
from microcoder_data.make_tests.grammar.facts import Fact
from microcoder_data.make_tests.grammar.fitting import Cursor, Fitting
from microcoder_data.make_tests.grammar.grammar import Domain, Grammar, Total, instances
from microcoder_data.make_tests.grammar.infer_call import infer_call
from microcoder_data.make_tests.grammar.infer_shared import LONGEST_KNOWN, MOST_KNOWN, assumed, unread_promises
from microcoder_data.make_tests.grammar.layout import (
    LONGEST_NUMBER,
    Block,
    Layout,
    Line,
    Listed,
    Misfit,
    Scalar,
    Tree,
    Words,
    names_of,
    read,
)
from microcoder_data.make_tests.grammar.letters import letters_in, letters_shown, listed_words
from microcoder_data.make_tests.grammar.restrictions import (
    Fields,
    Restrictions,
    read_restrictions,
    structures_in,
)
from microcoder_data.make_tests.grammar.sentences import line_groups, sentences
from microcoder_data.process.exponents import has_doubtful_bounds
from microcoder_data.schema import Row


def known_inputs(row: Row) -> list[str]:
    """The different inputs of a row's samples and tests in canonical form, the shortest ones."""
    texts = [
        item["input"] for item in [*(row["samples"] or []), *row["tests"]] if item["input"] and not item.get("ref")
    ]
    cleaned = dict.fromkeys(canonical(text) for text in texts if len(text) <= LONGEST_KNOWN)
    return sorted(cleaned, key=len)[:MOST_KNOWN]


def canonical(text: str) -> str:
    """The input in canonical form: `\\n` ends each line, without spaces at line ends and empty lines at the end."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).rstrip("\n") + "\n"


LONGEST_SENTENCE = 2000
"""A longer sentence about the input is no statement's: reading it would take seconds."""
LONGEST_STATEMENT = 100_000


def _refuse_endless(row: Row) -> None:
    """Raise `Unclear` for texts that no person has written for a reader."""
    if len(row["statement"] or "") > LONGEST_STATEMENT:
        raise Unclear(f"the statement has more than {LONGEST_STATEMENT} characters")
    for text in (row["input_format"], row["constraints"]):
        longest = max(map(len, re.split(r"\n|(?<=[.;])\s", text or "")))
        if longest > LONGEST_SENTENCE:
            raise Unclear(f"a sentence about the input has {longest} characters")


def infer(row: Row) -> Grammar:
    """The grammar of a row's inputs; raises `Unclear`."""
    _refuse_endless(row)
    if row["kind"] == "call":
        return infer_call(row)
    known = known_inputs(row)
    if row["kind"] != "stdin" or not known:
        raise Unclear("no known input" if row["kind"] == "stdin" else "it is no problem of kind stdin")
    if has_doubtful_bounds(row):
        raise Unclear("an exponent of its bounds may be lost")
    if not row["input_format"]:
        raise Unclear("no part of the statement describes the input")
    groups, others = line_groups(row["input_format"])
    if not groups:
        raise Unclear("no sentence describes a line of the input")
    statement = "\n\n".join(filter(None, [row["statement"], row["input_format"], row["constraints"], row["notes"]]))
    fitting = Fitting(statement)
    cursors = [Cursor(text.removesuffix("\n").split("\n")) for text in known]
    layout = fitting.fit(groups, cursors)
    if any(cursor.at != len(cursor.lines) for cursor in cursors):
        raise Unclear("a known input has more lines than the statement describes")
    return _grammar_over(row, layout, fitting.described, others, known, statement)


def _grammar_over(
    row: Row,
    layout: Layout,
    described: Mapping[str, Described],
    others: list[str],
    known: Sequence[str],
    statement: str,
) -> Grammar:
    """The grammar over a layout: kinds and letters from the known inputs, bounds and facts from the statement."""
    trees = [_read_known(text, layout) for text in known]
    values: dict[str, list[Any]] = {name: [] for name in described}
    for tree in trees:
        for line in instances(tree, layout):
            for name, value in line.items():
                if name:
                    values[name] += value if isinstance(value, list) else [value]
    words = frozenset(name for name, found in values.items() if any(isinstance(value, str) for value in found)
                      or (described[name].length is not None and found))  # fmt: skip
    if words:
        trees = [_read_known(text, layout, words) for text in known]
        for name in words:
            values[name] = [str(value) for tree in trees for line in instances(tree, layout) if name in line
                            for value in (line[name] if isinstance(line[name], list) else [line[name]])]  # fmt: skip
    if any(re.fullmatch(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?", value) for name in words for value in values[name]):
        raise Unclear("it has numbers with a decimal point in a form that no reader knows")
    for name in words:
        if _LONG_NUMBERS.search(" ".join(values[name])) and not _NO_NUMBER.search(described[name].text):
            raise Unclear(f"{name} has whole numbers of {LONGEST_NUMBER} digits or more")
    fields = Fields(described, words, tuple(_pairs(layout, words)), frozenset(_repeated(layout)))
    for one in described.values():
        if re.search(r"\bnumber of (?:different|distinct|unique)\b", one.text):
            raise Unclear(f"a number follows from the rest of the input: {one.text!r}")
    inline = [
        text for one in dict.fromkeys(one.text for one in described.values()) for text in line_bounds.formulas(one)
    ]
    clauses = [*sentences(row["constraints"] or ""), *others, *inline]
    clauses, aliases = _with_lengths_replaced(clauses, fields, layout)
    fields = replace(fields, described={**described, **aliases})
    found = read_restrictions(clauses, fields)
    found.relations = _with_names_resolved(found.relations, fields, layout)
    found.relations += line_bounds.of_repeated_names(described, found.relations, words)
    found.relations += line_bounds.in_words(described, words)
    found.structures |= structures_in(row["statement"] or "")
    found.unread += unread_promises(sentences(row["statement"] or ""), fields)
    if found.unread:
        raise Unclear(f"the statement says of the input what no reader knows: {found.unread[0]!r}")
    _add_facts_of_lines(described, fields, found)
    _add_bounds_of_numbering(row["statement"] or "", fields, found)
    grammar = Grammar(
        layout,
        {name: _domain(name, described[name], values[name], found, words, statement, row) for name in described},
        tuple(dict.fromkeys(found.relations)),
        tuple(dict.fromkeys(found.facts)),
        tuple(Total(of, most) for of, most in found.totals),
    )
    grammar = with_evidence(grammar, trees, fields, found, statement)
    for text in known:
        if fault := grammar.fault(text):
            raise Unclear(f"a known input contradicts the statement: {fault}")
    return replace(grammar, assumed=tuple(assumed(grammar)))


_LONG_NUMBERS = re.compile(rf"^(?=.*\d{{{LONGEST_NUMBER}}})(?:-?(?:0|[1-9]\d*) ?)+$")
_NO_NUMBER = re.compile(r"\b(?:strings?|words?|digits?|letters?|characters?|symbols?|bits)\b")


def _read_known(text: str, layout: Layout, words: frozenset[str] = frozenset()) -> Tree:
    try:
        return read(text, layout, words)
    except Misfit as fault:
        raise Unclear(f"a known input does not fit: {fault}") from None


def _pairs(layout: Layout, words: frozenset[str]) -> Iterable[tuple[str, str]]:
    """The first two numbers of every repeated line."""
    for node in layout:
        if not isinstance(node, Block):
            continue
        for inner in node.body:
            if isinstance(inner, Line) and len(inner.forms) == 1:
                numbers = [part.name for part in inner.forms[0] if isinstance(part, Scalar) and part.name not in words]
                if len(numbers) >= 2:
                    yield numbers[0], numbers[1]
        yield from _pairs(tuple(n for n in node.body if isinstance(n, Block)), words)


def _repeated(layout: Layout) -> Iterable[str]:
    """The names of which an input has several values: lists, and all on repeated lines."""
    for node in layout:
        if isinstance(node, Block):
            yield from names_of(node.body)
        else:
            yield from (part.name for form in node.forms for part in form if isinstance(part, (Listed, Words)))


def _with_lengths_replaced(
    clauses: list[str], fields: Fields, layout: Layout
) -> tuple[list[str], dict[str, Described]]:
    """The clauses with the length of a word in place of a name that no value has.

    In `the melody has n notes, 1 ≤ n ≤ 100`, `n` becomes `|melody|`. Only if there is one such name, and one word
    without a length.
    """
    free = [name for name in fields.words if fields.described[name].length is None]
    text = plain(" ; ".join(clauses))
    unknown = {
        match for match in re.findall(r"(?<![\w|])([A-Za-z])(?![\w|'-])(?=\s*(?:<=|<|,|\*))", text)
        if match not in fields.described and re.search(rf"(?:<=|<)[^;]*\b{match}\b|\b{match}\b[^;]*(?:<=|<)", text)
    }  # fmt: skip
    if len(unknown) != 1 or len(free) != 1:
        return clauses, {}
    (name,), (word,) = unknown, free
    named = rf"(?<![\w|_]){name}(?![\w|'-])"
    clauses = [re.sub(rf"\b(?:the )?\w+ has {named} \w+,?", "", plain(clause)) for clause in clauses]
    return [re.sub(named, f"|{word}|", clause) for clause in clauses], {}


def _with_names_resolved(stated: list[Relation], fields: Fields, layout: Layout) -> list[Relation]:
    """The relations over names of values: in `0 ≤ h_ij ≤ 9`, `h` stands for the only values without a bound."""
    have = set(fields.described) | {f"|{name}|" for name in fields.words} | {"i"}
    unknown = sorted({name for relation in stated for name in relation.names} - have)
    bounded = {name for relation in stated for name in relation.names}
    free = [name for name in fields.described if name not in bounded and name not in fields.words]
    for name in unknown:
        alike = [
            one for one in free if one[:1] == name[:1] or (fields.described[one].nouns or " ")[0][0] == name[0]
        ] or free
        if len(alike) != 1:
            raise Unclear(f"the statement bounds {name}, and it is not clear where that stands")
        stated = [Relation(r.left.renamed(name, alike[0]), r.op, r.right.renamed(name, alike[0])) for r in stated]
    return stated


def _add_facts_of_lines(described: Mapping[str, Described], fields: Fields, found: Restrictions) -> None:
    """Add the facts in the descriptions of lines: different values, an order, a permutation.

    Raises `Unclear` if several values stand on repeated lines that are said to be in an order.
    """
    for text in dict.fromkeys(one.text for one in described.values()):
        names = [name for name, one in described.items() if one.text == text]
        listed = [name for name in names if described[name].listed]
        shown = plain(text)
        if re.search(r"\b(?:different|distinct)\b", shown):
            if listed:
                found.facts += [Fact("distinct", (name,)) for name in listed]
            elif len(names) == 1 and names[0] in fields.repeated:
                found.facts.append(Fact("distinct", (names[0],)))
            elif len(names) >= 2:
                found.relations.append(Relation(Expression(names[0]), "!=", Expression(names[1])))
        order = re.search(r"\b[A-Za-z]+_?\d+ (<=|<|>=|>) .*\.\.\.", shown)
        if order and listed:
            kind = {"<=": "rises", "<": "rises strictly", ">=": "falls", ">": "falls strictly"}[order[1]]
            found.facts += [Fact(kind, (name,)) for name in listed]
        sort = re.search(
            r"\bin (strictly )?(non-decreasing|increasing|ascending|non-increasing|decreasing|descending) order\b",
            shown,
        )
        if sort:
            kind = "falls" if sort[2] in ("non-increasing", "decreasing", "descending") else "rises"
            strictly = bool(sort[1] or sort[2] in ("increasing", "decreasing"))
            repeated = [name for name in names if name in fields.repeated]
            if not listed and len(repeated) > 1:
                raise Unclear(f"it is not clear what is in order: {text!r}")
            found.facts += [Fact(f"{kind} strictly" if strictly else kind, (name,)) for name in listed or repeated]
            if not repeated:
                found.relations += [
                    Relation(Expression(low), "<" if strictly else "<=", Expression(high))
                    for low, high in pairwise(names if kind == "rises" else names[::-1])
                ]
        if re.search(r"\bpermutation\b", shown) and listed:
            found.facts += [Fact("permutation", (name,)) for name in listed]


_NUMBERED = re.compile(
    r"\b([a-z]+s)\b(?:[^.;:()]{0,40}?\b(?:are|is|were)? ?(?:numbered|labell?ed|indexed|have the numbers)"
    r"(?: from| with)?(?: the (?:numbers|integers))?)? (\d+) (?:to|through) ([A-Za-z](?: [-+] \d+)?)(?!\w)"
)


def _add_bounds_of_numbering(story: str, fields: Fields, found: Restrictions) -> None:
    """Add bounds for values without one: `the towns are numbered from 1 to n`, `towns 1 to n`."""
    for noun, low, high in _NUMBERED.findall(" ".join(plain(story).lower().split())):
        names = {name.lower(): name for name in fields.described}
        least, most = expression(low), expression(high)
        if least is None or most is None or not most.names <= names.keys():
            continue
        for name in most.names:
            most = most.renamed(name, names[name])
        bounded = {relation.right.name for relation in found.relations if relation.op != "!="}
        for name in fields.all_called(noun):
            if name not in bounded and name not in fields.words and name not in most.names:
                found.relations += [Relation(least, "<=", Expression(name)), Relation(Expression(name), "<=", most)]


def _domain(
    name: str,
    described: Described,
    values: list[Any],
    found: Restrictions,
    words: frozenset[str],
    statement: str,
    row: Row,
) -> Domain:
    if name not in words:
        if any(isinstance(value, Decimal) for value in values):
            return decimal_domain(values, found.places.get(name, 0))
        numbers = [value for value in values if type(value) is int]
        return Domain("int", seen=(min(numbers, default=0), max(numbers, default=0)))
    used = set("".join(values))
    seen = min(map(len, values), default=0), max(map(len, values), default=0)
    if listed := listed_words(described.text, row["input_format"] or ""):
        if not set(values) <= set(listed):
            raise Unclear(f"{name} has a value in a known input that the statement does not list")
        return Domain("word", choices=listed, seen=seen)
    spans = {code or math for code, math in re.findall(r"`([^`]+)`|\$([^$]+)\$", statement)}
    if seen[1] <= 3 and set(values) <= spans and len(set(values)) <= 8 and described.length is None:
        return Domain("word", choices=tuple(sorted(set(values))), seen=seen)
    stated = found.letters.get(name) or letters_in(plain(described.text))
    if not stated or not used <= set(stated):
        if stated and name in found.letters:
            raise Unclear(f"{name} has letters in a known input that the statement excludes")
        stated = letters_shown(described, used, row, statement)
    return Domain("word", letters=stated, length=described.length, seen=seen)
