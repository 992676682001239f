"""Grading on a Ray cluster: one grader on each node, which any number of driver processes share.

    connect("ray://auto").grade(problem, reply)
    microcoder eval grade --engine ray --address auto ...

`join` connects this process to the cluster. `node_grader` is the actor that runs on a node. `nodes` tracks the nodes
and starts their actors. `cluster_grader` gives what `Grader` gives. `dispatch` is its thread, which sends work to the
nodes.
"""
