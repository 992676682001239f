"""Read one clause of a function's constraints as a formula; find the parameters that its words mean.

reader = ClauseReader(wording, found)
reader.formula("1 <= k <= nums_length")        # adds the relations to `found`
reader.called("s and t")                       # the names of the values that a list of names means
"""

from __future__ import annotations

import re

from microcoder_data.make_tests.grammar.arguments import Parameter
from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.expression import Relation, base_name, expression, relations
from microcoder_data.make_tests.grammar.line_bounds import without_absolute_value
from microcoder_data.make_tests.grammar.naming import Wording
from microcoder_data.make_tests.grammar.restrictions import Restrictions

_FILLER = re.compile(r"\b(?:and|where|for|each|all|every|with|valid|0-indexed|i|j)\b|[^\w?]", re.IGNORECASE)


class ClauseReader:
    """Reads one clause after another into the restrictions."""

    def __init__(self, wording: Wording, found: Restrictions) -> None:
        self.wording, self.found = wording, found
        self.by_name = {one.name: one for one in wording.parameters}
        self.by_value = {name: one for one in wording.parameters for name in one.values}

    def formula(self, clause: str) -> bool:
        """Read a clause that is a formula, and nothing else."""
        clause = re.sub(r"^[A-Z](?=\w* )", lambda first: first[0].lower(), clause) if " <" not in clause[:3] else clause
        if match := re.fullmatch(r"([^%=]+?) ?% ?(\w+|\d+) ?= ?0", clause):
            return self.multiple(match[1], match[2])
        names = self.wording.names
        stated, rest = relations(clause, names)
        if not stated or _FILLER.sub("", rest).strip():
            return False
        known = names | self.wording.lengths
        numbers = names - self.wording.words
        for relation in stated:
            for one in without_absolute_value(self._of_words(relation), numbers):
                if unknown := sorted(one.names - known):
                    raise Unclear(f"the statement bounds {unknown[0]}, and it is not clear where that stands")
                if one.left.tree != one.right.tree:
                    self.found.relations.append(one)
        return True

    def _of_words(self, relation: Relation) -> Relation:
        """The relation; words may only stand on both sides of `!=`."""
        if relation.names & self.wording.words:
            if relation.op == "!=" and relation.names <= self.wording.words:
                return relation
            raise Unclear(f"the statement compares words: {relation}")
        return relation

    def multiple(self, of: str, by: str) -> bool:
        left, right = expression(of), expression(by)
        known = self.wording.names | self.wording.lengths
        if left is None or right is None or not (left.names | right.names) <= known:
            return False
        self.found.relations.append(Relation(left, "%", right))
        return True

    def called(self, phrase: str) -> list[str]:
        """The values that a list of names means: `s and t`, `words`; empty if a name is not known."""
        parts = re.split(r", and |, | and ", re.sub(r"^(?:both|the|all|each) ", "", phrase.strip()))
        found: list[str] = []
        for part in parts:
            name = re.sub(r"\[[a-z]\]$", "", part.strip())
            one = self.by_name.get(name)
            values = one.values if one else (base_name(name),) if base_name(name) in self.by_value else ()
            if not values:
                return []
            found += values
        return found

    def only(self, phrase: str) -> Parameter | None:
        """The parameter that a single name means."""
        return self.by_name.get(re.sub(r"\[[a-z]\]$", "", phrase.strip()))
