"""Published benchmarks, graded from their publishers' own files and scored by their publishers' own rules.

`livecodebench/` has LiveCodeBench, `functions/` has HumanEval, HumanEval+, MBPP and MBPP+. `scores` computes pass@k as
the publishers do, and `summary` is what a benchmark adds to a run's summary. The grading is `microcoder_eval.grading`.
"""
