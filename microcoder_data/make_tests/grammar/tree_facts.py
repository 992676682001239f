"""Read facts about binary trees: of a clause of the constraints, and of a sentence of the story.

tree_facts(reader, "root is a valid binary search tree")           # adds to `reader.found`, says whether it understood
forms_in(["Given the root of a complete binary tree"], parameters, stated, shown)
"""

# ruff: noqa: E501 - a pattern is one line

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from microcoder_data.make_tests.grammar.arguments import Parameter
from microcoder_data.make_tests.grammar.clause_reader import ClauseReader
from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.expression import expression
from microcoder_data.make_tests.grammar.facts import Fact
from microcoder_data.make_tests.grammar.story import given_part

_SEARCH = r"(?:binary search tree|BST)"
_IS_SEARCH = re.compile(
    rf"(?P<name>\w+|the (?:given )?tree) is(?: guaranteed to be)? an? (?:valid )?{_SEARCH}(?: \(BST\))?", re.IGNORECASE
)
_IS_COMPLETE = re.compile(
    r"(?:the (?:given )?tree|root) is(?: guaranteed to be)?(?: an?)? complete(?: binary tree)?", re.IGNORECASE
)
_IS_FULL = re.compile(r"every node has either 0 or 2 children|root is a full binary tree", re.IGNORECASE)
_DEPTH = re.compile(
    r"the (?:depth|height) of the (?:binary )?tree (?:will not exceed|is at most|(?:is|will be) in the range \[1, ?)(?P<most>[ \w^*]+?)\]?",
    re.IGNORECASE,
)
_INSIDE = (
    re.compile(r"(?P<names>\w+(?: and \w+)?) (?:will |are )?exists? in the (?:binary )?(?:tree|BST)", re.IGNORECASE),
    re.compile(
        r"(?P<names>\w+(?: and \w+)?) (?:is|are) (?:the )?(?:values?|nodes?)(?: of one of the nodes)? in the (?:binary )?tree(?: rooted at \w+)?",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<names>\w+) is a node in the (?:binary )?tree(?: rooted at \w+)?", re.IGNORECASE),
    re.compile(r"a node with a value of (?P<names>\w+) exists in the tree", re.IGNORECASE),
    re.compile(r"there (?:exists?|is) (?:some|a) node in the tree where \w+ ?= ?(?P<names>\w+)", re.IGNORECASE),
)


def tree_facts(reader: ClauseReader, clause: str) -> bool:
    """`root is a valid binary search tree`, `The depth of the tree will not exceed 1000`, `p and q exist in the tree`."""
    trees = [one for one in reader.wording.parameters if one.shape == "tree"]
    if len(trees) != 1:
        return False
    (tree,) = trees
    if (match := _IS_SEARCH.fullmatch(clause)) and match["name"].lower() in (
        tree.name.lower(),
        "the tree",
        "the given tree",
    ):
        reader.found.facts.append(search_tree(tree))
    elif _IS_COMPLETE.fullmatch(clause):
        reader.found.facts.append(Fact("complete", (tree.form,)))
    elif _IS_FULL.fullmatch(clause):
        reader.found.facts.append(Fact("full", (tree.form,)))
    elif (match := _DEPTH.fullmatch(clause)) and (most := expression(match["most"])) and not most.names:
        reader.found.facts.append(Fact("depth", (tree.form,), most))
    elif match := next(filter(None, (pattern.fullmatch(clause) for pattern in _INSIDE)), None):
        names = [part.strip() for part in match["names"].split(" and ")]
        if any(
            (one := reader.by_name.get(name)) is None or one.shape != "one" or one.base != tree.base for name in names
        ):
            return False
        reader.found.facts += [Fact("inside", (name, tree.name)) for name in names]
    else:
        return False
    return True


def search_tree(tree: Parameter) -> Fact:
    return Fact("search tree", (tree.form, tree.name))


_SEARCH_TREE = re.compile(_SEARCH, re.IGNORECASE)
_FORMS = re.compile(
    r"\b(?:BST|complete|full|perfect|(?:height-)?balanced|symmetric\w*|heap|threaded|special|univalued|strict\w*|"
    r"skewed|degenerate|palindrom\w*|expression|circular\w*|cycl\w*|intersect\w*|random pointer|doubly)\b", re.IGNORECASE,
)  # fmt: skip


def forms_in(
    story: Sequence[str], parameters: Sequence[Parameter], stated: Sequence[Fact], shown: Callable[[Fact], bool]
) -> list[Fact]:
    """The facts of trees that the story says; raises `Unclear` for a form that no reader knows.

    stated: the facts of the constraints. shown: whether all known inputs show a fact. A search tree that any sentence
    names (`BST`) and all known trees show is one: that makes the trees less varied, but none of them wrong.
    """
    trees = [one for one in parameters if one.shape == "tree"]
    if not any(one.nodes for one in parameters):
        return []
    sentences = [_SEARCH_TREE.sub("BST", sentence) for sentence in story]
    found = [
        fact for one in trees if any("BST" in sentence for sentence in sentences) and shown(fact := search_tree(one))
    ]
    kinds = {fact.kind for fact in [*stated, *found]}
    for said in map(given_part, sentences):
        for match in _FORMS.finditer(said):
            word = "search tree" if match[0] == "BST" else match[0].lower()
            stating = [Fact(word, (trees[0].form,))] if word in ("complete", "full") and len(trees) == 1 else []
            if stating and shown(stating[0]):
                found += stating
            elif word not in kinds:
                raise Unclear(f"the statement says of the input what no reader knows: {match[0]!r} in {said!r}")
    return found
