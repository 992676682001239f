"""Runs in the user's process: decides which supervisor runs what, in what order, and what need not run again."""
