"""LiveCodeBench code generation: its files, its output formats, its verdicts (policy `strict`) and a contest judge's.

`questions` reads the benchmark's files and `private_tests` the tests packed in them. `generations` reads a model's
programs. `rewritten_program` rewrites a program as LiveCodeBench runs it, and `sandbox_runner` is the source that runs
it in the sandbox. `grade_generations` grades under one or both policies, and `differences` lists the cases where the
two disagree.
"""
