"""Grading on a Ray cluster: one grader on each node, asked by any number of programs.

    connect("ray://auto").grade(problem, reply)
    microcoder eval grade --engine ray --address auto ...

`join` connects this process to the cluster. `node_grader` is the actor that runs on a node; `nodes` knows which nodes
there are and starts their actors. `cluster_grader` gives what `Grader` gives; `dispatch` is its thread, which hands out
the work.
"""
