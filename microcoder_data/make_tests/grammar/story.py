"""What the story of a function's statement says about its input: `you are given a sorted array of distinct integers`.

    given_part("Given a sorted array nums, return its median.")         # "Given a sorted array nums"

Constraints repeat most of it. What they do not repeat must be shown by all known calls, or nothing is made.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.expression import plain
from microcoder_data.make_tests.grammar.facts import Fact, columns, holds
from microcoder_data.make_tests.grammar.grammar import Grammar
from microcoder_data.make_tests.grammar.layout import Tree
from microcoder_data.make_tests.grammar.sentences import sentences

_GIVEN = re.compile(r"^(?!If\b)(?:.*\b(?:[Gg]iven|[Cc]onsider|[Yy]ou have)\b|There (?:is|are)\b)")
_TASK = re.compile(
    r"[,.;:]? ?\b(?:returns?|find|determine|compute|calculate|write|implement|check|count|sort|arrange|rearrange|re-?order|remove|delete|partition|split|divide|replace|reverse|merge|generate|construct|create|perform|print|get|decide|apply|convert|move|rotate|shuffle|flatten|transform|minimi[sz]e|maximi[sz]e|search|choose|select|pick|add|use|make|build|form|restore|recover|your task|your goal|you (?:need|must|can|have to|"
    r"should|want|may)|we (?:need|want|can|define|call)|how many|is called|is considered|is defined)\b.*", re.IGNORECASE | re.DOTALL
)  # fmt: skip
_SORTED = re.compile(
    r"\bsorted\b|\b(?:non-?decreasing|ascending|increasing|descending|non-?increasing|decreasing) order\b"
)
_DISTINCT = re.compile(r"\b(?:distinct|unique|different|no duplicates?)\b")
_FORM = re.compile(
    r"\b(?:valid|balanced|well-formed|rotated|non-?overlapping|disjoint|palindrom\w+|permutations?|encoded|bitonic|mountain (?:array|sequence|range))\b"
)


def story_of(statement: str) -> list[str]:
    """The sentences of a statement, without those that only say what to return."""
    return [one for one in sentences(statement) if not re.match(r"\W*(?:return|print)\b", one, re.IGNORECASE)]


_ANSWER_FITS = re.compile(
    r"\b(?:answer|result|output)s?\b[^.]*\bfits? (?:in|into|inside|within) (?:a |the |an )?(?:signed )?(?P<bits>32|64)[- ]?bit(?:s|ed)?(?: signed)?(?: integer| int)?\W*$",
    re.IGNORECASE,
)


def answer_bits(sentence: str) -> int:
    """How many bits the statement promises for every answer: `the answer fits in a 32-bit integer`; 0 for others.

    >>> answer_bits("The test cases are generated so that the answer fits in a **32-bit** integer.")
    32
    """
    match = _ANSWER_FITS.search(sentence.replace("*", "").replace("`", ""))
    return int(match["bits"]) if match else 0


def given_part(sentence: str) -> str:
    """What a sentence of the story says about the input; empty for a sentence about something else."""
    return _TASK.sub("", plain(sentence)) if _GIVEN.search(sentence) else ""


def with_the_story(grammar: Grammar, trees: Sequence[Tree], story: Sequence[str]) -> Grammar:
    """The facts that sentences such as `you are given a sorted array of distinct integers` add.

    They are added to the lists that show them in all known calls; if no list does, the statement is not understood.
    """
    facts = list(grammar.facts)
    lists = [name for names in [sorted(grammar.names)] for name in names if name not in grammar.texts and any(
        lists for tree in trees for _, (lists,) in columns(tree, grammar.layout, (name,)))]  # fmt: skip
    for sentence in story:
        said = given_part(sentence)
        for pattern, kinds in (
            (_SORTED, ("rises strictly", "rises", "falls strictly", "falls")),
            (_DISTINCT, ("distinct",)),
        ):
            if not pattern.search(said) or any(
                fact.kind.split(" ")[0] in {kind.split(" ")[0] for kind in (*kinds, "permutation")} for fact in facts
            ):
                continue
            shown = [Fact(kind, (name,)) for name in lists for kind in kinds
                     if all(holds(Fact(kind, (name,)), tree, grammar.layout) for tree in trees)]  # fmt: skip
            if not shown and lists:
                raise Unclear(f"the statement says of the input what the known calls do not show: {said!r}")
            facts += list({fact.names: fact for fact in reversed(shown)}.values())
        if (form := _FORM.search(said)) and not any(fact.kind.startswith("permutation") for fact in facts):
            raise Unclear(f"the statement says of the input what no reader knows: {form[0]!r} in {said!r}")
    return replace(grammar, facts=tuple(dict.fromkeys(facts)))
