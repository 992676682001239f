"""Infer the grammar of a function's arguments from its signature, its constraints and the calls that are known.

    grammar = infer_call(row)          # raises Unclear

As for texts: every known call must fit, a clause of the constraints that no reader understands ends the attempt, and a
value that the constraints do not bound stays within what the known calls show.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from microcoder_data.make_tests.grammar.argument_bounds import read_constraints
from microcoder_data.make_tests.grammar.arguments import Arguments, Parameter
from microcoder_data.make_tests.grammar.contents import Described, Unclear
from microcoder_data.make_tests.grammar.decimals import decimal_domain
from microcoder_data.make_tests.grammar.evidence import with_evidence
from microcoder_data.make_tests.grammar.expression import Expression, Relation
from microcoder_data.make_tests.grammar.facts import Fact, holds
from microcoder_data.make_tests.grammar.grammar import Domain, Grammar, Total, instances
from microcoder_data.make_tests.grammar.infer_shared import LONGEST_KNOWN, MOST_KNOWN, assumed, unread_promises
from microcoder_data.make_tests.grammar.layout import Misfit, Tree, names_of
from microcoder_data.make_tests.grammar.naming import Wording, plain_clause
from microcoder_data.make_tests.grammar.restrictions import Fields, Restrictions, structures_in
from microcoder_data.make_tests.grammar.signature import Call, parameters_of
from microcoder_data.make_tests.grammar.story import answer_bits, given_part, story_of, with_the_story
from microcoder_data.make_tests.grammar.tree_facts import forms_in
from microcoder_data.process.exponents import has_doubtful_bounds
from microcoder_data.schema import Row
from microcoder_eval.arguments import parse_arguments
from microcoder_eval.errors import InputError


def known_calls(row: Row) -> list[Call]:
    """The different arguments in a row's tests, the short ones first; if there are no tests, in its samples."""
    texts = [test["input"] for test in row["tests"] if test["input"] and not test.get("ref")]
    texts = texts or [sample["input"] for sample in row["samples"] or [] if sample["input"]]
    found: dict[str, Call] = {}
    for text in sorted((text for text in texts if len(text) <= LONGEST_KNOWN), key=len):
        try:
            call = parse_arguments(text)
            found.setdefault(json.dumps(call), call)
        except (InputError, TypeError, ValueError, RecursionError):
            raise Unclear("a known call has a value that is no JSON") from None
    return list(found.values())[:MOST_KNOWN]


def infer_call(row: Row) -> Grammar:
    """The grammar of a `call` row's arguments; raises `Unclear`."""
    known = known_calls(row)
    if not known:
        raise Unclear("no known input")
    if has_doubtful_bounds(row):
        raise Unclear("an exponent of its bounds may be lost")
    if not row["constraints"]:
        raise Unclear("no part of the statement bounds the arguments")
    text = "\n".join(map(plain_clause, f"{row['statement']}\n{row['constraints']}".split("\n")))
    parameters, written = parameters_of(row, known, text)
    wording = Wording(parameters, written, row["constraints"], text)
    story = story_of(row["statement"] or "")
    bits = [many for text in (*wording.clauses, *story) if (many := answer_bits(text))]
    story = [sentence for sentence in story if not answer_bits(sentence)]
    found = read_constraints(wording, [clause for clause in wording.clauses if not answer_bits(clause)])
    arguments = Arguments(tuple(parameters), isinstance(known[0], dict), _order(parameters, found))
    try:
        trees = [arguments.tree_of(call) for call in known]
    except Misfit as misfit:
        raise Unclear(f"a known call does not fit: {misfit}") from None
    fields = Fields({name: Described((name,)) for name in sorted(wording.names)}, wording.words,
                    tuple(_pairs(parameters)), frozenset(_repeated(parameters)))  # fmt: skip
    if unread := unread_promises(map(wording.sentence, story), fields):
        raise Unclear(f"the statement says of the input what no reader knows: {unread[0]!r}")
    found.structures |= {one for said in map(given_part, story) for one in structures_in(said)}
    _of_nodes(parameters, found, story, lambda fact: all(holds(fact, tree, arguments.layout) for tree in trees))
    values = _values(arguments, trees)
    grammar = Grammar(
        arguments.layout,
        {name: _domain(name, values.get(name, []), found, parameters) for name in names_of(arguments.layout)},
        tuple(dict.fromkeys([*(one.solved for one in found.relations), *_of_booleans(parameters)])),
        tuple(dict.fromkeys(found.facts)),
        tuple(Total(of, most) for of, most in found.totals),
        arguments=arguments,
        answer_bits=min(bits, default=0),
    )
    grammar = with_the_story(grammar, trees, story)
    grammar = with_evidence(grammar, trees, fields, found, row["statement"] or "")
    for tree in trees:
        if fault := grammar.fault_of(tree):
            raise Unclear(f"a known input contradicts the statement: {fault}")
    return replace(grammar, assumed=tuple(assumed(grammar)))


