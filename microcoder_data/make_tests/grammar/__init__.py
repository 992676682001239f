"""The grammar of a problem's inputs, inferred from its statement and samples. It checks inputs and makes new ones.

    grammar = infer(row)                                  # raises Unclear if it cannot read the statement
    for plan in plans(grammar, small=40, limits=6):
        text = sample(grammar, plan, seed=row["problem_id"])

`expression.py` reads arithmetic and relations, `phrasing.py` and `sentences.py` find the lines that sentences describe,
`items.py` and `contents.py` what a line holds; `letters.py`, `line_bounds.py` and `restrictions.py` what a value must
be. `fitting.py` compares the lines with the known inputs, `evidence.py` adds facts that these show, `infer.py` runs all
of them. `layout.py` reads and writes trees, `facts.py` and `grammar.py` check them, `spans.py`, `shapes.py`,
`shapes_with_facts.py` and `sample.py` make new ones.

For a function, `signature.py` finds the parameters, `arguments.py` makes their values a tree, `naming.py` rewrites the
constraints over its names, `clause_reader.py`, `argument_bounds.py`, `argument_facts.py`, `alphabet.py` and `story.py`
read them, and `infer_call.py` runs all of these. For linked lists and binary trees, `node_clauses.py` says the
constraints in the words of plain lists, `tree_facts.py` reads what is true of a tree, `binary_trees.py` knows its form.
"""

from microcoder_data.make_tests.grammar.contents import Unclear
from microcoder_data.make_tests.grammar.grammar import Grammar
from microcoder_data.make_tests.grammar.infer import canonical, infer, known_inputs
from microcoder_data.make_tests.grammar.sample import Plan, plans, sample

__all__ = ["Grammar", "Plan", "Unclear", "canonical", "infer", "known_inputs", "plans", "sample"]
