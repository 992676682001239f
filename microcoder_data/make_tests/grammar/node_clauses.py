"""Say what constraints say of linked lists and trees in the words of plain lists.

    plain_words("The number of nodes in the tree is in the range [0, 100]", parameters)    # ["0 <= root_length <= 100"]
    plain_words("-100 <= Node.val <= 100", parameters)                                      # ["-100 <= root <= 100"]

`tree_facts.py` reads what is true of a tree alone.
"""

# ruff: noqa: E501 - a pattern is one line

from __future__ import annotations

import re
from collections.abc import Sequence

from microcoder_data.make_tests.grammar.arguments import Parameter

_KIND = r"(?:given )?(?:(?:singly )?[Ll]inked[- ][Ll]ists?|lists?|binary (?:search )?trees?|BSTs?|trees?)"
_OF = rf"(?:(?:the |a |each |both |both of the |every )?(?P<named>\w+ )?{_KIND}|(?P<name>\w+))"
_RANGE = r"(?:(?:in )?(?:the )?(?:range )?(?:of )?|between ?)\[(?P<low>[^\[\],]+?)(?:, ?| - )(?P<high>[^\[\]]+)\]|between (?P<low2>\w+) and (?P<high2>[\w^* ]+)|at most (?P<most>[\w^* ]+)"
_COUNT = re.compile(
    rf"(?:the )?(?:number of (?:the )?nodes? (?:in|of)|length of) {_OF} (?:is|will be|are) (?:an (?P<parity>even|odd) (?:integer|number) )?(?:{_RANGE}|(?P<equal>[A-Za-z]\w*))",
    re.IGNORECASE,
)
_CONTAINS = re.compile(rf"(?:the )?{_OF} will contain between (?P<low>\w+) and (?P<high>[\w^* ]+) nodes", re.IGNORECASE)
_AT_MOST = re.compile(r"(?:the )?number of nodes will not exceed (?P<high>[\w^* ]+)", re.IGNORECASE)
_NOT_EMPTY = re.compile(rf"(?:the )?{_OF} (?:is|are) not empty", re.IGNORECASE)
_VALUE = r"(?:(?:the )?values? of (?:each|every|the|all)(?: the)? nodes?(?: in (?:the|each) [\w ]+)?|each node'?s value|node values?)"
_VALUE_IN = re.compile(rf"{_VALUE} (?:is|are|will be) (?:{_RANGE})", re.IGNORECASE)
_VALUE_IS = re.compile(rf"{_VALUE} (?:is|are) (?P<what>either .+)", re.IGNORECASE)
_TREES_VALUES = re.compile(
    rf"(?:both of the|both|each|each of the|all)(?: the)?(?: given)? trees? will have (?P<unique>unique )?(?:node )?values (?:{_RANGE})",
    re.IGNORECASE,
)
_UNIQUE = re.compile(
    r"all (?:the )?(?:values )?(?:of |in )?(?:the )?(?:nodes?'?\.?val(?:ues)?|values? (?:node\.val|(?:in|of) (?:the )?(?:nodes (?:in|of) )?(?:the )?(?:binary )?tree))(?: in the tree)? (?:is|are|will be) (?:unique|distinct|different)|"
    r"(?:all )?(?:the )?values (?:of|in) (?:the )?(?:nodes (?:of|in) )?(?:the )?(?:binary )?(?:tree|linked list|list) (?:is|are|will be) (?:unique|distinct|different)|"
    r"(?:all|each|every) (?:the )?nodes? (?:has|have|will have) an? ?unique values?|all nodes (?:have|will have) unique values|each node\.val is unique|all node\.val (?:is|are) unique|the value of each node in the (?:tree|list) is unique", re.IGNORECASE)  # fmt: skip
_NODE_VALUE = re.compile(r"\b[Nn]ode\.val\b")
_OF_EACH_NODE = re.compile(
    r" for (?:each|every) node in the (?:linked list|list|tree|binary tree)(?: and (?:the )?(?:linked list|list|binary tree|tree))?$"
)
_VALUE_BETWEEN = re.compile(
    r"each node has an? (?:distinct|unique) value between (?P<low>\w+) and (?P<high>[\w^* ]+)", re.IGNORECASE
)
_EACH_NODE_HAS = re.compile(
    r"each node in (?:the )?(?:linked list|list|tree|binary tree) has (?P<formula>.*[<>].*)", re.IGNORECASE
)
_SORTED = re.compile(rf"(?:the )?{_KIND} (?P<rest>(?:is|are)(?: guaranteed to be)? sorted .*)", re.IGNORECASE)