def _of_nodes(
    parameters: Sequence[Parameter], found: Restrictions, story: Sequence[str], shown: Callable[[Fact], bool]
) -> None:
    """Add what is true of every binary tree, what the story says of it, and the bounds of a number inside of it."""
    trees = [one for one in parameters if one.shape == "tree"]
    if trees:  # "the root of a binary tree" means the argument, no graph
        found.structures.discard("tree")
    found.facts += [Fact("binary tree", (one.form,)) for one in trees]
    found.facts += forms_in(story, parameters, found.facts, shown)
    for fact in list(found.facts):
        if fact.kind == "full":
            (tree,) = trees
            found.relations.append(Relation(Expression(("+", tree.length, 1)), "%", Expression(2)))
        if fact.kind == "inside":
            number, values = fact.names
            for one in list(found.relations):
                if one.bounds and one.left.name == values and not one.right.names:
                    found.relations.append(replace(one, left=Expression(number)))
                if one.bounds and one.right.name == values and not one.left.names:
                    found.relations.append(replace(one, right=Expression(number)))


def _order(parameters: Sequence[Parameter], found: Restrictions) -> tuple[str, ...]:
    """The order in which values are drawn: numbers, lengths, words, the numbers that a length bounds, contents.

    A number that is at most a length comes after it: else a large number would make every list long. A number that is
    one of the values of a list comes last.
    """
    stated = found.relations
    inside = [fact.names[0] for fact in found.facts if fact.kind == "inside"]
    numbers = [one.name for one in parameters if one.shape == "one" and one.base != "str"]
    words = [one.name for one in parameters if one.shape == "one" and one.base == "str"]
    sizes = [size for one in parameters for size in one.sizes]
    above = {*sizes, *(f"|{name}|" for name in words)}
    equal = {frozenset((one.left.tree, one.right.tree)) for one in stated
             if one.op == "<=" and Relation(one.right, "<=", one.left) in stated}  # fmt: skip
    late: set[str] = set()
    for _ in numbers:
        for one in stated:
            if (
                one.op in ("<", "<=")
                and frozenset((one.left.tree, one.right.tree)) not in equal
                and one.right.names & above
            ):
                late |= one.left.names & set(numbers)
        above |= late
    contents = [one.name for one in parameters if one.shape != "one"]
    early = [name for name in numbers if name not in late and name not in inside]
    bounded = [name for name in numbers if name in late and name not in inside]
    return (*early, *sizes, *words, *bounded, *contents, *dict.fromkeys(inside))


def _pairs(parameters: Sequence[Parameter]) -> Iterable[tuple[str, str]]:
    """The first two numbers of every list of records."""
    for one in parameters:
        if one.shape == "records" and len(one.fields) >= 2 and one.base == "int":
            yield one.fields[0], one.fields[1]


def _repeated(parameters: Sequence[Parameter]) -> Iterable[str]:
    for one in parameters:
        if one.shape != "one":
            yield from one.values


def _values(arguments: Arguments, trees: Sequence[Tree]) -> dict[str, list[Any]]:
    """All known values by name."""
    found: dict[str, list[Any]] = {}
    for tree in trees:
        for line in instances(tree, arguments.layout):
            for name, value in line.items():
                found.setdefault(name, []).extend(value if isinstance(value, list) else [value])
    return found


def _domain(name: str, values: list[Any], found: Restrictions, parameters: Sequence[Parameter]) -> Domain:
    if tree := next((one for one in parameters if one.shape == "tree" and one.form == name), None):
        return Domain("word", letters="01", length=Expression(("+", ("*", 2, tree.length), 1)))
    base = next((one.base for one in parameters if name in one.values), "int")
    if base == "float":
        return replace(decimal_domain(values, 0), exact=False)  # JSON writes 0.50 as 0.5
    if base != "str":
        return Domain("int", choices=found.choices.get(name, ()), seen=(min(values, default=0), max(values, default=0)))
    seen = min(map(len, values), default=0), max(map(len, values), default=0)
    used = set("".join(values))
    letters = found.letters.get(name, "")
    if letters and not used <= set(letters):
        raise Unclear(f"{name} has letters in a known input that the statement excludes")
    return Domain("word", letters=letters or "".join(sorted(used)), seen=seen)


def _of_booleans(parameters: Sequence[Parameter]) -> Iterable[Relation]:
    for one in parameters:
        if one.base == "bool":
            for name in one.values:
                yield Relation(Expression(0), "<=", Expression(name))
                yield Relation(Expression(name), "<=", Expression(1))
