"""A grading service: one process on a machine, with one `Grader`, used over HTTP or a Unix socket.

    microcoder eval serve --problems problems.jsonl

`run_server` starts and ends the process, `app` maps paths to handlers, `read_body` reads untrusted bodies, and `desk`
is the bounded queue before the grader. `own_calls`, `run_calls` and `health` are this project's calls; `dialects/` has
a file for each other service whose clients can use this one. Outside this folder only the commands import it.
"""