def plain_words(clause: str, parameters: Sequence[Parameter]) -> list[str]:
    """The clauses over the names of plain lists; a clause about something else as it is."""
    found = _plain_words(clause, parameters)
    return [found] if isinstance(found, str) else found


def _plain_words(clause: str, parameters: Sequence[Parameter]) -> str | list[str]:
    nodes = [one for one in parameters if one.nodes and one.shape in ("list", "tree")]
    if not nodes:
        return clause
    everyone = ", ".join(one.name for one in nodes)
    lengths = ", ".join(one.length for one in nodes)
    if match := _COUNT.fullmatch(clause):
        meant = _meant(match, nodes)
        if meant and match["equal"]:
            return " = ".join([match["equal"], *(one.length for one in meant)])
        if meant:
            parity = [f"{one.length} is {match['parity']}" for one in meant] if match["parity"] else []
            return [_between(match, ", ".join(one.length for one in meant)), *parity]
        return clause
    if match := _CONTAINS.fullmatch(clause):
        meant = _meant(match, nodes)
        return f"{match['low']} <= {', '.join(one.length for one in meant)} <= {match['high']}" if meant else clause
    if match := _AT_MOST.fullmatch(clause):
        return f"0 <= {lengths} <= {match['high']}"
    if (match := _NOT_EMPTY.fullmatch(clause)) and (meant := _meant(match, nodes)):
        return f"1 <= {', '.join(one.length for one in meant)}"
    if match := re.fullmatch(r"(\w+) ?= ?(?:the )?number of (?:the )?nodes in the (?:tree|list|linked list)", clause):
        return f"{match[1]} = {nodes[0].length}" if len(nodes) == 1 else clause
    if (match := _VALUE_IN.fullmatch(clause)) or (match := _TREES_VALUES.fullmatch(clause)):
        unique = (
            [f"All the values of {one.name} are unique" for one in nodes] if match.groupdict().get("unique") else []
        )
        return [_between(match, everyone), *unique]
    if match := _VALUE_IS.fullmatch(clause):
        return f"{' and '.join(one.name for one in nodes)} is {match['what']}"
    if match := _VALUE_BETWEEN.fullmatch(clause):
        bounds = f"{match['low']} <= {everyone} <= {match['high']}"
        return [bounds, *(f"All the values of {one.name} are unique" for one in nodes)]
    if _UNIQUE.fullmatch(clause):
        return f"All the values of {nodes[0].name} are unique" if len(nodes) == 1 else clause
    if match := _EACH_NODE_HAS.fullmatch(clause):
        clause = match["formula"]
    if (match := _SORTED.fullmatch(clause)) and len(nodes) == 1:
        return f"{nodes[0].name} {match['rest'].replace('guaranteed to be ', '')}"
    clause = re.sub(r"^((?:both )?\w+(?: and \w+)?) (is|are) guaranteed to be sorted", r"\1 \2 sorted", clause)
    for one in nodes:
        clause = re.sub(rf"(?<![\w.]){re.escape(one.name)}\.val\b(?=.*[<>])", one.name, clause)
    return _OF_EACH_NODE.sub("", _NODE_VALUE.sub(everyone, clause))


def _between(match: re.Match[str], names: str) -> str:
    low, high = match["low"] or match["low2"], match["high"] or match["high2"] or match["most"]
    return f"{low} <= {names} <= {high}" if low else f"{names} <= {high}"


def _meant(match: re.Match[str], nodes: Sequence[Parameter]) -> list[Parameter]:
    """The lists or trees that a phrase means: one by its name, all where it says so, or the only one."""
    said = (match["name"] or (match["named"] or "").strip()).lower()
    by_name = [one for one in nodes if one.name.lower() == said]
    if by_name:
        return by_name
    if match["name"] or said not in ("", "given", "linked", "binary", "singly", "both", "each"):
        return []
    shape = "tree" if re.search(r"\b(?:trees?|BSTs?)\b", match[0], re.IGNORECASE) else "list"
    of_shape = [one for one in nodes if one.shape == shape]
    every = re.search(r"\b(?:both|each|every|trees|lists)\b", match[0], re.IGNORECASE)
    return of_shape if every or len(of_shape) == 1 else []
