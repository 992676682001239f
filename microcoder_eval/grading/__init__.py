"""Grades whole files: from problems and submissions on disk to a run directory with grades, summary and report.

`options` holds the user's options, `grade_into` is the loop that all runs share, `grade_files` grades a file of
submissions, `grade_program` grades one program, and `look_up` finds a submission in a run. The benchmarks use the same
loop.
"""
