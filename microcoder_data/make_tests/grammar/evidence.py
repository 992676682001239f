"""Add facts that the known inputs show, which make a grammar stricter: permutations, orders, graphs, letters.

    grammar = with_evidence(grammar, trees, fields, found, statement)

A wrongly guessed fact makes the inputs less varied, but none of them wrong. If the statement names a structure of
graphs (a tree, for example) that the known inputs do not show, `Unclear` is raised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.expression import Expression, Relation, expression, plain
from microcoder_data.make_tests.grammar.facts import Fact, columns, holds
from microcoder_data.make_tests.grammar.grammar import Grammar, instances
from microcoder_data.make_tests.grammar.layout import Block, Layout, Line, Listed, Scalar, Tree, lines_of
from microcoder_data.make_tests.grammar.restrictions import Fields, Restrictions
from microcoder_data.make_tests.grammar.spans import node_count


def with_evidence(
    grammar: Grammar, trees: Sequence[Tree], fields: Fields, found: Restrictions, statement: str
) -> Grammar:
    """The grammar with the facts and relations that all known inputs show."""
    facts = list(grammar.facts)
    relations = list(grammar.relations)
    if grammar.arguments is None:  # a list of constraints is complete, and what two samples show would make weak tests
        facts += _of_lists(grammar, trees, fields)
    for one, other in fields.pairs:
        relations += _node_bounds(one, other, grammar, trees)
    grammar = replace(grammar, relations=tuple(relations))
    for one, other in fields.pairs:
        more_facts, more_relations = _of_graph(one, other, grammar, trees, found)
        facts += more_facts
        relations += [relation for relation in more_relations if _is_shown(relation, grammar, trees)]
    # single numbers hold no graph: `connected` is then about what is to be constructed
    only_numbers = grammar.arguments is None and not (fields.repeated or fields.words)
    missing = set() if only_numbers else found.structures - {fact.kind for fact in facts}
    if any(fact.kind in ("parents", "tree") for fact in facts):
        missing -= {"tree", "connected"}
    if missing:
        raise Unclear(f"the statement says {min(missing)}, and the known inputs do not show where")
    facts += _first_letters(grammar, trees, statement)
    learnt = _bounds_by_other_numbers(grammar, trees)
    kept = [fact for fact in dict.fromkeys(facts)
            if fact in grammar.facts or all(holds(fact, tree, grammar.layout) for tree in trees)]  # fmt: skip
    relations = list(dict.fromkeys(relations + learnt))
    return replace(grammar, facts=tuple(kept), relations=tuple(relations), learnt=frozenset(learnt))


def _of_lists(grammar: Grammar, trees: Sequence[Tree], fields: Fields) -> list[Fact]:
    """Permutations, orders and lists of parents that all known lists of numbers show."""
    facts: list[Fact] = []
    listed = {part.name for line in lines_of(grammar.layout) for form in line.forms for part in form
              if isinstance(part, Listed)} - fields.words  # fmt: skip
    for name in sorted(listed):
        lists = [values[0] for tree in trees for _, values in columns(tree, grammar.layout, (name,))]
        longest = max(map(len, lists), default=0)
        numbered = [Fact(kind, (name,)) for kind in ("permutation", "permutation from 0") if longest >= 3]
        facts += [fact for fact in numbered if all(holds(fact, tree, grammar.layout) for tree in trees)]
        if sum(len(set(values)) >= 4 for values in lists) >= 2:
            facts += [Fact(kind, (name,)) for kind in ("rises", "falls")
                      if all(holds(Fact(kind, (name,)), tree, grammar.layout) for tree in trees)]  # fmt: skip
        nodes = _nodes_of(name, grammar)
        if nodes is not None and _count_of(name, grammar) == f"{nodes} - 1":
            parents = Fact("parents", (name,), nodes)
            if all(holds(parents, tree, grammar.layout) for tree in trees):
                facts.append(parents)
    return facts


def _is_shown(relation: Relation, grammar: Grammar, trees: Sequence[Tree]) -> bool:
    """Whether a relation is true of all known inputs."""
    with_it = replace(grammar, relations=(*grammar.relations, relation))
    return not any(with_it.fault_of(tree) for tree in trees if not grammar.fault_of(tree))


def _bounds_by_other_numbers(grammar: Grammar, trees: Sequence[Tree]) -> list[Relation]:
    """Upper bounds for values without a bound: a number at the top that no known value exceeds."""
    top = [part.name for line in grammar.layout if isinstance(line, Line) for form in line.forms
           for part in form if isinstance(part, Scalar) and part.name not in grammar.texts]  # fmt: skip
    found = []
    for name in grammar.names:
        if name in grammar.texts or all(grammar.bounded(name)) or name in top:
            continue
        for limit in top:
            pairs = [(value, line[limit]) for tree in trees for line in tree if isinstance(line, dict) and limit in line
                     for other in instances(tree, grammar.layout) if name in other
                     for value in (other[name] if isinstance(other[name], list) else [other[name]])]  # fmt: skip
            if pairs and all(value <= most for value, most in pairs):
                op = "<" if all(value < most for value, most in pairs) else "<="
                found.append(Relation(Expression(name), op, Expression(limit)))
    return found


def _node_bounds(one: str, other: str, grammar: Grammar, trees: Sequence[Tree]) -> list[Relation]:
    """Bounds from 1 to n for two numbers of a line without bounds, if the known inputs reach n and never exceed it."""
    if any(grammar.bounded(one)) or any(grammar.bounded(other)):
        return []
    shown = [
        (known, [*lists[0], *lists[1]])
        for tree in trees
        for known, lists in columns(tree, grammar.layout, (one, other))
    ]
    shown = [(known, values) for known, values in shown if values]
    numbers = {name for known, _ in shown for name, value in known.items() if type(value) is int}
    for name in sorted(numbers):
        within = all(min(values) >= 1 and max(values) <= known[name] for known, values in shown)
        if within and sum(max(values) == known[name] for known, values in shown) >= 2:
            ends = [(Expression(end), Expression(name)) for end in (one, other)]
            lows = [Relation(Expression(1), "<=", end) for end, _ in ends]
            return lows + [Relation(end, "<=", most) for end, most in ends]
    return []


def _of_graph(
    one: str, other: str, grammar: Grammar, trees: Sequence[Tree], found: Restrictions
) -> tuple[list[Fact], list[Relation]]:
    """The facts and relations of edges between numbered nodes that the known inputs show."""
    nodes = _nodes_of(one, grammar)
    if nodes is None or _nodes_of(other, grammar) != nodes:
        return _of_pairs_from_0(one, other, grammar, trees)
    facts, relations = [], []
    shown = [
        list(zip(*lists, strict=True)) for tree in trees for _, lists in columns(tree, grammar.layout, (one, other))
    ]
    edges = [edge for listed_edges in shown for edge in listed_edges]
    if not edges:
        return [], []
    if all(a != b for a, b in edges) and not re.search(r"\b(?:equal|itself|same \w+ twice)\b", found.permitted):
        relations.append(Relation(Expression(one), "!=", Expression(other)))
    count = _count_of(one, grammar)
    if not re.search(r"\bseveral\b|\bmore than one\b|\bmultiple\b|\brepeated\b", found.permitted):
        facts.append(Fact("simple", (one, other)))
        pairs = expression(f"({nodes}) * ({nodes} - 1)")
        twice = expression(f"2 * ({count})") if count else None
        if pairs is not None and twice is not None:
            relations.append(Relation(twice, "<=", pairs))
    tree_fact = Fact("tree", (one, other), nodes)
    one_less = f"{nodes} - 1"
    if (count == one_less or "tree" in found.structures) and all(
        holds(tree_fact, tree, grammar.layout) for tree in trees
    ):
        facts.append(tree_fact)
        many, wanted = expression(count), expression(one_less)
        if count != one_less and many is not None and wanted is not None:
            relations += [Relation(many, "<=", wanted), Relation(wanted, "<=", many)]
    elif "connected" in found.structures:
        facts.append(Fact("connected", (one, other), nodes))
        least, many = expression(f"{nodes} - 1"), expression(count)
        if least is not None and many is not None:
            relations.append(Relation(least, "<=", many))
    if "acyclic" in found.structures:
        facts.append(Fact("acyclic", (one, other), nodes))
    true = [fact for fact in facts if all(holds(fact, tree, grammar.layout) for tree in trees)]
    return true, relations if Fact("simple", (one, other)) in true or not facts else [
        r for r in relations if r.op == "!="
    ]


def _of_pairs_from_0(
    one: str, other: str, grammar: Grammar, trees: Sequence[Tree]
) -> tuple[list[Fact], list[Relation]]:
    """Edges between nodes numbered from 0: that they are different, and no loops, if all known inputs say so."""
    tops = [
        {(relation.op, relation.right) for relation in grammar.relations if relation.left.name == name}
        for name in (one, other)
    ]
    from_0 = all(
        any(r.right.name == name and not r.left.names and r.left.number({}) == 0 for r in grammar.relations)
        for name in (one, other)
    )
    if not from_0 or tops[0] != tops[1] or not any(most.names for _, most in tops[0]):
        return [], []
    simple = Fact("simple", (one, other))
    shown = [edge for tree in trees for _, lists in columns(tree, grammar.layout, (one, other))
             for edge in zip(*lists, strict=True)]  # fmt: skip
    facts = [simple] if len(shown) > 1 and all(holds(simple, tree, grammar.layout) for tree in trees) else []
    loops = any(a == b for a, b in shown) or not shown
    return facts, [] if loops else [Relation(Expression(one), "!=", Expression(other))]


def _first_letters(grammar: Grammar, trees: Sequence[Tree], statement: str) -> list[Fact]:
    """`words over the first c small letters`, where the known inputs show it."""
    match = re.search(
        r"\bfirst (\w+) (?:small|lower-?case|capital|upper-?case)?,? ?(?:english |latin )?letters\b", plain(statement)
    )
    if match is None or match[1] not in grammar.domains or grammar.domains[match[1]].kind != "int":
        return []
    count = Expression(match[1])
    facts = [Fact("first letters", (name,), count) for name in sorted(grammar.texts)]
    return [fact for fact in facts if all(holds(fact, tree, grammar.layout) for tree in trees)]


def _nodes_of(name: str, grammar: Grammar) -> Expression | None:
    """The number of nodes, if a value numbers nodes from 1 or from 0; None for other values."""
    return node_count(name, grammar.relations)


def _count_of(name: str, grammar: Grammar) -> str:
    """How many values of a name there are, as text."""

    def search(layout: Layout, count: str) -> str:
        for node in layout:
            if isinstance(node, Block):
                if found := search(node.body, str(node.count)):
                    return found
                continue
            for form in node.forms:
                for part in form:
                    if isinstance(part, Listed) and part.name == name:
                        return str(part.count)
                    if isinstance(part, Scalar) and part.name == name:
                        return count
        return ""

    return search(grammar.layout, "")
