"""The insight lab: the paper's 34 insights as claims, tested in a small world with seeds and intervals.

Read in this order: `words.py` (the language of questions and replies), `world.py` (questions, the warmed-up model),
`properties.py` (what the world is like before training), `experiment.py` (arms, claims and rules, from
`pipelines/lab/`), `judge.py` (the real grader, with wrong verdicts at a known rate), `one_run.py` (an arm with a seed),
`results.py`, `runner.py` (runs what is missing), `decide.py` (statistics and verdicts), `page.py`.

The lab uses the trainer unchanged, and the trainer imports nothing from the lab.
"""
