"""Estimates the memory and time that a recipe needs, before it runs and without its weights.

`shape.py` reads the model's config.json, `device.py` lists GPUs, `job.py` is the input of a plan, `memory.py` and
`duration.py` compute it, `plan.py` puts it together, `advice.py` tries changes until the job fits, `tables.py` shows
the plan, and `first_recipe.py` writes a recipe that fits. Nothing is measured.
"""

from microcoder_rl.plan.job import Assumptions, read_assumptions
from microcoder_rl.plan.plan import Plan, choose_device, make_job, make_plan
from microcoder_rl.plan.shape import Shape

__all__ = ["Assumptions", "Plan", "Shape", "choose_device", "make_job", "make_plan", "read_assumptions"]
