"""Rewards for other trainers and scorers for other harnesses: one file for each framework, which imports it.

    from microcoder_eval.integrations.trl import code_reward

`grading` is what they share. A JUDGE_ERROR says nothing about the program: each file does what its framework offers for
a missing reward, and none returns 0 without a word. docs/integrations/ has a guide for each framework.
"""
