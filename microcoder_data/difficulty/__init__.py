"""How hard a problem is: predicted, and compared with what was observed.

predict.py                  the rule, with `heuristic.py` (no model) or `rating_prompt.py` (a model's prompt)
attempts.py                 a model's attempts at the problems; their pass rates are an observation
predicted_vs_observed.py    the comparison; `calibrate.py` computes it, `page.py` shows it
"""
