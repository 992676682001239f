"""Compares a program's answer with the expected one: `compare_output`, `compare_value`, `Comparison`.

Nothing here runs a program. `ladder` decides which rungs may accept an answer under each policy and checker. The rungs
are functions in these files:

    ladder                 exact                                        of a printed output
    text_rungs             lines, tokens, token_lines, case             of a printed output
    number_rungs           numbers, approximate                         of a printed output
    literal_rungs          literals                                     of both
    unordered_rungs        unordered, sets                              of both
    value_rungs            exact, types, approximate, case              of a returned value
    livecodebench_rungs    lines, decimals, equal                       of the policy `strict`
    ../kattis_rule         checker                                      of the checker `kattis_default`

`paired_batches` reads two long outputs side by side, and `difference_text` describes the first difference.
"""

from microcoder_eval.compare.ladder import Comparison, compare_output, compare_value

__all__ = ["Comparison", "compare_output", "compare_value"]
