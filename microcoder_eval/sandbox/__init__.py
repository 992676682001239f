"""Untrusted: what runs inside the sandbox, in the same processes as submissions.

A submission's process holds no expected output. Checkers, interactors and test programs know expected outputs. They
run in sandboxes of their own, which no submission enters.
"""
