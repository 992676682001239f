"""`connect`: the grader at an address, wherever it runs.

    grader = connect("node")          # this machine's service, started if it does not run
    grader = connect("http://gpu1:8080,http://gpu2:8080", token="...")
    grader.grade(problem, reply).reward

The grader can be pickled, used from any thread, and used after a fork. It opens nothing before the first grading.
"""

from microcoder_eval.any_grader import AnyGrader
from microcoder_eval.connection.connect import connect
from microcoder_eval.connection.open_grader import open_grader

__all__ = ["AnyGrader", "connect", "open_grader"]
