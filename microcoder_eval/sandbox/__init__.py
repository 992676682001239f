"""The untrusted side and its walls.

One file a layer (`privileges`, `limits`, `seccomp`, `landlock`, `namespaces`), the warm interpreter
that forks a child a test (`zygote`, `harness`), and the trusted side's handle on it (`box`). Nothing in here
knows an expected output: comparing is the supervisor's work.
"""
