"""Attacks on the grader, one file for each class: forge, breach, deny, kill, leak, confuse the judge; and honest tests.

Every attack is one test. It drives the public interface only, and states what must come out.
"""
