"""The folder that a grading run writes: grades, their evidence, a tally."""
