"""`connect`: a grader by its address, wherever that grader runs.

    grader = connect("node")          # this machine's, started if it does not run
    grader = connect("http://gpu1:8080,http://gpu2:8080", token="...")
    grader.grade(problem, reply).reward

What it gives can be pickled, used from any thread, and used after a fork; nothing is opened before the first grading.
"""

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.connection.connect import connect
from microcoder_eval.connection.open_grader import open_grader

__all__ = ["AnyGrader", "connect", "open_grader"]
